//! The drift of strapdown algorithms about the axis of a small cone, and their error constants.

use super::convergence::triangles;
use super::ladder::{LadderTable, Line, Point, csv, points};
use super::{DataFile, Drawing, Finding, Study, StudyInput, StudyKeys, TableReader};
use crate::check::IncompleteStudy;
use crate::check::{MeasurementError, Number, StudyNames, selection, selects};
use crate::text::Column;
use schemars::JsonSchema;
use serde::Deserialize;
use topsim_case::Job;
use topsim_core::integration::registry::{self, SchemeRow};
use topsim_core::integration::{Parameters, SchemeSelector};
use topsim_core::math::Mat3;
use topsim_core::models::Model;
use topsim_core::schemes::given_rate::coning::{ErrorConstant, PHASES, small_cone};
use topsim_plot::{Axis, Plot, Scale};

/// Error constants of schemes of a given rate under coning: the drift about the axis of a small cone is ε = −φ² Ω (ΩH)^p/C, from
/// one update of each length, where it has all its digits, and extrapolated to short ones.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct ConingDriftTable {
    /// Its name, for files and checks.
    name: String,
    /// Schemes: labels, in which `*` stands for any characters, or claims. All without it.
    schemes: Option<Vec<SchemeSelector>>,
}

/// Name of the kind in case files.
const KIND: &str = "coning_drift";

impl StudyKeys for ConingDriftTable {
    fn needs_runs(&self) -> bool {
        true
    }

    fn study(self, reader: &mut TableReader) -> Option<Box<dyn Study>> {
        read(self, reader)
    }
}

fn read(table: ConingDriftTable, reader: &mut TableReader) -> Option<Box<dyn Study>> {
    if !matches!(reader.problem.model, Model::GivenRate(_)) {
        let found = "a study of coning in a case of bodies";
        reader.fault("kind", found, "this kind only in a case with a [rate]");
        return None;
    }
    let jobs = &reader.problem.jobs;
    let all: Vec<&Job> = jobs.iter().collect();
    let key = reader.at("schemes");
    selection::fit(table.schemes.as_deref(), &key, &all, reader.faults);
    let asked = |job: &&&Job| selects(table.schemes.as_deref(), &job.scheme, &job.scheme_name);
    let mut schemes: Vec<(String, &'static SchemeRow)> = Vec::new();
    for job in all.iter().filter(asked) {
        let row = registry::find(&job.scheme_name);
        if let Some(row) = row.filter(|_| schemes.iter().all(|(label, _)| *label != job.scheme)) {
            schemes.push((job.scheme.clone(), row));
        }
    }
    let name = table.name;
    Some(Box::new(ConingDrift { name, schemes }))
}

/// The study with the schemes it looks at.
struct ConingDrift {
    name: String,
    schemes: Vec<(String, &'static SchemeRow)>,
}

impl std::fmt::Debug for ConingDrift {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ConingDrift").field(&self.name).finish()
    }
}

/// What the updates of a scheme on a closing cone say.
fn constant(row: &SchemeRow) -> Option<ErrorConstant> {
    let cone = Model::GivenRate(small_cone());
    let scheme = (row.bind)(&cone, &Parameters::default()).ok()?;
    let first = scheme.columns().position("R11")?;
    ErrorConstant::of(|x| {
        let row = scheme.advance((0.0, x, 1), &|| true).ok()?;
        Some(Mat3::from_row_slice(&row[first..first + 9]))
    })
}

impl Study for ConingDrift {
    fn kind(&self) -> &'static str {
        KIND
    }
    fn stem(&self) -> String {
        format!("{}_{}", KIND, self.name)
    }
    fn names(&self) -> Option<StudyNames> {
        let each = self.schemes.iter();
        let each =
            each.flat_map(|(label, _)| ["constant", "power"].map(|n| format!("{n}({label})")));
        Some(StudyNames {
            study: self.name.clone(),
            numbers: each.collect(),
        })
    }
    fn extent(&self) -> String {
        format!(
            "{} schemes, {} updates each",
            self.schemes.len(),
            PHASES.len()
        )
    }
    fn make(&self, input: &StudyInput) -> Finding {
        let title = "drift about the axis of a small cone, −ε/(φ² Ω) = (ΩH)^p/C";
        let mut found = Finding::new(self, title);
        let mut lines = Vec::new();
        for (label, row) in &self.schemes {
            let constant = constant(row);
            let number = |name: &str, value: Option<f64>| Number {
                name: format!("{name}({label})"),
                unit: String::new(),
                value: value.ok_or_else(|| {
                    IncompleteStudy::Failed(format!("a step of {label} failed")).into()
                }),
                headline: name == "constant",
            };
            let (power, value) = (
                constant.as_ref().map(|c| c.power),
                constant.as_ref().map(|c| c.constant),
            );
            found.numbers.push(number("constant", value));
            found.numbers.push(number("power", power.map(f64::from)));
            lines.push(line(label, constant.as_ref()));
        }
        let table = LadderTable {
            quantity: None,
            work: Some(Column::new("phase ΩH of an update", "rad")),
            columns: vec![Column::new("drift −ε/(φ² Ω)", "")],
            summary: "for short updates".into(),
            lines,
        };
        found.files = vec![DataFile::text(format!("{}.csv", found.stem), csv(&table))];
        let plot = plot(input.title, &table);
        found.drawings = vec![Drawing::of_plot(found.stem.clone(), plot)];
        found.ladder = Some(table);
        found
    }
}

fn line(label: &str, constant: Option<&ErrorConstant>) -> Line {
    let value = |k: usize| match constant {
        Some(c) => Ok(vec![c.rates[k]]),
        None => Err(MeasurementError::NotANumber),
    };
    let point = |(k, x): (usize, f64)| Point {
        step: x.to_string(),
        x,
        values: value(k),
    };
    Line {
        scheme: label.into(),
        points: PHASES.into_iter().enumerate().map(point).collect(),
        summary: constant.map_or(String::new(), |c| match c.power {
            0 => "round-off".into(),
            p => format!("(ΩH)^{p}/{:.7}", c.constant),
        }),
        power: constant.filter(|c| c.power > 0).map(|c| f64::from(c.power)),
        drawn: true,
    }
}

fn plot(title: &str, table: &LadderTable) -> Plot {
    // Of a drift the other way its size.
    let sizes = table.lines.iter().map(|line| {
        let mut series = points(line);
        series.points.iter_mut().for_each(|p| p[1] = p[1].abs());
        series
    });
    Plot {
        title: format!("{title} · Coning drift"),
        x: Axis::new("Phase ΩH of an update [rad]", Scale::Log10),
        y: Axis::new("Drift |ε|/(φ² Ω)", Scale::Log10),
        series: sizes.collect(),
        marks: triangles(&table.lines.iter().collect::<Vec<_>>()),
        ..Plot::default()
    }
}
