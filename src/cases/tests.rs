//! What people get wrong, and what they are told; nothing they write may panic.

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

use super::mirror::{Case, Loose};
use super::{Document, InvalidFile};

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

fn read(text: &str) -> Result<(Case, Document), InvalidFile> {
    Document::read("case.toml", text)
}

/// The good file with one piece replaced, as it is reported.
fn told(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from:?} is not in the file");
    refused(&GOOD.replacen(from, to, 1))
}

fn refused(text: &str) -> String {
    read(text).expect_err("must be refused").render(false, 100)
}

#[test]
fn a_good_file_is_read() {
    let (case, document) = read(GOOD).unwrap_or_else(|e| panic!("{}", e.render(false, 100)));
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
fn validation_points_at_keys() {
    let (_, document) = read(GOOD).expect("good");
    let file = document.reject(vec![
        document
            .problem("run.sample", "no sampling", "a number")
            .warning(),
        document.problem("run.steps[1]", "too long a step", "steps below 0.002"),
    ]);
    insta::assert_snapshot!("validation", file.render(false, 100));
    assert!(file.render(true, 100).contains("\u{1b}["));
    let report = format!("{:?}", miette::Report::new(file));
    assert!(report.contains("too long a step"), "{report}");
}

#[test]
fn long_files_stay_readable() {
    let line = format!("title = 1{}\n", " # é".repeat(100_000));
    assert!(refused(&line).len() < 2_000);
    let many: String = (0..200).map(|i| format!("k{i} = 1\n")).collect();
    let shown = refused(&many);
    assert!(
        shown.ends_with("203 problems in case.toml (the first 50 are shown)\n"),
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

#[test]
fn other_shapes() {
    let good = "scale = 1\nmodel = 'two-well'\ndepth = 2\nevery = 'space'\n[other]\nmodel = 'none'\n[each]\na = 'body'\n";
    let read = |text: &str| Document::read::<Loose>("loose.toml", text);
    assert!(
        read(good).is_ok(),
        "{:?}",
        read(good).err().map(|e| e.render(false, 100))
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
    insta::assert_snapshot!("other_shapes", file.render(false, 100));
}

#[test]
fn unchecked_keywords_are_found() {
    #[derive(JsonSchema)]
    #[allow(dead_code)]
    struct Patterned {
        #[schemars(regex(pattern = "^a"))]
        name: String,
        #[schemars(extend("multipleOf" = 2))]
        even: Option<u8>,
    }
    let schema = schemars::schema_for!(Vec<Patterned>).to_value();
    assert_eq!(super::shape::unsupported(&schema).len(), 2);
    let schema = schemars::schema_for!(Case).to_value();
    assert!(super::shape::unsupported(&schema).is_empty());
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
    let file = Document::read::<Outer>("a.toml", "\nvalue = 1.5\n").expect_err("refused");
    let shown = file.render(false, 80);
    assert!(
        shown.starts_with("a.toml:2:9: value: never right\n"),
        "{shown}"
    );
}

/// Pieces that keep a mutated file close to TOML.
fn piece() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "[",
        "]",
        "{",
        "}",
        "=",
        "\"",
        "'''",
        "\n",
        "\r\n",
        "\r",
        ",",
        ".",
        "nan",
        "inf",
        "1e999",
        "é",
        "日本",
        "\u{feff}",
        "\u{202e}",
        "#",
        "[[check]]",
        "[body]",
        "inertia",
        "model = 3",
        "1979-05-27",
        "0x",
        "_",
        "99999999999999999999",
        "true",
        "\t",
        "\u{0}",
        "a.b.c = 1",
        "\u{301}",
        "\\u",
    ]);
    prop_oneof![known.prop_map(str::to_owned), any::<String>()]
}

fn never_panics(text: &str) -> Result<(), TestCaseError> {
    if let Err(file) = read(text) {
        prop_assert!(!file.problems().is_empty());
        let drawn = file.render(false, 80);
        prop_assert_eq!(&drawn, &file.render(false, 80));
        prop_assert!(
            drawn
                .lines()
                .next()
                .is_some_and(|l| l.starts_with("case.toml:"))
        );
        prop_assert!(!drawn.contains("Failed to read"));
        file.render(true, 0);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text(text in any::<String>()) {
        never_panics(&text)?;
    }

    #[test]
    fn mutated_files(edits in prop::collection::vec((any::<prop::sample::Index>(), 0..12usize, piece()), 1..6)) {
        let mut text = GOOD.to_owned();
        for (at, cut, piece) in edits {
            let from = text.floor_char_boundary(at.index(text.len() + 1));
            let to = text.ceil_char_boundary((from + cut).min(text.len()));
            text.replace_range(from..to, &piece);
        }
        never_panics(&text)?;
    }
}
