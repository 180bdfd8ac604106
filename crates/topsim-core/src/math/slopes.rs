//! Slopes of errors over a ladder of steps.

/// Slopes below this are those of no order: errors do not fall as any would have it.
pub const LEAST_ORDER: f64 = 0.8;

/// Computes the slopes of `log e` against `log h` between neighbours, coarse to fine.
///
/// `points` are `(h, e, floor)` and are sorted by decreasing h. A point whose error is not above its floor is
/// left out together with all finer ones.
pub fn slopes(points: &[(f64, f64, f64)]) -> Vec<f64> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let usable: Vec<_> = sorted
        .into_iter()
        .take_while(|&(_, e, floor)| e > floor)
        .collect();
    usable
        .windows(2)
        .map(|p| {
            let ((h0, e0, _), (h1, e1, _)) = (p[0], p[1]);
            super::scalar::ln(e0 / e1) / super::scalar::ln(h0 / h1)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_has_its_power_in_any_order_of_steps() {
        let points: Vec<_> = [0.001, 0.009, 0.003]
            .iter()
            .map(|&h| (h, 5.0 * h * h * h, 0.0))
            .collect();
        let s = slopes(&points);
        assert_eq!(s.len(), 2);
        assert!(s.iter().all(|s| (s - 3.0).abs() < 1e-12));
    }

    #[test]
    fn a_plateau_is_not_fitted_through() {
        let points = [(0.1, 1e-4), (0.05, 1e-8), (0.025, 2e-15), (0.0125, 3e-15)];
        assert_eq!(slopes(&points.map(|(h, e)| (h, e, 1e-13))).len(), 1);
        assert!(slopes(&[(0.1, f64::NAN, 0.0), (0.05, 1.0, 0.0)]).is_empty());
    }
}
