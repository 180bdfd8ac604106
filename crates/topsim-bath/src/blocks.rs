//! Means of correlated samples with their errors, by averages over blocks of 1, 2, 4, … samples (Flyvbjerg & Petersen, J. Chem. Phys. 91, 461, 1989).
//!
//! The error of the mean that blocks of length B show grows with B until blocks are longer than the correlation, and stays then. The plateau is taken at the
//! first length with B³ > 2 N (v_B / v_1)², with the variance v of the mean (Lee et al., Phys. Rev. E 83, 066706, 2011): longer blocks cost more
//! certainty of the error than they take off its bias. Where longer blocks show more all the same, beyond what chance makes of them, the plateau is theirs: samples of
//! many rotors, written frame by frame, are correlated over the length of a frame and not below.

/// Number of lengths of blocks: 2⁴⁰ samples are more than a file has.
const LEVELS: usize = 40;
/// Fewest blocks whose scatter is an error: with 32 it is known to an eighth, and Student's expansion below has its digits.
const LEAST_BLOCKS: u64 = 32;
/// Standard deviations of the variance that blocks show, above which it is larger than that of shorter blocks: with 39 statistics and some ten lengths, chance
/// alone does that in one of 10 000 files.
const LARGER: f64 = 5.0;
/// Number of longer lengths that must confirm a plateau of such blocks.
const CONFIRMING: usize = 2;

/// Sums over blocks of one length.
#[derive(Debug, Clone)]
struct BlockLevel<const N: usize> {
    count: u64,
    sum: [f64; N],
    squares: [f64; N],
    /// Block that waits for its neighbour.
    waiting: Option<[f64; N]>,
}

/// Means of N quantities, which grow sample by sample; the memory does not depend on their number.
#[derive(Debug, Clone)]
pub struct BlockMeans<const N: usize> {
    levels: Vec<BlockLevel<N>>,
}

/// Mean with its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockMean {
    /// Mean of all samples.
    pub mean: f64,
    /// Standard deviation of a sample.
    pub deviation: f64,
    /// Standard error of the mean, and the number of blocks that show it; none if no length of blocks shows a plateau.
    pub error: Option<(f64, u64)>,
}

impl<const N: usize> Default for BlockMeans<N> {
    fn default() -> Self {
        let level = BlockLevel {
            count: 0,
            sum: [0.0; N],
            squares: [0.0; N],
            waiting: None,
        };
        Self {
            levels: vec![level; LEVELS],
        }
    }
}

impl<const N: usize> BlockMeans<N> {
    /// Adds a sample. The numbers should be near zero, such as deviations from exact means.
    pub fn add(&mut self, sample: [f64; N]) {
        let mut block = sample;
        for level in &mut self.levels {
            level.count += 1;
            for (i, x) in block.iter().enumerate() {
                level.sum[i] += x;
                level.squares[i] += x * x;
            }
            let Some(first) = level.waiting.take() else {
                level.waiting = Some(block);
                return;
            };
            for (x, y) in block.iter_mut().zip(&first) {
                *x = 0.5 * (*x + y);
            }
        }
    }

    /// Returns the number of samples.
    pub fn count(&self) -> u64 {
        self.levels[0].count
    }

    /// Returns the mean of a quantity.
    pub fn mean(&self, i: usize) -> BlockMean {
        let all = self.count() as f64;
        let first = self.variance(0, i);
        let plateau = (0..LEVELS).find(|k| {
            let length = (1_u64 << k) as f64;
            let ratio = match first {
                0.0 => 1.0,
                first => self.variance(*k, i) / first,
            };
            length.powi(3) > 2.0 * all * ratio * ratio
        });
        let usable = |k: &usize| self.levels[*k].count >= LEAST_BLOCKS;
        let longest = (0..LEVELS).rfind(usable);
        let error = plateau
            .filter(usable)
            .zip(longest)
            .and_then(|(first, longest)| {
                let mut k = first;
                for longer in first + 1..=longest {
                    let blocks = self.levels[longer].count;
                    let chance = 1.0 + LARGER * (2.0 / (blocks - 1) as f64).sqrt();
                    if self.variance(longer, i) > chance * self.variance(k, i) {
                        k = longer;
                    }
                }
                let holds = k == first || k + CONFIRMING <= longest;
                holds.then(|| (self.variance(k, i).sqrt(), self.levels[k].count))
            });
        BlockMean {
            mean: self.levels[0].sum[i] / all,
            deviation: (first * (all - 1.0)).sqrt(),
            error,
        }
    }

    /// Returns the variance of the mean that blocks of a length show.
    fn variance(&self, k: usize, i: usize) -> f64 {
        let level = &self.levels[k];
        let n = level.count as f64;
        let mean = level.sum[i] / n;
        (level.squares[i] / n - mean * mean).max(0.0) / (n - 1.0)
    }
}

/// Returns how many standard errors a mean of `blocks` normal numbers exceeds as rarely as a normal number exceeds `z` standard deviations: Student's
/// distribution, by the expansion of Abramowitz & Stegun 26.7.5.
pub fn student(z: f64, blocks: u64) -> f64 {
    let n = (blocks.max(2) - 1) as f64;
    let y = z * z;
    let first = (y + 1.0) / (4.0 * n);
    let second = ((5.0 * y + 16.0) * y + 3.0) / (96.0 * n * n);
    let third = (((3.0 * y + 19.0) * y + 17.0) * y - 15.0) / (384.0 * n * n * n);
    z * (1.0 + first + second + third)
}

#[cfg(test)]
mod tests {
    use super::*;
    use topsim_core::math::Random;

    /// The mean of a Gaussian process with the correlation a^k has the variance (1 + a)/(1 − a)/N: its error scatters over 40 of them by what the
    /// blocks say.
    #[test]
    fn errors_know_the_correlation() {
        let (mut ratio, n) = (0.0, 20_000);
        for seed in 0..40 {
            let (mut random, mut x, a) = (Random::new(seed), 0.0, 0.9_f64);
            let mut blocks = BlockMeans::default();
            for _ in 0..n {
                x = a * x + (1.0 - a * a).sqrt() * random.normal();
                blocks.add([x]);
            }
            let (error, _) = blocks.mean(0).error.unwrap();
            let exact = ((1.0 + a) / (1.0 - a) / f64::from(n)).sqrt();
            ratio += error / exact / 40.0;
        }
        assert!((0.9..1.1).contains(&ratio), "{ratio}");
    }

    /// Returns the mean of rotors that are written frame by frame, and move by 1 − a from one frame to the next.
    fn frames(rotors: usize, frames: usize, a: f64) -> BlockMean {
        let mut random = Random::new(2);
        let mut all: Vec<f64> = (0..rotors).map(|_| random.normal()).collect();
        let mut blocks = BlockMeans::default();
        for _ in 0..frames {
            for x in &mut all {
                *x = a * *x + (1.0 - a * a).sqrt() * random.normal();
                blocks.add([*x]);
            }
        }
        blocks.mean(0)
    }

    #[test]
    fn errors_know_frames_of_many_rotors() {
        let a = 0.7_f64;
        let (error, _) = frames(100, 4000, a).error.unwrap();
        let exact = ((1.0 + a) / (1.0 - a) / 4e5).sqrt();
        assert!((0.6..1.4).contains(&(error / exact)), "{error} {exact}");
        // With few frames that hardly differ, no length of blocks shows the correlation.
        assert_eq!(frames(500, 200, 0.9).error, None);
    }

    #[test]
    fn what_is_correlated_throughout_has_no_error() {
        let mut blocks = BlockMeans::default();
        (0..10_000).for_each(|i| blocks.add([f64::from(i)]));
        assert_eq!(blocks.mean(0).error, None);
    }

    #[test]
    fn student_s_limits_are_those_of_tables() {
        // Two-sided probability 5.733e-7: five standard deviations of a normal number.
        for (blocks, limit) in [(32, 6.25), (64, 5.57), (1_000_000, 5.0)] {
            assert!((student(5.0, blocks) - limit).abs() < 0.06, "{blocks}");
        }
    }
}
