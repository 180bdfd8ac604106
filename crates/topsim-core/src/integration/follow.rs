//! A scheme stepped beside a motion recorded elsewhere, for as long as the two agree.

use crate::models::Problem;
use crate::schemes::Scheme;
use crate::schemes::probe::bare_steps;

/// Where a scheme is compared: after so many steps, ascending.
#[derive(Debug, Clone, Copy)]
pub struct Stops<'a> {
    /// Start, s.
    pub start: f64,
    /// Step, s.
    pub step: f64,
    /// Numbers of steps.
    pub counts: &'a [u64],
}

/// Steps from the problem's initial state and shows the state at each stop, with the stop's index,
/// until `visit` has seen enough and returns false. Returns false where a step failed.
pub fn follow<P: Problem, S: Scheme<P>>(
    problem: &P,
    scheme: &S,
    stops: &Stops,
    visit: &mut dyn FnMut(usize, &P::State) -> bool,
) -> bool {
    let (t0, h) = (stops.start, stops.step);
    let mut y = problem.initial();
    let Ok(mut memory) = scheme.start(problem, t0, h, &mut y) else {
        return false;
    };
    let mut made = 0;
    for (i, &count) in stops.counts.iter().enumerate() {
        let (at, state) = ((t0, h), (&mut y, &mut memory));
        if bare_steps(scheme, problem, at, made..count, state, &|| true).is_err() {
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
    use crate::models::bodies;
    use crate::schemes::{RigPos, probe};

    #[test]
    fn it_shows_each_stop_and_ends_when_told() {
        let top = bodies::body_a();
        let counts = [0, 3, 7, 100];
        let stops = Stops {
            start: 0.0,
            step: 0.01,
            counts: &counts,
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
