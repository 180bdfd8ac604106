//! A solver that is asked short problems to measure it.

use super::Solver;
use super::function::Output;
use super::mark::Mark;
use super::process::Stop;
use crate::history::{AttitudeKind, QuaternionOrder, RateFrame, ReadError, Reading, Rows};
use crate::hunt::runs::Runs;
use crate::identification::experiment::{Answer, NoRows, Probe, Row, Target};
use crate::identification::{Scope, first_questions};
use crate::parallel::Threads;
use crate::protocol::{PROTOCOL, ProblemForm, SEVERAL, SolverProblem};
use std::io::Read;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A command that answers problems.
pub(super) struct Asked<'a> {
    solver: &'a Solver,
    mark: &'a Mark,
    reading: &'a Reading,
    threads: &'a Threads,
    interrupt: &'a AtomicBool,
    /// Whether it answers several problems from one start.
    several: bool,
}

/// How a command takes to being asked.
pub(super) struct Manner {
    /// Whether it answers several problems from one start.
    several: bool,
    /// Whether its start takes long.
    slow: bool,
}

/// A short run may take this long: whoever needs more hangs.
const SHORT: Duration = Duration::from_secs(20);
/// A solver that takes longer for one is asked fewer.
const SLOW: Duration = Duration::from_millis(100);

impl<'a> Asked<'a> {
    pub fn new(
        solver: &'a Solver,
        mark: &'a Mark,
        reading: &'a Reading,
        threads: &'a Threads,
        interrupt: &'a AtomicBool,
    ) -> Self {
        Self {
            solver,
            mark,
            reading,
            threads,
            interrupt,
            several: false,
        }
    }

    /// Finds out how it takes to being asked, or why it answers nothing.
    pub fn try_out(&mut self, scope: Scope) -> Result<Manner, String> {
        let two = first_questions(scope);
        let begun = Instant::now();
        let alone = two.iter().map(|p| self.alone(p));
        let answered = alone.reduce(|a, b| a.or(b)).unwrap_or(Ok(Vec::new()));
        answered.map_err(|e| e.to_string())?;
        let slow = begun.elapsed() > 2 * SLOW;
        self.several = self.solver.form == ProblemForm::Json
            && self.solver.program.may_take_several()
            && self.together(&two).iter().all(Result::is_ok);
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

impl Target for Asked<'_> {
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

impl Runs for Asked<'_> {
    fn run(&self, probes: &[Probe]) -> Vec<Answer> {
        if !self.several {
            return self.threads.map(probes.to_vec(), |p| self.alone(&p));
        }
        let parts: Vec<Vec<Probe>> = probes.chunks(TOGETHER).map(<[Probe]>::to_vec).collect();
        let answers = self.threads.map(parts, |part| {
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

impl Asked<'_> {
    fn posed(&self, probe: &Probe, protocol: u32) -> Vec<u8> {
        let mut problem = SolverProblem::of_probe(probe);
        problem.protocol = protocol;
        self.solver.form.write(&problem).into_bytes()
    }

    fn start(&self, problems: Vec<u8>, protocol: u32) -> Result<Output<'_>, String> {
        let program = &self.solver.program;
        let limit = self.solver.time_limit.min(SHORT);
        program
            .start(self.mark, (problems, protocol), limit, self.interrupt)
            .map_err(|e| format!("cannot start `{}`: {e}", program.program()))
    }

    /// One problem, one start.
    fn alone(&self, probe: &Probe) -> Answer {
        let started = self.start(self.posed(probe, PROTOCOL), PROTOCOL);
        let mut process = started.map_err(NoRows::Failed)?;
        let rows = rows(&mut process, self.reading, probe.steps + 1);
        let ended = process.finish();
        if let Some(reason) = ended.skipped() {
            return Err(NoRows::Refused(reason));
        }
        if let Some(message) = ended.raised {
            return Err(NoRows::Failed(message));
        }
        if ended.stop == Some(Stop::TimeLimit) {
            let limit = self.solver.time_limit.min(SHORT).as_secs_f64();
            return Err(NoRows::Failed(format!(
                "a run of {} steps took longer than {limit} s; `--time-limit SECONDS` gives it more",
                probe.steps
            )));
        }
        match rows {
            Ok(rows) => Ok(rows),
            Err(e) => {
                let last = ended.stderr.last();
                let last = last.map_or(String::new(), |l| format!("; {l}"));
                Err(NoRows::Failed(format!("{e}{last}")))
            }
        }
    }

    /// Several problems, one start: a table each, an empty line between.
    fn together(&self, probes: &[Probe]) -> Vec<Answer> {
        let problems = probes.iter().flat_map(|p| self.posed(p, SEVERAL)).collect();
        let mut text = Vec::new();
        let read = self.start(problems, SEVERAL).and_then(|mut process| {
            let read = (&mut process).take(MOST_BYTES).read_to_end(&mut text);
            process.finish();
            read.map_err(|e| e.to_string())
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
                    e.clone().into()
                }),
            )
        };
        let table = |p: &Probe| match tables.next() {
            Some(table) => rows(&mut table.as_bytes(), self.reading, p.steps + 1)
                .map_err(NoRows::Failed)
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

fn rows(input: &mut dyn Read, reading: &Reading, most: usize) -> Result<Vec<Row>, String> {
    let text = |e: ReadError| e.to_string();
    let mut rows = Rows::new(input, reading).map_err(text)?;
    let (frame, kind) = (rows.rate(), rows.attitude());
    let mut out = Vec::new();
    while out.len() < most
        && let Some(sample) = rows.next_row().map_err(text)?
    {
        let rate = sample.rate.ok_or("it gives no angular velocity")?;
        let in_space = frame == Some(RateFrame::Space);
        let n = &sample.numbers;
        let quaternion = match kind {
            AttitudeKind::Quaternion(QuaternionOrder::Wxyz) => Some([n[0], n[1], n[2], n[3]]),
            AttitudeKind::Quaternion(QuaternionOrder::Xyzw) => Some([n[3], n[0], n[1], n[2]]),
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
