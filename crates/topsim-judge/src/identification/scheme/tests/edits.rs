//! Tableaus with a wrong entry, right solvers at a floor, and solvers that are of no family.

use super::solvers::{by, many, one, with};
use super::*;
use crate::identification::experiment::Answer;
use topsim_core::math::{Random, Vec3, so3};
use topsim_model::tableau::Place;
use wrong_solvers::{Habit, Print, Report, Rule, Solver, Tableau};

/// Rules by hand, as authors type them.
const TYPED: [(&str, Tableau); 4] = [
    ("RK4", Tableau::RK4),
    ("the 3/8 rule", Tableau::THREE_EIGHTHS),
    ("Kutta's rule of order 3", Tableau::KUTTA3),
    ("Ralston's rule of order 3", Tableau::RALSTON3),
];

/// Returns the sentences about a rule on quaternion and rate.
fn said_of_rule(name: &str, rule: Tableau) -> SchemeFindings {
    said(name, &Solver::new(&[], Rule::Explicit(rule)), 2e-16)
}

/// One entry of A changed at random: the tableau, the place and the value are said.
#[test]
fn wrong_entries_are_found() {
    let mut chance = questioner::PseudoRandom::new(77);
    let mut hits = 0;
    let mut missed = Vec::new();
    for n in 0..30 {
        let (name, mut rule) = TYPED[n % 4];
        let row = ((chance.next() + 1.0) * 0.5 * (rule.stages - 1) as f64) as usize;
        let column = ((chance.next() + 1.0) * 0.5 * (row + 1) as f64) as usize;
        let was = rule.a[row][column];
        let is = was + chance.next().signum() * (0.1 + 0.3 * chance.next().abs());
        rule.a[row][column] = is;
        let place = format!("a{}{}", row + 2, column + 1);
        let f = said_of_rule(&format!("{name} {place} {was} -> {is}"), rule);
        let hit = f.flaws.iter().any(|x| {
            matches!(x, SchemeFlaw::Edited { tableau, edit: Edit::Changed { place: p, is: i, .. } }
            if *tableau == name && p.to_string() == place && (i - is).abs() < 1e-6)
        });
        hits += usize::from(hit);
        if !hit {
            missed.push((name, place, f.name));
        }
    }
    assert_eq!(hits, 30, "{missed:?}");
}

#[test]
fn usual_slips_of_a_tableau() {
    let slip = |name: &str, row: usize, entries: [f64; 3], part: &str| {
        let mut rule = Tableau::RK4;
        rule.a[row] = entries;
        let f = said_of_rule(name, rule);
        assert!(
            f.name.as_deref().is_some_and(|n| n.contains(part)),
            "{:?}",
            f.name
        );
        assert!(
            matches!(f.flaws[..], [SchemeFlaw::Edited { .. }]),
            "{:?}",
            f.flaws
        );
    };
    slip(
        "half at the end",
        2,
        [0.0, 0.0, 0.5],
        "a43 = 1/2 instead of 1",
    );
    slip(
        "third stage of the first",
        1,
        [0.5, 0.0, 0.0],
        "a32 in the place of a31",
    );
    slip(
        "fourth stage of the second",
        2,
        [0.0, 1.0, 0.0],
        "a43 in the place of a42",
    );
    slip(
        "fourth stage of the first",
        2,
        [1.0, 0.0, 0.0],
        "a43 in the place of a41",
    );
    let mut rule = Tableau::RK4;
    rule.b = [1.0 / 6.0, 1.0 / 6.0, 0.5, 1.0 / 6.0];
    let f = said_of_rule("weights", rule);
    assert!(
        matches!(
            f.flaws[..],
            [SchemeFlaw::Edited {
                edit: Edit::Changed { .. },
                ..
            }]
        ) || f.flaws.is_empty(),
        "{:?}",
        f.flaws
    );
}

/// Few digits of rows that have a quaternion: what they are called, their noise, and how they are written.
const FEW: [(&str, f64, Print); 2] = [
    ("float32", 6e-8, Print::Single),
    ("nine digits", 1e-9, Print::Decimals(9)),
];

fn with_quaternions(rule: Rule, print: Print) -> Solver {
    Solver {
        report: Report::Components {
            order: [0, 1, 2, 3],
            signs: [1.0; 4],
        },
        print,
        ..Solver::new(&[], rule)
    }
}

/// What is said at few digits is right, or nothing is.
#[test]
fn few_digits() {
    for (text, noise, print) in FEW {
        let euler = with_quaternions(Rule::SemiImplicitEuler, print);
        let f = said(&format!("{text} semi-implicit Euler"), &euler, noise);
        assert!(
            f.name
                .as_deref()
                .is_some_and(|n| n.contains("semi-implicit Euler")),
            "{:?}",
            f.name
        );
        assert!(f.flaws.is_empty(), "{:?}", f.flaws);
        for (name, rule) in TYPED {
            let solver = with_quaternions(Rule::Explicit(rule), print);
            let f = said(&format!("{text} {name}"), &solver, noise);
            assert!(
                f.name.as_deref().is_none_or(|n| n.starts_with(name)),
                "{:?}",
                f.name
            );
            assert!(f.flaws.is_empty(), "{:?}", f.flaws);
        }
    }
}

/// Inner steps and tight tolerances.
#[test]
fn inner_steps() {
    let rule = &Rule::Rk4RotationVector;
    let right = |rule: Rule| {
        let f = said(&format!("{rule:?}"), &Solver::new(&[], rule), 2e-16);
        assert!(f.flaws.is_empty(), "{rule:?}: {:?}", f.flaws);
        f.name
    };
    let four = right(Rule::Inner { rule, count: 4 });
    assert!(
        four.as_deref()
            .is_some_and(|n| n.starts_with("4 inner steps of RK4")),
        "{four:?}"
    );
    let exact = right(Rule::Inner { rule, count: 100 });
    assert!(
        exact.as_deref().is_none_or(|n| !n.starts_with("RK4 on")),
        "{exact:?}"
    );
    right(Rule::Every { rule, step: 0.01 });
    right(Rule::OwnSteps(0.01));
}

/// Nothing wrong is said of what is of no family.
#[test]
fn outside_the_families() {
    let none = |name: &str, target: &dyn Target| {
        let f = said(name, target, 2e-16);
        assert!(f.name.is_none(), "{name}: {:?}", f.name);
        f
    };
    // A predictor with two corrections, the second damped.
    let f = none(
        "two corrections",
        &*one(|p, t, h, y| {
            let j = p.inertia().clone();
            let a = |t: f64, r: &_, w: &Vec3| j.solve(&(p.torque_body(t, r) + j.times(w).cross(w)));
            let (r, w) = (y.att, y.omega);
            let a0 = a(t, &r, &w);
            let mut x = w + a0 * h;
            for _ in 0..2 {
                let e = r * so3::exp(&((w + x) * (0.5 * h)));
                x = w + (a0 + a(t + h, &e, &x)) * (0.5 * h) + (x - w).cross(&w) * (0.1 * h * h);
            }
            y.att = r * so3::exp(&((w + x) * (0.5 * h) + w.cross(&x) * (h * h / 12.0)));
            y.omega = x;
        }),
    );
    assert!(f.flaws.is_empty(), "{:?}", f.flaws);
    // A rule of three steps, begun well.
    let f = said(
        "ab3",
        &*many(|p, t, h, y, m: &mut Vec<(Vec3, Vec3)>| {
            let j = p.inertia().clone();
            let now = (
                j.solve(&(p.torque_body(t, &y.att) + j.times(&y.omega).cross(&y.omega))),
                y.omega,
            );
            m.insert(0, now);
            if m.len() < 3 {
                let rule = &Rule::Rk4RotationVector;
                *y = by(Rule::Inner { rule, count: 8 }, p, t, h, y);
            } else {
                let c = [23.0 / 12.0, -16.0 / 12.0, 5.0 / 12.0];
                let sum = |f: &dyn Fn(&(Vec3, Vec3)) -> Vec3| {
                    (0..3).map(|i| f(&m[i]) * c[i]).sum::<Vec3>()
                };
                let (a, w) = (sum(&|x| x.0), sum(&|x| x.1));
                y.omega += a * h;
                y.att *= so3::exp(&(w * h));
            }
        }),
        2e-16,
    );
    assert!(f.flaws.is_empty(), "{:?}", f.flaws);
}

/// Rules that no one has named: an edit may be found or not, but right ones are not called wrong.
#[test]
fn unnamed_rules_are_not_wrong() {
    let mut flawed = Vec::new();
    for (text, c2, c3) in [
        ("generic order 2", 0.4, 0.0),
        ("order 2, c = 3/4", 0.75, 0.0),
    ] {
        let f = said_of_rule(text, Tableau::two(c2));
        if !f.flaws.is_empty() {
            flawed.push((text, c2, c3, f.flaws));
        }
    }
    // Order 3 with any c₂, c₃.
    for (c2, c3) in [(0.25, 0.75), (0.3, 0.8), (0.6, 0.9), (0.4, 1.0), (0.5, 0.7)] {
        let b3 = (2.0 - 3.0 * c2) / (6.0 * c3 * (c3 - c2));
        let b2 = (2.0 - 3.0 * c3) / (6.0 * c2 * (c2 - c3));
        let a32 = 1.0 / (6.0 * b3 * c2);
        let rule = Tableau::three([[c2, 0.0], [c3 - a32, a32]], [1.0 - b2 - b3, b2, b3]);
        let f = said_of_rule(&format!("order 3, {c2} {c3}"), rule);
        if !f.flaws.is_empty() {
            flawed.push(("order 3", c2, c3, f.flaws));
        }
    }
    // Order 4 with c = (0, c₂, 1/2, 1) of Kutta's family.
    for b3 in [0.1, 0.2, 0.25, 0.4] {
        let a32 = 1.0 / (6.0 * b3);
        let rule = Tableau {
            stages: 4,
            a: [
                [0.5, 0.0, 0.0],
                [0.5 - a32, a32, 0.0],
                [0.0, 1.0 - 3.0 * b3, 3.0 * b3],
            ],
            b: [1.0 / 6.0, 2.0 / 3.0 - b3, b3, 1.0 / 6.0],
        };
        let f = said_of_rule(&format!("order 4, b3 = {b3}"), rule);
        if !f.flaws.is_empty() {
            flawed.push(("order 4", b3, 0.0, f.flaws));
        }
    }
    assert!(flawed.is_empty(), "{flawed:?}");
}

/// Weights drawn at random, or those of another rule, on the right stages: the stages and the weights are said.
#[test]
fn other_weights_are_told_from_other_stages() {
    let mut chance = questioner::PseudoRandom::new(55);
    for n in 0..12 {
        let (name, mut rule) = TYPED[n % 4];
        let drawn: Vec<f64> = (0..rule.stages).map(|_| chance.next() + 1.2).collect();
        let sum = drawn.iter().sum::<f64>();
        for (b, x) in rule.b.iter_mut().zip(&drawn) {
            *b = x / sum;
        }
        if n == 0 {
            rule.b = Tableau::THREE_EIGHTHS.b;
        }
        let f = said_of_rule(&format!("{name} {:?}", rule.b), rule);
        let told = f.name.as_deref().unwrap_or_default();
        let seen = |x: &SchemeFlaw| {
            matches!(x, SchemeFlaw::Edited { tableau, edit: Edit::Weights(b) }
            if *tableau == name && b.iter().zip(&rule.b).all(|(x, y)| (x - y).abs() < 1e-7))
        };
        assert!(f.flaws.iter().any(seen), "{n}: {told:?} {:?}", f.flaws);
        assert_eq!(told.contains("those of the 3/8 rule"), n == 0, "{told}");
    }
}

/// Two entries changed: none else is blamed.
#[test]
fn two_wrong_entries_are_not_one() {
    let mut chance = questioner::PseudoRandom::new(99);
    let mut hits = 0;
    for n in 0..12 {
        let (name, mut rule) = TYPED[n % 2];
        rule.a[1][1] += 0.2 * chance.next() + 0.05;
        rule.a[2][0] += 0.3 * chance.next() + 0.04;
        let f = said_of_rule(&format!("{name} twice"), rule);
        hits += usize::from(f.name.is_some());
        assert!(
            f.name
                .as_deref()
                .is_none_or(|n| n.starts_with(name) || n.starts_with("a Runge")),
            "{:?}",
            f.name
        );
        for flaw in &f.flaws {
            assert!(
                matches!(flaw, SchemeFlaw::Edited { tableau, edit: Edit::Twice([(Place::Stage(3, 2), ..), (Place::Stage(4, 1), ..)]) }
                    if *tableau == name),
                "{flaw:?}"
            );
        }
    }
    assert!(hits >= 11, "{hits}");
}

/// Answers some questions only, and those in part.
struct Reluctant<'a>(&'a dyn Target, fn(&Probe) -> bool, usize);

impl Target for Reluctant<'_> {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let all = self.0.answers(probes).into_iter().zip(probes);
        all.map(|(a, p)| {
            if !(self.1)(p) {
                return Err("refused".into());
            }
            a.map(|mut rows| {
                rows.truncate(self.2);
                rows
            })
        })
        .collect()
    }
}

#[test]
fn solvers_that_refuse() {
    use crate::identification::experiment::Load;
    let whole = Solver::new(&[], Rule::Explicit(Tableau::RK4));
    let f = said("no answer", &Reluctant(&whole, |_| false, 9), 2e-16);
    assert!(f.name.is_none() && f.flaws.is_empty());
    let f = said("the first row only", &Reluctant(&whole, |_| true, 1), 2e-16);
    assert!(f.name.is_none() && f.flaws.is_empty());
    let f = said("one step only", &Reluctant(&whole, |_| true, 2), 2e-16);
    assert!(f.name.is_some_and(|n| n.starts_with("RK4 on (quaternion")) && f.flaws.is_empty());
    let heavy = |p: &Probe| matches!(p.start.load, Load::Gravity { .. });
    let f = said("gravity only", &Reluctant(&whole, heavy, 9), 2e-16);
    assert!(f.name.is_some_and(|n| n.starts_with("RK4 on (quaternion")) && f.flaws.is_empty());
}

/// A memory with few digits.
#[test]
fn few_digits_and_a_memory() {
    for (text, noise, print) in FEW {
        let ab2 = with_quaternions(Rule::Ab2, print);
        let f = said(&format!("{text} ab2"), &ab2, noise);
        assert!(
            f.name
                .as_deref()
                .is_some_and(|n| n.starts_with("Adams–Bashforth of order 2")),
            "{:?}",
            f.name
        );
        assert!(f.flaws.is_empty(), "{:?}", f.flaws);
        let lag = Solver {
            habit: Habit::StaleTorque,
            ..with_quaternions(Rule::SemiImplicitEuler, print)
        };
        let f = said(&format!("{text} lagged torque"), &lag, noise);
        assert!(
            f.name
                .as_deref()
                .is_some_and(|n| n.contains("torque of the step before")),
            "{:?}",
            f.name
        );
        assert!(
            matches!(f.flaws[..], [SchemeFlaw::StaleTorque { .. }]),
            "{:?}",
            f.flaws
        );
    }
}

/// Wrong terms of rotation vectors, rows of implicit rules that are exchanged, and weights of multistep rules that do not make their order.
#[test]
fn rules_that_lose_their_order_are_told() {
    let flaws = |rule: Rule| with(rule, Habit::None).flaws;
    for wrong in 1..=6 {
        let found = flaws(Rule::Rk4WrongVector(wrong));
        assert!(
            matches!(found[..], [SchemeFlaw::WrongChart { tableau: "RK4", .. }]),
            "{found:?}"
        );
    }
    let found = flaws(Rule::Gauss4 { exchanged: true });
    assert!(
        matches!(
            found[..],
            [SchemeFlaw::Edited {
                edit: Edit::Rows([1, 2]),
                ..
            }]
        ),
        "{found:?}"
    );
    let right = with(Rule::Gauss4 { exchanged: false }, Habit::None);
    let name = right.name.as_deref().unwrap_or_default();
    assert!(name.contains("Gauss's rule of order 4") && right.flaws.is_empty());
    let mut random = Random::new(5);
    for _ in 0..6 {
        // The weights add up to 1, and the first moment is off.
        let off = (0.02 + 0.2 * random.uniform()) * [1.0, -1.0][(random.bits() % 2) as usize];
        let weights = [23.0 / 12.0, -4.0 / 3.0 - off, 5.0 / 12.0 + off];
        let found = flaws(Rule::Ab3(weights));
        assert!(
            matches!(found[..], [SchemeFlaw::SlopeWeights(w)] if (w[1] - weights[1]).abs() < 1e-6),
            "{found:?}"
        );
    }
    let right = with(
        Rule::Ab3([23.0 / 12.0, -4.0 / 3.0, 5.0 / 12.0]),
        Habit::None,
    );
    assert!(right.flaws.is_empty(), "{:?}", right.flaws);
    let said = sentences(&right, &right.flaws);
    assert!(
        said.iter().any(|s| s == "Its rule is of order 3."),
        "{said:?}"
    );
}
