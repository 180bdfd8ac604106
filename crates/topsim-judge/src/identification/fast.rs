//! A limit in the law that acts on fast bodies alone: the rule is known from slow ones, and with the limit it gives all rows.

use super::design;
use super::design::Group;
use super::experiment::{Load, Probe, Row, Start};
use super::row_symptoms::{GivenRows, LawEvidence, LawOfRows};
use super::runs::MeasuredRuns;
use super::symptom::Symptom;
use crate::thresholds::{ADDED_ROUNDING, CLEARLY, SERIES_LEFT};
use topsim_model::{Found, Observed, Print, StepHistory, follow, limited};

/// Rules that are not told apart on slow bodies, of which a limit is looked for, at most.
const RULES: usize = 3;

/// Returns rows whose convention has been undone as a history.
fn history((step, rows): (f64, &[Row])) -> StepHistory {
    let row = |row: &Row| Row {
        quaternion: None,
        rate: row.omega,
        rate_in_space: false,
        ..row.clone()
    };
    let rows: Vec<Row> = rows.iter().map(row).collect();
    let print = Print::of(&rows);
    StepHistory { step, rows, print }
}

impl MeasuredRuns {
    /// Returns a limit of the law that fast bodies show.
    pub fn limit(&self) -> Option<Symptom> {
        let error = |(p, rows): &(Probe, Vec<Row>)| {
            let s = &p.start;
            let (_, exact) = s.exact(0.0, p.step, &s.att, &s.omega);
            Some((rows.get(1)?.omega - exact).norm() / s.omega.norm())
        };
        let errors: Vec<f64> = self.fast.iter().filter_map(error).collect();
        let most = errors.iter().copied().fold(0.0, f64::max);
        let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
        if !(most > ADDED_ROUNDING.max(CLEARLY * least).min(SERIES_LEFT)) {
            return None;
        }
        let free = self.all.iter().filter(|s| s.designed.group == Group::Free);
        let slow = free.flat_map(|s| s.steps.into_iter().zip(s.rows.iter().map(|r| &r[..])));
        let slow: Vec<StepHistory> = slow.map(history).collect();
        let fast = self.fast.iter().map(|(p, rows)| history((p.step, rows)));
        let body = Start {
            load: Load::None,
            ..design::standard()
        };
        let all = Observed::new(&body, slow.iter().cloned().chain(fast).collect());
        let rules = follow(&Observed::new(&body, slow), None, &|| true).found;
        let mut found = rules
            .iter()
            .take(RULES)
            .filter_map(|f| limited(&all, f.model.stepping));
        found.next().and_then(|found| said(&found, all))
    }
}

/// Returns a law that explains rows as a symptom.
fn said(found: &Found, observed: Observed) -> Option<Symptom> {
    let law = found.model.law.clone();
    Some(Symptom::LawOfRows(Box::new(LawOfRows {
        defect: law.first()?.term.defect()?,
        law,
        by: LawEvidence::Rule(GivenRows::new(found, &observed)),
        body: observed.body,
        shared: false,
        rivals: Vec::new(),
    })))
}
