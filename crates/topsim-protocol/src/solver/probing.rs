//! A solver that is asked short problems to measure it.

use super::failure::{FailureKind, Fault};
use super::function::Output;
use super::process::Stop;
use super::{SolverSession, StepFailure};
use crate::history::{HistoryError, Rows};
use crate::parallel::Threads;
use crate::problem::SolverProblem;
use std::io::Read;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use topsim_model::probe::{Answer, NoRows, Probe, Row, Target};

/// A solver that makes short runs.
pub trait Runs: Sync {
    /// Returns the answers, in the order of the questions.
    fn run(&self, probes: &[Probe]) -> Vec<Answer>;
}

/// A command that answers problems.
pub struct Respondent<'a> {
    session: &'a SolverSession<'a>,
    threads: &'a Threads,
    /// True if it answers several problems from one start.
    several: bool,
}

/// How a command takes to being asked.
pub struct Manner {
    /// True if it answers several problems from one start.
    several: bool,
    /// Whether its start takes long.
    slow: bool,
}

/// A short run may take this long: whoever needs more hangs, unless histories may take more than three times as long.
const SHORT: Duration = Duration::from_secs(20);
/// A solver that takes longer for one is asked fewer.
const SLOW: Duration = Duration::from_millis(100);

impl<'a> Respondent<'a> {
    /// Makes a target of a session, which is asked by so many threads.
    pub fn new(session: &'a SolverSession<'a>, threads: &'a Threads) -> Self {
        Self {
            session,
            threads,
            several: false,
        }
    }

    /// Finds out whether one start answers several problems: the first of two short ones, and that with one more row. It
    /// may refuse the other.
    pub fn try_several(&mut self, two: &[Probe]) -> bool {
        let Some(first) = two.first() else {
            return false;
        };
        if self.session.solver.takes_batches() {
            self.several = true;
            return true;
        }
        let longer = Probe::new(&first.start, first.step, first.steps + 1);
        let asked = [&[first.clone(), longer], &two[1..]].concat();
        let posed: Vec<_> = asked.iter().map(SolverProblem::of_probe).collect();
        self.several = self.session.try_several(&posed, self.limit(), &|k, table| {
            matches!(self.read(&asked[k], table.output()), Some(Ok(_)))
        });
        self.several
    }

    /// Finds out how it takes to being asked, by two short problems, or why it answers nothing.
    pub fn try_out(&mut self, two: &[Probe]) -> Result<Manner, String> {
        if self.try_several(two) && !self.session.solver.takes_batches() {
            return Ok(Manner {
                several: true,
                slow: false,
            });
        }
        let begun = Instant::now();
        let mut answered = Ok(Vec::new());
        for (n, probe) in two.iter().enumerate() {
            let answer = self.alone(probe);
            // Who hangs at the first is not asked the second.
            if let Err(NoRows::TimedOut(why)) = answer {
                return Err(why);
            }
            answered = if n == 0 { answer } else { answered.or(answer) };
        }
        answered.map_err(|e| e.to_string())?;
        Ok(Manner {
            several: self.several,
            slow: begun.elapsed() > 2 * SLOW,
        })
    }
}

impl Manner {
    /// Returns whether it answers several problems from one start.
    pub fn takes_several(&self) -> bool {
        self.several
    }
    /// Whether few questions are to be asked.
    pub fn wants_few(&self) -> bool {
        self.slow && !self.several
    }
}

impl Target for Respondent<'_> {
    fn sees_flight(&self) -> bool {
        true
    }

    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        self.foresee(probes);
        let ran = self.threads.map(probes.to_vec(), |p| self.one(&p));
        ran.into_iter()
            .map(|r| match r {
                Ok(rows) if rows.len() < 2 => Err("its rows are too few".into()),
                r => r,
            })
            .collect()
    }

    fn foresee(&self, probes: &[Probe]) {
        if !self.several {
            return;
        }
        let posed = probes.iter().map(SolverProblem::of_probe);
        let left = posed.filter(|problem| !self.session.has_kept(problem));
        let left: Vec<_> = left.collect();
        let times = left.len().div_ceil(TOGETHER).max(1) as u32;
        let limit = self.limit().saturating_mul(times);
        self.session.prepare(left, limit, self.threads);
    }
}

impl Runs for Respondent<'_> {
    fn run(&self, probes: &[Probe]) -> Vec<Answer> {
        if !self.several {
            return self.threads.map(probes.to_vec(), |p| self.alone(&p));
        }
        if self.session.solver.takes_batches() {
            let posed = self
                .threads
                .map(probes.iter().collect(), SolverProblem::of_probe);
            let mut tables = self.session.together(&posed, self.limit()).into_iter();
            let each = probes.iter().map(|p| (p, tables.next().flatten()));
            return self.threads.map(each.collect(), |(p, table)| match table {
                Some(table) => self.answer(p, table.output()),
                None => self.alone(p),
            });
        }
        let parts: Vec<Vec<Probe>> = probes.chunks(TOGETHER).map(<[Probe]>::to_vec).collect();
        let answers = self.threads.map(parts, |part| {
            let posed: Vec<_> = part.iter().map(SolverProblem::of_probe).collect();
            let made = self.session.together(&posed, self.limit());
            let mut tables = made.into_iter();
            // One that ends at a problem it cannot do is asked the rest one by one.
            let answer = |p: &Probe| {
                let table = tables.next().flatten();
                let read = table.and_then(|table| self.read(p, table.output()));
                read.unwrap_or_else(|| self.alone(p))
            };
            part.iter().map(answer).collect::<Vec<_>>()
        });
        answers.into_iter().flatten().collect()
    }
}

/// Short problems that have the time limit of one together, and those of a search that one start is given.
const TOGETHER: usize = 64;

impl Respondent<'_> {
    /// The answer to one problem: that of a start with several, where it is whole, or of one of its own.
    fn one(&self, probe: &Probe) -> Answer {
        self.kept(probe).unwrap_or_else(|| self.alone(probe))
    }

    /// The answer of a start with several problems: all rows, or a refusal.
    fn kept(&self, probe: &Probe) -> Option<Answer> {
        let output = self.session.kept(&SolverProblem::of_probe(probe))?;
        self.read(probe, output)
    }

    /// The answer that a table is.
    fn read(&self, probe: &Probe, mut output: Output<'_>) -> Option<Answer> {
        if self.session.solver.takes_batches() {
            return Some(self.answer(probe, output));
        }
        let rows = self.rows(&mut output, probe);
        match (output.finish().skip, rows) {
            (Some(why), _) => Some(Err(NoRows::Refused(why))),
            // A table that is cut short may be that of a solver that ended.
            (None, Ok(rows)) if rows.len() == probe.rows().count() => Some(Ok(rows)),
            _ => None,
        }
    }

    fn rows(&self, input: &mut dyn Read, probe: &Probe) -> Result<Vec<Row>, Fault> {
        let pace = self.session.solver.pace(probe.step);
        let from = Rows::new(input, self.session.reading).map_err(Fault::header)?;
        rows(from.paced(pace), probe.rows().count())
    }

    fn limit(&self) -> Duration {
        let limit = self.session.solver.time_limit;
        if self.session.solver.takes_batches() {
            return limit;
        }
        limit.min(SHORT.max(limit / 3))
    }

    /// One problem, one start.
    fn alone(&self, probe: &Probe) -> Answer {
        if self.session.interrupt.load(Ordering::Relaxed) {
            return Err(NoRows::Stopped);
        }
        let session = self.session;
        let problem = session.solver.pose(&SolverProblem::of_probe(probe));
        let problem = problem.map_err(|why| NoRows::Refused(why.into()))?;
        let begun = session.begin(&problem, self.limit());
        let program = &session.solver.program;
        let output = begun.map_err(|e| {
            NoRows::NotStarted(StepFailure::not_started(probe.step, program, &e).message)
        })?;
        self.answer(probe, output)
    }

    /// The answer that an output is.
    fn answer(&self, probe: &Probe, mut output: Output<'_>) -> Answer {
        let rows = self.rows(&mut output, probe);
        let ended = output.finish();
        let interrupted = self.session.interrupt.load(Ordering::Relaxed);
        if ended.stop == Some(Stop::Interrupt) || interrupted && rows.is_err() {
            return Err(NoRows::Stopped);
        }
        let (rows, fault) = match rows {
            Ok(rows) => (Some(rows), Fault::Whole),
            Err(fault) => (None, fault),
        };
        let last = ended.stderr.last().map(|l| format!("; {l}"));
        match (
            rows,
            StepFailure::of(probe.step, fault, &ended, self.limit()),
        ) {
            (_, Some(f)) if f.is_skipped() => Err(NoRows::Refused(f.message)),
            (_, Some(f)) if f.kind == FailureKind::TimeLimit => Err(NoRows::TimedOut(f.message)),
            // A command that gives all rows may end as it likes.
            (Some(rows), _) => Ok(rows),
            (_, Some(f)) => Err(NoRows::Failed(f.message + &last.unwrap_or_default())),
            (_, None) => Err("its output was not read".into()),
        }
    }
}

fn rows(mut rows: Rows<&mut dyn Read>, most: usize) -> Result<Vec<Row>, Fault> {
    let mut out = Vec::new();
    while out.len() < most
        && let Some(sample) = rows.next_row().map_err(Fault::rows)?
    {
        let row = sample.as_written();
        out.push(row.ok_or_else(|| Fault::Rows(HistoryError::no_rate()))?);
    }
    Ok(out)
}
