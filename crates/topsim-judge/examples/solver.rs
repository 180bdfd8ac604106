//! A solver for `topsim judge CASE --solver "target/release/examples/solver"`: a template for your own, which
//! needs nothing of topsim. It reads the problem as JSON from standard input and prints CSV: Runge and Kutta's
//! method of order 4 on the quaternion (body → space, scalar first) and the body rate. Where the rate is given, it
//! turns the quaternion by pairs of the rate's increments.

use serde_json::Value;
use std::io::{BufWriter, Write};

type Vec3 = [f64; 3];
type Mat3 = [Vec3; 3];
/// Quaternion w, x, y, z and body rate.
pub type State = [f64; 7];

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [0, 1, 2].map(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
}
fn times(m: &Mat3, v: Vec3) -> Vec3 {
    m.map(|r| r[0] * v[0] + r[1] * v[1] + r[2] * v[2])
}
fn transpose(m: &Mat3) -> Mat3 {
    [0, 1, 2].map(|i| m.map(|r| r[i]))
}
fn inverse(m: &Mat3) -> Mat3 {
    let [a, b, c] = *m;
    let columns = [cross(b, c), cross(c, a), cross(a, b)];
    let det: f64 = (0..3).map(|i| a[i] * columns[0][i]).sum();
    transpose(&columns).map(|r| r.map(|x| x / det))
}
fn matrix(y: &State) -> Mat3 {
    let n = y[..4].iter().map(|x| x * x).sum::<f64>().sqrt();
    let [w, x, y, z] = [y[0] / n, y[1] / n, y[2] / n, y[3] / n];
    let (xx, yy, zz) = (2.0 * x * x, 2.0 * y * y, 2.0 * z * z);
    let (xy, yz, zx) = (2.0 * x * y, 2.0 * y * z, 2.0 * z * x);
    let (wx, wy, wz) = (2.0 * w * x, 2.0 * w * y, 2.0 * w * z);
    [
        [1.0 - yy - zz, xy - wz, zx + wy],
        [xy + wz, 1.0 - xx - zz, yz - wx],
        [zx - wy, yz + wx, 1.0 - xx - yy],
    ]
}

fn number(v: &Value) -> f64 {
    v.as_f64().expect("a number")
}
fn vector(v: &Value) -> Vec3 {
    [0, 1, 2].map(|i| number(&v[i]))
}
fn tensor(v: &Value) -> Mat3 {
    [0, 1, 2].map(|i| vector(&v[i]))
}

/// A vector given by powers of the time and sines, and its derivative.
fn in_time(p: &Value, t: f64) -> [Vec3; 2] {
    let list = |key: &str| p[key].as_array().cloned().unwrap_or_default();
    let (mut c, mut d) = ([0.0; 3], [0.0; 3]);
    for row in list("polynomial").iter().rev().map(vector) {
        d = [0, 1, 2].map(|i| d[i] * t + c[i]);
        c = [0, 1, 2].map(|i| c[i] * t + row[i]);
    }
    for (k, a) in list("amplitudes").iter().map(vector).enumerate() {
        let rate = number(&p["rates"][k]);
        let (s, cos) = (rate * t + number(&p["phases"][k])).sin_cos();
        c = [0, 1, 2].map(|i| c[i] + a[i] * s);
        d = [0, 1, 2].map(|i| d[i] + a[i] * rate * cos);
    }
    [c, d]
}

/// The torque in the body frame, by the formulas that the problem carries.
fn torque(p: &Value, t: f64, r: &Mat3, inertia: &Mat3, w: Vec3) -> Vec3 {
    let momentum = || times(inertia, w);
    let framed = |c: Vec3| {
        if p["frame"] == "space" {
            times(&transpose(r), c)
        } else {
            c
        }
    };
    let gravity = || {
        let load = vector(&p["up"]).map(|x| -number(&p["weight"]) * x);
        cross(vector(&p["lever"]), times(&transpose(r), load))
    };
    match p["model"].as_str().expect("a torque model") {
        "none" => [0.0; 3],
        "gravity" => gravity(),
        "constant" => framed(vector(&p["torque"])),
        "loaded_gravity" => {
            let (g, c) = (gravity(), framed(vector(&p["torque"])));
            [0, 1, 2].map(|i| g[i] + c[i])
        }
        "sin2_pulse" => {
            let on = t >= number(&p["from"]) && t <= number(&p["until"]);
            let s = if on {
                (number(&p["rate"]) * t).sin()
            } else {
                0.0
            };
            framed(vector(&p["amplitude"]).map(|a| a * s * s))
        }
        "table" => {
            let at: Vec<f64> = p["times"]
                .as_array()
                .expect("times")
                .iter()
                .map(number)
                .collect();
            let row = |i: usize| vector(&p["torques"][i]);
            let last = at.len() - 1;
            if t < at[0] || t > at[last] {
                return [0.0; 3];
            }
            let i = at.partition_point(|x| *x <= t) - 1;
            if i == last || p["interpolation"] == "hold" {
                return framed(row(i));
            }
            let s = (t - at[i]) / (at[i + 1] - at[i]);
            framed([0, 1, 2].map(|k| row(i)[k] * (1.0 - s) + row(i + 1)[k] * s))
        }
        "two_well" => {
            let magnet = tensor(&p["magnet"]);
            let vee = |a: &Mat3| {
                [a[2][1] - a[1][2], a[0][2] - a[2][0], a[1][0] - a[0][1]].map(|x| 0.5 * x)
            };
            let unit: Mat3 = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            let far = |from: &Mat3| {
                (0..9)
                    .map(|k| (r[k / 3][k % 3] - from[k / 3][k % 3]).powi(2))
                    .sum::<f64>()
                    .sqrt()
            };
            let (de, dm) = (far(&unit), far(&magnet));
            let columns = transpose(r).map(|c| times(&transpose(&magnet), c));
            let (elastic, magnetic) = (vee(r), vee(&transpose(&columns)));
            let a = -4.0 * (de - number(&p["rest"])) / de;
            let b = -2.0 * number(&p["pull"]) / dm.powi(3);
            [0, 1, 2].map(|i| a * elastic[i] + b * magnetic[i])
        }
        "in_time" => framed(in_time(p, t)[0]),
        "damping" => {
            let l = momentum();
            let size = l.iter().map(|x| x * x).sum::<f64>().sqrt();
            l.map(|x| -(number(&p["linear"]) + number(&p["quadratic"]) * size) * x)
        }
        "gyrostat" => {
            let ([h, slope], g) = (in_time(p, t), gravity());
            let turned = cross(h, w);
            [0, 1, 2].map(|i| turned[i] - slope[i] + g[i])
        }
        "breathing" => {
            let (a, rate) = (number(&p["amplitude"]), number(&p["rate"]));
            let (s, c) = (rate * t + number(&p["phase"])).sin_cos();
            momentum().map(|x| -(a * rate * c) / (1.0 + a * s) * x)
        }
        "gravity_gradient" => {
            let (rate, radial) = (number(&p["rate"]), vector(&p["radial"]));
            let (ahead, (s, c)) = (cross(vector(&p["normal"]), radial), (rate * t).sin_cos());
            let place = times(
                &transpose(r),
                [0, 1, 2].map(|i| c * radial[i] + s * ahead[i]),
            );
            cross(place, times(inertia, place)).map(|x| 3.0 * rate * rate * x)
        }
        other => panic!("the torque model `{other}` is new to this solver"),
    }
}

/// The derivative of a state at a time.
pub fn slopes(problem: &Value) -> impl Fn(f64, &State) -> State {
    let acting = problem["torque"].clone();
    let inertia = tensor(&problem["body"]["inertia"]);
    let inverse = inverse(&inertia);
    move |t: f64, y: &State| -> State {
        let w = [y[4], y[5], y[6]];
        let (gyro, tau) = (
            cross(times(&inertia, w), w),
            torque(&acting, t, &matrix(y), &inertia, w),
        );
        let spin = times(&inverse, [0, 1, 2].map(|i| gyro[i] + tau[i]));
        let (s, v) = (y[0], [y[1], y[2], y[3]]);
        let turn = cross(v, w);
        let rate = [0, 1, 2].map(|i| 0.5 * (s * w[i] + turn[i]));
        let scalar = -0.5 * (v[0] * w[0] + v[1] * w[1] + v[2] * w[2]);
        [scalar, rate[0], rate[1], rate[2], spin[0], spin[1], spin[2]]
    }
}

/// The state at the start.
pub fn initial(problem: &Value) -> State {
    let initial = &problem["initial"];
    let w = vector(&initial["angular_velocity_body"]);
    let q = [0, 1, 2, 3].map(|i| number(&initial["quaternion"][i]));
    [q[0], q[1], q[2], q[3], w[0], w[1], w[2]]
}

/// Calls `row` with the time and the state of each row that the problem wants.
pub fn solve(problem: &Value, mut row: impl FnMut(f64, &State)) {
    let (slope, mut y) = (slopes(problem), initial(problem));
    let (start, h) = (number(&problem["start"]), number(&problem["step"]));
    let mut n = 0.0;
    for wanted in problem["times"]
        .as_array()
        .expect("times")
        .iter()
        .map(number)
    {
        // Every time wanted is start + n h.
        while start + (n + 0.5) * h < wanted {
            let t = start + n * h;
            let moved = |k: &State, by: f64| -> State { std::array::from_fn(|i| y[i] + by * k[i]) };
            let k1 = slope(t, &y);
            let k2 = slope(t + 0.5 * h, &moved(&k1, 0.5 * h));
            let k3 = slope(t + 0.5 * h, &moved(&k2, 0.5 * h));
            let k4 = slope(t + h, &moved(&k3, h));
            y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
            let length = y[..4].iter().map(|x| x * x).sum::<f64>().sqrt();
            y[..4].iter_mut().for_each(|x| *x /= length);
            n += 1.0;
        }
        row(wanted, &y);
    }
}

/// The quaternion after a turn by a rotation vector.
fn turned(q: [f64; 4], v: Vec3) -> [f64; 4] {
    let angle = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let factor = if angle > 0.0 {
        (0.5 * angle).sin() / angle
    } else {
        0.5
    };
    let (w, u, c, d) = (
        q[0],
        [q[1], q[2], q[3]],
        (0.5 * angle).cos(),
        v.map(|x| factor * x),
    );
    let across = cross(u, d);
    let scalar = w * c - (u[0] * d[0] + u[1] * d[1] + u[2] * d[2]);
    let [x, y, z] = [0, 1, 2].map(|i| w * d[i] + c * u[i] + across[i]);
    [scalar, x, y, z]
}

/// Calls `row` with the time and the quaternion of each row that a problem of a given rate wants: updates of two
/// increments with their coning term.
pub fn turn(problem: &Value, mut row: impl FnMut(f64, &[f64])) {
    let all = problem["rate"]["increments"]
        .as_array()
        .expect("increments");
    let of_step = problem["rate"]["samples_per_step"]
        .as_u64()
        .map_or(12, |n| n as usize);
    let mut q = [0, 1, 2, 3].map(|i| number(&problem["initial"]["quaternion"][i]));
    let (start, h) = (number(&problem["start"]), number(&problem["step"]));
    let mut made = 0;
    for wanted in problem["times"]
        .as_array()
        .expect("times")
        .iter()
        .map(number)
    {
        while start + (made as f64 + 0.5) * h < wanted {
            let samples = &all[of_step * made..of_step * (made + 1)];
            for pair in samples.chunks(2) {
                let [a, b] = [vector(&pair[0]), vector(&pair[1])];
                let coning = cross(a, b);
                q = turned(q, [0, 1, 2].map(|i| a[i] + b[i] + 2.0 / 3.0 * coning[i]));
            }
            made += 1;
        }
        row(wanted, &q);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let input = std::io::read_to_string(std::io::stdin().lock())?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    // One problem, or several (protocol 2): a table each, an empty line between.
    for (k, problem) in serde_json::Deserializer::from_str(&input)
        .into_iter::<Value>()
        .enumerate()
    {
        if k > 0 {
            writeln!(out)?;
        }
        let (problem, mut lines) = (problem?, String::new());
        let mut line = |t: f64, y: &[f64]| {
            let numbers: Vec<String> = y.iter().map(f64::to_string).collect();
            lines += &format!("{t},{}\n", numbers.join(","));
        };
        if problem["rate"].is_object() {
            writeln!(out, "t,qw,qx,qy,qz")?;
            turn(&problem, line);
        } else {
            writeln!(out, "t,qw,qx,qy,qz,W1,W2,W3")?;
            solve(&problem, |t, y| line(t, y));
        }
        out.write_all(lines.as_bytes())?;
    }
    Ok(out.flush()?)
}
