//! The surveys of a case: starts at each spin, and linear theory at each height, on all threads.

use super::Progress;
use super::execute::Options;
use crate::analysis::{MapNumbers, SURVIVOR, SpinRow, SpinScan, StabilityRegion, Survey, level};
use crate::cases::{RegionPlan, ScanPlan, SurveyPlan};
use crate::drive::escape::{Escape, EscapeError, Width, escape_steps};
use crate::reference::levitron_stability::stable_spins;
use core::f64::consts::TAU;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Starts of a piece of work.
const PIECE: u64 = 2048;

/// A survey as made.
#[derive(Debug, Clone)]
pub struct SurveyReport {
    /// What was asked.
    pub plan: SurveyPlan,
    /// What was found, or why nothing.
    pub found: Result<Survey, String>,
    /// Time it took.
    pub wall: Duration,
}

impl SurveyReport {
    /// The numbers that checks can ask for.
    pub fn numbers(&self) -> MapNumbers {
        let missing = |why: &String| {
            let names = self.plan.numbers().into_iter();
            names.map(|n| (n, Err(why.clone()), "")).collect()
        };
        MapNumbers {
            study: self.plan.name().into(),
            numbers: self.found.as_ref().map_or_else(missing, Survey::numbers),
        }
    }
}

/// Makes a survey on the threads of the current pool.
pub(super) fn run_survey(
    plan: &SurveyPlan,
    options: &Options,
    progress: &dyn Progress,
    interrupt: &AtomicBool,
) -> SurveyReport {
    let started = Instant::now();
    let stop = || {
        if interrupt.load(Ordering::Relaxed) {
            return Some("interrupted");
        }
        let late = options.timeout.is_some_and(|t| started.elapsed() >= t);
        late.then_some("stopped by --timeout")
    };
    let found = match plan {
        SurveyPlan::SpinScan(plan) => scan(plan, progress, &stop).map(Survey::SpinScan),
        SurveyPlan::StabilityRegion(plan) => {
            region(plan, &stop).map(|r| Survey::StabilityRegion(Box::new(r)))
        }
    };
    SurveyReport {
        plan: plan.clone(),
        found,
        wall: started.elapsed(),
    }
}

fn region(
    plan: &RegionPlan,
    stop: &(dyn Fn() -> Option<&'static str> + Sync),
) -> Result<StabilityRegion, String> {
    let heights = plan.heights.par_iter();
    let levels: Result<Vec<_>, String> = heights
        .map(|z| match stop() {
            Some(why) => Err(why.into()),
            None => Ok(level(&plan.levitron, *z, &plan.spins)),
        })
        .collect();
    StabilityRegion::new(&plan.levitron, plan.sigma, levels?, &plan.spins)
        .map_err(|e| e.to_string())
}

fn scan(
    plan: &ScanPlan,
    progress: &dyn Progress,
    stop: &(dyn Fn() -> Option<&'static str> + Sync),
) -> Result<SpinScan, String> {
    let starts = plan.map.cells();
    progress.map_total(starts * plan.spins.len() as u64, plan.map.escape.steps);
    let problems: Vec<Escape> = plan
        .spins
        .iter()
        .map(|sigma| Escape {
            spin: sigma * TAU,
            ..plan.map.escape.clone()
        })
        .collect();
    let pieces: Vec<(usize, u64)> = (0..problems.len())
        .flat_map(|spin| (0..starts.div_ceil(PIECE)).map(move |k| (spin, k * PIECE)))
        .collect();
    let width = Width::best();
    let survivors: Vec<Result<u64, String>> = pieces
        .par_iter()
        .with_max_len(1)
        .map(|&(spin, from)| {
            let cells = from..(from + PIECE).min(starts);
            let places: Vec<[f64; 3]> = cells.map(|c| plan.map.start(c)).collect();
            let mut steps = vec![0; places.len()];
            let go_on = |made: u64| {
                progress.map_steps(made);
                stop().is_none()
            };
            match escape_steps(&problems[spin], &places, width, &mut steps, &go_on) {
                Ok(_) => {}
                Err(EscapeError::Stopped(_)) => return Err(stop().unwrap_or("stopped").into()),
                Err(other) => return Err(other.to_string()),
            }
            progress.map_cells(places.len() as u64);
            Ok(steps.iter().filter(|n| **n == SURVIVOR).count() as u64)
        })
        .collect();
    let mut rows: Vec<SpinRow> = plan
        .spins
        .iter()
        .map(|&sigma| SpinRow {
            sigma,
            survivors: 0,
        })
        .collect();
    for ((spin, _), n) in pieces.into_iter().zip(survivors) {
        rows[spin].survivors += n?;
    }
    Ok(SpinScan {
        starts,
        rows,
        stable: stable_spins(&plan.map.escape.levitron)
            .map(|s| [s.low / TAU, s.high / TAU])
            .map_err(|e| e.to_string()),
    })
}
