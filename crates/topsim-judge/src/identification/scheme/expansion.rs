//! Measures the series of a step.

use super::fingerprint::{Coefficient, Fingerprint, Remainder};
use super::linear;
use super::questioner::{PseudoRandom, Questioner, SERIES, Step};
use crate::identification::experiment::{Load, Probe, Start};
use crate::identification::floor::Floor;
use crate::thresholds::{COARSELY, HUNDREDTH, OTHER_FACTOR, ROUNDINGS};
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_model::Rule as Stepped;
use topsim_model::step_terms::{Term, TermOfStep, Terms, attitude_terms, rate_terms};

/// Lengths of the steps of a start: nodes of Chebyshev.
const NODES: usize = 9;

/// The series of the first step, and of the second where its start is known exactly too.
pub(super) struct Series {
    pub first: Fingerprint,
    pub later: Fingerprint,
}

/// Asks for 72 runs of two steps.
pub(super) fn fingerprint(bench: &Questioner, noise: f64, floor: &Floor) -> Series {
    let mut chance = PseudoRandom::new(3);
    let noisy = noise > ROUNDINGS;
    let longest = if noisy { 0.2 } else { SERIES.step };
    let nodes: Vec<f64> = (0..NODES)
        .map(|j| {
            let a = core::f64::consts::PI * (2 * j + 1) as f64 / (2 * NODES) as f64;
            longest * 0.5 * (1.0 - topsim_core::math::scalar::cos(a))
        })
        .collect();
    let starts: Vec<Start> = (0..SERIES.starts)
        .map(|_| bench.start(&mut chance, &SERIES))
        .collect();
    let probes: Vec<Probe> = starts
        .iter()
        .flat_map(|s| nodes.iter().map(|h| Probe::new(s, *h, SERIES.steps)))
        .collect();
    let rows = bench.ask(&probes);
    // For each start and node, what each of the two steps gains.
    let mut gains: Vec<Vec<[Vec3; 4]>> = Vec::new();
    let mut used = Vec::new();
    for (start, rows) in starts.iter().zip(rows.chunks(NODES)) {
        if rows.iter().any(|r| r.len() < 3) {
            continue;
        }
        used.push(start);
        gains.push(
            rows.iter()
                .map(|r| {
                    [
                        r[1].omega - start.omega,
                        so3::log(&start.att.tr_mul(&r[1].att)),
                        r[2].omega - r[1].omega,
                        so3::log(&r[1].att.tr_mul(&r[2].att)),
                    ]
                })
                .collect(),
        );
    }
    if used.len() < 5 {
        return Series {
            first: Fingerprint::default(),
            later: Fingerprint::default(),
        };
    }
    let orders = if noisy { 6 } else { NODES };
    let weights = expansion(&nodes, longest, orders);
    let parts = Parts {
        starts: &used,
        gains: &gains,
        weights: &weights,
        nodes: &nodes,
        noise,
        floor,
    };
    let limit = if noisy { COARSELY } else { OTHER_FACTOR };
    let first = Fingerprint::measured(
        limit,
        parts.fit(0, &rate_terms(), |_| 1.0),
        parts.fit(1, &attitude_terms(), |_| 1.0),
    );
    // From h to 2h: ((2h)ⁿ − hⁿ) times the same terms.
    let grown = |n: usize| f64::from((1u32 << n) - 1);
    let mut later = Fingerprint::measured(
        limit,
        parts.fit(2, &rate_terms(), grown),
        parts.fit(3, &attitude_terms(), grown),
    );
    own_terms(&mut later, &first);
    Series { first, later }
}

/// Weights that make the coefficients of h, h², … of values at the nodes.
fn expansion(nodes: &[f64], longest: f64, orders: usize) -> Vec<Vec<f64>> {
    let columns: Vec<Vec<f64>> = (1..=orders)
        .map(|k| nodes.iter().map(|h| (h / longest).powi(k as i32)).collect())
        .collect();
    let mut out = vec![vec![0.0; nodes.len()]; orders];
    for j in 0..nodes.len() {
        let mut unit = vec![0.0; nodes.len()];
        unit[j] = 1.0;
        for (k, v) in linear::fit(&columns, &unit, 0.0).values.iter().enumerate() {
            out[k][j] = v / longest.powi(k as i32 + 1);
        }
    }
    out
}

struct Parts<'a> {
    starts: &'a [&'a Start],
    gains: &'a [Vec<[Vec3; 4]>],
    weights: &'a [Vec<f64>],
    nodes: &'a [f64],
    noise: f64,
    floor: &'a Floor,
}

impl Parts<'_> {
    /// Fits one of the four gains; `grown(n)` is what the exact factor of order n is multiplied by.
    fn fit(
        &self,
        gain: usize,
        rows: &[TermOfStep],
        grown: impl Fn(usize) -> f64,
    ) -> (Vec<Coefficient>, Vec<Remainder>) {
        let terms: Vec<Terms> = self.starts.iter().map(|s| Terms::new(s)).collect();
        let (mut out, mut left) = (Vec::new(), Vec::new());
        for order in 1..=3 {
            let weights = &self.weights[order - 1];
            let sum = |g: &Vec<[Vec3; 4]>| -> Vec3 {
                g.iter().zip(weights).map(|(g, w)| g[gain] * *w).sum()
            };
            let values: Vec<Vec3> = self.gains.iter().map(sum).collect();
            // Rates are near 2.3 rad/s, angles near h times that.
            let floor: f64 = weights
                .iter()
                .zip(self.nodes)
                .map(|(w, h)| {
                    let size = if gain.is_multiple_of(2) {
                        2.3
                    } else {
                        1.0_f64.max(2.3 * h)
                    };
                    let noise = self.noise.max(self.floor.at(*h));
                    (w * size * noise).powi(2)
                })
                .sum::<f64>()
                .sqrt();
            let flat = |v: &[Vec3]| v.iter().flat_map(|v| [v.x, v.y, v.z]).collect::<Vec<_>>();
            // Free bodies have no terms of a torque.
            let is_there = |r: &&TermOfStep| terms.iter().any(|t| (r.3)(t) != Vec3::zeros());
            let of_order = rows.iter().filter(|r| r.0 == order);
            let used: Vec<&TermOfStep> = of_order.filter(is_there).collect();
            let column = |r: &TermOfStep, map: &dyn Fn(usize, Vec3) -> Vec3| {
                let v: Vec<Vec3> = terms
                    .iter()
                    .enumerate()
                    .map(|(i, t)| map(i, (r.3)(t)))
                    .collect();
                flat(&v)
            };
            let size = values.iter().map(Vec3::norm_squared).sum::<f64>();
            let size = (size / (3 * values.len()) as f64).sqrt().max(1e-300);
            let across = |i: usize, v: Vec3| {
                let u = terms[i].w.normalize();
                v - u * u.dot(&v)
            };
            let fit_of = |used: &[&TermOfStep], map: &dyn Fn(usize, Vec3) -> Vec3| {
                let columns: Vec<Vec<f64>> = used.iter().map(|r| column(r, map)).collect();
                let y: Vec<Vec3> = values.iter().enumerate().map(|(i, v)| map(i, *v)).collect();
                linear::fit(&columns, &flat(&y), floor)
            };
            let is_plain = |t: Term| t < Term::CarriedTorque;
            let plain: Vec<&TermOfStep> = used.iter().copied().filter(|r| is_plain(r.1)).collect();
            let keep = |_: usize, v: Vec3| v;
            let mut chosen = plain;
            let mut fit = fit_of(&chosen, &keep);
            if fit.residual > OTHER_FACTOR * size && used.len() > chosen.len() {
                let wider = fit_of(&used, &keep);
                if wider.residual < HUNDREDTH * fit.residual {
                    (chosen, fit) = (used, wider);
                }
            }
            for (i, row) in chosen.iter().enumerate() {
                out.push(Coefficient {
                    order,
                    term: row.1,
                    value: fit.values[i],
                    exact: row.2 * grown(order),
                    error: 10.0 * fit.errors[i] + 2e-6,
                });
            }
            let beside = fit_of(&chosen, &across).residual;
            left.push(Remainder {
                order,
                all: (fit.residual - 10.0 * floor).max(0.0) / size,
                across: (beside - 10.0 * floor).max(0.0) / size,
            });
        }
        (out, left)
    }
}

/// Takes from the factors of order 2 what the first step's change of the state adds in the second step; then they are those of
/// a step from its own start.
fn own_terms(later: &mut Fingerprint, first: &Fingerprint) {
    let of =
        |all: &[Coefficient], term| all.iter().find(|c| c.term == term).map_or(1.0, |c| c.value);
    let step = |term| of(&later.rate, term);
    let (torque, gyro, rate) = (
        step(Term::Torque),
        step(Term::Gyro),
        of(&later.attitude, Term::Rate),
    );
    let moved = |term| match term {
        Term::TorqueTurning => torque * of(&first.attitude, Term::Rate),
        Term::GyroTorque => gyro * of(&first.rate, Term::Torque),
        Term::GyroGyro => gyro * of(&first.rate, Term::Gyro),
        Term::Torque => rate * of(&first.rate, Term::Torque),
        Term::Gyro => rate * of(&first.rate, Term::Gyro),
        _ => 0.0,
    };
    for c in later.rate.iter_mut().chain(&mut later.attitude) {
        if c.order == 2 {
            c.value -= moved(c.term);
            c.exact = match c.term {
                Term::TorqueTurning | Term::GyroTorque | Term::GyroGyro => 0.5,
                Term::Torque | Term::Gyro => 0.5,
                _ => 0.0,
            };
        }
    }
    // Of third order they are not taken apart.
    later.rate.retain(|c| c.order < 3);
    later.attitude.retain(|c| c.order < 3);
    later.rate_left.retain(|c| c.order < 3);
    later.attitude_left.retain(|c| c.order < 3);
}

/// Returns the factors of h and h² of steps from states that nobody chose: what the motion leaves of them is the sum of the errors of
/// their steps, and errors of each term are followed along the motion.
pub(super) fn of_steps(steps: &[Step], noise: f64) -> Fingerprint {
    // The change of other torques along the motion is no term.
    let known = |s: &Step| matches!(s.body.load, Load::None | Load::Gravity { .. });
    if steps.is_empty() || !steps.iter().all(known) {
        return Fingerprint::default();
    }
    let (rate, attitude) = (rate_terms(), attitude_terms());
    let rows = rate.iter().map(|r| (r, false));
    let rows: Vec<(&TermOfStep, bool)> = rows.chain(attitude.iter().map(|r| (r, true))).collect();
    let mut ends: Vec<Followed> = Vec::new();
    for step in steps {
        ends.push(Followed::new(step, &rows));
    }
    let column = |k: usize| -> Vec<f64> { ends.iter().flat_map(|e| e.by_term[k]).collect() };
    let errors: Vec<f64> = ends.iter().flat_map(|e| e.missed).collect();
    let fit_of = |used: &[usize]| {
        let columns: Vec<Vec<f64>> = used.iter().map(|k| column(*k)).collect();
        linear::fit(&columns, &errors, noise)
    };
    let used = (0..rows.len()).filter(|k| column(*k).iter().any(|x| *x != 0.0));
    let used: Vec<usize> = used.collect();
    let is_plain = |k: &usize| rows[*k].0.1 < Term::CarriedTorque || rows[*k].1;
    let mut chosen: Vec<usize> = used.iter().copied().filter(is_plain).collect();
    let mut fit = fit_of(&chosen);
    if used.len() > chosen.len() {
        let wider = fit_of(&used);
        if wider.residual < HUNDREDTH * fit.residual {
            (chosen, fit) = (used, wider);
        }
    }
    // What terms of the fourth order leave of the others, if they are about as wrong as those of the third.
    let third = chosen.iter().zip(&fit.values);
    let third = third.filter(|(k, _)| rows[**k].0.0 == 3);
    let third = third.map(|(_, x)| x.abs()).fold(0.0, f64::max);
    let turn = steps.iter().map(|s| s.h * s.from.1.norm());
    let turn = turn.fold(0.0, f64::max);
    let part = |of_attitude: bool| {
        let (mut out, mut left) = (Vec::new(), Vec::new());
        // Terms of the third order take up what would else be left of it.
        for order in 1..=2 {
            let mut exact = vec![0.0; errors.len()];
            for (i, k) in chosen.iter().enumerate() {
                let (row, attitude) = rows[*k];
                if row.0 != order || attitude != of_attitude {
                    continue;
                }
                out.push(Coefficient {
                    order,
                    term: row.1,
                    value: row.2 + fit.values[i],
                    exact: row.2,
                    error: 10.0 * fit.errors[i] + third * turn.powi(4 - order as i32) + 2e-6,
                });
                for (sum, x) in exact.iter_mut().zip(column(*k)) {
                    *sum += x * row.2;
                }
            }
            let size = exact.iter().map(|x| x * x).sum::<f64>() / exact.len() as f64;
            left.push(Remainder {
                order,
                all: fit.residual / size.sqrt().max(f64::MIN_POSITIVE),
                // The part along the rate is not taken apart.
                across: f64::INFINITY,
            });
        }
        (out, left)
    };
    Fingerprint::measured(COARSELY, part(false), part(true))
}

/// Size of the factor whose effect is followed: its square is far below it, and rounding far below its effect.
const FOLLOWED: f64 = 1e-5;

/// Steps beside the motion from their first state: turns in rad, and rates over the first one.
struct Followed {
    /// Difference of the rows from the motion.
    missed: [f64; 6],
    /// Effect of each term with the factor 1 in each step.
    by_term: Vec<[f64; 6]>,
}

impl Followed {
    fn new(step: &Step, rows: &[(&TermOfStep, bool)]) -> Self {
        let flow = Stepped::Flow.once();
        let end = |term: Option<&(&TermOfStep, bool)>| {
            step.repeated(|t, from| {
                let mut to = step.single(t, from).advanced(&flow);
                if let Some((row, of_attitude)) = term {
                    let start = Start {
                        att: from.0,
                        omega: from.1,
                        ..step.body.clone()
                    };
                    let by = (row.3)(&Terms::new(&start)) * step.h.powi(row.0 as i32) * FOLLOWED;
                    match of_attitude {
                        true => to.0 *= so3::exp(&by),
                        false => to.1 += by,
                    }
                }
                to
            })
        };
        let exact = end(None);
        let size = step.from.1.norm().max(1e-3);
        let off = |to: &(Mat3, Vec3)| -> [f64; 6] {
            let turn = so3::log(&exact.0.tr_mul(&to.0));
            let rate = (to.1 - exact.1) / size;
            [turn.x, turn.y, turn.z, rate.x, rate.y, rate.z]
        };
        Self {
            missed: off(&step.to),
            by_term: rows
                .iter()
                .map(|row| off(&end(Some(row))).map(|x| x / FOLLOWED))
                .collect(),
        }
    }
}
