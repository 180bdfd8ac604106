//! Facts that a page states beside the numbers of a report: the problem, and the command that made the report.

use topsim_case::Problem;
use topsim_core::models::{Model, TorqueModel};

/// The command that made a report. These facts differ from one command to the next and stand in one place of a page.
pub struct CommandFacts {
    /// The command, as a shell reads it.
    pub command: String,
    /// The time of day, UTC.
    pub time: String,
    /// The machine.
    pub machine: String,
    /// The files that were judged, a solver's program and its arguments that are files, or histories, each with its
    /// SHA-256; only where a page for a quality file is asked for.
    pub files: Vec<(String, String)>,
}

/// A summary of a problem for readers.
#[derive(Debug, Clone)]
pub struct ProblemSummary {
    /// The body, its torque and its start.
    pub model: Model,
    /// The start of the runs and the end of the longest, s.
    pub span: [f64; 2],
    /// The time between samples, s.
    pub sample: f64,
}

impl ProblemSummary {
    /// The largest number of times at which a page shows the exact motion.
    pub const NODES: usize = 1200;

    /// Returns the summary of a problem with runs of topsim or of another solver.
    pub fn of(problem: &Problem) -> Option<Self> {
        let own = problem.plans.iter().map(|p| &p.grid);
        // Other solvers make the runs under a torque that topsim does not know.
        let others = problem.grids.iter().filter(|_| problem.is_opaque());
        let grids: Vec<_> = own.chain(others).collect();
        let first = *grids.first()?;
        let ends = grids.iter().map(|g| g.time(g.steps));
        Some(Self {
            model: problem.model.clone(),
            span: [first.start, ends.fold(first.start, f64::max)],
            sample: first.sample.max(first.h),
        })
    }

    /// Tests whether topsim does not know the torque.
    pub fn is_opaque(&self) -> bool {
        matches!(&self.model, Model::Top(top) if matches!(top.torque, TorqueModel::Opaque(_)))
    }

    /// Returns at most `most` evenly spread times of the span: the times of samples, with times between them where
    /// there are few samples.
    pub fn nodes(&self, most: usize) -> Vec<f64> {
        let [start, end] = self.span;
        let sample = self.sample.min(end - start);
        let samples = (end - start) / sample;
        let most = most.max(2) as f64 - 1.0;
        let step = if samples > most {
            sample * (samples / most).ceil()
        } else {
            sample / (most / samples).floor()
        };
        let count = ((end - start) / step * (1.0 - 1e-12)).ceil() as u32;
        let node = |k| (start + f64::from(k) * step).min(end);
        (0..=count).map(node).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the nodes of a problem with this span and this time between samples.
    fn nodes(span: [f64; 2], sample: f64, most: usize) -> Vec<f64> {
        let problem = Problem::builtin("heavy_top").unwrap();
        let posed = ProblemSummary::of(&problem).unwrap();
        assert_eq!((posed.span[0], posed.sample), (0.0, 0.02));
        ProblemSummary {
            span,
            sample,
            ..posed
        }
        .nodes(most)
    }

    #[test]
    fn nodes_are_samples_and_times_between_them() {
        assert_eq!(nodes([1.0, 2.0], 0.5, 5), [1.0, 1.25, 1.5, 1.75, 2.0]);
        assert_eq!(nodes([1.0, 2.0], 0.5, 4), [1.0, 1.5, 2.0]);
        // If there are many samples, some of them and the last are taken.
        assert_eq!(nodes([0.0, 1.0], 0.125, 4), [0.0, 0.375, 0.75, 1.0]);
        assert_eq!(nodes([0.0, 1.0], 3.0, 3), [0.0, 0.5, 1.0]);
        for (sample, most) in [(0.02, 1200), (0.3, 100), (1e-6, 1200), (7.0, 2)] {
            let all = nodes([0.0, 10.0], sample, most);
            assert!(
                all.len() <= most && all.windows(2).all(|w| w[0] < w[1]),
                "{sample}"
            );
            assert_eq!(all.last(), Some(&10.0));
        }
    }
}
