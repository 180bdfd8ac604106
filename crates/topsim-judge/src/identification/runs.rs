//! All rows of a solver, and in which order it is found out what is wrong: each step needs that what comes before it is
//! right, or undone.

use super::cadence::ClockPart;
use super::expansion::{self, AnsweredStart, Expansion, RateTerms};
use super::experiment::{Answer, Probe, Row, Target};
use super::fit::Differences;
use super::floor::{Floor, SinglePart};
use super::law::Place;
use super::note::Note;
use super::precision;
use super::probes::{self, PosedAgain};
use super::questions::QuestionParts;
use super::scheme::SchemeFlaw;
use super::symptom::Symptom;
use super::{Claim, Identification, between, cadence, design, memory, report, turn_limits};
use crate::thresholds::*;
use design::{DesignPoint, Group};
use topsim_core::math::Vec3;
use topsim_model::convention::{AttitudeConvention, Convention};
use topsim_model::defect::{ModelDefect, Part};
use topsim_model::{Observed, Print, Report, StepHistory, held};

/// A run that was asked for, with its rows.
pub(super) type Run = (Probe, Vec<Row>);

/// Numbers of steps of the long runs that tell periods.
const HELD: core::ops::RangeInclusive<usize> = 100..=500;

/// All rows.
pub(super) struct MeasuredRuns {
    pub all: Vec<AnsweredStart>,
    pub coarse: Vec<Run>,
    pub fast: Vec<Run>,
    pub branches: Vec<Run>,
    pub slow: Vec<Run>,
    pub long: Vec<Run>,
    pub spinning: Vec<Run>,
    /// A run with all its rows, and with its ends alone, and the finest long run with its ends alone.
    pub ends: Vec<Run>,
    /// A free body, another one, and the first at a time that changes nothing.
    pub again: Vec<Run>,
    pub floor: Floor,
}

impl MeasuredRuns {
    pub fn new(asked: &QuestionParts, answers: Vec<Answer>) -> Result<Self, String> {
        let mut why = None;
        let runs: Vec<Option<Run>> = asked
            .probes
            .iter()
            .zip(answers)
            .map(|(p, answer)| match answer {
                Ok(rows) if rows.len() > 1 => Some((p.clone(), rows)),
                Ok(_) => None,
                Err(e) => {
                    why.get_or_insert(e.to_string());
                    None
                }
            })
            .collect();
        let rows = || runs.iter().flatten().flat_map(|(_, rows)| rows);
        let written = precision::written(rows());
        let part = |k: usize| -> Vec<Run> {
            let from = if k == 0 { 0 } else { asked.ends[k - 1] };
            runs[from..asked.ends[k]]
                .iter()
                .flatten()
                .cloned()
                .collect()
        };
        let answered = |k: usize, starts: &[DesignPoint]| {
            let from = if k == 0 { 0 } else { asked.ends[k - 1] };
            let own = runs[from..asked.ends[k]].iter();
            let rows = own.map(|run| run.as_ref().map(|r| r.1.clone()));
            expansion::answered(starts, design::STEPS, rows.collect())
        };
        let all: Vec<AnsweredStart> = answered(1, &asked.starts);
        let near = answered(2, &asked.neighbours.starts);
        let after_start = runs.iter().flatten().flat_map(|(_, rows)| &rows[1..]);
        let mut floor = Floor::new(written, &asked.neighbours.families(&all, &near));
        floor.unit_of_rates = precision::decimal_unit(after_start);
        // A solver that refuses some starts is measured at the others.
        if all.len() < asked.starts.len() / 3 || all.len() < FEWEST_STARTS {
            return Err(why.unwrap_or_else(|| {
                "most of its rows hold numbers that are not those of a moving body".into()
            }));
        }
        Ok(Self {
            all,
            coarse: part(3),
            fast: part(4),
            branches: part(5),
            slow: part(6),
            long: part(7),
            spinning: part(8),
            ends: part(9),
            again: part(0),
            floor,
        })
    }

    fn undo(&mut self, convention: &Convention) {
        let runs = [
            &mut self.coarse,
            &mut self.fast,
            &mut self.branches,
            &mut self.slow,
            &mut self.long,
            &mut self.spinning,
            &mut self.ends,
        ];
        for a in &mut self.all {
            let start = &a.designed.start.att;
            a.rows.iter_mut().for_each(|r| convention.undo(start, r));
        }
        for (p, rows) in runs.into_iter().flatten() {
            convention.undo(&p.start.att, rows);
        }
    }

    pub fn identify(&mut self, target: &dyn Target, out: &mut Identification) -> Convention {
        out.floor = self.floor;
        let single = self.floor.single();
        if let Some((part, scatter)) = single {
            if part != SinglePart::Torque {
                out.notes.push(Note::Single(part, scatter));
            }
        } else if self.floor.written > ROUNDED {
            out.notes.push(Note::FewDigits(self.floor.written));
        }
        let starts = self.all.iter().flat_map(|a| &a.rows);
        let rounded = precision::decimal_unit(starts.filter_map(|rows| rows.first()));
        if let (Some(unit), None) = (rounded, self.floor.unit_of_rates)
            && self.floor.written < ALL_DIGITS
        {
            out.find(Symptom::StartRounded(unit));
        }
        if self.lengthen(target) {
            out.runs += 4 * self.all.len();
        }
        if report::are_same(&self.all) {
            out.find(Symptom::SameRows);
            return report::plain(&self.all);
        }
        let convention = report::convention(&self.all, self.floor.at(design::STEPS[0]));
        for defect in convention.defects() {
            out.find(Symptom::Report(defect, convention));
        }
        if !convention.is_as_named() {
            self.undo(&convention);
        }
        if let Some(found) = probes::posed_again(&self.again, self.floor.written) {
            out.find(match found {
                PosedAgain::Remembers(size) => Symptom::RemembersProblems(size),
                PosedAgain::Scatters(size) => Symptom::Scatters(size),
            });
            return convention;
        }
        if let Some(off) = self.normalisation() {
            out.find(off);
        }
        if let Some(start) = report::start_of_steps(&self.all) {
            out.find(Symptom::AnotherStart {
                form: Some(Box::new(start)),
                shown: false,
            });
            return convention;
        }
        if let Some(slowed) = probes::slowed(&self.slow, self.floor.written) {
            out.find(Symptom::Sleep(slowed));
            // What is asleep or slowed says nothing of the rest.
            let [_, least] = slowed.rates;
            self.all.retain(|a| {
                let slow = slowed.keeps > 0.0 && a.designed.start.omega.norm() < least;
                !slow && !a.rows.iter().any(|rows| probes::rests(rows))
            });
            self.coarse.retain(|(_, rows)| !probes::rests(rows));
            if self.all.len() < FEWEST_STARTS {
                return convention;
            }
        }
        if let Some(rates) = probes::slow_gyroscopic(&self.slow, self.floor.written) {
            out.find(Symptom::SlowGyroscopic(rates));
            let [_, there] = rates;
            self.all.retain(|a| {
                a.designed.group == Group::Rest || a.designed.start.omega.norm() >= there
            });
            if self.all.len() < FEWEST_STARTS {
                return convention;
            }
        }
        let every = |(probe, rows): &Run| between::every(rows, self.floor.rate(probe.step));
        if let [.., before, last] = &self.long[..]
            && let Some((kind, steps)) = every(last)
            && every(before) == Some((kind, steps))
        {
            out.find(Symptom::StepsAsOne(kind, steps));
            return convention;
        }
        if let Some(times) = probes::stops(&self.slow) {
            out.find(Symptom::StopsAfter(times));
        }
        let steps = self
            .all
            .iter()
            .flat_map(|a| a.rows.iter().map(|rows| &rows[..]));
        let runs = [&self.coarse, &self.slow].into_iter().flatten();
        if let Some(unit) = probes::turn_unit(steps.chain(runs.map(|(_, rows)| &rows[..]))) {
            out.find(Symptom::TurnRounded(unit));
            return convention;
        }
        self.leave_out_limited();
        let close = self.long.last();
        if let Some(cadence) = close.and_then(|run| between::between(run, &self.floor)) {
            let symptom = Symptom::Cadence(ClockPart::All, cadence);
            if symptom.is_choice() {
                out.notes.push(Note::RowsBetween(cadence));
            }
            out.find(symptom);
            return convention;
        }
        // A step tells nothing if it is so short that the few digits of the rows hide its turn.
        self.coarse
            .retain(|(p, _)| self.floor.turn(p.step) <= NEGLIGIBLE * p.start.omega.norm() * p.step);
        if let Some((turn, off)) = turn_limits::small_turns(&self.all, &self.coarse) {
            out.find(Symptom::Flaw(SchemeFlaw::SmallTurns { turn, off }));
            return convention;
        }
        let of_turns = turn_limits::turn_limit(&self.all, &self.coarse);
        let found = of_turns.map(|limit| (ClockPart::Attitude, limit));
        if let Some((what, cadence)) = found.or_else(|| cadence::cadence(&self.all, &self.coarse)) {
            let limit = Symptom::Cadence(what, cadence);
            if self.all.iter().any(|a| cadence.is_reached_by(a)) {
                out.find(limit);
                return convention;
            }
            // What only long turns show says nothing of the rest.
            out.claims.push(limit.into());
        }
        if let Some(uneven) = self.uneven_rows() {
            out.find(uneven);
            return convention;
        }
        let events = expansion::events(&self.all);
        let expand = |row| Expansion::new(&self.all, row, &events, &self.floor);
        let (mut first, mut later) = (expand(0), expand(design::RUN - 1));
        if let Some(size) = later.per_step() {
            let sigma = (SINGLE_DIGITS / size).clamp(OTHER_FACTOR, HUNDREDTH) * size;
            let selection = self.differences(&later, sigma, later.inverse()).select();
            match self.uneven_steps(&later).filter(|_| !selection.accepted) {
                Some(step) => out.makes_own_steps(step),
                None => out.find(Symptom::PerStep(Box::new(selection), size)),
            }
            return convention;
        }
        let [u0, _, _] = later.truncation;
        let size = later.size(0);
        if size > DEFECT.max(u0).max(CLEARLY * later.noise[0]) {
            if let Some(left) = self.not_cleared(&expand) {
                out.find(Symptom::NotCleared(left));
                return convention;
            }
            if let Some(step) = self.own_steps(&later, size) {
                out.makes_own_steps(step);
            }
            let before = out.claims.len();
            self.model((target, &convention), (&first, &later), size, out);
            if out.has(ModelDefect::TorqueMissing)
                && let Some(factor) = self.torque_of_step(&later)
            {
                out.claims.truncate(before);
                out.find(Symptom::TorqueOfStep(factor));
                return convention;
            }
            let is_first = |c: &Claim| c.symptom.has_inertia(&probes::first_inertia());
            if out.claims[before..].iter().any(is_first) {
                out.claims.truncate(before);
                out.find(Symptom::InertiaOfFirst);
                return convention;
            }
            let new = &out.claims[before..];
            let unknown = |c: &Claim| matches!(*c.symptom, Symptom::UnknownLaw(_));
            let longer = (!new.is_empty() && new.iter().all(unknown))
                .then(|| self.all_at(target, design::LONG_STEPS, Some(&convention)));
            let right = |all: &Vec<AnsweredStart>| {
                let events = expansion::events(all);
                let longer = Expansion::new(all, design::RUN - 1, &events, &self.floor);
                longer.size(0) <= NEGLIGIBLE * size
            };
            let Some(all) = longer.flatten().filter(right) else {
                self.places(&convention, out);
                return convention;
            };
            // The equations are right, and the shortest steps do something else.
            out.claims.truncate(before);
            self.all = all;
            let events = expansion::events(&self.all);
            first = Expansion::new(&self.all, 0, &events, &self.floor);
            later = Expansion::new(&self.all, design::RUN - 1, &events, &self.floor);
        }
        if let Some((SinglePart::Torque, scatter)) = single {
            out.find(Symptom::TorqueInSingle(scatter));
        }
        if convention.rate.explained && convention.rate.shift == 0.0 {
            if let Some(late) = self.late_rows() {
                out.find(late);
                self.places(&convention, out);
                return convention;
            }
            self.first_step((&first, &later), out);
        }
        if !convention.rate.explained && !out.has(ModelDefect::AnotherStart) {
            out.find(Symptom::AnotherStart {
                form: report::form_of_row_0(&self.all).map(Box::new),
                shown: true,
            });
        }
        self.order((&first, &later), &convention, out);
        self.places(&convention, out);
        convention
    }

    /// Leaves out what a limit of the rate changes, which says nothing of the equations, where enough is left.
    fn leave_out_limited(&mut self) {
        let Some(limit) = probes::rate_limit(&self.fast) else {
            return;
        };
        let in_body = limit.each && !limit.in_space;
        let size = |w: &Vec3| if in_body { w.amax() } else { w.norm() };
        let most = (1.0 - HUNDREDTH) * limit.most;
        let is_below = |rows: &[Row]| rows.iter().all(|r| size(&r.omega) < most);
        let below: Vec<AnsweredStart> = self
            .all
            .iter()
            .filter(|a| a.rows.iter().all(|rows| is_below(rows)))
            .cloned()
            .collect();
        if below.len() >= FEWEST_STARTS.max(self.all.len() / 3) {
            self.all = below;
        }
    }

    /// What shows in some places only.
    fn places(&self, convention: &Convention, out: &mut Identification) {
        if let Some(limit) = probes::rate_limit(&self.fast) {
            out.find(Symptom::RateLimit(limit));
        } else if out.claims.iter().all(|c| c.id.part() != Part::Model)
            && let Some(limit) = self.limit()
        {
            out.find(limit);
        }
        // Euler angles that were put together wrongly, and signs that are lost, lose half turns by themselves.
        let angles = matches!(
            convention.attitude,
            AttitudeConvention::Euler { .. } | AttitudeConvention::Branch(_)
        );
        if let Some(largest) = probes::lost_at_half_turn(&self.branches).filter(|_| !angles) {
            out.find(Symptom::HalfTurn(largest));
        }
        let law = |s: &Symptom| {
            matches!(
                s,
                Symptom::Law { .. } | Symptom::Chart(..) | Symptom::UnknownLaw(_)
            )
        };
        let step = self.ends.first().map_or(0.0, |(p, _)| p.step);
        if !out.own_steps
            && let Some((size, steps)) = probes::rows_matter(
                &self.ends,
                self.long.last(),
                (self.floor.at(step), self.floor.written),
            )
        {
            out.find(Symptom::RowsMatter(size, steps));
        }
        if !out.shows(law) {
            // A tolerance of the solver's own scatters, too.
            let coarse = self.floor.coarse().filter(|_| !out.own_steps);
            if let Some((part, scatter)) = coarse {
                out.find(Symptom::Coarse(part, scatter));
            } else if let Some(growing) = probes::growing(&self.long) {
                if self.floor.single().is_some() {
                    out.notes.push(Note::Grows(growing));
                } else if self.floor.written < ALL_DIGITS {
                    let [_, shortest] = growing.steps;
                    let steps = self.long.last().map_or(0, |(p, _)| p.steps) as f64;
                    let rounding = ADDED_UP * steps * self.floor.at(shortest);
                    let [_, error] = growing.errors;
                    if error <= rounding {
                        out.find(Symptom::StateInSingle(growing));
                    } else if error > SINGLE_DIGITS {
                        // A tolerance with which a solver goes from row to row adds up to less.
                        out.find(Symptom::LooseIteration(growing));
                    }
                }
            }
            if let Some(part) = probes::creep(&self.spinning) {
                out.find(Symptom::BiasedRounding(part));
            }
        }
    }

    /// Returns whether torques act in the first steps of bodies at rest; none where there are no such bodies.
    pub fn torque_at_once(&self) -> Option<bool> {
        let at_rest = self.all.iter().filter(|a| a.designed.group == Group::Rest);
        let gains = at_rest.filter_map(|a| {
            let start = &a.designed.start;
            let (_, exact) = start.exact(0.0, a.steps[0], &start.att, &start.omega);
            let gain = a.rows[0].get(1)?.omega - start.omega;
            Some(gain.norm() > HALF * (exact - start.omega).norm())
        });
        gains.reduce(|any, acts| any || acts)
    }

    /// Returns the claim of a rule that holds a term between its evaluations, if one gives the long runs.
    pub fn held(&self) -> Option<Claim> {
        let told = self.long.iter().filter(|(p, _)| HELD.contains(&p.steps));
        let history = |(p, rows): &Run| StepHistory {
            step: p.step,
            print: Print::of(rows),
            rows: rows.clone(),
        };
        let histories: Vec<StepHistory> = told.map(history).collect();
        let (body, _) = self.long.first()?;
        let observed = Observed::new(&body.start, histories);
        observed.histories.first()?;
        memory(&held(&observed, &Report::default(), &|| true))
    }

    fn normalisation(&self) -> Option<Symptom> {
        // How far a row is from a rotation: of a quaternion or of a matrix.
        let off = |row: &Row| match row.quaternion {
            Some(q) => Some((q.iter().map(|x| x * x).sum::<f64>().sqrt() - 1.0).abs()),
            None => row.orthogonality_defect(),
        };
        let largest = |(_, rows): &Run| rows.iter().filter_map(off).reduce(f64::max);
        let all: Option<Vec<f64>> = self.long.iter().map(largest).collect();
        let off: [f64; 3] = *all?.last_chunk()?;
        let ratio = off[1] / off[2];
        // That of a rule of higher order falls with its order, and a tolerance leaves a small one at all steps: both are harmless.
        let falls = ratio < FEW_TIMES && ratio > SAME_SIZE;
        let stays = ratio <= SAME_SIZE && off[2] > FOUR_DIGITS;
        let floor = self.floor.turn(self.long.last()?.0.step);
        let large = off[2] > PRINTED.max(ADDED_UP * floor);
        (large && (falls || stays)).then_some(Symptom::Normalisation(off))
    }

    /// Asks for longer steps where the rounding of rows drowns what shorter ones show; true if they were asked for.
    fn lengthen(&mut self, target: &dyn Target) -> bool {
        if steps(&self.floor) == design::STEPS {
            return false;
        }
        let longer = self.all_at(target, design::LONG_STEPS, None);
        let answered = longer.is_some();
        if let Some(longer) = longer {
            self.all = longer;
        }
        answered
    }

    /// Returns the designed starts at other steps, with this convention undone; none where some are not answered.
    fn all_at(
        &self,
        target: &dyn Target,
        steps: [f64; 4],
        convention: Option<&Convention>,
    ) -> Option<Vec<AnsweredStart>> {
        let starts: Vec<DesignPoint> = self.all.iter().map(|s| s.designed.clone()).collect();
        let answers = target.answers(&design::runs(&starts, steps));
        let rows = answers.into_iter().map(Result::ok).collect();
        let mut all = expansion::answered(&starts, steps, rows);
        for s in &mut all {
            let start = &s.designed.start.att;
            let undo = |rows: &mut Vec<Row>| convention.iter().for_each(|c| c.undo(start, rows));
            s.rows.iter_mut().for_each(undo);
        }
        (all.len() == self.all.len()).then_some(all)
    }

    /// A term of the expansion as differences of the equations of motion.
    pub fn differences(
        &self,
        expansion: &Expansion,
        sigma: f64,
        term: Vec<RateTerms>,
    ) -> Differences {
        self.differences_at(expansion, &|_| true, sigma, term)
    }

    /// The same at the starts of some groups.
    pub fn differences_at(
        &self,
        expansion: &Expansion,
        wanted: &dyn Fn(Group) -> bool,
        sigma: f64,
        term: Vec<RateTerms>,
    ) -> Differences {
        let all = expansion.starts.iter().zip(term);
        let all = all.filter(|(s, _)| wanted(s.designed.group));
        let observed = all.map(|(s, x)| {
            let at = &s.designed;
            let place = Place::new(at.start.clone(), 0.0, at.group != Group::Sphere);
            (place, x)
        });
        Differences::new(observed, sigma)
    }
}

/// Returns the steps of the designed runs for rows of this floor.
pub(super) fn steps(floor: &Floor) -> [f64; 4] {
    let shortest = design::STEPS[3];
    if floor.at(shortest) / shortest <= DEFECT {
        design::STEPS
    } else {
        design::LONG_STEPS
    }
}
