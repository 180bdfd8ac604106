//! `topsim bath`: samples of a rotor in a heat bath, or topsim's own schemes for it, held against the exact law.

use super::args::BathArgs;
use super::terminal::{Terminal, watch_interrupts};
use super::{Answer, Failure, exit};
use crate::report::pretty;
use serde_json::json;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::atomic::Ordering;
use topsim_bath::{
    BathSetup, LawJudge, SamplesError, add_samples, bath_jobs, bath_orders, judged, measured,
    run_job,
};
use topsim_core::verdict::Status;
use topsim_protocol::parallel::Threads;

pub(super) fn bath(args: &BathArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let name = args.file.display().to_string();
    let text = std::fs::read_to_string(&args.file);
    let text = text.map_err(|e| Failure::Io(format!("{name}: {e}")))?;
    let setup = BathSetup::read(&name, &text).map_err(|e| terminal.invalid(&e))?;
    let (said, data, passed) = match &args.samples {
        Some(path) => {
            let report = judge_file(&setup, path)?;
            // Nothing is claimed of samples, so that what is undecided breaks no build.
            let passed = report.status != Status::Failed;
            (judged(&report), json!(report), passed)
        }
        None => {
            let jobs = bath_jobs(&setup);
            if jobs.is_empty() {
                return Err(Failure::Invalid(format!(
                    "error: {name}: found no table `run`; allowed: a file with one, or `--samples FILE` beside it"
                )));
            }
            let interrupted = watch_interrupts();
            let bar = terminal.spinner();
            bar.set_length(jobs.len() as u64);
            let threads = Threads::new(args.jobs.map(usize::from));
            let wanted = || !interrupted.load(Ordering::Relaxed);
            let runs = threads.map(jobs, |job| {
                let run = run_job(&setup, &job, &wanted);
                bar.inc(1);
                run
            });
            bar.finish_and_clear();
            let runs: Option<Vec<_>> = runs.into_iter().collect();
            let Some(runs) = runs else {
                return Err(Failure::Interrupted("nothing was measured".into()));
            };
            let orders = bath_orders(&runs);
            let shortest = runs.chunk_by(|a, b| a.scheme == b.scheme);
            let mut laws = shortest.filter_map(|runs| runs.last());
            let passed = laws.all(|run| run.law.status != Status::Failed)
                && orders.iter().all(|order| order.status == Status::Passed);
            let said = measured(&runs, &orders);
            (said, json!({ "runs": runs, "orders": orders }), passed)
        }
    };
    if let Some(out) = &args.out {
        whole_file::write(out, pretty(&data).as_bytes())?;
    }
    let text = match terminal.quiet && passed {
        true => String::new(),
        false => terminal.shown(&said),
    };
    let status = if passed { exit::PASSED } else { exit::FAILED };
    Ok(Answer { text, status })
}

/// Judges the samples in a file.
fn judge_file(setup: &BathSetup, path: &Path) -> Result<topsim_bath::LawReport, Failure> {
    let name = path.display();
    let file = File::open(path).map_err(|e| Failure::Io(format!("{name}: {e}")))?;
    let mut judge = LawJudge::new(&setup.rotor);
    match add_samples(&setup.rotor, &mut BufReader::new(file), &mut judge) {
        Ok(()) => Ok(judge.report(setup.judge.bias)),
        Err(SamplesError::Io(e)) => Err(Failure::Io(format!("{name}: {e}"))),
        Err(e) => Err(Failure::Invalid(format!("error: {name}: {e}"))),
    }
}
