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
            && scheme.orders[1] > 1
        {
            out.push((scheme.samples, *rule));
        }
    }
    // Turns of single samples.
    out.push((
        3,
        UpdateRule {
            turn: TurnForm::EachSample,
            velocity: VelocityForm::Exact,
            sculling: Cow::Borrowed(&[Pair(1, 3, 9.0 / 8.0), Pair(3, 1, -9.0 / 8.0)]),
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
    for probe in navigation_probes(ProbeSet::of(samples)) {
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
            let update = memory.next(rule, &taken, &probe.field());
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
        let report = judge_navigation(ProbeSet::of(samples), &single(samples, &rule)).unwrap();
        assert_eq!(report.single_precision, [true; 3]);
        assert!(report.explained.iter().all(Option::is_some), "{rule:?}");
        assert_eq!(names(&report), [], "{rule:?}");
    }
    // The iteration is no rule: it is measured alone.
    for scheme in navigation_schemes() {
        if matches!(scheme.engine, NavigationEngine::Iteration) {
            let report = judge_navigation(
                ProbeSet::of(scheme.samples),
                &answers(scheme.samples, &scheme.engine),
            )
            .unwrap();
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
        D::FrameTurn | D::Coriolis => {
            let frame = &mut rule.frame;
            let turns = [
                FrameTurn::AfterBody,
                FrameTurn::FromVector,
                FrameTurn::FromIncrements,
            ];
            // A turn by each sample has no vector from which the frame is taken.
            let allowed = if rule.turn.is_fixed() { 1 } else { 3 };
            frame.turn = turns[random.bits() as usize % allowed];
            frame.coriolis =
                [CoriolisVelocity::Start, CoriolisVelocity::Middle][(random.bits() % 2) as usize];
            frame.force_factor = (random.bits() % 2) as f64;
            let place = match defect {
                D::FrameTurn => &mut frame.turn_factor,
                _ => &mut frame.coriolis_factor,
            };
            *place = factor;
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
            let single = judge_navigation(ProbeSet::of(samples), &all).unwrap();
            let mut reports = vec![(judged(samples, &rule), 1e-9), (single, 1e-2)];
            if matches!(
                defect,
                NavigationDefect::FrameTurn | NavigationDefect::Coriolis
            ) {
                // The turn of the Earth in an update, 1e-5 rad, is known to 1e-9 of itself; in single precision it is below the rounding of an attitude.
                reports.truncate(1);
                reports[0].1 = 1e-7;
            }
            for (report, tolerance) in reports {
                let wanted = NavigationFinding {
                    defect,
                    numbers: numbers.clone(),
                };
                assert_eq!(
                    names(&report),
                    [defect],
                    "{samples} {tolerance} {wanted:?} {rule:?} {report:?}"
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
            let report = judge_navigation(ProbeSet::of(samples), &all).unwrap();
            assert!(report.explained.iter().all(Option::is_some), "{rule:?}");
            assert_eq!(names(&report), [], "{rule:?}");
        }
        for state in noisy.iter_mut().flatten() {
            state.velocity += random.vector() * 1e-9;
        }
        let report = judge_navigation(ProbeSet::of(samples), &noisy).unwrap();
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
        let probes = navigation_probes(ProbeSet::of(*samples));
        let run = |probe: &NavigationProbe| -> Vec<NavigationState> {
            let (mut memory, mut state) = (SampleMemory::default(), probe.start);
            let step = |update: &ImuSamples| {
                if probe.restarts {
                    state = probe.start;
                }
                state = rule.step(&state, &memory.next(rule, update, &probe.field()));
                change(&mut state);
                state
            };
            probe.updates.iter().map(step).collect()
        };
        let all: Vec<_> = probes.iter().map(run).collect();
        judge_navigation(ProbeSet::of(*samples), &all).unwrap()
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

/// The two trackers of coning that issues of PX4 and ArduPilot tell of: the first takes the sum before the sample before, and has a part of its term; the second
/// has the angle of its own sample for that of the one before, whose product with itself is nothing: an update of one sample without coning, which is no defect.
#[test]
fn trackers_of_coning_are_told() {
    let tracker = |n: usize| -> Vec<Pair> {
        let whole = |j: usize| (1..j.saturating_sub(1)).map(move |i| Pair(i, j, 0.5));
        let each = (1..=n).flat_map(|j| whole(j).chain([Pair(j - 1, j, 1.0 / 12.0)]));
        each.collect()
    };
    for (n, factor) in [(2, 0.25), (3, 5.0 / 9.0), (4, 0.71875)] {
        let rule = UpdateRule {
            coning: tracker(n).into(),
            ..UpdateRule::PLAIN
        };
        let report = judged(n, &rule);
        let found = &report.findings[0];
        assert_eq!(found.defect, NavigationDefect::ConingTerm, "{n}");
        assert!((found.numbers[0] - factor).abs() < 1e-9, "{n} {found:?}");
    }
    let itself = UpdateRule {
        coning: vec![Pair(1, 1, 1.0 / 12.0)].into(),
        velocity: VelocityForm::Exact,
        position: PositionForm::Trapezoid,
        ..UpdateRule::PLAIN
    };
    let report = judged(1, &itself);
    assert_eq!(names(&report), []);
    assert_eq!(report.coning.unwrap().power, 2);
}

/// Sums that ArduPilot carries with their coning from trapezoids, and the samples of GTSAM's helper, are rules.
#[test]
fn turns_that_libraries_carry_are_rules() {
    for turn in [TurnForm::Carried, TurnForm::EachConed] {
        for (angles, wanted) in [
            (SampleInput::Increments, vec![]),
            (
                SampleInput::Trapezoids,
                vec![NavigationDefect::AnglesTrapezoids],
            ),
        ] {
            for n in 2..=4 {
                let rule = UpdateRule {
                    turn,
                    angles,
                    velocity: VelocityForm::Mean,
                    sculling: vec![Pair(1, n, 0.2), Pair(n, 1, -0.2)].into(),
                    ..UpdateRule::PLAIN
                };
                let report = judged(n, &rule);
                assert_eq!(report.explained[0], Some(turn.words()), "{n}");
                let of_angles = names(&report).into_iter().take(wanted.len());
                assert_eq!(of_angles.collect::<Vec<_>>(), wanted, "{n}");
                assert!(!names(&report).contains(&NavigationDefect::ConingTerm));
            }
        }
    }
}

/// An update that knows nothing of the Earth is told so, and one that does is right; without the frame nobody asks.
#[test]
fn a_frame_that_is_left_out_is_named() {
    for (samples, right) in right_rules() {
        let mut rule = right.clone();
        rule.frame.turn_factor = 0.0;
        rule.frame.coriolis_factor = 0.0;
        rule.frame.force_factor = 0.0;
        let report = judged(samples, &rule);
        let wanted = [NavigationDefect::FrameTurn, NavigationDefect::Coriolis];
        assert_eq!(names(&report), wanted, "{rule:?}");
        let said = report.findings[0].sentence();
        assert_eq!(said, "the turn of the frame in the attitude is missing");
        let set = ProbeSet::of(samples);
        let engine = NavigationEngine::Rule(Box::new(rule));
        let report = judge_navigation(set, &answers_to(set, &engine)).unwrap();
        assert_eq!(report.status(), Status::Passed);
        assert!(
            report
                .conditions
                .iter()
                .all(|c| c.condition != Condition::Earth)
        );
        // Any form that takes it into account is right; the one after the turn of the body keeps the order.
        for turn in [FrameTurn::AfterBody, FrameTurn::FromVector] {
            let mut rule = right.clone();
            if !rule.turn.is_fixed() {
                rule.frame.turn = turn;
            }
            let report = judged(samples, &rule);
            assert_eq!(report.status(), Status::Passed, "{report:?}");
            let earth = report.conditions.last().unwrap();
            assert_eq!(earth.condition, Condition::Earth);
            let order = |errors: &[crate::PartErrors]| errors[0].order.unwrap();
            let lost = order(&report.errors) - order(&earth.errors);
            assert!(turn != FrameTurn::AfterBody || lost < 0.1, "{rule:?}");
        }
    }
}

/// Weights for samples of equal lengths lose their order where the lengths differ; one that takes each length does not, and one that keeps the first fails.
#[test]
fn samples_of_unequal_lengths_show_what_an_update_takes_for_granted() {
    let savage = navigation_schemes()
        .into_iter()
        .find(|s| s.name == "savage_2")
        .unwrap();
    let orders = |answers: &[Vec<NavigationState>]| -> (Status, Vec<f64>) {
        let report = judge_navigation(ProbeSet::of(2), answers).unwrap();
        let under = report.conditions.iter().map(|c| &c.errors[0]);
        let order = |part: &crate::PartErrors| part.order.unwrap_or(0.0).round();
        (report.status(), under.map(order).collect())
    };
    let all = answers(2, &savage.engine);
    assert_eq!(orders(&all), (Status::Passed, vec![2.0, 2.0]));
    // Polynomials of the two lengths keep the third order, which two samples have in any case; the fourth is that of symmetric updates.
    let (status, orders) = orders(&answers(2, &NavigationEngine::Iteration));
    assert_eq!(status, Status::Passed);
    assert!(orders.iter().all(|order| *order >= 3.0), "{orders:?}");
    let first = |probe: &NavigationProbe| -> Vec<NavigationState> {
        let mut probe = probe.clone();
        let kept = probe.updates[0].intervals.clone();
        let keep = |u: &mut ImuSamples| u.intervals = kept.clone();
        probe.updates.iter_mut().for_each(keep);
        probe.run(&savage.engine)
    };
    let probes = navigation_probes(ProbeSet::of(2));
    let report = judge_navigation(
        ProbeSet::of(2),
        &probes.iter().map(first).collect::<Vec<_>>(),
    )
    .unwrap();
    assert_eq!((report.status(), names(&report)), (Status::Failed, vec![]));
    let text = document::Markup::render(&Console::default(), &shown_navigation(&report));
    assert!(
        text.contains("the errors of the velocity do not fall with the update with lost samples"),
        "{text}"
    );
}

/// Biases turn as much as the motion does, and weights of four samples are many: all of it is fitted at once, to the rounding of a row.
#[test]
fn large_biases_are_fitted_beside_many_weights() {
    let biases = [
        Vec3::new(
            -0.0634580994492277,
            -0.31433167235116105,
            -1.6418202711463148,
        ),
        Vec3::new(0.8229021640297717, -0.712348637856177, -0.35582723320877174),
        Vec3::new(
            0.07238267775373596,
            0.18190558834122897,
            -1.1706297419951435,
        ),
    ];
    for (samples, right) in right_rules() {
        for bias in biases.into_iter().filter(|_| samples == 4) {
            let mut rule = right.clone();
            rule.factors.angle.1 = bias;
            let report = judged(samples, &rule);
            assert_eq!(names(&report), [NavigationDefect::AngleBias], "{report:?}");
        }
    }
}
