//! A solver: laws, a rule that carries them, what it does wrongly beside, and how it writes its rows.

use crate::euler::{euler_angles, euler_matrix};
use crate::habit::{Habit, HabitMemory};
use crate::law::{Equations, OutsideLaw, WrongLaw};
use crate::report::{Print, Report};
use crate::rule::{Rule, RunningRule};
use topsim_core::math::{Vec3, so3};
use topsim_core::models::RotState;
use topsim_model::probe::{Answer, Probe, Row, Target, nearest_rotation};

/// A solver, right where no part says otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Solver {
    /// What is wrong with its equations.
    pub laws: Vec<WrongLaw>,
    /// Rule of its steps.
    pub rule: Rule,
    /// What it does besides.
    pub habit: Habit,
    /// How its rows are written.
    pub report: Report,
    /// Digits of its rows.
    pub print: Print,
}

impl Solver {
    /// Returns a solver of these laws that does nothing besides.
    pub fn new(laws: &[WrongLaw], rule: Rule) -> Self {
        Self {
            laws: laws.to_vec(),
            rule,
            habit: Habit::None,
            report: Report::Plain,
            print: Print::Whole,
        }
    }

    /// Returns the ids that name it rightly: for each defect that must be named, those of which one will do.
    pub fn ids(&self) -> Vec<&'static [&'static str]> {
        let mut out: Vec<_> = self.laws.iter().map(|l| l.ids()).collect();
        if self.habit != Habit::None {
            out.push(self.habit.ids());
        }
        out.extend(self.report.ids());
        out
    }

    /// Returns the states of a run, each with the length of its quaternion.
    fn run(&self, p: &Probe) -> Vec<(f64, RotState)> {
        let mut equations = Equations::new(&self.laws, &p.start);
        equations.single_torque = self.habit == Habit::TorqueInSingle;
        let mut y = RotState {
            att: p.start.att,
            omega: p.start.omega,
        };
        for law in &self.laws {
            if let WrongLaw::Outside(OutsideLaw::Lagged { from_zero, .. }) = law {
                let torque = equations.torque(0.0, &y.att, &y.omega);
                let begun = if *from_zero { Vec3::zeros() } else { torque };
                equations.held.set(Some(begun));
            }
        }
        let made = self.made(p.step);
        let mut rule = RunningRule::new(self.rule, p.from + p.step * p.steps as f64);
        let mut memory = HabitMemory::default();
        let mut rows = vec![(1.0, y)];
        let mut length = 1.0;
        for n in 0..p.steps {
            let t = p.from + made * n as f64;
            memory.step(self.habit, &equations, &mut rule, t, made, &mut y);
            equations.advance(t + made, made, &y.att, &y.omega);
            if self.habit == Habit::NotNormalised {
                length *= (1.0 + (0.5 * made * y.omega.norm()).powi(2)).sqrt();
            }
            rows.push((length, y));
        }
        rows
    }

    /// Returns the step that is made where `h` is asked for, s.
    fn made(&self, h: f64) -> f64 {
        match self.habit {
            Habit::FixedStep(x) => x,
            Habit::CutOff(x) => h.min(x),
            Habit::Rounded(x) => (h / x).round() * x,
            Habit::WholeSteps(x) => (h / x + 1e-9).floor() * x,
            _ => h,
        }
    }

    /// Returns the rows of a run, as they are read.
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
                nearest_rotation(printed)
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

impl Target for Solver {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        probes.iter().map(|p| Ok(self.rows(p))).collect()
    }
}
