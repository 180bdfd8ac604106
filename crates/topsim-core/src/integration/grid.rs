//! The time grid of a run: `t_n = t0 + n h`, never a running sum, and which steps are kept.

/// Times and kept steps of one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// Start, s.
    pub start: f64,
    /// Step, s.
    pub h: f64,
    /// Number of steps.
    pub steps: u64,
    /// Spacing of the samples kept, s.
    pub sample: f64,
    /// True if samples lie exactly at the multiples of their spacing, between the steps if need be; otherwise each lies at the first
    /// step that is not before its multiple.
    pub dense: bool,
}

impl Grid {
    /// Returns the least step, s, whose multiples between two times are distinct numbers.
    pub fn least_step(start: f64, end: f64) -> f64 {
        4.0 * f64::EPSILON * start.abs().max(end.abs())
    }
    /// Returns the smallest N with `start + N h ≥ end`, up to round-off, as Solfec does.
    pub fn new(start: f64, end: f64, h: f64, sample: f64) -> Self {
        // A step far longer than the span is still one step.
        // The difference carries the rounding of its terms, which may be many steps if the times are far from zero.
        let lost = 2.0 * f64::EPSILON * start.abs().max(end.abs()) / h;
        let steps = at_or_after((end - start) / h, lost).max(1);
        Self {
            start,
            h,
            steps,
            sample,
            dense: false,
        }
    }

    /// Returns the same with samples between the steps, or without.
    #[must_use]
    pub fn with_dense(self, dense: bool) -> Self {
        Self { dense, ..self }
    }

    /// Returns `t_n`, s.
    #[inline]
    pub fn time(&self, n: u64) -> f64 {
        self.start + n as f64 * self.h
    }

    /// Returns the next step after `n` that is kept: the first `t_n ≥ k Δ` for each k, and the last step.
    /// Step 0 is always kept. Of dense samples, the next step that may be one.
    pub fn next_sample(&self, n: u64) -> u64 {
        if self.sample <= self.h || self.dense {
            // Every step meets a new multiple; counting them one by one could take for ever.
            return (n + 1).min(self.steps);
        }
        // The loop finds the first k whose step lies beyond n, from just below the k of n.
        let mut k = ((n as f64 * self.h / self.sample).floor() - 1.0).max(1.0);
        loop {
            let next = at_or_after(k * self.sample / self.h, 0.0);
            if next > n {
                return next.min(self.steps);
            }
            k += 1.0;
        }
    }

    /// Returns true if the end of step `n` is one of the samples that [`Self::next_sample`] gives.
    pub fn is_sample(&self, n: u64) -> bool {
        let spacings = n as f64 * self.h / self.sample;
        !self.dense || n == self.steps || spacings >= 0.5 && is_whole(spacings, 0.0)
    }

    /// Returns the dense samples inside the step after `n` steps: their times from its begin, s, ascending.
    pub fn within(&self, n: u64) -> impl Iterator<Item = f64> + use<> {
        let Self { h, sample, .. } = *self;
        let begin = n as f64 * h;
        let first = (begin / sample).floor();
        let times = (0..).map(move |k| (first + f64::from(k)) * sample - begin);
        let near = 16.0 * f64::EPSILON * (begin + h);
        let inside = times
            .skip_while(move |t| *t <= near)
            .take_while(move |t| *t < h - near);
        self.dense.then_some(inside).into_iter().flatten()
    }

    /// Returns true if a sample lies at time `t`, or at the first step after it.
    pub fn has_sample(&self, t: f64) -> bool {
        if self.dense {
            let last = self.time(self.steps);
            return is_whole((t - self.start) / self.sample, 1e-9)
                || (t - last).abs() <= 1e-9 * self.h;
        }
        let n = at_or_after((t - self.start) / self.h, 1e-9);
        n == 0 || self.next_sample(n - 1) == n
    }

    /// Returns the number of samples kept at most.
    pub fn samples(&self) -> u64 {
        let by_time = (self.steps as f64 * self.h / self.sample).ceil() as u64;
        let at_steps = if self.dense { u64::MAX } else { self.steps };
        by_time.saturating_add(2).min(at_steps.saturating_add(1))
    }
}

/// Returns true if x is a whole number to within its own round-off and an earlier round-off `lost`.
fn is_whole(x: f64, lost: f64) -> bool {
    let nearest = x.round();
    (x - nearest).abs() <= 8.0 * f64::EPSILON * nearest.abs().max(1.0) + lost
}

/// Returns ⌈x⌉, where an x within round-off of a whole number counts as that number; `lost` is round-off
/// that x has from before.
fn at_or_after(x: f64, lost: f64) -> u64 {
    if is_whole(x, lost) {
        x.round() as u64
    } else {
        x.ceil() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_sample_where_the_step_that_reaches_it_is_kept() {
        let grid = Grid::new(0.0, 10.0, 0.003, 0.05);
        // 0.05 is reached by step 17, at 0.051, which is kept; 0.06 by step 20, which is not.
        for (t, has) in [(0.05, true), (0.051, true), (0.06, false), (0.0, true)] {
            assert_eq!(grid.has_sample(t), has, "{t}");
        }
        assert!(grid.has_sample(grid.time(grid.steps)));
        let dense = grid.with_dense(true);
        for (t, has) in [(0.05, true), (0.051, false), (0.06, false), (0.0, true)] {
            assert_eq!(dense.has_sample(t), has, "{t}");
        }
        assert!(dense.has_sample(dense.time(dense.steps)));
    }

    #[test]
    fn dense_samples_lie_at_the_multiples_of_their_spacing() {
        for (start, end, h, sample) in [
            (0.0, 10.0, 0.25, 0.02),
            (0.0, 10.0, 0.003, 0.05),
            (3.7, 10.0, 0.1, 0.1),
            (0.0, 1.0, 0.1, 0.3),
            (0.0, 1.0, 0.3, 0.1),
            (-1e3, -990.0, 0.7, 0.11),
        ] {
            let grid = Grid::new(start, end, h, sample).with_dense(true);
            let mut times = vec![start];
            for n in 0..grid.steps {
                times.extend(grid.within(n).map(|t| grid.time(n) + t));
                if grid.is_sample(n + 1) {
                    times.push(grid.time(n + 1));
                }
            }
            let last = grid.time(grid.steps);
            let expected = ((last - start) / sample - 1e-9).ceil() as usize + 1;
            assert_eq!(times.len(), expected, "{grid:?}");
            assert!(times.len() as u64 <= grid.samples());
            for (k, t) in times[..expected - 1].iter().enumerate() {
                assert!((t - start - k as f64 * sample).abs() < 1e-11, "{k} {t}");
            }
            assert_eq!(times[expected - 1], last);
        }
        assert_eq!(Grid::new(0.0, 1.0, 0.3, 0.1).within(0).count(), 0);
        // A spacing beyond the span has the start and the end alone.
        let far = Grid::new(0.0, 1.0, 0.1, 1e20).with_dense(true);
        assert!((1..10).all(|n| !far.is_sample(n) && far.within(n).count() == 0));
        assert!(far.is_sample(10));
    }

    #[test]
    fn ends_at_the_first_step_not_before_the_end() {
        let last = |h: f64| {
            let g = Grid::new(0.0, 10.0, h, 0.05);
            (g.steps, g.time(g.steps))
        };
        assert_eq!(last(0.001), (10_000, 10.0));
        assert_eq!(last(0.003), (3334, 10.002));
        assert_eq!(last(0.009).0, 1112);
        assert!((last(0.009).1 - 10.008).abs() < 1e-14);
        assert_eq!(Grid::new(0.0, 1e-3, 1.0, 1.0).steps, 1);
    }

    #[test]
    fn a_late_start_adds_no_step() {
        for (start, end, h, steps) in [
            (1000.1, 1000.2, 0.01, 10),
            (100.3, 100.4, 0.001, 100),
            (1e6, 1e6 + 0.3, 0.1, 3),
        ] {
            assert_eq!(Grid::new(start, end, h, 1.0).steps, steps, "{start}");
        }
    }

    #[test]
    fn a_step_just_below_the_spacing_skips_no_sample() {
        let g = Grid::new(0.0, 1000.0, 0.099_999_999_9, 0.1);
        let mut n = 0;
        let mut count = 0;
        while n < g.steps {
            let next = g.next_sample(n);
            assert!(next == n + 1 || next == n + 2, "{n} {next}");
            n = next;
            count += 1;
        }
        assert!(count >= 10_000, "{count}");
    }

    #[test]
    fn keeps_the_first_step_at_or_after_each_multiple() {
        let g = Grid::new(0.0, 0.1, 0.009, 0.02);
        let mut kept = vec![0];
        while *kept.last().unwrap() < g.steps {
            kept.push(g.next_sample(*kept.last().unwrap()));
        }
        // 0, .027, .045, .063, .081, .108
        assert_eq!(kept, [0, 3, 5, 7, 9, 12]);
        assert!(kept.len() as u64 <= g.samples());
    }

    #[test]
    fn a_step_longer_than_the_sampling_keeps_every_step() {
        let g = Grid::new(0.0, 1.0, 0.1, 0.03);
        let mut n = 0;
        let mut count = 0;
        while n < g.steps {
            let next = g.next_sample(n);
            assert_eq!(next, n + 1);
            n = next;
            count += 1;
        }
        assert_eq!(count, 10);
    }

    #[test]
    fn steps_and_samplings_of_any_ratio_end() {
        for (end, h, sample) in [
            (1.0, 1e300, 1e-300),
            (1e-300, 1.0, 1e-300),
            (1.0, f64::MAX, 1.0),
            (1.0, 0.25, f64::MIN_POSITIVE),
            (1.0, 0.25, f64::MAX),
        ] {
            let g = Grid::new(0.0, end, h, sample);
            assert!(g.steps >= 1 && g.samples() >= 2);
            let mut n = 0;
            while n < g.steps {
                let next = g.next_sample(n);
                assert!(next > n && next <= g.steps);
                n = next;
            }
        }
    }

    #[test]
    fn multiples_met_exactly_are_not_skipped_or_doubled() {
        let g = Grid::new(0.0, 10.0, 0.001, 0.05);
        let mut n = 0;
        let mut k = 0;
        while n < g.steps {
            n = g.next_sample(n);
            k += 1;
            assert_eq!(n, 50 * k);
        }
        assert_eq!(k, 200);
    }
}
