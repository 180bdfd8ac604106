//! Parameters that a case may choose, and the claims about the defaults.

use crate::schemes::description::scheme;
use serde::{Deserialize, Serialize};

/// Coordinates of the equations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schemars(inline))]
pub enum Formulation {
    /// v = (ẋ, ω) in space, `R' = exp(ψ) R`; a node of the joint beside the body (Kynema).
    #[default]
    Inertial,
    /// v = (ẋ, Ω): velocity in space, rate in the body, `R' = R exp(ψ)` (Brüls 2012).
    R3xso3,
    /// v = (Rᵀẋ, Ω) in the body; both move together in SE(3), where B is constant.
    Se3,
}

/// Form of the constraint in the equations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Index {
    /// Φ(q) = 0 only.
    #[default]
    Three,
    /// Φ(q) = 0 and B v = 0, with a correction η of the increment (stabilised index 2).
    Two,
}

/// A number that is no [`Index`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("found {0}, allowed: 3, 2")]
pub struct NoIndex(u8);

impl TryFrom<u8> for Index {
    type Error = NoIndex;
    fn try_from(index: u8) -> Result<Self, NoIndex> {
        match index {
            3 => Ok(Self::Three),
            2 => Ok(Self::Two),
            other => Err(NoIndex(other)),
        }
    }
}

impl From<Index> for u8 {
    fn from(index: Index) -> Self {
        match index {
            Index::Three => 3,
            Index::Two => 2,
        }
    }
}

/// Accelerations from which a run starts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schemars(inline))]
pub enum StartRule {
    /// Accelerations of the equations of motion; `a = v̇`.
    #[default]
    Consistent,
    /// `a` and v, moved by terms of h and h², so that λ has order 2 from the start.
    Perturbed,
    /// Accelerations that the case gives, right or wrong; `a = v̇`.
    AsGiven,
    /// v̇ of the equations of motion, but `a = 0` (Kynema's own).
    ZeroAuxiliary,
}

/// The derivative of `Bᵀλ` in Newton's matrix.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schemars(inline))]
pub enum ConstraintStiffness {
    /// The derivative itself.
    #[default]
    Exact,
    /// Zero, as in Kynema's code.
    Omitted,
    /// The derivative with the wrong sign, as on Kynema's page.
    Page,
}

impl ConstraintStiffness {
    /// Returns the factor of the derivative.
    pub(super) fn factor(self) -> f64 {
        match self {
            Self::Exact => 1.0,
            Self::Omitted => 0.0,
            Self::Page => -1.0,
        }
    }
}

/// Generalized-α for a jointed body.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct GenAlpha {
    /// ρ, spectral radius at infinite frequency: 0 damps most, 1 not at all; between 0 and 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))]
    pub rho_inf: f64,
    /// Coordinates of the equations.
    pub formulation: Formulation,
    /// 3, or 2 for the stabilised index-2 form.
    #[cfg_attr(feature = "schema", schemars(with = "u8", range(min = 2, max = 3)))]
    pub index: Index,
    /// Accelerations from which a run starts.
    pub start: StartRule,
    /// Most Newton iterations of a step; between 1 and 1000.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub max_iterations: u32,
    /// Absolute tolerance of a correction, m, rad and N.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))]
    pub atol: f64,
    /// Tolerance of a correction relative to the increment of the step, or to λ.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))]
    pub rtol: f64,
    /// Absolute tolerance of λ, N. By default `atol`, but not below the rounding of λ,
    /// 4 ε m |x_r| β' with β' ≈ 4/h².
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0)))]
    pub atol_lambda: Option<f64>,
    /// The derivative of Bᵀλ in Newton's matrix; of no effect in `se3`, where B is constant.
    pub constraint_stiffness: ConstraintStiffness,
    /// Run where the theory warns: ρ = 1 at index 3.
    pub allow_unusable: bool,
}

impl Default for GenAlpha {
    fn default() -> Self {
        Self {
            rho_inf: 0.9,
            formulation: Formulation::Inertial,
            index: Index::Three,
            start: StartRule::Consistent,
            max_iterations: 15,
            atol: 1e-10,
            rtol: 1e-10,
            atol_lambda: None,
            constraint_stiffness: ConstraintStiffness::Exact,
            allow_unusable: false,
        }
    }
}

scheme! {
    impl GenAlpha {
        name: "gen_alpha",
        title: "Generalized-α on a Lie group: body and joint as a constrained system",
        formula: "solve M v̇' + g(q', v') + Bᵀλ' = 0, Φ(q') = 0 with q' = q ∘ exp(hΔq)\n\
                  Δq = v + h(½−β)a + hβa', v' = v + h(1−γ)a + hγa'\n\
                  (1−αm)a' + αm a = (1−αf)v̇' + αf v̇",
        citations: &["bruls2012", "arnold2015", "kynema"],
        assumptions: Some("a jointed body, or a free one; ρ < 1 at index 3"),
        claims: Claims { order: 2, reversible: false, symplectic: false,
            energy: Energy::Gains(3), momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::OneEachIteration },
    }
}
