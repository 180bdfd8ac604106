//! Finished maps of escape times and their summaries, in whole numbers of steps, so that nothing
//! depends on the order in which the starts were integrated.

use topsim_core::math::scalar::powf;

/// Number of a start that did not escape, in the place of a step count.
pub const SURVIVOR: i32 = -1;

/// Points of the survival curve in each decade of time.
const PER_DECADE: f64 = 20.0;

/// Side of a map: equal cells between two ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapAxis {
    /// Lower end.
    pub from: f64,
    /// Upper end.
    pub to: f64,
    /// Number of cells.
    pub cells: u32,
}

impl MapAxis {
    /// Returns the centre of the cell `i`.
    pub fn centre(&self, i: u32) -> f64 {
        self.from + (f64::from(i) + 0.5) * (self.to - self.from) / f64::from(self.cells)
    }

    /// Iterates over the centres of the cells.
    pub fn centres(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.cells).map(|i| self.centre(i))
    }
}

/// Finished map: for each start the step at which it escaped, or [`SURVIVOR`].
#[derive(Debug, Clone, PartialEq)]
pub struct EscapeGrid {
    /// Axis along a row.
    pub x: MapAxis,
    /// Axis across the rows.
    pub y: MapAxis,
    /// Step counts row by row, the row of the lowest `y` first.
    pub steps: Vec<i32>,
    /// Number of steps that a survivor made.
    pub limit: u32,
    /// Length of a step, s.
    pub h: f64,
}

impl EscapeGrid {
    /// Returns the time after a number of steps, s.
    pub fn time(&self, steps: f64) -> f64 {
        steps * self.h
    }

    /// Summarises the map.
    pub fn summary(&self) -> MapSummary {
        let mut escaped: Vec<i32> = self.steps.iter().copied().filter(|&n| n >= 0).collect();
        escaped.sort_unstable();
        let cells = self.steps.len() as u64;
        let survivors = cells - escaped.len() as u64;
        let curve = times(self.limit)
            .map(|n| Survival {
                steps: n,
                survivors: cells
                    - escaped.partition_point(|&e| i64::from(e) <= i64::from(n)) as u64,
            })
            .collect();
        MapSummary {
            cells,
            survivors,
            made: made(&escaped) + survivors * u64::from(self.limit),
            quantiles: Quantiles::of(&escaped).map(|q| q.map(|n| self.time(n))),
            curve,
        }
    }
}

fn made(escaped: &[i32]) -> u64 {
    escaped.iter().map(|&n| u64::from(n.unsigned_abs())).sum()
}

/// Summary of a map.
#[derive(Debug, Clone, PartialEq)]
pub struct MapSummary {
    /// Number of cells.
    pub cells: u64,
    /// Number of cells that did not escape.
    pub survivors: u64,
    /// Number of steps that the map took.
    pub made: u64,
    /// Quantiles of the escape time over the cells that escaped, s; `None` where none did.
    pub quantiles: Option<Quantiles>,
    /// Survival curve.
    pub curve: Vec<Survival>,
}

impl MapSummary {
    /// Returns the survivors as a fraction of the cells.
    pub fn fraction(&self) -> f64 {
        ratio(self.survivors, self.cells)
    }
}

/// Returns `part` as a fraction of `all`.
pub fn ratio(part: u64, all: u64) -> f64 {
    part as f64 / all as f64
}

/// Point of the survival curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Survival {
    /// Number of steps from the start.
    pub steps: u32,
    /// Number of cells that have not escaped at the end of this step.
    pub survivors: u64,
}

/// Quantiles of the escape times at 5, 25, 50, 75 and 95 %.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantiles(pub [f64; 5]);

impl Quantiles {
    /// Probabilities of the quantiles, in percent.
    pub const PERCENT: [u8; 5] = [5, 25, 50, 75, 95];

    /// Computes the quantiles of `sorted` numbers n_0 ≤ … ≤ n_{k−1}, or `None` of no numbers. The
    /// quantile p lies at the place p (k − 1) among them, on the straight line between its neighbours
    /// (numpy's default, type 7 of Hyndman & Fan 1996).
    pub fn of(sorted: &[i32]) -> Option<Self> {
        let last = sorted.len().checked_sub(1)?;
        Some(Self(Self::PERCENT.map(|percent| {
            // The place is computed in whole numbers, so that it is exact for every count.
            let place = last as u128 * u128::from(percent);
            let (below, part) = ((place / 100) as usize, (place % 100) as f64 / 100.0);
            let (a, b) = (
                f64::from(sorted[below]),
                f64::from(sorted[(below + 1).min(last)]),
            );
            a + part * (b - a)
        })))
    }

    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Self(self.0.map(f))
    }
}

/// Returns step counts from 1 to `limit`, equally spaced in their logarithm as far as whole numbers are.
fn times(limit: u32) -> impl Iterator<Item = u32> {
    let mut all = Vec::new();
    for k in 0.. {
        let n = powf(10.0, f64::from(k) / PER_DECADE).round();
        if n >= f64::from(limit) {
            break;
        }
        all.push(n as u32);
    }
    all.push(limit);
    all.dedup();
    all.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(cells: u32) -> MapAxis {
        MapAxis {
            from: 0.0,
            to: 1.0,
            cells,
        }
    }

    fn row(steps: &[i32]) -> EscapeGrid {
        let axes = [axis(steps.len() as u32), axis(1)];
        let [x, y] = axes;
        EscapeGrid {
            x,
            y,
            steps: steps.to_vec(),
            limit: 1000,
            h: 0.5,
        }
    }

    #[test]
    fn points_are_the_centres_of_the_cells() {
        let a = MapAxis {
            from: -1.0,
            to: 1.0,
            cells: 4,
        };
        assert_eq!(a.centres().collect::<Vec<_>>(), [-0.75, -0.25, 0.25, 0.75]);
    }

    #[test]
    fn quantiles_are_those_of_numpy() {
        // numpy.quantile([3, 1, 4, 1, 5, 9, 2, 6], [.05, .25, .5, .75, .95])
        let q = row(&[3, 1, 4, -1, 1, 5, 9, 2, 6])
            .summary()
            .quantiles
            .unwrap();
        let numpy = [1.0, 1.75, 3.5, 5.25, 7.95];
        for (ours, theirs) in q.0.iter().zip(numpy) {
            assert!((ours - 0.5 * theirs).abs() < 1e-15, "{q:?}");
        }
        assert_eq!(row(&[7, -1]).summary().quantiles, Some(Quantiles([3.5; 5])));
        assert_eq!(row(&[-1, -1]).summary().quantiles, None);
    }

    #[test]
    fn the_survival_curve_counts() {
        let s = row(&[1, 2, 2, 400, -1, 1000]).summary();
        assert_eq!((s.cells, s.survivors), (6, 1));
        assert_eq!(s.made, 1 + 2 + 2 + 400 + 1000 + 1000);
        assert_eq!(s.fraction(), 1.0 / 6.0);
        let at = |n: u32| s.curve.iter().find(|p| p.steps == n).unwrap().survivors;
        assert_eq!((at(1), at(2), at(398), at(501), at(1000)), (5, 3, 3, 2, 1));
        assert!(s.curve.windows(2).all(|w| w[0].steps < w[1].steps));
        // Short runs have few whole numbers to choose from.
        assert_eq!(times(1).collect::<Vec<_>>(), [1]);
        assert_eq!(times(3).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(times(u32::MAX).last(), Some(u32::MAX));
    }
}
