//! The cells of a map that are known so far.

use super::shards::{Shard, Tile};
use std::collections::BTreeSet;

/// Stands for "not computed yet"; no start has so many steps.
const UNKNOWN: i32 = i32::MIN;

/// A cell of which two tiles say different things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cell {cell} has {known} steps by one tile and {found} by another")]
pub struct Conflict {
    /// The cell.
    pub cell: u64,
    /// What was known.
    pub known: i32,
    /// What a tile says.
    pub found: i32,
}

/// Step counts of the cells that are known, 4 bytes a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cells {
    steps: Vec<i32>,
    /// Into how many shards the map was cut for the tiles taken.
    cuts: BTreeSet<u32>,
}

impl Cells {
    /// None is known.
    pub fn unknown(cells: u64) -> Self {
        Self {
            steps: vec![UNKNOWN; cells as usize],
            cuts: BTreeSet::new(),
        }
    }

    /// Takes what a tile says of its cells.
    ///
    /// # Errors
    /// [`Conflict`] where it says something else than what is known; nothing is taken then.
    ///
    /// # Panics
    /// If the tile lies outside the map, or does not have a number for each of its cells.
    pub fn take(&mut self, tile: &Tile, steps: &[i32]) -> Result<(), Conflict> {
        assert_eq!(tile.count, steps.len() as u64);
        for (cell, &found) in tile.cells().zip(steps) {
            let known = self.steps[cell as usize];
            if known != UNKNOWN && known != found {
                return Err(Conflict { cell, known, found });
            }
        }
        for (cell, &found) in tile.cells().zip(steps) {
            self.steps[cell as usize] = found;
        }
        self.cuts.insert(tile.shard.of());
        Ok(())
    }

    /// Step counts of a tile's cells; `None` for those not known.
    pub fn of<'a>(&'a self, tile: &'a Tile) -> impl Iterator<Item = Option<i32>> + 'a {
        tile.cells().map(|cell| {
            let n = self.steps[cell as usize];
            (n != UNKNOWN).then_some(n)
        })
    }

    /// How many cells there are.
    pub fn count(&self) -> u64 {
        self.steps.len() as u64
    }

    /// How many cells of a shard are not known.
    pub fn missing(&self, shard: Shard) -> u64 {
        let (index, of) = (shard.index() as usize, shard.of() as usize);
        let mine = self.steps.iter().skip(index).step_by(of);
        mine.filter(|n| **n == UNKNOWN).count() as u64
    }

    /// The shards of which cells are not known, for the finest cut that tiles were taken of; none
    /// if the map was not cut.
    pub fn absent(&self) -> Vec<Shard> {
        let of = self.cuts.last().copied().filter(|of| *of > 1);
        let shards = (0..of.unwrap_or(0)).filter_map(|i| Shard::new(i, of?).ok());
        shards.filter(|s| self.missing(*s) > 0).collect()
    }

    /// All step counts, if all are known.
    pub fn complete(self) -> Result<Vec<i32>, Self> {
        if self.missing(Shard::WHOLE) == 0 {
            Ok(self.steps)
        } else {
            Err(self)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(start: u64, stride: u64, count: u64) -> Tile {
        Tile {
            shard: Shard::WHOLE,
            start,
            stride,
            count,
        }
    }

    #[test]
    fn tiles_of_any_cut_fill_the_map() {
        let mut cells = Cells::unknown(6);
        cells.take(&tile(1, 2, 3), &[1, 3, -1]).unwrap();
        assert_eq!(cells.missing(Shard::WHOLE), 3);
        assert_eq!(cells.missing(Shard::new(1, 2).unwrap()), 0);
        let half = tile(0, 1, 2);
        assert_eq!(cells.of(&half).collect::<Vec<_>>(), [None, Some(1)]);
        let cells = cells.complete().unwrap_err();
        let mut cells = cells;
        cells.take(&tile(0, 1, 6), &[0, 1, 2, 3, 4, -1]).unwrap();
        assert_eq!(cells.complete(), Ok(vec![0, 1, 2, 3, 4, -1]));
    }

    #[test]
    fn absent_shards_are_named() {
        let mut cells = Cells::unknown(7);
        assert_eq!(cells.absent(), []);
        let shard = |i| Shard::new(i, 3).unwrap();
        for tile in shard(1).tiles(7, 7, 1) {
            let steps: Vec<i32> = tile.cells().map(|_| 5).collect();
            cells.take(&tile, &steps).unwrap();
        }
        assert_eq!(cells.absent(), [shard(0), shard(2)]);
    }

    #[test]
    fn tiles_that_disagree_are_seen() {
        let mut cells = Cells::unknown(4);
        cells.take(&tile(0, 1, 3), &[5, 6, 7]).unwrap();
        let before = cells.clone();
        let conflict = Conflict {
            cell: 2,
            known: 7,
            found: -1,
        };
        assert_eq!(cells.take(&tile(1, 1, 3), &[6, -1, 9]), Err(conflict));
        assert_eq!(cells, before);
    }
}
