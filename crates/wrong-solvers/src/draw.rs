//! Random solvers by kind.

use crate::habit::Habit;
use crate::law::{OutsideLaw, WrongLaw};
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
}

impl SolverKind {
    /// All kinds; the last is the right one.
    pub const ALL: [Self; 7] = [
        Self::Law,
        Self::TwoLaws,
        Self::OutsideLaw,
        Self::Habit,
        Self::Report,
        Self::ReportAndLaw,
        Self::Right,
    ];

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
            solver.habit = Habit::draw(r);
            solver.print = Print::Whole;
            while solver.rule.owns_state() || !suits(solver.habit, solver.rule) {
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
    }
    solver
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

/// Detects whether a habit can be seen with a rule: single precision drowns in the errors of low orders.
fn suits(habit: Habit, rule: Rule) -> bool {
    match habit {
        Habit::StateInSingle => matches!(rule, Rule::Rk4 | Rule::Fine | Rule::Rk4Matrix),
        Habit::TorqueInSingle => !matches!(rule, Rule::OwnSteps(_) | Rule::Extrapolated(_)),
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
