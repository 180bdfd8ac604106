//! Explicit Runge–Kutta rules of up to four stages, as authors type them.

use super::Slopes;
use super::numbers::{Numbers, plus, slope};

/// An explicit Runge–Kutta rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tableau {
    /// Number of stages.
    pub stages: usize,
    /// Rows of the stages from the second on.
    pub a: [[f64; 3]; 3],
    /// Weights.
    pub b: [f64; 4],
}

impl Tableau {
    /// The explicit midpoint rule.
    pub const MIDPOINT: Self = Self::two(0.5);
    /// Heun's rule of order 2.
    pub const HEUN: Self = Self::two(1.0);
    /// Kutta's rule of order 3.
    pub const KUTTA3: Self =
        Self::three([[0.5, 0.0], [-1.0, 2.0]], [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0]);
    /// Ralston's rule of order 3.
    pub const RALSTON3: Self =
        Self::three([[0.5, 0.0], [0.0, 0.75]], [2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0]);
    /// The classical rule of order 4.
    pub const RK4: Self = Self {
        stages: 4,
        a: [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 1.0]],
        b: [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    };
    /// The 3/8 rule of order 4.
    pub const THREE_EIGHTHS: Self = Self {
        stages: 4,
        a: [
            [1.0 / 3.0, 0.0, 0.0],
            [-1.0 / 3.0, 1.0, 0.0],
            [1.0, -1.0, 1.0],
        ],
        b: [0.125, 0.375, 0.375, 0.125],
    };

    /// Returns the rule of two stages and order 2 whose second stage is at `c`.
    pub const fn two(c: f64) -> Self {
        Self {
            stages: 2,
            a: [[c, 0.0, 0.0], [0.0; 3], [0.0; 3]],
            b: [1.0 - 0.5 / c, 0.5 / c, 0.0, 0.0],
        }
    }

    /// Returns a rule of three stages.
    pub const fn three(a: [[f64; 2]; 2], b: [f64; 3]) -> Self {
        let [[a21, _], [a31, a32]] = a;
        Self {
            stages: 3,
            a: [[a21, 0.0, 0.0], [a31, a32, 0.0], [0.0; 3]],
            b: [b[0], b[1], b[2], 0.0],
        }
    }

    /// Makes a step of quaternion and rate.
    pub(super) fn step(&self, f: Slopes, t: f64, h: f64, x: &Numbers) -> Numbers {
        let mut k = [[0.0; 7]; 4];
        let sum = |weights: &[f64], k: &[Numbers]| {
            let parts: Vec<_> = weights.iter().zip(k).map(|(a, k)| (h * a, k)).collect();
            plus(x, &parts)
        };
        for i in 0..self.stages {
            let row = if i == 0 { &[] } else { &self.a[i - 1][..i] };
            let at = sum(row, &k);
            k[i] = slope(f, t + h * row.iter().sum::<f64>(), &at);
        }
        sum(&self.b[..self.stages], &k)
    }
}
