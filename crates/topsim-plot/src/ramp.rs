//! A ramp of colours for numbers, with steps that look even, also in grey and to the colour-blind.

use super::canvas::{Colour, rgb};
use libm::pow;

/// "viridis" by S. van der Walt and N. Smith (matplotlib 2.0, 2015, CC0) at 33 equal steps.
const VIRIDIS: [u32; 33] = [
    0x440154, 0x470d60, 0x48186a, 0x482374, 0x472d7b, 0x453781, 0x424086, 0x3e4989, 0x3b528b,
    0x375b8d, 0x33638d, 0x2f6b8e, 0x2c728e, 0x297a8e, 0x26828e, 0x23898e, 0x21918c, 0x1f978b,
    0x1f9f88, 0x21a685, 0x27ad81, 0x31b57b, 0x3dbc74, 0x4cc26c, 0x5cc863, 0x6ece58, 0x81d34d,
    0x95d840, 0xaadc32, 0xc0df25, 0xd5e21a, 0xeae51a, 0xfde725,
];

/// Returns the colour at a fraction of the ramp: bright yellow at 0, dark violet at 1.
pub(crate) fn colour(fraction: f64) -> Colour {
    let last = VIRIDIS.len() - 1;
    let place = (1.0 - fraction.clamp(0.0, 1.0)) * last as f64;
    let below = (place as usize).min(last - 1);
    let part = place - below as f64;
    let mix = |a: u8, b: u8| (f64::from(a) + part * (f64::from(b) - f64::from(a))).round() as u8;
    let (a, b) = (rgb(VIRIDIS[below]), rgb(VIRIDIS[below + 1]));
    (mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

/// Table that mixes colours as light does: by means of intensities, not of codes (IEC 61966-2-1).
pub(crate) struct Mixer {
    /// Intensity of each code.
    light: [f64; 256],
}

impl Mixer {
    pub(crate) fn new() -> Self {
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

    /// Returns the mean of colours, each with the number of times it occurs.
    pub(crate) fn mean(&self, parts: &[(Colour, u64)]) -> Colour {
        let all: u64 = parts.iter().map(|p| p.1).sum();
        let channel = |which: fn(Colour) -> u8| {
            let light = |p: &(Colour, u64)| self.light[usize::from(which(p.0))] * p.1 as f64;
            let mean = parts.iter().map(light).sum::<f64>() / all as f64;
            // The code with the nearest intensity is taken.
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
        assert_eq!(
            (colour(-3.0), colour(9.0)),
            (rgb(VIRIDIS[32]), rgb(VIRIDIS[0]))
        );
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
