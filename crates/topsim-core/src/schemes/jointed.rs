//! A rotation scheme on a jointed body: it turns the body about its joint, with the inertia about it.
//!
//! Position, velocity and the force of the joint follow from attitude and rate. Without a joint the
//! centre of mass moves on its parabola, exactly but for rounding.

use super::coverage::NotCovered;
use super::scheme::{Effort, RotationScheme, Scheme, StepFail};
use crate::models::{JointedBody, JointedState, Torque};

impl<S: RotationScheme, T: Torque> Scheme<JointedBody<T>> for S {
    type Memory = S::Memory;

    fn covers(&self, p: &JointedBody<T>, h: f64) -> Result<(), NotCovered> {
        Scheme::covers(self, p.top(), h)
    }

    fn start(
        &self,
        p: &JointedBody<T>,
        t: f64,
        h: f64,
        y: &mut JointedState,
    ) -> Result<S::Memory, StepFail> {
        Scheme::start(self, p.top(), t, h, &mut y.rotation)
    }

    #[inline]
    fn step(
        &self,
        p: &JointedBody<T>,
        t: f64,
        h: f64,
        y: &mut JointedState,
        m: &mut S::Memory,
    ) -> Result<Effort, StepFail> {
        let effort = Scheme::step(self, p.top(), t, h, &mut y.rotation, m)?;
        if p.lever().is_some() {
            *y = p.place_on_joint(y.rotation);
        } else {
            let kick = p.kick(h);
            y.position += (y.velocity + kick * 0.5) * h;
            y.velocity += kick;
        }
        y.iterations = effort.iterations;
        Ok(effort)
    }
}

#[cfg(test)]
mod tests {
    use crate::models::InitialValueProblem;
    use crate::models::bodies;
    use crate::schemes::testbed::jointed::run;
    use crate::schemes::{RigNeg, steps};

    #[test]
    fn the_rotation_is_that_of_the_body_about_its_joint_and_the_rest_follows() {
        for jointed in [bodies::jointed_a(), bodies::driven_a(), bodies::thrown_a()] {
            let y = run(&RigNeg {}, &jointed, 1.0, 20);
            let mut z = jointed.top().initial();
            steps::advance(&RigNeg {}, jointed.top(), (0.0, 0.05, 20), &mut z, &|| true).unwrap();
            assert_eq!(y.rotation, z);
            let (phi, phi_dot) = jointed.constraint(&y);
            assert_eq!((phi.norm(), phi_dot.norm()), (0.0, 0.0));
            if jointed.lever().is_none() {
                let start = jointed.initial();
                let push = jointed.load() / jointed.mass();
                // The bound is the rounding of 20 steps.
                let x = start.position + start.velocity + push * 0.5;
                assert!((y.position - x).norm() < 1e-14);
                assert!((y.velocity - start.velocity - push).norm() < 1e-14);
            }
        }
    }

    #[test]
    fn the_centre_of_mass_of_a_tossed_book_stays_on_its_parabola() {
        let book = bodies::tossed_book();
        let (mut y, mut z) = (book.initial(), book.top().initial());
        let (start, g) = (book.initial(), book.gravity());
        // The law of the centre of mass does not depend on the step, so a far too long one serves as well.
        steps::advance(&RigNeg {}, &book, (0.0, 0.25, 8), &mut y, &|| true).unwrap();
        steps::advance(&RigNeg {}, book.top(), (0.0, 0.25, 8), &mut z, &|| true).unwrap();
        assert_eq!(y.rotation, z);
        let t = 2.0;
        let x = start.position + start.velocity * t + g * (0.5 * t * t);
        let v = start.velocity + g * t;
        // n ε |x|
        assert!((y.position - x).norm() < 8.0 * f64::EPSILON * 20.0);
        assert!((y.velocity - v).norm() < 8.0 * f64::EPSILON * 20.0);
    }
}
