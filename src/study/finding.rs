//! Findings of studies: numbers, tables and drawings, in the same shape for every kind.

use super::ladder::{LadderTable, csv};
use super::{MapPicture, Study, Tiled};
use crate::check::{IncompleteStudy, Number, StudyNumbers};
use crate::text::csv_text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;
use topsim_plot::{Axis, Mark, Plot, PlotError, Series};

/// Writes the contents of a file.
pub type Fill = dyn Fn(&mut dyn Write) -> io::Result<()> + Send + Sync;

/// A file of a study; reports hold its name.
#[derive(Clone, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub struct DataFile {
    /// Name of the file.
    pub name: String,
    /// Function that writes the contents.
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
    /// Makes a file with this text.
    pub fn text(name: String, text: String) -> Self {
        Self {
            name,
            write: Arc::new(move |out| out.write_all(text.as_bytes())),
        }
    }
}

/// Makes a CSV file of records of equal length below a line of names.
pub(super) fn csv_file(
    name: String,
    names: impl IntoIterator<Item: Into<String>>,
    records: impl IntoIterator<Item = Vec<String>>,
) -> DataFile {
    let head: Vec<String> = names.into_iter().map(Into::into).collect();
    let mut all = std::iter::once(head).chain(records);
    let text = csv_text(|out| all.try_for_each(|record| out.write_record(record)));
    DataFile::text(name, text)
}

/// Makes a record of numbers in shortest round-trip decimals.
pub(super) fn record(numbers: &[&dyn Debug]) -> Vec<String> {
    numbers.iter().map(|x| format!("{x:?}")).collect()
}

/// Makes a plot of curves.
pub(super) fn curves(
    title: impl Into<String>,
    [x, y]: [Axis; 2],
    series: impl IntoIterator<Item = Series>,
    marks: Vec<Mark>,
) -> Plot {
    Plot {
        title: title.into(),
        x,
        y,
        series: series.into_iter().collect(),
        marks,
        ..Plot::default()
    }
}

/// A figure of a study.
#[derive(Clone)]
pub struct Drawing {
    /// Stem of its files.
    pub stem: String,
    /// Contents of the figure.
    pub picture: Picture,
    /// True if a page shows the same of the motions that it has.
    pub of_motions: bool,
}

/// Contents of a figure.
#[derive(Clone)]
pub enum Picture {
    /// Curves.
    Curves(Arc<Plot>),
    /// A map of escape times.
    Map(MapPicture),
}

impl Drawing {
    /// Makes a figure of curves.
    pub(super) fn of_plot(stem: impl Into<String>, plot: Plot) -> Self {
        Self {
            stem: stem.into(),
            picture: Picture::Curves(Arc::new(plot)),
            of_motions: false,
        }
    }

    /// Returns the figure as SVG.
    ///
    /// # Errors
    /// [`PlotError`] where it cannot be drawn.
    pub fn svg(&self) -> Result<String, PlotError> {
        match &self.picture {
            Picture::Curves(plot) => topsim_plot::svg(plot),
            Picture::Map(map) => map.svg(),
        }
    }
}

/// The finding of a study. Reports leave out its drawings, the contents of its files and its time.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Kind of the study.
    #[serde(rename = "study")]
    pub kind: String,
    /// Stem of its files.
    pub stem: String,
    /// The name by which checks ask for its numbers.
    pub name: Option<String>,
    /// Subject of the study, in one line with its units.
    pub title: String,
    /// True if its numbers are times of this machine.
    pub timed: bool,
    /// Reason why it was not computed as a whole.
    pub incomplete: Option<IncompleteStudy>,
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

impl Finding {
    /// Makes the empty finding of a study of a case.
    pub(super) fn new(study: &dyn Study, title: impl Into<String>) -> Self {
        Self {
            name: study.name().map(Into::into),
            ..Self::empty(study.kind(), study.stem(), title)
        }
    }

    /// Makes an empty finding without a name.
    pub(super) fn empty(kind: &str, stem: impl Into<String>, title: impl Into<String>) -> Self {
        Self {
            kind: kind.into(),
            stem: stem.into(),
            title: title.into(),
            ..Self::default()
        }
    }

    /// Returns the finding with a table, its CSV file and its figure.
    pub(super) fn with_table(mut self, table: LadderTable, plot: Plot) -> Self {
        let name = format!("{}.csv", self.stem);
        self.files = vec![csv(name, &table)];
        self.drawings = vec![Drawing::of_plot(&*self.stem, plot)];
        self.ladder = Some(table);
        self
    }

    /// Returns the numbers that checks can ask it for.
    pub fn asked_for(&self) -> Option<StudyNumbers> {
        Some(StudyNumbers {
            study: self.name.clone()?,
            numbers: self.numbers.clone(),
        })
    }
}
