//! Whose steps are these? A history whose rows equal those of a known scheme with the same step, to
//! round-off, was made by that scheme.

use super::cause::{IdentifiedScheme, SchemeId};
use super::common::largest;
use crate::defect::ModelDefect;
use crate::history::{Body, Point, nearest_rotation};
use crate::model::SolverModel;
use crate::naive_scheme::{NaiveScheme, Nature};
use std::sync::Arc;
use topsim_core::integration::{Experiment, Stops, follow};
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::RotState;

/// Steps made at most.
const MOST_STEPS: u64 = 20_000;
/// Rows compared from the start on.
const FIRST_ROWS: usize = 50;
/// Later rows compared, about.
const MOST_ROWS: usize = 250;
/// Two histories of one scheme differ by rounding, which motions amplify, rad.
const SAME: f64 = 1e-8;
/// The history must be so much further from the exact motion than from the scheme's.
const TELLING: f64 = 100.0;

/// A scheme of the catalogue, bound to the case.
pub(crate) struct Candidate {
    /// Name.
    pub name: String,
    /// Order it claims.
    pub order: u8,
    /// Whether it drives free bodies to their intermediate axis.
    pub clamps: bool,
    /// The scheme.
    pub experiment: Arc<dyn Experiment>,
}

/// Rows of a history that lie on its steps.
pub(super) struct OnSteps {
    start: f64,
    step: f64,
    counts: Vec<u64>,
    rows: Vec<Point>,
    /// How near the history must be, rad.
    same: f64,
}

/// A naive scheme, perhaps of a wrong model, that fits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fit {
    /// What is wrong with the model; nothing of the right one.
    pub defect: Option<ModelDefect>,
    pub scheme: NaiveScheme,
    pub within: f64,
}

impl OnSteps {
    /// Rows at multiples of the step after `start`; `None` without at least two beyond the start, or
    /// where the history is no further than rounding from the exact motion (`error`, rad, of its
    /// rows until a time).
    pub fn new(
        points: &[Point],
        (start, step): (f64, f64),
        error: &dyn Fn(f64) -> f64,
        digits: f64,
    ) -> Option<Self> {
        let on_step = |p: &Point| {
            let n = ((p.t - start) / step).round();
            let on = (p.t - start - n * step).abs() <= 1e-6 * step + 1e-12 * p.t.abs();
            (on && n >= 0.0 && n <= MOST_STEPS as f64).then_some((n as u64, *p))
        };
        let all: Vec<_> = points.iter().filter_map(on_step).collect();
        // The first rows, to refuse soon, and others evenly spread.
        let every = all.len().saturating_sub(FIRST_ROWS) / MOST_ROWS + 1;
        let taken = |i: usize| i < FIRST_ROWS || (i - FIRST_ROWS).is_multiple_of(every);
        let taken = all.into_iter().enumerate().filter(|(i, _)| taken(*i));
        let (counts, rows): (Vec<u64>, Vec<Point>) = taken.map(|(_, x)| x).unzip();
        let last = rows.last().filter(|_| rows.len() >= 3)?;
        let same = SAME.min(error(last.t) / TELLING).max(30.0 * digits);
        let telling = error(last.t) >= TELLING * same;
        (telling && same >= 1e-11).then_some(Self {
            start,
            step,
            counts,
            rows,
            same,
        })
    }

    fn stops(&self) -> Stops<'_> {
        Stops {
            start: self.start,
            step: self.step,
            counts: &self.counts,
        }
    }

    /// Rows compared.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    fn part(&self, i: usize, att: &Mat3, omega: &Vec3) -> f64 {
        let p = &self.rows[i];
        let angle = so3::angle_between(&p.att, att);
        // The rate counts where it is given: as the angle it turns in a step, and at 1 s of it.
        p.omega.map_or(angle, |w| {
            let size = w.norm().max(1.0);
            largest([angle, (w - omega).norm() / size].into_iter())
        })
    }

    /// How far the scheme's own history strays; `None` where it is not the same.
    pub fn catalogue(&self, experiment: &dyn Experiment) -> Option<f64> {
        let columns = experiment.columns();
        let (r, w) = (columns.position("R11")?, columns.position("W1")?);
        let mut worst = 0.0;
        let mut seen = 0;
        experiment.follow(&self.stops(), &mut |i, row| {
            let att = Mat3::from_row_slice(&row[r..r + 9]);
            let part = self.part(i, &att, &Vec3::from_column_slice(&row[w..w + 3]));
            worst = largest([worst, part].into_iter());
            seen = i + 1;
            worst <= self.same
        });
        (worst <= self.same && seen == self.rows.len()).then_some(worst)
    }

    /// The same of a naive scheme of a model.
    pub fn naive(&self, body: &SolverModel, scheme: &NaiveScheme) -> Option<f64> {
        let mut worst = 0.0;
        let mut seen = 0;
        follow(body, scheme, &self.stops(), &mut |i, y: &RotState| {
            // As a reader of its history makes it a rotation.
            let att = nearest_rotation(y.att);
            let part = self.part(i, &att, &y.omega);
            worst = largest([worst, part].into_iter());
            seen = i + 1;
            worst <= self.same
        });
        (worst <= self.same && seen == self.rows.len()).then_some(worst)
    }
}

/// The schemes of the catalogue that make these steps, nearest first.
pub(super) fn of_catalogue<'a>(
    on: &OnSteps,
    candidates: &'a [Candidate],
) -> Vec<(&'a Candidate, f64)> {
    let fits = candidates
        .iter()
        .filter_map(|c| Some((c, on.catalogue(&*c.experiment)?)));
    let mut fits: Vec<_> = fits.collect();
    fits.sort_by(|a, b| a.1.total_cmp(&b.1));
    fits
}

/// The naive schemes that make these steps with one of the models, nearest first.
pub(super) fn of_naive(on: &OnSteps, body: &Body, models: &[Option<ModelDefect>]) -> Vec<Fit> {
    let schemes = NaiveScheme::all();
    let mut fits = Vec::new();
    for defect in models {
        let model = SolverModel::new(body.top(), *defect);
        for scheme in &schemes {
            // Without a gyroscopic term there is nothing to clamp or to solve.
            if model.lacks_gyroscopic_term() && scheme.treats_gyroscopic_term() {
                continue;
            }
            if let Some(within) = on.naive(&model, scheme) {
                fits.push(Fit {
                    defect: *defect,
                    scheme: *scheme,
                    within,
                });
            }
        }
    }
    // Of those that agree, the plainest first: the right model, then the sounder scheme.
    fits.sort_by(|a, b| {
        let key = |f: &Fit| (f.defect.is_some(), rank(f.scheme.nature()));
        key(a).cmp(&key(b)).then(a.within.total_cmp(&b.within))
    });
    fits
}

fn rank(nature: Nature) -> u8 {
    match nature {
        Nature::Sound => 0,
        Nature::FirstOrder => 1,
        Nature::Defect => 2,
    }
}

/// A scheme of the catalogue, identified.
pub(super) fn identified(fits: &[(&Candidate, f64)], rows: usize) -> Option<IdentifiedScheme> {
    let (best, within) = fits.first()?;
    let weakness = (best.order < 2).then(|| {
        "of first order: ten times finer steps for one more digit, where second order takes three"
            .to_string()
    });
    Some(IdentifiedScheme {
        id: SchemeId::Catalogue(best.name.clone()),
        name: best.name.clone(),
        detail: String::new(),
        within: *within,
        rows,
        alike: fits[1..].iter().map(|(c, _)| c.name.clone()).collect(),
        weakness,
    })
}
