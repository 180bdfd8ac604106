//! Relations: a solver is judged without any reference. It runs a problem and its image under an exact symmetry of the
//! equations of motion, and the two motions must be images of each other.
//!
//! A [`Motion`] is what is run. Each [`Relation`] is a row of `table`: which image it poses, what it finds, and of
//! which class a failure is. [`residual()`] measures one relation at one step; `examine` measures all of them over a
//! ladder of steps, from which a [`Holding`] follows.
//!
//! What relations cannot see is a model that is wrong in the same way on both sides: a reversed torque keeps every
//! symmetry. They complement references.
//!
//! `docs/relations.md` says why each relation is exact, and what is reported.

mod catalogue;
mod cause;
mod examine;
mod holding;
mod image;
mod images;
mod motion;
mod not_applicable;
mod pattern;
mod report;
mod residual;
mod table;

#[cfg(test)]
mod tests;

pub use catalogue::{Catalogued, RIGHT_SCHEMES, run_scheme};
pub use cause::CauseClass;
pub use examine::judge_relations;
pub use examine::{examine, image_questions, motion_questions};
pub use holding::{Holding, LEFT_BY_ITERATIONS, UndecidedReason};
pub use images::turn;
pub use motion::{Motion, MotionRows};
pub use not_applicable::NotApplicable;
pub use report::{RelationReport, RelationsReport};
pub use residual::{Residual, RowFloor, residual};
pub use table::{Relation, UnknownRelation};
