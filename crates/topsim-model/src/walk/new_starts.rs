//! New starts of a solver from its own rows: a limit of the state shows in them, too, and what depends on the run does not.

use super::Walk;
use super::condition::Condition;
use super::followed::Followed;
use crate::equations::Equations;
use crate::observed::{Interval, Observed, StepHistory};
use crate::print::Print;
use crate::probe::{Answer, Load, Probe, Start};

/// New starts from rows after which steps are other ones, and from those after which they are not, at most.
const NEW_STARTS: (usize, usize) = (100, 40);
/// Part of the new starts that a condition must predict.
const PREDICTED: f64 = 0.9;
/// Fewest new starts that tell something.
const FEWEST: usize = 3;

impl Walk {
    /// Returns new starts that tell the conditions apart; none where that is not needed.
    #[must_use]
    pub fn new_starts(&self, observed: &Observed) -> Vec<Probe> {
        let of_time = self.conditions.iter().filter(|c| c.is_of_time()).count();
        if of_time == 0 || of_time == self.conditions.len() {
            return Vec::new();
        }
        let some = |all: &[Interval], most: usize| {
            let n = all.len().min(most);
            (0..n).map(|k| all[k * all.len() / n]).collect::<Vec<_>>()
        };
        let intervals = [
            some(&self.others, NEW_STARTS.0),
            some(&self.given, NEW_STARTS.1),
        ];
        let probe = |i: Interval| {
            let history = &observed.histories[i.history];
            let row = &history.rows[i.row];
            let state = self.model.report.read(row);
            let start = Start {
                att: state.attitude(),
                omega: state.omega,
                ..observed.body.clone()
            };
            // A torque of time acts at its own time.
            let moved = !matches!(observed.body.load, Load::Pulse(_) | Load::Other(_));
            Probe {
                from: if moved { history.rows[0].t } else { row.t },
                ..Probe::new(&start, history.step, i.steps as usize)
            }
        };
        intervals.concat().into_iter().map(probe).collect()
    }

    /// Returns the same with the conditions that the answers of the new starts allow.
    #[must_use]
    pub fn answered(&self, observed: &Observed, probes: &[Probe], answers: &[Answer]) -> Self {
        let mut followed = Vec::new();
        let others = self.others.len().min(NEW_STARTS.0);
        for (k, (probe, answer)) in probes.iter().zip(answers).enumerate() {
            let Ok(rows) = answer else { continue };
            let (Some(first), Some(last)) = (rows.first(), rows.get(probe.steps)) else {
                continue;
            };
            let rows = vec![first.clone(), last.clone()];
            let history = StepHistory {
                step: probe.step,
                print: Print::of(&rows),
                rows,
            };
            let own = Observed::new(&observed.body, vec![history]);
            let right = Equations::right(&observed.body);
            let interval = own.intervals.first();
            let f = interval.and_then(|i| Followed::new(&own, &self.model, &right, *i));
            followed.extend(f.map(|f| (f, k < others)));
        }
        let allowed = |condition: &Condition| {
            let told = followed.iter().filter_map(|(f, of_others)| {
                let predicted = condition.predicts(f, &observed.body)?;
                Some((predicted == f.bad, *of_others))
            });
            let told: Vec<(bool, bool)> = told.collect();
            let predicted = told.iter().filter(|x| x.0).count();
            let of_others = told.iter().filter(|x| x.1).count();
            of_others >= FEWEST && predicted as f64 >= PREDICTED * told.len() as f64
        };
        let mut out = self.clone();
        out.conditions.retain(allowed);
        if out.conditions.is_empty() {
            return self.clone();
        }
        out.new_starts = followed.len();
        out
    }
}
