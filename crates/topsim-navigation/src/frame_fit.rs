//! Fit of the terms of a frame that turns: their factors, beside a rule that explains rows of an inertial frame.

use crate::fit::{NavigationPart, ObservedRuns, ObservedUpdate};
use crate::frame::{CoriolisVelocity, FrameTurn};
use crate::motion::NavigationState;
use crate::rule::UpdateRule;
use nalgebra::{DMatrix, DVector};
use topsim_core::math::{Vec3, so3};

/// Rounds of a fit. The terms are linear but for the square of Ω T, 1e-10 at most, so that two rounds find all digits.
const ROUNDS: usize = 3;

/// Returns the rule with the terms of the frame that give the attitude of all rows, and with those of the velocity if there are any; `rule` explains rows of an
/// inertial frame.
pub fn fitted_frame(runs: &ObservedRuns, rule: &UpdateRule) -> [Option<UpdateRule>; 2] {
    use CoriolisVelocity::{End, Middle, Start};
    let turns = [
        FrameTurn::AfterBody,
        FrameTurn::FromVector,
        FrameTurn::FromIncrements,
    ];
    // With one sample several places give the same attitude, and the velocity tells them apart.
    let turned = turns.into_iter().filter_map(|turn| {
        let mut rule = rule.clone();
        rule.frame.turn = turn;
        fitted(runs, NavigationPart::Attitude, rule)
    });
    let turned: Vec<UpdateRule> = turned.collect();
    let moved = turned.iter().find_map(|rule| {
        [Middle, Start, End].into_iter().find_map(|coriolis| {
            let mut rule = rule.clone();
            rule.frame.coriolis = coriolis;
            fitted(runs, NavigationPart::Velocity, rule)
        })
    });
    [turned.into_iter().next(), moved]
}

/// Fits the factors of a part, and returns the rule if it gives the rows.
fn fitted(runs: &ObservedRuns, part: NavigationPart, mut rule: UpdateRule) -> Option<UpdateRule> {
    for _ in 0..ROUNDS {
        let updates = runs.updates(&rule);
        let residuals = |rule: &UpdateRule| -> Vec<f64> {
            let off = |u: &ObservedUpdate| residual(rule, part, u) / u.floors[part as usize];
            updates.iter().flat_map(|u| off(u).data.0[0]).collect()
        };
        let now = residuals(&rule);
        let columns = factors(&mut rule.clone(), part).len();
        let slope = |k: usize| {
            let mut moved = rule.clone();
            *factors(&mut moved, part)[k] += 1.0;
            let moved = residuals(&moved);
            let pairs = moved.into_iter().zip(&now);
            DVector::from_iterator(now.len(), pairs.map(|(a, b)| a - b))
        };
        let matrix = DMatrix::from_columns(&(0..columns).map(slope).collect::<Vec<_>>());
        if matrix.iter().chain(&now).any(|x| !x.is_finite()) {
            return None;
        }
        let singular = matrix.svd(true, true);
        let least = f64::EPSILON * singular.singular_values.max();
        let found = singular.solve(&-DVector::from_vec(now), least).ok()?;
        let places = factors(&mut rule, part).into_iter().zip(&found);
        places.for_each(|(place, x)| *place += x);
    }
    Some(rule).filter(|rule| runs.reproduced_by(rule, part))
}

/// Returns the factors of a part.
fn factors(rule: &mut UpdateRule, part: NavigationPart) -> Vec<&mut f64> {
    let frame = &mut rule.frame;
    match part {
        NavigationPart::Attitude => vec![&mut frame.turn_factor],
        _ => vec![&mut frame.coriolis_factor, &mut frame.force_factor],
    }
}

/// Returns the vector from the state by a rule to that of the row.
fn residual(rule: &UpdateRule, part: NavigationPart, u: &ObservedUpdate) -> Vec3 {
    let (
        NavigationState {
            attitude, velocity, ..
        },
        from,
    ) = (&u.to, &u.from);
    match part {
        NavigationPart::Attitude => {
            so3::log(&(attitude * rule.attitude(from, &u.taken).transpose()))
        }
        _ => velocity - rule.velocity(from, attitude, &u.taken),
    }
}
