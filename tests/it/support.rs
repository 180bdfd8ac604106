//! Support of the tests: a folder with files, the program run in it, and its output.

use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A small heavy top: three steps, two schemes, closed form.
pub const TOP: &str = include_str!("../bad/top/case.toml");

/// A tolerance file of [`TOP`] that passes.
pub const CHECK: &str = r#"case = "top"

[[check]]
name = "H is kept"
measure = { metric = "max_drift", quantity = "H" }
allow = { max = 1.0 }
kind = "exact"
source = "energy is conserved"
"#;

/// A body of full inertia tensor under gravity, for the judge.
pub const SMALL: &str = r#"title = "Small"
summary = "A full inertia tensor under gravity."
[body]
inertia = [[5.0, 0.3, -0.2], [0.3, 7.0, 0.4], [-0.2, 0.4, 3.0]]
[torque]
model = "gravity"
weight = 20.0
lever = [0.0, 0.0, 1.0]
[initial]
rotation_vector = [0.3, -0.2, 0.5]
angular_velocity = [1.0, -2.0, 5.0]
[run]
end = 1.0
steps = [0.0125, 0.025, 0.05]
sample = 0.05
schemes = ["rig_pos"]
[reference]
kind = "numerical"
"#;

/// A file of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Contents of a file of the repository.
pub fn repository_text(path: &str) -> String {
    std::fs::read_to_string(repository(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// An example of the judge, which `cargo test` of the workspace builds too; built here where it is not there.
pub fn example(name: &str) -> PathBuf {
    let profile = PathBuf::from(env!("CARGO_BIN_EXE_topsim"));
    let profile = profile.parent().unwrap();
    let path = profile.join("examples").join(name);
    if !path.exists() {
        let kind = match profile.file_name().and_then(|n| n.to_str()) {
            Some("debug") | None => "dev",
            Some(other) => other,
        };
        let built = Command::new(env!("CARGO"))
            .current_dir(repository("crates/topsim-judge"))
            .args(["build", "--quiet", "--example", name, "--profile", kind])
            .arg("--target-dir")
            .arg(profile.parent().unwrap())
            .status();
        assert!(built.unwrap().success() && path.exists());
    }
    path
}

/// An empty folder.
pub struct Folder(TempDir);

impl Folder {
    pub fn empty() -> Self {
        Self(tempfile::tempdir().unwrap())
    }
    /// Makes a folder with one file.
    pub fn with(name: &str, text: &str) -> Self {
        Self::empty().and(name, text)
    }
    /// Adds a file.
    pub fn and(self, name: &str, text: &str) -> Self {
        self.write(name, text);
        self
    }
    /// Makes a folder with `top.toml` and its tolerance file.
    pub fn of_top(case: &str, check: &str) -> Self {
        Self::with("top.toml", case).and("expected/top.toml", check)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }
    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path().join(name)
    }
    /// Writes a file, and makes the folders above it.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        let path = self.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, contents).unwrap();
    }
    pub fn read(&self, name: impl AsRef<Path>) -> String {
        let path = self.join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }
    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }
    /// All files below it with their contents.
    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        files(self.path())
    }

    /// The program, to be run here.
    pub fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_topsim"));
        command.args(args).current_dir(self.path());
        command.env_remove("NO_COLOR");
        // Texts in one line each, so that tests find their words.
        command.env("COLUMNS", "1000");
        command
    }
    /// Runs the program and returns its output.
    pub fn say<S: AsRef<OsStr>>(&self, args: &[S]) -> Said {
        said(self.command(args).output().unwrap())
    }
    /// Runs the program, demands this exit status, and returns its output.
    #[track_caller]
    pub fn expect<S: AsRef<OsStr> + std::fmt::Debug>(&self, args: &[S], status: i32) -> Said {
        let said = self.say(args);
        let Said { out, err, .. } = &said;
        assert_eq!(said.status, Some(status), "{args:?}\n{out}{err}");
        assert!(!err.contains("panicked"), "{err}");
        said
    }
}

/// All files below a folder with their contents.
pub fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_path_buf();
                all.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    all
}

/// Takes from pages the lines that differ from one command to the next.
pub fn steady(files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for (_, page) in files
        .iter_mut()
        .filter(|(name, _)| name.ends_with("report.html"))
    {
        let text = String::from_utf8(std::mem::take(page)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let kept = lines.iter().filter(|line| !line.contains("data-varies"));
        let kept: Vec<&str> = kept.copied().collect();
        assert!(kept.len() < lines.len() && kept.len() > 100);
        *page = kept.join("\n").into();
    }
}

/// Output and exit status of a program.
pub struct Said {
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

pub fn said(output: Output) -> Said {
    Said {
        status: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Said {
    /// Holds standard output against words that it must have.
    #[track_caller]
    pub fn shows(&self, words: &str) -> &Self {
        assert!(self.out.contains(words), "no {words:?} in\n{}", self.out);
        self
    }
    /// Holds standard output against words that it must not have.
    #[track_caller]
    pub fn hides(&self, words: &str) -> &Self {
        assert!(!self.out.contains(words), "{words:?} in\n{}", self.out);
        self
    }
    /// Holds standard error against words that it must have.
    #[track_caller]
    pub fn complains(&self, words: &str) -> &Self {
        assert!(self.err.contains(words), "no {words:?} in\n{}", self.err);
        self
    }
    /// One message of one line, and nothing else.
    #[track_caller]
    pub fn complains_in_one_line(&self) -> &Self {
        assert_eq!(self.err.trim_end().lines().count(), 1, "{}", self.err);
        assert_eq!(self.out, "");
        self
    }
    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}", self.out))
    }
    /// Standard output as JUnit.
    #[track_caller]
    pub fn junit(&self) -> quick_junit::Report {
        let read = quick_junit::Report::deserialize_from_str(&self.out);
        read.unwrap_or_else(|e| panic!("{e}: {}", self.out))
    }
}

/// Runs a command in a terminal of so many columns, and returns what is seen there at the end, with the exit status. No
/// row scrolls away.
#[cfg(unix)]
#[track_caller]
pub fn screen(command: Command, columns: u16) -> (vt100::Screen, Option<i32>) {
    use std::io::Read;
    const ROWS: u16 = 800;
    let (mut terminal, end) = pty_process::blocking::open().unwrap();
    let size = pty_process::Size::new(ROWS, columns);
    terminal.resize(size).unwrap();
    let command = pty_process::blocking::Command::from(command);
    let mut program = command.env("TERM", "xterm-256color").spawn(end).unwrap();
    let positive = |n| std::num::NonZero::new(n).unwrap();
    let mut emulator = vt100::Parser::new(positive(ROWS), positive(columns), 0);
    let mut bytes = [0; 4096];
    // The last program that closes a terminal ends it, which is an error on some systems.
    while let Ok(n @ 1..) = terminal.read(&mut bytes) {
        emulator.process(&bytes[..n]);
    }
    let status = program.wait().unwrap().code();
    (emulator.screen().clone(), status)
}

/// The items of a kind in a case of a report.
pub fn items<'a>(case: &'a Value, kind: &str) -> Vec<&'a Value> {
    let all = case["items"].as_array().unwrap().iter();
    all.filter(|item| item["kind"] == kind).collect()
}

/// Looks again and again, until it is so; what never is, hangs the test instead of failing by the clock.
pub fn wait_until(so: impl FnMut() -> bool) {
    let mut so = so;
    while !so() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

/// Returns whether a process runs. A process that has ended counts as dead even if no parent has waited for it.
#[cfg(target_os = "linux")]
pub fn alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    let state = stat.rsplit(')').next().unwrap_or_default().trim_start();
    !state.is_empty() && !state.starts_with('Z')
}

/// Sends a signal.
#[cfg(unix)]
pub fn signal(name: &str, pid: &str) {
    let kill = ["-c", "kill -$0 $1", name, pid.trim()];
    assert!(Command::new("sh").args(kill).status().unwrap().success());
}
