//! Arithmetic on several numbers at once, written once for a single `f64` and for vectors.
//!
//! Every operation is exactly rounded by IEEE 754 (sum, difference, product, quotient, root, fused
//! multiply–add), lanes never mix, and nothing is reassociated. A kernel generic over [`Lanes`] therefore gives
//! the same bits on every width, and `f64` is its oracle.

use core::ops::{Add, Div, Mul, Neg, Sub};

/// Bundle of independent double-precision numbers.
pub trait Lanes:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Number of lanes, at most 64.
    const LANES: usize;

    /// Returns a bundle of the type of `self` with `x` in every lane.
    fn splat(self, x: f64) -> Self;

    /// Returns `self · b + c`, rounded once.
    fn mul_add(self, b: Self, c: Self) -> Self;

    /// Returns `c − self · b`, rounded once.
    fn neg_mul_add(self, b: Self, c: Self) -> Self;

    /// Returns the square root of each lane.
    fn sqrt(self) -> Self;

    /// Returns a mask whose bit i is set unless lane i of `self` ≤ lane i of `bound`; a NaN sets its bit.
    fn above(self, bound: Self) -> u64;

    /// Returns the number in lane `i`.
    fn lane(self, i: usize) -> f64;

    /// Returns a copy with lane `i` replaced.
    fn with_lane(self, i: usize, x: f64) -> Self;
}

/// Multiply–add is fused everywhere: by the processor where it can, by the C library's `fma` elsewhere.
impl Lanes for f64 {
    const LANES: usize = 1;

    #[inline(always)]
    fn splat(self, x: f64) -> Self {
        x
    }

    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        f64::mul_add(self, b, c)
    }

    #[inline(always)]
    fn neg_mul_add(self, b: Self, c: Self) -> Self {
        f64::mul_add(-self, b, c)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    #[inline(always)]
    fn above(self, bound: Self) -> u64 {
        u64::from(!(self <= bound))
    }

    #[inline(always)]
    fn lane(self, _: usize) -> f64 {
        self
    }

    #[inline(always)]
    fn with_lane(self, _: usize, x: f64) -> Self {
        x
    }
}

/// Bundle of `K` vectors side by side. Each operation is applied to all of them before the next one, so that
/// the latency of one is hidden behind the others. The loops are plain: a closure passed to the standard
/// library might not be inlined where the vector instructions are allowed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VectorBundle<V, const K: usize>(pub [V; K]);

macro_rules! each {
    ($($trait:ident $method:ident)*) => {$(
        impl<V: Lanes, const K: usize> $trait for VectorBundle<V, K> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let mut out = self.0;
                for k in 0..K {
                    out[k] = $trait::$method(out[k], other.0[k]);
                }
                Self(out)
            }
        }
    )*};
}

each!(Add add Sub sub Mul mul Div div);

impl<V: Lanes, const K: usize> Neg for VectorBundle<V, K> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        let mut out = self.0;
        for o in &mut out {
            *o = -*o;
        }
        Self(out)
    }
}

macro_rules! fused {
    ($($method:ident)*) => {$(
        #[inline(always)]
        fn $method(self, b: Self, c: Self) -> Self {
            let mut out = self.0;
            for k in 0..K {
                out[k] = out[k].$method(b.0[k], c.0[k]);
            }
            Self(out)
        }
    )*};
}

// Iterators are avoided for the reason given at [`VectorBundle`].
#[allow(clippy::needless_range_loop)]
impl<V: Lanes, const K: usize> Lanes for VectorBundle<V, K> {
    const LANES: usize = K * V::LANES;

    #[inline(always)]
    fn splat(self, x: f64) -> Self {
        Self([self.0[0].splat(x); K])
    }

    fused!(mul_add neg_mul_add);

    #[inline(always)]
    fn sqrt(self) -> Self {
        let mut out = self.0;
        for o in &mut out {
            *o = o.sqrt();
        }
        Self(out)
    }

    #[inline(always)]
    fn above(self, bound: Self) -> u64 {
        let mut mask = 0;
        for k in 0..K {
            mask |= self.0[k].above(bound.0[k]) << (k * V::LANES);
        }
        mask
    }

    #[inline(always)]
    fn lane(self, i: usize) -> f64 {
        self.0[i / V::LANES].lane(i % V::LANES)
    }

    #[inline(always)]
    fn with_lane(mut self, i: usize, x: f64) -> Self {
        let v = &mut self.0[i / V::LANES];
        *v = v.with_lane(i % V::LANES, x);
        self
    }
}
