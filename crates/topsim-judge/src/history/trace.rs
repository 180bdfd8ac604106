//! What is kept of a history to find out what is wrong with it: some thousand rows.

use topsim_model::probe::Row;
use topsim_protocol::history::Sample;

/// Rows kept of one history: the first ones, and others evenly spread.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// Rows, in the order of their times.
    pub points: Vec<Sample>,
    resolution: f64,
    next: f64,
    last: Option<Sample>,
    /// Number of rows that are evenly spread; at most one more is the last of all.
    spread: usize,
}

/// Rows kept from the start on.
const FIRST: usize = 256;
/// Rows kept of the span of the case.
const SPREAD: f64 = 2048.0;
/// Rows kept at most, of a history that goes on beyond the case.
const MOST: usize = 1 << 13;

impl Trace {
    pub(crate) fn new(span: [f64; 2]) -> Self {
        Self {
            points: Vec::new(),
            resolution: (span[1] - span[0]) / SPREAD,
            next: f64::NEG_INFINITY,
            last: None,
            spread: 0,
        }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, p: Sample) {
        if self.points.len() < FIRST || (p.t >= self.next && self.points.len() < MOST) {
            // Multiples of the resolution, so that histories of several steps keep the same times.
            self.next = ((p.t / self.resolution).floor() + 1.0) * self.resolution;
            self.points.push(p);
            self.last = None;
        } else {
            self.last = Some(p);
        }
    }

    /// Moves all times, s.
    pub(crate) fn shift(&mut self, by: f64) {
        self.points.iter_mut().for_each(|p| p.t += by);
    }

    pub(crate) fn finish(mut self) -> Self {
        self.spread = self.points.len();
        self.points.extend(self.last.take());
        self
    }

    /// Returns the evenly spread rows that have a rate, as models of a solver read them.
    pub(crate) fn written(&self) -> Vec<Row> {
        let spread = self.points.iter().take(self.spread);
        spread.filter_map(Sample::as_written).collect()
    }

    /// The row at time `t`, within `slack`.
    pub(crate) fn at(&self, t: f64, slack: f64) -> Option<&Sample> {
        let i = self.points.partition_point(|p| p.t < t - slack);
        self.points.get(i).filter(|p| (p.t - t).abs() <= slack)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use topsim_core::math::Mat3;

    #[test]
    fn first_spread_and_last_rows_are_kept() {
        let mut trace = Trace::new([0.0, 1.0]);
        let n = 1_000_003;
        for k in 0..=n {
            trace.push(Sample {
                row: k as u64,
                t: f64::from(k) / f64::from(n),
                att: Mat3::identity(),
                quaternion: None,
                rate: None,
                rate_in_space: false,
                omega: None,
                position: None,
                energy: None,
                numbers: Vec::new(),
            });
        }
        let trace = trace.finish();
        let (first, last) = (&trace.points[FIRST - 1], trace.points.last().unwrap());
        assert_eq!((first.t, last.t), (255.0 / f64::from(n), 1.0));
        assert!(trace.points.len() > 2000 && trace.points.len() < 2400);
        assert!(trace.at(1.0, 1e-9).is_some() && trace.at(0.50001, 1e-9).is_none());
    }
}
