//! What the moving body looks like, from the numbers of its problem, and its start for people.

use crate::report::{Posed, words};
use nalgebra::SymmetricEigen;
use serde::Serialize;
use serde_json::Value;
use topsim_core::math::{Mat3, so3};
use topsim_core::models::{AnyTop, Inertia, Jointed, Model, RotState, Torque, TorqueModel};

/// A body: vectors in its frame.
#[derive(Serialize)]
pub(super) struct BodyData {
    /// J row by row, kg m²: about the fixed point, or the centre of mass.
    inertia: [f64; 9],
    /// Principal moments, in the order of the axes.
    moments: [f64; 3],
    /// Principal axes.
    axes: [[f64; 3]; 3],
    /// From the fixed point to the centre of mass, m.
    lever: Option<[f64; 3]>,
    /// Whether nothing acts on it.
    free: bool,
    /// Body rate at the start, rad/s.
    rate: [f64; 3],
}

/// A fact of the problem, for people.
pub(super) struct Fact {
    pub name: &'static str,
    pub value: String,
}

fn vector(v: impl Into<[f64; 3]>) -> String {
    let parts = v.into().map(words::number);
    format!("({})", parts.join(", "))
}

fn matrix(m: &Mat3) -> String {
    let rows = so3::rows(m);
    if rows
        .iter()
        .enumerate()
        .all(|(k, x)| k % 4 == 0 || *x == 0.0)
    {
        return format!("diag{}", vector([rows[0], rows[4], rows[8]]));
    }
    let rows: Vec<String> = rows.chunks(3).map(|r| vector([r[0], r[1], r[2]])).collect();
    rows.join(", ")
}

fn body(inertia: &Inertia, start: &RotState, lever: Option<[f64; 3]>, free: bool) -> BodyData {
    let tensor = inertia.tensor();
    // A diagonal tensor keeps the order of its axes.
    let (moments, axes) = if (tensor - Mat3::from_diagonal(&tensor.diagonal())).norm() == 0.0 {
        (tensor.diagonal(), Mat3::identity())
    } else {
        let found = SymmetricEigen::new(*tensor);
        (found.eigenvalues, found.eigenvectors)
    };
    BodyData {
        inertia: so3::rows(tensor),
        moments: moments.into(),
        axes: [0, 1, 2].map(|k| axes.column(k).into_owned().into()),
        lever,
        free,
        rate: start.omega.into(),
    }
}

fn of_top(top: &AnyTop) -> BodyData {
    let free = matches!(top.torque, TorqueModel::Free(_));
    let lever = top.torque.lever().map(|l| (*l).into());
    body(&top.inertia, &top.initial, lever, free)
}

fn of_jointed(jointed: &Jointed) -> BodyData {
    let top = jointed.top();
    let lever = jointed.lever().map(|l| (*l).into());
    let free = matches!(top.torque(), TorqueModel::Free(_));
    body(top.inertia(), top.start(), lever, free)
}

/// The body that is shown; of reduced ones only the axis is known.
pub(super) fn shown(posed: &Posed) -> Option<BodyData> {
    match &posed.model {
        Model::Top(top) => Some(of_top(top)),
        Model::Jointed(jointed) => Some(of_jointed(jointed)),
        Model::Reduced(_) | Model::GivenRate(_) => None,
    }
}

/// The body and its start in words.
pub(super) fn facts(posed: &Posed) -> Vec<Fact> {
    let mut out = Vec::new();
    let mut add = |name, value: String| out.push(Fact { name, value });
    let (inertia, start, torque) = match &posed.model {
        Model::Top(top) => (&top.inertia, &top.initial, Some(&top.torque)),
        Model::Jointed(jointed) => {
            add("Mass", format!("{} kg", jointed.mass()));
            if let Some(lever) = jointed.lever() {
                add("Joint to centre of mass", format!("{} m", vector(*lever)));
            }
            (
                jointed.inertia(),
                jointed.top().start(),
                Some(jointed.top().torque()),
            )
        }
        Model::Reduced(_) | Model::GivenRate(_) => return out,
    };
    add("Inertia", format!("{} kg m²", matrix(inertia.tensor())));
    if let Some(torque) = torque {
        add("Torque", self::torque(torque));
    }
    let turned = so3::log(&start.att);
    add(
        "Attitude at the start",
        match turned.norm() {
            0.0 => "not turned".into(),
            _ => format!("rotation vector {} rad", vector(turned)),
        },
    );
    add(
        "Body rate at the start",
        format!("{} rad/s", vector(start.omega)),
    );
    out
}

/// The formula of a torque and its numbers.
fn torque(model: &TorqueModel) -> String {
    let Ok(Value::Object(written)) = serde_json::to_value(model) else {
        return String::new();
    };
    let formula = written.get("formula").and_then(Value::as_str);
    let numbers = written
        .iter()
        .filter(|(key, _)| !["model", "formula"].contains(&key.as_str()));
    let numbers: Vec<String> = numbers
        .map(|(key, value)| format!("{key} = {}", plain(value)))
        .collect();
    let mut out = formula.unwrap_or_default().to_string();
    if !numbers.is_empty() {
        out += &format!("; {}", numbers.join(", "));
    }
    out
}

/// A number, or several in brackets.
fn plain(value: &Value) -> String {
    match value {
        Value::Array(all) => format!("({})", all.iter().map(plain).collect::<Vec<_>>().join(", ")),
        Value::Number(x) => x.as_f64().map_or(x.to_string(), words::number),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use topsim_case::Problem;

    fn posed(name: &str) -> Posed {
        Posed::of(&Problem::builtin(name).unwrap()).unwrap()
    }

    #[test]
    fn the_heavy_top_stands_on_its_lever() {
        let posed = posed("heavy_top");
        let body = shown(&posed).unwrap();
        assert_eq!(body.moments, [5.0, 5.0, 1.0]);
        assert!(body.lever == Some([0.0, 0.0, 1.0]) && !body.free);
        let facts = facts(&posed);
        let of = |name| facts.iter().find(|f| f.name == name).map(|f| &*f.value);
        assert_eq!(of("Inertia"), Some("diag(5, 5, 1) kg m²"));
        assert_eq!(of("Body rate at the start"), Some("(0, 0, 50) rad/s"));
        assert!(of("Torque").unwrap().contains("weight"));
    }

    #[test]
    fn a_free_body_has_no_lever_and_a_reduced_one_is_not_shown() {
        let free = shown(&posed("t_handle")).unwrap();
        assert!(free.free && free.lever.is_none());
        assert!(shown(&posed("levitron_orbit")).is_none());
    }
}
