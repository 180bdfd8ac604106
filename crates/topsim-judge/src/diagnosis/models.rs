//! To which motion do the histories converge: the case's, or that of a wrong model?

use super::cause::{Alike, Cause};
use super::common::{Common, Motion, Nearness, OwnLimit, ROUNDING};
use super::schemes::Fit;
use super::{Motions, Suspects};
use crate::defect::reporting::ReadAttitude;
use crate::defect::{Defect, ModelDefect, ReportingDefect};
use schemars::JsonSchema;
use serde::Serialize;

/// A history alone, or a ladder without an order, is told to be another motion's only if it is so
/// much nearer to it than to the case's.
const FAR_NEARER: f64 = 1e-3;
/// The same of a coarse single history.
const NEARER: f64 = 0.05;
/// A single history is the case's motion if it is this near, rad.
const NEAR: f64 = 1e-7;
/// Two histories further off than this, rad, do not show to which motion they converge.
const TWO: f64 = 0.01;
/// A model further away than this, rad, is not called near.
const NEAREST: f64 = 0.5;
/// Models as near as this times the nearest are not told from it.
const ALIKE: f64 = 3.0;

/// A wrong model that is near and does not fit.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct NearModel {
    /// What is wrong with it.
    #[schemars(with = "String")]
    pub id: Defect,
    /// Its name.
    pub name: String,
    /// How near.
    pub nearness: Nearness,
}

/// What the comparison says.
pub(super) struct Compared<'a> {
    pub own: Option<OwnLimit>,
    pub truth: Nearness,
    /// The motion the histories follow, where one was found.
    pub motion: Option<&'a Motion>,
    pub causes: Vec<Cause>,
    pub nearest: Vec<NearModel>,
    pub hidden: Vec<Alike>,
    /// Whether the histories tell right from wrong.
    pub settled: bool,
    pub remarks: Vec<String>,
}

/// Whether the histories, `off` from the case's motion, follow another one this near.
fn fits(common: &Common, near: &Nearness, off: f64, own: Option<&OwnLimit>) -> bool {
    let finest = near.finest();
    let single = common.rows.len() < 2;
    common.explained_by(near, own) && finest <= 0.5 * off
        || finest <= FAR_NEARER * off && finest <= FAR_NEARER
        || single && finest <= NEARER * off && finest <= 0.01
}

/// Another way to read the attitudes, with which they follow the case's motion.
pub(super) fn reading(common: &Common, truth: &Motion) -> Option<(Cause, ReadAttitude)> {
    let own = common.own_limit();
    let off = common.nearness(&truth.att, None, &|m| *m);
    if common.explained_by(&off, own.as_ref()) {
        return None;
    }
    let off = off.finest();
    for (defect, reading) in ReportingDefect::attitude_readings() {
        let near = common.nearness(&truth.att, None, &reading.read);
        if fits(common, &near, off, own.as_ref()) {
            let evidence = format!(
                "read so, the finest history is within {:.1e} rad of the case's motion, as it is {off:.1e} rad away",
                near.finest()
            );
            let cause = Cause::new(defect, evidence, defect.advice()).named(reading.name);
            return Some((cause, reading.read));
        }
    }
    None
}

/// Compares the histories with the motions of all models.
pub(super) fn compare<'a>(
    common: &Common,
    motions: &'a Motions,
    truth: &'a Motion,
    suspects: &Suspects,
) -> Compared<'a> {
    let own = common.own_limit();
    let limit = own.as_ref().and_then(|o| common.extrapolated(o));
    let limit = limit.as_deref();
    let as_it_is: ReadAttitude = |m| *m;
    let near_truth = common.nearness(&truth.att, limit, &as_it_is);
    let mut out = Compared {
        own,
        motion: None,
        causes: Vec::new(),
        nearest: Vec::new(),
        hidden: hidden(truth, &common.times, suspects),
        settled: true,
        remarks: Vec::new(),
        truth: near_truth,
    };
    let own = out.own.as_ref();
    if common.explained_by(&out.truth, own) {
        out.motion = Some(truth);
        let off = out.truth.finest();
        if common.rows.len() == 2 && off > TWO {
            out.settled = false;
            out.remarks.push(format!(
                "two histories, the finer {off:.1e} rad off the case's motion, may converge to it or near it: give three \
                 steps or more"
            ));
        }
        return out;
    }
    let off = out.truth.finest();
    let fits = |near: &Nearness| fits(common, near, off, own);
    let mut nearest: Vec<(&Motion, Nearness)> = motions
        .wrong()
        .iter()
        .map(|m| (m, common.nearness(&m.att, limit, &as_it_is)))
        .collect();
    nearest.sort_by(|a, b| a.1.best().total_cmp(&b.1.best()));
    let fitting: Vec<_> = nearest.iter().filter(|(_, near)| fits(near)).collect();
    if let Some((best, near)) = fitting.first() {
        let limit = ALIKE * near.best().max(ROUNDING);
        let alike = fitting[1..].iter().filter(|(_, n)| n.best() <= limit);
        let alike = alike.filter_map(|(m, _)| Some(alike_to(best.defect, m.defect?, suspects)));
        out.causes.extend(best.defect.map(|defect| {
            let evidence = evidence(near, off, out.own.as_ref());
            Cause::new(defect, evidence, defect.advice()).beside(alike.collect())
        }));
        out.motion = Some(best);
        return out;
    }
    let wrong = nearest
        .iter()
        .map(|(m, _)| m.apart(truth))
        .filter(|d| *d > ROUNDING);
    let wrong = wrong.fold(f64::INFINITY, f64::min);
    settle(&mut out, common, off, wrong);
    out.nearest = nearest
        .into_iter()
        .take(3)
        .filter(|(_, near)| near.finest() <= NEAREST && near.finest() < off)
        .filter_map(|(m, nearness)| {
            let defect = m.defect?;
            Some(NearModel {
                id: defect.into(),
                name: defect.name().into(),
                nearness,
            })
        })
        .collect();
    // A single history that is nearest to the case's motion may be its own.
    if !out.settled
        && out
            .nearest
            .first()
            .is_none_or(|n| off <= n.nearness.finest())
    {
        out.motion = Some(truth);
    }
    out
}

/// Histories nearer to the case's motion than this, rad, and than this part of what the nearest wrong
/// model is away, are not called another motion.
const CLOSE: (f64, f64) = (1e-3, 1e-2);

/// Whether histories that fit nothing tell anything; `wrong` is how far the nearest wrong model's motion
/// is from the case's.
fn settle(out: &mut Compared, common: &Common, off: f64, wrong: f64) {
    let Some(own) = &out.own else {
        out.settled = off <= NEAR;
        if !out.settled {
            out.remarks.push(
                "one history alone does not tell an error of the step from another motion: give several steps".into(),
            );
        }
        return;
    };
    let last = own.differences.last().copied().unwrap_or(f64::NAN);
    if off <= CLOSE.0 || off <= CLOSE.1 * wrong && off <= 0.1 {
        out.settled = false;
        if own.differences.iter().all(|d| *d <= 1e-13) {
            out.remarks
                .push("the histories are all the same: the step has no effect".into());
        }
        out.remarks.push(format!(
            "follows the case's motion to {off:.1e} rad and comes no nearer with the step: a tolerance, single \
             precision, printed digits, or a number of the problem slightly off"
        ));
        return;
    }
    if last <= 1e-3 * off {
        let same = own.differences.iter().all(|d| *d <= 1e-13);
        out.remarks.push(if same {
            "the histories are all the same: the step has no effect".into()
        } else {
            format!("the histories agree with each other to {last:.1e} rad, and are {off:.1e} rad off the case's motion")
        });
        return;
    }
    let order = own.order.unwrap_or(f64::NAN);
    if !(order >= 0.7) {
        out.settled = false;
        out.remarks.push(match common.steps.len() {
            2 => "two histories do not show whether they converge: give three steps or more".into(),
            _ => format!(
                "the histories do not converge to anything yet (order {order:.2} towards each other): give finer steps"
            ),
        });
    }
}

fn evidence(near: &Nearness, off: f64, own: Option<&OwnLimit>) -> String {
    let finest = near.finest();
    let against = format!("{off:.1e} rad from the case's motion");
    match (near.limit, own.and_then(|o| o.order)) {
        (Some(limit), Some(order)) => format!(
            "the histories converge with order {order:.2} to a limit within {limit:.1e} rad of this model's motion; \
             the finest is {finest:.1e} rad from it and {against}"
        ),
        _ => {
            format!("the finest history is {finest:.1e} rad from this model's motion and {against}")
        }
    }
}

fn alike_to(best: Option<ModelDefect>, other: ModelDefect, suspects: &Suspects) -> Alike {
    Alike {
        told_by: (suspects.told_by)(best, other),
        ..Alike::new(other)
    }
}

/// Models that move here as the right one does: their equations agree along its motion.
fn hidden(truth: &Motion, times: &[f64], suspects: &Suspects) -> Vec<Alike> {
    let same = |d: &ModelDefect| truth.differs(suspects.body, Some(*d), times) <= ROUNDING;
    ModelDefect::wrong_equations()
        .filter(same)
        .map(|d| alike_to(None, d, suspects))
        .collect()
}

/// The wrong model of the naive schemes that make the history's steps, of which the first fits best.
pub(super) fn told_by_steps(fits: &[Fit], rows: usize) -> Option<Cause> {
    let best = fits.first()?;
    let defect = best.defect?;
    let mut others: Vec<ModelDefect> = Vec::new();
    for other in fits.iter().filter_map(|f| f.defect) {
        if other != defect && !others.contains(&other) {
            others.push(other);
        }
    }
    let evidence = format!(
        "the rows equal those of this model stepped by `{}` to {:.1e} rad, in {rows} rows at the same step",
        best.scheme.name(),
        best.within
    );
    let alike = others.into_iter().map(Alike::new).collect();
    Some(Cause::new(defect, evidence, defect.advice()).beside(alike))
}
