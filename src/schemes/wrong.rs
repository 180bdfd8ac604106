//! wrong twins
