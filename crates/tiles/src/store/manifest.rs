//! `manifest.json` describes the study that the tiles of a folder belong to, for people and for the
//! program.

use crate::definition::Definition;
use crate::error::{ManifestDamage, TileError};
use crate::shard::CellLayout;
use serde::{Deserialize, Serialize};
use std::path::Path;

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
    definition: Definition,
}

/// Writes the manifest of a study.
pub fn text(definition: &Definition, layout: CellLayout) -> String {
    let manifest = Manifest {
        what: "finished tiles of a study of topsim, not complete yet".into(),
        identity: identity(definition),
        cells: layout.cells,
        most_steps: layout.limit,
        definition: definition.clone(),
    };
    let text = serde_json::to_string_pretty(&manifest);
    text.expect("texts and whole numbers always serialise") + "\n"
}

/// Returns the identity of a study in hexadecimal digits.
fn identity(definition: &Definition) -> String {
    let bytes = definition.identity();
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Reads the definition of a study from its manifest.
pub fn read(path: &Path) -> Result<Definition, TileError> {
    let text = std::fs::read_to_string(path).map_err(TileError::reading(path))?;
    parse(&text).map_err(|why| {
        let path = path.into();
        TileError::Manifest { path, why }
    })
}

fn parse(text: &str) -> Result<Definition, ManifestDamage> {
    let found: Manifest = serde_json::from_str(text)?;
    match found.identity == identity(&found.definition) {
        true => Ok(found.definition),
        false => Err(ManifestDamage::Altered),
    }
}
