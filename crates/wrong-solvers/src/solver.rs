//! A solver: laws, a rule that carries them, what it does wrongly beside, and how it writes its rows.

use crate::habit::{Habit, HabitMemory, RowsBetween};
use crate::law::{Equations, OutsideLaw, WrongLaw};
use crate::precision::Precision;
use crate::report::{Attitude, Print, Report, WrittenRow};
use crate::rule::{Rule, RunningRule};
use topsim_core::math::{Mat3, Quat, Vec3, quaternion, so3};
use topsim_core::models::RotState;
use topsim_model::probe::{Answer, Probe, Row, Start, Target, nearest_rotation};

/// A solver, right where no part says otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Solver {
    /// Defects of its equations.
    pub laws: Vec<WrongLaw>,
    /// Rule of its steps.
    pub rule: Rule,
    /// Habit besides its rule.
    pub habit: Habit,
    /// Numbers that it keeps in single precision.
    pub precision: Precision,
    /// Form of its rows.
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
            precision: Precision::Double,
            report: Report::Plain,
            print: Print::Whole,
        }
    }

    /// Returns the ids that name it rightly: for each defect that must be named, those of which one will do.
    pub fn ids(&self) -> Vec<&'static [&'static str]> {
        let mut out: Vec<_> = self.laws.iter().map(|l| l.ids()).collect();
        let is_choice = matches!(self.habit, Habit::OwnClock(_, RowsBetween::Cubic));
        if self.habit != Habit::None && !is_choice {
            out.push(self.habit.ids());
        }
        if !self.precision.ids().is_empty() {
            out.push(self.precision.ids());
        }
        out.extend(self.report.ids());
        out
    }

    /// Returns the states of a run, each with the length of its quaternion.
    fn run(&self, p: &Probe) -> Vec<(f64, RotState)> {
        if let Habit::OwnClock(own, between) = self.habit {
            return self.run_between(p, own, between);
        }
        let mut run = SolverRun::new(self, &p.start, p.from + p.step * p.steps as f64);
        let mut y = run.begin();
        let made = self.made(p.step);
        let mut rows = vec![(1.0, y)];
        for n in 0..p.steps {
            run.step(p.from + made * n as f64, made, &mut y);
            rows.push((run.length, y));
        }
        rows
    }

    /// Returns the states of a run with steps of the solver's own, and rows between them.
    fn run_between(&self, p: &Probe, own: f64, between: RowsBetween) -> Vec<(f64, RotState)> {
        let steps = (p.step * p.steps as f64 / own) as usize + 2;
        let mut run = SolverRun::new(self, &p.start, p.from + own * steps as f64);
        let mut y = run.begin();
        let mut states = vec![y];
        for n in 0..steps {
            run.step(p.from + own * n as f64, own, &mut y);
            states.push(y);
        }
        let equations = Equations::new(&self.laws, &p.start);
        let row = |n: usize| {
            let steps = p.step * n as f64 / own;
            // A time that is a whole number of steps but for rounding is one.
            let k = (steps + 1e-9).floor();
            let pair = &states[k as usize..];
            let at = (steps - k).max(0.0);
            let slopes = |n: usize| {
                let time = p.from + own * (k + n as f64);
                equations.slopes(time, &pair[n].att, &pair[n].omega)
            };
            let cubic = || Some([slopes(0), slopes(1)].map(|(u, a)| (u * own, a * own)));
            let y = match between {
                RowsBetween::Last => pair[0],
                RowsBetween::Straight => mixed(&pair[0], &pair[1], at, None),
                RowsBetween::Cubic => mixed(&pair[0], &pair[1], at, cubic()),
            };
            (1.0, y)
        };
        (0..=p.steps).map(row).collect()
    }

    /// Returns the step that is made where `h` is asked for, s.
    fn made(&self, h: f64) -> f64 {
        match self.habit {
            Habit::FixedStep(x) => x,
            Habit::CutOff(x) => h.min(x),
            Habit::Rounded(x) => (h / x).round() * x,
            Habit::WholeFrom(x) if h < x => h,
            Habit::WholeFrom(x) | Habit::WholeSteps(x) => (h / x + 1e-9).floor() * x,
            _ => h,
        }
    }

    /// Returns the rows of a run, as they are read.
    pub fn rows(&self, p: &Probe) -> Vec<Row> {
        let row = |line: WrittenRow| {
            let printed = line.att.map(|x| self.print.written(x));
            let att = match line.attitude {
                Attitude::Quaternion(_) => line.att,
                _ => nearest_rotation(printed),
            };
            let attitude = match line.attitude {
                Attitude::Quaternion(q) => q.to_vec(),
                _ => so3::rows(&printed).to_vec(),
            };
            let rate = line.rate;
            let in_space = self.report == Report::Space;
            Row {
                t: line.t,
                att,
                omega: if in_space { att.tr_mul(&rate) } else { rate },
                rate,
                rate_in_space: in_space,
                quaternion: match line.attitude {
                    Attitude::Quaternion(q) => Some(q),
                    _ => None,
                },
                numbers: attitude.into_iter().chain(rate.iter().copied()).collect(),
            }
        };
        self.written(p).into_iter().map(row).collect()
    }

    /// Returns the rows of a run, as they are written.
    pub(crate) fn written(&self, p: &Probe) -> Vec<WrittenRow> {
        let states = self.run(p);
        let row = |n: usize| {
            let (length, y) = states[n];
            let before = states[n.saturating_sub(1)].1;
            let mut row = self.report.write(n, &y, &before, p, self.print);
            if self.habit == Habit::NotNormalised {
                let q = so3::quat_from_matrix(&row.att).map(|x| x * length);
                row.attitude = Attitude::Quaternion(q.map(|x| self.print.written(x)));
            }
            row
        };
        (0..states.len()).map(row).collect()
    }
}

/// Returns the state at a part of the way from one to another: on a straight line of quaternions and rates, or on the cubic
/// with slopes, each times the way.
fn mixed(a: &RotState, b: &RotState, at: f64, slopes: Option<[(Vec3, Vec3); 2]>) -> RotState {
    let (cubic, rest) = (at * at * (3.0 - 2.0 * at), 1.0 - at);
    let end = if slopes.is_some() { cubic } else { at };
    let from = so3::quat_from_matrix(&a.att);
    let turn = so3::quat_from_matrix(&a.att.tr_mul(&b.att));
    let to = quaternion::product(&from, &turn);
    let mut quat: Quat = core::array::from_fn(|i| from[i] + end * (to[i] - from[i]));
    let mut omega = a.omega + (b.omega - a.omega) * end;
    if let Some([(u, a), (v, b)]) = slopes {
        let (first, last) = (at * rest * rest, -at * at * rest);
        let [p, q] = [(from, u), (to, v)].map(|(q, u)| quaternion::times_vector(&q, &(u * 0.5)));
        quat = core::array::from_fn(|i| quat[i] + first * p[i] + last * q[i]);
        omega += a * first + b * last;
    }
    let att: Mat3 = so3::matrix_from_quat(&quaternion::unit(&quat));
    RotState { att, omega }
}

/// A solver in the middle of a run.
#[derive(Debug, Clone)]
pub struct SolverRun {
    solver: Solver,
    start: Start,
    rule: RunningRule,
    memory: HabitMemory,
    /// Torque that is used instead of the present one, N m.
    held: Option<Vec3>,
    /// Length of the quaternion, where it is not normalised.
    length: f64,
}

impl SolverRun {
    /// Starts a run that ends at `end`, s.
    pub fn new(solver: &Solver, start: &Start, end: f64) -> Self {
        let equations = Equations::new(&solver.laws, start);
        let mut held = None;
        for law in &solver.laws {
            if let WrongLaw::Outside(OutsideLaw::Lagged { from_zero, .. }) = law {
                let torque = equations.torque(0.0, &start.att, &start.omega);
                held = Some(if *from_zero { Vec3::zeros() } else { torque });
            }
        }
        Self {
            solver: solver.clone(),
            start: start.clone(),
            rule: RunningRule::new(solver.rule, end),
            memory: HabitMemory::default(),
            held,
            length: 1.0,
        }
    }

    /// Returns the state from which the solver starts.
    pub fn begin(&self) -> RotState {
        let Start { att, omega, .. } = self.start;
        let inertia = &self.start.inertia;
        let omega = match self.solver.habit {
            Habit::StartInSpace => att * omega,
            Habit::StartByInertia => att.tr_mul(&inertia.solve(&(att * inertia.times(&omega)))),
            _ => omega,
        };
        let y = RotState { att, omega };
        let Solver {
            precision, rule, ..
        } = self.solver;
        precision.start(rule, &self.start, y)
    }

    /// Advances the state by a step of `h` from `t`, s.
    pub fn step(&mut self, t: f64, h: f64, y: &mut RotState) {
        let Solver {
            habit,
            precision,
            rule,
            ..
        } = self.solver;
        let t = precision.time(t);
        let mut equations = Equations::new(&self.solver.laws, &self.start);
        equations.held.set(self.held);
        equations.precision = precision;
        let before = *y;
        self.memory.step(habit, &equations, &mut self.rule, t, h, y);
        *y = precision.kept((rule, h), &self.start, &before, *y);
        equations.advance(t + h, h, &y.att, &y.omega);
        self.held = equations.held.get();
        if habit == Habit::NotNormalised {
            let turned = match self.solver.rule {
                Rule::ExplicitQuaternionEuler => before.omega,
                _ => y.omega,
            };
            self.length *= (1.0 + (0.5 * h * turned.norm()).powi(2)).sqrt();
        }
    }
}

impl Target for Solver {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let rows = |p: &Probe| {
            let mut rows = self.rows(p);
            p.leave_out(&mut rows);
            Ok(rows)
        };
        probes.iter().map(rows).collect()
    }
}
