//! Whatever a case or tolerance file holds, it is refused or run; nothing panics.

use document::Console;
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use topsim::report::{Human, Json, Junit, Paper, Renderer, TextStyle, invalid};
use topsim::run::{Options, execute};
use topsim::suite::{InvalidSuite, SourceText, Suite, SuiteSource, builtins};
use topsim_case::CaseSource;

/// Steps of a suite that is still run.
const MOST_STEPS: u64 = 20_000;

/// Reads the texts; runs the suite if it is short. Errors must be drawn without a panic, too.
fn survive(source: &SuiteSource) {
    match Suite::read(source) {
        Err(files) => {
            assert!(!files.is_empty());
            for file in files {
                if let InvalidSuite::File(file) = &file {
                    assert!(!file.faults().is_empty());
                    assert!(!invalid::render(file, true, 80).is_empty());
                }
                assert!(!file.to_string().is_empty());
            }
        }
        Ok(suite) => {
            let steps: u64 = suite.problem.plans.iter().map(|j| j.grid.steps).sum();
            if steps < MOST_STEPS {
                let mut options = Options::default();
                options.jobs = Some(1);
                // A step may be long: a million turns of a body in one. What is stopped survives, too.
                options.time_limit = Some(Duration::from_secs(2));
                let results = execute(vec![suite], &options, &(), &AtomicBool::new(false))
                    .expect("one thread can be had");
                for case in results.cases() {
                    for run in &case.artifacts.runs {
                        assert!(!run.run.times.is_empty());
                        let _ = run.outcome();
                    }
                    let report = case.report;
                    assert_eq!(
                        report.is_good(),
                        report.verdicts.iter().all(|v| v.is_good())
                    );
                }
                // The renderers meet the same numbers.
                let human = Human(TextStyle {
                    console: Console {
                        color: true,
                        width: Some(80),
                    },
                    verbose: true,
                    quiet: false,
                });
                let papers = (Paper(document::Markdown), Paper(document::Latex));
                let all: [&dyn Renderer; 5] = [&Json, &Junit, &human, &papers.0, &papers.1];
                for format in all {
                    let _ = format.render(&results);
                }
            }
        }
    }
}

/// Words, numbers, brackets, blanks and comments of a TOML text, in order.
fn tokens(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || "_.-+".contains(c) => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    for c in text.chars() {
        match out.last_mut() {
            Some(last) if kind(c) < 2 && last.chars().next_back().map(kind) == Some(kind(c)) => {
                last.push(c);
            }
            _ => out.push(c.into()),
        }
    }
    out
}

fn is_number(token: &str) -> bool {
    token.parse::<f64>().is_ok()
}

#[derive(Debug, Clone)]
enum Edit {
    Delete(Index),
    Double(Index),
    Swap(Index, Index),
    /// A number of the text becomes another.
    Number(Index, &'static str),
    /// Any token becomes a piece of TOML.
    Piece(Index, &'static str),
    /// Line deleted or doubled.
    Line(Index, bool),
}

const NUMBERS: &[&str] = &[
    "1e308",
    "-1e308",
    "1e-308",
    "1e-320",
    "-0.0",
    "0.0",
    "-1.0",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "nan",
    "inf",
    "1e17",
    "1e-17",
    "1e154",
    "1e-154",
    "0.1",
    "1",
    "2",
    "1e3",
    "1.7976931348623157e308",
    "3.141592653589793",
    "0x7fffffff",
    "1_000.5",
];

const PIECES: &[&str] = &[
    "[",
    "]",
    "{",
    "}",
    "=",
    "\"",
    "'",
    ",",
    ".",
    "#",
    "\n",
    "true",
    "\"\"",
    "[]",
    "{}",
    "é",
    "1979-05-27",
    "\"worst\"",
    "\"end\"",
    "\"start\"",
    "\"attitude\"",
    "\"W\"",
    "\"H\"",
    "\"drift\"",
    "\"orth\"",
    "\"numerical\"",
    "\"free_body\"",
    "\"lagrange_top\"",
    "\"none\"",
    "\"space\"",
    "\"rig_imp\"",
    "\"*\"",
    "{ name = \"rig_imp\", max_iterations = 1, tolerance = 1e-16 }",
    "{ model = \"constant\", torque = [1e200, -1e200, 1e200] }",
    "\"minimum\"",
    "\"cross\"",
    "\"case\"",
    "\"error\"",
    "\"step\"",
];

fn edit() -> impl Strategy<Value = Edit> {
    let number = prop::sample::select(NUMBERS);
    let piece = prop::sample::select(PIECES);
    prop_oneof![
        2 => any::<Index>().prop_map(Edit::Delete),
        1 => any::<Index>().prop_map(Edit::Double),
        1 => (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Edit::Swap(a, b)),
        8 => (any::<Index>(), number).prop_map(|(i, n)| Edit::Number(i, n)),
        2 => (any::<Index>(), piece).prop_map(|(i, p)| Edit::Piece(i, p)),
        1 => (any::<Index>(), any::<bool>()).prop_map(|(i, d)| Edit::Line(i, d)),
    ]
}

fn apply(text: &str, edits: &[Edit]) -> String {
    let mut all = tokens(text);
    for edit in edits {
        if all.is_empty() {
            break;
        }
        match edit {
            Edit::Delete(i) => {
                all.remove(i.index(all.len()));
            }
            Edit::Double(i) => {
                let i = i.index(all.len());
                all.insert(i, all[i].clone());
            }
            Edit::Swap(i, j) => {
                let (i, j) = (i.index(all.len()), j.index(all.len()));
                all.swap(i, j);
            }
            Edit::Number(i, n) => {
                let at: Vec<usize> = (0..all.len()).filter(|&k| is_number(&all[k])).collect();
                if !at.is_empty() {
                    all[at[i.index(at.len())]] = (*n).into();
                }
            }
            Edit::Piece(i, p) => {
                let i = i.index(all.len());
                all[i] = (*p).into();
            }
            Edit::Line(i, double) => {
                let text = all.concat();
                let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
                let i = i.index(lines.len());
                if *double {
                    lines.insert(i, lines[i]);
                } else {
                    lines.remove(i);
                }
                all = tokens(&lines.concat());
            }
        }
    }
    all.concat()
}

/// A shipped case, its runs cut short, so that what is changed in it can be run.
fn short(which: Index) -> SuiteSource {
    let all: Vec<SuiteSource> = builtins().collect();
    let mut source = which.get(&all).clone();
    let cut = |line: &str| match line.split_once('=') {
        Some((key, _)) if key.trim() == "end" => "end = 0.25".to_owned(),
        _ => line.to_owned(),
    };
    let lines: Vec<String> = source.case.text.lines().map(cut).collect();
    source.case.text = lines.join("\n");
    source.baseline = None;
    source
}

fn text(path: &str, text: String) -> Option<SourceText> {
    let path = path.into();
    Some(SourceText { path, text })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150,
        // Findings become tests of their own, with a name.
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_text(case in ".{0,200}", expected in ".{0,200}", baseline in ".{0,100}") {
        survive(&SuiteSource {
            case: CaseSource {
                name: "any".into(),
                path: "any.toml".into(),
                text: case,
            },
            expected: text("expected/any.toml", expected),
            baseline: text("expected/any.baseline.csv", baseline),
        });
    }

    #[test]
    fn changed_cases(which in any::<Index>(), edits in prop::collection::vec(edit(), 1..4)) {
        let mut source = short(which);
        source.expected = None;
        source.case.text = apply(&source.case.text, &edits);
        survive(&source);
    }

    #[test]
    fn changed_tolerances(which in any::<Index>(), edits in prop::collection::vec(edit(), 1..4)) {
        let mut source = short(which);
        if let Some(expected) = &mut source.expected {
            expected.text = apply(&expected.text, &edits);
        }
        survive(&source);
    }
}
