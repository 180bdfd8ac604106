//! The score of a test of rotation code.

/// Verdict of a test on histories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GateVerdict {
    /// It accepts them.
    Accepted,
    /// It rejects them.
    Rejected,
    /// It says nothing: its time was over.
    TimeLimit,
}

/// The answer of a test on the histories of a solver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateAnswer {
    /// Name of the solver.
    pub solver: String,
    /// True for a right solver.
    pub is_right: bool,
    /// Verdict of the test on its histories.
    pub verdict: GateVerdict,
    /// Last line that the test wrote on its standard error; empty if it wrote none.
    pub said: String,
}

/// Counts of the answers of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateScore {
    /// Answers, those on right solvers first.
    pub answers: Vec<GateAnswer>,
}

impl GateAnswer {
    /// Tests whether the answer is the one that the solver deserves.
    pub fn is_right_answer(&self) -> bool {
        let deserved = match self.is_right {
            true => GateVerdict::Accepted,
            false => GateVerdict::Rejected,
        };
        self.verdict == deserved
    }
}

impl GateScore {
    /// Returns the answers on right or on wrong solvers.
    pub fn on(&self, right: bool) -> impl Iterator<Item = &GateAnswer> {
        self.answers.iter().filter(move |a| a.is_right == right)
    }

    /// Returns the wrong solvers that the test does not reject, and the right ones that it does not accept.
    pub fn mistakes(&self) -> impl Iterator<Item = &GateAnswer> {
        self.answers.iter().filter(|a| !a.is_right_answer())
    }

    /// Returns the part of the wrong solvers that the test rejects; 1 where there is none.
    pub fn rejected(&self) -> f64 {
        let wrong = self.on(false).count();
        let rejected = self.on(false).filter(|a| a.is_right_answer()).count();
        match wrong {
            0 => 1.0,
            _ => rejected as f64 / wrong as f64,
        }
    }

    /// Tests whether the test accepts all right solvers.
    pub fn accepts_right(&self) -> bool {
        self.on(true).all(GateAnswer::is_right_answer)
    }
}
