//! MJCF: the start is a keyframe. MuJoCo makes the inertia of parts from boxes with a mass.

use super::InertiaForm;
use super::body::{ExportedBody, InertialPart, list, number, numbers, quaternion};
use super::xml::{self, Xml, element, empty};
use std::io;

pub(super) fn write(body: &ExportedBody) -> String {
    let solid = body.solid;
    let start = &solid.posed.initial;
    let (position, velocity) = body.origin();
    // Rates of ball and free joints are in the frame of the body, velocities in that of space.
    let (mut qpos, mut qvel) = (Vec::new(), Vec::new());
    if !solid.held {
        qpos.extend_from_slice(position.as_slice());
        qvel.extend_from_slice(velocity.as_slice());
    }
    qpos.extend(start.quaternion);
    qvel.extend(start.angular_velocity_body);
    let (step, gravity) = (number(solid.posed.step), numbers(&solid.gravity));
    let (place, anchor) = (numbers(&-body.anchor), numbers(&body.anchor));
    xml::document(&body.remarks(), |xml| {
        element(xml, "mujoco", &[("model", &solid.posed.case)], |xml| {
            if body.form != InertiaForm::Parts {
                // The body has no geometry.
                empty(xml, "compiler", &[("inertiafromgeom", "false")])?;
            }
            empty(xml, "option", &[("timestep", &step), ("gravity", &gravity)])?;
            element(xml, "worldbody", &[], |xml| {
                element(xml, "body", &[("name", "body"), ("pos", &place)], |xml| {
                    if solid.held {
                        let ball = [("name", "ball"), ("type", "ball"), ("pos", &*anchor)];
                        empty(xml, "joint", &ball)?;
                    } else {
                        empty(xml, "freejoint", &[("name", "free")])?;
                    }
                    let mut parts = body.parts.iter();
                    parts.try_for_each(|part| inertia(xml, body.form, part))
                })
            })?;
            element(xml, "keyframe", &[], |xml| {
                let (qpos, qvel) = (list(&qpos), list(&qvel));
                let key = [("name", "start"), ("qpos", &*qpos), ("qvel", &*qvel)];
                empty(xml, "key", &key)
            })
        })
    })
}

fn inertia(xml: &mut Xml, form: InertiaForm, part: &InertialPart) -> io::Result<()> {
    let (moments, axes) = part.principal();
    let (place, mass) = (numbers(&part.pose.position), number(part.mass));
    let (turn, moments) = (list(&quaternion(&axes)), numbers(&moments));
    let mut attributes = vec![("pos", &*place), ("mass", &*mass)];
    let (halves, full);
    let name = match form {
        InertiaForm::Parts => {
            halves = numbers(&(part.edges() * 0.5));
            attributes.extend([("type", "box"), ("quat", &turn), ("size", &halves)]);
            "geom"
        }
        InertiaForm::Principal => {
            attributes.extend([("quat", &*turn), ("diaginertia", &moments)]);
            "inertial"
        }
        InertiaForm::Full | InertiaForm::Shifted => {
            let entries = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
            full = list(&entries.map(|at| part.tensor[at]));
            attributes.push(("fullinertia", &full));
            "inertial"
        }
    };
    empty(xml, name, &attributes)
}
