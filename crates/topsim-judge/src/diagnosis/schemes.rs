//! Whose steps are these? A history whose rows equal those of a known scheme with the same step, to
//! round-off, was made by that scheme.

use super::common::{Common, Motion, largest};
use super::{Context, error};
use crate::history::FileReport;
use crate::thresholds::{ADDED_ROUNDING, ADDED_UP, ALL_DIGITS, BY_FAR, DOUBLE, IN_TIME};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;
use topsim_case::Problem;
use topsim_core::integration::registry::{self, SCHEMES};
use topsim_core::integration::{Experiment, Parameters, Stops};
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::schemes::Energy;
use topsim_protocol::history::Sample;

/// Steps made at most.
const MOST_STEPS: u64 = 20_000;
/// Rows compared from the start on.
const FIRST_ROWS: usize = 50;
/// Later rows compared, about.
const MOST_ROWS: usize = 250;

/// Rows of a history that lie on its steps.
pub(super) struct StepRows {
    start: f64,
    step: f64,
    counts: Vec<u64>,
    rows: Vec<Sample>,
    /// How near the history must be, rad.
    same: f64,
}

impl StepRows {
    /// Rows at multiples of the step after `start`; `None` without at least two beyond the start, or
    /// where the history is no further than rounding from the exact motion (`error`, rad, of its
    /// rows until a time).
    pub fn new(
        points: &[Sample],
        (start, step): (f64, f64),
        error: &dyn Fn(f64) -> f64,
        digits: f64,
    ) -> Option<Self> {
        let on_step = |p: &Sample| {
            let n = ((p.t - start) / step).round();
            let on = (p.t - start - n * step).abs() <= IN_TIME * step + DOUBLE * p.t.abs();
            (on && n >= 0.0 && n <= MOST_STEPS as f64).then(|| (n as u64, p.clone()))
        };
        let all: Vec<_> = points.iter().filter_map(on_step).collect();
        // The first rows, to refuse soon, and others evenly spread.
        let every = all.len().saturating_sub(FIRST_ROWS) / MOST_ROWS + 1;
        let taken = |i: usize| i < FIRST_ROWS || (i - FIRST_ROWS).is_multiple_of(every);
        let taken = all.into_iter().enumerate().filter(|(i, _)| taken(*i));
        let (counts, rows): (Vec<u64>, Vec<Sample>) = taken.map(|(_, x)| x).unzip();
        let last = rows.last().filter(|_| rows.len() >= 3)?;
        let same = ADDED_ROUNDING
            .min(error(last.t) / BY_FAR)
            .max(ADDED_UP * digits);
        let telling = error(last.t) >= BY_FAR * same;
        (telling && same >= ALL_DIGITS).then_some(Self {
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
            displacement: &[],
            wanted: &|| true,
        }
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
    pub fn catalogue(&self, experiment: &Experiment) -> Option<f64> {
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
}

/// A scheme of the catalogue whose steps these are.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct IdentifiedScheme {
    /// Its name.
    pub name: String,
    /// Largest angle between the histories and its own, rad.
    pub within: f64,
    /// Rows compared.
    pub rows: usize,
    /// Other schemes that make the same steps here.
    pub alike: Vec<String>,
    /// Order it claims.
    pub order: u8,
    /// Whether it drives free bodies to their intermediate axis.
    #[serde(skip)]
    pub(super) clamps: bool,
}

/// Returns the names and rows of the schemes that serve the case, each bound to it: the catalogue with its defaults, and the case's own.
fn candidates(problem: &Problem) -> Vec<(String, &'static registry::SchemeRow, Arc<Experiment>)> {
    let bound = SCHEMES.iter().filter_map(|row| {
        let experiment = (row.bind)(&problem.model, &Parameters::default()).ok()?;
        Some((row.info.name.into(), row, Arc::from(experiment)))
    });
    let mut out: Vec<_> = bound.collect();
    for plan in problem.plans.iter().filter(|plan| plan.has_step()) {
        let known = out.iter().any(|c: &(String, _, _)| c.0 == plan.scheme);
        if let Some(row) = registry::find(&plan.scheme_name).filter(|_| !known) {
            out.push((plan.scheme.clone(), row, plan.experiment.clone()));
        }
    }
    out
}

/// The scheme of the catalogue that makes the steps of the coarsest history.
pub(super) fn of_catalogue(
    files: &[FileReport],
    common: &Common,
    truth: &Motion,
    context: &Context,
) -> Option<IdentifiedScheme> {
    let FileReport { step, trace, .. } = files.first()?;
    let rows = common.rows.first().filter(|_| common.steps[0] == *step)?;
    let digits = files.iter().filter_map(|s| s.start.as_ref());
    let digits = largest(digits.map(|s| s.digits()[0]));
    let until = |t: f64| error(rows, truth, t);
    let on = StepRows::new(&trace.points, (context.span[0], *step), &until, digits)?;
    let candidates = candidates(context.problem);
    let fits = candidates.iter().filter_map(|(name, row, experiment)| {
        Some((name, row.info.claims, on.catalogue(experiment)?))
    });
    let mut fits: Vec<_> = fits.collect();
    fits.sort_by(|a, b| a.2.total_cmp(&b.2));
    let (name, claims, within) = fits.first()?;
    Some(IdentifiedScheme {
        name: (*name).clone(),
        within: *within,
        rows: on.rows.len(),
        alike: fits[1..].iter().map(|fit| fit.0.clone()).collect(),
        order: claims.order,
        clamps: claims.energy == Energy::ToIntermediateAxis,
    })
}
