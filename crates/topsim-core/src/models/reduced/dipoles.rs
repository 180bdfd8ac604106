//! Potential of N symmetric bodies with an E(3)-invariant pair interaction: point dipoles with a soft core.

use super::{Axial, Potential, PotentialGradient};
use std::fmt::Debug;

/// Dipoles with a soft core: `U = Σ_{i<j} k [a_i·a_j/x³ − 3 (a_i·R)(a_j·R)/x⁵] + C/x¹²`, `R = r_i − r_j`,
/// `x = |R|`.
///
/// U is invariant under translations and rotations of the whole system, so that total momentum and total
/// angular momentum are conserved (Dullin 2004, section 4).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dipoles {
    /// Coupling k, J m³.
    pub coupling: f64,
    /// Core coefficient C, J m¹².
    pub core: f64,
}

impl Potential for Dipoles {
    type List<T: Copy + Debug + Send + Sync + 'static> = Vec<T>;
    fn list<T: Copy + Debug + Send + Sync + 'static>(things: &[T]) -> Vec<T> {
        things.to_vec()
    }

    fn energy(&self, y: &[Axial]) -> f64 {
        let mut sum = 0.0;
        for (i, p) in y.iter().enumerate() {
            for q in &y[..i] {
                let r = p.position - q.position;
                let i2 = 1.0 / r.norm_squared();
                let (pr, qr) = (p.axis.dot(&r), q.axis.dot(&r));
                let i3 = i2 * i2.sqrt();
                let dipole = i3 * (p.axis.dot(&q.axis) - 3.0 * i2 * pr * qr);
                sum += self.coupling * dipole + self.core * i2.powi(6);
            }
        }
        sum
    }

    fn gradients(&self, y: &[Axial], out: &mut [PotentialGradient]) {
        out.fill(PotentialGradient::ZERO);
        for i in 1..y.len() {
            for j in 0..i {
                let (p, q) = (&y[i], &y[j]);
                let r = p.position - q.position;
                let i2 = 1.0 / r.norm_squared();
                let (pr, qr) = (p.axis.dot(&r), q.axis.dot(&r));
                let k3 = self.coupling * i2 * i2.sqrt();
                let k5 = 3.0 * k3 * i2;
                let i4 = i2 * i2;
                let core = 12.0 * self.core * i4 * i4 * i4 * i2;
                let along = k5 * (5.0 * i2 * pr * qr - p.axis.dot(&q.axis)) - core;
                let force = r * along - (p.axis * qr + q.axis * pr) * k5;
                out[i].position += force;
                out[j].position -= force;
                out[i].axis += q.axis * k3 - r * (k5 * qr);
                out[j].axis += p.axis * k3 - r * (k5 * pr);
            }
        }
    }
}
