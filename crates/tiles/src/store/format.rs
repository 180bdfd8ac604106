//! One tile as bytes:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `topstile` |
//! | 4 | version of this format, 1 |
//! | 4, 4 | shard: index, of how many |
//! | 8, 8, 8 | first cell, stride, number of cells |
//! | 32 | identity of the study |
//! | 4 each | numbers of the cells |
//! | 32 | SHA-256 of all before |
//!
//! All numbers are little-endian.

use crate::definition::Definition;
use crate::error::TileDamage;
use crate::shard::{CellLayout, Shard, Tile};
use sha2::{Digest, Sha256};

const MAGIC: &[u8; 8] = b"topstile";
const VERSION: u32 = 1;
/// Length of what comes before the numbers, in bytes.
const HEAD: usize = 8 + 4 + 8 + 24 + 32;
const SUM: usize = 32;

/// Returns the name of a tile's file.
pub fn name(tile: &Tile) -> String {
    let (index, of) = (tile.shard.index(), tile.shard.of());
    format!(
        "shard_{index}_of_{of}_from_{}_by_{}_count_{}.tile",
        tile.start, tile.stride, tile.count
    )
}

/// Format of the tiles of one study.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TileFormat {
    identity: [u8; 32],
    layout: CellLayout,
}

impl TileFormat {
    pub fn new(definition: &Definition, layout: CellLayout) -> Self {
        Self {
            identity: definition.identity(),
            layout,
        }
    }

    /// Returns the length of the longest tile, in bytes.
    pub fn longest(&self) -> u64 {
        (HEAD + SUM) as u64 + 4 * u64::from(self.layout.each) * self.layout.cells
    }

    /// Writes a tile as bytes.
    pub fn encode(&self, tile: &Tile, numbers: &[i32]) -> Vec<u8> {
        let mut out = Vec::with_capacity(HEAD + 4 * numbers.len() + SUM);
        out.extend(MAGIC);
        let shard = [VERSION, tile.shard.index(), tile.shard.of()];
        out.extend(shard.into_iter().flat_map(u32::to_le_bytes));
        let cells = [tile.start, tile.stride, tile.count];
        out.extend(cells.into_iter().flat_map(u64::to_le_bytes));
        out.extend(self.identity);
        out.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
        let sum = Sha256::digest(&out);
        out.extend(sum);
        out
    }

    /// Reads a tile, or returns its fault.
    pub fn decode(&self, bytes: &[u8]) -> Result<(Tile, Vec<i32>), TileDamage> {
        if bytes.len() < HEAD + SUM {
            return Err(TileDamage::CutOff);
        }
        let (body, sum) = bytes.split_at(bytes.len() - SUM);
        if Sha256::digest(body)[..] != *sum {
            return Err(TileDamage::Checksum);
        }
        // From here on the bytes are those that some program wrote.
        let (head, payload) = body.split_at(HEAD);
        let four =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let eight = |at: usize| u64::from(four(at)) | u64::from(four(at + 4)) << 32;
        if head[..8] != *MAGIC || four(8) != VERSION {
            return Err(TileDamage::Version);
        }
        if head[44..] != self.identity {
            return Err(TileDamage::OtherStudy);
        }
        let tile = Tile {
            shard: Shard::new(four(12), four(16)).map_err(|_| TileDamage::Cells)?,
            start: eight(20),
            stride: eight(28),
            count: eight(36),
        };
        let length = tile.count.checked_mul(u64::from(self.layout.each));
        if !tile.fits(self.layout.cells) || length != Some((payload.len() / 4) as u64) {
            return Err(TileDamage::Cells);
        }
        let numbers = payload.as_chunks().0.iter();
        let numbers: Vec<i32> = numbers.map(|n| i32::from_le_bytes(*n)).collect();
        if !numbers.iter().all(|&n| self.layout.allows(n)) {
            return Err(TileDamage::Numbers);
        }
        Ok((tile, numbers))
    }
}
