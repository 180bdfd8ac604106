//! What `topsim show SCHEME` prints suffices to compute the scheme: a second program, which knows the families and has no
//! coefficient of its own, makes the first four steps of `pairs_pulse` from the printed numbers.

use crate::support::{Folder, repository_text};
use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};
use std::collections::BTreeMap;

type Vec3 = Vector3<f64>;

const STEP: f64 = 0.1;
const START: f64 = 0.25;

/// The lists of numbers that a page has, by their letters.
fn lists(page: &str) -> BTreeMap<String, Vec<f64>> {
    let text = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = BTreeMap::new();
    for (place, _) in text.match_indices(" = (") {
        let name = text[..place].rsplit(' ').next().unwrap();
        let inside = text[place + 4..].split(')').next().unwrap();
        let numbers: Result<Vec<f64>, _> = inside.split(", ").map(str::parse).collect();
        if let Ok(numbers) = numbers {
            out.insert(name.to_string(), numbers);
        }
    }
    out
}

/// The turns of each stage on the group: after which stage it begins, and the exponents as factors of the k.
fn stages(page: &str) -> Vec<(usize, Vec<Vec<f64>>)> {
    let text = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = Vec::new();
    for part in text.split(" = Λ").skip(1) {
        let Some((after, rest)) = part.split_once(" exp(") else {
            continue;
        };
        let Ok(after) = after.parse::<usize>() else {
            continue;
        };
        let turns = rest.split("exp(").map(|turn| {
            let inside = turn.split(')').next().unwrap();
            let mut row = Vec::new();
            let mut sign = 1.0;
            let mut number = f64::NAN;
            for word in inside.split(' ') {
                match word {
                    "+" => sign = 1.0,
                    "-" => sign = -1.0,
                    k if k.starts_with('k') => {
                        let k: usize = k[1..].parse().unwrap();
                        row.resize(row.len().max(k), 0.0);
                        row[k - 1] = sign * number;
                        sign = 1.0;
                    }
                    word => number = word.parse().unwrap(),
                }
            }
            row
        });
        out.push((after - 1, turns.collect()));
    }
    out
}

struct Body {
    inertia: Matrix3<f64>,
    inverse: Matrix3<f64>,
    /// The torque as a multiple of that of the case.
    pulse: f64,
}

impl Body {
    /// The body of `pairs_pulse`.
    fn new() -> Self {
        let inertia = Matrix3::new(0.62, 0.05, -0.03, 0.05, 0.81, 0.04, -0.03, 0.04, 1.02);
        let inverse = inertia.try_inverse().unwrap();
        Self {
            inertia,
            inverse,
            pulse: 1.0,
        }
    }
    fn torque(&self, t: f64, att: &Matrix3<f64>) -> Vec3 {
        att.transpose() * Vec3::new(1.1, -0.7, 1.6) * (self.pulse * (2.0 * t).sin().powi(2))
    }
    fn rate(&self, pi: &Vec3) -> Vec3 {
        self.inverse * pi
    }
    /// Slopes of quaternion and momentum.
    fn slopes(&self, t: f64, (q, pi): &(Quaternion<f64>, Vec3)) -> (Quaternion<f64>, Vec3) {
        let w = self.rate(pi);
        let att = UnitQuaternion::from_quaternion(*q).to_rotation_matrix();
        let turning = q * Quaternion::from_imag(w) * 0.5;
        (turning, pi.cross(&w) + self.torque(t, att.matrix()))
    }
    /// One step of a Runge–Kutta rule on quaternion and momentum, not normalised.
    fn explicit(
        &self,
        t: f64,
        h: f64,
        y: &(Quaternion<f64>, Vec3),
        (rows, weights): (&[Vec<f64>], &[f64]),
    ) -> (Quaternion<f64>, Vec3) {
        let mut k: Vec<(Quaternion<f64>, Vec3)> = Vec::new();
        let sum = |row: &[f64], k: &[(Quaternion<f64>, Vec3)]| {
            row.iter().zip(k).fold(*y, |(q, pi), (a, (f, g))| {
                (q + f * (a * h), pi + g * (a * h))
            })
        };
        for i in 0..weights.len() {
            let row = i.checked_sub(1).map_or(&[][..], |i| &rows[i]);
            let c: f64 = row.iter().sum();
            let slopes = self.slopes(t + c * h, &sum(row, &k));
            k.push(slopes);
        }
        sum(weights, &k)
    }
    /// The free motion over a time, by many steps of RK4.
    fn free(&self, tau: f64, att: &mut Matrix3<f64>, pi: &mut Vec3) {
        let (rows, weights) = classical();
        let free = Body {
            pulse: 0.0,
            ..*self
        };
        let mut y = (Quaternion::identity(), *pi);
        for _ in 0..400 {
            y = free.explicit(0.0, tau / 400.0, &y, (&rows, &weights));
        }
        let turn = UnitQuaternion::from_quaternion(y.0).to_rotation_matrix();
        *att *= turn.into_inner();
        *pi = y.1;
    }
}

/// RK4.
fn classical() -> (Vec<Vec<f64>>, Vec<f64>) {
    let rows = vec![vec![0.5], vec![0.0, 0.5], vec![0.0, 0.0, 1.0]];
    (rows, vec![1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0])
}

fn exp(v: &Vec3) -> Matrix3<f64> {
    Rotation3::new(*v).into_inner()
}

/// The inverse of the derivative of the exponential at −u.
fn dexp_inverse(u: &Vec3, w: &Vec3) -> Vec3 {
    let x = 0.5 * u.norm();
    let c = if x < 1e-4 {
        1.0 / 12.0
    } else {
        (1.0 - x / x.tan()) / (4.0 * x * x)
    };
    w + u.cross(w) * 0.5 + u.cross(&u.cross(w)) * c
}

/// The body rate after four steps of the scheme that a page describes.
fn four_steps(page: &str) -> Vec3 {
    let body = Body::new();
    let mut att = exp(&Vec3::new(0.3, -0.4, 0.5));
    let mut pi = body.inertia * Vec3::new(1.5, -0.8, 1.1);
    let lists = lists(page);
    let time = |n: usize| START + n as f64 * STEP;
    if page.contains("f(y + h Σ a_ij k_j)") {
        let rows = (2..).map_while(|i| lists.get(&format!("a_{i}j")).cloned());
        let (rows, weights): (Vec<_>, _) = (rows.collect(), &lists["b"]);
        let start = UnitQuaternion::from_matrix(&att).into_inner();
        let mut y = (start, pi);
        for n in 0..4 {
            y = body.explicit(time(n), STEP, &y, (&rows, weights));
            y.0 = y.0.normalize();
        }
        return body.rate(&y.1);
    }
    if page.contains("kicks Π += a_i h T") {
        let (kicks, drifts) = (&lists["a"], &lists["b"]);
        for n in 0..4 {
            let mut t = time(n);
            for (i, a) in kicks.iter().enumerate() {
                pi += body.torque(t, &att) * (a * STEP);
                if let Some(b) = drifts.get(i) {
                    body.free(b * STEP, &mut att, &mut pi);
                    t += b * STEP;
                }
            }
        }
        return body.rate(&pi);
    }
    if page.contains("at the start f₋₁, g₋₁, … are the slopes after steps of RK4") {
        let weights = page.split("q := q + h (").nth(1).unwrap();
        let (inside, by) = weights.split_once(")/").unwrap();
        let by: f64 = by.split([',', ' ']).next().unwrap().parse().unwrap();
        let signed = inside.replace("− ", "-").replace("+ ", "");
        let weights: Vec<f64> = signed
            .split_whitespace()
            .filter_map(|word| word.parse::<f64>().ok())
            .map(|weight| weight / by)
            .collect();
        let mut y = (UnitQuaternion::from_matrix(&att).into_inner(), pi);
        let (rows, rk4) = classical();
        let mut before = Vec::new();
        let (mut t, mut back) = (START, y);
        for _ in 1..weights.len() {
            back = body.explicit(t, -STEP, &back, (&rows, &rk4));
            t -= STEP;
            before.push(body.slopes(t, &back));
        }
        for n in 0..4 {
            before.insert(0, body.slopes(time(n), &y));
            before.truncate(weights.len());
            for (b, (f, g)) in weights.iter().zip(&before) {
                y.0 += f * (b * STEP);
                y.1 += g * (b * STEP);
            }
            y.0 = y.0.normalize();
        }
        return body.rate(&y.1);
    }
    let table = stages(page);
    assert!(table.len() > 1, "no numbers in\n{page}");
    let in_algebra = page.contains("dexp⁻¹");
    for n in 0..4 {
        let (mut k, mut l): (Vec<Vec3>, Vec<Vec3>) = (vec![], vec![]);
        let mut all = vec![(att, pi, Vec3::zeros(), 0.0)];
        for (after, turns) in &table {
            let (now, p, u, c) = all[all.len() - 1];
            let w = body.rate(&p);
            k.push(if in_algebra { dexp_inverse(&u, &w) } else { w } * STEP);
            l.push((p.cross(&w) + body.torque(time(n) + c * STEP, &now)) * STEP);
            let (mut next, mut p, mut u, mut c) = all[*after];
            for row in turns {
                let sum = |v: &[Vec3]| row.iter().zip(v).map(|(a, v)| v * *a).sum::<Vec3>();
                u = sum(&k);
                next *= exp(&u);
                p += sum(&l);
                c += row.iter().sum::<f64>();
            }
            all.push((next, p, u, c));
        }
        (att, pi, ..) = all[all.len() - 1];
    }
    body.rate(&pi)
}

#[test]
fn schemes_are_computed_from_their_pages_alone() {
    let names = [
        "quat_ralston4",
        "quat_cash_karp5",
        "quat_verner6",
        "quat_dormand_prince8",
        "cg4",
        "cg5",
        "cf4_low_storage",
        "rkmk5",
        "exact_bm6",
        "exact_srkn11b",
        "exact_srkn14a",
        "quat_ab3",
        "quat_ab4",
    ];
    let expected: toml::Value =
        toml::from_str(&repository_text("expected/pairs_pulse.toml")).unwrap();
    let mut altered = 0;
    for name in names {
        let check = |c: &&toml::Value| c["name"].as_str() == Some(&format!("four steps of {name}"));
        let checks = expected["check"].as_array().unwrap();
        let check = checks.iter().find(check).expect(name);
        let value = check["allow"]["value"].as_array().unwrap();
        let value = Vec3::from_iterator(value.iter().map(|x| x.as_float().unwrap()));
        let page = Folder::empty().expect(&["show", name], 0).out;
        let page = page.split("covers:").next().unwrap();
        let found = four_steps(page);
        // The free motions are steps of RK4 of a four-hundredth of their time.
        assert!((found - value).norm() < 1e-12, "{name}: {found} {value}");
        if let Some(other) = with_another_number(page) {
            let other = four_steps(&other);
            assert!((other - value).norm() > 1e-9, "{name}: {other}");
            altered += 1;
        }
    }
    assert!(altered > 8, "{altered}");
}

/// Returns the page with its last long number a thousandth larger.
fn with_another_number(page: &str) -> Option<String> {
    let words = page.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'));
    let word = words.rev().find(|word| word.len() > 12)?;
    let number: f64 = word.parse().ok()?;
    let (before, after) = page.rsplit_once(word)?;
    Some(format!("{before}{}{after}", number * 1.001))
}

/// A formula of a page: sums of products, which a space parts, of quotients, whose parts stand side by side.
struct Formula<'a> {
    rest: &'a str,
    letters: &'a BTreeMap<String, f64>,
}

impl Formula<'_> {
    fn takes(&mut self, mark: &str) -> bool {
        let rest = self.rest.strip_prefix(mark);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }
    fn sum(&mut self) -> f64 {
        let mut sum = if self.takes("−") {
            -self.product()
        } else {
            self.product()
        };
        loop {
            if self.takes(" + ") {
                sum += self.product();
            } else if self.takes(" − ") {
                sum -= self.product();
            } else {
                return sum;
            }
        }
    }
    fn product(&mut self) -> f64 {
        let mut product = self.quotient();
        while !self.rest.starts_with(" + ") && !self.rest.starts_with(" − ") && self.takes(" ") {
            product *= self.quotient();
        }
        product
    }
    fn quotient(&mut self) -> f64 {
        let mut quotient = self.side_by_side();
        while self.takes("/") {
            quotient /= self.side_by_side();
        }
        quotient
    }
    fn side_by_side(&mut self) -> f64 {
        let mut product = self.factor();
        while !self.rest.is_empty() && !self.rest.starts_with([' ', '/', ')']) {
            product *= self.factor();
        }
        product
    }
    fn factor(&mut self) -> f64 {
        let mut factor = if self.takes("(") {
            let inside = self.sum();
            assert!(self.takes(")"), "{}", self.rest);
            inside
        } else {
            let digits = self.rest.find(|c: char| !c.is_ascii_digit());
            let digits = digits.unwrap_or(self.rest.len());
            let (number, rest) = self.rest.split_at(digits);
            if digits > 0 {
                self.rest = rest;
                number.parse().unwrap()
            } else {
                let mut names = self.letters.keys();
                let name = names.find(|name| rest.starts_with(name.as_str()));
                let name = name.unwrap_or_else(|| panic!("no letter in {rest}"));
                self.rest = &rest[name.len()..];
                self.letters[name]
            }
        };
        for (mark, power) in [("²", 2), ("³", 3), ("⁴", 4)] {
            if self.takes(mark) {
                factor = f64::powi(factor, power);
            }
        }
        factor
    }
}

/// The error after 2 s of the free motion of a body by the moments that a page of a preprocessed scheme gives.
fn preprocessed_error(page: &str, h: f64) -> f64 {
    let text = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let moments = Vec3::new(0.62, 0.81, 1.02);
    let start = Vec3::new(0.9, -0.6, 1.1);
    let power_sum = |k: i32| moments.iter().map(|i| i.powi(k)).sum::<f64>();
    let half = 0.5 * h * h;
    let mut letters = BTreeMap::from([
        ("δ".to_string(), moments.product()),
        ("C".into(), half * start.norm_squared()),
        ("H".into(), half * start.component_div(&moments).dot(&start)),
    ]);
    for k in 1..=4 {
        letters.insert(format!("s{k}"), power_sum(k));
        letters.insert(format!("x{k}"), power_sum(-k));
        for n in 1..=3 {
            // Σ over i ≠ j is the product of both sums without their common parts.
            let both = power_sum(k) * power_sum(-n) - power_sum(k - n);
            letters.insert(format!("t{k}{n}"), both);
        }
    }
    let marks = (1..=4).flat_map(|k| ["S", "D"].map(|letter| format!(" {letter}{k} = ")));
    let mut places: Vec<(usize, String)> = marks
        .filter_map(|mark| Some((text.find(&mark)?, mark)))
        .collect();
    places.sort();
    let mut sums = [1.0, 0.0];
    for (n, (place, mark)) in places.iter().enumerate() {
        let end = places.get(n + 1).map_or(text.len(), |next| next.0);
        let formula = text[place + mark.len()..end].trim();
        let mut formula = Formula {
            rest: formula,
            letters: &letters,
        };
        sums[usize::from(mark.starts_with(" D"))] += formula.sum();
        assert_eq!(formula.rest, "", "{mark}");
    }
    let modified = moments.map(|i| 1.0 / (sums[0] / i + sums[1]));
    let mut q = Quaternion::identity();
    let mut pi = start;
    for _ in 0..(2.0 / h).round() as usize {
        let push = pi.component_div(&modified) * (0.5 * h);
        let mut c = push;
        for _ in 0..200 {
            let [a, b, d] = [0, 1, 2].map(|i| {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                (modified[j] - modified[k]) / modified[i] * c[j] * c[k]
            });
            c = push * (1.0 + c.norm_squared()) + Vec3::new(a, b, d);
        }
        let turn = UnitQuaternion::from_quaternion(Quaternion::from_parts(1.0, c));
        pi = turn.inverse() * pi;
        q *= turn.into_inner();
    }
    let body = Body {
        inertia: Matrix3::from_diagonal(&moments),
        inverse: Matrix3::from_diagonal(&moments.map(|i| 1.0 / i)),
        pulse: 1.0,
    };
    let (mut att, mut exact) = (Matrix3::identity(), start);
    for _ in 0..10 {
        body.free(0.2, &mut att, &mut exact);
    }
    let found = UnitQuaternion::from_quaternion(q).to_rotation_matrix();
    (found.matrix() - att).norm() + (pi - exact).norm()
}

/// The free motion by the moments that the pages give has the order that they say.
#[test]
fn preprocessed_moments_have_their_order_by_their_pages_alone() {
    // Errors of the orders 4 to 10 that are above rounding, with their powers.
    for (name, order, h) in [
        ("dmv4", 4.0, 0.1),
        ("dmv6", 6.0, 0.2),
        ("dmv8", 8.0, 0.2),
        ("dmv10", 10.0, 0.4),
    ] {
        let page = Folder::empty().expect(&["show", name], 0).out;
        let page = page.split("covers:").next().unwrap();
        let errors = [h, 0.5 * h].map(|h| preprocessed_error(page, h));
        let slope = (errors[0] / errors[1]).log2();
        assert!((slope - order).abs() < 0.3, "{name}: {errors:?} {slope}");
    }
}
