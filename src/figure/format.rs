//! Formats of the files of figures.

/// A format of the files of figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum FigureFormat {
    /// Scalable drawing with real text.
    Svg,
    /// Image of pixels.
    Png,
}

impl FigureFormat {
    /// Formats of figures where none are asked for.
    pub const USUAL: [Self; 2] = [Self::Svg, Self::Png];

    /// Returns the name of the file of a figure.
    pub(crate) fn file_name(self, stem: &str) -> String {
        format!("{stem}.{self}")
    }
}
