//! The figures of error against time, from the measurements in `docs/speed.csv` (`scripts/speed_of_others.py --points`).

use super::{Outcome, read};
use topsim_plot::{Axis, Plot, Scale, Series, Style};

const POINTS: &str = "docs/speed.csv";
const HEADER: &str = "problem,method,error_rad,time_us";
/// The problems as the file and as the title name them.
const PROBLEMS: [(&str, &str); 2] = [
    ("heavy_top", "Heavy symmetrical top, 50 rad/s"),
    ("body_a", "Asymmetric heavy body"),
];

/// Draws the figures anew.
pub fn renew() -> Outcome<()> {
    for (name, svg) in drawn(&read(POINTS)?)? {
        let png = topsim_plot::png(&svg, 2.0).map_err(|e| e.to_string())?;
        for (ending, bytes) in [("svg", svg.as_bytes()), ("png", &png)] {
            let path = path(&name, ending);
            std::fs::write(&path, bytes).map_err(|e| format!("cannot write {path}: {e}"))?;
        }
    }
    Ok(())
}

/// Says which is not what the file gives.
pub fn check() -> Outcome<()> {
    for (name, svg) in drawn(&read(POINTS)?)? {
        let path = path(&name, "svg");
        if read(&path)? != svg {
            return Err(format!(
                "{path} is not current: `cargo xtask generate` renews it"
            ));
        }
    }
    Ok(())
}

fn path(name: &str, ending: &str) -> String {
    format!("docs/figures/error_time_{name}.{ending}")
}

/// Names and pictures.
fn drawn(points: &str) -> Outcome<Vec<(String, String)>> {
    let mut lines = points.lines();
    if lines.next() != Some(HEADER) {
        return Err(format!("{POINTS} does not begin with `{HEADER}`"));
    }
    let mut plots = PROBLEMS.map(|(_, title)| Plot {
        title: format!("{title}: 10 s of motion"),
        x: Axis::new("Time [µs]", Scale::Log10),
        y: Axis::new("Error of the attitude at the end [rad]", Scale::Log10),
        size: [900, 640],
        ..Plot::default()
    });
    for line in lines {
        let wrong = || format!("{POINTS}: `{line}` is no line of it");
        let [problem, method, error, time] = line.split(',').collect::<Vec<_>>()[..] else {
            return Err(wrong());
        };
        let number = |text: &str| text.parse::<f64>().map_err(|_| wrong());
        let at = PROBLEMS.iter().position(|(name, _)| *name == problem);
        let series = &mut plots[at.ok_or_else(wrong)?].series;
        let point = [number(time)?, number(error)?];
        match series.iter_mut().find(|s| s.label == method) {
            Some(known) => known.points.push(point),
            None => series.push(Series::new(method, vec![point], Style::LineMarkers)),
        }
    }
    let named = PROBLEMS.iter().zip(&plots).map(|((name, _), plot)| {
        let svg = topsim_plot::svg(plot).map_err(|e| format!("{POINTS}: {e}"))?;
        Ok(((*name).into(), svg))
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_none_are_refused() {
        let good = format!("{HEADER}\nheavy_top,a,1e-3,2\nheavy_top,a,1e-6,4\nbody_a,b,1e-2,1\n");
        assert_eq!(drawn(&good).unwrap().len(), 2);
        for bad in ["heavy_top,a,1e-3", "other,a,1e-3,2", "heavy_top,a,x,2"] {
            assert!(drawn(&format!("{good}{bad}\n")).unwrap_err().contains(bad));
        }
        assert!(drawn("a,b\n").is_err());
    }
}
