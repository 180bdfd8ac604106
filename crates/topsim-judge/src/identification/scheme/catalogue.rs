//! Schemes of the catalogue as candidates: their own steps.

use super::questioner::{State, Step};
use super::search::{Candidate, Choice, Search};
use topsim_core::integration::registry::{SCHEMES, SchemeFamily, SchemeRow};
use topsim_model::Rule;

impl Candidate for &'static SchemeRow {
    fn predict(&self, step: &Step) -> State {
        step.advanced(&Rule::Catalogue(self).once())
    }
}

/// Returns the scheme whose steps these are.
pub(super) fn scheme(search: &Search) -> Option<Choice<&'static SchemeRow>> {
    let rotates =
        |row: &&SchemeRow| matches!(row.family, SchemeFamily::Rotation | SchemeFamily::Splitting);
    let all = SCHEMES.iter().filter(rotates);
    search.choose(all.filter_map(|row| search.accepted(row)).collect())
}
