//! Kick-type schemes: kicks `Π += a h T(Λ, t)` between maps of the free body.
//!
//! Letters: Λ attitude (body → space), Π body momentum, T body torque; a, b the coefficients of
//! the composition. The maps work in principal axes `Q`, `J = Q diag(I) Qᵀ`, found once; of equal moments the first two.
//! Π and T stay there from step to step; the attitude is a quaternion, turned by one that is written in body axes, so the
//! rounding of Q never adds up. For a diagonal tensor Q = I and nothing is transformed.
//!
//! The torque at the end of a step is kept for the first kick of the next, if there is one: as many evaluations a step
//! as kicks but the first. A run must therefore continue from the state the memory was left with.

use super::compositions::{Composition, STRANG};
use super::coverage::NotCovered;
use super::prelude::*;
use crate::math::double_double::two_sum_of;
use crate::math::eigen;
use crate::models::are_equal;

/// Distance of |q|² from 1 at which q is divided by its length. A division in every step would change one unit of the last
/// digit in some components only, which is a bias, even in the direction of a steady motion; a division that changes dozens
/// of units has none.
const UNIT_NORM_TOLERANCE: f64 = 64.0 * f64::EPSILON;

/// Map of the free body over a time, in principal axes.
pub struct FreeTurn {
    /// Rotation, end → start, a unit quaternion.
    pub quat: Quat,
    /// Momentum Π at the end.
    pub pi: Vec3,
    /// Rounding error of Π, where it is known; for a body that is almost a sphere it is the same in all steps.
    pub rest: Vec3,
    /// Number of iterations of its solver.
    pub iterations: u32,
}

/// A kick-type scheme: a map of the free body in a composition.
pub trait KickScheme: Send + Sync {
    /// Constants of the body, worked out once.
    type Constants: Send;
    /// Returns the composition of kicks and maps.
    fn composition(&self) -> &'static Composition {
        &STRANG
    }
    /// Checks a body and a step as [`RotationScheme::covers`] does.
    ///
    /// # Errors
    /// [`NotCovered`].
    fn covers(&self, _: &Inertia, _: &Vec3, _: f64) -> Result<(), NotCovered> {
        Ok(())
    }
    /// See [`RotationScheme::in_lanes`].
    fn in_lanes<T: InLanes>() -> Option<StartLanes<Self, T>>
    where
        Self: Sized,
    {
        None
    }
    /// Returns the constants for principal moments (kg m²).
    fn constants(moments: &Vec3) -> Self::Constants;
    /// Returns the map over the time `tau` (s) from the momentum `pi`, principal axes.
    fn turn(
        &self,
        k: &Self::Constants,
        angles: AngleRange,
        tau: f64,
        pi: &Vec3,
    ) -> Result<FreeTurn, StepFail>;
}

/// Principal axes of an inertia tensor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Principal {
    inverse: Vec3,
    /// Principal axes Q in the body frame.
    axes: Mat3,
    /// True for a diagonal tensor, whose axes are those of the body.
    diagonal: bool,
}

lane_numbers! { Principal { inverse, axes, diagonal } }

impl Principal {
    fn new(inertia: &Inertia) -> (Self, Vec3) {
        let (mut moments, mut q) = eigen::principal_axes(inertia.tensor());
        // Equal moments may differ by this much, because a full tensor is rounded.
        let rounding = if q == Mat3::identity() {
            0.0
        } else {
            64.0 * f64::EPSILON * moments.amax()
        };
        let equal = |a: f64, b: f64| are_equal(a, b) || (a - b).abs() <= rounding;
        for _ in 0..2 {
            let [a, b, c] = moments.into();
            if !equal(a, b) && (equal(b, c) || equal(c, a)) {
                moments = Vec3::new(b, c, a);
                q = Mat3::from_columns(&[q.column(1), q.column(2), q.column(0)]);
            }
        }
        let frame = Self {
            inverse: moments.map(|i| 1.0 / i),
            axes: q,
            diagonal: q == Mat3::identity(),
        };
        (frame, moments)
    }

    /// Components in principal axes.
    #[inline(always)]
    pub fn principal(&self, v: Vec3) -> Vec3 {
        if self.diagonal {
            v
        } else {
            so3::to_body(&self.axes, &v)
        }
    }

    #[inline(always)]
    fn body(&self, v: Vec3) -> Vec3 {
        if self.diagonal {
            v
        } else {
            so3::to_space(&self.axes, &v)
        }
    }

    /// Turns the rotation into body axes.
    #[inline(always)]
    fn rotation(&self, quat: &Quat) -> Quat {
        let v = self.body(Vec3::new(quat[1], quat[2], quat[3]));
        [quat[0], v.x, v.y, v.z]
    }
}

/// Attitude and momentum between kicks and maps.
#[derive(Clone, Copy)]
pub(super) struct KickState {
    /// Λ; its length is 1 to within [`UNIT_NORM_TOLERANCE`].
    att: Quat,
    /// Factor that makes the length of Λ 1, to within the square of that tolerance.
    unit: f64,
    /// Π, principal axes.
    pub pi: Vec3,
    /// Rounding error of Π so far.
    rest: Vec3,
}

impl KickState {
    /// Returns the state with the principal axes and moments.
    pub fn new(inertia: &Inertia, y: &RotState) -> (Self, Principal, Vec3) {
        let (frame, moments) = Principal::new(inertia);
        let moving = Self {
            att: so3::quat_from_matrix(&y.att),
            unit: 1.0,
            pi: frame.principal(inertia.times(&y.omega)),
            rest: Vec3::zeros(),
        };
        (moving, frame, moments)
    }

    /// Returns Λ, of unit length.
    #[inline(always)]
    pub fn unit(&self) -> Quat {
        self.att.map(|x| x * self.unit)
    }

    /// Applies a map of the free body.
    #[inline(always)]
    pub fn turn(&mut self, frame: &Principal, turn: &FreeTurn) {
        self.att = quaternion::product(&self.att, &frame.rotation(&turn.quat));
        (self.pi, self.rest) = two_sum_of(&turn.pi, &(self.rest + turn.rest));
    }

    /// Keeps the length of the quaternion near 1; returns Λ.
    #[inline(always)]
    pub fn keep_length(&mut self) -> Quat {
        let square = self.att.iter().map(|x| x * x).sum::<f64>();
        self.unit = 1.5 - 0.5 * square;
        let unit = self.unit();
        if !((square - 1.0).abs() <= UNIT_NORM_TOLERANCE) {
            let k = 1.0 / square.sqrt();
            (self.att, self.unit) = (self.att.map(|x| x * k), 1.0);
        }
        unit
    }

    /// Writes the state, and keeps the length of the quaternion near 1.
    #[inline(always)]
    pub fn show(&mut self, frame: &Principal, y: &mut RotState) {
        y.att = so3::matrix_from_unit(&self.keep_length());
        y.omega = frame.body(frame.inverse.component_mul(&self.pi));
    }
}

/// Data of a kick-type scheme that are carried from step to step.
pub struct KickMemory<M: KickScheme> {
    frame: Principal,
    constants: M::Constants,
    moving: KickState,
    /// T at the state, principal axes; for schemes that begin with a kick.
    torque: Vec3,
}

lane_numbers! { KickState { att, unit, pi, rest } }

impl<M: KickScheme<Constants: Copy>> Clone for KickMemory<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: KickScheme<Constants: Copy>> Copy for KickMemory<M> {}

impl<M: KickScheme<Constants: LaneNumbers>> LaneNumbers for KickMemory<M> {
    const HAS_ATTITUDE: bool = true;

    #[inline(always)]
    fn each(&mut self, f: &mut impl FnMut(&mut f64)) {
        self.moving.each(f);
        self.torque.each(f);
    }
    #[inline(always)]
    fn each_constant(&mut self, f: &mut impl FnMut(&mut f64)) {
        self.frame.each(f);
        self.constants.each(f);
    }
}

impl<M: KickScheme> Memory for KickMemory<M> {
    fn start(&Step { top, t, .. }: &Step<impl Torque>, y: &RotState) -> Result<Self, StepFail> {
        let (moving, frame, moments) = KickState::new(top.inertia(), y);
        Ok(Self {
            constants: M::constants(&moments),
            moving,
            torque: frame.principal(top.torque_body(t, &y.att)),
            frame,
        })
    }
}

impl<S: KickScheme> RotationScheme for S {
    type Memory = KickMemory<S>;

    fn in_lanes<T: InLanes>() -> Option<StartLanes<Self, T>> {
        <S as KickScheme>::in_lanes()
    }

    fn covers(&self, inertia: &Inertia, omega: &Vec3, h: f64) -> Result<(), NotCovered> {
        KickScheme::covers(self, inertia, omega, h)
    }

    #[inline(always)]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let Step { top, t, h, .. } = *at;
        let composition = self.composition();
        let Composition { kicks, drifts, .. } = *composition;
        let mut moving = m.moving;
        let mut torque = m.torque;
        moving.pi += torque * (h * kicks[0]);
        let (mut elapsed, mut iterations, mut evaluations) = (0.0, 0, 0);
        for (i, b) in drifts.iter().enumerate() {
            // It is copied: were the address of a part of `moving` given away, all of it would have to live in memory.
            let pi = moving.pi;
            let turn = self.turn(&m.constants, at.angles, b * h, &pi)?;
            iterations += turn.iterations;
            moving.turn(&m.frame, &turn);
            elapsed += b;
            if !composition.needs_force(i + 1) {
                continue;
            }
            // The sum of the coefficients is 1 but for round-off.
            let time = if i + 1 == drifts.len() {
                t + h
            } else {
                t + elapsed * h
            };
            torque = m.frame.principal(top.torque_body_by(time, &moving.unit()));
            moving.pi += torque * (h * kicks[i + 1]);
            evaluations += 1;
        }
        moving.show(&m.frame, y);
        (m.moving, m.torque) = (moving, torque);
        Ok(Effort::new(evaluations, iterations))
    }
}

/// `exp(−θ e_k) v`. Products with θ do not wait for the series of its sine and cosine, and those of θ/2, which the
/// quaternion takes, stand beside this chain.
#[inline(always)]
pub(super) fn turn_back(angles: AngleRange, v: &mut Vec3, k: usize, angle: f64) {
    let x2 = angle * angle;
    let (a, b) = angles.rodrigues(x2);
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    let (x, y) = (v[i], v[j]);
    v[i] = x + ((angle * y) * a - (x2 * x) * b);
    v[j] = y - ((angle * x) * a + (x2 * y) * b);
}
