//! The formats are the same for `run`, `judge` and `scorecard`, and hold whatever a case is called.

use crate::support::{CHECK, Folder, TOP, items};
use serde_json::Value;
use topsim::run::Report;

#[test]
fn a_run_in_every_format() {
    let failing = CHECK.replace("max = 1.0", "max = 1e-30");
    let folder = Folder::of_top(TOP, &failing);
    let args = |format| ["run", "top.toml", "--format", format];
    let report = folder.expect(&args("json"), 1).json();
    assert_eq!(report, folder.json("results/results.json"));
    assert_eq!(report["format"], 3);
    let case = &report["cases"][0];
    assert_eq!(items(case, "run").len(), 6);
    let verdict = &case["verdicts"][0];
    assert_eq!(verdict["id"], "H is kept");
    assert_eq!(verdict["metric"], "max_drift");
    assert_eq!(verdict["quantity"], "H");
    assert_eq!(verdict["subject"]["name"], "rig_pos");
    assert_eq!(verdict["subject"]["step"], "0.001");
    assert_eq!(verdict["status"], "failed");
    assert!(verdict["measured"]["value"].as_f64().unwrap() > 1e-30);
    assert!(verdict["digits"].as_f64().unwrap() < 0.0);
    assert_eq!(verdict["provenance"]["kind"], "exact");
    let said = folder.expect(&args("junit"), 1);
    let read = said.junit();
    assert_eq!((read.tests, read.failures, read.errors), (12, 6, 0));
    said.shows("<failure").shows("H is kept [rig_pos h=0.001]");
    let said = folder.expect(&args("markdown"), 1);
    said.shows("## top · Heavy top")
        .shows("| H is kept |")
        .shows("| **FAIL** |");
    said.shows("**FAILED**  1 check (6 verdicts) on 6 runs: 0 passed, 1 failed")
        .shows("- **FAIL** H is kept [all 6 runs, most in rig_pos h=0.001]: measured");
    let said = folder.expect(&args("csv"), 1);
    let mut lines = said.out.lines();
    let header = lines.next().unwrap();
    assert!(header.starts_with("case,check,metric,quantity,subject,step,status,measured,unit"));
    let rows: Vec<&str> = lines.collect();
    assert_eq!(rows.len(), 6);
    let fields: Vec<&str> = rows[0].split(',').collect();
    assert_eq!(
        fields[..7],
        [
            "top",
            "H is kept",
            "max_drift",
            "H",
            "rig_pos",
            "0.001",
            "failed"
        ]
    );
    let of_json = verdict["measured"]["value"].as_f64().unwrap();
    assert_eq!(fields[7].parse::<f64>().unwrap(), of_json);
}

#[test]
fn annotations_name_the_file_and_escape_their_text() {
    let failing = CHECK.replace("max = 1.0", "max = 1e-30");
    let failing = failing.replace("H is kept", "H: kept, to 100 %");
    let folder = Folder::of_top(TOP, &failing);
    let args = |format| ["run", "top.toml", "--no-figures", "--format", format];
    folder.expect(&args("github"), 1).shows(
        "::error file=top.toml,title=H%3A kept%2C to 100 %25 [all 6 runs%2C most in rig_pos h=0.001] in top::measured",
    );
    let log = folder.expect(&args("sarif"), 1).json();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "H: kept, to 100 %");
    let [result] = &run["results"].as_array().unwrap()[..] else {
        panic!("{log}");
    };
    assert_eq!(
        (&result["ruleId"], &result["level"]),
        (&run["tool"]["driver"]["rules"][0]["id"], &"error".into())
    );
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "top.toml");
    // A report without failures has no annotation.
    let folder = Folder::of_top(TOP, CHECK);
    let said = folder.expect(&args("github"), 0);
    said.shows("PASSED").hides("::");
    let log = folder.expect(&args("sarif"), 0).json();
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 0);
}

#[test]
fn a_scorecard_in_every_format() {
    let folder = Folder::empty();
    let said = folder.expect(&["scorecard", "terze", "dmv", "--no-times"], 0);
    said.shows("2 schemes: 2 as claimed, 0 not");
    said.hides("ns a step   verdict");
    let timed = folder.expect(&["scorecard", "terze"], 0);
    timed.shows("ns a step   verdict");
    let args = |format| ["scorecard", "terze", "--no-times", "--format", format];
    folder
        .expect(&args("markdown"), 0)
        .shows("| terze | 2.00 (2) |");
    let said = folder.expect(&args("latex"), 0);
    said.shows("\\begin{tabular}{lrrrrrrrrrrrl}")
        .shows("terze & 2.00 (2) & ");
    let report = folder.expect(&args("json"), 0).json();
    let case = &report["cases"][0];
    let cards = items(case, "card");
    assert_eq!(cards[0]["scheme"], "terze");
    assert_eq!(cards[0]["measured"]["energy"]["class"], "gains");
    assert!(cards[0]["measured"]["nanoseconds"].is_null());
    assert_eq!(case["verdicts"][0]["id"], "claims/terze");
    assert_eq!(case["verdicts"][0]["status"], "passed");
    let read = folder.expect(&args("junit"), 0).junit();
    assert_eq!((read.tests, read.failures, read.errors), (1, 0, 0));
    let said = folder.expect(&["scorecard", "terz"], 2);
    said.complains("no scheme is called `terz`");
}

/// XML 1.0 has no place for these, not even escaped.
fn has_no_place_in_xml(c: char) -> bool {
    !matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// Names and words of a file may hold whatever TOML allows.
#[test]
fn junit_is_well_formed_whatever_things_are_called() {
    let odd = r#"a "b" 'c' <d> &amp; ]]> \u0001\u001B[31m \uFFFE\uFFFF \u0085 \U0001F600"#;
    let case = TOP.replace("Heavy top", &odd.replace('"', "\\\""));
    let check = CHECK.replace("H is kept", &odd.replace('"', "\\\""));
    let failing = check.replace("max = 1.0", "max = 1e-30");
    let known = "expect = \"fail\"\nreason = \"x\\u0000 ]]> \\uFFFE\"\nkind =";
    for check in [&check, &failing, &failing.replace("kind =", known)] {
        let folder = Folder::of_top(&case, check);
        let said = folder.say(&["run", "top.toml", "--no-figures", "--format", "junit"]);
        assert!(matches!(said.status, Some(0 | 1)), "{}", said.err);
        assert_eq!(said.out.find(has_no_place_in_xml), None, "{}", said.out);
        let read = said.junit();
        assert_eq!(read.tests, 12);
        let names = read.test_suites[0]
            .test_cases
            .iter()
            .map(|t| t.name.as_str());
        let shown = "a \"b\" 'c' <d> &amp; ]]> \u{fffd}\u{fffd}[31m \u{fffd}\u{fffd}";
        assert_eq!(
            names.filter(|n| n.starts_with(shown)).count(),
            6,
            "{}",
            said.out
        );
        // The other formats hold them too.
        for (format, shown) in [
            ("human", "<d> &amp; ]]>"),
            ("json", "<d> &amp; ]]>"),
            ("markdown", "\\<d> \\&amp; ]]>"),
            ("latex", "$<$d$>$ \\&amp; ]]$>$"),
        ] {
            let said = folder.say(&["run", "top.toml", "--no-figures", "--format", format]);
            assert!(matches!(said.status, Some(0 | 1)), "{}", said.err);
            said.shows(shown).hides("\u{1b}");
        }
    }
}

/// A JSON Schema that finds the errors of a value; beyond the standard, it refuses keys that it does not describe.
struct Schema<'a>(&'a Value);

impl<'a> Schema<'a> {
    /// The parts of a schema that stand for the same value.
    fn parts(&self, schema: &'a Value) -> Vec<&'a Value> {
        let mut all: Vec<&Value> = Vec::new();
        if let Some(name) = schema["$ref"].as_str() {
            let place = name.strip_prefix('#').expect("a schema of this file");
            all.push(self.0.pointer(place).expect(name));
        }
        for key in ["anyOf", "oneOf"] {
            all.extend(schema[key].as_array().into_iter().flatten());
        }
        all
    }

    fn describes(&self, schema: &'a Value, key: &str) -> bool {
        // What any key may be, and what stands for any value, describe all of them.
        let any_key = schema["additionalProperties"].is_object();
        let parts = self.parts(schema);
        let any_value = parts.is_empty() && schema["type"].is_null();
        schema["properties"].get(key).is_some()
            || any_key
            || any_value
            || parts.iter().any(|part| self.describes(part, key))
    }

    /// All that is against the value, at its place.
    fn check(&self, schema: &'a Value, value: &Value, at: &str) -> Vec<String> {
        let mut out = self.against(schema, value, at);
        for key in value.as_object().into_iter().flat_map(|table| table.keys()) {
            if !self.describes(schema, key) {
                out.push(format!("{at}.{key}: not described"));
            }
        }
        out
    }

    fn against(&self, schema: &'a Value, value: &Value, at: &str) -> Vec<String> {
        let mut out = Vec::new();
        if schema["$ref"].is_string() {
            out.extend(self.against(self.parts(schema)[0], value, at));
        }
        for key in ["anyOf", "oneOf"] {
            let all = schema[key].as_array().into_iter().flatten();
            let found = all.map(|part| self.against(part, value, at));
            // Those of the part that comes nearest.
            out.extend(found.min_by_key(Vec::len).unwrap_or_default());
        }
        if let Some(constant) = schema.get("const").filter(|c| *c != value) {
            out.push(format!("{at}: {value} is not {constant}"));
        }
        if let Some(all) = schema["enum"].as_array().filter(|all| !all.contains(value)) {
            out.push(format!("{at}: {value} is not of {all:?}"));
        }
        let is = |name: &str| match name {
            "null" => value.is_null(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            // A number that is not finite is written as null.
            "number" => value.is_number() || value.is_null(),
            "integer" => value.is_u64() || value.is_i64(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("unknown type {other}"),
        };
        let types = match &schema["type"] {
            Value::String(one) => vec![one.as_str()],
            Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        if !types.is_empty() && !types.into_iter().any(is) {
            out.push(format!("{at}: {value} is no {}", schema["type"]));
        }
        let items = value.as_array().filter(|_| !schema["items"].is_null());
        for (i, item) in items.into_iter().flatten().enumerate() {
            out.extend(self.check(&schema["items"], item, &format!("{at}[{i}]")));
        }
        let Some(table) = value.as_object() else {
            return out;
        };
        for key in schema["required"].as_array().into_iter().flatten() {
            if !table.contains_key(key.as_str().unwrap()) {
                out.push(format!("{at}: {key} is missing"));
            }
        }
        for (key, part) in table {
            let known = schema["properties"].get(key);
            let rest = Some(&schema["additionalProperties"]).filter(|of| of.is_object());
            if let Some(of) = known.or(rest) {
                out.extend(self.check(of, part, &format!("{at}.{key}")));
            }
        }
        out
    }
}

/// A body that turns about its third axis for two seconds.
fn history(rows: u32) -> String {
    let mut text = String::from("t,qw,qx,qy,qz,W1,W2,W3\n");
    for k in 0..=rows {
        let t = 2.0 * f64::from(k) / f64::from(rows);
        let (sin, cos) = (0.5 * t).sin_cos();
        text += &format!("{t},{cos},0,0,{sin},0,0,1\n");
    }
    text
}

#[test]
fn results_are_as_their_schema_says() {
    let folder = Folder::empty();
    let schema = folder.expect(&["schema", "results"], 0).json();
    let failing = CHECK.replace("max = 1.0", "max = 1e-30");
    let studies = "\n[[study]]\nkind = \"convergence\"\n[[study]]\nkind = \"drift\"\n";
    let top = Folder::of_top(&format!("{TOP}{studies}"), &failing);
    let json = ["--format", "json"];
    let run = [&["run", "top.toml"][..], &json].concat();
    let mut reports = vec![top.expect(&run, 1).json()];
    // Rows of a wrong solver: everything is found that can be.
    folder.write("a.csv", history(200));
    folder.write("b.csv", history(400));
    for args in [
        &["run", "t_handle", "levitron_equilibrium", "--no-figures"][..],
        &["scorecard", "terze", "--no-times"],
        &[
            "judge",
            "judge_free",
            "--history",
            "a.csv",
            "--history",
            "b.csv",
        ],
        &["judge", "judge_free", "judge_rest", "--solver", "false"],
    ] {
        reports.push(folder.say(&[args, &json].concat()).json());
    }
    let schema = Schema(&schema);
    for report in &reports {
        let found = schema.check(schema.0, report, "results");
        assert!(found.is_empty(), "{}", found.join("\n"));
        // A report that is read back is the same report.
        let read = Report::read(&report.to_string()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), *report);
        // It is a schema that refuses something, however deep.
        let mut wrong = report.clone();
        wrong["cases"][0]["verdicts"] = Value::Null;
        assert!(!schema.check(schema.0, &wrong, "results").is_empty());
        let mut wrong = report.clone();
        wrong["cases"][0]["items"][0]["more"] = Value::Null;
        assert!(!schema.check(schema.0, &wrong, "results").is_empty());
    }
}
