//! Judgement of an update: its orders and drifts are measured, a rule is sought that gives its rows, and what is wrong in that rule is named.
//!
//! A defect is named only if the rule with it gives all rows to their rounding, and the same rule without it does not.

use crate::fit::{NavigationPart, ObservedRun, ObservedRuns};
use crate::measure::{DriftConstant, PartErrors, coning, part_errors, swinging};
use crate::motion::NavigationState;
use crate::probe::{MOST_SAMPLES, NavigationProbe, ProbeKind, navigation_probes};
use crate::rule::{
    Pair, PositionForm, SampleInput, TurnForm, UpdateRule, VelocityForm, coning_factor,
    factor_of_single_samples, rotation_factors,
};
use serde::Serialize;
use std::borrow::Cow;
use topsim_core::math::Vec3;

/// Units of rounding of single and double precision.
const SINGLE: f64 = f32::EPSILON as f64 / 2.0;
const DOUBLE: f64 = f64::EPSILON / 2.0;
/// Difference below which two halves of a sculling term are one factor: what rounding leaves of weights in single precision is 1e-4.
const SAME: f64 = 1e-3;

/// What is wrong in an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NavigationDefect {
    /// The attitude turns about axes of space.
    TurnInSpace,
    /// The angles are those of one sample before.
    AnglesLate,
    /// The angles are trapezoids of rates.
    AnglesTrapezoids,
    /// The angles are multiplied by a number.
    AngleScale,
    /// A bias is added to the rate, rad/s.
    AngleBias,
    /// The coning term has another factor.
    ConingTerm,
    /// The velocity increments are those of one sample before.
    VelocitiesLate,
    /// The velocity increments are trapezoids of forces.
    VelocitiesTrapezoids,
    /// The velocity increments are multiplied by a number.
    VelocityScale,
    /// A bias is added to the force, m/s².
    VelocityBias,
    /// The rotation term ½ Θ × V has another factor.
    RotationTerm,
    /// The sculling term has another factor.
    ScullingTerm,
    /// Gravity has another factor in the velocity.
    Gravity,
    /// The position follows from the velocity at one end.
    EulerPosition,
    /// The change of the position has another factor.
    PositionScale,
    /// Gravity has another factor in the position.
    PositionGravity,
    /// The velocity increments have another factor in the position.
    PositionForce,
}

/// A defect with its numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NavigationFinding {
    /// What is wrong.
    pub defect: NavigationDefect,
    /// Factor or bias that the update has: one number, three of a bias, or two of a sculling term whose halves differ.
    pub numbers: Vec<f64>,
}

/// Forms of the rule that gives the rows of a part.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ExplainedForm {
    /// Turn of the attitude.
    Turn(TurnForm),
    /// Velocity.
    Velocity(VelocityForm),
    /// Position.
    Position(PositionForm),
}

/// Judgement of an update.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NavigationReport {
    /// Samples of an update.
    pub samples: usize,
    /// True if attitude, velocity and position are in single precision.
    pub single_precision: [bool; 3],
    /// Errors and orders of attitude, velocity and position.
    pub errors: Vec<PartErrors>,
    /// Drift of the attitude under coning.
    pub coning: Option<DriftConstant>,
    /// Drift of the velocity under sculling.
    pub sculling: Option<DriftConstant>,
    /// Drift of the position under scrolling.
    pub scrolling: Option<DriftConstant>,
    /// Forms that give the rows of each part to their rounding; what has none is measured and not explained.
    pub explained: Vec<ExplainedForm>,
    /// What is wrong, certainly.
    pub findings: Vec<NavigationFinding>,
}

/// Reason why an update cannot be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NavigationError(pub String);

impl std::fmt::Display for NavigationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NavigationError {}

/// Judges an update of so many samples by its states on all of [`navigation_probes`].
///
/// # Errors
/// [`NavigationError`] if states are missing or not finite, or the number of samples is not possible.
pub fn judge_navigation(
    samples: usize,
    answers: &[Vec<NavigationState>],
) -> Result<NavigationReport, NavigationError> {
    let refused = |text: String| Err(NavigationError(text));
    if !(1..=MOST_SAMPLES).contains(&samples) {
        return refused(format!(
            "samples: found {samples}; allowed: 1 to {MOST_SAMPLES}"
        ));
    }
    let probes = navigation_probes(samples);
    if answers.len() != probes.len() {
        return refused(format!(
            "found states of {} problems; allowed: {}",
            answers.len(),
            probes.len()
        ));
    }
    for (k, (probe, rows)) in probes.iter().zip(answers).enumerate() {
        if rows.len() != probe.updates.len() {
            let (found, wanted) = (rows.len(), probe.updates.len());
            return refused(format!(
                "problem {}: found {found} states; allowed: {wanted}",
                k + 1
            ));
        }
        let finite = |s: &NavigationState| s.numbers().iter().all(|x| x.is_finite());
        if let Some(n) = rows.iter().position(|s| !finite(s)) {
            return refused(format!(
                "problem {}: the state after update {} is not finite",
                k + 1,
                n + 1
            ));
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
    let (explained, findings) = explain(&observed(&runs, rounding), samples);
    Ok(NavigationReport {
        samples,
        single_precision,
        errors: part_errors(&runs, rounding),
        coning: coning(&runs),
        sculling: swinging(&runs, NavigationPart::Velocity, rounding[1]),
        scrolling: swinging(&runs, NavigationPart::Position, rounding[2]),
        explained,
        findings,
    })
}

/// Returns the runs that are compared with rules.
fn observed<'a>(
    runs: &[(&'a NavigationProbe, &'a [NavigationState])],
    rounding: [f64; 3],
) -> ObservedRuns<'a> {
    let compared = |kind| matches!(kind, ProbeKind::Independent | ProbeKind::Product(_));
    let runs = runs.iter().filter(|(probe, _)| compared(probe.kind));
    ObservedRuns(
        runs.map(|(probe, rows)| ObservedRun {
            probe,
            rows,
            rounding,
        })
        .collect(),
    )
}

/// Findings of one part: those whose rule without them does not give the rows.
struct PartFindings<'a> {
    runs: &'a ObservedRuns<'a>,
    part: NavigationPart,
    rule: UpdateRule,
    findings: Vec<NavigationFinding>,
}

impl PartFindings<'_> {
    /// Names a defect if the rule that `corrected` makes of the present one does not give the rows.
    fn note(
        &mut self,
        defect: NavigationDefect,
        numbers: &[f64],
        corrected: impl FnOnce(&mut UpdateRule),
    ) {
        let mut right = self.rule.clone();
        corrected(&mut right);
        if !self.runs.reproduced_by(&right, self.part) {
            self.findings.push(NavigationFinding {
                defect,
                numbers: numbers.to_vec(),
            });
        }
    }

    /// Names what is wrong with where increments come from, their scale and their bias.
    fn inputs(
        &mut self,
        [late, trapezoids, scale, biased]: [NavigationDefect; 4],
        input: SampleInput,
        (factor, bias): (f64, Vec3),
        place: fn(&mut UpdateRule) -> (&mut SampleInput, &mut (f64, Vec3)),
    ) {
        let named = if input == SampleInput::Late {
            late
        } else {
            trapezoids
        };
        self.note(named, &[], |rule| *place(rule).0 = SampleInput::Increments);
        self.note(scale, &[factor], |rule| place(rule).1.0 = 1.0);
        self.note(biased, bias.as_slice(), |rule| {
            place(rule).1.1 = Vec3::zeros()
        });
    }
}

/// Returns the forms that explain the parts, and what is wrong in them.
fn explain(runs: &ObservedRuns, samples: usize) -> (Vec<ExplainedForm>, Vec<NavigationFinding>) {
    let (mut forms, mut findings) = (Vec::new(), Vec::new());
    let begin = |part, rule: &UpdateRule| PartFindings {
        runs,
        part,
        rule: rule.clone(),
        findings: Vec::new(),
    };
    let attitude = runs.attitude(samples);
    if let Some(rule) = &attitude {
        forms.push(ExplainedForm::Turn(rule.turn));
        let mut of = begin(NavigationPart::Attitude, rule);
        attitude_findings(&mut of, samples);
        findings.append(&mut of.findings);
    }
    let velocity = runs.velocity(&attitude.unwrap_or(UpdateRule::PLAIN), samples);
    if let Some(rule) = &velocity {
        forms.push(ExplainedForm::Velocity(rule.velocity));
        let mut of = begin(NavigationPart::Velocity, rule);
        velocity_findings(&mut of, samples);
        findings.append(&mut of.findings);
    }
    let position = runs.position(&velocity.unwrap_or(UpdateRule::PLAIN), samples);
    if let Some(rule) = &position {
        forms.push(ExplainedForm::Position(rule.position));
        let mut of = begin(NavigationPart::Position, rule);
        position_findings(&mut of, samples);
        findings.append(&mut of.findings);
    }
    (forms, findings)
}

fn attitude_findings(of: &mut PartFindings, samples: usize) {
    use NavigationDefect::{
        AngleBias, AngleScale, AnglesLate, AnglesTrapezoids, ConingTerm, TurnInSpace,
    };
    let rule = of.rule.clone();
    if rule.turn == TurnForm::InSpace {
        of.note(TurnInSpace, &[], |rule| rule.turn = TurnForm::Exact);
    }
    let defects = [AnglesLate, AnglesTrapezoids, AngleScale, AngleBias];
    of.inputs(defects, rule.angles, rule.factors.angle, |rule| {
        (&mut rule.angles, &mut rule.factors.angle)
    });
    if rule.turn == TurnForm::EachSample {
        return;
    }
    let factor = coning_factor(&rule.coning, samples);
    let has = |factors: &[f64]| factors.iter().any(|f| with_coning(of, *f, factor, samples));
    // An update of one sample has no coning term to forget, and one that turns by each sample alone leaves out no more than these.
    let allowed: &[f64] = match samples {
        1 => &[1.0, 0.0],
        n => &[1.0, factor_of_single_samples(n)],
    };
    if !has(allowed) {
        of.note(ConingTerm, &[factor], |rule| {
            add(&mut rule.coning, 1.0 - factor, samples, false)
        });
    }
}

/// Tests whether the rule gives the rows with another factor of its coning term.
fn with_coning(of: &PartFindings, wanted: f64, factor: f64, samples: usize) -> bool {
    let mut rule = of.rule.clone();
    add(&mut rule.coning, wanted - factor, samples, false);
    of.runs.reproduced_by(&rule, of.part)
}

fn velocity_findings(of: &mut PartFindings, samples: usize) {
    use NavigationDefect::{
        Gravity, RotationTerm, ScullingTerm, VelocitiesLate, VelocitiesTrapezoids, VelocityBias,
        VelocityScale,
    };
    let rule = of.rule.clone();
    let defects = [
        VelocitiesLate,
        VelocitiesTrapezoids,
        VelocityScale,
        VelocityBias,
    ];
    of.inputs(defects, rule.velocities, rule.factors.velocity, |rule| {
        (&mut rule.velocities, &mut rule.factors.velocity)
    });
    of.note(Gravity, &[rule.factors.gravity], |rule| {
        rule.factors.gravity = 1.0
    });
    let factors = rotation_factors(rule.velocity, &rule.sculling, samples);
    of.note(RotationTerm, &[factors.rotation], |rule| {
        let all = (1..=samples).flat_map(|i| (1..=samples).map(move |j| (i, j)));
        let more = 0.5 * (1.0 - factors.rotation);
        rule.sculling
            .to_mut()
            .extend(all.map(|(i, j)| Pair(i, j, more)));
    });
    let one = 0.5 * (factors.force + factors.rate);
    let are_one = (factors.force - factors.rate).abs() < SAME;
    let given = |wanted: f64| {
        let mut rule = of.rule.clone();
        add(&mut rule.sculling, wanted - one, samples, true);
        are_one && of.runs.reproduced_by(&rule, of.part)
    };
    let allowed = match samples {
        1 => [1.0, 0.0],
        n => [1.0, factor_of_single_samples(n)],
    };
    if !allowed.into_iter().any(given) {
        let numbers: &[f64] = if are_one {
            &[one]
        } else {
            &[factors.force, factors.rate]
        };
        of.note(ScullingTerm, numbers, |rule| {
            add(&mut rule.sculling, 1.0 - one, samples, true)
        });
    }
}

/// Adds a part of the coning or sculling term of a linear motion, as a product of the first sample and the last, or of that before and the only one.
fn add(pairs: &mut Cow<'static, [Pair]>, part: f64, samples: usize, both: bool) {
    let first = usize::from(samples > 1);
    let weight = part * (samples as f64).powi(3) / 12.0 / (samples - first) as f64;
    let pairs = pairs.to_mut();
    pairs.push(Pair(first, samples, weight));
    if both {
        pairs.push(Pair(samples, first, -weight));
    }
}

fn position_findings(of: &mut PartFindings, samples: usize) {
    use NavigationDefect::{EulerPosition, PositionForce, PositionGravity, PositionScale};
    let rule = of.rule.clone();
    of.note(PositionScale, &[rule.factors.position], |rule| {
        rule.factors.position = 1.0
    });
    match rule.position {
        PositionForm::Trapezoid => {}
        PositionForm::Start | PositionForm::End => {
            of.note(EulerPosition, &[], |rule| {
                rule.position = PositionForm::Trapezoid
            });
        }
        PositionForm::Integrated => {
            let gravity = rule.factors.position_gravity;
            of.note(PositionGravity, &[gravity], |rule| {
                rule.factors.position_gravity = 1.0
            });
            let force = rule.doubled.0.iter().sum::<f64>() * 2.0 / samples as f64;
            of.note(PositionForce, &[force], |rule| {
                let more = (1.0 - force) / 2.0;
                rule.doubled.0.to_mut().iter_mut().for_each(|s| *s += more);
            });
        }
    }
}
