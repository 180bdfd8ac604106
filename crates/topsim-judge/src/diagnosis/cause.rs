//! What is said of a solver.

use serde::Serialize;

/// What part of a solver is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The motion may be right; what is written of it is not what the columns say.
    Reporting,
    /// The equations of motion.
    Model,
    /// How they are stepped.
    Scheme,
}

/// A defect that explains what was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cause {
    /// A name that does not change, for baselines: `model/gyroscopic_missing`.
    pub id: String,
    /// What part is wrong.
    pub part: Part,
    /// Its name, for people.
    pub name: String,
    /// Why it is believed, with numbers.
    pub evidence: String,
    /// What it means, and where to look.
    pub advice: String,
    /// Other defects that these data do not tell from it.
    pub alike: Vec<Alike>,
}

/// A defect that looks the same here.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Alike {
    /// Its name that does not change.
    pub id: String,
    /// Its name.
    pub name: String,
    /// A problem on which the two differ; none of the judging set does where absent.
    pub told_by: Option<String>,
}

/// A scheme whose steps these are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Identified {
    /// A name that does not change: `catalogue/lie_newmark`, `naive/explicit_euler…`.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Details, such as how the attitude is turned.
    pub detail: String,
    /// Largest angle between the histories and its own, rad.
    pub within: f64,
    /// Rows compared.
    pub rows: usize,
    /// Other schemes that make the same steps here.
    pub alike: Vec<String>,
    /// What follows from the scheme, where it is of first order.
    pub weakness: Option<String>,
}

/// The sum of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Conclusion {
    /// The case's motion, as far as can be told.
    Right,
    /// Something is wrong, and it has a name.
    Named,
    /// The histories are those of another motion, and no known defect explains it.
    NoneFits,
    /// They do not tell.
    Unsettled,
}
