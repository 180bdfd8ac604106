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

/// Writes the values of a choice as [`one_of`] does, or counts them where they are many; `listed` is a command that
/// lists them.
pub(crate) fn choice<T: Display>(values: &[T], listed: Option<&str>) -> String {
    /// Most values that are written out: more than these fill several lines.
    const LONGEST: usize = 24;
    match (values, listed) {
        ([_, _, _, ..], Some(listed)) if values.len() > LONGEST => format!("a name of `{listed}`"),
        ([first, second, third, ..], None) if values.len() > LONGEST => {
            let count = values.len();
            format!("one of {count} values such as {first}, {second} and {third}")
        }
        (few, _) => one_of(few),
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

/// Returns the names that were probably meant by a word, the most probable first and at most three: those that are a
/// few edits away, fewer than either has characters, and those that have the word's letters in their order: beside each
/// other, or from their first letter on.
///
/// ```
/// assert_eq!(strict_toml::near("wieght", &["lever", "weight"]), ["weight"]);
/// assert_eq!(strict_toml::near("rk4", &["quat_rk4", "rig_pos", "rkmk4"]), ["rkmk4", "quat_rk4"]);
/// assert_eq!(strict_toml::near("colour", &["lever", "weight"]), [""; 0]);
/// ```
pub fn near<'n>(word: &str, names: &[&'n str]) -> Vec<&'n str> {
    /// Fewest characters of a word that is looked for inside names.
    const SHORTEST_PART: usize = 3;
    let folded = folded(word);
    let is_part = |name: &str| {
        let own = self::folded(name);
        let has =
            own.contains(&folded) || (own.len() < 2 * folded.len() && has_letters(&own, &folded));
        has && folded.len() >= SHORTEST_PART
    };
    let is_near = |name: &str, far: usize| {
        let long = word.chars().count().min(name.chars().count());
        far <= 1.max(long / 3) && far < long
    };
    let place = |name: &'n str| {
        let far = distance(word, name);
        let part = is_part(name);
        (part || is_near(name, far)).then_some((far, part, name))
    };
    let mut found: Vec<_> = names.iter().filter_map(|name| place(name)).collect();
    // Beside a better name, one that is several edits away was hardly meant.
    let best = found
        .iter()
        .map(|(far, part, _)| if *part { 1 } else { *far })
        .min();
    found.retain(|(far, part, _)| *part || best.is_some_and(|best| *far <= best + 1));
    // Names that are equally near keep their order.
    found.sort_by_key(|(far, part, _)| (*far > 1 && !part, *far));
    found.into_iter().take(3).map(|(.., name)| name).collect()
}

/// Returns the name that was most probably meant by a word.
///
/// ```
/// assert_eq!(strict_toml::nearest("wieght", &["lever", "weight"]), Some("weight"));
/// assert_eq!(strict_toml::nearest("colour", &["lever", "weight"]), None);
/// ```
pub fn nearest<'n>(word: &str, names: &[&'n str]) -> Option<&'n str> {
    near(word, names).first().copied()
}

/// Writes the end of a message about an unknown name: "; did you mean `x` or `y`?", or nothing without such names.
pub fn meant<'n>(near: impl IntoIterator<Item = &'n str>) -> String {
    let near: Vec<String> = near.into_iter().map(|name| format!("`{name}`")).collect();
    match near.is_empty() {
        true => String::new(),
        false => format!("; did you mean {}?", one_of(&near)),
    }
}

/// Tests whether a name begins as a word does, and has all its letters in their order.
fn has_letters(name: &str, word: &str) -> bool {
    let mut rest = name.chars();
    name.chars().next() == word.chars().next()
        && word.chars().all(|letter| rest.any(|own| own == letter))
}

/// Returns a word without the differences of spelling that cost nothing.
fn folded(word: &str) -> String {
    word.to_ascii_lowercase().replace('-', "_")
}

/// Counts the edits (insert, delete, replace, swap neighbours) between two words; case and `-` cost nothing.
fn distance(a: &str, b: &str) -> usize {
    let fold = |s: &str| -> Vec<char> { folded(s).chars().take(64).collect() };
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
