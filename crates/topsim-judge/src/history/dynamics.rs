//! Energy and momentum of a history, computed from its attitude and rate with the case's body.

use super::comparison::Worst;
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::math::{Mat3, Vec3};
use topsim_core::models::{
    Constant, Frame, GivenRate, Inertia, KeptMomentum, Model, Rate, RateModel, RigidTop, RotState,
    Start, Torque, TorqueModel,
};

/// The rotating body of a case.
#[derive(Debug, Clone)]
pub struct Body {
    inertia: Inertia,
    torque: TorqueModel,
    /// Attitude and rate at the start.
    pub initial: Start,
}

/// What of the spatial angular momentum is kept by the exact motion.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Momentum {
    /// All of it, with that of a rotor: no torque acts on the whole.
    Whole,
    /// Its component along gravity, with that of a rotor.
    Vertical,
}

/// How far a conserved quantity strays from its value in row 0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Drift {
    /// Largest and last deviation.
    #[serde(flatten)]
    pub size: Worst,
    /// Value in row 0: energy, or length of the momentum.
    pub first: f64,
    /// The largest kinetic energy, or momentum, of the case's motion; of the history where there is no reference.
    pub scale: f64,
}

/// Drift of the momentum.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct MomentumDrift {
    /// What of it is kept.
    pub kept: Momentum,
    /// How far it strays.
    #[serde(flatten)]
    pub drift: Drift,
}

impl Body {
    /// The rotating body of a model, unless it has none with an attitude.
    pub fn of(model: &Model) -> Option<Self> {
        Some(match model {
            Model::Top(top) => Self {
                inertia: top.inertia.clone(),
                torque: top.torque.clone(),
                initial: top.initial.clone(),
            },
            Model::Jointed(body) => Self {
                inertia: body.top().inertia().clone(),
                torque: body.top().torque().clone(),
                initial: body.top().start().clone(),
            },
            Model::Reduced(_) | Model::GivenRate(_) => return None,
        })
    }

    /// What stands for a body where the rate is given: a sphere under a torque that nobody asks for, so that nothing is kept.
    pub(crate) fn with_rate(given: &GivenRate<RateModel>, start: f64) -> Self {
        let inertia = Inertia::diagonal(Vec3::repeat(1.0)).expect("a sphere");
        let torque = Constant {
            torque: Vec3::zeros(),
            frame: Frame::Space,
        };
        let (att, omega) = (given.initial, given.rate.at(start));
        Self {
            inertia,
            torque: torque.into(),
            initial: RotState { att, omega }.into(),
        }
    }

    /// The body with its torque and start.
    pub fn top(&self) -> RigidTop<TorqueModel> {
        RigidTop::new(
            self.inertia.clone(),
            self.torque.clone(),
            self.initial.clone(),
        )
    }

    /// The same body from another start.
    pub fn starting(&self, initial: RotState) -> Self {
        Self {
            initial: initial.into(),
            ..self.clone()
        }
    }

    /// Whether the exact motion keeps H.
    pub fn keeps_energy(&self) -> bool {
        self.torque.is_conservative()
    }

    /// What the exact motion keeps of the momentum.
    pub fn keeps_momentum(&self) -> Option<Momentum> {
        match self.torque.kept_momentum() {
            KeptMomentum::Whole => Some(Momentum::Whole),
            KeptMomentum::Along(_) => Some(Momentum::Vertical),
            KeptMomentum::Nothing => None,
        }
    }

    /// H of the rotation, J.
    pub(crate) fn energy(&self, t: f64, att: &Mat3, omega: &Vec3) -> f64 {
        self.kinetic(t, omega) + self.torque.potential(att)
    }

    /// Of the inertia at that time.
    fn kinetic(&self, t: f64, omega: &Vec3) -> f64 {
        0.5 * omega.dot(&self.inertia.times(omega)) * self.torque.inertia_factor(t)
    }

    /// Kinetic energy, J, and length of the momentum, kg m²/s.
    pub(crate) fn scales(&self, t: f64, omega: &Vec3) -> [f64; 2] {
        let momentum = self.inertia.times(omega);
        let whole = self.torque.whole_momentum(t, momentum);
        [self.kinetic(t, omega), whole.norm()]
    }

    /// The spatial momentum along gravity, kg m²/s, with that of a rotor; zero without gravity.
    pub(crate) fn vertical(&self, t: f64, att: &Mat3, omega: &Vec3) -> f64 {
        match self.torque.kept_momentum() {
            KeptMomentum::Along(up) => up.dot(&self.spatial(t, att, omega)),
            _ => 0.0,
        }
    }

    fn spatial(&self, t: f64, att: &Mat3, omega: &Vec3) -> Vec3 {
        att * self.torque.whole_momentum(t, self.inertia.times(omega))
    }

    /// The part of the spatial momentum that is kept, with that of a rotor.
    pub(crate) fn momentum(&self, t: f64, att: &Mat3, omega: &Vec3) -> Vec3 {
        let pi = self.spatial(t, att, omega);
        match self.torque.kept_momentum() {
            KeptMomentum::Along(up) => up * up.dot(&pi),
            _ => pi,
        }
    }
}
