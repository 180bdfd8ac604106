//! Computes the missing cells of a study, tile by tile on all cores. Each tile is kept as soon as it
//! is finished, so that a stop costs unfinished tiles only.

use crate::cells::Cells;
use crate::definition::Definition;
use crate::error::TileError;
use crate::shard::{CellLayout, Shard, Tile};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Study whose cells have whole numbers that depend on its definition alone.
pub trait CellStudy: Sync {
    /// Error for which no cells can be computed.
    type Error: Send;

    /// Returns everything that decides the numbers; tiles of another definition are not taken.
    fn definition(&self) -> Definition;

    /// Returns the layout of the cells.
    fn layout(&self) -> CellLayout;

    /// Computes the numbers of `cells`, cell by cell, and calls `go_on` now and then.
    ///
    /// # Errors
    /// [`Unfinished::Stopped`] after `go_on` has returned false, [`Unfinished::Failed`].
    fn fill(
        &self,
        cells: &[u64],
        numbers: &mut [i32],
        go_on: &dyn Fn() -> bool,
    ) -> Result<(), Unfinished<Self::Error>>;
}

/// Reason why a study is not finished; the tiles that are finished are kept.
#[derive(Debug, thiserror::Error)]
pub enum Unfinished<E> {
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
    /// Error of the study.
    #[error(transparent)]
    Failed(E),
    /// Tile that could not be kept.
    #[error(transparent)]
    Unkept(TileError),
}

/// Receiver of finished tiles, called from many threads.
pub trait TileSink: Sync {
    /// Keeps a tile for good: after this neither a kill nor a power cut loses it.
    ///
    /// # Errors
    /// [`TileError`], and nothing is kept.
    fn keep(&self, tile: &Tile, numbers: &[i32]) -> Result<(), TileError>;
}

/// Keeps nothing, for studies whose result is used at once.
impl TileSink for () {
    fn keep(&self, _: &Tile, _: &[i32]) -> Result<(), TileError> {
        Ok(())
    }
}

/// Receiver of progress, called from many threads.
pub trait CellProgress: Sync {
    /// Announces the number of cells that will be computed.
    fn begin(&self, cells: u64);
    /// Reports that `cells` more cells are done.
    fn cells(&self, cells: u64);
}

/// Ignores all progress.
impl CellProgress for () {
    fn begin(&self, _: u64) {}
    fn cells(&self, _: u64) {}
}

/// Question whether to stop, asked often and from many threads.
pub type StopRequest<'a> = &'a (dyn Fn() -> bool + Sync);

/// Part of a study to compute.
pub struct Share<'a> {
    /// Cells to compute.
    pub shard: Shard,
    /// Cells that are finished already.
    pub known: Cells,
    /// Receiver of the tiles.
    pub sink: &'a dyn TileSink,
}

impl Share<'static> {
    /// Returns the whole of a study, of which nothing is known and nothing is kept.
    pub fn whole(layout: &CellLayout) -> Self {
        Self {
            shard: Shard::WHOLE,
            known: Cells::unknown(layout),
            sink: &(),
        }
    }
}

/// Computes the cells of a share that are not known, on the threads of the current pool, and returns
/// all that is known then.
///
/// # Errors
/// [`Unfinished`].
pub fn compute<S: CellStudy>(
    study: &S,
    share: Share,
    progress: &dyn CellProgress,
    stop: StopRequest,
) -> Result<Cells, Unfinished<S::Error>> {
    let Share { shard, known, sink } = share;
    progress.begin(known.missing(shard));
    let layout = study.layout();
    let known = Mutex::new(known);
    let failed = AtomicBool::new(false);
    let lock = || known.lock().unwrap_or_else(PoisonError::into_inner);
    let go_on = || !(stop() || failed.load(Ordering::Relaxed));
    let fill = |tile: &Tile| {
        let missing = lock().missing_of(tile);
        if missing.is_empty() {
            return Ok(());
        }
        if !go_on() {
            return Err(Unfinished::Stopped);
        }
        let mut found = vec![0; missing.len() * layout.each as usize];
        study.fill(&missing, &mut found, &go_on)?;
        progress.cells(missing.len() as u64);
        let numbers = {
            let mut known = lock();
            known.set(missing, &found);
            known.of_tile(tile)
        };
        sink.keep(tile, &numbers).map_err(Unfinished::Unkept)
    };
    let tiles = shard.tiles(&layout);
    let unfinished = tiles.par_iter().with_max_len(1).filter_map(|tile| {
        let why = fill(tile).err()?;
        if !matches!(why, Unfinished::Stopped) {
            failed.store(true, Ordering::Relaxed);
        }
        Some(why)
    });
    let unfinished: Vec<_> = unfinished.collect();
    // A stop that follows from the failure of another tile does not hide it.
    let stopped = |why: &Unfinished<S::Error>| matches!(why, Unfinished::Stopped);
    match unfinished.into_iter().min_by_key(stopped) {
        Some(why) => Err(why),
        None => Ok(known.into_inner().unwrap_or_else(PoisonError::into_inner)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;
    use whole_file::WriteError;

    const LAYOUT: CellLayout = CellLayout {
        cells: 30 * 40,
        each: 1,
        limit: 91,
        row: 30,
        cost: 800_000,
    };

    fn truth(cell: u64) -> i32 {
        if cell.is_multiple_of(7) {
            -1
        } else {
            (cell * cell % 91) as i32
        }
    }

    /// A study that counts the cells it computes and fails at a cell.
    #[derive(Default)]
    struct Squares {
        computed: AtomicU64,
        bad: Option<u64>,
    }

    impl CellStudy for Squares {
        type Error = &'static str;
        fn definition(&self) -> Definition {
            Definition::default()
        }
        fn layout(&self) -> CellLayout {
            LAYOUT
        }
        fn fill(
            &self,
            cells: &[u64],
            numbers: &mut [i32],
            go_on: &dyn Fn() -> bool,
        ) -> Result<(), Unfinished<&'static str>> {
            for (cell, n) in cells.iter().zip(&mut *numbers) {
                if self.bad == Some(*cell) {
                    return Err(Unfinished::Failed("a bad cell"));
                }
                self.computed.fetch_add(1, Ordering::Relaxed);
                *n = truth(*cell);
                if !go_on() {
                    return Err(Unfinished::Stopped);
                }
            }
            Ok(())
        }
    }

    #[derive(Default)]
    struct Memory(Mutex<Vec<(Tile, Vec<i32>)>>, Option<usize>);

    impl TileSink for Memory {
        fn keep(&self, tile: &Tile, numbers: &[i32]) -> Result<(), TileError> {
            let mut all = self.0.lock().unwrap();
            if self.1 == Some(all.len()) {
                let full = std::io::Error::other("no space left");
                return Err(WriteError::new("a tile".as_ref(), full).into());
            }
            all.push((*tile, numbers.to_vec()));
            Ok(())
        }
    }

    impl Memory {
        /// Gives the kept tiles to `cells` and returns how many there were.
        fn give(self, cells: &mut Cells) -> usize {
            let all = self.0.into_inner().unwrap();
            for (tile, numbers) in &all {
                cells.take(tile, numbers).unwrap();
            }
            all.len()
        }
    }

    fn unknown() -> Cells {
        Cells::unknown(&LAYOUT)
    }

    fn go(
        study: &Squares,
        (shard, known): (Shard, Cells),
        sink: &Memory,
        stop: u64,
    ) -> Result<Cells, Unfinished<&'static str>> {
        let left = AtomicU64::new(stop);
        let stop = || {
            let spent =
                left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
            spent.is_err()
        };
        compute(study, Share { shard, known, sink }, &(), &stop)
    }

    fn whole() -> Vec<i32> {
        (0..LAYOUT.cells).map(truth).collect()
    }

    #[test]
    fn any_number_of_shards_makes_one_study() {
        for of in 1..8 {
            let mut all = unknown();
            for index in 0..of {
                let sink = Memory::default();
                let shard = Shard::new(index, of).unwrap();
                go(&Squares::default(), (shard, unknown()), &sink, u64::MAX).unwrap();
                sink.give(&mut all);
            }
            assert_eq!(all.complete(), Some(whole()), "{of} shards");
        }
    }

    #[test]
    fn a_stopped_study_goes_on_where_it_was() {
        let tiles = Shard::WHOLE.tiles(&LAYOUT).len();
        assert!(tiles > 10);
        let mut known = unknown();
        let mut kept = 0;
        for round in 0.. {
            let sink = Memory::default();
            let share = (Shard::WHOLE, known.clone());
            let end = go(&Squares::default(), share, &sink, 700);
            let before = known.missing(Shard::WHOLE);
            let fresh = sink.give(&mut known);
            kept += fresh;
            // No tile is computed again.
            assert!(fresh == 0 || known.missing(Shard::WHOLE) < before);
            match end {
                // The cells that are kept are those that are known.
                Ok(all) => {
                    assert_eq!(all, known);
                    break;
                }
                Err(unfinished) => {
                    assert!(matches!(unfinished, Unfinished::Stopped), "{unfinished:?}")
                }
            }
            assert!(round < 100);
        }
        assert_eq!(known.complete(), Some(whole()));
        assert_eq!(kept, tiles);
    }

    #[test]
    fn only_missing_cells_are_computed() {
        let sink = Memory::default();
        let shard = Shard::new(1, 2).unwrap();
        let half = go(&Squares::default(), (shard, unknown()), &sink, u64::MAX);
        let study = Squares::default();
        let all = go(&study, (Shard::WHOLE, half.unwrap()), &sink, u64::MAX);
        assert_eq!(study.computed.into_inner(), LAYOUT.cells / 2);
        assert_eq!(all.unwrap().complete(), Some(whole()));
    }

    #[test]
    fn a_study_that_fails_is_heard() {
        let study = Squares {
            bad: Some(77),
            ..Squares::default()
        };
        let share = (Shard::WHOLE, unknown());
        let end = go(&study, share, &Memory::default(), u64::MAX);
        assert!(
            matches!(end, Err(Unfinished::Failed("a bad cell"))),
            "{end:?}"
        );
    }

    #[test]
    fn a_full_disk_ends_it_and_says_so() {
        let sink = Memory(Mutex::default(), Some(3));
        let share = (Shard::WHOLE, unknown());
        let end = go(&Squares::default(), share, &sink, u64::MAX);
        let Err(Unfinished::Unkept(e)) = end else {
            panic!("{end:?}");
        };
        assert!(e.to_string().contains("no space left"), "{e}");
        assert_eq!(sink.0.lock().unwrap().len(), 3);
    }
}
