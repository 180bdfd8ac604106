//! What every problem family offers: an initial state, and named numbers measured on a state.

use super::quantity::Quantity;
use super::row::{Description, Row, Tracked, Whole};
use crate::math::{Mat3, so3};
use nalgebra::DMatrix;
use std::borrow::Cow;
use std::ops::Range;

/// A problem with a definite initial state.
pub trait Problem: Send + Sync {
    /// The integrated state.
    type State: Clone + Send + Sync;
    /// State at the start of the span.
    fn initial(&self) -> Self::State;
}

/// One named scalar measured on a state: a column of a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel {
    /// Column name, as in the CSV header.
    pub name: Cow<'static, str>,
    /// Unit, empty where the number has none.
    pub unit: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// What it measures.
    pub quantity: Quantity,
}

/// How the distance between two values of a group of channels is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupKind {
    /// A 3×3 rotation matrix, row by row: geodesic angle (rad).
    Attitude,
    /// A vector: Euclidean norm of the difference.
    Vector,
}

/// Channels that form one quantity (a vector, a rotation matrix).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Name used by checks.
    pub name: Cow<'static, str>,
    /// Distance to use.
    pub kind: GroupKind,
    /// Indices of its channels, in order.
    pub channels: Vec<usize>,
    /// Unit of one component.
    pub unit: &'static str,
    /// What it measures.
    pub quantity: Quantity,
}

impl Group {
    /// Distance of two rows in this quantity: geodesic angle (rad) for attitudes, norm of the difference for
    /// vectors.
    pub fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        match self.kind {
            GroupKind::Attitude => geodesic(&self.channels, a, b),
            GroupKind::Vector => euclidean(&self.channels, a, b),
        }
    }
}

fn euclidean(columns: &[usize], a: &[f64], b: &[f64]) -> f64 {
    columns
        .iter()
        .map(|&c| (a[c] - b[c]) * (a[c] - b[c]))
        .sum::<f64>()
        .sqrt()
}

fn geodesic(columns: &[usize], a: &[f64], b: &[f64]) -> f64 {
    let matrix = |row: &[f64]| Mat3::from_row_iterator(columns.iter().map(|&c| row[c]));
    so3::angle_between(&matrix(a), &matrix(b))
}

/// What a history of a problem holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    /// All columns, in the order of a history row (time comes before them).
    pub channels: Vec<Channel>,
    /// The columns that are also followed at every step (extremes, trends).
    pub tracked: Range<usize>,
    /// Quantities of several columns.
    pub groups: Vec<Group>,
}

impl Columns {
    /// Numbers in a row.
    pub fn width(&self) -> usize {
        self.channels.len()
    }
    /// Index of a column.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.channels.iter().position(|c| c.name == name)
    }
    /// Names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.channels.iter().map(|c| &*c.name)
    }
    /// Names of the quantities of several columns.
    pub fn group_names(&self) -> impl Iterator<Item = &str> {
        self.groups.iter().map(|g| &*g.name)
    }
    /// Unit of a column or group.
    pub fn unit(&self, quantity: &str) -> Option<&'static str> {
        let column = || Some(self.channels[self.position(quantity)?].unit);
        self.group(quantity).map(|g| g.unit).or_else(column)
    }
    /// What a column or group measures.
    pub fn quantity(&self, name: &str) -> Option<Quantity> {
        let column = || Some(self.channels[self.position(name)?].quantity);
        self.group(name).map(|g| g.quantity).or_else(column)
    }
    /// A column, by its index, as a group of one.
    pub fn single(&self, column: usize) -> Group {
        let channel = &self.channels[column];
        Group {
            name: channel.name.clone(),
            kind: GroupKind::Vector,
            channels: vec![column],
            unit: channel.unit,
            quantity: channel.quantity,
        }
    }
    /// A quantity of several columns.
    pub fn group(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|g| g.name == name)
    }
}

/// A problem whose states can be measured into rows of named columns.
pub trait Measured: Problem {
    /// Lists the columns of a row, each with what it is and its value: the same columns for the life
    /// of the problem, whatever the time and the state.
    fn row<R: Row>(&self, t: f64, y: &Self::State, out: &mut R);
    /// Times within `(from, to)` at which the right-hand side has a kink or jump.
    fn switches(&self, from: f64, to: f64) -> Vec<f64>;

    /// The columns.
    fn columns(&self) -> Columns {
        let mut description = Description::default();
        self.row(0.0, &self.initial(), &mut description);
        description.finish()
    }
    /// Writes the whole row, one number for each column.
    fn measure(&self, t: f64, y: &Self::State, row: &mut [f64]) {
        self.row(t, y, &mut Whole(row));
    }
    /// Writes the tracked columns only, one number for each.
    #[inline]
    fn track(&self, t: f64, y: &Self::State, out: &mut [f64]) {
        self.row(t, y, &mut Tracked(out));
    }
}

/// A problem whose states form a symplectic manifold: coordinates around a state, and the form in
/// them.
pub trait PhaseSpace: Problem {
    /// Natural size of each coordinate near `y`, for finite differences; as many as dimensions.
    fn scales(&self, y: &Self::State) -> Vec<f64>;
    /// The state with these coordinates around `y`.
    fn displaced(&self, y: &Self::State, d: &[f64]) -> Self::State;
    /// Coordinates of `to` around `from`.
    fn displacement(&self, from: &Self::State, to: &Self::State) -> Vec<f64>;
    /// The symplectic form at `y`, in the coordinates around `y`.
    fn symplectic_form(&self, y: &Self::State) -> DMatrix<f64>;
}
