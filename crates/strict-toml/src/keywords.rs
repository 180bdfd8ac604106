//! Keywords of schemas that are this crate's own.

/// Keyword beside an `enum`: an object of other names of its values, by which people look for them. Messages lead from these
/// names to the values; as values the names are refused.
pub const OTHER_NAMES: &str = "x-other-names";

/// Keyword beside an `enum`: a command that lists its values. Messages name the command where the values are many.
pub const LISTED: &str = "x-listed";
