//! What is claimed beside the order: energy, momentum, reversibility.

use crate::claims::ClaimKind;
use crate::diagnosis::{Class, Conserved, ConservedQuantity};
use crate::report::Report;
use crate::show::brief;
use crate::verdict::{Numbers, Verdict, VerdictId, status, verdict};
use topsim_core::verdict::Status;

/// The verdict on a claim of this kind; the order has its own.
pub(super) fn claimed(report: &Report, kind: ClaimKind) -> Option<Verdict> {
    match kind {
        ClaimKind::Order => report
            .claims
            .order
            .map(|p| super::convergence::order(report, p)),
        ClaimKind::Energy => Some(kept(report, kind, ConservedQuantity::Energy)),
        ClaimKind::Momentum => Some(kept(report, kind, ConservedQuantity::Momentum)),
        ClaimKind::Reversible => Some(reversible(report)),
    }
}

/// Rounding of a history of many steps, relative.
const KEPT: f64 = 1e-10;

/// Energy may come back, momentum is kept to rounding.
fn kept(report: &Report, kind: ClaimKind, quantity: ConservedQuantity) -> Verdict {
    let id = VerdictId::Claim(kind);
    let conserved = match quantity {
        ConservedQuantity::Energy => report.keeps_energy,
        ConservedQuantity::Momentum => report.keeps_momentum,
    };
    if !conserved {
        let said = format!("the motion of this case does not keep its {quantity}");
        return verdict(id, Status::Skipped, said);
    }
    let diagnosis = report.diagnosis.as_ref();
    let mut found = diagnosis.iter().flat_map(|d| &d.behaviour.conserved);
    let Some(c) = found.find(|c| c.quantity == quantity) else {
        let said = format!("the {quantity} could not be followed: that takes attitudes and rates");
        return verdict(id, Status::Undecided, said);
    };
    let said = says(c);
    let least = KEPT.max(report.digits());
    let rounding = c.deviation <= least;
    match quantity {
        ConservedQuantity::Momentum => {
            let found = verdict(id, status(rounding), said);
            found.measuring(c.deviation, "").at_most(least)
        }
        ConservedQuantity::Energy => {
            let good = rounding || matches!(c.class, Class::Kept | Class::Bounded);
            verdict(id, status(good), said).measuring(c.deviation, "")
        }
    }
}

fn says(c: &Conserved) -> String {
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
    let good = r.left <= r.allowed;
    let said = if good {
        "a step with the rate reversed undoes a step"
    } else {
        "a step with the rate reversed does not undo a step"
    };
    let said = format!("{said}: {} of the start is left", brief(r.left));
    let found = verdict(id, status(good), said);
    found.measuring(r.left, "").at_most(r.allowed)
}
