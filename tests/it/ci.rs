//! Tests the files that other projects copy into their CI: the shell steps of `action.yml` and of the configurations in
//! `docs/examples` run in an empty folder, with stand-ins for `cargo` and `make` where they would fetch and build.

use crate::support::{CHECK, Folder, TOP, example, repository, repository_text};
use std::process::Command;

/// A list of `run:` or of `- command`, below this line and more indented.
fn below<'a>(text: &'a str, head: &str) -> Vec<&'a str> {
    let indent = |l: &str| l.len() - l.trim_start().len();
    let mut lines = text.lines().skip_while(|l| l.trim() != head);
    let least = lines.next().map_or(0, indent);
    lines.take_while(|l| indent(l) > least).collect()
}

/// A value without its comment and quotes.
fn value(text: &str) -> &str {
    let text = text.split("   #").next().unwrap_or_default().trim();
    let inner = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
    inner.unwrap_or(text)
}

/// The pairs `key: value` below a line.
fn pairs<'a>(text: &'a str, head: &str) -> Vec<(&'a str, &'a str)> {
    let lines = below(text, head).into_iter();
    let pairs = lines.filter_map(|l| l.trim().split_once(':'));
    pairs.map(|(k, v)| (k, value(v))).collect()
}

/// A folder with a solver that is built by `make`, one that is wrong, and stand-ins for what CI has.
fn project() -> Folder {
    let repository_url = toml::from_str::<toml::Table>(&repository_text("Cargo.toml")).unwrap();
    let url = repository_url["workspace"]["package"]["repository"].as_str();
    let topsim = env!("CARGO_BIN_EXE_topsim");
    let cargo = format!(
        "#!/bin/sh\n[ \"$1 $2\" = 'install --locked' ] || exit 9\n\
         case $3 in --path) test -f \"$4/Cargo.toml\" || exit 9;; --git) [ \"$4\" = '{}' ] || exit 9;; *) exit 9;; esac\n\
         mkdir -p \"${{6:-.}}/bin\" && ln -s '{topsim}' \"${{6:-.}}/bin/topsim\"\n",
        url.unwrap()
    );
    let make = format!("#!/bin/sh\ncp '{}' \"$1\"\n", example("solver").display());
    let folder = Folder::with("bin/cargo", &cargo)
        .and("bin/make", &make)
        .and("wrong_solver", WRONG)
        .and("judge.sh", &repository_text("docs/examples/judge.sh"));
    let made = ["chmod +x bin/* wrong_solver && mkdir temp"];
    assert_eq!(run(&folder, "sh", &made, &[]).0, Some(0));
    folder
}

/// Gravity points up.
const WRONG: &str = "#!/bin/sh\nsed 's/\"weight\":/\"weight\":-/' | ./my_solver\n";

/// Runs lines as CI does: the first that fails ends them. Its exit status, and what it printed.
fn run(
    folder: &Folder,
    shell: &str,
    lines: &[&str],
    variables: &[(&str, &str)],
) -> (Option<i32>, String) {
    let path = std::env::var("PATH").unwrap();
    let own = folder.join("bin");
    let at = |name: &str| folder.join(name);
    let output = Command::new(shell)
        .args(["-e", "-c", &lines.join("\n")])
        .current_dir(folder.path())
        .env("PATH", format!("{}:{path}", own.display()))
        .env("GITHUB_ACTION_PATH", repository(""))
        .env("GITHUB_OUTPUT", at("output"))
        .env("GITHUB_STEP_SUMMARY", at("summary"))
        .env("RUNNER_TEMP", at("temp"))
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|b| String::from_utf8(b).unwrap());
    (output.status.code(), out + &err)
}

/// Tests that a judged solver left its reports.
fn reported(folder: &Folder, message: &str) {
    for file in ["report.html", "junit.xml", "summary.md", "results.json"] {
        assert!(folder.join("rotation").join(file).is_file(), "{file}");
    }
    let summary = std::fs::read_to_string(folder.join("rotation/summary.md")).unwrap();
    let word = format!("**{}**", message.to_uppercase());
    assert!(summary.starts_with(&word), "{word}: {summary}");
}

/// The steps of the action with these inputs; the exit status of the first that fails.
fn action(folder: &Folder, inputs: &[(&str, &str)]) -> (Option<i32>, String) {
    let text = repository_text("action.yml");
    let mut said = (Some(0), String::new());
    let mut steps = 0;
    for step in text.split("    - name: ").skip(1) {
        let script = below(step, "run: |");
        if script.is_empty() {
            continue;
        }
        let filled = pairs(step, "env:").into_iter().map(|(key, from)| {
            let name = from.strip_prefix("${{ inputs.").unwrap();
            let name = name.strip_suffix(" }}").unwrap();
            let given = inputs.iter().find(|(k, _)| *k == name);
            let default = || {
                let input = pairs(&text, &format!("{name}:"));
                let default = input.iter().find(|(k, _)| *k == "default");
                default.unwrap_or_else(|| panic!("{name} is required")).1
            };
            (key, given.map_or_else(default, |g| g.1))
        });
        let always = step.contains("if: always()");
        if said.0 == Some(0) || always {
            let this = run(folder, "bash", &script, &filled.collect::<Vec<_>>());
            if said.0 == Some(0) {
                said = this;
            }
            steps += 1;
        }
    }
    assert_eq!(steps, 4, "steps of the shell");
    said
}

#[test]
fn the_action_judges_a_solver() {
    let folder = project();
    let workflow = repository_text("docs/examples/judge-workflow.yml");
    let build = workflow.split("run: ").nth(1).unwrap().lines().next();
    let built = run(&folder, "bash", &[value(build.unwrap())], &[]);
    assert_eq!(built.0, Some(0), "{}", built.1);
    let mut inputs = pairs(&workflow, "with:");
    assert_eq!(inputs.len(), 3);
    // GitHub's expression: the cases of a night, or none.
    let nightly = inputs.iter_mut().find(|i| i.0 == "cases").unwrap();
    let cases = nightly.1.split('\'').nth(3).unwrap();
    *nightly = ("cases", cases);
    let (status, said) = action(&folder, &inputs);
    assert_eq!(status, Some(0), "{said}");
    reported(&folder, "passed");
    for case in cases.split(' ') {
        assert!(folder.read("summary").contains(&format!("## {case}")));
    }

    let (status, said) = action(&folder, &[("solver", "./wrong_solver")]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("model/gravity_factor"), "{said}");
    reported(&folder, "failed");
    let summary = folder.read("summary");
    assert!(
        summary.contains("**FAILED**")
            && summary.contains(" of 8 cases: ")
            && summary.contains("## judge_push")
    );
    // What was fitted is data: gravity with the other sign.
    let results = folder.json("rotation/results.json");
    let number = &results["together"][0]["coefficients"][0];
    assert_eq!(number["symbol"], "w");
    assert_eq!(number["right"], 1.0);
    let fitted = number["fitted"].as_f64().unwrap();
    assert!((fitted + 1.0).abs() < 1e-6, "{fitted}");
    let page = folder.read("rotation/report.html");
    assert!(page.contains("in the solver</th>") && page.contains("The equations of these numbers"));
    let hash = folder.read("output");
    let hash = hash.lines().next().unwrap().strip_prefix("hash=").unwrap();
    assert!(hash.len() >= 40 && hash.chars().all(|c| c.is_ascii_hexdigit()));
}

#[test]
fn the_configuration_for_gitlab_judges_a_solver() {
    let text = repository_text("docs/examples/gitlab-ci.yml");
    for job in text.split("\nrotation").skip(1) {
        let folder = project();
        let variables = pairs(job, "variables:");
        let commands = ["before_script:", "script:"].map(|head| below(&text, head));
        let commands: Vec<&str> = commands.concat();
        let commands: Vec<&str> = commands
            .iter()
            .filter_map(|l| Some(value(l.trim().strip_prefix("- ")?)))
            .collect();
        assert_eq!(commands.len(), 3);
        let (status, said) = run(&folder, "sh", &commands, &variables);
        assert_eq!(status, Some(0), "{said}");
        reported(&folder, "passed");
    }
}

#[test]
fn the_workflow_for_cases_runs_them() {
    let folder = project()
        .and("my_cases/top.toml", TOP)
        .and("my_expected/top.toml", CHECK);
    let text = repository_text("docs/examples/github-workflow.yml");
    let commands = text.lines().filter_map(|l| l.split_once("run: "));
    let commands: Vec<&str> = commands.map(|(_, command)| value(command)).collect();
    assert_eq!(commands.len(), 3);
    let (status, said) = run(&folder, "bash", &commands, &[]);
    assert_eq!(status, Some(0), "{said}");
    assert!(folder.read("summary").starts_with("**PASSED**"));
    assert!(folder.read("topsim.xml").contains("testsuite name=\"top\""));
}

#[test]
fn what_is_accepted_breaks_no_build() {
    let folder = project();
    let topsim = env!("CARGO_BIN_EXE_topsim");
    run(&folder, "sh", &["make my_solver"], &[]);
    let list = format!(
        "'{topsim}' judge --all --solver ./wrong_solver --quiet --write-accepted rotation-baseline.toml"
    );
    assert_eq!(run(&folder, "sh", &[&list], &[]).0, Some(1));
    let judge = format!("sh judge.sh '{topsim}' ./wrong_solver");
    let (status, said) = run(&folder, "sh", &[&judge], &[]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.ends_with("no new defect\n"), "{said}");
    reported(&folder, "no new defect found");
}

/// cargo-dist makes `.tar.xz` of a program for these targets, in a folder of the same name.
#[test]
fn the_archives_are_those_that_are_looked_for() {
    let read = |path: &str| toml::from_str::<toml::Table>(&repository_text(path)).unwrap();
    let wanted = &read("Cargo.toml")["package"]["metadata"]["binstall"];
    assert_eq!(wanted["pkg-fmt"].as_str(), Some("txz"));
    let url = wanted["pkg-url"].as_str().unwrap();
    assert!(url.ends_with("/v{ version }/{ name }-{ target }{ archive-suffix }"));
    let targets = &read("dist-workspace.toml")["dist"]["targets"];
    for target in targets.as_array().unwrap() {
        let target = target.as_str().unwrap();
        assert!(target.ends_with("-apple-darwin") || target.ends_with("-unknown-linux-musl"));
    }
}

/// One address, in `Cargo.toml`: who changes it there changes it in the documents.
#[test]
fn the_address_of_the_repository_is_one() {
    let manifest: toml::Table = toml::from_str(&repository_text("Cargo.toml")).unwrap();
    let package = &manifest["workspace"]["package"];
    let url = package["repository"].as_str().unwrap();
    assert_eq!(package["homepage"].as_str(), Some(url));
    let owner = url.rsplit('/').nth(1).unwrap();
    let owner = owner.strip_suffix(".org").unwrap_or(owner);
    for (page, shown) in [
        ("docs/judging-in-ci.md", url),
        ("docs/examples/github-workflow.yml", url),
        ("docs/examples/gitlab-ci.yml", url),
        (
            "docs/examples/judge-workflow.yml",
            &format!("{owner}/topsim@"),
        ),
    ] {
        assert!(repository_text(page).contains(shown), "{page}: no {shown}");
    }
}
