//! All words of kicks and turns of up to five letters, each as a solver.

use super::*;
use crate::identification::experiment::{Answer, Row};
use topsim_core::models::RotState;

struct Solver(Word);

impl Target for Solver {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let run = |probe: &Probe| {
            let mut state = (probe.start.att, probe.start.omega);
            let row = |n: usize, (att, omega)| Row::of(probe.time(n), &RotState { att, omega });
            let mut rows = vec![row(0, state)];
            for n in 0..probe.steps {
                let step = Step {
                    body: probe.start.clone(),
                    t: probe.time(n),
                    h: probe.step,
                    from: state,
                    to: state,
                    past: Vec::new(),
                };
                state = self.0.predict(&step);
                if !(state.0.sum() + state.1.sum()).is_finite() {
                    break;
                }
                rows.push(row(n + 1, state));
            }
            Ok(rows)
        };
        probes.iter().map(run).collect()
    }
}

/// Each has a name; a first-order one has no flaw but what restores the momentum and what cuts turns short.
#[test]
fn words_have_names() {
    let (mut count, mut unnamed, mut wrong) = (0, Vec::new(), Vec::new());
    let mut lost = Vec::new();
    for word in words::all() {
        // Kicks without the torque are another model.
        let whole = |k: &operators::Kick| {
            use operators::Kick;
            matches!(
                k,
                Kick::Torque | Kick::Whole | Kick::WholeImplicit | Kick::WholeNewton
            )
        };
        if word.composition.drifts.len() > 2 || !word.kick.iter().any(whole) {
            continue;
        }
        count += 1;
        let f = identify(&Solver(word), 2e-16);
        if f.name.is_none() {
            unnamed.push(word.to_string());
        }
        for flaw in &f.flaws {
            match flaw {
                SchemeFlaw::TruncatedTurn | SchemeFlaw::Restored(_) => {}
                SchemeFlaw::OrderLost { part, value } if word.composition.order == 2 => {
                    lost.push(format!("{word}: {part:?} {value:.4}"));
                }
                flaw => wrong.push(format!("{word}: {flaw:?}")),
            }
        }
    }
    println!(
        "{count} words, unnamed {unnamed:#?}, {} lose an order {lost:#?}, wrong {wrong:#?}",
        lost.len()
    );
    assert!(wrong.is_empty());
    assert!(unnamed.len() * 50 < count);
}
