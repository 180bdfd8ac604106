//! Double-double sums and products: the unevaluated sum `hi + lo` of two doubles, about 32 digits.
//!
//! Only what invariants need that vanish on a separatrix. The product is split by Dekker's method,
//! plain operations only, so that the same bits come out with and without a fused multiply-add.

/// A number `hi + lo` with `|lo| ≤ ½ ulp(hi)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DoubleDouble {
    /// Leading part, the number rounded to double.
    pub hi: f64,
    /// Remainder.
    pub lo: f64,
}

/// `a + b` exactly (Knuth): rounded sum and its error.
#[inline]
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// `a b` exactly (Dekker, Veltkamp): rounded product and its error. Needs |a|, |b| below 1e292 and
/// a product above 1e-270.
#[inline]
pub fn two_prod(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    (p, ((ah * bh - p) + ah * bl + al * bh) + al * bl)
}

/// `a` as the sum of two numbers of 26 bits.
#[inline]
fn split(a: f64) -> (f64, f64) {
    let c = 134_217_729.0 * a; // 2^27 + 1
    let hi = c - (c - a);
    (hi, a - hi)
}

impl DoubleDouble {
    /// Zero.
    pub const ZERO: Self = Self { hi: 0.0, lo: 0.0 };

    /// The product of two doubles, exactly.
    pub fn product(a: f64, b: f64) -> Self {
        let (hi, lo) = two_prod(a, b);
        Self { hi, lo }
    }

    /// The difference of two doubles, exactly.
    pub fn difference(a: f64, b: f64) -> Self {
        let (hi, lo) = two_sum(a, -b);
        Self { hi, lo }
    }

    /// Rounded to double.
    pub fn value(self) -> f64 {
        self.hi + self.lo
    }
}

impl From<f64> for DoubleDouble {
    fn from(hi: f64) -> Self {
        Self { hi, lo: 0.0 }
    }
}

impl core::ops::Add for DoubleDouble {
    type Output = Self;

    /// Sum with a relative error below 2⁻¹⁰⁴ even under cancellation (the accurate variant).
    fn add(self, other: Self) -> Self {
        let (s, e) = two_sum(self.hi, other.hi);
        let (t, f) = two_sum(self.lo, other.lo);
        let (s, e) = two_sum(s, e + t);
        let (hi, lo) = two_sum(s, e + f);
        Self { hi, lo }
    }
}

impl core::ops::Sub for DoubleDouble {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + Self {
            hi: -other.hi,
            lo: -other.lo,
        }
    }
}

impl core::ops::Mul for DoubleDouble {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let (p, e) = two_prod(self.hi, other.hi);
        let (hi, lo) = two_sum(p, e + (self.hi * other.lo + self.lo * other.hi));
        Self { hi, lo }
    }
}

/// The power of two next below `|x|` (1 for zero): dividing by it is exact.
pub fn power_of_two_below(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return 1.0;
    }
    libm::scalbn(1.0, libm::ilogb(x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_products_lose_nothing() {
        let (s, e) = two_sum(1.0, 1e-30);
        assert_eq!((s, e), (1.0, 1e-30));
        // (1 + 2^-30)(1 - 2^-30) = 1 - 2^-60
        let d = 2.0_f64.powi(-30);
        let p = DoubleDouble::product(1.0 + d, 1.0 - d);
        assert_eq!((p.hi, p.lo), (1.0, -d * d));
        assert_eq!((p - DoubleDouble::from(1.0)).value(), -d * d);
    }

    #[test]
    fn products_of_pairs_keep_thirty_digits() {
        // (1/3)·3 with 1/3 as a pair: 1 − ε² only.
        let third = DoubleDouble::difference(1.0 / 3.0, -1.850_371_707_708_594e-17);
        let one = third * DoubleDouble::from(3.0) - DoubleDouble::from(1.0);
        assert!(one.value().abs() < 1e-31, "{one:?}");
    }

    #[test]
    fn powers_of_two() {
        assert_eq!(power_of_two_below(5.0), 4.0);
        assert_eq!(power_of_two_below(-0.3), 0.25);
        assert_eq!(power_of_two_below(0.0), 1.0);
    }
}
