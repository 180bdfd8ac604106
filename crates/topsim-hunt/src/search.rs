//! The search: rounds of random problems and of neighbours of those that came nearest to a finding.

use crate::claim::HuntClaim;
use crate::corner::Corner;
use crate::coverage::Coverage;
use crate::finding::Finding;
use crate::habits::Habits;
use crate::image::IMAGES;
use crate::ladder::{Outcome, RUNGS};
use crate::point::Point;
use crate::shrink::shrink;
use crate::space;
use crate::trial::{TrialResult, Trials};
use std::collections::VecDeque;
use topsim_core::math::Random;
use topsim_protocol::Claims;

/// Problems of a round; of a solver that is given batches, as many as a batch has worlds.
pub const ROUND: u64 = 48;
/// Problems of each claim whose neighbours are looked at.
const NEAR: usize = 4;
/// After so many findings a hunt ends.
const MOST: usize = 24;

/// A hunt under way: it is told to make one round after the other, so that whoever asks watches the clock.
pub(crate) struct Search<'a> {
    trials: Trials<'a>,
    /// The ordinary problems, which are the first round.
    ordinary: Vec<TrialResult>,
    /// Whether the solver gives no rows of the simplest problem of all: nothing else is asked of it.
    dead: bool,
    /// Whether everything is to end: what was asked last was not answered.
    stopped: bool,
    /// So many of the findings are those of before.
    known: usize,
    untried: Vec<String>,
    wanted: Vec<HuntClaim>,
    seed: u64,
    solver: String,
    rounds: u64,
    /// Problems of a round.
    pub of_round: u64,
    near: Vec<(HuntClaim, f64, Point)>,
    pub habits: Habits,
    pub coverage: Coverage,
    pub findings: Vec<Finding>,
}

impl<'a> Search<'a> {
    /// Learns the habits of a solver. Where it gives no rows of the simplest problem, that is its finding.
    pub fn new(
        trials: Trials<'a>,
        (wanted, claims): (&[HuntClaim], &Claims),
        seed: u64,
        solver: &str,
    ) -> Self {
        let mut answered = trials.answered(&[Point::ORDINARY], 1);
        let dead = wanted.contains(&HuntClaim::Answer)
            && matches!(answered[..], [(_, Outcome::Failed(_))]);
        if !dead {
            answered = trials.answered(&space::ordinary(), RUNGS);
        }
        let stopped = answered.iter().any(|(_, o)| matches!(o, Outcome::Stopped));
        let habits = if dead {
            Habits::of(&[], claims)
        } else {
            Habits::of(&answered, claims)
        };
        let ordinary = answered.into_iter();
        let ordinary = ordinary.map(|(point, outcome)| TrialResult::of(point, outcome, &habits));
        Self {
            trials,
            ordinary: ordinary.collect(),
            dead,
            stopped,
            known: 0,
            untried: Vec::new(),
            wanted: wanted.to_vec(),
            seed,
            solver: solver.into(),
            rounds: 0,
            of_round: ROUND,
            near: Vec::new(),
            habits,
            coverage: Coverage::new(wanted),
            findings: Vec::new(),
        }
    }

    /// Whether nothing more is to be looked for.
    pub fn is_over(&self) -> bool {
        let ordinary = |f: &Finding| f.class.is_empty() && !f.is_accepted();
        let begun = self.coverage.problems > 0;
        // Who does none of the ordinary problems does no others.
        let refuses = begun && self.coverage.refused == self.coverage.problems;
        let dead = (self.dead && begun) || refuses;
        self.stopped || dead || self.findings.len() >= MOST || self.findings.iter().any(ordinary)
    }

    /// Whether it was ended before all was asked that should have been.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// The known findings that still show, the ids of those that could not be tried, and the new ones.
    pub fn into_findings(mut self) -> (Vec<Finding>, Vec<String>, Vec<Finding>) {
        let new = self.findings.split_off(self.known);
        (self.findings, self.untried, new)
    }

    /// Whether a known finding is gone. One that still shows is one of the findings; one whose problem is not answered
    /// is not tried.
    pub fn is_gone(&mut self, mut known: Finding) -> bool {
        // Nothing but that a solver answers can be judged of one that does not.
        let can = !self.stopped && (!self.dead || known.claim == HuntClaim::Answer);
        let judged = can.then(|| {
            self.trials
                .confirmed(&[known.problem], &self.habits)
                .remove(0)
        });
        let margin = judged.as_ref().and_then(|j| j.margin(known.claim));
        match (margin, judged.map(|j| j.outcome)) {
            (Some(margin), _) if !margin.holds() => {
                known.set(&margin);
                self.findings.push(known);
                self.known += 1;
                false
            }
            (None, None | Some(Outcome::Failed(_) | Outcome::Stopped)) => {
                self.untried.push(known.id);
                false
            }
            _ => true,
        }
    }

    /// One round of at most so many problems, the ordinary ones first. Gives the findings that are new, each with the ids
    /// of those of this hunt whose place it takes.
    pub fn round(&mut self, most: u64) -> Vec<(Finding, Vec<String>)> {
        let mut random = Random::new(self.seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ self.rounds);
        random.bits();
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let mut judged = std::mem::take(&mut self.ordinary);
        if self.rounds > 0 {
            let mut points = self.points(&mut random);
            points.truncate(most);
            judged = self.trials.searched(&points, &self.habits);
        }
        judged.truncate(most);
        let all = judged;
        self.rounds += 1;
        let mut new = Vec::new();
        // What was not answered, and all after it, has not been: the problems made are the first of the seed.
        // What is known of whether findings explain the failing problems ahead.
        let mut explained = VecDeque::new();
        for (k, judged) in all.iter().enumerate() {
            self.stopped |= judged.is_stopped();
            let found = match judged.failing(&self.wanted) {
                Some(_) if !self.is_over() => {
                    if explained.is_empty() {
                        explained.extend(self.explained(&all[k..]));
                    }
                    match explained.pop_front() {
                        Some(true) => {
                            self.coverage.explained(judged);
                            None
                        }
                        _ => self.found(judged, self.coverage.problems),
                    }
                }
                _ => None,
            };
            if self.stopped && found.is_none() {
                break;
            }
            self.coverage.push(judged);
            self.coverage.ordinary += u64::from(self.rounds == 1);
            if judged.failing(&self.wanted).is_none() {
                self.remember(judged);
            }
            if found.is_some() {
                explained.clear();
            }
            new.extend(found);
        }
        new
    }

    fn points(&mut self, random: &mut Random) -> Vec<Point> {
        let mut out = Vec::new();
        while (out.len() as u64) < self.of_round {
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
    fn remember(&mut self, judged: &TrialResult) {
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
    fn confirmed(&mut self, point: Point) -> Option<TrialResult> {
        let judged = self.trials.confirmed(&[point], &self.habits).remove(0);
        self.stopped |= judged.is_stopped();
        judged.failing(&self.wanted).is_some().then_some(judged)
    }

    /// The finding that a failing problem leads to, with the ids of those whose place it takes; none where another one is the
    /// same, or it is not confirmed.
    fn found(&mut self, judged: &TrialResult, number: u64) -> Option<(Finding, Vec<String>)> {
        let (claim, simplest) = if self.dead {
            (HuntClaim::Answer, judged.clone())
        } else {
            let confirmed = self.confirmed(judged.point)?;
            self.coverage.confirmed(&confirmed);
            self.simplest(confirmed)?
        };
        let margin = simplest.margin(claim)?;
        let class = Corner::of(&simplest.point);
        let within = |a: &[Corner], b: &[Corner]| a.iter().all(|c| b.contains(c));
        // Whether one claim says what another does: what is wrong by itself differs from its images too, and what needs the
        // same corners is told by the plainest claim.
        let says = |f: &[Corner], a: HuntClaim, b: HuntClaim| {
            a == b || (a < b && (b.is_relation() || f == class))
        };
        // One of fewer corners says more simply what this one does.
        let covers = |f: &Finding| {
            let fewer = !f.is_accepted() && within(&f.class, &class);
            says(&f.class, f.claim, claim) && (f.class == class || fewer)
        };
        if self.findings.iter().any(covers) {
            return None;
        }
        let replaced = self.findings[self.known..].iter();
        let replaced =
            replaced.filter(|f| says(&f.class, claim, f.claim) && within(&class, &f.class));
        let replaced: Vec<String> = replaced.map(|f| f.id.clone()).collect();
        self.findings.retain(|f| !replaced.contains(&f.id));
        let taken = self.findings.iter().map(|f| &f.id).chain(&self.untried);
        let mut finding = Finding {
            id: Finding::name(claim, &class, &taken.collect::<Vec<_>>()),
            claim,
            class,
            quantity: None,
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
        Some((finding, replaced))
    }

    /// The claim that fails most plainly on a problem, and the simplest problem on which it does.
    fn simplest(&mut self, confirmed: TrialResult) -> Option<(HuntClaim, TrialResult)> {
        let claim = confirmed.failing(&self.wanted)?.claim;
        let simplest = shrink(&self.trials, &self.habits, claim, confirmed);
        // What its image shows by itself is plainer than that the two differ.
        if let Some(image) = IMAGES.iter().find(|image| image.claim == claim) {
            let image = self.confirmed((image.point)(&simplest.point));
            let plainer = image.and_then(|j| Some((j.failing(&self.wanted)?.claim, j)));
            if let Some((plainer, image)) = plainer.filter(|(c, _)| *c < claim) {
                return Some((plainer, shrink(&self.trials, &self.habits, plainer, image)));
            }
        }
        Some((claim, simplest))
    }

    /// Whether the failing problems have what some finding needs, and pass once that is made ordinary in them: the first, and
    /// all at once where the solver is given batches.
    fn explained(&mut self, ahead: &[TrialResult]) -> Vec<bool> {
        let most = if self.of_round > ROUND {
            ahead.len()
        } else {
            1
        };
        let failing = ahead.iter().filter(|j| j.failing(&self.wanted).is_some());
        let failing: Vec<Point> = failing.take(most).map(|j| j.point).collect();
        let mut mended: Vec<(usize, Point)> = Vec::new();
        for (k, point) in failing.iter().enumerate() {
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
            let each = alike.map(|f| (k, without(&f.class)));
            mended.extend(each.filter(|(_, p)| p.is_sound()));
        }
        let points: Vec<Point> = mended.iter().map(|(_, p)| *p).collect();
        let judged = self.trials.searched(&points, &self.habits);
        self.stopped |= judged.iter().any(TrialResult::is_stopped);
        let passes = |j: &TrialResult| !j.margins.is_empty() && j.failing(&self.wanted).is_none();
        let mut out = vec![false; failing.len()];
        for ((k, _), judged) in mended.iter().zip(&judged) {
            out[*k] |= passes(judged);
        }
        out
    }
}
