//! Each relation is broken by a solver whose defect the problem itself does not show, and held by every right one.

use super::*;
use topsim_case::Problem;
use topsim_core::integration::registry::{self, SchemeFamily};
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::{Gravity, Inertia, TorqueModel};
use topsim_model::probe::{Load, Start};
use topsim_protocol::problem::ProblemChoice;

/// A defect that acts on some problems only: what it makes of a start, of a motion that begins at a time.
struct Deliberate {
    name: &'static str,
    case: &'static str,
    breaks: Relation,
    class: CauseClass,
    wrong: fn(&mut Start, f64, Option<Vec3>),
}

fn gravity(start: &mut Start, change: impl FnOnce(&Gravity) -> Gravity) {
    if let Load::Other(TorqueModel::Gravity(g)) = &start.load {
        start.load = Load::Other(change(g).into());
    }
}

fn tensor(start: &mut Start, change: impl FnOnce(Mat3) -> Mat3) {
    start.inertia = Inertia::new(change(*start.inertia.tensor())).expect("a tensor");
}

const DELIBERATE: &[Deliberate] = &[
    Deliberate {
        name: "the vertical of one scene is hard-coded",
        case: "judge_top",
        breaks: Relation::SpaceTurn,
        class: CauseClass::SpaceAxes,
        wrong: |start, _, _| {
            let up = Vec3::new(0.36, -0.48, 0.8);
            gravity(start, |g| Gravity::new(g.weight(), *g.lever(), up));
        },
    },
    Deliberate {
        name: "yaw beyond 40 degrees is cut off",
        case: "heavy_top",
        breaks: Relation::Azimuth,
        class: CauseClass::SpaceAxes,
        wrong: |start, _, _| {
            let yaw = start.att[(1, 0)].atan2(start.att[(0, 0)]);
            if yaw > 0.7 {
                start.omega *= 1.0 + 1e-3;
            }
        },
    },
    Deliberate {
        name: "products of inertia are dropped",
        case: "tossed_book",
        breaks: Relation::BodyTurn,
        class: CauseClass::BodyAxes,
        wrong: |start, _, _| tensor(start, |j| Mat3::from_diagonal(&j.diagonal())),
    },
    Deliberate {
        name: "moments are sorted without their axes",
        case: "tossed_book",
        breaks: Relation::BodyPermute,
        class: CauseClass::BodyAxes,
        wrong: |start, _, _| {
            tensor(start, |j| {
                let mut moments: [f64; 3] = j.diagonal().into();
                moments.sort_by(f64::total_cmp);
                Mat3::from_diagonal(&moments.into()) + j - Mat3::from_diagonal(&j.diagonal())
            });
        },
    },
    Deliberate {
        name: "the absolute value of a rate is taken",
        case: "tossed_book",
        breaks: Relation::HalfTurn,
        class: CauseClass::Signs,
        wrong: |start, _, _| start.omega.x = start.omega.x.abs(),
    },
    Deliberate {
        name: "the absolute value of a lever is taken",
        case: "judge_top",
        breaks: Relation::Mirror,
        class: CauseClass::Signs,
        wrong: |start, _, _| {
            gravity(start, |g| {
                let lever = Vec3::new(g.lever().x.abs(), g.lever().y, g.lever().z);
                Gravity::new(g.weight(), lever, *g.up())
            });
        },
    },
    Deliberate {
        name: "rates are at most 200 rad/s",
        case: "judge_top",
        breaks: Relation::TimeScale,
        class: CauseClass::AbsoluteRate,
        wrong: |start, _, _| {
            if start.omega.norm() > 200.0 {
                start.omega *= 200.0 / start.omega.norm();
            }
        },
    },
    Deliberate {
        name: "moments are at least 1e-9 kg m²",
        case: "judge_free",
        breaks: Relation::InertiaScale,
        class: CauseClass::AbsoluteInertia,
        wrong: |start, _, _| {
            tensor(start, |mut j| {
                (0..3).for_each(|k| j[(k, k)] = j[(k, k)].max(1e-9));
                j
            });
        },
    },
    Deliberate {
        name: "the vertical is taken to point upwards",
        case: "judge_top",
        breaks: Relation::LeverWeight,
        class: CauseClass::LeverAndUp,
        wrong: |start, _, _| {
            gravity(start, |g| {
                Gravity::new(g.weight(), *g.lever(), g.up() * g.up().z.signum())
            });
        },
    },
    Deliberate {
        name: "a backward spin loses a thousandth of its rate",
        case: "heavy_top",
        breaks: Relation::TimeReversal,
        class: CauseClass::Dissipation,
        wrong: |start, _, _| {
            if start.omega.z < 0.0 {
                start.omega *= 1.0 - 1e-3;
            }
        },
    },
    Deliberate {
        name: "a correction belongs to time zero only",
        case: "judge_push",
        breaks: Relation::Restart,
        class: CauseClass::HiddenState,
        wrong: |start, from, _| {
            if from != 0.0 {
                start.omega *= 1.0 + 1e-6;
            }
        },
    },
    Deliberate {
        name: "the tensor of one body is hard-coded",
        case: "judge_free",
        breaks: Relation::InertiaShift,
        class: CauseClass::Coupling,
        wrong: |start, _, _| start.inertia = topsim_model::law::standard_inertia(),
    },
    Deliberate {
        name: "the axial moment of one top is hard-coded",
        case: "heavy_top",
        breaks: Relation::SpinShift,
        class: CauseClass::Coupling,
        wrong: |start, _, _| {
            tensor(start, |mut j| {
                // Of a top in its principal axes.
                if j.upper_triangle() == j.lower_triangle() {
                    j[(2, 2)] = 1.0;
                }
                j
            });
        },
    },
    Deliberate {
        name: "drag of a fast flight turns the body",
        case: "tossed_book",
        breaks: Relation::Boost,
        class: CauseClass::Translation,
        wrong: |start, _, velocity| {
            if velocity.is_some_and(|v| v.norm() > 50.0) {
                start.omega *= 1.0 - 1e-4;
            }
        },
    },
    Deliberate {
        name: "bodies without torque lose a thousandth of their rate",
        case: "damped_body",
        breaks: Relation::Clock,
        class: CauseClass::DampingLaw,
        wrong: |start, _, _| {
            if matches!(start.load, Load::Other(TorqueModel::NoTorque(_))) {
                start.omega *= 1.0 - 1e-3;
            }
        },
    },
    Deliberate {
        name: "a guard against equal moments stops spheres",
        case: "judge_free",
        breaks: Relation::Sphere,
        class: CauseClass::Coupling,
        wrong: |start, _, _| {
            let moments = start.inertia.moments();
            if moments.z - moments.x < 1e-9 * moments.z {
                start.omega = Vec3::zeros();
            }
        },
    },
    Deliberate {
        name: "a guard against a small gyroscopic term tilts the spin",
        case: "judge_free",
        breaks: Relation::PrincipalAxis,
        class: CauseClass::Coupling,
        wrong: |start, _, _| {
            if start.inertia.times(&start.omega).cross(&start.omega).norm() < 1e-6 {
                start.omega = so3::exp(&Vec3::new(1e-3, 0.0, 1e-3)) * start.omega;
            }
        },
    },
];

fn scheme(name: &str, motion: &Motion) -> MotionRows {
    run_scheme(registry::find(name).expect("a scheme"), motion)
}

/// A right solver behind a defect.
fn deliberate(d: &Deliberate, motion: &Motion) -> MotionRows {
    let mut motion = motion.clone();
    let (from, velocity) = (motion.start(), motion.0.flight.map(|f| f.velocity));
    (d.wrong)(&mut motion.0.start, from, velocity);
    scheme("rkmk4", &motion)
}

fn case(name: &str) -> Problem {
    Problem::builtin(name).expect("a built-in case")
}

fn found(report: &RelationsReport, relation: Relation) -> &Holding {
    let mut all = report.relations.iter();
    let own = all.find(|r| r.relation == relation);
    &own.expect("it is there").holding
}

#[test]
fn each_relation_is_broken_by_a_defect_that_its_problem_does_not_show() {
    for d in DELIBERATE {
        let problem = case(d.case);
        // No reference can see it: on the problem itself the rows are those of the right solver.
        let step = problem.plans[0].grid.h;
        let motion = Motion::of(&problem, step).unwrap();
        assert_eq!(
            deliberate(d, &motion),
            scheme("rkmk4", &motion),
            "{}",
            d.name
        );
        let report = judge_relations(&problem, &<_>::default(), &mut |m| deliberate(d, m));
        assert_eq!(
            *found(&report, d.breaks),
            Holding::Fails,
            "{}: {report:#?}",
            d.name
        );
        let classes = [d.breaks.class(), d.class];
        assert!(
            report.causes.iter().any(|c| classes.contains(c)),
            "{}: {:?}",
            d.name,
            report.causes
        );
    }
    let broken = |r: &Relation| DELIBERATE.iter().any(|d| d.breaks == *r);
    assert!(Relation::ALL.iter().all(broken));
}

#[test]
fn right_solvers_hold_every_relation() {
    let any = ["rkmk4", "liemid_ea", "rig_pos"];
    // A torque of the rate is for these only.
    let of_the_rate = ["rkmk4", "liemid_imp", "trapezoidal"];
    for (name, schemes) in [
        ("judge_top", any),
        ("judge_free", any),
        ("judge_push", any),
        ("judge_wobble", any),
        ("judge_driven", any),
        ("judge_damped", of_the_rate),
        ("heavy_top", any),
        ("tossed_book", any),
        ("pairs_table", any),
        ("damped_body", of_the_rate),
        ("breathing_body", of_the_rate),
        ("pairs_two_well", any),
        ("pairs_pulse", any),
    ] {
        for right in schemes {
            let report = judge_relations(&case(name), &<_>::default(), &mut |m| scheme(right, m));
            for r in &report.relations {
                let fine = r.holding.holds() || matches!(r.holding, Holding::NotApplicable { .. });
                assert!(fine, "{name}, {right}: {r:#?}");
            }
            assert!(
                report.judged() && report.causes.is_empty(),
                "{name}, {right}: {report:#?}"
            );
        }
    }
}

#[test]
fn damping_is_told_from_a_cap() {
    let report = judge_relations(&case("judge_free"), &<_>::default(), &mut |m| {
        let mut rows = scheme("rkmk4", m)?;
        // What slows down is slow on its own clock.
        let slower = |(n, y): (usize, &mut topsim_core::models::RotState)| {
            y.omega *= (-0.1 * m.step() * n as f64).exp();
        };
        rows.iter_mut().enumerate().for_each(slower);
        Ok(rows)
    });
    assert_eq!(report.causes[0], CauseClass::Damping, "{report:#?}");
}

#[test]
fn one_step_is_measured_alone() {
    let measured = |relation| {
        residual(relation, &case("judge_top"), 0.01, &mut |m| {
            scheme("rkmk4", m)
        })
    };
    assert!(measured(Relation::Mirror).unwrap().identical);
    let reversal = measured(Relation::TimeReversal).unwrap();
    assert!(
        !reversal.is_rounding() && reversal.size < 1e-4,
        "{reversal:?}"
    );
    assert!(matches!(
        measured(Relation::Sphere),
        Err(NotApplicable::NotPosed(_))
    ));
    let failing = residual(Relation::Mirror, &case("judge_top"), 0.01, &mut |_| {
        Err("no".into())
    });
    assert_eq!(failing, Err(NotApplicable::NotSolved("no".into())));
}

/// A mirror and powers of two change no digit of a scheme without a hidden constant.
#[test]
fn schemes_of_the_catalogue_are_mirrored_and_scaled_bit_for_bit() {
    let mut wrong = Vec::new();
    for row in registry::SCHEMES
        .iter()
        .filter(|r| r.family == SchemeFamily::Rotation)
    {
        for name in ["judge_top", "judge_free"] {
            let choice = ProblemChoice::default();
            let report = judge_relations(&case(name), &choice, &mut |m| run_scheme(row, m));
            for r in &report.relations {
                let bits = matches!(
                    r.relation,
                    Relation::Mirror | Relation::TimeScale | Relation::InertiaScale
                );
                let exactly = r.holding == Holding::Exactly { identical: true };
                let fine = r.holding.holds() || matches!(r.holding, Holding::NotApplicable { .. });
                if (bits && !exactly) || !fine {
                    let last = r.residuals.last().map(|f| (f.size, f.allowed));
                    wrong.push(format!(
                        "{} {name} {} {:?} {last:?}",
                        row.info.name, r.relation, r.holding
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn ids_are_read_back() {
    for relation in Relation::ALL {
        assert_eq!(relation.id().parse(), Ok(*relation));
    }
    assert!("mirrors".parse::<Relation>().is_err());
}

const OPAQUE: &str = r#"
title = "A spring"
summary = "A torque that only the solver knows."
[body]
inertia = [1.0, 1.5, 2.0]
[torque]
model = "opaque"
text = "a weight on a lever, k in N"
parameters = { k = 3.0, law = "linear" }
symmetries = ["time_reversal"]
[initial]
rotation_vector = [0.3, 0.2, 0.1]
angular_velocity = [0.5, -1.0, 2.0]
[run]
end = 1.0
steps = [0.02]
schemes = []
"#;

#[test]
fn an_opaque_torque_is_judged_by_what_it_is_said_to_keep() {
    let read = |text: &str| {
        Problem::read(&topsim_case::CaseSource {
            name: "spring".into(),
            path: "spring.toml".into(),
            text: text.into(),
        })
    };
    let problem = read(OPAQUE).unwrap_or_else(|e| panic!("{e}"));
    // What only the solver knows: the weight, and whether it leaks.
    let known = |motion: &Motion, leak: f64| {
        let TorqueModel::Opaque(opaque) = motion.torque() else {
            panic!("another torque");
        };
        let topsim_core::models::OpaqueValue::Number(k) = opaque.parameters["k"] else {
            panic!("no number");
        };
        let mut motion = motion.clone();
        let lever = Vec3::new(0.1, 0.2, 0.5);
        motion.0.start.load = Load::Other(Gravity::new(k, lever, Vec3::z()).into());
        if motion.start() > 0.0 {
            motion.0.start.omega *= 1.0 - leak;
        }
        scheme("rkmk4", &motion)
    };
    let choice = ProblemChoice::default();
    let judged: Vec<Relation> = {
        let report = judge_relations(&problem, &choice, &mut |m| known(m, 0.0));
        assert!(report.causes.is_empty());
        let all = report.relations.into_iter();
        all.filter(|r| r.holding.holds())
            .map(|r| r.relation)
            .collect()
    };
    assert_eq!(judged, [Relation::TimeReversal, Relation::Restart]);
    let report = judge_relations(&problem, &choice, &mut |m| known(m, 1e-4));
    assert_eq!(report.causes, [CauseClass::HiddenState]);
    for (right, wrong, said) in [
        (
            "schemes = []",
            "schemes = [\"rkmk4\"]",
            "schemes beside an opaque torque",
        ),
        ("[\"time_reversal\"]", "[\"mirrors\"]", "mirror"),
    ] {
        let Err(e) = read(&OPAQUE.replace(right, wrong)) else {
            panic!("{wrong} is taken");
        };
        assert!(e.to_string().contains(said), "{e}");
    }
}
