//! MJCF: the start is a keyframe. MuJoCo makes the inertia of parts from boxes with a mass.

use super::Form;
use super::body::{Inertial, Model, list, numbers, quaternion};
use super::xml::Element;

pub(super) fn write(model: &Model) -> String {
    let body = model.body;
    let start = &body.posed.initial;
    let (position, velocity) = model.origin();
    let held = body.is_held();
    let joint = match held {
        true => Element::new("joint")
            .with("name", "ball")
            .with("type", "ball")
            .with("pos", numbers(&model.anchor)),
        false => Element::new("freejoint").with("name", "free"),
    };
    // Rates of ball and free joints are in the body's frame, velocities in that of space.
    let (mut qpos, mut qvel) = (Vec::new(), Vec::new());
    if !held {
        qpos.extend_from_slice(position.as_slice());
        qvel.extend_from_slice(velocity.as_slice());
    }
    qpos.extend(start.quaternion);
    qvel.extend(start.angular_velocity_body);
    let inertia = model.inertials.iter().map(|i| inertia(model.form, i));
    let placed = Element::new("body")
        .with("name", "body")
        .with("pos", numbers(&-model.anchor))
        .holding([joint])
        .holding(inertia);
    let option = Element::new("option")
        .with("timestep", list(&[body.posed.step]))
        .with("gravity", numbers(&body.gravity));
    let key = Element::new("key")
        .with("name", "start")
        .with("qpos", list(&qpos))
        .with("qvel", list(&qvel));
    let mut root = Element::new("mujoco").with("model", &*body.posed.case);
    if model.form != Form::Parts {
        // A body without geometry.
        root = root.holding([Element::new("compiler").with("inertiafromgeom", "false")]);
    }
    root.below(model.remarks())
        .holding([
            option,
            Element::new("worldbody").holding([placed]),
            Element::new("keyframe").holding([key]),
        ])
        .document()
}

fn inertia(form: Form, inertial: &Inertial) -> Element {
    let Inertial {
        mass,
        position,
        tensor: j,
        ..
    } = inertial;
    let (moments, axes) = inertial.principal();
    let name = if form == Form::Parts {
        "geom"
    } else {
        "inertial"
    };
    let element = Element::new(name)
        .with("pos", numbers(position))
        .with("mass", list(&[*mass]));
    match form {
        Form::Principal => element
            .with("quat", list(&quaternion(&axes)))
            .with("diaginertia", numbers(&moments)),
        Form::Parts => element
            .with("type", "box")
            .with("quat", list(&quaternion(&axes)))
            .with("size", numbers(&(inertial.edges() * 0.5))),
        Form::Full | Form::Shifted => {
            let all = [
                j[(0, 0)],
                j[(1, 1)],
                j[(2, 2)],
                j[(0, 1)],
                j[(0, 2)],
                j[(1, 2)],
            ];
            element.with("fullinertia", list(&all))
        }
    }
}
