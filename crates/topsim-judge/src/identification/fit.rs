//! Which law of the family a solver has: least squares at single states, with no integration, and the fewest numbers
//! that explain what was measured.
//!
//! Source: `docs/science/identification.md`, section 4.

mod promises;
mod select;

use super::charts::Chart;
use super::expansion::{RateTerms, parts};
use super::law::{Law, LawTerm, Place, TERMS, TermRow};
use crate::thresholds::{DOUBLE, NEGLIGIBLE, SINGLE_DIGITS, WHOLE};
use nalgebra::{DMatrix, DVector};
use topsim_model::Change;

/// Differences of the equations of motion at many states.
#[derive(Debug, Clone)]
pub(crate) struct Differences {
    places: Vec<Place>,
    /// Rate of turning and W' at each, without the exact ones, rad/s and rad/s².
    observed: Vec<RateTerms>,
    /// Root mean squares of W and W'.
    scales: [f64; 2],
    /// What cannot be told from zero, relative.
    pub sigma: f64,
    /// Orthonormal columns of what may be there besides: it is taken out of everything.
    besides: Option<DMatrix<f64>>,
    /// Changes of the law that stay as they are.
    kept: Vec<Change>,
}

/// A law that explains the differences, the nearest that was found, or one that was tried.
#[derive(Debug, Clone, Default)]
pub(crate) struct Selection {
    pub law: Law,
    pub terms: Vec<Change>,
    /// Mean square over the states of what it leaves, relative.
    mean_square: f64,
    /// What there was to explain, relative.
    pub defect: f64,
    /// Other terms that explain as much with as many numbers.
    pub rivals: Vec<LawTerm>,
    /// Whether it explains what was measured.
    pub accepted: bool,
    /// Whether what it leaves is more than the digits: a tolerance of the solver's own, or another cause.
    pub rough: bool,
}

impl Selection {
    /// Returns a law of these terms with these numbers, which leaves so much.
    fn tried(rows: &[&'static TermRow], numbers: &[f64], mean_square: f64) -> Self {
        let mut rest = numbers;
        let change = |row: &&'static TermRow| {
            let (own, after) = rest.split_at(row.len());
            rest = after;
            Change::new(row.term, own.into())
        };
        Self {
            law: Differences::law(rows, numbers),
            terms: rows.iter().map(change).collect(),
            mean_square,
            ..Self::default()
        }
    }
    /// Returns the rows of its terms.
    fn rows(&self) -> Vec<&'static TermRow> {
        self.terms.iter().map(|t| t.term.row()).collect()
    }
    /// Returns the numbers of all its terms.
    fn parameters(&self) -> Vec<f64> {
        self.terms.iter().flat_map(|t| &t.added).copied().collect()
    }
    /// Returns what it leaves, relative: root mean square over the states.
    pub fn residual(&self) -> f64 {
        self.mean_square.sqrt()
    }
    /// How many numbers were fitted.
    pub fn numbers(&self) -> usize {
        self.terms.iter().map(|b| b.added.len()).sum()
    }

    /// Writes a law that was found at this pace in the solver's own time.
    pub fn slow_down(&mut self, pace: f64) {
        self.terms.iter_mut().for_each(|f| f.slow_down(pace));
        let rows: Vec<&TermRow> = self.terms.iter().map(|f| f.term.row()).collect();
        let numbers: Vec<f64> = self.terms.iter().flat_map(|f| f.added.clone()).collect();
        self.law = Differences::law(&rows, &numbers);
    }
}

/// Values from which fits of exponents begin.
const EXPONENTS: [f64; 5] = [-2.2, -1.1, -0.1, 0.9, 1.9];

/// Values of one over a limit from which its fits begin: designed starts have gyroscopic torques of up to some N m.
const LIMITS: [f64; 4] = [4.0, 2.0, 1.0, 0.5];

fn rms(sum_of_squares: f64, n: usize) -> f64 {
    (sum_of_squares / n.max(1) as f64).sqrt()
}

impl Differences {
    /// `scales` are typical sizes of W and W', where they are known.
    pub fn new(all: impl Iterator<Item = (Place, RateTerms)>, sigma: f64) -> Self {
        let (places, observed): (Vec<Place>, Vec<RateTerms>) = all.unzip();
        let n = places.len();
        let mut sums = [0.0; 2];
        for place in &places {
            let start = &place.start;
            sums[0] += start.omega.norm_squared();
            let exact = start.acceleration(place.t, &start.att, &start.omega);
            sums[1] += exact.norm_squared();
        }
        // A body that nobody turns has no rate to compare with: its differences are absolute.
        let scales = sums.map(|s| match rms(s, n) {
            x if x > DOUBLE => x,
            _ => 1.0,
        });
        Self {
            places,
            observed,
            scales,
            sigma,
            besides: None,
            kept: Vec::new(),
        }
    }

    /// The same without what is a combination of other columns, such as the errors of steps of the solver's own; each
    /// has rate and acceleration of one state after the other.
    #[must_use]
    pub fn without(mut self, columns: &[Vec<f64>]) -> Self {
        let n = 6 * self.places.len();
        let scaled = DMatrix::from_fn(n, columns.len(), |i, k| {
            columns[k][i] / self.scales[usize::from(i % 6 >= 3)]
        });
        self.besides = Some(scaled.qr().q());
        self
    }

    /// Returns what a law leaves on the body of these differences: numbers of one body are fitted anew, and others stay.
    pub fn left_of(mut self, terms: &[Change]) -> f64 {
        let of_body = |c: &&Change| c.term.row().is_of_one_body();
        let own: Vec<&'static TermRow> =
            terms.iter().filter(of_body).map(|c| c.term.row()).collect();
        self.kept = terms.iter().filter(|c| !of_body(c)).cloned().collect();
        let numbers: usize = own.iter().map(|row| row.len()).sum();
        self.fit(&own, &vec![0.0; numbers]).residual()
    }

    /// Sizes of the differences at the states, relative.
    fn sizes(&self) -> impl Iterator<Item = f64> {
        let [of_turn, of_rate] = self.scales;
        self.observed.iter().map(move |x| {
            let (turn, rate) = parts(x);
            (turn.norm() / of_turn).hypot(rate.norm() / of_rate)
        })
    }

    /// The states.
    pub fn starts(&self) -> impl Iterator<Item = &super::experiment::Start> + Clone {
        self.places.iter().map(|place| &place.start)
    }

    /// Returns the kinematics of a chart that explain the differences, where the accelerations are right, and the part that they leave.
    pub fn chart(&self) -> Option<(Chart, f64)> {
        let all = || self.places.iter().zip(&self.observed);
        let turns = rms(all().map(|(_, x)| parts(x).0.norm_squared()).sum(), 1);
        let accelerations = rms(all().map(|(_, x)| parts(x).1.norm_squared()).sum(), 1);
        if accelerations / self.scales[1] > NEGLIGIBLE * turns / self.scales[0] {
            return None;
        }
        let left = |chart: &Chart| {
            let off = |(place, x): (&Place, &RateTerms)| {
                let rates = chart.rates(&place.start).into_iter();
                let off = rates.map(|u| (u - place.start.omega - parts(x).0).norm_squared());
                off.fold(f64::INFINITY, f64::min)
            };
            rms(all().map(off).sum(), 1) / turns
        };
        let charts = Chart::all().map(|chart| (chart, left(&chart)));
        let nearest = charts.min_by(|a, b| a.1.total_cmp(&b.1))?;
        (nearest.1 <= NEGLIGIBLE).then_some(nearest)
    }

    /// Of each state, what the law leaves: rate and acceleration.
    fn residuals(&self, law: &Law) -> DVector<f64> {
        let mut out = DVector::zeros(6 * self.places.len());
        for (i, (place, observed)) in self.places.iter().zip(&self.observed).enumerate() {
            let start = &place.start;
            let (own_rate, own_acceleration) = parts(observed);
            let (rate, acceleration) = law.slopes(place);
            let exact = start.acceleration(place.t, &start.att, &start.omega);
            let a = (rate - start.omega - own_rate) / self.scales[0];
            let b = (acceleration - exact - own_acceleration) / self.scales[1];
            for k in 0..3 {
                out[6 * i + k] = a[k];
                out[6 * i + 3 + k] = b[k];
            }
        }
        if let Some(q) = &self.besides {
            let part = q.tr_mul(&out);
            out -= q * part;
        }
        out
    }

    /// Root mean square of what the law leaves over the states, relative.
    pub fn left(&self, law: &Law) -> f64 {
        rms(self.residuals(law).norm_squared(), self.places.len())
    }

    fn law(rows: &[&TermRow], parameters: &[f64]) -> Law {
        let mut law = Law::default();
        let mut rest = parameters;
        for row in rows {
            let (own, after) = rest.split_at(row.len());
            row.apply(own, &mut law);
            rest = after;
        }
        law
    }

    /// The same beside the changes that stay.
    fn law_with(&self, rows: &[&TermRow], parameters: &[f64]) -> Law {
        let mut law = Self::law(rows, parameters);
        for kept in &self.kept {
            kept.term.row().apply(&kept.added, &mut law);
        }
        law
    }

    /// How the residuals change with each parameter.
    fn jacobian(&self, rows: &[&'static TermRow], x: &[f64], r: &DVector<f64>) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(r.len(), x.len());
        for k in 0..x.len() {
            let d = 1e-6 * x[k].abs().max(0.1);
            let mut moved = x.to_vec();
            moved[k] += d;
            out.set_column(k, &((self.residuals(&self.law_with(rows, &moved)) - r) / d));
        }
        out
    }

    /// Least squares by Levenberg and Marquardt from given parameters.
    fn fit(&self, rows: &[&'static TermRow], from: &[f64]) -> Selection {
        self.fit_shortly(rows, from, 24)
    }

    /// The same with so many iterations at most.
    fn fit_shortly(&self, rows: &[&'static TermRow], from: &[f64], iterations: usize) -> Selection {
        let n = from.len();
        let mut x = from.to_vec();
        let mut r = self.residuals(&self.law_with(rows, &x));
        let mut size = r.norm_squared();
        let floor = 0.01 * self.sigma * self.sigma * self.places.len() as f64;
        let mut damping = 1e-6;
        let mut slow = 0;
        'iterations: for _ in 0..iterations {
            let jacobian = self.jacobian(rows, &x, &r);
            let normal = jacobian.tr_mul(&jacobian);
            let gradient = jacobian.tr_mul(&r);
            loop {
                let mut damped = normal.clone();
                for k in 0..n {
                    damped[(k, k)] += damping * normal[(k, k)] + 1e-30;
                }
                let Some(step) = damped.cholesky().map(|c| c.solve(&gradient)) else {
                    damping *= 10.0;
                    if damping * SINGLE_DIGITS > 1.0 {
                        break 'iterations;
                    }
                    continue;
                };
                // Where the columns promise nothing more, the fit has ended.
                if gradient.dot(&step) < NEGLIGIBLE * size {
                    break 'iterations;
                }
                let y: Vec<f64> = x.iter().zip(step.iter()).map(|(x, s)| x - s).collect();
                let moved = self.residuals(&self.law_with(rows, &y));
                let next = moved.norm_squared();
                if next < size {
                    slow = if next > WHOLE * size { slow + 1 } else { 0 };
                    (x, r, size) = (y, moved, next);
                    damping = (damping * 0.1).max(1e-14);
                    break;
                }
                damping *= 10.0;
                if damping * SINGLE_DIGITS > 1.0 {
                    break 'iterations;
                }
            }
            if size < floor || slow >= 3 {
                break;
            }
        }
        Selection::tried(rows, &x, size / self.places.len().max(1) as f64)
    }

    /// By how much each parameter may be off where the states are off by what the fit leaves, all of them alike.
    fn errors(&self, t: &Selection) -> Vec<f64> {
        let (rows, parameters) = (t.rows(), t.parameters());
        let r = self.residuals(&t.law);
        let jacobian = self.jacobian(&rows, &parameters, &r);
        let n = self.places.len() as f64;
        let left = r.norm().max(self.sigma * n.sqrt());
        let inverse = jacobian.tr_mul(&jacobian).try_inverse();
        let of = |k: usize| {
            let variance = inverse.as_ref().map_or(f64::INFINITY, |m| m[(k, k)]);
            left * variance.max(0.0).sqrt()
        };
        (0..parameters.len()).map(of).collect()
    }

    /// The best fit of a term beside others, which begin where they were.
    fn with(&self, before: &Selection, row: &'static TermRow) -> Selection {
        let rows = [&before.rows()[..], &[row]].concat();
        let fits = starts(row).into_iter().map(|own| {
            let from = [&before.parameters()[..], &own].concat();
            self.fit(&rows, &from)
        });
        fits.min_by(|a, b| a.mean_square.total_cmp(&b.mean_square))
            .expect("there is a start")
    }
}

/// Numbers of a term from which its fits begin.
fn starts(row: &TermRow) -> Vec<Vec<f64>> {
    let first: &[f64] = if row.is_exponent() {
        &EXPONENTS
    } else if row.is_limit() {
        &LIMITS
    } else {
        &[0.0]
    };
    (0..row.len()).fold(vec![Vec::new()], |all, _| {
        let longer = |own: &Vec<f64>| {
            first
                .iter()
                .map(|x| [&own[..], &[*x]].concat())
                .collect::<Vec<_>>()
        };
        all.iter().flat_map(longer).collect()
    })
}
