#!/usr/bin/env python3
"""Takes the pictures of report.html that the documents show. Needs the standard library and a browser.

usage: docs_pictures.py TOPSIM [FOLDER]

TOPSIM is the program. The pictures go to FOLDER (default: docs/): `diagnosis.png` with the diagnosis of the README's solver,
which is read from there, and `report.png` of the T-handle.
"""
import base64
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import browser as chromium

TREE = Path(__file__).resolve().parent.parent


def readme(name):
    """Returns a file that the README shows."""
    text = (TREE / "README.md").read_text()
    return re.search(rf"<!-- file: {re.escape(name)} -->\n```\w*\n(.*?)```", text, re.S)[1]


def show(browser, t):
    """Sets the time of the animation."""
    browser.ask(f"{{ const s = document.querySelector('.time'); s.value = {t}; s.dispatchEvent(new Event('input')); }}")
    time.sleep(0.3)


def picture(browser, path, first, last, margin=8):
    """Takes a picture from the top of one element to the bottom of another, as wide as the case."""
    place = browser.ask(
        "(() => { const box = (s) => document.querySelector(s).getBoundingClientRect(), of = box('details.case'); "
        f"return [of.left + scrollX, box({first!r}).top + scrollY, of.width, box({last!r}).bottom + scrollY]; }})()")
    left, top, width, bottom = place
    clip = {"x": left, "y": top - margin, "width": width, "height": bottom - top + 2 * margin, "scale": 1}
    data = browser.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]
    path.write_bytes(base64.b64decode(data))
    print(f"{path}: {path.stat().st_size} bytes")


def main():
    topsim = str(Path(sys.argv[1]).resolve())
    out = Path(sys.argv[2] if len(sys.argv) > 2 else TREE / "docs").resolve()
    program = chromium.find()
    if program is None:
        print(f"no picture: found none of {', '.join(chromium.BROWSERS)} on the PATH")
        return 1
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as profile:
        Path(folder, "my_rk4.py").write_text(readme("my_rk4.py"))
        for command in (["judge", "judge_top", "--solver", "python3 my_rk4.py", "--out", "judged"],
                        ["run", "t_handle", "--quiet", "--out", "results"]):
            subprocess.run([topsim, *command], cwd=folder, capture_output=True)
        browser = chromium.Browser(program, profile)
        try:
            # These elements would disappear once the page is complete, and shift its contents.
            browser.call("Emulation.setScrollbarsHidden", hidden=True)
            browser.open(Path(folder, "judged/report.html"), width=940)
            show(browser, 2.9)
            picture(browser, out / "diagnosis.png", ".judged", ".screens")
            browser.open(Path(folder, "results/report.html"), width=1080)
            show(browser, 16.6)
            picture(browser, out / "report.png", ".screens", ".panels .grid > div:nth-child(2)")
        finally:
            browser.close()
    return 0


sys.exit(main())
