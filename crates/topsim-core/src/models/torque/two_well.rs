//! Double well on SO(3): `V = (d_e − r)² − k/d_m`, with the chordal distances `d_e = ‖Λ − I‖_F`,
//! `d_m = ‖Λ − G‖_F`, that is `d_e² = 2(3 − tr Λ)`, `d_m² = 2(3 − tr GᵀΛ)`.
//!
//! After Bou-Rabee, Ortolan & Saccon: an elastic rest distance r from the identity and the pull of a magnet at
//! G. The motion is not integrable, so that reversible schemes that are not symplectic show their drift. From
//! `d tr(AᵀΛ exp δ̂) = −2 vee(AᵀΛ)·δ` follows `T = −4 (d_e − r)/d_e vee(Λ) − 2k/d_m³ vee(GᵀΛ)`.

use super::{Formula, Torque, TorqueError, TorqueParameters};
use crate::math::{Mat3, Vec3, so3};
use serde::{Deserialize, Serialize, Serializer};

/// Double well: V = (‖Λ − I‖ − rest)² − pull/‖Λ − exp(magnet)‖, Frobenius norms.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TwoWellParameters {
    /// Rest distance from the identity.
    pub rest: f64,
    /// Pull of the magnet, J.
    pub pull: f64,
    /// Rotation vector of the magnet's attitude, rad.
    pub magnet: [f64; 3],
}

impl TorqueParameters for TwoWellParameters {
    type Torque = TwoWell;
    #[cfg(test)]
    const EXAMPLE: &'static str = r#"{"rest": 1.0, "pull": 0.3, "magnet": [1.7, 0.0, 1.7]}"#;
    fn torque(&self) -> Result<TwoWell, TorqueError> {
        let magnet = so3::exp(&self.magnet.into());
        Ok(TwoWell::new(self.rest, self.pull, magnet))
    }
}

/// Torque of the double well.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TwoWell {
    /// Rest distance r from the identity.
    rest: f64,
    /// Pull k of the magnet, J.
    pull: f64,
    /// Attitude G of the magnet, row by row.
    #[serde(serialize_with = "rows")]
    #[cfg_attr(feature = "schema", schemars(with = "[[f64; 3]; 3]"))]
    magnet: Mat3,
}

fn rows<S: Serializer>(matrix: &Mat3, serializer: S) -> Result<S::Ok, S::Error> {
    <[[f64; 3]; 3]>::from(matrix.transpose()).serialize(serializer)
}

impl TwoWell {
    /// Builds the torque from the rest distance r, the pull k (J), and the attitude G of the magnet.
    pub fn new(rest: f64, pull: f64, magnet: Mat3) -> Self {
        Self { rest, pull, magnet }
    }

    /// Returns `(d_e, d_m)`.
    fn distances(&self, att: &Mat3) -> (f64, f64) {
        // The norm of the difference keeps its digits where 3 − tr loses them.
        ((att - Mat3::identity()).norm(), (att - self.magnet).norm())
    }

    /// Factors of vee(Λ) and vee(GᵀΛ).
    fn factors(&self, de: f64, dm: f64) -> [f64; 2] {
        [
            -4.0 * (de - self.rest) / de,
            -2.0 * self.pull / (dm * dm * dm),
        ]
    }
}

impl Formula for TwoWell {
    const FORMULA: &'static str = "d_e = norm(R - I); d_m = norm(R - magnet), Frobenius norms; \
         vee(A) = (A32 - A23, A13 - A31, A21 - A12) / 2; \
         tau_body = -4 (d_e - rest) / d_e * vee(R) - 2 pull / d_m^3 * vee(transpose(magnet) R)";
}

impl Torque for TwoWell {
    fn body(&self, _: f64, att: &Mat3) -> Vec3 {
        let (de, dm) = self.distances(att);
        let [elastic, pull] = self.factors(de, dm);
        let elastic = so3::vee(att) * elastic;
        let magnetic = so3::vee(&self.magnet.tr_mul(att)) * pull;
        elastic + magnetic
    }

    /// Returns `d_e' = 2 vee(Λ)·ω/d_e` and `vee(Λ)' = vee(Λ ω̂)`; the same holds for d_m with GᵀΛ.
    fn derivative(&self, _: f64, att: &Mat3, omega: &Vec3) -> Vec3 {
        let (de, dm) = self.distances(att);
        let from_magnet = self.magnet.tr_mul(att);
        let well = |a: &Mat3, factor: f64, slope: f64, d: f64| {
            let v = so3::vee(a);
            so3::vee(&(a * so3::hat(omega))) * factor + v * (slope * 2.0 * v.dot(omega) / d)
        };
        let [elastic, pull] = self.factors(de, dm);
        let elastic = well(att, elastic, -4.0 * self.rest / (de * de), de);
        elastic + well(&from_magnet, pull, -3.0 * pull / dm, dm)
    }

    fn potential(&self, att: &Mat3) -> f64 {
        let (de, dm) = self.distances(att);
        (de - self.rest) * (de - self.rest) - self.pull / dm
    }

    fn is_conservative(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published start of problem brs_two_well has E0 = 0.67025.
    #[test]
    fn energy_of_the_published_start() {
        let magnet = so3::exp(&(Vec3::new(1.0, 0.0, 1.0) * (2.5 / 2.0_f64.sqrt())));
        let v = TwoWell::new(1.0, 0.3, magnet).potential(&so3::exp(&Vec3::new(0.0, 0.7227, 0.0)));
        let kinetic = 0.5 * 4.0 * 0.625 * 0.625;
        assert!((kinetic + v - 0.67025).abs() < 5e-6, "{}", kinetic + v);
    }
}
