//! Claims of the law and the habit of a model that explains rows, or of the law that the motion shows.

use super::explained::{Explained, is_right};
use crate::defect::{Defect, ModelDefect, SchemeDefect};
use crate::identification::experiment::Start;
use crate::identification::{Certainty, Claim, coefficients, from_another_rate, law_numbers};
use crate::numbers::brief;
use topsim_model::habit::Factor;
use topsim_model::ladder::MotionLaw;
use topsim_model::{Change, Found, Model, Observed};

/// Rows of each history by which the right law is compared.
const ROWS: usize = 5;
/// Numbers nearer than this to those of a defect are its numbers.
const NAMED: f64 = 2e-4;
/// Most numbers of a law that the motion of one body shows with certainty: a tensor has six.
const MOST_NUMBERS: usize = 6;
/// Numbers that are less certain than this are not taken for exact ones.
const VAGUE: f64 = 1e-2;

impl Explained {
    /// Returns the law and the habit of a model that explains the rows with its rule.
    pub fn law_of_rule(&self, found: &Found) -> Vec<Claim> {
        let model = &found.model;
        if is_right(model) {
            return Vec::new();
        }
        let right = Model {
            law: Vec::new(),
            habit: Default::default(),
            ..model.clone()
        };
        let equations = right.equations(&self.observed.body);
        let few = self.observed.few(ROWS);
        let missed = few
            .iter()
            .filter_map(|i| self.observed.miss(&right, &equations, i));
        let mut missed: Vec<f64> = missed.map(|r| r.size).collect();
        missed.sort_by(f64::total_cmp);
        let without = missed.get(missed.len() / 2).copied();
        let without = without.map_or("more than can be told".into(), brief);
        let evidence = format!(
            "simulated with it, {} gives {} of {} rows to their rounding; without it the same rule misses by {}",
            model.stepping, found.evidence.explained, found.evidence.informative, without
        );
        let rivals = self.by.found.iter().filter(|f| {
            f.model.law.len() != model.law.len()
                || f.model
                    .law
                    .iter()
                    .zip(&model.law)
                    .any(|(a, b)| a.term != b.term)
        });
        let rivals: Vec<&[Change]> = rivals.map(|f| &f.model.law[..]).collect();
        let by_factor = factor(model.habit.factor, &evidence, &self.observed.body);
        if let Some(claim) = by_factor {
            return vec![claim];
        }
        self.law(&model.law, &rivals, &evidence, true)
    }

    /// Returns the law that the motion alone shows.
    pub fn law_of_motion(&self, found: &MotionLaw) -> Vec<Claim> {
        let all = |sizes: &[f64]| {
            let sizes: Vec<String> = sizes.iter().map(|x| brief(*x)).collect();
            sizes.join(", ")
        };
        let evidence = format!(
            "followed from row to row, its motion leaves {} from the coarse to the fine step, and the right one leaves {}",
            all(&found.left),
            all(&found.right)
        );
        let rivals: Vec<&[Change]> = found.rivals.iter().map(|r| &r[..]).collect();
        // The motion of one body takes many numbers for a law that is outside the family.
        let numbers: usize = found.law.iter().map(|c| c.added.len()).sum();
        let certain = numbers <= MOST_NUMBERS;
        self.law(&found.law, &rivals, &evidence, certain)
    }

    /// Returns the claims that are made of a law: one for all of its numbers where they are one defect, or one for each term.
    fn law(
        &self,
        law: &[Change],
        rivals: &[&[Change]],
        evidence: &str,
        certain: bool,
    ) -> Vec<Claim> {
        let errors = law.iter().flat_map(|c| &c.errors).copied();
        let slack = errors.fold(NAMED, f64::max).min(VAGUE);
        let of = |changes: &[Change]| {
            let found = defect(changes, &self.observed, slack)?;
            Some(if self.from_another_rate {
                from_another_rate(found)
            } else {
                found
            })
        };
        let whole = of(law);
        // Of a rival with several terms, the names of those that the law does not have.
        let others = rivals.iter().flat_map(|r| match of(r) {
            Some(defect) => vec![defect],
            None => r.chunks(1).filter_map(&of).collect(),
        });
        let own: Vec<ModelDefect> = match whole {
            Some(defect) => vec![defect],
            None => law.chunks(1).filter_map(&of).collect(),
        };
        let others = others.filter(|d| !own.contains(d));
        let mut names: Vec<&str> = others.map(ModelDefect::name).collect();
        names.sort_unstable();
        names.dedup();
        let groups: Vec<&[Change]> = match whole {
            Some(_) => vec![law],
            None => law.chunks(1).collect(),
        };
        let together = if groups.len() > 1 {
            "together with the other cause, "
        } else {
            ""
        };
        let body = &self.observed.body;
        let claim = |changes: &[Change]| {
            let mut said = format!("{}; {together}{evidence}", law_numbers(changes, body));
            if !names.is_empty() {
                said += &format!("; not told here from: {}", names.join(", "));
            }
            let id = of(changes).unwrap_or(ModelDefect::Unexplained);
            // Steps that are rounded to the solver's own may all be shortened by one factor.
            let clock = id == ModelDefect::Clock;
            if clock {
                said += "; or steps are rounded to a whole number of the solver's own";
            }
            let alone = names.is_empty() || whole.is_some_and(ModelDefect::has_several_terms);
            let certainty = if certain && !clock && alone {
                Certainty::Is
            } else {
                Certainty::LooksLike
            };
            claim(id, certainty, said, (changes, body))
        };
        groups.into_iter().map(claim).collect()
    }
}

pub(super) fn defect(changes: &[Change], observed: &Observed, slack: f64) -> Option<ModelDefect> {
    ModelDefect::of(changes, observed.body.inertia.tensor(), slack)
}

/// Returns the claim that is made of a factor of the rate in each step.
fn factor(factor: Factor, evidence: &str, body: &Start) -> Option<Claim> {
    let (c, form, unit) = match factor {
        Factor::None => return None,
        Factor::Constant(c) => (c, "1 − c", ""),
        Factor::Linear(c) => (c, "1 − c h", " 1/s"),
        Factor::Exponential(c) => (c, "exp(−c h)", " 1/s"),
        Factor::Inverse(c) => (c, "1/(1 + c h)", " 1/s"),
    };
    let said = format!(
        "W is multiplied by {form} with c = {}{unit} in each step; {evidence}",
        brief(c)
    );
    let Some(law) = factor.law() else {
        return Some(Claim::is(SchemeDefect::PerStep, said));
    };
    let id = law.term.defect().unwrap_or(ModelDefect::Unexplained);
    Some(claim(id, Certainty::Is, said, (&[law], body)))
}

fn claim(
    id: ModelDefect,
    certainty: Certainty,
    evidence: String,
    (law, body): (&[Change], &Start),
) -> Claim {
    Claim {
        certainty,
        coefficients: coefficients(law, body),
        ..Claim::is(Defect::from(id), evidence)
    }
}
