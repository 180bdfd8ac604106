//! From a problem that fails to the simplest one that fails alike: parts made ordinary, numbers of one digit, fewer
//! and longer steps. A change is kept only where the same claim fails.

use crate::claim::HuntClaim;
use crate::corner::Corner;
use crate::habits::Habits;
use crate::point::{Kind, MOMENTS, Part, Point, rounded};
use crate::trial::{TrialResult, Trials};
use core::f64::consts::PI;
use topsim_core::math::Vec3;

/// Rounds at most: each keeps one change.
const MOST: usize = 60;

/// The simplest problem found on which the claim fails, confirmed as the first was.
pub(crate) fn shrink(
    trials: &Trials,
    habits: &Habits,
    claim: HuntClaim,
    from: TrialResult,
) -> TrialResult {
    let mut best = from;
    for _ in 0..MOST {
        let now = weight(&best.point);
        let mut candidates = simpler(&best.point);
        candidates.retain(|p| p.is_sound() && weight(p) < now);
        candidates.sort_by(|a, b| weight(a).total_cmp(&weight(b)));
        candidates.dedup();
        let mut kept = None;
        for some in candidates.chunks(trials.together) {
            let judged = trials.confirmed(some, habits);
            kept = judged
                .into_iter()
                .find(|j| j.margin(claim).is_some_and(|m| !m.holds()));
            if kept.is_some() {
                break;
            }
        }
        let Some(kept) = kept else {
            break;
        };
        best = kept;
    }
    best
}

/// Significant digits of a number as it is written.
fn digits(x: f64) -> f64 {
    let text = format!("{x:e}");
    let mantissa = text.split('e').next().unwrap_or_default();
    let all = mantissa.bytes().filter(u8::is_ascii_digit).count();
    if x == 0.0 { 0.0 } else { all as f64 }
}

/// How hard a problem is to read.
fn weight(point: &Point) -> f64 {
    let numbers = [
        point.moments,
        point.axes,
        point.attitude,
        point.rate,
        [point.weight, point.lever, point.step],
    ];
    let written: f64 = numbers.as_flattened().iter().map(|x| digits(*x)).sum();
    let depths = Corner::ALL.iter().map(|c| c.depth(point));
    let strange: f64 = depths.map(|d| 100.0 * d.min(1.0) + 3.0 * d).sum();
    written + strange + f64::from(point.steps).log2() + f64::from(point.power.abs()) * 0.1
}

/// Simpler problems.
fn simpler(of: &Point) -> Vec<Point> {
    let mut out: Vec<Point> = Part::ALL.iter().map(|part| of.ordinary(*part)).collect();
    let all = Part::ALL.iter().fold(*of, |p, part| p.ordinary(*part));
    // All but one and all but two are ordinary.
    for (i, kept) in Part::ALL.iter().enumerate() {
        let but = |other: Option<&Part>| {
            let made = Part::ALL.iter().filter(|p| *p != kept && Some(*p) != other);
            made.fold(*of, |p, part| p.ordinary(*part))
        };
        out.push(but(None));
        out.extend(Part::ALL[..i].iter().map(|other| but(Some(other))));
    }
    out.push(all);
    if of.kind() == Kind::AsymmetricTop {
        let size = of.sorted()[2] / MOMENTS[2];
        for p in out.clone() {
            out.push(Point {
                moments: MOMENTS.map(|m| m * size),
                ..p
            });
        }
    }
    // And with numbers of one digit.
    let plain: Vec<Point> = out.iter().map(|p| p.written(1)).collect();
    out.extend(plain);
    let mut change = |f: &dyn Fn(&mut Point)| {
        let mut p = *of;
        f(&mut p);
        out.push(p);
    };
    for steps in [1, 2, of.steps / 2] {
        change(&|p| p.steps = steps);
    }
    for by in [10.0, 100.0, 1000.0, 2.0] {
        change(&|p| p.step *= by);
    }
    for power in [of.power / 2, of.power.signum()] {
        change(&|p| p.power = power);
    }
    // Towards what is ordinary by decades.
    for by in [0.01, 0.1, 10.0, 100.0] {
        change(&|p| *p = p.with_rate(p.scale() * by));
        change(&|p| *p = p.with_inertia(p.sorted()[2] * by));
        change(&|p| p.weight *= by);
        if of.is_heavy() {
            change(&|p| *p = p.with_lever(rounded(p.lever * by, 1)));
        }
    }
    // Rates and attitudes along an axis of the body.
    for axis in 0..3 {
        for sign in [1.0, -1.0] {
            let along = |v: [f64; 3]| {
                let mut out = [0.0; 3];
                out[axis] = sign * rounded(Vec3::from(v).norm(), 1);
                out
            };
            let mut quarter = [0.0; 3];
            quarter[axis] = sign * 0.5 * PI;
            change(&|p| p.attitude = quarter);
            change(&|p| p.rate = along(p.rate));
            change(&|p| p.attitude = along(p.attitude));
            change(&|p| {
                (p.rate, p.attitude) = (along(p.rate), along(p.attitude));
            });
        }
        change(&|p| p.rate[axis] = 0.0);
        change(&|p| p.attitude[axis] = 0.0);
        change(&|p| p.axes[axis] = 0.0);
    }
    // Nearly equal moments, to a decade.
    for (i, j) in [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)] {
        let gap = of.moments[i] / of.moments[j] - 1.0;
        change(&|p| p.moments[i] = p.moments[j] * (1.0 + rounded(gap, 1)));
        change(&|p| p.moments[i] = p.moments[j]);
        for decade in [1.0, 10.0] {
            let power = gap.abs().log10().floor();
            change(&|p| {
                let plain = rounded(p.moments[j], 1);
                let third = 3 - i - j;
                p.moments[third] = rounded(p.moments[third], 1);
                p.moments[j] = plain;
                p.moments[i] = plain * (1.0 + gap.signum() * decade * 10.0_f64.powf(power));
            });
        }
    }
    // Gaps to the largest, of few digits.
    let largest = of.sorted()[2];
    for n in [1, 2] {
        let gap = |m: f64| rounded(1.0 - m / largest, n);
        let near = of.moments.map(|m| rounded(largest, 1) * (1.0 - gap(m)));
        change(&|p| p.moments = near.map(|m| rounded(m, 15)));
    }
    for n in [1, 2, 3] {
        let each = |v: [f64; 3]| v.map(|x| rounded(x, n));
        change(&|p| *p = p.written(n));
        change(&|p| p.moments = each(p.moments));
        change(&|p| p.rate = each(p.rate));
        change(&|p| p.attitude = each(p.attitude));
        change(&|p| p.axes = each(p.axes));
        change(&|p| p.step = rounded(p.step, n));
        change(&|p| p.weight = rounded(p.weight, n));
        change(&|p| p.lever = rounded(p.lever, n));
        for k in 0..3 {
            change(&|p| p.rate[k] = rounded(p.rate[k], n));
            change(&|p| p.moments[k] = rounded(p.moments[k], n));
            change(&|p| p.attitude[k] = rounded(p.attitude[k], n));
        }
    }
    out
}
