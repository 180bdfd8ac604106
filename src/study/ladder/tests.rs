use super::*;
use crate::run::{Options, execute};
use crate::suite::{Suite, builtin};
use std::sync::atomic::AtomicBool;
use strict_toml::{Faults, TomlDocument};

/// Steps of a run, counted.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
struct StepCount {}

impl Ladder for StepCount {
    const KIND: &'static str = "step_count";

    fn columns(&self, _: &str, _: &str) -> Vec<Column> {
        vec![Column::new("steps made", "")]
    }
    fn values(&self, run: &SchemeRun, _: &Context) -> Result<Vec<f64>, MeasurementError> {
        Ok(vec![run.run.effort.steps as f64])
    }
}

/// As CONTRIBUTING says: a type and its row are all that a study needs.
#[test]
fn a_type_and_its_row_make_a_study() {
    static STEP_COUNT: Kind = kind::<StepCount>();
    assert_eq!(STEP_COUNT.about(), "Steps of a run, counted.");
    assert!(STEP_COUNT.schema(&mut SchemaGenerator::default())["properties"]["runs"].is_object());

    let mut suite = Suite::read(&builtin("heavy_top").unwrap()).ok().unwrap();
    suite.checks.clear();
    suite.studies.clear();
    suite.figures.clear();
    let (_, doc) = TomlDocument::read::<serde_json::Map<String, Value>>("case.toml", "").unwrap();
    let mut faults = Faults::new(&doc);
    let table = "runs = { schemes = [\"rig_neg\"] }\ndrawn = [\"rig_*\"]";
    let mut reading = TableReader {
        key: "study[0]".into(),
        problem: &suite.problem,
        warnings: &mut Vec::new(),
        faults: &mut faults,
    };
    let study = (STEP_COUNT.read)(table.parse().unwrap(), &mut reading).unwrap();
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
