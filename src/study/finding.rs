//! What a study found: numbers, tables and drawings, the same shape for every kind.

use super::ladder::LadderTable;
use super::{MapPicture, Tiled};
use crate::check::{IncompleteStudy, Number, StudyNumbers};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;
use topsim_plot::{Plot, PlotError};

/// Writes the contents of a file.
pub type Fill = dyn Fn(&mut dyn Write) -> io::Result<()> + Send + Sync;

/// A file of a study.
#[derive(Clone)]
pub struct DataFile {
    /// Its name.
    pub name: String,
    /// Writes its contents.
    pub write: Arc<Fill>,
}

impl DataFile {
    /// A file with this text.
    pub fn text(name: String, text: String) -> Self {
        Self {
            name,
            write: Arc::new(move |out| out.write_all(text.as_bytes())),
        }
    }
}

/// A figure of a study.
#[derive(Clone)]
pub struct Drawing {
    /// Stem of its files.
    pub stem: String,
    /// What it shows.
    pub picture: Picture,
    /// Whether a page shows the same of the motions that it has.
    pub of_motions: bool,
}

/// What a figure shows.
#[derive(Clone)]
pub enum Picture {
    /// Curves.
    Curves(Arc<Plot>),
    /// A map of escape times.
    Map(MapPicture),
}

impl Drawing {
    /// A figure of curves.
    pub(super) fn of_plot(stem: String, plot: Plot) -> Self {
        Self {
            stem,
            picture: Picture::Curves(Arc::new(plot)),
            of_motions: false,
        }
    }

    /// The figure as SVG.
    ///
    /// # Errors
    /// Where it cannot be drawn.
    pub fn svg(&self) -> Result<String, PlotError> {
        match &self.picture {
            Picture::Curves(plot) => topsim_plot::svg(plot),
            Picture::Map(map) => map.svg(),
        }
    }
}

/// What a study found.
#[derive(Clone)]
pub struct Finding {
    /// Kind of the study.
    pub kind: &'static str,
    /// Stem of its files.
    pub stem: String,
    /// The name by which checks ask for its numbers.
    pub name: Option<String>,
    /// What it looked at, in one line with its units.
    pub title: String,
    /// Whether its numbers are times of this machine.
    pub timed: bool,
    /// Whether it was computed as a whole.
    pub outcome: Result<(), IncompleteStudy>,
    /// Its numbers; a value that is missing says why.
    pub numbers: Vec<Number>,
    /// The numbers of each run, where it looked at a step ladder.
    pub ladder: Option<LadderTable>,
    /// All that its numbers depend on, field by field, where it can be computed in tiles.
    pub definition: BTreeMap<String, String>,
    /// Its side that is computed tile by tile, where it has one.
    pub tiles: Option<Arc<dyn Tiled>>,
    /// Its files.
    pub files: Vec<DataFile>,
    /// Its figures.
    pub drawings: Vec<Drawing>,
    /// Time it took; differs from machine to machine.
    pub wall: Duration,
}

impl Finding {
    /// Nothing found yet.
    pub(super) fn new(study: &dyn super::Study, title: impl Into<String>) -> Self {
        Self {
            name: study.name(),
            ..Self::empty(study.kind(), study.stem(), title)
        }
    }

    /// Nothing found yet, of no study that a case asks for.
    pub(super) fn empty(kind: &'static str, stem: String, title: impl Into<String>) -> Self {
        Self {
            kind,
            stem,
            name: None,
            title: title.into(),
            timed: false,
            outcome: Ok(()),
            numbers: Vec::new(),
            ladder: None,
            definition: BTreeMap::new(),
            tiles: None,
            files: Vec::new(),
            drawings: Vec::new(),
            wall: Duration::ZERO,
        }
    }

    /// What checks can ask it for.
    pub fn asked_for(&self) -> Option<StudyNumbers> {
        Some(StudyNumbers {
            study: self.name.clone()?,
            numbers: self.numbers.clone(),
        })
    }
}
