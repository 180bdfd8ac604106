//! Texts of case files and their names.

/// Text of a case file with its name.
#[derive(Debug, Clone)]
pub struct CaseSource {
    /// Name of the case: the stem of its file.
    pub name: String,
    /// Path of the case file as the user gave it; built-in cases have a path that says so.
    pub path: String,
    /// Content of the case file.
    pub text: String,
}

/// Names of files beside the folders of the cases in a folder of results.
const RESERVED: [&str; 3] = ["results.json", "report.html", "timings.json"];

/// Names that cases may have, for messages.
pub const NAMES_ALLOWED: &str = "at most 100 letters, digits and _ - + . (not first), and not results.json, report.html or timings.json";

/// Returns whether a text can name a case, and so files and folders: at most 100 letters, digits and `_ - + .`, no dot first, and
/// no name of a file that stands beside the folders of cases.
pub fn is_name(text: &str) -> bool {
    let good = |c: char| c.is_ascii_alphanumeric() || "_-.+".contains(c);
    let reserved = RESERVED.iter().any(|name| name.eq_ignore_ascii_case(text));
    !text.is_empty()
        && text.len() <= 100
        && !text.starts_with('.')
        && text.chars().all(good)
        && !reserved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_would_leave_their_folder_are_none() {
        for bad in [
            "",
            ".",
            "..",
            "a/b",
            "a\\b",
            ".hidden",
            "a b",
            "results.json",
            "Report.html",
            "timings.json",
            &"x".repeat(101),
        ] {
            assert!(!is_name(bad), "{bad}");
        }
        assert!(is_name("heavy_top-2.5+"));
    }
}
