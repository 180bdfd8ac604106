//! Starts beside each other on a line, where what is smooth and what is rounded part.
//!
//! Source: `docs/science/identification.md`, section 3.

use super::design::{DesignPoint, Group};
use super::expansion::AnsweredStart;
use topsim_core::math::{Random, so3};

/// Distance of a start from its next neighbour, rad, and relative to its rate. What a step of 2e-3 s adds changes by more than
/// the spacing of single precision, and the third difference of what is smooth is below 1e-12.
const APART: f64 = 3e-4;
/// Starts of each kind that get neighbours.
const STARTS: usize = 3;
/// Neighbours of a start.
pub(super) const NEIGHBOURS: usize = 3;

/// Starts that have neighbours, by their index, and the neighbours of each.
#[derive(Debug, Clone, Default)]
pub(super) struct Neighbours {
    pub of: Vec<usize>,
    pub starts: Vec<DesignPoint>,
}

impl Neighbours {
    /// Chooses free bodies and bodies under a torque.
    pub fn new(all: &[DesignPoint]) -> Self {
        let mut random = Random::new(19);
        let mut out = Self::default();
        let has = |group: Group| all.iter().any(|s| s.group == group);
        let heavy = if has(Group::Gravity) {
            Group::Gravity
        } else {
            Group::Push
        };
        for group in [Group::Free, heavy] {
            let of = all.iter().enumerate().filter(|(_, s)| s.group == group);
            for (i, s) in of.take(STARTS) {
                let (turn, change) = (random.direction(APART), random.direction(APART));
                for k in 1..=NEIGHBOURS {
                    let (k, mut near) = (k as f64, s.clone());
                    near.start.att *= so3::exp(&(turn * k));
                    near.start.omega += change * (k * s.start.omega.norm());
                    out.starts.push(near);
                }
                out.of.push(i);
            }
        }
        out
    }

    /// Returns the starts of which all neighbours have answers, each with these.
    pub fn families(&self, all: &[AnsweredStart], near: &[AnsweredStart]) -> Vec<Family> {
        let find = |of: &[AnsweredStart], i: usize| of.iter().find(|s| s.index == i).cloned();
        let one = |(k, i): (usize, &usize)| {
            let mut family = vec![find(all, *i)?];
            for n in 0..NEIGHBOURS {
                family.push(find(near, NEIGHBOURS * k + n)?);
            }
            Some(family)
        };
        self.of.iter().enumerate().filter_map(one).collect()
    }
}

/// A start and its neighbours.
pub(super) type Family = Vec<AnsweredStart>;
