//! Snapshot of the stated errors of the closed forms. They decide which verdicts are given, so any change of
//! them must be visible.

use super::{FreeBody, LagrangeTop, RefError};
use crate::math::{Mat3, Vec3, so3};
use std::fmt::Write;

fn diagonal(moments: [f64; 3]) -> Mat3 {
    Mat3::from_diagonal(&Vec3::from(moments))
}

/// Returns a tensor in axes rotated against the principal ones, and the rotation of the rates.
fn turned(moments: [f64; 3]) -> (Mat3, Mat3) {
    let q = so3::exp(&Vec3::new(0.7, -0.4, 1.1));
    let j = q * diagonal(moments) * q.transpose();
    ((j + j.transpose()) * 0.5, q)
}

fn show(out: &mut String, name: &str, error: impl Fn(f64) -> RefError) {
    write!(out, "{name:30}").unwrap();
    for t in [0.0, -1.0, 30.0, 1e18] {
        let e = error(t);
        write!(out, " | {:.4e} {:.4e}", e.attitude, e.rate).unwrap();
    }
    out.push('\n');
}

/// Regression test: the independent tables and the property tests show that the stated errors are bounds, this
/// test only that they have not changed. Attitude (rad) and rate (rad/s) at t = 0, −1, 30, 1e18.
#[test]
fn stated_errors_change_only_on_purpose() {
    let mut out = String::new();
    let id = Mat3::identity();
    let moments = [3.0, 4.0, 6.0];
    for (name, moments, w) in [
        ("spin, intermediate axis", moments, [0.0, 3.0, 0.0]),
        ("spin, first axis", moments, [-3.0, 0.0, 0.0]),
        ("sphere", [2.0; 3], [1.0, 2.0, 3.0]),
        ("symmetric", [2.0, 2.0, 0.5], [1.0, 0.7, 2.0]),
        ("on the separatrix", moments, [2.0, 1.0, 1.0]),
        ("next to it", moments, [2.000_001, 1.0, 1.0]),
        ("closer", moments, [1e-7, 3.0, 1e-7]),
        ("far inside", moments, [0.5, 1.0, -2.0]),
        ("far outside", moments, [2.0, -0.5, 0.25]),
        ("tiny and fast", [3e-9, 4e-9, 6e-9], [5e5, 1e5, 2e5]),
    ] {
        let w = Vec3::from(w);
        let body = FreeBody::new(&diagonal(moments), &id, &w).unwrap();
        show(&mut out, name, |t| body.error(t));
        let (j, q) = turned(moments);
        let body = FreeBody::new(&j, &id, &(q * w)).unwrap();
        show(&mut out, "  turned", |t| body.error(t));
    }
    let upright = Mat3::identity();
    let hanging = Mat3::new(1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0);
    let leaning = so3::exp(&Vec3::new(0.9, 0.3, 0.0));
    let nearly = so3::exp(&Vec3::new(1e-6, 0.0, 0.0));
    // The body is as far from symmetric as rounding allows.
    let skew = [2.0, 2.0 * (1.0 + 4e-14), 0.5];
    let plain = [2.0, 2.0, 0.5];
    // In doubles, half of the trace minus the third moment is not the first moment; the body is symmetric all
    // the same.
    let rounded = [0.1, 0.1, 0.7];
    for (name, moments, att, w) in [
        ("upright, slow", plain, upright, [0.0, 0.0, 2.0]),
        ("upright, fast", plain, upright, [0.0, 0.0, 50.0]),
        (
            "upright, slow, not symmetric",
            skew,
            upright,
            [0.0, 0.0, 2.0],
        ),
        (
            "upright, fast, not symmetric",
            skew,
            upright,
            [0.0, 0.0, 50.0],
        ),
        ("upright, slow, rounded", rounded, upright, [0.0, 0.0, 2.0]),
        ("hanging, not symmetric", skew, hanging, [0.0, 0.0, 2.0]),
        ("leaning, at rest", plain, leaning, [0.0; 3]),
        ("leaning", plain, leaning, [0.3, -0.4, 5.0]),
        ("leaning, not symmetric", skew, leaning, [0.3, -0.4, 5.0]),
        ("through the top", plain, upright, [0.7, 0.2, 1.0]),
        ("upright, nudged", plain, upright, [1e-6, 0.0, 3.0]),
        ("asleep", plain, nearly, [1e-6, 0.0, 3.0]),
        ("asleep, turning", plain, nearly, [-1e-6, 2e-7, -3.0]),
        ("asleep, no spin", plain, nearly, [0.0, 3e-7, 0.0]),
        ("asleep, not symmetric", skew, nearly, [1e-6, 0.0, 3.0]),
    ] {
        let (z, w) = (Vec3::z(), Vec3::from(w));
        let top = LagrangeTop::new(&diagonal(moments), 10.0, &(z * 0.5), &z, &att, &w).unwrap();
        show(&mut out, name, |t| top.error(t));
    }
    insta::assert_snapshot!(out);
}
