//! Figures of histories and errors that a case asks for.

use crate::check::{Selection, selection};
use schemars::JsonSchema;
use serde::Deserialize;
use strict_toml::{Faults, meant, nearest};
use topsim_case::Problem;
use topsim_core::models::Columns;

/// A figure to draw.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// What is drawn.
    pub kind: FigureKind,
    /// Column or group.
    pub quantity: String,
    /// Name of the quantity on the axis.
    pub label: String,
    /// Unit of the quantity.
    pub unit: String,
    /// How runs are spread over figures.
    pub one_per: OnePer,
    /// The runs drawn.
    pub runs: Selection,
}

/// Kinds of figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureKind {
    /// A column against time.
    History,
    /// Distance from the reference against time.
    Error,
}

/// How runs are spread over figures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnePer {
    /// One figure for each scheme, its steps as lines.
    #[default]
    Scheme,
    /// One figure for each step, the schemes as lines.
    Step,
    /// One figure for all.
    Case,
}

impl FigureTable {
    /// The runs drawn.
    pub fn runs(&self) -> &Selection {
        match self {
            Self::History { runs, .. } | Self::Error { runs, .. } => runs,
        }
    }
}

/// Figures.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum FigureTable {
    /// A column of the histories against time.
    History {
        /// Column.
        quantity: String,
        /// Name of the quantity on the axis (default the column's name).
        label: Option<String>,
        /// How runs are spread over figures (default one per scheme).
        #[serde(default)]
        one_per: OnePer,
        /// Which runs; all without it.
        #[serde(default)]
        runs: Selection,
    },
    /// Distance from the reference against time, logarithmic.
    Error {
        /// Column or group.
        quantity: String,
        /// How runs are spread over figures (default one per scheme).
        #[serde(default)]
        one_per: OnePer,
        /// Which runs; all without it.
        #[serde(default)]
        runs: Selection,
    },
}

fn near_column(columns: &Columns, name: &str) -> String {
    let names: Vec<&str> = columns.names().collect();
    meant(nearest(name, &names))
}

fn names(columns: &Columns) -> String {
    columns.names().collect::<Vec<_>>().join(", ")
}

/// Figures as the case asks for them, and what is wrong with them.
pub(super) fn read(tables: &[FigureTable], problem: &Problem, faults: &mut Faults) -> Vec<Figure> {
    let jobs = &problem.jobs;
    let Some(columns) = jobs.first().map(|j| j.experiment.columns()) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    let same = |a: &FigureTable, b: &FigureTable| match (a, b) {
        (
            FigureTable::History {
                quantity: q,
                one_per: o,
                ..
            },
            FigureTable::History {
                quantity: r,
                one_per: p,
                ..
            },
        )
        | (
            FigureTable::Error {
                quantity: q,
                one_per: o,
                ..
            },
            FigureTable::Error {
                quantity: r,
                one_per: p,
                ..
            },
        ) => q == r && o == p,
        _ => false,
    };
    for (i, figure) in tables.iter().enumerate() {
        let key = format!("figure[{i}].quantity");
        if tables[..i].iter().any(|other| same(figure, other)) {
            faults.add(
                &format!("figure[{i}]"),
                "this figure is asked for twice; its files would overwrite each other",
                "each kind once for a quantity and `one_per`; `runs` does not change the files' names",
            );
            continue;
        }
        let runs = figure.runs().clone();
        selection::selection(&runs, &format!("figure[{i}].runs"), jobs, faults);
        match figure {
            FigureTable::History {
                quantity,
                label,
                one_per,
                ..
            } => match columns.position(quantity) {
                None => faults.add(
                    &key,
                    format!(
                        "the history has no column `{quantity}`{}",
                        near_column(columns, quantity)
                    ),
                    names(columns),
                ),
                Some(c) => out.push(Figure {
                    kind: FigureKind::History,
                    quantity: quantity.clone(),
                    label: label.clone().unwrap_or_else(|| quantity.clone()),
                    unit: columns.channels[c].unit.into(),
                    one_per: *one_per,
                    runs,
                }),
            },
            FigureTable::Error {
                quantity, one_per, ..
            } => match columns.unit(quantity) {
                None => faults.add(
                    &key,
                    format!("the history has no column or group `{quantity}`"),
                    format!(
                        "{}, {}",
                        columns.group_names().collect::<Vec<_>>().join(", "),
                        names(columns)
                    ),
                ),
                Some(_) if problem.reference.is_none() => faults.add(
                    &format!("figure[{i}].kind"),
                    "an error figure in a case without a reference",
                    "this kind only with a [reference]",
                ),
                Some(unit) => out.push(Figure {
                    kind: FigureKind::Error,
                    quantity: quantity.clone(),
                    label: format!("Error of {quantity}"),
                    unit: unit.into(),
                    one_per: *one_per,
                    runs,
                }),
            },
        }
    }
    out
}
