//! Blessed histories: our own past, kept as a few rows of every run.

use crate::drive::Run;

/// Rows of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct BaselineRun {
    /// Scheme label.
    pub scheme: String,
    /// Step as the case writes it.
    pub step: String,
    /// Times, s.
    pub times: Vec<f64>,
    /// Rows, one number for each of the baseline's columns.
    pub rows: Vec<Vec<f64>>,
}

/// Rows of all runs of a case.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Baseline {
    /// Column names.
    pub columns: Vec<String>,
    /// Runs, in the order of the case.
    pub runs: Vec<BaselineRun>,
}

/// Where a run leaves its baseline most.
#[derive(Debug, Clone, PartialEq)]
pub struct Departure {
    /// |x − b| / max(1, |b|).
    pub size: f64,
    /// When, s.
    pub time: f64,
    /// Which column.
    pub column: String,
}

impl Baseline {
    /// Rows of one run.
    pub fn find(&self, scheme: &str, step: &str) -> Option<&BaselineRun> {
        self.runs
            .iter()
            .find(|r| r.scheme == scheme && r.step == step)
    }

    /// Largest departure of `run` from its rows.
    ///
    /// # Errors
    /// Says what does not fit: no rows for this run, a column or a time that the run lacks.
    pub fn compare(&self, scheme: &str, step: &str, run: &Run) -> Result<Departure, String> {
        let base = self
            .find(scheme, step)
            .ok_or_else(|| format!("the baseline has no rows for {scheme}, step {step}"))?;
        let columns: Vec<usize> = self
            .columns
            .iter()
            .map(|c| {
                run.column(c)
                    .ok_or_else(|| format!("the run has no column {c} of the baseline"))
            })
            .collect::<Result<_, _>>()?;
        let mut worst: Option<Departure> = None;
        for (t, row) in base.times.iter().zip(&base.rows) {
            let k = run
                .times
                .iter()
                .position(|x| (x - t).abs() <= 1e-12 * t.abs().max(1.0))
                .ok_or_else(|| format!("the run has no sample at the baseline's t = {t}"))?;
            let now = run.row(k);
            for ((&c, name), &b) in columns.iter().zip(&self.columns).zip(row) {
                let size = (now[c] - b).abs() / b.abs().max(1.0);
                if worst.as_ref().is_none_or(|w| !(size <= w.size)) {
                    worst = Some(Departure {
                        size,
                        time: *t,
                        column: name.clone(),
                    });
                }
                if size.is_nan() {
                    return Ok(worst.expect("set just above"));
                }
            }
        }
        worst.ok_or_else(|| "the baseline of this run is empty".to_string())
    }

    /// A few rows of a run: its first sample, about ten on the way, its last.
    pub fn take(scheme: &str, step: &str, run: &Run) -> BaselineRun {
        let n = run.times.len();
        let mut picked: Vec<usize> = (0..=10).map(|i| i * (n - 1) / 10).collect();
        picked.dedup();
        BaselineRun {
            scheme: scheme.into(),
            step: step.into(),
            times: picked.iter().map(|&k| run.times[k]).collect(),
            rows: picked.iter().map(|&k| run.row(k).to_vec()).collect(),
        }
    }
}
