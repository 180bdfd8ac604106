//! Forms of rows: the frames, units, orders and times in which states are written.

use crate::probe::Row;
use crate::state::State;
use core::f64::consts::{PI, TAU};
use core::str::FromStr;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use topsim_core::math::{Mat3, Quat, Vec3, so3};

/// Radians in a degree.
pub const DEGREE: f64 = PI / 180.0;

/// Order of the components of a quaternion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuaternionOrder {
    /// Scalar first.
    Wxyz,
    /// Scalar last.
    Xyzw,
}

impl QuaternionOrder {
    /// Returns the other order.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Wxyz => Self::Xyzw,
            Self::Xyzw => Self::Wxyz,
        }
    }
    /// Returns the quaternion, scalar first, of components in this order.
    #[must_use]
    pub fn quaternion(self, n: &[f64]) -> Quat {
        match self {
            Self::Wxyz => [n[0], n[1], n[2], n[3]],
            Self::Xyzw => [n[3], n[0], n[1], n[2]],
        }
    }
}

/// A text that is no order of a quaternion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("allowed: wxyz (scalar first) or xyzw (scalar last)")]
pub struct InvalidQuaternionOrder;

impl FromStr for QuaternionOrder {
    type Err = InvalidQuaternionOrder;
    fn from_str(text: &str) -> Result<Self, InvalidQuaternionOrder> {
        match text {
            "wxyz" => Ok(Self::Wxyz),
            "xyzw" => Ok(Self::Xyzw),
            _ => Err(InvalidQuaternionOrder),
        }
    }
}

/// Form of written attitudes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub struct AttitudeForm {
    /// True if the scalar of the quaternion stands at the other end.
    pub scalar_moved: bool,
    /// True if the inverse rotation is written.
    pub transposed: bool,
}

/// Frame of a written rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RateFrame {
    /// The frame that the columns name.
    #[default]
    Named,
    /// Space, where the columns name the body.
    Space,
    /// Turned the wrong way: Rᵀ W.
    Back,
}

/// Unit of a written rate.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RateUnit {
    /// The unit that the columns name.
    #[default]
    Named,
    /// Degrees a second.
    Degrees,
    /// Turns a second.
    Turns,
    /// Another unit: written numbers are so many times those of the unit that the columns name.
    Times(f64),
}

impl RateUnit {
    /// The unit of rates that are written with the opposite sign.
    pub const REVERSED: Self = Self::Times(-1.0);

    /// Returns the unit in that which the columns name.
    #[must_use]
    pub fn size(self) -> f64 {
        match self {
            Self::Named => 1.0,
            Self::Degrees => DEGREE,
            Self::Turns => TAU,
            Self::Times(factor) => 1.0 / factor,
        }
    }
}

/// Rows that hold a part of another time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Latent {
    /// None: a row is one state.
    #[default]
    None,
    /// The rate is the mean of those of the step and the step before.
    MeanRate,
    /// The rate is that of the step before.
    RateBefore,
    /// The rate is that of the step before, held in space.
    SpaceRateBefore,
    /// The attitude is that of the step before.
    AttitudeBefore,
}

/// Form of rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "RowForm")]
pub struct Report {
    /// Form of attitudes.
    pub attitude: AttitudeForm,
    /// Frame of rates.
    pub frame: RateFrame,
    /// Unit of rates.
    pub unit: RateUnit,
    /// Column of each component of the rate.
    pub columns: [usize; 3],
    /// Signs of the components.
    pub signs: [f64; 3],
    /// Rows of another time.
    pub latent: Latent,
}

impl Default for Report {
    fn default() -> Self {
        Self {
            attitude: AttitudeForm::default(),
            frame: RateFrame::Named,
            unit: RateUnit::Named,
            columns: [0, 1, 2],
            signs: [1.0; 3],
            latent: Latent::None,
        }
    }
}

impl Report {
    /// Returns the reports that differ in what one row says, also with rates in another unit; the plain one first.
    pub fn of_one_row(unit: Option<RateUnit>) -> impl Iterator<Item = Self> {
        let attitudes = [(false, false), (true, false), (false, true), (true, true)];
        attitudes
            .into_iter()
            .flat_map(move |(scalar_moved, transposed)| {
                let plain = Self {
                    attitude: AttitudeForm {
                        scalar_moved,
                        transposed,
                    },
                    ..Self::default()
                };
                let frames = [RateFrame::Named, RateFrame::Space, RateFrame::Back];
                let frames = frames.into_iter().flat_map(move |frame| {
                    let units = [
                        RateUnit::Named,
                        RateUnit::Degrees,
                        RateUnit::Turns,
                        RateUnit::REVERSED,
                    ];
                    units.into_iter().chain(unit).map(move |unit| Self {
                        frame,
                        unit,
                        ..plain
                    })
                });
                let columns = [[1, 0, 2], [2, 1, 0], [0, 2, 1], [1, 2, 0], [2, 0, 1]];
                let columns = columns
                    .into_iter()
                    .map(move |columns| Self { columns, ..plain });
                // All three signs are a unit of −1.
                let signs = (1..7_u8).map(move |bits| {
                    let signs = [0, 1, 2].map(|i| if bits >> i & 1 == 1 { -1.0 } else { 1.0 });
                    Self { signs, ..plain }
                });
                frames.chain(columns).chain(signs)
            })
    }

    /// Returns the number of parts in which this report is not the plain one.
    #[must_use]
    pub fn changes(&self) -> u32 {
        let plain = Self::default();
        [
            self.attitude.scalar_moved,
            self.attitude.transposed,
            self.frame != plain.frame,
            self.unit != plain.unit,
            self.columns != plain.columns,
            self.signs != plain.signs,
            self.latent != plain.latent,
        ]
        .into_iter()
        .map(u32::from)
        .sum()
    }

    /// Returns true if rates are written as their columns say.
    #[must_use]
    pub fn has_plain_rates(&self) -> bool {
        let (attitude, latent) = (self.attitude, self.latent);
        *self
            == Self {
                attitude,
                latent,
                ..Self::default()
            }
    }

    /// Returns the state that was written as `row`; of latent parts, as written.
    #[must_use]
    pub fn read(&self, row: &Row) -> State {
        let mut quat: Quat = row
            .quaternion
            .unwrap_or_else(|| so3::quat_from_matrix(&row.att));
        if self.attitude.scalar_moved {
            quat = [quat[3], quat[0], quat[1], quat[2]];
        }
        if self.attitude.transposed {
            quat = [quat[0], -quat[1], -quat[2], -quat[3]];
        }
        let factor = self.unit.size();
        let written = |i: usize| row.rate[self.columns[i]] * self.signs[i] * factor;
        let mut omega = Vec3::new(written(0), written(1), written(2));
        let att: Mat3 = so3::matrix_from_quat(&quat);
        match (self.frame, row.rate_in_space) {
            (RateFrame::Named, false) | (RateFrame::Space, true) => {}
            (RateFrame::Named, true) | (RateFrame::Space, false) => omega = att.tr_mul(&omega),
            (RateFrame::Back, _) => omega = att * omega,
        }
        State { quat, omega }
    }

    /// Returns the state that a row is taken for which holds `state`, where it is read as its columns say.
    #[must_use]
    pub fn written(&self, state: &State) -> State {
        let att = state.attitude();
        let turned = match self.frame {
            RateFrame::Named => state.omega,
            RateFrame::Space => att * state.omega,
            RateFrame::Back => att.tr_mul(&state.omega),
        };
        let mut omega = Vec3::zeros();
        for i in 0..3 {
            omega[self.columns[i]] = turned[i] * self.signs[i] / self.unit.size();
        }
        let mut quat = state.quat;
        if self.attitude.transposed {
            quat = [quat[0], -quat[1], -quat[2], -quat[3]];
        }
        if self.attitude.scalar_moved {
            quat = [quat[1], quat[2], quat[3], quat[0]];
        }
        State { quat, omega }
    }

    /// Returns what is written of a state and the one before it.
    #[must_use]
    pub fn seen(&self, before: &State, now: &State) -> State {
        let mut seen = *now;
        match self.latent {
            Latent::None => {}
            Latent::MeanRate => seen.omega = (before.omega + now.omega) * 0.5,
            Latent::RateBefore => seen.omega = before.omega,
            Latent::SpaceRateBefore => {
                seen.omega = now.attitude().tr_mul(&(before.attitude() * before.omega));
            }
            Latent::AttitudeBefore => seen.quat = before.quat,
        }
        seen
    }
}
