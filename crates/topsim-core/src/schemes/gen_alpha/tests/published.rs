//! Values asserted by Kynema's regression tests, and failures measured by an independent program.

use super::{from_final_state, run};
use crate::math::{Vec3, so3};
use crate::models::bodies;
use crate::schemes::{
    ConstraintStiffness, GenAlpha, Index, NotCovered, Note, Scheme, StartRule, StepFail, WayOut,
};

/// Tolerances of `HeavyTopTest.FinalState`, and Kynema's Newton matrix.
fn kynema() -> GenAlpha {
    GenAlpha {
        max_iterations: 10,
        atol: 1e-5,
        rtol: 1e-3,
        constraint_stiffness: ConstraintStiffness::Omitted,
        ..GenAlpha::default()
    }
}

/// Asserted to 1e-10 in Kynema.
#[test]
fn final_state_of_the_heavy_top() {
    let jointed = bodies::jointed_heavy_top();
    let (y, iterations) = run(&kynema(), &jointed, 0.002, 400).unwrap();
    let (u, angle) = from_final_state(&y.position, &y.rotation.att);
    assert!(u < 1e-10 && angle < 1e-10, "{u:e} m, {angle:e} rad");
    assert_eq!(iterations, 3.0);
    // With Newton's method at its end the values agree to rounding: 400 steps of 0.3 rad.
    let tight = GenAlpha {
        atol: 1e-14,
        rtol: 1e-14,
        ..GenAlpha::default()
    };
    let (y, _) = run(&tight, &jointed, 0.002, 400).unwrap();
    let (u, angle) = from_final_state(&y.position, &y.rotation.att);
    assert!(u < 1e-13 && angle < 1e-12, "{u:e} m, {angle:e} rad");
    // λ of the joint and of its own node are the same, and minus the force.
    let [a, b, c, d, e, f] = y.multipliers;
    assert_eq!(
        ([a, b, c], Vec3::new(-a, -b, -c)),
        ([d, e, f], y.joint_force)
    );
}

/// `Dynamic_HeavyTopSpinningUnderGravity`, from accelerations that are wrong: asserted to 5e-4.
#[test]
fn heavy_top_spinning_under_gravity() {
    let scheme = GenAlpha {
        start: StartRule::AsGiven,
        atol: 1e-7,
        rtol: 1e-6,
        ..kynema()
    };
    let jointed = bodies::published_start();
    let (y, _) = run(&scheme, &jointed, 2e-4, 10_000).unwrap();
    let u = Vec3::new(-0.150416985652933, -1.724164450779749, -0.673023460701136);
    assert!((y.position - Vec3::y() - u).amax() < 5e-4);
    // Relative errors of u₃ from that start and from a consistent one, by an independent program; three digits,
    // one unit of the last.
    let exact = -0.673_022_269_560_44;
    let published = [
        (0.01, 0.298, 0.288),
        (0.001, 4.14e-3, 3.20e-3),
        (0.0005, 1.256e-3, 8.01e-4),
    ];
    let top = bodies::jointed_heavy_top();
    let mut found = Vec::new();
    for (h, given, consistent) in published {
        let n = libm::round(2.0 / h) as u32;
        let as_given = GenAlpha {
            start: StartRule::AsGiven,
            ..GenAlpha::default()
        };
        let error = |scheme: &GenAlpha, jointed| {
            let (y, _) = run(scheme, jointed, h, n).unwrap();
            (y.position.z / exact - 1.0).abs()
        };
        let pair = [
            error(&as_given, &jointed),
            error(&GenAlpha::default(), &top),
        ];
        assert!((pair[0] / given - 1.0).abs() < 0.005, "{h}: {pair:?}");
        assert!((pair[1] / consistent - 1.0).abs() < 0.005, "{h}: {pair:?}");
        found.push(pair);
    }
    let order = |k: usize| libm::log2(found[1][k] / found[2][k]);
    assert!(
        order(0) < 1.8 && (order(1) - 2.0).abs() < 0.05,
        "{}, {}",
        order(0),
        order(1)
    );
}

/// `MassesTest.ExternalForce`: the deficits h/2 times the missing accelerations are those of the start.
#[test]
fn a_free_mass_pushed_from_wrong_accelerations() {
    let scheme = GenAlpha {
        rho_inf: 0.0,
        start: StartRule::AsGiven,
        ..GenAlpha::default()
    };
    let jointed = bodies::pushed_mass();
    let (y, _) = run(&scheme, &jointed, 1e-3, 1000).unwrap();
    // The bound is the rounding of a thousand additions.
    assert!((y.velocity - Vec3::new(4.9975, 0.0, 0.0)).amax() < 1e-12);
    let omega = y.rotation.att * y.rotation.omega;
    assert!((omega - Vec3::new(0.0, 2.9985, 0.0)).amax() < 1e-12);
    let consistent = GenAlpha {
        start: StartRule::Consistent,
        ..scheme
    };
    let (y, _) = run(&consistent, &jointed, 1e-3, 1000).unwrap();
    assert!((y.velocity - Vec3::new(5.0, 0.0, 0.0)).amax() < 1e-12);
}

/// Kynema's precession test after 500 steps of 0.01, without damping.
#[test]
fn precession_from_wrong_accelerations() {
    let jointed = bodies::precessing_mass();
    let q = so3::matrix_from_quat(&[
        -0.63053045128590757,
        0.60556039120583116,
        -0.30157681970585326,
        -0.38049886257377241,
    ]);
    let exact = so3::matrix_from_quat(&[
        -0.63051414583893,
        0.60480498494019,
        -0.303124239057294,
        -0.3804977500386,
    ]);
    let published = GenAlpha {
        rho_inf: 1.0,
        start: StartRule::AsGiven,
        ..kynema()
    };
    let angle = |scheme: &GenAlpha, r| {
        let (y, _) = run(scheme, &jointed, 0.01, 500).unwrap();
        so3::angle_between(&y.rotation.att, r)
    };
    let same = angle(&published, &q);
    assert!(same < 1e-13, "{same:e} rad");
    let off = angle(&published, &exact);
    assert!((off / 3.44e-3 - 1.0).abs() < 0.005, "{off:e} rad");
    let consistent = GenAlpha {
        start: StartRule::Consistent,
        ..published
    };
    let right = angle(&consistent, &exact);
    assert!(right < 1e-4, "{right:e} rad");
}

/// Newton iterations a step for h = 1e-3, with tolerances of 1e-10 and of 1e-7, 1e-6.
#[test]
fn the_right_stiffness_saves_an_iteration() {
    let jointed = bodies::jointed_heavy_top();
    let count = |stiffness, atol, rtol| {
        let scheme = GenAlpha {
            constraint_stiffness: stiffness,
            atol,
            rtol,
            ..GenAlpha::default()
        };
        run(&scheme, &jointed, 1e-3, 2000).unwrap().1
    };
    let tight = [
        ConstraintStiffness::Exact,
        ConstraintStiffness::Omitted,
        ConstraintStiffness::Page,
    ]
    .map(|s| count(s, 1e-10, 1e-10));
    // A second program found 3.06 and 4.06: its λ had to come below its rounding in some steps.
    assert_eq!(tight, [3.0, 4.0, 4.0]);
    assert_eq!(count(ConstraintStiffness::Exact, 1e-7, 1e-6), 3.0);
    assert_eq!(count(ConstraintStiffness::Omitted, 1e-7, 1e-6), 3.0);
}

/// ρ = 1 at index 3 is refused, runs if it must, and then fails at the step of an independent program, which
/// depends on Newton's matrix and tolerances: the error of λ grows until no step can be made.
#[test]
fn no_damping_at_index_three_fails_where_published() {
    let jointed = bodies::jointed_heavy_top();
    let refused = GenAlpha {
        rho_inf: 1.0,
        ..GenAlpha::default()
    };
    let why = refused.covers(&jointed, 0.004).unwrap_err();
    assert_eq!(why, NotCovered::UndampedMultipliers);
    assert!(why.to_string().contains("index = 2"), "{why}");
    let stabilised = GenAlpha {
        index: Index::Two,
        ..refused
    };
    assert_eq!(stabilised.covers(&jointed, 0.004), Ok(()));
    assert_eq!(refused.covers(&bodies::pushed_mass(), 0.004), Ok(()));
    let forced = GenAlpha {
        allow_unusable: true,
        max_iterations: 15,
        atol: 1e-7,
        rtol: 1e-6,
        constraint_stiffness: ConstraintStiffness::Omitted,
        ..refused
    };
    assert_eq!(forced.covers(&jointed, 0.004), Ok(()));
    assert_eq!(forced.notes(&jointed, 0.004).len(), 1);
    for (h, step) in [(0.004, 311), (0.002, 847)] {
        let (made, why) = run(&forced, &jointed, h, 1000).unwrap_err();
        // One step either way: what fails is amplified rounding.
        assert!((made + 1).abs_diff(step) <= 1, "{h}: after {made}");
        let StepFail::CorrectionTooLarge {
            norm,
            target,
            way_out,
            ..
        } = why
        else {
            panic!("{why}");
        };
        assert!(norm > target && way_out == WayOut::SpectralRadius);
        let told = why.to_string();
        assert!(
            told.contains("target 1") && told.contains("choose rho_inf < 1"),
            "{told}"
        );
    }
}

#[test]
fn the_given_start_is_reported_with_its_residual() {
    let scheme = GenAlpha {
        start: StartRule::AsGiven,
        ..GenAlpha::default()
    };
    let why = scheme
        .covers(&bodies::jointed_heavy_top(), 1e-3)
        .unwrap_err();
    assert_eq!(why, NotCovered::NothingGiven);
    let notes = scheme.notes(&bodies::published_start(), 2e-4);
    let notes: Vec<String> = notes.iter().map(Note::to_string).collect();
    assert_eq!(notes.len(), 2);
    assert!(notes[0].contains("off by 1353.65 rad/s²"), "{}", notes[0]);
    assert!(notes[1].contains("1.35e-1 rad/s"), "{}", notes[1]);
    assert!(
        GenAlpha::default()
            .notes(&bodies::published_start(), 2e-4)
            .is_empty()
    );
}
