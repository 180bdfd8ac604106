//! The range of an axis, and the map from values to fractions of its length.

use super::plot::Scale;
use libm::log10;

/// Padding of an automatic range at either end, in lengths of the range.
pub(crate) const PAD: f64 = 0.05;

/// Range of an axis in axis coordinates: the value itself, or its decimal logarithm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct AxisRange {
    pub(crate) scale: Scale,
    /// Lower end; finite.
    pub(crate) lo: f64,
    /// Upper end; finite and above `lo`.
    pub(crate) hi: f64,
}

/// Returns the smallest and the largest of the values that `scale` can show, in axis coordinates.
pub(crate) fn extent(scale: Scale, values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values
        .filter_map(|v| coordinate(scale, v))
        .fold(None, |ends, v| match ends {
            None => Some((v, v)),
            Some((lo, hi)) => Some((v.min(lo), v.max(hi))),
        })
}

/// Returns the value in axis coordinates; `None` if the axis cannot show the value.
pub(crate) fn coordinate(scale: Scale, value: f64) -> Option<f64> {
    match scale {
        Scale::Linear => value.is_finite().then_some(value),
        Scale::Log10 => (value.is_finite() && value > 0.0).then(|| log10(value)),
    }
}

impl AxisRange {
    /// Returns the range asked for, else that of the data with `pad` of its length added at either end.
    pub(crate) fn new(
        scale: Scale,
        asked: Option<(f64, f64)>,
        data: Option<(f64, f64)>,
        pad: f64,
    ) -> AxisRange {
        let asked = asked.and_then(|(a, b)| {
            let (a, b) = (coordinate(scale, a)?, coordinate(scale, b)?);
            (a != b).then_some((a.min(b), a.max(b)))
        });
        let (lo, hi) = match (asked, data) {
            (Some(ends), _) => ends,
            (None, None) => (0.0, 1.0),
            (None, Some((lo, hi))) if lo == hi => {
                let half = match scale {
                    Scale::Linear if lo == 0.0 => 1.0,
                    Scale::Linear => 0.05 * lo.abs(),
                    Scale::Log10 => 0.5,
                };
                (lo - half, hi + half)
            }
            (None, Some((lo, hi))) => {
                let more = pad * hi - pad * lo;
                (lo - more, hi + more)
            }
        };
        AxisRange::legible(scale, lo, hi)
    }

    /// Returns a range whose ends are finite and far enough apart for the arithmetic of ticks.
    fn legible(scale: Scale, lo: f64, hi: f64) -> AxisRange {
        const MOST: f64 = f64::MAX;
        let (mut lo, mut hi) = (lo.clamp(-MOST, MOST), hi.clamp(-MOST, MOST));
        let least = match scale {
            Scale::Linear => (32.0 * f64::EPSILON * lo.abs().max(hi.abs())).max(1e-290),
            Scale::Log10 => 1e-6,
        };
        if 0.5 * hi - 0.5 * lo < 0.5 * least {
            let middle = 0.5 * lo + 0.5 * hi;
            (lo, hi) = (middle - 0.5 * least, middle + 0.5 * least);
            (lo, hi) = (lo.clamp(-MOST, MOST), hi.clamp(-MOST, MOST));
        }
        AxisRange { scale, lo, hi }
    }

    /// Returns the value at a place in axis coordinates.
    pub(crate) fn value(&self, coordinate: f64) -> f64 {
        match self.scale {
            Scale::Linear => coordinate,
            Scale::Log10 => libm::pow(10.0, coordinate),
        }
    }

    /// Returns the place of `value` along the axis: 0 at the lower end, 1 at the upper. Values far outside get a large
    /// finite number; `None` if the axis cannot show the value.
    pub(crate) fn fraction(&self, value: f64) -> Option<f64> {
        const FAR: f64 = 1e4;
        let v = coordinate(self.scale, value)?;
        // Halves, because the length of the range may not be representable.
        let fraction = (0.5 * v - 0.5 * self.lo) / (0.5 * self.hi - 0.5 * self.lo);
        Some(fraction.clamp(-FAR, FAR))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_never_empty() {
        for c in [0.0, 1.0, -3e-310, 5e-324, f64::MAX, -f64::MAX, 1269.975] {
            let s = AxisRange::new(Scale::Linear, None, Some((c, c)), 0.05);
            assert!(s.lo < s.hi && s.lo.is_finite() && s.hi.is_finite(), "{s:?}");
            let f = s.fraction(c).expect("finite");
            assert!((-0.02..=1.02).contains(&f), "{c}: {f}");
        }
        let all = AxisRange::new(Scale::Linear, None, Some((-f64::MAX, f64::MAX)), 0.05);
        assert!((all.fraction(0.0).expect("finite") - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_useless_request_is_ignored() {
        let data = Some((1.0, 3.0));
        let auto = AxisRange::new(Scale::Linear, None, data, 0.0);
        for asked in [(1.0, 1.0), (f64::NAN, 2.0), (0.0, f64::INFINITY)] {
            assert_eq!(AxisRange::new(Scale::Linear, Some(asked), data, 0.0), auto);
        }
        let turned = AxisRange::new(Scale::Linear, Some((5.0, 2.0)), data, 0.0);
        assert_eq!((turned.lo, turned.hi), (2.0, 5.0));
        let log = AxisRange::new(Scale::Log10, Some((0.0, 2.0)), Some((-3.0, -1.0)), 0.0);
        assert_eq!((log.lo, log.hi), (-3.0, -1.0));
    }
}
