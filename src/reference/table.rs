//! A reference known at a few times only: published or high-precision values.

/// Values at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRow {
    /// Time, s.
    pub time: f64,
    /// `(column, value)`.
    pub values: Vec<(usize, f64)>,
}

/// Rows of known values with their own uncertainty.
#[derive(Debug, Clone, PartialEq)]
pub struct TableReference {
    /// Rows, in the order of the file.
    pub rows: Vec<TableRow>,
    /// Bound of the error of every value.
    pub error: f64,
    /// Where the values come from.
    pub source: String,
}
