//! Torque models. Each gives the torque in the body and in the space frame (N m) at a time and an
//! attitude, its potential where it has one, and the times at which it has a kink or jump.

use super::TwoWell;
use super::jointed::LoadedGravity;
use crate::math::{Mat3, Vec3, scalar, so3};

/// A torque on a rigid body.
pub trait Torque: Clone + Send + Sync + 'static {
    /// Torque in the body frame, N m.
    fn body(&self, t: f64, att: &Mat3) -> Vec3;
    /// Torque in the space frame, N m.
    fn space(&self, t: f64, att: &Mat3) -> Vec3;
    /// Potential energy, J; zero where there is none.
    fn potential(&self, _att: &Mat3) -> f64 {
        0.0
    }
    /// Times within `(from, to)` at which the torque or a low derivative of it jumps, ascending.
    fn switches(&self, _from: f64, _to: f64) -> Vec<f64> {
        Vec::new()
    }
}

/// Frame in which the components of a vector are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// Turns with the body.
    Body,
    /// Fixed in space.
    Space,
}

/// No torque.
#[derive(Debug, Clone, PartialEq)]
pub struct Free;

impl Torque for Free {
    #[inline]
    fn body(&self, _: f64, _: &Mat3) -> Vec3 {
        Vec3::zeros()
    }
    #[inline]
    fn space(&self, _: f64, _: &Mat3) -> Vec3 {
        Vec3::zeros()
    }
}

/// Uniform gravity on a body that turns about a point: `t = −Mg (Λ r) × up`, `V = Mg up·(Λ r)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Gravity {
    weight: f64,
    lever: Vec3,
    up: Vec3,
    /// Mg up, so that one product is saved in each evaluation.
    load: Vec3,
}

impl Gravity {
    /// `weight` M g in N, `lever` from the fixed point to the centre of mass in m (body frame),
    /// `up` in the space frame (normalised here).
    pub fn new(weight: f64, lever: Vec3, up: Vec3) -> Self {
        let up = if (up.norm_squared() - 1.0).abs() < 1e-15 {
            up
        } else {
            up.normalize()
        };
        Self {
            weight,
            lever,
            up,
            load: up * weight,
        }
    }
    /// M g, N.
    pub fn weight(&self) -> f64 {
        self.weight
    }
    /// From the fixed point to the centre of mass, m, body frame.
    pub fn lever(&self) -> &Vec3 {
        &self.lever
    }
    /// Unit vector against gravity, space frame.
    pub fn up(&self) -> &Vec3 {
        &self.up
    }
}

impl Torque for Gravity {
    #[inline]
    fn body(&self, _: f64, att: &Mat3) -> Vec3 {
        so3::to_body(att, &self.load).cross(&self.lever)
    }
    #[inline]
    fn space(&self, _: f64, att: &Mat3) -> Vec3 {
        self.load.cross(&(att * self.lever))
    }
    #[inline]
    fn potential(&self, att: &Mat3) -> f64 {
        self.load.dot(&(att * self.lever))
    }
}

/// A torque constant in one frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant {
    /// Components, N m.
    pub torque: Vec3,
    /// Their frame.
    pub frame: Frame,
}

impl Torque for Constant {
    #[inline]
    fn body(&self, _: f64, att: &Mat3) -> Vec3 {
        to_body(self.frame, &self.torque, att)
    }
    #[inline]
    fn space(&self, _: f64, att: &Mat3) -> Vec3 {
        to_space(self.frame, &self.torque, att)
    }
}

/// A pulse `T = amplitude · sin²(ω t)` while `from ≤ t ≤ until`, zero otherwise (Hairer, Nørsett &
/// Wanner, problem EULR, has ω = 1 on [3π, 4π]).
#[derive(Debug, Clone, PartialEq)]
pub struct Sin2Pulse {
    /// Amplitude, N m.
    pub amplitude: Vec3,
    /// Frame of the amplitude.
    pub frame: Frame,
    /// ω, rad/s.
    pub rate: f64,
    /// First instant of the pulse, s.
    pub from: f64,
    /// Last instant of the pulse, s.
    pub until: f64,
}

impl Sin2Pulse {
    fn components(&self, t: f64) -> Vec3 {
        if t < self.from || t > self.until {
            return Vec3::zeros();
        }
        let s = scalar::sin(self.rate * t);
        self.amplitude * (s * s)
    }
}

impl Torque for Sin2Pulse {
    fn body(&self, t: f64, att: &Mat3) -> Vec3 {
        to_body(self.frame, &self.components(t), att)
    }
    fn space(&self, t: f64, att: &Mat3) -> Vec3 {
        to_space(self.frame, &self.components(t), att)
    }
    fn switches(&self, from: f64, to: f64) -> Vec<f64> {
        within([self.from, self.until], from, to)
    }
}

/// How a table is read between its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolation {
    /// Straight lines between the rows; the torque has a kink at each.
    Linear,
    /// The value of the last row passed; the torque jumps at each.
    Hold,
}

/// A torque tabulated in time; before the first and after the last row it is zero.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    times: Vec<f64>,
    values: Vec<Vec3>,
    frame: Frame,
    interpolation: Interpolation,
}

/// Why a table of torques is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TableError {
    /// Too few rows.
    #[error("a table needs at least two rows, found {0}")]
    TooShort(usize),
    /// Times must increase.
    #[error("times must increase: row {row} is at t = {time}, the row before it at {before}")]
    NotIncreasing {
        /// Row number, from 1.
        row: usize,
        /// Its time.
        time: f64,
        /// Time of the row before.
        before: f64,
    },
}

impl Table {
    /// Rows of `(t, torque)`; times in s, strictly increasing.
    ///
    /// # Errors
    /// [`TableError`] for fewer than two rows or times out of order.
    pub fn new(
        rows: impl IntoIterator<Item = (f64, Vec3)>,
        frame: Frame,
        interpolation: Interpolation,
    ) -> Result<Self, TableError> {
        let (times, values): (Vec<f64>, Vec<Vec3>) = rows.into_iter().unzip();
        if times.len() < 2 {
            return Err(TableError::TooShort(times.len()));
        }
        for (i, pair) in times.windows(2).enumerate() {
            if !(pair[1] > pair[0]) {
                return Err(TableError::NotIncreasing {
                    row: i + 2,
                    time: pair[1],
                    before: pair[0],
                });
            }
        }
        Ok(Self {
            times,
            values,
            frame,
            interpolation,
        })
    }

    /// Times of the rows, s, ascending.
    pub fn times(&self) -> &[f64] {
        &self.times
    }
    /// Torques of the rows, N m.
    pub fn values(&self) -> &[Vec3] {
        &self.values
    }
    /// Frame of the torques.
    pub fn frame(&self) -> Frame {
        self.frame
    }
    /// How it is read between the rows.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    fn components(&self, t: f64) -> Vec3 {
        let last = self.times.len() - 1;
        if t < self.times[0] || t > self.times[last] {
            return Vec3::zeros();
        }
        let i = self
            .times
            .partition_point(|&x| x <= t)
            .saturating_sub(1)
            .min(last);
        if i == last || self.interpolation == Interpolation::Hold {
            return self.values[i];
        }
        let s = (t - self.times[i]) / (self.times[i + 1] - self.times[i]);
        self.values[i] * (1.0 - s) + self.values[i + 1] * s
    }
}

impl Torque for Table {
    fn body(&self, t: f64, att: &Mat3) -> Vec3 {
        to_body(self.frame, &self.components(t), att)
    }
    fn space(&self, t: f64, att: &Mat3) -> Vec3 {
        to_space(self.frame, &self.components(t), att)
    }
    fn switches(&self, from: f64, to: f64) -> Vec<f64> {
        within(self.times.iter().copied(), from, to)
    }
}

/// Any of the models, as a case file names it; [`crate::models::AnyTop`] opens it once per run.
#[derive(Debug, Clone, PartialEq)]
pub enum TorqueModel {
    /// No torque.
    Free(Free),
    /// Uniform gravity.
    Gravity(Gravity),
    /// Constant in one frame.
    Constant(Constant),
    /// A sin² pulse.
    Sin2Pulse(Sin2Pulse),
    /// Tabulated in time.
    Table(Table),
    /// A double well on SO(3).
    TwoWell(TwoWell),
    /// Uniform gravity and a constant torque, of a jointed body.
    LoadedGravity(LoadedGravity),
}

impl From<Free> for TorqueModel {
    fn from(torque: Free) -> Self {
        Self::Free(torque)
    }
}

impl From<Gravity> for TorqueModel {
    fn from(torque: Gravity) -> Self {
        Self::Gravity(torque)
    }
}

/// One of the models, chosen again at every evaluation: a branch that always goes the same way.
impl Torque for TorqueModel {
    #[inline]
    fn body(&self, t: f64, att: &Mat3) -> Vec3 {
        match self {
            Self::Free(m) => m.body(t, att),
            Self::Gravity(m) => m.body(t, att),
            Self::Constant(m) => m.body(t, att),
            Self::Sin2Pulse(m) => m.body(t, att),
            Self::Table(m) => m.body(t, att),
            Self::TwoWell(m) => m.body(t, att),
            Self::LoadedGravity(m) => m.body(t, att),
        }
    }
    #[inline]
    fn space(&self, t: f64, att: &Mat3) -> Vec3 {
        match self {
            Self::Free(m) => m.space(t, att),
            Self::Gravity(m) => m.space(t, att),
            Self::Constant(m) => m.space(t, att),
            Self::Sin2Pulse(m) => m.space(t, att),
            Self::Table(m) => m.space(t, att),
            Self::TwoWell(m) => m.space(t, att),
            Self::LoadedGravity(m) => m.space(t, att),
        }
    }
    #[inline]
    fn potential(&self, att: &Mat3) -> f64 {
        match self {
            Self::Gravity(m) => m.potential(att),
            Self::TwoWell(m) => m.potential(att),
            Self::LoadedGravity(m) => m.potential(att),
            Self::Free(_) | Self::Constant(_) | Self::Sin2Pulse(_) | Self::Table(_) => 0.0,
        }
    }
    fn switches(&self, from: f64, to: f64) -> Vec<f64> {
        match self {
            Self::Sin2Pulse(m) => m.switches(from, to),
            Self::Table(m) => m.switches(from, to),
            Self::Free(_)
            | Self::Gravity(_)
            | Self::Constant(_)
            | Self::TwoWell(_)
            | Self::LoadedGravity(_) => Vec::new(),
        }
    }
}

#[inline]
fn to_body(frame: Frame, v: &Vec3, att: &Mat3) -> Vec3 {
    match frame {
        Frame::Body => *v,
        Frame::Space => so3::to_body(att, v),
    }
}

#[inline]
fn to_space(frame: Frame, v: &Vec3, att: &Mat3) -> Vec3 {
    match frame {
        Frame::Body => att * v,
        Frame::Space => *v,
    }
}

fn within(times: impl IntoIterator<Item = f64>, from: f64, to: f64) -> Vec<f64> {
    times.into_iter().filter(|t| *t > from && *t < to).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::so3;

    fn attitude() -> Mat3 {
        so3::exp(&Vec3::new(0.3, -0.2, 0.5))
    }

    #[test]
    fn body_and_space_components_are_the_same_vector() {
        let att = attitude();
        let gravity = Gravity::new(20.0, Vec3::new(0.1, -0.3, 1.0), Vec3::new(0.2, 0.1, 0.9));
        let constant = |frame| Constant {
            torque: Vec3::new(1.0, 2.0, -3.0),
            frame,
        };
        let check = |body: Vec3, space: Vec3| assert!((att * body - space).norm() < 1e-14);
        check(gravity.body(0.0, &att), gravity.space(0.0, &att));
        for frame in [Frame::Body, Frame::Space] {
            let c = constant(frame);
            check(c.body(0.0, &att), c.space(0.0, &att));
        }
    }

    #[test]
    fn gravity_torque_is_minus_the_gradient_of_its_potential() {
        let g = Gravity::new(3.0, Vec3::new(0.1, -0.3, 1.0), Vec3::new(0.2, 0.1, 0.9));
        let att = attitude();
        let eps = 1e-6;
        for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
            let plus = g.potential(&(att * so3::exp(&(axis * eps))));
            let minus = g.potential(&(att * so3::exp(&(axis * -eps))));
            let slope = (plus - minus) / (2.0 * eps);
            assert!((slope + g.body(0.0, &att).dot(&axis)).abs() < 1e-9);
        }
    }

    #[test]
    fn a_table_interpolates_and_is_zero_outside() {
        let rows = [
            (1.0, Vec3::new(0.0, 0.0, 2.0)),
            (2.0, Vec3::new(4.0, 0.0, 0.0)),
            (3.0, Vec3::new(8.0, 0.0, 0.0)),
        ];
        let lin = Table::new(rows, Frame::Body, Interpolation::Linear).unwrap();
        let id = Mat3::identity();
        assert_eq!(lin.body(0.999, &id), Vec3::zeros());
        assert_eq!(lin.body(1.0, &id), Vec3::new(0.0, 0.0, 2.0));
        assert_eq!(lin.body(1.25, &id), Vec3::new(1.0, 0.0, 1.5));
        assert_eq!(lin.body(3.0, &id), Vec3::new(8.0, 0.0, 0.0));
        assert_eq!(lin.body(3.001, &id), Vec3::zeros());
        let hold = Table::new(rows, Frame::Body, Interpolation::Hold).unwrap();
        assert_eq!(hold.body(2.999, &id), Vec3::new(4.0, 0.0, 0.0));
        assert_eq!(lin.switches(0.0, 2.5), vec![1.0, 2.0]);
    }

    #[test]
    fn a_table_out_of_order_is_refused() {
        let rows = [(1.0, Vec3::zeros()), (1.0, Vec3::zeros())];
        assert!(matches!(
            Table::new(rows, Frame::Body, Interpolation::Linear),
            Err(TableError::NotIncreasing { row: 2, .. })
        ));
        assert_eq!(
            Table::new([(0.0, Vec3::zeros())], Frame::Body, Interpolation::Linear),
            Err(TableError::TooShort(1))
        );
    }

    #[test]
    fn the_pulse_is_on_between_its_ends_only() {
        use core::f64::consts::PI;
        let p = Sin2Pulse {
            amplitude: Vec3::new(0.0, 0.0, 0.25),
            frame: Frame::Body,
            rate: 1.0,
            from: 3.0 * PI,
            until: 4.0 * PI,
        };
        let id = Mat3::identity();
        assert_eq!(p.body(3.0 * PI - 1e-9, &id), Vec3::zeros());
        assert!((p.body(3.5 * PI, &id).z - 0.25).abs() < 1e-15);
        assert_eq!(p.body(4.0 * PI + 1e-9, &id), Vec3::zeros());
        assert_eq!(p.switches(0.0, 20.0).len(), 2);
    }
}
