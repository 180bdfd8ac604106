//! Command-line arguments.

use super::Failure;
use super::guest::Guest;
use crate::check::METRICS;
use crate::report::{
    Csv, FigureFormat, Html, Human, Json, Junit, Latex, Markdown, Renderer, TextStyle,
};
use crate::study::KINDS;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{ArgGroup, Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::LazyLock;
use strict_toml::{clip, meant, nearest};
use topsim_case::WrittenStep;
use topsim_case::builtin::BUILTIN;
use topsim_core::integration::registry;
use topsim_judge::history::{EulerAngles, QuaternionOrder, RateFrame, RateUnit};
use topsim_judge::protocol::ProblemForm;
use topsim_judge::{Claims, SolverCommand};
use topsim_levitron::Shard;

/// Validation suite for rigid-body rotation integrators.
#[derive(Debug, Parser)]
#[command(name = "topsim", version, about, max_term_width = 100, after_help = STATUS)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Print errors only.
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// No colours (also: the NO_COLOR variable, or output to a pipe).
    #[arg(long, global = true)]
    pub no_color: bool,
}

const STATUS: &str = "Exit status: 0 all passed · 1 some check failed · 2 usage or an invalid file · \
3 a run could not complete · 4 input/output error · 130 interrupted";

/// Commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run cases, write histories and figures, judge them.
    Run(RunArgs),
    /// Put the shards of escape maps together, and finish as `run` would.
    Merge(MergeArgs),
    /// List built-in cases, schemes and metrics.
    List(ListArgs),
    /// Describe a case, a scheme or a metric.
    Show(ShowArgs),
    /// Say what changed between two reports. Exit status 1 where a verdict got worse.
    Diff(DiffArgs),
    /// Write a case of your own and its tolerance file, from one that is there.
    Init(InitArgs),
    /// Judge somebody else's solver, or histories computed elsewhere. Exit status 1 where they are not the
    /// case's motion.
    Judge(JudgeArgs),
    /// Renew regression baselines (never published or exact numbers). Exit status 1 where changes wait
    /// for `--accept`.
    Bless(BlessArgs),
    /// Draw the figures of cases, and judge nothing.
    Figures(FiguresArgs),
    /// Measure what is claimed of each scheme. Exit status 1 where a measurement disagrees.
    Scorecard(ScorecardArgs),
    /// Print the JSON Schema of a file kind, for editors.
    Schema(SchemaArgs),
    /// Print a completion script for a shell, which asks topsim itself for names.
    Completions(CompletionsArgs),
    /// Print a page of the manual, for `man -l -`.
    Man(ManArgs),
}

/// Which cases, and how they are run.
#[derive(Debug, Default, Args)]
pub struct CaseArgs {
    /// Case files, folders of them, or names of built-in cases; none means all built-in cases.
    #[arg(value_name = "CASE", add = ArgValueCompleter::new(cases_and_files))]
    pub cases: Vec<String>,
    /// Folder of the tolerance files (default: `expected` beside or above the case's folder).
    #[arg(long, value_name = "DIR")]
    pub expected: Option<PathBuf>,
    /// Threads (default: all cores).
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Stop each run that takes longer than this; its valid prefix is kept.
    #[arg(long, alias = "timeout", value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: Option<f64>,
}

impl CaseArgs {
    /// These cases, run as nothing else is said.
    pub fn of(cases: Vec<String>) -> Self {
        Self {
            cases,
            ..Self::default()
        }
    }
}

/// Arguments of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Cases.
    #[command(flatten)]
    pub selection: CaseArgs,
    /// Folder of the results.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
    /// What is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Validate and list the runs, for people; integrate and write nothing.
    #[arg(long, conflicts_with = "format")]
    pub dry_run: bool,
    /// Ignore tolerance files, also what is wrong in them; nothing is judged then.
    #[arg(long)]
    pub no_checks: bool,
    /// A solver whose histories join the studies and figures of the cases; checks do not look at it. The command is that
    /// of `judge --solver`; without `NAME=` it is called `your_solver`.
    #[arg(long, value_name = "[NAME=]COMMAND", conflicts_with_all = ["shard", "dry_run"])]
    pub solver: Option<Guest>,
    /// Which part of the cases.
    #[command(flatten)]
    pub choice: ChoiceArgs,
    /// Write no figures.
    #[arg(long)]
    pub no_figures: bool,
    /// Formats of the figures.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FORMAT,…", default_values_t = FigureFormat::USUAL)]
    pub figure_format: Vec<FigureFormat>,
    /// Show every verdict instead of the tightest of each check.
    #[arg(long, short)]
    pub verbose: bool,
    /// Zoom into escape maps.
    #[command(flatten)]
    pub map: MapArgs,
    /// Compute one share of the escape maps only, I from 0 to N − 1, and leave its tiles for `merge`.
    #[arg(long, value_name = "I/N", conflicts_with = "format")]
    pub shard: Option<Shard>,
}

/// A part of the cases. A check is judged only on runs that are those of its case as it is written; without any it is
/// skipped.
#[derive(Debug, Args)]
pub struct ChoiceArgs {
    /// Only these schemes of the cases, by their labels; `*` stands for any characters.
    #[arg(long, value_name = "SCHEME,…", value_delimiter = ',', conflicts_with = "shard", value_parser = Known(schemes), hide_possible_values = true)]
    pub schemes: Vec<String>,
    /// These steps instead of those of the cases, s.
    #[arg(
        long,
        value_name = "H,H,…",
        value_delimiter = ',',
        conflicts_with = "shard"
    )]
    pub steps: Vec<WrittenStep>,
    /// End before the cases do, s.
    #[arg(long, value_name = "T", value_parser = finite, allow_negative_numbers = true, conflicts_with = "shard")]
    pub end: Option<f64>,
    /// Only this check, with the runs and studies that it looks at; `*` stands for any characters. May be given several
    /// times.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["shard", "no_checks"])]
    pub check: Vec<String>,
}

/// Other windows and sizes of escape maps.
#[derive(Debug, Args)]
pub struct MapArgs {
    /// Window of escape maps, m: distances from the axis, heights above the equilibrium.
    #[arg(long, value_name = "X0,X1,Z0,Z1", value_parser = window, allow_hyphen_values = true)]
    pub window: Option<[f64; 4]>,
    /// Cells of escape maps.
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub size: Option<[u32; 2]>,
}

/// Arguments of `merge`.
#[derive(Debug, Args)]
#[command(mut_arg("shard", |a| a.hide(true)))]
pub struct MergeArgs {
    /// As for `run`.
    #[command(flatten)]
    pub run: RunArgs,
    /// Results folder of a shard, beside that of --out; may be given several times.
    #[arg(long, value_name = "DIR")]
    pub from: Vec<PathBuf>,
}

/// Arguments of `judge`.
#[derive(Debug, Clone, Args)]
#[command(group = ArgGroup::new("what").args(["history", "solver", "problem"]))]
#[command(after_help = JUDGE)]
pub struct JudgeArgs {
    /// Case files, or names of built-in cases; several with --solver only. Without --solver, --history and --problem,
    /// topsim-judge.toml in this folder says what is judged.
    #[arg(
        value_name = "CASE",
        add = ArgValueCompleter::new(cases_and_files),
        conflicts_with = "all"
    )]
    pub cases: Vec<String>,
    /// All built-in cases made for judging: those whose names begin with `judge_`.
    #[arg(long, conflicts_with_all = ["history", "problem"])]
    pub all: bool,
    /// A CSV file: `t`, an attitude, and what else is known; once for each step size.
    #[arg(long, value_name = "FILE")]
    pub history: Vec<PathBuf>,
    /// A command that reads the problem as JSON from standard input and writes CSV to standard output; started
    /// once for each step. Quoted as in a shell; no shell reads it.
    #[arg(long, value_name = "COMMAND")]
    pub solver: Option<SolverCommand>,
    /// Print the problem that a solver would get for the first step, and run nothing.
    #[arg(long)]
    pub problem: bool,
    /// How the solver gets its problems: json (the default), or text, lines `key = values`.
    #[arg(long, value_name = "FORM", conflicts_with = "history")]
    pub protocol: Option<ProblemForm>,
    /// Steps for the solver (default: those of the case), or those of the histories in their order (default: the
    /// median spacing of their rows).
    #[arg(long, alias = "step", value_name = "H,H,…", value_delimiter = ',', value_parser = seconds)]
    pub steps: Vec<f64>,
    /// End before the case does, s; for the solver.
    #[arg(long, value_name = "T", value_parser = finite, allow_negative_numbers = true, conflicts_with = "history")]
    pub end: Option<f64>,
    /// Longest time the solver may take for one step (default: 60).
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with_all = ["history", "problem"])]
    pub time_limit: Option<f64>,
    /// Solvers at a time (default: all cores).
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), conflicts_with_all = ["history", "problem"])]
    pub jobs: Option<u16>,
    /// Order of the columns q0 … q3 or q1 … q4: wxyz (scalar first) or xyzw (scalar last).
    #[arg(long, value_name = "ORDER")]
    pub quaternion: Option<QuaternionOrder>,
    /// Sequence of the Euler angles e1, e2, e3 about turned axes, and their unit, such as ZXZ:deg.
    #[arg(long, value_name = "SEQUENCE:UNIT")]
    pub euler: Option<EulerAngles>,
    /// The attitude takes components in space to components in the body.
    #[arg(long)]
    pub transposed: bool,
    /// Frame of the columns wx, wy, wz: body or space.
    #[arg(long, value_name = "FRAME")]
    pub rate_frame: Option<RateFrame>,
    /// Unit of the rate where the header does not say it: rad/s, deg/s or rpm.
    #[arg(long, value_name = "UNIT")]
    pub rate_unit: Option<RateUnit>,
    /// What is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// What the author claims of the solver, to be judged: order=P (measured, it may be 0.25 less), energy (kept to
    /// rounding) or energy=bounded, momentum, reversible.
    #[arg(long, value_name = "CLAIM,CLAIM,…", conflicts_with = "problem")]
    pub claim: Option<Claims>,
    /// The same as --claim order=P.
    #[arg(long, value_name = "P", value_parser = order, conflicts_with = "problem")]
    pub least_order: Option<f64>,
    /// Write the report, and for each case errors, the order beside schemes of the catalogue and drifts, as CSV and
    /// figures, below this folder.
    #[arg(long, value_name = "DIR", conflicts_with = "problem")]
    pub out: Option<PathBuf>,
    /// Show all that was found: each history, drifts, phases, what row 0 does not show.
    #[arg(long, short)]
    pub verbose: bool,
    /// A TOML file with the failing verdicts that are accepted, and why; new ones still fail.
    #[arg(
        long,
        alias = "baseline",
        value_name = "FILE",
        conflicts_with = "problem"
    )]
    pub accepted: Option<PathBuf>,
    /// Write the failing verdicts as such a file, to be given reasons; those of --accepted that still show keep
    /// theirs.
    #[arg(
        long,
        alias = "write-baseline",
        value_name = "FILE",
        conflicts_with = "problem"
    )]
    pub write_accepted: Option<PathBuf>,
    /// Let --write-accepted replace a file.
    #[arg(long, requires = "write_accepted")]
    pub force: bool,
}

const JUDGE: &str = "\
Examples:
  topsim judge                    # as topsim-judge.toml in this folder says
  topsim judge heavy_top --history coarse.csv --history fine.csv
  topsim judge heavy_top --problem --steps 0.01 > problem.json
  topsim judge heavy_top --solver \"python3 my_solver.py\" --steps 0.004,0.002,0.001
  topsim judge --all --solver ./my_solver --out judged
  topsim judge --all --solver ./my_solver --claim order=2 --accepted known.toml --format junit > judge.xml

Exit status: 0 no defect found, or only what --accepted accepts; undecided, where nothing is claimed · 1 a defect, or a \
claim that does not hold or cannot be shown · \
2 usage or an invalid file · 3 a step of the solver has no history · 4 input/output error · 130 interrupted

`topsim schema problem` describes the JSON, `topsim schema accepted` the list of accepted defects, docs/judging.md all of it.";

/// Arguments of `bless`.
#[derive(Debug, Args)]
pub struct BlessArgs {
    /// Case files or folders whose baselines are to be renewed.
    #[command(flatten)]
    pub selection: CaseArgs,
    /// Write the new baselines; without it the changes are only shown.
    #[arg(long)]
    pub accept: bool,
}

/// Arguments of `figures`.
#[derive(Debug, Args)]
pub struct FiguresArgs {
    /// Cases.
    #[command(flatten)]
    pub selection: CaseArgs,
    /// Folder of the figures.
    #[arg(long, value_name = "DIR", default_value = "figures")]
    pub out: PathBuf,
    /// Formats of the figures.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FORMAT,…", default_values_t = FigureFormat::USUAL)]
    pub figure_format: Vec<FigureFormat>,
    /// Draw no times of this machine.
    #[arg(long)]
    pub no_times: bool,
}

/// Arguments of `scorecard`.
#[derive(Debug, Args)]
pub struct ScorecardArgs {
    /// Schemes; none means all that serve any body.
    #[arg(value_name = "SCHEME", value_parser = Known(schemes), hide_possible_values = true)]
    pub schemes: Vec<String>,
    /// What is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Leave out the time of a step, the one number that differs from machine to machine.
    #[arg(long)]
    pub no_times: bool,
    /// Threads (default: all cores); times are measured one at a time.
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

/// Arguments of `list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only these.
    #[arg(value_enum)]
    pub what: Option<Listing>,
}

/// What can be listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Listing {
    /// Built-in cases.
    Cases,
    /// Schemes.
    Schemes,
    /// Metrics of tolerance files.
    Metrics,
    /// Kinds of studies.
    Studies,
}

/// Arguments of `show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// A case (name or file), a scheme, a metric, or a study.
    #[arg(value_parser = Known(shown), hide_possible_values = true)]
    pub name: String,
}

/// Arguments of `diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The earlier report: a results.json, or its folder.
    pub old: PathBuf,
    /// The later report.
    pub new: PathBuf,
    /// Smallest change of a number that is told, as a fraction of its size.
    #[arg(long, value_name = "FRACTION", default_value = "1e-9", value_parser = fraction)]
    pub tolerance: f64,
    /// Show every change instead of the first 20 of each kind.
    #[arg(long, short)]
    pub verbose: bool,
}

/// Arguments of `init`.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// Name of the new case: `cases/NAME.toml` and `expected/NAME.toml` are written below the current folder. Nothing
    /// is replaced.
    pub name: String,
    /// The case it starts from: a built-in case, or a file.
    #[arg(long, value_name = "CASE", default_value = "heavy_top", add = ArgValueCompleter::new(cases_and_files))]
    pub from: String,
}

/// Arguments of `schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// Which file kind.
    #[arg(value_enum)]
    pub file: FileKind,
}

/// File kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FileKind {
    /// Case files.
    Case,
    /// Tolerance files.
    Expected,
    /// What `judge --solver` gives a solver.
    Problem,
    /// `topsim-judge.toml`, which `judge` reads.
    Judge,
    /// What `judge --accepted` reads.
    #[value(alias = "baseline")]
    Accepted,
    /// `results.json`, and what `--format json` prints.
    Results,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Which shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// The command; all of topsim without it.
    #[arg(value_name = "COMMAND", value_parser = Known(commands), hide_possible_values = true)]
    pub name: Option<String>,
}

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables for people.
    Human,
    /// The contents of results.json.
    Json,
    /// JUnit XML: a suite for each case, a test case for each run and verdict.
    Junit,
    /// Tables for documents, with what failed before them.
    Markdown,
    /// A row for each verdict.
    Csv,
    /// Tables of the studies over step ladders and of the scorecard.
    Latex,
    /// The page that is also written as report.html.
    Html,
}

impl Format {
    /// What renders it.
    pub fn renderer(self, style: TextStyle) -> Box<dyn Renderer> {
        match self {
            Self::Human => Box::new(Human(style)),
            Self::Json => Box::new(Json),
            Self::Junit => Box::new(Junit),
            Self::Markdown => Box::new(Markdown),
            Self::Csv => Box::new(Csv),
            Self::Latex => Box::new(Latex),
            Self::Html => Box::new(Html),
        }
    }
    /// Whether it is for people to read as it is printed.
    pub fn is_for_people(self) -> bool {
        self == Self::Human
    }
}

/// Names for completion where an argument takes other texts too.
#[derive(Clone)]
struct Known(fn() -> Vec<&'static str>);

impl TypedValueParser for Known {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}

/// Cases that begin so, for completion: the built-in ones, and paths.
fn cases_and_files(begin: &OsStr) -> Vec<CompletionCandidate> {
    let begins = |name: &&str| name.as_bytes().starts_with(begin.as_encoded_bytes());
    let known = cases().into_iter().filter(begins);
    let paths = PathCompleter::any().complete(begin);
    known.map(CompletionCandidate::new).chain(paths).collect()
}

/// Names of the commands.
pub(super) fn commands() -> Vec<&'static str> {
    static PROGRAM: LazyLock<clap::Command> = LazyLock::new(Cli::command);
    let all = PROGRAM.get_subcommands();
    all.map(clap::Command::get_name).collect()
}

/// Names of the built-in cases.
pub(super) fn cases() -> Vec<&'static str> {
    BUILTIN.iter().map(|b| b.name).collect()
}

/// Names of the schemes.
pub(super) fn schemes() -> Vec<&'static str> {
    registry::names().collect()
}

/// All that `show` knows by name; a metric and a study may share one.
pub(super) fn shown() -> Vec<&'static str> {
    let metrics = METRICS.iter().map(|m| m.name);
    let mut all: Vec<_> = metrics.chain(KINDS.iter().map(|k| k.name)).collect();
    all.extend(cases());
    all.extend(schemes());
    all.sort_unstable();
    all.dedup();
    all
}

/// The message about a name that nobody knows: `what` says of what it should be the name.
pub(super) fn unknown(what: &str, name: &str, known: &[&str], allowed: &str) -> Failure {
    let near = meant(nearest(name, known));
    let name = clip(name, 80);
    Failure::Invalid(format!("error: {what} `{name}`{near}; allowed: {allowed}"))
}

fn window(text: &str) -> Result<[f64; 4], String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|x| x.trim().parse()).collect();
    match numbers.as_deref() {
        Ok(all @ &[x0, x1, z0, z1]) if x1 > x0 && z1 > z0 && all.iter().all(|x| x.is_finite()) => {
            Ok([x0, x1, z0, z1])
        }
        _ => Err("allowed: four numbers X0,X1,Z0,Z1 in m, X1 above X0 and Z1 above Z0".into()),
    }
}

fn size(text: &str) -> Result<[u32; 2], String> {
    const MOST: u32 = 1 << 20;
    let sides: Option<Vec<u32>> = text.split('x').map(|n| n.parse().ok()).collect();
    match sides.as_deref() {
        Some(&[w, h]) if (1..=MOST).contains(&w) && (1..=MOST).contains(&h) => Ok([w, h]),
        _ => Err(format!(
            "allowed: two counts from 1 to {MOST}, such as 300x300"
        )),
    }
}

/// A number of which something holds, or what is allowed.
fn number(text: &str, holds: fn(f64) -> bool, allowed: &str) -> Result<f64, String> {
    let x = text.parse().ok().filter(|x| holds(*x));
    x.ok_or_else(|| format!("allowed: {allowed}"))
}

fn seconds(text: &str) -> Result<f64, String> {
    let allowed = "a number of seconds greater than 0, at most 1e9";
    number(text, |x| x > 0.0 && x <= 1e9, allowed)
}

fn order(text: &str) -> Result<f64, String> {
    let allowed = "an order greater than 0, at most 20";
    number(text, |p| p > 0.0 && p <= 20.0, allowed)
}

fn fraction(text: &str) -> Result<f64, String> {
    number(text, |x| (0.0..1.0).contains(&x), "a number from 0 to 1")
}

fn finite(text: &str) -> Result<f64, String> {
    number(text, f64::is_finite, "a time in s")
}

/// The help text.
pub fn help() -> String {
    Cli::command().render_long_help().to_string()
}
