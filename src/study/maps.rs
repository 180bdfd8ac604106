//! The escape maps of a case: the kernel bound to the tiles, and what was found.

use super::Progress;
use super::execute::Options;
use super::map::{KernelEnd, MapEnd, MapProgress, MapWork, Shelf, ShelfError, compute_map};
use crate::analysis::{Cells, EscapeGrid, MapNumbers, MapSummary, SURVIVOR, Shard, Tile};
use crate::cases::{MapPlan, probe_name};
use crate::drive::StopReason;
use crate::drive::escape::{EscapeError, Width, escape_steps};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Where the tiles of one map are kept, and what is known of it already.
pub struct Stand<'a> {
    /// Where finished tiles go.
    pub shelf: &'a dyn Shelf,
    /// What is finished.
    pub known: Cells,
    /// The share to compute.
    pub shard: Shard,
}

/// Keeps nothing: for maps whose result is used at once.
pub struct NoShelf;

impl Shelf for NoShelf {
    fn put(&self, _: &Tile, _: &[i32]) -> Result<(), ShelfError> {
        Ok(())
    }
}

/// An escape map as computed.
#[derive(Debug, Clone)]
pub struct MapReport {
    /// What was asked.
    pub plan: MapPlan,
    /// The whole map, where all of it is known.
    pub grid: Option<EscapeGrid>,
    /// Its summary.
    pub summary: Option<MapSummary>,
    /// Steps at which the probes escape, −1 for survivors.
    pub probes: Vec<i32>,
    /// The share that was computed.
    pub shard: Shard,
    /// How it ended.
    pub end: MapEnd,
    /// Time it took.
    pub wall: Duration,
}

impl MapReport {
    /// How it ended, in words.
    ///
    /// # Errors
    /// Why it is not complete.
    pub fn outcome(&self) -> Result<(), String> {
        match &self.end {
            MapEnd::Reached => Ok(()),
            MapEnd::Stopped(StopReason::Deadline) => Err(
                "stopped by --timeout; finished tiles are kept, the same command goes on".into(),
            ),
            MapEnd::Stopped(StopReason::Interrupted) => {
                Err("interrupted; finished tiles are kept, the same command goes on".into())
            }
            MapEnd::Unkept(e) => Err(e.to_string()),
            MapEnd::Failed(why) => Err(why.clone()),
        }
    }

    /// The numbers that checks can ask for.
    pub fn numbers(&self) -> MapNumbers {
        let whole = |f: &dyn Fn(&MapSummary) -> Option<f64>| match &self.summary {
            Some(s) => f(s).ok_or_else(|| "nothing escapes, so there are no escape times".into()),
            None => Err("the map is not complete".into()),
        };
        let mut numbers = vec![
            (
                "survivors".to_string(),
                whole(&|s| Some(s.survivors as f64)),
                "",
            ),
            ("fraction".into(), whole(&|s| Some(s.fraction())), ""),
        ];
        for (i, p) in crate::analysis::Quantiles::PERCENT.iter().enumerate() {
            let q = whole(&|s| s.quantiles.as_ref().map(|q| q.0[i]));
            numbers.push((format!("q{p:02}"), q, "s"));
        }
        for (place, &steps) in self.plan.probes.iter().zip(&self.probes) {
            let time = if steps == SURVIVOR {
                Err("it does not escape".into())
            } else {
                Ok(f64::from(steps) * self.plan.escape.h)
            };
            numbers.push((probe_name("time", place), time, "s"));
            numbers.push((probe_name("steps", place), Ok(f64::from(steps)), ""));
        }
        MapNumbers {
            study: self.plan.name.clone(),
            numbers,
        }
    }
}

struct Watch<'a>(&'a dyn Progress);

impl MapProgress for Watch<'_> {
    fn cells(&self, cells: u64) {
        self.0.map_cells(cells);
    }
    fn steps(&self, steps: u64) {
        self.0.map_steps(steps);
    }
}

/// Computes what is missing of a map, on the threads of the current pool.
pub(super) fn run_map(
    plan: &MapPlan,
    stand: Stand,
    options: &Options,
    progress: &dyn Progress,
    interrupt: &AtomicBool,
) -> MapReport {
    let started = Instant::now();
    let stop = || {
        if interrupt.load(Ordering::Relaxed) {
            return Some(StopReason::Interrupted);
        }
        let late = options.timeout.is_some_and(|t| started.elapsed() >= t);
        late.then_some(StopReason::Deadline)
    };
    let width = Width::best();
    let kernel = |cells: &[u64], out: &mut [i32], go_on: &dyn Fn(u64) -> bool| {
        let starts: Vec<[f64; 3]> = cells.iter().map(|&c| plan.start(c)).collect();
        escape_steps(&plan.escape, &starts, width, out, go_on).map_err(|e| match e {
            EscapeError::Stopped(_) => KernelEnd::Stopped,
            other => KernelEnd::Failed(other.to_string()),
        })
    };
    let Stand {
        shelf,
        known,
        shard,
    } = stand;
    progress.map_total(known.missing(shard), plan.escape.steps);
    let tiles = shard.tiles(plan.cells(), plan.x.cells, plan.escape.steps);
    let watch = Watch(progress);
    let work = MapWork {
        tiles: &tiles,
        kernel: &kernel,
        shelf,
        progress: &watch,
        stop: &stop,
    };
    let (cells, mut end) = compute_map(known, &work);
    let mut probes = vec![0; plan.probes.len()];
    let starts: Vec<[f64; 3]> = plan.probes.iter().map(|p| plan.place(*p)).collect();
    if end == MapEnd::Reached
        && let Err(e) = escape_steps(&plan.escape, &starts, width, &mut probes, &|_| {
            stop().is_none()
        })
    {
        end = match (e, stop()) {
            (EscapeError::Stopped(_), Some(why)) => MapEnd::Stopped(why),
            (other, _) => MapEnd::Failed(other.to_string()),
        };
    }
    let grid = match (&end, cells.complete()) {
        (MapEnd::Reached, Ok(steps)) => {
            let made = EscapeGrid::new([plan.x, plan.z], steps, plan.escape.steps, plan.escape.h);
            made.map_err(|e| end = MapEnd::Failed(e.to_string())).ok()
        }
        _ => None,
    };
    MapReport {
        plan: plan.clone(),
        summary: grid.as_ref().map(EscapeGrid::summary),
        grid,
        probes,
        shard,
        end,
        wall: started.elapsed(),
    }
}
