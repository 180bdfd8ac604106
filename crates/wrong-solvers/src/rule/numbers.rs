//! States as numbers.

use super::Slopes;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::RotState;

/// A quaternion and a rate.
pub(super) type Numbers = [f64; 7];

pub(super) fn numbers(y: &RotState) -> Numbers {
    let [a, b, c, d] = so3::quat_from_matrix(&y.att);
    [a, b, c, d, y.omega.x, y.omega.y, y.omega.z]
}

pub(super) fn state(x: &Numbers) -> RotState {
    let n = x[..4].iter().map(|x| x * x).sum::<f64>().sqrt();
    RotState {
        att: so3::matrix_from_quat(&[x[0] / n, x[1] / n, x[2] / n, x[3] / n]),
        omega: Vec3::new(x[4], x[5], x[6]),
    }
}

pub(super) fn plus(x: &Numbers, parts: &[(f64, &Numbers)]) -> Numbers {
    core::array::from_fn(|i| x[i] + parts.iter().map(|(c, k)| c * k[i]).sum::<f64>())
}

pub(super) fn slope(f: Slopes, t: f64, x: &Numbers) -> Numbers {
    let y = state(x);
    let (u, a) = f(t, &y.att, &y.omega);
    let [w, b, c, d] = [x[0], x[1], x[2], x[3]].map(|x| 0.5 * x);
    [
        -b * u.x - c * u.y - d * u.z,
        w * u.x + c * u.z - d * u.y,
        w * u.y + d * u.x - b * u.z,
        w * u.z + b * u.y - c * u.x,
        a.x,
        a.y,
        a.z,
    ]
}

/// Makes a step of the classical Runge–Kutta rule; `f` takes the time from the start of the step.
pub fn rk4<const N: usize>(
    h: f64,
    y: [f64; N],
    f: impl Fn(f64, &[f64; N]) -> [f64; N],
) -> [f64; N] {
    let at = |k: &[f64; N], c: f64| -> [f64; N] { core::array::from_fn(|i| y[i] + c * k[i]) };
    let k1 = f(0.0, &y);
    let k2 = f(0.5 * h, &at(&k1, 0.5 * h));
    let k3 = f(0.5 * h, &at(&k2, 0.5 * h));
    let k4 = f(h, &at(&k3, h));
    core::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}

/// The solution of x = g(x) near `x`.
pub(super) fn fixed_point(x: Numbers, g: impl Fn(&Numbers) -> Numbers) -> Numbers {
    let mut x = x;
    for _ in 0..100 {
        let next = g(&x);
        let change = (0..7).map(|i| (next[i] - x[i]).abs()).fold(0.0, f64::max);
        x = next;
        if change < 1e-15 {
            break;
        }
    }
    x
}

/// Makes a matrix orthogonal column by column.
pub fn by_columns(m: &Mat3) -> Mat3 {
    let a = m.column(0).normalize();
    let b = (m.column(1) - a * a.dot(&m.column(1))).normalize();
    Mat3::from_columns(&[a, b, a.cross(&b)])
}
