//! Checks of numbers: finite, inside their bounds, of the size of their type.

use serde_json::Value;
use toml::Spanned;
use toml::de::{DeInteger, DeValue};

use crate::fault::FaultKind;
use crate::shape::Shape;

use super::Checker;

impl Checker<'_> {
    pub(super) fn integer(
        &mut self,
        shape: &Shape<'_>,
        value: &Spanned<DeValue<'_>>,
        integer: &DeInteger<'_>,
    ) {
        let format = shape.get("format").and_then(Value::as_str);
        let (low, high) = match format.unwrap_or_default() {
            "uint8" => (0, u8::MAX.into()),
            "uint16" => (0, u16::MAX.into()),
            "uint32" => (0, u32::MAX.into()),
            "uint" | "uint64" => (0, u64::MAX.into()),
            "int8" => (i8::MIN.into(), i8::MAX.into()),
            "int16" => (i16::MIN.into(), i16::MAX.into()),
            "int32" => (i32::MIN.into(), i32::MAX.into()),
            _ => (i64::MIN.into(), i128::from(i64::MAX)),
        };
        match int(integer) {
            #[expect(clippy::cast_precision_loss, reason = "the nearest number is judged")]
            Some(i) if (low..=high).contains(&i) => self.bounds(shape, value, i as f64),
            _ => {
                // The bounds of the key count where they are narrower than those of its type.
                #[expect(clippy::cast_possible_truncation, reason = "saturates")]
                let bound = |k, or| shape.number(k).map_or(or, |b| b as i128);
                let (low, high) = (bound("minimum", low), bound("maximum", high));
                let allowed = format!("integers from {low} to {high}");
                self.found(FaultKind::Range, value, "", allowed);
            }
        }
    }

    pub(super) fn bounds(&mut self, shape: &Shape<'_>, value: &Spanned<DeValue<'_>>, x: f64) {
        let inside = shape.number("minimum").is_none_or(|b| x >= b)
            && shape.number("maximum").is_none_or(|b| x <= b)
            && shape.number("exclusiveMinimum").is_none_or(|b| x > b)
            && shape.number("exclusiveMaximum").is_none_or(|b| x < b);
        if !inside {
            self.found(FaultKind::Range, value, "", shape.describe());
        }
    }
}

pub(super) fn int(integer: &DeInteger<'_>) -> Option<i128> {
    i128::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// Returns the text of a number that is not finite or too large for a double.
pub(super) fn not_finite<'v>(value: &'v DeValue<'_>) -> Option<&'v str> {
    let text = value.as_float()?.as_str();
    let finite = text.parse::<f64>().is_ok_and(f64::is_finite);
    (!finite).then_some(text)
}
