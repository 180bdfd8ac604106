//! Runge–Kutta tableaus, each a row: the rules of `quat_rk.rs`, `quat_implicit.rs` and `gauss.rs`, and those that the judge recognises.
//!
//! Sources of the explicit ones: `hairer1993` (chapter II, tables 1.1, 1.2, 2.1, 4.1, 5.1 and 5.2, and section 9 for extrapolation; its program DOP853 for order 8), `ralston1962`, `shu1988`,
//! `cash1990`, `verner1978`, `tsitouras2011`, `butcher1964`, `crouch1993`. Ralston's rule of order 3 is the one by which Bogacki and
//! Shampine advance in their 3(2). Sources of the implicit ones: `hairer1996` (chapter IV, tables 5.1, 5.2, 5.5, 5.6, 5.7 and 5.11), `alexander1977`.

/// A Runge–Kutta rule.
#[derive(Debug, PartialEq)]
pub struct ButcherTableau {
    /// Name.
    pub name: &'static str,
    /// Order.
    pub order: u8,
    /// Rows of A, one a stage; entries that are left out at their ends are zero.
    pub rows: &'static [&'static [f64]],
    /// Weights.
    pub weights: &'static [f64],
}

impl ButcherTableau {
    /// Returns the time of a stage within the step, over h.
    #[inline]
    #[must_use]
    pub fn time(&self, stage: usize) -> f64 {
        self.rows[stage].iter().sum()
    }
}

/// √2, √3, √5, √6 and √15.
const ROOT: f64 = core::f64::consts::SQRT_2;
pub(super) const ROOT_3: f64 = 1.732_050_807_568_877_2;
const ROOT_5: f64 = 2.236_067_977_499_79;
const ROOT_6: f64 = 2.449_489_742_783_178;
pub(super) const ROOT_15: f64 = 3.872_983_346_207_417;

macro_rules! tableaus {
    ($(#[$doc:meta])* $list:ident: $($id:ident, $name:literal, $order:literal, [$([$($a:expr),*]),* $(,)?], [$($b:expr),+];)*) => {
        $(
            #[doc = $name]
            pub static $id: ButcherTableau = ButcherTableau {
                name: $name,
                order: $order,
                rows: &[$(&[$($a),*]),*],
                weights: &[$($b),+],
            };
        )*
        $(#[$doc])*
        pub static $list: &[&ButcherTableau] = &[$(&$id),*];
    };
}

tableaus! {
    /// Explicit rules, the simplest first: of equal fits the judge names the first.
    EXPLICIT:
    EULER, "explicit Euler", 1, [[]], [1.0];
    MIDPOINT, "explicit midpoint rule", 2, [[], [0.5]], [0.0, 1.0];
    HEUN2, "Heun's rule", 2, [[], [1.0]], [0.5, 0.5];
    RALSTON2, "Ralston's rule of order 2", 2, [[], [2.0 / 3.0]], [0.25, 0.75];
    RK4, "RK4", 4, [[], [0.5], [0.0, 0.5], [0.0, 0.0, 1.0]], [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];
    KUTTA3, "Kutta's rule of order 3", 3, [[], [0.5], [-1.0, 2.0]], [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0];
    HEUN3, "Heun's rule of order 3", 3, [[], [1.0 / 3.0], [0.0, 2.0 / 3.0]], [0.25, 0.0, 0.75];
    RALSTON3, "Ralston's rule of order 3", 3, [[], [0.5], [0.0, 0.75]], [2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0];
    SSP3, "the strong-stability rule of order 3", 3, [[], [1.0], [0.25, 0.25]], [1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0];
    NYSTROM3, "Nyström's rule of order 3", 3, [[], [2.0 / 3.0], [0.0, 2.0 / 3.0]], [0.25, 3.0 / 8.0, 3.0 / 8.0];
    RK38, "the 3/8 rule", 4, [[], [1.0 / 3.0], [-1.0 / 3.0, 1.0], [1.0, -1.0, 1.0]], [0.125, 0.375, 0.375, 0.125];
    GILL, "Gill's rule", 4, [
        [],
        [0.5],
        [0.5 * (ROOT - 1.0), 1.0 - 0.5 * ROOT],
        [0.0, -0.5 * ROOT, 1.0 + 0.5 * ROOT],
    ], [1.0 / 6.0, (2.0 - ROOT) / 6.0, (2.0 + ROOT) / 6.0, 1.0 / 6.0];
    CROUCH_GROSSMAN3, "Crouch and Grossman's rule of order 3", 3, [
        [],
        [0.75],
        [119.0 / 216.0, 17.0 / 108.0],
    ], [13.0 / 51.0, -2.0 / 3.0, 24.0 / 17.0];
    FEHLBERG4, "Fehlberg's rule of order 4", 4, [
        [],
        [0.25],
        [3.0 / 32.0, 9.0 / 32.0],
        [1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0],
        [439.0 / 216.0, -8.0, 3680.0 / 513.0, -845.0 / 4104.0],
    ], [25.0 / 216.0, 0.0, 1408.0 / 2565.0, 2197.0 / 4104.0, -0.2];
    FEHLBERG5, "Fehlberg's rule of order 5", 5, [
        [],
        [0.25],
        [3.0 / 32.0, 9.0 / 32.0],
        [1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0],
        [439.0 / 216.0, -8.0, 3680.0 / 513.0, -845.0 / 4104.0],
        [-8.0 / 27.0, 2.0, -3544.0 / 2565.0, 1859.0 / 4104.0, -11.0 / 40.0],
    ], [16.0 / 135.0, 0.0, 6656.0 / 12825.0, 28561.0 / 56430.0, -9.0 / 50.0, 2.0 / 55.0];
    DORMAND_PRINCE5, "Dormand and Prince's rule of order 5", 5, [
        [],
        [0.2],
        [3.0 / 40.0, 9.0 / 40.0],
        [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
        [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    ], [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0];
    MERSON, "Merson's rule", 4, [
        [],
        [1.0 / 3.0],
        [1.0 / 6.0, 1.0 / 6.0],
        [0.125, 0.0, 0.375],
        [0.5, 0.0, -1.5, 2.0],
    ], [1.0 / 6.0, 0.0, 0.0, 2.0 / 3.0, 1.0 / 6.0];
    CASH_KARP5, "Cash and Karp's rule of order 5", 5, [
        [],
        [0.2],
        [3.0 / 40.0, 9.0 / 40.0],
        [0.3, -0.9, 1.2],
        [-11.0 / 54.0, 2.5, -70.0 / 27.0, 35.0 / 27.0],
        [1631.0 / 55296.0, 175.0 / 512.0, 575.0 / 13824.0, 44275.0 / 110_592.0, 253.0 / 4096.0],
    ], [37.0 / 378.0, 0.0, 250.0 / 621.0, 125.0 / 594.0, 0.0, 512.0 / 1771.0];
    BUTCHER6, "Butcher's rule of order 6", 6, [
        [],
        [0.5 - 0.1 * ROOT_5],
        [-0.1 * ROOT_5, 0.5 + 0.2 * ROOT_5],
        [0.35 * ROOT_5 - 0.75, 0.25 * ROOT_5 - 0.25, 1.5 - 0.7 * ROOT_5],
        [1.0 / 12.0 - ROOT_5 / 60.0, 0.0, 1.0 / 6.0, 7.0 / 60.0 * ROOT_5 + 0.25],
        [1.0 / 12.0 + ROOT_5 / 60.0, 0.0, 0.75 - 5.0 / 12.0 * ROOT_5, 1.0 / 6.0, 0.3 * ROOT_5 - 0.5],
        [1.0 / 6.0, 0.0, 25.0 / 12.0 * ROOT_5 - 55.0 / 12.0, -7.0 / 12.0 * ROOT_5 - 25.0 / 12.0, 5.0 - 2.0 * ROOT_5, 2.5
            + 0.5 * ROOT_5],
    ], [1.0 / 12.0, 0.0, 0.0, 0.0, 5.0 / 12.0, 5.0 / 12.0, 1.0 / 12.0];
    RALSTON4, "Ralston's rule of order 4", 4, [
        [],
        [0.4],
        [(1428.0 * ROOT_5 - 2889.0) / 1024.0, (3785.0 - 1620.0 * ROOT_5) / 1024.0],
        [(2094.0 * ROOT_5 - 3365.0) / 6040.0, (-975.0 - 3046.0 * ROOT_5) / 2552.0, (467_040.0 + 203_968.0 * ROOT_5) /
            240_845.0],
    ], [
        (263.0 + 24.0 * ROOT_5) / 1812.0, (125.0 - 1000.0 * ROOT_5) / 3828.0, 1024.0 * (3346.0 + 1623.0 * ROOT_5) /
        5_924_787.0, (30.0 - 4.0 * ROOT_5) / 123.0
    ];
    TSITOURAS5, "Tsitouras's rule of order 5", 5, [
        [],
        [0.161],
        [-0.008480655492356989, 0.335480655492357],
        [2.8971530571054935, -6.359448489975075, 4.3622954328695815],
        [5.325864828439257, -11.748883564062828, 7.4955393428898365, -0.09249506636175525],
        [5.86145544294642, -12.92096931784711, 8.159367898576159, -0.071584973281401, -0.028269050394068383],
    ], [0.09646076681806523, 0.01, 0.4798896504144996, 1.379008574103742, -3.290069515436081, 2.324710524099774];
    VERNER6, "Verner's rule of order 6", 6, [
        [],
        [1.0 / 6.0],
        [4.0 / 75.0, 16.0 / 75.0],
        [5.0 / 6.0, -8.0 / 3.0, 2.5],
        [-165.0 / 64.0, 55.0 / 6.0, -425.0 / 64.0, 85.0 / 96.0],
        [2.4, -8.0, 4015.0 / 612.0, -11.0 / 36.0, 88.0 / 255.0],
        [-8263.0 / 15000.0, 124.0 / 75.0, -643.0 / 680.0, -0.324, 2484.0 / 10625.0],
        [3501.0 / 1720.0, -300.0 / 43.0, 297_275.0 / 52632.0, -319.0 / 2322.0, 24068.0 / 84065.0, 0.0, 3850.0 /
            26703.0],
    ], [0.075, 0.0, 875.0 / 2244.0, 23.0 / 72.0, 264.0 / 1955.0, 0.0, 125.0 / 11592.0, 43.0 / 616.0];
    GBS4, "the midpoint rule of 2 and 4 parts, extrapolated", 4, [
        [],
        [0.5],
        [0.25],
        [0.0, 0.0, 0.5],
        [0.25, 0.0, 0.0, 0.5],
    ], [0.0, -1.0 / 3.0, 2.0 / 3.0, 0.0, 2.0 / 3.0];
    GBS6, "the midpoint rule of 2, 4 and 6 parts, extrapolated", 6, [
        [],
        [0.5],
        [0.25],
        [0.0, 0.0, 0.5],
        [0.25, 0.0, 0.0, 0.5],
        [1.0 / 6.0],
        [0.0, 0.0, 0.0, 0.0, 0.0, 1.0 / 3.0],
        [1.0 / 6.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0 / 3.0],
        [0.0, 0.0, 0.0, 0.0, 0.0, 1.0 / 3.0, 0.0, 1.0 / 3.0],
        [1.0 / 6.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0 / 3.0, 0.0, 1.0 / 3.0],
    ], [0.0, 1.0 / 24.0, -8.0 / 15.0, 0.0, -8.0 / 15.0, 0.675, 0.0, 0.675, 0.0, 0.675];
    DORMAND_PRINCE8, "Dormand and Prince's rule of order 8", 8, [
        [],
        [0.05260015195876773],
        [0.0197250569845379, 0.0591751709536137],
        [0.02958758547680685, 0.0, 0.08876275643042054],
        [0.2413651341592667, 0.0, -0.8845494793282861, 0.924834003261792],
        [0.037037037037037035, 0.0, 0.0, 0.17082860872947386, 0.12546768756682242],
        [0.037109375, 0.0, 0.0, 0.17025221101954405, 0.06021653898045596, -0.017578125],
        [0.03709200011850479, 0.0, 0.0, 0.17038392571223998, 0.10726203044637328, -0.015319437748624402,
            0.008273789163814023],
        [0.6241109587160757, 0.0, 0.0, -3.3608926294469414, -0.868219346841726, 27.59209969944671, 20.154067550477894,
            -43.48988418106996],
        [0.47766253643826434, 0.0, 0.0, -2.4881146199716677, -0.590290826836843, 21.230051448181193, 15.279233632882423,
            -33.28821096898486, -0.020331201708508627],
        [-0.9371424300859873, 0.0, 0.0, 5.186372428844064, 1.0914373489967295, -8.149787010746927, -18.52006565999696,
            22.739487099350505, 2.4936055526796523, -3.0467644718982196],
        [2.273310147516538, 0.0, 0.0, -10.53449546673725, -2.0008720582248625, -17.9589318631188, 27.94888452941996,
            -2.8589982771350235, -8.87285693353063, 12.360567175794303, 0.6433927460157636],
    ], [
        0.054293734116568765, 0.0, 0.0, 0.0, 0.0, 4.450312892752409, 1.8915178993145003, -5.801203960010585,
        0.3111643669578199, -0.1521609496625161, 0.20136540080403034, 0.04471061572777259
    ];
}

tableaus! {
    /// Rules whose stages depend on themselves or on later ones.
    IMPLICIT:
    IMPLICIT_MIDPOINT, "the implicit midpoint rule", 2, [[0.5]], [1.0];
    TRAPEZOIDAL, "the trapezoidal rule", 2, [[], [0.5, 0.5]], [0.5, 0.5];
    IMPLICIT_EULER, "implicit Euler", 1, [[1.0]], [1.0];
    ALEXANDER2, "Alexander's rule of order 2", 2, [
        [1.0 - 0.5 * ROOT],
        [0.5 * ROOT, 1.0 - 0.5 * ROOT],
    ], [0.5 * ROOT, 1.0 - 0.5 * ROOT];
    GAUSS4, "Gauss's rule of order 4", 4, [[0.25, 0.25 - ROOT_3 / 6.0], [0.25 + ROOT_3 / 6.0, 0.25]], [0.5, 0.5];
    GAUSS6, "Gauss's rule of order 6", 6, [
        [5.0 / 36.0, 2.0 / 9.0 - ROOT_15 / 15.0, 5.0 / 36.0 - ROOT_15 / 30.0],
        [5.0 / 36.0 + ROOT_15 / 24.0, 2.0 / 9.0, 5.0 / 36.0 - ROOT_15 / 24.0],
        [5.0 / 36.0 + ROOT_15 / 30.0, 2.0 / 9.0 + ROOT_15 / 15.0, 5.0 / 36.0],
    ], [5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0];
    RADAU3, "Radau's rule IIA of order 3", 3, [[5.0 / 12.0, -1.0 / 12.0], [0.75, 0.25]], [0.75, 0.25];
    RADAU5, "Radau's rule IIA of order 5", 5, [
        [(88.0 - 7.0 * ROOT_6) / 360.0, (296.0 - 169.0 * ROOT_6) / 1800.0, (-2.0 + 3.0 * ROOT_6) / 225.0],
        [(296.0 + 169.0 * ROOT_6) / 1800.0, (88.0 + 7.0 * ROOT_6) / 360.0, (-2.0 - 3.0 * ROOT_6) / 225.0],
        [(16.0 - ROOT_6) / 36.0, (16.0 + ROOT_6) / 36.0, 1.0 / 9.0],
    ], [(16.0 - ROOT_6) / 36.0, (16.0 + ROOT_6) / 36.0, 1.0 / 9.0];
    LOBATTO_3A, "Lobatto's rule IIIA of order 4", 4, [
        [],
        [5.0 / 24.0, 1.0 / 3.0, -1.0 / 24.0],
        [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0],
    ], [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0];
    LOBATTO_3C, "Lobatto's rule IIIC of order 4", 4, [
        [1.0 / 6.0, -1.0 / 3.0, 1.0 / 6.0],
        [1.0 / 6.0, 5.0 / 12.0, -1.0 / 12.0],
        [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0],
    ], [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0];
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rooted tree: its order, its density γ, and what the elementary weights of the stages are.
    struct Tree {
        order: usize,
        density: f64,
        stages: Vec<f64>,
    }

    /// Returns the trees of all orders up to `most`, with repetitions by the order of the branches.
    fn trees(rule: &ButcherTableau, most: usize) -> Vec<Tree> {
        let s = rule.weights.len();
        let mut all = vec![Tree {
            order: 1,
            density: 1.0,
            stages: vec![1.0; s],
        }];
        for order in 2..=most {
            // The first branch grown on a tree of the rest.
            let mut new = Vec::new();
            for branch in &all {
                for rest in all.iter().filter(|r| r.order + branch.order == order) {
                    let grown = |i: usize| -> f64 {
                        let terms = rule.rows[i].iter().zip(&branch.stages);
                        terms.map(|(a, x)| a * x).sum()
                    };
                    new.push(Tree {
                        order,
                        density: rest.density / rest.order as f64 * branch.density * order as f64,
                        stages: (0..s).map(|i| rest.stages[i] * grown(i)).collect(),
                    });
                }
            }
            all.extend(new);
        }
        all
    }

    /// Each rule meets the conditions of its order, Σ b Φ(t) = 1 / γ(t), to round-off, and one of the next it does not.
    #[test]
    fn rules_meet_the_conditions_of_their_order_and_no_more() {
        for rule in EXPLICIT.iter().chain(IMPLICIT) {
            let order = usize::from(rule.order);
            let mut missed = 0.0_f64;
            for tree in trees(rule, order + 1) {
                let terms = rule.weights.iter().zip(&tree.stages).map(|(b, x)| b * x);
                // Terms of DOP853 reach some tens, so that round-off is that much larger.
                let size: f64 = terms.clone().map(f64::abs).sum();
                let off = (terms.sum::<f64>() - 1.0 / tree.density).abs();
                if tree.order > order {
                    missed = missed.max(off);
                } else {
                    assert!(
                        off < 1e-14 * size.max(1.0),
                        "{}: {off:e} at order {}",
                        rule.name,
                        tree.order
                    );
                }
            }
            assert!(missed > 1e-6, "{}: {missed:e}", rule.name);
        }
    }
}
