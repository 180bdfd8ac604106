//! What is wrong with a solver: what its measured steps say, or its histories alone; and how the histories of a case
//! behave.
//!
//! Where a solver can be asked, the identification (`identification/`) has the word: one hypothesis for all cases. Of files alone, row
//! 0 tells conventions, differences of rows the equations of motion, and rows equal to those of a scheme of the
//! catalogue the scheme.

mod behaviour;
mod common;
mod evidence;
mod explained;
mod first_rows;
mod forms;
mod law_claims;
mod report_claims;
mod reporting;
mod row_times;
mod schemes;
mod walked;

use crate::thresholds::*;
pub use behaviour::{Behaviour, Class, Conservation, ConservedQuantity};
pub use common::{Nearness, SelfConvergence};
pub use evidence::{DefectEvidence, evidence};
pub use schemes::IdentifiedScheme;
pub use walked::OpenWalk;

use crate::history::{Body, FileReport, StartAgainst};
use crate::identification::experiment::{Answer, Probe, Start};
use crate::identification::{
    Certainty, Claim, Identification, IdentifiedRule, Note, OrderBelow, Symptom,
};
use common::{Common, Motion, settled};
use schemars::JsonSchema;
use serde::Serialize;
use topsim_case::Problem;
use topsim_core::math::{scalar, so3};
use topsim_core::models::{RotState, TorqueModel};
use topsim_model::Model;
use topsim_model::defect::{Defect, Part, ReportingDefect, SchemeDefect};

/// What the histories are compared with.
pub(crate) struct Context<'a> {
    pub problem: &'a Problem,
    pub body: &'a Body,
    /// Start and end of the case, s.
    pub span: [f64; 2],
    /// What the solver's measured steps say, where it could be asked.
    pub identified: Option<&'a Identification>,
    /// True if the histories are those of several tolerances, of which the finest is looked at.
    pub tolerances: bool,
    /// Whether to go on.
    pub wanted: &'a dyn Fn() -> bool,
}

/// The sum of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Conclusion {
    /// The case's motion, as far as can be told.
    Right,
    /// Something is wrong, and it has a name.
    Named,
    /// The histories are those of another motion, and no law that was tried explains it.
    NoneFits,
    /// They do not tell.
    #[default]
    Unsettled,
}

/// What was found.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Diagnosis {
    /// The sum of it.
    pub conclusion: Conclusion,
    /// Defects that explain what was found; the first is the main one.
    pub causes: Vec<Claim>,
    /// The scheme of the catalogue whose steps these are.
    pub scheme: Option<IdentifiedScheme>,
    /// The model that explains the rows, or comes much nearer to them than all others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Model>,
    /// What is known of the solver's own rule: sentences, the first of which names it.
    pub rule: Vec<String>,
    /// The rule of the steps, where rows alone show it.
    #[serde(skip)]
    pub(crate) identified_rule: Option<IdentifiedRule>,
    /// How the histories approach their own limit.
    pub own_limit: Option<SelfConvergence>,
    /// Whether they follow the case's motion, however they are reported and stepped.
    pub follows: bool,
    /// True if a known rule of the right equations gives each row from the row before it.
    pub right_steps: bool,
    /// Part that the right equations leave of the change from row to row, where it is the same at all steps and no more than a
    /// tolerance of a solver's own may leave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// How near they are to the case's motion.
    pub truth: Option<Nearness>,
    /// How they stray from it.
    pub behaviour: Behaviour,
    /// Other things to know.
    #[schemars(with = "Vec<String>")]
    pub(crate) remarks: Vec<Note>,
    /// Steps that follow another rule on some occasions, about which new starts of the solver tell more.
    #[serde(skip)]
    pub(crate) open_walk: Option<OpenWalk>,
}

impl Diagnosis {
    pub(crate) fn unsettled(remarks: Vec<Note>) -> Self {
        Self {
            remarks,
            ..Self::default()
        }
    }

    /// Returns other things to know, a sentence each.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        self.remarks.iter().map(Note::to_string)
    }

    /// Returns the new starts of the solver that tell more of steps that are other ones.
    pub(crate) fn questions(&self) -> Vec<Probe> {
        self.open_walk
            .as_ref()
            .map_or(Vec::new(), OpenWalk::questions)
    }

    /// Replaces the claim on these steps by the one that the answers allow, and returns the ids before and now.
    pub(crate) fn hear(&mut self, questions: &[Probe], answers: &[Answer]) -> Option<[Defect; 2]> {
        let open = self.open_walk.take()?;
        let before = open.id();
        let claim = open.claim(questions, answers);
        let cause = self.causes.iter_mut().find(|c| c.id == before)?;
        let now = claim.id;
        *cause = claim;
        Some([before, now])
    }

    /// What the solver's own steps say, where the case's histories cannot be compared.
    pub(crate) fn of(mut self, identified: Option<&Identification>) -> Self {
        if let Some(i) = identified {
            self.causes.clone_from(&i.claims);
            self.remarks.extend(i.notes.iter().cloned());
            self.rule.clone_from(&i.scheme);
            if !i.claims.is_empty() {
                self.conclusion = Conclusion::Named;
            }
        }
        self
    }
}

/// Returns the histories of different steps, coarse to fine; where they differ in the tolerance, those of the finest one, which
/// show the motion. Their times and attitudes may be changed to those that were meant.
fn ladder(files: &[FileReport]) -> Vec<FileReport> {
    let finest = files.iter().filter_map(|f| f.tolerance).reduce(f64::min);
    let shown = files.iter().filter(|f| f.tolerance == finest);
    let mut out: Vec<FileReport> = shown.cloned().collect();
    out.sort_by(|a, b| b.step.total_cmp(&a.step));
    out.dedup_by(|b, a| a.step / b.step < 1.0 + NEGLIGIBLE);
    out
}

/// Diagnoses the histories of a case.
pub(crate) fn diagnose(files: &[FileReport], context: &Context) -> Option<Diagnosis> {
    files.first()?;
    Some(found(ladder(files), context))
}

/// Returns the model that explains the histories of a solver whose steps were measured.
pub(crate) fn model(files: &[FileReport], context: &Context) -> Option<Model> {
    let (_, by, _) = explained::explain_rows(&ladder(files), false, context)?;
    explained::model(&by)
}

fn found(mut files: Vec<FileReport>, context: &Context) -> Diagnosis {
    let measured = context.identified.filter(|i| i.not_measured.is_none());
    let mut causes = Vec::new();
    let late = forms::late_stamps(&mut files, context);
    causes.extend(late.or_else(|| forms::repeated_start(&mut files, context)));
    let start = &context.body.initial.att;
    let told = forms::start_reading(&files);
    let elsewhere = told.is_none() && files.iter().any(starts_elsewhere);
    if let Some((cause, convention)) = told {
        causes.push(cause);
        forms::apply(&mut files, start, &|att, q, before| {
            convention.read(att, q, before)
        });
    }
    if let Some((cause, read)) = forms::hidden_reading(&files, context) {
        // A sign that is lost may make row 0 the inverse rotation.
        if cause.id == ReportingDefect::BranchLost.into() {
            causes.clear();
        }
        causes.push(cause);
        forms::apply(&mut files, start, &|att, _, before| read(att, before));
    } else if elsewhere {
        let stands = |f: &FileReport| f.trace.points.windows(2).all(|p| p[0].att == p[1].att);
        let why = match files.iter().all(stands) {
            true => Note::OneState,
            false => Note::StartsElsewhere,
        };
        return Diagnosis::unsettled(vec![why]).of(context.identified);
    }
    let Some(common) = Common::new(&files, context.span) else {
        let why = Note::TooFewRows;
        return Diagnosis::unsettled(vec![why]).of(context.identified);
    };
    let motion = |body: &Body, times: &[f64]| {
        Motion::new(body, (context.span[0], times), context.wanted).ok()
    };
    let Some(truth) = motion(context.body, &common.times) else {
        let why = Note::MotionLost;
        return Diagnosis::unsettled(vec![why]).of(context.identified);
    };
    let own = common.own_limit();
    let limit = own.as_ref().and_then(|o| common.extrapolated(o));
    let near = common.nearness(&truth.att, limit.as_deref(), &|m, _| *m);
    let mut remarks = Vec::new();
    let follows = common.explained_by(&near, own.as_ref());
    let settled = settled(
        &common,
        &near,
        own.as_ref(),
        follows,
        files.len() > 1,
        context.tolerances,
        &mut remarks,
    );
    // Histories that do not tell and are near follow it as far as they tell.
    let follows = follows || !settled && near.finest() <= FOLLOWS;
    let explained = match measured {
        Some(_) => None,
        None => explained::explain_rows(&files, false, context),
    };
    let by = explained.as_ref().map(|(_, by, _)| by);
    let steps = explained.as_ref().and_then(|(_, _, steps)| steps.as_ref());
    let scheme = by.and_then(explained::scheme);
    let scheme = scheme.or_else(|| schemes::of_catalogue(&files, &common, &truth, context));
    let right =
        by.is_some_and(explained::has_right_steps) || steps.is_some_and(|s| s.rule.is_some());
    let mut open_walk = None;
    // Histories of a clock of the solver's own, and of single precision, may converge elsewhere by themselves.
    let coarse = measured.is_some_and(|m| m.clock.is_some() || m.floor.single().is_some());
    let another = own
        .as_ref()
        .is_some_and(|own| !coarse && own.is_another(near.finest()));
    // What holds for the first part of the span says little of the rest.
    let length = context.span[1] - context.span[0];
    let early = common
        .cut
        .is_some_and(|t| t - context.span[0] < QUARTER * length);
    if let Some(measured) = measured {
        // One cause, told by row 0 and by the measured steps.
        let body = Start::from(&context.body.top());
        let (here, elsewhere): (Vec<&Claim>, Vec<&Claim>) =
            measured.claims.iter().partition(|c| c.scope().has(&body));
        causes = here.into_iter().cloned().collect();
        remarks.extend(elsewhere.into_iter().cloned().map(Note::WithOtherTorque));
        remarks.extend(measured.notes.iter().cloned());
        // Short problems begin anew each time, and visit few states: what they do not show, the rows of the case may.
        let lost = own.as_ref().and_then(|o| o.order).is_some_and(|p| p.round() <= 1.0)
            && measured.least_order.is_some_and(|p| p > 1)
            // The rounding of single precision costs an order by itself.
            && measured.floor.single().is_none();
        // Errors that grow show that something ends early, and not what.
        let open = |c: &Claim| {
            c.certainty == Certainty::Unexplained || c.id == SchemeDefect::LooseIteration.into()
        };
        let open = causes.iter().all(open);
        if open && (!follows || early || lost) && !measured.own_steps {
            let along = explained::explain_rows(&files, true, context);
            if let Some((observed, along, _)) = &along
                && let Some(walk) = &along.walk
            {
                causes = explained::claims(&files, (observed, along));
                open_walk = OpenWalk::new(walk, observed);
            }
        }
        if open
            && another
            && open_walk.is_none()
            && let Some((observed, by, _)) = explained::explain_rows(&files, false, context)
        {
            let mut told = explained::claims(&files, (&observed, &by));
            // Other equations in all places would have shown in the measured steps.
            if measured.claims.is_empty() && measured.least_order.is_some() {
                told.retain(|claim| !law_claims::shows_everywhere(claim));
            }
            if told.is_empty() && causes.is_empty() {
                told.extend(explained::torque_habit(&observed, &by));
            }
            if !told.is_empty() {
                causes = told;
            }
        }
        if causes.is_empty() && follows && !early && !tolerated(measured) {
            causes.extend(order_below(&common, &near, (measured, context)));
        }
    } else {
        if let Some(i) = context.identified {
            remarks.extend(i.not_measured.clone().map(Note::NotMeasured));
        }
        if !follows && settled {
            causes.extend(other_start(&files, &common, context));
        }
        if let Some((observed, by, _)) = &explained {
            // Another start explains the motion without another law.
            let started = causes.iter().any(|c| c.id.part() == Part::Model);
            for claim in explained::claims(&files, (observed, by)) {
                let told = causes.iter().any(|c| c.id == claim.id);
                if !(told || started && claim.id.part() == Part::Model) {
                    causes.push(claim);
                }
            }
        }
        if follows && by.is_none_or(|by| by.found.is_empty() && by.walk.is_none()) {
            let several = files.len() > 1;
            causes.extend(reporting::rates(&common, &truth, context.body, several));
            if scheme.is_none() && several {
                causes.extend(reporting::stamps(&common, &truth));
            }
        }
        if causes.is_empty() && by.is_none_or(|by| by.found.is_empty()) {
            causes.extend(row_times::uneven(&files, context));
        }
        // Rows of another time are steps of no rule, with errors of their own.
        let late = causes.iter().any(|c| c.id.part() == Part::Reporting);
        let stepped = steps.filter(|s| s.rule.is_some() || !late);
        causes.extend(stepped.iter().flat_map(|s| s.claims.iter().cloned()));
        let no_rotations = reporting::rotations(&files, follows, near.finest());
        if no_rotations.is_some() {
            // Torques of attitudes that are no rotations are other ones: a law that is not proven may be theirs.
            let proven = |c: &Claim| c.id.part() != Part::Model || c.certainty == Certainty::Is;
            causes.retain(proven);
        }
        causes.extend(no_rotations);
        if let Some((observed, by, _)) = explained.as_ref().filter(|_| causes.is_empty()) {
            let report = by.reports.first().map(|r| r.0);
            let unlike = report.and_then(|report| first_rows::unlike(observed, &report));
            causes.extend(unlike);
            if causes.is_empty() && !follows && !right {
                causes.extend(explained::torque_habit(observed, by));
            }
        }
        if scheme.as_ref().is_some_and(|s| s.clamps) {
            causes.push(Symptom::MomentumClamp.into());
        }
    }
    // What is said of a rule without a name is said of what it costs.
    let known = steps.filter(|s| s.rule.is_some() || causes.iter().any(|c| s.has(c.id)));
    if let Some(t) = common.cut {
        remarks.push(Note::ComparedUntil(t));
    }
    // Rows as near to the motion as rounding tell nothing of a rule.
    if measured.is_none() && causes.is_empty() && scheme.is_none() && known.is_none() {
        remarks.extend(match (follows, files.len() > 1) {
            (false, _) if settled => Some(Note::UnknownCause),
            (_, true) if near.finest() > AMPLIFIED => Some(Note::UnknownRule),
            _ => None,
        });
    }
    let behaviour = behaviour::behaviour(&common, &truth, context.body);
    let follows = follows && !early;
    // A solver whose measured equations are right is at a tolerance, or at steps that are too coarse.
    // Right steps that do not follow it are too coarse, too, and what they pass over they do not show.
    let tolerance = by.and_then(explained::tolerance);
    let open = match measured {
        Some(_) => another,
        None => !right && tolerance.is_none(),
    };
    let told = settled && !early && (follows || open);
    Diagnosis {
        conclusion: match (causes.is_empty(), told, follows) {
            (false, ..) => Conclusion::Named,
            (true, true, true) => Conclusion::Right,
            (true, true, false) => Conclusion::NoneFits,
            (true, false, _) => Conclusion::Unsettled,
        },
        causes,
        scheme,
        model: by.and_then(explained::model),
        rule: measured.or(known).map_or(Vec::new(), |m| m.scheme.clone()),
        identified_rule: known.and_then(|s| s.rule.clone()),
        own_limit: own,
        follows,
        right_steps: right,
        tolerance: tolerance.filter(|_| !follows),
        truth: Some(near),
        behaviour,
        remarks,
        open_walk,
    }
}

/// Returns true if something beside the step makes errors of the histories.
fn tolerated(measured: &Identification) -> bool {
    measured.own_steps || measured.clock.is_some() || measured.floor.single().is_some()
}

/// Returns the claim that histories are of a lower order than the steps of which they are made.
fn order_below(
    common: &Common,
    near: &Nearness,
    (measured, context): (&Identification, &Context),
) -> Option<Claim> {
    let ([.., e0, e1, e2], [.., h0, h1, h2]) = (&near.errors[..], &common.steps[..]) else {
        return None;
    };
    // Histories show their order where the motion is followed, and above the digits.
    let tells = |e: &f64| (SINGLE_DIGITS..TENTH).contains(e);
    if !(tells(e0) && tells(e1) && tells(e2)) {
        return None;
    }
    let slopes = [(e0, e1, h0, h1), (e1, e2, h1, h2)]
        .map(|(a, b, g, h)| scalar::ln(a / b) / scalar::ln(g / h));
    let known = measured.rule.as_ref().and_then(|r| r.order);
    // A torque that jumps within a step leaves rules of any order at the first.
    let is_smooth = matches!(
        context.body.top().torque(),
        TorqueModel::NoTorque(_)
            | TorqueModel::Gravity(_)
            | TorqueModel::LoadedGravity(_)
            | TorqueModel::Constant(_)
    );
    if !is_smooth || measured.least_order != Some(2) {
        return None;
    }
    let steps = known.unwrap_or(2).max(2);
    let lower = |p: &f64| *p > HALF_A_POWER && steps as f64 - p > HALF_A_POWER;
    let low = slopes.iter().all(lower);
    let steady = (slopes[0] - slopes[1]).abs() < SAME_POWER;
    (low && steady).then(|| Symptom::OrderBelow(OrderBelow { slopes, steps }).into())
}

/// A row of a later time may be stamped wrongly.
fn starts_elsewhere(f: &FileReport) -> bool {
    let start = f.start.as_ref();
    start.is_some_and(|s| s.against == StartAgainst::Initial && !s.attitude_matches)
}

/// Whether the equations are right and only the initial rate is another one.
fn other_start(files: &[FileReport], common: &Common, context: &Context) -> Option<Claim> {
    let mut starts = files.iter().filter_map(|s| s.start.as_ref());
    let start = starts.find(|s| s.rate_matches == Some(false) && s.attitude_matches)?;
    let first = files.last()?.trace.points.first()?;
    let own = RotState {
        att: first.att,
        omega: first.omega?,
    };
    let body = context.body.starting(own);
    let times = (context.span[0], &common.times[..]);
    let motion = Motion::new(&body, times, &|| true).ok()?;
    let limit = common.own_limit();
    let near = common.nearness(&motion.att, None, &|m, _| *m);
    common.explained_by(&near, limit.as_ref()).then(|| {
        let symptom = Symptom::StartOfOwn {
            near: near.finest(),
            rate: start.rate_body.unwrap_or(f64::NAN),
            forms: start.rate_would_match.clone(),
        };
        symptom.into()
    })
}

/// How far the coarsest rows are from the exact motion until a time, rad.
fn error(rows: &[topsim_protocol::history::Sample], truth: &Motion, until: f64) -> f64 {
    let known = rows.iter().zip(&truth.att);
    let known = known.take_while(|(p, _)| p.t <= until);
    common::largest(known.map(|(p, a)| so3::angle_between(&p.att, a)))
}
