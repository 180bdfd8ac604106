//! Field of the base magnet, symmetric about the vertical axis.
//!
//! The potential is V(r) = F(s, z) with s = x² + y², the field B = −∇V. With G = B_ρ/ρ, B = (x G, y G, B_z),
//! and since the field has no curl, ∂_ρ B_z = ρ ∂_z G, so that ∇⟨B, a⟩ = (G a_x + x k, G a_y + y k, w ∂_z G +
//! a_z ∂_z B_z), w = x a_x + y a_y, k = w ∂_ρG/ρ + a_z ∂_z G. In terms of F: G = −2 F_s, ∂_z G = −2 F_sz,
//! ∂_ρG/ρ = −4 F_ss, ∂_z B_z = −F_zz.
//!
//! Source: Dullin 2004 (`dullin2004`), section 5. The strength of the magnets is part of the moment μ; the
//! field has the units of its on-axis potential (1 for the disk, 1/m² for the ring).

use super::exact::ExactDisk;
use super::series::{FieldSeries, on_axis};
use super::top::LevitronError;
use crate::math::lanes::Lanes;

/// Vertical gradient of a truncated series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "GradientName")
)]
pub enum VerticalGradient {
    /// Gradient of the truncated potential: kicks are exact gradients.
    #[default]
    Exact,
    // For a harmonic potential, ∂_z B_z = 4 (F_s + s F_ss).
    /// Gradient as if the truncated potential were harmonic.
    Harmonic,
}

/// Model of the base magnet's field off the axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldModel {
    /// Thin disk of radius a magnetised along its axis, φ = 2π(1 − z/√(z² + a²)), by the series in s about the
    /// axis up to s^order.
    Disk {
        /// Order J, the power of s after which the series is truncated; 7 in the paper.
        order: usize,
        /// Vertical gradient.
        gradient: VerticalGradient,
    },
    /// Ring of vertical dipoles of radius a, φ = z/(z² + a²)^{3/2} (Gans, Jones & Washizu 1998, `gans1998`), by
    /// its series.
    Ring {
        /// Order J, the power of s after which the series is truncated.
        order: usize,
        /// Vertical gradient.
        gradient: VerticalGradient,
    },
    /// Disk without truncation: the field of a current loop by elliptic integrals.
    Exact,
}

/// Largest order of a series, which [`Field::new`] enforces.
pub const MAX_ORDER: usize = 12;

/// Components of B and its derivatives; the true values are these times `scale` times the strength of the
/// field.
#[derive(Debug, Clone, Copy)]
pub struct FieldSlopes<V> {
    /// Common factor at this point.
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

/// Field symmetric about the vertical axis.
pub trait AxialField: Copy {
    /// Returns the common factor of B and its derivatives at all points.
    fn strength(&self) -> f64;

    /// Computes B and its derivatives at `s` = x² + y² (m²) and height `z` (m).
    fn slopes<V: Lanes>(&self, s: V, z: V) -> FieldSlopes<V>;
}

/// Field prepared for evaluation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    model: FieldModel,
    radius: f64,
    kind: FieldKind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum FieldKind {
    Disk(FieldSeries<false, 0>),
    Ring(FieldSeries<true, 0>),
    Exact(ExactDisk),
}

/// Computation that is generic over the type of the field.
pub trait FieldVisitor {
    /// Result of the computation.
    type Out;

    /// Computes the result for the concrete field.
    fn visit<F: AxialField>(self, field: &F) -> Self::Out;
}

impl Field {
    /// Prepares the field of `model` with base radius a (m).
    ///
    /// # Errors
    /// [`LevitronError`] with the offending number.
    pub fn new(model: FieldModel, radius: f64) -> Result<Self, LevitronError> {
        LevitronError::require_positive("the radius of the base", radius)?;
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
                FieldKind::Disk(FieldSeries::new(radius, order, gradient))
            }
            FieldModel::Ring { order, gradient } => {
                FieldKind::Ring(FieldSeries::new(radius, order, gradient))
            }
            FieldModel::Exact => FieldKind::Exact(ExactDisk::new(radius)),
        };
        Ok(Self {
            model,
            radius,
            kind,
        })
    }

    /// Returns the model of the field.
    pub fn model(&self) -> FieldModel {
        self.model
    }

    /// Returns the base radius a, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Calls the visitor with the concrete field: one copy of its code is compiled for each kind, and one more,
    /// unrolled, for the disk of order 7.
    #[inline(always)]
    pub fn open<T: FieldVisitor>(&self, visitor: T) -> T::Out {
        match &self.kind {
            FieldKind::Disk(f) if f.order() == 7 => visitor.visit(&f.fixed::<7>()),
            FieldKind::Disk(f) => visitor.visit(f),
            FieldKind::Ring(f) => visitor.visit(f),
            FieldKind::Exact(f) => visitor.visit(f),
        }
    }

    /// Returns the common factor of B and its derivatives at all points.
    pub fn strength(&self) -> f64 {
        match &self.kind {
            FieldKind::Disk(f) => f.strength(),
            FieldKind::Ring(f) => f.strength(),
            FieldKind::Exact(f) => f.strength(),
        }
    }

    /// Returns the potential and derivatives φ, φ', φ'', … on the axis at height `z`, m: those of the field itself,
    /// independent of any truncation.
    pub fn on_axis<const N: usize>(&self, z: f64) -> [f64; N] {
        let mut d = [0.0; N];
        match self.model {
            FieldModel::Ring { .. } => on_axis::<true>(self.radius, z, &mut d),
            _ => on_axis::<false>(self.radius, z, &mut d),
        }
        d
    }
}
