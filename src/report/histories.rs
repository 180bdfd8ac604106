//! Histories of somebody else's solver, for people: the judge's own text.

use super::{Look, Report};

/// The reports of the judge.
pub(super) fn write(_out: &mut String, _report: &Report, _look: &Look) {}
