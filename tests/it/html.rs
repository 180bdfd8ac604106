//! `report.html`: its size, its policy, what becomes of hostile texts, and where the cases are. `scripts/browser_test.py` opens it.

use crate::support::{CHECK, Folder, TOP};

/// The page of a run.
fn page(folder: &Folder, args: &[&str], status: i32) -> String {
    folder.expect(&[&["run", "--quiet"], args].concat(), status);
    folder.read("results/report.html")
}

/// The JSON of an element.
fn json(page: &str, id: &str) -> serde_json::Value {
    let from = page.find(&format!("id=\"{id}\"")).unwrap();
    let text = page[from..].split_once('>').unwrap().1;
    serde_json::from_str(text.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn the_page_of_the_heavy_top_is_small_and_asks_for_nothing() {
    let folder = Folder::empty();
    let page = page(&folder, &["heavy_top"], 0);
    assert!(page.len() <= 600_000, "{} bytes", page.len());
    assert!(page.contains("default-src 'none'; script-src 'sha256-"));
    for attribute in [
        " src=\"",
        "<link",
        "http-equiv=\"refresh\"",
        " onload=",
        " style=\"",
    ] {
        assert!(!page.contains(attribute), "{attribute}");
    }
    let data = json(&page, "topsim-data");
    let case = &data["cases"][0];
    assert_eq!(case["runs"].as_array().unwrap().len(), 9);
    assert_eq!(case["body"]["lever"], serde_json::json!([0.0, 0.0, 1.0]));
    assert_eq!(case["plots"][0]["marks"][0]["kind"], "slope");
    // Without a script the verdicts and the figures of files are there.
    assert_eq!(page.matches("<figure role=\"img\"").count(), 7);
    assert!(page.contains("H(0) as printed") && page.contains("Solfec validation manual"));
    // What differs from one command to the next keeps to lines of its own.
    let varies = page.lines().filter(|line| line.contains("data-varies"));
    assert_eq!(varies.count(), 2);
}

#[test]
fn hostile_texts_stay_texts() {
    let hostile = "</script><img src=x onerror=alert(1)>\u{202e}&\\\"";
    let case = TOP.replacen("title = \"", &format!("title = \"{hostile}"), 1);
    let case = case.replacen("summary = \"", &format!("summary = \"{hostile}"), 1);
    let folder = Folder::of_top(&case, CHECK);
    let page = page(&folder, &["top.toml"], 0);
    assert!(!page.contains("<img") && !page.contains('\u{202e}'));
    assert_eq!(page.matches("</script>").count(), 3);
    let shown = "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;\u{fffd}&amp;&quot;";
    assert!(page.matches(shown).count() >= 2);
    let title = json(&page, "topsim-data")["cases"][0]["title"].clone();
    assert!(title.as_str().unwrap().starts_with("</script><img src=x"));
}

#[test]
fn a_failure_stands_first_and_links_to_its_row() {
    let failing = CHECK.replace("max = 1.0", "max = 1e-30");
    let folder = Folder::of_top(TOP, &failing);
    let page = page(&folder, &["top.toml"], 1);
    assert!(page.contains("<h2>What failed</h2>") && page.contains("href=\"#check-0-0\""));
    assert!(page.contains("id=\"check-0-0\""));
    let good = Folder::of_top(TOP, CHECK);
    assert!(!self::page(&good, &["top.toml"], 0).contains("What failed"));
    // The format prints the same page, but for what differs from one command to the next.
    let printed = good.expect(&["run", "top.toml", "--format", "html"], 0).out;
    let rest = |page: &str| -> Vec<String> {
        let lines = page.lines().filter(|l| !l.contains("data-varies"));
        lines.map(String::from).collect()
    };
    assert!(rest(&printed) == rest(&good.read("results/report.html")));
}

#[test]
fn of_many_cases_each_has_a_page() {
    let folder = Folder::empty();
    for k in 0..9 {
        folder.write(&format!("cases/top{k}.toml"), TOP);
    }
    let index = page(&folder, &["cases", "--no-checks", "--no-figures"], 0);
    assert!(!index.contains("<details class=\"case\""));
    for k in 0..9 {
        assert!(index.contains(&format!("href=\"top{k}/report.html#case-top{k}\"")));
        let page = folder.read(format!("results/top{k}/report.html"));
        assert!(
            page.contains(&format!("id=\"case-top{k}\""))
                && page.contains("href=\"../report.html\"")
        );
    }
    // Of fewer cases no page of the others stays where they are written again.
    page(
        &folder,
        &["cases/top3.toml", "--no-checks", "--no-figures"],
        0,
    );
    assert!(!folder.join("results/top3/report.html").exists());
    assert!(
        folder
            .read("results/report.html")
            .contains("id=\"case-top3\"")
    );
}
