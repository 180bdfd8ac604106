//! Options, progress and outcome of a hunt.

use crate::claim::HuntClaim;
use crate::coverage::Coverage;
use crate::finding::Finding;
use crate::habits::Habits;
use crate::runs::Catalogue;
use crate::search::Search;
use crate::trial::{FEW, Trials};
use crate::worlds::{self, WorldFault};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use topsim_core::integration::registry;
use topsim_model::design::first_questions;
use topsim_protocol::Claims;
use topsim_protocol::history::Reading;
use topsim_protocol::parallel::Threads;
use topsim_protocol::problem::{MOST_WORLDS, OnlyStep};
use topsim_protocol::solver::Runs;
use topsim_protocol::solver::Solver;

/// What is hunted.
#[derive(Clone, Copy)]
pub enum HuntTarget<'a> {
    /// A solver of somebody else.
    Solver(&'a Solver, &'a Reading),
    /// A scheme of the catalogue.
    Scheme(&'static registry::SchemeRow),
}

impl HuntTarget<'_> {
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
    /// Worlds in a batch of a solver that is given batches; as many as a batch can have without it.
    pub worlds: Option<usize>,
}

/// Who watches a hunt.
pub struct HuntWatch<'a> {
    /// Set, it ends everything at once, runs of a solver too: whoever sets it watches the clock. What was judged by
    /// then is reported.
    pub interrupt: &'a AtomicBool,
    /// Asked before each round, with what was covered so far, whether to go on.
    pub go_on: &'a mut dyn FnMut(&Coverage) -> bool,
    /// Is told of each new finding, with the ids of those of this hunt whose place it takes: theirs need more corners.
    pub found: &'a mut dyn FnMut(&Finding, &[String]),
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
    /// Ids of known findings that could not be tried: the hunt ended before, or the solver gives no rows of anything.
    pub untried: Vec<String>,
    /// New findings.
    pub new: Vec<Finding>,
    /// What makes the worlds of a batch depend on each other or on their places. Nothing else is judged of such a solver.
    pub worlds: Vec<WorldFault>,
    /// Whether it was ended from outside, by a clock or a signal.
    pub stopped: bool,
}

impl HuntReport {
    /// Whether nothing was found but what is accepted.
    pub fn passed(&self) -> bool {
        self.worlds.is_empty() && self.new.is_empty() && self.known.iter().all(Finding::is_accepted)
    }
    /// Whether no problem was judged, and no finding of before was tried.
    pub fn nothing_judged(&self) -> bool {
        let judged = self.coverage.claims.iter().any(|c| c.judged > 0) || !self.worlds.is_empty();
        !judged && self.new.is_empty() && self.known.is_empty() && self.gone.is_empty()
    }
}

/// The step of all worlds, s, where the solver names no only step: worlds of one batch share their step.
const BATCH_STEP: f64 = 0.01;

/// Hunts for findings.
pub fn hunt(hunted: HuntTarget, options: &HuntOptions, watch: HuntWatch) -> HuntReport {
    let threads = Threads::new(options.jobs);
    match hunted {
        HuntTarget::Scheme(row) => {
            let solver = Catalogue {
                row,
                threads: &threads,
                interrupt: watch.interrupt,
            };
            search(&solver, &threads, hunted.name(), options, watch)
        }
        HuntTarget::Solver(solver, reading) => {
            let interrupt = watch.interrupt;
            let first = first_questions(true, false);
            let mut options = options.clone();
            let mut solver = solver.clone();
            if solver.takes_batches() {
                solver.only_step = solver.only_step.or(OnlyStep::new(BATCH_STEP));
                options.worlds = options.worlds.or(Some(MOST_WORLDS));
            } else {
                options.worlds = None;
            }
            solver.asked(&first, reading, &threads, interrupt, |asked| {
                search(asked, &threads, hunted.name(), &options, watch)
            })
        }
    }
}

/// Searches with a solver, or a scheme, that answers short runs.
pub(crate) fn search(
    solver: &dyn Runs,
    threads: &Threads,
    name: &str,
    options: &HuntOptions,
    watch: HuntWatch,
) -> HuntReport {
    let all = options.wanted.is_empty();
    let wanted = if all {
        HuntClaim::ALL.to_vec()
    } else {
        options.wanted.clone()
    };
    let worlds = options.worlds.map(|worlds| worlds::faults(solver, worlds));
    if let Some(worlds) = worlds.filter(|worlds| !worlds.is_empty()) {
        return HuntReport {
            solver: name.into(),
            seed: options.seed,
            habits: Habits::of(&[], &options.claims),
            coverage: Coverage::new(&wanted),
            known: Vec::new(),
            gone: Vec::new(),
            untried: options.known.iter().map(|known| known.id.clone()).collect(),
            new: Vec::new(),
            worlds,
            stopped: false,
        };
    }
    let trials = Trials {
        solver,
        threads,
        together: options.worlds.map_or(FEW, |_| MOST_WORLDS),
    };
    let mut search = Search::new(trials, (&wanted, &options.claims), options.seed, name);
    if options.worlds.is_some() {
        search.of_round = MOST_WORLDS as u64;
    }
    let known = options.known.iter().cloned();
    let gone = known.filter(|known| search.is_gone(known.clone()));
    let gone = gone.map(|known| known.id).collect();
    let left = |done: u64| {
        options
            .problems
            .map_or(u64::MAX, |most| most.saturating_sub(done))
    };
    while !search.is_over()
        && left(search.coverage.problems) > 0
        && (search.coverage.problems == 0 || (watch.go_on)(&search.coverage))
    {
        for (finding, replaced) in search.round(left(search.coverage.problems)) {
            (watch.found)(&finding, &replaced);
        }
    }
    let (habits, coverage) = (search.habits, search.coverage.clone());
    let stopped = search.is_stopped();
    let (known, untried, new) = search.into_findings();
    HuntReport {
        solver: name.into(),
        seed: options.seed,
        habits,
        coverage,
        known,
        gone,
        untried,
        new,
        worlds: Vec::new(),
        stopped,
    }
}
