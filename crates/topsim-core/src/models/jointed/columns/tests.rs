//! Columns, energy and momentum of the published top, and invalid descriptions.

use super::*;
use crate::models::{
    Inertia, InitialValueProblem, JointedError, JointedParts, RotState, Support, bodies,
    jointed::GivenStart,
};

#[test]
fn columns_groups_and_the_tracked_range_fit_each_other() {
    let all = bodies::jointed_a().columns();
    let name = |i: usize| &*all.channels[i].name;
    assert_eq!(name(all.tracked.start), "W1");
    assert_eq!(name(all.tracked.end - 1), "iterations");
    let names = |group: &str| {
        let group = all.group(group).unwrap();
        group.channels.iter().map(|&i| name(i)).collect::<Vec<_>>()
    };
    assert_eq!(names("omega"), ["omega_x", "omega_y", "omega_z"]);
    assert_eq!(names("position"), ["x", "y", "z"]);
    assert_eq!(names("velocity"), ["vx", "vy", "vz"]);
    assert_eq!(names("force"), ["Fx", "Fy", "Fz"]);
    assert_eq!(names("lambda"), ["lambda_1", "lambda_2", "lambda_3"]);
    assert_eq!(name(all.width() - 1), "lambda_6");
}

/// E0 and L_z of the published top, computed independently of this code; both formulations of the body measure
/// the same.
#[test]
fn energy_and_momentum_of_the_published_top() {
    let jointed = bodies::jointed_heavy_top();
    let y = jointed.initial();
    assert!((jointed.energy(&y) - 5_435.696_790_865_546_875).abs() < 2e-12);
    assert!((jointed.momentum_space(&y).z + 70.312_429_687_5).abs() < 1e-13);
    assert_eq!(y.velocity, Vec3::new(4.61538, 0.0, 0.0));
    for jointed in [
        bodies::jointed_heavy_top(),
        bodies::jointed_a(),
        bodies::driven_a(),
    ] {
        let y = jointed.initial();
        let top = jointed.top();
        assert!((jointed.energy(&y) - top.energy(&y.rotation)).abs() < 1e-12 * jointed.energy(&y));
        let pi = top.momentum_space(&y.rotation);
        assert!((jointed.momentum_space(&y) - pi).norm() < 1e-14 * pi.norm());
        let (phi, phi_dot) = jointed.constraint(&y);
        assert_eq!((phi.norm(), phi_dot.norm()), (0.0, 0.0));
    }
}

#[test]
fn a_row_holds_what_its_columns_say() {
    let jointed = bodies::thrown_a();
    let mut y = jointed.initial();
    y.multipliers = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    y.iterations = 7;
    let all = jointed.columns();
    let mut row = vec![f64::NAN; all.width()];
    jointed.measure(0.0, &y, &mut row);
    let at = |name: &str| row[all.position(name).unwrap()];
    assert_eq!([at("x"), at("y"), at("z")], [0.4, -0.3, 1.0]);
    assert_eq!([at("vx"), at("vy"), at("vz")], [0.2, 1.0, 0.5]);
    assert_eq!((at("lambda_1"), at("lambda_6")), (1.0, 6.0));
    assert_eq!((at("iterations"), at("Fx"), at("phi")), (7.0, 0.0, 0.0));
    assert!(row.iter().all(|x| x.is_finite()));
}

#[test]
fn impossible_bodies_are_refused_with_their_numbers() {
    let inertia = |a, b, c| Inertia::diagonal(Vec3::new(a, b, c)).unwrap();
    let good = JointedParts::new(
        2.0,
        inertia(1.0, 1.0, 1.5),
        Support::Joint { lever: Vec3::x() },
        Vec3::zeros(),
        RotState {
            att: crate::math::Mat3::identity(),
            omega: Vec3::x(),
        },
    );
    let with = |change: &dyn Fn(&mut JointedParts)| {
        let mut parts = good.clone();
        change(&mut parts);
        JointedBody::new(parts).map(|_| ())
    };
    assert_eq!(with(&|_| {}), Ok(()));
    assert_eq!(with(&|p| p.mass = -1.0), Err(JointedError::Mass(-1.0)));
    assert!(matches!(
        with(&|p| p.mass = f64::NAN),
        Err(JointedError::NotFinite {
            what: "the mass",
            ..
        })
    ));
    assert!(matches!(
        with(&|p| p.inertia = inertia(1.0, 1.0, 2.5)),
        Err(JointedError::Triangle { excess, .. }) if (excess - 0.5).abs() < 1e-12
    ));
    let no_lever = Support::Joint {
        lever: Vec3::zeros(),
    };
    assert_eq!(with(&|p| p.support = no_lever), Err(JointedError::NoLever));
    assert!(matches!(
        with(&|p| {
            let mut rotation = *p.rotation;
            rotation.att[(0, 0)] = 1.1;
            p.rotation = rotation.into();
        }),
        Err(JointedError::NotRotation(_))
    ));
    let given = GivenStart {
        acceleration: Some(Vec3::new(0.0, f64::INFINITY, 0.0)),
        ..GivenStart::default()
    };
    assert!(matches!(
        with(&|p| p.given = Some(given)),
        Err(JointedError::NotFinite { .. })
    ));
}
