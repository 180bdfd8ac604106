"""Tests of the table of engines, of the rows and of the pages: python3 scripts/adapters/test_engines_page.py (standard library only)."""

import argparse
import copy
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import tomllib
import unittest
import unittest.mock

import engines
import engines_page

HERE = pathlib.Path(__file__).resolve().parent
CONFIG = tomllib.loads((HERE / "engines.toml").read_text())
# Forms of a source: an address, or a repository or package and a file of it; one of our findings.
SOURCE = r"^(https://\S+|\S+( of npm)?: \S+)$"
FINDING = r"^\[finding \d+\]\(findings/README.md#\S+\)$"


class Engines(unittest.TestCase):
    """The table of engines, engines.toml."""

    def setUp(self):
        self.engines = CONFIG["engines"]

    def test_every_adapter_has_a_row(self):
        adapters = {path.name.removesuffix("_solver.py") for path in HERE.glob("*_solver.py")} | {"npm"}
        adapters |= {f"cpp/{path.name}" for path in HERE.glob("cpp/*_solver.cpp")}
        adapters |= {f"rust/{path.parent.parent.name}" for path in HERE.glob("rust/*/src/main.rs")}
        told = {about.get("adapter", name) for name, about in self.engines.items()}
        self.assertEqual(adapters - told, set())

    def test_rows(self):
        for name, about in self.engines.items():
            with self.subTest(name):
                self.assertIn(about["kind"], engines_page.KINDS)
                self.assertTrue(about["name"] and about["version"])
                self.assertTrue(about["settings"])
                self.assertEqual(len(about["settings"]), len(set(about["settings"])))
                self.assertEqual(set(about.get("by_tolerance", [])) - set(about["settings"]), set())
                self.assertEqual((set(about.get("schemes", {})) | set(about.get("unnamed", {}))) - set(about["settings"]), set())
                for setting, (scheme, source, *words) in about.get("schemes", {}).items():
                    self.assertTrue(scheme)
                    self.assertRegex(source, SOURCE)
                    # Only steps of one length have a rule that can be named.
                    self.assertEqual(len(words), setting not in about.get("by_tolerance", []), setting)
                for says, source in about.get("causes", {}).values():
                    self.assertTrue(says)
                    self.assertRegex(source, f"{SOURCE}|{FINDING}")

    def test_versions_are_those_that_are_installed(self):
        pins = "".join(path.read_text() for path in HERE.glob("requirements-*.txt"))
        pins += (HERE / "package.json").read_text()
        for name, about in self.engines.items():
            if about.get("adapter", name) in ("npm", "imu") or (HERE / f"requirements-{name}.txt").exists():
                with self.subTest(name):
                    self.assertRegex(pins, rf'(==|"){re.escape(about["version"])}["\n]')

    def test_every_row_is_of_a_setting(self):
        for path in (HERE / "judged").glob("*.json"):
            with self.subTest(path.name):
                rows = json.loads(path.read_text())
                self.assertEqual(set(rows) - set(self.engines[path.stem]["settings"]), set())
                self.assertEqual(engines.written(rows), path.read_text())

    def test_no_scheme_has_a_wrong_name_and_what_has_none_has_a_reason(self):
        rows = engines_page.read(HERE / "judged", CONFIG)
        self.assertEqual([row for row in engines_page.schemes(CONFIG, rows) if row[-1] == engines_page.OTHER], [])
        self.assertEqual([row for row in engines_page.without_name(CONFIG, rows) if row[-1] == "–"], [])

    def test_every_defect_is_held_against_a_source(self):
        self.assertNotIn("not looked up", engines_page.sources_page(CONFIG, engines_page.read(HERE / "judged", CONFIG)))

    def test_the_pages_are_those_of_the_rows(self):
        rows, versions = engines_page.read(HERE / "judged", CONFIG), engines_page.versions(HERE, CONFIG)
        self.assertEqual((engines.ROOT / "docs/engines.md").read_text(), engines_page.page(CONFIG, rows, versions))
        self.assertEqual((engines.ROOT / "docs" / engines_page.DRAWN).read_text(), engines_page.drawing(CONFIG, *versions))
        self.assertEqual((engines.ROOT / "docs/engines.html").read_text(), engines_page.html_page(CONFIG, rows, versions))
        self.assertEqual((engines.ROOT / "docs" / engines_page.SOURCES).read_text(), engines_page.sources_page(CONFIG, rows))


RIGHT = {
    "case": "judge_free",
    "outcome": "no_defect",
    "passed": True,
    "order": 3.99961,
    "precision": {"rounding": 2e-16, "single": None},
    "diagnosis": {"conclusion": "right", "causes": [], "rule": ["The scheme is RK4 (to 3e-15)."], "scheme": {"name": "rkmk4"}},
    "files": [{"step": 0.01, "errors": {"attitude": {"worst": 1.23456e-7}}, "energy": {"first": 2.0, "worst": 1e-9}}],
}
WRONG = {
    **RIGHT,
    "outcome": "failed",
    "passed": False,
    "order": None,
    "precision": {"rounding": 1.26e-7, "single": "state"},
    "diagnosis": {"conclusion": "named", "causes": [{"id": "model/gyroscopic_missing", "evidence": "W × J W is multiplied by 0; more"}]},
}
# Schemes and defects of an engine, with their sources.
OF_ONE = {
    "schemes": {"default": ["Euler", "https://one.org", "`model/gyroscopic_missing`"], "recommended": ["Heun", "one/one: heun.c", ["Heun", "RK4"]]},
    "unnamed": {"recommended": "It is RK4."},
    "causes": {"model/gyroscopic_missing": ["It has none.", "https://one.org"]},
}
FIXTURE = {
    "intro": "Of *one* engine & <another>.",
    "gyroscopic": "A switch.",
    "reading": "So.",
    "waiting": "These wait:",
    "sources": "From sources.",
    "judging": {"navigation": ["coning"]},
    "cases": {"t_handle": {"steps": [0.5, 0.25], "end": 5.0}},
    "engines": {
        "one": {"name": "One", "version": "1", "kind": "game", "settings": ["default", "recommended"], "gyroscopic": "flag", "remark": "It turns.", **OF_ONE},
        "two": {"name": "Two", "version": "2", "kind": "robot", "settings": ["default", "rk4"], "by_tolerance": ["default"]},
        "none": {"name": "None", "version": "3", "kind": "flight", "settings": ["default"]},
    },
}
HEAD = """| engine | setting | cases without a defect | orders | scheme | defects | precision floor | seconds a step |
|---|---|---|---|---|---|---|---|
"""
PAGE = f"""# What engines do with these problems

<!-- Made by scripts/adapters/engines.py from scripts/adapters/judged and scripts/adapters/engines.toml. Do not edit. -->

Of *one* engine & <another>.

2 engines in 3 settings, 1 of them once.

Judged by topsim 1.

## Engine and verdict

### Kind: game

{HEAD}| One 1 | default | 0 of 2 | – | – | `model/gyroscopic_missing`: W × J W is multiplied by 0 | 1e-7, single | 2e-6 |
| One 1 | recommended (once) | 1 of 1 | 4.00 | RK4 (to 3e-15); steps of `rkmk4` | – | 2e-16 | – |

### Kind: robot

{HEAD}| Two 2 | default | 1 of 1 | by tolerance | RK4 (to 3e-15); steps of `rkmk4` | – | 2e-16 | – |

## No gyroscopic term as they come

A switch.

| engine | switch | with it: setting | cases without a defect | defects |
|---|---|---|---|---|
| One | `flag` | recommended | 1 of 1 | – |

## Schemes by name

Of 2 settings with steps of one length whose scheme is known from documentation or source, 1 are named rightly, 1 in part, 0 not at all, and 0 by a name that is wrong. [Each with its source](engines-sources.md).

| engine | setting | scheme by its source | named | why |
|---|---|---|---|---|
| One | recommended | Heun | in part | It is RK4. |

## How to read and repeat it

So.

## Remarks

### One 1

It turns.

## t_handle

Steps 0.5, 0.25 s, until 5 s.

| engine | setting | order | worst attitude error (rad) | energy drift | momentum drift | verdict | diagnosis |
|---|---|---|---|---|---|---|---|
| Two | rk4 | 4.00 | 1.23e-7 | 5.00e-10 | – | passed | converges to the case's motion; RK4 (to 3e-15); steps of `rkmk4` |

## Not run yet

These wait:

- `two`: `rk4`
- `none`: `default`
"""


TOPSIM = """#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in
        --solver) solver=$2 ;;
        --out) out=$2 ;;
    esac
    shift
done
mkdir -p "$out/${solver%%=*}"
echo '{"protocol": 1}' | sh -c "${solver#*=}" >"$out/${solver%%=*}/answer"
echo $? >"$out/${solver%%=*}/status"
cp "$(dirname "$0")/report.json" "$out/${solver%%=*}/results.json"
echo '{"seconds_per_step": {}}' >"$out/timings.json"
"""


def row(cases, runs=2, seconds=None):
    return {"topsim": "topsim 1", "runs": runs, "seconds": seconds, "cases": {c: engines_page.numbers(r) for c, r in cases.items()}}


class Pages(unittest.TestCase):
    """The pages of rows made up here."""

    def setUp(self):
        skipped = {"case": "judge_push", "outcome": "skipped", "files": [], "failed": [{"stderr": ["no torque"]}]}
        self.rows = {
            "one": {
                "default": row({"judge_free": WRONG, "judge_top": WRONG}, seconds=2e-6),
                "recommended": row({"judge_free": RIGHT, "judge_push": skipped}, runs=1),
            },
            "two": {"default": row({"judge_free": RIGHT}), "rk4": row({"t_handle": RIGHT})},
        }

    def test_the_page_to_the_byte(self):
        self.assertEqual(engines_page.page(FIXTURE, self.rows), PAGE)

    def test_the_page_of_the_sources(self):
        page = engines_page.sources_page(FIXTURE, self.rows)
        self.assertIn("| One | default | Euler | https://one.org | rightly |", page)
        self.assertIn("| One | `model/gyroscopic_missing` | default | It has none. | https://one.org |", page)

    def test_how_a_scheme_is_named(self):
        def how(rule, words, steps_of=(), causes=()):
            n = {"rule": rule, "steps_of": list(steps_of), "causes": dict.fromkeys(causes, "")}
            return engines_page.naming({"judge_free": n}, words)

        self.assertEqual(how("The scheme is RK4 (to 3e-15)", "RK4"), "rightly")
        self.assertEqual(how("The scheme is RK4 (to 3e-15)", "Heun"), "otherwise")
        self.assertEqual(how("The scheme is none of those known by name", "Heun"), "not named")
        self.assertEqual(how("The scheme is none of those known by name", ""), "not named")
        self.assertEqual(how("", "Heun", causes=["model/damping"]), "not named")
        self.assertEqual(how("The attitude is advanced by E; the rate by no rule that is known", "by E"), "in part")
        self.assertEqual(how("The attitude is advanced by E; the rate by no rule that is known", "`heun`", steps_of=["heun"]), "rightly")
        self.assertEqual(how("", "`a`", steps_of="abcdef"), "not named")

    def test_the_matrix_in_a_browser(self):
        page = engines_page.html_page(FIXTURE, self.rows)
        self.assertIn("default-src 'none'", page)
        self.assertNotIn("<script", page)
        self.assertIn("<p>Of <em>one</em> engine &amp; &lt;another&gt;.</p>", page)
        self.assertIn("<details open><summary>game (2)</summary>", page)
        self.assertIn("<td><code>model/gyroscopic_missing</code>: W × J W is multiplied by 0</td><td>1e-7, single</td><td>2e-6</td></tr>", page)
        for name in ("details", "table", "tr", "td", "th", "p", "body", "html"):
            self.assertEqual(page.count(f"<{name}>") + page.count(f"<{name} "), page.count(f"</{name}>"), name)

    def test_defects_of_some_cases_and_other_motions_are_told(self):
        other = {**WRONG, "diagnosis": {"conclusion": "none_fits", "causes": []}}
        stopped = {"outcome": "incomplete", "files": [], "failed": [{"message": "it broke"}]}
        unsettled = {**other, "outcome": "undecided"}
        mixed = row({"judge_free": WRONG, "judge_top": other, "judge_fast": stopped, "judge_wobble": unsettled})
        self.assertEqual(
            engines_page.cells(FIXTURE, "one", "default", mixed)[5],
            "`model/gyroscopic_missing`: W × J W is multiplied by 0 (on `judge_free`); did not run at every step: `judge_fast`; "
            "another motion, without a cause by name: `judge_top`; undecided: `judge_wobble`",
        )
        self.assertEqual(engines_page.verdict(mixed["cases"]["judge_fast"]), "did not run at every step: it broke")

    def test_neighbouring_versions_with_the_same_row_share_a_line(self):
        plan = {"engine": "two", "settings": ["rk4"], "versions": ["1", "2", "3", "4"]}
        right, wrong = row({"judge_free": RIGHT}), row({"judge_free": WRONG})
        table = engines_page.by_version(FIXTURE, plan, {"1": {"rk4": wrong}, "2": {"rk4": right}, "4": {"rk4": right}})
        self.assertEqual([line[:3] for line in table[1:]], [("1", "rk4", "0 of 1"), ("2 to 4", "rk4", "1 of 1")])
        plans = {"intro": "So many.", "engines": {"two": {**plan, "found": "It changed."}}}
        found = {"two": {"1": {"rk4": wrong}, "2": {"rk4": right}, "4": {"rk4": right}}}
        page = engines_page.page(FIXTURE, self.rows, (plans, found))
        self.assertIn("## By version\n\nSo many.\n\n![Versions of engines](engines-versions.svg)\n\n### Versions of Two\n\nIt changed.\n\n| versions | setting |", page)
        figure = engines_page.drawing(FIXTURE, plans, found)
        self.assertEqual(re.findall(r'width="(\d+)" height="\d+" rx', figure), ["104", "210"])
        self.assertEqual(re.findall(r">([^<]+)</text>", figure)[3:], ["Two", "rk4", "1", "gyroscopic missing", "2", "4", "order 4.0", "rkmk4"])

    def test_a_scheme_whose_rows_many_others_make_is_told_without_their_names(self):
        n = {"rule": "", "steps_of": ["a", "b", "c", "d"]}
        self.assertEqual(engines_page.rule(n), "steps of `a` (here also of `b`, `c`, `d`)")
        self.assertEqual(engines_page.rule({**n, "steps_of": [*n["steps_of"], "e"]}), "steps of `a` (here also of 4 others)")


class Twice(unittest.TestCase):
    """Rows of two runs."""

    def made(self, second, seconds):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name, report in zip(engines.TWICE, (RIGHT, second)):
            (folder / name).mkdir()
            (folder / name / "results.json").write_text(json.dumps({"cases": [{"items": [report]}]}))
        (folder / "timings.json").write_text(json.dumps({"seconds_per_step": seconds}))
        return folder

    def test_equal_runs_make_a_row(self):
        cases, seconds = engines.rows_of(self.made(RIGHT, {"first": 2.34567e-6, "second": 2e-5}))
        self.assertEqual(cases, {"judge_free": engines_page.numbers(RIGHT)})
        self.assertEqual(seconds, 2.35e-6)

    def test_runs_that_differ_are_refused(self):
        other = copy.deepcopy(RIGHT)
        other["files"][0]["errors"]["attitude"]["worst"] *= 1.01
        with self.assertRaisesRegex(engines.Refused, "the two runs differ on judge_free"):
            engines.rows_of(self.made(other, {}))

    def test_one_report_is_enough_where_the_solver_repeats_its_bytes(self):
        out = self.made(RIGHT, {"first": 2e-6})
        shutil.rmtree(out / "second")
        self.assertEqual(engines.rows_of(out), ({"judge_free": engines_page.numbers(RIGHT)}, 2e-6))

    def test_rows_of_another_build_are_older(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        topsim = folder / "topsim"
        topsim.write_text("this build")
        chosen = argparse.Namespace(topsim=str(topsim), engine=["two"], setting=None, lacking=False, older=False)
        build = engines.digest(chosen)[: engines.BUILD]
        (folder / "two.json").write_text(json.dumps({"default": {"runs": 2, "build": build}, "rk4": {"runs": 2}}))
        pairs = lambda **changes: [setting for _, setting in engines.settings(argparse.Namespace(**{**vars(chosen), **changes}), FIXTURE, folder)]
        self.assertEqual(pairs(), ["default", "rk4"])
        self.assertEqual(pairs(lacking=True), [])
        self.assertEqual(pairs(older=True), ["rk4"])

    def test_a_solver_is_asked_twice_and_judged_again_where_it_gives_other_bytes(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        environments = folder / "environments"
        engine = environments / "rust/release/one"
        engine.parent.mkdir(parents=True)
        # A topsim that asks one question, keeps the answer, and writes a report; the solver says how often it was asked.
        topsim = folder / "topsim"
        topsim.write_text(TOPSIM)
        topsim.chmod(0o755)
        (folder / "report.json").write_text(json.dumps({"cases": [{"items": [RIGHT]}]}))
        chosen = argparse.Namespace(topsim=str(topsim), environments=str(environments), results=str(folder / "results"), jobs=1, kept=False, untimed=True)
        config = {**FIXTURE, "engines": {"one": {**FIXTURE["engines"]["one"], "adapter": "rust/one"}}}
        for text, judged in (("the same", ["first"]), ("$(date +%N)", ["first", "second"])):
            with self.subTest(text):
                engine.write_text(f"#!/bin/sh\ncat >/dev/null\necho {text}\nexit 77\n")
                engine.chmod(0o755)
                cases, seconds = engines.judge(chosen, config, "one", "default", "judging")
                self.assertEqual((list(cases), seconds), (["judge_free"], None))
                out = folder / "results/one/default/judging"
                self.assertEqual(sorted(path.parent.name for path in out.glob("*/results.json")), judged)
                self.assertFalse((out / "asked").exists())
                self.assertEqual((out / "first/status").read_text(), "77\n")

    def test_an_engine_that_is_not_there_or_another_is_refused(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        about = {"version": "1.2", "adapter": "rust/one", "settings": ["default"]}
        chosen = argparse.Namespace(environments=str(folder))

        def refused(says, **changes):
            with self.assertRaisesRegex(engines.Refused, says):
                engines.installed(chosen, {"engines": {"one": {**about, **changes}}}, "one")

        refused("not installed")
        program = folder / "rust/release/one"
        program.parent.mkdir(parents=True)
        program.write_text('#!/bin/sh\necho \'{"version": "One 1.2", "settings": {"default": "as it comes"}}\'\n')
        program.chmod(0o755)
        engines.installed(chosen, {"engines": {"one": about}}, "one")
        refused("found One 1.2; engines.toml has 1.3", version="1.3")
        refused("no setting other; there are default", settings=["default", "other"])

    def test_each_engine_is_installed_by_a_name_that_install_knows(self):
        told = subprocess.run([engines.HERE / "install", "none"], capture_output=True, text=True).stderr
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        script = folder / "install"
        script.write_text(f'#!/bin/sh\necho "$1" >>{folder}/asked\n')
        script.chmod(0o755)
        with unittest.mock.patch.object(engines, "HERE", folder):
            for engine in CONFIG["engines"]:
                with self.assertRaisesRegex(engines.Refused, "not installed"):
                    engines.install(argparse.Namespace(environments=str(folder / "none")), CONFIG, engine)
        asked = set((folder / "asked").read_text().split())
        self.assertEqual(asked, set(told.partition("engines:")[2].split()))


if __name__ == "__main__":
    unittest.main()
