//! What the crate promises to those who use it, in one binary.

mod rows;
