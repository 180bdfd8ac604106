//! The program `topsim`.

use std::process::ExitCode;

/// Git revision, where the build knows it: only this file is compiled anew when it changes.
const REVISION: &str = match option_env!("TOPSIM_REVISION") {
    Some(revision) => revision,
    None => "unknown",
};

fn main() -> ExitCode {
    topsim::cli::main(std::env::args_os(), REVISION).into()
}
