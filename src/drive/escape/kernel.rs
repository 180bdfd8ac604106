//! One step for all lanes: written once, for numbers and for vectors of them.

use super::plan::{Decay, Drift, Kick, Plan};
use crate::math::lanes::Lanes;
use crate::models::levitron::{AxialField, Pull, pull};

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
        let all = |x: [f64; 3]| x.map(|x| like.splat(x));
        Self {
            r: all(s.r),
            v: all(s.v),
            a: all(s.a),
            w: all(s.w),
        }
    }

    /// Replaces lane `i`.
    #[inline(always)]
    pub(super) fn set_lane(&mut self, i: usize, s: &State<f64>) {
        for (vectors, numbers) in [
            (&mut self.r, s.r),
            (&mut self.v, s.v),
            (&mut self.a, s.a),
            (&mut self.w, s.w),
        ] {
            for (v, x) in vectors.iter_mut().zip(numbers) {
                *v = v.with_lane(i, x);
            }
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

/// The kick for given forces.
#[inline(always)]
pub(super) fn kick<V: Lanes>(y: &mut State<V>, k: &Kick, p: &Pull<V>) {
    let c = |x: f64| p.scale.splat(x);
    let force = p.scale * c(k.force);
    let torque = p.scale * c(k.torque);
    let turn = cross(y.a, p.field);
    for i in 0..3 {
        y.w[i] = torque.mul_add(turn[i], y.w[i]);
    }
    for i in 0..2 {
        y.v[i] = force.mul_add(p.gradient[i], y.v[i]);
    }
    y.v[2] = force.mul_add(p.gradient[2], y.v[2] - c(k.gravity));
}

/// The drift, with `T` terms in the series of the cosine.
#[inline(always)]
pub(super) fn drift<V: Lanes, const T: usize>(y: &mut State<V>, d: &Drift) {
    let c = |x: f64| y.r[0].splat(x);
    let w = y.w;
    let w2 = w[2].mul_add(w[2], w[1].mul_add(w[1], w[0] * w[0]));
    let mut sine = c(d.sine[T - 2]);
    let mut cosine = w2.mul_add(c(d.cosine[T - 1]), c(d.cosine[T - 2]));
    for k in (0..T - 2).rev() {
        sine = w2.mul_add(sine, c(d.sine[k]));
        cosine = w2.mul_add(cosine, c(d.cosine[k]));
    }
    let p = w.map(|w| sine * w);
    let turn = cross(p, y.a);
    let time = c(d.time);
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let a = cosine.mul_add(turn[i], y.a[i]);
        y.a[i] = p[j].mul_add(turn[k], p[k].neg_mul_add(turn[j], a));
        y.r[i] = time.mul_add(y.v[i], y.r[i]);
    }
}

/// The damping flow.
#[inline(always)]
pub(super) fn damp<V: Lanes>(y: &mut State<V>, d: &Decay) {
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
pub(super) fn advance<V: Lanes, F: AxialField, const T: usize>(
    y: &mut State<V>,
    plan: &Plan,
    field: &F,
) {
    for stage in &plan.stages {
        drift::<V, T>(y, &stage.drift);
        let p = pull(field, y.r, y.a);
        kick(y, &stage.kick, &p);
    }
    drift::<V, T>(y, &plan.drift);
}

/// The end of a step together with the beginning of the next one.
#[inline(always)]
pub(super) fn turn_over<V: Lanes, F: AxialField>(y: &mut State<V>, plan: &Plan, field: &F) {
    let p = pull(field, y.r, y.a);
    match &plan.damped {
        None => kick(y, &plan.merged, &p),
        Some(d) => {
            kick(y, &plan.last, &p);
            damp(y, &d.full);
            kick(y, &plan.first, &p);
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
    let p = pull(field, y.r, y.a);
    kick(&mut y, &plan.first, &p);
    y
}
