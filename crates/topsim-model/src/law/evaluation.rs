//! The slopes of a law at a state.
//!
//! Terms of the form [`Effect::Given`] set the parts of which the equations are made, [`Effect::Adds`] adds to what was made
//! of them. Sums are made in the order of [`Sum`], and of the table within one.

use super::{Effect, Law, Place, standard_inertia, vector};
use crate::probe::Load;
use std::sync::LazyLock;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::Frame;

/// The body on which inertias are fitted.
static STANDARD: LazyLock<Mat3> = LazyLock::new(|| *standard_inertia().tensor());

/// A sum of the equations to which terms add, in the order in which they are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sum {
    /// Rate with which the attitude turns.
    Turn,
    /// Torque, before an inertia divides it.
    Torque,
    /// Acceleration by Euler's equations, along which friction acts on a body at rest.
    Euler,
    /// Acceleration without what resists: for what is linear in the rate.
    Linear,
    /// Acceleration at last: for what is constant.
    Constant,
}

/// Powers of the attitude that turn what the equations are made of.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Powers {
    pub lever: f64,
    /// Added to −1, as the next one.
    pub up: f64,
    /// Power of the attitude at an applied torque given in space.
    pub space: f64,
    /// Power of the attitude at an applied torque given in the body.
    pub body: f64,
    pub torque: f64,
    /// Power of the principal axes at the torque.
    pub axes: f64,
    pub divisor: f64,
    pub gyroscopic: f64,
    pub gyroscopic_rate: f64,
    pub transport: f64,
    pub rate: f64,
}

/// Coefficients of what resists a rate, by the power of the rate.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Resistance {
    /// c of c |W|^p W/|W|, p from 0 to 3.
    pub whole: [f64; 4],
    /// cᵢ of cᵢ |Wᵢ|^p sign Wᵢ, p from 0 to 2.
    pub axes: [Vec3; 3],
}

impl Resistance {
    /// A body at rest begins to move along its acceleration.
    fn at(&self, w: &Vec3, acceleration: &Vec3) -> Vec3 {
        let [friction, linear, quadratic, cubic] = self.whole;
        let speed = w.norm();
        let along = if speed > 0.0 { w } else { acceleration };
        let mut out = w * (linear + speed * (quadratic + speed * cubic));
        out += along * (friction / along.norm().max(1e-300));
        for i in 0..3 {
            let [friction, linear, quadratic] = self.axes.map(|c| c[i]);
            let along = if w[i] == 0.0 { acceleration[i] } else { w[i] };
            out[i] += w[i] * (linear + quadratic * w[i].abs()) + friction * sign(along);
        }
        out
    }
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// Numbers of the equations.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Settings {
    pub clock: f64,
    pub torque: f64,
    pub gravity: f64,
    pub push: f64,
    pub gyroscopic: f64,
    /// One over the largest size of the gyroscopic torque, 1/(N m).
    pub gyroscopic_limit: f64,
    /// The same of the torque, and of each of its components.
    pub torque_limit: f64,
    pub torque_limit_axes: f64,
    /// One over the largest size of W', s²/rad.
    pub acceleration_limit: f64,
    pub rate: f64,
    /// Part by which gravity's torque grows in a metre of height, 1/m.
    pub by_height: f64,
    pub torque_rows: Vec3,
    /// Rotation vector that turns the torque.
    pub mounting: Vec3,
    /// Matrix that is added to the factor of the torque.
    pub torque_matrix: Mat3,
    /// Parts by which entries of the attitude's matrix are those of their transposed places, where it turns a torque of space.
    pub entries: Mat3,
    pub rows: Vec3,
    /// Factors of the gyroscopic torque's components about the principal axes.
    pub principal_rows: Vec3,
    /// Factors of the rate's components about the principal axes, of the rate that turns attitude and momentum.
    pub principal_turns: Vec3,
    pub turned: Powers,
    /// Change of the lever; the next four are changes likewise.
    pub lever: Vec3,
    pub up: Vec3,
    pub divisor: Mat3,
    pub gyroscopic_inertia: Mat3,
    pub inverse: Mat3,
    /// Resistance that is taken from W'.
    damping: Option<Resistance>,
    /// Resistance that is taken from the torque.
    resistance: Option<Resistance>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            clock: 1.0,
            torque: 1.0,
            gravity: 1.0,
            push: 1.0,
            gyroscopic: 1.0,
            gyroscopic_limit: 0.0,
            torque_limit: 0.0,
            torque_limit_axes: 0.0,
            acceleration_limit: 0.0,
            rate: 1.0,
            by_height: 0.0,
            torque_rows: Vec3::repeat(1.0),
            mounting: Vec3::zeros(),
            torque_matrix: Mat3::zeros(),
            entries: Mat3::zeros(),
            rows: Vec3::repeat(1.0),
            principal_rows: Vec3::repeat(1.0),
            principal_turns: Vec3::repeat(1.0),
            turned: Powers::default(),
            lever: Vec3::zeros(),
            up: Vec3::zeros(),
            divisor: Mat3::zeros(),
            gyroscopic_inertia: Mat3::zeros(),
            inverse: Mat3::zeros(),
            damping: None,
            resistance: None,
        }
    }
}

impl Settings {
    /// Resistance that is taken from W'.
    pub fn damping(&mut self) -> &mut Resistance {
        self.damping.get_or_insert_default()
    }

    /// Resistance that is taken from the torque.
    pub fn resistance(&mut self) -> &mut Resistance {
        self.resistance.get_or_insert_default()
    }

    /// The torque of the load in the body frame, N m.
    fn torque(&self, p: &Place) -> Vec3 {
        let (start, turned) = (&p.start, &self.turned);
        let torque = match &start.load {
            Load::None => Vec3::zeros(),
            Load::Gravity { weight, lever, up } => {
                let (mut lever, mut up) = (*lever, *up);
                if p.standard {
                    lever += self.lever;
                    up += self.up;
                }
                let lever = p.turned(turned.lever, &lever);
                let up = p.turned(turned.up - 1.0, &up) + self.off(p, &up);
                let height = lever.dot(&up);
                lever.cross(&(up * -*weight)) * (self.gravity * (1.0 + self.by_height * height))
            }
            Load::Constant { torque, frame } => {
                let torque = torque * self.push;
                match frame {
                    Frame::Space => p.turned(turned.space - 1.0, &torque) + self.off(p, &torque),
                    Frame::Body => p.turned(turned.body, &torque),
                }
            }
            Load::Pulse(_) | Load::Other(_) => start.torque(p.t, &start.att),
        };
        let mut torque = p.turned(turned.torque, &torque) * self.torque;
        if turned.axes != 0.0 {
            torque = so3::exp(&(so3::log(p.principal_axes()) * turned.axes)) * torque;
        }
        torque = torque.component_mul(&self.torque_rows) + self.torque_matrix * torque;
        if self.mounting != Vec3::zeros() {
            torque = so3::exp(&self.mounting) * torque;
        }
        let cut = torque.map(|x| x / (x.abs() * self.torque_limit_axes).max(1.0));
        cut / (cut.norm() * self.torque_limit).max(1.0)
    }

    /// Returns the part of a vector of space in the body that wrong entries of the attitude's matrix add.
    fn off(&self, p: &Place, v: &Vec3) -> Vec3 {
        if self.entries == Mat3::zeros() {
            return Vec3::zeros();
        }
        let att = &p.start.att;
        (att.transpose() - att)
            .component_mul(&self.entries)
            .tr_mul(v)
    }

    /// The inverse of the inertia that divides, and the inertia of the gyroscopic term.
    fn inertias(&self, law: &Law, p: &Place) -> (Mat3, Mat3) {
        let inertia = &p.start.inertia;
        let another =
            p.standard && (!law.gravity_only || matches!(p.start.load, Load::Gravity { .. }));
        let (mut inverse, mut gyroscopic) = (*inertia.inverse(), *inertia.tensor());
        if another {
            gyroscopic += self.gyroscopic_inertia;
            if self.divisor != Mat3::zeros() {
                let divisor = inertia.tensor() + self.divisor;
                inverse = divisor.try_inverse().unwrap_or(inverse);
            }
            inverse += self.inverse;
        }
        if law.everywhere {
            gyroscopic = *STANDARD + self.divisor;
            inverse = gyroscopic.try_inverse().unwrap_or(inverse);
        }
        if !law.gravity_only || another {
            inverse = p.seen(self.turned.divisor, &inverse);
            gyroscopic = p.seen(self.turned.gyroscopic, &gyroscopic);
        }
        (inverse, gyroscopic)
    }
}

/// Returns tanh √x/√x, which goes on as tan √−x/√−x below zero; near zero by its series, whose next term is below rounding.
pub(super) fn bent(x: f64) -> f64 {
    if x.abs() < 1e-5 {
        return 1.0 - x / 3.0 + x * x * (2.0 / 15.0);
    }
    let root = x.abs().sqrt();
    let [bent, root] = [if x > 0.0 { root.tanh() } else { root.tan() }, root];
    bent / root
}

/// A law while its slopes are made.
#[derive(Debug)]
pub struct Evaluation<'a> {
    pub(super) place: &'a Place,
    turn: Vec3,
    pub(super) torque: Vec3,
    pub(super) acceleration: Vec3,
    /// Inverse of the inertia that divides.
    pub(super) inverse: Mat3,
    /// Inertia of the gyroscopic term.
    pub(super) gyroscopic: Mat3,
}

impl Evaluation<'_> {
    /// W.
    pub(super) fn omega(&self) -> &Vec3 {
        &self.place.start.omega
    }

    /// A vector given in space, in the body.
    pub(super) fn in_body(&self, v: &[f64]) -> Vec3 {
        self.place.start.att.tr_mul(&vector(v))
    }

    /// The rate in space, each component times a number, in the body.
    pub(super) fn resisted_in_space(&self, v: &[f64]) -> Vec3 {
        let att = &self.place.start.att;
        att.tr_mul(&vector(v).component_mul(&(att * self.omega())))
    }

    /// Adds the terms of a sum.
    fn add(&mut self, law: &Law, sum: Sum) {
        for (row, numbers) in law.changed() {
            if let Effect::Adds(to, _, term) = row.effect
                && to == sum
            {
                let added = term(self, numbers);
                *match sum {
                    Sum::Turn => &mut self.turn,
                    Sum::Torque => &mut self.torque,
                    _ => &mut self.acceleration,
                } += added;
            }
        }
    }
}

/// Returns a vector whose components about the principal axes of the body are multiplied by factors.
fn about_axes(p: &Place, factors: &Vec3, v: Vec3) -> Vec3 {
    if *factors == Vec3::repeat(1.0) {
        return v;
    }
    let axes = p.principal_axes();
    axes * axes.tr_mul(&v).component_mul(factors)
}

/// Slopes of a law at a state, in the body frame.
#[derive(Debug, Clone, Copy)]
pub struct Parts {
    /// Rate with which the attitude turns, rad/s.
    pub rate: Vec3,
    /// Derivative of the rate, rad/s².
    pub acceleration: Vec3,
    /// Part of it that the gyroscopic term makes, rad/s².
    pub gyroscopic: Vec3,
    /// Inverse of the inertia by which torques are divided, 1/(kg m²).
    pub inverse: Mat3,
}

impl Law {
    /// The rate with which the attitude turns (rad/s), and the derivative of the rate (rad/s²); both in the body frame.
    pub fn slopes(&self, p: &Place) -> (Vec3, Vec3) {
        let parts = self.parts(p);
        (parts.rate, parts.acceleration)
    }

    /// Returns the slopes with their parts.
    pub fn parts(&self, p: &Place) -> Parts {
        let s = &self.settings;
        let w = p.start.omega;
        let (inverse, gyroscopic) = s.inertias(self, p);
        let turning = about_axes(p, &s.principal_turns, w);
        let mut e = Evaluation {
            place: p,
            turn: p.turned(s.turned.rate, &turning) * s.rate,
            torque: s.torque(p),
            acceleration: Vec3::zeros(),
            inverse,
            gyroscopic,
        };
        e.add(self, Sum::Turn);
        e.add(self, Sum::Torque);
        let moment = (gyroscopic * w).cross(&p.turned(s.turned.gyroscopic_rate, &turning));
        let moment = about_axes(p, &s.principal_rows, moment);
        let moment = moment.component_mul(&s.rows) * s.gyroscopic;
        let moment = moment / (moment.norm() * s.gyroscopic_limit).max(1.0);
        e.acceleration = inverse * (moment + e.torque);
        if s.turned.transport != 0.0 {
            e.acceleration += w.cross(&p.turned(s.turned.transport, &w));
        }
        e.add(self, Sum::Euler);
        let begins = e.acceleration;
        if let Some(damping) = &s.damping {
            e.acceleration -= damping.at(&w, &begins);
        }
        if let Some(resistance) = &s.resistance {
            e.acceleration -= inverse * resistance.at(&w, &begins);
        }
        e.add(self, Sum::Linear);
        e.add(self, Sum::Constant);
        e.acceleration /= (e.acceleration.norm() * s.acceleration_limit).max(1.0);
        Parts {
            rate: e.turn * s.clock,
            acceleration: e.acceleration * s.clock,
            gyroscopic: inverse * moment * s.clock,
            inverse,
        }
    }
}
