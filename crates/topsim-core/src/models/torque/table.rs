//! Torque tabulated in time.

use super::{Drive, Formula, Frame, Piece, Torque, TorqueError, TorqueParameters, vectors, within};
use crate::math::{Mat3, Vec3};
use serde::{Deserialize, Serialize};

/// Interpolation of a table between its rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Interpolation {
    /// Straight lines between the rows.
    #[default]
    Linear,
    /// Value of the last row before the time.
    Hold,
}

/// Torque tabulated in time; zero before the first and after the last row.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableParameters {
    /// Rows `[t, x, y, z]`: s and N m.
    pub rows: Vec<[f64; 4]>,
    /// Frame of the components.
    #[serde(default)]
    pub frame: Frame,
    /// Interpolation between the rows.
    #[serde(default)]
    pub interpolation: Interpolation,
}

impl TorqueParameters for TableParameters {
    type Torque = TableTorque;
    #[cfg(test)]
    const EXAMPLE: &'static str = r#"{"rows": [[0.0, 0.0, 0.3, 1.0], [2.0, 0.2, 0.0, 0.5]]}"#;
    fn torque(&self) -> Result<TableTorque, TorqueError> {
        let rows = self
            .rows
            .iter()
            .map(|&[t, x, y, z]| (t, Vec3::new(x, y, z)));
        TableTorque::new(rows, self.frame, self.interpolation)
    }
}

/// Torque tabulated in time; zero before the first and after the last row.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableTorque {
    /// Times of the rows, s, ascending.
    times: Vec<f64>,
    /// Torques of the rows, N m.
    #[serde(serialize_with = "vectors")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<[f64; 3]>"))]
    torques: Vec<Vec3>,
    /// Frame of the torques.
    frame: Frame,
    /// Interpolation between the rows.
    interpolation: Interpolation,
}

impl TableTorque {
    /// Returns true if each row holds until the next.
    pub fn is_held(&self) -> bool {
        self.interpolation == Interpolation::Hold
    }

    /// Builds the table from rows of `(t, torque)`; times in s, strictly increasing.
    ///
    /// # Errors
    /// [`TorqueError`] for fewer than two rows or times out of order.
    pub fn new(
        rows: impl IntoIterator<Item = (f64, Vec3)>,
        frame: Frame,
        interpolation: Interpolation,
    ) -> Result<Self, TorqueError> {
        let (times, torques): (Vec<f64>, Vec<Vec3>) = rows.into_iter().unzip();
        let refused = |found: String| {
            let allowed = "at least two rows [t, x, y, z] with increasing t";
            Err(TorqueError::new("rows", found, allowed))
        };
        if times.len() < 2 {
            let count = times.len();
            return refused(format!("a table needs at least two rows, found {count}"));
        }
        if let Some(i) = (1..times.len()).find(|&i| !(times[i] > times[i - 1])) {
            let (row, time, before) = (i + 1, times[i], times[i - 1]);
            return refused(format!(
                "times must increase: row {row} is at t = {time}, the row before it at {before}"
            ));
        }
        Ok(Self {
            times,
            torques,
            frame,
            interpolation,
        })
    }

    /// Returns the time in s and torque in N m of each row.
    pub fn rows(&self) -> impl Iterator<Item = (f64, Vec3)> {
        let torques = self.torques.iter().copied();
        self.times.iter().copied().zip(torques)
    }
    /// Returns the frame of the torques.
    pub fn frame(&self) -> Frame {
        self.frame
    }
    /// Returns the interpolation between the rows.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// Returns the last row not after `t`; `None` before the first and after the last row.
    fn passed(&self, t: f64) -> Option<usize> {
        let next = self.times.partition_point(|&x| x <= t);
        let last = self.times.len() - 1;
        (next > 0 && t <= self.times[last]).then(|| next - 1)
    }

    fn components(&self, t: f64) -> Vec3 {
        let last = self.times.len() - 1;
        let Some(i) = self.passed(t) else {
            return Vec3::zeros();
        };
        if i == last || self.interpolation == Interpolation::Hold {
            return self.torques[i];
        }
        let s = (t - self.times[i]) / (self.times[i + 1] - self.times[i]);
        self.torques[i] * (1.0 - s) + self.torques[i + 1] * s
    }
}

impl Formula for TableTorque {
    const FORMULA: &'static str = "c = torques at t: 0 before the first and after the last of times; between them \
         interpolated linearly (linear), or the row of the last time not after t (hold); \
         frame body: tau_body = c; frame space: tau_body = transpose(R) c";
}

impl Torque for TableTorque {
    fn body(&self, t: f64, att: &Mat3) -> Vec3 {
        self.frame.to_body(&self.components(t), att)
    }
    fn derivative(&self, t: f64, att: &Mat3, omega: &Vec3) -> Vec3 {
        self.frame.derivative(&self.body(t, att), omega)
    }
    /// Returns the kinks of straight lines, or the jumps of held values.
    fn switches(&self, from: f64, to: f64) -> Vec<f64> {
        within(self.times.iter().copied(), from, to)
    }
    fn piece(&self, t: f64) -> Option<Piece> {
        let drive = self.passed(t).map(|i| match self.interpolation {
            Interpolation::Hold => Drive::constant(self.torques[i]),
            Interpolation::Linear => {
                let next = (i + 1).min(self.times.len() - 1);
                Drive::Linear {
                    times: [self.times[i], self.times[next]],
                    rows: [self.torques[i], self.torques[next]],
                }
            }
        });
        Some(Piece {
            drive: drive.map(|drive| (self.frame, drive)),
            ..Piece::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_interpolates_and_is_zero_outside() {
        let rows = [
            (1.0, Vec3::new(0.0, 0.0, 2.0)),
            (2.0, Vec3::new(4.0, 0.0, 0.0)),
            (3.0, Vec3::new(8.0, 0.0, 0.0)),
        ];
        let lin = TableTorque::new(rows, Frame::Body, Interpolation::Linear).unwrap();
        let id = Mat3::identity();
        assert_eq!(lin.body(0.999, &id), Vec3::zeros());
        assert_eq!(lin.body(1.0, &id), Vec3::new(0.0, 0.0, 2.0));
        assert_eq!(lin.body(1.25, &id), Vec3::new(1.0, 0.0, 1.5));
        assert_eq!(lin.body(3.0, &id), Vec3::new(8.0, 0.0, 0.0));
        assert_eq!(lin.body(3.001, &id), Vec3::zeros());
        let hold = TableTorque::new(rows, Frame::Body, Interpolation::Hold).unwrap();
        assert_eq!(hold.body(2.999, &id), Vec3::new(4.0, 0.0, 0.0));
        assert_eq!(lin.switches(0.0, 2.5), vec![1.0, 2.0]);
    }

    #[test]
    fn a_table_out_of_order_is_refused() {
        let rows = [(1.0, Vec3::zeros()), (1.0, Vec3::zeros())];
        let refused = |rows: &[(f64, Vec3)]| {
            let rows = rows.iter().copied();
            TableTorque::new(rows, Frame::Body, Interpolation::Linear)
                .unwrap_err()
                .found
        };
        let found = "times must increase: row 2 is at t = 1, the row before it at 1";
        assert_eq!(refused(&rows), found);
        assert_eq!(
            refused(&rows[..1]),
            "a table needs at least two rows, found 1"
        );
    }
}
