//! SO(3) compared with closed forms and high-precision values.

use super::*;

fn vectors() -> Vec<Vec3> {
    let mut out = Vec::new();
    for scale in [1e-12, 1e-6, 1e-3, 0.1, 0.49, 0.5, 0.51, 1.0, 2.0, 3.0] {
        for d in [[1.0, 0.0, 0.0], [0.3, -0.5, 0.8], [-0.6, 0.7, -0.2]] {
            out.push(Vec3::from(d).normalize() * scale);
        }
    }
    out
}

#[test]
fn hat_and_vee_are_inverse_and_hat_is_the_cross_product() {
    let (v, w) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(-0.5, 4.0, 0.25));
    assert_eq!(hat(&v) * w, v.cross(&w));
    assert_eq!(vee(&hat(&v)), v);
}

#[test]
fn exp_is_a_rotation_by_the_right_angle_about_the_right_axis() {
    for v in vectors() {
        let r = exp(&v);
        assert!(orthogonality_defect(&r) < 2e-15, "{v}");
        assert!((r.determinant() - 1.0).abs() < 2e-15);
        assert!((r * v - v).norm() < 2e-15 * v.norm());
        assert!((angle_between(&Mat3::identity(), &r) - v.norm()).abs() < 1e-15 * v.norm() * 4.0);
    }
    // The sign convention: a quarter turn about e3 maps e1 to e2.
    let r = exp(&Vec3::new(0.0, 0.0, core::f64::consts::FRAC_PI_2));
    assert!((r * Vec3::x() - Vec3::y()).norm() < 1e-15);
}

#[test]
fn turning_is_the_product_with_exp() {
    let att = exp(&Vec3::new(0.4, -0.7, 0.2));
    let v = Vec3::new(-0.3, 0.8, 0.5);
    for psi in vectors() {
        let (a, b) = rodrigues(psi.norm_squared());
        let d = exp(&psi);
        assert!((turn(&att, &psi, a, b) - att * d).amax() < 1e-15, "{psi}");
        assert!((turn_back(&v, &psi, a, b) - d.transpose() * v).amax() < 1e-15);
    }
    assert!((to_body(&att, &v) - att.transpose() * v).amax() < 1e-15);
}

#[test]
fn a_nan_defect_stays_visible() {
    for i in 0..9 {
        let mut m = Mat3::identity();
        m[i] = f64::NAN;
        assert!(orthogonality_defect(&m).is_nan());
    }
    assert_eq!(orthogonality_defect(&Mat3::from_diagonal_element(2.0)), 3.0);
}

#[test]
fn series_and_closed_form_meet() {
    for x2 in [0.25_f64, 0.2499, 0.2, 0.1] {
        let x = x2.sqrt();
        let (a, b) = rodrigues(x2);
        let h = libm::sin(x / 2.0) / (x / 2.0);
        assert!((a - libm::sin(x) / x).abs() < 3e-16);
        assert!((b - 0.5 * h * h).abs() < 3e-16);
        let exact_d = (x - libm::sin(x)) / (x * x * x);
        assert!((tangent_coefficient(x2) - exact_d).abs() < 2e-15 / x2);
    }
    let (a, b) = rodrigues(0.2500001);
    let (a0, b0) = rodrigues(0.25);
    assert!((a - a0).abs() < 2e-8 && (b - b0).abs() < 2e-8);
    assert!((tangent_coefficient(0.2500001) - tangent_coefficient(0.25)).abs() < 2e-9);
}

#[test]
fn log_inverts_exp_up_to_a_half_turn() {
    // The opposite vectors are included, because their quaternions have a negative real part near a half turn.
    for v in vectors().into_iter().flat_map(|v| [v, -v]) {
        assert!(
            (log(&exp(&v)) - v).norm() < 3e-15 * v.norm().max(1e-3),
            "{v}"
        );
    }
    let half_turn = Vec3::new(0.0, core::f64::consts::PI, 0.0);
    assert!((log(&exp(&half_turn)).norm() - half_turn.norm()).abs() < 1e-14);
}

#[test]
fn right_tangent_is_the_derivative_of_exp() {
    for v in vectors().into_iter().filter(|v| v.norm() > 0.05) {
        let d = Vec3::new(0.3, -0.2, 0.9) * 1e-5;
        let forward = log(&(exp(&v).transpose() * exp(&(v + d))));
        let backward = log(&(exp(&v).transpose() * exp(&(v - d))));
        let numeric = (forward - backward) * 0.5;
        assert!((right_tangent(&v) * d - numeric).norm() < 1e-13);
    }
}

#[test]
fn quaternions_and_matrices_agree_in_every_branch() {
    for v in vectors().into_iter().chain([
        Vec3::new(3.1, 0.0, 0.0),
        Vec3::new(0.0, 3.1, 0.0),
        Vec3::new(0.0, 0.0, 3.1),
    ]) {
        let r = exp(&v);
        let back = matrix_from_quat(&quat_from_matrix(&r));
        assert!((back - r).norm() < 2e-15, "{v}");
    }
}

#[test]
fn cayley_turns_by_twice_the_arc_tangent_of_half() {
    for v in vectors() {
        let r = cayley(&v);
        assert!(orthogonality_defect(&r) < 1e-15);
        let angle = 2.0 * libm::atan(v.norm() / 2.0);
        assert!((angle_between(&Mat3::identity(), &r) - angle).abs() < 1e-15 * angle * 4.0);
    }
}
/// Values to 20 digits, just inside the limit of the series and far inside. Four roundings of ½ ε are allowed:
/// the constant term, the linear one, the lower half, the sum.
#[test]
fn series_of_the_tangent_map_and_its_inverse() {
    for (x2, d, e) in [
        (0.03125, 0.166_406_443_678_326_42, 0.083_376_768_430_093_98),
        (0.125, 0.165_628_094_822_235_13, 0.083_507_462_763_979_61),
        (0.25, 0.164_595_691_166_376, 0.083_682_635_354_059_895),
    ] {
        for (found, exact) in [
            (tangent_coefficient(x2), d),
            (tangent_inverse_coefficient(x2), e),
        ] {
            let error = found / exact - 1.0;
            assert!(error.abs() <= 2.0 * f64::EPSILON, "{x2}: {error:e}");
        }
    }
}
