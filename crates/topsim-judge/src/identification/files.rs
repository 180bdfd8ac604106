//! The same fits where there are only histories: rates of turning and accelerations by differences of rows.
//!
//! Source: `docs/science/identification.md`, section 8. Rows must be evenly spaced, less than half a radian apart.

use super::experiment::{Load, Start};
use super::fit::{Differences, ObservedDifference, Selection};
use super::law::{Law, Place};
use super::symptom::{self, Symptom};
use super::{Claim, text, times};
use crate::history::{Body, Point, Trace};
use topsim_core::math::{Quat, Vec3, scalar, so3};

/// Rows may be so far apart, rad.
const APART: f64 = 0.5;
/// Rates so much above the usual one are those of a motion that runs away.
const RUNAWAY: f64 = 3.0;
/// States used of one history.
const MOST: usize = 160;
/// Rows on either side of a state.
const SIDE: usize = 3;
/// Of a rule of second order and more, sizes differ by less than this part from step to step.
const HIGHER: f64 = 5e-3;
/// Smaller differences of the equations are not told from a tolerance, relative.
const SMALL: f64 = 1e-4;
/// Part of the differences that steps leave beside a law.
const BESIDE: f64 = 1e-3;

/// What histories show of the equations of motion.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowEvidence {
    pub claims: Vec<Claim>,
    /// Size of the difference of the equations in each history, relative, coarse to fine.
    pub sizes: Vec<f64>,
    /// Whether the finest differences were not explained.
    pub unexplained: bool,
}

/// Coefficients of the derivative by central differences of order six: of the first, second and third neighbours.
const SIXTH: [f64; 3] = [3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0];
/// Of order four.
const FOURTH: [f64; 3] = [2.0 / 3.0, -1.0 / 12.0, 0.0];

/// The rate of turning and the acceleration at the middle of seven rows.
fn derivatives(rows: &[Point], spacing: f64, weights: &[f64; 3]) -> Option<(Vec3, Vec3)> {
    let middle = so3::quat_from_matrix(&rows[SIDE].att);
    let near = |p: &Point| -> Quat {
        let q = so3::quat_from_matrix(&p.att);
        let dot: f64 = (0..4).map(|i| q[i] * middle[i]).sum();
        q.map(|x| if dot < 0.0 { -x } else { x })
    };
    let (mut dq, mut dw) = ([0.0; 4], Vec3::zeros());
    for (k, c) in weights.iter().enumerate() {
        let (before, after) = (&rows[SIDE - 1 - k], &rows[SIDE + 1 + k]);
        let (a, b) = (near(before), near(after));
        for i in 0..4 {
            dq[i] += c / spacing * (b[i] - a[i]);
        }
        dw += (after.omega? - before.omega?) * (c / spacing);
    }
    // 2 q* q'.
    let [w, x, y, z] = middle;
    let [a, b, c, d] = dq;
    let u = Vec3::new(
        w * b - x * a - y * d + z * c,
        w * c + x * d - y * a - z * b,
        w * d - x * c + y * b - z * a,
    ) * 2.0;
    Some((u, dw))
}

/// The differences of the equations along one history, and how sure they are, relative.
fn differences(trace: &Trace, body: &Body) -> Option<Differences> {
    let points = &trace.points;
    let width = 2 * SIDE + 1;
    let load = Load::from(body.top().torque());
    let mut found: Vec<ObservedDifference> = Vec::new();
    let mut doubt = [0.0; 2];
    let even = |rows: &[Point]| {
        let d = (rows[width - 1].t - rows[0].t) / (width - 1) as f64;
        let even = rows
            .windows(2)
            .all(|p| ((p[1].t - p[0].t) - d).abs() <= 1e-6 * d);
        even.then_some(d)
    };
    // A motion that runs away ends as none.
    let mut rates: Vec<f64> = points
        .iter()
        .filter_map(|p| p.omega)
        .map(|w| w.norm())
        .collect();
    rates.sort_by(f64::total_cmp);
    let usual = rates.get(rates.len() / 2).copied().unwrap_or(0.0);
    let runs_away = |p: &Point| p.omega.is_some_and(|w| w.norm() > RUNAWAY * usual);
    let whole = points.iter().position(runs_away).unwrap_or(points.len());
    let points = &points[..whole];
    let windows: Vec<&[Point]> = points.windows(width).collect();
    let every = (windows.len() / MOST).max(1);
    for rows in windows.into_iter().step_by(every) {
        let (Some(d), Some(omega)) = (even(rows), rows[SIDE].omega) else {
            continue;
        };
        if !(omega.norm() * d <= APART) {
            continue;
        }
        let (rate, acceleration) = derivatives(rows, d, &SIXTH)?;
        let (rough_rate, rough) = derivatives(rows, d, &FOURTH)?;
        doubt[0] += (rate - rough_rate).norm_squared();
        doubt[1] += (acceleration - rough).norm_squared();
        let start = Start {
            att: rows[SIDE].att,
            omega,
            inertia: body.top().inertia().clone(),
            load: load.clone(),
        };
        let exact = start.acceleration(rows[SIDE].t, &start.att, &omega);
        found.push(ObservedDifference {
            place: Place::new(start, rows[SIDE].t, true),
            rate: rate - omega,
            acceleration: acceleration - exact,
        });
    }
    if found.len() < 12 {
        return None;
    }
    let n = found.len() as f64;
    let probe = Differences::new(found.clone(), 1.0);
    let [w, a] = probe.scales();
    // The formula of order six is better than the difference of the two, by three times or more.
    let sigma = 0.3 * ((doubt[0] / n).sqrt() / w).max((doubt[1] / n).sqrt() / a);
    Some(Differences::new(found, sigma.clamp(1e-6, 0.1)))
}

/// Which law histories have that do not follow the case's motion; coarse to fine.
pub(crate) fn laws(
    traces: &[(f64, Trace)],
    body: &Body,
    from_another_rate: bool,
) -> Option<RowEvidence> {
    let all: Vec<(f64, Differences)> = traces
        .iter()
        .filter_map(|(h, t)| Some((*h, differences(t, body)?)))
        .collect();
    let (_, finest) = all.last()?;
    let right = Law::default();
    let mut out = RowEvidence {
        sizes: all.iter().map(|(_, d)| d.left(&right)).collect(),
        ..RowEvidence::default()
    };
    // What one step of a right rule leaves looks like a law too. Only another step tells: a law stays, what a rule leaves
    // changes.
    if traces.len() < 2 {
        return Some(out);
    }
    let size = finest.left(&right);
    if !(size > SMALL.max(3.0 * finest.sigma)) {
        return Some(out);
    }
    // What falls with the step is the scheme's.
    let falls = |n: usize| {
        let ((h0, _), (h1, _)) = (&all[n - 1], &all[n]);
        let order = scalar::ln(out.sizes[n - 1] / out.sizes[n]) / scalar::ln(h0 / h1);
        order > 0.7
    };
    if all.len() > 1 && falls(all.len() - 1) {
        return Some(out);
    }
    // What a rule leaves differs from step to step.
    let apart = match out.sizes[..] {
        [.., a, b] => (a - b).abs(),
        _ => 0.0,
    };
    let mut plain = None;
    if apart < HIGHER * size {
        let mut finest = finest.clone();
        // What is smaller beside the law is that of its steps: no numbers are named for it.
        finest.sigma = finest.sigma.max(apart).max(BESIDE * size);
        plain = Some(finest.select()).filter(|s| s.accepted);
    }
    let selection = plain.unwrap_or_else(|| {
        // A scheme of first order: its errors besides, and those of second order for the floor.
        let mut finest = finest.clone();
        finest.sigma = finest.sigma.max(4.0 * apart * apart).max(BESIDE * size);
        finest.select_beside(&|law| times::columns_of(law, finest.places()))
    });
    if selection.accepted {
        out.claims = claims(&selection, body, from_another_rate);
    } else {
        out.unexplained = true;
    }
    Some(out)
}

fn claims(selection: &Selection, body: &Body, from_another_rate: bool) -> Vec<Claim> {
    let top = body.top();
    let inertia = *top.inertia().tensor();
    let base = Start::from(&top);
    // In a rough fit, later terms may explain the errors of differences of rows.
    let most = if selection.rough { 1 } else { usize::MAX };
    let named = symptom::named(selection, &inertia).into_iter().take(most);
    let found = named.map(|(defect, fitted)| Symptom::Law {
        defect: if from_another_rate {
            symptom::from_another_rate(defect)
        } else {
            defect
        },
        fitted,
        selection: Box::new(selection.clone()),
        elsewhere: None,
        base: Box::new(base.clone()),
        on: None,
    });
    found.map(|f| text::claim(&f)).collect()
}
