//! Accepted defects: the failing verdicts that a project knows of a solver, each with the reason why it is accepted.

use crate::report::Report;
use crate::verdict::{Verdict, VerdictId, verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use strict_toml::{Faults, InvalidFile, TomlDocument, meant, near};
use topsim_case::builtin::BUILTIN;
use topsim_core::verdict::Status;

/// Failing verdicts of `topsim judge` that are accepted: they do not break a build, new ones do.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptedFile {
    /// The verdicts.
    #[serde(default)]
    accepted: Vec<AcceptedEntry>,
}

/// A failing verdict that is accepted.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AcceptedEntry {
    /// Name of the case, or "*" for all of them.
    #[schemars(length(min = 1))]
    case: String,
    /// Id of the verdict, as the report shows it: `model/gyroscopic_missing`.
    #[schemars(length(min = 1))]
    verdict: String,
    /// Why it is accepted.
    #[schemars(length(min = 1))]
    reason: String,
}

/// Cases that an entry is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CaseSelection {
    /// All.
    Any,
    /// The one of this name.
    Named(String),
}

/// Reason of an entry to which nobody has written one.
const NO_REASON: &str = "TODO: say why";

/// What stands for all cases.
const ANY_CASE: &str = "*";

impl CaseSelection {
    fn new(text: &str) -> Self {
        match text {
            ANY_CASE => Self::Any,
            name => Self::Named(name.into()),
        }
    }
    /// Whether this case is one of them.
    pub fn contains(&self, case: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Named(name) => name == case,
        }
    }
}

impl fmt::Display for CaseSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Any => ANY_CASE,
            Self::Named(name) => name,
        })
    }
}

/// A failing verdict that is accepted.
#[derive(Debug, Clone, PartialEq)]
pub struct AcceptedDefect {
    /// The cases it is about.
    pub case: CaseSelection,
    /// The verdict.
    pub verdict: VerdictId,
    /// Why it is accepted.
    pub reason: String,
}

/// The list of accepted defects that a project keeps.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AcceptedDefects {
    /// The entries, in their order.
    pub entries: Vec<AcceptedDefect>,
}

impl AcceptedDefects {
    /// Reads a list called `name`; `judged` are the cases of this run.
    ///
    /// # Errors
    /// All that is wrong, with line and what is allowed: unknown keys, cases and verdicts, empty reasons, entries
    /// given twice.
    pub fn read(name: &str, text: &str, judged: &[&str]) -> Result<Self, InvalidFile> {
        let (file, doc) = TomlDocument::read::<AcceptedFile>(name, text)?;
        let mut faults = Faults::new(&doc);
        let mut cases: Vec<&str> = BUILTIN.iter().map(|b| b.name).collect();
        cases.extend(judged);
        let mut entries: Vec<AcceptedDefect> = Vec::new();
        let mut before = BTreeSet::new();
        for (i, a) in file.accepted.iter().enumerate() {
            let at = |key: &str| format!("accepted[{i}].{key}");
            let case = CaseSelection::new(&a.case);
            if case != CaseSelection::Any && !cases.contains(&&*a.case) {
                faults.add(
                    &at("case"),
                    format!(
                        "no case is called `{}`{}",
                        a.case,
                        meant(near(&a.case, &cases))
                    ),
                    "a case that is judged, a built-in one (`topsim list cases`), or \"*\"",
                );
            }
            let verdict = a.verdict.parse::<VerdictId>();
            if let Err(e) = &verdict {
                let ids: Vec<String> = VerdictId::all().map(|id| id.to_string()).collect();
                let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
                faults.add(
                    &at("verdict"),
                    format!("{e}{}", meant(near(&a.verdict, &ids))),
                    "a name of `topsim list defects`, another verdict as the report shows it (such as `claim/order`), \
                     `solver/step *`, or `solver/step H` with a step H",
                );
            }
            if a.reason.trim().is_empty() {
                faults.add(&at("reason"), "an empty reason", "why it is accepted");
            }
            if !before.insert((&a.case, &a.verdict)) {
                faults.add(
                    &at("verdict"),
                    format!("`{}` of `{}` is given twice", a.verdict, a.case),
                    "each verdict of a case once",
                );
            }
            entries.extend(verdict.ok().map(|verdict| AcceptedDefect {
                case,
                verdict,
                reason: a.reason.clone(),
            }));
        }
        faults.into_result()?;
        Ok(Self { entries })
    }

    /// Returns the list that accepts what fails now; what is accepted keeps its reason. A defect of several cases is one entry
    /// for all cases: it is the solver's. Other verdicts are accepted on the cases on which they fail, and on no others.
    pub fn of(reports: &[Report]) -> Self {
        let mut entries: Vec<AcceptedDefect> = Vec::new();
        for report in reports {
            for v in report
                .verdicts
                .iter()
                .filter(|v| v.status == Status::Failed)
            {
                // Steps differ from run to run: one entry for all of them.
                let verdict = match v.id {
                    VerdictId::Step(_) => VerdictId::AnyStep,
                    ref id => id.clone(),
                };
                let case = CaseSelection::Named(report.case.clone());
                let reason = v.known_defect.as_deref().unwrap_or(NO_REASON).to_owned();
                let is_defect = matches!(verdict, VerdictId::Defect(_));
                let same = |e: &&mut AcceptedDefect| {
                    e.verdict == verdict && e.reason == reason && (is_defect || e.case == case)
                };
                match entries.iter_mut().find(same) {
                    Some(entry) if entry.case != case => entry.case = CaseSelection::Any,
                    Some(_) => {}
                    None => entries.push(AcceptedDefect {
                        case,
                        verdict,
                        reason,
                    }),
                }
            }
        }
        Self { entries }
    }

    /// Accepts the failing verdicts that stand in the list, and notes entries that no longer show or have no reason yet;
    /// `name` is the name of the list.
    pub fn accept(&self, reports: &mut [Report], name: &str) {
        let mut named: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (i, report) in reports.iter().enumerate() {
            named.entry(report.case.clone()).or_default().push(i);
        }
        let all: Vec<usize> = (0..reports.len()).collect();
        // The entries of each verdict that are gone, with the place of the report that notes them.
        let mut gone: Vec<(usize, Vec<&AcceptedDefect>)> = Vec::new();
        let mut unreasoned: Vec<(usize, &AcceptedDefect)> = Vec::new();
        for entry in &self.entries {
            let judged = match &entry.case {
                CaseSelection::Any => Some(&all),
                CaseSelection::Named(case) => named.get(case),
            };
            let judged = judged.map_or(&[][..], |judged| judged);
            match (
                entry.accept(reports, judged),
                entry.is_told_by(reports, judged),
            ) {
                (Some(first), _) if entry.reason.starts_with("TODO") => {
                    unreasoned.push((first, entry))
                }
                (Some(_), _) | (None, None) => {}
                (None, Some(home)) => {
                    match gone
                        .iter_mut()
                        .find(|(_, same)| same[0].verdict == entry.verdict)
                    {
                        Some((_, entries)) => entries.push(entry),
                        None => gone.push((home, vec![entry])),
                    }
                }
            }
        }
        if let Some((home, first)) = unreasoned.first() {
            let mut ids: Vec<String> = unreasoned
                .iter()
                .map(|(_, e)| format!("`{}`", e.verdict))
                .collect();
            ids.dedup();
            let said = format!(
                "{} accepted without a reason: write it into {name}",
                ids.join(", ")
            );
            reports[*home].verdicts.push(first.note(said));
        }
        for (home, entries) in gone {
            let id = &entries[0].verdict;
            let cases: Vec<String> = entries.iter().map(|e| e.case.to_string()).collect();
            let said = match &entries[..] {
                [
                    AcceptedDefect {
                        case: CaseSelection::Any,
                        ..
                    },
                ] => {
                    format!("`{id}` of any case judged no longer shows: remove it from {name}")
                }
                [_] => format!("`{id}` no longer shows: remove it from {name}"),
                _ => format!(
                    "`{id}` no longer shows on {}: remove these entries from {name}",
                    cases.join(", ")
                ),
            };
            reports[home].verdicts.push(entries[0].note(said));
        }
    }

    /// As it is written.
    pub fn render(&self) -> String {
        let head = "# Verdicts of `topsim judge` that are accepted; `topsim schema accepted` describes this file.\n";
        let mut out = String::from(head);
        for a in &self.entries {
            out.push_str(&format!(
                "\n[[accepted]]\ncase = {}\nverdict = {}\nreason = {}\n",
                quoted(&a.case.to_string()),
                quoted(&a.verdict.to_string()),
                quoted(&a.reason)
            ));
        }
        out
    }
}

impl AcceptedDefect {
    /// Accepts the verdict where it fails in the reports at these places; returns the first of these.
    fn accept(&self, reports: &mut [Report], judged: &[usize]) -> Option<usize> {
        let mut first = None;
        for &i in judged {
            let failing =
                |v: &&mut Verdict| self.verdict.covers(&v.id) && v.status == Status::Failed;
            for v in reports[i].verdicts.iter_mut().filter(failing) {
                first = first.or(Some(i));
                v.known_defect = Some(self.reason.clone());
            }
        }
        first
    }

    /// Returns the first of the reports at these places that would tell the verdict. A case of which a history is missing tells
    /// nothing, and neither does one that skipped the verdict.
    fn is_told_by(&self, reports: &[Report], judged: &[usize]) -> Option<usize> {
        let told = |r: &Report| {
            let mut same = r.verdicts.iter().filter(|v| self.verdict.covers(&v.id));
            r.complete() && !r.files.is_empty() && !same.any(|v| v.status == Status::Skipped)
        };
        judged.iter().copied().find(|i| told(&reports[*i]))
    }

    /// Returns a note about the entry.
    fn note(&self, said: String) -> Verdict {
        let id = VerdictId::Baseline(Box::new(self.verdict.clone()));
        verdict(id, Status::Skipped, said)
    }
}

/// A text as a string of TOML, as plain as it can be written.
fn quoted(text: &str) -> String {
    let has = |bad: &[char]| text.contains(|c: char| c.is_control() || bad.contains(&c));
    if !has(&['"', '\\']) {
        format!("\"{text}\"")
    } else if !has(&['\'']) {
        format!("'{text}'")
    } else {
        // JSON's escapes are TOML's; JSON alone leaves the delete character as it is.
        let text = serde_json::Value::from(text).to_string();
        text.replace('\u{7f}', "\\u007F")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> String {
        let e = AcceptedDefects::read("known.toml", text, &["mine"]).expect_err("refused");
        e.to_string()
    }

    fn entry(case: &str, verdict: &str, reason: &str) -> String {
        format!("[[accepted]]\ncase = \"{case}\"\nverdict = \"{verdict}\"\nreason = \"{reason}\"\n")
    }

    #[test]
    fn what_is_written_can_be_read() {
        let reasons = [
            "too slow",
            "a \"quote\"",
            "a \\ backslash",
            "it's \"both\"",
            "two\nlines\t\u{7f}\u{1}\u{85}",
            "ω × Jω",
        ];
        let ids = ["row0", "solver/step *", "model/gyroscopic_missing"];
        let mut list = AcceptedDefects::default();
        for reason in reasons {
            for (case, id) in ["heavy_top", "mine", ANY_CASE].iter().zip(ids) {
                list.entries = vec![AcceptedDefect {
                    case: CaseSelection::new(case),
                    verdict: id.parse().unwrap(),
                    reason: reason.into(),
                }];
                let text = list.render();
                assert_eq!(
                    AcceptedDefects::read("a.toml", &text, &["mine"]).unwrap(),
                    list
                );
            }
        }
        assert_eq!(
            AcceptedDefects::read("a.toml", "", &[]).unwrap(),
            AcceptedDefects::default()
        );
    }

    #[test]
    fn the_stored_schema_is_that_of_the_file() {
        let stored = include_str!("../../../docs/schema/accepted.schema.json");
        let stored: serde_json::Value = serde_json::from_str(stored).unwrap();
        assert_eq!(*schemars::schema_for!(AcceptedFile).as_value(), stored);
    }

    #[test]
    fn mistakes_are_named_with_line_and_what_is_allowed() {
        for (text, words) in [
            (entry("heavy_to", "row0", "x"), "did you mean `heavy_top`"),
            (
                entry("mine", "model/gyroscopic_mising", "x"),
                "did you mean `model/gyroscopic_missing`",
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
