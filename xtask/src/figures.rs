//! Figures of the documentation, drawn from the built-in cases. A list holds the hashes of all figures; only
//! those shown in a document are kept as files.

use super::{TaskResult, read, topsim};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const FOLDER: &str = "docs/figures";
/// List of hashes, with a line `hash  name.svg` for each figure, as `sha256sum` writes it.
const LIST: &str = "docs/figures/SHA256SUMS";

/// Draws all figures again: the list, and the kept files.
pub fn renew() -> TaskResult<()> {
    let drawn = FigureFolder::new("svg,png")?;
    for stem in drawn
        .list
        .keys()
        .filter_map(|name| name.strip_suffix(".svg"))
    {
        for ending in ["svg", "png"] {
            let file = format!("{stem}.{ending}");
            let kept = Path::new(FOLDER).join(&file);
            if kept.exists() {
                std::fs::copy(drawn.folder.join(&file), &kept)
                    .map_err(|e| format!("cannot write {file}: {e}"))?;
            }
        }
    }
    std::fs::write(LIST, text(&drawn.list)).map_err(|e| format!("cannot write {LIST}: {e}"))
}

/// Reports figures that differ from the list and the kept files.
pub fn check() -> TaskResult<()> {
    let drawn = FigureFolder::new("svg")?;
    let mut kept = BTreeMap::new();
    for name in drawn.list.keys() {
        if let Ok(bytes) = std::fs::read(Path::new(FOLDER).join(name)) {
            kept.insert(name.clone(), hash(&bytes));
        }
    }
    match differences(&drawn.list, &parse(&read(LIST)?), &kept)[..] {
        [] => Ok(()),
        ref all => Err(format!(
            "{}\n`cargo xtask figures` draws them anew",
            all.join("\n")
        )),
    }
}

/// Describes the differences from the list and the kept files, one line for each figure.
fn differences(
    drawn: &BTreeMap<String, String>,
    list: &BTreeMap<String, String>,
    kept: &BTreeMap<String, String>,
) -> Vec<String> {
    let stale = drawn.iter().filter(|(name, hash)| {
        list.get(*name) != Some(hash) || kept.get(*name).is_some_and(|kept| kept != *hash)
    });
    let stale = stale.map(|(name, _)| format!("{name}: differs or is missing"));
    let gone = list.keys().filter(|name| !drawn.contains_key(*name));
    stale
        .chain(gone.map(|name| format!("{name}: no case draws it")))
        .collect()
}

/// Temporary folder with the figures of all built-in cases, removed on drop.
struct FigureFolder {
    folder: PathBuf,
    /// Hashes by file name.
    list: BTreeMap<String, String>,
}

impl FigureFolder {
    fn new(formats: &str) -> TaskResult<Self> {
        let name = format!("topsim-figures-{}", std::process::id());
        let mut drawn = Self {
            folder: std::env::temp_dir().join(name),
            list: BTreeMap::new(),
        };
        let out = drawn.folder.display().to_string();
        topsim(&[
            "figures",
            "--no-times",
            "--quiet",
            "--figure-format",
            formats,
            "--out",
            &out,
        ])?;
        drawn.draw_judged()?;
        super::speed::draw(&drawn.folder)?;
        let files =
            std::fs::read_dir(&drawn.folder).map_err(|e| format!("cannot read {out}: {e}"))?;
        for file in files {
            let path = file.map_err(|e| format!("cannot read {out}: {e}"))?.path();
            if path.extension().is_some_and(|ending| ending == "svg") {
                let bytes = std::fs::read(&path)
                    .map_err(|e| format!("cannot read {}: {e}", path.display()))?;
                let name = path
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                drawn.list.insert(name, hash(&bytes));
            }
        }
        Ok(drawn)
    }

    /// Draws the figure of docs/judging.md: histories of a scheme, judged like those of an external solver.
    fn draw_judged(&self) -> TaskResult<()> {
        let (case, scheme) = ("judge_top", "liemid_ea");
        let [run, judged] = ["run", "judged"].map(|name| self.folder.join(name));
        let text = |path: &Path| path.display().to_string();
        topsim(&[
            "run",
            case,
            "--schemes",
            scheme,
            "--no-checks",
            "--no-figures",
            "--quiet",
            "--out",
            &text(&run),
        ])?;
        let mut args = vec!["judge".into(), case.into(), "--quiet".into()];
        args.extend(["--out".into(), text(&judged)]);
        let histories = std::fs::read_dir(run.join(case)).map_err(|e| format!("{case}: {e}"))?;
        for history in histories {
            let path = history.map_err(|e| format!("{case}: {e}"))?.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            if let Some(step) = name.strip_prefix(&format!("{scheme}_h")) {
                args.extend(["--history".into(), text(&path)]);
                args.extend(["--steps".into(), step.into()]);
            }
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        topsim(&args)?;
        for ending in ["svg", "png"] {
            let from = judged.join(case).join(format!("order.{ending}"));
            let to = self.folder.join(format!("{case}_judged_order.{ending}"));
            std::fs::copy(&from, &to).map_err(|e| format!("cannot copy {}: {e}", text(&from)))?;
        }
        Ok(())
    }
}

impl Drop for FigureFolder {
    fn drop(&mut self) {
        // If the removal fails, the rest stays in the folder of temporary files.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect()
}

fn text(list: &BTreeMap<String, String>) -> String {
    list.iter()
        .map(|(name, hash)| format!("{hash}  {name}\n"))
        .collect()
}

fn parse(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().filter_map(|l| l.split_once("  "));
    lines
        .map(|(hash, name)| (name.into(), hash.into()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_missing_and_stale_figures_are_reported() {
        let of = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
            pairs
                .iter()
                .map(|(name, bytes)| ((*name).into(), hash(bytes.as_bytes())))
                .collect()
        };
        let drawn = of(&[("a.svg", "1"), ("b.svg", "2")]);
        assert_eq!(parse(&text(&drawn)), drawn);
        assert!(differences(&drawn, &drawn, &of(&[("a.svg", "1")])).is_empty());
        let list = of(&[("a.svg", "1"), ("c.svg", "3")]);
        let found = differences(&drawn, &list, &of(&[("a.svg", "edited")]));
        let expected = [
            "a.svg: differs or is missing",
            "b.svg: differs or is missing",
            "c.svg: no case draws it",
        ];
        assert_eq!(found, expected);
    }
}
