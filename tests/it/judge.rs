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
pub type Row = (f64, Mat3, Vec3);

pub fn folder() -> Folder {
    Folder::with("small.toml", &case(NUMERICAL))
}

/// Returns the histories of the only case in the JSON report.
pub fn histories(said: &Said) -> Value {
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
pub fn integrate(h: f64, second: bool, gyro: f64) -> Vec<Row> {
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

pub fn csv(header: &str, rows: &[Row], numbers: impl Fn(&Row) -> Vec<f64>) -> String {
    let mut out = format!("{header}\n");
    for row in rows {
        let numbers: Vec<String> = numbers(row).iter().map(f64::to_string).collect();
        let _ = writeln!(out, "{},{}", row.0, numbers.join(","));
    }
    out
}

pub const QW: &str = "t,qw,qx,qy,qz,W1,W2,W3";

pub fn with(attitude: &[f64], rate: &Vec3) -> Vec<f64> {
    attitude.iter().chain(rate.iter()).copied().collect()
}

pub fn quat(att: &Mat3) -> [f64; 4] {
    so3::quat_from_matrix(att)
}

/// Judges one history.
pub fn one(dir: &Folder, text: &str, options: &[&str], status: i32) -> Said {
    dir.write("a.csv", text);
    let mut args = vec!["judge", "small.toml", "--verbose", "--history", "a.csv"];
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
        args.extend(["--history", file, "--steps", h]);
    }
    args.extend(["--format", "json"]);
    let said = dir.expect(&args, 0);
    let v = histories(&said);
    assert!((v["order"].as_f64().unwrap() - 2.0).abs() < 0.02);
    assert_eq!(v["files"].as_array().unwrap().len(), 3);
    let ignored = v["files"][0]["ignored"].as_array().unwrap();
    assert!(ignored.contains(&"pi_x".into()), "{ignored:?}");
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
    let few = [&same[..], &["--steps", "0.1"]].concat();
    dir.expect(&few, 2)
        .complains("--steps: found 1 for 2 histories");
}

/// Orders of three histories of the test's own integrator.
fn ladder(second: bool, gyro: f64, status: i32) -> Said {
    let dir = folder();
    let mut args = vec!["judge", "small.toml", "--verbose"];
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
    ladder(true, 1.0, 0).shows("NO DEFECT FOUND  order 2.0");
    ladder(false, 1.0, 0).shows("NO DEFECT FOUND  order 1.0");
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
    let mut args = vec!["judge".to_string(), "small.toml".into(), "--verbose".into()];
    for h in ["0.005", "0.0025", "0.00125"] {
        let file = format!("results/small/exact_strang_h{h}.csv");
        args.extend(["--history".into(), file, "--steps".into(), h.into()]);
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let said = dir.expect(&args, 0);
    said.shows("NO DEFECT FOUND  no order measured");
    said.shows(" momentum drift");
}

#[test]
fn another_motion_is_not_a_large_error() {
    for gyro in [0.0, -1.0, 0.97] {
        let said = ladder(true, gyro, 1);
        said.shows("FAILED  convergence");
        said.shows("row 0 is the case's initial state");
    }
}

/// Units and frames stand in the header, or come by options; what contradicts itself is refused.
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
fn a_case_without_schemes_is_judged_by_and_not_run() {
    let dir = folder();
    let text = dir.read("small.toml");
    let schemes = text
        .lines()
        .find(|line| line.starts_with("schemes"))
        .unwrap();
    dir.write("bare.toml", text.replace(schemes, ""));
    let rows = csv(QW, &integrate(0.001, true, 1.0), |(_, a, w)| {
        with(&quat(a), w)
    });
    dir.write("a.csv", &rows);
    let judged = |case: &str| {
        dir.expect(&["judge", case, "--history", "a.csv"], 0)
            .out
            .replace("bare", "small")
    };
    assert_eq!(judged("bare.toml"), judged("small.toml"));
    let show = dir.expect(&["show", "bare.toml"], 0);
    show.shows("It names no schemes");
    for command in [
        &["run", "bare.toml"][..],
        &["run", "bare.toml", "--dry-run"],
        &["figures", "bare.toml"],
        &["bless", "bare.toml"],
    ] {
        let said = dir.expect(command, 2);
        said.complains("bare.toml: found no `schemes` in [run]");
        said.complains_in_one_line();
    }
    assert!(!dir.path().join("results").exists());
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
        ("zeit,qw,qx,qy,qz\n".into(), "found no column `t`"),
        (
            "t,qw,qx,qy,qz\n0,0,1,0,0,0,0,0,0,0\n".into(),
            "found 10 fields; allowed: 5, as many as the first line has; columns of numbers with decimal commas",
        ),
        (
            "time,q.w,q_w,qx,qy,qz\n".into(),
            "column `q_w`: found another column that reads as qw, `q.w`; allowed: each name once",
        ),
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
    for bad in ["ZZX:deg", "ZXZ", "zxZ:rad", "ZXZ:turns"] {
        let args = ["judge", "small.toml", "--history", "a.csv", "--euler", bad];
        dir.expect(&args, 2);
    }
}
