//! What the tensor of a solver is of the right one.

use super::super::experiment::Start;
use super::super::fit::FittedLaw;
use super::super::law::symmetric;
use super::digits::{known, vector};
use topsim_core::math::Mat3;

/// A tensor, and the pattern that it is of the right one.
pub(super) fn tensor(f: &FittedLaw, base: &Start) -> String {
    let j = *base.inertia.tensor();
    let solver = j + symmetric(&f.values);
    let rows: Vec<String> = (0..3)
        .map(|i| vector(&[solver[(i, 0)], solver[(i, 1)], solver[(i, 2)]]))
        .collect();
    let shown = format!("its tensor for the one given is {}", rows.join(", "));
    pattern(&solver, &j).map_or(shown.clone(), |p| format!("{shown}: {p}"))
}

/// What a solver's tensor is of the right one.
fn pattern(solver: &Mat3, j: &Mat3) -> Option<String> {
    let close = |m: &Mat3| (solver - m).norm() <= 1e-3 * j.norm();
    let principal = |m: &Mat3| {
        let mut e: Vec<f64> = m.symmetric_eigenvalues().iter().copied().collect();
        e.sort_by(f64::total_cmp);
        e
    };
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
                let exchanged = if axes == [0, 1, 2] {
                    String::new()
                } else {
                    format!(
                        "its axes are exchanged to {}",
                        axes.map(|a| ['x', 'y', 'z'][a]).iter().collect::<String>()
                    )
                };
                let wrong: Vec<&str> = ["xy", "xz", "yz"]
                    .into_iter()
                    .enumerate()
                    .filter(|(k, _)| bits >> k & 1 == 1)
                    .map(|(_, n)| n)
                    .collect();
                let signs = if wrong.is_empty() {
                    String::new()
                } else {
                    format!("products {} of the opposite sign", wrong.join(", "))
                };
                let both: Vec<String> = [exchanged, signs]
                    .into_iter()
                    .filter(|s| !s.is_empty())
                    .collect();
                return Some(both.join(", "));
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
        return Some(format!("{} times it", known(factor)));
    }
    let (a, b) = (principal(solver), principal(j));
    let same = a
        .iter()
        .zip(&b)
        .all(|(x, y)| (x - y).abs() <= 1e-3 * y.abs());
    if same {
        return Some("the same principal moments about other axes".into());
    }
    // Steiner's term: m (c² − c cᵀ) has one eigenvalue 0 and two that are equal.
    let e = principal(&(solver - j));
    let scale = 1e-3 * j.norm();
    let double = |x: f64, y: f64, zero: f64| (x - y).abs() <= scale && zero.abs() <= scale;
    if double(e[1], e[2], e[0]) || double(e[0], e[1], e[2]) {
        return Some("moved to another point: it differs by a term m (c² − c cᵀ)".into());
    }
    None
}
