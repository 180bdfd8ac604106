//! Elementary functions through one door: the `libm` crate, so that the same bits come out on
//! every platform and thread count. `sqrt` is exactly rounded everywhere and needs no library.

/// Sine of an angle in radians.
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// Cosine of an angle in radians.
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// Sine and cosine of an angle in radians.
pub fn sincos(x: f64) -> (f64, f64) {
    libm::sincos(x)
}

/// Angle of the point `(x, y)` in radians, in (−π, π].
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// Arc tangent in radians.
pub fn atan(x: f64) -> f64 {
    libm::atan(x)
}

/// Arc cosine in radians.
pub fn acos(x: f64) -> f64 {
    libm::acos(x)
}

/// Hyperbolic tangent.
pub fn tanh(x: f64) -> f64 {
    libm::tanh(x)
}

/// Hyperbolic cosine.
pub fn cosh(x: f64) -> f64 {
    libm::cosh(x)
}

/// `√(x² + y²)` without overflow.
pub fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}

/// Natural logarithm.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// Base-10 logarithm.
pub fn log10(x: f64) -> f64 {
    libm::log10(x)
}

/// `x` to the power `y`.
pub fn powf(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// Exponential.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::{E, FRAC_PI_2, FRAC_PI_3, FRAC_PI_4, LN_2, PI};

    /// Closed forms, to the last bit or two.
    #[test]
    fn functions_are_what_they_are_called() {
        let third = sincos(FRAC_PI_3);
        for (value, exact) in [
            (sin(FRAC_PI_2), 1.0),
            (cos(PI), -1.0),
            (third.0, 0.75_f64.sqrt()),
            (third.1, 0.5),
            (atan2(1.0, -1.0), 3.0 * FRAC_PI_4),
            (atan(1.0), FRAC_PI_4),
            (acos(0.5), FRAC_PI_3),
            (tanh(LN_2), 0.6),
            (cosh(LN_2), 1.25),
            (hypot(3e200, 4e200), 5e200),
            (ln(E), 1.0),
            (log10(1e-5), -5.0),
            (powf(2.0, 0.5), 2.0_f64.sqrt()),
            (exp(1.0), E),
        ] {
            assert!((value / exact - 1.0).abs() < 5e-16, "{value} {exact}");
        }
    }
}
