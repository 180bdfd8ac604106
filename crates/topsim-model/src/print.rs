//! Digits of written numbers.

use crate::probe::Row;

/// Digits and precision of written numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Print {
    /// True if every number of attitudes is one of single precision.
    pub single_attitude: bool,
    /// True if every number of rates is.
    pub single_rate: bool,
    /// Most significant digits of a number.
    pub digits: i32,
    /// Most digits after the point.
    pub decimals: i32,
}

/// Relative spacing of numbers of single precision, halved.
pub const SINGLE: f64 = 5.96e-8;
/// Digits from which a number is written in full.
const FULL: i32 = 16;

impl Print {
    /// Every digit of double precision.
    pub const WHOLE: Self = Self {
        single_attitude: false,
        single_rate: false,
        digits: 17,
        decimals: 17,
    };

    /// Returns the print of rows, from the shortest decimals of their numbers.
    #[must_use]
    pub fn of(rows: &[Row]) -> Self {
        let is_single = |x: &f64| f64::from(*x as f32) == *x || !x.is_finite();
        let parts = |r: &Row| {
            let (attitude, rate) = r.numbers.split_at(r.numbers.len().saturating_sub(3));
            [attitude, rate].map(|part| part.iter().all(is_single))
        };
        // Attitudes of a state in this process are not written.
        let is_written = rows.iter().all(|r| r.numbers.len() > 3);
        let single = |part: usize| (is_written || part > 0) && rows.iter().all(|r| parts(r)[part]);
        let (mut digits, mut decimals) = (0, 0);
        for x in rows
            .iter()
            .flat_map(|r| &r.numbers)
            .filter(|x| x.is_finite())
        {
            let (n, exponent) = shortest(*x);
            digits = digits.max(n);
            decimals = decimals.max(n - 1 - exponent);
        }
        Self {
            single_attitude: single(0),
            single_rate: single(1),
            digits,
            decimals,
        }
    }

    /// Returns half the spacing of written numbers of attitudes at `x`.
    #[must_use]
    pub fn of_attitude(&self, x: f64) -> f64 {
        self.quantum(self.single_attitude, x)
    }

    /// Returns half the spacing of written numbers of rates at `x`.
    #[must_use]
    pub fn of_rate(&self, x: f64) -> f64 {
        self.quantum(self.single_rate, x)
    }

    fn quantum(&self, single: bool, x: f64) -> f64 {
        let size = x.abs();
        if single {
            return size * SINGLE + 1e-45;
        }
        let rounding = size * 1.2e-16;
        if self.digits >= FULL {
            return rounding;
        }
        let power = |n: i32| 10_f64.powi(n) * 0.5;
        let significant = if size > 0.0 {
            power(size.log10().floor() as i32 + 1 - self.digits)
        } else {
            0.0
        };
        rounding.max(significant).max(power(-self.decimals))
    }

    /// Returns the part of numbers that rows do not hold, relative.
    #[must_use]
    pub fn resolution(&self) -> f64 {
        self.of_attitude(1.0).max(self.of_rate(1.0))
    }
}

/// Number of digits of the shortest decimal of `x`, and its power of ten.
fn shortest(x: f64) -> (i32, i32) {
    let text = format!("{:e}", x.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = mantissa.chars().filter(char::is_ascii_digit).count();
    (digits as i32, exponent.parse().unwrap_or(0))
}
