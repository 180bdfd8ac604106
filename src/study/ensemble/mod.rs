//! Ensembles: the errors of each scheme over many random bodies and starts of a family.

mod family;
mod output;
mod plan;
mod summary;
#[cfg(test)]
mod tests;

use super::tiled::{InTiles, Tiled, stopped};
use super::{Finding, Study, StudyInput, StudyKeys, TableReader};
use family::Family;
use plan::{EnsemblePlan, EnsembleScheme, StepAngle, TIMES};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use strict_toml::short;
use summary::Clouds;
use tiles::{CellProgress, Share, StopRequest, compute};
use topsim_case::{SchemeEntry, is_name};
use topsim_core::integration::registry;

/// Spread of the error of schemes over many random bodies and starts of a family with a closed form: quantiles
/// against torque evaluations, and the part of the runs that is not lost. A step has the same angle φ = h · (largest rate) for all.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct EnsembleTable {
    /// Name of the study, for files and checks.
    name: String,
    /// Family of the members.
    family: Family,
    /// Number of members.
    #[schemars(range(min = 10, max = 1_000_000))]
    members: u32,
    /// Seed of the random members (default 1).
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

impl StudyKeys for EnsembleTable {
    fn study(self, reader: &mut TableReader) -> Option<Box<dyn Study>> {
        Some(Box::new(ensemble(self, reader)?))
    }
}

fn ensemble(table: EnsembleTable, reader: &mut TableReader) -> Option<EnsemblePlan> {
    let before = reader.faults.list.len();
    reader.name(&table.name);
    reader.positive("radians", table.radians, "more than 0 rad");
    reader.positive("lost", table.lost, "more than 0 rad");
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
        table,
        schemes: Vec::new(),
        ladder,
    };
    match plan.table.schemes.clone() {
        Some(entries) => named(&entries, &mut plan, reader),
        None => plan.schemes = serving(&plan),
    }
    (reader.faults.list.len() == before).then_some(plan)
}

/// Returns the reason why a scheme does not serve the family, by the first member.
fn refusal(plan: &EnsemblePlan, scheme: &EnsembleScheme) -> Option<String> {
    let member = plan.table.family.member(plan.table.seed, 0);
    let bound = match scheme.bound(&member) {
        Ok(bound) => bound,
        Err(why) => return Some(why.to_string()),
    };
    let covers = |r: &StepAngle| bound.covers(r.angle / member.rate).err();
    plan.ladder.iter().find_map(covers).map(|e| e.to_string())
}

/// Adds the schemes that a case names.
fn named(entries: &[SchemeEntry], plan: &mut EnsemblePlan, reader: &mut TableReader) {
    if entries.is_empty() {
        reader.fault("schemes", "found no scheme", "at least one, or no such key");
    }
    for (i, entry) in SchemeEntry::expanded(entries, &reader.at("schemes"), reader.faults) {
        let key = format!("schemes[{i}]");
        let label = entry.label().to_string();
        if plan.schemes.iter().any(|s| s.entry.label() == label) {
            let found = format!("the label `{label}` is used twice");
            reader.fault(&key, found, "a `label` of its own for each use of a scheme");
        }
        if !is_name(&label) {
            let found = format!("the label `{label}` cannot name a file");
            let allowed = "at most 100 letters, digits and _ - + . (not first)";
            reader.fault(&key, found, allowed);
        }
        let Some(row) = registry::find(&entry.name) else {
            continue;
        };
        let bind = row.bind;
        let scheme = EnsembleScheme { entry, bind };
        if let Some(why) = refusal(plan, &scheme) {
            let family = plan.table.family.name();
            let allowed = format!("a scheme that serves the family {family}");
            reader.fault(&key, format!("`{label}`: {why}"), allowed);
        }
        plan.schemes.push(scheme);
    }
}

/// Returns all schemes that serve the family.
fn serving(plan: &EnsemblePlan) -> Vec<EnsembleScheme> {
    let schemes = registry::SCHEMES.iter().map(|row| EnsembleScheme {
        entry: SchemeEntry {
            name: row.info.name.into(),
            ..SchemeEntry::default()
        },
        bind: row.bind,
    });
    schemes.filter(|s| refusal(plan, s).is_none()).collect()
}

impl Study for EnsemblePlan {
    fn kind(&self) -> &'static str {
        "ensemble"
    }
    fn name(&self) -> Option<&str> {
        Some(&self.table.name)
    }
    fn number_names(&self) -> Vec<String> {
        summary::names(self)
    }
    fn extent(&self) -> String {
        let (schemes, angles) = (self.schemes.len(), self.ladder.len());
        let (size, family, steps) = (self.size(), self.table.family.name(), self.steps());
        format!(
            "{size} of {family}, {schemes} schemes at {angles} step angles, {steps} steps a member"
        )
    }
    fn tiled(&self) -> Option<&dyn Tiled> {
        Some(self)
    }
    fn make(&self, input: &StudyInput) -> Finding {
        let (radians, size, family) = (self.table.radians, self.size(), self.table.family.name());
        let title = format!(
            "attitude error over {radians} rad, the largest of {TIMES} times, {size} of {family}, against torque evaluations"
        );
        let run = |plan: &Self, share: Share, progress: &dyn CellProgress, stop: StopRequest| {
            Ok(compute(plan, share, progress, stop)?.complete())
        };
        self.make_in_tiles((input, title), run, |found, numbers| {
            let go_on = || (input.stop)().is_none();
            let schemes = self.schemes.par_iter().with_max_len(1);
            let work: Vec<_> = schemes.map(|s| self.work(s, &go_on)).collect();
            let clouds = Clouds::of(self, &numbers, &work);
            if !go_on() {
                return Err(stopped(input));
            }
            found.numbers = summary::numbers(self, &clouds);
            found.files = vec![output::csv(format!("{}.csv", found.stem), self, &clouds)];
            found.drawings = output::drawings(self, &clouds, input.title, &found.stem);
            found.ladder = Some(output::table(self, &clouds));
            Ok(())
        })
    }
}

impl InTiles for EnsemblePlan {
    type Cells = Self;
    fn cells(&self) -> &Self {
        self
    }
    fn called(&self) -> String {
        format!("ensemble `{}`", self.table.name)
    }
    fn cells_are(&self) -> &'static str {
        "members"
    }
    fn size(&self) -> String {
        format!("{} members", self.table.members)
    }
}
