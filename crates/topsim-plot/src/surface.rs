//! Curves on an ellipsoid, seen from far away. Curves on the side that faces away are thin and light.

use super::canvas::{self, Align, Canvas, Colour, Face, Pen, Rect};
use super::curve::{self, Look};
use super::error::{PlotError, Result};
use super::font;
use super::frame::{SMALL, draw_title};
use super::legend::{Legend, LegendLabel, LegendSymbol};
use super::plot::{SIZE, Style, layout_size};
use libm::{cos, hypot, sin};
use std::f64::consts::{PI, TAU};

const GROUND: Colour = (248, 249, 251);
const GRID: Colour = (216, 219, 224);
const HIDDEN_GRID: Colour = (235, 236, 240);
const RIM: Colour = (120, 120, 120);
/// Colour of curves that only guide the eye.
const GUIDE: Colour = (120, 120, 120);
/// Length of an axis, in semi-axes.
const AXIS: f64 = 1.28;
/// Number of points of a line of the grid.
const FINE: u32 = 120;

/// A figure of curves on an ellipsoid.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    /// Title of the figure; may be empty.
    pub title: String,
    /// Names at the ends of the axes.
    pub axes: [String; 3],
    /// Semi-axes of the ellipsoid, in the unit of the points.
    pub semi_axes: [f64; 3],
    /// Direction to the eye: its angle from the first axis about the third, and above the first two, in degrees.
    pub view: [f64; 2],
    /// Curves in the order in which they are drawn.
    pub curves: Vec<Curve>,
    /// Width and height of the page, as those of a [`Plot`](super::Plot).
    pub size: [u32; 2],
    /// Size of letters, lines and markers, as a multiple of the usual one.
    pub scale: f64,
}

/// A curve on the surface or near to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Name in the legend.
    pub label: String,
    /// Points; one that is not finite breaks the curve.
    pub points: Vec<[f64; 3]>,
    /// True if the curve only guides the eye: it is then grey and has no mark at its start.
    pub guide: bool,
}

impl Default for Surface {
    fn default() -> Self {
        Self {
            title: String::new(),
            axes: ["x", "y", "z"].map(Into::into),
            semi_axes: [1.0; 3],
            view: [30.0, 20.0],
            curves: Vec::new(),
            size: SIZE,
            scale: 1.0,
        }
    }
}

type Point3 = [f64; 3];

fn dot(a: Point3, b: Point3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Projection of the surface on the page.
struct Eye {
    right: Point3,
    up: Point3,
    /// Direction to the eye.
    out: Point3,
    semi_axes: Point3,
    centre: [f64; 2],
    /// Units of the page in one unit of the points.
    scale: f64,
}

impl Eye {
    fn new(surface: &Surface, area: Rect) -> Self {
        let [azimuth, elevation] = surface.view.map(|degrees| degrees.to_radians());
        let (around, above) = (
            [cos(azimuth), sin(azimuth)],
            [cos(elevation), sin(elevation)],
        );
        let good = |s: f64| if s.is_finite() && s > 0.0 { s } else { 1.0 };
        let mut eye = Self {
            right: [-around[1], around[0], 0.0],
            up: [-above[1] * around[0], -above[1] * around[1], above[0]],
            out: [above[0] * around[0], above[0] * around[1], above[1]],
            semi_axes: surface.semi_axes.map(good),
            centre: area.centre(),
            scale: 1.0,
        };
        // The rim and the axes with their names fit the area.
        let ends = (0..3).flat_map(|i| [eye.axis_end(i), eye.axis_end(i).map(|x| -x)]);
        let (mut wide, mut high) = (0.0_f64, 0.0_f64);
        for p in eye.rim().into_iter().chain(ends) {
            wide = wide.max(dot(p, eye.right).abs());
            high = high.max(dot(p, eye.up).abs());
        }
        let names = surface.axes.iter().map(|a| font::width(a, SMALL));
        let margin = names.fold(0.0, f64::max) + 8.0;
        let room = [
            0.5 * area.width() - margin,
            0.5 * area.height() - 2.0 * SMALL,
        ];
        eye.scale = (room[0].max(20.0) / wide).min(room[1].max(20.0) / high);
        eye
    }

    fn place(&self, p: Point3) -> [f64; 2] {
        let [x, y] = self.centre;
        [
            x + self.scale * dot(p, self.right),
            y - self.scale * dot(p, self.up),
        ]
    }

    /// Returns whether the surface at a point faces the eye.
    fn faces(&self, p: Point3) -> bool {
        let normal: Point3 =
            std::array::from_fn(|i| p[i] / (self.semi_axes[i] * self.semi_axes[i]));
        dot(normal, self.out) >= 0.0
    }

    fn on_surface(&self, unit: Point3) -> Point3 {
        std::array::from_fn(|i| unit[i] * self.semi_axes[i])
    }

    fn axis_end(&self, index: usize) -> Point3 {
        let mut end = [0.0; 3];
        end[index] = AXIS * self.semi_axes[index];
        end
    }

    /// Returns the line on which the surface turns away.
    fn rim(&self) -> Vec<Point3> {
        // On the unit sphere the rim is the great circle about this direction.
        let about: Point3 = std::array::from_fn(|i| self.out[i] / self.semi_axes[i]);
        let [x, y, z] = about;
        let flat = hypot(x, y);
        let across = if flat > 0.0 {
            [-y / flat, x / flat, 0.0]
        } else {
            [1.0, 0.0, 0.0]
        };
        let length = dot(about, about).sqrt();
        let third = [
            (y * across[2] - z * across[1]) / length,
            (z * across[0] - x * across[2]) / length,
            (x * across[1] - y * across[0]) / length,
        ];
        self.round(|s, c| std::array::from_fn(|i| c * across[i] + s * third[i]))
    }

    /// Returns the line on the surface whose points on the unit sphere follow from sine and cosine of an angle.
    fn round(&self, unit: impl Fn(f64, f64) -> Point3) -> Vec<Point3> {
        let point = |k| {
            let (s, c) = turn(k);
            self.on_surface(unit(s, c))
        };
        (0..=FINE).map(point).collect()
    }

    /// Returns circles of latitude and meridians, 30° apart.
    fn grid(&self) -> Vec<Vec<Point3>> {
        let circles = (-2..=2).map(|k| {
            let latitude = f64::from(k) * PI / 6.0;
            let (height, radius) = (sin(latitude), cos(latitude));
            self.round(|s, c| [radius * c, radius * s, height])
        });
        let meridians = (0..6).map(|k| {
            let longitude = f64::from(k) * PI / 6.0;
            let (x, y) = (cos(longitude), sin(longitude));
            self.round(|s, c| [s * x, s * y, c])
        });
        circles.chain(meridians).collect()
    }

    /// Returns the parts of a curve on the side that faces the eye, or on the other side, on the page.
    fn side(&self, points: &[Point3], front: bool) -> Vec<Vec<[f64; 2]>> {
        let mut out: Vec<Vec<[f64; 2]>> = Vec::new();
        let mut piece: Vec<[f64; 2]> = Vec::new();
        for p in points {
            let here = is_finite(p) && self.faces(*p) == front;
            // Each part ends at the first point of the other side, so that no gap is left.
            if here || is_finite(p) && !piece.is_empty() {
                piece.push(self.place(*p));
            }
            if !here && !piece.is_empty() {
                out.push(std::mem::take(&mut piece));
            }
        }
        out.extend((!piece.is_empty()).then_some(piece));
        out
    }
}

fn is_finite(p: &Point3) -> bool {
    p.iter().all(|x| x.is_finite())
}

/// Returns sine and cosine of the angle of point `k` of a line of the grid.
fn turn(k: u32) -> (f64, f64) {
    let angle = TAU * f64::from(k) / f64::from(FINE);
    (sin(angle), cos(angle))
}

/// Draws the figure as an SVG document. The same surface gives the same bytes.
///
/// # Errors
/// [`PlotError`] of the drawing backend.
pub fn svg(surface: &Surface) -> Result<String, PlotError> {
    let [width, height] = layout_size(surface.size, surface.scale);
    // Curves that only guide the eye take no colour of the list.
    let mut coloured = 0;
    let look = |curve: &Curve| {
        let look = Look {
            dash: &[],
            ..curve::look(coloured, Style::Line)
        };
        if curve.guide {
            let colour = GUIDE;
            return Look { colour, ..look };
        }
        coloured += 1;
        look
    };
    let looks: Vec<Look> = surface.curves.iter().map(look).collect();
    let curves = || surface.curves.iter().zip(&looks);
    let labels = surface.curves.iter();
    let labels: Vec<LegendLabel> = labels.map(|c| LegendLabel::new(&c.label, "")).collect();
    let symbols = curves().map(|(curve, look)| LegendSymbol::Series {
        look: *look,
        line: true,
        markers: !curve.guide,
        end: None,
    });
    let symbols: Vec<LegendSymbol> = symbols.collect();
    let legend = Legend::new([width, height], &labels, false);
    let (beside, below) = legend.room();
    let top = if surface.title.is_empty() { 14.0 } else { 46.0 };
    let area = Rect {
        x: [20.0, width - beside - 20.0],
        y: [top, height - below - 16.0],
    };
    let eye = Eye::new(surface, area);
    let names: Vec<&str> = surface.curves.iter().map(|c| &*c.label).collect();
    let (axes, names) = (surface.axes.join(", "), names.join("; "));
    let description = format!("Paths of {axes} on an ellipsoid: {names}.");
    canvas::document(
        (surface.size, surface.scale),
        &surface.title,
        &description,
        |canvas| {
            let rim: Vec<[f64; 2]> = eye.rim().into_iter().map(|p| eye.place(p)).collect();
            draw_axes(canvas, &eye, surface, false)?;
            canvas.fill(&rim, GROUND)?;
            for (front, grid) in [(false, HIDDEN_GRID), (true, GRID)] {
                for line in eye.grid().iter().flat_map(|l| eye.side(l, front)) {
                    canvas.path(&line, Pen::new(grid, 1.0))?;
                }
                for (curve, Look { colour, .. }) in curves() {
                    let pen = match (front, curve.guide) {
                        (false, _) => Pen::new(canvas::lighter(*colour), 0.7),
                        (true, false) => Pen::new(*colour, 1.7),
                        (true, true) => Pen::new(*colour, 1.0),
                    };
                    for line in eye.side(&curve.points, front) {
                        canvas.path(&line, pen)?;
                    }
                }
                if !front {
                    canvas.path(&rim, Pen::new(RIM, 1.2))?;
                }
            }
            draw_axes(canvas, &eye, surface, true)?;
            for (curve, look) in curves().filter(|(c, _)| !c.guide) {
                let start = curve.points.iter().find(|p| is_finite(p));
                if let Some(start) = start {
                    let size = if eye.faces(*start) { 1.0 } else { 0.6 };
                    curve::marker(canvas, eye.place(*start), size * curve::MARKER, *look)?;
                }
            }
            draw_title(canvas, &surface.title, width, area.centre()[0])?;
            legend.draw(canvas, area, &symbols)
        },
    )
}

/// Draws the axes from the surface outward: those that point to the eye, or the others.
fn draw_axes(canvas: &mut Canvas, eye: &Eye, surface: &Surface, front: bool) -> Result {
    for (i, name) in surface.axes.iter().enumerate() {
        let end = eye.axis_end(i);
        if eye.faces(end) != front {
            continue;
        }
        let (from, to) = (eye.place(end.map(|x| x / AXIS)), eye.place(end));
        canvas.path(&[from, to], Pen::new(RIM, 1.2))?;
        let away = [to[0] - eye.centre[0], to[1] - eye.centre[1]];
        let length = hypot(away[0], away[1]).max(1.0);
        let align = match away[0] / length {
            s if s > 0.3 => Align::Start,
            s if s < -0.3 => Align::End,
            _ => Align::Middle,
        };
        let place = [
            to[0] + 7.0 * away[0] / length,
            to[1] + 11.0 * away[1] / length + 0.36 * SMALL,
        ];
        let name = font::clean(name);
        if front {
            // A white ground under the name keeps curves from crossing it out.
            let wide = font::width(&name, SMALL);
            let left = match align {
                Align::Start => place[0],
                Align::Middle => place[0] - 0.5 * wide,
                Align::End => place[0] - wide,
            };
            let left = left - 2.0;
            let top = place[1] - 0.9 * SMALL;
            let ground = Rect {
                x: [left, left + (wide + 4.0)],
                y: [top, top + 1.2 * SMALL],
            };
            canvas.fill_rect(ground, GROUND)?;
        }
        canvas.text(&name, place, Face::level(SMALL, align))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Polylines of a colour and width in the drawing, with their points.
    fn lines(svg: &str, colour: Colour, width: f64) -> Vec<Vec<[f64; 2]>> {
        let (r, g, b) = colour;
        let look = format!(
            "stroke=\"#{r:02X}{g:02X}{b:02X}\" stroke-width=\"{}\"",
            width * 8.0
        );
        let lines = svg
            .lines()
            .filter(|l| l.contains("<polyline") && l.contains(&look));
        lines
            .map(|l| {
                let points = l
                    .split("points=\"")
                    .nth(1)
                    .unwrap()
                    .split('"')
                    .next()
                    .unwrap();
                let point = |p: &str| {
                    let (x, y) = p.split_once(',').unwrap();
                    [x, y].map(|x| x.parse::<f64>().unwrap() / 8.0)
                };
                points.split_whitespace().map(point).collect()
            })
            .collect()
    }

    fn equator(view: [f64; 2]) -> String {
        let point = |k| {
            let (s, c) = turn(k);
            [c, s, 0.0]
        };
        svg(&Surface {
            view,
            curves: vec![Curve {
                label: "around".into(),
                points: (0..=FINE).map(point).collect(),
                guide: false,
            }],
            ..Surface::default()
        })
        .unwrap()
    }

    #[test]
    fn half_of_a_circle_about_the_centre_is_hidden() {
        let drawing = equator([0.0, 20.0]);
        let colour = curve::look(0, Style::Line).colour;
        let sum = |lines: Vec<Vec<[f64; 2]>>| lines.iter().map(Vec::len).sum::<usize>();
        let (front, back) = (
            lines(&drawing, colour, 1.75),
            lines(&drawing, canvas::lighter(colour), 0.75),
        );
        assert!(!front.is_empty() && !back.is_empty());
        // The near half lies lower on the page, because the eye is above.
        let lowest =
            |lines: &[Vec<[f64; 2]>]| lines.iter().flatten().map(|p| p[1]).fold(0.0, f64::max);
        assert!(lowest(&front) > lowest(&back) + 20.0);
        let (front, back) = (sum(front), sum(back));
        assert!(
            front.abs_diff(back) <= 4 && front + back >= FINE as usize,
            "{front} {back}"
        );
        assert_eq!(drawing, equator([0.0, 20.0]));
        assert!(drawing.contains("<title></title>") && drawing.contains("around"));
    }

    #[test]
    fn any_surface_gives_a_figure() {
        for semi_axes in [[0.0, 1.0, f64::NAN], [1e-300, 1.0, 1e300], [-1.0; 3]] {
            for view in [[0.0, 90.0], [f64::NAN, 0.0], [1e9, -1e9]] {
                let wild = Surface {
                    semi_axes,
                    view,
                    curves: vec![Curve {
                        label: String::new(),
                        points: vec![[f64::INFINITY; 3], [f64::MAX; 3], [0.0; 3]],
                        guide: false,
                    }],
                    ..Surface::default()
                };
                let drawing = svg(&wild).unwrap();
                assert!(crate::png(&drawing, 0.1).is_ok() && !drawing.contains("NaN"));
            }
        }
    }
}
