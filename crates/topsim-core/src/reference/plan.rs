//! What the runs of a problem are compared with, before and after it is computed.

use super::{
    LEAST_NUMERICAL_ERROR, NoClosedForm, Numerical, NumericalError, ReducedMotion, ReferenceKind,
    RowReference, bind, bind_jointed, given_rate,
};
use crate::models::reduced::{Potential, ReducedSystem, ReducedVisitor};
use crate::models::{Model, Quantity, RigidTop, TopVisitor, Torque};

/// The reference of a problem.
#[derive(Default)]
pub enum ReferencePlan {
    /// Nothing.
    #[default]
    None,
    /// Ready: a closed form.
    Ready(Box<dyn RowReference>),
    /// To be computed, over this span.
    Numerical {
        /// The body.
        model: Box<Model>,
        /// Start, s.
        start: f64,
        /// End of the longest run, s.
        end: f64,
    },
}

/// Why there is no reference.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoReference {
    /// The problem asks for none.
    #[error("the case has no reference")]
    Unasked,
    /// It could not be computed.
    #[error("the numerical reference failed: {0}")]
    Failed(NumericalError),
}

impl ReferencePlan {
    /// The reference of a body over a span: of the kind that is asked for, or without one a closed form if the body
    /// has any, and a computation if not.
    ///
    /// # Errors
    /// [`NoClosedForm`] where the body has no closed form of the kind.
    pub fn new(
        kind: Option<ReferenceKind>,
        model: &Model,
        (start, end): (f64, f64),
    ) -> Result<Self, NoClosedForm> {
        let closed = |kind: &ReferenceKind| kind.closed_form(model, start).ok().flatten();
        let form = match kind {
            Some(kind) => kind.closed_form(model, start)?,
            None => ReferenceKind::CLOSED.iter().find_map(closed),
        };
        Ok(match form {
            Some(mut reference) => {
                reference.certify(end);
                Self::Ready(reference)
            }
            None => Self::Numerical {
                model: Box::new(model.clone()),
                start,
                end,
            },
        })
    }

    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// What the error of a quantity at time `t` cannot be below; known before a numerical reference is computed.
    pub fn least_error(&self, t: f64, quantity: &str) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Ready(reference) => reference.error(t, quantity),
            Self::Numerical { model, .. } => match model.columns().group(quantity) {
                Some(group) if group.quantity == Quantity::Attitude => LEAST_NUMERICAL_ERROR,
                _ => 0.0,
            },
        }
    }

    /// A numerical reference over another span; `None` stands for any other.
    #[must_use]
    pub fn until(&self, last: f64) -> Self {
        match self {
            Self::Numerical { model, start, .. } => Self::Numerical {
                model: model.clone(),
                start: *start,
                end: last,
            },
            Self::None | Self::Ready(_) => Self::None,
        }
    }

    /// Computes a numerical reference; `wanted` is asked now and then whether to go on.
    ///
    /// # Errors
    /// [`NoReference`]: also where there is nothing to compute.
    pub fn compute(&self, wanted: &dyn Fn() -> bool) -> Result<Box<dyn RowReference>, NoReference> {
        let Self::Numerical { model, start, end } = self else {
            return Err(NoReference::Unasked);
        };
        let solve = Solve {
            start: *start,
            end: *end,
            wanted,
        };
        match &**model {
            Model::Top(top) => top.visit(solve),
            Model::Reduced(reduced) => reduced.visit(solve),
            Model::GivenRate(problem) => {
                given_rate::computed(problem, (*start, *end), wanted).map_err(NoReference::Failed)
            }
            Model::Jointed(jointed) => Ok(bind_jointed(
                jointed,
                *start,
                solve.solve(jointed.top().clone())?,
            )),
        }
    }
}

struct Solve<'a> {
    start: f64,
    end: f64,
    wanted: &'a dyn Fn() -> bool,
}

impl Solve<'_> {
    fn solve<T: Torque>(&self, top: RigidTop<T>) -> Result<Numerical<T>, NoReference> {
        Numerical::new_while(top, self.start, self.end, self.wanted).map_err(NoReference::Failed)
    }
}

impl ReducedVisitor for Solve<'_> {
    type Out = Result<Box<dyn RowReference>, NoReference>;
    fn visit<U: Potential>(self, problem: ReducedSystem<U>) -> Self::Out {
        ReducedMotion::new_while(problem, self.start, self.end, self.wanted)
            .map(|solved| Box::new(solved) as Box<dyn RowReference>)
            .map_err(NoReference::Failed)
    }
}

impl TopVisitor for Solve<'_> {
    type Out = Result<Box<dyn RowReference>, NoReference>;
    fn visit<T: Torque>(self, top: RigidTop<T>) -> Self::Out {
        Ok(bind(top.clone(), self.solve(top)?))
    }
}
