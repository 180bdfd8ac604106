//! What the README shows is what the program prints.

use crate::support::{Folder, repository_text};

#[test]
fn the_output_shown_is_real() {
    let readme = repository_text("README.md");
    let block = readme
        .split("<!-- checked by tests/it/readme.rs")
        .nth(1)
        .and_then(|s| s.split("```text\n").nth(1))
        .and_then(|s| s.split("```").next())
        .expect("the README shows a block");
    let folder = Folder::with(
        "cases/heavy_top.toml",
        &repository_text("cases/heavy_top.toml"),
    );
    for file in ["expected/heavy_top.toml", "expected/heavy_top.baseline.csv"] {
        folder.write(file, repository_text(file));
    }
    let said = folder.expect(&["run", "cases/heavy_top.toml", "--no-figures"], 0);
    // Columns may be as wide as the whole table needs.
    let words = |l: &str| l.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut rest = said.out.lines();
    for line in block.lines().filter(|l| *l != "…") {
        assert!(
            rest.any(|l| words(l) == words(line)),
            "not printed, or not in this place: {line}\n{}",
            said.out
        );
    }
}

#[test]
fn the_files_shown_are_valid() {
    let readme = repository_text("README.md");
    let blocks: Vec<&str> = readme
        .split("```toml\n")
        .skip(1)
        .filter_map(|s| s.split("```").next())
        .collect();
    assert_eq!(blocks.len(), 3, "a case, its studies, and a tolerance file");
    let case = [blocks[0], blocks[1]].concat();
    Folder::with("cases/my_top.toml", &case)
        .and("expected/my_top.toml", blocks[2])
        .expect(&["run", "cases/my_top.toml"], 0);
}
