//! Solfec's schemes against values of an independent program, and what tells them apart.

use super::*;
use crate::models::{Gravity, Inertia, InitialValueProblem, RigidTop};
use crate::schemes::Newton;
use crate::schemes::steps::{Halt, advance};
use crate::schemes::{RotationScheme, StepFail};

fn heavy_top(tilt: f64, spin: f64) -> RigidTop<Gravity> {
    RigidTop::new(
        Inertia::diagonal(Vec3::new(5.0, 5.0, 1.0)).unwrap(),
        Gravity::new(20.0, Vec3::z(), Vec3::z()),
        RotState {
            att: so3::exp(&Vec3::new(tilt, 0.0, 0.0)),
            omega: Vec3::new(0.0, 0.0, spin),
        },
    )
}

/// Returns Λ_m, p, the torques there and W₁ of the first step.
fn first_half(top: &RigidTop<Gravity>, h: f64) -> (Mat3, Vec3, Middle, Vec3) {
    let (at, y) = (Step::new(top, 0.0, h), top.initial());
    let (mid, p) = TurnMemory::start(&at, &y).unwrap().begin();
    let middle = middle(&at, &mid, &p);
    let omega1 = times_omega1(1.0, &at, &y.omega, &middle);
    (so3::matrix_from_unit(&mid), p, middle, omega1)
}

fn near(a: Vec3, b: [f64; 3], tol: f64) {
    assert!((a - Vec3::from(b)).amax() <= tol, "{a} against {b:?}");
}

fn one_step(
    scheme: &impl RotationScheme,
    top: &RigidTop<Gravity>,
    (t, h): (f64, f64),
    y: &mut RotState,
) -> Result<Effort, Halt> {
    advance(scheme, top, (t, h, 1), y, &|| true)
}

fn first_step(scheme: &impl RotationScheme, h: f64) -> RotState {
    let top = heavy_top(0.05, 50.0);
    let mut y = top.initial();
    one_step(scheme, &top, (0.0, h), &mut y).unwrap();
    y
}

/// Debug vector of an independent program: heavy top, h = 0.009, first step.
#[test]
fn debug_vector() {
    let top = heavy_top(0.05, 50.0);
    let (att_mid, p, middle, omega1) = first_half(&top, 0.009);
    near(
        att_mid.column(2).into(),
        [0.0, -0.049_979_169_270_678_3, 0.998_750_260_394_966],
        1e-15,
    );
    near(
        top.torque_space(0.0, &att_mid),
        [0.999_583_385_413_567, 0.0, 0.0],
        2e-15,
    );
    near(
        middle.torque,
        [0.974_387_993_625_169, -0.223_013_412_766_955, 0.0],
        2e-15,
    );
    near(p, [0.0, 0.0, 50.0], 1e-14);
    near(
        omega1,
        [1.681_642_042_788_81e-3, -7.171_258_529_150_74e-4, 50.0],
        1e-14,
    );
    // 49.99… is printed to 13 decimals: half a unit is 5e-14.
    near(first_step(&RigPos {}, 0.009).omega, omega1.into(), 0.0);
    near(
        first_step(&RigNeg {}, 0.009).omega,
        [
            1.660_606_059_219_27e-3,
            -7.111_899_298_100_12e-4,
            49.999_999_993_474_3,
        ],
        5e-14,
    );
    near(
        first_step(&RigImp::default(), 0.009).omega,
        [
            1.660_274_891_949_88e-3,
            -7.121_181_143_153_07e-4,
            49.999_999_993_419_0,
        ],
        5e-14,
    );
}

/// Solfec's absolute tolerance aborts in these; ours must converge.
#[test]
fn newton_converges_where_an_absolute_tolerance_aborts() {
    let full = Mat3::new(5.0, 0.3, -0.2, 0.3, 7.0, 0.4, -0.2, 0.4, 3.0);
    let tops = [
        (heavy_top(0.05, 50.0), 1e-4),
        (heavy_top(1.0, 50.0), 0.003),
        (heavy_top(0.05, 5.0), 0.003),
        (
            RigidTop::new(
                Inertia::new(full).unwrap(),
                Gravity::new(20.0, Vec3::z(), Vec3::z()),
                RotState {
                    att: so3::exp(&Vec3::new(0.3, -0.2, 0.5)),
                    omega: Vec3::new(1.0, -2.0, 15.0),
                },
            ),
            0.005,
        ),
    ];
    for (top, h) in tops {
        let scheme = RigImp::default();
        let mut y = top.initial();
        let mut t = 0.0;
        for _ in 0..2000 {
            let effort = one_step(&scheme, &top, (t, h), &mut y).unwrap();
            assert!(effort.iterations <= 6, "{} iterations", effort.iterations);
            t += h;
        }
        // The equation itself holds: energy of these tops stays bounded.
        assert!((top.energy(&y) / top.energy(&top.initial()) - 1.0).abs() < 1e-4);
    }
}

#[test]
fn newton_reports_failure_instead_of_looping() {
    // A step that turns the body by many radians has no root near the guess.
    let top = heavy_top(0.05, 50.0);
    let mut y = top.initial();
    y.omega = Vec3::new(300.0, -200.0, 500.0);
    let before = y;
    let tight = RigImp {
        newton: Newton {
            max_iterations: 3,
            ..Newton::default()
        },
    };
    let out = one_step(&tight, &top, (0.0, 0.1), &mut y);
    assert!(
        matches!(
            out,
            Err(Halt::Failed(StepFail::NewtonStalled { iterations: 3, .. }))
        ),
        "{out:?}"
    );
    assert_eq!(y, before, "a failed step leaves the state alone");
    y.omega.x = f64::NAN;
    assert!(one_step(&tight, &top, (0.0, 0.1), &mut y).is_err());
}

#[test]
fn neg_and_imp_add_exactly_the_torque_impulse_and_pos_keeps_the_spin() {
    let top = heavy_top(0.4, 30.0);
    let h = 0.009;
    let y0 = top.initial();
    let (att_mid, _, middle, _) = first_half(&top, h);
    let expected = top.momentum_space(&y0) + att_mid * middle.torque * h;
    let residual = |y: &RotState| (top.momentum_space(y) - expected).norm();
    let mut y = y0;
    one_step(&RigNeg {}, &top, (0.0, h), &mut y).unwrap();
    assert!(residual(&y) < 1e-13);
    let mut y = y0;
    one_step(&RigImp::default(), &top, (0.0, h), &mut y).unwrap();
    assert!(residual(&y) < 1e-13);
    let mut y = y0;
    one_step(&RigPos {}, &top, (0.0, h), &mut y).unwrap();
    assert!(residual(&y) > 1e-7, "POS does not conserve momentum");
    assert!((y.omega.z - 30.0).abs() < 1e-13);
}

#[test]
fn only_imp_is_undone_by_a_step_back() {
    let top = RigidTop::new(
        Inertia::new(Mat3::new(5.0, 0.3, -0.2, 0.3, 7.0, 0.4, -0.2, 0.4, 3.0)).unwrap(),
        Gravity::new(20.0, Vec3::z(), Vec3::z()),
        RotState {
            att: so3::exp(&Vec3::new(0.3, -0.2, 0.5)),
            omega: Vec3::new(1.0, -2.0, 5.0),
        },
    );
    fn there_and_back(s: &impl RotationScheme, top: &RigidTop<Gravity>) -> f64 {
        let mut y = top.initial();
        for (t, h) in [(0.0, 0.02), (0.02, -0.02)] {
            one_step(s, top, (t, h), &mut y).unwrap();
        }
        (y.omega - top.initial().omega).norm() + (y.att - top.initial().att).norm()
    }
    assert!(there_and_back(&RigImp::default(), &top) < 1e-14);
    assert!(there_and_back(&RigPos {}, &top) > 1e-8);
    assert!(there_and_back(&RigNeg {}, &top) > 1e-8);
}
