//! The `topsim` program; everything it does is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(topsim::cli::main(std::env::args_os()))
}
