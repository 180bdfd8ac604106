//! Whatever a file or a solver holds: no panic, no hang, and either a report or one clear message.

use proptest::prelude::*;
use std::sync::atomic::AtomicBool;
use topsim::report::{self, Human, Json, Junit, Paper, Renderer};
use topsim::run;
use topsim_case::{CaseSource, Problem};
use topsim_core::reference::{ReferencePlan, RowReference};
use topsim_judge::history::{Body, Criteria};
use topsim_judge::{HistoryFile, JudgeErrorKind, Reading, Report, judge_histories};
use topsim_protocol::history::{QuaternionOrder, ReadError, Rows};

const CASE: &str = r#"title = "Free"
summary = "A free body."
[body]
inertia = [5.0, 7.0, 3.0]
[initial]
rotation_vector = [0.3, -0.2, 0.5]
angular_velocity = [1.0, -2.0, 3.0]
[run]
end = 1.0
steps = [0.05]
sample = 0.05
schemes = ["exact_strang"]
[reference]
kind = "free_body"
"#;

fn problem() -> Problem {
    let source = CaseSource {
        name: "free".into(),
        path: "free.toml".into(),
        text: CASE.into(),
    };
    Problem::read(&source).unwrap_or_else(|e| panic!("{e}"))
}

fn reference(problem: &Problem) -> &dyn RowReference {
    let ReferencePlan::Ready(reference) = &problem.reference else {
        panic!("a closed form");
    };
    &**reference
}

fn reading() -> Reading {
    Reading {
        quaternion: Some(QuaternionOrder::Wxyz),
        ..Reading::default()
    }
}

/// A right history, row by row.
fn right() -> Vec<Vec<String>> {
    let problem = problem();
    let reference = reference(&problem);
    let columns = problem.plans[0].experiment.columns();
    let names = [
        "R11", "R12", "R13", "R21", "R22", "R23", "R31", "R32", "R33", "W1", "W2", "W3",
    ];
    let header = std::iter::once("t")
        .chain(names)
        .map(String::from)
        .collect();
    let mut rows: Vec<Vec<String>> = vec![header];
    for k in 0..=20 {
        let t = f64::from(k) * 0.05;
        let mut row = vec![f64::NAN; columns.width()];
        reference.row(t, &mut row);
        let numbers = names.map(|n| row[columns.position(n).unwrap()].to_string());
        rows.push(std::iter::once(t.to_string()).chain(numbers).collect());
    }
    rows
}

fn text(rows: &[Vec<String>]) -> Vec<u8> {
    rows.iter()
        .map(|r| r.join(",") + "\n")
        .collect::<String>()
        .into_bytes()
}

/// A change of a file.
#[derive(Debug, Clone)]
enum Change {
    Delete(usize),
    Double(usize),
    SwapLines(usize, usize),
    SwapColumns(usize, usize),
    SwapNames(usize, usize),
    Put(usize, usize, &'static str),
    Cut(usize),
    Insert(usize, Vec<u8>),
    Replace(usize, u8),
    WindowsLines,
    NoLastNewline,
    Semicolons,
}

const ODD: [&str; 16] = [
    "nan",
    "-inf",
    "inf",
    "",
    " ",
    "1e308",
    "-1e308",
    "1e-320",
    "1e400",
    "0x10",
    "1,5",
    "\"1\"",
    "\"",
    "#",
    "٣",
    "00000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
];

fn change() -> impl Strategy<Value = Change> {
    let (row, column) = (0..22_usize, 0..13_usize);
    prop_oneof![
        row.clone().prop_map(Change::Delete),
        row.clone().prop_map(Change::Double),
        (row.clone(), row.clone()).prop_map(|(a, b)| Change::SwapLines(a, b)),
        (column.clone(), column.clone()).prop_map(|(a, b)| Change::SwapColumns(a, b)),
        (column.clone(), column.clone()).prop_map(|(a, b)| Change::SwapNames(a, b)),
        (row, column, prop::sample::select(&ODD[..])).prop_map(|(r, c, x)| Change::Put(r, c, x)),
        (0..4000_usize).prop_map(Change::Cut),
        (0..4000_usize, prop::collection::vec(any::<u8>(), 1..6))
            .prop_map(|(i, b)| Change::Insert(i, b)),
        (0..4000_usize, any::<u8>()).prop_map(|(i, b)| Change::Replace(i, b)),
        Just(Change::WindowsLines),
        Just(Change::NoLastNewline),
        Just(Change::Semicolons),
    ]
}

fn changed(changes: &[Change]) -> Vec<u8> {
    let mut rows = right();
    let mut later: Vec<&Change> = Vec::new();
    for c in changes {
        let n = rows.len();
        match c {
            Change::Delete(r) if n > 1 => drop(rows.remove(r % n)),
            Change::Double(r) => rows.insert(r % n, rows[r % n].clone()),
            Change::SwapLines(a, b) => rows.swap(a % n, b % n),
            Change::SwapColumns(a, b) => rows.iter_mut().for_each(|r| r.swap(*a, *b)),
            Change::SwapNames(a, b) if n > 0 => rows[0].swap(*a, *b),
            Change::Put(r, c, x) => rows[r % n][*c] = (*x).into(),
            other => later.push(other),
        }
    }
    let mut bytes = text(&rows);
    for c in later {
        let n = bytes.len();
        match c {
            Change::Cut(i) => bytes.truncate(*i),
            Change::Insert(i, new) => {
                drop(bytes.splice(i % (n + 1)..i % (n + 1), new.iter().copied()))
            }
            Change::Replace(i, b) if n > 0 => bytes[i % n] = *b,
            Change::WindowsLines => {
                bytes = bytes
                    .split(|b| *b == b'\n')
                    .collect::<Vec<_>>()
                    .join(&b"\r\n"[..]);
            }
            Change::NoLastNewline if bytes.last() == Some(&b'\n') => bytes.truncate(n - 1),
            Change::Semicolons => bytes
                .iter_mut()
                .filter(|b| **b == b',')
                .for_each(|b| *b = b';'),
            _ => {}
        }
    }
    bytes
}

fn judged(bytes: &[u8]) -> Result<Report, String> {
    let file = HistoryFile {
        name: "a.csv".into(),
        input: Box::new(std::io::Cursor::new(bytes.to_vec())),
        step: None,
    };
    let judged = judge_histories(&problem(), vec![file], &reading(), &AtomicBool::new(false));
    judged.map_err(|e| {
        assert_eq!(e.kind(), JudgeErrorKind::Invalid, "{e}");
        e.to_string()
    })
}

fn clear(message: &str) {
    let control = |c: char| c.is_control();
    assert!(
        !message.is_empty() && !message.contains(control),
        "{message:?}"
    );
    assert!(message.len() < 1500, "{message}");
}

/// Shows it in every way.
fn sound(histories: Report) {
    for finding in &histories.files {
        assert!(finding.rows >= 2 && finding.times[1] > finding.times[0]);
    }
    let outcome = histories.outcome().to_string();
    let histories = run::Histories {
        report: histories,
        findings: Vec::new(),
        exact: Vec::new(),
        exact_error: None,
    };
    let case = run::Artifacts::of_histories(&problem(), histories);
    let shown = run::Results::new("", vec![case]);
    let look = report::TextStyle::default();
    assert_eq!(
        report::HtmlPage.render(&shown).matches("</script>").count(),
        3
    );
    let text = Human(look).render(&shown);
    assert!(text.contains(&format!("\n{outcome}  ")), "{text}");
    serde_json::from_str::<serde_json::Value>(&Json.render(&shown)).unwrap();
    quick_junit::Report::deserialize_from_str(&Junit.render(&shown)).unwrap();
    assert!(!Paper(document::Markdown).render(&shown).is_empty());
}

fn one_or_the_other(bytes: &[u8]) {
    match judged(bytes) {
        Ok(report) => sound(report),
        Err(message) => {
            for line in message.split('\n') {
                assert!(line.starts_with("error: a.csv:"), "{message}");
                clear(line);
            }
        }
    }
}

/// Reads and judges alone, which is quick: what is made of the findings is left to fewer cases.
fn read_or_refused(bytes: &[u8]) {
    let problem = problem();
    let judge = Criteria {
        body: &Body::of(&problem.model).unwrap(),
        columns: problem.plans[0].experiment.columns(),
        span: [0.0, 1.0],
        reference: Ok(reference(&problem)),
    };
    match Rows::new(bytes, &reading()).and_then(|rows| judge.judge(rows)) {
        Ok(finding) => {
            assert!(finding.rows >= 2 && finding.times[1] > finding.times[0]);
            serde_json::to_string(&finding).unwrap();
        }
        Err(ReadError::Content(e)) => clear(&e.to_string()),
        Err(ReadError::Header(faults)) => faults.iter().for_each(|e| clear(&e.to_string())),
        Err(ReadError::Io(e)) => panic!("{e}"),
    }
}

#[test]
fn the_unchanged_history_is_right() {
    let report = judged(&text(&right())).unwrap();
    assert!(report.passed());
    assert!(report.files[0].errors.as_ref().unwrap().attitude.size.worst < 1e-12);
    // And changes can be seen.
    let moved = changed(&[Change::SwapColumns(10, 12)]);
    assert!(judged(&moved).unwrap().passed());
    let renamed = changed(&[Change::SwapNames(10, 12)]);
    assert!(!judged(&renamed).unwrap().passed());
}

#[test]
fn a_row_without_end_is_refused_and_a_long_one_is_not() {
    let head = "t,qw,qx,qy,qz,note\n0,1,0,0,0,";
    let rows = |n: usize| format!("{head}{}\n1,1,0,0,0,\n", "x".repeat(n)).into_bytes();
    sound(judged(&rows(60_000)).unwrap());
    let message = judged(&rows(400_000)).unwrap_err();
    assert!(
        message.contains("a.csv:2: found 65536 bytes and no end of a row"),
        "{message}"
    );
    // Many rows are no long row.
    let mut many = String::from("t,qw,qx,qy,qz\n");
    for k in 0..50_000 {
        many += &format!("{k},1,0,0,0\n");
    }
    sound(judged(many.as_bytes()).unwrap());
}

#[cfg(unix)]
fn solved(bytes: &[u8]) {
    use topsim_judge::{Claims, Solver, SolverCommand, Watch, judge_solver};
    let folder = crate::support::Folder::empty();
    folder.write("out", bytes);
    let cat = Solver {
        program: format!("cat '{}'", folder.join("out").display())
            .parse::<SolverCommand>()
            .unwrap()
            .into(),
        form: <_>::default(),
        time_limit: std::time::Duration::from_secs(1_000_000),
        jobs: Some(1),
        claims: Claims::default(),
        tolerance: None,
        only_step: None,
    };
    let (choice, reading) = Default::default();
    let nobody_stops_it = AtomicBool::new(false);
    let watch = Watch {
        interrupt: &nobody_stops_it,
        ended: &|_| (),
    };
    let report = judge_solver(&[problem()], &choice, &cat, &reading, &watch);
    let case = report.unwrap().cases.remove(0);
    assert_eq!(case.files.len() + case.failed.len(), 1);
    case.failed.iter().for_each(|f| clear(&f.to_string()));
    sound(case);
}

#[cfg(unix)]
#[test]
fn the_unchanged_output_is_right() {
    solved(&text(&right()));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn any_change_of_a_right_history_is_read_or_refused(changes in prop::collection::vec(change(), 1..5)) {
        read_or_refused(&changed(&changes));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read_or_refused(&bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn any_change_of_a_right_history_is_judged_or_refused(changes in prop::collection::vec(change(), 1..5)) {
        one_or_the_other(&changed(&changes));
    }

    #[test]
    fn any_bytes_are_judged_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        one_or_the_other(&bytes);
    }
}

#[cfg(unix)]
proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn any_output_of_a_solver_is_judged_or_named(changes in prop::collection::vec(change(), 1..5)) {
        solved(&changed(&changes));
    }

    #[test]
    fn any_bytes_of_a_solver_are_named(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        solved(&bytes);
    }
}
