//! Rows at each step whose times are not their own: those between a solver's own steps, or of steps that are not equally long.

use super::Context;
use super::common::Motion;
use crate::history::FileReport;
use crate::identification::between;
use crate::identification::design::RUN;
use crate::identification::{Claim, Symptom};
use crate::thresholds::{FIRST_ORDER, HALF, HUNDREDTH, IN_TIME};
use topsim_core::math::so3;
use topsim_model::Print;
use topsim_model::probe::Row;

/// Rows of a history that are looked at: later ones are off by what errors have added up to.
const ROWS: usize = 12 * RUN;

/// Returns the first rows of a history after its start, where there is one at each step.
fn each_step(file: &FileReport) -> Option<Vec<Row>> {
    let rows: Vec<Row> = file.trace.written().into_iter().take(ROWS + 1).collect();
    let of_step = |p: &[Row]| (p[1].t - p[0].t - file.step).abs() <= IN_TIME * file.step;
    (rows.len() > ROWS && rows.windows(2).all(of_step)).then_some(rows)
}

/// Returns that some steps are made as one with rows between, or that rows are now more and now less ahead of their times, where it is
/// so in all histories.
pub(super) fn uneven(files: &[FileReport], context: &Context) -> Option<Claim> {
    let all: Vec<Vec<Row>> = files.iter().map(each_step).collect::<Option<_>>()?;
    if all.len() < 2 {
        return None;
    }
    let every = |rows: &Vec<Row>| between::every(rows, Print::of(rows).of_rate(1.0));
    let same = |x: &Option<(between::Between, usize)>| *x == every(&all[0]);
    if let Some((kind, steps)) = every(&all[0])
        && all.iter().map(every).all(|x| same(&x))
    {
        return Some(Symptom::StepsAsOne(kind, steps).into());
    }
    let each = all
        .iter()
        .zip(files)
        .map(|(rows, file)| ahead(rows, file.step, context));
    let each: Vec<([f64; RUN], f64)> = each.collect::<Option<_>>()?;
    let after = each.last()?.0;
    let same = |(other, _): &([f64; RUN], f64)| {
        other
            .iter()
            .zip(&after)
            .all(|(a, b)| (a - b).abs() <= HUNDREDTH)
    };
    // Errors of a rule go on from row to row.
    let most = after.iter().map(|x| x.abs()).fold(0.0, f64::max);
    let comes_back = after
        .windows(2)
        .any(|p| p[0].abs() > FIRST_ORDER && p[1].abs() < HALF * p[0].abs());
    let left = each.iter().map(|x| x.1).fold(0.0, f64::max);
    let told = most > FIRST_ORDER && comes_back && each.iter().all(same);
    told.then(|| Symptom::UnevenRows { after, left }.into())
}

/// Returns the steps by which rows are ahead of their times, by turns, and the part of a step that this leaves; none of rows that are
/// not ahead by turns.
fn ahead(rows: &[Row], step: f64, context: &Context) -> Option<([f64; RUN], f64)> {
    let times: Vec<f64> = rows[1..].iter().map(|row| row.t).collect();
    let motion = Motion::new(context.body, (context.span[0], &times), context.wanted).ok()?;
    let states = motion.att.iter().zip(&motion.omega).zip(&rows[1..]);
    let ahead = states.map(|((att, omega), row)| {
        let turn = so3::log(&att.tr_mul(&row.att));
        let of_step = omega * step;
        let part = turn.dot(&of_step) / of_step.norm_squared();
        (part, (turn - of_step * part).norm() / of_step.norm())
    });
    let ahead: Vec<(f64, f64)> = ahead.collect();
    let after: [f64; RUN] = core::array::from_fn(|n| ahead[n].0);
    let by_turns = ahead.iter().enumerate();
    let by_turns = by_turns.map(|(n, (part, _))| (part - after[n % RUN]).abs() <= HUNDREDTH);
    let left = ahead.iter().map(|x| x.1).fold(0.0, f64::max);
    (by_turns.into_iter().all(|same| same) && left <= FIRST_ORDER).then_some((after, left))
}
