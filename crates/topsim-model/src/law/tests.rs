//! Every row of the table of terms is whole.

use super::defect::Values;
use super::terms::PATTERNS;
use super::*;
use crate::probe::{Load, Start};
use topsim_core::math::so3;
use topsim_core::models::Frame;

/// A state of the standard body under each load.
fn states() -> Vec<Start> {
    let (a, b, c) = (
        Vec3::new(0.3, -0.7, 0.5),
        Vec3::new(1.1, 0.4, -0.8),
        Vec3::new(-0.2, 0.6, 0.9),
    );
    let gravity = Load::Gravity {
        weight: 9.0,
        lever: b,
        up: Vec3::new(0.0, 0.6, 0.8),
    };
    let push = |frame| Load::Constant { torque: c, frame };
    let loads = [Load::None, gravity, push(Frame::Space), push(Frame::Body)];
    // So fast that a limit of a few N m acts.
    let state = |load| Start {
        att: so3::exp(&a),
        omega: (b + c) * 3.0,
        inertia: standard_inertia(),
        load,
    };
    loads.into_iter().map(state).collect()
}

fn slopes(law: &Law, start: &Start) -> (Vec3, Vec3) {
    law.slopes(&Place::new(start.clone(), 0.0, true))
}

#[test]
fn the_law_without_other_numbers_is_eulers() {
    for start in states() {
        let (rate, acceleration) = slopes(&Law::default(), &start);
        let exact = start.acceleration(0.0, &start.att, &start.omega);
        assert_eq!(rate, start.omega);
        assert!((acceleration - exact).norm() <= 1e-13 * exact.norm());
    }
}

#[test]
fn each_number_of_a_term_acts_and_is_read_back() {
    for row in TERMS {
        for k in 0..row.len() {
            let mut parameters = vec![0.0; row.len()];
            parameters[k] = 0.3;
            let mut law = Law::default();
            row.apply(&parameters, &mut law);
            assert_ne!(law, Law::default(), "{:?}", row.term);
            assert_eq!(row.values(&law)[k], row.term.usual() + 0.3);
            let acts = states()
                .iter()
                .any(|start| slopes(&law, start) != slopes(&Law::default(), start));
            assert!(acts, "{:?} {k}", row.term);
            row.apply(&vec![0.0; row.len()], &mut law);
            assert_eq!(row.values(&law)[k], row.term.usual() + 0.3);
        }
    }
}

#[test]
fn each_term_has_a_symbol_in_the_equations_and_words_for_its_numbers() {
    let equations = equations();
    for row in TERMS {
        let name = row.term;
        assert!(!row.meaning.is_empty(), "{name:?}");
        let (Words::Says(text) | Words::OfRate(text) | Words::OfTorque(text)) = row.words;
        // It is one of two cases, not a number.
        assert!(text.contains('{') || name == LawTerm::TurnedBack, "{text}");
        let symbols = row.symbol.split(" = ").map(str::trim);
        let is_shown = |symbol: &str| equations.iter().any(|line| line.contains(symbol));
        assert!(symbols.into_iter().all(is_shown), "{}", row.symbol);
    }
}

#[test]
fn each_term_has_a_defect() {
    let has_none = |term: &LawTerm| {
        let mut all = PATTERNS.iter().flat_map(|(_, pattern)| *pattern);
        !all.any(|(t, _)| t == term)
    };
    let without: Vec<LawTerm> = TERMS.iter().map(|r| r.term).filter(has_none).collect();
    // Nobody turns this inertia alone, but a solver that turns it with the other one has it.
    assert_eq!(without, [LawTerm::GyroscopicInertiaTurned]);
}

#[test]
fn each_defect_is_found_by_its_numbers() {
    let inertia = *standard_inertia().tensor();
    for (defect, pattern) in PATTERNS {
        let changes: Vec<Change> = pattern
            .iter()
            .map(|(term, values)| {
                let numbers = match values {
                    Values::Any => vec![0.37; term.row().len()],
                    Values::Positive | Values::Same => vec![0.37],
                    Values::Negative => vec![-0.37],
                    Values::Of(x) => vec![*x],
                    Values::Each(x) => x.to_vec(),
                    Values::Products(c) => {
                        let j = |a, b| (c - 1.0) * inertia[(a, b)];
                        vec![0.0, 0.0, 0.0, j(0, 1), j(0, 2), j(1, 2)]
                    }
                };
                let added = numbers.iter().map(|x| x - term.usual());
                Change::new(*term, added.collect())
            })
            .collect();
        assert_eq!(ModelDefect::of(&changes, &inertia, 1e-6), Some(*defect));
    }
}

#[test]
fn defects_have_one_id_each_a_name_and_advice() {
    let ids: std::collections::BTreeSet<_> = ModelDefect::all().map(ModelDefect::id).collect();
    assert_eq!(ids.len(), ModelDefect::all().count());
    for (i, defect) in ModelDefect::all().enumerate() {
        assert_eq!(defect as usize, i);
        assert!(!defect.name().is_empty() && !defect.advice().is_empty());
    }
}

/// A law by two terms, one of which has the numbers of both, is that term.
#[test]
fn a_term_that_says_the_same_takes_the_place_of_two() {
    let change = |term, added: &[f64]| Change::new(term, added.to_vec());
    let inertia = change(LawTerm::Inertia, &[0.1, -0.2, 0.3, 0.0, 0.4, 0.5]);
    let divisor = change(LawTerm::Divisor, &[0.5, 0.0, 0.0, 0.1, 0.0, 0.0]);
    let gyroscopic = change(LawTerm::GyroscopicInertia, &divisor.added);
    let both = merged(vec![divisor.clone(), gyroscopic.clone(), inertia.clone()]);
    assert_eq!(both.len(), 1, "{both:?}");
    assert_eq!(both[0].term, LawTerm::Inertia);
    assert!((both[0].added[0] - 0.6).abs() < 1e-15);
    let apart = vec![divisor, inertia];
    assert_eq!(merged(apart.clone()), apart);
}

/// A law sees the torque that depends on the rate as the right equations do.
#[test]
fn torques_of_the_rate_are_those_of_the_right_equations() {
    let damping = topsim_core::models::Damping {
        linear: 0.25,
        quadratic: 0.1,
    };
    for mut start in states() {
        start.load = Load::Other(damping.into());
        let (_, acceleration) = slopes(&Law::default(), &start);
        let exact = start.acceleration(0.0, &start.att, &start.omega);
        assert!((acceleration - exact).norm() <= 1e-13 * exact.norm());
        let free = Start {
            load: Load::None,
            ..start.clone()
        };
        assert!((exact - free.acceleration(0.0, &free.att, &free.omega)).norm() > 0.1);
    }
}

#[test]
fn numbers_of_a_slower_clock_make_the_same_motion() {
    let pace = 0.37;
    let slower = |start: &Start| {
        let mut out = start.clone();
        out.omega /= pace;
        match &mut out.load {
            Load::Gravity { weight, .. } => *weight /= pace * pace,
            Load::Constant { torque, .. } => *torque /= pace * pace,
            _ => {}
        }
        out
    };
    let near = |a: Vec3, b: Vec3| (a - b).norm() <= 1e-12 * (1.0 + b.norm());
    for row in TERMS {
        let mut change = Change::new(
            row.term,
            (0..row.len()).map(|k| 0.2 + 0.05 * k as f64).collect(),
        );
        let mut law = Law::default();
        row.apply(&change.added, &mut law);
        change.slow_down(pace);
        let mut slowed = Law::default();
        row.apply(&change.added, &mut slowed);
        for start in states() {
            let (rate, acceleration) = slopes(&law, &start);
            let (u, a) = slopes(&slowed, &slower(&start));
            assert!(near(u * pace, rate), "{:?}: {u} for {rate}", row.term);
            assert!(
                near(a * (pace * pace), acceleration),
                "{:?}: {a} for {acceleration}",
                row.term
            );
        }
    }
}
