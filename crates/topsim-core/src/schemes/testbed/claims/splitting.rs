//! Judging a splitting scheme, on systems without any symmetry to hide behind.

use super::Numbers;
use crate::math::Vec3;
use crate::models::reduced::tests::{dipoles, lagrange, levitron};
use crate::models::reduced::{Axial, ReducedDamping, ReducedSystem, Uniform};
use crate::models::{InitialValueProblem, Measured};
use crate::schemes::poisson::tests::{distance, end, order};
use crate::schemes::testbed::{symplectic_defect, there_and_back};
use crate::schemes::{Energy, Momentum, SchemeInfo, Splitting, steps};

/// Asserts all that the description of a splitting scheme claims, true where claimed and false where not.
pub(crate) fn splitting(scheme: &impl Splitting, info: &SchemeInfo, _: &Numbers) {
    let claims = info.claims;
    let (three, five) = (dipoles(3), dipoles(5));
    let found = order(scheme, &five);
    // Order 8 meets round-off before it is within the twentieth.
    let allowed = if claims.order == 8 { 0.1 } else { 0.05 };
    let off = found - f64::from(claims.order);
    assert!(off.abs() < allowed, "order {found}");

    let back = there_and_back(scheme, &three, 0.02, 50);
    let moved = distance(&three.initial(), &back);
    assert_eq!(moved < 1e-12, claims.reversible, "irreversibility {moved}");
    assert!(claims.reversible || moved > 1e-5, "irreversibility {moved}");

    for (defect, noise) in [
        (symplectic_defect(scheme, &lagrange(), 0.2), 1e-11),
        (symplectic_defect(scheme, &dipoles(2), 0.05), 1e-10),
        (symplectic_defect(scheme, &levitron(), 0.002), 1e-10),
    ] {
        assert_eq!(defect < noise, claims.symplectic, "symplectic {defect}");
    }

    let mut y = three.initial();
    let effort = steps::advance(scheme, &three, (0.0, 0.02, 3), &mut y, &|| true).unwrap();
    assert!(claims.torque_evaluations.agree(&effort), "{effort:?}");
    casimirs_and_momenta(scheme);
    free_body(scheme, info);
}

/// A step is a Poisson map: Casimirs and the momenta of the symmetries are kept to rounding.
fn casimirs_and_momenta(scheme: &impl Splitting) {
    let five = dipoles(5);
    let columns = five.columns();
    let row = |y: &Vec<Axial>| {
        let mut row = vec![f64::NAN; columns.width()];
        five.measure(0.0, y, &mut row);
        row
    };
    let first = row(&five.initial());
    let last = row(&end(scheme, &five, (0.01, 1000)));
    for name in ["C1", "C2", "j", "p"] {
        for &c in &columns.group(name).unwrap().channels {
            let change = (last[c] - first[c]).abs();
            // A walk of a few thousand roundings of numbers of order ten.
            let column = &columns.channels[c].name;
            assert!(change < 3e-13, "{column}: {change}");
        }
    }
}

/// Energy and momentum of the top without its field.
fn free_body(scheme: &impl Splitting, info: &SchemeInfo) {
    let top = lagrange();
    let field = Vec3::zeros();
    let damping = ReducedDamping::default();
    let free = ReducedSystem::new(top.bodies(), Uniform { field }, damping, &top.initial());
    let start = free.initial()[0];
    let [last] = end(scheme, &free, (0.1, 100));
    let momentum = (last.momentum - start.momentum).norm();
    let exact = info.claims.momentum == Momentum::Exact;
    assert_eq!(momentum < 1e-12, exact, "momentum {momentum}");
    let energy = free.energy(&[last]) - free.energy(&[start]);
    let exact = info.claims.energy == Energy::Exact;
    assert_eq!(energy.abs() < 1e-12, exact, "energy {energy}");
}
