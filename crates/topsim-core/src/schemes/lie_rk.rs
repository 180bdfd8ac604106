//! Explicit Runge–Kutta methods on the group, each a table: `cg2` … `cg5` (Crouch–Grossman), `cf3`, `cf4`, `cf3_low_storage`,
//! `cf4_low_storage` (commutator-free), `rkmk2`, `rkmk3`, `rkmk5` (Munthe-Kaas).
//!
//! Letters: Λ attitude (body → space), W body rate, Π = J W, T body torque, `k = h W` and `l = h (Π × W + T)` at a stage.
//! A stage, and the end of the step, turns the attitude of an earlier stage by exponentials of sums of k, and adds the same
//! sums of l to its Π:
//! - Crouch & Grossman: one exponential for each k, in order
//! - commutator-free: a few exponentials, each of a sum. Low storage: one a stage, after the stage before, of
//!   `B_i d_i`, `d_i = A_i d_{i−1} + k_i`
//! - Munthe-Kaas: one exponential of a sum u, after the start, with `k = h dexp⁻¹_{−u} W`
//!
//! Sources: `crouch1993`, `jackiewicz2000`, `celledoni2003`, `bazavov2022`, `munthekaas1999`, and beside each table. Explicit; no
//! invariant is kept.

use super::member::member;
use super::prelude::*;
use super::rkmk::dexp_inv;
use super::tables::*;

/// Stages of the longest method.
const MOST: usize = 9;

/// Coefficients of k₁, k₂, ….
pub(super) type TableauRow = &'static [f64];

/// Exponentials that turn the attitude of a stage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Factors {
    /// An exponential for each k.
    Each(TableauRow),
    /// Exponentials of these sums.
    Sums(&'static [TableauRow]),
}

/// Rule by which a stage, or the end of a step, is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LieStage {
    /// Its time, in steps from the start.
    pub time: f64,
    /// The stage whose attitude is turned; 0 is the start.
    pub after: usize,
    pub factors: Factors,
}

/// A method as its table.
#[derive(Debug, PartialEq)]
pub struct LieMethod {
    /// Stages after the first, which is the start; last the end of the step.
    pub(super) stages: &'static [LieStage],
    /// True if k is `h dexp⁻¹_{−u} W`.
    pub(super) in_algebra: bool,
}

impl LieMethod {
    const fn evaluations(&self) -> u32 {
        self.stages.len() as u32
    }
}

/// An explicit Runge–Kutta method on the group.
#[derive(Debug, Clone, Copy)]
pub struct LieRk(&'static LieMethod);

/// A stage with its attitude and momentum.
#[derive(Clone, Copy)]
struct StageState {
    att: Mat3,
    pi: Vec3,
}

impl RotationScheme for LieRk {
    type Memory = BodyMomentum;
    const TAKES_RATE: bool = true;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let BodyMomentum(pi) = m;
        let Step { top, t, h, .. } = *at;
        let method = self.0;
        let start = StageState {
            att: y.att,
            pi: *pi,
        };
        let mut states = [start; MOST];
        let (mut k, mut l) = ([Vec3::zeros(); MOST], [Vec3::zeros(); MOST]);
        let (mut now, mut time, mut u) = (start, 0.0, Vec3::zeros());
        for (i, stage) in method.stages.iter().enumerate() {
            states[i] = now;
            let w = top.inertia().solve(&now.pi);
            let rate = if method.in_algebra {
                dexp_inv(at.angles, &u, &w)
            } else {
                w
            };
            k[i] = rate * h;
            let torque = top.torque_moving(t + time, &now.att, &w, &now.pi);
            l[i] = (now.pi.cross(&w) + torque) * h;
            now = states[stage.after];
            let mut turn = |angle: Vec3, impulse: Vec3| {
                u = angle;
                now.att *= so3::exp(&angle);
                now.pi += impulse;
            };
            match stage.factors {
                Factors::Each(row) => {
                    for (a, (k, l)) in row.iter().zip(k.iter().zip(&l)) {
                        if *a != 0.0 {
                            turn(k * *a, l * *a);
                        }
                    }
                }
                Factors::Sums(rows) => {
                    for row in rows {
                        turn(sum(row, &k), sum(row, &l));
                    }
                }
            }
            time = stage.time * h;
        }
        (y.att, *pi) = (now.att, now.pi);
        y.omega = top.inertia().solve(pi);
        Ok(Effort::new(method.evaluations(), 0))
    }
}

#[inline(always)]
fn sum(row: TableauRow, v: &[Vec3; MOST]) -> Vec3 {
    let products = row.iter().zip(v);
    products.fold(Vec3::zeros(), |sum, (a, v)| sum + v * *a)
}

macro_rules! methods {
    ($($(#[$doc:meta])* $scheme:ident, $name:literal, $method:ident, $order:literal, $energy:expr, $cite:expr, $title:literal,
        $formula:literal;)*) => {$(
        scheme! {
            $(#[$doc])*
            $scheme {
                name: $name,
                title: $title,
                formula: $formula,
                coefficients: Coefficients::Group(&$method),
                citations: $cite,
                claims: Claims { order: $order, reversible: false, symplectic: false,
                    energy: $energy, momentum: Momentum::Approximate,
                    torque_evaluations: Evaluations::Exactly($method.evaluations()) },
            }
        }
        member! { $scheme: LieRk, |_| LieRk(&$method) }
    )*};
}

methods! {
    /// Crouch–Grossman, order 2.
    Cg2, "cg2", CG2, 2, Energy::Gains(3), &["crouch1993"], "Crouch & Grossman, order 2: the explicit midpoint rule",
        "k = h W; Λ' = Λ exp(k2), k2 at Λ exp(½k1); Π likewise by sums";
    /// Crouch–Grossman, order 3.
    Cg3, "cg3", CG3, 3, Energy::Loses(3), &["crouch1993"], "Crouch & Grossman, order 3",
        "k = h W; stages Λ, Λ exp(¾k1), Λ exp(119/216 k1) exp(17/108 k2); Π likewise by sums\n\
         Λ' = Λ exp(13/51 k1) exp(−2/3 k2) exp(24/17 k3)";
    /// Crouch–Grossman, order 4, five stages.
    Cg4, "cg4", CG4, 4, Energy::Gains(5), &["jackiewicz2000"], "Jackiewicz, Marthinsen & Owren: Crouch–Grossman, order 4",
        "k = h W, l = h (Π × W + T) at each stage, Λ1 = Λ; Π at a stage and Π' by the sums of the same numbers times l";
    /// Crouch–Grossman, order 5, nine stages.
    Cg5, "cg5", CG5, 5, Energy::Gains(5), &["jackiewicz2000"], "Jackiewicz, Marthinsen & Owren: Crouch–Grossman, order 5",
        "k = h W, l = h (Π × W + T) at each stage, Λ1 = Λ; Π at a stage and Π' by the sums of the same numbers times l";
    /// Commutator-free, order 3: three exponentials, the first used twice.
    Cf3, "cf3", CF3, 3, Energy::Loses(3), &["celledoni2003"], "Celledoni, Marthinsen & Owren: commutator-free, order 3",
        "k = h W; stages Λ, Λ exp(⅓k1), Λ exp(⅔k2); Π likewise by sums\n\
         Λ' = Λ exp(⅓k1) exp(¾k3 − 1/12 k1)";
    /// Commutator-free, order 4: five exponentials, no brackets.
    Cf4, "cf4", CF4, 4, Energy::Loses(5), &["celledoni2003"], "Celledoni, Marthinsen & Owren: commutator-free, order 4",
        "k = h W, Π by the classical RK4; stages Λ, Λ exp(½k1), Λ exp(½k2), Λ exp(½k1) exp(k3 − ½k1)\n\
         Λ' = Λ exp((3k1 + 2k2 + 2k3 − k4)/12) exp((−k1 + 2k2 + 2k3 + 3k4)/12)";
    /// Commutator-free with one exponential and one stored sum a stage, order 3.
    Cf3LowStorage, "cf3_low_storage", CF3_LOW_STORAGE, 3, Energy::Loses(3), &["bazavov2022", "luscher2010"],
        "Lüscher, Bazavov: commutator-free in two registers, order 3",
        "k = h W; d = A d + k, Λ := Λ exp(B d) three times, A = (0, −17/32, −32/27), B = (1/4, 8/9, 3/4); Π likewise by sums";
    /// Commutator-free with one exponential and one stored sum a stage, order 4.
    Cf4LowStorage, "cf4_low_storage", CF4_LOW_STORAGE, 4, Energy::Loses(5), &["bazavov2022", "berland2006"],
        "Berland, Bogey & Bailly, Bazavov: commutator-free in two registers, order 4",
        "k = h W, l = h (Π × W + T) at each stage, Λ1 = Λ; Π2 = Π1 + the sum of l, and so on; in two registers: d = A d + k, Λ := Λ exp(B d)";
    /// Munthe-Kaas with the explicit midpoint rule.
    Rkmk2, "rkmk2", RKMK2, 2, Energy::Gains(3), &["munthekaas1999"], "Runge–Kutta–Munthe-Kaas, order 2: the explicit midpoint rule",
        "midpoint rule for u' = dexp⁻¹(−u) W, Π' = Π × W + T(Λ exp(u)) from u = 0; then Λ' = Λ exp(u)";
    /// Munthe-Kaas with Kutta's method of order 3.
    Rkmk3, "rkmk3", RKMK3, 3, Energy::Loses(3), &["munthekaas1999", "hairer1993"], "Runge–Kutta–Munthe-Kaas, order 3 (Kutta)",
        "Kutta's RK3 for u' = dexp⁻¹(−u) W, Π' = Π × W + T(Λ exp(u)) from u = 0; then Λ' = Λ exp(u)";
    /// Munthe-Kaas with the method of order 5 of Dormand and Prince.
    Rkmk5, "rkmk5", RKMK5, 5, Energy::Loses(5), &["munthekaas1999", "dormand1980"],
        "Runge–Kutta–Munthe-Kaas, order 5 (Dormand & Prince)",
        "Dormand & Prince's RK5(4) for u' = dexp⁻¹(−u) W, Π' = Π × W + T(Λ exp(u)) from u = 0; then Λ' = Λ exp(u)\n\
         k = h dexp⁻¹(−u) W, l = h (Π × W + T) at each stage, Λ1 = Λ, u the exponent below; Π at a stage and Π' by the sums of the same numbers times l";
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stage's time is the sum of its coefficients, and the end of the step is at 1.
    #[test]
    fn times_are_the_sums_of_their_rows() {
        let all = [
            &CG2,
            &CG3,
            &CG4,
            &CG5,
            &CF3,
            &CF4,
            &CF3_LOW_STORAGE,
            &CF4_LOW_STORAGE,
            &RKMK2,
            &RKMK3,
            &RKMK5,
        ];
        for (n, method) in all.iter().enumerate() {
            assert!(method.stages.len() <= MOST);
            let mut times = vec![0.0];
            for stage in method.stages {
                let sum: f64 = match stage.factors {
                    Factors::Each(row) => row.iter().sum(),
                    Factors::Sums(rows) => rows.iter().flat_map(|r| r.iter()).sum(),
                };
                times.push(times[stage.after] + sum);
                // Twelve digits are given of one table, sixteen of others.
                let digits = if n == 7 { 2e-12 } else { 1e-15 };
                let (found, said) = (times[times.len() - 1], stage.time);
                assert!((found - said).abs() < digits, "method {n}: {found} {said}");
            }
            assert_eq!(method.stages[method.stages.len() - 1].time, 1.0);
        }
    }
}
