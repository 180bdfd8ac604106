#!/usr/bin/env python3
"""Judges installed engines, writes their rows and the pages docs/engines.md, docs/engines-sources.md and docs/engines.html.

    scripts/adapters/engines.py --install          every engine of engines.toml, installed first where it is not
    scripts/adapters/engines.py jolt cannon        these engines; the rows of the others stay
    scripts/adapters/engines.py jolt --setting default
    scripts/adapters/engines.py --kept             goes on after a stop: reports of the same topsim in results/engines are not made again
    scripts/adapters/engines.py --lacking          settings whose row is missing or of one run
    scripts/adapters/engines.py --older            those, and settings whose row is of another build of topsim
    scripts/adapters/engines.py --redraw           runs nothing; the pages from the rows

Each setting is judged by `topsim compare`, those without a row first, and then answers all that it was asked once more; where its bytes differ, it is judged
once more, and rows that differ between the two are refused. Rows are in judged/ENGINE.json beside this
file; kinds, settings, steps and remarks are in engines.toml. Needs Python 3.11, standard library only, and a built topsim.
"""

import argparse
import hashlib
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import tomllib
from concurrent.futures import ThreadPoolExecutor

import engines_page

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# Digits of the digest of topsim that a row keeps.
BUILD = 12
# Processor time of each thread, and what lets one of them write.
USED, WRITING = threading.local(), threading.Lock()
# Longest time of one run of a solver, s, and that on a machine that does other work.
LIMIT, BUSY_LIMIT = 300, 3600
# Names of the two runs of each setting.
TWICE = ("first", "second")


class Refused(Exception):
    """Says why a setting gets no row."""


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", nargs="*", help="engines to run (default: all)")
    parser.add_argument("--setting", action="append", help="run this setting only; once for each")
    parser.add_argument("--lacking", action="store_true", help="run only settings without a row of two runs")
    parser.add_argument("--older", action="store_true", help="run only settings whose row is missing, of one run or of another build of topsim")
    parser.add_argument("--install", action="store_true", help="install what is not there, or in another version, by `install`")
    parser.add_argument("--redraw", action="store_true", help="run nothing")
    parser.add_argument("--together", type=int, default=1, help="settings judged at a time; with more of them than cores, times are too long")
    common(parser)
    return parser.parse_args()


def common(parser):
    """Adds the options that versions.py has too."""
    parser.add_argument("--topsim", default=str(ROOT / "target/release/topsim"), help="the program to judge with")
    parser.add_argument("--environments", default=os.environ.get("TOPSIM_ADAPTERS", str(HERE / ".venv")))
    parser.add_argument("--results", default=str(ROOT / "results/engines"), help="folder of the reports")
    parser.add_argument("--jobs", type=int, default=1, help="solvers at a time")
    parser.add_argument("--kept", action="store_true", help="do not run again what has reports of the same topsim")
    parser.add_argument("--untimed", action="store_true", help="the machine does other work: rows keep the seconds a step that they had, or get none")


def python_of(options, engine):
    return pathlib.Path(options.environments) / engine / "bin/python"


def describe(options, engine):
    """Returns version and settings as the adapter in Python reports them."""
    done = subprocess.run(
        [python_of(options, engine), HERE / f"{engine}_solver.py", "--settings"], capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(f"engines.py: {engine} is not installed in {options.environments}: {done.stderr.strip()[-300:]}")
    return json.loads(done.stdout)


def flat(report):
    """Returns the report with the histories of each case in place of its items."""
    return {**report, "cases": [case["items"][0] for case in report["cases"]]}


def solver(options, config, engine):
    """Returns the command of an engine, without a setting."""
    environments = pathlib.Path(options.environments)
    adapter = config["engines"][engine].get("adapter", engine)
    language, _, file = adapter.partition("/")
    if language == "npm":
        program = ["node", HERE / "npm_solver.mjs", engine]
    elif language == "cpp":
        program = [environments / "cpp" / pathlib.Path(file).stem]
    elif language == "rust":
        program = [environments / "rust/release" / file]
    else:
        program = [python_of(options, adapter), HERE / f"{adapter}_solver.py"]
    return [*map(str, program)]


def installed(options, config, engine):
    """Refuses an engine that is not there, of another version than engines.toml has, or without a setting that it names."""
    about = config["engines"][engine]
    try:
        done = subprocess.run([*solver(options, config, engine), "--settings"], capture_output=True, text=True, env=environment(options))
        told = json.loads(done.stdout)
    except (OSError, json.JSONDecodeError):
        raise Refused(f"not installed in {options.environments}") from None
    wrong = [version for version in about["version"].split(", ") if version not in told["version"]]
    if wrong:
        raise Refused(f"found {told['version']}; engines.toml has {', '.join(wrong)}")
    unknown = [setting for setting in about["settings"] if setting not in told["settings"]]
    if unknown:
        raise Refused(f"no setting {', '.join(unknown)}; there are {', '.join(told['settings'])}")


def install(options, config, engine):
    """Installs an engine, with the others that come with its adapter, where it is not as engines.toml has it."""
    try:
        installed(options, config, engine)
    except Refused:
        language, _, file = config["engines"][engine].get("adapter", engine).partition("/")
        name = {"cpp": file.partition("_")[0].partition("-")[0], "rust": file}.get(language, language)
        status, errors = called([HERE / "install", name], environment(options))
        if status:
            raise Refused(f"`install {name}` ended with {status}: {errors[-300:]}") from None
        installed(options, config, engine)


def environment(options):
    return {**os.environ, "TOPSIM_ADAPTERS": options.environments}


def digest(options):
    return hashlib.sha256(pathlib.Path(options.topsim).read_bytes()).hexdigest()


def processor_seconds():
    """Returns the seconds that the processes started by this thread's commands, and theirs, have computed on all cores together."""
    return getattr(USED, "seconds", 0.0)


def called(command, environment):
    """Runs a command, adds to the processor time of this thread, and returns its exit status and standard error."""
    with tempfile.TemporaryFile("w+") as errors:
        started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, env=environment)
        _, status, used = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
        USED.seconds = processor_seconds() + used.ru_utime + used.ru_stime
        errors.seek(0)
        return started.returncode, errors.read().strip()


def judge(options, config, engine, setting, group):
    """Judges the solver on the cases of a group, has it answer everything twice, and returns its rows and the seconds of a step."""
    out = pathlib.Path(options.results, engine, setting, group)
    # Digest of the topsim that wrote the reports beside it.
    mark, program = out / "topsim.sha256", digest(options)
    if not (options.kept and mark.exists() and mark.read_text() == program):
        shutil.rmtree(out, ignore_errors=True)
        driven = [*solver(options, config, engine), "--setting", setting]
        recorder = [sys.executable, str(HERE / "recorded.py")]
        judged_once(options, config, engine, group, out, TWICE[0], [*recorder, str(out / "asked"), *driven])
        status, _ = called([*recorder, "--again", str(out / "asked"), *driven], environment(options))
        if status != 0:
            # Other bytes may still be the same row.
            judged_once(options, config, engine, group, out, TWICE[1], driven)
        shutil.rmtree(out / "asked")
        mark.write_text(program)
    return rows_of(out)


def judged_once(options, config, engine, group, out, name, command):
    """Writes the report of a command on the cases of a group to the folder `name` of `out`."""
    arguments = shlex.split(engines_page.arguments(config, engine, group))
    # A machine that does other work needs longer for the same.
    arguments += ["--time-limit", str(BUSY_LIMIT if options.untimed else LIMIT)]
    arguments += ["--no-times"] if options.untimed else []
    arguments += ["--jobs", str(options.jobs), "--solver", f"{name}={shlex.join(command)}", "--out", str(out)]
    status, errors = called([options.topsim, "compare", "--quiet", *arguments], environment(options))
    # 3: a step has no history, which is a result too.
    if status not in (0, 3):
        raise Refused(f"topsim compare ended with {status}: {errors[-300:]}")


def rows_of(out):
    """Returns the rows by case of the reports below a folder and the seconds of a step; refuses a second report that differs."""
    reports = [out / name / "results.json" for name in TWICE]
    first, *second = (
        {report["case"]: engines_page.numbers(report) for report in flat(json.loads(path.read_text()))["cases"]} for path in reports if path.exists()
    )
    for other in second:
        different = [case for case in first if first[case] != other.get(case)]
        if different:
            raise Refused(f"the two runs differ on {', '.join(different)}")
    times = json.loads((out / "timings.json").read_text())["seconds_per_step"].values()
    return first, engines_page.short(min(times, default=None))


def run(options, config, folder, version, engine, setting):
    """Judges a setting and replaces its row."""
    before = processor_seconds()
    cases, seconds = judge(options, config, engine, setting, "judging")
    for group in config["cases"] if config["engines"][engine].get("tables") else ():
        cases.update(judge(options, config, engine, setting, group)[0])
    with WRITING:
        rows = kept(folder, engine)
        if options.untimed:
            seconds = rows.get(setting, {}).get("seconds")
        rows[setting] = {"topsim": version, "build": digest(options)[:BUILD], "runs": len(TWICE), "seconds": seconds, "cases": cases}
        folder.mkdir(exist_ok=True)
        (folder / f"{engine}.json").write_text(written({name: rows[name] for name in config["engines"][engine]["settings"] if name in rows}))
    print(f"{engine} {setting}: {len(cases)} cases, {processor_seconds() - before:.0f} s of processor time", file=sys.stderr)


def kept(folder, engine):
    path = folder / f"{engine}.json"
    return json.loads(path.read_text()) if path.exists() else {}


def settings(options, config, folder):
    """Returns the pairs of engine and setting to run; those without a row, or with one of a single run, come first."""
    runs, present = {}, set()
    for engine in options.engine or config["engines"]:
        rows = kept(folder, engine)
        for setting in options.setting or config["engines"][engine]["settings"]:
            row = rows.get(setting, {})
            runs[engine, setting] = row.get("runs", 0)
            if row.get("runs") == len(TWICE) and (not options.older or row.get("build") == digest(options)[:BUILD]):
                present.add((engine, setting))
    return [pair for pair in sorted(runs, key=runs.get) if not ((options.lacking or options.older) and pair in present)]


def written(rows):
    """Returns the rows as JSON with a line for each case."""
    settings = []
    for setting, row in rows.items():
        cases = [f"   {json.dumps(case)}: {json.dumps(n, ensure_ascii=False)}" for case, n in row["cases"].items()]
        head = ", ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in row.items() if key != "cases")
        settings.append(f' {json.dumps(setting)}: {{{head}, "cases": {{\n' + ",\n".join(cases) + "\n }}")
    return "{\n" + ",\n".join(settings) + "\n}\n"


def judged_all(chosen, config, folder, pairs):
    """Judges the pairs of engine and setting, as many at a time as is asked for, and returns why some were not; engines are installed meanwhile."""
    version = subprocess.run([chosen.topsim, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    refused, engines = {}, dict.fromkeys(engine for engine, _ in pairs)
    there = {engine: threading.Event() for engine in engines}

    def bring():
        for engine in engines:
            before = processor_seconds()
            try:
                (install if chosen.install else installed)(chosen, config, engine)
            except Refused as why:
                refused[engine] = why
            if processor_seconds() > before:
                print(f"{engine}: installed, {processor_seconds() - before:.0f} s of processor time", file=sys.stderr)
            there[engine].set()

    def one(pair):
        engine, setting = pair
        there[engine].wait()
        try:
            if engine not in refused:
                run(chosen, config, folder, version, engine, setting)
        except Refused as why:
            refused[f"{engine} {setting}"] = why

    with ThreadPoolExecutor() as installs, ThreadPoolExecutor(chosen.together) as judgements:
        brought = installs.submit(bring)
        for done in [judgements.submit(one, pair) for pair in pairs]:
            done.result()
        brought.result()
    return refused


def main():
    chosen, folder = options(), HERE / "judged"
    config = tomllib.loads((HERE / "engines.toml").read_text())
    for name in chosen.engine:
        if name not in config["engines"]:
            sys.exit(f"engines.py: no engine {name!r}; there are {', '.join(config['engines'])}")
    refused = {} if chosen.redraw else judged_all(chosen, config, folder, settings(chosen, config, folder))
    for name, why in refused.items():
        print(f"engines.py: {name}: {why}", file=sys.stderr)
    rows = engines_page.read(folder, config)
    versions = engines_page.versions(HERE, config)
    (ROOT / "docs/engines.md").write_text(engines_page.page(config, rows, versions))
    (ROOT / "docs" / engines_page.DRAWN).write_text(engines_page.drawing(config, *versions))
    (ROOT / "docs" / engines_page.SOURCES).write_text(engines_page.sources_page(config, rows))
    (ROOT / "docs/engines.html").write_text(engines_page.html_page(config, rows, versions))
    sys.exit(1 if refused else 0)


if __name__ == "__main__":
    main()
