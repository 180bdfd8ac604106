//! A generated solver: laws, a rule that carries them, what it does wrongly beside, and how it writes its rows.

use super::laws::{Equations, Outside, Wrong};
use super::rules::{self, Carrier, Rule};
use crate::identification::design::Random;
use crate::identification::experiment::{Answer, Probe, Row, Target};
use core::cell::Cell;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::RotState;

/// What becomes of numbers on the way out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Print {
    Whole,
    Single,
    /// Attitudes with all digits, rates in single precision.
    SingleRates,
    /// Significant digits.
    Digits(usize),
}

/// What a solver does wrongly beside its equations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Habit {
    None,
    /// W *= c in each step.
    Damped(f64),
    /// This is added to W in each step.
    Kicked([f64; 3]),
    /// Steps of this length whatever is asked for, s.
    FixedStep(f64),
    /// Steps of at most this, s.
    CutOff(f64),
    /// Steps rounded to a whole number of these, s.
    Rounded(f64),
    /// Whole steps of these, the rest is lost, s.
    WholeSteps(f64),
    /// |W| is no larger than this, rad/s.
    RateCap(f64),
    /// No component of W is.
    RateCapAxes(f64),
    /// Rates below this are set to zero, rad/s.
    Asleep(f64),
    /// The attitude is inverted where its angle passes π.
    Inverted,
    /// The attitude stays where its angle would pass π.
    Stuck,
    /// The absolute value of the quaternion's scalar is taken.
    ScalarPositive,
    /// The torque is computed in single precision.
    TorqueInSingle,
    /// The state is of single precision, and written with digits that it does not have.
    StateInSingle,
    /// The torque is that of the step before.
    StaleTorque,
    /// |J W| is put back after the gyroscopic term's part of the step.
    Momentum,
    /// W·J W is.
    Energy,
    /// The attitude's increment is 1 + hŴ, made orthogonal by columns.
    Truncated,
    /// A rule of Adams and Bashforth that begins with slopes that are zero.
    ZeroHistory,
    /// The trapezoidal rule of the rate with an acceleration that is zero at the start.
    ZeroAcceleration,
    /// Semi-implicit Euler in space, with the inertia turned as the step before.
    InertiaLate,
    /// The torque of the start of the step, held in space while the body turns.
    TorqueHeldInSpace,
    /// Quaternions are not normalised, and grow.
    NotNormalised,
}

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Report {
    Plain,
    Transposed,
    /// The columns w, x, y, z hold `signs[i] q[order[i]]`.
    Components {
        order: [usize; 4],
        signs: [f64; 4],
    },
    /// Angles of a sequence, put together as those of another.
    Euler {
        angles: [usize; 3],
        together: [usize; 3],
        reversed: bool,
    },
    Degrees,
    RateInSpace,
    RateBack,
    RateReversed,
    RateUnit(f64),
    /// The mean of the rates of this row and the row before.
    HalfStepEarly,
    /// The rate of half a step later.
    HalfStepLate,
    /// The rate of the row before.
    StepEarly,
    /// Rows are stamped a step late.
    LateStamps,
    /// A transposed attitude and a rate in degrees.
    TransposedDegrees,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Solver {
    pub laws: Vec<Wrong>,
    pub rule: Rule,
    pub habit: Habit,
    pub report: Report,
    pub print: Print,
}

impl Solver {
    fn run(&self, p: &Probe) -> Vec<(f64, RotState)> {
        let equations = Equations {
            laws: &self.laws,
            start: &p.start,
            held: Cell::new(None),
            single_torque: self.habit == Habit::TorqueInSingle,
        };
        let mut y = RotState {
            att: p.start.att,
            omega: p.start.omega,
        };
        for law in &self.laws {
            if let Wrong::Outside(Outside::Lagged { from_zero, .. }) = law {
                let torque = equations.torque(0.0, &y.att, &y.omega);
                let begun = if *from_zero { Vec3::zeros() } else { torque };
                equations.held.set(Some(begun));
            }
        }
        let made = self.made(p.step);
        let mut carrier = Carrier::new(self.rule, p.from + p.step * p.steps as f64);
        let mut state = Habits::default();
        let mut rows = vec![(1.0, y)];
        let mut length = 1.0;
        for n in 0..p.steps {
            let t = p.from + made * n as f64;
            state.step(self, &equations, &mut carrier, (t, made), &mut y);
            equations.advance(t + made, made, &y.att, &y.omega);
            if self.habit == Habit::NotNormalised {
                length *= (1.0 + (0.5 * made * y.omega.norm()).powi(2)).sqrt();
            }
            rows.push((length, y));
        }
        rows
    }

    /// The step that is made, s.
    fn made(&self, h: f64) -> f64 {
        match self.habit {
            Habit::FixedStep(x) => x,
            Habit::CutOff(x) => h.min(x),
            Habit::Rounded(x) => (h / x).round() * x,
            Habit::WholeSteps(x) => (h / x + 1e-9).floor() * x,
            _ => h,
        }
    }

    pub fn rows(&self, p: &Probe) -> Vec<Row> {
        let states = self.run(p);
        let seen = |x: f64| match self.print {
            Print::Whole | Print::SingleRates => x,
            Print::Single => f64::from(x as f32),
            Print::Digits(n) => format!("{x:.*e}", n - 1).parse().unwrap(),
        };
        let seen_rate = |x: f64| match self.print {
            Print::SingleRates => f64::from(x as f32),
            _ => seen(x),
        };
        let row = |n: usize| {
            let (length, y) = &states[n];
            let before = &states[n.saturating_sub(1)].1;
            let mut att = y.att;
            let mut omega = y.omega;
            let s = &p.start;
            match self.report {
                Report::Degrees | Report::TransposedDegrees => {
                    omega *= 180.0 / core::f64::consts::PI
                }
                Report::RateInSpace => omega = att * omega,
                Report::RateBack => omega = att.tr_mul(&omega),
                Report::RateReversed => omega = -omega,
                Report::RateUnit(c) => omega *= c,
                Report::HalfStepEarly if n > 0 => omega = (omega + before.omega) * 0.5,
                Report::HalfStepEarly => {
                    omega -= s.acceleration(0.0, &att, &omega) * (0.5 * p.step);
                }
                Report::HalfStepLate => omega += s.acceleration(0.0, &att, &omega) * (0.5 * p.step),
                Report::StepEarly if n > 0 => omega = before.omega,
                Report::StepEarly => omega -= s.acceleration(0.0, &att, &omega) * p.step,
                _ => {}
            }
            let mut quaternion = None;
            match self.report {
                Report::Transposed | Report::TransposedDegrees => att = att.transpose(),
                Report::Components { order, signs } => {
                    let q = so3::quat_from_matrix(&att);
                    let written: [f64; 4] = core::array::from_fn(|i| seen(signs[i] * q[order[i]]));
                    quaternion = Some(written);
                    let n = written.iter().map(|x| x * x).sum::<f64>().sqrt();
                    att = so3::matrix_from_quat(&written.map(|x| x / n));
                }
                Report::Euler {
                    angles,
                    together,
                    reversed,
                } => {
                    let mut a = euler_angles(&att, angles);
                    if reversed {
                        a.reverse();
                    }
                    att = euler_matrix(a, together);
                }
                _ => {}
            }
            if self.habit == Habit::NotNormalised {
                let q = so3::quat_from_matrix(&att).map(|x| x * length);
                quaternion = Some(q);
            }
            let late = f64::from(u8::from(self.report == Report::LateStamps));
            let (printed, rate) = (att.map(seen), omega.map(seen_rate));
            let numbers = quaternion.map_or(so3::rows(&printed).to_vec(), |q| q.to_vec());
            let att = if quaternion.is_some() {
                att
            } else {
                crate::history::nearest_rotation(printed)
            };
            Row {
                t: p.time(n) + late * p.step,
                att,
                omega: rate,
                rate,
                rate_in_space: false,
                quaternion,
                numbers: numbers.into_iter().chain(rate.iter().copied()).collect(),
            }
        };
        (0..states.len()).map(row).collect()
    }
}

/// Angles of a sequence by search for the matrix that they make: Newton's rule on three entries would need care, and
/// the formulas are those that are tested.
fn euler_angles(att: &Mat3, [i, j, k]: [usize; 3]) -> [f64; 3] {
    // The middle angle from the corner of the matrix, the others from what is left.
    let mut axes = [Vec3::zeros(); 3];
    for (n, a) in axes.iter_mut().enumerate() {
        a[n] = 1.0;
    }
    let sign = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
    let middle = if i == k {
        att[(i, i)].clamp(-1.0, 1.0).acos()
    } else {
        (sign * att[(i, k)]).clamp(-1.0, 1.0).asin()
    };
    // R e_k does not depend on the last angle: the first turns R_j(b) e_k to it about e_i.
    let from = so3::exp(&(axes[j] * middle)) * axes[k];
    let to = att * axes[k];
    let first = about(&axes[i], &from, &to);
    let left = (so3::exp(&(axes[i] * first)) * so3::exp(&(axes[j] * middle))).transpose() * att;
    let last = about(&axes[k], &axes[(k + 1) % 3], &(left * axes[(k + 1) % 3]));
    [first, middle, last]
}

/// The angle by which `from` turns to `to` about an axis.
fn about(axis: &Vec3, from: &Vec3, to: &Vec3) -> f64 {
    let flat = |v: &Vec3| v - axis * axis.dot(v);
    let (a, b) = (flat(from), flat(to));
    a.cross(&b).dot(axis).atan2(a.dot(&b))
}

fn euler_matrix(angles: [f64; 3], sequence: [usize; 3]) -> Mat3 {
    let mut out = Mat3::identity();
    for (angle, axis) in angles.into_iter().zip(sequence) {
        let mut v = Vec3::zeros();
        v[axis] = angle;
        out *= so3::exp(&v);
    }
    out
}

/// What habits remember.
#[derive(Debug, Default)]
struct Habits {
    torque: Option<Vec3>,
    slopes: Option<(Vec3, Vec3)>,
    attitude: Option<Mat3>,
}

impl Habits {
    fn step(
        &mut self,
        solver: &Solver,
        equations: &Equations,
        carrier: &mut Carrier,
        (t, h): (f64, f64),
        y: &mut RotState,
    ) {
        if h == 0.0 {
            return;
        }
        let f = |t: f64, att: &Mat3, w: &Vec3| equations.slopes(t, att, w);
        let before = *y;
        match solver.habit {
            Habit::StaleTorque => {
                let now = equations.torque(t, &y.att, &y.omega);
                equations.held.set(Some(self.torque.unwrap_or(now)));
                self.torque = Some(now);
                carrier.step(&f, t, h, y);
            }
            Habit::TorqueHeldInSpace => {
                let space = y.att * equations.torque(t, &y.att, &y.omega);
                let held = |t: f64, att: &Mat3, w: &Vec3| {
                    equations.held.set(Some(att.tr_mul(&space)));
                    equations.slopes(t, att, w)
                };
                carrier.step(&held, t, h, y);
                equations.held.set(None);
            }
            Habit::ZeroHistory => {
                let (u, a) = f(t, &y.att, &y.omega);
                let (v, b) = self.slopes.unwrap_or_default();
                y.att *= so3::exp(&((u * 1.5 - v * 0.5) * h));
                y.omega += (a * 1.5 - b * 0.5) * h;
                self.slopes = Some((u, a));
            }
            Habit::ZeroAcceleration => {
                let (_, a) = self.slopes.unwrap_or_default();
                let half = y.omega + a * (0.5 * h);
                y.att *= so3::exp(&(half * h));
                let mut next = half;
                for _ in 0..60 {
                    next = half + f(t + h, &y.att, &next).1 * (0.5 * h);
                }
                y.omega = next;
                self.slopes = Some((Vec3::zeros(), f(t + h, &y.att, &next).1));
            }
            Habit::Truncated => {
                let (_, a) = f(t, &y.att, &y.omega);
                y.omega += a * h;
                let (u, _) = f(t, &y.att, &y.omega);
                y.att *= rules::by_columns(&(Mat3::identity() + so3::hat(&(u * h))));
            }
            Habit::Momentum | Habit::Energy => {
                let j = &equations.start.inertia;
                let size = |w: &Vec3| match solver.habit {
                    Habit::Momentum => j.times(w).norm_squared(),
                    _ => w.dot(&j.times(w)),
                };
                let torque = equations.torque(t, &y.att, &y.omega);
                let kept = size(&y.omega);
                equations.held.set(Some(Vec3::zeros()));
                let (_, a) = f(t, &y.att, &y.omega);
                equations.held.set(None);
                y.omega += a * h;
                let now = size(&y.omega);
                if now > 0.0 {
                    y.omega *= (kept / now).sqrt();
                }
                y.omega += j.solve(&torque) * h;
                y.att *= so3::exp(&(y.omega * h));
            }
            Habit::InertiaLate => {
                // Euler's equations in space, with the inertia of the step before.
                let j = &equations.start.inertia;
                let turned = self.attitude.replace(y.att).unwrap_or(y.att);
                let omega = y.att * y.omega;
                let torque = y.att * equations.torque(t, &y.att, &y.omega);
                let momentum = turned * j.times(&turned.tr_mul(&omega));
                let moment = torque - omega.cross(&momentum);
                let omega = omega + turned * j.solve(&turned.tr_mul(&moment)) * h;
                y.att = so3::exp(&(omega * h)) * y.att;
                y.omega = y.att.tr_mul(&omega);
            }
            _ => carrier.step(&f, t, h, y),
        }
        match solver.habit {
            Habit::Damped(c) => y.omega *= c,
            Habit::Kicked(x) => y.omega += Vec3::from(x),
            Habit::RateCap(c) if y.omega.norm() > c => y.omega *= c / y.omega.norm(),
            Habit::RateCapAxes(c) => y.omega = y.omega.map(|x| x.clamp(-c, c)),
            Habit::Asleep(c) if y.omega.norm() < c => y.omega = Vec3::zeros(),
            Habit::StateInSingle => {
                // Of a scaled state: its numbers are not those of single precision.
                let kept = |x: f64| f64::from((x * 0.3) as f32) / 0.3;
                y.omega = y.omega.map(kept);
                y.att = y.att.map(kept);
            }
            Habit::Inverted | Habit::Stuck | Habit::ScalarPositive => {
                let (a, b) = (so3::log(&before.att), so3::log(&y.att));
                if a.dot(&b) < 0.0 && a.norm() > 2.0 {
                    y.att = if solver.habit == Habit::Stuck {
                        before.att
                    } else {
                        y.att.transpose()
                    };
                }
            }
            _ => {}
        }
    }
}

impl Target for Solver {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        probes.iter().map(|p| Ok(self.rows(p))).collect()
    }
}

impl Habit {
    pub fn random(r: &mut Random) -> Self {
        let size = 10_f64.powf(-1.0 - 2.5 * r.uniform());
        let step = 0.0013 * 10_f64.powf(1.2 * r.uniform());
        match r.bits() % 24 {
            0 => Self::Damped(1.0 - size),
            1 => Self::Damped(1.0 + size),
            2 => Self::Kicked(r.direction(size).into()),
            3 | 4 => Self::FixedStep(step),
            5 => Self::CutOff(3.0 * step),
            6 => Self::Rounded(step),
            7 => Self::WholeSteps(1.0 / (200.0 + 800.0 * r.uniform())),
            8 => Self::RateCap(8.0 + 300.0 * r.uniform().powi(2)),
            9 => Self::RateCapAxes(8.0 + 150.0 * r.uniform().powi(2)),
            10 => Self::Inverted,
            11 => Self::Stuck,
            12 => Self::ScalarPositive,
            13 => Self::TorqueInSingle,
            14 => Self::StaleTorque,
            15 => Self::Momentum,
            16 => Self::Energy,
            17 => Self::Truncated,
            18 => Self::ZeroHistory,
            19 => Self::ZeroAcceleration,
            20 => Self::InertiaLate,
            21 => Self::StateInSingle,
            22 => Self::Asleep(10_f64.powf(-0.7 - 3.0 * r.uniform())),
            _ => Self::NotNormalised,
        }
    }

    /// The ids that say it rightly.
    pub fn ids(self) -> &'static [&'static str] {
        match self {
            Self::None => &[],
            Self::Damped(_) | Self::Kicked(_) => &["scheme/per_step"],
            Self::FixedStep(_) => &["scheme/fixed_step"],
            Self::CutOff(_) => &["scheme/step_limit"],
            Self::Rounded(_) | Self::WholeSteps(_) => &["scheme/step_rounded", "scheme/step_limit"],
            Self::RateCap(_) | Self::RateCapAxes(_) => &["scheme/rate_limit"],
            Self::Asleep(_) => &["scheme/sleep"],
            Self::Inverted | Self::Stuck | Self::ScalarPositive => &["scheme/half_turn"],
            Self::TorqueInSingle => &["scheme/torque_in_single"],
            Self::StateInSingle => &["scheme/state_in_single"],
            Self::StaleTorque => &["scheme/stale_term"],
            Self::Momentum => &["scheme/momentum_clamp"],
            Self::Energy => &["scheme/energy_restored"],
            Self::Truncated => &["scheme/attitude_update"],
            Self::ZeroHistory => &["scheme/multistep_start"],
            Self::ZeroAcceleration => &["scheme/start_acceleration"],
            Self::InertiaLate => &["scheme/inertia_turned_late"],
            Self::TorqueHeldInSpace => &["scheme/order_lost"],
            Self::NotNormalised => &["scheme/normalisation_missing"],
        }
    }
}

impl Report {
    pub fn random(r: &mut Random) -> Self {
        let sequences: Vec<[usize; 3]> = (0..27)
            .map(|n| [n / 9, n / 3 % 3, n % 3])
            .filter(|[i, j, k]| i != j && j != k)
            .collect();
        let mut one = || sequences[(r.bits() % 12) as usize];
        let (angles, together) = (one(), one());
        let reversed = r.bits().is_multiple_of(2);
        let mut order = [0, 1, 2, 3];
        for i in (1..4).rev() {
            order.swap(i, (r.bits() % (i as u64 + 1)) as usize);
        }
        let mut signs = [1.0; 4];
        for s in &mut signs {
            *s = if r.bits().is_multiple_of(2) {
                1.0
            } else {
                -1.0
            };
        }
        let equal = signs.iter().all(|s| *s == signs[0]);
        if order == [0, 1, 2, 3] && equal {
            signs[2] = -signs[2];
        }
        match r.bits() % 14 {
            0 => Self::Transposed,
            1 | 2 => Self::Components { order, signs },
            3 => Self::Components {
                order: [3, 0, 1, 2],
                signs: [1.0; 4],
            },
            4 => Self::Components {
                order: [1, 2, 3, 0],
                signs: [-1.0, -1.0, -1.0, 1.0],
            },
            5 | 6 if angles != together => Self::Euler {
                angles,
                together,
                reversed,
            },
            7 => Self::Degrees,
            8 => Self::RateInSpace,
            9 => Self::RateReversed,
            10 if r.bits().is_multiple_of(2) => Self::RateBack,
            11 if r.bits().is_multiple_of(2) => Self::HalfStepLate,
            10 => Self::RateUnit(
                [60.0 / (2.0 * core::f64::consts::PI), 0.001, 1.0 / 57.3][(r.bits() % 3) as usize],
            ),
            11 => Self::HalfStepEarly,
            12 => Self::StepEarly,
            13 => Self::LateStamps,
            _ => Self::TransposedDegrees,
        }
    }

    /// The ids that say it rightly, each of which must be there.
    pub fn ids(self) -> &'static [&'static [&'static str]] {
        match self {
            Self::Plain => &[],
            Self::Transposed => &[&["reporting/transposed"]],
            Self::Components { .. } => &[&[
                "reporting/quaternion_order",
                "reporting/quaternion_order_transposed",
                "reporting/quaternion_components",
                "reporting/transposed",
            ]],
            Self::Euler { .. } => &[&["reporting/euler_sequence", "reporting/transposed"]],
            Self::Degrees => &[&["reporting/rate_degrees"]],
            Self::RateInSpace => &[&["reporting/rate_frame"]],
            Self::RateBack => &[&["reporting/rate_frame"]],
            Self::RateReversed => &[&["reporting/rate_sign"]],
            Self::RateUnit(_) => &[&["reporting/rate_unit"]],
            Self::HalfStepEarly | Self::HalfStepLate => &[&["reporting/rate_half_step"]],
            Self::StepEarly => &[&["reporting/rate_whole_step"]],
            Self::LateStamps => &[&["reporting/time_stamps"]],
            Self::TransposedDegrees => &[&["reporting/transposed"], &["reporting/rate_degrees"]],
        }
    }
}
