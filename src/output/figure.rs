//! From a case's report to its figures.

use super::files::OutputError;
use crate::runner::CaseReport;

/// A drawn figure.
pub struct Figure {
    /// Stem of its files.
    pub name: String,
    /// The drawing.
    pub svg: String,
}

/// Figures.
///
/// # Errors
/// Drawing.
pub fn figures(_: &CaseReport) -> Result<Vec<Figure>, OutputError> {
    Ok(Vec::new())
}

/// PNG.
///
/// # Errors
/// Drawing.
pub fn raster(_: &Figure) -> Result<Vec<u8>, OutputError> {
    Ok(Vec::new())
}
