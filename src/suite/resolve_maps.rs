//! The escape maps of a case.

use super::describe::short;
use super::faults::Faults;
use super::file::CaseFile;
use super::map_plan::MapPlan;
use super::study_entry::{EscapeMapTable, StudyEntry};
use crate::analysis::MapAxis;
use crate::drive::Grid;
use crate::drive::escape::{Escape, Splitting};
use crate::models::Model;
use crate::models::levitron::Levitron;
use crate::models::reduced::{AnyPotential, AnyReduced};
use crate::schemes::COMPOSITIONS;

/// Most cells of a side: their numbers are exact, and a row fits into memory.
const MOST_CELLS: u32 = 1 << 20;

pub(super) fn maps(file: &CaseFile, model: &Model, faults: &mut Faults) -> Vec<MapPlan> {
    let mut out: Vec<MapPlan> = Vec::new();
    for (i, entry) in file.study.iter().enumerate() {
        let StudyEntry::EscapeMap(table) = entry else {
            continue;
        };
        let key = format!("study[{i}]");
        if out.iter().any(|m| m.name == table.name) {
            faults.add(
                &format!("{key}.name"),
                format!("the name `{}` is used twice", table.name),
                "a name of its own for each map",
            );
        }
        out.extend(map(table, ("an escape map", &key), model, faults));
    }
    out
}

/// The levitating body of a study, `what`: upright and at rest in the case's own start.
pub(super) fn body<'a>(
    model: &'a Model,
    (what, key): (&str, &str),
    faults: &mut Faults,
) -> Option<(&'a AnyReduced, Levitron)> {
    let found = match model {
        Model::Reduced(reduced) => match &reduced.potential {
            AnyPotential::Levitron(l) => Some((reduced, l.0)),
            _ => None,
        },
        _ => None,
    };
    let Some((reduced, levitron)) = found else {
        faults.add(
            &format!("{key}.kind"),
            format!("{what} in a case without a Levitron"),
            "this kind only beside a [potential] of `model = \"levitron\"`",
        );
        return None;
    };
    let start = &reduced.initial[0];
    let sideways = start.momentum.x != 0.0 || start.momentum.y != 0.0;
    if start.axis.z != 1.0 || sideways || start.velocity.norm() != 0.0 {
        faults.add(
            &format!("{key}.kind"),
            format!("{what} of a body that does not start upright and at rest"),
            "an [initial] with the spin about the vertical only: the study sets the place",
        );
        return None;
    }
    Some((reduced, levitron))
}

/// Names of studies name files.
pub(super) fn name(name: &str, key: &str, faults: &mut Faults) {
    let bad = |c: char| !(c.is_ascii_alphanumeric() || "_-".contains(c));
    if name.is_empty() || name.contains(bad) {
        faults.add(
            &format!("{key}.name"),
            format!("the name `{name}` cannot name a file"),
            "letters, digits and _ -",
        );
    }
}

/// The starts and the physics of a study, `what`.
pub(super) fn map(
    table: &EscapeMapTable,
    (what, key): (&str, &str),
    model: &Model,
    faults: &mut Faults,
) -> Option<MapPlan> {
    let at = |k: &str| format!("{key}.{k}");
    let before = faults.list.len();
    name(&table.name, key, faults);
    let (reduced, levitron) = body(model, (what, key), faults)?;
    for (k, [from, to]) in [("window.x", table.window.x), ("window.z", table.window.z)] {
        if !(to > from) {
            faults.add(
                &at(k),
                format!("a window from {} to {}", short(from), short(to)),
                "two numbers, the second above the first, in m",
            );
        }
    }
    for (i, &n) in table.size.iter().enumerate() {
        if !(1..=MOST_CELLS).contains(&n) {
            faults.add(
                &format!("{}[{i}]", at("size")),
                format!("found {n} cells"),
                format!("from 1 to {MOST_CELLS} cells"),
            );
        }
    }
    for (k, x) in [("end", table.end), ("step", table.step)] {
        if !(x > 0.0) {
            faults.add(&at(k), format!("found {}", short(x)), "more than 0 s");
        }
    }
    let composition = COMPOSITIONS
        .iter()
        .find(|c| table.scheme.strip_prefix("poisson_") == Some(c.name));
    if composition.is_none() {
        let known: Vec<String> = COMPOSITIONS
            .iter()
            .map(|c| format!("poisson_{}", c.name))
            .collect();
        faults.add(
            &at("scheme"),
            format!("no scheme for maps is called `{}`", table.scheme),
            known.join(", "),
        );
    }
    let height = match levitron.equilibrium() {
        Ok(found) => found.outer,
        Err(e) => {
            faults.add(
                "potential",
                format!("no equilibrium to escape from: {e}"),
                "a mass, a moment and a base with which the top hovers",
            );
            return None;
        }
    };
    let radius = table
        .escape_radius
        .unwrap_or_else(|| height.min(levitron.field().radius()));
    if !(radius > 0.0) {
        faults.add(
            &at("escape_radius"),
            format!("found {}", short(radius)),
            "more than 0 m",
        );
    }
    let theta3 = reduced.bodies[0].theta3;
    let spin = reduced.initial[0].momentum.z / theta3;
    if spin == 0.0 {
        faults.add(
            "initial",
            "a top that does not spin: nothing holds it upright",
            "an angular velocity about the vertical, in rad/s",
        );
    }
    if faults.list.len() > before {
        return None;
    }
    let steps = Grid::new(0.0, table.end, table.step, table.end).steps;
    let Ok(limit) = i32::try_from(steps) else {
        faults.add(
            &at("step"),
            format!("a step of {} s makes {steps} steps", short(table.step)),
            format!("at most {} steps", i32::MAX),
        );
        return None;
    };
    let axis = |[from, to]: [f64; 2], cells| MapAxis { from, to, cells };
    let d = &reduced.damping;
    let plan = MapPlan {
        name: table.name.clone(),
        scheme: table.scheme.clone(),
        x: axis(table.window.x, table.size[0]),
        z: axis(table.window.z, table.size[1]),
        probes: table.probes.clone(),
        escape: Escape {
            levitron,
            spin,
            centre: [0.0, 0.0, height],
            radius,
            h: table.step,
            steps: limit.unsigned_abs(),
            scheme: Splitting::from(composition?),
            damping: *d,
        },
    };
    if let Err(why) = plan.check() {
        faults.add(
            &at("window"),
            why,
            "a window inside the escape radius, where the field is known",
        );
    }
    if let Err(e) = plan.escape.check() {
        faults.add(&at("step"), e.to_string(), "a shorter step");
    }
    Some(plan)
}
