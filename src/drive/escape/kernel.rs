//! One step for all lanes: written once, for numbers and for vectors of them.

use super::plan::{Decay, Drift, Kick, Plan};
use crate::math::lanes::Lanes;
use crate::models::levitron::{AxialField, Near, Slopes};

/// The reduced state of a top, or of one in each lane; space frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State<V> {
    /// Centre of mass, m.
    pub r: [V; 3],
    /// Its velocity, m/s.
    pub v: [V; 3],
    /// Axis.
    pub a: [V; 3],
    /// l/Θ1, rad/s.
    pub w: [V; 3],
}

impl<V: Lanes> State<V> {
    /// The same state in all lanes.
    #[inline(always)]
    pub(super) fn splat(like: V, s: &State<f64>) -> Self {
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
    pub(super) fn set_lane(&mut self, i: usize, s: &State<f64>) {
        for k in 0..3 {
            self.r[k] = self.r[k].with_lane(i, s.r[k]);
            self.v[k] = self.v[k].with_lane(i, s.v[k]);
            self.a[k] = self.a[k].with_lane(i, s.a[k]);
            self.w[k] = self.w[k].with_lane(i, s.w[k]);
        }
    }

    /// Bit i is set where the centre of mass of lane i is outside the ball.
    #[inline(always)]
    pub(super) fn outside(&self, plan: &Plan) -> u64 {
        let [x, y, z] = self.r;
        let c = |x: f64| z.splat(x);
        let dx = x - c(plan.centre[0]);
        let dy = y - c(plan.centre[1]);
        let dz = z - c(plan.centre[2]);
        let d2 = dz.mul_add(dz, dx.mul_add(dx, dy * dy));
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

/// The field where the tops are, begun.
#[inline(always)]
fn near<V: Lanes, F: AxialField>(y: &State<V>, field: &F) -> Near<V> {
    field.near(y.r[0].mul_add(y.r[0], y.r[1] * y.r[1]), y.r[2])
}

/// B and its derivatives where the tops are.
#[inline(always)]
fn slopes<V: Lanes, F: AxialField>(y: &State<V>, field: &F) -> Slopes<V> {
    field.slopes(&near(y, field))
}

/// The kick by the field `f`.
#[inline(always)]
fn kick<V: Lanes>(state: &mut State<V>, k: &Kick, f: &Slopes<V>) {
    let c = |x: f64| f.scale.splat(x);
    let ([x, y, _], [ax, ay, az]) = (state.r, state.a);
    let [vx, vy, vz] = state.v;
    let [wx, wy, wz] = state.w;
    // a × B, B = (x G, y G, B_z).
    let torque = f.scale * c(k.torque);
    let (up, side) = (torque * f.bz, torque * f.g);
    let lean = side * az;
    state.w = [
        y.neg_mul_add(lean, ay.mul_add(up, wx)),
        ax.neg_mul_add(up, x.mul_add(lean, wy)),
        side.mul_add(ay.neg_mul_add(x, ax * y), wz),
    ];
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
}

/// The drift, with `T` terms in the series of the cosine. The field at the new place needs a root and
/// a quotient: they are begun before the axis is turned, and returned.
#[inline(always)]
fn drift<V: Lanes, F: AxialField, const T: usize>(
    y: &mut State<V>,
    d: &Drift,
    field: &F,
) -> Near<V> {
    let c = |x: f64| y.r[0].splat(x);
    let time = c(d.time);
    let r = [
        time.mul_add(y.v[0], y.r[0]),
        time.mul_add(y.v[1], y.r[1]),
        time.mul_add(y.v[2], y.r[2]),
    ];
    let at = field.near(r[0].mul_add(r[0], r[1] * r[1]), r[2]);
    let (a, w) = (y.a, y.w);
    let w2 = w[2].mul_add(w[2], w[1].mul_add(w[1], w[0] * w[0]));
    let mut sine = c(d.sine[T - 2]);
    let mut cosine = w2.mul_add(c(d.cosine[T - 1]), c(d.cosine[T - 2]));
    for k in (0..T - 2).rev() {
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
    y.r = r;
    at
}

/// The damping flow.
#[inline(always)]
fn damp<V: Lanes>(y: &mut State<V>, d: &Decay) {
    let c = |x: f64| y.r[0].splat(x);
    let (velocity, across) = (c(d.velocity), c(d.across));
    let along = y.w[2].mul_add(y.a[2], y.w[1].mul_add(y.a[1], y.w[0] * y.a[0]));
    let more = along * c(d.along_more);
    for i in 0..3 {
        y.v[i] = velocity * y.v[i];
        y.w[i] = more.mul_add(y.a[i], across * y.w[i]);
    }
}

/// The inner drifts and kicks of a step and its last drift.
#[inline(always)]
pub(super) fn advance<V: Lanes, F: AxialField, const T: usize, const PLAIN: bool>(
    y: &mut State<V>,
    plan: &Plan,
    field: &F,
) -> Near<V> {
    if !PLAIN { for stage in &plan.stages {
        let f = field.slopes(&drift::<V, F, T>(y, &stage.drift, field));
        kick(y, &stage.kick, &f);
    }}
    drift::<V, F, T>(y, &plan.drift, field)
}

/// The end of a step together with the beginning of the next one.
#[inline(always)]
pub(super) fn turn_over<V: Lanes, F: AxialField, const PLAIN: bool>(
    y: &mut State<V>,
    plan: &Plan,
    field: &F,
    at: &Near<V>,
) {
    let f = field.slopes(at);
    match &plan.damped {
        _ if PLAIN => kick(y, &plan.merged, &f),
        None => kick(y, &plan.merged, &f),
        Some(d) => {
            kick(y, &plan.last, &f);
            damp(y, &d.full);
            kick(y, &plan.first, &f);
        }
    }
}

/// The state at `start` after the first kick.
#[inline(always)]
pub(super) fn begin<F: AxialField>(start: [f64; 3], plan: &Plan, field: &F) -> State<f64> {
    let mut y = State {
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

/// The end of the last step.
#[inline(always)]
pub(super) fn finish<F: AxialField>(y: &mut State<f64>, plan: &Plan, field: &F) {
    let f = slopes(y, field);
    kick(y, &plan.last, &f);
    if let Some(d) = &plan.damped {
        damp(y, &d.half);
    }
}
