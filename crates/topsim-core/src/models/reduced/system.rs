//! Systems of symmetric bodies: bodies, potential, state and flows.

use super::{Dipoles, LevitronPotential, Uniform};
use crate::math::{Vec3, so3};
use crate::models::{InitialValueProblem, Split};
use std::fmt::Debug;

/// State of one symmetric body, space frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axial {
    /// Position r of the centre of mass, m.
    pub position: Vec3,
    /// Velocity v = p/m, m/s.
    pub velocity: Vec3,
    /// Unit vector a along the symmetry axis.
    pub axis: Vec3,
    /// Angular momentum l, kg m²/s.
    pub momentum: Vec3,
}

/// Mass and moments of inertia of a symmetric body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SymmetricBody {
    /// Mass, kg; zero for a body that rotates about a fixed point.
    pub mass: f64,
    /// Moment Θ1 across the axis, kg m².
    pub theta1: f64,
    /// Moment Θ3 along the axis, kg m².
    pub theta3: f64,
}

impl SymmetricBody {
    /// Returns true if the body has a fixed point.
    pub fn is_fixed(&self) -> bool {
        self.mass == 0.0
    }
    /// Returns the kinetic energy, including the spin, J.
    pub fn kinetic_energy(&self, y: &Axial) -> f64 {
        let spin = y.momentum.dot(&y.axis);
        let across = (y.momentum.norm_squared() - spin * spin) / self.theta1;
        0.5 * (self.mass * y.velocity.norm_squared() + across + spin * spin / self.theta3)
    }
}

/// Derivatives of U with respect to one body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PotentialGradient {
    /// Gradient ∇_r U, N.
    pub position: Vec3,
    /// Gradient ∇_a U, J.
    pub axis: Vec3,
}

impl PotentialGradient {
    /// Gradient without force and torque.
    pub const ZERO: Self = Self {
        position: Vec3::new(0.0, 0.0, 0.0),
        axis: Vec3::new(0.0, 0.0, 0.0),
    };
}

/// Potential U(r, a) of one or more symmetric bodies.
pub trait Potential: Clone + Debug + Send + Sync + 'static {
    /// List with one element for each body, without an indirection for a single body.
    type List<T: Copy + Debug + Send + Sync + 'static>: AsRef<[T]>
        + AsMut<[T]>
        + Clone
        + Debug
        + Send
        + Sync;
    /// Builds the list from a slice.
    ///
    /// # Panics
    /// Panics if the length of the slice is not the number of bodies.
    fn list<T: Copy + Debug + Send + Sync + 'static>(things: &[T]) -> Self::List<T>;
    /// Returns the potential energy U, J.
    fn energy(&self, y: &[Axial]) -> f64;
    /// Writes the gradients, one for each body.
    fn gradients(&self, y: &[Axial], out: &mut [PotentialGradient]);
}

// Flow over the time τ: `p → e^{−γ_t τ} p`, `l → e^{−γ_s τ} (l·a) a + e^{−γ_r τ} l_⊥`. All rates are ≥ 0.
/// Decay rates, 1/s, of the momentum, the spin, and the angular momentum across the axis.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "DampingTable")
)]
pub struct ReducedDamping {
    /// Decay rate of the momentum (default 0).
    #[serde(default)]
    pub translation: f64,
    /// Decay rate of the spin about the axis (default 0).
    #[serde(default)]
    pub spin: f64,
    /// Decay rate of the angular momentum across the axis (default 0).
    #[serde(default)]
    pub transverse: f64,
}

impl ReducedDamping {
    /// Returns true if all rates are zero.
    pub fn is_zero(&self) -> bool {
        *self == Self::default()
    }
}

/// System of symmetric bodies with its potential and initial state.
#[derive(Debug, Clone)]
pub struct ReducedSystem<U: Potential> {
    bodies: U::List<SymmetricBody>,
    potential: U,
    pub(super) damping: ReducedDamping,
    initial: U::List<Axial>,
    pub(super) initial_energy: f64,
}

impl<U: Potential> ReducedSystem<U> {
    /// Builds a system from bodies and their initial states, in the same order.
    ///
    /// # Panics
    /// Panics if the numbers of bodies, of states, and of bodies in the potential differ.
    pub fn new(
        bodies: &[SymmetricBody],
        potential: U,
        damping: ReducedDamping,
        initial: &[Axial],
    ) -> Self {
        assert_eq!(bodies.len(), initial.len(), "a state for each body");
        let mut reduced = Self {
            bodies: U::list(bodies),
            potential,
            damping,
            initial: U::list(initial),
            initial_energy: 0.0,
        };
        reduced.initial_energy = reduced.energy(initial);
        reduced
    }
    /// Bodies of the system.
    pub fn bodies(&self) -> &[SymmetricBody] {
        self.bodies.as_ref()
    }
    /// Returns the potential U.
    pub fn potential(&self) -> &U {
        &self.potential
    }
    /// Returns the energy H, J.
    pub fn energy(&self, y: &[Axial]) -> f64 {
        let kinetic = self
            .bodies()
            .iter()
            .zip(y)
            .map(|(b, y)| b.kinetic_energy(y));
        kinetic.sum::<f64>() + self.potential.energy(y)
    }
    /// Writes the derivatives of the state: ṙ, v̇, ȧ, l̇ of each body.
    pub fn slope(&self, y: &[Axial], gradients: &mut [PotentialGradient], out: &mut [Axial]) {
        self.potential.gradients(y, gradients);
        for (((body, y), g), d) in self.bodies().iter().zip(y).zip(gradients).zip(out) {
            let damping = &self.damping;
            let spin = y.axis * y.momentum.dot(&y.axis);
            *d = Axial {
                position: y.velocity,
                velocity: if body.is_fixed() {
                    Vec3::zeros()
                } else {
                    -g.position / body.mass - y.velocity * damping.translation
                },
                axis: y.momentum.cross(&y.axis) / body.theta1,
                momentum: g.axis.cross(&y.axis)
                    - spin * damping.spin
                    - (y.momentum - spin) * damping.transverse,
            };
        }
    }
}

impl<U: Potential> InitialValueProblem for ReducedSystem<U> {
    type State = U::List<Axial>;
    fn initial(&self) -> Self::State {
        self.initial.clone()
    }
}

impl<U: Potential> Split for ReducedSystem<U> {
    type Force = U::List<PotentialGradient>;

    fn empty_force(&self) -> Self::Force {
        U::list(&vec![PotentialGradient::ZERO; self.bodies().len()])
    }
    #[inline]
    fn force(&self, y: &Self::State, force: &mut Self::Force) {
        self.potential.gradients(y.as_ref(), force.as_mut());
    }
    #[inline]
    fn kick(&self, tau: f64, force: &Self::Force, y: &mut Self::State) {
        let all = self.bodies.as_ref().iter().zip(force.as_ref());
        for ((body, g), y) in all.zip(y.as_mut()) {
            if !body.is_fixed() {
                y.velocity -= g.position * (tau / body.mass);
            }
            y.momentum += g.axis.cross(&y.axis) * tau;
        }
    }
    #[inline]
    fn drift(&self, tau: f64, y: &mut Self::State) {
        for (body, y) in self.bodies.as_ref().iter().zip(y.as_mut()) {
            y.position += y.velocity * tau;
            y.axis = so3::rotate(&(y.momentum * (tau / body.theta1)), &y.axis);
        }
    }
    #[inline]
    fn damp(&self, tau: f64, y: &mut Self::State) {
        let decay = |rate: f64| crate::math::scalar::exp(-rate * tau);
        let translation = decay(self.damping.translation);
        let (spin, across) = (decay(self.damping.spin), decay(self.damping.transverse));
        for y in y.as_mut() {
            let along = y.axis * y.momentum.dot(&y.axis);
            y.velocity *= translation;
            y.momentum = along * spin + (y.momentum - along) * across;
        }
    }
    fn is_damped(&self) -> bool {
        !self.damping.is_zero()
    }
}

/// System with any potential, as a case describes it.
#[derive(Debug, Clone)]
pub struct AnyReducedSystem {
    /// Bodies of the system.
    pub bodies: Vec<SymmetricBody>,
    /// Potential U.
    pub potential: AnyPotential,
    /// Damping of the system.
    pub damping: ReducedDamping,
    /// Initial states, one for each body.
    pub initial: Vec<Axial>,
}

/// Potential of any kind.
#[derive(Debug, Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "one for each case, never in a loop"
)]
pub enum AnyPotential {
    /// Uniform field, U = d·a, on one body with a fixed point.
    Uniform(Uniform),
    /// Magnetic top over a base magnet, under gravity.
    Levitron(LevitronPotential),
    /// Dipoles with a soft core.
    Dipoles(Dipoles),
}

/// Computation that is generic over the potential.
pub trait ReducedVisitor {
    /// Result of the computation.
    type Out;
    /// Computes the result for the concrete system.
    fn visit<U: Potential>(self, reduced: ReducedSystem<U>) -> Self::Out;
}

impl AnyReducedSystem {
    /// Calls the visitor with the concrete potential, so that its code is monomorphic.
    pub fn visit<V: ReducedVisitor>(&self, v: V) -> V::Out {
        match &self.potential {
            AnyPotential::Uniform(u) => v.visit(self.with(u)),
            AnyPotential::Levitron(u) => v.visit(self.with(u)),
            AnyPotential::Dipoles(u) => v.visit(self.with(u)),
        }
    }

    fn with<U: Potential>(&self, potential: &U) -> ReducedSystem<U> {
        ReducedSystem::new(&self.bodies, potential.clone(), self.damping, &self.initial)
    }
}

/// Returns the only element of a slice as a list of one; panics for any other length.
pub(super) fn single_element<T: Copy>(things: &[T]) -> [T; 1] {
    assert_eq!(things.len(), 1, "one body");
    [things[0]]
}
