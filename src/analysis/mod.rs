//! Floor 5: from runs to verdicts; pure functions of numbers.

mod baseline;
mod cells;
mod check;
mod definition;
mod escape;
mod evaluate;
mod findings;
pub mod foreign;
mod measure;
mod order;
mod quantity;
mod scorecard;
mod shards;
mod spin_scan;
mod stability;
mod study;
mod survey;
mod trend;

#[cfg(test)]
mod no_verdict_tests;

pub use baseline::{Baseline, BaselineRun};
pub use cells::{Cells, Conflict};
pub use check::{
    Allow, At, CheckSpec, EffortKind, Expect, METRICS, Measure, NamedTime, Norm, Scale, Selection,
    Side, SourceKind, Target, Within, matches,
};
pub use definition::{Definition, Difference, hex};
pub use escape::{
    EscapeGrid, Flips, GridError, MapAxis, MapSummary, Quantiles, SURVIVOR, Survival, is_possible,
    ratio,
};
pub use evaluate::{Judged, Status, Verdict, judge};
pub use findings::{Column, Findings, Line, Point, conduct};
pub use measure::{Bench, Context, MapNumbers, widened};
pub use order::slopes;
pub use quantity::group_distance;
pub use scorecard::{Card, EnergyFound, Limit, Measurements, ROUND_OFF};
pub use shards::{Shard, ShardError, Tile};
pub use spin_scan::{SpinRow, SpinScan};
pub use stability::{Edges, Level, PlanePoint, StabilityRegion, level};
pub use study::{Study, Topic, Work};
pub use survey::{Numbers, Survey};
