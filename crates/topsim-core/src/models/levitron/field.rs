//! The field of the base magnet, symmetric about the vertical axis.
//!
//! The potential is V(r) = F(s, z) with s = x² + y², the field B = −∇V. With G = B_ρ/ρ:
//! B = (x G, y G, B_z), and since the field has no curl ∂_ρ B_z = ρ ∂_z G, so that
//! ∇⟨B, a⟩ = (G a_x + x k, G a_y + y k, w ∂_z G + a_z ∂_z B_z), w = x a_x + y a_y,
//! k = w ∂_ρG/ρ + a_z ∂_z G. In terms of F: G = −2 F_s, ∂_z G = −2 F_sz, ∂_ρG/ρ = −4 F_ss,
//! ∂_z B_z = −F_zz.
//!
//! Source: Dullin 2004 (`dullin2004`), section 5; the strength of the magnets is part of the
//! moment μ, the field has the units of its on-axis potential (1 for the disk, 1/m² for the ring).

use super::exact::ExactDisk;
use super::series::{Series, on_axis};
use super::top::LevitronError;
use crate::math::lanes::Lanes;

/// Vertical gradients of a cut series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "GradientName")
)]
pub enum Gradient {
    /// That of the cut potential: kicks are exact gradients.
    #[default]
    Exact,
    // ∂_z B_z = 4 (F_s + s F_ss).
    /// As if the cut potential were harmonic.
    Harmonic,
}

/// The base magnet and how its field off the axis is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldModel {
    /// A thin disk of radius a magnetised along its axis, φ = 2π(1 − z/√(z² + a²)), by the series
    /// in s about the axis up to s^order.
    Disk {
        /// J, the power of s after which the series is cut; 7 in the paper.
        order: usize,
        /// Which gradient.
        gradient: Gradient,
    },
    /// A ring of vertical dipoles of radius a, φ = z/(z² + a²)^{3/2} (Gans, Jones & Washizu 1998,
    /// `gans1998`), by its series.
    Ring {
        /// J.
        order: usize,
        /// Which gradient.
        gradient: Gradient,
    },
    /// The disk without truncation: the field of a current loop by elliptic integrals.
    Exact,
}

/// Largest order of a series; [`Field::new`] says it.
pub const MAX_ORDER: usize = 12;

/// What B and its derivatives are made of; true values are the strength of the field times `scale`
/// times these.
#[derive(Debug, Clone, Copy)]
pub struct Slopes<V> {
    /// Common factor.
    pub scale: V,
    /// G = B_ρ/ρ.
    pub g: V,
    /// B_z.
    pub bz: V,
    /// ∂_z G = (∂_ρ B_z)/ρ.
    pub g_z: V,
    /// (∂_ρ G)/ρ.
    pub g_r: V,
    /// ∂_z B_z.
    pub bz_z: V,
}

/// A field symmetric about the vertical axis.
pub trait AxialField: Copy {
    /// Common factor of B and its derivatives at all points.
    fn strength(&self) -> f64;

    /// B and its derivatives at `s` = x² + y² (m²) and height `z` (m).
    fn slopes<V: Lanes>(&self, s: V, z: V) -> Slopes<V>;
}

/// A field set up for evaluation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    model: FieldModel,
    radius: f64,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Disk(Series<false, 0>),
    Ring(Series<true, 0>),
    Exact(ExactDisk),
}

/// What is done with a field once its type is known.
pub trait FieldVisitor {
    /// The result.
    type Out;

    /// Called with the field.
    fn visit<F: AxialField>(self, field: &F) -> Self::Out;
}

impl Field {
    /// The field of `model` with base radius a (m).
    ///
    /// # Errors
    /// [`LevitronError`] with the offending number.
    pub fn new(model: FieldModel, radius: f64) -> Result<Self, LevitronError> {
        LevitronError::unless_positive("the radius of the base", radius)?;
        let kind = match model {
            FieldModel::Disk { order, .. } | FieldModel::Ring { order, .. }
                if !(1..=MAX_ORDER).contains(&order) =>
            {
                return Err(LevitronError::OutOfRange {
                    name: "the order of the series",
                    value: order as f64,
                    allowed: "from 1 to 12",
                });
            }
            FieldModel::Disk { order, gradient } => {
                Kind::Disk(Series::new(radius, order, gradient))
            }
            FieldModel::Ring { order, gradient } => {
                Kind::Ring(Series::new(radius, order, gradient))
            }
            FieldModel::Exact => Kind::Exact(ExactDisk::new(radius)),
        };
        Ok(Self {
            model,
            radius,
            kind,
        })
    }

    /// The model.
    pub fn model(&self) -> FieldModel {
        self.model
    }

    /// Base radius a, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Opens the type of the field: one copy of the visitor's code for each kind, one more for the
    /// disk of order 7, unrolled.
    #[inline(always)]
    pub fn open<T: FieldVisitor>(&self, visitor: T) -> T::Out {
        match &self.kind {
            Kind::Disk(f) if f.order() == 7 => visitor.visit(&f.fixed::<7>()),
            Kind::Disk(f) => visitor.visit(f),
            Kind::Ring(f) => visitor.visit(f),
            Kind::Exact(f) => visitor.visit(f),
        }
    }

    /// Common factor of B and its derivatives at all points.
    pub fn strength(&self) -> f64 {
        match &self.kind {
            Kind::Disk(f) => f.strength(),
            Kind::Ring(f) => f.strength(),
            Kind::Exact(f) => f.strength(),
        }
    }

    /// φ, φ', φ'', … on the axis at height `z`, m: of the field itself, whatever its series keeps.
    pub fn on_axis<const N: usize>(&self, z: f64) -> [f64; N] {
        let mut d = [0.0; N];
        match self.model {
            FieldModel::Ring { .. } => on_axis::<true>(self.radius, z, &mut d),
            _ => on_axis::<false>(self.radius, z, &mut d),
        }
        d
    }
}
