//! Defects of schemes: right equations of motion, stepped wrongly.

use crate::naive_scheme::{NaiveRule, NaiveScheme, NaiveSchemeName, Nature, TorqueAt};

/// What is wrong with how a model is stepped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SchemeDefect {
    /// Attitudes are not kept rotations.
    NormalisationMissing,
    /// The steps are those of a naive scheme that its author cannot have meant.
    Naive(NaiveSchemeName),
}

impl SchemeDefect {
    /// The length of the momentum is kept by force.
    pub const MOMENTUM_CLAMP: Self = Self::Naive(NaiveSchemeName {
        rule: NaiveRule::MomentumClamp,
        torque: TorqueAt::Rule,
    });
    /// What to do where attitudes are not kept rotations.
    pub(crate) const NORMALISE: &str = "normalise the quaternion (or make the matrix orthogonal) after each step; \
         topsim did so before it judged the rest";
    /// What a momentum clamp means.
    pub(crate) const CLAMPED: &str = "|J W| is kept by force, the energy not: a free body is driven to a spin about \
         its intermediate axis, and the motion is of first order";

    /// All, by their ids.
    pub fn all() -> Vec<Self> {
        let defects = NaiveScheme::all()
            .into_iter()
            .filter(|n| n.nature() == Nature::Defect);
        let mut out: Vec<Self> = defects.map(|n| Self::Naive(n.name())).collect();
        out.push(Self::NormalisationMissing);
        out.sort_by_cached_key(|d| d.id());
        out.dedup();
        out
    }
    /// A name that does not change.
    pub fn id(self) -> String {
        match self {
            Self::NormalisationMissing => "normalisation_missing".into(),
            Self::Naive(name) => name.id(),
        }
    }
    /// Its name, for people.
    pub fn name(self) -> String {
        match self {
            Self::NormalisationMissing => "missing normalisation".into(),
            Self::Naive(name) => name.to_string(),
        }
    }
    /// Whether the rates of half steps are those that are reported, which is a defect of the report too.
    pub(crate) fn reports_half_steps(self) -> bool {
        matches!(self, Self::Naive(n) if n.rule == NaiveRule::HalfStepRate)
    }
}
