//! What people are told about the files they get wrong. Adding a test is adding a file:
//!
//! - `tests/bad/NAME.toml`: a case file, run without checks;
//! - `tests/bad/expected/NAME.toml`: a tolerance file, beside the case `tests/bad/NAME.toml` if
//!   there is one, else beside the good case `tests/data/good_case.toml`.
//!
//! The message is kept in `tests/bad/snapshots`.

use assert_cmd::Command;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// Stems of the TOML files in a folder.
fn stems(folder: &Path) -> BTreeSet<String> {
    std::fs::read_dir(folder)
        .expect("the folder is part of the repository")
        .map(|e| e.expect("readable").path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .map(|p| p.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect()
}

/// What `topsim run NAME.toml` says in a folder that holds the files of that name, with the faults
/// found in how it says it.
fn told(name: &str) -> (String, Vec<&'static str>) {
    let dir = tempfile::tempdir().unwrap();
    let case = root().join(format!("bad/{name}.toml"));
    let expected = root().join(format!("bad/expected/{name}.toml"));
    let good = root().join("data/good_case.toml");
    let case = if case.exists() { case } else { good };
    std::fs::copy(case, dir.path().join(format!("{name}.toml"))).unwrap();
    let mut command = Command::cargo_bin("topsim").unwrap();
    command.current_dir(dir.path()).env_remove("NO_COLOR");
    command.args(["run", &format!("{name}.toml"), "--out", "out"]);
    if expected.exists() {
        std::fs::create_dir(dir.path().join("expected")).unwrap();
        std::fs::copy(expected, dir.path().join(format!("expected/{name}.toml"))).unwrap();
    } else {
        command.arg("--no-checks");
    }
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stderr).expect("messages are UTF-8");
    let mut wrong = Vec::new();
    if output.status.code() != Some(2) {
        wrong.push("the exit status is not 2");
    }
    if !output.stdout.is_empty() {
        wrong.push("something on standard output");
    }
    if dir.path().join("out").exists() {
        wrong.push("something was written");
    }
    if text.contains('\u{1b}') {
        wrong.push("escape codes in a pipe");
    }
    (text, wrong)
}

#[test]
fn every_bad_file_is_refused_in_words() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("bad/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let mut names = stems(&root().join("bad"));
    names.extend(stems(&root().join("bad/expected")));
    let mut faults = Vec::new();
    for name in &names {
        let (text, wrong) = told(name);
        faults.extend(wrong.iter().map(|w| format!("{name}: {w}\n{text}")));
        // All of them are shown, not only the first that changed.
        let compare = || settings.bind(|| insta::assert_snapshot!(name.as_str(), text));
        let shown = std::panic::catch_unwind(std::panic::AssertUnwindSafe(compare));
        if shown.is_err() {
            faults.push(format!("{name}: another message than in the snapshot"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let snapshots = std::fs::read_dir(root().join("bad/snapshots")).unwrap();
    for file in snapshots.map(|e| e.unwrap().path()) {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let name = name.strip_suffix(".snap").unwrap_or(name);
        assert!(names.contains(name), "a snapshot without its file: {name}");
    }
}

#[test]
fn the_good_case_is_good() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = Command::cargo_bin("topsim").unwrap();
    command.current_dir(dir.path());
    command.arg("run").arg(root().join("data/good_case.toml"));
    command
        .args(["--no-checks", "--dry-run"])
        .assert()
        .success();
}

#[test]
fn all_files_and_arguments_are_judged_at_once() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["moment_negative", "end_before_start"] {
        let file = format!("{name}.toml");
        std::fs::copy(root().join("bad").join(&file), dir.path().join(&file)).unwrap();
    }
    let mut command = Command::cargo_bin("topsim").unwrap();
    command.current_dir(dir.path());
    let output = command
        .args([
            "run",
            "moment_negative.toml",
            "end_before_start.toml",
            "nothing",
        ])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    for said in [
        "no case is called `nothing`",
        "found no tolerance file",
        "moment_negative.toml:5:11: body.inertia",
        "end_before_start.toml:18:7: run.end",
    ] {
        assert!(text.contains(said), "{said} is not in\n{text}");
    }
}
