//! The evidence of several problems together.

use super::{Conclusion, Diagnosis, Part};
use serde::Serialize;

/// A defect over several problems.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Together {
    /// Its name that does not change.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What part of the solver is wrong.
    pub part: Part,
    /// Problems on which it is named.
    pub named_on: Vec<String>,
    /// Problems on which it is not told from what is named.
    pub possible_on: Vec<String>,
    /// Problems that cannot show it.
    pub hidden_on: Vec<String>,
    /// Problems that speak against it: something else is named there, or nothing is wrong.
    pub against: Vec<String>,
}

/// What several problems say together, what is named most often first. Of what one problem cannot tell
/// apart, another often excludes all but one; what is possible only and excluded somewhere is left out.
pub fn together(all: &[(&str, &Diagnosis)]) -> Vec<Together> {
    let mut ids: Vec<(String, String, Part)> = Vec::new();
    for (_, d) in all {
        for c in &d.causes {
            let named = [(&c.id, &c.name)].into_iter();
            for (id, name) in named.chain(c.alike.iter().map(|a| (&a.id, &a.name))) {
                if !ids.iter().any(|(known, ..)| known == id) {
                    ids.push((id.clone(), name.clone(), c.part));
                }
            }
        }
    }
    let mut out: Vec<Together> = ids
        .into_iter()
        .map(|(id, name, part)| {
            let mut t = Together {
                id,
                name,
                part,
                named_on: Vec::new(),
                possible_on: Vec::new(),
                hidden_on: Vec::new(),
                against: Vec::new(),
            };
            for (case, d) in all {
                if let Some(list) = t.place(d) {
                    list.push((*case).into());
                }
            }
            t
        })
        .filter(|t| !t.named_on.is_empty() || t.against.is_empty())
        .collect();
    out.sort_by_key(|t| (core::cmp::Reverse(t.named_on.len()), t.against.len()));
    out
}

impl Together {
    /// The list a problem with this diagnosis belongs to.
    fn place(&mut self, d: &Diagnosis) -> Option<&mut Vec<String>> {
        let id = &self.id;
        if d.causes.iter().any(|c| c.id == *id) {
            return Some(&mut self.named_on);
        }
        let alike = d.causes.iter().flat_map(|c| &c.alike);
        if alike.into_iter().any(|a| a.id == *id) {
            return Some(&mut self.possible_on);
        }
        if d.hidden.iter().any(|a| a.id == *id) {
            return Some(&mut self.hidden_on);
        }
        match d.conclusion {
            // Defects of schemes and reports need not show everywhere.
            Conclusion::Right if self.part == Part::Model => Some(&mut self.against),
            Conclusion::Named if d.causes.iter().any(|c| c.part == self.part) => {
                Some(&mut self.against)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Alike, Cause};
    use super::*;

    fn alike(id: &str) -> Alike {
        Alike {
            id: id.into(),
            name: id.into(),
            told_by: None,
        }
    }

    fn named(id: &str, others: &[&str]) -> Diagnosis {
        Diagnosis {
            conclusion: Conclusion::Named,
            causes: vec![Cause {
                id: id.into(),
                part: Part::Model,
                name: id.into(),
                evidence: String::new(),
                advice: String::new(),
                alike: others.iter().map(|o| alike(o)).collect(),
            }],
            ..Diagnosis::unsettled("")
        }
    }

    #[test]
    fn problems_exclude_what_others_leave_open() {
        let right = |hidden: &[&str]| Diagnosis {
            conclusion: Conclusion::Right,
            hidden: hidden.iter().map(|h| alike(h)).collect(),
            ..Diagnosis::unsettled("")
        };
        let (a, b, c) = (named("x", &["y", "z"]), named("y", &[]), right(&["y"]));
        let all = together(&[("a", &a), ("b", &b), ("c", &c)]);
        let ids: Vec<_> = all.iter().map(|t| t.id.as_str()).collect();
        // z is excluded by b; x is named on one, and b and c speak against it.
        assert_eq!(ids, ["y", "x"]);
        let y = &all[0];
        let places = [&y.named_on, &y.possible_on, &y.hidden_on, &y.against];
        assert_eq!(
            places,
            [
                &vec!["b".to_string()],
                &vec!["a".into()],
                &vec!["c".into()],
                &vec![]
            ]
        );
        assert_eq!(all[1].against, ["b", "c"]);
        assert!(together(&[("c", &c)]).is_empty());
    }
}
