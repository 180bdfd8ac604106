//! A spherical double well on SO(3): `V = (d_e − r)² − k/d_m`, with the chordal distances
//! `d_e = ‖Λ − I‖_F`, `d_m = ‖Λ − G‖_F`, that is `d_e² = 2(3 − tr Λ)`, `d_m² = 2(3 − tr GᵀΛ)`.
//!
//! After Bou-Rabee, Ortolan & Saccon: an elastic rest distance r from the identity and the pull of
//! a magnet at G. Not integrable, so reversible schemes that are not symplectic show their drift.
//! From `d tr(AᵀΛ exp δ̂) = −2 vee(AᵀΛ)·δ` follows `T = −4 (d_e − r)/d_e vee(Λ) − 2k/d_m³ vee(GᵀΛ)`.

use super::torque::Torque;
use crate::math::{Mat3, Vec3, so3};

/// The double well.
#[derive(Debug, Clone, PartialEq)]
pub struct TwoWell {
    rest: f64,
    pull: f64,
    magnet: Mat3,
}

impl TwoWell {
    /// Rest distance r, pull k (J), attitude G of the magnet.
    pub fn new(rest: f64, pull: f64, magnet: Mat3) -> Self {
        Self { rest, pull, magnet }
    }

    /// Rest distance r.
    pub fn rest(&self) -> f64 {
        self.rest
    }
    /// Pull k, J.
    pub fn pull(&self) -> f64 {
        self.pull
    }
    /// Attitude G of the magnet.
    pub fn magnet(&self) -> &Mat3 {
        &self.magnet
    }

    /// `(d_e, d_m)`.
    fn distances(&self, att: &Mat3) -> (f64, f64) {
        // The norm of the difference keeps its digits where 3 − tr loses them.
        ((att - Mat3::identity()).norm(), (att - self.magnet).norm())
    }
}

impl Torque for TwoWell {
    fn body(&self, _: f64, att: &Mat3) -> Vec3 {
        let (de, dm) = self.distances(att);
        let elastic = so3::vee(att) * (-4.0 * (de - self.rest) / de);
        let magnetic = so3::vee(&self.magnet.tr_mul(att)) * (-2.0 * self.pull / (dm * dm * dm));
        elastic + magnetic
    }

    fn space(&self, t: f64, att: &Mat3) -> Vec3 {
        att * self.body(t, att)
    }

    fn potential(&self, att: &Mat3) -> f64 {
        let (de, dm) = self.distances(att);
        (de - self.rest) * (de - self.rest) - self.pull / dm
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn torque_is_minus_the_gradient() {
        let magnet = so3::exp(&(Vec3::new(1.0, 0.0, 1.0) * (2.5 / 2.0_f64.sqrt())));
        let well = TwoWell::new(1.0, 0.3, magnet);
        for v in [[0.0, 0.7227, 0.0], [0.3, -0.2, 1.5], [1.4, 0.3, 1.2]] {
            let att = so3::exp(&Vec3::from(v));
            let e = 1e-6;
            for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
                let at = |s: f64| well.potential(&(att * so3::exp(&(axis * (s * e)))));
                let slope = (at(1.0) - at(-1.0)) / (2.0 * e);
                assert!((slope + well.body(0.0, &att).dot(&axis)).abs() < 1e-9);
            }
        }
    }

    /// Validation problem brs_two_well: E0 = 0.67025.
    #[test]
    fn energy_of_the_published_start() {
        let magnet = so3::exp(&(Vec3::new(1.0, 0.0, 1.0) * (2.5 / 2.0_f64.sqrt())));
        let v = TwoWell::new(1.0, 0.3, magnet).potential(&so3::exp(&Vec3::new(0.0, 0.7227, 0.0)));
        let kinetic = 0.5 * 4.0 * 0.625 * 0.625;
        assert!((kinetic + v - 0.67025).abs() < 5e-6, "{}", kinetic + v);
    }
}
