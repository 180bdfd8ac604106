//! Figures of error against time, from the measurements in `docs/speed.csv`
//! (`scripts/speed_of_others.py --points`).

use super::{TaskResult, read};
use std::path::Path;
use topsim_plot::{Axis, Plot, Scale, Series, Style};

const POINTS: &str = "docs/speed.csv";
const HEADER: &str = "problem,method,error_rad,time_us";
/// Names of the problems in the file, and their titles in the figures.
const PROBLEMS: [(&str, &str); 2] = [
    (
        "heavy_top",
        "Heavy symmetric top at 50 rad/s: 10 s of motion",
    ),
    ("body_a", "Asymmetric heavy body: 10 s of motion"),
];
/// Methods that are drawn; the file has more.
const METHODS: [&str; 10] = [
    "exact_pmlf6",
    "exact_srkn14a",
    "exact_bm6",
    "taylor16",
    "quat_rk4",
    "split_sym",
    "rig_pos",
    "heyoka",
    "Boost odeint",
    "SciPy DOP853",
];

/// Writes the figures into a folder.
pub fn draw(folder: &Path) -> TaskResult<()> {
    for (name, svg) in draw_figures(&read(POINTS)?)? {
        let png = topsim_plot::png(&svg, 2.0).map_err(|e| e.to_string())?;
        for (ending, bytes) in [("svg", svg.as_bytes()), ("png", &png)] {
            let path = folder.join(format!("speed_{name}.{ending}"));
            std::fs::write(&path, bytes)
                .map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        }
    }
    Ok(())
}

/// Returns names and SVG texts of the figures.
fn draw_figures(points: &str) -> TaskResult<Vec<(&'static str, String)>> {
    let mut lines = points.lines();
    if lines.next() != Some(HEADER) {
        return Err(format!("{POINTS} does not begin with `{HEADER}`"));
    }
    let mut rows = Vec::new();
    for line in lines {
        let wrong = || format!("{POINTS}: `{line}` is no line of it");
        let [problem, method, error, time] = line.split(',').collect::<Vec<_>>()[..] else {
            return Err(wrong());
        };
        let number = |text: &str| text.parse::<f64>().map_err(|_| wrong());
        rows.push((problem, method, [number(time)?, number(error)?]));
    }
    let figures = PROBLEMS.iter().map(|&(name, title)| {
        let series = METHODS.iter().map(|&method| {
            let of = rows.iter().filter(|r| (r.0, r.1) == (name, method));
            let mut points: Vec<[f64; 2]> = of.map(|r| r.2).collect();
            points.sort_by(|a, b| a[0].total_cmp(&b[0]));
            // Runs that took longer without being more accurate are left out.
            let mut best = f64::INFINITY;
            points.retain(|[_, error]| {
                let better = *error < best;
                best = best.min(*error);
                better
            });
            Series::new(method, points, Style::LineMarkers)
        });
        let plot = Plot {
            title: title.into(),
            x: Axis::new("Time [µs]", Scale::Log10),
            y: Axis::new("Error of the attitude at the end [rad]", Scale::Log10),
            size: [900, 640],
            series: series.collect(),
            ..Plot::default()
        };
        let svg = topsim_plot::svg(&plot).map_err(|e| format!("{POINTS}, {name}: {e}"))?;
        Ok((name, svg))
    });
    figures.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_lines_are_refused() {
        let method = |m: &str| {
            PROBLEMS
                .map(|(p, _)| format!("{p},{m},1e-3,2\n{p},{m},1e-6,4\n"))
                .concat()
        };
        let good = format!("{HEADER}\n{}", METHODS.map(method).concat());
        assert_eq!(draw_figures(&good).unwrap().len(), 2);
        for bad in ["heavy_top,a,1e-3", "heavy_top,a,x,2"] {
            assert!(
                draw_figures(&format!("{good}{bad}\n"))
                    .unwrap_err()
                    .contains(bad)
            );
        }
        assert!(draw_figures("a,b\n").is_err());
    }
}
