//! Random solvers by kind.

use crate::habit::Habit;
use crate::law::{OutsideLaw, WrongLaw};
use crate::precision::Precision;
use crate::report::{Print, Report};
use crate::rule::{self, Rule};
use crate::solver::Solver;
use topsim_core::math::Random;

/// Kind of defect of a random solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SolverKind {
    /// A wrong law of the family.
    Law,
    /// Two of them.
    TwoLaws,
    /// A law outside the family.
    OutsideLaw,
    /// A habit.
    Habit,
    /// A wrong report.
    Report,
    /// A wrong report of a wrong law.
    ReportAndLaw,
    /// Nothing is wrong.
    Right,
    /// Nothing is wrong, and some numbers are of single precision.
    Single,
    /// A wrong law or a momentum that is put back, in single precision.
    WrongSingle,
}

impl SolverKind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::Law,
        Self::TwoLaws,
        Self::OutsideLaw,
        Self::Habit,
        Self::Report,
        Self::ReportAndLaw,
        Self::Right,
        Self::Single,
        Self::WrongSingle,
    ];

    /// Those in which something is wrong, in double precision.
    pub const WRONG: [Self; 6] = [
        Self::Law,
        Self::TwoLaws,
        Self::OutsideLaw,
        Self::Habit,
        Self::Report,
        Self::ReportAndLaw,
    ];

    /// Detects those in which nothing is wrong.
    pub fn is_right(self) -> bool {
        matches!(self, Self::Right | Self::Single)
    }

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Law => "a wrong law",
            Self::TwoLaws => "two wrong laws",
            Self::OutsideLaw => "a law outside the family",
            Self::Habit => "a wrong step, limit, branch, precision or start",
            Self::Report => "a wrong report",
            Self::ReportAndLaw => "a wrong report of a wrong law",
            Self::Right => "right",
            Self::Single => "right in single precision",
            Self::WrongSingle => "wrong in single precision",
        }
    }
}

/// Draws a solver of a kind.
pub fn draw(kind: SolverKind, r: &mut Random) -> Solver {
    let any = |r: &mut Random| -> Rule {
        match r.bits() % 19 {
            n @ 0..17 => rule::FIXED[n as usize],
            _ => rule::CONTROLLED[(r.bits() % 6) as usize],
        }
    };
    let mut solver = Solver {
        laws: Vec::new(),
        rule: any(r),
        habit: Habit::None,
        precision: Precision::Double,
        report: Report::Plain,
        print: match r.bits() % 10 {
            0 => Print::Digits(12),
            1 => Print::Digits(9),
            _ => Print::Whole,
        },
    };
    match kind {
        SolverKind::Law => solver.laws.push(law(r)),
        SolverKind::TwoLaws => solver.laws.extend(WrongLaw::draw_two(r)),
        SolverKind::OutsideLaw => solver.laws.push(WrongLaw::Outside(OutsideLaw::draw(r))),
        SolverKind::Habit => {
            (solver.habit, solver.precision) = Habit::draw(r);
            solver.print = Print::Whole;
            while solver.rule.owns_state() || !suits(&solver, solver.rule) {
                solver.rule = any(r);
            }
        }
        SolverKind::Report | SolverKind::ReportAndLaw => {
            solver.report = Report::draw(r);
            if kind == SolverKind::ReportAndLaw {
                let plain = |r: Report| {
                    !matches!(
                        r,
                        Report::HalfStepEarly | Report::HalfStepLate | Report::StepEarly
                    )
                };
                while !plain(solver.report) {
                    solver.report = Report::draw(r);
                }
                solver.laws.push(law(r));
            }
        }
        SolverKind::Right => {
            solver.rule = match r.bits() % 25 {
                n @ 0..17 => rule::FIXED[n as usize],
                17 => Rule::OwnSteps(2e-4 + 3e-3 * r.uniform()),
                _ => rule::CONTROLLED[(r.bits() % 6) as usize],
            };
            solver.print = match r.bits() % 5 {
                0 => Print::Single,
                1 => Print::SingleRates,
                2 => Print::Digits(6 + (r.bits() % 7) as usize),
                _ => Print::Whole,
            };
        }
        SolverKind::Single | SolverKind::WrongSingle => {
            draw_single(&mut solver, r);
            if kind == SolverKind::WrongSingle {
                match r.bits() % 5 {
                    0 => {
                        solver.habit = Habit::Momentum;
                        solver.rule = Rule::SemiImplicitEuler;
                    }
                    1 => solver.laws.push(WrongLaw::Gyroscopic(0.0)),
                    2 => solver.laws.push(WrongLaw::Torque(1.0 + away(r))),
                    3 => solver.laws.push(WrongLaw::Damping(away(r).abs())),
                    _ => solver.laws.push(WrongLaw::Gyroscopic(1.0 + away(r))),
                }
            }
        }
    }
    solver
}

/// Draws a number near 0.05 or further from zero.
fn away(r: &mut Random) -> f64 {
    let size = 0.05 * 10_f64.powf(r.uniform());
    if r.bits().is_multiple_of(2) {
        size
    } else {
        -size
    }
}

/// Draws a precision, and a rule and rows that suit it.
fn draw_single(solver: &mut Solver, r: &mut Random) {
    solver.precision = Precision::draw(r);
    let all = [&rule::FIXED[..], &rule::TURNS].concat();
    loop {
        solver.rule = all[(r.bits() % all.len() as u64) as usize];
        // The steps between rows would not be rounded.
        let inner = matches!(solver.rule, Rule::OwnSteps(_) | Rule::Fine);
        if !solver.rule.owns_state() && !inner {
            break;
        }
    }
    solver.report = match r.bits() % 4 {
        0 => Report::Space,
        1 => Report::Components {
            order: [0, 1, 2, 3],
            signs: [1.0; 4],
        },
        _ => Report::Plain,
    };
    let adapted = solver.precision == Precision::Principal;
    solver.print = match r.bits() % 3 {
        0 if !adapted => Print::Single,
        _ => Print::Whole,
    };
}

/// Draws a law that shows in what is asked.
fn law(r: &mut Random) -> WrongLaw {
    loop {
        let law = WrongLaw::draw(r);
        if law != WrongLaw::Rate(1.0) {
            return law;
        }
    }
}

/// Detects whether a habit or a precision can be seen with a rule.
fn suits(solver: &Solver, rule: Rule) -> bool {
    if solver.precision == Precision::Torque {
        return !matches!(rule, Rule::OwnSteps(_) | Rule::Extrapolated(_));
    }
    match solver.habit {
        Habit::StaleTorque | Habit::ZeroHistory | Habit::ZeroAcceleration => true,
        Habit::NotNormalised => matches!(rule, Rule::QuaternionEuler | Rule::Midpoint),
        // Cut-off and rounded steps mean nothing where a rule has its own.
        _ => !matches!(rule, Rule::OwnSteps(_) | Rule::Ab2),
    }
}

/// Draws solvers of the kinds in turn; beside each, whether it is to be judged quickly.
pub fn draw_many(kinds: &[SolverKind], count: usize, seed: u64) -> Vec<(SolverKind, Solver, bool)> {
    let mut r = Random::new(seed);
    let one = |n: usize| {
        let kind = kinds[n % kinds.len()];
        (kind, draw(kind, &mut r), r.uniform() < 0.5)
    };
    (0..count).map(one).collect()
}
