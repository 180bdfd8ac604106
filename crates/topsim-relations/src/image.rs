//! An image of a motion, and how its rows are held beside those of the motion.

use crate::motion::Motion;
use topsim_core::math::so3;
use topsim_core::models::{RotState, Symmetry};
use topsim_model::probe::Row;

/// What an image is made of: a motion, and what the solver made of it.
pub(crate) struct ImageSource<'a> {
    /// The symmetry by which a case declares that its opaque torque keeps what the relation rests on, if there is one.
    pub symmetry: Option<Symmetry>,
    pub motion: &'a Motion,
    pub rows: &'a [Row],
    /// Whether the solver keeps its state in single precision.
    pub single: bool,
}

/// What stands beside row k of an image.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RowPartner {
    /// Row k of the motion.
    Same,
    /// Row k of those from this one on.
    From(usize),
    /// The rows in the opposite order, from the last one.
    Reversed,
    /// The last row of the motion beside the last one; those between are of other times.
    Last,
    /// A uniform rotation from the image's own start.
    Uniform,
}

/// A row of the image, at a time since its start in s, as a row of the motion.
pub(crate) type RowMap = Box<dyn Fn(f64, &RotState) -> RotState>;

/// A second motion, whose rows are those of the first once they are mapped back.
pub(crate) struct Image {
    pub motion: Motion,
    pub(crate) beside: RowPartner,
    pub(crate) back: RowMap,
}

impl Image {
    /// Whether the image begins from a row of the solver, with the digits of that row.
    pub fn begins_from_row(&self) -> bool {
        matches!(self.beside, RowPartner::From(_) | RowPartner::Reversed)
    }

    /// The states that are to agree: those of the motion, and those of the image mapped back. Fewer where rows are
    /// missing.
    pub fn pairs<'a>(
        &'a self,
        original: &'a [Row],
        image: &'a [Row],
    ) -> impl Iterator<Item = (RotState, RotState)> + 'a {
        let (start, h) = (self.motion.initial(), self.motion.step());
        let last = self.motion.steps();
        image.iter().enumerate().map_while(move |(k, row)| {
            let since = k as f64 * h;
            let mapped = (self.back)(since, &state(row));
            let wanted = match self.beside {
                RowPartner::Last if k < last => mapped,
                RowPartner::Last => state(original.get(last)?),
                RowPartner::Same => state(original.get(k)?),
                RowPartner::From(n) => state(original.get(n + k)?),
                RowPartner::Reversed => state(original.get(original.len().checked_sub(k + 1)?)?),
                RowPartner::Uniform => RotState {
                    att: start.att * so3::exp(&(start.omega * since)),
                    omega: start.omega,
                },
            };
            Some((wanted, mapped))
        })
    }
}

/// The state of a row.
pub(crate) fn state(row: &Row) -> RotState {
    RotState {
        att: row.att,
        omega: row.omega,
    }
}
