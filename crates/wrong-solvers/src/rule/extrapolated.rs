//! The rule of Gragg, Bulirsch and Stoer.

use super::Slopes;
use super::numbers::{Numbers, plus, slope};

/// A step of order 8 by Gragg's rule with 2, 4, 6 and 8 parts, and its distance from that of order 6.
pub(super) fn extrapolated(f: Slopes, t: f64, h: f64, x: &Numbers) -> (Numbers, f64) {
    let mut table: Vec<Numbers> = Vec::new();
    let parts = [2.0, 4.0, 6.0, 8.0];
    let mut error = 0.0;
    for (j, n) in parts.into_iter().enumerate() {
        let s = h / n;
        let (mut a, mut b) = (*x, plus(x, &[(s, &slope(f, t, x))]));
        for k in 1..n as usize {
            let next = plus(&a, &[(2.0 * s, &slope(f, t + s * k as f64, &b))]);
            (a, b) = (b, next);
        }
        let last = slope(f, t + h, &b);
        let mut entry: Numbers = core::array::from_fn(|i| 0.5 * (a[i] + b[i] + s * last[i]));
        for k in (0..j).rev() {
            let ratio = (n / parts[k]).powi(2);
            let old = core::mem::replace(&mut table[k], entry);
            let better = core::array::from_fn(|i| entry[i] + (entry[i] - old[i]) / (ratio - 1.0));
            error = (0..7)
                .map(|i| f64::abs(better[i] - entry[i]))
                .fold(0.0, f64::max);
            entry = better;
        }
        table.push(entry);
    }
    (*table.last().expect("there are four"), error)
}
