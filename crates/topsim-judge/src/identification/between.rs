//! Rows at times between a solver's own steps: those of the last step, or on a line or a cubic between two.
//!
//! In a run whose rows are much closer than the steps, rates are pieces of one length, each a polynomial in time to its
//! rounding, and pieces that are moved by half their length are none. That length is the solver's own step.

use super::cadence::Cadence;
use super::experiment::Row;
use super::floor::Floor;
use super::runs::Run;
use crate::thresholds::{ADDED_UP, FEW_TIMES, FEWEST_ROWS, MOST, NEGLIGIBLE};
use nalgebra::DMatrix;
use topsim_core::math::{Vec3, so3};

/// Kind of the rows between two own steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Between {
    /// They are those of the last step.
    Held,
    /// They lie on a straight line.
    Straight,
    /// They lie on a cubic.
    Cubic,
}

/// Part of a first guess of the length, which is too long where a kink shows late, that the length is at least.
const SHORTEST: f64 = 0.9;

impl Between {
    const ALL: [Self; 3] = [Self::Held, Self::Straight, Self::Cubic];

    fn degree(self) -> usize {
        match self {
            Self::Held => 0,
            Self::Straight => 1,
            Self::Cubic => 3,
        }
    }
}

/// Rates at rows of one run, and the kind of pieces that they may be.
struct Pieces {
    /// Time from row to row, s.
    h: f64,
    rates: Vec<Vec3>,
    kind: Between,
    /// Most that a piece leaves, rad/s.
    most: f64,
}

/// Returns the steps of a solver's own, with the kind of rows between them, from a run of close rows.
pub(crate) fn between((probe, rows): &Run, floor: &Floor) -> Option<Cadence> {
    let h = probe.step;
    let fastest = rows.iter().map(|r| r.rate.norm()).fold(0.0, f64::max);
    let most = ADDED_UP * floor.rate(h).max(f64::EPSILON) * fastest;
    let columns = [false, true].map(|in_body| -> Vec<Vec3> {
        let rate = rows.iter().map(|r| if in_body { r.omega } else { r.rate });
        rate.collect()
    });
    // Interpolated in one frame, rates are none in the other.
    let all = Between::ALL
        .into_iter()
        .flat_map(|kind| columns.iter().map(move |c| (kind, c)));
    all.into_iter().find_map(|(kind, rates)| {
        let rates = rates.clone();
        let step = Pieces {
            h,
            rates,
            kind,
            most,
        }
        .step()?;
        Some(Cadence::Between(kind, step))
    })
}

/// Most steps between rows that a solver makes, where the others lie between them.
const MOST_APART: usize = 4;

/// Returns the number of steps that a solver makes as one, with the kind of rows between them, from rows at each of its
/// steps, whose rates have this relative rounding.
pub(crate) fn every(rows: &[Row], rounding: f64) -> Option<(Between, usize)> {
    let fastest = rows.iter().map(|r| r.rate.norm()).fold(0.0, f64::max);
    let most = ADDED_UP * rounding.max(f64::EPSILON) * fastest;
    let kinds = [Between::Held, Between::Straight].into_iter();
    let ways = kinds.flat_map(|kind| [false, true].map(|in_body| (kind, in_body)));
    let mut all = ways.flat_map(|way| (2..=MOST_APART).map(move |steps| (way, steps)));
    all.find_map(|((kind, in_body), steps)| {
        let rate = |n: usize| if in_body { rows[n].omega } else { rows[n].rate };
        // How far the row is from the last one, or from the line between its neighbours.
        let off = |n: &usize| match kind {
            Between::Held => {
                let turn = so3::angle_between(&rows[*n].att, &rows[n - 1].att);
                (rate(*n) - rate(n - 1)).amax().max(turn)
            }
            _ => (rate(n - 1) - rate(*n) * 2.0 + rate(n + 1)).amax(),
        };
        let (own, between): (Vec<usize>, Vec<usize>) =
            (1..rows.len().saturating_sub(1)).partition(|n| n.is_multiple_of(steps));
        let bent = own.iter().filter(|n| off(n) > FEW_TIMES * most).count();
        let told = bent as f64 >= MOST * own.len() as f64 && own.len() > FEWEST_ROWS;
        (told && between.iter().all(|n| off(n) <= most)).then_some((kind, steps))
    })
}

impl Pieces {
    /// Returns the polynomial of a piece, and what it leaves of the rows; none of too few.
    fn fitted(&self, from: usize, to: usize) -> Option<(DMatrix<f64>, f64)> {
        let (n, terms) = (to.checked_sub(from)?, self.kind.degree() + 1);
        if n < terms + 1 {
            return None;
        }
        let powers = DMatrix::from_fn(n, terms, |i, k| (i as f64 / n as f64).powi(k as i32));
        let rates = &self.rates[from..to];
        let values = DMatrix::from_fn(n, 3, |i, k| rates[i][k]);
        let qr = powers.clone().qr();
        let numbers = qr.r().solve_upper_triangular(&qr.q().tr_mul(&values))?;
        let left = (&powers * &numbers - values).amax();
        Some((numbers, left))
    }

    fn is_smooth(&self, from: usize, to: usize) -> bool {
        self.fitted(from, to)
            .is_some_and(|(_, left)| left <= self.most)
    }

    /// Returns the first and the last row of the smooth piece that has the rows around one; none where these are no piece.
    fn piece(&self, around: f64, least: usize) -> Option<[usize; 2]> {
        let from = (around - 0.5 * least as f64).max(0.0).ceil() as usize;
        let to = from + least;
        if to > self.rates.len() || !self.is_smooth(from, to) {
            return None;
        }
        let left = (0..from).rev().take_while(|a| self.is_smooth(*a, to));
        let right = (to..self.rates.len()).take_while(|b| self.is_smooth(from, b + 1));
        Some([left.last().unwrap_or(from), right.last().unwrap_or(to - 1)])
    }

    /// Returns numbers of rows between which the length of all pieces is, if they have one.
    fn lengths(&self) -> Option<[f64; 2]> {
        let least = self.kind.degree() + 2;
        let [_, mut end] = self.piece(0.0, least)?;
        let (mut low, mut high) = (least as f64 - 1.0, end as f64 + 1.0);
        let mut length = end as f64;
        // A kink is before the first row that the next piece cannot have, and after the last one that the piece before cannot.
        for k in 1.. {
            let kinks = k as f64;
            let middle = (kinks + 0.5) * length;
            if (kinks + 1.0) * length > self.rates.len() as f64 {
                return (k > FEWEST_ROWS && low <= high).then_some([low, high]);
            }
            let [begin, next] = self.piece(middle, least)?;
            low = low.max((begin as f64 - 1.0) / kinks);
            high = high.min((end as f64 + 1.0) / kinks);
            if low > high {
                return None;
            }
            (end, length) = (next, 0.5 * (low.max(length * SHORTEST) + high));
        }
        None
    }

    /// Returns the rows of pieces that are `length` rows long, the first of which begins at `at`, in rows.
    fn rows(&self, length: f64, at: f64) -> impl Iterator<Item = (usize, usize)> {
        let last = self.rates.len() as f64 - 1.0;
        let count = ((last - at) / length).floor() as usize;
        (0..count).map(move |k| {
            let [a, b] = [k, k + 1].map(|k| at + k as f64 * length);
            (
                (a + NEGLIGIBLE).ceil() as usize,
                (b - NEGLIGIBLE).floor() as usize + 1,
            )
        })
    }

    /// Returns the length of all pieces, s.
    fn step(&self) -> Option<f64> {
        let [low, high] = self.lengths()?;
        let length = 0.5 * (low + high);
        let moved: Vec<_> = self.rows(length, 0.5 * length).collect();
        let left = moved
            .iter()
            .filter_map(|(from, to)| Some(self.fitted(*from, *to)?.1));
        let bent = left.filter(|left| *left > FEW_TIMES * self.most).count();
        let is_bent = bent as f64 >= MOST * moved.len() as f64;
        is_bent.then(|| match self.kind {
            Between::Straight => self.refined(length) * self.h,
            Between::Held | Between::Cubic => written([low * self.h, high * self.h]),
        })
    }

    /// Returns a length of straight pieces from where the last two of them meet.
    fn refined(&self, length: f64) -> f64 {
        let all: Vec<_> = self.rows(length, 0.0).collect();
        let [.., before, after] = all[..] else {
            return length;
        };
        let line = |(from, to): (usize, usize)| {
            let (numbers, _) = self.fitted(from, to)?;
            let of = |row: usize| Vec3::from_fn(|i, _| numbers[(row, i)]);
            let slope = of(1) / (to - from) as f64;
            Some((of(0) - slope * from as f64, slope))
        };
        match (line(before), line(after)) {
            (Some((a, u)), Some((b, v))) => {
                let bend = v - u;
                let meet = (a - b).dot(&bend) / bend.norm_squared();
                meet / (all.len() - 1) as f64
            }
            _ => length,
        }
    }
}

/// Returns the number between two that their author would have written: one over a whole number, or that with the fewest digits.
fn written([low, high]: [f64; 2]) -> f64 {
    let middle = 0.5 * (low + high);
    let inverse = 1.0 / (1.0 / middle).round();
    let decimals = (0..15).filter_map(|digits: usize| format!("{middle:.digits$e}").parse().ok());
    let mut all = core::iter::once(inverse).chain(decimals);
    all.find(|x| (low..=high).contains(x)).unwrap_or(middle)
}
