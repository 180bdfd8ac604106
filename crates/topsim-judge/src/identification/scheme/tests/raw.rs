//! Attitudes that are never brought back to unit length or to a rotation: no memory, though a step goes on from what is left.

use super::solvers::{acc, one};
use super::strange::slope;
use super::*;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::RotState;
use wrong_solvers::rk4;

/// The quaternion as it is, not normalised.
struct Raw;

impl Target for Raw {
    fn answers(&self, probes: &[Probe]) -> Vec<crate::identification::experiment::Answer> {
        use crate::identification::experiment::Row;
        let run = |probe: &Probe| {
            let top = probe.start.top();
            let mut z = [0.0; 7];
            z[..4].copy_from_slice(&so3::quat_from_matrix(&probe.start.att));
            z[4..].copy_from_slice(probe.start.omega.as_slice());
            let row = |t: f64, z: &[f64; 7]| {
                let q = [z[0], z[1], z[2], z[3]];
                let y = RotState {
                    att: so3::matrix_from_quat(&q),
                    omega: Vec3::new(z[4], z[5], z[6]),
                };
                Row {
                    quaternion: Some(q),
                    ..Row::of(t, &y)
                }
            };
            let mut rows = vec![row(probe.from, &z)];
            for n in 0..probe.steps {
                z = rk4(probe.step, z, |d, z| {
                    let (q, w) = ([z[0], z[1], z[2], z[3]], Vec3::new(z[4], z[5], z[6]));
                    // The formula for unit quaternions.
                    let norm: f64 = q.iter().map(|x| x * x).sum();
                    let r =
                        Mat3::identity() + (so3::matrix_from_quat(&q) - Mat3::identity()) * norm;
                    let (dq, a) = (slope(&q, &w), acc(&top, probe.time(n) + d, &r, &w));
                    [dq[0], dq[1], dq[2], dq[3], a.x, a.y, a.z]
                });
                rows.push(row(probe.time(n + 1), &z));
            }
            Ok(rows)
        };
        probes.iter().map(run).collect()
    }
}

#[test]
fn quaternions_never_normalised() {
    let f = said("never normalised", &Raw, 2e-16);
    let name = f.name.as_deref().unwrap_or_default();
    assert!(
        name.starts_with("RK4 on (quaternion, body rate), not normalised each step"),
        "{name}"
    );
    assert!(f.flaws.is_empty(), "{:?}", f.flaws);
}

/// RK4 on the matrix and the body rate, as it is; `part` of h is used in the second half step.
fn plain_matrix(part: f64) -> Box<dyn Target> {
    one(move |top, t, h, y| {
        let slope = |t: f64, r: &Mat3, w: &Vec3| (r * so3::hat(w), acc(top, t, r, w));
        let (r, w) = (y.att, y.omega);
        let (r1, w1) = slope(t, &r, &w);
        let half = 0.5 * h;
        let (r2, w2) = slope(t + half, &(r + r1 * half), &(w + w1 * half));
        let (r3, w3) = slope(t + half, &(r + r2 * (part * h)), &(w + w2 * (part * h)));
        let (r4, w4) = slope(t + h, &(r + r3 * h), &(w + w3 * h));
        y.att += (r1 + (r2 + r3) * 2.0 + r4) * (h / 6.0);
        y.omega += (w1 + (w2 + w3) * 2.0 + w4) * (h / 6.0);
    })
}

#[test]
fn matrices_never_made_orthogonal_are_no_memory() {
    let of = |part: f64| said("plain matrix", &*plain_matrix(part), 2e-16);
    let f = of(0.5);
    assert_eq!(
        f.name.as_deref(),
        Some("RK4 on (matrix, body rate), never made orthogonal")
    );
    assert!(f.flaws.is_empty() && !f.remembers(), "{:?}", f.flaws);
    let f = of(0.45);
    let name = f.name.as_deref().unwrap_or_default();
    assert!(name.contains("a32 = 9/20 instead of 1/2"), "{name}");
    assert!(!f.flaws.is_empty());
}
