//! All words of kicks and turns of up to five letters, and all variables of Runge–Kutta rules, each as a solver.

use super::*;
use crate::identification::experiment::{Answer, Row};
use crate::identification::scheme::runge_kutta::carriers;
use topsim_core::models::RotState;
use topsim_model::stepping::WordKick;
use topsim_model::tableau::{self, Place};

struct Solver<F>(F);

impl<F: Fn(&Step) -> questioner::State + Sync> Target for Solver<F> {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let run = |probe: &Probe| {
            let mut state = (probe.start.att, probe.start.omega);
            let row = |n: usize, (att, omega)| Row::of(probe.time(n), &RotState { att, omega });
            let mut rows = vec![row(0, state)];
            for n in 0..probe.steps {
                let span = (probe.time(n), probe.step);
                let step = Step::new(&probe.start, span, state, state);
                state = (self.0)(&step);
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
    for word in words::all(&[]) {
        // Kicks without the torque are another model.
        let whole = |k: &WordKick| k.has_torque();
        if word.composition.drifts.len() > 2 || !word.kick.iter().any(whole) {
            continue;
        }
        count += 1;
        let f = identify(
            &Solver(|s: &Step| word.predict(s)),
            Scope::whole(true),
            &Floor::of_digits(2e-16),
        );
        if f.name.is_none() {
            unnamed.push(word.to_string());
        }
        for flaw in &f.flaws {
            match flaw {
                SchemeFlaw::TruncatedTurn | SchemeFlaw::Restored(_) => {}
                // Of a word that is of second order but for one part.
                SchemeFlaw::OrderLost { .. } | SchemeFlaw::OrderLostByTorque
                    if word.composition.order == 2 => {}
                flaw => wrong.push(format!("{word}: {flaw:?}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 300 && unnamed.is_empty(), "{count}: {unnamed:#?}");
}

/// Three steps in one of a wrong length, of words with each turn.
#[test]
fn compositions_of_another_length_are_told() {
    let mut chance = questioner::PseudoRandom::new(17);
    let mut count = 0;
    let three = words::all(&[]).into_iter();
    let three = three.filter(|w| w.composition.drifts.len() == 3 && !w.solves_equations());
    for word in three.step_by(4) {
        // Kicks without the torque are another model.
        if !word.kick.iter().any(|k| k.has_torque()) || word.restores_momentum() {
            continue;
        }
        count += 1;
        let first = 1.3512 + 0.05 * chance.next();
        let word = Word {
            first: Some(first),
            ..word
        };
        let f = identify(
            &Solver(|s: &Step| word.predict(s)),
            Scope::whole(true),
            &Floor::of_digits(2e-16),
        );
        let told = |flaw: &SchemeFlaw| matches!(flaw, SchemeFlaw::Composition(x) if (x - first).abs() < 1e-8);
        assert!(
            f.flaws.iter().any(told),
            "{word}: {:?} {:?}",
            f.name,
            f.flaws
        );
    }
    assert!(count > 3, "{count}");
}

/// One entry changed at random, in all variables; one entry moved.
#[test]
fn edits_in_all_variables() {
    let mut chance = questioner::PseudoRandom::new(123);
    let (mut count, mut hits, mut wrong) = (0, 0, Vec::new());
    for carrier in carriers() {
        for name in [
            "RK4",
            "the 3/8 rule",
            "Kutta's rule of order 3",
            "Heun's rule",
        ] {
            let plain = tableau::find(name).unwrap();
            let places: Vec<Place> = Place::all(&plain)
                .into_iter()
                .filter(|p| matches!(p, Place::Stage(..)))
                .collect();
            let at = ((chance.next() + 1.0) * 0.5 * places.len() as f64) as usize;
            let delta = chance.next().signum() * (0.1 + 0.3 * chance.next().abs());
            let place = places[at];
            let rule = EditedRule::plain(place.add(&plain, delta), carrier);
            let f = identify(
                &Solver(|s: &Step| rule.predict(s)),
                Scope::whole(true),
                &Floor::of_digits(2e-16),
            );
            count += 1;
            let said: Vec<_> = f
                .flaws
                .iter()
                .filter_map(|x| match x {
                    SchemeFlaw::Edited {
                        tableau,
                        edit: Edit::Changed { place, .. },
                    } => Some((*tableau, *place)),
                    _ => None,
                })
                .collect();
            let right = said == [(name, place)];
            hits += usize::from(right);
            if !right {
                wrong.push(format!(
                    "{name} {place} {delta:.3} {carrier:?}: {:?} {:?}",
                    f.name, f.flaws
                ));
            }
        }
    }
    assert_eq!(hits, count, "{wrong:#?}");
    let (mut count, mut hits, mut missed) = (0, 0, Vec::new());
    for plain in tableau::named()
        .into_iter()
        .filter(|t| (3..=4).contains(&t.stages))
    {
        for (moved, row, from, to) in tableau::moves(&plain) {
            let carrier = carriers().cycle().nth(count).unwrap();
            let rule = EditedRule::plain(moved, carrier);
            let f = identify(
                &Solver(|s: &Step| rule.predict(s)),
                Scope::whole(true),
                &Floor::of_digits(2e-16),
            );
            count += 1;
            let named = f.name.is_some();
            hits += usize::from(named);
            if !named {
                missed.push(format!(
                    "{} a{row}{from} at a{row}{to} on {carrier:?}: {:?}",
                    plain.name, f.alike
                ));
            }
        }
    }
    assert_eq!(hits, count, "{missed:#?}");
}
