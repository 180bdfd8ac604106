//! Options of `topsim bath`.

use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
#[command(after_help = BATH)]
pub struct BathArgs {
    /// The rotor and the bath, in TOML.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Samples of your code, as CSV: columns `q0,q1,q2,q3` or `R11,…,R33`, and `L1,L2,L3` or `W1,W2,W3`. Without them topsim runs its own
    /// schemes as the file says.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub samples: Option<PathBuf>,
    /// Write all statistics as JSON.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,
    /// Threads (default: all cores).
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

const BATH: &str = "\
Examples:
  topsim bath rotor.toml --samples samples.csv
  topsim bath rotor.toml --out bias.json

Exit status: 0 the samples have the law, or too few of them say so; the orders and the law of topsim's schemes hold · 1 not so, or the order of a scheme \
cannot be shown · 2 usage or an invalid file · 4 input/output error · 130 interrupted

`topsim schema bath` describes the file, docs/bath.md the law, the statistics and the columns.";
