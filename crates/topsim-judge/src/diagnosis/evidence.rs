//! The evidence of several problems together.

use super::{Conclusion, Diagnosis};
use crate::defect::{Defect, Part};
use schemars::JsonSchema;
use serde::Serialize;

/// A defect over several problems.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct DefectEvidence {
    /// The defect.
    #[schemars(with = "String")]
    pub id: Defect,
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
pub fn evidence(all: &[(&str, &Diagnosis)]) -> Vec<DefectEvidence> {
    let mut ids: Vec<(Defect, String, Part)> = Vec::new();
    for (_, d) in all {
        for c in &d.causes {
            let named = [(c.id, &c.name)].into_iter();
            for (id, name) in named.chain(c.alike.iter().map(|a| (a.id, &a.name))) {
                if !ids.iter().any(|(known, ..)| *known == id) {
                    ids.push((id, name.clone(), c.part));
                }
            }
        }
    }
    let mut out: Vec<DefectEvidence> = ids
        .into_iter()
        .map(|(id, name, part)| {
            let mut t = DefectEvidence {
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

impl DefectEvidence {
    /// The list a problem with this diagnosis belongs to.
    fn place(&mut self, d: &Diagnosis) -> Option<&mut Vec<String>> {
        let id = self.id;
        if d.causes.iter().any(|c| c.id == id) {
            return Some(&mut self.named_on);
        }
        let alike = d.causes.iter().flat_map(|c| &c.alike);
        if alike.into_iter().any(|a| a.id == id) {
            return Some(&mut self.possible_on);
        }
        if d.hidden.iter().any(|a| a.id == id) {
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
    use crate::defect::ModelDefect;

    const X: ModelDefect = ModelDefect::TorqueMissing;
    const Y: ModelDefect = ModelDefect::TorqueReversed;
    const Z: ModelDefect = ModelDefect::TorqueDoubled;

    fn alike(all: &[ModelDefect]) -> Vec<Alike> {
        all.iter().map(|d| Alike::new(*d)).collect()
    }

    fn named(id: ModelDefect, others: &[ModelDefect]) -> Diagnosis {
        Diagnosis {
            conclusion: Conclusion::Named,
            causes: vec![Cause::new(id, String::new(), "").beside(alike(others))],
            ..Diagnosis::unsettled("")
        }
    }

    #[test]
    fn problems_exclude_what_others_leave_open() {
        let right = |hidden: &[ModelDefect]| Diagnosis {
            conclusion: Conclusion::Right,
            hidden: alike(hidden),
            ..Diagnosis::unsettled("")
        };
        let (a, b, c) = (named(X, &[Y, Z]), named(Y, &[]), right(&[Y]));
        let all = evidence(&[("a", &a), ("b", &b), ("c", &c)]);
        let ids: Vec<_> = all.iter().map(|t| t.id).collect();
        // Z is excluded by b; X is named on one, and b and c speak against it.
        assert_eq!(ids, [Y, X].map(Defect::Model));
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
        assert!(evidence(&[("c", &c)]).is_empty());
    }
}
