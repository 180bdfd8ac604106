//! Schemas put together from parts, and files read as several types.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::GOOD;
use super::mirror::{Case, Check, Loose, Metric};
use crate::{Document, FaultKind, schema_of, substitute, unsupported};

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

/// A case whose checks belong to somebody else.
#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Half {
    title: String,
    /// Checks; whoever makes them knows their keys.
    #[serde(default)]
    #[schemars(with = "Vec<Value>")]
    check: Vec<IgnoredAny>,
}

fn whole() -> Value {
    let mut schema = schema_of::<Half>();
    substitute(&mut schema, "check", schema_of::<Vec<Check>>());
    schema
}

#[test]
fn a_file_is_read_as_two_types() {
    let document = Document::open("case.toml", GOOD, &whole()).unwrap_or_else(|e| panic!("{e}"));
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
    // As often as wanted; what a type itself refuses is told where it stands.
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
    let file = Document::open("case.toml", &text, &whole()).expect_err("two mistakes");
    let keys: Vec<_> = file.faults().iter().map(|f| (&*f.key, f.kind)).collect();
    assert_eq!(
        keys,
        [
            ("title", FaultKind::Type),
            ("check[1].metric.count", FaultKind::Range)
        ]
    );
}

#[test]
fn substitution_keeps_the_words_of_the_key() {
    let schema = whole();
    let check = &schema["properties"]["check"];
    assert_eq!(
        check["description"],
        "Checks; whoever makes them knows their keys."
    );
    assert_eq!(check["items"], json!({ "$ref": "#/$defs/Check" }));
    assert_eq!(check.get("title"), None);
    assert_eq!(schema["title"], "Half");
    // The same as if it had been generated at once.
    let names = |schema: &Value| -> Vec<String> {
        schema["$defs"]
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect()
    };
    assert_eq!(names(&schema), names(&schema_of::<Vec<Check>>()));
}

#[test]
fn definitions_of_one_name_are_told_apart() {
    let leaf = |kind: &str| json!({ "type": kind });
    let mut schema = json!({
        "type": "object",
        "properties": { "a": { "$ref": "#/$defs/Node" }, "b": { "default": [], "type": "array" } },
        "$defs": {
            "Node": { "type": "array", "items": { "$ref": "#/$defs/Leaf" } },
            "Leaf": leaf("string"),
            "Same": leaf("boolean"),
        },
    });
    // Both `Node`s look alike, but refer to `Leaf`s that differ.
    let part = json!({
        "type": "array",
        "prefixItems": [{ "$ref": "#/$defs/Node" }, { "$ref": "#/$defs/Same" }],
        "$defs": {
            "Node": { "type": "array", "items": { "$ref": "#/$defs/Leaf" } },
            "Leaf": leaf("integer"),
            "Leaf2": leaf("number"),
            "Same": leaf("boolean"),
        },
    });
    substitute(&mut schema, "b", part);
    let names: Vec<_> = schema["$defs"]
        .as_object()
        .expect("an object")
        .keys()
        .collect();
    assert_eq!(names, ["Leaf", "Leaf2", "Leaf3", "Node", "Node2", "Same"]);
    assert_eq!(schema["properties"]["b"]["default"], json!([]));
    let told = |text: &str| match Document::open("a.toml", text, &schema) {
        Ok(_) => String::new(),
        Err(file) => file.faults()[0].key.clone(),
    };
    assert_eq!(told("a = ['x']\nb = [[1], true]"), "");
    assert_eq!(told("a = [1]\nb = [[1], true]"), "a[0]");
    assert_eq!(told("a = ['x']\nb = [['x'], true]"), "b[0][0]");
    assert_eq!(told("a = ['x']\nb = [[1], 1]"), "b[1]");
}

#[test]
fn a_part_that_contains_itself_stays_itself() {
    #[derive(JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Tree {
        size: f64,
        #[serde(default)]
        inner: Vec<Tree>,
    }
    let mut schema = schema_of::<Half>();
    substitute(&mut schema, "tree", schema_of::<Tree>());
    let text = "title = 't'\n[tree]\nsize = 1\ninner = [{ size = 2, inner = [{ size = 'x' }] }]\n";
    let file = Document::open("a.toml", text, &schema).expect_err("a size is no string");
    let keys: Vec<_> = file.faults().iter().map(|f| &*f.key).collect();
    assert_eq!(keys, ["tree.inner[0].inner[0].size"]);
}
