use super::plan::EscapeConstants;
use super::step::{TopLanes, advance, begin, damp, kick, slopes, turn_over};
use super::*;
use topsim_core::models::levitron::{AxialField, FieldVisitor};
use topsim_core::models::levitron::{FieldModel, LevitronParameters, VerticalGradient};
use topsim_core::schemes::compositions::{
    BM4, BM6, Composition, DRIFT_KICK, KICK_DRIFT, SRKN14A, STRANG, SUZUKI4,
};

/// The state after `n` whole steps from `start`, by the scalar kernel; escapes are ignored.
///
/// # Errors
/// [`EscapeError`]: a number out of range.
pub(super) fn state_after(
    problem: &EscapeProblem,
    start: [f64; 3],
    n: u32,
) -> Result<TopLanes<f64>, EscapeError> {
    struct Orbit<'a>(&'a EscapeConstants, [f64; 3], u32);
    impl FieldVisitor for Orbit<'_> {
        type Out = TopLanes<f64>;

        fn visit<F: AxialField>(self, field: &F) -> TopLanes<f64> {
            let Self(plan, start, n) = self;
            let mut y = begin(start, plan, field);
            for k in 0..n {
                if plan.quick {
                    advance::<f64, F, true>(&mut y, plan, field);
                } else {
                    advance::<f64, F, false>(&mut y, plan, field);
                }
                if k + 1 < n {
                    turn_over::<f64, F, false>(&mut y, plan, field);
                }
            }
            finish(&mut y, plan, field);
            y
        }
    }
    let plan = EscapeConstants::new(problem)?;
    if n == 0 {
        return Ok(TopLanes {
            r: start,
            v: [0.0; 3],
            a: [0.0, 0.0, 1.0],
            w: [0.0, 0.0, plan.w0],
        });
    }
    Ok(problem.levitron.field().open(Orbit(&plan, start, n)))
}

/// The end of the last step.
fn finish<F: AxialField>(y: &mut TopLanes<f64>, plan: &EscapeConstants, field: &F) {
    let f = slopes(y, field);
    kick(y, &plan.last, &f);
    if let Some(d) = &plan.damped {
        damp(y, &d.half);
    }
}

pub(super) const Z_S: f64 = 0.031_292_693_452_329_53;

pub(super) fn problem(field: FieldModel) -> EscapeProblem {
    let levitron = Levitron::new(LevitronParameters {
        field,
        ..LevitronParameters::dullin2004()
    })
    .unwrap();
    EscapeProblem {
        levitron,
        spin: 40.0 * core::f64::consts::PI,
        centre: [0.0, 0.0, Z_S],
        radius: Z_S,
        h: 0.002,
        steps: 1000,
        scheme: STRANG,
        damping: ReducedDamping::default(),
    }
}

pub(super) fn disk() -> FieldModel {
    FieldModel::Disk {
        order: 7,
        gradient: VerticalGradient::Exact,
    }
}

pub(super) fn run(p: &EscapeProblem, starts: &[[f64; 3]], width: Width) -> Vec<i32> {
    let mut out = vec![0; starts.len()];
    escape_steps(p, starts, width, &mut out, &|_| true).unwrap();
    out
}

/// The steps of Strang's splitting in 60-digit arithmetic: `scripts/levitron_values.py`.
#[test]
fn states_after_one_step_and_after_a_thousand() {
    let p = problem(disk());
    let start = [0.003, 0.0, Z_S + 0.001];
    let one = state_after(&p, start, 1).unwrap();
    let expected = [
        (one.r[0], 0.003_000_429_596_565_478_7),
        (one.r[1], 0.0),
        (one.r[2], 0.032_292_481_694_978_83),
        (one.v[0], 4.320_308_344_851_473_3e-4),
        (one.v[1], 6.161_298_103_624_588_5e-7),
        (one.v[2], -2.118_260_939_323_323_3e-4),
        (one.a[0], -4.952_981_101_187_993_1e-4),
        (one.a[1], -1.271_709_429_671_087e-4),
    ];
    for (got, expected) in expected {
        assert!((got - expected).abs() < 2e-16, "{got:e} {expected:e}");
    }
    let many = state_after(&p, start, 1000).unwrap();
    let expected = [
        (many.r[0], 0.003_424_377_849_267),
        (many.r[1], 0.000_893_172_637_628),
        (many.r[2], 0.031_324_220_640_130),
        (many.a[0], 0.062_571_302_066_6),
        (many.a[1], -0.042_627_412_353_9),
        (many.a[2], 0.997_129_748_765_8),
    ];
    for (got, expected) in expected {
        assert!((got - expected).abs() < 1e-13, "{got:e} {expected:e}");
    }
}

/// Times, s, of named cells of Figure 1 (x, z − z_s).
#[test]
fn escape_times_of_named_cells() {
    let p = problem(disk());
    let cells = [
        (0.012, 0.0, 0.312),
        (0.008, 0.0, 0.496),
        (0.005, 0.005, 1.680),
        (0.004, 0.0, 1.430),
        (0.001, -0.007, 1.328),
    ];
    let starts = cells.map(|(x, z, _)| [x, 0.0, Z_S + z]);
    for (steps, (_, _, time)) in run(&p, &starts, Width::best()).into_iter().zip(cells) {
        assert!(
            (f64::from(steps) * p.h - time).abs() < 1e-9,
            "{steps} {time}"
        );
    }
    let inside = [
        [0.001, 0.0, Z_S],
        [0.003, 0.0, Z_S],
        [0.002, 0.0, Z_S - 0.004],
    ];
    assert_eq!(run(&p, &inside, Width::best()), [-1; 3]);
    // The ball is left at the step stated, not before.
    let n = run(&p, &starts, Width::best())[0];
    let outside = |n: i32| {
        let r = state_after(&p, starts[0], n as u32).unwrap().r;
        r[0] * r[0] + r[1] * r[1] + (r[2] - Z_S).powi(2) > Z_S * Z_S
    };
    assert!(outside(n) && !outside(n - 1));
}

/// Compositions: the same motion, to their order; invariants to round-off.
#[test]
fn schemes_agree_and_keep_what_they_must() {
    let mut p = problem(disk());
    let start = [0.003, 0.001, Z_S + 0.001];
    let end = 0.06;
    let state = |p: &mut EscapeProblem, scheme: Composition, n: u32| {
        (p.scheme, p.h) = (scheme, end / f64::from(n));
        state_after(p, start, n).unwrap()
    };
    let exact = state(&mut p, BM6, 240);
    for (scheme, order) in [
        (KICK_DRIFT, 1.0),
        (DRIFT_KICK, 1.0),
        (STRANG, 2.0),
        (SUZUKI4, 4.0),
        (BM4, 4.0),
        (BM6, 6.0),
        (SRKN14A, 6.0),
    ] {
        let error = [12, 24].map(|n| {
            let y = state(&mut p, scheme, n);
            let d2 = (0..3).map(|i| (y.a[i] - exact.a[i]).powi(2)).sum::<f64>();
            let casimir = (0..3).map(|i| y.w[i] * y.a[i]).sum::<f64>() / (2.0 * p.spin);
            let length = (0..3).map(|i| y.a[i] * y.a[i]).sum::<f64>();
            assert!((casimir - 1.0).abs() < 1e-14 && (length - 1.0).abs() < 1e-14);
            d2.sqrt()
        });
        let seen = (error[0] / error[1]).log2();
        assert!((seen - order).abs() < 0.35, "{scheme:?}: {seen} {error:?}");
    }
}

/// Against 30 digits of the same steps, for both gradients (`scripts/levitron_values.py`).
#[test]
fn states_of_the_table() {
    use crate::table::table;
    for (gradient, name) in [
        (VerticalGradient::Exact, "strang"),
        (VerticalGradient::Harmonic, "strang_harmonic"),
    ] {
        let p = problem(FieldModel::Disk { order: 7, gradient });
        for (n, rounding) in [(1, 4.0), (1000, 2000.0)] {
            let y = state_after(&p, [0.003, 0.0, Z_S + 0.001], n).unwrap();
            for (part, value, size) in [
                ("r", y.r, Z_S),
                ("v", y.v, 0.02),
                ("a", y.a, 1.0),
                ("l", y.w.map(|w| w * p.levitron.theta1()), 3e-4),
            ] {
                for (x, axis) in value.into_iter().zip(["x", "y", "z"]) {
                    let exact = table(&format!("{name}_{n}_{part}_{axis}"));
                    // The bound is a few roundings a step, of numbers of this size.
                    let bound = rounding * f64::EPSILON * size;
                    assert!(
                        (x - exact).abs() <= bound,
                        "{name} {n} {part}{axis}: {x:e} {exact:e}"
                    );
                }
            }
        }
    }
}

/// The general schemes are the check from outside: other code for the steps, the turns and the
/// damping. Equal to the roundings of a hundred steps.
#[test]
fn the_general_schemes_make_the_same_steps() {
    use topsim_core::models::reduced::{Axial, LevitronPotential, ReducedSystem, SymmetricBody};
    use topsim_core::schemes::{
        PoissonBm6, PoissonFirst, PoissonSrkn14a, PoissonStrang, Scheme, steps,
    };
    fn off<S: Scheme<ReducedSystem<LevitronPotential>>>(
        scheme: &S,
        p: &EscapeProblem,
        twin: ReducedDamping,
    ) -> f64 {
        let top = &p.levitron;
        let body = SymmetricBody {
            mass: top.mass(),
            theta1: top.theta1(),
            theta3: top.theta3(),
        };
        let start = [0.003, 0.001, Z_S + 0.001];
        let state = Axial {
            position: start.into(),
            velocity: [0.0; 3].into(),
            axis: [0.0, 0.0, 1.0].into(),
            momentum: [0.0, 0.0, top.theta3() * p.spin].into(),
        };
        let general = ReducedSystem::new(&[body], LevitronPotential(*top), twin, &[state]);
        let mut y = [state];
        steps::advance(scheme, &general, (0.0, p.h, 100), &mut y, &|| true).unwrap();
        let z = state_after(p, start, 100).unwrap();
        let y = y[0];
        let rate = y.momentum / (top.theta1() * 2.0 * p.spin);
        (0..3)
            .flat_map(|i| {
                let w = z.w[i] / (2.0 * p.spin);
                let (r, v) = ((y.position[i] - z.r[i]) / Z_S, y.velocity[i] - z.v[i]);
                [r, v, y.axis[i] - z.a[i], rate[i] - w]
            })
            .fold(0.0, |m, x| m.max(x.abs()))
    }
    let damping = ReducedDamping {
        translation: 0.7,
        spin: 0.3,
        transverse: 0.5,
    };
    for damping in [ReducedDamping::default(), damping] {
        let with = |scheme: Composition, h: f64| EscapeProblem {
            scheme,
            h,
            damping,
            ..problem(disk())
        };
        let first = with(KICK_DRIFT, 0.002);
        let strang = with(STRANG, 0.002);
        let bm6 = with(BM6, 0.016);
        assert!(off(&PoissonFirst {}, &first, damping) < 1e-13);
        assert!(off(&PoissonStrang {}, &strang, damping) < 1e-13);
        assert!(off(&PoissonBm6 {}, &bm6, damping) < 1e-12);
        let srkn14a = with(SRKN14A, 0.016);
        assert!(off(&PoissonSrkn14a {}, &srkn14a, damping) < 1e-12);
        // Another scheme or another damping is seen.
        assert!(off(&PoissonFirst {}, &strang, damping) > 1e-6);
        let wrong = ReducedDamping {
            transverse: damping.transverse + 0.01,
            ..damping
        };
        assert!(off(&PoissonStrang {}, &strang, wrong) > 1e-9);
    }
}

/// D: ⟨l, a⟩ and the rest of l decay at their rates.
#[test]
fn damping_has_its_rates() {
    let mut p = problem(disk());
    p.damping.spin = 0.1;
    let y = state_after(&p, [0.003, 0.0, Z_S], 500).unwrap();
    let l: f64 = (0..3).map(|i| y.w[i] * y.a[i]).sum();
    assert!((l / (2.0 * p.spin) - (-0.1_f64).exp()).abs() < 1e-13);
    // At rest in the equilibrium only the spin decays.
    p.damping.translation = 3.0;
    p.damping.transverse = 2.0;
    let y = state_after(&p, [0.0, 0.0, Z_S], 500).unwrap();
    assert!((y.w[2] / (2.0 * p.spin) - (-0.1_f64).exp()).abs() < 1e-13);
    assert!(y.a[2] == 1.0 && (y.r[2] - Z_S).abs() < 1e-12);
    // Free of force, v and the transverse w fall by their own factors.
    let scheme = KICK_DRIFT;
    let kicked = |damping: ReducedDamping| {
        let p = EscapeProblem {
            damping,
            scheme,
            ..problem(disk())
        };
        state_after(&p, [0.003, 0.0, Z_S], 1).unwrap()
    };
    let free = kicked(ReducedDamping::default());
    let slow = kicked(ReducedDamping {
        translation: 5.0,
        spin: 0.0,
        transverse: 0.0,
    });
    let half = (-0.005_f64).exp();
    assert!((slow.v[0] / free.v[0] - half).abs() < 1e-15);
    assert_eq!(slow.w, free.w);
    let across = kicked(ReducedDamping {
        translation: 0.0,
        spin: 0.0,
        transverse: 5.0,
    });
    let part = |y: &TopLanes<f64>| {
        let l: f64 = (0..3).map(|i| y.w[i] * y.a[i]).sum();
        (0..3)
            .map(|i| (y.w[i] - l * y.a[i]).powi(2))
            .sum::<f64>()
            .sqrt()
    };
    assert!((part(&across) / part(&free) - half).abs() < 1e-9);
}

#[test]
fn bad_problems_are_refused_with_numbers() {
    let good = problem(disk());
    let starts = [[0.003, 0.0, Z_S]];
    let refuse = |p: &EscapeProblem, starts: &[[f64; 3]], room: usize| {
        escape_steps(p, starts, Width::Scalar, &mut vec![0; room], &|_| true).unwrap_err()
    };
    let damping = ReducedDamping {
        spin: -1.0,
        ..good.damping
    };
    for (p, text) in [
        (
            EscapeProblem {
                h: 0.0,
                ..good.clone()
            },
            "the step is 0",
        ),
        (
            EscapeProblem {
                radius: f64::NAN,
                ..good.clone()
            },
            "ball is NaN",
        ),
        (
            EscapeProblem {
                damping,
                ..good.clone()
            },
            "damping of the spin is -1",
        ),
        (
            EscapeProblem {
                steps: 0,
                ..good.clone()
            },
            "number of steps is 0",
        ),
        (
            EscapeProblem {
                spin: f64::INFINITY,
                ..good.clone()
            },
            "spin is inf",
        ),
        (
            EscapeProblem {
                h: 0.02,
                ..good.clone()
            },
            "turns by 5.0265",
        ),
    ] {
        let error = refuse(&p, &starts, 1).to_string();
        assert!(error.contains(text), "{error}");
    }
    // The step that is said to be short enough is short enough.
    let EscapeError::Angle { step, .. } = refuse(
        &EscapeProblem {
            h: 0.02,
            ..good.clone()
        },
        &starts,
        1,
    ) else {
        panic!()
    };
    let h = step * (1.0 - 1e-12);
    assert!(state_after(&EscapeProblem { h, ..good.clone() }, starts[0], 1).is_ok());
    assert!(matches!(
        refuse(&good, &starts, 2),
        EscapeError::Length { .. }
    ));
    let nan = [[0.0, f64::NAN, 0.0]];
    assert!(matches!(
        refuse(&good, &nan, 1),
        EscapeError::Start { index: 0, .. }
    ));
    let wide = Width::ALL.into_iter().find(|w| !w.is_available());
    if let Some(w) = wide {
        let error = escape_steps(&good, &starts, w, &mut [0], &|_| true).unwrap_err();
        assert_eq!(error, EscapeError::Width(w));
    }
}

#[test]
fn poll_is_told_every_step_and_can_stop() {
    let p = EscapeProblem {
        steps: 1200,
        ..problem(disk())
    };
    let starts = vec![[0.001, 0.0, Z_S]; 40];
    let (calls, told) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    let poll = |steps| {
        calls.set(calls.get() + 1);
        told.set(told.get() + steps);
        calls.get() < 3
    };
    let end = escape_steps(&p, &starts, Width::best(), &mut [0; 40], &poll);
    assert_eq!(end, Err(EscapeError::Stopped(told.get())));
    // Twice twenty thousand, and what was left of the third.
    assert_eq!((calls.get(), told.get()), (3, 48_000));
    told.set(0);
    let p = EscapeProblem { steps: 300, ..p };
    let made = escape_steps(&p, &starts, Width::best(), &mut [0; 40], &poll).map(|_| ());
    assert_eq!(
        (made, told.get()),
        (Err(EscapeError::Stopped(12_000)), 12_000)
    );
}

/// A state that is no number any more counts as escaped, at once.
#[test]
fn overflow_is_an_escape() {
    let p = problem(disk());
    let far = [[1e200, 0.0, 1e200], [0.001, 0.0, Z_S]];
    for width in Width::available() {
        assert_eq!(run(&p, &far, width), [1, -1]);
    }
    assert!(run(&p, &[], Width::best()).is_empty());
}
