//! `cargo xtask faults [ID…]`: which deliberate faults do the shipped cases and the scorecard catch?
//!
//! The rows of `scripts/faults.toml` are written into a copy of the tree as switches, which the variable `TOPSIM_FAULT`
//! turns on one at a time. No unit test takes part.

use crate::{Outcome, read};
use serde::Deserialize;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Deliberate faults.
#[derive(Deserialize)]
struct List {
    /// Cases that catch many, and take no time: run first.
    first: Vec<String>,
    /// Cases that take long: run only where the others catch nothing.
    last: Vec<String>,
    fault: Vec<Fault>,
}

/// One deliberate fault.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fault {
    /// Its name.
    id: String,
    /// The file.
    file: String,
    /// A text that stands there once.
    old: String,
    /// What takes its place.
    new: String,
    /// What is wrong then.
    what: String,
}

/// The file that gets the switch.
const CORE: &str = "crates/topsim-core/src/lib.rs";
/// What is added to it: every crate can ask which fault is on.
const SWITCH: &str = "
extern crate self as topsim_core;
#[doc(hidden)]
pub fn fault(number: usize) -> bool {
    static ON: std::sync::LazyLock<Option<usize>> =
        std::sync::LazyLock::new(|| std::env::var(\"TOPSIM_FAULT\").ok()?.parse().ok());
    *ON == Some(number)
}
";

impl Fault {
    /// The text of its file with the switch of this number.
    fn switched(&self, text: &str, number: usize) -> Outcome<String> {
        if text.matches(&self.old).count() != 1 {
            return Err(format!(
                "{}: its text must stand once in {}",
                self.id, self.file
            ));
        }
        let on = format!("::topsim_core::fault({number})");
        let (old, new) = (&self.old, &self.new);
        // What begins an expression and does not end it is switched within.
        let whole = |text: &str| {
            let count = |c: char| text.matches(c).count();
            count('(') == count(')') && count('{') == count('}')
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

fn said(out: &Output) -> String {
    String::from_utf8_lossy(&[&out.stdout[..], &out.stderr].concat()).into_owned()
}

fn done(command: &mut Command) -> Outcome<Output> {
    command
        .output()
        .map_err(|e| format!("cannot start {command:?}: {e}"))
}

/// Copies what git knows of the tree, as it is now; files that are as they were stay untouched, so that little is compiled
/// again.
fn copy(to: &Path, faults: &[Fault]) -> Outcome<()> {
    let io = |e: std::io::Error| e.to_string();
    let listed = done(Command::new("git").args([
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
            done(
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
                text = fault.switched(&text, i + 1)?;
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

fn built(tree: &Path) -> Outcome<PathBuf> {
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

/// What is wrong with a fault on: the checks that failed, and the runs that did not end.
fn caught(topsim: &Path, number: usize, cases: &[String]) -> Outcome<Vec<String>> {
    let out = topsim.with_file_name("results");
    let _ = fs::remove_dir_all(&out);
    let mut run = Command::new(topsim);
    run.env("TOPSIM_FAULT", number.to_string())
        .args(["run", "--no-figures", "--format", "json", "--out"])
        .arg(out);
    let ran = done(run.args(cases))?;
    let Ok(report) = serde_json::from_slice::<Value>(&ran.stdout) else {
        return Ok(vec![format!(
            "`run` ends with {}: {}",
            ran.status,
            said(&ran).lines().next().unwrap_or_default()
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

/// Whether a measurement of the scorecard disagrees with a claim.
fn disagrees(topsim: &Path, number: usize) -> Outcome<bool> {
    let mut card = Command::new(topsim);
    card.env("TOPSIM_FAULT", number.to_string()).args([
        "scorecard",
        "--no-times",
        "--format",
        "json",
    ]);
    Ok(!done(&mut card)?.status.success())
}

fn list() -> Outcome<List> {
    toml::from_str(&read("scripts/faults.toml")?).map_err(|e| e.to_string())
}

/// Whether each fault still has its place: a text that changes takes its fault along.
pub(crate) fn have_places() -> Outcome<()> {
    for fault in list()?.fault {
        fault.switched(&read(&fault.file)?, 0)?;
    }
    Ok(())
}

pub(crate) fn faults(ids: &[String]) -> Outcome<()> {
    let list = list()?;
    let tree = std::env::current_dir()
        .map_err(|e| e.to_string())?
        .join("target/faults");
    copy(&tree, &list.fault)?;
    let topsim = built(&tree)?;
    let mut others: Vec<String> = fs::read_dir("cases")
        .map_err(|e| e.to_string())?
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_string()))
        .filter(|name| !list.first.contains(name) && !list.last.contains(name))
        .collect();
    others.sort();
    let by = |number: usize| -> Outcome<Vec<String>> {
        for cases in [&list.first, &others, &list.last] {
            let by = caught(&topsim, number, cases)?;
            if !by.is_empty() {
                return Ok(by);
            }
        }
        let card = disagrees(&topsim, number)?;
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
