//! Compositions of two exact flows, kicks A (coefficients a) and drifts B (coefficients b), as
//! data: `A(a₁h) B(b₁h) A(a₂h) … B(b_s h) A(a_{s+1} h)`.
//!
//! Sources: Strang 1968 (`strang1968`), Suzuki 1990 (`suzuki1990`), Yoshida 1990 (`yoshida1990`),
//! McLachlan 1995 (`mclachlan1995`), Kahan & Li 1997 (`kahan1997`), Suzuki & Umeno 1993
//! (`suzuki1993`), Blanes & Moan 2002 (`blanes2002`): its S6 of order 4 and S10 of order 6, and its Nyström sets. Tests
//! check the order conditions instead of trusting the digits.

/// Composition of kicks and drifts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Composition {
    /// Name.
    pub name: &'static str,
    /// Order for any two flows.
    pub order: u8,
    /// Lengths a of the kicks, as fractions of the step; one more than the drifts.
    pub kicks: &'static [f64],
    /// Lengths b of the drifts, as fractions of the step.
    pub drifts: &'static [f64],
}

impl Composition {
    /// Returns true if kick `i` needs a torque at its place. The first kick of a step takes that of the last kick
    /// before it.
    #[inline(always)]
    pub const fn needs_force(&self, i: usize) -> bool {
        self.kicks[i] != 0.0 || (i + 1 == self.kicks.len() && self.kicks[0] != 0.0)
    }

    /// Returns the number of torque evaluations in a step.
    pub const fn evaluations(&self) -> u32 {
        let (mut n, mut i) = (0, 1);
        while i < self.kicks.len() {
            n += self.needs_force(i) as u32;
            i += 1;
        }
        n
    }
}

/// Kick, then drift: the Φ_h of Dullin 2004.
pub const KICK_DRIFT: Composition = Composition {
    name: "first",
    order: 1,
    kicks: &[1.0, 0.0],
    drifts: &[1.0],
};

/// Drift, then kick: its adjoint Φ*_h.
pub const DRIFT_KICK: Composition = Composition {
    name: "adjoint",
    order: 1,
    kicks: &[0.0, 1.0],
    drifts: &[1.0],
};

/// Kick – drift – kick.
pub const STRANG: Composition = Composition {
    name: "strang",
    order: 2,
    kicks: &[0.5, 0.5],
    drifts: &[1.0],
};

/// Five Strang steps of p, p, 1 − 4p, p, p with `p = 1/(4 − 4^⅓)`.
pub const SUZUKI4: Composition = {
    const P: f64 = 0.414_490_771_794_375_74;
    const Q: f64 = 1.0 - 4.0 * P;
    const M: f64 = 0.5 * (P + Q);
    Composition {
        name: "suzuki4",
        order: 4,
        kicks: &[0.5 * P, P, M, M, P, 0.5 * P],
        drifts: &[P, P, Q, P, P],
    }
};

/// A symmetric composition of Strang steps, from the lengths of its first half; the middle one is
/// what is left of 1.
macro_rules! of_strang_steps {
    ($(#[$doc:meta])* $item:ident, $name:literal, $order:literal, $steps:literal, $half:expr) => {
        $(#[$doc])*
        pub const $item: Composition = {
            const STEPS: [f64; $steps] = {
                let half = $half;
                let mut all = [0.0; $steps];
                let mut middle = 1.0;
                let mut i = 0;
                while i < $steps / 2 {
                    all[i] = half[i];
                    all[$steps - 1 - i] = half[i];
                    middle -= 2.0 * half[i];
                    i += 1;
                }
                all[$steps / 2] = middle;
                all
            };
            const KICKS: [f64; $steps + 1] = {
                let mut kicks = [0.0; $steps + 1];
                let mut i = 0;
                while i < $steps {
                    kicks[i] += 0.5 * STEPS[i];
                    kicks[i + 1] += 0.5 * STEPS[i];
                    i += 1;
                }
                // The sums have the same two terms from both ends, hence the same bits.
                kicks
            };
            Composition {
                name: $name,
                order: $order,
                kicks: &KICKS,
                drifts: &STEPS,
            }
        };
    };
}

of_strang_steps!(
    /// Yoshida's three steps of order 4, `w = 1/(2 − 2^⅓)`.
    YOSHIDA4, "yoshida4", 4, 3, [1.351_207_191_959_657_8]
);

of_strang_steps!(
    /// McLachlan's five steps of order 4.
    MCLACHLAN4, "mclachlan4", 4, 5, [0.28, 0.625_466_428_467_670_045_01]
);

of_strang_steps!(
    /// Yoshida's seven steps of order 6, solution A.
    YOSHIDA6, "yoshida6", 6, 7,
    [0.784_513_610_477_560, 0.235_573_213_359_357, -1.177_679_984_178_87]
);

of_strang_steps!(
    /// Kahan & Li's nine steps of order 6.
    KAHAN_LI6, "kahan_li6", 6, 9,
    [
        0.392_161_444_007_314_139_28,
        0.332_599_136_789_359_438_60,
        -0.706_246_172_557_639_359_81,
        0.082_213_596_293_550_800_23,
    ]
);

of_strang_steps!(
    /// Suzuki & Umeno's fifteen steps of order 8.
    SUZUKI_UMENO8, "suzuki_umeno8", 8, 15,
    [
        0.741_670_364_350_612_953_448_23,
        -0.409_100_825_800_031_593_997_30,
        0.190_754_710_296_238_379_953_88,
        -0.573_862_471_116_082_266_656_39,
        0.299_064_181_303_655_923_844_46,
        0.334_624_918_245_298_183_784_96,
        0.315_293_092_396_766_596_632_06,
    ]
);

/// Blanes & Moan S6, order 4 in six drifts.
pub const BM4: Composition = {
    const A: [f64; 3] = [
        0.079_203_696_431_195_7,
        0.353_172_906_049_774,
        -0.042_065_080_357_719_5,
    ];
    const AM: f64 = 1.0 - 2.0 * (A[0] + A[1] + A[2]);
    const B: [f64; 2] = [0.209_515_106_613_362, -0.143_851_773_179_818];
    const BM: f64 = 0.5 - (B[0] + B[1]);
    Composition {
        name: "bm4",
        order: 4,
        kicks: &[A[0], A[1], A[2], AM, A[2], A[1], A[0]],
        drifts: &[B[0], B[1], BM, BM, B[1], B[0]],
    }
};

/// Blanes & Moan S10, order 6 in ten drifts.
pub const BM6: Composition = {
    const A: [f64; 5] = [
        0.050_262_764_400_392_2,
        0.413_514_300_428_344,
        0.045_079_889_794_397_7,
        -0.188_054_853_819_569,
        0.541_960_678_450_780,
    ];
    const AM: f64 = 1.0 - 2.0 * (A[0] + A[1] + A[2] + A[3] + A[4]);
    const B: [f64; 4] = [
        0.148_816_447_901_042,
        -0.132_385_865_767_784,
        0.067_307_604_692_185,
        0.432_666_402_578_175,
    ];
    const BM: f64 = 0.5 - (B[0] + B[1] + B[2] + B[3]);
    Composition {
        name: "bm6",
        order: 6,
        kicks: &[
            A[0], A[1], A[2], A[3], A[4], AM, A[4], A[3], A[2], A[1], A[0],
        ],
        drifts: &[B[0], B[1], B[2], B[3], BM, BM, B[3], B[2], B[1], B[0]],
    }
};

/// Returns a symmetric list of `N` numbers from its first half. The middle makes their sum 1: one number if N is odd,
/// the same number twice if N is even.
const fn symmetric<const N: usize, const H: usize>(half: [f64; H]) -> [f64; N] {
    let mut out = [0.0; N];
    let (mut rest, mut i) = (1.0, 0);
    while i < H {
        (out[i], out[N - 1 - i]) = (half[i], half[i]);
        rest -= 2.0 * half[i];
        i += 1;
    }
    if N > 2 * H {
        let middle = rest / (N - 2 * H) as f64;
        (out[H], out[N - 1 - H]) = (middle, middle);
    }
    out
}

/// Blanes & Moan's SRKN6b, order 4 in six drifts; made for Nyström problems, but its order is that of any two flows.
pub const SRKN6B: Composition = Composition {
    name: "srkn6b",
    order: 4,
    kicks: &symmetric::<7, 3>([
        0.082_984_406_417_405_2,
        0.396_309_801_498_368,
        -0.039_056_304_922_348_6,
    ]),
    drifts: &symmetric::<6, 2>([0.245_298_957_184_271, 0.604_872_665_711_080]),
};

/// Blanes & Moan's SRKN11b, order 6 in eleven drifts.
pub const SRKN11B: Composition = Composition {
    name: "srkn11b",
    order: 6,
    kicks: &symmetric::<12, 5>([
        0.041_464_998_518_262_4,
        0.198_128_671_918_067,
        -0.040_006_192_104_153_3,
        0.075_253_984_301_580_7,
        -0.011_511_387_420_687_9,
    ]),
    drifts: &symmetric::<11, 5>([
        0.123_229_775_946_271,
        0.290_553_797_799_558,
        -0.127_049_212_625_417,
        -0.246_331_761_062_075,
        0.357_208_872_795_928,
    ]),
};

/// Blanes & Moan's SRKN14a, order 6 in fifteen drifts; begins and ends with one.
pub const SRKN14A: Composition = Composition {
    name: "srkn14a",
    order: 6,
    kicks: &symmetric::<16, 7>([
        0.0,
        0.091_719_152_624_461_65,
        0.183_983_170_005_006,
        -0.056_534_365_832_888_27,
        0.004_914_688_774_712_854,
        0.143_761_127_168_358,
        0.328_567_693_746_804,
    ]),
    drifts: &symmetric::<15, 7>([
        0.037_859_319_840_611_6,
        0.102_635_633_102_435,
        -0.025_867_888_266_558_7,
        0.314_241_403_071_447,
        -0.130_144_459_517_415,
        0.106_417_700_369_543,
        -0.008_794_243_128_510_58,
    ]),
};

/// Compositions whose order holds where three commutators with the kicks vanish, as where the energy is quadratic in the
/// momentum and the torque does not depend on it (Runge–Kutta–Nyström): fewer conditions, smaller errors.
pub const NYSTROM: [Composition; 2] = [SRKN11B, SRKN14A];

/// Compositions whose order holds for any two flows.
pub const COMPOSITIONS: [Composition; 12] = [
    KICK_DRIFT,
    DRIFT_KICK,
    STRANG,
    YOSHIDA4,
    SUZUKI4,
    MCLACHLAN4,
    BM4,
    SRKN6B,
    YOSHIDA6,
    KAHAN_LI6,
    BM6,
    SUZUKI_UMENO8,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the coefficient of each word of A and B (bits, first letter highest) up to `length` letters in
    /// the product of exponentials; exp(A + B) has 1/n! at every word of n letters.
    fn words(c: &Composition, length: usize) -> Vec<Vec<f64>> {
        let mut series: Vec<Vec<f64>> = (0..=length).map(|n| vec![0.0; 1 << n]).collect();
        series[0][0] = 1.0;
        let mut multiply = |letter: usize, x: f64| {
            let old = series.clone();
            let mut power = 1.0;
            for m in 1..=length {
                power *= x / m as f64;
                let tail = if letter == 1 { (1 << m) - 1 } else { 0 };
                for n in 0..=(length - m) {
                    for (w, v) in old[n].iter().enumerate() {
                        series[n + m][(w << m) | tail] += v * power;
                    }
                }
            }
        };
        for (i, &a) in c.kicks.iter().enumerate() {
            multiply(0, a);
            if let Some(&b) = c.drifts.get(i) {
                multiply(1, b);
            }
        }
        series
    }

    #[test]
    fn all_order_conditions_hold_and_those_of_the_next_order_do_not() {
        for c in COMPOSITIONS {
            assert_eq!(c.kicks.len(), c.drifts.len() + 1);
            for list in [c.kicks, c.drifts] {
                let same = list.iter().eq(list.iter().rev());
                assert_eq!(
                    same,
                    c.order > 1 || list == c.drifts,
                    "{} symmetric",
                    c.name
                );
            }
            let order = usize::from(c.order);
            let series = words(&c, order + 1);
            let mut factorial = 1.0;
            for (n, level) in series.iter().enumerate() {
                factorial *= n.max(1) as f64;
                let worst = level
                    .iter()
                    .fold(0.0_f64, |s, v| s.max((v - 1.0 / factorial).abs()));
                if n <= order {
                    assert!(worst < 2e-15, "{} level {n}: {worst:e}", c.name);
                } else {
                    assert!(worst > 1e-6, "{} level {n}: {worst:e}", c.name);
                }
            }
        }
    }

    /// In a Nyström set the conditions of words with three neighbouring commutators of kicks may fail, and they do. The
    /// conditions that a harmonic oscillator needs hold: its kicks and drifts are shears of the plane.
    #[test]
    fn nystrom_sets_have_their_order_for_kicks_and_drifts_that_are_shears() {
        for c in NYSTROM {
            for list in [c.kicks, c.drifts] {
                assert!(list.iter().eq(list.iter().rev()), "{}", c.name);
                let sum: f64 = list.iter().sum();
                assert!((sum - 1.0).abs() < 2e-15, "{} {sum}", c.name);
            }
            let order = usize::from(c.order);
            let series = words(&c, order);
            let worst = series[order].iter().fold(0.0_f64, |s, v| {
                let factorial: f64 = (1..=order).map(|n| n as f64).product();
                s.max((v - 1.0 / factorial).abs())
            });
            assert!(worst > 1e-6, "{}: of any two flows {worst:e}", c.name);
            // With torques of position q + q³ instead of the rotations that `exact.rs` measures.
            let error = |n: u32| {
                let h = 1.0 / f64::from(n);
                let (mut q, mut p) = (0.7, 0.3);
                for _ in 0..n {
                    for (i, a) in c.kicks.iter().enumerate() {
                        p -= a * h * (q + q * q * q);
                        q += c.drifts.get(i).unwrap_or(&0.0) * h * p;
                    }
                }
                (q, p)
            };
            let fine = error(512);
            let off = |n: u32| libm::hypot(error(n).0 - fine.0, error(n).1 - fine.1);
            let slope = libm::log2(off(4) / off(8));
            assert!((slope - order as f64).abs() < 0.3, "{} {slope}", c.name);
        }
    }
}
