//! Decimal numbers in figures, exact: an integer times a power of ten.

/// Largest number of characters of a number that is written without a power of ten.
const LONG: usize = 12;

/// Writes a power of ten: `10⁻³`.
pub(crate) fn power_of_ten(exponent: i32) -> String {
    let digits = exponent.to_string();
    let raised = digits.chars().map(|c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        // The other raised digits follow each other from U+2070.
        c => char::from_u32(0x2070 + c.to_digit(10).unwrap_or(0)).unwrap_or(c),
    });
    "10".chars().chain(raised).collect()
}

/// Writes `digits × 10^exponent` with all its decimals and a true minus sign; `exponent ≤ 0`.
pub(crate) fn fixed(digits: i128, exponent: i32) -> String {
    let decimals = exponent.unsigned_abs() as usize;
    let sign = if digits < 0 { "−" } else { "" };
    let text = format!("{:0>1$}", digits.unsigned_abs(), decimals + 1);
    let (whole, part) = text.split_at(text.len() - decimals);
    if part.is_empty() {
        format!("{sign}{whole}")
    } else {
        format!("{sign}{whole}.{part}")
    }
}

/// Writes `digits × 10^exponent` exactly and as short as possible.
pub(crate) fn short(digits: i128, exponent: i32) -> String {
    let (mut digits, mut exponent) = (digits, exponent);
    if digits == 0 {
        return "0".to_owned();
    }
    while digits % 10 == 0 {
        digits /= 10;
        exponent += 1;
    }
    let count = length(digits);
    let plain = if exponent >= 0 {
        count + exponent as usize
    } else {
        count.max(1 + exponent.unsigned_abs() as usize) + 1
    };
    if plain > LONG.max(count + 2) {
        let lead = count as i32 - 1;
        let mantissa = fixed(digits, -lead);
        return format!("{mantissa}×{}", power_of_ten(exponent + lead));
    }
    if exponent > 0 {
        let zeros = "0".repeat(exponent as usize);
        return fixed(digits, 0) + &zeros;
    }
    fixed(digits, exponent)
}

/// Returns the number of decimal digits; one for zero.
pub(crate) fn length(digits: i128) -> usize {
    digits.unsigned_abs().to_string().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(power_of_ten(-13), "10⁻¹³");
        assert_eq!(power_of_ten(20), "10²⁰");
        assert_eq!(fixed(-5, -3), "−0.005");
        assert_eq!(fixed(1200, -2), "12.00");
        assert_eq!(fixed(0, 0), "0");
        assert_eq!(short(1_269_975, -3), "1269.975");
        assert_eq!(short(12_699_750, -4), "1269.975");
        assert_eq!(short(5, 3), "5000");
        assert_eq!(short(-15, 19), "−1.5×10²⁰");
        assert_eq!(short(1, -30), "1×10⁻³⁰");
        assert_eq!(short(0, 7), "0");
    }
}
