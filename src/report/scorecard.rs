//! The scorecard as a table for the terminal and as Markdown.

use crate::run::scorecard::{Card, EnergyBehaviour, Exactness, Limit, Measurements};
use crate::run::{Artifacts, CaseReport, Item, Results};
use crate::text;
use document::{Document, ListItem, Table, left, right};
use topsim_core::schemes::{Energy, Evaluations, Momentum, StatementKind};
use topsim_core::verdict::{Status, Verdict};

/// Legend below the table.
const LEGEND: &[&str] = &[
    "The parentheses hold what this suite claims, after the literature and its own study; the verdict is against that. \
     Body f has I = (0.6, 0.8, 1) and Π0 = (1.8, 0.4, −0.9), and is free. Body a is the same with the \
     force (0, 0, −2) at the body point (0.3, −0.2, 0.5). Schemes of symmetric bodies have I = (0.8, 0.8, 1) and the body point (0, 0, 0.6). The heavy top is cases/heavy_top.toml.",
    "order is the slope of the attitude error on body a, from the finest pair of steps above the round-off floor; free is the same on body f. \
     That of a processed scheme may be one higher: its processor then errs more than its kernel.",
    "back is the attitude error after 20 steps of 0.05 on body a and 20 steps back, in rad. A scheme is reversible below 1e-11.",
    "symplectic is the largest entry of DΦᵀ Ω DΦ − Ω for one step of 0.2 on body a. A scheme is symplectic below 1e-11.",
    "energy is that of body f. momentum is the change of π of body f and of π_z of body a in 100 steps of 0.1, and exact below 1e-12. \
     An energy of +h^3 gains with that power of the step, −h^3 loses; bounded strays and comes back; to axis 2 means that the body ends in a turn \
     about its middle axis. round-off is how the change of the momentum grows with the number n of steps, 10² to 10⁴ of 0.1 from 16 starts: n^½ is a random walk, n a bias.",
    "spin is the angle, in rad, by which the heavy top's spin is off at 1 s with h = 0.003. torque counts its evaluations in a step; it. stands for the iterations of an implicit rule.",
    "longest h is the largest step, in s, with which the heavy top stays within twice its cone for 10 s, and does so with all shorter \
     steps that were tried (9 % apart, from 0.001 to 0.512). At a longer one the top leaves the cone (c), or the step's equation is not solved (s).",
    "relations are those that hold to rounding at every step on judge_top and judge_free (for schemes of symmetric bodies, on the heavy top). \
     The others hold in the limit of small steps; those in brackets do not (docs/relations.md).",
    "Schemes with an order above 10 have errors of round-off at these steps. Their steps of back, symplectic, energy and momentum are 5 times \
     as long, their order is that of W on the heavy top, and the power of their energy drift is known to 2.5 only.",
];

/// The columns of the card, each with its cell; the time of a step only where it was measured.
const COLUMNS: [(&str, Cell); 14] = [
    ("scheme", |c| c.info.name.into()),
    ("order", |c| {
        let order = c.measured.order;
        let order = order.map_or_else(|| "–".into(), |o| format!("{o:.2}"));
        format!("{order} ({})", c.info.claims.order)
    }),
    ("free", |c| free(&c.measured)),
    ("back", |c| {
        let measured = number(c.measured.irreversibility);
        beside(&measured, text::yes(c.info.claims.reversible))
    }),
    ("symplectic", |c| {
        let measured = number(c.measured.symplectic_defect);
        beside(&measured, text::yes(c.info.claims.symplectic))
    }),
    ("energy", |c| {
        let measured = energy_found(c.measured.energy);
        beside(&measured, &energy_claimed(c.info.claims.energy))
    }),
    ("momentum", momentum),
    ("round-off", |c| {
        let grown = c.measured.momentum_growth;
        grown.map_or_else(|| "–".into(), |[p, _]| format!("n^{p:.2}"))
    }),
    ("spin", |c| number(c.measured.spin_phase)),
    ("torque", torque),
    ("longest h", |c| longest(&c.measured)),
    ("relations", |c| relations(&c.measured)),
    (TIME, |c| {
        let time = c.measured.nanoseconds;
        time.map_or_else(|| "–".into(), |n| format!("{n:.0}"))
    }),
    ("verdict", verdict),
];

/// Returns the measurements of a card on one line, for reports without its table.
fn line(card: &Card) -> String {
    let measured = COLUMNS[1..COLUMNS.len() - 1].iter();
    let measured = measured.filter(|c| c.0 != TIME);
    let cells: Vec<String> = measured
        .map(|(name, cell)| format!("{name} {}", cell(card)))
        .collect();
    cells.join("; ")
}

/// The words of a card in one column.
type Cell = fn(&Card) -> String;

/// The column of the time of a step.
const TIME: &str = "ns a step";

fn number(x: Option<f64>) -> String {
    x.map_or_else(|| "–".into(), text::brief)
}

/// Returns the relations that do not hold exactly; those in brackets do not hold at all.
fn relations(m: &Measurements) -> String {
    let names = m.relations.iter().filter_map(|r| match r.held {
        Exactness::Exactly => None,
        Exactness::InTheLimit => Some(r.relation.id().into()),
        Exactness::NotShown => Some(format!("({})", r.relation)),
    });
    let names: Vec<String> = names.collect();
    match (names.is_empty(), m.relations.is_empty()) {
        (_, true) => "–".into(),
        (true, false) => "all".into(),
        (false, false) => format!("all but {}", names.join(", ")),
    }
}

/// Returns the order of the free motion.
fn free(m: &Measurements) -> String {
    match m.free_order {
        Some(order) => format!("{order:.2}"),
        None if m.free_motion_exact() => "exact".into(),
        None => "–".into(),
    }
}

fn longest(m: &Measurements) -> String {
    let mark = match m.limit {
        Some(Limit::Solver) => " s",
        Some(Limit::Cone) => " c",
        None => "",
    };
    format!("{}{mark}", number(m.largest_step))
}

fn literature(cards: &[&Card]) -> Vec<String> {
    let mut out = Vec::new();
    for card in cards {
        for s in card.info.literature {
            let m = &card.measured;
            let found = match s.says {
                StatementKind::FreeOrder(_) => free(m),
                StatementKind::FreeMotionExact => {
                    format!("off by {} rad at 10 s", number(m.free_error))
                }
                StatementKind::KeepsEnergy => energy_found(m.energy),
            };
            let verdict = if card.holds(s.says) {
                "confirmed"
            } else {
                "REFUTED"
            };
            out.push(format!(
                "{}: {} says {}: {verdict}, {found}",
                card.info.name, s.by, s.says
            ));
        }
    }
    out
}

fn energy_found(e: EnergyBehaviour) -> String {
    match e {
        EnergyBehaviour::Exact => "exact".into(),
        EnergyBehaviour::Bounded => "bounded".into(),
        EnergyBehaviour::Gains { power } => format!("+h^{power:.2}"),
        EnergyBehaviour::Loses { power } => format!("−h^{power:.2}"),
        EnergyBehaviour::ToIntermediateAxis => "to axis 2".into(),
        EnergyBehaviour::Unknown => "–".into(),
    }
}

fn energy_claimed(e: Energy) -> String {
    match e {
        Energy::Exact => "exact".into(),
        Energy::Bounded => "bounded".into(),
        Energy::Gains(p) => format!("+h^{p}"),
        Energy::Loses(p) => format!("−h^{p}"),
        Energy::ToIntermediateAxis => "to axis 2".into(),
        Energy::WithTolerance => "~ tol".into(),
        Energy::None => "none".into(),
    }
}

fn momentum_claimed(m: Momentum) -> &'static str {
    match m {
        Momentum::Exact => "exact",
        Momentum::Approximate => "no",
        Momentum::None => "none",
    }
}

fn evaluations(e: Evaluations) -> String {
    match e {
        Evaluations::Exactly(n) | Evaluations::OfRate(n) => n.to_string(),
        Evaluations::EachIteration(1) => "1 + it.".into(),
        Evaluations::EachIteration(n) => format!("{n} (1 + it.)"),
        Evaluations::OneEachIteration => "it.".into(),
        Evaluations::EachTry(n, _) => format!("{n} a try"),
    }
}

/// Returns `measured (claimed)`, or the one word where both are the same word.
fn beside(measured: &str, claimed: &str) -> String {
    if measured == claimed {
        claimed.into()
    } else {
        format!("{measured} ({claimed})")
    }
}

fn verdict(card: &Card) -> String {
    match card.disagreements().as_slice() {
        [] => "as claimed".into(),
        wrong => format!("NOT AS CLAIMED: {}", wrong.join(", ")),
    }
}

fn momentum(card: &Card) -> String {
    let (m, c) = (&card.measured, &card.info.claims);
    let measured = match m.keeps_momentum() {
        Some(true) => "exact".into(),
        Some(false) => number(m.momentum.zip(m.vertical_momentum).map(|(a, b)| a.max(b))),
        None => "–".into(),
    };
    beside(&measured, momentum_claimed(c.momentum))
}

fn torque(card: &Card) -> String {
    let (m, c) = (&card.measured, &card.info.claims);
    match (m.torque_evaluations, c.torque_evaluations) {
        (Some(t), Evaluations::Exactly(n)) if t == f64::from(n) => n.to_string(),
        (t, claimed) => beside(&number(t), &evaluations(claimed)),
    }
}

/// Makes the section of a case that has only cards: a verdict for each.
pub fn scorecard_case(cards: Vec<Card>) -> (CaseReport, Artifacts) {
    let verdict = |card: &Card| {
        let (status, detail) = match card.disagreements()[..] {
            [] => (Status::Passed, "as claimed".into()),
            ref wrong => {
                let detail = format!("not as claimed: {}", wrong.join(", "));
                (Status::Failed, detail)
            }
        };
        let detail: String = format!("{detail}; {}", line(card));
        let mut verdict = Verdict::new(format!("claims/{}", card.info.name), status);
        verdict.detail = Some(detail);
        verdict
    };
    let case = CaseReport {
        name: "scorecard".into(),
        title: "What is claimed of schemes".into(),
        verdicts: cards.iter().map(verdict).collect(),
        items: cards.into_iter().map(Item::Card).collect(),
        ..CaseReport::default()
    };
    (case, Artifacts::default())
}

/// Largest number of values of a card on a line, where the table has no room.
const NUMBERS: usize = 3;

/// Returns the cards as a document, with or without what the columns mean; it is empty without cards.
pub(super) fn document(results: &Results, legend: bool) -> Document {
    let mut out = Document::default();
    let items = results.cases().flat_map(|c| &c.report.items);
    let cards: Vec<&Card> = items
        .filter_map(|item| match item {
            Item::Card(card) => Some(card),
            _ => None,
        })
        .collect();
    if cards.is_empty() {
        return out;
    }
    let timed = cards.iter().any(|c| c.measured.nanoseconds.is_some());
    let columns = COLUMNS.iter().filter(|c| timed || c.0 != TIME);
    let columns: Vec<_> = columns.collect();
    let last = columns.len() - 1;
    let mut table = Table::new(columns.iter().enumerate().map(|(k, c)| match k {
        k if k == 0 || k == last => left(c.0).whole(),
        _ => right(c.0),
    }));
    for card in &cards {
        let row: Vec<String> = columns.iter().map(|c| c.1(card)).collect();
        let names = columns[1..last].iter().zip(&row[1..]);
        let numbers: Vec<String> = names.map(|(c, x)| format!("{} {x}", c.0)).collect();
        let lines = numbers.chunks(NUMBERS).map(|line| line.join(" · "));
        let head = format!("{}: {}", row[0], row[last]);
        table.narrow.push(ListItem::new(head, lines));
        table.push(row);
    }
    out.table(table);
    if legend {
        out.items(LEGEND.iter().copied());
    } else {
        out.item("in parentheses: what is claimed; `--verbose` explains the columns");
    }
    let literature = literature(&cards);
    if !literature.is_empty() {
        out.paragraph("What the sources say beyond these claims, or against them:");
        out.items(literature);
    }
    let disagree = cards.iter().filter(|c| !c.disagreements().is_empty());
    let (all, wrong) = (cards.len(), disagree.count());
    let schemes = text::count(all as u64, "scheme");
    out.paragraph(format!(
        "{schemes}: {} as claimed, {wrong} not",
        all - wrong
    ));
    out
}
