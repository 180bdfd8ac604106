//! Record of a run while its steps are made.

use super::events::{EventSpec, Watcher};
use super::grid::Grid;
use super::run::{End, Run, RunEffort, Track};
use crate::models::Columns;
use crate::schemes::{Effort, StepFail};
use std::sync::Arc;

/// Running extremes and trend of the tracked columns; no allocation after the start.
struct Tracker {
    /// Each track with the sums of its values and of its values times t, from the start.
    tracks: Vec<(Track, f64, f64)>,
    count: u64,
    start: f64,
}

impl Tracker {
    fn new(first: &[f64], start: f64) -> Self {
        let track = |&first: &f64| Track {
            first,
            min: first,
            min_at: start,
            max: first,
            max_at: start,
            slope: f64::NAN,
        };
        Self {
            tracks: first.iter().map(|v| (track(v), 0.0, 0.0)).collect(),
            count: 1,
            start,
        }
    }

    #[inline]
    fn push(&mut self, t: f64, values: &[f64]) {
        let x = t - self.start;
        self.count += 1;
        for ((track, sum, sum_t), &v) in self.tracks.iter_mut().zip(values) {
            if v < track.min {
                (track.min, track.min_at) = (v, t);
            }
            if v > track.max {
                (track.max, track.max_at) = (v, t);
            }
            let d = v - track.first;
            *sum += d;
            *sum_t += d * x;
        }
    }

    /// Returns the least squares on the regular grid x = 0, h, …, (n−1) h, whose own sums are closed forms.
    fn finish(self, h: f64) -> Vec<Track> {
        let n = self.count as f64;
        let mean_x = 0.5 * (n - 1.0) * h;
        let s_xx = n * (n * n - 1.0) / 12.0 * h * h;
        let slope = |sum: f64, sum_t: f64| match self.count {
            0 | 1 => f64::NAN,
            _ => (sum_t - mean_x * sum) / s_xx,
        };
        let sloped = |(track, sum, sum_t): (Track, f64, f64)| Track {
            slope: slope(sum, sum_t),
            ..track
        };
        self.tracks.into_iter().map(sloped).collect()
    }
}

/// Record of a run: the tracked columns of each step, the rows of samples, and events.
pub(crate) struct Log<'a> {
    grid: &'a Grid,
    tracked: Vec<f64>,
    tracker: Tracker,
    row: Vec<f64>,
    watcher: Watcher<'a>,
    times: Vec<f64>,
    rows: Vec<f64>,
    /// The next step that is kept.
    next: u64,
    effort: RunEffort,
}

impl<'a> Log<'a> {
    /// Makes a log that begins with the row of the start.
    pub fn new(
        columns: &Columns,
        grid: &'a Grid,
        events: &'a [EventSpec],
        first: Vec<f64>,
    ) -> Self {
        let width = columns.width();
        let kept = usize::try_from(grid.samples().min(1 << 20)).unwrap_or(1 << 20);
        let mut out = Self {
            grid,
            tracked: vec![0.0; columns.tracked.len()],
            tracker: Tracker::new(&first[columns.tracked.clone()], grid.start),
            row: first,
            watcher: Watcher::new(events, width),
            times: Vec::with_capacity(kept),
            rows: Vec::with_capacity(kept * width),
            next: grid.next_sample(0),
            effort: RunEffort::default(),
        };
        out.watcher.push(grid.start, &out.row);
        out.keep(grid.start);
        out
    }

    /// Returns the number of steps made.
    pub fn made(&self) -> u64 {
        self.effort.steps
    }

    /// Returns the time of the last row kept, s.
    pub fn last_time(&self) -> f64 {
        self.times[self.times.len() - 1]
    }

    /// Returns the buffer for the tracked columns of a step, to be filled before [`Self::follow`].
    #[inline]
    pub fn tracked(&mut self) -> &mut [f64] {
        &mut self.tracked
    }

    /// Returns the buffer for a row, to be filled before [`Self::take_row`] or [`Self::keep`].
    pub fn row(&mut self) -> &mut [f64] {
        &mut self.row
    }

    /// Takes the tracked columns of a step that ends at `t`, and says whether its row is wanted.
    ///
    /// # Errors
    /// [`StepFail::NotFinite`]; the step does not count.
    pub fn follow(&mut self, t: f64, work: Effort) -> Result<bool, StepFail> {
        // The sum of the tracked numbers is finite only if all are.
        if !self.tracked.iter().sum::<f64>().is_finite() {
            return Err(StepFail::NotFinite);
        }
        let effort = &mut self.effort;
        effort.steps += 1;
        effort.torque += u64::from(work.torque);
        effort.iterations += u64::from(work.iterations);
        effort.most_iterations = effort.most_iterations.max(work.iterations);
        effort.rejected += u64::from(work.rejected);
        self.tracker.push(t, &self.tracked);
        Ok(self.made() == self.next || !self.watcher.is_idle())
    }

    /// Takes the row of the step that was followed last.
    pub fn take_row(&mut self, t: f64) {
        if !self.watcher.is_idle() {
            self.watcher.push(t, &self.row);
        }
        if self.made() == self.next {
            if self.grid.is_sample(self.next) {
                self.keep(t);
            }
            self.next = self.grid.next_sample(self.made());
        }
    }

    /// Keeps the row as a sample.
    pub fn keep(&mut self, t: f64) {
        self.times.push(t);
        self.rows.extend_from_slice(&self.row);
    }

    /// Drops samples later than `t`.
    pub fn cut(&mut self, t: f64) {
        let width = self.row.len();
        while self.last_time() > t {
            self.times.pop();
            self.rows.truncate(self.rows.len() - width);
        }
    }

    /// Ends the log and returns its run.
    pub fn finish(mut self, columns: Arc<Columns>, straddled: Vec<f64>, end: End) -> Run {
        self.watcher.finish();
        Run {
            columns,
            h: self.grid.h,
            times: self.times,
            rows: self.rows,
            tracks: self.tracker.finish(self.grid.h),
            events: self.watcher.events,
            events_dropped: self.watcher.dropped,
            effort: self.effort,
            straddled,
            end,
        }
    }
}
