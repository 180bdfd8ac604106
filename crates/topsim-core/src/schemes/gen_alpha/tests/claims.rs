//! Claims, judged on a jointed body without any symmetry: true where made and false where not.

use super::run;
use crate::math::Vec3;
use crate::models::InitialValueProblem;
use crate::models::{JointedBody, JointedState, bodies};
use crate::schemes::testbed::claims;
use crate::schemes::testbed::jointed::{energy_trend, order_of};
use crate::schemes::{Described, Formulation, GenAlpha, Index, Scheme, StartRule, steps};

/// Returns all formulations at both indices.
fn variants() -> impl Iterator<Item = GenAlpha> {
    let indices = [Index::Three, Index::Two];
    [Formulation::Inertial, Formulation::R3xso3, Formulation::Se3]
        .into_iter()
        .flat_map(move |formulation| {
            indices.map(|index| GenAlpha {
                formulation,
                index,
                ..GenAlpha::default()
            })
        })
}

#[test]
fn every_formulation_is_as_claimed() {
    for scheme in variants() {
        println!("{scheme:?}");
        claims::constrained_motion(&scheme, &GenAlpha::INFO, &claims::Numbers::default());
        // The order is that of the force too, once the start is forgotten: index 2 and SE(3) have little to forget.
        if scheme.index == Index::Two || scheme.formulation == Formulation::Se3 {
            let force = |y: &JointedState, z: &JointedState| (y.joint_force - z.joint_force).norm();
            let order = order_of(&scheme, &bodies::jointed_a(), 100, force);
            let off = order - f64::from(GenAlpha::INFO.claims.order);
            assert!(off.abs() < 0.05, "force {order}");
        }
    }
}

/// The published top loses energy, at a rate of h³ too. Over two seconds the swing of order h² hides it.
#[test]
fn energy_of_the_published_top_falls() {
    let trend = |h| energy_trend(&GenAlpha::default(), &bodies::jointed_heavy_top(), h, 400.0).0;
    let (coarse, fine) = (trend(4e-3), trend(2e-3));
    assert!(coarse < 0.0 && fine < 0.0, "{coarse:e} {fine:e}");
    let power = libm::log2(coarse / fine);
    assert!((power - 3.0).abs() < 0.3, "{power}");
}

/// The position constraint holds to rounding in all; the velocity constraint in SE(3), whose B is
/// constant, and at index 2; elsewhere it is an error of the scheme.
#[test]
fn constraints_hold_where_they_should() {
    for scheme in variants() {
        let jointed = bodies::jointed_heavy_top();
        let (y, _) = run(&scheme, &jointed, 1e-3, 2000).unwrap();
        let (phi, phi_dot) = jointed.constraint(&y);
        // The bound is the rounding of x and R over 2000 steps, and γ' = 2000/s times a few of them.
        assert!(phi.norm() < 2e-14, "{scheme:?}: {:e}", phi.norm());
        let kept = scheme.formulation == Formulation::Se3 || scheme.index == Index::Two;
        let speed = phi_dot.norm();
        assert_eq!(speed < 1e-11, kept, "{scheme:?}: {speed:e}");
        assert!(kept || speed > 1e-3, "{scheme:?}: {speed:e}");
    }
}

#[test]
fn a_state_has_the_iterations_of_its_step() {
    for scheme in variants() {
        let jointed = bodies::jointed_a();
        let mut y = jointed.initial();
        let work = steps::advance(&scheme, &jointed, (0.0, 0.02, 3), &mut y, &|| true).unwrap();
        assert_eq!(work.iterations, y.iterations);
    }
}

/// A perturbed start changes v by terms of h² and leaves a consistent one to the limit.
#[test]
fn the_perturbed_start_tends_to_the_consistent_one() {
    let moved = |formulation, h: f64, jointed: &JointedBody| {
        let scheme = GenAlpha {
            formulation,
            start: StartRule::Perturbed,
            ..GenAlpha::default()
        };
        let mut y = jointed.initial();
        Scheme::start(&scheme, jointed, 0.0, h, &mut y).unwrap();
        let start = jointed.initial();
        (y.velocity - start.velocity).norm() + (y.rotation.omega - start.rotation.omega).norm()
    };
    let jointed = bodies::jointed_a();
    for formulation in [Formulation::Inertial, Formulation::R3xso3] {
        let (a, b) = (
            moved(formulation, 1e-2, &jointed),
            moved(formulation, 5e-3, &jointed),
        );
        assert!(
            a > 1e-6 && (libm::log2(a / b) - 2.0).abs() < 1e-6,
            "{a:e}, {b:e}"
        );
    }
    // B ℓ vanishes in SE(3) but for the bracket, and there is nothing to project without a joint.
    assert_eq!(moved(Formulation::Inertial, 1e-2, &bodies::thrown_a()), 0.0);
}

/// A step no solver can make is refused and leaves the state alone.
#[test]
fn impossible_steps_fail_and_leave_the_state_alone() {
    let jointed = bodies::jointed_a();
    for scheme in variants() {
        for factor in [1e200, f64::NAN] {
            let mut y = jointed.initial();
            let mut m = scheme.start(&jointed, 0.0, 0.1, &mut y).unwrap();
            y.position *= factor;
            let before = y;
            assert!(scheme.step(&jointed, 0.0, 0.1, &mut y, &mut m).is_err());
            assert!(y == before || factor.is_nan());
        }
    }
}

/// Turning space and everything in it turns the motion.
#[test]
fn space_has_no_preferred_direction() {
    let q = crate::math::so3::exp(&Vec3::new(0.7, -0.4, 1.1));
    for scheme in variants() {
        let (a, b) = (bodies::driven_a(), bodies::driven_turned(&q));
        let (y, _) = run(&scheme, &a, 0.02, 50).unwrap();
        let (z, _) = run(&scheme, &b, 0.02, 50).unwrap();
        assert!((q * y.position - z.position).norm() < 1e-11);
        assert!((q * y.rotation.att - z.rotation.att).norm() < 1e-11);
        // λ is known to m |x_r| β' ε ≈ 1e-11 N.
        assert!((q * y.joint_force - z.joint_force).norm() < 1e-8);
    }
}
