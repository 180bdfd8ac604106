//! The layout of a study's cells, the shards that machines compute and the tiles that are kept.
//!
//! A shard has every n-th cell, and a tile every m-th cell of its shard, so that each tile is a fair
//! sample of the study: tiles take about as long as each other, and the tiles done tell the time left.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Largest cost of a tile, in the unit of [`CellLayout::cost`]: as many steps of an escape map take about
/// half a second on one core, which is what a kill can lose.
pub const TILE_COST: u32 = 50_000_000;
/// Largest number of cells in a tile.
const MOST_CELLS: u64 = 4096;
/// Largest number of tiles in a shard, so that a folder does not have too many files; tiles of the
/// largest studies have more cells instead.
const MOST_TILES: u64 = 16_384;
/// Largest number of shards.
const MOST_SHARDS: u32 = 100_000;

/// Layout of the cells of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellLayout {
    /// Number of cells.
    pub cells: u64,
    /// Numbers that each cell has.
    pub each: u32,
    /// Largest number that a cell may have; the smallest is −1.
    pub limit: u32,
    /// Cells in a row, 1 where cells have no neighbours: no tile consists of some columns only.
    pub row: u32,
    /// Cost of a cell at most, in steps of an escape map.
    pub cost: u32,
}

impl CellLayout {
    /// Returns whether a cell may have this number.
    pub(crate) fn allows(&self, number: i32) -> bool {
        number == -1 || u32::try_from(number).is_ok_and(|n| n <= self.limit)
    }
}

/// Share of a study: the cells whose number leaves the remainder `index` when divided by `of`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shard {
    index: u32,
    of: u32,
}

/// Reason why a text names no shard.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ShardError {
    /// Text that is not two numbers.
    #[error("found \"{0}\"; allowed: i/n with whole numbers, such as 0/4")]
    Form(String),
    /// Shard beyond the last, or one of none.
    #[error(
        "there is no shard {index} of {of}: they are counted from 0 to n − 1, n at most {MOST_SHARDS}"
    )]
    Range {
        /// Index that was asked for.
        index: u32,
        /// Number of shards.
        of: u32,
    },
}

impl Shard {
    /// The only shard of a study that is not shared.
    pub const WHOLE: Self = Self { index: 0, of: 1 };

    /// Returns the shard `index` of `of`.
    ///
    /// # Errors
    /// [`ShardError::Range`].
    pub fn new(index: u32, of: u32) -> Result<Self, ShardError> {
        if index < of && of <= MOST_SHARDS {
            Ok(Self { index, of })
        } else {
            Err(ShardError::Range { index, of })
        }
    }

    /// Returns the index, from 0.
    pub fn index(self) -> u32 {
        self.index
    }

    /// Returns the number of shards.
    pub fn of(self) -> u32 {
        self.of
    }

    /// Returns how many of `all` cells the shard has.
    pub fn cells(self, all: u64) -> u64 {
        all.saturating_sub(u64::from(self.index))
            .div_ceil(u64::from(self.of))
    }

    /// Returns the tiles of the shard.
    pub fn tiles(self, layout: &CellLayout) -> Vec<Tile> {
        let mine = self.cells(layout.cells);
        let size = u64::from(TILE_COST / layout.cost.max(1))
            .clamp(1, MOST_CELLS)
            .max(mine.div_ceil(MOST_TILES));
        let mut count = mine.div_ceil(size);
        // Strides that share a factor with the row would leave out columns.
        while count > 1 && gcd(count, u64::from(layout.row)) > 1 {
            count += 1;
        }
        let count = count.min(mine);
        let (index, of) = (u64::from(self.index), u64::from(self.of));
        (0..count)
            .map(|k| Tile {
                shard: self,
                start: index + of * k,
                stride: of * count,
                count: (mine - k).div_ceil(count),
            })
            .collect()
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl FromStr for Shard {
    type Err = ShardError;
    fn from_str(text: &str) -> Result<Self, ShardError> {
        let form = || ShardError::Form(text.into());
        let number = |s: &str| {
            // `parse` would take a sign.
            let digits = !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
            digits.then(|| s.parse::<u32>().ok()).flatten()
        };
        let (index, of) = text.split_once('/').ok_or_else(form)?;
        let (index, of) = number(index).zip(number(of)).ok_or_else(form)?;
        Self::new(index, of)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// Cells that are computed and kept together: `start`, `start + stride`, …, `count` of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tile {
    /// Shard that the tile was cut from.
    pub shard: Shard,
    /// Number of the first cell.
    pub start: u64,
    /// Distance from one cell to the next.
    pub stride: u64,
    /// Number of cells.
    pub count: u64,
}

impl Tile {
    /// Iterates over the numbers of the cells.
    pub fn cells(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.count).map(|k| self.start + self.stride * k)
    }

    /// Returns whether all cells belong to the shard and to a study of `cells` cells.
    pub(crate) fn fits(&self, cells: u64) -> bool {
        let (index, of) = (u64::from(self.shard.index), u64::from(self.shard.of));
        let last = self
            .count
            .checked_sub(1)
            .and_then(|k| k.checked_mul(self.stride))
            .and_then(|k| k.checked_add(self.start));
        self.stride > 0
            && self.stride.is_multiple_of(of)
            && self.start % of == index
            && last.is_some_and(|last| last < cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn layout(cells: u64, row: u32, cost: u32) -> CellLayout {
        CellLayout {
            cells,
            each: 1,
            limit: cost,
            row,
            cost,
        }
    }

    #[test]
    fn shards_are_read_or_refused() {
        assert_eq!("3/7".parse(), Shard::new(3, 7));
        assert_eq!("0/1".parse(), Ok(Shard::WHOLE));
        for bad in [
            "",
            "3",
            "a/b",
            "-1/4",
            "+1/4",
            "1/4/2",
            "1.0/4",
            " 1/4",
            "/",
            "1/",
            "99999999999/3",
        ] {
            assert_eq!(bad.parse::<Shard>(), Err(ShardError::Form(bad.into())));
        }
        for (index, of) in [(4, 4), (0, 0), (5, 4), (0, MOST_SHARDS + 1)] {
            let e = format!("{index}/{of}").parse::<Shard>().unwrap_err();
            assert_eq!(e, ShardError::Range { index, of });
        }
        assert_eq!(Shard::new(3, 7).unwrap().to_string(), "3/7");
    }

    #[test]
    fn tiles_are_of_a_sensible_size() {
        let whole = |cells, cost| Shard::WHOLE.tiles(&layout(cells, 300, cost));
        let t = whole(90_000, 10_000);
        assert_eq!((t.len(), t[0].count), (23, 3914));
        let t = whole(22_500, 50_000);
        assert!(t[0].count * 50_000 <= u64::from(TILE_COST) && t[0].count > 900);
        assert_eq!(whole(900, u32::MAX)[0].count, 1);
        assert!(whole(4_000_000_000, 1000).len() as u64 <= 2 * MOST_TILES);
        assert_eq!(whole(0, 1000).len(), 0);
        assert_eq!(whole(1, 1000).len(), 1);
    }

    #[test]
    fn a_tile_outside_its_study_or_shard_does_not_fit() {
        let good = Tile {
            shard: Shard::new(1, 3).unwrap(),
            start: 4,
            stride: 6,
            count: 5,
        };
        assert!(good.fits(29) && !good.fits(28));
        for bad in [
            Tile { start: 5, ..good },
            Tile { stride: 5, ..good },
            Tile { stride: 0, ..good },
            Tile { count: 0, ..good },
            Tile {
                count: u64::MAX,
                ..good
            },
            Tile {
                stride: u64::MAX - 2,
                ..good
            },
        ] {
            assert!(!bad.fits(1000), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn every_cell_lies_in_exactly_one_tile(
            width in 1_u32..80, height in 1_u32..60, limit in 1_u32..2_000_000, of in 1_u32..9,
        ) {
            let cells = u64::from(width) * u64::from(height);
            let mut seen = vec![0; cells as usize];
            for index in 0..of {
                let shard = Shard::new(index, of).unwrap();
                let tiles = shard.tiles(&layout(cells, width, limit));
                prop_assert_eq!(tiles.iter().map(|t| t.count).sum::<u64>(), shard.cells(cells));
                for tile in tiles {
                    prop_assert!(tile.fits(cells) && tile.count > 0, "{:?}", tile);
                    for cell in tile.cells() {
                        prop_assert_eq!(cell % u64::from(of), u64::from(index));
                        seen[cell as usize] += 1;
                    }
                }
            }
            prop_assert!(seen.iter().all(|n| *n == 1));
        }
    }
}
