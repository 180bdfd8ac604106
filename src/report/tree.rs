//! The report: data only. Whatever is judged ends here, and renderers draw it without integrating
//! again.

use crate::check::RunView;
use crate::study::Finding;
use crate::study::scorecard::Card;
use crate::suite::Figure;
use std::collections::BTreeMap;
use std::time::Duration;
use strict_toml::harmless;
use topsim_core::integration::{End, Probes, Run, StopReason};
use topsim_core::reference::{NoReference, RowReference};
use topsim_core::verdict::{Status, Verdict};
use topsim_judge::Report as HistoryReport;

/// A whole report.
#[derive(Default)]
pub struct Report {
    /// Cases, in the order asked for.
    pub cases: Vec<Case>,
    /// Git revision of the program, where it is known.
    pub revision: String,
    /// The command of the solver that was judged, where it is one.
    pub solver: Option<String>,
    /// Whether somebody interrupted it.
    pub interrupted: bool,
    /// Time it took.
    pub wall: Duration,
}

/// One case.
pub struct Case {
    /// Name.
    pub name: String,
    /// Where the case was read.
    pub origin: String,
    /// Title.
    pub title: String,
    /// Summary.
    pub summary: String,
    /// SHA-256 of the case file; empty where there is none.
    pub hash: String,
    /// Sources.
    pub references: Vec<String>,
    /// The reference, or why there is none.
    pub reference: Result<Box<dyn RowReference>, NoReference>,
    /// Things to know.
    pub warnings: Vec<String>,
    /// What was made: runs, studies, cards, histories of others.
    pub items: Vec<Item>,
    /// Verdicts, in the order of the tolerance file.
    pub verdicts: Vec<Verdict>,
    /// Figures to draw.
    pub figures: Vec<Figure>,
    /// Names of the events, in the order of the events of runs.
    pub events: Vec<String>,
}

/// Something that was made.
pub enum Item {
    /// An integration.
    Run(Box<RunItem>),
    /// A study.
    Study(Box<Finding>),
    /// What was measured of a scheme.
    Card(Box<Card>),
    /// Histories of somebody else's solver.
    Histories(Box<HistoryReport>),
}

/// One integration.
#[derive(Debug, Clone)]
pub struct RunItem {
    /// Scheme label.
    pub scheme: String,
    /// Name of the scheme in the registry.
    pub scheme_name: String,
    /// Step as the case writes it.
    pub step: String,
    /// History and numbers.
    pub run: Run,
    /// What was found on its step map.
    pub probes: Probes,
    /// Time it took.
    pub wall: Duration,
}

/// Why a run is not complete.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum IncompleteRun {
    /// It was stopped on the way back of a study.
    #[error("stopped by --time-limit on the way back of a study")]
    Probe,
    /// It was stopped.
    #[error("{} after {steps} steps (t = {t})", match why {
        StopReason::Deadline => "stopped by --time-limit",
        StopReason::Interrupted => "interrupted",
    })]
    Stopped {
        /// Why.
        why: StopReason,
        /// Steps made.
        steps: u64,
        /// Time reached, s.
        t: f64,
    },
    /// A step failed.
    #[error("failed at step {step} (t = {t}): {why}")]
    Failed {
        /// Why.
        why: topsim_core::schemes::StepFail,
        /// Its number, from 1.
        step: u64,
        /// Time at its start, s.
        t: f64,
    },
}

impl RunItem {
    /// Stem of its files.
    pub fn stem(&self) -> String {
        format!("{}_h{}", self.scheme, self.step)
    }

    /// As checks and studies see it.
    pub fn view(&self) -> RunView<'_> {
        RunView {
            scheme: &self.scheme,
            step: &self.step,
            run: &self.run,
            probes: &self.probes,
        }
    }

    /// How it ended; a probe that was stopped leaves it incomplete too.
    ///
    /// # Errors
    /// Why it is not complete.
    pub fn outcome(&self) -> Result<(), IncompleteRun> {
        let t = |n: u64| self.run.times[0] + n as f64 * self.run.h;
        match self.run.end {
            End::Reached if self.probes.stopped() => Err(IncompleteRun::Probe),
            End::Reached => Ok(()),
            End::Stopped { at, why } => Err(IncompleteRun::Stopped {
                why,
                steps: at,
                t: t(at),
            }),
            End::Failed { at, why } => Err(IncompleteRun::Failed {
                why,
                step: at + 1,
                t: t(at),
            }),
        }
    }
}

impl Case {
    /// What the histories of a case show.
    pub fn of_histories(histories: HistoryReport) -> Self {
        Self {
            name: histories.case.clone(),
            title: histories.title.clone(),
            verdicts: histories.verdicts.iter().map(Verdict::named).collect(),
            items: vec![Item::Histories(Box::new(histories))],
            ..Self::empty()
        }
    }

    /// A case of nothing but cards: a verdict for each.
    pub fn of_cards(cards: Vec<Card>) -> Self {
        let verdict = |card: &Card| {
            let wrong = card.disagreements();
            let status = if wrong.is_empty() {
                Status::Passed
            } else {
                Status::Failed
            };
            let mut verdict = Verdict::new(format!("claims/{}", card.name), status);
            verdict.detail = Some(if wrong.is_empty() {
                "as claimed".into()
            } else {
                format!("not as claimed: {}", wrong.join(", "))
            });
            verdict
        };
        Self {
            name: "scorecard".into(),
            title: "What is claimed of schemes".into(),
            verdicts: cards.iter().map(verdict).collect(),
            items: cards.into_iter().map(|c| Item::Card(Box::new(c))).collect(),
            ..Self::empty()
        }
    }

    fn empty() -> Self {
        Self {
            name: String::new(),
            origin: String::new(),
            title: String::new(),
            summary: String::new(),
            hash: String::new(),
            references: Vec::new(),
            reference: Err(NoReference::Unasked),
            warnings: Vec::new(),
            items: Vec::new(),
            verdicts: Vec::new(),
            figures: Vec::new(),
            events: Vec::new(),
        }
    }

    /// The same case with nothing in its texts that a terminal would obey.
    #[must_use]
    pub(crate) fn harmless(mut self) -> Self {
        let plain = |text: &mut String| {
            let keep = |c| if c == '\n' { c } else { harmless(c) };
            *text = text.chars().map(keep).collect();
        };
        plain(&mut self.title);
        self.warnings.iter_mut().for_each(plain);
        for verdict in &mut self.verdicts {
            plain(&mut verdict.id);
            verdict.detail.iter_mut().for_each(plain);
            verdict.known_defect.iter_mut().for_each(plain);
        }
        self
    }

    /// Its runs.
    pub fn runs(&self) -> impl Iterator<Item = &RunItem> + Clone {
        self.items.iter().filter_map(|i| match i {
            Item::Run(r) => Some(&**r),
            _ => None,
        })
    }

    /// What its studies found.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> + Clone {
        self.items.iter().filter_map(|i| match i {
            Item::Study(f) => Some(&**f),
            _ => None,
        })
    }

    /// Histories of somebody else's solver.
    pub fn histories(&self) -> impl Iterator<Item = &HistoryReport> + Clone {
        self.items.iter().filter_map(|i| match i {
            Item::Histories(h) => Some(&**h),
            _ => None,
        })
    }

    /// Whether nothing that was judged speaks against it.
    pub fn passed(&self) -> bool {
        self.verdicts.iter().all(Verdict::is_good)
    }

    /// Whether all that was asked for was made.
    pub fn complete(&self) -> bool {
        self.items.iter().all(|i| match i {
            Item::Run(r) => r.outcome().is_ok(),
            Item::Study(f) => f.outcome.is_ok(),
            Item::Card(_) => true,
            Item::Histories(h) => h.complete(),
        })
    }

    /// Errors of a run against the reference at its last sample, for every group that the
    /// reference knows.
    pub fn end_errors<'r>(&self, item: &'r RunItem) -> BTreeMap<&'r str, f64> {
        let Ok(reference) = &self.reference else {
            return BTreeMap::new();
        };
        let run = &item.run;
        let k = run.times.len() - 1;
        let mut exact = vec![f64::NAN; run.columns.width()];
        reference.row(run.times[k], &mut exact);
        run.columns
            .groups
            .iter()
            .filter(|g| reference.error_of(run.times[k], g.quantity).is_finite())
            .map(|g| (&*g.name, g.distance(run.row(k), &exact)))
            .collect()
    }
}

impl Report {
    /// Whether everything that was judged passed.
    pub fn passed(&self) -> bool {
        self.cases.iter().all(Case::passed)
    }
    /// Whether all that was asked for was made.
    pub fn complete(&self) -> bool {
        !self.interrupted && self.cases.iter().all(Case::complete)
    }
}
