//! A map of escape times to compute: its window, its cells, its single starts.

use super::definition::Definition;
use super::grid::{MapAxis, Quantiles};
use crate::kernel::{EscapeProblem, KERNEL_REVISION};
use topsim_core::math::scalar::hypot;
use topsim_core::models::levitron::{FieldModel, VerticalGradient};
use topsim_core::models::reduced::ReducedDamping;

/// A map of escape times over starts (x, 0, z_s + z).
#[derive(Debug, Clone, PartialEq)]
pub struct EscapeMap {
    /// Its name, which names its files.
    pub name: String,
    /// The scheme.
    pub scheme: String,
    /// Distance from the axis, m: along a row.
    pub x: MapAxis,
    /// Height above the equilibrium, m: across the rows.
    pub z: MapAxis,
    /// Single starts [x, z], m.
    pub probes: Vec<[f64; 2]>,
    /// The physics.
    pub escape: EscapeProblem,
}

/// Why a map cannot be computed over its window.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EscapeMapError {
    /// A start has escaped already.
    #[error(
        "the start x = {x}, z = {z} lies {distance:.4} m from the equilibrium, outside the escape radius of {radius:.4} m"
    )]
    Outside {
        /// Its distance from the axis, m.
        x: f64,
        /// Its height above the equilibrium, m.
        z: f64,
        /// Its distance from the equilibrium, m.
        distance: f64,
        /// The escape radius, m.
        radius: f64,
    },
    /// A start may go where the field's series does not converge.
    #[error(
        "the escape radius of {radius:.4} m reaches {rho:.4} m from the axis at the height {z:.4} m, where the field's series converges up to {convergence:.4} m only"
    )]
    Field {
        /// The escape radius, m.
        radius: f64,
        /// Distance from the axis, m.
        rho: f64,
        /// Height, m.
        z: f64,
        /// Distance from the axis up to which the series converges there, m.
        convergence: f64,
    },
}

impl EscapeMap {
    /// Stem of its files.
    pub fn stem(&self) -> String {
        format!("map_{}", self.name)
    }

    /// Cells in all.
    pub fn cells(&self) -> u64 {
        u64::from(self.x.cells) * u64::from(self.z.cells)
    }

    /// The start of a cell, m; cells are counted row by row.
    pub fn start(&self, cell: u64) -> [f64; 3] {
        let width = u64::from(self.x.cells);
        // Both are below the numbers of cells, which are 32-bit.
        let (column, row) = ((cell % width) as u32, (cell / width) as u32);
        self.place([self.x.centre(column), self.z.centre(row)])
    }

    /// The place of a start [x, z], m.
    pub fn place(&self, [x, z]: [f64; 2]) -> [f64; 3] {
        [x, 0.0, self.escape.centre[2] + z]
    }

    /// Whether the field is known wherever a start of the window may go before it escapes.
    ///
    /// # Errors
    /// [`EscapeMapError`] says where not.
    pub fn check(&self) -> Result<(), EscapeMapError> {
        let EscapeProblem {
            levitron,
            centre,
            radius,
            ..
        } = &self.escape;
        let radius = *radius;
        let corners = [self.x.from, self.x.to]
            .into_iter()
            .flat_map(|x| [self.z.from, self.z.to].map(|z| [x, z]));
        for [x, z] in corners.chain(self.probes.iter().copied()) {
            let distance = hypot(x, z);
            if !(distance <= radius) {
                return Err(EscapeMapError::Outside {
                    x,
                    z,
                    distance,
                    radius,
                });
            }
        }
        // Over the whole ball the field must be known: its widest circle, and its lowest.
        for k in 0..=64 {
            let z = centre[2] + radius * (f64::from(k) / 32.0 - 1.0);
            let rho = (radius * radius - (z - centre[2]) * (z - centre[2]))
                .max(0.0)
                .sqrt();
            let convergence = levitron.validity(rho, z).convergence;
            if !(rho < convergence) {
                return Err(EscapeMapError::Field {
                    radius,
                    rho,
                    z,
                    convergence,
                });
            }
        }
        Ok(())
    }

    /// All that decides the numbers of the map; tiles of another one are not taken.
    pub fn definition(&self) -> Definition {
        let e = &self.escape;
        let l = &e.levitron;
        let axis = |a: &MapAxis| format!("{:?} to {:?} m in {} cells", a.from, a.to, a.cells);
        Definition::default()
            .with("program", env!("CARGO_PKG_VERSION"))
            .with("kernel", KERNEL_REVISION)
            .with("x", axis(&self.x))
            .with("z", axis(&self.z))
            .with("scheme", &self.scheme)
            .with("step", format!("{:?} s", e.h))
            .with("steps", e.steps)
            .with("escape radius", format!("{:?} m", e.radius))
            .with("spin", format!("{:?} rad/s", e.spin))
            .with("equilibrium", format!("{:?} m", e.centre[2]))
            .with("damping", damping(&e.damping))
            .with(
                "body",
                format!(
                    "m {:?} kg, Θ1 {:?}, Θ3 {:?} kg m²",
                    l.mass(),
                    l.theta1(),
                    l.theta3()
                ),
            )
            .with("moment", format!("{:?}", l.moment()))
            .with("gravity", format!("{:?} m/s²", l.gravity()))
            .with("field", field(l.field().model()))
            .with("base", format!("{:?} m", l.field().radius()))
    }

    /// Names of the numbers that it will have; those of
    /// [`EscapeMapResult::numbers`](super::EscapeMapResult::numbers).
    pub fn number_names(&self) -> Vec<String> {
        let mut out: Vec<String> = ["survivors", "fraction"].map(String::from).to_vec();
        out.extend(Quantiles::PERCENT.iter().map(|p| format!("q{p:02}")));
        for p in &self.probes {
            out.extend([probe_name("time", p), probe_name("steps", p)]);
        }
        out
    }
}

/// Name of a number of a single start; `what` is `time` (s) or `steps` (−1 for survivors).
pub(super) fn probe_name(what: &str, [x, z]: &[f64; 2]) -> String {
    format!("escape_{what}({x}, {z})")
}

/// The damping as part of a definition; kept as it was first written, for the identity of maps
/// depends on it.
fn damping(d: &ReducedDamping) -> String {
    let ReducedDamping {
        translation,
        spin,
        transverse,
    } = d;
    format!(
        "Damping {{ translation: {translation:?}, spin: {spin:?}, transverse: {transverse:?} }}"
    )
}

/// The field as part of a definition, likewise.
fn field(model: FieldModel) -> String {
    let series = |kind: &str, order: usize, gradient: VerticalGradient| {
        let gradient = match gradient {
            VerticalGradient::Exact => "Exact",
            VerticalGradient::Harmonic => "Harmonic",
        };
        format!("{kind} {{ order: {order}, gradient: {gradient} }}")
    };
    match model {
        FieldModel::Disk { order, gradient } => series("Disk", order, gradient),
        FieldModel::Ring { order, gradient } => series("Ring", order, gradient),
        FieldModel::Exact => "Exact".into(),
    }
}

#[cfg(test)]
pub(crate) mod tests;
