//! Errors of a history against the reference, at the file's own times.

use crate::thresholds::LOST;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::fmt::Display;
use topsim_core::math::{Vec3, so3};
use topsim_core::models::{Columns, Quantity, RotState};
use topsim_core::reference::{NoReference, RowReference};
use topsim_protocol::history::Sample;

/// A deviation at its worst and at its last.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Worst {
    /// Largest.
    pub worst: f64,
    /// Its time, s.
    pub worst_at: f64,
    /// At the last row looked at.
    pub last: f64,
}

impl Worst {
    pub(super) const NONE: Self = Self {
        worst: 0.0,
        worst_at: f64::NAN,
        last: f64::NAN,
    };
    pub(super) fn push(&mut self, t: f64, x: f64) {
        // A NaN becomes the worst, and stays it.
        if self.last.is_nan() || (!self.worst.is_nan() && !(x <= self.worst)) {
            (self.worst, self.worst_at) = (x, t);
        }
        self.last = x;
    }
}

/// An error against the reference with the reference's own.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct ErrorPair {
    /// Worst and last.
    #[serde(flatten)]
    pub size: Worst,
    /// Bound of the reference's own error at the last row compared and at the worst one.
    pub uncertainty: f64,
}

/// Errors against the reference.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ReferenceErrors {
    /// Rows compared.
    pub rows: u64,
    /// Time of the last of them, s.
    pub until: f64,
    /// Attitude, rad.
    pub attitude: ErrorPair,
    /// What rounding the start to doubles alone costs any solver, at its worst, rad; 0 where it is not known.
    pub start_floor: f64,
    /// Rate, rad/s.
    pub rate: Option<ErrorPair>,
    /// Position, m.
    pub position: Option<ErrorPair>,
}

/// How far one row is off, where that is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deviation {
    /// Time, s.
    pub t: f64,
    /// Attitude against the reference, rad.
    pub attitude: Option<f64>,
    /// Rate against the reference, rad/s.
    pub rate: Option<f64>,
    /// Energy against row 0, J; where the case's motion keeps it.
    pub energy: Option<f64>,
    /// What the motion keeps of the momentum against row 0, kg m²/s.
    pub momentum: Option<f64>,
}

/// Why there are no errors.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotCompared {
    /// There is no reference.
    #[error(transparent)]
    NoReference(#[from] NoReference),
    /// No row has a time at which the reference is known.
    #[error("no row lies where the reference is known")]
    OutsideSpan,
}

/// Rows compared before the resolution is halved.
pub(super) const MANY: u64 = 1 << 17;

/// Deviations of rows while they are gathered.
pub(super) struct Comparison<'a> {
    reference: Result<&'a dyn RowReference, NoReference>,
    row: Vec<f64>,
    columns: &'a Columns,
    resolution: f64,
    next: f64,
    /// The last row, where it was not compared.
    skipped: Option<(Sample, Deviation)>,
    attitude: Worst,
    start_floor: f64,
    rate: Worst,
    position: Worst,
    rows: Vec<Deviation>,
    /// Rows with an error, and the time of the last of them.
    compared: Option<(u64, f64)>,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(
        reference: Result<&'a dyn RowReference, NoReference>,
        columns: &'a Columns,
        span: [f64; 2],
    ) -> Self {
        Self {
            reference,
            row: vec![f64::NAN; columns.width()],
            columns,
            resolution: (span[1] - span[0]) / MANY as f64,
            next: f64::NEG_INFINITY,
            skipped: None,
            attitude: Worst::NONE,
            start_floor: 0.0,
            rate: Worst::NONE,
            position: Worst::NONE,
            rows: Vec::new(),
            compared: None,
        }
    }

    /// The reference's state, where it is known better than a motion that is lost.
    pub(super) fn state(&mut self, t: f64) -> Option<RotState> {
        let reference = self.reference.as_ref().ok()?;
        if !(reference.error(t, "attitude") <= LOST) {
            return None;
        }
        reference.row(t, &mut self.row);
        self.columns.state(&self.row)
    }

    /// Takes a row with what it has strayed from row 0. Gives the reference's state, where the row is compared with one.
    pub(super) fn push(&mut self, sample: &Sample, strayed: Deviation) -> Option<RotState> {
        if sample.t < self.next {
            self.skipped = Some((sample.clone(), strayed));
            return None;
        }
        self.skipped = None;
        self.compare(sample, strayed)
    }

    fn compare(&mut self, sample: &Sample, mut off: Deviation) -> Option<RotState> {
        let t = sample.t;
        self.next = t + self.resolution;
        let exact = self.state(t);
        if let Some(exact) = &exact {
            let angle = so3::angle_between(&sample.att, &exact.att);
            self.attitude.push(t, angle);
            let reference = self.reference.as_ref().ok();
            let floor = reference.and_then(|r| r.start_floor(t, Quantity::Attitude));
            self.start_floor = self.start_floor.max(floor.unwrap_or(0.0));
            off.attitude = Some(angle);
            if let Some(w) = sample.omega {
                let rate = (w - exact.omega).norm();
                self.rate.push(t, rate);
                off.rate = Some(rate);
            }
            if let (Some(x), Some(c)) = (sample.position, self.columns.position("x")) {
                let exact = Vec3::from_column_slice(&self.row[c..c + 3]);
                self.position.push(t, (x - exact).norm());
            }
            self.compared = Some((self.compared.map_or(1, |(n, _)| n + 1), t));
        }
        self.rows.push(off);
        if (self.rows.len() as u64).is_multiple_of(MANY) {
            self.resolution *= 2.0;
        }
        exact
    }

    pub(super) fn finish(mut self) -> (Vec<Deviation>, Result<ReferenceErrors, NotCompared>) {
        if let Some((sample, strayed)) = self.skipped.take() {
            self.compare(&sample, strayed);
        }
        let compared = match (&self.reference, self.compared) {
            (Err(why), _) => Err(why.clone().into()),
            (Ok(_), None) => Err(NotCompared::OutsideSpan),
            (Ok(reference), Some((rows, until))) => {
                // Of the last row and of the worst one: bounds can fall.
                let uncertainty = |size: &Worst, quantity: &str| {
                    let last = reference.error(until, quantity);
                    match size.worst_at.is_finite() {
                        true => last.max(reference.error(size.worst_at, quantity)),
                        false => last,
                    }
                };
                let pair = |size: Worst, quantity: &str| {
                    (!size.last.is_nan() || size.worst.is_nan()).then(|| ErrorPair {
                        uncertainty: uncertainty(&size, quantity),
                        size,
                    })
                };
                Ok(ReferenceErrors {
                    rows,
                    until,
                    attitude: ErrorPair {
                        uncertainty: uncertainty(&self.attitude, "attitude"),
                        size: self.attitude,
                    },
                    start_floor: self.start_floor,
                    rate: pair(self.rate, "W"),
                    position: pair(self.position, "position"),
                })
            }
        };
        (self.rows, compared)
    }
}

/// Serialises an error as its text.
pub(crate) fn displayed<T: Display, S: Serializer>(
    value: &Option<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
    }
}
