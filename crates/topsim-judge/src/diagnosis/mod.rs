//! What is wrong with a solver, by comparison of its histories with known defects.
//!
//! Three questions, in this order (`docs/judging.md` has the reasons):
//! 1. Do the histories converge, and to the case's motion? If to another one: to that of which wrong
//!    model? The scheme does not matter for this, only the limit.
//! 2. Are the rows what the columns say: frames, units, times, rotations?
//! 3. Whose steps are they? Rows equal to those of a known scheme, to round-off, identify it.

mod behaviour;
mod cause;
mod common;
mod evidence;
mod fit;
mod models;
mod reporting;
mod schemes;
pub(crate) mod suspects;

pub use behaviour::{Behaviour, Class, Conserved, ConservedQuantity, EventTimes, Phase};
pub use cause::{Alike, Cause, Conclusion, IdentifiedScheme, SchemeId};
pub use common::{Nearness, OwnLimit};
pub use evidence::{DefectEvidence, evidence};
pub use fit::FittedEquations;
pub use models::NearModel;

use crate::defect::reporting::ReadAttitude;
use crate::defect::{Defect, ModelDefect, Part, ReportingDefect, SchemeDefect};
use crate::history::{Body, Finding, Kinematics, Start, StartAgainst, Trace};
use crate::naive_scheme::{NaiveScheme, NaiveSchemeName, Nature, TorqueAt};
use common::{Common, Motion};
use schemars::JsonSchema;
use schemes::{Candidate, OnSteps};
use serde::Serialize;
use topsim_core::integration::EventSpec;
use topsim_core::math::so3;
use topsim_core::models::RotState;

/// A history and its step.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    /// Step, s.
    pub step: f64,
    /// What it shows.
    pub finding: &'a Finding,
}

/// Makes the motions of models, the right one or those with a defect, at times from a case's start.
pub(crate) type MotionsOf<'a> = dyn Fn(&[Option<ModelDefect>], &[f64]) -> Vec<Motion> + 'a;

/// A problem on which two models differ.
pub(crate) type ToldBy<'a> = dyn Fn(Option<ModelDefect>, ModelDefect) -> Option<String> + 'a;

/// What the histories are compared with.
pub(crate) struct Suspects<'a> {
    /// The body of the case.
    pub body: &'a Body,
    /// Start and end of the case, s.
    pub span: [f64; 2],
    /// Events of the case, in the columns of a rotating body.
    pub events: &'a [EventSpec],
    /// The schemes of the catalogue that serve the case.
    pub catalogue: &'a [Candidate],
    /// The motions of models, the right one first, at times from the case's start.
    pub motions: &'a MotionsOf<'a>,
    /// A problem on which two models differ.
    pub told_by: &'a ToldBy<'a>,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Diagnosis {
    /// The sum of it.
    pub conclusion: Conclusion,
    /// Defects that explain what was found; the first is the main one.
    pub causes: Vec<Cause>,
    /// The scheme whose steps these are.
    pub scheme: Option<IdentifiedScheme>,
    /// How the histories approach their own limit.
    pub own_limit: Option<OwnLimit>,
    /// Whether they follow the case's motion, however they are reported and stepped.
    pub follows: bool,
    /// How near they are to the case's motion.
    pub truth: Option<Nearness>,
    /// How they stray from it.
    pub behaviour: Behaviour,
    /// The equations of motion read off the finest history, where something is wrong with them.
    pub fit: Option<FittedEquations>,
    /// Where no model fits, the nearest.
    pub nearest: Vec<NearModel>,
    /// Wrong models whose motion on this case is the right one.
    pub hidden: Vec<Alike>,
    /// Other things to know.
    pub remarks: Vec<String>,
}

impl Diagnosis {
    fn unsettled(remark: &str) -> Self {
        Self {
            conclusion: Conclusion::Unsettled,
            causes: Vec::new(),
            scheme: None,
            own_limit: None,
            follows: false,
            truth: None,
            behaviour: Behaviour::default(),
            fit: None,
            nearest: Vec::new(),
            hidden: Vec::new(),
            remarks: vec![remark.into()],
        }
    }
}

/// Steps nearer to each other than this are not two rungs of a ladder.
const SAME_STEP: f64 = 1.001;

/// Histories that part before this share of the span are too coarse to be called right.
const EARLY: f64 = 0.25;

/// Diagnoses the histories of one solver on one case.
pub(crate) fn diagnose(subjects: &[Subject], suspects: &Suspects) -> Diagnosis {
    let mut traces: Vec<(f64, Trace)> = subjects
        .iter()
        .map(|s| (s.step, s.finding.trace.clone()))
        .collect();
    traces.sort_by(|a, b| b.0.total_cmp(&a.0));
    traces.dedup_by(|b, a| a.0 / b.0 < SAME_STEP);
    let mut causes = Vec::new();
    if let Some((cause, read)) = start_reading(subjects) {
        causes.push(cause);
        apply(&mut traces, read);
    } else if subjects.iter().any(|s| starts_elsewhere(s.finding)) {
        return Diagnosis::unsettled(
            "the histories start from another attitude than the case; what comes after is not compared with its motion",
        );
    }
    if let Some((cause, read)) = hidden_reading(&traces, suspects) {
        causes.push(cause);
        apply(&mut traces, read);
    }
    let Some(common) = compared(&traces, suspects) else {
        return Diagnosis::unsettled("too few rows within the case's span to compare");
    };
    let motions = Motions::new(suspects, &common.times);
    let Some(truth) = motions.truth() else {
        return Diagnosis::unsettled("the case's own motion could not be followed");
    };
    let mut found = models::compare(&common, &motions, truth, suspects);
    causes.append(&mut found.causes);
    if found.motion.is_none() {
        causes.extend(another_start(&traces, &common, subjects, suspects));
    }
    let followed = (found.motion, subjects);
    let scheme = identify(&traces, &common, truth, followed, suspects);
    let (scheme, mut made_so) = scheme.map_or((None, Vec::new()), |(s, c)| (s, c));
    // A model told by its scheme's steps alone.
    let named = causes.iter().any(|c| c.part == Part::Model);
    made_so.retain(|c| c.part != Part::Model || !named);
    if let Some(motion) = found.motion {
        causes.extend(reporting::rates(&common, motion, suspects.body));
        if scheme.is_none() && made_so.is_empty() {
            causes.extend(reporting::stamps(&common, motion));
        }
    }
    // The rate of a half step is reported so: one cause, told twice.
    let of_rates = |c: &Cause| matches!(c.id, Defect::Reporting(d) if d.is_of_rates());
    if causes.iter().any(of_rates) {
        made_so.retain(|c| !matches!(c.id, Defect::Scheme(d) if d.reports_half_steps()));
    }
    causes.extend(made_so);
    let right = found.motion.is_some_and(|m| m.defect.is_none());
    causes.extend(reporting::rotations(&rotations(subjects), right));
    if right && causes.is_empty() {
        found.remarks.extend(weaknesses(&found, scheme.as_ref()));
    }
    if let Some(t) = common.cut {
        found.remarks.push(format!(
            "compared until t = {t} only: after that the two finest histories are more than half a radian apart; \
             give finer steps for more"
        ));
    }
    // What holds for the first part of the span says little of the rest.
    let length = suspects.span[1] - suspects.span[0];
    let early = common
        .cut
        .is_some_and(|t| t - suspects.span[0] < EARLY * length);
    let finest = traces.last().map(|(_, t)| t);
    let at = |times: &[f64]| (suspects.motions)(&[None], times).pop();
    let behaviour = finest.map_or_else(Behaviour::default, |t| {
        let seen = (t, suspects.events);
        behaviour::behaviour(&common, truth, suspects.body, seen, &at)
    });
    let wrong = !right && found.settled && !causes.iter().any(|c| c.part == Part::Reporting);
    let fit = finest
        .filter(|_| wrong)
        .and_then(|t| fit::fit(&t.points, suspects.body));
    let contradicts = |s: &Subject| {
        let kinematics = s.finding.kinematics.as_ref();
        kinematics.is_some_and(Kinematics::contradicts)
    };
    let alone = causes.is_empty() && !subjects.iter().any(contradicts);
    if let (Some(f), true, Some(t)) = (&fit, alone, finest) {
        causes.extend(fit::cause(f, &t.points, suspects.body, &at));
    }
    Diagnosis {
        conclusion: match (causes.is_empty(), right && !early, found.settled && !early) {
            (false, ..) => Conclusion::Named,
            (true, true, true) => Conclusion::Right,
            (true, false, true) => Conclusion::NoneFits,
            (true, _, false) => Conclusion::Unsettled,
        },
        causes,
        scheme,
        own_limit: found.own,
        follows: right && !early,
        truth: Some(found.truth),
        behaviour,
        fit,
        nearest: found.nearest,
        hidden: found.hidden,
        remarks: found.remarks,
    }
}

/// The motions of the models at the common times; those of the wrong ones are made when they are
/// wanted.
struct Motions<'a> {
    truth: Vec<Motion>,
    wrong: std::cell::OnceCell<Vec<Motion>>,
    times: &'a [f64],
    suspects: &'a Suspects<'a>,
}

impl<'a> Motions<'a> {
    fn new(suspects: &'a Suspects<'a>, times: &'a [f64]) -> Self {
        Self {
            truth: (suspects.motions)(&[None], times),
            wrong: std::cell::OnceCell::new(),
            times,
            suspects,
        }
    }
    fn truth(&self) -> Option<&Motion> {
        self.truth.first()
    }
    fn wrong(&self) -> &[Motion] {
        self.wrong
            .get_or_init(|| (self.suspects.motions)(&wrong_models(), self.times))
    }
}

/// The models with equations of motion that are wrong.
fn wrong_models() -> Vec<Option<ModelDefect>> {
    ModelDefect::wrong_equations().map(Some).collect()
}

/// Another way to read the attitudes, which row 0 does not show, and with which they follow the
/// case's motion.
fn hidden_reading(traces: &[(f64, Trace)], suspects: &Suspects) -> Option<(Cause, ReadAttitude)> {
    let common = compared(traces, suspects)?;
    let motions = Motions::new(suspects, &common.times);
    models::reading(&common, motions.truth()?)
}

fn compared(traces: &[(f64, Trace)], suspects: &Suspects) -> Option<Common> {
    let histories: Vec<(f64, &Trace)> = traces.iter().map(|(h, t)| (*h, t)).collect();
    Common::new(&histories, suspects.span)
}

/// A row of a later time may be stamped wrongly.
fn starts_elsewhere(f: &Finding) -> bool {
    let start = f.start.as_ref();
    start.is_some_and(|s| s.against == StartAgainst::Initial && !s.attitude_matches)
}

/// What row 0 says of how the attitudes are written.
fn start_reading(subjects: &[Subject]) -> Option<(Cause, ReadAttitude)> {
    let mut starts = subjects.iter().filter_map(|s| s.finding.start.as_ref());
    let first: &Start = starts.next().filter(|s| !s.attitude_matches)?;
    let convention = first.attitude_would_match.first()?;
    let defect = convention.defect;
    let same = |s: &Start| s.attitude_would_match.iter().any(|c| c.defect == defect);
    if !starts.all(same) {
        return None;
    }
    let mut readings = ReportingDefect::attitude_readings();
    let reading = readings.find(|(d, r)| *d == defect && r.order == convention.order);
    let name = reading.map_or(convention.description.as_str(), |(_, r)| r.name);
    let evidence = format!(
        "row 0 is {:.2e} rad off the case's initial attitude as the columns name it, and agrees with {}",
        first.attitude, convention.description
    );
    let advice = "rename or reorder the columns, or use the option named; what follows is read so";
    let alike = first.attitude_would_match[1..].iter().map(|c| Alike {
        name: c.description.clone(),
        ..Alike::new(c.defect)
    });
    let cause = Cause::new(defect, evidence, advice).named(name);
    let read = reading.map_or((|m| *m) as ReadAttitude, |(_, r)| r.read);
    Some((cause.beside(alike.collect()), read))
}

fn apply(traces: &mut [(f64, Trace)], read: ReadAttitude) {
    for (_, trace) in traces {
        for p in &mut trace.points {
            *p = reporting::reread(p, read);
        }
    }
}

/// Whether the equations are right and only the initial rate is another one.
fn another_start(
    traces: &[(f64, Trace)],
    common: &Common,
    subjects: &[Subject],
    suspects: &Suspects,
) -> Option<Cause> {
    let mut starts = subjects.iter().filter_map(|s| s.finding.start.as_ref());
    let start = starts.find(|s| s.rate_matches == Some(false) && s.attitude_matches)?;
    let first = traces.last()?.1.points.first()?;
    let own = RotState {
        att: first.att,
        omega: first.omega?,
    };
    let begin = suspects.span[0];
    let body = suspects.body.starting(own);
    let motion = Motion::new(&body, None, (begin, &common.times), &|| true).ok()?;
    let limit = common.own_limit();
    let near = common.nearness(&motion.att, None, &|m| *m);
    common.explained_by(&near, limit.as_ref()).then(|| {
        let words: Vec<&str> = start
            .rate_would_match
            .iter()
            .map(|c| c.description.as_str())
            .collect();
        let defect = ModelDefect::AnotherStart;
        let evidence = format!(
            "from their own row 0 the histories follow the right equations, the finest to {:.1e} rad; that row is \
             {:.2e} rad/s off the case's initial rate",
            near.finest(),
            start.rate_body.unwrap_or(f64::NAN)
        );
        let advice = match &words[..] {
            [] => defect.advice().into(),
            all => format!(
                "the initial rate of the case was taken with {}",
                all.join("; or ")
            ),
        };
        Cause::new(defect, evidence, advice)
    })
}

/// What a right motion leaves open.
fn weaknesses(found: &models::Compared, scheme: Option<&IdentifiedScheme>) -> Vec<String> {
    let mut out = Vec::new();
    let order = found.own.as_ref().and_then(|o| o.order);
    if scheme.is_none() && order.is_some_and(|p| p < 1.5) {
        out.push(
            "of first order all the same, by no scheme that is known: a torque or a start acceleration of another \
             time, or one half of the step of first order, would do so"
                .into(),
        );
    }
    let finest = found.truth.finest();
    if let Some(limit) = found
        .truth
        .limit
        .filter(|l| *l > 0.3 * finest && finest > 1e-6)
    {
        out.push(format!(
            "the extrapolated limit is {limit:.1e} rad from the case's motion: a model error of that size cannot be \
             excluded; finer steps would tell"
        ));
    }
    out
}

fn rotations(subjects: &[Subject]) -> Vec<(f64, f64, f64)> {
    let off = |s: &Subject| {
        let peak = s.finding.norm.or(s.finding.defect)?;
        Some((s.step, peak.size, peak.time))
    };
    let mut all: Vec<_> = subjects.iter().filter_map(off).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all
}

/// The scheme whose steps the coarsest history shows, and what is wrong with it.
fn identify(
    traces: &[(f64, Trace)],
    common: &Common,
    truth: &Motion,
    (followed, subjects): (Option<&Motion>, &[Subject]),
    suspects: &Suspects,
) -> Option<(Option<IdentifiedScheme>, Vec<Cause>)> {
    let (step, trace) = traces.first()?;
    let rows = common.rows.first().filter(|_| common.steps[0] == *step)?;
    let error = |until: f64| {
        let known = rows
            .iter()
            .zip(&truth.att)
            .take_while(|(p, _)| p.t <= until);
        common::largest(known.map(|(p, a)| so3::angle_between(&p.att, a)))
    };
    let digits = subjects.iter().filter_map(|s| s.finding.start.as_ref());
    let digits = common::largest(digits.map(|s| s.digits()[0]));
    let on = OnSteps::new(&trace.points, (suspects.span[0], *step), &error, digits)?;
    if followed.is_none_or(|m| m.defect.is_none()) {
        let fits = schemes::of_catalogue(&on, suspects.catalogue);
        if let Some((best, within)) = fits.first() {
            let causes = if best.clamps {
                vec![clamp(&best.name, *within)]
            } else {
                Vec::new()
            };
            return Some((schemes::identified(&fits, on.rows()), causes));
        }
    }
    let tried: Vec<Option<ModelDefect>> = match followed {
        Some(motion) => vec![motion.defect],
        None => [None].into_iter().chain(wrong_models()).collect(),
    };
    let mut fits = schemes::of_naive(&on, suspects.body, &tried);
    // Where no torque acts, it does not matter when it is taken.
    if fits.iter().any(|f| f.scheme.torque == TorqueAt::Rule) && !suspects.body.is_torqued() {
        fits.retain(|f| f.scheme.torque == TorqueAt::Rule);
    }
    let best = fits.first()?;
    let mut causes = Vec::new();
    causes.extend(models::told_by_steps(&fits, on.rows()));
    let name = best.scheme.name();
    let others = || {
        let same = fits.iter().filter(|f| f.defect == best.defect);
        let mut names: Vec<NaiveSchemeName> = same
            .map(|f| f.scheme.name())
            .filter(|n| *n != name)
            .collect();
        names.dedup();
        names
    };
    let nature = best.scheme.nature();
    if nature == Nature::Defect {
        let evidence = format!(
            "its rows equal the history's to {:.1e} rad in {} rows at the same step ({})",
            best.within,
            on.rows(),
            told(&best.scheme)
        );
        let alike = others().into_iter().map(SchemeDefect::Naive);
        let cause = Cause::new(SchemeDefect::Naive(name), evidence, best.scheme.advice());
        causes.push(cause.beside(alike.map(Alike::new).collect()));
    }
    let identified = IdentifiedScheme {
        id: SchemeId::Naive(name),
        name: name.to_string(),
        detail: best.scheme.detail().into(),
        within: best.within,
        rows: on.rows(),
        alike: others().iter().map(ToString::to_string).collect(),
        weakness: (nature == Nature::FirstOrder).then(|| best.scheme.advice().into()),
    };
    Some((Some(identified), causes))
}

fn told(scheme: &NaiveScheme) -> &'static str {
    match scheme.detail() {
        "" => "quaternion and rate together",
        detail => detail,
    }
}

fn clamp(name: &str, within: f64) -> Cause {
    let evidence = format!("its rows equal those of `{name}` at the same step to {within:.1e} rad");
    Cause::new(
        SchemeDefect::MOMENTUM_CLAMP,
        evidence,
        SchemeDefect::CLAMPED,
    )
}
