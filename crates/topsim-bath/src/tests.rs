//! Right samplers pass, and for each kind of statistic a wrong one fails.

use crate::judge::LawJudge;
use crate::run::start;
use crate::schemes::turn;
use crate::*;
use topsim_core::math::{Mat3, Random, Vec3, scalar, so3};
use topsim_core::verdict::Status;

/// An asymmetric rotor with a dipole along no principal axis, x = 2.
const ROTOR: &str = "
    [rotor]
    inertia = [[1.2, 0.2, -0.1], [0.2, 1.7, 0.15], [-0.1, 0.15, 2.3]]
    thermal_energy = 1.0
    friction = 3.0
    dipole = [0.6, 0.0, 0.8]
    field = [0.0, 1.2, 1.6]
    ";

fn setup(run: &str) -> BathSetup {
    BathSetup::read("rotor.toml", &format!("{run}\n{ROTOR}")).unwrap()
}

fn scheme(name: &str) -> BathScheme {
    *BATH_SCHEMES.iter().find(|s| s.name == name).unwrap()
}

/// Judges samples drawn by a function.
fn judge(setup: &BathSetup, samples: u64, mut draw: impl FnMut() -> RotorSample) -> LawReport {
    let mut judge = LawJudge::new(&setup.rotor);
    (0..samples).for_each(|_| judge.add(&draw()));
    judge.report(setup.judge.bias)
}

fn failed(report: &LawReport) -> Vec<BathStatistic> {
    let failed = report
        .findings
        .iter()
        .filter(|f| f.status == Status::Failed);
    failed.map(|f| f.statistic).collect()
}

/// Draws an independent sample of the law, with the strength of the field multiplied by `stronger`.
fn draw(rotor: &BathRotor, stronger: f64, random: &mut Random) -> RotorSample {
    let mut sample = start(rotor, random);
    let Some(c) = rotor.coupling else {
        return sample;
    };
    let x = stronger * rotor.strength();
    // The distribution of cos θ inverted: ∫ exp(x c) dc.
    let u = random.uniform();
    let cosine = 1.0 + scalar::ln(u + (1.0 - u) * scalar::exp(-2.0 * x)) / x;
    let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
    let about = |angle: f64| so3::exp(&Vec3::new(0.0, 0.0, angle));
    let whole = core::f64::consts::TAU;
    let tilt = Mat3::new(cosine, 0.0, sine, 0.0, 1.0, 0.0, -sine, 0.0, cosine);
    let seen = about(whole * random.uniform()) * tilt * about(whole * random.uniform());
    let frame = |v: Vec3| so3::frame_with_third(&v.normalize());
    sample.attitude = frame(c.field) * seen * frame(c.dipole).transpose();
    sample
}

#[test]
fn independent_samples_of_the_law_pass() {
    let setup = setup("");
    let mut random = Random::new(7);
    let report = judge(&setup, 200_000, || draw(&setup.rotor, 1.0, &mut random));
    assert_eq!(report.status, Status::Passed, "{:?}", failed(&report));
    let mut few = Random::new(8);
    let report = judge(&setup, 20_000, || draw(&setup.rotor, 1.0, &mut few));
    assert_eq!(report.status, Status::Undecided);
}

#[test]
fn a_rotor_without_a_field_has_a_uniform_attitude() {
    let text = "[rotor]\ninertia = [1.0, 1.5, 2.0]\nthermal_energy = 2.0\nfriction = 1.0\n";
    let setup = BathSetup::read("rotor.toml", text).unwrap();
    let mut random = Random::new(3);
    let report = judge(&setup, 200_000, || start(&setup.rotor, &mut random));
    assert_eq!(report.status, Status::Passed);
    for f in &report.findings {
        if let BathStatistic::AttitudeSquare(..) = f.statistic {
            assert!((f.exact - 1.0 / 3.0).abs() < 1e-15);
        }
    }
}

/// For each kind of statistic, a wrong sampler that it finds.
#[test]
fn each_statistic_fails_on_a_wrong_sampler() {
    let setup = setup("");
    let rotor = &setup.rotor;
    let spread = (rotor.moments * rotor.thermal_energy).map(f64::sqrt);
    let law = CanonicalLaw::new(rotor);
    type Wrong<'a> = Box<dyn Fn(&mut RotorSample, &mut Random) + 'a>;
    let cosine = |s: &RotorSample| law.values(s)[12 + 8] - law.exact(BathStatistic::Attitude(3, 3));
    let torque = |s: &RotorSample| rotor.torque(&s.attitude) / rotor.strength();
    let mut table: Vec<(BathStatistic, Wrong)> = Vec::new();
    for i in 0..3 {
        let j = (i + 1) % 3;
        table.push((
            BathStatistic::Momentum(i + 1),
            Box::new(move |s, _| s.momentum[i] += 0.08 * spread[i]),
        ));
        table.push((
            BathStatistic::Temperature(i + 1),
            Box::new(move |s, _| s.momentum[i] *= 1.05),
        ));
        // Uniform numbers for normal ones.
        table.push((
            BathStatistic::Fourth(i + 1),
            Box::new(move |s, random| {
                s.momentum[i] = spread[i] * 12.0_f64.sqrt() * (random.uniform() - 0.5);
            }),
        ));
        table.push((
            BathStatistic::Cross(i + 1, j + 1),
            Box::new(move |s, _| {
                let other = s.momentum[j] / spread[j];
                s.momentum[i] += 0.08 * spread[i] * other;
            }),
        ));
        table.push((
            BathStatistic::MomentumByAngle(i + 1),
            Box::new(move |s, _| s.momentum[i] += 0.2 * spread[i] * cosine(s)),
        ));
        table.push((
            BathStatistic::HeatByAngle(i + 1),
            Box::new(move |s, _| s.momentum[i] *= 1.0 + 0.2 * cosine(s)),
        ));
        table.push((
            BathStatistic::MomentumByTorque(i + 1),
            Box::new(move |s, _| s.momentum[i] += 0.3 * spread[i] * torque(s)[i]),
        ));
    }
    for (statistic, wrong) in &table {
        let mut random = Random::new(11);
        let report = judge(&setup, 40_000, || {
            let mut sample = draw(rotor, 1.0, &mut random);
            wrong(&mut sample, &mut random);
            sample
        });
        let failed = failed(&report);
        let same = |s: &BathStatistic| match (s, statistic) {
            (BathStatistic::Cross(a, b), BathStatistic::Cross(c, d)) => {
                (a, b) == (c, d) || (b, a) == (c, d)
            }
            _ => s == statistic,
        };
        assert!(failed.iter().any(same), "{statistic:?}: {failed:?}");
    }
    // An axis that is 3 % hot.
    let mut random = Random::new(13);
    let report = judge(&setup, 250_000, || {
        let mut sample = draw(rotor, 1.0, &mut random);
        sample.momentum.z *= 1.03_f64.sqrt();
        sample
    });
    assert_eq!(failed(&report), [BathStatistic::Temperature(3)]);
    // A field that is a fifth too strong shows in cos θ and its square; attitudes that a small turn in space follows show in the other entries.
    let mut random = Random::new(12);
    let report = judge(&setup, 40_000, || draw(rotor, 1.2, &mut random));
    let found = failed(&report);
    assert!(found.contains(&BathStatistic::Attitude(3, 3)), "{found:?}");
    assert!(
        found.contains(&BathStatistic::AttitudeSquare(3, 3)),
        "{found:?}"
    );
    let turned = so3::exp(&Vec3::new(0.3, 0.2, 0.1));
    let report = judge(&setup, 40_000, || {
        let mut sample = draw(rotor, 1.0, &mut random);
        sample.attitude = turned * sample.attitude * turned;
        sample
    });
    let found = failed(&report);
    for (i, j) in [(1, 3), (2, 3), (3, 1), (3, 2)] {
        let statistic = BathStatistic::Attitude(i, j);
        assert!(found.contains(&statistic), "{statistic:?}: {found:?}");
    }
    // A body that turns about one axis only.
    let report = judge(&setup, 40_000, || {
        let mut sample = draw(rotor, 1.0, &mut random);
        sample.attitude = so3::exp(&Vec3::new(0.0, 0.0, random.normal()));
        sample
    });
    let found = failed(&report);
    let entries = (1..=3).flat_map(|i| (1..=3).map(move |j| (i, j)));
    for (i, j) in entries {
        let statistic = [
            BathStatistic::Attitude(i, j),
            BathStatistic::AttitudeSquare(i, j),
        ];
        assert!(
            statistic.iter().any(|s| found.contains(s)),
            "{i} {j}: {found:?}"
        );
    }
}

/// Makes a step of a wrong scheme; the numbers are its rotor, its step and what its bath keeps.
type WrongStep = fn(&BathRotor, f64, &mut RotorSample, &mut Random);

/// Makes a step of `langevin_c` with another torque and another noise.
fn changed(
    rotor: &BathRotor,
    h: f64,
    state: &mut RotorSample,
    torque: impl Fn(&Mat3) -> Vec3,
    noise: Vec3,
) {
    let half = |state: &mut RotorSample| {
        for (axis, part) in [(2, 0.25), (1, 0.25), (0, 0.5), (1, 0.25), (2, 0.25)] {
            turn(
                state,
                axis,
                part * h * state.momentum[axis] / rotor.moments[axis],
            );
        }
    };
    state.momentum += torque(&state.attitude) * (0.5 * h);
    half(state);
    let keep = rotor.rates().map(|r| scalar::exp(-r * h));
    let spread = (rotor.moments * rotor.thermal_energy).map(f64::sqrt);
    let share = keep.map(|k| (1.0 - k * k).sqrt());
    state.momentum = keep.component_mul(&state.momentum);
    state.momentum += spread.component_mul(&share).component_mul(&noise);
    half(state);
    state.momentum += torque(&state.attitude) * (0.5 * h);
}

/// Makes a step with the third axis 3 % hot.
fn hot(rotor: &BathRotor, h: f64, state: &mut RotorSample, random: &mut Random) {
    let mut noise = random.vector();
    noise.z *= 1.03_f64.sqrt();
    changed(rotor, h, state, |a| rotor.torque(a), noise);
}

/// Makes a step with the torque in space taken for that in the body.
fn wrong_frame(rotor: &BathRotor, h: f64, state: &mut RotorSample, random: &mut Random) {
    let torque = |a: &Mat3| a * rotor.torque(a);
    changed(rotor, h, state, torque, random.vector());
}

/// Makes a step with friction and √2 too little noise.
fn cold(rotor: &BathRotor, h: f64, state: &mut RotorSample, random: &mut Random) {
    let noise = random.vector() * core::f64::consts::FRAC_1_SQRT_2;
    changed(rotor, h, state, |a| rotor.torque(a), noise);
}

/// Makes a step with uniform numbers of the right variance for normal ones.
fn uniform(rotor: &BathRotor, h: f64, state: &mut RotorSample, random: &mut Random) {
    let noise = [(); 3].map(|()| 12.0_f64.sqrt() * (random.uniform() - 0.5));
    changed(rotor, h, state, |a| rotor.torque(a), Vec3::from(noise));
}

/// Makes a step of Euler and Maruyama, with the attitude turned by the rate at the beginning.
fn euler_maruyama(rotor: &BathRotor, h: f64, state: &mut RotorSample, random: &mut Random) {
    let rate = state.momentum.component_div(&rotor.moments);
    let (rates, noise) = (rotor.rates(), random.vector());
    let spread = (rates * (2.0 * h * rotor.thermal_energy)).component_mul(&rotor.moments);
    let drift = state.momentum.cross(&rate) + rotor.torque(&state.attitude);
    let drift = drift - rates.component_mul(&state.momentum);
    state.attitude *= so3::exp(&(rate * h));
    state.momentum += drift * h + spread.map(f64::sqrt).component_mul(&noise);
}

/// Runs a wrong scheme.
fn run_wrong(setup: &BathSetup, step: WrongStep, h: f64, stride: u64, samples: u64) -> LawReport {
    let mut random = Random::new(5);
    let mut state = start(&setup.rotor, &mut random);
    for _ in 0..200 * stride {
        step(&setup.rotor, h, &mut state, &mut random);
    }
    judge(setup, samples, || {
        for _ in 0..stride {
            step(&setup.rotor, h, &mut state, &mut random);
        }
        state
    })
}

/// Returns a rotor whose samples are soon independent.
fn strongly_damped() -> BathSetup {
    let text = ROTOR.replace("friction = 3.0", "friction = 12.0");
    BathSetup::read("rotor.toml", &text).unwrap()
}

/// Returns the largest difference in standard errors.
fn worst(report: &LawReport, of: fn(BathStatistic) -> bool) -> f64 {
    let found = report.findings.iter().filter(|f| of(f.statistic));
    found.filter_map(BathFinding::sigmas).fold(0.0, f64::max)
}

fn any(_: BathStatistic) -> bool {
    true
}

#[test]
fn wrong_schemes_are_found_beyond_five_sigma() {
    let setup = strongly_damped();
    for (wrong, name, samples) in [
        (cold as WrongStep, "noise", 20_000),
        (wrong_frame, "frame", 20_000),
        (euler_maruyama, "Euler", 20_000),
        (hot, "hot", 400_000),
    ] {
        let report = run_wrong(&setup, wrong, 0.1, 3, samples);
        assert_eq!(report.status, Status::Failed, "{name}");
        assert!(worst(&report, any) > 5.0, "{name}");
    }
}

/// Runs of the schemes that a file asks for.
fn runs(setup: &BathSetup) -> Vec<BathRun> {
    let jobs = bath_jobs(setup);
    jobs.iter()
        .filter_map(|job| run_job(setup, job, &|| true))
        .collect()
}

#[test]
fn the_schemes_have_the_law_and_their_order() {
    let run = "run = { steps = [0.6, 0.4], interval = 1.2, samples = 60000, burn_in = 24 }";
    let runs = runs(&setup(run));
    let orders = bath_orders(&runs);
    assert_eq!(orders.len(), 3);
    for order in &orders {
        let (_, low, high) = order.fitted.unwrap();
        assert!(low < high && order.status != Status::Failed, "{order:?}");
    }
    let text = document::Markup::render(&document::Markdown, &measured(&runs, &orders));
    assert!(
        text.contains("langevin_c") && text.contains("weak order"),
        "{text}"
    );
}

/// Euler and Maruyama's rule has a bias of order one, and the claim of order two fails.
#[test]
fn a_bias_of_order_one_is_found() {
    let setup = strongly_damped();
    let run = |step: f64, stride: u64| BathRun {
        scheme: scheme("langevin_c"),
        step,
        law: run_wrong(&setup, euler_maruyama, step, stride, 50_000),
    };
    let orders = bath_orders(&[run(0.04, 8), run(0.02, 16), run(0.01, 32)]);
    assert_eq!(orders[0].status, Status::Failed, "{orders:?}");
    let (best, low, high) = orders[0].fitted.unwrap();
    assert!(low > 0.5 && best < 1.4 && high < 1.75, "{orders:?}");
}

/// Uniform noise of the right variance, as some codes draw it, leaves the temperatures right and the momenta not Gaussian.
#[test]
fn uniform_noise_shows_in_the_fourth_moment_alone() {
    let setup = setup("");
    let report = run_wrong(&setup, uniform, 0.2, 4, 100_000);
    let fourth = |s: BathStatistic| matches!(s, BathStatistic::Fourth(_));
    let heat = |s: BathStatistic| matches!(s, BathStatistic::Temperature(_));
    assert!(worst(&report, fourth) > 5.0 && worst(&report, heat) < 5.0);
}

/// Judges 200 seeds of each scheme: none fails, and none is too short.
#[test]
#[ignore = "minutes: 600 runs of 3 million steps"]
fn right_schemes_pass_with_200_seeds() {
    let passed = |scheme: &BathScheme| {
        let mut passed = 0;
        for seed in 1..=200 {
            let run = format!(
                "run = {{ steps = [0.3, 0.125], interval = 1.5, samples = 250000, burn_in = 24, seed = {seed} }}"
            );
            let setup = setup(&run);
            let jobs = bath_jobs(&setup);
            let job = jobs.iter().find(|j| j.scheme == *scheme && j.step == 0.125);
            let run = run_job(&setup, job.unwrap(), &|| true);
            let law = run.unwrap().law;
            let odd = law.findings.iter().filter(|f| f.status != Status::Passed);
            odd.for_each(|f| println!("seed {seed} {}: {f:?}", scheme.name));
            passed += u32::from(law.status == Status::Passed);
            println!("{}: {passed} of {seed}", scheme.name);
        }
        passed
    };
    let counts = std::thread::scope(|scope| {
        let all = BATH_SCHEMES.each_ref();
        let all = all.map(|scheme| scope.spawn(|| passed(scheme)));
        all.map(|thread| thread.join().unwrap())
    });
    assert_eq!(counts, [200, 200, 200]);
}

#[test]
fn right_schemes_pass_with_some_seeds() {
    for seed in 1..=2 {
        let run = format!(
            "run = {{ steps = [0.1, 0.05], interval = 0.9, samples = 10000, burn_in = 24, seed = {seed} }}"
        );
        for run in runs(&setup(&run)) {
            assert_ne!(run.law.status, Status::Failed, "{:?}", failed(&run.law));
        }
    }
}

/// Samples as text are judged as they are in memory, in all four forms.
#[test]
fn samples_are_read_in_all_forms() {
    let setup = setup("");
    let rotor = &setup.rotor;
    let mut random = Random::new(1);
    let samples: Vec<RotorSample> = (0..2000).map(|_| draw(rotor, 1.0, &mut random)).collect();
    let mut direct = LawJudge::new(rotor);
    samples.iter().for_each(|s| direct.add(s));
    let direct = direct.report(0.005);
    for (quaternion, rate) in [(true, true), (true, false), (false, true), (false, false)] {
        let mut text = String::from(if quaternion {
            "t,q0,q1,q2,q3"
        } else {
            "R11,R12,R13,R21,R22,R23,R31,R32,R33"
        });
        text += if rate {
            ",W1,W2,W3\n"
        } else {
            ",L1, L2,L3\n# a remark\n\n"
        };
        for s in &samples {
            let attitude = s.attitude * rotor.axes.transpose();
            let momentum = rotor.axes * s.momentum;
            let mut numbers: Vec<f64> = match quaternion {
                true => [0.5]
                    .into_iter()
                    .chain(so3::quat_from_matrix(&attitude))
                    .collect(),
                false => so3::rows(&attitude).to_vec(),
            };
            let v = if rate {
                rotor.inertia.solve(&momentum)
            } else {
                momentum
            };
            numbers.extend([v.x, v.y, v.z]);
            let words: Vec<String> = numbers.iter().map(|x| format!("{x:?}")).collect();
            text += &(words.join(",") + "\n");
        }
        let mut read = LawJudge::new(rotor);
        add_samples(rotor, &mut text.as_bytes(), &mut read).unwrap();
        for (a, b) in direct.findings.iter().zip(&read.report(0.005).findings) {
            assert!((a.measured - b.measured).abs() < 1e-12);
        }
    }
}

#[test]
fn wrong_samples_are_told_with_line_and_what_is_allowed() {
    let setup = setup("");
    let head = "q0,q1,q2,q3,L1,L2,L3\n";
    for (text, said) in [
        ("", "line 1: found no header; allowed: a header, and rows"),
        (head, "line 2: found no row"),
        (
            "x,y\n",
            "line 1: found the column `x`; allowed: `q0,q1,q2,q3`",
        ),
        (
            "q0,q1,q2,q3,L1,L2\n",
            "line 1: found the columns `q0,q1,q2,q3,L1,L2`",
        ),
        ("q0,q0\n", "found the column `q0` twice"),
        (
            &format!("{head}1,0,0,0,1,2,x\n"),
            "line 2: found `x`; allowed: a finite number",
        ),
        (&format!("{head}1,0,0,0,1,2,nan\n"), "line 2: found `nan`"),
        (
            &format!("{head}1,0,0,0,1,2\n"),
            "line 2: found 6 numbers; allowed: 7",
        ),
        (
            &format!("{head}1,1,0,0,1,2,3\n"),
            "line 2: found a quaternion of length 1.41",
        ),
        (
            "R11,R12,R13,R21,R22,R23,R31,R32,R33,W1,W2,W3\n1,0,0,0,1,0,0,0,-1,0,0,0\n",
            "no rotation",
        ),
    ] {
        let mut judge = LawJudge::new(&setup.rotor);
        let e = add_samples(&setup.rotor, &mut text.as_bytes(), &mut judge).unwrap_err();
        assert!(e.to_string().contains(said), "{e}");
    }
}

#[test]
fn wrong_files_are_told_with_line_and_key() {
    for (text, said) in [
        (
            "[rotor]\ninertia = [1, 1, 3]\nthermal_energy = 1\nfriction = 1\n",
            "rotor.toml:2:11: rotor.inertia: the largest moment",
        ),
        (
            "[rotor]\ninertia = [1, 1, 1]\nthermal_energy = -1\nfriction = 1\n",
            "rotor.thermal_energy: found the integer -1",
        ),
        (
            "[rotor]\ninertia = [1, 1, 1]\nthermal_energy = 1\nfriction = 1\ndipole = [0, 0, 1]\n",
            "a dipole without a field",
        ),
        (
            "[rotor]\ninertia = [1, 1, 1]\nthermal_energy = 1\nfrition = 1\n",
            "did you mean `friction`?",
        ),
        (
            &format!(
                "run = {{ steps = [0.3, 0.2], interval = 0.4, samples = 1000, burn_in = 1 }}\n{ROTOR}"
            ),
            "run.steps[0]: 0.3, of which 0.4 s is no multiple",
        ),
        (
            &format!(
                "run = {{ steps = [0.2, 0.2], interval = 0.4, samples = 1000, burn_in = 1 }}\n{ROTOR}"
            ),
            "a step twice",
        ),
        (
            &format!(
                "run = {{ steps = [0.2, 1e-9], interval = 0.4, samples = 1000, burn_in = 1e300 }}\n{ROTOR}"
            ),
            "run.burn_in: 2.5e300 samples",
        ),
        (
            &format!(
                "run = {{ steps = [0.4, 0.2], interval = 0.4, samples = 1000, burn_in = 1, schemes = [\"langevinc\"] }}\n{ROTOR}"
            ),
            "did you mean `langevin_c`?",
        ),
    ] {
        let e = BathSetup::read("rotor.toml", text).unwrap_err();
        assert!(e.to_string().contains(said), "{e}");
    }
}

#[test]
fn a_frozen_solver_fails_and_words_say_so() {
    let setup = setup("");
    let fixed = draw(&setup.rotor, 1.0, &mut Random::new(1));
    let report = judge(&setup, 1000, || fixed);
    assert_eq!(report.status, Status::Failed);
    let text = document::Markup::render(&document::Markdown, &judged(&report));
    assert!(
        text.contains("FAILED") && text.contains("temperature of axis 3"),
        "{text}"
    );
    let none = judge(&setup, 10, || fixed);
    let text = document::Markup::render(&document::Markdown, &judged(&none));
    assert!(text.contains("too few independent samples"), "{text}");
}
