#!/usr/bin/env python3
"""Scores the tests of this folder with `topsim gate` and writes the table of README.md: score.py [--topsim PROGRAM] [PROJECT…].

A wrong solver is caught if the test rejects it on one of its problems. A right one is accepted if it is on all of them.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PAGE, BEGIN, END = HERE/"README.md", "<!-- scores -->\n", "<!-- end of scores -->\n"
ESPRESSO = ["spin_1", "spin_2", "spin_3", "torque_1", "torque_2", "torque_3", "torque_sphere", "axis_1", "axis_2", "axis_3", "energy"]
# Project: the problems of its test, and that of the stronger one.
PROJECTS = {
    "newton": (["newton"], "newton"),
    "espresso": ([f"espresso_{part}" for part in ESPRESSO], "espresso_strong"),
    "yade": (["yade"], "yade"),
    "gazebo": (["gazebo"], "gazebo"),
    "kynema": (["kynema"], "kynema_strong"),
    "solfec": (["solfec"], "solfec_strong"),
}


def answers(topsim, case, words, folder):
    """Returns what a test says of each right and each wrong solver on a case: the name, and accepted, rejected, time_limit or hidden."""
    command = [topsim, "gate", f"{HERE/case}.toml", "--least", "0", "--quiet", "--out", f"{folder}/{case}", "--test", " ".join(words)]
    ended = subprocess.run(command, capture_output=True, text=True)
    if ended.returncode not in (0, 1):
        sys.exit(f"{case}: {ended.stderr}")
    told = json.loads(pathlib.Path(folder, case, "gate.json").read_text())
    right, wrong = ({a["solver"]: a["verdict"] for a in told["answers"] if a["right"] is kind} for kind in (True, False))
    return right, wrong | dict.fromkeys(told["hidden"], "hidden")


def together(parts):
    """Returns the verdicts on several problems as one."""
    right, wrong = {}, {}
    for each_right, each_wrong in parts:
        for name, verdict in each_right.items():
            right[name] = verdict if right.get(name, "accepted") == "accepted" else right[name]
        for name, verdict in each_wrong.items():
            known = wrong.get(name, "hidden")
            wrong[name] = "rejected" if "rejected" in (known, verdict) else known if verdict == "hidden" else verdict
    return right, wrong


def score(topsim, project, folder):
    """Returns the row of a project and the wrong solvers that its test lets pass."""
    cases, strong = PROJECTS[project]
    own = []
    for case in cases:
        words = [sys.executable, f"{HERE/project}.py", "{history}"]
        if project == "espresso":
            words.insert(2, case.removeprefix("espresso_"))
        own.append(answers(topsim, case, words, folder))
    right, wrong = together(own)
    words = [sys.executable, str(HERE/"strong.py"), f"{HERE/strong}.toml", "{steps}", "{histories}"]
    strong_right, strong_wrong = answers(topsim, strong, words, folder)

    def part(verdicts, wanted):
        shown = [v for v in verdicts.values() if v != "hidden"]
        return f"{shown.count(wanted)} of {len(shown)}"
    hidden = [name for name, v in wrong.items() if v == "hidden" and strong_wrong[name] != "hidden"]
    cells = [f"[{project}.py]({project}.py)", part(wrong, "rejected"), part(right, "accepted"), str(len(hidden)),
             f"[{strong}.toml]({strong}.toml)", part(strong_wrong, "rejected"), part(strong_right, "accepted")]
    return "| " + " | ".join(cells) + " |\n", sorted(n for n, v in wrong.items() if v in ("accepted", "time_limit")), hidden


if __name__ == "__main__":
    about = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    about.add_argument("--topsim", default="topsim")
    about.add_argument("projects", nargs="*", metavar="PROJECT", help="print the rows of these; without one, write the page")
    given = about.parse_args()
    table = "| test | wrong ones rejected | right ones accepted | wrong ones that its start hides | problem of the stronger test | wrong ones rejected | right ones accepted |\n|---|---|---|---|---|---|---|\n"
    names = ""
    with tempfile.TemporaryDirectory() as folder:
        for project in given.projects or PROJECTS:
            row, passed, hidden = score(given.topsim, project, folder)
            table += row
            names += f"- **{project}** lets pass: {'; '.join(passed) or 'none'}." + (f" Its start hides: {'; '.join(hidden)}." if hidden else "") + "\n"
    if given.projects:
        print(table + "\n" + names)
        sys.exit()
    before, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(before + BEGIN + table + "\n" + names + END + rest.split(END)[1])
