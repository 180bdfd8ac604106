//! Figures of histories and errors that a case asks for.

use crate::check::{Selection, selection};
use schemars::JsonSchema;
use serde::Deserialize;
use strict_toml::{Faults, meant, nearest};
use topsim_case::Problem;

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
    /// Kind, quantity, how runs are spread, and which.
    fn parts(&self) -> (FigureKind, &str, OnePer, &Selection) {
        match self {
            Self::History {
                quantity,
                one_per,
                runs,
                ..
            } => (FigureKind::History, quantity, *one_per, runs),
            Self::Error {
                quantity,
                one_per,
                runs,
            } => (FigureKind::Error, quantity, *one_per, runs),
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

/// Figures as the case asks for them, and what is wrong with them.
pub(super) fn read(tables: &[FigureTable], problem: &Problem, faults: &mut Faults) -> Vec<Figure> {
    let jobs = &problem.jobs;
    let Some(columns) = jobs.first().map(|j| j.experiment.columns()) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for (i, table) in tables.iter().enumerate() {
        let (kind, quantity, one_per, runs) = table.parts();
        let same = |other: &FigureTable| {
            let (k, q, o, _) = other.parts();
            (k, q, o) == (kind, quantity, one_per)
        };
        if tables[..i].iter().any(same) {
            faults.add(
                &format!("figure[{i}]"),
                "this figure is asked for twice; its files would overwrite each other",
                "each kind once for a quantity and `one_per`; `runs` does not change the files' names",
            );
            continue;
        }
        selection::selection(runs, &format!("figure[{i}].runs"), jobs, faults);
        let names: Vec<&str> = columns.names().collect();
        let key = format!("figure[{i}].quantity");
        let label = match table {
            FigureTable::History { label, .. } => label.clone().unwrap_or_else(|| quantity.into()),
            FigureTable::Error { .. } => format!("Error of {quantity}"),
        };
        let unit = match kind {
            FigureKind::History => columns.position(quantity).map(|c| columns.channels[c].unit),
            FigureKind::Error => columns.unit(quantity),
        };
        match (unit, kind) {
            (None, FigureKind::History) => {
                let near = meant(nearest(quantity, &names));
                let found = format!("the history has no column `{quantity}`{near}");
                faults.add(&key, found, names.join(", "));
            }
            (None, FigureKind::Error) => {
                let found = format!("the history has no column or group `{quantity}`");
                let known: Vec<&str> = columns.group_names().chain(names).collect();
                faults.add(&key, found, known.join(", "));
            }
            (Some(_), FigureKind::Error) if problem.reference.is_none() => faults.add(
                &format!("figure[{i}].kind"),
                "an error figure in a case without a reference",
                "this kind only with a [reference]",
            ),
            (Some(unit), _) => out.push(Figure {
                kind,
                quantity: quantity.into(),
                label,
                unit: unit.into(),
                one_per,
                runs: runs.clone(),
            }),
        }
    }
    out
}
