//! What the checks and studies of a case look at.

use super::{Baseline, Unmeasured};
use topsim_core::integration::{EventSpec, Probes, Run};
use topsim_core::reference::{NoReference, RowReference};
use topsim_core::verdict::Measured;

/// One run with its names.
#[derive(Debug, Clone, Copy)]
pub struct RunView<'a> {
    /// Scheme label.
    pub scheme: &'a str,
    /// Step as the case writes it.
    pub step: &'a str,
    /// The run.
    pub run: &'a Run,
    /// What was found on its step map.
    pub probes: &'a Probes,
}

/// What the checks of a case may look at.
pub struct Context<'a> {
    /// All runs.
    pub runs: &'a [RunView<'a>],
    /// The reference, or why there is none.
    pub reference: Result<&'a dyn RowReference, NoReference>,
    /// Events of the case.
    pub events: &'a [EventSpec],
    /// The blessed baseline.
    pub baseline: Option<&'a Baseline>,
    /// Numbers of the studies that have names.
    pub numbers: &'a [StudyNumbers],
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
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// Its name.
    pub name: String,
    /// Its unit, empty where it has none.
    pub unit: &'static str,
    /// Its value, or why there is none, in the words of the study.
    pub value: Result<f64, String>,
    /// Whether reports show it without being asked for details.
    pub headline: bool,
}

impl Context<'_> {
    /// A number of a study.
    pub(super) fn number(&self, study: &str, number: &str) -> Result<Measured, Unmeasured> {
        let of_study = self.numbers.iter().find(|s| s.study == study);
        let of_study = of_study.ok_or_else(|| Unmeasured::NoStudy(study.into()))?;
        let found = of_study.numbers.iter().find(|n| n.name == number);
        let found = found.ok_or_else(|| Unmeasured::NoNumber(number.into()))?;
        let value = found.value.clone().map_err(Unmeasured::NoValue)?;
        Ok(Measured::new(value, found.unit))
    }
}

/// Runs of each scheme, in the order in which schemes first come.
pub(crate) fn by_scheme<'a, 'r>(runs: &[&'a RunView<'r>]) -> Vec<(&'r str, Vec<&'a RunView<'r>>)> {
    let mut out: Vec<(&str, Vec<&RunView>)> = Vec::new();
    for run in runs {
        match out.iter_mut().find(|(scheme, _)| *scheme == run.scheme) {
            Some((_, ladder)) => ladder.push(run),
            None => out.push((run.scheme, vec![run])),
        }
    }
    out
}
