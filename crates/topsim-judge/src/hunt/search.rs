//! The search: rounds of random problems and of neighbours of those that came nearest to a finding.

use super::claim::HuntClaim;
use super::corner::Corner;
use super::coverage::Coverage;
use super::finding::Finding;
use super::habits::Habits;
use super::ladder::{Outcome, RUNGS};
use super::point::Point;
use super::shrink::shrink;
use super::space;
use super::trial::{Judged, Trials};
use crate::claims::Claims;
use crate::identification::design::Random;

/// Problems of a round.
pub const ROUND: u64 = 48;
/// Problems of each claim whose neighbours are looked at.
const NEAR: usize = 4;
/// After so many findings a hunt ends.
const MOST: usize = 24;

/// A hunt under way: it is told to make one round after the other, so that whoever asks watches the clock.
pub(super) struct Search<'a> {
    trials: Trials<'a>,
    wanted: Vec<HuntClaim>,
    seed: u64,
    solver: String,
    rounds: u64,
    near: Vec<(HuntClaim, f64, Point)>,
    pub habits: Habits,
    pub coverage: Coverage,
    pub findings: Vec<Finding>,
}

impl<'a> Search<'a> {
    /// Learns the habits of a solver; those of its problems that fail already are findings.
    pub fn new(
        trials: Trials<'a>,
        (wanted, claims): (&[HuntClaim], &Claims),
        seed: u64,
        solver: &str,
    ) -> Self {
        let ordinary = space::ordinary();
        let answered = trials.answered(&ordinary, RUNGS);
        let habits = Habits::of(&answered, claims);
        Self {
            trials,
            wanted: wanted.to_vec(),
            seed,
            solver: solver.into(),
            rounds: 0,
            near: Vec::new(),
            habits,
            coverage: Coverage::new(wanted),
            findings: Vec::new(),
        }
    }

    /// Whether nothing more is to be looked for.
    pub fn is_over(&self) -> bool {
        self.findings.len() >= MOST || self.findings.iter().any(|f| f.class.is_empty())
    }

    /// Whether a known finding still shows; it is then one of the findings.
    pub fn replay(&mut self, mut known: Finding) -> bool {
        let judged = self.trials.confirmed(&[known.problem], &self.habits);
        let margin = judged[0].margin(known.claim).filter(|m| !m.holds());
        let Some(margin) = margin else {
            return false;
        };
        known.set(&margin);
        self.findings.push(known);
        true
    }

    /// One round of at most so many problems, the ordinary ones first. Gives the findings that are new.
    pub fn round(&mut self, most: u64) -> Vec<Finding> {
        let mut random = Random::new(self.seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ self.rounds);
        random.bits();
        let mut points = if self.rounds == 0 {
            space::ordinary()
        } else {
            self.points(&mut random)
        };
        points.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        let first = self.coverage.problems;
        self.rounds += 1;
        let judged = self.trials.searched(&points, &self.habits);
        let mut new = Vec::new();
        for (n, judged) in judged.iter().enumerate() {
            self.coverage.push(judged);
            match judged.failing(&self.wanted) {
                Some(_) if self.is_over() => {}
                Some(_) => new.extend(self.found(judged, first + n as u64)),
                None => self.remember(judged),
            }
        }
        new
    }

    fn points(&mut self, random: &mut Random) -> Vec<Point> {
        let mut out = Vec::new();
        while (out.len() as u64) < ROUND {
            let beside = self.near.len();
            let near = beside > 0 && random.uniform() < 0.4;
            let point = if near {
                let of = self.near[(random.bits() % beside as u64) as usize].2;
                space::neighbour(random, &of)
            } else {
                space::point(random)
            };
            if point.is_sound() {
                out.push(point);
            }
        }
        out
    }

    /// Keeps the nearest problems of each claim.
    fn remember(&mut self, judged: &Judged) {
        for margin in judged
            .margins
            .iter()
            .filter(|m| m.room.is_finite() && m.room > 0.0)
        {
            self.near.push((margin.claim, margin.room, judged.point));
        }
        self.near
            .sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut kept: Vec<(HuntClaim, f64, Point)> = Vec::new();
        for one in std::mem::take(&mut self.near) {
            let same = kept.iter().filter(|k| k.0 == one.0).count();
            if same < NEAR {
                kept.push(one);
            }
        }
        self.near = kept;
    }

    /// A problem with seven rungs, where something fails on it still.
    fn confirmed(&self, point: Point) -> Option<Judged> {
        let judged = self.trials.confirmed(&[point], &self.habits).remove(0);
        judged.failing(&self.wanted).is_some().then_some(judged)
    }

    /// The finding that a failing problem leads to; none where a known one explains it, or it is not confirmed.
    fn found(&mut self, judged: &Judged, number: u64) -> Option<Finding> {
        if self.explained(&judged.point) {
            return None;
        }
        let confirmed = self.confirmed(judged.point)?;
        let mut claim = confirmed.failing(&self.wanted)?.claim;
        let mut simplest = shrink(&self.trials, &self.habits, claim, confirmed);
        // What its image shows by itself is plainer than that the two differ.
        let of_time = claim == HuntClaim::TimeScale;
        if of_time || claim == HuntClaim::InertiaScale {
            let image = self.confirmed(simplest.point.image(of_time));
            let plainer = image.and_then(|j| Some((j.failing(&self.wanted)?.claim, j)));
            if let Some((plainer, image)) = plainer.filter(|(c, _)| *c < claim) {
                claim = plainer;
                simplest = shrink(&self.trials, &self.habits, claim, image);
            }
        }
        let margin = simplest.margin(claim)?;
        let class = Corner::of(&simplest.point);
        if self.findings.iter().any(|f| f.is_like(claim, &class)) {
            return None;
        }
        let mut finding = Finding {
            id: Finding::name(claim, &class, &self.findings),
            claim,
            class,
            measured: None,
            allowed: 0.0,
            said: match &simplest.outcome {
                Outcome::Failed(why) => Some(why.clone()),
                _ => None,
            },
            problem: simplest.point,
            seed: self.seed,
            number,
            solver: self.solver.clone(),
            topsim: env!("CARGO_PKG_VERSION").into(),
            accepted: None,
        };
        finding.set(&margin);
        self.findings.push(finding.clone());
        Some(finding)
    }

    /// Whether a problem has what some finding needs, and passes once that is made ordinary in it.
    fn explained(&self, point: &Point) -> bool {
        let corners = Corner::of(point);
        let alike = self
            .findings
            .iter()
            .filter(|f| f.class.iter().all(|c| corners.contains(c)));
        let without = |class: &[Corner]| {
            class
                .iter()
                .fold(*point, |p, corner| p.ordinary(corner.part()))
        };
        let mended: Vec<Point> = alike
            .map(|f| without(&f.class))
            .filter(Point::is_sound)
            .collect();
        let judged = self.trials.searched(&mended, &self.habits);
        judged.iter().any(|j| j.failing(&self.wanted).is_none())
    }
}
