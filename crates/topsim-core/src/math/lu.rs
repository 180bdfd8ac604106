//! Small dense linear systems: Gauss elimination with partial pivoting, on the stack.

/// Solves `a x = b`; `b` becomes x, and `a` is overwritten. Returns `false`, with an undefined `b`, if a pivot
/// vanishes or is NaN.
pub fn solve<const N: usize>(a: &mut [[f64; N]; N], b: &mut [f64; N]) -> bool {
    solve_first(N, a, b)
}

/// Solves the first `n` of the equations for as many unknowns.
#[inline]
pub(crate) fn solve_first<const N: usize>(
    n: usize,
    a: &mut [[f64; N]; N],
    b: &mut [f64; N],
) -> bool {
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if a[i][k].abs() > a[pivot][k].abs() {
                pivot = i;
            }
        }
        // The test is written so that a NaN fails.
        if !(a[pivot][k].abs() > 0.0) {
            return false;
        }
        a.swap(k, pivot);
        b.swap(k, pivot);
        let (upper, lower) = a.split_at_mut(k + 1);
        let row = &upper[k];
        let inverse = 1.0 / row[k];
        for (i, below) in lower.iter_mut().enumerate().take(n - k - 1) {
            let f = below[k] * inverse;
            for j in k + 1..n {
                below[j] -= f * row[j];
            }
            b[k + 1 + i] -= f * b[k];
        }
    }
    for k in (0..n).rev() {
        let mut x = b[k];
        for j in k + 1..n {
            x -= a[k][j] * b[j];
        }
        b[k] = x / a[k][k];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_exchanged_where_a_pivot_vanishes() {
        let a = [[0.0, 2.0, 1.0], [1e-20, 1.0, 0.0], [3.0, 0.0, -1.0]];
        let x = [1.0, -2.0, 4.0];
        let mut b = a.map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum());
        assert!(solve(&mut a.clone(), &mut b));
        for (b, x) in b.iter().zip(x) {
            assert!((b - x).abs() < 1e-15);
        }
    }

    #[test]
    fn singular_systems_and_nan_are_reported() {
        let mut b = [1.0, 1.0];
        assert!(!solve(&mut [[0.0, 1.0], [0.0, 2.0]], &mut b));
        assert!(!solve(&mut [[f64::NAN, 1.0], [f64::NAN, 2.0]], &mut b));
    }
}
