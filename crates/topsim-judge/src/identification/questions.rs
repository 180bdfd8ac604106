//! What a solver is asked: the runs of the design, in their order, and a reading of its answers.

use super::design::{self, DesignPoint, Group, Sizes};
use super::experiment::{Answer, Probe, Target};
use super::neighbours::Neighbours;
use super::{cadence, probes};
use crate::history::Body;
use std::cell::RefCell;
use topsim_case::Problem;
use topsim_core::models::{Torque, TorqueModel};
use topsim_model::convention::Convention;

/// The torques of the problems that a solver is judged on: others are not asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scope {
    pub gravity: bool,
    pub push: bool,
    /// Torques that change with time.
    pub time: bool,
}

impl Scope {
    /// Free bodies alone.
    pub const FREE: Self = Self {
        gravity: false,
        push: false,
        time: false,
    };
    /// Everything, or free bodies alone.
    #[cfg(test)]
    pub fn whole(gravity: bool) -> Self {
        Self {
            gravity,
            push: gravity,
            time: gravity,
        }
    }
    /// Returns the scope of the problems.
    pub fn of<'a>(problems: impl Iterator<Item = &'a Problem>) -> Self {
        let mut out = Self::FREE;
        for body in problems.filter_map(|p| Body::of(&p.model)) {
            match body.top().torque() {
                TorqueModel::Gravity(_) => out.gravity = true,
                TorqueModel::LoadedGravity(_) => (out.gravity, out.push) = (true, true),
                TorqueModel::NoTorque(_) => {}
                other if other.depends_on_rate() => {}
                // What is held between the times of a table may be read at any time between them.
                TorqueModel::TableTorque(table) if table.is_held() => out.push = true,
                TorqueModel::Sin2Pulse(_)
                | TorqueModel::TableTorque(_)
                | TorqueModel::TimeTorque(_) => {
                    (out.push, out.time) = (true, true);
                }
                _ => out.push = true,
            }
        }
        out
    }

    /// Detects that it matters when in a step a torque is read.
    pub fn reads_torque(self) -> bool {
        self.gravity || self.time
    }
}

/// Returns the starts of the design that a scope has.
pub(super) fn starts(sizes: Sizes, scope: Scope) -> Vec<DesignPoint> {
    let mut starts = design::starts(sizes);
    starts.retain(|s| match s.group {
        Group::Rest | Group::Gravity => scope.gravity,
        Group::Push => scope.push,
        Group::Other => false,
        Group::Sphere | Group::Free => true,
    });
    starts
}

/// The parts of the questions, in their order.
pub(super) struct QuestionParts {
    pub starts: Vec<DesignPoint>,
    pub probes: Vec<Probe>,
    pub neighbours: Neighbours,
    /// Ends of the parts in `probes`: again, starts, neighbours, coarse, fast, branches, slow, long, spinning, ends.
    pub ends: Vec<usize>,
}

impl QuestionParts {
    pub fn new(sizes: Sizes, scope: Scope) -> Self {
        let starts = starts(sizes, scope);
        let neighbours = Neighbours::new(&starts);
        let mut probes = Vec::new();
        let mut ends = Vec::new();
        for part in [
            // The first of all in one start of a solver: nothing is left yet of another problem.
            probes::again(),
            design::runs(&starts, design::STEPS),
            design::runs(&neighbours.starts, design::STEPS),
            cadence::coarse(),
            probes::fast(),
            probes::branches(),
            probes::slow(),
            probes::long(scope.gravity),
            probes::spinning(),
            probes::ends(scope.gravity),
        ] {
            probes.extend(part);
            ends.push(probes.len());
        }
        Self {
            starts,
            neighbours,
            probes,
            ends,
        }
    }
}

/// A solver that answers nothing, to learn what is asked whatever is answered.
#[derive(Default)]
pub(crate) struct Listener(RefCell<Vec<Probe>>);

impl Listener {
    /// Returns what `ask` asks of a solver, before it gets an answer.
    pub fn hear<T>(ask: impl FnOnce(&dyn Target) -> T) -> Vec<Probe> {
        let listener = Self::default();
        ask(&listener);
        listener.0.into_inner()
    }
}

impl Target for Listener {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        self.0.borrow_mut().extend_from_slice(probes);
        let none = || Err("nothing is answered".into());
        probes.iter().map(|_| none()).collect()
    }
}

/// A solver whose reports are put right.
pub(super) struct Undone<'a> {
    pub target: &'a dyn Target,
    pub convention: &'a Convention,
}

impl Target for Undone<'_> {
    fn foresee(&self, probes: &[Probe]) {
        self.target.foresee(probes);
    }

    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let mut all = self.target.answers(probes);
        if !self.convention.is_as_named() {
            for (p, rows) in probes.iter().zip(&mut all) {
                if let Ok(rows) = rows {
                    self.convention.undo(&p.start.att, rows);
                }
            }
        }
        all
    }
}
