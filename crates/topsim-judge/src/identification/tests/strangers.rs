//! Solvers that are written step by step, as other people wrote them.

mod rows;
mod torques;
mod turns;

use super::super::charts::Chart;
use super::super::design::standard;
use super::super::experiment::{Answer, Load, Probe, Row, Start, Stepper, Target};
use super::super::torque_habit::TorqueHabit;
use super::super::{Certainty, Claim, Scope, Symptom, identify, of_case};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use topsim_case::Problem;
use topsim_core::math::{Mat3, Quat, Random, Vec3, eigen, quaternion, so3};
use topsim_core::models::{RigidTop, RotState, TorqueModel};
use topsim_model::defect::{ModelDefect, Part, SchemeDefect};
use topsim_model::euler::Sequence;
use wrong_solvers::{Rule, RunningRule, Solver, TURNS, Tableau};

type Top = RigidTop<TorqueModel>;

fn acceleration(top: &Top, t: f64, att: &Mat3, momentum: &Vec3, w: &Vec3) -> Vec3 {
    let torque = top.torque_body(t, att);
    top.inertia().solve(&(torque + momentum.cross(w)))
}

fn by(rule: Rule, top: &Top, t: f64, h: f64, y: &mut RotState) {
    let slopes = |t: f64, att: &Mat3, w: &Vec3| {
        let momentum = top.inertia().times(w);
        (*w, acceleration(top, t, att, &momentum, w))
    };
    RunningRule::new(rule, f64::INFINITY).step(&slopes, t, h, y);
}

/// A solver whose memory begins empty.
fn solver<M: Default + 'static>(
    step: impl Fn(&Top, f64, f64, &mut RotState, &mut Option<M>) + Send + Sync + Clone + 'static,
) -> Box<dyn Target> {
    Box::new(Stepper(move |top: &Top, _: f64, h: f64| {
        let (top, step) = (top.clone(), step.clone());
        let mut memory = None;
        Ok(move |t: f64, y: &mut RotState| {
            step(&top, t, h, y, &mut memory);
            Ok::<(), String>(())
        })
    }))
}

/// Holds the ids of all claims against those of a solver.
#[track_caller]
fn claims(target: &dyn Target, wanted: &[&str]) {
    let found = identify(target, Scope::whole(true), true);
    let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
    assert_eq!(ids, wanted, "{found:?}");
}

/// Rules that follow the motion without a defect.
fn rules() -> impl Iterator<Item = Rule> {
    let others = [Rule::SemiImplicitEuler, Rule::Midpoint, Rule::Rk4];
    others.into_iter().chain(TURNS)
}

#[test]
fn momenta_in_space_and_implicit_gyroscopic_terms_are_choices() {
    let momentum = solver(|top: &Top, t, h, y, kept: &mut Option<Vec3>| {
        let inertia = top.inertia();
        let l = kept.get_or_insert(y.att * inertia.times(&y.omega));
        *l += y.att * top.torque_body(t, &y.att) * h;
        y.att *= so3::exp(&(inertia.solve(&y.att.tr_mul(l)) * h));
        y.omega = inertia.solve(&y.att.tr_mul(l));
    });
    claims(&*momentum, &[]);
    // (J − h (J W)^) W′ = J W, in space, with h T on its right-hand side, or W₁ = W′ + h J⁻¹ T.
    for within in [true, false] {
        let implicit = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let inertia = top.inertia();
            let l = inertia.times(&y.omega);
            let matrix = inertia.tensor() - so3::hat(&l) * h;
            let impulse = top.torque_body(t, &y.att) * h;
            let [inside, outside] = match within {
                true => [l + impulse, Vec3::zeros()],
                false => [l, impulse],
            };
            let omega = matrix.lu().solve(&inside).expect("the matrix is regular");
            let omega = y.att * (omega + inertia.solve(&outside));
            y.att = so3::exp(&(omega * h)) * y.att;
            y.omega = y.att.tr_mul(&omega);
        });
        claims(&*implicit, &[]);
    }
}

#[test]
fn a_momentum_of_the_step_before_is_no_late_inertia() {
    let stale = solver(|top: &Top, t, h, y, kept: &mut Option<Vec3>| {
        let before = kept.replace(y.omega).unwrap_or(y.omega);
        let momentum = top.inertia().times(&before);
        y.omega += acceleration(top, t, &y.att, &momentum, &y.omega) * h;
        y.att *= so3::exp(&(y.omega * h));
    });
    claims(&*stale, &["scheme/stale_term"]);
}

#[test]
fn other_matrices_of_an_implicit_term_are_told() {
    let mut random = Random::new(27);
    let sign = -0.6 - random.uniform();
    let too_much = 1.2 + random.uniform();
    for (a, b, wanted) in [
        (sign, sign, &["scheme/rule_changed"][..]),
        (1.0, sign, &["scheme/rule_changed"]),
        (sign, 1.0, &["scheme/rule_changed"]),
        (too_much, 1.0, &["scheme/rule_changed"]),
        // The old rate with the new momentum, the new rate with the old one, and a mean are choices.
        (1.0, 0.0, &[]),
        (0.0, 1.0, &[]),
        (0.5, 0.5, &[]),
    ] {
        let solver = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let tensor = top.inertia().tensor();
            let l = tensor * y.omega;
            let slope = so3::hat(&y.omega) * tensor * a - so3::hat(&l) * b;
            let matrix = tensor + slope * h;
            let change = matrix.lu().solve(&(l.cross(&y.omega) * h));
            y.omega += change.expect("the matrix is regular")
                + top.inertia().solve(&top.torque_body(t, &y.att)) * h;
            y.att *= so3::exp(&(y.omega * h));
        });
        claims(&*solver, wanted);
    }
}

/// A solver whose rows are written in another way than they are made.
struct Written<F>(Box<dyn Target>, F);

impl<F: Fn(&mut [Row])> Target for Written<F> {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let mut all = self.0.answers(probes);
        all.iter_mut().flatten().for_each(|rows| (self.1)(rows));
        all
    }
}

/// A right solver of a rule.
fn plain(rule: Rule) -> Box<dyn Target> {
    solver(move |top: &Top, t, h, y, _: &mut Option<()>| by(rule, top, t, h, y))
}

#[test]
fn a_law_that_fits_one_body_alone_is_not_certain() {
    let mut random = Random::new(17);
    for rule in rules() {
        // Rows of Euler's equations about other axes than the body's or its principal ones.
        let other = random.rotation();
        let mut factors = Vec3::repeat(1.0);
        factors[(random.bits() % 3) as usize] = -0.5 - random.uniform();
        let strange = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let (_, axes) = eigen::principal_axes(top.inertia().tensor());
            let axes = axes * other;
            let slopes = |t: f64, att: &Mat3, w: &Vec3| {
                let moment = axes.tr_mul(&top.inertia().times(w).cross(w));
                let moment = axes * moment.component_mul(&factors);
                (*w, top.inertia().solve(&(top.torque_body(t, att) + moment)))
            };
            RunningRule::new(rule, f64::INFINITY).step(&slopes, t, h, y);
        });
        let found = identify(&*strange, Scope::whole(true), true);
        let sure = |c: &Claim| c.certainty == Certainty::Is;
        assert!(!found.claims.iter().any(sure), "{found:?}");
        assert!(!found.claims.is_empty());
    }
}

#[test]
fn a_wrong_extrapolation_of_the_attitude_is_no_late_inertia() {
    let mut random = Random::new(19);
    for _ in 0..6 {
        // Twice the half steps less the whole one would be right.
        let share = 2.0
            + (0.5 + 2.5 * random.uniform())
                * if random.bits().is_multiple_of(2) {
                    1.0
                } else {
                    -1.0
                };
        let wrong = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let inertia = top.inertia();
            let l =
                y.att * inertia.times(&y.omega) + y.att * top.torque_body(t, &y.att) * (0.5 * h);
            let omega = |q: &Quat| {
                let att = so3::matrix_from_quat(q);
                att * inertia.solve(&att.tr_mul(&l))
            };
            let turned = |q: &Quat, h: f64, w: Vec3| {
                let v = w * (0.5 * h);
                let by = quaternion::product(&[0.0, v.x, v.y, v.z], q);
                quaternion::unit(&core::array::from_fn(|i| q[i] + by[i]))
            };
            let q = so3::quat_from_matrix(&y.att);
            let whole = turned(&q, h, omega(&q));
            let half = turned(&q, 0.5 * h, omega(&q));
            let halves = turned(&half, 0.5 * h, omega(&half));
            let q: Quat = core::array::from_fn(|i| share * halves[i] + (1.0 - share) * whole[i]);
            y.att = so3::matrix_from_quat(&quaternion::unit(&q));
            let l = l + y.att * top.torque_body(t + h, &y.att) * (0.5 * h);
            y.omega = inertia.solve(&y.att.tr_mul(&l));
        });
        claims(&*wrong, &["scheme/order_lost"]);
    }
}

#[test]
fn stages_that_begin_at_those_before_are_told() {
    for (name, tableau) in [
        ("RK4", Tableau::RK4),
        ("the 3/8 rule", Tableau::THREE_EIGHTHS),
        ("Kutta's rule of order 3", Tableau::KUTTA3),
        ("Ralston's rule of order 3", Tableau::RALSTON3),
    ] {
        let mut changed = tableau;
        for i in 1..changed.stages - 1 {
            for k in 0..3 {
                changed.a[i][k] += changed.a[i - 1][k];
            }
        }
        let found = identify(&plain_tableau(changed), Scope::whole(true), true);
        let all: Vec<String> = found.claims.iter().map(Claim::sentence).collect();
        assert!(
            all.len() == 1 && all[0].contains("each stage begins") && all[0].contains(name),
            "{found:?}"
        );
    }
}

fn plain_tableau(tableau: Tableau) -> Solver {
    Solver::new(&[], Rule::Explicit(tableau))
}

#[test]
fn an_order_that_few_digits_hide_is_not_told() {
    let mut random = Random::new(23);
    for _ in 0..4 {
        let unit = 1e-5 * 2.0_f64.powf(2.0 * random.uniform());
        let rounded = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            by(Rule::SemiImplicitEuler, top, t, h, y);
            let q = so3::quat_from_matrix(&y.att).map(|x| (x / unit).round() * unit);
            y.att = so3::matrix_from_quat(&quaternion::unit(&q));
        });
        let found = identify(&*rounded, Scope::whole(true), true);
        assert_ne!(found.least_order, Some(2), "{unit}: {found:?}");
        // An entry that is hardly off makes a rule of first order.
        let mut tableau = Tableau::RK4;
        tableau.a[2][1] += 0.01 + 0.02 * random.uniform();
        tableau.a[1][0] += 0.01 * random.uniform();
        let found = identify(&plain_tableau(tableau), Scope::whole(true), true);
        assert_eq!(found.least_order, Some(1), "{found:?}");
    }
}

#[test]
fn a_first_slope_of_another_stage_and_a_step_off_centre_are_told() {
    type Slope = (Quat, Vec3);
    let slope = |top: &Top, t: f64, (q, w): &Slope| -> Slope {
        let att = so3::matrix_from_quat(q);
        let [a, b, c, d] = quaternion::product(q, &[0.0, w.x, w.y, w.z]);
        let turn = [a, b, c, d].map(|x| 0.5 * x);
        (turn, acceleration(top, t, &att, &top.inertia().times(w), w))
    };
    let moved = |(q, w): &Slope, by: &[(f64, Slope)]| -> Slope {
        let turn = core::array::from_fn(|i| q[i] + by.iter().map(|(h, k)| h * k.0[i]).sum::<f64>());
        (turn, w + by.iter().map(|(h, k)| k.1 * *h).sum::<Vec3>())
    };
    let end = |(q, w): Slope, y: &mut RotState| {
        y.att = so3::matrix_from_quat(&quaternion::unit(&q));
        y.omega = w;
    };
    for stage in [1, 2] {
        let reused = solver(move |top: &Top, t, h, y, kept: &mut Option<[Slope; 2]>| {
            let mut at = (so3::quat_from_matrix(&y.att), y.omega);
            // Quaternions of both signs are one attitude, and slopes are those of one.
            if let Some([before, _]) = kept {
                let along: f64 = at.0.iter().zip(&before.0).map(|(a, b)| a * b).sum();
                at.0 = at.0.map(|x| x * along.signum());
            }
            let first = kept.map_or_else(|| slope(top, t, &at), |[_, first]| first);
            let second = slope(top, t + 0.5 * h, &moved(&at, &[(0.5 * h, first)]));
            let third = slope(top, t + 0.75 * h, &moved(&at, &[(0.75 * h, second)]));
            let weights = [
                (2.0 / 9.0 * h, first),
                (h / 3.0, second),
                (4.0 / 9.0 * h, third),
            ];
            *kept = Some([at, [first, second, third][stage]]);
            end(moved(&at, &weights), y);
        });
        let found = identify(&*reused, Scope::whole(true), true);
        let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
        let says = format!("stage {} of the step before", stage + 1);
        assert!(
            ids == ["scheme/rule_changed"] && found.claims[0].sentence().contains(&says),
            "{says}: {found:?}"
        );
    }
    let mut random = Random::new(41);
    for _ in 0..4 {
        let part = 0.53 + 0.4 * random.uniform();
        let off = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let at = (so3::quat_from_matrix(&y.att), y.omega);
            let first = slope(top, t, &at);
            let mut to = moved(&at, &[(h, first)]);
            for _ in 0..60 {
                let last = slope(top, t + h, &to);
                to = moved(&at, &[((1.0 - part) * h, first), (part * h, last)]);
            }
            end(to, y);
        });
        claims(&*off, &["scheme/order_lost"]);
    }
}

#[test]
fn a_number_that_a_stage_does_not_move_is_told() {
    type Numbers = [f64; 7];
    let slope = |top: &Top, t: f64, x: &Numbers| -> Numbers {
        let w = Vec3::new(x[4], x[5], x[6]);
        let q = [x[0], x[1], x[2], x[3]];
        let turn = quaternion::product(&q, &[0.0, w.x, w.y, w.z]);
        let att = so3::matrix_from_quat(&q);
        let a = acceleration(top, t, &att, &top.inertia().times(&w), &w);
        core::array::from_fn(|i| if i < 4 { 0.5 * turn[i] } else { a[i - 4] })
    };
    let moved = |x: &Numbers, h: f64, slope: &Numbers, but: Option<usize>| -> Numbers {
        core::array::from_fn(|i| x[i] + if but == Some(i) { 0.0 } else { h * slope[i] })
    };
    for (stage, number) in [(1, 6), (2, 6), (3, 5), (2, 2)] {
        let early = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let but = |n: usize| (n == stage).then_some(number);
            let q = so3::quat_from_matrix(&y.att);
            let x = [q[0], q[1], q[2], q[3], y.omega.x, y.omega.y, y.omega.z];
            let k1 = slope(top, t, &x);
            let k2 = slope(top, t + 0.5 * h, &moved(&x, 0.5 * h, &k1, but(1)));
            let k3 = slope(top, t + 0.5 * h, &moved(&x, 0.5 * h, &k2, but(2)));
            let k4 = slope(top, t + h, &moved(&x, h, &k3, but(3)));
            let sum = core::array::from_fn(|i| (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]) / 6.0);
            let [a, b, c, d, e, f, g] = moved(&x, h, &sum, None);
            y.att = so3::matrix_from_quat(&quaternion::unit(&[a, b, c, d]));
            y.omega = Vec3::new(e, f, g);
        });
        let found = identify(&*early, Scope::whole(true), true);
        let says = format!("in stage {} as it is", stage + 1);
        let named = |c: &Claim| c.id.to_string() == "scheme/rule_changed";
        // The sign of a quaternion is not told, and one whose number is kept depends on the axes of space.
        assert!(
            found
                .claims
                .iter()
                .any(|c| named(c) && c.sentence().contains(&says)),
            "{stage} {number}: {found:?}"
        );
    }
}
