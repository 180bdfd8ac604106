#!/usr/bin/env python3
"""Judges the installed engines on four cases and writes docs/engines.md.

    scripts/adapters/install all
    scripts/adapters/engines.py                    runs everything, keeps the answers, writes the page
    scripts/adapters/engines.py --redraw           writes the page from the answers kept
    scripts/adapters/engines.py --engine mujoco    runs one engine only; the others from the answers kept

Steps, spans and remarks are in engines.toml beside this file. Needs Python 3.11, standard library only, and a built topsim.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topsim", default=str(ROOT / "target/release/topsim"), help="the program to judge with")
    parser.add_argument("--environments", default=os.environ.get("TOPSIM_ADAPTERS", str(HERE / ".venv")))
    parser.add_argument("--answers", default=str(ROOT / "results/engines"), help="folder of the answers kept")
    parser.add_argument("--page", default=str(ROOT / "docs/engines.md"))
    parser.add_argument("--engine", action="append", help="run this engine only; once for each")
    parser.add_argument("--case", action="append", help="run this case only; once for each")
    parser.add_argument("--jobs", type=int, default=1, help="judges at a time; each runs its steps in parallel")
    parser.add_argument("--redraw", action="store_true", help="run nothing")
    return parser.parse_args()


def python_of(options, engine):
    return pathlib.Path(options.environments) / engine / "bin/python"


def describe(options, engine):
    """Version and settings as the adapter tells them."""
    done = subprocess.run(
        [python_of(options, engine), HERE / f"{engine}_solver.py", "--settings"], capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(f"engines.py: {engine} is not installed in {options.environments}: {done.stderr.strip()[-300:]}")
    return json.loads(done.stdout)


def judge(options, config, engine, setting, case):
    """One answer of topsim: its JSON, or the last lines of what it said instead."""
    plan = config["cases"][case]
    solver = shlex.join([str(python_of(options, engine)), str(HERE / f"{engine}_solver.py"), "--setting", setting])
    command = [options.topsim, "judge", case, "--solver", solver, "--format", "json"]
    command += ["--steps", ",".join(f"{h:g}" for h in plan["steps"]), "--end", f"{plan['end']:g}", "--time-limit", "300"]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        report = None
    said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    return {"report": report, "status": done.returncode, "said": said[-4:]}


def run_all(options, config):
    folder = pathlib.Path(options.answers)
    folder.mkdir(parents=True, exist_ok=True)
    wanted = options.engine or list(config["engines"])
    cases = options.case or list(config["cases"])
    jobs = []
    for engine in wanted:
        told = describe(options, engine)
        (folder / f"{engine}.json").write_text(json.dumps(told, indent=1))
        jobs += [(engine, setting, case) for setting in told["settings"] for case in cases]
    with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
        waiting = {pool.submit(judge, options, config, *job): job for job in jobs}
        for at, done in enumerate(concurrent.futures.as_completed(waiting), 1):
            engine, setting, case = waiting[done]
            answer = done.result()
            (folder / f"{engine}.{setting}.{case}.json").write_text(json.dumps(answer, indent=1))
            print(f"{at:3d}/{len(jobs)} {engine} {setting} {case}: status {answer['status']}", file=sys.stderr)
    date = datetime.date.today().isoformat()
    version = subprocess.run([options.topsim, "--version"], capture_output=True, text=True).stdout.strip()
    (folder / "made.json").write_text(json.dumps({"date": date, "topsim": version}))


def size(x):
    if x is None:
        return "–"
    return f"{x:.2e}".replace("e-0", "e-").replace("e+0", "e+").replace("e+0", "") if x else "0"


def diagnosed(report):
    """(names of the causes found, the known scheme whose rows these are); empty where a report has no diagnosis."""
    found = report.get("diagnosis") or {}
    causes = [cause.get("name") or cause.get("id") for cause in found.get("causes") or []]
    if not causes and found.get("conclusion") == "none_fits":
        causes = ["another motion, which no known defect explains"]
    scheme = found.get("scheme") or {}
    return "; ".join(filter(None, causes)), scheme.get("name") or ""


def numbers(answer, by_tolerance):
    """What the tables show of one answer; None where the report has no such field."""
    report = answer.get("report") or {}
    report = (report.get("cases") or [report])[0]
    files = sorted(report.get("files") or [], key=lambda file: file.get("step") or 0.0)
    finest = files[0] if files else {}
    failed = report.get("failed") or []
    error = ((finest.get("errors") or {}).get("attitude") or {}).get("worst")
    floor = (report.get("convergence") or {}).get("attitude_floor") or 1e-13
    causes, scheme = diagnosed(report)
    said = [line for step in failed for line in (step.get("stderr") or [])[-1:] or [step.get("message", "")]]
    return {
        "ran": bool(files) and not failed,
        "passed": report.get("passed"),
        "order": report.get("order"),
        "by_tolerance": by_tolerance,
        "error": error,
        "at_floor": error is not None and error < 10.0 * floor,
        "energy": (finest.get("energy") or {}).get("worst"),
        "energy_first": (finest.get("energy") or {}).get("first"),
        "momentum": (finest.get("momentum") or {}).get("worst"),
        "causes": causes,
        "scheme": scheme,
        "said": (said or answer.get("said") or ["no message"])[-1],
    }


def verdict(n):
    if not n["ran"]:
        return "did not run at every step: " + n["said"]
    line = "passed" if n["passed"] else "FAILED"
    if n["causes"]:
        return f"{line}: {n['causes']}"
    if n["passed"] is False and n["order"] is not None and n["order"] < 0.8:
        return f"{line}: the errors do not fall with the step"
    return f"{line}; steps of `{n['scheme']}`" if n["scheme"] else line


def order(n):
    if n["by_tolerance"]:
        return "by tolerance"
    if n["order"] is None:
        return "at round-off" if n["at_floor"] else "–"
    return f"{n['order']:.2f}"


def table(case, config, engines):
    lines = [
        "| engine | setting | order | worst attitude error (rad) | energy drift | momentum drift | verdict |",
        "|---|---|---|---|---|---|---|",
    ]
    for engine, (told, answers) in engines.items():
        for setting in told["settings"]:
            if (setting, case) not in answers:
                continue
            n = answers[setting, case]
            relative = abs(n["energy"] / n["energy_first"]) if n["energy"] is not None and n["energy_first"] else n["energy"]
            cells = [config["engines"][engine]["name"], setting, order(n) if n["ran"] else "–", size(n["error"])]
            cells += [size(relative), size(n["momentum"]), verdict(n).replace("|", "\\|")]
            lines.append("| " + " | ".join(cells) + " |")
    return lines


def orders_of(found):
    """"orders 1.02 to 1.17" of the answers that have one."""
    if any(n["by_tolerance"] for n in found):
        return "steps by tolerance"
    known = sorted(n["order"] for n in found if n["order"] is not None and not n["at_floor"])
    if not known:
        return "errors at round-off" if any(n["at_floor"] for n in found) else "no order measured"
    same = f"{known[0]:.2f}" == f"{known[-1]:.2f}"
    return f"order {known[0]:.2f}" if same else f"orders {known[0]:.2f} to {known[-1]:.2f}"


def paragraph(told, answers):
    """A line for each setting, from the numbers alone."""
    lines = []
    for setting in told["settings"]:
        by_case = {case: n for (s, case), n in answers.items() if s == setting}
        right = [n for n in by_case.values() if n["ran"] and n["passed"] is not False]
        wrong = [f"`{case}`" for case, n in by_case.items() if n not in right]
        errors = [n["error"] for n in by_case.values() if n["error"] is not None]
        parts = [orders_of(right)] if right else []
        if errors:
            parts.append(f"worst attitude errors {size(min(errors))} to {size(max(errors))} rad at the finest steps")
        parts.append(f"passed {len(right)} of {len(by_case)}" + (f", not {', '.join(wrong)}" if wrong else ""))
        causes = sorted({n["causes"] for n in by_case.values() if n["causes"]})
        if causes:
            parts.append("diagnosed: " + "; ".join(causes))
        lines.append(f"- *{setting}*: {'; '.join(parts)}.")
    return lines


def page(options, config):
    folder = pathlib.Path(options.answers)
    made = json.loads((folder / "made.json").read_text())
    engines = {}
    for engine in config["engines"]:
        if not (folder / f"{engine}.json").exists():
            continue
        told = json.loads((folder / f"{engine}.json").read_text())
        answers = {}
        for setting in told["settings"]:
            for case in config["cases"]:
                kept = folder / f"{engine}.{setting}.{case}.json"
                if kept.exists():
                    by_tolerance = setting in config["engines"][engine].get("by_tolerance", [])
                    answers[setting, case] = numbers(json.loads(kept.read_text()), by_tolerance)
        engines[engine] = (told, answers)
    out = ["# What engines do with these problems", ""]
    out += ["<!-- Made by scripts/adapters/engines.py from real runs; remarks are in scripts/adapters/engines.toml. Do not edit. -->", ""]
    out += [config["intro"].strip(), ""]
    out += [f"Made {made['date']} with {made['topsim']}. The command: `scripts/adapters/engines.py`, after `scripts/adapters/install all`.", ""]
    out += ["Errors and drifts are the worst over the whole span, at the finest step. Energy drift is relative to the energy at the", "start; momentum drift is in kg m²/s (the vertical one of a top). \"By tolerance\": the engine chooses its steps, h is only the",
            "largest, and there is no order to measure. How an engine is given a problem is told in its adapter, `scripts/adapters/*_solver.py`.", ""]
    out += ["## Engines and settings", ""]
    for engine, (told, answers) in engines.items():
        out += [f"### {told['version']}", ""]
        out += [f"- `{name}`: {meaning}" for name, meaning in told["settings"].items()]
        out += ["", "What it showed:", "", *paragraph(told, answers), "", config["engines"][engine]["remark"].strip(), ""]
    for case, plan in config["cases"].items():
        steps = ", ".join(f"{h:g}" for h in plan["steps"])
        out += [f"## {case}", "", f"Steps {steps} s, until {plan['end']:g} s. {plan.get('note', '')}".strip(), ""]
        out += [*table(case, config, engines), ""]
    pathlib.Path(options.page).write_text("\n".join(out).rstrip() + "\n")


def main():
    chosen = options()
    config = tomllib.loads((HERE / "engines.toml").read_text())
    for kind, names in (("engine", chosen.engine), ("case", chosen.case)):
        for name in names or []:
            if name not in config[f"{kind}s"]:
                sys.exit(f"engines.py: no {kind} {name!r}; there are {', '.join(config[f'{kind}s'])}")
    if not chosen.redraw:
        run_all(chosen, config)
    page(chosen, config)


if __name__ == "__main__":
    main()
