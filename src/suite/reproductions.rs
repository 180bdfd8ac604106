//! Errors in publications and programs that built-in cases show: the tables of `reproductions.toml`.

use serde::Deserialize;
use std::sync::LazyLock;

/// An error that can be shown again.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Reproduction {
    /// Name of the reproduction.
    pub id: String,
    /// The publication or program with the error, and its version.
    pub project: String,
    /// The effect that a user sees, in a sentence.
    pub shows: String,
    /// The case that shows it.
    pub case: String,
    /// The checks that show it; `*` stands for any characters.
    pub checks: Vec<String>,
}

/// All reproductions, in the order of the document.
pub static REPRODUCTIONS: LazyLock<Vec<Reproduction>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct Tables {
        reproduction: Vec<Reproduction>,
    }
    let tables = toml::from_str::<Tables>(include_str!("reproductions.toml"));
    tables.expect("a test reads it").reproduction
});
