//! Files that a command reads, which it must not write or remove.

use super::Failure;
use std::path::{Path, PathBuf};

/// Refuses outputs that are files which the command reads.
///
/// # Errors
/// Names the first of them.
pub(super) fn keep<'a>(
    inputs: impl IntoIterator<Item = &'a Path>,
    outputs: &[&Path],
) -> Result<(), Failure> {
    let outputs = outputs
        .iter()
        .filter_map(|path| Some((path, path.canonicalize().ok()?)));
    let outputs: Vec<(&&Path, PathBuf)> = outputs.collect();
    for input in inputs
        .into_iter()
        .filter_map(|path| path.canonicalize().ok())
    {
        // A pipe or a device may be read and written.
        if let Some((output, _)) = outputs
            .iter()
            .find(|(_, path)| *path == input && path.is_file())
        {
            return Err(Failure::Invalid(format!(
                "error: {}: found a file to be written that is also read; allowed: another file",
                output.display()
            )));
        }
    }
    Ok(())
}

/// Refuses files to be read in a folder whose files are written anew.
///
/// # Errors
/// Names the first of them.
pub(super) fn keep_out_of<'a>(
    folder: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), Failure> {
    let Ok(written) = folder.canonicalize() else {
        return Ok(());
    };
    let inside = |path: &&Path| {
        path.canonicalize()
            .is_ok_and(|path| path.starts_with(&written))
    };
    match inputs.into_iter().find(inside) {
        None => Ok(()),
        Some(input) => Err(Failure::Invalid(format!(
            "error: {}: found a file to be read in the folder that --out writes anew; allowed: another folder for --out",
            input.display()
        ))),
    }
}
