//! One problem with one scheme, their types erased once per run so that the loop stays monomorphic.

use super::events::EventSpec;
use super::grid::Grid;
use super::run::{Run, StopReason};
use super::stepper::integrate;
use crate::models::{AnyTop, Channel, Group, Measured, RigidTop, TopVisitor, Torque};
use crate::schemes::{RotationScheme, Scheme};
use std::ops::Range;

/// A problem bound to a scheme.
pub trait Experiment: Send + Sync {
    /// Integrates over `grid`; see [`integrate`].
    fn run(
        &self,
        grid: &Grid,
        events: &[EventSpec],
        poll: &dyn Fn(u64) -> Option<StopReason>,
    ) -> Run;
    /// Columns of its histories.
    fn channels(&self) -> &'static [Channel];
    /// Quantities of several columns.
    fn groups(&self) -> &'static [Group];
    /// The columns followed at every step.
    fn tracked(&self) -> Range<usize>;
}

struct Bound<P, S> {
    problem: P,
    scheme: S,
}

impl<P: Measured, S: Scheme<P>> Experiment for Bound<P, S> {
    fn run(
        &self,
        grid: &Grid,
        events: &[EventSpec],
        poll: &dyn Fn(u64) -> Option<StopReason>,
    ) -> Run {
        integrate(&self.problem, &self.scheme, grid, events, poll)
    }
    fn channels(&self) -> &'static [Channel] {
        P::CHANNELS
    }
    fn groups(&self) -> &'static [Group] {
        P::GROUPS
    }
    fn tracked(&self) -> Range<usize> {
        P::TRACKED
    }
}

/// Binds a rotation scheme to a body with any torque model.
pub fn bind<S: RotationScheme + 'static>(scheme: S, top: &AnyTop) -> Box<dyn Experiment> {
    struct Bind<S>(S);
    impl<S: RotationScheme + 'static> TopVisitor for Bind<S> {
        type Out = Box<dyn Experiment>;
        fn visit<T: Torque>(self, problem: RigidTop<T>) -> Self::Out {
            Box::new(Bound {
                problem,
                scheme: self.0,
            })
        }
    }
    top.visit(Bind(scheme))
}
