//! The program `topsim`.

use std::env;
use std::process::ExitCode;
use topsim::cli::{self, Program};

/// Git revision, where the build knows it: only this file is compiled anew when it changes.
const REVISION: &str = match option_env!("TOPSIM_REVISION") {
    Some(revision) => revision,
    None => "unknown",
};

fn main() -> ExitCode {
    let program = Program {
        arguments: env::args_os().collect(),
        revision: REVISION.into(),
        file: env::current_exe().ok(),
    };
    cli::main(program).into()
}
