//! The numbers of a case that the page's script draws.

use super::body::{BodyData, body_data};
use super::motion::{Digits, MotionColumns, MotionData};
use super::numbers::{Buckets, PackedNumbers, single, spread};
use super::outline::outline;
use super::plots::{maps, plots};
use crate::check::SchemeRun;
use crate::run::{Case, ProblemSummary};
use crate::study::solver_histories::{SOLVER, written};
use serde::Serialize;
use serde_json::Value;
use topsim_core::models::{Channel, Columns, Model, Quantity, RotState};
use topsim_core::reference::RowReference;
use topsim_core::verdict::Fineness;
use topsim_judge::FileReport;
use topsim_judge::history::Deviation;

/// Approximate size of all histories of a case together, in bytes; as base64 they take a third more.
const BUDGET: usize = 160_000;
/// Bytes of a row without its columns: two times, a quaternion, a rate, two errors.
const ROW_BYTES: usize = 38;
/// Bytes of a column in a row.
const COLUMN_BYTES: usize = 2;
/// Largest number of rows of a history, in plots and in the motion.
const MOST_ROWS: usize = 1200;
/// Smallest number of rows of a history, whatever the budget.
const LEAST_ROWS: usize = 60;

/// A case as the script draws it.
#[derive(Serialize)]
pub(super) struct CaseData<'a> {
    name: &'a str,
    title: &'a str,
    body: Option<BodyData>,
    /// True if motions hold the whole attitude; otherwise they hold only the direction of an axis.
    whole: bool,
    columns: Vec<ColumnData<'a>>,
    runs: Vec<RunData>,
    exact: Option<MotionData>,
    plots: Vec<Value>,
    maps: Vec<Value>,
}

/// A column of the histories.
#[derive(Serialize)]
struct ColumnData<'a> {
    name: &'a str,
    label: &'a str,
    /// Index of the component of the body rate that the column holds, if it holds one.
    rate: Option<usize>,
    unit: &'a str,
    about: &'a str,
}

/// The numbers of a column of a run.
#[derive(Serialize)]
struct ColumnValues {
    /// Times of the numbers of a smooth column; other columns have the times of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    t: Option<PackedNumbers>,
    y: PackedNumbers,
}

/// A run, or a history of another solver.
#[derive(Serialize)]
struct RunData {
    scheme: String,
    /// Step or tolerance in words; empty where it is not known.
    fineness: String,
    /// Number by which runs of a scheme are ordered.
    order: f64,
    /// Number of rows of the whole history.
    rows: u64,
    /// Times of the columns that have no times of their own.
    t: String,
    columns: Vec<ColumnValues>,
    motion: Option<MotionData>,
    /// Attitude errors in rad and rate errors in rad/s at the times of the motion.
    errors: Option<[String; 2]>,
}

impl<'a> CaseData<'a> {
    /// Collects all that the page shows of a case. `solver` tells whether its histories come from a solver rather than from
    /// files.
    pub fn new(case: Case<'a>, solver: bool) -> Self {
        let reference = case.artifacts.reference.as_deref().ok();
        let columns = case.artifacts.runs.first().map(|r| &*r.run.columns);
        let shown_columns: Vec<usize> = columns.map_or(Vec::new(), columns_shown);
        let most = budget(case, shown_columns.len());
        let model = case.artifacts.posed.as_ref().map(|p| &p.model);
        let own = case
            .artifacts
            .runs
            .iter()
            .map(|r| run(r, &shown_columns, reference, most, model));
        let histories = case.artifacts.histories.as_ref();
        let files = histories.into_iter().flat_map(|h| &h.report.files);
        let judged = histories.and_then(|h| exact_of(&h.exact, model));
        let places = columns.and_then(MotionColumns::of);
        Self {
            name: &case.report.name,
            title: &case.report.title,
            body: case.artifacts.posed.as_ref().and_then(body_data),
            // A case without columns has only histories of another solver, which hold whole attitudes.
            whole: columns.is_none() || places.as_ref().is_some_and(MotionColumns::whole),
            columns: columns.map_or(Vec::new(), |all| {
                let rates = all.groups.iter().find(|g| g.quantity == Quantity::BodyRate);
                let rates = rates.map_or(&[][..], |g| &g.channels);
                let channel = |c: &usize| &all.channels[*c];
                let shown = shown_columns.iter().map(channel);
                let data = |c: &'a Channel| ColumnData {
                    name: &c.name,
                    label: label(c),
                    rate: rates.iter().position(|r| all.channels[*r].name == c.name),
                    unit: c.unit,
                    about: c.about,
                };
                shown.map(data).collect()
            }),
            runs: own
                .chain(files.map(|f| history(f, solver, model)))
                .collect(),
            exact: judged.or_else(|| exact(case, reference?)),
            plots: plots(case, false),
            maps: maps(case),
        }
    }
}

fn values(rows: &[usize], of: impl Fn(usize) -> f64) -> Vec<f64> {
    rows.iter().map(|&k| of(k)).collect()
}

/// Returns all columns except those of a whole attitude, which the page has as quaternions.
fn columns_shown(columns: &Columns) -> Vec<usize> {
    let turns = MotionColumns::of(columns).is_some_and(|p| p.whole());
    let shown = |c: &usize| !(turns && columns.channels[*c].quantity == Quantity::Attitude);
    (0..columns.width()).filter(shown).collect()
}

/// Returns the name of a column that stands alone. The energy drift is called a difference, because a torque changes the
/// energy too.
fn label(channel: &Channel) -> &str {
    match channel.quantity {
        Quantity::EnergyDrift => "H − H(0)",
        _ => &channel.name,
    }
}

/// Returns the number of rows of each history with which the case keeps to its budget.
fn budget(case: Case, columns: usize) -> usize {
    let each = case.artifacts.runs.len().max(1) * (ROW_BYTES + COLUMN_BYTES * columns);
    (BUDGET / each).clamp(LEAST_ROWS, MOST_ROWS)
}

fn run(
    item: &SchemeRun,
    columns: &[usize],
    reference: Option<&dyn RowReference>,
    most: usize,
    model: Option<&Model>,
) -> RunData {
    let run = &item.run;
    let count = run.times.len();
    let buckets = Buckets::new(count, most);
    let column = |c: &usize| {
        let of = |k: usize| run.row(k)[*c];
        match outline(&run.times, of, most) {
            Some(rows) => ColumnValues {
                t: Some(PackedNumbers::new(&values(&rows, |k| run.times[k]))),
                y: PackedNumbers::new(&values(&rows, of)),
            },
            None => ColumnValues {
                t: None,
                y: PackedNumbers::new(&buckets.column(of)),
            },
        }
    };
    let rows = spread(count, most);
    let motion = MotionColumns::of(&run.columns).map(|places| {
        let states = rows.iter().map(|&k| {
            let (att, rate) = places.state(run.row(k));
            (run.times[k], att, rate)
        });
        MotionData::new(&states.collect::<Vec<_>>(), Digits::Single, model)
    });
    RunData {
        scheme: item.scheme.clone(),
        fineness: item.fineness.words(),
        order: item.fineness_number(),
        rows: count as u64,
        t: single(buckets.rows().into_iter().map(|k| run.times[k])),
        columns: columns.iter().map(column).collect(),
        errors: reference
            .filter(|_| motion.is_some())
            .map(|reference| errors(item, reference, &rows)),
        motion,
    }
}

/// Returns the attitude and rate errors of some rows against the reference; the first row has none.
fn errors(item: &SchemeRun, reference: &dyn RowReference, rows: &[usize]) -> [String; 2] {
    let run = &item.run;
    let columns = &*run.columns;
    let group = |quantity| columns.groups.iter().find(|g| g.quantity == quantity);
    // A reduced body has the direction of its axis in place of the attitude.
    let attitude = group(Quantity::Attitude).or_else(|| group(Quantity::Axis));
    let rate = group(Quantity::BodyRate);
    let mut exact = vec![f64::NAN; columns.width()];
    let mut out = [vec![f64::NAN], vec![f64::NAN]];
    for &k in rows.iter().skip(1) {
        reference.row(run.times[k], &mut exact);
        let error = |g: Option<&topsim_core::models::Group>| {
            g.map_or(f64::NAN, |g| g.distance(run.row(k), &exact))
        };
        out[0].push(error(attitude));
        out[1].push(error(rate));
    }
    out.map(single)
}

/// Returns the exact motion at evenly spread times: samples of the case, with times between them where they are few.
fn exact(case: Case, reference: &dyn RowReference) -> Option<MotionData> {
    let times = case.artifacts.posed.as_ref()?.nodes(ProblemSummary::NODES);
    let columns = reference.columns();
    let places = MotionColumns::of(columns)?;
    let mut row = vec![f64::NAN; columns.width()];
    let states: Vec<_> = times
        .into_iter()
        .map(|t| {
            reference.row(t, &mut row);
            let (att, rate) = places.state(&row);
            (t, att, rate)
        })
        .collect();
    let model = case.artifacts.posed.as_ref().map(|p| &p.model);
    Some(MotionData::new(&states, Digits::Double, model))
}

fn exact_of(states: &[(f64, RotState)], model: Option<&Model>) -> Option<MotionData> {
    let states: Vec<_> = states
        .iter()
        .map(|(t, y)| (*t, y.att, Some(y.omega)))
        .collect();
    (!states.is_empty()).then(|| MotionData::new(&states, Digits::Double, model))
}

/// Returns the motion of another solver's history and its errors.
fn history(file: &FileReport, solver: bool, model: Option<&Model>) -> RunData {
    let points = &file.trace.points;
    let rows = spread(points.len(), MOST_ROWS);
    let points: Vec<_> = rows.into_iter().map(|k| &points[k]).collect();
    let states: Vec<_> = points.iter().map(|p| (p.t, p.att, p.omega)).collect();
    // Very many rows are compared with the reference at fewer times, so a point takes the first
    // deviation that is not before it.
    let near = |t: f64| {
        let i = file.deviations.partition_point(|d| d.t < t);
        file.deviations.get(i)
    };
    let error = |of: fn(&Deviation) -> Option<f64>| {
        let first = points.iter().take(1).map(|_| f64::NAN);
        let rest = points.iter().skip(1);
        let rest = rest.map(|p| near(p.t).and_then(of).unwrap_or(f64::NAN));
        single(first.chain(rest))
    };
    let errors = file.errors.is_some();
    let errors = errors.then(|| [error(|d| d.attitude), error(|d| d.rate)]);
    RunData {
        scheme: if solver { SOLVER } else { &file.file }.into(),
        fineness: if solver {
            Fineness::Step(written(file.step)).words()
        } else {
            String::new()
        },
        order: file.step,
        rows: file.rows,
        t: single([]),
        columns: Vec::new(),
        motion: Some(MotionData::new(&states, Digits::Single, model)),
        errors,
    }
}
