//! `topsim figures`: kinds, keys and formats of the figures of a case.

use crate::support::{CHECK, Folder, TOP};

/// A free body near its intermediate axis with a figure of each kind.
const BODY: &str = r#"
title = "A free body"
summary = "It flips."
[body]
inertia = [1.0, 2.0, 3.0]
[initial]
angular_velocity = [0.1, 5.0, 0.1]
[run]
end = 2.0
steps = [0.01, 0.02]
sample = 0.04
schemes = ["rig_neg", "exact_strang"]
[reference]
kind = "free_body"
[[figure]]
kind = "history"
quantity = "W2"
title = "The flip"
size = [640, 320]
y = { range = [-6.0, 6.0] }
[[figure]]
kind = "error"
quantity = "W"
one_per = "case"
x = { range = [0.1, 10.0], log = true }
[[figure]]
kind = "phase"
quantities = ["W1", "W3"]
one_per = "step"
[[figure]]
kind = "sphere"
quantity = "attitude"
axis = 2
one_per = "step"
[[figure]]
kind = "sphere"
quantity = "W"
one_per = "step"
[[figure]]
kind = "polhode"
one_per = "step"
"#;

fn names(folder: &Folder, below: &str) -> Vec<String> {
    let all = crate::support::files(&folder.join(below)).into_keys();
    all.map(|p| p.display().to_string()).collect()
}

#[test]
fn every_kind_is_drawn_with_its_keys() {
    let folder = Folder::with("body.toml", BODY);
    let figures = [
        "figures",
        "body.toml",
        "--out",
        "drawn",
        "--figure-format",
        "svg",
    ];
    folder
        .expect(&figures, 0)
        .shows("drawn/body_polhode_h0.01.svg");
    let expected = [
        "body_W2_exact_strang.svg",
        "body_W2_rig_neg.svg",
        "body_error_W.svg",
        "body_phase_W1_W3_h0.01.svg",
        "body_phase_W1_W3_h0.02.svg",
        "body_polhode_h0.01.svg",
        "body_polhode_h0.02.svg",
        "body_sphere_W_h0.01.svg",
        "body_sphere_W_h0.02.svg",
        "body_sphere_attitude2_h0.01.svg",
        "body_sphere_attitude2_h0.02.svg",
    ];
    assert_eq!(names(&folder, "drawn"), expected);
    let shows = |name: &str, all: &[&str]| {
        let svg = folder.read(format!("drawn/body_{name}.svg"));
        for text in all {
            assert!(svg.contains(text), "{name} does not show {text}");
        }
    };
    let size = "width=\"640\" height=\"320\"";
    shows(
        "W2_rig_neg",
        &[
            "<title>The flip · rig_neg</title>",
            size,
            "Angular velocity W2 [rad/s]",
        ],
    );
    shows(
        "error_W",
        &[
            ">\n10⁰",
            "Error of the angular velocity [rad/s]",
            "rig_neg, h = 0.02 s",
        ],
    );
    shows(
        "phase_W1_W3_h0.02",
        &["Angular velocity W1 [rad/s]", "Angular velocity W3 [rad/s]"],
    );
    shows(
        "sphere_attitude2_h0.01",
        &["Path of body axis 2", "exact_strang"],
    );
    shows(
        "polhode_h0.02",
        &[
            "separatrix",
            "J = 2 kg m²",
            "A free body · Polhode · h = 0.02 s",
        ],
    );
}

#[test]
fn colours_are_of_schemes_and_legends_in_words() {
    let slide = r#"
[[figure]]
kind = "history"
quantity = "H"
one_per = "case"
title = "Energy"
names = { rig_neg = "my midpoint rule" }
size = [1280, 720]
scale = 2.0
y = { abs = true }
[[study]]
kind = "drift"
title = "Drift"
names = { rig_neg = "my midpoint rule" }
size = [640, 320]
"#;
    let folder = Folder::with("body.toml", &format!("{BODY}{slide}"));
    folder.expect(&["run", "body.toml", "--figure-format", "svg"], 0);
    let svg = |name: &str| folder.read(format!("results/body/{name}.svg"));
    let energy = svg("H");
    for text in [
        "<title>Energy</title>",
        "width=\"1280\" height=\"720\"",
        "my midpoint rule, h = 0.01 s",
        "|Energy| [J]",
    ] {
        assert!(energy.contains(text), "{text}");
    }
    let drift = svg("study_drift_H");
    assert!(drift.contains("<title>Drift</title>") && drift.contains("my midpoint rule, h ="));
    let colours = |name: &str| {
        let text = svg(name);
        let lines = text.split("<polyline").skip(1);
        let colours = lines.filter_map(|l| l.split("stroke=\"").nth(1)?.split('"').next());
        let mut colours: Vec<String> = colours.map(Into::into).filter(|c| c != "#202020").collect();
        colours.sort();
        colours.dedup();
        colours
    };
    // Each scheme has one colour for all of its steps, which is not that of the other.
    let [one, other] = ["W2_rig_neg", "W2_exact_strang"].map(colours);
    let own = |of: &[String], rest: &[String]| of.iter().filter(|c| !rest.contains(c)).count();
    assert_eq!(
        (own(&one, &other), own(&other, &one)),
        (1, 1),
        "{one:?} {other:?}"
    );
    let wrong = slide.replace("rig_neg", "rig_nog");
    folder.write("body.toml", format!("{BODY}{wrong}"));
    let said = folder.expect(&["run", "body.toml"], 2);
    said.complains("the case has no scheme `rig_nog`; did you mean `rig_neg`?");
    let wrong = slide.replace("scale = 2.0", "scale = 20.0");
    folder.write("body.toml", format!("{BODY}{wrong}"));
    folder
        .expect(&["run", "body.toml"], 2)
        .complains("a number not greater than 5");
}

#[test]
fn formats_are_those_asked_for() {
    let folder = Folder::of_top(TOP, CHECK);
    let figures = |more: &[&str], status| {
        let args = ["figures", "top.toml", "--out", "drawn"];
        folder.expect(&[&args[..], more].concat(), status)
    };
    assert_eq!(figures(&["--quiet"], 0).out, "");
    let both = ["rig_imp.png", "rig_imp.svg", "rig_pos.png", "rig_pos.svg"];
    assert_eq!(
        names(&folder, "drawn"),
        both.map(|end| format!("top_H_{end}"))
    );
    figures(&["--figure-format", "gif"], 2).complains("possible values: svg, png]");
    // Results list what was written, so that the next run removes it.
    let run = |more: &[&str]| {
        let args = ["run", "top.toml"];
        folder.expect(&[&args[..], more].concat(), 0);
        let mut all = names(&folder, "results/top");
        all.retain(|name| name.starts_with("H_"));
        let told = folder.read("results/results.json");
        assert!(all.iter().all(|name| told.contains(name.as_str())));
        all
    };
    assert_eq!(
        run(&["--figure-format", "png"]),
        ["H_rig_imp.png", "H_rig_pos.png"]
    );
    assert_eq!(
        run(&["--figure-format", "svg"]),
        ["H_rig_imp.svg", "H_rig_pos.svg"]
    );
    assert!(run(&["--no-figures"]).is_empty());
}
