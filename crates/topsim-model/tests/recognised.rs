//! Rows of known solvers are explained by their own model, and by no wrong law.

use topsim_core::integration::Parameters;
use topsim_core::integration::registry::{SCHEMES, SchemeFamily};
use topsim_core::math::{Mat3, Random, Vec3, so3};
use topsim_core::models::{AnyTop, Inertia, Model as Body};
use topsim_model::explain::Scope;
use topsim_model::habit::Habit;
use topsim_model::law::LawTerm;
use topsim_model::probe::{Load, Probe, Row, Start};
use topsim_model::stepping::{
    self, Carrier, Kick, Rule, RungeKutta, Span, Stepping, TurnMap, TurnRate,
};
use topsim_model::tableau;
use topsim_model::{
    Change, Equations, Explanation, Found, Model, Motion, Observed, Print, State, StepHistory,
    explain,
};
use wrong_solvers::{Solver, WrongLaw};

/// The asymmetric top of `judge_top`, and the same body without a torque.
fn bodies() -> [Start; 2] {
    let j = Mat3::new(2.2, -0.4, 0.3, -0.4, 3.0, 0.5, 0.3, 0.5, 1.6);
    let top = Start {
        att: so3::exp(&Vec3::new(0.3, -0.8, 0.5)),
        omega: Vec3::new(1.1, -0.7, 1.9),
        inertia: Inertia::new(j).unwrap(),
        load: Load::Gravity {
            weight: 12.0,
            lever: Vec3::new(0.3, -0.2, 0.5),
            up: Vec3::new(0.36, -0.48, 0.8),
        },
    };
    let free = Start {
        load: Load::None,
        ..top.clone()
    };
    [top, free]
}

/// Rows of a scheme of the catalogue, each so many steps after the one before.
fn history(row: usize, body: &Start, step: f64, every: u64, rows: usize) -> Option<StepHistory> {
    let experiment = (SCHEMES[row].bind)(
        &Body::from(AnyTop::from(body.top())),
        &Parameters::default(),
    );
    let experiment = experiment.ok()?;
    let columns = experiment.columns();
    let (r, w) = (columns.position("R11")?, columns.position("W1")?);
    let mut out = Vec::new();
    let counts: Vec<u64> = (0..rows as u64).map(|k| k * every).collect();
    let stops = topsim_core::integration::Stops {
        start: 0.0,
        step,
        counts: &counts,
        displacement: &[],
        wanted: &|| true,
    };
    experiment.follow(&stops, &mut |i, numbers| {
        let y = topsim_core::models::RotState {
            att: Mat3::from_row_slice(&numbers[r..r + 9]),
            omega: Vec3::from_column_slice(&numbers[w..w + 3]),
        };
        out.push(Row::of(counts[i] as f64 * step, &y));
        true
    });
    Some(StepHistory {
        step,
        print: Print::of(&out),
        rows: out,
    })
}

/// Returns the models of rows, with wrong laws where they are wanted.
fn explained(observed: &Observed, laws: bool) -> Explanation {
    explain(
        observed,
        Scope { laws, unit: None },
        &mut |_| false,
        &|| true,
    )
}

/// Returns the history of a solver, each row a step.
fn history_of(solver: &Solver, body: &Start, step: f64, rows: usize) -> StepHistory {
    let rows = solver.rows(&Probe::new(body, step, rows));
    StepHistory {
        step,
        print: Print::of(&rows),
        rows,
    }
}

fn name(rule: &Rule) -> String {
    rule.to_string()
}

/// Names of all models that explain rows, with what is wrong with each.
fn told(e: &Explanation) -> Vec<(String, &[Change])> {
    let of = |f: &Found| name(&f.model.stepping.rule);
    e.found.iter().map(|f| (of(f), &f.model.law[..])).collect()
}

/// Each scheme of rotations names itself from one history, with or without memory, and no law is said to be wrong.
#[test]
fn schemes_of_the_catalogue_are_named_from_one_history() {
    let mut all = 0;
    for body in bodies() {
        for (k, row) in SCHEMES.iter().enumerate() {
            if row.family != SchemeFamily::Rotation {
                continue;
            }
            let history = history(k, &body, 0.01, 4, 40).expect("it serves the body");
            let observed = Observed::new(&body, vec![history]);
            let found = explained(&observed, true);
            let told = told(&found);
            assert!(
                told.iter().any(|t| t.0 == row.info.name),
                "{}: {told:?}",
                row.info.name
            );
            assert!(
                told.iter().all(|t| t.1.is_empty()),
                "{}: {told:?}",
                row.info.name
            );
            all += 1;
        }
    }
    assert_eq!(all, 192);
}

/// Rows of a rule, each two steps after the one before.
fn rows_of(stepping: Stepping, equations: &Equations, step: f64, rows: usize) -> StepHistory {
    let body = equations.start();
    let mut y = State::new(&body.att, body.omega);
    let mut out = Vec::new();
    for k in 0..rows {
        let t = 2.0 * step * k as f64;
        let numbers = y.quat.iter().chain(y.omega.iter()).copied().collect();
        out.push(Row {
            t,
            att: y.attitude(),
            omega: y.omega,
            rate: y.omega,
            rate_in_space: false,
            quaternion: Some(y.quat),
            numbers,
        });
        y = advanced(stepping, equations, step, &y);
    }
    StepHistory {
        step,
        print: Print::of(&out),
        rows: out,
    }
}

/// The state after two steps of a rule.
fn advanced(stepping: Stepping, equations: &Equations, step: f64, from: &State) -> State {
    let span = Span {
        from: 0.0,
        step,
        steps: 2,
    };
    let end = stepping.advance(equations, &Habit::default(), span, from, None);
    end.expect("a state")
}

/// A rule of the families names itself from one history, and every rule that is named with it makes the same steps.
#[test]
fn rules_of_the_families_name_themselves() {
    let [body, _] = bodies();
    let plain = |s: &Stepping| {
        s.substeps == 1
            && match s.rule {
                Rule::Euler { kick, rate, map } => {
                    let seldom = matches!(kick, Kick::SpaceRate | Kick::SpaceMomentum);
                    let own = map as usize > TurnMap::Capped as usize && kick == Kick::Explicit;
                    own || (seldom && (rate == TurnRate::New || map == TurnMap::Sum))
                }
                Rule::RungeKutta(RungeKutta {
                    tableau, carrier, ..
                }) => {
                    tableau.is_implicit() || tableau.name == "RK4" || carrier == Carrier::SpaceRate
                }
                Rule::HalfSteps(_) => true,
                Rule::Word(_)
                | Rule::Slipped { .. }
                | Rule::Remembering(_)
                | Rule::Iterated(_)
                | Rule::Catalogue(_)
                | Rule::Flow => false,
            }
    };
    let step = 0.05;
    let equations = Equations::right(&body);
    let mut all = 0;
    for stepping in Stepping::families().filter(plain) {
        let own = name(&stepping.rule);
        let observed = Observed::new(&body, vec![rows_of(stepping, &equations, step, 24)]);
        let found = explained(&observed, false).found;
        let named = |f: &Found| name(&f.model.stepping.rule) == own;
        assert!(found.iter().any(named), "{own} is not named");
        for y in &observed.histories[0].rows {
            let from = State::new(&y.att, y.omega);
            let exact = advanced(stepping, &equations, step, &from);
            for other in &found {
                let end = advanced(other.model.stepping, &equations, step, &from);
                let off = end.difference(&exact);
                let off = off.turn.norm() + off.rate.norm();
                assert!(
                    off < 1e-12,
                    "{} for {own}",
                    name(&other.model.stepping.rule)
                );
            }
        }
        all += 1;
    }
    assert!(all > 60, "{all}");
}

/// Rules whose steps are known to a tolerance are named with what they leave; a rule of no family is not named.
#[test]
fn rules_with_a_tolerance_are_named_to_it() {
    const TOLERANCE: f64 = 1e-10;
    let [body, _] = bodies();
    let equations = Equations::right(&body);
    let rows = |stepping: Stepping, h: f64| {
        let mut history = rows_of(stepping, &equations, h, 40);
        let mut random = Random::new(7);
        for row in &mut history.rows {
            row.omega += random.vector() * TOLERANCE;
            row.rate = row.omega;
        }
        history
    };
    let explained = |stepping: Stepping| {
        let histories = [0.04, 0.02].map(|h| rows(stepping, h));
        explained(&Observed::new(&body, histories.to_vec()), false)
    };
    let is = |of: &'static str| {
        move |s: &Stepping| match s.rule {
            Rule::RungeKutta(rule) => {
                rule.tableau.name == of && rule.carrier == Carrier::Quaternion && s.substeps == 1
            }
            _ => false,
        }
    };
    for of in ["the implicit midpoint rule", "Heun's rule"] {
        let stepping = Stepping::families().find(is(of)).unwrap();
        let e = explained(stepping);
        assert!(e.found.is_empty(), "{of}: {:?}", told(&e));
        let named = |f: &Found| is(of)(&f.model.stepping);
        assert!(e.nearest.iter().any(named), "{of}");
        assert!(e.nearest.iter().all(|f| f.evidence.left < 10.0 * TOLERANCE));
    }
    // A tableau with an entry of another rule.
    let mut wrong = tableau::find("RK4").unwrap();
    wrong.a[3][2] = 0.9;
    let wrong = Rule::runge_kutta(wrong, Carrier::Quaternion);
    let e = explained(wrong.once());
    assert!(e.found.is_empty() && e.nearest.is_empty());
}

/// A wrong law is named with its number, which no right law explains, under rules of order one and four.
#[test]
fn laws_are_named_with_their_numbers() {
    let laws = [
        (WrongLaw::Torque(1.05), LawTerm::Torque, 0.05),
        (WrongLaw::Gyroscopic(0.0), LawTerm::Gyroscopic, -1.0),
        (WrongLaw::Damping(0.05), LawTerm::Damping, 0.05),
    ];
    let [body, _] = bodies();
    for rule in [
        wrong_solvers::Rule::SemiImplicitEuler,
        wrong_solvers::Rule::Rk4,
    ] {
        for (law, term, added) in laws {
            let solver = Solver::new(&[law], rule);
            let histories = [0.02, 0.01, 0.005].map(|h| history_of(&solver, &body, h, 60));
            let histories = histories.to_vec();
            let observed = Observed::new(&body, histories.clone());
            let right = explained(&observed, false);
            assert!(right.found.is_empty(), "{law:?}: {:?}", told(&right));
            let found = explained(&observed, true);
            let told = told(&found);
            let is = |c: &Change| c.term == term && (c.added[0] - added).abs() < 1e-9;
            assert!(
                matches!(told.first(), Some((_, [change])) if is(change)),
                "{law:?} by {rule:?}: {told:?}"
            );
        }
    }
}

/// Two wrong numbers at once are named, and the damping of a link with three, each with its numbers.
#[test]
fn laws_with_several_numbers_are_named() {
    use LawTerm::{Damping, DampingCentre, DampingQuadratic, Gyroscopic, Torque};
    let rk4 = |s: &Stepping| match s.rule {
        Rule::RungeKutta(rule) => {
            rule.tableau.name == "RK4" && rule.carrier == Carrier::Quaternion && s.substeps == 1
        }
        _ => false,
    };
    let rk4 = Stepping::families().find(rk4).unwrap();
    let euler = stepping::SEMI_IMPLICIT.once();
    let [body, _] = bodies();
    let cases: [(Stepping, &[(LawTerm, f64)]); 2] = [
        (rk4, &[(Gyroscopic, -0.1), (Torque, 0.03)]),
        (
            euler,
            &[
                (Damping, 0.04),
                (DampingQuadratic, 0.04),
                (DampingCentre, 0.3),
            ],
        ),
    ];
    for (stepping, wrong) in cases {
        let change = |(term, added): &(LawTerm, f64)| Change::new(*term, vec![*added]);
        let model = Model {
            law: wrong.iter().map(change).collect(),
            ..Model::right(stepping)
        };
        let equations = model.equations(&body);
        let histories = [0.02, 0.01, 0.005].map(|h| rows_of(stepping, &equations, h, 40));
        let observed = Observed::new(&body, histories.to_vec());
        let found = explained(&observed, true);
        let told = told(&found);
        let is_told = |(term, added): &(LawTerm, f64)| {
            let is = |c: &Change| c.term == *term && (c.added[0] - added).abs() < 1e-8;
            told.first().is_some_and(|t| t.1.iter().any(is))
        };
        assert!(wrong.iter().all(is_told), "{wrong:?}: {told:?}");
    }
}

/// A solver with a tolerance has no steps to name: a wrong law is told by its motion, and nothing is said of a right one.
#[test]
fn a_law_of_a_solver_with_a_tolerance_is_told_by_its_motion() {
    let rule = wrong_solvers::Rule::Adaptive {
        relative: 1e-9,
        absolute: 1e-11,
    };
    let [body, _] = bodies();
    let solver_with = |laws: &[WrongLaw]| {
        let history = history_of(&Solver::new(laws, rule), &body, 0.02, 60);
        explained(&Observed::new(&body, vec![history]), true)
    };
    let right = solver_with(&[]);
    assert!(
        right.found.is_empty()
            && matches!(right.motion, Some((_, Motion::Right | Motion::Unknown(_))))
    );
    let wrong = solver_with(&[WrongLaw::Damping(0.1)]);
    assert!(wrong.found.is_empty(), "{:?}", told(&wrong));
    let Some((_, Motion::Wrong(told))) = wrong.motion else {
        panic!("{:?}", wrong.motion);
    };
    let law = told.law;
    // The law leaves less than a thousandth of the right one's miss, which is all of 0.1: so far its number is known.
    let is = |c: &Change| c.term == LawTerm::Damping && (c.added[0] - 0.1).abs() < 1e-4;
    assert!(matches!(&law[..], [change] if is(change)), "{law:?}");
}

/// The motion over three steps of a solver that no rule of the families has.
fn motion(solver: &Solver) -> Motion {
    let [body, _] = bodies();
    let histories = [0.02, 0.01, 0.005].map(|h| history_of(solver, &body, h, (1.0 / h) as usize));
    let found = explained(&Observed::new(&body, histories.to_vec()), true);
    assert!(found.found.is_empty(), "{solver:?}: {:?}", told(&found));
    found.motion.expect("a ladder").1
}

/// Without a name for the scheme, a right law is right, what is outside the family has no law, and steps of another length are a
/// clock.
#[test]
fn what_is_no_wrong_law_is_told_as_none() {
    use wrong_solvers::{Habit, OutsideLaw, Rule};
    let right = motion(&Solver::new(&[], Rule::Bdf2));
    assert!(matches!(right, Motion::Right), "{right:?}");
    let of = |law| motion(&Solver::new(&[WrongLaw::Outside(law)], Rule::Bdf2));
    for outside in [OutsideLaw::Coupling(0.3), OutsideLaw::TurnCoupling(0.3)] {
        let found = of(outside);
        assert!(
            matches!(found, Motion::Unknown(_)),
            "{outside:?}: {found:?}"
        );
    }
    // A torque that bends at 3 N m is a row of the law.
    let Motion::Wrong(found) = of(OutsideLaw::Soft(3.0)) else {
        panic!("no law");
    };
    let [bent] = &found.law[..] else {
        panic!("{found:?}");
    };
    assert!(bent.term == LawTerm::TorqueSoft, "{found:?}");
    assert!((bent.added[0] - 1.0 / 9.0).abs() < 1e-5, "{found:?}");
    let fixed = Solver {
        habit: Habit::FixedStep(0.003),
        ..Solver::new(&[], Rule::Bdf2)
    };
    let Motion::Clock(times) = motion(&fixed) else {
        panic!("no clock");
    };
    for [step, time] in times {
        assert!((time - 0.003).abs() < 1e-4, "{step}: {time}");
    }
}

/// Of two wrong laws, one of them with exact numbers, each number has its own uncertainty.
#[test]
fn each_number_of_a_law_has_its_uncertainty() {
    let laws = [WrongLaw::UpTransposed, WrongLaw::Damping(0.1)];
    let Motion::Wrong(found) = motion(&Solver::new(&laws, wrong_solvers::Rule::Bdf2)) else {
        panic!("no law");
    };
    let each = |c: &Change| c.errors.len() == c.added.len();
    assert!(found.law.iter().all(each), "{found:?}");
    let damping = found.law.iter().find(|c| c.term == LawTerm::Damping);
    let damping = damping.expect("a damping");
    let ([c], [error]) = (&damping.added[..], &damping.errors[..]) else {
        panic!("{found:?}");
    };
    assert!((c - 0.1).abs() <= *error && *error < 1e-2, "{found:?}");
}
