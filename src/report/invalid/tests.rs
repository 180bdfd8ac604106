use super::*;
use proptest::prelude::*;
use serde_json::json;
use strict_toml::TomlDocument;

const GOOD: &str =
    "title = \"Top\"\nreferences = [\"a\", \"b\"]\n[run]\nend = 10.0\nsteps = [0.001, 0.003]\n";

fn open(text: &str) -> Result<TomlDocument, InvalidFile> {
    let strings = json!({ "type": "array", "items": { "type": "string" } });
    let run = json!({
        "type": "object",
        "properties": {
            "end": { "type": "number", "exclusiveMinimum": 0.0 },
            "steps": { "type": "array", "items": { "type": "number" }, "minItems": 1 },
        },
        "required": ["end", "steps"],
        "additionalProperties": false,
    });
    let schema = json!({
        "type": "object",
        "properties": { "title": { "type": "string" }, "references": strings, "run": run },
        "required": ["title", "run"],
        "additionalProperties": false,
    });
    TomlDocument::open("case.toml", text, &schema)
}

/// Returns the good file with one piece replaced, as it is reported.
fn told(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from:?} is not in the file");
    refused(&GOOD.replacen(from, to, 1))
}

fn refused(text: &str) -> String {
    render(&open(text).expect_err("must be refused"), false, 100)
}

#[test]
fn faults_are_underlined() {
    insta::assert_snapshot!(told("10.0", "\"fast\"\nsample = 1"), @r#"
    case.toml:4:7: run.end: found the string "fast"
       ╭────
     4 │ end = "fast"
       ·       ──────
       ╰────
      allowed: a number greater than 0

    case.toml:5:1: run.sample: unknown key `sample`
       ╭────
     5 │ sample = 1
       · ──────
       ╰────
      allowed: the keys `end`, `steps`

    2 problems in case.toml
    "#);
    insta::assert_snapshot!(told("\"b\"]", "\"é日本\u{301}\", 3]"), @r#"
    case.toml:2:28: references[2]: found the integer 3
       ╭────
     2 │ references = ["a", "é日本́", 3]
       ·                             ─
       ╰────
      allowed: a string

    1 problem in case.toml
    "#);
    insta::assert_snapshot!(refused("<html>\n  hello world\n</html>\n"), @r#"
    case.toml:1:1: not TOML: invalid unquoted key
       ╭────
     1 │ <html>
       · ─
       ╰────
      allowed: letters, numbers, `-`, `_`

    case.toml:2:9: not TOML: key with no value
       ╭────
     2 │   hello world
       ·         ─
       ╰────
      allowed: `=`

    case.toml:3:8: not TOML: key with no value
       ╭────
     3 │ </html>
       ·        ─
       ╰────
      allowed: `=`

    3 problems in case.toml
    "#);
    insta::assert_snapshot!(refused(""), @r#"
    case.toml:1:1: run: missing key `run`
      allowed: a table with the keys `end`, `steps`

    case.toml:1:1: title: missing key `title`
      allowed: a string

    2 problems in case.toml
    "#);
}

#[test]
fn rules_point_at_keys() {
    let document = open(GOOD).expect("good");
    let file = document.reject(vec![
        document.fault("run.sample", "no sampling", "a number"),
        document.fault("run.steps[1]", "too long a step", "steps below 0.002"),
    ]);
    insta::assert_snapshot!(render(&file, false, 100), @r#"
    case.toml:3:2: run.sample: no sampling
       ╭────
     3 │ [run]
       ·  ───
       ╰────
      allowed: a number

    case.toml:5:17: run.steps[1]: too long a step
       ╭────
     5 │ steps = [0.001, 0.003]
       ·                 ─────
       ╰────
      allowed: steps below 0.002

    2 problems in case.toml
    "#);
    let colored = render(&file, true, 100);
    assert!(
        colored.starts_with("\u{1b}[1mcase.toml:3:2: run.sample: no sampling\u{1b}[0m\n"),
        "{colored}"
    );
}

#[test]
fn what_is_allowed_is_wrapped() {
    let document = open(GOOD).expect("good");
    let fault = document.fault("title", "a name", "one two three four five six seven eight");
    let file = document.reject(vec![fault]);
    // Forty columns are the least.
    insta::assert_snapshot!(render(&file, false, 1), @r#"
    case.toml:1:9: title: a name
       ╭────
     1 │ title = "Top"
       ·         ─────
       ╰────
      allowed: one two three four five six
               seven eight

    1 problem in case.toml
    "#);
}

#[test]
fn a_file_of_another_format_has_no_text_to_show() {
    let file = InvalidFile::plain("a.csv", "no header");
    assert_eq!(
        render(&file, false, 80),
        "a.csv:1:1: no header\n\n1 problem in a.csv\n"
    );
}

#[test]
fn long_files_stay_readable() {
    let line = format!("title = 1{}\n", " # é".repeat(100_000));
    assert!(refused(&line).len() < 2_000);
    let many: String = (0..200).map(|i| format!("k{i} = 1\n")).collect();
    let shown = refused(&many);
    assert!(
        shown.ends_with("202 problems in case.toml (the first 50 are shown)\n"),
        "{shown}"
    );
    for deep in [
        "x = ".to_owned() + &"[".repeat(100_000),
        "x = ".to_owned() + &"{a=".repeat(100_000),
        format!("[{}]", vec!["a"; 100_000].join(".")),
        "= é ]\n".repeat(50_000),
        "= é ] ".repeat(50_000),
        format!("x = [{}]", "1 ".repeat(50_000)),
        "\"\u{0}\u{1b}[31m\" = 1".to_owned(),
    ] {
        let shown = refused(&deep);
        assert!(shown.len() < 60_000 && !shown.contains('\u{1b}'));
    }
}

fn is_drawn(text: &str) -> Result<(), TestCaseError> {
    if let Err(file) = open(text) {
        let drawn = render(&file, false, 80);
        prop_assert_eq!(&drawn, &render(&file, false, 80));
        let first = drawn.lines().next();
        prop_assert!(first.is_some_and(|l| l.starts_with("case.toml:")));
        prop_assert!(!drawn.contains("Failed to read"));
        render(&file, true, 0);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_drawn(text in any::<String>()) {
        is_drawn(&text)?;
    }

    #[test]
    fn any_change_is_drawn(at in any::<prop::sample::Index>(), cut in 0..12usize, piece in any::<String>()) {
        let mut text = GOOD.to_owned();
        let from = text.floor_char_boundary(at.index(text.len() + 1));
        let to = text.ceil_char_boundary((from + cut).min(text.len()));
        text.replace_range(from..to, &piece);
        is_drawn(&text)?;
    }
}
