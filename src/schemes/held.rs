//! A rotation scheme on a held body: it turns the body about its joint, with the inertia about it.
//!
//! Position, velocity and the force of the joint follow from attitude and rate. Without a joint the
//! centre of mass moves on its parabola, exactly but for rounding.

use super::scheme::{Effort, RotationScheme, Scheme, StepFail};
use crate::models::{Held, HeldState};

impl<S: RotationScheme> Scheme<Held> for S {
    type Memory = S::Memory;

    fn covers(&self, p: &Held, h: f64) -> Result<(), String> {
        Scheme::covers(self, p.top(), h)
    }

    fn start(&self, p: &Held, t: f64, h: f64, y: &mut HeldState) -> Result<S::Memory, StepFail> {
        RotationScheme::start(self, p.top(), t, h, &mut y.rotation)
    }

    #[inline]
    fn step(
        &self,
        p: &Held,
        t: f64,
        h: f64,
        y: &mut HeldState,
        m: &mut S::Memory,
    ) -> Result<Effort, StepFail> {
        let effort = RotationScheme::step(self, p.top(), t, h, &mut y.rotation, m)?;
        let kick = p.load() * (h / p.mass());
        let position = y.position + (y.velocity + kick * 0.5) * h;
        *y = p.placed(y.rotation, position, y.velocity + kick);
        y.iterations = effort.iterations;
        Ok(effort)
    }
}
