//! Verdicts on the errors against the tolerance, and on the slope that is claimed of them. Errors against tolerances have no order.

use crate::history::ToleranceLadder;
use crate::thresholds::{DECADES, FLOOR, HUNDREDTH, ORDER_SLACK};
use crate::verdict::{Numbers, Verdict, VerdictId, status, verdict};
use topsim_core::verdict::Status;
use topsim_protocol::ClaimKind;
use topsim_protocol::numbers::{brief, two};

/// Returns the verdict on the errors against the tolerance.
pub(super) fn errors(l: &ToleranceLadder) -> Verdict {
    let off = brief(l.finest());
    let (ended, said) = if l.finest() <= l.floor {
        let said =
            format!("the errors are as small as can be told at the finest tolerance: {off} rad");
        (Status::Passed, said)
    } else if l.has_no_effect() {
        let said = format!(
            "the tolerance has no effect: the rows are {off} rad off at each{}",
            if l.loses() {
                ", and have lost the motion"
            } else {
                ""
            }
        );
        let lost = if l.loses() {
            Status::Failed
        } else {
            Status::Undecided
        };
        (lost, said)
    } else if let Some(from) = l.without_effect_from {
        let said = format!(
            "tolerances below {from:e} have no further effect: the rows stay {off} rad off ({})",
            slope(l)
        );
        (Status::Undecided, said)
    } else if l.finest() > FLOOR && l.apart.last().is_some_and(|x| *x <= HUNDREDTH * l.finest()) {
        let said = format!(
            "the histories agree with each other as the tolerance falls, and are {off} rad off: they are those of another motion"
        );
        (Status::Failed, said)
    } else if l.loses() {
        let said = format!(
            "the finest history is {off} rad off: these tolerances are too coarse for the case"
        );
        (Status::Undecided, said)
    } else if l.slope.is_some_and(|p| p >= ORDER_SLACK) {
        (
            Status::Passed,
            format!("the errors fall with the tolerance: {}", slope(l)),
        )
    } else {
        let said = format!(
            "the errors do not fall with the tolerance, and are {off} rad at the finest one"
        );
        (Status::Undecided, said)
    };
    let found = verdict(VerdictId::Tolerance, ended, said);
    match l.slope {
        Some(p) => found.measuring(p, ""),
        None => found,
    }
}

/// Says the slope, and the ratios of error and tolerance.
fn slope(l: &ToleranceLadder) -> String {
    let of = |p| format!("slope {} over {:.1} decades", two(p), l.decades);
    let slope = l.slope.map_or("no slope".into(), of);
    match l.ratios() {
        Some([least, most]) => format!(
            "{slope}, error over tolerance from {} to {}",
            brief(least),
            brief(most)
        ),
        None => slope,
    }
}

/// Judges the slope that is claimed.
pub(super) fn claimed(ladder: Option<&ToleranceLadder>, claimed: f64) -> Verdict {
    let id = VerdictId::Claim(ClaimKind::Tolerance);
    let Some(l) = ladder else {
        let said =
            "no errors against tolerances were measured: this takes a reference and `--tolerances`";
        return verdict(id, Status::Undecided, said);
    };
    if l.has_no_effect() {
        return verdict(id, Status::Failed, "the tolerance has no effect");
    }
    if let Some(from) = l.without_effect_from {
        let said = format!(
            "tolerances below {from:e} have no further effect; slope {claimed} claimed ({})",
            slope(l)
        );
        return verdict(id, Status::Failed, said);
    }
    let Some(p) = l.slope.filter(|_| l.decades >= DECADES) else {
        let said = format!(
            "the errors are larger than those of the reference over only {:.1} decades of the tolerance, and a slope takes three; \
             slope {claimed} claimed",
            l.decades
        );
        return verdict(id, Status::Undecided, said);
    };
    let good = (p - claimed).abs() <= ORDER_SLACK;
    let found = verdict(id, status(good), format!("{}, {claimed} claimed", slope(l)));
    let found = found.measuring(p, "");
    if p > claimed {
        found.at_most(claimed + ORDER_SLACK)
    } else {
        found.at_least(claimed - ORDER_SLACK)
    }
}
