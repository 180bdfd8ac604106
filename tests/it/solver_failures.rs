//! `topsim judge --solver`: every way to fail, each told apart from the others, and nothing that outlives its time.

use crate::solver::{count, folder, history, script};
use crate::support::{Folder, Said};
use serde_json::Value;

/// Judges a script on one step, where it fails with one message; the last lines of the script are told beside it.
fn failing(text: &str, kind: &str, words: &[&str]) -> Said {
    let dir = folder();
    let one = ["--steps", "0.05", "--format", "json"];
    let said = script(&dir, text, &one, 3);
    let found = history(&said);
    assert_eq!(
        (count(&found["files"]), count(&found["failed"])),
        (0, 1),
        "{text}"
    );
    let failed = &found["failed"][0];
    assert_eq!(failed["kind"], kind, "{text}: {failed}");
    assert_eq!(failed["step"], 0.05);
    assert_eq!(found["outcome"], "incomplete");
    let mut told = failed["message"].as_str().unwrap().to_owned();
    for line in failed["stderr"].as_array().unwrap() {
        told += &format!("\n| {}", line.as_str().unwrap());
    }
    for w in words {
        assert!(told.contains(w), "no {w:?} in {told}");
    }
    said
}

#[test]
fn crashes_are_told_with_their_last_words() {
    let status = "the command failed (exit status: 3) and wrote nothing on standard output";
    failing(
        "echo 'division by zero' >&2; exit 3",
        "crash",
        &[status, "| division by zero"],
    );
    failing("kill -SEGV $$", "crash", &["signal: 11"]);
    let cut = "\"$GOOD\" | head -n 5; echo 'out of memory' >&2; exit 7";
    let words = [
        "(exit status: 7); its output, line ",
        "found 4 rows",
        "allowed: 21",
        "| out of memory",
    ];
    failing(cut, "crash", &words);
    failing(
        "\"$GOOD\"; exit 4",
        "crash",
        &["(exit status: 4), although all rows wanted are there"],
    );
    // Half a number.
    failing(
        "\"$GOOD\" | head -c 500; exit 1",
        "crash",
        &["(exit status: 1); its output, line "],
    );
    // Only the end of what is long, and nothing that a terminal would obey.
    let long = "i=0; while [ $i -lt 2000 ]; do echo \"line $i\"; i=$((i+1)); done >&2; printf '\\033[31mred' >&2; exit 1";
    let said = failing(long, "crash", &["| line 1999", "| \u{fffd}[31mred"]);
    assert!(!said.out.contains("line 1000\""), "{}", said.out);
    script(&folder(), long, &["--steps", "0.05"], 3)
        .shows("✗ step 0.05: ")
        .shows("| \u{fffd}[31mred")
        .shows("INCOMPLETE  no step has a history");
}

#[test]
fn silence_and_garbage_are_told_apart() {
    failing("true", "silence", &["wrote nothing on standard output"]);
    failing("cat >/dev/null", "silence", &["wrote nothing"]);
    let said = failing(
        "cat",
        "garbage",
        &["its output begins with `{\"protocol\":1", "no column `t`"],
    );
    assert!(said.out.len() < 5000, "{}", said.out);
    failing("yes", "garbage", &["begins with `y`", "no column `t`"]);
    failing(
        "echo Starting...; \"$GOOD\"",
        "garbage",
        &["begins with `Starting...`"],
    );
    failing(
        "printf '\\033[2Jx\\377\\n'",
        "garbage",
        &["begins with `\u{fffd}[2Jx\u{fffd}`"],
    );
    failing("echo t,qw,qx,qy", "garbage", &["without `qz`"]);
    failing("printf 't,q0,q1,q2,q3\\n'", "garbage", &["--quaternion"]);
    failing(
        "echo Traceback; exit 1",
        "crash",
        &["(exit status: 1); its output begins with `Traceback`"],
    );
}

#[test]
fn rows_must_be_those_wanted() {
    failing(
        "\"$GOOD\" | head -n 5",
        "rows",
        &["found 4 rows of numbers; allowed: 21, one for each of `times`"],
    );
    failing("\"$GOOD\" | head -n 1", "rows", &["found 0 rows"]);
    failing(
        "\"$GOOD\"; echo 1.05,1,0,0,0,0,0,0",
        "rows",
        &["line 23", "found row 21 (t = 1.05)", "allowed: 21 rows"],
    );
    failing(
        "\"$GOOD\" | sed 's/^0.1,/0.11,/'",
        "rows",
        &["line 4: column `t`: found t = 0.11 in row 2; allowed: 0.1"],
    );
    failing("\"$GOOD\" | sed 2d", "rows", &["found t = 0.05 in row 0"]);
    failing(
        "\"$GOOD\" | sed '5s/.*/oops/'",
        "rows",
        &["line 5: found 1 fields; allowed: 8"],
    );
    failing(
        "\"$GOOD\" | sed '5s/,[^,]*$/,x/'",
        "rows",
        &["line 5: column `W3`: found `x`"],
    );
    failing(
        "\"$GOOD\" | sed '2,$s/,[^,]*$/,inf/'",
        "rows",
        &["not finite, in row 0"],
    );
}

#[test]
fn what_cannot_be_started_is_named() {
    let dir = folder();
    dir.write("plain.txt", "text");
    for (command, words) in [
        ("no-such-solver --x", "cannot start `no-such-solver`"),
        ("./plain.txt", "cannot start `./plain.txt`"),
        (".", "cannot start `.`"),
        ("'a b'", "cannot start `a b`"),
    ] {
        let args = ["judge", "small.toml", "--solver", command, "--steps", "0.1"];
        let said = dir.expect(&args, 3);
        assert!(
            said.out.contains(words) && said.out.contains("sh -c"),
            "{}",
            said.out
        );
    }
}

/// Returns the report on a script that does not end. The script makes the file `there` when it has come far enough,
/// which may take long on a busy machine.
fn out_of_time(dir: &Folder, text: &str) -> Value {
    for seconds in ["1", "5", "25", "125", "625"] {
        let options = [
            "--steps",
            "0.05",
            "--format",
            "json",
            "--time-limit",
            seconds,
        ];
        let found = history(&script(dir, text, &options, 3));
        let failed = &found["failed"][0];
        assert_eq!(failed["kind"], "time_limit", "{text}: {failed}");
        let message = failed["message"].as_str().unwrap();
        let limit = format!("stopped after the time limit of {seconds} s");
        assert!(message.contains(&limit), "{message}");
        if dir.join("there").exists() {
            return failed.clone();
        }
    }
    panic!("ten minutes do not suffice for {text}");
}

/// Solvers that are mostly waited for, all at once.
fn side_by_side<T: Sync>(cases: &[T], judge: impl Fn(&T) + Sync) {
    std::thread::scope(|scope| {
        for case in cases {
            scope.spawn(|| judge(case));
        }
    });
}

/// Whatever hangs would hang this test.
#[test]
fn nothing_runs_beyond_its_time() {
    let endless = "touch there; sleep 1000000";
    let talks = "echo 'still working' >&2; touch there; yes 'still working' >&2";
    let (nothing, part) = ("it had written nothing", "its output was not complete");
    let cases = [
        (endless.to_string(), nothing),
        (
            format!("trap '' TERM INT HUP; {endless}; {endless}"),
            nothing,
        ),
        (format!("\"$GOOD\"; {endless}"), part),
        (format!("\"$GOOD\"; exec >&-; {endless}"), part),
        (format!("printf t,; {endless}"), part),
        (talks.to_string(), "stopped"),
    ];
    side_by_side(&cases, |(text, words)| {
        let failed = out_of_time(&folder(), text);
        let message = failed["message"].as_str().unwrap();
        assert!(message.contains(words), "{text}: {message}");
        if text == talks {
            assert_eq!(failed["stderr"][0], "still working");
        }
    });
}

/// Tests scripts whose output has no end; no time limit stops them.
#[test]
fn output_without_end_is_cut_short() {
    let long = "65536 bytes and no end of a row";
    let rows = |text| format!("echo t,qw,qx,qy,qz; {text}");
    let cases = [
        ("cat /dev/zero".into(), "garbage", long),
        (rows("cat /dev/zero"), "rows", long),
        (rows("yes ''"), "rows", long),
        (rows("printf '\"'; yes 0,1,0,0,0"), "rows", long),
        (rows("yes 0,1,0,0,0"), "rows", "found t = 0 in row 1"),
        (
            "\"$GOOD\"; yes 2,1,0,0,0,0,0,0".into(),
            "rows",
            "after all rows wanted",
        ),
    ];
    side_by_side(&cases, |(text, kind, words)| {
        failing(text, kind, &["found", words]);
    });
}

#[cfg(target_os = "linux")]
mod processes {
    use super::out_of_time;
    use crate::solver::{folder, judging, script};
    use crate::support::{alive, signal, wait_until};

    #[test]
    fn children_end_with_their_solver() {
        let dir = folder();
        out_of_time(&dir, "sleep 1000000 & echo $! > pid; touch there; wait");
        wait_until(|| !alive(&dir.read("pid")));
        // Left behind with the output open: the rows are there, and the step is judged.
        let left = "\"$GOOD\"; sleep 1000000 & echo $! > pid";
        script(&dir, left, &["--steps", "0.05"], 0);
        wait_until(|| !alive(&dir.read("pid")));
    }

    /// A daemon has left the group and its parent has ended: it holds nothing up, and ends with the judging. What others
    /// have started does not.
    #[test]
    fn daemons_end_with_the_judging() {
        let dir = folder();
        let mut other = std::process::Command::new("sleep");
        let other = other.arg("1000000").env("TOPSIM_JUDGED", "another");
        let mut other = other.spawn().unwrap();
        let fled = "(setsid sh -c 'echo $$ >> pids; exec sleep 1000000' &); \
                    until test -s pids; do sleep 0.01; done; \"$GOOD\"";
        script(&dir, fled, &["--steps", "0.05"], 0);
        let pids = dir.read("pids");
        assert!(pids.lines().count() > 1, "{pids}");
        for pid in pids.lines() {
            wait_until(|| !alive(pid));
        }
        assert_eq!(other.try_wait().unwrap(), None);
        other.kill().unwrap();
        other.wait().unwrap();
    }

    #[test]
    fn an_interrupt_ends_everything() {
        let dir = folder();
        let text = "echo $$ > pid; exec sleep 1000000";
        let args = judging(&dir, text, &["--steps", "0.05"]);
        let mut command = dir.command(&args);
        command.stderr(std::process::Stdio::null());
        let mut topsim = command.spawn().unwrap();
        wait_until(|| {
            assert_eq!(topsim.try_wait().unwrap(), None, "it is over");
            std::fs::read_to_string(dir.join("pid")).is_ok_and(|pid| pid.ends_with('\n'))
        });
        signal("INT", &topsim.id().to_string());
        assert_eq!(topsim.wait().unwrap().code(), Some(130));
        wait_until(|| !alive(&dir.read("pid")));
    }
}
