//! Schemas of types, and files read as several types.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::GOOD;
use super::mirror::{Case, Check, Loose, Metric};
use crate::{FaultKind, TomlDocument, schema_of, unsupported};

#[test]
fn unchecked_keywords_are_found() {
    #[derive(JsonSchema)]
    #[allow(dead_code)]
    struct Patterned {
        #[schemars(regex(pattern = "^a"))]
        name: String,
        #[schemars(extend("multipleOf" = 2))]
        even: Option<u8>,
    }
    let schema = schema_of::<Vec<Patterned>>();
    assert_eq!(unsupported(&schema).len(), 2);
    assert!(unsupported(&schema_of::<Case>()).is_empty());
    assert!(unsupported(&schema_of::<Loose>()).is_empty());
}

/// A case whose checks are of any type.
#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Half<C = Value> {
    title: String,
    /// Checks; whoever makes them knows their keys.
    #[serde(default)]
    check: Vec<C>,
}

fn whole() -> Value {
    schema_of::<Half<Check>>()
}

#[test]
fn a_file_is_read_as_two_types() {
    let document =
        TomlDocument::open("case.toml", GOOD, &whole()).unwrap_or_else(|e| panic!("{e}"));
    let half: Half = document.take().expect("agrees with the schema");
    assert_eq!((&*half.title, half.check.len()), ("Heavy top", 2));
    let checks: Option<Vec<Check>> = document.take_at("check").expect("agrees, too");
    assert!(matches!(
        checks.expect("is there")[1].metric,
        Metric::Range { count: 2, .. }
    ));
    assert!(
        document
            .take_at::<Vec<Check>>("figure")
            .is_ok_and(|f| f.is_none())
    );
    // A value may be taken several times; a value that the type itself refuses is reported at its place.
    let file = document.take_at::<f64>("title").expect_err("a string");
    assert_eq!(file.faults()[0].kind, FaultKind::Refused);
    assert!(
        file.to_string().starts_with("case.toml:1:9: title: "),
        "{file}"
    );
    let file = document
        .take_at::<Vec<f64>>("references")
        .expect_err("strings");
    assert_eq!(file.faults()[0].key, "references[0]");
    assert_eq!(
        document.take::<Case>().expect("a case, too").checks.len(),
        2
    );
}

#[test]
fn all_faults_of_both_types_are_told_at_once() {
    let text = GOOD
        .replace("count = 2", "count = 300")
        .replace("\"Heavy top\"", "3");
    let file = TomlDocument::open("case.toml", &text, &whole()).expect_err("two mistakes");
    let keys: Vec<_> = file.faults().iter().map(|f| (&*f.key, f.kind)).collect();
    assert_eq!(
        keys,
        [
            ("title", FaultKind::Type),
            ("check[1].metric.count", FaultKind::Range)
        ]
    );
}
