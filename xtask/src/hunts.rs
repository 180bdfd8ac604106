//! `cargo xtask hunt-schemes SECONDS`: hunts every scheme of the catalogue that needs no joint for SECONDS of
//! wall-clock time, each with a seed not used before, and adds the coverage and the processor time to
//! `docs/hunt.csv`.

use crate::{TaskResult, read};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;
use std::time::Instant;
use topsim_core::integration::registry::{self, SchemeFamily};

const TABLE: &str = "docs/hunt.csv";
const HEAD: &str = "scheme,seeds,problems,seconds,findings";
const PROGRAM: &str = "target/release/topsim";

/// Total coverage of all hunts of a scheme.
#[derive(Default)]
struct HuntTotals {
    seeds: u64,
    problems: u64,
    seconds: f64,
    findings: u64,
}

fn table() -> TaskResult<BTreeMap<String, HuntTotals>> {
    let text = read(TABLE)?;
    let row = |line: &str| {
        let mut cells = line.split(',');
        let name = cells.next()?.to_owned();
        let numbers: Vec<f64> = cells.map_while(|x| x.parse().ok()).collect();
        let [seeds, problems, seconds, findings] = numbers[..] else {
            return None;
        };
        let sum = HuntTotals {
            seeds: seeds as u64,
            problems: problems as u64,
            seconds,
            findings: findings as u64,
        };
        Some((name, sum))
    };
    let rows = text.lines().skip(1);
    rows.map(|line| row(line).ok_or_else(|| format!("{TABLE}: found `{line}`; allowed: {HEAD}")))
        .collect()
}

fn write(all: &BTreeMap<String, HuntTotals>) -> TaskResult<()> {
    let mut out = format!("{HEAD}\n");
    for (name, s) in all {
        let _ = writeln!(
            out,
            "{name},{},{},{:.0},{}",
            s.seeds, s.problems, s.seconds, s.findings
        );
    }
    std::fs::write(TABLE, out).map_err(|e| format!("cannot write {TABLE}: {e}"))
}

/// Returns the names of the schemes for bodies without a joint and without a given rate.
fn schemes() -> impl Iterator<Item = &'static str> {
    let hunted = |family| {
        !matches!(
            family,
            SchemeFamily::Constrained | SchemeFamily::GivenRate | SchemeFamily::Adaptive
        )
    };
    let rows = registry::SCHEMES
        .iter()
        .filter(move |row| hunted(row.family));
    rows.map(|row| row.info.name)
}

/// Returns the processor time of the commands run so far, s; wall-clock time if the system does not report it.
fn processor_time(begun: Instant) -> f64 {
    const TICKS: f64 = 100.0;
    let told = std::fs::read_to_string("/proc/self/stat").ok();
    let ticks = told.and_then(|text| {
        // The fields after the name in parentheses are numbers; those of child processes are the 16th and 17th
        // of the line.
        let fields = text.rsplit_once(')')?.1.split_whitespace();
        let children: Vec<f64> = fields
            .skip(13)
            .take(2)
            .filter_map(|x| x.parse().ok())
            .collect();
        (children.len() == 2).then(|| children.iter().sum::<f64>() / TICKS)
    });
    ticks.unwrap_or_else(|| begun.elapsed().as_secs_f64())
}

fn json(args: &[&str]) -> TaskResult<Value> {
    let run = Command::new(PROGRAM).args(args).output();
    let out =
        run.map_err(|e| format!("cannot start {PROGRAM}: {e}; `cargo build --release` makes it"))?;
    serde_json::from_slice(&out.stdout).map_err(|e| {
        format!(
            "{}: {e}: {}",
            args.join(" "),
            String::from_utf8_lossy(&out.stderr)
        )
    })
}

pub(crate) fn hunt_schemes(seconds: &str) -> TaskResult<()> {
    let budget: f64 = seconds
        .parse()
        .map_err(|_| format!("`{seconds}` is no number of seconds"))?;
    let mut all = table()?;
    let mut found = Vec::new();
    let begun = Instant::now();
    for name in schemes() {
        let sum = all.entry(name.to_owned()).or_default();
        let seed = (sum.seeds + 1).to_string();
        let folder =
            std::env::temp_dir().join(format!("topsim-hunt-{}-{name}-{seed}", std::process::id()));
        let out = folder.display().to_string();
        let before = processor_time(begun);
        let report = json(&[
            "hunt",
            "--scheme",
            name,
            "--seed",
            &seed,
            "--budget",
            &format!("{budget}s"),
            "--jobs",
            "1",
            "--out",
            &out,
            "--format",
            "json",
        ])?;
        let problems = report["coverage"]["problems"].as_u64();
        let problems = problems.ok_or_else(|| format!("{name}: no number of problems"))?;
        let new = report["new"].as_array().map_or(0, Vec::len);
        sum.seeds += 1;
        sum.problems += problems;
        sum.seconds += processor_time(begun) - before;
        sum.findings += new as u64;
        if new == 0 {
            let _ = std::fs::remove_dir_all(&folder);
        } else {
            found.push(format!("{name}: {new} in {out}"));
        }
        write(&all)?;
    }
    match found.is_empty() {
        true => Ok(()),
        false => Err(format!("found:\n{}", found.join("\n"))),
    }
}
