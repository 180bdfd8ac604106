//! Places and labels of the ticks of an axis.

use super::axis_range::{AxisRange, PAD};
use super::number::{fixed, length, power_of_ten, short};
use super::plot::Scale;
use libm::{log10, pow};

/// A labelled tick.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tick {
    /// Place along the axis, 0 to 1.
    pub(crate) at: f64,
    pub(crate) label: String,
}

/// Ticks of an axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Ticks {
    /// Labelled ticks, in order.
    pub(crate) major: Vec<Tick>,
    /// Places of ticks without a label along the axis.
    pub(crate) minor: Vec<f64>,
    /// Factor and offset of the labels, if there are any: `×10⁻⁴ + 1269.975`.
    pub(crate) note: Option<String>,
}

/// Returns the richest set of ticks that `fits`; the poorest set if none does.
pub(crate) fn choose(span: &AxisRange, fits: impl Fn(&Ticks) -> bool) -> Ticks {
    let all = match span.scale {
        Scale::Linear => linear(span),
        Scale::Log10 => logarithmic(span),
    };
    let last = all.last().cloned().unwrap_or_default();
    all.into_iter().find(|t| fits(t)).unwrap_or(last)
}

fn linear(span: &AxisRange) -> Vec<Ticks> {
    [9, 7, 6, 5, 4, 3, 2].map(|count| even(span, count)).into()
}

/// Returns about `count` ticks at multiples of 1, 2 or 5 times a power of ten.
fn even(span: &AxisRange, count: u32) -> Ticks {
    let (lo, hi) = (span.lo, span.hi);
    let raw = (hi / f64::from(count)) - (lo / f64::from(count));
    let mut exponent = log10(raw).floor() as i32;
    let power = decimal(1, exponent);
    let factor = if raw <= power {
        1
    } else if raw <= 2.0 * power {
        2
    } else if raw <= 5.0 * power {
        5
    } else {
        exponent += 1;
        1
    };
    let step = decimal(factor, exponent);
    let slack = 1e-9;
    // Ticks are exact integers, so that rounding of the places does not reach the labels.
    let first = (lo / step).floor() as i128 - 1;
    let last = ((hi / step).ceil() as i128 + 1).min(first + 100);
    let inside: Vec<(i128, f64)> = (first..=last)
        .filter_map(|i| {
            let digits = i * factor;
            let at = span.fraction(decimal(digits, exponent))?;
            (-slack..=1.0 + slack).contains(&at).then_some((digits, at))
        })
        .collect();
    let digits: Vec<i128> = inside.iter().map(|t| t.0).collect();
    let (labels, note) = labels(&digits, exponent);
    let places = inside.iter().map(|t| t.1);
    let tick = |(at, label)| Tick { at, label };
    Ticks {
        major: places.zip(labels).map(tick).collect(),
        minor: Vec::new(),
        note,
    }
}

/// Returns the double nearest to `digits × 10^exponent`.
fn decimal(digits: i128, exponent: i32) -> f64 {
    format!("{digits}e{exponent}").parse().unwrap_or(f64::NAN)
}

/// Returns the labels of the numbers `digits × 10^exponent`, and the note with their factor and offset.
fn labels(digits: &[i128], exponent: i32) -> (Vec<String>, Option<String>) {
    let offset = offset(digits);
    let mut rest: Vec<i128> = digits.iter().map(|d| d - offset).collect();
    let mut exponent_rest = exponent;
    while rest.iter().any(|d| *d != 0) && rest.iter().all(|d| d % 10 == 0) {
        rest.iter_mut().for_each(|d| *d /= 10);
        exponent_rest += 1;
    }
    let largest = rest.iter().map(|d| length(*d)).max().unwrap_or(1) as i32;
    // Power of ten of the leading digit of the largest label.
    let lead = exponent_rest + largest - 1;
    let plain = lead < 5 && exponent_rest >= -3;
    let power = if plain { 0 } else { lead };
    let decimals = (exponent_rest - power).min(0);
    let ten = 10_i128.pow((exponent_rest - power).max(0).unsigned_abs());
    let labels = rest.iter().map(|d| fixed(d * ten, decimals)).collect();
    let times = (power != 0).then(|| format!("×{}", power_of_ten(power)));
    let sign = if offset < 0 { '−' } else { '+' };
    let number = short(offset.abs(), exponent);
    let note = match (times, offset) {
        (times, 0) => times,
        (None, _) => Some(format!("{sign}{number}")),
        (Some(times), _) => Some(format!("{times} {sign} {number}")),
    };
    (labels, note)
}

/// Returns the roundest of the ticks if its subtraction makes the labels much shorter; else zero.
fn offset(digits: &[i128]) -> i128 {
    let zeros = |d: i128| {
        let mut d = d;
        let mut count = 0;
        while d != 0 && d % 10 == 0 {
            d /= 10;
            count += 1;
        }
        count
    };
    if digits.len() < 2 || digits.contains(&0) {
        return 0;
    }
    let mut roundest = digits[0];
    for &d in digits {
        if zeros(d) > zeros(roundest) {
            roundest = d;
        }
    }
    let common = digits.iter().map(|d| zeros(*d)).min().unwrap_or(0);
    let longest = |shift: i128| {
        let most = digits.iter().map(|d| length(d - shift)).max();
        most.unwrap_or(1).saturating_sub(common)
    };
    let (full, rest) = (longest(0), longest(roundest));
    if full >= 6 && full >= rest + 3 {
        roundest
    } else {
        0
    }
}

fn logarithmic(span: &AxisRange) -> Vec<Ticks> {
    // Ends of the data often are powers of ten, which their logarithms may miss by an ulp.
    let first = (span.lo - 1e-9).ceil() as i32;
    let last = (span.hi + 1e-9).floor() as i32;
    let decades = last - first + 1;
    let place = |exponent: i32, factor: f64| {
        let at = f64::from(exponent) + log10(factor);
        (at - span.lo) / (span.hi - span.lo)
    };
    let inside = |at: &f64| (-1e-6..=1.0 + 1e-6).contains(at);
    let twos_to_nines: Vec<f64> = (first - 1..=last)
        .flat_map(|e| (2..=9).map(move |f| (e, f64::from(f))))
        .map(|(e, f)| place(e, f))
        .filter(inside)
        .collect();
    let mut all = Vec::new();
    if decades <= 2 {
        // A few decades around 1 are easier to read as plain numbers. Below a tenth labels are powers of ten, so that figures
        // beside each other are labelled alike.
        let plain = span.lo > -1.0 - PAD && span.hi < 4.0;
        let with = |factors: &[u8]| {
            let mut major = Vec::new();
            for e in first - 1..=last {
                for &f in factors {
                    let at = place(e, f64::from(f));
                    let label = match f {
                        f if plain => short(f.into(), e),
                        1 => power_of_ten(e),
                        f => format!("{f}×{}", power_of_ten(e)),
                    };
                    if inside(&at) {
                        major.push(Tick { at, label });
                    }
                }
            }
            Ticks {
                major,
                minor: twos_to_nines.clone(),
                note: None,
            }
        };
        let every = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        let richer = [
            with(&[1, 2, 5]),
            with(&every),
            with(&[1, 2, 4, 6, 8]),
            with(&[1, 3]),
        ];
        all.extend(richer.into_iter().filter(|t| t.major.len() >= 3));
        if all.is_empty() && span.lo > -280.0 && span.hi < 290.0 {
            return narrow(span);
        }
    }
    let strides = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500];
    for stride in strides.into_iter().filter(|s| *s < decades.max(2)) {
        let major = (first..=last)
            .filter(|e| e.rem_euclid(stride) == 0)
            .map(|e| Tick {
                at: place(e, 1.0),
                label: power_of_ten(e),
            })
            .collect();
        let minor = match stride {
            1 if decades <= 8 => twos_to_nines.clone(),
            1 => Vec::new(),
            2..=5 => (first..=last).map(|e| place(e, 1.0)).collect(),
            _ => Vec::new(),
        };
        all.push(Ticks {
            major,
            minor,
            note: None,
        });
    }
    all
}

/// Returns ticks for less than about half a decade: evenly spaced values at their logarithmic places.
fn narrow(span: &AxisRange) -> Vec<Ticks> {
    let (lo, hi) = (pow(10.0, span.lo), pow(10.0, span.hi));
    let scale = Scale::Linear;
    let mut all = linear(&AxisRange { scale, lo, hi });
    for tick in all.iter_mut().flat_map(|t| t.major.iter_mut()) {
        let value = lo + tick.at * (hi - lo);
        tick.at = span.fraction(value).unwrap_or(tick.at);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels_of(scale: Scale, lo: f64, hi: f64) -> (Vec<String>, Option<String>) {
        let span = AxisRange { scale, lo, hi };
        let ticks = choose(&span, |t| t.major.len() <= 6);
        let labels = ticks.major.into_iter().map(|t| t.label);
        (labels.collect(), ticks.note)
    }

    #[test]
    fn labels_are_short_and_say_what_they_leave_out() {
        let (labels, note) = labels_of(Scale::Linear, 0.0, 10.0);
        assert_eq!((labels.join(" "), note), ("0 2 4 6 8 10".into(), None));
        let (labels, note) = labels_of(Scale::Linear, 1269.97408, 1269.97501);
        assert_eq!(labels.join(" "), "−8 −6 −4 −2 0");
        assert_eq!(note.as_deref(), Some("×10⁻⁴ + 1269.975"));
        let (labels, note) = labels_of(Scale::Linear, -3.1e-9, 4e-9);
        assert_eq!(labels.join(" "), "−2 0 2 4");
        assert_eq!(note.as_deref(), Some("×10⁻⁹"));
        let (labels, note) = labels_of(Scale::Linear, -0.6, 0.61);
        assert_eq!(labels.join(" "), "−0.5 0.0 0.5");
        assert_eq!(note, None);
    }

    #[test]
    fn decades_are_labelled_by_powers() {
        let (labels, _) = labels_of(Scale::Log10, -13.2, -2.0);
        assert_eq!(labels.join(" "), "10⁻¹² 10⁻¹⁰ 10⁻⁸ 10⁻⁶ 10⁻⁴ 10⁻²");
        let (labels, _) = labels_of(Scale::Log10, -3.1, -1.9);
        assert_eq!(labels.join(" "), "10⁻³ 2×10⁻³ 5×10⁻³ 10⁻²");
        let (labels, _) = labels_of(Scale::Log10, 2.99, 3.31);
        assert_eq!(labels.join(" "), "1000 1200 1400 1600 1800 2000");
    }
}
