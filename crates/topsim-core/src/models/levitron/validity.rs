//! Validity range of the series of the field.

use super::Levitron;
use super::field::FieldModel;
use super::series::on_axis;

/// Validity of the field model at one point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Validity {
    /// Distance from the axis up to which the untruncated series converges, √(z² + a²), m; infinite for a model
    /// without series. (The paper says a.)
    pub convergence: f64,
    /// Relative truncation error |δB|/|B|; infinite beyond the convergence, 0 for a model without series.
    pub truncation: f64,
}

/// Number of neglected terms that are summed for the estimate.
const TERMS: usize = 60;

impl Levitron {
    /// Returns the validity at distance `rho` from the axis and height `z`, m, from the sum of up to 60
    /// neglected terms.
    pub fn validity(&self, rho: f64, z: f64) -> Validity {
        let radius = self.field().radius();
        let (order, ring) = match self.field().model() {
            FieldModel::Disk { order, .. } => (order, false),
            FieldModel::Ring { order, .. } => (order, true),
            FieldModel::Exact => {
                return Validity {
                    convergence: f64::INFINITY,
                    truncation: 0.0,
                };
            }
        };
        let convergence = (z * z + radius * radius).sqrt();
        if !(rho < convergence) {
            return Validity {
                convergence,
                truncation: f64::INFINITY,
            };
        }
        // Lengths are in units of the convergence distance, because φ^{(k)} ρ^k/k! stays in range where φ^{(k)}
        // does not.
        let last = order + TERMS;
        let mut d = vec![0.0; 2 * last + 2];
        let (t, height) = (rho / convergence, z / convergence);
        if ring {
            on_axis::<true>(radius / convergence, height, &mut d);
        } else {
            on_axis::<false>(radius / convergence, height, &mut d);
        }
        // c_j = (−1)^j/(4^j j!²) is multiplied by derivatives that grow like (2j)!, so it is built one factor
        // at a time.
        let (mut c, mut bz, mut br) = (1.0, 0.0, 0.0);
        for j in 1..=last {
            let n = 2.0 * j as f64;
            c *= -t * t / (n * n);
            if j > order {
                bz -= c * d[2 * j + 1];
                br -= c * d[2 * j] * n / t;
            }
        }
        // B has one derivative, hence one power of the length unit, and the ring's φ has two more.
        let unit = if ring {
            convergence.powi(3)
        } else {
            convergence
        };
        let b = self.force([rho, 0.0, z], [0.0, 0.0, 1.0]).field;
        let full = b[0].hypot(b[2]) * unit;
        Validity {
            convergence,
            truncation: if rho == 0.0 { 0.0 } else { bz.hypot(br) / full },
        }
    }
}
