//! URDF. The format has no start, no gravity and no ball joint: the attitude at the start stands in the joint, which is of
//! the type `spherical` that Bullet and MuJoCo read, and the rest stands in comments. The root of a free body is its own
//! link.

use super::body::{ExportedBody, Pose, number, numbers, roll_pitch_yaw};
use super::xml::{self, Xml, element, empty};
use std::io;
use topsim_core::math::{Mat3, Vec3};

pub(super) fn write(body: &ExportedBody) -> String {
    let name = &*body.solid.posed.case;
    xml::document(&body.remarks(), |xml| {
        element(xml, "robot", &[("name", name)], |xml| {
            if body.solid.held {
                ball(xml, body)?;
            }
            for link in body.links() {
                if let Some(pose) = &link.pose {
                    fixed(xml, "body", &link.name, pose)?;
                }
                element(xml, "link", &[("name", &link.name)], |xml| {
                    element(xml, "inertial", &[], |xml| {
                        origin(xml, &link.inertial)?;
                        empty(xml, "mass", &[("value", &number(link.part.mass))])?;
                        let entries = link.part.entries();
                        let entries = entries.each_ref().map(|(name, x)| (*name, &**x));
                        empty(xml, "inertia", &entries)
                    })
                })?;
            }
            Ok(())
        })
    })
}

/// Writes the ball joint, and a link without mass where the frame of the body is not at the joint, as URDF has frames.
fn ball(xml: &mut Xml, body: &ExportedBody) -> io::Result<()> {
    let moved = body.anchor != Vec3::zeros();
    let child = if moved { "pivot" } else { "body" };
    empty(xml, "link", &[("name", "world")])?;
    let turned = Pose {
        position: Vec3::zeros(),
        axes: body.solid.attitude,
    };
    joint(xml, ["ball", "spherical", "world", child], &turned)?;
    if moved {
        empty(xml, "link", &[("name", "pivot")])?;
        let pose = Pose {
            position: -body.anchor,
            axes: Mat3::identity(),
        };
        fixed(xml, "pivot", "body", &pose)?;
    }
    Ok(())
}

fn fixed(xml: &mut Xml, parent: &str, child: &str, pose: &Pose) -> io::Result<()> {
    joint(xml, [&format!("to_{child}"), "fixed", parent, child], pose)
}

fn joint(xml: &mut Xml, [name, kind, parent, child]: [&str; 4], pose: &Pose) -> io::Result<()> {
    element(xml, "joint", &[("name", name), ("type", kind)], |xml| {
        empty(xml, "parent", &[("link", parent)])?;
        empty(xml, "child", &[("link", child)])?;
        origin(xml, pose)
    })
}

fn origin(xml: &mut Xml, pose: &Pose) -> io::Result<()> {
    let (place, turn) = (numbers(&pose.position), roll_pitch_yaw(&pose.axes));
    empty(xml, "origin", &[("xyz", &place), ("rpy", &numbers(&turn))])
}
