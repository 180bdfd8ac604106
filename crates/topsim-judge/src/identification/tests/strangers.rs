//! Solvers that are written step by step, as other people wrote them.

use super::super::charts::Chart;
use super::super::design::standard;
use super::super::experiment::{Load, Start, Stepper, Target};
use super::super::{Scope, identify};
use topsim_core::math::{Mat3, Random, Vec3, so3};
use topsim_core::models::{RigidTop, RotState, TorqueModel};
use topsim_model::defect::{Part, SchemeDefect};
use wrong_solvers::{Rule, RunningRule, TURNS};

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
    // (J − h (J W)^) W₁ = J W + h T, in space.
    let implicit = solver(|top: &Top, t, h, y, _: &mut Option<()>| {
        let inertia = top.inertia();
        let l = inertia.times(&y.omega);
        let matrix = inertia.tensor() - so3::hat(&l) * h;
        let impulse = l + top.torque_body(t, &y.att) * h;
        let omega = y.att * matrix.lu().solve(&impulse).expect("the matrix is regular");
        y.att = so3::exp(&(omega * h)) * y.att;
        y.omega = y.att.tr_mul(&omega);
    });
    claims(&*implicit, &[]);
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
