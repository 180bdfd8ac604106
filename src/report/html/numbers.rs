//! Numbers for the page: little-endian arrays in base64, and selections of rows from long histories.

use base64::prelude::{BASE64_STANDARD, Engine};
use serde::Serialize;

/// Encodes an array of 32-bit numbers as `f` and base64.
pub(super) fn single(values: impl IntoIterator<Item = f64>) -> String {
    let bytes = values.into_iter().flat_map(|x| (x as f32).to_le_bytes());
    format!("f{}", BASE64_STANDARD.encode(bytes.collect::<Vec<u8>>()))
}

/// Encodes an array of 64-bit numbers as `d` and base64.
pub(super) fn double(values: impl IntoIterator<Item = f64>) -> String {
    let bytes = values.into_iter().flat_map(f64::to_le_bytes);
    format!("d{}", BASE64_STANDARD.encode(bytes.collect::<Vec<u8>>()))
}

/// Numbers in 16 bits: the smallest number, the spacing, and `h` with the base64 of counts. A count is the number of
/// spacings by which a number exceeds the smallest; the largest count stands for a number that is not finite.
#[derive(Serialize)]
pub(super) struct PackedNumbers(f64, f64, String);

impl PackedNumbers {
    pub fn new(values: &[f64]) -> Self {
        let finite = || values.iter().copied().filter(|x| x.is_finite());
        let low = finite().fold(f64::INFINITY, f64::min);
        let high = finite().fold(f64::NEG_INFINITY, f64::max);
        let low = if low.is_finite() { low } else { 0.0 };
        let step = (high - low) / f64::from(u16::MAX - 1);
        let step = if step.is_finite() && step > 0.0 {
            step
        } else {
            1.0
        };
        let count = |x: &f64| {
            if x.is_finite() {
                ((x - low) / step).round() as u16
            } else {
                u16::MAX
            }
        };
        let bytes = values.iter().flat_map(|x| count(x).to_le_bytes());
        let text = BASE64_STANDARD.encode(bytes.collect::<Vec<u8>>());
        Self(low, step, format!("h{text}"))
    }
}

/// Selects at most `most` evenly spread rows of `count`, which include the first and the last.
pub(super) fn spread(count: usize, most: usize) -> Vec<usize> {
    if count <= most.max(2) {
        return (0..count).collect();
    }
    let last = count - 1;
    let parts = most.max(2) - 1;
    (0..=parts).map(|k| k * last / parts).collect()
}

/// A selection of the rows of a history for a plot: all rows, or the smallest and the largest value in each bucket of rows.
pub(super) struct Buckets {
    count: usize,
    /// First row of each bucket, and the end; empty where all rows are shown.
    edges: Vec<usize>,
}

impl Buckets {
    /// Makes buckets that select about `most` of `count` rows at most.
    pub fn new(count: usize, most: usize) -> Self {
        let buckets = (most / 2).max(1);
        let edges = if count <= most {
            Vec::new()
        } else {
            (0..=buckets).map(|k| k * count / buckets).collect()
        };
        Self { count, edges }
    }

    /// Returns the rows whose times the numbers get: the first and the last row of each bucket. A curve that only rises or
    /// only falls in a bucket is then drawn at its true times.
    pub fn rows(&self) -> Vec<usize> {
        if self.edges.is_empty() {
            return (0..self.count).collect();
        }
        let pairs = self.edges.windows(2);
        pairs.flat_map(|e| [e[0], e[1] - 1]).collect()
    }

    /// Returns the numbers of a column: the smallest and the largest of each bucket in the order of their rows. A number that
    /// is not finite takes precedence over both.
    pub fn column(&self, of: impl Fn(usize) -> f64) -> Vec<f64> {
        if self.edges.is_empty() {
            return (0..self.count).map(of).collect();
        }
        let mut out = Vec::new();
        for edge in self.edges.windows(2) {
            let (mut low, mut high) = (edge[0], edge[0]);
            for k in edge[0]..edge[1] {
                let x = of(k);
                if !x.is_finite() {
                    (low, high) = (k, k);
                    break;
                }
                if x < of(low) {
                    low = k;
                }
                if x > of(high) {
                    high = k;
                }
            }
            out.extend([of(low.min(high)), of(low.max(high))]);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_little_endian() {
        assert_eq!(single([1.0]), "fAACAPw==");
        assert_eq!(double([1.0]), "dAAAAAAAA8D8=");
    }

    #[test]
    fn coarse_numbers_keep_their_ends() {
        let PackedNumbers(low, step, text) = PackedNumbers::new(&[1.0, f64::NAN, 3.0, 2.0]);
        assert_eq!((low, low + step * 65534.0), (1.0, 3.0));
        let bytes = BASE64_STANDARD.decode(&text[1..]).unwrap();
        let counts: Vec<u16> = bytes
            .chunks(2)
            .map(|b| u16::from_le_bytes([b[0], b[1]]))
            .collect();
        assert_eq!(counts, [0, 65535, 65534, 32767]);
        assert_eq!(PackedNumbers::new(&[5.0, 5.0]).0, 5.0);
    }

    #[test]
    fn first_and_last_rows_stay() {
        assert_eq!(spread(3, 5), [0, 1, 2]);
        let thin = spread(1001, 11);
        assert_eq!((thin.len(), thin[0], thin[10]), (11, 0, 1000));
    }

    #[test]
    fn buckets_keep_extremes_and_what_is_not_finite() {
        let mut y: Vec<f64> = (0..10_000).map(|k| f64::from(k % 7)).collect();
        (y[1234], y[5678]) = (50.0, -40.0);
        let thin = Buckets::new(y.len(), 100);
        let (rows, kept) = (thin.rows(), thin.column(|k| y[k]));
        assert_eq!((rows.len(), kept.len()), (100, 100));
        assert!(rows.windows(2).all(|w| w[0] < w[1]));
        assert!(kept.contains(&50.0) && kept.contains(&-40.0));
        y[77] = f64::NAN;
        assert!(thin.column(|k| y[k])[0].is_nan());
        assert_eq!(Buckets::new(5, 100).column(|k| y[k]), y[..5]);
    }
}
