"""A headless Chromium driven over the DevTools protocol, with the standard library alone."""
import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import time
import urllib.request
from pathlib import Path

BROWSERS = ["chromium", "chromium-browser", "google-chrome", "chrome"]


def find():
    """Returns the path of a browser, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


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
    """Headless browser with one page; its requests and complaints are recorded."""

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
            # The wait also collects the messages of the page.
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
                if not url.endswith("report.html") and not url.startswith(("data:", "about:")):
                    out.append("a request: " + url[:200])
        return out

    def picture(self, path, whole=True):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        Path(path).write_bytes(base64.b64decode(data))

    def drop(self, selector, path):
        """Sets the file of an input."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", files=[str(Path(path).resolve())], nodeId=node)

    def close(self):
        self.process.terminate()
        self.process.wait()
