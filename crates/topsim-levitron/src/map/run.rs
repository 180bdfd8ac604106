//! Computes a map of escape times: the kernel bound to the tiles, and what was found.

use super::cells::Cells;
use super::compute::{MapEnd, TileSink, TileWork, compute_tiles};
use super::escape_map::{EscapeMap, probe_name};
use super::grid::{EscapeGrid, MapSummary, Quantiles, SURVIVOR};
use super::shards::Shard;
use crate::kernel::{EscapeError, Width, escape_steps};
use crate::{NoValue, Number, Progress, Stop};

/// The share of a map to compute, what is known of the map, and where finished tiles go.
pub struct MapShare<'a> {
    /// The share.
    pub shard: Shard,
    /// What is finished already.
    pub known: Cells,
    /// Takes the tiles.
    pub sink: &'a dyn TileSink,
    /// Which instructions compute it: the results are the same.
    pub width: Width,
}

impl MapShare<'static> {
    /// The whole map from nothing, without keeping tiles.
    pub fn whole(map: &EscapeMap) -> Self {
        Self {
            shard: Shard::WHOLE,
            known: Cells::unknown(map.cells()),
            sink: &(),
            width: Width::best(),
        }
    }
}

/// What was found of a map of escape times.
#[derive(Debug, Clone)]
pub struct EscapeMapResult {
    /// The whole map, where all of it is known.
    pub grid: Option<EscapeGrid>,
    /// Its summary.
    pub summary: Option<MapSummary>,
    /// Steps at which the single starts escape, [`SURVIVOR`] for survivors; zeros where the map was
    /// not finished.
    pub probes: Vec<i32>,
    /// The share that was computed.
    pub shard: Shard,
    /// How it ended.
    pub end: MapEnd,
}

impl EscapeMapResult {
    /// The numbers of the `map` that this was found of.
    pub fn numbers(&self, map: &EscapeMap) -> Vec<Number> {
        let whole = |value: fn(&MapSummary) -> f64| {
            self.summary.as_ref().map(value).ok_or(NoValue::Incomplete)
        };
        let mut out = vec![
            Number::new("survivors", whole(|s| s.survivors as f64), ""),
            Number::new("fraction", whole(MapSummary::fraction), ""),
        ];
        for (i, p) in Quantiles::PERCENT.iter().enumerate() {
            let summary = self.summary.as_ref().ok_or(NoValue::Incomplete);
            let quantiles = summary.and_then(|s| s.quantiles.ok_or(NoValue::NothingEscapes));
            let value = quantiles.map(|q| q.0[i]);
            out.push(Number::new(format!("q{p:02}"), value, "s"));
        }
        for (place, &steps) in map.probes.iter().zip(&self.probes) {
            let escapes = (steps != SURVIVOR).then_some(f64::from(steps) * map.escape.h);
            let time = escapes.ok_or(NoValue::Survivor);
            out.push(Number::new(probe_name("time", place), time, "s"));
            let steps = Ok(f64::from(steps));
            out.push(Number::new(probe_name("steps", place), steps, ""));
        }
        out
    }
}

/// Computes what is missing of a map, on the threads of the current pool. Tiles are kept as they
/// are finished, so that a stop costs unfinished ones only.
pub fn run_map(
    map: &EscapeMap,
    share: MapShare,
    stop: Stop,
    progress: &dyn Progress,
) -> EscapeMapResult {
    let MapShare {
        shard,
        known,
        sink,
        width,
    } = share;
    let kernel = |cells: &[u64], out: &mut [i32], go_on: &dyn Fn(u64) -> bool| {
        let starts: Vec<[f64; 3]> = cells.iter().map(|&c| map.start(c)).collect();
        Ok(escape_steps(&map.escape, &starts, width, out, go_on)?)
    };
    progress.begin(known.missing(shard), map.escape.steps);
    let tiles = shard.tiles(map.cells(), map.x.cells, map.escape.steps);
    let work = TileWork {
        tiles: &tiles,
        kernel: &kernel,
        sink,
        progress,
        stop,
    };
    let (cells, mut end) = compute_tiles(known, &work);
    let mut probes = vec![0; map.probes.len()];
    let starts: Vec<[f64; 3]> = map.probes.iter().map(|p| map.place(*p)).collect();
    let go_on = |_: u64| stop().is_none();
    if end.is_reached()
        && let Err(e) = escape_steps(&map.escape, &starts, width, &mut probes, &go_on)
    {
        end = match (e, stop()) {
            (EscapeError::Stopped(_), Some(why)) => MapEnd::Stopped(why),
            (other, _) => MapEnd::Failed(other.into()),
        };
    }
    let grid = match (&end, cells.complete()) {
        (MapEnd::Reached, Ok(steps)) => {
            let made = EscapeGrid::new([map.x, map.z], steps, map.escape.steps, map.escape.h);
            made.map_err(|e| end = MapEnd::Failed(e.into())).ok()
        }
        _ => None,
    };
    EscapeMapResult {
        summary: grid.as_ref().map(EscapeGrid::summary),
        grid,
        probes,
        shard,
        end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{MapFailure, SinkError, Tile, small};
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU64, Ordering};
    use topsim_core::integration::StopReason;

    #[derive(Default)]
    struct Memory(Mutex<Vec<(Tile, Vec<i32>)>>);

    impl TileSink for Memory {
        fn keep(&self, tile: &Tile, steps: &[i32]) -> Result<(), SinkError> {
            self.0.lock().unwrap().push((*tile, steps.to_vec()));
            Ok(())
        }
    }

    /// Counts what it is told.
    #[derive(Default)]
    struct Count([AtomicU64; 3]);

    impl Progress for Count {
        fn begin(&self, cells: u64, _: u32) {
            self.0[0].fetch_add(cells, Ordering::Relaxed);
        }
        fn cells(&self, cells: u64) {
            self.0[1].fetch_add(cells, Ordering::Relaxed);
        }
        fn steps(&self, steps: u64) {
            self.0[2].fetch_add(steps, Ordering::Relaxed);
        }
    }

    fn value(numbers: &[Number], name: &str) -> Result<f64, NoValue> {
        numbers.iter().find(|n| n.name == name).unwrap().value
    }

    #[test]
    fn a_map_has_its_numbers_and_tells_its_progress() {
        let map = small();
        let told = Count::default();
        let found = run_map(&map, MapShare::whole(&map), &|| None, &told);
        assert!(found.end.is_reached());
        let grid = found.grid.as_ref().unwrap();
        let mut starts = vec![0; grid.steps.len()];
        let places: Vec<[f64; 3]> = (0..map.cells()).map(|c| map.start(c)).collect();
        let made = escape_steps(&map.escape, &places, Width::Scalar, &mut starts, &|_| true);
        assert_eq!(grid.steps, starts);
        assert_eq!(
            told.0.map(AtomicU64::into_inner),
            [map.cells(), map.cells(), made.unwrap()]
        );
        let numbers = found.numbers(&map);
        let names: Vec<String> = numbers.iter().map(|n| n.name.clone()).collect();
        assert_eq!(names, map.number_names());
        // Validation page of `dullin2004`: 0.312 s.
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
        let whole = run_map(&map, MapShare::whole(&map), &|| None, &());
        let mut known = Cells::unknown(map.cells());
        for index in 0..3 {
            let memory = Memory::default();
            let share = MapShare {
                shard: Shard::new(index, 3).unwrap(),
                known: Cells::unknown(map.cells()),
                sink: &memory,
                width: Width::Scalar,
            };
            let found = run_map(&map, share, &|| None, &());
            assert!(found.end.is_reached() && found.grid.is_none());
            let missing = value(&found.numbers(&map), "fraction");
            assert_eq!(missing, Err(NoValue::Incomplete));
            for (tile, steps) in memory.0.into_inner().unwrap() {
                known.take(&tile, &steps).unwrap();
            }
        }
        let share = MapShare {
            known,
            ..MapShare::whole(&map)
        };
        let told = Count::default();
        let merged = run_map(&map, share, &|| None, &told);
        assert_eq!(merged.grid, whole.grid);
        assert_eq!(merged.summary, whole.summary);
        assert_eq!(told.0.map(AtomicU64::into_inner), [0; 3]);
    }

    #[test]
    fn a_stop_and_a_failure_are_told_apart() {
        let map = small();
        let stop = || Some(StopReason::Deadline);
        let found = run_map(&map, MapShare::whole(&map), &stop, &());
        assert!(matches!(found.end, MapEnd::Stopped(StopReason::Deadline)));
        assert!(found.grid.is_none() && found.summary.is_none());
        let mut wrong = small();
        wrong.escape.h = -1.0;
        let found = run_map(&wrong, MapShare::whole(&wrong), &|| None, &());
        let MapEnd::Failed(MapFailure::Escape(e)) = found.end else {
            panic!("{:?}", found.end);
        };
        assert!(e.to_string().contains("the step is -1"), "{e}");
    }

    #[test]
    fn a_map_without_escapes_has_no_quantiles() {
        let mut map = small();
        map.escape.steps = 1;
        let found = run_map(&map, MapShare::whole(&map), &|| None, &());
        let numbers = found.numbers(&map);
        assert_eq!(value(&numbers, "fraction"), Ok(1.0));
        assert_eq!(value(&numbers, "q50"), Err(NoValue::NothingEscapes));
    }
}
