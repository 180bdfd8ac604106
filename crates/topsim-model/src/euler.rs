//! Euler angles of all twelve sequences.

use core::f64::consts::PI;
use topsim_core::math::{Mat3, Vec3, scalar, so3};

/// Orders of three components.
pub const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [2, 1, 0],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
];

/// A sequence of three axes about which Euler angles turn, each the body's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sequence(pub [usize; 3]);

impl Sequence {
    /// Returns all twelve.
    pub fn all() -> impl Iterator<Item = Self> {
        let triples = (0..27).map(|n| [n / 9, n / 3 % 3, n % 3]);
        triples.filter(|[i, j, k]| i != j && j != k).map(Sequence)
    }
    /// Returns the name as SciPy and `--euler` have it, such as `ZYX`: in capitals, because each turn is about the axes that the turns before it
    /// have turned.
    #[must_use]
    pub fn name(self) -> String {
        self.0.iter().map(|i| ['X', 'Y', 'Z'][*i]).collect()
    }
    fn parity(i: usize, j: usize) -> f64 {
        if (i + 1) % 3 == j { 1.0 } else { -1.0 }
    }
    /// Returns Rᵢ(a) Rⱼ(b) Rₖ(c).
    #[must_use]
    pub fn matrix(self, angles: [f64; 3]) -> Mat3 {
        let turn = |axis: usize, angle: f64| {
            let mut v = Vec3::zeros();
            v[axis] = angle;
            so3::exp(&v)
        };
        let [i, j, k] = self.0;
        turn(i, angles[0]) * turn(j, angles[1]) * turn(k, angles[2])
    }
    /// Returns the angles of a rotation.
    #[must_use]
    pub fn angles(self, r: &Mat3) -> [f64; 3] {
        let [i, j, k] = self.0;
        let s = Self::parity(i, j);
        let atan2 = scalar::atan2;
        if i == k {
            let m = 3 - i - j;
            let side = scalar::hypot(r[(i, j)], r[(i, m)]);
            [
                atan2(r[(j, i)], -s * r[(m, i)]),
                atan2(side, r[(i, i)]),
                atan2(r[(i, j)], s * r[(i, m)]),
            ]
        } else {
            let side = scalar::hypot(r[(i, i)], r[(i, j)]);
            [
                atan2(-s * r[(j, k)], r[(k, k)]),
                atan2(s * r[(i, k)], side),
                atan2(-s * r[(i, j)], r[(i, i)]),
            ]
        }
    }
    /// Returns the other angles of the same rotation.
    #[must_use]
    pub fn again(self, [a, b, c]: [f64; 3]) -> [f64; 3] {
        let middle = if self.0[0] == self.0[2] { -b } else { PI - b };
        [a + PI, middle, c + PI]
    }
}
