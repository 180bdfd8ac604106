//! Torque models of problems: each with its formula as text and the numbers in it.

use super::rows;
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::models::{Frame, Gravity, Interpolation, TorqueModel};

/// Frame in which the components of a torque are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "PosedFrame")]
pub enum TorqueFrame {
    /// Turns with the body: tau_body = the components.
    Body,
    /// Fixed in space: tau_body = transpose(R) times the components.
    Space,
}

impl From<Frame> for TorqueFrame {
    fn from(frame: Frame) -> Self {
        match frame {
            Frame::Body => Self::Body,
            Frame::Space => Self::Space,
        }
    }
}

/// How a table is read between its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "PosedInterpolation")]
pub enum TableInterpolation {
    /// Straight lines between the rows.
    Linear,
    /// The value of the last row passed.
    Hold,
}

/// Torque about the point the body turns about, N m. R: attitude, v_space = R v_body; t: time, s;
/// tau_body = transpose(R) tau_space.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "model", rename_all = "snake_case")]
#[schemars(rename = "PosedTorque")]
pub enum ProblemTorque {
    /// No torque.
    None {
        /// The formula.
        formula: &'static str,
    },
    /// Uniform gravity on a body that turns about a fixed point.
    Gravity {
        /// The formula.
        formula: &'static str,
        /// Mass times gravity, N; may be negative (a pull upward).
        weight: f64,
        /// From the fixed point to the centre of mass, m, body frame.
        lever: [f64; 3],
        /// Unit vector against gravity, space frame.
        up: [f64; 3],
    },
    /// Constant in one frame.
    Constant {
        /// The formula.
        formula: &'static str,
        /// Components, N m.
        torque: [f64; 3],
        /// Their frame.
        frame: TorqueFrame,
    },
    /// A pulse in time.
    Sin2Pulse {
        /// The formula.
        formula: &'static str,
        /// Amplitude, N m.
        amplitude: [f64; 3],
        /// Frame of the amplitude.
        frame: TorqueFrame,
        /// Angular frequency, rad/s.
        rate: f64,
        /// First instant of the pulse, s.
        from: f64,
        /// Last instant of the pulse, s.
        until: f64,
    },
    /// Tabulated in time.
    Table {
        /// The formula.
        formula: &'static str,
        /// Times of the rows, s, ascending.
        times: Vec<f64>,
        /// Torques of the rows, N m.
        torques: Vec<[f64; 3]>,
        /// Their frame.
        frame: TorqueFrame,
        /// Between the rows.
        interpolation: TableInterpolation,
    },
    /// A double well on the rotations: an elastic rest distance from the identity, the pull of a magnet.
    TwoWell {
        /// The formula.
        formula: &'static str,
        /// Rest distance.
        rest: f64,
        /// Pull, J.
        pull: f64,
        /// Attitude of the magnet, row by row.
        magnet: [[f64; 3]; 3],
    },
    /// Uniform gravity, and a constant torque beside it.
    LoadedGravity {
        /// The formula.
        formula: &'static str,
        /// Mass times gravity, N.
        weight: f64,
        /// From the fixed point to the centre of mass, m, body frame.
        lever: [f64; 3],
        /// Unit vector against gravity, space frame.
        up: [f64; 3],
        /// Components of the constant torque, N m.
        torque: [f64; 3],
        /// Their frame.
        frame: TorqueFrame,
    },
}

impl ProblemTorque {
    pub(super) fn of(model: &TorqueModel) -> Self {
        match model {
            TorqueModel::Free(_) => Self::None {
                formula: "tau_body = 0",
            },
            TorqueModel::Gravity(g) => {
                let (weight, lever, up) = uniform(g);
                Self::Gravity {
                    formula: "tau_space = cross(R lever, -weight * up); tau_body = transpose(R) tau_space",
                    weight,
                    lever,
                    up,
                }
            }
            TorqueModel::Constant(c) => Self::Constant {
                formula: "frame body: tau_body = torque; frame space: tau_body = transpose(R) torque",
                torque: c.torque.into(),
                frame: c.frame.into(),
            },
            TorqueModel::Sin2Pulse(p) => Self::Sin2Pulse {
                formula: "c = amplitude * sin(rate * t)^2 while from <= t <= until, else 0; \
                          frame body: tau_body = c; frame space: tau_body = transpose(R) c",
                amplitude: p.amplitude.into(),
                frame: p.frame.into(),
                rate: p.rate,
                from: p.from,
                until: p.until,
            },
            TorqueModel::Table(t) => Self::Table {
                formula: "c = torques at t: 0 before the first and after the last of times; between them \
                          interpolated linearly (linear), or the row of the last time not after t (hold); \
                          frame body: tau_body = c; frame space: tau_body = transpose(R) c",
                times: t.times().to_vec(),
                torques: t.values().iter().map(|v| (*v).into()).collect(),
                frame: t.frame().into(),
                interpolation: match t.interpolation() {
                    Interpolation::Linear => TableInterpolation::Linear,
                    Interpolation::Hold => TableInterpolation::Hold,
                },
            },
            TorqueModel::TwoWell(w) => Self::TwoWell {
                formula: "d_e = norm(R - I); d_m = norm(R - magnet), Frobenius norms; \
                          vee(A) = (A32 - A23, A13 - A31, A21 - A12) / 2; \
                          tau_body = -4 (d_e - rest) / d_e * vee(R) \
                          - 2 pull / d_m^3 * vee(transpose(magnet) R)",
                rest: w.rest(),
                pull: w.pull(),
                magnet: rows(w.magnet()),
            },
            TorqueModel::LoadedGravity(l) => {
                let (weight, lever, up) = uniform(&l.gravity);
                Self::LoadedGravity {
                    formula: "tau_body = transpose(R) cross(R lever, -weight * up) + c; \
                              frame body: c = torque; frame space: c = transpose(R) torque",
                    weight,
                    lever,
                    up,
                    torque: l.torque.torque.into(),
                    frame: l.torque.frame.into(),
                }
            }
        }
    }
}

fn uniform(g: &Gravity) -> (f64, [f64; 3], [f64; 3]) {
    (g.weight(), (*g.lever()).into(), (*g.up()).into())
}
