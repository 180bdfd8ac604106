//! Claims of the form of rows that a model has, and the unit of rates that the first row tells.

use crate::identification::{Claim, Symptom};
use crate::thresholds::PRINTED;
use topsim_core::math::{Vec3, so3};
use topsim_model::defect::ReportingDefect;
use topsim_model::report::{Latent, RateFrame, RateUnit};
use topsim_model::{Observed, Report};

/// Returns true if the rate in the first row is this multiple of the start's, in some frame.
fn begins_with(observed: &Observed, factor: f64) -> bool {
    let (att, w) = (&observed.body.att, observed.body.omega);
    let frames = [w, att * w, att.tr_mul(&w)];
    let row = observed.histories.first().and_then(|h| h.rows.first());
    row.is_some_and(|row| {
        let near = |w: &Vec3| (row.rate - w * factor).norm() <= PRINTED * row.rate.norm();
        frames.iter().any(near)
    })
}

/// Returns the unit of the rate in the first row, where that is the initial state and the rate is another one only in size.
pub(super) fn unit(observed: &Observed) -> Option<RateUnit> {
    let row = observed.histories.first()?.rows.first()?;
    let body = &observed.body;
    let starts = so3::angle_between(&row.att, &body.att) <= PRINTED;
    let factor = row.rate.norm() / body.omega.norm();
    let named = (factor - 1.0).abs() <= PRINTED;
    if starts && begins_with(observed, -factor) {
        return Some(RateUnit::Times(-factor));
    }
    let known = [RateUnit::Degrees, RateUnit::Turns];
    let is = |unit: &RateUnit| (factor * unit.size() - 1.0).abs() <= PRINTED;
    let unit = known.into_iter().find(is);
    let told = starts && !named && factor.is_finite() && begins_with(observed, factor);
    told.then_some(unit.unwrap_or(RateUnit::Times(factor)))
}

/// Returns true if the first row has the initial rate, in some frame, in the unit that is named.
pub(super) fn starts_in_unit(observed: &Observed) -> bool {
    begins_with(observed, 1.0)
}

/// Returns what is wrong with a report, by which rows follow each other up to `left`.
pub(super) fn of_report(report: &Report, left: f64) -> Vec<Claim> {
    let plain = Report::default();
    let mut out = Vec::new();
    let mut push = |defect| out.push(Claim::from(Symptom::RowsFollow(defect, left)));
    match (report.attitude.scalar_moved, report.attitude.transposed) {
        (false, false) => {}
        (true, false) => push(ReportingDefect::QuaternionOrder),
        (false, true) => push(ReportingDefect::Transposed),
        (true, true) => push(ReportingDefect::QuaternionOrderTransposed),
    }
    let other_frame = report.frame != RateFrame::Named;
    match report.unit {
        RateUnit::Degrees if other_frame => push(ReportingDefect::RateDegreesFrame),
        RateUnit::Degrees => push(ReportingDefect::RateDegrees),
        RateUnit::Times(factor) if (factor + 1.0).abs() <= PRINTED => push(if other_frame {
            ReportingDefect::RateSignFrame
        } else {
            ReportingDefect::RateSign
        }),
        RateUnit::Turns | RateUnit::Times(_) => push(ReportingDefect::RateUnit),
        RateUnit::Named if other_frame => push(ReportingDefect::RateFrame),
        RateUnit::Named => {}
    }
    if report.signs != plain.signs || report.columns != plain.columns {
        push(ReportingDefect::RateColumns);
    }
    match report.latent {
        Latent::None => {}
        Latent::MeanRate => push(ReportingDefect::RateHalfStep),
        Latent::RateBefore | Latent::SpaceRateBefore => push(ReportingDefect::RateWholeStep),
        Latent::AttitudeBefore => push(ReportingDefect::TimeStamps),
    }
    // A term that is taken at the state of the step before gives the same rows.
    if report.latent != Latent::None {
        let last = out.pop().map(Claim::less_sure);
        out.extend(last);
    }
    out
}
