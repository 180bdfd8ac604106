//! Reaction wheels whose motors are switched on and off: the momentum of all wheels together is given by straight
//! lines between rows, because a motor with a constant torque changes it at a constant rate.
//!
//! `J Ẇ = (J W + h) × W − ḣ`; R (J W + h) is conserved.

use super::{BodyMotion, Formula, KeptMomentum, Torque, TorqueError, TorqueParameters};
use super::{vectors, within};
use crate::math::{Mat3, Vec3};
use serde::{Deserialize, Serialize};

/// Wheels in the body with their momentum tabulated in time: straight lines between the rows, constant before the first and
/// after the last.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WheelsParameters {
    /// Rows `[t, x, y, z]`: s, and the momentum of all wheels along their axes in kg m²/s, body frame.
    pub rows: Vec<[f64; 4]>,
}

/// Wheels in the body with their momentum tabulated in time.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Wheels {
    /// Times of the rows, s, ascending.
    times: Vec<f64>,
    /// Momenta of the wheels at these times, kg m²/s, body frame.
    #[serde(serialize_with = "vectors")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<[f64; 3]>"))]
    momenta: Vec<Vec3>,
}

impl Wheels {
    /// Returns the wheels with which a body moves alike, `factor` times as fast.
    #[must_use]
    pub fn faster(&self, factor: f64) -> Self {
        Self {
            times: self.times.iter().map(|t| t / factor).collect(),
            momenta: self.momenta.iter().map(|h| h * factor).collect(),
        }
    }

    /// Returns the momentum of the wheels at `t`, and the torque of their motors, its derivative; at a row the one after it.
    fn at(&self, t: f64) -> [Vec3; 2] {
        let next = self.times.partition_point(|&row| row <= t);
        if next == 0 || next == self.times.len() {
            return [self.momenta[next.saturating_sub(1)], Vec3::zeros()];
        }
        let (from, to) = (next - 1, next);
        let slope = (self.momenta[to] - self.momenta[from]) / (self.times[to] - self.times[from]);
        [self.momenta[from] + slope * (t - self.times[from]), slope]
    }
}

impl Torque for Wheels {
    fn body(&self, t: f64, _: &Mat3) -> Vec3 {
        -self.at(t)[1]
    }
    fn derivative(&self, _: f64, _: &Mat3, _: &Vec3) -> Vec3 {
        Vec3::zeros()
    }
    fn depends_on_rate(&self) -> bool {
        true
    }
    fn moving(&self, t: f64, _: &Mat3, turning: &BodyMotion) -> Vec3 {
        let [momentum, slope] = self.at(t);
        momentum.cross(&turning.omega) - slope
    }
    fn whole_momentum(&self, t: f64, momentum: Vec3) -> Vec3 {
        momentum + self.at(t)[0]
    }
    fn kept_momentum(&self) -> KeptMomentum {
        KeptMomentum::Whole
    }
    /// Returns the times at which a motor is switched.
    fn switches(&self, from: f64, to: f64) -> Vec<f64> {
        within(self.times.iter().copied(), from, to)
    }
}

impl Formula for Wheels {
    const FORMULA: &'static str = "h = momenta at t: straight lines between the times, the first of momenta before the first of times, the last \
         after the last; dh/dt at one of the times is that of the line after it; tau_body = cross(h, w_body) - dh/dt";
}

impl TorqueParameters for WheelsParameters {
    type Torque = Wheels;
    #[cfg(test)]
    const EXAMPLE: &'static str = r#"{"rows": [[-1.0, 0.1, 0.2, 1.0], [3.0, -0.2, 0.5, 0.4]]}"#;
    fn torque(&self) -> Result<Wheels, TorqueError> {
        let refused = |found: String| {
            let allowed = "one row [t, x, y, z] or more, with increasing t";
            Err(TorqueError::new("rows", found, allowed))
        };
        if self.rows.is_empty() {
            return refused("no row".into());
        }
        if let Some(i) = (1..self.rows.len()).find(|&i| !(self.rows[i][0] > self.rows[i - 1][0])) {
            let (row, time, before) = (i + 1, self.rows[i][0], self.rows[i - 1][0]);
            return refused(format!(
                "times must increase: row {row} is at t = {time}, the row before it at {before}"
            ));
        }
        Ok(Wheels {
            times: self.rows.iter().map(|row| row[0]).collect(),
            momenta: self
                .rows
                .iter()
                .map(|&[_, x, y, z]| Vec3::new(x, y, z))
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motors_are_on_between_their_rows() {
        let rows = vec![
            [1.0, 0.0, 2.0, 0.0],
            [2.0, 4.0, 2.0, 0.0],
            [3.0, 4.0, 2.0, 0.0],
        ];
        let wheels = WheelsParameters { rows }.torque().unwrap();
        let of = |t: f64| wheels.at(t).map(<[f64; 3]>::from);
        assert_eq!(of(0.0), [[0.0, 2.0, 0.0], [0.0; 3]]);
        assert_eq!(of(1.0), [[0.0, 2.0, 0.0], [4.0, 0.0, 0.0]]);
        assert_eq!(of(1.5), [[2.0, 2.0, 0.0], [4.0, 0.0, 0.0]]);
        assert_eq!(of(2.0), [[4.0, 2.0, 0.0], [0.0; 3]]);
        assert_eq!(of(9.0), [[4.0, 2.0, 0.0], [0.0; 3]]);
        assert_eq!(wheels.switches(0.0, 3.0), vec![1.0, 2.0]);
        let turning = BodyMotion {
            omega: Vec3::z(),
            momentum: Vec3::zeros(),
        };
        // (2, 2, 0) × z − (4, 0, 0)
        let torque = wheels.moving(1.5, &Mat3::identity(), &turning);
        assert_eq!(torque, Vec3::new(-2.0, -2.0, 0.0));
    }

    #[test]
    fn rows_out_of_order_are_refused() {
        let found = |rows: &[[f64; 4]]| {
            let rows = rows.to_vec();
            WheelsParameters { rows }.torque().unwrap_err().found
        };
        assert_eq!(found(&[]), "no row");
        assert_eq!(
            found(&[[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]),
            "times must increase: row 2 is at t = 1, the row before it at 1"
        );
    }
}
