//! What a study found: numbers, tables and drawings, the same shape for every kind.

use super::ladder::LadderTable;
use super::{MapPicture, Tiled};
use crate::check::{IncompleteStudy, Number, StudyNumbers};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;
use topsim_plot::{Plot, PlotError};

/// Writes the contents of a file.
pub type Fill = dyn Fn(&mut dyn Write) -> io::Result<()> + Send + Sync;

/// A file of a study; reports hold its name.
#[derive(Clone, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub struct DataFile {
    /// Its name.
    pub name: String,
    /// Writes its contents.
    pub write: Arc<Fill>,
}

impl From<DataFile> for String {
    fn from(file: DataFile) -> Self {
        file.name
    }
}

impl From<String> for DataFile {
    fn from(name: String) -> Self {
        Self::text(name, String::new())
    }
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

/// What a study found. Reports leave out its drawings, the contents of its files and its time.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Kind of the study.
    #[serde(rename = "study")]
    pub kind: String,
    /// Stem of its files.
    pub stem: String,
    /// The name by which checks ask for its numbers.
    pub name: Option<String>,
    /// What it looked at, in one line with its units.
    pub title: String,
    /// Whether its numbers are times of this machine.
    pub timed: bool,
    /// Whether it was computed as a whole.
    #[serde(rename = "incomplete", with = "outcome")]
    #[schemars(with = "Option<IncompleteStudy>")]
    pub outcome: Result<(), IncompleteStudy>,
    /// Its numbers; a value that is missing says why.
    pub numbers: Vec<Number>,
    /// The numbers of each run, where it looked at a step ladder.
    pub ladder: Option<LadderTable>,
    /// All that its numbers depend on, field by field, where it can be computed in tiles.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub definition: BTreeMap<String, String>,
    /// Its side that is computed tile by tile, where it has one.
    #[serde(skip)]
    pub tiles: Option<Arc<dyn Tiled>>,
    /// Its files.
    #[serde(rename = "data")]
    #[schemars(with = "Vec<String>")]
    pub files: Vec<DataFile>,
    /// Its figures.
    #[serde(skip)]
    pub drawings: Vec<Drawing>,
    /// Time it took; differs from machine to machine.
    #[serde(skip)]
    pub wall: Duration,
}

/// The outcome of a study in files: absent, or the reason for which it is not complete.
mod outcome {
    use super::IncompleteStudy;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        outcome: &Result<(), IncompleteStudy>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        outcome.as_ref().err().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Result<(), IncompleteStudy>, D::Error> {
        Ok(Option::deserialize(from)?.map_or(Ok(()), Err))
    }
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
            kind: kind.into(),
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

    /// The stem of its files and the reason, if it is not complete.
    pub fn incomplete(&self) -> Option<(String, String)> {
        let why = self.outcome.as_ref().err()?;
        Some((self.stem.clone(), why.to_string()))
    }

    /// What checks can ask it for.
    pub fn asked_for(&self) -> Option<StudyNumbers> {
        Some(StudyNumbers {
            study: self.name.clone()?,
            numbers: self.numbers.clone(),
        })
    }
}
