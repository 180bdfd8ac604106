//! Gauss methods in the canonical coordinates of the quaternion: `gauss4`, `gauss6`.
//!
//! Letters: Λ attitude (body → space), q its quaternion, W body rate, Π = J W, T body torque; A, b, c the tableau of Gauss's
//! method with s stages. Hamilton's equations of q and its momentum p = 2 q Π, `Π = ½ Im(q̄ p)`, are
//! - `q̇ = ½ q W`, `ṗ = ½ p W + 2 q T/|q|²`
//!
//! (`miller2002`; the length of q divides because stages are not of length 1). A Gauss method keeps the symplectic form
//! (`sanzserna1988`) and all quadratic invariants (`cooper1987`): |q| = 1, so that it steps on T*SO(3), and `π = ½ Im(p q̄)`, the
//! spatial momentum where there is no torque, with a torque its components along which the torque has none. By the variation of
//! the discrete action it is the Galerkin integrator of the same order in these coordinates.
//!
//! A step is made in the body: with stages `Q_i = q y_i`, `P_i = 2 q z_i`,
//! - `y_i = 1 + (h/2) Σ a_ij y_j W_j`, `z_i = Π + h Σ a_ij (½ z_j W_j + y_j T_j/|y_j|²)`, linear in y and z where the W are known
//! - `J W_i = Im(ȳ_i z_i)` for the W, by Newton's method with the torques held in its matrix
//! - y' and z' with b in place of a; `Λ' = Λ R(y')`, `Π' = Im(ȳ' z')`
//!
//! Any inertia; symplectic for torques with a potential.

use super::implicit::{Newton, largest, terms};
use super::member::member;
use super::prelude::*;
use super::tableaus::{ButcherTableau, GAUSS4, GAUSS6, ROOT_3, ROOT_15};
use crate::math::lu;
use crate::math::quaternion::plus;

/// Stages of the longest method.
const MOST: usize = 3;

/// Numbers of a Gauss method.
#[derive(Debug)]
pub struct GaussTable {
    stages: usize,
    a: [[f64; MOST]; MOST],
    b: [f64; MOST],
    c: [f64; MOST],
}

impl GaussTable {
    const fn new(rule: &ButcherTableau, c: [f64; MOST]) -> Self {
        let stages = rule.weights.len();
        let mut out = Self {
            stages,
            a: [[0.0; MOST]; MOST],
            b: [0.0; MOST],
            c,
        };
        let mut n = 0;
        while n < stages * stages {
            let (i, j) = (n / stages, n % stages);
            out.a[i][j] = rule.rows[i][j];
            out.b[j] = rule.weights[j];
            n += 1;
        }
        out
    }
}

static FOUR: GaussTable = GaussTable::new(&GAUSS4, [0.5 - ROOT_3 / 6.0, 0.5 + ROOT_3 / 6.0, 0.0]);
static SIX: GaussTable =
    GaussTable::new(&GAUSS6, [0.5 - ROOT_15 / 10.0, 0.5, 0.5 + ROOT_15 / 10.0]);

/// A Gauss method with the limits of its iteration.
#[derive(Debug, Clone, Copy)]
pub struct Gauss {
    table: &'static GaussTable,
    newton: Newton,
}

macro_rules! gauss {
    ($($(#[$doc:meta])* $scheme:ident, $name:literal, $table:ident, $order:literal, $title:literal, $stages:literal;)*) => {$(
        scheme! {
            $(#[$doc])*
            $scheme(Newton) {
                name: $name,
                title: $title,
                formula: concat!("Gauss for q' = ½ q W, p' = ½ p W + 2 q T/|q|², J W = ½ Im(q̄ p), from p = 2 q Π; then Π' = ½ Im(q̄' p')\n", $stages),
                citations: &["cooper1987", "sanzserna1988", "miller2002"],
                claims: Claims { order: $order, reversible: true, symplectic: true,
                    energy: Energy::Bounded, momentum: Momentum::Exact,
                    torque_evaluations: Evaluations::EachIteration($table.stages as u32) },
            }
        }
        member! { $scheme: Gauss, |me| Gauss { table: &$table, newton: me.newton } }
    )*};
}

gauss! {
    /// Two stages, order 4.
    Gauss4, "gauss4", FOUR, 4, "Gauss, order 4, in the canonical coordinates of the quaternion",
        "a_1j = (1/4, 1/4 − √3/6), a_2j = (1/4 + √3/6, 1/4), b = (1/2, 1/2), c = ½ ∓ √3/6";
    /// Three stages, order 6.
    Gauss6, "gauss6", SIX, 6, "Gauss, order 6, in the canonical coordinates of the quaternion",
        "a_1j = (5/36, 2/9 − √15/15, 5/36 − √15/30), a_2j = (5/36 + √15/24, 2/9, 5/36 − √15/24)\n\
         a_3j = (5/36 + √15/30, 2/9 + √15/15, 5/36), b = (5/18, 4/9, 5/18), c = ½ − √15/10, ½, ½ + √15/10";
}

type StageRates = [Vec3; MOST];
type StageQuaternions = [Quat; MOST];
type StageMatrix = [StageQuaternions; MOST];

const ZERO: Quat = [0.0; 4];
const ONE: Quat = [1.0, 0.0, 0.0, 0.0];

/// Returns `Im(p̄ q)`.
#[inline(always)]
fn bilinear(p: &Quat, q: &Quat) -> Vec3 {
    let (u, v) = (Vec3::new(p[1], p[2], p[3]), Vec3::new(q[1], q[2], q[3]));
    v * p[0] - u * q[0] - u.cross(&v)
}

impl GaussTable {
    /// Returns `(M⁻¹, Aᵀ M⁻¹)` where `M_ji = δ_ij − (h/2) a_ij W_j`: linear systems of the stages are `y M = r`.
    fn inverse(&self, h: f64, w: &StageRates) -> (StageMatrix, StageMatrix) {
        let mut m = [[ZERO; MOST]; MOST];
        let mut inverse = m;
        for j in 0..MOST {
            for (i, a) in self.a.iter().enumerate().take(self.stages) {
                let v = w[j] * (-0.5 * h * a[j]);
                m[j][i] = [0.0, v.x, v.y, v.z];
            }
            m[j][j][0] = 1.0;
            inverse[j][j] = ONE;
        }
        // No pivots: the diagonal is of length 1 or more.
        for k in 0..self.stages {
            let p = m[k][k];
            let length = p.iter().map(|x| x * x).sum::<f64>();
            let reciprocal = [p[0], -p[1], -p[2], -p[3]].map(|x| x / length);
            for i in 0..self.stages {
                m[k][i] = quaternion::product(&reciprocal, &m[k][i]);
                inverse[k][i] = quaternion::product(&reciprocal, &inverse[k][i]);
            }
            for j in (0..self.stages).filter(|j| *j != k) {
                let f = m[j][k];
                for i in 0..self.stages {
                    m[j][i] = plus(&m[j][i], -1.0, &quaternion::product(&f, &m[k][i]));
                    inverse[j][i] = plus(
                        &inverse[j][i],
                        -1.0,
                        &quaternion::product(&f, &inverse[k][i]),
                    );
                }
            }
        }
        let mut weighed = [[ZERO; MOST]; MOST];
        for (j, row) in weighed.iter_mut().enumerate() {
            for (i, sum) in row.iter_mut().enumerate() {
                for (a, inverse) in self.a.iter().zip(&inverse).take(self.stages) {
                    *sum = plus(sum, a[j], &inverse[i]);
                }
            }
        }
        (inverse, weighed)
    }

    /// Adds to the W the correction that their residual asks for; nothing is known of what it leaves.
    fn correct(&self, w: &mut StageRates, h: f64, j: &Mat3, now: &StageValues) -> Option<f64> {
        let mut k = [[0.0; 3 * MOST]; 3 * MOST];
        let mut x = [0.0; 3 * MOST];
        for (n, row) in k.iter_mut().enumerate() {
            row[n] = 1.0;
            x[n] = now.residual[n / 3][n % 3];
        }
        for i in 0..self.stages {
            for e in 0..3 {
                for f in 0..3 {
                    k[3 * i + e][3 * i + f] = j[(e, f)];
                }
            }
            for s in 0..self.stages {
                for f in 0..3 {
                    let mut unit = Vec3::zeros();
                    unit[f] = 0.5 * h;
                    let moved = |v: &Quat| {
                        quaternion::product(&quaternion::times_vector(v, &unit), &now.weighed[s][i])
                    };
                    let change = bilinear(&moved(&now.y[s]), &now.z[i])
                        + bilinear(&now.y[i], &moved(&now.z[s]));
                    for e in 0..3 {
                        k[3 * i + e][3 * s + f] -= change[e];
                    }
                }
            }
        }
        if !lu::solve(&mut k, &mut x) {
            return None;
        }
        for (n, x) in x.iter().enumerate() {
            w[n / 3][n % 3] += x;
        }
        Some(f64::INFINITY)
    }
}

/// Values that follow from the rates W of the stages.
#[derive(Clone, Copy)]
struct StageValues {
    y: StageQuaternions,
    z: StageQuaternions,
    /// Contribution of the torques to z.
    added: StageQuaternions,
    /// `y T/|y|²`.
    forces: StageQuaternions,
    /// `Aᵀ M⁻¹`.
    weighed: StageMatrix,
    residual: StageRates,
}

impl StageValues {
    /// `torque(c, y)` is that at a stage of this time and attitude.
    fn new(
        table: &GaussTable,
        (h, j, pi): (f64, &Inertia, &Vec3),
        w: &StageRates,
        torque: &mut dyn FnMut(f64, &Quat) -> Vec3,
    ) -> Self {
        let (inverse, weighed) = table.inverse(h, w);
        let mut point = Self {
            y: [ZERO; MOST],
            z: [ZERO; MOST],
            added: [ZERO; MOST],
            forces: [ZERO; MOST],
            weighed,
            residual: [Vec3::zeros(); MOST],
        };
        for i in 0..table.stages {
            for row in &inverse[..table.stages] {
                point.y[i] = plus(&point.y[i], 1.0, &row[i]);
            }
            let y = &point.y[i];
            let square = y.iter().map(|x| x * x).sum::<f64>();
            let force = torque(table.c[i], y) / square;
            point.forces[i] = quaternion::times_vector(y, &force);
        }
        let momentum = [0.0, pi.x, pi.y, pi.z];
        for (i, w) in w.iter().enumerate().take(table.stages) {
            let mut added = ZERO;
            for (force, weighed) in point.forces.iter().zip(&point.weighed) {
                added = plus(&added, h, &quaternion::product(force, &weighed[i]));
            }
            point.added[i] = added;
            point.z[i] = plus(&added, 1.0, &quaternion::product(&momentum, &point.y[i]));
            point.residual[i] = bilinear(&point.y[i], &point.z[i]) - j.times(w);
        }
        point
    }

    /// Returns the largest component of the residual.
    fn off(&self) -> f64 {
        let parts = self.residual.iter().map(largest);
        parts.fold(
            0.0,
            |most: f64, r| {
                if most.is_nan() || r <= most { most } else { r }
            },
        )
    }

    /// Returns the turn of the step as a matrix, and Π': turned back by that matrix, so that attitude and momentum
    /// round alike.
    fn end(&self, table: &GaussTable, h: f64, w: &StageRates, pi: &Vec3) -> (Mat3, Vec3) {
        let (mut y, mut added) = (ONE, ZERO);
        for (i, w) in w.iter().enumerate().take(table.stages) {
            let (b, half) = (h * table.b[i], w * 0.5);
            y = plus(&y, b, &quaternion::times_vector(&self.y[i], &half));
            let turned = quaternion::times_vector(&self.added[i], &half);
            added = plus(&added, b, &plus(&turned, 1.0, &self.forces[i]));
        }
        let turn = so3::matrix_from_quat(&y);
        let square = y.iter().map(|x| x * x).sum::<f64>();
        (turn, turn.tr_mul(pi) + bilinear(&y, &added) / square)
    }
}

impl RotationScheme for Gauss {
    type Memory = BodyMomentum;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let BodyMomentum(pi) = m;
        let Step { top, t, h, .. } = *at;
        let (table, j) = (self.table, top.inertia());
        let alpha = j.solve(&pi.cross(&y.omega));
        let guess = table.c.map(|c| y.omega + alpha * (c * h));
        let (w, point, iterations) = self.newton.iterate(
            guess,
            |w| {
                let mut size = pi.amax();
                let point = StageValues::new(table, (h, j, pi), w, &mut |c, q| {
                    let torque = top.torque_body(t + c * h, &(y.att * so3::matrix_from_quat(q)));
                    size = size.max(h.abs() * torque.amax());
                    torque
                });
                (point.off(), size, point)
            },
            |w, point, _| table.correct(w, h, j.tensor(), point),
            |w| w.iter().map(terms(at, y)).fold(0.0, f64::max),
        )?;
        let (turn, momentum) = point.end(table, h, &w, pi);
        y.att *= turn;
        *pi = momentum;
        y.omega = j.solve(pi);
        Ok(Effort::new(
            table.stages as u32 * (iterations + 1),
            iterations,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_the_sums_of_the_rows() {
        for table in [&FOUR, &SIX] {
            for (row, c) in table.a.iter().zip(table.c) {
                assert!((row.iter().sum::<f64>() - c).abs() < 1e-16);
            }
        }
    }
}
