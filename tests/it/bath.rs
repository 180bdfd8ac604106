//! `topsim bath`: rotors in a heat bath, judged.

use crate::support::{Folder, repository, repository_text};
use topsim_core::math::{Random, Vec3};

/// A rotor without a field, whose law any code can draw.
const FREE: &str = "[rotor]\ninertia = [1.0, 1.7, 2.4]\nthermal_energy = 1.0\nfriction = 3.0\n";

/// Writes samples of the law with the third axis hotter by a factor.
fn samples(number: u32, hotter: f64) -> String {
    let mut random = Random::new(1);
    let mut out = String::from("R11,R12,R13,R21,R22,R23,R31,R32,R33,L1,L2,L3\n");
    for _ in 0..number {
        let spread = Vec3::new(1.0, 1.7, 2.4 * hotter).map(f64::sqrt);
        let momentum = spread.component_mul(&random.vector());
        let attitude = random.rotation().transpose();
        let numbers = attitude.iter().chain(&momentum);
        let words: Vec<String> = numbers.map(|x| format!("{x:.6}")).collect();
        out += &(words.join(",") + "\n");
    }
    out
}

#[test]
fn right_samples_pass_and_a_hot_axis_fails() {
    let folder = Folder::with("rotor.toml", FREE);
    folder.write("right.csv", samples(100_000, 1.0));
    folder.write("hot.csv", samples(100_000, 1.06));
    folder.write("few.csv", samples(1000, 1.0));
    let judge = |file: &str, status| {
        folder.expect(
            &["bath", "rotor.toml", "--samples", file, "--out", "all.json"],
            status,
        )
    };
    judge("right.csv", 0).shows("PASSED  100000 samples");
    let all = folder.json("all.json");
    assert_eq!(all["findings"].as_array().unwrap().len(), 39);
    judge("hot.csv", 1)
        .shows("FAILED  100000 samples")
        .shows("temperature of axis 3");
    assert_eq!(folder.json("all.json")["findings"][5]["status"], "failed");
    judge("few.csv", 0)
        .shows("UNDECIDED  1000 samples")
        .shows("too few independent samples");
}

#[test]
fn the_schemes_of_a_file_are_measured() {
    let run = "run = { steps = [0.5, 0.25], interval = 0.5, samples = 2000, burn_in = 1.0 }\n";
    let folder = Folder::with("rotor.toml", &format!("{run}{FREE}"));
    let bath = |jobs: &str, out: &str| {
        folder.expect(&["bath", "rotor.toml", "--jobs", jobs, "--out", out], 1)
    };
    bath("1", "one.json")
        .shows("langevin_c")
        .shows("noise hides the bias; claimed 2");
    bath("3", "three.json");
    assert_eq!(folder.read("one.json"), folder.read("three.json"));
}

#[test]
fn what_is_wrong_is_told() {
    let folder = Folder::with("rotor.toml", FREE).and("samples.csv", "q0,q1,q2,q3,v1\n");
    folder
        .expect(&["bath", "rotor.toml", "--samples", "samples.csv"], 2)
        .complains("samples.csv: line 1: found the column `v1`");
    folder
        .expect(&["bath", "rotor.toml"], 2)
        .complains("found no table `run`");
    folder
        .expect(&["bath", "rotor.toml", "--samples", "none.csv"], 4)
        .complains("none.csv");
    folder.write("wrong.toml", FREE.replace("friction", "frition"));
    folder
        .expect(&["bath", "wrong.toml"], 2)
        .complains("did you mean `friction`?");
}

/// Tests that the example is valid, and that the page names what is there.
#[test]
fn the_page_names_the_schemes() {
    let text = repository_text("examples/bath/rotor.toml");
    let setup = topsim_bath::BathSetup::read("rotor.toml", &text).unwrap();
    assert!(setup.run.is_some() && repository("examples/bath/rotor.toml").exists());
    let page = repository_text("docs/bath.md");
    for scheme in topsim_bath::BATH_SCHEMES {
        assert!(page.contains(&format!("| `{}` |", scheme.name)));
    }
}
