//! Runs, reference, baseline and numbers of a case, which its checks and studies look at.

use super::number_or_reason::NumberOrReason;
use super::{Baseline, MeasurementError, SchemeRun, Selection};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use topsim_core::integration::EventSpec;
use topsim_core::reference::{NoReference, RowReference};
use topsim_core::verdict::Measurement;

/// Facts of a case that its checks and studies may look at.
pub struct Context<'a> {
    /// All runs.
    pub runs: &'a [SchemeRun],
    /// The reference, or the reason why there is none.
    pub reference: Result<&'a dyn RowReference, NoReference>,
    /// Events of the case.
    pub events: &'a [EventSpec],
    /// The blessed baseline.
    pub baseline: Option<&'a Baseline>,
    /// Numbers of the studies that have names.
    pub numbers: &'a [StudyNumbers],
}

/// Names by which checks ask for the numbers of a study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudyNames {
    /// Name of the study.
    pub study: String,
    /// Names of its numbers.
    pub numbers: Vec<String>,
}

/// The numbers of a study.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyNumbers {
    /// Name of the study.
    pub study: String,
    /// Its numbers.
    pub numbers: Vec<Number>,
}

/// A number of a study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Number {
    /// Its name.
    pub name: String,
    /// Its unit, empty where it has none.
    pub unit: String,
    /// Its value, or the reason why there is none.
    #[serde(with = "super::number_or_reason")]
    #[schemars(with = "NumberOrReason<f64>")]
    pub value: Result<f64, MeasurementError>,
    /// True if reports show it without being asked for details.
    pub headline: bool,
}

impl Number {
    /// Makes a number that reports show among the details.
    pub(crate) fn new<E: Into<MeasurementError>>(
        name: impl Into<String>,
        unit: &str,
        value: Result<f64, E>,
    ) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
            value: value.map_err(Into::into),
            headline: false,
        }
    }
}

impl<'a> Context<'a> {
    /// Returns the runs of a selection.
    pub(crate) fn selected(&self, selection: &Selection) -> Vec<&'a SchemeRun> {
        let takes = |r: &&SchemeRun| selection.shows(r);
        self.runs.iter().filter(takes).collect()
    }

    /// Returns a number of a study.
    pub(super) fn number(
        &self,
        study: &str,
        number: &str,
    ) -> Result<Measurement, MeasurementError> {
        let of_study = self.numbers.iter().find(|s| s.study == study);
        let of_study = of_study.ok_or_else(|| MeasurementError::NoStudy(study.into()))?;
        let found = of_study.numbers.iter().find(|n| n.name == number);
        let found = found.ok_or_else(|| MeasurementError::NoNumber(number.into()))?;
        let value = found.value.clone()?;
        Ok(Measurement::new(value, &*found.unit))
    }
}

/// Returns the runs of each scheme, in the order in which schemes first come.
pub(crate) fn by_scheme<'a>(runs: &[&'a SchemeRun]) -> Vec<(&'a str, Vec<&'a SchemeRun>)> {
    grouped(runs.iter().map(|run| (&*run.scheme, *run)))
}

/// Groups items by their keys, in the order in which keys first come.
pub(crate) fn grouped<K: PartialEq, T>(all: impl Iterator<Item = (K, T)>) -> Vec<(K, Vec<T>)> {
    let mut out: Vec<(K, Vec<T>)> = Vec::new();
    for (key, one) in all {
        match out.iter_mut().find(|(k, _)| *k == key) {
            Some((_, group)) => group.push(one),
            None => out.push((key, vec![one])),
        }
    }
    out
}
