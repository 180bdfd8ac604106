//! Computes a map of escape times, and names its numbers.

use super::definition::{EscapeMap, probe_name};
use super::grid::{EscapeGrid, MapSummary, Quantiles, SURVIVOR};
use crate::kernel::{EscapeError, escape_steps};
use crate::number::{NamedNumber, NoValue};
use tiles::{CellProgress, Share, StopRequest, Unfinished, compute};

/// Finished map of escape times.
#[derive(Debug, Clone)]
pub struct EscapeMapResult {
    /// Escape times of all cells.
    pub grid: EscapeGrid,
    /// Summary of the cells.
    pub summary: MapSummary,
    /// Steps at which the single starts escape, [`SURVIVOR`] for survivors.
    pub probes: Vec<i32>,
}

impl EscapeMapResult {
    /// Returns the numbers of the `map` that this is the result of.
    pub fn numbers(&self, map: &EscapeMap) -> Vec<NamedNumber> {
        let summary = &self.summary;
        let mut out = vec![
            NamedNumber::new("survivors", Ok(summary.survivors as f64), ""),
            NamedNumber::new("fraction", Ok(summary.fraction()), ""),
        ];
        for (i, p) in Quantiles::PERCENT.iter().enumerate() {
            let quantiles = summary.quantiles.ok_or(NoValue::NothingEscapes);
            let value = quantiles.map(|q| q.0[i]);
            out.push(NamedNumber::new(format!("q{p:02}"), value, "s"));
        }
        for (place, &steps) in map.probes.iter().zip(&self.probes) {
            let escapes = (steps != SURVIVOR).then_some(f64::from(steps) * map.escape.h);
            let time = escapes.ok_or(NoValue::Survivor);
            out.push(NamedNumber::new(probe_name("time", place), time, "s"));
            let steps = Ok(f64::from(steps));
            out.push(NamedNumber::new(probe_name("steps", place), steps, ""));
        }
        out
    }
}

/// Computes the missing cells of a share of a map, on the threads of the current pool. Returns `None`
/// while cells of other shares are missing.
///
/// # Errors
/// [`Unfinished`]; finished tiles are kept.
pub fn run_map(
    map: &EscapeMap,
    share: Share,
    progress: &dyn CellProgress,
    stop: StopRequest,
) -> Result<Option<EscapeMapResult>, Unfinished<EscapeError>> {
    let Some(steps) = compute(map, share, progress, stop)?.complete() else {
        return Ok(None);
    };
    let mut probes = vec![0; map.probes.len()];
    let starts: Vec<[f64; 3]> = map.probes.iter().map(|p| map.place(*p)).collect();
    let go_on = |_: u64| !stop();
    escape_steps(&map.escape, &starts, map.width, &mut probes, &go_on)?;
    let grid = EscapeGrid {
        x: map.x,
        y: map.z,
        steps,
        limit: map.escape.steps,
        h: map.escape.h,
    };
    Ok(Some(EscapeMapResult {
        summary: grid.summary(),
        grid,
        probes,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Width;
    use crate::map::small;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU64, Ordering};
    use tiles::{CellStudy, Cells, Shard, Tile, TileError, TileSink};

    #[derive(Default)]
    struct Memory(Mutex<Vec<(Tile, Vec<i32>)>>);

    impl TileSink for Memory {
        fn keep(&self, tile: &Tile, steps: &[i32]) -> Result<(), TileError> {
            self.0.lock().unwrap().push((*tile, steps.to_vec()));
            Ok(())
        }
    }

    /// Counters of what is reported.
    #[derive(Default)]
    struct Count([AtomicU64; 2]);

    impl CellProgress for Count {
        fn begin(&self, cells: u64) {
            self.0[0].fetch_add(cells, Ordering::Relaxed);
        }
        fn cells(&self, cells: u64) {
            self.0[1].fetch_add(cells, Ordering::Relaxed);
        }
    }

    fn value(numbers: &[NamedNumber], name: &str) -> Result<f64, NoValue> {
        numbers.iter().find(|n| n.name == name).unwrap().value
    }

    fn run(map: &EscapeMap, share: Share, progress: &dyn CellProgress) -> EscapeMapResult {
        run_map(map, share, progress, &|| false).unwrap().unwrap()
    }

    #[test]
    fn a_map_has_its_numbers_and_tells_its_progress() {
        let map = small();
        let told = Count::default();
        let found = run(&map, Share::whole(&map.layout()), &told);
        let grid = &found.grid;
        let mut starts = vec![0; grid.steps.len()];
        let places: Vec<[f64; 3]> = (0..map.cells()).map(|c| map.start(c)).collect();
        escape_steps(&map.escape, &places, Width::Scalar, &mut starts, &|_| true).unwrap();
        assert_eq!(grid.steps, starts);
        assert_eq!(
            told.0.map(AtomicU64::into_inner),
            [map.cells(), map.cells()]
        );
        let numbers = found.numbers(&map);
        let names: Vec<String> = numbers.iter().map(|n| n.name.clone()).collect();
        assert_eq!(names, map.number_names());
        // Dullin's algorithm in `scripts/levitron_survivors.c`: 0.312 s.
        assert_eq!(found.probes, [156, SURVIVOR]);
        assert_eq!(value(&numbers, "escape_steps(0.012, 0)"), Ok(156.0));
        assert_eq!(value(&numbers, "escape_time(0.012, 0)"), Ok(156.0 * 0.002));
        assert_eq!(value(&numbers, "escape_steps(0.001, 0)"), Ok(-1.0));
        let none = value(&numbers, "escape_time(0.001, 0)");
        assert_eq!(none, Err(NoValue::Survivor));
        let survivors = starts.iter().filter(|n| **n == SURVIVOR).count();
        assert_eq!(value(&numbers, "survivors"), Ok(survivors as f64));
        assert!(value(&numbers, "q50").unwrap() > value(&numbers, "q25").unwrap());
    }

    #[test]
    fn shares_of_a_map_make_the_whole() {
        let map = small();
        let whole = run(&map, Share::whole(&map.layout()), &());
        let mut known = Cells::unknown(&map.layout());
        for index in 0..3 {
            let memory = Memory::default();
            let share = Share {
                shard: Shard::new(index, 3).unwrap(),
                known: Cells::unknown(&map.layout()),
                sink: &memory,
            };
            let scalar = EscapeMap {
                width: Width::Scalar,
                ..map.clone()
            };
            let found = run_map(&scalar, share, &(), &|| false);
            assert!(found.unwrap().is_none());
            for (tile, steps) in memory.0.into_inner().unwrap() {
                known.take(&tile, &steps).unwrap();
            }
        }
        let share = Share {
            known,
            ..Share::whole(&map.layout())
        };
        let told = Count::default();
        let merged = run(&map, share, &told);
        assert_eq!(merged.grid, whole.grid);
        assert_eq!(merged.summary, whole.summary);
        assert_eq!(told.0.map(AtomicU64::into_inner), [0; 2]);
    }

    #[test]
    fn a_stop_and_a_failure_are_told_apart() {
        let map = small();
        let found = run_map(&map, Share::whole(&map.layout()), &(), &|| true);
        assert!(matches!(found, Err(Unfinished::Stopped)));
        let mut wrong = small();
        wrong.escape.h = -1.0;
        let found = run_map(&wrong, Share::whole(&wrong.layout()), &(), &|| false);
        let Err(Unfinished::Failed(e)) = found else {
            panic!("{found:?}");
        };
        assert!(e.to_string().contains("the step is -1"), "{e}");
    }

    #[test]
    fn a_map_without_escapes_has_no_quantiles() {
        let mut map = small();
        map.escape.steps = 1;
        let found = run(&map, Share::whole(&map.layout()), &());
        let numbers = found.numbers(&map);
        assert_eq!(value(&numbers, "fraction"), Ok(1.0));
        assert_eq!(value(&numbers, "q50"), Err(NoValue::NothingEscapes));
    }
}
