//! Nothing that somebody writes may panic, take long, or harm a terminal.

use proptest::prelude::*;
use proptest::sample::Index;

use super::mirror::Case;
use super::{GOOD, read, refused};
use crate::{Excerpt, SHOWN};

#[test]
fn long_files_stay_readable() {
    let line = format!("title = 1{}\n", " # é".repeat(100_000));
    assert!(refused(&line).len() < 2_000);
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

/// Reads the text; what is said of it must be safe to print, the same each time, and quotable.
fn survives(text: &str) -> Result<(), TestCaseError> {
    let file = match read(text) {
        Ok((_, document)) => {
            prop_assert!(document.take::<Case>().is_ok());
            return Ok(());
        }
        Err(file) => file,
    };
    prop_assert!(!file.faults().is_empty());
    let shown = file.to_string();
    prop_assert_eq!(&shown, &read(text).expect_err("as before").to_string());
    let lines = file.faults().len().min(SHOWN) + usize::from(file.faults().len() > SHOWN);
    prop_assert_eq!(shown.split('\n').count(), lines);
    for (fault, line) in file.faults().iter().zip(shown.split('\n')) {
        prop_assert!(line.starts_with("case.toml:"));
        prop_assert!(!line.contains(|c: char| c.is_control()));
        for columns in [0, 1, 68] {
            if let Some(span) = &fault.span {
                let excerpt = Excerpt::new(text, span, columns);
                prop_assert!(!excerpt.text[excerpt.mark.clone()].is_empty());
                prop_assert!(excerpt.text.chars().count() <= columns + 3);
                prop_assert_eq!(excerpt.line, file.position(fault).0);
            }
        }
    }
    Ok(())
}

/// Words, numbers, brackets, blanks and comments of a TOML text, in order.
fn tokens(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || "_.-+".contains(c) => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    for c in text.chars() {
        match out.last_mut() {
            Some(last) if kind(c) < 2 && last.chars().next_back().map(kind) == Some(kind(c)) => {
                last.push(c);
            }
            _ => out.push(c.into()),
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text(text in any::<String>()) {
        survives(&text)?;
    }

    #[test]
    fn mutated_files(edits in prop::collection::vec((any::<Index>(), 0..12usize, piece()), 1..6)) {
        let mut text = GOOD.to_owned();
        for (at, cut, piece) in edits {
            let from = text.floor_char_boundary(at.index(text.len() + 1));
            let to = text.ceil_char_boundary((from + cut).min(text.len()));
            text.replace_range(from..to, &piece);
        }
        survives(&text)?;
    }

    #[test]
    fn changed_tokens(edits in prop::collection::vec((any::<Index>(), any::<Index>(), 0..4u8, piece()), 1..5)) {
        let mut all = tokens(GOOD);
        for (i, j, what, piece) in edits {
            let (i, j) = (i.index(all.len()), j.index(all.len()));
            match what {
                0 if all.len() > 1 => drop(all.remove(i)),
                1 => all.insert(i, all[j].clone()),
                2 => all.swap(i, j),
                _ => all[i] = piece,
            }
        }
        survives(&all.concat())?;
    }
}

/// A hundred thousand unknown keys are all found, and few of them guessed at: a guess at each took a minute.
#[test]
fn a_file_of_nothing_but_unknown_keys_is_read_at_once() {
    let text: String = (0..100_000).map(|i| format!("titel_{i} = {i}\n")).collect();
    let schema = serde_json::json!({
        "type": "object",
        "properties": { "title_0": { "type": "integer" }, "title_1": { "type": "integer" } },
        "additionalProperties": false,
    });
    let invalid = crate::TomlDocument::open("many.toml", &text, &schema).unwrap_err();
    let guesses = invalid
        .faults()
        .iter()
        .filter(|f| f.message.contains("did you mean"));
    assert_eq!(invalid.faults().len(), 100_000);
    assert!((1..=1000).contains(&guesses.count()));
}
