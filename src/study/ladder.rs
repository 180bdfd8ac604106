//! Studies over the step ladder: numbers of each run, and a summary of the runs of each scheme.

use super::{DataFile, Finding, Study, StudyInput, StudyKeys, TableReader, csv_file, curves};
use crate::check::{Context, MeasurementError, NamedTime, Needs, RunTime, SchemeRun, Selection};
use crate::check::{StepFact, by_scheme, selection, selects};
use crate::figure::PageKeys;
use crate::text::{self, Column};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use topsim_case::RunPlan;
use topsim_core::integration::SchemeSelector;
use topsim_core::math::slopes;
use topsim_core::verdict::Fineness;
use topsim_plot::{Axis, Mark, Plot, Scale, Series, Style};

/// Imports of the file of every study over the ladder.
pub(super) mod prelude {
    pub(in crate::study) use super::{Ladder, LadderSummary, Line, Point};
    pub(in crate::study) use crate::check::{Context, MeasurementError, Needs, SchemeRun};
    pub(in crate::study) use crate::text::Column;
    pub(in crate::study) use schemars::JsonSchema;
    pub(in crate::study) use serde::Deserialize;
}

/// One run in a study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// Step as the case writes it, or tolerance.
    #[serde(rename = "step")]
    pub fineness: Fineness,
    /// Abscissa of the figure: the step (s), the tolerance, or the work.
    #[serde(deserialize_with = "topsim_core::verdict::number_or_nan")]
    pub x: f64,
    /// One number for each column, or the reason why there is none.
    #[serde(with = "crate::check::number_or_reason")]
    #[schemars(with = "crate::check::number_or_reason::NumberOrReason<Vec<f64>>")]
    pub values: Result<Vec<f64>, MeasurementError>,
}

/// One scheme in a study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// Scheme label.
    pub scheme: String,
    /// Its runs, in the order of the case.
    pub points: Vec<Point>,
    /// Summary of the runs: an order, a kind of drift.
    pub summary: String,
    /// The power of the step or tolerance that they show, where they show one.
    pub power: Option<f64>,
    /// True if the figure shows it.
    pub drawn: bool,
}

/// Table of a study over the ladder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LadderTable {
    /// Column or group that it looked at.
    pub quantity: Option<String>,
    /// Work that the numbers stand against; the step or tolerance without it.
    pub work: Option<Column>,
    /// Names and units of the numbers; the first is drawn.
    pub columns: Vec<Column>,
    /// Name of the summaries; empty where there are none.
    pub summary: String,
    /// One for each scheme.
    pub lines: Vec<Line>,
}

/// Summary of the runs of a scheme.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct LadderSummary {
    pub text: String,
    pub power: Option<f64>,
}

/// A study over the step ladder: the type holds its keys in the case file.
pub(crate) trait Ladder:
    Debug + Clone + Send + Sync + DeserializeOwned + JsonSchema + 'static
{
    /// Name of its kind in case files.
    const KIND: &'static str;
    /// Name of the summaries; empty where there are none.
    const SUMMARY: &'static str = "";
    /// Title of its figure.
    const TITLE: &'static str = Self::KIND;

    /// Returns what it needs of a run: a quantity, a time, a reference, a fact on the step map.
    fn needs(&self) -> Needs<'_> {
        Needs::default()
    }
    /// Returns the work that the numbers stand against, if not the step or tolerance.
    fn work(&self) -> Option<Column> {
        None
    }
    /// Returns the work of a run, where it is known; the step or tolerance without it.
    fn work_of(&self, run: &SchemeRun) -> Option<f64> {
        Some(run.fineness_number())
    }
    /// Returns the names and units of its numbers; the quantity is given in words, with its unit.
    fn columns(&self, quantity: &str, unit: &str) -> Vec<Column>;
    /// Measures the numbers of a run.
    ///
    /// # Errors
    /// The reason why they cannot be measured.
    fn values(&self, run: &SchemeRun, cx: &Context) -> Result<Vec<f64>, MeasurementError>;
    /// Summarises the runs of a scheme.
    fn summary(&self, _ladder: &[&SchemeRun], _points: &[Point], _cx: &Context) -> LadderSummary {
        LadderSummary::default()
    }
    /// Returns curves against time that are drawn instead of the numbers against the step.
    fn histories(&self, _runs: &[&SchemeRun], _page: &PageKeys) -> Option<Vec<Series>> {
        None
    }
    /// Returns the slopes shown in the figure.
    fn marks(&self, _lines: &[&Line]) -> Vec<Mark> {
        Vec::new()
    }
}

// This type has no doc comment, because its page is that of `L`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(bound = "")]
pub(crate) struct LadderStudy<L: Ladder> {
    #[serde(flatten)]
    what: L,
    #[serde(flatten)]
    runs: LadderRuns,
}

/// Keys that all studies over the ladder share.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
struct LadderRuns {
    /// Selection of the runs; all without it.
    #[serde(default)]
    runs: Selection,
    /// The schemes drawn, where a figure of all would be crowded: labels, in which `*` stands for any characters, or claims.
    /// All without it.
    drawn: Option<Vec<SchemeSelector>>,
    #[serde(flatten)]
    page: PageKeys,
}

impl<L: Ladder> StudyKeys for LadderStudy<L> {
    fn needs_runs(&self) -> bool {
        true
    }

    fn study(self, reader: &mut TableReader) -> Option<Box<dyn Study>> {
        let problem = reader.problem;
        let needs = self.what.needs();
        if let Some(columns) = problem.plans.first().map(|p| p.experiment.columns())
            && let Some(asked) = needs.quantity
        {
            let key = reader.at("quantity");
            selection::quantity(asked, L::KIND, columns, &key, reader.faults);
        }
        if needs.reference && problem.reference.is_none() {
            let found = format!("a study `{}` in a case without a reference", L::KIND);
            reader.fault("kind", found, "this kind only with a [reference]");
        }
        let page = &self.runs.page;
        page.check(&problem.plans, |key, found, allowed| {
            reader.fault(key, found, allowed)
        });
        let runs = reader.at("runs");
        let selected = selection::selection(&self.runs.runs, &runs, &problem.plans, reader.faults);
        if let Some(selected) = selected {
            if needs.ladder {
                selection::ladder(&selected, &runs, reader.faults);
            }
            if let Some(when) = needs.time {
                selection::within(when, &selected, &reader.at("at"), reader.faults);
                if when == RunTime::Named(NamedTime::Start) {
                    let found = "the start, where every run is exact";
                    let allowed = "\"end\", \"worst\" or a time after the start";
                    reader.fault("at", found, allowed);
                }
            }
            let drawn = self.runs.drawn.as_deref();
            selection::fit(drawn, &reader.at("drawn"), &selected, reader.faults);
        }
        Some(Box::new(self))
    }
}

impl<L: Ladder> LadderStudy<L> {
    fn is_drawn(&self, run: &SchemeRun) -> bool {
        run.guest || selects(self.runs.drawn.as_deref(), &run.scheme, &run.scheme_name)
    }

    fn is_timed(&self) -> bool {
        self.what.needs().step_fact == Some(StepFact::Seconds)
    }

    fn quantity(&self) -> Option<&str> {
        self.what.needs().quantity.map(|asked| asked.quantity)
    }

    fn line(&self, scheme: &str, ladder: &[&SchemeRun], cx: &Context) -> Line {
        let point = |run: &&SchemeRun| {
            let x = self.what.work_of(run);
            let values = x.map_or(Err(MeasurementError::NoWork), |_| self.what.values(run, cx));
            Point {
                fineness: run.fineness.clone(),
                x: x.unwrap_or(f64::NAN),
                values: values.and_then(|v| {
                    let is_finite = v.iter().all(|x| x.is_finite());
                    is_finite.then_some(v).ok_or(MeasurementError::NotANumber)
                }),
            }
        };
        let points: Vec<Point> = ladder.iter().map(point).collect();
        let LadderSummary { text, power } = self.what.summary(ladder, &points, cx);
        Line {
            scheme: scheme.into(),
            summary: text,
            power,
            points,
            drawn: self.is_drawn(ladder[0]),
        }
    }

    fn plot(&self, title: &str, table: &LadderTable, selected: &[&SchemeRun]) -> Plot {
        let page = &self.runs.page;
        let capital = |column: &Column| Axis::new(column.capital(), Scale::Log10);
        let drawn: Vec<&Line> = table.lines.iter().filter(|l| l.drawn).collect();
        let mut shown = selected.to_vec();
        shown.retain(|r| self.is_drawn(r));
        let kept = |r: &&SchemeRun| matches!(r.fineness, Fineness::Tolerance(_));
        let fineness = match (shown.iter().any(kept), shown.iter().all(kept)) {
            (false, _) => Column::new("step", "s"),
            (_, true) => Column::new("tolerance", ""),
            (true, false) => Column::new("step [s], tolerance", ""),
        };
        let (x, series) = match self.what.histories(&shown, page) {
            Some(curves) => (Axis::new("Time [s]", Scale::Log10), curves),
            None => (
                capital(table.work.as_ref().unwrap_or(&fineness)),
                drawn
                    .iter()
                    .map(|l| points(l, page.name(&l.scheme)))
                    .collect(),
            ),
        };
        let usual = || format!("{title} · {}", Column::new(L::TITLE, "").capital());
        let title = page.title.clone().unwrap_or_else(usual);
        let axes = [x, capital(&table.columns[0])];
        let mut plot = curves(title, axes, series, self.what.marks(&drawn));
        page.apply(&mut plot);
        plot
    }
}

pub(super) fn points(line: &Line, label: &str) -> Series {
    let points = line.points.iter();
    let points = points.filter_map(|p| Some([p.x, p.values.as_ref().ok()?[0]]));
    let mut points: Vec<[f64; 2]> = points.collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    Series::new(label, points, Style::LineMarkers)
}

impl<L: Ladder> Study for LadderStudy<L> {
    fn kind(&self) -> &'static str {
        L::KIND
    }
    fn stem(&self) -> String {
        let mut stem = format!("study_{}", L::KIND);
        if let Some(quantity) = self.quantity() {
            stem += &format!("_{quantity}");
        }
        if self.is_timed() {
            stem += "_time";
        }
        stem
    }
    fn needs(&self, plan: &RunPlan) -> Needs<'_> {
        if self.runs.runs.takes(plan) {
            self.what.needs()
        } else {
            Needs::default()
        }
    }
    fn selection(&self) -> Option<&Selection> {
        Some(&self.runs.runs)
    }
    fn make(&self, input: &StudyInput) -> Finding {
        let cx = input.runs;
        let selected = cx.selected(&self.runs.runs);
        let columns = selected.first().map(|view| &view.run.columns);
        let (quantity, unit) = self.quantity().zip(columns).map_or_else(
            || (String::new(), ""),
            |(name, of)| (text::quantity(of, name), of.unit(name).unwrap_or_default()),
        );
        let table = LadderTable {
            quantity: self.quantity().map(Into::into),
            work: self.what.work(),
            columns: self.what.columns(&quantity, unit),
            summary: L::SUMMARY.into(),
            lines: by_scheme(&selected)
                .into_iter()
                .map(|(scheme, ladder)| self.line(scheme, &ladder, cx))
                .collect(),
        };
        let against = table.work.as_ref();
        let against = against.map_or(String::new(), |w| format!(", against {}", w.name));
        let mut found = Finding::new(self, format!("{}{against}", table.columns[0].label()));
        found.timed = self.is_timed();
        let plot = self.plot(input.title, &table, &selected);
        found.with_table(table, plot)
    }
}

/// Makes the CSV file in long form: one row a run, shortest round-trip decimals, empty where there is no number.
pub(super) fn csv(name: String, table: &LadderTable) -> DataFile {
    let columns = table.work.iter().chain(&table.columns).map(head);
    let names = ["scheme", "step"].map(String::from).into_iter();
    let row = |line: &Line, p: &Point| {
        let mut record = vec![line.scheme.clone(), p.fineness.clone().into()];
        if table.work.is_some() {
            let known = Some(p.x).filter(|x| !x.is_nan());
            record.push(known.map_or(String::new(), |x| x.to_string()));
        }
        match &p.values {
            Ok(v) => record.extend(v.iter().map(|x| format!("{x:?}"))),
            Err(_) => record.resize(record.len() + table.columns.len(), String::new()),
        }
        record
    };
    let lines = table.lines.iter();
    let rows = lines.flat_map(|line| line.points.iter().map(move |p| row(line, p)));
    csv_file(name, names.chain(columns), rows)
}

pub(super) fn head(c: &Column) -> String {
    let name = c.name.replace(' ', "_").replace(',', "");
    Column::new(name, c.unit.clone()).label()
}

/// Returns the slope of the last pair of `(h, value, floor)` above the floor.
pub(super) fn power(points: &[(f64, f64, f64)]) -> LadderSummary {
    let power = slopes(points).last().copied();
    let text = match power {
        Some(slope) => format!("{slope:.2}"),
        None if points.iter().any(|p| p.1 <= p.2) => "round-off".into(),
        None => String::new(),
    };
    LadderSummary { text, power }
}

#[cfg(test)]
mod tests;
