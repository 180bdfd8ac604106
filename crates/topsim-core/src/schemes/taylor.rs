//! `taylor16`: the Taylor series of the motion about the start of each step, to the power 16 of the step.
//!
//! Letters: r_i rows of the attitude R (body → space), Π = J W, T body torque; `v[n]` the coefficient of a vector v at the
//! power n of time, times hⁿ.
//! - `v[n+1] = h/(n+1) Σ_j v[j] × W[n−j]` for the three rows and Π, for Π with `T[n]` added, `W[n] = J⁻¹ Π[n]`
//! - `R' = Σ R[n]`, `Π' = Σ Π[n]`, n = 0 … 16
//!
//! Rows and Π stand beside each other as lanes, so that one kernel serves the four. The torque gives its own series: uniform
//! forces at a lever, `T[n] = (Σ_i load_i r_i[n]) × lever`, and components given in time, in the body or in space
//! ([`Piece`]). Any inertia. The step is compiled for registers of several widths, which changes no bit: nothing is fused or
//! summed in another order. Nothing is kept but what the series gives; orthogonality is that of the sum, too.
//!
//! Source: `jorba2005`. The same recurrence in double-double makes references (`reference/taylor`), by other code.

use super::lanes::widest;
use super::prelude::*;
use crate::math::scalar;
use crate::models::{Drive, Frame, Piece};

/// The last power of the step.
const ORDER: usize = 16;

scheme! {
    /// Order 16, for torques that have a series.
    Taylor16 {
        name: "taylor16",
        title: "Taylor series of order 16 of attitude and momentum",
        formula: "v[n+1] = h/(n+1) Σ_j v[j] × W[n−j] for the rows of R and Π, for Π with T[n]; W = J⁻¹ Π\n\
                  R' = Σ R[n], Π' = Σ Π[n], n = 0 … 16",
        citations: &["jorba2005"],
        assumptions: Some("any inertia tensor; a torque of uniform forces, a constant one, a table, or a squared sine of time"),
        claims: Claims { order: 16, reversible: false, symplectic: false,
            energy: Energy::Loses(17), momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

/// One component of the three rows of R and of Π.
type RowsAndMomentum = [f64; 4];

/// The coefficients of a step; kept so that nothing is allocated or cleared.
pub struct Expansion {
    /// Coefficients by power, component and lane.
    vectors: [[RowsAndMomentum; 3]; ORDER + 1],
    rates: [[f64; 3]; ORDER + 1],
}

impl Memory for Expansion {
    fn start(_: &Step<impl Torque>, _: &RotState) -> Result<Self, StepFail> {
        Ok(Self {
            vectors: [[[0.0; 4]; 3]; ORDER + 1],
            rates: [[0.0; 3]; ORDER + 1],
        })
    }
}

impl Expansion {
    /// Expands the motion from attitude and momentum.
    #[inline(always)]
    fn expand(&mut self, at: &Step<impl Torque>, piece: &Piece, att: &Mat3, pi: &Vec3) {
        let Step { top, t, h, .. } = *at;
        let series = TorqueSeries::new(piece, t, h);
        self.vectors[0] = [0, 1, 2].map(|a| [att[(0, a)], att[(1, a)], att[(2, a)], pi[a]]);
        for n in 0..=ORDER {
            let momentum = Vec3::from(self.vectors[n].map(|lanes| lanes[3]));
            self.rates[n] = top.inertia().solve(&momentum).into();
            if n == ORDER {
                break;
            }
            let mut next = self.products(n);
            let torque = series.coefficient(n, &self.vectors);
            let place = h / (n + 1) as f64;
            for a in 0..3 {
                next[a][3] += torque[a];
                for lane in &mut next[a] {
                    *lane *= place;
                }
            }
            self.vectors[n + 1] = next;
        }
    }

    /// Returns `Σ_j v[j] × W[n−j]`.
    #[inline(always)]
    fn products(&self, n: usize) -> [RowsAndMomentum; 3] {
        let mut sum = [[0.0; 4]; 3];
        let rates = self.rates[..=n].iter().rev();
        for ([x, y, z], w) in self.vectors[..=n].iter().zip(rates) {
            for l in 0..4 {
                sum[0][l] += y[l] * w[2] - z[l] * w[1];
                sum[1][l] += z[l] * w[0] - x[l] * w[2];
                sum[2][l] += x[l] * w[1] - y[l] * w[0];
            }
        }
        sum
    }

    /// Returns the sums, from the small end.
    #[inline(always)]
    fn end(&self) -> (Mat3, Vec3) {
        let mut sum = [[0.0; 4]; 3];
        for v in self.vectors.iter().rev() {
            for a in 0..3 {
                for l in 0..4 {
                    sum[a][l] += v[a][l];
                }
            }
        }
        let att = Mat3::from_fn(|i, a| sum[a][i]);
        (att, Vec3::from(sum.map(|lanes| lanes[3])))
    }
}

/// The torque's own series.
struct TorqueSeries {
    load: Option<(Vec3, Vec3)>,
    /// Coefficients of the components given in time; so many are not zero.
    given: Option<(Frame, [Vec3; ORDER], usize)>,
}

impl TorqueSeries {
    #[inline(always)]
    fn new(piece: &Piece, t: f64, h: f64) -> Self {
        Self {
            load: piece.load.map(|(load, lever)| (load.rounded(), lever)),
            given: piece.drive.map(|(frame, drive)| {
                let (rows, count) = given(&drive, t, h);
                (frame, rows, count)
            }),
        }
    }

    /// Coefficient `n`, from those of the rows.
    #[inline(always)]
    fn coefficient(&self, n: usize, vectors: &[[RowsAndMomentum; 3]; ORDER + 1]) -> Vec3 {
        let turned = |c: &Vec3, n: usize| {
            Vec3::from(vectors[n].map(|row| c.x * row[0] + c.y * row[1] + c.z * row[2]))
        };
        let mut torque = Vec3::zeros();
        if let Some((load, lever)) = &self.load {
            torque = turned(load, n).cross(lever);
        }
        match &self.given {
            None => {}
            Some((Frame::Body, rows, count)) if n < *count => torque += rows[n],
            Some((Frame::Body, ..)) => {}
            Some((Frame::Space, rows, count)) => {
                for (k, row) in rows[..*count].iter().enumerate().take(n + 1) {
                    torque += turned(row, n - k);
                }
            }
        }
        torque
    }
}

/// Coefficients of components given in time, and how many there are.
fn given(drive: &Drive, t: f64, h: f64) -> ([Vec3; ORDER], usize) {
    let mut rows = [Vec3::zeros(); ORDER];
    match drive {
        Drive::Linear {
            times: [from, to],
            rows: [first, last],
        } => {
            let slope = (last - first) / (to - from);
            rows[0] = first + slope * (t - from);
            rows[1] = slope * h;
            (rows, if slope == Vec3::zeros() { 1 } else { 2 })
        }
        Drive::Sin2 { amplitude, rate } => {
            // A (1 − cos 2ωt)/2.
            let half = amplitude * 0.5;
            let (sin, cos) = scalar::sincos(2.0 * rate * t);
            let (mut a, mut b) = (-cos, sin);
            for (n, row) in rows.iter_mut().enumerate() {
                *row = half * a;
                let step = 2.0 * rate * h / (n + 1) as f64;
                (a, b) = (b * step, -a * step);
            }
            rows[0] += half;
            (rows, ORDER)
        }
    }
}

impl RotationScheme for Taylor16 {
    type Memory = (BodyMomentum, Expansion);
    const NEEDS_SERIES: bool = true;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let (BodyMomentum(pi), expansion) = m;
        // The piece of the middle: a step that ends at a switch is not touched by what follows it.
        let piece = at.top.torque().piece(at.t + 0.5 * at.h);
        let piece = piece.ok_or(StepFail::NoSeries)?;
        (y.att, *pi) = widest(
            #[inline(always)]
            || {
                expansion.expand(at, &piece, &y.att, pi);
                expansion.end()
            },
        );
        y.omega = at.top.inertia().solve(pi);
        Ok(Effort::new(1, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::so3;
    use crate::models::{
        Constant, Gravity, Inertia, InitialValueProblem, Interpolation, LoadedGravity, NoTorque,
        RigidTop, Sin2Pulse, Start, TableTorque, TorqueModel, TwoWell, bodies,
    };
    use crate::reference::coefficients;
    use crate::schemes::Scheme;
    use crate::schemes::testbed::run;

    /// Returns a body with products of inertia, turned and not at rest.
    fn body(torque: impl Into<TorqueModel>) -> RigidTop<TorqueModel> {
        let tensor = Mat3::new(0.62, 0.05, -0.03, 0.05, 0.81, 0.04, -0.03, 0.04, 1.02);
        let start = RotState {
            att: so3::exp(&Vec3::new(0.3, -0.4, 0.5)),
            omega: Vec3::new(1.5, -0.8, 1.1),
        };
        RigidTop::new(
            Inertia::new(tensor).unwrap(),
            torque.into(),
            Start::from(start),
        )
    }

    fn torques() -> Vec<TorqueModel> {
        let gravity = Gravity::new(2.0, Vec3::new(0.3, -0.2, 0.5), Vec3::new(0.6, 0.0, 0.8));
        let torque = Vec3::new(1.1, -0.7, 1.6);
        let rows = [(0.0, torque), (4.0, Vec3::new(-0.5, 0.9, 0.2))];
        let mut all = vec![TorqueModel::from(NoTorque), gravity.clone().into()];
        for frame in [Frame::Body, Frame::Space] {
            let constant = Constant { torque, frame };
            let pulse = Sin2Pulse {
                amplitude: torque,
                frame,
                rate: 2.0,
                from: -1.0,
                until: 5.0,
            };
            let loaded = LoadedGravity {
                gravity: gravity.clone(),
                torque: constant.clone(),
            };
            all.extend([constant.into(), pulse.into(), loaded.into()]);
            for read in [Interpolation::Linear, Interpolation::Hold] {
                all.push(TableTorque::new(rows, frame, read).unwrap().into());
            }
        }
        all
    }

    /// The order, exactly: all coefficients up to the sixteenth are those of the motion, and there are no more.
    #[test]
    fn the_coefficients_are_those_of_the_series_in_double_double() {
        let t = 0.3;
        for torque in torques() {
            let top = body(torque);
            let exact = coefficients(&top, t, ORDER).unwrap();
            let at = Step::new(&top, t, 1.0);
            let y = top.initial();
            let mut found = Expansion::start(&at, &y).unwrap();
            let pi = top.inertia().times(&y.omega);
            found.expand(&at, &top.torque().piece(t).unwrap(), &y.att, &pi);
            assert_eq!(exact.len(), found.vectors.len());
            for (n, exact) in exact.iter().enumerate() {
                let size = exact.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
                let (v, w) = (&found.vectors[n], &found.rates[n]);
                for (k, exact) in exact.iter().enumerate() {
                    let found = if k < 9 { v[k % 3][k / 3] } else { w[k - 9] };
                    // The bound is the rounding of n sums of up to n products each.
                    let off = (found - exact).abs();
                    assert!(
                        off < 1e-15 * (1 + n * n) as f64 * size,
                        "{n} {k}: {off:e}, {:?}",
                        top.torque()
                    );
                }
            }
        }
    }

    /// Registers of another width change no bit. Without the feature there is one width only.
    #[cfg(feature = "wide-registers")]
    #[test]
    fn the_widest_registers_give_the_same_bits() {
        for torque in torques() {
            let top = body(torque);
            let (t, h) = (0.3, 0.2);
            let at = Step::new(&top, t, h);
            let mut y = top.initial();
            let pi = top.inertia().times(&y.omega);
            let piece = top.torque().piece(t + 0.5 * h).unwrap();
            let mut plain = Expansion::start(&at, &y).unwrap();
            plain.expand(&at, &piece, &y.att, &pi);
            let (att, end) = plain.end();
            let mut memory = Scheme::start(&Taylor16 {}, &top, t, h, &mut y).unwrap();
            Scheme::step(&Taylor16 {}, &top, t, h, &mut y, &mut memory).unwrap();
            assert_eq!((y.att, memory.0.0), (att, end), "{:?}", top.torque());
        }
    }

    #[test]
    fn a_torque_without_a_series_is_refused() {
        let top = body(TwoWell::new(1.0, 0.5, Mat3::identity()));
        let mut y = top.initial();
        let mut memory = Scheme::start(&Taylor16 {}, &top, 0.0, 0.1, &mut y).unwrap();
        let out = Scheme::step(&Taylor16 {}, &top, 0.0, 0.1, &mut y, &mut memory);
        assert_eq!((out, y), (Err(StepFail::NoSeries), top.initial()));
    }

    /// The digits that `docs/speed.md` counts on: ten of them in 52 steps on body a.
    #[test]
    fn few_steps_give_ten_digits() {
        let top = bodies::body_a();
        let (coarse, fine) = (
            run(&Taylor16 {}, &top, 10.0, 54),
            run(&Taylor16 {}, &top, 10.0, 108),
        );
        assert!(so3::angle_between(&coarse.att, &fine.att) < 1e-10);
    }
}
