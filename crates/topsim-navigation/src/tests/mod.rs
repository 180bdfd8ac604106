use super::*;
use crate::measure::part_errors;
use std::borrow::Cow;
use topsim_core::math::{Random, Vec3};
use topsim_core::schemes::given_rate::ErrorConstant;

mod defects;

/// Returns the states of an engine on all problems.
fn answers(samples: usize, engine: &NavigationEngine) -> Vec<Vec<NavigationState>> {
    answers_to(ProbeSet::of(samples), engine)
}

fn answers_to(set: ProbeSet, engine: &NavigationEngine) -> Vec<Vec<NavigationState>> {
    let probes = navigation_probes(set);
    probes.iter().map(|probe| probe.run(engine)).collect()
}

/// Returns the set with the frame of the Earth.
fn with_earth(samples: usize) -> ProbeSet {
    ProbeSet {
        earth: true,
        ..ProbeSet::of(samples)
    }
}

/// Length of an update on the motion without symmetry.
fn product(kind: ProbeKind) -> Option<f64> {
    match kind {
        ProbeKind::Product(time) => Some(time),
        _ => None,
    }
}

/// Judges a rule, in the frame of the Earth too.
fn judged(samples: usize, rule: &UpdateRule) -> NavigationReport {
    let (set, engine) = (
        with_earth(samples),
        NavigationEngine::Rule(Box::new(rule.clone())),
    );
    judge_navigation(set, &answers_to(set, &engine)).unwrap()
}

/// The closed forms are those of an independent program to 50 digits (`scripts/navigation_values.py`), of our motions and of 200 drawn ones, half of which have a
/// frame that turns. 1e-13 is some hundred roundings of numbers up to 10: an attitude is a product of two turns, and a force has terms of the size 10.
#[test]
fn motions_have_their_values_to_38_digits() {
    let table = include_str!("truths.csv");
    let mut worst = [0.0_f64; 27];
    for line in table.lines().skip(1) {
        let mut words = line.split(',');
        let motion = match words.next().unwrap() {
            "product" => NavigationMotion::product(),
            "earth" => NavigationMotion::product().in_earth_frame(),
            "sculling" => NavigationMotion::sculling(),
            "scrolling" => NavigationMotion::scrolling(),
            seed => NavigationMotion::drawn(seed.parse().unwrap()),
        };
        let numbers: Vec<f64> = words.map(|w| w.parse().unwrap()).collect();
        let (t, width) = (numbers[0], numbers[1]);
        let samples = motion.samples(t, &[width]);
        let mut ours = motion.state(t).numbers().to_vec();
        for v in [
            motion.rate(t),
            motion.force(t),
            samples.angles[0],
            samples.velocities[0],
        ] {
            ours.extend(v.iter());
        }
        assert_eq!(ours.len(), numbers.len() - 2);
        for (k, (a, b)) in ours.iter().zip(&numbers[2..]).enumerate() {
            worst[k] = worst[k].max((a - b).abs());
        }
    }
    assert_eq!(table.lines().count(), 213);
    assert!(worst.iter().all(|e| *e < 1e-13), "{worst:?}");
}

/// Orders are claimed, and hold within a tenth: at the shortest updates the next term takes a hundredth of an order.
#[test]
fn schemes_have_the_orders_that_they_claim_and_no_others() {
    for scheme in navigation_schemes() {
        let all = answers(scheme.samples, &scheme.engine);
        let probes = navigation_probes(ProbeSet::of(scheme.samples));
        let runs: Vec<_> = probes.iter().zip(all.iter().map(Vec::as_slice)).collect();
        for (errors, claimed) in part_errors(&runs, [f64::EPSILON; 3], 0.8, product)
            .iter()
            .zip(scheme.orders)
        {
            let order = errors.order.unwrap();
            assert!(
                (order - f64::from(claimed)).abs() < 0.1,
                "{} {:?}: {order}",
                scheme.name,
                errors.part
            );
        }
    }
}

/// The constants of coning are published (12 and 960: `ignagni1990`), and those of sculling are the same (`roscoe2001`). A sum that is carried from
/// sample to sample leaves (1/12) θ′ × θ − ½ ∫ α × dα = φ² ((sin x − ½ sin 2x)/6 − (x − sin x)/2) = −φ² x⁵/60 of a sample with the phase x, which is a quarter
/// of that of the update: C = 60 · 4⁴. Five digits remain of the extrapolation.
#[test]
fn drifts_have_the_constants_of_theory() {
    let wanted = [
        ("one_sample", 2, 12.0),
        ("one_sample_rotated", 2, 12.0),
        ("savage_2", 4, 960.0),
        ("iteration_2", 4, 960.0),
        ("two_speed_4", 4, 60.0 * 256.0),
    ];
    for (name, power, constant) in wanted {
        let scheme = navigation_schemes()
            .into_iter()
            .find(|s| s.name == name)
            .unwrap();
        let report = judge_navigation(
            ProbeSet::of(scheme.samples),
            &answers(scheme.samples, &scheme.engine),
        )
        .unwrap();
        for drift in [report.coning, report.sculling] {
            let drift = drift.unwrap();
            assert_eq!(drift.power, power, "{name}");
            assert!(
                (drift.constant / constant - 1.0).abs() < 1e-5,
                "{name} {drift:?}"
            );
        }
    }
}

#[test]
fn answers_that_cannot_be_judged_are_refused() {
    let scheme = &navigation_schemes()[1];
    let mut all = answers(1, &scheme.engine);
    let refused = |samples, all: &[Vec<NavigationState>]| {
        judge_navigation(ProbeSet::of(samples), all).unwrap_err().0
    };
    assert_eq!(refused(5, &all), "samples: found 5; allowed: 1 to 4");
    assert_eq!(
        refused(1, &all[1..]),
        "found states of 22 problems; allowed: 23"
    );
    all[2][3].velocity.x = f64::NAN;
    assert_eq!(refused(1, &all), "problem 3: state 4 is not finite");
    all[2].pop();
    assert_eq!(refused(1, &all), "problem 3: found 15 states; allowed: 16");
}

/// The weights of the position of two samples are those with which a linear rate and force are integrated twice without error in second order.
#[test]
fn two_samples_integrate_a_linear_force_twice() {
    let scheme = navigation_schemes()
        .into_iter()
        .find(|s| s.name == "savage_2_scrolling")
        .unwrap();
    let NavigationEngine::Rule(rule) = scheme.engine else {
        panic!("no rule")
    };
    let (firsts, pairs, _) = &rule.doubled;
    let sum = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
        pairs
            .iter()
            .map(|Pair(i, j, w)| w * f(*i as f64 - 0.5, *j as f64 - 0.5))
            .sum()
    };
    // With samples of length 1, T = 2: the double integral of α × f over T, for α = a t + b t²/2 and f = c + d t.
    let found = [
        firsts[0] + firsts[1],
        0.5 * firsts[0] + 1.5 * firsts[1],
        sum(&|_, _| 1.0),
        sum(&|_, j| j),
        sum(&|i, _| i),
        sum(&|i, j| i * j),
    ];
    let wanted = [
        1.0,
        2.0 / 3.0,
        8.0 / 6.0 / 2.0,
        16.0 / 12.0 / 2.0,
        16.0 / 24.0 / 2.0,
        32.0 / 40.0 / 2.0,
    ];
    for (a, b) in found.iter().zip(wanted) {
        assert!((a - b).abs() < 1e-15, "{found:?} {wanted:?}");
    }
}

/// The two functions of GTSAM for gyros take trapezoids of rates: with n samples a turn by each drifts as −φ² Ω x²/(6 n²), n of whose 2n parts are of the trapezoids;
/// the coning helper leaves these and the first sample, which has none before it: −φ² Ω x² (n + 1)/(12 n³). With twelve samples both are in gtsam's issue 2678.
#[test]
fn trapezoids_and_turns_of_samples_have_the_constants_of_gtsam() {
    for (turn, n, wanted) in [
        (TurnForm::EachSample, 2, 24.0),
        (TurnForm::EachSample, 12, 864.0),
        (TurnForm::EachConed, 2, 32.0),
        (TurnForm::EachConed, 4, 153.6),
        (TurnForm::EachConed, 12, 12.0 * 1728.0 / 13.0),
    ] {
        let rule = UpdateRule {
            turn,
            angles: SampleInput::Trapezoids,
            ..UpdateRule::PLAIN
        };
        let engine = NavigationEngine::Rule(Box::new(rule));
        let found = ErrorConstant::of(|phase| {
            let rows = crate::probe::coning(n, phase).run(&engine);
            rows.last().map(|row| row.attitude)
        })
        .unwrap();
        assert_eq!(found.power, 2, "{turn:?} {n}");
        assert!(
            (found.constant / wanted - 1.0).abs() < 1e-4,
            "{turn:?} {n} {found:?}"
        );
    }
}
