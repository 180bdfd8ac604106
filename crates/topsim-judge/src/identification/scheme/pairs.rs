//! Pairs of rules of the ends that have a name.

use super::names::letters;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::LazyLock;
use strict_toml::TomlDocument;
use strum::VariantArray;
use topsim_model::pair::{Form, Quantity};

/// A pair with a name.
pub(super) struct KnownPair {
    pub name: String,
    /// Terms of the rate.
    pub rate: Vec<(Quantity, f64)>,
    /// Terms of the attitude.
    pub attitude: Vec<(Quantity, f64)>,
    /// Its form, if it matters.
    pub form: Option<Form>,
}

/// The table as it is written: terms are such as `3/2 α₀`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Table {
    pair: Vec<Written>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    rate: Vec<String>,
    attitude: Vec<String>,
    form: Option<Form>,
}

/// All pairs with a name.
pub(super) static KNOWN: LazyLock<Vec<KnownPair>> = LazyLock::new(|| {
    let read = TomlDocument::read::<Table>("pairs.toml", include_str!("pairs.toml"));
    let (table, _) = read.expect("a table of pairs");
    let terms = |all: Vec<String>| all.iter().map(|text| term(text)).collect();
    let pair = |pair: Written| KnownPair {
        name: pair.name,
        rate: terms(pair.rate),
        attitude: terms(pair.attitude),
        form: pair.form,
    };
    table.pair.into_iter().map(pair).collect()
});

fn term(text: &str) -> (Quantity, f64) {
    let factor = |text: &str| -> Option<f64> {
        let (size, sign) = text.strip_prefix('−').map_or((text, 1.0), |x| (x, -1.0));
        let (p, q) = size.split_once('/')?;
        Some(sign * p.parse::<f64>().ok()? / q.parse::<f64>().ok()?)
    };
    let with = text
        .split_once(' ')
        .and_then(|(c, q)| Some((factor(c)?, q)));
    let (factor, wanted) = with.unwrap_or((1.0, text));
    let mut all = Quantity::VARIANTS.iter();
    let quantity = all.find(|q| letters(**q) == wanted);
    (*quantity.expect("a quantity of these letters"), factor)
}
