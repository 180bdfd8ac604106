//! Accelerations of a jointed body and their derivatives, and the residual of given initial accelerations.

use super::JointedBody;
use crate::math::{Vec3, so3};
use crate::models::{Frame, InitialValueProblem, RotState, Torque};

/// Initial accelerations and velocity given by a case; those that are missing are consistent.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GivenStart {
    /// Angular acceleration ω̇, rad/s², space frame.
    pub angular_acceleration: Option<Vec3>,
    /// Acceleration of the centre of mass, m/s², space frame.
    pub acceleration: Option<Vec3>,
    /// Velocity of the centre of mass, m/s, space frame.
    pub velocity: Option<Vec3>,
}

impl GivenStart {
    /// Start with accelerations of zero.
    pub const REST: Self = Self {
        angular_acceleration: Some(Vec3::new(0.0, 0.0, 0.0)),
        acceleration: Some(Vec3::new(0.0, 0.0, 0.0)),
        velocity: None,
    };
}

/// Accelerations that satisfy the equations of motion and the constraint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accelerations {
    /// Angular acceleration Ẇ, rad/s², body frame.
    pub spin: Vec3,
    /// Acceleration ẍ of the centre of mass, m/s², space frame.
    pub acceleration: Vec3,
}

/// Given start compared with the consistent one. A scheme started from it carries the residual along.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inconsistency {
    /// Given and consistent ω̇, rad/s², space frame.
    pub angular_acceleration: [Vec3; 2],
    /// Given and consistent ẍ, m/s², space frame.
    pub acceleration: [Vec3; 2],
    /// Given and consistent ẋ, m/s, space frame.
    pub velocity: [Vec3; 2],
}

impl Inconsistency {
    /// Sizes of the residuals of ω̇ (rad/s²), ẍ (m/s²) and ẋ (m/s).
    pub fn sizes(&self) -> [f64; 3] {
        [self.angular_acceleration, self.acceleration, self.velocity]
            .map(|[given, right]| (given - right).norm())
    }
}

impl core::fmt::Display for Inconsistency {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        // Six digits are enough for a comparison by eye.
        let digits = |x: f64| format!("{x:.5e}").parse::<f64>().unwrap_or(x);
        let show = |v: &Vec3| format!("({}, {}, {})", digits(v.x), digits(v.y), digits(v.z));
        let parts = [
            ("angular acceleration", "rad/s²", self.angular_acceleration),
            ("acceleration", "m/s²", self.acceleration),
            ("velocity", "m/s", self.velocity),
        ];
        f.write_str("consistency residual of the given start:")?;
        if self.sizes() == [0.0; 3] {
            return f.write_str(" none");
        }
        let mut first = true;
        for ((what, unit, [given, right]), size) in parts.iter().zip(self.sizes()) {
            if size > 0.0 {
                let comma = if first { "" } else { ";" };
                write!(
                    f,
                    "{comma} {what} given {}, consistent {}, off by {} {unit}",
                    show(given),
                    show(right),
                    digits(size)
                )?;
                first = false;
            }
        }
        Ok(())
    }
}

impl<T: Torque> JointedBody<T> {
    /// Returns the consistent accelerations: `J̄ Ẇ = J̄W × W + T`; with a joint `ẍ = R (Ẇ × x + W × (W × x))`,
    /// without one `ẍ = g + f/m`.
    #[inline]
    pub fn rates(&self, y: &RotState) -> Accelerations {
        let top = self.top();
        let w = &y.omega;
        // No torque of a jointed body depends on time.
        let torque = top.torque_body(0.0, &y.att);
        let spin = top.acceleration(w, &torque);
        let acceleration = match self.lever() {
            Some(x) => y.att * (spin.cross(x) + w.cross(&w.cross(x))),
            None => self.load() / self.mass(),
        };
        Accelerations { spin, acceleration }
    }

    /// Sizes of the terms that add up to the consistent ω̇ (rad/s²), ẍ (m/s²) and ẋ (m/s) at the start.
    pub fn term_sizes(&self) -> [f64; 3] {
        let w = self.initial().rotation.omega.norm();
        let inertia = self.top().inertia();
        let arm = self.lever().map_or(0.0, Vec3::norm);
        let torque = self.torque().torque.norm() + arm * self.load().norm();
        let gyroscopic = inertia.moments().max() * w * w;
        let turn = (torque + gyroscopic) / inertia.moments().min();
        let push = arm * (turn + w * w) + self.load().norm() / self.mass();
        [turn, push, arm * w]
    }

    /// Returns the second derivative Ẅ (body frame, rad/s³) and third derivative of the centre of mass (space frame,
    /// m/s³), given the accelerations `rates`: the equations of [`JointedBody::rates`] differentiated once.
    pub fn jerk(&self, y: &RotState, rates: &Accelerations) -> (Vec3, Vec3) {
        let (w, spin) = (&y.omega, &rates.spin);
        let inertia = self.top().inertia();
        // A vector fixed in space has the derivative v̇ = v × W in the body frame.
        let turning = |v: &Vec3| so3::to_body(&y.att, v).cross(w);
        let driven = match self.torque().frame {
            Frame::Body => Vec3::zeros(),
            Frame::Space => turning(&self.torque().torque),
        };
        let torque_rate = match self.lever() {
            Some(x) => driven + x.cross(&turning(self.load())),
            None => driven,
        };
        let momentum_rate =
            inertia.times(spin).cross(w) + inertia.times(w).cross(spin) + torque_rate;
        let jerk = inertia.solve(&momentum_rate);
        let third = match self.lever() {
            Some(x) => {
                let speed = w.cross(x);
                let push = spin.cross(x) + w.cross(&speed);
                y.att
                    * (w.cross(&push)
                        + jerk.cross(x)
                        + spin.cross(&speed)
                        + w.cross(&spin.cross(x)))
            }
            None => Vec3::zeros(),
        };
        (jerk, third)
    }

    /// Compares the given start with the consistent one; `None` if the case gives none.
    pub fn inconsistency(&self) -> Option<Inconsistency> {
        let given = self.given()?;
        let y = self.initial();
        let rates = self.rates(&y.rotation);
        let turn = y.rotation.att * rates.spin;
        let beside = |given: Option<Vec3>, right: Vec3| [given.unwrap_or(right), right];
        Some(Inconsistency {
            angular_acceleration: beside(given.angular_acceleration, turn),
            acceleration: beside(given.acceleration, rates.acceleration),
            velocity: beside(given.velocity, y.velocity),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::bodies;

    /// Consistent ω̇0, ẍ0 and −F of the published top, computed independently of this code.
    #[test]
    fn consistent_accelerations_of_the_published_top() {
        let jointed = bodies::jointed_heavy_top();
        let y = jointed.initial();
        let rates = jointed.rates(&y.rotation);
        let spin = Vec3::new(661.346_169_230_769_2, 0.0, 0.0);
        assert!((rates.spin - spin).norm() < 1e-12 * spin.norm());
        let push = Vec3::new(0.0, -21.301_732_544_4, -30.960_830_769_230_8);
        // The values have ten decimals.
        assert!((rates.acceleration - push).norm() < 1e-10);
        let force = Vec3::new(0.0, -319.525_988, -317.262_462);
        // The values have six decimals.
        assert!((y.joint_force - force).norm() < 1e-6);
    }

    /// The derivatives are compared with central differences along the flow, on bodies without any symmetry.
    #[test]
    fn rates_of_the_accelerations_are_their_derivatives() {
        for jointed in [bodies::jointed_a(), bodies::driven_a(), bodies::thrown_a()] {
            let y = jointed.initial().rotation;
            let rates = jointed.rates(&y);
            let (jerk, third) = jointed.jerk(&y, &rates);
            let e = 1e-4;
            let at = |s: f64| {
                // The flow is expanded to third order in s; central differences cancel the rest.
                let turn = y.omega * s + rates.spin * (0.5 * s * s) + jerk * (s * s * s / 6.0)
                    - rates.spin.cross(&y.omega) * (s * s * s / 12.0);
                jointed.rates(&RotState {
                    att: y.att * so3::exp(&turn),
                    omega: y.omega + rates.spin * s + jerk * (0.5 * s * s),
                })
            };
            let (plus, minus) = (at(e), at(-e));
            let slope = (plus.spin - minus.spin) / (2.0 * e);
            // The error of the difference is e² times the fifth derivative, which is about 1e2.
            assert!((slope - jerk).norm() < 1e-6 * jerk.norm().max(1.0));
            let slope = (plus.acceleration - minus.acceleration) / (2.0 * e);
            assert!((slope - third).norm() < 1e-6 * third.norm().max(1.0));
        }
    }

    #[test]
    fn the_given_start_stands_beside_the_consistent_one() {
        let jointed = bodies::jointed_heavy_top();
        assert_eq!(jointed.inconsistency(), None);
        let published = bodies::published_start();
        let found = published.inconsistency().unwrap();
        let [turn, push, speed] = found.sizes();
        assert!((turn - (661.346_169_230_769_2 + 692.307)).abs() < 1e-9);
        assert!((push - libm::hypot(21.301_732_544_4, 30.306_830_769_230_8)).abs() < 1e-9);
        assert_eq!(speed, 0.0);
        assert!(found.to_string().contains("-692.307"), "{found}");
    }
}
