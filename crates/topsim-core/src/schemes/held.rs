//! A rotation scheme on a held body: it turns the body about its joint, with the inertia about it.
//!
//! Position, velocity and the force of the joint follow from attitude and rate. Without a joint the
//! centre of mass moves on its parabola, exactly but for rounding.

use super::coverage::NotCovered;
use super::scheme::{Effort, RotationScheme, Scheme, StepFail};
use crate::models::{Held, HeldState};

impl<S: RotationScheme> Scheme<Held> for S {
    type Memory = S::Memory;

    fn covers(&self, p: &Held, h: f64) -> Result<(), NotCovered> {
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

#[cfg(test)]
mod tests {
    use crate::models::Problem;
    use crate::models::bodies;
    use crate::schemes::testbed::held::run;
    use crate::schemes::{RigNeg, probe};

    #[test]
    fn the_rotation_is_that_of_the_body_about_its_joint_and_the_rest_follows() {
        for held in [bodies::held_a(), bodies::driven_a(), bodies::thrown_a()] {
            let y = run(&RigNeg {}, &held, 1.0, 20);
            let mut z = held.top().initial();
            probe::advance(&RigNeg {}, held.top(), (0.0, 0.05, 20), &mut z, &|| true).unwrap();
            assert_eq!(y.rotation, z);
            let (phi, phi_dot) = held.constraint(&y);
            assert_eq!((phi.norm(), phi_dot.norm()), (0.0, 0.0));
            if held.lever().is_none() {
                let start = held.initial();
                let push = held.load() / held.mass();
                // Rounding of 20 steps.
                let x = start.position + start.velocity + push * 0.5;
                assert!((y.position - x).norm() < 1e-14);
                assert!((y.velocity - start.velocity - push).norm() < 1e-14);
            }
        }
    }
}
