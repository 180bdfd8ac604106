//! The coefficients of generalized-α as functions of ρ and h.

/// Coefficients of one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Coefficients {
    pub alpha_m: f64,
    pub alpha_f: f64,
    pub gamma: f64,
    pub beta: f64,
    /// β' = (1−α_m)/(h²β(1−α_f)): how v̇ follows an increment, 1/s².
    pub beta_h: f64,
    /// γ' = γ/(hβ): how v follows an increment, 1/s.
    pub gamma_h: f64,
}

impl Coefficients {
    pub(super) fn new(rho: f64, h: f64) -> Self {
        let alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
        let alpha_f = rho / (rho + 1.0);
        let gamma = 0.5 + alpha_f - alpha_m;
        let beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
        Self {
            alpha_m,
            alpha_f,
            gamma,
            beta,
            beta_h: (1.0 - alpha_m) / (h * h * beta * (1.0 - alpha_f)),
            gamma_h: gamma / (h * beta),
        }
    }
    /// Returns C_q: `Δq` is short of the exact increment by `C_q h² v̈`, brackets apart.
    pub(super) fn position_defect(&self) -> f64 {
        (1.0 - 6.0 * self.beta - 3.0 * (self.alpha_m - self.alpha_f)) / 6.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formulas of `bruls2012` with ρ = 0.9 give 8/19, 9/19, 21/38, 100/361, and β' h² = 3.97.
    #[test]
    fn published_coefficients() {
        let k = Coefficients::new(0.9, 0.5);
        let found = [k.alpha_m, k.alpha_f, k.gamma, k.beta];
        let exact = [8.0 / 19.0, 9.0 / 19.0, 21.0 / 38.0, 100.0 / 361.0];
        for (a, b) in found.iter().zip(exact) {
            assert!((a - b).abs() < 1e-15);
        }
        assert!((k.beta_h * 0.25 - 3.971).abs() < 1e-12);
    }
}
