//! The scheme itself: start, step, and what it covers.

use super::eliminate::correct;
use super::form::{Configuration, Form, Iterate, StepMemory};
use super::inertial::Inertial;
use super::material::{R3xSo3, Se3};
use super::parameters::{Formulation, GenAlpha, Index, StartRule};
use super::stabilised::stabilised;
use super::start::{multipliers, start};
use super::twist::Twist;
use crate::math::Vec3;
use crate::models::{JointedBody, JointedState, RotState};
use crate::schemes::coverage::{NotCovered, Note};
use crate::schemes::scheme::{Effort, Scheme, StepFail, WayOut};

impl Scheme<JointedBody> for GenAlpha {
    type Memory = StepMemory;

    fn covers(&self, p: &JointedBody, _: f64) -> Result<(), NotCovered> {
        if self.unusable(p) && !self.allow_unusable {
            return Err(NotCovered::UndampedMultipliers);
        }
        if self.atol == 0.0 && self.rtol == 0.0 {
            return Err(NotCovered::NoTolerance);
        }
        if self.start == StartRule::AsGiven && p.given().is_none() {
            return Err(NotCovered::NothingGiven);
        }
        Ok(())
    }

    fn notes(&self, p: &JointedBody, h: f64) -> Vec<Note> {
        let mut notes = Vec::new();
        if self.unusable(p) {
            notes.push(Note::UndampedMultipliers);
        }
        if let (StartRule::AsGiven, Some(found)) = (self.start, p.inconsistency()) {
            let [turn, push, speed] = found.sizes();
            notes.push(Note::Inconsistent(found));
            if turn > 0.0 || push > 0.0 {
                notes.push(Note::WrongAccelerations {
                    step: h,
                    rate: 0.5 * h.abs() * turn,
                    velocity: 0.5 * h.abs() * push,
                });
            }
            if speed > 0.0 {
                notes.push(Note::WrongVelocity);
            }
        }
        notes
    }

    /// The multipliers of the first steps ring at index 3: the velocity of the run is a little off the hidden constraint.
    fn restarts(&self, p: &JointedBody) -> bool {
        self.index == Index::Two || p.lever().is_none()
    }

    fn starts_as_given(&self) -> bool {
        self.start == StartRule::AsGiven
    }

    fn start(
        &self,
        p: &JointedBody,
        _: f64,
        h: f64,
        y: &mut JointedState,
    ) -> Result<StepMemory, StepFail> {
        match self.formulation {
            Formulation::Inertial => start::<Inertial>(self, p, h, y),
            Formulation::R3xso3 => start::<R3xSo3>(self, p, h, y),
            Formulation::Se3 => start::<Se3>(self, p, h, y),
        }
    }

    #[inline]
    fn step(
        &self,
        p: &JointedBody,
        _: f64,
        h: f64,
        y: &mut JointedState,
        m: &mut StepMemory,
    ) -> Result<Effort, StepFail> {
        let stabilise = self.index == Index::Two && p.lever().is_some();
        match (self.formulation, stabilise) {
            (Formulation::Inertial, false) => step::<Inertial>(self, p, h, y, m),
            (Formulation::R3xso3, false) => step::<R3xSo3>(self, p, h, y, m),
            (Formulation::Se3, false) => step::<Se3>(self, p, h, y, m),
            (Formulation::Inertial, true) => stabilised::<Inertial>(self, p, h, y, m),
            (Formulation::R3xso3, true) => stabilised::<R3xSo3>(self, p, h, y, m),
            (Formulation::Se3, true) => stabilised::<Se3>(self, p, h, y, m),
        }
    }
}

impl GenAlpha {
    fn unusable(&self, p: &JointedBody) -> bool {
        self.rho_inf >= 1.0 && self.index == Index::Three && p.lever().is_some()
    }

    /// Returns the remedy for a failure of Newton's method.
    fn way_out(&self, p: &JointedBody) -> WayOut {
        if self.unusable(p) {
            WayOut::SpectralRadius
        } else if self.formulation != Formulation::Inertial {
            WayOut::ShorterStepOrInertial
        } else {
            WayOut::ShorterStep
        }
    }

    pub(super) fn stalled(&self, p: &JointedBody, iterations: u32, norm: f64) -> StepFail {
        StepFail::CorrectionTooLarge {
            iterations,
            norm,
            target: 1.0,
            way_out: self.way_out(p),
        }
    }
}

/// Returns `Σ (Δ_i/(atol + rtol |x_i|))²`.
#[inline(always)]
pub(super) fn weighed(d: &Vec3, x: &Vec3, atol: f64, rtol: f64) -> f64 {
    let part = |d: f64, x: f64| d / (atol + rtol * x.abs());
    let e = Vec3::new(part(d.x, x.x), part(d.y, x.y), part(d.z, x.z));
    e.norm_squared()
}

/// Returns the first iterate of Newton's method, v̇' = 0 and λ' = 0, and a' there.
#[inline(always)]
pub(super) fn predict(h: f64, m: &StepMemory) -> (Iterate, Twist) {
    let k = &m.k;
    let a1 = m
        .vdot
        .times(k.alpha_f)
        .plus(&m.a, -k.alpha_m)
        .times(1.0 / (1.0 - k.alpha_m));
    let at = Iterate {
        dq: m
            .v
            .plus(&m.a, h * (0.5 - k.beta))
            .plus(&a1, h * k.beta)
            .times(h),
        v: m.v.plus(&m.a, h * (1.0 - k.gamma)).plus(&a1, h * k.gamma),
        vdot: Twist::default(),
        lambda: Vec3::zeros(),
    };
    (at, a1)
}

/// Writes the state and the memory after Newton's method.
#[inline(always)]
pub(super) fn accept<F: Form>(
    place: &Configuration,
    at: &Iterate,
    a1: &Twist,
    iterations: u32,
    y: &mut JointedState,
    m: &mut StepMemory,
) -> Effort {
    let (velocity, omega) = F::state(&place.att, &at.v);
    *y = JointedState {
        rotation: RotState {
            att: place.att,
            omega,
        },
        position: place.x,
        velocity,
        joint_force: F::joint_force(&place.att, &at.lambda),
        multipliers: multipliers::<F>(&at.lambda),
        iterations,
    };
    m.v = at.v;
    m.vdot = at.vdot;
    m.a = a1.plus(&at.vdot, (1.0 - m.k.alpha_f) / (1.0 - m.k.alpha_m));
    Effort::new(iterations, iterations)
}

/// Makes a step at index 3.
#[inline(always)]
fn step<F: Form>(
    scheme: &GenAlpha,
    p: &JointedBody,
    h: f64,
    y: &mut JointedState,
    m: &mut StepMemory,
) -> Result<Effort, StepFail> {
    let from = Configuration::of(y);
    let joint = p.lever().is_some();
    let unknowns = if joint { F::UNKNOWNS } else { 6.0 };
    let (mut at, a1) = predict(h, m);
    let (atol, rtol) = (scheme.atol, scheme.rtol);
    let mut iterations = 0;
    loop {
        let l = F::linear(p, m, &from, &at);
        let (d, lambda) = correct::<F>(&l, p.mass(), &m.k, &at.dq.w, joint)
            .ok_or(StepFail::Singular { iterations })?;
        iterations += 1;
        let mut sum = weighed(&d.u, &at.dq.u, atol, rtol) + weighed(&d.w, &at.dq.w, atol, rtol);
        if joint {
            sum += F::COPIES * weighed(&lambda, &at.lambda, m.atol_lambda, rtol);
        }
        let norm = (sum / unknowns).sqrt();
        at.correct(&d, &d, lambda, &m.k);
        if norm <= 1.0 {
            let place = F::moved(&from, &at.dq);
            return Ok(accept::<F>(&place, &at, &a1, iterations, y, m));
        }
        // The test is written so that a NaN fails.
        if !(norm < f64::INFINITY) || iterations >= scheme.max_iterations {
            return Err(scheme.stalled(p, iterations, norm));
        }
    }
}
