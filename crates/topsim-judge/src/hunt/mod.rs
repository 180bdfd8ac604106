//! The hunt: a search for a problem on which a solver breaks what it keeps on ordinary ones, and the simplest such
//! problem.
//!
//! Closed forms are the oracles, and nothing within ten times their stated error is a finding. What a *right* scheme of
//! a low order does is no finding either: an error is judged by whether it falls with the step, and everything else
//! against the habits that the solver shows on ordinary problems ([`Habits`]).

mod claim;
mod corner;
mod coverage;
mod finding;
mod habits;
mod ladder;
mod point;
pub(crate) mod runs;
mod search;
mod shrink;
mod space;
#[cfg(test)]
mod tests;
mod trial;

pub use claim::{HuntClaim, Margin};
pub use corner::Corner;
pub use coverage::{Axis, Coverage, Covered, Nearest};
pub use finding::Finding;
pub use habits::Habits;
pub use point::Point;
pub use search::ROUND;

use crate::claims::Claims;
use crate::error::JudgeError;
use crate::history::Reading;
use crate::identification::Scope;
use crate::parallel::Threads;
use crate::solver::Solver;
use runs::{Catalogue, Runs};
use schemars::JsonSchema;
use search::Search;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};
use topsim_core::integration::registry;
use trial::Trials;

/// What is hunted.
#[derive(Clone, Copy)]
pub enum Hunted<'a> {
    /// A solver of somebody else.
    Solver(&'a Solver, &'a Reading),
    /// A scheme of the catalogue.
    Scheme(&'static registry::Row),
}

impl Hunted<'_> {
    /// The command, or the name of the scheme.
    pub fn name(&self) -> &str {
        match self {
            Self::Solver(solver, _) => solver.program.text(),
            Self::Scheme(row) => row.info.name,
        }
    }
}

/// How a hunt is made.
#[derive(Debug, Clone, Default)]
pub struct HuntOptions {
    /// What has to hold; everything without any.
    pub wanted: Vec<HuntClaim>,
    /// What the author claims, whatever ordinary problems show.
    pub claims: Claims,
    /// The same seed gives the same problems.
    pub seed: u64,
    /// Threads, or commands at a time; as many as there are cores without it.
    pub jobs: Option<usize>,
    /// Most problems; a hunt of as many as another one has made gives the same findings.
    pub problems: Option<u64>,
    /// Findings of before, which are tried first.
    pub known: Vec<Finding>,
}

/// Who watches a hunt.
pub struct HuntWatch<'a> {
    /// Set, it ends everything.
    pub interrupt: &'a AtomicBool,
    /// Asked before each round, with what was covered so far, whether to go on.
    pub go_on: &'a mut dyn FnMut(&Coverage) -> bool,
    /// Is told of each new finding.
    pub found: &'a mut dyn FnMut(&Finding),
}

/// What a hunt has found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct HuntReport {
    /// The command, or the name of the scheme.
    pub solver: String,
    /// Seed.
    pub seed: u64,
    /// What was judged against.
    pub habits: Habits,
    /// What was covered.
    pub coverage: Coverage,
    /// Known findings that still show.
    pub known: Vec<Finding>,
    /// Ids of known findings that no longer show.
    pub gone: Vec<String>,
    /// New findings.
    pub new: Vec<Finding>,
}

impl HuntReport {
    /// Whether nothing was found but what is accepted.
    pub fn passed(&self) -> bool {
        self.new.is_empty() && self.known.iter().all(|f| f.accepted.is_some())
    }
    /// Whether the solver refuses every problem.
    pub fn refused(&self) -> bool {
        self.coverage.refused == self.coverage.problems
    }
}

/// Hunts for findings.
///
/// # Errors
/// [`JudgeError::Interrupted`].
pub fn hunt(
    hunted: Hunted,
    options: &HuntOptions,
    watch: HuntWatch,
) -> Result<HuntReport, JudgeError> {
    let threads = Threads::new(options.jobs);
    match hunted {
        Hunted::Scheme(row) => {
            let solver = Catalogue {
                row,
                threads: &threads,
            };
            search(&solver, &threads, hunted.name(), options, watch)
        }
        Hunted::Solver(solver, reading) => {
            let interrupt = watch.interrupt;
            let scope = Scope {
                gravity: true,
                push: false,
            };
            solver.asked(scope, reading, &threads, interrupt, |asked| {
                search(asked, &threads, hunted.name(), options, watch)
            })
        }
    }
}

fn search(
    solver: &dyn Runs,
    threads: &Threads,
    name: &str,
    options: &HuntOptions,
    watch: HuntWatch,
) -> Result<HuntReport, JudgeError> {
    let all = options.wanted.is_empty();
    let wanted = if all {
        HuntClaim::ALL.to_vec()
    } else {
        options.wanted.clone()
    };
    let trials = Trials { solver, threads };
    let mut search = Search::new(trials, (&wanted, &options.claims), options.seed, name);
    let (mut known, mut gone, mut new) = (Vec::new(), Vec::new(), Vec::new());
    for finding in &options.known {
        if search.replay(finding.clone()) {
            known.extend(search.findings.last().cloned());
        } else {
            gone.push(finding.id.clone());
        }
    }
    let left = |done: u64| {
        options
            .problems
            .map_or(u64::MAX, |most| most.saturating_sub(done))
    };
    while !watch.interrupt.load(Ordering::Relaxed)
        && !search.is_over()
        && left(search.coverage.problems) > 0
        && (search.coverage.problems == 0 || (watch.go_on)(&search.coverage))
    {
        for finding in search.round(left(search.coverage.problems)) {
            (watch.found)(&finding);
            new.push(finding);
        }
    }
    if watch.interrupt.load(Ordering::Relaxed) {
        return Err(JudgeError::Interrupted);
    }
    Ok(HuntReport {
        solver: name.into(),
        seed: options.seed,
        habits: search.habits,
        coverage: search.coverage,
        known,
        gone,
        new,
    })
}
