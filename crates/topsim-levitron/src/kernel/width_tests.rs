//! Every width gives the bits of the scalar kernel.

use super::tests::{Z_S, disk, problem, run};
use super::*;
use proptest::prelude::*;
use topsim_core::models::levitron::{FieldModel, VerticalGradient};
use topsim_core::schemes::compositions::{BM4, BM6, DRIFT_KICK, KICK_DRIFT, SRKN14A, STRANG};

/// Tests that the test below can fail: the same step with two roundings instead of one gives other bits.
#[test]
fn two_roundings_give_other_bits() {
    #[derive(Clone, Copy)]
    struct Unfused(f64);
    macro_rules! op {
        ($($t:ident $m:ident)*) => {$(impl core::ops::$t for Unfused {
            type Output = Self;
            fn $m(self, o: Self) -> Self {
                Self(core::ops::$t::$m(self.0, o.0))
            }
        })*};
    }
    op!(Add add Sub sub Mul mul Div div);
    impl core::ops::Neg for Unfused {
        type Output = Self;
        fn neg(self) -> Self {
            Self(-self.0)
        }
    }
    impl topsim_core::math::lanes::Lanes for Unfused {
        const LANES: usize = 1;
        fn splat(self, x: f64) -> Self {
            Self(x)
        }
        fn mul_add(self, b: Self, c: Self) -> Self {
            Self(self.0 * b.0 + c.0)
        }
        fn neg_mul_add(self, b: Self, c: Self) -> Self {
            Self(c.0 - self.0 * b.0)
        }
        fn sqrt(self) -> Self {
            Self(self.0.sqrt())
        }
        fn above(self, bound: Self) -> u64 {
            u64::from(!(self.0 <= bound.0))
        }
        fn lane(self, _: usize) -> f64 {
            self.0
        }
        fn with_lane(self, _: usize, x: f64) -> Self {
            Self(x)
        }
    }
    struct Both(plan::EscapeConstants);
    impl topsim_core::models::levitron::FieldVisitor for Both {
        type Out = bool;
        fn visit<F: topsim_core::models::levitron::AxialField>(self, field: &F) -> bool {
            let fused = step::begin([0.003, 0.001, 0.03], &self.0, field);
            let mut y = step::TopLanes::splat(Unfused(0.0), &fused);
            let mut x = fused;
            for _ in 0..10 {
                step::advance::<_, _, true>(&mut y, &self.0, field);
                step::turn_over::<_, _, true>(&mut y, &self.0, field);
                step::advance::<_, _, true>(&mut x, &self.0, field);
                step::turn_over::<_, _, true>(&mut x, &self.0, field);
            }
            (0..3).any(|i| y.a[i].0.to_bits() != x.a[i].to_bits())
        }
    }
    let p = problem(disk());
    let plan = plan::EscapeConstants::new(&p).unwrap();
    assert!(p.levitron.field().open(Both(plan)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// All widths and all orders of the starts, for random problems: the same escape times as the
    /// scalar kernel, start by start.
    #[test]
    fn every_width_gives_the_same_results(
        starts in proptest::collection::vec((-1.0..1.0, -1.0..1.0, -1.0..1.0), 1..70),
        (kind, order, harmonic) in (0..4, 1_usize..=12, any::<bool>()),
        scheme in 0..6,
        damped in any::<bool>(),
        steps in 1_u32..400,
        spread in 0.002..0.03,
    ) {
        let gradient = if harmonic { VerticalGradient::Harmonic } else { VerticalGradient::Exact };
        let mut p = problem(match kind {
            0 => disk(),
            1 => FieldModel::Disk { order, gradient },
            2 => FieldModel::Ring { order, gradient },
            _ => FieldModel::Exact,
        });
        p.steps = steps;
        (p.scheme, p.h) = match scheme {
            0 => (STRANG, 0.002),
            1 => (KICK_DRIFT, 0.0023),
            2 => (DRIFT_KICK, 0.003),
            3 => (BM4, 0.006),
            4 => (BM6, 0.012),
            _ => (SRKN14A, 0.018),
        };
        if damped {
            p.damping = ReducedDamping { translation: 0.3, spin: 0.2, transverse: 0.7 };
        }
        let starts: Vec<[f64; 3]> = starts
            .iter()
            .map(|(x, y, z)| [spread * x, spread * y, Z_S + spread * z])
            .collect();
        // The starts are computed one by one, so that no lane is refilled.
        let alone: Vec<i32> = starts
            .iter()
            .map(|s| run(&p, core::slice::from_ref(s), Width::Scalar)[0])
            .collect();
        let backwards: Vec<[f64; 3]> = starts.iter().rev().copied().collect();
        for width in Width::available() {
            prop_assert_eq!(&run(&p, &starts, width), &alone, "{}", width);
            let mut reversed = run(&p, &backwards, width);
            reversed.reverse();
            prop_assert_eq!(&reversed, &alone, "{} backwards", width);
        }
    }
}
