use super::*;
use crate::defect::ModelDefect;
use topsim_core::math::{Mat3, so3};
use topsim_core::models::{Gravity, Inertia, Problem, RigidTop, TorqueModel};
use topsim_core::schemes::{Catto, EulerGyro, Jolt, NewmarkExplicit, RotationScheme, probe};

fn body(defect: Option<ModelDefect>) -> SolverModel {
    let tensor = Mat3::new(5.0, 0.3, -0.2, 0.3, 7.0, 0.4, -0.2, 0.4, 3.0);
    let gravity = Gravity::new(9.0, Vec3::new(0.3, -0.2, 0.9), Vec3::new(0.2, -0.3, 0.9));
    let start = RotState {
        att: so3::exp(&Vec3::new(0.3, -0.8, 0.5)),
        omega: Vec3::new(1.0, -2.0, 3.0),
    };
    let top: RigidTop<TorqueModel> =
        RigidTop::new(Inertia::new(tensor).unwrap(), gravity.into(), start);
    SolverModel::new(top, defect)
}

fn after(scheme: &NaiveScheme, p: &SolverModel, n: u64) -> RotState {
    advanced(scheme, p, 1.0 / n as f64, n)
}

fn advanced(scheme: &NaiveScheme, p: &SolverModel, h: f64, n: u64) -> RotState {
    let mut y = p.initial();
    probe::advance(scheme, p, (0.0, h, n), &mut y, &|| true).unwrap();
    // As a reader of the history sees it.
    y.att = so3::matrix_from_quat(&so3::quat_from_matrix(&y.att));
    y
}

/// Orders of attitude and rate between 200 and 400 steps in one second, against 6400 of the classical
/// rule (errors of some 1e-12).
fn orders(scheme: &NaiveScheme) -> [f64; 2] {
    let p = body(None);
    let best = NaiveScheme {
        kind: Kind::RungeKutta {
            rule: Rule::Classical,
        },
        torque: TorqueAt::Rule,
    };
    let exact = after(&best, &p, 6400);
    let error = |n| {
        let y = after(scheme, &p, n);
        [
            so3::angle_between(&y.att, &exact.att),
            (y.omega - exact.omega).norm(),
        ]
    };
    let (coarse, fine) = (error(200), error(400));
    [0, 1].map(|i| libm::log2(coarse[i] / fine[i]))
}

/// What is called sound is of second order or better, everything else has a half of first order, or
/// is none the less better by one step.
#[test]
fn natures_are_true() {
    let mut wrong = Vec::new();
    for scheme in NaiveScheme::all() {
        let [attitude, rate] = orders(&scheme);
        let least = attitude.min(rate);
        let sound = scheme.nature() == Nature::Sound;
        let held = if sound {
            least > 1.85
        } else {
            (least - 1.0).abs() < 0.3
        };
        if !held || !sound && scheme.advice().is_empty() {
            wrong.push((scheme, attitude, rate));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_half_step_rate_spoils_the_rate_alone() {
    let [attitude, rate] = orders(&NaiveScheme {
        kind: Kind::Leapfrog {
            half_start: true,
            centred: true,
        },
        torque: TorqueAt::Rule,
    });
    assert!(attitude > 1.9 && rate < 1.1, "{attitude} {rate}");
}

/// Those that are in the catalogue too are the same.
#[test]
fn twins_of_the_catalogue_agree() {
    fn same(push: RateRule, other: &impl RotationScheme) {
        let p = body(None);
        let kind = Kind::OneByOne {
            push,
            turn: TurnRate::New,
            map: TurnMap::Exponential,
        };
        let found = after(
            &NaiveScheme {
                kind,
                torque: TorqueAt::Rule,
            },
            &p,
            50,
        );
        agree(&found, other);
    }
    fn agree(found: &RotState, other: &impl RotationScheme) {
        let top = body(None).top().clone();
        let mut y = top.initial();
        probe::advance(other, &top, (0.0, 0.02, 50), &mut y, &|| true).unwrap();
        assert!((found.att - y.att).norm() < 1e-12);
        assert!((found.omega - y.omega).norm() < 1e-12);
    }
    same(RateRule::Euler, &EulerGyro {});
    same(RateRule::OneNewton, &Catto {});
    same(RateRule::Rescaled, &Jolt {});
    let newmark = NaiveScheme {
        kind: Kind::Newmark {
            begin: Begin::Consistent,
        },
        torque: TorqueAt::Rule,
    };
    agree(
        &after(&newmark, &body(None), 50),
        &NewmarkExplicit::default(),
    );
}

/// A wrong model keeps its own motion under every consistent scheme: two of second order agree.
#[test]
fn wrong_models_are_stepped_consistently() {
    for defect in ModelDefect::wrong_equations() {
        let p = body(Some(defect));
        let run = |rule, n| {
            let kind = Kind::RungeKutta { rule };
            let torque = TorqueAt::Rule;
            // Some run away within a second.
            advanced(&NaiveScheme { kind, torque }, &p, 0.3 / n as f64, n)
        };
        let exact = run(Rule::Classical, 2000);
        let error = |n| so3::angle_between(&run(Rule::Heun, n).att, &exact.att);
        let order = libm::log2(error(500) / error(1000));
        assert!((order - 2.0).abs() < 0.2, "{defect:?} {order}");
    }
}

#[test]
fn all_are_different() {
    let p = body(None);
    let all: Vec<_> = NaiveScheme::all()
        .iter()
        .map(|s| (*s, after(s, &p, 20)))
        .collect();
    let mut same = Vec::new();
    for (i, (a, y)) in all.iter().enumerate() {
        for (b, z) in &all[..i] {
            let apart = (y.att - z.att).norm() + (y.omega - z.omega).norm();
            if !(apart > 1e-9) {
                same.push((a, b));
            }
        }
    }
    assert!(same.is_empty(), "{same:#?}");
}
