//! Finds the cases that the arguments name: files, folders, built-in names. All errors are collected.

use super::Failure;
use super::args::{self, CaseArgs, unknown};
use super::terminal::Terminal;
use crate::report::invalid;
use crate::suite::{InvalidSuite, SourceText, Suite, SuiteSource, builtin, builtins};
use std::io::Read;
use std::path::{Path, PathBuf};
use topsim_case::{CaseSource, is_name};

/// Treatment of tolerance files and baselines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tolerances {
    /// They are read where they exist. With `--expected` they must exist.
    Read,
    /// They are not read, so their errors do not matter.
    Ignored,
}

/// A case with the folder of its tolerance file (none for built-in cases).
pub struct FoundCase {
    /// The texts of its files.
    pub source: SuiteSource,
    /// Folder of its tolerance file and baseline.
    pub expected_dir: Option<PathBuf>,
}

/// Reads and validates one case.
pub fn single(name: &str, terminal: &Terminal) -> Result<Suite, Failure> {
    let selection = CaseArgs::of(vec![name.into()]);
    let (_, mut plans) = load(&selection, Tolerances::Ignored, terminal)?;
    match (plans.pop(), plans.is_empty()) {
        (Some(plan), true) => Ok(plan),
        _ => Err(Failure::Invalid(format!(
            "error: `{name}` holds several cases; allowed: one case"
        ))),
    }
}

/// Reads and validates all cases that the selection names; reports the errors of all of them at once.
pub fn load(
    selection: &CaseArgs,
    tolerances: Tolerances,
    terminal: &Terminal,
) -> Result<(Vec<FoundCase>, Vec<Suite>), Failure> {
    let (found, mut wrong) = sources(selection, tolerances)?;
    let (mut plans, invalid) = plans(&found, terminal);
    wrong.extend(invalid);
    if tolerances == Tolerances::Read {
        let without = plans.iter_mut().filter(|plan| plan.checks.is_empty());
        for problem in without.map(|plan| &mut plan.problem) {
            let name = &problem.name;
            problem.warnings.push(format!(
                "not judged: there is no tolerance file `expected/{name}.toml` beside or above the folder of the case"
            ));
        }
    }
    if wrong.is_empty() {
        Ok((found, plans))
    } else {
        Err(Failure::Invalid(wrong.join("\n")))
    }
}

/// Returns the texts, and the errors of the selection itself.
fn sources(
    selection: &CaseArgs,
    tolerances: Tolerances,
) -> Result<(Vec<FoundCase>, Vec<String>), Failure> {
    let mut found = Vec::new();
    let mut wrong = Vec::new();
    if selection.cases.is_empty() {
        found.extend(builtins().map(|source| FoundCase {
            source,
            expected_dir: None,
        }));
    }
    for name in &selection.cases {
        if let Err(e) = one(name, (selection, tolerances), &mut found) {
            match e {
                Failure::Invalid(text) => wrong.push(text),
                other => return Err(other),
            }
        }
    }
    if tolerances == Tolerances::Ignored {
        for FoundCase { source, .. } in &mut found {
            (source.expected, source.baseline) = (None, None);
        }
    }
    for (i, f) in found.iter().enumerate() {
        let CaseSource { name, path, .. } = &f.source.case;
        if found[..i].iter().any(|g| g.source.case.name == *name) {
            wrong.push(format!(
                "error: the case `{name}` is named twice; its results would overwrite each other"
            ));
        }
        let missing = f.source.expected.is_none() && tolerances == Tolerances::Read;
        if let (true, Some(dir)) = (missing, &selection.expected) {
            wrong.push(format!(
                "error: {path}: found no tolerance file for this case in the folder of --expected; allowed: {}, \
                 or `--no-checks` to run the case unjudged",
                dir.join(format!("{name}.toml")).display()
            ));
        }
    }
    Ok((found, wrong))
}

/// Returns the suites of all sources, and the errors of each file that makes none.
fn plans(found: &[FoundCase], terminal: &Terminal) -> (Vec<Suite>, Vec<String>) {
    let mut plans = Vec::new();
    let mut invalid: Vec<InvalidSuite> = Vec::new();
    for f in found {
        match Suite::read(&f.source) {
            Ok(plan) => plans.push(plan),
            Err(errors) => invalid.extend(errors),
        }
    }
    let text = invalid
        .iter()
        .map(|e| match e {
            InvalidSuite::File(file) => {
                invalid::render(file, terminal.error_color, terminal.columns())
            }
            baseline @ InvalidSuite::Baseline { .. } => format!("error: {baseline}"),
        })
        .collect();
    (plans, text)
}

/// Tests whether a name is that of a built-in case or could be a path.
pub(super) fn names_a_case(name: &str) -> bool {
    builtin(name).is_some() || looks_like_path(name) || Path::new(name).exists()
}

fn looks_like_path(name: &str) -> bool {
    name.contains(['/', '\\'])
        || Path::new(name).extension().is_some_and(|e| e == "toml")
        || name == "."
        || name == ".."
}

/// The folder of the tolerance files and their treatment.
type ToleranceFolder<'a> = (&'a CaseArgs, Tolerances);

fn one(name: &str, wanted: ToleranceFolder, found: &mut Vec<FoundCase>) -> Result<(), Failure> {
    let path = Path::new(name);
    let looks_like_path = looks_like_path(name);
    if path.is_dir() && (looks_like_path || builtin(name).is_none()) {
        return folder(path, wanted, found);
    }
    if looks_like_path || path.is_file() {
        found.push(file(path, wanted)?);
        return Ok(());
    }
    if let Some(mut source) = builtin(name) {
        if let Some(dir) = &wanted.0.expected {
            (source.expected, source.baseline) = expected(dir, name, wanted.1)?;
        }
        found.push(FoundCase {
            source,
            expected_dir: None,
        });
        return Ok(());
    }
    let allowed = "a file, a folder, or a name of `topsim list cases`";
    let known = args::cases();
    Err(unknown("no case is called", name, &known, allowed))
}

fn folder(path: &Path, wanted: ToleranceFolder, found: &mut Vec<FoundCase>) -> Result<(), Failure> {
    let entries = std::fs::read_dir(path)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|e| Failure::Io(format!("cannot read the folder {}: {e}", path.display())))?;
    let mut files: Vec<PathBuf> = entries
        .into_iter()
        .map(|e| e.path())
        .filter(|p| p.is_file() && p.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(Failure::Invalid(format!(
            "error: the folder {} holds no case; allowed: a folder with *.toml files",
            path.display()
        )));
    }
    for f in files {
        found.push(file(&f, wanted)?);
    }
    Ok(())
}

fn file(path: &Path, (selection, tolerances): ToleranceFolder) -> Result<FoundCase, Failure> {
    let text = read(path)?;
    let Some(name) = path.file_stem().and_then(|s| s.to_str()) else {
        return Err(Failure::Invalid(format!(
            "error: {}: the file's name is not text; it names the case",
            path.display()
        )));
    };
    if !is_name(name) {
        return Err(Failure::Invalid(format!(
            "error: {}: found the name `{}`, which would name a case and its folder of results; \
             allowed: at most 100 letters, digits and _ - + . (not first)",
            path.display(),
            strict_toml::clip(name, 40),
        )));
    }
    let dir = path.parent().unwrap_or(Path::new(""));
    let candidates: Vec<PathBuf> = match &selection.expected {
        Some(dir) => vec![dir.clone()],
        None => vec![beside(dir), dir.join("expected")],
    };
    // The folder with a tolerance file takes precedence; if there is none, the folder that exists is taken.
    let home = candidates
        .iter()
        .find(|c| c.join(format!("{name}.toml")).is_file())
        .or_else(|| candidates.iter().find(|c| c.is_dir()))
        .cloned();
    let (expected, baseline) = match &home {
        None => (None, None),
        Some(dir) => expected(dir, name, tolerances)?,
    };
    Ok(FoundCase {
        source: SuiteSource {
            case: CaseSource {
                name: name.into(),
                path: path.display().to_string(),
                text,
            },
            expected,
            baseline,
        },
        expected_dir: home,
    })
}

/// Reads the tolerance file and the baseline of a case, as far as they exist.
fn expected(
    dir: &Path,
    name: &str,
    tolerances: Tolerances,
) -> Result<(Option<SourceText>, Option<SourceText>), Failure> {
    if tolerances == Tolerances::Ignored {
        return Ok((None, None));
    }
    let tolerances = read_if_there(&dir.join(format!("{name}.toml")))?;
    let baseline = read_if_there(&dir.join(format!("{name}.baseline.csv")))?;
    Ok((tolerances, baseline))
}

/// Returns the `expected` folder beside `dir`.
fn beside(dir: &Path) -> PathBuf {
    match (dir.file_name(), dir.parent()) {
        (Some(_), Some(parent)) => parent.join("expected"),
        // `dir` is the current folder, or it ends in dots.
        _ => dir.join("../expected"),
    }
}

/// Largest size of a text that is read, in bytes: no case, tolerance file or baseline is longer.
const LONGEST: u64 = 16_000_000;

pub(super) fn read(path: &Path) -> Result<String, Failure> {
    read_of(path, LONGEST)
}

/// Reads a text of at most this many bytes.
pub(super) fn read_of(path: &Path, longest: u64) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(longest + 1).read_to_end(&mut bytes))
        .map_err(|e| Failure::Io(format!("cannot read {}: {e}", path.display())))?;
    if bytes.len() as u64 > longest {
        return Err(Failure::Invalid(format!(
            "error: {}: found more than {mb} MB; allowed: a text of at most {mb} MB",
            path.display(),
            mb = longest / 1_000_000
        )));
    }
    String::from_utf8(bytes).map_err(|e| {
        Failure::Invalid(format!(
            "error: {}: found a byte that is not UTF-8 at offset {}; allowed: UTF-8 text",
            path.display(),
            e.utf8_error().valid_up_to()
        ))
    })
}

fn read_if_there(path: &Path) -> Result<Option<SourceText>, Failure> {
    if !path.exists() {
        return Ok(None);
    }
    Ok(Some(SourceText {
        path: path.display().to_string(),
        text: read(path)?,
    }))
}
