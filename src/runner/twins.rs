//! Deliberately wrong schemes against the shipped cases.
