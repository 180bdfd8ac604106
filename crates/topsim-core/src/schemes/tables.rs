//! Tables of the methods of `lie_rk`, each from the paper named beside it.

use super::lie_rk::{Factors, LieMethod, LieStage, TableauRow};

const fn each(time: f64, row: TableauRow) -> LieStage {
    LieStage {
        time,
        after: 0,
        factors: Factors::Each(row),
    }
}

const fn sums(time: f64, after: usize, rows: &'static [TableauRow]) -> LieStage {
    LieStage {
        time,
        after,
        factors: Factors::Sums(rows),
    }
}

const fn products(stages: &'static [LieStage]) -> LieMethod {
    LieMethod {
        stages,
        in_algebra: false,
    }
}

const fn in_algebra(stages: &'static [LieStage]) -> LieMethod {
    LieMethod {
        stages,
        in_algebra: true,
    }
}

/// `crouch1993`.
pub(super) static CG2: LieMethod = products(&[each(0.5, &[0.5]), each(1.0, &[0.0, 1.0])]);

/// `crouch1993`.
pub(super) static CG3: LieMethod = products(&[
    each(3.0 / 4.0, &[3.0 / 4.0]),
    each(17.0 / 24.0, &[119.0 / 216.0, 17.0 / 108.0]),
    each(1.0, &[13.0 / 51.0, -2.0 / 3.0, 24.0 / 17.0]),
]);

/// `jackiewicz2000`, example 1 of the appendix.
#[rustfmt::skip]
pub(super) static CG4: LieMethod = products(&[
    each(0.8177227988124852, &[0.8177227988124852]),
    each(0.3859740639032449, &[0.3199876375476427, 0.0659864263556022]),
    each(0.3242290522866937, &[0.9214417194464946, 0.4997857776773573, -1.0969984448371582]),
    each(0.8768903263420429, &[0.3552358559023322, 0.2390958372307326, 1.3918565724203246, -1.1092979392113465]),
    each(1.0, &[0.1370831520630755, -0.0183698531564020, 0.7397813985370780, -0.1907142565505889, 0.3322195591068374]),
]);

/// `jackiewicz2000`, example 2 of the appendix.
#[rustfmt::skip]
pub(super) static CG5: LieMethod = products(&[
    each(0.5119828014137712, &[0.5119828014137712]),
    each(0.8772874501473398, &[0.1256672120643583, 0.7516202380829815]),
    each(0.2612673906285532, &[-0.1859318985660963, 0.9805295406563367, -0.5333302514616872]),
    each(0.6299284764116202, &[0.1693767277911736, 0.9505578305836004, -0.2601241719456298, -0.229881910017524]),
    each(-0.0848977371716867, &[
        -0.3672779810475256, -0.0086029950554851, -0.0010336337263253,
        0.4747844514543335, -0.1827675787966842
    ]),
    each(0.4725046012150438, &[
        -0.1967584902954152, -0.0841805485664162, -0.026953023636696,
        0.7559747536983863, -0.0238706198984107, 0.0482925299135956
    ]),
    each(0.3060326933360293, &[
        -0.5309452158934433, 0.019745665128492, -0.0890782597312347, 1.1112114193183167,
        -0.254923186966407, 0.0690881269948897, -0.019065855514584
    ]),
    each(-0.1137887307856168, &[
        0.0, -0.1116041993954347, 0.0007837329078394, 0.1273989332794543,
        -0.2951798037735399, -0.5806798044068681, -0.3715982236980106, 1.1170906343009428
    ]),
    each(1.0, &[
        0.7927513978455029, 0.0, 0.3490698579749237, 0.3139686995007973, -0.4266876632081064,
        -0.8094238190622945, 1.3450516465346316, -0.9242094915998407, 0.3594793720143862
    ]),
]);

/// `celledoni2003`.
pub(super) static CF3: LieMethod = products(&[
    sums(1.0 / 3.0, 0, &[&[1.0 / 3.0]]),
    sums(2.0 / 3.0, 0, &[&[0.0, 2.0 / 3.0]]),
    sums(1.0, 1, &[&[-1.0 / 12.0, 0.0, 3.0 / 4.0]]),
]);

/// `celledoni2003`.
#[rustfmt::skip]
pub(super) static CF4: LieMethod = products(&[
    sums(0.5, 0, &[&[0.5]]),
    sums(0.5, 0, &[&[0.0, 0.5]]),
    sums(1.0, 1, &[&[-0.5, 0.0, 1.0]]),
    sums(1.0, 0, &[&[1.0 / 4.0, 1.0 / 6.0, 1.0 / 6.0, -1.0 / 12.0], &[-1.0 / 12.0, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 4.0]]),
]);

/// Returns the coefficients of the turn of each stage, `B_i d_i` with `d_i = A_i d_{i−1} + k_i`. B is scaled so that the sum of
/// all is 1, which published coefficients of few digits do not give exactly.
const fn low_storage<const N: usize>(a: [f64; N], b: [f64; N]) -> [[f64; N]; N] {
    let mut rows = [[0.0; N]; N];
    let mut d = [0.0; N];
    let mut total = 0.0;
    let mut i = 0;
    while i < N {
        let mut j = 0;
        while j < N {
            d[j] *= a[i];
            if j == i {
                d[j] = 1.0;
            }
            rows[i][j] = b[i] * d[j];
            total += rows[i][j];
            j += 1;
        }
        i += 1;
    }
    i = 0;
    while i < N * N {
        rows[i / N][i % N] /= total;
        i += 1;
    }
    rows
}

/// `luscher2010`, its appendix on the gradient flow; the classical method is one of Williamson's.
pub(super) static CF3_LOW_STORAGE: LieMethod = {
    const ROWS: [[f64; 3]; 3] = low_storage(
        [0.0, -17.0 / 32.0, -32.0 / 27.0],
        [1.0 / 4.0, 8.0 / 9.0, 3.0 / 4.0],
    );
    products(&[
        sums(1.0 / 4.0, 0, &[&ROWS[0]]),
        sums(2.0 / 3.0, 1, &[&ROWS[1]]),
        sums(1.0, 2, &[&ROWS[2]]),
    ])
};

/// `berland2006`; that it keeps its order on groups is a conjecture of `bazavov2022`.
#[rustfmt::skip]
pub(super) static CF4_LOW_STORAGE: LieMethod = {
    const ROWS: [[f64; 6]; 6] = low_storage(
        [0.0, -0.737101392796, -1.634740794341, -0.744739003780, -1.469897351522, -2.813971388035],
        [0.032918605146, 0.823256998200, 0.381530948900, 0.200092213184, 1.718581042715, 0.27],
    );
    products(&[
        sums(0.032918605146, 0, &[&ROWS[0]]),
        sums(0.249351723343, 1, &[&ROWS[1]]),
        sums(0.466911705055, 2, &[&ROWS[2]]),
        sums(0.582030414044, 3, &[&ROWS[3]]),
        sums(0.847252983783, 4, &[&ROWS[4]]),
        sums(1.0, 5, &[&ROWS[5]]),
    ])
};

/// The explicit midpoint rule.
pub(super) static RKMK2: LieMethod =
    in_algebra(&[sums(0.5, 0, &[&[0.5]]), sums(1.0, 0, &[&[0.0, 1.0]])]);

/// Kutta; `hairer1993`, table 1.1 of chapter II.
pub(super) static RKMK3: LieMethod = in_algebra(&[
    sums(0.5, 0, &[&[0.5]]),
    sums(1.0, 0, &[&[-1.0, 2.0]]),
    sums(1.0, 0, &[&[1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0]]),
]);

/// `dormand1980`.
#[rustfmt::skip]
pub(super) static RKMK5: LieMethod = in_algebra(&[
    sums(1.0 / 5.0, 0, &[&[1.0 / 5.0]]),
    sums(3.0 / 10.0, 0, &[&[3.0 / 40.0, 9.0 / 40.0]]),
    sums(4.0 / 5.0, 0, &[&[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0]]),
    sums(8.0 / 9.0, 0, &[&[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0]]),
    sums(1.0, 0, &[&[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0]]),
    sums(1.0, 0, &[&[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0]]),
]);
