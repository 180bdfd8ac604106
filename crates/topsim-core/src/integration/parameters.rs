//! Parameters of a scheme by name, as a case file or a caller gives them.

use serde::de::value::{Error, MapDeserializer};
use serde::de::{DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use std::collections::BTreeMap;

/// A value of a parameter.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(untagged)]
pub enum Parameter {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A number.
    Float(f64),
    /// One of the named choices.
    Text(String),
}

/// Reason why parameters are not those of a scheme.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct ParameterError(#[from] Error);

/// Parameters by name.
#[derive(Debug, Clone, Default, PartialEq, serde::Deserialize)]
#[serde(transparent)]
pub struct Parameters(pub BTreeMap<String, Parameter>);

impl Parameters {
    /// Returns the parameters of a scheme that divides its steps.
    pub fn with_tolerance(tolerance: f64) -> Self {
        [("tolerance", Parameter::Float(tolerance))]
            .into_iter()
            .collect()
    }
    /// Reads the parameters as the fields of a scheme.
    pub(super) fn read<S: DeserializeOwned>(&self) -> Result<S, ParameterError> {
        Ok(S::deserialize(MapDeserializer::new(
            self.0.clone().into_iter(),
        ))?)
    }
}

impl<N: Into<String>> FromIterator<(N, Parameter)> for Parameters {
    fn from_iter<I: IntoIterator<Item = (N, Parameter)>>(all: I) -> Self {
        Self(all.into_iter().map(|(n, p)| (n.into(), p)).collect())
    }
}

impl<'de> IntoDeserializer<'de, Error> for Parameter {
    type Deserializer = Self;
    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Parameter {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Bool(b) => visitor.visit_bool(b),
            Self::Integer(i) => visitor.visit_i64(i),
            Self::Float(x) => visitor.visit_f64(x),
            Self::Text(text) => visitor.visit_string(text),
        }
    }
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Self::Text(text) => text
                .into_deserializer()
                .deserialize_enum(name, variants, visitor),
            other => other.deserialize_any(visitor),
        }
    }
    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// Parameters from lines `name = value`.
#[cfg(test)]
pub(super) fn parse(text: &str) -> Parameters {
    let parameter = |value: &str| match value.trim() {
        "true" => Parameter::Bool(true),
        "false" => Parameter::Bool(false),
        value if value.starts_with('"') => Parameter::Text(value.trim_matches('"').into()),
        value => value.parse().map_or_else(
            |_| Parameter::Float(value.parse().unwrap()),
            Parameter::Integer,
        ),
    };
    let lines = text.lines().map(|line| line.split_once('=').unwrap());
    lines
        .map(|(name, value)| (name.trim(), parameter(value)))
        .collect()
}
