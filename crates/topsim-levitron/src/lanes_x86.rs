//! The vectors of x86 processors behind [`Lanes`]: four numbers with AVX2 and FMA, eight with
//! AVX-512. The tokens of `pulp` prove that the processor has the instructions, so nothing here
//! is unsafe; a kernel runs inside `token.vectorize(…)` and is inlined there as a whole.

use core::arch::x86_64::{__m256d, __m512d, _CMP_NLE_UQ};
use core::ops::{Add, Div, Mul, Neg, Sub};
use pulp::x86::{V3, V4};
use topsim_core::math::lanes::Lanes;

macro_rules! vector {
    ($(#[$doc:meta])* $name:ident, $token:ident, $raw:ident, $lanes:literal, $simd:ident, $has:ident,
     $add:ident $sub:ident $mul:ident $div:ident $fma:ident $fnma:ident $sqrt:ident $splat:ident,
     |$s:ident, $x:ident, $y:ident| $above:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name {
            simd: $token,
            v: $raw,
        }

        impl $name {
            /// Returns `x` in every lane.
            #[inline(always)]
            pub fn new(simd: $token, x: f64) -> Self {
                Self { simd, v: pulp::bytemuck::cast(simd.$splat(x)) }
            }
        }

        vector!(@op $name, Add add $simd $add);
        vector!(@op $name, Sub sub $simd $sub);
        vector!(@op $name, Mul mul $simd $mul);
        vector!(@op $name, Div div $simd $div);

        impl Neg for $name {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                // −0 − x is −x for every x, signed zeros included.
                Self::new(self.simd, -0.0) - self
            }
        }

        impl Lanes for $name {
            const LANES: usize = $lanes;

            #[inline(always)]
            fn splat(self, x: f64) -> Self {
                Self::new(self.simd, x)
            }

            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                Self { v: self.simd.$has.$fma(self.v, b.v, c.v), ..self }
            }

            #[inline(always)]
            fn neg_mul_add(self, b: Self, c: Self) -> Self {
                Self { v: self.simd.$has.$fnma(self.v, b.v, c.v), ..self }
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                Self { v: self.simd.$simd.$sqrt(self.v), ..self }
            }

            #[inline(always)]
            fn above(self, bound: Self) -> u64 {
                let ($s, $x, $y) = (self.simd, self.v, bound.v);
                $above
            }

            #[inline(always)]
            fn lane(self, i: usize) -> f64 {
                pulp::bytemuck::cast::<_, [f64; $lanes]>(self.v)[i]
            }

            #[inline(always)]
            fn with_lane(self, i: usize, x: f64) -> Self {
                let mut lanes: [f64; $lanes] = pulp::bytemuck::cast(self.v);
                lanes[i] = x;
                Self { v: pulp::bytemuck::cast(lanes), ..self }
            }
        }
    };
    (@op $name:ident, $trait:ident $method:ident $simd:ident $raw:ident) => {
        impl $trait for $name {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self { v: self.simd.$simd.$raw(self.v, other.v), ..self }
            }
        }
    };
}

vector!(
    /// Four lanes, AVX2 and FMA.
    F64x4, V3, __m256d, 4, avx, fma,
    _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd
    _mm256_fmadd_pd _mm256_fnmadd_pd _mm256_sqrt_pd splat_f64x4,
    |s, x, y| {
        let mask = s.avx._mm256_cmp_pd::<_CMP_NLE_UQ>(x, y);
        s.avx._mm256_movemask_pd(mask) as u64
    }
);

vector!(
    /// Eight lanes, AVX-512.
    F64x8, V4, __m512d, 8, avx512f, avx512f,
    _mm512_add_pd _mm512_sub_pd _mm512_mul_pd _mm512_div_pd
    _mm512_fmadd_pd _mm512_fnmadd_pd _mm512_sqrt_pd splat_f64x8,
    |s, x, y| u64::from(s.avx512f._mm512_cmp_pd_mask::<_CMP_NLE_UQ>(x, y))
);
