//! Judgement of an update: its orders and drifts are measured, a rule is sought that gives its rows, and what is wrong in that rule is named.
//!
//! A defect is named only if the rule with it gives all rows to their rounding, and the same rule without it does not.

use crate::defect::{NavigationDefect, NavigationFinding};
use crate::fit::{NavigationPart, ObservedRuns};
use crate::frame_fit::fitted_frame;
use crate::measure::{
    Condition, ConditionErrors, Course, DriftConstant, LEAST_UNDER_CONDITION, PartErrors, coning,
    part_errors, swinging,
};
use crate::motion::NavigationState;
use crate::probe::{MOST_SAMPLES, NavigationProbe, ProbeKind, ProbeSet, navigation_probes};
use crate::rule::{
    Pair, Pairs, PositionForm, SampleInput, TurnForm, UpdateRule, VelocityForm, coning_factor,
    factor_of_single_samples, rotation_factors,
};
use serde::Serialize;
use std::borrow::Cow;
use topsim_core::math::{LEAST_ORDER, Vec3};
use topsim_core::verdict::Status;

/// Units of rounding of single and double precision.
const SINGLE: f64 = f32::EPSILON as f64 / 2.0;
const DOUBLE: f64 = f64::EPSILON / 2.0;
/// Difference below which two halves of a sculling term are one factor: what rounding leaves of weights in single precision is 1e-4.
const SAME: f64 = 1e-3;

/// Judgement of an update.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NavigationReport {
    /// Samples of an update.
    pub samples: usize,
    /// Single precision of attitude, velocity and position.
    pub single_precision: [bool; 3],
    /// Errors and orders of attitude, velocity and position.
    pub errors: Vec<PartErrors>,
    /// The same under the conditions that were asked for.
    pub conditions: Vec<ConditionErrors>,
    /// Drift of the attitude under coning.
    pub coning: Option<DriftConstant>,
    /// Drift of the velocity under sculling.
    pub sculling: Option<DriftConstant>,
    /// Drift of the position under scrolling.
    pub scrolling: Option<DriftConstant>,
    /// Forms that give the rows of attitude, velocity and position to their rounding; a part without one is measured and not explained.
    pub explained: [Option<&'static str>; 3],
    /// Defects that are certain.
    pub findings: Vec<NavigationFinding>,
}

impl NavigationReport {
    /// Returns the verdict: failed if a defect is found or errors do not fall with the update, undecided if they stop falling.
    pub fn status(&self) -> Status {
        let under = self.conditions.iter().flat_map(|c| &c.errors);
        let all: Vec<&PartErrors> = self.errors.iter().chain(under).collect();
        let any = |course| all.iter().any(|part| part.course == course);
        if !self.findings.is_empty() || any(Course::Stays) {
            Status::Failed
        } else if any(Course::Stops) {
            Status::Undecided
        } else {
            Status::Passed
        }
    }
}

/// Reason why an update cannot be judged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NavigationError(pub String);

/// Judges an update by its states on all of [`navigation_probes`] of a set.
///
/// # Errors
/// [`NavigationError`] if states are missing or not finite, or the number of samples is not possible.
pub fn judge_navigation(
    set: ProbeSet,
    answers: &[Vec<NavigationState>],
) -> Result<NavigationReport, NavigationError> {
    let samples = set.samples;
    let refused = |text: String| Err(NavigationError(text));
    if !(1..=MOST_SAMPLES).contains(&samples) {
        return refused(format!(
            "samples: found {samples}; allowed: 1 to {MOST_SAMPLES}"
        ));
    }
    let probes = navigation_probes(set);
    let (found, wanted) = (answers.len(), probes.len());
    if found != wanted {
        return refused(format!(
            "found states of {found} problems; allowed: {wanted}"
        ));
    }
    for (k, (probe, rows)) in (1..).zip(probes.iter().zip(answers)) {
        let (found, wanted) = (rows.len(), probe.updates.len());
        if found != wanted {
            return refused(format!(
                "problem {k}: found {found} states; allowed: {wanted}"
            ));
        }
        let finite = |s: &NavigationState| s.numbers().iter().all(|x| x.is_finite());
        if let Some(n) = rows.iter().position(|s| !finite(s)) {
            return refused(format!("problem {k}: state {} is not finite", n + 1));
        }
    }
    let single_precision = [0..9, 9..12, 12..15].map(|places| {
        let mut numbers = answers
            .iter()
            .flatten()
            .flat_map(|s| s.numbers()[places.clone()].to_vec());
        numbers.all(|x| f64::from(x as f32) == x)
    });
    let rounding = single_precision.map(|single| if single { SINGLE } else { DOUBLE });
    let runs: Vec<(&NavigationProbe, &[NavigationState])> = probes
        .iter()
        .zip(answers)
        .map(|(p, a)| (p, a.as_slice()))
        .collect();
    let observed = |wanted: fn(ProbeKind) -> bool| ObservedRuns {
        runs: runs
            .iter()
            .filter(|(probe, _)| wanted(probe.kind))
            .copied()
            .collect(),
        rounding,
        samples,
    };
    let compared = |kind| matches!(kind, ProbeKind::Independent | ProbeKind::Product(_));
    let (rule, explained, mut findings) = explain(&observed(compared));
    if set.earth && explained[..2].iter().all(Option::is_some) {
        explain_frame(
            &observed(|kind| matches!(kind, ProbeKind::Earth(_))),
            &rule,
            &mut findings,
        );
    }
    let under = |condition: Condition| ConditionErrors {
        condition,
        errors: part_errors(&runs, rounding, LEAST_UNDER_CONDITION, |kind| {
            condition.length(kind)
        }),
    };
    let asked = Condition::ALL.into_iter().filter(|c| match c {
        Condition::Jittered | Condition::Dropped => set.uneven,
        Condition::Earth => set.earth,
    });
    Ok(NavigationReport {
        samples,
        single_precision,
        errors: part_errors(&runs, rounding, LEAST_ORDER, |kind| match kind {
            ProbeKind::Product(time) => Some(time),
            _ => None,
        }),
        conditions: asked.map(under).collect(),
        coning: coning(&runs),
        sculling: swinging(&runs, NavigationPart::Velocity, rounding[1]),
        scrolling: swinging(&runs, NavigationPart::Position, rounding[2]),
        explained,
        findings,
    })
}

/// Names what is wrong in the terms of the frame, if a rule with them gives the rows.
fn explain_frame(runs: &ObservedRuns, rule: &UpdateRule, findings: &mut Vec<NavigationFinding>) {
    use NavigationDefect as D;
    let [turned, moved] = fitted_frame(runs, rule);
    let mut name =
        |rule: Option<UpdateRule>, part, defect, place: fn(&mut UpdateRule) -> &mut f64| {
            if let Some(mut rule) = rule {
                let numbers = [*place(&mut rule)];
                let mut of = PartFindings {
                    runs,
                    part,
                    rule,
                    findings,
                };
                of.note(defect, &numbers, |rule| *place(rule) = 1.0);
            }
        };
    name(turned, NavigationPart::Attitude, D::FrameTurn, |rule| {
        &mut rule.frame.turn_factor
    });
    name(moved, NavigationPart::Velocity, D::Coriolis, |rule| {
        &mut rule.frame.coriolis_factor
    });
}

/// Returns the rule that explains the parts, its forms, and what is wrong in them.
fn explain(
    runs: &ObservedRuns,
) -> (
    UpdateRule,
    [Option<&'static str>; 3],
    Vec<NavigationFinding>,
) {
    let (mut known, mut forms, mut findings) = (UpdateRule::PLAIN, [None; 3], Vec::new());
    for part in NavigationPart::ALL {
        let Some(rule) = runs.explained(part, &known) else {
            continue;
        };
        known = rule.clone();
        let mut of = PartFindings {
            runs,
            part,
            rule,
            findings: &mut findings,
        };
        forms[part as usize] = Some(match part {
            NavigationPart::Attitude => of.attitude(),
            NavigationPart::Velocity => of.velocity(),
            NavigationPart::Position => of.position(),
        });
    }
    (known, forms, findings)
}

/// Findings of one part: those whose rule without them does not give the rows.
struct PartFindings<'a> {
    runs: &'a ObservedRuns<'a>,
    part: NavigationPart,
    rule: UpdateRule,
    findings: &'a mut Vec<NavigationFinding>,
}

impl PartFindings<'_> {
    /// Tests whether the rule gives the rows after a change.
    fn holds(&self, change: impl FnOnce(&mut UpdateRule)) -> bool {
        let mut rule = self.rule.clone();
        change(&mut rule);
        self.runs.reproduced_by(&rule, self.part)
    }

    /// Names a defect if the rule that `corrected` makes of the present one does not give the rows.
    fn note(
        &mut self,
        defect: NavigationDefect,
        numbers: &[f64],
        corrected: impl FnOnce(&mut UpdateRule),
    ) {
        if !self.holds(corrected) {
            let numbers = numbers.to_vec();
            self.findings.push(NavigationFinding { defect, numbers });
        }
    }

    /// Names what is wrong with where increments come from, their scale and their bias.
    fn inputs(
        &mut self,
        [late, trapezoids, scale, biased]: [NavigationDefect; 4],
        place: fn(&mut UpdateRule) -> (&mut SampleInput, &mut (f64, Vec3)),
    ) {
        let mut rule = self.rule.clone();
        let (input, (factor, bias)) = place(&mut rule);
        let named = if *input == SampleInput::Late {
            late
        } else {
            trapezoids
        };
        self.note(named, &[], |rule| *place(rule).0 = SampleInput::Increments);
        self.note(scale, &[*factor], |rule| place(rule).1.0 = 1.0);
        self.note(biased, bias.as_slice(), |rule| {
            place(rule).1.1 = Vec3::zeros()
        });
    }

    /// Names a term of coning or sculling with another factor. One sample has no such term to forget, and an update that takes one sample after the other leaves
    /// out no more than these do.
    fn linear_term(
        &mut self,
        defect: NavigationDefect,
        factors: &[f64],
        place: fn(&mut UpdateRule) -> &mut Pairs,
    ) {
        let n = self.runs.samples;
        let both = defect == NavigationDefect::ScullingTerm;
        let factor = factors.iter().sum::<f64>() / factors.len() as f64;
        let are_one = factors.iter().all(|f| (f - factor).abs() < SAME);
        let other = if n == 1 {
            0.0
        } else {
            factor_of_single_samples(n)
        };
        let with =
            |wanted: f64| move |rule: &mut UpdateRule| add(place(rule), wanted - factor, n, both);
        if !(are_one && self.holds(with(other))) {
            let numbers = if are_one { &[factor] } else { factors };
            self.note(defect, numbers, with(1.0));
        }
    }

    fn attitude(&mut self) -> &'static str {
        use NavigationDefect as D;
        let turn = self.rule.turn;
        self.note(D::TurnInSpace, &[], |rule| {
            if turn == TurnForm::InSpace {
                rule.turn = TurnForm::Exact;
            }
        });
        let defects = [
            D::AnglesLate,
            D::AnglesTrapezoids,
            D::AngleScale,
            D::AngleBias,
        ];
        self.inputs(defects, |rule| (&mut rule.angles, &mut rule.factors.angle));
        if !turn.is_fixed() {
            let factor = coning_factor(&self.rule.coning, self.runs.samples);
            self.linear_term(D::ConingTerm, &[factor], |rule| &mut rule.coning);
        }
        turn.words()
    }

    fn velocity(&mut self) -> &'static str {
        use NavigationDefect as D;
        let (form, samples) = (self.rule.velocity, self.runs.samples);
        let defects = [
            D::VelocitiesLate,
            D::VelocitiesTrapezoids,
            D::VelocityScale,
            D::VelocityBias,
        ];
        self.inputs(defects, |rule| {
            (&mut rule.velocities, &mut rule.factors.velocity)
        });
        self.note(D::Gravity, &[self.rule.factors.gravity], |rule| {
            rule.factors.gravity = 1.0
        });
        let factors = rotation_factors(form, &self.rule.sculling, samples);
        let alone = self.holds(|rule| rule.sculling = Cow::Borrowed(&[]));
        let (defect, numbers): (_, &[f64]) = match form {
            VelocityForm::Start if alone => (D::AttitudeAtStart, &[]),
            VelocityForm::End if alone => (D::AttitudeAtEnd, &[]),
            _ => (D::RotationTerm, &[factors.rotation]),
        };
        self.note(defect, numbers, |rule| {
            let all = (1..=samples).flat_map(|i| (1..=samples).map(move |j| (i, j)));
            let more = 0.5 * (1.0 - factors.rotation);
            rule.sculling
                .to_mut()
                .extend(all.map(|(i, j)| Pair(i, j, more)));
        });
        self.linear_term(D::ScullingTerm, &[factors.force, factors.rate], |rule| {
            &mut rule.sculling
        });
        form.words()
    }

    fn position(&mut self) -> &'static str {
        use NavigationDefect as D;
        let (form, whole) = (self.rule.position, self.rule.factors.position);
        self.note(D::PositionScale, &[whole], |rule| {
            rule.factors.position = 1.0
        });
        if matches!(form, PositionForm::Start | PositionForm::End) {
            self.note(D::EulerPosition, &[], |rule| {
                rule.position = PositionForm::Trapezoid
            });
        }
        if form == PositionForm::Integrated {
            let gravity = self.rule.factors.position_gravity;
            self.note(D::PositionGravity, &[gravity], |rule| {
                rule.factors.position_gravity = 1.0
            });
            let force = self.rule.doubled.0.iter().sum::<f64>() * 2.0 / self.runs.samples as f64;
            self.note(D::PositionForce, &[force], |rule| {
                let more = (1.0 - force) / 2.0;
                rule.doubled.0.to_mut().iter_mut().for_each(|s| *s += more);
            });
        }
        form.words()
    }
}

/// Adds a part of the coning or sculling term of a linear motion, as a product of the first sample and the last, or of that before and the only one.
fn add(pairs: &mut Pairs, part: f64, samples: usize, both: bool) {
    let first = usize::from(samples > 1);
    let weight = part * (samples as f64).powi(3) / 12.0 / (samples - first) as f64;
    pairs.to_mut().push(Pair(first, samples, weight));
    if both {
        pairs.to_mut().push(Pair(samples, first, -weight));
    }
}
