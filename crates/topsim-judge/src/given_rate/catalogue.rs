//! The scheme of the catalogue whose rows a solver gives, and the error constant of its drift.

use super::questions::{ASKED, Answers, swinging};
use super::turns::{UPDATES, of_samples};
use crate::thresholds::ALL_DIGITS;
use topsim_core::integration::Parameters;
use topsim_core::integration::registry::{SCHEMES, SchemeFamily, SchemeRow};
use topsim_core::math::{Mat3, so3};
use topsim_core::models::Model;
use topsim_core::schemes::given_rate::coning::{ErrorConstant, PHASES};
use topsim_protocol::problem::SAMPLES;

/// How far the rows are from those of a scheme in updates of so many samples, rad.
fn apart(row: &SchemeRow, samples: u32, rows: &[Mat3]) -> Option<f64> {
    let model = Model::GivenRate(swinging().given);
    let scheme = (row.bind)(&model, &Parameters::default()).ok()?;
    let updates = u64::from(SAMPLES / samples);
    let h = ASKED.step / updates as f64;
    let mut most = 0.0_f64;
    for (k, att) in (0..).zip(rows) {
        let own = scheme.advance((0.0, h, k * updates), &|| true).ok()?;
        most = most.max(so3::angle_between(&Mat3::from_row_slice(&own[..9]), att));
    }
    Some(most)
}

/// The rule in a sentence, where it is one of the catalogue, and how many samples an update has.
pub(super) fn rule(asked: &Answers) -> Option<(String, u32)> {
    let own = SCHEMES
        .iter()
        .filter(|row| row.family == SchemeFamily::GivenRate);
    let pairs = own.flat_map(|row| UPDATES.map(|samples| (row, samples)));
    let near = pairs.filter_map(|(row, samples)| {
        let off = apart(row, samples, &asked.swinging)?;
        Some((off, row, samples))
    });
    let (off, row, samples) = near.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let (name, of) = (row.info.name, of_samples(samples));
    let said = format!("Its rows are those of `{name}` {of}, to {off:.0e} rad.");
    (off < ALL_DIGITS).then_some((said, samples))
}

/// Its drift about the axis of a closing cone, in a sentence, of updates of so many samples where that is known, or of whole
/// steps; none where it is no power of the phase, such as of rows that are printed with fewer digits than a double has.
pub(super) fn drift(asked: &Answers, samples: Option<u32>) -> Option<String> {
    let cones = asked.cones.as_ref()?;
    let found = ErrorConstant::of(|x| {
        let k = PHASES.iter().position(|phase| *phase == x)?;
        cones.get(k).copied()
    })?;
    let p = found.power;
    if !matches!(p, 2 | 4 | 6 | 8) || !found.constant.is_finite() {
        return None;
    }
    // The phase of a step is that of its updates together.
    let updates = f64::from(SAMPLES / samples.unwrap_or(SAMPLES));
    let constant = found.constant / updates.powi(p);
    let of = match samples {
        Some(_) => "its update",
        None => "a step",
    };
    let sign = if constant > 0.0 { "−" } else { "" };
    // A constant has as many digits as four phases leave it: of the eighth power they are off by half a hundredth.
    let size = match constant.abs() {
        large if p == 8 => format!("about {large:.1e}"),
        small if (small as u64) < 100_000 => format!("{small:.2}"),
        large => format!("{large:.4e}"),
    };
    Some(format!(
        "Its drift about the axis of a small cone is {sign}φ² Ω (ΩH)^{p}/{size}, H {of}."
    ))
}
