//! Numbers in words.

/// Writes a number for people: six digits, scientific where that is shorter.
pub fn number(x: f64) -> String {
    if x == 0.0 {
        return "0".into();
    }
    let size = x.abs();
    if (1e-3..1e5).contains(&size) {
        // Enough decimals for the digits that tell values apart, trailing zeros cut.
        let text = format!("{x:.9}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        return text.into();
    }
    format!("{x:.4e}")
}

/// Writes a number in three digits, for tables that compare sizes.
pub fn brief(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".into()
    } else if (0.01..100.0).contains(&size) {
        let places = if size < 0.1 {
            4
        } else if size < 1.0 {
            3
        } else if size < 10.0 {
            2
        } else {
            1
        };
        format!("{x:.places$}")
    } else if (100.0..1e6).contains(&size) {
        format!("{x:.0}")
    } else {
        format!("{x:.2e}")
    }
}

/// Writes a number with two decimals, and no minus before zero.
pub fn two(p: f64) -> String {
    format!("{:.2}", if p.abs() < 0.005 { 0.0 } else { p })
}

/// Writes a number of things, such as `1 run` or `9 runs`.
pub fn count(n: u64, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::{brief, count, number};

    #[test]
    fn numbers_for_people() {
        for (x, text) in [
            (0.0, "0"),
            (26.0, "26"),
            (1269.975, "1269.975"),
            (-5.8552e-7, "-5.8552e-7"),
            (1e6, "1.0000e6"),
        ] {
            assert_eq!(number(x), text);
        }
    }

    #[test]
    fn sizes_in_three_digits() {
        for (x, text) in [
            (0.0, "0"),
            (0.01745, "0.0175"),
            (0.4831, "0.483"),
            (-3.104, "-3.10"),
            (45.04, "45.0"),
            (123456.7, "123457"),
            (2.22e-16, "2.22e-16"),
            (1e6, "1.00e6"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(brief(x), text);
        }
    }

    #[test]
    fn things_are_counted() {
        assert_eq!([count(0, "case"), count(1, "case")], ["0 cases", "1 case"]);
    }
}
