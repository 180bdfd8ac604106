//! Row of a history, listed once by each problem: the columns with descriptions and values.
//!
//! A problem's [`Measured::row`](super::Measured::row) passes each heading and its values to a [`RowSink`]. The
//! description of the columns, the whole row, and the tracked columns alone come from that one list by three
//! implementations of the trait. The calls are resolved at compile time, and a value that a sink does not use
//! is not computed.

use super::problem::{Channel, Columns, Group, GroupKind};
use super::quantity::Quantity;
use std::borrow::Cow;
use std::ops::Range;

/// Adjacent columns that measure one quantity, such as the components of a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heading<const N: usize> {
    names: [&'static str; N],
    unit: &'static str,
    about: &'static str,
    quantity: Quantity,
    tracked: bool,
    group: Option<&'static str>,
}

impl<const N: usize> Heading<N> {
    /// Declares columns with names, unit and description that are only sampled.
    pub const fn new(
        quantity: Quantity,
        names: [&'static str; N],
        unit: &'static str,
        about: &'static str,
    ) -> Self {
        Self {
            names,
            unit,
            about,
            quantity,
            tracked: false,
            group: None,
        }
    }
    /// Marks the columns as followed at every step. Tracked columns must be adjacent.
    #[must_use]
    pub const fn tracked(mut self) -> Self {
        self.tracked = true;
        self
    }
    /// Makes the columns a group with this name.
    #[must_use]
    pub const fn group(mut self, name: &'static str) -> Self {
        self.group = Some(name);
        self
    }
}

/// Declares headings in rows `NAME: number of columns = quantity, [names], unit, description`, with
/// `.tracked()` and `.group("name")` if they apply.
macro_rules! headings {
    ($($vis:vis $item:ident: $count:literal = $quantity:ident, $names:expr, $unit:literal, $about:literal
        $(.$method:ident($($argument:literal)?))*;)*) => {
        $($vis const $item: $crate::models::Heading<$count> =
            $crate::models::Heading::new($crate::models::Quantity::$quantity, $names, $unit, $about)
                $(.$method($($argument)?))*;)*
    };
}

pub(super) use headings;

/// Group of columns that is not identical to one [`Heading`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupHeading {
    /// Name of the group.
    pub name: &'static str,
    /// Quantity that the group measures.
    pub quantity: Quantity,
    /// Unit of one component.
    pub unit: &'static str,
    /// Columns of the group.
    pub members: Members,
}

/// Selection of the columns of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Members {
    /// Columns with these names.
    Named(&'static [&'static str]),
    /// Columns so far that measure the group's quantity.
    Measuring,
}

/// Receiver of the row of a history, column by column.
pub trait RowSink {
    /// Takes the columns under a heading; the values are a function that is called only if they are used.
    fn put<const N: usize>(
        &mut self,
        heading: &'static Heading<N>,
        values: impl FnOnce() -> [f64; N],
    );
    /// Assigns the following columns to one of several bodies, counted from 1, whose number is appended to the
    /// names.
    #[inline]
    fn body(&mut self, _number: Option<usize>) {}
    /// Declares a group of columns that were put before.
    #[inline]
    fn group(&mut self, _group: &'static GroupHeading) {}
}

/// Sink that writes every value.
pub(super) struct Whole<'a>(pub &'a mut [f64]);

impl RowSink for Whole<'_> {
    #[inline]
    fn put<const N: usize>(&mut self, _: &'static Heading<N>, values: impl FnOnce() -> [f64; N]) {
        write(&mut self.0, values());
    }
}

/// Sink that writes the values of tracked columns.
pub(super) struct Tracked<'a>(pub &'a mut [f64]);

impl RowSink for Tracked<'_> {
    #[inline]
    fn put<const N: usize>(
        &mut self,
        heading: &'static Heading<N>,
        values: impl FnOnce() -> [f64; N],
    ) {
        if heading.tracked {
            write(&mut self.0, values());
        }
    }
}

/// Writes the next values and advances past them.
#[inline]
fn write<const N: usize>(places: &mut &mut [f64], values: [f64; N]) {
    let (now, rest) = core::mem::take(places).split_at_mut(N);
    now.copy_from_slice(&values);
    *places = rest;
}

/// Sink that describes the columns and computes no values.
#[derive(Default)]
pub(super) struct Description {
    channels: Vec<Channel>,
    tracked: Option<Range<usize>>,
    groups: Vec<Group>,
    body: Option<usize>,
}

impl Description {
    pub fn finish(self) -> Columns {
        Columns {
            channels: self.channels,
            tracked: self.tracked.unwrap_or(0..0),
            groups: self.groups,
        }
    }

    fn name(&self, name: &'static str) -> Cow<'static, str> {
        match self.body {
            None => name.into(),
            Some(number) => format!("{name}_{number}").into(),
        }
    }

    fn position(&self, name: &str) -> usize {
        let found = self.channels.iter().position(|c| c.name == name);
        found.expect("a group names columns that were put before it")
    }
}

impl RowSink for Description {
    fn put<const N: usize>(&mut self, heading: &'static Heading<N>, _: impl FnOnce() -> [f64; N]) {
        let own = self.channels.len()..self.channels.len() + N;
        let &Heading {
            unit,
            about,
            quantity,
            ..
        } = heading;
        for name in heading.names {
            let name = self.name(name);
            self.channels.push(Channel {
                name,
                unit,
                about,
                quantity,
            });
        }
        if heading.tracked {
            let start = self.tracked.as_ref().map_or(own.start, |tracked| {
                assert_eq!(tracked.end, own.start, "tracked columns stand side by side");
                tracked.start
            });
            self.tracked = Some(start..own.end);
        }
        if let Some(group) = heading.group {
            let (kind, unit) = match quantity {
                Quantity::Attitude => (GroupKind::Attitude, "rad"),
                _ => (GroupKind::Vector, unit),
            };
            self.groups.push(Group {
                name: self.name(group),
                kind,
                channels: own.collect(),
                unit,
                quantity,
            });
        }
    }

    fn body(&mut self, number: Option<usize>) {
        self.body = number;
    }

    fn group(&mut self, group: &'static GroupHeading) {
        let channels = match group.members {
            Members::Named(names) => names.iter().map(|name| self.position(name)).collect(),
            Members::Measuring => (0..self.channels.len())
                .filter(|&c| self.channels[c].quantity == group.quantity)
                .collect(),
        };
        self.groups.push(Group {
            name: group.name.into(),
            kind: GroupKind::Vector,
            channels,
            unit: group.unit,
            quantity: group.quantity,
        });
    }
}
