//! `topsim export`: the files, read back here by another way than they were written, say the body and the start of the case.

use crate::support::{Folder, SMALL};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use serde_json::Value;
use std::collections::BTreeMap;

type Mat3 = Matrix3<f64>;
type Vec3 = Vector3<f64>;

/// A mass: kg, m, kg m² about its centre; in the frame of the file's body.
type Mass = (f64, Vec3, Mat3);

/// What a file says.
#[derive(Default)]
struct Read {
    masses: Vec<Mass>,
    /// The fixed point in the frame of the body.
    anchor: Option<Vec3>,
    attitude: Option<Mat3>,
    rate_body: Option<Vec3>,
    rate_space: Option<Vec3>,
    /// Of the origin of the frame.
    velocity: Option<Vec3>,
    position: Option<Vec3>,
    gravity: Option<Vec3>,
}

fn numbers(text: &str) -> Vec<f64> {
    let words = text.split(|c: char| c.is_whitespace() || "(),".contains(c));
    let words = words.filter(|w| !w.is_empty());
    words
        .map(|w| w.parse().unwrap_or_else(|_| panic!("{w} in {text}")))
        .collect()
}

fn vector(text: &str) -> Vec3 {
    Vec3::from_column_slice(&numbers(text))
}

/// Scalar first.
fn quaternion(text: &str) -> Mat3 {
    let [w, x, y, z] = numbers(text)[..] else {
        panic!("{text}")
    };
    assert!(
        (w * w + x * x + y * y + z * z - 1.0).abs() < 1e-14,
        "{text}"
    );
    *UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z))
        .to_rotation_matrix()
        .matrix()
}

/// R = Rz Ry Rx.
fn angles(text: &str) -> Mat3 {
    let a = vector(text);
    *nalgebra::Rotation3::from_euler_angles(a.x, a.y, a.z).matrix()
}

/// Elements of an XML file in their order, an end as `/name`: name, attributes, text.
fn elements(text: &str) -> Vec<(String, BTreeMap<String, String>, String)> {
    let mut out = Vec::new();
    let parts = text
        .split('<')
        .skip(1)
        .filter(|p| !p.starts_with(['!', '?']));
    for part in parts {
        let (tag, after) = part.split_once('>').unwrap();
        let closed = tag.ends_with('/');
        let tag = tag.trim_end_matches('/');
        let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut attributes = BTreeMap::new();
        while let Some((key, value)) = rest.split_once("=\"") {
            let (value, more) = value.split_once('"').unwrap();
            attributes.insert(key.trim().to_string(), value.to_string());
            rest = more;
        }
        out.push((name.to_string(), attributes, after.trim().to_string()));
        if closed {
            out.push((format!("/{name}"), BTreeMap::new(), String::new()));
        }
    }
    out
}

fn tensor(a: &[f64; 6]) -> Mat3 {
    let [xx, xy, xz, yy, yz, zz] = *a;
    Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
}

fn turned(axes: &Mat3, tensor: &Mat3) -> Mat3 {
    axes * tensor * axes.transpose()
}

/// Solid box, by its edges.
fn solid(mass: f64, edges: &Vec3) -> Mat3 {
    let s = edges.component_mul(edges) * (mass / 12.0);
    Mat3::from_diagonal(&Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y))
}

fn mjcf(text: &str) -> Read {
    let mut read = Read::default();
    let mut held = false;
    for (name, of, _) in elements(text) {
        let one = |key: &str| of[key].parse::<f64>().unwrap();
        match &*name {
            "joint" => {
                assert_eq!(of["type"], "ball");
                read.anchor = Some(vector(&of["pos"]));
                held = true;
            }
            "body" => read.position = Some(vector(&of["pos"])),
            "inertial" => {
                let about = match of.get("fullinertia") {
                    Some(full) => {
                        let a = numbers(full);
                        tensor(&[a[0], a[3], a[4], a[1], a[5], a[2]])
                    }
                    None => turned(
                        &quaternion(&of["quat"]),
                        &Mat3::from_diagonal(&vector(&of["diaginertia"])),
                    ),
                };
                read.masses.push((one("mass"), vector(&of["pos"]), about));
            }
            "geom" => {
                let about = solid(one("mass"), &(vector(&of["size"]) * 2.0));
                let axes = quaternion(&of["quat"]);
                read.masses
                    .push((one("mass"), vector(&of["pos"]), turned(&axes, &about)));
            }
            "option" => read.gravity = Some(vector(&of["gravity"])),
            "key" => {
                let (q, v) = (numbers(&of["qpos"]), numbers(&of["qvel"]));
                let text =
                    |all: &[f64]| all.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
                read.attitude = Some(quaternion(&text(&q[q.len() - 4..])));
                read.rate_body = Some(vector(&text(&v[v.len() - 3..])));
                if !held {
                    read.position = Some(vector(&text(&q[..3])));
                    read.velocity = Some(vector(&text(&v[..3])));
                }
            }
            _ => {}
        }
    }
    if held {
        // The frame turns about the anchor.
        let place = read.position.unwrap() + read.anchor.unwrap();
        assert!(place.norm() < 1e-15);
        read.position = None;
    }
    read
}

/// Links, joints and poses of URDF and SDFormat.
fn links(text: &str, sdf: bool) -> Read {
    let mut read = Read::default();
    // Frame of a link in that of the body.
    let mut frames: BTreeMap<String, (Vec3, Mat3)> = BTreeMap::new();
    let mut inertials: Vec<(String, Vec3, Mat3, f64, Mat3)> = Vec::new();
    let (mut within, mut link, mut parent, mut child, mut kind) = (
        Vec::<String>::new(),
        String::new(),
        String::new(),
        String::new(),
        String::new(),
    );
    let (mut place, mut entries) = ((Vec3::zeros(), Mat3::identity()), Vec::new());
    let mut mass = 0.0;
    let mut held = None;
    for (name, of, text) in elements(text) {
        let up = within.last().cloned().unwrap_or_default();
        match &*name {
            "link" => link = of["name"].clone(),
            "joint" => {
                kind = of["type"].clone();
                place = (Vec3::zeros(), Mat3::identity());
            }
            "parent" => {
                parent = if sdf {
                    text.clone()
                } else {
                    of["link"].clone()
                }
            }
            "child" => {
                child = if sdf {
                    text.clone()
                } else {
                    of["link"].clone()
                }
            }
            "gravity" => read.gravity = Some(vector(&text)),
            "origin" => place = (vector(&of["xyz"]), angles(&of["rpy"])),
            "pose" => {
                let all = numbers(&text);
                let turn = *nalgebra::Rotation3::from_euler_angles(all[3], all[4], all[5]).matrix();
                place = (Vec3::from_column_slice(&all[..3]), turn);
                match &*up {
                    "model" => (read.position, read.attitude) = (Some(place.0), Some(turn)),
                    "link" => {
                        assert_eq!(of["relative_to"], "body");
                        frames.insert(link.clone(), place);
                    }
                    _ => {}
                }
            }
            "mass" => mass = if sdf { &text } else { &of["value"] }.parse().unwrap(),
            "ixx" | "ixy" | "ixz" | "iyy" | "iyz" | "izz" => entries.push(text.parse().unwrap()),
            "inertia" if !sdf => {
                let names = ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"];
                entries = names.iter().map(|n| of[*n].parse().unwrap()).collect();
            }
            "/inertial" => {
                let about = tensor(&std::mem::take(&mut entries).try_into().unwrap());
                inertials.push((link.clone(), place.0, place.1, mass, about));
            }
            "/joint" => match &*kind {
                "fixed" if !sdf => {
                    frames.insert(child.clone(), place);
                    if parent == "pivot" {
                        // The body is the child: its frame is the one wanted.
                        assert_eq!(place.1, Mat3::identity());
                        held = Some(-place.0);
                        frames.remove(&child);
                    }
                }
                "fixed" => assert_eq!(parent, "body"),
                "spherical" => {
                    read.attitude = Some(place.1);
                    held = held.or(Some(Vec3::zeros()));
                }
                "ball" => held = Some(place.0),
                other => panic!("{other}"),
            },
            _ => {}
        }
        match name.strip_prefix('/') {
            Some(_) => drop(within.pop()),
            None => within.push(name),
        }
    }
    for (link, position, axes, mass, about) in inertials {
        let (origin, turn) = frames
            .get(&link)
            .copied()
            .unwrap_or((Vec3::zeros(), Mat3::identity()));
        read.masses.push((
            mass,
            origin + turn * position,
            turned(&(turn * axes), &about),
        ));
    }
    read.anchor = held;
    read
}

fn usda(text: &str) -> Read {
    let mut read = Read::default();
    let mut of: BTreeMap<String, String> = BTreeMap::new();
    let take = |of: &BTreeMap<String, String>, read: &mut Read| {
        let Some(mass) = of.get("physics:mass") else {
            return;
        };
        let mass: f64 = mass.parse().unwrap();
        read.masses.push(match of.get("xformOp:scale") {
            Some(edges) => {
                let about = turned(
                    &quaternion(&of["xformOp:orient"]),
                    &solid(mass, &vector(edges)),
                );
                (mass, vector(&of["xformOp:translate"]), about)
            }
            None => {
                let moments = Mat3::from_diagonal(&vector(&of["physics:diagonalInertia"]));
                let about = turned(&quaternion(&of["physics:principalAxes"]), &moments);
                (mass, vector(&of["physics:centerOfMass"]), about)
            }
        });
    };
    for line in text.lines().map(str::trim).filter(|l| !l.starts_with('#')) {
        if let Some((key, value)) = line.split_once(" = ") {
            let key = key.rsplit(' ').next().unwrap();
            of.insert(key.into(), value.into());
            if key == "physics:angularVelocity" {
                read.attitude = Some(quaternion(&of["xformOp:orient"]));
                read.position = Some(vector(&of["xformOp:translate"]));
                read.velocity = Some(vector(&of["physics:velocity"]));
                read.rate_space = Some(vector(value).map(f64::to_radians));
            }
        } else if line == "}" {
            take(&of, &mut read);
            of.remove("physics:mass");
        }
    }
    let size: f64 = of["physics:gravityMagnitude"].parse().unwrap();
    read.gravity = Some(vector(&of["physics:gravityDirection"]) * size);
    read.anchor = of.get("physics:localPos1").map(|text| vector(text));
    read
}

fn close<const R: usize, const C: usize>(
    a: nalgebra::SMatrix<f64, R, C>,
    b: nalgebra::SMatrix<f64, R, C>,
    what: &str,
) {
    let scale = b.norm().max(1.0);
    assert!((a - b).norm() <= 3e-14 * scale, "{what}: {a} {b}");
}

/// The body and the start of a file against what a solver gets.
fn holds(read: &Read, posed: &Value, held: bool, what: &str) {
    let of = |path: &str| {
        let value = posed.pointer(path).unwrap_or_else(|| panic!("{path}"));
        let mut all = Vec::new();
        let mut rest = vec![value];
        while let Some(value) = rest.pop() {
            match value {
                Value::Array(inner) => rest.extend(inner.iter().rev()),
                value => all.push(value.as_f64().unwrap()),
            }
        }
        all
    };
    let mass: f64 = read.masses.iter().map(|m| m.0).sum();
    let centre = read.masses.iter().map(|m| m.1 * m.0).sum::<Vec3>() / mass;
    // About the fixed point, or the centre of mass.
    let about = if held { read.anchor.unwrap() } else { centre };
    let mut whole = Mat3::zeros();
    for (mass, position, own) in &read.masses {
        let arm = position - about;
        whole += own + (Mat3::identity() * arm.norm_squared() - arm * arm.transpose()) * *mass;
    }
    close(
        whole,
        Mat3::from_row_slice(&of("/body/inertia")),
        &format!("{what}: inertia"),
    );
    let rotation = Mat3::from_row_slice(&of("/initial/matrix"));
    let rate = Vec3::from_column_slice(&of("/initial/angular_velocity_space"));
    if let Some(attitude) = read.attitude {
        close(attitude, rotation, &format!("{what}: attitude"));
    }
    if let Some(own) = read.rate_body {
        close(rotation * own, rate, &format!("{what}: rate"));
    }
    if let Some(own) = read.rate_space {
        close(own, rate, &format!("{what}: rate"));
    }
    // The centre of mass of a free body is at the origin and at rest; so is the fixed point.
    let arm = -(rotation * about);
    if let Some(position) = read.position {
        close(position, arm, &format!("{what}: position"));
    }
    if let Some(velocity) = read.velocity {
        close(velocity, rate.cross(&arm), &format!("{what}: velocity"));
    }
    if held {
        let lever = Vec3::from_column_slice(&of("/torque/lever"));
        close(centre - about, lever, &format!("{what}: lever"));
        if let Some(gravity) = read.gravity {
            let up = Vec3::from_column_slice(&of("/torque/up"));
            let weight = of("/torque/weight")[0];
            close(gravity * mass, -up * weight, &format!("{what}: weight"));
        }
    }
}

type Reader = fn(&str) -> Read;

/// Format, ending, number of forms.
const READERS: [(&str, &str, usize, Reader); 4] = [
    ("urdf", "urdf", 4, |text| links(text, false)),
    ("mjcf", "xml", 4, mjcf),
    ("sdf", "sdf", 4, |text| links(text, true)),
    ("usda", "usda", 3, usda),
];

#[test]
fn every_form_of_every_format_is_the_body_of_the_case() {
    // Roll and yaw turn about one axis where the pitch is a right angle.
    let quarter = SMALL.replace("[0.3, -0.2, 0.5]", "[0.0, 1.5707963267948966, 0.0]");
    let folder = Folder::with("quarter.toml", &quarter);
    for (case, held) in [
        ("judge_top", true),
        ("judge_free", false),
        ("judge_fast", true),
        ("quarter.toml", true),
    ] {
        let posed = folder.expect(&["judge", case, "--problem"], 0).json();
        for (format, ending, forms, reader) in READERS {
            let said = folder.expect(&["export", case, "--format", format, "--out", "models"], 0);
            assert_eq!(said.out.lines().count(), forms);
            for path in said.out.lines() {
                assert!(path.ends_with(ending), "{path}");
                let text = folder.read(path);
                let read = reader(&text);
                assert_eq!(
                    read.masses.len(),
                    if path.contains("_parts.") { 6 } else { 1 }
                );
                assert_eq!(read.anchor.is_some(), held, "{path}");
                holds(&read, &posed, held, path);
                assert_eq!(text.matches("The solver must apply").count(), 0);
                // A shifted frame has its origin elsewhere.
                let away = read.anchor.unwrap_or(read.masses[0].1).norm() > 0.01;
                assert!(
                    path.contains("_parts.") || away == path.contains("_shifted."),
                    "{path}"
                );
            }
        }
    }
}

#[test]
fn the_rest_of_a_torque_is_said_in_words() {
    let folder = Folder::empty();
    let one = [
        "export",
        "judge_push",
        "--format",
        "usda",
        "--inertia",
        "principal",
    ];
    assert_eq!(
        folder.expect(&one, 0).out,
        "models/judge_push_principal.usda\n"
    );
    let text = folder.read("models/judge_push_principal.usda");
    assert!(text.contains("# The solver must apply this torque beside: {\"model\":\"constant\","));
    let quiet = [&one[..], &["--quiet"]].concat();
    assert_eq!(folder.expect(&quiet, 0).out, "");
}

#[test]
fn what_has_no_file_is_said() {
    let body = "[[5.0, 0.3, -0.2], [0.3, 7.0, 0.4], [-0.2, 0.4, 3.0]]";
    assert!(SMALL.contains(body));
    let flat = SMALL.replace(body, "[1.0, 2.0, 3.0]").replace(
        "model = \"gravity\"\nweight = 20.0\nlever = [0.0, 0.0, 1.0]",
        "model = \"none\"",
    );
    let none = "[1.0, 2.0, 3.5]\nnonphysical = \"a tensor about a point that is not in the case\"";
    let none = flat.replace("[1.0, 2.0, 3.0]", none);
    let folder = Folder::with("flat.toml", &flat).and("none.toml", &none);
    for (case, format, form, words) in [
        (
            "judge_free",
            "usda",
            "full",
            "usda has no place for the form `full`; allowed: principal, parts, shifted",
        ),
        (
            "flat.toml",
            "mjcf",
            "parts",
            "the body is flat and mjcf makes parts of solids",
        ),
        (
            "none.toml",
            "urdf",
            "full",
            "no body has the principal moments 1, 2 and 3.5",
        ),
        ("levitron_orbit", "urdf", "full", "no body with an attitude"),
        (
            "judge_free",
            "stl",
            "full",
            "possible values: urdf, mjcf, sdf, usda",
        ),
    ] {
        let args = ["export", case, "--format", format, "--inertia", form];
        folder.expect(&args, 2).complains(words);
    }
    assert!(!folder.join("models").exists());
    // The forms that a flat body has.
    let said = folder.expect(&["export", "flat.toml", "--format", "mjcf"], 0);
    assert_eq!(said.out.lines().count(), 3);
    let said = folder.expect(&["export", "flat.toml", "--format", "urdf"], 0);
    assert_eq!(said.out.lines().count(), 4);
}
