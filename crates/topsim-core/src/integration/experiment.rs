//! One problem with one scheme, their types erased once per run so that the loop stays monomorphic.

use super::counters::{self, Count};
use super::events::EventSpec;
use super::follow::{Stops, follow};
use super::grid::Grid;
use super::parameters::ParameterError;
use super::run::Run;
use super::step_map::{Motion, StepMap};
use super::stepper::{self, Poll};
use super::together::LaneBound;
use crate::models::reduced::{Potential, ReducedSystem, ReducedVisitor};
use crate::models::{
    AnySymmetricTop, Columns, JointedBody, Measured, Model, NotSymmetric, PhaseSpace, RigidTop,
    Split, TopVisitor, Torque,
};
use crate::schemes::steps::{Continuation, Halt, Steps};
use crate::schemes::{NotCovered, Note, RateScheme, RotationScheme, Scheme, Splitting};
use std::sync::Arc;

/// A problem bound to a scheme.
pub struct Experiment {
    bound: Box<dyn AnyBound>,
    columns: Arc<Columns>,
    count: Option<Count>,
    /// The body with its scheme's runs in lanes, if both have them.
    pub(super) lanes: Option<LaneBound>,
}

/// Operations of an experiment that depend on the types of its problem and scheme.
trait AnyBound: Send + Sync {
    fn covers(&self, h: f64) -> Result<(), NotCovered>;
    fn notes(&self, h: f64) -> Vec<Note>;
    fn starts_as_given(&self) -> bool;
    fn restarts(&self) -> bool;
    fn switches(&self, from: f64, to: f64) -> Vec<f64>;
    /// Makes a step map at the initial state.
    fn motion(&self) -> Box<dyn StepMap + '_>;
}

struct BoundScheme<P, S> {
    problem: P,
    scheme: Arc<S>,
}

impl<P: Measured + PhaseSpace, S: Scheme<P>> AnyBound for BoundScheme<P, S> {
    fn covers(&self, h: f64) -> Result<(), NotCovered> {
        self.scheme.covers(&self.problem, h)
    }
    fn notes(&self, h: f64) -> Vec<Note> {
        self.scheme.notes(&self.problem, h)
    }
    fn starts_as_given(&self) -> bool {
        self.scheme.starts_as_given()
    }
    fn restarts(&self) -> bool {
        self.scheme.restarts(&self.problem)
    }
    fn switches(&self, from: f64, to: f64) -> Vec<f64> {
        self.problem.switches(from, to)
    }
    fn motion(&self) -> Box<dyn StepMap + '_> {
        Box::new(Motion::new(&self.problem, &*self.scheme))
    }
}

impl Experiment {
    fn new<P, S>(problem: P, scheme: Arc<S>, count: Option<Count>) -> Self
    where
        P: Measured + PhaseSpace + 'static,
        S: Scheme<P> + 'static,
    {
        Self {
            columns: Arc::new(problem.columns()),
            bound: Box::new(BoundScheme { problem, scheme }),
            count,
            lanes: None,
        }
    }
    /// Integrates over `grid`; see [`super::integrate`].
    pub fn run(&self, grid: &Grid, events: &[EventSpec], poll: Poll) -> Run {
        let switches = self.bound.switches(grid.start, grid.time(grid.steps));
        let columns = (self.columns.clone(), switches);
        stepper::run(&mut *self.bound.motion(), columns, (grid, events), poll)
    }
    /// Checks that the scheme's theory covers the problem at steps of `h`.
    ///
    /// # Errors
    /// [`NotCovered`].
    pub fn covers(&self, h: f64) -> Result<(), NotCovered> {
        self.bound.covers(h)
    }
    /// Returns notes for the user about steps of `h`, such as how inconsistent a start is.
    pub fn notes(&self, h: f64) -> Vec<Note> {
        self.bound.notes(h)
    }
    /// Returns true if the scheme takes the accelerations of the start as they are given, right or wrong.
    pub fn starts_as_given(&self) -> bool {
        self.bound.starts_as_given()
    }
    /// Returns true if a start from a state of a run is as good as going on: dense samples are such starts.
    pub fn restarts(&self) -> bool {
        self.bound.restarts()
    }
    /// Makes `n` bare steps of `h` from the start at time `t`, with nothing followed, and measures
    /// the last state.
    ///
    /// # Errors
    /// [`Halt`].
    pub fn advance(&self, (t, h, n): Steps, wanted: Continuation) -> Result<Vec<f64>, Halt> {
        let mut motion = self.bound.motion();
        motion.advance((t, h, n), wanted)?;
        Ok(motion.row(t + n as f64 * h, self.columns.width()))
    }
    /// Returns the row measured after `n` steps of `h` from the start at time `t`, and `n` of −h back.
    ///
    /// # Errors
    /// [`Halt`].
    pub fn there_and_back(&self, steps: Steps, wanted: Continuation) -> Result<Vec<f64>, Halt> {
        let mut motion = self.bound.motion();
        motion.there_and_back(steps, wanted)?;
        Ok(motion.row(steps.0, self.columns.width()))
    }
    /// Returns the largest entry of `DΦᵀ Ω DΦ − Ω` for one step `Φ` of `h` from the initial state at time `t`, in
    /// the coordinates of [`PhaseSpace`]. Its entries have the units of that form: for a rotating body
    /// |Π|, 1 and 1/|Π|, with noise of some 1e-13 of each.
    ///
    /// # Errors
    /// [`Halt`].
    pub fn symplectic_defect(&self, (t, h): (f64, f64), wanted: Continuation) -> Result<f64, Halt> {
        self.bound.motion().symplectic_defect((t, h), wanted)
    }
    /// Returns the torque evaluations of `n` steps of `h` from the start at time `t`: those that the scheme says, and
    /// those counted. `None` for bodies with their joints, whose torque is no call.
    pub fn evaluations(
        &self,
        steps: Steps,
        wanted: Continuation,
    ) -> Option<Result<[u64; 2], Halt>> {
        Some(self.count.as_ref()?(steps, wanted))
    }
    /// Steps beside a motion recorded elsewhere: from the problem's initial state, with the row measured at each stop, and
    /// the stop's index, shown until `visit` has seen enough and returns false. Returns false where a step failed or
    /// somebody stopped it.
    pub fn follow(&self, stops: &Stops, visit: &mut dyn FnMut(usize, &[f64]) -> bool) -> bool {
        let width = self.columns.width();
        follow(&mut *self.bound.motion(), width, stops, visit)
    }
    /// Returns the columns of its histories.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }
}

/// Reason why a scheme cannot be used as asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// A parameter is unknown, of the wrong type or out of range.
    #[error("{0}")]
    Parameters(#[from] ParameterError),
    /// The scheme belongs to another family of problems.
    #[error("the scheme does not serve this case: {0}")]
    Family(WrongFamily),
}

/// Reason why a scheme does not serve a body.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WrongFamily {
    /// A scheme of rotations, and bodies without an attitude.
    #[error("it turns an attitude, and these bodies are reduced to their axes")]
    NoAttitude,
    /// A scheme that expands the motion in time, and a torque without a series.
    #[error("it expands the motion in time, and has no recurrence for this torque")]
    NoSeries,
    /// A scheme that evaluates the torque outside its step, and a torque that jumps or has a kink at some time.
    #[error(
        "it evaluates the torque outside its step, and this one has a kink or a jump at t = {0} s (also those before and after the run count)"
    )]
    NotSmooth(f64),
    /// A scheme of torques of time and attitude, and one that depends on the rate.
    #[error("it takes torques of time and attitude, and this one depends on the rate")]
    NoRate,
    /// A splitting scheme, and a body that is no symmetric top.
    #[error("of this body {0}")]
    NotSymmetric(NotSymmetric),
    /// A splitting scheme, and a body that moves freely.
    #[error("it splits reduced bodies and tops, not a body with a [flight]")]
    Flight,
    /// A scheme of constrained systems, and a body whose centre of mass is no coordinate.
    #[error(
        "it integrates the centre of mass beside the attitude, and the joint that holds them \
         together; it needs a [support] with a lever, a mass and the inertia about the centre of \
         mass (see `topsim show kynema_heavy_top`)"
    )]
    NoConstraint,
    /// A scheme of bodies, and an attitude with a given rate.
    #[error("it turns a body, and here the rate is given: no body, no torque")]
    NoBody,
    /// A scheme of a given rate, and a body.
    #[error("it takes a given rate, and the rate of this body is part of its motion")]
    OwnRate,
}

/// Binds a rotation scheme to a body with any torque model, with its centre of mass or without.
///
/// # Errors
/// [`Refusal::Family`] for bodies without an attitude.
pub fn bind<S: RotationScheme + 'static>(scheme: S, model: &Model) -> Result<Experiment, Refusal> {
    struct BindTop<S>(Arc<S>, Count);
    impl<S: RotationScheme + 'static> TopVisitor for BindTop<S> {
        type Out = Experiment;
        fn visit<T: Torque>(self, problem: RigidTop<T>) -> Self::Out {
            Experiment::new(problem, self.0, Some(self.1))
        }
    }
    match model {
        Model::Top(top) if S::NEEDS_SERIES && top.torque.piece(0.0).is_none() => {
            Err(Refusal::Family(WrongFamily::NoSeries))
        }
        Model::Top(top) if !S::TAKES_RATE && top.torque.depends_on_rate() => {
            Err(Refusal::Family(WrongFamily::NoRate))
        }
        Model::Top(top) => {
            let switches = || top.torque.switches(f64::NEG_INFINITY, f64::INFINITY);
            if S::NEEDS_SMOOTH
                && let Some(&t) = switches().first()
            {
                return Err(Refusal::Family(WrongFamily::NotSmooth(t)));
            }
            let scheme = Arc::new(scheme);
            let count = counters::of_top(scheme.clone(), top);
            let lanes = LaneBound::new(scheme.clone(), top);
            let bound = top.visit(BindTop(scheme, count));
            Ok(Experiment { lanes, ..bound })
        }
        Model::Jointed(jointed) => Ok(match jointed.without_torque() {
            Some(free) => Experiment::new(free, Arc::new(scheme), None),
            None => Experiment::new(jointed.clone(), Arc::new(scheme), None),
        }),
        Model::Reduced(_) => Err(Refusal::Family(WrongFamily::NoAttitude)),
        Model::GivenRate(_) => Err(Refusal::Family(WrongFamily::NoBody)),
    }
}

/// Returns a splitting scheme on a problem, with its forces counted.
fn split<P, S>(problem: P, scheme: S) -> Experiment
where
    P: Measured + PhaseSpace + Split + Clone + 'static,
    S: Splitting + 'static,
{
    let scheme = Arc::new(scheme);
    let count = counters::of_split(scheme.clone(), problem.clone());
    Experiment::new(problem, scheme, Some(count))
}

/// Binds a splitting scheme to symmetric bodies: reduced, or a symmetric top with its attitude.
///
/// # Errors
/// [`Refusal::Family`] for other bodies.
pub(super) fn bind_splitting<S: Splitting + 'static>(
    scheme: S,
    model: &Model,
) -> Result<Experiment, Refusal> {
    struct BindReduced<S>(S);
    impl<S: Splitting + 'static> ReducedVisitor for BindReduced<S> {
        type Out = Experiment;
        fn visit<U: Potential>(self, problem: ReducedSystem<U>) -> Self::Out {
            split(problem, self.0)
        }
    }
    let top = match model {
        Model::Reduced(reduced) => return Ok(reduced.visit(BindReduced(scheme))),
        Model::Top(top) => AnySymmetricTop::new(top),
        Model::Jointed(jointed) if jointed.multipliers() => AnySymmetricTop::jointed(jointed),
        Model::Jointed(_) => return Err(Refusal::Family(WrongFamily::Flight)),
        Model::GivenRate(_) => return Err(Refusal::Family(WrongFamily::NoBody)),
    };
    match top {
        Ok(AnySymmetricTop::Free(top)) => Ok(split(top, scheme)),
        Ok(AnySymmetricTop::Gravity(top)) => Ok(split(top, scheme)),
        Err(why) => Err(Refusal::Family(WrongFamily::NotSymmetric(why))),
    }
}

/// Binds a scheme of constrained systems to a jointed body.
///
/// # Errors
/// [`Refusal::Family`] for bodies whose centre of mass is no coordinate of its own.
pub(super) fn bind_constrained<S: Scheme<JointedBody> + 'static>(
    scheme: S,
    model: &Model,
) -> Result<Experiment, Refusal> {
    match model {
        Model::Jointed(jointed) if jointed.multipliers() => {
            Ok(Experiment::new(jointed.clone(), Arc::new(scheme), None))
        }
        Model::GivenRate(_) => Err(Refusal::Family(WrongFamily::NoBody)),
        Model::Top(_) | Model::Jointed(_) | Model::Reduced(_) => {
            Err(Refusal::Family(WrongFamily::NoConstraint))
        }
    }
}

/// Binds a scheme of a given rate to an attitude with such a rate.
///
/// # Errors
/// [`Refusal::Family`] for bodies.
pub(super) fn bind_given_rate<S: RateScheme + 'static>(
    scheme: S,
    model: &Model,
) -> Result<Experiment, Refusal> {
    let Model::GivenRate(problem) = model else {
        return Err(Refusal::Family(WrongFamily::OwnRate));
    };
    let scheme = Arc::new(scheme);
    let count = counters::of_rate(scheme.clone(), problem);
    Ok(Experiment::new(problem.clone(), scheme, Some(count)))
}
