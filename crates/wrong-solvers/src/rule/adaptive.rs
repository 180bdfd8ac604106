//! Dormand and Prince's rule with an error control as SciPy has it.

use super::numbers::{Numbers, numbers, plus, slope};
use super::{RunningRule, Slopes};
use topsim_core::models::RotState;

/// Nodes of Dormand and Prince's rule.
pub const NODES: [f64; 7] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
/// Rows of the rule; the last has the weights, too.
pub const ROWS: [[f64; 6]; 7] = [
    [0.0; 6],
    [0.2, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [
        19372.0 / 6561.0,
        -25360.0 / 2187.0,
        64448.0 / 6561.0,
        -212.0 / 729.0,
        0.0,
        0.0,
    ],
    [
        9017.0 / 3168.0,
        -355.0 / 33.0,
        46732.0 / 5247.0,
        49.0 / 176.0,
        -5103.0 / 18656.0,
        0.0,
    ],
    [
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
];
/// Weights of the error estimate.
pub const ERRORS: [f64; 7] = [
    -71.0 / 57600.0,
    0.0,
    71.0 / 16695.0,
    -71.0 / 1920.0,
    17253.0 / 339200.0,
    -22.0 / 525.0,
    1.0 / 40.0,
];

const DENSE: [[f64; 4]; 7] = [
    [
        1.0,
        -8048581381.0 / 2820520608.0,
        8663915743.0 / 2820520608.0,
        -12715105075.0 / 11282082432.0,
    ],
    [0.0; 4],
    [
        0.0,
        131558114200.0 / 32700410799.0,
        -68118460800.0 / 10900136933.0,
        87487479700.0 / 32700410799.0,
    ],
    [
        0.0,
        -1754552775.0 / 470086768.0,
        14199869525.0 / 1410260304.0,
        -10690763975.0 / 1880347072.0,
    ],
    [
        0.0,
        127303824393.0 / 49829197408.0,
        -318862633887.0 / 49829197408.0,
        701980252875.0 / 199316789632.0,
    ],
    [
        0.0,
        -282668133.0 / 205662961.0,
        2019193451.0 / 616988883.0,
        -1453857185.0 / 822651844.0,
    ],
    [
        0.0,
        40617522.0 / 29380423.0,
        -110615467.0 / 29380423.0,
        69997945.0 / 29380423.0,
    ],
];

/// An accepted step, with its stages.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    from: f64,
    length: f64,
    x: Numbers,
    stages: [Numbers; 7],
}

impl Piece {
    fn new(f: Slopes, from: f64, length: f64, x: Numbers) -> (Self, Numbers) {
        let mut stages = [[0.0; 7]; 7];
        let mut end = x;
        for i in 0..7 {
            let parts: Vec<(f64, &Numbers)> =
                (0..i).map(|k| (length * ROWS[i][k], &stages[k])).collect();
            end = plus(&x, &parts);
            stages[i] = slope(f, from + NODES[i] * length, &end);
        }
        (
            Self {
                from,
                length,
                x,
                stages,
            },
            end,
        )
    }

    fn error(&self, end: &Numbers, relative: f64, absolute: f64) -> f64 {
        let one = |i: usize| {
            let e: f64 = (0..7).map(|k| ERRORS[k] * self.stages[k][i]).sum();
            let scale = absolute + relative * self.x[i].abs().max(end[i].abs());
            (e * self.length / scale).powi(2)
        };
        ((0..7).map(one).sum::<f64>() / 7.0).sqrt()
    }

    /// Shampine's interpolation of order 4.
    fn at(&self, t: f64) -> Numbers {
        let z = (t - self.from) / self.length;
        let weight = |p: &[f64; 4]| z * (p[0] + z * (p[1] + z * (p[2] + z * p[3])));
        let weighted = DENSE.iter().zip(&self.stages);
        let parts: Vec<(f64, &Numbers)> = weighted
            .map(|(p, k)| (weight(p) * self.length, k))
            .collect();
        plus(&self.x, &parts)
    }
}

impl RunningRule {
    pub(super) fn controlled(
        &mut self,
        f: Slopes,
        (t, to): (f64, f64),
        y: &RotState,
        (relative, absolute): (f64, f64),
    ) -> Numbers {
        let (mut piece, mut end, mut next) = self.piece.take().unwrap_or_else(|| {
            let x = numbers(y);
            let length = first_step(f, t, &x, (relative, absolute), self.end - t);
            (
                Piece {
                    from: t,
                    length: 0.0,
                    x,
                    stages: [[0.0; 7]; 7],
                },
                x,
                length,
            )
        });
        while piece.from + piece.length < to * (1.0 - 1e-15) {
            let from = piece.from + piece.length;
            let x = end;
            let mut rejected = false;
            (piece, end) = loop {
                let length = next.min(self.end - from);
                let (trial, mut ended) = Piece::new(f, from, length, x);
                // A motion that has no end here: steps would shrink for ever.
                if length < 1e-13 {
                    ended = [f64::NAN; 7];
                }
                let error = trial.error(&ended, relative, absolute);
                let factor = 0.9 * error.powf(-0.2);
                if !(error >= 1.0) || length < 1e-13 {
                    let most = if rejected { 1.0 } else { 10.0 };
                    next = length * if error == 0.0 { 10.0 } else { factor.min(most) };
                    break (trial, ended);
                }
                rejected = true;
                next = length * factor.max(0.2);
            };
        }
        let out = if (piece.from + piece.length - to).abs() <= 1e-15 {
            end
        } else {
            piece.at(to)
        };
        self.piece = Some((piece, end, next));
        out
    }
}

/// SciPy's choice of a first step.
fn first_step(f: Slopes, t: f64, x: &Numbers, (relative, absolute): (f64, f64), span: f64) -> f64 {
    let norm = |v: &Numbers| {
        let one = |i: usize| (v[i] / (absolute + relative * x[i].abs())).powi(2);
        ((0..7).map(one).sum::<f64>() / 7.0).sqrt()
    };
    let f0 = slope(f, t, x);
    let (d0, d1) = (norm(x), norm(&f0));
    let h0 = if d0 < 1e-5 || d1 < 1e-5 {
        1e-6
    } else {
        0.01 * d0 / d1
    };
    let h0 = h0.min(span);
    let f1 = slope(f, t + h0, &plus(x, &[(h0, &f0)]));
    let d2 = norm(&core::array::from_fn(|i| f1[i] - f0[i])) / h0;
    let h1 = if d1 <= 1e-15 && d2 <= 1e-15 {
        1e-6_f64.max(1e-3 * h0)
    } else {
        (0.01 / d1.max(d2)).powf(0.2)
    };
    (100.0 * h0).min(h1).min(span)
}
