//! Rows wanted at given times: what a solver was asked for.

use super::rows::Peak;

/// A row that is not the one wanted.
pub(super) struct Mismatch {
    pub found: String,
    pub allowed: String,
}

/// The times of the rows wanted.
///
/// A time may be off by 1e-6 of the step and 1e-9 of the span: the row is then taken for the one wanted, at the
/// time wanted, since rounded or accumulated times belong to whole steps.
#[derive(Debug, Clone)]
pub struct Schedule {
    times: Vec<f64>,
    slack: f64,
    /// Deviations above this are told, s.
    noted: f64,
    worst: Option<Peak>,
}

impl Schedule {
    /// Times in s, ascending; the step behind them, s.
    pub fn new(times: Vec<f64>, step: f64) -> Self {
        let ends = times.first().zip(times.last());
        let span = ends.map_or(0.0, |(a, b)| b - a);
        Self {
            times,
            slack: 1e-6 * step + 1e-9 * span,
            noted: 1e-12 * span,
            worst: None,
        }
    }

    /// The largest deviation worth telling.
    pub(super) fn worst(&self) -> Option<Peak> {
        self.worst.filter(|w| w.size > self.noted)
    }

    /// The time wanted in this row.
    pub(super) fn take(&mut self, row: u64, t: f64) -> Result<f64, Mismatch> {
        let count = self.times.len();
        let Some(&wanted) = usize::try_from(row).ok().and_then(|r| self.times.get(r)) else {
            return Err(Mismatch {
                found: format!("row {row} (t = {t}), counted from 0, after all rows wanted"),
                allowed: format!("{count} rows, one for each of `times`"),
            });
        };
        let off = (t - wanted).abs();
        if !(off <= self.slack) {
            // One of these digits is half a unit of single precision.
            let single = off <= 6e-8 * wanted.abs();
            let hint = if single {
                "; this is the time in single precision"
            } else {
                ""
            };
            return Err(Mismatch {
                found: format!("t = {t} in row {row}{hint}"),
                allowed: format!(
                    "{wanted}, the time wanted in that row, to {:.1e} s",
                    self.slack
                ),
            });
        }
        if self.worst.is_none_or(|w| off > w.size) {
            self.worst = Some(Peak {
                size: off,
                time: wanted,
            });
        }
        Ok(wanted)
    }

    /// Whether so many rows are all.
    pub(super) fn complete(&self, rows: u64) -> Result<(), Mismatch> {
        if usize::try_from(rows).is_ok_and(|n| n >= self.times.len()) {
            return Ok(());
        }
        Err(Mismatch {
            found: format!("{rows} row{} of numbers", if rows == 1 { "" } else { "s" }),
            allowed: format!("{}, one for each of `times`", self.times.len()),
        })
    }
}
