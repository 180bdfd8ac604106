//! Where rows come from: a file or a command that are read, or states made in this process.

use super::nearest_rotation;
use super::reading::{AttitudeKind, RateFrame};
use super::rows::not_finite;
use super::rows::{HistoryError, NO_ROTATION, Peak, Quality, ReadError, Rows, Sample};
use crate::claims::Claims;
use std::io::Read;
use topsim_core::math::so3;
use topsim_core::models::RotState;
use topsim_core::schemes::StepFail;

/// Rows in the order of their times, with what was met on the way.
pub trait Source {
    /// The next row; `None` at the end or at the first number that is not finite.
    ///
    /// # Errors
    /// [`ReadError`].
    fn next_row(&mut self) -> Result<Option<Sample>, ReadError>;
    /// How the attitude is given, and whether as space → body.
    fn attitude(&self) -> (AttitudeKind, bool);
    /// Frame of the angular velocity, if it is given.
    fn rate(&self) -> Option<RateFrame>;
    /// Columns that are not used.
    fn ignored(&self) -> &[String];
    /// What was met so far.
    fn quality(&self) -> &Quality;
    /// What the first line claims of the solver.
    fn claims(&self) -> Option<Claims> {
        None
    }
}

impl<S: Source> Source for &mut S {
    fn next_row(&mut self) -> Result<Option<Sample>, ReadError> {
        S::next_row(self)
    }
    fn attitude(&self) -> (AttitudeKind, bool) {
        S::attitude(self)
    }
    fn rate(&self) -> Option<RateFrame> {
        S::rate(self)
    }
    fn ignored(&self) -> &[String] {
        S::ignored(self)
    }
    fn quality(&self) -> &Quality {
        S::quality(self)
    }
    fn claims(&self) -> Option<Claims> {
        S::claims(self)
    }
}

impl<R: Read> Source for Rows<R> {
    fn next_row(&mut self) -> Result<Option<Sample>, ReadError> {
        Rows::next_row(self)
    }
    fn attitude(&self) -> (AttitudeKind, bool) {
        (Rows::attitude(self), self.transposed())
    }
    fn rate(&self) -> Option<RateFrame> {
        Rows::rate(self)
    }
    fn ignored(&self) -> &[String] {
        Rows::ignored(self)
    }
    fn quality(&self) -> &Quality {
        Rows::quality(self)
    }
    fn claims(&self) -> Option<Claims> {
        Rows::claims(self)
    }
}

/// A step that could not be made.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("at t = {t}: {why}")]
pub struct StepError {
    /// Its time, s.
    pub t: f64,
    /// Why.
    pub why: StepFail,
}

/// States made in this process, with their times in s, or why there is none; judged as a file with the columns `t`,
/// `R11` … `R33`, `W1`, `W2`, `W3` would be.
pub struct States<I> {
    states: I,
    quality: Quality,
}

impl<I: Iterator<Item = Result<(f64, RotState), StepError>>> States<I> {
    /// Times must increase.
    pub fn new(states: I) -> Self {
        Self {
            states,
            quality: Quality::default(),
        }
    }
}

/// The first number that is not finite.
fn lost(y: &RotState) -> Option<String> {
    let att = (0..9).map(|k| {
        (
            format!("R{}{}", k / 3 + 1, k % 3 + 1),
            y.att[(k / 3, k % 3)],
        )
    });
    let rate = (0..3).map(|i| (format!("W{}", i + 1), y.omega[i]));
    let mut all = att.chain(rate);
    all.find(|(_, x)| !x.is_finite()).map(|(name, _)| name)
}

impl<I: Iterator<Item = Result<(f64, RotState), StepError>>> Source for States<I> {
    fn next_row(&mut self) -> Result<Option<Sample>, ReadError> {
        if self.quality.lost.is_some() {
            return Ok(None);
        }
        let row = self.quality.rows;
        // The line it would have in a file.
        let line = row + 2;
        let wrong = |column: Option<String>, found: String, allowed: &str| {
            ReadError::Content(HistoryError {
                line,
                column,
                found,
                allowed: allowed.into(),
            })
        };
        let (t, y) = match self.states.next() {
            None => return Ok(None),
            Some(Err(why)) => return Err(wrong(None, why.to_string(), "a state at each time")),
            Some(Ok(state)) => state,
        };
        let size = so3::orthogonality_defect(&y.att);
        let unusable = if let Some(column) = lost(&y) {
            Some(not_finite(line, column, row))
        } else if !(size <= NO_ROTATION) || y.att.determinant() < 0.0 {
            Some(HistoryError {
                line,
                column: Some("R11".into()),
                found: format!("a matrix that is no rotation: |RᵀR − I| = {size:.1e}"),
                allowed: "a rotation matrix".into(),
            })
        } else {
            None
        };
        if let Some(error) = unusable {
            self.quality.lose(line, error)?;
            return Ok(None);
        }
        if self.quality.defect.is_none_or(|d| size > d.size) {
            self.quality.defect = Some(Peak { size, time: t });
        }
        self.quality.rows += 1;
        Ok(Some(Sample {
            row,
            t,
            att: nearest_rotation(y.att),
            quaternion: None,
            rate: Some(y.omega),
            rate_in_space: false,
            omega: Some(y.omega),
            position: None,
            energy: None,
            numbers: Vec::new(),
        }))
    }
    fn attitude(&self) -> (AttitudeKind, bool) {
        (AttitudeKind::Matrix, false)
    }
    fn rate(&self) -> Option<RateFrame> {
        Some(RateFrame::Body)
    }
    fn ignored(&self) -> &[String] {
        &[]
    }
    fn quality(&self) -> &Quality {
        &self.quality
    }
}
