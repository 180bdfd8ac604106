//! Histories as files.

use crate::report::{Attitude, Report};
use crate::solver::Solver;
use topsim_core::integration::Grid;
use topsim_core::math::so3;
use topsim_model::probe::{Probe, Start};

impl Solver {
    /// Writes the history of a body on a grid as CSV, with the columns that the report of the solver has. It ends before the
    /// first row that is no state.
    pub fn history(&self, start: &Start, grid: &Grid) -> String {
        let probe = Probe {
            start: start.clone(),
            from: grid.start,
            step: grid.h,
            steps: grid.steps as usize,
            ends: false,
            flight: None,
        };
        let rows = self.written(&probe);
        let attitude = match rows[0].attitude {
            Attitude::Matrix => "R11,R12,R13,R21,R22,R23,R31,R32,R33",
            Attitude::Quaternion(_) => "qw,qx,qy,qz",
            Attitude::Angles(_) => "e1,e2,e3",
        };
        let rate = match self.report {
            Report::Space => "omega_x,omega_y,omega_z",
            _ => "W1,W2,W3",
        };
        let mut out = format!("t,{attitude},{rate}\n");
        let mut n = 0;
        loop {
            let row = &rows[n as usize];
            let matrix = so3::rows(&row.att).map(|x| self.print.written(x));
            let attitude = match &row.attitude {
                Attitude::Matrix => &matrix[..],
                Attitude::Quaternion(q) => &q[..],
                Attitude::Angles(a) => &a[..],
            };
            let numbers = attitude.iter().chain(row.rate.iter());
            if !numbers.clone().all(|x| x.is_finite()) {
                break;
            }
            out += &row.t.to_string();
            numbers.for_each(|x| out += &format!(",{x}"));
            out.push('\n');
            if n == grid.steps {
                break;
            }
            n = grid.next_sample(n);
        }
        out
    }

    /// Returns what `--euler` says of its histories, where they have Euler angles.
    pub fn euler_option(&self) -> Option<String> {
        let Report::Euler { together, .. } = self.report else {
            return None;
        };
        let sequence: String = together.iter().map(|i| ['X', 'Y', 'Z'][*i]).collect();
        Some(format!("{sequence}:rad"))
    }
}
