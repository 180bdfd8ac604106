//! `cargo xtask generate` renews everything generated from the code: the JSON Schemas in `docs/schema`, the
//! table of the schemes in `docs/scorecard.md`, the defects in `docs/defects.md`, and the figures of the documentation. `cargo xtask check`
//! reports which of these are not current, and whether each deliberate fault still has its place. Both use the
//! release build of `topsim`.
//!
//! `cargo xtask figures` renews the figures alone.
//!
//! `cargo xtask judge-generated [COUNT] [SEED]` judges random solvers, COUNT wrong and COUNT right ones, and
//! prints how many were identified correctly.
//!
//! `cargo xtask hunt` hunts solvers with planted defects for two minutes each, and right ones for ten minutes
//! each.
//!
//! `cargo xtask hunt-schemes SECONDS` hunts each scheme of the catalogue for SECONDS with a new seed, and adds
//! the coverage to `docs/hunt.csv`.
//!
//! `cargo xtask engines [ENGINE…]` installs the engines of `scripts/adapters/engines.toml`, or those named, judges
//! each of their settings twice and draws `docs/engines.md`.
//!
//! `cargo xtask faults [ID…]` reports what catches each deliberate fault of `scripts/faults.toml`.

mod faults;
mod figures;
mod hunts;
mod references;
mod speed;

use std::path::Path;
use std::process::{Command, ExitCode};

const SCHEMAS: [&str; 9] = [
    "case", "expected", "judge", "bath", "accepted", "problem", "batch", "model", "results",
];
/// Heading of `docs/scorecard.md`.
const SCORECARD: &str = "# What the schemes are worth

<!-- Made by `cargo xtask generate`: `topsim scorecard --format markdown --no-times`. Do not edit. -->

";

/// Beginning of `docs/defects.md`.
const DEFECTS: &str = "# Defects

<!-- Made by `cargo xtask generate`: `topsim show defects --markdown`. Do not edit. -->

The defects that topsim names, each with an example of the wrong code and the right one. `topsim show ID` prints one of them.
[The diagnosis](diagnosis.md) says how topsim finds them and how sure it is. In the code, R takes components in the body to components in
space, W is the angular velocity in the body, J the inertia, T the torque in the body, and q the quaternion of R.

";

type TaskResult<T> = Result<T, String>;

/// Runs `topsim` and returns its standard output.
fn topsim(args: &[&str]) -> TaskResult<String> {
    let out = Command::new(env!("CARGO"))
        .args(["run", "--release", "--quiet", "--"])
        .args(args)
        .output()
        .map_err(|e| format!("cannot start cargo: {e}"))?;
    if !out.status.success() {
        let said = [out.stdout, out.stderr].concat();
        return Err(format!(
            "`topsim {}` failed:\n{}",
            args.join(" "),
            String::from_utf8_lossy(&said)
        ));
    }
    String::from_utf8(out.stdout).map_err(|e| e.to_string())
}

fn read(path: &str) -> TaskResult<String> {
    std::fs::read_to_string(path).map_err(|e| format!("cannot read {path}: {e}"))
}

/// Returns path and contents of every generated text file.
fn generated() -> TaskResult<Vec<(String, String)>> {
    let mut out = Vec::new();
    for name in SCHEMAS {
        out.push((
            format!("docs/schema/{name}.schema.json"),
            topsim(&["schema", name])?,
        ));
    }
    let table = topsim(&["scorecard", "--format", "markdown", "--no-times"])?;
    out.push(("docs/scorecard.md".into(), format!("{SCORECARD}{table}")));
    let pages = topsim(&["show", "defects", "--markdown"])?;
    out.push(("docs/defects.md".into(), format!("{DEFECTS}{pages}")));
    Ok(out)
}

fn generate() -> TaskResult<()> {
    for (path, text) in generated()? {
        std::fs::write(&path, text).map_err(|e| format!("cannot write {path}: {e}"))?;
    }
    figures::renew()
}

fn check() -> TaskResult<()> {
    for (path, text) in generated()? {
        if read(&path)? != text {
            return Err(format!(
                "{path} is not current: `cargo xtask generate` renews it"
            ));
        }
    }
    faults::check_places()?;
    figures::check()
}

/// Runs the long form of the judge's test with random solvers.
fn judge_generated(args: &[String]) -> TaskResult<()> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["test", "-p", "topsim-judge", "--lib"]);
    command.args(["many_random_solvers", "--", "--ignored", "--nocapture"]);
    for (name, arg) in ["TOPSIM_GENERATED", "TOPSIM_SEED"].iter().zip(args) {
        let number: u64 = arg
            .parse()
            .map_err(|_| format!("`{arg}` is not a whole number"))?;
        command.env(name, number.to_string());
    }
    let done = command.status();
    let done = done.map_err(|e| format!("cannot start cargo: {e}"))?;
    let named = done.success().then_some(());
    named.ok_or_else(|| "too few solvers were named rightly".into())
}

/// Runs the long form of the tests of the hunt.
fn hunt() -> TaskResult<()> {
    let done = Command::new(env!("CARGO"))
        .args(["test", "--release", "-p", "topsim-hunt", "--lib"])
        .args(["the_hunt_at_length", "--", "--ignored", "--nocapture"])
        .status();
    let done = done.map_err(|e| format!("cannot start cargo: {e}"))?;
    let found = done.success().then_some(());
    found.ok_or_else(|| "a planted defect was not found, or a right solver has a finding".into())
}

/// Makes the page of the engines with the release build of `topsim`; settings with a row of two runs keep it.
fn engines(names: &[String]) -> TaskResult<()> {
    topsim(&["--version"])?;
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let done = Command::new("scripts/adapters/engines.py")
        .args([
            "--install",
            "--lacking",
            "--kept",
            "--together",
            &cores.to_string(),
        ])
        .args(names)
        .status();
    let done = done.map_err(|e| format!("cannot start scripts/adapters/engines.py: {e}"))?;
    let judged = done.success().then_some(());
    judged.ok_or_else(|| "some settings were not judged".into())
}

fn main() -> ExitCode {
    // Commands run in the root of the workspace, from wherever cargo was called.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    if let Err(e) = std::env::set_current_dir(root.unwrap_or(Path::new("."))) {
        eprintln!("cannot enter the workspace: {e}");
        return ExitCode::FAILURE;
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = match args.first().map(String::as_str) {
        Some("generate") => generate(),
        Some("check") => check(),
        Some("figures") if args.len() == 1 => figures::renew(),
        Some("judge-generated") if args.len() <= 3 => judge_generated(&args[1..]),
        Some("hunt") if args.len() == 1 => hunt(),
        Some("hunt-schemes") if args.len() == 2 => hunts::hunt_schemes(&args[1]),
        Some("engines") => engines(&args[1..]),
        Some("references") if args.len() <= 3 => references::references(&args[1..]),
        Some("faults") => faults::faults(&args[1..]),
        _ => Err(
            "usage: cargo xtask generate | check | figures | judge-generated [COUNT] [SEED] | hunt | hunt-schemes SECONDS | engines [ENGINE…] | references [COUNT] [SEED] | faults [ID…]"
                .into(),
        ),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
