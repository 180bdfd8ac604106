//! `results.json`: every number measured, every verdict, and the provenance. Times measured go to
//! `timings.json`, so that everything else is the same for every machine and thread count.

use super::figures::figure_names;
use super::{Case, Item, Renderer, Report, RunItem};
use crate::study::scorecard::Card;
use crate::study::{Finding, LadderTable};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use topsim_core::integration::{End, StopReason, Track};
use topsim_core::verdict::Verdict;
use topsim_judge::Report as HistoryReport;
use topsim_judge::diagnosis::DefectEvidence;

/// Version of the format of `results.json`.
pub const FORMAT: u32 = 2;

/// The report as JSON: the contents of `results.json`.
#[derive(Debug, Clone, Copy)]
pub struct Json;

impl Renderer for Json {
    fn render(&self, report: &Report) -> String {
        results(report)
    }
}

/// JSON Schema of `results.json`.
pub fn results_schema() -> Value {
    // What is always written is required.
    let settings = SchemaSettings::default().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<Results>();
    schema.to_value()
}

/// Every number measured, every verdict, and the provenance.
#[derive(Serialize, JsonSchema)]
struct Results<'a> {
    /// Version of this format.
    format: u32,
    /// Version of topsim.
    topsim: &'static str,
    /// Its git revision.
    revision: &'a str,
    /// Absent where nothing was judged; a report that is not complete has not passed.
    passed: Option<bool>,
    /// Whether all that was asked for was made.
    complete: bool,
    /// The command of the solver that was judged, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    solver: Option<&'a str>,
    /// What several cases say together of what is wrong with the solver, where it was judged on more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    together: Option<Vec<DefectEvidence>>,
    /// The cases, in the order asked for.
    cases: Vec<CaseOut<'a>>,
}

/// A case.
#[derive(Serialize, JsonSchema)]
struct CaseOut<'a> {
    /// Its name.
    name: &'a str,
    /// Its title.
    title: &'a str,
    /// Where it was read.
    file: &'a str,
    /// SHA-256 of the case file.
    sha256: &'a str,
    /// Where the problem comes from.
    sources: &'a [String],
    /// Absent where nothing was judged.
    passed: Option<bool>,
    /// Whether all of it was made.
    complete: bool,
    /// Things to know.
    warnings: &'a [String],
    /// What it was compared with.
    reference: Option<ReferenceOut>,
    /// What was made.
    items: Vec<ItemOut<'a>>,
    /// What was judged.
    verdicts: &'a [Verdict],
    /// Files of the case in its folder; figures only where they were asked for.
    files: Vec<String>,
}

/// A reference.
#[derive(Serialize, JsonSchema)]
struct ReferenceOut {
    /// Where its numbers come from.
    provenance: String,
    /// Bounds of its own error at the end of the longest run, for each group of columns that it
    /// knows, in the unit of the group.
    errors: BTreeMap<String, f64>,
}

/// Something that was made.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum ItemOut<'a> {
    /// An integration.
    Run(RunOut<'a>),
    /// A study.
    Study(StudyOut<'a>),
    /// What was measured of a scheme.
    Card(CardOut<'a>),
    /// Histories of somebody else's solver.
    Histories(HistoriesOut<'a>),
}

/// An integration.
#[derive(Serialize, JsonSchema)]
struct RunOut<'a> {
    /// Scheme label.
    scheme: &'a str,
    /// Name of the scheme.
    scheme_name: &'a str,
    /// Step as the case writes it.
    step: &'a str,
    /// Step, s.
    h: f64,
    /// File of its history, in the folder of the case.
    history: String,
    /// Rows of the history.
    samples: usize,
    /// How it ended.
    end: EndOut,
    /// Work done.
    effort: EffortOut,
    /// Errors against the reference at the last sample; absent where the run did not reach its end.
    end_errors: Option<BTreeMap<&'a str, f64>>,
    /// Extremes and trends of the columns that are followed at every step.
    tracked: BTreeMap<&'a str, TrackOut>,
    /// Events met, in order of time.
    events: Vec<EventOut<'a>>,
    /// Times of kinks or jumps of the torque strictly inside a step, s.
    switches_straddled: &'a [f64],
}

/// How a run ended.
#[derive(Serialize, JsonSchema)]
struct EndOut {
    /// In a word.
    outcome: Outcome,
    /// Steps made.
    steps: u64,
    /// Time of the last sample, s.
    t: f64,
    /// Why a step failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// How a run ended, in a word.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    /// At its end.
    Reached,
    /// Stopped by `--time-limit`.
    TimeLimit,
    /// Interrupted.
    Interrupted,
    /// By a step that failed.
    Failed,
}

/// Work done.
#[derive(Serialize, JsonSchema)]
struct EffortOut {
    /// Steps.
    steps: u64,
    /// Torque evaluations.
    torque_evaluations: u64,
    /// Iterations of the nonlinear solver.
    iterations: u64,
    /// The most in one step.
    most_iterations: u32,
}

/// Extremes and trend of a column over all steps.
#[derive(Serialize, JsonSchema)]
struct TrackOut {
    /// Value at the start.
    first: f64,
    /// Smallest value.
    min: f64,
    /// When, s.
    min_at: f64,
    /// Largest value.
    max: f64,
    /// When, s.
    max_at: f64,
    /// Slope of the least-squares line, unit/s; `null` for fewer than two steps.
    slope: f64,
}

impl From<&Track> for TrackOut {
    fn from(t: &Track) -> Self {
        Self {
            first: t.first,
            min: t.min,
            min_at: t.min_at,
            max: t.max,
            max_at: t.max_at,
            slope: t.slope,
        }
    }
}

/// An event.
#[derive(Serialize, JsonSchema)]
struct EventOut<'a> {
    /// Its name in the case.
    name: &'a str,
    /// When, s.
    t: f64,
    /// All columns then.
    values: BTreeMap<&'a str, f64>,
}

/// A study.
#[derive(Serialize, JsonSchema)]
struct StudyOut<'a> {
    /// Kind of the study.
    study: &'static str,
    /// The name by which checks ask for its numbers.
    name: Option<&'a str>,
    /// What it looked at.
    title: &'a str,
    /// The column or group it looked at.
    quantity: Option<&'a str>,
    /// Why it is not complete.
    why: Option<String>,
    /// Its numbers; `null` where one is missing.
    numbers: BTreeMap<&'a str, Option<f64>>,
    /// The numbers of each scheme, where it looked at a step ladder.
    lines: Vec<LineOut<'a>>,
    /// All that its numbers depend on, where it can be computed in tiles.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    definition: &'a BTreeMap<String, String>,
    /// Its files, in the folder of the case.
    data: Vec<&'a str>,
}

/// A scheme in a study.
#[derive(Serialize, JsonSchema)]
struct LineOut<'a> {
    /// Scheme label.
    scheme: &'a str,
    /// What its runs say together.
    #[serde(skip_serializing_if = "str::is_empty")]
    summary: &'a str,
    /// Its runs.
    points: Vec<PointOut<'a>>,
}

/// A run in a study.
#[derive(Serialize, JsonSchema)]
struct PointOut<'a> {
    /// Step as the case writes it.
    step: &'a str,
    /// The step, s, or the work.
    x: f64,
    /// Its numbers.
    values: BTreeMap<&'a str, f64>,
    /// Why there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// What was measured of a scheme.
#[derive(Serialize, JsonSchema)]
struct CardOut<'a> {
    /// The scheme.
    scheme: &'static str,
    /// The measurements.
    #[schemars(with = "Value")]
    measured: &'a crate::study::scorecard::Measurements,
    /// Where they disagree with what is claimed.
    disagreements: Vec<&'static str>,
}

/// Histories of somebody else's solver.
#[derive(Serialize, JsonSchema)]
struct HistoriesOut<'a> {
    /// Whether nothing speaks against them but what is accepted.
    passed: bool,
    /// Whether all that was to be judged was there, or its absence is accepted.
    complete: bool,
    /// The order of convergence to the case's motion, where it could be measured.
    order: Option<f64>,
    /// What they show.
    #[serde(flatten)]
    report: &'a HistoryReport,
}

fn pretty(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("plain data always serialises");
    text.push('\n');
    text
}

/// The contents of `results.json`.
pub(super) fn results(report: &Report) -> String {
    let all = report.cases.iter().map(passed);
    let all: Option<Vec<bool>> = all.collect();
    let passed = all.map(|all| all.into_iter().all(|passed| passed));
    pretty(&Results {
        format: FORMAT,
        topsim: env!("CARGO_PKG_VERSION"),
        revision: &report.revision,
        passed,
        complete: report.complete(),
        solver: report.solver.as_deref(),
        together: together(report),
        cases: report.cases.iter().map(case).collect(),
    })
}

/// What the cases of one solver say together; absent for fewer than two.
fn together(report: &Report) -> Option<Vec<DefectEvidence>> {
    report.solver.as_ref()?;
    let all: Vec<&HistoryReport> = report.cases.iter().flat_map(Case::histories).collect();
    (all.len() > 1).then(|| HistoryReport::evidence(&all))
}

/// Names of the groups of columns of a case.
fn groups(c: &Case) -> impl Iterator<Item = &str> {
    let first = c.runs().next().into_iter();
    first.flat_map(|r| r.run.columns.group_names())
}

/// Absent where nothing was judged; a case that is not complete has not passed.
fn passed(c: &Case) -> Option<bool> {
    (!c.verdicts.is_empty()).then(|| c.passed() && c.complete())
}

fn case(c: &Case) -> CaseOut<'_> {
    let ends = c.runs().filter_map(|r| r.run.times.last().copied());
    let end = ends.fold(f64::NEG_INFINITY, f64::max);
    let histories = c.runs().map(|r| format!("{}.csv", r.stem()));
    let data = c.findings().filter(|f| !f.timed);
    let data = data.flat_map(|f| f.files.iter().map(|f| f.name.clone()));
    CaseOut {
        name: &c.name,
        title: &c.title,
        file: &c.origin,
        sha256: &c.hash,
        sources: &c.references,
        passed: passed(c),
        complete: c.complete(),
        warnings: &c.warnings,
        reference: c.reference.as_ref().ok().map(|r| ReferenceOut {
            provenance: r.provenance(),
            errors: groups(c)
                .map(|g| (g.to_string(), r.error(end, g)))
                .filter(|(_, e)| e.is_finite())
                .collect(),
        }),
        items: c.items.iter().filter_map(|i| item(c, i)).collect(),
        verdicts: &c.verdicts,
        files: histories.chain(data).chain(figure_names(c)).collect(),
    }
}

fn item<'a>(c: &'a Case, item: &'a Item) -> Option<ItemOut<'a>> {
    Some(match item {
        Item::Run(r) => ItemOut::Run(run(c, r)),
        Item::Study(f) if f.timed => return None,
        Item::Study(f) => ItemOut::Study(study(f)),
        Item::Card(card) => ItemOut::Card(card_out(card)),
        Item::Histories(h) => ItemOut::Histories(HistoriesOut {
            passed: h.passed(),
            complete: h.complete(),
            order: h.order(),
            report: h,
        }),
    })
}

fn card_out(card: &Card) -> CardOut<'_> {
    CardOut {
        scheme: card.name,
        measured: &card.measured,
        disagreements: card.disagreements(),
    }
}

fn study(f: &Finding) -> StudyOut<'_> {
    let numbers = f.numbers.iter();
    StudyOut {
        study: f.kind,
        name: f.name.as_deref(),
        title: &f.title,
        quantity: f.ladder.as_ref().and_then(|l| l.quantity.as_deref()),
        why: f.outcome.as_ref().err().map(ToString::to_string),
        numbers: numbers
            .map(|n| (&*n.name, n.value.as_ref().ok().copied()))
            .collect(),
        lines: f.ladder.as_ref().map_or_else(Vec::new, lines),
        definition: &f.definition,
        data: f.files.iter().map(|f| &*f.name).collect(),
    }
}

fn lines(table: &LadderTable) -> Vec<LineOut<'_>> {
    let names = || table.columns.iter().map(|c| c.name.as_str());
    let point = |p: &crate::study::Point| {
        let values = p.values.as_ref().ok();
        (
            values.map_or_else(BTreeMap::new, |v| names().zip(v.iter().copied()).collect()),
            p.values.as_ref().err().map(ToString::to_string),
        )
    };
    table
        .lines
        .iter()
        .map(|l| LineOut {
            scheme: &l.scheme,
            summary: &l.summary,
            points: l
                .points
                .iter()
                .map(|p| {
                    let (values, why) = point(p);
                    PointOut {
                        step: &p.step,
                        x: p.x,
                        values,
                        why,
                    }
                })
                .collect(),
        })
        .collect()
}

fn run<'a>(c: &'a Case, r: &'a RunItem) -> RunOut<'a> {
    let run = &r.run;
    let t = *run.times.last().expect("a run keeps its first sample");
    let (outcome, steps, why) = match run.end {
        End::Reached => (Outcome::Reached, run.effort.steps, None),
        End::Stopped { at, why } => (
            match why {
                StopReason::Deadline => Outcome::TimeLimit,
                StopReason::Interrupted => Outcome::Interrupted,
            },
            at,
            None,
        ),
        End::Failed { at, why } => (Outcome::Failed, at, Some(why.to_string())),
    };
    RunOut {
        scheme: &r.scheme,
        scheme_name: &r.scheme_name,
        step: &r.step,
        h: run.h,
        history: format!("{}.csv", r.stem()),
        samples: run.times.len(),
        end: EndOut {
            outcome,
            steps,
            t,
            why,
        },
        effort: EffortOut {
            steps: run.effort.steps,
            torque_evaluations: run.effort.torque,
            iterations: run.effort.iterations,
            most_iterations: run.effort.most_iterations,
        },
        end_errors: r.outcome().is_ok().then(|| c.end_errors(r)),
        tracked: run
            .columns
            .tracked
            .clone()
            .filter_map(|col| Some((&*run.columns.channels[col].name, run.track(col)?.into())))
            .collect(),
        events: run
            .events
            .iter()
            .map(|e| EventOut {
                name: &c.events[e.spec],
                t: e.time,
                values: run.columns.names().zip(e.values.iter().copied()).collect(),
            })
            .collect(),
        switches_straddled: &run.straddled,
    }
}

/// Times of this machine.
#[derive(Serialize)]
struct Timings<'a> {
    seconds: f64,
    cases: Vec<CaseTimings<'a>>,
}

#[derive(Serialize)]
struct CaseTimings<'a> {
    name: &'a str,
    runs: Vec<RunTiming>,
    studies: Vec<StudyTiming<'a>>,
    files: Vec<String>,
}

#[derive(Serialize)]
struct RunTiming {
    run: String,
    seconds: f64,
    ns_per_step: f64,
    /// Time of the bare steps, where a study asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    bare_ns_per_step: Option<f64>,
}

#[derive(Serialize)]
struct StudyTiming<'a> {
    #[serde(flatten)]
    study: Option<StudyOut<'a>>,
    stem: &'a str,
    seconds: f64,
}

/// The contents of `timings.json`.
pub(super) fn timings(report: &Report) -> String {
    let run = |r: &RunItem| {
        let steps = r.run.effort.steps.max(1) as f64;
        let seconds = r.wall.as_secs_f64();
        RunTiming {
            run: r.stem(),
            seconds,
            ns_per_step: 1e9 * seconds / steps,
            bare_ns_per_step: r.probes.seconds.map(|s| 1e9 * s / steps),
        }
    };
    let files = |f: &Finding| {
        let data = f.files.iter().map(|f| f.name.clone());
        let figures = f.drawings.iter().flat_map(|d| {
            let stem = &d.stem;
            ["svg", "png"].map(|end| format!("{stem}.{end}"))
        });
        data.chain(figures).collect::<Vec<_>>()
    };
    let cases = report.cases.iter().map(|c| CaseTimings {
        name: &c.name,
        runs: c.runs().map(run).collect(),
        studies: c
            .findings()
            .map(|f| StudyTiming {
                study: f.timed.then(|| study(f)),
                stem: &f.stem,
                seconds: f.wall.as_secs_f64(),
            })
            .collect(),
        files: c.findings().filter(|f| f.timed).flat_map(files).collect(),
    });
    pretty(&Timings {
        seconds: report.wall.as_secs_f64(),
        cases: cases.collect(),
    })
}
