#!/usr/bin/env python3
"""Gives engines one body in the four forms in which export.py writes inertia, and writes docs/engines-inertia.md.

    scripts/adapters/install all
    scripts/adapters/forms.py                    runs everything, keeps the answers, writes the page
    scripts/adapters/forms.py --redraw           writes the page from the answers kept
    scripts/adapters/forms.py --engine mujoco    runs one engine only; the others from the answers kept

Each history is computed twice, and must come out the same. Remarks are in forms.toml beside this file. Needs Python 3.11,
standard library only, and a built topsim.
"""

import argparse
import datetime
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tomllib

import engines
import engines_page
import export

HERE, ROOT = engines.HERE, engines.ROOT


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topsim", default=str(ROOT / "target/release/topsim"), help="the program that poses problems and judges")
    parser.add_argument("--environments", default=os.environ.get("TOPSIM_ADAPTERS", str(HERE / ".venv")))
    parser.add_argument("--answers", default=str(ROOT / "results/engines-inertia"), help="folder of the answers kept")
    parser.add_argument("--page", default=str(ROOT / "docs/engines-inertia.md"))
    parser.add_argument("--engine", action="append", help="run this engine only; once for each")
    parser.add_argument("--redraw", action="store_true", help="run nothing")
    return parser.parse_args()


def topsim(options, *arguments):
    done = subprocess.run([options.topsim, *arguments], capture_output=True, text=True, cwd=HERE)
    if done.returncode not in (0, 1):
        sys.exit(f"forms.py: topsim {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def problem(options, plan):
    """Returns the problem of a case at its finest step."""
    finest = f"{min(plan['steps']):g}"
    return json.loads(topsim(options, "judge", plan["file"], "--problem", "--steps", finest))


def histories(options, config, engine, setting, case, model, environment=None):
    """Returns a table for each step, or the last line that the adapter printed; both runs must agree. The environment is the engine's, or
    that of one of its versions."""
    steps = config["cases"][case]["steps"]
    lines = [topsim(options, "judge", config["cases"][case]["file"], "--problem", "--steps", f"{h:g}") for h in steps]
    python = engines.python_of(options, environment or engine)
    command = [python, HERE / f"{engine}_solver.py", "--setting", setting]
    command += ["--model", model] if model else []
    answers = []
    for _ in range(2):
        tables = []
        for line in lines:
            try:
                done = subprocess.run(command, input=line, capture_output=True, text=True, timeout=300)
            except subprocess.TimeoutExpired:
                tables.append((None, "stopped after 300 s"))
                break
            said = [text for text in done.stderr.splitlines() if "_solver.py: " in text] or done.stderr.splitlines()[-1:]
            tables.append((done.stdout, None) if done.returncode == 0 else (None, said[-1] if said else f"status {done.returncode}"))
            if done.returncode:
                break
        answers.append(tables)
    if answers[0] != answers[1]:
        return None, "two runs differ"
    tables, said = [table for table, _ in answers[0]], answers[0][-1][1]
    if said and model:
        said = said.replace(str(model), "the file")
    return (None, said.split("_solver.py: ")[-1]) if said else (tables, None)


def attitudes(table):
    rows = [line.split(",") for line in table.splitlines()]
    first = rows[0].index("qw")
    return [[float(x) for x in row[first : first + 4]] for row in rows[1:]]


def distance(one, other):
    """Returns the largest angle between attitudes of the same rows, rad."""
    worst = 0.0
    for p, q in zip(attitudes(one), attitudes(other), strict=True):
        away = min(math.dist(p, q), math.dist(p, [-x for x in q]))
        worst = max(worst, 4.0 * math.asin(min(1.0, 0.5 * away)))
    return worst


def judged(options, config, case, folder, tables):
    paths = []
    for k, table in enumerate(tables):
        paths += ["--history", str(folder / f"{k}.csv")]
        (folder / f"{k}.csv").write_text(table)
    steps = ",".join(f"{h:g}" for h in config["cases"][case]["steps"])
    said = topsim(options, "judge", config["cases"][case]["file"], *paths, "--steps", steps, "--format", "json")
    report = json.loads(said)
    return engines_page.numbers(engines.flat(report)["cases"][0])


def run_all(options, config):
    folder = pathlib.Path(options.answers)
    folder.mkdir(parents=True, exist_ok=True)
    for case, plan in config["cases"].items():
        for kind in config["formats"]:
            export.write(problem(options, plan), kind, folder / "models")
    for engine in options.engine or list(config["engines"]):
        plan, told, answers = config["engines"][engine], engines.describe(options, engine), {}
        for case, about in config["cases"].items():
            setting = plan["held" if about["held"] else "free"]
            own, said = histories(options, config, engine, setting, case, None)
            if said:
                sys.exit(f"forms.py: {engine} on {case}, with no file: {said}")
            for kind in plan["formats"]:
                for form in export.FORMS:
                    model = folder / f"models/{case}_{form}.{config['formats'][kind]}"
                    tables, said = histories(options, config, engine, setting, case, model)
                    answer = {"said": said}
                    if tables:
                        answer = {"away": distance(tables[-1], own[-1]), **judged(options, config, case, folder, tables)}
                    answers[f"{case} {kind} {form}"] = answer
                    print(engine, case, kind, form, cell(answer), file=sys.stderr)
        kept = {"date": datetime.date.today().isoformat(), "version": told["version"], "answers": answers}
        (folder / f"{engine}.json").write_text(json.dumps(kept, indent=1))


def cell(answer):
    if answer["said"] and "passed" not in answer:
        said = answer["said"].split("does not read this file: ")[-1].replace("The file the file", "The file")
        # Its line may change with the head of the file.
        return "not read: " + re.sub(r"^the file:\d+: (error: )?", "", said)
    away = "to round-off" if answer["away"] < 1e-12 else f"to {engines_page.size(answer['away'])}"
    if answer["passed"]:
        return f"passed, {away}"
    causes = ", ".join(f"`{cause}`" for cause in answer["causes"])
    return f"FAILED, by {engines_page.size(answer['away'])} rad" + (f"; {causes}" if causes else "")


def page(options, config):
    folder, out = pathlib.Path(options.answers), []
    kept = {e: json.loads((folder / f"{e}.json").read_text()) for e in config["engines"] if (folder / f"{e}.json").exists()}
    dates = sorted({k["date"] for k in kept.values()})
    out += ["# One body, four ways to say its inertia", ""]
    out += ["<!-- Made by scripts/adapters/forms.py from real runs; remarks are in scripts/adapters/forms.toml. Do not edit. -->", ""]
    out += [config["intro"].strip(), "", f"Run {' to '.join(dict.fromkeys([dates[0], dates[-1]]))}.", ""]
    out += ["## What was found", "", config["found"].strip(), ""]
    for case, plan in config["cases"].items():
        out += [f"## {case}", "", plan["note"].strip(), ""]
        out += [engines_page.line(["engine, setting", "file", *export.FORMS]), "|" + "---|" * (2 + len(export.FORMS))]
        for engine, k in kept.items():
            about = config["engines"][engine]
            setting = about["held" if plan["held"] else "free"]
            for kind in about["formats"]:
                cells = [cell(k["answers"][f"{case} {kind} {form}"]) for form in export.FORMS]
                cells = [shared(cells), "", "", ""] if shared(cells) else cells
                out.append(engines_page.line([f"{k['version']}, {setting}", kind, *cells]))
        out.append("")
    out += ["## Repeat it", "", config["repeat"].strip()]
    pathlib.Path(options.page).write_text("\n".join(out).rstrip() + "\n")


def shared(cells):
    """Returns the common reason if none of the four forms can be read."""
    said = set(cells)
    return cells[0] if len(said) == 1 and cells[0].startswith("not read") else None


def main():
    chosen = options()
    config = tomllib.loads((HERE / "forms.toml").read_text())
    for name in chosen.engine or []:
        if name not in config["engines"]:
            sys.exit(f"forms.py: no engine {name!r}; there are {', '.join(config['engines'])}")
    if not chosen.redraw:
        run_all(chosen, config)
    page(chosen, config)


if __name__ == "__main__":
    main()
