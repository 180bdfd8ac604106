//! Tests of the adapters that need no engine: the exporter to URDF, MJCF, SDFormat and USD on problems that the program poses,
//! and the page of engines, which is made of its rows.

use crate::support::repository;
use std::process::Command;

fn python(arguments: &[&str]) -> Command {
    let mut python = Command::new("python3");
    python
        .args(arguments)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("TOPSIM", env!("CARGO_BIN_EXE_topsim"));
    python
}

/// Runs a script of tests, where there is a Python that reads TOML.
#[track_caller]
fn passes(script: &str) {
    let new = python(&["-c", "import tomllib"]).output();
    if !new.is_ok_and(|run| run.status.success()) {
        println!("skipped: there is no Python 3.11");
        return;
    }
    let script = repository("scripts/adapters").join(script);
    let run = python(&[script.to_str().unwrap()]).output().unwrap();
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
}

#[test]
fn exported_files_describe_the_body_and_the_start_of_the_problem() {
    passes("test_export.py");
}

#[test]
fn the_page_of_engines_is_that_of_its_rows() {
    passes("test_engines_page.py");
}
