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
pub use ladder::{LadderTable, Line, Point};
pub use tiled::{TileFolders, TilePlace, Tiled, TilesRefused, Zoomable};

use crate::check::{Context, Needs, Selection, StudyNames};
use enum_dispatch::enum_dispatch;
use ladder::LadderStudy;
use schemars::JsonSchema;
use serde::Deserialize;
use std::fmt::Debug;
use strict_toml::Faults;
use strum::{IntoStaticStr, VariantNames};
use tiles::CellProgress;
use topsim_case::{Job, Problem};
use topsim_core::integration::StopReason;
use topsim_levitron::kernel::Width;

/// A study of a case.
pub trait Study: Debug + Send + Sync {
    /// Name of its kind in case files.
    fn kind(&self) -> &'static str;
    /// Stem of its files, one of its own in each case.
    fn stem(&self) -> String;
    /// The names by which checks ask for its numbers, where they can.
    fn names(&self) -> Option<StudyNames> {
        None
    }
    /// The name by which checks ask for it.
    fn name(&self) -> Option<String> {
        self.names().map(|names| names.study)
    }
    /// Returns what it requires of the step map of the run that a job makes.
    fn needs(&self, _: &Job) -> Needs<'_> {
        Needs::default()
    }
    /// The runs of the case that it looks at; `None` where it makes its own.
    fn selection(&self) -> Option<&Selection> {
        None
    }
    /// How much it will compute beyond the runs, in one line; empty where that is nothing.
    fn extent(&self) -> String {
        String::new()
    }
    /// Its side that can be shared between machines and interrupted, where it has one.
    fn tiled(&self) -> Option<&dyn Tiled> {
        None
    }
    /// Makes the study, on the threads of the current pool.
    fn make(&self, input: &StudyInput) -> Finding;
}

/// A closer look at a plane.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Zoom {
    /// From and to across, from and to along.
    pub window: Option<[f64; 4]>,
    /// Columns and rows.
    pub size: Option<[u32; 2]>,
    /// Which instructions compute it, whatever they are: the results are the same.
    pub simd: Option<Width>,
}

impl Zoom {
    /// Whether it shows anything else.
    pub fn is_another_map(&self) -> bool {
        self.window.is_some() || self.size.is_some()
    }
}

/// What a study works on.
pub struct StudyInput<'a> {
    /// Title of the case.
    pub title: &'a str,
    /// The runs of the case with their reference.
    pub runs: &'a Context<'a>,
    /// Where tiles are kept; nowhere without it.
    pub place: Option<TilePlace<'a>>,
    /// Who watches.
    pub progress: &'a dyn CellProgress,
    /// Asked often whether to stop, and why.
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

impl TableReader<'_, '_> {
    /// A key of the table.
    fn at(&self, key: &str) -> String {
        format!("{}.{key}", self.key)
    }
    /// A fault at a key of the table.
    fn fault(&mut self, key: &str, found: impl Into<String>, allowed: impl Into<String>) {
        self.faults.add(&self.at(key), found, allowed);
    }
}

/// Studies as the case asks for them, and what is wrong with them.
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
        let name = study.name();
        if let Some(name) = name.filter(|n| out.iter().any(|s| s.name().as_ref() == Some(n))) {
            faults.add(
                &format!("study[{i}].name"),
                format!("the name `{name}` is used twice"),
                "a name of its own for each study",
            );
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
