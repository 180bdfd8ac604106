//! Solvers that are written step by step, as other people wrote them.

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
fn starts_that_are_read_wrongly_are_told_though_row_0_is_as_given() {
    for rule in rules() {
        for back in [true, false] {
            let turned = solver(move |top: &Top, t, h, y, begun: &mut Option<()>| {
                if begun.replace(()).is_none() {
                    let turn = if back { y.att.transpose() } else { y.att };
                    y.omega = turn * y.omega;
                }
                by(rule, top, t, h, y);
            });
            claims(&*turned, &["model/another_start"]);
        }
        let inverse = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            y.att = y.att.transpose();
            by(rule, top, t, h, y);
            y.att = y.att.transpose();
        });
        claims(&*inverse, &["reporting/transposed"]);
    }
}

#[test]
fn attitudes_of_a_step_before_are_told() {
    for rule in rules() {
        let late = solver(move |top: &Top, t, h, y, kept: &mut Option<Mat3>| {
            let shown = kept.unwrap_or(y.att);
            y.att = shown;
            by(rule, top, t, h, y);
            *kept = Some(y.att);
            y.att = shown;
        });
        claims(&*late, &["reporting/time_stamps"]);
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
fn a_wrong_sign_of_an_implicit_term_is_no_memory() {
    let mut random = Random::new(27);
    for _ in 0..4 {
        let sign = -0.6 - random.uniform();
        let wrong = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let tensor = top.inertia().tensor();
            let l = tensor * y.omega;
            let slope = so3::hat(&y.omega) * tensor - so3::hat(&l);
            let matrix = tensor + slope * (h * sign);
            let change = matrix.lu().solve(&(l.cross(&y.omega) * h));
            y.omega += change.expect("the matrix is regular")
                + top.inertia().solve(&top.torque_body(t, &y.att)) * h;
            y.att *= so3::exp(&(y.omega * h));
        });
        let found = identify(&*wrong, Scope::whole(true), true);
        assert!(
            found
                .claims
                .iter()
                .all(|c| c.id != SchemeDefect::StaleTerm.into()),
            "{sign}: {found:?}"
        );
    }
}

#[test]
fn a_turn_that_is_cut_short_beyond_an_angle_is_no_changed_rule() {
    let mut random = Random::new(3);
    for _ in 0..4 {
        let limit = 0.02 + 0.2 * random.uniform();
        let switched = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let before = y.att;
            by(Rule::Rk4RotationVector, top, t, h, y);
            let turn = so3::log(&before.tr_mul(&y.att));
            if turn.norm() > limit {
                // 2 atan(θ/2) for θ.
                let angle = turn.norm();
                y.att = before * so3::exp(&(turn * (2.0 * (0.5 * angle).atan() / angle)));
            }
        });
        let found = identify(&*switched, Scope::whole(true), true);
        let changed = found
            .claims
            .iter()
            .any(|c| c.id == SchemeDefect::RuleChanged.into());
        assert!(!changed, "{limit}: {found:?}");
    }
}

#[test]
fn a_turn_that_is_wrong_below_an_angle_is_no_law() {
    let mut random = Random::new(5);
    for rule in rules() {
        let limit = 2e-3 * 2.0_f64.powf(random.uniform());
        let switched = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let before = y.att;
            by(rule, top, t, h, y);
            let turn = so3::log(&before.tr_mul(&y.att));
            if turn.norm() < limit && turn.norm() > 0.0 {
                y.att = before * so3::exp(&turn.normalize());
            }
        });
        let found = identify(&*switched, Scope::whole(true), true);
        let law = found.claims.iter().any(|c| c.id.part() == Part::Model);
        assert!(!law, "{rule:?}, {limit}: {found:?}");
    }
}

#[test]
fn kinematics_with_a_wrong_entry_are_told() {
    let mut random = Random::new(9);
    let start = Start {
        att: random.rotation(),
        omega: random.vector(),
        ..standard()
    };
    // An entry that is zero stays right.
    let wrong = |chart: &Chart| (chart.rates(&start)[0] - start.omega).norm() > 1e-3;
    let all: Vec<Chart> = Chart::all().filter(wrong).collect();
    for _ in 0..16 {
        let chart = all[(random.bits() % all.len() as u64) as usize];
        let wrong = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let momentum = top.inertia().times(&y.omega);
            y.omega += acceleration(top, t, &y.att, &momentum, &y.omega) * h;
            let at = Start {
                att: y.att,
                omega: y.omega,
                inertia: top.inertia().clone(),
                load: Load::None,
            };
            y.att *= so3::exp(&(chart.rates(&at)[0] * h));
        });
        let found = identify(&*wrong, Scope::whole(true), true);
        let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
        // The last angle is about an axis of the body: its own entry is one of a matrix of the rate.
        let known = ["model/kinematics", "model/euler_rates", "model/turn_matrix"];
        assert!(
            matches!(&ids[..], [id] if known.contains(&id.as_str())),
            "{chart:?}: {found:?}"
        );
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
fn a_sign_or_a_quadrant_that_is_lost_is_told_as_such() {
    let mut random = Random::new(11);
    for rule in rules() {
        let component = (random.bits() % 4) as usize;
        let signs = Written(plain(rule), |rows: &mut [Row]| {
            for row in rows {
                let mut q = so3::quat_from_matrix(&row.att);
                q[component] = q[component].abs();
                (row.att, row.quaternion) = (so3::matrix_from_quat(&q), Some(q));
            }
        });
        claims(&signs, &["reporting/branch_lost"]);
        // Half a turn about an axis of the body is the other quadrant of the last angle, of space that of the first.
        let axis = (random.bits() % 3) as usize;
        let half = so3::exp(&(Vec3::ith(axis, core::f64::consts::PI)));
        let (i, k) = ((axis + 1) % 3, (random.bits() % 3) as usize);
        let of_body = random.bits().is_multiple_of(2);
        let quadrants = Written(plain(rule), move |rows: &mut [Row]| {
            for row in rows {
                let entry = if of_body {
                    row.att[(k, i)]
                } else {
                    row.att[(i, k)]
                };
                if entry < 0.0 {
                    row.att = if of_body {
                        row.att * half
                    } else {
                        half * row.att
                    };
                }
            }
        });
        claims(&quadrants, &["reporting/branch_lost"]);
    }
}

#[test]
fn rows_that_are_all_the_last_one_are_told() {
    for rule in rules() {
        let aliased = Written(plain(rule), |rows: &mut [Row]| {
            if let Some(last) = rows.last().cloned() {
                for row in rows {
                    *row = Row {
                        t: row.t,
                        ..last.clone()
                    };
                }
            }
        });
        claims(&aliased, &["reporting/same_rows"]);
    }
}

/// Steps of a rule whose slopes have factors about the principal axes: of the turns, and of the gyroscopic torque.
fn by_axes(
    rule: Rule,
    factors: impl Fn(&Vec3) -> [Vec3; 2] + Send + Sync + Clone + 'static,
) -> Box<dyn Target> {
    solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
        let (moments, axes) = eigen::principal_axes(top.inertia().tensor());
        let [turns, rows] = factors(&moments);
        let times = |f: &Vec3, v: &Vec3| axes * axes.tr_mul(v).component_mul(f);
        let slopes = |t: f64, att: &Mat3, w: &Vec3| {
            let turning = times(&turns, w);
            let moment = times(&rows, &top.inertia().times(w).cross(&turning));
            (
                turning,
                top.inertia().solve(&(top.torque_body(t, att) + moment)),
            )
        };
        RunningRule::new(rule, f64::INFINITY).step(&slopes, t, h, y);
    })
}

#[test]
fn wrong_rows_and_turns_about_principal_axes_are_told() {
    let mut random = Random::new(13);
    let ones = Vec3::repeat(1.0);
    for rule in rules() {
        let axis = (random.bits() % 3) as usize;
        let mut factors = ones;
        factors[axis] = [-1.0, 0.0, 0.5, 2.0][(random.bits() % 4) as usize];
        let rows = by_axes(rule, move |_| [ones, factors]);
        claims(&*rows, &["model/principal_gyroscopic_rows"]);
        let mut factors = ones;
        factors[axis] = [0.5, 0.0, 1.5, 2.0][(random.bits() % 4) as usize];
        let turns = by_axes(rule, move |_| [factors, ones]);
        claims(&*turns, &["model/principal_turns"]);
        // The moment of another axis: factors of one body are not those of another.
        let moments = by_axes(rule, move |moments| {
            let mut factors = ones;
            factors[axis] = moments[axis] / moments[(axis + 1) % 3];
            [factors, ones]
        });
        let found = identify(&*moments, Scope::whole(true), true);
        let sure = |c: &Claim| c.certainty == Certainty::Is;
        assert!(!found.claims.iter().any(sure), "{axis}: {found:?}");
        assert_eq!(found.claims.len(), 1, "{axis}: {found:?}");
    }
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
fn a_series_that_is_wrong_below_an_angle_costs_no_order() {
    let mut random = Random::new(29);
    for _ in 0..4 {
        let (limit, off) = (
            0.1 + 0.2 * random.uniform(),
            0.02 * (1.0 + random.uniform()),
        );
        let exp = move |v: Vec3| {
            let angle = v.norm();
            let factor = if angle < limit {
                1.0 - off * angle * angle
            } else {
                1.0
            };
            so3::exp(&(v * factor))
        };
        let wrong = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let slope = |t: f64, att: &Mat3, w: &Vec3| {
                acceleration(top, t, att, &top.inertia().times(w), w)
            };
            let att = y.att * exp(y.omega * (0.5 * h));
            let w = y.omega + slope(t, &y.att, &y.omega) * (0.5 * h);
            y.omega += slope(t + 0.5 * h, &att, &w) * h;
            y.att *= exp(w * h);
        });
        let found = identify(&*wrong, Scope::whole(true), true);
        assert!(
            !found.has(SchemeDefect::OrderLost),
            "{limit} {off}: {found:?}"
        );
    }
}

#[test]
fn a_gyroscopic_term_that_slow_bodies_lack_is_not_the_torque_of_the_case() {
    let mut random = Random::new(31);
    for rule in [Rule::Midpoint, Rule::Rk4] {
        let limit = 0.4 + 0.3 * random.uniform();
        let target = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let slopes = |t: f64, att: &Mat3, w: &Vec3| {
                let momentum = match w.norm() > limit {
                    true => top.inertia().times(w),
                    false => Vec3::zeros(),
                };
                (*w, acceleration(top, t, att, &momentum, w))
            };
            RunningRule::new(rule, f64::INFINITY).step(&slopes, t, h, y);
        });
        let problem = Problem::builtin("judge_push").expect("a built-in case");
        let known = identify(&*target, Scope::whole(true), true);
        let found = of_case(&*target, &problem, &known);
        assert!(!found.has(ModelDefect::CaseTorque), "{limit}: {found:?}");
    }
}

#[test]
fn a_clock_that_begins_anew_in_each_problem_is_told() {
    for rule in [Rule::Midpoint, Rule::Rk4] {
        let anew = solver(move |top: &Top, t, h, y, start: &mut Option<f64>| {
            let since = t - *start.get_or_insert(t);
            by(rule, top, since, h, y);
        });
        let problem = Problem::builtin("judge_driven").expect("a built-in case");
        let known = identify(&*anew, Scope::whole(true), true);
        let found = of_case(&*anew, &problem, &known);
        let told = found.claims.iter().map(Claim::sentence);
        let told: Vec<_> = told
            .filter(|s| s.contains("since the start of the run"))
            .collect();
        assert!(told.len() == 1, "{found:?}");
    }
}

/// The torque of a step of `h` by the right one, with what is kept; a number parts solvers of one kind.
type ActingTorque = fn(f64, Vec3, &mut Vec3, f64) -> Vec3;

#[test]
fn torques_of_a_fixed_time_before_are_told() {
    let mut random = Random::new(23);
    for from_none in [true, false] {
        let delay = 0.04 + 0.08 * random.uniform();
        let late = solver(move |top: &Top, t, h, y, kept: &mut Option<Vec<Vec3>>| {
            let all = kept.get_or_insert_default();
            all.push(top.torque_body(t, &y.att));
            let at = (all.len() - 1) as f64 - delay / h;
            let torque = match at < 0.0 {
                true if from_none => Vec3::zeros(),
                true => all[0],
                false => {
                    let (k, part) = (at as usize, at.fract());
                    all[k] * (1.0 - part) + all[(k + 1).min(all.len() - 1)] * part
                }
            };
            let inertia = top.inertia();
            let momentum = inertia.times(&y.omega);
            y.omega += inertia.solve(&(torque + momentum.cross(&y.omega))) * h;
            y.att *= so3::exp(&(y.omega * h));
        });
        let found = identify(&*late, Scope::whole(true), true);
        let said: Vec<String> = found.claims.iter().map(|c| c.sentence()).collect();
        let told = said.len() == 1 && said[0].contains(" s before");
        assert!(told, "{delay}, {from_none}: {said:?}");
    }
}

#[test]
fn torques_that_act_late_or_coarsely_are_told() {
    let filtered: ActingTorque = |h, right, acts, x| {
        *acts += (right - *acts) * (1.0 - (-h / x).exp());
        *acts
    };
    let band: ActingTorque = |_, right, _, x| right.map(|c| if c.abs() < x { 0.0 } else { c });
    let rounded: ActingTorque = |_, right, _, x| right.map(|c| (c / x).round() * x);
    let kinds = [
        (
            filtered,
            [0.01, 0.1],
            "model/torque_late",
            "by a filter of first order",
        ),
        (
            band,
            [0.2, 0.6],
            "model/torque_rounded",
            "each component of the torque is zero below",
        ),
        (
            rounded,
            [0.02, 0.2],
            "model/torque_rounded",
            "to the nearest whole number of",
        ),
    ];
    let mut random = Random::new(21);
    for (acting, [least, most], id, says) in kinds {
        for n in 0..3 {
            let second_order = n != 1;
            let x = least * f64::powf(most / least, random.uniform());
            let late = solver(move |top: &Top, t, h, y, kept: &mut Option<Vec3>| {
                let acts = kept.get_or_insert(Vec3::zeros());
                let torque = acting(h, top.torque_body(t, &y.att), acts, x);
                let inertia = top.inertia();
                let slope = |w: &Vec3| inertia.solve(&(torque + inertia.times(w).cross(w)));
                let before = y.omega;
                let middle = before + slope(&before) * (0.5 * h);
                let w = if second_order { middle } else { before };
                y.omega += slope(&w) * h;
                let w = if second_order {
                    (before + y.omega) * 0.5
                } else {
                    y.omega
                };
                y.att *= so3::exp(&(w * h));
            });
            let found = identify(&*late, Scope::whole(true), true);
            let said: Vec<String> = found.claims.iter().map(|c| c.sentence()).collect();
            let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
            assert!(
                ids == [id] && said[0].contains(says),
                "{says} {x}, {second_order}: {ids:?} {said:?}"
            );
        }
    }
}

/// The torque that acts at a time since the start, by the start and the present state; a number parts solvers of one kind.
type BegunTorque = fn(&Top, f64, [&RotState; 2], f64) -> Vec3;

#[test]
fn torques_that_depend_on_the_start_of_a_run_are_told() {
    let kinds: [(BegunTorque, [f64; 2], &str); 8] = [
        (
            |top, t, [from, y], k| {
                top.torque_body(t, &y.att) - so3::log(&from.att.tr_mul(&y.att)) * k
            },
            [0.02, 2.0],
            "model/spring",
        ),
        (
            |top, t, [from, y], rate| {
                let energy = |w: &Vec3| w.dot(&top.inertia().times(w));
                let part = 0.5 * rate * (energy(&from.omega) / energy(&y.omega) - 1.0);
                top.torque_body(t, &y.att) + top.inertia().times(&y.omega) * part
            },
            [0.1, 2.0],
            "model/energy_driven",
        ),
        (
            |top, t, [_, y], part| top.torque_body(t, &y.att) / (1.0 - part * t),
            [0.005, 0.5],
            "model/inertia_grows",
        ),
        (
            |top, t, [_, y], part| {
                let gyroscopic = top.inertia().times(&y.omega).cross(&y.omega);
                (top.torque_body(t, &y.att) + gyroscopic) / (1.0 + part * t) - gyroscopic
            },
            [0.005, 0.5],
            "model/inertia_grows",
        ),
        (
            |top, t, [_, y], span| top.torque_body(t, &y.att) * (t / span).min(1.0),
            [0.05, 0.4],
            "model/torque_late",
        ),
        (
            |top, t, [_, y], from| top.torque_body(t, &y.att) * f64::from(u8::from(t >= from)),
            [0.03, 0.2],
            "model/from_time",
        ),
        (
            |top, t, [_, y], until| top.torque_body(t, &y.att) * f64::from(u8::from(t < until)),
            [0.07, 0.2],
            "model/from_time",
        ),
        (
            |top, t, [_, y], rate| {
                let power = y.omega.dot(&top.torque_body(t, &y.att));
                let momentum = top.inertia().times(&y.omega);
                top.torque_body(t, &y.att) - momentum * (rate * power / momentum.dot(&y.omega))
            },
            [1.0, 1.0],
            "model/energy_held",
        ),
    ];
    let mut random = Random::new(29);
    for (acting, [least, most], id) in kinds {
        for rule in [Rule::Rk4, Rule::Midpoint, Rule::SemiImplicitEuler] {
            let x = least * f64::powf(most / least, random.uniform());
            let begun = solver(
                move |top: &Top, t, h, y, start: &mut Option<(f64, Mat3, Vec3)>| {
                    let (since, att, omega) = *start.get_or_insert((t, y.att, y.omega));
                    let mut from = *y;
                    (from.att, from.omega) = (att, omega);
                    let slopes = |t: f64, att: &Mat3, w: &Vec3| {
                        let mut at = *y;
                        (at.att, at.omega) = (*att, *w);
                        let torque = acting(top, t - since, [&from, &at], x);
                        let momentum = top.inertia().times(w);
                        (*w, top.inertia().solve(&(torque + momentum.cross(w))))
                    };
                    let mut after = *y;
                    RunningRule::new(rule, f64::INFINITY).step(&slopes, t, h, &mut after);
                    *y = after;
                },
            );
            let found = identify(&*begun, Scope::whole(true), true);
            let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
            assert_eq!(ids, [id], "{rule:?} {x}: {found:?}");
            // A switch is known to two steps of the long run.
            if let Symptom::TorqueHabit(acts) = &*found.claims[0].symptom
                && let TorqueHabit::Switched { .. } = acts.habit
            {
                assert!((acts.number - x).abs() < 1e-3, "{rule:?} {x}: {acts:?}");
            }
        }
    }
}

#[test]
fn torques_that_are_held_for_a_fixed_time_are_told() {
    let mut random = Random::new(37);
    for nearest in [true, false] {
        let span = 0.008 + 0.03 * random.uniform();
        let held = solver(move |top: &Top, t, h, y, kept: &mut Option<(f64, Vec3)>| {
            let slopes = |t: f64, att: &Mat3, w: &Vec3, kept: &mut Option<(f64, Vec3)>| {
                let whole = (t / span + if nearest { 0.5 } else { 0.0 } + 1e-9).floor();
                if kept.is_none_or(|(last, _)| last != whole) {
                    *kept = Some((whole, top.torque_body(t, att)));
                }
                let torque = kept.map_or(Vec3::zeros(), |(_, torque)| torque);
                let momentum = top.inertia().times(w);
                top.inertia().solve(&(torque + momentum.cross(w)))
            };
            let before = y.omega;
            let middle = before + slopes(t, &y.att, &before, kept) * (0.5 * h);
            let half = y.att * so3::exp(&(before * (0.5 * h)));
            y.omega += slopes(t + 0.5 * h, &half, &middle, kept) * h;
            y.att *= so3::exp(&(middle * h));
        });
        let found = identify(&*held, Scope::whole(true), true);
        let said: Vec<String> = found.claims.iter().map(|c| c.sentence()).collect();
        assert!(
            said.len() == 1 && said[0].contains("of the whole number of"),
            "{span}, {nearest}: {said:?}"
        );
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
fn turns_in_whole_numbers_and_bodies_that_stop_at_a_time_are_told() {
    let mut random = Random::new(43);
    for nearest in [true, false] {
        let unit = 2e-3 * f64::powf(10.0, random.uniform());
        let rounded = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let momentum = top.inertia().times(&y.omega);
            y.omega += acceleration(top, t, &y.att, &momentum, &y.omega) * h;
            let turn = y.omega * h;
            let whole = turn.norm() / unit + if nearest { 0.5 } else { 0.0 };
            y.att *= so3::exp(&(turn.normalize() * (whole.floor() * unit)));
        });
        claims(&*rounded, &["scheme/turn_rounded"]);
    }
    for rule in [Rule::Rk4, Rule::SemiImplicitEuler, Rule::Midpoint] {
        let end = 0.6 + 2.0 * random.uniform();
        let stops = solver(move |top: &Top, t, h, y, start: &mut Option<f64>| {
            if t - *start.get_or_insert(t) < end {
                by(rule, top, t, h, y);
            } else {
                y.omega = Vec3::zeros();
            }
        });
        claims(&*stops, &["scheme/from_time"]);
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

#[test]
fn increments_that_are_taken_for_euler_angles_are_told() {
    for (n, sequence) in Sequence::all().filter(|s| s.0[0] != s.0[2]).enumerate() {
        let rule = [Rule::Heun, Rule::Midpoint][n % 2];
        let angles = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let mut after = *y;
            by(rule, top, t, h, &mut after);
            let mean = (y.omega + after.omega) * (0.5 * h);
            y.omega = after.omega;
            y.att *= sequence.matrix(sequence.0.map(|axis| mean[axis]));
        });
        let found = identify(&*angles, Scope::whole(true), true);
        let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
        let says = format!("as Euler angles of the sequence {}", sequence.name());
        assert!(
            ids == ["scheme/attitude_update"] && found.scheme[0].contains(&says),
            "{says}: {found:?}"
        );
    }
}

#[test]
fn what_other_problems_leave_and_what_scatters_is_told() {
    let mut random = Random::new(31);
    for rule in rules() {
        let size = 1e-3 * (1.0 + random.uniform());
        let count = Arc::new(AtomicU64::new(0));
        let noisy = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            by(rule, top, t, h, y);
            let seed = count.fetch_add(1, Ordering::Relaxed);
            y.omega += Random::new(seed).vector() * (size * h.sqrt());
        });
        claims(&*noisy, &["scheme/scatters"]);
        // The inertia that divides is that of the first problem, or both are.
        for both in [true, false] {
            let first = Arc::new(OnceLock::new());
            let cached = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
                let divides = first.get_or_init(|| top.inertia().clone());
                let turns = if both { divides } else { top.inertia() };
                let slopes = |t: f64, att: &Mat3, w: &Vec3| {
                    let torque = top.torque_body(t, att) + turns.times(w).cross(w);
                    (*w, divides.solve(&torque))
                };
                RunningRule::new(rule, f64::INFINITY).step(&slopes, t, h, y);
            });
            claims(&*cached, &["scheme/remembers_problems"]);
        }
    }
}

#[test]
fn long_turns_that_are_cut_off_are_told() {
    let mut random = Random::new(17);
    for rule in rules() {
        let most = 0.25 + random.uniform();
        let limited = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let before = y.att;
            by(rule, top, t, h, y);
            let turn = so3::log(&before.tr_mul(&y.att));
            y.att = before * so3::exp(&(turn * (most / turn.norm()).min(1.0)));
        });
        claims(&*limited, &["scheme/turn_limit"]);
    }
}

#[test]
fn attitudes_that_are_kept_with_few_bits_are_told() {
    let mut random = Random::new(19);
    for rule in rules() {
        let unit = 2.0_f64.powi(-11 - (random.bits() % 6) as i32);
        let rounded = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            by(rule, top, t, h, y);
            let q = so3::quat_from_matrix(&y.att).map(|x| (x / unit).round() * unit);
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            y.att = so3::matrix_from_quat(&q.map(|x| x / length));
        });
        claims(&*rounded, &["scheme/state_in_single"]);
    }
}

#[test]
fn a_gyroscopic_term_that_is_missing_at_slow_rates_is_told() {
    let mut random = Random::new(23);
    for rule in rules() {
        let least = 0.1 * 10.0_f64.powf(random.uniform());
        let slow = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let slopes = |t: f64, att: &Mat3, w: &Vec3| {
                let there = f64::from(w.norm() > least);
                let momentum = top.inertia().times(w) * there;
                (*w, acceleration(top, t, att, &momentum, w))
            };
            RunningRule::new(rule, f64::INFINITY).step(&slopes, t, h, y);
        });
        claims(&*slow, &["model/gyroscopic_missing"]);
    }
}

/// A row whose numbers are rounded to so many in one.
fn rounded(row: &mut Row, of_one: f64) {
    let round = |x: f64| (x * of_one).round() / of_one;
    let q = so3::quat_from_matrix(&row.att).map(round);
    let rate = row.omega.map(round);
    row.att = so3::matrix_from_quat(&quaternion::unit(&q));
    (row.quaternion, row.omega, row.rate) = (Some(q), rate, rate);
    row.numbers = q.into_iter().chain(<[f64; 3]>::from(rate)).collect();
}

/// A solver that begins anew at each row that is asked for, as it is written.
struct Restarted<F>(Box<dyn Target>, F);

impl<F: Fn(&mut Row)> Target for Restarted<F> {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let run = |p: &Probe| {
            let mut rows: Vec<Row> = Vec::new();
            let (parts, steps) = if p.ends { (1, p.steps) } else { (p.steps, 1) };
            for n in 0..parts {
                let mut one = Probe {
                    from: p.time(n),
                    steps,
                    ..p.clone()
                };
                if let Some(row) = rows.last() {
                    (one.start.att, one.start.omega) = (row.att, row.omega);
                }
                let mut made = self.0.answers(&[one]).remove(0)?;
                made.iter_mut().for_each(&self.1);
                rows.extend(made.into_iter().skip(usize::from(n > 0)));
            }
            Ok(rows)
        };
        probes.iter().map(run).collect()
    }
}

#[test]
fn a_history_that_is_dropped_at_each_row_is_told() {
    let multistep = || {
        solver(|top: &Top, t, h, y, kept: &mut Option<Vec3>| {
            let momentum = top.inertia().times(&y.omega);
            let slope = acceleration(top, t, &y.att, &momentum, &y.omega);
            let before = kept.replace(slope).unwrap_or(slope);
            let omega = y.omega + (slope * 1.5 - before * 0.5) * h;
            y.att *= so3::exp(&((y.omega + omega) * (0.5 * h)));
            y.omega = omega;
        })
    };
    let as_it_is = |_: &mut Row| ();
    claims(&Restarted(multistep(), as_it_is), &["scheme/rows_matter"]);
    for rule in rules() {
        claims(&Restarted(plain(rule), as_it_is), &[]);
    }
}

#[test]
fn a_state_that_is_rounded_at_each_row_is_told() {
    let mut random = Random::new(47);
    // An error of the first order hides what is rounded.
    for rule in [Rule::Midpoint, Rule::Rk4, Rule::Rk4RotationVector] {
        let of_one = 10.0_f64.powi(4 + (random.bits() % 3) as i32);
        let state = Restarted(plain(rule), move |row: &mut Row| rounded(row, of_one));
        claims(&state, &["scheme/rows_matter"]);
        // Rows that are rounded alone are right.
        let rows = Written(plain(rule), move |rows: &mut [Row]| {
            rows.iter_mut().for_each(|row| rounded(row, of_one));
        });
        claims(&rows, &[]);
    }
}

/// A solver that makes so many steps as one, with rows on lines between them, or with the last one again.
struct AsOne(Box<dyn Target>, usize, bool);

impl Target for AsOne {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let run = |p: &Probe| {
            let own = Probe {
                step: p.step * self.1 as f64,
                steps: p.steps.div_ceil(self.1),
                ends: false,
                ..p.clone()
            };
            let rows = self.0.answers(&[own]).remove(0)?;
            let between = |n: usize| {
                let (from, to) = (&rows[n / self.1], rows.get(n / self.1 + 1));
                let part = (n % self.1) as f64 / self.1 as f64;
                let Some(to) = to.filter(|_| self.2 && part > 0.0) else {
                    return from.clone();
                };
                let turn = so3::log(&from.att.tr_mul(&to.att)) * part;
                let y = RotState {
                    att: from.att * so3::exp(&turn),
                    omega: from.omega + (to.omega - from.omega) * part,
                };
                Row::of(p.time(n), &y)
            };
            Ok(p.rows().map(between).collect())
        };
        probes.iter().map(run).collect()
    }
}

#[test]
fn steps_that_are_made_as_one_are_told() {
    for rule in rules() {
        for steps in 2..=3 {
            claims(
                &AsOne(plain(rule), steps, true),
                &["reporting/interpolated"],
            );
            claims(&AsOne(plain(rule), steps, false), &["scheme/step_carried"]);
        }
    }
}

#[test]
fn a_clock_of_its_own_for_torques_of_time_is_told() {
    type Clock = fn(f64, f64, u64, f64) -> f64;
    // Of a time, the step, the number of the step and a number.
    let clocks: [(Clock, [f64; 2], &str); 8] = [
        (
            |t, _, _, x| (t / x + 1e-9).floor() * x,
            [1e-3, 0.02],
            "those before",
        ),
        (
            |t, _, _, x| (t / x).round() * x,
            [1e-3, 0.02],
            "the nearest",
        ),
        (|t, _, _, x| t % x, [1.5, 2.5], "begins anew after each"),
        (|t, _, _, x| t - x, [1e-4, 0.3], "is behind by"),
        (
            |t, h, n, x| t - (n as f64 / x).floor() * x * h,
            [64.0, 64.0],
            "after each 64 steps",
        ),
        (
            |t, _, _, _| f64::from(t as f32),
            [1.0, 1.0],
            "is of single precision",
        ),
        (
            |t, h, n, _| {
                let from = (t - n as f64 * h) as f32;
                f64::from((0..n).fold(from, |t, _| t + h as f32))
            },
            [1.0, 1.0],
            "a sum of steps in single precision",
        ),
        (
            |t, h, n, _| if n % 7 == 3 { t - h } else { t },
            [1.0, 1.0],
            "in some steps",
        ),
    ];
    let mut random = Random::new(53);
    for rule in [Rule::Rk4, Rule::Midpoint, Rule::SemiImplicitEuler] {
        for (clock, [least, most], says) in clocks {
            let x = least * f64::powf(most / least, random.uniform());
            let other = solver(move |top: &Top, t, h, y, steps: &mut Option<u64>| {
                let n = steps.get_or_insert(0);
                by(rule, top, clock(t, h, *n, x), h, y);
                *n += 1;
            });
            let found = identify(&*other, Scope::whole(true), true);
            let said: Vec<String> = found.claims.iter().map(Claim::sentence).collect();
            assert!(
                said.len() == 1 && said[0].contains(says),
                "{rule:?}: {says} {x}: {said:?}"
            );
        }
    }
}

#[test]
fn rows_of_parts_of_a_step_before_or_after_their_times_are_told() {
    let mut random = Random::new(59);
    for rule in [Rule::Rk4, Rule::Midpoint, Rule::Rk4RotationVector] {
        let part = 0.2 + 0.6 * random.uniform();
        for part in [part, -part] {
            let ahead = solver(move |top: &Top, t, h, y, kept: &mut Option<Mat3>| {
                y.att = kept.unwrap_or(y.att);
                by(rule, top, t, h, y);
                *kept = Some(y.att);
                y.att *= so3::exp(&(y.omega * (part * h)));
            });
            claims(&*ahead, &["reporting/time_stamps"]);
        }
        // Each second step is longer by a part, and the others are shorter.
        let uneven = solver(move |top: &Top, t, h, y, steps: &mut Option<u64>| {
            let n = steps.get_or_insert(0);
            let early = if n.is_multiple_of(2) { 0.0 } else { part };
            let longer = if n.is_multiple_of(2) { part } else { -part };
            *n += 1;
            by(rule, top, t + early * h, h * (1.0 + longer), y);
        });
        claims(&*uneven, &["reporting/time_stamps"]);
    }
}

#[test]
fn angles_of_a_torque_in_another_unit_are_told() {
    let degrees = core::f64::consts::PI / 180.0;
    // Phases, frequencies, or both.
    for [of_rate, of_phase] in [
        [1.0, degrees],
        [degrees, 1.0],
        [degrees, degrees],
        [1.0, 1.0 / degrees],
    ] {
        let wrong = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let mut table = serde_json::to_value(top.torque()).expect("a torque is written");
            table.as_object_mut().map(|table| table.remove("formula"));
            let mut other = top.torque().clone();
            for (key, factor) in [("rates", of_rate), ("rate", of_rate), ("phases", of_phase)] {
                let Some(value) = table.get_mut(key) else {
                    continue;
                };
                for x in value.as_array_mut().into_iter().flatten() {
                    *x = (x.as_f64().expect("a number") * factor).into();
                }
                let read: topsim_core::models::TorqueTable =
                    serde_json::from_value(table.clone()).expect("a table");
                other = read.torque().expect("a torque");
            }
            let initial = RotState {
                att: y.att,
                omega: y.omega,
            };
            by(
                Rule::Rk4,
                &Top::new(top.inertia().clone(), other, initial),
                t,
                h,
                y,
            );
        });
        let problem = Problem::builtin("judge_driven").expect("a built-in case");
        let known = identify(&*wrong, Scope::whole(true), true);
        let found = of_case(&*wrong, &problem, &known);
        let said: Vec<String> = found.claims.iter().map(Claim::sentence).collect();
        assert!(
            said.len() == 1 && said[0].contains("are taken for each other"),
            "{of_rate} {of_phase}: {said:?}"
        );
    }
}

#[test]
fn components_in_space_that_are_cut_off_are_told() {
    let mut random = Random::new(61);
    for rule in rules() {
        let most = 5.0 * 10.0_f64.powf(random.uniform());
        let limited = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            by(rule, top, t, h, y);
            let cut = (y.att * y.omega).map(|x| x.clamp(-most, most));
            y.omega = y.att.tr_mul(&cut);
        });
        claims(&*limited, &["scheme/rate_limit"]);
    }
}
