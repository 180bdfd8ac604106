//! The scheme of histories: their rows are steps from states that the motion has chosen.

use super::expansion;
use super::questioner::{State, Step};
use super::{SchemeFindings, flaws, rules};
use crate::thresholds::{ADDED_ROUNDING, FEWEST_STEPS, LARGEST_TURN};
use topsim_model::{Interval, Observed, Report};

/// Histories of so many steps are looked at, the coarsest, in which the error of a step stands farthest above rounding.
const HISTORIES: usize = 3;
/// Steps of each: as many of all as are asked of a program.
const STEPS: usize = 16;
/// Rows before a step that rules with a memory take.
const PAST: usize = 2;

/// Returns what the rows say of the scheme, where the equations are right; none where they have too few steps or digits.
pub(crate) fn of_rows(observed: &Observed, report: &Report) -> Option<SchemeFindings> {
    let (first, steps) = steps(observed, report);
    let noise = noise(observed, &steps)?;
    if noise > ADDED_ROUNDING || steps.len() < FEWEST_STEPS {
        return None;
    }
    let series = expansion::of_steps(&steps, noise);
    let of = |remembers: bool| {
        let mut f = SchemeFindings {
            first: series.clone(),
            later: remembers.then(|| series.clone()),
            digits: noise,
            ..SchemeFindings::default()
        };
        let forgetting = |s: &Step| s.clone().after(Vec::new());
        let all: Vec<Step> = match remembers {
            true => first.iter().chain(&steps).cloned().collect(),
            false => steps.iter().map(forgetting).collect(),
        };
        rules(&mut f, &all);
        f
    };
    // A rule that needs no earlier row is the simpler one.
    let plain = of(false);
    let told = |f: &SchemeFindings| f.name.is_some() || !f.alike.is_empty();
    let whole = steps.iter().all(|s| s.past.len() == PAST);
    let mut f = if told(&plain) || !whole {
        plain
    } else {
        Some(of(true)).filter(told).unwrap_or(plain)
    };
    f.flaws = flaws::flaws(&f, noise);
    Some(f)
}

/// Returns the first steps of the coarsest histories, and others from their later rows, evenly spread.
fn steps(observed: &Observed, report: &Report) -> (Vec<Step>, Vec<Step>) {
    let (mut first, mut later) = (Vec::new(), Vec::new());
    let n = observed.histories.len();
    for (k, history) in observed
        .histories
        .iter()
        .enumerate()
        .skip(n.saturating_sub(HISTORIES))
    {
        let state = |row: usize| -> State {
            let seen = report.read(&history.rows[row]);
            (seen.attitude(), seen.omega)
        };
        let own: Vec<&Interval> = observed
            .intervals
            .iter()
            .filter(|i| i.history == k)
            .collect();
        // Rules with a memory need each of its steps.
        let follows = |row: usize| own.iter().any(|i| i.row == row && i.steps == 1);
        let step = |i: &Interval| {
            let row = i.row;
            let past = (1..=PAST).take_while(|back| row >= *back && follows(row - back));
            let time = (history.rows[row].t, history.step);
            Step::new(&observed.body, time, state(row), state(row + 1))
                .of_steps(i.steps)
                .after(past.map(|back| state(row - back)).collect())
        };
        let mut all = own.iter().map(|i| step(i));
        let small = |s: &Step| s.from.1.norm().max(s.to.1.norm()) * s.span() < LARGEST_TURN;
        first.extend(all.next().filter(|s| small(s) && s.past.is_empty()));
        let all: Vec<Step> = all.filter(small).skip(PAST - 1).collect();
        let wanted = STEPS.min(all.len());
        later.extend((0..wanted).map(|i| all[i * all.len() / wanted].clone()));
    }
    (first, later)
}

/// Returns the rounding of the change from row to row, relative to it.
fn noise(observed: &Observed, steps: &[Step]) -> Option<f64> {
    let printed = observed.histories.iter().map(|h| h.print.resolution());
    let written = printed.fold(observed.rounding, f64::max);
    let turn = |s: &Step| s.span() * s.from.1.norm() / f64::from(s.count).sqrt();
    let least = steps.iter().map(turn).reduce(f64::min)?;
    (least > 0.0).then_some(written / least)
}
