//! How round-off grows with the number of steps.

mod growth;

pub(crate) use growth::{Asked, Growth};

use super::ladder::{LadderTable, Line, Point, csv};
use super::{DataFile, Drawing, Finding, Study, StudyInput, StudyKeys, TableReader};
use crate::check::IncompleteStudy;
use crate::check::{Number, StudyNames, selection, selects};
use crate::text::{self, Column};
use growth::StrayCurve;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use std::fmt;
use std::sync::Arc;
use topsim_case::Job;
use topsim_core::integration::{Experiment, SchemeSelector};
use topsim_plot::{Axis, Mark, Plot, Scale, Series, Style};

/// How round-off grows: what the exact steps of a scheme keep strays by rounding alone, as a random walk (n^½, Brouwer's
/// law) where the rounding has no bias, and like n where it has one.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct RoundOffTable {
    /// Its name, for files and checks.
    name: String,
    /// The column or group that the steps keep exactly: `pi` of a free body, `H` where the scheme keeps it, `orth`.
    quantity: String,
    /// Schemes: labels, in which `*` stands for any characters, or claims. All without it.
    schemes: Option<Vec<SchemeSelector>>,
    /// Step, s.
    #[schemars(range(min = 0.0))]
    step: f64,
    /// Starts: that of the case, and others beside it (default 16).
    #[serde(default = "starts")]
    #[schemars(range(min = 4, max = 1024))]
    starts: u32,
    /// Numbers of steps, from 10^a to 10^b (default 3 and 6).
    #[serde(default = "decades")]
    decades: [u32; 2],
    /// Drifts that are known beforehand: a scheme that has its own is linear, as predicted.
    #[serde(default)]
    predicted: Vec<Prediction>,
}

/// A drift by round-off that is known beforehand.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Prediction {
    /// Label of the scheme.
    scheme: String,
    /// Change of the size of the quantity a step, in units of ε = 2⁻⁵², relative (of `orth`: of itself).
    drift: f64,
    /// Where the number comes from.
    source: String,
}

fn starts() -> u32 {
    16
}
fn decades() -> [u32; 2] {
    [3, 6]
}

/// Name of the kind in case files.
const KIND: &str = "round_off";

impl StudyKeys for RoundOffTable {
    fn needs_runs(&self) -> bool {
        true
    }

    fn study(self, reader: &mut TableReader) -> Option<Box<dyn Study>> {
        read(self, reader)
    }
}

fn read(table: RoundOffTable, reader: &mut TableReader) -> Option<Box<dyn Study>> {
    let [low, high] = table.decades;
    if !(low < high && high <= 10) {
        let found = format!("from 10^{low} to 10^{high} steps");
        reader.fault(
            "decades",
            found,
            "two powers of ten, the second larger and at most 10",
        );
        return None;
    }
    if !(table.step > 0.0) {
        reader.fault("step", "no step", "a number of seconds greater than 0");
        return None;
    }
    let jobs = &reader.problem.jobs;
    let all: Vec<&Job> = jobs.iter().collect();
    let key = reader.at("schemes");
    selection::fit(table.schemes.as_deref(), &key, &all, reader.faults);
    for (i, row) in table.predicted.iter().enumerate() {
        let key = reader.at(&format!("predicted[{i}].scheme"));
        let label = SchemeSelector::new(&*row.scheme);
        selection::fit(Some(&[label]), &key, &all, reader.faults);
    }
    let asked = |job: &&&Job| selects(table.schemes.as_deref(), &job.scheme, &job.scheme_name);
    let mut schemes: Vec<(String, Arc<Experiment>)> = Vec::new();
    for job in all.iter().filter(asked) {
        if schemes.iter().all(|(label, _)| *label != job.scheme) {
            schemes.push((job.scheme.clone(), job.experiment.clone()));
        }
    }
    let start = jobs.first()?.grid.start;
    let columns = jobs.first()?.experiment.columns();
    let words = text::quantity(columns, &table.quantity);
    let known =
        columns.group(&table.quantity).is_some() || columns.position(&table.quantity).is_some();
    if !known {
        let found = format!("the history has no column or group `{}`", table.quantity);
        reader.fault(
            "quantity",
            found,
            "a column or group that the steps keep exactly",
        );
        return None;
    }
    Some(Box::new(RoundOff {
        table,
        words,
        schemes,
        start,
    }))
}

/// A study with the schemes it looks at.
struct RoundOff {
    table: RoundOffTable,
    /// The quantity in words.
    words: String,
    schemes: Vec<(String, Arc<Experiment>)>,
    start: f64,
}

impl fmt::Debug for RoundOff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table.fmt(f)
    }
}

impl RoundOff {
    fn asked(&self) -> Asked<'_> {
        let RoundOffTable {
            quantity,
            step,
            decades,
            ..
        } = &self.table;
        Asked {
            quantity,
            start: self.start,
            step: *step,
            decades: *decades,
        }
    }
}

impl Study for RoundOff {
    fn kind(&self) -> &'static str {
        KIND
    }
    fn stem(&self) -> String {
        format!("{}_{}", KIND, self.table.name)
    }
    fn names(&self) -> Option<StudyNames> {
        let each = self.schemes.iter().flat_map(|(label, _)| {
            ["exponent", "exponent_error", "rms", "drift"].map(|n| format!("{n}({label})"))
        });
        let rows = self.table.predicted.iter();
        let each = each.chain(rows.map(|row| format!("of_predicted({})", row.scheme)));
        Some(StudyNames {
            study: self.table.name.clone(),
            numbers: each.collect(),
        })
    }
    fn extent(&self) -> String {
        let RoundOffTable {
            starts, decades, ..
        } = self.table;
        format!(
            "{} schemes from {starts} starts, 10^{} steps each",
            self.schemes.len(),
            decades[1]
        )
    }
    fn make(&self, input: &StudyInput) -> Finding {
        let asked = self.asked();
        let counts = asked.counts();
        let starts = self.table.starts;
        let go_on = || (input.stop)().is_none();
        let tasks: Vec<(usize, u32)> = (0..self.schemes.len())
            .flat_map(|s| (0..starts).map(move |k| (s, k)))
            .collect();
        let strayed: Vec<Option<StrayCurve>> = tasks
            .par_iter()
            .with_max_len(1)
            .map(|&(s, k)| asked.strayed(&self.schemes[s].1, k, &go_on))
            .collect();
        let mut strayed = strayed.into_iter();
        let name = &self.table.quantity;
        let mut found = Finding::new(
            self,
            format!(
                "relative change of {name} by round-off, rms of {starts} starts, h = {} s",
                self.table.step
            ),
        );
        if let Some(reason) = (input.stop)() {
            found.outcome = Err(IncompleteStudy::Stopped {
                reason,
                tiles_kept: false,
            });
        }
        let mut grown = Vec::new();
        for (label, _) in &self.schemes {
            // All of its starts are taken before one that failed speaks for them.
            let own: Vec<Option<StrayCurve>> = strayed.by_ref().take(starts as usize).collect();
            let own: Option<Vec<StrayCurve>> = own.into_iter().collect();
            let growth = own.map(|own| Growth::of(&counts, &own));
            if growth.is_none() && found.outcome.is_ok() {
                found.outcome = Err(IncompleteStudy::Failed(format!("a step of {label} failed")));
            }
            grown.push((&**label, growth));
        }
        found.numbers = numbers(&grown, &found.outcome);
        found.numbers.extend(self.of_predicted(&grown));
        let table = self.table_of(&counts, &grown);
        found.files = vec![DataFile::text(format!("{}.csv", found.stem), csv(&table))];
        let plot = self.plot(input.title, &counts, &grown);
        found.drawings = vec![Drawing::of_plot(found.stem.clone(), plot)];
        found.ladder = Some(table);
        found
    }
}

type LabelledGrowth<'a> = [(&'a str, Option<Growth>)];

fn numbers(grown: &LabelledGrowth, outcome: &Result<(), IncompleteStudy>) -> Vec<Number> {
    let each = |(label, growth): &(&str, Option<Growth>)| {
        let last = |g: &Growth| g.bands.last().map_or(f64::NAN, |b| b[0]);
        let values: [(&str, &'static str, Option<f64>); 4] = [
            ("exponent", "", growth.as_ref().map(|g| g.exponent[0])),
            ("exponent_error", "", growth.as_ref().map(|g| g.exponent[1])),
            ("rms", "", growth.as_ref().map(last)),
            ("drift", "ε/step", growth.as_ref().map(|g| g.drift)),
        ];
        values.map(|(name, unit, value)| {
            let missing = || {
                outcome
                    .clone()
                    .err()
                    .unwrap_or(IncompleteStudy::Failed("a step failed".into()))
            };
            Number {
                name: format!("{name}({label})"),
                unit: unit.into(),
                value: value.ok_or_else(|| missing().into()),
                headline: false,
            }
        })
    };
    grown.iter().flat_map(each).collect()
}

impl RoundOff {
    fn predicted(&self, label: &str) -> Option<&Prediction> {
        self.table.predicted.iter().find(|row| row.scheme == label)
    }

    /// Drifts in parts of their predictions.
    fn of_predicted(&self, grown: &LabelledGrowth) -> Vec<Number> {
        let each = grown.iter().filter_map(|(label, growth)| {
            let value = growth.as_ref()?.of_predicted(self.predicted(label)?.drift);
            Some(Number {
                name: format!("of_predicted({label})"),
                unit: String::new(),
                value: Ok(value),
                headline: false,
            })
        });
        each.collect()
    }

    fn table_of(&self, counts: &[u64], grown: &LabelledGrowth) -> LadderTable {
        let line = |(label, growth): &(&str, Option<Growth>)| {
            let bands = growth.iter().flat_map(|g| &g.bands);
            let points = counts.iter().zip(bands).map(|(n, band)| Point {
                step: n.to_string(),
                x: *n as f64,
                values: Ok(band.to_vec()),
            });
            Line {
                scheme: (*label).into(),
                points: points.collect(),
                summary: growth.as_ref().map_or("incomplete".into(), |g| {
                    let [p, e] = g.exponent;
                    let row = self.predicted(label);
                    let word = g.word(row.map(|row| row.drift));
                    let predicted =
                        row.map_or(String::new(), |Prediction { drift, source, .. }| {
                            format!("; predicted {drift:+.3}: {source}")
                        });
                    format!(
                        "n^{p:.2} ± {e:.2}, {word}, {:+.3} ε a step{predicted}",
                        g.drift
                    )
                }),
                power: growth.as_ref().map(|g| g.exponent[0]),
                drawn: true,
            }
        };
        LadderTable {
            quantity: Some(self.table.quantity.clone()),
            work: Some(Column::new("steps", "")),
            columns: ["rms", "10 %", "90 %"].map(|n| Column::new(n, "")).into(),
            summary: "growth".into(),
            lines: grown.iter().map(line).collect(),
        }
    }

    fn plot(&self, title: &str, counts: &[u64], grown: &LabelledGrowth) -> Plot {
        let of = |g: &Growth, i: usize| -> Vec<[f64; 2]> {
            let points = counts.iter().zip(&g.bands).map(|(n, b)| [*n as f64, b[i]]);
            points.collect()
        };
        let known = || {
            grown
                .iter()
                .filter_map(|(label, g)| Some((*label, g.as_ref()?)))
        };
        let mut series: Vec<Series> = known()
            .map(|(label, g)| {
                Series::new(
                    format!("{label}, n^{:.2}", g.exponent[0]),
                    of(g, 0),
                    Style::LineMarkers,
                )
            })
            .collect();
        let guide = |label: &str, power: f64| {
            let points = counts
                .iter()
                .map(|n| [*n as f64, 0.5 * f64::EPSILON * (*n as f64).powf(power)]);
            Series::new(label, points.collect(), Style::Line)
        };
        series.extend([guide("½ ε √n", 0.5), guide("½ ε n", 1.0)]);
        // Bands of many schemes would hide each other.
        let bands = known().take(if grown.len() <= 2 { 2 } else { 0 });
        let marks = bands.map(|(label, g)| {
            let back = of(g, 1).into_iter().rev();
            Mark::Area {
                corners: of(g, 2).into_iter().chain(back).collect(),
                label: format!("{label}, 10 to 90 %"),
            }
        });
        Plot {
            title: format!("{title} · {}", Column::new(&*self.words, "").capital()),
            x: Axis::new("Steps", Scale::Log10),
            y: Axis::new(
                format!("Relative change of the {}", self.words),
                Scale::Log10,
            ),
            marks: marks.collect(),
            series,
            ..Plot::default()
        }
    }
}

#[cfg(test)]
mod tests;
