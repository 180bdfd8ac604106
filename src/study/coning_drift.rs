//! The drift of strapdown algorithms about the axis of a small cone, and their error constants.

use super::convergence::triangles;
use super::ladder::{LadderTable, Line, Point, points};
use super::{Finding, Study, StudyInput, StudyKeys, TableReader, curves};
use crate::check::{IncompleteStudy, MeasurementError, Number};
use crate::text::Column;
use schemars::JsonSchema;
use serde::Deserialize;
use topsim_core::integration::registry::{self, SchemeRow};
use topsim_core::integration::{Parameters, SchemeSelector};
use topsim_core::math::Mat3;
use topsim_core::models::Model;
use topsim_core::schemes::given_rate::coning::{ErrorConstant, PHASES, small_cone};
use topsim_core::verdict::Fineness;
use topsim_plot::{Axis, Plot, Scale};

/// Error constants of schemes of a given rate under coning: the drift about the axis of a small cone is ε = −φ² Ω (ΩH)^p/C, from
/// one update of each length, where it has all its digits, and extrapolated to short ones.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct ConingDriftTable {
    /// Name of the study, for files and checks.
    name: String,
    /// Schemes: labels, in which `*` stands for any characters, or claims. All without it.
    schemes: Option<Vec<SchemeSelector>>,
}

impl StudyKeys for ConingDriftTable {
    fn needs_runs(&self) -> bool {
        true
    }

    fn study(self, reader: &mut TableReader) -> Option<Box<dyn Study>> {
        if !matches!(reader.problem.model, Model::GivenRate(_)) {
            let found = "a study of coning in a case of bodies";
            reader.fault("kind", found, "this kind only in a case with a [rate]");
            return None;
        }
        let plans = reader.schemes(self.schemes.as_deref()).into_iter();
        let schemes = plans.filter_map(|plan| {
            let row = registry::find(&plan.scheme_name)?;
            Some((plan.scheme.clone(), row))
        });
        Some(Box::new(ConingDrift {
            name: self.name,
            schemes: schemes.collect(),
        }))
    }
}

/// The study with its schemes.
struct ConingDrift {
    name: String,
    schemes: Vec<(String, &'static SchemeRow)>,
}

/// Returns the error constant that the updates of a scheme on a closing cone show.
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
        "coning_drift"
    }
    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }
    fn number_names(&self) -> Vec<String> {
        let labels = self.schemes.iter().map(|(label, _)| label);
        let names = labels.flat_map(|label| ["constant", "power"].map(|n| format!("{n}({label})")));
        names.collect()
    }
    fn extent(&self) -> String {
        let (schemes, updates) = (self.schemes.len(), PHASES.len());
        format!("{schemes} schemes, {updates} updates each")
    }
    fn make(&self, input: &StudyInput) -> Finding {
        let title = "drift about the axis of a small cone, −ε/(φ² Ω) = (ΩH)^p/C";
        let mut found = Finding::new(self, title);
        let mut lines = Vec::new();
        for (label, row) in &self.schemes {
            let constant = constant(row);
            let failed = || IncompleteStudy::Failed(format!("a step of {label} failed"));
            let number = |name: &str, value: fn(&ErrorConstant) -> f64| {
                let value = constant.as_ref().map(value).ok_or_else(failed);
                Number::new(format!("{name}({label})"), "", value)
            };
            found.numbers.push(Number {
                headline: true,
                ..number("constant", |c| c.constant)
            });
            found.numbers.push(number("power", |c| f64::from(c.power)));
            lines.push(line(label, constant.as_ref()));
        }
        let table = LadderTable {
            quantity: None,
            work: Some(Column::new("phase ΩH of an update", "rad")),
            columns: vec![Column::new("drift −ε/(φ² Ω)", "")],
            summary: "for short updates".into(),
            lines,
        };
        let plot = plot(input.title, &table);
        found.with_table(table, plot)
    }
}

fn line(label: &str, constant: Option<&ErrorConstant>) -> Line {
    let point = |(k, x): (usize, f64)| Point {
        fineness: Fineness::Step(x.to_string()),
        x,
        values: constant.map_or(Err(MeasurementError::NotANumber), |c| Ok(vec![c.rates[k]])),
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
    // If the drift goes the other way, its size is taken.
    let sizes = table.lines.iter().map(|line| {
        let mut series = points(line, &line.scheme);
        series.points.iter_mut().for_each(|p| p[1] = p[1].abs());
        series
    });
    let axes = [
        Axis::new("Phase ΩH of an update [rad]", Scale::Log10),
        Axis::new("Drift |ε|/(φ² Ω)", Scale::Log10),
    ];
    let marks = triangles(&table.lines.iter().collect::<Vec<_>>());
    curves(format!("{title} · Coning drift"), axes, sizes, marks)
}
