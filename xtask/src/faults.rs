//! `cargo xtask faults [ID…]`: reports which deliberate faults the shipped cases and the scorecard catch.
//!
//! The rows of `scripts/faults.toml` are written into a copy of the tree as switches, which the variable
//! `TOPSIM_FAULT` turns on one at a time. Unit tests do not take part.

use crate::{TaskResult, read};
use serde::Deserialize;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Contents of `scripts/faults.toml`.
#[derive(Deserialize)]
struct FaultList {
    /// Cases that catch many faults quickly; they are run first.
    first: Vec<String>,
    /// Cases that take long; they are run only if no other case catches the fault.
    last: Vec<String>,
    fault: Vec<DeliberateFault>,
}

/// Deliberate fault.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeliberateFault {
    /// Unique name.
    id: String,
    /// Path of the file with the fault.
    file: String,
    /// Source text that occurs exactly once in the file.
    old: String,
    /// Text that replaces it.
    new: String,
    /// Description of the fault.
    what: String,
}

/// File that receives the switch.
const CORE: &str = "crates/topsim-core/src/lib.rs";
/// Code of the switch: every crate can ask which fault is on.
const SWITCH: &str = "
extern crate self as topsim_core;
#[doc(hidden)]
pub fn fault(number: usize) -> bool {
    static ON: std::sync::LazyLock<Option<usize>> =
        std::sync::LazyLock::new(|| std::env::var(\"TOPSIM_FAULT\").ok()?.parse().ok());
    *ON == Some(number)
}
";

impl DeliberateFault {
    /// Returns the text of its file with the switch of this number.
    fn with_switch(&self, text: &str, number: usize) -> TaskResult<String> {
        if text.matches(&self.old).count() != 1 {
            return Err(format!(
                "{}: its text must stand once in {}",
                self.id, self.file
            ));
        }
        let on = format!("::topsim_core::fault({number})");
        let (old, new) = (&self.old, &self.new);
        // A text that is no whole expression cannot be wrapped in `if … else`.
        let whole = |text: &str| {
            let count = |c: char| text.matches(c).count();
            let statement = text.starts_with("let ") || text.ends_with(';');
            count('(') == count(')') && count('{') == count('}') && !statement
        };
        let switch = if new.contains("FAULT") {
            new.replace("FAULT", &on)
        } else if !(whole(old) && whole(new)) {
            return Err(format!(
                "{}: found a text that is no whole expression; allowed: one, or FAULT in `new`",
                self.id
            ));
        } else {
            format!("(if {on} {{ {new} }} else {{ {old} }})")
        };
        Ok(text.replacen(old, &switch, 1))
    }
}

fn output_text(out: &Output) -> String {
    String::from_utf8_lossy(&[&out.stdout[..], &out.stderr].concat()).into_owned()
}

fn execute(command: &mut Command) -> TaskResult<Output> {
    command
        .output()
        .map_err(|e| format!("cannot start {command:?}: {e}"))
}

/// Copies the tracked and untracked files of the tree in their present state. Unchanged files in the copy are
/// left alone, so that little is compiled again.
fn copy_tree(to: &Path, faults: &[DeliberateFault]) -> TaskResult<()> {
    let io = |e: std::io::Error| e.to_string();
    let listed = execute(Command::new("git").args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]))?;
    for name in String::from_utf8_lossy(&listed.stdout).split_terminator('\0') {
        let place = to.join(name);
        fs::create_dir_all(place.parent().unwrap_or(to)).map_err(io)?;
        if fs::symlink_metadata(name).map_err(io)?.is_symlink() {
            execute(
                Command::new("cp")
                    .args(["-R", "-P", "-f", "-T", name])
                    .arg(&place),
            )?;
            continue;
        }
        let mut bytes = fs::read(name).map_err(io)?;
        let own = || faults.iter().enumerate().filter(|(_, f)| f.file == name);
        if name == CORE || own().next().is_some() {
            let mut text = String::from_utf8(bytes).map_err(|e| e.to_string())?;
            for (i, fault) in own() {
                text = fault.with_switch(&text, i + 1)?;
            }
            if name == CORE {
                text += SWITCH;
            }
            bytes = text.into_bytes();
        }
        if fs::read(&place).ok().as_ref() != Some(&bytes) {
            fs::write(&place, bytes).map_err(io)?;
        }
    }
    Ok(())
}

fn build_faults(tree: &Path) -> TaskResult<PathBuf> {
    let target = tree.join("target");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "build",
        "--release",
        "--quiet",
        "--offline",
        "--bin",
        "topsim",
    ]);
    cargo.args([
        "--config",
        "profile.release.opt-level=2",
        "--config",
        "profile.release.codegen-units=16",
    ]);
    cargo
        .env("RUSTFLAGS", "--cap-lints=warn")
        .env("CARGO_TARGET_DIR", &target);
    let status = cargo
        .current_dir(tree)
        .status()
        .map_err(|e| e.to_string())?;
    status
        .success()
        .then(|| target.join("release/topsim"))
        .ok_or_else(|| "the faults do not compile".into())
}

/// Returns the failed checks and the runs that did not complete with a fault on.
fn find_failures(topsim: &Path, number: usize, cases: &[String]) -> TaskResult<Vec<String>> {
    let out = topsim.with_file_name("results");
    let _ = fs::remove_dir_all(&out);
    let mut run = Command::new(topsim);
    run.env("TOPSIM_FAULT", number.to_string())
        .args(["run", "--no-figures", "--format", "json", "--out"])
        .arg(out);
    let ran = execute(run.args(cases))?;
    let Ok(report) = serde_json::from_slice::<Value>(&ran.stdout) else {
        return Ok(vec![format!(
            "`run` ends with {}: {}",
            ran.status,
            output_text(&ran).lines().next().unwrap_or_default()
        )]);
    };
    let mut found = Vec::new();
    for case in report["cases"].as_array().into_iter().flatten() {
        let name = case["name"].as_str().unwrap_or_default();
        let bad = case["verdicts"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|v| {
                let known = !v["known_defect"].is_null();
                (v["status"] != "passed") != known
            });
        found.extend(bad.map(|v| format!("`{name}`: {}", v["id"].as_str().unwrap_or_default())));
        if case["complete"] == false {
            found.push(format!("`{name}`: a run does not end"));
        }
    }
    found.dedup();
    Ok(found)
}

/// Returns true if a measurement of the scorecard disagrees with a claim.
fn contradicts_claim(topsim: &Path, number: usize) -> TaskResult<bool> {
    let mut card = Command::new(topsim);
    card.env("TOPSIM_FAULT", number.to_string()).args([
        "scorecard",
        "--no-times",
        "--format",
        "json",
    ]);
    Ok(!execute(&mut card)?.status.success())
}

fn read_list() -> TaskResult<FaultList> {
    toml::from_str(&read("scripts/faults.toml")?).map_err(|e| e.to_string())
}

/// Checks that the text of each fault still occurs once; edits of the source can remove it.
pub(crate) fn check_places() -> TaskResult<()> {
    for fault in read_list()?.fault {
        fault.with_switch(&read(&fault.file)?, 0)?;
    }
    Ok(())
}

pub(crate) fn faults(ids: &[String]) -> TaskResult<()> {
    let list = read_list()?;
    let tree = std::env::current_dir()
        .map_err(|e| e.to_string())?
        .join("target/faults");
    copy_tree(&tree, &list.fault)?;
    let topsim = build_faults(&tree)?;
    let mut others: Vec<String> = fs::read_dir("cases")
        .map_err(|e| e.to_string())?
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_string()))
        .filter(|name| !list.first.contains(name) && !list.last.contains(name))
        .collect();
    others.sort();
    let by = |number: usize| -> TaskResult<Vec<String>> {
        for cases in [&list.first, &others, &list.last] {
            let by = find_failures(&topsim, number, cases)?;
            if !by.is_empty() {
                return Ok(by);
            }
        }
        let card = contradicts_claim(&topsim, number)?;
        Ok(card.then(|| "scorecard".to_string()).into_iter().collect())
    };
    if let Some(first) = by(0)?.first() {
        return Err(format!("without a fault: {first}"));
    }
    println!("| fault | what is wrong | caught by |\n|---|---|---|");
    let (mut all, mut uncaught) = (0, 0);
    for (i, fault) in list.fault.iter().enumerate() {
        if !ids.is_empty() && !ids.contains(&fault.id) {
            continue;
        }
        let by = by(i + 1)?;
        let more = match by.len() {
            0 | 1 => String::new(),
            n => format!(", {} more", n - 1),
        };
        let first = by.first().map_or("**nothing**", String::as_str);
        println!("| `{}` | {} | {first}{more} |", fault.id, fault.what);
        all += 1;
        uncaught += usize::from(by.is_empty());
    }
    println!("\n{} of {all} caught.", all - uncaught);
    Ok(())
}
