//! A scheme stepped beside a motion recorded elsewhere, for as long as the two agree.

use crate::models::PhaseSpace;
use crate::schemes::Scheme;
use crate::schemes::probe::{Wanted, bare_steps};

/// Where a scheme is compared: after so many steps, ascending.
#[derive(Clone, Copy)]
pub struct Stops<'a> {
    /// Start, s.
    pub start: f64,
    /// Step, s.
    pub step: f64,
    /// Numbers of steps.
    pub counts: &'a [u64],
    /// How far beside the problem's initial state it starts, in natural sizes of the coordinates of [`PhaseSpace`]; those
    /// that are missing are zero.
    pub displacement: &'a [f64],
    /// Asked now and then whether to go on.
    pub wanted: Wanted<'a>,
}

/// Steps from the problem's initial state and shows the state at each stop, with the stop's index,
/// until `visit` has seen enough and returns false. Returns false where a step failed or somebody stopped it.
pub fn follow<P: PhaseSpace, S: Scheme<P>>(
    problem: &P,
    scheme: &S,
    stops: &Stops,
    visit: &mut dyn FnMut(usize, &P::State) -> bool,
) -> bool {
    let (t0, h) = (stops.start, stops.step);
    let mut y = problem.initial();
    if !stops.displacement.is_empty() {
        let mut d = problem.scales(&y);
        let beside = stops.displacement.iter().chain(std::iter::repeat(&0.0));
        d.iter_mut().zip(beside).for_each(|(d, part)| *d *= part);
        y = problem.displaced(&y, &d);
    }
    let Ok(mut memory) = scheme.start(problem, t0, h, &mut y) else {
        return false;
    };
    let mut made = 0;
    for (i, &count) in stops.counts.iter().enumerate() {
        let (at, state) = ((t0, h), (&mut y, &mut memory));
        if bare_steps(scheme, problem, at, made..count, state, stops.wanted).is_err() {
            return false;
        }
        made = made.max(count);
        if !visit(i, &y) {
            break;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{Problem, bodies};
    use crate::schemes::{RigPos, probe};

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
        let whole = follow(&top, &RigPos {}, &stops, &mut |i, y| {
            seen.push((i, *y));
            i < 2
        });
        assert!(whole && seen.len() == 3);
        let mut y = top.initial();
        probe::advance(&RigPos {}, &top, (0.0, 0.01, 7), &mut y, &|| true).unwrap();
        assert_eq!(seen[2], (2, y));
        assert_eq!(seen[0].1, top.initial());
    }
}
