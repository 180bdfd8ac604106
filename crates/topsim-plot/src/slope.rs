//! Slope triangles: an order of convergence to compare a log-log curve with, placed where they cover no data.

use super::canvas::{Align, Canvas, Colour, Face, Pen};
use super::curve::Trace;
use super::error::{PlotError, Result};
use super::font;
use super::frame::{PlotFrame, SMALL};
use super::plot::Scale;
use libm::hypot;

const FILL: Colour = (238, 238, 238);
const EDGE: Pen = Pen::new((90, 90, 90), 1.1);
/// Smallest distance from the data and the border.
const CLEAR: f64 = 9.0;
/// Number of places tried in either direction.
const TRIES: u32 = 40;

/// Returns the points of all traces on a coarse raster, which triangles keep off.
pub(crate) fn obstacles(traces: &[Trace]) -> Vec<(usize, [f64; 2])> {
    const RASTER: f64 = 5.0;
    let mut points = std::collections::BTreeSet::new();
    for (i, trace) in traces.iter().enumerate() {
        let mut add = |p: [f64; 2]| {
            let key = |v: f64| (v / RASTER).round() as i64;
            points.insert((i, key(p[0]), key(p[1])))
        };
        for point in &trace.markers {
            add(*point);
        }
        for pair in trace.lines.iter().flat_map(|l| l.windows(2)) {
            let (a, b) = (pair[0], pair[1]);
            let parts = (hypot(b[0] - a[0], b[1] - a[1]) / RASTER).ceil().max(1.0);
            for k in 0..=parts as u32 {
                let f = f64::from(k) / parts;
                add([a[0] + f * (b[0] - a[0]), a[1] + f * (b[1] - a[1])]);
            }
        }
    }
    let place = |k: i64| k as f64 * RASTER;
    let point = |(i, x, y)| (i, [place(x), place(y)]);
    points.into_iter().map(point).collect()
}

/// Draws a triangle of slope `order` near series `near`, or near any, and adds it to the obstacles.
///
/// # Errors
/// [`PlotError`] of axes that are not both logarithmic, and of an order that is not finite.
pub(crate) fn draw(
    canvas: &mut Canvas,
    frame: &PlotFrame,
    order: f64,
    near: Option<usize>,
    obstacles: &mut Vec<(usize, [f64; 2])>,
) -> Result {
    if frame.x.scale != Scale::Log10 || frame.y.scale != Scale::Log10 {
        return Err(PlotError::SlopeNeedsLogLog);
    }
    if !order.is_finite() {
        return Err(PlotError::SlopeNotFinite(order));
    }
    // Units of the page in a decade, and the largest triangle that looks in proportion.
    let across = frame.area.width() / (frame.x.hi - frame.x.lo);
    let up = frame.area.height() / (frame.y.hi - frame.y.lo);
    let steep = order * up / across;
    let base = (0.13 * frame.area.width()).min(0.28 * frame.area.height() / steep.abs().max(1e-9));
    let mut best: Option<(f64, Triangle)> = None;
    for shrink in [1.0, 0.7, 0.45] {
        let size = shrink * base;
        for (i, j) in (0..TRIES).flat_map(|i| (0..TRIES).map(move |j| (i, j))) {
            let share = |k: u32| f64::from(k) / f64::from(TRIES - 1);
            let corner = [
                frame.area.x[0] + share(i) * frame.area.width(),
                frame.area.y[0] + share(j) * frame.area.height(),
            ];
            for above in [false, true] {
                let triangle = Triangle::new(corner, size, steep, above, order);
                if let Some(cost) = triangle.cost(frame, obstacles, near)
                    && best.as_ref().is_none_or(|(least, _)| cost < *least)
                {
                    best = Some((cost, triangle));
                }
            }
        }
        if best.is_some() {
            break;
        }
    }
    // Without a free place the triangle is left out rather than drawn over the data.
    let Some((_, triangle)) = best else {
        return Ok(());
    };
    triangle.draw(canvas)?;
    obstacles.extend(triangle.outline().into_iter().map(|p| (usize::MAX, p)));
    Ok(())
}

struct Triangle {
    /// Ends of the slanted side, and the right angle.
    corners: [[f64; 2]; 3],
    /// Text and centre of each label.
    labels: [(String, [f64; 2]); 2],
}

impl Triangle {
    /// Makes a triangle from the left end of its slanted side; `above` puts the right angle over that side.
    fn new(corner: [f64; 2], size: f64, steep: f64, above: bool, order: f64) -> Triangle {
        let [x, y] = corner;
        let end = [x + size, y - size * steep];
        // The right angle lies at the left above a rising side and below a falling one.
        let left = above == (steep >= 0.0);
        let right_angle = if left { [x, end[1]] } else { [end[0], y] };
        let text = format!("{:.2}", order.abs());
        let text = text.trim_end_matches('0').trim_end_matches('.').to_owned();
        let sign = if order < 0.0 { "−" } else { "" };
        let text = format!("{sign}{text}");
        let off = 0.5 * font::width(&text, SMALL) + 5.0;
        let side = if left { -off } else { off };
        // The label of the horizontal leg lies on the side away from the slanted one.
        let away = if (right_angle[1] - 0.5 * (y + end[1])) < 0.0 {
            -9.0
        } else {
            9.0
        };
        let labels = [
            ("1".to_owned(), [x + 0.5 * size, right_angle[1] + away]),
            (text, [right_angle[0] + side, 0.5 * (y + end[1])]),
        ];
        Triangle {
            corners: [corner, end, right_angle],
            labels,
        }
    }

    /// Returns points along the edges and the labels.
    fn outline(&self) -> Vec<[f64; 2]> {
        const PARTS: u32 = 12;
        let mut points = Vec::new();
        for i in 0..3 {
            let (a, b) = (self.corners[i], self.corners[(i + 1) % 3]);
            points.extend((0..PARTS).map(|k| {
                let f = f64::from(k) / f64::from(PARTS);
                [a[0] + f * (b[0] - a[0]), a[1] + f * (b[1] - a[1])]
            }));
        }
        for (text, [x, y]) in &self.labels {
            let (w, h) = (0.5 * font::width(text, SMALL), 0.4 * SMALL);
            points.extend([y - h, y + h].map(|y| [[x - w, y], [x + w, y]]).concat());
        }
        points
    }

    /// Returns the distance from the series that the triangle belongs to; `None` if the triangle touches anything.
    fn cost(
        &self,
        frame: &PlotFrame,
        obstacles: &[(usize, [f64; 2])],
        near: Option<usize>,
    ) -> Option<f64> {
        let outline = self.outline();
        let inside = |p: &[f64; 2]| {
            (frame.area.x[0] + CLEAR..=frame.area.x[1] - CLEAR).contains(&p[0])
                && (frame.area.y[0] + CLEAR..=frame.area.y[1] - CLEAR).contains(&p[1])
        };
        if !outline.iter().all(inside) {
            return None;
        }
        let reach = |axis: usize, toward: fn(f64, f64) -> f64, start: f64| {
            outline.iter().map(|p| p[axis]).fold(start, toward)
        };
        let (west, east) = (reach(0, f64::min, f64::MAX), reach(0, f64::max, f64::MIN));
        let (north, south) = (reach(1, f64::min, f64::MAX), reach(1, f64::max, f64::MIN));
        // Both ends of the slanted side count, so that this side lies along the curve.
        let mut nearest = [f64::INFINITY; 2];
        for (series, point) in obstacles {
            let away = |p: &[f64; 2]| hypot(p[0] - point[0], p[1] - point[1]);
            let close = (west - CLEAR..=east + CLEAR).contains(&point[0])
                && (north - CLEAR..=south + CLEAR).contains(&point[1]);
            if close && (outline.iter().any(|p| away(p) < CLEAR) || self.covers(*point)) {
                return None;
            }
            if near.is_none_or(|n| n == *series) && *series != usize::MAX {
                for (least, end) in nearest.iter_mut().zip(&self.corners) {
                    *least = least.min(away(end));
                }
            }
        }
        let cost = nearest[0] + nearest[1];
        Some(if cost.is_finite() { cost } else { 0.0 })
    }

    fn covers(&self, p: [f64; 2]) -> bool {
        let turn = |a: [f64; 2], b: [f64; 2]| {
            (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
        };
        let [a, b, c] = self.corners;
        let turns = [turn(a, b), turn(b, c), turn(c, a)];
        turns.iter().all(|t| *t >= 0.0) || turns.iter().all(|t| *t <= 0.0)
    }

    fn draw(&self, canvas: &mut Canvas) -> Result {
        let [a, b, c] = self.corners;
        canvas.fill(&self.corners, FILL)?;
        canvas.path(&[a, b, c, a, b], EDGE)?;
        for (text, [x, y]) in &self.labels {
            let face = Face::level(SMALL, Align::Middle);
            canvas.text(text, [*x, y + 0.36 * SMALL], face)?;
        }
        Ok(())
    }
}
