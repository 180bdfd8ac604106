//! The program as its users meet it: arguments, help, lists, pipes, colours.

use crate::support::{CHECK, Folder, TOP, files, repository, said};
use std::process::Stdio;

#[test]
fn no_argument_shows_the_help() {
    let folder = Folder::empty();
    let none: [&str; 0] = [];
    let said = folder.expect(&none, 0);
    said.shows("Usage").shows("Exit status");
    assert_eq!(said.err, "");
    folder.expect(&["--help"], 0);
    folder.expect(&["--version"], 0);
    folder
        .expect(&["rum"], 2)
        .complains("rum")
        .complains("'run'");
    folder
        .expect(&["run", "--jobs", "0"], 2)
        .complains("1..=1024");
    for bad in ["0", "-1", "nan", "soon"] {
        let said = folder.expect(&["run", &format!("--time-limit={bad}")], 2);
        said.complains("number of seconds");
    }
    assert!(folder.files().is_empty());
}

#[test]
fn list_and_show() {
    let folder = Folder::empty();
    let all = folder.expect(&["list"], 0);
    for name in [
        "heavy_top",
        "pinned_bar",
        "rig_pos",
        "rig_imp",
        "max_drift",
        "event_time",
        "escape_map",
    ] {
        all.shows(name);
    }
    let schemes = folder.expect(&["list", "schemes"], 0);
    schemes.shows("rig_imp").hides("heavy_top");
    let studies = folder.expect(&["list", "studies"], 0);
    studies.shows("work_precision").hides("heavy_top");
    let case = folder.expect(&["show", "heavy_top"], 0);
    case.shows("rig_imp h=0.009: 1112 steps").shows("[body]");
    let scheme = folder.expect(&["show", "rig_imp"], 0);
    scheme.shows("order 2").shows("max_iterations");
    let metric = folder.expect(&["show", "event_time"], 0);
    metric.shows("event (required)").shows("occurrence");
    let study = folder.expect(&["show", "convergence"], 0);
    study
        .shows("quantity")
        .hides("\n  kind:")
        .hides("\n  kind (");
    let said = folder.expect(&["show", "heavy_tap"], 2);
    said.complains("nothing is called `heavy_tap`");
    assert!(folder.files().is_empty());
}

/// Names that programs and papers have lead to schemes, and none is taken for one.
#[test]
fn other_names_lead_to_schemes() {
    let folder = Folder::empty();
    let said = folder.expect(&["show", "lgvi"], 0);
    said.shows("lgvi is dmv").shows("Moser");
    let said = folder.expect(&["show", "avian"], 0);
    said.shows("avian is jolt of a free body");
    let said = folder.expect(&["show", "dmv"], 0);
    said.shows("lgvi is dmv").shows("mclachlan_zanna is dmv");
    let said = folder.expect(&["scorecard", "nosquish"], 2);
    said.complains("did you mean `split3`?");
    let said = folder.expect(&["run", "catalogue", "--dry-run", "--schemes", "lgvi"], 2);
    said.complains("did you mean `dmv`?");
    let text = TOP.replace("\"rig_imp\"", "\"lgvi\"");
    assert_ne!(text, TOP);
    folder.write("other.toml", &text);
    let said = folder.expect(&["run", "other.toml", "--no-checks"], 2);
    said.complains("did you mean `dmv`?");
}

/// Whatever is listed can be shown.
#[test]
fn everything_listed_is_shown() {
    let folder = Folder::empty();
    for what in ["schemes", "metrics", "studies"] {
        let list = folder.expect(&["list", what], 0).out;
        let rows = list.lines().skip(3).filter(|l| !l.starts_with('─'));
        // Lines that go on begin with a blank in the first column.
        let names = rows.filter_map(|l| l.strip_prefix(' ')?.split(' ').next());
        let names: Vec<&str> = names.filter(|n| !n.is_empty()).collect();
        assert!(names.len() > 5, "{list}");
        for name in names {
            folder.expect(&["show", name], 0).shows(name);
        }
    }
}

#[test]
fn verdicts_are_shown() {
    let folder = Folder::empty();
    for (verdict, words) in [
        ("row0", "row 0 of a history is not where it should be"),
        ("claim/order", "what is claimed of the solver"),
        ("convergence", "study convergence"),
        ("relation/mirror", "docs/relations.md"),
    ] {
        folder
            .expect(&["show", verdict], 0)
            .shows("verdict ")
            .shows(words);
    }
}

#[test]
fn readers_that_leave() {
    let folder = Folder::empty();
    for args in [
        &["list"][..],
        &["--help"],
        &["schema", "case"],
        &["completions", "bash"],
    ] {
        let mut command = folder.command(args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // The pipe is closed before anything can be written to it.
        drop(child.stdout.take());
        let said = said(child.wait_with_output().unwrap());
        assert_eq!((said.status, said.err.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_is_full() {
    let folder = Folder::empty();
    for args in [&["list"][..], &["--help"], &["schema", "case"]] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let output = folder.command(args).stdout(full.unwrap()).output();
        let said = said(output.unwrap());
        assert_eq!(said.status, Some(4), "{args:?} {}", said.err);
        said.complains("cannot write to standard output");
    }
}

#[test]
fn no_colours_in_pipes() {
    let folder = Folder::of_top(&TOP.replace("end = 0.1", "end = -1.0"), CHECK);
    for value in [None, Some("1"), Some("")] {
        let mut command = folder.command(&["run", "top.toml"]);
        // Terminals are asked by their own variables, too.
        command
            .env("TERM", "xterm-256color")
            .env("COLORTERM", "truecolor");
        if let Some(value) = value {
            command.env("NO_COLOR", value);
        }
        let said = said(command.output().unwrap());
        assert_eq!(said.status, Some(2));
        said.complains("run.end");
        assert!(!said.err.contains('\u{1b}'), "{}", said.err);
    }
}

#[test]
fn schemas_and_completions() {
    let folder = Folder::empty();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = folder.expect(&["completions", shell], 0);
        script.shows("COMPLETE").shows("topsim");
    }
    folder.expect(&["run", "--help"], 0).hides("heavy_top");
    for (kind, files) in [("case", "cases"), ("expected", "expected")] {
        let schema = folder.expect(&["schema", kind], 0).json();
        let properties = schema["properties"].as_object().unwrap();
        for entry in std::fs::read_dir(repository(files)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|e| e != "toml") {
                continue;
            }
            let file: toml::Table = std::fs::read_to_string(&path).unwrap().parse().unwrap();
            for key in file.keys() {
                assert!(properties.contains_key(key), "{}: {key}", path.display());
            }
            for key in schema["required"].as_array().unwrap() {
                let has = file.contains_key(key.as_str().unwrap());
                assert!(has, "{}: {key}", path.display());
            }
        }
    }
}

/// Returns the completions that a shell offers after these words, of which the last is begun.
fn offered(folder: &Folder, words: &[&str]) -> Vec<String> {
    let mut command = folder.command(&[&["--", "topsim"], words].concat());
    command.env("COMPLETE", "bash");
    command.env("_CLAP_COMPLETE_INDEX", words.len().to_string());
    command
        .env("_CLAP_COMPLETE_COMP_TYPE", "9")
        .env("_CLAP_IFS", "\n");
    let said = said(command.output().unwrap());
    assert_eq!((said.status, said.err.as_str()), (Some(0), ""));
    said.out.lines().map(|l| l.trim().to_string()).collect()
}

#[test]
fn names_are_completed() {
    let folder = Folder::with("heavy_mine.toml", TOP);
    let cases = offered(&folder, &["run", "heavy_"]);
    for name in ["heavy_top", "heavy_asymmetric", "heavy_mine.toml"] {
        assert!(cases.iter().any(|c| c == name), "{name}: {cases:?}");
    }
    assert!(cases.iter().all(|c| c.starts_with("heavy_")), "{cases:?}");
    // Also after a comma.
    assert_eq!(
        offered(&folder, &["run", "--schemes", "terze,rig_p"]),
        ["terze,rig_pos"]
    );
    assert_eq!(offered(&folder, &["scorecard", "rig_n"]), ["rig_neg"]);
    assert_eq!(offered(&folder, &["show", "max_d"]), ["max_drift"]);
    assert_eq!(offered(&folder, &["run", "--format", "late"]), ["latex"]);
}

#[test]
fn pages_of_the_manual() {
    let folder = Folder::empty();
    let said = folder.expect(&["man"], 0);
    said.shows(".TH topsim 1").shows("Exit status");
    let said = folder.expect(&["man", "run"], 0);
    said.shows(".TH topsim-run 1").shows("\\-\\-schemes");
    let said = folder.expect(&["man", "jugde"], 2);
    said.complains("no command is called `jugde`; did you mean `judge`?");
}

/// Texts in a pipe are as wide as COLUMNS says, or 100 columns, and break between words.
#[test]
fn texts_fit_their_width() {
    let folder = Folder::of_top(TOP, CHECK);
    for (columns, width) in [(None, 100), (Some("70"), 70), (Some("nonsense"), 100)] {
        for args in [
            &["list"][..],
            &["show", "poisson_first"],
            &["show", "escape_map"],
            &["run", "top.toml", "--no-figures", "--verbose"],
        ] {
            let mut command = folder.command(args);
            command.env_remove("COLUMNS");
            if let Some(columns) = columns {
                command.env("COLUMNS", columns);
            }
            let said = said(command.output().unwrap());
            assert_eq!(said.status, Some(0), "{}", said.err);
            for line in said.out.lines() {
                let long = line.chars().count();
                // One word may be longer.
                let breaks = line.trim_start().contains(' ');
                assert!(long <= width || !breaks, "{args:?} {columns:?}: {line}");
            }
        }
    }
}

/// Schemas that editors and others read are those of the program.
#[test]
fn schemas_are_stored() {
    let folder = Folder::empty();
    let stored = std::fs::read_dir(repository("docs/schema")).unwrap();
    let mut count = 0;
    for path in stored.map(|e| e.unwrap().path()) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let kind = name.strip_suffix(".schema.json").expect("a schema");
        let schema = folder.expect(&["schema", kind], 0).out;
        let is_same = schema == std::fs::read_to_string(&path).unwrap();
        assert!(is_same, "{name}: `cargo xtask generate` renews it");
        count += 1;
    }
    assert!(count >= 4);
}

/// Names that are no text are named in messages, wherever they stand.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf_8_are_named() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let dir = Folder::empty();
    let odd = OsStr::from_bytes(b"od\xffd.toml");
    let run = [OsStr::new("run"), odd];
    dir.expect(&run, 2)
        .complains("found `od\u{fffd}d.toml`, which is not UTF-8");
    let judge = ["judge", "judge_top", "--history"].map(OsStr::new);
    dir.expect(&[&judge[..], &[odd]].concat(), 4)
        .complains("cannot read od\u{fffd}d.toml");
    std::fs::create_dir(dir.join("cases")).unwrap();
    std::fs::write(dir.join("cases").join(odd), "").unwrap();
    dir.expect(&["run", "cases"], 2)
        .complains("od\u{fffd}d.toml");
}

/// Texts of files reach no output as commands to a terminal, and no output as characters that XML lacks.
#[test]
fn control_characters_of_files_reach_no_output() {
    let bad = "a\\u001b[31mb\\u202ec\\ufffed\\u2066e\\u200ff";
    let dir = Folder::empty();
    let case = format!(
        "title = \"{bad}\"\nsummary = \"{bad}\"\nreferences = [\"{bad}\"]\nnotes = \"{bad}\"\n[body]\ninertia = [1.0, 2.0, 2.5]\n\
         [initial]\nangular_velocity = [0.3, 1.0, -0.5]\n[run]\nend = 1.0\nsteps = [0.02, 0.01, 0.005]\nsample = 0.1\n\
         schemes = [\"rig_pos\"]\n[reference]\n[[event]]\nname = \"{bad}\"\nquantity = \"W1\"\nkind = \"cross\"\n\
         [[figure]]\nkind = \"error\"\nquantity = \"attitude\"\ntitle = \"{bad}\"\n"
    );
    let check = format!(
        "case = \"odd\"\n[[check]]\nname = \"{bad}\"\nmeasure = {{ metric = \"error\", quantity = \"attitude\", at = \"end\" }}\n\
         allow = {{ max = 1e-12 }}\nkind = \"published\"\nsource = \"{bad}\"\n"
    );
    std::fs::create_dir(dir.join("expected")).unwrap();
    dir.write("odd.toml", case);
    dir.write("expected/odd.toml", check);
    let formats = ["human", "json", "junit", "markdown", "csv", "latex", "html"];
    let reports = formats.map(|f| format!("--report={f}=results/o.{f}"));
    let mut args = vec!["run", "odd.toml"];
    args.extend(reports.iter().map(String::as_str));
    let said = dir.expect(&args, 1);
    let mut texts = vec![
        ("stdout".to_string(), said.out),
        ("stderr".into(), said.err),
    ];
    for (path, bytes) in files(&dir.join("results")) {
        let name = path.display().to_string();
        if !name.ends_with("png") {
            texts.push((name, String::from_utf8(bytes).unwrap()));
        }
    }
    assert!(texts.len() > formats.len() + 5);
    for (name, text) in texts {
        let found = text.find(['\u{1b}', '\u{202e}', '\u{fffe}', '\u{2066}', '\u{200f}']);
        assert_eq!(found, None, "{name}");
    }
}
