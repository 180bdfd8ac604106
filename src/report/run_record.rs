//! Records of finished runs beside their histories on the disk, so that an interrupted command goes on where it stopped.

use super::history;
use crate::check::{SchemeRun, StepFact};
use crate::suite::{Suite, hex};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use topsim_case::RunPlan;
use topsim_core::integration::{Run, StepFacts};
use whole_file::WriteError;

/// End of the name of a record, the file with the data of a run that its history lacks.
const RECORD_END: &str = ".run";

/// Everything on which the numbers of a run depend besides its scheme and step.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RunKey {
    /// The program that made the run: its version, revision and file.
    program: String,
    /// SHA-256 of the case file.
    case: String,
    step_facts: BTreeSet<StepFact>,
    /// Number of steps and spacing of samples, s; a command may ask for another end than the case.
    grid: (u64, f64),
}

impl RunKey {
    pub(super) fn new(program: &str, suite: &Suite, plan: &RunPlan) -> Self {
        Self {
            program: program.into(),
            case: suite.hash.clone(),
            step_facts: suite.step_facts(plan),
            grid: (plan.grid.steps, plan.grid.sample),
        }
    }
}

/// The data of a finished run without its history, which has a file of its own.
#[derive(Serialize, Deserialize)]
struct RunRecord<'a> {
    key: RunKey,
    run: Cow<'a, Run>,
    back: Option<Vec<f64>>,
    symplectic_defect: Option<f64>,
    evaluations: Option<[u64; 2]>,
    wall: Duration,
}

/// Returns the names of the history and of the record of a run.
pub(super) fn names(stem: &str) -> [String; 2] {
    [format!("{stem}.csv"), format!("{stem}{RECORD_END}")]
}

/// Returns the stem of a run from the name of its record.
pub(super) fn stem_of(name: &str) -> Option<&str> {
    name.strip_suffix(RECORD_END)
}

/// Writes the history of a run and, if the run is complete and has a key, its record.
pub(super) fn write(dir: &Path, key: Option<RunKey>, item: &SchemeRun) -> Result<(), WriteError> {
    let [history, kept] = names(&item.stem());
    let mut sum = Sha256::new();
    whole_file::write_with(&dir.join(history), |out| {
        history::write(&item.run, &mut HashWriter(out, &mut sum))
    })?;
    let (run, step_facts) = (&item.run, item.step_facts.clone());
    // A run with a step fact that could not be measured gets no record: measuring it again fails at once.
    let (Some(key), Ok(()), Ok(back), Ok(symplectic_defect), Ok(evaluations)) = (
        key,
        item.outcome(),
        step_facts.back.transpose(),
        step_facts.symplectic_defect.transpose(),
        step_facts.evaluations.transpose(),
    ) else {
        return Ok(());
    };
    let text = serde_json::to_vec(&RunRecord {
        key,
        run: Cow::Borrowed(run),
        back,
        symplectic_defect,
        evaluations,
        wall: item.wall,
    });
    let text = text.expect("plain data always serialises");
    sum.update(&text);
    let sum = hex(&sum.finalize());
    whole_file::write(&dir.join(kept), &[sum.as_bytes(), b"\n", &text].concat())
}

/// Reads the run of a plan if it is complete and unchanged since it was written, and if the same program made it of the same
/// case.
pub(super) fn read(dir: &Path, key: &RunKey, plan: &RunPlan) -> Option<SchemeRun> {
    let [history, kept] = names(&plan.stem()).map(|name| dir.join(name));
    // Only regular files are opened: opening a pipe would wait for its writer.
    if !(history.is_file() && kept.is_file()) {
        return None;
    }
    let text = std::fs::read_to_string(kept).ok()?;
    let (written, text) = text.split_once('\n')?;
    let kept: RunRecord = serde_json::from_str(text).ok()?;
    let mut file = File::open(history).ok()?;
    let mut sum = Sha256::new();
    io::copy(&mut file, &mut HashWriter(&mut io::sink(), &mut sum)).ok()?;
    sum.update(text);
    if kept.key != *key || written != hex(&sum.finalize()) {
        return None;
    }
    file.rewind().ok()?;
    let columns = plan.experiment.columns();
    let (times, rows) = history::read(columns, file).ok()??;
    Some(SchemeRun {
        scheme: plan.scheme.clone(),
        scheme_name: plan.scheme_name.clone(),
        fineness: plan.fineness.clone(),
        guest: false,
        run: Run {
            columns: Arc::new(columns.clone()),
            times,
            rows,
            ..kept.run.into_owned()
        },
        step_facts: StepFacts {
            back: kept.back.map(Ok),
            symplectic_defect: kept.symplectic_defect.map(Ok),
            evaluations: kept.evaluations.map(Ok),
            seconds: None,
        },
        wall: kept.wall,
    })
}

/// A writer that passes bytes on and adds them to a hash.
struct HashWriter<'a, 's>(&'a mut dyn Write, &'s mut Sha256);

impl Write for HashWriter<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.0.write(bytes)?;
        self.1.update(&bytes[..n]);
        Ok(n)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
