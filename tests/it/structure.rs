//! The top-level modules of a crate use each other in one direction only, as the crates do.
//!
//! A module uses another where its text has a path to it: `crate::other`, `super::other` from the right depth, a
//! group of these, or a name that `lib.rs` re-exports from it. Tests are not read.

use crate::support::{repository, repository_text};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

/// A source file: its path below `src`, and its text.
pub type SourceFile = (String, String);

/// Modules that use each other, and the uses between them with the files that have them.
#[derive(Debug)]
struct Circle {
    modules: Vec<String>,
    uses: Vec<String>,
}

impl fmt::Display for Circle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (modules, uses) = (self.modules.join(", "), self.uses.join("\n  "));
        write!(f, "{modules} use each other:\n  {uses}")
    }
}

/// Returns the words and signs of a Rust text, without comments, strings and characters.
pub fn tokens(text: &str) -> Vec<&str> {
    let (bytes, mut at, mut out) = (text.as_bytes(), 0, Vec::new());
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80;
    let find = |from: usize, what: &str| {
        let found = text.get(from..).and_then(|t| t.find(what));
        found.map_or(text.len(), |i| from + i + what.len())
    };
    while at < bytes.len() {
        let rest = &text[at..];
        if rest.starts_with("//") {
            at = find(at, "\n");
        } else if rest.starts_with("/*") {
            at = find(at, "*/");
        } else if rest.starts_with("::") {
            out.push("::");
            at += 2;
        } else if rest.starts_with('"') {
            at += 1;
            while at < bytes.len() && bytes[at] != b'"' {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            at += 1;
        } else if rest.starts_with("'\\") {
            at = find(at + 3, "'");
        } else if rest.starts_with('\'') {
            let after = rest.chars().nth(1).map_or(1, |c| 1 + c.len_utf8());
            at += if rest.get(after..after + 1) == Some("'") {
                after + 1
            } else {
                1
            };
        } else if is_word(&bytes[at]) {
            let end = bytes[at..].iter().position(|b| !is_word(b));
            let word = &rest[..end.unwrap_or(rest.len())];
            at += word.len();
            let hashes = text[at..].len() - text[at..].trim_start_matches('#').len();
            if word.ends_with('r') && text[at + hashes..].starts_with('"') && word.len() <= 2 {
                at = find(at + hashes + 1, &format!("\"{}", "#".repeat(hashes)));
            } else {
                out.push(word);
            }
        } else {
            if !bytes[at].is_ascii_whitespace() {
                out.push(&text[at..=at]);
            }
            at += 1;
        }
    }
    out
}

/// Returns the place behind the bracket that closes the one at `open`.
fn closed(tokens: &[&str], open: usize) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match *token {
            "{" | "[" | "(" => depth += 1,
            "}" | "]" | ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i + 1;
        }
    }
    tokens.len()
}

/// Leaves out the items that stand under `#[cfg(test)]` or `#[cfg(all(test, …))]`.
pub fn without_tests<'a>(tokens: &[&'a str]) -> Vec<&'a str> {
    let (mut out, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let attribute = tokens[at..].strip_prefix(&["#", "[", "cfg", "("]);
        let is_test = attribute.is_some_and(|rest| {
            rest.starts_with(&["test"]) || rest.starts_with(&["all", "(", "test"])
        });
        if !is_test {
            out.push(tokens[at]);
            at += 1;
            continue;
        }
        while tokens.get(at) == Some(&"#") {
            at = closed(tokens, at + 1);
        }
        while at < tokens.len() {
            at = match tokens[at] {
                "(" | "[" => closed(tokens, at),
                "{" => {
                    at = closed(tokens, at);
                    break;
                }
                ";" => {
                    at += 1;
                    break;
                }
                _ => at + 1,
            };
        }
    }
    out
}

/// Returns the first names of the paths that begin at `at`: of one path, or of each in a group.
fn first_names<'a>(tokens: &[&'a str], at: usize) -> Vec<&'a str> {
    if tokens.get(at) != Some(&"{") {
        return tokens.get(at).copied().into_iter().collect();
    }
    let (end, mut i, mut out) = (closed(tokens, at), at + 1, Vec::new());
    while i < end {
        if tokens[i] == "{" {
            i = closed(tokens, i);
            continue;
        }
        if matches!(tokens[i - 1], "{" | ",") {
            out.push(tokens[i]);
        }
        i += 1;
    }
    out
}

/// Returns the names that a file asks of the root of its crate, which is `depth` modules above its own.
fn root_names<'a>(tokens: &[&'a str], depth: usize) -> Vec<&'a str> {
    let (mut out, mut inline, mut braces, mut at) = (Vec::new(), Vec::new(), 0, 0);
    while at < tokens.len() {
        let starts_path = at == 0 || tokens[at - 1] != "::";
        match tokens[at] {
            "mod" if tokens.get(at + 2) == Some(&"{") => inline.push(braces),
            "{" => braces += 1,
            "}" => {
                braces -= 1;
                inline.pop_if(|opened| *opened == braces);
            }
            "crate" if starts_path && tokens.get(at + 1) == Some(&"::") => {
                out.extend(first_names(tokens, at + 2));
            }
            "super" if starts_path => {
                let parts = tokens[at..].chunks(2);
                let ups = parts.take_while(|p| *p == ["super", "::"]).count();
                if ups == depth + inline.len() {
                    out.extend(first_names(tokens, at + 2 * ups));
                }
            }
            _ => {}
        }
        at += 1;
    }
    out
}

/// Returns the module that each name comes from which `lib.rs` re-exports.
fn re_exports<'a>(lib: &[&'a str], modules: &BTreeSet<String>) -> BTreeMap<&'a str, &'a str> {
    let mut out = BTreeMap::new();
    for at in (0..lib.len()).filter(|i| lib[*i] == "use") {
        let end = lib[at..].iter().position(|t| *t == ";");
        let path = &lib[at + 1..end.map_or(lib.len(), |e| at + e)];
        let from = path.iter().find(|t| !["crate", "self", "::"].contains(t));
        if let Some(from) = from.filter(|f| modules.contains(**f)) {
            let ends = path.iter().zip(path.iter().skip(1).chain([&"}"]));
            let names = ends.filter(|(_, next)| matches!(**next, "}" | ","));
            out.extend(names.map(|(name, _)| (*name, *from)));
        }
    }
    out
}

/// The top-level module that a file belongs to.
fn top_level(path: &str) -> String {
    let top = path.split('/').next().unwrap_or(path);
    top.trim_end_matches(".rs").to_string()
}

/// Which module uses which other, and the files that have the uses.
type Uses = BTreeMap<(String, String), BTreeSet<String>>;

/// Returns the uses between the top-level modules of a crate.
fn uses(files: &[SourceFile]) -> Uses {
    let is_root = |path: &str| matches!(path, "lib.rs" | "main.rs");
    let inner = files.iter().filter(|(path, _)| !is_root(path));
    let modules: BTreeSet<String> = inner.clone().map(|(path, _)| top_level(path)).collect();
    let lib = files.iter().find(|(path, _)| path == "lib.rs");
    let lib = lib.map_or(Vec::new(), |(_, text)| without_tests(&tokens(text)));
    let re_exported = re_exports(&lib, &modules);

    let mut uses = Uses::new();
    for (path, text) in inner {
        let me = top_level(path);
        let depth = path.split('/').count() - usize::from(path.ends_with("/mod.rs"));
        for name in root_names(&without_tests(&tokens(text)), depth) {
            let others: Vec<&str> = match name {
                "*" => re_exported.values().copied().collect(),
                _ if modules.contains(name) => vec![name],
                _ => re_exported.get(name).copied().into_iter().collect(),
            };
            for other in others.into_iter().filter(|other| *other != me) {
                let files = uses.entry((me.clone(), other.into())).or_default();
                files.insert(path.clone());
            }
        }
    }
    uses
}

/// Detects the circles of modules in a crate.
fn circles(files: &[SourceFile]) -> Vec<Circle> {
    let uses = uses(files);
    let modules: BTreeSet<&String> = uses.keys().flat_map(|(user, used)| [user, used]).collect();
    let reached = |from: &str| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from.to_string()]);
        while let Some(at) = next.pop() {
            let steps = uses.keys().filter(|(user, _)| *user == at);
            next.extend(
                steps
                    .map(|(_, used)| used.clone())
                    .filter(|u| seen.insert(u.clone())),
            );
        }
        seen
    };
    let reach: BTreeMap<&String, BTreeSet<String>> =
        modules.iter().map(|m| (*m, reached(m))).collect();
    let mut found: BTreeSet<Vec<String>> = BTreeSet::new();
    for module in modules.into_iter().filter(|m| reach[m].contains(*m)) {
        let members = reach[module].iter().filter(|m| reach[m].contains(module));
        found.insert(members.cloned().collect());
    }
    let circle = |modules: Vec<String>| {
        let within = uses
            .iter()
            .filter(|((user, used), _)| modules.contains(user) && modules.contains(used));
        let text = |((user, used), files): (&(String, String), &BTreeSet<String>)| {
            let files: Vec<_> = files.iter().map(String::as_str).collect();
            format!("{user} uses {used} in {}", files.join(", "))
        };
        let uses = within.map(text).collect();
        Circle { modules, uses }
    };
    found.into_iter().map(circle).collect()
}

/// Reads the source files below a folder, without those that are tests.
pub fn read(folder: &Path, below: &str, out: &mut Vec<SourceFile>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let is_test = ["tests", "tests.rs", "testbed", "testbed.rs", "snapshots"];
        if is_test.contains(&name.as_str()) || name.ends_with("_tests.rs") {
            continue;
        }
        if path.is_dir() {
            read(&path, &format!("{below}{name}/"), out);
        } else if name.ends_with(".rs") {
            out.push((
                format!("{below}{name}"),
                std::fs::read_to_string(&path).unwrap(),
            ));
        }
    }
}

#[test]
fn modules_use_each_other_in_one_direction() {
    let crates = std::fs::read_dir(repository("crates")).unwrap();
    let crates = crates.map(|c| c.unwrap().file_name().to_string_lossy().into_owned());
    let crates = crates.map(|name| format!("crates/{name}/src"));
    let mut crates: Vec<String> = crates.chain(["src".into(), "xtask/src".into()]).collect();
    crates.retain(|c| repository(c).exists());
    crates.sort();
    let mut wrong = Vec::new();
    for name in &crates {
        let mut files = Vec::new();
        read(&repository(name), "", &mut files);
        wrong.extend(circles(&files).iter().map(|c| format!("{name}: {c}")));
    }
    assert!(crates.len() > 8, "{crates:?}");
    assert!(
        wrong.is_empty(),
        "modules in circles:\n{}",
        wrong.join("\n")
    );
}

/// Returns the circles of a made-up crate.
fn circles_of(files: &[(&str, &str)]) -> Vec<Circle> {
    let files: Vec<SourceFile> = files
        .iter()
        .map(|(path, text)| ((*path).into(), (*text).into()))
        .collect();
    circles(&files)
}

#[test]
fn a_circle_is_found() {
    let found = circles_of(&[
        ("lib.rs", "mod a; mod b; mod c; mod d;"),
        ("a.rs", "use crate::{d::{self, b}, b::{B, C}};"),
        ("b/mod.rs", "mod inner;"),
        (
            "b/inner/deep.rs",
            "fn f() { super::super::super::c::g(); super::super::d() }",
        ),
        (
            "c.rs",
            "mod within { use super::super::{x, a::A}; use super::d; }",
        ),
        ("d.rs", ""),
    ]);
    let [circle] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(circle.modules, ["a", "b", "c"]);
    let uses = [
        "a uses b in a.rs",
        "b uses c in b/inner/deep.rs",
        "c uses a in c.rs",
    ];
    assert_eq!(circle.uses, uses);
    let said = circle.to_string();
    assert!(said.starts_with("a, b, c use each other:\n  a uses b in a.rs"));
}

#[test]
fn a_circle_by_way_of_a_re_export_is_found() {
    let lib = "pub mod a; mod b; pub use crate::b::{inner::Inner, Long as Short}; pub use b::B;";
    for name in ["B", "Short", "{other::X, Inner}", "*"] {
        let a = format!("use crate::{name};");
        let found = circles_of(&[("lib.rs", lib), ("a.rs", &a), ("b.rs", "use crate::a::A;")]);
        assert_eq!(found.len(), 1, "{name}");
    }
    let found = circles_of(&[
        ("lib.rs", lib),
        ("a.rs", "use crate::Long;"),
        ("b.rs", "use crate::a::A;"),
    ]);
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn what_is_no_circle_is_not_reported() {
    let a = r##"
        //! Used by [`crate::b`]; /* crate::b */
        #[cfg(test)]
        #[path = "x.rs"]
        mod tests { use crate::b::B; }
        #[cfg(all(test, unix))]
        use crate::b::{B, C};
        const TEXT: &str = "crate::b";
        const RAW: &str = r#"" crate::b "#;
        const SIGNS: [char; 3] = ['"', '\'', '{'];
        fn f<'a>(text: &'a str) -> other::b::B {}
    "##;
    let files = [
        ("lib.rs", ""),
        ("a.rs", a),
        ("b.rs", "use crate::a::A; use super::a;"),
    ];
    let found = circles_of(&files);
    assert!(found.is_empty(), "{found:?}");
    // The same without the signs that hide the uses.
    let bare = a.replace("#[cfg(test)]", "");
    assert_eq!(circles_of(&[files[0], ("a.rs", &bare), files[2]]).len(), 1);
}

/// The lines of the block of ARCHITECTURE.md that has this text.
fn block_with(text: &str) -> Vec<String> {
    let page = repository_text("ARCHITECTURE.md");
    let block = page
        .split("```text\n")
        .find(|b| b.split("```").next().unwrap().contains(text));
    let block = block.unwrap_or_else(|| panic!("ARCHITECTURE.md has no block with {text}"));
    let block = block.split("```").next().unwrap();
    block.lines().map(String::from).collect()
}

/// The crates of the workspace that a crate depends on.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let table: toml::Table = repository_text(manifest).parse().unwrap();
    let own = |name: &&String| {
        name.starts_with("topsim")
            || [
                "strict-toml",
                "whole-file",
                "wrong-solvers",
                "document",
                "tiles",
            ]
            .contains(&name.as_str())
    };
    let names = table["dependencies"].as_table().unwrap().keys();
    names.filter(own).cloned().collect()
}

#[test]
fn the_page_has_the_dependencies_of_each_crate() {
    let mut told = BTreeMap::new();
    for line in block_with("topsim-c  ") {
        let (name, uses) = line.split_once('→').unwrap_or_else(|| panic!("{line}"));
        let uses = uses.split(',').map(|u| u.trim().to_string());
        let uses: BTreeSet<String> = uses.filter(|u| !u.is_empty()).collect();
        told.insert(name.trim().to_string(), uses);
    }
    let crates = std::fs::read_dir(repository("crates")).unwrap();
    let crates = crates.map(|c| c.unwrap().file_name().to_string_lossy().into_owned());
    let mut found = BTreeMap::from([("topsim".into(), dependencies("Cargo.toml"))]);
    found.extend(crates.map(|name| {
        let uses = dependencies(&format!("crates/{name}/Cargo.toml"));
        (name, uses)
    }));
    assert_eq!(told, found);
}

/// Holds the order of the modules of a crate, as a line of ARCHITECTURE.md has it: each uses those before it.
#[track_caller]
fn has_the_order_of(folder: &str, line: &str) {
    let line = block_with(line).join(" ");
    let order: Vec<&str> = line.split('▶').map(str::trim).collect();
    let mut files = Vec::new();
    read(&repository(folder), "", &mut files);
    let mut modules: BTreeSet<String> = files.iter().map(|(path, _)| top_level(path)).collect();
    modules.retain(|m| !["lib", "main"].contains(&m.as_str()));
    let named: BTreeSet<String> = order.iter().map(|m| m.to_string()).collect();
    assert_eq!(named, modules);
    let place = |module: &str| order.iter().position(|m| *m == module).unwrap();
    for ((user, used), files) in uses(&files) {
        assert!(
            place(&used) < place(&user),
            "{user} uses {used} in {files:?}"
        );
    }
}

#[test]
fn the_page_has_the_order_of_the_modules() {
    has_the_order_of("src", "▶  cli");
    has_the_order_of("crates/topsim-judge/src", "▶  show");
}
