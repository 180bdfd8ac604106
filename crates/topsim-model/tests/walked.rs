//! Steps that are other ones beyond a limit, from a time on, or each so many steps are told from the others with their
//! numbers, and right solvers have none.

use topsim_core::math::{Mat3, Random, Vec3, so3};
use topsim_core::models::Inertia;
use topsim_model::explain::Scope;
use topsim_model::probe::{Load, Probe, Start, Target};
use topsim_model::walk::{Action, Condition, Quantity};
use topsim_model::{Explanation, Observed, Print, StepHistory, Walk, explain};
use wrong_solvers::{
    CONTROLLED, FIXED, Habit, Measure, Rule, Solver, SolverKind, Sometimes, What, When, draw,
};

/// Rules whose rows are states: what they do next depends on nothing else.
const RULES: [Rule; 10] = [
    Rule::ExplicitEuler,
    Rule::SemiImplicitEuler,
    Rule::QuaternionEuler,
    Rule::SpaceEuler,
    Rule::Heun,
    Rule::Midpoint,
    Rule::Rk4,
    Rule::Rk4RotationVector,
    Rule::Rk4Matrix,
    Rule::Strang,
];

/// Rows of each history.
const ROWS: usize = 80;

/// A solver on a body, with the steps of its histories and the number of steps between two rows of the finest.
struct Drawn {
    solver: Solver,
    body: Start,
    steps: Vec<f64>,
    every: usize,
}

fn body(r: &mut Random, is_top: bool, speed: f64) -> Start {
    let j = Mat3::new(2.2, -0.4, 0.3, -0.4, 3.0, 0.5, 0.3, 0.5, 1.6);
    let lever: Vec3 = r.direction(0.5);
    Start {
        att: so3::exp(&r.direction(2.0)),
        omega: r.direction(speed),
        inertia: Inertia::new(j).unwrap(),
        load: if is_top {
            Load::Gravity {
                weight: 10.0 * (1.0 + r.uniform()) * speed.powi(2) / 4.0,
                lever,
                up: Vec3::new(0.0, 0.0, 1.0),
            }
        } else {
            Load::None
        },
    }
}

impl Drawn {
    fn right(r: &mut Random) -> Self {
        let is_top = r.bits().is_multiple_of(2);
        let speed = 10_f64.powf(2.0 * r.uniform());
        let body = body(r, is_top, speed);
        // Up to a turn of one radian in the coarsest step: some of these runs explode.
        let h = (0.02 + 0.2 * r.uniform()) / speed;
        let steps = if r.bits().is_multiple_of(2) {
            vec![h]
        } else {
            vec![h, 2.0 * h, 4.0 * h]
        };
        let every = [1, 4, 8][(r.bits() % 3) as usize];
        Self {
            solver: draw(SolverKind::Right, r),
            body,
            steps,
            every,
        }
    }

    /// Returns a solver whose steps are other ones on some occasions, so many of them that something can be told.
    fn wrong(r: &mut Random) -> Self {
        loop {
            let mut out = Self::right(r);
            let Self { body, steps, .. } = &out;
            let is_top = !matches!(body.load, Load::None);
            let h = 0.03 * (1.0 + r.uniform()) / body.omega.norm();
            let steps: Vec<f64> = steps.iter().map(|s| h * (s / steps[0])).collect();
            let rule = RULES[(r.bits() % RULES.len() as u64) as usize];
            let right = Solver::new(&[], rule);
            let whole = right.rows(&Probe::new(body, h, ROWS * out.every));
            let measure = match r.bits() % 6 {
                0 => Measure::Rate,
                1 => Measure::Largest,
                2 => Measure::Component((r.bits() % 3) as usize),
                3 => Measure::Turn,
                4 => Measure::Angle,
                _ => Measure::Pitch((r.bits() % 3) as usize),
            };
            let values = whole.iter().map(|row| measure.of(&row.att, &row.omega, h));
            let mut values: Vec<f64> = values.collect();
            values.sort_by(f64::total_cmp);
            let level = values[(values.len() as f64 * (0.3 + 0.4 * r.uniform())) as usize];
            let end = whole.last().unwrap().t;
            let time = end * (0.3 + 0.4 * r.uniform());
            let when = match r.bits() % 8 {
                0 | 1 => When::Each(11 + r.bits() % (ROWS as u64 * out.every as u64 / 5)),
                2 => When::From(time),
                3 => When::Until(time),
                4 => When::Below(measure, level),
                _ => When::Above(measure, level),
            };
            let what = match r.bits() % 5 {
                0 => What::NoGyroscopicTerm,
                1 if is_top => What::NoTorque,
                2 => What::RateTimes(1.0 - 0.5 * r.uniform()),
                3 if matches!(when, When::Each(_)) => What::Restart,
                4 if !matches!(when, When::Each(_)) => What::AttitudeStays,
                _ => continue,
            };
            let factor_each_step = matches!(what, What::RateTimes(_));
            if factor_each_step && !matches!(when, When::Each(_)) {
                // It would bring the rate below any limit at once.
                continue;
            }
            // At a limit of the angle that no step passes, the body stays for ever: nothing else is seen.
            if what == What::AttitudeStays
                && matches!(when, When::Above(Measure::Angle | Measure::Pitch(_), _))
            {
                continue;
            }
            out.steps = steps;
            out.solver = Solver {
                habit: Habit::Sometimes(Sometimes { when, what }),
                ..right
            };
            if out.occasions() {
                return out;
            }
        }
    }

    /// Returns true if the solver's run has steps of both kinds.
    fn occasions(&self) -> bool {
        let Habit::Sometimes(Sometimes { when, .. }) = self.solver.habit else {
            return false;
        };
        let h = self.steps[0];
        let rows = self
            .solver
            .rows(&Probe::new(&self.body, h, ROWS * self.every));
        let holds = |row: &topsim_model::probe::Row| match when {
            When::Above(m, limit) => m.of(&row.att, &row.omega, h) > limit,
            When::Below(m, limit) => m.of(&row.att, &row.omega, h) < limit,
            _ => true,
        };
        let all: Vec<bool> = rows
            .chunks(self.every)
            .map(|c| c.iter().any(holds))
            .collect();
        let n = all.iter().filter(|x| **x).count();
        let changes = all.windows(2).filter(|w| w[0] != w[1]).count();
        matches!(when, When::Each(_) | When::From(_) | When::Until(_))
            || n >= 12 && n + 20 <= all.len() && changes >= 2
    }

    fn explained(&self) -> (Observed, Explanation) {
        let history = |h: &f64| {
            let coarser = (h / self.steps[0]).round() as usize;
            let every = (self.every / coarser).max(1);
            let rows = self.solver.rows(&Probe::new(&self.body, *h, ROWS * every));
            let rows: Vec<_> = rows.into_iter().step_by(every).collect();
            let rows: Vec<_> = rows
                .into_iter()
                .take_while(|r| r.numbers.iter().all(|x| x.is_finite()))
                .collect();
            StepHistory {
                step: *h,
                print: Print::of(&rows),
                rows,
            }
        };
        let observed = Observed::new(&self.body, self.steps.iter().map(history).collect());
        // Other steps are looked for before wrong laws.
        let scope = Scope {
            laws: false,
            unit: None,
        };
        let found = explain(&observed, scope, &mut |_| false, &|| true);
        (observed, found)
    }
}

/// Returns true if a condition is that of a solver, with its number.
fn is(condition: &Condition, when: When, h: f64) -> bool {
    let quantity = |measure: Measure| match measure {
        Measure::Rate => vec![Quantity::Rate],
        Measure::Largest => vec![Quantity::LargestComponent],
        Measure::Component(i) => vec![Quantity::Component(i)],
        // With one step they are one quantity.
        Measure::Turn => vec![Quantity::Turn, Quantity::Rate],
        Measure::Angle => vec![Quantity::Angle],
        Measure::Pitch(i) => vec![Quantity::Elevation(2, i)],
    };
    match (*condition, when) {
        (Condition::EachSteps { period, .. }, When::Each(n)) => period == n,
        (
            Condition::Beyond {
                quantity: Quantity::Time,
                above,
                between: [low, high],
            },
            When::From(t) | When::Until(t),
        ) => above == matches!(when, When::From(_)) && low - h <= t && t <= high + h,
        (
            Condition::Beyond {
                quantity: q,
                above,
                between: [low, high],
            },
            When::Above(m, limit) | When::Below(m, limit),
        ) => {
            let at = if m == Measure::Turn && q == Quantity::Rate {
                limit / h
            } else {
                limit
            };
            above == matches!(when, When::Above(..))
                && quantity(m).contains(&q)
                && low <= at + 1e-9
                && at <= high + 1e-9
        }
        _ => false,
    }
}

/// Returns true if what is done is what a solver does.
fn does(action: &Action, what: What) -> bool {
    match (action, what) {
        (Action::Law(law), What::NoGyroscopicTerm | What::NoTorque) => {
            law.len() == 1 && law[0].values() == [0.0]
        }
        (Action::RateTimes(x), What::RateTimes(y)) => (x - y).abs() < 1e-6,
        (Action::Restart, What::Restart) => true,
        // Until a time, they are the same.
        (Action::AttitudeStays | Action::AttitudeOfStart, What::AttitudeStays) => true,
        _ => false,
    }
}

#[derive(Debug, Default)]
struct Counts {
    named: usize,
    with_rivals: usize,
    wrongly: usize,
    not: usize,
}

fn told(walk: &Walk) -> String {
    format!(
        "{} {:?} {:?} given {} others {} explained {} missed {:.1e}",
        walk.model.stepping,
        walk.conditions,
        walk.action,
        walk.given.len(),
        walk.others.len(),
        walk.explained,
        walk.missed
    )
}

fn wrong_ones(count: usize, seed: u64, asked: bool) -> Counts {
    let mut r = Random::new(seed);
    let mut out = Counts::default();
    for _ in 0..count {
        let drawn = Drawn::wrong(&mut r);
        let Habit::Sometimes(Sometimes { when, what }) = drawn.solver.habit else {
            unreachable!()
        };
        let begun = std::time::Instant::now();
        let (observed, mut found) = drawn.explained();
        let seconds = begun.elapsed().as_secs_f64();
        if let Some(walk) = &mut found.walk
            && asked
        {
            let probes = walk.new_starts(&observed);
            *walk = walk.answered(&observed, &probes, &drawn.solver.answers(&probes));
        }
        let own = |c: &Condition| is(c, when, drawn.steps[0]);
        let (counted, said) = match &found.walk {
            None => (&mut out.not, "nothing".to_owned()),
            Some(walk) => {
                let right = walk.conditions.iter().any(own);
                let action = walk.action.as_ref().is_none_or(|a| does(a, what));
                let counted = match (right && action, walk.conditions.len()) {
                    (false, _) => {
                        println!("WRONGLY");
                        &mut out.wrongly
                    }
                    (true, 1) => &mut out.named,
                    (true, _) => &mut out.with_rivals,
                };
                (counted, told(walk))
            }
        };
        *counted += 1;
        let Drawn {
            solver,
            steps,
            every,
            ..
        } = &drawn;
        println!(
            "{:?} {when:?} {what:?} {steps:?} each {every} {seconds:.1} s: {said}\n",
            solver.rule
        );
    }
    println!("{out:?}");
    out
}

fn right_ones(count: usize, seed: u64) -> usize {
    let mut r = Random::new(seed);
    let mut blamed = 0;
    for n in 0..count {
        let mut drawn = Drawn::right(&mut r);
        if n % 3 == 0 {
            let all: Vec<Rule> = FIXED.into_iter().chain(CONTROLLED).collect();
            drawn.solver.rule = all[(n / 3) % all.len()];
        }
        if let Some(walk) = drawn.explained().1.walk {
            blamed += 1;
            println!("{:?} {:?}: {}", drawn.solver, drawn.steps, told(&walk));
        }
    }
    blamed
}

#[test]
fn other_steps_are_told_with_their_limit_or_period() {
    let found = wrong_ones(40, 3, false);
    assert!(found.wrongly == 0 && found.not <= 4, "{found:?}");
}

/// New starts from the rows of a run tell a time from a limit of the state.
#[test]
fn new_starts_tell_a_time_from_a_limit() {
    let of_files = wrong_ones(16, 8, false);
    let asked = wrong_ones(16, 8, true);
    assert!(asked.wrongly == 0, "{asked:?}");
    assert!(
        asked.with_rivals < of_files.with_rivals,
        "{asked:?} {of_files:?}"
    );
}

#[test]
fn right_solvers_have_no_other_steps() {
    assert_eq!(right_ones(40, 4), 0);
}

/// `cargo test -p topsim-model --test walked -- --ignored --nocapture` prints what is told of each.
#[test]
#[ignore = "minutes"]
fn many_are_told() {
    let found = wrong_ones(400, 5, true);
    assert!(found.wrongly <= 4 && found.not <= 20, "{found:?}");
}

#[test]
#[ignore = "minutes"]
fn many_right_solvers_have_no_other_steps() {
    assert_eq!(right_ones(400, 6), 0);
}
