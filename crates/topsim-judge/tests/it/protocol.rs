//! The problem that `judge --solver` gives away is complete: the example solver, which knows nothing else, finds
//! the motion of the case again.

use serde_json::Value;
use topsim_case::builtin::BUILTIN;
use topsim_case::{CaseSource, Problem};
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::{AnyTop, Model, RigidTop, RotState, TorqueModel};
use topsim_core::reference::{Numerical, ReferencePlan, Solution};
use topsim_protocol::problem::{NotPosed, PROTOCOL, ProblemChoice, SolverProblem};

#[allow(dead_code)]
#[path = "../../examples/solver.rs"]
pub(super) mod solver;

/// A problem as a solver reads it.
pub(super) fn read(problem: &Value) -> topsim_solver::Problem {
    let data = topsim_solver::Data::read(&problem.to_string()).unwrap();
    topsim_solver::Problem::new(data).unwrap()
}

fn top(model: &Model) -> Option<AnyTop> {
    match model {
        Model::Top(top) => Some(top.clone()),
        Model::Jointed(h) => Some(h.top().clone().into()),
        Model::Reduced(_) | Model::GivenRate(_) => None,
    }
}

/// The case's own reference, or a numerical one.
fn reference(case: &Problem, end: f64) -> Box<dyn Fn(f64) -> RotState + '_> {
    if let ReferencePlan::Ready(reference) = &case.reference {
        let columns = case.plans[0].experiment.columns();
        let r = columns.position("R11").unwrap();
        let w = columns.position("W1").unwrap();
        return Box::new(move |t| {
            let mut row = vec![f64::NAN; columns.width()];
            reference.row(t, &mut row);
            RotState {
                att: Mat3::from_row_slice(&row[r..r + 9]),
                omega: Vec3::from_column_slice(&row[w..w + 3]),
            }
        });
    }
    let any = top(&case.model).unwrap();
    let body = RigidTop::new(any.inertia, any.torque, any.initial);
    let start = case.plans[0].grid.start;
    let solved = Numerical::new(body, start, end).unwrap();
    Box::new(move |t| {
        let (att, omega) = solved.at(t);
        RotState { att, omega }
    })
}

/// Errors of the example's last row against the reference, rad and of the rate's length; the problem may be
/// spoiled first.
fn errors(case: &Problem, spoil: impl Fn(&mut Value)) -> [f64; 2] {
    let top = top(&case.model).unwrap();
    let [start, whole] = [case.plans[0].grid.start, case.end.unwrap()];
    // Some turns; all of it where the torque comes with the time.
    let turns = 40.0 / top.initial.omega.norm().max(1.0);
    let span = match &top.torque {
        TorqueModel::Sin2Pulse(_) | TorqueModel::TableTorque(_) => whole - start,
        _ => turns.min(whole - start),
    };
    let choice = ProblemChoice {
        steps: vec![span / 20_000.0],
        end: Some(start + span),
        ..ProblemChoice::default()
    };
    let posed = SolverProblem::all(case, &choice).unwrap().remove(0);
    let mut problem = serde_json::to_value(&posed).unwrap();
    spoil(&mut problem);
    let mut rows: Vec<(f64, solver::State)> = Vec::new();
    solver::solve(&read(&problem), |t, y| rows.push((t, *y)));
    assert_eq!(rows.len(), posed.times.len());
    let (t, y) = rows.last().unwrap();
    assert_eq!(*t, posed.span()[1]);
    let exact = reference(case, *t)(*t);
    let att = so3::matrix_from_quat(&[y[0], y[1], y[2], y[3]]);
    let rate = (Vec3::new(y[4], y[5], y[6]) - exact.omega).norm();
    [
        so3::angle_between(&att, &exact.att),
        rate / exact.omega.norm().max(1.0),
    ]
}

fn problem(source: &CaseSource) -> Problem {
    Problem::read(source).unwrap_or_else(|e| panic!("{}: {e}", source.name))
}

fn own(torque: &str) -> Problem {
    sampled(torque, 0.1)
}

fn sampled(torque: &str, sample: f64) -> Problem {
    let body = if torque.starts_with("[support]") {
        "mass = 2.0\n"
    } else {
        ""
    };
    problem(&CaseSource {
        name: "own".into(),
        path: "own.toml".into(),
        text: format!(
            "title = \"Own\"\nsummary = \"A full tensor.\"\n[body]\n{body}\
             inertia = [[5.0, 0.3, -0.2], [0.3, 7.0, 0.4], [-0.2, 0.4, 4.0]]\n{torque}\n\
             [initial]\nrotation_vector = [0.3, -0.2, 0.5]\nangular_velocity = [1.0, -2.0, 3.0]\n\
             [run]\nend = 2.0\nsteps = [0.01, 0.005]\nsample = {sample}\nschemes = [\"rig_pos\"]\n"
        ),
    })
}

/// A number of a formula in time.
fn number(f: &Value, t: f64) -> [f64; 2] {
    let list = |key: &str| f[key].as_array().cloned().unwrap_or_default();
    let of = |v: &Value| v.as_f64().unwrap();
    let [mut value, mut slope] = [0.0; 2];
    for (k, c) in (0..).zip(list("polynomial")) {
        value += of(&c) * t.powi(k);
        // t⁰ where k is 0: its factor is 0, and t⁻¹ may be infinite.
        slope += of(&c) * f64::from(k) * t.powi((k - 1).max(0));
    }
    for s in list("sines") {
        let (a, r) = (of(&s["amplitude"]), of(&s["rate"]));
        let x = r * t + of(&s["phase"]);
        value += a * x.sin();
        slope += a * r * x.cos();
    }
    [value, slope]
}

/// W by the formula of its model, from the numbers of the problem alone.
fn rate(function: &Value, t: f64) -> Vec3 {
    let of = |key: &str| function[key].as_f64().unwrap();
    match function["model"].as_str().unwrap() {
        "coning" => {
            let (a, f) = (of("angle"), of("frequency"));
            let (sin, cos) = (f * t).sin_cos();
            Vec3::new(-f * a.sin() * sin, f * a.sin() * cos, -f * (1.0 - a.cos()))
        }
        "product" => {
            let factors = function["factors"].as_array().unwrap();
            factors.iter().fold(Vec3::zeros(), |w, factor| {
                let axis = Vec3::from_fn(|i, _| factor["axis"][i].as_f64().unwrap());
                let [q, slope] = number(&factor["angle"], t);
                so3::exp(&(axis * -q)) * w + axis * slope
            })
        }
        "axes" => Vec3::from_fn(|i, _| number(&function[["x", "y", "z"][i]], t)[0]),
        other => panic!("{other}"),
    }
}

/// Updates of two increments give the motion of the case, and the samples are those of the formula.
fn a_given_rate_is_complete(case: &Problem) {
    let posed = SolverProblem::all(case, &ProblemChoice::default()).unwrap();
    let finest = posed.last().unwrap();
    let p = serde_json::to_value(finest).unwrap();
    assert!(p["body"].is_null() && p["torque"].is_null());
    let vectors = |key: &str| -> Vec<Vec3> {
        let rows = p["rate"][key].as_array().unwrap().iter();
        rows.map(|r| Vec3::from_fn(|i, _| r[i].as_f64().unwrap()))
            .collect()
    };
    let (increments, values) = (vectors("increments"), vectors("values"));
    let interval = p["rate"]["interval"].as_f64().unwrap();
    assert_eq!(values.len(), increments.len() + 1);
    for (k, value) in values.iter().enumerate() {
        let own = rate(&p["rate"]["function"], finest.start + k as f64 * interval);
        assert!(
            (own - value).norm() < 1e-13 * (1.0 + own.norm()),
            "{}",
            case.name
        );
    }
    let mut att = Mat3::from_fn(|i, j| p["initial"]["matrix"][i][j].as_f64().unwrap());
    for pair in increments.chunks_exact(2) {
        att *= so3::exp(&(pair[0] + pair[1] + pair[0].cross(&pair[1]) * (2.0 / 3.0)));
    }
    let computed;
    let end = finest.times[finest.times.len() - 1];
    let reference = match &case.reference {
        ReferencePlan::Ready(reference) => &**reference,
        plan => {
            computed = plan.compute(&|| true).unwrap();
            &*computed
        }
    };
    let mut row = vec![f64::NAN; reference.columns().width()];
    reference.row(end, &mut row);
    let off = so3::angle_between(&att, &Mat3::from_row_slice(&row[..9]));
    assert!(off < 1e-9, "{}: {off}", case.name);
}

#[test]
fn every_builtin_problem_is_complete() {
    let mut seen = 0;
    for b in BUILTIN {
        let case = problem(&b.source());
        if matches!(case.model, Model::GivenRate(_)) {
            a_given_rate_is_complete(&case);
            continue;
        }
        if top(&case.model).is_none() || case.plans.is_empty() {
            let refused = SolverProblem::all(&case, &ProblemChoice::default());
            assert_eq!(refused, Err(NotPosed::NoBody(b.name.into())));
            continue;
        }
        let found = errors(&case, |_| ());
        assert!(found.iter().all(|e| *e < 1e-6), "{}: {found:?}", b.name);
        seen += 1;
    }
    assert!(seen > 30, "{seen}");
}

/// The principal moments and axes of each built-in body rebuild its inertia, about right-handed axes.
#[test]
fn principal_axes_rebuild_the_inertia() {
    for b in BUILTIN {
        let Ok(posed) = SolverProblem::all(&problem(&b.source()), &ProblemChoice::default()) else {
            continue;
        };
        let Some(body) = &posed[0].body else {
            continue;
        };
        let axes = so3::matrix_from_quat(&body.principal.quaternion);
        let inertia = Mat3::from_row_slice(body.inertia.as_flattened());
        let moments = Mat3::from_diagonal(&Vec3::from(body.principal.moments));
        let off = (axes * moments * axes.transpose() - inertia).norm() / inertia.norm();
        assert!(off < 1e-14, "{}: {off:e}", b.name);
        if inertia == Mat3::from_diagonal(&inertia.diagonal()) {
            assert_eq!(
                body.principal.quaternion,
                [1.0, 0.0, 0.0, 0.0],
                "{}",
                b.name
            );
            assert_eq!(moments, inertia, "{}", b.name);
        }
    }
}

const TORQUES: [&str; 6] = [
    "[torque]\nmodel = \"constant\"\ntorque = [1.0, -2.0, 3.0]\nframe = \"body\"",
    "[torque]\nmodel = \"constant\"\ntorque = [1.0, -2.0, 3.0]\nframe = \"space\"",
    "[torque]\nmodel = \"table\"\nframe = \"space\"\ninterpolation = \"linear\"\n\
     rows = [[0.5, 0.0, 0.03, 0.0], [1.0, 0.02, 0.0, 0.05], [1.5, 0.0, 0.04, 0.0]]",
    "[torque]\nmodel = \"table\"\nframe = \"body\"\ninterpolation = \"hold\"\n\
     rows = [[0.5, 0.0, 0.03, 0.0], [1.0, 0.02, 0.0, 0.05], [1.5, 0.0, 0.04, 0.0]]",
    "[support]\njoint = \"spherical\"\nlever = [0.3, -0.2, 0.5]\ngravity = [0.0, 1.0, -9.81]\n\
     force = [1.0, 2.0, 3.0]\ntorque = [1.0, -2.0, 3.0]\nframe = \"space\"",
    "[support]\njoint = \"spherical\"\nlever = [0.3, -0.2, 0.5]\ngravity = [0.0, 1.0, -9.81]\n\
     force = [1.0, 2.0, 3.0]\ntorque = [1.0, -2.0, 3.0]\nframe = \"body\"",
];

#[test]
fn torques_that_no_builtin_case_has_are_complete_too() {
    for torque in TORQUES {
        let found = errors(&own(torque), |_| ());
        assert!(found.iter().all(|e| *e < 1e-6), "{torque}: {found:?}");
    }
}

#[test]
fn a_spoiled_problem_is_another_motion() {
    let spoil = |key: &'static str, value: Value| {
        move |p: &mut Value| {
            let (table, key) = key.split_once('.').unwrap();
            assert!(p[table][key] != value, "{key}");
            p[table][key] = value.clone();
        }
    };
    for (torque, key, value) in [
        (0, "torque.frame", "space".into()),
        (1, "torque.frame", "body".into()),
        (2, "torque.interpolation", "hold".into()),
        (3, "torque.interpolation", "linear".into()),
        (4, "torque.weight", 20.0.into()),
        (5, "torque.frame", "space".into()),
        (
            5,
            "body.inertia",
            serde_json::json!([[5, 0, 0], [0, 7, 0], [0, 0, 4]]),
        ),
    ] {
        let found = errors(&own(TORQUES[torque]), spoil(key, value));
        assert!(found[0] > 1e-4, "{key}: {found:?}");
    }
}

#[test]
fn steps_ends_and_times_are_as_the_case_or_as_asked() {
    let case = own(TORQUES[0]);
    let all = SolverProblem::all(&case, &ProblemChoice::default()).unwrap();
    assert_eq!(
        all.iter().map(|p| p.step).collect::<Vec<_>>(),
        [0.01, 0.005]
    );
    assert_eq!((all[0].protocol, all[0].steps), (PROTOCOL, 200));
    assert_eq!(all[0].times.len(), 21);
    // 0.3 is no multiple of the end: the last step goes beyond it.
    let choice = |steps: &[f64], end| ProblemChoice {
        steps: steps.to_vec(),
        end,
        ..ProblemChoice::default()
    };
    let long = SolverProblem::all(&case, &choice(&[0.3], Some(1.0))).unwrap();
    assert_eq!((long[0].steps, long[0].end), (4, 1.0));
    assert_eq!(long[0].times, [0.0, 0.3, 0.6, 3.0 * 0.3, 1.2]);
    for (steps, end, words) in [
        (&[3.0][..], None, "a step of 3 s"),
        (&[1e-300], None, "a step of"),
        (&[0.1, 0.01, 0.1], None, "0.1 s twice"),
        (&[], Some(3.0), "--end: found 3 s"),
        (&[], Some(0.0), "--end: found 0 s"),
        (&[], Some(f64::NAN), "--end"),
        (&[], Some(0.001), "before the first step"),
    ] {
        let refused = SolverProblem::all(&case, &choice(steps, end)).unwrap_err();
        let text = refused.to_string();
        assert!(text.contains(words) && text.contains("allowed"), "{text}");
    }
    // A given rate has to be summed over each step, and over all of them.
    let turning = |rate: &str, end: &str| {
        problem(&CaseSource {
            name: "turning".into(),
            path: "turning.toml".into(),
            text: format!(
                "title = \"t\"\nsummary = \"s\"\n[rate]\nmodel = \"product\"\n[[rate.factors]]\naxis = [0, 0, 1]\n\
                 angle = {{ polynomial = [0, {rate}] }}\n[run]\nend = {end}\nsteps = [0.002]\nschemes = [\"rotvec_1\"]\n"
            ),
        })
    };
    let case = turning("1e6", "1.0");
    let refused = SolverProblem::all(&case, &choice(&[0.01], None)).unwrap_err();
    let text = refused.to_string();
    assert!(
        text.contains("for which the given rate varies too fast"),
        "{text}"
    );
    assert!(SolverProblem::all(&case, &choice(&[0.004], None)).is_ok());
    let refused = SolverProblem::all(&turning("1e6", "5.0"), &choice(&[], None)).unwrap_err();
    let text = refused.to_string();
    assert!(
        text.contains("up to which the given rate varies by 5e6 rad"),
        "{text}"
    );
    // Where every step is a row, short steps are too many.
    let case = sampled(TORQUES[0], 1e-9);
    let refused = SolverProblem::all(&case, &choice(&[1e-8], None)).unwrap_err();
    assert!(refused.to_string().contains("rows"), "{refused}");
}

#[test]
fn the_stored_schema_is_that_of_the_problem_and_names_its_keys() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/schema/problem.schema.json"
    );
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(*schemars::schema_for!(SolverProblem).as_value(), schema);
    let posed = SolverProblem::all(&own(TORQUES[4]), &ProblemChoice::default()).unwrap();
    let problem = serde_json::to_value(&posed[0]).unwrap();
    let keys = |v: &Value| -> Vec<String> { v.as_object().unwrap().keys().cloned().collect() };
    let defined = |name: &str| schema["$defs"][name]["properties"].clone();
    let mut known = keys(&schema["properties"]);
    // Keys of problems of a given rate, and of several tolerances.
    known.retain(|key| key != "rate" && key != "tolerance");
    assert_eq!(keys(&problem), known);
    let turned = SolverProblem::all(
        &Problem::builtin("coning").unwrap(),
        &ProblemChoice::default(),
    );
    let turned = serde_json::to_value(&turned.unwrap()[0]).unwrap();
    known.retain(|key| key != "body" && key != "torque");
    known.push("rate".into());
    known.sort();
    assert_eq!(keys(&turned), known);
    assert_eq!(keys(&turned["rate"]), keys(&defined("PosedRate")));
    assert_eq!(keys(&problem["body"]), keys(&defined("PosedBody")));
    assert_eq!(keys(&problem["initial"]), keys(&defined("PosedStart")));
    assert_eq!(keys(&problem["joint"]), keys(&defined("Joint")));
    assert_eq!(problem["torque"]["model"], "loaded_gravity");
}
