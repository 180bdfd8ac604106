//! Right schemes on rods, plates, needles and nearly spherical bodies, full and diagonal, with torques of all kinds: none is accused.

use std::collections::BTreeMap;
use topsim_case::CaseSource;
use topsim_core::math::{Mat3, Random, Vec3, so3};
use topsim_core::schemes::{ExactStrang, LieMidImp, QuatRk4, Rkmk4, Trapezoidal};
use topsim_judge::{Outcome, Problem, RotState, RotationProblem, Trial};

/// Bodies of a run without `TOPSIM_BODIES`; `TOPSIM_BODIES=252` takes some minutes in the release profile.
const BODIES: usize = 6;
/// Steps in a turn of one radian of the start.
const STEPS: f64 = 100.0;

fn log_between(r: &mut Random, [least, most]: [f64; 2]) -> f64 {
    (least.ln() + (most / least).ln() * r.uniform()).exp()
}

/// Returns principal moments of a body that there is: none is larger than the sum of the others.
fn moments(r: &mut Random, kind: usize) -> Vec3 {
    let part = 2.0 * r.uniform() - 1.0;
    match kind % 4 {
        // A rod or a needle.
        0 => {
            let thin = log_between(r, [1e-8, 0.3]);
            Vec3::new(1.0, 1.0 + 0.9 * part * thin, thin)
        }
        // A plate: the largest moment is nearly the sum.
        1 => {
            let wide = 0.2 + 0.8 * r.uniform();
            let thick = log_between(r, [1e-8, 0.1]);
            Vec3::new(1.0, wide, (1.0 + wide) * (1.0 - thick))
        }
        // A blade: a plate that is narrow.
        2 => {
            let narrow = log_between(r, [1e-8, 0.1]);
            Vec3::new(1.0, 1.0 + 0.99 * narrow, narrow)
        }
        _ => {
            let gap = log_between(r, [1e-12, 1e-2]);
            Vec3::new(1.0, 1.0 + gap * part, 1.0 + gap)
        }
    }
}

fn row(v: &Vec3) -> String {
    format!("[{:?}, {:?}, {:?}]", v.x, v.y, v.z)
}

/// Returns the text of a case, with the name of its torque.
fn case(r: &mut Random, n: usize) -> (String, &'static str) {
    let moments = moments(r, n);
    let scale = log_between(r, [1e-6, 1e3]);
    let mut tensor = Mat3::from_diagonal(&(moments * scale));
    if r.uniform() < 0.6 {
        let axes = r.rotation();
        tensor = axes * tensor * axes.transpose();
        tensor = (tensor + tensor.transpose()) * 0.5;
    }
    let rate = log_between(r, [0.1, 10.0]);
    let omega = r.vector() * rate;
    let speed = omega.norm();
    // Torques that change the rate by about itself within the run.
    let size = scale * moments.min() * speed * speed;
    let (name, torque) = match n / 4 % 4 {
        0 => ("none", String::new()),
        1 => (
            "damping",
            format!(
                "[torque]\nmodel = \"damping\"\nlinear = {:?}\n",
                0.3 * speed
            ),
        ),
        2 => (
            "gravity",
            format!(
                "[torque]\nmodel = \"gravity\"\nweight = {:?}\nlever = {}\n",
                size,
                row(&r.vector())
            ),
        ),
        _ => (
            "in_time",
            format!(
                "[torque]\nmodel = \"in_time\"\npolynomial = [{}, {}]\nframe = \"body\"\n",
                row(&(r.vector() * size)),
                row(&(r.vector() * (size * speed)))
            ),
        ),
    };
    let step = 1.0 / (STEPS * speed);
    let reference = match name {
        "none" | "damping" => "",
        _ => "kind = \"numerical\"\n",
    };
    let rows: Vec<String> = (0..3).map(|i| row(&tensor.row(i).transpose())).collect();
    let text = format!(
        "title = \"Drawn\"\nsummary = \"A drawn body.\"\n[body]\ninertia = [{}]\n{torque}[initial]\nrotation_vector = {}\n\
         angular_velocity = {}\n[run]\nend = {:?}\nsteps = [{:?}, {:?}, {:?}, {step:?}]\nsample = {:?}\nschemes = [\"rkmk4\"]\n\
         [reference]\n{reference}",
        rows.join(", "),
        row(&r.vector()),
        row(&omega),
        step * 400.0,
        step * 8.0,
        step * 4.0,
        step * 2.0,
        step * 8.0,
    );
    (text, name)
}

fn trial(text: &str) -> Trial {
    let source = CaseSource {
        name: "drawn".into(),
        path: "drawn.toml".into(),
        text: text.into(),
    };
    Trial::new(Problem::read(&source).unwrap_or_else(|e| panic!("{e}\n{text}")))
}

/// The explicit midpoint rule with a part of the torque.
fn weak(part: f64) -> impl FnMut(&RotationProblem, f64, f64, &mut RotState) {
    move |p, t, h, y| {
        let slope = |t: f64, y: &RotState| {
            let gyroscopic = p.momentum(&y.omega).cross(&y.omega);
            p.rate(&(gyroscopic + p.torque_on(t, y) * part))
        };
        let half = RotState {
            att: y.att * so3::exp(&(y.omega * (0.5 * h))),
            omega: y.omega + slope(t, y) * (0.5 * h),
        };
        y.omega += slope(t + 0.5 * h, &half) * h;
        y.att *= so3::exp(&(half.omega * h));
    }
}

/// Returns drawn cases, each with the name of its torque.
fn cases() -> impl Iterator<Item = (usize, String, &'static str)> {
    let number =
        |name: &str, usual: usize| std::env::var(name).map_or(usual, |n| n.parse().unwrap());
    let mut r = Random::new(number("TOPSIM_SEED", 1) as u64);
    (0..number("TOPSIM_BODIES", BODIES)).map(move |n| {
        let (text, torque) = case(&mut r, n);
        (n, text, torque)
    })
}

#[test]
fn right_schemes_on_slender_bodies_are_not_accused() {
    let mut sums = BTreeMap::new();
    let mut accused = Vec::new();
    for (n, text, torque) in cases() {
        let trial = trial(&text);
        let report = match n % 5 {
            0 => trial.scheme(&Rkmk4 {}),
            1 => trial.scheme(&QuatRk4 {}),
            2 => trial.scheme(&LieMidImp::default()),
            3 => trial.scheme(&Trapezoidal::default()),
            _ if torque == "damping" => trial.scheme(&Rkmk4 {}),
            _ => trial.scheme(&ExactStrang {}),
        };
        let report = report.unwrap_or_else(|e| panic!("{e}\n{text}"));
        let outcome = report.outcome();
        *sums.entry(format!("{outcome:?}")).or_insert(0) += 1;
        // A scheme may refuse steps of a body that turns too far in them.
        if outcome == Outcome::Failed {
            accused.push(format!(
                "body {n}, {torque}, scheme {}:\n{text}\n{report}",
                n % 5
            ));
        }
    }
    println!("{sums:?}");
    assert!(accused.is_empty(), "{}", accused.join("\n\n"));
}

#[test]
fn wrong_torques_on_slender_bodies_are_found() {
    let mut sums = BTreeMap::new();
    let mut passed = Vec::new();
    for (n, text, torque) in cases() {
        if torque == "none" {
            continue;
        }
        let report = trial(&text).stepper(weak(0.9)).unwrap();
        let outcome = report.outcome();
        *sums.entry(format!("{outcome:?}")).or_insert(0) += 1;
        if outcome != Outcome::Failed {
            passed.push(format!("body {n}, {torque}:\n{text}\n{report}"));
        }
    }
    println!("{sums:?}");
    assert!(passed.is_empty(), "{}", passed.join("\n\n"));
}
