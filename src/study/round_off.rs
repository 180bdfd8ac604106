//! How round-off grows with the number of steps.

use super::ladder::{LadderTable, Line, Point, csv};
use super::{Column, DataFile, Drawing, Finding, Incomplete, Kind, Study, StudyInput, TableReader};
use crate::check::{Number, StudyNames, matches, selection};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use std::fmt;
use std::sync::Arc;
use topsim_core::integration::{Experiment, Stops};
use topsim_core::models::{Columns, Quantity};
use topsim_plot::{Axis, Mark, Plot, Scale, Series, Style};

/// How round-off grows: what the exact steps of a scheme keep strays by rounding alone, as a random walk (n^½, Brouwer's
/// law) where the rounding has no bias, and like n where it has one.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
struct RoundOffTable {
    /// Its name, for files and checks.
    name: String,
    /// The column or group that the steps keep exactly: `pi` of a free body, `H` where the scheme keeps it, `orth`.
    quantity: String,
    /// Labels of the schemes; `*` stands for any characters. All without it.
    schemes: Option<Vec<String>>,
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
}

fn starts() -> u32 {
    16
}
fn decades() -> [u32; 2] {
    [3, 6]
}

/// The row of round-off studies.
pub(super) const KIND: Kind = Kind {
    name: "round_off",
    fields: <RoundOffTable as JsonSchema>::json_schema,
    read,
    needs_runs: true,
};

fn read(table: toml::Table, reader: &mut TableReader) -> Option<Box<dyn Study>> {
    let table: RoundOffTable = reader.table(table)?;
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
    let labels = selection::labels(jobs.iter());
    let key = reader.at("schemes");
    selection::names(table.schemes.as_deref(), &key, &labels, reader.faults);
    let asked = |label: &str| {
        let patterns = table.schemes.as_ref();
        patterns.is_none_or(|all| all.iter().any(|p| matches(p, label)))
    };
    let mut schemes: Vec<(String, Arc<dyn Experiment>)> = Vec::new();
    for job in jobs.iter().filter(|j| asked(&j.scheme)) {
        if schemes.iter().all(|(label, _)| *label != job.scheme) {
            schemes.push((job.scheme.clone(), job.experiment.clone()));
        }
    }
    let start = jobs.first()?.grid.start;
    let columns = jobs.first()?.experiment.columns();
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
        schemes,
        start,
    }))
}

/// A study with the schemes it looks at.
struct RoundOff {
    table: RoundOffTable,
    schemes: Vec<(String, Arc<dyn Experiment>)>,
    start: f64,
}

impl fmt::Debug for RoundOff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table.fmt(f)
    }
}

/// What the starts of a scheme show together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Growth {
    /// Root mean square, 10 % and 90 % of the starts at each number of steps, relative.
    bands: Vec<[f64; 3]>,
    /// The power of n, and its standard error by leaving out one start after the other.
    pub exponent: [f64; 2],
    /// Mean change of the size a step, in units of ε.
    drift: f64,
}

/// One start: relative changes at the numbers of steps, and that of the size at the last.
struct Strayed {
    changes: Vec<f64>,
    size: f64,
}

/// Exponents within this of ½ are those of a random walk, of 1 those of a bias.
const NEAR: [f64; 2] = [0.1, 0.1];
/// An exponent less sure than this says nothing.
const UNSURE: f64 = 0.15;

impl Growth {
    fn of(counts: &[u64], starts: &[Strayed]) -> Self {
        let exponent = |without: Option<usize>| {
            let kept = || {
                starts
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| Some(*i) != without)
            };
            let points: Vec<[f64; 2]> = (0..counts.len())
                .map(|k| {
                    let squares = kept().map(|(_, s)| s.changes[k] * s.changes[k]);
                    let mean = squares.sum::<f64>() / kept().count() as f64;
                    [(counts[k] as f64).ln(), 0.5 * mean.ln()]
                })
                .collect();
            slope(&points)
        };
        let all = exponent(None);
        let n = starts.len() as f64;
        let spread: f64 = (0..starts.len())
            .map(|i| (exponent(Some(i)) - all).powi(2))
            .sum();
        let bands = (0..counts.len())
            .map(|k| {
                let mut sorted: Vec<f64> = starts.iter().map(|s| s.changes[k]).collect();
                sorted.sort_by(f64::total_cmp);
                let at = |part: f64| sorted[((n - 1.0) * part).round() as usize];
                let mean = sorted.iter().map(|x| x * x).sum::<f64>() / n;
                [mean.sqrt(), at(0.1), at(0.9)]
            })
            .collect();
        let mean = starts.iter().map(|s| s.size).sum::<f64>() / n;
        Self {
            bands,
            exponent: [all, ((n - 1.0) / n * spread).sqrt()],
            drift: mean / counts[counts.len() - 1] as f64 / f64::EPSILON,
        }
    }

    fn word(&self) -> &'static str {
        let [p, e] = self.exponent;
        let near = |x: f64, slack: f64| (p - x).abs() <= slack.max(2.0 * e);
        if !p.is_finite() {
            "exact"
        } else if e > UNSURE {
            "undecided"
        } else if near(0.5, NEAR[0]) {
            "random walk"
        } else if near(1.0, NEAR[1]) {
            "biased"
        } else if p < 0.5 {
            "bounded"
        } else {
            "between"
        }
    }
}

/// Slope of the least-squares line.
fn slope(points: &[[f64; 2]]) -> f64 {
    let n = points.len() as f64;
    let mean = |i: usize| points.iter().map(|p| p[i]).sum::<f64>() / n;
    let (x, y) = (mean(0), mean(1));
    let sum = |f: &dyn Fn(&[f64; 2]) -> f64| points.iter().map(f).sum::<f64>();
    sum(&|p| (p[0] - x) * (p[1] - y)) / sum(&|p| (p[0] - x) * (p[0] - x))
}

/// Numbers in [−½, ½) that are the same on every machine (SplitMix64).
fn beside(start: u32) -> Vec<f64> {
    let mut state = u64::from(start).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    // The case's own start is the first.
    (0..32)
        .map(|_| if start == 0 { 0.0 } else { next() })
        .collect()
}

/// Which quantity is looked at, with which step, and up to how many steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    /// Column or group.
    pub quantity: &'a str,
    /// Start, s.
    pub start: f64,
    /// Step, s.
    pub step: f64,
    /// Powers of ten of the first and the last number of steps.
    pub decades: [u32; 2],
}

impl Asked<'_> {
    /// 1, 2 and 5 times each power of ten.
    fn counts(&self) -> Vec<u64> {
        let [low, high] = self.decades;
        let powers = (low..high).flat_map(|k| [1, 2, 5].map(|m| m * 10_u64.pow(k)));
        powers.chain([10_u64.pow(high)]).collect()
    }

    /// What so many starts show; `None` where a step failed or somebody stopped it.
    pub(super) fn growth(&self, experiment: &dyn Experiment, starts: u32) -> Option<Growth> {
        let strayed: Option<Vec<Strayed>> = (0..starts)
            .map(|k| self.strayed(experiment, k, &|| true))
            .collect();
        Some(Growth::of(&self.counts(), &strayed?))
    }

    /// One start; `None` where a step failed or somebody stopped it.
    fn strayed(
        &self,
        experiment: &dyn Experiment,
        start: u32,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<Strayed> {
        let columns = experiment.columns();
        let counts: Vec<u64> = std::iter::once(0).chain(self.counts()).collect();
        let displacement = beside(start);
        let stops = Stops {
            start: self.start,
            step: self.step,
            counts: &counts,
            displacement: &displacement,
            wanted: go_on,
        };
        let mut first = Vec::new();
        let mut out = Strayed {
            changes: Vec::new(),
            size: 0.0,
        };
        experiment.follow(&stops, &mut |i, row| {
            if i == 0 {
                first = row.to_vec();
                return true;
            }
            let begun = size(columns, self.quantity, &first);
            let unit = match columns.quantity(self.quantity) {
                Some(Quantity::Orthogonality) => 1.0,
                _ => begun,
            };
            let changed = change(columns, self.quantity, &first, row);
            out.changes.push(changed / unit);
            out.size = (size(columns, self.quantity, row) - begun) / unit;
            go_on()
        });
        (out.changes.len() + 1 == counts.len()).then_some(out)
    }
}

fn change(columns: &Columns, quantity: &str, from: &[f64], to: &[f64]) -> f64 {
    match (columns.group(quantity), columns.position(quantity)) {
        (Some(group), _) => group.distance(to, from),
        (None, Some(c)) => (to[c] - from[c]).abs(),
        (None, None) => f64::NAN,
    }
}

fn size(columns: &Columns, quantity: &str, row: &[f64]) -> f64 {
    match (columns.group(quantity), columns.position(quantity)) {
        (Some(group), _) => group
            .channels
            .iter()
            .map(|&c| row[c] * row[c])
            .sum::<f64>()
            .sqrt(),
        (None, Some(c)) => row[c].abs(),
        (None, None) => f64::NAN,
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
        KIND.name
    }
    fn stem(&self) -> String {
        format!("{}_{}", KIND.name, self.table.name)
    }
    fn names(&self) -> Option<StudyNames> {
        let each = self.schemes.iter().flat_map(|(label, _)| {
            ["exponent", "exponent_error", "rms", "drift"].map(|n| format!("{n}({label})"))
        });
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
        let strayed: Vec<Option<Strayed>> = tasks
            .par_iter()
            .with_max_len(1)
            .map(|&(s, k)| asked.strayed(&*self.schemes[s].1, k, &go_on))
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
            found.outcome = Err(Incomplete::Stopped {
                reason,
                tiles_kept: false,
            });
        }
        let mut grown = Vec::new();
        for (label, _) in &self.schemes {
            // All of its starts are taken before one that failed speaks for them.
            let own: Vec<Option<Strayed>> = strayed.by_ref().take(starts as usize).collect();
            let own: Option<Vec<Strayed>> = own.into_iter().collect();
            let growth = own.map(|own| Growth::of(&counts, &own));
            if growth.is_none() && found.outcome.is_ok() {
                found.outcome = Err(Incomplete::Failed(format!("a step of {label} failed")));
            }
            grown.push((&**label, growth));
        }
        found.numbers = numbers(&grown, &found.outcome);
        let table = self.table_of(&counts, &grown);
        found.files = vec![DataFile::text(format!("{}.csv", found.stem), csv(&table))];
        let plot = self.plot(input.title, &counts, &grown);
        found.drawings = vec![Drawing::of_plot(found.stem.clone(), plot)];
        found.ladder = Some(table);
        found
    }
}

type Grown<'a> = [(&'a str, Option<Growth>)];

fn numbers(grown: &Grown, outcome: &Result<(), Incomplete>) -> Vec<Number> {
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
                    .unwrap_or(Incomplete::Failed("a step failed".into()))
            };
            Number {
                name: format!("{name}({label})"),
                unit,
                value: value.ok_or_else(|| missing().into()),
                headline: false,
            }
        })
    };
    grown.iter().flat_map(each).collect()
}

impl RoundOff {
    fn table_of(&self, counts: &[u64], grown: &Grown) -> LadderTable {
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
                    format!("n^{p:.2} ± {e:.2}, {}, {:+.3} ε a step", g.word(), g.drift)
                }),
                power: growth.as_ref().map(|g| g.exponent[0]),
                drawn: true,
            }
        };
        LadderTable {
            quantity: Some(self.table.quantity.clone()),
            work: Some(Column::new("steps", "")),
            columns: ["rms", "10 %", "90 %"].map(|n| Column::new(n, "")).into(),
            summary: "growth",
            lines: grown.iter().map(line).collect(),
        }
    }

    fn plot(&self, title: &str, counts: &[u64], grown: &Grown) -> Plot {
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
            title: format!("{title}: round-off"),
            x: Axis::new("Steps", Scale::Log10),
            y: Axis::new(
                format!("Relative change of {}", self.table.quantity),
                Scale::Log10,
            ),
            marks: marks.collect(),
            series,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use topsim_core::integration::bind;
    use topsim_core::math::{Mat3, Vec3, so3};
    use topsim_core::models::{AnyTop, Free, Inertia, Model, RigidTop, RotState, Torque};
    use topsim_core::schemes::wrong::{Fault, Of, Twin};
    use topsim_core::schemes::{Effort, RigNeg, RotationScheme, StepFail};

    fn study(scheme: impl RotationScheme + 'static, quantity: &str, initial: RotState) -> Growth {
        let inertia = Inertia::diagonal(Vec3::new(0.6, 0.8, 1.0)).unwrap();
        let model = Model::Top(AnyTop::from(RigidTop::new(inertia, Free, initial)));
        let asked = Asked {
            quantity,
            start: 0.0,
            step: 0.01,
            decades: [2, 5],
        };
        let experiment = bind(scheme, &model).ok().unwrap();
        asked.growth(&*experiment, 16).unwrap()
    }

    fn tumbling() -> RotState {
        RotState {
            att: so3::exp(&Vec3::new(0.3, -0.4, 0.5)),
            omega: Vec3::new(1.1, 0.7, -0.9),
        }
    }

    /// The twin carries the rate, and multiplies by J and J⁻¹ in turn; the scheme carries the momentum.
    #[test]
    fn a_rounded_inverse_has_a_bias_and_a_carried_momentum_has_none() {
        let right = study(RigNeg {}, "pi", tumbling());
        assert_eq!(right.word(), "random walk", "{right:?}");
        let twin = Twin {
            of: Of::Neg,
            fault: Fault::CarriesRate,
        };
        let biased = study(twin, "pi", tumbling());
        assert_eq!(biased.word(), "biased", "{biased:?}");
        assert!(biased.bands.last().unwrap()[0] > 3.0 * right.bands.last().unwrap()[0]);
    }

    /// Turns by one rounded matrix in every step, whatever the rate.
    struct Rotor(Mat3);

    impl RotationScheme for Rotor {
        type Memory = ();
        fn start<T: Torque>(
            &self,
            _: &RigidTop<T>,
            _: f64,
            _: f64,
            _: &mut RotState,
        ) -> Result<(), StepFail> {
            Ok(())
        }
        fn step<T: Torque>(
            &self,
            _: &RigidTop<T>,
            _: f64,
            _: f64,
            y: &mut RotState,
            (): &mut (),
        ) -> Result<Effort, StepFail> {
            y.att *= self.0;
            Ok(Effort::default())
        }
    }

    /// A rotor turned by a constant angle grows by c² + s² − 1 a step in ΛᵀΛ, which is known beforehand.
    #[test]
    fn the_bias_of_a_constant_angle_is_that_of_its_rounded_matrix() {
        let turn = so3::exp(&Vec3::new(0.0, 0.0, 0.01));
        // A square and its rounding error, exactly; the leading parts cancel without an error.
        let square = |x: f64| (x * x, x.mul_add(x, -(x * x)));
        let ((c2, c_error), (s2, s_error)) = (square(turn.m11), square(turn.m21));
        let excess = ((c2 - 1.0) + s2) + (c_error + s_error);
        let still = RotState {
            att: Mat3::identity(),
            omega: Vec3::new(0.0, 0.0, 1.0),
        };
        let grown = study(Rotor(turn), "orth", still);
        assert_eq!(grown.word(), "biased", "{grown:?}");
        let [last, ..] = grown.bands.last().unwrap();
        let predicted = 1e5 * excess.abs();
        assert!(
            (last / predicted - 1.0).abs() < 0.1,
            "{last} against {predicted}"
        );
    }

    #[test]
    fn the_study_reads_runs_and_gives_its_numbers() {
        let mut text = crate::suite::builtin("round_off").unwrap();
        text.case.text = text
            .case
            .text
            .replace("decades = [2, 5]", "starts = 4\ndecades = [1, 2]");
        let mut suite = crate::suite::Suite::read(&text).ok().unwrap();
        suite.checks.clear();
        let report = crate::run::execute(
            vec![suite],
            &crate::run::Options::default(),
            &(),
            &AtomicBool::new(false),
        )
        .unwrap();
        let found: Vec<_> = report.cases[0].findings().collect();
        assert_eq!(found[0].stem, "round_off_momentum");
        let numbers = &found[0].numbers;
        assert!(
            numbers
                .iter()
                .any(|n| n.name == "exponent(rig_neg)" && n.value.is_ok())
        );
        assert!(
            found[1].drawings[0]
                .svg()
                .unwrap()
                .contains("Relative change of H")
        );
    }

    #[test]
    fn a_stopped_study_says_so() {
        let none = [("a", None)];
        let stopped = Err(Incomplete::Failed("why".into()));
        let numbers = numbers(&none, &stopped);
        assert_eq!(numbers.len(), 4);
        assert!(
            numbers
                .iter()
                .all(|n| n.value.clone().unwrap_err().to_string() == "why")
        );
    }
}
