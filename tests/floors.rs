//! A file may import only from its own floor or lower ones.

use std::path::{Path, PathBuf};

const FLOORS: [&str; 10] = [
    "math",
    "models",
    "schemes",
    "reference",
    "drive",
    "analysis",
    "cases",
    "runner",
    "output",
    "cli",
];

fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

fn floor(name: &str) -> Option<usize> {
    FLOORS.iter().position(|f| *f == name)
}

/// Modules named after `crate::` (also inside braces) in a line of code.
fn imports(line: &str) -> Vec<String> {
    let code = line.split("//").next().unwrap_or_default();
    let mut out = Vec::new();
    for (i, _) in code.match_indices("crate::") {
        let rest = &code[i + "crate::".len()..];
        let group = rest
            .strip_prefix('{')
            .map_or(rest, |r| r.split('}').next().unwrap_or(r));
        let names: Vec<&str> = if rest.starts_with('{') {
            group.split(',').collect()
        } else {
            vec![group]
        };
        for name in names {
            let word: String = name
                .trim()
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            out.push(word);
        }
    }
    out
}

fn violations(floor_of_file: usize, text: &str) -> Vec<String> {
    text.lines()
        .flat_map(imports)
        .filter(|m| floor(m).is_some_and(|f| f > floor_of_file))
        .collect()
}

#[test]
fn no_file_imports_a_higher_floor() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    let mut bad = Vec::new();
    for (n, name) in FLOORS.iter().enumerate() {
        let mut found = Vec::new();
        files(&src.join(name), &mut found);
        assert!(!found.is_empty(), "no files on the floor {name}");
        for path in found {
            let text = std::fs::read_to_string(&path).unwrap();
            seen += 1;
            for m in violations(n, &text) {
                bad.push(format!("{} imports crate::{m}", path.display()));
            }
        }
    }
    assert!(seen > 30, "{seen} files");
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn the_scan_sees_a_violation() {
    assert_eq!(violations(0, "use crate::drive::Run;"), ["drive"]);
    assert_eq!(
        violations(4, "use crate::{math::Vec3, runner::execute};"),
        ["runner"]
    );
    assert!(violations(4, "use crate::drive::Run; // crate::cli").is_empty());
}

#[test]
fn nothing_prints_below_the_runner() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for name in &FLOORS[..7] {
        let mut found = Vec::new();
        files(&src.join(name), &mut found);
        for path in found {
            let text = std::fs::read_to_string(&path).unwrap();
            for banned in [
                "println!",
                "eprintln!",
                "Instant::now",
                "SystemTime",
                "HashMap",
                "std::fs",
            ] {
                let used = text.lines().any(|l| {
                    let code = l.split("//").next().unwrap_or_default();
                    code.contains(banned)
                });
                assert!(!used, "{} uses {banned}", path.display());
            }
        }
    }
}
