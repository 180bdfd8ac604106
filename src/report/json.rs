//! `results.json`: every number measured, every verdict, and the provenance. It is the same for every machine and thread
//! count; times go to `timings.json`.

use super::Renderer;
use super::figures::figure_names;
use crate::check::Number;
use crate::check::SchemeRun;
use crate::figure::FigureFormat;
use crate::run::scorecard::Measurements;
use crate::run::{Case, Item, Report};
use crate::study::{Finding, LadderTable, Line, Point};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use topsim_core::integration::{Effort, End, StopReason, Track};
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
        results(report, &[])
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
    /// The version of this format.
    format: u32,
    /// The version of topsim that wrote the report.
    topsim: &'static str,
    /// The git revision of topsim.
    revision: &'a str,
    /// Whether all verdicts are good; absent where nothing was judged. A report that is not complete has
    /// not passed.
    passed: Option<bool>,
    /// Whether all that was asked for was made.
    complete: bool,
    /// The command of the solver, where a command was judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    solver: Option<&'a str>,
    /// What several cases say together of what is wrong with the solver, where it was judged on more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    together: Option<Vec<DefectEvidence>>,
    /// The cases, in the order asked for.
    cases: Vec<CaseOut<'a>>,
    /// Cases of earlier commands in the same folder, and their files: a later command knows by them what to remove.
    #[serde(skip_serializing_if = "<[WrittenCase]>::is_empty")]
    earlier: &'a [WrittenCase],
}

/// A case that was written to the folder, and its files.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
pub(super) struct WrittenCase {
    /// Its name.
    pub name: String,
    /// Its files, in the folder of its name.
    #[serde(default)]
    pub files: Vec<String>,
}

/// What was made and judged of one case.
#[derive(Serialize, JsonSchema)]
struct CaseOut<'a> {
    /// The name of the case.
    name: &'a str,
    /// The title of the case.
    title: &'a str,
    /// The file from which the case was read, or its built-in name.
    file: &'a str,
    /// The SHA-256 hash of the case file.
    sha256: &'a str,
    /// The documents from which the problem comes.
    sources: &'a [String],
    /// Whether all verdicts are good; absent where nothing was judged.
    passed: Option<bool>,
    /// Whether all runs and studies of the case were completed.
    complete: bool,
    /// The stems of the runs and studies that are still to be made: the command is at work, or was broken off. The same
    /// command then goes on where it stopped.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    missing: &'a [String],
    /// What a reader has to know of the case.
    warnings: &'a [String],
    /// The reference with which the runs were compared.
    reference: Option<ReferenceOut>,
    /// The runs, studies, cards and histories of the case.
    items: Vec<ItemOut<'a>>,
    /// The verdicts, in the order of the tolerance file.
    verdicts: &'a [Verdict],
    /// The files of the case in its folder. Figures are there only if they were asked for.
    files: Vec<String>,
}

/// The reference of a case.
#[derive(Serialize, JsonSchema)]
struct ReferenceOut {
    /// The way in which its numbers were found.
    provenance: String,
    /// Bounds of its own error at the end of the longest run, for each group of columns that it
    /// knows, in the unit of the group.
    errors: BTreeMap<String, f64>,
}

/// A run, a study, a card or histories.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum ItemOut<'a> {
    /// One integration with one scheme and one step.
    Run(RunOut<'a>),
    /// What one study of the case found.
    Study(StudyOut<'a>),
    /// What the scorecard measured of one scheme.
    Card(CardOut<'a>),
    /// What histories of another solver show.
    Histories(HistoriesOut<'a>),
}

/// One integration with one scheme and one step.
#[derive(Serialize, JsonSchema)]
struct RunOut<'a> {
    /// The label of the scheme in the case.
    scheme: &'a str,
    /// The name of the scheme in the catalogue.
    scheme_name: &'a str,
    /// The step as the case writes it.
    step: &'a str,
    /// Whether somebody else's solver made the run, whose command then stands in `scheme_name`. Its torque evaluations
    /// are 0 unless it states them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    guest: bool,
    /// The step in s.
    h: f64,
    /// The file of the history, in the folder of the case.
    history: String,
    /// The number of rows of the history.
    samples: usize,
    /// How the run ended.
    end: EndOut,
    /// The work of the whole run.
    #[serde(with = "EffortOut")]
    effort: Effort,
    /// The errors against the reference at the last sample, for each group of columns; absent if the run
    /// did not reach its end.
    end_errors: Option<BTreeMap<&'a str, f64>>,
    /// The extremes and trends of the columns that are followed at every step.
    tracked: BTreeMap<&'a str, TrackOut>,
    /// The events of the run, in order of time.
    events: Vec<EventOut<'a>>,
    /// The times in s at which the torque has a kink or a jump strictly inside a step.
    switches_straddled: &'a [f64],
}

/// How a run ended.
#[derive(Serialize, JsonSchema)]
struct EndOut {
    /// The way in which the run ended.
    outcome: Outcome,
    /// The number of steps made.
    steps: u64,
    /// The time of the last sample in s.
    t: f64,
    /// The reason why a step failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// The ways in which a run ends.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    /// The run reached its end.
    Reached,
    /// The run was stopped by `--time-limit`.
    TimeLimit,
    /// The run was interrupted from outside.
    Interrupted,
    /// A step of the run failed.
    Failed,
}

/// The work of a run.
#[derive(Serialize, JsonSchema)]
#[serde(remote = "Effort")]
struct EffortOut {
    /// The number of steps.
    steps: u64,
    /// The number of torque evaluations.
    #[serde(rename = "torque_evaluations")]
    torque: u64,
    /// The number of iterations of the nonlinear solver.
    iterations: u64,
    /// The largest number of iterations in one step.
    most_iterations: u32,
}

/// The extremes and the trend of a column over all steps.
#[derive(Serialize, JsonSchema)]
struct TrackOut {
    /// The value at the start.
    first: f64,
    /// The smallest value.
    min: f64,
    /// The time of the smallest value in s.
    min_at: f64,
    /// The largest value.
    max: f64,
    /// The time of the largest value in s.
    max_at: f64,
    /// The slope of the least-squares line, in the unit of the column per s; `null` for fewer than two
    /// steps.
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

/// An event that a run met.
#[derive(Serialize, JsonSchema)]
struct EventOut<'a> {
    /// The name of the event in the case.
    name: &'a str,
    /// The time of the event in s.
    t: f64,
    /// The values of all columns at that time.
    values: BTreeMap<&'a str, f64>,
}

/// What one study found.
#[derive(Serialize, JsonSchema)]
pub(super) struct StudyOut<'a> {
    /// The kind of the study.
    study: &'static str,
    /// The name by which checks ask for its numbers.
    name: Option<&'a str>,
    /// What the study looked at, in one line.
    title: &'a str,
    /// The column or group that it looked at.
    quantity: Option<&'a str>,
    /// The reason why the study is not complete.
    why: Option<String>,
    /// The numbers of the study; `null` where one is missing.
    numbers: BTreeMap<&'a str, Option<f64>>,
    /// The numbers of each scheme, where it looked at a step ladder.
    lines: Vec<LineOut<'a>>,
    /// All that the numbers depend on, if the study can be computed in tiles.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    definition: &'a BTreeMap<String, String>,
    /// The files of the study, in the folder of the case.
    data: Vec<&'a str>,
}

/// The runs of one scheme in a study.
#[derive(Serialize, JsonSchema)]
struct LineOut<'a> {
    /// The label of the scheme in the case.
    scheme: &'a str,
    /// What the runs of the scheme say together.
    #[serde(skip_serializing_if = "str::is_empty")]
    summary: &'a str,
    /// The runs of the scheme.
    points: Vec<PointOut<'a>>,
}

/// The numbers of one run in a study.
#[derive(Serialize, JsonSchema)]
struct PointOut<'a> {
    /// The step as the case writes it.
    step: &'a str,
    /// The step in s, or the work.
    x: f64,
    /// The numbers of the run by their names.
    values: BTreeMap<&'a str, f64>,
    /// The reason why there are no numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// What the scorecard measured of one scheme.
#[derive(Serialize, JsonSchema)]
struct CardOut<'a> {
    /// The name of the scheme.
    scheme: &'static str,
    /// The measurements.
    #[schemars(with = "Value")]
    measured: &'a Measurements,
    /// The claims with which the measurements disagree.
    disagreements: Vec<&'static str>,
}

/// What histories of another solver show.
#[derive(Serialize, JsonSchema)]
struct HistoriesOut<'a> {
    /// The sum of it in a word.
    outcome: topsim_judge::Outcome,
    /// Whether nothing speaks against them but what is accepted, and nothing is undecided.
    passed: bool,
    /// Whether all that was to be judged is there, or its absence is accepted.
    complete: bool,
    /// The order of convergence to the case's motion, where it could be measured.
    order: Option<f64>,
    /// What the histories show.
    #[serde(flatten)]
    report: &'a HistoryReport,
}

/// JSON for files: indented, with a newline at its end.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("plain data always serialises");
    text.push('\n');
    text
}

/// The contents of `results.json`.
pub(super) fn results(report: &Report, earlier: &[WrittenCase]) -> String {
    let all: Option<Vec<bool>> = report.cases.iter().map(passed).collect();
    let passed = all.map(|all| all.into_iter().all(|passed| passed));
    pretty(&Results {
        format: FORMAT,
        topsim: env!("CARGO_PKG_VERSION"),
        revision: &report.revision,
        passed,
        complete: report.complete(),
        solver: report.solver.as_deref(),
        together: together(report),
        cases: report
            .cases
            .iter()
            .map(|c| case(c, &report.figure_formats))
            .collect(),
        earlier,
    })
}

/// What the cases of one solver say together; absent for fewer than two.
fn together(report: &Report) -> Option<Vec<DefectEvidence>> {
    report.solver.as_ref()?;
    let all: Vec<&HistoryReport> = report.cases.iter().flat_map(Case::histories).collect();
    (all.len() > 1).then(|| HistoryReport::evidence(&all))
}

/// Absent where nothing was judged; a case that is not complete has not passed.
fn passed(c: &Case) -> Option<bool> {
    c.is_judged().then(|| c.passed() && c.complete())
}

fn case<'a>(c: &'a Case, formats: &[FigureFormat]) -> CaseOut<'a> {
    let ends = c.runs().filter_map(|r| r.run.times.last().copied());
    let end = ends.fold(f64::NEG_INFINITY, f64::max);
    let groups = c.runs().take(1).flat_map(|r| &r.run.columns.groups);
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
        missing: &c.missing,
        warnings: &c.warnings,
        reference: c.reference.as_ref().ok().map(|r| ReferenceOut {
            provenance: r.provenance(),
            errors: groups
                .map(|g| {
                    (
                        g.name.to_string(),
                        r.group_error(end, g.quantity, g.channels.len()),
                    )
                })
                .filter(|(_, e)| e.is_finite())
                .collect(),
        }),
        items: c.items.iter().filter_map(|i| item(c, i)).collect(),
        verdicts: &c.verdicts,
        files: histories
            .chain(data)
            .chain(figure_names(c, formats))
            .collect(),
    }
}

fn item<'a>(c: &'a Case, item: &'a Item) -> Option<ItemOut<'a>> {
    Some(match item {
        Item::Run(r) => ItemOut::Run(run(c, r)),
        Item::Study(f) if f.timed => return None,
        Item::Study(f) => ItemOut::Study(study(f)),
        Item::Card(card) => ItemOut::Card(CardOut {
            scheme: card.info.name,
            measured: &card.measured,
            disagreements: card.disagreements(),
        }),
        Item::Histories(h) => ItemOut::Histories(HistoriesOut {
            outcome: h.report.outcome(),
            passed: h.report.passed(),
            complete: h.report.complete(),
            order: h.report.order(),
            report: &h.report,
        }),
    })
}

pub(super) fn study(f: &Finding) -> StudyOut<'_> {
    let ladder = f.ladder.as_ref();
    let number = |n: &Number| n.value.as_ref().ok().copied();
    StudyOut {
        study: f.kind,
        name: f.name.as_deref(),
        title: &f.title,
        quantity: ladder.and_then(|l| l.quantity.as_deref()),
        why: f.outcome.as_ref().err().map(ToString::to_string),
        numbers: f.numbers.iter().map(|n| (&*n.name, number(n))).collect(),
        lines: ladder
            .iter()
            .flat_map(|t| t.lines.iter().map(|l| line(t, l)))
            .collect(),
        definition: &f.definition,
        data: f.files.iter().map(|f| &*f.name).collect(),
    }
}

fn line<'a>(table: &'a LadderTable, line: &'a Line) -> LineOut<'a> {
    LineOut {
        scheme: &line.scheme,
        summary: &line.summary,
        points: line.points.iter().map(|p| point(table, p)).collect(),
    }
}

fn point<'a>(table: &'a LadderTable, p: &'a Point) -> PointOut<'a> {
    let names = table.columns.iter().map(|c| c.name.as_str());
    let (values, why) = match &p.values {
        Ok(values) => (names.zip(values.iter().copied()).collect(), None),
        Err(why) => (BTreeMap::new(), Some(why.to_string())),
    };
    PointOut {
        step: &p.step,
        x: p.x,
        values,
        why,
    }
}

fn run<'a>(c: &'a Case, r: &'a SchemeRun) -> RunOut<'a> {
    let run = &r.run;
    let t = *run.times.last().expect("a run keeps its first sample");
    let (outcome, steps, why) = match run.end {
        End::Reached => (Outcome::Reached, run.effort.steps, None),
        End::Stopped { at, why } => match why {
            StopReason::Deadline => (Outcome::TimeLimit, at, None),
            StopReason::Interrupted => (Outcome::Interrupted, at, None),
        },
        End::Failed { at, why } => (Outcome::Failed, at, Some(why.to_string())),
    };
    RunOut {
        scheme: &r.scheme,
        scheme_name: &r.scheme_name,
        step: &r.step,
        guest: r.guest,
        h: run.h,
        history: format!("{}.csv", r.stem()),
        samples: run.times.len(),
        end: EndOut {
            outcome,
            steps,
            t,
            why,
        },
        effort: run.effort,
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
