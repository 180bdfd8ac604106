//! The formats in which a report is printed and written.

use crate::cli::Failure;
use crate::report::{Csv, GitHub, HtmlPage, Human, Json, Junit, Paper, Renderer, Sarif, TextStyle};
use crate::run::Results;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use strum::VariantNames;

/// The formats of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Format {
    /// Tables for people.
    #[default]
    Human,
    /// The contents of results.json.
    Json,
    /// JUnit XML: a suite for each case, a test case for each run and verdict.
    Junit,
    /// Tables for documents, with what failed before them.
    Markdown,
    /// A row for each verdict.
    Csv,
    /// The same as LaTeX: the body of a document, without packages.
    Latex,
    /// The page that is also written as report.html.
    Html,
    /// Failures as annotations that GitHub shows beside a change.
    Github,
    /// Failures as SARIF for tools that show the results of analysers.
    Sarif,
}

impl Format {
    /// Returns the renderer of the format.
    fn renderer(self, style: TextStyle) -> Box<dyn Renderer> {
        match self {
            Self::Human => Box::new(Human(style)),
            Self::Json => Box::new(Json),
            Self::Junit => Box::new(Junit),
            Self::Markdown => Box::new(Paper(document::Markdown)),
            Self::Csv => Box::new(Csv),
            Self::Latex => Box::new(Paper(document::Latex)),
            Self::Html => Box::new(HtmlPage),
            Self::Github => Box::new(GitHub),
            Self::Sarif => Box::new(Sarif),
        }
    }
}

/// A format, and the file for it.
#[derive(Debug, Clone)]
pub struct ReportFile {
    format: Format,
    path: PathBuf,
}

impl FromStr for ReportFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, path) = text.split_once('=').unwrap_or((text, ""));
        match Format::from_str(name, false) {
            Ok(format) if !path.is_empty() => Ok(Self {
                format,
                path: path.into(),
            }),
            _ => Err(format!(
                "allowed: FORMAT=FILE, such as junit=judge.xml, where FORMAT is one of {}",
                Format::VARIANTS.join(", ")
            )),
        }
    }
}

/// The formats in which a report is printed and written, and the files for it.
#[derive(Debug, Clone, Default, Args)]
pub struct ReportArgs {
    /// Format of the printed report.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Also write the report to a file in this format, such as junit=judge.xml; may be given several times.
    #[arg(long = "report", value_name = "FORMAT=FILE")]
    pub files: Vec<ReportFile>,
}

impl ReportArgs {
    /// Returns the report as it is printed.
    pub fn print(&self, results: &Results, style: TextStyle) -> String {
        self.format.renderer(style).render(results)
    }

    /// Writes the files that are asked for.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn write(&self, results: &Results, style: TextStyle) -> Result<(), Failure> {
        let mut plain = style;
        plain.console.color = false;
        for file in &self.files {
            let text = file.format.renderer(plain).render(results);
            whole_file::write_through(&file.path, text.as_bytes())?;
        }
        Ok(())
    }

    /// Returns the paths of the files that are asked for.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|file| &*file.path)
    }

    /// Tests whether a page is asked for, which shows motions.
    pub fn has_page(&self) -> bool {
        let files = self.files.iter().map(|file| file.format);
        files.chain([self.format]).any(|f| f == Format::Html)
    }

    /// Tests whether the printed report is for people to read.
    pub fn is_for_people(&self) -> bool {
        self.format == Format::Human
    }
}
