//! Schemes of histories whose rows are several steps apart.

use super::*;
use crate::identification::experiment::{Load, Row, Start};
use topsim_core::math::{Random, Vec3, so3};
use topsim_core::models::RotState;
use topsim_model::stepping::{Carrier, Rule, Span};
use topsim_model::tableau::{self, Tableau};
use topsim_model::{Equations, Model, Observed, Print, Report, State, StepHistory};

/// Steps of the histories, s, and the time between rows.
const LADDER: [f64; 3] = [0.02, 0.01, 0.005];
const BETWEEN: f64 = 0.04;
const ROWS: usize = 80;

fn top() -> Start {
    Start {
        att: so3::exp(&Vec3::new(0.3, -0.8, 0.5)),
        omega: Vec3::new(1.1, -0.7, 1.9),
        inertia: topsim_model::law::standard_inertia(),
        load: Load::Gravity {
            weight: 12.0,
            lever: Vec3::new(0.3, -0.2, 0.5),
            up: Vec3::new(0.36, -0.48, 0.8),
        },
    }
}

/// Returns what is said of the rows of a solver, of which `run` makes some steps of `h` from a time and a state.
fn of_solver(run: impl Fn(f64, f64, u32, State) -> State) -> SchemeFindings {
    let body = top();
    let history = |h: f64| {
        let steps = (BETWEEN / h).round() as u32;
        let mut y = State::new(&body.att, body.omega);
        let rows: Vec<Row> = (0..ROWS)
            .map(|k| {
                let t = BETWEEN * k as f64;
                let row = Row::of(
                    t,
                    &RotState {
                        att: y.attitude(),
                        omega: y.omega,
                    },
                );
                y = run(t, h, steps, y);
                row
            })
            .collect();
        StepHistory {
            step: h,
            print: Print::of(&rows),
            rows,
        }
    };
    let observed = Observed::new(&body, LADDER.map(history).into());
    of_rows(&observed, &Report::default()).expect("rows with all digits")
}

fn of_rule(tableau: Tableau, carrier: Carrier) -> SchemeFindings {
    let model = Model::right(Rule::runge_kutta(tableau, carrier).once());
    let right = Equations::right(&top());
    of_solver(|from, step, steps, y| {
        let span = Span { from, step, steps };
        model.advance(&right, span, &y, None).expect("a state")
    })
}

#[test]
fn right_rules_are_named_without_a_flaw() {
    let carriers = [
        Carrier::QuaternionOneMinus,
        Carrier::StageQuaternion,
        Carrier::RotationVector,
    ];
    for (k, tableau) in tableau::named().into_iter().enumerate() {
        let f = of_rule(tableau, carriers[k % 3]);
        let named = f.name.iter().chain(&f.alike);
        let named: Vec<&String> = named.collect();
        assert!(
            named.iter().any(|n| n.contains(tableau.name)) && f.flaws.is_empty(),
            "{}: {named:?} {:?}",
            tableau.name,
            f.flaws
        );
    }
}

#[test]
fn weights_rows_and_entries_that_are_wrong_are_found() {
    let carriers = [
        Carrier::QuaternionOneMinus,
        Carrier::Quaternion,
        Carrier::RotationVector,
    ];
    let mut chance = Random::new(5);
    let mut hits = 0;
    let mut by = || (0.1 + 0.3 * chance.uniform()) * (chance.uniform() - 0.5).signum();
    for n in 0..12 {
        let name = ["RK4", "the 3/8 rule", "Kutta's rule of order 3"][n % 3];
        let own = tableau::find(name).expect("a rule with a name");
        let (last, mut t) = (own.stages - 1, own);
        match n / 3 {
            0 => t.a[last][last - 1] += by(),
            1 => {
                let x = by();
                t.b[0] += x;
                t.b[1] -= x;
            }
            // All weights, as of another rule.
            2 => {
                let (x, y) = (by(), by());
                t.b[0] += x;
                t.b[1] += y;
                t.b[last] -= x + y;
            }
            _ => {
                t.a[last][0] += by();
                t.a[last][1] += by();
            }
        }
        let f = of_rule(t, carriers[n % 3]);
        let found =
            |x: &SchemeFlaw| matches!(x, SchemeFlaw::Edited { tableau, .. } if *tableau == name);
        hits += usize::from(f.flaws.iter().any(found));
    }
    // A fit of two entries may end at none.
    assert!(hits >= 11, "{hits} of 12");
}

/// Rules of the ends of a step are solved for its end, and their numbers are fitted.
#[test]
fn two_point_rules_are_found_with_their_numbers() {
    let body = top();
    let mut chance = Random::new(8);
    for _ in 0..3 {
        let gamma = 0.55 + (20.0 * chance.uniform()).round() / 100.0;
        let beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
        let f = of_solver(|from, h, steps, y| {
            let once = |(t, (r, w)): (f64, (topsim_core::math::Mat3, Vec3))| {
                let first = body.acceleration(t, &r, &w);
                let mut to = (r, w);
                for _ in 0..60 {
                    let last = body.acceleration(t + h, &to.0, &to.1);
                    let turn = w * h + (first * (0.5 - beta) + last * beta) * (h * h);
                    to = (
                        r * so3::exp(&turn),
                        w + (first * (1.0 - gamma) + last * gamma) * h,
                    );
                }
                (t + h, to)
            };
            let end = (0..steps).fold((from, (y.attitude(), y.omega)), |y, _| once(y));
            State::new(&end.1.0, end.1.1)
        });
        let name = f.name.clone().unwrap_or_default();
        let lost = |x: &SchemeFlaw| matches!(x, SchemeFlaw::OrderLost { part: LostPart::Rate, value } if (value - gamma).abs() < 0.01);
        assert!(
            name.starts_with("Newmark's rule") && f.flaws.iter().any(lost),
            "{gamma}: {name} {:?}",
            f.flaws
        );
    }
}
