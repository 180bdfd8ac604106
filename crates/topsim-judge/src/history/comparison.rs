//! Errors of a history against the reference, at the file's own times.

use super::reading::RateFrame;
use super::rows::Sample;
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::{Columns, RotState};
use topsim_core::reference::{NoReference, RowReference};

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
    /// Bound of the reference's own error at the last row compared.
    pub uncertainty: f64,
}

/// Errors against the reference.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Compared {
    /// Rows compared.
    pub rows: u64,
    /// Time of the last of them, s.
    pub until: f64,
    /// Attitude, rad.
    pub attitude: ErrorPair,
    /// Rate, rad/s.
    pub rate: Option<ErrorPair>,
    /// Position, m.
    pub position: Option<ErrorPair>,
    /// Time, attitude error, rate error of each row compared.
    #[serde(skip)]
    pub points: Vec<[f64; 3]>,
}

/// Why there are no errors.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotCompared {
    /// There is no reference.
    #[error(transparent)]
    NoReference(#[from] NoReference),
    /// No row has a time at which the reference is known.
    #[error("no row lies within the span of the reference")]
    OutsideSpan,
}

/// Rows compared before the resolution is halved.
pub(super) const MANY: u64 = 1 << 17;

/// Errors while they are gathered.
pub(super) struct Comparison<'a> {
    reference: &'a dyn RowReference,
    row: Vec<f64>,
    columns: [Option<usize>; 3],
    resolution: f64,
    next: f64,
    skipped: Option<Sample>,
    attitude: Worst,
    rate: Worst,
    position: Worst,
    points: Vec<[f64; 3]>,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(reference: &'a dyn RowReference, columns: &Columns, span: [f64; 2]) -> Self {
        let first = |name| columns.position(name);
        Self {
            reference,
            row: vec![f64::NAN; columns.width()],
            columns: [first("R11"), first("W1"), first("x")],
            resolution: (span[1] - span[0]) / MANY as f64,
            next: f64::NEG_INFINITY,
            skipped: None,
            attitude: Worst::NONE,
            rate: Worst::NONE,
            position: Worst::NONE,
            points: Vec::new(),
        }
    }

    /// The reference's state, where it is known.
    pub(super) fn state(&mut self, t: f64) -> Option<RotState> {
        let [Some(r), Some(w), _] = self.columns else {
            return None;
        };
        if !self.reference.error(t, "attitude").is_finite() {
            return None;
        }
        self.reference.row(t, &mut self.row);
        Some(RotState {
            att: Mat3::from_row_slice(&self.row[r..r + 9]),
            omega: Vec3::from_column_slice(&self.row[w..w + 3]),
        })
    }

    pub(super) fn push(&mut self, sample: &Sample, omega: Option<&Vec3>) {
        if sample.t < self.next {
            self.skipped = Some(sample.clone());
            return;
        }
        self.skipped = None;
        self.compare(sample, omega);
    }

    fn compare(&mut self, sample: &Sample, omega: Option<&Vec3>) {
        let t = sample.t;
        let Some(exact) = self.state(t) else {
            return;
        };
        self.next = t + self.resolution;
        let angle = so3::angle_between(&sample.att, &exact.att);
        self.attitude.push(t, angle);
        let mut point = [t, angle, f64::NAN];
        if let Some(w) = omega {
            point[2] = (w - exact.omega).norm();
            self.rate.push(t, point[2]);
        }
        if let (Some(x), Some(c)) = (sample.position, self.columns[2]) {
            let exact = Vec3::from_column_slice(&self.row[c..c + 3]);
            self.position.push(t, (x - exact).norm());
        }
        self.points.push(point);
        if (self.points.len() as u64).is_multiple_of(MANY) {
            self.resolution *= 2.0;
        }
    }

    pub(super) fn finish(mut self, frame: Option<RateFrame>) -> Result<Compared, NotCompared> {
        if let Some(last) = self.skipped.take() {
            let omega = body_rate(&last, frame);
            self.compare(&last, omega.as_ref());
        }
        let Some(&[until, ..]) = self.points.last() else {
            return Err(NotCompared::OutsideSpan);
        };
        let pair = |size: Worst, quantity: &str| {
            (!size.last.is_nan() || size.worst.is_nan()).then(|| ErrorPair {
                size,
                uncertainty: self.reference.error(until, quantity),
            })
        };
        Ok(Compared {
            rows: self.points.len() as u64,
            until,
            attitude: ErrorPair {
                size: self.attitude,
                uncertainty: self.reference.error(until, "attitude"),
            },
            rate: pair(self.rate, "W"),
            position: pair(self.position, "position"),
            points: self.points,
        })
    }
}

pub(super) fn body_rate(sample: &Sample, frame: Option<RateFrame>) -> Option<Vec3> {
    let w = sample.rate?;
    Some(match frame? {
        RateFrame::Body => w,
        RateFrame::Space => sample.att.tr_mul(&w),
    })
}
