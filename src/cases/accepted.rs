//! Baselines of `topsim judge`: known defects of a solver, each with the reason why it is accepted.

use super::builtin::BUILTIN;
use super::describe::{meant, nearest};
use super::document::Document;
use super::faults::Faults;
use super::problem::InvalidFile;
use crate::analysis::foreign::{STEP, is_verdict_id, verdict_ids};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Failing verdicts of `topsim judge` that are accepted: they do not break a build, new ones do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptedFile {
    /// The verdicts.
    #[serde(default)]
    pub accepted: Vec<Accepted>,
}

/// A failing verdict that is accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Accepted {
    /// Name of the case, or "*" for all of them.
    #[schemars(length(min = 1))]
    pub case: String,
    /// Id of the verdict, as the report shows it: `model/gyroscopic_missing`.
    #[schemars(length(min = 1))]
    pub verdict: String,
    /// Why it is accepted.
    #[schemars(length(min = 1))]
    pub reason: String,
}

/// Stands for all cases.
pub const ANY_CASE: &str = "*";

impl Accepted {
    /// Whether it is about this case.
    pub fn is_about(&self, case: &str) -> bool {
        self.case == ANY_CASE || self.case == case
    }
}

impl AcceptedFile {
    /// Reads a baseline called `name`; `judged` are the cases of this run.
    ///
    /// # Errors
    /// All that is wrong, with line and what is allowed: unknown keys, cases and verdicts, empty reasons, entries
    /// given twice.
    pub fn read(name: &str, text: &str, judged: &[&str]) -> Result<Self, InvalidFile> {
        let (file, doc) = Document::read::<Self>(name, text)?;
        let mut faults = Faults {
            doc: &doc,
            list: Vec::new(),
        };
        let mut cases: Vec<&str> = BUILTIN.iter().map(|b| b.name).collect();
        cases.extend(judged);
        let ids = verdict_ids();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        for (i, a) in file.accepted.iter().enumerate() {
            let at = |key: &str| format!("accepted[{i}].{key}");
            if a.case != ANY_CASE && !cases.contains(&&*a.case) {
                faults.add(
                    &at("case"),
                    format!(
                        "no case is called `{}`{}",
                        a.case,
                        meant(nearest(&a.case, &cases))
                    ),
                    "a case that is judged, a built-in one (`topsim list cases`), or \"*\"",
                );
            }
            if !is_verdict_id(&a.verdict) {
                faults.add(
                    &at("verdict"),
                    format!(
                        "no verdict is called `{}`{}",
                        a.verdict,
                        meant(nearest(&a.verdict, &ids))
                    ),
                    format!("{}, or `{STEP}H` with a step H", ids.join(", ")),
                );
            }
            if a.reason.trim().is_empty() {
                faults.add(&at("reason"), "an empty reason", "why it is accepted");
            }
            let same = |b: &&Accepted| b.case == a.case && b.verdict == a.verdict;
            if file.accepted[..i].iter().any(|b| same(&b)) {
                faults.add(
                    &at("verdict"),
                    format!("`{}` of `{}` is given twice", a.verdict, a.case),
                    "each verdict of a case once",
                );
            }
        }
        let list = std::mem::take(&mut faults.list);
        if list.is_empty() {
            Ok(file)
        } else {
            Err(doc.reject(list))
        }
    }

    /// As it is written.
    pub fn render(&self) -> String {
        let head = "# Verdicts of `topsim judge` that are accepted; `topsim schema baseline` describes this file.\n";
        let mut out = String::from(head);
        let text = |s: &str| toml::Value::String(s.into()).to_string();
        for a in &self.accepted {
            out.push_str(&format!(
                "\n[[accepted]]\ncase = {}\nverdict = {}\nreason = {}\n",
                text(&a.case),
                text(&a.verdict),
                text(&a.reason)
            ));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> String {
        let e = AcceptedFile::read("known.toml", text, &["mine"]).expect_err("refused");
        e.render(false, 100)
    }

    fn entry(case: &str, verdict: &str, reason: &str) -> String {
        format!("[[accepted]]\ncase = \"{case}\"\nverdict = \"{verdict}\"\nreason = \"{reason}\"\n")
    }

    #[test]
    fn what_is_written_can_be_read() {
        let file = AcceptedFile {
            accepted: [
                ("heavy_top", "row0", "a \"quote\"\nand a line"),
                ("mine", "solver/step 0.01", "too slow"),
                (ANY_CASE, "model/gyroscopic_missing", "slow bodies only"),
            ]
            .map(|(case, verdict, reason)| Accepted {
                case: case.into(),
                verdict: verdict.into(),
                reason: reason.into(),
            })
            .into(),
        };
        assert_eq!(
            AcceptedFile::read("a.toml", &file.render(), &["mine"]).unwrap(),
            file
        );
        assert_eq!(
            AcceptedFile::read("a.toml", "", &[]).unwrap(),
            AcceptedFile::default()
        );
    }

    #[test]
    fn mistakes_are_named_with_line_and_what_is_allowed() {
        for (text, words) in [
            (entry("heavy_to", "row0", "x"), "did you mean `heavy_top`?"),
            (
                entry("mine", "model/gyroscopic_mising", "x"),
                "did you mean `model/gyroscopic_missing`?",
            ),
            (
                entry("mine", "solver/step 1e-2", "x"),
                "no verdict is called",
            ),
            (entry("mine", "*", "x"), "no verdict is called"),
            (entry("mine", "row0", "  "), "an empty reason"),
            (entry("mine", "row0", ""), "reason"),
            (
                entry("mine", "row0", "x") + "why = 1\n",
                "unknown key `why`",
            ),
            (
                "[[accepted]]\ncase = \"mine\"\nverdict = \"row0\"\n".into(),
                "missing key",
            ),
            (
                entry("mine", "row0", "x") + &entry("mine", "row0", "y"),
                "given twice",
            ),
            ("[[allowed]]\n".into(), "unknown key `allowed`"),
        ] {
            let said = wrong(&text);
            assert!(said.contains(words), "{text}\n{said}");
            assert!(said.contains("known.toml:"), "{said}");
        }
    }
}
