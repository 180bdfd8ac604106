//! Title, size and axes of figures as cases ask for them.

use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use strict_toml::{meant, nearest, short};
use topsim_case::RunPlan;
use topsim_plot::surface::Surface;
use topsim_plot::{Axis, LARGEST, Plot, SMALLEST, Scale};

/// Title, size and axes of a figure.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub(crate) struct PageKeys {
    /// Title (default: the title of the case, what is drawn, and the scheme or step where there is a figure for each).
    pub title: Option<String>,
    /// Width and height in pixels of the SVG (default 800 × 600).
    size: Option<[u32; 2]>,
    /// Size of letters, lines and markers, as a multiple of the usual one (default 1). On a slide 1.5 or 2 is easy to read.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    scale: Option<f64>,
    /// Names of schemes in the legend, in words: `{ quat_rk4 = "classical Runge–Kutta" }`. Default: their labels.
    #[serde(default)]
    names: BTreeMap<String, String>,
    /// The horizontal axis of kinds that have one.
    x: Option<AxisTable>,
    /// The vertical axis of kinds that have one.
    y: Option<AxisTable>,
}

/// An axis of a figure.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AxisTable {
    /// Range, from and to, in the unit of the axis (default: what shows all data).
    range: Option<[f64; 2]>,
    /// True for a logarithmic axis (default: for errors only).
    log: Option<bool>,
    /// True for the sizes of numbers that may be negative, such as a drift on a logarithmic axis (default false).
    #[serde(default)]
    abs: bool,
}

/// Largest scale: at the usual size the page has then a fifth of its usual room.
const LARGEST_SCALE: f64 = 5.0;

impl PageKeys {
    /// Checks the keys beside the runs of the case; `fault` receives a key, what was found and what is allowed.
    pub fn check(&self, plans: &[RunPlan], mut fault: impl FnMut(&str, String, String)) {
        let schemes: Vec<&str> = plans.iter().map(|plan| &*plan.scheme).collect();
        for name in self
            .names
            .keys()
            .filter(|name| !schemes.contains(&&***name))
        {
            let near = meant(nearest(name, &schemes));
            let found = format!("the case has no scheme `{name}`{near}");
            fault("names", found, "the labels of its schemes".into());
        }
        for (i, side) in self.size.iter().flatten().enumerate() {
            if !(SMALLEST..=LARGEST).contains(side) {
                let allowed = format!("from {SMALLEST} to {LARGEST} pixels");
                fault(&format!("size[{i}]"), format!("found {side}"), allowed);
            }
        }
        if let Some(scale) = self.scale.filter(|scale| *scale > LARGEST_SCALE) {
            let allowed = format!("a number not greater than {LARGEST_SCALE}");
            fault("scale", format!("found {}", short(scale)), allowed);
        }
        for (name, axis) in [("x", &self.x), ("y", &self.y)] {
            let Some(AxisTable {
                range: Some([from, to]),
                log,
                ..
            }) = axis
            else {
                continue;
            };
            let key = format!("{name}.range");
            let found = format!("a range from {} to {}", short(*from), short(*to));
            if !(to > from) {
                fault(
                    &key,
                    found,
                    "two numbers, the second above the first".into(),
                );
            } else if *log == Some(true) && *from <= 0.0 {
                fault(&key, found, "a range above 0 on a logarithmic axis".into());
            }
        }
    }

    /// Applies the keys but the title to a plot.
    pub fn apply(&self, plot: &mut Plot) {
        plot.size = self.size.unwrap_or(plot.size);
        plot.scale = self.scale.unwrap_or(plot.scale);
        let axes = [(&self.x, &mut plot.x), (&self.y, &mut plot.y)];
        for (i, (keys, axis)) in axes.into_iter().enumerate() {
            let Some(keys) = keys else { continue };
            keys.apply(axis);
            if keys.abs {
                let points = plot.series.iter_mut().flat_map(|s| &mut s.points);
                points.for_each(|p| p[i] = p[i].abs());
            }
        }
    }

    /// Applies the size to a surface.
    pub fn apply_to_surface(&self, surface: &mut Surface) {
        surface.size = self.size.unwrap_or(surface.size);
        surface.scale = self.scale.unwrap_or(surface.scale);
    }

    /// Returns the name of a scheme in the legend.
    pub fn name<'a>(&'a self, scheme: &'a str) -> &'a str {
        self.names.get(scheme).map_or(scheme, |name| name)
    }

    /// Tests whether the vertical range is given.
    pub fn has_range(&self) -> bool {
        self.y.as_ref().is_some_and(|y| y.range.is_some())
    }
}

impl AxisTable {
    fn apply(&self, axis: &mut Axis) {
        if let Some([from, to]) = self.range {
            axis.range = Some((from, to));
        }
        if let Some(log) = self.log {
            axis.scale = if log { Scale::Log10 } else { Scale::Linear };
        }
        if self.abs {
            axis.label = match axis.label.split_once(" [") {
                Some((name, unit)) => format!("|{name}| [{unit}"),
                None => format!("|{}|", axis.label),
            };
        }
    }
}
