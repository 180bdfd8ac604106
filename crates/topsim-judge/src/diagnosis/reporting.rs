//! Is the right motion wrongly reported? Rates in another frame or unit, of another time; rows
//! stamped late; attitudes that are no rotations.

use super::common::{Common, Motion, largest};
use crate::history::{Body, FileReport};
use crate::identification::{Claim, Symptom};
use crate::thresholds::*;
use topsim_core::math::{Mat3, Vec3, scalar, so3};
use topsim_core::models::RotState;
use topsim_model::defect::ReportingDefect;
use topsim_protocol::history::{Peak, Sample};

/// A body rate read out of a row.
type RateOf<'a> = &'a dyn Fn(&Sample) -> Option<Vec3>;

/// Causes in how the rates are reported, of histories that follow the motion; `several`, whether they have several steps.
pub(super) fn rates(common: &Common, motion: &Motion, body: &Body, several: bool) -> Vec<Claim> {
    let Some(finest) = common.rows.last() else {
        return Vec::new();
    };
    let error = |rows: &[Sample], read: RateOf| {
        let pairs = rows.iter().zip(&motion.omega);
        largest(pairs.map(|(p, w)| read(p).map_or(f64::NAN, |r| (r - w).norm())))
    };
    let given = |p: &Sample| p.omega;
    let as_given = error(finest, &given);
    let size = largest(motion.omega.iter().map(Vec3::norm));
    if as_given.is_nan() || !(size > 0.0) {
        return Vec::new();
    }
    // At one step the errors of a rule of first order may be those of rates of half a step before or after.
    if several && let Some(found) = late_rate(common, motion, body) {
        return vec![found];
    }
    if as_given <= FIRST_ORDER * size {
        return Vec::new();
    }
    for (defect, reading) in ReportingDefect::rate_readings() {
        let read = |p: &Sample| {
            let rate = if reading.other_frame {
                other_frame(p)?
            } else {
                p.omega?
            };
            Some(reading.apply(&rate))
        };
        let fitted = error(finest, &read);
        if fitted <= EXPLAINED * as_given && fitted <= FIRST_ORDER * size {
            return vec![Symptom::ReadRates(defect, [as_given, fitted]).into()];
        }
    }
    Vec::new()
}

/// What was written as a body rate read as a space rate, or the reverse.
fn other_frame(p: &Sample) -> Option<Vec3> {
    let (rate, omega) = (p.rate?, p.omega?);
    // As given in the body frame, the two are the same numbers.
    Some(if rate == omega {
        p.att.tr_mul(&rate)
    } else {
        rate
    })
}

/// The common shift, s, of vectors `d` that change like `v`, and the part of `d` it leaves.
fn shift(pairs: impl Iterator<Item = (Vec3, Vec3)> + Clone) -> Option<(f64, f64)> {
    let (mut dv, mut vv, mut dd) = (0.0, 0.0, 0.0);
    for (d, v) in pairs.clone() {
        dv += d.dot(&v);
        vv += v.norm_squared();
        dd += d.norm_squared();
    }
    if !(vv > 0.0 && dd > 0.0) {
        return None;
    }
    let s = dv / vv;
    let left: f64 = pairs.map(|(d, v)| (d - v * s).norm_squared()).sum();
    Some((s, (left / dd).sqrt()))
}

/// The steps by which all histories are shifted, where they are and it is a half or a whole one.
fn steps_late(common: &Common, shifts: &[Option<(f64, f64)>]) -> Option<f64> {
    let mut found = None::<f64>;
    for (s, h) in shifts.iter().zip(&common.steps) {
        let (s, left) = (*s)?;
        let late = -s / h;
        let nearest = (2.0 * late).round() / 2.0;
        let told = nearest != 0.0
            && nearest.abs() <= 1.0
            && (late - nearest).abs() <= TENTH
            && left <= MOSTLY
            && found.is_none_or(|f| f == nearest);
        if !told {
            return None;
        }
        found = Some(nearest);
    }
    found
}

fn attitude_errors(rows: &[Sample], motion: &Motion) -> f64 {
    let pairs = rows.iter().zip(&motion.att);
    largest(pairs.map(|(p, a)| so3::angle_between(&p.att, a)))
}

fn late_rate(common: &Common, motion: &Motion, body: &Body) -> Option<Claim> {
    let top = body.top();
    let acceleration = |t: f64, a: &Mat3, w: &Vec3| {
        let j = top.inertia();
        let (att, omega) = (*a, *w);
        j.solve(&(j.times(w).cross(w) + top.torque_on(t, &RotState { att, omega })))
    };
    let shifts: Vec<_> = common
        .rows
        .iter()
        .map(|rows| {
            // From the second row on: the first is often the start itself.
            let states = motion.att.iter().zip(&motion.omega).zip(&common.times);
            let pairs = rows
                .iter()
                .zip(states)
                .skip(1)
                .filter_map(|(p, ((a, w), t))| Some((p.omega? - w, acceleration(*t, a, w))));
            shift(pairs)
        })
        .collect();
    let late = steps_late(common, &shifts)?;
    // A scheme whose attitudes are late too is not late in its rates alone.
    let h = *common.steps.last()?;
    let speed = largest(motion.omega.iter().map(Vec3::norm));
    let off = attitude_errors(common.rows.last()?, motion);
    if !(off <= TENTH * late.abs() * h * speed) {
        return None;
    }
    let left = largest(shifts.iter().flatten().map(|s| s.1));
    Some(Symptom::LateRates { late, left, off }.into())
}

/// Whether all rows are of another time than they say.
pub(super) fn stamps(common: &Common, motion: &Motion) -> Option<Claim> {
    let shifts: Vec<_> = common
        .rows
        .iter()
        .map(|rows| {
            let states = motion.att.iter().zip(&motion.omega);
            let pairs = rows
                .iter()
                .zip(states)
                .skip(1)
                .map(|(p, (a, w))| (so3::log(&a.tr_mul(&p.att)), *w));
            shift(pairs)
        })
        .collect();
    let late = steps_late(common, &shifts).filter(|late| late.abs() == 1.0)?;
    let left = largest(shifts.iter().flatten().map(|s| s.1));
    Some(Symptom::LateRows { late, left }.into())
}

/// Attitudes that are not kept rotations: `right`, whether the histories, coarse to fine, follow the case's motion, and `error` the
/// finest one's angle from it, rad.
pub(super) fn rotations(files: &[FileReport], right: bool, error: f64) -> Option<Claim> {
    // The largest deviation of a quaternion's length or a matrix's orthogonality.
    let off = |f: &FileReport| Some((f.step, f.norm.or(f.defect)?));
    let off: Vec<(f64, Peak)> = files.iter().filter_map(off).collect();
    let worst = off.iter().max_by(|a, b| a.1.size.total_cmp(&b.1.size));
    let &(_, Peak { size, time }) = worst?;
    // Of a good rule that is not normalised the deviation falls with its order; printed digits are the
    // same at every step.
    let harmless = match &off[..] {
        [(h0, a), .., (h1, b)] => {
            let order = scalar::ln(a.size / b.size) / scalar::ln(h0 / h1);
            right && (order.round() > 1.0 || order.abs() < UNLIKE && size <= FOUR_DIGITS)
        }
        // At one step, it is about as large as the error.
        _ => !(size > FOUR_DIGITS.max(CLEARLY * error)),
    };
    (size > PRINTED && !harmless).then(|| Symptom::NoRotations { size, time }.into())
}
