//! The torque of the case, where it is none that every solver is asked for: whether the steps have it, and of which time.
//!
//! Short runs of the case's body from random states at several times, with its torque and without. What a step adds to the
//! exact rate, over the step, is r(h). It stays where the torque is another one, and falls like h^p in a rule of order p.
//! A torque that switches is asked for between its switches, where it has powers of the step.

mod ways;

use super::asked::Scope;
use super::design::Random;
use super::experiment::{Load, Probe, Row, Start, Target};
use super::precision;
use super::words::digits::{known_to, percent};
use super::{Claim, Identification};
use crate::defect::{ModelDefect, SchemeDefect};
use crate::relations::Motion;
use crate::show::brief;
use topsim_case::Problem;
use topsim_core::math::{Mat3, Vec3, scalar, so3};
use topsim_core::models::{Frame, Torque, TorqueModel};
use ways::ways;

/// Starts.
const STARTS: usize = 6;
/// Step sizes, each half of the one before, and steps of a run.
const RUNGS: usize = 4;
const RUN: usize = 4;
/// Of the span at most this part in a step.
const LONGEST: f64 = 1.0 / 64.0;
/// What stays as the step falls is another torque from this part of it on.
const MODEL: f64 = 1e-5;
/// And where it is the same at two steps, up to this part of it: what rounding, iterations or a tolerance leave is not.
const STEADY: f64 = 0.3;
/// A candidate explains what is seen if it leaves at most this part of the torque, and that part of what is off.
const LEFT: f64 = 0.02;
const EXPLAINED: f64 = 0.15;

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
        let evidence = out.claims.extract_if(.., elsewhere).map(|c| c.evidence);
        out.notes.extend(evidence);
    }
    // What is read at another time of each step may be that of another time whatever the step.
    let of_time = |c: &Claim| c.id == SchemeDefect::TorqueTime.into();
    let right = out.claims.iter().all(of_time) && out.not_measured.is_none();
    let asked = right.then(|| Asked::of(problem)).flatten();
    let power = asked.and_then(|asked| asked.look(target, &mut out));
    let told = out.torque_rule.and_then(|unknown| match power {
        None => Some(unknown.into()),
        // The steps that they are held against are eight of RK4: a slope of four may be theirs.
        Some(p) if p > 0.5 && p < 3.5 && (p - p.round()).abs() < 0.15 => Some(format!(
            "This is its rule on free bodies; with the torque of the case its steps are of order {p:.0}."
        )),
        Some(_) => None,
    });
    if let Some(told) = told {
        out.scheme.insert(out.scheme.len().min(1), told);
    }
    out
}

/// The runs that are asked for.
struct Asked {
    with: Vec<Probe>,
    without: Vec<Probe>,
}

/// What is seen of one start at one step: the last step of its run.
#[derive(Clone)]
struct Seen {
    start: Start,
    t: f64,
    h: f64,
    before: Row,
    after: Row,
    /// What the step adds to the exact rate, over the step, rad/s².
    off: Vec3,
}

impl Asked {
    fn of(problem: &Problem) -> Option<Self> {
        let step = problem.grids.iter().map(|g| g.h).fold(0.0, f64::max);
        let motion = Motion::of(problem, step).ok()?;
        // Some torques know the body that they act on.
        let top = motion.top();
        let torque = top.torque();
        let asked_of_all = match torque {
            TorqueModel::Free(_) | TorqueModel::Gravity(_) => true,
            TorqueModel::Constant(constant) => constant.frame == Frame::Body,
            // Of what topsim does not know there is no exact step.
            TorqueModel::Opaque(_) => true,
            _ => false,
        };
        if asked_of_all || motion.0.flight.is_some() {
            return None;
        }
        let (begin, end) = (motion.start(), problem.end?);
        let pieces = pieces(torque, begin, end)?;
        let longest = (LONGEST * (end - begin)).min(pieces[0][1] / (4 * RUN) as f64);
        let step = step.min(longest);
        let size = motion.initial().omega.norm();
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
                ..motion.0.start.clone()
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
        let above = above_rounding(&with);
        self.compare(target, above, out);
        Some(power(&above[above.len().saturating_sub(2)..]))
    }

    fn compare(&self, target: &dyn Target, above: &[Vec<Seen>], out: &mut Identification) {
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
        let least = if out.own_steps { 100.0 * MODEL } else { MODEL };
        if power < 0.5 {
            if size(finest) > least * scale && apart(coarser, finest) < STEADY * size(finest) {
                // The same at all steps is no time within a step.
                out.claims = vec![another(finest)];
            } else if size(finest) > LEFT * scale {
                let said = "with the torque of the case its steps are not right, whatever the step, and off by another part at each";
                out.notes.push(said.into());
            }
        } else if power < 1.3 && out.claims.is_empty() && !out.own_steps {
            let Some(free) = seen(target, &self.without) else {
                return;
            };
            let free = self::power(above_rounding(&free));
            // A rule of the second order may hold the torque; one of a higher order reads it at its stages.
            if free > 1.7 {
                late(finest, free < 2.5, out);
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
    all.retain(|piece| piece[1] >= 0.5 * longest);
    Some(all)
}

/// What is seen at each step size, coarse to fine; nothing where a run has too few rows.
fn seen(target: &dyn Target, probes: &[Probe]) -> Option<Vec<Vec<Seen>>> {
    let mut rungs: Vec<Vec<Seen>> = (0..RUNGS).map(|_| Vec::new()).collect();
    for (k, (probe, answer)) in probes.iter().zip(target.answers(probes)).enumerate() {
        let rows = answer.ok()?;
        let (before, after) = (rows.get(RUN - 1)?.clone(), rows.get(RUN)?.clone());
        let (t, h) = (probe.time(RUN - 1), probe.step);
        let (_, exact) = probe.start.exact(t, h, &before.att, &before.omega);
        rungs[k % RUNGS].push(Seen {
            start: probe.start.clone(),
            t,
            h,
            off: (after.omega - exact) / h,
            before,
            after,
        });
    }
    Some(rungs)
}

fn size(seen: &[Seen]) -> f64 {
    norm(seen, &|s| s.off)
}

/// How much what is seen changes between two step sizes, at the same starts.
fn apart(a: &[Seen], b: &[Seen]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a.off - b.off).norm_squared());
    squares.sum::<f64>().sqrt()
}

/// The step sizes, coarse to fine, at which rounding and the digits of the rows are small beside what is seen.
fn above_rounding(rungs: &[Vec<Seen>]) -> &[Vec<Seen>] {
    let all = || rungs.iter().flatten();
    let digits = precision::of_rows(|| all().flat_map(|s| [&s.before, &s.after])).digits;
    let unit = (30.0 * digits).max(1e-14);
    let rounding = |rung: &[Seen]| {
        let of = |s: &Seen| unit * s.before.omega.norm() / s.h;
        rung.iter().map(of).fold(0.0, f64::max) * (rung.len() as f64).sqrt()
    };
    let below = rungs.iter().position(|r| !(size(r) > rounding(r)));
    &rungs[..below.unwrap_or(rungs.len())]
}

/// The power of the step with which it falls; without two steps above rounding it has fallen at once.
fn power(rungs: &[Vec<Seen>]) -> f64 {
    let [first, .., last] = rungs else {
        return f64::INFINITY;
    };
    let halvings = (rungs.len() - 1) as f64;
    scalar::ln(size(first) / size(last)) / (core::f64::consts::LN_2 * halvings)
}

/// J⁻¹ T at a time, of the state before the step.
fn torque(s: &Seen, t: f64) -> Vec3 {
    let Row { att, omega, .. } = &s.before;
    s.start.acceleration(t, att, omega) - free(s, omega)
}

/// J⁻¹ (J W × W).
fn free(s: &Seen, omega: &Vec3) -> Vec3 {
    let inertia = &s.start.inertia;
    inertia.solve(&inertia.times(omega).cross(omega))
}

/// The mean over the step, along the solver's own rows, by Simpson's rule.
fn mean(s: &Seen, of: impl Fn(f64, &Mat3, &Vec3) -> Vec3) -> Vec3 {
    let (a, b) = (&s.before, &s.after);
    let half = so3::exp(&(so3::log(&a.att.tr_mul(&b.att)) * 0.5));
    let middle = of(
        s.t + 0.5 * s.h,
        &(a.att * half),
        &((a.omega + b.omega) * 0.5),
    );
    (of(s.t, &a.att, &a.omega) + middle * 4.0 + of(s.t + s.h, &b.att, &b.omega)) / 6.0
}

/// What the solver's torque gives W', over the step, without the error that Simpson's rule makes on the exact one.
fn gave(s: &Seen) -> Vec3 {
    let by_rows = |s: &Seen| (s.after.omega - s.before.omega) / s.h - mean(s, |_, _, w| free(s, w));
    let (att, omega) = s.start.exact(s.t, s.h, &s.before.att, &s.before.omega);
    let after = Row {
        att,
        omega,
        ..s.after.clone()
    };
    let exact = Seen { after, ..s.clone() };
    by_rows(s) - (by_rows(&exact) - gives(&exact, |_, v| v))
}

/// What the torque of the case gives it, its components changed by `by`.
fn gives(s: &Seen, by: impl Fn(&Mat3, Vec3) -> Vec3) -> Vec3 {
    mean(s, |t, att, w| {
        let start = Start {
            omega: *w,
            ..s.start.clone()
        };
        s.start.inertia.solve(&by(att, start.torque(t, att)))
    })
}

/// A number that runs of these steps give to five digits.
fn known(x: f64) -> String {
    known_to(x, 1e-5 * x.abs())
}

/// The multiple of a direction that is nearest, and the part that it leaves.
fn nearest(seen: &[Seen], from: impl Fn(&Seen) -> Vec3, along: impl Fn(&Seen) -> Vec3) -> [f64; 2] {
    let sum = |f: &dyn Fn(&Seen) -> f64| seen.iter().map(f).sum::<f64>();
    let (own, all) = (
        sum(&|s| along(s).norm_squared()),
        sum(&|s| from(s).norm_squared()),
    );
    let factor = sum(&|s| along(s).dot(&from(s))) / own;
    let left = sum(&|s| (from(s) - along(s) * factor).norm_squared());
    [factor, (left / all).sqrt()]
}

/// A torque that stays another one.
fn another(seen: &[Seen]) -> Claim {
    let given = |s: &Seen| gives(s, |_, v| v);
    let part = norm(seen, &|s| gave(s) - given(s)) / norm(seen, &given);
    let off = format!(
        "what the torque of the case adds to W' is off by {}, whatever the step, from {STARTS} states",
        percent(part)
    );
    // What explains it leaves little of what is off: as much as the steps of the solver and straight lines in time do.
    let off_of_all = norm(seen, &|s| gave(s) - given(s)) / norm(seen, &gave);
    let limit = (EXPLAINED * off_of_all).min(LEFT);
    let multiple = nearest(seen, gave, given);
    let frames = [
        (
            "space",
            nearest(seen, gave, |s| gives(s, |att, v| att.tr_mul(&v))),
        ),
        ("body", nearest(seen, gave, |s| gives(s, |att, v| att * v))),
    ];
    let found = if norm(seen, &gave) < 1e-3 * norm(seen, &given) {
        "; it does not act at all".into()
    } else if multiple[1] < limit {
        let [factor, left] = multiple;
        let digits = left.max(1e-5) * factor.abs();
        format!("; it acts {} times", known_to(factor, digits))
    } else if let Some((frame, [factor, _])) = frames
        .into_iter()
        .find(|(_, [f, left])| *left < limit && (f.abs() - 1.0).abs() < LEFT)
    {
        let sign = if factor < 0.0 {
            ", with the other sign"
        } else {
            ""
        };
        format!("; its components act as if they were those in the {frame} frame{sign}")
    } else {
        let ways = ways(&seen[0].start, seen[0].h).into_iter();
        let fits = ways.filter_map(|way| {
            way.fitted(seen, limit)
                .map(|(factors, left)| (way, factors, left))
        });
        let fits: Vec<_> = fits.collect();
        let least = fits.iter().map(|f| f.2).fold(f64::INFINITY, f64::min);
        let nearest = fits.iter().find(|f| f.2 <= (3.0 * least).max(1e-4 * limit));
        nearest.map_or_else(String::new, |(way, factors, _)| {
            format!("; {}", (way.said)(factors))
        })
    };
    Claim::is(ModelDefect::CaseTorque, off + &found)
}

fn norm(seen: &[Seen], of: &dyn Fn(&Seen) -> Vec3) -> f64 {
    seen.iter()
        .map(|s| of(s).norm_squared())
        .sum::<f64>()
        .sqrt()
}

/// A torque of another time makes a rule of first order.
fn late(seen: &[Seen], may_hold: bool, out: &mut Identification) {
    let along = |s: &Seen| {
        let (att, omega) = s.start.exact(s.t, s.h, &s.before.att, &s.before.omega);
        let later = Start {
            omega,
            ..s.start.clone()
        };
        let end = s.start.inertia.solve(&later.torque(s.t + s.h, &att));
        end - torque(s, s.t)
    };
    let in_time = |s: &Seen| torque(s, s.t + s.h) - torque(s, s.t);
    // The torque of its time, as the attitude alone goes on.
    let turning = |s: &Seen| along(s) - in_time(s);
    let all = [
        nearest(seen, |s| s.off, along),
        nearest(seen, |s| s.off, in_time),
        nearest(seen, |s| s.off, turning),
    ];
    // The right one is that of the middle. A torque that does not depend on time says nothing of it.
    let nearer = all.into_iter().filter(|[_, left]| left.is_finite());
    let nearest = nearer.min_by(|a, b| a[1].total_cmp(&b[1]));
    let [lag, left] = nearest.unwrap_or([0.0, f64::INFINITY]);
    let before = -lag - 0.5;
    // Of a torque of the rate only a time that the formula has is told from a state.
    let takes_rate = seen[0].start.top().torque().depends_on_rate();
    let of_rate = takes_rate && all[0][1] <= left;
    // Without a torque of time both are the same.
    let alone = !all[1][1].is_finite() || all[2][1] < 0.3 * all[0][1];
    let of_attitude = !takes_rate && all[2][1] <= left && alone;
    let said = "with the torque of the case its steps are of the first order, and of a higher one without it";
    let once =
        format!("{said}, as where a torque of the rate is applied once a step, or held over it");
    match before {
        // Something else than a time: the order that is measured says it too.
        _ if !(left <= LEFT) && takes_rate => out.notes.push(once),
        _ if !(left <= 0.2) => out.notes.push(said.into()),
        b if may_hold && b.abs() < 0.02 => out.notes.push(format!(
            "{said}: the torque is that of the start of the step, held over it"
        )),
        b if may_hold && (b + 1.0).abs() < 0.02 => out.notes.push(format!(
            "{said}: the torque is that of the end of the step, held over it"
        )),
        b if of_attitude && b.abs() < 0.02 => out.claims.push(Claim::is(
            SchemeDefect::OrderLost,
            format!("{said}: the torque is that of the attitude with which the step begins"),
        )),
        _ if of_rate => out.claims.push(Claim::is(SchemeDefect::TorqueTime, once)),
        b if b.abs() < 0.02 => out.claims.push(Claim::is(
            SchemeDefect::TorqueTime,
            format!("{said}: the torque is on average that of the start of the step"),
        )),
        b => {
            let when = if b > 0.0 {
                "before the step begins"
            } else {
                "after the step begins"
            };
            out.claims.push(Claim::is(
                SchemeDefect::TorqueTime,
                format!(
                    "{said}: the torque is that of {} steps {when}",
                    brief(b.abs())
                ),
            ));
        }
    }
}
