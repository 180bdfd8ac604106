//! `results.json`: every number measured, every verdict, and the provenance. Times measured go to
//! `timings.json`, so that everything else is the same for every machine and thread count.

use super::figure::figure_names;
use super::map;
use super::study::{self, StudyOut};
use super::survey::{self, SurveyOut};
use crate::analysis::Judged;
use crate::drive::{End, StopReason, Track};
use crate::runner::{CaseReport, MapReport, RunReport, SuiteReport};
use serde::Serialize;
use std::collections::BTreeMap;

/// Version of the format of `results.json`.
pub const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Suite<'a> {
    format: u32,
    topsim: &'static str,
    revision: &'static str,
    /// Absent where nothing was judged; a suite that is not complete has not passed.
    passed: Option<bool>,
    complete: bool,
    cases: Vec<Case<'a>>,
}

#[derive(Serialize)]
struct Case<'a> {
    name: &'a str,
    title: &'a str,
    file: &'a str,
    sha256: &'a str,
    sources: &'a [String],
    passed: Option<bool>,
    complete: bool,
    warnings: &'a [String],
    reference: Option<Reference>,
    runs: Vec<RunOut<'a>>,
    figures: Vec<String>,
    checks: &'a [Judged],
    studies: Vec<StudyOut<'a>>,
    maps: Vec<MapOut<'a>>,
    surveys: Vec<SurveyOut>,
}

#[derive(Serialize)]
struct MapOut<'a> {
    name: &'a str,
    scheme: &'a str,
    /// Definition of the map: everything that decides its numbers.
    definition: BTreeMap<String, String>,
    cells: [u32; 2],
    /// Why the map is not complete.
    why: Option<String>,
    survivors: Option<u64>,
    fraction: Option<f64>,
    /// Escape times at 5, 25, 50, 75 and 95 %, s.
    quantiles: Option<[f64; 5]>,
    /// Steps that the map took.
    steps: Option<u64>,
    data: Vec<String>,
}

#[derive(Serialize)]
struct Reference {
    provenance: String,
    /// Bound of its own error at the end of the longest run.
    attitude_error: f64,
    rate_error: f64,
}

#[derive(Serialize)]
struct RunOut<'a> {
    scheme: &'a str,
    scheme_name: &'a str,
    step: &'a str,
    h: f64,
    history: String,
    samples: usize,
    end: EndOut,
    effort: EffortOut,
    /// Errors against the reference at the last sample.
    /// absent where the run did not reach its end.
    end_errors: Option<BTreeMap<&'a str, f64>>,
    tracked: BTreeMap<&'a str, TrackOut>,
    events: Vec<EventOut<'a>>,
    switches_straddled: &'a [f64],
}

#[derive(Serialize)]
struct EndOut {
    outcome: &'static str,
    steps: u64,
    t: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

#[derive(Serialize)]
struct EffortOut {
    steps: u64,
    torque_evaluations: u64,
    iterations: u64,
    most_iterations: u32,
}

#[derive(Serialize)]
struct TrackOut {
    first: f64,
    min: f64,
    min_at: f64,
    max: f64,
    max_at: f64,
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

#[derive(Serialize)]
struct EventOut<'a> {
    name: &'a str,
    t: f64,
    values: BTreeMap<&'a str, f64>,
}

/// The whole report as JSON text.
pub fn results(report: &SuiteReport) -> String {
    let suite = Suite {
        format: FORMAT,
        topsim: env!("CARGO_PKG_VERSION"),
        revision: env!("TOPSIM_REVISION"),
        passed: report
            .cases
            .iter()
            .map(passed)
            .try_fold(true, |all, one| one.map(|p| all && p)),
        complete: report.cases.iter().all(CaseReport::complete),
        cases: report.cases.iter().map(case).collect(),
    };
    let mut text = serde_json::to_string_pretty(&suite).expect("plain data always serialises");
    text.push('\n');
    text
}

/// Wall-clock times as JSON text.
pub fn timings(report: &SuiteReport) -> String {
    #[derive(Serialize)]
    struct Timing<'a> {
        case: &'a str,
        scheme: &'a str,
        step: &'a str,
        seconds: f64,
        ns_per_step: f64,
    }
    #[derive(Serialize)]
    struct Timings<'a> {
        seconds: f64,
        runs: Vec<Timing<'a>>,
        studies: Vec<StudyOut<'a>>,
    }
    let runs = report
        .cases
        .iter()
        .flat_map(|c| c.runs.iter().map(move |r| (c, r)))
        .map(|(c, r)| Timing {
            case: &c.name,
            scheme: &r.scheme,
            step: &r.step,
            seconds: r.wall.as_secs_f64(),
            ns_per_step: r.wall.as_secs_f64() * 1e9 / (r.run.effort.steps.max(1) as f64),
        })
        .collect();
    let timings = Timings {
        seconds: report.wall.as_secs_f64(),
        runs,
        studies: report.cases.iter().flat_map(|c| studies(c, true)).collect(),
    };
    let mut text = serde_json::to_string_pretty(&timings).expect("plain data always serialises");
    text.push('\n');
    text
}

fn passed(c: &CaseReport) -> Option<bool> {
    (!c.judged.is_empty()).then(|| c.passed() && c.complete())
}

fn case(c: &CaseReport) -> Case<'_> {
    let end = c
        .runs
        .iter()
        .filter_map(|r| r.run.times.last().copied())
        .fold(f64::NEG_INFINITY, f64::max);
    Case {
        name: &c.name,
        title: &c.title,
        file: &c.origin,
        sha256: &c.hash,
        sources: &c.references,
        passed: passed(c),
        complete: c.complete(),
        warnings: &c.warnings,
        reference: c.reference.as_ref().ok().map(|r| Reference {
            provenance: r.provenance(),
            attitude_error: r.error(end, "attitude"),
            rate_error: r.error(end, "W"),
        }),
        runs: c.runs.iter().map(|r| run(c, r)).collect(),
        figures: figure_names(c)
            .into_iter()
            .map(|f| format!("{}/{f}", c.name))
            .collect(),
        checks: &c.judged,
        studies: studies(c, false).collect(),
        maps: c.maps.iter().map(|m| map_out(c, m)).collect(),
        surveys: c.surveys.iter().map(|s| survey::json(&c.name, s)).collect(),
    }
}

fn map_out<'a>(c: &'a CaseReport, m: &'a MapReport) -> MapOut<'a> {
    let summary = m.summary.as_ref();
    MapOut {
        name: &m.plan.name,
        scheme: &m.plan.scheme,
        definition: m.plan.definition().0,
        cells: [m.plan.x.cells, m.plan.z.cells],
        why: m.outcome().err(),
        survivors: summary.map(|s| s.survivors),
        fraction: summary.map(|s| s.fraction()),
        quantiles: summary.and_then(|s| s.quantiles.as_ref()).map(|q| q.0),
        steps: summary.map(|s| s.made),
        data: map::files(&m.plan)
            .into_iter()
            .map(|f| format!("{}/{f}", c.name))
            .collect(),
    }
}

/// Studies whose numbers are times of this machine, or the others.
fn studies(c: &CaseReport, timed: bool) -> impl Iterator<Item = StudyOut<'_>> {
    c.findings
        .iter()
        .filter(move |f| f.study.is_timed() == timed)
        .map(|f| study::json(&c.name, f))
}

fn run<'a>(c: &'a CaseReport, r: &'a RunReport) -> RunOut<'a> {
    let run = &r.run;
    let t = *run.times.last().expect("a run keeps its first sample");
    let end = match run.end {
        End::Reached => EndOut {
            outcome: "reached",
            steps: run.effort.steps,
            t,
            why: None,
        },
        End::Stopped { at, why } => EndOut {
            outcome: match why {
                StopReason::Deadline => "timeout",
                StopReason::Interrupted => "interrupted",
            },
            steps: at,
            t,
            why: None,
        },
        End::Failed { at, why } => EndOut {
            outcome: "failed",
            steps: at,
            t,
            why: Some(why.to_string()),
        },
    };
    RunOut {
        scheme: &r.scheme,
        scheme_name: &r.scheme_name,
        step: &r.step,
        h: run.h,
        history: format!("{}/{}.csv", c.name, r.stem()),
        samples: run.times.len(),
        end,
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
