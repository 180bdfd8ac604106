//! Judging of updates of navigation: problems are known beforehand, so that the function runs in Python alone.

use super::{bytes, floats, invalid};
use document::{Console, Markup};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use topsim_navigation::{
    ImuSamples, MOST_SAMPLES, NavigationReport, NavigationState, ProbeSet, judge_navigation,
    navigation_probes, shown_navigation,
};

/// Problem in Python: whether each update restarts, gravity and the rate of the frame, start, and the numbers of all updates.
type PosedProblem<'py> = (
    bool,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
);

/// Returns the problems of a set.
#[pyfunction]
pub fn navigation_problems(
    py: Python<'_>,
    samples: usize,
    uneven: bool,
    earth: bool,
) -> PyResult<Vec<PosedProblem<'_>>> {
    if !(1..=MOST_SAMPLES).contains(&samples) {
        return Err(invalid(format!(
            "samples: found {samples}; allowed: 1 to {MOST_SAMPLES}"
        )));
    }
    let posed = |probe: topsim_navigation::NavigationProbe| {
        let numbers = |u: &ImuSamples| {
            let all = [&u.angles, &u.velocities, &u.rates, &u.forces];
            let vectors = all.into_iter().flatten().flat_map(|v| [v.x, v.y, v.z]);
            vectors
                .chain(u.intervals.iter().copied())
                .collect::<Vec<f64>>()
        };
        let updates: Vec<f64> = probe.updates.iter().flat_map(numbers).collect();
        let start = probe.start.numbers();
        Ok((
            probe.restarts,
            bytes(
                py,
                &[probe.gravity.as_slice(), probe.frame_rate.as_slice()].concat(),
            )?,
            bytes(py, &start)?,
            bytes(py, &updates)?,
        ))
    };
    navigation_probes(ProbeSet {
        samples,
        uneven,
        earth,
    })
    .into_iter()
    .map(posed)
    .collect()
}

/// Judges the states after each update, of each problem; returns the report as JSON and as text.
#[pyfunction]
pub fn judge_updates(
    samples: usize,
    uneven: bool,
    earth: bool,
    answers: Vec<Vec<u8>>,
) -> PyResult<(String, String)> {
    let set = ProbeSet {
        samples,
        uneven,
        earth,
    };
    let states = |raw: &Vec<u8>| -> PyResult<Vec<NavigationState>> {
        let numbers = floats(raw)?;
        let (rows, _) = numbers.as_chunks::<15>();
        Ok(rows.iter().map(NavigationState::from_numbers).collect())
    };
    let answers: Vec<_> = answers.iter().map(states).collect::<PyResult<_>>()?;
    let report: NavigationReport = judge_navigation(set, &answers).map_err(invalid)?;
    let mut json = serde_json::to_value(&report).map_err(invalid)?;
    json["status"] = report.status().id().into();
    for (k, finding) in report.findings.iter().enumerate() {
        json["findings"][k]["text"] = finding.sentence().into();
    }
    Ok((
        json.to_string(),
        Console::default().render(&shown_navigation(&report)),
    ))
}
