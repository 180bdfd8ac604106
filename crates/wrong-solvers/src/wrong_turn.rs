//! Turns of a step by formulas that are wrong in one place.

use topsim_core::math::{Mat3, Quat, Random, Vec3, so3};
use topsim_model::probe::nearest_rotation;

/// Formula of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrongTurn {
    /// cos(a) for cos(a/2) in the quaternion.
    WholeCosine,
    /// sin(a)/2 for sin(a/2) in the quaternion.
    HalfOfSine,
    /// The axis of the quaternion's vector part is not divided by its length.
    AxisOfTurn,
    /// (1 − cos a)/a in Rodrigues' formula.
    SecondOverAngle,
    /// 1 − cos a in it, made orthogonal by columns.
    SecondUndivided,
    /// The other sign of its second term.
    SecondReversed,
    /// sin a for sin(a)/a in it.
    FirstUndivided,
    /// A scalar part of 1 in the quaternion of the rate.
    ScalarOfOne,
    /// Components of q overwritten in q += h q W/2: w, x, y, z, or x, y, z, w.
    Sum {
        /// True if w is the last.
        scalar_last: bool,
        /// True if the rate is that in space.
        in_space: bool,
    },
    /// Components of q overwritten in q = q exp(h W).
    Product {
        /// True if w is the last.
        scalar_last: bool,
    },
    /// Columns of the matrix overwritten in R += h R Ŵ.
    Columns,
}

/// All formulas.
const ALL: [WrongTurn; 15] = {
    use WrongTurn as W;
    let (no, yes) = (false, true);
    [
        W::WholeCosine,
        W::HalfOfSine,
        W::AxisOfTurn,
        W::SecondOverAngle,
        W::SecondUndivided,
        W::SecondReversed,
        W::FirstUndivided,
        W::ScalarOfOne,
        W::Sum {
            scalar_last: no,
            in_space: no,
        },
        W::Sum {
            scalar_last: yes,
            in_space: no,
        },
        W::Sum {
            scalar_last: no,
            in_space: yes,
        },
        W::Sum {
            scalar_last: yes,
            in_space: yes,
        },
        W::Product { scalar_last: no },
        W::Product { scalar_last: yes },
        W::Columns,
    ]
};

fn product(p: &Quat, q: &Quat) -> Quat {
    let [a, b, c, d] = *p;
    let [e, f, g, h] = *q;
    [
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    ]
}

fn rotation(q: Quat) -> Mat3 {
    let size = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    so3::matrix_from_quat(&q.map(|x| x / size))
}

fn by_columns(m: &Mat3) -> Mat3 {
    let x = m.column(0).normalize();
    let y = m.column(1) - x * x.dot(&m.column(1));
    let y = y.normalize();
    Mat3::from_columns(&[x, y, x.cross(&y)])
}

impl WrongTurn {
    /// Returns all formulas.
    pub fn all() -> [Self; 15] {
        ALL
    }

    /// Draws one.
    pub fn draw(r: &mut Random) -> Self {
        ALL[(r.bits() % ALL.len() as u64) as usize]
    }

    /// Returns the attitude that is turned with a rate for `h`.
    pub(crate) fn turned(self, att: &Mat3, w: &Vec3, h: f64) -> Mat3 {
        let q = so3::quat_from_matrix(att);
        let (speed, turn) = (w.norm(), w * h);
        let a = speed * h;
        let n = if speed > 0.0 {
            w / speed
        } else {
            Vec3::zeros()
        };
        let by = |s: f64, v: Vec3| rotation(product(&q, &[s, v.x, v.y, v.z]));
        let rodrigues = |first: f64, second: f64| {
            let hat = so3::hat(&n);
            att * (Mat3::identity() + hat * first + hat * hat * second)
        };
        let overwritten = |scalar_last: bool, of: &dyn Fn(&Quat) -> Quat| {
            let mut q = q;
            for k in 0..4 {
                let i = if scalar_last { (k + 1) % 4 } else { k };
                q[i] = of(&q)[i];
            }
            rotation(q)
        };
        match self {
            Self::WholeCosine => by(a.cos(), n * (0.5 * a).sin()),
            Self::HalfOfSine => by((0.5 * a).cos(), n * (0.5 * a.sin())),
            Self::AxisOfTurn => by((0.5 * a).cos(), turn * (0.5 * a).sin()),
            Self::SecondOverAngle => nearest_rotation(rodrigues(a.sin(), (1.0 - a.cos()) * a)),
            Self::SecondUndivided => by_columns(&rodrigues(a.sin(), (1.0 - a.cos()) * a * a)),
            Self::SecondReversed => nearest_rotation(rodrigues(a.sin(), a.cos() - 1.0)),
            Self::FirstUndivided => nearest_rotation(rodrigues(a.sin() * a, 1.0 - a.cos())),
            Self::ScalarOfOne => by(1.0 + 0.5 * h, turn * 0.5),
            Self::Sum {
                scalar_last,
                in_space,
            } => {
                let v = if in_space { att * turn } else { turn } * 0.5;
                let change = [0.0, v.x, v.y, v.z];
                overwritten(scalar_last, &|q| {
                    let d = if in_space {
                        product(&change, q)
                    } else {
                        product(q, &change)
                    };
                    core::array::from_fn(|i| q[i] + d[i])
                })
            }
            Self::Product { scalar_last } => {
                let v = n * (0.5 * a).sin();
                let by = [(0.5 * a).cos(), v.x, v.y, v.z];
                overwritten(scalar_last, &|q| product(q, &by))
            }
            Self::Columns => {
                let mut m = *att;
                let hat = so3::hat(&turn);
                for k in 0..3 {
                    let column = m.column(k) + m * hat.column(k);
                    m.set_column(k, &column);
                }
                nearest_rotation(m)
            }
        }
    }
}
