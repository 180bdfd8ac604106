//! Judging of updates of navigation: problems are known beforehand, so that the function runs in Python alone.

use super::{bytes, floats, invalid};
use document::{Console, Markup};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use topsim_navigation::{
    ImuSamples, MOST_SAMPLES, NavigationReport, NavigationState, judge_navigation,
    navigation_probes, shown_navigation,
};

/// Problem in Python: interval, whether each update restarts, gravity, start, and the numbers of all updates.
type PosedProblem<'py> = (
    f64,
    bool,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
);

/// Returns the problems for updates of so many samples.
#[pyfunction]
pub fn navigation_problems(py: Python<'_>, samples: usize) -> PyResult<Vec<PosedProblem<'_>>> {
    if !(1..=MOST_SAMPLES).contains(&samples) {
        return Err(invalid(format!(
            "samples: found {samples}; allowed: 1 to {MOST_SAMPLES}"
        )));
    }
    let posed = |probe: topsim_navigation::NavigationProbe| {
        let numbers = |u: &ImuSamples| {
            let all = [&u.angles, &u.velocities, &u.rates, &u.forces];
            all.into_iter()
                .flatten()
                .flat_map(|v| [v.x, v.y, v.z])
                .collect::<Vec<f64>>()
        };
        let updates: Vec<f64> = probe.updates.iter().flat_map(numbers).collect();
        let interval = probe.updates.first().map_or(0.0, |u| u.interval);
        let start = probe.start.numbers();
        Ok((
            interval,
            probe.restarts,
            bytes(py, probe.gravity.as_slice())?,
            bytes(py, &start)?,
            bytes(py, &updates)?,
        ))
    };
    navigation_probes(samples).into_iter().map(posed).collect()
}

/// Judges the states after each update, of each problem; returns the report as JSON and as text.
#[pyfunction]
pub fn judge_updates(samples: usize, answers: Vec<Vec<u8>>) -> PyResult<(String, String)> {
    let states = |raw: &Vec<u8>| -> PyResult<Vec<NavigationState>> {
        let numbers = floats(raw)?;
        let (rows, _) = numbers.as_chunks::<15>();
        Ok(rows.iter().map(NavigationState::from_numbers).collect())
    };
    let answers: Vec<_> = answers.iter().map(states).collect::<PyResult<_>>()?;
    let report: NavigationReport = judge_navigation(samples, &answers).map_err(invalid)?;
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
