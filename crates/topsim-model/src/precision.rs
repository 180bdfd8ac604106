//! With how many digits numbers are written, and whether the solver keeps its state in single precision.

use crate::probe::Row;

/// Precision of written numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precision {
    /// Relative precision of a number: 2e-16, or more where fewer digits are written.
    pub digits: f64,
    /// Whether all numbers are those of single precision.
    pub single: bool,
}

/// Relative precision of double and single numbers.
const DOUBLE: f64 = 2e-16;
const SINGLE: f64 = 6e-8;

/// Whether it is a number of single precision, or the shortest decimal of one: programs that print single numbers print
/// that, which as a double is not one of them.
fn is_single(x: f64) -> bool {
    let single = x as f32;
    let shortest = || {
        let text = format!("{single:e}");
        text.parse::<f64>().is_ok_and(|y| y == x)
    };
    x == f64::from(single) || shortest()
}

/// Significant digits with which the number can be written.
fn significant(x: f64) -> usize {
    let text = format!("{x:e}");
    let mantissa = text.split('e').next().unwrap_or_default();
    mantissa.chars().filter(char::is_ascii_digit).count()
}

/// Digits after the point with which it can be written.
fn decimals(x: f64) -> usize {
    let text = format!("{x}");
    text.split_once('.').map_or(0, |(_, d)| d.len())
}

/// Returns the relative precision with which the numbers of rows are written: the worse of attitudes and rates.
pub fn written<'a>(rows: impl Iterator<Item = &'a Row> + Clone) -> f64 {
    let part = |rates: bool| {
        let numbers = rows.clone().flat_map(move |r| {
            let (attitude, rate) = r.numbers.split_at(r.numbers.len().saturating_sub(3));
            if rates { rate } else { attitude }.iter().copied()
        });
        digits(&kept(numbers))
    };
    part(false).max(part(true))
}

/// Decimals to which rates may be rounded.
const DECIMALS: core::ops::RangeInclusive<i32> = 4..=10;
/// Rates of fewer units tell no unit.
const UNITS: f64 = 1e3;
/// Part of a unit by which a whole number of them may be off.
const WHOLE: f64 = 1e-4;
/// Fewer rates tell no unit.
const FEWEST_RATES: usize = 100;

/// Returns the largest power of ten, rad/s, of which all rates are whole numbers.
pub fn decimal_unit<'a>(rows: impl Iterator<Item = &'a Row>) -> Option<f64> {
    let rates: Vec<f64> = rows.flat_map(|r| r.rate.as_slice()).copied().collect();
    let is_unit = |decimals: &i32| {
        let count = |x: &f64| x.abs() * 10.0_f64.powi(*decimals);
        let many = rates.iter().filter(|x| count(x) > UNITS).count();
        many > FEWEST_RATES
            && rates
                .iter()
                .all(|x| (count(x) - count(x).round()).abs() < WHOLE)
    };
    let decimals = DECIMALS.into_iter().find(is_unit)?;
    Some(10.0_f64.powi(-decimals))
}

/// Returns the precision of the numbers of rows: the worse of attitudes and rates.
pub fn of_rows<'a, I: Iterator<Item = &'a Row>>(rows: impl Fn() -> I) -> Precision {
    let part = |rates: bool| {
        precision(rows().flat_map(move |r| {
            let (attitude, rate) = r.numbers.split_at(r.numbers.len().saturating_sub(3));
            if rates { rate } else { attitude }.iter().copied()
        }))
    };
    let [attitude, rate] = [part(false), part(true)];
    Precision {
        digits: attitude.digits.max(rate.digits),
        single: attitude.single || rate.single,
    }
}

/// Returns the numbers whose digits tell something: each once, since a given number that stays tells nothing of the digits with
/// which others are written.
fn kept(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let told = numbers.filter(|x| x.is_finite() && *x != 0.0 && x.abs() != 1.0);
    let mut all: Vec<f64> = told.collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// Fewer numbers do not tell with how many digits they are written.
const FEWEST: usize = 20;

/// Number of digits that the shortest decimals of doubles with all their digits have at least: 15 to 17.
const ALL: usize = 15;

/// Returns the relative precision of numbers by their decimals.
fn digits(numbers: &[f64]) -> f64 {
    if numbers.len() < FEWEST {
        return DOUBLE;
    }
    let written = |n: usize| 10_f64.powi(-(n as i32));
    let (mut d, mut s) = (0, 0);
    for x in numbers {
        d = d.max(decimals(*x));
        s = s.max(significant(*x));
        // More numbers change nothing, and to write all of them takes longer than to judge them.
        if d >= ALL && s >= ALL {
            return DOUBLE;
        }
    }
    if d < ALL && s > d {
        DOUBLE.max(0.5 * written(d))
    } else if s < ALL {
        DOUBLE.max(0.5 * written(s - 1))
    } else {
        DOUBLE
    }
}

/// Returns the precision of all numbers that a solver has written.
pub fn precision(numbers: impl Iterator<Item = f64>) -> Precision {
    let numbers = kept(numbers);
    let digits = digits(&numbers);
    // Numbers of seven digits and less are numbers of single precision by chance.
    let many = numbers.len() >= FEWEST && numbers.iter().any(|x| significant(*x) > 7);
    let single = many && numbers.iter().all(|x| is_single(*x));
    Precision {
        digits: if single { digits.max(SINGLE) } else { digits },
        single,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_counted_as_they_were_written() {
        let x = |k: i32| f64::from(k).sin() * 3.0;
        let of = |f: &dyn Fn(f64) -> f64| precision((1..200).map(|k| f(x(k))));
        let read = |text: String| text.parse::<f64>().unwrap();
        assert_eq!(of(&|x| x).digits, DOUBLE);
        assert!(of(&|x| f64::from(x as f32)).single);
        assert!(of(&|x| read(format!("{}", x as f32))).single);
        let six = of(&|x| read(format!("{x:.6}")));
        assert!(
            !six.single && (six.digits / 5e-7 - 1.0).abs() < 1e-9,
            "{six:?}"
        );
        let nine = of(&|x| read(format!("{x:.8e}")));
        assert!((nine.digits / 5e-9 - 1.0).abs() < 1e-9, "{nine:?}");
        // A rate that stays as it was given has the digits of what was given.
        assert_eq!(of(&|_| 1.25).digits, DOUBLE);
    }
}
