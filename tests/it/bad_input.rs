//! Tests of the messages on wrong files.
//!
//! Each folder of `tests/bad` has a good case, `case.toml`, and where tolerances are of interest its tolerance file,
//! `expected.toml`. The `*.txt` beside them hold entries: an edit that makes a file bad, and the message that follows.
//!
//! ```text
//! == name of the entry
//! - a line of the good case that goes (`- *`: all lines that follow)
//! = a line that stays, to say where
//! + a line that comes
//! @ expected
//! + the lines below `@ expected` edit the tolerance file; without it the case runs without checks
//!
//!     the message, indented
//! ```
//!
//! `TOPSIM_BLESS=1 cargo test --test it bad_input` writes the messages anew.

use crate::support::{Folder, repository};
use std::path::{Path, PathBuf};

/// Files below `tests/bad` whose names end so, sorted.
fn below(folder: &Path, end: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let all = entries.map(|e| e.unwrap().path());
    let mut all: Vec<PathBuf> = all.filter(|p| p.to_string_lossy().ends_with(end)).collect();
    all.sort();
    all
}

fn families() -> Vec<PathBuf> {
    below(&repository("tests/bad"), "")
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A folder with a case, and its tolerance file where there is one.
fn folder_of(family: &str, case: &str, expected: Option<&str>) -> Folder {
    let folder = Folder::with(&format!("{family}.toml"), case);
    if let Some(text) = expected {
        folder.write(&format!("expected/{family}.toml"), text);
    }
    folder
}

fn run<'a>(file: &'a str, has_checks: bool, more: &[&'a str]) -> Vec<&'a str> {
    let checks: &[&str] = if has_checks { &[] } else { &["--no-checks"] };
    [&["run", file], checks, more].concat()
}

/// The base with the edit made.
fn edited(base: &str, edit: &[&str]) -> String {
    let mut rest = base.lines();
    let mut out: Vec<&str> = Vec::new();
    for line in edit {
        let (sign, words) = line.split_at(1);
        let words = words.strip_prefix(' ').unwrap_or(words);
        match (sign, words) {
            ("+", _) => out.push(words),
            ("-", "*") => rest = "".lines(),
            ("-" | "=", _) => {
                loop {
                    let next = rest.next();
                    let next = next.unwrap_or_else(|| panic!("no line (left) to edit: {line}"));
                    out.push(next);
                    if next == words {
                        break;
                    }
                }
                if sign == "-" {
                    out.pop();
                }
            }
            _ => panic!("no edit: {line}"),
        }
    }
    out.extend(rest);
    out.iter().map(|line| format!("{line}\n")).collect()
}

/// An edit of a good case, and what is said of it.
struct Entry<'a> {
    name: &'a str,
    case: Vec<&'a str>,
    expected: Option<Vec<&'a str>>,
    message: String,
}

impl<'a> Entry<'a> {
    fn read(block: &'a str) -> Self {
        let mut lines = block.lines();
        let name = lines.next().unwrap();
        let edit: Vec<&str> = lines.by_ref().take_while(|l| !l.is_empty()).collect();
        let mut parts = edit.split(|l| *l == "@ expected");
        let unindented = |l: &'a str| match l.strip_prefix("    ") {
            None if !l.is_empty() => panic!("{name}: neither edit nor message: {l}"),
            words => format!("{}\n", words.unwrap_or_default()),
        };
        let message: String = lines.map(unindented).collect();
        Self {
            name,
            case: parts.next().unwrap_or_default().to_vec(),
            expected: parts.next().map(<[&str]>::to_vec),
            message: message.trim_end().to_string(),
        }
    }

    /// The message in the case's family; the faults found in how it is said are added.
    fn told(&self, folder: &Path, faults: &mut Vec<String>) -> String {
        let family = folder.file_name().unwrap().to_str().unwrap();
        let case = edited(&text(&folder.join("case.toml")), &self.case);
        let expected = self.expected.as_ref();
        let expected = expected.map(|edit| edited(&text(&folder.join("expected.toml")), edit));
        let here = folder_of(family, &case, expected.as_deref());
        let file = format!("{family}.toml");
        let said = here.say(&run(&file, expected.is_some(), &["--out", "out"]));
        for (is_wrong, what) in [
            (said.status != Some(2), "the exit status is not 2"),
            (!said.out.is_empty(), "something on standard output"),
            (here.join("out").exists(), "something was written"),
            (said.err.contains('\u{1b}'), "escape codes in a pipe"),
        ] {
            if is_wrong {
                faults.push(format!("{}: {what}\n{}", self.name, said.err));
            }
        }
        said.err.trim_end().to_string()
    }

    /// Returns the case as its snapshot has it.
    fn written(&self, message: &str) -> String {
        let mut out = format!("== {}\n", self.name);
        let expected = self.expected.iter();
        let expected = expected.flat_map(|edit| [&["@ expected"], &edit[..]].concat());
        for line in self.case.iter().copied().chain(expected) {
            out += line;
            out.push('\n');
        }
        for line in ["", message].join("\n").lines() {
            out += format!("    {line}").trim_end();
            out.push('\n');
        }
        out
    }
}

#[test]
fn every_bad_file_is_refused_in_words() {
    let bless = std::env::var_os("TOPSIM_BLESS").is_some();
    let mut faults = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for family in families() {
        for file in below(&family, ".txt") {
            let all = text(&file);
            let blocks = all.strip_prefix("== ").expect("an entry comes first");
            let mut renewed: Vec<String> = Vec::new();
            for block in blocks.split("\n== ") {
                let entry = Entry::read(block);
                let told = entry.told(&family, &mut faults);
                if told != entry.message && !bless {
                    let (name, allowed) = (entry.name, &entry.message);
                    faults.push(format!("{name}: said\n{told}\nexpected\n{allowed}\n"));
                }
                renewed.push(entry.written(&told));
                names.push(entry.name.into());
            }
            if bless {
                std::fs::write(&file, renewed.join("\n")).unwrap();
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count, "a name is used twice");
    assert!(count >= 192, "{count} entries");
}

#[test]
fn the_good_cases_are_good() {
    for family in families() {
        let name = family.file_name().unwrap().to_str().unwrap();
        let expected = family.join("expected.toml");
        let expected = expected.exists().then(|| text(&expected));
        let here = folder_of(name, &text(&family.join("case.toml")), expected.as_deref());
        let file = format!("{name}.toml");
        here.expect(&run(&file, expected.is_some(), &["--dry-run"]), 0);
    }
}

#[test]
fn all_files_and_arguments_are_judged_at_once() {
    let top = text(&repository("tests/bad/top/case.toml"));
    let folder = Folder::with(
        "moment_negative.toml",
        &top.replace("inertia = [5.0, 5.0", "inertia = [5.0, -5.0"),
    );
    let ends_early = top.replace("[run]", "[run]\nstart = 1.0");
    folder.write("end_before_start.toml", ends_early);
    let args = [
        "run",
        "moment_negative.toml",
        "end_before_start.toml",
        "nothing",
        "--expected",
        "elsewhere",
    ];
    folder
        .expect(&args, 2)
        .complains("no case is called `nothing`")
        .complains("found no tolerance file")
        .complains("moment_negative.toml:5:11: body.inertia")
        .complains("end_before_start.toml:18:7: run.end");
}
