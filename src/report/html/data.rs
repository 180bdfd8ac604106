//! The numbers of a case that the page's script draws.

use super::body::{BodyData, shown};
use super::motion::{Digits, MotionData, Places};
use super::numbers::{Buckets, PackedNumbers, single, spread};
use super::outline::outline;
use super::plots::{MapData, PlotData, maps, plots};
use crate::check::SchemeRun;
use crate::run::{Case, ProblemSummary};
use crate::study::solver_histories::{SOLVER, written};
use serde::Serialize;
use topsim_core::models::{Channel, Columns, Model, Quantity, RotState};
use topsim_core::reference::RowReference;
use topsim_judge::FileReport;
use topsim_judge::history::Deviation;

/// Bytes of all histories of a case together, about; as base64 they are a third more.
const BUDGET: usize = 160_000;
/// Bytes of a row beside its columns: two times, a quaternion, a rate, two errors; and those of a column.
const ROW: usize = 38;
const COLUMN: usize = 2;
/// Rows of a history at most, in plots and in the motion.
const MOST_ROWS: usize = 1200;
/// Rows of a history at least.
const LEAST_ROWS: usize = 60;

/// A case.
#[derive(Serialize)]
pub(super) struct CaseData<'a> {
    name: &'a str,
    title: &'a str,
    body: Option<BodyData>,
    /// Whether motions hold the whole attitude, or an axis only.
    whole: bool,
    columns: Vec<ColumnData<'a>>,
    runs: Vec<RunData>,
    exact: Option<MotionData>,
    plots: Vec<PlotData>,
    maps: Vec<MapData>,
}

/// A column of the histories.
#[derive(Serialize)]
struct ColumnData<'a> {
    name: &'a str,
    label: &'a str,
    /// Which component of the body rate it is.
    rate: Option<usize>,
    unit: &'a str,
    about: &'a str,
}

/// The numbers of a column of a run.
#[derive(Serialize)]
struct ColumnValues {
    /// The times of a smooth one.
    #[serde(skip_serializing_if = "Option::is_none")]
    t: Option<PackedNumbers>,
    y: PackedNumbers,
}

/// A run, or a history of somebody else.
#[derive(Serialize)]
struct RunData {
    scheme: String,
    step: String,
    /// Rows of the whole history.
    rows: u64,
    /// Times of the numbers of columns that have none of their own.
    t: String,
    columns: Vec<ColumnValues>,
    motion: Option<MotionData>,
    /// At the times of the motion: attitude errors in rad, rate errors in rad/s.
    errors: Option<[String; 2]>,
}

impl<'a> CaseData<'a> {
    /// All that the page shows of a case; the histories are those of a solver, or of files.
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
        let places = columns.and_then(Places::of);
        Self {
            name: &case.report.name,
            title: &case.report.title,
            body: case.artifacts.posed.as_ref().and_then(shown),
            // Histories of others have attitudes.
            whole: columns.is_none() || places.as_ref().is_some_and(Places::whole),
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

/// All columns but the attitude, which the page knows as quaternions.
fn columns_shown(columns: &Columns) -> Vec<usize> {
    let turns = Places::of(columns).is_some_and(|p| p.whole());
    let shown = |c: &usize| !(turns && columns.channels[*c].quantity == Quantity::Attitude);
    (0..columns.width()).filter(shown).collect()
}

/// What a column is called where it stands alone. What a torque takes away is no drift.
fn label(channel: &Channel) -> &str {
    match channel.quantity {
        Quantity::EnergyDrift => "H − H(0)",
        _ => &channel.name,
    }
}

/// Rows of each history that keep the case within its budget.
fn budget(case: Case, columns: usize) -> usize {
    let each = case.artifacts.runs.len().max(1) * (ROW + COLUMN * columns);
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
    let motion = Places::of(&run.columns).map(|places| {
        let states = rows.iter().map(|&k| {
            let (att, rate) = places.state(run.row(k));
            (run.times[k], att, rate)
        });
        MotionData::new(&states.collect::<Vec<_>>(), Digits::Single, model)
    });
    RunData {
        scheme: item.scheme.clone(),
        step: item.step.clone(),
        rows: count as u64,
        t: single(buckets.rows().into_iter().map(|k| run.times[k])),
        columns: columns.iter().map(column).collect(),
        errors: reference
            .filter(|_| motion.is_some())
            .map(|reference| errors(item, reference, &rows)),
        motion,
    }
}

/// Errors of some rows against the reference; the first row has none.
fn errors(item: &SchemeRun, reference: &dyn RowReference, rows: &[usize]) -> [String; 2] {
    let run = &item.run;
    let columns = &*run.columns;
    let group = |quantity| columns.groups.iter().find(|g| g.quantity == quantity);
    // Of a reduced body the axis stands for the attitude.
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

/// The exact motion at evenly spread times, the samples of the case among them.
fn exact(case: Case, reference: &dyn RowReference) -> Option<MotionData> {
    let times = case.artifacts.posed.as_ref()?.nodes(ProblemSummary::NODES);
    let columns = reference.columns();
    let places = Places::of(columns)?;
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

/// A history of somebody else: the motion, and its errors.
fn history(file: &FileReport, solver: bool, model: Option<&Model>) -> RunData {
    let finding = &file.finding;
    let points = &finding.trace.points;
    let rows = spread(points.len(), MOST_ROWS);
    let points: Vec<_> = rows.into_iter().map(|k| &points[k]).collect();
    let states: Vec<_> = points.iter().map(|p| (p.t, p.att, p.omega)).collect();
    // Rows are compared at times of their own where there are very many.
    let near = |t: f64| {
        let i = finding.deviations.partition_point(|d| d.t < t);
        finding.deviations.get(i)
    };
    let error = |of: fn(&Deviation) -> Option<f64>| {
        let first = points.iter().take(1).map(|_| f64::NAN);
        let rest = points.iter().skip(1);
        let rest = rest.map(|p| near(p.t).and_then(of).unwrap_or(f64::NAN));
        single(first.chain(rest))
    };
    let errors = finding.errors.is_some();
    let errors = errors.then(|| [error(|d| d.attitude), error(|d| d.rate)]);
    RunData {
        scheme: if solver { SOLVER } else { &file.file }.into(),
        step: if solver {
            written(file.step)
        } else {
            String::new()
        },
        rows: finding.rows,
        t: single([]),
        columns: Vec::new(),
        motion: Some(MotionData::new(&states, Digits::Single, model)),
        errors,
    }
}
