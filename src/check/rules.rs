//! Rules of tolerance files that types cannot express: those of every check; each metric adds its
//! own.

use super::metric::Measuring;
use super::{Check, Expect, RunTime, SpanPart, StudyNames, Target, selection};
use strict_toml::{Faults, meant, nearest, short};
use topsim_case::{Job, Problem};
use topsim_core::models::Columns;
use topsim_core::verdict::SourceKind;

/// What is known of the case that a tolerance file stands beside.
#[derive(Clone, Copy)]
pub struct CaseFacts<'a> {
    /// Its problem.
    pub problem: &'a Problem,
    /// What checks can ask of its studies.
    pub studies: &'a [StudyNames],
}

/// One check that is held against its rules.
pub(crate) struct Rules<'a, 'f> {
    /// The check.
    pub check: &'a Check,
    /// What is known of its case, if that is valid.
    pub case: Option<CaseFacts<'a>>,
    /// What the histories of the case hold, if it is valid and has runs.
    pub columns: Option<&'a Columns>,
    /// The runs it looks at; none where the selection is at fault.
    pub selected: Vec<&'a Job>,
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
            rules.add(
                "name",
                format!("the name \"{}\" is used twice", check.name),
                "a name of its own for each check",
            );
        }
    }
}

impl Rules<'_, '_> {
    /// A fault at a key of the check, such as `measure.at`.
    pub fn add(&mut self, key: &str, found: impl Into<String>, allowed: impl Into<String>) {
        self.faults.add(&self.at(key), found, allowed);
    }

    fn at(&self, key: &str) -> String {
        format!("{}.{key}", self.key)
    }

    /// A parameter of the metric must be greater than 0.
    pub fn positive(&mut self, parameter: &str, x: f64, allowed: &str) {
        if !(x > 0.0) {
            let key = format!("measure.{parameter}");
            self.add(&key, format!("found {}", short(x)), allowed);
        }
    }

    /// A name that the metric asks for must be known; `none` is what is allowed where none is.
    pub fn known(&mut self, key: &str, missing: &str, name: &str, known: &[&str], none: &str) {
        if !known.contains(&name) {
            let allowed = if known.is_empty() {
                none.into()
            } else {
                known.join(", ")
            };
            let near = meant(nearest(name, known));
            self.add(key, format!("{missing} `{name}`{near}"), allowed);
        }
    }

    /// A period must be greater than 0.
    pub fn period(&mut self, period: Option<f64>) {
        if let Some(period) = period {
            self.positive("period", period, "a period greater than 0, in s");
        }
    }

    /// Events are counted from 1.
    pub fn occurrence(&mut self, occurrence: u32) {
        if occurrence == 0 {
            self.add("measure.occurrence", "found 0", "a whole number from 1");
        }
    }

    /// A part of the span must not be empty.
    pub fn part_of_span(&mut self, at: RunTime) {
        if let RunTime::Within(SpanPart { worst: [from, to] }) = at
            && !(from < to)
        {
            let found = format!("from {} to {}", short(from), short(to));
            self.add("measure.at", found, "two times, the second after the first");
        }
    }

    /// What the metric needs must be in the case.
    fn against_case(&mut self) {
        let needs = self.check.measure.needs();
        let Some(CaseFacts { problem, .. }) = self.case else {
            return;
        };
        if needs.study.is_some() {
            return;
        }
        let Some(job) = problem.jobs.first() else {
            self.add(
                "measure.metric",
                "a metric of runs, in a case without any",
                "the metric `study`, or a [run] in the case",
            );
            return;
        };
        let columns = job.experiment.columns();
        self.columns = Some(columns);
        if let Some(asked) = needs.quantity {
            let (by, key) = (self.check.measure.name(), self.at("measure.quantity"));
            selection::quantity(asked, by, columns, &key, self.faults);
        }
        if let Some(event) = needs.event {
            let known: Vec<&str> = problem.events.iter().map(|e| e.name.as_str()).collect();
            let none = "an [[event]] of the case; it has none";
            self.known(
                "measure.event",
                "the case has no event",
                event,
                &known,
                none,
            );
        }
        if needs.reference && problem.reference.is_none() {
            self.add(
                "measure.metric",
                format!(
                    "`{}` in a case without a reference",
                    self.check.measure.name()
                ),
                "this metric only where the case has a [reference]",
            );
        }
        let runs = self.at("runs");
        let selected = selection::selection(&self.check.runs, &runs, &problem.jobs, self.faults);
        let Some(selected) = selected else { return };
        if needs.ladder {
            selection::ladder(&selected, &runs, self.faults);
        }
        if let Some(time) = needs.time {
            selection::within(time, &selected, &self.at("measure.at"), self.faults);
        }
        self.selected = selected;
    }

    /// What is allowed must make sense.
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
        let (key, found, allowed) = match given[..] {
            ["value", "abs" | "rel"] | ["min"] | ["max"] | ["min", "max"] => ("", "", ""),
            ["value"] => (
                "allow.value",
                "a value without a tolerance",
                "`abs` or `rel` beside it",
            ),
            ["abs"] | ["rel"] | ["abs", "rel"] => (
                if a.abs.is_some() {
                    "allow.abs"
                } else {
                    "allow.rel"
                },
                "a tolerance without a value",
                "`value` beside it, or `min` and/or `max` instead",
            ),
            [] => (
                "allow",
                "nothing is allowed",
                "`value` with `abs` or `rel`, or `min` and/or `max`",
            ),
            _ => (
                "allow",
                &*format!("found `{}` together", given.join("`, `")),
                "`value` with one of `abs` and `rel`, or `min` and/or `max`",
            ),
        };
        if !key.is_empty() {
            self.add(key, found, allowed);
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
        if matches!(a.value, Some(Target::Components(_))) && !self.check.measure.needs().components
        {
            self.add(
                "allow.value",
                "a list of components",
                "one number; only the metric `value` compares groups",
            );
        }
    }

    /// Numbers say where they come from, and failures why they are expected.
    fn provenance(&mut self) {
        let check = self.check;
        let of_past = check.kind == SourceKind::Regression;
        let computed = check.kind == SourceKind::Computed;
        let (key, given, allowed) = if computed {
            let allowed = "the program that gives the number, and how it was run";
            ("how", &check.how, allowed)
        } else {
            let allowed = "the document or derivation the number comes from";
            ("source", &check.source, allowed)
        };
        if !of_past && given.as_ref().is_none_or(|s| s.trim().is_empty()) {
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
            (false, true) => self.add(
                "kind",
                "our own past is neither published nor exact nor computed",
                "`regression` for the metric `baseline`",
            ),
            (true, false) => self.add(
                "kind",
                format!("a regression of the metric `{}`", check.measure.name()),
                "`regression` for the metric `baseline` only: `topsim bless` keeps its numbers",
            ),
            _ => {}
        }
        if check.expect == Expect::Fail && check.reason.as_ref().is_none_or(|r| r.trim().is_empty())
        {
            self.add(
                "reason",
                "an expected failure without a reason",
                "`reason`: which known defect this is",
            );
        }
        if check.expect == Expect::Pass && check.reason.is_some() {
            self.add(
                "reason",
                "a reason to fail, but the check is expected to pass",
                "this key only beside `expect = \"fail\"`; remarks go to `note`",
            );
        }
    }
}
