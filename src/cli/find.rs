//! Finds the cases that the arguments name: files, folders, built-in names. All errors are collected.

use super::Failure;
use super::args::{self, CaseArgs, unknown};
use super::terminal::Terminal;
use crate::suite::{InvalidSuite, SourceText, Suite, SuiteSource, builtin, builtins};
use std::io::Read;
use std::path::{Path, PathBuf};
use topsim_case::{CaseSource, NAMES_ALLOWED, is_name};

/// Treatment of tolerance files and baselines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tolerances {
    /// They are read where they exist; with `--expected` they must exist.
    Read,
    /// They are not read, so that their errors do not matter.
    Ignored,
}

/// A case with the folder of its tolerance file (none for built-in cases).
pub struct FoundCase {
    /// The texts of its files.
    pub source: SuiteSource,
    /// Folder of its tolerance file and baseline.
    pub expected_dir: Option<PathBuf>,
}

impl FoundCase {
    /// Returns the paths of its files; built-in cases have none, and their origin is no path of a file.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let SuiteSource {
            case,
            expected,
            baseline,
        } = &self.source;
        let beside = [expected, baseline].into_iter().flatten();
        std::iter::once(&case.path)
            .chain(beside.map(|file| &file.path))
            .map(Path::new)
    }
}

/// Reads and validates one case.
pub fn single(name: &str, terminal: &Terminal) -> Result<Suite, Failure> {
    let selection = CaseArgs::of(vec![name.into()]);
    let (_, mut suites) = load(&selection, Tolerances::Ignored, terminal)?;
    match suites.len() {
        1 => Ok(suites.remove(0)),
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
    let mut plans = Vec::new();
    for f in &found {
        match Suite::read(&f.source) {
            Ok(plan) => plans.push(plan),
            Err(errors) => wrong.extend(errors.iter().map(|e| match e {
                InvalidSuite::File(file) => terminal.invalid(file).to_string(),
                baseline @ InvalidSuite::Baseline { .. } => format!("error: {baseline}"),
            })),
        }
    }
    if tolerances == Tolerances::Read {
        let without = plans.iter_mut().filter(|plan| plan.checks.is_empty());
        for plan in without {
            plan.study_by_default();
            let problem = &mut plan.problem;
            let name = &problem.name;
            problem.warnings.push(format!(
                "not judged: there is no tolerance file `expected/{name}.toml` beside or above the folder of the case; \
                 `topsim init --minimal` writes an example of one"
            ));
        }
    }
    if wrong.is_empty() {
        Ok((found, plans))
    } else {
        Err(Failure::Invalid(wrong.join("\n")))
    }
}

/// The cases that are found, and the folder of the tolerance files and their treatment.
struct Finder<'a> {
    expected: Option<&'a Path>,
    tolerances: Tolerances,
    found: Vec<FoundCase>,
}

/// Returns the texts, and the errors of the selection itself.
fn sources(
    selection: &CaseArgs,
    tolerances: Tolerances,
) -> Result<(Vec<FoundCase>, Vec<String>), Failure> {
    let expected = selection.expected.as_deref();
    let mut finder = Finder {
        expected,
        tolerances,
        found: Vec::new(),
    };
    let mut wrong = Vec::new();
    if selection.cases.is_empty() {
        builtins().for_each(|source| finder.push(source, None));
    }
    for name in &selection.cases {
        match finder.one(name) {
            Err(Failure::Invalid(text)) => wrong.push(text),
            other => other?,
        }
    }
    let found = finder.found;
    for (i, f) in found.iter().enumerate() {
        let CaseSource { name, path, .. } = &f.source.case;
        if found[..i].iter().any(|g| g.source.case.name == *name) {
            wrong.push(format!(
                "error: the case `{name}` is named twice; its results would overwrite each other"
            ));
        }
        let missing = f.source.expected.is_none() && tolerances == Tolerances::Read;
        if let (true, Some(dir)) = (missing, expected) {
            wrong.push(format!(
                "error: {path}: found no tolerance file for this case in the folder of --expected; allowed: {}, \
                 or `--no-checks` to run the case unjudged",
                dir.join(format!("{name}.toml")).display()
            ));
        }
    }
    Ok((found, wrong))
}

/// Tests whether a name is that of a built-in case or could be a path.
pub(super) fn names_a_case(name: &str) -> bool {
    builtin(name).is_some() || looks_like_path(name) || Path::new(name).exists()
}

fn looks_like_path(name: &str) -> bool {
    name.contains(['/', '\\']) || name.ends_with(".toml") || [".", ".."].contains(&name)
}

impl Finder<'_> {
    fn push(&mut self, mut source: SuiteSource, expected_dir: Option<PathBuf>) {
        if self.tolerances == Tolerances::Ignored {
            (source.expected, source.baseline) = (None, None);
        }
        self.found.push(FoundCase {
            source,
            expected_dir,
        });
    }

    fn one(&mut self, name: &str) -> Result<(), Failure> {
        let path = Path::new(name);
        if path.is_dir() && (looks_like_path(name) || builtin(name).is_none()) {
            return self.folder(path);
        }
        if looks_like_path(name) || path.is_file() {
            return self.file(path);
        }
        let allowed = "a file, a folder, or a name of `topsim list cases`";
        let none = || unknown("no case is called", name, &args::cases(), allowed);
        let mut source = builtin(name).ok_or_else(none)?;
        if let Some(dir) = self.expected {
            (source.expected, source.baseline) = self.beside_case(dir, name)?;
        }
        self.push(source, None);
        Ok(())
    }

    fn folder(&mut self, path: &Path) -> Result<(), Failure> {
        let entries = std::fs::read_dir(path)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(|e| Failure::Io(format!("cannot read the folder {}: {e}", path.display())))?;
        let paths = entries.into_iter().map(|e| e.path());
        let is_case = |p: &PathBuf| p.is_file() && p.extension().is_some_and(|e| e == "toml");
        let mut files: Vec<PathBuf> = paths.filter(is_case).collect();
        files.sort();
        if files.is_empty() {
            return Err(Failure::Invalid(format!(
                "error: the folder {} holds no case; allowed: a folder with *.toml files",
                path.display()
            )));
        }
        files.iter().try_for_each(|path| self.file(path))
    }

    fn file(&mut self, path: &Path) -> Result<(), Failure> {
        let text = read(path)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if !is_name(&name) {
            return Err(Failure::Invalid(format!(
                "error: {}: found the name `{}`, which would name a case and its folder of results; \
                 allowed: {NAMES_ALLOWED}",
                path.display(),
                strict_toml::clip(&name, 40),
            )));
        }
        let dir = path.parent().unwrap_or(Path::new(""));
        let candidates = match self.expected {
            Some(dir) => vec![dir.to_path_buf()],
            None => vec![beside(dir), dir.join("expected")],
        };
        // The folder with a tolerance file takes precedence; if there is none, the folder that exists is taken.
        let has_file = |c: &&PathBuf| c.join(format!("{name}.toml")).is_file();
        let home = candidates.iter().find(has_file);
        let home = home.or_else(|| candidates.iter().find(|c| c.is_dir()));
        let beside = home.map(|dir| self.beside_case(dir, &name)).transpose()?;
        let (expected, baseline) = beside.unwrap_or_default();
        let source = SuiteSource {
            case: CaseSource {
                path: path.display().to_string(),
                text,
                name: name.into(),
            },
            expected,
            baseline,
        };
        self.push(source, home.cloned());
        Ok(())
    }

    /// Reads the tolerance file and the baseline of a case, as far as they exist and count.
    fn beside_case(
        &self,
        dir: &Path,
        name: &str,
    ) -> Result<(Option<SourceText>, Option<SourceText>), Failure> {
        let text = |ending: &str| -> Result<_, Failure> {
            let path = dir.join(format!("{name}.{ending}"));
            if self.tolerances == Tolerances::Ignored || !path.exists() {
                return Ok(None);
            }
            let (path, text) = (path.display().to_string(), read(&path)?);
            Ok(Some(SourceText { path, text }))
        };
        Ok((text("toml")?, text("baseline.csv")?))
    }
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
