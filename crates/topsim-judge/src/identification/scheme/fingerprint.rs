//! The step as a series in h, term by term: which of the elementary differentials of the equations it has, with which factor.
//! No family of schemes is assumed.

use crate::thresholds::{EXPLAINED, OTHER_FACTOR, TENTH};
use topsim_model::step_terms::Term;

/// A factor of a term.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coefficient {
    /// Power of h.
    pub order: usize,
    pub term: Term,
    pub value: f64,
    /// What the exact motion has.
    pub exact: f64,
    /// Bound of the value's error.
    pub error: f64,
}

impl Coefficient {
    /// How far it is from the exact factor; zero within its error.
    pub fn deviation(&self) -> f64 {
        let d = self.value - self.exact;
        if d.abs() <= self.error { 0.0 } else { d }
    }
}

/// The part of one order of h that was fitted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Remainder {
    /// Power of h.
    pub order: usize,
    /// Relative, what no term explains; infinite where it was not measured.
    pub all: f64,
    /// The same of what is not along W.
    pub across: f64,
}

/// The series of a step.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fingerprint {
    pub rate: Vec<Coefficient>,
    pub attitude: Vec<Coefficient>,
    /// What is left of the rate, by order.
    pub rate_left: Vec<Remainder>,
    /// What is left of the turn, by order.
    pub attitude_left: Vec<Remainder>,
    /// Above it, what is left of an order means that other terms are there.
    pub unexplained: f64,
}

impl Fingerprint {
    /// A factor of the rate.
    pub fn of_rate(&self, term: Term) -> Option<&Coefficient> {
        self.rate.iter().find(|c| c.term == term)
    }
    /// A factor of the turn.
    pub fn of_attitude(&self, term: Term) -> Option<&Coefficient> {
        self.attitude.iter().find(|c| c.term == term)
    }
    /// What is left of both at an order.
    pub fn left(&self, order: usize) -> f64 {
        let of = |all: &[Remainder]| {
            all.iter()
                .find(|l| l.order == order)
                .map_or(f64::NAN, |l| l.all)
        };
        let (a, b) = (of(&self.rate_left), of(&self.attitude_left));
        if (a + b).is_nan() {
            f64::INFINITY
        } else {
            a.max(b)
        }
    }
    /// The order of the scheme: one less than the first order of h with a deviation, and whether it is that at least, since
    /// nothing more was seen. `None` where not even the first order of h was measured.
    pub fn order(&self) -> Option<(usize, bool)> {
        for n in 1..=3 {
            let all = || {
                self.rate
                    .iter()
                    .chain(&self.attitude)
                    .filter(|c| c.order == n)
            };
            let wrong = all().any(|c| c.error < TENTH && c.deviation().abs() > OTHER_FACTOR);
            if wrong || self.unexplained(n) {
                return (n > 1).then_some((n - 1, false));
            }
            if !self.sees(n) {
                return (n > 1).then_some((n - 1, true));
            }
        }
        Some((3, true))
    }
    /// Returns true if a factor of h² is measured that makes the scheme one of the first order.
    pub fn is_measured_first(&self) -> bool {
        let mut all = self.rate.iter().chain(&self.attitude);
        let wrong = |c: &Coefficient| c.order == 2 && c.deviation().abs() > OTHER_FACTOR;
        self.sees(2) && !self.unexplained(2) && all.any(wrong)
    }
    /// Whether an order has terms that are none of those fitted.
    pub fn unexplained(&self, order: usize) -> bool {
        let left = self.left(order);
        left.is_finite() && left > self.unexplained
    }
    /// Whether an order was measured well enough for claims.
    pub fn sees(&self, order: usize) -> bool {
        let at = || {
            self.rate
                .iter()
                .chain(&self.attitude)
                .filter(|c| c.order == order)
        };
        at().next().is_some() && at().all(|c| c.error < EXPLAINED)
    }
}

impl Fingerprint {
    pub(super) fn measured(
        unexplained: f64,
        rate: (Vec<Coefficient>, Vec<Remainder>),
        attitude: (Vec<Coefficient>, Vec<Remainder>),
    ) -> Self {
        Self {
            rate: rate.0,
            rate_left: rate.1,
            attitude: attitude.0,
            attitude_left: attitude.1,
            unexplained,
        }
    }
}
