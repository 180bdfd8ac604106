//! Turns of a step by formulas with a slip: a half of the angle that is forgotten, a coefficient of Rodrigues' formula, components that
//! are overwritten one after the other, a scalar part of the rate.

use crate::equations::turning;
use crate::probe::nearest_rotation;
use crate::turn_map::by_columns;
use core::fmt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;
use topsim_core::math::{Mat3, Quat, Vec3, quaternion, scalar, so3};

/// Formula of a turn with a slip, where a is the angle |W| h and n the axis of W.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnSlip {
    /// Parts of the quaternion of the turn.
    Parts(Parts),
    /// Coefficients of Rodrigues' formula, whose matrix is made a rotation.
    Rodrigues(Coefficients, Repair),
    /// Scalar part of the rate in q' = ½ q W.
    RateScalar(RateScalar),
    /// Components of q, to which those of its change are added, overwritten one after the other.
    SumInPlace(Order, Side),
    /// Components of the product of q and the turn overwritten one after the other.
    ProductInPlace(Order, Side),
    /// Columns of the matrix, to which its change is added, overwritten one after the other.
    ColumnsInPlace(Repair),
}

/// Scalar and vector part of the quaternion of a turn, which should be cos(a/2) and sin(a/2) n.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Parts {
    /// cos(a) and sin(a/2) n.
    CosineOfWhole,
    /// cos(a/2) and sin(a) n.
    SineOfWhole,
    /// cos(a/2) and sin(a) n/2.
    HalfOfSine,
    /// cos(a) and a n/2.
    CosineOfWholeAlone,
    /// cos(a/2) and sin(a/2) W h.
    AngleTwice,
    /// cos(a/2) and sin(a/2) W.
    RateTwice,
}

/// Coefficients of V and V² in 1 + A V + B V², V = h Ŵ, which should be sin(a)/a and (1 − cos a)/a².
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Coefficients {
    /// B = (1 − cos a)/a.
    SecondOverAngle,
    /// B = 1 − cos a.
    SecondUndivided,
    /// B = −(1 − cos a)/a².
    SecondReversed,
    /// B = (1 + cos a)/a².
    SecondPlus,
    /// B = cos(a)/a².
    SecondCosine,
    /// B = (1 − cos(a/2))/a².
    SecondOfHalf,
    /// B = 2 (1 − cos a)/a².
    SecondDoubled,
    /// B = 0.
    SecondMissing,
    /// A = sin a.
    FirstUndivided,
    /// A = sin(a)/a².
    FirstOverSquare,
    /// A = sin a, and B = 1 − cos a.
    BothUndivided,
}

/// Scalar part of a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RateScalar {
    /// 1.
    One,
    /// −1.
    MinusOne,
    /// |W|.
    Speed,
}

/// Way in which a matrix is made a rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Repair {
    /// The nearest rotation.
    Nearest,
    /// Columns made orthogonal one after the other.
    Columns,
}

/// Order in which components are overwritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// w, x, y, z.
    ScalarFirst,
    /// x, y, z, w.
    ScalarLast,
    /// z, y, x, w.
    Reversed,
}

/// Side from which an attitude is turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The turn is by the rate in the body.
    Body,
    /// The turn is by the rate in space.
    Space,
}

impl Order {
    fn components(self) -> [usize; 4] {
        match self {
            Self::ScalarFirst => [0, 1, 2, 3],
            Self::ScalarLast => [1, 2, 3, 0],
            Self::Reversed => [3, 2, 1, 0],
        }
    }

    /// Returns what a linear function makes of a quaternion whose components it overwrites.
    fn overwritten(self, q: &Quat, of: impl Fn(&Quat) -> Quat) -> Quat {
        let mut out = *q;
        for i in self.components() {
            out[i] = of(&out)[i];
        }
        out
    }
}

impl Repair {
    fn rotation(self, m: &Mat3) -> Mat3 {
        match self {
            Self::Nearest => nearest_rotation(*m),
            Self::Columns => by_columns(m),
        }
    }
}

impl TurnSlip {
    /// Returns all of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let parts = Parts::VARIANTS.iter().copied().map(Self::Parts);
        let rodrigues = Coefficients::VARIANTS
            .iter()
            .flat_map(|&c| Repair::VARIANTS.iter().map(move |&r| Self::Rodrigues(c, r)));
        let scalars = RateScalar::VARIANTS.iter().copied().map(Self::RateScalar);
        let in_place = Order::VARIANTS.iter().flat_map(|&order| {
            let sides = Side::VARIANTS.iter();
            sides.flat_map(move |&side| {
                [
                    Self::SumInPlace(order, side),
                    Self::ProductInPlace(order, side),
                ]
            })
        });
        let columns = Repair::VARIANTS.iter().copied().map(Self::ColumnsInPlace);
        parts
            .chain(rodrigues)
            .chain(scalars)
            .chain(in_place)
            .chain(columns)
    }

    /// Returns the attitude that is turned with a rate for `h`.
    #[must_use]
    pub fn turned(self, q: &Quat, rate: &Vec3, h: f64) -> Quat {
        let turn = rate * h;
        let half = turn * 0.5;
        let (angle, speed) = (turn.norm(), rate.norm());
        let axis = if speed > 0.0 {
            rate / speed
        } else {
            Vec3::zeros()
        };
        let att = || so3::matrix_from_quat(q);
        let into_space = |v: &Vec3| att() * v;
        let end = match self {
            Self::Parts(parts) => {
                let (sin, cos) = scalar::sincos(0.5 * angle);
                let (sin_whole, cos_whole) = scalar::sincos(angle);
                let (s, v) = match parts {
                    Parts::CosineOfWhole => (cos_whole, axis * sin),
                    Parts::SineOfWhole => (cos, axis * sin_whole),
                    Parts::HalfOfSine => (cos, axis * (0.5 * sin_whole)),
                    Parts::CosineOfWholeAlone => (cos_whole, half),
                    Parts::AngleTwice => (cos, turn * sin),
                    Parts::RateTwice => (cos, rate * sin),
                };
                quaternion::product(q, &[s, v.x, v.y, v.z])
            }
            Self::Rodrigues(coefficients, repair) => {
                let [a, b] = coefficients.values(angle);
                let v = so3::hat(&turn);
                let m = att() * (Mat3::identity() + v * a + v * v * b);
                so3::quat_from_matrix(&repair.rotation(&m))
            }
            Self::RateScalar(of) => {
                let s = match of {
                    RateScalar::One => 1.0,
                    RateScalar::MinusOne => -1.0,
                    RateScalar::Speed => speed,
                };
                let by = [1.0 + 0.5 * h * s, half.x, half.y, half.z];
                quaternion::product(q, &by)
            }
            Self::SumInPlace(order, side) => {
                let change = |q: &Quat| match side {
                    Side::Body => turning(q, &turn),
                    Side::Space => {
                        let half = into_space(&half);
                        quaternion::product(&[0.0, half.x, half.y, half.z], q)
                    }
                };
                order.overwritten(q, |q| {
                    let change = change(q);
                    core::array::from_fn(|i| q[i] + change[i])
                })
            }
            Self::ProductInPlace(order, side) => order.overwritten(q, |q| match side {
                Side::Body => quaternion::product(q, &quaternion::exp(&turn)),
                Side::Space => quaternion::product(&quaternion::exp(&into_space(&turn)), q),
            }),
            Self::ColumnsInPlace(repair) => {
                let mut m = att();
                let v = so3::hat(&turn);
                for k in 0..3 {
                    let change = m * v.column(k);
                    let column = m.column(k) + change;
                    m.set_column(k, &column);
                }
                so3::quat_from_matrix(&repair.rotation(&m))
            }
        };
        quaternion::unit(&end)
    }
}

impl Coefficients {
    /// Returns the coefficients of a turn by an angle.
    fn values(self, angle: f64) -> [f64; 2] {
        let (sin, cos) = scalar::sincos(angle);
        let square = (angle * angle).max(f64::MIN_POSITIVE);
        let divided = angle.max(f64::MIN_POSITIVE);
        // Without cancellation, as authors do not write it: the difference is rounding.
        let versine = 2.0 * scalar::sin(0.5 * angle).powi(2);
        let right = [sin / divided, versine / square];
        match self {
            Self::SecondOverAngle => [right[0], versine / divided],
            Self::SecondUndivided => [right[0], versine],
            Self::SecondReversed => [right[0], -right[1]],
            Self::SecondPlus => [right[0], (1.0 + cos) / square],
            Self::SecondCosine => [right[0], cos / square],
            Self::SecondOfHalf => {
                let versine = 2.0 * scalar::sin(0.25 * angle).powi(2);
                [right[0], versine / square]
            }
            Self::SecondDoubled => [right[0], 2.0 * right[1]],
            Self::SecondMissing => [right[0], 0.0],
            Self::FirstUndivided => [sin, right[1]],
            Self::FirstOverSquare => [sin / square, right[1]],
            Self::BothUndivided => [sin, versine],
        }
    }
}

impl fmt::Display for TurnSlip {
    /// Writes what is wrong with the formula, as a clause.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parts(parts) => {
                let [scalar, vector] = match parts {
                    Parts::CosineOfWhole => ["cos a", "n sin(a/2)"],
                    Parts::SineOfWhole => ["cos(a/2)", "n sin a"],
                    Parts::HalfOfSine => ["cos(a/2)", "n sin(a)/2"],
                    Parts::CosineOfWholeAlone => ["cos a", "n a/2"],
                    Parts::AngleTwice => ["cos(a/2)", "h W sin(a/2)"],
                    Parts::RateTwice => ["cos(a/2)", "W sin(a/2)"],
                };
                write!(
                    f,
                    "the quaternion of a turn by the angle a = |W| h about the axis n is ({scalar}, {vector}), normalised, where (cos(a/2), \
                     n sin(a/2)) is right"
                )
            }
            Self::Rodrigues(coefficients, _) => {
                let [first, second] = match coefficients {
                    Coefficients::SecondOverAngle => ["sin(a)/a", "(1 − cos a)/a"],
                    Coefficients::SecondUndivided => ["sin(a)/a", "1 − cos a"],
                    Coefficients::SecondReversed => ["sin(a)/a", "−(1 − cos a)/a²"],
                    Coefficients::SecondPlus => ["sin(a)/a", "(1 + cos a)/a²"],
                    Coefficients::SecondCosine => ["sin(a)/a", "cos(a)/a²"],
                    Coefficients::SecondOfHalf => ["sin(a)/a", "(1 − cos(a/2))/a²"],
                    Coefficients::SecondDoubled => ["sin(a)/a", "2 (1 − cos a)/a²"],
                    Coefficients::SecondMissing => ["sin(a)/a", "0"],
                    Coefficients::FirstUndivided => ["sin a", "(1 − cos a)/a²"],
                    Coefficients::FirstOverSquare => ["sin(a)/a²", "(1 − cos a)/a²"],
                    Coefficients::BothUndivided => ["sin a", "1 − cos a"],
                };
                write!(
                    f,
                    "in Rodrigues' formula 1 + A V + B V² of V = h Ŵ, A is {first} and B is {second}, where sin(a)/a and (1 − cos a)/a² of the \
                     angle a = |W| h are right"
                )
            }
            Self::RateScalar(of) => {
                let scalar = match of {
                    RateScalar::One => "1",
                    RateScalar::MinusOne => "−1",
                    RateScalar::Speed => "|W|",
                };
                write!(
                    f,
                    "the rate in q' = ½ q W has the scalar part {scalar}, where 0 is right"
                )
            }
            Self::SumInPlace(order, _) | Self::ProductInPlace(order, _) => {
                let order = match order {
                    Order::ScalarFirst => "w, x, y, z",
                    Order::ScalarLast => "x, y, z, w",
                    Order::Reversed => "z, y, x, w",
                };
                let how = match self {
                    Self::SumInPlace(..) => "sum of q and its change",
                    _ => "product of q and the turn",
                };
                write!(
                    f,
                    "the components of q are overwritten in the order {order} in the {how}, so that later ones are made of new ones"
                )
            }
            Self::ColumnsInPlace(_) => f.write_str(
                "the columns of the matrix are overwritten one after the other, so that later ones are made of new ones",
            ),
        }
    }
}
