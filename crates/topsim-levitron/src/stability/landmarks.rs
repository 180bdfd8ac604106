//! The stable region in the plane of height and spin.
//!
//! With Θ1/m and Θ3/m fixed it does not matter whether the mass follows the height at a given
//! moment or the moment at a given mass: both stay in the same ratio. The region begins where the
//! lift is largest (a/2 for a disk) and ends in a narrow tongue past Berry's adiabatic bound.

use super::spins::extremes;
use super::{Hover, Unstable};
use topsim_core::models::levitron::Levitron;

/// End of the tongue, where its two edges meet, and with them three frequencies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tip {
    /// Height, m.
    pub height: f64,
    /// Spin, rad/s.
    pub spin: f64,
    /// Frequency, rad/s.
    pub omega: f64,
}

/// Landmarks of the region.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Landmarks {
    /// Lowest height stable along the vertical, φ''' = 0, m; a/2 for a disk.
    pub vertical: f64,
    /// Berry's bound, φ''² = 2 φ' φ''', m: the highest that is stable if the axis follows the field
    /// adiabatically; a√(2/5) for a disk.
    pub adiabatic: f64,
    /// End of the tongue.
    pub tip: Tip,
}

/// Relative distance above the lowest height at which the region must exist.
const ABOVE: f64 = 1e-9;

impl Landmarks {
    /// Finds the landmarks for a levitron's field, Θ1/m and Θ3/m.
    ///
    /// # Errors
    /// [`Unstable`] where there is none: Θ1/m is too large, or nothing hovers at all.
    pub fn new(levitron: &Levitron) -> Result<Self, Unstable> {
        let lifting = levitron.lift_range().map_err(Unstable::NoEquilibrium)?;
        let start = lifting.peak * (1.0 + ABOVE);
        Hover::at(levitron, start)?.stable_spins()?;
        // b² − cd, positive at the peak, where c = 0.
        let follows = |z| Hover::at(levitron, z).is_ok_and(|h| h.meetings()[0] > 0.0);
        let stable = |z| Hover::at(levitron, z).is_ok_and(|h| h.stable_spins().is_ok());
        let end = last(start, lifting.to, stable);
        let hover = Hover::at(levitron, end)?;
        let cubic = hover.meetings();
        let value = |y: f64| ((cubic[3] * y + cubic[2]) * y + cubic[1]) * y + cubic[0];
        let y = extremes(&cubic)
            .into_iter()
            .min_by(|a, b| value(*a).abs().total_cmp(&value(*b).abs()))
            .ok_or(Unstable::Across { height: end })?;
        Ok(Self {
            vertical: lifting.peak,
            adiabatic: last(start, lifting.to, follows),
            tip: Tip {
                height: end,
                spin: hover.spin_of(y),
                omega: y.sqrt(),
            },
        })
    }
}

/// Returns the height up to which `holds` is true, by bisection until neighbours are reached; it is
/// true at `from` and false at `to`, which may be infinite.
fn last(from: f64, to: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let mut low = from;
    let mut high = to.min(1.1 * from);
    while high < to && holds(high) && high < 1e6 * from {
        low = high;
        high = (1.1 * high).min(to);
    }
    loop {
        let mid = 0.5 * (low + high);
        if mid == low || mid == high {
            return low;
        }
        if holds(mid) {
            low = mid;
        } else {
            high = mid;
        }
    }
}
