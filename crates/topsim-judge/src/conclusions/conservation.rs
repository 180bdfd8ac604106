//! Claims beside the order: energy, momentum, reversibility, precision.

use super::scheme;
use crate::diagnosis::{Class, Conservation, ConservedQuantity};
use crate::report::Report;
use crate::thresholds::{DOUBLE, MANY_ROUNDINGS, RETURNS, TWICE};
use crate::verdict::{Numbers, Verdict, VerdictId, status, verdict};
use topsim_core::verdict::Status;
use topsim_protocol::numbers::brief;
use topsim_protocol::{ClaimKind, EnergyClaim, PrecisionClaim};

/// The verdict on a claim of this kind; the order has its own.
pub(super) fn claimed(report: &Report, kind: ClaimKind) -> Option<Verdict> {
    match kind {
        ClaimKind::Order => report
            .claims
            .order
            .map(|p| super::convergence::order(report, p)),
        ClaimKind::Tolerance => report
            .claims
            .tolerance
            .map(|p| super::tolerance::claimed(report.tolerances.as_ref(), p)),
        ClaimKind::Energy => Some(kept(report, kind, ConservedQuantity::Energy)),
        ClaimKind::Momentum => Some(kept(report, kind, ConservedQuantity::Momentum)),
        ClaimKind::Reversible => Some(reversible(report)),
        ClaimKind::Scheme => report.claims.scheme.map(|name| scheme::named(report, name)),
        ClaimKind::Implicit => Some(scheme::implicit(report)),
        ClaimKind::Precision => report.claims.precision.map(|p| precision(report, p)),
    }
}

/// Kept to rounding at every step, or at least bounded.
fn kept(report: &Report, kind: ClaimKind, quantity: ConservedQuantity) -> Verdict {
    let id = VerdictId::Claim(kind);
    let conserved = match quantity {
        ConservedQuantity::Energy => report.keeps_energy,
        ConservedQuantity::Momentum => report.keeps_momentum,
    };
    if !conserved {
        let said = format!(
            "topsim does not judge the {quantity} of this case: the body alone does not keep it"
        );
        return verdict(id, Status::Skipped, said);
    }
    let diagnosis = report.diagnosis.as_ref();
    let mut found = diagnosis.iter().flat_map(|d| &d.behaviour.conserved);
    let Some(c) = found.find(|c| c.quantity == quantity) else {
        let said = format!("the {quantity} could not be followed: that takes attitudes and rates");
        return verdict(id, Status::Undecided, said);
    };
    let least = MANY_ROUNDINGS.max(report.digits());
    let rounding = c.largest_deviation <= least;
    let most = brief(c.largest_deviation);
    if rounding
        || quantity == ConservedQuantity::Momentum
        || report.claims.energy == Some(EnergyClaim::Kept)
    {
        let said = match says(c) {
            said if !rounding && c.deviation <= least => {
                format!("{said}, and to {most} at larger steps")
            }
            said => said,
        };
        let found = verdict(id, status(rounding), said);
        return found.measuring(c.largest_deviation, "").at_most(least);
    }
    let back = format!(
        "the energy strays by up to {most} of its size and comes back {} times",
        c.returns
    );
    let (ended, said) = if c.trend > TWICE {
        (
            Status::Failed,
            format!("the energy drifts: it strays by up to {most} of its size at the largest step"),
        )
    } else if c.returns < RETURNS {
        (
            Status::Skipped,
            format!("{back}: too few to tell that from a drift (`judge_wobble` is long enough)"),
        )
    } else {
        (Status::Passed, back)
    };
    verdict(id, ended, said).measuring(c.largest_deviation, "")
}

fn says(c: &Conservation) -> String {
    let (size, quantity) = (brief(c.deviation), c.quantity);
    match c.class {
        Class::Kept => format!("the {quantity} is kept to {size} of its size"),
        Class::Bounded => {
            format!("the {quantity} strays by up to {size} of its size and comes back")
        }
        Class::Grows => format!("the {quantity} grows by {size} of its size"),
        Class::Falls => format!("the {quantity} falls by {size} of its size"),
        Class::Turns => format!("the {quantity} turns away by {size} of its size"),
    }
}

fn reversible(report: &Report) -> Verdict {
    let id = VerdictId::Claim(ClaimKind::Reversible);
    let Some(r) = &report.reversal else {
        let said = "no step there and back could be asked for";
        return verdict(id, Status::Undecided, said);
    };
    if report.tolerances.is_some() && r.left <= r.allowed {
        let said = "a solver that is right to its tolerance undoes a step to its tolerance, whatever its rule is";
        return verdict(id, Status::Undecided, said);
    }
    let good = r.left <= r.allowed;
    let said = if good {
        "a step with the rate reversed undoes a step"
    } else {
        "a step with the rate reversed does not undo a step"
    };
    let early = if good {
        ""
    } else {
        scheme::ended_early(report)
    };
    let said = format!("{said}: {} of the start is left{early}", brief(r.left));
    let found = verdict(id, status(good), said);
    found.measuring(r.left, "").at_most(r.allowed)
}

fn precision(report: &Report, claimed: PrecisionClaim) -> Verdict {
    let id = VerdictId::Claim(ClaimKind::Precision);
    let Some(p) = &report.precision else {
        let said = "the rounding of its rows could not be measured: that takes a solver that is asked for short problems";
        return verdict(id, Status::Undecided, said);
    };
    let size = brief(p.rounding);
    let is_double = p.single.is_none() && p.rounding <= DOUBLE;
    let said = match p.single {
        Some(part) => format!(
            "its numbers are of single precision: {} by {size}",
            part.scatters()
        ),
        None if is_double => "its numbers are of double precision".into(),
        None => format!("its numbers are written with a precision of {size}"),
    };
    let ended = match claimed {
        PrecisionClaim::Single => status(p.single.is_some()),
        PrecisionClaim::Double if is_double || p.single.is_some() => status(is_double),
        PrecisionClaim::Double => Status::Undecided,
    };
    verdict(id, ended, said).measuring(p.rounding, "")
}
