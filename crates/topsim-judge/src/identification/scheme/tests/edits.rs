//! Tableaus with a wrong entry, right solvers at a floor, and solvers that are of no family.

use super::solvers::{Rule, Top, When, many, one, quaternion_rule};
use super::tableau::Place;
use super::*;
use crate::identification::experiment::{Answer, Row};
use topsim_core::math::{Vec3, so3};
use topsim_core::models::RotState;

/// Rules by hand, as authors type them.
fn typed() -> Vec<(&'static str, Rule)> {
    let rule = |a: &[&[f64]], b: &[f64]| Rule {
        a: a.iter().map(|r| r.to_vec()).collect(),
        b: b.to_vec(),
    };
    vec![
        (
            "RK4",
            rule(
                &[&[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
                &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
            ),
        ),
        (
            "the 3/8 rule",
            rule(
                &[&[1.0 / 3.0], &[-1.0 / 3.0, 1.0], &[1.0, -1.0, 1.0]],
                &[0.125, 0.375, 0.375, 0.125],
            ),
        ),
        (
            "Kutta's rule of order 3",
            rule(&[&[0.5], &[-1.0, 2.0]], &[1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0]),
        ),
        (
            "Ralston's rule of order 3",
            rule(&[&[0.5], &[0.0, 0.75]], &[2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0]),
        ),
    ]
}

/// One entry of A changed at random: the tableau, the place and the value are said.
#[test]
fn wrong_entries_are_found() {
    let mut chance = questioner::PseudoRandom::new(77);
    let mut hits = 0;
    let mut missed = Vec::new();
    for n in 0..30 {
        let (name, mut rule) = typed().swap_remove(n % 4);
        let row = ((chance.next() + 1.0) * 0.5 * rule.a.len() as f64) as usize;
        let column = ((chance.next() + 1.0) * 0.5 * rule.a[row].len() as f64) as usize;
        let was = rule.a[row][column];
        let is = was + chance.next().signum() * (0.1 + 0.3 * chance.next().abs());
        rule.a[row][column] = is;
        let place = format!("a{}{}", row + 2, column + 1);
        let f = said(
            &format!("{name} {place} {was} -> {is}"),
            &*quaternion_rule(rule, When::Stage),
            2e-16,
        );
        let hit = f.flaws.iter().any(|x| {
            matches!(x, SchemeFlaw::TableauEntry { tableau, place: p, is: i, .. }
            if *tableau == name && p.to_string() == place && (i - is).abs() < 1e-6)
        });
        hits += usize::from(hit);
        if !hit {
            missed.push((name, place, f.name));
        }
    }
    assert_eq!(hits, 30, "{missed:?}");
}

#[test]
fn usual_slips_of_a_tableau() {
    let slip = |name: &str, row: usize, entries: &[f64], part: &str| {
        let (_, mut rule) = typed().swap_remove(0);
        rule.a[row] = entries.to_vec();
        let f = said(name, &*quaternion_rule(rule, When::Stage), 2e-16);
        assert!(
            f.name.as_deref().is_some_and(|n| n.contains(part)),
            "{:?}",
            f.name
        );
        assert!(
            matches!(
                f.flaws[..],
                [SchemeFlaw::TableauEntry { .. } | SchemeFlaw::TableauMoved { .. }]
            ),
            "{:?}",
            f.flaws
        );
    };
    slip(
        "half at the end",
        2,
        &[0.0, 0.0, 0.5],
        "a43 = 1/2 instead of 1",
    );
    slip(
        "third stage of the first",
        1,
        &[0.5, 0.0],
        "a32 in the place of a31",
    );
    slip(
        "fourth stage of the second",
        2,
        &[0.0, 1.0, 0.0],
        "a43 in the place of a42",
    );
    slip(
        "fourth stage of the first",
        2,
        &[1.0, 0.0, 0.0],
        "a43 in the place of a41",
    );
    let (_, mut rule) = typed().swap_remove(0);
    rule.b = vec![1.0 / 6.0, 1.0 / 6.0, 0.5, 1.0 / 6.0];
    let f = said("weights", &*quaternion_rule(rule, When::Stage), 2e-16);
    assert!(
        matches!(f.flaws[..], [SchemeFlaw::TableauEntry { .. }]) || f.flaws.is_empty(),
        "{:?}",
        f.flaws
    );
}

/// Another precision of the rows.
struct Rounded<'a>(&'a dyn Target, fn(f64) -> f64);

impl Target for Rounded<'_> {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let round = |r: Row| {
            let q = so3::quat_from_matrix(&r.att).map(self.1);
            let y = RotState {
                att: so3::matrix_from_quat(&q),
                omega: r.omega.map(self.1),
            };
            Row {
                quaternion: Some(q),
                ..Row::of(r.t, &y)
            }
        };
        let all = self.0.answers(probes).into_iter();
        all.map(|a| a.map(|rows| rows.into_iter().map(round).collect()))
            .collect()
    }
}

fn single(x: f64) -> f64 {
    f64::from(x as f32)
}
fn nine(x: f64) -> f64 {
    (x * 1e9).round() / 1e9
}

/// What is said at few digits is right, or nothing is.
#[test]
fn few_digits() {
    let euler = one(|p, t, h, y| {
        let j = p.inertia();
        let l = j.times(&y.omega);
        y.omega += j.solve(&(p.torque_body(t, &y.att) + l.cross(&y.omega))) * h;
        y.att *= so3::exp(&(y.omega * h));
    });
    for (text, noise, round) in [
        ("float32", 6e-8, single as fn(f64) -> f64),
        ("nine digits", 1e-9, nine),
    ] {
        let f = said(
            &format!("{text} semi-implicit Euler"),
            &Rounded(&*euler, round),
            noise,
        );
        assert!(
            f.name
                .as_deref()
                .is_some_and(|n| n.contains("semi-implicit Euler")),
            "{:?}",
            f.name
        );
        assert!(f.flaws.is_empty(), "{:?}", f.flaws);
        for (name, rule) in typed() {
            let f = said(
                &format!("{text} {name}"),
                &Rounded(&*quaternion_rule(rule, When::Stage), round),
                noise,
            );
            assert!(
                f.name.as_deref().is_none_or(|n| n.starts_with(name)),
                "{:?}",
                f.name
            );
            assert!(f.flaws.is_empty(), "{:?}", f.flaws);
        }
    }
}

fn exact(p: &Top, t: f64, h: f64, y: &mut RotState, parts: usize) {
    let start = crate::identification::experiment::Start {
        att: y.att,
        omega: y.omega,
        inertia: p.inertia().clone(),
        load: crate::identification::experiment::Load::None,
    };
    // The classical rule in small steps, on the group.
    let mut y2 = *y;
    let s = h / parts as f64;
    for n in 0..parts {
        let t = t + s * n as f64;
        let a = |t: f64, u: &Vec3, w: &Vec3| {
            let r = y2.att * so3::exp(u);
            let j = &start.inertia;
            let uw = u.cross(w);
            let e = so3::tangent_inverse_coefficient(u.norm_squared());
            (
                w + uw * 0.5 + u.cross(&uw) * e,
                j.solve(&(p.torque_body(t, &r) + j.times(w).cross(w))),
            )
        };
        let (u0, w0) = (Vec3::zeros(), y2.omega);
        let k1 = a(t, &u0, &w0);
        let k2 = a(t + s / 2.0, &(k1.0 * (s / 2.0)), &(w0 + k1.1 * (s / 2.0)));
        let k3 = a(t + s / 2.0, &(k2.0 * (s / 2.0)), &(w0 + k2.1 * (s / 2.0)));
        let k4 = a(t + s, &(k3.0 * s), &(w0 + k3.1 * s));
        y2.att *= so3::exp(&((k1.0 + (k2.0 + k3.0) * 2.0 + k4.0) * (s / 6.0)));
        y2.omega += (k1.1 + (k2.1 + k3.1) * 2.0 + k4.1) * (s / 6.0);
    }
    *y = y2;
}

/// Inner steps and tight tolerances.
#[test]
fn inner_steps() {
    let f = said(
        "four inner steps",
        &*one(|p, t, h, y| exact(p, t, h, y, 4)),
        2e-16,
    );
    assert!(
        f.name
            .as_deref()
            .is_some_and(|n| n.starts_with("4 inner steps of RK4")),
        "{:?}",
        f.name
    );
    assert!(f.flaws.is_empty());
    let f = said(
        "the exact flow",
        &*one(|p, t, h, y| exact(p, t, h, y, 100)),
        2e-16,
    );
    assert!(
        f.name.as_deref().is_none_or(|n| !n.starts_with("RK4 on")),
        "{:?}",
        f.name
    );
    assert!(f.flaws.is_empty());
    let f = said(
        "fixed inner steps of 0.01",
        &*one(|p, t, h, y| {
            let n = (h / 0.01).round().max(1.0) as usize;
            exact(p, t, h, y, n);
        }),
        2e-16,
    );
    assert!(f.flaws.is_empty());
    let f = said(
        "steps of 0.01 by semi-implicit Euler",
        &*one(|p, t, h, y| {
            let n = (h / 0.01).round().max(1.0);
            for k in 0..n as usize {
                let s = h / n;
                let j = p.inertia();
                let l = j.times(&y.omega);
                y.omega +=
                    j.solve(&(p.torque_body(t + s * k as f64, &y.att) + l.cross(&y.omega))) * s;
                y.att *= so3::exp(&(y.omega * s));
            }
        }),
        2e-16,
    );
    assert!(f.flaws.is_empty());
}

/// Nothing wrong is said of what is of no family.
#[test]
fn outside_the_families() {
    let none = |name: &str, target: &dyn Target| {
        let f = said(name, target, 2e-16);
        assert!(f.name.is_none(), "{name}: {:?}", f.name);
        f
    };
    // A predictor with two corrections, the second damped.
    let f = none(
        "two corrections",
        &*one(|p, t, h, y| {
            let j = p.inertia().clone();
            let a = |t: f64, r: &_, w: &Vec3| j.solve(&(p.torque_body(t, r) + j.times(w).cross(w)));
            let (r, w) = (y.att, y.omega);
            let a0 = a(t, &r, &w);
            let mut x = w + a0 * h;
            for _ in 0..2 {
                let e = r * so3::exp(&((w + x) * (0.5 * h)));
                x = w + (a0 + a(t + h, &e, &x)) * (0.5 * h) + (x - w).cross(&w) * (0.1 * h * h);
            }
            y.att = r * so3::exp(&((w + x) * (0.5 * h) + w.cross(&x) * (h * h / 12.0)));
            y.omega = x;
        }),
    );
    assert!(f.flaws.is_empty(), "{:?}", f.flaws);
    // A rule of three steps, begun well.
    let f = said(
        "ab3",
        &*many(|p, t, h, y, m: &mut Vec<(Vec3, Vec3)>| {
            let j = p.inertia().clone();
            let now = (
                j.solve(&(p.torque_body(t, &y.att) + j.times(&y.omega).cross(&y.omega))),
                y.omega,
            );
            m.insert(0, now);
            if m.len() < 3 {
                exact(p, t, h, y, 8);
            } else {
                let c = [23.0 / 12.0, -16.0 / 12.0, 5.0 / 12.0];
                let sum = |f: &dyn Fn(&(Vec3, Vec3)) -> Vec3| {
                    (0..3).map(|i| f(&m[i]) * c[i]).sum::<Vec3>()
                };
                let (a, w) = (sum(&|x| x.0), sum(&|x| x.1));
                y.omega += a * h;
                y.att *= so3::exp(&(w * h));
            }
        }),
        2e-16,
    );
    assert!(f.flaws.is_empty(), "{:?}", f.flaws);
}

/// Rules that no one has named: an edit may be found or not, but right ones are not called wrong.
#[test]
fn unnamed_rules_are_not_wrong() {
    let mut flawed = Vec::new();
    for (text, c2, c3) in [
        ("generic order 2", 0.4, 0.0),
        ("order 2, c = 3/4", 0.75, 0.0),
    ] {
        let rule = Rule {
            a: vec![vec![c2]],
            b: vec![1.0 - 0.5 / c2, 0.5 / c2],
        };
        let f = said(text, &*quaternion_rule(rule, When::Stage), 2e-16);
        if !f.flaws.is_empty() {
            flawed.push((text, c2, c3, f.flaws));
        }
    }
    // Order 3 with any c₂, c₃.
    for (c2, c3) in [(0.25, 0.75), (0.3, 0.8), (0.6, 0.9), (0.4, 1.0), (0.5, 0.7)] {
        let b3 = (2.0 - 3.0 * c2) / (6.0 * c3 * (c3 - c2));
        let b2 = (2.0 - 3.0 * c3) / (6.0 * c2 * (c2 - c3));
        let a32 = 1.0 / (6.0 * b3 * c2);
        let rule = Rule {
            a: vec![vec![c2], vec![c3 - a32, a32]],
            b: vec![1.0 - b2 - b3, b2, b3],
        };
        let f = said(
            &format!("order 3, {c2} {c3}"),
            &*quaternion_rule(rule, When::Stage),
            2e-16,
        );
        if !f.flaws.is_empty() {
            flawed.push(("order 3", c2, c3, f.flaws));
        }
    }
    // Order 4 with c = (0, c₂, 1/2, 1) of Kutta's family.
    for b3 in [0.1, 0.2, 0.25, 0.4] {
        let a32 = 1.0 / (6.0 * b3);
        let rule = Rule {
            a: vec![
                vec![0.5],
                vec![0.5 - a32, a32],
                vec![0.0, 1.0 - 3.0 * b3, 3.0 * b3],
            ],
            b: vec![1.0 / 6.0, 2.0 / 3.0 - b3, b3, 1.0 / 6.0],
        };
        let f = said(
            &format!("order 4, b3 = {b3}"),
            &*quaternion_rule(rule, When::Stage),
            2e-16,
        );
        if !f.flaws.is_empty() {
            flawed.push(("order 4", b3, 0.0, f.flaws));
        }
    }
    assert!(flawed.is_empty(), "{flawed:?}");
}

/// Two entries changed: none else is blamed.
#[test]
fn two_wrong_entries_are_not_one() {
    let mut chance = questioner::PseudoRandom::new(99);
    let mut hits = 0;
    for n in 0..12 {
        let (name, mut rule) = typed().swap_remove(n % 2);
        rule.a[1][1] += 0.2 * chance.next() + 0.05;
        rule.a[2][0] += 0.3 * chance.next() + 0.04;
        let f = said(
            &format!("{name} twice"),
            &*quaternion_rule(rule, When::Stage),
            2e-16,
        );
        hits += usize::from(f.name.is_some());
        assert!(
            f.name
                .as_deref()
                .is_none_or(|n| n.starts_with(name) || n.starts_with("a Runge")),
            "{:?}",
            f.name
        );
        for flaw in &f.flaws {
            assert!(
                matches!(flaw, SchemeFlaw::TableauEntry { tableau, place: Place::Stage(3, 2) | Place::Stage(4, 1), .. } if *tableau == name),
                "{flaw:?}"
            );
        }
    }
    assert!(hits >= 11, "{hits}");
}

/// Answers some questions only, and those in part.
struct Reluctant<'a>(&'a dyn Target, fn(&Probe) -> bool, usize);

impl Target for Reluctant<'_> {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let all = self.0.answers(probes).into_iter().zip(probes);
        all.map(|(a, p)| {
            if !(self.1)(p) {
                return Err("refused".into());
            }
            a.map(|mut rows| {
                rows.truncate(self.2);
                rows
            })
        })
        .collect()
    }
}

#[test]
fn solvers_that_refuse() {
    use crate::identification::experiment::Load;
    let (_, rule) = typed().swap_remove(0);
    let whole = quaternion_rule(rule, When::Stage);
    let f = said("no answer", &Reluctant(&*whole, |_| false, 9), 2e-16);
    assert!(f.name.is_none() && f.flaws.is_empty());
    let f = said(
        "the first row only",
        &Reluctant(&*whole, |_| true, 1),
        2e-16,
    );
    assert!(f.name.is_none() && f.flaws.is_empty());
    let f = said("one step only", &Reluctant(&*whole, |_| true, 2), 2e-16);
    assert!(f.name.is_some_and(|n| n.starts_with("RK4 on (quaternion")) && f.flaws.is_empty());
    let heavy = |p: &Probe| matches!(p.start.load, Load::Gravity { .. });
    let f = said("gravity only", &Reluctant(&*whole, heavy, 9), 2e-16);
    assert!(f.name.is_some_and(|n| n.starts_with("RK4 on (quaternion")) && f.flaws.is_empty());
}

/// A memory with few digits.
#[test]
fn few_digits_and_a_memory() {
    let acc = |p: &Top, t: f64, y: &RotState| {
        let j = p.inertia();
        j.solve(&(p.torque_body(t, &y.att) + j.times(&y.omega).cross(&y.omega)))
    };
    let ab2 = many(move |p, t, h, y, m: &mut Option<(Vec3, Vec3)>| {
        let (a, w) = (acc(p, t, y), y.omega);
        match m.replace((a, w)) {
            Some((b, v)) => {
                y.omega += (a * 1.5 - b * 0.5) * h;
                y.att *= so3::exp(&((w * 1.5 - v * 0.5) * h));
            }
            None => exact(p, t, h, y, 4),
        }
    });
    let lag = many(move |p, t, h, y, m: &mut Option<Vec3>| {
        let j = p.inertia();
        let now = p.torque_body(t, &y.att);
        let torque = m.replace(now).unwrap_or(now);
        y.omega += j.solve(&(torque + j.times(&y.omega).cross(&y.omega))) * h;
        y.att *= so3::exp(&(y.omega * h));
    });
    for (text, noise, round) in [
        ("float32", 6e-8, single as fn(f64) -> f64),
        ("nine digits", 1e-9, nine),
    ] {
        let f = said(&format!("{text} ab2"), &Rounded(&*ab2, round), noise);
        assert!(
            f.name
                .as_deref()
                .is_some_and(|n| n.starts_with("Adams–Bashforth of order 2")),
            "{:?}",
            f.name
        );
        assert!(f.flaws.is_empty(), "{:?}", f.flaws);
        let f = said(
            &format!("{text} lagged torque"),
            &Rounded(&*lag, round),
            noise,
        );
        assert!(
            f.name
                .as_deref()
                .is_some_and(|n| n.contains("torque of the step before")),
            "{:?}",
            f.name
        );
        assert!(
            matches!(f.flaws[..], [SchemeFlaw::StaleTorque { .. }]),
            "{:?}",
            f.flaws
        );
    }
}
