//! References compared with motions integrated to 38 digits, `tests/data/form_truths.jsonl`
//! (`scripts/form_truths.py`): no error exceeds the stated one, and each problem has the closed form of its
//! family and no other, or a computed motion where its family has none.

use super::{ReferenceKind, ReferencePlan, RowReference};
use crate::math::{Mat3, Vec3};
use crate::models::{AnyTop, Inertia, Model, RotState, Start, TorqueTable};
use serde::Deserialize;

#[derive(Deserialize)]
struct TruthProblem {
    family: String,
    #[serde(rename = "J")]
    inertia: [[f64; 3]; 3],
    torque: serde_json::Value,
    #[serde(rename = "R")]
    att: [[f64; 3]; 3],
    #[serde(rename = "W")]
    omega: [f64; 3],
    start: f64,
    times: Vec<f64>,
    /// Each state: R row by row, then W.
    states: Vec<Vec<f64>>,
}

impl TruthProblem {
    fn model(&self) -> Model {
        let matrix = |m: &[[f64; 3]; 3]| Mat3::from_fn(|i, j| m[i][j]);
        Model::Top(AnyTop {
            inertia: Inertia::new(matrix(&self.inertia)).unwrap(),
            torque: serde_json::from_value::<TorqueTable>(self.torque.clone())
                .unwrap()
                .torque()
                .unwrap(),
            initial: Start::from(RotState {
                att: matrix(&self.att),
                omega: Vec3::from(self.omega),
            }),
        })
    }
    /// Returns the closed form of the family, with the bound of its own.
    fn closed_form(&self) -> Option<Box<dyn RowReference>> {
        let kind = self.kind()?;
        let form = kind.closed_form(&self.model(), self.start);
        let form = form.unwrap_or_else(|e| panic!("{}: {e}", self.family));
        Some(form.unwrap())
    }
    /// Returns the reference that cases use.
    fn chosen(&self) -> Box<dyn RowReference> {
        let span = (self.start, *self.times.last().unwrap());
        match ReferencePlan::new(None, &self.model(), span).unwrap() {
            ReferencePlan::Ready(chosen) => chosen,
            plan => plan.compute(&|| true).unwrap(),
        }
    }
    /// Returns the closed form of the family, if it has one.
    fn kind(&self) -> Option<ReferenceKind> {
        Some(match self.family.split('_').next().unwrap() {
            "gyrostat" => ReferenceKind::Gyrostat,
            "grioli" => ReferenceKind::Grioli,
            "staude" => ReferenceKind::Staude,
            "wheels" | "axis" => return None,
            _ => ReferenceKind::AlongMomentum,
        })
    }
}

fn problems(text: &str) -> Vec<TruthProblem> {
    let problem = |line| serde_json::from_str(line).unwrap();
    text.lines().map(problem).collect()
}

/// Returns the largest errors of attitude and rate relative to the stated ones, and the largest stated error of
/// the attitude.
fn worst(problem: &TruthProblem, form: &dyn RowReference) -> [f64; 3] {
    let columns = form.columns();
    let [attitude, rate] = ["attitude", "W"].map(|name| columns.group(name).unwrap());
    let mut worst = [0.0_f64; 3];
    for (t, state) in problem.times.iter().zip(&problem.states) {
        let (mut row, mut truth) = (vec![0.0; columns.width()], vec![0.0; columns.width()]);
        form.row(*t, &mut row);
        truth[attitude.channels[0]..][..9].copy_from_slice(&state[..9]);
        truth[rate.channels[0]..][..3].copy_from_slice(&state[9..]);
        for (k, group) in [attitude, rate].into_iter().enumerate() {
            let stated = form.error(*t, &group.name);
            worst[k] = worst[k].max(group.distance(&row, &truth) / stated);
        }
        worst[2] = worst[2].max(form.error(*t, "attitude"));
    }
    worst
}

/// Checks with the bound of the closed form itself, and with the one measured against a computed motion, which
/// cases use.
fn judge(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (n, problem) in problems(text).iter().enumerate() {
        let (form, chosen) = (problem.closed_form(), problem.chosen());
        let own = form.iter().map(|form| ("own", form));
        for (how, form) in own.chain([("measured", &chosen)]) {
            let worst = worst(problem, &**form);
            if !(worst[0] <= 1.0 && worst[1] <= 1.0) {
                out.push(format!("{n} {} {how}: {worst:?}", problem.family));
            }
        }
        if chosen.provenance().starts_with("closed form") != form.is_some() {
            out.push(format!("{n} {}: {}", problem.family, chosen.provenance()));
        }
        if !(worst(problem, &*chosen)[2] < 1e-10) {
            out.push(format!("{n} {}: says too little", problem.family));
        }
    }
    out
}

#[test]
fn closed_forms_are_within_their_stated_errors_of_the_truth() {
    let text = include_str!("../../tests/data/form_truths.jsonl");
    assert!(text.lines().count() >= 90);
    let found = judge(text);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Checks any number of problems: TOPSIM_TRUTHS=FILE, made by `scripts/form_truths.py table COUNT SEED`.
#[test]
#[ignore = "needs a file of problems"]
fn many_random_problems() {
    let text = std::fs::read_to_string(std::env::var("TOPSIM_TRUTHS").unwrap()).unwrap();
    let found = judge(&text);
    let count = text.lines().count();
    assert!(
        found.is_empty(),
        "{} of {count}\n{}",
        found.len(),
        found.join("\n")
    );
    println!("{count} problems");
}

/// Closed forms with deliberately wrong clocks: a wrong start time, another law, a rotor in the opposite sense.
#[test]
fn wrong_clocks_are_noticed() {
    let text = include_str!("../../tests/data/form_truths.jsonl");
    let mut seen = 0;
    for problem in problems(text) {
        let mut wrong = problem.torque.clone();
        let factor = 1.0 + 1e-6;
        let mut changed = false;
        for key in [
            "linear",
            "quadratic",
            "rate",
            "torque",
            "polynomial",
            "rows",
        ] {
            if let Some(value) = wrong.get_mut(key) {
                changed |= scale(value, factor);
            }
        }
        if !changed {
            continue;
        }
        let other = TruthProblem {
            torque: wrong,
            ..problem
        };
        let form = other.closed_form().unwrap_or_else(|| other.chosen());
        let worst = worst(&other, &*form);
        assert!(
            worst[0] > 1.0 || worst[1] > 1.0,
            "{}: {worst:?}",
            other.family
        );
        seen += 1;
    }
    assert!(seen > 40, "{seen}");
}

/// Multiplies all numbers by a factor; returns whether any of them is not zero.
fn scale(value: &mut serde_json::Value, factor: f64) -> bool {
    match value {
        serde_json::Value::Array(all) => {
            let mut any = false;
            for value in all {
                any |= scale(value, factor);
            }
            any
        }
        number => {
            let x = number.as_f64().unwrap();
            *number = (x * factor).into();
            x != 0.0
        }
    }
}
