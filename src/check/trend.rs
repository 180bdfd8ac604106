//! Trend and oscillation of a column over the samples of a run.

use super::MeasurementError;
use super::measurement::{complete, single};
use nalgebra::{Matrix4, Vector4};
use topsim_core::integration::Run;
use topsim_core::math::scalar;

/// A line and a wave of known period, fitted together.
pub(super) struct Wave {
    /// Slope of the line, unit/s.
    pub slope: f64,
    /// Amplitude of the wave.
    pub amplitude: f64,
}

/// Fits least squares of `1, t, cos ωt, sin ωt` over the samples: unlike the line alone, its slope does
/// not see the wave.
pub(super) fn wave(run: &Run, c: usize, period: f64) -> Result<Wave, MeasurementError> {
    let omega = 2.0 * core::f64::consts::PI / period;
    let (first, last) = (run.times[0], run.times[run.times.len() - 1]);
    let (middle, half) = (0.5 * (first + last), 0.5 * (last - first));
    let x0 = run.row(0)[c];
    let mut normal = Matrix4::zeros();
    let mut right = Vector4::zeros();
    for (x, &t) in run.series(c).zip(&run.times) {
        let (s, k) = scalar::sincos(omega * (t - middle));
        let basis = Vector4::new(1.0, (t - middle) / half, k, s);
        normal += basis * basis.transpose();
        right += basis * (x - x0);
    }
    let enough = run.times.len() >= 8 && last - first > period;
    let p = enough
        .then(|| normal.lu().solve(&right))
        .flatten()
        .ok_or(MeasurementError::NoPeriod)?;
    Ok(Wave {
        slope: p[1] / half,
        amplitude: scalar::hypot(p[2], p[3]),
    })
}

/// Returns the slope of a column, unit/s: of the line through every step, or of the line beside a wave.
pub(crate) fn slope(run: &Run, name: &str, period: Option<f64>) -> Result<f64, MeasurementError> {
    let c = single(run, name)?;
    complete(run)?;
    match period {
        Some(period) => wave(run, c, period).map(|w| w.slope),
        None => run
            .track(c)
            .map(|t| t.slope)
            .ok_or_else(|| MeasurementError::NotTracked(name.into())),
    }
}

/// Returns half the range of the samples around their own least-squares line.
pub(crate) fn half_range(run: &Run, c: usize) -> f64 {
    let n = run.times.len() as f64;
    let first = run.row(0)[c];
    let (mut st, mut sx) = (0.0, 0.0);
    for (x, t) in run.series(c).zip(&run.times) {
        st += t;
        sx += x - first;
    }
    let (mt, mx) = (st / n, sx / n);
    let (mut stt, mut stx) = (0.0, 0.0);
    for (x, t) in run.series(c).zip(&run.times) {
        stt += (t - mt) * (t - mt);
        stx += (t - mt) * (x - first - mx);
    }
    let b = stx / stt;
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (x, t) in run.series(c).zip(&run.times) {
        let d = x - first - mx - b * (t - mt);
        if d.is_nan() {
            return f64::NAN;
        }
        low = low.min(d);
        high = high.max(d);
    }
    0.5 * (high - low)
}
