//! A solver of rigid-body rotation as data, `Print ∘ Report ∘ Habit ∘ Scheme[Law]`: simulated, and held against rows.

pub mod law;
pub mod probe;
