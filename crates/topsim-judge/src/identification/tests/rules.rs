//! Rules that carry equations of motion, written from scratch.

use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::RotState;

/// The rate of turning and the acceleration, in the body, at a time, an attitude and a rate.
pub(super) type Slopes<'a> = &'a dyn Fn(f64, &Mat3, &Vec3) -> (Vec3, Vec3);

/// How equations are stepped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Rule {
    ExplicitEuler,
    SemiImplicitEuler,
    ImplicitEuler,
    /// Of the explicit rule: semi-implicit Euler on quaternions that are advanced linearly.
    QuaternionEuler,
    /// Explicit Euler on the rate in space; the attitude turns with the new one.
    SpaceEuler,
    Heun,
    Midpoint,
    Rk4,
    Rk4RotationVector,
    Rk4Matrix,
    /// Half a kick, a turn, and the adjoint of the half kick.
    Strang,
    ImplicitMidpoint,
    Trapezoidal,
    Ab2,
    Bdf2,
    /// RK4 with many steps of its own.
    Fine,
    /// Semi-implicit Euler with steps of about this of its own, s.
    OwnSteps(f64),
    /// Dormand and Prince's rule with an error control as SciPy has it, and its dense output.
    Adaptive {
        relative: f64,
        absolute: f64,
    },
    /// The rule of order 8 of Gragg, Bulirsch and Stoer with as many parts as a tolerance wants.
    Extrapolated(f64),
}

pub(super) const FIXED: [Rule; 17] = [
    Rule::ExplicitEuler,
    Rule::SemiImplicitEuler,
    Rule::ImplicitEuler,
    Rule::QuaternionEuler,
    Rule::SpaceEuler,
    Rule::Heun,
    Rule::Midpoint,
    Rule::Rk4,
    Rule::Rk4RotationVector,
    Rule::Rk4Matrix,
    Rule::Strang,
    Rule::ImplicitMidpoint,
    Rule::Trapezoidal,
    Rule::Ab2,
    Rule::Bdf2,
    Rule::Fine,
    Rule::OwnSteps(0.0005),
];

pub(super) const CONTROLLED: [Rule; 6] = [
    Rule::Adaptive {
        relative: 1e-3,
        absolute: 1e-6,
    },
    Rule::Adaptive {
        relative: 1e-6,
        absolute: 1e-9,
    },
    Rule::Adaptive {
        relative: 1e-8,
        absolute: 1e-10,
    },
    Rule::Adaptive {
        relative: 1e-11,
        absolute: 1e-13,
    },
    Rule::Extrapolated(1e-7),
    Rule::Extrapolated(1e-12),
];

/// A quaternion and a rate.
type Numbers = [f64; 7];

fn numbers(y: &RotState) -> Numbers {
    let [a, b, c, d] = so3::quat_from_matrix(&y.att);
    [a, b, c, d, y.omega.x, y.omega.y, y.omega.z]
}

fn state(x: &Numbers) -> RotState {
    let n = x[..4].iter().map(|x| x * x).sum::<f64>().sqrt();
    RotState {
        att: so3::matrix_from_quat(&[x[0] / n, x[1] / n, x[2] / n, x[3] / n]),
        omega: Vec3::new(x[4], x[5], x[6]),
    }
}

fn plus(x: &Numbers, parts: &[(f64, &Numbers)]) -> Numbers {
    core::array::from_fn(|i| x[i] + parts.iter().map(|(c, k)| c * k[i]).sum::<f64>())
}

fn slope(f: Slopes, t: f64, x: &Numbers) -> Numbers {
    let y = state(x);
    let (u, a) = f(t, &y.att, &y.omega);
    let [w, b, c, d] = [x[0], x[1], x[2], x[3]].map(|x| 0.5 * x);
    [
        -b * u.x - c * u.y - d * u.z,
        w * u.x + c * u.z - d * u.y,
        w * u.y + d * u.x - b * u.z,
        w * u.z + b * u.y - c * u.x,
        a.x,
        a.y,
        a.z,
    ]
}

/// The nodes, rows and weights of Dormand and Prince's rule.
const NODES: [f64; 7] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
const ROWS: [[f64; 6]; 7] = [
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
const ERRORS: [f64; 7] = [
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
struct Piece {
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

/// A rule in the middle of a run.
#[derive(Debug, Clone)]
pub(super) struct Carrier {
    rule: Rule,
    /// The end of the run, s.
    end: f64,
    /// Slopes of the step before.
    before: Option<(Vec3, Vec3)>,
    /// Rows, of a rule that goes on from them.
    rows: Vec<Numbers>,
    piece: Option<(Piece, Numbers, f64)>,
}

fn moved(y: &RotState, u: Vec3, a: Vec3, h: f64) -> RotState {
    RotState {
        att: y.att * so3::exp(&(u * h)),
        omega: y.omega + a * h,
    }
}

fn rk4<const N: usize>(h: f64, y: [f64; N], f: impl Fn(f64, &[f64; N]) -> [f64; N]) -> [f64; N] {
    let at = |k: &[f64; N], c: f64| -> [f64; N] { core::array::from_fn(|i| y[i] + c * k[i]) };
    let k1 = f(0.0, &y);
    let k2 = f(0.5 * h, &at(&k1, 0.5 * h));
    let k3 = f(0.5 * h, &at(&k2, 0.5 * h));
    let k4 = f(h, &at(&k3, h));
    core::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}

/// The solution of x = g(x) near `x`.
fn fixed_point(x: Numbers, g: impl Fn(&Numbers) -> Numbers) -> Numbers {
    let mut x = x;
    for _ in 0..100 {
        let next = g(&x);
        let change = (0..7).map(|i| (next[i] - x[i]).abs()).fold(0.0, f64::max);
        x = next;
        if change < 1e-15 {
            break;
        }
    }
    x
}

impl Carrier {
    pub fn new(rule: Rule, end: f64) -> Self {
        Self {
            rule,
            end,
            before: None,
            rows: Vec::new(),
            piece: None,
        }
    }

    /// Whether the state of a run is its own between rows, and must not be touched.
    pub fn owns_state(rule: Rule) -> bool {
        matches!(rule, Rule::Adaptive { .. } | Rule::Bdf2)
    }

    pub fn step(&mut self, f: Slopes, t: f64, h: f64, y: &mut RotState) {
        match self.rule {
            Rule::ExplicitEuler => {
                let (u, a) = f(t, &y.att, &y.omega);
                *y = moved(y, u, a, h);
            }
            Rule::SemiImplicitEuler | Rule::QuaternionEuler => {
                let (_, a) = f(t, &y.att, &y.omega);
                let omega = y.omega + a * h;
                let (u, _) = f(t, &y.att, &omega);
                if self.rule == Rule::SemiImplicitEuler {
                    *y = moved(y, u, a, h);
                } else {
                    let k = slope(&|_, _, _| (u, a), t, &numbers(y));
                    *y = state(&plus(&numbers(y), &[(h, &k)]));
                }
            }
            Rule::ImplicitEuler => {
                let x = numbers(y);
                let end = fixed_point(x, |z| plus(&x, &[(h, &slope(f, t + h, z))]));
                *y = state(&end);
            }
            Rule::SpaceEuler => {
                let (u, a) = f(t, &y.att, &y.omega);
                let omega = y.att * (y.omega + (a + u.cross(&y.omega)) * h);
                let (v, _) = f(t, &y.att, &y.att.tr_mul(&omega));
                y.att *= so3::exp(&(v * h));
                y.omega = y.att.tr_mul(&omega);
            }
            Rule::Heun => {
                let (u, a) = f(t, &y.att, &y.omega);
                let z = moved(y, u, a, h);
                let (v, b) = f(t + h, &z.att, &z.omega);
                *y = moved(y, (u + v) * 0.5, (a + b) * 0.5, h);
            }
            Rule::Midpoint => {
                let (u, a) = f(t, &y.att, &y.omega);
                let z = moved(y, u, a, 0.5 * h);
                let (v, b) = f(t + 0.5 * h, &z.att, &z.omega);
                *y = moved(y, v, b, h);
            }
            Rule::Rk4 => *y = state(&rk4(h, numbers(y), |d, x| slope(f, t + d, x))),
            Rule::Rk4RotationVector => {
                let start = y.att;
                let w = y.omega;
                let x = rk4(h, [0.0, 0.0, 0.0, w.x, w.y, w.z], |d, x| {
                    let turn = Vec3::new(x[0], x[1], x[2]);
                    let att = start * so3::exp(&turn);
                    let (u, a) = f(t + d, &att, &Vec3::new(x[3], x[4], x[5]));
                    let c = turn.cross(&u);
                    let n = turn.norm();
                    let k = if n < 1e-4 {
                        1.0 / 12.0
                    } else {
                        (1.0 - 0.5 * n / (0.5 * n).tan()) / (n * n)
                    };
                    let v = u + c * 0.5 + turn.cross(&c) * k;
                    [v.x, v.y, v.z, a.x, a.y, a.z]
                });
                y.att = start * so3::exp(&Vec3::new(x[0], x[1], x[2]));
                y.omega = Vec3::new(x[3], x[4], x[5]);
            }
            Rule::Rk4Matrix => {
                let mut x = [0.0; 12];
                x[..9].copy_from_slice(&so3::rows(&y.att));
                x[9..].copy_from_slice(y.omega.as_slice());
                let x = rk4(h, x, |d, x| {
                    let m = Mat3::from_row_slice(&x[..9]);
                    let (u, a) = f(t + d, &m, &Vec3::new(x[9], x[10], x[11]));
                    let mut k = [0.0; 12];
                    k[..9].copy_from_slice(&so3::rows(&(m * so3::hat(&u))));
                    k[9..].copy_from_slice(a.as_slice());
                    k
                });
                y.att = by_columns(&Mat3::from_row_slice(&x[..9]));
                y.omega = Vec3::new(x[9], x[10], x[11]);
            }
            Rule::Strang => {
                let (_, a) = f(t, &y.att, &y.omega);
                y.omega += a * (0.5 * h);
                let (u, _) = f(t, &y.att, &y.omega);
                y.att *= so3::exp(&(u * h));
                let w = y.omega;
                for _ in 0..60 {
                    let next = w + f(t + h, &y.att, &y.omega).1 * (0.5 * h);
                    let change = (next - y.omega).norm();
                    y.omega = next;
                    if change < 1e-15 {
                        break;
                    }
                }
            }
            Rule::ImplicitMidpoint => {
                let x = numbers(y);
                let end = fixed_point(x, |z| {
                    let middle = core::array::from_fn(|i| 0.5 * (x[i] + z[i]));
                    plus(&x, &[(h, &slope(f, t + 0.5 * h, &middle))])
                });
                *y = state(&end);
            }
            Rule::Trapezoidal => *y = state(&trapezoidal(f, t, h, &numbers(y))),
            Rule::Ab2 => {
                let now = f(t, &y.att, &y.omega);
                let (u, a) = match self.before.replace(now) {
                    None => {
                        let z = moved(y, now.0, now.1, h);
                        let (v, b) = f(t + h, &z.att, &z.omega);
                        ((now.0 + v) * 0.5, (now.1 + b) * 0.5)
                    }
                    Some((u, a)) => (now.0 * 1.5 - u * 0.5, now.1 * 1.5 - a * 0.5),
                };
                *y = moved(y, u, a, h);
            }
            Rule::Bdf2 => {
                let next = match self.rows[..] {
                    [.., a, b] => {
                        let from = core::array::from_fn(|i| (4.0 * b[i] - a[i]) / 3.0);
                        fixed_point(b, |z| plus(&from, &[(2.0 / 3.0 * h, &slope(f, t + h, z))]))
                    }
                    _ => {
                        self.rows.push(numbers(y));
                        trapezoidal(f, t, h, &numbers(y))
                    }
                };
                self.rows.push(next);
                *y = state(&next);
            }
            Rule::Fine => {
                for k in 0..8 {
                    let h = h / 8.0;
                    *y = state(&rk4(h, numbers(y), |d, x| {
                        slope(f, t + h * f64::from(k) + d, x)
                    }));
                }
            }
            Rule::OwnSteps(own) => {
                let n = (h / own).round().max(1.0);
                let mut inner = Self::new(Rule::SemiImplicitEuler, self.end);
                for k in 0..n as u32 {
                    inner.step(f, t + h / n * f64::from(k), h / n, y);
                }
            }
            Rule::Adaptive { relative, absolute } => {
                *y = state(&self.controlled(f, (t, t + h), y, (relative, absolute)));
            }
            Rule::Extrapolated(tolerance) => {
                let mut parts = 1;
                *y = loop {
                    let mut x = numbers(y);
                    let mut worst: f64 = 0.0;
                    for k in 0..parts {
                        let h = h / f64::from(parts);
                        let (next, error) = extrapolated(f, t + h * f64::from(k), h, &x);
                        x = next;
                        worst = worst.max(error);
                    }
                    if worst < tolerance || parts > 64 {
                        break state(&x);
                    }
                    parts *= 2;
                };
            }
        }
    }

    fn controlled(
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

fn trapezoidal(f: Slopes, t: f64, h: f64, x: &Numbers) -> Numbers {
    let from = plus(x, &[(0.5 * h, &slope(f, t, x))]);
    fixed_point(from, |z| plus(&from, &[(0.5 * h, &slope(f, t + h, z))]))
}

/// A step of order 8 by Gragg's rule with 2, 4, 6 and 8 parts, and its distance from that of order 6.
fn extrapolated(f: Slopes, t: f64, h: f64, x: &Numbers) -> (Numbers, f64) {
    let mut table: Vec<Numbers> = Vec::new();
    let parts = [2.0, 4.0, 6.0, 8.0];
    let mut error = 0.0;
    for (j, n) in parts.into_iter().enumerate() {
        let s = h / n;
        let (mut a, mut b) = (*x, plus(x, &[(s, &slope(f, t, x))]));
        for k in 1..n as usize {
            let next = plus(&a, &[(2.0 * s, &slope(f, t + s * k as f64, &b))]);
            (a, b) = (b, next);
        }
        let last = slope(f, t + h, &b);
        let mut entry: Numbers = core::array::from_fn(|i| 0.5 * (a[i] + b[i] + s * last[i]));
        for k in (0..j).rev() {
            let ratio = (n / parts[k]).powi(2);
            let old = core::mem::replace(&mut table[k], entry);
            let better = core::array::from_fn(|i| entry[i] + (entry[i] - old[i]) / (ratio - 1.0));
            error = (0..7)
                .map(|i| f64::abs(better[i] - entry[i]))
                .fold(0.0, f64::max);
            entry = better;
        }
        table.push(entry);
    }
    (*table.last().expect("there are four"), error)
}

/// Made orthogonal column by column.
pub(super) fn by_columns(m: &Mat3) -> Mat3 {
    let a = m.column(0).normalize();
    let b = (m.column(1) - a * a.dot(&m.column(1))).normalize();
    Mat3::from_columns(&[a, b, a.cross(&b)])
}
