//! Selects rows of a smooth history such that straight lines between them look like its curve.

/// Largest distance of the curve from the lines, as a fraction of the height of a plot: half a pixel of 300.
const TOLERANCE: f64 = 1.0 / 600.0;

/// Selects rows by adding the one that is farthest from its line until all are near enough (Ramer 1972, Douglas and
/// Peucker 1973).
///
/// Returns `None` if the history has so few rows that all are shown, if it has numbers that are not finite, or if it would
/// need more than half of `most` rows.
pub(super) fn outline(times: &[f64], of: impl Fn(usize) -> f64, most: usize) -> Option<Vec<usize>> {
    let last = times.len().checked_sub(1)?;
    if times.len() <= most {
        return None;
    }
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for k in 0..=last {
        let x = of(k);
        if !x.is_finite() {
            return None;
        }
        (low, high) = (low.min(x), high.max(x));
    }
    let allowed = TOLERANCE * (high - low);
    let mut rows = vec![0, last];
    let mut open = vec![(0, last)];
    while let Some((from, to)) = open.pop() {
        let slope = (of(to) - of(from)) / (times[to] - times[from]);
        let missed = |k: usize| (of(k) - of(from) - slope * (times[k] - times[from])).abs();
        let worst = (from + 1..to).max_by(|&a, &b| missed(a).total_cmp(&missed(b)));
        let Some(worst) = worst.filter(|&k| missed(k) > allowed) else {
            continue;
        };
        rows.push(worst);
        if rows.len() > most / 2 {
            return None;
        }
        open.extend([(from, worst), (worst, to)]);
    }
    rows.sort_unstable();
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(curve: impl Fn(f64) -> f64) -> (Vec<f64>, Vec<f64>) {
        let times: Vec<f64> = (0..=2000).map(|k| f64::from(k) * 0.01).collect();
        let values = times.iter().map(|t| curve(*t)).collect();
        (times, values)
    }

    #[test]
    fn a_curve_that_turns_over_is_followed_where_it_does() {
        let (t, y) = of(|t| 15.0 * libm::tanh(6.0 * (t - 9.3)));
        let rows = outline(&t, |k| y[k], 134).unwrap();
        assert!(rows.len() < 40 && rows[0] == 0 && rows.last() == Some(&2000));
        // Between the rows a line is within half a pixel.
        for pair in rows.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            for k in a..b {
                let line = y[a] + (y[b] - y[a]) * (t[k] - t[a]) / (t[b] - t[a]);
                assert!((line - y[k]).abs() <= TOLERANCE * 30.0);
            }
        }
    }

    #[test]
    fn restless_and_broken_histories_have_none() {
        let (t, noise) = of(|t| libm::sin(997.0 * t * t));
        assert!(outline(&t, |k| noise[k], 134).is_none());
        assert!(outline(&t, |k| if k == 7 { f64::NAN } else { 0.0 }, 134).is_none());
        assert!(outline(&t[..100], |k| noise[k], 134).is_none());
        assert_eq!(outline(&t, |_| 3.0, 134), Some(vec![0, 2000]));
    }
}
