//! A solver that is asked short problems to measure it.

use super::failure::{FailureKind, Fault};
use super::function::Output;
use super::process::Stop;
use super::{SolverSession, StepFailure};
use crate::history::{AttitudeKind, HistoryError, RateFrame, Reading, Rows};
use crate::parallel::Threads;
use crate::protocol::{PROTOCOL, ProblemForm, SEVERAL, SolverProblem};
use std::io::Read;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use topsim_model::probe::{Answer, NoRows, Probe, Row, Target};

/// A solver that makes short runs.
pub(crate) trait Runs: Sync {
    /// Returns the answers, in the order of the questions.
    fn run(&self, probes: &[Probe]) -> Vec<Answer>;
}

/// A command that answers problems.
pub(crate) struct Respondent<'a> {
    session: &'a SolverSession<'a>,
    threads: &'a Threads,
    /// Whether it answers several problems from one start.
    several: bool,
}

/// How a command takes to being asked.
pub(crate) struct Manner {
    /// Whether it answers several problems from one start.
    several: bool,
    /// Whether its start takes long.
    slow: bool,
}

/// A short run may take this long: whoever needs more hangs.
const SHORT: Duration = Duration::from_secs(20);
/// A solver that takes longer for one is asked fewer.
const SLOW: Duration = Duration::from_millis(100);

impl<'a> Respondent<'a> {
    pub fn new(session: &'a SolverSession<'a>, threads: &'a Threads) -> Self {
        Self {
            session,
            threads,
            several: false,
        }
    }

    /// Finds out how it takes to being asked, by two short problems, or why it answers nothing.
    pub fn try_out(&mut self, two: &[Probe]) -> Result<Manner, String> {
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
        let slow = begun.elapsed() > 2 * SLOW;
        self.several = self.session.solver.form == ProblemForm::Json
            && self.session.solver.program.may_take_several()
            && self.together(two).iter().all(Result::is_ok);
        Ok(Manner {
            several: self.several,
            slow,
        })
    }
}

impl Manner {
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
        let ran = self.run(probes).into_iter();
        ran.map(|r| match r {
            Ok(rows) if rows.len() < 2 => Err("its rows are too few".into()),
            r => r,
        })
        .collect()
    }
}

impl Runs for Respondent<'_> {
    fn run(&self, probes: &[Probe]) -> Vec<Answer> {
        if !self.several {
            return self.threads.map(probes.to_vec(), |p| self.alone(&p));
        }
        let parts: Vec<Vec<Probe>> = probes.chunks(TOGETHER).map(<[Probe]>::to_vec).collect();
        let answers = self.threads.map(parts, |part| {
            if self.session.interrupt.load(Ordering::Relaxed) {
                return vec![Err(NoRows::Stopped); part.len()];
            }
            let together = self.together(&part);
            // One that ends at a problem it cannot do is asked the rest one by one.
            let each = together.into_iter().zip(&part);
            each.map(|(answer, p)| answer.or_else(|_| self.alone(p)))
                .collect::<Vec<_>>()
        });
        answers.into_iter().flatten().collect()
    }
}

/// More is not read of one start: an output without an end is none.
const MOST_BYTES: u64 = 1 << 26;
/// Problems that one start is given at most.
const TOGETHER: usize = 64;

impl Respondent<'_> {
    fn posed(&self, probe: &Probe, protocol: u32) -> Vec<u8> {
        let mut problem = SolverProblem::of_probe(probe);
        problem.protocol = protocol;
        self.session.solver.form.write(&problem).into_bytes()
    }

    fn limit(&self) -> Duration {
        self.session.solver.time_limit.min(SHORT)
    }

    fn start(&self, problems: Vec<u8>, protocol: u32) -> std::io::Result<Output<'_>> {
        let program = &self.session.solver.program;
        program.start(
            &self.session.mark,
            (problems, protocol),
            self.limit(),
            self.session.interrupt,
        )
    }

    /// One problem, one start.
    fn alone(&self, probe: &Probe) -> Answer {
        if self.session.interrupt.load(Ordering::Relaxed) {
            return Err(NoRows::Stopped);
        }
        let (step, program) = (probe.step, &self.session.solver.program);
        let mut process = self
            .start(self.posed(probe, PROTOCOL), PROTOCOL)
            .map_err(|e| NoRows::NotStarted(StepFailure::not_started(step, program, &e).message))?;
        let rows = rows(&mut process, self.session.reading, probe.steps + 1);
        let ended = process.finish();
        if ended.stop == Some(Stop::Interrupt) {
            return Err(NoRows::Stopped);
        }
        let (rows, fault) = match rows {
            Ok(rows) => (Some(rows), Fault::Whole),
            Err(fault) => (None, fault),
        };
        let last = ended.stderr.last().map(|l| format!("; {l}"));
        match (rows, StepFailure::of(step, fault, &ended, self.limit())) {
            (_, Some(f)) if f.is_skipped() => Err(NoRows::Refused(f.message)),
            (_, Some(f)) if f.kind == FailureKind::TimeLimit => Err(NoRows::TimedOut(f.message)),
            // A command that gives all rows may end as it likes.
            (Some(rows), _) => Ok(rows),
            (_, Some(f)) => Err(NoRows::Failed(f.message + &last.unwrap_or_default())),
            (_, None) => Err("its output was not read".into()),
        }
    }

    /// Several problems, one start: a table each, an empty line between.
    fn together(&self, probes: &[Probe]) -> Vec<Answer> {
        let problems = probes.iter().flat_map(|p| self.posed(p, SEVERAL)).collect();
        let mut text = Vec::new();
        let read = self.start(problems, SEVERAL).and_then(|mut process| {
            let read = (&mut process).take(MOST_BYTES).read_to_end(&mut text);
            process.finish();
            read
        });
        let text = String::from_utf8_lossy(&text).replace("\r\n", "\n");
        let mut tables = text
            .split("\n\n")
            .map(|t| t.trim_start_matches('\n'))
            .filter(|t| !t.is_empty());
        let missing = || {
            let why = read.as_ref().err();
            Err(
                why.map_or("it gave fewer tables than problems".into(), |e| {
                    e.to_string().into()
                }),
            )
        };
        let table = |p: &Probe| match tables.next() {
            Some(table) => rows(&mut table.as_bytes(), self.session.reading, p.steps + 1)
                .map_err(|_| "its table cannot be read".into())
                .and_then(|rows| {
                    // A table that is cut short may be that of a solver that ended.
                    let whole = rows.len() == p.steps + 1;
                    whole
                        .then_some(rows)
                        .ok_or_else(|| "its rows are too few".into())
                }),
            None => missing(),
        };
        probes.iter().map(table).collect()
    }
}

fn rows(input: &mut dyn Read, reading: &Reading, most: usize) -> Result<Vec<Row>, Fault> {
    let mut rows = Rows::new(input, reading).map_err(Fault::header)?;
    let (frame, kind) = (rows.rate(), rows.attitude());
    let mut out = Vec::new();
    while out.len() < most
        && let Some(sample) = rows.next_row().map_err(Fault::rows)?
    {
        let rate = sample
            .rate
            .ok_or_else(|| Fault::Rows(HistoryError::no_rate()))?;
        let in_space = frame == Some(RateFrame::Space);
        let n = &sample.numbers;
        let quaternion = match kind {
            AttitudeKind::Quaternion(order) => Some(order.quaternion(n)),
            _ => None,
        };
        out.push(Row {
            t: sample.t,
            att: sample.att,
            omega: if in_space {
                sample.att.tr_mul(&rate)
            } else {
                rate
            },
            rate,
            rate_in_space: in_space,
            quaternion,
            numbers: n.iter().chain(rate.iter()).copied().collect(),
        });
    }
    Ok(out)
}
