//! An attitude that turns with a given rate.

use crate::file::CaseFile;
use crate::refuse::given;
use crate::resolve_body::initial_attitude;
use strict_toml::Faults;
use topsim_core::math::Mat3;
use topsim_core::models::given_rate::RateTable;
use topsim_core::models::{GivenRate, RateModel};

/// Makes the rate with the attitude at the start: the given attitude, that of the motion from which the rate follows, or I.
pub(crate) fn given_rate(
    file: &CaseFile,
    table: &RateTable,
    faults: &mut Faults,
) -> Option<GivenRate<RateModel>> {
    let others = [
        "body",
        "torque",
        "potential",
        "support",
        "damping",
        "flight",
        "particle",
    ];
    for key in given(faults, "", &others) {
        let allowed = "one of them: where the rate is given there is no body";
        faults.add(key, format!("a [{key}] beside a [rate]"), allowed);
    }
    only_the_attitude(faults);
    let refused = |e: topsim_core::models::given_rate::RateError| {
        faults.add(&format!("rate.{}", e.key), e.found, e.allowed);
    };
    let rate = table.rate().map_err(refused).ok()?;
    let initial = match &file.initial {
        Some(start) => initial_attitude(start, faults)?.rounded,
        None => {
            let start = file.run.as_ref().map_or(0.0, |run| run.start);
            rate.attitude(start).unwrap_or_else(Mat3::identity)
        }
    };
    Some(GivenRate { rate, initial })
}

/// Refuses keys of the start other than an attitude.
fn only_the_attitude(faults: &mut Faults) {
    let others = [
        "angular_velocity",
        "angular_momentum",
        "position",
        "velocity",
        "acceleration",
        "angular_acceleration",
    ];
    for key in given(faults, "initial", &others) {
        faults.add(
            &format!("initial.{key}"),
            format!("`{key}` beside a [rate]"),
            "the attitude alone; the rate is given",
        );
    }
}
