//! The cells of a study that are known so far.

use super::shards::{Shard, Tile};
use std::collections::BTreeSet;

/// Stands for "not computed yet"; no start has so many steps.
const UNKNOWN: i32 = i32::MIN;

/// A cell of which two tiles say different things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cell {cell} has {known} by one tile and {found} by another")]
pub struct Conflict {
    /// The cell.
    pub cell: u64,
    /// What was known.
    pub known: i32,
    /// What a tile says.
    pub found: i32,
}

/// The numbers of the cells that are known, 4 bytes each: of a map one a cell, its count of steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cells {
    numbers: Vec<i32>,
    /// Numbers of a cell.
    each: usize,
    /// Into how many shards the map was cut for the tiles taken.
    cuts: BTreeSet<u32>,
}

impl Cells {
    /// None is known, of cells with one number.
    pub fn unknown(cells: u64) -> Self {
        Self::unknown_of(cells, 1)
    }

    /// None is known, of cells with `each` numbers.
    pub fn unknown_of(cells: u64, each: u32) -> Self {
        let each = each as usize;
        Self {
            numbers: vec![UNKNOWN; cells as usize * each],
            each,
            cuts: BTreeSet::new(),
        }
    }

    /// Where the numbers of a cell stand.
    fn place(&self, cell: u64) -> std::ops::Range<usize> {
        let first = cell as usize * self.each;
        first..first + self.each
    }

    /// Takes what a tile says of its cells.
    ///
    /// # Errors
    /// [`Conflict`] where it says something else than what is known; nothing is taken then.
    ///
    /// # Panics
    /// If the tile lies outside the map, or does not have the numbers of each of its cells.
    pub fn take(&mut self, tile: &Tile, numbers: &[i32]) -> Result<(), Conflict> {
        assert_eq!(tile.count * self.each as u64, numbers.len() as u64);
        let all = || tile.cells().zip(numbers.chunks_exact(self.each));
        for (cell, found) in all() {
            for (&known, &found) in self.numbers[self.place(cell)].iter().zip(found) {
                if known != UNKNOWN && known != found {
                    return Err(Conflict { cell, known, found });
                }
            }
        }
        for (cell, found) in tile.cells().zip(numbers.chunks_exact(self.each)) {
            let place = self.place(cell);
            self.numbers[place].copy_from_slice(found);
        }
        self.cuts.insert(tile.shard.of());
        Ok(())
    }

    /// The numbers of a tile's cells; `None` for those not known.
    pub fn of<'a>(&'a self, tile: &'a Tile) -> impl Iterator<Item = Option<&'a [i32]>> + 'a {
        tile.cells().map(|cell| {
            let numbers = &self.numbers[self.place(cell)];
            (!numbers.contains(&UNKNOWN)).then_some(numbers)
        })
    }

    /// How many numbers a cell has.
    pub fn each(&self) -> usize {
        self.each
    }

    /// How many cells there are.
    pub fn count(&self) -> u64 {
        (self.numbers.len() / self.each) as u64
    }

    /// How many cells of a shard are not known.
    pub fn missing(&self, shard: Shard) -> u64 {
        let (index, of) = (shard.index() as usize, shard.of() as usize);
        let mine = self.numbers.chunks_exact(self.each).skip(index).step_by(of);
        mine.filter(|n| n.contains(&UNKNOWN)).count() as u64
    }

    /// The shards of which cells are not known, for the finest cut that tiles were taken of; none
    /// if the map was not cut.
    pub fn absent(&self) -> Vec<Shard> {
        let of = self.cuts.last().copied().filter(|of| *of > 1);
        let shards = (0..of.unwrap_or(0)).filter_map(|i| Shard::new(i, of?).ok());
        shards.filter(|s| self.missing(*s) > 0).collect()
    }

    /// All numbers, cell by cell, if all are known.
    pub fn complete(self) -> Result<Vec<i32>, Self> {
        if self.missing(Shard::WHOLE) == 0 {
            Ok(self.numbers)
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
        assert_eq!(cells.of(&half).collect::<Vec<_>>(), [None, Some(&[1][..])]);
        let cells = cells.complete().unwrap_err();
        let mut cells = cells;
        cells.take(&tile(0, 1, 6), &[0, 1, 2, 3, 4, -1]).unwrap();
        assert_eq!(cells.complete(), Ok(vec![0, 1, 2, 3, 4, -1]));
    }

    #[test]
    fn cells_of_several_numbers_are_known_whole() {
        let mut cells = Cells::unknown_of(3, 2);
        assert_eq!((cells.count(), cells.missing(Shard::WHOLE)), (3, 3));
        cells.take(&tile(0, 2, 2), &[1, 2, 5, 6]).unwrap();
        assert_eq!(cells.missing(Shard::WHOLE), 1);
        let all = tile(0, 1, 3);
        let known: Vec<_> = cells.of(&all).collect();
        assert_eq!(known, [Some(&[1, 2][..]), None, Some(&[5, 6][..])]);
        let conflict = Conflict {
            cell: 2,
            known: 6,
            found: 7,
        };
        let other = [1, 2, 3, 4, 5, 7];
        assert_eq!(cells.take(&all, &other), Err(conflict));
        cells.take(&tile(1, 1, 1), &[3, 4]).unwrap();
        assert_eq!(cells.complete(), Ok(vec![1, 2, 3, 4, 5, 6]));
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
