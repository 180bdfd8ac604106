//! Errors of drawing and encoding.

/// Result of drawing.
pub(crate) type Result<T = (), E = PlotError> = std::result::Result<T, E>;

/// A reason why a figure could not be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The embedded font could not be read.
    #[error("the embedded font cannot be read")]
    Font,
    /// The drawing backend refused something.
    #[error("drawing failed: {0}")]
    Draw(String),
    /// A slope triangle on other than two logarithmic axes.
    #[error("a slope triangle needs two logarithmic axes")]
    SlopeNeedsLogLog,
    /// A slope triangle without a slope.
    #[error("a slope triangle needs a finite slope, not {0}")]
    SlopeNotFinite(f64),
    /// The document to render is not SVG.
    #[error("not a readable SVG document: {0}")]
    UnreadableSvg(String),
    /// The image would be empty or too large.
    #[error("an image of {width} × {height} pixels cannot be made")]
    ImageSize {
        /// Width in pixels.
        width: f32,
        /// Height in pixels.
        height: f32,
    },
    /// The image could not be encoded.
    #[error("the PNG encoder failed: {0}")]
    Encode(String),
}
