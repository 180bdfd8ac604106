//! The search for rules that evaluate a term in some of their steps, over whole runs from their first rows.

use crate::equations::Equations;
use crate::found::{Found, Search};
use crate::held::{HeldMemory, Renewal, TermHold};
use crate::model::Model;
use crate::probe::Load;
use crate::remembering::Remembering;
use crate::report::Report;
use crate::run_rows::RunRows;
use crate::state::State;
use crate::stepping::Rule;

/// Periods of a run at least.
const PERIODS: u64 = 3;
/// Longest period that is looked for, in steps.
const LONGEST: u64 = 200;
/// Longest one, where rows are many steps apart from the first on.
const LONGEST_BETWEEN: u64 = 12;
/// Most steps to the first row, in each of which a term may be evaluated or not.
const NEAR: u64 = 4;
/// Rows that a rule must begin with, of those that are no farther than the longest period between rows.
const BEGUN: usize = 3;
/// Steps of a run that tells periods.
const TELLS: u64 = 90;
/// Rows that a rule must follow to be held against all of them.
const LOOKED_AT: usize = 60;
/// Rules that follow the first row, at most: more rules make the same step of a body that hardly moves.
const BEGIN: usize = 300;
/// Distance of a row that is followed, relative, beside its digits.
const FOLLOWED: f64 = 1e-12;
/// Part of a time by which it may be off a whole number of periods by rounding.
const WHOLE: f64 = 1e-9;
/// States of a run in which a step may renew a term or not, at most.
const BRANCHES: usize = 20_000;

/// A run that may have been made by a rule until some row.
struct Branch {
    y: State,
    memory: HeldMemory,
    /// Steps that were made.
    made: u64,
    /// Multiples of the period that were passed.
    passed: f64,
    /// Times between which the period is, s.
    between: [f64; 2],
    /// Next row.
    row: usize,
}

/// Rows that a rule is held against.
struct Followed<'a> {
    rows: RunRows,
    right: &'a Equations,
    /// Distance of a row that is followed, relative.
    near: f64,
}

impl Followed<'_> {
    fn is_near(&self, y: &State, row: usize) -> bool {
        let seen = &self.rows.states[row];
        let off = y.difference(seen);
        let speed = seen.omega.norm() + f64::MIN_POSITIVE;
        off.turn.norm() + off.rate.norm() / speed <= self.near * (row + 1) as f64
    }

    fn time(&self, made: u64) -> f64 {
        self.rows.grid.0 + self.rows.grid.1 * made as f64
    }

    /// Returns the number of rows at the beginning that a rule gives, `most` at most.
    fn by(&self, hold: &TermHold, most: usize) -> usize {
        let mut memory = HeldMemory::default();
        let mut y = self.rows.states[0];
        let mut made = 0;
        for row in 1..self.rows.states.len().min(most) {
            while made < self.rows.counts[row] {
                let at = (self.time(made), self.rows.grid.1);
                hold.step(self.right, at, &mut memory, &mut y);
                made += 1;
            }
            if !self.is_near(&y, row) {
                return row;
            }
        }
        self.rows.states.len().min(most)
    }

    /// Returns the period in steps with which a rule gives the rows.
    fn period(&self, hold: &TermHold, longest: u64) -> Option<u32> {
        let most = self.rows.states.len().min(LOOKED_AT);
        let all = 2..=longest.min(self.rows.steps() / PERIODS) as u32;
        let last = self.rows.counts[most - 1];
        let longest = all.clone().last()?;
        // Periods beyond these rows are not told by them.
        let most = if u64::from(longest) * 2 > last {
            self.rows.states.len()
        } else {
            most
        };
        all.into_iter().find(|&period| {
            let hold = hold.renewed_by(hold.renewed.in_steps(period));
            self.by(&hold, most) == most
        })
    }

    /// Returns true if a rule may give the first rows, whichever of its steps evaluate the term.
    fn begins_by(&self, hold: &TermHold) -> bool {
        let counts = self.rows.counts.iter().take(BEGUN);
        let rows = counts.take_while(|c| **c <= LONGEST_BETWEEN).count();
        self.branches(hold, [0.0, f64::INFINITY], rows).is_some()
    }

    /// Returns times between which a period is with which a rule gives the rows, if it is one of `between`, s.
    fn times(&self, hold: &TermHold, between: [f64; 2]) -> Option<[f64; 2]> {
        let rows = self.rows.states.len();
        let (passed, between) = self.branches(hold, between, rows)?;
        (passed >= PERIODS as f64).then_some(between)
    }

    /// Returns how often a rule that gives so many rows evaluates the term after the first time, and the times between which its period
    /// is; those of a period that may be zero are not looked at.
    fn branches(&self, hold: &TermHold, between: [f64; 2], rows: usize) -> Option<(f64, [f64; 2])> {
        let any = between[0] == 0.0;
        let h = self.rows.grid.1;
        let mut open = vec![Branch {
            y: self.rows.states[0],
            memory: HeldMemory::default(),
            made: 0,
            passed: 0.0,
            between,
            row: 1,
        }];
        for _ in 0..BRANCHES {
            let mut branch = open.pop()?;
            while branch.row < rows && branch.made >= self.rows.counts[branch.row] {
                if !self.is_near(&branch.y, branch.row) {
                    branch.row = usize::MAX;
                    break;
                }
                branch.row += 1;
            }
            if branch.row == usize::MAX {
                continue;
            }
            if branch.row >= rows {
                return Some((branch.passed, branch.between));
            }
            let t = self.time(branch.made) - self.rows.grid.0;
            let at = t / (branch.passed + 1.0);
            let [low, high] = branch.between;
            let mut go_on = |due: bool, between: [f64; 2]| {
                let renewed = if due {
                    Renewal::Steps(1)
                } else {
                    Renewal::Time(f64::INFINITY)
                };
                let (mut y, mut memory) = (branch.y, branch.memory.clone());
                let own = hold.renewed_by(renewed);
                own.step(self.right, (self.time(branch.made), h), &mut memory, &mut y);
                open.push(Branch {
                    y,
                    memory,
                    made: branch.made + 1,
                    passed: branch.passed + f64::from(u8::from(due)),
                    between,
                    row: branch.row,
                });
            };
            // A time that is a whole number of periods but for rounding is one.
            let whole = at * (1.0 + WHOLE);
            if any {
                go_on(false, between);
                go_on(true, between);
                continue;
            }
            if whole < high {
                go_on(false, [low.max(whole), high]);
            }
            if low < whole {
                go_on(true, [low, high.min(whole)]);
            }
        }
        None
    }
}

impl Search<'_> {
    /// Returns rules that hold a term between evaluations and explain whole runs, where the same rules that evaluate it in each step do
    /// not.
    #[must_use]
    pub fn held(&self, report: &Report, right: &Equations) -> Vec<Found> {
        let mut out = Vec::new();
        let histories = self.observed.histories.iter().rev();
        let all = histories.filter_map(|history| {
            Some(Followed {
                rows: RunRows::new(history, report)?,
                right,
                near: FOLLOWED + 8.0 * history.print.resolution(),
            })
        });
        let all: Vec<Followed> = all.filter(|f| f.rows.states.len() > 3).collect();
        let long = |f: &&Followed| f.rows.steps() >= TELLS;
        let Some(chosen) = all.iter().find(long).or(all.last()) else {
            return out;
        };
        // Rows farther apart than periods tell no period.
        if chosen.rows.counts[1] > LONGEST_BETWEEN {
            return out;
        }
        let near = chosen.rows.counts[1] <= NEAR;
        let mut begin = Vec::new();
        for hold in TermHold::families(self.observed.body.load != Load::None) {
            if !(self.wanted)() {
                return out;
            }
            if !near || chosen.begins_by(&hold) {
                begin.push(hold);
            }
        }
        if near {
            begin.truncate(BEGIN);
        }
        let longest = if near { LONGEST } else { LONGEST_BETWEEN };
        for hold in begin {
            if !(self.wanted)() {
                return out;
            }
            let period = chosen.period(&hold, longest);
            let in_steps = period.map(|p| hold.renewed_by(hold.renewed.in_steps(p)));
            let mut found = in_steps.and_then(|hold| self.proven(&hold, report, right, 0));
            if found.is_none() && near {
                found = self.in_time(&hold, &all, period.is_some(), (report, right));
            }
            out.extend(found);
        }
        out
    }

    /// Returns a rule whose term is renewed by time.
    fn in_time(
        &self,
        hold: &TermHold,
        all: &[Followed],
        is_even: bool,
        (report, right): (&Report, &Equations),
    ) -> Option<Found> {
        let tried = |renewed: Renewal| self.proven(&hold.renewed_by(renewed), report, right, 1);
        if is_even {
            // Steps after which a time has passed are as many in all parts of a run.
            let mut between = [0.0_f64, f64::INFINITY];
            for f in all {
                let h = f.rows.grid.1;
                let period = f64::from(f.period(hold, LONGEST)?);
                between = [
                    between[0].max((period - 1.0) * h),
                    between[1].min(period * h),
                ];
            }
            if between[0] < between[1]
                && let Some(found) = tried(Renewal::TimeSince(simplest(between)))
            {
                return Some(found);
            }
        }
        let mut between = [all[0].rows.grid.1, f64::INFINITY];
        for f in all {
            between = f.times(hold, between)?;
        }
        tried(Renewal::Time(simplest(between)))
    }

    /// Returns a rule that explains the runs, if the rule that evaluates the term in each step does not.
    fn proven(
        &self,
        hold: &TermHold,
        report: &Report,
        right: &Equations,
        numbers: usize,
    ) -> Option<Found> {
        let evidence = |hold: &TermHold| {
            let rule = Rule::Remembering(Remembering::Held(*hold));
            (rule, self.observed.run_evidence(rule, report, right))
        };
        let (rule, own) = evidence(hold);
        if !own.asserted || evidence(&hold.renewed_by(hold.renewed.each())).1.asserted {
            return None;
        }
        let model = Model::right(rule.once()).reported(*report);
        Found::asserted(model, own, numbers)
    }
}

/// Returns the number with the fewest digits between two.
fn simplest([low, high]: [f64; 2]) -> f64 {
    let middle = 0.5 * (low + high);
    let written = |digits: usize| -> Option<f64> {
        let x: f64 = format!("{middle:.digits$e}").parse().ok()?;
        (low < x && x <= high).then_some(x)
    };
    (0..15).find_map(written).unwrap_or(middle)
}
