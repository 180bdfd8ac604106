//! A solver of somebody else: started with a problem on its standard input, or with several, its standard output read as
//! histories. One step that fails does not void the others.

mod batch;
mod command;
mod failure;
mod function;
mod last_lines;
mod mark;
mod pipes;
mod probing;
mod process;
mod run;
mod several;
mod solution;
mod timing;

pub use command::{InvalidCommand, SolverCommand};
pub use failure::{FailureKind, StepFailure};
pub use function::{FunctionAnswer, FunctionFailure, SolverFunction, SolverProgram};
pub use probing::{Manner, Respondent, Runs};
pub use run::CommandEnd;
pub use solution::{SolveError, StepSolution, solve, solve_by_model};
pub use timing::time_of_step;

use crate::claims::Claims;
use crate::history::{ReadError, Reading, Rows, Schedule};
use crate::parallel::Threads;
use crate::problem::{OnlyStep, PROTOCOL, ProblemForm, SolverProblem};
use failure::Fault;
use function::Output;
use mark::Mark;
use several::Tables;
use std::io::Read;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use topsim_core::math::Mat3;
use topsim_model::probe::{Probe, RateProbe};

/// How a solver is run.
#[derive(Debug, Clone)]
pub struct Solver {
    /// What is judged.
    pub program: SolverProgram,
    /// How it gets its problems.
    pub form: ProblemForm,
    /// Longest time for one step of a command.
    pub time_limit: Duration,
    /// Commands at a time; as many as there are cores without it.
    pub jobs: Option<usize>,
    /// What its author claims.
    pub claims: Claims,
    /// Tolerance of short problems, where it is judged at several: the finest one.
    pub tolerance: Option<f64>,
    /// The only step that it can make, where it has one: all problems are posed with this step.
    pub only_step: Option<OnlyStep>,
}

/// Why a problem with a given rate is not posed in batches.
const NO_BODY: &str = "a batch has bodies, and this problem gives the rate";

impl Solver {
    /// Returns the problem as it is posed.
    ///
    /// # Errors
    /// Reason why it cannot be posed with the solver's only step.
    pub fn pose(&self, problem: &SolverProblem) -> Result<SolverProblem, &'static str> {
        if self.takes_batches() && problem.body.is_none() {
            return Err(NO_BODY);
        }
        let mut posed = match self.only_step {
            Some(only) => only.pose(problem)?,
            None => problem.clone(),
        };
        posed.tolerance = posed.tolerance.or(self.tolerance);
        Ok(posed)
    }
    /// Returns whether it is given batches of problems.
    pub fn takes_batches(&self) -> bool {
        self.form == ProblemForm::Batch
    }
    /// Returns the factor by which the body of a problem with this step turns faster as it is posed.
    fn pace(&self, step: f64) -> f64 {
        self.only_step.map_or(1.0, |only| only.pace(step).factor())
    }

    /// Has short problems put to it, these first.
    pub fn asked<T>(
        &self,
        first: &[Probe],
        reading: &Reading,
        threads: &Threads,
        interrupt: &AtomicBool,
        ask: impl FnOnce(&dyn Runs) -> T,
    ) -> T {
        let session = SolverSession::new(self, reading, interrupt);
        let mut asked = Respondent::new(&session, threads);
        // One that answers nothing says so of each problem.
        let _ = asked.try_out(first);
        ask(&asked)
    }
}

/// A solver that is started for one problem after the other.
pub struct SolverSession<'a> {
    solver: &'a Solver,
    mark: Mark,
    reading: &'a Reading,
    interrupt: &'a AtomicBool,
    tables: Tables,
}

impl<'a> SolverSession<'a> {
    /// Makes the session of a solver whose rows are read in this way.
    pub fn new(solver: &'a Solver, reading: &'a Reading, interrupt: &'a AtomicBool) -> Self {
        Self {
            solver,
            mark: Mark::new(),
            reading,
            interrupt,
            tables: Tables::default(),
        }
    }

    /// Returns what `read` makes of the rows of a step: those that a start with several problems gave, where they are
    /// whole, else those of a start of its own.
    pub fn step<T>(
        &self,
        problem: SolverProblem,
        read: impl Fn(&mut Rows<&mut dyn Read>) -> Result<T, ReadError>,
    ) -> Result<T, StepFailure> {
        let step = problem.step;
        if let Some(output) = self.kept(&problem) {
            match self.read(output, &problem, &read) {
                Err(failure) if !failure.is_skipped() => {}
                made => return made,
            }
        }
        let posed = self.solver.pose(&problem);
        let posed = posed.map_err(|why| StepFailure::not_posed(step, why))?;
        let output = self
            .begin(&posed, self.solver.time_limit)
            .map_err(|e| StepFailure::not_started(step, &self.solver.program, &e))?;
        self.read(output, &problem, &read)
    }

    /// Gives a start of its own one problem, as it is posed.
    fn begin(&self, posed: &SolverProblem, limit: Duration) -> std::io::Result<Output<'_>> {
        if self.solver.takes_batches() {
            let mut tables = self.batched(std::slice::from_ref(posed), limit)?;
            return Ok(tables.remove(0).output());
        }
        let text = self.solver.form.write(posed).into_bytes();
        let posed = (text, PROTOCOL, posed.tolerance);
        let program = &self.solver.program;
        program.start(&self.mark, posed, limit, self.interrupt)
    }

    /// Returns what `read` makes of the output for a step.
    fn read<T>(
        &self,
        mut output: Output<'_>,
        problem: &SolverProblem,
        read: &impl Fn(&mut Rows<&mut dyn Read>) -> Result<T, ReadError>,
    ) -> Result<T, StepFailure> {
        let (step, limit) = (problem.step, self.solver.time_limit);
        let posed = self.solver.pose(problem);
        let posed = posed.map_err(|why| StepFailure::not_posed(step, why))?;
        let schedule = Schedule::new(posed.times, posed.step);
        let rows = match Rows::new(&mut output as &mut dyn Read, self.reading) {
            Ok(rows) => {
                let mut rows = rows.wanting(schedule).paced(self.solver.pace(step));
                let made = read(&mut rows).map_err(Fault::rows);
                // What follows a number that is not finite was not read: how that ends says nothing.
                made.map(|made| (made, rows.quality().lost.is_some()))
            }
            Err(e) => Err(Fault::header(e)),
        };
        let ended = output.finish();
        let (made, fault) = match rows {
            Ok(made) => (Some(made), Fault::Whole),
            Err(fault) => (None, fault),
        };
        let failure = StepFailure::of(step, fault, &ended, limit);
        match (made, failure) {
            (Some((made, lost)), failure) if lost || failure.is_none() => Ok(made),
            (_, Some(failure)) => Err(failure),
            // Neither rows nor a failure cannot be.
            (_, None) => Err(StepFailure {
                step,
                kind: FailureKind::Io,
                message: "its output was not read".into(),
                stderr: ended.stderr,
            }),
        }
    }

    /// Returns the attitudes of all rows of a given rate, or why there are none.
    pub fn turned(&self, probe: &RateProbe) -> Result<Vec<Mat3>, String> {
        let attitudes = self.step(SolverProblem::of_rate_probe(probe), all_attitudes);
        attitudes.map_err(|failure| failure.message)
    }

    /// Returns the attitudes of all rows of an output.
    fn attitudes(
        &self,
        output: Output<'_>,
        problem: &SolverProblem,
    ) -> Result<Vec<Mat3>, StepFailure> {
        self.read(output, problem, &all_attitudes)
    }
}

fn all_attitudes(rows: &mut Rows<&mut dyn Read>) -> Result<Vec<Mat3>, ReadError> {
    let mut out = Vec::new();
    while let Some(sample) = rows.next_row()? {
        out.push(sample.att);
    }
    Ok(out)
}

impl Fault {
    fn header(e: ReadError) -> Self {
        match e {
            ReadError::Header(faults) => Self::NoHeader(faults),
            ReadError::Content(e) => Self::NoHeader(vec![e]),
            ReadError::Io(e) => Self::Io(e),
        }
    }
    fn rows(e: ReadError) -> Self {
        match e {
            ReadError::Content(e) => Self::Rows(e),
            other => Self::header(other),
        }
    }
}
