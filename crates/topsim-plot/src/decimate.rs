//! Thinning of dense series without a visible loss.

/// Keeps at most four points of each stay in one of `columns` equal columns of the x range: the first, lowest, highest and
/// last point, in their order. The line through them covers the same pixels as the line through all points. A stretch of
/// points that are not finite becomes one such point, so that gaps stay gaps.
pub fn decimate(points: &[[f64; 2]], columns: usize) -> Vec<[f64; 2]> {
    let finite = |p: &[f64; 2]| p[0].is_finite() && p[1].is_finite();
    let xs = || points.iter().filter(|p| finite(p)).map(|p| p[0]);
    let lo = xs().fold(f64::INFINITY, f64::min);
    let hi = xs().fold(f64::NEG_INFINITY, f64::max);
    let count = columns.max(1) as f64;
    // Halves: the length of the range may not be representable.
    let half = (0.5 * hi - 0.5 * lo).max(f64::MIN_POSITIVE);
    let column = |x: f64| ((0.5 * x - 0.5 * lo) / half * count).min(count - 1.0) as i64;
    let mut kept = Vec::new();
    for run in points.chunk_by(|a, b| finite(a) == finite(b)) {
        if finite(&run[0]) {
            thin(run, column, &mut kept);
        } else {
            kept.push(run[0]);
        }
    }
    kept
}

/// Thins one run of finite points with any assignment of columns.
pub(crate) fn thin(run: &[[f64; 2]], column: impl Fn(f64) -> i64, kept: &mut Vec<[f64; 2]>) {
    for stay in run.chunk_by(|a, b| column(a[0]) == column(b[0])) {
        let (mut low, mut high) = (0, 0);
        for (i, p) in stay.iter().enumerate() {
            if p[1] < stay[low][1] {
                low = i;
            }
            if p[1] > stay[high][1] {
                high = i;
            }
        }
        let mut chosen = [0, low.min(high), low.max(high), stay.len() - 1].to_vec();
        chosen.dedup();
        kept.extend(chosen.into_iter().map(|i| stay[i]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use libm::sin;

    #[test]
    fn extremes_ends_and_order_stay() {
        let dense: Vec<[f64; 2]> = (0..100_000)
            .map(|i| [f64::from(i), sin(f64::from(i))])
            .collect();
        let thin = decimate(&dense, 200);
        assert!(thin.len() <= 800);
        assert_eq!((thin.first(), thin.last()), (dense.first(), dense.last()));
        assert!(thin.windows(2).all(|w| w[0][0] < w[1][0]));
        let top = |p: &[[f64; 2]]| p.iter().map(|p| p[1]).fold(f64::MIN, f64::max);
        assert_eq!(top(&thin), top(&dense));
    }

    #[test]
    fn few_points_are_untouched_and_gaps_kept() {
        let few = [[0.0, 1.0], [1.0, f64::NAN], [2.0, 3.0], [3.0, 1.0]];
        let out = decimate(&few, 10);
        assert_eq!(format!("{out:?}"), format!("{few:?}"));
        assert!(decimate(&[], 10).is_empty());
        assert_eq!(decimate(&[[1.0, 2.0]; 9], 0), vec![[1.0, 2.0]; 2]);
    }
}
