//! Values of arguments: the names that are known, for completion and for messages, and numbers.

use super::Cli;
use crate::check::Metric;
use crate::cli::{Failure, citation};
use crate::figure::FigureKind;
use crate::study::StudyTable;
use crate::suite::REPRODUCTIONS;
use clap::CommandFactory;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap_complete::engine::{CompletionCandidate, PathCompleter, ValueCompleter};
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::LazyLock;
use strict_toml::{clip, meant, near};
use strum::VariantNames;
use topsim_case::builtin::BUILTIN;
use topsim_case::{claims_allowed, no_claim};
use topsim_core::integration::{ALIASES, SchemeSelector, alias, registry};
use topsim_judge::VerdictId;
use topsim_levitron::kernel::Width;
use topsim_protocol::RULES;

/// Names for completion where an argument takes other texts too.
#[derive(Clone)]
pub(super) struct NameParser(pub(super) fn() -> Vec<&'static str>);

impl TypedValueParser for NameParser {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}

/// Returns the built-in cases and paths that complete a word.
pub(super) fn cases_and_files(begin: &OsStr) -> Vec<CompletionCandidate> {
    let begins = |name: &&str| name.as_bytes().starts_with(begin.as_encoded_bytes());
    let known = cases().into_iter().filter(begins);
    let paths = PathCompleter::any().complete(begin);
    known.map(CompletionCandidate::new).chain(paths).collect()
}

/// Returns the names of the commands.
pub(in crate::cli) fn commands() -> Vec<&'static str> {
    static PROGRAM: LazyLock<clap::Command> = LazyLock::new(Cli::command);
    let all = PROGRAM.get_subcommands();
    all.map(clap::Command::get_name).collect()
}

/// Returns the names of the built-in cases.
pub(in crate::cli) fn cases() -> Vec<&'static str> {
    BUILTIN.iter().map(|b| b.name).collect()
}

/// Returns the names of the errors that cases reproduce.
pub(super) fn reproductions() -> Vec<&'static str> {
    REPRODUCTIONS.iter().map(|r| &*r.id).collect()
}

/// Returns the names of the schemes.
pub(in crate::cli) fn schemes() -> Vec<&'static str> {
    registry::names().collect()
}

/// Returns all names that `show` knows; a metric, a study and a figure may share one.
pub(in crate::cli) fn shown() -> Vec<&'static str> {
    // Defects are verdicts.
    static VERDICTS: LazyLock<Vec<String>> =
        LazyLock::new(|| VerdictId::all().map(|id| id.to_string()).collect());
    let kinds = [Metric::VARIANTS, StudyTable::VARIANTS, FigureKind::VARIANTS];
    let mut all = [kinds.concat(), cases(), schemes()].concat();
    all.extend(ALIASES.iter().map(|a| a.name));
    all.extend(RULES.iter().map(|rule| rule.id));
    all.extend(VERDICTS.iter().map(String::as_str));
    all.extend(citation::keys());
    all.sort_unstable();
    all.dedup();
    all
}

/// Parses the name of a width that this processor has.
pub(super) fn width(text: &str) -> Result<Width, String> {
    let known = Width::available();
    let found = known.iter().find(|w| w.to_string() == text);
    found.copied().ok_or_else(|| {
        let known: Vec<_> = known.iter().map(Width::to_string).collect();
        format!("this processor has {}", known.join(", "))
    })
}

/// Returns the message about an unknown name; `what` names the kind of thing.
pub(in crate::cli) fn unknown(what: &str, name: &str, known: &[&str], allowed: &str) -> Failure {
    let other = alias(name).map(|a| a.scheme);
    let other = other.filter(|scheme| known.contains(scheme));
    let near = match other {
        Some(other) => meant([other]),
        None => {
            // A case may be a file and have a built-in namesake.
            let mut names = near(name, known);
            names.dedup();
            meant(names)
        }
    };
    let name = clip(name, 80);
    Failure::Invalid(format!("error: {what} `{name}`{near}; allowed: {allowed}"))
}

/// Returns the message about a selector that takes none of the schemes of these names; `none` says of which.
pub(in crate::cli) fn no_scheme(
    selector: &SchemeSelector,
    names: &[&str],
    none: &str,
    allowed: &str,
) -> Failure {
    if let Some(found) = no_claim(selector, names) {
        let claims = claims_allowed();
        return Failure::Invalid(format!(
            "error: {none}: {found}; allowed: a name, or {claims}"
        ));
    }
    let none = match selector.is_name() {
        true => format!("{none} is called"),
        false => format!("{none} has the claims"),
    };
    unknown(&none, selector.text(), names, allowed)
}

pub(super) fn window(text: &str) -> Result<[f64; 4], String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|x| x.trim().parse()).collect();
    match numbers.as_deref() {
        Ok(all @ &[x0, x1, z0, z1]) if x1 > x0 && z1 > z0 && all.iter().all(|x| x.is_finite()) => {
            Ok([x0, x1, z0, z1])
        }
        _ => Err("allowed: four numbers X0,X1,Z0,Z1 in m, X1 above X0 and Z1 above Z0".into()),
    }
}

pub(super) fn size(text: &str) -> Result<[u32; 2], String> {
    const MOST: u32 = 1 << 20;
    let side = |n: &str| n.parse().ok().filter(|n| (1..=MOST).contains(n));
    let sides = text.split_once('x');
    let sides = sides.and_then(|(w, h)| Some([side(w)?, side(h)?]));
    sides.ok_or_else(|| format!("allowed: two counts from 1 to {MOST}, such as 300x300"))
}

/// Parses a number with a property, or states what is allowed.
fn number(text: &str, holds: fn(f64) -> bool, allowed: &str) -> Result<f64, String> {
    let x = text.parse().ok().filter(|x| holds(*x));
    x.ok_or_else(|| format!("allowed: {allowed}"))
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let allowed = "a number of seconds greater than 0, at most 1e9";
    number(text, |x| x > 0.0 && x <= 1e9, allowed)
}

pub(super) fn tolerance(text: &str) -> Result<f64, String> {
    number(
        text,
        |x| x > 0.0 && x <= 1.0,
        "a tolerance greater than 0, at most 1",
    )
}

/// Parses the name of a page, whose ending tells its form.
pub(super) fn page(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().and_then(|end| end.to_str()) {
        Some("md" | "html") => Ok(path),
        _ => Err("allowed: a name that ends in .md or .html".into()),
    }
}

/// Parses a time with its unit (default: seconds); returns seconds.
pub(super) fn duration(text: &str) -> Result<f64, String> {
    let units = [("min", 60.0), ("h", 3600.0), ("s", 1.0)];
    let of_unit = |(unit, size)| Some((text.strip_suffix(unit)?, size));
    let (number, size) = units.into_iter().find_map(of_unit).unwrap_or((text, 1.0));
    let time = number.trim().parse::<f64>().map(|x| x * size);
    let time = time.ok().filter(|x| *x > 0.0 && *x <= 1e9);
    time.ok_or_else(|| "allowed: a time above 0 such as 30s, 10min or 2h".into())
}

pub(super) fn fraction(text: &str) -> Result<f64, String> {
    number(text, |x| (0.0..1.0).contains(&x), "a number from 0 to 1")
}

pub(super) fn finite(text: &str) -> Result<f64, String> {
    number(text, f64::is_finite, "a time in s")
}
