//! Embedded pairs of Runge–Kutta rules with their dense outputs, each a row: what `adaptive.rs` adds to the tableaus.
//!
//! Sources: `bogacki1989`; `dormand1980` for the pair and `hairer1993` (section II.6, program DOPRI5) for its dense output;
//! `hairer1993` (section II.10, program DOP853) for the pair of order 8.

use super::tableaus::{ButcherTableau, DORMAND_PRINCE5, DORMAND_PRINCE8, RALSTON3};

/// An embedded pair: a rule that advances, an estimate of its error, and a polynomial between the ends of a step.
#[derive(Debug, Clone, Copy)]
pub struct EmbeddedPair {
    /// Rule by which a step is made.
    pub rule: &'static ButcherTableau,
    /// Power of the step with which the estimate falls.
    pub power: u8,
    /// Weights of the estimate, that of the slope at the end of the step last.
    pub estimate: &'static [f64],
    /// Weights of a second estimate of lower order, by which the first is scaled (`hairer1993`, II.10.17); empty without one.
    pub second: &'static [f64],
    /// Rows of the stages that the polynomial needs beside those of the rule and the slope at the end.
    pub extra: &'static [&'static [f64]],
    /// Order of the polynomial: its error falls with the power of the step that is one higher.
    pub dense_order: u8,
    /// Coefficients of the polynomial beyond those of the values and slopes at both ends, as sums of the slopes.
    pub dense: &'static [&'static [f64]],
}

macro_rules! pairs {
    ($($(#[$doc:meta])* $id:ident: $rule:ident, $power:literal [$($e:expr),*], [$($s:expr),*],
        [$([$($a:expr),*]),*], $order:literal [$([$($d:expr),*]),*];)*) => {$(
        $(#[$doc])*
        pub(super) static $id: EmbeddedPair = EmbeddedPair {
            rule: &$rule,
            power: $power,
            estimate: &[$($e),*],
            second: &[$($s),*],
            extra: &[$(&[$($a),*]),*],
            dense_order: $order,
            dense: &[$(&[$($d),*]),*],
        };
    )*};
}

pairs! {
    /// Bogacki and Shampine's 3(2); the polynomial is Hermite's.
    BOGACKI_SHAMPINE: RALSTON3, 3 [-5.0 / 72.0, 1.0 / 12.0, 1.0 / 9.0, -0.125], [], [], 3 [];
    /// Dormand and Prince's 5(4), with the polynomial of DOPRI5.
    DORMAND_PRINCE: DORMAND_PRINCE5, 5 [
        71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339_200.0, 22.0 / 525.0, -1.0 / 40.0
    ], [], [], 4 [[
        -12_715_105_075.0 / 11_282_082_432.0, 0.0, 87_487_479_700.0 / 32_700_410_799.0,
        -10_690_763_975.0 / 1_880_347_072.0, 701_980_252_875.0 / 199_316_789_632.0, -1_453_857_185.0 / 822_651_844.0,
        69_997_945.0 / 29_380_423.0
    ]];
    /// Dormand and Prince's 8(5,3) of Hairer, Nørsett and Wanner.
    DOP853: DORMAND_PRINCE8, 8 [
        0.01312004499419488, 0.0, 0.0, 0.0, 0.0, -1.2251564463762044, -0.4957589496572502, 1.6643771824549864,
        -0.35032884874997366, 0.3341791187130175, 0.08192320648511571, -0.022355307863886294
    ], [
        -0.18980075407240762, 0.0, 0.0, 0.0, 0.0, 4.450312892752409, 1.8915178993145003, -5.801203960010585,
        -0.4226823213237919, -0.1521609496625161, 0.20136540080403034, 0.02265179219836082
    ], [
        [
            0.056167502283047954, 0.0, 0.0, 0.0, 0.0, 0.0, 0.25350021021662483, -0.2462390374708025,
            -0.12419142326381637, 0.15329179827876568, 0.00820105229563469, 0.007567897660545699, -0.008298
        ], [
            0.03183464816350214, 0.0, 0.0, 0.0, 0.0, 0.028300909672366776, 0.053541988307438566, -0.05492374857139099,
            0.0, 0.0, -0.00010834732869724932, 0.0003825710908356584, -0.00034046500868740456, 0.1413124436746325
        ], [
            -0.42889630158379194, 0.0, 0.0, 0.0, 0.0, -4.697621415361164, 7.683421196062599, 4.06898981839711,
            0.3567271874552811, 0.0, 0.0, 0.0, -0.0013990241651590145, 2.9475147891527724, -9.15095847217987
        ]
    ], 7 [
        [
            -8.428938276109013, 0.0, 0.0, 0.0, 0.0, 0.5667149535193777, -3.0689499459498917, 2.38466765651207,
            2.117034582445028, -0.871391583777973, 2.2404374302607883, 0.6315787787694688, -0.08899033645133331,
            18.148505520854727, -9.194632392478356, -4.436036387594894
        ], [
            10.427508642579134, 0.0, 0.0, 0.0, 0.0, 242.28349177525817, 165.20045171727028, -374.5467547226902,
            -22.113666853125306, 7.733432668472264, -30.674084731089398, -9.332130526430229, 15.697238121770845,
            -31.139403219565178, -9.35292435884448, 35.81684148639408
        ], [
            19.985053242002433, 0.0, 0.0, 0.0, 0.0, -387.0373087493518, -189.17813819516758, 527.8081592054236,
            -11.57390253995963, 6.8812326946963, -1.0006050966910838, 0.7777137798053443, -2.778205752353508,
            -60.19669523126412, 84.32040550667716, 11.99229113618279
        ], [
            -25.69393346270375, 0.0, 0.0, 0.0, 0.0, -154.18974869023643, -231.5293791760455, 357.6391179106141,
            93.40532418362432, -37.45832313645163, 104.0996495089623, 29.8402934266605, -43.53345659001114,
            96.32455395918828, -39.17726167561544, -149.72683625798564
        ]
    ];
}
