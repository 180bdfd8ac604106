//! A number, or the reason for which there is none: in files a number, or a text.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::Display;

/// The form in files.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum NumberOrReason<T> {
    /// A number, or several.
    Number(T),
    /// The reason for which there is none.
    Reason(String),
}

pub(crate) fn serialize<T: Serialize, E: Display, S: Serializer>(
    value: &Result<T, E>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Ok(number) => number.serialize(to),
        Err(reason) => to.collect_str(reason),
    }
}

pub(crate) fn deserialize<'de, T, E, D>(from: D) -> Result<Result<T, E>, D::Error>
where
    T: Deserialize<'de>,
    E: From<String>,
    D: Deserializer<'de>,
{
    Ok(match NumberOrReason::deserialize(from)? {
        NumberOrReason::Number(number) => Ok(number),
        NumberOrReason::Reason(reason) => Err(reason.into()),
    })
}
