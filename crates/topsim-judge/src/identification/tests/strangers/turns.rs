//! Solvers that turn wrongly, about principal axes, below or beyond a size.

use super::*;

#[test]
fn a_turn_that_is_cut_short_beyond_an_angle_is_no_changed_rule() {
    let mut random = Random::new(3);
    for _ in 0..4 {
        let limit = 0.02 + 0.2 * random.uniform();
        let switched = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let before = y.att;
            by(Rule::Rk4RotationVector, top, t, h, y);
            let turn = so3::log(&before.tr_mul(&y.att));
            if turn.norm() > limit {
                // 2 atan(θ/2) for θ.
                let angle = turn.norm();
                y.att = before * so3::exp(&(turn * (2.0 * (0.5 * angle).atan() / angle)));
            }
        });
        let found = identify(&*switched, Scope::whole(true), true);
        let changed = found
            .claims
            .iter()
            .any(|c| c.id == SchemeDefect::RuleChanged.into());
        assert!(!changed, "{limit}: {found:?}");
    }
}

#[test]
fn a_turn_that_is_wrong_below_an_angle_is_no_law() {
    let mut random = Random::new(5);
    for rule in rules() {
        let limit = 2e-3 * 2.0_f64.powf(random.uniform());
        let switched = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let before = y.att;
            by(rule, top, t, h, y);
            let turn = so3::log(&before.tr_mul(&y.att));
            if turn.norm() < limit && turn.norm() > 0.0 {
                y.att = before * so3::exp(&turn.normalize());
            }
        });
        let found = identify(&*switched, Scope::whole(true), true);
        let law = found.claims.iter().any(|c| c.id.part() == Part::Model);
        assert!(!law, "{rule:?}, {limit}: {found:?}");
    }
}

#[test]
fn kinematics_with_a_wrong_entry_are_told() {
    let mut random = Random::new(9);
    let start = Start {
        att: random.rotation(),
        omega: random.vector(),
        ..standard()
    };
    // An entry that is zero stays right.
    let wrong = |chart: &Chart| (chart.rates(&start)[0] - start.omega).norm() > 1e-3;
    let all: Vec<Chart> = Chart::all().filter(wrong).collect();
    for _ in 0..16 {
        let chart = all[(random.bits() % all.len() as u64) as usize];
        let wrong = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let momentum = top.inertia().times(&y.omega);
            y.omega += acceleration(top, t, &y.att, &momentum, &y.omega) * h;
            let at = Start {
                att: y.att,
                omega: y.omega,
                inertia: top.inertia().clone(),
                load: Load::None,
            };
            y.att *= so3::exp(&(chart.rates(&at)[0] * h));
        });
        let found = identify(&*wrong, Scope::whole(true), true);
        let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
        // The last angle is about an axis of the body: its own entry is one of a matrix of the rate.
        let known = ["model/kinematics", "model/euler_rates", "model/turn_matrix"];
        assert!(
            matches!(&ids[..], [id] if known.contains(&id.as_str())),
            "{chart:?}: {found:?}"
        );
    }
}

/// Steps of a rule whose slopes have factors about the principal axes: of the turns, and of the gyroscopic torque.
fn by_axes(
    rule: Rule,
    factors: impl Fn(&Vec3) -> [Vec3; 2] + Send + Sync + Clone + 'static,
) -> Box<dyn Target> {
    solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
        let (moments, axes) = eigen::principal_axes(top.inertia().tensor());
        let [turns, rows] = factors(&moments);
        let times = |f: &Vec3, v: &Vec3| axes * axes.tr_mul(v).component_mul(f);
        let slopes = |t: f64, att: &Mat3, w: &Vec3| {
            let turning = times(&turns, w);
            let moment = times(&rows, &top.inertia().times(w).cross(&turning));
            (
                turning,
                top.inertia().solve(&(top.torque_body(t, att) + moment)),
            )
        };
        RunningRule::new(rule, f64::INFINITY).step(&slopes, t, h, y);
    })
}

#[test]
fn wrong_rows_and_turns_about_principal_axes_are_told() {
    let mut random = Random::new(13);
    let ones = Vec3::repeat(1.0);
    for rule in rules() {
        let axis = (random.bits() % 3) as usize;
        let mut factors = ones;
        factors[axis] = [-1.0, 0.0, 0.5, 2.0][(random.bits() % 4) as usize];
        let rows = by_axes(rule, move |_| [ones, factors]);
        claims(&*rows, &["model/principal_gyroscopic_rows"]);
        let mut factors = ones;
        factors[axis] = [0.5, 0.0, 1.5, 2.0][(random.bits() % 4) as usize];
        let turns = by_axes(rule, move |_| [factors, ones]);
        claims(&*turns, &["model/principal_turns"]);
        // The moment of another axis: factors of one body are not those of another.
        let moments = by_axes(rule, move |moments| {
            let mut factors = ones;
            factors[axis] = moments[axis] / moments[(axis + 1) % 3];
            [factors, ones]
        });
        let found = identify(&*moments, Scope::whole(true), true);
        let sure = |c: &Claim| c.certainty == Certainty::Is;
        assert!(!found.claims.iter().any(sure), "{axis}: {found:?}");
        assert_eq!(found.claims.len(), 1, "{axis}: {found:?}");
    }
}

#[test]
fn a_series_that_is_wrong_below_an_angle_costs_no_order() {
    let mut random = Random::new(29);
    for _ in 0..4 {
        let (limit, off) = (
            0.1 + 0.2 * random.uniform(),
            0.02 * (1.0 + random.uniform()),
        );
        let exp = move |v: Vec3| {
            let angle = v.norm();
            let factor = if angle < limit {
                1.0 - off * angle * angle
            } else {
                1.0
            };
            so3::exp(&(v * factor))
        };
        let wrong = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let slope = |t: f64, att: &Mat3, w: &Vec3| {
                acceleration(top, t, att, &top.inertia().times(w), w)
            };
            let att = y.att * exp(y.omega * (0.5 * h));
            let w = y.omega + slope(t, &y.att, &y.omega) * (0.5 * h);
            y.omega += slope(t + 0.5 * h, &att, &w) * h;
            y.att *= exp(w * h);
        });
        let found = identify(&*wrong, Scope::whole(true), true);
        assert!(
            !found.has(SchemeDefect::OrderLost),
            "{limit} {off}: {found:?}"
        );
    }
}

#[test]
fn a_gyroscopic_term_that_slow_bodies_lack_is_not_the_torque_of_the_case() {
    let mut random = Random::new(31);
    for rule in [Rule::Midpoint, Rule::Rk4] {
        let limit = 0.4 + 0.3 * random.uniform();
        let target = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let slopes = |t: f64, att: &Mat3, w: &Vec3| {
                let momentum = match w.norm() > limit {
                    true => top.inertia().times(w),
                    false => Vec3::zeros(),
                };
                (*w, acceleration(top, t, att, &momentum, w))
            };
            RunningRule::new(rule, f64::INFINITY).step(&slopes, t, h, y);
        });
        let problem = Problem::builtin("judge_push").expect("a built-in case");
        let known = identify(&*target, Scope::whole(true), true);
        let found = of_case(&*target, &problem, &known);
        assert!(!found.has(ModelDefect::CaseTorque), "{limit}: {found:?}");
    }
}

#[test]
fn turns_in_whole_numbers_and_bodies_that_stop_at_a_time_are_told() {
    let mut random = Random::new(43);
    for nearest in [true, false] {
        let unit = 2e-3 * f64::powf(10.0, random.uniform());
        let rounded = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let momentum = top.inertia().times(&y.omega);
            y.omega += acceleration(top, t, &y.att, &momentum, &y.omega) * h;
            let turn = y.omega * h;
            let whole = turn.norm() / unit + if nearest { 0.5 } else { 0.0 };
            y.att *= so3::exp(&(turn.normalize() * (whole.floor() * unit)));
        });
        claims(&*rounded, &["scheme/turn_rounded"]);
    }
    for rule in [Rule::Rk4, Rule::SemiImplicitEuler, Rule::Midpoint] {
        let end = 0.6 + 2.0 * random.uniform();
        let stops = solver(move |top: &Top, t, h, y, start: &mut Option<f64>| {
            if t - *start.get_or_insert(t) < end {
                by(rule, top, t, h, y);
            } else {
                y.omega = Vec3::zeros();
            }
        });
        claims(&*stops, &["scheme/from_time"]);
    }
}

#[test]
fn increments_that_are_taken_for_euler_angles_are_told() {
    for (n, sequence) in Sequence::all().filter(|s| s.0[0] != s.0[2]).enumerate() {
        let rule = [Rule::Heun, Rule::Midpoint][n % 2];
        let angles = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let mut after = *y;
            by(rule, top, t, h, &mut after);
            let mean = (y.omega + after.omega) * (0.5 * h);
            y.omega = after.omega;
            y.att *= sequence.matrix(sequence.0.map(|axis| mean[axis]));
        });
        let found = identify(&*angles, Scope::whole(true), true);
        let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
        let says = format!("as Euler angles of the sequence {}", sequence.name());
        assert!(
            ids == ["scheme/attitude_update"] && found.scheme[0].contains(&says),
            "{says}: {found:?}"
        );
    }
}

#[test]
fn long_turns_that_are_cut_off_are_told() {
    let mut random = Random::new(17);
    for rule in rules() {
        let most = 0.25 + random.uniform();
        let limited = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let before = y.att;
            by(rule, top, t, h, y);
            let turn = so3::log(&before.tr_mul(&y.att));
            y.att = before * so3::exp(&(turn * (most / turn.norm()).min(1.0)));
        });
        claims(&*limited, &["scheme/turn_limit"]);
    }
}

#[test]
fn a_gyroscopic_term_that_is_missing_at_slow_rates_is_told() {
    let mut random = Random::new(23);
    for rule in rules() {
        let least = 0.1 * 10.0_f64.powf(random.uniform());
        let slow = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let slopes = |t: f64, att: &Mat3, w: &Vec3| {
                let there = f64::from(w.norm() > least);
                let momentum = top.inertia().times(w) * there;
                (*w, acceleration(top, t, att, &momentum, w))
            };
            RunningRule::new(rule, f64::INFINITY).step(&slopes, t, h, y);
        });
        claims(&*slow, &["model/gyroscopic_missing"]);
    }
}

#[test]
fn components_in_space_that_are_cut_off_are_told() {
    let mut random = Random::new(61);
    for rule in rules() {
        let most = 5.0 * 10.0_f64.powf(random.uniform());
        let limited = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            by(rule, top, t, h, y);
            let cut = (y.att * y.omega).map(|x| x.clamp(-most, most));
            y.omega = y.att.tr_mul(&cut);
        });
        claims(&*limited, &["scheme/rate_limit"]);
    }
}
