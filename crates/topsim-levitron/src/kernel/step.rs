//! One step for all lanes: written once, for numbers and for vectors of them. `QUICK` is the step of
//! one drift through a small angle without damping, the ball on the axis ([`EscapeConstants::quick`]).

use super::plan::{
    DampingDecay, DriftSeries, EscapeConstants, KickLengths, LONG_SERIES, SHORT_SERIES,
};
use topsim_core::math::lanes::Lanes;
use topsim_core::models::levitron::{AxialField, FieldSlopes};

/// Reduced state of a top, or of one top in each lane; space frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TopLanes<V> {
    /// Centre of mass, m.
    pub r: [V; 3],
    /// Velocity of the centre of mass, m/s.
    pub v: [V; 3],
    /// Axis of the top.
    pub a: [V; 3],
    /// l/Θ1, rad/s.
    pub w: [V; 3],
}

impl<V: Lanes> TopLanes<V> {
    /// Returns the same state in all lanes.
    #[inline(always)]
    pub(super) fn splat(like: V, s: &TopLanes<f64>) -> Self {
        let zero = like.splat(0.0);
        let mut y = Self {
            r: [zero; 3],
            v: [zero; 3],
            a: [zero; 3],
            w: [zero; 3],
        };
        for i in 0..V::LANES {
            y.set_lane(i, s);
        }
        y
    }

    /// Replaces lane `i`.
    #[inline(always)]
    pub(super) fn set_lane(&mut self, i: usize, s: &TopLanes<f64>) {
        for k in 0..3 {
            self.r[k] = self.r[k].with_lane(i, s.r[k]);
            self.v[k] = self.v[k].with_lane(i, s.v[k]);
            self.a[k] = self.a[k].with_lane(i, s.a[k]);
            self.w[k] = self.w[k].with_lane(i, s.w[k]);
        }
    }

    /// Returns bits of which bit i is set where the centre of mass of lane i is outside the ball; the centre of the ball
    /// is on the axis if `QUICK`.
    #[inline(always)]
    pub(super) fn outside<const QUICK: bool>(&self, plan: &EscapeConstants) -> u64 {
        let [mut x, mut y, z] = self.r;
        let c = |x: f64| z.splat(x);
        if !QUICK {
            x = x - c(plan.centre[0]);
            y = y - c(plan.centre[1]);
        }
        let dz = z - c(plan.centre[2]);
        // For `QUICK` the field has this sum already.
        let d2 = dz.mul_add(dz, x.mul_add(x, y * y));
        d2.above(c(plan.radius2))
    }
}

#[inline(always)]
fn cross<V: Lanes>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [
        a[2].neg_mul_add(b[1], a[1] * b[2]),
        a[0].neg_mul_add(b[2], a[2] * b[0]),
        a[1].neg_mul_add(b[0], a[0] * b[1]),
    ]
}

/// Applies a kick by the field `f`.
#[inline(always)]
pub(super) fn kick<V: Lanes>(state: &mut TopLanes<V>, k: &KickLengths, f: &FieldSlopes<V>) {
    let c = |x: f64| f.scale.splat(x);
    let ([x, y, _], [ax, ay, az]) = (state.r, state.a);
    let [vx, vy, vz] = state.v;
    let [wx, wy, wz] = state.w;
    // ∇⟨B, a⟩.
    let force = f.scale * c(k.force);
    let w = x.mul_add(ax, y * ay);
    let along = force * f.g_r.mul_add(w, f.g_z * az);
    let side = force * f.g;
    state.v = [
        x.mul_add(along, ax.mul_add(side, vx)),
        y.mul_add(along, ay.mul_add(side, vy)),
        force.mul_add(f.g_z.mul_add(w, f.bz_z * az), vz - c(k.gravity)),
    ];
    // a × B, B = (x G, y G, B_z).
    let torque = f.scale * c(k.torque);
    let (up, side) = (torque * f.bz, torque * f.g);
    let lean = side * az;
    state.w = [
        y.neg_mul_add(lean, ay.mul_add(up, wx)),
        ax.neg_mul_add(up, x.mul_add(lean, wy)),
        side.mul_add(ay.neg_mul_add(x, ax * y), wz),
    ];
}

/// Applies a drift; the series of the cosine has `SHORT_SERIES` or `LONG_SERIES` terms, that of the sine one less.
#[inline(always)]
fn drift<V: Lanes, const QUICK: bool>(y: &mut TopLanes<V>, d: &DriftSeries) {
    let like = y.r[0];
    let c = |x: f64| like.splat(x);
    // The position comes first, because the field depends on it.
    let time = c(d.time);
    for i in 0..3 {
        y.r[i] = time.mul_add(y.v[i], y.r[i]);
    }
    let (a, w) = (y.a, y.w);
    let w2 = w[2].mul_add(w[2], w[1].mul_add(w[1], w[0] * w[0]));
    let terms = if QUICK { SHORT_SERIES } else { LONG_SERIES };
    let mut sine = c(d.sine[terms - 2]);
    let mut cosine = w2.mul_add(c(d.cosine[terms - 1]), c(d.cosine[terms - 2]));
    for k in (0..terms - 2).rev() {
        sine = w2.mul_add(sine, c(d.sine[k]));
        cosine = w2.mul_add(cosine, c(d.cosine[k]));
    }
    let p = [sine * w[0], sine * w[1], sine * w[2]];
    let turn = cross(p, a);
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let more = cosine.mul_add(turn[i], a[i]);
        y.a[i] = p[j].mul_add(turn[k], p[k].neg_mul_add(turn[j], more));
    }
}

/// Returns the field at the tops.
#[inline(always)]
pub(super) fn slopes<V: Lanes, F: AxialField>(y: &TopLanes<V>, field: &F) -> FieldSlopes<V> {
    let [x, y, z] = y.r;
    field.slopes(x.mul_add(x, y * y), z)
}

/// Applies the damping flow.
#[inline(always)]
pub(super) fn damp<V: Lanes>(y: &mut TopLanes<V>, d: &DampingDecay) {
    let c = |x: f64| y.r[0].splat(x);
    let (velocity, across) = (c(d.velocity), c(d.across));
    let along = y.w[2].mul_add(y.a[2], y.w[1].mul_add(y.a[1], y.w[0] * y.a[0]));
    let more = along * c(d.along_more);
    for i in 0..3 {
        y.v[i] = velocity * y.v[i];
        y.w[i] = more.mul_add(y.a[i], across * y.w[i]);
    }
}

/// Applies the inner drifts and kicks of a step and its last drift.
#[inline(always)]
pub(super) fn advance<V: Lanes, F: AxialField, const QUICK: bool>(
    y: &mut TopLanes<V>,
    plan: &EscapeConstants,
    field: &F,
) {
    if !QUICK {
        for stage in &plan.stages {
            drift::<V, QUICK>(y, &stage.drift);
            let f = slopes(y, field);
            kick(y, &stage.kick, &f);
        }
    }
    drift::<V, QUICK>(y, &plan.drift);
}

/// Applies the end of a step together with the beginning of the next one.
#[inline(always)]
pub(super) fn turn_over<V: Lanes, F: AxialField, const QUICK: bool>(
    y: &mut TopLanes<V>,
    plan: &EscapeConstants,
    field: &F,
) {
    if !QUICK && plan.idle {
        return;
    }
    let f = slopes(y, field);
    match &plan.damped {
        _ if QUICK => kick(y, &plan.merged, &f),
        None => kick(y, &plan.merged, &f),
        Some(d) => {
            kick(y, &plan.last, &f);
            damp(y, &d.full);
            kick(y, &plan.first, &f);
        }
    }
}

/// Returns the state at `start` after the first kick.
#[inline(always)]
pub(super) fn begin<F: AxialField>(
    start: [f64; 3],
    plan: &EscapeConstants,
    field: &F,
) -> TopLanes<f64> {
    let mut y = TopLanes {
        r: start,
        v: [0.0; 3],
        a: [0.0, 0.0, 1.0],
        w: [0.0, 0.0, plan.w0],
    };
    if let Some(d) = &plan.damped {
        damp(&mut y, &d.half);
    }
    let f = slopes(&y, field);
    kick(&mut y, &plan.first, &f);
    y
}
