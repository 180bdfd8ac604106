//! Habits of solvers besides their rules.

use crate::law::{Equations, is_asymmetric};
use crate::precision::Precision;
use crate::rule::{Rule, RunningRule, by_columns};
use crate::sometimes::Sometimes;
use crate::wrong_turn::WrongTurn;
use topsim_core::math::{Mat3, Random, Vec3, so3};
use topsim_core::models::RotState;
use topsim_model::probe::{Load, Start};

/// Defect of a solver beside its equations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Habit {
    /// Nothing.
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
    /// The same of steps of this length or more; shorter ones are made as they are, s.
    WholeFrom(f64),
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
    /// The torque is that of the step before.
    StaleTorque,
    /// The mean of the torques now and of the step before.
    HalfStaleTorque,
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
    /// The same, held in the body.
    TorqueHeldInBody,
    /// The torque of each stage is that of the time at which the step starts.
    TimeNotAdvanced,
    /// The mean of the slopes now and of the step before.
    SlopeBefore,
    /// The rate of the start is turned into space.
    StartInSpace,
    /// The rate of the start is that of the momentum in space, with the inertia of the body.
    StartByInertia,
    /// The step is one of explicit Euler where the body turns less than this in it, rad.
    EulerBelow(f64),
    /// The same where gravity acts on a body of three different moments with a lever shorter than this, m.
    EulerShortLever(f64),
    /// Components of the rate below this, relative, are dropped.
    SmallComponents(f64),
    /// An axis of no length is divided by its length.
    NanAtRest,
    /// No number comes out for moments above this, kg m².
    NoHeavyBodies(f64),
    /// The step turns so much, relative, about an axis of space too, where the rate is above 100 rad/s.
    SpaceAxis(f64),
    /// The attitude is kept where the sine of the pitch is nearer to ±1 than this.
    PitchGuard(f64),
    /// Quaternions are not normalised, and grow.
    NotNormalised,
    /// Some steps are other ones.
    Sometimes(Sometimes),
    /// Steps of this length whatever is asked for, s; rows between them are made of their states.
    OwnClock(f64, RowsBetween),
    /// The torque of each step adds to those of the steps before.
    TorqueNotCleared,
    /// Times of steps are kept in single precision.
    SingleClock(SingleClock),
    /// A rule of first order whose turn is made by a wrong formula, with the new rate if true and else with the old one.
    WrongTurn(WrongTurn, bool),
    /// A rule of first order that overwrites the components of the rate one after the other, in this order; as above.
    RateInPlace([usize; 3], bool),
    /// A term is evaluated in some steps, and held in the steps between.
    TermHeld(HeldPart, Evaluated, bool),
}

/// Time of a step in single precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SingleClock {
    /// The right time, rounded.
    Rounded,
    /// Steps are added up.
    Summed,
    /// The number of the step times its length.
    Product,
}

/// Part of W' that is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeldPart {
    /// The torque, in the body.
    Torque,
    /// The torque, in space.
    TorqueInSpace,
    /// The gyroscopic term.
    Gyroscopic,
    /// All of it.
    Whole,
}

/// Steps in which a part is evaluated, with the start of the run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Evaluated {
    /// Each of so many.
    Each(u64),
    /// Those that pass a multiple of a time, s.
    EachTime(f64),
}

impl HeldPart {
    /// Draws one.
    pub fn draw(r: &mut Random) -> Self {
        let all = [
            Self::Torque,
            Self::TorqueInSpace,
            Self::Gyroscopic,
            Self::Whole,
        ];
        all[(r.bits() % 4) as usize]
    }

    /// Returns its value, which is a torque in space or a part of W'.
    fn of(self, equations: &Equations, t: f64, att: &Mat3, w: &Vec3) -> Vec3 {
        let j = &equations.start.inertia;
        let torque = || equations.torque(t, att, w);
        match self {
            Self::Torque => j.solve(&torque()),
            Self::TorqueInSpace => att * torque(),
            Self::Gyroscopic => j.solve(&j.times(w).cross(w)),
            Self::Whole => equations.slopes(t, att, w).1,
        }
    }

    /// Returns W' with a value in the place of the present one.
    fn replaced(
        self,
        equations: &Equations,
        (t, att, w): (f64, &Mat3, &Vec3),
        a: Vec3,
        value: &Vec3,
    ) -> Vec3 {
        let j = &equations.start.inertia;
        match self {
            Self::TorqueInSpace => {
                let own = equations.torque(t, att, w);
                a + j.solve(&(att.tr_mul(value) - own))
            }
            _ => a + (value - self.of(equations, t, att, w)),
        }
    }
}

impl Evaluated {
    /// Draws a number of steps or a time.
    pub fn draw(r: &mut Random) -> Self {
        match r.bits() % 3 {
            0 => Self::EachTime(0.011 + 0.05 * r.uniform()),
            _ => Self::Each(2 + r.bits() % 8),
        }
    }

    /// Returns true if a part is evaluated in the step to `number` from `t`.
    fn has(self, number: u64, t: f64, h: f64) -> bool {
        let until = |t: f64, period: f64| (t / period + 1e-9).floor();
        match self {
            Self::Each(period) => (number - 1).is_multiple_of(period),
            Self::EachTime(period) => until(t, period) > until(t - h, period),
        }
    }
}

/// Rows at times between steps of a solver's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowsBetween {
    /// The state of the last step; the rest of the time is carried over.
    Last,
    /// States on a straight line from step to step.
    Straight,
    /// States on a cubic that has the slopes of the steps.
    Cubic,
}

/// Memory of a habit.
#[derive(Debug, Clone, Default)]
pub(crate) struct HabitMemory {
    torque: Option<Vec3>,
    slopes: Option<(Vec3, Vec3)>,
    attitude: Option<Mat3>,
    held: Option<Vec3>,
    /// Time of the start, s, and the sum of the steps since.
    clock: Option<(f64, f32)>,
    /// Steps that were made.
    steps: u64,
}

/// Detects a step that is one of explicit Euler.
fn is_euler(habit: Habit, start: &Start, h: f64, y: &RotState) -> bool {
    match (habit, &start.load) {
        (Habit::EulerBelow(angle), _) => y.omega.norm() * h < angle,
        (Habit::EulerShortLever(least), Load::Gravity { lever, .. }) => {
            is_asymmetric(start) && lever.norm() < least
        }
        _ => false,
    }
}

impl HabitMemory {
    /// Advances the state by a step of the rule and what is done besides.
    pub(crate) fn step(
        &mut self,
        habit: Habit,
        equations: &Equations,
        rule: &mut RunningRule,
        t: f64,
        h: f64,
        y: &mut RotState,
    ) {
        if h == 0.0 {
            return;
        }
        let f = |t: f64, att: &Mat3, w: &Vec3| equations.slopes(t, att, w);
        let before = *y;
        self.steps += 1;
        match habit {
            Habit::SmallComponents(least) => {
                let size = y.omega.norm();
                let kept = |x: f64| if x.abs() < least * size { 0.0 } else { x };
                y.omega = y.omega.map(kept);
            }
            Habit::NanAtRest => y.omega += y.omega.normalize() * 0.0,
            Habit::NoHeavyBodies(most) if equations.start.inertia.moments().max() > most => {
                y.omega *= f64::NAN;
            }
            _ => {}
        }
        match habit {
            Habit::StaleTorque | Habit::HalfStaleTorque => {
                let now = equations.torque(t, &y.att, &y.omega);
                let before = self.torque.replace(now).unwrap_or(now);
                equations.held.set(Some(match habit {
                    Habit::StaleTorque => before,
                    _ => (before + now) * 0.5,
                }));
                rule.step(&f, t, h, y);
            }
            Habit::TorqueHeldInSpace => {
                let space = y.att * equations.torque(t, &y.att, &y.omega);
                let held = |t: f64, att: &Mat3, w: &Vec3| {
                    equations.held.set(Some(att.tr_mul(&space)));
                    equations.slopes(t, att, w)
                };
                rule.step(&held, t, h, y);
                equations.held.set(None);
            }
            Habit::TorqueHeldInBody => {
                let torque = equations.torque(t, &y.att, &y.omega);
                equations.held.set(Some(torque));
                rule.step(&f, t, h, y);
                equations.held.set(None);
            }
            Habit::TorqueNotCleared => {
                let now = equations.torque(t, &y.att, &y.omega);
                let sum = self.torque.unwrap_or_default() + now;
                self.torque = Some(sum);
                equations.held.set(Some(sum));
                rule.step(&f, t, h, y);
                equations.held.set(None);
            }
            Habit::TimeNotAdvanced => {
                let still = |_: f64, att: &Mat3, w: &Vec3| f(t, att, w);
                rule.step(&still, t, h, y);
            }
            Habit::SlopeBefore => {
                let (u, a) = f(t, &y.att, &y.omega);
                let (v, b) = self.slopes.replace((u, a)).unwrap_or((u, a));
                y.att *= so3::exp(&((u + v) * (0.5 * h)));
                y.omega += (a + b) * (0.5 * h);
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
                y.att *= by_columns(&(Mat3::identity() + so3::hat(&(u * h))));
            }
            Habit::Momentum | Habit::Energy => {
                let j = &equations.start.inertia;
                let size = |w: &Vec3| match habit {
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
            Habit::WrongTurn(_, new) | Habit::RateInPlace(_, new) => {
                let (old, a) = f(t, &y.att, &y.omega);
                match habit {
                    Habit::RateInPlace(order, _) => {
                        for i in order {
                            y.omega[i] += f(t, &y.att, &y.omega).1[i] * h;
                        }
                    }
                    _ => y.omega += a * h,
                }
                let u = if new { f(t, &y.att, &y.omega).0 } else { old };
                y.att = match habit {
                    Habit::WrongTurn(turn, _) => turn.turned(&y.att, &u, h),
                    _ => y.att * so3::exp(&(u * h)),
                };
            }
            Habit::SingleClock(clock) => {
                let (from, sum) = self.clock.unwrap_or((t, t as f32));
                let made = (self.steps - 1) as f32;
                let shown = match clock {
                    SingleClock::Rounded => t as f32,
                    SingleClock::Summed => sum,
                    SingleClock::Product => from as f32 + made * h as f32,
                };
                self.clock = Some((from, sum + h as f32));
                rule.step(&f, f64::from(shown), h, y);
            }
            Habit::TermHeld(part, evaluated, whole) => {
                let due = self.held.is_none() || evaluated.has(self.steps, t, h);
                if due {
                    self.held = Some(part.of(equations, t, &y.att, &y.omega));
                }
                let held = self.held.unwrap_or_default();
                let slopes = |t: f64, att: &Mat3, w: &Vec3| {
                    let (u, a) = f(t, att, w);
                    if due && !whole {
                        return (u, a);
                    }
                    (u, part.replaced(equations, (t, att, w), a, &held))
                };
                rule.step(&slopes, t, h, y);
            }
            Habit::Sometimes(own) => own.step(equations, rule, (self.steps, t, h), y),
            _ if is_euler(habit, equations.start, h, y) => {
                RunningRule::new(Rule::ExplicitEuler, t).step(&f, t, h, y);
            }
            _ => rule.step(&f, t, h, y),
        }
        match habit {
            Habit::Damped(c) => y.omega *= c,
            Habit::Kicked(x) => y.omega += Vec3::from(x),
            Habit::RateCap(c) if y.omega.norm() > c => y.omega *= c / y.omega.norm(),
            Habit::RateCapAxes(c) => y.omega = y.omega.map(|x| x.clamp(-c, c)),
            Habit::Asleep(c) if y.omega.norm() < c => y.omega = Vec3::zeros(),
            Habit::SpaceAxis(by) if before.omega.norm() > 100.0 => {
                y.att = so3::exp(&(Vec3::x() * (by * h * before.omega.norm()))) * y.att;
            }
            Habit::PitchGuard(near) if y.att[(2, 0)].abs() > 1.0 - near => y.att = before.att,
            Habit::Inverted | Habit::Stuck | Habit::ScalarPositive => {
                let (a, b) = (so3::log(&before.att), so3::log(&y.att));
                if a.dot(&b) < 0.0 && a.norm() > 2.0 {
                    y.att = if habit == Habit::Stuck {
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

impl Habit {
    /// Draws one, or a precision that is a defect.
    pub fn draw(r: &mut Random) -> (Self, Precision) {
        let size = 10_f64.powf(-1.0 - 2.5 * r.uniform());
        let step = 0.0013 * 10_f64.powf(1.2 * r.uniform());
        let habit = match r.bits() % 24 {
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
            13 => return (Self::None, Precision::Torque),
            14 => Self::StaleTorque,
            15 => Self::Momentum,
            16 => Self::Energy,
            17 => Self::Truncated,
            18 => Self::ZeroHistory,
            19 => Self::ZeroAcceleration,
            20 => Self::InertiaLate,
            21 => return (Self::None, Precision::Biased(1e-6 * size.sqrt())),
            22 => Self::Asleep(10_f64.powf(-0.7 - 3.0 * r.uniform())),
            _ => Self::NotNormalised,
        };
        (habit, Precision::Double)
    }

    /// Returns the ids of the defects that name it rightly.
    pub fn ids(self) -> &'static [&'static str] {
        match self {
            Self::None => &[],
            Self::Damped(_) | Self::Kicked(_) => &["scheme/per_step"],
            Self::FixedStep(_) => &["scheme/fixed_step"],
            Self::CutOff(_) => &["scheme/step_limit"],
            Self::Rounded(_) | Self::WholeSteps(_) => &["scheme/step_rounded", "scheme/step_limit"],
            Self::WholeFrom(_) => &["scheme/step_rounded"],
            Self::RateCap(_) | Self::RateCapAxes(_) => &["scheme/rate_limit"],
            Self::Asleep(_) => &["scheme/sleep"],
            Self::Inverted | Self::Stuck | Self::ScalarPositive => &["scheme/half_turn"],
            Self::StaleTorque | Self::HalfStaleTorque | Self::SlopeBefore => &["scheme/stale_term"],
            Self::Momentum => &["scheme/momentum_clamp"],
            Self::Energy => &["scheme/energy_restored"],
            Self::Truncated => &["scheme/attitude_update"],
            Self::ZeroHistory => &["scheme/multistep_start"],
            Self::ZeroAcceleration => &["scheme/start_acceleration"],
            Self::InertiaLate => &["scheme/inertia_turned_late"],
            Self::TorqueHeldInSpace | Self::TorqueHeldInBody => &["scheme/order_lost"],
            Self::TimeNotAdvanced => &["scheme/torque_time"],
            Self::StartInSpace => &["model/another_start"],
            Self::StartByInertia => &["model/inertia_not_turned_start"],
            Self::NotNormalised => &["scheme/normalisation_missing"],
            Self::Sometimes(own) => own.ids(),
            Self::OwnClock(_, RowsBetween::Last) => &["scheme/step_carried"],
            Self::OwnClock(_, RowsBetween::Straight) => &["reporting/interpolated"],
            Self::OwnClock(_, RowsBetween::Cubic) => &[],
            Self::TorqueNotCleared => &["scheme/torque_not_cleared"],
            Self::TermHeld(..) => &["scheme/term_held"],
            Self::SingleClock(_) => &["scheme/torque_time"],
            Self::WrongTurn(..) => &["scheme/attitude_update"],
            Self::RateInPlace(..) => &["scheme/in_place"],
            // The hunt finds them, and no probe does.
            Self::EulerBelow(_)
            | Self::EulerShortLever(_)
            | Self::SmallComponents(_)
            | Self::NanAtRest
            | Self::NoHeavyBodies(_)
            | Self::SpaceAxis(_)
            | Self::PitchGuard(_) => &[],
        }
    }
}
