//! Solvers whose torques act at other times, in other units or by other numbers.

use super::*;

#[test]
fn a_clock_that_begins_anew_in_each_problem_is_told() {
    for rule in [Rule::Midpoint, Rule::Rk4] {
        let anew = solver(move |top: &Top, t, h, y, start: &mut Option<f64>| {
            let since = t - *start.get_or_insert(t);
            by(rule, top, since, h, y);
        });
        let problem = Problem::builtin("judge_driven").expect("a built-in case");
        let known = identify(&*anew, Scope::whole(true), true);
        let found = of_case(&*anew, &problem, &known);
        let told = found.claims.iter().map(Claim::sentence);
        let told: Vec<_> = told
            .filter(|s| s.contains("since the start of the run"))
            .collect();
        assert!(told.len() == 1, "{found:?}");
    }
}

#[test]
fn torques_times_the_step_are_told() {
    let mut random = Random::new(61);
    for rule in rules() {
        let factor = 0.3 + 3.0 * random.uniform();
        let weak = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let slopes = |t: f64, att: &Mat3, w: &Vec3| {
                let torque = top.torque_body(t, att) * (factor * h);
                let gyroscopic = top.inertia().times(w).cross(w);
                (*w, top.inertia().solve(&(torque + gyroscopic)))
            };
            RunningRule::new(rule, f64::INFINITY).step(&slopes, t, h, y);
        });
        claims(&*weak, &["scheme/step_twice"]);
    }
}

#[test]
fn frames_mixed_in_the_gyroscopic_term_and_wrong_entries_of_the_matrix_are_told() {
    let mut random = Random::new(62);
    for rule in rules() {
        let mixed = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let slopes = |t: f64, att: &Mat3, w: &Vec3| {
                let momentum = top.inertia().times(w);
                (*w, acceleration(top, t, att, &momentum, &(att * w)))
            };
            RunningRule::new(rule, f64::INFINITY).step(&slopes, t, h, y);
        });
        claims(&*mixed, &["model/gyroscopic_rate_frame"]);
        let row = (3.0 * random.uniform()) as usize;
        let column = (row + 1 + (2.0 * random.uniform()) as usize) % 3;
        let entry = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let slopes = |t: f64, att: &Mat3, w: &Vec3| {
                let mut read = *att;
                read[(row, column)] = att[(column, row)];
                let momentum = top.inertia().times(w);
                let off = top.torque_body(t, &read) - top.torque_body(t, att);
                let slope = acceleration(top, t, att, &momentum, w);
                (*w, slope + top.inertia().solve(&off))
            };
            RunningRule::new(rule, f64::INFINITY).step(&slopes, t, h, y);
        });
        claims(&*entry, &["model/matrix_entry"]);
    }
}

#[test]
fn a_torque_that_the_inertia_divides_twice_is_told() {
    let divided = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
        let inertia = top.inertia();
        let torque = inertia.solve(&top.torque_body(t, &y.att));
        let gyroscopic = inertia.times(&y.omega).cross(&y.omega);
        y.omega += inertia.solve(&(torque + gyroscopic)) * h;
        y.att *= so3::exp(&(y.omega * h));
    });
    claims(&*divided, &["model/torque_divided_twice"]);
}

/// The torque of a step of `h` by the right one, with what is kept; a number parts solvers of one kind.
type ActingTorque = fn(f64, Vec3, &mut Vec3, f64) -> Vec3;

#[test]
fn torques_of_a_fixed_time_before_are_told() {
    let mut random = Random::new(23);
    for from_none in [true, false] {
        let delay = 0.04 + 0.08 * random.uniform();
        let late = solver(move |top: &Top, t, h, y, kept: &mut Option<Vec<Vec3>>| {
            let all = kept.get_or_insert_default();
            all.push(top.torque_body(t, &y.att));
            let at = (all.len() - 1) as f64 - delay / h;
            let torque = match at < 0.0 {
                true if from_none => Vec3::zeros(),
                true => all[0],
                false => {
                    let (k, part) = (at as usize, at.fract());
                    all[k] * (1.0 - part) + all[(k + 1).min(all.len() - 1)] * part
                }
            };
            let inertia = top.inertia();
            let momentum = inertia.times(&y.omega);
            y.omega += inertia.solve(&(torque + momentum.cross(&y.omega))) * h;
            y.att *= so3::exp(&(y.omega * h));
        });
        let found = identify(&*late, Scope::whole(true), true);
        let said: Vec<String> = found.claims.iter().map(|c| c.sentence()).collect();
        let told = said.len() == 1 && said[0].contains(" s before");
        assert!(told, "{delay}, {from_none}: {said:?}");
    }
}

#[test]
fn torques_that_act_late_or_coarsely_are_told() {
    let filtered: ActingTorque = |h, right, acts, x| {
        *acts += (right - *acts) * (1.0 - (-h / x).exp());
        *acts
    };
    let band: ActingTorque = |_, right, _, x| right.map(|c| if c.abs() < x { 0.0 } else { c });
    let rounded: ActingTorque = |_, right, _, x| right.map(|c| (c / x).round() * x);
    let kinds = [
        (
            filtered,
            [0.01, 0.1],
            "model/torque_late",
            "by a filter of first order",
        ),
        (
            band,
            [0.2, 0.6],
            "model/torque_rounded",
            "each component of the torque is zero below",
        ),
        (
            rounded,
            [0.02, 0.2],
            "model/torque_rounded",
            "to the nearest whole number of",
        ),
    ];
    let mut random = Random::new(21);
    for (acting, [least, most], id, says) in kinds {
        for n in 0..3 {
            let second_order = n != 1;
            let x = least * f64::powf(most / least, random.uniform());
            let late = solver(move |top: &Top, t, h, y, kept: &mut Option<Vec3>| {
                let acts = kept.get_or_insert(Vec3::zeros());
                let torque = acting(h, top.torque_body(t, &y.att), acts, x);
                let inertia = top.inertia();
                let slope = |w: &Vec3| inertia.solve(&(torque + inertia.times(w).cross(w)));
                let before = y.omega;
                let middle = before + slope(&before) * (0.5 * h);
                let w = if second_order { middle } else { before };
                y.omega += slope(&w) * h;
                let w = if second_order {
                    (before + y.omega) * 0.5
                } else {
                    y.omega
                };
                y.att *= so3::exp(&(w * h));
            });
            let found = identify(&*late, Scope::whole(true), true);
            let said: Vec<String> = found.claims.iter().map(|c| c.sentence()).collect();
            let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
            assert!(
                ids == [id] && said[0].contains(says),
                "{says} {x}, {second_order}: {ids:?} {said:?}"
            );
        }
    }
}

/// The torque that acts at a time since the start, by the start and the present state; a number parts solvers of one kind.
type BegunTorque = fn(&Top, f64, [&RotState; 2], f64) -> Vec3;

#[test]
fn torques_that_depend_on_the_start_of_a_run_are_told() {
    let kinds: [(BegunTorque, [f64; 2], &str); 8] = [
        (
            |top, t, [from, y], k| {
                top.torque_body(t, &y.att) - so3::log(&from.att.tr_mul(&y.att)) * k
            },
            [0.02, 2.0],
            "model/spring",
        ),
        (
            |top, t, [from, y], rate| {
                let energy = |w: &Vec3| w.dot(&top.inertia().times(w));
                let part = 0.5 * rate * (energy(&from.omega) / energy(&y.omega) - 1.0);
                top.torque_body(t, &y.att) + top.inertia().times(&y.omega) * part
            },
            [0.1, 2.0],
            "model/energy_driven",
        ),
        (
            |top, t, [_, y], part| top.torque_body(t, &y.att) / (1.0 - part * t),
            [0.005, 0.5],
            "model/inertia_grows",
        ),
        (
            |top, t, [_, y], part| {
                let gyroscopic = top.inertia().times(&y.omega).cross(&y.omega);
                (top.torque_body(t, &y.att) + gyroscopic) / (1.0 + part * t) - gyroscopic
            },
            [0.005, 0.5],
            "model/inertia_grows",
        ),
        (
            |top, t, [_, y], span| top.torque_body(t, &y.att) * (t / span).min(1.0),
            [0.05, 0.4],
            "model/torque_late",
        ),
        (
            |top, t, [_, y], from| top.torque_body(t, &y.att) * f64::from(u8::from(t >= from)),
            [0.03, 0.2],
            "model/from_time",
        ),
        (
            |top, t, [_, y], until| top.torque_body(t, &y.att) * f64::from(u8::from(t < until)),
            [0.07, 0.2],
            "model/from_time",
        ),
        (
            |top, t, [_, y], rate| {
                let power = y.omega.dot(&top.torque_body(t, &y.att));
                let momentum = top.inertia().times(&y.omega);
                top.torque_body(t, &y.att) - momentum * (rate * power / momentum.dot(&y.omega))
            },
            [1.0, 1.0],
            "model/energy_held",
        ),
    ];
    let mut random = Random::new(29);
    for (acting, [least, most], id) in kinds {
        for rule in [Rule::Rk4, Rule::Midpoint, Rule::SemiImplicitEuler] {
            let x = least * f64::powf(most / least, random.uniform());
            let begun = solver(
                move |top: &Top, t, h, y, start: &mut Option<(f64, Mat3, Vec3)>| {
                    let (since, att, omega) = *start.get_or_insert((t, y.att, y.omega));
                    let mut from = *y;
                    (from.att, from.omega) = (att, omega);
                    let slopes = |t: f64, att: &Mat3, w: &Vec3| {
                        let mut at = *y;
                        (at.att, at.omega) = (*att, *w);
                        let torque = acting(top, t - since, [&from, &at], x);
                        let momentum = top.inertia().times(w);
                        (*w, top.inertia().solve(&(torque + momentum.cross(w))))
                    };
                    let mut after = *y;
                    RunningRule::new(rule, f64::INFINITY).step(&slopes, t, h, &mut after);
                    *y = after;
                },
            );
            let found = identify(&*begun, Scope::whole(true), true);
            let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
            assert_eq!(ids, [id], "{rule:?} {x}: {found:?}");
            // A switch is known to two steps of the long run.
            if let Symptom::TorqueHabit(acts) = &*found.claims[0].symptom
                && let TorqueHabit::Switched { .. } = acts.habit
            {
                assert!((acts.number - x).abs() < 1e-3, "{rule:?} {x}: {acts:?}");
            }
        }
    }
}

#[test]
fn torques_that_are_held_for_a_fixed_time_are_told() {
    let mut random = Random::new(37);
    for nearest in [true, false] {
        let span = 0.008 + 0.03 * random.uniform();
        let held = solver(move |top: &Top, t, h, y, kept: &mut Option<(f64, Vec3)>| {
            let slopes = |t: f64, att: &Mat3, w: &Vec3, kept: &mut Option<(f64, Vec3)>| {
                let whole = (t / span + if nearest { 0.5 } else { 0.0 } + 1e-9).floor();
                if kept.is_none_or(|(last, _)| last != whole) {
                    *kept = Some((whole, top.torque_body(t, att)));
                }
                let torque = kept.map_or(Vec3::zeros(), |(_, torque)| torque);
                let momentum = top.inertia().times(w);
                top.inertia().solve(&(torque + momentum.cross(w)))
            };
            let before = y.omega;
            let middle = before + slopes(t, &y.att, &before, kept) * (0.5 * h);
            let half = y.att * so3::exp(&(before * (0.5 * h)));
            y.omega += slopes(t + 0.5 * h, &half, &middle, kept) * h;
            y.att *= so3::exp(&(middle * h));
        });
        let found = identify(&*held, Scope::whole(true), true);
        let said: Vec<String> = found.claims.iter().map(|c| c.sentence()).collect();
        assert!(
            said.len() == 1 && said[0].contains("of the whole number of"),
            "{span}, {nearest}: {said:?}"
        );
    }
}

#[test]
fn a_clock_of_its_own_for_torques_of_time_is_told() {
    type Clock = fn(f64, f64, u64, f64) -> f64;
    // Of a time, the step, the number of the step and a number.
    let clocks: [(Clock, [f64; 2], &str); 8] = [
        (
            |t, _, _, x| (t / x + 1e-9).floor() * x,
            [1e-3, 0.02],
            "those before",
        ),
        (
            |t, _, _, x| (t / x).round() * x,
            [1e-3, 0.02],
            "the nearest",
        ),
        (|t, _, _, x| t % x, [1.5, 2.5], "begins anew after each"),
        (|t, _, _, x| t - x, [1e-4, 0.3], "is behind by"),
        (
            |t, h, n, x| t - (n as f64 / x).floor() * x * h,
            [64.0, 64.0],
            "after each 64 steps",
        ),
        (
            |t, _, _, _| f64::from(t as f32),
            [1.0, 1.0],
            "is of single precision",
        ),
        (
            |t, h, n, _| {
                let from = (t - n as f64 * h) as f32;
                f64::from((0..n).fold(from, |t, _| t + h as f32))
            },
            [1.0, 1.0],
            "a sum of steps in single precision",
        ),
        (
            |t, h, n, _| if n % 7 == 3 { t - h } else { t },
            [1.0, 1.0],
            "in some steps",
        ),
    ];
    let mut random = Random::new(53);
    for rule in [Rule::Rk4, Rule::Midpoint, Rule::SemiImplicitEuler] {
        for (clock, [least, most], says) in clocks {
            let x = least * f64::powf(most / least, random.uniform());
            let other = solver(move |top: &Top, t, h, y, steps: &mut Option<u64>| {
                let n = steps.get_or_insert(0);
                by(rule, top, clock(t, h, *n, x), h, y);
                *n += 1;
            });
            let found = identify(&*other, Scope::whole(true), true);
            let said: Vec<String> = found.claims.iter().map(Claim::sentence).collect();
            assert!(
                said.len() == 1 && said[0].contains(says),
                "{rule:?}: {says} {x}: {said:?}"
            );
        }
    }
}

#[test]
fn angles_of_a_torque_in_another_unit_are_told() {
    let degrees = core::f64::consts::PI / 180.0;
    // Phases, frequencies, or both.
    for [of_rate, of_phase] in [
        [1.0, degrees],
        [degrees, 1.0],
        [degrees, degrees],
        [1.0, 1.0 / degrees],
    ] {
        let wrong = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            let mut table = serde_json::to_value(top.torque()).expect("a torque is written");
            table.as_object_mut().map(|table| table.remove("formula"));
            let mut other = top.torque().clone();
            for (key, factor) in [("rates", of_rate), ("rate", of_rate), ("phases", of_phase)] {
                let Some(value) = table.get_mut(key) else {
                    continue;
                };
                for x in value.as_array_mut().into_iter().flatten() {
                    *x = (x.as_f64().expect("a number") * factor).into();
                }
                let read: topsim_core::models::TorqueTable =
                    serde_json::from_value(table.clone()).expect("a table");
                other = read.torque().expect("a torque");
            }
            let initial = RotState {
                att: y.att,
                omega: y.omega,
            };
            by(
                Rule::Rk4,
                &Top::new(top.inertia().clone(), other, initial),
                t,
                h,
                y,
            );
        });
        let problem = Problem::builtin("judge_driven").expect("a built-in case");
        let known = identify(&*wrong, Scope::whole(true), true);
        let found = of_case(&*wrong, &problem, &known);
        let said: Vec<String> = found.claims.iter().map(Claim::sentence).collect();
        assert!(
            said.len() == 1 && said[0].contains("are taken for each other"),
            "{of_rate} {of_phase}: {said:?}"
        );
    }
}
