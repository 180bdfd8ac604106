//! The margins of the claims that a problem can judge.

use crate::claim::{HuntClaim, Margin, MarginQuantity};
use crate::habits::{Habits, LONGEST, MODERATE};
use crate::image::IMAGES;
use crate::ladder::{FAILED, LadderEvidence, Outcome, ROUNDING, RUNGS};
use crate::point::{Pair, Point};

/// Angles of a step up to which errors have to fall, rad; for slender bodies shorter ones.
const SHORT: f64 = 0.2;
/// Parts of a coarser error that a finer one may be: those of order 1 fall by a half.
const FALLS: f64 = 0.6;
/// Orders that a problem may show less.
const LESS: f64 = 0.75;
/// Parts of what ordinary problems show that others may.
const ROOM: f64 = 1e3;
/// Times over which an order is judged, at least: at a single one the error may pass zero at some step.
const TIMES: u32 = 4;
/// Noise of more than this is that of few digits.
const FEW_DIGITS: f64 = 1e-12;
/// Errors of runs in which a small change grows more are not small, and do not fall as small ones do.
const GROWS: f64 = 1e3;
/// Runs that turn the body further, rad, are not held beside their images: in a scheme that is not stable rounding grows.
const FAR: f64 = 5.0;
/// What is kept no better than this is no finding.
const SMALL: f64 = 1e-10;

/// Judges a problem by each claim that says something of it.
pub(crate) fn margins(point: &Point, outcome: &Outcome, habits: &Habits) -> Vec<Margin> {
    let angle = point.step_angle();
    let stiff = angle * point.stiffness();
    let shown = match outcome {
        Outcome::Shown(shown) => shown,
        Outcome::Failed(_) if stiff <= SHORT => {
            return vec![Margin::least(
                HuntClaim::Answer,
                MarginQuantity::Failures,
                1.0,
                0.0,
            )];
        }
        Outcome::Failed(_) | Outcome::Refused(_) | Outcome::NoOracle | Outcome::Stopped => {
            return Vec::new();
        }
    };
    let kind = point.kind() as usize;
    let noise = &habits.noise[kind];
    let answered = Margin::least(HuntClaim::Answer, MarginQuantity::Failures, 0.0, 1.0);
    let mut out = vec![answered];
    let images = || IMAGES.iter().zip(shown.images);
    let failing = images().filter(|(_, x)| stiff <= SHORT && *x == Some(FAILED));
    out.extend(
        failing.map(|(i, _)| Margin::least(i.claim, MarginQuantity::Difference, FAILED, 0.0)),
    );
    if stiff <= SHORT && point.growth() <= GROWS {
        out.push(limit(shown, noise));
    }
    let has_order = habits.exact[kind] < LONGEST;
    // Half the angle has room for an error of the scheme that is larger than on ordinary problems.
    let exact = if has_order { 2.0 * stiff } else { angle };
    if exact <= 1.01 * habits.exact[kind] {
        out.push(Margin::least(
            HuntClaim::Exact,
            MarginQuantity::Rounding,
            shown.worst_over_floor(noise),
            100.0,
        ));
    }
    // A scheme that is exact has no order, and what half a step changes tells it too roughly.
    let asymptotic =
        angle <= SHORT && point.growth() <= GROWS && (stiff == angle || 4.0 * stiff <= SHORT);
    if asymptotic && has_order && point.steps >= TIMES {
        out.extend(order(shown, &habits.orders[kind], noise));
    }
    if stiff > MODERATE {
        return out;
    }
    let [attitude, rounding] = shown.floors[0].map(|x| x.max(SMALL));
    let mut push = |claim, quantity, measured: Option<f64>, usual: Option<f64>, rounding| {
        if let (Some(measured), Some(usual)) = (measured, usual) {
            let part = usize::from(quantity != MarginQuantity::Difference);
            let allowed = (ROOM * usual * shown.grown(0, part)).max(rounding);
            out.push(Margin::least(claim, quantity, measured, allowed));
        }
    };
    for (i, claim) in [HuntClaim::Momentum, HuntClaim::Energy]
        .into_iter()
        .enumerate()
    {
        let usual = habits.kept[kind][i];
        push(
            claim,
            MarginQuantity::Change,
            shown.strayed[i],
            usual,
            rounding,
        );
    }
    if angle * f64::from(point.steps) > FAR {
        return out;
    }
    // A solver of few digits may compute with numbers of single precision, which have a smallest and a largest one.
    let few = noise[0].max(noise[1]) > FEW_DIGITS;
    for (i, (image, differs)) in images().enumerate() {
        if differs == Some(FAILED) || few && !image.is_of_single_precision(point) {
            continue;
        }
        let full = image.full || !point.is_principal();
        let rounding = attitude
            .max(rounding)
            .max(ROUNDING * point.loss(f64::from(point.steps), full)[0]);
        let usual = habits.images[kind][i];
        push(
            image.claim,
            MarginQuantity::Difference,
            differs,
            usual,
            rounding,
        );
    }
    out
}

/// Whether some finer error is as large as a coarser one. Seven rungs must agree where there are so many.
fn limit(shown: &LadderEvidence, noise: &Pair) -> Margin {
    let mut worst = Margin::least(HuntClaim::Limit, shown.quantities[0], 0.0, 1.0);
    for (i, quantity) in shown.quantities.into_iter().enumerate() {
        let errors = shown.errors.iter().map(|e| e[i]);
        let errors: Vec<f64> = errors.collect();
        let ratio = |k: usize| {
            let coarser = errors[..k]
                .iter()
                .fold(0.0, |a: f64, b| if *b <= a { a } else { *b });
            let allowed = FALLS * coarser + shown.floor(k, i, noise);
            Margin::least(HuntClaim::Limit, quantity, errors[k], allowed)
        };
        let mut all: Vec<Margin> = (2..errors.len()).map(ratio).collect();
        all.sort_by(|a, b| a.room.total_cmp(&b.room));
        let mut one = all[0];
        if errors.len() > RUNGS && one.room > -1.0 {
            // No jump: then the finest is as large as the coarsest of a solver whose errors do not fall, and a tenth
            // of it where two of them cancelled each other.
            let largest = errors
                .iter()
                .fold(0.0_f64, |a, b| if *b <= a { a } else { *b });
            let finest = errors.len() - 1;
            let allowed = 0.3 * largest + shown.floor(finest, i, noise);
            let last = Margin::least(HuntClaim::Limit, quantity, errors[finest], allowed);
            one = if last.room > one.room { last } else { one };
        }
        // Beyond a zero of the error, at which two steps may stand, the next ones are larger: what falls from then on has
        // its limit.
        let ends = &errors[errors.len().saturating_sub(3)..];
        let first = errors.len() - ends.len();
        let falls = (1..ends.len()).map(|k| {
            let allowed = FALLS * ends[k - 1] + shown.floor(first + k, i, noise);
            Margin::least(HuntClaim::Limit, quantity, ends[k], allowed)
        });
        let slowest = falls.min_by(|a, b| a.room.total_cmp(&b.room));
        if let Some(slowest) = slowest.filter(|m| errors.len() > RUNGS && m.holds()) {
            one = slowest;
        }
        if one.room < worst.room {
            worst = one;
        }
    }
    worst
}

/// The order that a problem shows, where its errors stand clear of rounding.
fn order(shown: &LadderEvidence, usual: &[Option<f64>; 2], noise: &Pair) -> Option<Margin> {
    let orders = shown.quantities.map(MarginQuantity::order);
    let clear = |k: usize, i: usize| shown.errors[k][i] > 10.0 * shown.floor(k, i, noise);
    let rungs = shown.errors.len();
    let one = |i: usize| {
        let (quantity, usual) = (orders[i]?, usual[i]?);
        let last = (0..rungs).take_while(|k| clear(*k, i)).last()?;
        // Two slopes may be low and alike beyond a zero, to which the error falls faster than its order.
        let into_zero = (shown.errors[0][i] / shown.errors[1][i]).log2() > usual + LESS;
        if last + 1 < rungs.min(RUNGS) || into_zero && last < RUNGS {
            return None;
        }
        let errors: Vec<f64> = shown.errors[1..=last].iter().map(|e| e[i]).collect();
        let (measured, allowed) = (tended(&errors), usual - LESS);
        Some(Margin {
            claim: HuntClaim::Order,
            quantity,
            room: (measured - allowed) * core::f64::consts::LOG10_2,
            measured,
            allowed,
        })
    };
    let all = [0, 1].into_iter().filter_map(one);
    all.min_by(|a, b| a.room.total_cmp(&b.room))
}

/// The best order that errors of halved steps show or tend to.
///
/// Leading terms of opposite signs may cancel at some step: e = |a hᵖ + b hᵖ⁺¹|. Beyond it the slopes rise again, and
/// what they lack of p halves with the step; so the last two, extrapolated, give p there. Where the order is low, they
/// fall or stay.
pub(crate) fn tended(errors: &[f64]) -> f64 {
    let slopes: Vec<f64> = errors.windows(2).map(|e| (e[0] / e[1]).log2()).collect();
    let seen = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    match slopes[..] {
        [.., before, last] => seen.max(2.0 * last - before),
        _ => seen,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_of_the_error_is_no_low_order_and_a_low_order_is() {
        let errors = |f: &dyn Fn(f64) -> f64, from: i32, to: i32| {
            (from..to)
                .map(|k| f(0.5_f64.powi(k)).abs())
                .collect::<Vec<f64>>()
        };
        for n in 0..40 {
            // The terms cancel at a step between the first and the last.
            let zero = 0.5_f64.powf(f64::from(n) * 0.1 - 0.5);
            let of = |h: f64| h.powi(4) - h.powi(5) / zero;
            for from in 1..4 {
                let order = tended(&errors(&of, from, from + 4));
                assert!(order > 3.25, "{order} from {from}, zero at {zero}");
            }
        }
        for (low, part) in [(1, 0.1), (2, 0.1), (3, 1.0), (3, 30.0)] {
            let of = |h: f64| 0.1 * h.powi(4) + part * h.powi(low);
            let order = tended(&errors(&of, 1, 7));
            assert!(order < 3.25, "{order} of {low}");
        }
    }
}
