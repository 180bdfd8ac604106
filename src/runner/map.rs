//! Computes what is missing of a map, tile by tile on all cores; each tile is kept as soon as it
//! is finished, so that a stop costs unfinished ones only.

use crate::analysis::{Cells, Tile};
use crate::drive::StopReason;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Where finished tiles are kept. Called from many threads.
pub trait Shelf: Sync {
    /// Keeps a tile for good: when this returns, no kill and no power cut loses it.
    ///
    /// # Errors
    /// [`ShelfError`], and nothing is kept.
    fn put(&self, tile: &Tile, steps: &[i32]) -> Result<(), ShelfError>;
}

/// A tile that could not be kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ShelfError(pub String);

/// The physics: for each cell the step at which it escapes, or
/// [`SURVIVOR`](crate::analysis::SURVIVOR). It calls `go_on` with the steps made so far now and
/// then, and gives up, returning false, when the answer is false.
pub type Kernel<'a> = &'a (dyn Fn(&[u64], &mut [i32], &dyn Fn(u64) -> bool) -> bool + Sync);

/// What reporters are told while a map is computed. Called from many threads.
pub trait MapProgress: Sync {
    /// So many cells more are done.
    fn cells(&self, cells: u64);
    /// So many steps more were made.
    fn steps(&self, steps: u64);
}

/// Nobody watches.
impl MapProgress for () {
    fn cells(&self, _: u64) {}
    fn steps(&self, _: u64) {}
}

/// How the computing of a map ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MapEnd {
    /// All tiles are done.
    Reached,
    /// Stopped; finished tiles are kept.
    Stopped(StopReason),
    /// A tile could not be kept.
    Failed(ShelfError),
}

/// Who does what for a map.
pub struct MapWork<'a> {
    /// The tiles wanted.
    pub tiles: &'a [Tile],
    /// Steps that a survivor makes.
    pub limit: u32,
    /// The physics.
    pub kernel: Kernel<'a>,
    /// Where tiles are kept.
    pub shelf: &'a dyn Shelf,
    /// Who watches.
    pub progress: &'a dyn MapProgress,
    /// Asked often whether to stop, and why.
    pub stop: &'a (dyn Fn() -> Option<StopReason> + Sync),
}

/// Computes the cells of the tiles that `known` lacks, on the threads of the current pool.
pub fn compute_map(known: Cells, work: &MapWork) -> (Cells, MapEnd) {
    let known = Mutex::new(known);
    let full = AtomicBool::new(false);
    let ended: Result<(), MapEnd> = work
        .tiles
        .par_iter()
        .with_max_len(1)
        .map(|tile| compute_tile(tile, work, &known, &full))
        .collect::<Vec<_>>()
        .into_iter()
        // A stop that follows from another's failure does not hide it.
        .reduce(|a, b| match (&a, &b) {
            (Err(MapEnd::Failed(_)), _) | (Err(_), Ok(()) | Err(MapEnd::Stopped(_))) => a,
            _ => b,
        })
        .unwrap_or(Ok(()));
    let known = known.into_inner().unwrap_or_else(PoisonError::into_inner);
    (known, ended.err().unwrap_or(MapEnd::Reached))
}

fn compute_tile(
    tile: &Tile,
    work: &MapWork,
    known: &Mutex<Cells>,
    full: &AtomicBool,
) -> Result<(), MapEnd> {
    let lock = || known.lock().unwrap_or_else(PoisonError::into_inner);
    let mut steps: Vec<Option<i32>> = lock().of(tile).collect();
    let cells = tile.cells().zip(&steps);
    let missing: Vec<u64> = cells
        .filter_map(|(c, n)| n.is_none().then_some(c))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let told = AtomicU64::new(0);
    let why = Mutex::new(None);
    let go_on = |made: u64| {
        let before = told.fetch_max(made, Ordering::Relaxed);
        work.progress.steps(made.saturating_sub(before));
        let stop = (work.stop)().or_else(|| {
            full.load(Ordering::Relaxed)
                .then_some(StopReason::Interrupted)
        });
        *why.lock().unwrap_or_else(PoisonError::into_inner) = stop;
        stop.is_none()
    };
    let mut found = vec![0; missing.len()];
    if !go_on(0) || !(work.kernel)(&missing, &mut found, &go_on) {
        let why = why.into_inner().unwrap_or_else(PoisonError::into_inner);
        return Err(MapEnd::Stopped(why.unwrap_or(StopReason::Interrupted)));
    }
    let made = |n: &i32| u64::try_from(*n).unwrap_or(u64::from(work.limit));
    let made: u64 = found.iter().map(made).sum();
    work.progress
        .steps(made.saturating_sub(told.load(Ordering::Relaxed)));
    work.progress.cells(found.len() as u64);
    let mut fresh = found.into_iter();
    for n in steps.iter_mut().filter(|n| n.is_none()) {
        *n = fresh.next();
    }
    let steps: Vec<i32> = steps.into_iter().flatten().collect();
    work.shelf.put(tile, &steps).map_err(|e| {
        full.store(true, Ordering::Relaxed);
        MapEnd::Failed(e)
    })?;
    lock()
        .take(tile, &steps)
        .map_err(|c| MapEnd::Failed(ShelfError(format!("cell {} changed meanwhile", c.cell))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Shard;

    const CELLS: u64 = 30 * 40;

    fn truth(cell: u64) -> i32 {
        if cell.is_multiple_of(7) {
            -1
        } else {
            (cell * cell % 91) as i32
        }
    }

    fn fill(cells: &[u64], out: &mut [i32], go_on: &dyn Fn(u64) -> bool) -> bool {
        for (k, (cell, n)) in cells.iter().zip(out).enumerate() {
            *n = truth(*cell);
            if !go_on(k as u64) {
                return false;
            }
        }
        true
    }

    #[derive(Default)]
    struct Memory(Mutex<Vec<(Tile, Vec<i32>)>>, Option<usize>);

    impl Shelf for Memory {
        fn put(&self, tile: &Tile, steps: &[i32]) -> Result<(), ShelfError> {
            let mut all = self.0.lock().unwrap();
            if self.1 == Some(all.len()) {
                return Err(ShelfError("no space left".into()));
            }
            all.push((*tile, steps.to_vec()));
            Ok(())
        }
    }

    fn go(known: Cells, tiles: &[Tile], shelf: &Memory, stop: u64) -> (Cells, MapEnd) {
        let left = AtomicU64::new(stop);
        let stop = || {
            let spent =
                left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
            spent.is_err().then_some(StopReason::Deadline)
        };
        let work = MapWork {
            tiles,
            limit: 100,
            kernel: &fill,
            shelf,
            progress: &(),
            stop: &stop,
        };
        compute_map(known, &work)
    }

    fn whole() -> Vec<i32> {
        (0..CELLS).map(truth).collect()
    }

    #[test]
    fn any_number_of_shards_makes_one_map() {
        for of in 1..8 {
            let mut all = Cells::unknown(CELLS);
            for index in 0..of {
                let shelf = Memory::default();
                let tiles = Shard::new(index, of).unwrap().tiles(CELLS, 30, 1_000_000);
                let (_, end) = go(Cells::unknown(CELLS), &tiles, &shelf, u64::MAX);
                assert_eq!(end, MapEnd::Reached);
                for (tile, steps) in shelf.0.into_inner().unwrap() {
                    all.take(&tile, &steps).unwrap();
                }
            }
            assert_eq!(all.complete(), Ok(whole()), "{of} shards");
        }
    }

    #[test]
    fn a_stopped_map_goes_on_where_it_was() {
        let tiles = Shard::WHOLE.tiles(CELLS, 30, 1_000_000);
        assert!(tiles.len() > 10);
        let mut known = Cells::unknown(CELLS);
        let mut kept = 0;
        for round in 0.. {
            let shelf = Memory::default();
            let (after, end) = go(known.clone(), &tiles, &shelf, 700);
            for (tile, steps) in &*shelf.0.lock().unwrap() {
                known.take(tile, steps).unwrap();
                kept += 1;
            }
            // What was kept is what is known: nothing unfinished is in it.
            assert_eq!(after, known);
            match end {
                MapEnd::Reached => break,
                end => assert_eq!(end, MapEnd::Stopped(StopReason::Deadline)),
            }
            assert!(round < 100);
        }
        assert_eq!(known.complete(), Ok(whole()));
        assert_eq!(kept, tiles.len());
    }

    #[test]
    fn only_missing_cells_are_computed() {
        let tiles = Shard::WHOLE.tiles(CELLS, 30, 1_000_000);
        let other = Shard::new(1, 2).unwrap().tiles(CELLS, 30, 1_000_000);
        let shelf = Memory::default();
        let (half, _) = go(Cells::unknown(CELLS), &other, &shelf, u64::MAX);
        let computed = AtomicU64::new(0);
        let kernel = |cells: &[u64], out: &mut [i32], go_on: &dyn Fn(u64) -> bool| {
            computed.fetch_add(cells.len() as u64, Ordering::Relaxed);
            fill(cells, out, go_on)
        };
        let work = MapWork {
            tiles: &tiles,
            limit: 100,
            kernel: &kernel,
            shelf: &shelf,
            progress: &(),
            stop: &|| None,
        };
        let (all, end) = compute_map(half, &work);
        assert_eq!(end, MapEnd::Reached);
        assert_eq!(computed.into_inner(), CELLS / 2);
        assert_eq!(all.complete(), Ok(whole()));
    }

    #[test]
    fn a_full_disk_ends_it_and_says_so() {
        let tiles = Shard::WHOLE.tiles(CELLS, 30, 1_000_000);
        let shelf = Memory(Mutex::default(), Some(3));
        let (known, end) = go(Cells::unknown(CELLS), &tiles, &shelf, u64::MAX);
        assert_eq!(end, MapEnd::Failed(ShelfError("no space left".into())));
        let kept: u64 = shelf.0.lock().unwrap().iter().map(|t| t.0.count).sum();
        assert_eq!(known.missing(Shard::WHOLE), CELLS - kept);
    }
}
