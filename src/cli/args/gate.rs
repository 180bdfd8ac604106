//! Options of `topsim gate`.

use super::values::{cases_and_files, seconds};
use clap::Args;
use clap_complete::engine::ArgValueCompleter;
use std::path::PathBuf;
use topsim_judge::SolverCommand;

#[derive(Debug, Clone, Args)]
#[command(after_help = GATE)]
pub struct GateArgs {
    /// The case whose histories the test gets: one with the body, the start and the steps that the test knows.
    #[arg(value_name = "CASE", default_value = "judge_top", add = ArgValueCompleter::new(cases_and_files))]
    pub case: String,
    /// The test: a command that ends with 0 if it accepts a history. `{history}` stands for the file of the shortest step, `{histories}` for the
    /// files of all steps, the longest first, and `{steps}` for these steps with commas between. Quoted as in a shell; no shell reads it.
    #[arg(long, value_name = "COMMAND")]
    pub test: SolverCommand,
    /// Least part of the wrong solvers that the test must reject, in percent.
    #[arg(long, value_name = "PERCENT", default_value_t = 95.0, value_parser = percent)]
    pub least: f64,
    /// Folder of the histories, as CSV, and of the answers in gate.json.
    #[arg(long, value_name = "DIR", default_value = "gate")]
    pub out: PathBuf,
    /// Longest time the test may take for one solver (default: 60).
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: Option<f64>,
    /// Tests at a time (default: all cores).
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

const GATE: &str = "\
Examples:
  topsim gate --test \"python3 my_test.py {history}\"
  topsim gate judge_free --test \"./energy_check {histories}\" --least 80

Exit status: 0 all right solvers are accepted, and enough wrong ones rejected · 1 not so · 2 usage or an invalid file · \
4 input/output error";

fn percent(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if (0.0..=100.0).contains(&x) => Ok(x),
        _ => Err("allowed: a number from 0 to 100".into()),
    }
}
