//! A map of escape times to compute: its window, its cells and its single starts.

use super::grid::{MapAxis, Quantiles};
use crate::kernel::{EscapeError, EscapeProblem, KERNEL_REVISION, Width, escape_steps};
use tiles::{CellLayout, CellStudy, Definition, TILE_COST, Unfinished};
use topsim_core::math::scalar::hypot;
use topsim_core::models::levitron::{FieldModel, VerticalGradient};
use topsim_core::models::reduced::ReducedDamping;

/// Cells that a tile of the longest runs still has: enough to keep all lanes busy.
const FEWEST_CELLS: u32 = 64;

/// Map of escape times over starts (x, 0, z_s + z).
#[derive(Debug, Clone, PartialEq)]
pub struct EscapeMap {
    /// Name, which also names the files.
    pub name: String,
    /// Name of the scheme.
    pub scheme: String,
    /// Distances from the axis along a row, m.
    pub x: MapAxis,
    /// Heights above the equilibrium across the rows, m.
    pub z: MapAxis,
    /// Single starts [x, z], m.
    pub probes: Vec<[f64; 2]>,
    /// Top, field and scheme.
    pub escape: EscapeProblem,
    /// Instructions that compute it; the results do not depend on them.
    pub width: Width,
}

/// Reason why a map cannot be computed over its window.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EscapeMapError {
    /// Start that has escaped already.
    #[error(
        "the start x = {x}, z = {z} lies {distance:.4} m from the equilibrium, outside the escape radius of {radius:.4} m"
    )]
    Outside {
        /// Distance of the start from the axis, m.
        x: f64,
        /// Height of the start above the equilibrium, m.
        z: f64,
        /// Distance of the start from the equilibrium, m.
        distance: f64,
        /// Escape radius, m.
        radius: f64,
    },
    /// Ball that reaches where the field's series does not converge.
    #[error(
        "the escape radius of {radius:.4} m reaches {rho:.4} m from the axis at the height {z:.4} m, where the field's series converges up to {convergence:.4} m only"
    )]
    Field {
        /// Escape radius, m.
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
    /// Returns the stem of the files.
    pub fn stem(&self) -> String {
        format!("map_{}", self.name)
    }

    /// Returns the number of cells.
    pub fn cells(&self) -> u64 {
        u64::from(self.x.cells) * u64::from(self.z.cells)
    }

    /// Returns the start of a cell, m; cells are counted row by row.
    pub fn start(&self, cell: u64) -> [f64; 3] {
        let width = u64::from(self.x.cells);
        // Both are below the numbers of cells, which are 32-bit.
        let (column, row) = ((cell % width) as u32, (cell / width) as u32);
        self.place([self.x.centre(column), self.z.centre(row)])
    }

    /// Returns the start at [x, z], m.
    pub fn place(&self, [x, z]: [f64; 2]) -> [f64; 3] {
        [x, 0.0, self.escape.centre[2] + z]
    }

    /// Checks that the field is known wherever a start of the window may go before it escapes.
    ///
    /// # Errors
    /// [`EscapeMapError`].
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
        // The field must be known over the whole ball, so at its widest and its lowest circle.
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
}

impl CellStudy for EscapeMap {
    type Error = EscapeError;

    fn definition(&self) -> Definition {
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

    fn layout(&self) -> CellLayout {
        CellLayout {
            cells: self.cells(),
            each: 1,
            limit: self.escape.steps,
            row: self.x.cells,
            cost: self.escape.steps.min(TILE_COST / FEWEST_CELLS),
        }
    }

    fn fill(
        &self,
        cells: &[u64],
        steps: &mut [i32],
        go_on: &dyn Fn() -> bool,
    ) -> Result<(), Unfinished<EscapeError>> {
        let starts: Vec<[f64; 3]> = cells.iter().map(|&c| self.start(c)).collect();
        escape_steps(&self.escape, &starts, self.width, steps, &|_| go_on())?;
        Ok(())
    }
}

impl From<EscapeError> for Unfinished<EscapeError> {
    fn from(error: EscapeError) -> Self {
        match error {
            EscapeError::Stopped(_) => Self::Stopped,
            other => Self::Failed(other),
        }
    }
}

impl EscapeMap {
    /// Returns the names of the numbers of
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

/// Returns the name of a number of a single start; `what` is `time` (s) or `steps` (−1 for survivors).
pub(super) fn probe_name(what: &str, [x, z]: &[f64; 2]) -> String {
    format!("escape_{what}({x}, {z})")
}

/// Writes the damping for a definition. The text stays as it is, since the identity of maps depends
/// on it.
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

/// Writes the field for a definition; this text stays too.
pub(super) fn field(model: FieldModel) -> String {
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
