//! Compiled part of the Python package `topsim`: arrays are passed as bytes of doubles, reports as JSON. The
//! interface for users is in `python/topsim`.

mod command;
mod exact;
mod judge;
mod navigation;
mod problem;
mod suite;
mod watch;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::fmt::Display;
use topsim_core::math::{Mat3, Vec3};
use watch::room;

/// Converts an error about invalid input to a Python exception.
fn invalid(e: impl Display) -> PyErr {
    PyValueError::new_err(e.to_string())
}

/// Converts bytes of a Python array of doubles, in the byte order of this machine.
fn floats(bytes: &[u8]) -> PyResult<Vec<f64>> {
    let chunks = bytes.chunks_exact(8);
    if !chunks.remainder().is_empty() {
        return Err(invalid("an array that does not hold doubles"));
    }
    let mut out = room(chunks.len())?;
    out.extend(chunks.map(|c| f64::from_ne_bytes(c.try_into().expect("eight bytes"))));
    Ok(out)
}

/// Converts doubles to bytes for `numpy.frombuffer`.
fn bytes<'py>(py: Python<'py>, numbers: &[f64]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, size_of_val(numbers), |all| {
        let places = all.chunks_exact_mut(size_of::<f64>());
        places
            .zip(numbers)
            .for_each(|(place, x)| place.copy_from_slice(&x.to_ne_bytes()));
        Ok(())
    })
}

/// Returns the attitude, row by row, followed by the rate.
fn state(att: &Mat3, omega: &Vec3) -> [f64; 12] {
    std::array::from_fn(|k| {
        if k < 9 {
            att[(k / 3, k % 3)]
        } else {
            omega[k - 9]
        }
    })
}

#[pymodule]
fn _topsim(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<judge::JudgedReports>()?;
    module.add_class::<problem::PyTorque>()?;
    module.add_class::<suite::PyRun>()?;
    module.add_function(wrap_pyfunction!(command::command, module)?)?;
    module.add_function(wrap_pyfunction!(exact::free_body, module)?)?;
    module.add_function(wrap_pyfunction!(exact::lagrange_top, module)?)?;
    module.add_function(wrap_pyfunction!(judge::csv, module)?)?;
    module.add_class::<judge::Judging>()?;
    module.add_function(wrap_pyfunction!(judge::judge_histories, module)?)?;
    module.add_function(wrap_pyfunction!(judge::judging_set, module)?)?;
    module.add_function(wrap_pyfunction!(navigation::judge_updates, module)?)?;
    module.add_function(wrap_pyfunction!(navigation::navigation_problems, module)?)?;
    module.add_function(wrap_pyfunction!(problem::exact_motion, module)?)?;
    module.add_function(wrap_pyfunction!(problem::integrate, module)?)?;
    module.add_function(wrap_pyfunction!(problem::problems, module)?)?;
    module.add_function(wrap_pyfunction!(suite::cases, module)?)?;
    module.add_function(wrap_pyfunction!(suite::run, module)?)?;
    module.add_function(wrap_pyfunction!(suite::schemes, module)?)?;
    Ok(())
}
