//! The scorecard as a table for the terminal, as Markdown, as JSON.

use super::console::{self, Look};
use super::words;
use crate::analysis::{Card, EnergyFound, Measurements};
use crate::schemes::{Energy, Evaluations, Momentum};
use comfy_table::CellAlignment;
use serde::Serialize;
use std::fmt::Write;

/// What stands under a table, so that its numbers mean something.
const LEGEND: &[&str] = &[
    "Claims in parentheses. Body f: I = (0.6, 0.8, 1), Π0 = (1.8, 0.4, −0.9), free; body a: the same with the \
     force (0, 0, −2) at the body point (0.3, −0.2, 0.5); heavy top: cases/heavy_top.toml.",
    "order: slope of the attitude error on body a, from the finest pair of steps above the round-off floor.",
    "back: attitude after 20 steps of 0.05 on body a and 20 back, rad; reversible below 1e-11.",
    "symplectic: largest entry of DΦᵀ Ω DΦ − Ω, one step of 0.2 on body a; symplectic below 1e-10.",
    "energy: of body f. momentum: π of body f, π_z of body a, 100 steps of 0.1; exact below 1e-12.",
    "spin: angle by which the heavy top's spin is off at 1 s with h = 0.003, rad. torque: evaluations a step.",
    "longest h: with which, as with all shorter ones tried (9 % apart, from 0.001), the heavy top stays within \
     twice its cone for 10 s; 0.512 is the longest tried; – : not even with the shortest.",
];

fn header(times: bool) -> Vec<&'static str> {
    let mut header = vec![
        "scheme",
        "order",
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
        beside(&number(m.irreversibility), yes(c.reversible)),
        beside(&number(m.symplectic_defect), yes(c.symplectic)),
        beside(&energy_found(m.energy), &energy_claimed(c.energy)),
        beside(&momentum, momentum_claimed(c.momentum)),
        number(m.spin_phase),
        torque,
        number(m.largest_step),
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

/// For the terminal.
pub fn text(cards: &[Card], times: bool, look: &Look) -> String {
    let header = header(times);
    let mut t = console::table(look, &header);
    for card in cards {
        t.add_row(row(card, times));
    }
    for c in 1..header.len() - 1 {
        if let Some(column) = t.column_mut(c) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut out = format!("{t}\n");
    for line in LEGEND {
        let _ = writeln!(out, "{line}");
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
    out
}

/// For documents.
pub fn markdown(cards: &[Card], times: bool) -> String {
    let header = header(times);
    let mut out = format!("| {} |\n|", header.join(" | "));
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
    out
}

/// For programs.
pub fn json(cards: &[Card]) -> String {
    #[derive(Serialize)]
    struct Out {
        scheme: &'static str,
        claimed: Claimed,
        measured: Measurements,
        reversible: Option<bool>,
        symplectic: Option<bool>,
        keeps_momentum: Option<bool>,
        as_claimed: bool,
        disagreements: Vec<&'static str>,
    }
    #[derive(Serialize)]
    struct Claimed {
        order: u8,
        reversible: bool,
        symplectic: bool,
        energy: String,
        momentum: String,
        torque_evaluations: String,
    }
    let out: Vec<Out> = cards
        .iter()
        .map(|card| {
            let (c, disagreements) = (&card.claims, card.disagreements());
            Out {
                scheme: card.name,
                claimed: Claimed {
                    order: c.order,
                    reversible: c.reversible,
                    symplectic: c.symplectic,
                    energy: c.energy.to_string(),
                    momentum: c.momentum.to_string(),
                    torque_evaluations: c.torque_evaluations.to_string(),
                },
                measured: card.measured,
                reversible: card.measured.reversible(),
                symplectic: card.measured.symplectic(),
                keeps_momentum: card.measured.keeps_momentum(),
                as_claimed: disagreements.is_empty(),
                disagreements,
            }
        })
        .collect();
    let mut text = serde_json::to_string_pretty(&out).expect("plain data always serialises");
    text.push('\n');
    text
}
