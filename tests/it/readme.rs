//! What the README shows is what the program prints.

use assert_cmd::Command;

#[test]
fn the_output_shown_is_real() {
    let root = env!("CARGO_MANIFEST_DIR");
    let readme = std::fs::read_to_string(format!("{root}/README.md")).unwrap();
    let block = readme
        .split("<!-- checked by tests/readme.rs")
        .nth(1)
        .and_then(|s| s.split("```text\n").nth(1))
        .and_then(|s| s.split("```").next())
        .expect("the README shows a block");
    let out = tempfile::tempdir().unwrap();
    let run = Command::cargo_bin("topsim")
        .unwrap()
        .current_dir(root)
        .args(["run", "cases/heavy_top.toml", "--no-figures", "--out"])
        .arg(out.path())
        .assert()
        .success();
    let printed = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let printed = printed.replace(&out.path().display().to_string(), "results");
    // Columns may be as wide as the whole table needs.
    let words = |l: &str| l.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut rest = printed.lines();
    for line in block.lines().filter(|l| *l != "…") {
        assert!(
            rest.any(|l| words(l) == words(line)),
            "not printed, or not in this place: {line}"
        );
    }
}

#[test]
fn the_files_shown_are_valid() {
    let root = env!("CARGO_MANIFEST_DIR");
    let readme = std::fs::read_to_string(format!("{root}/README.md")).unwrap();
    let blocks: Vec<&str> = readme
        .split("```toml\n")
        .skip(1)
        .filter_map(|s| s.split("```").next())
        .collect();
    assert_eq!(blocks.len(), 3, "a case, its studies, and a tolerance file");
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("cases/my_top.toml", &[blocks[0], blocks[1]].concat());
    write("expected/my_top.toml", blocks[2]);
    Command::cargo_bin("topsim")
        .unwrap()
        .current_dir(dir.path())
        .args(["run", "cases/my_top.toml"])
        .assert()
        .success();
}
