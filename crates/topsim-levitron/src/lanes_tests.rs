//! Each vector against plain numbers, lane by lane.

use topsim_core::math::lanes::*;

fn numbers(n: usize) -> Vec<f64> {
    // Signs, zeros, huge and tiny ones, a NaN, and numbers whose product needs the fused rounding.
    let some = [
        1.0 + f64::EPSILON,
        -1.0 + f64::EPSILON,
        0.0,
        -0.0,
        1e300,
        -3e-308,
        f64::NAN,
        f64::INFINITY,
        0.1,
        -7.25,
        1.0 / 3.0,
    ];
    (0..n)
        .map(|i| some[(i * 7 + i / 11) % some.len()])
        .collect()
}

fn fill<V: Lanes>(like: V, x: &[f64]) -> V {
    x.iter()
        .enumerate()
        .fold(like, |v, (i, &x)| v.with_lane(i, x))
}

#[inline(always)]
fn agrees<V: Lanes>(like: V) {
    let n = V::LANES;
    let list = numbers(3 * 44);
    for k in 0..list.len() - 3 * n {
        let (a, b, c) = (&list[k..k + n], &list[k + n..k + 2 * n], &list[k + 2 * n..]);
        let (va, vb, vc) = (fill(like, a), fill(like, b), fill(like, c[..n].as_ref()));
        let mask = va.above(vb);
        for i in 0..n {
            let (x, y, z) = (a[i], b[i], c[i]);
            for (got, expected) in [
                (va + vb, x + y),
                (va - vb, x - y),
                (va * vb, x * y),
                (va / vb, x / y),
                (-va, -x),
                (va.mul_add(vb, vc), x.mul_add(y, z)),
                (va.neg_mul_add(vb, vc), (-x).mul_add(y, z)),
                (Lanes::sqrt(va), x.sqrt()),
                (va.splat(0.3), 0.3),
            ] {
                let got = got.lane(i);
                assert!(
                    got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan(),
                    "{got} {expected} of {x} {y} {z}"
                );
            }
            assert_eq!(mask >> i & 1 == 1, !(x <= y), "{x} {y}");
        }
    }
}

#[test]
fn every_lane_is_a_number_of_its_own() {
    agrees(0.0);
    agrees(VectorBundle([0.0; 3]));
    #[cfg(target_arch = "x86_64")]
    {
        use crate::lanes_x86::{F64x4, F64x8};
        if let Some(simd) = pulp::x86::V3::try_new() {
            simd.vectorize(
                #[inline(always)]
                || agrees(F64x4::new(simd, 0.0)),
            );
            simd.vectorize(
                #[inline(always)]
                || agrees(VectorBundle([F64x4::new(simd, 0.0); 2])),
            );
        }
        if let Some(simd) = pulp::x86::V4::try_new() {
            simd.vectorize(
                #[inline(always)]
                || agrees(F64x8::new(simd, 0.0)),
            );
        }
    }
}

/// The fused operation is told from two roundings.
#[test]
fn multiply_add_rounds_once() {
    // The square ends in 2⁻⁶⁰, which a product of its own would lose.
    let x = 1.0 + 0.5_f64.powi(30);
    assert_ne!(Lanes::mul_add(x, x, -1.0), x * x - 1.0);
}
