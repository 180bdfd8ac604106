//! Growth of round-off with the number of steps.

mod growth;

pub(crate) use growth::{Asked, Growth};

use super::ladder::{LadderTable, Line, Point};
use super::{Finding, Study, StudyInput, StudyKeys, TableReader, curves};
use crate::check::{IncompleteStudy, Number, selection};
use crate::text::{self, Column};
use growth::StrayCurve;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;
use topsim_case::RunPlan;
use topsim_core::integration::{Experiment, SchemeSelector};
use topsim_core::verdict::Fineness;
use topsim_plot::{Axis, Mark, Plot, Scale, Series, Style};

/// Growth of round-off: what the exact steps of a scheme keep strays by rounding alone, as a random walk (n^½, Brouwer's
/// law) where the rounding has no bias, and like n where it has one.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct RoundOffTable {
    /// Name of the study, for files and checks.
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
    /// Document or program that the number comes from.
    source: String,
}

fn starts() -> u32 {
    16
}
fn decades() -> [u32; 2] {
    [3, 6]
}

impl StudyKeys for RoundOffTable {
    fn needs_runs(&self) -> bool {
        true
    }

    fn study(self, reader: &mut TableReader) -> Option<Box<dyn Study>> {
        let [low, high] = self.decades;
        if !(low < high && high <= 10) {
            let found = format!("from 10^{low} to 10^{high} steps");
            let allowed = "two powers of ten, the second larger and at most 10";
            reader.fault("decades", found, allowed);
            return None;
        }
        if !(self.step > 0.0) {
            reader.fault("step", "no step", "a number of seconds greater than 0");
            return None;
        }
        let plans = reader.schemes(self.schemes.as_deref()).into_iter();
        let schemes = plans.map(|plan| (plan.scheme.clone(), plan.experiment.clone()));
        let all: Vec<&RunPlan> = reader.problem.plans.iter().collect();
        for (i, row) in self.predicted.iter().enumerate() {
            let key = reader.at(&format!("predicted[{i}].scheme"));
            let label = SchemeSelector::new(&*row.scheme);
            selection::fit(Some(&[label]), &key, &all, reader.faults);
        }
        let first = all.first()?;
        let columns = first.experiment.columns();
        if columns.quantity(&self.quantity).is_none() {
            let found = format!("the history has no column or group `{}`", self.quantity);
            let allowed = "a column or group that the steps keep exactly";
            reader.fault("quantity", found, allowed);
            return None;
        }
        Some(Box::new(RoundOff {
            words: text::quantity(columns, &self.quantity),
            schemes: schemes.collect(),
            start: first.grid.start,
            table: self,
        }))
    }
}

/// A study with its schemes.
struct RoundOff {
    table: RoundOffTable,
    /// Noun for the quantity.
    words: String,
    schemes: Vec<(String, Arc<Experiment>)>,
    /// Start of the runs, s.
    start: f64,
}

impl Study for RoundOff {
    fn kind(&self) -> &'static str {
        "round_off"
    }
    fn name(&self) -> Option<&str> {
        Some(&self.table.name)
    }
    fn number_names(&self) -> Vec<String> {
        let of_scheme = |label: &String| NUMBERS.map(|(name, ..)| format!("{name}({label})"));
        let each = self.schemes.iter().flat_map(|(label, _)| of_scheme(label));
        let rows = self.table.predicted.iter();
        let predicted = rows.map(|row| format!("of_predicted({})", row.scheme));
        each.chain(predicted).collect()
    }
    fn extent(&self) -> String {
        let (schemes, starts) = (self.schemes.len(), self.table.starts);
        let most = self.table.decades[1];
        format!("{schemes} schemes from {starts} starts, 10^{most} steps each")
    }
    fn make(&self, input: &StudyInput) -> Finding {
        let (quantity, step) = (&*self.table.quantity, self.table.step);
        let (starts, decades) = (self.table.starts, self.table.decades);
        let start = self.start;
        let asked = Asked {
            quantity,
            start,
            step,
            decades,
        };
        let counts = asked.counts();
        let go_on = || (input.stop)().is_none();
        let schemes = self.schemes.iter();
        let tasks: Vec<(&Experiment, u32)> = schemes
            .flat_map(|(_, experiment)| (0..starts).map(move |k| (&**experiment, k)))
            .collect();
        let strayed: Vec<Option<StrayCurve>> = tasks
            .par_iter()
            .with_max_len(1)
            .map(|&(experiment, k)| asked.strayed(experiment, k, &go_on))
            .collect();
        let mut strayed = strayed.into_iter();
        let title = format!(
            "relative change of {quantity} by round-off, rms of {starts} starts, h = {step} s"
        );
        let mut found = Finding::new(self, title);
        found.incomplete = (input.stop)().map(|reason| IncompleteStudy::Stopped {
            reason,
            tiles_kept: false,
        });
        let mut grown = Vec::new();
        for (label, _) in &self.schemes {
            // All of its starts are taken before one that failed speaks for them.
            let own: Vec<Option<StrayCurve>> = strayed.by_ref().take(starts as usize).collect();
            let own: Option<Vec<StrayCurve>> = own.into_iter().collect();
            let growth = own.map(|own| Growth::of(&counts, &own));
            if growth.is_none() && found.incomplete.is_none() {
                let why = format!("a step of {label} failed");
                found.incomplete = Some(IncompleteStudy::Failed(why));
            }
            grown.push((&**label, growth));
        }
        found.numbers = numbers(&grown, found.incomplete.as_ref());
        found.numbers.extend(self.of_predicted(&grown));
        let plot = self.plot(input.title, &counts, &grown);
        found.with_table(self.table_of(&counts, &grown), plot)
    }
}

/// Growth for each label; none where a step failed.
type LabelledGrowth<'a> = [(&'a str, Option<Growth>)];

/// A number of a growth.
type GrowthNumber = fn(&Growth) -> f64;
/// The numbers of a scheme: name, unit and value.
const NUMBERS: [(&str, &str, GrowthNumber); 4] = [
    ("exponent", "", |g| g.exponent[0]),
    ("exponent_error", "", |g| g.exponent[1]),
    ("rms", "", |g| g.bands.last().map_or(f64::NAN, |b| b[0])),
    ("drift", "ε/step", |g| g.drift),
];

fn numbers(grown: &LabelledGrowth, incomplete: Option<&IncompleteStudy>) -> Vec<Number> {
    let failed = || IncompleteStudy::Failed("a step failed".into());
    let missing = || incomplete.cloned().unwrap_or_else(failed);
    let each = |(label, growth): &(&str, Option<Growth>)| {
        NUMBERS.map(|(name, unit, value)| {
            let value = growth.as_ref().map(value).ok_or_else(missing);
            Number::new(format!("{name}({label})"), unit, value)
        })
    };
    grown.iter().flat_map(each).collect()
}

impl RoundOff {
    fn predicted(&self, label: &str) -> Option<&Prediction> {
        self.table.predicted.iter().find(|row| row.scheme == label)
    }

    /// Returns drifts in parts of their predictions.
    fn of_predicted(&self, grown: &LabelledGrowth) -> Vec<Number> {
        let each = grown.iter().filter_map(|(label, growth)| {
            let value = growth.as_ref()?.of_predicted(self.predicted(label)?.drift);
            let value = Ok::<_, IncompleteStudy>(value);
            Some(Number::new(format!("of_predicted({label})"), "", value))
        });
        each.collect()
    }

    fn summary(&self, label: &str, growth: &Growth) -> String {
        let ([p, e], drift) = (growth.exponent, growth.drift);
        let row = self.predicted(label);
        let word = growth.word(row.map(|row| row.drift));
        let predicted = row.map_or(String::new(), |Prediction { drift, source, .. }| {
            format!("; predicted {drift:+.3}: {source}")
        });
        format!("n^{p:.2} ± {e:.2}, {word}, {drift:+.3} ε a step{predicted}")
    }

    fn table_of(&self, counts: &[u64], grown: &LabelledGrowth) -> LadderTable {
        let line = |(label, growth): &(&str, Option<Growth>)| {
            let growth = growth.as_ref();
            let bands = growth.into_iter().flat_map(|g| &g.bands);
            let points = counts.iter().zip(bands).map(|(n, band)| Point {
                fineness: Fineness::Step(n.to_string()),
                x: *n as f64,
                values: Ok(band.to_vec()),
            });
            Line {
                scheme: (*label).into(),
                points: points.collect(),
                summary: growth.map_or("incomplete".into(), |g| self.summary(label, g)),
                power: growth.map(|g| g.exponent[0]),
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
        let known = grown.iter();
        let known = || {
            known
                .clone()
                .filter_map(|(label, g)| Some((*label, g.as_ref()?)))
        };
        let series = known().map(|(label, g)| {
            let label = format!("{label}, n^{:.2}", g.exponent[0]);
            Series::new(label, of(g, 0), Style::LineMarkers)
        });
        let guides = [("½ ε √n", 0.5), ("½ ε n", 1.0)].map(|(label, power)| {
            let size = |n: f64| 0.5 * f64::EPSILON * n.powf(power);
            let points = counts.iter().map(|n| [*n as f64, size(*n as f64)]);
            Series::new(label, points.collect(), Style::Line)
        });
        // Bands of many schemes would hide each other.
        let bands = known().take(if grown.len() <= 2 { 2 } else { 0 });
        let marks = bands.map(|(label, g)| {
            let back = of(g, 1).into_iter().rev();
            Mark::Area {
                corners: of(g, 2).into_iter().chain(back).collect(),
                label: format!("{label}, 10 to 90 %"),
            }
        });
        let title = format!("{title} · {}", Column::new(&*self.words, "").capital());
        let change = format!("Relative change of the {}", self.words);
        let axes = ["Steps", &change].map(|label| Axis::new(label, Scale::Log10));
        curves(title, axes, series.chain(guides), marks.collect())
    }
}

#[cfg(test)]
mod tests;
