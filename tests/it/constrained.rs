//! Constrained bodies as users meet them: a scheme that must fail, and what is kept of it.

use crate::support::Folder;

fn case(schemes: &str, steps: &str) -> String {
    format!(
        r#"title = "t"
summary = "s"
[body]
mass = 15.0
inertia = [0.234375, 0.46875, 0.234375]
[support]
joint = "spherical"
lever = [0.0, 1.0, 0.0]
gravity = [0.0, 0.0, -9.81]
[initial]
angular_velocity = [0.0, 150.0, -4.61538]
angular_acceleration = [-692.307, 0.0, 0.0]
[run]
end = 2.0
steps = [{steps}]
sample = 0.1
schemes = [{schemes}]
"#
    )
}

const RUN: [&str; 5] = ["run", "top.toml", "--no-checks", "--out", "out"];

/// ρ = 1 at index 3, Kynema's settings: Newton fails near step 311 at h = 0.004; the message names the step, the
/// residual and the way out, and the steps before it are kept.
#[test]
fn what_cannot_work_fails_with_its_prefix_kept() {
    let schemes = r#"{ name = "gen_alpha", rho_inf = 1.0, allow_unusable = true, constraint_stiffness = "omitted", max_iterations = 15, atol = 1e-7, rtol = 1e-6 }, "rattle_dae""#;
    let case = case(schemes, "0.004").replace("angular_acceleration = [-692.307, 0.0, 0.0]\n", "");
    let folder = Folder::with("top.toml", &case);
    let said = folder.expect(&RUN, 3);
    said.shows("residual").shows("rho_inf");
    let failed = said
        .out
        .lines()
        .find(|l| l.contains("Newton"))
        .unwrap_or("");
    let words = failed.split(|c: char| !c.is_ascii_digit());
    let numbers: Vec<u32> = words.filter_map(|w| w.parse().ok()).collect();
    let is_near = numbers.iter().any(|n| (306..=316).contains(n));
    assert!(is_near, "{}", said.out);
    let history = folder.read("out/top/gen_alpha_h0.004.csv");
    let last = history.lines().last().unwrap();
    let time: f64 = last.split(',').next().unwrap().parse().unwrap();
    assert!((1.2..1.3).contains(&time), "{last}");
    assert!(history.lines().count() > 10);
}

/// The residual of a start is told before the first step.
#[test]
fn an_inconsistent_start_is_told_before_the_first_step() {
    let case = case(r#"{ name = "gen_alpha", start = "as_given" }"#, "0.004");
    let folder = Folder::with("top.toml", &case);
    let said = folder.expect(&[&RUN[..], &["--dry-run"]].concat(), 0);
    said.shows("consistency residual").shows("661.346");
    assert!(!folder.join("out").exists());
}
