//! The numbers on which verdicts of the judge depend stand in its `thresholds.rs`, each with its reason, and are few.
//!
//! Found are floats in what is compared by `<`, `<=`, `>` or `>=`, at the ends of a range, and before `.max` or `.min`; and
//! constants of a file that it compares with. Zero and one are none of them, nor are values that are meant and taken from what
//! is measured, as in `(x - 0.5).abs() < EXPLAINED`.

use crate::structure::{read, tokens, without_tests};
use crate::support::{repository, repository_text};
use std::collections::BTreeSet;

/// Most thresholds that the judge may have.
const MOST: usize = 80;

/// Files with a number that is none of them, because it belongs to a design.
const OF_A_DESIGN: [(&str, &str); 1] = [
    // Of shorter vectors no direction is taken.
    ("identification/scheme/questioner.rs", "0.3"),
];

/// Returns the tokens with those of a float joined: `1`, `.`, `5e`, `-`, `3` are one.
fn with_floats(tokens: &[&str]) -> Vec<String> {
    let is_digit = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|t| t.starts_with(|c: char| c.is_ascii_digit()))
    };
    let dot = |at: Option<usize>| at.and_then(|at| tokens.get(at)) == Some(&".");
    let (mut out, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let mut text = tokens[at].to_string();
        // The number of a field follows one point, the end of a range two.
        let is_field = dot(at.checked_sub(1)) && !dot(at.checked_sub(2));
        if is_digit(at) && !is_field && !text.starts_with("0x") {
            if dot(Some(at + 1)) && is_digit(at + 2) {
                text = format!("{text}.{}", tokens[at + 2]);
                at += 2;
            }
            if text.ends_with('e') && tokens.get(at + 1) == Some(&"-") {
                text = format!("{text}-{}", tokens[at + 2]);
                at += 2;
            }
        }
        out.push(text);
        at += 1;
    }
    out
}

/// Returns true for a float that is neither zero nor one.
fn is_number(token: &str) -> bool {
    let is_float = token.contains(['.', 'e']) || token.ends_with("f64");
    let value = token
        .replace("_f64", "")
        .replace("f64", "")
        .replace('_', "");
    let starts = token.starts_with(|c: char| c.is_ascii_digit());
    let value = value.parse::<f64>().ok().filter(|_| starts && is_float);
    value.is_some_and(|x| x != 0.0 && x != 1.0)
}

/// Marks the tokens of generic arguments, with their brackets.
fn generics(tokens: &[String]) -> Vec<bool> {
    let mut out = vec![false; tokens.len()];
    for at in 1..tokens.len() {
        let before = tokens[at - 1].as_str();
        let is_type = before.starts_with(|c: char| c.is_ascii_uppercase())
            && (before.len() == 1 || before.contains(|c: char| c.is_ascii_lowercase()));
        let named =
            at > 1 && ["fn", "struct", "enum", "trait", "type"].contains(&tokens[at - 2].as_str());
        let is_value = before.ends_with(|c: char| c.is_alphanumeric() || "_)]?".contains(c));
        let keyword = ["impl", "for", "dyn", "as", "return", "in"].contains(&before);
        if tokens[at] != "<" || out[at] || is_value && !is_type && !named && !keyword {
            continue;
        }
        let mut depth = 0;
        for k in at..tokens.len() {
            out[k] = true;
            match tokens[k].as_str() {
                "<" => depth += 1,
                ">" if tokens[k - 1] != "-" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    out
}

/// Returns the places of one side of a comparison, each with the depth of its brackets.
fn side(
    tokens: &[String],
    places: impl Iterator<Item = usize>,
    forward: bool,
) -> Vec<(usize, i32)> {
    let ends = [
        "|", ",", ";", "{", "}", "=", "<", ">", "!", "if", "while", "return", "let", "else",
        "match", "in",
    ];
    let (mut depth, mut out) = (0, Vec::new());
    for at in places {
        let token = tokens[at].as_str();
        let opens = if forward { "([" } else { ")]" };
        let closes = if forward { ")]" } else { "([" };
        let and =
            token == "&" && (tokens[at - 1] == "&" || tokens.get(at + 1).is_some_and(|t| t == "&"));
        if depth == 0 && (and || ends.contains(&token)) {
            break;
        }
        if opens.contains(token) {
            depth += 1;
        } else if closes.contains(token) {
            depth -= 1;
        }
        if depth < 0 {
            break;
        }
        out.push((at, depth));
    }
    out
}

/// Returns the numbers of a file that decide, and its own constants that do.
fn deciding(text: &str) -> BTreeSet<String> {
    let tokens = with_floats(&without_tests(&tokens(text)));
    let is = |at: Option<usize>, what: &[&str]| {
        at.and_then(|at| tokens.get(at))
            .is_some_and(|t| what.contains(&t.as_str()))
    };
    let generic = generics(&tokens);
    let constants = tokens
        .windows(4)
        .filter(|w| w[0] == "const" && w[3] == "f64");
    let constants: BTreeSet<&str> = constants.map(|w| w[1].as_str()).collect();
    let mut out = BTreeSet::new();
    for at in 1..tokens.len() {
        let range_before = is(Some(at - 1), &["."]) && is(at.checked_sub(2), &["."])
            || is(Some(at - 1), &["="]) && is(at.checked_sub(2), &["."]);
        let range_after = is(Some(at + 1), &["."]) && is(Some(at + 2), &["."]);
        let bound = is(Some(at + 1), &["."]) && is(Some(at + 2), &["max", "min"]);
        if is_number(&tokens[at]) && (range_before || range_after || bound) {
            out.insert(tokens[at].clone());
        }
        let arrow = tokens[at] == ">" && is(Some(at - 1), &["-", "="]);
        let shift = is(Some(at - 1), &[&tokens[at]]) || is(Some(at + 1), &[&tokens[at]]);
        if !["<", ">"].contains(&tokens[at].as_str()) || generic[at] || arrow || shift {
            continue;
        }
        let right = at + 1 + usize::from(is(Some(at + 1), &["="]));
        let left = side(&tokens, (1..at).rev(), false);
        for (k, depth) in left
            .into_iter()
            .chain(side(&tokens, right..tokens.len(), true))
        {
            let is_meant =
                depth > 0 && (is(Some(k - 1), &["+", "-"]) || is(Some(k + 1), &["+", "-"]));
            if is_number(&tokens[k]) && !is_meant || constants.contains(tokens[k].as_str()) {
                out.insert(tokens[k].clone());
            }
        }
    }
    out
}

#[test]
fn numbers_that_decide_stand_in_one_place() {
    let mut files = Vec::new();
    read(&repository("crates/topsim-judge/src"), "", &mut files);
    assert!(files.len() > 100, "{} files of the judge", files.len());
    let mut found = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| path != "thresholds.rs") {
        let numbers = deciding(text).into_iter();
        let numbers = numbers.filter(|x| !OF_A_DESIGN.contains(&(path.as_str(), x.as_str())));
        found.extend(numbers.map(|x| format!("{path}: {x}")));
    }
    assert!(
        found.is_empty(),
        "numbers that decide belong in thresholds.rs, with their reason:\n{}",
        found.join("\n")
    );
}

#[test]
fn thresholds_are_few_and_have_reasons() {
    let text = repository_text("crates/topsim-judge/src/thresholds.rs");
    let lines: Vec<&str> = text.lines().collect();
    let pairs = || lines.windows(2).filter(|pair| pair[1].contains("const "));
    let bare: Vec<&str> = pairs()
        .filter(|p| !p[0].starts_with("/// "))
        .map(|p| p[1])
        .collect();
    assert!(bare.is_empty(), "thresholds without a reason: {bare:?}");
    let all = pairs().count();
    assert!((20..=MOST).contains(&all), "{all} thresholds");
}

#[test]
fn a_number_that_decides_is_found() {
    let found = |text: &str| {
        deciding(&format!("fn f() {{ {text} }}"))
            .into_iter()
            .collect::<Vec<_>>()
    };
    for (text, numbers) in [
        ("if left < 0.02 { g() }", vec!["0.02"]),
        ("let a = (x - 1.0).abs() <= 2e-4 && y;", vec!["2e-4"]),
        ("all.retain(|x| 0.7 * best.left >= *x);", vec!["0.7"]),
        ("let big = size > floor.max(10.0 * sigma);", vec!["10.0"]),
        ("let worse = next > least + 4.0;", vec!["4.0"]),
        ("match x { p if p > 1.5_f64 => 1, _ => 0 }", vec!["1.5_f64"]),
        ("let x = 1e-9_f64.max(noise);", vec!["1e-9_f64"]),
        ("let x = (0.3..=2.0).contains(&part);", vec!["0.3", "2.0"]),
        (
            "let x: Vec<f64> = a; let y = x.iter().sum::<f64>() > 0.25;",
            vec!["0.25"],
        ),
        ("const NEAR: f64 = 0.1; let x = y < NEAR * z;", vec!["NEAR"]),
    ] {
        assert_eq!(found(text), numbers, "{text}");
    }
    for text in [
        "let a = x > 0.0 && y < 1.0 && n < 3;",
        "let a = (x - 0.5).abs() < EXPLAINED;",
        "let a = start + (n + 0.5) * h < wanted;",
        "let x: Option<f64> = Some(0.5);",
        "let half = |x: &Vec<f64>| -> f64 { 0.5 * x[0] };",
        "let a = rows.0.1 < last.1.2;",
        "const STEPS: [f64; 2] = [0.1, 0.2]; let a = h < STEPS[1];",
        "match x { Some(y) => 0.5 * y, None => 0.25 }",
        "#[cfg(test)] mod tests { fn f() { assert!(x < 1e-9); } }",
    ] {
        assert!(found(text).is_empty(), "{text}: {:?}", found(text));
    }
}
