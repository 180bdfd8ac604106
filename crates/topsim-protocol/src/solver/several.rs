//! Several problems that one start of a solver is given: version 2 of the protocol.

use super::SolverSession;
use super::function::Output;
use super::process::{ProcessEnd, first_line, skip_reason};
use crate::parallel::Threads;
use crate::problem::{ProblemForm, SEVERAL, SolverProblem};
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use topsim_core::models::TorqueModel;

/// Bytes that are read of one start at most: an output without an end is none.
const MOST_BYTES: usize = 1 << 26;
/// Rows that one start is asked for at most: some 30 MB, which are kept until they are judged.
const MOST_ROWS: usize = 200_000;
/// Starts for the rest of some problems, where a solver ends at one that it cannot do.
const AGAIN: usize = 4;
/// Pieces in which output is read, in bytes.
const PIECE: usize = 1 << 16;

/// Answer of a solver to one of several problems: rows, or why there are none.
#[derive(Clone, Default)]
pub(super) struct Table {
    text: Vec<u8>,
    ended: ProcessEnd,
}

impl Table {
    /// Makes the answer that a text is.
    pub fn of(text: impl Into<Vec<u8>>) -> Self {
        let text = text.into();
        let ended = ProcessEnd {
            first_line: first_line(&text),
            skip: skip_reason(&text),
            ..ProcessEnd::default()
        };
        Self { text, ended }
    }
    /// Makes the answer of a solver that gave no rows, but ended so.
    pub fn ended(ended: ProcessEnd) -> Self {
        Self {
            text: Vec::new(),
            ended,
        }
    }
    /// Returns it as the output of a solver that has ended.
    pub fn output(self) -> Output<'static> {
        Output::Text(Cursor::new(self.text), Box::new(self.ended))
    }
}

/// Tables of problems that were posed together, by the lines that posed them.
#[derive(Default)]
pub(super) struct Tables(Mutex<BTreeMap<Vec<u8>, Table>>);

impl Tables {
    fn all(&self) -> MutexGuard<'_, BTreeMap<Vec<u8>, Table>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn keep(&self, problems: &[SolverProblem], tables: Vec<Option<Table>>) {
        let each = problems.iter().zip(tables);
        let made = each.filter_map(|(problem, table)| Some((line(problem), table?)));
        self.all().extend(made);
    }
}

/// Returns the problem as it is posed to a start that gets several.
fn line(problem: &SolverProblem) -> Vec<u8> {
    let mut problem = problem.clone();
    problem.protocol = SEVERAL;
    ProblemForm::Json.write(&problem).into_bytes()
}

impl SolverSession<'_> {
    /// Returns the output that a start with several problems gave for this one, where there is one.
    pub(super) fn kept(&self, problem: &SolverProblem) -> Option<Output<'static>> {
        let all = self.tables.all();
        if all.is_empty() {
            return None;
        }
        all.get(&line(problem)).cloned().map(Table::output)
    }

    /// Returns whether a start with several problems gave a table for this one.
    pub fn has_kept(&self, problem: &SolverProblem) -> bool {
        self.tables.all().contains_key(&line(problem))
    }

    /// Finds out, by some problems, whether one start answers several: the first two by tables that are `good`.
    pub(super) fn try_several(
        &self,
        problems: &[SolverProblem],
        limit: Duration,
        good: &dyn Fn(usize, Table) -> bool,
    ) -> bool {
        let solver = self.solver;
        if solver.form != ProblemForm::Json || !solver.program.may_take_several() {
            return false;
        }
        let tables = self.together(problems, limit);
        let first = tables.iter().take(2).flatten().cloned().enumerate();
        let takes = first.filter(|(k, table)| good(*k, table.clone())).count() == 2;
        if takes {
            self.tables.keep(problems, tables);
        }
        takes
    }

    /// Finds out the same by problems of a given rate; a refusal of each is an answer, too.
    pub fn try_rates(&self, problems: &[SolverProblem]) -> bool {
        self.try_several(problems, self.solver.time_limit, &|k, table| {
            let made = self.attitudes(table.output(), &problems[k]);
            made.err().is_none_or(|failure| failure.is_skipped())
        })
    }

    /// Poses problems in as few starts as rows allow, `limit` for each, and keeps the tables. What a start leaves out is
    /// posed again without the problem at which it ended.
    pub fn prepare(&self, problems: Vec<SolverProblem>, limit: Duration, threads: &Threads) {
        let mut problems = problems;
        // One command line has one tolerance.
        let own = self.solver.program.takes_tolerance();
        problems.retain(|problem| {
            let posed = self.solver.pose(problem);
            posed.is_ok_and(|posed| !own || posed.tolerance == self.solver.tolerance)
        });
        problems.sort_by_key(rank);
        threads.map(parts(problems), |part| {
            let mut rest = &part[..];
            // A single problem gains nothing by it.
            for _ in 0..=AGAIN {
                if rest.len() < 2 {
                    return;
                }
                let tables = self.together(rest, limit);
                let made = tables.len();
                if made == 0 {
                    return;
                }
                self.tables.keep(rest, tables);
                rest = rest.get(made + 1..).unwrap_or_default();
            }
        });
    }

    /// Poses problems to one start and returns its tables: those of the first problems, where it ended before the last.
    /// `limit` is the longest time for one table, where they are written as they are made. What it wrote on standard
    /// error beside a refusal is told only where the problem is posed alone, so that such a table is none.
    pub(super) fn together(
        &self,
        problems: &[SolverProblem],
        limit: Duration,
    ) -> Vec<Option<Table>> {
        let posed = problems.iter().map(|problem| self.solver.pose(problem));
        let Ok(posed) = posed.collect::<Result<Vec<_>, _>>() else {
            return Vec::new();
        };
        if self.solver.takes_batches() {
            let tables = self.batched(&posed, limit).unwrap_or_default();
            return tables.into_iter().map(Some).collect();
        }
        let lines: Vec<Vec<u8>> = posed.iter().map(line).collect();
        let tolerance = posed.first().and_then(|problem| problem.tolerance);
        let program = &self.solver.program;
        let text = (lines.concat(), SEVERAL, tolerance);
        let started = program.start(&self.mark, text, limit, self.interrupt);
        let Ok(mut output) = started else {
            return Vec::new();
        };
        let text = read(&mut output, problems.len(), limit);
        let ended = output.finish();
        let mut made = tables(&text);
        let good = ended.status.is_some_and(|s| s.success());
        match made.len() {
            n if n == lines.len() && good => {}
            // Another number of tables may be those of other problems.
            n if n >= lines.len() || good => return Vec::new(),
            _ if text.ends_with(b"\n") => {}
            // The last one may be cut off.
            _ => drop(made.pop()),
        }
        let quiet = ended.stderr.is_empty();
        let stands = |table: &Vec<u8>| quiet || skip_reason(table).is_none();
        let each = made.into_iter();
        each.map(|table| stands(&table).then(|| Table::of(table)))
            .collect()
    }
}

/// Returns how probable it is that a solver ends at a problem, because it has no such torque: problems that all solvers can do
/// come first.
fn rank(problem: &SolverProblem) -> u8 {
    match problem.torque {
        None | Some(TorqueModel::NoTorque(_)) => 0,
        Some(TorqueModel::Gravity(_)) => 1,
        Some(TorqueModel::Constant(_)) => 2,
        Some(_) => 3,
    }
}

/// Returns the problems in parts of so many rows at most.
fn parts(problems: Vec<SolverProblem>) -> Vec<Vec<SolverProblem>> {
    let mut out: Vec<Vec<SolverProblem>> = Vec::new();
    let mut rows = MOST_ROWS;
    for problem in problems {
        rows += problem.times.len();
        if rows > MOST_ROWS {
            out.push(Vec::new());
            rows = problem.times.len();
        }
        out.last_mut().expect("a part was begun").push(problem);
    }
    out
}

/// Returns what a start writes; each table that is whole gives it the time limit anew.
fn read(output: &mut Output<'_>, most: usize, limit: Duration) -> Vec<u8> {
    let (mut text, mut piece) = (Vec::new(), vec![0; PIECE]);
    let mut whole = 0;
    while text.len() < MOST_BYTES
        && let Ok(n @ 1..) = output.read(&mut piece)
    {
        let from = text.len().saturating_sub(1);
        text.extend(piece[..n].iter().filter(|byte| **byte != b'\r'));
        let ends = text[from..].windows(2).filter(|pair| pair == b"\n\n");
        let now = whole + ends.count();
        if now > whole && now < most {
            output.renew(limit);
        }
        whole = now;
    }
    text
}

/// Returns the tables of a text: what stands between empty lines.
fn tables(text: &[u8]) -> Vec<Vec<u8>> {
    let mut out = vec![Vec::new()];
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let last = out.last_mut().expect("there is one");
        match line {
            b"\n" if last.is_empty() => {}
            b"\n" => out.push(Vec::new()),
            _ => last.extend_from_slice(line),
        }
    }
    out.retain(|table| !table.is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_stand_between_empty_lines() {
        let all = |text: &str| -> Vec<String> {
            let made = tables(text.as_bytes()).into_iter();
            made.map(|t| String::from_utf8(t).unwrap()).collect()
        };
        assert_eq!(all("\nt\n0\n\n\nt\n1\n"), ["t\n0\n", "t\n1\n"]);
        assert_eq!(all("t\n0\n\nt\n1"), ["t\n0\n", "t\n1"]);
        assert!(all("\n\n").is_empty());
    }
}
