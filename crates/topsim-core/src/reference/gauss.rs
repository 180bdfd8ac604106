//! Gauss–Legendre collocation of order 12 for y' = f(t, y) with compensated increments, used by the numerical
//! reference.
//!
//! Source: Hairer, Nørsett & Wanner, *Solving Ordinary Differential Equations I*, II.7 (`hairer1993`). The
//! stages are found by fixed-point iteration, which is a contraction for the short steps of a reference; a step
//! whose iteration does not converge is refused.

/// Number of stages; the order is twice this number.
pub(super) const STAGES: usize = 6;

/// Nodes, weights and collocation matrix on [0, 1].
#[derive(Debug, Clone)]
pub(super) struct GaussRule {
    pub nodes: [f64; STAGES],
    weights: [f64; STAGES],
    matrix: [[f64; STAGES]; STAGES],
}

impl GaussRule {
    pub fn new() -> Self {
        let mut nodes = [0.0; STAGES];
        let mut weights = [0.0; STAGES];
        for i in 0..STAGES {
            // Newton's method from the asymptotic approximation of the i-th root of P_s on [−1, 1].
            let guess = core::f64::consts::PI * (i as f64 + 0.75) / (STAGES as f64 + 0.5);
            let mut x = -libm::cos(guess);
            for _ in 0..100 {
                let (p, dp) = legendre(x);
                let dx = p / dp;
                x -= dx;
                if dx.abs() < 1e-17 {
                    break;
                }
            }
            let (_, dp) = legendre(x);
            nodes[i] = 0.5 * (1.0 + x);
            weights[i] = 1.0 / ((1.0 - x * x) * dp * dp);
        }
        let mut matrix = [[0.0; STAGES]; STAGES];
        for (i, row) in matrix.iter_mut().enumerate() {
            for (j, a) in row.iter_mut().enumerate() {
                // ∫₀^{c_i} ℓ_j, computed exactly by the quadrature itself (degree s − 1 < 2s).
                *a = (0..STAGES)
                    .map(|k| weights[k] * nodes[i] * lagrange(&nodes, j, nodes[k] * nodes[i]))
                    .sum();
            }
        }
        Self {
            nodes,
            weights,
            matrix,
        }
    }

    /// Makes one step of `y' = f(t, y)`, where `f` writes the slope into its last argument; `carry` holds the
    /// compensation of `y`. Returns false if the stages did not converge.
    pub fn step(
        &self,
        f: &impl Fn(f64, &[f64], &mut [f64]),
        t: f64,
        h: f64,
        (y, carry): (&mut [f64], &mut [f64]),
        work: &mut StageBuffers,
    ) -> bool {
        let dimension = y.len();
        let StageBuffers {
            slopes,
            fresh,
            stage,
        } = work;
        f(t, y, &mut slopes[0]);
        let (first, others) = slopes.split_at_mut(1);
        others.iter_mut().for_each(|s| s.copy_from_slice(&first[0]));
        let mut last_change = f64::INFINITY;
        let mut settled = false;
        for _ in 0..60 {
            let mut change = 0.0_f64;
            let mut size = 0.0_f64;
            for (i, fresh) in fresh.iter_mut().enumerate() {
                for d in 0..dimension {
                    let mut sum = 0.0;
                    for (j, slope) in slopes.iter().enumerate() {
                        sum += self.matrix[i][j] * slope[d];
                    }
                    stage[d] = y[d] + (carry[d] + h * sum);
                }
                f(t + self.nodes[i] * h, stage, fresh);
                for (new, old) in fresh.iter().zip(&slopes[i]) {
                    let delta = (new - old).abs();
                    change = if delta > change || delta.is_nan() {
                        delta
                    } else {
                        change
                    };
                    size = size.max(new.abs());
                }
            }
            core::mem::swap(slopes, fresh);
            if change.is_nan() {
                return false;
            }
            if change <= 4.0 * f64::EPSILON * size
                || (change >= last_change && change <= 1e-13 * size)
            {
                settled = true;
                break;
            }
            last_change = change;
        }
        for d in 0..dimension {
            // Summing differences from the first slope keeps the rounding of the sum of the weights from
            // accumulating.
            let mid = slopes[0][d];
            let increment: f64 = mid
                + (1..STAGES)
                    .map(|i| self.weights[i] * (slopes[i][d] - mid))
                    .sum::<f64>();
            // Neumaier summation: the part of the increment that is rounded off is kept for the next step.
            let add = h * increment + carry[d];
            let sum = y[d] + add;
            carry[d] = if y[d].abs() >= add.abs() {
                (y[d] - sum) + add
            } else {
                (add - sum) + y[d]
            };
            y[d] = sum;
        }
        settled
    }
}

/// Buffers for the stages of a step.
#[derive(Debug, Clone)]
pub(super) struct StageBuffers {
    slopes: Vec<Vec<f64>>,
    fresh: Vec<Vec<f64>>,
    stage: Vec<f64>,
}

impl StageBuffers {
    pub fn new(dimension: usize) -> Self {
        Self {
            slopes: vec![vec![0.0; dimension]; STAGES],
            fresh: vec![vec![0.0; dimension]; STAGES],
            stage: vec![0.0; dimension],
        }
    }
}

/// Returns the Legendre polynomial P_s and its derivative at `x`.
fn legendre(x: f64) -> (f64, f64) {
    let (mut p0, mut p1) = (1.0, x);
    for k in 2..=STAGES {
        let k = k as f64;
        (p0, p1) = (p1, ((2.0 * k - 1.0) * x * p1 - (k - 1.0) * p0) / k);
    }
    (p1, STAGES as f64 * (x * p1 - p0) / (x * x - 1.0))
}

fn lagrange(nodes: &[f64; STAGES], j: usize, x: f64) -> f64 {
    (0..STAGES)
        .filter(|&k| k != j)
        .map(|k| (x - nodes[k]) / (nodes[j] - nodes[k]))
        .product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quadrature_is_exact_to_degree_eleven() {
        let g = GaussRule::new();
        for degree in 0..12 {
            let sum: f64 = (0..STAGES)
                .map(|i| g.weights[i] * g.nodes[i].powi(degree))
                .sum();
            assert!(
                (sum - 1.0 / f64::from(degree + 1)).abs() < 1e-15,
                "{degree}"
            );
        }
        for i in 0..STAGES {
            let row: f64 = g.matrix[i].iter().sum();
            assert!((row - g.nodes[i]).abs() < 1e-15);
        }
    }

    /// Returns ‖y(12) − exact‖ after `n` steps from (2, 0.5); the solution with 400 steps serves as exact.
    fn error(f: impl Fn(f64, &[f64; 2]) -> [f64; 2], n: u32) -> f64 {
        let g = GaussRule::new();
        let mut work = StageBuffers::new(2);
        let f = |t: f64, y: &[f64], out: &mut [f64]| {
            out.copy_from_slice(&f(t, &[y[0], y[1]]));
        };
        let mut solve = |n: u32| {
            let (mut y, mut c) = ([2.0, 0.5], [0.0; 2]);
            let h = 12.0 / f64::from(n);
            for k in 0..n {
                assert!(g.step(&f, f64::from(k) * h, h, (&mut y, &mut c), &mut work));
            }
            y
        };
        let (y, z) = (solve(n), solve(400));
        libm::hypot(y[0] - z[0], y[1] - z[1])
    }

    #[test]
    fn order_twelve() {
        let linear = |_: f64, y: &[f64; 2]| [y[1], -y[0]];
        let order = libm::log2(error(linear, 4) / error(linear, 8));
        assert!((order - 12.0).abs() < 0.3, "{order}");
        // The pendulum's error coefficients decrease so fast that the observed order exceeds 12.
        let pendulum = |_: f64, y: &[f64; 2]| [y[1], -libm::sin(y[0])];
        let order = libm::log2(error(pendulum, 12) / error(pendulum, 24));
        assert!(order > 11.5, "{order}");
    }

    /// For a right-hand side whose last digits alternate from one iteration to the next, the stages have
    /// converged when their change repeats itself.
    #[test]
    fn a_repeated_change_of_round_off_is_settled() {
        let calls = core::cell::Cell::new(0);
        let noisy = |_: f64, _: &[f64], out: &mut [f64]| {
            calls.set(calls.get() + 1);
            let odd = (calls.get() + STAGES - 2) / STAGES % 2 == 1;
            out[0] = if odd { 1.0 + 1e-14 } else { 1.0 };
        };
        let state: (&mut [f64], &mut [f64]) = (&mut [0.0], &mut [0.0]);
        assert!(GaussRule::new().step(&noisy, 0.0, 1.0, state, &mut StageBuffers::new(1)));
    }
}
