//! `topsim judge --relations`: beside the motion, alone, in the file of a folder, and with a torque that only the solver knows.

use crate::solver::{folder, judging, write_script};
use sha2::{Digest, Sha256};

/// A case whose torque topsim does not know; the example solver says that it cannot do it.
const OPAQUE: &str = r#"
title = "A spring"
summary = "A torque of somebody else."
[body]
inertia = [[2.2, -0.4, 0.3], [-0.4, 3.0, 0.5], [0.3, 0.5, 1.6]]
[torque]
model = "opaque"
text = "two springs"
parameters = { stiffness = 3.0 }
symmetries = ["azimuth"]
[initial]
rotation_vector = [0.3, -0.2, 0.4]
angular_velocity = [0.4, -0.3, 0.5]
[run]
end = 2.0
steps = [0.01]
schemes = []
"#;

#[test]
fn relations_stand_beside_the_motion_or_alone() {
    let dir = folder();
    let said = dir.expect(&judging(&dir, "exec \"$GOOD\"", &["--relations"]), 0);
    said.shows("✓ mirror").shows("worst attitude error");
    let said = dir.expect(&judging(&dir, "exec \"$GOOD\"", &["--relations=only"]), 0);
    said.shows("✓ mirror").hides("worst attitude error");
    // Several cases have a column of them.
    dir.write("again.toml", dir.read("small.toml"));
    let both = [
        "judge",
        "small.toml",
        "again.toml",
        "--solver",
        "sh solver.sh",
    ];
    let both = [&both[..], &["--relations", "--time-limit", "1e6"]].concat();
    dir.expect(&both, 0).shows(" relations hold");
}

#[test]
fn the_file_of_a_folder_may_ask_for_relations() {
    let dir = folder();
    write_script(&dir, "exec \"$GOOD\"");
    let file = |relations: &str| {
        let solver =
            "[solver]\ncommand = \"sh solver.sh\"\ncases = [\"small.toml\"]\ntime_limit = 1e6\n";
        dir.write(
            "topsim-judge.toml",
            format!("{solver}relations = \"{relations}\"\n"),
        );
    };
    file("beside");
    dir.expect(&["judge"], 0).shows("✓ mirror");
    dir.expect(&["judge", "--relations=no"], 0).hides("mirror");
    file("all");
    dir.expect(&["judge"], 2).complains("topsim-judge.toml:5");
}

#[test]
fn a_torque_that_only_the_solver_knows_is_judged_by_relations_alone() {
    let dir = folder();
    dir.write("spring.toml", OPAQUE);
    let wanted = "judge spring.toml --solver COMMAND --relations only";
    dir.expect(&["run", "spring.toml"], 2).complains(wanted);
    dir.expect(&["show", "spring.toml"], 0).shows(wanted);
    write_script(&dir, "echo 'no springs' >&2; exit 77");
    let judge = ["judge", "spring.toml", "--solver", "sh solver.sh"];
    dir.expect(&judge, 2).complains("opaque");
    // What cannot be done is no failure.
    let said = dir.expect(&[&judge[..], &["--relations", "only"]].concat(), 0);
    said.shows("SKIPPED").shows("no springs");
}

#[test]
fn a_page_for_a_quality_file_names_the_files_and_what_was_not_done() {
    let dir = folder();
    dir.write("spring.toml", OPAQUE);
    write_script(
        &dir,
        "p=$(cat); case \"$p\" in *springs*) echo 'no springs' >&2; exit 77;; esac; printf '%s' \"$p\" | \"$GOOD\"",
    );
    let judge = [
        "judge",
        "small.toml",
        "spring.toml",
        "--solver",
        "sh solver.sh",
    ];
    let page = ["--relations", "only", "--credibility-report", "page.md"];
    dir.expect(&[&judge[..], &page].concat(), 0);
    let text = dir.read("page.md");
    let hash: String = Sha256::digest(dir.read("solver.sh"))
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    assert!(
        text.contains(&format!("| SHA-256 of solver.sh | {hash} |")),
        "{text}"
    );
    assert!(text.contains("| SHA-256 of sh | "), "{text}");
    assert!(text.contains("| small | mirror | holds"), "{text}");
    assert!(
        text.contains("spring: the solver says that it cannot do this"),
        "{text}"
    );
    // Nothing of it ran, so no relation of it is apart from the others.
    assert!(!text.contains("spring: relations"), "{text}");
    let text_file = ["--credibility-report", "page.txt"];
    dir.expect(&[&judge[..], &text_file].concat(), 2)
        .complains("a name that ends in .md or .html");
}
