//! Constrained bodies as users meet them: a scheme that must fail, and what is kept of it.

use assert_cmd::Command;

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

fn run(text: &str, args: &[&str]) -> (i32, String, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("top.toml"), text).unwrap();
    let mut command = Command::cargo_bin("topsim").unwrap();
    command.current_dir(dir.path()).args(["run", "top.toml"]);
    command.args(["--no-checks", "--out", "out"]).args(args);
    let output = command.output().unwrap();
    let mut said = String::from_utf8(output.stdout).unwrap();
    said += &String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), said, dir)
}

/// ρ = 1 at index 3, Kynema's settings: Newton fails near step 311 at h = 0.004; the message names the step, the
/// residual and the way out, and the steps before it are kept.
#[test]
fn what_cannot_work_fails_with_its_prefix_kept() {
    let text = case(
        r#"{ name = "gen_alpha", rho_inf = 1.0, allow_unusable = true, constraint_stiffness = "omitted", max_iterations = 15, atol = 1e-7, rtol = 1e-6 }, "rattle_dae""#,
        "0.004",
    );
    let text = text.replace("angular_acceleration = [-692.307, 0.0, 0.0]\n", "");
    let (status, said, dir) = run(&text, &[]);
    assert_eq!(status, 3, "{said}");
    let failed = said.lines().find(|l| l.contains("Newton")).unwrap_or("");
    let words = failed.split(|c: char| !c.is_ascii_digit());
    let numbers: Vec<u32> = words.filter_map(|w| w.parse().ok()).collect();
    assert!(numbers.iter().any(|n| (306..=316).contains(n)), "{said}");
    assert!(said.contains("residual"), "{said}");
    assert!(said.contains("rho_inf"), "{said}");
    let history = dir.path().join("out/top/gen_alpha_h0.004.csv");
    let history = std::fs::read_to_string(history).unwrap();
    let last = history.lines().last().unwrap();
    let time: f64 = last.split(',').next().unwrap().parse().unwrap();
    assert!((1.2..1.3).contains(&time), "{last}");
    assert!(history.lines().count() > 10);
}

/// The residual of a start is told before the first step.
#[test]
fn an_inconsistent_start_is_told_before_the_first_step() {
    let text = case(r#"{ name = "gen_alpha", start = "as_given" }"#, "0.004");
    let (status, said, dir) = run(&text, &["--dry-run"]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("consistency residual"), "{said}");
    assert!(said.contains("661.346"), "{said}");
    assert!(!dir.path().join("out").exists());
}
