//! The row of a history as a problem lists it: once, each column with what it is and its value.
//!
//! A problem's [`Measured::row`](super::Measured::row) hands each heading and its values to a [`Row`].
//! From that one list follow the description of the columns, the whole row, and the tracked
//! columns alone: three implementations of the trait. All is resolved by the compiler; a value that
//! nobody wants is not computed.

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
    /// Columns with their names, unit and meaning, sampled only.
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
    /// The columns are followed at every step. Tracked columns stand side by side.
    #[must_use]
    pub const fn tracked(mut self) -> Self {
        self.tracked = true;
        self
    }
    /// The columns form a group of this name.
    #[must_use]
    pub const fn group(mut self, name: &'static str) -> Self {
        self.group = Some(name);
        self
    }
}

/// Rows `NAME: how many columns = quantity, [names], unit, what it is`, with `.tracked()` and
/// `.group("name")` where they are.
macro_rules! headings {
    ($($vis:vis $item:ident: $count:literal = $quantity:ident, $names:expr, $unit:literal, $about:literal
        $(.$method:ident($($argument:literal)?))*;)*) => {
        $($vis const $item: $crate::models::Heading<$count> =
            $crate::models::Heading::new($crate::models::Quantity::$quantity, $names, $unit, $about)
                $(.$method($($argument)?))*;)*
    };
}

pub(super) use headings;

/// A group of columns that is not simply those of one [`Heading`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupHeading {
    /// Name of the group.
    pub name: &'static str,
    /// What it measures.
    pub quantity: Quantity,
    /// Unit of one component.
    pub unit: &'static str,
    /// Its columns.
    pub members: Members,
}

/// Which columns form a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Members {
    /// Those of these names.
    Named(&'static [&'static str]),
    /// Those so far that measure the group's quantity.
    Measuring,
}

/// What takes the row of a history, column by column.
pub trait Row {
    /// Takes the columns under a heading; their values are a function, called where they are wanted.
    fn put<const N: usize>(
        &mut self,
        heading: &'static Heading<N>,
        values: impl FnOnce() -> [f64; N],
    );
    /// What follows belongs to this body of several, counted from 1: names end in its number.
    #[inline]
    fn body(&mut self, _number: Option<usize>) {}
    /// Declares a group of columns that have been put.
    #[inline]
    fn group(&mut self, _group: &'static GroupHeading) {}
}

/// Writes every value.
pub(super) struct Whole<'a>(pub &'a mut [f64]);

impl Row for Whole<'_> {
    #[inline]
    fn put<const N: usize>(&mut self, _: &'static Heading<N>, values: impl FnOnce() -> [f64; N]) {
        write(&mut self.0, values());
    }
}

/// Writes the values of tracked columns.
pub(super) struct Tracked<'a>(pub &'a mut [f64]);

impl Row for Tracked<'_> {
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

/// Writes the next values and goes past them.
#[inline]
fn write<const N: usize>(places: &mut &mut [f64], values: [f64; N]) {
    let (now, rest) = core::mem::take(places).split_at_mut(N);
    now.copy_from_slice(&values);
    *places = rest;
}

/// Describes the columns; computes nothing.
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

impl Row for Description {
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
