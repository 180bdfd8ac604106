//! `manifest.json` describes the study that the tiles of a folder belong to, for people and for the
//! program.

use crate::definition::{Definition, hex};
use crate::error::{ManifestDamage, TileError};
use crate::shard::CellLayout;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Name of the file.
pub const NAME: &str = "manifest.json";

/// Contents of the file.
#[derive(Serialize, Deserialize)]
struct Manifest {
    what: String,
    /// SHA-256 of the definition's canonical text; tiles repeat it.
    identity: String,
    cells: u64,
    most_steps: u32,
    definition: BTreeMap<String, String>,
}

/// Returns the path of the manifest in a folder of tiles.
pub fn path(dir: &Path) -> PathBuf {
    dir.join(NAME)
}

/// Writes the manifest of a study.
pub fn text(definition: &Definition, layout: CellLayout) -> String {
    let manifest = Manifest {
        what: "finished tiles of a study of topsim, not complete yet".into(),
        identity: hex(&definition.identity()),
        cells: layout.cells,
        most_steps: layout.limit,
        definition: definition.fields().clone(),
    };
    let text = serde_json::to_string_pretty(&manifest);
    text.expect("texts and whole numbers always serialise") + "\n"
}

/// Reads the definition of the study whose tiles a folder holds.
pub fn read(dir: &Path) -> Result<Definition, TileError> {
    let path = path(dir);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(source) => return Err(TileError::Read { path, source }),
    };
    let wrong = |why: ManifestDamage| TileError::Manifest {
        path: path.clone(),
        why,
    };
    let found: Manifest = serde_json::from_str(&text).map_err(|e| wrong(e.into()))?;
    let definition = Definition::from(found.definition);
    if found.identity != hex(&definition.identity()) {
        return Err(wrong(ManifestDamage::Altered));
    }
    Ok(definition)
}
