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
//! `docs/science/identification.md` derives it; `docs/diagnosis.md` says what is reported of it.

pub(crate) mod between;
mod beyond_clock;
mod cadence;
mod case_torque;
mod claim;
mod coefficient;
mod equations;
mod expansion;
mod fast;
mod fit;
pub(crate) mod floor;
mod neighbours;
mod note;
mod probes;
mod questions;
mod report;
pub(crate) mod row_symptoms;
mod runs;
mod scheme;
mod steps;
mod symptom;
mod text;
mod times;
pub(crate) mod torque_habit;
mod turn_limits;

#[cfg(test)]
mod tests;

pub(crate) use case_torque::{of_case, questions as case_questions};
pub use claim::Claim;
pub(crate) use claim::ClaimScope;
pub use coefficient::Coefficient;
pub(crate) use floor::as_row_floor;
pub use floor::{MeasuredPrecision, SinglePart};
pub(crate) use note::Note;
pub(crate) use questions::{Listener, Scope};
pub(crate) use scheme::{Edit, LostPart, Restoration, SchemeFlaw, first_order_flaw};
pub use symptom::Certainty;
pub(crate) use symptom::{OrderBelow, Symptom, from_another_rate};
pub(crate) use topsim_model::{charts, design, law, precision, probe as experiment};

use crate::thresholds::{CLEARLY, HALF, RATE_OF_SCHEMES};
use beyond_clock::OwnClock;
use cadence::{Cadence, ClockPart};
use design::Sizes;
use experiment::Target;
use questions::{QuestionParts, Undone};
use runs::MeasuredRuns;
use schemars::JsonSchema;
use serde::Serialize;
use topsim_model::defect::{Defect, ModelDefect, Part, ReportingDefect, SchemeDefect};
use topsim_model::{Found, Observed, Report, Rule};
use topsim_protocol::NamedRule;
use topsim_protocol::problem::Paced;

/// The rule that the steps of a solver are made by.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct IdentifiedRule {
    /// Its name in sentences, or those of all that are not told apart.
    pub name: String,
    /// The rule; none of one without a name in options.
    pub named: Option<&'static NamedRule>,
    /// Rules that are not told apart at this precision, as far as they have a name in options.
    pub alike: Vec<&'static NamedRule>,
    /// True if a step solves equations, where that is known.
    pub implicit: Option<bool>,
    /// Its order, where it is a Runge–Kutta rule with nothing changed; at most 4 is told.
    pub order: Option<usize>,
    /// Order of its measured steps, where the next power of the step was seen to be wrong.
    pub measured_order: Option<usize>,
}

/// What was identified of a solver.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Identification {
    /// What is wrong; the first is the main one.
    pub claims: Vec<Claim>,
    /// What there is to know and is not wrong.
    #[schemars(with = "Vec<String>")]
    pub(crate) notes: Vec<Note>,
    /// The scheme, or what is known of it: sentences, the first of which names it.
    pub scheme: Vec<String>,
    /// Order of its steps: 1, or 2 where it is 2 or more; none where another defect comes first.
    pub least_order: Option<u32>,
    /// Whether the step that is asked for has no effect: the solver makes its own, or has a tolerance.
    pub own_steps: bool,
    /// Why nothing could be measured, where that is so.
    pub not_measured: Option<String>,
    /// Number of runs that were asked for.
    pub runs: usize,
    /// The rule of the steps, where they are those of one, or of a few.
    #[serde(skip)]
    pub rule: Option<IdentifiedRule>,
    /// The clock of the solver's own, where it has one.
    #[serde(skip)]
    pub(crate) clock: Option<(ClockPart, Cadence)>,
    /// What is not known of the rule of a torque, where only free steps were asked for.
    #[serde(skip)]
    pub(crate) torque_rule: Option<&'static str>,
    /// The least differences that its rows show.
    #[serde(skip)]
    pub(crate) floor: floor::Floor,
}

impl Identification {
    /// Says which of the steps of a case a limit of the solver's own touches.
    pub(crate) fn touching(mut self, steps: &[f64]) -> Self {
        if self.clock.is_none() {
            return self;
        }
        let of_clock = |c: &&mut Claim| {
            [
                SchemeDefect::StepLimit,
                SchemeDefect::StepRounded,
                SchemeDefect::StepCarried,
                SchemeDefect::FixedStep,
            ]
            .iter()
            .any(|d| c.id == (*d).into())
        };
        if let Some(claim) = self.claims.iter_mut().find(of_clock) {
            claim.steps = steps.into();
        }
        self
    }
    /// Claims what a symptom says; what is a choice is no defect, and a clock of the solver's own is known from then on.
    fn find(&mut self, symptom: Symptom) {
        self.clock = symptom.clock().or(self.clock);
        if !symptom.is_choice() {
            self.claims.push(symptom.into());
        }
    }
    /// Returns true if a defect is claimed.
    pub(crate) fn has(&self, defect: impl Into<Defect>) -> bool {
        let defect = defect.into();
        self.claims.iter().any(|c| c.id == defect)
    }
    /// Returns true if a claim shows such a symptom.
    fn shows(&self, such: impl Fn(&Symptom) -> bool) -> bool {
        self.claims.iter().any(|c| such(&c.symptom))
    }
    /// Takes over what is known of the scheme.
    fn take_scheme(&mut self, mut scheme: scheme::SchemeFindings) {
        // A rate or a turn that is cut off turns a fast sphere wrongly by itself.
        let limit = |s: &Symptom| {
            let turn = matches!(s, Symptom::Cadence(_, Cadence::TurnAtMost(_)));
            turn || matches!(s, Symptom::RateLimit(_))
        };
        if self.shows(limit) {
            scheme.flaws.retain(|f| *f != SchemeFlaw::TruncatedTurn);
        }
        self.runs += scheme.runs;
        if scheme.series().is_measured_first() {
            self.least_order = Some(1);
        }
        let acts = match &scheme.torque_times {
            Some(scheme::TorqueTimes::Few(all)) => all.iter().map(|(_, b)| b).sum::<f64>() > HALF,
            _ => true,
        };
        // Of a torque that does not act nothing is told by when it is read.
        let composition = scheme.relations.composition;
        let told = |f: &SchemeFlaw| match f {
            SchemeFlaw::TorqueTime { .. } => acts,
            // Short steps from the designed starts decide on the order.
            SchemeFlaw::TurnLost(_) => self.least_order == Some(1),
            // A chart is a choice: what depends on it is an error of the step, unless it is much larger.
            SchemeFlaw::AxesOfSpace { deviation } => {
                composition.is_none_or(|own| *deviation > CLEARLY * own)
            }
            _ => true,
        };
        let claimed: Vec<_> = scheme.flaws.iter().copied().filter(told).collect();
        self.scheme = scheme::sentences(&scheme, &claimed);
        self.rule = scheme.identified();
        // A known rule that makes the steps to their rounding turns its inertia rightly, and so does one that makes the rates,
        // where the first order has another reason.
        let lost = |f: &SchemeFlaw| matches!(f, SchemeFlaw::OrderLost { .. });
        if self.rule.is_some() || scheme.rate.is_some() && claimed.iter().any(lost) {
            let late = SchemeDefect::InertiaTurnedLate.into();
            self.claims.retain(|c| c.id != late);
        }
        self.torque_rule = scheme::torque_rule(&scheme);
        // By rates that are made of others, a step is no step of the scheme.
        let told = !self.has(ReportingDefect::Rates);
        for flaw in claimed.into_iter().filter(|_| told).map(Symptom::Flaw) {
            // What turns a sphere wrongly is known.
            if matches!(
                flaw,
                Symptom::Flaw(SchemeFlaw::Angles(_) | SchemeFlaw::TurnSlip(_))
            ) {
                let less = |c: &Claim| !matches!(*c.symptom, Symptom::AttitudeUpdate(_));
                self.claims.retain(less);
            }
            // A rule with a wrong entry leaves rotations by its own error.
            if flaw.defect() == SchemeDefect::RuleChanged.into() {
                let left = |c: &Claim| !matches!(*c.symptom, Symptom::Normalisation(_));
                self.claims.retain(left);
            }
            if !self.has(flaw.defect()) {
                self.find(flaw);
            }
        }
    }
    /// Notes steps of about so many seconds, which are the solver's own.
    fn makes_own_steps(&mut self, step: f64) {
        self.own_steps = true;
        self.notes.push(Note::OwnSteps(step));
    }
    /// Returns the floor of the rows, where it was measured.
    pub(crate) fn measured_floor(&self) -> Option<floor::Floor> {
        self.not_measured.is_none().then_some(self.floor)
    }
    /// Of a solver that answers nothing.
    pub(crate) fn impossible(why: String) -> Self {
        Self {
            not_measured: Some(why),
            ..Self::default()
        }
    }
}

/// Returns what the rows of histories say of the scheme, where the equations are right and they say something.
pub(crate) fn of_rows(observed: &Observed, report: &Report) -> Option<Identification> {
    let findings = scheme::of_rows(observed, report)?;
    let mut out = Identification::default();
    out.take_scheme(findings);
    (out.rule.is_some() || !out.claims.is_empty()).then_some(out)
}

/// Returns the claim of a rule with a memory that cannot have been meant, if all that explain the rows are of its defect.
pub(crate) fn memory(found: &[Found]) -> Option<Claim> {
    let rule = |f: &Found| match f.model.stepping.rule {
        Rule::Remembering(rule) => Some(rule),
        _ => None,
    };
    let (first, best) = (found.first()?, rule(found.first()?)?);
    let defect = best.defect()?;
    let same = |f: &Found| rule(f).and_then(|rule| rule.defect()) == Some(defect);
    let rows = [first.evidence.explained, first.evidence.informative];
    let all = found.iter().all(same);
    all.then(|| Symptom::Memory(Box::new(best), rows).into())
}

/// Measures and identifies; `quick`, at fewer starts.
pub(crate) fn identify(target: &dyn Target, scope: Scope, quick: bool) -> Identification {
    let mut out = ask(target, scope, quick);
    if let Some((_, cadence)) = out.clock {
        go_on(target, (scope, quick), cadence, &mut out);
    }
    out
}

/// Measures and identifies, as far as a clock of the solver's own lets it.
fn ask(target: &dyn Target, scope: Scope, quick: bool) -> Identification {
    let sizes = if quick { Sizes::REDUCED } else { Sizes::FULL };
    let asked = QuestionParts::new(sizes, scope);
    let mut out = Identification {
        runs: asked.probes.len(),
        ..Identification::default()
    };
    let answers = target.answers(&asked.probes);
    let mut measured = match MeasuredRuns::new(&asked, answers) {
        Ok(measured) => measured,
        Err(why) => {
            out.not_measured = Some(why);
            return out;
        }
    };
    let convention = measured.identify(target, &mut out);
    // The scheme of a right model; wrong reports are undone.
    let right = |c: &Claim| matches!(c.id.part(), Part::Reporting | Part::Scheme);
    // Rows of a rate of another time cannot be undone.
    let of_one_time = convention.rate.shift == 0.0
        && !out.has(ReportingDefect::RateHalfStep)
        && !out.shows(|s| matches!(s, Symptom::Late(_)));
    let stepped = out.clock.is_none() && !out.shows(|s| matches!(s, Symptom::PerStep(..)));
    // The starts that tell a scheme turn with up to so many rad/s: a limit below changes their steps.
    let alone = out.shows(|s| match s {
        Symptom::RemembersProblems(_)
        | Symptom::Scatters(_)
        | Symptom::RowsMatter(..)
        | Symptom::InertiaOfFirst
        | Symptom::LooseIteration(_)
        | Symptom::TurnRounded(_)
        | Symptom::StepsAsOne(..)
        | Symptom::LateRows { .. }
        | Symptom::UnevenRows { .. }
        | Symptom::SameRows => true,
        Symptom::RateLimit(limit) => limit.most < RATE_OF_SCHEMES,
        // A row where both attitudes are near is read as either.
        Symptom::Report(ReportingDefect::BranchLost, _) => true,
        _ => false,
    });
    if of_one_time && stepped && !alone && out.claims.iter().all(right) {
        let undone = Undone {
            target,
            convention: &convention,
        };
        // A torque that is not cleared says nothing of the times at which it is read.
        let scope = match out.shows(|s| matches!(s, Symptom::NotCleared(_))) {
            true => Scope::FREE,
            false => scope,
        };
        let scheme = scheme::identify(&undone, scope, &measured.floor);
        out.take_scheme(scheme);
    }
    let told = out.shows(Symptom::may_be_of_torque);
    if (told || out.claims.is_empty())
        && let Some(habit) = torque_habit::acting(&measured.long, told, measured.torque_at_once())
    {
        out.claims.retain(|c| !c.symptom.may_be_of_torque());
        // What looks like steps of the solver's own is that of the habit.
        let of_steps = |n: &Note| matches!(n, Note::OwnSteps(_) | Note::Tolerance(_));
        out.notes.retain(|n| !of_steps(n));
        out.own_steps = false;
        out.find(Symptom::TorqueHabit(habit));
    }
    // A turn that falls with the square of the step is no factor of the rate.
    if out.has(ModelDefect::TurnFactor)
        && let Some(slip) = scheme::turn_slip(target, &measured.floor)
    {
        out.claims = vec![Symptom::Flaw(slip).into()];
    }
    // Short runs show few periods, and none of a time; long ones do.
    let open = !out.claims.is_empty() || out.rule.is_none() || probes::stays(&measured.long);
    if open && let Some(claim) = measured.held() {
        out.claims = vec![claim];
        out.scheme.clear();
        out.clock = None;
        out.own_steps = false;
    }
    out
}

/// Goes on with steps that the solver's own clock lets it make.
fn go_on(
    target: &dyn Target,
    (scope, quick): (Scope, bool),
    cadence: Cadence,
    out: &mut Identification,
) {
    let Some(clock) = OwnClock::measured(target, cadence, &out.floor) else {
        return;
    };
    let paced = Paced {
        target,
        pace: |h| clock.pace(h),
    };
    // A solver with a clock of its own does not tell the time of a step at which it reads a torque.
    let scope = Scope {
        time: false,
        ..scope
    };
    let beyond = ask(&paced, scope, quick);
    out.runs += beyond.runs;
    if beyond.not_measured.is_some() || beyond.clock.is_some() {
        return;
    }
    let more = beyond.claims.into_iter();
    for symptom in more.flat_map(|c| clock.in_own_time(*c.symptom)) {
        if !out.has(symptom.defect()) {
            out.find(symptom);
        }
    }
    for note in beyond.notes.into_iter().map(|n| clock.note_in_own_time(n)) {
        let kind = core::mem::discriminant(&note);
        if out.notes.iter().all(|n| core::mem::discriminant(n) != kind) {
            out.notes.push(note);
        }
    }
    out.scheme = beyond.scheme;
    out.rule = beyond.rule;
    out.least_order = beyond.least_order;
    out.own_steps |= beyond.own_steps;
}
