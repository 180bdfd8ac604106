//! The command `topsim`: the same program as the binary.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;
use topsim::cli::{self, Program};

/// Git revision, where the build knows it.
const REVISION: &str = match option_env!("TOPSIM_REVISION") {
    Some(revision) => revision,
    None => "unknown",
};

/// Runs the program with its name and arguments, and returns its exit status. `file` is that of the compiled module.
#[pyfunction]
pub fn command(py: Python<'_>, arguments: Vec<OsString>, file: PathBuf) -> u8 {
    let program = Program {
        arguments,
        revision: REVISION.into(),
        file: Some(file),
    };
    py.detach(|| cli::main(program))
}
