//! Torques that act late or coarsely, or depend on how a run began: the habit that explains what acted from row to row, if one does.

use super::runs::Run;
use crate::thresholds::{EXPLAINED, FEW_TIMES, MOST};
use core::mem::discriminant;
use topsim_model::acting_torque::ActingTorques;
pub(crate) use topsim_model::torque_habit::TorqueHabit;
use topsim_model::{Observed, Report, StepHistory};

/// A habit that explains what acted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ActingHabit {
    pub habit: TorqueHabit,
    /// Its number.
    pub number: f64,
    /// The number in steps, where it is one of steps and not of seconds.
    pub steps: Option<f64>,
    /// Part of what is off that it leaves.
    pub left: f64,
}

/// Returns the habit that explains the torques of the finest two of the runs, if none of another kind comes near; `told` where they
/// are known to be wrong, and `at_once` where it is known whether torques act in first steps.
pub(super) fn acting(runs: &[Run], told: bool, at_once: Option<bool>) -> Option<ActingHabit> {
    let [.., coarse, fine] = runs else {
        return None;
    };
    let (coarse, fine) = (ActingTorques::new(coarse)?, ActingTorques::new(fine)?);
    let stays = (MOST..=1.0 / MOST).contains(&(fine.off() / coarse.off()));
    if !told && !stays {
        return None;
    }
    let possible = TorqueHabit::all().filter(|h| at_once.is_none_or(|acts| h.begins_so(acts)));
    let mut all: Vec<_> = possible.map(|h| (h, fine.fit(h))).collect();
    all.sort_by(|a, b| a.1.1.total_cmp(&b.1.1));
    let (habit, (number, left)) = *all.first()?;
    let mut others = all.iter();
    let rival = others.find(|(h, _)| discriminant(h) != discriminant(&habit))?;
    if left > EXPLAINED || rival.1.1 < FEW_TIMES * left {
        return None;
    }
    let holds = |x: f64| coarse.left_by(habit, x) <= FEW_TIMES * EXPLAINED;
    let steps = match () {
        () if holds(number) => None,
        // A delay of whole steps is told as a term of a step before.
        () if matches!(habit, TorqueHabit::Delayed { .. }) => return None,
        () if habit.is_of_time() && holds(number * coarse.step() / fine.step()) => {
            Some(number / fine.step())
        }
        () => return None,
    };
    Some(ActingHabit {
        habit,
        number,
        steps,
        left,
    })
}

/// Returns the habit that explains the torques between the rows of the finest two histories: their motion is laid through these.
pub(crate) fn of_histories(observed: &Observed, report: &Report) -> Option<ActingHabit> {
    let [fine, coarse, ..] = &observed.histories[..] else {
        return None;
    };
    let run = |history: &StepHistory| history.dense(&observed.body, report);
    // What is one of steps is told as a term of another time.
    acting(&[run(coarse)?, run(fine)?], false, None).filter(|acts| acts.steps.is_none())
}
