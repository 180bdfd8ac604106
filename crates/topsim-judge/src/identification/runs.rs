//! All rows of a solver, and in which order it is found out what is wrong: each step needs that what comes before it is
//! right, or undone.

use super::expansion::{self, AnsweredStart, Expansion, Interval, parts};
use super::experiment::{Answer, Probe, Row, Target};
use super::fit::{Differences, ObservedDifference};
use super::law::Place;
use super::precision::{self, Precision};
use super::questions::QuestionParts;
use super::symptom::Symptom;
use super::{Identification, cadence, design, probes, report, text};
use design::Group;
use topsim_model::convention::{AttitudeConvention, Convention};

/// A run that was asked for, with its rows.
pub(super) type Run = (Probe, Vec<Row>);
/// A defect is a difference of the equations only if it is larger than this, relative.
pub(super) const MODEL: f64 = 1e-5;
/// So many starts at least are needed.
const FEWEST: usize = 6;

/// All rows.
pub(super) struct MeasuredRuns {
    pub all: Vec<AnsweredStart>,
    pub coarse: Vec<Run>,
    pub fast: Vec<Run>,
    pub branches: Vec<Run>,
    pub tiny: Vec<Run>,
    pub slow: Vec<Run>,
    pub long: Vec<Run>,
    pub precision: Precision,
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
        let precision = precision::of_rows(rows);
        let part = |k: usize| -> Vec<Run> {
            let from = if k == 0 { 0 } else { asked.ends[k - 1] };
            runs[from..asked.ends[k]]
                .iter()
                .flatten()
                .cloned()
                .collect()
        };
        let mut all = Vec::new();
        for (i, designed) in asked.starts.iter().enumerate() {
            let own = &runs[4 * i..4 * i + 4];
            let rows: Vec<Vec<Row>> = own.iter().flatten().map(|r| r.1.clone()).collect();
            if rows.len() == 4 && rows.iter().all(|r| r.len() > design::RUN) {
                all.push(AnsweredStart {
                    designed: designed.clone(),
                    rows,
                });
            }
        }
        // A solver that refuses some starts is measured at the others.
        if all.len() < asked.starts.len() / 3 || all.len() < FEWEST {
            return Err(why.unwrap_or_else(|| {
                "most of its rows hold numbers that are not those of a moving body".into()
            }));
        }
        Ok(Self {
            all,
            coarse: part(1),
            fast: part(2),
            branches: part(3),
            tiny: part(4),
            slow: part(5),
            long: part(6),
            precision,
        })
    }

    fn undo(&mut self, convention: &Convention) {
        let runs = [
            &mut self.coarse,
            &mut self.fast,
            &mut self.branches,
            &mut self.tiny,
            &mut self.slow,
            &mut self.long,
        ];
        for a in &mut self.all {
            let start = &a.designed.start.att;
            a.rows.iter_mut().for_each(|r| convention.undo(start, r));
        }
        for (p, rows) in runs.into_iter().flatten() {
            convention.undo(&p.start.att, rows);
        }
    }

    pub fn identify(
        &mut self,
        target: &dyn Target,
        found: &mut Vec<Symptom>,
        out: &mut Identification,
    ) -> Convention {
        let digits = self.precision.digits;
        if self.precision.single {
            out.notes.push(text::SINGLE_ROWS.into());
        } else if digits > 1e-15 {
            out.notes.push(text::few_digits(digits));
        }
        let convention = report::convention(&self.all, digits);
        found.extend(convention.defects().map(|d| Symptom::Report(d, convention)));
        if !convention.is_as_named() {
            self.undo(&convention);
        }
        found.extend(self.normalisation());
        if let Some(rates) = probes::sleep(&self.slow, digits) {
            found.push(Symptom::Sleep(rates));
            // What is asleep says nothing of the rest.
            self.all
                .retain(|a| !a.rows.iter().any(|rows| probes::rests(rows)));
            self.coarse.retain(|(_, rows)| !probes::rests(rows));
            self.tiny.clear();
            if self.all.len() < FEWEST {
                return convention;
            }
        }
        if let Some((what, cadence)) = cadence::cadence(&self.all, &self.coarse) {
            found.push(Symptom::Cadence(what, cadence));
            return convention;
        }
        let events = expansion::events(&self.all);
        let expand = |interval| Expansion::new(&self.all, interval, &events, digits);
        let (first, later) = (expand(Interval::First), expand(Interval::Later));
        if let Some(size) = later.per_step() {
            let inverse = |t: &expansion::Terms| t.inverse;
            let sigma = (1e-6 / size).clamp(1e-4, 1e-2) * size;
            let selection = self.differences(&later, sigma, &inverse).select();
            match self.uneven_steps(&later).filter(|_| !selection.accepted) {
                Some(step) => out.makes_own_steps(step),
                None => found.push(Symptom::PerStep(Box::new(selection), size)),
            }
            return convention;
        }
        let [u0, _, _] = later.truncation;
        let size = later.size(0);
        if size > MODEL.max(u0).max(10.0 * later.noise[0]) {
            if let Some(step) = self.own_steps(&later, size) {
                out.makes_own_steps(step);
            }
            self.model((target, &convention), (&first, &later), size, found, out);
            self.places(found, &convention);
            return convention;
        }
        if self.precision.digits < 1e-12 && probes::torque_is_single(&self.tiny) {
            found.push(Symptom::TorqueInSingle);
        }
        if convention.rate.explained && convention.rate.shift == 0.0 {
            if let Some(defect) = self.late_rows() {
                found.push(Symptom::Late(defect));
                self.places(found, &convention);
                return convention;
            }
            self.first_step((&first, &later), found, out);
        }
        if !convention.rate.explained {
            found.push(Symptom::AnotherStart);
        }
        self.order(&later, &convention, found, out);
        self.places(found, &convention);
        convention
    }

    /// What shows in some places only.
    fn places(&self, found: &mut Vec<Symptom>, convention: &Convention) {
        if let Some(limit) = probes::rate_limit(&self.fast) {
            found.push(Symptom::RateLimit(limit));
        }
        // Euler angles that were put together wrongly lose half turns by themselves.
        let angles = matches!(convention.attitude, AttitudeConvention::Euler { .. });
        if let Some(largest) = probes::lost_at_half_turn(&self.branches).filter(|_| !angles) {
            found.push(Symptom::HalfTurn(largest));
        }
        let right = |f: &Symptom| !matches!(f, Symptom::Law { .. } | Symptom::UnknownLaw(_));
        if let Some(long) = probes::measured(&self.long)
            && found.iter().all(right)
            && long.grows()
            && !self.precision.single
            && self.precision.digits < 1e-11
        {
            found.push(Symptom::StateInSingle(long.errors));
        }
    }

    fn normalisation(&self) -> Option<Symptom> {
        let mut off = [0.0; 3];
        for (k, (_, rows)) in self.long.iter().enumerate() {
            let q = rows.last()?.quaternion?;
            let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            *off.get_mut(k)? = (norm - 1.0).abs();
        }
        // That of a rule of higher order falls with its order, and that of a tolerance not at all: both are harmless.
        let order_one = off[1] < 3.0 * off[2] && off[1] > 1.3 * off[2];
        let large = off[2] > 1e-5_f64.max(30.0 * self.precision.digits);
        (large && order_one).then_some(Symptom::Normalisation(off))
    }

    /// A term of the expansion as differences of the equations of motion.
    pub fn differences(
        &self,
        expansion: &Expansion,
        sigma: f64,
        term: &dyn Fn(&expansion::Terms) -> expansion::RateTerms,
    ) -> Differences {
        self.differences_at(expansion, &|_| true, sigma, term)
    }

    /// The same at the starts of some groups.
    pub fn differences_at(
        &self,
        expansion: &Expansion,
        wanted: &dyn Fn(Group) -> bool,
        sigma: f64,
        term: &dyn Fn(&expansion::Terms) -> expansion::RateTerms,
    ) -> Differences {
        let all = expansion.all.iter().filter(|t| wanted(t.group));
        let observed = all.map(|t| {
            let start = &self.all[t.start].designed.start;
            let (rate, acceleration) = parts(&term(t));
            ObservedDifference {
                place: Place::new(start.clone(), 0.0, t.group != Group::Sphere),
                rate,
                acceleration,
            }
        });
        Differences::new(observed.collect(), sigma)
    }
}
