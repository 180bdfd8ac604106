use super::*;
use crate::suite::{Suite, SuiteSource};
use std::sync::atomic::AtomicBool;
use topsim_core::integration::{Experiment, Parameters, Refusal, bind, registry};
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::{AnyTop, Inertia, Model, NoTorque, RigidTop, RotState, Torque};
use topsim_core::schemes::wrong::{Original, Twin, TwinFault};
use topsim_core::schemes::{Effort, RotationScheme, Step, StepResult};

type Bound = Result<Experiment, Refusal>;

/// Returns a scheme of the catalogue.
fn named(name: &str) -> impl Fn(&Model) -> Bound {
    let row = registry::find(name).unwrap();
    |model| (row.bind)(model, &Parameters::default())
}

fn study(bind: impl Fn(&Model) -> Bound, quantity: &str, initial: RotState) -> Growth {
    study_of([0.6, 0.8, 1.0], bind, quantity, initial)
}

fn study_of(
    moments: [f64; 3],
    bind: impl Fn(&Model) -> Bound,
    quantity: &str,
    initial: RotState,
) -> Growth {
    let inertia = Inertia::diagonal(moments.into()).unwrap();
    let model = Model::Top(AnyTop::from(RigidTop::new(inertia, NoTorque, initial)));
    let asked = Asked {
        quantity,
        start: 0.0,
        step: 0.01,
        decades: [2, 5],
    };
    let experiment = bind(&model).unwrap();
    asked.growth(&experiment, 16).unwrap()
}

fn tumbling() -> RotState {
    RotState {
        att: so3::exp(&Vec3::new(0.3, -0.4, 0.5)),
        omega: Vec3::new(1.1, 0.7, -0.9),
    }
}

/// The twin carries the rate, and multiplies by J and J⁻¹ in turn; the scheme carries the momentum.
#[test]
fn a_rounded_inverse_has_a_bias_and_a_carried_momentum_has_none() {
    let right = study(named("rig_neg"), "pi", tumbling());
    assert_eq!(right.word(None), "random walk", "{right:?}");
    let twin = Twin {
        of: Original::Neg,
        fault: TwinFault::CarriesRate,
    };
    let biased = study(|model| twin.bind(model), "pi", tumbling());
    assert_eq!(biased.word(None), "biased", "{biased:?}");
    assert!(biased.bands.last().unwrap()[0] > 3.0 * right.bands.last().unwrap()[0]);
}

/// Every step of a body that is almost a sphere adds the same small change to the momentum, and turns by the same angle:
/// what their rounding leaves out, and what a division by |q| takes away, is the same in every step too, unless it is kept
/// for the next, and unless the division is a rare one.
#[test]
fn almost_a_sphere_has_no_bias_in_exact_flows() {
    for moments in [[1.0, 1.0 + 1e-12, 1.0 - 1e-12], [1.0, 1.0, 1.0]] {
        let grown = study_of(moments, named("exact_strang"), "pi", tumbling());
        // No faster than a random walk, and no further than 2 ε √n, as the checks of the case say.
        let [last, ..] = grown.bands.last().unwrap();
        let furthest = 2.0 * f64::EPSILON * 1e5_f64.sqrt();
        assert!(grown.exponent[0] < 0.6 && *last < furthest, "{grown:?}");
    }
}

/// Turns by one rounded matrix in every step, whatever the rate.
struct Rotor(Mat3);

impl RotationScheme for Rotor {
    type Memory = ();
    fn step(&self, _: &Step<impl Torque>, y: &mut RotState, (): &mut ()) -> StepResult {
        y.att *= self.0;
        Ok(Effort::default())
    }
}

/// A rotor turned by a constant angle grows by c² + s² − 1 a step in ΛᵀΛ, which is known beforehand.
#[test]
fn the_bias_of_a_constant_angle_is_that_of_its_rounded_matrix() {
    let turn = so3::exp(&Vec3::new(0.0, 0.0, 0.01));
    // A square and its rounding error, exactly; the leading parts cancel without an error.
    let square = |x: f64| (x * x, x.mul_add(x, -(x * x)));
    let ((c2, c_error), (s2, s_error)) = (square(turn.m11), square(turn.m21));
    let excess = ((c2 - 1.0) + s2) + (c_error + s_error);
    let still = RotState {
        att: Mat3::identity(),
        omega: Vec3::new(0.0, 0.0, 1.0),
    };
    let grown = study(|model| bind(Rotor(turn), model), "orth", still);
    assert_eq!(grown.word(None), "biased", "{grown:?}");
    let [last, ..] = grown.bands.last().unwrap();
    let predicted = 1e5 * excess.abs();
    assert!(
        (last / predicted - 1.0).abs() < 0.1,
        "{last} against {predicted}"
    );
    // The verdict: the size of ΛᵀΛ − I grows by this in every step, and by no other number.
    let drift = excess.abs() / f64::EPSILON;
    let word = |part: f64| grown.word(Some(part * drift));
    assert_eq!(word(1.0), "linear, as predicted", "{grown:?} {drift}");
    assert_eq!([0.8, 1.2, -1.0].map(word), ["biased"; 3]);
    let walk = study(named("rig_neg"), "pi", tumbling());
    assert_eq!(walk.word(Some(walk.drift)), "random walk");
}

#[test]
fn the_study_reads_runs_and_gives_its_numbers() {
    let mut text = crate::suite::builtin("round_off").unwrap();
    text.case.text = text
        .case
        .text
        .replace("decades = [2, 5]", "starts = 4\ndecades = [1, 2]");
    let mut suite = crate::suite::Suite::read(&text).ok().unwrap();
    suite.checks.clear();
    let results = crate::run::execute(
        vec![suite],
        &crate::run::Options::default(),
        &(),
        &AtomicBool::new(false),
    )
    .unwrap();
    let found: Vec<_> = results.report.cases[0].studies().collect();
    assert_eq!(found[0].stem, "round_off_momentum");
    let numbers = &found[0].numbers;
    assert!(
        numbers
            .iter()
            .any(|n| n.name == "exponent(rig_neg)" && n.value.is_ok())
    );
    assert!(
        found[1].drawings[0]
            .svg()
            .unwrap()
            .contains("Relative change of the energy")
    );
}

/// A prediction is a row of the study: its number can be held by a check, and its scheme must be one of the case.
#[test]
fn a_prediction_is_a_row_of_the_study() {
    let text = |scheme: &str| {
        let mut text = crate::suite::builtin("round_off").unwrap();
        let row = format!(
            "starts = 4\ndecades = [1, 2]\npredicted = [{{ scheme = \"{scheme}\", drift = 0.5, source = \"-\" }}]"
        );
        text.case.text = text.case.text.replace("decades = [2, 5]", &row);
        text
    };
    let numbers = numbers_of(&text("rig_neg"));
    let value = |name: &str| {
        let number = numbers.iter().find(|n| n.name == name).unwrap();
        *number.value.as_ref().unwrap()
    };
    assert_eq!(
        value("of_predicted(rig_neg)"),
        value("drift(rig_neg)") / 0.5
    );
    let faults = format!("{:?}", Suite::read(&text("rig_ne")).err().unwrap());
    assert!(faults.contains("rig_ne"), "{faults}");
}

/// A scheme whose steps cannot be made takes none of the others with it.
#[test]
fn one_scheme_that_fails_leaves_the_others_their_numbers() {
    let mut text = crate::suite::builtin("round_off").unwrap();
    for (was, is) in [
        ("inertia = [0.6, 0.8, 1.0]", "inertia = [3.0, 0.01, 3.0]"),
        ("decades = [2, 5]", "starts = 4\ndecades = [1, 2]"),
        ("step = 0.01", "step = 5.0"),
        ("\"dmv\", \"split3\"", "\"split3\""),
        (
            "schemes = [\"rig_neg\",",
            "schemes = [\"dmv\", \"rig_neg\",",
        ),
    ] {
        assert!(text.case.text.contains(was), "{was}");
        text.case.text = text.case.text.replace(was, is);
    }
    let numbers = numbers_of(&text);
    let value = |name: &str| {
        numbers
            .iter()
            .find(|n| n.name == name)
            .unwrap()
            .value
            .is_ok()
    };
    assert!(!value("exponent(dmv)"));
    assert!(value("exponent(rig_neg)") && value("exponent(split3)"));
}

/// Returns the numbers of the first study of a suite.
fn numbers_of(text: &SuiteSource) -> Vec<Number> {
    let mut suite = Suite::read(text).ok().unwrap();
    suite.checks.clear();
    let options = crate::run::Options::default();
    let results = crate::run::execute(vec![suite], &options, &(), &AtomicBool::new(false)).unwrap();
    let first = results.report.cases[0].studies().next().unwrap();
    first.numbers.clone()
}

#[test]
fn a_stopped_study_says_so() {
    let none = [("a", None)];
    let stopped = IncompleteStudy::Failed("why".into());
    let numbers = numbers(&none, Some(&stopped));
    assert_eq!(numbers.len(), 4);
    assert!(
        numbers
            .iter()
            .all(|n| n.value.clone().unwrap_err().to_string() == "why")
    );
}
