//! `--shard` of whole suites: each case in one shard, studies in tiles in all.

use crate::support::Folder;
use std::collections::{BTreeMap, BTreeSet};

const PLAIN: &str = r#"
title = "A short run"
summary = "A free body."
[body]
inertia = [1.0, 2.0, 3.0]
[initial]
angular_velocity = [0.3, 1.0, 0.2]
[run]
end = 1.0
steps = [0.1]
schemes = ["rig_neg"]
[reference]
kind = "free_body"
"#;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

fn check(case: &str, most: f64) -> String {
    format!(
        r#"
case = "{case}"
[[check]]
name = "error"
measure = {{ metric = "error", quantity = "attitude", at = "end" }}
allow = {{ max = {most} }}
kind = "exact"
source = "closed form"
"#
    )
}

/// Four plain cases and a map.
fn folder() -> Folder {
    let mut folder = Folder::with("cases/map.toml", crate::maps::CASE);
    for name in NAMES {
        folder = folder
            .and(&format!("cases/{name}.toml"), PLAIN)
            .and(&format!("expected/{name}.toml"), &check(name, 0.1));
    }
    folder
}

/// The time that the run of each case took, by `timings.json`.
fn seconds(folder: &Folder, out: &str) -> BTreeMap<String, String> {
    let timings = folder.json(&format!("{out}/timings.json"));
    let cases = timings["cases"].as_array().unwrap().iter();
    cases
        .map(|case| {
            let name = case["name"].as_str().unwrap().to_string();
            (name, case["runs"][0]["seconds"].to_string())
        })
        .collect()
}

/// The cases that a JUnit file or `results.json` has.
fn cases(folder: &Folder, path: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(folder.join(path)).unwrap();
    let told = |name: &&str| {
        text.contains(&format!("\"name\": \"{name}\""))
            || text.contains(&format!("name=\"{name}\""))
    };
    let all = ["map"].iter().chain(&NAMES);
    all.filter(|name| told(name)).map(|s| (*s).into()).collect()
}

#[test]
fn every_case_is_in_exactly_one_shard_and_the_map_in_all() {
    let folder = folder();
    folder.expect(&["run", "cases", "--out", "whole"], 0);
    for n in [1, 2, 3, 7] {
        let out = format!("o{n}");
        let mut seen = Vec::new();
        for i in 0..n {
            let (shard, junit) = (format!("{i}/{n}"), format!("junit={out}_{i}.xml"));
            let args = ["run", "cases", "--out", &out, "--shard", &shard];
            let said = folder.expect(&[&args[..], &["--report", &junit]].concat(), 0);
            said.shows(&format!("map small shard {shard}"));
            let own = cases(&folder, &format!("{out}_{i}.xml"));
            let results = format!("{out}/shard_{i}_of_{n}/results.json");
            assert_eq!(cases(&folder, &results), own);
            for name in NAMES.iter().filter(|name| !own.contains(**name)) {
                said.shows(&format!("{name} ("));
            }
            for name in &own {
                let run = "rig_neg_h0.1.csv";
                let there = format!("{out}/shard_{i}_of_{n}/{name}/{run}");
                let here = std::fs::read(folder.join(&there)).unwrap();
                let whole = std::fs::read(folder.join(format!("whole/{name}/{run}"))).unwrap();
                assert!(here == whole, "{name}");
            }
            seen.extend(own);
        }
        seen.sort();
        assert_eq!(seen, NAMES, "{n} shards");
        // Without --shard the same command takes all of that, and has the whole report.
        let before: Vec<_> = (0..n)
            .flat_map(|i| seconds(&folder, &format!("{out}/shard_{i}_of_{n}")))
            .collect();
        folder.expect(&["run", "cases", "--out", &out], 0);
        for file in ["map/map_small.csv", "a/rig_neg_h0.1.csv", "results.json"] {
            let here = std::fs::read(folder.join(format!("{out}/{file}"))).unwrap();
            assert!(here == std::fs::read(folder.join(format!("whole/{file}"))).unwrap());
        }
        // No run was made again.
        let mut after = seconds(&folder, &out);
        after.retain(|name, _| name != "map");
        assert_eq!(after, before.into_iter().collect(), "{n} shards");
    }
}

#[test]
fn a_shard_fails_with_its_own_cases_only() {
    let folder = folder();
    folder.write("expected/b.toml", check("b", 1e-12));
    let shard = |i: &str, status: i32| {
        let args = ["run", "cases", "--out", "o", "--shard", i];
        folder.expect(&args, status)
    };
    shard("0/2", 0).shows("other shards have: b (1/2), d (1/2)");
    shard("1/2", 1).shows("FAILED");
}

/// One case that is not in tiles is run by the first shard; the others say so and have nothing to do.
#[test]
fn one_case_is_no_error_for_the_shards_that_do_not_have_it() {
    let folder = folder();
    let args = ["run", "cases/a.toml", "--out", "o", "--shard"];
    folder
        .expect(&[&args[..], &["0/2"]].concat(), 0)
        .shows("PASSED");
    let said = folder.expect(&[&args[..], &["1/2"]].concat(), 0);
    said.shows("other shards have: a (0/2)");
    let plan = folder.expect(&[&args[..], &["1/2", "--dry-run"]].concat(), 0);
    plan.shows("other shards have: a (0/2)");
}
