//! Motion between rows: a polynomial is laid through some of them.

use crate::observed::StepHistory;
use crate::probe::{Probe, Row, Start};
use crate::remembering::IN_TIME;
use crate::report::Report;
use crate::state::State;
use topsim_core::math::{Vec3, so3};
use topsim_core::models::RotState;

/// Points between two rows.
const DENSE: usize = 16;
/// Rows through which a polynomial is laid; of a motion with ten rows in a turn it is off by less than a thousandth of its change.
const LAID: usize = 6;

impl StepHistory {
    /// Returns a run of the points of the motion through rows that are equally far apart.
    #[must_use]
    pub fn dense(&self, body: &Start, report: &Report) -> Option<(Probe, Vec<Row>)> {
        let rows = &self.rows;
        let (first, last) = (rows.first()?, rows.last()?);
        let apart = (last.t - first.t) / (rows.len() - 1) as f64;
        let even =
            |(k, row): (usize, &Row)| (row.t - first.t - apart * k as f64).abs() < IN_TIME * apart;
        if rows.len() < 2 * LAID || !rows.iter().enumerate().all(even) {
            return None;
        }
        let states: Vec<State> = rows.iter().map(|row| report.read(row)).collect();
        let point = |n: usize| {
            let near = (n / DENSE)
                .saturating_sub(LAID / 2 - 1)
                .min(rows.len() - LAID);
            let at = n as f64 / DENSE as f64 - near as f64;
            let from = states[near + LAID / 2].attitude();
            let weight = |j: usize| {
                let others = (0..LAID).filter(|k| *k != j);
                let parts = others.map(|k| (at - k as f64) / (j as f64 - k as f64));
                parts.product::<f64>()
            };
            let (mut turn, mut omega) = (Vec3::zeros(), Vec3::zeros());
            for (j, state) in states[near..near + LAID].iter().enumerate() {
                turn += so3::log(&from.tr_mul(&state.attitude())) * weight(j);
                omega += state.omega * weight(j);
            }
            let att = from * so3::exp(&turn);
            let t = first.t + apart * n as f64 / DENSE as f64;
            Row::of(t, &RotState { att, omega })
        };
        let steps = DENSE * (rows.len() - 1);
        let step = apart / DENSE as f64;
        let probe = Probe {
            from: first.t,
            ..Probe::new(body, step, steps)
        };
        Some((probe, (0..=steps).map(point).collect()))
    }
}
