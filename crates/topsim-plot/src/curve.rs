//! Series on the page: looks, lines clipped to the frame, and markers.

use super::error::Result;
use std::collections::BTreeSet;

use super::canvas::{Canvas, Colour, Pen, Rect, rgb};
use super::decimate::thin;
use super::frame::PlotFrame;
use super::plot::{Series, SeriesGroup, Style};

/// Okabe and Ito's colours that show on white, the most distinct first.
const COLOURS: [u32; 7] = [
    0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x000000,
];
/// Dash patterns: lengths drawn and left out, in turn. The number of patterns and that of shapes have no factor in common
/// with that of colours, so that both differ from one repeat of a colour to the next and come back together only after
/// 35 series.
pub(crate) const DASHES: [&[f64]; 5] = [
    &[],
    &[9.0, 3.5],
    &[10.0, 3.0, 2.2, 3.0],
    &[2.2, 2.6],
    &[18.0, 4.0],
];
/// Marker shapes as corners at unit size; the first is a disc.
const SHAPES: [&[[f64; 2]]; 5] = [
    &[],
    &[[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
    &[[0.0, -1.25], [1.15, 0.85], [-1.15, 0.85]],
    &[[0.0, -1.3], [1.3, 0.0], [0.0, 1.3], [-1.3, 0.0]],
    &[[0.0, 1.25], [1.15, -0.85], [-1.15, -0.85]],
];

/// Columns for each unit of length in decimation: the pixels of an image at scale 2.
const COLUMNS_PER_UNIT: f64 = 2.0;
/// A path this many times longer than the frame is wide covers the frame; it is drawn thin and without dashes.
const DENSE: f64 = 25.0;
/// Radius of a marker.
pub(crate) const MARKER: f64 = 3.6;

/// Look of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Look {
    pub(crate) colour: Colour,
    /// Dash pattern of the line; empty for a full line.
    pub(crate) dash: &'static [f64],
    /// Corners of the marker at unit size; none for a disc.
    pub(crate) shape: &'static [[f64; 2]],
    /// True if only the rim of the marker is drawn.
    pub(crate) hollow: bool,
}

/// Dashes of a line that lies on one, two or more lines drawn before it, which its gaps show.
const COVERING: [&[f64]; 3] = [&[7.0, 7.0], &[4.0, 10.0], &[2.0, 12.0]];
/// Largest distance of lines that count as one, which is less than their width.
const SAME_PLACE: f64 = 1.5;

/// Returns the looks of the series of a figure. Their groups count only if no two series look alike by them.
pub(crate) fn looks(series: &[Series]) -> Vec<Look> {
    let by_group = series.iter().map(|s| s.group.map(group_look));
    if let Some(looks) = by_group.collect::<Option<Vec<Look>>>()
        && (1..looks.len()).all(|i| !looks[..i].contains(&looks[i]))
    {
        return looks;
    }
    let series = series.iter().enumerate();
    series.map(|(i, s)| look(i, s.style)).collect()
}

/// Returns the look of a series in a group.
fn group_look(SeriesGroup { number, place }: SeriesGroup) -> Look {
    let repeat = number / COLOURS.len();
    Look {
        colour: rgb(COLOURS[number % COLOURS.len()]),
        dash: DASHES[(repeat + place) % DASHES.len()],
        shape: SHAPES[(number + place) % SHAPES.len()],
        hollow: repeat % 2 == 1,
    }
}

/// Gives lines that lie on lines of other colours drawn before them dashes that show both.
pub(crate) fn show_covered(frame: &PlotFrame, series: &[Series], looks: &mut [Look]) {
    for (i, above) in series.iter().enumerate() {
        let before = series[..i].iter().zip(&*looks);
        let others = before.filter(|(_, look)| look.colour != looks[i].colour);
        let below = others
            .filter(|(s, _)| is_same_place(frame, s, above))
            .count();
        if let Some(last) = below.checked_sub(1) {
            looks[i].dash = COVERING[last.min(COVERING.len() - 1)];
        }
    }
}

/// Returns whether two series are drawn at the same places.
fn is_same_place(frame: &PlotFrame, a: &Series, b: &Series) -> bool {
    let is_near = |(a, b): (&[f64; 2], &[f64; 2])| match (frame.place(*a), frame.place(*b)) {
        (Some(a), Some(b)) => (a[0] - b[0]).abs().max((a[1] - b[1]).abs()) < SAME_PLACE,
        (None, None) => true,
        _ => false,
    };
    let mut pairs = a.points.iter().zip(&b.points);
    !a.points.is_empty() && a.points.len() == b.points.len() && pairs.all(is_near)
}

/// Returns the look of series number `index`. Markers already tell the series of the first round of colours apart, so
/// their lines are full; each further round has dashes of its own.
pub(crate) fn look(index: usize, style: Style) -> Look {
    let repeat = index / COLOURS.len();
    let dash = match style {
        Style::Line => index,
        Style::Markers | Style::LineMarkers => repeat,
    };
    Look {
        colour: rgb(COLOURS[index % COLOURS.len()]),
        dash: DASHES[dash % DASHES.len()],
        shape: SHAPES[index % SHAPES.len()],
        hollow: repeat % 2 == 1,
    }
}

/// Returns whether an earlier series has the colour of series number `index`.
pub(crate) fn repeats(index: usize) -> bool {
    index >= COLOURS.len()
}

/// A series in page coordinates.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Trace {
    /// Lines clipped to the frame.
    pub(crate) lines: Vec<Vec<[f64; 2]>>,
    /// Markers within the frame.
    pub(crate) markers: Vec<[f64; 2]>,
    /// True if the lines cover the frame.
    pub(crate) dense: bool,
    radius: f64,
}

impl Trace {
    /// Places a series in the frame. `staggered` puts a few markers also on a dense line that neither its colour nor dashes
    /// tell from others; its value shifts the markers from line to line.
    pub(crate) fn new(frame: &PlotFrame, series: &Series, staggered: Option<usize>) -> Trace {
        let places: Vec<Option<[f64; 2]>> = series.points.iter().map(|p| frame.place(*p)).collect();
        let (mut lines, mut all, mut lone) = (Vec::new(), Vec::new(), Vec::new());
        for run in places.split(Option::is_none) {
            let run: Vec<[f64; 2]> = run.iter().copied().flatten().collect();
            all.extend(run.iter().copied().filter(|p| frame.holds(*p)));
            if run.len() == 1 && frame.holds(run[0]) {
                lone.push(run[0]);
            }
            let mut thinned = Vec::new();
            let column = |x: f64| (x * COLUMNS_PER_UNIT).floor() as i64;
            thin(&run, column, &mut thinned);
            clip(frame.area, &thinned, &mut lines);
        }
        let dense = lines.iter().map(|l| length(l)).sum::<f64>() > DENSE * frame.area.width();
        let mut markers = Vec::new();
        match series.style {
            Style::Markers => lines.clear(),
            Style::LineMarkers => {}
            Style::Line => {
                let some = if dense { staggered } else { None };
                markers = some.map_or(Vec::new(), |shift| scattered(&all, shift));
                // A point without a neighbour has no line, and would not be seen.
                all = lone;
            }
        }
        markers.extend(distinct(all));
        let radius = match markers.len() {
            0..=150 => MARKER,
            151..=1500 => 0.6 * MARKER,
            _ => 0.3 * MARKER,
        };
        Trace {
            lines,
            markers,
            dense,
            radius,
        }
    }

    /// Returns the end of the series, if anything of the series is seen.
    pub(crate) fn end(&self) -> Option<[f64; 2]> {
        let line = self.lines.last().and_then(|l| l.last());
        line.or(self.markers.last()).copied()
    }

    /// Draws the lines of the series.
    pub(crate) fn draw_lines(&self, canvas: &mut Canvas, look: Look) -> Result {
        for line in &self.lines {
            stroke(canvas, line, look, self.dense)?;
        }
        Ok(())
    }

    /// Draws the markers of the series. Markers on a dense line have a white rim.
    pub(crate) fn draw_markers(&self, canvas: &mut Canvas, look: Look) -> Result {
        let white = Look {
            colour: WHITE,
            hollow: false,
            ..look
        };
        if self.dense && self.markers.len() < 50 {
            for point in &self.markers {
                marker(canvas, *point, self.radius + 1.3, white)?;
            }
        }
        for point in &self.markers {
            marker(canvas, *point, self.radius, look)?;
        }
        Ok(())
    }
}

/// Draws a line with the pen of a series.
pub(crate) fn stroke(canvas: &mut Canvas, line: &[[f64; 2]], look: Look, dense: bool) -> Result {
    // Verticals of a dense line lie up to two columns apart: a narrower pen would leave slits.
    let (width, dash) = if dense {
        (1.1, &[][..])
    } else {
        (1.7, look.dash)
    };
    dashed(canvas, line, Pen::new(look.colour, width), dash)
}

/// Draws a line in dashes; an empty pattern gives a full line.
pub(crate) fn dashed(canvas: &mut Canvas, line: &[[f64; 2]], pen: Pen, dash: &[f64]) -> Result {
    if dash.is_empty() || line.is_empty() {
        return canvas.path(line, pen);
    }
    let (mut index, mut left) = (0, dash[0]);
    let mut piece = vec![line[0]];
    for ends in line.windows(2) {
        let (from, to) = (ends[0], ends[1]);
        let whole = length(ends);
        let mut done = 0.0;
        while whole - done > left {
            done += left;
            let f = done / whole;
            let along = |i: usize| from[i] + f * (to[i] - from[i]);
            let place = [along(0), along(1)];
            piece.push(place);
            if index % 2 == 0 {
                canvas.path(&piece, pen)?;
            }
            piece = vec![place];
            index = (index + 1) % dash.len();
            left = dash[index];
        }
        left -= whole - done;
        piece.push(to);
    }
    if index % 2 == 0 {
        canvas.path(&piece, pen)?;
    }
    Ok(())
}

/// Draws a marker of a series.
pub(crate) fn marker(canvas: &mut Canvas, [x, y]: [f64; 2], radius: f64, look: Look) -> Result {
    let mut draw = |radius: f64, colour| {
        if look.shape.is_empty() {
            return canvas.disc([x, y], radius, colour);
        }
        let corner = |c: &[f64; 2]| [x + radius * c[0], y + radius * c[1]];
        let corners: Vec<[f64; 2]> = look.shape.iter().map(corner).collect();
        canvas.fill(&corners, colour)
    };
    draw(radius, look.colour)?;
    if look.hollow {
        draw(0.5 * radius, WHITE)?;
    }
    Ok(())
}

const WHITE: Colour = (255, 255, 255);

/// Returns a few points spread over the series, at places that differ from one `shift` to the next.
fn scattered(points: &[[f64; 2]], shift: usize) -> Vec<[f64; 2]> {
    const COUNT: usize = 4;
    let part = (points.len() / COUNT).max(1);
    let first = part * (shift % 5 * 2 + 1) / 11;
    points.iter().copied().skip(first).step_by(part).collect()
}

/// Returns the points that can be told from each other on the page, in their order.
fn distinct(points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let mut seen = BTreeSet::new();
    let key = |v: f64| (v * COLUMNS_PER_UNIT).round() as i64;
    let new = |p: &[f64; 2]| seen.insert((key(p[0]), key(p[1])));
    points.into_iter().filter(new).collect()
}

/// Returns the length of an open line.
fn length(line: &[[f64; 2]]) -> f64 {
    let part = |w: &[[f64; 2]]| libm::hypot(w[1][0] - w[0][0], w[1][1] - w[0][1]);
    line.windows(2).map(part).sum()
}

/// Adds the parts of a line inside the frame (Liang and Barsky's algorithm, segment by segment).
fn clip(frame: Rect, line: &[[f64; 2]], lines: &mut Vec<Vec<[f64; 2]>>) {
    let mut piece: Vec<[f64; 2]> = Vec::new();
    for ends in line.windows(2) {
        let (from, to) = (ends[0], ends[1]);
        let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        let edges = [
            (-dx, from[0] - frame.x[0]),
            (dx, frame.x[1] - from[0]),
            (-dy, from[1] - frame.y[0]),
            (dy, frame.y[1] - from[1]),
        ];
        for (speed, room) in edges {
            if speed < 0.0 {
                enter = enter.max(room / speed);
            } else if speed > 0.0 {
                leave = leave.min(room / speed);
            } else if room < 0.0 {
                leave = -1.0;
            }
        }
        if enter > leave {
            lines.extend((!piece.is_empty()).then(|| std::mem::take(&mut piece)));
            continue;
        }
        let point = |f: f64| [from[0] + f * dx, from[1] + f * dy];
        if piece.is_empty() || enter > 0.0 {
            lines.extend((!piece.is_empty()).then(|| std::mem::take(&mut piece)));
            piece.push(point(enter));
        }
        piece.push(if leave < 1.0 { point(leave) } else { to });
        if leave < 1.0 {
            lines.push(std::mem::take(&mut piece));
        }
    }
    lines.extend((!piece.is_empty()).then_some(piece));
}
