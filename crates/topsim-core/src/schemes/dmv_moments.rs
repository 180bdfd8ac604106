//! Moments for which the discrete Moser–Veselov map has order 4, 6, 8 or 10 on the free body.
//!
//! Hairer & Vilmart 2006 (`hairer_vilmart2006`): `1/Ĩ_j = S/I_j + D` with S and D polynomials in
//! `C = (h²/2) |Π|²` and `H = (h²/2) Π·I⁻¹Π`, both constant along a free motion. Letters: δ = I₁I₂I₃,
//! `σk = Σ I_i^k`, `xk = Σ I_i^−k`, `τab = Σ_{i≠j} I_i^a / I_j^b`.

use crate::math::Vec3;

/// Coefficients of the homogeneous parts of degree 1 … 4: entry i belongs to `C^(d−i) H^i`.
type Polynomial = [[f64; 5]; 4];

/// S and D of one body.
#[derive(Debug, Clone, Copy)]
pub struct Moments<const DEGREE: usize> {
    pub(super) inverse: Vec3,
    s: Polynomial,
    d: Polynomial,
}

impl<const DEGREE: usize> Moments<DEGREE> {
    pub(super) fn new(moments: &Vec3) -> Self {
        let inverse = moments.map(|i| 1.0 / i);
        let (s, d) = if DEGREE == 0 {
            ([[0.0; 5]; 4], [[0.0; 5]; 4])
        } else {
            coefficients(moments)
        };
        Self { inverse, s, d }
    }

    /// Returns `1/Ĩ` for the momentum `pi` and the step `h`.
    #[inline(always)]
    pub(super) fn modified(&self, h: f64, pi: &Vec3) -> Vec3 {
        if DEGREE == 0 {
            return self.inverse;
        }
        let half = 0.5 * h * h;
        let square = pi.component_mul(pi);
        let (c, e) = (half * square.sum(), half * square.dot(&self.inverse));
        let (mut s, mut d) = (0.0, 0.0);
        // Highest degree first: small terms are summed before large ones.
        for degree in (1..=DEGREE).rev() {
            let mut power = 1.0;
            let (mut ps, mut pd) = (0.0, 0.0);
            for i in 0..=degree {
                // Horner in C with ascending powers of H.
                ps = ps * c + self.s[degree - 1][i] * power;
                pd = pd * c + self.d[degree - 1][i] * power;
                power *= e;
            }
            s += ps;
            d += pd;
        }
        self.inverse * (1.0 + s) + Vec3::repeat(d)
    }
}

fn power_sum(v: &Vec3, k: i32) -> f64 {
    v.iter().map(|x| x.powi(k)).sum()
}

fn coefficients(i: &Vec3) -> (Polynomial, Polynomial) {
    let v = i.map(|x| 1.0 / x);
    let delta = i.x * i.y * i.z;
    let (d2, d3, d4) = (delta * delta, delta.powi(3), delta.powi(4));
    let [s1, s2, s3, s4] = [1, 2, 3, 4].map(|k| power_sum(i, k));
    let [x1, x2, x3, x4] = [1, 2, 3, 4].map(|k| power_sum(&v, k));
    let tau = |a: i32, b: i32| {
        let mut sum = 0.0;
        for m in 0..3 {
            for n in 0..3 {
                if m != n {
                    sum += i[m].powi(a) * v[n].powi(b);
                }
            }
        }
        sum
    };
    let (t11, t12, t21) = (tau(1, 1), tau(1, 2), tau(2, 1));
    let (t13, t31, t22) = (tau(1, 3), tau(3, 1), tau(2, 2));
    let s = [
        [s1 / (6.0 * delta), -x1 / 3.0, 0.0, 0.0, 0.0],
        [
            (s2 / delta - x1) / (30.0 * delta),
            (1.0 - t11) / (30.0 * delta),
            (3.0 * s1 / delta + 2.0 * x2) / 60.0,
            0.0,
            0.0,
        ],
        [
            (4.0 * delta + 17.0 * s3 - 15.0 * delta * t11) / (2520.0 * d3),
            (9.0 * s1 + 10.0 * delta * x2 - 6.0 * t21) / (420.0 * d2),
            ((6.0 * t12 - 100.0 * x1) * delta + 53.0 * s2) / (2520.0 * d2),
            (15.0 - delta * x3 - 2.0 * t11) / (630.0 * delta),
            0.0,
        ],
        [
            (62.0 * s4 - 94.0 * delta * t21 + 66.0 * d2 * x2 + 81.0 * delta * s1) / (45360.0 * d4),
            (-77.0 * t31 + 75.0 * delta * t12 + 214.0 * s2 - 240.0 * delta * x1) / (22680.0 * d3),
            (26.0 * delta * t22 + 55.0 * s3 + 204.0 * delta - 50.0 * d2 * x3 - 59.0 * delta * t11)
                / (7560.0 * d3),
            (137.0 * delta * x2 - delta * t13 + 3.0 * s1 - 69.0 * t21) / (11340.0 * d2),
            (2.0 * d2 * x4 + 5.0 * delta * t12 - 171.0 * delta * x1 + 159.0 * s2) / (45360.0 * d2),
        ],
    ];
    let d = [
        [-1.0 / (3.0 * delta), s1 / (6.0 * delta), 0.0, 0.0, 0.0],
        [
            -s1 / (60.0 * d2),
            x1 / (10.0 * delta) - s2 / (60.0 * d2),
            -(9.0 + t11) / (60.0 * delta),
            0.0,
            0.0,
        ],
        [
            (34.0 * delta * x1 - 19.0 * s2) / (2520.0 * d3),
            (s3 + 2.0 * delta * t11 - 85.0 * delta) / (1260.0 * d3),
            (47.0 * s1 + 13.0 * t21 - 38.0 * delta * x2) / (2520.0 * d2),
            (9.0 * delta * x1 + delta * t12 - 11.0 * s2) / (1260.0 * d2),
            0.0,
        ],
        [
            (60.0 * delta * t11 - 61.0 * s3 - 247.0 * delta) / (45360.0 * d4),
            (54.0 * delta * s1 - s4 + 218.0 * delta * t21 - 426.0 * d2 * x2) / (45360.0 * d4),
            (125.0 * delta * x1 - 5.0 * t31 - 130.0 * s2 + 4.0 * delta * t12) / (7560.0 * d3),
            (67.0 * s3 - 735.0 * delta - 15.0 * delta * t22 + 87.0 * delta * t11 + 34.0 * d2 * x3)
                / (22680.0 * d3),
            (165.0 * s1 - delta * t13 - 9.0 * t21 - 145.0 * delta * x2) / (45360.0 * d2),
        ],
    ];
    (s, d)
}
