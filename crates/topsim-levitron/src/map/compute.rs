//! Computes what is missing of a study, tile by tile on all cores; each tile is kept as soon as it
//! is finished, so that a stop costs unfinished ones only.

use super::cells::{Cells, Conflict};
use super::grid::GridError;
use super::shards::Tile;
use crate::kernel::EscapeError;
use crate::{Progress, Stop};
use rayon::prelude::*;
use std::cell::Cell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use topsim_core::integration::StopReason;
use whole_file::WriteError;

/// Takes finished tiles. Called from many threads.
pub trait TileSink: Sync {
    /// Keeps a tile for good: when this returns, no kill and no power cut loses it.
    ///
    /// # Errors
    /// [`SinkError`], and nothing is kept.
    fn keep(&self, tile: &Tile, numbers: &[i32]) -> Result<(), SinkError>;
}

/// Keeps nothing: for maps whose result is used at once.
impl TileSink for () {
    fn keep(&self, _: &Tile, _: &[i32]) -> Result<(), SinkError> {
        Ok(())
    }
}

/// A tile that could not be kept.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum SinkError {
    /// Its file could not be written.
    #[error(transparent)]
    Write(Arc<WriteError>),
    /// Its file holds other numbers.
    #[error("{} was written meanwhile by another run, with other numbers", path.display())]
    OtherNumbers {
        /// The file.
        path: PathBuf,
    },
}

impl From<WriteError> for SinkError {
    fn from(error: WriteError) -> Self {
        Self::Write(Arc::new(error))
    }
}

/// The physics: the numbers of each cell, cell by cell; of a map the step at which it escapes, or
/// [`SURVIVOR`](super::SURVIVOR). Now and then it calls `go_on` with the steps made since the last
/// call, and gives up with [`Interruption::Stopped`] when the answer is false. Returns the steps
/// made.
pub type Kernel<'a> =
    &'a (dyn Fn(&[u64], &mut [i32], &dyn Fn(u64) -> bool) -> Result<u64, Interruption> + Sync);

/// Why a kernel gave up.
#[derive(Debug, Clone, PartialEq)]
pub enum Interruption {
    /// It was told not to go on.
    Stopped,
    /// Escape times cannot be computed.
    Escape(EscapeError),
}

impl From<EscapeError> for Interruption {
    fn from(error: EscapeError) -> Self {
        match error {
            EscapeError::Stopped(_) => Self::Stopped,
            other => Self::Escape(other),
        }
    }
}

/// How the computing of tiles ended.
#[derive(Debug, Clone)]
pub enum MapEnd {
    /// All tiles are done.
    Reached,
    /// Stopped; finished tiles are kept.
    Stopped(StopReason),
    /// A tile could not be kept.
    Unkept(SinkError),
    /// The computing could not go on.
    Failed(MapFailure),
}

/// Why a map cannot be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MapFailure {
    /// Escape times cannot be computed.
    #[error(transparent)]
    Escape(#[from] EscapeError),
    /// A cell was computed twice, with two results.
    #[error("two computations of cell {} disagree", .0.cell)]
    Disagreement(Conflict),
    /// The numbers make no map.
    #[error(transparent)]
    Grid(#[from] GridError),
}

impl MapEnd {
    /// Whether all tiles are done.
    pub fn is_reached(&self) -> bool {
        matches!(self, Self::Reached)
    }

    /// The more telling of two: a stop that follows from another's failure does not hide it.
    fn or(self, other: Self) -> Self {
        match (&self, &other) {
            (Self::Reached, _) | (Self::Stopped(_), Self::Unkept(_) | Self::Failed(_)) => other,
            _ => self,
        }
    }
}

/// Who does what.
pub struct TileWork<'a> {
    /// The tiles wanted.
    pub tiles: &'a [Tile],
    /// The physics.
    pub kernel: Kernel<'a>,
    /// Where finished tiles go.
    pub sink: &'a dyn TileSink,
    /// Who watches.
    pub progress: &'a dyn Progress,
    /// Asked often whether to stop, and why.
    pub stop: Stop<'a>,
}

/// Computes the cells of the tiles that `known` lacks, on the threads of the current pool.
pub fn compute_tiles(known: Cells, work: &TileWork) -> (Cells, MapEnd) {
    let known = Mutex::new(known);
    let failed = AtomicBool::new(false);
    let ends: Vec<MapEnd> = work
        .tiles
        .par_iter()
        .with_max_len(1)
        .map(|tile| match compute_tile(tile, work, &known, &failed) {
            Ok(()) => MapEnd::Reached,
            Err(end) => end,
        })
        .collect();
    let known = known.into_inner().unwrap_or_else(PoisonError::into_inner);
    (known, ends.into_iter().fold(MapEnd::Reached, MapEnd::or))
}

fn compute_tile(
    tile: &Tile,
    work: &TileWork,
    known: &Mutex<Cells>,
    failed: &AtomicBool,
) -> Result<(), MapEnd> {
    let lock = || known.lock().unwrap_or_else(PoisonError::into_inner);
    let (missing, each) = {
        let known = lock();
        let cells = tile.cells().zip(known.of(tile));
        let missing = cells.filter_map(|(c, n)| n.is_none().then_some(c));
        (missing.collect::<Vec<u64>>(), known.each())
    };
    if missing.is_empty() {
        return Ok(());
    }
    let told = Cell::new(0);
    let why = Cell::new(None);
    let go_on = |made: u64| {
        told.set(told.get() + made);
        work.progress.steps(made);
        let stop = (work.stop)().or_else(|| {
            let end = failed.load(Ordering::Relaxed);
            end.then_some(StopReason::Interrupted)
        });
        why.set(stop);
        stop.is_none()
    };
    let fail = |end| {
        failed.store(true, Ordering::Relaxed);
        end
    };
    let mut found = vec![0; missing.len() * each];
    let made = if go_on(0) {
        (work.kernel)(&missing, &mut found, &go_on)
    } else {
        Err(Interruption::Stopped)
    };
    let made = made.map_err(|end| match end {
        Interruption::Stopped => MapEnd::Stopped(why.get().unwrap_or(StopReason::Interrupted)),
        Interruption::Escape(other) => fail(MapEnd::Failed(other.into())),
    })?;
    work.progress.steps(made.saturating_sub(told.get()));
    work.progress.cells(missing.len() as u64);
    let mut fresh = found.chunks_exact(each);
    let numbers: Vec<i32> = {
        let known = lock();
        let all = known.of(tile);
        // What another shard's tiles knew already stays.
        all.flat_map(|n| n.or_else(|| fresh.next()).unwrap_or_default().to_vec())
            .collect()
    };
    let kept = work.sink.keep(tile, &numbers);
    kept.map_err(|e| fail(MapEnd::Unkept(e)))?;
    let taken = lock().take(tile, &numbers);
    taken.map_err(|c| fail(MapEnd::Failed(MapFailure::Disagreement(c))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Width;
    use crate::map::Shard;
    use std::sync::atomic::AtomicU64;

    const CELLS: u64 = 30 * 40;

    fn truth(cell: u64) -> i32 {
        if cell.is_multiple_of(7) {
            -1
        } else {
            (cell * cell % 91) as i32
        }
    }

    fn fill(
        cells: &[u64],
        out: &mut [i32],
        go_on: &dyn Fn(u64) -> bool,
    ) -> Result<u64, Interruption> {
        for (cell, n) in cells.iter().zip(&mut *out) {
            *n = truth(*cell);
            if !go_on(1) {
                return Err(Interruption::Stopped);
            }
        }
        Ok(out.len() as u64)
    }

    #[derive(Default)]
    struct Memory(Mutex<Vec<(Tile, Vec<i32>)>>, Option<usize>);

    impl TileSink for Memory {
        fn keep(&self, tile: &Tile, steps: &[i32]) -> Result<(), SinkError> {
            let mut all = self.0.lock().unwrap();
            if self.1 == Some(all.len()) {
                let full = std::io::Error::other("no space left");
                return Err(WriteError::new("a tile".as_ref(), full).into());
            }
            all.push((*tile, steps.to_vec()));
            Ok(())
        }
    }

    fn go(known: Cells, tiles: &[Tile], sink: &Memory, stop: u64) -> (Cells, MapEnd) {
        let left = AtomicU64::new(stop);
        let stop = || {
            let spent =
                left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
            spent.is_err().then_some(StopReason::Deadline)
        };
        let work = TileWork {
            tiles,
            kernel: &fill,
            sink,
            progress: &(),
            stop: &stop,
        };
        compute_tiles(known, &work)
    }

    fn whole() -> Vec<i32> {
        (0..CELLS).map(truth).collect()
    }

    #[test]
    fn any_number_of_shards_makes_one_map() {
        for of in 1..8 {
            let mut all = Cells::unknown(CELLS);
            for index in 0..of {
                let sink = Memory::default();
                let tiles = Shard::new(index, of).unwrap().tiles(CELLS, 30, 1_000_000);
                let (_, end) = go(Cells::unknown(CELLS), &tiles, &sink, u64::MAX);
                assert!(end.is_reached(), "{end:?}");
                for (tile, steps) in sink.0.into_inner().unwrap() {
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
            let sink = Memory::default();
            let (after, end) = go(known.clone(), &tiles, &sink, 700);
            for (tile, steps) in &*sink.0.lock().unwrap() {
                known.take(tile, steps).unwrap();
                kept += 1;
            }
            // What was kept is what is known: nothing unfinished is in it.
            assert_eq!(after, known);
            match end {
                MapEnd::Reached => break,
                end => assert!(
                    matches!(end, MapEnd::Stopped(StopReason::Deadline)),
                    "{end:?}"
                ),
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
        let sink = Memory::default();
        let (half, _) = go(Cells::unknown(CELLS), &other, &sink, u64::MAX);
        let computed = AtomicU64::new(0);
        let kernel = |cells: &[u64], out: &mut [i32], go_on: &dyn Fn(u64) -> bool| {
            computed.fetch_add(cells.len() as u64, Ordering::Relaxed);
            fill(cells, out, go_on)
        };
        let work = TileWork {
            tiles: &tiles,
            kernel: &kernel,
            sink: &sink,
            progress: &(),
            stop: &|| None,
        };
        let (all, end) = compute_tiles(half, &work);
        assert!(end.is_reached(), "{end:?}");
        assert_eq!(computed.into_inner(), CELLS / 2);
        assert_eq!(all.complete(), Ok(whole()));
    }

    #[test]
    fn a_kernel_that_fails_is_heard() {
        let tiles = Shard::WHOLE.tiles(CELLS, 30, 1_000_000);
        let sink = Memory::default();
        let kernel = |cells: &[u64], out: &mut [i32], go_on: &dyn Fn(u64) -> bool| {
            if cells.contains(&77) {
                return Err(EscapeError::Width(Width::Avx512).into());
            }
            fill(cells, out, go_on)
        };
        let work = TileWork {
            tiles: &tiles,
            kernel: &kernel,
            sink: &sink,
            progress: &(),
            stop: &|| None,
        };
        let (_, end) = compute_tiles(Cells::unknown(CELLS), &work);
        assert!(
            matches!(
                end,
                MapEnd::Failed(MapFailure::Escape(EscapeError::Width(_)))
            ),
            "{end:?}"
        );
    }

    #[test]
    fn a_full_disk_ends_it_and_says_so() {
        let tiles = Shard::WHOLE.tiles(CELLS, 30, 1_000_000);
        let sink = Memory(Mutex::default(), Some(3));
        let (known, end) = go(Cells::unknown(CELLS), &tiles, &sink, u64::MAX);
        let MapEnd::Unkept(e) = end else {
            panic!("{end:?}");
        };
        assert!(e.to_string().contains("no space left"), "{e}");
        let kept: u64 = sink.0.lock().unwrap().iter().map(|t| t.0.count).sum();
        assert_eq!(known.missing(Shard::WHOLE), CELLS - kept);
    }
}
