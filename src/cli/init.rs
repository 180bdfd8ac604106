//! `topsim init`: writes a new case and its tolerance file from an existing case, or a solver to put one's own step into.

use super::args::{CaseArgs, InitArgs, Language};
use super::find::{self, FoundCase, Tolerances};
use super::info::words;
use super::solver_files::solver_files;
use super::terminal::Terminal;
use super::{Answer, Failure};
use crate::check::ToleranceFile;
use crate::suite::{SourceText, case_schema};
use serde_json::Value;
use std::path::{Path, PathBuf};
use strict_toml::{clip, schema_of};
use topsim_case::{NAMES_ALLOWED, is_name};

pub(super) fn init(args: &InitArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let name = args.name.as_deref().unwrap_or_default();
    match args.solver {
        Some(language) => new_solver(name, language, args.engine, terminal),
        None if args.minimal => new_minimal_case(name, terminal),
        None => new_case(name, &args.from, terminal),
    }
}

/// Writes a solver into a folder; an empty name is the current one.
fn new_solver(
    folder: &str,
    language: Language,
    engine: bool,
    terminal: &Terminal,
) -> Result<Answer, Failure> {
    let files = solver_files(language, engine);
    let files: Vec<_> = files
        .into_iter()
        .map(|(name, text)| (Path::new(folder).join(name), text))
        .collect();
    let wrote = write_new(&files)?;
    let here = if folder.is_empty() {
        String::new()
    } else {
        format!(" in {folder}")
    };
    let place = if engine { "engine" } else { "step" };
    let last = format!(
        "`topsim judge`{here} judges it, and it passes as it is; put your {place} into {}\n",
        files[0].0.display()
    );
    Ok(told(wrote + &last, terminal))
}

/// Refuses a name that cannot be that of a case.
fn check_name(name: &str) -> Result<(), Failure> {
    if is_name(name) {
        return Ok(());
    }
    Err(Failure::Invalid(format!(
        "error: found the name `{}`; allowed: {NAMES_ALLOWED}, without a folder",
        clip(name, 40)
    )))
}

/// Writes a short case with two checks.
fn new_minimal_case(name: &str, terminal: &Terminal) -> Result<Answer, Failure> {
    check_name(name)?;
    let texts = [
        ("cases", include_str!("../../examples/minimal/case.toml")),
        (
            "expected",
            include_str!("../../examples/minimal/expected.toml"),
        ),
    ];
    let file = |(folder, text): (&str, &str)| {
        let path = PathBuf::from(format!("{folder}/{name}.toml"));
        (path, text.replacen("NAME", name, 1))
    };
    told_case(&texts.map(file), name, terminal)
}

/// Writes a copy of a case, of its tolerance file and of its baseline.
fn new_case(name: &str, from: &str, terminal: &Terminal) -> Result<Answer, Failure> {
    check_name(name)?;
    // This sees that the copied texts are valid.
    let selection = CaseArgs::of(vec![from.to_string()]);
    let (found, _) = find::load(&selection, Tolerances::Read, terminal)?;
    let [FoundCase { source, .. }] = &found[..] else {
        return Err(Failure::Invalid(format!(
            "error: --from: `{from}` holds several cases; allowed: one case"
        )));
    };
    let case = PathBuf::from(format!("cases/{name}.toml"));
    let mut files = vec![(case, case_text(name, from, &source.case.text))];
    if let Some(SourceText { text, .. }) = &source.expected {
        let path = format!("expected/{name}.toml");
        files.push((path.into(), tolerances_text(name, from, text)));
    }
    if let Some(SourceText { text, .. }) = &source.baseline {
        let path = format!("expected/{name}.baseline.csv");
        files.push((path.into(), text.clone()));
    }
    told_case(&files, name, terminal)
}

/// Writes the files of a new case and says how to run it.
fn told_case(
    files: &[(PathBuf, String)],
    name: &str,
    terminal: &Terminal,
) -> Result<Answer, Failure> {
    let wrote = write_new(files)?;
    let last = format!("`topsim run cases/{name}.toml` runs it\n");
    Ok(told(wrote + &last, terminal))
}

/// Writes files that are not there yet, all or none, and returns a line for each.
fn write_new(files: &[(PathBuf, String)]) -> Result<String, Failure> {
    // A link that leads nowhere must not be replaced either.
    let is_there = |path: &PathBuf| path.symlink_metadata().is_ok();
    if let Some((path, _)) = files.iter().find(|(path, _)| is_there(path)) {
        return Err(Failure::Invalid(format!(
            "error: {} is there already, and init replaces nothing; allowed: another NAME, or another folder",
            path.display()
        )));
    }
    let mut text = String::new();
    for (path, contents) in files {
        if let Some(folder) = path.parent().filter(|f| *f != Path::new("")) {
            whole_file::folder(folder)?;
        }
        whole_file::write_once(path, contents.as_bytes())?;
        text += &format!("wrote {}\n", path.display());
    }
    Ok(text)
}

/// Returns an answer that `--quiet` hides.
fn told(text: String, terminal: &Terminal) -> Answer {
    Answer::ok(if terminal.quiet { String::new() } else { text })
}

/// Returns the text of a case under another name, with comments that list the keys of its tables.
fn case_text(name: &str, from: &str, text: &str) -> String {
    let head = format!(
        "{name}: made from {from} by `topsim init`. Change what you like; a mistake is shown with its place. \
         `topsim schema case` describes every key, also those that are not listed here."
    );
    commented(&head, text, &case_schema())
}

/// Returns the text of a tolerance file for a case of another name.
fn tolerances_text(name: &str, from: &str, text: &str) -> String {
    let head = format!(
        "The checks of {name}: those of {from}, which hold for its body, start, torque, schemes and steps. When you \
         change these, take out the checks that no longer hold and write your own; `topsim list metrics` says what \
         can be measured. After a change that is meant, `topsim bless cases/{name}.toml --accept` renews the \
         baseline of checks of the kind \"regression\"."
    );
    let is_name =
        |line: &&str| matches!(line.split_once('='), Some((key, _)) if key.trim() == "case");
    // The first key of that name stands in the root table: no other table has it.
    let named = text.lines().find(is_name);
    let renamed = named.map(|line| text.replacen(line, &format!("case = \"{name}\""), 1));
    let schema = schema_of::<ToleranceFile>();
    commented(&head, renamed.as_deref().unwrap_or(text), &schema)
}

/// Returns a TOML text below a comment, with a comment above the first table of each name.
fn commented(head: &str, text: &str, schema: &Value) -> String {
    let mut out = comment(head, "");
    out.push('\n');
    let mut said: Vec<&str> = Vec::new();
    for line in text.lines() {
        let table = line.strip_prefix('[').map(|l| l.trim_start_matches('['));
        if let Some((table, _)) = table.and_then(|l| l.split_once(']'))
            && !said.contains(&table)
        {
            said.push(table);
            out += &about(schema, &schema["properties"][table]);
        }
        out += line;
        out.push('\n');
    }
    out
}

/// Returns a comment on the keys of a table, from the schema of its key.
fn about(schema: &Value, key: &Value) -> String {
    let references = [
        &key["$ref"],
        &key["anyOf"][0]["$ref"],
        &key["items"]["$ref"],
    ];
    let Some(name) = references.iter().find_map(|r| r.as_str()) else {
        return String::new();
    };
    let name = name.trim_start_matches("#/$defs/");
    let table = &schema["$defs"][name];
    let mut out = comment(&words(table), "");
    let one_of = table["oneOf"].as_array();
    for choice in one_of.into_iter().flatten() {
        let keys: Vec<&str> = properties(choice).map(|(key, _)| &**key).collect();
        // The key that tells the choices apart has a fixed value in each of them.
        let tag = properties(choice).find_map(|(k, p)| Some((k, p["const"].as_str()?)));
        let tag = tag.map_or(String::new(), |(k, v)| format!("{k} = \"{v}\": "));
        let about = format!("{tag}{} Keys: {}.", words(choice), keys.join(", "));
        out += &comment(&about, "  ");
    }
    for (key, property) in properties(table) {
        out += &comment(&format!("{key}: {}", words(property)), "  ");
    }
    out
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten()
}

/// Largest number of columns of a comment.
const COMMENT_WIDTH: u16 = 100;

/// Returns the lines of a comment.
fn comment(text: &str, indent: &str) -> String {
    let (first, later) = (format!("# {indent}"), format!("# {indent}  "));
    let later = if indent.is_empty() { "# " } else { &later };
    document::hanging(text, COMMENT_WIDTH, &first, later) + "\n"
}
