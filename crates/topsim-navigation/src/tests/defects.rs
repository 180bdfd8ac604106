//! Updates that are wrong on purpose, and right ones, in double and in single precision.

use super::*;
use crate::rule::{Factors, coning_factor};
use document::Console;
use topsim_core::math::so3;
use topsim_core::verdict::Status;

/// Rules that are right, of one to four samples.
fn right_rules() -> Vec<(usize, UpdateRule)> {
    let mut out = Vec::new();
    for scheme in navigation_schemes() {
        if let NavigationEngine::Rule(rule) = scheme.engine
            && !["one_sample", "preintegration"].contains(&scheme.name)
        {
            out.push((scheme.samples, *rule));
        }
    }
    // Miller's weights for three samples, and Ignagni's for four, in other forms.
    let pairs = |all: &[(usize, usize, f64)]| -> (Vec<Pair>, Vec<Pair>) {
        let coning: Vec<Pair> = all.iter().map(|(i, j, w)| Pair(*i, *j, *w)).collect();
        let sculling = coning.iter().flat_map(|p| [*p, Pair(p.1, p.0, -p.2)]);
        (coning.clone(), sculling.collect())
    };
    let three = pairs(&[(1, 3, 0.45), (2, 3, 0.675), (1, 2, 0.675)]);
    let four = pairs(&[
        (1, 4, 54.0 / 105.0),
        (2, 4, 92.0 / 105.0),
        (3, 4, 214.0 / 105.0),
    ]);
    for (samples, (coning, sculling), velocity) in [
        (3, three, VelocityForm::Mean),
        (4, four, VelocityForm::Middle),
    ] {
        let rule = UpdateRule {
            coning: Cow::Owned(coning),
            velocity,
            sculling: Cow::Owned(sculling),
            position: PositionForm::Trapezoid,
            ..UpdateRule::PLAIN
        };
        out.push((samples, rule));
    }
    // One sample with the one before it, as pyins has it; and turns of single samples.
    out.push((
        1,
        UpdateRule {
            coning: Cow::Borrowed(&[Pair(0, 1, 1.0 / 12.0)]),
            sculling: Cow::Borrowed(&[
                Pair(0, 1, 1.0 / 12.0),
                Pair(1, 0, -1.0 / 12.0),
                Pair(1, 1, 0.5),
            ]),
            position: PositionForm::Trapezoid,
            ..UpdateRule::PLAIN
        },
    ));
    out.push((
        3,
        UpdateRule {
            turn: TurnForm::EachSample,
            velocity: VelocityForm::Exact,
            sculling: Cow::Owned(pairs(&[(1, 3, 9.0 / 8.0)]).1),
            position: PositionForm::Trapezoid,
            ..UpdateRule::PLAIN
        },
    ));
    out.push((
        1,
        UpdateRule {
            position: PositionForm::Integrated,
            doubled: (Cow::Borrowed(&[0.5]), Cow::Borrowed(&[]), 0.0),
            ..out[0].1.clone()
        },
    ));
    let first = UpdateRule {
        turn: TurnForm::FirstOrder,
        ..out[0].1.clone()
    };
    out.push((1, first));
    out
}

/// Runs a rule in single precision: what it takes and what it gives is rounded, and it begins with its own rounded state.
fn single(samples: usize, rule: &UpdateRule) -> Vec<Vec<NavigationState>> {
    let rounded = |x: f64| f64::from(x as f32);
    let mut all = Vec::new();
    for probe in navigation_probes(samples) {
        let (mut memory, mut state) = (SampleMemory::default(), probe.start);
        let mut rows = Vec::new();
        for samples in &probe.updates {
            let mut taken = samples.clone();
            for v in [
                &mut taken.angles,
                &mut taken.velocities,
                &mut taken.rates,
                &mut taken.forces,
            ] {
                v.iter_mut().for_each(|v| v.apply(|x| *x = rounded(*x)));
            }
            let from = if probe.restarts { probe.start } else { state };
            let from = NavigationState::from_numbers(&from.numbers().map(rounded));
            let update = memory.next(rule, &taken, &probe.gravity);
            state =
                NavigationState::from_numbers(&rule.step(&from, &update).numbers().map(rounded));
            rows.push(state);
        }
        all.push(rows);
    }
    all
}

fn names(report: &NavigationReport) -> Vec<NavigationDefect> {
    report.findings.iter().map(|f| f.defect).collect()
}

#[test]
fn right_updates_are_never_blamed() {
    for (samples, rule) in right_rules() {
        let report = judged(samples, &rule);
        assert!(report.explained.iter().all(Option::is_some), "{rule:?}");
        assert_eq!(names(&report), [], "{rule:?}");
        let report = judge_navigation(samples, &single(samples, &rule)).unwrap();
        assert_eq!(report.single_precision, [true; 3]);
        assert!(report.explained.iter().all(Option::is_some), "{rule:?}");
        assert_eq!(names(&report), [], "{rule:?}");
    }
    // The iteration is no rule: it is measured alone.
    for scheme in navigation_schemes() {
        if matches!(scheme.engine, NavigationEngine::Iteration) {
            let report =
                judge_navigation(scheme.samples, &answers(scheme.samples, &scheme.engine)).unwrap();
            assert!(report.explained == [None; 3] && report.findings.is_empty());
        }
    }
}

/// Puts a defect into a right rule, if the rule can have it; returns its numbers.
fn break_rule(
    defect: NavigationDefect,
    rule: &mut UpdateRule,
    samples: usize,
    random: &mut Random,
) -> Option<Vec<f64>> {
    use NavigationDefect as D;
    // A factor that is neither right nor one that a right rule may have.
    let factor = loop {
        let x = 5.0 * random.uniform() - 2.5;
        if [0.0, 0.5, 1.0].iter().all(|y: &f64| (x - y).abs() > 0.2) && !(0.7..1.0).contains(&x) {
            break x;
        }
    };
    let factor = match (random.uniform() * 4.0) as u32 {
        0 if !(defect == D::AngleScale
            || defect == D::VelocityScale
            || defect == D::PositionScale) =>
        {
            0.0
        }
        _ => factor,
    };
    let bias = random.vector();
    match defect {
        D::TurnInSpace if rule.turn == TurnForm::Exact => rule.turn = TurnForm::InSpace,
        D::AnglesLate => rule.angles = SampleInput::Late,
        D::AnglesTrapezoids => rule.angles = SampleInput::Trapezoids,
        D::AngleScale => rule.factors.angle.0 = factor,
        D::AngleBias => rule.factors.angle.1 = bias,
        D::ConingTerm if !rule.coning.is_empty() && (samples > 1 || factor != 0.0) => {
            rule.coning.to_mut().iter_mut().for_each(|p| p.2 *= factor);
            assert!((coning_factor(&rule.coning, samples) - factor).abs() < 1e-12);
        }
        D::VelocitiesLate => rule.velocities = SampleInput::Late,
        D::VelocitiesTrapezoids => rule.velocities = SampleInput::Trapezoids,
        D::VelocityScale => rule.factors.velocity.0 = factor,
        D::VelocityBias => rule.factors.velocity.1 = bias,
        D::AttitudeAtStart if samples == 1 => {
            rule.velocity = VelocityForm::Start;
            rule.sculling = Vec::new().into();
        }
        D::AttitudeAtEnd if samples == 1 => {
            rule.velocity = VelocityForm::End;
            rule.sculling = Vec::new().into();
        }
        D::RotationTerm if samples == 1 && factor != 0.0 => {
            rule.velocity = VelocityForm::Start;
            rule.sculling = Cow::Owned(vec![Pair(1, 1, 0.5 * factor)]);
        }
        D::ScullingTerm if samples > 1 => rule
            .sculling
            .to_mut()
            .iter_mut()
            .for_each(|p| p.2 *= factor),
        D::Gravity => rule.factors.gravity = factor,
        D::EulerPosition => {
            rule.position = [PositionForm::Start, PositionForm::End][(random.bits() % 2) as usize];
        }
        D::PositionScale => rule.factors.position = factor,
        D::PositionGravity if rule.position == PositionForm::Integrated => {
            rule.factors.position_gravity = factor;
        }
        D::PositionForce if rule.position == PositionForm::Integrated => {
            rule.doubled
                .0
                .to_mut()
                .iter_mut()
                .for_each(|s| *s *= factor);
        }
        _ => return None,
    }
    Some(match defect {
        D::AngleBias | D::VelocityBias => bias.as_slice().to_vec(),
        D::TurnInSpace
        | D::AnglesLate
        | D::AnglesTrapezoids
        | D::VelocitiesLate
        | D::VelocitiesTrapezoids
        | D::EulerPosition
        | D::AttitudeAtStart
        | D::AttitudeAtEnd => vec![],
        _ => vec![factor],
    })
}

/// Each defect is named with its number, and nothing beside it: 1e-9 is what rounding leaves of a number, 1e-2 in single precision.
#[test]
fn each_defect_is_named_with_its_number() {
    let mut random = Random::new(7);
    let mut met = [0; NavigationDefect::ALL.len()];
    for (samples, right) in right_rules() {
        for (k, defect) in NavigationDefect::ALL.iter().copied().enumerate() {
            let mut rule = right.clone();
            let Some(numbers) = break_rule(defect, &mut rule, samples, &mut random) else {
                continue;
            };
            met[k] += 1;
            let all = single(samples, &rule);
            for (report, tolerance) in [
                (judged(samples, &rule), 1e-9),
                (judge_navigation(samples, &all).unwrap(), 1e-2),
            ] {
                let wanted = NavigationFinding {
                    defect,
                    numbers: numbers.clone(),
                };
                assert_eq!(
                    names(&report),
                    [defect],
                    "{samples} {wanted:?} {rule:?} {:?}",
                    report.findings
                );
                let found = &report.findings[0].numbers;
                let near = found
                    .iter()
                    .zip(&numbers)
                    .all(|(a, b)| (a - b).abs() <= tolerance);
                assert!(
                    near && found.len() == numbers.len(),
                    "{samples} {wanted:?}: {found:?}"
                );
            }
        }
    }
    assert!(met.iter().all(|n| *n >= 1), "{met:?}");
}

/// Angles in degrees are named though each turn is more than half a turn; and so are two defects at once.
#[test]
fn degrees_and_two_defects_are_named() {
    let right = UpdateRule {
        velocity: VelocityForm::Exact,
        position: PositionForm::Trapezoid,
        ..UpdateRule::PLAIN
    };
    let degrees = 180.0 / std::f64::consts::PI;
    for factor in [degrees, 1.0 / degrees] {
        let mut rule = right.clone();
        rule.factors = Factors {
            angle: (factor, Vec3::zeros()),
            gravity: -1.0,
            ..Factors::RIGHT
        };
        let report = judged(1, &rule);
        assert_eq!(
            names(&report),
            [NavigationDefect::AngleScale, NavigationDefect::Gravity],
            "{factor}"
        );
        assert!((report.findings[0].numbers[0] / factor - 1.0).abs() < 1e-9);
        assert!((report.findings[1].numbers[0] + 1.0).abs() < 1e-9);
    }
}

/// Weights that are drawn and have the right sums are right; and a noise of 1e-9, far above rounding, leaves no rule and no defect.
#[test]
fn drawn_weights_with_the_right_sums_are_right() {
    let mut random = Random::new(11);
    for samples in [2, 3, 4] {
        let mut pairs = Vec::new();
        for j in 2..=samples {
            pairs.extend((1..j).map(|i| Pair(i, j, random.uniform())));
        }
        let factor = coning_factor(&pairs, samples);
        pairs.iter_mut().for_each(|p| p.2 /= factor);
        let sculling = pairs.iter().flat_map(|p| [*p, Pair(p.1, p.0, -p.2)]);
        let rule = UpdateRule {
            velocity: VelocityForm::ALL[samples - 2],
            sculling: sculling.collect(),
            coning: pairs.into(),
            position: PositionForm::Trapezoid,
            ..UpdateRule::PLAIN
        };
        let engine = NavigationEngine::Rule(Box::new(rule.clone()));
        let mut noisy = answers(samples, &engine);
        for all in [noisy.clone(), single(samples, &rule)] {
            let report = judge_navigation(samples, &all).unwrap();
            assert!(report.explained.iter().all(Option::is_some), "{rule:?}");
            assert_eq!(names(&report), [], "{rule:?}");
        }
        for state in noisy.iter_mut().flatten() {
            state.velocity += random.vector() * 1e-9;
        }
        let report = judge_navigation(samples, &noisy).unwrap();
        assert_eq!(names(&report), [], "{rule:?}");
        assert_ne!(report.status(), Status::Failed, "{rule:?}");
        // The positions follow from velocities without the noise.
        assert_eq!(report.explained.map(|e| e.is_some()), [true, false, false]);
    }
}

/// No rule has a velocity or an attitude that depends on itself: errors that do not fall fail without a cause.
#[test]
fn errors_that_do_not_fall_fail_whatever_they_are() {
    let right = &right_rules()[0];
    let (samples, rule) = right;
    let with = |change: &dyn Fn(&mut NavigationState)| {
        let probes = navigation_probes(*samples);
        let run = |probe: &NavigationProbe| -> Vec<NavigationState> {
            let (mut memory, mut state) = (SampleMemory::default(), probe.start);
            let step = |update: &ImuSamples| {
                if probe.restarts {
                    state = probe.start;
                }
                state = rule.step(&state, &memory.next(rule, update, &probe.gravity));
                change(&mut state);
                state
            };
            probe.updates.iter().map(step).collect()
        };
        let all: Vec<_> = probes.iter().map(run).collect();
        judge_navigation(*samples, &all).unwrap()
    };
    assert_eq!(with(&|_| ()).status(), Status::Passed);
    for size in [1e-3, 0.1] {
        let slowed = with(&|s| s.velocity *= 1.0 - size * s.velocity.norm_squared().min(1.0));
        let turned = with(&|s| s.attitude *= so3::exp(&(s.velocity * (0.1 * size))));
        for report in [slowed, turned] {
            assert_eq!(report.status(), Status::Failed, "{report:?}");
            assert_eq!(names(&report), [], "{report:?}");
            let text = document::Markup::render(&Console::default(), &shown_navigation(&report));
            assert!(
                text.starts_with("FAILED") && text.contains("do not fall"),
                "{text}"
            );
        }
    }
}
