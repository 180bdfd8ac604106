//! The equations of motion that a step evaluates: those of a body, or a law that differs from them.

use crate::law::{Law, Parts, Place};
use crate::probe::Start;
use crate::state::State;
use core::cell::{Cell, RefCell};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;
use topsim_core::math::{Mat3, Quat, Vec3, quaternion, so3};
use topsim_core::models::{RigidTop, TorqueModel};

/// Torque that stands for that of a state.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Held {
    /// This one, divided by the inertia, rad/s².
    Torque(Vec3),
    /// That of the state in another shape.
    Shape(TorqueShape),
    /// A term that is held until a time.
    Term(Holding),
}

/// Term of the law that may be held between evaluations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HeldTerm {
    /// The torque, in the body.
    Torque,
    /// The torque, in space.
    TorqueInSpace,
    /// The gyroscopic term.
    Gyroscopic,
    /// All of W'.
    Acceleration,
}

/// Term that is held until a time, from which on its evaluations are kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Holding {
    /// The term.
    pub term: HeldTerm,
    /// Its value: rad/s², or N m of a torque in space.
    pub value: Vec3,
    /// Time until which it is held, s.
    pub until: f64,
}

impl HeldTerm {
    /// Returns true if it is zero without a torque.
    #[must_use]
    pub fn is_torque(self) -> bool {
        matches!(self, Self::Torque | Self::TorqueInSpace)
    }

    /// Returns its value at an attitude.
    fn of(self, parts: &Parts, att: &Mat3, inertia: &Mat3) -> Vec3 {
        let torque = parts.acceleration - parts.gyroscopic;
        match self {
            Self::Torque => torque,
            Self::TorqueInSpace => att * (inertia * torque),
            Self::Gyroscopic => parts.gyroscopic,
            Self::Acceleration => parts.acceleration,
        }
    }

    /// Returns the slopes with another value of it at an attitude.
    fn with(self, value: &Vec3, parts: Parts, att: &Mat3) -> Parts {
        let torque = parts.acceleration - parts.gyroscopic;
        let (gyroscopic, torque) = match self {
            Self::Torque => (parts.gyroscopic, *value),
            Self::TorqueInSpace => (parts.gyroscopic, parts.inverse * att.tr_mul(value)),
            Self::Gyroscopic => (*value, torque),
            Self::Acceleration => (parts.gyroscopic, value - parts.gyroscopic),
        };
        Parts {
            gyroscopic,
            acceleration: gyroscopic + torque,
            ..parts
        }
    }
}

/// Shape of a torque, by a size in N m.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TorqueShape {
    /// Zero below the size.
    DeadBand(f64),
    /// Components are zero below the size.
    DeadBandAxes(f64),
    /// Components in whole numbers of the size, the nearest ones.
    Rounded(f64),
    /// The same, those towards zero.
    Truncated(f64),
}

impl TorqueShape {
    pub(crate) fn apply(self, torque: Vec3) -> Vec3 {
        match self {
            Self::DeadBand(size) if torque.norm() < size => Vec3::zeros(),
            Self::DeadBand(_) => torque,
            Self::DeadBandAxes(size) => torque.map(|x| if x.abs() < size { 0.0 } else { x }),
            Self::Rounded(size) => torque.map(|x| (x / size).round_ties_even() * size),
            Self::Truncated(size) => torque.map(|x| (x / size).trunc() * size),
        }
    }
}

/// Equations of motion of one body.
#[derive(Debug, Clone)]
pub struct Equations {
    body: Start,
    /// Another law, and the state at which it was evaluated last.
    law: Option<(Law, RefCell<Place>)>,
    /// Inertia by which torques are divided, kg m².
    inertia: Mat3,
    /// Its inverse, 1/(kg m²).
    inverse: Mat3,
    /// Torque that stands for that of the state.
    held: Cell<Option<Held>>,
    /// True if times are rounded to single precision before a torque is read.
    single_times: Cell<bool>,
    /// Last evaluation of a term that is held no longer.
    evaluated: Cell<Option<Vec3>>,
}

/// Longest turn in a step of the flow, rad: it leaves 1e-15.
const TURN: f64 = 0.35;
/// Most steps of the flow.
const MOST_STEPS: f64 = 4096.0;

impl Equations {
    /// Returns the right equations of a body.
    #[must_use]
    pub fn right(body: &Start) -> Self {
        Self {
            inertia: *body.inertia.tensor(),
            inverse: *body.inertia.inverse(),
            body: body.clone(),
            law: None,
            held: Cell::default(),
            evaluated: Cell::default(),
            single_times: Cell::default(),
        }
    }

    /// Returns the equations of a law.
    #[must_use]
    pub fn of(law: &Law, body: &Start) -> Self {
        let place = Place::new(body.clone(), 0.0, true);
        let inverse = law.parts(&place).inverse;
        Self {
            inertia: inverse.try_inverse().unwrap_or(*body.inertia.tensor()),
            inverse,
            body: body.clone(),
            law: Some((law.clone(), RefCell::new(place))),
            held: Cell::default(),
            evaluated: Cell::default(),
            single_times: Cell::default(),
        }
    }

    /// Returns the inertia by which torques are divided, kg m².
    #[must_use]
    pub fn inertia(&self) -> &Mat3 {
        &self.inertia
    }

    /// Returns its inverse, 1/(kg m²).
    #[must_use]
    pub fn inverse(&self) -> &Mat3 {
        &self.inverse
    }

    /// Returns the body at the start of a run.
    #[must_use]
    pub fn start(&self) -> &Start {
        &self.body
    }

    /// Returns the body at a state, as schemes of the catalogue take it; none where the law is not that of a body.
    #[must_use]
    pub fn body(&self, at: &State) -> Option<RigidTop<TorqueModel>> {
        let mut body = match &self.law {
            None => self.body.clone(),
            Some((law, _)) => law.of_another_body(&self.body)?,
        };
        (body.att, body.omega) = (at.attitude(), at.omega);
        Some(body.top())
    }

    /// Returns the slopes at a state; the quaternion may have any length.
    #[must_use]
    pub fn parts(&self, t: f64, quat: &Quat, omega: &Vec3) -> Parts {
        self.parts_at(t, so3::matrix_from_quat(quat), omega)
    }

    /// Calls a function while another torque stands for that of the state.
    pub(crate) fn holding<T>(&self, torque: Held, call: impl FnOnce() -> T) -> T {
        let before = self.held.replace(Some(torque));
        let out = call();
        self.held.set(before);
        out
    }

    /// Calls a function while times are rounded to single precision.
    pub(crate) fn with_single_times<T>(&self, call: impl FnOnce() -> T) -> T {
        self.single_times.set(true);
        let out = call();
        self.single_times.set(false);
        out
    }

    /// Returns the value of a term that may be held, at a state.
    pub(crate) fn term(&self, term: HeldTerm, t: f64, y: &State) -> Vec3 {
        let att = y.attitude();
        term.of(&self.parts_at(t, att, &y.omega), &att, &self.inertia)
    }

    /// Calls a function while a term is held, and returns its last evaluation from the time on until which it is.
    pub(crate) fn holding_until(&self, holding: Holding, call: impl FnOnce()) -> Option<Vec3> {
        self.evaluated.set(None);
        self.holding(Held::Term(holding), call);
        self.evaluated.get()
    }

    /// Returns the slopes at a state; the matrix need not be a rotation.
    #[must_use]
    pub fn parts_at(&self, t: f64, att: Mat3, omega: &Vec3) -> Parts {
        let parts = self.parts_of_state(t, att, omega);
        let torque = match self.held.get() {
            None => return parts,
            Some(Held::Torque(torque)) => torque,
            Some(Held::Term(own)) if t < own.until => {
                return own.term.with(&own.value, parts, &att);
            }
            Some(Held::Term(own)) => {
                let value = own.term.of(&parts, &att, &self.inertia);
                self.evaluated.set(Some(value));
                return parts;
            }
            Some(Held::Shape(shape)) => {
                let own = self.inertia * (parts.acceleration - parts.gyroscopic);
                self.inverse * shape.apply(own)
            }
        };
        Parts {
            acceleration: parts.gyroscopic + torque,
            ..parts
        }
    }

    /// Returns the rate that turns the body and the acceleration at a state, as [`Equations::parts_at`] does.
    #[inline]
    pub(crate) fn slopes_at(&self, t: f64, att: Mat3, omega: &Vec3) -> [Vec3; 2] {
        if self.law.is_some() || self.held.get().is_some() {
            let parts = self.parts_at(t, att, omega);
            return [parts.rate, parts.acceleration];
        }
        [*omega, self.right_acceleration(t, &att, omega).0]
    }

    /// Returns the acceleration by the right law, and the gyroscopic torque in it.
    #[inline]
    fn right_acceleration(&self, t: f64, att: &Mat3, omega: &Vec3) -> (Vec3, Vec3) {
        let inertia = &self.body.inertia;
        let gyroscopic = inertia.times(omega).cross(omega);
        let t = if self.single_times.get() {
            f64::from(t as f32)
        } else {
            t
        };
        let torque = self.body.torque_at(t, att, omega);
        (inertia.solve(&(gyroscopic + torque)), gyroscopic)
    }

    fn parts_of_state(&self, t: f64, att: Mat3, omega: &Vec3) -> Parts {
        if let Some((law, place)) = &self.law {
            let mut place = place.borrow_mut();
            place.move_to(t, att, *omega);
            return law.parts(&place);
        }
        let inertia = &self.body.inertia;
        let (acceleration, gyroscopic) = self.right_acceleration(t, &att, omega);
        Parts {
            rate: *omega,
            acceleration,
            gyroscopic: inertia.solve(&gyroscopic),
            inverse: *inertia.inverse(),
        }
    }

    /// Returns the state after a time by the equations themselves, to rounding: extrapolation of order twelve, with steps that
    /// turn by a third of a radian at most.
    #[must_use]
    pub fn flow(&self, t: f64, duration: f64, from: &State) -> State {
        let speed = |y: &State| {
            let parts = self.parts(t, &y.quat, &y.omega);
            (parts.rate.norm().max(y.omega.norm())).max(parts.acceleration.norm().sqrt())
        };
        let steps = (speed(from) * duration.abs() / TURN).ceil();
        let steps = steps.clamp(1.0, MOST_STEPS);
        let h = duration / steps;
        let mut y = *from;
        for k in 0..steps as u32 {
            y = self.extrapolated(t + h * f64::from(k), h, &y);
        }
        y
    }

    /// Gragg's rule with 2 to 12 parts, extrapolated.
    fn extrapolated(&self, t: f64, h: f64, from: &State) -> State {
        const PARTS: [u32; 6] = [2, 4, 6, 8, 10, 12];
        let slope = |t: f64, y: &State| {
            let parts = self.parts(t, &y.quat, &y.omega);
            State {
                quat: turning(&y.quat, &parts.rate),
                omega: parts.acceleration,
            }
        };
        let at_rest = State {
            quat: [0.0; 4],
            omega: Vec3::zeros(),
        };
        let begun = slope(t, from);
        // Changes from the start are extrapolated: their rounding is smaller than that of states.
        let mut table: Vec<State> = Vec::with_capacity(PARTS.len());
        for (j, n) in PARTS.into_iter().enumerate() {
            let s = h / f64::from(n);
            let (mut a, mut b) = (at_rest, plus(&at_rest, s, &begun));
            for k in 1..n {
                let middle = slope(t + s * f64::from(k), &plus(from, 1.0, &b));
                (a, b) = (b, plus(&a, 2.0 * s, &middle));
            }
            let last = slope(t + h, &plus(from, 1.0, &b));
            let mut entry = plus(&plus(&a, 1.0, &b), s, &last);
            entry = State {
                quat: entry.quat.map(|x| 0.5 * x),
                omega: entry.omega * 0.5,
            };
            // Of each k, the table has the value by the parts from the k-th on.
            table.push(entry);
            for k in (0..j).rev() {
                let ratio = (f64::from(n) / f64::from(PARTS[k])).powi(2) - 1.0;
                entry = plus(&plus(&entry, 1.0 / ratio, &entry), -1.0 / ratio, &table[k]);
                table[k] = entry;
            }
        }
        let end = plus(from, 1.0, &table[0]);
        State {
            quat: quaternion::unit(&end.quat),
            ..end
        }
    }
}

/// q' = ½ q W.
#[must_use]
pub(crate) fn turning(q: &Quat, rate: &Vec3) -> Quat {
    quaternion::times_vector(q, &(rate * 0.5))
}

/// y + c k.
#[must_use]
pub(crate) fn plus(y: &State, c: f64, k: &State) -> State {
    State {
        quat: core::array::from_fn(|i| y.quat[i] + c * k.quat[i]),
        omega: y.omega + k.omega * c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::standard_inertia;
    use crate::probe::Load;

    /// One step of the flow leaves no more than rounding beside eight steps of it.
    #[test]
    fn the_flow_is_exact_to_rounding() {
        let body = Start {
            att: so3::exp(&Vec3::new(0.3, -0.8, 0.5)),
            omega: Vec3::new(1.1, -0.7, 1.9),
            inertia: standard_inertia(),
            load: Load::Gravity {
                weight: 12.0,
                lever: Vec3::new(0.3, -0.2, 0.5),
                up: Vec3::new(0.36, -0.48, 0.8),
            },
        };
        let equations = Equations::right(&body);
        let from = State::new(&body.att, body.omega);
        // The longest that is made in one step.
        let h = TURN / (12.0_f64).sqrt();
        let mut finer = from;
        for _ in 0..8 {
            finer = equations.flow(0.0, h / 8.0, &finer);
        }
        let off = equations.flow(0.0, h, &from).difference(&finer);
        assert!(off.turn.norm() + off.rate.norm() < 1e-14, "{off:?}");
    }
}
