//! Tests of all metrics: names, schema, reading, rules of unknown and missing keys.

use super::*;
use crate::check::rules::{CaseFacts, apply};
use crate::check::{StudyNames, ToleranceFile};
use serde_json::Value as Json;
use strict_toml::{Faults, TomlDocument, schema_of, unsupported};

/// Returns a value that a schema allows, as TOML.
fn example(root: &Json, schema: &Json) -> String {
    let target = schema["$ref"].as_str().map(|r| r.trim_start_matches('#'));
    if let Some(schema) = target.and_then(|t| root.pointer(t)) {
        return example(root, schema);
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(first) = schema[choice].get(0) {
            return example(root, first);
        }
    }
    match (&schema["const"], schema["type"].as_str()) {
        (Json::String(name), _) => format!("\"{name}\""),
        (_, Some("string")) => "\"x\"".into(),
        (_, Some("number")) => "1.5".into(),
        (_, Some("integer")) => "1".into(),
        other => panic!("no example of {other:?}"),
    }
}

/// The key that names the metric.
const TAG: &str = "metric";

/// Returns the required keys of each metric, with values that are allowed.
fn examples() -> Vec<(&'static str, Vec<(String, String)>)> {
    let root = schema_of::<ToleranceFile>();
    let alternatives = root["$defs"]["Metric"]["oneOf"].as_array().unwrap().clone();
    assert_eq!(alternatives.len(), Metric::VARIANTS.len());
    Metric::VARIANTS
        .iter()
        .zip(alternatives)
        .map(|(name, schema)| {
            assert_eq!(schema["properties"][TAG]["const"], *name);
            assert_eq!(schema["additionalProperties"], false, "{name}");
            assert!(schema["description"].is_string(), "{name}");
            let required = schema["required"].as_array().unwrap().iter();
            let keys = required.map(|key| {
                let key = key.as_str().unwrap();
                (key.into(), example(&root, &schema["properties"][key]))
            });
            (*name, keys.collect())
        })
        .collect()
}

fn file(keys: &[(String, String)]) -> String {
    let keys: Vec<String> = keys.iter().map(|(k, v)| format!("{k} = {v}")).collect();
    format!(
        "case = \"c\"\n[[check]]\nname = \"n\"\nkind = \"exact\"\nallow = {{ max = 1.0 }}\nmeasure = {{ {} }}\n",
        keys.join(", ")
    )
}

fn read(keys: &[(String, String)]) -> Result<Metric, strict_toml::InvalidFile> {
    let (file, _) = TomlDocument::read::<ToleranceFile>("c.toml", &file(keys))?;
    Ok(file.check[0].measure.clone())
}

#[test]
fn the_schema_is_checked_completely() {
    assert_eq!(unsupported(&schema_of::<ToleranceFile>()), [""; 0]);
}

#[test]
fn every_metric_is_read_from_its_required_keys() {
    for (name, keys) in examples() {
        let metric = read(&keys).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(metric.name(), name);
    }
}

#[test]
fn missing_and_unknown_keys_are_named() {
    for (name, keys) in examples() {
        for i in 0..keys.len() {
            let mut fewer = keys.clone();
            let (missing, _) = fewer.remove(i);
            let faults = read(&fewer).unwrap_err();
            let key = format!("check[0].measure.{missing}");
            assert_eq!(faults.faults()[0].key, key, "{name}");
        }
        let mut more = keys.clone();
        more.push(("nothing".into(), "1".into()));
        let faults = read(&more).unwrap_err();
        assert_eq!(faults.faults()[0].key, "check[0].measure.nothing");
        // The types refuse it without the schema too.
        let text = file(&more);
        assert!(toml::from_str::<ToleranceFile>(&text).is_err(), "{text}");
    }
}

#[test]
fn an_unknown_metric_is_told_the_known_ones() {
    let keys = [(TAG.into(), "\"ordr\"".into())];
    let faults = read(&keys).unwrap_err();
    let told = faults.to_string();
    assert!(told.contains("did you mean `order`?"), "{told}");
    let plain = toml::from_str::<ToleranceFile>(&file(&keys)).unwrap_err();
    for name in Metric::VARIANTS {
        assert!(told.contains(&format!("\"{name}\"")), "{told}");
        assert!(plain.message().contains(name), "{plain}");
    }
}

/// Returns the faults that the rules find in `measure`, beside a case without runs that has the study `map`.
fn told_without_runs(measure: &str) -> String {
    let problem = topsim_case::Problem::builtin("levitron_fig1b").unwrap();
    let studies = [StudyNames {
        study: "map".into(),
        numbers: vec!["survivors".into(), "q05".into()],
    }];
    let facts = CaseFacts {
        problem: &problem,
        studies: &studies,
    };
    let text = format!(
        "case = \"c\"\n[[check]]\nname = \"n\"\nkind = \"exact\"\nsource = \"s\"\n\
         allow = {{ max = 1.0 }}\nmeasure = {{ {measure} }}\n"
    );
    let (file, doc) = TomlDocument::read::<ToleranceFile>("c.toml", &text).unwrap();
    let mut faults = Faults::new(&doc);
    apply(&file.check, Some(&facts), &mut faults);
    let refused = faults.into_result().err();
    refused.map_or(String::new(), |e| e.to_string())
}

#[test]
fn studies_and_their_numbers_must_be_there() {
    let good = "metric = \"study\", study = \"map\", number = \"q05\"";
    assert_eq!(told_without_runs(good), "");
    for (measure, said) in [
        (
            "metric = \"study\", study = \"mapp\", number = \"q05\"",
            "check[0].measure.study: the case has no study of the name `mapp`; did you mean `map`?; allowed: map",
        ),
        (
            "metric = \"study\", study = \"map\", number = \"q5\"",
            "check[0].measure.number: the study has no number `q5`; did you mean `q05`?; allowed: survivors, q05",
        ),
        (
            "metric = \"symplectic_defect\"",
            "check[0].measure.metric: a metric of runs, in a case without any; allowed: the metric `study`, or a [run] in the case",
        ),
    ] {
        let told = told_without_runs(measure);
        assert!(told.contains(said), "{told}");
    }
}
