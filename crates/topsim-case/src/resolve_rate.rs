//! An attitude that turns with a given rate.

use crate::file::{CaseFile, InitialTable};
use crate::refuse::given;
use crate::resolve_body::initial_attitude;
use strict_toml::Faults;
use topsim_core::math::Mat3;
use topsim_core::models::given_rate::RateTable;
use topsim_core::models::{GivenRate, RateModel};

/// The rate with the attitude at the start: the given one, that of the motion from which the rate follows, or I.
pub(crate) fn given_rate(
    file: &CaseFile,
    table: &RateTable,
    faults: &mut Faults,
) -> Option<GivenRate<RateModel>> {
    for key in given([
        ("body", file.body.is_some()),
        ("torque", file.torque.is_some()),
        ("potential", file.potential.is_some()),
        ("support", file.support.is_some()),
        ("damping", file.damping.is_some()),
        ("flight", file.flight.is_some()),
        ("particle", !file.particle.is_empty()),
    ]) {
        let allowed = "one of them: where the rate is given there is no body";
        faults.add(key, format!("a [{key}] beside a [rate]"), allowed);
    }
    if let Some(start) = &file.initial {
        only_the_attitude(start, faults);
    }
    let refused = |e: topsim_core::models::given_rate::RateError| {
        faults.add(&format!("rate.{}", e.key), e.found, e.allowed);
    };
    let rate = table.rate().map_err(refused).ok()?;
    let initial = match &file.initial {
        Some(start) => initial_attitude(start, faults)?.0,
        None => {
            let start = file.run.as_ref().map_or(0.0, |run| run.start);
            rate.attitude(start).unwrap_or_else(Mat3::identity)
        }
    };
    Some(GivenRate { rate, initial })
}

/// Where the rate is given, a start has nothing but an attitude.
fn only_the_attitude(start: &InitialTable, faults: &mut Faults) {
    for key in given([
        ("angular_velocity", start.angular_velocity.is_some()),
        ("angular_momentum", start.angular_momentum.is_some()),
        ("position", start.position.is_some()),
        ("velocity", start.velocity.is_some()),
        ("acceleration", start.acceleration.is_some()),
        ("angular_acceleration", start.angular_acceleration.is_some()),
    ]) {
        faults.add(
            &format!("initial.{key}"),
            format!("`{key}` beside a [rate]"),
            "the attitude alone; the rate is given",
        );
    }
}
