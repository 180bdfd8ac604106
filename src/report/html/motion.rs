//! Quaternions and body rates with which the script moves the body.

use super::body::{MotionState, total_momenta};
use super::numbers::{PackedNumbers, double, single};
use nalgebra::Matrix3;
use serde::Serialize;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::{Columns, GroupKind, Model, Quantity};

/// A motion: times `t`, quaternions `q` (scalar first, body → space) and body rates `w`.
#[derive(Serialize)]
pub(super) struct MotionData {
    t: String,
    q: String,
    w: RateArray,
    /// Spatial momenta, three numbers each, if they differ from R J W.
    #[serde(skip_serializing_if = "Option::is_none")]
    l: Option<PackedNumbers>,
}

/// Body rates, three numbers each, in the precision of their motion.
#[derive(Serialize)]
#[serde(untagged)]
enum RateArray {
    Coarse(PackedNumbers),
    Exact(String),
}

/// Precision in which numbers are written.
#[derive(Clone, Copy)]
pub(super) enum Digits {
    Single,
    Double,
}

impl MotionData {
    /// Packs a motion given by its times, attitudes and body rates, which may be unknown.
    pub fn new(states: &[MotionState], digits: Digits, model: Option<&Model>) -> Self {
        let momenta = model.and_then(|m| total_momenta(m, states));
        let l = momenta.map(|momenta| PackedNumbers::new(&momenta));
        let quaternions = states
            .iter()
            .flat_map(|(_, att, _)| so3::quat_from_matrix(att));
        let rates = states
            .iter()
            .flat_map(|(.., rate)| rate.map_or([f64::NAN; 3], |w| [w.x, w.y, w.z]));
        let times = states.iter().map(|s| s.0);
        match digits {
            Digits::Single => Self {
                t: single(times),
                q: single(quaternions),
                w: RateArray::Coarse(PackedNumbers::new(&rates.collect::<Vec<_>>())),
                l,
            },
            Digits::Double => Self {
                t: double(times),
                q: double(quaternions),
                w: RateArray::Exact(double(rates)),
                l,
            },
        }
    }
}

/// The columns of a history that hold the attitude and the body rate.
pub(super) struct MotionColumns<'a> {
    attitude: &'a [usize],
    rate: Option<&'a [usize]>,
    whole: bool,
}

impl<'a> MotionColumns<'a> {
    /// Finds them among the columns of a history: the whole attitude of a body, or the axis of a reduced one.
    pub fn of(columns: &'a Columns) -> Option<Self> {
        let group = |quantity| {
            let mut of = columns
                .groups
                .iter()
                .filter(move |g| g.quantity == quantity);
            // A quantity of several bodies has no single body to show.
            of.next().filter(|_| of.next().is_none())
        };
        let attitude = group(Quantity::Attitude).filter(|g| g.kind == GroupKind::Attitude);
        if let Some(attitude) = attitude {
            return Some(Self {
                attitude: &attitude.channels,
                rate: group(Quantity::BodyRate).map(|g| &*g.channels),
                whole: true,
            });
        }
        let axis = group(Quantity::Axis).filter(|g| g.channels.len() == 3)?;
        Some(Self {
            attitude: &axis.channels,
            rate: None,
            whole: false,
        })
    }

    /// Tests whether rows hold the whole attitude.
    pub fn whole(&self) -> bool {
        self.whole
    }

    /// Returns the attitude and the body rate of a row.
    pub fn state(&self, row: &[f64]) -> (Mat3, Option<Vec3>) {
        let at = |c: &usize| row[*c];
        let attitude = self.attitude.iter().map(at);
        let att = if self.whole {
            Matrix3::from_row_iterator(attitude)
        } else {
            upright_to(&Vec3::from_iterator(attitude))
        };
        let rate = self.rate.filter(|r| r.len() == 3);
        (att, rate.map(|r| Vec3::from_iterator(r.iter().map(at))))
    }
}

/// Returns the smallest rotation that takes e3 to a unit vector.
fn upright_to(axis: &Vec3) -> Mat3 {
    if axis.z <= -1.0 {
        return so3::matrix_from_quat(&[0.0, 1.0, 0.0, 0.0]);
    }
    so3::matrix_from_quat(&[1.0 + axis.z, -axis.y, axis.x, 0.0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_turn_takes_the_third_axis_there() {
        for axis in [
            [0.0, 0.0, 1.0],
            [0.6, 0.0, 0.8],
            [0.48, -0.64, -0.6],
            [0.0, 0.0, -1.0],
        ] {
            let axis = Vec3::from(axis);
            assert!((upright_to(&axis) * Vec3::z() - axis).norm() < 1e-15);
        }
    }
}
