//! The options of every command.

mod bath;
mod compare;
mod format;
mod gate;
mod hunt;
mod judge;
mod overview;
mod reading;
mod values;

pub use bath::BathArgs;
pub use compare::{CompareArgs, NamedSolver};
pub use format::ReportArgs;
pub use gate::GateArgs;
pub use hunt::{HuntArgs, HuntFormat};
pub use judge::JudgeArgs;
pub use reading::ReadingArgs;
pub(super) use values::{cases, commands, no_scheme, schemes, shown, unknown};

use super::guest::Guest;
use super::model_file::ModelGuest;
use crate::figure::FigureFormat;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::engine::ArgValueCompleter;
use std::path::PathBuf;
use strum::VariantArray;
use tiles::Shard;
use topsim_case::WrittenStep;
use topsim_levitron::kernel::Width;
use values::{
    NameParser, cases_and_files, finite, fraction, reproductions, seconds, size, width, window,
};

/// Validation suite for rigid-body rotation integrators.
#[derive(Debug, Parser)]
#[command(name = "topsim", version, about, max_term_width = 100, help_template = overview::template(), after_help = overview::AFTER)]
pub struct Cli {
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
    /// Print errors only.
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Print without colours (as with the variable NO_COLOR, and into a pipe).
    #[arg(long, global = true)]
    pub no_color: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run cases, write histories and figures, judge them.
    Run(RunArgs),
    /// List built-in cases, schemes, metrics, defects and more.
    List {
        /// List only these (default: all).
        #[arg(value_enum)]
        what: Option<Listing>,
    },
    /// Describe whatever topsim names: a case, a scheme, a metric, a defect, a source.
    Show {
        /// Print the file of a case as it is, and nothing else.
        #[arg(long)]
        file: bool,
        /// Print Markdown, as for docs/defects.md.
        #[arg(long, hide = true)]
        markdown: bool,
        /// A case (name or file), a scheme, a metric, a study, a figure, a defect, or the key of a source.
        #[arg(value_parser = NameParser(shown), hide_possible_values = true)]
        name: String,
    },
    /// Compare two reports. The exit status is 1 if a verdict got worse.
    Diff(DiffArgs),
    /// Write a new case and its tolerance file, as a copy of an existing one; or a solver to put your step into.
    Init(InitArgs),
    /// Judge your solver, or histories computed elsewhere. The exit status is 1 if they are not the motion of the
    /// case.
    Judge(JudgeArgs),
    /// Compare several solvers, or settings of one, on the same cases: verdicts, orders, errors at equal work, times of a step.
    Compare(CompareArgs),
    /// Search for problems on which your solver is wrong. It writes the simplest ones, with scripts that show the error. The
    /// exit status is 1 if there is one.
    Hunt(HuntArgs),
    /// Score a test of rotation code: hand it the histories of right and wrong solvers, and say which of the wrong ones it lets pass.
    Gate(GateArgs),
    /// Judge Langevin thermostats of rigid rotors: samples of your code, or topsim's own schemes. The exit status is 1 if they do not
    /// have the canonical law.
    Bath(BathArgs),
    /// Write out and run a built-in case that shows an error of a publication or a program.
    Repro(ReproArgs),
    /// Renew regression baselines (never published or exact numbers). The exit status is 1 if changes wait for `--accept`.
    Bless(BlessArgs),
    /// Draw the figures of cases without judging anything.
    Figures(FiguresArgs),
    /// Measure the claims of each scheme. The exit status is 1 if a measurement disagrees.
    Scorecard(ScorecardArgs),
    /// Print the JSON Schema of a file kind, for editors.
    Schema {
        /// Kind of the file.
        #[arg(value_enum)]
        file: FileKind,
    },
    /// Print a completion script for a shell, which asks topsim itself for names.
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print a page of the manual, for `man -l -`.
    Man {
        /// The command (default: all of topsim).
        #[arg(value_name = "COMMAND", value_parser = NameParser(commands), hide_possible_values = true)]
        name: Option<String>,
    },
}

/// The cases and the way in which they are run.
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
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: Option<f64>,
}

impl CaseArgs {
    /// Selects these cases with the default options.
    pub fn of(cases: Vec<String>) -> Self {
        Self {
            cases,
            ..Self::default()
        }
    }
}

#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub selection: CaseArgs,
    /// Folder of the results.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
    #[command(flatten)]
    pub report: ReportArgs,
    /// Validate and list the runs, for people; integrate and write nothing.
    #[arg(long, conflicts_with_all = ["format", "files"])]
    pub dry_run: bool,
    /// Ignore tolerance files, also what is wrong in them; nothing is judged then.
    #[arg(long)]
    pub no_checks: bool,
    /// Also run this external solver, and show it in studies and figures (not in checks). The command is that of
    /// `judge --solver`; without `NAME=` its label is `your_solver`.
    #[arg(long, value_name = "[NAME=]COMMAND", conflicts_with_all = ["shard", "dry_run"])]
    pub solver: Option<Guest>,
    /// Also run the model of a solver, as `judge --model` wrote it; without `NAME=` its label is `solver_model`.
    #[arg(long, value_name = "[NAME=]FILE", conflicts_with_all = ["shard", "dry_run", "solver"])]
    pub solver_model: Option<ModelGuest>,
    /// The chosen part of the cases.
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
    #[command(flatten)]
    pub map: MapArgs,
    /// Run one share only, I from 0 to N − 1: the tiles of the share of escape maps, spin scans and ensembles, and every
    /// N-th of the other cases, whole, with its results in the folder `shard_I_of_N` below that of --out. The same
    /// command without --shard then takes what the shards have finished, and computes the rest.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Take what shards have finished in this folder of results too; may be given several times.
    #[arg(long, value_name = "DIR", conflicts_with = "shard")]
    pub from: Vec<PathBuf>,
}

/// A part of the cases. A check is judged only on runs that its case asks for as it is written; a check without such
/// runs is skipped.
#[derive(Debug, Args)]
pub struct ChoiceArgs {
    /// Run only these schemes of the cases: labels, in which `*` stands for any characters, or claims such as
    /// "order = 2 and not symplectic" (`topsim list claims`).
    #[arg(long, value_name = "SCHEME,…", value_delimiter = ',', conflicts_with = "shard", value_parser = NameParser(schemes), hide_possible_values = true)]
    pub schemes: Vec<String>,
    /// Run with these steps instead of those of the cases, s.
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
    /// Judge only this check, with the runs and studies that it uses; `*` stands for any characters. It may be given
    /// several times.
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
    /// Instructions that compute escape maps (default: the widest of the processor); the results are the same.
    #[arg(long, value_name = "scalar|avx2|avx512", value_parser = width)]
    pub simd: Option<Width>,
}

#[derive(Debug, Args)]
pub struct BlessArgs {
    /// Case files or folders whose baselines are to be renewed.
    #[command(flatten)]
    pub selection: CaseArgs,
    /// Write the new baselines; without it the changes are only shown.
    #[arg(long)]
    pub accept: bool,
}

#[derive(Debug, Args)]
pub struct FiguresArgs {
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

#[derive(Debug, Args)]
pub struct ScorecardArgs {
    /// Schemes, by name or by claims such as "order = 2 and not symplectic"; none means all that serve any body.
    #[arg(value_name = "SCHEME", value_parser = NameParser(schemes), hide_possible_values = true)]
    pub schemes: Vec<String>,
    #[command(flatten)]
    pub report: ReportArgs,
    /// Leave out the time of a step, the one number that differs from machine to machine.
    #[arg(long)]
    pub no_times: bool,
    /// Threads (default: all cores); times are measured one at a time.
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

/// Things that can be listed.
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
    /// Kinds of figures.
    Figures,
    /// Claims by which schemes are selected.
    Claims,
    /// Defects of solvers, with the names by which they are accepted.
    Defects,
}

#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The earlier report: a results.json, or its folder. Alone, a folder of reports, NAME.json or NAME/results.json, which are
    /// compared in the order of their names.
    pub old: PathBuf,
    /// The later report.
    pub new: Option<PathBuf>,
    /// Write a page with each verdict that changed, its number over the versions; beside a folder of reports.
    #[arg(long, value_name = "FILE", conflicts_with = "new")]
    pub page: Option<PathBuf>,
    /// Report only numbers that changed by more than this fraction.
    #[arg(long, value_name = "FRACTION", default_value = "1e-9", value_parser = fraction)]
    pub tolerance: f64,
    /// Show every change instead of the first 20 of each kind.
    #[arg(long, short)]
    pub verbose: bool,
}

#[derive(Debug, Args)]
#[command(after_help = INIT)]
pub struct InitArgs {
    /// Name of the new case: `cases/NAME.toml` and `expected/NAME.toml` are written below the current folder. With --solver,
    /// the folder of the solver (default: the current one). No file is replaced.
    #[arg(required_unless_present = "solver")]
    pub name: Option<String>,
    /// The case that is copied: a built-in case, or a file.
    #[arg(long, value_name = "CASE", default_value = "heavy_top", conflicts_with = "solver", add = ArgValueCompleter::new(cases_and_files))]
    pub from: String,
    /// Write a short case with two checks instead of a copy.
    #[arg(long, conflicts_with_all = ["from", "solver"])]
    pub minimal: bool,
    /// Write a solver in this language instead, with a step that you replace by yours, and `topsim-judge.toml`; then
    /// `topsim judge` judges it.
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub solver: Option<Language>,
    /// Write a solver that drives a physics engine: free bodies in principal axes, rates in space.
    #[arg(long, requires = "solver")]
    pub engine: bool,
}

const INIT: &str = "\
Examples:
  topsim init my_top --minimal             # cases/my_top.toml and expected/my_top.toml, as short as can be
  topsim init my_top --from heavy_top      # the same as a copy of a built-in case, with comments
  topsim init --solver python              # solver.py, topsim_solver.py and topsim-judge.toml; then: topsim judge
  topsim init --solver cpp --engine bullet # the same in the folder bullet, for a physics engine";

/// Languages in which `init --solver` writes a solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, VariantArray)]
pub enum Language {
    /// Python 3, without packages.
    Python,
    /// C99.
    C,
    /// C++17.
    Cpp,
    /// Rust, without crates.
    Rust,
    /// JavaScript, for Node.
    Js,
    /// Julia, without packages.
    Julia,
    /// Fortran 2008.
    Fortran,
    /// MATLAB.
    Matlab,
    /// Octave: the files of MATLAB.
    Octave,
}

#[derive(Debug, Args)]
pub struct ReproArgs {
    /// The reproduction; without an ID all are listed. docs/findings.md describes each in full.
    #[arg(value_name = "ID", value_parser = NameParser(reproductions), hide_possible_values = true)]
    pub id: Option<String>,
    /// Folder of its case, its tolerance file and its results (default: the ID).
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// File kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FileKind {
    /// Case files.
    Case,
    /// Tolerance files.
    Expected,
    /// The problem that `judge --solver` gives to a solver.
    Problem,
    /// The batch of problems that `--protocol batch` gives to a solver.
    Batch,
    /// `topsim-judge.toml`, which `judge` reads.
    Judge,
    /// A rotor in a bath, which `bath` reads.
    Bath,
    /// The list that `judge --accepted` reads.
    Accepted,
    /// The model of a solver: what `judge --model` writes and `run --solver-model` reads.
    Model,
    /// `results.json`, and what `--format json` prints.
    Results,
}

/// Returns the help text.
pub fn help() -> String {
    Cli::command().render_long_help().to_string()
}
