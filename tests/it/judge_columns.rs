//! `topsim judge --history`: every way to write an attitude and a rate, and every way to report them wrongly.

use crate::judge::{QW, Row, csv, folder, histories, integrate, one, quat, with};
use topsim_core::math::{Mat3, Vec3, so3};

const MATRIX: &str = "t,R11,R12,R13,R21,R22,R23,R31,R32,R33,W1,W2,W3";

/// Scalar last.
fn last(q: [f64; 4]) -> [f64; 4] {
    [q[1], q[2], q[3], q[0]]
}

/// Euler angles ZYX about turned axes, rad.
fn zyx(m: &Mat3) -> [f64; 3] {
    [
        libm::atan2(m[(1, 0)], m[(0, 0)]),
        -libm::asin(m[(2, 0)]),
        libm::atan2(m[(2, 1)], m[(2, 2)]),
    ]
}

#[test]
fn every_way_to_write_an_attitude_gives_the_same_errors() {
    let dir = folder();
    let rows = integrate(0.001, true, 1.0);
    let euler = |m: &Mat3| zyx(m).map(f64::to_degrees);
    let rows9 = |m: &Mat3| m.transpose().as_slice().to_vec();
    let texts: Vec<(String, &[&str])> = vec![
        (csv(QW, &rows, |(_, a, w)| with(&quat(a), w)), &[]),
        (csv(MATRIX, &rows, |(_, a, w)| with(&rows9(a), w)), &[]),
        (
            csv(MATRIX, &rows, |(_, a, w)| with(a.as_slice(), w)),
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

/// The rows as a program with names of its own and a German locale writes them.
fn german(rows: &[Row], turned: bool) -> String {
    let angles = |m: &Mat3| {
        let [yaw, pitch, roll] = zyx(m).map(f64::to_degrees);
        if turned {
            [yaw, pitch, roll]
        } else {
            [roll, pitch, yaw]
        }
    };
    let text = csv(
        "Zeit;Gier;Nick;Roll;wx [rad/s, body];wy [rad/s, body];wz [rad/s, body]",
        rows,
        |(_, a, w)| with(&angles(a), w),
    );
    let (header, numbers) = text.split_once('\n').unwrap();
    format!("{header}\n{}", numbers.replace(',', ";").replace('.', ","))
}

#[test]
fn files_with_other_names_and_decimal_commas_are_read() {
    let dir = folder();
    let rows = integrate(0.001, true, 1.0);
    let columns = "t=Zeit,e1=Gier,e2=Nick,e3=Roll";
    let matches = |text: &str, options: &[&str]| {
        let json = [options, &["--format", "json"]].concat();
        let start = histories(&one(&dir, text, &json, 0))["files"][0]["start"].clone();
        assert_eq!(start["attitude_matches"], true, "{options:?}");
        assert_eq!(start["rate_matches"], true, "{options:?}");
    };
    matches(
        &german(&rows, true),
        &["--columns", columns, "--euler", "ZYX:deg"],
    );
    // The same angles about the axes of space.
    matches(
        &german(&rows, false),
        &["--columns", columns, "--euler", "xyz:deg"],
    );
    let dotted = "Time,q.w,q.x,q.y,q.z,w_x,w_y,w_z";
    let text = csv(dotted, &rows, |(_, a, w)| with(&quat(a), w));
    matches(&text, &["--rate-frame", "body"]);
    // What an option names goes before what the file calls so.
    let text = csv("t,time,qw,qx,qy,qz,W1,W2,W3", &rows, |(t, a, w)| {
        with(&[&[*t][..], &quat(a)].concat(), w)
    });
    matches(&text, &["--columns", "t=time"]);
}

#[test]
fn all_that_is_missing_is_said_at_once_and_once_for_all_files() {
    let dir = folder();
    let text = german(&integrate(0.001, true, 1.0), true).replace(" [rad/s, body]", "");
    let names = ["a.csv", "b.csv", "c.csv"];
    let mut args = vec!["judge", "small.toml"];
    for name in names {
        dir.write(name, &text);
        args.extend(["--history", name]);
    }
    let said = dir.expect(&args, 2);
    for words in [
        "a.csv:1: found no column `t`; the columns are `Zeit`, `Gier`",
        "a.csv:1: found no attitude; allowed:",
        "column `wx`: found a rate whose frame is unknown",
        "(the same in b.csv, c.csv)",
        "`--columns t=HEADER`",
    ] {
        said.complains(words);
    }
    assert_eq!(said.err.matches("error:").count(), 3, "{}", said.err);
    for (columns, words) in [
        (
            "zeit=Zeit",
            "allowed: NAME=HEADER, where NAME is one of t, qw",
        ),
        (
            "t=Datum",
            "found no column `Datum` for `t`; the columns are `Zeit`",
        ),
        ("t=Zeit,t=Gier", "found two columns for `t`"),
        ("t=Zeit,e1=Zeit", "the column `Zeit` for `t` and for `e1`"),
    ] {
        let args = [
            "judge",
            "small.toml",
            "--history",
            "a.csv",
            "--columns",
            columns,
        ];
        dir.expect(&args, 2).complains(words);
    }
}

#[test]
fn reporting_conventions_are_named() {
    let dir = folder();
    let rows = integrate(0.001, true, 1.0);
    let conjugate = |q: [f64; 4]| [q[0], -q[1], -q[2], -q[3]];
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
            csv(MATRIX, &rows, |(_, a, w)| with(a.as_slice(), w)),
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
            csv(euler, &rows, |(_, m, _)| zyx(m).to_vec()),
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
    // Times in milliseconds without their unit.
    let late: Vec<_> = rows.iter().map(|(t, a, w)| (1000.0 * t, *a, *w)).collect();
    let text = csv(QW, &late, |(_, a, w)| with(&quat(a), w));
    let said = one(&dir, &text, &[], 2);
    said.complains("1000 times the case's end of 0.5 s: are they in ms?");
    one(&dir, &text.replacen("t,", "t [ms],", 1), &[], 0);
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
    said.shows("length off that of row 0 by at most 1.00e-3");
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
fn a_quaternion_of_any_length_is_normalised_and_told() {
    let dir = folder();
    let rows = integrate(0.001, true, 1.0);
    let text = csv(QW, &rows, |(t, a, w)| {
        with(&quat(a).map(|x| x * (1.0 + 2.0 * t)), w)
    });
    let said = one(&dir, &text, &[], 1);
    said.shows("missing normalisation");
    said.shows("length off that of row 0 by at most 1.00 ");
    said.hides("it is no motion");
}

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
            "wx (rad/s, space),wy (rad/s; space),wz (rad/s, space)",
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
