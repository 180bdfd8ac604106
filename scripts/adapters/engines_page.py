"""Builds docs/engines.md and docs/engines.html from the rows that engines.py writes, a file an engine in judged/."""

import html
import json
import re
import tomllib

# Order of the kinds on the pages.
KINDS = ("game", "robot", "multibody", "particles", "flight", "navigation", "ODE library")
# Figures of the numbers in the rows: more of them are those of one machine.
FIGURES = 3
# A solver whose rows scatter by more than this, in radians, computes in single precision.
SINGLE = 1e-9
# Most schemes with the same rows that are named beside one; more of them tell nothing.
ALIKE = 3
MISSING = "model/gyroscopic_missing"
HEAD = ("engine", "setting", "cases without a defect", "orders", "scheme", "defects", "precision floor", "seconds a step")
# Page of the schemes and defects with their sources, beside the page.
SOURCES = "engines-sources.md"
# Figure of the versions, beside the page.
DRAWN = "engines-versions.svg"
# Policy and style of the pages that topsim makes, crates/document/src/html.rs; matrices are wider than its texts.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
STYLE = (
    "body{font:15px/1.45 sans-serif;max-width:90rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;margin:.6rem 0}td,th{border:1px solid #bbb;padding:.2rem .5rem;text-align:left;"
    "vertical-align:top;overflow-wrap:break-word}summary{font-size:1.2em;cursor:pointer}"
)


def arguments(config, engine, group):
    """Returns the arguments of topsim for the cases of a group, which are judged together, except the solver."""
    if group == "judging":
        cases = config["judging"].get(config["engines"][engine]["kind"], [])
        return " ".join(cases)
    plan = config["cases"][group]
    return f"{group} --steps {','.join(f'{h:g}' for h in plan['steps'])} --end {plan['end']:g}"


def size(x):
    if x is None:
        return "–"
    return f"{x:.2e}".replace("e-0", "e-").replace("e+0", "e+").replace("e+0", "") if x else "0"


def rough(x):
    """Returns a number of which one figure means something."""
    return "–" if x is None else f"{x:.0e}".replace("e-0", "e-").replace("e+00", "")


def codes(names):
    return ", ".join(f"`{name}`" for name in names)


def short(x):
    return x if x is None else float(f"{x:.{FIGURES}g}")


def numbers(report):
    """Returns the row of one case from its report."""
    files = sorted(report.get("files") or [], key=lambda file: file.get("step") or 0.0)
    finest = files[0] if files else {}
    failed = report.get("failed") or []
    found = report.get("diagnosis") or {}
    scheme = found.get("scheme") or {}
    error = ((finest.get("errors") or {}).get("attitude") or {}).get("worst")
    floor = (report.get("convergence") or {}).get("attitude_floor") or 1e-13
    said = [line for step in failed for line in (step.get("stderr") or [])[-1:] or [step.get("message", "")]]
    energy, momentum = finest.get("energy") or {}, finest.get("momentum") or {}
    return {
        "outcome": report.get("outcome"),
        "passed": report.get("passed"),
        "ran": bool(files) and not failed,
        "order": short(report.get("order")),
        "error": short(error),
        "at_floor": error is not None and error < 10.0 * floor,
        "energy": short(energy["worst"] / abs(energy["first"]) if energy.get("first") else energy.get("worst")),
        "momentum": short(momentum.get("worst")),
        "floor": short((report.get("precision") or {}).get("rounding")),
        "conclusion": found.get("conclusion"),
        "causes": {cause["id"]: cause["evidence"].split(";")[0].removesuffix(".") for cause in found.get("causes") or []},
        "rule": next(iter(found.get("rule") or []), "").removesuffix("."),
        "steps_of": [scheme["name"], *(scheme.get("alike") or [])] if scheme else [],
        "said": (said or [""])[-1],
    }


def rule(n):
    """Returns the scheme by name, as a table cell."""
    told = [n["rule"].removeprefix("The scheme is ")] if n["rule"] else []
    if n["steps_of"]:
        name, *alike = n["steps_of"]
        also = codes(alike) if len(alike) <= ALIKE else f"{len(alike)} others"
        told.append(f"steps of `{name}`" + (f" (here also of {also})" if alike else ""))
    return "; ".join(told)


def diagnosis(n):
    """Returns topsim's diagnosis of one case as a table cell."""
    conclusions = {
        "right": "converges to the case's motion",
        "none_fits": "another motion; no law that was tried explains it",
        "unsettled": "not settled",
    }
    causes = [f"`{cause}`: {evidence}" for cause, evidence in n["causes"].items()]
    parts = causes or [conclusions.get(n["conclusion"], n["conclusion"]) or "–"]
    return "; ".join([*parts, *filter(None, [rule(n)])])


def verdict(n):
    if n["outcome"] == "skipped":
        return "skipped"
    if not n["ran"]:
        return "did not run at every step: " + (n["said"] or "no message")
    return "passed" if n["passed"] else "FAILED"


def order(n, by_tolerance=False):
    if not n["ran"]:
        return "–"
    if by_tolerance:
        return "by tolerance"
    if n["order"] is None:
        return "at round-off" if n["at_floor"] else "–"
    return f"{n['order']:.2f}"


def line(cells):
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def markdown(table):
    """Returns the lines of a table, whose first row is its head."""
    head, *rows = table
    return [line(head), "|" + "---|" * len(head), *map(line, rows), ""]


def hypertext(text):
    """Returns a text in Markdown, with code and links to the network, as HTML."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))
    text = re.sub(r"\*([^* ][^*]*)\*", r"<em>\1</em>", text)
    return re.sub(r"\[([^]]+)\]\((https://[^)]+)\)", r'<a href="\2">\1</a>', re.sub(r"\[([^]]+)\]\((?!https://)[^)]+\)", r"\1", text))


def table_of(table):
    cells = [[f"<{'td' if at else 'th'}>{hypertext(cell)}</{'td' if at else 'th'}>" for cell in row] for at, row in enumerate(table)]
    return "<table>\n" + "".join(f"<tr>{''.join(row)}</tr>\n" for row in cells) + "</table>\n"


def group(config, case):
    """Returns the group that a case is judged in."""
    return case if case in config["cases"] else "judging"


def orders_of(found, by_tolerance):
    """Returns least and largest order of the cases that have one."""
    if by_tolerance:
        return "by tolerance"
    known = sorted(n["order"] for n in found if n["ran"] and n["order"] is not None and not n["at_floor"])
    if not known:
        return "at round-off" if any(n["at_floor"] for n in found) else "–"
    least, most = f"{known[0]:.2f}", f"{known[-1]:.2f}"
    return least if least == most else f"{least} to {most}"


def named(setting, row):
    """Returns a setting as it is called in the tables, with a mark where it ran once."""
    return setting if row["runs"] > 1 else f"{setting} (once)"


def judged(config, row):
    """Returns the cases of a row that the matrix is of, without those that the engine does not take."""
    return {case: n for case, n in row["cases"].items() if group(config, case) == "judging" and n["outcome"] != "skipped"}


def cells(config, engine, setting, row):
    """Returns the cells of one setting on the cases made for judging."""
    about, found = config["engines"][engine], judged(config, row)
    stopped = [case for case, n in found.items() if not n["ran"]]
    causes = {}
    for case, n in found.items():
        for cause, evidence in n["causes"].items():
            causes.setdefault(cause, (evidence, []))[1].append(case)
    told = [f"`{c}`: {evidence}" + ("" if len(on) == len(found) else f" (on {codes(on)})") for c, (evidence, on) in causes.items()]
    told += [f"did not run at every step: {codes(stopped)}"] if stopped else []
    other = [case for case, n in found.items() if n["ran"] and not n["passed"] and not n["causes"]]
    unsettled = [case for case in other if found[case]["outcome"] == "undecided"]
    other = [case for case in other if case not in unsettled]
    told += [f"another motion, without a cause by name: {codes(other)}"] if other else []
    told += [f"undecided: {codes(unsettled)}"] if unsettled else []
    # The case that tells most of the scheme by name stands for all.
    rules = [rule(n) for n in found.values() if n["steps_of"]] or [rule(n) for n in found.values() if n["rule"]]
    floor = max((n["floor"] for n in found.values() if n["floor"] is not None), default=None)
    single = floor is not None and floor > SINGLE
    return [
        f"{about['name']} {about['version']}",
        named(setting, row),
        f"{sum(1 for n in found.values() if n['ran'] and n['passed'])} of {len(found)}",
        orders_of(found.values(), setting in about.get("by_tolerance", [])),
        max(rules, key=rules.count) if rules else "–",
        "; ".join(told) or "–",
        rough(floor) + (", single" if single else ""),
        rough(row["seconds"]),
    ]


def matrices(config, rows):
    """Returns a table for each kind: engine × setting and what was found."""
    of_kind = {}
    for engine, settings in rows.items():
        kind = config["engines"][engine]["kind"]
        of_kind.setdefault(kind, [HEAD]).extend(
            cells(config, engine, setting, row) for setting, row in settings.items() if judged(config, row)
        )
    return {kind: of_kind[kind] for kind in KINDS if len(of_kind.get(kind, [])) > 1}


def without_gyroscopic_term(config, rows):
    """Returns the table of the engines whose default leaves the gyroscopic term out."""
    table = [("engine", "switch", "with it: setting", "cases without a defect", "defects")]
    for engine, settings in rows.items():
        about, default = config["engines"][engine], settings.get("default")
        if default is None or not any(MISSING in n["causes"] for n in default["cases"].values()):
            continue
        on = about.get("gyroscopic", "none")
        row = settings.get("recommended")
        after = ["–", "–", "–"] if on == "none" else ["recommended", "not run", "not run"]
        if on != "none" and row:
            _, _, right, _, _, defects, _, _ = cells(config, engine, "recommended", row)
            after = ["recommended", right, defects]
        table.append([about["name"], "there is none" if on == "none" else f"`{on}`", *after])
    return table


def not_run(config, rows):
    """Returns a line for each engine with settings that the matrix does not have."""
    lines = []
    for engine, about in config["engines"].items():
        missing = [setting for setting in about["settings"] if not judged(config, rows.get(engine, {}).get(setting, {"cases": {}}))]
        if missing:
            lines.append(f"- `{engine}`: {codes(missing)}")
    return lines


def table(case, config, rows):
    """Returns a row for each engine and setting on one case, with drifts."""
    out = [("engine", "setting", "order", "worst attitude error (rad)", "energy drift", "momentum drift", "verdict", "diagnosis")]
    for engine, settings in rows.items():
        about = config["engines"][engine]
        for setting, row in settings.items():
            if case in row["cases"]:
                n = row["cases"][case]
                measured = [order(n, setting in about.get("by_tolerance", [])), *map(size, (n["error"], n["energy"], n["momentum"]))]
                out.append([about["name"], named(setting, row), *measured, verdict(n), diagnosis(n) if n["ran"] else "–"])
    return out


def said(row):
    """Returns what the judge says in each case of a row: rules, names of schemes with the same rows, and defects."""
    names = [name for n in row.values() if len(n["steps_of"]) <= ALIKE + 1 for name in n["steps_of"]]
    rules = [n["rule"].removeprefix("The scheme is ") for n in row.values()]
    return [*rules, *(f"`{name}`" for name in (*names, *(cause for n in row.values() for cause in n["causes"])))]


# How a scheme is named, from a row and the words that name it.
RIGHT, PART, UNNAMED, OTHER = "rightly", "in part", "not named", "otherwise"
# What is said of a scheme that has no name.
WITHOUT_NAME = ("", "none of those known by name", "One step is as good as two of half its length")
HALF_KNOWN = "by no rule that is known"


def naming(row, words):
    """Returns how the cases of a row name a scheme that these words name: all of them, in any case of the row."""
    told = said(row)
    words = [words] if isinstance(words, str) else words
    known = [any(word in text for text in told) for word in words if word]
    if known and all(known):
        whole = any(HALF_KNOWN not in text for word in words for text in told if word in text)
        return RIGHT if whole else PART
    if any(known):
        return PART
    plain = all(text in WITHOUT_NAME or text.startswith(WITHOUT_NAME[2]) or text.startswith("`") or HALF_KNOWN in text for text in told)
    return UNNAMED if plain else OTHER


def schemes(config, rows):
    """Returns (engine, setting, scheme by its source, source, how it is named) of every setting of the matrix with a known scheme."""
    out = []
    for engine, settings in rows.items():
        known = config["engines"][engine].get("schemes", {})
        for setting, row in settings.items():
            if setting in known and judged(config, row):
                scheme, source, *words = known[setting]
                out.append((engine, setting, scheme, source, naming(judged(config, row), words[0]) if words else None))
    return out


def score(config, rows):
    """Returns a sentence with the numbers of schemes that are named rightly and otherwise."""
    found = [how for *_, how in schemes(config, rows) if how]
    of = {how: found.count(how) for how in (RIGHT, PART, UNNAMED, OTHER)}
    return (
        f"Of {len(found)} settings with steps of one length whose scheme is known from documentation or source, {of[RIGHT]} are named "
        f"rightly, {of[PART]} in part, {of[UNNAMED]} not at all, and {of[OTHER]} by a name that is wrong."
    )


def without_name(config, rows):
    """Returns the table of the schemes that are not named, or in part, and why."""
    table = [("engine", "setting", "scheme by its source", "named", "why")]
    for engine, setting, scheme, _, how in schemes(config, rows):
        if how and how != RIGHT:
            about = config["engines"][engine]
            table.append((about["name"], setting, scheme, how, about.get("unnamed", {}).get(setting, "–")))
    return table


def sources_page(config, rows):
    """Returns the page of the schemes and of the defects, each with its source."""
    out = ["# Schemes and defects of engines, with their sources", ""]
    out += ["<!-- Made by scripts/adapters/engines.py from scripts/adapters/judged and scripts/adapters/engines.toml. Do not edit. -->", ""]
    out += [config["sources"].strip(), "", score(config, rows), "", "## Schemes", ""]
    table = [("engine", "setting", "scheme by its source", "source", "named")]
    table += [(config["engines"][e]["name"], setting, scheme, source, how or "by tolerance") for e, setting, scheme, source, how in schemes(config, rows)]
    out += [*markdown(table), "## Defects", ""]
    table = [("engine", "defect", "settings", "what documentation or source says", "source")]
    for engine, settings in rows.items():
        about, found = config["engines"][engine], {}
        for setting, row in settings.items():
            for n in judged(config, row).values():
                for cause in n["causes"]:
                    found.setdefault(cause, {})[setting] = None
        for cause, on in found.items():
            says, source = about.get("causes", {}).get(cause, ("not looked up", "–"))
            table.append((about["name"], f"`{cause}`", ", ".join(on), says, source))
    return "\n".join(out + markdown(table)).rstrip() + "\n"


def by_version(config, plan, rows):
    """Returns the table of the versions of an engine, {version: {setting: row}}; neighbours with the same row share a line."""
    engine, table = plan["engine"], [("versions", *HEAD[1:6])]
    for setting in plan["settings"]:
        for (first, *_, last), found in spans(config, engine, setting, plan["versions"], rows):
            table.append((first if first == last else f"{first} to {last}", *found))
    return table


def spans(config, engine, setting, versions, rows):
    """Returns (first version, …, last version), twice where it is one, and the cells of each span of versions with the same row."""
    told = []
    for version in versions:
        if setting not in rows.get(version, {}):
            continue
        name, right, orders, scheme, defects = cells(config, engine, setting, rows[version][setting])[1:6]
        # How exactly a rule fits, and hundredths of an order, are not what tells versions apart.
        orders = re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.1f}", orders)
        found = [name, right, orders, re.sub(r" \(to \S+ on \d+ steps of \d+ sizes\)", "", scheme), defects]
        if told and told[-1][1] == found:
            told[-1][0].append(version)
        else:
            told.append(([version], found))
    return [(span if len(span) > 1 else span * 2, found) for span, found in told]


def versions(here, config):
    """Returns what versions.toml says and {name of an engine: {version: {setting: row}}}."""
    plans, found = tomllib.loads((here / "versions.toml").read_text()), {}
    for engine in plans["engines"]:
        kept = here / "judged/versions" / f"{engine}.json"
        if kept.exists():
            found[engine] = json.loads(kept.read_text())
    return plans, found


def brief(found):
    """Returns the lines that the figure has of a row."""
    _, _, orders, scheme, defects = found
    order = [f"order {orders}"] if orders[0].isdigit() else []
    steps = re.findall(r"steps of `(\w+)`", scheme)
    return [*order, *(name.replace("_", " ") for name in re.findall(r"`\w+/(\w+)`", defects)), *steps]


def drawing(config, plans, found):
    """Returns the figure of the versions: a lane for each engine and setting, a field for each span of versions with the same row."""
    left, wide, line_height, out, top = 190, 106, 15, [], 62
    for engine, rows in found.items():
        plan = plans["engines"][engine]
        for setting in plan["settings"]:
            told = spans(config, engine, setting, plan["versions"], rows)
            words = [brief(cells_of) for _, cells_of in told]
            high, at = line_height * max(map(len, words), default=1) + 12, left
            out += [f'<text x="12" y="{top + 12}" font-weight="bold">{html.escape(config["engines"][engine]["name"])}</text>']
            out += [f'<text x="12" y="{top + 28}">{setting}</text>']
            for (versions_of, cells_of), lines in zip(told, words):
                across = wide * len(dict.fromkeys(versions_of))
                right, judged_cases = cells_of[1].split(" of ")
                colour = "#cfe8cf" if right == judged_cases else "#f6d3bd"
                out += [
                    f'<text x="{at + wide * (k + 0.5):g}" y="{top - 4}" text-anchor="middle" fill="#555">{version}</text>'
                    for k, version in enumerate(dict.fromkeys(versions_of))
                ]
                out += [f'<rect x="{at + 1}" y="{top}" width="{across - 2}" height="{high}" rx="3" fill="{colour}"/>']
                out += [
                    f'<text x="{at + across / 2:g}" y="{top + 16 + line_height * k}" text-anchor="middle">{html.escape(text)}</text>'
                    for k, text in enumerate(lines)
                ]
                at += across
            top += max(high, 34) + 28
    most = max((len(plan["versions"]) for engine, plan in plans["engines"].items() if engine in found), default=0)
    width = left + wide * most + 12
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top}" viewBox="0 0 {width} {top}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{top}" fill="white"/>',
        '<text x="12" y="24" font-size="16" font-weight="bold">A free body, version by version</text>',
        '<rect x="320" y="12" width="14" height="14" fill="#cfe8cf"/><text x="340" y="24">converges to the motion</text>',
        '<rect x="500" y="12" width="14" height="14" fill="#f6d3bd"/><text x="520" y="24">has the defects named</text>',
    ]
    return "\n".join([*head, *out, "</svg>"]) + "\n"


def read(folder, config):
    """Returns {engine: {setting: row}} in the order of engines.toml."""
    rows = {}
    for engine, about in config["engines"].items():
        kept = folder / f"{engine}.json"
        if kept.exists():
            told = json.loads(kept.read_text())
            rows[engine] = {setting: told[setting] for setting in about["settings"] if setting in told}
    return rows


def counts(config, rows):
    """Returns a sentence with the numbers of engines and settings in the matrix."""
    matrix = [(engine, row) for engine, settings in rows.items() for row in settings.values() if judged(config, row)]
    once = sum(row["runs"] == 1 for _, row in matrix)
    return f"{len({engine for engine, _ in matrix})} engines in {len(matrix)} settings" + (f", {once} of them once." if once else ".")


def page(config, rows, of_versions=({}, {})):
    """Returns docs/engines.md."""
    out = ["# What engines do with these problems", ""]
    out += ["<!-- Made by scripts/adapters/engines.py from scripts/adapters/judged and scripts/adapters/engines.toml. Do not edit. -->", ""]
    programs = dict.fromkeys(row["topsim"] for settings in rows.values() for row in settings.values())
    out += [config["intro"].strip(), "", counts(config, rows), "", f"Judged by {', '.join(programs)}.", "", "## Engine and verdict", ""]
    for kind, matrix in matrices(config, rows).items():
        out += [f"### Kind: {kind}", "", *markdown(matrix)]
    out += ["## No gyroscopic term as they come", "", config["gyroscopic"].strip(), "", *markdown(without_gyroscopic_term(config, rows))]
    out += ["## Schemes by name", "", f"{score(config, rows)} [Each with its source]({SOURCES}).", "", *markdown(without_name(config, rows))]
    out += ["## How to read and repeat it", "", config["reading"].strip(), "", "## Remarks", ""]
    for about in config["engines"].values():
        if "remark" in about:
            out += [f"### {about['name']} {about['version']}", "", about["remark"].strip(), ""]
    plans, found = of_versions
    if found:
        out += ["## By version", "", plans["intro"].strip(), "", f"![Versions of engines]({DRAWN})", ""]
    for engine, judged_versions in found.items():
        plan = plans["engines"][engine]
        said = [plan["found"].strip(), ""] if "found" in plan else []
        out += [f"### Versions of {config['engines'][engine]['name']}", "", *said]
        out += markdown(by_version(config, {"engine": engine, **plan}, judged_versions))
    for case, plan in config["cases"].items():
        steps = ", ".join(f"{h:g}" for h in plan["steps"])
        out += [f"## {case}", "", f"Steps {steps} s, until {plan['end']:g} s. {plan.get('note', '')}".strip(), ""]
        out += markdown(table(case, config, rows))
    out += ["## Not run yet", "", config["waiting"].strip(), "", *not_run(config, rows), ""]
    return "\n".join(out).rstrip() + "\n"


def html_page(config, rows, of_versions=({}, {})):
    """Returns docs/engines.html: the matrix, where each kind opens and closes by itself, without a script."""
    paragraphs = "".join(f"<p>{hypertext(text)}</p>\n" for text in f"{config['intro'].strip()}\n\n{counts(config, rows)}".split("\n\n"))
    parts = [f"<details open><summary>{kind} ({len(m) - 1})</summary>\n{table_of(m)}</details>\n" for kind, m in matrices(config, rows).items()]
    plans, found = of_versions
    ages = [f"<h2>By version</h2>\n<figure>{drawing(config, plans, found)}</figure>\n"] if found else []
    for engine, judged_versions in found.items():
        aged = table_of(by_version(config, {"engine": engine, **plans["engines"][engine]}, judged_versions))
        ages.append(f"<details><summary>Versions of {config['engines'][engine]['name']}</summary>\n{aged}</details>\n")
    title = "Engines × settings"
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>{title}</title><style>{STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n{paragraphs}{''.join(parts)}"
        f"<h2>No gyroscopic term as they come</h2>\n<p>{hypertext(config['gyroscopic'].strip())}</p>\n"
        f"{table_of(without_gyroscopic_term(config, rows))}{''.join(ages)}</body>\n</html>\n"
    )
