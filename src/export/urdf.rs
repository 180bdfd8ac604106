//! URDF. It has no start, no gravity and no ball joint: the attitude at the start stands in the joint, which is of the type
//! `spherical` that Bullet and MuJoCo read, and the rest in comments. The root of a free body is its own link.

use super::body::{Inertial, Model, list, numbers, roll_pitch_yaw};
use super::xml::Element;
use topsim_core::math::{Mat3, Vec3};

pub(super) fn write(model: &Model) -> String {
    let (first, others) = model
        .inertials
        .split_first()
        .expect("a body has an inertia");
    let mut root = Element::new("robot")
        .with("name", &*model.body.posed.case)
        .below(model.remarks());
    if model.body.is_held() {
        root = root.holding(held(model));
    }
    root = root.holding([link("body", inertial(&first.position, &first.axes, first))]);
    for (k, part) in others.iter().enumerate() {
        let name = format!("part{}", k + 2);
        let own = inertial(&Vec3::zeros(), &Mat3::identity(), part);
        root = root.holding([
            fixed("body", &name, &part.position, &part.axes),
            link(&name, own),
        ]);
    }
    root.document()
}

/// The joint, and a link without mass where the frame of the body is not at the joint, as URDF has frames.
fn held(model: &Model) -> Vec<Element> {
    let moved = model.anchor != Vec3::zeros();
    let child = if moved { "pivot" } else { "body" };
    let mut all = vec![
        Element::new("link").with("name", "world"),
        joint(
            "ball",
            "spherical",
            "world",
            child,
            &Vec3::zeros(),
            &model.body.attitude,
        ),
    ];
    if moved {
        all.push(Element::new("link").with("name", "pivot"));
        all.push(fixed("pivot", "body", &-model.anchor, &Mat3::identity()));
    }
    all
}

fn link(name: &str, inertial: Element) -> Element {
    Element::new("link").with("name", name).holding([inertial])
}

fn fixed(parent: &str, child: &str, position: &Vec3, axes: &Mat3) -> Element {
    joint(
        &format!("to_{child}"),
        "fixed",
        parent,
        child,
        position,
        axes,
    )
}

fn joint(
    name: &str,
    kind: &str,
    parent: &str,
    child: &str,
    position: &Vec3,
    axes: &Mat3,
) -> Element {
    Element::new("joint")
        .with("name", name)
        .with("type", kind)
        .holding([
            Element::new("parent").with("link", parent),
            Element::new("child").with("link", child),
            origin(position, axes),
        ])
}

fn origin(position: &Vec3, axes: &Mat3) -> Element {
    Element::new("origin")
        .with("xyz", numbers(position))
        .with("rpy", numbers(&roll_pitch_yaw(axes)))
}

fn inertial(position: &Vec3, axes: &Mat3, inertial: &Inertial) -> Element {
    let j = &inertial.tensor;
    let mut inertia = Element::new("inertia");
    for (name, at) in [
        ("ixx", (0, 0)),
        ("ixy", (0, 1)),
        ("ixz", (0, 2)),
        ("iyy", (1, 1)),
        ("iyz", (1, 2)),
        ("izz", (2, 2)),
    ] {
        inertia = inertia.with(name, list(&[j[at]]));
    }
    Element::new("inertial").holding([
        origin(position, axes),
        Element::new("mass").with("value", list(&[inertial.mass])),
        inertia,
    ])
}
