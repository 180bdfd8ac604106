//! In which conventions a solver writes its rows: row 0 of every start is a state that is known, so that attitude,
//! frame, sign and unit cannot be confused. What is found is undone, and identification goes on with the rest.

use super::expansion::AnsweredStart;
use super::experiment::Row;
use crate::thresholds::*;
use core::f64::consts::PI;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_model::convention::{AttitudeConvention, Convention, RateConvention};

/// Returns the convention in which row 0 of the starts is the given state.
fn of_row_0(all: &[AnsweredStart], slack: f64) -> Convention {
    let first: Vec<(&Row, &AnsweredStart)> = all
        .iter()
        .filter_map(|s| Some((s.rows[0].first()?, s)))
        .collect();
    let off = |c: &AttitudeConvention, (row, s): &(&Row, &AnsweredStart)| {
        let given = &s.designed.start.att;
        c.undone(&row.att, row.quaternion, given)
            .map_or(PI, |att| so3::angle_between(&att, given))
    };
    let agrees = |c: &AttitudeConvention| {
        let good = first.iter().filter(|f| off(c, f) <= slack).count();
        good as f64 >= ALMOST_ALL * first.len() as f64
    };
    let worst = |c: &AttitudeConvention| first.iter().map(|f| off(c, f)).fold(0.0, f64::max);
    // A sign or a quadrant may be lost in a few starts.
    let found = AttitudeConvention::all()
        .find(agrees)
        .filter(|c| *c != AttitudeConvention::Named || worst(c) <= slack);
    let branch = || AttitudeConvention::branches().find(|c| worst(c) <= slack);
    let named = || Some(AttitudeConvention::Named).filter(agrees);
    let attitude = found
        .or_else(branch)
        .or_else(named)
        .unwrap_or_else(|| AttitudeConvention::Unknown(worst(&AttitudeConvention::Named)));
    let stamp = first.iter().find_map(|(row, s)| {
        let late = row.t / s.steps[0];
        (late.abs() > HUNDREDTH).then_some(late)
    });
    Convention {
        attitude,
        rate: rate(all, slack),
        stamp: stamp.unwrap_or(0.0),
        read_too: false,
    }
}

/// Returns the form in which row 0 of the starts is the given state, where there is one.
pub(crate) fn form_of_row_0(all: &[AnsweredStart]) -> Option<Convention> {
    let form = of_row_0(all, HUNDREDTH);
    is_known(&form).then_some(form)
}

/// Detects another form than the named one.
fn is_known(form: &Convention) -> bool {
    let explained = form.rate.explained && !matches!(form.attitude, AttitudeConvention::Unknown(_));
    explained && !form.is_as_named()
}

/// Returns the convention that the columns name.
pub(crate) fn plain(all: &[AnsweredStart]) -> Convention {
    let first = all.iter().find_map(|s| s.rows[0].first());
    let in_space = first.is_some_and(|row| row.rate_in_space);
    Convention {
        attitude: AttitudeConvention::Named,
        rate: as_named(in_space),
        stamp: 0.0,
        read_too: false,
    }
}

/// Returns the convention in which the rows of the starts are written.
pub(crate) fn convention(all: &[AnsweredStart], digits: f64) -> Convention {
    let found = of_row_0(all, SINGLE_DIGITS.max(ADDED_UP * digits));
    let plain = plain(all);
    if found.stamp != 0.0 {
        return found;
    }
    let (as_named, as_found) = (turns_off(all, &plain), turns_off(all, &found));
    if !found.is_as_named() && as_named <= FIRST_ORDER && as_found > CLEARLY * as_named {
        // The rows are what their columns say, from another start.
        return plain;
    }
    if found.attitude == AttitudeConvention::Named && as_found > UNLIKE {
        // Where attitudes are read and written in one wrong way, row 0 is right.
        let read = |attitude| Convention {
            attitude,
            read_too: true,
            ..found
        };
        let turns = |attitude: &AttitudeConvention| turns_off(all, &read(*attitude)) <= FIRST_ORDER;
        let inverse = core::iter::once(AttitudeConvention::Transposed);
        let mut forms = inverse.chain(AttitudeConvention::quaternions());
        return forms.find(turns).map_or(found, read);
    }
    found
}

/// Rates of the columns that do not agree with the given ones.
fn as_named(in_space: bool) -> RateConvention {
    RateConvention {
        factor: 1.0,
        matrix: Mat3::identity(),
        turned: i8::from(in_space),
        other_frame: false,
        named: true,
        shift: 0.0,
        explained: false,
    }
}

/// Returns true if all rows of each run are the same, and some are not the given start, as those of a body that stays are.
pub(crate) fn are_same(all: &[AnsweredStart]) -> bool {
    let mut runs = all.iter().flat_map(|s| s.rows.iter().map(move |r| (s, r)));
    let same = |(_, rows): (&AnsweredStart, &Vec<Row>)| {
        let state = |r: &Row| (r.att, r.rate);
        rows.windows(2).all(|w| state(&w[0]) == state(&w[1]))
    };
    let moved = |s: &AnsweredStart| {
        let first = s.rows[0].first();
        first.is_some_and(|r| so3::angle_between(&r.att, &s.designed.start.att) > SINGLE_DIGITS)
    };
    !all.is_empty() && runs.all(same) && all.iter().any(moved)
}

/// Returns how far the attitudes of a convention are from turning with its rates in the shortest step: the median, relative.
fn turns_off(all: &[AnsweredStart], convention: &Convention) -> f64 {
    let of = |s: &AnsweredStart| {
        let mut rows = s.rows[3][..2].to_vec();
        convention.undo(&s.designed.start.att, &mut rows);
        let turn = so3::log(&rows[0].att.tr_mul(&rows[1].att)) / s.steps[3];
        let size = rows[0].omega.norm();
        (size > 0.0).then(|| (turn - rows[0].omega).norm() / size)
    };
    let mut all: Vec<f64> = all.iter().filter_map(of).collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(0.0)
}

fn rate(all: &[AnsweredStart], slack: f64) -> RateConvention {
    let first: Vec<(&Row, &AnsweredStart)> = all
        .iter()
        .filter_map(|s| Some((s.rows[0].first()?, s)))
        .collect();
    let in_space = first.first().is_some_and(|(row, _)| row.rate_in_space);
    let named = i8::from(in_space);
    let expected = |turned: i8, s: &AnsweredStart| {
        let start = &s.designed.start;
        match turned {
            1 => start.att * start.omega,
            -1 => start.att.tr_mul(&start.omega),
            _ => start.omega,
        }
    };
    let ways = [named, 1 - named, -1];
    for turned in ways {
        let (mut xy, mut xx) = (0.0, 0.0);
        for (row, s) in &first {
            let x = expected(turned, s);
            xy += row.rate.dot(&x);
            xx += x.norm_squared();
        }
        let factor = if xx > 0.0 { xy / xx } else { 1.0 };
        let close = |(row, s): &&(&Row, &AnsweredStart)| {
            let x = expected(turned, s);
            (row.rate - x * factor).norm()
                <= slack * factor.abs().max(NEGLIGIBLE) * x.norm().max(1.0)
        };
        let good = first.iter().filter(close).count();
        if good as f64 >= ALMOST_ALL * first.len() as f64 && factor.abs() > OTHER_FACTOR {
            let exact = (factor - 1.0).abs() <= slack;
            return RateConvention {
                factor: if exact { 1.0 } else { factor },
                matrix: Mat3::identity(),
                turned,
                other_frame: turned != named,
                named: turned == named && exact,
                shift: 0.0,
                explained: true,
            };
        }
    }
    let as_named = as_named(in_space);
    if let Some(matrix) = matrix(&first, &|s| expected(named, s), slack) {
        return RateConvention {
            matrix,
            named: false,
            explained: true,
            ..as_named
        };
    }
    // The rate of another time: W + τ W' with one τ/h at every step.
    let mut shifts = Vec::new();
    for (j, h) in super::expansion::steps(all).iter().enumerate() {
        let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
        for s in all {
            let Some(row) = s.rows[j].first() else {
                continue;
            };
            let start = &s.designed.start;
            let x = start.acceleration(0.0, &start.att, &start.omega);
            let read = if in_space {
                start.att.tr_mul(&row.rate)
            } else {
                row.rate
            };
            let y = read - start.omega;
            xy += x.dot(&y);
            xx += x.norm_squared();
            yy += y.norm_squared();
        }
        let left = (yy - xy * xy / xx.max(1e-300)).max(0.0);
        if !(left <= FIRST_ORDER * yy) {
            return as_named;
        }
        shifts.push(xy / xx / h);
    }
    let mean = shifts.iter().sum::<f64>() / shifts.len() as f64;
    if mean.abs() < FIRST_ORDER || shifts.iter().any(|s| (s - mean).abs() > TENTH * mean.abs()) {
        return as_named;
    }
    RateConvention {
        shift: mean,
        explained: true,
        ..as_named
    }
}

/// Returns the matrix by which the given rates are written, where one does for most starts.
fn matrix(
    first: &[(&Row, &AnsweredStart)],
    given: &dyn Fn(&AnsweredStart) -> Vec3,
    slack: f64,
) -> Option<Mat3> {
    let (mut yx, mut xx) = (Mat3::zeros(), Mat3::zeros());
    for (row, s) in first {
        let x = given(s);
        yx += row.rate * x.transpose();
        xx += x * x.transpose();
    }
    let matrix = yx * xx.try_inverse()?;
    let close = |(row, s): &&(&Row, &AnsweredStart)| {
        let x = given(s);
        (row.rate - matrix * x).norm() <= slack * matrix.norm() * x.norm().max(1.0)
    };
    let good = first.iter().filter(close).count();
    // A matrix that cannot be undone says nothing of what comes after.
    let undone = matrix
        .try_inverse()
        .is_some_and(|m| m.norm() * matrix.norm() * FOUR_DIGITS < 1.0);
    (good as f64 >= ALMOST_ALL * first.len() as f64 && undone).then_some(matrix)
}

/// Returns the form in which the start of the steps is the given one, where row 0 is as given and the steps go on from elsewhere: the state
/// from which the right motion leads to row 1 is not row 0, and leads on from row 1 to row 2.
pub(crate) fn start_of_steps(all: &[AnsweredStart]) -> Option<Convention> {
    let mut read = Vec::new();
    let (mut elsewhere, mut turning) = (0, 0);
    for s in all {
        let start = &s.designed.start;
        let before = |rows: &[Row], h: f64| {
            let [row0, row1, row2, ..] = rows else {
                return None;
            };
            let (att, omega) = start.exact(0.0, -h, &row1.att, &row1.omega);
            let (next, rate) = start.exact(h, h, &row1.att, &row1.omega);
            let apart = |a: (&Mat3, &Vec3), b: &Row| {
                so3::angle_between(a.0, &b.att) + (a.1 - b.omega).norm() / start.omega.norm()
            };
            let jump = apart((&att, &omega), row0);
            let row = Row {
                att,
                omega,
                rate: if row0.rate_in_space {
                    att * omega
                } else {
                    omega
                },
                quaternion: None,
                ..row0.clone()
            };
            Some((jump, apart((&next, &rate), row2), row))
        };
        if start.omega.norm() == 0.0 {
            continue;
        }
        turning += 1;
        let (coarse, ..) = before(&s.rows[0], s.steps[0])?;
        let (jump, next, row) = before(&s.rows[3], s.steps[3])?;
        let same = (coarse / jump - 1.0).abs() <= CARRIED;
        elsewhere += usize::from(jump > FIRST_ORDER && next <= FIRST_ORDER * jump && same);
        let mut from = s.clone();
        from.rows.iter_mut().for_each(|rows| rows[0] = row.clone());
        read.push(from);
    }
    let most = elsewhere as f64 >= ALMOST_ALL * f64::from(turning);
    let form = (turning > 0 && most).then(|| of_row_0(&read, HUNDREDTH))?;
    is_known(&form).then_some(form)
}
