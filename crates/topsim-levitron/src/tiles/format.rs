//! One tile as bytes:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `topstile` |
//! | 4 | version of this format, 1 |
//! | 4, 4 | shard: index, of how many |
//! | 8, 8, 8 | first cell, stride, number of cells |
//! | 32 | identity of the map |
//! | 4 each | the numbers of the cells: of a map step counts, −1 for survivors |
//! | 32 | SHA-256 of all before |
//!
//! All numbers are little-endian.

use super::TileDamage;
use crate::map::{Shard, Tile, is_possible};
use sha2::{Digest, Sha256};

const MAGIC: &[u8; 8] = b"topstile";
const VERSION: u32 = 1;
/// Length of what comes before the step counts, in bytes.
pub const HEAD: usize = 8 + 4 + 8 + 24 + 32;
const SUM: usize = 32;

/// What tiles must agree with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Map {
    /// Identity.
    pub identity: [u8; 32],
    /// Cells.
    pub cells: u64,
    /// Numbers of a cell.
    pub each: u32,
    /// Most steps of a cell.
    pub limit: u32,
}

impl Map {
    /// Length of the longest tile it can have, in bytes.
    pub fn longest(&self) -> u64 {
        (HEAD + SUM) as u64 + 4 * u64::from(self.each) * self.cells
    }
}

/// Name of a tile's file.
pub fn name(tile: &Tile) -> String {
    let (index, of) = (tile.shard.index(), tile.shard.of());
    format!(
        "shard_{index}_of_{of}_from_{}_by_{}_count_{}.tile",
        tile.start, tile.stride, tile.count
    )
}

/// The tile that a file of this name would be, with numbers that may be written otherwise.
pub fn tile_of(name: &str) -> Option<Tile> {
    let rest = name.strip_prefix("shard_")?.strip_suffix(".tile")?;
    let (index, rest) = rest.split_once("_of_")?;
    let (of, rest) = rest.split_once("_from_")?;
    let (start, rest) = rest.split_once("_by_")?;
    let (stride, count) = rest.split_once("_count_")?;
    Some(Tile {
        shard: Shard::new(index.parse().ok()?, of.parse().ok()?).ok()?,
        start: start.parse().ok()?,
        stride: stride.parse().ok()?,
        count: count.parse().ok()?,
    })
}

/// The bytes of a tile.
pub fn encode(map: &Map, tile: &Tile, steps: &[i32]) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEAD + 4 * steps.len() + SUM);
    out.extend(MAGIC);
    for n in [VERSION, tile.shard.index(), tile.shard.of()] {
        out.extend(n.to_le_bytes());
    }
    for n in [tile.start, tile.stride, tile.count] {
        out.extend(n.to_le_bytes());
    }
    out.extend(map.identity);
    for n in steps {
        out.extend(n.to_le_bytes());
    }
    let sum = Sha256::digest(&out);
    out.extend(sum);
    out
}

/// Whether the first [`HEAD`] bytes of a file are those of a tile of `map`.
pub fn is_head(map: &Map, head: &[u8; HEAD]) -> bool {
    head.starts_with(MAGIC) && head.ends_with(&map.identity)
}

/// Reads a tile of `map`, or says what is wrong with it.
pub fn decode(map: &Map, bytes: &[u8]) -> Result<(Tile, Vec<i32>), TileDamage> {
    if bytes.len() < HEAD + SUM {
        return Err(TileDamage::CutOff);
    }
    let (body, sum) = bytes.split_at(bytes.len() - SUM);
    if Sha256::digest(body)[..] != *sum {
        return Err(TileDamage::Checksum);
    }
    // From here on it is what somebody once wrote.
    let (head, payload) = body.split_at(HEAD);
    let four = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let eight = |at: usize| u64::from(four(at)) | u64::from(four(at + 4)) << 32;
    if head[..8] != *MAGIC || four(8) != VERSION {
        return Err(TileDamage::Version);
    }
    if head[44..] != map.identity {
        return Err(TileDamage::OtherMap);
    }
    let tile = Tile {
        shard: Shard::new(four(12), four(16)).map_err(|_| TileDamage::Cells)?,
        start: eight(20),
        stride: eight(28),
        count: eight(36),
    };
    let numbers = tile.count.checked_mul(u64::from(map.each));
    if !tile.fits(map.cells) || numbers != Some((payload.len() / 4) as u64) {
        return Err(TileDamage::Cells);
    }
    let steps: Vec<i32> = payload
        .chunks_exact(4)
        .map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect();
    if !steps.iter().all(|&n| is_possible(n, map.limit)) {
        return Err(TileDamage::Steps);
    }
    Ok((tile, steps))
}
