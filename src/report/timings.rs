//! `timings.json`: the times of this machine, and the studies of such times.

use super::pretty;
use crate::check::SchemeRun;
use crate::run::Results;
use crate::study::Finding;
use serde::Serialize;

/// The contents of `timings.json`.
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
    /// Time of a bare step in ns, where a study asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    bare_ns_per_step: Option<f64>,
}

#[derive(Serialize)]
struct StudyTiming<'a> {
    #[serde(flatten)]
    study: Option<&'a Finding>,
    stem: &'a str,
    seconds: f64,
}

/// Returns the text of `timings.json`.
pub(super) fn timings(results: &Results) -> String {
    let run = |r: &SchemeRun| {
        let steps = r.run.effort.steps.max(1) as f64;
        let seconds = r.wall.as_secs_f64();
        RunTiming {
            run: r.stem(),
            seconds,
            ns_per_step: 1e9 * seconds / steps,
            bare_ns_per_step: r.step_facts.seconds.map(|s| 1e9 * s / steps),
        }
    };
    let files = |f: &Finding| {
        let data = f.files.iter().map(|f| f.name.clone());
        let figures = f.drawings.iter().flat_map(|d| {
            let formats = results.figure_formats.iter();
            formats.map(|format| format.file_name(&d.stem))
        });
        data.chain(figures).collect::<Vec<_>>()
    };
    let cases = results.cases().map(|c| CaseTimings {
        name: &c.report.name,
        runs: c.artifacts.runs.iter().map(run).collect(),
        studies: c
            .findings()
            .map(|f| StudyTiming {
                study: f.timed.then_some(f),
                stem: &f.stem,
                seconds: f.wall.as_secs_f64(),
            })
            .collect(),
        files: c.findings().filter(|f| f.timed).flat_map(files).collect(),
    });
    pretty(&Timings {
        seconds: results.wall.as_secs_f64(),
        cases: cases.collect(),
    })
}
