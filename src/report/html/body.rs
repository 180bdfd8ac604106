//! The moving body as the page draws it, from the numbers of its problem, and the facts of the problem as text.

use super::torque::torque;
use crate::run::ProblemSummary;
use crate::text;
use nalgebra::SymmetricEigen;
use serde::Serialize;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::{Inertia, Model, RotState, Torque, TorqueModel};

/// A body as the script draws it; all vectors are in the body frame.
#[derive(Serialize)]
pub(super) struct BodyData {
    /// Inertia J row by row, about the fixed point or the centre of mass, kg m².
    inertia: [f64; 9],
    /// Principal moments of inertia, in the order of the axes, kg m².
    moments: [f64; 3],
    /// Principal axes.
    axes: [[f64; 3]; 3],
    /// Vector from the fixed point to the centre of mass, m.
    lever: Option<[f64; 3]>,
    /// True if no torque acts on the body.
    free: bool,
    /// Body rate at the start, rad/s.
    rate: [f64; 3],
    /// Axis of a rotor in the body, as a unit vector.
    rotor: Option<[f64; 3]>,
}

/// A time, an attitude, and a body rate where it is known.
pub(super) type MotionState = (f64, Mat3, Option<Vec3>);

/// Returns the spatial angular momenta at the states, three numbers each, if they differ from R J W: a rotor has momentum of
/// its own, and an inertia may change with time.
pub(super) fn total_momenta(model: &Model, states: &[MotionState]) -> Option<Vec<f64>> {
    let (inertia, torque) = match model {
        Model::Top(top) => (&top.inertia, &top.torque),
        Model::Jointed(jointed) => (jointed.top().inertia(), jointed.top().torque()),
        Model::Reduced(_) | Model::GivenRate(_) => return None,
    };
    let mut own = false;
    let momentum = |(t, att, rate): &MotionState| {
        let Some(rate) = rate else {
            return [f64::NAN; 3];
        };
        let of_body = inertia.times(rate);
        let whole = torque.whole_momentum(*t, of_body);
        own |= whole != of_body;
        (att * whole).into()
    };
    let momenta = states.iter().flat_map(momentum).collect();
    own.then_some(momenta)
}

/// A named fact of the problem, for readers.
pub(super) struct Fact {
    pub name: &'static str,
    pub value: String,
}

fn vector(v: impl Into<[f64; 3]>) -> String {
    let parts = v.into().map(text::number);
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

fn body(inertia: &Inertia, start: &RotState, torque: &TorqueModel, span: [f64; 2]) -> BodyData {
    // A motor may have the rotor at rest at the start, so the end of the span is looked at too.
    let rotor = span.map(|t| torque.whole_momentum(t, Vec3::zeros()));
    let rotor = rotor.into_iter().find_map(|h| h.try_normalize(0.0));
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
        lever: torque.lever().map(|l| (*l).into()),
        free: matches!(torque, TorqueModel::NoTorque(_)),
        rate: start.omega.into(),
        rotor: rotor.map(Into::into),
    }
}

/// Returns the body to draw; there is none for a reduced model, of which only the axis is known.
pub(super) fn body_data(posed: &ProblemSummary) -> Option<BodyData> {
    match &posed.model {
        Model::Top(top) => Some(body(&top.inertia, &top.initial, &top.torque, posed.span)),
        Model::Jointed(jointed) => {
            let top = jointed.top();
            let body = body(top.inertia(), top.start(), top.torque(), posed.span);
            let lever = jointed.lever().map(|l| (*l).into());
            Some(BodyData { lever, ..body })
        }
        Model::Reduced(_) | Model::GivenRate(_) => None,
    }
}

/// Returns the facts about the body, its torque and its start.
pub(super) fn facts(posed: &ProblemSummary) -> Vec<Fact> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use topsim_case::Problem;

    fn posed(name: &str) -> ProblemSummary {
        ProblemSummary::of(&Problem::builtin(name).unwrap()).unwrap()
    }

    #[test]
    fn the_heavy_top_stands_on_its_lever() {
        let posed = posed("heavy_top");
        let body = body_data(&posed).unwrap();
        assert_eq!(body.moments, [5.0, 5.0, 1.0]);
        assert!(body.lever == Some([0.0, 0.0, 1.0]) && !body.free);
        let facts = facts(&posed);
        let of = |name| facts.iter().find(|f| f.name == name).map(|f| &*f.value);
        assert_eq!(of("Inertia"), Some("diag(5, 5, 1) kg m²"));
        assert_eq!(of("Body rate at the start"), Some("(0, 0, 50) rad/s"));
        assert!(of("Torque").unwrap().contains("weight"));
    }

    #[test]
    fn a_rotor_has_momentum_of_its_own() {
        let rotor = posed("gyrostat_heavy");
        assert_eq!(body_data(&rotor).unwrap().rotor, Some([0.0, 0.0, 1.0]));
        let Model::Top(top) = &rotor.model else {
            panic!("a top");
        };
        let start = &top.initial;
        let states = [(0.0, start.att, Some(start.omega))];
        let found = total_momenta(&rotor.model, &states).unwrap();
        // R (J W + h) with J = diag(2, 2, 1.3) and h = (0, 0, 2).
        let whole = start.att * Vec3::new(1.6, 1.2, 0.65 + 2.0);
        assert!((Vec3::from_row_slice(&found) - whole).norm() < 1e-14);
        assert!(total_momenta(&posed("heavy_top").model, &states).is_none());
    }

    #[test]
    fn a_free_body_has_no_lever_and_a_reduced_one_is_not_shown() {
        let free = body_data(&posed("t_handle")).unwrap();
        assert!(free.free && free.lever.is_none());
        assert!(body_data(&posed("levitron_orbit")).is_none());
    }
}
