//! Double-double sums and products: the unevaluated sum `hi + lo` of two doubles, about 32 digits.
//!
//! They serve invariants that vanish on a separatrix, and references. The product is split by Dekker's method
//! with plain operations only, so that the result has the same bits with and without a fused multiply-add.

use super::Vec3;

/// Number `hi + lo` with `|lo| ≤ ½ ulp(hi)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DoubleDouble {
    /// Leading part, the number rounded to double.
    pub hi: f64,
    /// Remainder.
    pub lo: f64,
}

/// Returns the rounded sum `a + b` and its error, exactly (Knuth).
#[inline]
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// Returns the rounded sum of vectors and its error.
#[inline(always)]
pub(crate) fn two_sum_of(a: &Vec3, b: &Vec3) -> (Vec3, Vec3) {
    let sum = a + b;
    let kept = sum - a;
    (sum, (a - (sum - kept)) + (b - kept))
}

/// Returns the rounded sum and its error, exactly, for `|a| ≥ |b|` (Dekker).
#[inline]
pub fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    (s, b - (s - a))
}

/// Returns the rounded product `a b` and its error, exactly (Dekker, Veltkamp). Requires |a|, |b| below 1e292
/// and a product above 1e-270.
#[inline]
pub fn two_prod(a: f64, b: f64) -> (f64, f64) {
    two_prod_split(a, b, split(a), split(b))
}

/// Returns the same as [`two_prod`] for factors that are already split.
#[inline(always)]
pub fn two_prod_split(a: f64, b: f64, (ah, al): (f64, f64), (bh, bl): (f64, f64)) -> (f64, f64) {
    let p = a * b;
    (p, ((ah * bh - p) + ah * bl + al * bh) + al * bl)
}

/// Splits `a` into the sum of two numbers of 26 bits.
#[inline]
pub fn split(a: f64) -> (f64, f64) {
    let c = 134_217_729.0 * a; // 2^27 + 1
    let hi = c - (c - a);
    (hi, a - hi)
}

impl DoubleDouble {
    pub const ZERO: Self = Self { hi: 0.0, lo: 0.0 };
    pub const ONE: Self = Self { hi: 1.0, lo: 0.0 };
    /// The number 2π.
    pub const TAU: Self = Self {
        hi: core::f64::consts::TAU,
        lo: 2.449_293_598_294_706_4e-16,
    };

    /// Returns the exact product of two doubles.
    pub fn product(a: f64, b: f64) -> Self {
        let (hi, lo) = two_prod(a, b);
        Self { hi, lo }
    }

    /// Returns the exact difference of two doubles.
    pub fn difference(a: f64, b: f64) -> Self {
        let (hi, lo) = two_sum(a, -b);
        Self { hi, lo }
    }

    /// Returns the square root of a positive number.
    pub fn sqrt(self) -> Self {
        let root = self.hi.sqrt();
        let rest = (self - Self::product(root, root)).value() / (2.0 * root);
        let (hi, lo) = fast_two_sum(root, rest);
        Self { hi, lo }
    }

    /// Returns the product with a power of two, which is exact.
    pub fn scaled(self, power: f64) -> Self {
        Self {
            hi: self.hi * power,
            lo: self.lo * power,
        }
    }

    /// Returns the number rounded to double.
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

    /// Returns the sum by the accurate variant, with a relative error below 2⁻¹⁰⁴ even under cancellation.
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
        self + -other
    }
}

impl core::ops::Neg for DoubleDouble {
    type Output = Self;

    fn neg(self) -> Self {
        self.scaled(-1.0)
    }
}

impl core::ops::Div for DoubleDouble {
    type Output = Self;

    /// Divides by long division with three digits of 53 bits, the last of which is a correction.
    fn div(self, other: Self) -> Self {
        let first = self.hi / other.hi;
        let rest = self - other * Self::from(first);
        let second = rest.hi / other.hi;
        let rest = rest - other * Self::from(second);
        let (hi, lo) = fast_two_sum(first, second);
        Self { hi, lo } + Self::from(rest.hi / other.hi)
    }
}

impl core::iter::Sum for DoubleDouble {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::ZERO, |sum, term| sum + term)
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

/// Returns the power of two next below `|x|` (1 for zero), by which division is exact; its inverse, too, is finite.
pub fn power_of_two_below(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return 1.0;
    }
    libm::scalbn(1.0, libm::ilogb(x).max(f64::MIN_EXP - 1))
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
        // With 1/3 as a pair, (1/3)·3 is 1 − ε².
        let third = DoubleDouble::difference(1.0 / 3.0, -1.850_371_707_708_594e-17);
        let one = third * DoubleDouble::from(3.0) - DoubleDouble::from(1.0);
        assert!(one.value().abs() < 1e-31, "{one:?}");
    }

    #[test]
    fn quotients_and_roots_keep_thirty_digits() {
        let (a, b) = (DoubleDouble::TAU, DoubleDouble::difference(3.0, 1e-20));
        assert!(((a / b) * b - a).value().abs() < 1e-31);
        assert!((b.sqrt() * b.sqrt() - b).value().abs() < 1e-31);
    }

    /// The product has the bits of a fused multiply-add, with and without the instruction.
    #[test]
    fn the_error_of_a_product_is_that_of_a_fused_multiply_add() {
        let mut x = 0.123_456_789_012_345_67_f64;
        for k in 0..10_000 {
            let y = (x * 1e3).fract() - 0.5;
            let (a, b) = (x * libm::exp2(f64::from(k % 200 - 100)), y);
            assert_eq!(two_prod(a, b).1.to_bits(), a.mul_add(b, -(a * b)).to_bits());
            x = (x * 997.0 + 0.1).fract();
        }
    }

    #[test]
    fn powers_of_two() {
        assert_eq!(power_of_two_below(5.0), 4.0);
        assert_eq!(power_of_two_below(-0.3), 0.25);
        assert_eq!(power_of_two_below(0.0), 1.0);
        assert_eq!(power_of_two_below(1e-320), f64::MIN_POSITIVE);
    }
}
