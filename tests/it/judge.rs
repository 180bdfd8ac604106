//! `topsim judge`: histories computed elsewhere, right ones and wrong ones.

use crate::support::{Folder, SMALL, Said, items};
use serde_json::Value;
use std::fmt::Write;
use topsim_core::math::{Mat3, Vec3, so3};

/// [`SMALL`] spun faster, with other steps, and with what follows `[reference]`.
fn case(reference: &str) -> String {
    let (case, _) = SMALL.split_once("[reference]").unwrap();
    let case = case
        .replace("-2.0, 5.0]", "-2.0, 15.0]")
        .replace("end = 1.0", "end = 0.5")
        .replace("[0.0125, 0.025, 0.05]", "[0.00125, 0.0025, 0.005]")
        .replace("sample = 0.05", "sample = 0.005");
    case + reference
}

const NUMERICAL: &str = "[reference]\nkind = \"numerical\"\n";

/// Time, attitude, body rate.
type Row = (f64, Mat3, Vec3);

fn folder() -> Folder {
    Folder::with("small.toml", &case(NUMERICAL))
}

/// What the JSON says of the histories of the one case.
fn histories(said: &Said) -> Value {
    let report = said.json();
    let found = items(&report["cases"][0], "histories")[0].clone();
    assert_eq!(found["passed"], report["passed"]);
    found
}

fn start() -> (Mat3, Vec3) {
    (
        so3::exp(&Vec3::new(0.3, -0.2, 0.5)),
        Vec3::new(1.0, -2.0, 15.0),
    )
}

/// The case's body by Lie–Euler (order 1) or the explicit Lie midpoint rule (order 2); with `gyro`
/// times the gyroscopic torque.
fn integrate(h: f64, second: bool, gyro: f64) -> Vec<Row> {
    let j = Mat3::new(5.0, 0.3, -0.2, 0.3, 7.0, 0.4, -0.2, 0.4, 3.0);
    let inverse = j.try_inverse().unwrap();
    let slope = |att: &Mat3, w: &Vec3| {
        let torque = (att.transpose() * Vec3::new(0.0, 0.0, 20.0)).cross(&Vec3::z());
        inverse * (gyro * (j * w).cross(w) + torque)
    };
    let (mut att, mut w) = start();
    let mut rows = vec![(0.0, att, w)];
    for n in 1..=(0.5 / h).round() as u32 {
        let (mut a, mut v) = (att, w);
        if second {
            a = att * so3::exp(&(w * (0.5 * h)));
            v = w + slope(&att, &w) * (0.5 * h);
        }
        w += slope(&a, &v) * h;
        att *= so3::exp(&(v * h));
        rows.push((f64::from(n) * h, att, w));
    }
    rows
}

fn csv(header: &str, rows: &[Row], numbers: impl Fn(&Row) -> Vec<f64>) -> String {
    let mut out = format!("{header}\n");
    for row in rows {
        let numbers: Vec<String> = numbers(row).iter().map(f64::to_string).collect();
        let _ = writeln!(out, "{},{}", row.0, numbers.join(","));
    }
    out
}

const QW: &str = "t,qw,qx,qy,qz,W1,W2,W3";

fn with(attitude: &[f64], rate: &Vec3) -> Vec<f64> {
    attitude.iter().chain(rate.iter()).copied().collect()
}

fn quat(att: &Mat3) -> [f64; 4] {
    so3::quat_from_matrix(att)
}

/// Judges one history.
fn one(dir: &Folder, text: &str, options: &[&str], status: i32) -> Said {
    dir.write("a.csv", text);
    let mut args = vec!["judge", "small.toml", "--history", "a.csv"];
    args.extend(options);
    dir.expect(&args, status)
}

#[test]
fn histories_of_topsim_itself_have_the_order_of_their_scheme() {
    let dir = folder();
    let run = [
        "run",
        "small.toml",
        "--no-checks",
        "--no-figures",
        "--quiet",
    ];
    dir.expect(&run, 0);
    let files = ["0.005", "0.0025", "0.00125"].map(|h| format!("results/small/rig_pos_h{h}.csv"));
    let mut args = vec!["judge", "small.toml"];
    for (file, h) in files.iter().zip(["0.005", "0.0025", "0.00125"]) {
        args.extend(["--history", file, "--step", h]);
    }
    let said = dir.expect(&args, 0);
    said.shows("order 2.00: second order");
    said.shows("columns not used: pi_x");
    args.extend(["--format", "json"]);
    let said = dir.expect(&args, 0);
    let v = histories(&said);
    assert!((v["order"].as_f64().unwrap() - 2.0).abs() < 0.02);
    assert_eq!(v["files"].as_array().unwrap().len(), 3);
    assert!(
        v["files"][0]["errors"]["attitude"]["last"]
            .as_f64()
            .unwrap()
            < 1e-4
    );
    // All are sampled alike: without their steps nothing can be said of an order.
    let same = [
        "judge",
        "small.toml",
        "--history",
        &files[0],
        "--history",
        &files[1],
    ];
    let said = dir.expect(&same, 2);
    said.complains("--step");
    said.complains("no two steps of a ladder");
    let few = [&same[..], &["--step", "0.1"]].concat();
    dir.expect(&few, 2);
}

/// Orders of three histories of the test's own integrator.
fn ladder(second: bool, gyro: f64, status: i32) -> Said {
    let dir = folder();
    let mut args = vec!["judge", "small.toml"];
    let names = ["a.csv", "b.csv", "c.csv"];
    for (name, h) in names.iter().zip([0.002, 0.001, 0.0005]) {
        let rows = integrate(h, second, gyro);
        let text = csv(QW, &rows, |(_, att, w)| with(&quat(att), w));
        dir.write(name, text);
        args.extend(["--history", name]);
    }
    dir.expect(&args, status)
}

#[test]
fn orders_are_told_with_their_meaning() {
    ladder(true, 1.0, 0).shows(": second order");
    ladder(false, 1.0, 0).shows("first order, where second is usual");
}

#[test]
fn few_digits_and_late_starts_are_no_other_motion() {
    let dir = folder();
    let mut args = vec!["judge", "small.toml"];
    let names = ["a.csv", "b.csv", "c.csv"];
    for (name, h) in names.iter().zip([0.0002, 0.0001, 0.00005]) {
        let rows = integrate(h, true, 1.0);
        let text = csv(QW, &rows, |(_, att, w)| {
            with(&quat(att), w)
                .iter()
                .map(|x| (x * 1e6).round() / 1e6)
                .collect()
        });
        dir.write(name, text);
        args.extend(["--history", name]);
    }
    dir.expect(&args, 0);
    let rows = integrate(0.001, true, 1.0);
    let text = csv(QW, &rows[20..], |(_, att, w)| with(&quat(att), w));
    let said = one(&dir, &text, &[], 0);
    said.shows("the reference's state at its time");
}

#[test]
fn round_off_is_no_other_motion() {
    let gravity = "model = \"gravity\"\nweight = 20.0\nlever = [0.0, 0.0, 1.0]";
    let case = case("[reference]\nkind = \"free_body\"\n")
        .replace(gravity, "model = \"none\"")
        .replace("rig_pos", "exact_strang");
    let dir = Folder::with("small.toml", &case);
    let run = [
        "run",
        "small.toml",
        "--no-checks",
        "--no-figures",
        "--quiet",
    ];
    dir.expect(&run, 0);
    let mut args = vec!["judge".to_string(), "small.toml".into()];
    for h in ["0.005", "0.0025", "0.00125"] {
        let file = format!("results/small/exact_strang_h{h}.csv");
        args.extend(["--history".into(), file, "--step".into(), h.into()]);
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let said = dir.expect(&args, 0);
    said.shows("no order to measure");
    said.shows(" momentum drift");
}

#[test]
fn another_motion_is_not_a_large_error() {
    for gyro in [0.0, -1.0, 0.97] {
        let said = ladder(true, gyro, 1);
        said.shows("does not converge to this motion");
        said.shows("row 0 is the case's initial state");
    }
}

#[test]
fn every_way_to_write_an_attitude_gives_the_same_errors() {
    let dir = folder();
    let rows = integrate(0.001, true, 1.0);
    let last = |q: [f64; 4]| [q[1], q[2], q[3], q[0]];
    // ZYX about turned axes.
    let euler = |m: &Mat3| {
        let pitch = -libm::asin(m[(2, 0)]);
        [
            libm::atan2(m[(1, 0)], m[(0, 0)]),
            pitch,
            libm::atan2(m[(2, 1)], m[(2, 2)]),
        ]
        .map(f64::to_degrees)
    };
    let rows9 = |m: &Mat3| m.transpose().as_slice().to_vec();
    let matrix = "t,R11,R12,R13,R21,R22,R23,R31,R32,R33,W1,W2,W3";
    let texts: Vec<(String, &[&str])> = vec![
        (csv(QW, &rows, |(_, a, w)| with(&quat(a), w)), &[]),
        (csv(matrix, &rows, |(_, a, w)| with(&rows9(a), w)), &[]),
        (
            csv(matrix, &rows, |(_, a, w)| with(a.as_slice(), w)),
            &["--transposed"],
        ),
        (
            csv("# t,q1,q2,q3,q4,W1,W2,W3", &rows, |(_, a, w)| {
                with(&last(quat(a)), w)
            }),
            &["--quaternion", "xyzw"],
        ),
        (
            csv(
                "t,q0,q1,q2,q3,omega_x,omega_y,omega_z",
                &rows,
                |(_, a, w)| with(&quat(a), &(a * w)),
            ),
            &["--quaternion", "wxyz"],
        ),
        (
            csv("t,e1,e2,e3,W1,W2,W3", &rows, |(_, a, w)| with(&euler(a), w)),
            &["--euler", "ZYX:deg"],
        ),
    ];
    let mut seen: Vec<f64> = Vec::new();
    for (text, options) in &texts {
        let json = [*options, &["--format", "json"]].concat();
        let said = one(&dir, text, &json, 0);
        let v = histories(&said);
        assert_eq!(v["files"][0]["start"]["attitude_matches"], true);
        seen.push(
            v["files"][0]["errors"]["attitude"]["last"]
                .as_f64()
                .unwrap(),
        );
    }
    assert!(
        seen.iter().all(|e| (e / seen[0] - 1.0).abs() < 1e-6),
        "{seen:?}"
    );
    // Other separators, other order of columns, any sampling.
    let thinned: Vec<Row> = rows
        .iter()
        .enumerate()
        .filter(|(i, _)| i % 7 < 3)
        .map(|(_, r)| *r)
        .collect();
    let text = csv(QW, &thinned, |(_, a, w)| with(&quat(a), w)).replace(',', ";");
    one(&dir, &text, &[], 0);
}

#[test]
fn reporting_conventions_are_named() {
    let dir = folder();
    let rows = integrate(0.001, true, 1.0);
    let conjugate = |q: [f64; 4]| [q[0], -q[1], -q[2], -q[3]];
    let last = |q: [f64; 4]| [q[1], q[2], q[3], q[0]];
    let matrix = "t,R11,R12,R13,R21,R22,R23,R31,R32,R33,W1,W2,W3";
    let euler = "t,e1,e2,e3";
    let wrong: [(String, &[&str], &str); 7] = [
        (
            csv(QW, &rows, |(_, a, w)| with(&conjugate(quat(a)), w)),
            &[],
            "the quaternion conjugated",
        ),
        (
            csv(QW, &rows, |(_, a, w)| with(&last(quat(a)), w)),
            &[],
            "scalar last, not first",
        ),
        (
            csv(matrix, &rows, |(_, a, w)| with(a.as_slice(), w)),
            &[],
            "the matrix transposed",
        ),
        (
            csv(QW, &rows, |(_, a, w)| {
                with(&quat(a), &(w * 57.295779513082323))
            }),
            &[],
            "degrees per second",
        ),
        (
            csv(QW, &rows, |(_, a, w)| with(&quat(a), &(a * w))),
            &[],
            "components in the space frame",
        ),
        (
            csv(QW, &rows, |(_, a, w)| with(&quat(a), &-w)),
            &[],
            "the opposite sign",
        ),
        (
            csv(euler, &rows, |(_, m, _)| {
                vec![
                    libm::atan2(m[(1, 0)], m[(0, 0)]),
                    -libm::asin(m[(2, 0)]),
                    libm::atan2(m[(2, 1)], m[(2, 2)]),
                ]
            }),
            &["--euler", "ZYX:deg"],
            "the Euler angles in radians",
        ),
    ];
    for (text, options, words) in &wrong {
        let said = one(&dir, text, options, 1);
        said.shows(words);
        said.shows("about another motion");
    }
    // The rate alone goes wrong after row 0: only the kinematics can tell.
    let later = csv(QW, &rows, |(t, a, w)| {
        with(&quat(a), &if *t > 0.0 { a * w } else { *w })
    });
    let said = one(&dir, &later, &[], 1);
    said.shows("does not turn the attitude");
    // Another start.
    let turn = so3::exp(&Vec3::new(0.0, 0.01, 0.0));
    let other = csv(QW, &rows, |(_, a, w)| with(&quat(&(a * turn)), w));
    let said = one(&dir, &other, &[], 1);
    said.shows("no reporting convention");
}

#[test]
fn signs_lengths_and_blow_ups_are_reported() {
    let dir = folder();
    let rows = integrate(0.001, true, 1.0);
    let text = csv(QW, &rows, |(t, a, w)| {
        let k = if *t > 0.2 { -1.001 } else { 1.0 };
        with(&quat(a).map(|x| x * k), w)
    });
    let said = one(&dir, &text, &[], 1);
    said.shows("missing normalisation");
    said.shows("length off 1 by at most 1.00e-3");
    said.shows("of sign (harmless)");
    let text = csv(QW, &rows, |(t, a, w)| {
        let k = if *t > 0.3 { f64::NAN } else { 1.0 };
        with(&quat(a), &(w * k))
    });
    let said = one(&dir, &text, &[], 1);
    said.shows(
        "from row 301 on (line 303) it is no motion: `W1` holds a number that is not finite",
    );
    said.shows("301 rows, t = 0 … 0.3");
    let stretched = csv(
        "t,R11,R12,R13,R21,R22,R23,R31,R32,R33",
        &rows,
        |(_, a, _)| (a.transpose() * 1.01).as_slice().to_vec(),
    );
    let said = one(&dir, &stretched, &[], 1);
    said.shows("missing normalisation");
    said.shows("|RᵀR − I| at most 0.0201");
    said.shows("rate: not given");
}

#[test]
fn a_quaternion_that_runs_away_ends_the_history() {
    let dir = folder();
    let rows = integrate(0.001, true, 1.0);
    let text = csv(QW, &rows, |(t, a, w)| {
        with(&quat(a).map(|x| x * (1.0 + 2.0 * t)), w)
    });
    let said = one(&dir, &text, &[], 1);
    said.shows("it is no motion: `qw` holds a quaternion of length 1.50");
}

/// Units and frames stand in the header, or come by options; what contradicts itself is refused.
#[test]
fn units_and_frames_of_the_header() {
    let dir = folder();
    let rows = integrate(0.001, true, 1.0);
    let degrees = |(_, a, w): &Row| with(&quat(a), &w.map(f64::to_degrees));
    let space = |(_, a, w): &Row| with(&quat(a), &(a * w));
    let bare = |(_, a, w): &Row| with(&quat(a), w);
    let q = "t,qw,qx,qy,qz";
    type Numbers = fn(&Row) -> Vec<f64>;
    let right: [(&str, &[&str], Numbers); 5] = [
        ("W1 [deg/s],W2 [deg/s],W3 [deg/s]", &[], degrees),
        ("W1,W2,W3", &["--rate-unit", "deg/s"], degrees),
        (
            "wx (rad/s; space),wy (rad/s; space),wz (rad/s; space)",
            &[],
            space,
        ),
        ("wx,wy,wz", &["--rate-frame", "space"], space),
        ("wx [body],wy [body],wz [body]", &[], bare),
    ];
    for (header, options, numbers) in right {
        let text = csv(&format!("{q},{header}"), &rows, numbers);
        let said = one(&dir, &text, options, 0);
        said.shows("rate within");
    }
    let milliseconds = csv("t [ms],qw,qx,qy,qz,W1,W2,W3", &rows, bare).replace("\n0.", "\n.");
    let said = one(&dir, &milliseconds, &[], 1);
    said.shows("t = 0 … 5.0000e-4");
    said.shows("only if multiplied by 1000");
    let wrong: [(&str, &str); 5] = [
        ("W1 [mph],W2 [mph],W3 [mph]", "`mph` beside its name"),
        ("wx,wy,wz", "a rate whose frame is unknown"),
        (
            "W1 [space],W2 [space],W3 [space]",
            "`space` beside a name of the body frame",
        ),
        (
            "W1 [deg/s],W2,W3",
            "another unit or frame than the column before",
        ),
        (
            "W1,W2 [deg/s],W3 [deg/s]",
            "another unit or frame than the column before",
        ),
    ];
    for (header, words) in wrong {
        let text = csv(&format!("{q},{header}"), &rows, bare);
        let said = one(&dir, &text, &[], 2);
        said.complains(words);
        said.complains_in_one_line();
    }
}

#[test]
fn a_case_without_reference_says_so() {
    let dir = Folder::with("small.toml", &case(""));
    let rows = integrate(0.001, true, 1.0);
    let text = csv(QW, &rows, |(_, a, w)| with(&quat(a), w));
    let said = one(&dir, &text, &[], 0);
    said.shows("no reference, so no errors");
    said.shows("energy drift");
}

#[test]
fn bad_files_get_one_clear_message() {
    let dir = folder();
    let q = "t,qw,qx,qy,qz";
    for (text, words) in [
        (String::new(), "a.csv:1: found an empty file"),
        (
            format!("{q}\n"),
            "found 0 rows of numbers; allowed: at least two",
        ),
        (format!("{q}\n0,1,0,0,0\n"), "found 1 row of numbers"),
        (
            "t,a,b\n0,1,2\n".into(),
            "a.csv:1: found no attitude; the columns are `t`, `a`, `b`",
        ),
        ("time,qw,qx,qy,qz\n".into(), "found no column `t`"),
        (
            "t,qw,qx,qy\n".into(),
            "column `qw`: found the set `qw qx qy qz` without `qz`",
        ),
        (
            "t,qw,qx,qy,qz,qw\n".into(),
            "column `qw`: found the name twice",
        ),
        ("t,q1,q2,q3,q4\n".into(), "--quaternion"),
        ("t,e1,e2,e3\n".into(), "--euler"),
        (
            "t,qw,qx,qy,qz,R11,R12,R13,R21,R22,R23,R31,R32,R33\n".into(),
            "the attitude twice: a quaternion and a rotation matrix",
        ),
        (
            format!("{q}\n0,1,0,0,0\n1,1,x,0,0\n"),
            "a.csv:3: column `qx`: found `x`; allowed: a number",
        ),
        (
            format!("{q}\n0,1,0,0,0\n1,1,,0,0\n"),
            "column `qx`: found nothing",
        ),
        (
            format!("{q}\n0,1,0,0,0\n1,1,0,0\n"),
            "a.csv:3: found 4 fields; allowed: 5",
        ),
        (
            format!("{q}\n1,1,0,0,0\n1,1,0,0,0\n"),
            "column `t`: found 1 after 1",
        ),
        (
            format!("{q}\n0,0,0,0,0\n1,1,0,0,0\n"),
            "a quaternion of length 0",
        ),
        (
            format!("{q}\n0,1,0,0,0\n1,nan,0,0,0\n"),
            "not finite, in row 1",
        ),
        (
            "t,R11,R12,R13,R21,R22,R23,R31,R32,R33\n0,-1,0,0,0,1,0,0,0,1\n".into(),
            "a reflection",
        ),
    ] {
        let said = one(&dir, &text, &[], 2);
        said.complains(words);
        said.complains_in_one_line();
    }
    let absent = ["judge", "small.toml", "--history", "absent.csv"];
    dir.expect(&absent, 4).complains("absent.csv");
    // A folder opens, and cannot be read.
    dir.expect(&["judge", "small.toml", "--history", "."], 4);
    dir.expect(&["judge", "small.toml"], 2);
    dir.expect(&["judge", "nothing", "--history", "a.csv"], 2);
    dir.expect(&["judge", "levitron_orbit", "--history", "a.csv"], 2);
    for bad in ["ZZX:deg", "ZXZ", "zxz:rad", "ZXZ:turns"] {
        let args = ["judge", "small.toml", "--history", "a.csv", "--euler", bad];
        dir.expect(&args, 2);
    }
}
