//! Colours for numbers: even steps to the eye, also in grey and to the colour-blind.

use super::canvas::Colour;
use libm::pow;

/// "viridis" by S. van der Walt and N. Smith (matplotlib 2.0, 2015, CC0) at 33 equal steps.
const VIRIDIS: [Colour; 33] = [
    (68, 1, 84),
    (71, 13, 96),
    (72, 24, 106),
    (72, 35, 116),
    (71, 45, 123),
    (69, 55, 129),
    (66, 64, 134),
    (62, 73, 137),
    (59, 82, 139),
    (55, 91, 141),
    (51, 99, 141),
    (47, 107, 142),
    (44, 114, 142),
    (41, 122, 142),
    (38, 130, 142),
    (35, 137, 142),
    (33, 145, 140),
    (31, 151, 139),
    (31, 159, 136),
    (33, 166, 133),
    (39, 173, 129),
    (49, 181, 123),
    (61, 188, 116),
    (76, 194, 108),
    (92, 200, 99),
    (110, 206, 88),
    (129, 211, 77),
    (149, 216, 64),
    (170, 220, 50),
    (192, 223, 37),
    (213, 226, 26),
    (234, 229, 26),
    (253, 231, 37),
];

/// The colour at a fraction of the ramp: bright yellow at 0, dark violet at 1.
pub fn colour(fraction: f64) -> Colour {
    let last = VIRIDIS.len() - 1;
    let place = (1.0 - fraction.clamp(0.0, 1.0)) * last as f64;
    let below = (place as usize).min(last - 1);
    let part = place - below as f64;
    let mix = |a: u8, b: u8| (f64::from(a) + part * (f64::from(b) - f64::from(a))).round() as u8;
    let (a, b) = (VIRIDIS[below], VIRIDIS[below + 1]);
    (mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

/// Mixes colours as light does: means of intensities, not of their codes (IEC 61966-2-1).
pub struct Mixer {
    /// Intensity of each code.
    light: [f64; 256],
}

impl Mixer {
    /// Makes the table.
    pub fn new() -> Self {
        let light = |code: usize| {
            let c = code as f64 / 255.0;
            if c <= 0.04045 {
                c / 12.92
            } else {
                pow((c + 0.055) / 1.055, 2.4)
            }
        };
        Self {
            light: std::array::from_fn(light),
        }
    }

    /// The mean of some colours, each so many times.
    pub fn mean(&self, parts: &[(Colour, u64)]) -> Colour {
        let all: u64 = parts.iter().map(|p| p.1).sum();
        let channel = |which: fn(Colour) -> u8| {
            let light = |p: &(Colour, u64)| self.light[usize::from(which(p.0))] * p.1 as f64;
            let mean = parts.iter().map(light).sum::<f64>() / all as f64;
            // The nearest code.
            let above = self.light.partition_point(|l| *l < mean).min(255);
            let below = above.saturating_sub(1);
            if mean - self.light[below] < self.light[above] - mean {
                below as u8
            } else {
                above as u8
            }
        };
        (channel(|c| c.0), channel(|c| c.1), channel(|c| c.2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ramp_gets_darker_all_the_way() {
        let mixer = Mixer::new();
        let light = |c: Colour| {
            let l = |v: u8| mixer.light[usize::from(v)];
            0.2126 * l(c.0) + 0.7152 * l(c.1) + 0.0722 * l(c.2)
        };
        let all: Vec<f64> = (0..=100)
            .map(|k| light(colour(f64::from(k) / 100.0)))
            .collect();
        assert!(all.windows(2).all(|w| w[1] < w[0]));
        assert_eq!((colour(-3.0), colour(9.0)), (VIRIDIS[32], VIRIDIS[0]));
    }

    #[test]
    fn a_mean_lies_between() {
        let mixer = Mixer::new();
        let (a, b) = ((0, 200, 7), (255, 200, 9));
        assert_eq!(mixer.mean(&[(a, 3)]), a);
        // Half the light of white is code 188.
        assert_eq!(mixer.mean(&[(a, 5), (b, 5)]), (188, 200, 8));
        assert_eq!(mixer.mean(&[(a, 0), (b, 1)]), b);
    }
}
