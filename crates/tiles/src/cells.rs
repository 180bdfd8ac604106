//! The cells of a study that are known so far.

use crate::error::TileDamage;
use crate::shard::{CellLayout, Shard, Tile};

/// Number of a cell that is not computed yet; no layout allows it.
const UNKNOWN: i32 = i32::MIN;

/// Numbers of the cells that are known, 4 bytes each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cells {
    numbers: Vec<i32>,
    /// Numbers of a cell.
    each: usize,
}

impl Cells {
    /// Returns the cells of a study of which nothing is known.
    pub fn unknown(layout: &CellLayout) -> Self {
        let each = layout.each as usize;
        Self {
            numbers: vec![UNKNOWN; layout.cells as usize * each],
            each,
        }
    }

    /// Returns the indices of a cell's numbers.
    fn place(&self, cell: u64) -> std::ops::Range<usize> {
        let first = cell as usize * self.each;
        first..first + self.each
    }

    /// Takes the numbers of a tile.
    ///
    /// # Errors
    /// [`TileDamage::Conflict`] where the tile contradicts what is known; nothing is taken then.
    ///
    /// # Panics
    /// If the tile lies outside the study, or does not have all numbers of its cells.
    pub fn take(&mut self, tile: &Tile, numbers: &[i32]) -> Result<(), TileDamage> {
        assert_eq!(tile.count * self.each as u64, numbers.len() as u64);
        for (cell, found) in tile.cells().zip(numbers.chunks_exact(self.each)) {
            for (&known, &found) in self.numbers[self.place(cell)].iter().zip(found) {
                if known != UNKNOWN && known != found {
                    return Err(TileDamage::Conflict { cell, known, found });
                }
            }
        }
        self.set(tile.cells(), numbers);
        Ok(())
    }

    /// Sets the numbers of cells, whatever was known of them.
    pub(crate) fn set(&mut self, cells: impl IntoIterator<Item = u64>, numbers: &[i32]) {
        for (cell, numbers) in cells.into_iter().zip(numbers.chunks_exact(self.each)) {
            let place = self.place(cell);
            self.numbers[place].copy_from_slice(numbers);
        }
    }

    /// Returns the numbers of a tile's cells.
    pub(crate) fn of_tile(&self, tile: &Tile) -> Vec<i32> {
        let numbers = tile.cells().map(|cell| &self.numbers[self.place(cell)]);
        numbers.flatten().copied().collect()
    }

    /// Returns the cells of a tile that are not known.
    pub(crate) fn missing_of(&self, tile: &Tile) -> Vec<u64> {
        let unknown = |cell: &u64| self.numbers[self.place(*cell)].contains(&UNKNOWN);
        tile.cells().filter(unknown).collect()
    }

    /// Returns how many cells of a shard are not known.
    pub fn missing(&self, shard: Shard) -> u64 {
        let (index, of) = (shard.index() as usize, shard.of() as usize);
        let mine = self.numbers.chunks_exact(self.each).skip(index).step_by(of);
        mine.filter(|n| n.contains(&UNKNOWN)).count() as u64
    }

    /// Returns all numbers, cell by cell; `None` where some are not known.
    pub fn complete(self) -> Option<Vec<i32>> {
        (self.missing(Shard::WHOLE) == 0).then_some(self.numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(cells: u64, each: u32) -> CellLayout {
        CellLayout {
            cells,
            each,
            limit: 1000,
            row: 1,
            cost: 1,
        }
    }

    fn tile(start: u64, stride: u64, count: u64) -> Tile {
        Tile {
            shard: Shard::WHOLE,
            start,
            stride,
            count,
        }
    }

    #[test]
    fn tiles_of_any_cut_fill_the_study() {
        let mut cells = Cells::unknown(&layout(6, 1));
        cells.take(&tile(1, 2, 3), &[1, 3, -1]).unwrap();
        assert_eq!(cells.missing(Shard::WHOLE), 3);
        assert_eq!(cells.missing(Shard::new(1, 2).unwrap()), 0);
        assert_eq!(cells.missing_of(&tile(0, 1, 2)), [0]);
        assert_eq!(cells.of_tile(&tile(1, 2, 3)), [1, 3, -1]);
        assert_eq!(cells.clone().complete(), None);
        cells.take(&tile(0, 1, 6), &[0, 1, 2, 3, 4, -1]).unwrap();
        assert_eq!(cells.complete(), Some(vec![0, 1, 2, 3, 4, -1]));
    }

    #[test]
    fn cells_of_several_numbers_are_known_whole() {
        let mut cells = Cells::unknown(&layout(3, 2));
        assert_eq!(cells.missing(Shard::WHOLE), 3);
        cells.take(&tile(0, 2, 2), &[1, 2, 5, 6]).unwrap();
        assert_eq!(cells.missing(Shard::WHOLE), 1);
        let all = tile(0, 1, 3);
        assert_eq!(cells.missing_of(&all), [1]);
        assert_eq!(cells.of_tile(&tile(0, 2, 2)), [1, 2, 5, 6]);
        let conflict = TileDamage::Conflict {
            cell: 2,
            known: 6,
            found: 7,
        };
        let other = [1, 2, 3, 4, 5, 7];
        assert_eq!(cells.take(&all, &other), Err(conflict));
        cells.take(&tile(1, 1, 1), &[3, 4]).unwrap();
        assert_eq!(cells.complete(), Some(vec![1, 2, 3, 4, 5, 6]));
    }

    #[test]
    fn tiles_that_disagree_are_seen() {
        let mut cells = Cells::unknown(&layout(4, 1));
        cells.take(&tile(0, 1, 3), &[5, 6, 7]).unwrap();
        let before = cells.clone();
        let conflict = TileDamage::Conflict {
            cell: 2,
            known: 7,
            found: -1,
        };
        assert_eq!(cells.take(&tile(1, 1, 3), &[6, -1, 9]), Err(conflict));
        assert_eq!(cells, before);
    }
}
