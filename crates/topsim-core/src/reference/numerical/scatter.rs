//! Propagation of the rounding of the start and of each step along a solution.
//!
//! Small perturbations of the state follow the variational equation, whose right-hand side is taken by central
//! differences. Each member of an ensemble starts with a rounding of random signs and adds another at each
//! step: of the state at which the slopes are evaluated, and of the slopes. Half of the members keep their
//! signs, as a rounded coefficient does; the others draw new ones.

use super::{Equations, NodalSolution, PARTS, StateParts};

const MEMBERS: usize = 24;
/// Unit round-off.
const ROUNDING: f64 = 0.5 * f64::EPSILON;
/// Relative size of the perturbations in the central differences: small enough to be linear, and far above
/// round-off.
const SMALL: f64 = 1e-6;

/// Returns the standard deviations of the propagated rounding at each node, part by part.
pub(super) fn scatter(motion: &impl Equations, nodes: &NodalSolution) -> Vec<StateParts> {
    let n = nodes.dimension;
    let mut signs = Signs(0);
    let mut sizes = number_sizes(motion, nodes.state(0));
    let mut members: Vec<Perturbation> = (0..MEMBERS)
        .map(|m| {
            let signs = signs.draw(n);
            let start = signs
                .iter()
                .zip(&sizes)
                .map(|(s, size)| 2.0 * ROUNDING * s * size);
            Perturbation {
                change: start.collect(),
                keeps: m % 2 == 0,
                signs,
            }
        })
        .collect();
    let mut out = vec![deviations(motion, nodes.state(0), &members)];
    let mut slope = vec![0.0; n];
    let last = nodes.times.len() - 1;
    // Segments have an even number of steps: two of them make one step of the classical Runge–Kutta method.
    for k in (0..last).step_by(2) {
        let (times, h) = (&nodes.times[k..], nodes.times[k + 2] - nodes.times[k]);
        sizes = number_sizes(motion, nodes.state(k + 1));
        motion.slope(times[1], nodes.state(k + 1), &mut slope);
        let slope_sizes = motion.slope_sizes(times[1], nodes.state(k + 1), &slope);
        for member in &mut members {
            if !member.keeps {
                member.signs = signs.draw(n);
            }
            let rounded: Vec<f64> = sizes
                .iter()
                .zip(&member.signs)
                .map(|(size, sign)| ROUNDING * size * sign)
                .collect();
            let grow = |node: usize, add: Option<(&[f64], f64)>| {
                let mut change = member.change.clone();
                for (i, change) in change.iter_mut().enumerate() {
                    *change += rounded[i] + add.map_or(0.0, |(slope, h)| h * slope[i]);
                }
                slope_change(motion, times[node], nodes.state(k + node), &change, &sizes)
            };
            let k1 = grow(0, None);
            let k2 = grow(1, Some((&k1, 0.5 * h)));
            let k3 = grow(1, Some((&k2, 0.5 * h)));
            let k4 = grow(2, Some((&k3, h)));
            for i in 0..n {
                let own = ROUNDING * slope_sizes[i] * member.signs[i];
                let mean = (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]) / 6.0;
                member.change[i] += h * (mean + own);
            }
        }
        let found = deviations(motion, nodes.state(k + 2), &members);
        let before: StateParts = out[k];
        out.push(core::array::from_fn(|p| before[p].max(found[p])));
        out.push(found);
    }
    out
}

/// Returns the size of each number of a state.
fn number_sizes(motion: &impl Equations, y: &[f64]) -> Vec<f64> {
    let parts = motion.part_sizes(y);
    let size = |i: usize| {
        let (part, unit) = motion.part_of(i);
        parts[part] / unit
    };
    (0..y.len()).map(size).collect()
}

struct Perturbation {
    change: Vec<f64>,
    keeps: bool,
    signs: Vec<f64>,
}

/// Returns the standard deviations of the sum of both kinds of rounding.
fn deviations(motion: &impl Equations, y: &[f64], members: &[Perturbation]) -> StateParts {
    let mut squares = [0.0; PARTS];
    for member in members {
        let size = member.change.iter().fold(0.0_f64, |m, c| m.max(c.abs()));
        let scale = if size > 0.0 { SMALL / size } else { 1.0 };
        let moved: Vec<f64> = y
            .iter()
            .zip(&member.change)
            .map(|(y, c)| y + scale * c)
            .collect();
        for (square, part) in squares.iter_mut().zip(motion.differences(y, &moved)) {
            *square += (part / scale) * (part / scale);
        }
    }
    squares.map(|square| (2.0 * square / MEMBERS as f64).sqrt())
}

/// Returns the derivative of the slope in the direction of a change.
fn slope_change(
    motion: &impl Equations,
    t: f64,
    y: &[f64],
    change: &[f64],
    sizes: &[f64],
) -> Vec<f64> {
    let relative = |(c, size): (&f64, &f64)| c.abs() / if *size > 0.0 { *size } else { 1.0 };
    let size = change.iter().zip(sizes).map(relative).fold(0.0, f64::max);
    let scale = if size > 0.0 { SMALL / size } else { 1.0 };
    let slope = |sign: f64| {
        let moved: Vec<f64> = y
            .iter()
            .zip(change)
            .map(|(y, c)| y + sign * scale * c)
            .collect();
        let mut slope = vec![0.0; y.len()];
        motion.slope(t, &moved, &mut slope);
        slope
    };
    let (up, down) = (slope(1.0), slope(-1.0));
    let difference = |(up, down): (&f64, &f64)| (up - down) / (2.0 * scale);
    up.iter().zip(&down).map(difference).collect()
}

/// Generator of random signs that are the same in each run.
struct Signs(u64);

impl Signs {
    fn draw(&mut self, n: usize) -> Vec<f64> {
        let mut one = || {
            // SplitMix64.
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            if (z >> 63) == 0 { 1.0 } else { -1.0 }
        };
        (0..n).map(|_| one()).collect()
    }
}
