//! How the cells of a map are shared out: every n-th cell to a machine, and what a machine has to
//! tiles, the pieces that are saved.
//!
//! Cells are interleaved all the way down, so that every tile is a fair sample of the map: tiles
//! take about as long as each other, and the tiles done tell the time left.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Steps that a tile makes at most, where its size is free: what a kill can cost.
const STEPS: u64 = 50_000_000;
/// Cells of a tile, at least and at most.
const CELLS: (u64, u64) = (64, 4096);
/// Tiles of a share at most, lest a folder has more files than it bears; tiles of the largest
/// maps have more cells instead.
const TILES: u64 = 16_384;
/// Shards at most.
const SHARDS: u32 = 100_000;

/// A share of a map: the cells whose number leaves the remainder `index` when divided by `of`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shard {
    /// Which, from 0.
    index: u32,
    /// Of how many.
    of: u32,
}

/// Why a text names no shard.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ShardError {
    /// Not two numbers.
    #[error("found \"{0}\"; allowed: i/n with whole numbers, such as 0/4")]
    Form(String),
    /// A shard beyond the last, or none at all.
    #[error(
        "there is no shard {index} of {of}: they are counted from 0 to n − 1, n at most {SHARDS}"
    )]
    Range {
        /// Asked for.
        index: u32,
        /// Of how many.
        of: u32,
    },
}

impl Shard {
    /// The whole map.
    pub const WHOLE: Self = Self { index: 0, of: 1 };

    /// The shard `index` of `of`.
    ///
    /// # Errors
    /// [`ShardError::Range`].
    pub fn new(index: u32, of: u32) -> Result<Self, ShardError> {
        if index < of && of <= SHARDS {
            Ok(Self { index, of })
        } else {
            Err(ShardError::Range { index, of })
        }
    }

    /// Which, from 0.
    pub fn index(self) -> u32 {
        self.index
    }

    /// Of how many.
    pub fn of(self) -> u32 {
        self.of
    }

    /// How many of a map's cells it has.
    pub fn cells(self, all: u64) -> u64 {
        all.saturating_sub(u64::from(self.index))
            .div_ceil(u64::from(self.of))
    }

    /// Its tiles, for a map of `cells` cells with rows of `width` and at most `limit` steps a cell.
    pub fn tiles(self, cells: u64, width: u32, limit: u32) -> Vec<Tile> {
        let mine = self.cells(cells);
        let size = (STEPS / u64::from(limit.max(1)))
            .clamp(CELLS.0, CELLS.1)
            .max(mine.div_ceil(TILES));
        let mut count = mine.div_ceil(size);
        // A tile must not see some columns of the map only.
        while count > 1 && gcd(count, u64::from(width)) > 1 {
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

/// Cells that are computed and saved together: `start`, `start + stride`, …, `count` of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tile {
    /// The share it was cut from.
    pub shard: Shard,
    /// First cell.
    pub start: u64,
    /// From one cell to the next.
    pub stride: u64,
    /// Cells.
    pub count: u64,
}

impl Tile {
    /// Numbers of its cells.
    pub fn cells(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.count).map(|k| self.start + self.stride * k)
    }

    /// Whether all its cells belong to its shard and to a map of `cells` cells.
    pub fn fits(&self, cells: u64) -> bool {
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
        for (index, of) in [(4, 4), (0, 0), (5, 4), (0, SHARDS + 1)] {
            let e = format!("{index}/{of}").parse::<Shard>().unwrap_err();
            assert_eq!(e, ShardError::Range { index, of });
        }
        assert_eq!(Shard::new(3, 7).unwrap().to_string(), "3/7");
    }

    #[test]
    fn tiles_are_of_a_sensible_size() {
        let whole = |cells, limit| Shard::WHOLE.tiles(cells, 300, limit);
        let t = whole(90_000, 10_000);
        assert_eq!((t.len(), t[0].count), (23, 3914));
        let t = whole(22_500, 50_000);
        assert!(t[0].count * 50_000 <= STEPS && t[0].count > 900);
        assert!(whole(90_000, u32::MAX)[0].count <= CELLS.0);
        assert!(whole(4_000_000_000, 1000).len() as u64 <= 2 * TILES);
        assert_eq!(whole(0, 1000).len(), 0);
        assert_eq!(whole(1, 1000).len(), 1);
    }

    #[test]
    fn a_tile_outside_its_map_or_shard_does_not_fit() {
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
                let tiles = shard.tiles(cells, width, limit);
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
