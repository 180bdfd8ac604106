//! Rules of tolerance files that types cannot express; each metric adds its own.

use super::{Check, Expect, StudyNames, Target, selection};
use strict_toml::{Faults, meant, nearest, short};
use topsim_case::{Problem, RunPlan};
use topsim_core::models::Columns;
use topsim_core::verdict::SourceKind;

/// Facts of the case that a tolerance file stands beside.
#[derive(Clone, Copy)]
pub struct CaseFacts<'a> {
    /// Its problem.
    pub problem: &'a Problem,
    /// Names by which checks ask for the numbers of its studies.
    pub studies: &'a [StudyNames],
}

/// Check that is held against its rules.
pub(crate) struct Rules<'a, 'f> {
    /// The check.
    pub check: &'a Check,
    /// Facts of its case, if that is valid.
    pub case: Option<CaseFacts<'a>>,
    /// Columns of the histories of the case, if it is valid and has runs.
    pub columns: Option<&'a Columns>,
    /// The runs it looks at; none where the selection is at fault.
    pub selected: Vec<&'a RunPlan>,
    /// Its key in the file.
    key: String,
    faults: &'a mut Faults<'f>,
}

/// Holds all checks of a file against their rules; those that need the case only if it is valid.
pub fn apply(checks: &[Check], case: Option<&CaseFacts>, faults: &mut Faults) {
    for (i, check) in checks.iter().enumerate() {
        let mut rules = Rules {
            check,
            case: case.copied(),
            columns: None,
            selected: Vec::new(),
            key: format!("check[{i}]"),
            faults: &mut *faults,
        };
        rules.allow();
        rules.provenance();
        rules.against_case();
        check.measure.rules(&mut rules);
        if checks[..i].iter().any(|c| c.name == check.name) {
            let found = format!("the name \"{}\" is used twice", check.name);
            rules.add("name", found, "a name of its own for each check");
        }
    }
}

impl Rules<'_, '_> {
    /// Adds a fault at a key of the check, such as `measure.at`.
    pub fn add(&mut self, key: &str, found: impl Into<String>, allowed: impl Into<String>) {
        self.faults.add(&self.at(key), found, allowed);
    }

    fn at(&self, key: &str) -> String {
        format!("{}.{key}", self.key)
    }

    /// Checks that a parameter of the metric is greater than 0.
    pub fn positive(&mut self, parameter: &str, x: f64, allowed: &str) {
        if !(x > 0.0) {
            let key = format!("measure.{parameter}");
            self.add(&key, format!("found {}", short(x)), allowed);
        }
    }

    /// Checks that a name that the metric asks for is known; `none` is what is allowed where none is.
    pub fn known(&mut self, key: &str, missing: &str, name: &str, known: &[&str], none: &str) {
        if !known.contains(&name) {
            let all = known.join(", ");
            let allowed = if known.is_empty() { none } else { &all };
            let near = meant(nearest(name, known));
            self.add(key, format!("{missing} `{name}`{near}"), allowed);
        }
    }

    /// Checks that the case has what the metric needs.
    fn against_case(&mut self) {
        let (metric, needs) = (self.check.measure.name(), self.check.measure.needs());
        let Some(CaseFacts { problem, .. }) = self.case else {
            return;
        };
        if needs.study.is_some() {
            return;
        }
        let Some(plan) = problem.plans.first() else {
            let found = "a metric of runs, in a case without any";
            let allowed = "the metric `study`, or a [run] in the case";
            return self.add("measure.metric", found, allowed);
        };
        let columns = plan.experiment.columns();
        self.columns = Some(columns);
        if let Some(asked) = needs.quantity {
            let key = self.at("measure.quantity");
            selection::quantity(asked, metric, columns, &key, self.faults);
        }
        if let Some(event) = needs.event {
            let known: Vec<&str> = problem.events.iter().map(|e| e.name.as_str()).collect();
            let (missing, none) = (
                "the case has no event",
                "an [[event]] of the case; it has none",
            );
            self.known("measure.event", missing, event, &known, none);
        }
        if needs.reference && problem.reference.is_none() {
            let found = format!("`{metric}` in a case without a reference");
            let allowed = "this metric only where the case has a [reference]";
            self.add("measure.metric", found, allowed);
        }
        let runs = self.at("runs");
        let selected = selection::selection(&self.check.runs, &runs, &problem.plans, self.faults);
        let Some(selected) = selected else { return };
        if needs.ladder {
            selection::ladder(&selected, &runs, self.faults);
        }
        if let Some(time) = needs.time {
            selection::within(time, &selected, &self.at("measure.at"), self.faults);
        }
        self.selected = selected;
    }

    /// Checks that what is allowed makes sense.
    fn allow(&mut self) {
        let a = &self.check.allow;
        let keys = [
            ("value", a.value.is_some()),
            ("abs", a.abs.is_some()),
            ("rel", a.rel.is_some()),
            ("min", a.min.is_some()),
            ("max", a.max.is_some()),
        ];
        let given: Vec<&str> = keys.iter().filter(|k| k.1).map(|k| k.0).collect();
        match given[..] {
            ["value", "abs" | "rel"] | ["min"] | ["max"] | ["min", "max"] => {}
            ["value"] => {
                let found = "a value without a tolerance";
                self.add("allow.value", found, "`abs` or `rel` beside it");
            }
            ["abs"] | ["rel"] | ["abs", "rel"] => {
                let key = format!("allow.{}", given[0]);
                let allowed = "`value` beside it, or `min` and/or `max` instead";
                self.add(&key, "a tolerance without a value", allowed);
            }
            [] => {
                let allowed = "`value` with `abs` or `rel`, or `min` and/or `max`";
                self.add("allow", "nothing is allowed", allowed);
            }
            _ => {
                let found = format!("found `{}` together", given.join("`, `"));
                let allowed = "`value` with one of `abs` and `rel`, or `min` and/or `max`";
                self.add("allow", found, allowed);
            }
        }
        for (k, x) in [("allow.abs", a.abs), ("allow.rel", a.rel)] {
            if let Some(x) = x.filter(|x| !(*x > 0.0)) {
                self.add(k, format!("found {x}"), "a tolerance greater than 0");
            }
        }
        if let (Some(min), Some(max)) = (a.min, a.max)
            && !(max > min)
        {
            let found = format!("the largest value {max} is not above the smallest, {min}");
            self.add("allow.max", found, format!("a number above {min}"));
        }
        let zero = match &a.value {
            Some(Target::Number(v)) => *v == 0.0,
            Some(Target::Components(v)) => v.iter().all(|x| *x == 0.0),
            None => false,
        };
        if a.rel.is_some() && zero {
            let allowed = "`abs`, where the value is 0";
            self.add("allow.rel", "a fraction of zero", allowed);
        }
        let is_list = matches!(a.value, Some(Target::Components(_)));
        if is_list && !self.check.measure.needs().components {
            let allowed = "one number; only the metric `value` compares groups";
            self.add("allow.value", "a list of components", allowed);
        }
    }

    /// Checks that numbers say where they come from, and failures why they are expected.
    fn provenance(&mut self) {
        let check = self.check;
        let blank = |text: &Option<String>| text.as_ref().is_none_or(|s| s.trim().is_empty());
        let of_past = check.kind == SourceKind::Regression;
        let needs_no_source = of_past || check.kind == SourceKind::Chosen;
        let computed = check.kind == SourceKind::Computed;
        let (key, given, allowed) = if computed {
            let allowed = "the program that gives the number, and how it was run";
            ("how", &check.how, allowed)
        } else {
            let allowed = "the document or derivation the number comes from";
            ("source", &check.source, allowed)
        };
        if !needs_no_source && blank(given) {
            let found = match given {
                Some(_) => format!("found a blank {key}"),
                None => format!("a number that is {} without its {key}", check.kind.id()),
            };
            self.add(key, found, allowed);
        }
        if !computed && check.how.is_some() {
            let allowed = "this key only beside `kind = \"computed\"`; documents go to `source`";
            self.add("how", "a program, but the number is not computed", allowed);
        }
        match (of_past, check.measure.needs().baseline) {
            (false, true) => {
                let found = "our own past is neither published, exact, computed nor chosen";
                self.add("kind", found, "`regression` for the metric `baseline`");
            }
            (true, false) => {
                let found = format!("a regression of the metric `{}`", check.measure.name());
                let allowed =
                    "`regression` for the metric `baseline` only: `topsim bless` keeps its numbers";
                self.add("kind", found, allowed);
            }
            _ => {}
        }
        let fails = check.expect == Expect::Fail;
        if fails && blank(&check.reason) {
            let found = "an expected failure without a reason";
            self.add("reason", found, "`reason`: which known defect this is");
        }
        if !fails && check.reason.is_some() {
            let found = "a reason to fail, but the check is expected to pass";
            let allowed = "this key only beside `expect = \"fail\"`; remarks go to `note`";
            self.add("reason", found, allowed);
        }
    }
}
