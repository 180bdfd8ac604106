//! The rotor, the bath, and a sample of it.

use topsim_core::math::{Mat3, Vec3, eigen};
use topsim_core::models::Inertia;

/// Rotor in a heat bath, in its principal axes.
#[derive(Debug, Clone, PartialEq)]
pub struct BathRotor {
    /// Inertia in the axes of the file, kg m².
    pub inertia: Inertia,
    /// Principal moments Jᵢ, kg m².
    pub moments: Vec3,
    /// Principal axes as columns, in the axes of the file.
    pub axes: Mat3,
    /// Thermal energy k T, J.
    pub thermal_energy: f64,
    /// Friction Γ: the sum of the rates at which the momenta about the three axes decay, 1/s.
    pub friction: f64,
    /// Dipole in principal axes, and field in space; their product is an energy in J.
    pub coupling: Option<DipoleInField>,
}

/// Dipole of the body in a uniform field of space, with the energy −μ · E.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DipoleInField {
    /// Dipole μ in principal axes.
    pub dipole: Vec3,
    /// Field E in space.
    pub field: Vec3,
}

/// Attitude and momentum of a rotor at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RotorSample {
    /// Attitude: it turns components in principal axes into those in space.
    pub attitude: Mat3,
    /// Angular momentum in principal axes, kg m²/s.
    pub momentum: Vec3,
}

impl BathRotor {
    /// Makes a rotor of a body; dipole and field are given in the axes of the body and in space.
    pub fn new(
        inertia: Inertia,
        thermal_energy: f64,
        friction: f64,
        coupling: Option<DipoleInField>,
    ) -> Self {
        let (moments, axes) = eigen::principal_axes(inertia.tensor());
        let turned = |c: DipoleInField| DipoleInField {
            dipole: axes.tr_mul(&c.dipole),
            ..c
        };
        Self {
            inertia,
            moments,
            axes,
            thermal_energy,
            friction,
            coupling: coupling.map(turned),
        }
    }

    /// Returns the rates Γᵢ = Γ (1/Jᵢ) / Σ 1/Jₖ at which the momenta about the axes decay, 1/s.
    pub fn rates(&self) -> Vec3 {
        let inverse = self.moments.map(|j| 1.0 / j);
        inverse * (self.friction / inverse.sum())
    }

    /// Returns the strength x = |μ| |E| / k T of the field.
    pub fn strength(&self) -> f64 {
        let energy = |c: DipoleInField| c.dipole.norm() * c.field.norm();
        self.coupling.map_or(0.0, energy) / self.thermal_energy
    }

    /// Returns the torque on the rotor in principal axes, N m.
    #[inline(always)]
    pub fn torque(&self, attitude: &Mat3) -> Vec3 {
        let Some(c) = &self.coupling else {
            return Vec3::zeros();
        };
        c.dipole.cross(&attitude.tr_mul(&c.field))
    }

    /// Returns a sample that is given in the axes of the file.
    pub fn sample(&self, attitude: &Mat3, momentum: &Vec3) -> RotorSample {
        RotorSample {
            attitude: attitude * self.axes,
            momentum: self.axes.tr_mul(momentum),
        }
    }
}
