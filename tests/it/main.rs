//! Tests from outside: the program and the libraries as their users meet them.

mod support;

mod any_file;
mod any_history;
mod bad_input;
mod bath;
mod bibliography;
#[cfg(unix)]
mod c_solvers;
mod choice;
#[cfg(unix)]
mod ci;
mod cli;
mod compare;
mod constrained;
mod contributing;
mod diff;
mod documents;
mod ensembles;
mod export;
mod figures;
mod formats;
mod formula_texts;
#[cfg(unix)]
mod gate;
mod guest;
mod html;
mod hunt;
mod init;
mod judge;
mod judge_columns;
#[cfg(unix)]
mod judge_out;
#[cfg(target_os = "linux")]
mod kept;
mod maps;
#[cfg(unix)]
mod relations;
mod renewed;
mod runs;
mod shards;
#[cfg(unix)]
mod skeletons;
#[cfg(unix)]
mod solver;
#[cfg(unix)]
mod solver_failures;
mod structure;
#[cfg(unix)]
mod terminal;
mod thresholds;
mod verdicts;
mod written;
