//! A scheme stepped beside a motion recorded elsewhere, for as long as the two agree.

use super::step_map::StepMap;
use crate::schemes::steps::Continuation;

/// Numbers of steps after which a scheme is compared, ascending, with the start and the step.
#[derive(Clone, Copy)]
pub struct Stops<'a> {
    /// Start, s.
    pub start: f64,
    /// Step, s.
    pub step: f64,
    /// Numbers of steps.
    pub counts: &'a [u64],
    /// Displacement of the start from the problem's initial state, in natural sizes of the coordinates of [`PhaseSpace`];
    /// coordinates that are missing are zero.
    ///
    /// [`PhaseSpace`]: crate::models::PhaseSpace
    pub displacement: &'a [f64],
    /// Polled periodically; returns false to cancel.
    pub wanted: Continuation<'a>,
}

/// See [`Experiment::follow`](super::Experiment::follow).
pub(super) fn follow(
    map: &mut dyn StepMap,
    width: usize,
    stops: &Stops,
    visit: &mut dyn FnMut(usize, &[f64]) -> bool,
) -> bool {
    let from = (stops.start, stops.step);
    if !stops.displacement.is_empty() {
        let mut d = map.state().scales();
        let beside = stops.displacement.iter().chain(std::iter::repeat(&0.0));
        d.iter_mut().zip(beside).for_each(|(d, part)| *d *= part);
        map.state().displace(&d);
    }
    if map.start(from).is_err() {
        return false;
    }
    let mut row = vec![0.0; width];
    let mut made = 0;
    for (i, &count) in stops.counts.iter().enumerate() {
        if map.steps(from, made..count, stops.wanted).is_err() {
            return false;
        }
        made = made.max(count);
        let t = stops.start + count as f64 * stops.step;
        map.state().measure(t, &mut row);
        if !visit(i, &row) {
            break;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{Stops, follow};
    use crate::integration::step_map::Motion;
    use crate::models::{InitialValueProblem, Measured, bodies};
    use crate::schemes::{RigPos, steps};

    #[test]
    fn it_shows_each_stop_and_ends_when_told() {
        let top = bodies::body_a();
        let counts = [0, 3, 7, 100];
        let stops = Stops {
            start: 0.0,
            step: 0.01,
            counts: &counts,
            displacement: &[],
            wanted: &|| true,
        };
        let mut seen = Vec::new();
        let columns = top.columns();
        let mut motion = Motion::new(&top, &RigPos {});
        let whole = follow(&mut motion, columns.width(), &stops, &mut |i, row| {
            seen.push((i, row.to_vec()));
            i < 2
        });
        assert!(whole && seen.len() == 3);
        let mut y = top.initial();
        let mut row = vec![0.0; columns.width()];
        top.measure(0.0, &y, &mut row);
        assert_eq!(seen[0], (0, row.clone()));
        steps::advance(&RigPos {}, &top, (0.0, 0.01, 7), &mut y, &|| true).unwrap();
        top.measure(0.07, &y, &mut row);
        assert_eq!(seen[2], (2, row));
    }
}
