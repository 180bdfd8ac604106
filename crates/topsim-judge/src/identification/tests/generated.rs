//! Random solvers by kind, and how they are named.

use crate::identification::experiment::Target;
use crate::identification::symptom::Symptom;
use crate::identification::{Certainty, Claim, Identification, Scope, identify};
use core::fmt;
use std::sync::Mutex;
use wrong_solvers::{CONTROLLED, FIXED, Print, Solver, SolverKind, draw_many};

/// How a solver was named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    Rightly,
    /// Its part is said, and not its cause.
    ByClass,
    /// It is said to look like something else.
    Doubtfully,
    Wrongly,
    Not,
}

/// A generated solver and what was said of it.
pub(super) struct Trial {
    pub kind: SolverKind,
    pub solver: Solver,
    pub quick: bool,
    pub named: Named,
    /// Numbers that are not right to the digits that are stated.
    pub numbers_off: Vec<String>,
    pub said: String,
    pub seconds: f64,
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            solver,
            quick,
            named,
            said,
            ..
        } = self;
        write!(f, "{named:?} {kind:?} {solver:?} quick {quick}: {said}")
    }
}

const ALL: Scope = Scope {
    gravity: true,
    push: true,
    time: true,
};

pub(super) fn said(i: &Identification) -> String {
    let claims = i.claims.iter().map(|c| {
        format!(
            "{} {:?}: {} ({})",
            c.id,
            c.certainty,
            c.name(),
            c.evidence()
        )
    });
    format!(
        "{:#?} notes {:?} scheme {:?} order {:?} not measured {:?}",
        claims.collect::<Vec<_>>(),
        i.notes,
        i.scheme,
        i.least_order,
        i.not_measured
    )
}

/// Returns how a solver was named by claims of ids; `is_true` says whether the table of an unexplained law is.
pub(super) fn named(
    kind: SolverKind,
    solver: &Solver,
    claims: &[(String, Certainty)],
    is_true: bool,
) -> Named {
    let wanted = solver.ids();
    // A damping as engines have it is of two numbers.
    let meant = |id: &str| wanted.iter().any(|w| w.contains(&id));
    let others: Vec<_> = claims.iter().filter(|(id, _)| !meant(id)).collect();
    let certain = |c: Certainty| others.iter().any(|(_, x)| *x == c);
    if certain(Certainty::Is) {
        return Named::Wrongly;
    }
    if kind.is_right() {
        return if claims.is_empty() {
            Named::Rightly
        } else {
            Named::Doubtfully
        };
    }
    let all = wanted
        .iter()
        .all(|w| claims.iter().any(|(id, _)| w.contains(&id.as_str())));
    if all && others.is_empty() {
        return if is_true {
            Named::Rightly
        } else {
            Named::ByClass
        };
    }
    if certain(Certainty::LooksLike) {
        return Named::Doubtfully;
    }
    if certain(Certainty::Unexplained) {
        return Named::ByClass;
    }
    Named::Not
}

/// Numbers of single laws that are off by more than what is said.
fn numbers_off(solver: &Solver, found: &[Claim]) -> Vec<String> {
    let mut out = Vec::new();
    for (term, wanted) in solver.laws.iter().filter_map(|l| l.numbers()) {
        for claim in found {
            let Symptom::Law { fitted, .. } = &*claim.symptom else {
                continue;
            };
            for f in fitted.iter().filter(|f| f.term == term) {
                for ((x, y), error) in f.values().iter().zip(&wanted).zip(&f.errors) {
                    // The errors are those of all states alike, and the fit's own floor.
                    if !((x - y).abs() <= 3.0 * error) {
                        out.push(format!("{term:?}: {x} ± {error:e} for {y}"));
                    }
                }
            }
        }
    }
    out
}

pub(super) fn trial(kind: SolverKind, solver: Solver, quick: bool) -> Trial {
    let begun = std::time::Instant::now();
    let i = identify(&solver, ALL, quick);
    let seconds = begun.elapsed().as_secs_f64();
    let claims = i.claims.iter().map(|c| (c.id.to_string(), c.certainty));
    let claims: Vec<_> = claims.collect();
    let is_true = i.claims.iter().all(|c| match &*c.symptom {
        Symptom::UnknownLaw(table) => super::table::is_true(&solver, table),
        _ => true,
    });
    Trial {
        kind,
        named: named(kind, &solver, &claims, is_true),
        numbers_off: numbers_off(&solver, &i.claims),
        said: said(&i),
        solver,
        quick,
        seconds,
    }
}

/// Random solvers of the kinds in turn.
pub(super) fn trials(kinds: &[SolverKind], count: usize, seed: u64) -> Vec<Trial> {
    on_all_cores(draw_many(kinds, count, seed), trial)
}

pub(super) fn identified(target: &dyn Target, quick: bool) -> Identification {
    identify(target, ALL, quick)
}

/// A right solver by each rule; the prints in turn.
pub(super) fn every_rule() -> Vec<Trial> {
    let prints = [
        Print::Whole,
        Print::Single,
        Print::Digits(12),
        Print::SingleRates,
        Print::Digits(7),
    ];
    let rules = FIXED.into_iter().chain(CONTROLLED);
    let one = |(n, rule)| {
        let mut solver = Solver::new(&[], rule);
        solver.print = prints[n % prints.len()];
        (SolverKind::Right, solver, n % 2 == 1)
    };
    on_all_cores(rules.enumerate().map(one).collect(), trial)
}

/// Makes a trial of each solver, on all cores.
pub(super) fn on_all_cores(
    all: Vec<(SolverKind, Solver, bool)>,
    trial: impl Fn(SolverKind, Solver, bool) -> Trial + Sync,
) -> Vec<Trial> {
    let numbered = all.into_iter().enumerate();
    let mut jobs: Vec<(usize, SolverKind, Solver, bool)> = numbered
        .map(|(n, (kind, solver, quick))| (n, kind, solver, quick))
        .collect();
    jobs.reverse();
    let (jobs, done) = (Mutex::new(jobs), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let Some((n, kind, solver, quick)) = jobs.lock().unwrap().pop() else {
                        break;
                    };
                    let trial = trial(kind, solver, quick);
                    done.lock().unwrap().push((n, trial));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(n, _)| *n);
    done.into_iter().map(|(_, t)| t).collect()
}

/// Kind by kind, how many were named how: a table in Markdown.
pub(super) fn table(all: &[Trial]) -> String {
    let mut out = String::from(
        "| kind | number | rightly | by class | doubtfully | wrongly | not |\n|---|---|---|---|---|---|---|\n",
    );
    let mut line = |name: &str, of: &dyn Fn(&&Trial) -> bool| {
        let of: Vec<&Trial> = all.iter().filter(of).collect();
        let count = |n: Named| of.iter().filter(|t| t.named == n).count();
        out += &format!(
            "| {name} | {} | {} | {} | {} | {} | {} |\n",
            of.len(),
            count(Named::Rightly),
            count(Named::ByClass),
            count(Named::Doubtfully),
            count(Named::Wrongly),
            count(Named::Not)
        );
    };
    for kind in SolverKind::ALL {
        if all.iter().any(|t| t.kind == kind) {
            line(kind.name(), &|t| t.kind == kind);
        }
    }
    line("all wrong ones", &|t| !t.kind.is_right());
    out
}
