//! `manifest.json`: which map the tiles of a folder are of, for people and for the program.

use super::{Extent, TileError};
use crate::analysis::{Definition, hex};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub const NAME: &str = "manifest.json";

#[derive(Serialize, Deserialize)]
struct Manifest {
    what: String,
    /// SHA-256 of the definition's canonical text; tiles repeat it.
    identity: String,
    cells: u64,
    most_steps: u32,
    definition: BTreeMap<String, String>,
}

pub fn path(dir: &Path) -> PathBuf {
    dir.join(NAME)
}

pub fn text(definition: &Definition, extent: Extent) -> String {
    let manifest = Manifest {
        what: "finished tiles of an escape-time map of topsim, not complete yet".into(),
        identity: hex(&definition.identity()),
        cells: extent.cells,
        most_steps: extent.limit,
        definition: definition.0.clone(),
    };
    let text = serde_json::to_string_pretty(&manifest);
    text.expect("texts and whole numbers always serialise") + "\n"
}

/// The definition that a folder's manifest tells.
pub fn read(dir: &Path) -> Result<Definition, TileError> {
    let path = path(dir);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(source) => return Err(TileError::Read { path, source }),
    };
    let wrong = |why: String| TileError::Manifest {
        path: path.clone(),
        why,
    };
    let found: Manifest = serde_json::from_str(&text).map_err(|e| wrong(e.to_string()))?;
    let definition = Definition(found.definition);
    if found.identity != hex(&definition.identity()) {
        return Err(wrong("its definition was altered".into()));
    }
    Ok(definition)
}
