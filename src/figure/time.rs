//! The axis of time, and curves against it.

use super::View;
use topsim_plot::{Axis, Scale, Series, Style};

const DAY: f64 = 86_400.0;
/// Samples between two turns of a curve; fewer show corners that the motion does not have.
const SAMPLES_PER_TURN: usize = 6;
/// Largest number of samples whose markers do not hide each other.
const MOST_MARKERS: usize = 400;

/// Returns the axis over the span of all runs, and its unit in s: a day where they last two days or more.
pub(super) fn axis(view: &View) -> (Axis, f64) {
    let times = || view.runs.iter().flat_map(|drawn| &drawn.run.times);
    let first = times().copied().fold(f64::INFINITY, f64::min);
    let last = times().copied().fold(f64::NEG_INFINITY, f64::max);
    let (label, unit) = match last - first {
        span if span >= 2.0 * DAY => ("Time [d]", DAY),
        _ => ("Time [s]", 1.0),
    };
    let axis = Axis {
        range: Some((first / unit, last / unit)),
        ..Axis::new(label, Scale::Linear)
    };
    (axis, unit)
}

/// Makes a curve through samples: where they are too few to show its shape, each of them is marked.
pub(super) fn curve(label: &str, points: Vec<[f64; 2]>) -> Series {
    let turns = points.windows(3).filter(|w| {
        let [before, after] = [w[1][1] - w[0][1], w[2][1] - w[1][1]];
        before * after < 0.0
    });
    let coarse = points.len() <= MOST_MARKERS && points.len() < SAMPLES_PER_TURN * turns.count();
    let style = if coarse {
        Style::LineMarkers
    } else {
        Style::Line
    };
    Series::new(label, points, style)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_marked_where_they_are_few() {
        let wave = |samples: u32| {
            let point = |k| {
                [
                    f64::from(k),
                    libm::sin(f64::from(k) * 40.0 / f64::from(samples)),
                ]
            };
            curve("a", (0..samples).map(point).collect()).style
        };
        assert_eq!(wave(60), Style::LineMarkers);
        assert_eq!(wave(300), Style::Line);
        let noise = |k: u32| [f64::from(k), f64::from(k * 7919 % 13)];
        assert_eq!(
            curve("a", (0..2000).map(noise).collect()).style,
            Style::Line
        );
    }
}
