#!/usr/bin/env python3
"""Opens report.html in a headless Chromium and uses it as a reader would. Needs the standard library and a browser.

usage: browser_test.py TOPSIM [PICTURES]

TOPSIM is the program. It writes reports into a temporary folder; PICTURES is a folder for pictures of them. Without a
browser on the PATH the test says that it was skipped.
"""
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import browser as chromium


def expect(what, holds):
    print(("ok      " if holds else "FAILED  ") + what)
    if not holds:
        expect.failed += 1


expect.failed = 0
HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(2)>\u202e&<!--'
CASE = """title = '%s'
summary = '%s'
[body]
inertia = [1.0, 2.0, 2.5]
[initial]
angular_velocity = [0.1, 3.0, 0.2]
[run]
end = 2.0
steps = [0.05, 0.1]
schemes = ["rig_pos", "split3"]
[reference]
kind = "free_body"
[[figure]]
kind = "error"
quantity = "attitude"
""" % (HOSTILE, HOSTILE)
# A Runge-Kutta solver of fourth order with one wrong sign: that of the gyroscopic torque.
SOLVER = """import json, sys
def cross(a, b):
    return [a[1]*b[2]-a[2]*b[1], a[2]*b[0]-a[0]*b[2], a[0]*b[1]-a[1]*b[0]]
def solve(p):
    a, b, c = p["body"]["inertia"]
    minors = [cross(b, c), cross(c, a), cross(a, b)]
    det = sum(x*y for x, y in zip(a, minors[0]))
    def slope(y):
        q, w = y[:4], y[4:]
        momentum = [sum(x*z for x, z in zip(row, w)) for row in (a, b, c)]
        torque = cross(w, momentum)
        return [0.5*x for x in (-q[1]*w[0]-q[2]*w[1]-q[3]*w[2], q[0]*w[0]+q[2]*w[2]-q[3]*w[1],
                                q[0]*w[1]+q[3]*w[0]-q[1]*w[2], q[0]*w[2]+q[1]*w[1]-q[2]*w[0])] + [
            sum(minors[j][i]*torque[j] for j in range(3))/det for i in range(3)]
    y, h, n = p["initial"]["quaternion"] + p["initial"]["angular_velocity_body"], p["step"], 0
    print("t,qw,qx,qy,qz,W1,W2,W3")
    for t in p["times"]:
        while n < round((t - p["start"])/h):
            k1 = slope(y)
            k2 = slope([u + h/2*k for u, k in zip(y, k1)])
            k3 = slope([u + h/2*k for u, k in zip(y, k2)])
            k4 = slope([u + h*k for u, k in zip(y, k3)])
            y = [u + h/6*(a+2*b+2*c+d) for u, a, b, c, d in zip(y, k1, k2, k3, k4)]
            n += 1
        print(",".join(map(repr, [t] + y)))
for number, line in enumerate(line for line in sys.stdin if line.strip()):
    if number:
        print()
    solve(json.loads(line))
"""
FAILING = "import sys; sys.stderr.write(%r + chr(10)); sys.exit(3)" % HOSTILE


def run(topsim, folder, *arguments):
    """Runs the program; its exit status is ignored, because some verdicts are meant to fail."""
    return subprocess.run([topsim, *arguments], cwd=folder, capture_output=True, text=True)


def heavy_top(browser, topsim, folder, pictures):
    run(topsim, folder, "run", "heavy_top", "--out", "out", "--quiet")
    path = Path(folder, "out/report.html")
    size = path.stat().st_size
    expect(f"heavy_top takes {size} bytes, at most 600 000", size <= 600_000)
    browser.open(path)
    expect("the page says that all passed", browser.ask("document.querySelector('h1 .chip').textContent") == "passed")
    plots = browser.ask("[...document.querySelectorAll('.uplot canvas')].filter(drawn).length; function drawn(c) {"
                        " return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(x => x); }")
    expect(f"{plots} plots are drawn", plots >= 4)
    filters(browser)
    animation(browser)
    keys(browser)
    dropped(browser, topsim, folder)
    dropped_others(browser, folder)
    expect(f"no complaint, no request: {browser.complaints()}", not browser.complaints())
    for scheme in ["light", "dark"]:
        browser.open(path, scheme)
        browser.ask("document.querySelector('.time').value = 3.3; document.querySelector('.time').dispatchEvent(new Event('input'))")
        browser.picture(pictures / f"heavy_top_{scheme}.png")
    browser.open(path, width=390, height=844)
    wide = browser.ask("document.documentElement.scrollWidth")
    expect(f"a narrow screen of 390 needs {wide}", wide <= 390)
    browser.picture(pictures / "heavy_top_narrow.png")
    browser.open(path, script=False)
    browser.picture(pictures / "heavy_top_without_script.png")


def filters(browser):
    shown = "[...document.querySelectorAll('table.checks > tbody > tr')].filter(r => !r.hidden).length"
    every = browser.ask(shown)
    browser.ask("{ const i = document.querySelector('.filters input'); i.value = 'drift'; i.dispatchEvent(new Event('input')); }")
    some = browser.ask(shown)
    expect(f"a filter leaves {some} of {every} checks", 0 < some < every)
    browser.ask("{ const i = document.querySelector('.filters input'); i.value = ''; i.dispatchEvent(new Event('input')); }")
    browser.ask("{ const s = document.querySelector('[data-filter=scheme]'); s.selectedIndex = 1; s.dispatchEvent(new Event('change')); }")
    expect("a scheme is a filter too", 0 < browser.ask(shown) < every)
    browser.ask("{ const s = document.querySelector('[data-filter=scheme]'); s.selectedIndex = 0; s.dispatchEvent(new Event('change')); }")
    digits = "[...document.querySelectorAll('table.checks > tbody > tr td.digits')].map(c => c.dataset.sort).filter(Boolean).map(Number)"
    browser.ask("[...document.querySelectorAll('table.checks thead button')].find(b => b.textContent == 'Digits of room').click()")
    order = browser.ask(digits)
    expect("a click on its head sorts by digits", len(order) > 3 and order == sorted(order))


def animation(browser):
    ink = "(() => { const c = document.querySelector('.screen canvas'); return c.toDataURL().length + c.toDataURL().slice(-4000); })()"
    before = browser.ask(ink)
    browser.ask("document.querySelector('.time').value = 5; document.querySelector('.time').dispatchEvent(new Event('input'))")
    expect("the slider moves the body", browser.ask(ink) != before)
    told = browser.ask("document.querySelector('.controls output').textContent")
    expect(f"and tells its time: {told}", told == "t = 5 s")
    places = browser.ask("[...document.querySelectorAll('.needle')].map(n => n.style.transform)")
    expect("the figures follow", places and all(p != "translateX(0px)" for p in places))
    browser.ask("document.querySelector('.play').click()")
    time.sleep(0.7)
    browser.ask("document.querySelector('.play').click()")
    now = browser.ask("Number(document.querySelector('.time').value)")
    expect(f"play goes on from 5 to {now}", now > 5)


def keys(browser):
    """Buttons, names and keys work as labelled."""
    chart = "var plot = document.querySelector('.panels .plot')"
    width = f"{chart}; [...plot.querySelectorAll('canvas')].map(c => c.toDataURL().length).join()"
    for what, act in [
        ("a button zooms", "plot.querySelector('[aria-label=\"zoom in\"]').click()"),
        ("a button shows all", "plot.querySelector('[aria-label=\"show all\"]').click()"),
        ("a name hides its curve", "plot.querySelectorAll('.u-legend th')[1].dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}))"),
    ]:
        before = browser.ask(width)
        browser.ask(f"{chart}; {act}")
        time.sleep(0.2)
        expect(what, browser.ask(width) != before)
    browser.ask("document.querySelector('.panels .table summary').click()")
    time.sleep(0.2)
    expect("a figure has its table", browser.ask("document.querySelectorAll('.panels .table')[0].querySelectorAll('tbody tr').length") > 100)
    ink = "document.querySelector('.screen canvas').toDataURL()"
    for key in ["ArrowLeft", "ArrowUp", "+"]:
        before = browser.ask(ink)
        browser.ask(f"document.querySelector('.screen canvas').dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}'}}))")
        expect(f"the key {key} turns the body", browser.ask(ink) != before)


def dropped(browser, topsim, folder):
    shutil.copy(Path(folder, "out/heavy_top/rig_pos_h0.009.csv"), Path(folder, "mine.csv"))
    said = run(topsim, folder, "judge", "heavy_top", "--history", "mine.csv", "--format", "json")
    errors = json.loads(said.stdout)["cases"][0]["items"][0]["files"][0]["errors"]
    browser.drop(".drop input", Path(folder, "mine.csv"))
    for _ in range(50):
        if browser.ask("document.querySelectorAll('.drop .plot').length") == 2:
            break
        time.sleep(0.1)
    shown = browser.ask("document.querySelector('.screen select').selectedOptions[0].textContent")
    expect(f"the dropped file moves: {shown}", shown == "mine.csv")
    for name in ["attitude", "rate"]:
        own = float(browser.ask(f"document.querySelector('.said p')?.dataset.{name} ?? 'NaN'"))
        judged = errors[name]["worst"]
        expect(f"the {name} error of a dropped file is {own:.6g}, that of judge {judged:.6g}", abs(own / judged - 1) < 1e-3)


def read(browser, folder, name, lines):
    """Returns the text of the page about a dropped file."""
    Path(folder, name).write_text("\n".join(lines) + "\n")
    browser.drop(".drop input", Path(folder, name))
    for _ in range(50):
        said = browser.ask("document.querySelector('.said').innerText")
        if said.startswith(name) and not browser.ask("document.querySelector('.target strong').textContent"):
            return said
        time.sleep(0.1)
    return ""


def dropped_others(browser, folder):
    """Drops files that `topsim judge` can read, and invalid ones."""
    heads, *rows = Path(folder, "mine.csv").read_text().splitlines()
    cells = [row.split(",") for row in rows]
    at = heads.split(",").index
    turned = [[c[at(f"R{name[2]}{name[1]}")] if name[0] == "R" and name[1:].isdigit() else c[at(name)] for name in heads.split(",")] for c in cells]
    for name, lines, wanted in [
        ("semicolons.csv", [heads.replace(",", ";")] + [row.replace(",", ";") for row in rows], f"{len(rows)} rows compared"),
        ("sharp.csv", ["# " + heads] + rows, f"{len(rows)} rows compared"),
        ("nan.csv", [heads, *rows[:9], ",".join(["nan"] * len(cells[0])), *rows[10:]], "row 9 has something that is no number"),
        ("back.csv", [heads, *rows[:9], *rows[:3]], "the time of row 9 is not after"),
        ("names.csv", ["time,foo,bar", "0,1,2"], "no line of names with a column t"),
        ("turned.csv", [heads] + [",".join(c) for c in turned], "the other way round"),
    ]:
        said = read(browser, folder, name, lines)
        expect(f"of {name} the page says: {said[:160]!r}", wanted in said)


def judged(browser, topsim, folder, pictures):
    Path(folder, "wrong.py").write_text(SOLVER)
    run(topsim, folder, "judge", "judge_free", "--solver", "python3 wrong.py", "--out", "judged")
    browser.open(Path(folder, "judged/report.html"))
    text = browser.ask("document.body.innerText")
    expect("the page of a wrong solver names what is wrong", "gyroscopic term of the wrong sign" in text)
    expect("and its link leads to the check", browser.ask(
        "document.querySelector(document.querySelector('#failures a').getAttribute('href')) !== null"))
    names = browser.ask("[...document.querySelectorAll('.figures .u-legend th')].map(t => t.textContent)")
    expect("its order stands beside schemes", any(n.startswith("quat_rk4") for n in names) and "your solver" in names)
    expect(f"no complaint, no request: {browser.complaints()}", not browser.complaints())
    browser.picture(pictures / "judged.png")


def hostile(browser, topsim, folder):
    Path(folder, "bad.toml").write_text(CASE)
    Path(folder, "bad.py").write_text(FAILING)
    run(topsim, folder, "run", "bad.toml", "--no-checks", "--out", "bad")
    run(topsim, folder, "judge", "bad.toml", "--solver", "python3 bad.py '%s'" % HOSTILE.replace("'", ""), "--out", "bad_judged")
    for name in ["bad", "bad_judged"]:
        browser.open(Path(folder, name, "report.html"))
        shown = browser.ask("document.body.innerText")
        expect(f"{name}: a hostile text is shown as it is", HOSTILE.replace("\u202e", "\ufffd") in shown)
        made = browser.ask("document.querySelectorAll('img, script').length")
        expect(f"{name}: and makes no element ({made} scripts)", made == 3)
        expect(f"{name}: no complaint, no request: {browser.complaints()}", not browser.complaints())


def several(browser, topsim, folder, pictures):
    cases = ["heavy_top", "t_handle", "levitron_fig1a", "free_asymmetric", "tossed_book", "levitron_dipoles", "hnw_forced",
             "anti_gravity_wheel", "bruls_heavy_top_slow"]
    run(topsim, folder, "run", *cases, "--out", "many", "--quiet")
    browser.open(Path(folder, "many/report.html"))
    expect("of many cases the report is an index", browser.ask("document.querySelectorAll('details.case').length") == 0)
    links = browser.ask("[...new Set([...document.querySelectorAll('table.checks a')].map(a => a.getAttribute('href').split('#')[0]))]")
    expect(f"with links to {len(links)} pages", len(links) == len(cases) and all(Path(folder, "many", link).exists() for link in links))
    expect(f"no complaint, no request: {browser.complaints()}", not browser.complaints())
    browser.picture(pictures / "index.png")
    for case in cases:
        browser.open(Path(folder, "many", case, "report.html"))
        expect(f"{case}: no complaint, no request: {browser.complaints()}", not browser.complaints())
        if case in ("t_handle", "anti_gravity_wheel"):
            browser.ask("{ const t = document.querySelector('.time'); t.value = 0.2 * t.max; t.dispatchEvent(new Event('input')); }")
            browser.picture(pictures / f"{case}.png")
        if case == "levitron_fig1a":
            the_map(browser, pictures)


def the_map(browser, pictures):
    browser.ask("document.querySelector('canvas.map').scrollIntoView()")
    box = browser.ask("(r => [r.left, r.top, r.width, r.height])(document.querySelector('canvas.map').getBoundingClientRect())")
    at = lambda u, v: {"x": box[0] + u * box[2], "y": box[1] + v * box[3]}
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", **at(0.9, 0.1))
    marks = [browser.ask(f"document.querySelectorAll('.framed .ticks.{axis} span').length") for axis in "xz"]
    expect(f"a map has numbers along its sides: {marks}", min(marks) > 2)
    told = browser.ask("document.querySelector('.maps output').textContent")
    expect(f"a map tells what is under the pointer: {told}", "escapes after" in told)
    mouse = {"button": "left", "buttons": 1, "clickCount": 1}
    browser.call("Input.dispatchMouseEvent", type="mousePressed", **at(0.25, 0.25), **mouse)
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", **at(0.5, 0.5), **mouse)
    browser.call("Input.dispatchMouseEvent", type="mouseReleased", **at(0.5, 0.5), **mouse)
    command = browser.ask("document.querySelector('.maps code').textContent")
    window = [float(x) for x in command.split("--window ")[1].split()[0].split(",")]
    wanted = [0.003, 0.006, 0.0, 0.005]
    expect(f"a drawn window has its command: {command}", all(abs(a - b) < 1e-4 for a, b in zip(window, wanted)))
    browser.picture(pictures / "map.png")


def main():
    topsim = str(Path(sys.argv[1]).resolve())
    program = chromium.find()
    if program is None:
        print(f"browser test: SKIPPED, found none of {', '.join(chromium.BROWSERS)} on the PATH")
        return 0
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as profile:
        pictures = Path(sys.argv[2] if len(sys.argv) > 2 else folder).resolve()
        pictures.mkdir(parents=True, exist_ok=True)
        browser = chromium.Browser(program, profile)
        try:
            heavy_top(browser, topsim, folder, pictures)
            judged(browser, topsim, folder, pictures)
            hostile(browser, topsim, folder)
            several(browser, topsim, folder, pictures)
        finally:
            browser.close()
    print(f"browser test: {expect.failed} failed")
    return min(expect.failed, 1)


sys.exit(main())
