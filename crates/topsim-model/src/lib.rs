//! A solver of rigid-body rotation as data: a law of motion, a scheme, what is done beside, and how rows are written.
//!
//! A [`Model`] is simulated from one row to the next; it explains rows that it reproduces to their rounding.

mod angles;
pub mod convention;
pub mod defect;
pub mod design;
pub mod equations;
pub mod euler;
pub mod evidence;
pub mod explain;
mod first_order;
pub mod fit;
pub mod found;
pub mod habit;
mod half_steps;
pub mod joint;
pub mod ladder;
pub mod law;
mod law_search;
mod linear;
pub mod model;
mod names;
mod nearest;
pub mod observed;
pub mod precision;
pub mod print;
pub mod probe;
pub mod report;
mod run;
mod rung;
mod runge_kutta;
mod sample;
mod slips;
pub mod state;
pub mod stepping;
mod suspects;
pub mod tableau;
pub mod units;
pub mod walk;

pub use equations::Equations;
pub use evidence::Evidence;
pub use explain::{Explanation, Scope, explain, follow};
pub use found::Found;
pub use ladder::{Motion, MotionLaw};
pub use law::Change;
pub use law_search::limited;
pub use model::{InvalidModel, Model};
pub use observed::{Interval, Observed, StepHistory};
pub use print::Print;
pub use report::Report;
pub use state::State;
pub use stepping::{Rule, Stepping};
pub use walk::Walk;
