//! Mistakes in files, and their messages.

mod any_text;
mod mirror;
mod schemas;

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Excerpt, FaultKind, Faults, InvalidFile, TomlDocument};
use mirror::{Case, Loose};

const GOOD: &str = r#"title = "Heavy top"
references = ["a", "b"]
[body]
inertia = [5.0, 5, 1.0]
[torque]
model = "gravity"
weight = 20
lever = [0.0, 0.0, 1.0]
[run]
end = 10.0
steps = [0.001, 0.003]
schemes = ["rig_pos", { name = "rig_imp", tolerance = 1e-9 }]
[[check]]
tolerance = 1e-3
metric = { kind = "value_at", quantity = "H", time = 1.0 }
[[check]]
tolerance = 0.1
runs = "rig_*"
[check.metric]
kind = "range"
between = [1.8, 2.2]
count = 2
"#;

fn read(text: &str) -> Result<(Case, TomlDocument), InvalidFile> {
    TomlDocument::read("case.toml", text)
}

/// Returns the good file with one piece replaced, as it is reported.
fn told(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from:?} is not in the file");
    refused(&GOOD.replacen(from, to, 1))
}

fn refused(text: &str) -> String {
    quoted(&read(text).expect_err("must be refused"))
}

/// The lines of the display, each with the text it is about, underlined, and the kind of the fault.
fn quoted(file: &InvalidFile) -> String {
    let mut out = String::new();
    let display = file.to_string();
    let mut lines = display.lines();
    for (fault, line) in file.faults().iter().zip(&mut lines) {
        let _ = writeln!(out, "{line}");
        if let Some(span) = &fault.span {
            let excerpt = Excerpt::new(file.text(), span, 88);
            let (text, mark) = (&*excerpt.text, excerpt.mark.clone());
            let (before, marked) = (text[..mark.start].chars(), text[mark].chars());
            let (before, marked) = (" ".repeat(before.count()), "^".repeat(marked.count()));
            let _ = writeln!(out, "    {}\n    {before}{marked}", text.trim_end());
        }
        let _ = writeln!(out, "    {:?}", fault.kind);
    }
    out.extend(lines);
    out
}

#[test]
fn a_good_file_is_read() {
    let (case, document) = read(GOOD).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(case.title, "Heavy top");
    assert_eq!(document.line_of("check[1].metric.between"), Some(21));
    assert_eq!(document.line_of("check[1].nothing.here"), Some(16));
    assert_eq!(document.line_of("body"), Some(3));
    assert_eq!(document.line_of("nothing"), None);
    let full = GOOD.replace("[5.0, 5, 1.0]", "[[5, 0, 0], [0, 5, 0], [0, 0, 1]]");
    assert!(read(&full).is_ok());
    assert!(read(&format!("\u{feff}{}", GOOD.replace('\n', "\r\n"))).is_ok());
}

#[test]
fn typical_mistakes() {
    insta::assert_snapshot!("unknown_key_top", told("title", "author = \"me\"\ntitle"));
    insta::assert_snapshot!("misspelt_key_nested", told("weight = 20", "wieght = 20"));
    insta::assert_snapshot!("wrong_type", told("end = 10.0", "end = \"fast\""));
    insta::assert_snapshot!("out_of_bounds", told("end = 10.0", "end = 0"));
    insta::assert_snapshot!("missing_key", told("inertia = [5.0, 5, 1.0]", ""));
    insta::assert_snapshot!("missing_table", told("[run]", "[ran]"));
    insta::assert_snapshot!("wrong_length", told("[5.0, 5, 1.0]", "[5.0, 5.0]"));
    insta::assert_snapshot!(
        "wrong_matrix",
        told("[5.0, 5, 1.0]", "[[5, 0, 0], [0, 5], [0, \"x\", 1]]")
    );
    insta::assert_snapshot!("unknown_tag", told("\"gravity\"", "\"gravty\""));
    insta::assert_snapshot!("missing_tag", told("model = \"gravity\"", ""));
    insta::assert_snapshot!(
        "unknown_enum",
        told("[torque]", "frame = \"Space\"\n[torque]")
    );
    insta::assert_snapshot!("not_finite", told("0.003]", "nan, -inf, 1e999]"));
    insta::assert_snapshot!("a_date", told("\"Heavy top\"", "1979-05-27"));
    insta::assert_snapshot!(
        "duplicate_key",
        told("weight = 20", "weight = 20\nweight = 21")
    );
    insta::assert_snapshot!("unterminated_string", told("\"gravity\"", "\"gravity"));
    insta::assert_snapshot!(
        "neither_of_untagged",
        told("\"rig_pos\", {", "3, { nme = 1,")
    );
    insta::assert_snapshot!("wide_text", told("\"b\"]", "\"é日本\u{301}\", 3]"));
    insta::assert_snapshot!("empty_file", refused(""));
    insta::assert_snapshot!("not_toml", refused("<html>\n  hello world\n</html>\n"));
}

#[test]
fn several_at_once() {
    let text = GOOD
        .replace("weight = 20", "weight = [20]\ncolour = nan")
        .replace("end = 10.0", "ende = 10.0")
        .replace("count = 2", "count = 300")
        .replace("\"value_at\"", "\"value\"");
    insta::assert_snapshot!("several_at_once", refused(&text));
    insta::assert_snapshot!(
        "before_syntax_error",
        refused(&text.replace("\"rig_*\"", "rig"))
    );
}

#[test]
fn rules_point_at_keys() {
    let (_, document) = read(GOOD).expect("good");
    let mut faults = Faults::new(&document);
    assert!(faults.is_empty() && faults.clone().into_result().is_ok());
    faults.add("run.steps[1]", "too long a step", "steps below 0.002");
    faults.add("run.sample", "no sampling", "a number");
    faults.add("", "no check", "");
    assert_eq!(faults.list.len(), 3);
    let file = faults.into_result().expect_err("rules are broken");
    assert!(file.faults().iter().all(|f| f.kind == FaultKind::Rule));
    insta::assert_snapshot!("rules", quoted(&file));
    assert_eq!(document.text_of("run.steps[1]"), Some("0.003"));
    assert_eq!(document.text_of("run.sample"), None);
    assert_eq!((document.name(), document.text()), ("case.toml", GOOD));
}

#[test]
fn many_faults_are_counted() {
    let many: String = (0..200).map(|i| format!("k{i} = 1\n")).collect();
    let shown = read(&many).expect_err("refused").to_string();
    assert_eq!(shown.lines().count(), crate::SHOWN + 1);
    assert!(
        shown.ends_with("\n203 problems in case.toml (the first 50 are shown)"),
        "{shown}"
    );
    let plain = InvalidFile::plain("a.csv", "no header\u{1b}[0m");
    assert_eq!(plain.to_string(), "a.csv:1:1: no header\u{fffd}[0m");
    assert_eq!(plain.summary(), "1 problem in a.csv");
    assert_eq!(plain.faults()[0].kind, FaultKind::File);
}

#[test]
fn other_shapes() {
    let good = "scale = 1\nmodel = 'two-well'\ndepth = 2\nevery = 'space'\n[other]\nmodel = 'none'\n[each]\na = 'body'\n";
    let read = |text: &str| TomlDocument::read::<Loose>("loose.toml", text);
    assert!(
        read(good).is_ok(),
        "{:?}",
        read(good).err().map(|e| e.to_string())
    );
    for every in ["1", "2.5", "true", "'body'"] {
        assert!(read(&good.replace("'space'", every)).is_ok(), "{every}");
    }
    let bad = good
        .replace("= 2", "= -2")
        .replace("'space'", "'spice'")
        .replace("'none'", "'nine'");
    let bad = bad
        .replace("'body'", "1")
        .replace("scale = 1", "count = 128\nbig = 0xffffffffffffffffffff");
    let file = read(&bad).expect_err("all wrong");
    insta::assert_snapshot!("other_shapes", quoted(&file));
}

#[test]
fn what_only_serde_sees_is_told() {
    fn never<'de, D: serde::Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
        f64::deserialize(d)?;
        Err(serde::de::Error::custom("never right"))
    }
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Outer {
        #[serde(deserialize_with = "never")]
        value: f64,
    }
    let file = TomlDocument::read::<Outer>("a.toml", "\nvalue = 1.5\n").expect_err("refused");
    assert_eq!(file.to_string(), "a.toml:2:9: value: never right");
    assert_eq!(file.faults()[0].kind, FaultKind::Refused);
}
