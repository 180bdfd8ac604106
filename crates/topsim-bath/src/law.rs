//! The exact law of a rotor in a bath, and the statistics by which samples are held against it.
//!
//! The law is canonical: momenta Lᵢ are independent and Gaussian with the variance Jᵢ k T, and independent of the attitude, whose density on SO(3) is
//! proportional to exp(x cos θ), with the angle θ between dipole and field and x = |μ| |E| / k T. In frames whose third axes are the field and the dipole,
//! the other two Euler angles are uniform, which gives the means and squares of all nine entries of the attitude.

use crate::rotor::{BathRotor, RotorSample};
use serde::Serialize;
use topsim_core::math::{Mat3, Vec3, scalar, so3};

/// A function of a sample with a known mean. Momenta are in units of their standard deviation; axes are counted from 1 and are the principal
/// ones. Entries of the attitude are those between frames whose third axes are the field and the dipole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BathStatistic {
    /// Momentum about an axis.
    Momentum(usize),
    /// Temperature of an axis in units of that of the bath.
    Temperature(usize),
    /// Fourth Hermite polynomial l⁴ − 6 l² + 3 of the momentum about an axis, which tells whether it is Gaussian.
    Fourth(usize),
    /// Product of the momenta about two axes.
    Cross(usize, usize),
    /// Entry of the attitude; (3, 3) is cos θ.
    Attitude(usize, usize),
    /// Square of an entry of the attitude.
    AttitudeSquare(usize, usize),
    /// Product of the momentum about an axis with cos θ less its mean.
    MomentumByAngle(usize),
    /// Product of the temperature of an axis less one with cos θ less its mean.
    HeatByAngle(usize),
    /// Product of the momentum about an axis with the component of dipole × field, both of length one.
    MomentumByTorque(usize),
}

use BathStatistic::{
    Attitude, AttitudeSquare, Cross, Fourth, HeatByAngle, Momentum, MomentumByAngle,
    MomentumByTorque, Temperature,
};

/// Number of statistics.
pub const STATISTICS: usize = 39;

/// Returns all statistics, in the order of [`CanonicalLaw::values`].
pub fn bath_statistics() -> [BathStatistic; STATISTICS] {
    let mut out = [Momentum(1); STATISTICS];
    let axes = [1, 2, 3];
    let entries = axes.iter().flat_map(|i| axes.map(|j| (*i, j)));
    let all = axes.iter().map(|i| Momentum(*i));
    let all = all.chain(axes.iter().map(|i| Temperature(*i)));
    let all = all.chain(axes.iter().map(|i| Fourth(*i)));
    let all = all.chain([Cross(2, 3), Cross(3, 1), Cross(1, 2)]);
    let all = all.chain(entries.clone().map(|(i, j)| Attitude(i, j)));
    let all = all.chain(entries.map(|(i, j)| AttitudeSquare(i, j)));
    let all = all.chain(axes.iter().map(|i| MomentumByAngle(*i)));
    let all = all.chain(axes.iter().map(|i| HeatByAngle(*i)));
    let all = all.chain(axes.iter().map(|i| MomentumByTorque(*i)));
    for (place, statistic) in out.iter_mut().zip(all) {
        *place = statistic;
    }
    out
}

/// The canonical law of a rotor.
#[derive(Debug, Clone)]
pub struct CanonicalLaw {
    /// Reciprocal standard deviations of the momenta.
    scale: Vec3,
    /// Frame of space whose third axis is the field.
    field_frame: Mat3,
    /// Frame of the body whose third axis is the dipole.
    dipole_frame: Mat3,
    /// Mean of cos θ.
    cosine: f64,
    /// Mean of cos² θ.
    square: f64,
}

impl CanonicalLaw {
    /// Returns the law of a rotor.
    pub fn new(rotor: &BathRotor) -> Self {
        let frame = |v: Vec3| so3::frame_with_third(&v.normalize());
        let x = rotor.strength();
        let coupling = rotor.coupling.filter(|_| x > 0.0);
        let ratio = langevin_ratio(x);
        Self {
            scale: rotor
                .moments
                .map(|j| 1.0 / (j * rotor.thermal_energy).sqrt()),
            field_frame: coupling.map_or_else(Mat3::identity, |c| frame(c.field)),
            dipole_frame: coupling.map_or_else(Mat3::identity, |c| frame(c.dipole)),
            cosine: x * ratio,
            square: 1.0 - 2.0 * ratio,
        }
    }

    /// Returns the exact mean of a statistic.
    pub fn exact(&self, statistic: BathStatistic) -> f64 {
        match statistic {
            Temperature(_) => 1.0,
            Attitude(3, 3) => self.cosine,
            AttitudeSquare(3, 3) => self.square,
            AttitudeSquare(3, _) | AttitudeSquare(_, 3) => 0.5 * (1.0 - self.square),
            AttitudeSquare(_, _) => 0.25 * (1.0 + self.square),
            _ => 0.0,
        }
    }

    /// Returns all statistics of a sample.
    #[inline]
    pub fn values(&self, sample: &RotorSample) -> [f64; STATISTICS] {
        let l = sample.momentum.component_mul(&self.scale);
        let seen = sample.attitude * self.dipole_frame;
        let entries = self.field_frame.tr_mul(&seen);
        let field = sample.attitude.tr_mul(&self.field_frame.column(2));
        let torque = self.dipole_frame.column(2).cross(&field);
        let angle = entries[(2, 2)] - self.cosine;
        let mut out = [0.0; STATISTICS];
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let square = l[i] * l[i];
            out[i] = l[i];
            out[3 + i] = square;
            out[6 + i] = square * (square - 6.0) + 3.0;
            out[9 + i] = l[j] * l[k];
            for j in 0..3 {
                let entry = entries[(i, j)];
                out[12 + 3 * i + j] = entry;
                out[21 + 3 * i + j] = entry * entry;
            }
            out[30 + i] = l[i] * angle;
            out[33 + i] = (square - 1.0) * angle;
            out[36 + i] = l[i] * torque[i];
        }
        out
    }
}

/// Returns Langevin's function over its argument, (coth x − 1/x) / x, for x ≥ 0.
fn langevin_ratio(x: f64) -> f64 {
    /// Strength below which the series is used; its next term is below 1e-17 there.
    const SERIES: f64 = 0.03;
    if x < SERIES {
        let y = x * x;
        return 1.0 / 3.0 - y * (1.0 / 45.0 - y * (2.0 / 945.0 - y * (1.0 / 4725.0)));
    }
    (1.0 + 2.0 / scalar::exp_m1(2.0 * x) - 1.0 / x) / x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn langevin_s_function_has_its_known_values() {
        // coth 1 − 1, coth 2 − 1/2, and the limits.
        for (x, exact) in [
            (1.0, 0.313_035_285_499_331_3),
            (2.0, 0.537_314_720_727_547_7),
            (1e-9, 1e-9 / 3.0),
            (700.0, 1.0 - 1.0 / 700.0),
        ] {
            let value = x * langevin_ratio(x);
            assert!((value - exact).abs() < 1e-14 * exact, "{x}");
        }
        let (below, above) = (langevin_ratio(0.03 - 1e-9), langevin_ratio(0.03));
        // The closed form loses three digits to cancellation there.
        assert!((below - above).abs() < 1e-11);
    }
}
