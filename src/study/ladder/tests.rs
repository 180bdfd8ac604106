use super::*;
use crate::run::{Options, execute};
use crate::suite::{Suite, builtin};
use std::sync::atomic::AtomicBool;
use strict_toml::{Faults, TomlDocument, schema_of};

/// Number of steps of a run.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
struct StepCountStudy {}

impl Ladder for StepCountStudy {
    const KIND: &'static str = "step_count";

    fn columns(&self, _: &str, _: &str) -> Vec<Column> {
        vec![Column::new("steps made", "")]
    }
    fn values(&self, run: &SchemeRun, _: &Context) -> Result<Vec<f64>, MeasurementError> {
        Ok(vec![run.run.effort.steps as f64])
    }
}

/// Stand-in for [`StudyTable`](super::super::StudyTable), with one variant.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum OneStudy {
    StepCount(LadderStudy<StepCountStudy>),
}

/// Tests what CONTRIBUTING says: a type and its variant are all that a study needs.
#[test]
fn a_type_and_its_variant_make_a_study() {
    let schema = schema_of::<OneStudy>();
    let kind = &schema["oneOf"][0];
    assert_eq!(kind["description"], "Number of steps of a run.");
    assert!(kind["properties"]["runs"].is_object(), "{kind}");

    let mut suite = Suite::read(&builtin("heavy_top").unwrap()).ok().unwrap();
    suite.checks.clear();
    suite.studies.clear();
    suite.figures.clear();
    let (_, doc) =
        TomlDocument::read::<serde_json::Map<String, serde_json::Value>>("case.toml", "").unwrap();
    let mut faults = Faults::new(&doc);
    let table = "kind = \"step_count\"\nruns = { schemes = [\"rig_neg\"] }\ndrawn = [\"rig_*\"]";
    let OneStudy::StepCount(table) = toml::from_str(table).unwrap();
    let mut reading = TableReader {
        key: "study[0]".into(),
        problem: &suite.problem,
        warnings: &mut Vec::new(),
        faults: &mut faults,
    };
    let study = table.study(&mut reading).unwrap();
    assert!(faults.is_empty());
    suite.studies.push(study);

    let interrupt = AtomicBool::new(false);
    let results = execute(vec![suite], &Options::default(), &(), &interrupt).unwrap();
    let found = results.report.cases[0].studies().next().unwrap();
    assert_eq!(found.stem, "study_step_count");
    let lines = &found.ladder.as_ref().unwrap().lines;
    assert_eq!(lines.len(), 1);
    let steps = |i: usize| lines[0].points[i].values.clone().unwrap();
    assert_eq!(
        [steps(0), steps(1), steps(2)],
        [[10_000.0], [3334.0], [1112.0]]
    );
    assert_eq!(found.files[0].name, "study_step_count.csv");
    assert!(found.drawings[0].svg().unwrap().contains("Steps made"));
}
