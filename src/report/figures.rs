//! Draws the figures of a case and makes their files.

use super::files::OutputError;
use crate::figure::FigureFormat;
use crate::run::Case;
use rayon::prelude::*;
use topsim_plot::PlotError;

/// Pixels of the PNG for each unit of the SVG.
const RASTER_SCALE: f32 = 2.0;

/// A drawn figure.
pub struct DrawnFigure {
    /// Stem of the names of its files.
    pub name: String,
    /// The drawing, as SVG.
    pub svg: String,
    /// True if it shows times of this machine, so that it differs each time it is drawn.
    pub timed: bool,
}

impl DrawnFigure {
    /// Makes a file of the figure.
    fn file(&self, format: FigureFormat) -> Result<FigureFile, OutputError> {
        let contents = match format {
            FigureFormat::Svg => Ok(self.svg.clone().into_bytes()),
            FigureFormat::Png => topsim_plot::png(&self.svg, RASTER_SCALE),
        };
        Ok(FigureFile {
            name: format.file_name(&self.name),
            contents: contents.map_err(|e| draw_error(&self.name, e))?,
        })
    }
}

/// A file of a figure.
pub struct FigureFile {
    /// The name of the file.
    pub name: String,
    /// The bytes of the file.
    pub contents: Vec<u8>,
}

fn draw_error(name: &str, why: PlotError) -> OutputError {
    OutputError::Draw {
        name: name.into(),
        why,
    }
}

/// Draws the figures that a case asks for, and those of its studies and histories.
///
/// # Errors
/// [`OutputError::Draw`].
pub fn figures(case: Case) -> Result<Vec<DrawnFigure>, OutputError> {
    let drawn = |(name, timed, svg): (String, bool, Result<String, PlotError>)| match svg {
        Ok(svg) => Ok(DrawnFigure { name, svg, timed }),
        Err(why) => Err(draw_error(&name, why)),
    };
    let figured = case.figured();
    let asked = case.artifacts.figures.iter();
    let asked = asked.flat_map(|figure| figure.draw(&figured));
    let asked = asked.map(|(name, svg)| (name, false, svg));
    let found = case.findings().flat_map(|found| {
        let drawings = found.drawings.iter();
        drawings.map(|d| (d.stem.clone(), found.timed, d.svg()))
    });
    asked.chain(found).map(drawn).collect()
}

/// Makes the files of figures on all cores; most of the time of a run goes here.
///
/// # Errors
/// [`OutputError::Draw`].
pub fn figure_files(
    figures: &[DrawnFigure],
    formats: &[FigureFormat],
) -> Result<Vec<FigureFile>, OutputError> {
    let all: Vec<_> = figures
        .iter()
        .flat_map(|f| formats.iter().map(move |format| (f, *format)))
        .collect();
    all.into_par_iter()
        .map(|(figure, format)| figure.file(format))
        .collect()
}
