//! Data of what the rows of a solver show, or its steps under the torque of a case.

use topsim_model::defect::{ModelDefect, SchemeDefect};
use topsim_model::probe::Start;
use topsim_model::{Change, Found, Model, Observed, Stepping};

/// A law that explains rows.
#[derive(Debug, Clone)]
pub(crate) struct LawOfRows {
    pub defect: ModelDefect,
    pub law: Vec<Change>,
    pub body: Start,
    /// True if other changes of the law are claims of their own.
    pub shared: bool,
    pub by: LawEvidence,
    /// Defects that explain as much.
    pub rivals: Vec<ModelDefect>,
}

/// Evidence of rows for a law.
#[derive(Debug, Clone)]
pub(crate) enum LawEvidence {
    /// With a rule it gives each row from the one before.
    Rule(GivenRows),
    /// Parts of the change from row to row that its motion and the right one leave, coarse to fine.
    Motion { left: Vec<f64>, right: Vec<f64> },
}

/// Rows that a rule gives with a change of its model.
#[derive(Debug, Clone)]
pub(crate) struct GivenRows {
    pub stepping: Box<Stepping>,
    pub explained: usize,
    /// Number of those of which rounding leaves something to tell.
    pub informative: usize,
    /// Largest miss of the same rule without the change, relative, where it can be told: a limit acts on few rows.
    pub without: Option<f64>,
}

impl GivenRows {
    /// Returns what a model gives, beside its rule with the right law.
    pub fn new(found: &Found, observed: &Observed) -> Self {
        let right = Model {
            law: Vec::new(),
            habit: Default::default(),
            ..found.model.clone()
        };
        let equations = right.equations(&observed.body);
        let all = observed.intervals.iter();
        let missed = all.filter_map(|i| observed.miss(&right, &equations, i));
        Self {
            stepping: Box::new(found.model.stepping),
            explained: found.evidence.explained,
            informative: found.evidence.informative,
            without: missed.map(|r| r.size).reduce(f64::max),
        }
    }
}

/// Torques that act for the one of a case.
#[derive(Debug, Clone)]
pub(crate) enum ActingTorque {
    None,
    Times {
        factor: f64,
        error: f64,
    },
    /// Its components in another frame, with the other sign if `reversed`.
    OtherFrame {
        frame: &'static str,
        reversed: bool,
    },
    /// Terms with fitted factors.
    Terms(TorqueForm, Vec<f64>),
    Unknown,
}

/// Forms of a torque of terms that a solver may have for the one of its case.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TorqueForm {
    /// One of J W, W and diag(J) W.
    Linear(usize),
    /// The same, and one of these times the size of another.
    Quadratic(usize, usize),
    /// A rotor whose momentum, or its change, is taken for one in space.
    Rotor([bool; 2]),
    /// That of a time that is later by the second factor, s.
    Later,
    Backwards,
    Frozen,
    /// That of the time since the start of the run.
    SinceStart,
    /// That with angles, or angular frequencies, or both, multiplied by a factor.
    OtherUnit {
        numbers: &'static str,
        factor: f64,
    },
}

/// Torques of another time, which make a rule of first order.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LateTorque {
    AttitudeOfStart,
    OnceAStep,
    MeanOfStart,
    /// That of so many steps before the step begins.
    Before(f64),
    /// That of an end of the step, held over it: a rule of the second order may do so.
    HeldStart,
    HeldEnd,
    Unknown,
}

impl LateTorque {
    pub fn defect(self) -> SchemeDefect {
        match self {
            Self::AttitudeOfStart => SchemeDefect::OrderLost,
            _ => SchemeDefect::TorqueTime,
        }
    }
}
