//! One problem with one scheme, their types erased once per run so that the loop stays monomorphic.

use super::counted::{self, Count};
use super::events::EventSpec;
use super::follow::Stops;
use super::grid::Grid;
use super::parameters::ParameterError;
use super::run::Run;
use super::stepper::{Poll, integrate, measure};
use crate::models::reduced::{Potential, Reduced, ReducedVisitor};
use crate::models::{
    AnySymmetricTop, Columns, GivenRate, Jointed, Measured, Model, NotSymmetric, PhaseSpace,
    RigidTop, Split, TopVisitor, Torque,
};
use crate::schemes::probe::{self, Halt, Steps, Wanted};
use crate::schemes::{NotCovered, Note, RateScheme, RotationScheme, Scheme, Splitting};
use std::sync::Arc;

/// A problem bound to a scheme.
pub trait Experiment: Send + Sync {
    /// Integrates over `grid`; see [`integrate`].
    fn run(&self, grid: &Grid, events: &[EventSpec], poll: Poll) -> Run;
    /// Whether the scheme's theory covers the problem at steps of `h`.
    ///
    /// # Errors
    /// [`NotCovered`].
    fn covers(&self, h: f64) -> Result<(), NotCovered>;
    /// What a user should know before the first step of `h`, such as how inconsistent a start is.
    fn notes(&self, h: f64) -> Vec<Note>;
    /// Whether the scheme takes the accelerations of the start as they are given, right or wrong.
    fn starts_as_given(&self) -> bool;
    /// Makes `n` bare steps of `h` from the start at time `t`, with nothing followed, and measures
    /// the last state.
    ///
    /// # Errors
    /// As [`probe::advance`].
    fn advance(&self, steps: Steps, wanted: Wanted) -> Result<Vec<f64>, Halt>;
    /// The row measured after `n` steps of `h` from the start at time `t`, and `n` of −h back.
    ///
    /// # Errors
    /// As [`probe::advance`].
    fn there_and_back(&self, steps: Steps, wanted: Wanted) -> Result<Vec<f64>, Halt>;
    /// [`probe::symplectic_defect`] of one step of `h` from the start at time `t`.
    ///
    /// # Errors
    /// As [`probe::advance`].
    fn symplectic_defect(&self, at: (f64, f64), wanted: Wanted) -> Result<f64, Halt>;
    /// Torque evaluations of `n` steps of `h` from the start at time `t`: those that the scheme says, and those counted.
    /// `None` for bodies with their joints, whose torque is no call.
    fn evaluations(&self, steps: Steps, wanted: Wanted) -> Option<Result<[u64; 2], Halt>>;
    /// Steps beside a motion recorded elsewhere and shows the row measured at each stop; see
    /// [`super::follow()`].
    fn follow(&self, stops: &Stops, visit: &mut dyn FnMut(usize, &[f64]) -> bool) -> bool;
    /// What its histories hold.
    fn columns(&self) -> &Columns;
}

/// The one implementation.
struct Bound<P, S> {
    problem: P,
    scheme: Arc<S>,
    columns: Columns,
    count: Option<Count>,
}

impl<P: Measured, S> Bound<P, S> {
    fn boxed(problem: P, scheme: S) -> Box<dyn Experiment>
    where
        P: PhaseSpace + 'static,
        S: Scheme<P> + 'static,
    {
        Self::counted(problem, Arc::new(scheme), None)
    }
    fn counted(problem: P, scheme: Arc<S>, count: Option<Count>) -> Box<dyn Experiment>
    where
        P: PhaseSpace + 'static,
        S: Scheme<P> + 'static,
    {
        Box::new(Self {
            columns: problem.columns(),
            problem,
            scheme,
            count,
        })
    }
}

impl<P: Measured + PhaseSpace, S: Scheme<P>> Experiment for Bound<P, S> {
    fn run(&self, grid: &Grid, events: &[EventSpec], poll: Poll) -> Run {
        integrate(&self.problem, &*self.scheme, grid, events, poll)
    }
    fn covers(&self, h: f64) -> Result<(), NotCovered> {
        self.scheme.covers(&self.problem, h)
    }
    fn notes(&self, h: f64) -> Vec<Note> {
        self.scheme.notes(&self.problem, h)
    }
    fn starts_as_given(&self) -> bool {
        self.scheme.starts_as_given()
    }
    fn advance(&self, (t, h, n): Steps, wanted: Wanted) -> Result<Vec<f64>, Halt> {
        let mut y = self.problem.initial();
        probe::advance(&*self.scheme, &self.problem, (t, h, n), &mut y, wanted)?;
        Ok(measured(&self.problem, t + n as f64 * h, &y))
    }
    fn there_and_back(&self, steps: Steps, wanted: Wanted) -> Result<Vec<f64>, Halt> {
        let y = probe::there_and_back(&*self.scheme, &self.problem, steps, wanted)?;
        Ok(measured(&self.problem, steps.0, &y))
    }
    fn symplectic_defect(&self, at: (f64, f64), wanted: Wanted) -> Result<f64, Halt> {
        probe::symplectic_defect(&*self.scheme, &self.problem, at, wanted)
    }
    fn evaluations(&self, steps: Steps, wanted: Wanted) -> Option<Result<[u64; 2], Halt>> {
        Some(self.count.as_ref()?(steps, wanted))
    }
    fn follow(&self, stops: &Stops, visit: &mut dyn FnMut(usize, &[f64]) -> bool) -> bool {
        let mut row = vec![0.0; self.columns.width()];
        super::follow(&self.problem, &*self.scheme, stops, &mut |i, y| {
            let t = stops.start + stops.counts[i] as f64 * stops.step;
            measure(&self.problem, t, y, &mut row);
            visit(i, &row)
        })
    }
    fn columns(&self) -> &Columns {
        &self.columns
    }
}

/// The row of a state.
fn measured<P: Measured>(problem: &P, t: f64, y: &P::State) -> Vec<f64> {
    let mut row = vec![0.0; problem.columns().width()];
    measure(problem, t, y, &mut row);
    row
}

/// Why a scheme cannot be used as asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// A parameter is unknown, of the wrong type or out of range.
    #[error("{0}")]
    Parameters(ParameterError),
    /// The scheme belongs to another family of problems.
    #[error("the scheme does not serve this case: {0}")]
    Family(WrongFamily),
}

/// Why a scheme does not serve a body.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WrongFamily {
    /// A scheme of rotations, and bodies without an attitude.
    #[error("it turns an attitude, and these bodies are reduced to their axes")]
    NoAttitude,
    /// A scheme that expands the motion in time, and a torque without a series.
    #[error("it expands the motion in time, and has no recurrence for this torque")]
    NoSeries,
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
pub fn bind<S: RotationScheme + 'static>(
    scheme: S,
    model: &Model,
) -> Result<Box<dyn Experiment>, Refusal> {
    struct Bind<S>(Arc<S>, Count);
    impl<S: RotationScheme + 'static> TopVisitor for Bind<S> {
        type Out = Box<dyn Experiment>;
        fn visit<T: Torque>(self, problem: RigidTop<T>) -> Self::Out {
            Bound::counted(problem, self.0, Some(self.1))
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
            let scheme = Arc::new(scheme);
            let count = counted::of_top(scheme.clone(), top);
            Ok(top.visit(Bind(scheme, count)))
        }
        Model::Jointed(jointed) => Ok(match jointed.without_torque() {
            Some(free) => Bound::boxed(free, scheme),
            None => Bound::boxed(jointed.clone(), scheme),
        }),
        Model::Reduced(_) => Err(Refusal::Family(WrongFamily::NoAttitude)),
        Model::GivenRate(_) => Err(Refusal::Family(WrongFamily::NoBody)),
    }
}

/// A splitting scheme on a problem, with its forces counted.
fn split<P, S>(problem: P, scheme: S) -> Box<dyn Experiment>
where
    P: Measured + PhaseSpace + Split + Clone + 'static,
    S: Splitting + 'static,
{
    let scheme = Arc::new(scheme);
    let count = counted::of_split(scheme.clone(), problem.clone());
    Bound::counted(problem, scheme, Some(count))
}

/// Binds a splitting scheme to symmetric bodies: reduced, or a symmetric top with its attitude.
///
/// # Errors
/// [`Refusal::Family`] for other bodies.
pub(super) fn bind_splitting<S: Splitting + 'static>(
    scheme: S,
    model: &Model,
) -> Result<Box<dyn Experiment>, Refusal> {
    struct Bind<S>(S);
    impl<S: Splitting + 'static> ReducedVisitor for Bind<S> {
        type Out = Box<dyn Experiment>;
        fn visit<U: Potential>(self, problem: Reduced<U>) -> Self::Out {
            split(problem, self.0)
        }
    }
    let top = match model {
        Model::Reduced(reduced) => return Ok(reduced.visit(Bind(scheme))),
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
pub(super) fn bind_constrained<S: Scheme<Jointed> + 'static>(
    scheme: S,
    model: &Model,
) -> Result<Box<dyn Experiment>, Refusal> {
    match model {
        Model::Jointed(jointed) if jointed.multipliers() => {
            Ok(Bound::boxed(jointed.clone(), scheme))
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
) -> Result<Box<dyn Experiment>, Refusal> {
    let Model::GivenRate(problem) = model else {
        return Err(Refusal::Family(WrongFamily::OwnRate));
    };
    let scheme = Arc::new(scheme);
    let count = counted::of_rate(scheme.clone(), problem);
    Ok(Bound::<GivenRate<_>, _>::counted(
        problem.clone(),
        scheme,
        Some(count),
    ))
}
