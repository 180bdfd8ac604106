//! Many random bodies and starts of a family, each scheme on all of them: what a single problem does not say.

mod family;
mod output;
mod plan;
mod summary;
#[cfg(test)]
mod tests;

use super::tiled::{InTiles, Tiled, stopped, unmade};
use super::{DataFile, Finding, Study, StudyInput, StudyKeys, TableReader};
use crate::check::StudyNames;
use family::Family;
use plan::{EnsemblePlan, EnsembleScheme, StepAngle, TIMES};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use std::fmt;
use strict_toml::short;
use summary::Clouds;
use tiles::{Cells, compute};
use topsim_case::{SchemeEntry, is_name};
use topsim_core::integration::Parameters;
use topsim_core::integration::registry;

/// How the error of schemes is spread over many random bodies and starts of a family with a closed form: quantiles
/// against torque evaluations, and the part of the runs that is not lost. A step has the same angle φ = h · (largest rate) for all.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct EnsembleTable {
    /// Its name, for files and checks.
    name: String,
    /// The family.
    family: Family,
    /// Members.
    #[schemars(range(min = 10, max = 1_000_000))]
    members: u32,
    /// Another seed, other members (default 1).
    #[serde(default = "one")]
    seed: u64,
    /// Schemes: names, tables `{ name = …, label = …, parameter = … }`, or claims. All that serve the family without it.
    schemes: Option<Vec<SchemeEntry>>,
    /// Length of the runs: time times the largest rate, rad.
    radians: f64,
    /// Step angles φ, rad, parts of `radians`: the step of a member is φ divided by the largest rate of its motion.
    steps: Vec<f64>,
    /// A run is lost where its error exceeds this, rad, or a step fails (default 1).
    #[serde(default = "a_radian")]
    lost: f64,
}

fn one() -> u64 {
    1
}
fn a_radian() -> f64 {
    1.0
}

/// Name of the kind in case files.
const KIND: &str = "ensemble";

impl StudyKeys for EnsembleTable {
    fn study(self, reader: &mut TableReader) -> Option<Box<dyn Study>> {
        Some(Box::new(ensemble(self, reader)?))
    }
}

fn ensemble(table: EnsembleTable, reader: &mut TableReader) -> Option<Ensemble> {
    let before = reader.faults.list.len();
    reader.name(&table.name);
    for (key, x) in [("radians", table.radians), ("lost", table.lost)] {
        if !(x > 0.0) {
            let found = format!("found {}", short(x));
            reader.fault(key, found, "more than 0 rad");
        }
    }
    if table.steps.is_empty() {
        reader.fault("steps", "found no step angle", "at least one, in rad");
    }
    let mut ladder: Vec<StepAngle> = Vec::new();
    for (i, &angle) in table.steps.iter().enumerate() {
        let key = format!("steps[{i}]");
        match StepAngle::new(angle, table.radians) {
            Some(rung) if ladder.iter().all(|r| r.steps != rung.steps) => ladder.push(rung),
            Some(_) => reader.fault(&key, "this angle is there twice", "each once"),
            None => {
                let radians = short(table.radians);
                let found = format!("{} rad in runs of {radians} rad", short(angle));
                reader.fault(&key, found, "an angle that divides `radians`");
            }
        }
    }
    let mut plan = EnsemblePlan {
        name: table.name,
        family: table.family,
        members: table.members,
        seed: table.seed,
        radians: table.radians,
        schemes: Vec::new(),
        ladder,
    };
    match &table.schemes {
        Some(entries) => named(entries, &mut plan, reader),
        None => plan.schemes = serving(&plan),
    }
    let lost = table.lost;
    (reader.faults.list.len() == before).then_some(Ensemble { plan, lost })
}

/// Returns the reason why a scheme does not serve the family, by the first member.
fn refusal(plan: &EnsemblePlan, entry: &EnsembleScheme) -> Option<String> {
    let member = plan.family.member(plan.seed, 0);
    let bound = match (entry.bind)(&member.model, &entry.parameters) {
        Ok(bound) => bound,
        Err(why) => return Some(why.to_string()),
    };
    let covers = |r: &StepAngle| bound.covers(r.angle / member.rate).err();
    plan.ladder.iter().find_map(covers).map(|e| e.to_string())
}

/// The schemes that a case names.
fn named(entries: &[SchemeEntry], plan: &mut EnsemblePlan, reader: &mut TableReader) {
    if entries.is_empty() {
        reader.fault("schemes", "found no scheme", "at least one, or no such key");
    }
    let entries = SchemeEntry::expanded(entries, &reader.at("schemes"), reader.faults);
    for (i, entry) in &entries {
        let key = format!("schemes[{i}]");
        let label = entry.label().to_string();
        if plan.schemes.iter().any(|s| s.label == label) {
            let found = format!("the label `{label}` is used twice");
            reader.fault(&key, found, "a `label` of its own for each use of a scheme");
        }
        if !is_name(&label) {
            let found = format!("the label `{label}` cannot name a file");
            reader.fault(
                &key,
                found,
                "at most 100 letters, digits and _ - + . (not first)",
            );
        }
        let Some(row) = registry::find(&entry.name) else {
            continue;
        };
        let entry = EnsembleScheme {
            label,
            name: entry.name.clone(),
            bind: row.bind,
            parameters: entry.parameters.clone(),
        };
        if let Some(why) = refusal(plan, &entry) {
            let allowed = format!("a scheme that serves the family {}", plan.family.name());
            reader.fault(&key, format!("`{}`: {why}", entry.label), allowed);
        }
        plan.schemes.push(entry);
    }
}

/// All schemes that serve the family.
fn serving(plan: &EnsemblePlan) -> Vec<EnsembleScheme> {
    let entries = registry::SCHEMES.iter().map(|row| EnsembleScheme {
        label: row.info.name.into(),
        name: row.info.name.into(),
        bind: row.bind,
        parameters: Parameters::default(),
    });
    entries.filter(|e| refusal(plan, e).is_none()).collect()
}

/// An ensemble.
#[derive(Clone)]
struct Ensemble {
    plan: EnsemblePlan,
    lost: f64,
}

impl fmt::Debug for Ensemble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ensemble").field(&self.plan.name).finish()
    }
}

impl Ensemble {
    /// Summarises the members.
    fn clouds(&self, numbers: &[i32], input: &StudyInput) -> Vec<Clouds> {
        let go_on = || (input.stop)().is_none();
        let schemes = self.plan.schemes.par_iter().with_max_len(1);
        let work: Vec<_> = schemes.map(|s| self.plan.work(s, &go_on)).collect();
        Clouds::of(&self.plan, self.lost, numbers, &work)
    }
}

impl Study for Ensemble {
    fn kind(&self) -> &'static str {
        KIND
    }
    fn stem(&self) -> String {
        format!("{}_{}", KIND, self.plan.name)
    }
    fn names(&self) -> Option<StudyNames> {
        Some(StudyNames {
            study: self.plan.name.clone(),
            numbers: summary::names(&self.plan),
        })
    }
    fn extent(&self) -> String {
        format!(
            "{} of {}, {} schemes at {} step angles, {} steps a member",
            self.size(),
            self.plan.family.name(),
            self.plan.schemes.len(),
            self.plan.ladder.len(),
            self.plan.steps()
        )
    }
    fn tiled(&self) -> Option<&dyn Tiled> {
        Some(self)
    }
    fn make(&self, input: &StudyInput) -> Finding {
        let plan = &self.plan;
        let title = format!(
            "attitude error over {} rad, the largest of {TIMES} times, {} of {}, against torque evaluations",
            plan.radians,
            self.size(),
            plan.family.name()
        );
        let mut found = self.begun(title);
        let made = self.computed(input, |share, stop| {
            compute(plan, share, input.progress, stop)
        });
        let numbers = match made.map(Cells::complete) {
            Ok(Ok(numbers)) => numbers,
            // A share of it has no numbers yet.
            Ok(Err(_)) => return found,
            Err(why) => return unmade(self, found, why),
        };
        let clouds = self.clouds(&numbers, input);
        if (input.stop)().is_some() {
            return unmade(self, found, stopped(input));
        }
        found.numbers = summary::numbers(plan, &clouds);
        let stem = found.stem.clone();
        let text = output::csv(plan, &clouds);
        found.files = vec![DataFile::text(format!("{stem}.csv"), text)];
        found.drawings = output::drawings(plan, &clouds, input.title, &stem);
        found.ladder = Some(output::table(plan, &clouds));
        found
    }
}

impl InTiles for Ensemble {
    type Cells = EnsemblePlan;
    fn cells(&self) -> &EnsemblePlan {
        &self.plan
    }
    fn called(&self) -> String {
        format!("ensemble `{}`", self.plan.name)
    }
    fn cells_are(&self) -> &'static str {
        "members"
    }
    fn size(&self) -> String {
        format!("{} members", self.plan.members)
    }
}
