//! Habits that some steps have and others do not.

use crate::law::Equations;
use crate::rule::RunningRule;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::RotState;

/// A habit of some steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sometimes {
    /// Steps that have it.
    pub when: When,
    /// Action in these steps.
    pub what: What,
}

/// Steps that have a habit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum When {
    /// All.
    Always,
    /// Each of so many.
    Each(u64),
    /// Those that pass a multiple of a time, s.
    EachTime(f64),
    /// Those from a time on, s.
    From(f64),
    /// Those before a time, s.
    Until(f64),
    /// Those in which a measure is above a number.
    Above(Measure, f64),
    /// Those in which it is below.
    Below(Measure, f64),
}

/// Measure of a state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    /// |W|, rad/s.
    Rate,
    /// Largest |Wᵢ|, rad/s.
    Largest,
    /// |Wᵢ|, rad/s.
    Component(usize),
    /// |W| h, rad.
    Turn,
    /// Angle of the attitude, rad.
    Angle,
    /// Angle of an axis of the body over the horizontal plane, without its sign, rad.
    Pitch(usize),
}

/// Action in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum What {
    /// The gyroscopic term is left out.
    NoGyroscopicTerm,
    /// The torque is.
    NoTorque,
    /// The rate is multiplied by a number at the end.
    RateTimes(f64),
    /// Attitude and rate are set to those of the start.
    Restart,
    /// The attitude stays.
    AttitudeStays,
    /// The size of the change of the rate is cut off, rad/s.
    ChangeCutOff(f64),
    /// Components of the rate below this are set to zero, rad/s.
    ComponentsLost(f64),
    /// The rate is scaled where it gained energy, so that the energy stays.
    NoGain,
    /// The state is rounded to so many significant digits.
    Rounded(usize),
}

impl Measure {
    /// Returns its value at a state.
    pub fn of(self, att: &Mat3, w: &Vec3, h: f64) -> f64 {
        match self {
            Self::Rate => w.dot(w).sqrt(),
            Self::Largest => w.x.abs().max(w.y.abs()).max(w.z.abs()),
            Self::Component(i) => w[i].abs(),
            Self::Turn => w.dot(w).sqrt() * h,
            Self::Angle => so3::log(att).norm(),
            Self::Pitch(i) => att[(2, i)].abs().min(1.0).asin(),
        }
    }
}

impl Sometimes {
    fn holds(self, number: u64, t: f64, h: f64, att: &Mat3, w: &Vec3) -> bool {
        // Times of whole steps differ from decimal ones by rounding.
        let early = 1e-9;
        match self.when {
            When::Always => true,
            When::Each(period) => number.is_multiple_of(period),
            When::EachTime(period) => {
                let until = |t: f64| (t / period + early).floor();
                until(t + h) > until(t)
            }
            When::From(time) => t > time - early,
            When::Until(time) => t < time - early,
            When::Above(measure, limit) => measure.of(att, w, h) > limit,
            When::Below(measure, limit) => measure.of(att, w, h) < limit,
        }
    }

    /// Makes the step to `number`.
    pub(crate) fn step(
        self,
        equations: &Equations,
        rule: &mut RunningRule,
        (number, t, h): (u64, f64, f64),
        y: &mut RotState,
    ) {
        let before = *y;
        let j = &equations.start.inertia;
        // Terms are left out in the function of the slopes, which knows the time of the step and its own state.
        let f = |s: f64, att: &Mat3, w: &Vec3| {
            let (u, mut a) = equations.slopes(s, att, w);
            if self.holds(number, t, h, att, w) {
                match self.what {
                    What::NoGyroscopicTerm => a -= j.solve(&j.times(w).cross(w)),
                    What::NoTorque => a -= j.solve(&equations.torque(s, att, w)),
                    _ => {}
                }
            }
            (u, a)
        };
        rule.step(&f, t, h, y);
        if !self.holds(number, t, h, &y.att, &y.omega) {
            return;
        }
        match self.what {
            What::NoGyroscopicTerm | What::NoTorque => {}
            What::RateTimes(by) => y.omega *= by,
            What::Restart => (y.att, y.omega) = (equations.start.att, equations.start.omega),
            What::AttitudeStays => y.att = before.att,
            What::ChangeCutOff(most) => {
                let change = y.omega - before.omega;
                y.omega = before.omega + change * (most / change.dot(&change).sqrt()).min(1.0);
            }
            What::ComponentsLost(least) => {
                y.omega = y.omega.map(|x| if x.abs() < least { 0.0 } else { x });
            }
            What::NoGain => {
                let energy = |w: &Vec3| w.dot(&j.times(w));
                let kept = energy(&before.omega) / energy(&y.omega);
                y.omega *= kept.min(1.0).sqrt();
            }
            What::Rounded(digits) => {
                let written = |x: f64| format!("{x:.*e}", digits - 1).parse().unwrap_or(x);
                y.att = so3::matrix_from_quat(&so3::quat_from_matrix(&y.att).map(written));
                y.omega = y.omega.map(written);
            }
        }
    }

    /// Returns the ids of the defects that name it rightly.
    pub(crate) fn ids(self) -> &'static [&'static str] {
        let of_law = matches!(self.what, What::NoGyroscopicTerm | What::NoTorque);
        match (self.when, of_law) {
            (When::Always, _) => match self.what {
                What::ComponentsLost(_) => &["scheme/sleep"],
                _ => &["scheme/beyond_limit"],
            },
            (When::Each(_) | When::EachTime(_), _) => &["scheme/periodic"],
            (When::From(_) | When::Until(_), true) => &["model/from_time"],
            (When::From(_) | When::Until(_), false) => &["scheme/from_time"],
            (When::Above(..) | When::Below(..), true) => &["model/beyond_limit"],
            (When::Above(..) | When::Below(..), false) => &["scheme/beyond_limit"],
        }
    }
}
