//! A rigid rotor in a heat bath: Langevin schemes, the exact law of their samples, and a judge of samples from any code.
//!
//! ```
//! use topsim_bath::{BathSetup, bath_jobs, bath_orders, run_job};
//!
//! let text = "rotor = { inertia = [1.0, 1.7, 2.4], thermal_energy = 1.0, friction = 3.0 }\n\
//!             run = { steps = [0.4, 0.2], interval = 0.4, samples = 1000, burn_in = 4.0 }\n";
//! let setup = BathSetup::read("rotor.toml", text).unwrap();
//! let jobs = bath_jobs(&setup);
//! let runs: Vec<_> = jobs.iter().filter_map(|job| run_job(&setup, job, &|| true)).collect();
//! assert_eq!(runs.len(), 6);
//! // A thousand samples show no bias.
//! assert!(bath_orders(&runs).iter().all(|order| order.fitted.is_none()));
//! ```

mod blocks;
mod file;
mod judge;
mod law;
mod order;
mod rotor;
mod run;
mod samples;
mod schemes;
mod show;

pub use blocks::{BlockMean, BlockMeans, student};
pub use file::{
    BathFile, BathJudgeTable, BathRunSetup, BathRunTable, BathSetup, RotorInertia, RotorTable,
};
pub use judge::{BathFinding, LawJudge, LawReport, SIGMAS, VISIBLE};
pub use law::{BathStatistic, CanonicalLaw, STATISTICS, bath_statistics};
pub use order::{BIASED, BathOrder, CONFIDENCE, bath_orders};
pub use rotor::{BathRotor, DipoleInField, RotorSample};
pub use run::{BathJob, BathRun, bath_jobs, run_job};
pub use samples::{SamplesError, add_samples};
pub use schemes::{BATH_SCHEMES, BathPart, BathScheme, BathStepper};
pub use show::{judged, measured};

#[cfg(test)]
mod tests;
