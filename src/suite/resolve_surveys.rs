//! The studies of a Levitron beside its escape maps.

use super::describe::short;
use super::faults::Faults;
use super::file::CaseFile;
use super::resolve_maps::{body, map};
use super::study_entry::{
    EscapeMapKind, EscapeMapTable, RangeTable, SpinScanTable, StabilityRegionTable, StudyEntry,
};
use super::survey_plan::{RegionPlan, ScanPlan, SurveyPlan};
use crate::models::Model;
use core::f64::consts::TAU;

/// Most starts of a scan at each spin: their places are in memory while they are computed.
const MOST_STARTS: u64 = 1_000_000;
/// Most points of a range.
const MOST_POINTS: u32 = 10_000;
/// Most points of a plane.
const MOST_PLANE: u64 = 250_000;

pub(super) fn surveys(
    file: &CaseFile,
    model: &Model,
    faults: &mut Faults,
    warnings: &mut Vec<String>,
) -> Vec<SurveyPlan> {
    let mut out: Vec<SurveyPlan> = Vec::new();
    // Checks name studies, so the name of an escape map is taken too.
    let mut names: Vec<&str> = Vec::new();
    for entry in &file.study {
        if let StudyEntry::EscapeMap(t) = entry {
            names.push(&t.name);
        }
    }
    for (i, entry) in file.study.iter().enumerate() {
        let key = format!("study[{i}]");
        let (name, made) = match entry {
            StudyEntry::SpinScan(t) => (&t.name, scan(t, &key, model, faults, warnings)),
            StudyEntry::StabilityRegion(t) => (&t.name, region(t, &key, model, faults)),
            StudyEntry::EscapeMap(_) | StudyEntry::Ladder(_) => continue,
        };
        if names.contains(&name.as_str()) {
            faults.add(
                &format!("{key}.name"),
                format!("the name `{name}` is used twice"),
                "a name of its own for each study",
            );
        }
        names.push(name);
        out.extend(made);
    }
    out
}

fn scan(
    t: &SpinScanTable,
    key: &str,
    model: &Model,
    faults: &mut Faults,
    warnings: &mut Vec<String>,
) -> Option<SurveyPlan> {
    let spins = spins(&t.spins, key, faults);
    if let Model::Reduced(reduced) = model
        && !reduced.damping.is_zero()
    {
        warnings.push("the stable interval of the spin scan is without friction: with [damping] a mode of negative energy grows at every spin".into());
    }
    let as_map = EscapeMapTable {
        kind: EscapeMapKind::EscapeMap,
        name: t.name.clone(),
        window: t.window.clone(),
        size: t.size,
        end: t.end,
        step: t.step,
        scheme: t.scheme.clone(),
        escape_radius: t.escape_radius,
        probes: Vec::new(),
    };
    let map = map(&as_map, ("a spin scan", key), model, faults);
    let (map, spins) = (map?, spins?);
    let starts = map.cells();
    if starts > MOST_STARTS {
        faults.add(
            &format!("{key}.size"),
            format!("{starts} starts at each spin"),
            format!("at most {MOST_STARTS}; an escape map has room for more"),
        );
    }
    let fastest = spins.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
    let mut escape = map.escape.clone();
    escape.spin = fastest * TAU;
    if let Err(e) = escape.check() {
        faults.add(
            &format!("{key}.step"),
            format!("at {} rev/s: {e}", short(fastest)),
            "a shorter step",
        );
    }
    Some(SurveyPlan::SpinScan(Box::new(ScanPlan { map, spins })))
}

fn region(
    t: &StabilityRegionTable,
    key: &str,
    model: &Model,
    faults: &mut Faults,
) -> Option<SurveyPlan> {
    let heights = points(&t.heights, &format!("{key}.heights"), "m", faults);
    let spins = spins(&t.spins, key, faults);
    let (reduced, levitron) = body(model, ("a stability region", key), faults)?;
    super::resolve_maps::name(&t.name, key, faults);
    if !reduced.damping.is_zero() {
        faults.add(
            "damping",
            "friction in a stability region, which tells the growth per rate of friction",
            "no [damping] here",
        );
    }
    if !(t.heights.from > 0.0) {
        faults.add(
            &format!("{key}.heights.from"),
            format!("found {}", short(t.heights.from)),
            "a height above the base, more than 0 m",
        );
    }
    if let Err(e) = levitron.equilibrium() {
        faults.add(
            "potential",
            format!("no equilibrium whose stability could be told: {e}"),
            "a mass, a moment and a base with which the top hovers",
        );
    }
    let (heights, spins) = (heights?, spins?);
    let plane = heights.len() as u64 * spins.len() as u64;
    if plane > MOST_PLANE {
        faults.add(
            &format!("{key}.heights.count"),
            format!("a plane of {plane} points"),
            format!("at most {MOST_PLANE}"),
        );
        return None;
    }
    Some(SurveyPlan::StabilityRegion(Box::new(RegionPlan {
        name: t.name.clone(),
        levitron,
        sigma: reduced.initial[0].momentum.z / reduced.bodies[0].theta3 / TAU,
        heights,
        spins,
    })))
}

/// The spins of a range: the other sense of turning is the mirror image.
fn spins(t: &RangeTable, key: &str, faults: &mut Faults) -> Option<Vec<f64>> {
    let key = format!("{key}.spins");
    if !(t.from >= 0.0) {
        faults.add(
            &format!("{key}.from"),
            format!("found {}", short(t.from)),
            "a spin of 0 rev/s or more; the other sense is the mirror image",
        );
    }
    points(t, &key, "rev/s", faults)
}

/// The points of a range, both ends among them.
fn points(t: &RangeTable, key: &str, unit: &str, faults: &mut Faults) -> Option<Vec<f64>> {
    let before = faults.list.len();
    if !(t.to > t.from) {
        faults.add(
            &format!("{key}.to"),
            format!("a range from {} to {}", short(t.from), short(t.to)),
            format!("an end above the beginning, in {unit}"),
        );
    }
    if !(2..=MOST_POINTS).contains(&t.count) {
        faults.add(
            &format!("{key}.count"),
            format!("found {}", t.count),
            format!("from 2 to {MOST_POINTS} points"),
        );
    }
    let last = f64::from(t.count.max(2) - 1);
    // Twelve digits, so that round steps give numbers that can be written in a check.
    let point = |k: u32| {
        let x = t.from + f64::from(k) * (t.to - t.from) / last;
        format!("{x:.11e}").parse().unwrap_or(x)
    };
    (faults.list.len() == before).then(|| (0..t.count).map(point).collect())
}
