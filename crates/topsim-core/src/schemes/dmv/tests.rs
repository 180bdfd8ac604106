//! Tests of the discrete Moser–Veselov family.

use super::*;
use crate::models::{Gravity, InitialValueProblem, NoTorque, RigidTop};
use crate::schemes::Scheme;
use crate::schemes::testbed;

/// Returns ‖ΔΛ‖_F on body f at t = 10 with `n` steps.
fn error_f(scheme: &impl RotationScheme, n: u32) -> f64 {
    let y = testbed::run(scheme, &testbed::body_f(), 10.0, n);
    let exact = testbed::run(
        &crate::schemes::ExactStrang {},
        &testbed::body_f(),
        10.0,
        100,
    );
    (y.att - exact.att).norm()
}

#[test]
fn free_orders_and_errors() {
    let close = |found: f64, page: f64| {
        assert!(
            (found / page - 1.0).abs() < 0.02,
            "{found:e} against {page:e}"
        );
    };
    close(error_f(&Dmv4::default(), 100), 4.015e-3);
    close(error_f(&Dmv6::default(), 100), 1.008e-5);
    close(error_f(&Dmv8::default(), 80), 9.13e-8);
    close(error_f(&Dmv10::default(), 80), 1.39e-10);
    let order = |s: &dyn Fn(u32) -> f64, n: u32| libm::log2(s(n) / s(2 * n));
    let found = [
        order(&|n| error_f(&Dmv4::default(), n), 160),
        order(&|n| error_f(&Dmv6::default(), n), 80),
        order(&|n| error_f(&Dmv8::default(), n), 60),
        order(&|n| error_f(&Dmv10::default(), n), 40),
    ];
    for (order, exact) in found.into_iter().zip([4.0, 6.0, 8.0, 10.0]) {
        assert!((order - exact).abs() < 0.5, "{found:?}");
    }
}

/// Makes a step of the Lie group variational integrator in Cayley form (Lee, Leok & McClamroch), any tensor:
/// `p + p × f + (p·f) f = 2 J f`, `p = h (Π + (h/2) T)`, `F = (I − f̂)⁻¹ (I + f̂)`.
fn lgvi<T: Torque>(top: &RigidTop<T>, h: f64, n: u32) -> (Mat3, Vec3) {
    let y = top.initial();
    let j = top.inertia().tensor();
    let (mut att, mut pi) = (y.att, j * y.omega);
    let mut torque = top.torque_body(0.0, &att);
    for k in 0..n {
        let p = (pi + torque * (0.5 * h)) * h;
        let mut f = top.inertia().solve(&p) * 0.5;
        for _ in 0..12 {
            let r = p + p.cross(&f) + f * p.dot(&f) - j * f * 2.0;
            let slope = so3::hat(&p) + Mat3::identity() * p.dot(&f) + f * p.transpose() - j * 2.0;
            f -= slope.try_inverse().unwrap() * r;
        }
        let turn = so3::cayley(&(f * 2.0));
        att *= turn;
        let next = top.torque_body(f64::from(k + 1) * h, &att);
        pi = turn.tr_mul(&(pi + torque * (0.5 * h))) + next * (0.5 * h);
        torque = next;
    }
    (att, pi)
}

#[test]
fn equals_the_variational_integrator_in_cayley_form() {
    let full = RigidTop::new(
        Inertia::new(Mat3::new(5.0, 0.3, -0.2, 0.3, 7.0, 0.4, -0.2, 0.4, 3.0)).unwrap(),
        Gravity::new(20.0, Vec3::new(0.2, -0.1, 0.5), Vec3::z()),
        RotState {
            att: so3::exp(&Vec3::new(0.3, -0.2, 0.5)),
            omega: Vec3::new(1.0, -2.0, 3.0),
        },
    );
    for (top, h) in [(testbed::body_a(), 0.05), (full, 0.02)] {
        // A rounding of the rate turns the body on over the steps that are left, in each of two programs.
        let turn = h * top.initial().omega.norm();
        let tol = 4.0 * f64::EPSILON * 200.0_f64.powf(1.5) * turn;
        let y = testbed::run(&Dmv::default(), &top, 200.0 * h, 200);
        let (att, pi) = lgvi(&top, h, 200);
        assert!((y.att - att).norm() < tol, "{}", (y.att - att).norm());
        assert!((top.inertia().times(&y.omega) - pi).norm() < 20.0 * tol);
    }
}

#[test]
fn failure_leaves_the_state_alone_and_nan_ends() {
    let top = testbed::body_a();
    for omega in [Vec3::new(300.0, -200.0, 500.0), Vec3::repeat(f64::NAN)] {
        let mut y = top.initial();
        y.omega = omega;
        let scheme = Dmv::default();
        let mut memory = Scheme::start(&scheme, &top, 0.0, 0.1, &mut y).unwrap();
        let before = y;
        let out = Scheme::step(&scheme, &top, 0.0, 0.1, &mut y, &mut memory);
        assert!(out.is_err(), "{out:?}");
        assert_eq!(y.att, before.att);
        assert!(y.omega == before.omega || omega.x.is_nan());
    }
}

/// Newton's matrix is exact: from a guess with an error of order |u|³ < 1e-4, squared at every
/// iteration, three are enough.
#[test]
fn newton_converges_quadratically() {
    let (u, g) = (Vec3::new(0.03, -0.02, 0.025), Vec3::new(0.4, -0.7, 0.3));
    let (c, iterations) = solve(&u, &g, 2e-16, 20).unwrap();
    assert!(iterations <= 3, "{iterations}");
    let products = Vec3::new(c.y * c.z, c.z * c.x, c.x * c.y);
    let residual = u * (1.0 + c.norm_squared()) + g.component_mul(&products) - c;
    assert!(residual.amax() < 1e-17);
}

/// Out of iterations, a residual of 1e-13 beside |u| is accepted as round-off and no larger one; small
/// and large steps leave residuals on both sides.
#[test]
fn a_step_out_of_iterations_is_accepted_at_round_off_only() {
    let g = Vec3::new(-1.0 / 3.0, 0.5, -0.2);
    let mut seen = [false; 3];
    for most in 1..=4 {
        for k in 1..=2000 {
            let u = Vec3::new(0.6, -0.64, 0.48) * (f64::from(k) * 2e-4);
            let beside = match solve(&u, &g, 1e-16, most) {
                Ok((c, _)) => {
                    let turned = Vec3::new(c.y * c.z, c.z * c.x, c.x * c.y);
                    let r = u * (1.0 + c.norm_squared()) + g.component_mul(&turned) - c;
                    assert!(r.amax() <= 1e-13 * u.amax(), "{most} {k}: {r}");
                    r.amax() / u.amax()
                }
                Err(StepFail::NewtonStalled { residual, .. }) => {
                    assert!(residual > 1e-13 * u.amax(), "{most} {k}: {residual:e}");
                    residual / u.amax()
                }
                Err(fail) => panic!("{most} {k}: {fail}"),
            };
            seen[0] |= beside > 1e-14 && beside <= 1e-13;
            seen[1] |= beside > 1e-13 && beside <= 1e-12;
            seen[2] |= beside > 1e-12;
        }
    }
    assert_eq!(seen, [true; 3]);
}

#[test]
fn parameters_are_used_and_as_documented() {
    let plain = Dmv::default();
    assert_eq!((plain.tolerance, plain.max_iterations), (2e-16, 20));
    let top = testbed::body_a();
    let iterations = |tolerance, max_iterations| {
        let scheme = Dmv {
            tolerance,
            max_iterations,
        };
        let mut y = top.initial();
        let mut memory = Scheme::start(&scheme, &top, 0.0, 0.2, &mut y).unwrap();
        Scheme::step(&scheme, &top, 0.0, 0.2, &mut y, &mut memory).map(|e| e.iterations)
    };
    let few = iterations(1e-3, 20).unwrap();
    assert!(few < iterations(2e-16, 20).unwrap());
    assert!(iterations(2e-16, 1).is_err());
}

/// `hΠ = 2 (J c + c × J c)/(1 + |c|²)` stays below `2 max J`: from there on no step exists, and the
/// solver finds none.
#[test]
fn a_step_whose_equation_has_no_solution_is_refused() {
    let inertia = Inertia::diagonal(Vec3::new(1.0, 1.5, 2.0)).unwrap();
    for omega in [Vec3::z(), Vec3::x() * 3.0, Vec3::new(0.4, -1.0, 2.0)] {
        let least = 4.0 / inertia.times(&omega).norm();
        let covers = |h| RotationScheme::covers(&Dmv::default(), &inertia, &omega, h).is_ok();
        assert!(covers(0.999 * least) && !covers(1.001 * least));
        let att = Mat3::identity();
        let top = RigidTop::new(inertia.clone(), NoTorque, RotState { att, omega });
        let mut y = top.initial();
        let (scheme, h) = (Dmv::default(), 1.001 * least);
        let mut memory = Scheme::start(&scheme, &top, 0.0, h, &mut y).unwrap();
        assert!(Scheme::step(&scheme, &top, 0.0, h, &mut y, &mut memory).is_err());
    }
}
