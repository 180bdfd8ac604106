//! Studies look beyond the single runs of a case; checks may ask those with a name for their numbers. A study is one
//! file and one variant of `StudyTable`; case files, their schema, completions, reports and checks follow.

mod coning_drift;
mod convergence;
mod drift;
mod ensemble;
mod escape_map;
mod finding;
mod ladder;
mod levitron;
mod orthogonality;
mod reversibility;
pub(crate) mod round_off;
pub mod solver_histories;
mod spin_scan;
mod stability_region;
mod symplectic_defect;
mod tiled;
mod work_precision;

pub use escape_map::MapPicture;
pub use finding::{DataFile, Drawing, Finding, Picture};
use finding::{csv_file, curves, record};
pub use ladder::{LadderTable, Line, Point};
pub use tiled::{TileFolders, TilePlace, Tiled, TilesRefused, Zoomable};

use crate::check::{Context, Needs, Selection, grouped, selection, selects};
use enum_dispatch::enum_dispatch;
use ladder::LadderStudy;
use schemars::JsonSchema;
use serde::Deserialize;
use strict_toml::{Faults, TomlDocument, short};
use strum::{IntoStaticStr, VariantNames};
use tiles::CellProgress;
use topsim_case::{Problem, RunPlan};
use topsim_core::integration::{SchemeSelector, StopReason};
use topsim_levitron::kernel::Width;

/// A study of a case.
pub trait Study: Send + Sync {
    /// Returns the name of its kind in case files.
    fn kind(&self) -> &'static str;
    /// Returns the name by which checks ask for it, where they can.
    fn name(&self) -> Option<&str> {
        None
    }
    /// Returns the names by which checks ask for its numbers.
    fn number_names(&self) -> Vec<String> {
        Vec::new()
    }
    /// Returns the stem of its files, one of its own in each case.
    fn stem(&self) -> String {
        format!("{}_{}", self.kind(), self.name().unwrap_or_default())
    }
    /// Returns what it requires of the step map of the run that a plan makes.
    fn needs(&self, _: &RunPlan) -> Needs<'_> {
        Needs::default()
    }
    /// Returns the runs of the case that it looks at; `None` where it makes its own.
    fn selection(&self) -> Option<&Selection> {
        None
    }
    /// Describes the extent of its computation beyond the runs in one line; empty where there is none.
    fn extent(&self) -> String {
        String::new()
    }
    /// Returns its side that can be shared between machines and interrupted, where it has one.
    fn tiled(&self) -> Option<&dyn Tiled> {
        None
    }
    /// Returns its side that can be zoomed, where it has one.
    fn zoomable(&self) -> Option<&dyn Zoomable> {
        None
    }
    /// Makes the study, on the threads of the current pool.
    fn make(&self, input: &StudyInput) -> Finding;
}

/// A closer look at a plane of starts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Zoom {
    /// Bounds of the window: from and to across, from and to along.
    pub window: Option<[f64; 4]>,
    /// Numbers of columns and rows.
    pub size: Option<[u32; 2]>,
    /// Instructions that compute it; the results are the same with all.
    pub simd: Option<Width>,
}

impl Zoom {
    /// Tests whether it shows other starts than the whole map.
    pub fn is_another_map(&self) -> bool {
        self.window.is_some() || self.size.is_some()
    }
}

/// Input of a study.
pub struct StudyInput<'a> {
    /// Title of the case.
    pub title: &'a str,
    /// The runs of the case with their reference.
    pub runs: &'a Context<'a>,
    /// Place of the tiles; none are kept without it.
    pub place: Option<TilePlace<'a>>,
    /// Receiver of the progress.
    pub progress: &'a dyn CellProgress,
    /// Returns the reason to stop, if there is one; called often.
    pub stop: &'a (dyn Fn() -> Option<StopReason> + Sync),
}

/// A `[[study]]` of a case file: a table, a CSV file and a figure; or a map, a scan, a region.
#[enum_dispatch(StudyKeys)]
#[derive(Debug, Clone, Deserialize, JsonSchema, IntoStaticStr, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[schemars(extend("type" = "object", "unevaluatedProperties" = false))]
#[strum(serialize_all = "snake_case")]
pub(crate) enum StudyTable {
    Convergence(LadderStudy<convergence::ConvergenceStudy>),
    WorkPrecision(LadderStudy<work_precision::WorkPrecisionStudy>),
    Drift(LadderStudy<drift::DriftStudy>),
    Reversibility(LadderStudy<reversibility::ReversibilityStudy>),
    SymplecticDefect(LadderStudy<symplectic_defect::SymplecticDefectStudy>),
    Orthogonality(LadderStudy<orthogonality::OrthogonalityStudy>),
    RoundOff(round_off::RoundOffTable),
    Ensemble(ensemble::EnsembleTable),
    ConingDrift(coning_drift::ConingDriftTable),
    EscapeMap(escape_map::EscapeMapTable),
    SpinScan(spin_scan::SpinScanTable),
    StabilityRegion(stability_region::StabilityRegionTable),
}

/// The keys of a study in a case file.
#[enum_dispatch]
pub(crate) trait StudyKeys {
    /// Returns whether the study looks at the runs of its case.
    fn needs_runs(&self) -> bool {
        false
    }
    /// Returns the study that the keys ask for beside their case; the reader collects what is wrong with them.
    fn study(self, reader: &mut TableReader) -> Option<Box<dyn Study>>;
}

/// A table of a study beside the case it stands in.
pub(crate) struct TableReader<'a, 'f> {
    /// Its key, such as `study[1]`.
    key: String,
    problem: &'a Problem,
    /// Things to know that are no errors.
    warnings: &'a mut Vec<String>,
    faults: &'a mut Faults<'f>,
}

impl<'a> TableReader<'a, '_> {
    /// Returns the full name of a key of the table.
    fn at(&self, key: &str) -> String {
        format!("{}.{key}", self.key)
    }
    /// Adds a fault at a key of the table.
    fn fault(&mut self, key: &str, found: impl Into<String>, allowed: impl Into<String>) {
        self.faults.add(&self.at(key), found, allowed);
    }

    /// Adds a fault if a number is not greater than 0.
    fn positive(&mut self, key: &str, x: f64, allowed: &str) {
        if !(x > 0.0) {
            self.fault(key, format!("found {}", short(x)), allowed);
        }
    }

    /// Returns a plan of each scheme that the key `schemes` selects, in the order of the case.
    fn schemes(&mut self, selectors: Option<&[SchemeSelector]>) -> Vec<&'a RunPlan> {
        let all: Vec<&RunPlan> = self.problem.plans.iter().collect();
        selection::fit(selectors, &self.at("schemes"), &all, self.faults);
        let asked = all.into_iter();
        let asked = asked.filter(|plan| selects(selectors, &plan.scheme, &plan.scheme_name));
        let by_label = grouped(asked.map(|plan| (&*plan.scheme, plan)));
        by_label.into_iter().map(|(_, plans)| plans[0]).collect()
    }
}

/// The studies of a case that has neither checks nor studies of its own: of each group, the first that the case serves.
const BY_DEFAULT: [&[&str]; 2] = [
    &["kind = 'convergence'", "kind = 'work_precision'"],
    &["kind = 'drift'"],
];

/// Returns studies that show the errors, orders and drifts of a case without checks, as far as the case serves them.
pub(crate) fn by_default(problem: &Problem) -> Vec<Box<dyn Study>> {
    let served = |keys: &&str| {
        let (table, doc) = TomlDocument::read::<StudyTable>("", keys).ok()?;
        let mut faults = Faults::new(&doc);
        let study = table.study(&mut TableReader {
            key: String::new(),
            problem,
            warnings: &mut Vec::new(),
            faults: &mut faults,
        });
        study.filter(|_| faults.is_empty())
    };
    let groups = BY_DEFAULT.iter();
    groups
        .filter_map(|group| group.iter().find_map(served))
        .collect()
}

/// Returns the studies that a case asks for, and collects what is wrong with them.
pub(crate) fn read(
    tables: &[StudyTable],
    problem: &mut Problem,
    faults: &mut Faults,
) -> Vec<Box<dyn Study>> {
    let mut out: Vec<Box<dyn Study>> = Vec::new();
    let mut warnings = Vec::new();
    for (i, table) in tables.iter().enumerate() {
        let mut reader = TableReader {
            key: format!("study[{i}]"),
            problem,
            warnings: &mut warnings,
            faults,
        };
        let Some(study) = table.clone().study(&mut reader) else {
            continue;
        };
        debug_assert_eq!(study.kind(), <&str>::from(table));
        let is_taken = |name: &&str| out.iter().any(|s| s.name() == Some(name));
        if let Some(name) = study.name().filter(is_taken) {
            let found = format!("the name `{name}` is used twice");
            reader.fault("name", found, "a name of its own for each study");
        } else if out.iter().any(|s| s.stem() == study.stem()) {
            faults.add(
                &format!("study[{i}]"),
                "this study is asked for twice; its files would overwrite each other",
                "each kind once for a quantity",
            );
            continue;
        }
        out.push(study);
    }
    problem.warnings.append(&mut warnings);
    out
}
