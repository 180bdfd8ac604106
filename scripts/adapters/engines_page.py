"""Builds docs/engines.md from the answers that engines.py keeps."""

import json


def asked(config, setting, case):
    """Returns whether a setting is run on a case; the set made for judging has fewer settings."""
    return case != "judging" or setting in config["judging"]["settings"]


def arguments(config, case):
    """Returns the arguments of `topsim judge`, except the solver."""
    if case == "judging":
        return "--all --time-limit 300"
    plan = config["cases"][case]
    return f"{case} --steps {','.join(f'{h:g}' for h in plan['steps'])} --end {plan['end']:g} --time-limit 300"


def size(x):
    if x is None:
        return "–"
    return f"{x:.2e}".replace("e-0", "e-").replace("e+0", "e+").replace("e+0", "") if x else "0"


def codes(names):
    return ", ".join(f"`{name}`" for name in names)


def diagnosis(found):
    """Returns topsim's diagnosis as a table cell."""
    if not found:
        return "–"
    causes = [f"`{cause['id']}`: {cause['evidence'].split(';')[0]}" for cause in found.get("causes") or []]
    parts = causes or [
        {
            "right": "converges to the case's motion",
            "none_fits": "another motion; no law that was tried explains it",
            "unsettled": "not settled",
        }.get(found.get("conclusion"), str(found.get("conclusion")))
    ]
    parts += [sentence.rstrip(".") for sentence in (found.get("rule") or [])[:1]]
    scheme = found.get("scheme")
    if scheme:
        alike = ", ".join(f"`{name}`" for name in scheme.get("alike") or [])
        parts.append(f"steps of `{scheme['name']}`" + (f" (here also of {alike})" if alike else ""))
    return "; ".join(parts)


def numbers(answer, report, by_tolerance):
    """Extracts the numbers that the tables show from one case's report."""
    files = sorted(report.get("files") or [], key=lambda file: file.get("step") or 0.0)
    finest = files[0] if files else {}
    failed = report.get("failed") or []
    error = ((finest.get("errors") or {}).get("attitude") or {}).get("worst")
    floor = (report.get("convergence") or {}).get("attitude_floor") or 1e-13
    said = [line for step in failed for line in (step.get("stderr") or [])[-1:] or [step.get("message", "")]]
    energy, momentum = finest.get("energy") or {}, finest.get("momentum") or {}
    return {
        "ran": bool(files) and not failed,
        "passed": report.get("passed"),
        "order": report.get("order"),
        "by_tolerance": by_tolerance,
        "error": error,
        "at_floor": error is not None and error < 10.0 * floor,
        "energy": energy["worst"] / abs(energy["first"]) if energy.get("first") else energy.get("worst"),
        "momentum": momentum.get("worst"),
        "diagnosis": diagnosis(report.get("diagnosis")),
        "causes": [cause["id"] for cause in (report.get("diagnosis") or {}).get("causes") or []],
        "said": (said or answer.get("said") or ["no message"])[-1],
        "date": answer.get("date"),
    }


def verdict(n):
    if not n["ran"]:
        return "did not run at every step: " + n["said"]
    return "passed" if n["passed"] else "FAILED"


def order(n):
    if not n["ran"]:
        return "–"
    if n["by_tolerance"]:
        return "by tolerance"
    if n["order"] is None:
        return "at round-off" if n["at_floor"] else "–"
    return f"{n['order']:.2f}"


def line(cells):
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def table(case, config, engines, drifts=True):
    """One line for each engine and setting."""
    head = ["engine", "setting", "order", "worst attitude error (rad)", *(("energy drift", "momentum drift") if drifts else ())]
    head += ["verdict", "diagnosis"]
    lines = [line(head), "|" + "---|" * len(head)]
    for engine, (told, answers) in engines.items():
        for setting in told["settings"]:
            n = answers.get((setting, case))
            if n is None:
                continue
            cells = [config["engines"][engine]["name"], setting, order(n), size(n["error"])]
            cells += [size(n["energy"]), size(n["momentum"])] if drifts else []
            lines.append(line([*cells, verdict(n), n["diagnosis"] if n["ran"] else "–"]))
    return lines


def orders_of(found):
    """Returns "orders 1.02 to 1.17" for the answers that have an order."""
    if any(n["by_tolerance"] for n in found):
        return "steps by tolerance"
    known = sorted(n["order"] for n in found if n["order"] is not None and not n["at_floor"])
    if not known:
        return "errors at round-off" if any(n["at_floor"] for n in found) else "no order measured"
    same = f"{known[0]:.2f}" == f"{known[-1]:.2f}"
    return f"order {known[0]:.2f}" if same else f"orders {known[0]:.2f} to {known[-1]:.2f}"


def showed(told, answers):
    """Returns a line for each setting, from the numbers alone."""
    lines = []
    for setting in told["settings"]:
        by_case = {case: n for (s, case), n in answers.items() if s == setting}
        right = [n for n in by_case.values() if n["ran"] and n["passed"]]
        stopped = [case for case, n in by_case.items() if not n["ran"]]
        wrong = [case for case, n in by_case.items() if n["ran"] and not n["passed"]]
        errors = [n["error"] for n in by_case.values() if n["error"] is not None]
        parts = [f"passed {len(right)} of {len(by_case)} problems"]
        if wrong and right:
            parts.append(f"failed {codes(wrong)}")
        if stopped:
            parts.append(f"did not run {codes(stopped)}")
        parts += [orders_of(right)] if right else []
        if errors:
            parts.append(f"worst attitude errors {size(min(errors))} to {size(max(errors))} rad at the finest steps")
        causes = sorted({cause for n in by_case.values() for cause in n["causes"]})
        if causes:
            parts.append(f"diagnosed: {codes(causes)}")
        lines.append(f"- *{setting}*: {'; '.join(parts)}.")
    return lines


def with_tables(config):
    """Returns the engines that docs/engines.md has tables of: those with a remark."""
    return [engine for engine, about in config["engines"].items() if "remark" in about]


def read(folder, config):
    """Returns {engine: (report of the adapter, {(setting, case): numbers})} and the cases made for judging, in topsim's order."""
    engines, judging = {}, []
    for engine in with_tables(config):
        about = config["engines"][engine]
        if not (folder / f"{engine}.json").exists():
            continue
        told, answers = json.loads((folder / f"{engine}.json").read_text()), {}
        for setting in told["settings"]:
            by_tolerance = setting in about.get("by_tolerance", [])
            for case in [*config["cases"], "judging"]:
                kept = folder / f"{engine}.{setting}.{case}.json"
                if not asked(config, setting, case) or not kept.exists():
                    continue
                answer = json.loads(kept.read_text())
                for report in (answer["report"] or {}).get("cases") or [{}]:
                    name = report.get("case", case)
                    answers[setting, name] = numbers(answer, report, by_tolerance)
                    if case == "judging" and name not in judging:
                        judging.append(name)
        engines[engine] = (told, answers)
    return engines, judging


def command(config, case):
    """Returns the command that makes the rows of a table."""
    python, adapter = "scripts/adapters/.venv/ENGINE/bin/python", "scripts/adapters/ENGINE_solver.py"
    return ["```sh", f"topsim judge {arguments(config, case)} \\", f'    --solver "{python} {adapter} --setting SETTING"', "```", ""]


def summary(config, engines, judging):
    """Returns one line for each engine and setting on the set made for judging, with its description and results."""
    lines = [line(["engine", "setting", "verdict", "what it is"]), "|---|---|---|---|"]
    for engine, (told, answers) in engines.items():
        for setting in told["settings"]:
            found = [answers[setting, case] for case in judging if (setting, case) in answers]
            if not found:
                continue
            passed = sum(1 for n in found if n["ran"] and n["passed"])
            ran = [n for n in found if n["ran"]]
            cells = [config["engines"][engine]["name"], setting]
            cells += [f"passed {passed} of {len(found)}; {orders_of(ran)}" if ran else "did not run"]
            lines.append(line([*cells, ran[0]["diagnosis"] if ran else found[0]["said"]]))
    return lines


def page(folder, config):
    made = json.loads((folder / "made.json").read_text())
    engines, judging = read(folder, config)
    dates = sorted({n["date"] for _, answers in engines.values() for n in answers.values() if n["date"]})
    when = " to ".join(dict.fromkeys([dates[0], dates[-1]])) if dates else "at an unknown date"
    out = ["# What engines do with these problems", ""]
    out += ["<!-- Made by scripts/adapters/engines.py from real runs; remarks are in scripts/adapters/engines.toml. Do not edit. -->", ""]
    out += [config["intro"].strip(), "", f"Made {when} with {made['topsim']}; {made['machine']}.", ""]
    out += ["## Engine and verdict", "", "On the set made for judging:", "", *summary(config, engines, judging), ""]
    out += ["## How to read and repeat it", "", config["reading"].strip(), ""]
    out += ["## Engines and settings", ""]
    for engine, (told, answers) in engines.items():
        out += [f"### {told['version']}", "", f"`{engine}` on the command line. Settings:", ""]
        out += [f"- `{name}`: {meaning}" for name, meaning in told["settings"].items()]
        out += ["", "What it showed:", "", *showed(told, answers), "", config["engines"][engine]["remark"].strip(), ""]
    for case, plan in config["cases"].items():
        steps = ", ".join(f"{h:g}" for h in plan["steps"])
        out += [f"## {case}", "", f"Steps {steps} s, until {plan['end']:g} s. {plan.get('note', '')}".strip(), ""]
        out += [*command(config, case), *table(case, config, engines), ""]
    out += ["## The problems made for judging", "", config["judging"]["note"].strip(), "", *command(config, "judging")]
    for case in judging:
        out += [f"### {case}", "", *table(case, config, engines, drifts=False), ""]
    return "\n".join(out).rstrip() + "\n"
