//! Torque models, one file each; [`TorqueModel`] lists them. Each model gives the torque in the body and in the
//! space frame (N m) at a time and an attitude, its potential if it has one, and the times at which it has a
//! kink or jump. It also describes itself for files and for external solvers.

mod axis_damping;
mod breathing;
mod constant;
mod damping;
mod gravity;
mod gravity_gradient;
mod gyrostat;
mod in_time;
mod loaded_gravity;
mod none;
mod opaque;
mod piece;
mod row;
mod series;
mod sin2_pulse;
mod table;
mod two_well;
mod wheels;

pub use axis_damping::{AxisDamping, AxisDampingParameters};
pub use breathing::BreathingInertia;
pub use constant::Constant;
pub use damping::Damping;
pub use gravity::{Gravity, GravityParameters};
pub use gravity_gradient::{GravityGradient, Orbit};
pub use gyrostat::{Gyrostat, GyrostatParameters};
pub use in_time::{TimeTorque, TimeTorqueParameters};
pub use loaded_gravity::LoadedGravity;
pub use none::NoTorque;
pub use opaque::{Opaque, OpaqueValue, Symmetry};
pub(crate) use piece::Drive;
pub use piece::Piece;
pub use row::TorqueError;
pub(crate) use series::VectorSeries;
pub use sin2_pulse::Sin2Pulse;
pub use table::{Interpolation, TableParameters, TableTorque};
pub use two_well::{TwoWell, TwoWellParameters};
pub use wheels::{Wheels, WheelsParameters};

use super::{Inertia, Integral, Start};
use crate::math::{LaneNumbers, Mat3, Quat, Vec3, so3};
use row::{Formula, TorqueParameters, torque_models};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

torque_models! {
    /// No torque.
    "none" => NoTorque, read as NoTorque;
    /// Uniform gravity on a body that rotates about a fixed point.
    "gravity" => Gravity, read as GravityParameters;
    /// Torque constant in one frame.
    "constant" => Constant, read as Constant;
    /// Torque tabulated in time.
    "table" => TableTorque, read as TableParameters;
    /// Double well on the rotations: an elastic rest distance from the identity, and the pull of a magnet.
    "two_well" => TwoWell, read as TwoWellParameters;
    /// Torque pulse in time.
    "sin2_pulse" => Sin2Pulse, read as Sin2Pulse;
    /// Torque unknown to topsim, for external solvers, which are judged by relations alone.
    "opaque" => Opaque, read as Opaque;
    /// Sum of uniform gravity and a constant torque.
    "loaded_gravity" => LoadedGravity;
    /// Torque as powers of the time and sines, in one frame.
    "in_time" => TimeTorque, read as TimeTorqueParameters;
    /// Damping along the angular momentum.
    "damping" => Damping, read as Damping;
    /// Momentum of a rotor in the body, with uniform gravity.
    "gyrostat" => Gyrostat, read as GyrostatParameters;
    /// Momentum of wheels in the body, by straight lines between rows.
    "wheels" => Wheels, read as WheelsParameters;
    /// Damping of each axis of the body, in time.
    "axis_damping" => AxisDamping, read as AxisDampingParameters;
    /// Inertia that grows and shrinks in time.
    "breathing" => BreathingInertia, read as BreathingInertia;
    /// Gravity gradient on a circular orbit.
    "gravity_gradient" => GravityGradient, read as Orbit;
}

/// Part of the spatial angular momentum that a motion conserves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum KeptMomentum {
    /// No part that is known.
    Nothing,
    /// The whole vector.
    Whole,
    /// The component along a unit vector, space frame.
    Along(Vec3),
}

/// Torque on a rigid body.
pub trait Torque: Clone + Send + Sync + 'static {
    /// Returns the torque in the body frame, N m.
    fn body(&self, t: f64, att: &Mat3) -> Vec3;
    /// Returns the torque in the body frame, N m, for an attitude given as a unit quaternion.
    #[inline]
    fn body_by(&self, t: f64, att: &Quat) -> Vec3 {
        self.body(t, &so3::matrix_from_unit(att))
    }
    /// Returns the derivative of the torque in the body frame of a body that rotates at the rate `omega` (body frame):
    /// `d/ds T(t, Λ exp(s ω))` at s = 0, N m/s. The default takes differences of order six over 0.06 rad.
    fn derivative(&self, t: f64, att: &Mat3, omega: &Vec3) -> Vec3 {
        let turn = omega.norm();
        if turn == 0.0 {
            return Vec3::zeros();
        }
        let s = 0.02 / turn;
        let difference = |k: f64| {
            let at = |s: f64| self.body(t, &(att * so3::exp(&(omega * s))));
            at(k * s) - at(-k * s)
        };
        (difference(1.0) * 45.0 - difference(2.0) * 9.0 + difference(3.0)) / (60.0 * s)
    }
    /// Returns the torque in the space frame, N m.
    #[inline]
    fn space(&self, t: f64, att: &Mat3) -> Vec3 {
        att * self.body(t, att)
    }
    /// Returns true if the torque depends on the body rate. Then [`Torque::moving`] is the torque, and
    /// [`Torque::body`] the torque on a body at rest.
    fn depends_on_rate(&self) -> bool {
        false
    }
    /// Returns the torque in the body frame on a rotating body, N m.
    #[inline]
    fn moving(&self, t: f64, att: &Mat3, _turning: &BodyMotion) -> Vec3 {
        self.body(t, att)
    }
    /// Returns the angular momentum of the whole system, kg m²/s, body frame, given that of the body, J W.
    #[inline]
    fn whole_momentum(&self, _t: f64, momentum: Vec3) -> Vec3 {
        momentum
    }
    /// Returns the part of the whole angular momentum, in space, that the motion conserves.
    fn kept_momentum(&self) -> KeptMomentum {
        KeptMomentum::Nothing
    }
    /// Returns the inertia at time `t` as a multiple of J.
    #[inline]
    fn inertia_factor(&self, _t: f64) -> f64 {
        1.0
    }
    /// Returns the torque on a body with this inertia.
    #[must_use]
    fn on_body(self, _inertia: &Inertia) -> Self
    where
        Self: Sized,
    {
        self
    }
    /// Returns the integral of the motion other than energy and momentum, if a body with this inertia and start has one.
    fn integral(&self, _inertia: &Inertia, _start: &Start) -> Option<Integral> {
        None
    }
    /// Returns the potential energy, J; zero for a torque without a potential.
    fn potential(&self, _att: &Mat3) -> f64 {
        0.0
    }
    /// Returns true if the exact motion conserves the energy with this potential.
    fn is_conservative(&self) -> bool {
        false
    }
    /// Returns the vector from the fixed point to the centre of mass, m, body frame; `None` for a body that rotates about
    /// its centre of mass.
    fn lever(&self) -> Option<&Vec3> {
        None
    }
    /// Returns the torque between the switches about time `t`, if its motion has a Taylor recurrence.
    fn piece(&self, _t: f64) -> Option<Piece> {
        None
    }
    /// Returns the times within `(from, to)` at which the torque or a low derivative of it jumps, ascending.
    fn switches(&self, _from: f64, _to: f64) -> Vec<f64> {
        Vec::new()
    }
}

/// A torque whose bodies can be stepped in lanes.
pub trait InLanes: Torque {
    /// The numbers from which the torque is computed, as a torque of its own.
    type Lane: Torque + LaneNumbers + Copy;
    /// Returns these numbers.
    fn lane(&self) -> Self::Lane;
}

/// Rotation of a body, body frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyMotion {
    /// Body rate W, rad/s.
    pub omega: Vec3,
    /// Angular momentum J W, kg m²/s.
    pub momentum: Vec3,
}

/// Frame in which the components of a torque are given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Frame {
    /// Fixed in the body: tau_body = the components.
    #[default]
    Body,
    /// Fixed in space: tau_body = transpose(R) times the components.
    Space,
}

impl Frame {
    #[inline]
    fn to_body(self, v: &Vec3, att: &Mat3) -> Vec3 {
        match self {
            Self::Body => *v,
            Self::Space => so3::to_body(att, v),
        }
    }
    /// Computes [`Torque::derivative`] of a torque that depends on time alone, from its components in the body
    /// frame.
    #[inline]
    fn derivative(self, body: &Vec3, omega: &Vec3) -> Vec3 {
        match self {
            Self::Body => Vec3::zeros(),
            Self::Space => body.cross(omega),
        }
    }
}

fn within(times: impl IntoIterator<Item = f64>, from: f64, to: f64) -> Vec<f64> {
    times.into_iter().filter(|t| *t > from && *t < to).collect()
}

/// Serializes vectors as rows of numbers.
fn vectors<S: Serializer>(vectors: &[Vec3], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(vectors.iter().map(|v| <[f64; 3]>::from(*v)))
}

/// Serialization of a vector in files as three numbers.
mod vector {
    use super::{Deserialize, Deserializer, Serialize, Serializer, Vec3};

    pub fn serialize<S: Serializer>(v: &Vec3, serializer: S) -> Result<S::Ok, S::Error> {
        <[f64; 3]>::from(*v).serialize(serializer)
    }
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec3, D::Error> {
        <[f64; 3]>::deserialize(deserializer).map(Vec3::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{Inertia, RigidTop, RotState};
    use crate::schemes::testbed::run;
    use serde_json::Value;

    fn examples() -> impl Iterator<Item = (&'static str, TorqueModel)> {
        EXAMPLES.iter().map(|&(name, parameters)| {
            let mut file: Value = serde_json::from_str(parameters).unwrap();
            file["model"] = name.into();
            let table: TorqueTable = serde_json::from_value(file.clone()).unwrap();
            file["unknown"] = 1.into();
            assert!(serde_json::from_value::<TorqueTable>(file).is_err());
            (name, table.torque().unwrap())
        })
    }

    #[test]
    fn every_name_is_read_and_written_with_a_formula_of_its_numbers() {
        assert!(examples().count() > 5);
        for (name, model) in examples() {
            let written = serde_json::to_value(&model).unwrap();
            assert_eq!(written["model"], name);
            let formula = written["formula"].as_str().unwrap();
            for (key, value) in written.as_object().unwrap() {
                assert!(value.is_string() || formula.contains(key), "{name}: {key}");
            }
        }
    }

    #[test]
    fn body_and_space_components_are_the_same_vector() {
        let (att, c) = (
            so3::exp(&Vec3::new(0.3, -0.2, 0.5)),
            Vec3::new(1.0, 2.0, -3.0),
        );
        let check = |model: TorqueModel, expected: Vec3| {
            let [body, space] = [model.body(0.4, &att), model.space(0.4, &att)];
            assert!((att * body - space).norm() < 1e-14, "{model:?}");
            assert!((space - expected).norm() < 1e-14, "{model:?}");
        };
        let gravity = Gravity::new(20.0, Vec3::new(0.1, -0.3, 1.0), Vec3::new(0.2, 0.1, 0.9));
        let pull = -gravity.up() * 20.0;
        let load = (att * gravity.lever()).cross(&pull);
        check(gravity.clone().into(), load);
        for (frame, expected) in [(Frame::Space, c), (Frame::Body, att * c)] {
            let torque = Constant { torque: c, frame };
            check(torque.clone().into(), expected);
            let gravity = gravity.clone();
            check(LoadedGravity { gravity, torque }.into(), load + expected);
            let rows = [(0.0, c), (1.0, c)];
            let table = TableTorque::new(rows, frame, Interpolation::Linear);
            check(table.unwrap().into(), expected);
            let pulse = Sin2Pulse {
                amplitude: c,
                frame,
                rate: core::f64::consts::FRAC_PI_2 / 0.4,
                from: 0.0,
                until: 1.0,
            };
            check(pulse.into(), expected);
        }
    }

    #[test]
    fn a_conservative_torque_is_minus_the_gradient_of_its_potential() {
        let tilted = Gravity::new(3.0, Vec3::new(0.1, -0.3, 1.0), Vec3::new(0.2, 0.1, 0.9));
        let models = examples().map(|(_, model)| model).chain([tilted.into()]);
        for model in models.filter(Torque::is_conservative) {
            for v in [[0.0, 0.7227, 0.0], [0.3, -0.2, 0.5], [1.4, 0.3, 1.2]] {
                let att = so3::exp(&Vec3::from(v));
                for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
                    let at = |s: f64| model.potential(&(att * so3::exp(&(axis * s))));
                    let slope = (at(1e-6) - at(-1e-6)) / 2e-6;
                    let along = model.body(0.0, &att).dot(&axis);
                    assert!(
                        (slope + along).abs() < 1e-9,
                        "the torque about {axis:?} is {along}, and minus the slope of the potential {}: {model:?}",
                        -slope
                    );
                }
            }
        }
    }

    /// The default differences agree with a model's own derivative, except for the double well, which varies
    /// faster.
    #[test]
    fn derivatives_are_those_of_the_torque() {
        #[derive(Clone)]
        struct Plain(TorqueModel);
        impl Torque for Plain {
            fn body(&self, t: f64, att: &Mat3) -> Vec3 {
                self.0.body(t, att)
            }
            fn space(&self, t: f64, att: &Mat3) -> Vec3 {
                self.0.space(t, att)
            }
        }
        let inertia = Inertia::diagonal(Vec3::new(1.0, 1.7, 2.2)).unwrap();
        let (att, omega) = (
            so3::exp(&Vec3::new(0.3, -0.2, 0.5)),
            Vec3::new(2.0, -7.0, 3.0),
        );
        let constant = Constant {
            torque: Vec3::new(1.0, 2.0, -3.0),
            frame: Frame::Space,
        };
        let gravity = Gravity::new(20.0, Vec3::new(0.1, -0.3, 1.0), Vec3::new(0.2, 0.1, 0.9));
        let own = [
            constant.clone().into(),
            gravity.clone().into(),
            LoadedGravity {
                gravity,
                torque: constant,
            }
            .into(),
        ];
        let known = examples().filter(|(_, m)| !matches!(m, TorqueModel::Opaque(_)));
        for model in known.map(|(_, model)| model).chain(own) {
            let model = model.on_body(&inertia);
            let found = model.derivative(0.4, &att, &omega);
            let scale = found
                .norm()
                .max(omega.norm() * model.body(0.4, &att).norm());
            // Differences of order four over 2e-3 rad.
            let s = 1e-3 / omega.norm();
            let at = |k: f64| model.body(0.4, &(att * so3::exp(&(omega * (k * s)))));
            let slope = ((at(1.0) - at(-1.0)) * 8.0 - (at(2.0) - at(-2.0))) / (12.0 * s);
            assert!(
                (found - slope).norm() <= 1e-9 * scale,
                "the derivative is {found:?}, and the slope of the torque {slope:?}: {model:?}"
            );
            assert!(model.derivative(0.4, &att, &Vec3::zeros()).norm() == 0.0);
            if !matches!(model, TorqueModel::TwoWell(_)) {
                let general = Plain(model.clone()).derivative(0.4, &att, &omega);
                assert!((found - general).norm() <= 1e-10 * scale, "{model:?}");
            }
        }
    }

    /// The claimed part of the momentum is constant over a motion of two seconds, and the rest changes.
    #[test]
    fn the_momentum_that_is_claimed_is_kept_and_no_other() {
        let inertia = Inertia::diagonal(Vec3::new(1.0, 1.7, 2.2)).unwrap();
        let initial = RotState {
            att: so3::exp(&Vec3::new(0.3, -0.2, 0.5)),
            omega: Vec3::new(0.4, -0.9, 0.7),
        };
        let mut claims = [0; 3];
        for (name, model) in examples().filter(|(_, m)| !matches!(m, TorqueModel::Opaque(_))) {
            let top = RigidTop::new(inertia.clone(), model, initial);
            let momentum = |t: f64, y: &RotState| {
                y.att
                    * top
                        .torque()
                        .whole_momentum(t, top.inertia().times(&y.omega))
            };
            let end = run(&crate::schemes::QuatRk4 {}, &top, 2.0, 4000);
            let change = momentum(2.0, &end) - momentum(0.0, &initial);
            match top.torque().kept_momentum() {
                KeptMomentum::Whole => {
                    assert!(change.norm() < 1e-10, "{name}: {change}");
                    claims[0] += 1;
                }
                KeptMomentum::Along(up) => {
                    assert!(change.dot(&up).abs() < 1e-10, "{name}: {change}");
                    assert!(change.norm() > 1e-3, "{name}: {change}");
                    claims[1] += 1;
                }
                KeptMomentum::Nothing => {
                    assert!(change.norm() > 1e-3, "{name}: {change}");
                    claims[2] += 1;
                }
            }
        }
        assert!(claims.iter().all(|n| *n > 0), "{claims:?}");
    }
}
