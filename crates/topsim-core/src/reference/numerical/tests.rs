//! Tests of the numerical reference.

use super::*;
use crate::math::{Mat3, Vec3, so3};
use crate::models::{Frame, Gravity, Inertia, NoTorque, Sin2Pulse};
use crate::models::{InitialValueProblem, RigidTop, RotState, Torque, TorqueModel};
use crate::reference::Solution;
use core::f64::consts::PI;

fn top<T: Torque>(moments: [f64; 3], torque: T, tilt: [f64; 3], w: [f64; 3]) -> RigidTop<T> {
    RigidTop::new(
        Inertia::diagonal(Vec3::from(moments)).unwrap(),
        torque,
        RotState {
            att: so3::exp(&Vec3::from(tilt)),
            omega: Vec3::from(w),
        },
    )
}

fn near(a: Vec3, b: [f64; 3], tol: f64) {
    assert!((a - Vec3::from(b)).norm() <= tol, "{a} against {b:?}");
}

/// Reference values of the validation problems, computed in high precision in two independent ways.
#[test]
fn heavy_top_at_ten_seconds() {
    let r = Numerical::new(
        top(
            [5.0, 5.0, 1.0],
            Gravity::new(20.0, Vec3::z(), Vec3::z()),
            [0.05, 0.0, 0.0],
            [0.0, 0.0, 50.0],
        ),
        0.0,
        10.0,
    )
    .unwrap();
    let (att, w) = r.at(10.0);
    near(
        w,
        [-0.030_618_399_441_827_207, 0.028_652_974_173_320_29, 50.0],
        2e-13,
    );
    near(
        att.row(0).transpose(),
        [
            -0.880_353_208_246_793_2,
            0.471_971_165_950_715_4,
            -0.047_132_231_441_981_88,
        ],
        5e-13,
    );
    // The same holds between nodes.
    let (att, w) = r.at(1.0);
    near(
        w,
        [-0.022_723_435_152_080, 0.036_806_856_503_271, 50.0],
        1e-13,
    );
    near(
        att.column(2).into(),
        [
            0.021_541_104_974_264,
            -0.050_010_335_483_372,
            0.998_516_372_996_121,
        ],
        1e-14,
    );
    let how = r.provenance();
    assert!(how.starts_with("Taylor series of order 30"), "{how}");
    // The stated error is the rounding to double, 4 ε, and 50 times that in the rate: the error of the
    // integration is negligible.
    let e = r.error(10.0);
    let rounding = LEAST_NUMERICAL_ERROR;
    assert!((e.attitude / rounding - 1.0).abs() < 1e-9, "{e:?}");
    assert!((e.rate / (50.0 * rounding) - 1.0).abs() < 1e-6, "{e:?}");
    // The floor of the start is about one rounding for each of the 500 rad.
    let floor = r.start_floor(10.0).unwrap().attitude / (0.5 * f64::EPSILON * 500.0);
    assert!((1.0..10.0).contains(&floor), "{floor}");
}

#[test]
fn forced_body_across_its_switches() {
    let r = Numerical::new(
        top(
            [0.5, 2.0, 3.0],
            Sin2Pulse {
                amplitude: Vec3::new(0.0, 0.0, 0.25),
                frame: Frame::Body,
                rate: 1.0,
                from: 3.0 * PI,
                until: 4.0 * PI,
            },
            [0.0; 3],
            [1.0, 0.0, 0.9],
        ),
        0.0,
        20.0,
    )
    .unwrap();
    near(
        r.at(20.0).1,
        [
            -0.901_179_983_722_86,
            0.342_668_422_948_177_5,
            0.995_510_116_901_066_4,
        ],
        1e-13,
    );
    assert!(r.error(20.0).rate < 1e-12);
}

#[test]
fn free_body_near_its_separatrix_is_within_its_error() {
    let r = Numerical::new(
        top([1.0, 2.0, 3.0], NoTorque, [0.0; 3], [0.01, 5.0, 0.01]),
        0.0,
        50.0,
    )
    .unwrap();
    let (att, w) = r.at(50.0);
    let exact = [
        0.027_144_024_029_384_605,
        4.999_936_319_790_432,
        0.017_671_050_152_795_19,
    ];
    let error = (w - Vec3::from(exact)).norm();
    assert!(error < r.error(50.0).rate, "{error} {:?}", r.error(50.0));
    near(
        att.row(0).transpose(),
        [
            0.719_297_159_111_596_5,
            -0.004_635_275_934_674_121,
            0.694_687_059_841_333_3,
        ],
        r.error(50.0).attitude,
    );
    // Seven passages near the separatrix amplify the rounding of the start, but not the error of the reference.
    assert!(r.error(50.0).attitude < 1e-14);
    let floor = |t: f64| r.start_floor(t).unwrap().attitude;
    assert!(floor(1.0) < 0.1 * floor(50.0));
    assert!(r.error(60.0).attitude.is_infinite());
}

/// About the intermediate axis the rounding of the start grows by e^(2.9 t), which would be 1e45 rad in 50 s;
/// an angle is limited to π.
#[test]
fn a_start_floor_is_an_angle() {
    let body = top([1.0, 2.0, 3.0], NoTorque, [0.0; 3], [0.0, 5.0, 0.0]);
    let r = Numerical::new(body, 0.0, 50.0).unwrap();
    let floor = |t: f64| r.start_floor(t).unwrap().attitude;
    assert!(floor(0.1) < 1e-15 && (1e-11..1e-8).contains(&floor(5.0)));
    assert_eq!(floor(50.0), PI);
}

/// Regression test: in short segments both solutions of a pair had the same steps, and agreed without being
/// accurate.
#[test]
fn a_table_of_torques_on_a_body_at_rest() {
    let rows = (0..=20).map(|k| {
        let t = 0.5 * f64::from(k);
        (
            t,
            Vec3::new(libm::sin(3.0 * t), libm::cos(2.0 * t), 0.5) * 100.0,
        )
    });
    let table =
        crate::models::TableTorque::new(rows, Frame::Body, crate::models::Interpolation::Linear);
    let body = top([1.0, 2.0, 2.5], table.unwrap(), [0.0; 3], [0.0; 3]);
    let r = Numerical::new(body.clone(), 0.0, 10.0).unwrap();
    // Independent solution: an explicit scheme with very short steps.
    let grid_steps = 400_000_u32;
    let h = 10.0 / f64::from(grid_steps);
    let mut y = body.initial();
    let steps = (0.0, h, u64::from(grid_steps));
    crate::schemes::steps::advance(&crate::schemes::RigNeg {}, &body, steps, &mut y, &|| true)
        .unwrap();
    let (att, _) = r.at(10.0);
    let apart = so3::angle_between(&att, &y.att);
    assert!(apart < 1e-3, "{apart}");
    assert!(r.error(10.0).attitude < 1e-6, "{:?}", r.error(10.0));
}

#[test]
fn the_error_is_a_bound_at_all_times() {
    let body = top(
        [5.0, 5.0, 1.0],
        Gravity::new(20.0, Vec3::z(), Vec3::z()),
        [0.05, 0.0, 0.0],
        [0.0, 0.0, 50.0],
    );
    let exact = crate::reference::LagrangeTop::new(
        body.inertia().tensor(),
        20.0,
        &Vec3::z(),
        &Vec3::z(),
        &body.initial().att,
        &body.initial().omega,
    )
    .unwrap();
    let r = Numerical::new(body, 0.0, 10.0).unwrap();
    for k in 1..500 {
        let t = 0.02 * f64::from(k) + 1e-3;
        let ((a, w), (b, v)) = (r.at(t), exact.at(t));
        let (own, other) = (r.error(t), exact.error(t));
        assert!(
            so3::angle_between(&a, &b) <= own.attitude + other.attitude,
            "{t}"
        );
        assert!((w - v).norm() <= own.rate + other.rate, "{t}");
    }
    assert!(r.error(10.01).attitude.is_infinite());
}

/// Gauss collocation with its propagated rounding compared with the series, for motions that have both: bodies
/// that spin, topple, and come near the separatrix.
#[test]
fn gauss_is_within_its_bound_of_the_series() {
    let gravity = Gravity::new(8.0, Vec3::new(0.3, -0.2, 0.5), Vec3::new(0.1, 0.2, 1.0));
    for (moments, tilt, w, end) in [
        ([1.0, 1.5, 2.0], [0.4, -1.0, 0.7], [0.0; 3], 12.0),
        ([1.0, 1.5, 2.0], [0.4, 2.0, 0.7], [1.0, -2.0, 0.5], 8.0),
        ([1.0, 1.5, 2.0], [2.4, -1.0, 0.7], [0.3, 40.0, 0.5], 3.0),
    ] {
        agrees_with_the_series(top(moments, gravity.clone(), tilt, w), end);
    }
}

/// The same for rods and needles with full tensors, free and heavy: the stated error stays far below what a judge needs.
#[test]
fn gauss_follows_slender_bodies() {
    let turn = so3::exp(&Vec3::new(0.7, -0.4, 1.1));
    for thin in [1e-1, 1e-2, 1e-3, 1e-4, 1e-6] {
        let moments = Vec3::new(thin, 1.0, 1.0 + 0.3 * thin);
        let tensor = turn * Mat3::from_diagonal(&moments) * turn.transpose();
        let tensor = (tensor + tensor.transpose()) * 0.5;
        let gravity = Gravity::new(
            0.3 * thin,
            Vec3::new(0.3, -0.2, 0.5),
            Vec3::new(0.1, 0.2, 1.0),
        );
        for torque in [TorqueModel::from(NoTorque), gravity.into()] {
            let start = RotState {
                att: so3::exp(&Vec3::new(0.4, 2.0, 0.7)),
                omega: turn * Vec3::new(1.0, -0.7, 0.5),
            };
            let body = RigidTop::new(Inertia::new(tensor).unwrap(), torque, start);
            let stated = agrees_with_the_series(body, 8.0);
            // The true errors are 1e-15, as of a body that is not slender.
            assert!(stated < 1e-12, "{thin}: {stated:e}");
        }
    }
}

/// Checks a motion by Gauss collocation against the series, and returns the stated error of its attitude at the end.
fn agrees_with_the_series<T: Torque>(body: RigidTop<T>, end: f64) -> f64 {
    let series = Numerical::new(body.clone(), 0.0, end).unwrap();
    let gauss = rotation::by_gauss(body, 0.0, end).unwrap();
    for k in 0..=60 {
        let t = end * f64::from(k) / 60.0;
        let ((a, w), (b, v)) = (gauss.at(t), series.at(t));
        let (own, other) = (gauss.error(t), series.error(t));
        let angle = so3::angle_between(&a, &b);
        assert!(
            angle <= own.attitude + other.attitude,
            "{t}: {angle} {own:?}"
        );
        assert!((w - v).norm() <= own.rate + other.rate, "{t}: {own:?}");
    }
    gauss.error(end).attitude
}

/// The solution is known from the start on, and not before.
#[test]
fn nothing_is_known_outside_the_span() {
    let body = top([5.0, 5.0, 1.0], NoTorque, [0.0; 3], [0.0, 0.0, 50.0]);
    let r = Numerical::new(body, 0.0, 10.0).unwrap();
    assert!(r.error(0.0).attitude <= 1.1 * LEAST_NUMERICAL_ERROR);
    assert!(r.error(-0.01).attitude.is_infinite() && r.error(f64::NAN).rate.is_infinite());
}
