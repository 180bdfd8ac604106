//! SDFormat: a world with gravity and a model, whose pose is the start. The place for a rate is `<state>`, which Gazebo no
//! longer reads and Drake refuses, so the rate stands in a comment.

use super::body::{ExportedBody, Pose, number, numbers, roll_pitch_yaw};
use super::xml::{self, Xml, element, text};
use std::io;
use topsim_core::math::Mat3;

pub(super) fn write(body: &ExportedBody) -> String {
    xml::document(&body.remarks(), |xml| {
        element(xml, "sdf", &[("version", "1.8")], |xml| {
            element(xml, "world", &[("name", "space")], |xml| {
                text(xml, "gravity", &[], &numbers(&body.solid.gravity))?;
                model(xml, body)
            })
        })
    })
}

fn model(xml: &mut Xml, body: &ExportedBody) -> io::Result<()> {
    let start = Pose {
        position: body.origin().0,
        axes: body.solid.attitude,
    };
    element(xml, "model", &[("name", &body.solid.posed.case)], |xml| {
        text(xml, "pose", &[], &words(&start))?;
        for link in body.links() {
            element(xml, "link", &[("name", &link.name)], |xml| {
                if let Some(pose) = &link.pose {
                    text(xml, "pose", &[("relative_to", "body")], &words(pose))?;
                }
                element(xml, "inertial", &[], |xml| {
                    text(xml, "pose", &[], &words(&link.inertial))?;
                    text(xml, "mass", &[], &number(link.part.mass))?;
                    element(xml, "inertia", &[], |xml| {
                        let entries = link.part.entries();
                        entries
                            .iter()
                            .try_for_each(|(name, x)| text(xml, name, &[], x))
                    })
                })
            })?;
            if link.pose.is_some() {
                let name = format!("to_{}", link.name);
                joint(xml, [&name, "fixed", "body", &link.name], None)?;
            }
        }
        if body.solid.held {
            let anchor = Pose {
                position: body.anchor,
                axes: Mat3::identity(),
            };
            joint(xml, ["ball", "ball", "world", "body"], Some(&anchor))?;
        }
        Ok(())
    })
}

fn joint(
    xml: &mut Xml,
    [name, kind, parent, child]: [&str; 4],
    pose: Option<&Pose>,
) -> io::Result<()> {
    element(xml, "joint", &[("name", name), ("type", kind)], |xml| {
        text(xml, "parent", &[], parent)?;
        text(xml, "child", &[], child)?;
        pose.map_or(Ok(()), |pose| text(xml, "pose", &[], &words(pose)))
    })
}

fn words(pose: &Pose) -> String {
    let (place, turn) = (&pose.position, roll_pitch_yaw(&pose.axes));
    format!("{} {}", numbers(place), numbers(&turn))
}
