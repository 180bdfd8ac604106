#!/usr/bin/env python3
"""Judges the installed engines and writes docs/engines.md.

    scripts/adapters/install all
    scripts/adapters/engines.py                    runs everything, keeps the answers, writes the page
    scripts/adapters/engines.py --redraw           writes the page from the answers kept
    scripts/adapters/engines.py --engine mujoco    runs one engine only; the others from the answers kept
    scripts/adapters/engines.py --case judging     runs the set made for judging (`judge --all`) only

Steps, spans and remarks are in engines.toml beside this file; engines without a remark there are those of docs/engines-further.md. Needs Python 3.11, standard library only, and a built topsim.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import platform
import shlex
import subprocess
import sys
import tomllib

import engines_page

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topsim", default=str(ROOT / "target/release/topsim"), help="the program to judge with")
    parser.add_argument("--environments", default=os.environ.get("TOPSIM_ADAPTERS", str(HERE / ".venv")))
    parser.add_argument("--answers", default=str(ROOT / "results/engines"), help="folder of the answers kept")
    parser.add_argument("--page", default=str(ROOT / "docs/engines.md"))
    parser.add_argument("--engine", action="append", help="run this engine only; once for each")
    parser.add_argument("--case", action="append", help="run this case only, or 'judging'; once for each")
    parser.add_argument("--jobs", type=int, default=1, help="judges at a time; each runs its steps in parallel")
    parser.add_argument("--redraw", action="store_true", help="run nothing")
    return parser.parse_args()


def python_of(options, engine):
    return pathlib.Path(options.environments) / engine / "bin/python"


def describe(options, engine):
    """Returns version and settings as the adapter reports them."""
    done = subprocess.run(
        [python_of(options, engine), HERE / f"{engine}_solver.py", "--settings"], capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(f"engines.py: {engine} is not installed in {options.environments}: {done.stderr.strip()[-300:]}")
    return json.loads(done.stdout)


def flat(report):
    """Returns the report with the histories of each case in place of its items."""
    return {**report, "cases": [case["items"][0] for case in report["cases"]]}


def judge(options, config, engine, setting, case):
    """Runs topsim and returns its JSON, or the last lines of its output instead."""
    solver = shlex.join([str(python_of(options, engine)), str(HERE / f"{engine}_solver.py"), "--setting", setting])
    arguments = shlex.split(engines_page.arguments(config, case))
    command = [options.topsim, "judge", *arguments, "--solver", solver, "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        report = flat(json.loads(done.stdout))
    except json.JSONDecodeError:
        report = None
    said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    date = datetime.date.today().isoformat()
    return {"date": date, "report": report, "status": done.returncode, "said": said[-4:]}


def run_all(options, config):
    folder = pathlib.Path(options.answers)
    folder.mkdir(parents=True, exist_ok=True)
    jobs = []
    for engine in options.engine or engines_page.with_tables(config):
        told = describe(options, engine)
        (folder / f"{engine}.json").write_text(json.dumps(told, indent=1))
        cases = options.case or [*config["cases"], "judging"]
        jobs += [(engine, s, c) for s in told["settings"] for c in cases if engines_page.asked(config, s, c)]
    with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
        waiting = {pool.submit(judge, options, config, *job): job for job in jobs}
        for at, done in enumerate(concurrent.futures.as_completed(waiting), 1):
            engine, setting, case = waiting[done]
            answer = done.result()
            (folder / f"{engine}.{setting}.{case}.json").write_text(json.dumps(answer, indent=1))
            print(f"{at:3d}/{len(jobs)} {engine} {setting} {case}: status {answer['status']}", file=sys.stderr)
    version = subprocess.run([options.topsim, "--version"], capture_output=True, text=True).stdout.strip()
    machine = f"Python {platform.python_version()}, {platform.system()} on {platform.machine()}"
    (folder / "made.json").write_text(json.dumps({"topsim": version, "machine": machine}))


def main():
    chosen = options()
    config = tomllib.loads((HERE / "engines.toml").read_text())
    known = {"engine": engines_page.with_tables(config), "case": [*config["cases"], "judging"]}
    for kind, names in (("engine", chosen.engine), ("case", chosen.case)):
        for name in names or []:
            if name not in known[kind]:
                sys.exit(f"engines.py: no {kind} {name!r}; there are {', '.join(known[kind])}")
    if not chosen.redraw:
        run_all(chosen, config)
    pathlib.Path(chosen.page).write_text(engines_page.page(pathlib.Path(chosen.answers), config))


if __name__ == "__main__":
    main()
