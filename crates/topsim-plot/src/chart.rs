//! Drawing of a figure with two axes: areas, grid, series, marks, axes and legend, in this order.

use super::PlotError;
use super::axis_range::AxisRange;
use super::canvas::{self, Colour};
use super::curve::{self, Look, Trace};
use super::frame::PlotFrame;
use super::legend::{self, Legend, LegendLabel, LegendSymbol};
use super::plot::{Mark, Plot, Style};
use super::ranges::spans;
use super::slope;

/// Draws the figure as an SVG document. The same plot gives the same bytes.
///
/// # Errors
/// [`PlotError`] of a slope triangle on axes that are not both logarithmic, and where the drawing backend fails.
pub fn svg(plot: &Plot) -> Result<String, PlotError> {
    let (x, y) = spans(plot);
    // If there are more lines than colours, labels at their ends are easier to follow than a list.
    let count = plot.series.len();
    let crowded = count > 0 && curve::repeats(count - 1);
    let legend = Legend::new(plot.page(), &labels(plot, [&x, &y]), crowded);
    let (beside, below) = legend.room();
    let frame = PlotFrame::new(plot, x, y, beside, below);
    let mut looks = curve::looks(&plot.series);
    curve::show_covered(&frame, &plot.series, &mut looks);
    let repeats = |i: usize| looks[..i].iter().any(|l| l.colour == looks[i].colour);
    let trace = |(i, s)| Trace::new(&frame, s, repeats(i).then_some(i));
    let traces: Vec<Trace> = plot.series.iter().enumerate().map(trace).collect();
    canvas::document(
        (plot.size, plot.scale),
        &plot.title,
        &plot.description(),
        |canvas| {
            for (i, (corners, _)) in areas(plot).enumerate() {
                let corners = corners.iter().filter_map(|c| frame.place(*c));
                let inside: Vec<[f64; 2]> = corners.map(|c| frame.area.nearest(c)).collect();
                canvas.fill(&inside, shade(i))?;
            }
            frame.draw_grid(canvas)?;
            for (look, trace) in looks.iter().zip(&traces) {
                trace.draw_lines(canvas, *look)?;
            }
            for (look, trace) in looks.iter().zip(&traces) {
                trace.draw_markers(canvas, *look)?;
            }
            let mut obstacles = None;
            let mut references = 0;
            for mark in &plot.marks {
                match mark {
                    Mark::Horizontal { .. } | Mark::Vertical { .. } => {
                        let dash = reference_dash(references);
                        references += 1;
                        if let Some(line) = reference_line(&frame, mark) {
                            curve::dashed(canvas, &line, legend::REFERENCE, dash)?;
                        }
                    }
                    Mark::Area { .. } => {}
                    Mark::Slope { order, near } => {
                        let taken = obstacles.get_or_insert_with(|| slope::obstacles(&traces));
                        slope::draw(canvas, &frame, *order, *near, taken)?;
                    }
                }
            }
            frame.draw_axes(canvas, plot)?;
            legend.draw(canvas, frame.area, &symbols(plot, &looks, &traces))
        },
    )
}

/// Returns the line of a mark from side to side of the frame; `None` of a mark that is no line or lies outside the frame.
fn reference_line(frame: &PlotFrame, mark: &Mark) -> Option<[[f64; 2]; 2]> {
    let inside = |fraction: &f64| (0.0..=1.0).contains(fraction);
    let ([left, right], [top, bottom]) = (frame.area.x, frame.area.y);
    match mark {
        Mark::Horizontal { y, .. } => {
            let at = frame.up(frame.y.fraction(*y).filter(inside)?);
            Some([[left, at], [right, at]])
        }
        Mark::Vertical { x, .. } => {
            let at = frame.across(frame.x.fraction(*x).filter(inside)?);
            Some([[at, top], [at, bottom]])
        }
        Mark::Area { .. } | Mark::Slope { .. } => None,
    }
}

/// Returns the colour of an area: light, so that the grid and the data are seen over it.
fn shade(index: usize) -> Colour {
    const SHADES: [Colour; 2] = [(206, 226, 243), (252, 229, 205)];
    SHADES[index % SHADES.len()]
}

/// Returns the dashes of a reference line, by which alone the lines differ; a full line might be taken for data.
fn reference_dash(index: usize) -> &'static [f64] {
    curve::DASHES[1 + index % (curve::DASHES.len() - 1)]
}

fn areas(plot: &Plot) -> impl Iterator<Item = (&[[f64; 2]], &str)> {
    plot.marks.iter().filter_map(|m| match m {
        Mark::Area { corners, label } => Some((&**corners, &**label)),
        _ => None,
    })
}

/// Returns the labels of the legend: those of the series, of the lines and of the areas.
fn labels(plot: &Plot, [x, y]: [&AxisRange; 2]) -> Vec<LegendLabel> {
    let series = plot.series.iter();
    let series = series.map(|s| LegendLabel::new(&s.label, legend::note(s, x.scale, y.scale)));
    let lines = plot.marks.iter().filter_map(|m| match m {
        Mark::Horizontal { y: value, label } => Some((y.fraction(*value), label)),
        Mark::Vertical { x: value, label } => Some((x.fraction(*value), label)),
        Mark::Area { .. } | Mark::Slope { .. } => None,
    });
    let lines = lines.map(|(fraction, label)| {
        let note = match fraction {
            Some(f) if (0.0..=1.0).contains(&f) => "",
            Some(_) => " (off the scale)",
            None => " (cannot be shown)",
        };
        LegendLabel::new(label, note)
    });
    let areas = areas(plot).map(|(_, label)| LegendLabel::new(label, ""));
    series.chain(lines).chain(areas).collect()
}

/// Returns the symbols before the labels, in the order of the labels.
fn symbols(plot: &Plot, looks: &[Look], traces: &[Trace]) -> Vec<LegendSymbol> {
    let all = plot.series.iter().zip(looks).zip(traces);
    let series = all.map(|((series, look), trace)| LegendSymbol::Series {
        look: match trace.dense {
            true => Look { dash: &[], ..*look },
            false => *look,
        },
        line: series.style != Style::Markers,
        markers: series.style != Style::Line || !trace.markers.is_empty(),
        end: trace.end(),
    });
    let is_line = |m: &&Mark| matches!(m, Mark::Horizontal { .. } | Mark::Vertical { .. });
    let lines = 0..plot.marks.iter().filter(is_line).count();
    let lines = lines.map(|i| LegendSymbol::Reference(reference_dash(i)));
    let areas = (0..areas(plot).count()).map(|i| LegendSymbol::Area(shade(i)));
    series.chain(lines).chain(areas).collect()
}
