//! Numbers of a scheme's tables as text, in the letters of its formula.

use super::compositions::Composition;
use super::lie_rk::{Factors, LieMethod, LieStage, TableauRow};
use super::tableaus::ButcherTableau;

/// Numbers that the formula of a scheme has as letters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Coefficients {
    /// The formula has all numbers.
    None,
    /// Stages and weights of a Runge–Kutta rule.
    Tableau(&'static ButcherTableau),
    /// Stages of a Runge–Kutta rule on the group.
    Group(&'static LieMethod),
    /// Kicks and drifts.
    Composition(&'static Composition),
    /// Formulas of numbers that depend on the body.
    Formulas(&'static [&'static str]),
    /// Lists with their letters.
    Lists(&'static [(&'static str, &'static [f64])]),
}

impl Coefficients {
    /// Returns the numbers in the shortest decimals that are read as the same doubles, a list or a stage in each line.
    pub fn lines(&self) -> Vec<String> {
        match self {
            Self::None => Vec::new(),
            Self::Tableau(rule) => {
                let rows = rule.rows.iter().zip(1..).filter(|(row, _)| !row.is_empty());
                let rows = rows.map(|(row, i)| list(&format!("a_{i}j"), row));
                rows.chain([list("b", rule.weights)]).collect()
            }
            Self::Group(method) => stages(method),
            Self::Composition(c) => vec![list("a", c.kicks), list("b", c.drifts)],
            Self::Formulas(all) => all.iter().map(|text| (*text).to_string()).collect(),
            Self::Lists(lists) => lists.iter().map(|(name, all)| list(name, all)).collect(),
        }
    }
}

fn list(name: &str, numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
    format!("{name} = ({})", numbers.join(", "))
}

/// Returns the sum of the k with their factors, or nothing where all are zero.
fn sum(row: TableauRow) -> Option<String> {
    let terms = row.iter().zip(1..).filter(|(a, _)| **a != 0.0);
    let mut out = String::new();
    for (a, k) in terms {
        match (out.is_empty(), *a < 0.0) {
            (true, _) => {}
            (false, true) => out.push_str(" - "),
            (false, false) => out.push_str(" + "),
        }
        let shown = if out.is_empty() { *a } else { a.abs() };
        out.push_str(&format!("{shown} k{k}"));
    }
    (!out.is_empty()).then_some(out)
}

fn stages(method: &LieMethod) -> Vec<String> {
    let count = method.stages.len();
    let stage = |(i, stage): (usize, &LieStage)| {
        let turns: Vec<String> = match stage.factors {
            Factors::Each(row) => (0..row.len())
                .filter(|&j| row[j] != 0.0)
                .map(|j| format!("exp({} k{})", row[j], j + 1))
                .collect(),
            Factors::Sums(rows) => {
                let sums = rows.iter().filter_map(|row| sum(row));
                sums.map(|sum| format!("exp({sum})")).collect()
            }
        };
        let from = stage.after + 1;
        let name = if i + 1 == count {
            "Λ'".to_string()
        } else {
            format!("Λ{}", i + 2)
        };
        let time = if i + 1 == count {
            String::new()
        } else {
            format!(", at t + {} h", stage.time)
        };
        format!("{name} = Λ{from} {}{time}", turns.join(" "))
    };
    method.stages.iter().enumerate().map(stage).collect()
}
