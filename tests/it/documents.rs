//! Tests that what the documents show is true: their commands print what stands below them, their files are valid, and their
//! links lead somewhere. A comment before a block says what it is: `file: NAME` is a file, `run: PROGRAM` are
//! commands with what they print, for which PROGRAM is needed.

use crate::support::{Folder, example, repository, repository_text};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use topsim_case::builtin::BUILTIN;
use topsim_core::integration::registry;

/// The blocks of a document with their comments.
fn blocks(page: &str) -> impl Iterator<Item = (&str, &str)> {
    page.split("<!-- ").skip(1).filter_map(|part| {
        let (comment, rest) = part.split_once(" -->\n")?;
        let block = rest.strip_prefix("```")?.split_once('\n')?.1;
        Some((comment, block.split("```").next()?))
    })
}

/// The block with this comment.
fn block(path: &str, comment: &str) -> String {
    let page = repository_text(path);
    let found = blocks(&page).find(|(c, _)| *c == comment);
    let found = found.unwrap_or_else(|| panic!("{path}: no block `{comment}`"));
    found.1.into()
}

/// Returns whether a line is the one shown, in which `…` stands for anything.
fn fits(line: &str, shown: &str) -> bool {
    match shown.split_once('…') {
        None => line == shown,
        Some((head, tail)) => {
            let rest = line.strip_prefix(head);
            rest.is_some_and(|rest| rest.ends_with(tail))
        }
    }
}

/// Holds what a command printed against what a document shows: these lines, in this order. Columns may be of any
/// width, and `…` stands for lines that are left out.
#[track_caller]
fn holds(shown: &str, printed: &str) {
    let words = |l: &str| l.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut rest = printed.lines().map(words);
    for line in shown.lines().map(words).filter(|l| l != "…") {
        let found = rest.any(|l| fits(&l, &line));
        assert!(
            found,
            "not printed, or not in this place: {line}\n{printed}"
        );
    }
}

/// Runs a command in a shell that finds `topsim`.
#[cfg(unix)]
fn shell(folder: &Path, command: &str) -> Output {
    let topsim = Path::new(env!("CARGO_BIN_EXE_topsim")).parent();
    let known = std::env::var_os("PATH").unwrap_or_default();
    let known = std::env::split_paths(&known);
    let all = std::env::join_paths(topsim.map(PathBuf::from).into_iter().chain(known)).unwrap();
    let mut shell = Command::new("sh");
    shell
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", all);
    shell.output().unwrap()
}

/// Does what a document says, from its first block to the last.
#[cfg(unix)]
fn works_as_typed(path: &str) {
    works_in(&Folder::empty(), path);
}

/// The same in a folder that has what the document speaks of.
#[cfg(unix)]
fn works_in(folder: &Folder, path: &str) {
    let page = repository_text(path);
    let mut commands = 0;
    for (comment, text) in blocks(&page) {
        if let Some(name) = comment.strip_prefix("file: ") {
            folder.write(name, text);
        } else if let Some(program) = comment.strip_prefix("run: ") {
            let found = shell(folder.path(), &format!("command -v {program}"));
            if !found.status.success() {
                println!("skipped: {path}: there is no {program}");
                return;
            }
            for part in format!("\n{text}").split("\n$ ").skip(1) {
                let (command, shown) = part.split_once('\n').unwrap_or((part, ""));
                let output = shell(folder.path(), command);
                let err = String::from_utf8_lossy(&output.stderr);
                let out = String::from_utf8_lossy(&output.stdout);
                holds(shown, &format!("{out}\n{err}"));
                commands += 1;
            }
        }
    }
    assert!(commands > 1, "{path} shows {commands} commands");
}

#[cfg(unix)]
#[test]
fn the_readme_works_as_typed() {
    works_as_typed("README.md");
}

#[cfg(unix)]
#[test]
fn the_python_tutorial_works_as_typed() {
    works_as_typed("docs/tutorials/python.md");
}

#[cfg(unix)]
#[test]
fn the_cpp_tutorial_works_as_typed() {
    works_as_typed("docs/tutorials/cpp.md");
}

#[cfg(unix)]
#[test]
fn judging_in_ci_works_as_typed() {
    let folder = Folder::with("judge.sh", &repository_text("docs/examples/judge.sh"));
    std::fs::copy(example("solver"), folder.join("my_solver")).unwrap();
    let path = "docs/judging-in-ci.md";
    works_in(&folder, path);
    let test = repository_text("docs/examples/test_rotation.py");
    assert!(repository_text(path).contains(&test));
}

#[cfg(unix)]
#[test]
fn the_page_on_given_rates_works_as_typed() {
    works_as_typed("docs/attitude-from-rate.md");
}

/// Its program is an example of the crate, and prints what is shown.
#[test]
fn the_rust_tutorial_works_as_typed() {
    let path = "docs/tutorials/rust.md";
    let program = repository_text("crates/topsim-judge/examples/tutorial.rs");
    assert_eq!(block(path, "file: src/main.rs"), program);
    let output = Command::new(example("tutorial")).output().unwrap();
    let shown = block(path, "run: cargo");
    let shown = shown.strip_prefix("$ cargo run --release\n").unwrap();
    holds(shown, &String::from_utf8(output.stdout).unwrap());
}

/// Tests which texts [`holds`] accepts and which it refuses.
#[test]
fn what_is_not_printed_is_noticed() {
    let printed = "order   1.00 measured (to 4e-15)\nsecond\n";
    holds("…\norder 1.00 measured (to …)\n…\nsecond\n", printed);
    for wrong in ["order 1.01 …", "second\norder …", "order 1.00", "…third"] {
        assert!(
            std::panic::catch_unwind(|| holds(wrong, printed)).is_err(),
            "{wrong}"
        );
    }
}

#[test]
fn the_files_shown_are_valid() {
    let file = "file: cases/my_top.toml";
    let studies = block("docs/studies.md", "append: cases/my_top.toml");
    let case = [block("docs/cases.md", file), studies].concat();
    let checks = block("docs/checks.md", "file: expected/my_top.toml");
    Folder::with("cases/my_top.toml", &case)
        .and("expected/my_top.toml", &checks)
        .expect(&["run", "cases/my_top.toml"], 0);
    Folder::with("cases/my_top.toml", &block("README.md", file))
        .expect(&["run", "cases/my_top.toml", "--no-checks"], 0);
}

#[test]
fn the_readme_is_short() {
    let readme = repository_text("README.md");
    let lines = readme.lines().count();
    assert!(lines <= 150, "{lines} lines");
    let long = readme.lines().find(|l| l.chars().count() > 100);
    assert_eq!(long, None);
}

#[test]
fn every_case_is_listed() {
    let (cases, schemes) = (BUILTIN.len(), registry::names().count());
    let readme = repository_text("README.md");
    let counts = format!("{schemes} schemes on {cases} problems");
    assert!(readme.contains(&counts), "{counts}");
    let page = repository_text("docs/cases.md");
    for case in BUILTIN {
        assert!(page.contains(&format!("`{}`", case.name)), "{}", case.name);
    }
    assert!(page.contains(&format!("{cases} built in")));
    let page = repository_text("docs/schemes.md");
    assert!(page.contains(&format!("{schemes} built-in schemes")));
    let counts = format!("{schemes} schemes on {cases} built-in cases");
    assert!(
        repository_text("CHANGELOG.md").contains(&counts),
        "{counts}"
    );
}

/// All files below a folder with one of these endings.
fn files_below(folder: &Path, endings: &[&str], out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with('.') || name == "target" || name == "results" {
            continue;
        }
        if path.is_dir() {
            files_below(&path, endings, out);
        } else if endings.iter().any(|e| name.ends_with(e)) {
            out.push(path);
        }
    }
}

/// All documents below a folder.
fn documents(folder: &Path, out: &mut Vec<PathBuf>) {
    files_below(folder, &[".md"], out);
}

/// The headings of a document as GitHub names them in links.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|l| l.starts_with('#'));
    let letters = |l: &str| -> String {
        let title = l.trim_start_matches('#').trim().to_lowercase();
        let kept = title
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(letters).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut pages = Vec::new();
    documents(&repository(""), &mut pages);
    let mut links = 0;
    for page in &pages {
        let text = std::fs::read_to_string(page).unwrap();
        // What stands in a block is no link.
        let prose: String = text.split("```").step_by(2).collect();
        for link in prose.split("](").skip(1) {
            let link = link.split(')').next().unwrap();
            if link.contains("://") {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = page.parent().unwrap().join(path);
            let target = if path.is_empty() { page } else { &target };
            assert!(target.exists(), "{}: {link}", page.display());
            if !anchor.is_empty() {
                let text = std::fs::read_to_string(target).unwrap();
                let there = anchors(&text).iter().any(|a| a == anchor);
                assert!(there, "{}: {link}", page.display());
            }
            links += 1;
        }
    }
    assert!(links > 100, "{links} links");
}

/// The names of the folders in a folder; none where there is no such folder.
fn folders_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let folders = entries
        .map(|e| e.unwrap().path())
        .filter(|path| path.is_dir());
    let names = folders.map(|path| path.file_name().unwrap().to_string_lossy().into_owned());
    names.collect()
}

/// Returns the folders in which paths of documents begin: the repository, a crate, or the sources of one.
fn roots() -> Vec<PathBuf> {
    let mut roots = vec![repository(""), repository("src")];
    for name in folders_in(&repository("crates")) {
        roots.push(repository(&format!("crates/{name}")));
        roots.push(repository(&format!("crates/{name}/src")));
    }
    roots
}

/// The paths of the repository that a document names between backticks, without places that a reader fills in.
fn named_paths<'a>(prose: &'a str, beginnings: &[String]) -> Vec<&'a str> {
    let quoted = prose.split('`').skip(1).step_by(2);
    let is_path = |q: &&str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
        let first = q.split('/').next().unwrap_or(q);
        let open = ["NAME", "ENGINE", "my_", ".venv"];
        q.contains('/')
            && q.chars().all(plain)
            && beginnings.iter().any(|b| b == first)
            && !open.iter().any(|o| q.contains(o))
    };
    quoted.filter(is_path).collect()
}

#[test]
fn paths_that_documents_name_are_there() {
    let roots = roots();
    let made_later = ["results", "target"];
    let mut beginnings: Vec<String> = roots.iter().flat_map(|r| folders_in(r)).collect();
    beginnings.retain(|b| !made_later.contains(&b.as_str()));
    let mut pages = Vec::new();
    documents(&repository(""), &mut pages);
    let (mut named, mut missing) = (0, Vec::new());
    // These name files of other packages.
    let others = ["docs/findings", "docs/gates", "docs/clamp.md"].map(repository);
    pages.retain(|page| !others.iter().any(|other| page.starts_with(other)));
    for page in &pages {
        let text = std::fs::read_to_string(page).unwrap();
        let prose: String = text.split("```").step_by(2).collect();
        for path in named_paths(&prose, &beginnings) {
            named += 1;
            if !roots.iter().any(|r| r.join(path).exists()) {
                missing.push(format!("{}: {path}", page.display()));
            }
        }
    }
    assert!(named > 100, "{named} paths");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Tests which words count as paths of the repository.
#[test]
fn paths_are_told_from_other_words() {
    let prose = "`src/text.rs` `src/NAME.rs` `km/h` `a src/b` `src/a b` `check/` and src/none.rs";
    let beginnings = ["src".to_string(), "check".to_string()];
    assert_eq!(named_paths(prose, &beginnings), ["src/text.rs", "check/"]);
}

/// The names of types, macros, constants and functions that a text has between backticks.
fn named_items(prose: &str) -> impl Iterator<Item = &str> {
    let quoted = prose.split('`').skip(1).step_by(2);
    let is_item = |q: &&str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_:!".contains(c);
        let in_rust = q.contains("::") || q.ends_with('!') || q.starts_with(char::is_uppercase);
        q.len() > 3 && q.chars().all(plain) && in_rust && !["NAME", "PROGRAM"].contains(q)
    };
    quoted
        .filter(is_item)
        .map(|q| q.trim_end_matches('!').rsplit("::").next().unwrap_or(q))
}

#[test]
fn items_that_documents_for_developers_name_are_there() {
    let mut files = Vec::new();
    files_below(&repository(""), &[".rs", ".h", ".py", ".toml"], &mut files);
    let mut words = std::collections::HashSet::new();
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let parts = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        words.extend(parts.map(String::from));
    }
    let mut pages = vec![repository("ARCHITECTURE.md"), repository("CONTRIBUTING.md")];
    documents(&repository("docs/science"), &mut pages);
    let (mut named, mut missing) = (0, Vec::new());
    for page in &pages {
        let text = std::fs::read_to_string(page).unwrap();
        let prose: String = text.split("```").step_by(2).collect();
        for item in named_items(&prose) {
            named += 1;
            if !words.contains(item) {
                missing.push(format!("{}: {item}", page.display()));
            }
        }
    }
    assert!(named > 30, "{named} items");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Sources are documents of the repository or published ones, never notes that a reader cannot have.
#[test]
fn no_file_cites_notes_that_nobody_can_read() {
    let mut files = Vec::new();
    files_below(&repository(""), &[".rs", ".md", ".toml", ".py"], &mut files);
    let unread = [
        "project's notes",
        "validation notes",
        "the notes have",
        "of the notes",
    ];
    for file in files
        .iter()
        .filter(|f| !f.ends_with("tests/it/documents.rs"))
    {
        let text = std::fs::read_to_string(file).unwrap();
        let cited = unread.iter().find(|words| text.contains(**words));
        assert_eq!(cited, None, "{}", file.display());
    }
}
