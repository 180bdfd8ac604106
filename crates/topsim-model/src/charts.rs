//! Kinematics of a chart with one entry that is wrong: q' = ½ Ω(W) q, or the rates of Euler angles. A sum of vectors of the body
//! does not hold them, so they are no terms of the family of laws; each has no number to fit.
//!
//! Source: `docs/science/identification.md`, section 4.

use crate::euler::{ORDERS, Sequence};
use crate::probe::Start;
use topsim_core::math::{Mat3, Quat, Vec3, quaternion, so3};

/// Kinematics that turn an attitude otherwise than the rate does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Chart {
    /// The components of the rate, in this order, are taken for the derivatives of Euler angles.
    AngleRates(Sequence, [usize; 3]),
    /// In the derivative of this component of the quaternion the product with this component of the rate has another factor.
    Quaternion {
        /// Component of the quaternion, scalar first.
        component: usize,
        /// Component of the rate.
        rate: usize,
        /// Factor of the product.
        factor: f64,
    },
    /// In the derivative of this Euler angle this component of the rate has another factor.
    Angles {
        /// Axes of the angles.
        sequence: Sequence,
        /// Angle, from 0.
        angle: usize,
        /// Component of the rate.
        rate: usize,
        /// Factor of the component.
        factor: f64,
    },
}

/// Factors that an entry has by mistake: another sign, missing, doubled.
const FACTORS: [f64; 3] = [-1.0, 0.0, 2.0];

impl Chart {
    /// Returns all charts, those that are most often meant first.
    pub fn all() -> impl Iterator<Item = Self> {
        let rates = Sequence::all().flat_map(|s| ORDERS.map(|order| Self::AngleRates(s, order)));
        let entries = |count: usize| {
            let pairs = (0..count).flat_map(|i| (0..3).map(move |k| (i, k)));
            pairs.flat_map(|(i, k)| FACTORS.map(|factor| (i, k, factor)))
        };
        let quaternions = entries(4).map(|(component, rate, factor)| Self::Quaternion {
            component,
            rate,
            factor,
        });
        let angles = Sequence::all().flat_map(move |sequence| {
            entries(3).map(move |(angle, rate, factor)| Self::Angles {
                sequence,
                angle,
                rate,
                factor,
            })
        });
        rates.chain(quaternions).chain(angles)
    }

    /// Returns the rates with which it turns a body, rad/s, one for each way in which its coordinates can be chosen.
    #[must_use]
    pub fn rates(self, start: &Start) -> Vec<Vec3> {
        let w = start.omega;
        match self {
            Self::Quaternion {
                component,
                rate,
                factor,
            } => {
                let q = so3::quat_from_matrix(&start.att);
                let mut change = quaternion::product(&q, &[0.0, w.x, w.y, w.z]);
                let mut one = [0.0; 4];
                one[rate + 1] = w[rate];
                change[component] += (factor - 1.0) * quaternion::product(&q, &one)[component];
                vec![turned(&q, &change)]
            }
            Self::AngleRates(sequence, order) => both(sequence, start, |_| order.map(|k| w[k])),
            Self::Angles {
                sequence,
                angle,
                rate,
                factor,
            } => both(sequence, start, |angles| {
                // Columns are the rates of the angles by themselves.
                let columns = [0, 1, 2].map(|k| {
                    let mut one = [0.0; 3];
                    one[k] = 1.0;
                    by_angles(sequence, angles, one)
                });
                let matrix = Mat3::from_columns(&columns);
                let mut inverse = matrix.try_inverse().unwrap_or_default();
                inverse[(angle, rate)] *= factor;
                (inverse * w).into()
            }),
        }
    }
}

/// Returns the body's rate of q' = ½ `change`, whose part along q is lost when q is normalised.
fn turned(q: &Quat, change: &Quat) -> Vec3 {
    let [w, x, y, z] = *q;
    let [_, a, b, c] = quaternion::product(&[w, -x, -y, -z], change);
    Vec3::new(a, b, c)
}

/// Returns the body's rate where the angles change so fast.
fn by_angles(sequence: Sequence, angles: [f64; 3], change: [f64; 3]) -> Vec3 {
    const D: f64 = 1e-5;
    let at = |d: f64| sequence.matrix([0, 1, 2].map(|i| angles[i] + d * change[i]));
    so3::log(&at(-D).tr_mul(&at(D))) / (2.0 * D)
}

/// Returns the body's rates where the angles of a sequence, either pair of which may be meant, change by a rule.
fn both(sequence: Sequence, start: &Start, change: impl Fn([f64; 3]) -> [f64; 3]) -> Vec<Vec3> {
    let angles = sequence.angles(&start.att);
    let each = [angles, sequence.again(angles)];
    each.map(|a| by_angles(sequence, a, change(a))).into()
}
