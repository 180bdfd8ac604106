//! Elementary functions of the `libm` crate, which give the same bits on every platform and thread count.
//! `sqrt` is exactly rounded everywhere and needs no library.

macro_rules! through_libm {
    ($($(#[$doc:meta])* $name:ident($($x:ident),+) -> $out:ty = $function:ident;)*) => {$(
        $(#[$doc])*
        pub fn $name($($x: f64),+) -> $out {
            libm::$function($($x),+)
        }
    )*};
}

through_libm! {
    /// Sine of an angle in radians.
    sin(x) -> f64 = sin;
    /// Cosine of an angle in radians.
    cos(x) -> f64 = cos;
    /// Sine and cosine of an angle in radians.
    sincos(x) -> (f64, f64) = sincos;
    /// Angle of the point `(x, y)` in radians, in (−π, π].
    atan2(y, x) -> f64 = atan2;
    /// Arc tangent in radians.
    atan(x) -> f64 = atan;
    /// Arc cosine in radians.
    acos(x) -> f64 = acos;
    /// Hyperbolic tangent.
    tanh(x) -> f64 = tanh;
    /// Hyperbolic cosine.
    cosh(x) -> f64 = cosh;
    /// `√(x² + y²)` without overflow.
    hypot(x, y) -> f64 = hypot;
    /// Natural logarithm.
    ln(x) -> f64 = log;
    /// Base-10 logarithm.
    log10(x) -> f64 = log10;
    /// `x` to the power `y`.
    powf(x, y) -> f64 = pow;
    /// Exponential.
    exp(x) -> f64 = exp;
    /// The function `exp(x) − 1`, accurate for small x.
    exp_m1(x) -> f64 = expm1;
    /// The function `ln(1 + x)`, accurate for small x.
    ln_1p(x) -> f64 = log1p;
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::{E, FRAC_PI_2, FRAC_PI_3, FRAC_PI_4, LN_2, PI};

    /// Each value agrees with its closed form to the last bit or two.
    #[test]
    fn functions_have_their_known_values() {
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
