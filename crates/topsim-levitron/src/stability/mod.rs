//! Linear stability of the hovering Levitron: upright, a = e_z, at rest at a height z on the axis,
//! turning about it at the rate σ (`dullin2004`, section 5; `berry1996` for the adiabatic bound).
//!
//! Displacements ξ = x + iy, α = a_x + i a_y. With the potential φ of the field on the axis,
//! B ≈ (φ'' x/2, φ'' y/2, −φ' + φ''' (x² + y²)/4 − …) and L = Θ3 σ, per unit of mass
//! ξ'' = c ξ + b α, κ² α'' = b ξ + d α + i (L/m) α',
//! c = μφ'''/2m, d = μφ'/m, b = μφ''/2m = −g/2, κ² = Θ1/m; and for the height ζ'' = −2c ζ.
//! Solutions e^{iωt} have (ω² + c)(κ²ω² − (L/m) ω + d) = b², which is
//! (mω² + μφ'''/2)(Θ1ω² − Lω + μφ') = (mg/2)². A positive ω turns the same way as a positive σ.
//! Both conjugate eigenvalues ±iω of the real system belong to one root.
//!
//! **Krein sign.** The gyroscopic term does no work, so that
//! 2E = |ξ'|² + κ²|α'|² − c|ξ|² − d|α|² − 2b Re(ξ̄ α) is conserved: the second variation of the energy
//! on the surface of the Casimirs. With M(ω) = ((ω² + c, b), (b, κ²ω² − (L/m) ω + d)) and a mode
//! u = (ξ, α), M u = 0, i.e. u = (−b, ω² + c), the terms without ω² are eliminated by uᵀMu = 0 and
//! 2E = ω uᵀM'(ω)u = ω [2ωb² + (2κ²ω − L/m)(ω² + c)²]. Its sign is the sign of the mode.
//!
//! **Damping.** Rates γ_t of the velocity and γ_r of the angular momentum across the axis
//! (p' ∋ −γ_t p, l' ∋ −γ_r l_⊥, where l_⊥ is iΘ1 α') add −iω diag(γ_t, γ_r κ²) to M. To first order
//! uᵀM'u δω = iω (γ_t b² + γ_r κ² (ω² + c)²): a mode grows if and only if its energy is negative.

mod landmarks;
#[cfg(test)]
mod property_tests;
mod quartic;
mod spins;
#[cfg(test)]
mod table_tests;

use topsim_core::models::levitron::{Levitron, NoEquilibrium};

pub use landmarks::{Landmarks, Tip};
use quartic::Complex;
pub use spins::Spins;

/// Reason why nothing is stable.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Unstable {
    /// Levitron that does not hover.
    #[error(transparent)]
    NoEquilibrium(#[from] NoEquilibrium),
    /// Height at which the field pulls down.
    #[error("nothing hovers at the height {height} m: the field does not lift there")]
    NoLift {
        /// Height, m.
        height: f64,
    },
    /// Height that is unstable along the vertical, whatever the spin.
    #[error(
        "no spin stabilises the height {height} m: along the vertical only heights above {above} m are stable"
    )]
    Vertical {
        /// Height, m.
        height: f64,
        /// Height at which φ''' = 0, m.
        above: f64,
    },
    /// Height that is stable along the vertical, but at no spin across it.
    #[error("no spin stabilises the height {height} m across the axis")]
    Across {
        /// Height, m.
        height: f64,
    },
}

/// First-order growth rates under damping, per unit of the damping rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// Growth per γ_t, the damping of the velocity.
    pub translation: f64,
    /// Growth per γ_r, the damping of the angular momentum across the axis.
    pub transverse: f64,
}

/// Mode of the linearised motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mode {
    /// Frequency, rad/s; its sign is the sense of turning about the vertical, + for the vertical mode.
    pub omega: f64,
    /// Growth rate, 1/s: 0 where the mode is neutral.
    pub growth: f64,
    /// Sign of the energy: 1, −1, or 0 for a mode that grows or decays.
    pub krein: i8,
    /// Growth under damping.
    pub damped: Growth,
}

/// Modes at one spin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Modes {
    /// Modes across the axis, by frequency.
    pub horizontal: [Mode; 4],
    /// Mode along the axis.
    pub vertical: Mode,
    simple: bool,
}

impl Modes {
    /// Returns whether all frequencies are real and those across the axis differ from each other.
    pub fn is_stable(&self) -> bool {
        self.simple && self.vertical.krein > 0
    }
}

/// Upright top at a height on the axis, per unit of its mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hover {
    height: f64,
    /// Height at which φ''' = 0, m.
    peak: f64,
    /// κ² = Θ1/m, m².
    kappa2: f64,
    /// Θ3/m, m².
    axial: f64,
    /// c, 1/s².
    c: f64,
    /// d, m²/s².
    d: f64,
    /// b, m/s².
    b: f64,
}

impl Hover {
    /// Returns the top at the outer equilibrium.
    ///
    /// # Errors
    /// [`NoEquilibrium`].
    pub fn new(levitron: &Levitron) -> Result<Self, NoEquilibrium> {
        let height = levitron.equilibrium()?.outer;
        Ok(Self::with(
            levitron,
            height,
            levitron.moment() / levitron.mass(),
        ))
    }

    /// Returns the top at the height `z` (m), for the moment μ that carries the mass there, or for the mass that μ
    /// carries there with Θ1/m and Θ3/m as they are: the linear motion is the same.
    ///
    /// # Errors
    /// [`Unstable::NoLift`] where either would be negative, [`Unstable::NoEquilibrium`].
    pub fn at(levitron: &Levitron, z: f64) -> Result<Self, Unstable> {
        if levitron.gravity() == 0.0 {
            return Err(NoEquilibrium::NoGravity.into());
        }
        let lifted = z > 0.0 && z.is_finite() && levitron.lift(z) > 0.0;
        if !lifted {
            return Err(Unstable::NoLift { height: z });
        }
        levitron.lift_range()?;
        let d: [f64; 3] = levitron.field().on_axis(z);
        Ok(Self::with(levitron, z, -levitron.gravity() / d[2]))
    }

    /// Returns the top at a height for `moment` = μ/m.
    fn with(levitron: &Levitron, height: f64, moment: f64) -> Self {
        let phi: [f64; 4] = levitron.field().on_axis(height);
        Self {
            height,
            peak: levitron.lift_range().map_or(f64::NAN, |l| l.peak),
            kappa2: levitron.theta1() / levitron.mass(),
            axial: levitron.theta3() / levitron.mass(),
            c: 0.5 * moment * phi[3],
            d: moment * phi[1],
            b: -0.5 * levitron.gravity(),
        }
    }

    /// Returns the height, m.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// Returns the modes at the rate `spin`, rad/s.
    pub fn modes(&self, spin: f64) -> Modes {
        let Self {
            kappa2, c, d, b, ..
        } = *self;
        let l = self.axial * spin;
        let p = [c * d - b * b, -c * l, d + c * kappa2, -l, kappa2];
        let mut horizontal = quartic::roots(&p).map(|w| self.mode(w, l));
        horizontal.sort_by(|x, y| {
            let by_growth = x.growth.total_cmp(&y.growth);
            x.omega.total_cmp(&y.omega).then(by_growth)
        });
        let oscillates = c > 0.0;
        Modes {
            horizontal,
            vertical: Mode {
                omega: if oscillates { (2.0 * c).sqrt() } else { 0.0 },
                growth: if oscillates { 0.0 } else { (-2.0 * c).sqrt() },
                krein: i8::from(oscillates),
                damped: Growth {
                    translation: -0.5,
                    transverse: 0.0,
                },
            },
            simple: quartic::real_roots(&p) == 4,
        }
    }

    /// Returns the mode of a root, `l` = L/m.
    fn mode(&self, w: Complex, l: f64) -> Mode {
        let Self { kappa2, c, b, .. } = *self;
        let alpha = w * w + c;
        let xi2 = Complex::new(b * b, 0.0);
        let alpha2 = alpha * alpha;
        // uᵀM'u.
        let slope = w * 2.0 * xi2 + (w * 2.0 * kappa2 - l) * alpha2;
        let energy = w.re * slope.re;
        let growth = |share: Complex| (-w * share / slope).re;
        Mode {
            omega: w.re,
            growth: if w.im == 0.0 { 0.0 } else { -w.im },
            krein: match w.im == 0.0 {
                true if energy > 0.0 => 1,
                true if energy < 0.0 => -1,
                _ => 0,
            },
            damped: Growth {
                translation: growth(xi2),
                transverse: growth(alpha2 * kappa2),
            },
        }
    }
}

/// Returns the spins, rad/s, that stabilise the outer equilibrium.
///
/// # Errors
/// [`Unstable`] where there are none.
pub fn stable_spins(levitron: &Levitron) -> Result<Spins, Unstable> {
    Hover::new(levitron)?.stable_spins()
}
