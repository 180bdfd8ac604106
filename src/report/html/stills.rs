//! The figures of the files, embedded in the page for browsers without scripts and for paper.

use crate::report::figures::DrawnFigure;
use maud::{Markup, PreEscaped, html};
use std::fmt::Write;

/// Shortest distance between two points that are kept, in units of the drawing: a pixel and a half of a figure 800 wide.
const LEAST_MOVE: i64 = 12;

/// Returns the figures as they are in files, each with its name.
pub(super) fn stills(drawn: &[&DrawnFigure], title: &str) -> Markup {
    html! {
        details.stills open {
            summary { (title) " (" (drawn.len()) ")" }
            div.grid {
                @for figure in drawn {
                    figure role="img" aria-label=(figure.name) {
                        (PreEscaped(shorter(&figure.svg)))
                        figcaption { code { (figure.name) ".svg" } }
                    }
                }
            }
        }
    }
}

/// Returns the same drawing in fewer bytes: polylines become paths with relative coordinates, and neighbours with equal
/// attributes become one path.
fn shorter(svg: &str) -> String {
    let mut parts = svg.split("<polyline ");
    let mut out = parts.next().unwrap_or_default().to_string();
    // The attributes of the path at the end of the text, if another path can join it.
    let mut open: Option<&str> = None;
    for part in parts {
        let Some((look, moves, after)) = path(part) else {
            out += "<polyline ";
            out += part;
            open = None;
            continue;
        };
        if open == Some(look) {
            out.truncate(out.len() - 1 - ELEMENT_END.len());
        } else {
            let _ = write!(out, "<path {look}d=\"");
        }
        out += &moves;
        out.push('"');
        out += after;
        open = (after == ELEMENT_END).then_some(look);
    }
    out
}

/// The end of an element in a drawing that has a line for each element.
const ELEMENT_END: &str = "/>\n";

/// Splits the text after the start of a polyline into its attributes, its points as a path, and the rest; `None` if the
/// coordinates are not integers.
fn path(part: &str) -> Option<(&str, String, &str)> {
    let (look, rest) = part.split_once("points=\"")?;
    let (points, after) = rest.split_once('"')?;
    let points = points.split_ascii_whitespace().map(|point| {
        let (x, y) = point.split_once(',')?;
        Some([x.parse().ok()?, y.parse().ok()?])
    });
    let points: Vec<[i64; 2]> = points.collect::<Option<_>>()?;
    let (first, last) = (*points.first()?, *points.last()?);
    let mut moves = String::new();
    let mut from = first;
    for at in points {
        let [x, y] = [at[0] - from[0], at[1] - from[1]];
        if at == last || x.abs().max(y.abs()) >= LEAST_MOVE {
            let _ = write!(moves, "{x},{y} ");
            from = at;
        }
    }
    // A minus sign separates two numbers as well as a comma or a space does.
    let moves = moves.replace(",-", "-").replace(" -", "-");
    let [x, y] = first;
    Some((look, format!("M{x},{y}l{}", moves.trim_end()), after))
}

#[cfg(test)]
mod tests {
    use super::shorter;

    #[test]
    fn polylines_become_paths() {
        let one = r##"<polyline fill="none" points="10,20 15,18 30,19 30,60 "/>"##;
        let two = r##"<polyline fill="none" points="0,0 90,-90"/>"##;
        let other = r##"<polyline fill="red" points="0,0 90,-90"/>"##;
        let filled = r##"<polygon points="1,2 3,4"/>"##;
        let svg =
            format!("<svg>\n{one}\n{two}\n{other}\n{filled}\n{other}\n<text>a - b</text></svg>");
        let paths = format!(
            "<svg>\n<path fill=\"none\" d=\"M10,20l20-1 0,41M0,0l90-90\"/>\n\
            <path fill=\"red\" d=\"M0,0l90-90\"/>\n{filled}\n<path fill=\"red\" d=\"M0,0l90-90\"/>\n<text>a - b</text></svg>"
        );
        assert_eq!(shorter(&svg), paths);
        let other = r##"<svg><polyline points="1.5,2 3,4"/></svg>"##;
        assert_eq!(shorter(other), other);
    }
}
