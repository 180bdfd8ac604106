//! Stated errors compared with states of at least 32 digits, which `scripts/reference_truths.py` computes by
//! another method; and tests that these comparisons notice a bound that is too small.

use super::tangent::ChangeSize;
use super::*;
use crate::math::fine::FineMat;
use crate::models::{Constant, Frame, Gravity, Inertia, Interpolation, LoadedGravity, RotState};
use crate::models::{InitialValueProblem, NoTorque, Sin2Pulse, Start, TableTorque, TorqueModel};
use crate::reference::FreeBody;

/// Problem with states known at two times.
struct TruthProblem {
    family: String,
    top: RigidTop<TorqueModel>,
    states: Vec<(f64, [Fine; 12])>,
}

impl TruthProblem {
    fn end(&self) -> f64 {
        self.states.last().unwrap().0
    }
    fn solve(&self, settings: Settings) -> Taylor {
        Taylor::with(settings, &self.top, 0.0, self.end(), &|| true)
            .expect("a recurrence")
            .unwrap()
    }
}

fn vector(numbers: &[f64]) -> Vec3 {
    Vec3::from_column_slice(&numbers[..3])
}

fn start(kind: &str, x: &[f64], omega: Vec3) -> Start {
    let att = match kind {
        "rotation_vector" => FineMat::exp(&[x[0], x[1], x[2]]),
        "quaternion" => FineMat::from_quaternion(&[x[0], x[1], x[2], x[3]]),
        "matrix" => FineMat::nearest_rotation(&Mat3::from_row_slice(x)),
        "euler" => {
            let [a, b, c] = [(2, x[0]), (0, x[1]), (2, x[2])].map(|(i, x)| FineMat::about(i, x));
            a.times(&b).times(&c)
        }
        other => panic!("{other}"),
    };
    let rounded = RotState {
        att: att.rounded(),
        omega,
    };
    Start::new(rounded, att, omega.into())
}

fn read(text: &str) -> Vec<TruthProblem> {
    let blocks = text.split("problem ").skip(1);
    blocks.map(problem).collect()
}

fn problem(block: &str) -> TruthProblem {
    let mut lines = block.lines();
    let (family, j) = lines.next().unwrap().split_once(' ').unwrap();
    let numbers = |text: &str| -> Vec<f64> {
        let words = text.split_whitespace();
        words.filter_map(|word| word.parse().ok()).collect()
    };
    let j = numbers(j);
    let tensor = Mat3::new(j[0], j[1], j[2], j[1], j[3], j[4], j[2], j[4], j[5]);
    let (mut gravity, mut constant, mut torque) = (None, None, None);
    let (mut attitude, mut omega) = (("", Vec::new()), Vec3::zeros());
    let mut states = Vec::new();
    for line in lines {
        let (word, rest) = line.split_once(' ').unwrap();
        let frame = if rest.starts_with("body") {
            Frame::Body
        } else {
            Frame::Space
        };
        let x = numbers(rest);
        match word {
            "gravity" => gravity = Some(Gravity::new(x[0], vector(&x[1..]), vector(&x[4..]))),
            "constant" => {
                let torque = vector(&x);
                constant = Some(Constant { torque, frame });
            }
            "table" => {
                let kind = if rest.contains("linear") {
                    Interpolation::Linear
                } else {
                    Interpolation::Hold
                };
                let rows = x.chunks_exact(4).map(|row| (row[0], vector(&row[1..])));
                torque = Some(TorqueModel::from(
                    TableTorque::new(rows, frame, kind).unwrap(),
                ));
            }
            "sin2" => {
                torque = Some(TorqueModel::from(Sin2Pulse {
                    amplitude: vector(&x),
                    frame,
                    rate: x[3],
                    from: x[4],
                    until: x[5],
                }));
            }
            "rate" => omega = vector(&x),
            "state" => {
                let pair = |k: usize| Fine {
                    hi: x[1 + 2 * k],
                    lo: x[2 + 2 * k],
                };
                states.push((x[0], core::array::from_fn(pair)));
            }
            kind => attitude = (kind, x),
        }
    }
    let torque = match (gravity, constant, torque) {
        (Some(gravity), Some(torque), _) => LoadedGravity { gravity, torque }.into(),
        (Some(gravity), None, _) => gravity.into(),
        (None, Some(constant), _) => constant.into(),
        (None, None, torque) => torque.unwrap_or(NoTorque.into()),
    };
    let start = start(attitude.0, &attitude.1, omega);
    TruthProblem {
        family: family.into(),
        top: RigidTop::new(Inertia::new(tensor).unwrap(), torque, start),
        states,
    }
}

/// Returns the differences in angle and rate of two states that are close to each other.
fn off(found: impl Fn(usize) -> Fine, exact: &[Fine; 12]) -> ChangeSize {
    let square = |k: usize| {
        let d = (found(k) - exact[k]).value();
        d * d
    };
    ChangeSize {
        angle: ((0..9).map(square).sum::<f64>() / 2.0).sqrt(),
        rate: (9..12).map(square).sum::<f64>().sqrt(),
    }
}

/// Returns the errors of attitude and rate, as doubles, relative to the stated errors.
fn of_stated(solution: &Taylor, t: f64, exact: &[Fine; 12]) -> [f64; 2] {
    relative(solution.at(t), solution.error(t), exact)
}

fn relative((att, omega): (Mat3, Vec3), stated: RefError, exact: &[Fine; 12]) -> [f64; 2] {
    let number = |k: usize| match k {
        0..9 => att[(k / 3, k % 3)],
        _ => omega[k - 9],
    };
    let off = off(|k| number(k).into(), exact);
    [off.angle / stated.attitude, off.rate / stated.rate]
}

/// Returns the errors of the closed form of a free body relative to its own stated errors, and these.
fn free_body(p: &TruthProblem, t: f64, exact: &[Fine; 12]) -> Option<([f64; 2], RefError)> {
    let TorqueModel::NoTorque(_) = p.top.torque() else {
        return None;
    };
    let RotState { att, omega } = p.top.initial();
    let body = FreeBody::new(p.top.inertia().tensor(), &att, &omega).unwrap();
    let stated = body.error(t);
    Some((relative(body.at(t), stated, exact), stated))
}

/// Returns the error of the last node, with all its digits, in standard deviations of its covariance.
fn of_deviations(solution: &Taylor, exact: &[Fine; 12]) -> [f64; 2] {
    let solution = &solution.0;
    let node = solution.nodes.last().unwrap();
    let (_, segment) = solution.segments.last().unwrap();
    let rate = segment.inverse.component_mul(&node.state.momentum);
    let rate = solution.axes.apply(&rate);
    let number = |k: usize| match k {
        0..9 => node.att.0[k / 3][k % 3],
        _ => rate.0[k - 9].scaled(solution.units.rate),
    };
    let off = off(number, exact);
    let ChangeSize { angle, rate } = node.deviations;
    [off.angle / angle, off.rate / (rate * solution.units.rate)]
}

fn checked_in() -> Vec<TruthProblem> {
    read(include_str!("truths.txt"))
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// No error exceeds the stated one, also when the digits beyond a double are compared.
#[test]
fn stated_errors_are_bounds_and_sharp() {
    let mut stated = Vec::new();
    for p in checked_in() {
        let solution = p.solve(Settings::STANDARD);
        for (t, exact) in &p.states {
            let closed = free_body(&p, *t, exact).map(|(parts, _)| parts);
            let series = of_stated(&solution, *t, exact);
            for part in series.into_iter().chain(closed.into_iter().flatten()) {
                assert!(part <= 1.0, "{} at {t}: {part}", p.family);
            }
            stated.push(solution.error(*t).attitude / ROUNDING);
        }
        for part in of_deviations(&solution, &p.states.last().unwrap().1) {
            assert!(part <= 16.0, "{}: {part} deviations", p.family);
        }
    }
    // The stated error is at most ten times the rounding of a double, below which no true error counts.
    assert!(median(stated) <= 10.0);
}

/// Deliberate faults of the bound, each of which the test above must notice.
#[test]
fn wrong_bounds_are_noticed() {
    let problems = checked_in();
    let noticed = |settings: Settings| {
        problems.iter().any(|p| {
            let parts = of_deviations(&p.solve(settings), &p.states.last().unwrap().1);
            parts.iter().any(|part| *part > 16.0)
        })
    };
    let standard = Settings::STANDARD;
    assert!(noticed(Settings {
        noise: 1e-3,
        ..standard
    }));
    assert!(noticed(Settings {
        transported: false,
        ..standard
    }));
    // The start rounded to doubles shows in the values, with the size that the floor states.
    let mut unseen = true;
    for p in &problems {
        let rounded = TruthProblem {
            family: p.family.clone(),
            top: RigidTop::new(
                p.top.inertia().clone(),
                p.top.torque().clone(),
                Start::from(**p.top.start()),
            ),
            states: p.states.clone(),
        };
        let solution = rounded.solve(standard);
        let (t, exact) = p.states.last().unwrap();
        unseen &= of_stated(&solution, *t, exact)[0] <= 1.0;
        let node = solution.0.nodes.last().unwrap();
        let floor = solution.start_floor(*t).unwrap().attitude + 16.0 * node.deviations.angle;
        let att = |k: usize| node.att.0[k / 3][k % 3];
        let off = off(|k| if k < 9 { att(k) } else { exact[k] }, exact).angle;
        assert!(
            off <= 4.0 * floor || off > LINEAR,
            "{}: {off} {floor}",
            p.family
        );
    }
    assert!(!unseen, "a rounded start is never noticed");
}

/// Half the steps and another order give values within the sum of the bounds, at the nodes and between them.
#[test]
fn other_steps_and_orders_agree() {
    let standard = Settings::STANDARD;
    for p in checked_in() {
        let a = p.solve(standard);
        for settings in [
            Settings {
                shortened: 0.5,
                ..standard
            },
            Settings {
                order: 36,
                ..standard
            },
        ] {
            let b = p.solve(settings);
            for k in 0..=40 {
                let t = p.end() * f64::from(k) / 40.0;
                let ((ra, wa), (rb, wb)) = (a.at(t), b.at(t));
                let (ea, eb) = (a.error(t), b.error(t));
                let angle = (ra - rb).norm() / 2.0_f64.sqrt();
                assert!(angle <= ea.attitude + eb.attitude, "{} {t}", p.family);
                assert!((wa - wb).norm() <= ea.rate + eb.rate, "{} {t}", p.family);
            }
        }
    }
}

/// Steps whose coefficients were not kept are expanded again and give the same values.
#[test]
fn values_do_not_depend_on_kept_coefficients() {
    for p in checked_in().iter().take(14) {
        let a = p.solve(Settings::STANDARD);
        let mut b = Arc::try_unwrap(p.solve(Settings::STANDARD).0).unwrap();
        b.places.truncate(1);
        for k in 0..100 {
            let t = p.end() * f64::from(k) / 100.0;
            assert_eq!(a.at(t), b.at(t), "{} {t}", p.family);
        }
    }
}

/// Checks the problems in a file, and prints their times: `TRUTHS=file cargo test --release -p topsim-core
/// taylor -- --ignored --nocapture`.
#[test]
#[ignore = "needs a file of problems"]
fn many_random_problems() {
    let text = std::fs::read_to_string(std::env::var("TRUTHS").unwrap()).unwrap();
    let problems = read(&text);
    let (mut sharp, mut times, mut worst, mut above) = (Vec::new(), Vec::new(), [0.0_f64; 2], 0);
    let (mut closed, mut closed_above) = (Vec::new(), 0);
    let mut families: Vec<(String, Vec<f64>)> = Vec::new();
    for p in &problems {
        let begun = std::time::Instant::now();
        let solution = p.solve(Settings::STANDARD);
        let taken = 1e3 * begun.elapsed().as_secs_f64();
        times.push(taken);
        match families.iter_mut().find(|(name, _)| *name == p.family) {
            Some((_, all)) => all.push(taken),
            None => families.push((p.family.clone(), vec![taken])),
        }
        for (t, exact) in &p.states {
            let parts = of_stated(&solution, *t, exact);
            let stated = solution.error(*t).attitude;
            if let Some((parts, own)) = free_body(p, *t, exact) {
                let speed = p.top.initial().omega.norm();
                closed.push([
                    own.attitude / (parts[0] * own.attitude).max(ROUNDING),
                    own.rate / (parts[1] * own.rate).max(ROUNDING * speed),
                ]);
                if parts.iter().any(|part| !(*part <= 1.0)) {
                    closed_above += 1;
                    println!("closed form above: {} {t} {parts:?} {own:?}", p.family);
                }
            }
            sharp.push(stated / (parts[0] * stated).max(ROUNDING));
            if parts.iter().any(|part| !(*part <= 1.0)) {
                above += 1;
                println!("above: {} {t} {parts:?}", p.family);
            }
        }
        let parts = of_deviations(&solution, &p.states.last().unwrap().1);
        worst = [worst[0].max(parts[0]), worst[1].max(parts[1])];
    }
    let most = |x: &[f64]| x.iter().copied().fold(0.0, f64::max);
    println!(
        "{} problems, {above} states above; stated/true median {:.1}, largest {:.1e}; {:.2?} deviations at most; ms median {:.1}, largest {:.1}",
        problems.len(),
        median(sharp.clone()),
        most(&sharp),
        worst,
        median(times.clone()),
        most(&times),
    );
    if !closed.is_empty() {
        let [angles, rates] = [0, 1].map(|i| closed.iter().map(|part| part[i]).collect::<Vec<_>>());
        println!(
            "free bodies: {} states, {closed_above} above; stated/true median {:.1}, {:.1}, largest {:.1e}, {:.1e}",
            closed.len(),
            median(angles.clone()),
            median(rates.clone()),
            most(&angles),
            most(&rates),
        );
    }
    for (name, times) in families {
        println!(
            "{name:14} {:8.2} ms, at most {:8.2}",
            median(times.clone()),
            most(&times)
        );
    }
    assert_eq!((above, closed_above), (0, 0));
}
