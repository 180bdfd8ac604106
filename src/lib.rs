//! topsim: the validation suite for rigid-body rotation integrators.
//!
//! This package is the suite and the program; what somebody may want alone is a crate of its own:
//! `topsim-core` (bodies, torques, schemes, references, the time loop), `topsim-case` (case files),
//! `topsim-judge` (judging other people's solvers, on `topsim-protocol` and `topsim-relations`), `topsim-hunt`,
//! `topsim-levitron`, `topsim-plot`, `strict-toml`.
//!
//! | module | what it holds |
//! |---|---|
//! | `text` | numbers, verdicts and CSV as text |
//! | [`suite`] | a problem with its checks, studies, figures and baseline |
//! | [`check`] | metrics, tolerance files, baselines, and the verdicts that follow |
//! | [`study`] | studies, one file each: step ladders, escape maps, spin scans, stability regions |
//! | [`run`] | suites in parallel, to one report |
//! | [`report`] | the report tree and what renders it |
//! | [`cli`] | the command line: the only module that reads arguments |

pub mod check;
pub mod cli;
pub mod figure;
pub mod report;
pub mod run;
pub mod study;
pub mod suite;
mod text;
