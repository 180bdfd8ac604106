//! What is to be run: a case file with its tolerance file, validated and resolved.

use super::map_plan::MapPlan;
use super::survey_plan::SurveyPlan;
use crate::analysis::{Baseline, CheckSpec, Measure, Selection, Study, Topic};
use crate::drive::{EventSpec, Experiment, Grid};
use crate::models::Model;
use crate::reference::{LEAST_NUMERICAL_ERROR, RowReference};
use std::sync::Arc;

/// One integration to make.
#[derive(Clone)]
pub struct Job {
    /// Scheme label.
    pub scheme: String,
    /// Name of the scheme in the registry.
    pub scheme_name: String,
    /// Step as the case writes it.
    pub step: String,
    /// Times and samples.
    pub grid: Grid,
    /// Problem and scheme.
    pub experiment: Arc<dyn Experiment>,
}

/// What the runs of a case are compared with.
#[derive(Default)]
pub enum ReferencePlan {
    /// Nothing.
    #[default]
    None,
    /// Ready: a closed form.
    Ready(Box<dyn RowReference>),
    /// To be computed, over this span.
    Numerical {
        /// The body.
        model: Box<Model>,
        /// Start, s.
        start: f64,
        /// End of the longest run, s.
        end: f64,
    },
}

impl ReferencePlan {
    /// What the error of a quantity at time `t` cannot be below; known before anything is computed.
    pub fn least_error(&self, t: f64, quantity: &str) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Ready(reference) => reference.error(t, quantity),
            Self::Numerical { .. } if quantity == "attitude" => LEAST_NUMERICAL_ERROR,
            Self::Numerical { .. } => 0.0,
        }
    }
}

/// How runs are spread over figures.
pub use super::file::OnePer;

/// A figure to draw.
#[derive(Debug, Clone, PartialEq)]
pub struct FigurePlan {
    /// What is drawn.
    pub kind: FigureKind,
    /// Column or group.
    pub quantity: String,
    /// Name of the quantity on the axis.
    pub label: String,
    /// Unit of the quantity.
    pub unit: String,
    /// How runs are spread over figures.
    pub one_per: OnePer,
    /// The runs drawn.
    pub runs: Selection,
}

/// Kinds of figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureKind {
    /// A column against time.
    History,
    /// Distance from the reference against time.
    Error,
}

/// A case ready to run.
pub struct CasePlan {
    /// Short name: the file's stem.
    pub name: String,
    /// Where the case was read, as given by the user; built-in cases say so.
    pub origin: String,
    /// Title.
    pub title: String,
    /// Summary.
    pub summary: String,
    /// Sources.
    pub references: Vec<String>,
    /// SHA-256 of the case file's text.
    pub hash: String,
    /// End of the runs as the case asks for it, s; their last step may lie beyond.
    pub end: Option<f64>,
    /// All integrations, in the order of the case.
    pub jobs: Vec<Job>,
    /// The body, its torque and its start.
    pub model: Model,
    /// Events to look for.
    pub events: Vec<EventSpec>,
    /// What the runs are compared with.
    pub reference: ReferencePlan,
    /// Figures.
    pub figures: Vec<FigurePlan>,
    /// Studies.
    pub studies: Vec<Study>,
    /// Escape maps.
    pub maps: Vec<MapPlan>,
    /// Spin scans and stability regions.
    pub surveys: Vec<SurveyPlan>,
    /// Checks; empty only where that was asked for.
    pub checks: Vec<CheckSpec>,
    /// Blessed histories.
    pub baseline: Option<Baseline>,
    /// Things to know that are no errors.
    pub warnings: Vec<String>,
}

/// What is to be found on the step map of a run, beside its history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// There and back.
    pub back: bool,
    /// The symplectic defect.
    pub symplectic_defect: bool,
    /// The time of the bare steps.
    pub seconds: bool,
}

impl CasePlan {
    /// What the checks and studies want to know of a run.
    pub fn wanted(&self, job: &Job) -> Wanted {
        let (scheme, h) = (job.scheme.as_str(), job.grid.h);
        let check = |which: fn(&Measure) -> bool| {
            let mut all = self.checks.iter();
            all.any(|c| which(&c.measure) && c.runs.takes(scheme, h))
        };
        let study = |which: fn(&Study) -> bool| {
            let mut all = self.studies.iter();
            all.any(|s| which(s) && s.runs.takes(scheme, h))
        };
        Wanted {
            back: check(|m| matches!(m, Measure::Reversibility { .. }))
                || study(|s| matches!(s.what, Topic::Reversibility { .. })),
            symplectic_defect: check(|m| matches!(m, Measure::SymplecticDefect {}))
                || study(|s| matches!(s.what, Topic::SymplecticDefect {})),
            seconds: study(Study::is_timed),
        }
    }
}

/// Texts a case is made of.
#[derive(Debug, Clone)]
pub struct CaseSource {
    /// Short name.
    pub name: String,
    /// Path of the case file, as the user gave it.
    pub case_path: String,
    /// Its text.
    pub case_text: String,
    /// Path and text of the tolerance file, if there is one.
    pub expected: Option<(String, String)>,
    /// Path and text of the baseline, if there is one.
    pub baseline: Option<(String, String)>,
}
