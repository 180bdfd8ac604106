//! The path of the angular velocity in a free body, on the ellipsoid of its energy.

use super::{Drawn, FigureDrawing, Reader, View, path};
use crate::text;
use nalgebra::SymmetricEigen;
use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::TAU;
use topsim_core::integration::Run;
use topsim_core::math::{Mat3, Vec3};
use topsim_core::models::{Columns, Group, Model, Quantity, TorqueModel};
use topsim_plot::surface::{Curve, Surface};

/// The path of the angular velocity in a free body, on the ellipsoid of its energy, in principal axes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct PolhodeFigure {
    /// Place of the eye, degrees: from the first axis about the third, and above the plane of the first two (default 60 and 20).
    view: Option<[f64; 2]>,
}

/// Principal moments in rising order, and their axes as columns.
struct PolhodeBody {
    moments: [f64; 3],
    axes: Mat3,
}

/// Returns the body if no torque acts on it.
fn free(model: &Model) -> Option<PolhodeBody> {
    let Model::Top(top) = model else { return None };
    if !matches!(top.torque, TorqueModel::NoTorque(_)) {
        return None;
    }
    let found = SymmetricEigen::new(*top.inertia.tensor());
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| found.eigenvalues[a].total_cmp(&found.eigenvalues[b]));
    let mut axes = Mat3::from_columns(&order.map(|i| found.eigenvectors.column(i).into_owned()));
    // Each axis points toward the body's own, and they are right-handed.
    for i in 0..2 {
        let mut axis = axes.column_mut(i);
        let largest = axis.iamax();
        if axis[largest] < 0.0 {
            axis *= -1.0;
        }
    }
    let third = axes.column(0).cross(&axes.column(1));
    axes.set_column(2, &third);
    Some(PolhodeBody {
        moments: order.map(|i| found.eigenvalues[i]),
        axes,
    })
}

impl Drawn for PolhodeFigure {
    fn check(&self, reader: &mut Reader) {
        if free(&reader.problem.model).is_none() {
            let found = "a polhode of a body on which a torque acts, or of a reduced one";
            reader.fault("kind", found, "this kind only for a free body");
        }
    }
    fn stem(&self) -> String {
        "polhode".into()
    }
    fn subject(&self, _: &Columns) -> String {
        "polhode".into()
    }
    fn draw(&self, view: &View) -> FigureDrawing {
        let mut surface = Surface {
            view: self.view.unwrap_or([60.0, 20.0]),
            ..Surface::default()
        };
        let body = view.model.and_then(free);
        let (Some(body), Some(first)) = (body, view.runs.first()) else {
            return FigureDrawing::Surface(surface);
        };
        let moment = |j| format!("J = {} kg m²", text::number(j));
        surface.axes = body.moments.map(moment);
        if let Some(rate) = first.run.columns.group_of(Quantity::BodyRate) {
            let w = body.rate(rate, first.run.row(0));
            let energy: f64 = (0..3).map(|i| body.moments[i] * w[i] * w[i]).sum();
            surface.semi_axes = body.moments.map(|j| (energy / j).sqrt());
            surface.curves.extend(body.separatrix(energy));
        }
        surface
            .curves
            .extend(path::curves(view, |run| body.path(run)));
        FigureDrawing::Surface(surface)
    }
}

impl PolhodeBody {
    /// Returns the body rate of a row in principal axes.
    fn rate(&self, group: &Group, row: &[f64]) -> Vec3 {
        self.axes.transpose() * Vec3::from_iterator(group.channels.iter().map(|&c| row[c]))
    }

    fn path(&self, run: &Run) -> Vec<[f64; 3]> {
        let Some(group) = run.columns.group_of(Quantity::BodyRate) else {
            return Vec::new();
        };
        let node = |k: usize| {
            let w = self.rate(group, run.row(k));
            let [a, b, c] = self.moments;
            // The change of the rate is that of Euler's equations.
            let (x, y, z) = (
                (b - c) * w.y * w.z,
                (c - a) * w.z * w.x,
                (a - b) * w.x * w.y,
            );
            path::Node {
                at: w,
                rate: Some(Vec3::new(x / a, y / b, z / c)),
            }
        };
        path::smooth(&run.times, node, |p| p)
    }

    /// Returns the curves through the intermediate axis, |J W|² = 2 T J2: two plane sections of the ellipsoid 2 T = `energy`, where
    /// the moments differ.
    fn separatrix(&self, energy: f64) -> Option<Curve> {
        let [a, b, c] = self.moments;
        // a (b − a) W1² = c (c − b) W3².
        let (first, third) = ((c * (c - b)).sqrt(), (a * (b - a)).sqrt());
        if !(first.min(third) > 1e-6 * c) {
            return None;
        }
        let size = (energy / (a * first * first + c * third * third)).sqrt();
        let second = (energy / b).sqrt();
        let mut points = Vec::new();
        for side in [1.0, -1.0] {
            points.extend((0..=120).map(|k| {
                let (s, c) = libm::sincos(TAU * f64::from(k) / 120.0);
                [c * size * first, s * second, side * c * size * third]
            }));
            points.push([f64::NAN; 3]);
        }
        Some(Curve {
            label: "separatrix".into(),
            points,
            guide: true,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_separatrix_has_the_energy_and_the_momentum_of_the_intermediate_axis() {
        let body = PolhodeBody {
            moments: [1.0, 2.0, 3.0],
            axes: Mat3::identity(),
        };
        let energy = 50.0;
        let curve = body.separatrix(energy).unwrap();
        let points = curve.points.iter().filter(|p| p[0].is_finite());
        for p in points {
            let of = |power: i32| {
                (0..3)
                    .map(|i| body.moments[i].powi(power) * p[i] * p[i])
                    .sum::<f64>()
            };
            assert!((of(1) - energy).abs() < 1e-12 * energy);
            assert!((of(2) - 2.0 * energy).abs() < 1e-12 * energy);
        }
        let moments = [2.0, 2.0, 3.0];
        assert!(PolhodeBody { moments, ..body }.separatrix(energy).is_none());
    }
}
