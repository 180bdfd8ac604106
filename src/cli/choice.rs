//! Reduces suites to the part that the options of `topsim run` choose.

use super::Failure;
use super::args::{ChoiceArgs, no_scheme, unknown};
use crate::suite::{Choice, Suite};
use strict_toml::clip;
use topsim_case::RunPlan;
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
    let plans: Vec<&RunPlan> = suites.iter().flat_map(|s| &s.problem.plans).collect();
    let unfit = |s: &&SchemeSelector| !plans.iter().any(|p| s.takes(&p.scheme, &p.scheme_name));
    if let Some(selector) = choice.schemes.iter().find(unfit) {
        let (names, shown) = listed(plans.iter().map(|p| p.scheme.as_str()));
        let place = "--schemes: no scheme of these cases";
        return Err(no_scheme(selector, &names, place, &shown));
    }
    let checks = suites.iter().flat_map(|s| &s.checks);
    let checks = checks.map(|c| c.name.as_str());
    let unfit = |p: &&String| !checks.clone().any(|name| fits_pattern(p, name));
    if let Some(pattern) = choice.checks.iter().find(unfit) {
        let (names, shown) = listed(checks);
        let place = "--check: no check of these cases is called";
        return Err(unknown(place, pattern, &names, &shown));
    }
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

/// Returns the names in order, each once, and a text with the first of them.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> (Vec<&'a str>, String) {
    let mut names: Vec<&str> = names.collect();
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
    let end = args.end.map_or(String::new(), |end| end.to_string());
    let options = [
        ("--schemes", args.schemes.join(",")),
        ("--steps", steps.join(",")),
        ("--end", end),
        ("--check", clip(&args.check.join(", "), 200)),
    ];
    let given = options.iter().filter(|(_, all)| !all.is_empty());
    let options: Vec<String> = given.map(|(name, all)| format!("{name} {all}")).collect();
    format!("a part of the case only: {}", options.join(" "))
}
