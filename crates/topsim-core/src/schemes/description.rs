//! Description of a scheme: its name, formula, sources and claims, and the limits by which claims are judged.

pub use super::coefficients::Coefficients;
use super::scheme::Effort;

/// Behaviour of the energy of a conservative problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Energy {
    /// Kept to round-off.
    Exact,
    /// Oscillates without trend (on integrable problems such as the free body and the top).
    Bounded,
    /// Grows like this power of h, without end.
    Gains(u8),
    /// Falls like this power of h, without end.
    Loses(u8),
    /// Goes, at a rate like h, from either side to that of a spin about the intermediate axis.
    ToIntermediateAxis,
    /// Drifts by a change that is proportional to the tolerance of inner steps.
    WithTolerance,
    /// There is none: no body, a given rate.
    None,
}

impl core::fmt::Display for Energy {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Exact => write!(f, "exact"),
            Self::Bounded => write!(f, "bounded"),
            Self::Gains(p) => write!(f, "gains like h^{p}"),
            Self::Loses(p) => write!(f, "loses like h^{p}"),
            Self::ToIntermediateAxis => write!(f, "tends to that of the intermediate axis"),
            Self::WithTolerance => write!(f, "drifts with the tolerance"),
            Self::None => write!(f, "none"),
        }
    }
}

impl core::fmt::Display for Momentum {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Exact => "exact",
            Self::Approximate => "approximate",
            Self::None => "none",
        })
    }
}

/// Behaviour of the spatial angular momentum of a free body (and of its component along a
/// vertical field).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Momentum {
    /// Kept to round-off.
    Exact,
    /// Kept to the order of the scheme only.
    Approximate,
    /// There is none: no body, a given rate.
    None,
}

/// Torque evaluations of a step. Schemes that begin with the torque of the step before make one
/// more before the first step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evaluations {
    /// This number in every step.
    Exactly(u32),
    /// This number n at the guess and after each iteration, n ([`Effort::iterations`] + 1): the torque stands inside the
    /// nonlinear equation.
    EachIteration(u32),
    /// One in each iteration, none after the last.
    OneEachIteration,
    /// The first number in every try of an inner step, and the second once more in a step at whose end a row is read.
    EachTry(u32, u32),
    /// This number of values or increments of the given rate in every step.
    OfRate(u32),
}

impl Evaluations {
    /// Returns true if a step did the claimed work.
    pub fn agree(self, effort: &Effort) -> bool {
        let said = match self {
            Self::EachTry(n, more) => return [0, more].contains(&(effort.torque % n)),
            Self::Exactly(n) | Self::OfRate(n) => n,
            Self::EachIteration(n) => n * (effort.iterations + 1),
            Self::OneEachIteration => effort.iterations,
        };
        effort.torque == said
    }
}

impl core::fmt::Display for Evaluations {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Exactly(1) => f.write_str("1 torque evaluation a step"),
            Self::Exactly(n) => write!(f, "{n} torque evaluations a step"),
            Self::EachIteration(1) => f.write_str("1 torque evaluation, and 1 each iteration"),
            Self::EachIteration(n) => {
                write!(f, "{n} torque evaluations, and {n} each iteration")
            }
            Self::OneEachIteration => f.write_str("1 torque evaluation each iteration"),
            Self::EachTry(n, 0) => write!(f, "{n} torque evaluations a try of an inner step"),
            Self::EachTry(n, more) => write!(
                f,
                "{n} torque evaluations a try of an inner step, and {more} more where rows are read"
            ),
            Self::OfRate(1) => f.write_str("1 value or increment of the rate a step"),
            Self::OfRate(n) => write!(f, "{n} values or increments of the rate a step"),
        }
    }
}

/// Claims of the literature or of ours about a scheme; tests judge each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claims {
    /// Order of convergence on an asymmetric, torqued body.
    pub order: u8,
    /// True if a step with −h undoes a step with h.
    pub reversible: bool,
    /// True if the step map preserves the symplectic form of T*SO(3).
    pub symplectic: bool,
    /// Energy of a free asymmetric body; of a free symmetric one for schemes that serve no other.
    pub energy: Energy,
    /// Spatial momentum of a free body.
    pub momentum: Momentum,
    /// Torque evaluations a step.
    pub torque_evaluations: Evaluations,
}

/// Claims about a scheme that divides its steps to a tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdaptiveClaims {
    /// Power of an inner step with which the estimate of its error falls; the control has it.
    pub estimate: u8,
    /// Order of the dense output by which rows are read.
    pub dense: u8,
}

/// Steps and spans at which claims are judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClaimTest {
    /// Length of the steps as a multiple of those that suit most schemes.
    pub stretch: f64,
    /// True if the order settles on body a before round-off; otherwise it is measured on the heavy top, whose singularities
    /// in complex time are all far.
    pub order_on_a: bool,
    /// Two steps (s) between which a trend of the energy of body f shows, and over which time (s).
    pub trend: ([f64; 2], f64),
    /// Largest distance of the power of such a trend from the claimed one.
    pub power: f64,
}

impl Claims {
    /// Returns how the claims are tested: at errors that can be told from round-off. The error of an order above 10, and of a rule of
    /// order 6 or more that is not symplectic, is below it at the steps that suit the others, and has not settled to a power of the step
    /// where it is above: such a power is only known to a part of a unit, or to a few.
    pub fn judging(&self) -> ClaimTest {
        match self.order {
            6..=10 if !self.symplectic && self.energy != Energy::None => ClaimTest {
                stretch: 5.0,
                order_on_a: false,
                trend: if self.order < 8 {
                    ([0.2, 0.1], 2e3)
                } else {
                    ([0.6, 0.45], 2e4)
                },
                power: 0.75,
            },
            // A scheme of high order drifts little, so that its trend shows only after a longer time.
            ..=10 => ClaimTest {
                stretch: 1.0,
                order_on_a: true,
                trend: ([0.05, 0.025], if self.order < 4 { 500.0 } else { 1000.0 }),
                power: 0.25,
            },
            _ => ClaimTest {
                stretch: 5.0,
                order_on_a: false,
                trend: ([0.6, 0.45], 2e5),
                power: 2.5,
            },
        }
    }
}

/// A property that a source gives a scheme beyond our claims, or against them; the scorecard
/// measures it too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statement {
    /// Key into `docs/references.bib`.
    pub by: &'static str,
    /// Property that it states.
    pub says: StatementKind,
}

/// Kinds of statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatementKind {
    /// The free motion has this order.
    FreeOrder(u8),
    /// The free motion is exact.
    FreeMotionExact,
    /// The energy is kept.
    KeepsEnergy,
}

impl core::fmt::Display for StatementKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::FreeOrder(n) => write!(f, "order {n} for the free body"),
            Self::FreeMotionExact => write!(f, "an exact free motion"),
            Self::KeepsEnergy => write!(f, "conserved energy"),
        }
    }
}

/// A scheme's description.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SchemeInfo {
    /// Name in case files; never changes.
    pub name: &'static str,
    /// One line for people.
    pub title: &'static str,
    /// The step, in the notation of the documentation.
    pub formula: &'static str,
    /// The numbers that the formula has as letters.
    pub coefficients: Coefficients,
    /// Keys into `docs/references.bib`.
    pub citations: &'static [&'static str],
    /// Statements of these sources beyond our claims, or against them.
    pub literature: &'static [Statement],
    /// Bodies and torques that it covers; `None` for any body under any torque that the scheme takes.
    pub assumptions: Option<&'static str>,
    /// Claims about the scheme.
    pub claims: Claims,
    /// Claims about its inner steps, if it divides its steps to a tolerance.
    pub adaptive: Option<AdaptiveClaims>,
    /// True if a processor stands around its kernel: its errors are one power of h higher, and may be the larger ones above
    /// round-off, so that the order that shows is one higher, too.
    pub processed: bool,
}

impl SchemeInfo {
    /// Common part of the descriptions of most rotation schemes.
    pub(super) const OF_ANY_BODY: Self = Self {
        name: "",
        title: "",
        formula: "",
        coefficients: Coefficients::None,
        citations: &[],
        literature: &[],
        assumptions: None,
        claims: Claims {
            order: 0,
            reversible: false,
            symplectic: false,
            energy: Energy::Bounded,
            momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(0),
        },
        adaptive: None,
        processed: false,
    };

    /// Returns the power of the tolerance with which errors fall, if the scheme divides its steps: an error per inner step that
    /// is the tolerance makes inner steps ~ tolerance^(1/p), and errors ~ (inner step)^order (`hairer1993`, II.4).
    pub fn proportionality(&self) -> Option<f64> {
        let pair = self.adaptive?;
        Some(f64::from(self.claims.order) / f64::from(pair.estimate))
    }

    /// Returns true if a slope of errors above round-off shows the claimed order to within `tolerance`.
    pub fn shows_order(&self, slope: f64, tolerance: f64) -> bool {
        let above = slope - f64::from(self.claims.order);
        above.abs() < tolerance || self.processed && above > 0.0 && above < 1.0 + tolerance
    }
}

/// A scheme type with its description.
pub trait Described {
    /// The description.
    const INFO: SchemeInfo;
}

/// A scheme with its description: `Name { … }` without parameters, `Name(Newton) { … }` with those of
/// [`Newton`](super::Newton), `impl Name { … }` with a type of its own. Keys are those of
/// [`SchemeInfo`]; what is left out is that of [`SchemeInfo::OF_ANY_BODY`].
macro_rules! scheme {
    (impl $scheme:ident { $($key:ident: $value:expr,)+ }) => {
        impl $crate::schemes::Described for $scheme {
            // Some schemes give every field.
            #[allow(clippy::needless_update)]
            const INFO: $crate::schemes::SchemeInfo = {
                use $crate::schemes::description::*;
                SchemeInfo { $($key: $value,)+ ..SchemeInfo::OF_ANY_BODY }
            };
        }
    };
    ($(#[$doc:meta])* $scheme:ident { $($info:tt)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields)]
        pub struct $scheme {}
        scheme! { impl $scheme { $($info)+ } }
    };
    ($(#[$doc:meta])* $scheme:ident(Newton) { $($info:tt)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(transparent)]
        pub struct $scheme {
            /// Tolerance and limit of the iteration.
            pub newton: $crate::schemes::Newton,
        }
        scheme! { impl $scheme { $($info)+ } }
    };
}

pub(super) use scheme;
