//! The full system of 15 unknowns with the joint's own node and Kynema's scaling, written out again
//! from its description, as an oracle of the elimination; and its deliberately wrong twins.

use super::{from_final_state, run};
use crate::math::{Mat3, Vec3, lu, so3};
use crate::models::{InitialValueProblem, JointedBody, bodies};
use crate::schemes::GenAlpha;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    /// Must equal the scheme.
    None,
    /// −ω × ϱω.
    GyroscopicSign,
    /// T instead of Tᵀ.
    TransposedTangent,
    /// `R exp(ψ)`.
    RightMultiplication,
    /// The joint turns the body the other way.
    JointTorque,
    /// a' from v̇ as if ρ were 1 in the last line only.
    AlgorithmicAcceleration,
    /// γ = ½.
    Gamma,
}

const N: usize = 15;

#[expect(
    clippy::needless_range_loop,
    reason = "indices of rows and unknowns, as in the formulas"
)]
/// Returns the position, attitude and Newton iterations a step after `n` steps of `h`, at tolerances of 1e-10.
fn full(jointed: &JointedBody, h: f64, n: u32, fault: Fault) -> Option<(Vec3, Mat3, f64)> {
    let rho = 0.9;
    let (alpha_m, alpha_f) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
    let gamma = if fault == Fault::Gamma {
        0.5
    } else {
        0.5 + alpha_f - alpha_m
    };
    let beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
    let (beta_h, gamma_h) = (
        (1.0 - alpha_m) / (h * h * beta * (1.0 - alpha_f)),
        gamma / (h * beta),
    );
    let s = beta * h * h;
    let (m, j, lever) = (
        jointed.mass(),
        *jointed.inertia().tensor(),
        *jointed.lever()?,
    );
    let start = jointed.initial().rotation;
    let rates = jointed.rates(&start);
    let (mut att, mut u, mut u_sj) = (start.att, Vec3::zeros(), Vec3::zeros());
    let centre = att * lever;
    let omega = start.att * start.omega;
    let mut v = [omega.cross(&(att * lever)), omega, Vec3::zeros()];
    let mut vdot = [rates.acceleration, att * rates.spin, Vec3::zeros()];
    let mut a = vdot;
    let mut total = 0;
    for _ in 0..n {
        let a1 = [0, 1, 2].map(|i| (vdot[i] * alpha_f - a[i] * alpha_m) / (1.0 - alpha_m));
        let mut dq = [0, 1, 2].map(|i| v[i] + a[i] * (h * (0.5 - beta)) + a1[i] * (h * beta));
        v = [0, 1, 2].map(|i| v[i] + a[i] * (h * (1.0 - gamma)) + a1[i] * (h * gamma));
        vdot = [Vec3::zeros(); 3];
        let mut lambda = [Vec3::zeros(); 2];
        let turned = |psi: &Vec3| match fault {
            Fault::RightMultiplication => att * so3::exp(psi),
            _ => so3::exp(psi) * att,
        };
        let mut made = 0;
        loop {
            let psi = dq[1] * h;
            let r = turned(&psi);
            let (un, sj) = (u + dq[0] * h, u_sj + dq[2] * h);
            let inertia = r * j * r.transpose();
            let c = r * lever;
            let (w, spin) = (v[1], vdot[1]);
            let gyro = match fault {
                Fault::GyroscopicSign => -w.cross(&(inertia * w)),
                _ => w.cross(&(inertia * w)),
            };
            let joint = match fault {
                Fault::JointTorque => c.cross(&lambda[0]),
                _ => -c.cross(&lambda[0]),
            };
            let residual = [
                vdot[0] * m - jointed.load() + lambda[0],
                inertia * spin + gyro + joint,
                lambda[1] - lambda[0],
                centre + un - sj - c,
                sj,
            ];
            let hat = so3::hat;
            let one = Mat3::identity();
            let right = so3::right_tangent(&psi);
            let t = match fault {
                Fault::TransposedTangent => right,
                _ => right.transpose(),
            };
            let g = hat(&w) * inertia - hat(&(inertia * w));
            let k = inertia * hat(&spin) - hat(&(inertia * spin))
                + hat(&w) * (inertia * hat(&w) - hat(&(inertia * w)))
                - hat(&lambda[0]) * hat(&c);
            let blocks = [
                (0, 0, one * (m * beta_h)),
                (1, 1, inertia * beta_h + g * gamma_h + k * t),
                (0, 3, one),
                (1, 3, hat(&c).transpose()),
                (2, 3, -one),
                (2, 4, one),
                (3, 0, one),
                (3, 1, hat(&c) * t),
                (3, 2, -one),
                (4, 2, one),
            ];
            // D_L S D_R y = −D_L r.
            let mut matrix = [[0.0; N]; N];
            for (i, l, block) in blocks {
                let scale = (if i < 3 { s } else { 1.0 }) / (if l < 3 { 1.0 } else { s });
                for p in 0..3 {
                    for q in 0..3 {
                        matrix[3 * i + p][3 * l + q] += block[(p, q)] * scale;
                    }
                }
            }
            let mut x = [0.0; N];
            for (i, part) in residual.iter().enumerate() {
                for p in 0..3 {
                    x[3 * i + p] = -part[p] * if i < 3 { s } else { 1.0 };
                }
            }
            if !lu::solve(&mut matrix, &mut x) {
                return None;
            }
            let at = |i: usize| Vec3::new(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
            let mut sum = 0.0;
            // λ is known to some 1e-8 N at this step: four roundings, as for the scheme.
            let noise = 4.0 * f64::EPSILON * m * lever.norm() * beta_h;
            for i in 0..3 {
                for p in 0..3 {
                    let e = at(i)[p] / (1e-10 + 1e-10 * (h * dq[i][p]).abs());
                    sum += e * e;
                }
            }
            for i in 0..2 {
                for p in 0..3 {
                    let e = at(3 + i)[p] / s / (noise + 1e-10 * lambda[i][p].abs());
                    sum += e * e;
                }
            }
            for i in 0..3 {
                dq[i] += at(i) / h;
                v[i] += at(i) * gamma_h;
                vdot[i] += at(i) * beta_h;
            }
            for i in 0..2 {
                lambda[i] += at(3 + i) / s;
            }
            made += 1;
            if (sum / N as f64).sqrt() <= 1.0 {
                break;
            }
            if made == 30 || !sum.is_finite() {
                return None;
            }
        }
        total += made;
        let factor = match fault {
            Fault::AlgorithmicAcceleration => 1.0,
            _ => (1.0 - alpha_f) / (1.0 - alpha_m),
        };
        a = [0, 1, 2].map(|i| a1[i] + vdot[i] * factor);
        att = turned(&(dq[1] * h));
        u += dq[0] * h;
        u_sj += dq[2] * h;
    }
    Some((centre + u, att, f64::from(total) / f64::from(n)))
}

/// Returns the published state within 1e-9, the bound of tight Newton, in three iterations and a fraction.
fn accepted(found: Option<(Vec3, Mat3, f64)>) -> bool {
    found.is_some_and(|(x, att, iterations)| {
        let (u, angle) = from_final_state(&x, &att);
        u < 1e-9 && angle < 1e-9 && iterations < 4.0
    })
}

#[test]
fn elimination_is_the_full_system_and_wrong_twins_are_rejected() {
    let jointed = bodies::jointed_heavy_top();
    let (x, att, iterations) = full(&jointed, 0.002, 400, Fault::None).unwrap();
    let (y, own) = run(&GenAlpha::default(), &jointed, 0.002, 400).unwrap();
    // The bound is the rounding: γ' ε in the rate of each of 400 steps.
    assert!((x - y.position).amax() < 1e-12);
    assert!(so3::angle_between(&att, &y.rotation.att) < 1e-10);
    assert!((iterations - own).abs() < 0.1, "{iterations}, {own}");
    assert!(accepted(Some((x, att, iterations))));
    assert!(accepted(Some((y.position, y.rotation.att, own))));
    for fault in [
        Fault::GyroscopicSign,
        Fault::TransposedTangent,
        Fault::RightMultiplication,
        Fault::JointTorque,
        Fault::AlgorithmicAcceleration,
        Fault::Gamma,
    ] {
        assert!(!accepted(full(&jointed, 0.002, 400, fault)), "{fault:?}");
    }
}

/// Tests it on a body without symmetry, with an oblique lever and a full tensor.
#[test]
fn elimination_is_the_full_system_on_any_body() {
    let jointed = bodies::jointed_a();
    let (x, att, iterations) = full(&jointed, 0.02, 100, Fault::None).unwrap();
    let (y, own) = run(&GenAlpha::default(), &jointed, 0.02, 100).unwrap();
    assert!((x - y.position).amax() < 1e-11);
    assert!(so3::angle_between(&att, &y.rotation.att) < 1e-11);
    assert!((iterations - own).abs() < 0.1, "{iterations}, {own}");
}
