//! What a scheme is: a step map, its memory between steps, and what is claimed of it.

use super::coverage::{NotCovered, Note};
pub use super::fail::{StepFail, WayOut};
use crate::math::Vec3;
use crate::models::{Inertia, Problem, RigidTop, RotState, Torque};

/// Work done by one step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// Torque evaluations.
    pub torque: u32,
    /// Iterations of the nonlinear solver.
    pub iterations: u32,
}

impl Effort {
    /// So many torque evaluations and iterations.
    #[inline(always)]
    pub fn new(torque: u32, iterations: u32) -> Self {
        Self { torque, iterations }
    }
}

/// A one-step scheme for problems of type `P`.
pub trait Scheme<P: Problem>: Send + Sync {
    /// What is carried from step to step beside the state.
    type Memory: Send;
    /// Whether the scheme's theory covers this problem at steps of `h`.
    ///
    /// # Errors
    /// [`NotCovered`].
    fn covers(&self, _p: &P, _h: f64) -> Result<(), NotCovered> {
        Ok(())
    }

    /// What a user should know before the first step of `h`, such as how inconsistent a start is.
    fn notes(&self, _p: &P, _h: f64) -> Vec<Note> {
        Vec::new()
    }

    /// Whether it takes the accelerations of the start as they are given, right or wrong.
    fn starts_as_given(&self) -> bool {
        false
    }

    /// Prepares the memory before the first step from `(t, y)` with step `h`.
    ///
    /// # Errors
    /// [`StepFail`] where the preparation itself must solve equations and cannot.
    fn start(&self, p: &P, t: f64, h: f64, y: &mut P::State) -> Result<Self::Memory, StepFail>;
    /// Advances `y` from `t` to `t + h`.
    ///
    /// # Errors
    /// [`StepFail`]; `y` is then the state before the step.
    fn step(&self, p: &P, t: f64, h: f64, y: &mut P::State, m: &mut Self::Memory) -> Stepped;
}

/// A scheme for rotations under any torque model. Implementing it gives [`Scheme`] for every
/// [`RigidTop`].
pub trait RotationScheme: Send + Sync {
    /// As [`Scheme::Memory`].
    type Memory: Send;
    /// Whether it takes the torque as a series in time, which not every torque has ([`Torque::piece`]).
    const NEEDS_SERIES: bool = false;

    /// Whether the scheme's theory covers a body of this inertia that starts with this body rate,
    /// at steps of `h`.
    ///
    /// # Errors
    /// [`NotCovered`].
    fn covers(&self, _inertia: &Inertia, _omega: &Vec3, _h: f64) -> Result<(), NotCovered> {
        Ok(())
    }
    /// As [`Scheme::start`].
    ///
    /// # Errors
    /// As [`Scheme::start`].
    fn start<T: Torque>(
        &self,
        p: &RigidTop<T>,
        t: f64,
        h: f64,
        y: &mut RotState,
    ) -> Result<Self::Memory, StepFail>;
    /// As [`Scheme::step`].
    ///
    /// # Errors
    /// As [`Scheme::step`].
    fn step<T: Torque>(
        &self,
        p: &RigidTop<T>,
        t: f64,
        h: f64,
        y: &mut RotState,
        m: &mut Self::Memory,
    ) -> Stepped;
}

impl<S: RotationScheme, T: Torque> Scheme<RigidTop<T>> for S {
    type Memory = S::Memory;

    fn covers(&self, p: &RigidTop<T>, h: f64) -> Result<(), NotCovered> {
        RotationScheme::covers(self, p.inertia(), &p.initial().omega, h)
    }
    fn start(
        &self,
        p: &RigidTop<T>,
        t: f64,
        h: f64,
        y: &mut RotState,
    ) -> Result<Self::Memory, StepFail> {
        RotationScheme::start(self, p, t, h, y)
    }
    #[inline]
    fn step(
        &self,
        p: &RigidTop<T>,
        t: f64,
        h: f64,
        y: &mut RotState,
        m: &mut S::Memory,
    ) -> Stepped {
        RotationScheme::step(self, p, t, h, y, m)
    }
}

/// What a step did, or why it could not be made.
pub type Stepped = Result<Effort, StepFail>;

/// Where a step begins: the body, the time (s) and the step (s).
pub struct At<'a, T> {
    /// The body.
    pub top: &'a RigidTop<T>,
    /// t.
    pub t: f64,
    /// h.
    pub h: f64,
}

/// What a [`OneStep`] scheme carries from step to step; it follows from the state.
pub trait Memory: Send {
    /// What is carried into the first step.
    fn start(at: &At<impl Torque>, y: &RotState) -> Self;
}

/// Nothing.
impl Memory for () {
    fn start(_: &At<impl Torque>, _: &RotState) {}
}

/// The body torque at the state, N m.
impl Memory for Vec3 {
    fn start(at: &At<impl Torque>, y: &RotState) -> Self {
        at.top.torque_body(at.t, &y.att)
    }
}

/// Π = J W at the state, kg m²/s, body frame. It is carried because J (J⁻¹ Π) is Π to rounding only, and for some J with a
/// bias: momentum would stray like n instead of √n.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyMomentum(pub Vec3);

impl Memory for BodyMomentum {
    fn start(at: &At<impl Torque>, y: &RotState) -> Self {
        Self(at.top.inertia().times(&y.omega))
    }
}

/// Two things.
impl<A: Memory, B: Memory> Memory for (A, B) {
    fn start(at: &At<impl Torque>, y: &RotState) -> Self {
        (A::start(at, y), B::start(at, y))
    }
}

/// A rotation scheme that starts from any state. Implementing it gives [`RotationScheme`].
pub trait OneStep: Send + Sync {
    /// What is carried from step to step beside the state.
    type Memory: Memory;
    /// As [`RotationScheme::NEEDS_SERIES`].
    const NEEDS_SERIES: bool = false;

    /// As [`RotationScheme::covers`].
    ///
    /// # Errors
    /// As [`RotationScheme::covers`].
    fn covers(&self, _inertia: &Inertia, _omega: &Vec3, _h: f64) -> Result<(), NotCovered> {
        Ok(())
    }
    /// As [`Scheme::step`].
    ///
    /// # Errors
    /// As [`Scheme::step`].
    fn step(&self, at: &At<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> Stepped;
}

impl<S: OneStep> RotationScheme for S {
    type Memory = S::Memory;
    const NEEDS_SERIES: bool = S::NEEDS_SERIES;

    fn covers(&self, inertia: &Inertia, omega: &Vec3, h: f64) -> Result<(), NotCovered> {
        OneStep::covers(self, inertia, omega, h)
    }
    fn start<T: Torque>(
        &self,
        top: &RigidTop<T>,
        t: f64,
        h: f64,
        y: &mut RotState,
    ) -> Result<Self::Memory, StepFail> {
        Ok(Memory::start(&At { top, t, h }, y))
    }
    #[inline]
    fn step<T: Torque>(
        &self,
        top: &RigidTop<T>,
        t: f64,
        h: f64,
        y: &mut RotState,
        m: &mut Self::Memory,
    ) -> Stepped {
        OneStep::step(self, &At { top, t, h }, y, m)
    }
}

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
}

impl core::fmt::Display for Energy {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Exact => write!(f, "exact"),
            Self::Bounded => write!(f, "bounded"),
            Self::Gains(p) => write!(f, "gains like h^{p}"),
            Self::Loses(p) => write!(f, "loses like h^{p}"),
            Self::ToIntermediateAxis => write!(f, "tends to that of the intermediate axis"),
        }
    }
}

impl core::fmt::Display for Momentum {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Exact => "exact",
            Self::Approximate => "approximate",
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
}

/// Torque evaluations of a step. Schemes that begin with the torque of the step before make one
/// more before the first step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evaluations {
    /// So many in every step.
    Exactly(u32),
    /// The torque stands inside the nonlinear equation: one at the guess and one after each
    /// iteration, [`Effort::iterations`] + 1.
    EachIteration,
    /// One in each iteration, none after the last.
    OneEachIteration,
}

impl Evaluations {
    /// Whether a step did the claimed work.
    pub fn agree(self, effort: &Effort) -> bool {
        effort.torque
            == match self {
                Self::Exactly(n) => n,
                Self::EachIteration => effort.iterations + 1,
                Self::OneEachIteration => effort.iterations,
            }
    }
}

impl core::fmt::Display for Evaluations {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Exactly(1) => f.write_str("1 torque evaluation a step"),
            Self::Exactly(n) => write!(f, "{n} torque evaluations a step"),
            Self::EachIteration => f.write_str("1 torque evaluation, and 1 each iteration"),
            Self::OneEachIteration => f.write_str("1 torque evaluation each iteration"),
        }
    }
}

/// What the literature, or we, say of a scheme; tests judge each of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claims {
    /// Order of convergence on an asymmetric, torqued body.
    pub order: u8,
    /// Whether a step with −h undoes a step with h.
    pub reversible: bool,
    /// Whether the step map preserves the symplectic form of T*SO(3).
    pub symplectic: bool,
    /// Energy of a free asymmetric body; of a free symmetric one for schemes that serve no other.
    pub energy: Energy,
    /// Spatial momentum of a free body.
    pub momentum: Momentum,
    /// Torque evaluations a step.
    pub torque_evaluations: Evaluations,
}

/// Steps and spans at which claims are judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judging {
    /// How much longer the steps are than those that suit most schemes.
    pub stretch: f64,
    /// Whether the order settles on body a before round-off; if not, it is that on the heavy top, whose singularities
    /// in complex time are all far.
    pub order_on_a: bool,
    /// Two steps (s) between which a trend of the energy of body f shows, and over which time (s).
    pub trend: ([f64; 2], f64),
    /// How far the power of such a trend may be from the claimed one.
    pub power: f64,
}

impl Claims {
    /// Where an error can be told from round-off. That of an order above 10 is below it at the steps that suit the others,
    /// and has not settled to a power of the step where it is above: such a power is only known to a few units.
    pub fn judging(&self) -> Judging {
        if self.order <= 10 {
            Judging {
                stretch: 1.0,
                order_on_a: true,
                trend: ([0.05, 0.025], 500.0),
                power: 0.25,
            }
        } else {
            Judging {
                stretch: 5.0,
                order_on_a: false,
                trend: ([0.6, 0.45], 2e5),
                power: 2.5,
            }
        }
    }
}

/// A property that a source gives a scheme beyond our claims, or against them; the scorecard
/// measures it too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statement {
    /// Key into `docs/references.bib`.
    pub by: &'static str,
    /// What it says.
    pub says: Saying,
}

/// Kinds of statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saying {
    /// The free motion has this order.
    FreeOrder(u8),
    /// The free motion is exact.
    FreeMotionExact,
    /// The energy is kept.
    KeepsEnergy,
}

impl core::fmt::Display for Saying {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::FreeOrder(n) => write!(f, "order {n} for the free body"),
            Self::FreeMotionExact => write!(f, "an exact free motion"),
            Self::KeepsEnergy => write!(f, "conserved energy"),
        }
    }
}

/// A scheme's description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchemeInfo {
    /// Name in case files; never changes.
    pub name: &'static str,
    /// One line for people.
    pub title: &'static str,
    /// The step, in the notation of the documentation.
    pub formula: &'static str,
    /// Keys into `docs/references.bib`.
    pub citations: &'static [&'static str],
    /// What these sources say beyond our claims, or against them.
    pub literature: &'static [Statement],
    /// Bodies and torques it covers.
    pub assumptions: &'static str,
    /// What is claimed.
    pub claims: Claims,
}

impl SchemeInfo {
    /// What most schemes of rotations have in common.
    pub(super) const OF_ANY_BODY: Self = Self {
        name: "",
        title: "",
        formula: "",
        citations: &[],
        literature: &[],
        assumptions: "any inertia tensor, any torque",
        claims: Claims {
            order: 0,
            reversible: false,
            symplectic: false,
            energy: Energy::Bounded,
            momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(0),
        },
    };
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
            // Some say all.
            #[allow(clippy::needless_update)]
            const INFO: $crate::schemes::SchemeInfo = {
                use $crate::schemes::scheme::*;
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
            /// When the iteration stops.
            pub newton: $crate::schemes::Newton,
        }
        scheme! { impl $scheme { $($info)+ } }
    };
}

pub(super) use scheme;
