//! Blessed histories: our own past, kept as a few rows of every run.

use super::{MeasurementError, SchemeRun};
use topsim_core::integration::Run;
use topsim_core::verdict::{Fineness, Measurement};

/// Rows of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct BaselineRun {
    /// Scheme label.
    pub scheme: String,
    /// Step as the case writes it, or tolerance.
    pub fineness: Fineness,
    /// Times, s.
    pub times: Vec<f64>,
    /// Rows, one number for each of the baseline's columns.
    pub rows: Vec<Vec<f64>>,
}

impl BaselineRun {
    /// Returns the times with their rows.
    pub fn samples(&self) -> impl Iterator<Item = (&f64, &Vec<f64>)> {
        self.times.iter().zip(&self.rows)
    }

    /// Takes a few rows of a run: its first sample, about ten on the way, its last.
    pub fn take(scheme: &str, fineness: &Fineness, run: &Run) -> Self {
        let n = run.times.len();
        let mut picked: Vec<usize> = (0..=10).map(|i| i * (n - 1) / 10).collect();
        picked.dedup();
        Self {
            scheme: scheme.into(),
            fineness: fineness.clone(),
            times: picked.iter().map(|&k| run.times[k]).collect(),
            rows: picked.iter().map(|&k| run.row(k).to_vec()).collect(),
        }
    }
}

/// Rows of all runs of a case.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Baseline {
    /// Column names.
    pub columns: Vec<String>,
    /// Runs, in the order of the case.
    pub runs: Vec<BaselineRun>,
}

impl Baseline {
    /// Rows of one run.
    pub fn find(&self, scheme: &str, fineness: &Fineness) -> Option<&BaselineRun> {
        let mut runs = self.runs.iter();
        runs.find(|r| r.scheme == scheme && r.fineness == *fineness)
    }

    /// Returns the largest departure of a run from its rows, |x − b| / max(1, |b|).
    pub(super) fn departure(&self, view: &SchemeRun) -> Result<Measurement, MeasurementError> {
        let run = &view.run;
        let (scheme, fineness) = (&view.scheme, &view.fineness);
        let missing = || MeasurementError::NotInBaseline(scheme.clone(), fineness.clone());
        let base = self.find(scheme, fineness).ok_or_else(missing)?;
        let column = |c: &String| {
            let found = run.column(c);
            found.ok_or_else(|| MeasurementError::NoBaselineColumn(c.clone()))
        };
        let columns: Vec<usize> = self.columns.iter().map(column).collect::<Result<_, _>>()?;
        let mut worst: Option<Measurement> = None;
        for (t, row) in base.samples() {
            let here = |x: &f64| (x - t).abs() <= 1e-12 * t.abs().max(1.0);
            let k = run.times.iter().position(here);
            let now = run.row(k.ok_or(MeasurementError::NoBaselineSample(*t))?);
            for ((&c, name), &b) in columns.iter().zip(&self.columns).zip(row) {
                let size = (now[c] - b).abs() / b.abs().max(1.0);
                let found = || Measurement::new(size, "").at(*t).in_component(name);
                if size.is_nan() {
                    return Ok(found());
                }
                if worst.as_ref().is_none_or(|w| size > w.value) {
                    worst = Some(found());
                }
            }
        }
        worst.ok_or(MeasurementError::EmptyBaseline)
    }
}
