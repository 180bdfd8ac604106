//! Closed forms compared with the independent table `tests/data/reference_values.csv` (Taylor series in 360-bit
//! arithmetic, `scripts/reference_values.py`).

use super::{FreeBody, LagrangeTop, RefError};
use crate::math::{Mat3, Vec3};

struct ReferenceTableRow {
    name: String,
    kind: String,
    inertia: Mat3,
    weight: f64,
    lever: Vec3,
    up: Vec3,
    att0: Mat3,
    omega0: Vec3,
    t: f64,
    att: Mat3,
    omega: Vec3,
}

fn rows() -> Vec<ReferenceTableRow> {
    let text = include_str!("../../tests/data/reference_values.csv");
    text.lines()
        .skip(1)
        .map(|line| {
            let mut cells = line.split(',');
            let (name, kind) = (
                cells.next().unwrap().to_owned(),
                cells.next().unwrap().to_owned(),
            );
            let v: Vec<f64> = cells.map(|x| x.parse().unwrap()).collect();
            assert_eq!(v.len(), 41, "{name}");
            ReferenceTableRow {
                name,
                kind,
                inertia: Mat3::from_row_slice(&v[0..9]),
                weight: v[9],
                lever: Vec3::from_column_slice(&v[10..13]),
                up: Vec3::from_column_slice(&v[13..16]),
                att0: Mat3::from_row_slice(&v[16..25]),
                omega0: Vec3::from_column_slice(&v[25..28]),
                t: v[28],
                att: Mat3::from_row_slice(&v[29..38]),
                omega: Vec3::from_column_slice(&v[38..41]),
            }
        })
        .collect()
}

/// Cases whose attitude error must be below 1e-13 rad over the whole of their span.
const SHIPPED: [&str; 8] = [
    "body_123",
    "tossed_book",
    "t_handle",
    "t_handle_exudyn",
    "heavy_top_10",
    "bruls_heavy_top",
    "bruls_slow",
    "pinned_bar",
];

/// Checks one kind of closed form; collects every complaint before failing.
fn judge(kind: &str, evaluate: impl Fn(&ReferenceTableRow) -> ((Mat3, Vec3), RefError)) {
    let (mut complaints, mut report) = (Vec::new(), Vec::new());
    let (mut count, mut loose) = (0, 0);
    for row in rows().into_iter().filter(|r| r.kind == kind) {
        let ((att, omega), claim) = evaluate(&row);
        let attitude = (att - row.att).norm() * core::f64::consts::FRAC_1_SQRT_2;
        let rate = (omega - row.omega).norm();
        let line = format!(
            "{:32} attitude {attitude:9.2e} of {:9.2e}, rate {rate:9.2e} of {:9.2e}",
            row.name, claim.attitude, claim.rate
        );
        count += 1;
        if SHIPPED.contains(&row.name.as_str()) && !(attitude <= 1e-13) {
            complaints.push(format!("above 1e-13: {line}"));
        }
        if !(attitude <= claim.attitude && rate <= claim.rate) {
            complaints.push(format!("dishonest: {line}"));
        }
        if !(claim.attitude <= 100.0 * attitude.max(1e-15)) {
            loose += 1;
            report.push(format!("loose: {line}"));
        } else {
            report.push(line);
        }
    }
    let report = report.join("\n");
    assert!(
        complaints.is_empty(),
        "{}\n\n{report}",
        complaints.join("\n")
    );
    assert!(
        count >= 30 && loose * 4 <= count,
        "{loose} of {count}\n{report}"
    );
}

#[test]
fn free_body_is_within_its_claimed_error() {
    judge("free", |r| {
        let body = FreeBody::new(&r.inertia, &r.att0, &r.omega0).unwrap();
        (body.at(r.t), body.error(r.t))
    });
}

#[test]
fn lagrange_top_is_within_its_claimed_error() {
    judge("top", |r| {
        let top = LagrangeTop::new(&r.inertia, r.weight, &r.lever, &r.up, &r.att0, &r.omega0);
        let top = top.unwrap();
        (top.at(r.t), top.error(r.t))
    });
}
