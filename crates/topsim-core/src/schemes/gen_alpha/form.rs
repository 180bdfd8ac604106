//! Interface of a formulation: its coordinates, its equations and their derivatives.

use super::coefficients::Coefficients;
use super::twist::Twist;
use crate::math::{Mat3, Vec3};
use crate::models::jointed::Accelerations;
use crate::models::{JointedBody, JointedState, RotState};

/// Configuration: attitude and centre of mass.
#[derive(Debug, Clone, Copy)]
pub(super) struct Configuration {
    pub att: Mat3,
    pub x: Vec3,
}

impl Configuration {
    pub(super) fn of(y: &JointedState) -> Self {
        Self {
            att: y.rotation.att,
            x: y.position,
        }
    }
}

/// Accelerations at the last state, in the coordinates of the formulation, and constants of the run.
#[derive(Debug, Clone)]
pub struct StepMemory {
    pub(super) k: Coefficients,
    /// v: going through the state at each step would multiply ω by R Rᵀ, and gather its rounding.
    pub(super) v: Twist,
    /// v̇.
    pub(super) vdot: Twist,
    /// a.
    pub(super) a: Twist,
    /// The lever; zero without a joint.
    pub(super) lever: Vec3,
    /// Factor of the derivative of Bᵀλ.
    pub(super) stiffness: f64,
    /// Absolute tolerance of λ, N.
    pub(super) atol_lambda: f64,
}

/// Iterate of Newton's method: the increment `hΔq`, v, v̇ and λ at the end of the step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Iterate {
    pub dq: Twist,
    pub v: Twist,
    pub vdot: Twist,
    pub lambda: Vec3,
}

impl Iterate {
    /// Takes a correction `d`, by which the increment of the place is `moved`.
    #[inline(always)]
    pub(super) fn correct(&mut self, moved: &Twist, d: &Twist, lambda: Vec3, k: &Coefficients) {
        self.dq = self.dq.plus(moved, 1.0);
        self.v = self.v.plus(d, k.gamma_h);
        self.vdot = self.vdot.plus(d, k.beta_h);
        self.lambda += lambda;
    }
}

/// Equations and derivatives at an iterate, in 3×3 blocks. The matrix of a step is
/// `[[β'M + γ'C + K T, Bᵀ], [B T, 0]]` with `B = (σ I, b)`; blocks not named are zero.
#[derive(Default)]
pub(super) struct Linear {
    /// Equations of motion.
    pub r: Twist,
    /// Φ, m.
    pub phi: Vec3,
    /// σ.
    pub sigma: f64,
    /// b.
    pub b: Mat3,
    /// M: `m I` and this.
    pub inertia: Mat3,
    pub c_uu: Mat3,
    pub c_uw: Mat3,
    pub c_ww: Mat3,
    /// The matrix of a cross product.
    pub k_uw: Mat3,
    pub k_ww: Mat3,
    /// Both diagonal blocks of T in SE(3); else of the rotation only.
    pub t_ww: Mat3,
    pub t_uw: Mat3,
    /// Derivative of `B v` by the rotation.
    pub d_w: Mat3,
}

/// A formulation.
pub(super) trait Form {
    /// True if translation and rotation are coupled in C, K and T.
    const COUPLED: bool = false;
    /// True if b is the matrix of a cross product.
    const CROSS: bool;
    /// Weight of the multipliers of the joint in the norm of a correction: 2 if the joint has a node of its own.
    const COPIES: f64 = 1.0;
    /// Unknowns with a joint.
    const UNKNOWNS: f64 = 9.0;

    /// Returns v of a state.
    fn velocity(y: &JointedState) -> Twist;
    /// Returns ẋ (space) and W (body) of v.
    fn state(att: &Mat3, v: &Twist) -> (Vec3, Vec3);
    /// Returns v̇ where v is `v`.
    fn acceleration(y: &RotState, v: &Twist, rates: &Accelerations) -> Twist;
    /// Returns v̈ from Ẅ (body) and the third derivative of the centre of mass (space).
    fn jerk(y: &RotState, v: &Twist, rates: &Accelerations, jerk: &(Vec3, Vec3)) -> Twist;
    /// Returns `[v, v̇]` with the sign with which increments of this side compose.
    fn bracket(v: &Twist, vdot: &Twist) -> Twist;
    /// Returns F of λ, space frame.
    fn joint_force(att: &Mat3, lambda: &Vec3) -> Vec3;
    /// Returns `q ∘ exp(hΔq)` of the place at the start of the step.
    fn moved(from: &Configuration, dq: &Twist) -> Configuration;
    /// Equations and derivatives; without a joint the lever is zero, and so are Φ and b.
    fn linear(p: &JointedBody, m: &StepMemory, from: &Configuration, at: &Iterate) -> Linear;
    /// Returns σ and b at a place.
    fn gradient(lever: &Vec3, at: &Configuration) -> (f64, Mat3);
    /// Returns the rotational block of M at an attitude.
    fn inertia(p: &JointedBody, _att: &Mat3) -> Mat3 {
        *p.inertia().tensor()
    }
}
