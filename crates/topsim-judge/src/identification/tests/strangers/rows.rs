//! Solvers that write, keep or begin with other rows than their own.

use super::*;

#[test]
fn starts_that_are_read_wrongly_are_told_though_row_0_is_as_given() {
    for rule in rules() {
        for back in [true, false] {
            let turned = solver(move |top: &Top, t, h, y, begun: &mut Option<()>| {
                if begun.replace(()).is_none() {
                    let turn = if back { y.att.transpose() } else { y.att };
                    y.omega = turn * y.omega;
                }
                by(rule, top, t, h, y);
            });
            claims(&*turned, &["model/another_start"]);
        }
        let inverse = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            y.att = y.att.transpose();
            by(rule, top, t, h, y);
            y.att = y.att.transpose();
        });
        claims(&*inverse, &["reporting/transposed"]);
    }
}

#[test]
fn attitudes_of_a_step_before_are_told() {
    for rule in rules() {
        let late = solver(move |top: &Top, t, h, y, kept: &mut Option<Mat3>| {
            let shown = kept.unwrap_or(y.att);
            y.att = shown;
            by(rule, top, t, h, y);
            *kept = Some(y.att);
            y.att = shown;
        });
        claims(&*late, &["reporting/time_stamps"]);
    }
}

#[test]
fn a_sign_or_a_quadrant_that_is_lost_is_told_as_such() {
    let mut random = Random::new(11);
    for rule in rules() {
        let component = (random.bits() % 4) as usize;
        let signs = Written(plain(rule), |rows: &mut [Row]| {
            for row in rows {
                let mut q = so3::quat_from_matrix(&row.att);
                q[component] = q[component].abs();
                (row.att, row.quaternion) = (so3::matrix_from_quat(&q), Some(q));
            }
        });
        claims(&signs, &["reporting/branch_lost"]);
        // Half a turn about an axis of the body is the other quadrant of the last angle, of space that of the first.
        let axis = (random.bits() % 3) as usize;
        let half = so3::exp(&(Vec3::ith(axis, core::f64::consts::PI)));
        let (i, k) = ((axis + 1) % 3, (random.bits() % 3) as usize);
        let of_body = random.bits().is_multiple_of(2);
        let quadrants = Written(plain(rule), move |rows: &mut [Row]| {
            for row in rows {
                let entry = if of_body {
                    row.att[(k, i)]
                } else {
                    row.att[(i, k)]
                };
                if entry < 0.0 {
                    row.att = if of_body {
                        row.att * half
                    } else {
                        half * row.att
                    };
                }
            }
        });
        claims(&quadrants, &["reporting/branch_lost"]);
    }
}

#[test]
fn rates_behind_a_filter_are_told_as_rates() {
    let mut random = Random::new(41);
    for rule in [Rule::Midpoint, Rule::Rk4] {
        let old = 0.1 + 0.3 * random.uniform();
        let filtered = solver(move |top: &Top, t, h, y, kept: &mut Option<Vec3>| {
            let shown = y.omega;
            y.omega = kept.unwrap_or(shown);
            by(rule, top, t, h, y);
            *kept = Some(y.omega);
            y.omega = shown * old + y.omega * (1.0 - old);
        });
        claims(&*filtered, &["reporting/rates"]);
    }
}

#[test]
fn slow_bodies_that_lose_a_part_in_each_step_are_told() {
    let mut random = Random::new(43);
    for rule in rules() {
        let (limit, left) = (0.02 + 0.2 * random.uniform(), 0.5 + 0.49 * random.uniform());
        let slowed = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            by(rule, top, t, h, y);
            if y.omega.norm() < limit {
                y.omega *= left;
            }
        });
        claims(&*slowed, &["scheme/sleep"]);
    }
}

#[test]
fn rows_that_are_all_the_last_one_are_told() {
    for rule in rules() {
        let aliased = Written(plain(rule), |rows: &mut [Row]| {
            if let Some(last) = rows.last().cloned() {
                for row in rows {
                    *row = Row {
                        t: row.t,
                        ..last.clone()
                    };
                }
            }
        });
        claims(&aliased, &["reporting/same_rows"]);
    }
}

#[test]
fn what_other_problems_leave_and_what_scatters_is_told() {
    let mut random = Random::new(31);
    for rule in rules() {
        let size = 1e-3 * (1.0 + random.uniform());
        let count = Arc::new(AtomicU64::new(0));
        let noisy = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            by(rule, top, t, h, y);
            let seed = count.fetch_add(1, Ordering::Relaxed);
            y.omega += Random::new(seed).vector() * (size * h.sqrt());
        });
        claims(&*noisy, &["scheme/scatters"]);
        // The inertia that divides is that of the first problem, or both are.
        for both in [true, false] {
            let first = Arc::new(OnceLock::new());
            let cached = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
                let divides = first.get_or_init(|| top.inertia().clone());
                let turns = if both { divides } else { top.inertia() };
                let slopes = |t: f64, att: &Mat3, w: &Vec3| {
                    let torque = top.torque_body(t, att) + turns.times(w).cross(w);
                    (*w, divides.solve(&torque))
                };
                RunningRule::new(rule, f64::INFINITY).step(&slopes, t, h, y);
            });
            claims(&*cached, &["scheme/remembers_problems"]);
        }
    }
}

#[test]
fn attitudes_that_are_kept_with_few_bits_are_told() {
    let mut random = Random::new(19);
    for rule in rules() {
        let unit = 2.0_f64.powi(-11 - (random.bits() % 6) as i32);
        let rounded = solver(move |top: &Top, t, h, y, _: &mut Option<()>| {
            by(rule, top, t, h, y);
            let q = so3::quat_from_matrix(&y.att).map(|x| (x / unit).round() * unit);
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            y.att = so3::matrix_from_quat(&q.map(|x| x / length));
        });
        claims(&*rounded, &["scheme/state_in_single"]);
    }
}

/// A row whose numbers are rounded to so many in one.
fn rounded(row: &mut Row, of_one: f64) {
    let round = |x: f64| (x * of_one).round() / of_one;
    let q = so3::quat_from_matrix(&row.att).map(round);
    let rate = row.omega.map(round);
    row.att = so3::matrix_from_quat(&quaternion::unit(&q));
    (row.quaternion, row.omega, row.rate) = (Some(q), rate, rate);
    row.numbers = q.into_iter().chain(<[f64; 3]>::from(rate)).collect();
}

/// A solver that begins anew at each row that is asked for, as it is written.
struct Restarted<F>(Box<dyn Target>, F);

impl<F: Fn(&mut Row)> Target for Restarted<F> {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let run = |p: &Probe| {
            let mut rows: Vec<Row> = Vec::new();
            let (parts, steps) = if p.ends { (1, p.steps) } else { (p.steps, 1) };
            for n in 0..parts {
                let mut one = Probe {
                    from: p.time(n),
                    steps,
                    ..p.clone()
                };
                if let Some(row) = rows.last() {
                    (one.start.att, one.start.omega) = (row.att, row.omega);
                }
                let mut made = self.0.answers(&[one]).remove(0)?;
                made.iter_mut().for_each(&self.1);
                rows.extend(made.into_iter().skip(usize::from(n > 0)));
            }
            Ok(rows)
        };
        probes.iter().map(run).collect()
    }
}

#[test]
fn a_history_that_is_dropped_at_each_row_is_told() {
    let multistep = || {
        solver(|top: &Top, t, h, y, kept: &mut Option<Vec3>| {
            let momentum = top.inertia().times(&y.omega);
            let slope = acceleration(top, t, &y.att, &momentum, &y.omega);
            let before = kept.replace(slope).unwrap_or(slope);
            let omega = y.omega + (slope * 1.5 - before * 0.5) * h;
            y.att *= so3::exp(&((y.omega + omega) * (0.5 * h)));
            y.omega = omega;
        })
    };
    let as_it_is = |_: &mut Row| ();
    claims(&Restarted(multistep(), as_it_is), &["scheme/rows_matter"]);
    for rule in rules() {
        claims(&Restarted(plain(rule), as_it_is), &[]);
    }
}

#[test]
fn a_state_that_is_rounded_at_each_row_is_told() {
    let mut random = Random::new(47);
    // An error of the first order hides what is rounded.
    for rule in [Rule::Midpoint, Rule::Rk4, Rule::Rk4RotationVector] {
        let of_one = 10.0_f64.powi(4 + (random.bits() % 3) as i32);
        let state = Restarted(plain(rule), move |row: &mut Row| rounded(row, of_one));
        claims(&state, &["scheme/rows_matter"]);
        // Rows that are rounded alone are right.
        let rows = Written(plain(rule), move |rows: &mut [Row]| {
            rows.iter_mut().for_each(|row| rounded(row, of_one));
        });
        claims(&rows, &[]);
    }
}

/// A solver that makes so many steps as one, with rows on lines between them, or with the last one again.
struct AsOne(Box<dyn Target>, usize, bool);

impl Target for AsOne {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let run = |p: &Probe| {
            let own = Probe {
                step: p.step * self.1 as f64,
                steps: p.steps.div_ceil(self.1),
                ends: false,
                ..p.clone()
            };
            let rows = self.0.answers(&[own]).remove(0)?;
            let between = |n: usize| {
                let (from, to) = (&rows[n / self.1], rows.get(n / self.1 + 1));
                let part = (n % self.1) as f64 / self.1 as f64;
                let Some(to) = to.filter(|_| self.2 && part > 0.0) else {
                    return from.clone();
                };
                let turn = so3::log(&from.att.tr_mul(&to.att)) * part;
                let y = RotState {
                    att: from.att * so3::exp(&turn),
                    omega: from.omega + (to.omega - from.omega) * part,
                };
                Row::of(p.time(n), &y)
            };
            Ok(p.rows().map(between).collect())
        };
        probes.iter().map(run).collect()
    }
}

#[test]
fn steps_that_are_made_as_one_are_told() {
    for rule in rules() {
        for steps in 2..=3 {
            claims(
                &AsOne(plain(rule), steps, true),
                &["reporting/interpolated"],
            );
            claims(&AsOne(plain(rule), steps, false), &["scheme/step_carried"]);
        }
    }
}

#[test]
fn rows_of_parts_of_a_step_before_or_after_their_times_are_told() {
    let mut random = Random::new(59);
    for rule in [Rule::Rk4, Rule::Midpoint, Rule::Rk4RotationVector] {
        let part = 0.2 + 0.6 * random.uniform();
        for part in [part, -part] {
            let ahead = solver(move |top: &Top, t, h, y, kept: &mut Option<Mat3>| {
                y.att = kept.unwrap_or(y.att);
                by(rule, top, t, h, y);
                *kept = Some(y.att);
                y.att *= so3::exp(&(y.omega * (part * h)));
            });
            claims(&*ahead, &["reporting/time_stamps"]);
        }
        // Each second step is longer by a part, and the others are shorter.
        let uneven = solver(move |top: &Top, t, h, y, steps: &mut Option<u64>| {
            let n = steps.get_or_insert(0);
            let early = if n.is_multiple_of(2) { 0.0 } else { part };
            let longer = if n.is_multiple_of(2) { part } else { -part };
            *n += 1;
            by(rule, top, t + early * h, h * (1.0 + longer), y);
        });
        claims(&*uneven, &["reporting/time_stamps"]);
    }
}

#[test]
fn rates_that_are_rounded_at_the_start_are_told() {
    for unit in [1e-4, 1e-7] {
        let rounded = move |w: Vec3| w.map(|x| (x / unit).round() * unit);
        let steps = solver(move |top: &Top, t, h, y, begun: &mut Option<()>| {
            if begun.replace(()).is_none() {
                y.omega = rounded(y.omega);
            }
            by(Rule::Rk4, top, t, h, y);
        });
        let written = Written(steps, move |rows: &mut [Row]| {
            rows[0].omega = rounded(rows[0].omega);
            rows[0].rate = rows[0].omega;
        });
        claims(&written, &["model/another_start"]);
    }
}
