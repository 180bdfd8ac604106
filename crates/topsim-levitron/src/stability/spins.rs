//! The spins that stabilise a height.
//!
//! Solved for the spin the quartic is L(ω)/m = h(ω²)/ω, h(y) = κ²y + d − b²/(y + c), an odd function.
//! A spin is stable where a horizontal line crosses it four times. Its slope is
//! N(y)/(y (y + c)²), N(y) = (κ²y − d)(y + c)² + b² (3y + c), y = ω²: extremes are the positive
//! roots of a cubic, and there L/m = h/ω = 2ω h'(y) = 2ω (κ² + b²/(y + c)²), positive for ω > 0.
//!
//! Stable along the vertical means c > 0, so that L(ω) has no pole but at 0. Let L > 0.
//! - While b² > cd, N(0) > 0, L falls to −∞ at 0+. Where N has positive roots y_1 < y_2, L rises to
//!   a maximum L_1, falls to a minimum L_2 and rises again: three crossings with ω > 0 between L_2
//!   and L_1, else one. With ω < 0 there is always one, since L comes down from +∞ there and its
//!   extremes are negative. So the stable spins are (L_2, L_1).
//! - Past b² = cd, which is Berry's adiabatic bound, L is +∞ at 0+ and there are no crossings with
//!   ω < 0. One more root y_0 gives a minimum L_0 before the maximum: stable is (max(L_0, L_2), L_1).
//!
//! Hence there is at most one interval, and it exists where N has at least two positive roots: they
//! are enclosed by the extremes of N and bisected, none can be missed.

use super::{Hover, Unstable};
use topsim_core::math::scalar;

/// Open interval of |σ|, rad/s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spins {
    /// Spin below which the height is unstable.
    pub low: f64,
    /// Spin above which the height is unstable.
    pub high: f64,
}

impl Spins {
    /// Returns whether a spin of either sense, rad/s, is inside.
    pub fn contains(&self, spin: f64) -> bool {
        self.low < spin.abs() && spin.abs() < self.high
    }
}

impl Hover {
    /// Returns the spins that stabilise this height.
    ///
    /// # Errors
    /// [`Unstable::Vertical`], [`Unstable::Across`].
    pub fn stable_spins(&self) -> Result<Spins, Unstable> {
        let height = self.height;
        if !(self.c > 0.0) {
            return Err(Unstable::Vertical {
                height,
                above: self.peak,
            });
        }
        let meets = positive_roots(&self.meetings());
        let spin = |y: f64| self.spin_of(y);
        match meets[..] {
            [y1, y2] => Ok(Spins {
                low: spin(y2),
                high: spin(y1),
            }),
            [y0, y1, y2] => Ok(Spins {
                low: spin(y0).max(spin(y2)),
                high: spin(y1),
            }),
            _ => Err(Unstable::Across { height }),
        }
    }

    /// Returns the coefficients of N, from the constant term up.
    pub(super) fn meetings(&self) -> [f64; 4] {
        let (k, c, d, e) = (self.kappa2, self.c, self.d, self.b * self.b);
        [
            c * (e - c * d),
            k * c * c - 2.0 * c * d + 3.0 * e,
            2.0 * k * c - d,
            k,
        ]
    }

    /// Returns the spin, rad/s, at which two frequencies meet at √y.
    pub(super) fn spin_of(&self, y: f64) -> f64 {
        let near = self.b / (y + self.c);
        let h = self.kappa2 * y + self.d - near * self.b;
        // Either form is exact; the first does not feel an error of y, the second not the
        // cancellation in h for frequencies near 0.
        let l = if h > 1e-6 * self.d.abs() {
            h / y.sqrt()
        } else {
            2.0 * y.sqrt() * (self.kappa2 + near * near)
        };
        l / self.axial
    }
}

/// Returns the extremes of a cubic, ascending; none where it is monotonic.
pub(super) fn extremes(p: &[f64; 4]) -> Vec<f64> {
    let [_, p1, p2, p3] = *p;
    let inner = p2 * p2 - 3.0 * p3 * p1;
    if !(inner > 0.0) {
        return Vec::new();
    }
    // Without cancellation.
    let q = -(p2 + inner.sqrt().copysign(p2));
    let mut found = vec![q / (3.0 * p3), p1 / q];
    found.sort_by(f64::total_cmp);
    found
}

/// Returns the positive roots of a cubic with a positive leading coefficient, ascending.
fn positive_roots(p: &[f64; 4]) -> Vec<f64> {
    let value = |y: f64| ((p[3] * y + p[2]) * y + p[1]) * y + p[0];
    // Fujiwara's bound.
    let beyond = (1..4).fold(0.0_f64, |m, k| {
        m.max(scalar::powf((p[3 - k] / p[3]).abs(), 1.0 / k as f64))
    });
    let mut marks = vec![0.0];
    marks.extend(extremes(p).into_iter().filter(|y| *y > 0.0));
    marks.push(4.0 * beyond);
    let mut found = Vec::new();
    for pair in marks.windows(2) {
        let (mut low, mut high) = (pair[0], pair[1]);
        let negative = value(low) < 0.0;
        if negative == (value(high) < 0.0) {
            continue;
        }
        loop {
            let mid = 0.5 * (low + high);
            if mid == low || mid == high {
                break;
            }
            if (value(mid) < 0.0) == negative {
                low = mid;
            } else {
                high = mid;
            }
        }
        found.push(high);
    }
    found
}
