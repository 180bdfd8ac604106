//! Formats of the files of figures.

/// A format of the files of figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum FigureFormat {
    /// Scalable, with real text.
    Svg,
    /// Pixels.
    Png,
    /// Scalable, for documents; text as outlines.
    Pdf,
}

impl FigureFormat {
    /// What is written unless something else is asked for.
    pub const USUAL: [Self; 2] = [Self::Svg, Self::Png];

    /// The name of the file of a figure.
    pub(crate) fn file_name(self, stem: &str) -> String {
        let ending = match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Pdf => "pdf",
        };
        format!("{stem}.{ending}")
    }
}
