//! Tests of the program in a terminal, as a terminal emulator shows it.

use crate::support::{Folder, TOP, screen};
use vt100::{Cell, Color, Screen};

const GREEN: Color = Color::Idx(2);
const YELLOW: Color = Color::Idx(3);
const RED: Color = Color::Idx(1);

/// A tolerance file of [`TOP`] with a check that passes, one that fails, and a known defect.
const VERDICTS: &str = r#"case = "top"

[[check]]
name = "good"
measure = { metric = "max_drift", quantity = "H" }
allow = { max = 1.0 }
kind = "exact"
source = "energy is conserved"

[[check]]
name = "bad"
measure = { metric = "max_drift", quantity = "H" }
allow = { max = 1e-30 }
kind = "exact"
source = "energy is conserved to more digits than there are"

[[check]]
name = "a defect that is known and has a name that is longer than all terminals of 80 columns have room for"
measure = { metric = "max_drift", quantity = "H" }
allow = { max = 1e-30 }
expect = "fail"
reason = "energy is not conserved"
kind = "exact"
source = "energy is conserved to more digits than there are"
"#;

/// Way of asking for no colours, or the usual way with colours.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Colors {
    Usual,
    Variable,
    Option,
}

/// Screen that a person sees after a command.
struct Seen {
    screen: Screen,
    status: Option<i32>,
    colors: Colors,
    rows: Vec<String>,
}

impl Seen {
    /// Runs the program in a terminal, and holds what is seen against all that must be so of any command.
    #[track_caller]
    fn of(folder: &Folder, args: &[&str], columns: u16, colors: Colors) -> Self {
        let mut command = folder.command(args);
        command.env_remove("COLUMNS");
        match colors {
            Colors::Usual => {}
            Colors::Variable => drop(command.env("NO_COLOR", "1")),
            Colors::Option => drop(command.arg("--no-color")),
        }
        let (screen, status) = screen(command, columns);
        let mut rows: Vec<String> = screen.rows(0, columns).collect();
        let used = rows.iter().rposition(|row| !row.is_empty());
        rows.truncate(used.map_or(0, |last| last + 1));
        let seen = Self {
            screen,
            status,
            colors,
            rows,
        };
        seen.is_tidy(&format!("{args:?} on {columns} columns, {colors:?}"));
        seen
    }

    /// No row is broken by the terminal, no part of an escape sequence is seen, and there are colours only if asked for.
    #[track_caller]
    fn is_tidy(&self, what: &str) {
        assert!(!self.rows.is_empty(), "{what}: nothing is seen");
        let text = self.text();
        for (r, row) in (0..).zip(&self.rows) {
            assert!(
                !self.screen.row_wrapped(r),
                "{what}: {row:?} goes on below\n{text}"
            );
            let strange = |c: char| c == '\u{fffd}' || c.is_control();
            assert!(!row.contains(strange), "{what}: {row:?}");
            for (i, _) in row.match_indices('[') {
                let rest =
                    row[i + 1..].trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
                let sequence = rest.len() < row.len() - i - 1 && rest.starts_with('m');
                assert!(!sequence, "{what}: {row:?} shows an escape sequence");
            }
        }
        if self.colors != Colors::Usual {
            assert!(
                !self.cells().any(is_styled),
                "{what}: styles are seen\n{text}"
            );
        }
    }

    fn text(&self) -> String {
        self.rows.join("\n")
    }

    fn cells(&self) -> impl Iterator<Item = &Cell> {
        let (rows, columns) = self.screen.size();
        let (rows, columns) = (rows.get(), columns.get());
        let all = (0..rows).flat_map(move |r| (0..columns).map(move |c| (r, c)));
        all.filter_map(|(r, c)| self.screen.cell(r, c))
    }

    /// Row and column at which a word is first seen from a row on.
    #[track_caller]
    fn find(&self, word: &str, from: u16) -> (u16, u16) {
        for (r, row) in (0..).zip(&self.rows).skip(from.into()) {
            if let Some(i) = row.find(word) {
                return (r, u16::try_from(row[..i].chars().count()).unwrap());
            }
        }
        panic!("no {word:?} in\n{}", self.text());
    }

    /// Holds the look of a word against this colour and weight, where there are colours.
    #[track_caller]
    fn looks(&self, word: &str, (r, c): (u16, u16), color: Color, bold: bool) {
        if self.colors != Colors::Usual {
            return;
        }
        for i in 0..u16::try_from(word.chars().count()).unwrap() {
            let cell = self.screen.cell(r, c + i).unwrap();
            let look = (cell.fgcolor(), cell.bold());
            assert_eq!(look, (color, bold), "{word:?} in row {r}\n{}", self.text());
        }
    }

    /// Holds a table against its header: every word of the header stands above what is in its column. Returns the rows
    /// of the table.
    #[track_caller]
    fn table(&self, header: &[&str]) -> std::ops::Range<u16> {
        let (head, _) = self.find(header[0], 0);
        let rule = |r: u16| self.rows[usize::from(r)].starts_with('─');
        assert!(rule(head - 1) && rule(head + 1), "{}", self.text());
        for word in header {
            let at = self.find(word, head);
            assert_eq!(at.0, head, "{word}");
            self.looks(word, at, Color::Default, true);
        }
        let first = head + 2;
        let end = (first..).find(|r| rule(*r)).unwrap();
        first..end
    }
}

fn is_styled(cell: &Cell) -> bool {
    let colored = cell.fgcolor() != Color::Default || cell.bgcolor() != Color::Default;
    colored || cell.bold() || cell.italic() || cell.underline() || cell.inverse() || cell.dim()
}

/// Each width, with and without colours.
fn terminals() -> [(u16, Colors); 6] {
    [
        (80, Colors::Usual),
        (80, Colors::Variable),
        (120, Colors::Usual),
        (120, Colors::Option),
        (200, Colors::Usual),
        (200, Colors::Variable),
    ]
}

#[test]
fn verdicts_stand_in_their_column_in_their_colour() {
    let folder = Folder::of_top(TOP, VERDICTS);
    let verdicts = [
        ("good", "pass", GREEN, false),
        ("bad", "FAIL", RED, true),
        ("a defect", "known defect", YELLOW, false),
    ];
    for (width, colors) in terminals() {
        let seen = Seen::of(&folder, &["run", "top.toml", "--no-figures"], width, colors);
        assert_eq!(seen.status, Some(1));
        // Without room for the table, a list with the verdicts in front takes its place.
        let (from, column) = match width {
            80 => (0, 0),
            _ => {
                let header = [
                    "check", "runs", "tightest", "measured", "allowed", "digits", "verdict",
                ];
                let rows = seen.table(&header);
                (rows.start, seen.find("verdict", rows.start - 2).1)
            }
        };
        for (check, verdict, color, bold) in verdicts {
            let (row, _) = seen.find(check, from);
            let at = seen.find(verdict, row);
            assert_eq!(at, (row, column), "{width}\n{}", seen.text());
            seen.looks(verdict, at, color, bold);
        }
        let last = seen.find("FAILED", from);
        assert_eq!(last.1, 0);
        seen.looks("FAILED", last, RED, true);
        seen.looks("top", seen.find("top", 0), Color::Default, true);
    }
}

#[test]
fn a_built_in_case_passes_in_green() {
    let folder = Folder::empty();
    let args = ["run", "heavy_top", "--steps", "0.009", "--no-figures"];
    for (width, colors) in terminals() {
        let seen = Seen::of(&folder, &args, width, colors);
        assert_eq!(seen.status, Some(0));
        let passes = seen.rows.iter().filter(|row| row.contains("pass "));
        assert!(passes.count() > 3 || width != 80, "{}", seen.text());
        seen.looks("pass", seen.find("pass", 0), GREEN, false);
        seen.looks("PASSED", seen.find("PASSED", 0), GREEN, true);
    }
}

#[test]
fn a_judgement_of_histories_and_of_several_cases() {
    let folder = Folder::of_top(TOP, VERDICTS);
    folder.expect(&["run", "top.toml", "--no-figures"], 1);
    let files = ["0.001", "0.002", "0.004"].map(|h| format!("results/top/rig_pos_h{h}.csv"));
    let mut judge = vec!["judge", "top.toml"];
    judge.extend(files.iter().flat_map(|file| ["--history", file]));
    let long = format!("{}.toml", "long_".repeat(10));
    folder.write(&long, TOP);
    let nothing = ["judge", "top.toml", "judge_free", "--solver", "false"];
    let long_lines = ["judge", "top.toml", &long, "--solver", "false"];
    for (width, colors) in terminals() {
        let seen = Seen::of(&folder, &judge, width, colors);
        assert_eq!(seen.status, Some(0), "{}", seen.text());
        let verdict = "NO DEFECT FOUND";
        let at = seen.find(verdict, 0);
        assert_eq!(at, (1, 0));
        seen.looks(verdict, at, GREEN, true);
        let seen = Seen::of(&folder, &nothing, width, colors);
        assert_eq!(seen.status, Some(3), "{}", seen.text());
        seen.find("top: INCOMPLETE  ", 0);
        let (head, column) = seen.find("verdict", 0);
        let (row, _) = seen.find(" top ", head);
        assert_eq!(
            seen.find("INCOMPLETE", row),
            (row, column),
            "{}",
            seen.text()
        );
        Seen::of(&folder, &long_lines, width, colors);
    }
}

#[test]
fn lists_are_tables_with_their_numbers_on_the_right() {
    let folder = Folder::empty();
    for (width, colors) in terminals() {
        let seen = Seen::of(&folder, &["list"], width, colors);
        let end = |word: &str, from| {
            let (row, column) = seen.find(word, from);
            (row, usize::from(column) + word.len())
        };
        let rows = seen.table(&["case", "title", "runs", "checks"]);
        let (row, _) = seen.find("heavy_top ", rows.start);
        assert_eq!(end(" 9 ", row), (row, end("runs", rows.start - 2).1 + 1));
        let mut words = seen.rows[usize::from(row)].split_whitespace().rev();
        let checks = words.next().unwrap();
        assert_eq!(end(checks, row), (row, end("checks", rows.start - 2).1));
        for (what, header) in [
            ("schemes", ["scheme", "order", "what it is"]),
            ("metrics", ["metric", "what it measures", ""]),
            ("studies", ["study", "what it looks at", ""]),
        ] {
            let seen = Seen::of(&folder, &["list", what], width, colors);
            let rows = seen.table(&header);
            assert!(rows.len() > 5, "{what}");
        }
    }
}

#[test]
fn pages_and_messages_fit_the_terminal() {
    let bad = "title = \"x\"\n[body]\ninertia = [1, 2]\nfo = 3\n";
    let folder = Folder::of_top(TOP, VERDICTS).and("bad.toml", bad);
    for (width, colors) in terminals() {
        for name in ["rig_pos", "max_drift", "convergence"] {
            let seen = Seen::of(&folder, &["show", name], width, colors);
            assert_eq!(seen.status, Some(0));
            seen.find(name, 0);
        }
        let seen = Seen::of(&folder, &["show", "top.toml"], width, colors);
        seen.find("top · ", 0);
        Seen::of(&folder, &["run", "--dry-run", "heavy_top"], width, colors);
        let seen = Seen::of(&folder, &["show", "nonsense"], width, colors);
        assert_eq!(seen.status, Some(2));
        let seen = Seen::of(&folder, &["run", "bad.toml"], width, colors);
        assert_eq!(seen.status, Some(2));
        let headline = "bad.toml:4:1: body.fo: unknown key `fo`";
        let at = seen.find(headline, 0);
        assert_eq!(at.1, 0);
        seen.looks(headline, at, Color::Default, true);
        seen.find("   ╭────", 0);
    }
}
