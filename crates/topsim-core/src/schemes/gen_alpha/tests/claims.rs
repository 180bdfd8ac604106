//! Claims, judged on a jointed body without any symmetry: true where made and false where not.

use super::run;
use crate::math::Vec3;
use crate::models::InitialValueProblem;
use crate::models::{JointedBody, JointedState, bodies};
use crate::schemes::Energy;
use crate::schemes::testbed::jointed::{
    distance, energy_trend, irreversibility, order_of, symplectic_defect, vertical_drift,
};
use crate::schemes::{Described, Formulation, GenAlpha, Index, Scheme, StartRule, probe};

/// All formulations at both indices.
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
fn order_is_two_in_every_formulation() {
    let claimed = f64::from(GenAlpha::INFO.claims.order);
    for scheme in variants() {
        for jointed in [bodies::jointed_a(), bodies::driven_a(), bodies::thrown_a()] {
            let order = order_of(&scheme, &jointed, 100, distance);
            assert!((order - claimed).abs() < 0.05, "{scheme:?}: {order}");
        }
        // Of the force too, once the start is forgotten: index 2 and SE(3) have little to forget.
        if scheme.index == Index::Two || scheme.formulation == Formulation::Se3 {
            let force = |y: &JointedState, z: &JointedState| (y.joint_force - z.joint_force).norm();
            let order = order_of(&scheme, &bodies::jointed_a(), 100, force);
            assert!((order - claimed).abs() < 0.05, "{scheme:?}: force {order}");
        }
    }
}

#[test]
fn what_is_not_claimed_is_not_so() {
    let claims = GenAlpha::INFO.claims;
    assert!(!claims.reversible && !claims.symplectic);
    for scheme in variants() {
        let jointed = bodies::jointed_a();
        let back = irreversibility(&scheme, &jointed);
        assert!(back > 1e-6, "{scheme:?}: {back:e}");
        let defect = symplectic_defect(&scheme, &jointed);
        assert!(defect > 1e-6, "{scheme:?}: {defect:e}");
        let vertical = vertical_drift(&scheme, &jointed);
        assert!(vertical.abs() > 1e-6, "{scheme:?}: {vertical:e}");
    }
}

/// A free body gains energy like h³, as claimed. The means of the first and the last of four long parts are compared,
/// so that the swing of order h² does not count.
#[test]
fn energy_of_a_free_body_rises_like_the_third_power_of_the_step() {
    assert_eq!(GenAlpha::INFO.claims.energy, Energy::Gains(3));
    let trend = |h| energy_trend(&GenAlpha::default(), &bodies::floating_f(), h, 2000.0).0;
    let (coarse, fine) = (trend(0.1), trend(0.05));
    assert!(coarse > 0.0 && fine > 0.0, "{coarse:e} {fine:e}");
    let power = libm::log2(coarse / fine);
    assert!((power - 3.0).abs() < 0.2, "{power}");
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
        // Rounding of x and R gathered over 2000 steps, and γ' = 2000/s times a few of them.
        assert!(phi.norm() < 2e-14, "{scheme:?}: {:e}", phi.norm());
        let kept = scheme.formulation == Formulation::Se3 || scheme.index == Index::Two;
        let speed = phi_dot.norm();
        assert_eq!(speed < 1e-11, kept, "{scheme:?}: {speed:e}");
        assert!(kept || speed > 1e-3, "{scheme:?}: {speed:e}");
    }
}

/// Effort as claimed: one evaluation of the forces in each iteration.
#[test]
fn effort_agrees_with_the_claim() {
    for scheme in variants() {
        let jointed = bodies::jointed_a();
        let mut y = jointed.initial();
        let work = probe::advance(&scheme, &jointed, (0.0, 0.02, 3), &mut y, &|| true).unwrap();
        assert!(GenAlpha::INFO.claims.torque_evaluations.agree(&work));
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
