//! Systems of symmetric bodies: what they are made of, their state and their flows.

use super::{Dipoles, LevitronPotential, Uniform};
use crate::math::{Vec3, so3};
use crate::models::{Problem, Split};
use std::fmt::Debug;

/// State of one symmetric body. Space frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axial {
    /// r, m.
    pub position: Vec3,
    /// v = p/m, m/s.
    pub velocity: Vec3,
    /// a, unit vector along the symmetry axis.
    pub axis: Vec3,
    /// l, kg m²/s.
    pub momentum: Vec3,
}

/// What a symmetric body is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SymmetricBody {
    /// Mass, kg; zero for a body that turns about a fixed point.
    pub mass: f64,
    /// Θ1, moment across the axis, kg m².
    pub theta1: f64,
    /// Θ3, moment along the axis, kg m².
    pub theta3: f64,
}

impl SymmetricBody {
    /// Whether the body has a fixed point.
    pub fn is_fixed(&self) -> bool {
        self.mass == 0.0
    }
    /// Kinetic energy, the spin's included, J.
    pub fn kinetic_energy(&self, y: &Axial) -> f64 {
        let spin = y.momentum.dot(&y.axis);
        let across = (y.momentum.norm_squared() - spin * spin) / self.theta1;
        0.5 * (self.mass * y.velocity.norm_squared() + across + spin * spin / self.theta3)
    }
}

/// Derivatives of U with respect to one body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gradient {
    /// ∇_r U, N.
    pub position: Vec3,
    /// ∇_a U, J.
    pub axis: Vec3,
}

impl Gradient {
    /// No force, no torque.
    pub const ZERO: Self = Self {
        position: Vec3::new(0.0, 0.0, 0.0),
        axis: Vec3::new(0.0, 0.0, 0.0),
    };
}

/// A potential U(r, a) of one or more symmetric bodies.
pub trait Potential: Clone + Debug + Send + Sync + 'static {
    /// A list of as many things as there are bodies, without an indirection where there is one.
    type List<T: Copy + Debug + Send + Sync + 'static>: AsRef<[T]>
        + AsMut<[T]>
        + Clone
        + Debug
        + Send
        + Sync;
    /// The list of these things.
    ///
    /// # Panics
    /// If their number is not that of the bodies.
    fn list<T: Copy + Debug + Send + Sync + 'static>(things: &[T]) -> Self::List<T>;
    /// U, J.
    fn energy(&self, y: &[Axial]) -> f64;
    /// Writes the gradients, one for each body.
    fn gradients(&self, y: &[Axial], out: &mut [Gradient]);
}

// `p → e^{−γ_t τ} p`, `l → e^{−γ_s τ} (l·a) a + e^{−γ_r τ} l_⊥`. All rates ≥ 0.
/// Rates of decay, 1/s: momentum, spin, and angular momentum across the axis.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "DampingTable")
)]
pub struct Damping {
    /// Of the momentum (default 0).
    #[serde(default)]
    pub translation: f64,
    /// Of the spin about the axis (default 0).
    #[serde(default)]
    pub spin: f64,
    /// Of the angular momentum across the axis (default 0).
    #[serde(default)]
    pub transverse: f64,
}

impl Damping {
    /// Whether there is none.
    pub fn is_zero(&self) -> bool {
        *self == Self::default()
    }
}

/// Symmetric bodies with their potential and start.
#[derive(Debug, Clone)]
pub struct ReducedSystem<U: Potential> {
    bodies: U::List<SymmetricBody>,
    potential: U,
    pub(super) damping: Damping,
    initial: U::List<Axial>,
    pub(super) initial_energy: f64,
}

impl<U: Potential> ReducedSystem<U> {
    /// Bodies with their initial states, in the same order.
    ///
    /// # Panics
    /// If their numbers differ from each other or from that of the potential.
    pub fn new(
        bodies: &[SymmetricBody],
        potential: U,
        damping: Damping,
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
    /// The bodies.
    pub fn bodies(&self) -> &[SymmetricBody] {
        self.bodies.as_ref()
    }
    /// U.
    pub fn potential(&self) -> &U {
        &self.potential
    }
    /// H, J.
    pub fn energy(&self, y: &[Axial]) -> f64 {
        let kinetic = self
            .bodies()
            .iter()
            .zip(y)
            .map(|(b, y)| b.kinetic_energy(y));
        kinetic.sum::<f64>() + self.potential.energy(y)
    }
    /// Writes the derivatives of the state: ṙ, v̇, ȧ, l̇ of each body.
    pub fn slope(&self, y: &[Axial], gradients: &mut [Gradient], out: &mut [Axial]) {
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

impl<U: Potential> Problem for ReducedSystem<U> {
    type State = U::List<Axial>;
    fn initial(&self) -> Self::State {
        self.initial.clone()
    }
}

impl<U: Potential> Split for ReducedSystem<U> {
    type Force = U::List<Gradient>;

    fn empty_force(&self) -> Self::Force {
        U::list(&vec![Gradient::ZERO; self.bodies().len()])
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

/// Any of these systems, as a case describes it.
#[derive(Debug, Clone)]
pub struct AnyReducedSystem {
    /// The bodies.
    pub bodies: Vec<SymmetricBody>,
    /// U.
    pub potential: AnyPotential,
    /// Friction.
    pub damping: Damping,
    /// Initial states, one for each body.
    pub initial: Vec<Axial>,
}

/// Any potential.
#[derive(Debug, Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "one for each case, never in a loop"
)]
pub enum AnyPotential {
    /// U = d a_z, one body with a fixed point.
    Uniform(Uniform),
    /// A magnet over a base magnet, under gravity.
    Levitron(LevitronPotential),
    /// Dipoles with a soft core.
    Dipoles(Dipoles),
}

/// Something generic over the potential, applied to the concrete system.
pub trait ReducedVisitor {
    /// What comes out.
    type Out;
    /// Called once, with the concrete type.
    fn visit<U: Potential>(self, reduced: ReducedSystem<U>) -> Self::Out;
}

impl AnyReducedSystem {
    /// Opens the potential once, so that what follows is monomorphic.
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

/// The one thing of a list that must hold one.
pub(super) fn one<T: Copy>(things: &[T]) -> [T; 1] {
    assert_eq!(things.len(), 1, "one body");
    [things[0]]
}
