//! Models as files, and their simulation.

use topsim_core::math::{Vec3, so3};
use topsim_model::habit::{Factor, Habit};
use topsim_model::law::{LawTerm, standard_inertia};
use topsim_model::probe::{Load, Row, Start};
use topsim_model::remembering::{Begun, Remembering, SlopeSum};
use topsim_model::report::{AttitudeForm, Latent, RateFrame, RateUnit};
use topsim_model::stepping::{Carrier, FrozenTerm, Rule, RungeKutta, SEMI_IMPLICIT};
use topsim_model::tableau::{self, Tableau};
use topsim_model::{Change, InvalidModel, Model, Report, State, Stepping};

fn top() -> Start {
    Start {
        att: so3::exp(&Vec3::new(0.3, -0.8, 0.5)),
        omega: Vec3::new(1.1, -0.7, 1.9),
        inertia: standard_inertia(),
        load: Load::Gravity {
            weight: 12.0,
            lever: Vec3::new(0.3, -0.2, 0.5),
            up: Vec3::new(0.36, -0.48, 0.8),
        },
    }
}

fn wrong() -> Model {
    Model {
        law: vec![Change::new(LawTerm::Torque, vec![0.05])],
        habit: Habit {
            factor: Factor::Linear(0.02),
            after: true,
        },
        ..Model::right(SEMI_IMPLICIT.once())
    }
}

#[test]
fn every_rule_is_written_and_read() {
    let catalogue = topsim_core::integration::registry::find("rkmk4").unwrap();
    let others = [Rule::Catalogue(catalogue), Rule::Flow].map(Rule::once);
    let mut edited = tableau::find("RK4").unwrap();
    edited.a[3][2] = 0.9;
    edited.order = edited.conditions_met();
    edited.name = Tableau::unnamed(4).name;
    let held = Rule::RungeKutta(RungeKutta {
        tableau: edited,
        carrier: Carrier::Products,
        held: FrozenTerm::Torque,
    });
    for stepping in Stepping::families().chain(others).chain([held.once()]) {
        let model = Model::right(stepping);
        let text = serde_json::to_string(&model).unwrap();
        let read: Model = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(read.checked().unwrap(), model);
    }
    let text = serde_json::to_string(&wrong()).unwrap();
    assert_eq!(serde_json::from_str::<Model>(&text).unwrap(), wrong());
}

/// The first step of a rule of two slopes is one of the rule that begins it, or Euler's with the first weight for a slope before of zero.
#[test]
fn sums_of_slopes_begin_as_they_say() {
    let first = |rule: Rule| Model::right(rule.once()).run(&top(), (0.0, 0.05), &[1])[0];
    let begun = |begun: Begun| {
        let sum = SlopeSum {
            weights: [1.5, -0.5, 0.0, 0.0],
            begun,
            turns: false,
            renewed: false,
        };
        first(Rule::Remembering(Remembering::Slopes(sum)))
    };
    let by = |name: &str| {
        let tableau = tableau::find(name).unwrap();
        first(Rule::RungeKutta(RungeKutta::plain(
            tableau,
            Carrier::QuaternionOneMinus,
        )))
    };
    assert_eq!(begun(Begun::Heun), by("Heun's rule"));
    assert_eq!(begun(Begun::RungeKutta), by("RK4"));
    let slope = by("explicit Euler").omega - top().omega;
    let zero = begun(Begun::Zero).omega - top().omega;
    assert!((zero - slope * 1.5).norm() < 1e-15 * zero.norm().max(1.0));
}

#[test]
fn models_that_cannot_be_simulated_are_refused() {
    let mut numbers = wrong();
    numbers.law[0].added.push(1.0);
    assert!(matches!(
        numbers.checked(),
        Err(InvalidModel::Numbers { .. })
    ));
    let mut substeps = wrong();
    substeps.stepping.substeps = 0;
    assert_eq!(substeps.checked(), Err(InvalidModel::Substeps(0)));
    let mut columns = wrong();
    columns.report.columns = [0, 1, 1];
    assert_eq!(columns.checked(), Err(InvalidModel::Columns([0, 1, 1])));
    let mut unit = wrong();
    unit.report.unit = RateUnit::Times(0.0);
    assert_eq!(unit.checked(), Err(InvalidModel::Infinite));
    let mut habit = wrong();
    habit.stepping = Rule::Flow.once();
    assert_eq!(habit.checked(), Err(InvalidModel::Habit));
    let unknown = r#"{"stepping": {"rule": {"catalogue": "none"}, "substeps": 1}}"#;
    let said = serde_json::from_str::<Model>(unknown).unwrap_err();
    assert!(
        said.to_string().contains("no scheme has the name `none`"),
        "{said}"
    );
}

/// A row that a form writes is read by it as the state that was written.
#[test]
fn forms_are_read_as_they_are_written() {
    let state = State::new(&top().att, top().omega);
    for scalar_moved in [false, true] {
        for (frame, columns) in [
            (RateFrame::Named, [2, 0, 1]),
            (RateFrame::Space, [0, 1, 2]),
            (RateFrame::Back, [1, 0, 2]),
        ] {
            let form = Report {
                attitude: AttitudeForm {
                    scalar_moved,
                    transposed: !scalar_moved,
                },
                frame,
                unit: RateUnit::Degrees,
                columns,
                signs: [1.0, -1.0, 1.0],
                latent: Latent::None,
            };
            let written = form.written(&state);
            let row = Row {
                t: 0.0,
                att: written.attitude(),
                omega: written.omega,
                rate: written.omega,
                rate_in_space: false,
                quaternion: Some(written.quat),
                numbers: Vec::new(),
            };
            let off = form.read(&row).difference(&state);
            assert!(
                off.turn.norm() + off.rate.norm() < 1e-14,
                "{form:?}: {off:?}"
            );
        }
    }
}

/// A run of many steps is that of one step after the other; a scheme keeps its memory, and rows of another time hold it.
#[test]
fn runs_are_made_of_steps() {
    let body = top();
    let model = wrong();
    let all: Vec<u64> = (0..=20).collect();
    let each = model.run(&body, (0.0, 0.01), &all);
    let some = model.run(&body, (0.0, 0.01), &[0, 7, 20]);
    assert_eq!(each.len(), 21);
    for (y, n) in some.iter().zip([0, 7, 20]) {
        let off = y.difference(&each[n]);
        assert!(off.turn.norm() + off.rate.norm() < 1e-13, "{n}: {off:?}");
    }
    let mut late = model.clone();
    late.report.latent = Latent::RateBefore;
    let late = late.run(&body, (0.0, 0.01), &[0, 7, 20]);
    for (y, n) in late.iter().zip([0, 7, 20_usize]) {
        let off = (y.omega - each[n.saturating_sub(1)].omega).norm();
        assert!(off < 1e-13, "{n}: {off}");
    }
    let row = topsim_core::integration::registry::find("quat_ab2").unwrap();
    let scheme = Model::right(Rule::Catalogue(row).once());
    let each = scheme.run(&body, (0.0, 0.01), &all);
    let end = scheme.run(&body, (0.0, 0.01), &[0, 20]);
    let off = each[20].difference(&end[1]);
    assert!(off.turn.norm() + off.rate.norm() < 1e-13, "{off:?}");
}
