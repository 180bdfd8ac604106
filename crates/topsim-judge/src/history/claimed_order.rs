//! Comparison of the slopes of a ladder with an order that is claimed. The slope of one pair of steps is no order, and slopes
//! that scatter are none either.

use super::convergence::{Convergence, Rung};
use crate::thresholds::{AMPLIFIED, FOLLOWS, HALF_A_POWER, HIGHEST_ORDER, LOST, WHOLE_POWER};
use topsim_core::math::LEAST_ORDER;

/// Verdict of slopes on a claimed order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ClaimedOrder {
    /// The last slope, which reaches the order.
    Reached(f64),
    /// Errors fell with this slope at least until they were as small as a tolerance or rounding leaves them.
    ReachedAbove(f64),
    /// Errors are those of the reference and of rounding at every step.
    Small,
    /// Errors are far above what the reference knows, and fall with no step.
    Floor,
    /// The last slope, which does not reach the order.
    Missed(f64),
    /// The slope of the only pair of steps, which is not the claimed order.
    OnePair(f64),
    /// The least and the largest slope, where slopes scatter and the last one is not the claimed order.
    Unsteady([f64; 2]),
    /// Too few histories follow the motion.
    Unconfirmed,
    /// Errors do not fall as any order would have it.
    None,
}

impl Convergence {
    /// Compares the slopes with the order `claimed`, of which `slack` may be missing.
    pub(crate) fn says_of(&self, claimed: f64, slack: f64) -> ClaimedOrder {
        let least = claimed - slack;
        if self.unconfirmed(Some(claimed)) {
            return ClaimedOrder::Unconfirmed;
        }
        match (self.order(), self.converges()) {
            (Some(p), true) => self.judged(p, claimed, least),
            (None, true) => {
                let slopes = self.telling();
                let steepest = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                match () {
                    () if steepest >= least => ClaimedOrder::ReachedAbove(steepest),
                    () if self.is_exact() && steepest < LEAST_ORDER => ClaimedOrder::Small,
                    () => ClaimedOrder::Floor,
                }
            }
            (_, false) => ClaimedOrder::None,
        }
    }

    /// Judges the last slope beside those before it.
    fn judged(&self, p: f64, claimed: f64, least: f64) -> ClaimedOrder {
        let slopes = self.above_rounding();
        let before = slopes.len().checked_sub(2).map(|k| slopes[k]);
        let range = || {
            let of = |f: fn(f64, f64) -> f64, from: f64| slopes.iter().copied().fold(from, f);
            [of(f64::min, f64::INFINITY), of(f64::max, f64::NEG_INFINITY)]
        };
        let steady = self.is_steady();
        if let Some(stay) = self.stays().filter(|_| p >= least) {
            return ClaimedOrder::Unsteady([stay, p]);
        }
        let far = |bound: f64| p > bound.max(HIGHEST_ORDER) + WHOLE_POWER;
        match before {
            _ if steady && p >= least => ClaimedOrder::Reached(p),
            None if far(claimed) => ClaimedOrder::OnePair(p),
            None if p < least && p >= least - WHOLE_POWER => ClaimedOrder::OnePair(p),
            Some(b) if far(claimed) && b < least => ClaimedOrder::Unsteady(range()),
            // All slopes but the last would hold the claim, or none does.
            Some(_) if !steady && p < least && range()[1] >= least => {
                ClaimedOrder::Unsteady(range())
            }
            _ if p >= least => ClaimedOrder::Reached(p),
            _ => ClaimedOrder::Missed(p),
        }
    }

    /// Returns a slope that no scheme has whose errors fall by the last one: coarser steps whose errors do not fall at all, or a
    /// coarse history that has lost the motion though such a scheme is near to it.
    pub(crate) fn stays(&self) -> Option<f64> {
        let last = *self.worst_attitude.last()?;
        let pairs = self.rungs.windows(2).zip(&self.worst_attitude);
        let mut pairs = pairs.rev().skip(1);
        let odd = |(pair, slope): &(&[Rung], &f64)| {
            let [coarse, fine] = pair else { return false };
            let grown = (coarse.step / fine.step).powf(last + WHOLE_POWER);
            let lost = !(coarse.worst_attitude <= LOST);
            match lost {
                true => fine.worst_attitude * grown <= FOLLOWS,
                false => **slope < HALF_A_POWER && fine.worst_attitude > AMPLIFIED,
            }
        };
        let odd = pairs.find(odd).map(|(_, slope)| *slope);
        odd.filter(|_| last >= LEAST_ORDER)
    }

    /// Returns true if the last two slopes are those of one power.
    pub(crate) fn is_steady(&self) -> bool {
        let slopes = self.above_rounding();
        matches!(slopes[..], [.., before, last] if (before - last).abs() <= HALF_A_POWER)
    }

    /// Returns the least and the largest slope of a ladder whose last slopes are not those of one power.
    pub(crate) fn scatter(&self) -> Option<[f64; 2]> {
        let [.., before, last] = self.above_rounding()[..] else {
            return None;
        };
        ((before - last).abs() > HALF_A_POWER).then_some([before.min(last), before.max(last)])
    }
}

#[cfg(test)]
mod tests {
    use super::super::convergence::of;
    use super::*;

    /// Compares slopes with a claim: the coarsest error is 0.01 rad, and each step is half of the one before.
    fn said(slopes: &[f64], claimed: f64) -> ClaimedOrder {
        let mut worst = vec![0.01];
        for p in slopes {
            worst.push(worst[worst.len() - 1] * 0.5_f64.powf(*p));
        }
        of(&worst).says_of(claimed, 0.25)
    }

    #[test]
    fn steady_slopes_are_an_order() {
        use ClaimedOrder::{Missed, Reached};
        let is = |found: ClaimedOrder, p: f64| match found {
            Reached(x) => (x - p).abs() < 1e-9,
            _ => false,
        };
        assert!(is(said(&[2.0, 2.0, 2.0], 2.0), 2.0));
        // Coarse steps show another slope, and the last pair that of the claim.
        assert!(is(said(&[5.2, 4.1], 4.0), 4.1) && is(said(&[2.1, 3.9], 4.0), 3.9));
        assert!(is(said(&[2.0], 2.0), 2.0) && is(said(&[4.0], 2.0), 4.0));
        assert!(is(said(&[3.9, 4.0], 2.0), 4.0));
        for (slopes, claimed) in [
            (&[1.0, 1.0][..], 2.0),
            (&[1.0], 4.0),
            (&[3.0, 2.0, 1.1], 4.0),
            // The order is lost at steps that are fine enough.
            (&[4.0, 2.2, 2.0], 4.0),
        ] {
            let found = said(slopes, claimed);
            assert!(matches!(found, Missed(_)), "{slopes:?}: {found:?}");
        }
    }

    #[test]
    fn one_pair_is_no_order_and_scattered_slopes_are_none() {
        use ClaimedOrder::{OnePair, Unsteady};
        for (slopes, claimed) in [(&[13.61][..], 4.0), (&[4.17], 5.0), (&[1.14], 2.0)] {
            let found = said(slopes, claimed);
            assert!(matches!(found, OnePair(_)), "{slopes:?}: {found:?}");
        }
        for (slopes, claimed) in [
            (&[2.1, 13.61][..], 4.0),
            (&[4.0, 2.6], 4.0),
            (&[2.0, 1.14], 2.0),
        ] {
            let found = said(slopes, claimed);
            let unsteady = matches!(found, Unsteady(_) | ClaimedOrder::Unconfirmed);
            assert!(unsteady, "{slopes:?}: {found:?}");
        }
    }

    #[test]
    fn errors_that_stay_or_leap_at_coarse_steps_are_those_of_no_order() {
        use ClaimedOrder::{Reached, Unsteady};
        // The last pair alone would hold the claim.
        for slopes in [&[0.02, 2.25][..], &[0.37, 1.97], &[0.0, 4.94]] {
            let found = said(slopes, 2.0);
            assert!(matches!(found, Unsteady(_)), "{slopes:?}: {found:?}");
        }
        // One history leaps away from where the others say that it is; one that is lost at steps near to the limit does not.
        let leaps = of(&[3.1, 2.3e-8, 1.4e-9]).says_of(4.0, 0.25);
        assert!(matches!(leaps, Unsteady(_)), "{leaps:?}");
        let lost = of(&[3.1, 2e-2, 1.2e-3]).says_of(4.0, 0.25);
        assert!(matches!(lost, Reached(_)), "{lost:?}");
    }

    #[test]
    fn only_errors_of_the_reference_are_as_small_as_can_be_told() {
        use ClaimedOrder::{Floor, ReachedAbove, Small};
        // The reference knows 1e-13 here.
        assert_eq!(of(&[2.5e-10, 2.5e-10, 2.5e-10]).says_of(20.0, 0.25), Floor);
        assert_eq!(of(&[3e-13, 2e-13, 2.2e-13]).says_of(20.0, 0.25), Small);
        let fell = of(&[1e-6, 6.2e-8, 3.9e-9, 3.8e-9]).says_of(4.0, 0.25);
        assert!(
            matches!(fell, ReachedAbove(_) | ClaimedOrder::Reached(_)),
            "{fell:?}"
        );
        let higher = of(&[1e-6, 6.2e-8, 3.9e-9, 3.8e-9]).says_of(6.0, 0.25);
        assert!(
            !matches!(higher, ReachedAbove(_) | Small | ClaimedOrder::Reached(_)),
            "{higher:?}"
        );
    }
}
