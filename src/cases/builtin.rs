//! The built-in cases, embedded in the binary.

use super::plan::CaseSource;

/// Texts of a built-in case.
pub struct Builtin {
    /// Short name.
    pub name: &'static str,
    case: &'static str,
    expected: &'static str,
    baseline: &'static str,
}

macro_rules! builtin {
    ($($name:literal),+ $(,)?) => {
        &[$(Builtin {
            name: $name,
            case: include_str!(concat!("../../cases/", $name, ".toml")),
            expected: include_str!(concat!("../../expected/", $name, ".toml")),
            baseline: include_str!(concat!("../../expected/", $name, ".baseline.csv")),
        }),+]
    };
}

/// All built-in cases, in the order they are listed and run.
pub static BUILTIN: &[Builtin] = builtin![
    "heavy_top",
    "pinned_bar",
    "free_asymmetric",
    "heavy_asymmetric",
    "hnw_forced",
];

impl Builtin {
    /// Its texts, with paths that say where they come from.
    pub fn source(&self) -> CaseSource {
        let name = self.name;
        CaseSource {
            name: name.into(),
            case_path: format!("builtin:cases/{name}.toml"),
            case_text: self.case.into(),
            expected: Some((
                format!("builtin:expected/{name}.toml"),
                self.expected.into(),
            )),
            baseline: Some((
                format!("builtin:expected/{name}.baseline.csv"),
                self.baseline.into(),
            )),
        }
    }
}

/// The built-in case of that name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    BUILTIN.iter().find(|b| b.name == name)
}
