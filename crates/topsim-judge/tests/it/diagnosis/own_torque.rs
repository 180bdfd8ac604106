//! Torques that are the case's own: another law of them, or another time, is named; right solvers are not blamed.

use super::{histories, judged as diagnosed};
use topsim_case::{CaseSource, Problem};
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::{Torque, TorqueModel};
use topsim_core::schemes;
use topsim_core::verdict::Status;
use topsim_judge::diagnosis::ConservedQuantity;
use topsim_judge::{Claims, Outcome, Report, RotState, RotationProblem, Trial};
use wrong_solvers::{Rule, RunningRule, Solver, Tableau, WrongLaw};

/// W' where the torque of the case acts so: from the attitude, the rate and what it should give W' at a time.
type Acting = fn(&RotationProblem, f64, f64, &Mat3, &Vec3) -> Vec3;

/// Whether every solver is asked for such a torque: there all of these are right.
fn is_common(p: &RotationProblem) -> bool {
    use TorqueModel::{Constant, Gravity, NoTorque};
    matches!(p.top().torque(), Constant(_) | NoTorque(_) | Gravity(_))
}

/// What the torque gives W'.
fn given(p: &RotationProblem, t: f64, att: &Mat3, w: &Vec3) -> Vec3 {
    p.acceleration(t, att, w) - free(p, w)
}

fn free(p: &RotationProblem, w: &Vec3) -> Vec3 {
    let inertia = p.top().inertia();
    inertia.solve(&inertia.times(w).cross(w))
}

/// The classical rule on rotation vector and rate; `t` is the time of a stage and `t0` that of the step.
fn rk4(
    acting: impl Fn(&RotationProblem, f64, f64, &Mat3, &Vec3) -> Vec3,
) -> impl Fn(&RotationProblem, f64, f64, &mut RotState) {
    move |p, t0, h, y| {
        let slopes = |t: f64, att: &Mat3, w: &Vec3| (*w, free(p, w) + acting(p, t0, t, att, w));
        RunningRule::new(Rule::Rk4Commutators(2), f64::INFINITY).step(&slopes, t0, h, y);
    }
}

fn judged(case: &str, acting: Acting) -> Report {
    let own = move |p: &RotationProblem, t0: f64, t: f64, att: &Mat3, w: &Vec3| {
        if is_common(p) {
            given(p, t, att, w)
        } else {
            acting(p, t0, t, att, w)
        }
    };
    Trial::case(case).unwrap().stepper(rk4(own)).unwrap()
}

const CASES: [&str; 11] = [
    "hnw_forced",
    "pairs_pulse",
    "pairs_table",
    "judge_driven",
    "judge_damped",
    "damped_body",
    "swung_body",
    "gyrostat_spin_up",
    "gyrostat_heavy",
    "breathing_body",
    "gravity_gradient_pitch",
];

#[test]
fn the_right_torque_is_not_blamed() {
    for case in CASES {
        let report = judged(case, |p, _, t, att, w| given(p, t, att, w));
        assert!(report.acceptable(), "{report}");
        let causes = &report.diagnosis.as_ref().unwrap().causes;
        assert!(causes.is_empty(), "{report}");
    }
}

/// What has few digits is no other torque: states in single precision, and steps that miss by a tolerance.
#[test]
fn rounding_and_tolerances_are_not_blamed() {
    let right: Acting = |p, _, t, att, w| given(p, t, att, w);
    for case in CASES {
        for digits in [f64::from(f32::EPSILON), 1e-6] {
            let mut k = 0.0_f64;
            let rough = |p: &RotationProblem, t: f64, h: f64, y: &mut RotState| {
                rk4(right)(p, t, h, y);
                // Where all solvers are asked, it would be told as that.
                if is_common(p) {
                    return;
                }
                k += 1.0;
                let miss = Vec3::new(k.sin(), (2.1 * k).sin(), (3.3 * k).cos());
                y.omega += miss * (digits * y.omega.norm());
            };
            let report = Trial::case(case).unwrap().stepper(rough).unwrap();
            let causes = &report.diagnosis.as_ref().unwrap().causes;
            let blamed = |id: &str| causes.iter().any(|c| c.id.to_string() == id);
            assert!(
                !blamed("model/case_torque") && !blamed("scheme/torque_time"),
                "{case} {digits} {report}"
            );
        }
    }
}

#[test]
fn another_law_is_named_with_what_it_is() {
    for case in CASES {
        for (acting, says) in [
            (
                (|_, _, _, _, _| Vec3::zeros()) as Acting,
                "does not act at all",
            ),
            (|p, _, t, att, w| -given(p, t, att, w), "acts -1"),
            (|p, _, t, att, w| given(p, t, att, w) / 3.0, "acts 0.3333"),
            (|p, _, t, att, w| given(p, t, att, w) * 1.001, "acts 1.001"),
        ] {
            let report = judged(case, acting);
            assert_eq!(report.outcome(), Outcome::Failed, "{case} {report}");
            let causes = &report.diagnosis.as_ref().unwrap().causes;
            assert_eq!(causes.len(), 1, "{case} {says} {report}");
            assert_eq!(
                causes[0].id.to_string(),
                "model/case_torque",
                "{case} {report}"
            );
            assert!(
                causes[0].evidence().contains(says),
                "{case} {says} {report}"
            );
        }
    }
    // Damping of the rate instead of the momentum.
    let report = judged("judge_damped", |p, _, _, _, w| {
        p.top().inertia().solve(&(w * -0.57))
    });
    let evidence = report.diagnosis.as_ref().unwrap().causes[0].evidence();
    assert!(evidence.contains("what acts is − 0.57 W"), "{report}");
}

/// The momentum of the rotor, body frame, and its derivative.
fn rotor(p: &RotationProblem, t: f64) -> [Vec3; 2] {
    let h = |t: f64| p.top().torque().whole_momentum(t, Vec3::zeros());
    [h(t), (h(t + 1e-4) - h(t - 1e-4)) / 2e-4]
}

#[test]
fn another_law_is_told_by_its_terms() {
    let cases: [(&str, Acting, &str); 9] = [
        (
            "damped_body",
            |p, _, _, _, w| {
                let j = p.top().inertia();
                j.solve(&(w * (-0.25 - 0.03 * j.times(w).norm())))
            },
            "what acts is − 0.25 W − 0.03 |J W| W",
        ),
        (
            "damped_body",
            |_, _, _, _, w| w * -0.25,
            "what acts is − 0.25 J W",
        ),
        (
            "damped_body",
            |_, _, _, _, w| w * (-0.25 - 0.03 * w.norm()),
            "what acts is − 0.25 J W − 0.03 |W| J W",
        ),
        (
            "gyrostat_spin_up",
            |p, _, t, att, w| given(p, t, att, w) + p.top().inertia().solve(&rotor(p, t)[1]),
            "h × W acts 1 times, −dh/dt acts 0 times",
        ),
        (
            "gyrostat_spin_up",
            |p, _, t, att, w| {
                given(p, t, att, w) + p.top().inertia().solve(&(rotor(p, t)[1] * 2.0))
            },
            "h × W acts 1 times, −dh/dt acts -1 times",
        ),
        (
            "gyrostat_heavy",
            |p, _, t, att, w| {
                let h = rotor(p, t)[0];
                let off = att.tr_mul(&h).cross(w) - h.cross(w);
                given(p, t, att, w) + p.top().inertia().solve(&off)
            },
            "the rotor's momentum is turned as if it were given in the space frame",
        ),
        (
            "gyrostat_spin_up",
            |p, _, t, att, w| {
                let h = rotor(p, t)[0];
                let off = att.tr_mul(&h).cross(w) - h.cross(w);
                given(p, t, att, w) + p.top().inertia().solve(&off)
            },
            "turned as if it were given in the space frame, its change is not",
        ),
        (
            "gravity_gradient_pitch",
            |p, _, t, att, w| given(p, -t, att, w),
            "it is that of the time −t",
        ),
        (
            "gravity_gradient_pitch",
            |p, _, _, att, w| given(p, 0.0, att, w),
            "it is that of t = 0",
        ),
    ];
    for (case, acting, says) in cases {
        let report = judged(case, acting);
        assert_eq!(report.outcome(), Outcome::Failed, "{case} {report}");
        let causes = &report.diagnosis.as_ref().unwrap().causes;
        assert!(
            causes[0].evidence().contains(says),
            "{case} {says} {report}"
        );
    }
}

/// A body and a rotor that are so small that no torque of theirs is a millionth of 1 N m.
#[test]
fn a_small_rotor_is_judged_as_a_large_one() {
    let text = "title = \"t\"\nsummary = \"s\"\n[body]\ninertia = [1e-6, 1.7e-6, 2.2e-6]\n[torque]\nmodel = \"gyrostat\"\n\
        polynomial = [[1e-7, 2e-7, 5e-7]]\n[initial]\nangular_velocity = [0.4, -0.9, 0.7]\n[run]\nend = 2.0\n\
        steps = [0.04, 0.02, 0.01]\nschemes = [\"rkmk4\"]\n[reference]\n";
    let source = CaseSource {
        name: "small".into(),
        path: "small.toml".into(),
        text: text.into(),
    };
    let problem = || Problem::read(&source).unwrap();
    let report = Trial::new(problem()).stepper(rk4(|p, _, t, att, w| given(p, t, att, w)));
    assert!(report.unwrap().acceptable());
    let turned = |p: &RotationProblem, _: f64, t: f64, att: &Mat3, w: &Vec3| {
        if is_common(p) {
            return given(p, t, att, w);
        }
        p.top()
            .inertia()
            .solve(&att.tr_mul(&rotor(p, t)[0]).cross(w))
    };
    let report = Trial::new(problem()).stepper(rk4(turned)).unwrap();
    let said = report.to_string();
    assert!(
        said.contains("as if it were given in the space frame"),
        "{said}"
    );
    assert!(!said.contains("dh/dt"), "{said}");
}

/// Damping that multiplies the rate once a step is of first order, and has no time that is no number.
#[test]
fn damping_once_a_step_is_told() {
    for case in ["judge_damped", "damped_body"] {
        let once = |p: &RotationProblem, t: f64, h: f64, y: &mut RotState| {
            if is_common(p) {
                return rk4(|p, _, t, att, w| given(p, t, att, w))(p, t, h, y);
            }
            let damped = given(p, t, &y.att, &y.omega);
            rk4(|_, _, _, _, _| Vec3::zeros())(p, t, h, y);
            y.omega += damped * h;
        };
        let report = Trial::case(case).unwrap().stepper(once).unwrap();
        let said = report.to_string();
        assert!(said.contains("applied once"), "{said}");
        assert!(!said.contains("NaN"), "{said}");
    }
}

/// The implicit midpoint of the rate, then the turn: of the second order, with the torque at the start of the step.
fn held(p: &RotationProblem, t: f64, h: f64, y: &mut RotState) {
    let torque = given(p, t, &y.att, &y.omega);
    let mut end = y.omega;
    for _ in 0..40 {
        let middle = (y.omega + end) * 0.5;
        end = y.omega + (free(p, &middle) + torque) * h;
    }
    y.att *= so3::exp(&((y.omega + end) * (0.5 * h)));
    y.omega = end;
}

#[test]
fn a_torque_of_another_time_is_named() {
    let wrong: [Acting; 2] = [
        |p, t0, t, att, w| given(p, t0 - (t - t0), att, w),
        |p, t0, _, att, w| given(p, t0, att, w),
    ];
    for case in ["judge_driven", "swung_body"] {
        for acting in wrong {
            let report = judged(case, acting);
            let causes = &report.diagnosis.as_ref().unwrap().causes;
            assert_eq!(causes[0].id.to_string(), "scheme/torque_time", "{report}");
        }
        // A rule of the second order may hold it: a remark, no defect.
        let report = Trial::case(case).unwrap().stepper(held).unwrap();
        let said = report.to_string();
        assert!(
            report.acceptable() && said.contains("held over it"),
            "{said}"
        );
    }
}

/// A torque of an earlier time, the same at all steps, is another torque and no time within a step; nor is a small turn of it a factor.
#[test]
fn what_is_the_same_at_all_steps_is_no_time_within_one() {
    let earlier: Acting = |p, _, t, att, w| given(p, t - 0.03, att, w);
    let turned: Acting = |p, _, t, att, w| {
        let inertia = p.top().inertia();
        let torque = inertia.times(&given(p, t, att, w));
        inertia.solve(&(so3::exp(&Vec3::new(0.01, 0.0, -0.01)) * torque))
    };
    let told = [
        (earlier, "scheme/torque_time", "is behind by 0.03"),
        (turned, "model/case_torque", "from 6 states"),
    ];
    for (acting, id, says) in told {
        let report = judged("judge_driven", acting);
        let causes = &report.diagnosis.as_ref().unwrap().causes;
        assert_eq!(causes[0].id.to_string(), id, "{report}");
        let seen = causes[0].evidence();
        assert!(seen.contains(says) && !seen.contains(" times"), "{report}");
    }
}

/// Pulses and tables, which are asked for between their switches.
#[test]
fn a_pulse_of_another_time_is_named() {
    for case in ["hnw_forced", "pairs_pulse", "pairs_table"] {
        let report = judged(case, |p, t0, _, att, w| given(p, t0, att, w));
        let causes = &report.diagnosis.as_ref().unwrap().causes;
        let ids: Vec<String> = causes.iter().map(|c| c.id.to_string()).collect();
        assert_eq!(ids, ["scheme/torque_time"], "{case} {report}");
    }
    // The same solver is right where the values are held from one row to the next, and where nothing depends on time.
    for case in ["pairs_held", "judge_top"] {
        let report = judged(case, |p, t0, _, att, w| given(p, t0, att, w));
        let causes = &report.diagnosis.as_ref().unwrap().causes;
        assert!(report.acceptable() && causes.is_empty(), "{case} {report}");
    }
}

/// The pulse of `hnw_forced`, a hundred times as short.
fn short_pulse() -> Problem {
    let mut source = topsim_case::builtin::find("hnw_forced").unwrap().source();
    for (old, new) in [
        ("rate = 1.0", "rate = 100.0"),
        ("9.42477796076938 ", "10.03 "),
        ("12.566370614359172", "10.061415926535898"),
        ("0.25]", "25.0]"),
        ("sample = 0.1", "sample = 0.5"),
    ] {
        assert!(source.text.contains(old), "{old}");
        source.text = source.text.replace(old, new);
    }
    Problem::read(&source).unwrap()
}

/// Steps that miss the pulse tell no right solver from a wrong one, and shorter ones do.
#[test]
fn a_pulse_between_two_steps_is_no_fault_of_a_solver() {
    let seeing: Acting = |p, _, t, att, w| given(p, t, att, w);
    let blind: Acting = |_, _, _, _, _| Vec3::zeros();
    let said = |acting: Acting, steps: &[f64]| {
        let trial = Trial::new(short_pulse()).steps(steps);
        let report = trial.stepper(rk4(acting)).unwrap();
        let of = |v: &&topsim_judge::Verdict| v.id == topsim_judge::VerdictId::Convergence;
        let convergence = report.verdicts.iter().find(of).unwrap().status;
        (convergence, report)
    };
    let (coarse, fine) = ([0.125, 0.25, 0.5], [0.00125, 0.0025, 0.005]);
    let (convergence, report) = said(seeing, &coarse);
    assert_eq!(convergence, Status::Skipped, "{report}");
    assert!(report.acceptable(), "{report}");
    assert!(
        report.to_string().contains("too coarse for the motion"),
        "{report}"
    );
    let (convergence, report) = said(seeing, &fine);
    assert_eq!(convergence, Status::Passed, "{report}");
    for steps in [coarse, fine] {
        let (_, report) = said(blind, &steps);
        assert!(!report.acceptable(), "{report}");
    }
    let (convergence, report) = said(blind, &fine);
    assert_eq!(convergence, Status::Failed, "{report}");
}

/// The same for histories, whose solver cannot be asked for shorter steps: they do not tell, but for what is wrong before the pulse.
#[test]
fn histories_that_miss_a_pulse_do_not_tell() {
    let outcome = |rule: Rule, laws: &[WrongLaw]| {
        let solver = Solver::new(laws, rule);
        let files = histories(&short_pulse(), &[0.5, 0.25, 0.125], &solver);
        let report = diagnosed(short_pulse(), files);
        (report.outcome(), report.to_string())
    };
    for rule in [Rule::Rk4, Rule::Explicit(Tableau::THREE_EIGHTHS)] {
        let (found, said) = outcome(rule, &[]);
        assert_eq!(found, Outcome::Undecided, "{said}");
        for factor in [-1.0, 0.9] {
            let (found, said) = outcome(rule, &[WrongLaw::Gyroscopic(factor)]);
            assert_eq!(found, Outcome::Failed, "{said}");
        }
    }
}

/// Right rules that the catalogue does not have, at steps at which their like is lost.
#[test]
fn right_schemes_at_long_steps_are_not_blamed() {
    let plan = || Problem::builtin("t_handle").unwrap();
    let solver = Solver::new(&[], Rule::Explicit(Tableau::THREE_EIGHTHS));
    let files = histories(&plan(), &[0.5, 0.25, 0.125], &solver);
    let report = diagnosed(plan(), files);
    assert_eq!(report.outcome(), Outcome::Undecided, "{report}");
    // The free motion, the kick at its middle, the free motion.
    let still = rk4(|_, _, _, _, _| Vec3::zeros());
    let solver = move |p: &RotationProblem, t: f64, h: f64, y: &mut RotState| {
        let drift = |y: &mut RotState| {
            for k in 0..1000 {
                let part = h / 2000.0;
                still(p, t + f64::from(k) * part, part, y);
            }
        };
        drift(y);
        y.omega += given(p, t + 0.5 * h, &y.att, &y.omega) * h;
        drift(y);
    };
    let trial = Trial::case("heavy_top").unwrap().steps(&[2.0, 1.0, 0.5]);
    let report = trial.stepper(solver).unwrap();
    assert!(report.acceptable(), "{report}");
}

/// Steps at which schemes of two kinds are off, and of which a third one is not, are no excuse.
#[test]
fn a_torque_lost_after_short_runs_is_seen_at_long_steps() {
    let lost = |after: f64| {
        let kick: Acting = |p, t, _, att, w| given(p, t, att, w);
        let still = rk4(|_, _, _, _, _| Vec3::zeros());
        move |p: &RotationProblem, t: f64, h: f64, y: &mut RotState| {
            let add = |t: f64, y: &mut RotState| {
                if t <= after {
                    let more = kick(p, t, t, &y.att, &y.omega);
                    y.omega += more * (0.5 * h);
                }
            };
            add(t, y);
            for k in 0..200 {
                let part = h / 200.0;
                still(p, t + f64::from(k) * part, part, y);
            }
            add(t + h, y);
        }
    };
    let trial = || Trial::case("heavy_top").unwrap().steps(&[0.4, 0.2, 0.1]);
    let report = trial().stepper(lost(f64::INFINITY)).unwrap();
    assert!(report.acceptable(), "{report}");
    let report = trial().stepper(lost(3.0)).unwrap();
    assert_eq!(report.outcome(), Outcome::Failed, "{report}");
}

/// A torque of the right time, of the attitude with which the step begins.
#[test]
fn the_attitude_of_the_start_is_named() {
    for case in ["pairs_pulse", "pushed_from_rest", "judge_push"] {
        let held = |p: &RotationProblem, t: f64, h: f64, y: &mut RotState| {
            let start = y.att;
            rk4(|p, _, t, _, w| given(p, t, &start, w))(p, t, h, y);
        };
        let report = Trial::case(case).unwrap().stepper(held).unwrap();
        let causes = &report.diagnosis.as_ref().unwrap().causes;
        let ids: Vec<String> = causes.iter().map(|c| c.id.to_string()).collect();
        assert_eq!(ids, ["scheme/order_lost"], "{case} {report}");
    }
}

/// The schemes of the catalogue, with pulses and a driven body to ask for.
#[test]
fn no_scheme_of_the_catalogue_is_blamed_for_a_torque_of_time() {
    for case in ["hnw_forced", "pairs_table", "judge_driven"] {
        let trial = || Trial::case(case).unwrap();
        for report in [
            trial().scheme(&schemes::RigPos {}),
            trial().scheme(&schemes::LieMidEa::default()),
            trial().scheme(&schemes::Rkmk4 {}),
            trial().scheme(&schemes::Split3 {}),
            trial().scheme(&schemes::MidpointEuler::default()),
            trial().scheme(&schemes::Dmv::default()),
        ] {
            let report = report.unwrap();
            let causes = &report.diagnosis.as_ref().unwrap().causes;
            assert!(causes.is_empty(), "{case} {report}");
        }
    }
}

#[test]
fn the_momentum_of_the_whole_can_be_claimed() {
    let claims: Claims = "momentum".parse().unwrap();
    // The momentum in space is what this carries; its turn is that of the rate at the middle of the step.
    let carried = |p: &RotationProblem, t: f64, h: f64, y: &mut RotState| {
        let torque = p.top().torque();
        let inertia = p.top().inertia();
        let momentum = y.att * torque.whole_momentum(t, inertia.times(&y.omega));
        let rate = |t: f64, att: &Mat3| {
            let zero = torque.whole_momentum(t, Vec3::zeros());
            let factor = (torque.whole_momentum(t, Vec3::x()) - zero).x;
            inertia.solve(&(att.tr_mul(&momentum) - zero)) / factor
        };
        let half = y.att * so3::exp(&(y.omega * (0.5 * h)));
        y.att *= so3::exp(&(rate(t + 0.5 * h, &half) * h));
        y.omega = rate(t + h, &y.att);
    };
    for case in ["gyrostat_symmetric", "gyrostat_spin_up", "breathing_body"] {
        let trial = || Trial::case(case).unwrap().claiming(&claims);
        let report = trial().stepper(carried).unwrap();
        let held = |report: &Report| {
            let mut claims = report.verdicts.iter();
            let claim = claims.find(|v| v.id.to_string() == "claim/momentum");
            claim.unwrap().status
        };
        assert_eq!(held(&report), Status::Passed, "{case} {report}");
        let right: Acting = |p, _, t, att, w| given(p, t, att, w);
        let report = trial().stepper(rk4(right)).unwrap();
        assert_eq!(held(&report), Status::Failed, "{case} {report}");
    }
}

/// The momentum of the whole is kept: that of the body and its rotor, and that of a body whose inertia changes.
#[test]
fn the_momentum_of_the_whole_is_followed() {
    let strays = |case: &str, acting: Acting| {
        let report = judged(case, acting);
        assert!(report.keeps_momentum, "{case}");
        let behaviour = &report.diagnosis.as_ref().unwrap().behaviour;
        let mut kept = behaviour.conserved.iter();
        let momentum = kept.find(|c| c.quantity == ConservedQuantity::Momentum);
        momentum.unwrap().deviation
    };
    for case in [
        "gyrostat_symmetric",
        "gyrostat_spin_up",
        "gyrostat_heavy",
        "breathing_body",
    ] {
        let right = strays(case, |p, _, t, att, w| given(p, t, att, w));
        assert!(right < 1e-5, "{case} {right:e}");
        let wrong = strays(case, |p, _, t, att, w| given(p, t, att, w) * 1.01);
        assert!(
            wrong > 1e-4 && wrong > 100.0 * right,
            "{case} {right:e} {wrong:e}"
        );
    }
}
