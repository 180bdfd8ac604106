//! Quantities of a body, and what the tensor of a solver is of the right one.

use super::super::law::symmetric;
use super::digits::{known, vector};
use crate::thresholds::{EXPLAINED, NEGLIGIBLE, PRINTED};
use topsim_core::math::Mat3;
use topsim_protocol::numbers::brief;

/// A vector, or the rows of a tensor.
pub(super) fn quantity(numbers: &[f64]) -> String {
    if numbers.len() != 6 {
        return vector(numbers);
    }
    let rows = symmetric(numbers).transpose();
    let rows: Vec<String> = rows.column_iter().map(|r| vector(r.as_slice())).collect();
    rows.join(", ")
}

/// The pattern that a tensor is of the one that was given, after a colon; nothing where there is none.
pub(super) fn pattern(solver: &[f64], given: &[f64]) -> String {
    if solver.len() != 6 {
        return String::new();
    }
    pattern_of(&symmetric(solver), &symmetric(given)).map_or(String::new(), |p| format!(": {p}"))
}

/// What a solver's tensor is of the right one.
fn pattern_of(solver: &Mat3, j: &Mat3) -> Option<String> {
    let off = (solver - j).norm() / j.norm();
    // What explains a small difference must be nearer than the given tensor is.
    let within = NEGLIGIBLE.min(EXPLAINED * off);
    let close = |m: &Mat3| (solver - m).norm() <= within * j.norm();
    let principal = |m: &Mat3| {
        let mut e: Vec<f64> = m.symmetric_eigenvalues().iter().copied().collect();
        e.sort_by(f64::total_cmp);
        e
    };
    let added = (solver - j).trace() / 3.0;
    if close(&(j + Mat3::identity() * added)) {
        return Some(format!(
            "{} kg m² added to each diagonal entry",
            brief(added)
        ));
    }
    for bits in 0..8_u8 {
        let sign = |k: u8| if bits >> k & 1 == 1 { -1.0 } else { 1.0 };
        for axes in [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ] {
            let m = Mat3::from_fn(|a, b| {
                let product = match (a.min(b), a.max(b)) {
                    (0, 1) => sign(0),
                    (0, 2) => sign(1),
                    (1, 2) => sign(2),
                    _ => 1.0,
                };
                product * j[(axes[a], axes[b])]
            });
            if close(&m) && (bits != 0 || axes != [0, 1, 2]) {
                let order: String = axes.iter().map(|a| ['x', 'y', 'z'][*a]).collect();
                let wrong = ["xy", "xz", "yz"].iter().zip(0..);
                let wrong = wrong.filter(|(_, k)| sign(*k) < 0.0).map(|(name, _)| *name);
                let wrong = wrong.collect::<Vec<_>>().join(", ");
                return Some(match (axes == [0, 1, 2], bits) {
                    (true, _) => format!("products {wrong} of the opposite sign"),
                    (_, 0) => format!("its axes are exchanged to {order}"),
                    _ => format!(
                        "its axes are exchanged to {order}, products {wrong} of the opposite sign"
                    ),
                });
            }
        }
    }
    let diagonal = Mat3::from_diagonal(&j.diagonal());
    if close(&diagonal) {
        return Some("the diagonal alone".into());
    }
    let inverse = j.try_inverse()?;
    if close(&inverse) {
        return Some("the inverse of it".into());
    }
    let factor = solver.dot(j) / j.dot(j);
    if close(&(j * factor)) {
        return Some(format!(
            "{} times it, which multiplies W' by {} where it divides alone",
            known(factor),
            known(1.0 / factor)
        ));
    }
    let (a, b) = (principal(solver), principal(j));
    let same = a
        .iter()
        .zip(&b)
        .all(|(x, y)| (x - y).abs() <= within * y.abs());
    if same {
        return Some("the same principal moments about other axes".into());
    }
    // Steiner's term: m (c² − c cᵀ) has one eigenvalue 0 and two that are equal.
    let e = principal(&(solver - j));
    let scale = within * j.norm();
    let double = |x: f64, y: f64, zero: f64| (x - y).abs() <= scale && zero.abs() <= scale;
    if double(e[1], e[2], e[0]) || double(e[0], e[1], e[2]) {
        return Some("moved to another point: it differs by a term m (c² − c cᵀ)".into());
    }
    (off <= PRINTED).then(|| format!("the given one but for {} of it", brief(off)))
}
