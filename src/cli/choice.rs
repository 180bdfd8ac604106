//! Reduces suites to the part that the options of `topsim run` choose.

use super::Failure;
use super::args::{ChoiceArgs, no_scheme, unknown};
use crate::suite::{Choice, Suite};
use strict_toml::clip;
use topsim_case::Job;
use topsim_core::integration::{SchemeSelector, fits_pattern};

/// Returns the suites reduced to the chosen part.
pub(super) fn choose(suites: Vec<Suite>, args: &ChoiceArgs) -> Result<Vec<Suite>, Failure> {
    let choice = Choice {
        schemes: args.schemes.iter().map(SchemeSelector::new).collect(),
        steps: args.steps.clone(),
        end: args.end,
        checks: args.check.clone(),
    };
    if choice == Choice::default() {
        return Ok(suites);
    }
    let jobs: Vec<&Job> = suites.iter().flat_map(|s| &s.problem.jobs).collect();
    known_schemes(&choice.schemes, &jobs)?;
    let checks = suites.iter().flat_map(|s| &s.checks);
    let checks = checks.map(|c| c.name.as_str()).collect();
    known(
        &choice.checks,
        checks,
        "--check: no check of these cases is called",
    )?;
    let note = note(args);
    let (mut kept, mut wrong) = (Vec::new(), Vec::new());
    for mut suite in suites {
        match suite.choose(&choice) {
            Ok(true) => {
                suite.problem.warnings.push(note.clone());
                kept.push(suite);
            }
            Ok(false) => {}
            Err(why) => wrong.push(format!("error: {}: {why}", suite.problem.name)),
        }
    }
    if kept.is_empty() && wrong.is_empty() {
        wrong.push("error: these options leave nothing of these cases; allowed: options that leave a run or a study".into());
    }
    if wrong.is_empty() {
        Ok(kept)
    } else {
        Err(Failure::Invalid(wrong.join("\n")))
    }
}

/// Refuses a selector that takes no scheme of these cases.
fn known_schemes(selectors: &[SchemeSelector], jobs: &[&Job]) -> Result<(), Failure> {
    let labels: Vec<&str> = jobs.iter().map(|j| j.scheme.as_str()).collect();
    let unfit = |s: &&SchemeSelector| !jobs.iter().any(|j| s.takes(&j.scheme, &j.scheme_name));
    let Some(selector) = selectors.iter().find(unfit) else {
        return Ok(());
    };
    let (names, shown) = listed(labels);
    let place = "--schemes: no scheme of these cases";
    Err(no_scheme(selector, &names, place, &shown))
}

/// Refuses a pattern that fits no name.
fn known(patterns: &[String], names: Vec<&str>, what: &str) -> Result<(), Failure> {
    let unfit = |p: &&String| !names.iter().any(|name| fits_pattern(p, name));
    match patterns.iter().find(unfit) {
        Some(pattern) => {
            let (names, shown) = listed(names);
            Err(unknown(what, pattern, &names, &shown))
        }
        None => Ok(()),
    }
}

/// Returns the names in order, each once, and a text with the first of them.
fn listed(mut names: Vec<&str>) -> (Vec<&str>, String) {
    names.sort_unstable();
    names.dedup();
    const SHOWN: usize = 20;
    let mut shown = names[..names.len().min(SHOWN)].join(", ");
    match names.len() {
        0 => shown.push_str("none: there are none"),
        n if n > SHOWN => shown.push_str(&format!(" and {} more", n - SHOWN)),
        _ => {}
    }
    (names, shown)
}

/// Returns a warning for readers of the report.
fn note(args: &ChoiceArgs) -> String {
    let steps: Vec<&str> = args.steps.iter().map(|s| s.text.as_str()).collect();
    let end = args.end.map(|end| format!("--end {end}"));
    let listed = |option: &str, all: String| (!all.is_empty()).then(|| format!("{option} {all}"));
    let options = [
        listed("--schemes", args.schemes.join(",")),
        listed("--steps", steps.join(",")),
        end,
        listed("--check", clip(&args.check.join(", "), 200)),
    ];
    let options: Vec<String> = options.into_iter().flatten().collect();
    format!("a part of the case only: {}", options.join(" "))
}
