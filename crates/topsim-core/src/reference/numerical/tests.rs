//! Tests of the numerical reference.

use super::*;
use crate::math::{Vec3, so3};
use crate::models::{Frame, Free, Gravity, Inertia, Sin2Pulse};
use crate::models::{Problem, RigidTop, RotState, Torque};
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

/// Reference values of the validation problems (high precision, two independent ways).
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
    // Between the nodes too.
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
    assert!(how.ends_with("until two step sizes agree"), "{how}");
    let e = r.error(10.0);
    // Rounding over 500 rad of phase: 2 ε · 500, and 50 times that in the rate.
    assert!(e.attitude < 3e-13 && e.rate < 2e-11, "{e:?}");
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
fn free_body_near_its_separatrix_and_an_honest_error() {
    let r = Numerical::new(
        top([1.0, 2.0, 3.0], Free, [0.0; 3], [0.01, 5.0, 0.01]),
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
    // Seven passes near the separatrix amplify round-off: the estimate must say so, but stay useful.
    assert!(r.error(50.0).attitude < 1e-9);
    // What is lost later does not spoil what is known before.
    assert!(r.error(1.0).attitude < 0.1 * r.error(50.0).attitude);
    assert!(r.error(60.0).attitude.is_infinite());
}

/// Both solutions of a pair once had the same steps in short segments, and agreed for nothing.
#[test]
fn a_table_of_torques_on_a_body_at_rest() {
    let rows = (0..=20).map(|k| {
        let t = 0.5 * f64::from(k);
        (
            t,
            Vec3::new(libm::sin(3.0 * t), libm::cos(2.0 * t), 0.5) * 100.0,
        )
    });
    let table = crate::models::Table::new(rows, Frame::Body, crate::models::Interpolation::Linear);
    let body = top([1.0, 2.0, 2.5], table.unwrap(), [0.0; 3], [0.0; 3]);
    let r = Numerical::new(body.clone(), 0.0, 10.0).unwrap();
    // Independent: the explicit scheme with very short steps.
    let grid_steps = 400_000_u32;
    let h = 10.0 / f64::from(grid_steps);
    let mut y = body.initial();
    let steps = (0.0, h, u64::from(grid_steps));
    crate::schemes::probe::advance(&crate::schemes::RigNeg {}, &body, steps, &mut y, &|| true)
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

/// A spin about the axis of symmetry is followed without error in the rate, so that the rest of
/// the bound stands alone: 2 ε (2 + phase) rad, and of the rate 50 rad/s that and 4 ε.
#[test]
fn the_error_of_a_spin_is_rounding_in_proportion_to_its_phase() {
    let r = Numerical::new(
        top([5.0, 5.0, 1.0], Free, [0.0; 3], [0.0, 0.0, 50.0]),
        0.0,
        10.0,
    )
    .unwrap();
    let phase = 2.0 * f64::EPSILON * (2.0 + 500.0);
    let rate = phase * 50.0 + 4.0 * f64::EPSILON * 50.0;
    assert!((r.error(10.0).rate / rate - 1.0).abs() < 1e-9);
    assert!(r.error(10.0).attitude >= phase);
    // Known from the start on.
    assert!(r.error(0.0).attitude < 0.1 * phase);
    assert!(r.error(-0.01).attitude.is_infinite());
}
