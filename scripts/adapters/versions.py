#!/usr/bin/env python3
"""Judges versions of engines; the pages docs/engines.md and docs/engines.html have them in a table.

    scripts/adapters/versions.py                          every version in versions.toml that has no row
    scripts/adapters/versions.py rapier jolt              those of these engines
    scripts/adapters/versions.py mujoco --version 3.6.0   this one, again

Each version is installed by pip or npm below versions/ in the folder of the environments, and the adapter of the engine judges it twice, as engines.py
does, on the cases in versions.toml. Rows are in judged/versions/ENGINE.json; `engines.py --redraw` writes the pages. What a version does
not take is told and has no row. Needs Python 3.11, standard library only, and a built topsim.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tomllib

import engines

HERE = engines.HERE


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", nargs="*", help="engines to run (default: all in versions.toml)")
    parser.add_argument("--version", action="append", help="run this version, even where it has rows; once for each")
    engines.common(parser)
    return parser.parse_args()


def install(where, package, engine, version):
    """Installs a version of a package into environments of its own."""
    if package.startswith("npm:"):
        command = ["npm", "install", "--prefix", f"{where.environments}/npm", "--silent", "--no-audit", "--no-fund", f"{package[4:]}@{version}"]
    else:
        python = engines.python_of(where, engine)
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", python.parent.parent], check=True)
        command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{package}=={version}", "numpy"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise engines.Refused(f"not installed: {done.stderr.strip()[-300:]}")


def run(chosen, config, engine, plan, version, topsim):
    """Returns the rows of a version by setting."""
    where = argparse.Namespace(**vars(chosen))
    where.environments = f"{chosen.environments}/versions/{engine}-{version}"
    where.results = f"{chosen.results}/versions/{version}"
    where.kept = chosen.kept
    # The adapters of one program drive several packages; an environment has the name of the adapter.
    install(where, plan["package"], config["engines"][engine].get("adapter", engine), version)
    rows = {}
    for setting in plan["settings"]:
        cases, seconds = engines.judge(where, config, engine, setting, "judging")
        if not any(n["ran"] for n in cases.values()):
            raise engines.Refused("; ".join(dict.fromkeys(n["said"] for n in cases.values())))
        rows[setting] = {"topsim": topsim, "runs": len(engines.TWICE), "seconds": seconds, "cases": cases}
        print(f"{engine} {version} {setting}: {len(cases)} cases", file=sys.stderr)
    return rows


def main():
    chosen, folder = options(), HERE / "judged/versions"
    config, plans = (tomllib.loads((HERE / name).read_text()) for name in ("engines.toml", "versions.toml"))
    topsim = subprocess.run([chosen.topsim, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    folder.mkdir(parents=True, exist_ok=True)
    refused = {}
    for engine in chosen.engine or plans["engines"]:
        if engine not in plans["engines"]:
            sys.exit(f"versions.py: no engine {engine!r}; there are {', '.join(plans['engines'])}")
        plan, file = plans["engines"][engine], folder / f"{engine}.json"
        kind = config["engines"][engine]["kind"]
        posed = {**config, "judging": {kind: plan.get("cases", plans["cases"])}}
        for version in chosen.version or plan["versions"]:
            known = json.loads(file.read_text()) if file.exists() else {}
            if version in known and not chosen.version:
                continue
            try:
                known[version] = run(chosen, posed, engine, plan, version, topsim)
            except engines.Refused as why:
                refused[f"{engine} {version}"] = why
                continue
            known = {version: known[version] for version in plan["versions"] if version in known}
            file.write_text("{\n" + ",\n".join(f"{json.dumps(v)}: {engines.written(rows).rstrip()}" for v, rows in known.items()) + "\n}\n")
    for name, why in refused.items():
        print(f"versions.py: {name}: {why}", file=sys.stderr)
    sys.exit(1 if refused else 0)


if __name__ == "__main__":
    main()
