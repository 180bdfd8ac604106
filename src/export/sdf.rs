//! SDFormat: a world with gravity and a model, whose pose is the start. A rate would stand in `<state>`, which Gazebo has
//! stopped to read and Drake refuses: it stands in a comment.

use super::body::{Inertial, Model, list, numbers, roll_pitch_yaw};
use super::xml::Element;
use topsim_core::math::{Mat3, Vec3};

pub(super) fn write(model: &Model) -> String {
    let body = model.body;
    let (position, _) = model.origin();
    let name = &*body.posed.case;
    let (first, others) = model
        .inertials
        .split_first()
        .expect("a body has an inertia");
    let mut placed = Element::new("model").with("name", name).holding([
        pose(&position, &body.attitude),
        link("body", None, inertial(&first.position, &first.axes, first)),
    ]);
    for (k, part) in others.iter().enumerate() {
        let name = format!("part{}", k + 2);
        let at = pose(&part.position, &part.axes).with("relative_to", "body");
        let own = inertial(&Vec3::zeros(), &Mat3::identity(), part);
        placed = placed.holding([
            link(&name, Some(at), own),
            joint(&format!("to_{name}"), "fixed", "body", &name),
        ]);
    }
    if body.is_held() {
        let at = pose(&model.anchor, &Mat3::identity());
        placed = placed.holding([joint("ball", "ball", "world", "body").holding([at])]);
    }
    let world = Element::new("world")
        .with("name", "space")
        .holding([Element::new("gravity").text(numbers(&body.gravity)), placed]);
    let root = Element::new("sdf").with("version", "1.8").holding([world]);
    root.below(model.remarks()).document()
}

fn link(name: &str, at: Option<Element>, inertial: Element) -> Element {
    Element::new("link")
        .with("name", name)
        .holding(at)
        .holding([inertial])
}

fn joint(name: &str, kind: &str, parent: &str, child: &str) -> Element {
    Element::new("joint")
        .with("name", name)
        .with("type", kind)
        .holding([
            Element::new("parent").text(parent),
            Element::new("child").text(child),
        ])
}

fn pose(position: &Vec3, axes: &Mat3) -> Element {
    Element::new("pose").text(format!(
        "{} {}",
        numbers(position),
        numbers(&roll_pitch_yaw(axes))
    ))
}

fn inertial(position: &Vec3, axes: &Mat3, inertial: &Inertial) -> Element {
    let j = &inertial.tensor;
    let entries = [
        ("ixx", (0, 0)),
        ("ixy", (0, 1)),
        ("ixz", (0, 2)),
        ("iyy", (1, 1)),
        ("iyz", (1, 2)),
        ("izz", (2, 2)),
    ];
    let entries = entries.map(|(name, at)| Element::new(name).text(list(&[j[at]])));
    Element::new("inertial").holding([
        pose(position, axes),
        Element::new("mass").text(list(&[inertial.mass])),
        Element::new("inertia").holding(entries),
    ])
}
