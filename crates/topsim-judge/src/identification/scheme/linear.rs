//! Least squares on a few columns, and the search of the smallest set of columns that explains a quantity.

use crate::thresholds::{FITTED, MANY_ROUNDINGS, ROUNDING};

/// Least squares.
#[derive(Debug, Clone)]
pub(super) struct Fit {
    pub values: Vec<f64>,
    /// One standard deviation of each value; infinite where a column depends on the ones before it.
    pub errors: Vec<f64>,
    /// Root mean square of what is left.
    pub residual: f64,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// v −= c u.
fn subtract(v: &mut [f64], c: f64, u: &[f64]) {
    for (v, u) in v.iter_mut().zip(u) {
        *v -= c * u;
    }
}

/// An orthonormal basis, made column by column.
#[derive(Default)]
struct Basis(Vec<Vec<f64>>);

impl Basis {
    /// Coordinates of `column` in the basis, and what is left of it.
    fn split(&self, column: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut rest = column.to_vec();
        let mut along = vec![0.0; self.0.len()];
        // Twice is enough.
        for _ in 0..2 {
            for (c, u) in along.iter_mut().zip(&self.0) {
                let d = dot(&rest, u);
                subtract(&mut rest, d, u);
                *c += d;
            }
        }
        (along, rest)
    }
    /// Adds what is left of `column`, and returns its coordinates; `None` where it depends on the basis.
    fn push(&mut self, column: &[f64]) -> Option<Vec<f64>> {
        let (mut along, mut rest) = self.split(column);
        let left = norm(&rest);
        if !(left > MANY_ROUNDINGS * norm(column)) {
            return None;
        }
        rest.iter_mut().for_each(|x| *x /= left);
        along.push(left);
        self.0.push(rest);
        Some(along)
    }
}

/// y ≈ Σ values · columns. `floor` is the least standard deviation that a number of y can have.
pub(super) fn fit(columns: &[Vec<f64>], y: &[f64], floor: f64) -> Fit {
    let mut basis = Basis::default();
    let mut triangle = Vec::new();
    let mut kept = Vec::new();
    for (i, column) in columns.iter().enumerate() {
        if let Some(r) = basis.push(column) {
            triangle.push(r);
            kept.push(i);
        }
    }
    let (q, rest) = basis.split(y);
    let n = kept.len();
    let left = norm(&rest);
    let free = y.len().saturating_sub(n).max(1);
    let sigma = (left / (free as f64).sqrt()).max(floor);
    let back = |mut b: Vec<f64>| {
        for i in (0..n).rev() {
            for j in i + 1..n {
                b[i] -= triangle[j][i] * b[j];
            }
            b[i] /= triangle[i][i];
        }
        b
    };
    let solution = back(q);
    let mut variance = vec![0.0; n];
    for k in 0..n {
        let mut unit = vec![0.0; n];
        unit[k] = 1.0;
        for (v, x) in variance.iter_mut().zip(back(unit)) {
            *v += x * x;
        }
    }
    let mut out = Fit {
        values: vec![0.0; columns.len()],
        errors: vec![f64::INFINITY; columns.len()],
        residual: left / (y.len() as f64).sqrt(),
    };
    for (k, &i) in kept.iter().enumerate() {
        out.values[i] = solution[k];
        out.errors[i] = sigma * variance[k].sqrt();
    }
    out
}

/// Columns that explain a quantity.
#[derive(Debug, Clone)]
pub(super) struct Subset {
    pub columns: Vec<usize>,
    pub values: Vec<f64>,
    /// Relative to the quantity.
    pub residual: f64,
}

/// The smallest sets of at most `most` columns that leave at most `accept` of y: all of the least size.
pub(super) fn subsets(columns: &[Vec<f64>], y: &[f64], most: usize, accept: f64) -> Vec<Subset> {
    let size = norm(y);
    if !(size > 0.0 && size.is_finite()) {
        return Vec::new();
    }
    // All vectors in one basis of at most one more than the columns.
    let mut basis = Basis::default();
    for column in columns {
        basis.push(column);
    }
    let (_, rest) = basis.split(y);
    if !(norm(&rest) <= accept * size) {
        return Vec::new();
    }
    basis.push(y);
    let short = |v: &[f64]| basis.split(v).0;
    let search = Search {
        columns: columns.iter().map(|c| short(c)).collect(),
        y: short(y),
        accept: accept * size,
    };
    for count in 1..=most.min(columns.len()) {
        let mut found = Vec::new();
        search.deepen(count, 0, &mut Vec::new(), &search.y.clone(), &mut found);
        if !found.is_empty() {
            for s in &mut found {
                s.residual /= size;
            }
            return found;
        }
    }
    Vec::new()
}

struct Search {
    columns: Vec<Vec<f64>>,
    y: Vec<f64>,
    accept: f64,
}

/// A chosen column: its number, its direction, its coordinates along the chosen ones, y along it.
type ChosenColumn = (usize, Vec<f64>, Vec<f64>, f64);

impl Search {
    fn deepen(
        &self,
        count: usize,
        from: usize,
        chosen: &mut Vec<ChosenColumn>,
        rest: &[f64],
        found: &mut Vec<Subset>,
    ) {
        for i in from..self.columns.len() {
            let mut v = self.columns[i].clone();
            let full = norm(&v);
            let mut along = Vec::with_capacity(chosen.len() + 1);
            for (_, u, ..) in chosen.iter() {
                let d = dot(&v, u);
                subtract(&mut v, d, u);
                along.push(d);
            }
            let left = norm(&v);
            if !(left > MANY_ROUNDINGS * full) {
                continue;
            }
            v.iter_mut().for_each(|x| *x /= left);
            along.push(left);
            let c = dot(rest, &v);
            let mut next = rest.to_vec();
            subtract(&mut next, c, &v);
            chosen.push((i, v, along, c));
            if chosen.len() == count {
                if norm(&next) <= self.accept {
                    found.extend(subset(chosen, norm(&next)));
                }
            } else {
                self.deepen(count, i + 1, chosen, &next, found);
            }
            chosen.pop();
        }
    }
}

fn subset(chosen: &[ChosenColumn], residual: f64) -> Option<Subset> {
    let n = chosen.len();
    let mut values: Vec<f64> = chosen.iter().map(|c| c.3).collect();
    for i in (0..n).rev() {
        for j in i + 1..n {
            values[i] -= chosen[j].2[i] * values[j];
        }
        values[i] /= chosen[i].2[i];
    }
    values.iter().all(|v| v.abs() > FITTED).then(|| Subset {
        columns: chosen.iter().map(|c| c.0).collect(),
        values,
        residual,
    })
}

/// The fraction p/q of the least q up to `limit` within `tolerance` of `x`.
pub(super) fn fraction(x: f64, limit: u32, tolerance: f64) -> Option<(i64, u32)> {
    (1..=limit).find_map(|q| {
        let p = (x * f64::from(q)).round();
        ((x - p / f64::from(q)).abs() <= tolerance).then_some((p as i64, q))
    })
}

/// A number for people: a fraction where it is one, else its digits.
pub(super) fn spell(x: f64, tolerance: f64) -> String {
    match fraction(x, 36, tolerance.max(ROUNDING)) {
        Some((p, 1)) => p.to_string(),
        Some((p, q)) => format!("{p}/{q}"),
        None => {
            let digits = (-tolerance.max(ROUNDING).log10()).clamp(2.0, 8.0) as usize;
            format!("{x:.digits$}")
        }
    }
}
