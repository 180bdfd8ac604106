//! Steps that follow another rule on some occasions, in words.

use super::law_numbers;
use crate::identification::experiment::Start;
use crate::thresholds::{BY_FAR, FOUR_DIGITS};
use topsim_model::Walk;
use topsim_model::defect::ModelDefect;
use topsim_model::walk::{Action, Condition, Quantity};
use topsim_protocol::numbers::{brief, number};

/// Rivals that are named beside a condition, at most.
const RIVALS: usize = 3;

/// Returns name and evidence.
pub(super) fn walk(walk: &Walk, body: &Start) -> (String, String) {
    let condition = &walk.conditions[0];
    let what = walk.action.as_ref().map(|a| done(a, body));
    let name = match what {
        Some(what) if walk.action.as_ref().is_some_and(Action::is_limit) => what,
        what => format!(
            "{} {}",
            what.as_deref()
                .unwrap_or("some steps do not follow the rule"),
            words(condition)
        ),
    };
    let (given, others) = (walk.given.len(), walk.others.len());
    let missed = Some(walk.missed).filter(|x| *x < BY_FAR);
    let missed = missed.map_or("more than can be told".into(), brief);
    let mut evidence = format!(
        "{} gives {given} of {} rows to their rounding and misses the others by {missed}; {}",
        walk.model.stepping,
        given + others,
        parts(condition)
    );
    if let Some(action) = &walk.action {
        if let Action::Law(law) = action {
            evidence += &format!("; there, {}", law_numbers(law, body));
        }
        evidence += &format!(
            "; with this it gives {} of {}",
            walk.explained,
            given + others
        );
    }
    if walk.new_starts > 0 {
        let said = if condition.is_of_time() {
            "new starts from the same rows do not have it"
        } else {
            "new starts from the same rows have it, too"
        };
        evidence += &format!("; {said} ({} were made)", walk.new_starts);
    }
    let rivals = &walk.conditions[1..];
    if !rivals.is_empty() {
        let mut said: Vec<String> = rivals.iter().take(RIVALS).map(words).collect();
        if rivals.len() > RIVALS {
            said.push(format!("{} more", rivals.len() - RIVALS));
        }
        evidence += &format!("; not told here from: {}", said.join(", "));
    }
    (name, evidence)
}

/// Returns words for an action.
fn done(action: &Action, body: &Start) -> String {
    match action {
        Action::Law(law) => match ModelDefect::of(law, body.inertia.tensor(), FOUR_DIGITS) {
            Some(defect) => defect.name().into(),
            None => "another equation of motion".into(),
        },
        Action::RateTimes(0.0) => "the rate is set to zero".into(),
        Action::RateTimes(x) => format!("the rate is multiplied by {}", number(round(*x))),
        Action::RateCutOff(x) => format!("the rate is cut off at {} rad/s", number(round(*x))),
        Action::ComponentsCutOff(x) => {
            format!(
                "components of the rate are cut off at {} rad/s",
                number(round(*x))
            )
        }
        Action::TurnCutOff(x) => {
            format!("the turn of a step is cut off at {} rad", number(round(*x)))
        }
        Action::ChangeCutOff(x) => format!(
            "the change of the rate in a step is cut off at {} rad/s",
            number(round(*x))
        ),
        Action::ComponentsLost(_) => "small components of the rate are set to zero".into(),
        Action::Rounded(digits) => format!("the state is rounded to {digits} digits"),
        Action::AttitudeOfStart => "the attitude is set to that of the start".into(),
        Action::AxesOfSpace => "the attitude is set to the axes of space".into(),
        Action::RateOfStart => "the rate is set to that of the start".into(),
        Action::Restart => "the motion begins anew".into(),
        Action::AttitudeStays => "the attitude stays".into(),
        Action::NoStep => "no step is made".into(),
        Action::MomentumStays => "the size of the momentum is kept".into(),
        Action::EnergyStays => "the kinetic energy is kept".into(),
        Action::MomentumOfStart => "the size of the momentum is put back".into(),
        Action::EnergyOfStart => "the energy is put back".into(),
    }
}

/// Rounds a fitted number to eight digits.
fn round(x: f64) -> f64 {
    format!("{x:.7e}").parse().unwrap_or(x)
}

/// Returns words for a condition.
fn words(condition: &Condition) -> String {
    match condition {
        Condition::Beyond {
            quantity,
            above,
            between,
        } => {
            let at = shortest(between.map(|x| in_unit(*quantity, x)));
            match (quantity, above) {
                (Quantity::Time, true) => format!("after t = {at} s"),
                (Quantity::Time, false) => format!("before t = {at} s"),
                (Quantity::Steps, true) => format!("after {at} steps"),
                (Quantity::Steps, false) => format!("in the first {at} steps"),
                (_, true) => format!(
                    "where {} is above {at}{}",
                    symbol(*quantity),
                    unit(*quantity)
                ),
                (_, false) => format!(
                    "where {} is below {at}{}",
                    symbol(*quantity),
                    unit(*quantity)
                ),
            }
        }
        Condition::EachSteps {
            period, phase: 0, ..
        } => format!("each {period} steps"),
        Condition::EachSteps { period, phase, .. } => {
            format!("each {period} steps, from step {phase} on")
        }
        Condition::EachTime { between, .. } => format!("each {} s", shortest(*between)),
        Condition::Once(step) => format!("in step {step} alone"),
    }
}

/// Returns the numbers by which a condition separates the rows.
fn parts(condition: &Condition) -> String {
    match condition {
        Condition::Beyond {
            quantity, between, ..
        } => {
            let [low, high] = between.map(|x| number(round(in_unit(*quantity, x))));
            format!(
                "the limit of {} is between {low} and {high}{}",
                symbol(*quantity),
                unit(*quantity)
            )
        }
        Condition::EachSteps {
            between: [a, b], ..
        } if a != b => {
            format!("a period of {a} to {b} steps parts them")
        }
        Condition::EachSteps { period, .. } => format!("a period of {period} steps parts them"),
        Condition::EachTime {
            between: [low, high],
            ..
        } => format!(
            "a period between {} and {} s parts them at each step",
            number(round(*low)),
            number(round(*high))
        ),
        Condition::Once(_) => "all others are those of the rule".into(),
    }
}

fn symbol(quantity: Quantity) -> String {
    const AXES: [&str; 3] = ["x", "y", "z"];
    match quantity {
        Quantity::Time => "t".into(),
        Quantity::Steps => "the number of steps".into(),
        Quantity::Rate => "|W|".into(),
        Quantity::Turn => "|W| h".into(),
        Quantity::LargestComponent => "the largest |Wi|".into(),
        Quantity::Component(i) => format!("|W{}|", i + 1),
        Quantity::Angle => "the angle of R".into(),
        Quantity::Elevation(space, body) => format!(
            "the angle of the body's {} axis to the plane normal to {} of space",
            AXES[body], AXES[space]
        ),
        Quantity::Height => "the height of the centre of mass".into(),
        Quantity::GyroscopicTorque => "|W × J W|".into(),
        Quantity::Energy => "the kinetic energy".into(),
        Quantity::EnergyChange => {
            "the change of the kinetic energy in a step, over the energy,".into()
        }
        Quantity::EnergyGain => "what a step adds to the kinetic energy, over the energy,".into(),
        Quantity::SmallestComponent => "the smallest |Wi|".into(),
        Quantity::RateChange => "the change of W in a step".into(),
        Quantity::Acceleration => "|W'|".into(),
        Quantity::Momentum => "|J W|".into(),
    }
}

fn unit(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Time => " s",
        Quantity::Steps | Quantity::EnergyChange | Quantity::EnergyGain => "",
        Quantity::Rate
        | Quantity::RateChange
        | Quantity::LargestComponent
        | Quantity::SmallestComponent
        | Quantity::Component(_) => " rad/s",
        Quantity::Acceleration => " rad/s²",
        Quantity::Turn => " rad",
        Quantity::Angle | Quantity::Elevation(..) => "°",
        Quantity::Height => " m",
        Quantity::GyroscopicTorque => " N m",
        Quantity::Energy => " J",
        Quantity::Momentum => " kg m²/s",
    }
}

fn in_unit(quantity: Quantity, x: f64) -> f64 {
    if unit(quantity) == "°" {
        x.to_degrees()
    } else {
        x
    }
}

/// Returns the number with the fewest digits between two, as their author would have written it.
fn shortest([low, high]: [f64; 2]) -> String {
    if low <= 0.0 && high >= 0.0 {
        return "0".into();
    }
    let middle = 0.5 * (low + high);
    let written = |digits: usize| -> Option<f64> {
        let x: f64 = format!("{middle:.digits$e}").parse().ok()?;
        (low..=high).contains(&x).then_some(x)
    };
    number((0..15).find_map(written).unwrap_or(middle))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_have_the_fewest_digits_that_the_rows_allow() {
        assert_eq!(shortest([9.98, 10.03]), "10");
        assert_eq!(shortest([-0.4612, -0.4597]), "-0.46");
        assert_eq!(shortest([1.0, 1.0]), "1");
        assert_eq!(shortest([-7e-5, 1e-4]), "0");
    }
}
