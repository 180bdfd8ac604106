//! The scorecard as a table for the terminal and as Markdown.

use super::{Item, Look, Report, table, words};
use crate::study::scorecard::{Card, EnergyFound, Limit, Measurements};
use comfy_table::CellAlignment;
use std::fmt::Write;
use topsim_core::schemes::{Energy, Evaluations, Momentum, Saying};

/// What stands under a table, so that its numbers mean something.
const LEGEND: &[&str] = &[
    "In parentheses what this suite claims, after the literature and its own study; the verdict is against that. \
     Body f: I = (0.6, 0.8, 1), Π0 = (1.8, 0.4, −0.9), free; body a: the same with the \
     force (0, 0, −2) at the body point (0.3, −0.2, 0.5); heavy top: cases/heavy_top.toml.",
    "order: slope of the attitude error on body a, from the finest pair of steps above the round-off floor; free: the same on body f.",
    "back: attitude after 20 steps of 0.05 on body a and 20 back, rad; reversible below 1e-11.",
    "symplectic: largest entry of DΦᵀ Ω DΦ − Ω, one step of 0.2 on body a; symplectic below 1e-11.",
    "energy: of body f. momentum: π of body f, π_z of body a, 100 steps of 0.1; exact below 1e-12.",
    "spin: angle by which the heavy top's spin is off at 1 s with h = 0.003, rad. torque: evaluations a step.",
    "longest h: with which, as with all shorter ones tried (9 % apart, from 0.001 to 0.512), the heavy top stays within \
     twice its cone for 10 s; beyond it leaves the cone (c) or the step's equation is not solved (s).",
];

fn header(times: bool) -> Vec<&'static str> {
    let mut header = vec![
        "scheme",
        "order",
        "free",
        "back",
        "symplectic",
        "energy",
        "momentum",
        "spin",
        "torque",
        "longest h",
    ];
    if times {
        header.push("ns a step");
    }
    header.push("verdict");
    header
}

fn number(x: Option<f64>) -> String {
    x.map_or_else(|| "–".into(), words::brief)
}

/// Order of the free motion.
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

/// What the sources say beyond our claims, or against them.
fn literature(cards: &[&Card]) -> Vec<String> {
    let mut out = Vec::new();
    for card in cards {
        for s in card.literature {
            let m = &card.measured;
            let found = match s.says {
                Saying::FreeOrder(_) => free(m),
                Saying::FreeMotionExact => format!("off by {} rad at 10 s", number(m.free_error)),
                Saying::KeepsEnergy => energy_found(m.energy),
            };
            let verdict = if card.holds(s.says) {
                "confirmed"
            } else {
                "REFUTED"
            };
            out.push(format!(
                "{}: {} says {}: {verdict}, {found}",
                card.name, s.by, s.says
            ));
        }
    }
    out
}

fn yes(b: bool) -> &'static str {
    if b { "yes" } else { "no" }
}

fn energy_found(e: EnergyFound) -> String {
    match e {
        EnergyFound::Exact => "exact".into(),
        EnergyFound::Bounded => "bounded".into(),
        EnergyFound::Gains { power } => format!("+h^{power:.2}"),
        EnergyFound::Loses { power } => format!("−h^{power:.2}"),
        EnergyFound::ToIntermediateAxis => "to axis 2".into(),
        EnergyFound::Unknown => "–".into(),
    }
}

fn energy_claimed(e: Energy) -> String {
    match e {
        Energy::Exact => "exact".into(),
        Energy::Bounded => "bounded".into(),
        Energy::Gains(p) => format!("+h^{p}"),
        Energy::Loses(p) => format!("−h^{p}"),
        Energy::ToIntermediateAxis => "to axis 2".into(),
    }
}

fn momentum_claimed(m: Momentum) -> &'static str {
    match m {
        Momentum::Exact => "exact",
        Momentum::Approximate => "no",
    }
}

fn evaluations(e: Evaluations) -> String {
    match e {
        Evaluations::Exactly(n) => n.to_string(),
        Evaluations::EachIteration => "1 + it.".into(),
        Evaluations::OneEachIteration => "it.".into(),
    }
}

/// `measured (claimed)`, or the one word where both are the same word.
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

fn row(card: &Card, times: bool) -> Vec<String> {
    let (m, c) = (&card.measured, &card.claims);
    let order = m.order.map_or_else(|| "–".into(), |o| format!("{o:.2}"));
    let momentum = match m.keeps_momentum() {
        Some(true) => "exact".into(),
        Some(false) => number(m.momentum.zip(m.vertical_momentum).map(|(a, b)| a.max(b))),
        None => "–".into(),
    };
    let torque = match (m.torque_evaluations, c.torque_evaluations) {
        (Some(t), Evaluations::Exactly(n)) if t == f64::from(n) => n.to_string(),
        (t, claimed) => beside(&number(t), &evaluations(claimed)),
    };
    let mut row = vec![
        card.name.into(),
        format!("{order} ({})", c.order),
        free(m),
        beside(&number(m.irreversibility), yes(c.reversible)),
        beside(&number(m.symplectic_defect), yes(c.symplectic)),
        beside(&energy_found(m.energy), &energy_claimed(c.energy)),
        beside(&momentum, momentum_claimed(c.momentum)),
        number(m.spin_phase),
        torque,
        longest(m),
    ];
    if times {
        row.push(
            m.nanoseconds
                .map_or_else(|| "–".into(), |n| format!("{n:.0}")),
        );
    }
    row.push(verdict(card));
    row
}

/// Below this many columns the table would break its numbers: a list takes its place.
const NARROW: u16 = 170;

fn wide(cards: &[&Card], times: bool, look: &Look) -> String {
    let header = header(times);
    let mut t = table(look, &header);
    for card in cards {
        t.add_row(row(card, times));
    }
    for c in 1..header.len() - 1 {
        if let Some(column) = t.column_mut(c) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    format!("{t}\n")
}

/// A few short lines a scheme.
fn list(cards: &[&Card], times: bool) -> String {
    let header = header(times);
    let mut out = String::new();
    for card in cards {
        let row = row(card, times);
        let _ = writeln!(out, "{}: {}", row[0], row[row.len() - 1]);
        let numbers: Vec<String> = header[1..row.len() - 1]
            .iter()
            .zip(&row[1..])
            .map(|(name, x)| format!("{name} {x}"))
            .collect();
        for line in numbers.chunks(3) {
            let _ = writeln!(out, "  {}", line.join(" · "));
        }
    }
    out
}

/// The cards of a report, and whether steps were timed.
fn cards(report: &Report) -> (Vec<&Card>, bool) {
    let items = report.cases.iter().flat_map(|c| &c.items);
    let cards: Vec<&Card> = items
        .filter_map(|i| match i {
            Item::Card(card) => Some(&**card),
            _ => None,
        })
        .collect();
    let times = cards.iter().any(|c| c.measured.nanoseconds.is_some());
    (cards, times)
}

/// The cards for the terminal.
pub(super) fn text(out: &mut String, report: &Report, look: &Look) {
    let (cards, times) = cards(report);
    let cards = &cards[..];
    if cards.is_empty() {
        return;
    }
    out.push_str(&if look.width.is_some_and(|w| w < NARROW) {
        list(cards, times)
    } else {
        wide(cards, times, look)
    });
    for line in LEGEND {
        let _ = writeln!(out, "{line}");
    }
    let said = literature(cards);
    if !said.is_empty() {
        let _ = writeln!(
            out,
            "\nWhat the sources say beyond these claims, or against them:"
        );
    }
    for line in said {
        let _ = writeln!(out, "  {line}");
    }
    let wrong = cards
        .iter()
        .filter(|c| !c.disagreements().is_empty())
        .count();
    let _ = writeln!(
        out,
        "\n{}: {} as claimed, {wrong} not",
        words::count(cards.len() as u64, "scheme"),
        cards.len() - wrong
    );
}

/// The cards for documents.
pub(super) fn markdown(out: &mut String, report: &Report) {
    let (cards, times) = cards(report);
    let cards = &cards[..];
    if cards.is_empty() {
        return;
    }
    let header = header(times);
    let _ = write!(out, "| {} |\n|", header.join(" | "));
    for i in 0..header.len() {
        out.push_str(if i == 0 || i + 1 == header.len() {
            "---|"
        } else {
            "--:|"
        });
    }
    out.push('\n');
    for card in cards {
        let mut cells = row(card, times);
        cells[0] = format!("`{}`", cells[0]);
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    out.push('\n');
    for line in LEGEND {
        let _ = writeln!(out, "- {line}");
    }
    let said = literature(cards);
    if !said.is_empty() {
        out.push_str("\nWhat the sources say beyond these claims, or against them:\n\n");
    }
    for line in said {
        let _ = writeln!(out, "- {line}");
    }
}
