//! Rules that carry equations of motion, written from scratch.

pub mod adaptive;
mod extrapolated;
mod numbers;
mod tableau;

use adaptive::Piece;
use extrapolated::extrapolated;
use numbers::{Numbers, fixed_point, numbers, plus, slope, state};
pub use numbers::{by_columns, rk4};
pub use tableau::Tableau;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::RotState;
use topsim_model::probe::nearest_rotation;

/// The rate of turning (rad/s) and the acceleration (rad/s²), in the body, at a time, an attitude and a rate.
pub type Slopes<'a> = &'a dyn Fn(f64, &Mat3, &Vec3) -> (Vec3, Vec3);

/// Rule by which equations are stepped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// Explicit Euler; the attitude by the exponential map.
    ExplicitEuler,
    /// Semi-implicit Euler: the attitude turns with the new rate.
    SemiImplicitEuler,
    /// Implicit Euler on quaternion and rate.
    ImplicitEuler,
    /// Semi-implicit Euler on quaternions that are advanced linearly.
    QuaternionEuler,
    /// Explicit Euler on the rate in space; the attitude turns with the new one.
    SpaceEuler,
    /// Heun's rule of order 2.
    Heun,
    /// The explicit midpoint rule.
    Midpoint,
    /// RK4 on quaternion and rate.
    Rk4,
    /// RK4 on rotation vector and rate.
    Rk4RotationVector,
    /// RK4 on matrix and rate, made orthogonal by columns.
    Rk4Matrix,
    /// RK4 on matrix and rate, brought to the nearest rotation.
    Rk4NearestMatrix,
    /// Half a kick, a turn, and the adjoint of the half kick.
    Strang,
    /// The implicit midpoint rule on quaternion and rate.
    ImplicitMidpoint,
    /// The trapezoidal rule on quaternion and rate.
    Trapezoidal,
    /// Adams and Bashforth's rule of order 2, begun with Heun's.
    Ab2,
    /// The backward differentiation formula of order 2, begun with the trapezoidal rule.
    Bdf2,
    /// RK4 with many steps of its own.
    Fine,
    /// Semi-implicit Euler with steps of about this of its own, s.
    OwnSteps(f64),
    /// Dormand and Prince's rule with an error control as SciPy has it, and its dense output.
    Adaptive {
        /// Relative tolerance.
        relative: f64,
        /// Absolute tolerance.
        absolute: f64,
    },
    /// The rule of order 8 of Gragg, Bulirsch and Stoer with as many parts as a tolerance wants.
    Extrapolated(f64),
    /// An explicit Runge–Kutta rule on quaternion and rate, normalised each step.
    Explicit(Tableau),
    /// RK4 on rotation vector and rate, whose derivative has so many commutators, two at most.
    Rk4Commutators(u8),
    /// The same, wrong: the first commutator has the wrong sign, alone, beside the second, or in the closed form; 4: dexp stands for
    /// its inverse; 5: the second commutator has 1/6 for 1/12; 6: the step's turn is made by Cayley's map.
    Rk4WrongVector(u8),
    /// Gauss's rule of order 4 on quaternion and rate.
    Gauss4 {
        /// True if the rows of its A stand in each other's places.
        exchanged: bool,
    },
    /// A rule with these weights of the slopes of three rows on quaternion and rate, begun with RK4.
    Ab3([f64; 3]),
    /// Adams and Bashforth's rule of order 2 on quaternion and rate, begun with RK4, that makes each step of so many by explicit Euler.
    Ab2Restarted(usize),
    /// Explicit Euler on quaternion and rate.
    ExplicitQuaternionEuler,
    /// The rate by explicit Euler; the attitude turns with the mean of the old and the new rate.
    MeanRateTurn,
    /// The implicit Euler rule; the attitude by the exponential map.
    ImplicitEulerTurn,
    /// A turn with the old rate, then a kick at the new attitude.
    TurnThenKick,
    /// The trapezoidal rule; the attitude by the exponential map of the mean rate.
    TrapezoidalTurn,
    /// Newmark's rule with this β, and γ = 1/2.
    Newmark(f64),
    /// The implicit midpoint rule; the attitude by the exponential map.
    MidpointTurn,
    /// The same, whose iteration ends where the rate changes by less than this, rad/s.
    LooseMidpoint(f64),
    /// The Lie–Newmark rule: an implicit half kick, a turn, an explicit half kick.
    LieNewmark,
    /// A half kick, a turn, and a half kick whose gyroscopic term is that of the middle.
    Verlet,
    /// A half kick, a turn, and a half kick whose gyroscopic term is that of the new rate, after so many rounds.
    IteratedKick(usize),
    /// The backward differentiation formula of the rate; the attitude as in the trapezoidal rule.
    Bdf2Turn,
    /// So many steps of another rule.
    Inner {
        /// The rule.
        rule: &'static Rule,
        /// Number of steps.
        count: u32,
    },
    /// Steps of another rule of about this length.
    Every {
        /// The rule.
        rule: &'static Rule,
        /// Length, s.
        step: f64,
    },
}

/// Rules without an error control, one of each.
pub const FIXED: [Rule; 17] = [
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

/// Rules that turn the attitude by the exponential map and have one order in all parts, one of each.
pub const TURNS: [Rule; 6] = [
    Rule::ImplicitEulerTurn,
    Rule::TurnThenKick,
    Rule::TrapezoidalTurn,
    Rule::Newmark(0.25),
    Rule::MidpointTurn,
    Rule::LieNewmark,
];

/// Rules with an error control.
pub const CONTROLLED: [Rule; 6] = [
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

impl Rule {
    /// Detects rules whose state is their own between rows, and must not be changed there.
    pub fn owns_state(self) -> bool {
        matches!(self, Self::Adaptive { .. } | Self::Bdf2)
    }
}

/// A rule in the middle of a run.
#[derive(Debug, Clone)]
pub struct RunningRule {
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

/// Returns the solution of w = g(w) near `w`.
fn settled(w: Vec3, g: impl Fn(&Vec3) -> Vec3) -> Vec3 {
    settled_to(0.0, w, g)
}

/// The same, to a change of less than `most`.
fn settled_to(most: f64, w: Vec3, g: impl Fn(&Vec3) -> Vec3) -> Vec3 {
    let mut w = w;
    for _ in 0..200 {
        let next = g(&w);
        let change = (next - w).norm();
        w = next;
        if change == 0.0 || change < most {
            break;
        }
    }
    w
}

fn trapezoidal(f: Slopes, t: f64, h: f64, x: &Numbers) -> Numbers {
    let from = plus(x, &[(0.5 * h, &slope(f, t, x))]);
    fixed_point(from, |z| plus(&from, &[(0.5 * h, &slope(f, t + h, z))]))
}

impl RunningRule {
    /// Starts a run that ends at `end`, s.
    pub fn new(rule: Rule, end: f64) -> Self {
        Self {
            rule,
            end,
            before: None,
            rows: Vec::new(),
            piece: None,
        }
    }

    /// Advances the state by a step of `h` from `t`, s.
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
            Rule::Rk4RotationVector | Rule::Rk4Commutators(_) | Rule::Rk4WrongVector(_) => {
                let start = y.att;
                let w = y.omega;
                let x = rk4(h, [0.0, 0.0, 0.0, w.x, w.y, w.z], |d, x| {
                    let turn = Vec3::new(x[0], x[1], x[2]);
                    let att = start * so3::exp(&turn);
                    let (u, a) = f(t + d, &att, &Vec3::new(x[3], x[4], x[5]));
                    let c = turn.cross(&u);
                    let n = turn.norm();
                    let v = match self.rule {
                        Rule::Rk4Commutators(0) => u,
                        Rule::Rk4Commutators(1) => u + c * 0.5,
                        Rule::Rk4Commutators(_) => u + c * 0.5 + turn.cross(&c) / 12.0,
                        Rule::Rk4WrongVector(1) => u - c * 0.5,
                        Rule::Rk4WrongVector(2) => u - c * 0.5 + turn.cross(&c) / 12.0,
                        Rule::Rk4WrongVector(4) if n < 1e-6 => u - c * 0.5,
                        Rule::Rk4WrongVector(4) => {
                            let double = turn.cross(&c) * ((n - n.sin()) / (n * n * n));
                            u - c * ((1.0 - n.cos()) / (n * n)) + double
                        }
                        Rule::Rk4WrongVector(5) => u + c * 0.5 + turn.cross(&c) / 6.0,
                        _ => {
                            let k = if n < 1e-4 {
                                1.0 / 12.0
                            } else {
                                (1.0 - 0.5 * n / (0.5 * n).tan()) / (n * n)
                            };
                            let side = match self.rule {
                                Rule::Rk4WrongVector(3) => -0.5,
                                _ => 0.5,
                            };
                            u + c * side + turn.cross(&c) * k
                        }
                    };
                    [v.x, v.y, v.z, a.x, a.y, a.z]
                });
                let turn = Vec3::new(x[0], x[1], x[2]);
                y.att = start
                    * match self.rule {
                        Rule::Rk4WrongVector(6) => so3::cayley(&turn),
                        _ => so3::exp(&turn),
                    };
                y.omega = Vec3::new(x[3], x[4], x[5]);
            }
            Rule::Rk4Matrix | Rule::Rk4NearestMatrix => {
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
                let m = Mat3::from_row_slice(&x[..9]);
                y.att = match self.rule {
                    Rule::Rk4Matrix => by_columns(&m),
                    _ => nearest_rotation(m),
                };
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
            Rule::OwnSteps(step) => {
                let count = (h / step).round().max(1.0) as u32;
                self.inner(Rule::SemiImplicitEuler, count, f, t, h, y);
            }
            Rule::Every { rule, step } => {
                let count = (h / step).round().max(1.0) as u32;
                self.inner(*rule, count, f, t, h, y);
            }
            Rule::Inner { rule, count } => self.inner(*rule, count, f, t, h, y),
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
            Rule::Explicit(tableau) => *y = state(&tableau.step(f, t, h, &numbers(y))),
            Rule::Gauss4 { exchanged } => {
                let root = 3.0_f64.sqrt() / 6.0;
                let mut a = [[0.25, 0.25 - root], [0.25 + root, 0.25]];
                if exchanged {
                    a.swap(0, 1);
                }
                let x = numbers(y);
                let mut k = [slope(f, t, &x); 2];
                for _ in 0..60 {
                    k = [0, 1].map(|i| {
                        let stage = plus(&x, &[(h * a[i][0], &k[0]), (h * a[i][1], &k[1])]);
                        slope(f, t + h * (a[i][0] + a[i][1]), &stage)
                    });
                }
                *y = state(&plus(&x, &[(0.5 * h, &k[0]), (0.5 * h, &k[1])]));
            }
            Rule::Ab3(_) | Rule::Ab2Restarted(_) => {
                let x = numbers(y);
                self.rows.push(slope(f, t, &x));
                let weights = match self.rule {
                    Rule::Ab3(weights) => weights,
                    Rule::Ab2Restarted(n) if (self.rows.len() - 1).is_multiple_of(n) => {
                        [1.0, 0.0, 0.0]
                    }
                    _ => [1.5, -0.5, 0.0],
                };
                let needed = if weights[2] == 0.0 { 2 } else { 3 };
                *y = state(&match self.rows[..] {
                    [.., past, now] if needed == 2 => {
                        plus(&x, &[(h * weights[0], &now), (h * weights[1], &past)])
                    }
                    [.., past2, past, now] => plus(
                        &x,
                        &[
                            (h * weights[0], &now),
                            (h * weights[1], &past),
                            (h * weights[2], &past2),
                        ],
                    ),
                    _ => rk4(h, x, |d, x| slope(f, t + d, x)),
                });
            }
            Rule::ExplicitQuaternionEuler => {
                let x = numbers(y);
                *y = state(&plus(&x, &[(h, &slope(f, t, &x))]));
            }
            _ => self.by_turns(f, t, h, y),
        }
    }

    /// Makes `count` steps of a rule that begins anew.
    fn inner(&self, rule: Rule, count: u32, f: Slopes, t: f64, h: f64, y: &mut RotState) {
        let n = f64::from(count);
        let mut inner = Self::new(rule, self.end);
        for k in 0..count {
            inner.step(f, t + h / n * f64::from(k), h / n, y);
        }
    }

    /// Makes a step of a rule that turns the attitude by the exponential map.
    fn by_turns(&mut self, f: Slopes, t: f64, h: f64, y: &mut RotState) {
        let (r, w) = (y.att, y.omega);
        let (u, a) = f(t, &r, &w);
        let turned = |rate: Vec3, h: f64| r * so3::exp(&(rate * h));
        let rate = |w: &Vec3| f(t, &r, w).0;
        match self.rule {
            Rule::MeanRateTurn => {
                y.omega += a * h;
                y.att = turned((u + rate(&y.omega)) * 0.5, h);
            }
            Rule::ImplicitEulerTurn => {
                y.omega = settled(w, |x| w + f(t + h, &turned(rate(x), h), x).1 * h);
                y.att = turned(rate(&y.omega), h);
            }
            Rule::TurnThenKick => {
                y.att = turned(u, h);
                y.omega += f(t + h, &y.att, &w).1 * h;
            }
            Rule::TrapezoidalTurn | Rule::Bdf2Turn => {
                let mean = |x: &Vec3| turned((u + rate(x)) * 0.5, h);
                let past = self
                    .before
                    .replace((w, a))
                    .filter(|_| self.rule == Rule::Bdf2Turn);
                y.omega = settled(w, |x| {
                    let b = f(t + h, &mean(x), x).1;
                    match past {
                        None => w + (a + b) * (0.5 * h),
                        Some((v, _)) => (w * 4.0 - v) / 3.0 + b * (h * 2.0 / 3.0),
                    }
                });
                y.att = mean(&y.omega);
            }
            Rule::Newmark(beta) => {
                let turn = |x: &Vec3| {
                    let b = (x - w) / (0.5 * h) - a;
                    turned(u + (a * (0.5 - beta) + b * beta) * h, h)
                };
                y.omega = settled(w, |x| w + (a + f(t + h, &turn(x), x).1) * (0.5 * h));
                y.att = turn(&y.omega);
            }
            Rule::MidpointTurn | Rule::LooseMidpoint(_) => {
                let most = match self.rule {
                    Rule::LooseMidpoint(most) => most,
                    _ => 0.0,
                };
                let half = |x: &Vec3| turned(rate(&((w + x) * 0.5)), 0.5 * h);
                y.omega = settled_to(most, w, |x| {
                    w + f(t + 0.5 * h, &half(x), &((w + x) * 0.5)).1 * h
                });
                y.att = turned(rate(&((w + y.omega) * 0.5)), h);
            }
            Rule::LieNewmark => {
                let middle = settled(w, |x| w + f(t, &r, x).1 * (0.5 * h));
                y.att = turned(rate(&middle), h);
                y.omega = middle + f(t + h, &y.att, &middle).1 * (0.5 * h);
            }
            Rule::Verlet => {
                let middle = w + a * (0.5 * h);
                y.att = turned(rate(&middle), h);
                y.omega = middle + f(t + h, &y.att, &middle).1 * (0.5 * h);
            }
            Rule::IteratedKick(rounds) => {
                let middle = w + a * (0.5 * h);
                y.att = turned(rate(&middle), h);
                y.omega = middle;
                for _ in 0..rounds {
                    y.omega = middle + f(t + h, &y.att, &y.omega).1 * (0.5 * h);
                }
            }
            rule => unreachable!("{rule:?} is stepped above"),
        }
    }
}
