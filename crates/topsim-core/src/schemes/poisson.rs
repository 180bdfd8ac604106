//! Poisson integrators of symmetric bodies: kicks and drifts of a [`Split`] problem in the
//! compositions of `compositions.rs`.
//!
//! Kick τ: `p −= τ ∇_r U`, `l += τ ∇_a U × a`. Drift τ: `r += τ p/m`, `a ← R(τ l/Θ1) a`. Each is
//! the exact flow of one part of H, so every composition is a Poisson map: it keeps the Casimirs
//! a·a and l·a and the momenta of the symmetries of U to rounding. With friction its flow stands
//! at both ends of a step, `D_{h/2} ∘ Φ ∘ D_{h/2}`, which is then of order 2 at most.
//!
//! Letters of the source: Φ_h = `poisson_first`, Φ*_h = `poisson_adjoint`, Φ̃_h = `poisson_strang`.
//! Source: Dullin 2004 (`dullin2004`), sections 2 and 3. Assumptions: symmetric bodies, and a
//! potential of their positions and axes.

use super::compositions::{
    BM4, BM6, Composition, DRIFT_KICK, KAHAN_LI6, KICK_DRIFT, MCLACHLAN4, SRKN14A, STRANG,
    SUZUKI_UMENO8, SUZUKI4, YOSHIDA4, YOSHIDA6,
};
use super::description::{Described, scheme};
use super::scheme::{Effort, Scheme, StepFail, StepResult};
use crate::models::Split;

/// A scheme that is a composition of kicks and drifts. The compiler knows the composition and unrolls it.
pub trait Splitting: Described + Send + Sync {
    /// Lengths of the kicks and drifts.
    const COMPOSITION: Composition;
}

impl<P: Split, S: Splitting> Scheme<P> for S {
    /// Force at the state, for the first kick of the next step.
    type Memory = P::Force;

    fn start(&self, p: &P, _: f64, _: f64, y: &mut P::State) -> Result<P::Force, StepFail> {
        let mut force = p.empty_force();
        p.force(y, &mut force);
        Ok(force)
    }

    #[inline]
    fn step(&self, p: &P, _: f64, h: f64, y: &mut P::State, force: &mut P::Force) -> StepResult {
        let Composition { kicks, drifts, .. } = S::COMPOSITION;
        let damped = p.is_damped();
        if damped {
            p.damp(0.5 * h, y);
        }
        p.kick(kicks[0] * h, force, y);
        for (i, b) in drifts.iter().enumerate() {
            p.drift(b * h, y);
            if S::COMPOSITION.needs_force(i + 1) {
                p.force(y, force);
                p.kick(kicks[i + 1] * h, force, y);
            }
        }
        if damped {
            p.damp(0.5 * h, y);
        }
        Ok(Effort::new(S::COMPOSITION.evaluations(), 0))
    }
}

macro_rules! poisson {
    ($($scheme:ident, $name:literal, $composition:ident, $cite:expr, $title:literal, $formula:literal;)*) => {
        /// The compositions of these schemes by their names.
        pub const POISSON: &[(&str, Composition)] = &[$(($name, $composition)),*];
        $(
        scheme! {
            #[doc = $title]
            $scheme {
                name: $name,
                title: $title,
                formula: $formula,
                coefficients: Coefficients::Composition(&$composition),
                citations: &$cite,
                assumptions: Some("symmetric bodies, U(r, a); also a symmetric top, free or under gravity"),
                claims: Claims { order: $composition.order, reversible: $composition.order > 1, symplectic: true,
                    energy: Energy::Exact, momentum: Momentum::Exact,
                    torque_evaluations: Evaluations::Exactly($composition.evaluations()) },
            }
        }

        impl Splitting for $scheme {
            const COMPOSITION: Composition = $composition;
        }
        )*
    };
}

poisson! {
    PoissonFirst, "poisson_first", KICK_DRIFT, ["dullin2004"],
        "Poisson integrator, kick then drift", "Φ_h = drift(h) ∘ kick(h)";
    PoissonAdjoint, "poisson_adjoint", DRIFT_KICK, ["dullin2004"],
        "Poisson integrator, drift then kick", "Φ*_h = kick(h) ∘ drift(h)";
    PoissonStrang, "poisson_strang", STRANG, ["dullin2004", "strang1968"],
        "Poisson integrator, kick – drift – kick", "Φ*_{h/2} ∘ Φ_{h/2} = kick(h/2) drift(h) kick(h/2)";
    PoissonYoshida4, "poisson_yoshida4", YOSHIDA4, ["dullin2004", "yoshida1990"],
        "Poisson integrator, Yoshida's composition of order 4", "three Strang steps of w, 1 − 2w, w";
    PoissonSuzuki4, "poisson_suzuki4", SUZUKI4, ["dullin2004", "suzuki1990"],
        "Poisson integrator, Suzuki's composition of order 4", "five Strang steps of p, p, 1 − 4p, p, p";
    PoissonMcLachlan4, "poisson_mclachlan4", MCLACHLAN4, ["dullin2004", "mclachlan1995"],
        "Poisson integrator, McLachlan's composition of order 4", "five Strang steps as kicks a between drifts b";
    PoissonBm4, "poisson_bm4", BM4, ["dullin2004", "blanes2002"],
        "Poisson integrator, Blanes & Moan's S6 of order 4", "seven kicks a between six drifts b";
    PoissonYoshida6, "poisson_yoshida6", YOSHIDA6, ["dullin2004", "yoshida1990"],
        "Poisson integrator, Yoshida's composition A of order 6", "seven Strang steps as kicks a between drifts b";
    PoissonKahanLi6, "poisson_kahan_li6", KAHAN_LI6, ["dullin2004", "kahan1997"],
        "Poisson integrator, Kahan & Li's composition of order 6", "nine Strang steps as kicks a between drifts b";
    PoissonBm6, "poisson_bm6", BM6, ["dullin2004", "blanes2002"],
        "Poisson integrator, Blanes & Moan's S10 of order 6", "eleven kicks a between ten drifts b";
    PoissonSrkn14a, "poisson_srkn14a", SRKN14A, ["dullin2004", "blanes2002"],
        "Poisson integrator, Blanes & Moan's Nyström composition SRKN14a of order 6", "fourteen kicks a between fifteen drifts b";
    PoissonSuzukiUmeno8, "poisson_suzuki_umeno8", SUZUKI_UMENO8, ["dullin2004", "suzuki1993"],
        "Poisson integrator, Suzuki & Umeno's composition of order 8", "fifteen Strang steps as kicks a between drifts b";
}

#[cfg(test)]
pub(crate) mod tests;
