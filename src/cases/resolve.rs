//! From the written case to the plan: every rule that types cannot express, all errors collected.

use super::baseline_file;
use super::describe::{meant, nearest, short};
use super::document::Document;
use super::expected::ExpectedFile;
use super::file::{
    CaseFile, EventKindName, FigureTable, FrameName, InertiaValue, InitialTable, InterpolationName,
    ReferenceTable, TorqueTable,
};
use super::plan::{CasePlan, CaseSource, FigureKind, FigurePlan, Job, ReferencePlan};
use super::problem::{InvalidFile, Problem};
use super::{check_rules, initial};
use crate::drive::{EventKind, EventSpec, Experiment, Grid, registry};
use crate::math::{Mat3, Vec3};
use crate::models::{
    AnyTop, Constant, Frame, Free, Gravity, Inertia, Interpolation, RotState, Sin2Pulse, Table,
    TorqueModel, TwoWell,
};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// Most steps of one run: beyond it a step counter in f64 arithmetic loses whole numbers.
const MOST_STEPS: f64 = 1e15;
/// Most samples kept of one run.
const MOST_SAMPLES: f64 = 1e6;

pub(super) struct Faults<'a> {
    pub doc: &'a Document,
    pub list: Vec<Problem>,
}

impl Faults<'_> {
    pub fn add(&mut self, key: &str, found: impl Into<String>, allowed: impl Into<String>) {
        let p = self.doc.problem(key, found, allowed);
        self.list.push(p);
    }
}

pub(super) fn resolve(source: &CaseSource) -> Result<CasePlan, Vec<InvalidFile>> {
    let mut invalid = Vec::new();
    let case = Document::read::<CaseFile>(&source.case_path, &source.case_text)
        .and_then(|(file, doc)| {
            let mut faults = Faults {
                doc: &doc,
                list: Vec::new(),
            };
            let plan = case_plan(source, &file, &mut faults);
            match plan {
                Some(plan) if faults.list.is_empty() => Ok(plan),
                _ => {
                    let list = std::mem::take(&mut faults.list);
                    Err(doc.reject(list))
                }
            }
        })
        .map_err(|e| invalid.push(e))
        .ok();
    let mut checks = Vec::new();
    if let Some((path, text)) = &source.expected {
        match Document::read::<ExpectedFile>(path, text) {
            Err(e) => invalid.push(e),
            Ok((file, doc)) => {
                let mut faults = Faults {
                    doc: &doc,
                    list: Vec::new(),
                };
                if file.case != source.name {
                    faults.add(
                        "case",
                        format!("found the case \"{}\"", file.case),
                        format!("\"{}\", the case this file stands beside", source.name),
                    );
                }
                if file.check.is_empty() {
                    faults.add("check", "found no check", "at least one [[check]]");
                }
                check_rules::apply(&file.check, case.as_ref(), &mut faults);
                if faults.list.is_empty() {
                    checks = file.check;
                } else {
                    let list = std::mem::take(&mut faults.list);
                    invalid.push(doc.reject(list));
                }
            }
        }
    }
    let mut baseline = None;
    if let Some((path, text)) = &source.baseline {
        match baseline_file::parse(text) {
            Ok(b) => baseline = Some(b),
            Err(why) => invalid.push(InvalidFile::plain(path, &why)),
        }
    }
    match case {
        Some(mut plan) if invalid.is_empty() => {
            plan.checks = checks;
            plan.baseline = baseline;
            Ok(plan)
        }
        _ => Err(invalid),
    }
}

fn case_plan(source: &CaseSource, file: &CaseFile, faults: &mut Faults) -> Option<CasePlan> {
    let mut warnings = Vec::new();
    let inertia = inertia(file, faults, &mut warnings);
    let torque = torque(file.torque.as_ref(), faults);
    let state = initial_state(&file.initial, faults);
    span(file, faults);
    if !faults.list.is_empty() {
        // Schemes can still be checked by name; the rest needs a body.
        schemes(file, None, faults);
        return None;
    }
    let top = AnyTop {
        inertia: inertia?,
        torque: torque?,
        initial: state?,
    };
    let experiments = schemes(file, Some(&top), faults)?;
    let jobs = jobs(file, &experiments, faults);
    let first: Arc<dyn Experiment> = experiments.first()?.1.clone();
    let events = events(file, &*first, faults);
    let figures = figures(file, &*first, faults);
    let longest = jobs
        .iter()
        .map(|j| j.grid.time(j.grid.steps))
        .fold(file.run.end, f64::max);
    let reference = reference(file, &top, longest, faults);
    Some(CasePlan {
        name: source.name.clone(),
        origin: source.case_path.clone(),
        title: file.title.clone(),
        summary: file.summary.clone(),
        references: file.references.clone(),
        hash: hex(&Sha256::digest(source.case_text.as_bytes())),
        jobs,
        top,
        events,
        reference,
        figures,
        checks: Vec::new(),
        baseline: None,
        warnings,
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn inertia(file: &CaseFile, faults: &mut Faults, warnings: &mut Vec<String>) -> Option<Inertia> {
    let made = match &file.body.inertia {
        InertiaValue::Moments(m) => Inertia::diagonal(Vec3::from(*m)),
        InertiaValue::Tensor(rows) => Inertia::new(Mat3::from_fn(|i, j| rows[i][j])),
    };
    let inertia = match made {
        Ok(i) => i,
        Err(e) => {
            faults.add(
                "body.inertia",
                e.to_string(),
                "a symmetric, positive definite tensor, or three positive moments",
            );
            return None;
        }
    };
    let m = inertia.moments();
    if !inertia.inverse().iter().sum::<f64>().is_finite() || !(m.z * m.z).is_finite() {
        faults.add(
            "body.inertia",
            format!(
                "the principal moments {}, {} and {} leave no room for products and inverses",
                short(m.x),
                short(m.y),
                short(m.z)
            ),
            "moments of a size between 1e-150 and 1e150",
        );
        return None;
    }
    match (inertia.triangle_excess(), &file.body.nonphysical) {
        (Some(excess), None) => faults.add(
            "body.inertia",
            format!(
                "the largest moment {} exceeds the sum of the other two, {} and {}, by {excess}: no mass distribution has it",
                m.z, m.x, m.y
            ),
            "moments that obey the triangle inequality, or `nonphysical = \"why\"` beside them",
        ),
        (Some(excess), Some(why)) => warnings.push(format!(
            "the body cannot exist: its largest moment exceeds the sum of the other two by {excess} ({why})"
        )),
        (None, Some(_)) => faults.add(
            "body.nonphysical",
            "the body obeys the triangle inequality",
            "this key only beside an inertia that does not",
        ),
        (None, None) => {}
    }
    Some(inertia)
}

fn frame(f: FrameName) -> Frame {
    match f {
        FrameName::Body => Frame::Body,
        FrameName::Space => Frame::Space,
    }
}

fn torque(table: Option<&TorqueTable>, faults: &mut Faults) -> Option<TorqueModel> {
    Some(match table {
        None | Some(TorqueTable::None {}) => TorqueModel::Free(Free),
        Some(TorqueTable::Gravity { weight, lever, up }) => {
            let up = Vec3::from(*up);
            if up.norm() < 1e-12 {
                faults.add("torque.up", "a vector of no length", "a direction");
                return None;
            }
            TorqueModel::Gravity(Gravity::new(*weight, Vec3::from(*lever), up))
        }
        Some(TorqueTable::Constant { torque, frame: f }) => TorqueModel::Constant(Constant {
            torque: Vec3::from(*torque),
            frame: frame(*f),
        }),
        Some(TorqueTable::Table {
            rows,
            frame: f,
            interpolation,
        }) => {
            let rows = rows.iter().map(|r| (r[0], Vec3::new(r[1], r[2], r[3])));
            let interpolation = match interpolation {
                InterpolationName::Linear => Interpolation::Linear,
                InterpolationName::Hold => Interpolation::Hold,
            };
            match Table::new(rows, frame(*f), interpolation) {
                Ok(t) => TorqueModel::Table(t),
                Err(e) => {
                    faults.add(
                        "torque.rows",
                        e.to_string(),
                        "at least two rows [t, x, y, z] with increasing t",
                    );
                    return None;
                }
            }
        }
        Some(TorqueTable::TwoWell { rest, pull, magnet }) => TorqueModel::TwoWell(TwoWell::new(
            *rest,
            *pull,
            crate::math::so3::exp(&Vec3::from(*magnet)),
        )),
        Some(TorqueTable::Sin2Pulse {
            amplitude,
            rate,
            from,
            until,
            frame: f,
        }) => {
            if !(until > from) {
                faults.add(
                    "torque.until",
                    format!(
                        "the pulse ends at {}, not after its start at {}",
                        short(*until),
                        short(*from)
                    ),
                    format!("a time after {}", short(*from)),
                );
                return None;
            }
            TorqueModel::Sin2Pulse(Sin2Pulse {
                amplitude: Vec3::from(*amplitude),
                frame: frame(*f),
                rate: *rate,
                from: *from,
                until: *until,
            })
        }
    })
}

fn initial_state(table: &InitialTable, faults: &mut Faults) -> Option<RotState> {
    let given: Vec<&str> = [
        ("rotation_vector", table.rotation_vector.is_some()),
        ("quaternion", table.quaternion.is_some()),
        ("matrix", table.matrix.is_some()),
        ("euler", table.euler.is_some()),
    ]
    .into_iter()
    .filter_map(|(k, yes)| yes.then_some(k))
    .collect();
    if given.len() > 1 {
        faults.add(
            &format!("initial.{}", given[1]),
            format!(
                "the attitude is given {} times: {}",
                given.len(),
                given.join(", ")
            ),
            "one of rotation_vector, quaternion, matrix, euler",
        );
        return None;
    }
    let (key, att) = if let Some(v) = &table.rotation_vector {
        (
            "rotation_vector",
            Ok(crate::math::so3::exp(&Vec3::from(*v))),
        )
    } else if let Some(q) = &table.quaternion {
        ("quaternion", initial::from_quaternion(q))
    } else if let Some(m) = &table.matrix {
        ("matrix", initial::from_rows(m))
    } else if let Some(e) = &table.euler {
        ("euler", initial::from_euler(e))
    } else {
        ("", Ok(Mat3::identity()))
    };
    let att = match att {
        Ok(att) => att,
        Err(why) => {
            let allowed = match key {
                "quaternion" => "a quaternion (w, x, y, z) of length 1 within 1e-9",
                "matrix" => "a rotation matrix, orthogonal within 1e-9, determinant 1",
                _ => "three of X, Y, Z, no two neighbours equal, such as \"ZXZ\" or \"XYZ\"",
            };
            faults.add(&format!("initial.{key}"), why, allowed);
            return None;
        }
    };
    let w = Vec3::from(table.angular_velocity);
    let omega = match table.frame {
        FrameName::Body => w,
        FrameName::Space => att.tr_mul(&w),
    };
    Some(RotState { att, omega })
}

fn span(file: &CaseFile, faults: &mut Faults) {
    let run = &file.run;
    if !(run.end > run.start) {
        faults.add(
            "run.end",
            format!(
                "the run ends at {}, not after its start at {}",
                short(run.end),
                short(run.start)
            ),
            format!("a time after {}", short(run.start)),
        );
    }
    if run.steps.is_empty() {
        faults.add("run.steps", "found no step size", "at least one, in s");
    }
    let span = run.end - run.start;
    if !span.is_finite() {
        faults.add(
            "run.end",
            format!(
                "the span from {} to {} overflows",
                short(run.start),
                short(run.end)
            ),
            "a span below 1e308 s",
        );
        return;
    }
    // Beyond this t_n and t_n + h would be the same number, or nearly so.
    let least = 4.0 * f64::EPSILON * run.start.abs().max(run.end.abs());
    for (i, &h) in run.steps.iter().enumerate() {
        let key = format!("run.steps[{i}]");
        let written = faults
            .doc
            .text_of(&key)
            .map_or_else(|| short(h), str::to_string);
        if !(h > 0.0) {
            faults.add(
                &key,
                format!("found the step {written}"),
                "a step greater than 0, in s",
            );
        } else if span / h > MOST_STEPS {
            faults.add(
                &key,
                format!("a step of {written} s makes {:.1e} steps", span / h),
                format!("at most {MOST_STEPS:.0e} steps"),
            );
        } else if span > 0.0 && h < least {
            faults.add(
                &key,
                format!(
                    "a step of {written} s is lost in the rounding of t = {}",
                    short(run.start.abs().max(run.end.abs()))
                ),
                format!("at least {least:.1e} s there, or a start nearer to 0"),
            );
        } else if run.steps[..i].contains(&h) {
            faults.add(
                &key,
                format!("the step {written} is given twice"),
                "each step once",
            );
        }
    }
    if let Some(sample) = run.sample {
        let written = faults
            .doc
            .text_of("run.sample")
            .unwrap_or_default()
            .to_string();
        if !(sample > 0.0) {
            faults.add(
                "run.sample",
                format!("found {written}"),
                "a spacing greater than 0, in s",
            );
        } else {
            let finest = run.steps.iter().copied().fold(f64::INFINITY, f64::min);
            let count = span / sample.max(finest);
            if count > MOST_SAMPLES {
                faults.add(
                    "run.sample",
                    format!("a spacing of {written} s keeps {count:.1e} samples of a run"),
                    format!("at most {MOST_SAMPLES:.0e} samples a run"),
                );
            }
        }
    }
}

type Named = (String, Arc<dyn Experiment>, String);

fn schemes(file: &CaseFile, top: Option<&AnyTop>, faults: &mut Faults) -> Option<Vec<Named>> {
    if file.run.schemes.is_empty() {
        faults.add(
            "run.schemes",
            "found no scheme",
            "at least one; `topsim list` names them",
        );
        return None;
    }
    let mut out: Vec<Named> = Vec::new();
    let mut labels: Vec<&str> = Vec::new();
    for (i, entry) in file.run.schemes.iter().enumerate() {
        let key = format!("run.schemes[{i}]");
        let label = entry.label.as_deref().unwrap_or(&entry.name);
        if labels.contains(&label) {
            faults.add(
                &key,
                format!("the label `{label}` is used twice"),
                "a `label` of its own for each use of a scheme",
            );
        }
        let folded = |other: &&&str| **other != label && other.eq_ignore_ascii_case(label);
        if let Some(other) = labels.iter().find(folded) {
            // Their files would be one where the file system ignores case.
            faults.add(
                &key,
                format!("the labels `{label}` and `{other}` differ in upper and lower case only"),
                "labels that differ in more than case",
            );
        }
        labels.push(label);
        let bad = |c: char| !(c.is_ascii_alphanumeric() || "_-.+".contains(c));
        if label.is_empty() || label.starts_with('.') || label.contains(bad) {
            faults.add(
                &format!("{key}.label"),
                format!("the label `{label}` cannot name a file"),
                "letters, digits and _ - + . (not first)",
            );
        }
        let Some(row) = registry::find(&entry.name) else {
            let known: Vec<_> = registry::names().collect();
            faults.add(
                &key,
                format!("no scheme is called `{}`", entry.name),
                known.join(", "),
            );
            continue;
        };
        let Some(top) = top else { continue };
        match (row.bind)(top, &entry.parameters) {
            Ok(e) => out.push((label.to_string(), Arc::from(e), entry.name.clone())),
            Err(e) => faults.add(
                &key,
                e.to_string(),
                format!("see `topsim show {}`", entry.name),
            ),
        }
    }
    Some(out)
}

fn jobs(file: &CaseFile, experiments: &[Named], faults: &Faults) -> Vec<Job> {
    let run = &file.run;
    let sample = run.sample.unwrap_or((run.end - run.start) / 200.0);
    let mut out = Vec::new();
    for (label, experiment, name) in experiments {
        for (i, &h) in run.steps.iter().enumerate() {
            let written = faults.doc.text_of(&format!("run.steps[{i}]"));
            out.push(Job {
                scheme: label.clone(),
                scheme_name: name.clone(),
                step: written.map_or_else(|| h.to_string(), str::to_string),
                grid: Grid::new(run.start, run.end, h, sample),
                experiment: experiment.clone(),
            });
        }
    }
    out
}

fn near_column(e: &dyn Experiment, name: &str) -> String {
    let names: Vec<&str> = e.channels().iter().map(|c| c.name).collect();
    meant(nearest(name, &names))
}

fn columns(e: &dyn Experiment) -> String {
    e.channels()
        .iter()
        .map(|c| c.name)
        .collect::<Vec<_>>()
        .join(", ")
}

fn events(file: &CaseFile, e: &dyn Experiment, faults: &mut Faults) -> Vec<EventSpec> {
    let mut out: Vec<EventSpec> = Vec::new();
    for (i, event) in file.event.iter().enumerate() {
        if out.iter().any(|o| o.name == event.name) {
            faults.add(
                &format!("event[{i}].name"),
                format!("the event `{}` is given twice", event.name),
                "a name of its own for each event",
            );
        }
        let Some(column) = e.channels().iter().position(|c| c.name == event.quantity) else {
            faults.add(
                &format!("event[{i}].quantity"),
                format!(
                    "the history has no column `{}`{}",
                    event.quantity,
                    near_column(e, &event.quantity)
                ),
                columns(e),
            );
            continue;
        };
        let kind = match event.kind {
            EventKindName::Up => EventKind::Up,
            EventKindName::Down => EventKind::Down,
            EventKindName::Cross => EventKind::Cross,
            EventKindName::Minimum => EventKind::Minimum,
            EventKindName::Maximum => EventKind::Maximum,
        };
        out.push(EventSpec {
            name: event.name.clone(),
            column,
            level: event.level,
            kind,
        });
    }
    out
}

fn figures(file: &CaseFile, e: &dyn Experiment, faults: &mut Faults) -> Vec<FigurePlan> {
    let mut out = Vec::new();
    let same = |a: &FigureTable, b: &FigureTable| match (a, b) {
        (
            FigureTable::History {
                quantity: q,
                one_per: o,
                ..
            },
            FigureTable::History {
                quantity: r,
                one_per: p,
                ..
            },
        )
        | (
            FigureTable::Error {
                quantity: q,
                one_per: o,
            },
            FigureTable::Error {
                quantity: r,
                one_per: p,
            },
        ) => q == r && o == p,
        _ => false,
    };
    for (i, figure) in file.figure.iter().enumerate() {
        let key = format!("figure[{i}].quantity");
        if file.figure[..i].iter().any(|other| same(figure, other)) {
            faults.add(
                &format!("figure[{i}]"),
                "this figure is asked for twice; its files would overwrite each other",
                "each figure once",
            );
            continue;
        }
        match figure {
            FigureTable::History {
                quantity,
                label,
                one_per,
            } => match e.channels().iter().find(|c| c.name == quantity) {
                None => faults.add(
                    &key,
                    format!(
                        "the history has no column `{quantity}`{}",
                        near_column(e, quantity)
                    ),
                    columns(e),
                ),
                Some(c) => out.push(FigurePlan {
                    kind: FigureKind::History,
                    quantity: quantity.clone(),
                    label: label.clone().unwrap_or_else(|| quantity.clone()),
                    unit: c.unit.into(),
                    one_per: *one_per,
                }),
            },
            FigureTable::Error { quantity, one_per } => {
                let unit = e
                    .groups()
                    .iter()
                    .find(|g| g.name == quantity)
                    .map(|g| g.unit)
                    .or_else(|| {
                        e.channels()
                            .iter()
                            .find(|c| c.name == quantity)
                            .map(|c| c.unit)
                    });
                match unit {
                    None => faults.add(
                        &key,
                        format!("the history has no column or group `{quantity}`"),
                        format!(
                            "{}, {}",
                            e.groups()
                                .iter()
                                .map(|g| g.name)
                                .collect::<Vec<_>>()
                                .join(", "),
                            columns(e)
                        ),
                    ),
                    Some(_) if file.reference.is_none() => faults.add(
                        &format!("figure[{i}].kind"),
                        "an error figure in a case without a reference",
                        "this kind only with a [reference]",
                    ),
                    Some(unit) => out.push(FigurePlan {
                        kind: FigureKind::Error,
                        quantity: quantity.clone(),
                        label: format!("Error of {quantity}"),
                        unit: unit.into(),
                        one_per: *one_per,
                    }),
                }
            }
        }
    }
    out
}

fn reference(file: &CaseFile, top: &AnyTop, end: f64, faults: &mut Faults) -> ReferencePlan {
    let start = file.run.start;
    let made = match &file.reference {
        None => return ReferencePlan::None,
        Some(ReferenceTable::Numerical {}) => {
            return ReferencePlan::Numerical {
                top: Box::new(top.clone()),
                start,
                end,
            };
        }
        Some(ReferenceTable::LagrangeTop {}) => crate::reference::lagrange_top(top, start),
        Some(ReferenceTable::FreeBody {}) => crate::reference::free_body(top, start),
    };
    match made {
        Ok(r) => ReferencePlan::Ready(r),
        Err(why) => {
            faults.add(
                "reference.kind",
                why,
                "a body of that family, or `kind = \"numerical\"`",
            );
            ReferencePlan::None
        }
    }
}
