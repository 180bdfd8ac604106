//! Forms in which the attitudes and times of histories are written, as row 0 and the motion tell them.

use super::Context;
use super::common::{Common, Motion};
use crate::history::{Convention, FileReport, Start, StartAgainst};
use crate::identification::{Claim, Symptom};
use crate::thresholds::{BY_FAR, HALF, PRINTED};
use topsim_core::math::{Mat3, Quat, so3};
use topsim_model::convention::AttitudeConvention;
use topsim_model::defect::ReportingDefect;

/// Reads the attitudes of histories in a form: `read` gives the attitude that was meant, near to that of the row before.
pub(super) fn apply(
    files: &mut [FileReport],
    start: &Mat3,
    read: &dyn Fn(&Mat3, Option<Quat>, &Mat3) -> Mat3,
) {
    for file in files {
        let mut before = *start;
        for p in &mut file.trace.points {
            before = read(&p.att, p.quaternion, &before);
            // Body rates are what was written: they cannot be told where the attitude was read wrongly.
            (p.att, p.quaternion, p.omega) = (before, None, p.rate);
        }
    }
}

/// Returns that rows are stamped late, where the first of each history is the case's initial state at a time at which the motion
/// has left it; their times are put right.
pub(super) fn late_stamps(files: &mut [FileReport], context: &Context) -> Option<Claim> {
    let (start, initial) = (context.span[0], &context.body.initial);
    let has_left = |s: &FileReport| {
        let row = s.start.as_ref()?;
        (row.against == StartAgainst::Reference).then_some(row.attitude > BY_FAR * PRINTED)
    };
    if !files.iter().all(|s| has_left(s) == Some(true)) {
        return None;
    }
    let late = |s: &FileReport| {
        let first = s.trace.points.first()?;
        let near = so3::angle_between(&first.att, &initial.att) <= PRINTED;
        near.then_some(first.t - start)
    };
    let all: Vec<f64> = files.iter().map(late).collect::<Option<_>>()?;
    for (file, late) in files.iter_mut().zip(&all) {
        file.trace.shift(-late);
    }
    Some(Symptom::LateStart(all).into())
}

/// Returns that rows are those of a step before, where the second of each history repeats the first though the body turns; the first is
/// left out, and times are put right.
pub(super) fn repeated_start(files: &mut [FileReport], context: &Context) -> Option<Claim> {
    let speed = context.body.initial.omega.norm();
    let repeats = |s: &FileReport| {
        let [first, second, third, ..] = &s.trace.points[..] else {
            return false;
        };
        let same = first.att == second.att && first.rate == second.rate;
        let turn = so3::angle_between(&second.att, &third.att);
        same && turn > (HALF * speed * (third.t - second.t)).max(BY_FAR * PRINTED)
    };
    if !files.iter().all(repeats) {
        return None;
    }
    for file in files {
        let start = file.trace.points.remove(0);
        file.trace.shift(start.t - file.trace.points[0].t);
    }
    Some(Symptom::RepeatedStart.into())
}

/// Returns the form of attitudes that row 0 tells.
pub(super) fn start_reading(files: &[FileReport]) -> Option<(Claim, Convention)> {
    let mut starts = files.iter().filter_map(|s| s.start.as_ref());
    let first: &Start = starts.next().filter(|s| !s.attitude_matches)?;
    let convention = first.attitude_would_match.first()?;
    let defect = convention.defect;
    let same = |s: &Start| s.attitude_would_match.iter().any(|c| c.defect == defect);
    if !starts.all(same) {
        return None;
    }
    let forms = first.attitude_would_match.clone();
    Some((
        Symptom::StartForm(first.attitude, forms).into(),
        *convention,
    ))
}

/// Function that gives the attitude that was meant for the one that was read, near to another.
pub(super) type ReadNear = Box<dyn Fn(&Mat3, &Mat3) -> Mat3>;

/// Returns another form of attitudes, which row 0 does not show, and with which they follow the case's motion.
pub(super) fn hidden_reading(files: &[FileReport], context: &Context) -> Option<(Claim, ReadNear)> {
    let common = Common::new(files, context.span)?;
    let times = (context.span[0], &common.times[..]);
    let truth = Motion::new(context.body, times, context.wanted).ok()?;
    let own = common.own_limit();
    let off = common.nearness(&truth.att, None, &|m, _| *m);
    if common.explained_by(&off, own.as_ref()) {
        return None;
    }
    let named = ReportingDefect::attitude_readings().map(|(defect, reading)| {
        let read: ReadNear = Box::new(move |att, _| (reading.read)(att));
        (defect, reading.name.to_string(), read)
    });
    let branches = AttitudeConvention::branches().filter_map(|form| {
        let read: ReadNear =
            Box::new(move |att, near| form.undone(att, None, near).unwrap_or(*att));
        Some((form.defect()?, form.to_string(), read))
    });
    named.chain(branches).find_map(|(defect, name, read)| {
        let near = common.nearness(&truth.att, None, &read);
        common.fits(&near, off.finest(), own.as_ref()).then(|| {
            let symptom = Symptom::HiddenForm {
                defect,
                name,
                near: near.finest(),
                off: off.finest(),
            };
            (symptom.into(), read)
        })
    })
}
