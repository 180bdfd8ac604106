//! Attitude that follows a given body rate.

use super::Rate;
use crate::math::{Mat3, Vec3, so3};
use crate::models::columns;
use crate::models::row::RowSink;
use crate::models::{InitialValueProblem, Measured, PhaseSpace};
use nalgebra::DMatrix;

/// Problem of an attitude with a given rate: R' = R Ŵ(t). Its state is the attitude alone, body → space.
#[derive(Debug, Clone)]
pub struct GivenRate<R> {
    /// Body rate W(t).
    pub rate: R,
    /// Attitude R at the start.
    pub initial: Mat3,
}

impl<R: Rate> InitialValueProblem for GivenRate<R> {
    type State = Mat3;
    fn initial(&self) -> Mat3 {
        self.initial
    }
}

impl<R: Rate> Measured for GivenRate<R> {
    #[inline]
    fn row<O: RowSink>(&self, t: f64, y: &Mat3, out: &mut O) {
        let w = || self.rate.at(t);
        out.put(&columns::ATTITUDE, || so3::rows(y));
        out.group(&columns::THIRD_AXIS);
        out.put(&columns::BODY_RATE, || w().into());
        out.put(&columns::RATE_NORM, || [w().norm()]);
        out.put(&columns::ORTHOGONALITY, || [so3::orthogonality_defect(y)]);
        out.put(&columns::SPATIAL_RATE, || (y * w()).into());
    }

    fn switches(&self, _: f64, _: f64) -> Vec<f64> {
        Vec::new()
    }
}

/// SO(3) in the coordinates δ, `R = R₀ exp(δ)`. A space of three dimensions has no symplectic form: its entries
/// are NaN, and so is a defect measured with them, which every check fails.
impl<R: Rate> PhaseSpace for GivenRate<R> {
    fn scales(&self, _: &Mat3) -> Vec<f64> {
        vec![1.0; 3]
    }
    fn displaced(&self, y: &Mat3, d: &[f64]) -> Mat3 {
        y * so3::exp(&Vec3::from_column_slice(d))
    }
    fn displacement(&self, from: &Mat3, to: &Mat3) -> Vec<f64> {
        so3::log(&from.tr_mul(to)).as_slice().to_vec()
    }
    fn symplectic_form(&self, _: &Mat3) -> DMatrix<f64> {
        DMatrix::from_element(3, 3, f64::NAN)
    }
}
