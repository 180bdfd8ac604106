#!/usr/bin/env python3
"""Opens report.html in a headless Chromium and uses it as a reader would. Needs the standard library and a browser.

usage: browser_test.py TOPSIM [SCREENSHOTS]

TOPSIM is the program. It writes reports into a temporary folder; SCREENSHOTS is a folder for pictures of them. Without a
browser on the PATH the test says that it was skipped.
"""
import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

BROWSERS = ["chromium", "chromium-browser", "google-chrome", "chrome"]


class Socket:
    """A websocket: text messages, from the client."""

    def __init__(self, url):
        host, path = url.removeprefix("ws://").split("/", 1)
        name, port = host.split(":")
        self.raw = socket.create_connection((name, int(port)), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.raw.sendall(
            f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.exactly(1)
        assert b" 101 " in head, head

    def exactly(self, count):
        out = b""
        while len(out) < count:
            part = self.raw.recv(count - len(out))
            if not part:
                raise ConnectionError("the browser has closed the connection")
            out += part
        return out

    def send(self, text):
        data = text.encode()
        size = len(data)
        head = bytes([0x81])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 1 << 16:
            head += bytes([0x80 | 126]) + struct.pack(">H", size)
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", size)
        # A mask of zeros leaves the data as they are.
        self.raw.sendall(head + bytes(4) + data)

    def receive(self):
        text = b""
        while True:
            first, second = self.exactly(2)
            size = second & 0x7F
            if size == 126:
                size = struct.unpack(">H", self.exactly(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.exactly(8))[0]
            data = self.exactly(size)
            if first & 0x0F in (0, 1):
                text += data
                if first & 0x80:
                    return text.decode()


class Browser:
    """A headless browser with one page; what it requests and complains of is kept."""

    def __init__(self, program, folder):
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
             "--disable-background-networking", "--no-first-run", f"--user-data-dir={folder}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = Path(folder, "DevToolsActivePort")
        for _ in range(300):
            if port.exists() and len(port.read_text().splitlines()) > 1:
                break
            time.sleep(0.1)
        number = port.read_text().splitlines()[0]
        with urllib.request.urlopen(f"http://127.0.0.1:{number}/json") as answer:
            pages = json.load(answer)
        self.socket = Socket(next(p["webSocketDebuggerUrl"] for p in pages if p["type"] == "page"))
        self.count, self.events = 0, []
        for domain in ["Page", "Runtime", "Log", "Network", "DOM"]:
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            said = json.loads(self.socket.receive())
            if said.get("id") == self.count:
                assert "error" not in said, (method, said)
                return said["result"]
            self.events.append(said)

    def open(self, path, scheme="light", width=1280, height=1000, script=True):
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url="about:blank")
        self.events.clear()
        self.call("Page.navigate", url=Path(path).resolve().as_uri())
        for _ in range(200):
            # Also fetches what the page has said.
            if self.call("Runtime.evaluate", expression="document.readyState", returnByValue=True)["result"].get("value") == "complete" \
                    and any(e["method"] == "Page.loadEventFired" for e in self.events):
                break
            time.sleep(0.05)
        time.sleep(0.5)

    def ask(self, expression):
        said = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in said, (expression, said["exceptionDetails"])
        return said["result"].get("value")

    def complaints(self):
        """Exceptions, errors, and requests for anything but the page."""
        self.ask("1")
        out = []
        for event in self.events:
            method, given = event["method"], event["params"]
            if method == "Runtime.exceptionThrown":
                out.append(given["exceptionDetails"].get("exception", {}).get("description", "exception"))
            elif method == "Runtime.consoleAPICalled" and given["type"] in ("error", "warning", "assert"):
                out.append(str([a.get("value") for a in given["args"]]))
            elif method == "Log.entryAdded" and given["entry"]["level"] in ("error", "warning"):
                out.append(given["entry"]["text"])
            elif method == "Page.javascriptDialogOpening":
                out.append("a dialog: " + given["message"])
            elif method == "Network.requestWillBeSent":
                url = given["request"]["url"]
                if not url.endswith("report.html") and "#" not in url and url != "about:blank":
                    out.append("a request: " + url[:200])
        return out

    def picture(self, path, whole=True):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        Path(path).write_bytes(base64.b64decode(data))

    def drop(self, selector, path):
        """Gives a file to an input."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", files=[str(Path(path).resolve())], nodeId=node)

    def close(self):
        self.process.terminate()
        self.process.wait()


def expect(what, holds):
    print(("ok      " if holds else "FAILED  ") + what)
    if not holds:
        expect.failed += 1


expect.failed = 0
HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(2)>\u202e"\'&'
WRITTEN = HOSTILE.replace("\u202e", "\ufffd")


def run(topsim, folder, *arguments):
    """Runs the program; its status is not looked at, since some of its verdicts are meant to fail."""
    return subprocess.run([topsim, *arguments], cwd=folder, capture_output=True, text=True)


def wrong_history(folder):
    """A history of heavy_top that topsim made, with its attitude turned a little more and more."""
    lines = Path(folder, "out/heavy_top/rig_imp_h0.001.csv").read_text().splitlines()
    Path(folder, "mine.csv").write_text("\n".join(lines) + "\n")


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
    dropped(browser, topsim, folder)
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


def dropped(browser, topsim, folder):
    wrong_history(folder)
    said = run(topsim, folder, "judge", "heavy_top", "--history", "mine.csv", "--format", "json")
    errors = json.loads(said.stdout)["cases"][0]["items"][0]["files"][0]["errors"]
    browser.drop(".drop input", Path(folder, "mine.csv"))
    for _ in range(50):
        if browser.ask("document.querySelectorAll('.drop .plot').length") == 2:
            break
        time.sleep(0.1)
    for name in ["attitude", "rate"]:
        own = float(browser.ask(f"document.querySelector('.said p')?.dataset.{name} ?? 'NaN'"))
        judged = errors[name]["worst"]
        expect(f"the {name} error of a dropped file is {own:.6g}, that of judge {judged:.6g}", abs(own / judged - 1) < 1e-3)


def main():
    topsim = str(Path(sys.argv[1]).resolve())
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        print(f"browser test: SKIPPED, found none of {', '.join(BROWSERS)} on the PATH")
        return 0
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as profile:
        pictures = Path(sys.argv[2] if len(sys.argv) > 2 else folder).resolve()
        pictures.mkdir(parents=True, exist_ok=True)
        browser = Browser(program, profile)
        try:
            heavy_top(browser, topsim, folder, pictures)
        finally:
            browser.close()
    print(f"browser test: {expect.failed} failed")
    return min(expect.failed, 1)


sys.exit(main())
