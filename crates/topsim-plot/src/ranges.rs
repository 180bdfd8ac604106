//! Ranges of the axes of a figure, from its data and marks.

use super::axis_range::{self, AxisRange, PAD};
use super::plot::{Mark, Plot, Style};

/// A reference line may make the range this many times longer.
const GROWTH: f64 = 4.0;

/// Part of a shared range below which the label of the axis explains the room that the data of a figure leave.
const FILLED: f64 = 0.65;

/// Gives figures of one quantity the vertical range that shows the data of all of them.
pub fn share_range(plots: &mut [Plot]) {
    let own = |p: &Plot| visible(p).next().map(|_| spans(p).1);
    let own: Vec<Option<AxisRange>> = plots.iter().map(own).collect();
    let all = || own.iter().flatten();
    let Some(one) = all().next() else { return };
    let least = all().map(|s| s.lo).fold(f64::INFINITY, f64::min);
    let most = all().map(|s| s.hi).fold(f64::NEG_INFINITY, f64::max);
    let range = (one.value(least), one.value(most));
    for (plot, own) in plots.iter_mut().zip(&own) {
        plot.y.range = Some(range);
        if let Some(own) = own
            && own.hi - own.lo < FILLED * (most - least)
        {
            plot.y.label += ", the same range in all figures";
        }
    }
}

/// Returns the points that both axes can show.
fn visible(plot: &Plot) -> impl Iterator<Item = &[f64; 2]> {
    let points = plot.series.iter().flat_map(|s| s.points.iter());
    points.filter(|p| {
        axis_range::coordinate(plot.x.scale, p[0]).is_some()
            && axis_range::coordinate(plot.y.scale, p[1]).is_some()
    })
}

/// Returns the ranges of the horizontal and of the vertical axis.
pub(crate) fn spans(plot: &Plot) -> (AxisRange, AxisRange) {
    let (sx, sy) = (plot.x.scale, plot.y.scale);
    // Time histories fill their frame from side to side; markers need room at the ends.
    let lines = plot.series.iter().all(|s| s.style == Style::Line);
    let side = if lines { 0.0 } else { PAD };
    let x = axis_range::extent(sx, visible(plot).map(|p| p[0]));
    let mut y = axis_range::extent(sy, visible(plot).map(|p| p[1]));
    for mark in &plot.marks {
        if let Mark::Horizontal { y: value, .. } = mark
            && let Some(v) = axis_range::coordinate(sy, *value)
        {
            let grown = y.map_or((v, v), |(lo, hi)| (v.min(lo), v.max(hi)));
            let length = |(lo, hi): (f64, f64)| 0.5 * hi - 0.5 * lo;
            if y.is_none_or(|old| old.0 == old.1 || length(grown) <= GROWTH * length(old)) {
                y = Some(grown);
            }
        }
    }
    (
        AxisRange::new(sx, plot.x.range, x, side),
        AxisRange::new(sy, plot.y.range, y, PAD),
    )
}
