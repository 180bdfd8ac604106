//! The path of a direction on the unit sphere: of a body axis, or of a vector.

use super::{Drawn, FigureDrawing, Reader, View, path};
use crate::text;
use schemars::JsonSchema;
use serde::Deserialize;
use topsim_core::integration::Run;
use topsim_core::math::{Mat3, Vec3};
use topsim_core::models::{Columns, Group, GroupKind, Quantity};
use topsim_plot::surface::Surface;

/// The path of a direction on the unit sphere: of a body axis, or of a vector.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct SphereFigure {
    /// The attitude, or a group of three columns.
    quantity: String,
    /// Axis of the body, 1, 2 or 3; only with the attitude.
    axis: Option<usize>,
    /// Place of the eye, degrees: from the x axis about the vertical, and above the horizontal plane (default 30 and 20).
    view: Option<[f64; 2]>,
}

impl Drawn for SphereFigure {
    fn check(&self, reader: &mut Reader) {
        let serves = |g: &&Group| g.kind == GroupKind::Attitude || g.channels.len() == 3;
        let known = || reader.columns.groups.iter().filter(serves);
        let found = known().find(|g| g.name == self.quantity);
        match (found.map(|g| g.kind), self.axis) {
            (None, _) => {
                let names: Vec<&str> = known().map(|g| &*g.name).collect();
                let found = format!("no group of three columns is called `{}`", self.quantity);
                reader.fault("quantity", found, names.join(", "));
            }
            (Some(GroupKind::Attitude), Some(1..=3)) | (Some(GroupKind::Vector), None) => {}
            (Some(GroupKind::Attitude), None) => {
                let found = "the attitude without `axis`";
                reader.fault("quantity", found, "`axis`: 1, 2 or 3");
            }
            (Some(GroupKind::Attitude), Some(axis)) => {
                reader.fault("axis", format!("found {axis}"), "1, 2 or 3");
            }
            (Some(GroupKind::Vector), Some(_)) => {
                let allowed = "this key only with the attitude";
                reader.fault("axis", "an axis of a vector", allowed);
            }
        }
    }
    fn stem(&self) -> String {
        let axis = self.axis.map_or(String::new(), |axis| axis.to_string());
        format!("sphere_{}{axis}", self.quantity)
    }
    fn subject(&self, columns: &Columns) -> String {
        match self.axis {
            Some(axis) => format!("path of body axis {axis}"),
            None => {
                let noun = text::quantity(columns, &self.quantity);
                format!("direction of the {noun}")
            }
        }
    }
    fn draw(&self, view: &View) -> FigureDrawing {
        let axes = match view.columns.quantity(&self.quantity) {
            Some(Quantity::BodyRate) => ["1", "2", "3"],
            _ => ["x", "y", "z"],
        };
        let default = Surface::default();
        FigureDrawing::Surface(Surface {
            axes: axes.map(Into::into),
            view: self.view.unwrap_or(default.view),
            curves: path::curves(view, |run| self.points(run)).collect(),
            ..default
        })
    }
}

impl SphereFigure {
    fn points(&self, run: &Run) -> Vec<[f64; 3]> {
        let Some(group) = run.columns.group(&self.quantity) else {
            return Vec::new();
        };
        let rate = run.columns.group_of(Quantity::BodyRate);
        let values = |g: &Group, k: usize| -> Vec<f64> {
            let row = run.row(k);
            g.channels.iter().map(|&c| row[c]).collect()
        };
        let node = |k: usize| {
            let value = values(group, k);
            let Some(axis) = self.axis else {
                return path::Node {
                    at: Vec3::from_iterator(value).normalize(),
                    rate: None,
                };
            };
            let attitude = Mat3::from_row_iterator(value);
            let mut body = Vec3::zeros();
            body[axis - 1] = 1.0;
            let turning = rate.map(|g| Vec3::from_iterator(values(g, k)));
            path::Node {
                at: attitude * body,
                rate: turning.map(|w| attitude * w.cross(&body)),
            }
        };
        path::smooth(&run.times, node, |p| p.normalize())
    }
}
