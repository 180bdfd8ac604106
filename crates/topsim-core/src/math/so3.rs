//! The rotation group SO(3): hat, vee, exp, log, tangent of exp, distances, frames.
//!
//! Rotation matrices map body components to space components; rotation vectors are in radians. `exp(Ψ) = I + a
//! [Ψ]× + b [Ψ]×²` with `x = |Ψ|`, `a = sin x / x`, `b = ½ (sin(x/2)/(x/2))²` (Rodrigues). `1 − cos x` is never
//! formed, because it loses digits for small x.

use super::{Mat3, Quat, Vec3, scalar};

/// Returns the entries row by row.
#[inline]
pub fn rows(m: &Mat3) -> [f64; 9] {
    [
        m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33,
    ]
}

/// Returns the skew matrix of `v`: `hat(v) w = v × w`.
pub fn hat(v: &Vec3) -> Mat3 {
    Mat3::new(0.0, -v.z, v.y, v.z, 0.0, -v.x, -v.y, v.x, 0.0)
}

/// Returns `hat(v) m` without the products with zeros.
#[inline(always)]
pub(crate) fn hat_times(v: &Vec3, m: &Mat3) -> Mat3 {
    let crossed = |k: usize| v.cross(&m.column(k));
    Mat3::from_columns(&[crossed(0), crossed(1), crossed(2)])
}

/// Returns `m hat(v)` without the products with zeros.
#[inline(always)]
pub(crate) fn times_hat(m: &Mat3, v: &Vec3) -> Mat3 {
    let [a, b, c] = [m.column(0), m.column(1), m.column(2)];
    Mat3::from_columns(&[b * v.z - c * v.y, c * v.x - a * v.z, a * v.y - b * v.x])
}

/// Returns the axial vector of the skew part of `m`: `vee(hat(v)) = v`.
pub fn vee(m: &Mat3) -> Vec3 {
    0.5 * Vec3::new(
        m[(2, 1)] - m[(1, 2)],
        m[(0, 2)] - m[(2, 0)],
        m[(1, 0)] - m[(0, 1)],
    )
}

/// Squared angle (rad²) below which Taylor series replace sine and cosine.
pub(crate) const SERIES: f64 = 0.25;

/// Angles for which a function of them is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AngleRange {
    /// Any angle.
    Any,
    /// Angles of the series alone: functions of larger ones are NaN. Lanes take no branch, and a caller that finds a NaN
    /// makes the step again with any angle.
    Series,
}

impl AngleRange {
    /// Returns Rodrigues' coefficients `(a, b)` as functions of `x² = |Ψ|²`.
    ///
    /// For x ≤ ½ they use Taylor series in x² (next term below 1e-20), which need neither a root nor a sine and
    /// serve every small step; above that, one sine and cosine of x/2.
    #[inline(always)]
    pub(crate) fn rodrigues(self, x2: f64) -> (f64, f64) {
        if x2 <= SERIES {
            // Σ (−x²)^k / (2k+1)!  and  Σ (−x²)^k · 1/(2k+2)!
            const A: [f64; 8] = alternating(1);
            const B: [f64; 8] = alternating(2);
            (estrin8(&A, x2), estrin8(&B, x2))
        } else {
            self.rodrigues_closed(x2)
        }
    }

    /// Returns `cos x` and Rodrigues' coefficients; the cosine has its own series, so that it does not wait for b.
    #[inline(always)]
    pub(crate) fn cosine_and_rodrigues(self, x2: f64) -> (f64, f64, f64) {
        if x2 <= SERIES {
            const COS: [f64; 8] = alternating(0);
            let (a, b) = self.rodrigues(x2);
            (estrin8(&COS, x2), a, b)
        } else {
            let (a, b) = self.rodrigues_closed(x2);
            (1.0 - b * x2, a, b)
        }
    }

    #[inline(always)]
    fn rodrigues_closed(self, x2: f64) -> (f64, f64) {
        match self {
            Self::Any => rodrigues_closed(x2),
            Self::Series => (f64::NAN, f64::NAN),
        }
    }

    /// Returns `e = (1 − (x/2) cot(x/2))/x²` as a function of `x²`, x < 2π; the inverse of the tangent map is `Jr⁻¹
    /// = I + ½ [Ψ]× + e [Ψ]×²`.
    #[inline(always)]
    pub(crate) fn tangent_inverse_coefficient(self, x2: f64) -> f64 {
        if x2 <= SERIES {
            // The coefficients are |B₂ₖ|/(2k)!, with the Bernoulli numbers B₂ₖ.
            const E: [f64; 8] = [
                1.0 / 12.0,
                1.0 / 720.0,
                1.0 / 30_240.0,
                1.0 / 1_209_600.0,
                1.0 / 47_900_160.0,
                691.0 / 1_307_674_368_000.0,
                1.0 / 74_724_249_600.0,
                3617.0 / 10_670_622_842_880_000.0,
            ];
            estrin8(&E, x2)
        } else {
            let (a, b) = self.rodrigues(x2);
            (1.0 - 0.5 * a / b) / x2
        }
    }

    /// Exponential map: returns the rotation by the rotation vector `psi` (rad).
    #[inline(always)]
    pub(crate) fn exp(self, psi: &Vec3) -> Mat3 {
        let (a, b) = self.rodrigues(psi.norm_squared());
        rodrigues_matrix(psi, a, b)
    }
}

/// Returns Rodrigues' coefficients `(a, b)` as functions of `x² = |Ψ|²`, for any angle.
#[inline]
pub fn rodrigues(x2: f64) -> (f64, f64) {
    AngleRange::Any.rodrigues(x2)
}

/// Returns the coefficients `(−1)^k/(2k + n)!`; the factorials are exact up to 22!.
pub(super) const fn alternating<const N: usize>(n: u32) -> [f64; N] {
    let mut out = [0.0; N];
    let (mut k, mut last, mut factorial, mut sign) = (0, 1, 1.0, 1.0);
    while k < N {
        while last < 2 * k as u32 + n {
            last += 1;
            factorial *= last as f64;
        }
        out[k] = sign / factorial;
        sign = -sign;
        k += 1;
    }
    out
}

/// Computes `(a, b)` from one sine and cosine of x/2. The function is not inlined, so that the steps that do
/// not need it keep their registers.
#[cold]
#[inline(never)]
fn rodrigues_closed(x2: f64) -> (f64, f64) {
    let x = x2.sqrt();
    let (s, c) = scalar::sincos(0.5 * x);
    let r = s / x;
    (2.0 * r * c, 2.0 * r * r)
}

/// Evaluates a polynomial of degree 7 by Estrin's scheme, whose dependency chain has three levels instead of
/// seven.
#[inline(always)]
fn estrin8(p: &[f64; 8], x: f64) -> f64 {
    let x2 = x * x;
    let lo = (p[0] + p[1] * x) + (p[2] + p[3] * x) * x2;
    let hi = (p[4] + p[5] * x) + (p[6] + p[7] * x) * x2;
    lo + hi * (x2 * x2)
}

/// Returns `d = (x − sin x)/x³` as a function of `x²`, the third coefficient of the tangent map.
#[inline]
pub fn tangent_coefficient(x2: f64) -> f64 {
    if x2 <= SERIES {
        const D: [f64; 8] = alternating(3);
        estrin8(&D, x2)
    } else {
        let x = x2.sqrt();
        (x - scalar::sin(x)) / (x2 * x)
    }
}

/// Returns `e = (1 − (x/2) cot(x/2))/x²` as a function of `x²`, x < 2π, of the inverse of the tangent map.
#[inline]
pub fn tangent_inverse_coefficient(x2: f64) -> f64 {
    AngleRange::Any.tangent_inverse_coefficient(x2)
}

/// Exponential map: returns the rotation by the rotation vector `psi` (rad).
#[inline]
pub fn exp(psi: &Vec3) -> Mat3 {
    AngleRange::Any.exp(psi)
}

/// Returns `I + a [Ψ]× + b [Ψ]×²` for given coefficients.
#[inline(always)]
pub(crate) fn rodrigues_matrix(psi: &Vec3, a: f64, b: f64) -> Mat3 {
    let (x, y, z) = (psi.x, psi.y, psi.z);
    let (xx, yy, zz) = (b * x * x, b * y * y, b * z * z);
    let (xy, xz, yz) = (b * x * y, b * x * z, b * y * z);
    let (ax, ay, az) = (a * x, a * y, a * z);
    Mat3::new(
        1.0 - (yy + zz),
        xy - az,
        xz + ay,
        xy + az,
        1.0 - (xx + zz),
        yz - ax,
        xz - ay,
        yz + ax,
        1.0 - (xx + yy),
    )
}

/// Returns `Λ exp(Ψ)` for given coefficients of Ψ, row by row.
///
/// The products with `[Ψ]×` do not wait for a and b, and the matrix of the rotation is not formed: the chain of
/// dependent operations is shorter than through [`exp`]. The products here and below are written in components
/// because the generic matrix products keep their operands in memory.
#[inline(always)]
pub fn turn(att: &Mat3, psi: &Vec3, a: f64, b: f64) -> Mat3 {
    let m = &att.data.0;
    let row = |i: usize| turned_back([m[0][i], m[1][i], m[2][i]], psi, a, b);
    let (x, y, z) = (row(0), row(1), row(2));
    Mat3::new(x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2])
}

/// Returns `exp(Ψ)ᵀ v = v − a Ψ×v + b Ψ×(Ψ×v)`.
#[inline(always)]
fn turned_back(v: [f64; 3], psi: &Vec3, a: f64, b: f64) -> [f64; 3] {
    let (x, y, z) = (psi.x, psi.y, psi.z);
    let f = [
        y * v[2] - z * v[1],
        z * v[0] - x * v[2],
        x * v[1] - y * v[0],
    ];
    let s = [
        y * f[2] - z * f[1],
        z * f[0] - x * f[2],
        x * f[1] - y * f[0],
    ];
    [
        v[0] + (s[0] * b - f[0] * a),
        v[1] + (s[1] * b - f[1] * a),
        v[2] + (s[2] * b - f[2] * a),
    ]
}

/// Returns `exp(Ψ)ᵀ v` for given coefficients of Ψ.
#[inline(always)]
pub(crate) fn turn_back(v: &Vec3, psi: &Vec3, a: f64, b: f64) -> Vec3 {
    Vec3::from(turned_back([v.x, v.y, v.z], psi, a, b))
}

/// Returns `exp(Ψ) v`, the vector rotated by the rotation vector `psi`.
#[inline]
pub(crate) fn rotate(psi: &Vec3, v: &Vec3) -> Vec3 {
    let (a, b) = rodrigues(psi.norm_squared());
    // exp(Ψ) = exp(−Ψ)ᵀ, and a and b are even in Ψ.
    turn_back(v, &-psi, a, b)
}

/// Returns `Λᵀ v`, the body components of a vector given in space.
#[inline(always)]
pub(crate) fn to_body(att: &Mat3, v: &Vec3) -> Vec3 {
    let [a, b, c] = att.data.0;
    Vec3::new(
        a[0] * v.x + a[1] * v.y + a[2] * v.z,
        b[0] * v.x + b[1] * v.y + b[2] * v.z,
        c[0] * v.x + c[1] * v.y + c[2] * v.z,
    )
}

/// Returns `Λ v`, the space components of a vector given in the body.
#[inline(always)]
pub(crate) fn to_space(att: &Mat3, v: &Vec3) -> Vec3 {
    let [a, b, c] = att.data.0;
    Vec3::new(
        a[0] * v.x + b[0] * v.y + c[0] * v.z,
        a[1] * v.x + b[1] * v.y + c[1] * v.z,
        a[2] * v.x + b[2] * v.y + c[2] * v.z,
    )
}

/// Returns the right tangent map of exp, `Jr = I − b [Ψ]× + d [Ψ]×²`, for which `exp(Ψ + δ) ≈ exp(Ψ) exp(Jr
/// δ)`.
#[cfg(any(test, feature = "wrong-schemes"))]
pub(crate) fn right_tangent(psi: &Vec3) -> Mat3 {
    let x2 = psi.norm_squared();
    let (_, b) = rodrigues(x2);
    let d = tangent_coefficient(x2);
    let k = hat(psi);
    Mat3::identity() - k * b + k * k * d
}

/// Returns a right-handed frame whose third column is the unit vector `v`; exact for coordinate axes.
pub fn frame_with_third(v: &Vec3) -> Mat3 {
    let k = v.iamax();
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    if v[i] == 0.0 && v[j] == 0.0 {
        let sign = v[k].signum();
        let mut m = Mat3::zeros();
        m[(i, 0)] = 1.0;
        m[(j, 1)] = sign;
        m[(k, 2)] = sign;
        return m;
    }
    let mut e = Vec3::zeros();
    e[v.iamin()] = 1.0;
    let a = v.cross(&e).normalize();
    Mat3::from_columns(&[a, v.cross(&a), *v])
}

/// Logarithm: returns the rotation vector (rad, length in [0, π]) of a rotation matrix.
///
/// The computation uses the quaternion, so that it keeps full accuracy near 0 and near π.
pub fn log(r: &Mat3) -> Vec3 {
    let q = quat_from_matrix(r);
    let v = Vec3::new(q[1], q[2], q[3]);
    let s = v.norm();
    let (w, v) = if q[0] < 0.0 { (-q[0], -v) } else { (q[0], v) };
    // 2 atan2(s, w)/s → 2/w for small s.
    let k = if s < 1e-8 {
        2.0 / w
    } else {
        2.0 * scalar::atan2(s, w) / s
    };
    v * k
}

/// Returns the geodesic distance (rad, in [0, π]) between two attitudes.
pub fn angle_between(a: &Mat3, b: &Mat3) -> f64 {
    let m = a.transpose() * b;
    let s = vee(&m).norm();
    let c = 0.5 * (m.trace() - 1.0);
    // atan2 keeps the digits both near 0 and near π, where acos loses half of them.
    scalar::atan2(s, c)
}

/// Returns the largest entry of `|RᵀR − I|`.
#[inline]
pub fn orthogonality_defect(r: &Mat3) -> f64 {
    let [a, b, c] = &r.data.0;
    let dot = |u: &[f64; 3], v: &[f64; 3]| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    let defects = [
        dot(a, a) - 1.0,
        dot(b, b) - 1.0,
        dot(c, c) - 1.0,
        dot(a, b),
        dot(a, c),
        dot(b, c),
    ];
    let (mut worst, mut sum) = (0.0_f64, 0.0_f64);
    for d in defects.map(f64::abs) {
        worst = if d > worst { d } else { worst };
        sum += d;
    }
    // The comparisons above drop a NaN, but a NaN must stay visible.
    if sum.is_nan() { sum } else { worst }
}

/// Cayley map: returns `(I − ½[Ψ]×)⁻¹ (I + ½[Ψ]×)`, a rotation by `2 atan(|Ψ|/2)` about Ψ.
pub fn cayley(psi: &Vec3) -> Mat3 {
    let k = 1.0 / (1.0 + 0.25 * psi.norm_squared());
    rodrigues_matrix(psi, k, 0.5 * k)
}

/// Returns the rotation matrix of a quaternion of any non-zero length.
#[inline]
pub fn matrix_from_quat(q: &Quat) -> Mat3 {
    let [w, x, y, z] = *q;
    matrix_by(q, 2.0 / (w * w + x * x + y * y + z * z))
}

/// Returns the rotation matrix of a unit quaternion.
#[inline(always)]
pub(crate) fn matrix_from_unit(q: &Quat) -> Mat3 {
    matrix_by(q, 2.0)
}

/// Returns the matrix of `q` for `k` equal to 2 divided by the squared length.
#[inline(always)]
fn matrix_by(q: &Quat, k: f64) -> Mat3 {
    let [w, x, y, z] = *q;
    Mat3::new(
        1.0 - k * (y * y + z * z),
        k * (x * y - w * z),
        k * (x * z + w * y),
        k * (x * y + w * z),
        1.0 - k * (x * x + z * z),
        k * (y * z - w * x),
        k * (x * z - w * y),
        k * (y * z + w * x),
        1.0 - k * (x * x + y * y),
    )
}

/// Returns the unit quaternion of a rotation matrix (Shepperd: the largest component first).
pub fn quat_from_matrix(r: &Mat3) -> Quat {
    let t = r.trace();
    let candidates = [t, r[(0, 0)], r[(1, 1)], r[(2, 2)]];
    let mut best = 0;
    for i in 1..4 {
        if candidates[i] > candidates[best] {
            best = i;
        }
    }
    let q = match best {
        0 => [
            1.0 + t,
            r[(2, 1)] - r[(1, 2)],
            r[(0, 2)] - r[(2, 0)],
            r[(1, 0)] - r[(0, 1)],
        ],
        1 => [
            r[(2, 1)] - r[(1, 2)],
            1.0 + r[(0, 0)] - r[(1, 1)] - r[(2, 2)],
            r[(0, 1)] + r[(1, 0)],
            r[(0, 2)] + r[(2, 0)],
        ],
        2 => [
            r[(0, 2)] - r[(2, 0)],
            r[(0, 1)] + r[(1, 0)],
            1.0 + r[(1, 1)] - r[(0, 0)] - r[(2, 2)],
            r[(1, 2)] + r[(2, 1)],
        ],
        _ => [
            r[(1, 0)] - r[(0, 1)],
            r[(0, 2)] + r[(2, 0)],
            r[(1, 2)] + r[(2, 1)],
            1.0 + r[(2, 2)] - r[(0, 0)] - r[(1, 1)],
        ],
    };
    let n = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    [q[0] / n, q[1] / n, q[2] / n, q[3] / n]
}

#[cfg(test)]
mod tests;
