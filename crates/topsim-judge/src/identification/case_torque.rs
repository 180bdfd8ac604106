//! The torque of the case, where it is none that every solver is asked for: whether the steps have it, and of which time.
//!
//! Short runs of the case's body from random states at several times, with its torque and without. What a step adds to the
//! exact rate, over the step, is r(h). It stays where the torque is another one, and falls like h^p in a rule of order p.
//! A torque that switches is asked for between its switches, where it has powers of the step.

mod claims;
mod last_step;
mod ways;

use super::design::Group;
use super::experiment::{Load, Probe, Start, Target};
use super::note::Note;
use super::questions::Scope;
use super::symptom::Symptom;
use super::{Claim, Identification, SchemeFlaw};
use crate::thresholds::{
    BY_FAR, DEFECT, EXPLAINED, FEW_TIMES, HALF, HALF_A_POWER, ONE_POWER, UNLIKE,
};
use claims::{another, late};
use last_step::{LastStep, above_rounding, apart, power, seen, size, torque};
use topsim_case::Problem;
use topsim_core::integration::registry;
use topsim_core::math::{Random, Vec3, so3};
use topsim_core::models::{Frame, Torque, TorqueModel};
use topsim_model::defect::SchemeDefect;
use topsim_protocol::problem::case_probe;
use topsim_relations::{Catalogued, RIGHT_SCHEMES};

/// Starts.
pub(super) const STARTS: usize = 6;
/// Step sizes, each half of the one before, and steps of a run.
const RUNGS: usize = 4;
const RUN: usize = 4;
/// Of the span at most this part in a step.
const LONGEST: f64 = 1.0 / 64.0;
/// What the case's own torque shows of a solver whose other steps are right; nothing where the case has none of its own.
pub(crate) fn of_case(
    target: &dyn Target,
    problem: &Problem,
    known: &Identification,
) -> Identification {
    let mut out = known.clone();
    if !Scope::of([problem].into_iter()).time {
        // Other cases ask for torques of time. Of this one it is no fault to read them at another time.
        let elsewhere = |c: &mut Claim| c.id == SchemeDefect::TorqueTime.into();
        let evidence = out.claims.extract_if(.., elsewhere).map(Note::Evidence);
        out.notes.extend(evidence);
    }
    // What is read at another time of each step may be that of another time whatever the step.
    let of_time = |c: &Claim| c.id == SchemeDefect::TorqueTime.into();
    let by_clock = |c: &Claim| matches!(*c.symptom, Symptom::Flaw(SchemeFlaw::TorqueClock(_)));
    let right = out.claims.iter().all(|c| of_time(c) && !by_clock(c)) && out.not_measured.is_none();
    let asked = right.then(|| RunPlan::of(problem)).flatten();
    let power = asked.and_then(|asked| asked.look(target, &mut out));
    let is_whole =
        |p: f64| [1.0, 2.0, 3.0].contains(&p.round()) && (p - p.round()).abs() < ONE_POWER;
    let told = out.torque_rule.and_then(|unknown| match power {
        None => Some(unknown.into()),
        // The steps that they are held against are eight of RK4: a slope of four may be theirs.
        Some(p) if is_whole(p) => Some(format!(
            "This is its rule on free bodies; with the torque of the case its steps are of order {p:.0}."
        )),
        Some(_) => None,
    });
    if let Some(told) = told {
        out.scheme.insert(out.scheme.len().min(1), told);
    }
    out
}

/// Returns the questions that may be asked of a case.
pub(crate) fn questions(problem: &Problem) -> Vec<Probe> {
    RunPlan::of(problem).map_or_else(Vec::new, |plan| [plan.with, plan.without].concat())
}

/// The runs that are asked for.
struct RunPlan {
    with: Vec<Probe>,
    without: Vec<Probe>,
}

impl RunPlan {
    fn of(problem: &Problem) -> Option<Self> {
        let step = problem.grids.iter().map(|g| g.h).fold(0.0, f64::max);
        let whole = case_probe(problem, step).ok()?;
        // Some torques know the body that they act on.
        let top = whole.start.top();
        let torque = top.torque();
        let asked_of_all = match torque {
            TorqueModel::NoTorque(_) | TorqueModel::Gravity(_) => true,
            TorqueModel::Constant(constant) => constant.frame == Frame::Body,
            // Of what topsim does not know there is no exact step.
            TorqueModel::Opaque(_) => true,
            _ => false,
        };
        if asked_of_all || whole.flight.is_some() {
            return None;
        }
        let (begin, end) = (whole.from, problem.end?);
        let pieces = pieces(torque, begin, end)?;
        let longest = (LONGEST * (end - begin)).min(pieces[0][1] / (4 * RUN) as f64);
        let step = step.min(longest);
        let size = whole.start.omega.norm();
        let size = if size > 0.0 { size } else { 1.0 };
        let mut random = Random::new(77);
        let mut out = Self {
            with: Vec::new(),
            without: Vec::new(),
        };
        for k in 0..STARTS {
            let start = Start {
                att: random.rotation(),
                // Of one size, a law of the rate and one of its square are alike.
                omega: random.direction(size * (0.4 + 0.24 * k as f64)),
                load: Load::Other(torque.clone()),
                ..whole.start.clone()
            };
            let [from, span] = pieces[k % pieces.len()];
            // Parts of the golden ratio have no period in common with a sine, and the last steps of all runs begin at one time.
            let part = (0.37 + 0.618_033_988_75 * k as f64).fract();
            let from = from + (span - RUN as f64 * step) * part;
            for rung in 0..RUNGS {
                let h = step / (1 << rung) as f64;
                let probe = Probe {
                    from: from + (RUN - 1) as f64 * (step - h),
                    ..Probe::new(&start, h, RUN)
                };
                let mut free = probe.clone();
                free.start.load = Load::None;
                out.with.push(probe);
                out.without.push(free);
            }
        }
        Some(out)
    }

    /// The power of the step with which what is seen falls; none where the solver does not answer.
    fn look(&self, target: &dyn Target, out: &mut Identification) -> Option<f64> {
        out.runs += self.with.len() + self.without.len();
        let with = seen(target, &self.with)?;
        let above = above_rounding(&with, &out.floor);
        self.compare(target, above, out);
        Some(power(&above[above.len().saturating_sub(2)..]))
    }

    /// Returns a right scheme that is as far off at this rung, and no farther before: the turn of a slender body about its axis is
    /// lost to errors, or to rounding, that are small in the momentum.
    fn as_far_off(&self, seen_of_solver: &[LastStep], rung: usize) -> Option<&'static str> {
        let most = FEW_TIMES.recip() * size(seen_of_solver);
        RIGHT_SCHEMES.into_iter().find(|name| {
            let right = registry::find(name).expect("a scheme of the catalogue");
            let steps = seen(&Catalogued(right), &self.with);
            let lost =
                |rungs: &[Vec<LastStep>]| size(&rungs[rung]) > most && power(rungs) < HALF_A_POWER;
            steps.is_some_and(|rungs| lost(&rungs[..=rung]))
        })
    }

    fn compare(&self, target: &dyn Target, above: &[Vec<LastStep>], out: &mut Identification) {
        let [.., coarser, finest] = above else {
            return;
        };
        let torques = finest.iter().map(|s| torque(s, s.t).norm());
        let scale = torques.fold(0.0, f64::max);
        if !(scale > 0.0) {
            return;
        }
        let power = power(above);
        // Steps of its own leave what their tolerance is.
        let least = DEFECT * if out.own_steps { BY_FAR } else { 1.0 };
        if power < HALF_A_POWER {
            if size(finest) > least * scale && apart(coarser, finest) < UNLIKE * size(finest) {
                if let Some(scheme) = self.as_far_off(finest, above.len() - 1) {
                    out.notes.push(Note::RightSchemesLost(scheme));
                    return;
                }
                // The same at all steps is no time within a step, and the same without the torque is none of it.
                let free = seen(target, &self.without);
                let free = free.as_deref().and_then(|all| all.last());
                let off = free.map_or(0.0, |free| size(free));
                out.claims = vec![match off > EXPLAINED * size(finest) {
                    true => Symptom::UnknownLaw(vec![(Group::Free, [0.0, off / scale])]).into(),
                    false => another(finest),
                }];
            } else if size(finest) > EXPLAINED * scale {
                out.notes.push(Note::WrongWithTorque);
            }
        } else if power.round() <= 1.0 && out.claims.is_empty() && !out.own_steps {
            let Some(free) = seen(target, &self.without) else {
                return;
            };
            let free = self::power(above_rounding(&free, &out.floor));
            // A rule of the second order may hold the torque; one of a higher order reads it at its stages.
            if free.round() > 1.0 {
                late(finest, free.round() as i32 == 2, out);
            }
        }
    }
}

/// Parts of the span in which the torque acts and does not switch, the first the longest: where each begins, and how long
/// it is, s. Those that are less than half as long are left out.
fn pieces(torque: &TorqueModel, begin: f64, end: f64) -> Option<Vec<[f64; 2]>> {
    let mut at = vec![begin];
    at.extend(torque.switches(begin, end));
    at.push(end);
    // Upright, an orbit has no torque.
    let oblique = so3::exp(&Vec3::new(0.5, -0.8, 0.3));
    let acts = |[a, b]: &[f64; 2]| {
        // At three times: a sine may be zero at one.
        let times = [0.31, 0.5, 0.73].map(|part| a + part * (b - a));
        torque.depends_on_rate()
            || times
                .iter()
                .any(|t| torque.body(*t, &oblique) != Vec3::zeros())
    };
    let all = at.windows(2).map(|w| [w[0], w[1]]);
    let mut all: Vec<_> = all.filter(acts).map(|[a, b]| [a, b - a]).collect();
    all.sort_by(|a, b| b[1].total_cmp(&a[1]));
    let longest = all.first()?[1];
    all.retain(|piece| piece[1] >= HALF * longest);
    Some(all)
}
