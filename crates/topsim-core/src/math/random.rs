//! Reproducible pseudo-random numbers, the same on every platform.

use super::{Mat3, Vec3, scalar, so3};
use core::f64::consts::PI;

/// SplitMix64 generator (Vigna, prng.di.unimi.it/splitmix64.c).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Returns the generator of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }
    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// Returns a number uniformly distributed in (0, 1).
    pub fn uniform(&mut self) -> f64 {
        ((self.bits() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }
    /// Returns a number of the standard normal distribution (Box–Muller).
    pub fn normal(&mut self) -> f64 {
        let (u, v) = (self.uniform(), self.uniform());
        (-2.0 * scalar::ln(u)).sqrt() * scalar::cos(2.0 * PI * v)
    }
    /// Returns a vector of three standard normal numbers.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.normal(), self.normal(), self.normal())
    }
    /// Returns a vector of length `length` in a random direction.
    pub fn direction(&mut self, length: f64) -> Vec3 {
        self.vector().normalize() * length
    }
    /// Returns a rotation uniformly distributed over SO(3).
    pub fn rotation(&mut self) -> Mat3 {
        let q: [f64; 4] = core::array::from_fn(|_| self.normal());
        let n = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        so3::matrix_from_quat(&q.map(|x| x / n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First numbers of the seed 1234567 in the reference implementation.
    #[test]
    fn the_bits_are_those_of_splitmix64() {
        let mut random = Random::new(1_234_567);
        let first = [(); 3].map(|()| random.bits());
        let known = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(first, known);
    }
}
