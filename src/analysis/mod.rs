//! Floor 5: from runs to verdicts; pure functions of numbers.

mod baseline;
mod check;
mod evaluate;
mod findings;
mod measure;
mod order;
mod quantity;
mod scorecard;
mod study;
mod trend;

#[cfg(test)]
mod no_verdict_tests;

pub use baseline::{Baseline, BaselineRun};
pub use check::{
    Allow, At, CheckSpec, EffortKind, Expect, METRICS, Measure, NamedTime, Norm, Scale, Selection,
    Side, SourceKind, Target, matches,
};
pub use evaluate::{Judged, Status, Verdict, judge};
pub use findings::{Column, Findings, Line, Point, conduct};
pub use measure::{Bench, Context, widened};
pub use order::slopes;
pub use quantity::group_distance;
pub use scorecard::{Card, EnergyFound, Limit, Measurements, ROUND_OFF};
pub use study::{Study, Topic, Work};
