//! What studies found, as tables, CSV, JSON and figures.

use super::console::{self, Look};
use super::plot::{Axis, Mark, Plot, Scale, Series, Style};
use super::words;
use crate::analysis::{Column, Findings, Line, Topic};
use crate::runner::{CaseReport, RunReport};
use comfy_table::CellAlignment;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Long form: one row a run, shortest round-trip decimals; empty where there is no number.
pub fn csv(found: &Findings) -> String {
    let mut w = csv::Writer::from_writer(Vec::new());
    let mut header = vec!["scheme".to_string(), "step".into()];
    if found.x.name != "step" {
        header.push(head(&found.x));
    }
    header.extend(found.columns.iter().map(head));
    let mut records = vec![header];
    for line in &found.lines {
        for p in &line.points {
            let mut record = vec![line.scheme.clone(), p.step.clone()];
            if found.x.name != "step" {
                record.push(p.x.to_string());
            }
            match &p.values {
                Ok(v) => record.extend(v.iter().map(|x| format!("{x:?}"))),
                Err(_) => record.extend(found.columns.iter().map(|_| String::new())),
            }
            records.push(record);
        }
    }
    for r in &records {
        w.write_record(r)
            .expect("rows of equal length always serialise into memory");
    }
    let bytes = w.into_inner().expect("memory does not fail");
    String::from_utf8(bytes).expect("names and numbers are UTF-8")
}

fn head(c: &Column) -> String {
    let name = c.name.replace(' ', "_").replace(',', "");
    if c.unit.is_empty() {
        name
    } else {
        format!("{name} [{}]", c.unit)
    }
}

/// One line, where the tables would drown the verdicts.
pub fn mention(out: &mut String, found: &Findings) {
    let _ = writeln!(
        out,
        "  study: {} of {}: {}.csv",
        title(found),
        words::count(found.lines.len() as u64, "scheme"),
        found.study.stem()
    );
}

/// What was looked at, with its unit.
fn title(found: &Findings) -> String {
    let first = &found.columns[0];
    let unit = match first.unit.as_str() {
        "" => String::new(),
        u => format!(" [{u}]"),
    };
    let against = match found.x.name.as_str() {
        "step" => String::new(),
        x => format!(", against {x}"),
    };
    format!("{}{unit}{against}", first.name)
}

/// Schemes down, steps across; the first number of each run, and what they say together.
pub fn table(out: &mut String, found: &Findings, look: &Look) {
    let _ = writeln!(out, "  study: {}", title(found));
    let mut steps: Vec<&str> = Vec::new();
    for p in found.lines.iter().flat_map(|l| &l.points) {
        if !steps.contains(&p.step.as_str()) {
            steps.push(&p.step);
        }
    }
    let mut header = vec!["scheme".to_string()];
    header.extend(steps.iter().map(|s| format!("h={s}")));
    if !found.summary.is_empty() {
        header.push(found.summary.into());
    }
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut t = console::table(look, &header);
    for line in &found.lines {
        let mut row = vec![line.scheme.clone()];
        for s in &steps {
            let p = line.points.iter().find(|p| p.step == *s);
            row.push(p.map_or_else(String::new, |p| match &p.values {
                Ok(v) if found.x.name != "step" => {
                    format!("{} at {}", words::brief(v[0]), words::brief(p.x))
                }
                Ok(v) => words::brief(v[0]),
                Err(_) => "—".into(),
            }));
        }
        if !found.summary.is_empty() {
            row.push(line.summary.clone());
        }
        t.add_row(row);
    }
    for c in 1..=steps.len() {
        if let Some(column) = t.column_mut(c) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let _ = writeln!(out, "{t}");
    let mut said: Vec<&str> = Vec::new();
    for why in found
        .lines
        .iter()
        .flat_map(|l| &l.points)
        .filter_map(|p| p.values.as_ref().err())
    {
        if !said.contains(&why.as_str()) {
            said.push(why);
            let _ = writeln!(out, "  —: {why}");
        }
    }
}

/// A study in `results.json`, or, where its numbers are times, in `timings.json`.
#[derive(Serialize)]
pub struct StudyOut<'a> {
    kind: &'static str,
    quantity: Option<&'a str>,
    data: String,
    lines: Vec<LineOut<'a>>,
}

#[derive(Serialize)]
struct LineOut<'a> {
    scheme: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    summary: &'a str,
    points: Vec<PointOut<'a>>,
}

#[derive(Serialize)]
struct PointOut<'a> {
    step: &'a str,
    x: f64,
    values: BTreeMap<&'a str, f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
}

/// For JSON.
pub fn json<'a>(case: &str, found: &'a Findings) -> StudyOut<'a> {
    let names = || found.columns.iter().map(|c| c.name.as_str());
    let point = |p: &'a crate::analysis::Point| PointOut {
        step: &p.step,
        x: p.x,
        values: match &p.values {
            Ok(v) => names().zip(v.iter().copied()).collect(),
            Err(_) => BTreeMap::new(),
        },
        why: p.values.as_ref().err().map(String::as_str),
    };
    StudyOut {
        kind: found.study.kind(),
        quantity: found.study.quantity(),
        data: format!("{case}/{}.csv", found.study.stem()),
        lines: found
            .lines
            .iter()
            .map(|l| LineOut {
                scheme: &l.scheme,
                summary: &l.summary,
                points: l.points.iter().map(point).collect(),
            })
            .collect(),
    }
}

/// The figure of a study: its first number against the step or the work, or, for a drift, its
/// growth in time.
pub fn plot(case: &CaseReport, found: &Findings) -> Plot {
    let first = &found.columns[0];
    let axis = |c: &Column, scale| {
        let mut name = c.name.clone();
        if let Some(head) = name.get_mut(..1) {
            head.make_ascii_uppercase();
        }
        let unit = match c.unit.as_str() {
            "" => String::new(),
            u => format!(" [{u}]"),
        };
        Axis::new(format!("{name}{unit}"), scale)
    };
    let (x, series) = match &found.study.what {
        Topic::Drift { quantity } => {
            let runs = case
                .runs
                .iter()
                .filter(|r| found.study.runs.takes(&r.scheme, r.run.h))
                .filter(|r| found.study.draws(&r.scheme));
            let one_step = case.runs.iter().all(|r| r.step == case.runs[0].step);
            let series = runs.map(|r| growth(r, quantity, one_step)).collect();
            (Axis::new("Time [s]", Scale::Log10), series)
        }
        _ => {
            let series = drawn(found).map(points).collect();
            (axis(&found.x, Scale::Log10), series)
        }
    };
    Plot {
        title: format!("{}: {}", case.title, found.study.kind().replace('_', " ")),
        x,
        y: axis(first, Scale::Log10),
        series,
        marks: triangles(found),
    }
}

fn drawn(found: &Findings) -> impl Iterator<Item = &Line> {
    found.lines.iter().filter(|l| found.study.draws(&l.scheme))
}

fn points(line: &Line) -> Series {
    let mut points: Vec<[f64; 2]> = line
        .points
        .iter()
        .filter_map(|p| Some([p.x, p.values.as_ref().ok()?[0]]))
        .collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    Series {
        label: line.scheme.clone(),
        points,
        style: Style::LineMarkers,
    }
}

/// Largest |q − q0| so far, against time.
fn growth(r: &RunReport, quantity: &str, one_step: bool) -> Series {
    let run = &r.run;
    let mut largest: f64 = 0.0;
    let points = run.column(quantity).map_or_else(Vec::new, |c| {
        let first = run.row(0)[c];
        run.times
            .iter()
            .zip(run.series(c))
            .skip(1)
            .map(|(&t, x)| {
                largest = largest.max((x - first).abs());
                [t - run.times[0], largest]
            })
            .collect()
    });
    Series {
        label: if one_step {
            r.scheme.clone()
        } else {
            format!("{}, h = {} s", r.scheme, r.step)
        },
        points,
        style: Style::Line,
    }
}

/// One triangle for each order that shows, near the first scheme of that order; a drift that
/// grows with time has the slope 1.
fn triangles(found: &Findings) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    let mut add = |order: f64, near| {
        let known = |m: &Mark| matches!(m, Mark::Slope { order: o, .. } if *o == order);
        if !marks.iter().any(known) {
            marks.push(Mark::Slope { order, near });
        }
    };
    match &found.study.what {
        Topic::Convergence { .. } => {
            for (i, line) in drawn(found).enumerate() {
                let Ok(measured) = line.summary.parse::<f64>() else {
                    continue;
                };
                let order = measured.round();
                if (measured - order).abs() < 0.1 {
                    add(order, Some(i));
                }
            }
        }
        Topic::Drift { .. } => add(1.0, None),
        _ => {}
    }
    marks
}
