//! Options of `topsim hunt`.

use super::ReadingArgs;
use super::values::{NameParser, duration, schemes, seconds};
use clap::{ArgGroup, Args, ValueEnum};
use std::path::PathBuf;
use std::str::FromStr;
use topsim_hunt::HuntClaim;
use topsim_judge::{Claims, SolverCommand};
use topsim_protocol::problem::{OnlyStep, ProblemForm};

#[derive(Debug, Clone, Args)]
#[command(group = ArgGroup::new("what").args(["solver", "scheme"]))]
#[command(after_help = HUNT)]
pub struct HuntArgs {
    /// The solver: a command that reads problems and writes rows, as for `judge --solver`. Without --solver and --scheme,
    /// topsim-judge.toml in this folder says which, and how it is built.
    #[arg(long, value_name = "COMMAND")]
    pub solver: Option<SolverCommand>,
    /// A scheme of the catalogue instead of a solver.
    #[arg(long, value_name = "NAME", conflicts_with = "ReadingArgs", value_parser = NameParser(schemes), hide_possible_values = true)]
    pub scheme: Option<String>,
    /// Search only for problems on which one of these does not hold: answer, limit, exact, order (the usual one) or order=P, momentum,
    /// energy, time_scale, inertia_scale, lever_weight, space_turn, body_turn, mirror (default: all that ordinary
    /// problems show).
    #[arg(long, value_name = "CLAIM,CLAIM,…")]
    pub claim: Option<HuntedClaims>,
    /// The same seed gives the same problems.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Longest time, such as 30s or 10min; it ends running solvers too (default: 1min).
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub budget: Option<f64>,
    /// Largest number of problems, which gives the same findings on every machine. Without --budget there is no other limit.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub problems: Option<u64>,
    /// Folder of the findings, each in a folder of its own. Earlier findings are tried first.
    #[arg(long, value_name = "DIR", default_value = "findings")]
    pub out: PathBuf,
    /// Solvers or threads at a time (default: all cores).
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Longest time the solver may take for one answer (default and most: 20).
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with = "scheme")]
    pub time_limit: Option<f64>,
    /// The only step that the solver can make, in s, such as 0.01 or 1/60: problems are posed as equivalent ones with this step.
    #[arg(long, value_name = "S", conflicts_with = "scheme")]
    pub only_step: Option<OnlyStep>,
    /// Form of the problems that the solver reads: json (the default), text, lines `key = values`, or batch, many problems of one step in arrays.
    #[arg(long, value_name = "FORM", conflicts_with = "scheme")]
    pub protocol: Option<ProblemForm>,
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Format of the output.
    #[arg(long, value_enum, default_value_t = HuntFormat::Human)]
    pub format: HuntFormat,
}

/// Formats of the output of a hunt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HuntFormat {
    /// Findings and tables for people.
    Human,
    /// All results as data.
    Json,
}

/// The claims that a hunt tests.
#[derive(Debug, Clone, Default)]
pub struct HuntedClaims {
    /// The claims that have to hold.
    pub wanted: Vec<HuntClaim>,
    /// The author's claims, which hold whatever ordinary problems show.
    pub claims: Claims,
}

/// A text that is no list of claims.
#[derive(Debug, Clone, thiserror::Error)]
#[error("found `{found}`; allowed: {allowed}, and order=P, with commas between")]
pub struct NoHuntClaims {
    found: String,
    allowed: String,
}

impl FromStr for HuntedClaims {
    type Err = NoHuntClaims;
    fn from_str(text: &str) -> Result<Self, NoHuntClaims> {
        let mut out = Self::default();
        for part in text.split(',').map(str::trim) {
            let hunted = |c: &Claims| {
                !c.reversible && c.precision.is_none() && !c.implicit && c.scheme.is_none()
            };
            let author: Option<Claims> = part.parse().ok().filter(hunted);
            let name = part.split_once('=').map_or(part, |(name, _)| name);
            let claim = HuntClaim::ALL.into_iter().find(|c| c.id() == name);
            match (claim, author) {
                (Some(claim), author) if author.is_some() || name == part => {
                    out.wanted.push(claim);
                    out.claims = out.claims.and(&author.unwrap_or_default());
                }
                _ => {
                    return Err(NoHuntClaims {
                        found: strict_toml::clip(part, 40),
                        allowed: HuntClaim::ALL.map(HuntClaim::id).join(", "),
                    });
                }
            }
        }
        Ok(out)
    }
}

const HUNT: &str = "\
Examples:
  topsim hunt                                                   # the solver of topsim-judge.toml, a minute
  topsim hunt --solver ./my_solver                              # a minute
  topsim hunt --solver ./my_solver --problems 2000 --quiet      # a gate: the same problems each time
  topsim hunt --solver ./my_solver --seed 7 --budget 30min
  topsim hunt --solver \"python3 my_solver.py\" --claim order=4,momentum
  topsim hunt --scheme quat_rk4

Exit status: 0 nothing was found, or only what is accepted in its finding.json · 1 a finding · 2 usage or an invalid file · \
3 no problem was judged, or a finding of before could not be tried · 4 input/output error · 130 interrupted; what was found by then is written and told

docs/hunt.md says what is searched and what is no finding.";
