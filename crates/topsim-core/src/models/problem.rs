//! Interfaces of all problem families: an initial state, and named numbers measured on a state.

use super::quantity::Quantity;
use super::row::{Description, RowSink, Tracked, Whole};
use super::top::RotState;
use crate::math::{Mat3, Vec3, so3};
use nalgebra::DMatrix;
use std::borrow::Cow;
use std::ops::Range;

/// Problem with a definite initial state.
pub trait InitialValueProblem: Send + Sync {
    /// The integrated state.
    type State: Clone + Send + Sync;
    /// Returns the state at the start of the span.
    fn initial(&self) -> Self::State;
}

/// Named scalar measured on a state: a column of a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel {
    /// Column name, as in the CSV header.
    pub name: Cow<'static, str>,
    /// Unit, empty for a number without one.
    pub unit: &'static str,
    /// One-line description.
    pub about: &'static str,
    /// Quantity that the channel measures.
    pub quantity: Quantity,
}

/// Distance between two values of a group of channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupKind {
    /// Geodesic angle (rad) between 3×3 rotation matrices given row by row.
    Attitude,
    /// Euclidean norm of the difference of vectors.
    Vector,
}

/// Channels that form one quantity (a vector, a rotation matrix).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Name used by checks.
    pub name: Cow<'static, str>,
    /// Distance between two values of the group.
    pub kind: GroupKind,
    /// Indices of the group's channels, in order.
    pub channels: Vec<usize>,
    /// Unit of one component.
    pub unit: &'static str,
    /// Quantity that the group measures.
    pub quantity: Quantity,
}

impl Group {
    /// Returns the distance of two rows in this quantity: the geodesic angle (rad) for attitudes, the norm of
    /// the difference for vectors.
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

/// Columns of a problem's histories.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns {
    /// All columns, in the order of a history row (time comes before them).
    pub channels: Vec<Channel>,
    /// Range of the columns that are also followed at every step (extremes, trends).
    pub tracked: Range<usize>,
    /// Quantities that consist of several columns.
    pub groups: Vec<Group>,
}

impl Columns {
    /// Returns the number of columns in a row.
    pub fn width(&self) -> usize {
        self.channels.len()
    }
    /// Returns the index of a column.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.channels.iter().position(|c| c.name == name)
    }
    /// Returns the attitude and the body rate in a row; none where the columns have no body.
    pub fn state(&self, row: &[f64]) -> Option<RotState> {
        let (r, w) = (self.position("R11")?, self.position("W1")?);
        Some(RotState {
            att: Mat3::from_row_slice(&row[r..r + 9]),
            omega: Vec3::from_column_slice(&row[w..w + 3]),
        })
    }
    /// Names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.channels.iter().map(|c| &*c.name)
    }
    /// Names of the quantities that consist of several columns.
    pub fn group_names(&self) -> impl Iterator<Item = &str> {
        self.groups.iter().map(|g| &*g.name)
    }
    /// Returns the unit of a column or group.
    pub fn unit(&self, quantity: &str) -> Option<&'static str> {
        let column = || Some(self.channels[self.position(quantity)?].unit);
        self.group(quantity).map(|g| g.unit).or_else(column)
    }
    /// Returns the quantity that a column or group measures.
    pub fn quantity(&self, name: &str) -> Option<Quantity> {
        let column = || Some(self.channels[self.position(name)?].quantity);
        self.group(name).map(|g| g.quantity).or_else(column)
    }
    /// Returns a column, given by its index, as a group of one.
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
    /// Returns the quantity of several columns with this name.
    pub fn group(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|g| g.name == name)
    }
    /// Returns the group with this name, or the column with this name as a group of one.
    pub fn group_or_column(&self, name: &str) -> Option<Group> {
        let column = || Some(self.single(self.position(name)?));
        self.group(name).cloned().or_else(column)
    }
    /// Returns the group that measures a quantity.
    pub fn group_of(&self, quantity: Quantity) -> Option<&Group> {
        self.groups.iter().find(|g| g.quantity == quantity)
    }
}

/// Problem whose states can be measured into rows of named columns.
pub trait Measured: InitialValueProblem {
    /// Lists the columns of a row with descriptions and values. The columns are the same for all times and
    /// states of the problem.
    fn row<R: RowSink>(&self, t: f64, y: &Self::State, out: &mut R);
    /// Returns the times within `(from, to)` at which the right-hand side has a kink or jump.
    fn switches(&self, from: f64, to: f64) -> Vec<f64>;

    /// Returns the columns of a row.
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

/// Problem whose states form a symplectic manifold, with coordinates around a state and the symplectic form in
/// them.
pub trait PhaseSpace: InitialValueProblem {
    /// Returns the natural sizes of the coordinates near `y`, for finite differences, one for each dimension.
    fn scales(&self, y: &Self::State) -> Vec<f64>;
    /// Returns the state with these coordinates around `y`.
    fn displaced(&self, y: &Self::State, d: &[f64]) -> Self::State;
    /// Coordinates of `to` around `from`.
    fn displacement(&self, from: &Self::State, to: &Self::State) -> Vec<f64>;
    /// Returns the symplectic form at `y`, in the coordinates around `y`.
    fn symplectic_form(&self, y: &Self::State) -> DMatrix<f64>;
}
