//! The adapters' exporter to URDF, MJCF, SDFormat and USD: its own tests, on problems that the program poses.

use crate::support::repository;
use std::process::Command;

#[test]
fn exported_files_describe_the_body_and_the_start_of_the_problem() {
    let mut python = Command::new("python3");
    python
        .arg(repository("scripts/adapters/test_export.py"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("TOPSIM", env!("CARGO_BIN_EXE_topsim"));
    match python.output() {
        Ok(run) => assert!(
            run.status.success(),
            "{}",
            String::from_utf8_lossy(&run.stderr)
        ),
        Err(_) => println!("skipped: there is no python3"),
    }
}
