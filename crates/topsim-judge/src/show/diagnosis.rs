//! What is wrong with a solver, for people.

use super::brief;
use super::verdicts::{ACCEPTED, FAILED, REMARK};
use crate::diagnosis::{
    Behaviour, Class, Conservation, ConservedQuantity, DefectEvidence, Diagnosis, IdentifiedScheme,
};
use crate::identification::{Certainty, Claim};
use crate::report::Report;
use crate::thresholds::{HALF, HUNDREDTH, TENTH, UNLIKE};
use crate::verdict::VerdictId;
use document::{ListItem, Text, bad, caution, marked, strong};
use topsim_core::verdict::Status;

/// Something that is wrong: its mark and name, what was seen of it, and where to look.
fn defect(head: Text, claim: &Claim) -> ListItem {
    let below = [
        format!("seen: {}", claim.evidence()),
        format!("look: {}", claim.advice()),
    ];
    ListItem::new(head, below.iter().map(|line| marked(line)))
}

/// Returns the mark of a defect: a cross where it fails a case, another one where it is accepted or is no more than a remark.
fn mark<'a>(claim: &Claim, mut reports: impl Iterator<Item = &'a Report> + Clone) -> Text {
    let id = VerdictId::Defect(claim.id);
    let verdicts = reports.clone().flat_map(|r| &r.verdicts);
    let mut verdicts = verdicts.filter(|v| v.id == id).peekable();
    let judged = verdicts.peek().is_some();
    let accepted = |r: &Report| {
        r.verdicts
            .iter()
            .any(|v| v.id == id && v.known_defect.is_some())
    };
    match () {
        () if reports.any(accepted) => caution(ACCEPTED),
        () if judged && verdicts.all(|v| v.status != Status::Failed) => caution(REMARK),
        () => bad(FAILED),
    }
    .strong()
}

/// What several problems say together.
pub(super) fn evidence(t: &DefectEvidence, reports: &[&Report]) -> ListItem {
    let not = match &t.not_on[..] {
        [] => String::new(),
        cases => format!("; not on {}", cases.join(", ")),
    };
    let named = format!(" [{}]: named on {}{not}", t.claim.id, t.named_on.join(", "));
    let mark = mark(&t.claim, reports.iter().copied());
    let head = mark
        .then(sure(&t.claim))
        .then(strong(t.claim.name()))
        .then(named);
    defect(head, &t.claim)
}

/// Returns how sure a claim is, before its name.
fn sure(claim: &Claim) -> &'static str {
    match claim.certainty {
        Certainty::Is => " ",
        Certainty::LooksLike => " looks like: ",
        Certainty::Unexplained => " unexplained: ",
    }
}

/// Something that is wrong; accepted, it has no cross.
pub(super) fn cause(cause: &Claim, report: &Report) -> ListItem {
    let name = strong(cause.name()).then(format!(" [{}]", cause.id));
    let head = mark(cause, core::iter::once(report))
        .then(sure(cause))
        .then(name);
    defect(head, cause)
}

/// What is known beside the causes.
pub(super) fn details(d: &Diagnosis) -> Vec<Text> {
    let remarks = d.remarks().map(|remark| marked(&remark));
    let rule = d.rule.iter().map(|sentence| marked(sentence));
    let mut out: Vec<Text> = remarks.chain(rule).collect();
    out.extend(d.scheme.as_ref().map(identified));
    out
}

pub(super) fn identified(s: &IdentifiedScheme) -> Text {
    if s.alike.len() > MOST_ALIKE {
        return marked(&format!(
            "the rows do not tell the scheme: {} known rules make the same steps to {} rad",
            s.alike.len() + 1,
            brief(s.within)
        ));
    }
    let alike = match &s.alike[..] {
        [] => String::new(),
        all => format!("; {} the same steps here", words(all)),
    };
    let rows = match s.rows {
        // Where rows are near to a rule and not equal to it.
        0 => "in most rows".into(),
        1 => "in 1 row".into(),
        n => format!("in {n} rows"),
    };
    marked(&format!(
        "steps of `{}`: the same to {} rad {rows} at the same step{alike}",
        s.name,
        brief(s.within)
    ))
}

/// Most schemes that one of them stands for.
const MOST_ALIKE: usize = 20;
/// Names of schemes that are shown at most.
const MOST_NAMES: usize = 3;

fn words(names: &[String]) -> String {
    match names {
        [one] => format!("`{one}` makes"),
        all => {
            let shown: Vec<String> = all
                .iter()
                .take(MOST_NAMES)
                .map(|n| format!("`{n}`"))
                .collect();
            let rest = match all.len().saturating_sub(MOST_NAMES) {
                0 => String::new(),
                n => format!(" and {n} more"),
            };
            format!("{}{rest} make", shown.join(", "))
        }
    }
}

/// What becomes of a conserved quantity: kept, lost or gained, how much, and by which power of the step.
fn becomes(c: &Conservation) -> String {
    let size = brief(c.deviation);
    let power = match c.power {
        Some(p) if p.abs() < UNLIKE => "; a smaller step does not help".into(),
        Some(p) => format!("; like h^{p:.1}"),
        None => String::new(),
    };
    let unit = match c.quantity {
        ConservedQuantity::Energy => "J",
        ConservedQuantity::Momentum => "kg m²/s",
    };
    let [first, last] = c.values;
    // The same in three digits, and nothing to see.
    let near = (last - first).abs() < HUNDREDTH * first.abs().max(last.abs());
    let trend = |verb: &str| {
        if near {
            return format!("{verb} by {size} of its size{power}");
        }
        format!(
            "{verb} from {} to {} {unit}, {size} of its size{power}",
            brief(first),
            brief(last)
        )
    };
    // Half of what there was is gone.
    let lost = last.abs() < HALF * first.abs();
    match c.class {
        Class::Kept => format!("kept to {size} of its size"),
        Class::Bounded => format!("strays by up to {size} of its size and comes back{power}"),
        Class::Turns => format!("turns away by {size} of its size, with its length kept{power}"),
        Class::Grows => trend("grows"),
        Class::Falls if lost && c.deviation > TENTH => trend("is lost,"),
        Class::Falls => trend("falls"),
    }
}

/// Energy and momentum.
pub(super) fn conserved(b: &Behaviour) -> impl Iterator<Item = String> {
    let conserved = b.conserved.iter();
    conserved.map(|c| format!("{}: {}", c.quantity, becomes(c)))
}
