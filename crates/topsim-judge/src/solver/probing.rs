//! A solver that is asked short problems to measure it.

use super::Solver;
use super::process::{Process, Stop};
use crate::history::{AttitudeKind, QuaternionOrder, RateFrame, ReadError, Reading, Rows};
use crate::identification::experiment::{Answer, Probe, Row, Target};
use crate::parallel::Threads;
use crate::protocol::SolverProblem;
use std::sync::atomic::AtomicBool;

/// A command that answers problems.
pub(super) struct Asked<'a> {
    pub solver: &'a Solver,
    pub reading: &'a Reading,
    pub threads: &'a Threads,
    pub interrupt: &'a AtomicBool,
}

impl Target for Asked<'_> {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        self.threads
            .map(probes.to_vec(), |probe| self.answer(&probe))
    }
}

impl Asked<'_> {
    fn answer(&self, probe: &Probe) -> Answer {
        let problem = SolverProblem::of_probe(probe);
        let mut json = serde_json::to_vec(&problem).expect("plain data always serialises");
        json.push(b'\n');
        let (command, limit) = (&self.solver.command, self.solver.time_limit);
        let started = Process::start(command, json, limit, self.interrupt);
        let mut process =
            started.map_err(|e| format!("cannot start `{}`: {e}", command.program()))?;
        let rows = rows(&mut process, self.reading, probe.steps + 1);
        let ended = process.finish();
        if let Some(reason) = ended.skipped() {
            return Err(format!("it cannot do this: {reason}"));
        }
        if ended.stop == Some(Stop::TimeLimit) {
            let limit = limit.as_secs_f64();
            return Err(format!(
                "a run of {} steps took longer than {limit} s; `--time-limit SECONDS` gives it more",
                probe.steps
            ));
        }
        match rows {
            Ok(rows) if rows.len() > 1 => Ok(rows),
            Ok(_) => Err("its rows are too few".into()),
            Err(e) => {
                let last = ended
                    .stderr
                    .last()
                    .map_or(String::new(), |l| format!("; {l}"));
                Err(format!("{e}{last}"))
            }
        }
    }
}

fn rows(process: &mut Process, reading: &Reading, most: usize) -> Result<Vec<Row>, ReadError> {
    let mut rows = Rows::new(process, reading)?;
    let (frame, kind) = (rows.rate(), rows.attitude());
    let mut out = Vec::new();
    while out.len() < most
        && let Some(sample) = rows.next_row()?
    {
        let Some(rate) = sample.rate else {
            break;
        };
        let in_space = frame == Some(RateFrame::Space);
        let n = &sample.numbers;
        let quaternion = match kind {
            AttitudeKind::Quaternion(QuaternionOrder::Wxyz) => Some([n[0], n[1], n[2], n[3]]),
            AttitudeKind::Quaternion(QuaternionOrder::Xyzw) => Some([n[3], n[0], n[1], n[2]]),
            _ => None,
        };
        out.push(Row {
            t: sample.t,
            att: sample.att,
            omega: if in_space {
                sample.att.tr_mul(&rate)
            } else {
                rate
            },
            rate,
            rate_in_space: in_space,
            quaternion,
            numbers: n.iter().chain(rate.iter()).copied().collect(),
        });
    }
    Ok(out)
}
