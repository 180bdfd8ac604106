//! Closed forms evaluated at some times; of many, the Python package asks in parts, between which Ctrl-C ends it.

use super::watch::room;
use super::{bytes, floats, invalid, state};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use topsim_core::math::{Mat3, Vec3};
use topsim_core::reference::{FreeBody, LagrangeTop, RefError};

/// States (12 numbers each) and errors (two each), as bytes of doubles.
type StateBytes<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);

fn at_times<'py>(
    py: Python<'py>,
    times: &[u8],
    motion: impl Fn(f64) -> ((Mat3, Vec3), RefError) + Sync,
) -> PyResult<StateBytes<'py>> {
    let times = floats(times)?;
    if let Some(t) = times.iter().find(|t| !t.is_finite()) {
        return Err(invalid(format!("t: found {t}; allowed: finite times")));
    }
    let (states, errors) = py.detach(|| {
        let mut states = room(12 * times.len())?;
        let mut errors = room(2 * times.len())?;
        for t in &times {
            let ((att, omega), error) = motion(*t);
            states.extend(state(&att, &omega));
            errors.extend([error.attitude, error.rate]);
        }
        Ok::<_, PyErr>((states, errors))
    })?;
    // Numbers near the largest that there are overflow on the way.
    if let Some(i) = states
        .chunks(12)
        .position(|s: &[f64]| s.iter().any(|x| !x.is_finite()))
    {
        return Err(invalid(format!(
            "the motion at t = {} s is no finite number; allowed: numbers of a size that their products have too",
            times[i]
        )));
    }
    Ok((bytes(py, &states)?, bytes(py, &errors)?))
}

/// Evaluates the motion of the free body, which starts at t = 0.
#[pyfunction]
pub fn free_body<'py>(
    py: Python<'py>,
    inertia: [f64; 9],
    attitude: [f64; 9],
    rate: [f64; 3],
    times: &[u8],
) -> PyResult<StateBytes<'py>> {
    let (inertia, attitude) = (
        Mat3::from_row_slice(&inertia),
        Mat3::from_row_slice(&attitude),
    );
    let motion = FreeBody::new(&inertia, &attitude, &rate.into()).map_err(invalid)?;
    at_times(py, times, |t| (motion.at(t), motion.error(t)))
}

/// Evaluates the motion of the symmetric top under gravity, which starts at t = 0.
#[pyfunction]
#[expect(clippy::too_many_arguments)]
pub fn lagrange_top<'py>(
    py: Python<'py>,
    inertia: [f64; 9],
    weight: f64,
    lever: [f64; 3],
    up: [f64; 3],
    attitude: [f64; 9],
    rate: [f64; 3],
    times: &[u8],
) -> PyResult<StateBytes<'py>> {
    let (inertia, attitude) = (
        Mat3::from_row_slice(&inertia),
        Mat3::from_row_slice(&attitude),
    );
    let (lever, up, rate) = (lever.into(), up.into(), rate.into());
    let motion = LagrangeTop::new(&inertia, weight, &lever, &up, &attitude, &rate);
    let motion = motion.map_err(invalid)?;
    at_times(py, times, |t| (motion.at(t), motion.error(t)))
}
