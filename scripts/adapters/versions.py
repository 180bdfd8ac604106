#!/usr/bin/env python3
"""Judges versions of MuJoCo and writes docs/engines-mujoco.md.

    scripts/adapters/versions.py --versions 3.3.7,3.10.0,4.0.0   installs these with pip, runs them, keeps the answers, writes the page
    scripts/adapters/versions.py                                 writes the page from the answers kept

Environments are made beside those of `install`, as mujoco-VERSION. Each history is computed twice, and must come out the same.
Remarks are in versions.toml beside this file. Needs Python 3.11, standard library only, and a built topsim.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tomllib

import engines
import engines_page
import export
import forms

HERE, ROOT = engines.HERE, engines.ROOT


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--versions", type=lambda text: text.split(","), default=[], help="install and run these")
    parser.add_argument("--topsim", default=str(ROOT / "target/release/topsim"), help="the program that poses problems and judges")
    parser.add_argument("--environments", default=os.environ.get("TOPSIM_ADAPTERS", str(HERE / ".venv")))
    parser.add_argument("--answers", default=str(ROOT / "results/engines-mujoco"), help="folder of the answers kept")
    parser.add_argument("--page", default=str(ROOT / "docs/engines-mujoco.md"))
    return parser.parse_args()


def install(options, version):
    """Installs this version and returns the name of its environment."""
    name = f"mujoco-{version}"
    python = engines.python_of(options, name)
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", python.parent.parent], check=True)
    done = subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"mujoco=={version}"])
    if done.returncode:
        sys.exit(f"versions.py: pip does not install mujoco {version}")
    return name


def run(options, config, version):
    folder = pathlib.Path(options.answers)
    environment = install(options, version)
    answers = {}
    for setting in config["settings"]:
        for case in config["cases"]:
            tables, said = forms.histories(options, config, "mujoco", setting, case, None, environment)
            answers[f"{setting} {case}"] = forms.judged(options, config, case, folder, tables) if tables else {"said": said}
        case = config["forms_of"]
        of_form = {}
        for form in export.FORMS:
            model = folder / f"models/{case}_{form}.xml"
            tables, said = forms.histories(options, config, "mujoco", setting, case, model, environment)
            of_form[form] = tables[-1] if tables else said
        away = {form: forms.distance(of_form[form], of_form["full"]) for form in export.FORMS}
        answers[f"{setting} forms"] = away
        print(version, setting, {key: answers[f"{setting} {key}"] for key in (*config["cases"], "forms")}, file=sys.stderr)
    (folder / f"{version}.json").write_text(json.dumps(answers, indent=1))


def cells(n):
    if "passed" not in n or not n["ran"]:
        return ["–", n["said"], "–", "–"]
    scheme = engines_page.codes(n["steps_of"]) or "–"
    return [engines_page.order(n), engines_page.size(n["error"]), engines_page.size(n["energy"]), scheme]


def small(away):
    return "round-off" if away < 1e-12 else engines_page.size(away)


def page(options, config):
    folder = pathlib.Path(options.answers)
    known = [path.stem for path in folder.glob("*.json")]
    versions = sorted(known, key=lambda text: [int(part) for part in text.split(".")])
    kept = {version: json.loads((folder / f"{version}.json").read_text()) for version in versions}
    out = ["# MuJoCo by version", ""]
    out += ["<!-- Made by scripts/adapters/versions.py from real runs; remarks are in scripts/adapters/versions.toml. Do not edit. -->", ""]
    out += [config["intro"].strip(), "", "## What was found", "", config["found"].strip(), ""]
    columns = [f"{case}: {what}" for case in config["cases"] for what in ("order", "attitude error (rad)", "energy drift", "steps of")]
    for setting, name in config["settings"].items():
        head = ["version", *columns, *config["compared"]]
        out += [f"## {name}", "", engines_page.line(head), "|" + "---|" * len(head)]
        for version, answers in kept.items():
            row = [version]
            for case in config["cases"]:
                row += cells(answers[f"{setting} {case}"])
            away = answers[f"{setting} forms"]
            out.append(engines_page.line([*row, *(small(away[form]) for form in config["compared"])]))
        out.append("")
    out += ["## Repeat it", "", config["repeat"].strip()]
    pathlib.Path(options.page).write_text("\n".join(out).rstrip() + "\n")


def main():
    chosen = options()
    config = tomllib.loads((HERE / "versions.toml").read_text())
    folder = pathlib.Path(chosen.answers)
    folder.mkdir(parents=True, exist_ok=True)
    if chosen.versions:
        posed = forms.problem(chosen, config["cases"][config["forms_of"]])
        export.write(posed, "mjcf", folder / "models")
    for version in chosen.versions:
        run(chosen, config, version)
    page(chosen, config)


if __name__ == "__main__":
    main()
