//! Measures a solver at states of our choice, and says what it integrates and how.

#![allow(dead_code)]

pub(crate) mod experiment;
pub(crate) mod scheme;
