//! Runs of topsim's own schemes.

use crate::file::BathSetup;
use crate::judge::{LawJudge, LawReport};
use crate::rotor::{BathRotor, RotorSample};
use crate::schemes::{BathScheme, BathStepper};
use serde::Serialize;
use topsim_core::math::Random;

/// A run of a scheme with one step.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BathRun {
    /// Scheme.
    pub scheme: BathScheme,
    /// Step, s.
    pub step: f64,
    /// Samples held against the law.
    pub law: LawReport,
}

/// A scheme with a step and the number of steps from sample to sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BathJob {
    /// Scheme.
    pub scheme: BathScheme,
    /// Step, s.
    pub step: f64,
    /// Steps from sample to sample.
    pub stride: u64,
    /// Seed of its random numbers.
    pub seed: u64,
}

/// Returns the runs that a file asks for, those of a scheme one after the other from the longest step.
pub fn bath_jobs(setup: &BathSetup) -> Vec<BathJob> {
    let Some(run) = &setup.run else {
        return Vec::new();
    };
    let mut seeds = Random::new(run.seed);
    let mut jobs = Vec::new();
    for scheme in &run.schemes {
        for &(step, stride) in &run.steps {
            jobs.push(BathJob {
                scheme: *scheme,
                step,
                stride,
                seed: seeds.bits(),
            });
        }
    }
    jobs
}

/// Runs a job while `wanted`, which is asked at each sample; none if it was stopped.
pub fn run_job(setup: &BathSetup, job: &BathJob, wanted: &dyn Fn() -> bool) -> Option<BathRun> {
    let mut judge = LawJudge::new(&setup.rotor);
    if let Some(run) = &setup.run {
        let stepper = BathStepper::new(&setup.rotor, &job.scheme, job.step);
        let mut random = Random::new(job.seed);
        let mut state = start(&setup.rotor, &mut random);
        for sample in 0..run.left_out + run.samples {
            if !wanted() {
                return None;
            }
            for _ in 0..job.stride {
                stepper.step(&mut state, &mut random);
            }
            if sample >= run.left_out {
                judge.add(&state);
            }
        }
    }
    Some(BathRun {
        scheme: job.scheme,
        step: job.step,
        law: judge.report(setup.judge.bias),
    })
}

/// Draws a start: momenta of the law, and any attitude.
pub(crate) fn start(rotor: &BathRotor, random: &mut Random) -> RotorSample {
    let spread = (rotor.moments * rotor.thermal_energy).map(f64::sqrt);
    RotorSample {
        attitude: random.rotation(),
        momentum: spread.component_mul(&random.vector()),
    }
}
