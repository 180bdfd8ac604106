//! When a solver reads its torque: a pulse in time on a sphere at rest, at several frequencies, and Prony's method.

use super::linear;
use super::questioner::{self, PULSES, PseudoRandom, Questioner};
use crate::identification::experiment::{Load, Probe, Start};
use crate::thresholds::{ADDED_ROUNDING, BY_FAR, MANY_ROUNDINGS, TENTH};
use core::f64::consts::PI;
use topsim_core::math::{Vec3, scalar};
use topsim_core::models::{Frame, Sin2Pulse};

/// When the torque is read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TorqueTimes {
    /// Times over h since the start of the step, with their weights.
    Few(Vec<(f64, f64)>),
    /// At more times than can be told apart: inner steps, or a quadrature.
    Many,
}

impl TorqueTimes {
    /// The mean time, over h; none of a torque that does not act.
    pub fn mean(&self) -> Option<f64> {
        match self {
            Self::Few(all) => {
                let weight: f64 = all.iter().map(|(_, b)| b).sum();
                let sum: f64 = all.iter().map(|(c, b)| c * b).sum();
                // The torque itself may be another one: that is judged elsewhere.
                (weight.abs() > TENTH).then_some(sum / weight)
            }
            Self::Many => None,
        }
    }
}

/// Moment of inertia of the sphere, kg m².
const MOMENT: f64 = 2.0;
/// Phase of a whole step, for each frequency.
const PHASE: f64 = 0.9;
/// Most times that are told apart.
const MOST: usize = 4;

/// A complex number.
type Complex = (f64, f64);

fn times(a: Complex, b: Complex) -> Complex {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// Asks for 19 runs, of pulses alone: some solvers know no other torque. `remembers`: the second step is looked at.
pub(super) fn torque_times(bench: &Questioner, noise: f64, remembers: bool) -> Option<TorqueTimes> {
    if noise > ADDED_ROUNDING {
        return None;
    }
    let mut chance = PseudoRandom::new(5);
    let amplitude = chance.direction();
    let start = Start {
        att: chance.rotation(),
        omega: Vec3::zeros(),
        inertia: questioner::sphere(MOMENT),
        load: Load::None,
    };
    let steps = if remembers { 2 } else { 1 };
    let mut probes = Vec::new();
    for k in 1..PULSES.starts {
        let rate = k as f64 * PHASE / (2.0 * PULSES.step);
        // The second step begins at a zero of the pulse.
        let zero = if remembers {
            PI * k as f64 / rate - PULSES.step
        } else {
            0.0
        };
        // sin², (1 + sin)/2, and once cos², which makes a constant torque of the first.
        let shifts = [0.0, 0.25, 0.5];
        for shift in &shifts[..if k == 1 { 3 } else { 2 }] {
            let from = zero + shift * PI / rate;
            let pulse = Sin2Pulse {
                amplitude,
                frame: Frame::Body,
                rate,
                from: -10.0,
                until: 10.0,
            };
            let start = Start {
                load: Load::Pulse(pulse),
                ..start.clone()
            };
            probes.push(Probe {
                from,
                ..Probe::new(&start, PULSES.step, steps)
            });
        }
    }
    let rows = bench.ask(&probes);
    let impulses: Option<Vec<f64>> = rows
        .iter()
        .map(|r| {
            let gain = r.get(steps)?.omega - r.get(steps - 1)?.omega;
            Some(gain.dot(&amplitude) * MOMENT / PULSES.step)
        })
        .collect();
    let impulses = impulses?;
    let whole = impulses[0] + impulses[2];
    let mut signal: Vec<Complex> = vec![(whole, 0.0)];
    for pair in [&impulses[..2], &impulses[3..]].concat().chunks(2) {
        signal.push((whole - 2.0 * pair[0], 2.0 * pair[1] - whole));
    }
    let found = prony(&signal, MANY_ROUNDINGS.max(BY_FAR * noise));
    Some(found.map_or(TorqueTimes::Many, TorqueTimes::Few))
}

/// Times and weights of Z_k = Σ b e^(i c k phase).
fn prony(signal: &[Complex], tolerance: f64) -> Option<Vec<(f64, f64)>> {
    // Of negative k the conjugate.
    let mut all: Vec<Complex> = signal.iter().skip(1).rev().map(|z| (z.0, -z.1)).collect();
    all.extend_from_slice(signal);
    for n in 1..=MOST {
        // Z_{k+n} = Σ p_j Z_{k+j}, real and imaginary parts apart.
        let mut columns = vec![Vec::new(); 2 * n];
        let mut y = Vec::new();
        for window in all.windows(n + 1) {
            for (j, z) in window[..n].iter().enumerate() {
                columns[2 * j].extend([z.0, z.1]);
                columns[2 * j + 1].extend([-z.1, z.0]);
            }
            y.extend([window[n].0, window[n].1]);
        }
        let fit = linear::fit(&columns, &y, 0.0);
        if fit.residual > tolerance {
            continue;
        }
        let p: Vec<Complex> = fit.values.chunks(2).map(|v| (v[0], v[1])).collect();
        let times: Vec<f64> = roots(&p)
            .iter()
            .map(|z| scalar::atan2(z.1, z.0) / PHASE)
            .collect();
        let mut columns = vec![Vec::new(); n];
        let mut y = Vec::new();
        for (k, z) in signal.iter().enumerate() {
            for (column, c) in columns.iter_mut().zip(&times) {
                let (s, r) = scalar::sincos(c * PHASE * k as f64);
                column.extend([r, s]);
            }
            y.extend([z.0, z.1]);
        }
        let fit = linear::fit(&columns, &y, 0.0);
        if fit.residual > BY_FAR * tolerance {
            return None;
        }
        let mut out: Vec<(f64, f64)> = times.into_iter().zip(fit.values).collect();
        out.sort_by(|a, b| a.0.total_cmp(&b.0));
        return Some(out);
    }
    None
}

/// Roots of zⁿ − Σ pⱼ zʲ, by Durand and Kerner.
fn roots(p: &[Complex]) -> Vec<Complex> {
    let n = p.len();
    let value = |z: Complex| {
        let mut sum = (0.0, 0.0);
        let mut power = (1.0, 0.0);
        for c in p {
            let term = times(*c, power);
            sum = (sum.0 - term.0, sum.1 - term.1);
            power = times(power, z);
        }
        (sum.0 + power.0, sum.1 + power.1)
    };
    let mut z: Vec<Complex> = (0..n)
        .map(|k| {
            let (s, c) = scalar::sincos(0.4 + 2.0 * PI * k as f64 / n as f64);
            (c, s)
        })
        .collect();
    for _ in 0..200 {
        for i in 0..n {
            let mut below = (1.0, 0.0);
            for j in (0..n).filter(|j| *j != i) {
                below = times(below, (z[i].0 - z[j].0, z[i].1 - z[j].1));
            }
            let size = below.0 * below.0 + below.1 * below.1;
            if size == 0.0 {
                continue;
            }
            let q = times(value(z[i]), (below.0 / size, -below.1 / size));
            z[i] = (z[i].0 - q.0, z[i].1 - q.1);
        }
    }
    z
}
