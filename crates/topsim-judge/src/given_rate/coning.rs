//! The coning term: what turns about two axes have beside the sum of their increments.

use super::lag::{Update, takes_values};
use super::questions::{ASKED, Answers, INTERVAL, crossed};
use super::rotation_vector::{Fit, Term, nearest};
use super::turns::{UPDATES, of_samples, truncation};
use crate::identification::{Certainty, Claim};
use crate::thresholds::*;
use topsim_core::math::{Mat3, so3};
use topsim_core::schemes::{Magnus6, steps};
use topsim_model::defect::SchemeDefect;

/// What is told of the coning term.
#[derive(Default)]
pub(super) struct Coning {
    pub claim: Option<Claim>,
    pub rule: Vec<String>,
    /// Samples of an update, where the rule is known.
    pub samples: Option<u32>,
}

/// What the turn of the last step lacks, at the step and at the shorter one, as a multiple of what updates of one sample lack that have no
/// coning term: (ns)³/12 a × b in each update of n samples s, so that they lack n².
fn lacking(asked: &Answers) -> Option<[f64; 2]> {
    let row = ASKED.rows as usize - 1;
    let span = (row as f64 * ASKED.step, ASKED.step / 64.0, 64);
    let mut exact = Mat3::identity();
    steps::advance(&Magnus6 {}, &crossed().given, span, &mut exact, &|| true).ok()?;
    let samples = [INTERVAL, INTERVAL / ASKED.finer as f64];
    Some([0, 1].map(|i| {
        let rows = &asked.crossed[i];
        let own = rows[row].tr_mul(&rows[row + 1]);
        let unit =
            ASKED.crossed[0] * ASKED.crossed[1] * samples[i] * samples[i] * ASKED.step / 12.0;
        so3::log(&own.tr_mul(&exact)).z / unit
    }))
}

/// The updates without a coning term that lack so much, to this part of it.
fn without_term(lacking: f64, within: f64) -> Option<u32> {
    let near = |n: &u32| (lacking / f64::from(n * n) - 1.0).abs() < within;
    UPDATES.into_iter().find(near)
}

/// The updates without a coning term that take the rate so many samples too late: turned about two axes, that lag lacks −½ a × b for
/// the time of the step, which is 72 samples.
pub(super) fn of_lag(asked: &Answers, lag: f64) -> Option<u32> {
    let [short, _] = lacking(asked)?;
    without_term(short + 72.0 * lag, 0.15)
}

/// Returns what is said of attitudes about two axes that are of first order, though a constant rate turns them rightly.
fn first_order(asked: &Answers) -> Option<String> {
    let time = ASKED.rows as f64 * ASKED.step;
    let mut exact = crossed().given.initial;
    let span = (0.0, ASKED.step / 64.0, 64 * ASKED.rows);
    steps::advance(&Magnus6 {}, &crossed().given, span, &mut exact, &|| true).ok()?;
    let errors = asked
        .crossed
        .each_ref()
        .map(|rows| so3::angle_between(&exact, &rows[ASKED.rows as usize]));
    let power = truncation(errors).filter(|power| power.round() <= 1.0)?;
    let [off, _] = errors;
    (off > SINGLE_DIGITS).then(|| {
        format!(
            "It is of first order where the axis of the rate turns: {off:.2e} rad off after {time} s, like h^{power:.1}, by something that is \
             carried on from the start, such as a rotation vector whose rate is taken at its old value."
        )
    })
}

pub(super) fn coning(asked: &Answers, update: Update) -> Coning {
    if let Some(rule) = first_order(asked) {
        return said(rule);
    }
    let Some([short, fine]) = lacking(asked) else {
        return Coning::default();
    };
    let ratio = fine / short;
    // What falls with the step is an error of truncation; what grows, the last digits of rows with few of them.
    if short.abs() < FIRST_ORDER || !((ratio - 1.0).abs() < TENTH) {
        let fit = nearest(asked, update).filter(|fit| fit.apart < ALL_DIGITS);
        return match fit {
            Some(fit) if !fit.is_right() => fit.wrong(),
            Some(fit) => fit.right(),
            None if ratio.abs() < HALF || short.abs() < FIRST_ORDER => {
                said("The coning of an update is made up for.".into())
            }
            None => Coning::default(),
        };
    }
    let without = without_term(short, 0.02);
    if takes_values(asked, update) {
        let of = without.map_or(String::new(), |n| format!(", {}", of_samples(n)));
        return said(format!(
            "It takes values of the rate without a coning term{of}: order 2."
        ));
    }
    if let Some(fit) = nearest(asked, update).filter(|fit| fit.apart < ADDED_ROUNDING) {
        let told = fit.wrong();
        return if fit.apart < ALL_DIGITS {
            told
        } else {
            told.less_sure()
        };
    }
    match without {
        Some(1) => said(
            "It leaves out the coning within a sample: order 2, as of updates of one sample."
                .into(),
        ),
        Some(n) => claimed(missing(format!(
            "it lacks as much as updates of {n} samples do that turn by the sum of their increments alone"
        )))
        .less_sure(),
        None => {
            // Of the readings that updates of other lengths give, the one that is a fraction of small numbers.
            let readings = UPDATES.into_iter().rev().filter(|n| *n > 1).map(|n| {
                let factor = 1.0 - short / f64::from(n * n);
                let from_quarter = (factor - (4.0 * factor).round() / 4.0).abs();
                (from_quarter + 0.01 * factor.abs(), factor, n)
            });
            let simplest = readings.min_by(|a, b| a.0.total_cmp(&b.0));
            simplest.map_or_else(Coning::default, |(_, factor, n)| {
                claimed(wrong(factor, n, "")).less_sure()
            })
        }
    }
}

impl Coning {
    fn less_sure(mut self) -> Self {
        if let Some(claim) = &mut self.claim {
            claim.certainty = Certainty::LooksLike;
        }
        self
    }
}

fn claimed(claim: Claim) -> Coning {
    Coning {
        claim: Some(claim),
        ..Coning::default()
    }
}

fn said(rule: String) -> Coning {
    Coning {
        rule: vec![rule],
        ..Coning::default()
    }
}

fn missing(evidence: String) -> Claim {
    Claim::of_given_rate(SchemeDefect::ConingTerm, evidence).named("the coning term is missing")
}

/// With four decimals at most.
fn decimal(x: f64) -> String {
    format!("{}", (1e4 * x).round() / 1e4)
}

fn wrong(factor: f64, samples: u32, more: &str) -> Claim {
    let of = of_samples(samples);
    let factor = decimal(factor);
    let evidence = format!("its coning term is {factor} of the right one {of}{more}");
    Claim::of_given_rate(SchemeDefect::ConingTerm, evidence).named("the coning term is wrong")
}

impl Fit {
    /// The weight of the term for the right one.
    fn factor(&self) -> f64 {
        self.weight / self.term.right().0
    }
    /// To the digits with which people write such weights.
    fn is_right(&self) -> bool {
        (self.factor() - 1.0).abs() < NEGLIGIBLE
    }
    fn parts(&self) -> String {
        match self.part {
            _ if self.term == Term::Before => String::new(),
            1 => " of one sample".into(),
            n => format!(" of {n} samples"),
        }
    }

    fn right(&self) -> Coning {
        let formula = self.term.formula(self.term.right().1, &self.parts());
        let (of, apart) = (of_samples(self.samples), self.apart);
        let mut rule = vec![format!(
            "Its rows are those of the coning term {formula}, {of}, to {apart:.0e} rad."
        )];
        if self.from_zero {
            rule.push(
                "It takes the increment before the start as zero, an error of the third power that is made once."
                    .into(),
            );
        }
        Coning {
            rule,
            samples: Some(self.samples),
            claim: None,
        }
    }

    /// A term whose weight is another one, or that is missing.
    fn wrong(&self) -> Coning {
        let of = of_samples(self.samples);
        let samples = Some(self.samples);
        let none = self.factor().abs() < HUNDREDTH;
        let (claim, rule) = if none && self.term == Term::Summed {
            let parts = self.parts();
            let said = format!(
                "Its coning term is ½ Σ α×θ over parts{parts}, {of}, without the coning within a part: order 2."
            );
            (None, vec![said])
        } else if none && self.samples == 1 {
            let said = "It takes increments of one sample without a coning term: order 2.";
            (None, vec![said.into()])
        } else if none {
            let n = self.samples;
            let evidence =
                format!("its updates of {n} samples turn by the sum of their increments alone");
            (Some(missing(evidence)), Vec::new())
        } else {
            let formula = self.term.formula(&decimal(self.weight), &self.parts());
            let more = format!(": {formula}, where {} is meant", self.term.right().1);
            (Some(wrong(self.factor(), self.samples, &more)), Vec::new())
        };
        Coning {
            claim,
            rule,
            samples,
        }
    }
}
