//! Parts of messages: lists, counts, numbers, and the name that was probably meant.

use std::fmt::Display;

use toml::de::DeValue;

use crate::excerpt::clip;

/// Writes a number as people do: 1e-16, not 0.0000000000000001.
///
/// ```
/// assert_eq!(strict_toml::short(0.25), "0.25");
/// assert_eq!(strict_toml::short(1e-16), "1e-16");
/// ```
pub fn short(x: f64) -> String {
    let (plain, scientific) = (x.to_string(), format!("{x:e}"));
    if plain.len() > scientific.len() + 2 {
        scientific
    } else {
        plain
    }
}

/// Writes "a, b or c"; "nothing" of no values.
///
/// ```
/// assert_eq!(strict_toml::one_of(&["x", "y", "z"]), "x, y or z");
/// ```
pub fn one_of<T: Display>(values: &[T]) -> String {
    match values {
        [] => "nothing".to_owned(),
        [one] => one.to_string(),
        [rest @ .., last] => {
            let rest: Vec<_> = rest.iter().map(ToString::to_string).collect();
            format!("{} or {last}", rest.join(", "))
        }
    }
}

/// Writes "1 value", "2 values".
pub fn values(n: usize) -> String {
    format!("{n} value{}", if n == 1 { "" } else { "s" })
}

/// Describes a value.
pub(crate) fn found(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the string {:?}", clip(text, 40)),
        DeValue::Integer(i) => format!("the integer {}", clip(&i.to_string(), 40)),
        DeValue::Float(x) => format!("the number {}", clip(x.as_str(), 40)),
        DeValue::Boolean(b) => format!("the boolean {b}"),
        DeValue::Datetime(_) => "a date or time".to_owned(),
        DeValue::Array(array) if array.is_empty() => "an empty array".to_owned(),
        DeValue::Array(array) => format!("an array of {}", values(array.len())),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

/// Lists the names of keys.
pub(crate) fn keys(names: &[&str]) -> String {
    let list: Vec<_> = names.iter().map(|n| format!("`{n}`")).collect();
    match list.len() {
        0 => "no keys".to_owned(),
        1 => format!("the key {}", list[0]),
        _ => format!("the keys {}", list.join(", ")),
    }
}

/// Returns the name that was probably meant by a word: one that is a few edits away, fewer than either has characters.
///
/// ```
/// assert_eq!(strict_toml::nearest("wieght", &["lever", "weight"]), Some("weight"));
/// assert_eq!(strict_toml::nearest("colour", &["lever", "weight"]), None);
/// ```
pub fn nearest<'n>(word: &str, names: &[&'n str]) -> Option<&'n str> {
    let far = |name: &&&str| distance(word, name);
    let found = names.iter().min_by_key(far)?;
    let long = word.chars().count().min(found.chars().count());
    (far(&found) <= 1.max(long / 3) && far(&found) < long).then_some(found)
}

/// Writes the end of a message about an unknown word: "; did you mean `x`?", or nothing without such a name.
pub fn meant(near: Option<&str>) -> String {
    near.map_or(String::new(), |name| format!("; did you mean `{name}`?"))
}

/// Counts the edits (insert, delete, replace, swap neighbours) between two words; case and `-` cost nothing.
fn distance(a: &str, b: &str) -> usize {
    let fold = |s: &str| -> Vec<char> {
        let folded = s.to_ascii_lowercase().replace('-', "_");
        folded.chars().take(64).collect()
    };
    let (a, b) = (fold(a), fold(b));
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let differ = usize::from(a[i - 1] != b[j - 1]);
            let mut d = (rows[i - 1][j] + 1)
                .min(row[j - 1] + 1)
                .min(rows[i - 1][j - 1] + differ);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                d = d.min(rows[i - 2][j - 2] + 1);
            }
            row.push(d);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
