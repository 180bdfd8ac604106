//! Reference rows of the published top compared with the closed form, and the numerical reference with the
//! closed form.

use super::*;
use crate::math::{Mat3, Vec3, so3};
use crate::models::testbed::published::ROWS;
use crate::models::{Model, bodies};
use crate::reference::{NoClosedForm, Numerical, ReferenceError, free_body, lagrange_top};

fn vector(row: &[f64], columns: &crate::models::Columns, group: &str) -> Vec3 {
    let g = columns.group(group).unwrap();
    Vec3::from_fn(|i, _| row[g.channels[i]])
}

fn judge(jointed: &JointedBody, reference: &dyn RowReference) {
    let columns = jointed.columns();
    let mut row = vec![0.0; columns.width()];
    for (t, q, x, omega, force) in ROWS {
        reference.row(t, &mut row);
        let att = Mat3::from_row_slice(&row[..9]);
        // The table has fourteen digits of each vector's largest component.
        let digits = |v: f64| 2e-14 * v;
        let angle = so3::angle_between(&att, &so3::matrix_from_quat(&q));
        let about = |group: &str| reference.error(t, group);
        assert!(angle <= about("attitude") + digits(2.0), "{t}: {angle:e}");
        for (group, exact) in [("position", x), ("omega", omega), ("force", force)] {
            let exact = Vec3::from(exact);
            let error = (vector(&row, &columns, group) - exact).norm();
            // The rows were computed from decimal inputs that are not representable as doubles.
            let quantity = columns.quantity(group).unwrap();
            let start = reference.start_floor(t, quantity).unwrap_or(0.0);
            let allowed = about(group) + start + digits(2.0 * exact.amax());
            assert!(error <= allowed, "{t} {group}: {error:e}, {allowed:e}");
            // The bound must be sharp: round-off grows with the angle, 150 rad/s for 2 s.
            assert!(
                about(group) <= 1e-9 * exact.norm(),
                "{t} {group}: {:e}",
                about(group)
            );
        }
        let momentum = reference.error(t, "pi");
        assert!(momentum > 0.0 && momentum < 1e-9);
        assert_eq!(about("phi"), 0.0);
        assert_eq!(about("lambda"), f64::INFINITY);
    }
}

#[test]
fn closed_form_gives_the_published_rows() {
    let jointed = bodies::jointed_heavy_top();
    let reference = lagrange_top(&Model::Jointed(jointed.clone()), 0.0).unwrap();
    assert!(reference.provenance().contains("force of the joint"));
    judge(&jointed, &*reference);
}

#[test]
fn numerical_reference_gives_the_published_rows() {
    let jointed = bodies::jointed_heavy_top();
    let solution = Numerical::new(jointed.top().clone(), 0.0, 2.0).unwrap();
    judge(&jointed, &*bind_jointed(&jointed, 0.0, solution));
}

/// F and ẋ of a reference without any symmetry must be the derivatives of its other columns.
#[test]
fn columns_of_a_driven_body_satisfy_its_equations() {
    for jointed in [bodies::driven_a(), bodies::thrown_a()] {
        let solution = Numerical::new(jointed.top().clone(), 0.5, 2.0).unwrap();
        let reference = bind_jointed(&jointed, 0.5, solution);
        let columns = jointed.columns();
        let at = |t: f64, group: &str| {
            let mut row = vec![0.0; columns.width()];
            reference.row(t, &mut row);
            vector(&row, &columns, group)
        };
        let (t, e) = (1.3, 1e-4);
        let slope = |group: &str| (at(t + e, group) - at(t - e, group)) / (2.0 * e);
        // The error of the central difference is e² times the third derivative.
        assert!((slope("position") - at(t, "velocity")).norm() < 1e-6);
        let force = slope("velocity") * jointed.mass() - jointed.load();
        assert!((force - at(t, "force")).norm() < 1e-6);
        assert!(reference.error(t, "force") < 1e-11);
        assert!(reference.error(t, "position") < 1e-12);
    }
}

#[test]
fn closed_forms_refuse_other_problems() {
    let refused = |jointed: JointedBody| {
        lagrange_top(&Model::Jointed(jointed), 0.0)
            .map(|_| ())
            .unwrap_err()
    };
    assert!(matches!(
        refused(bodies::jointed_a()),
        NoClosedForm::Numbers(ReferenceError::NotAxisymmetric { .. })
    ));
    assert_eq!(refused(bodies::driven_a()), NoClosedForm::NotUniformGravity);
    let free = free_body(&Model::Jointed(bodies::jointed_heavy_top()), 0.0).map(|_| ());
    assert_eq!(free, Err(NoClosedForm::NotFree));
}
