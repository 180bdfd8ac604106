//! Measures a solver at states of our choice, and says what it integrates and how.
//!
//! A solver is a map from a problem and a state to the state one step later. The local defects of that map, expanded in
//! the step, tell apart what it writes, which equations of motion it has, and how it steps them:
//!
//! | what is not zero | means |
//! |---|---|
//! | row 0 | rows are written in another convention |
//! | the time by which it advances | a hard-coded or rounded step |
//! | the coefficient of 1/h | something is done once a step |
//! | that of h⁰ | other equations of motion: the fewest numbers of a law are fitted |
//! | the same, of the first step only | the start of a rule with memory |
//! | that of h | first order: at which time is each term taken? |
//!
//! Source: `identification.md` of the project's notes; `docs/judging.md` says what is reported of it.

mod cadence;
pub(crate) mod design;
mod expansion;
pub(crate) mod experiment;
pub(crate) mod files;
mod fit;
mod found;
pub(crate) mod law;
mod precision;
mod probes;
pub(crate) mod report;
mod scheme;
mod times;
mod words;

#[cfg(test)]
mod tests;

pub use found::Certainty;

use crate::defect::{Defect, Part, ReportingDefect, SchemeDefect};
use crate::history::Body;
use design::{Designed, Group, Sizes};
use expansion::{Answered, Expansion, Interval, parts};
use experiment::{Answer, Probe, Row, Target};
use fit::{Differences, Observed, Selection};
use found::Found;
use law::Place;
use precision::Precision;
use report::{AttitudeConvention, Convention};
use schemars::JsonSchema;
use serde::Serialize;
use topsim_case::Problem;
use topsim_core::math::Mat3;
use topsim_core::models::TorqueModel;

/// Something that is wrong with a solver.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Claim {
    /// The defect.
    #[schemars(with = "String")]
    pub id: Defect,
    /// How sure it is.
    pub certainty: Certainty,
    /// Its name, with the numbers that were measured.
    pub name: String,
    /// What was measured, and what it leaves unexplained.
    pub evidence: String,
    /// What it means, and where to look in the solver.
    pub advice: String,
}

impl Claim {
    /// One that explains what was measured, with the words of its row.
    pub(crate) fn is(id: impl Into<Defect>, evidence: String) -> Self {
        let id = id.into();
        Self {
            id,
            certainty: Certainty::Is,
            name: id.name(),
            evidence,
            advice: id.advice().into(),
        }
    }
    /// The same by a name that says more.
    #[must_use]
    pub(crate) fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }
}

/// What was identified of a solver.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Identification {
    /// What is wrong; the first is the main one.
    pub claims: Vec<Claim>,
    /// What there is to know and is not wrong.
    pub notes: Vec<String>,
    /// The scheme, or what is known of it: sentences, the first of which names it.
    pub scheme: Vec<String>,
    /// Order of its steps, where it was seen: 1, or "2 or more" as 2.
    pub least_order: Option<u32>,
    /// Whether nothing could be measured.
    pub not_measured: Option<String>,
    /// Number of runs that were asked for.
    pub runs: usize,
}

impl Identification {
    /// Of a solver that answers nothing.
    pub(crate) fn impossible(why: String) -> Self {
        Self {
            not_measured: Some(why),
            ..Self::default()
        }
    }
}

/// What problems the solver is judged on: others are not asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scope {
    pub gravity: bool,
    pub push: bool,
}

impl Scope {
    /// Of the problems.
    pub fn of<'a>(problems: impl Iterator<Item = &'a Problem>) -> Self {
        let mut out = Self {
            gravity: false,
            push: false,
        };
        for body in problems.filter_map(|p| Body::of(&p.model)) {
            match body.top().torque() {
                TorqueModel::Gravity(_) => out.gravity = true,
                TorqueModel::LoadedGravity(_) => {
                    out = Self {
                        gravity: true,
                        push: true,
                    }
                }
                TorqueModel::Free(_) => {}
                _ => out.push = true,
            }
        }
        out
    }
}

/// A run that was asked for, with its rows.
type Run = (Probe, Vec<Row>);

/// A defect is a difference of the equations only if it is larger than this, relative.
const MODEL: f64 = 1e-5;
/// Unexplained differences below this are those of a tolerance, relative.
const TOLERANCE: f64 = 1e-3;
/// First order is seen if the linear term is larger than this, relative.
const FIRST_ORDER: f64 = 1e-2;
/// Below this a solver may step by itself: relative.
const OWN_STEPS: f64 = 0.05;
/// Up to this another law is looked for beside them, relative.
const OWN_STEPS_BESIDE: f64 = 0.5;
/// What a scheme of first order in steps of the solver's own may leave of the defects.
const UNEVEN: f64 = 0.05;
/// Longest own step that is taken for one, s.
const LONGEST_OWN_STEP: f64 = 0.02;

/// Of the difference that a law makes in half a second it may leave this part.
const LATER: f64 = 0.1;

/// The parts of the questions, in their order.
struct Asked {
    starts: Vec<Designed>,
    probes: Vec<Probe>,
    /// Ends of the parts in `probes`: starts, coarse, fast, branches, tiny, long.
    ends: Vec<usize>,
}

impl Asked {
    fn new(sizes: Sizes, scope: Scope) -> Self {
        let mut starts = design::starts(sizes);
        starts.retain(|s| match s.group {
            Group::Rest | Group::Gravity => scope.gravity,
            Group::Push => scope.push,
            Group::Other => false,
            Group::Sphere | Group::Free => true,
        });
        let rest = starts.iter().filter(|s| s.group == Group::Rest);
        let rest: Vec<_> = rest.map(|s| s.start.clone()).collect();
        let mut probes = Vec::new();
        let mut ends = Vec::new();
        for part in [
            design::runs(&starts),
            cadence::coarse(),
            probes::fast(),
            probes::branches(),
            probes::tiny(&rest),
            if scope.gravity {
                probes::long()
            } else {
                Vec::new()
            },
        ] {
            probes.extend(part);
            ends.push(probes.len());
        }
        Self {
            starts,
            probes,
            ends,
        }
    }
}

/// Two short problems, to try a solver out: it may know only one kind.
pub(crate) fn first_questions(scope: Scope) -> Vec<Probe> {
    let wanted = [
        if scope.gravity {
            Group::Gravity
        } else {
            Group::Free
        },
        if scope.push {
            Group::Push
        } else {
            Group::Sphere
        },
    ];
    let all = design::starts(Sizes::REDUCED);
    let first = |g: Group| all.iter().find(|d| d.group == g);
    let first = wanted.into_iter().filter_map(first);
    first.map(|d| Probe::new(&d.start, 0.01, 2)).collect()
}

/// Measures and identifies; `quick`, at fewer starts.
pub(crate) fn identify(target: &dyn Target, scope: Scope, quick: bool) -> Identification {
    examine(target, scope, quick).1
}

/// The same, with what was found as data.
fn examine(target: &dyn Target, scope: Scope, quick: bool) -> (Vec<Found>, Identification) {
    let sizes = if quick { Sizes::REDUCED } else { Sizes::FULL };
    let asked = Asked::new(sizes, scope);
    let mut out = Identification {
        runs: asked.probes.len(),
        ..Identification::default()
    };
    let answers = target.answers(&asked.probes);
    let mut measured = match Measured::new(&asked, answers) {
        Ok(measured) => measured,
        Err(why) => {
            out.not_measured = Some(why);
            return (Vec::new(), out);
        }
    };
    let mut found = Vec::new();
    let convention = measured.identify(target, &mut found, &mut out);
    // The scheme of a right model; wrong reports are undone.
    let right = |f: &Found| matches!(f.defect().part(), Part::Reporting | Part::Scheme);
    let stepped = |f: &Found| !matches!(f, Found::Cadence(..) | Found::PerStep(..));
    // Rows of a rate of another time cannot be undone.
    let of_one_time = convention.rate.shift == 0.0
        && found
            .iter()
            .all(|f| f.defect() != ReportingDefect::RateHalfStep.into());
    if scope.gravity && of_one_time && found.iter().all(|f| right(f) && stepped(f)) {
        let undone = Undone {
            target,
            convention: &convention,
        };
        let scheme = scheme::identify(&undone, measured.precision.digits);
        out.runs += scheme.runs;
        out.scheme = scheme::sentences(&scheme);
        let acts = match &scheme.torque_times {
            Some(scheme::TorqueTimes::Few(all)) => all.iter().map(|(_, b)| b).sum::<f64>() > 0.5,
            _ => true,
        };
        // Of a torque that does not act nothing is told by when it is read.
        let told =
            |f: &scheme::SchemeFlaw| acts || !matches!(f, scheme::SchemeFlaw::TorqueTime { .. });
        let flaws = scheme.flaws.into_iter().filter(told).map(Found::Flaw);
        for flaw in flaws {
            if found.iter().all(|f| f.defect() != flaw.defect()) {
                found.push(flaw);
            }
        }
    }
    out.claims = found.iter().map(words::claim).collect();
    (found, out)
}

/// A solver whose reports are put right.
struct Undone<'a> {
    target: &'a dyn Target,
    convention: &'a Convention,
}

impl Target for Undone<'_> {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let mut all = self.target.answers(probes);
        if !self.convention.is_as_named() {
            for (p, rows) in probes.iter().zip(&mut all) {
                if let Ok(rows) = rows {
                    self.convention.undo(&p.start.att, rows);
                }
            }
        }
        all
    }
}

/// All rows.
struct Measured {
    all: Vec<Answered>,
    coarse: Vec<Run>,
    fast: Vec<Run>,
    branches: Vec<Run>,
    tiny: Vec<Run>,
    long: Vec<Run>,
    precision: Precision,
}

impl Measured {
    fn new(asked: &Asked, answers: Vec<Answer>) -> Result<Self, String> {
        let mut why = None;
        let runs: Vec<Option<Run>> = asked
            .probes
            .iter()
            .zip(answers)
            .map(|(p, answer)| match answer {
                Ok(rows) if rows.len() > 1 => Some((p.clone(), rows)),
                Ok(_) => None,
                Err(e) => {
                    why.get_or_insert(e);
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
                all.push(Answered {
                    designed: designed.clone(),
                    rows,
                });
            }
        }
        // A solver that refuses some starts is measured at the others.
        if all.len() < asked.starts.len() / 3 || all.len() < 6 {
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
            long: part(5),
            precision,
        })
    }

    fn undo(&mut self, convention: &Convention) {
        let runs = [
            &mut self.coarse,
            &mut self.fast,
            &mut self.branches,
            &mut self.tiny,
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

    fn identify(
        &mut self,
        target: &dyn Target,
        found: &mut Vec<Found>,
        out: &mut Identification,
    ) -> Convention {
        let digits = self.precision.digits;
        if self.precision.single {
            out.notes.push(words::SINGLE_ROWS.into());
        } else if digits > 1e-15 {
            out.notes.push(words::few_digits(digits));
        }
        let convention = report::convention(&self.all, digits);
        found.extend(reports(&convention).map(|d| Found::Report(d, convention)));
        if !convention.is_as_named() {
            self.undo(&convention);
        }
        found.extend(self.normalisation());
        if let Some((what, cadence)) = cadence::cadence(&self.all, &self.coarse) {
            found.push(Found::Cadence(what, cadence));
            return convention;
        }
        let events = expansion::events(&self.all);
        let expand = |interval| Expansion::new(&self.all, interval, &events, digits);
        let (first, later) = (expand(Interval::First), expand(Interval::Later));
        if let Some(size) = later.per_step() {
            let inverse = |t: &expansion::Terms| t.inverse;
            let sigma = (1e-6 / size).clamp(1e-4, 1e-2) * size;
            let selection = self.differences(&later, sigma, &inverse).select();
            if !selection.accepted && self.uneven_steps(&later).is_some() {
                out.notes.extend(self.uneven_steps(&later));
                return convention;
            }
            found.push(Found::PerStep(Box::new(selection), size));
            return convention;
        }
        let [u0, _, _] = later.truncation;
        let size = later.size(0);
        if size > MODEL.max(u0).max(10.0 * later.noise[0]) {
            let own = self.own_steps(&later, size);
            let own_steps = own.is_some();
            out.notes.extend(own);
            let expansions = (&first, &later);
            self.model(
                (target, &convention),
                expansions,
                (size, own_steps),
                found,
                out,
            );
            self.places(found, &convention);
            return convention;
        }
        if self.precision.digits < 1e-12 && probes::torque_is_single(&self.tiny) {
            found.push(Found::TorqueInSingle);
        }
        if convention.rate.explained && convention.rate.shift == 0.0 {
            self.first_step((&first, &later), found, out);
        }
        if !convention.rate.explained {
            found.push(Found::AnotherStart);
        }
        self.order(&later, &convention, found, out);
        self.places(found, &convention);
        convention
    }

    /// What shows in some places only.
    fn places(&self, found: &mut Vec<Found>, convention: &Convention) {
        if let Some(limit) = probes::rate_limit(&self.fast) {
            found.push(Found::RateLimit(limit));
        }
        // Euler angles that were put together wrongly lose half turns by themselves.
        let angles = matches!(convention.attitude, AttitudeConvention::Euler { .. });
        if let Some(largest) = probes::lost_at_half_turn(&self.branches).filter(|_| !angles) {
            found.push(Found::HalfTurn(largest));
        }
        let right = |f: &Found| !matches!(f, Found::Law { .. } | Found::UnknownLaw(_));
        if let Some(long) = probes::measured(&self.long)
            && found.iter().all(right)
            && long.grows()
            && !self.precision.single
            && self.precision.digits < 1e-11
        {
            found.push(Found::StateInSingle(long.errors));
        }
    }

    fn normalisation(&self) -> Option<Found> {
        let mut off = [0.0; 3];
        for (k, (_, rows)) in self.long.iter().enumerate() {
            let q = rows.last()?.quaternion?;
            let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            *off.get_mut(k)? = (norm - 1.0).abs();
        }
        // That of a rule of higher order falls with its order, and that of a tolerance not at all: both are harmless.
        let order_one = off[1] < 3.0 * off[2] && off[1] > 1.3 * off[2];
        let large = off[2] > 1e-5_f64.max(30.0 * self.precision.digits);
        (large && order_one).then_some(Found::Normalisation(off))
    }

    fn differences(
        &self,
        expansion: &Expansion,
        sigma: f64,
        term: &dyn Fn(&expansion::Terms) -> expansion::Six,
    ) -> Differences {
        let observed = expansion.all.iter().map(|t| {
            let start = &self.all[t.start].designed.start;
            let (rate, acceleration) = parts(&term(t));
            Observed {
                place: Place::new(start.clone(), 0.0, t.group != Group::Sphere),
                rate,
                acceleration,
            }
        });
        Differences::new(observed.collect(), sigma)
    }

    /// A solver with steps of its own leaves the same defect at every step, that of its scheme.
    fn own_steps(&self, later: &Expansion, size: f64) -> Option<String> {
        if size >= OWN_STEPS {
            return None;
        }
        let c = times::combination(later, &self.all, 0, &times::Differential::SCHEMES)?;
        let own = c.left < 0.02 && c.largest() < LONGEST_OWN_STEP;
        own.then(|| words::own_steps(2.0 * c.largest()))
    }

    /// A solver with steps of its own whose length depends on the step that is asked for: the defects are those of a
    /// scheme of first order at each step, and no series.
    fn uneven_steps(&self, expansion: &Expansion) -> Option<String> {
        let mut lengths = [0.0; 4];
        for (j, length) in lengths.iter_mut().enumerate() {
            let h = design::STEPS[j];
            let raw = |t: &expansion::Terms| t.raw[j];
            let terms = times::Differential::SCHEMES;
            let c = times::combination_of(expansion, &self.all, &raw, &terms)?;
            let squares = expansion
                .all
                .iter()
                .map(|t| expansion.scales.relative(&t.raw[j]));
            let squares: f64 = squares.map(|x| x * x).sum();
            let size = (squares / expansion.all.len().max(1) as f64).sqrt();
            // The scheme's terms change along the interval.
            let slack =
                (UNEVEN * h / design::STEPS[3]).max(20.0 * self.precision.digits / h / size);
            if !(c.left < slack && c.largest() < 0.6 * h) {
                return None;
            }
            *length = 2.0 * c.largest();
        }
        let parts = core::array::from_fn::<f64, 4, _>(|j| lengths[j] / design::STEPS[j]);
        let most = parts.iter().copied().fold(0.0, f64::max);
        let least = parts.iter().copied().fold(f64::INFINITY, f64::min);
        let longest = lengths.iter().copied().fold(0.0, f64::max);
        // Of a scheme that makes the steps that are asked for all parts are the same.
        (most > 1.2 * least).then(|| words::own_steps(longest))
    }

    fn model(
        &self,
        (target, convention): (&dyn Target, &Convention),
        (first, later): (&Expansion, &Expansion),
        (size, own_steps): (f64, bool),
        found: &mut Vec<Found>,
        out: &mut Identification,
    ) {
        // That of the first step is cleaner where it is the same.
        let apart = first.all.iter().zip(&later.all).map(|(a, b)| {
            let d = later.scales.relative(&(a.powers[0] - b.powers[0]));
            d * d
        });
        let apart = (apart.sum::<f64>() / later.all.len().max(1) as f64).sqrt();
        let same = first.all.len() == later.all.len() && apart < 0.02 * size;
        let expansion = if same { first } else { later };
        let sigma = 1e-7_f64
            .max(0.1 * expansion.truncation[0])
            .max(expansion.noise[0]);
        let differences = || self.differences(expansion, sigma, &|t| t.powers[0]);
        let (mut selection, mut own) = (None, false);
        if !own_steps {
            selection = Some(differences().select()).filter(|s| s.accepted);
        }
        if selection.is_none() && size < OWN_STEPS_BESIDE {
            // Another law, in steps of the solver's own.
            let beside = differences();
            let columns = times::columns(beside.starts());
            let beside = beside.without(&columns);
            own = true;
            let left = beside.left(&law::Law::default());
            if left > MODEL.max(10.0 * sigma) {
                selection = Some(beside.select()).filter(|s| s.accepted);
            }
        }
        let Some(selection) = selection else {
            if own_steps {
                return;
            }
            if size < TOLERANCE {
                out.notes.push(words::tolerance(size));
            } else if let Some(own) = self.uneven_steps(expansion) {
                out.notes.push(own);
            } else {
                self.unknown(expansion, found);
            }
            return;
        };
        // A law that holds at the start alone is none: what acts later has another cause.
        if !own
            && self
                .later_left(&selection.law)
                .is_some_and(|left| left > LATER)
        {
            self.unknown(expansion, found);
            return;
        }
        let elsewhere = self.predicted((target, convention), &selection, own);
        let inertia: Mat3 = *design::standard_inertia().tensor();
        for (defect, fitted) in found::named(&selection, &inertia) {
            let defect = if convention.rate.explained {
                defect
            } else {
                found::from_another_rate(defect)
            };
            found.push(Found::Law {
                defect,
                fitted,
                selection: Box::new(selection.clone()),
                elsewhere,
                base: Box::new(design::standard()),
            });
        }
    }

    /// What is known of a law that is outside the family.
    fn unknown(&self, expansion: &Expansion, found: &mut Vec<Found>) {
        let groups = [
            Group::Sphere,
            Group::Free,
            Group::Rest,
            Group::Gravity,
            Group::Push,
        ];
        let table = groups
            .into_iter()
            .filter(|g| expansion.all.iter().any(|t| t.group == *g));
        let table = table.map(|g| (g, expansion.size_in(0, g)));
        found.push(Found::UnknownLaw(table.collect()));
    }

    /// What a law leaves of the rate that half a second makes, relative to the difference of the equations; of the
    /// finest of the long runs.
    fn later_left(&self, law: &law::Law) -> Option<f64> {
        let (probe, rows) = self.long.last()?;
        let last = rows.get(probe.steps)?;
        let by = |law: &law::Law| probes::carried(law, probe);
        let (with, without) = (by(law), by(&law::Law::default()));
        let ended = (last.att, last.omega);
        let apart = so3_apart(&with, &without);
        // The errors of the rule itself, of half and of all steps.
        let [.., (_, coarse), _] = &self.long[..] else {
            return None;
        };
        let coarse = coarse.last()?;
        let of_rule = so3_apart(&(coarse.att, coarse.omega), &ended);
        let off = so3_apart(&with, &ended) - 2.0 * of_rule;
        (apart > 10.0 * of_rule && apart > 1e-5).then_some(off / apart)
    }

    /// What a law leaves of the defects of another body, where it says anything of it.
    fn predicted(
        &self,
        (target, convention): (&dyn Target, &Convention),
        selection: &Selection,
        own_steps: bool,
    ) -> Option<f64> {
        use law::Block;
        let of_the_body = |b: Block| {
            matches!(
                b,
                Block::Lever
                    | Block::Up
                    | Block::Inertia
                    | Block::InertiaGravity
                    | Block::Divisor
                    | Block::DivisorGravity
                    | Block::Inverse
                    | Block::GyroscopicInertia
            )
        };
        if selection.blocks.iter().any(|f| of_the_body(f.block)) {
            return None;
        }
        let loads = |g: Group| self.all.iter().any(|a| a.designed.group == g);
        let mut others = design::starts(Sizes::REDUCED);
        others.retain(|d| {
            d.group == Group::Other
                && match d.start.load {
                    experiment::Load::Gravity { .. } => loads(Group::Gravity),
                    experiment::Load::Constant { .. } => loads(Group::Push),
                    _ => true,
                }
        });
        let undone = Undone { target, convention };
        let answers = undone.answers(&design::runs(&others));
        let rows: Vec<Vec<Row>> = answers.into_iter().filter_map(Result::ok).collect();
        if rows.len() < 4 * others.len() || rows.iter().any(|r| r.len() <= design::RUN) {
            return None;
        }
        let all: Vec<Answered> = others
            .into_iter()
            .enumerate()
            .map(|(i, designed)| Answered {
                designed,
                rows: rows[4 * i..4 * i + 4].to_vec(),
            })
            .collect();
        let expansion = Expansion::new(&all, Interval::First, &[], self.precision.digits);
        let observed = expansion.all.iter().map(|t| {
            let (rate, acceleration) = parts(&t.powers[0]);
            Observed {
                place: Place::new(all[t.start].designed.start.clone(), 0.0, false),
                rate,
                acceleration,
            }
        });
        let mut differences = Differences::new(observed.collect(), selection.residual.max(1e-7));
        if own_steps {
            let columns = times::columns(differences.starts());
            differences = differences.without(&columns);
        }
        let before = differences.left(&law::Law::default());
        let floor = 10.0 * expansion.truncation[0].max(selection.residual);
        // Where the other body shows nothing, there is nothing to predict.
        (before > floor).then(|| differences.left(&selection.law) / before)
    }

    /// A first step unlike the later ones.
    fn first_step(
        &self,
        (first, later): (&Expansion, &Expansion),
        found: &mut Vec<Found>,
        out: &mut Identification,
    ) {
        let size = first.size(0);
        if !(size > MODEL.max(first.truncation[0]).max(10.0 * first.noise[0])) {
            return;
        }
        let (mut parts_of, mut left, mut whole) = ([0.0; 2], 0.0, 0.0);
        for (k, scale) in [(0, first.scales.rate), (3, first.scales.acceleration)] {
            let pairs = first.all.iter().map(|t| {
                let s = &self.all[t.start].designed.start;
                let f = s.acceleration(0.0, &s.att, &s.omega);
                let d: topsim_core::math::Vec3 = t.powers[0].fixed_rows::<3>(k).into();
                (f, d)
            });
            let (mut fd, mut ff, mut dd) = (0.0, 0.0, 0.0);
            for (f, d) in pairs {
                fd += f.dot(&d);
                ff += f.norm_squared();
                dd += d.norm_squared();
            }
            let c = if ff > 0.0 { fd / ff } else { 0.0 };
            parts_of[k / 3] = c;
            left += (dd - c * fd).max(0.0) / (scale * scale);
            whole += dd / (scale * scale);
        }
        if !(left <= 4e-4 * whole) {
            out.notes.push(words::first_step_unlike(size));
            return;
        }
        let late = times::combination(later, &self.all, 1, &times::Differential::SCHEMES);
        let turn = late.map_or(0.0, |c| c.coefficient(times::Differential::TurnByTorque));
        let defect = match parts_of {
            [_, b] if (b + 0.5).abs() < 0.02 && turn > 0.25 => ReportingDefect::RateHalfStep.into(),
            [_, b] if (b + 0.5).abs() < 0.02 => SchemeDefect::StartAcceleration.into(),
            _ => SchemeDefect::MultistepStart.into(),
        };
        found.push(Found::Start(defect, parts_of));
    }

    /// First order: which term is taken at which time.
    fn order(
        &self,
        later: &Expansion,
        convention: &Convention,
        found: &mut Vec<Found>,
        out: &mut Identification,
    ) {
        let [_, u1, _] = later.truncation;
        let size = later.size(1);
        if !(size > FIRST_ORDER.max(3.0 * u1).max(10.0 * later.noise[1])) {
            out.least_order = Some(2);
            return;
        }
        out.least_order = Some(1);
        let rates_are_of_another_time = convention.rate.shift != 0.0
            || found
                .iter()
                .any(|f| f.defect() == ReportingDefect::RateHalfStep.into());
        if rates_are_of_another_time {
            return;
        }
        let sphere = later.size_in(1, Group::Sphere);
        if sphere[0] > FIRST_ORDER.max(10.0 * later.noise[1]) {
            found.push(Found::AttitudeUpdate(sphere[0]));
            return;
        }
        let Some(c) = times::first_order(later, &self.all) else {
            return;
        };
        use times::Differential as D;
        let known = c.left < 0.02;
        let has = |d: D| c.coefficient(d).abs() > 0.05;
        let earliest = D::SCHEMES.map(|d| c.coefficient(d));
        let stale = earliest.iter().any(|x| *x < -0.6);
        let defect = if known && (has(D::InertiaTurned) || has(D::DivisorTurned)) {
            Some(SchemeDefect::InertiaTurnedLate)
        } else if known && has(D::MomentumRestored) {
            Some(SchemeDefect::MomentumClamp)
        } else if known && has(D::EnergyRestored) {
            Some(SchemeDefect::EnergyRestored)
        } else if known && stale {
            Some(SchemeDefect::StaleTerm)
        } else {
            None
        };
        match defect {
            Some(defect) => found.push(Found::Times(defect, c)),
            None => out.scheme.push(words::first_order(&c)),
        }
    }
}

/// How far two states are apart: angle, and rate by its size.
fn so3_apart(a: &(Mat3, topsim_core::math::Vec3), b: &(Mat3, topsim_core::math::Vec3)) -> f64 {
    topsim_core::math::so3::angle_between(&a.0, &b.0) + (a.1 - b.1).norm() / a.1.norm().max(0.1)
}

/// The defects of a report's convention.
fn reports(c: &Convention) -> impl Iterator<Item = ReportingDefect> {
    use ReportingDefect as D;
    let attitude = match c.attitude {
        AttitudeConvention::Named | AttitudeConvention::Unknown(_) => None,
        AttitudeConvention::Transposed => Some(D::Transposed),
        AttitudeConvention::Components { order, signs } => {
            let moved = order == [3, 0, 1, 2] || order == [1, 2, 3, 0];
            let conjugated = |scalar: usize| {
                let s = |i: usize| signs[i] * signs[scalar];
                (0..4).all(|i| i == scalar || s(i) < 0.0)
            };
            let scalar = order.iter().position(|o| *o == 0).unwrap_or(0);
            Some(if moved && signs == [1.0; 4] {
                D::QuaternionOrder
            } else if moved && conjugated(scalar) {
                D::QuaternionOrderTransposed
            } else {
                D::QuaternionComponents
            })
        }
        AttitudeConvention::Euler { .. } => Some(D::EulerSequence),
    };
    let degrees = (c.rate.factor * core::f64::consts::PI / 180.0 - 1.0).abs() < 1e-4;
    let rate = if c.rate.shift != 0.0 {
        Some(if (c.rate.shift.abs() - 0.5).abs() < 0.05 {
            D::RateHalfStep
        } else {
            D::RateWholeStep
        })
    } else if c.rate.named || !c.rate.explained {
        None
    } else {
        Some(match (c.rate.factor, c.rate.other_frame) {
            (1.0, true) => D::RateFrame,
            (f, true) if (f + 1.0).abs() < 1e-6 => D::RateSignFrame,
            (f, false) if (f + 1.0).abs() < 1e-6 => D::RateSign,
            (_, true) if degrees => D::RateDegreesFrame,
            (_, false) if degrees => D::RateDegrees,
            _ => D::RateUnit,
        })
    };
    let stamp = (c.stamp != 0.0).then_some(D::TimeStamps);
    [attitude, rate, stamp].into_iter().flatten()
}
