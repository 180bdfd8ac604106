//! Pages of defects: what `topsim show` says of one, and `docs/defects.md` of all.

use document::{Document, marked, strong};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use topsim_judge::{Defect, Part};

/// Example of a defect in code, and what it is easily taken for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    wrong: String,
    right: String,
    /// Way in which it is found, where that differs from other defects of its part.
    found: Option<String>,
    /// Ids of defects that it is easily taken for.
    like: Vec<String>,
}

/// Examples by part and id.
static EXAMPLES: LazyLock<BTreeMap<String, BTreeMap<String, Example>>> = LazyLock::new(|| {
    toml::from_str(include_str!("defects.toml")).expect("a test reads the examples of all defects")
});

/// Returns the defect of this id, with or without its part; nothing where several parts have it.
pub(super) fn find(id: &str) -> Option<Defect> {
    let mut found = Defect::all().filter(|defect| {
        let whole = defect.to_string();
        whole == id || whole.split_once('/').is_some_and(|(_, own)| own == id)
    });
    let first = found.next();
    first.filter(|_| found.next().is_none())
}

/// Returns the pages of all defects, by part.
pub(super) fn all() -> Document {
    let mut out = Document::default();
    let mut before = None;
    for defect in Defect::all() {
        let part = defect.part();
        if before != Some(part) {
            out.heading(2, title(part));
            out.paragraph(format!("Most are found by {}.", usual_way(part)));
            before = Some(part);
        }
        out.append(with_found(defect, None));
    }
    out
}

fn title(part: Part) -> &'static str {
    match part {
        Part::Reporting => "Reports: the motion may be right, and its rows say something else",
        Part::Model => "Models: other equations of motion",
        Part::Scheme => "Schemes: right equations, stepped wrongly",
    }
}

/// Returns the page of a defect.
pub(super) fn page(defect: Defect) -> Document {
    with_found(defect, Some(usual_way(defect.part())))
}

/// Returns the page of a defect; `usual` says how it is found if its example does not.
fn with_found(defect: Defect, usual: Option<&str>) -> Document {
    let mut out = Document::default();
    let id = defect.to_string();
    out.heading(3, strong(&*id));
    out.paragraph(sentence(&defect.name()));
    let own = id.rsplit('/').next().unwrap_or_default();
    let of_part = EXAMPLES.get(defect.part().id());
    if let Some(example) = of_part.and_then(|part| part.get(own)) {
        out.paragraph("Wrong:");
        out.preformatted(&example.wrong);
        out.paragraph("Right:");
        out.preformatted(&example.right);
        out.paragraph(marked(&format!("Where to look: {}.", defect.advice())));
        if let Some(found) = example.found.as_deref().or(usual) {
            out.paragraph(format!("Found by: {found}."));
        }
        let others = example.like.iter().filter_map(|id| find(id));
        let others = others.map(|other| format!("`{other}` ({})", other.name()));
        let others: Vec<String> = others.collect();
        if !others.is_empty() {
            out.paragraph(marked(&format!("Easily taken for: {}.", others.join(", "))));
        }
    }
    out
}

/// Returns a name as a sentence.
fn sentence(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}

/// Says how most defects of a part are found.
fn usual_way(part: Part) -> &'static str {
    match part {
        Part::Reporting => {
            "row 0, which must be the problem's start, and the rows after it: they are read in other conventions, and one of \
             these gives the motion"
        }
        Part::Model => {
            "what stays of a step's error, divided by the step, as the step falls: laws are fitted to it, and this one explains \
             it to the last digit"
        }
        Part::Scheme => {
            "the error of one step on short problems, expanded in powers of the step, for many bodies, starts and torques"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_defect_has_an_example_and_names_defects_that_exist() {
        let ids: Vec<String> = Defect::all().map(|d| d.to_string()).collect();
        let parts = EXAMPLES.iter();
        let written =
            parts.flat_map(|(part, of)| of.iter().map(move |(id, e)| (format!("{part}/{id}"), e)));
        let written: BTreeMap<String, &Example> = written.collect();
        for id in &ids {
            let example = written
                .get(id)
                .unwrap_or_else(|| panic!("src/cli/defects.toml lacks {id}"));
            assert_ne!(example.wrong, example.right, "{id}");
            for like in &example.like {
                assert!(ids.contains(like) && like != id, "{id} names {like}");
            }
        }
        assert_eq!(written.len(), ids.len(), "an example of no defect");
    }
}
