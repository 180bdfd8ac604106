//! Rotation vectors of increments with a coning term of one free weight, fitted to the rows of a solver.
//!
//! An update is R' = R exp(Σ θ + A + w B), its parts θ the increments of equal times. A solver may make its parts of several samples,
//! and carry the last part of an update into the next.

use super::lag::Update;
use super::questions::{ASKED, Answers, INTERVAL, swinging};
use super::turns::UPDATES;
use crate::thresholds::{ALL_DIGITS, NEGLIGIBLE, ROUNDED_ALIKE};
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::Rate;
use topsim_protocol::problem::SAMPLES;

/// Coning terms. Sources: Savage 1998 (`savage1998`), Ignagni 1990 (`ignagni1990`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Term {
    /// w θ′×θ, θ′ the increment of the update before.
    Before,
    /// w θ₁×θ₂.
    Halves,
    /// ½ Σ (α + w θ′)×θ over the parts θ, α the sum of those before in the update, θ′ the part before, of the last update too.
    Summed,
}

impl Term {
    /// All.
    const ALL: [Self; 3] = [Self::Before, Self::Halves, Self::Summed];

    /// The right weight, and how it is written.
    pub fn right(self) -> (f64, &'static str) {
        match self {
            Self::Before => (1.0 / 12.0, "1/12"),
            Self::Halves => (2.0 / 3.0, "⅔"),
            Self::Summed => (1.0 / 6.0, "1/6"),
        }
    }
    /// The term with a weight in place, of parts such as ` of one sample`.
    pub fn formula(self, weight: &str, parts: &str) -> String {
        match self {
            Self::Before => format!("{weight} θ′×θ with the increment θ′ of the update before"),
            Self::Halves => format!("{weight} θ1×θ2 of two parts{parts}"),
            Self::Summed => format!(
                "½ Σ (α + {weight} θ′)×θ (θ the parts{parts}, θ′ the part before, α the sum of those before)"
            ),
        }
    }
    fn may_have(self, parts: u32) -> bool {
        match self {
            Self::Before => parts == 1,
            Self::Halves => parts == 2,
            Self::Summed => parts > 1,
        }
    }
    /// A and B of an update of these parts, of which one comes before.
    fn terms(self, before: Vec3, parts: &[Vec3]) -> [Vec3; 2] {
        match self {
            Self::Before => [Vec3::zeros(), before.cross(&parts[0])],
            Self::Halves => [Vec3::zeros(), parts[0].cross(&parts[1])],
            Self::Summed => {
                let (mut sum, mut last) = (Vec3::zeros(), before);
                let mut out = [Vec3::zeros(); 2];
                for part in parts {
                    out[0] += sum.cross(part) * 0.5;
                    out[1] += last.cross(part) * 0.5;
                    sum += part;
                    last = *part;
                }
                out
            }
        }
    }
}

/// A rule, and how many samples an update has, and each of its parts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fit {
    pub term: Term,
    pub samples: u32,
    pub part: u32,
    /// w.
    pub weight: f64,
    /// How far the rows are from it, rad.
    pub apart: f64,
    /// Whether the part before the first is taken as zero, and matters.
    pub from_zero: bool,
}

struct Rule {
    term: Term,
    samples: u32,
    part: u32,
    update: Update,
}

impl Rule {
    /// The turn of the step from row `k` on, `increments` those of all samples; what comes before the start is zero.
    fn turn(&self, increments: &[Vec3], k: usize, weight: f64) -> Mat3 {
        let [samples, part] = [self.samples, self.part].map(|n| n as usize);
        let sum = |from: usize| increments[from..from + part].iter().sum::<Vec3>();
        let (first, end) = (k * SAMPLES as usize, (k + 1) * SAMPLES as usize);
        let updates = (first..end).step_by(samples).map(|from| {
            let before = from.checked_sub(part).map_or_else(Vec3::zeros, sum);
            let parts: Vec<Vec3> = (from..from + samples).step_by(part).map(sum).collect();
            let [a, b] = self.term.terms(before, &parts);
            let vector = parts.iter().sum::<Vec3>() + a + b * weight;
            let angle = vector.norm();
            so3::exp(&match self.update {
                Some((map, _)) if angle > 0.0 => vector * (map.0.angle(angle) / angle),
                _ => vector,
            })
        });
        updates.product()
    }

    /// The weight with which the turns of later steps are nearest to these.
    fn fit(&self, increments: &[Vec3], turns: &[Mat3]) -> Option<Fit> {
        let beside =
            |k: usize, weight: f64| so3::log(&self.turn(increments, k, weight).tr_mul(&turns[k]));
        let later =
            |weight: f64| -> Vec<Vec3> { (1..turns.len()).map(|k| beside(k, weight)).collect() };
        let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
        let (right, _) = self.term.right();
        // Nearly linear in the weight: each round gains some digits.
        const APART: f64 = 1e-2;
        let mut weight = right;
        for _ in 0..4 {
            let here = later(weight);
            let there = later(weight + APART);
            let slope: Vec<Vec3> = here
                .iter()
                .zip(&there)
                .map(|(a, b)| (b - a) / APART)
                .collect();
            weight -= dot(&here, &slope) / dot(&slope, &slope);
        }
        let most = |all: Vec<Vec3>| all.iter().map(Vec3::norm).fold(0.0, f64::max);
        let apart = most(later(weight));
        let memory = self.term != Term::Halves && (weight / right).abs() > NEGLIGIBLE;
        apart.is_finite().then(|| Fit {
            term: self.term,
            samples: self.samples,
            part: self.part,
            weight,
            apart,
            from_zero: memory && beside(0, weight).norm() < apart.max(ALL_DIGITS),
        })
    }
}

/// The nearest of these rules to the rows of a solver with this update of the attitude; it may be far.
pub(super) fn nearest(asked: &Answers, update: Update) -> Option<Fit> {
    let rate = swinging().given.rate;
    let time = |k: u64| k as f64 * INTERVAL;
    let increments: Vec<Vec3> = (0..ASKED.rows * u64::from(SAMPLES))
        .map(|k| rate.increment(time(k), time(k + 1)))
        .collect();
    let rows = asked.swinging.windows(2).take(ASKED.rows as usize);
    let turns: Vec<Mat3> = rows.map(|pair| pair[0].tr_mul(&pair[1])).collect();
    let left = |fit: &Fit| fit.apart.max(ROUNDED_ALIKE);
    let all = Term::ALL.into_iter().flat_map(|term| {
        let pairs = UPDATES
            .into_iter()
            .flat_map(|n| UPDATES.map(|part| (n, part)));
        let fit = pairs.filter(move |(n, part)| n % part == 0 && term.may_have(n / part));
        fit.map(move |(samples, part)| Rule {
            term,
            samples,
            part,
            update,
        })
    });
    let own = all.filter(|rule| update.is_none_or(|(_, samples)| samples == rule.samples));
    // Of those that are equal but for rounding, the first.
    own.filter_map(|rule| rule.fit(&increments, &turns))
        .min_by(|a, b| left(a).total_cmp(&left(b)))
}
