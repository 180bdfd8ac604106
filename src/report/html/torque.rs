//! The torque of a body as text: its formula, and its numbers with their units.

use crate::text;
use serde_json::{Map, Value};
use topsim_core::models::TorqueModel;

/// Returns the formula of a torque and its numbers. For a torque that topsim does not know, the text of its author takes the
/// place of the formula.
pub(super) fn torque(model: &TorqueModel) -> String {
    let Ok(Value::Object(mut written)) = serde_json::to_value(model) else {
        return String::new();
    };
    let formula = written.remove("formula");
    written.remove("model");
    let mut out = match (model, written.remove("text"), formula) {
        (TorqueModel::Opaque(_), Some(Value::String(text)), _) => text,
        (.., Some(Value::String(formula))) => formula,
        _ => String::new(),
    };
    let numbers = numbers(model, &written);
    if !numbers.is_empty() {
        out += &format!("; {}", numbers.join(", "));
    }
    out
}

/// Returns the numbers that are not empty, each with its key and unit.
fn numbers(model: &TorqueModel, written: &Map<String, Value>) -> Vec<String> {
    let mut out = Vec::new();
    for (key, value) in written {
        match value {
            Value::Array(all) if all.is_empty() => {}
            Value::Object(inner) => out.extend(numbers(model, inner)),
            value => {
                let unit = unit(model, key).filter(|unit| !unit.is_empty());
                let unit = unit.map_or(String::new(), |unit| format!("\u{a0}{unit}"));
                out.push(format!("{key} = {}{unit}", value_text(value)));
            }
        }
    }
    out
}

/// Returns the unit of a number of a torque; `None` for an unknown key.
fn unit(model: &TorqueModel, key: &str) -> Option<&'static str> {
    let rotor = matches!(model, TorqueModel::Gyrostat(_));
    let damping = matches!(model, TorqueModel::AxisDamping(_));
    Some(match key {
        "weight" => "N",
        "lever" => "m",
        "rate" | "rates" | "medium" => "rad/s",
        "phase" | "phases" => "rad",
        "from" | "until" | "times" => "s",
        "linear" => "1/s",
        "quadratic" => "1/(kg\u{a0}m²)",
        "amplitude" if matches!(model, TorqueModel::BreathingInertia(_)) => "",
        "polynomial" if rotor => "kg\u{a0}m²/s, by powers of s",
        "amplitudes" if rotor => "kg\u{a0}m²/s",
        "momenta" => "kg\u{a0}m²/s",
        "polynomial" if damping => "N\u{a0}m\u{a0}s, by powers of s",
        "amplitudes" if damping => "N\u{a0}m\u{a0}s",
        "polynomial" => "N\u{a0}m, by powers of s",
        "torque" | "torques" | "amplitude" | "amplitudes" => "N\u{a0}m",
        "pull" => "J",
        "rest" | "up" | "magnet" | "radial" | "normal" | "frame" | "interpolation" => "",
        _ => return None,
    })
}

/// Formats a number, a text, or several of them in brackets.
fn value_text(value: &Value) -> String {
    match value {
        Value::Array(all) => format!(
            "({})",
            all.iter().map(value_text).collect::<Vec<_>>().join(", ")
        ),
        Value::Number(x) => x.as_f64().map_or(x.to_string(), text::number),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use topsim_case::{Problem, builtin};
    use topsim_core::models::Model;

    fn models() -> impl Iterator<Item = (&'static str, TorqueModel)> {
        builtin::BUILTIN.iter().filter_map(|case| {
            let problem = Problem::builtin(case.name).unwrap();
            match &problem.model {
                Model::Top(top) => Some((case.name, top.torque.clone())),
                Model::Jointed(jointed) => Some((case.name, jointed.top().torque().clone())),
                Model::Reduced(_) | Model::GivenRate(_) => None,
            }
        })
    }

    #[test]
    fn every_number_of_a_built_in_case_has_a_known_unit() {
        fn known(model: &TorqueModel, written: &Map<String, Value>) -> bool {
            written.iter().all(|(key, value)| match value {
                Value::Object(inner) => known(model, inner),
                _ => ["model", "formula"].contains(&&**key) || unit(model, key).is_some(),
            })
        }
        for (name, model) in models() {
            let Ok(Value::Object(written)) = serde_json::to_value(&model) else {
                panic!("{name}");
            };
            assert!(known(&model, &written), "{name}: {written:?}");
        }
    }

    #[test]
    fn what_is_empty_is_left_out() {
        let of = |wanted| models().find(|(name, _)| *name == wanted).unwrap().1;
        let text = torque(&of("gyrostat_heavy"));
        assert!(!text.contains("= ()"), "{text}");
        assert!(
            text.ends_with(
                "; lever = (0, 0, 0.4)\u{a0}m, polynomial = ((0, 0, 2))\u{a0}kg\u{a0}m²/s, by powers of s, \
                 up = (0, 0, 1), weight = 3\u{a0}N"
            ),
            "{text}"
        );
    }
}
