//! The top and the force of the base on it.

use super::field::{AxialField, Field, FieldModel, FieldVisitor, VerticalGradient};
use crate::math::lanes::Lanes;

/// Magnetic top above its base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Levitron {
    mass: f64,
    theta1: f64,
    theta3: f64,
    moment: f64,
    gravity: f64,
    field: Field,
}

/// Reason why numbers describe no Levitron.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LevitronError {
    /// A quantity is out of range.
    #[error("{name} is {value}; it must be {allowed}")]
    OutOfRange {
        /// Name of the quantity.
        name: &'static str,
        /// Value of the quantity.
        value: f64,
        /// Description of the allowed values.
        allowed: &'static str,
    },
    /// No rigid body has these moments of inertia.
    #[error(
        "the axial moment {theta3} exceeds twice the transverse moment {theta1}: no rigid body has them"
    )]
    Moments {
        /// Transverse moment Θ1, kg m².
        theta1: f64,
        /// Axial moment Θ3, kg m².
        theta3: f64,
    },
}

impl LevitronError {
    pub(super) fn require_positive(name: &'static str, value: f64) -> Result<(), Self> {
        Self::require(
            value > 0.0 && value.is_finite(),
            name,
            value,
            "positive and finite",
        )
    }
    fn require(
        good: bool,
        name: &'static str,
        value: f64,
        allowed: &'static str,
    ) -> Result<(), Self> {
        good.then_some(()).ok_or(Self::OutOfRange {
            name,
            value,
            allowed,
        })
    }
}

/// Parameters of a [`Levitron`], SI units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevitronParameters {
    /// Mass m, kg.
    pub mass: f64,
    /// Transverse moment of inertia Θ1 about the centre of mass, kg m².
    pub theta1: f64,
    /// Axial moment of inertia Θ3, kg m²; at most 2 Θ1.
    pub theta3: f64,
    /// Magnetic moment μ along the axis times the strength of the base, in units of force × length
    /// over the units of the field.
    pub moment: f64,
    /// Gravity g, m/s², downwards; 0 or more.
    pub gravity: f64,
    /// Radius a of the base, m.
    pub radius: f64,
    /// Model of the base magnet's field.
    pub field: FieldModel,
}

impl LevitronParameters {
    /// Returns the parameters of Dullin 2004, figure 1. The paper leaves g, the unit of the spin and Θ3 open.
    /// The choice made here, 9.81 m/s², revolutions per second and the thin disk's Θ3 = 2 Θ1, makes its
    /// equilibrium linearly stable and its escape-time diagram fractal.
    pub fn dullin2004() -> Self {
        let (mass, radius) = (0.02, 0.05);
        let theta1 = mass * (0.3 * radius) * (0.3 * radius) / 4.0;
        Self {
            mass,
            theta1,
            theta3: 2.0 * theta1,
            moment: -0.000_095,
            gravity: 9.81,
            radius,
            field: FieldModel::Disk {
                order: 7,
                gradient: VerticalGradient::Exact,
            },
        }
    }
}

/// Field B and gradient ∇⟨B, a⟩ at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldForce<V> {
    /// Field B.
    pub field: [V; 3],
    /// Gradient ∇⟨B, a⟩, per metre.
    pub gradient: [V; 3],
}

impl Levitron {
    /// Builds a Levitron after checks of its parameters.
    ///
    /// # Errors
    /// [`LevitronError`] with the offending number.
    pub fn new(p: LevitronParameters) -> Result<Self, LevitronError> {
        LevitronError::require_positive("the mass", p.mass)?;
        LevitronError::require_positive("the transverse moment of inertia", p.theta1)?;
        LevitronError::require_positive("the axial moment of inertia", p.theta3)?;
        // A thin disk, Θ3 = 2 Θ1, may exceed the limit by a rounding.
        if !(p.theta3 <= 2.0 * p.theta1 * (1.0 + 1e-12)) {
            return Err(LevitronError::Moments {
                theta1: p.theta1,
                theta3: p.theta3,
            });
        }
        let falls = p.gravity >= 0.0 && p.gravity.is_finite();
        LevitronError::require(falls, "gravity", p.gravity, "0 or more and finite")?;
        let pulls = p.moment.is_finite() && p.moment != 0.0;
        LevitronError::require(pulls, "the magnetic moment", p.moment, "finite and not 0")?;
        Ok(Self {
            mass: p.mass,
            theta1: p.theta1,
            theta3: p.theta3,
            moment: p.moment,
            gravity: p.gravity,
            field: Field::new(p.field, p.radius)?,
        })
    }

    /// Mass m, kg.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Returns the transverse moment Θ1, kg m².
    pub fn theta1(&self) -> f64 {
        self.theta1
    }

    /// Returns the axial moment Θ3, kg m².
    pub fn theta3(&self) -> f64 {
        self.theta3
    }

    /// Returns the magnetic moment μ, including the strength of the base.
    pub fn moment(&self) -> f64 {
        self.moment
    }

    /// Returns the gravity g, m/s².
    pub fn gravity(&self) -> f64 {
        self.gravity
    }

    /// Returns the field of the base.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// Potential U = m g z − μ ⟨B, a⟩, J.
    pub fn potential(&self, r: [f64; 3], a: [f64; 3]) -> f64 {
        let b = self.force(r, a).field;
        self.mass * self.gravity * r[2] - self.moment * (b[0] * a[0] + b[1] * a[1] + b[2] * a[2])
    }

    /// Computes B(r) and ∇⟨B(r), a⟩: the force is μ ∇⟨B, a⟩ − m g e_z, the torque μ a × B.
    #[inline(always)]
    pub fn force<V: Lanes>(&self, r: [V; 3], a: [V; 3]) -> FieldForce<V> {
        struct At<V>([V; 3], [V; 3]);
        impl<V: Lanes> FieldVisitor for At<V> {
            type Out = FieldForce<V>;

            #[inline(always)]
            fn visit<F: AxialField>(self, field: &F) -> FieldForce<V> {
                let ([x, y, z], [ax, ay, az]) = (self.0, self.1);
                let f = field.slopes(x.mul_add(x, y * y), z);
                let scale = f.scale * z.splat(field.strength());
                let w = x.mul_add(ax, y * ay);
                let k = f.g_r.mul_add(w, f.g_z * az);
                FieldForce {
                    field: [scale * (x * f.g), scale * (y * f.g), scale * f.bz],
                    gradient: [
                        scale * x.mul_add(k, f.g * ax),
                        scale * y.mul_add(k, f.g * ay),
                        scale * f.g_z.mul_add(w, f.bz_z * az),
                    ],
                }
            }
        }
        self.field.open(At(r, a))
    }
}
