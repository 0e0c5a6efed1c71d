"""Pages in headless Chromium, driven through its DevTools protocol. Standard library only.

    with Browser() as browser:
        page = browser.open(path, width=390)
        page.value("document.title")
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE = 90  # Seconds for one answer: the machine may be loaded.


class Browser:
    """Chromium with a profile of its own. Messages go through pipes, each ended by a zero byte."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="torchada-chromium-")
        theirs_in, self.to = os.pipe()
        self.come, theirs_out = os.pipe()
        # Chromium reads descriptor 3 and writes descriptor 4.
        self.process = subprocess.Popen(
            ["bash", "-c", 'exec "$@" 3<&%d 4>&%d' % (theirs_in, theirs_out), "bash",
             CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--hide-scrollbars", "--user-data-dir=" + self.profile, "--remote-debugging-pipe"],
            pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(os.environ, HOME=self.profile))  # Some of its files do not go into the profile.
        os.close(theirs_in)
        os.close(theirs_out)
        self.rest, self.events, self.last = b"", [], 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.to)
        os.close(self.come)
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self):
        deadline = time.monotonic() + PATIENCE
        while b"\0" not in self.rest:
            if not select.select([self.come], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("Chromium does not answer")
            read = os.read(self.come, 1 << 20)
            if not read:
                raise EOFError("Chromium ended")
            self.rest += read
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session=None, **parameters):
        self.last += 1
        request = {"id": self.last, "method": method, "params": parameters}
        if session:
            request["sessionId"] = session
        text = json.dumps(request).encode() + b"\0"
        while text:
            text = text[os.write(self.to, text):]
        while True:
            answer = self.message()
            if answer.get("id") != self.last:
                self.events.append(answer)
                continue
            if "error" in answer:
                raise RuntimeError("%s: %s" % (method, answer["error"]))
            return answer["result"]

    def event(self, method, session):
        """Waits for an event, which may have come already."""
        while True:
            for index, event in enumerate(self.events):
                if (event.get("method"), event.get("sessionId")) == (method, session):
                    return self.events.pop(index)["params"]
            self.events.append(self.message())

    def open(self, path, **settings):
        return Page(self, path, **settings)


class Page:
    """One tab. `width` is in CSS pixels, as of a phone where it is below 600."""

    def __init__(self, browser, path, width=1280, dark=False, script=True, fragment="", height=900):
        self.browser, self.url = browser, Path(path).as_uri() + fragment
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target,
                                    flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setTouchEmulationEnabled", enabled=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.call("Page.navigate", url=self.url)
        browser.event("Page.loadEventFired", self.session)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def value(self, expression):
        """What JavaScript answers, promises awaited."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def wait(self, expression):
        """Until it is true."""
        deadline = time.monotonic() + PATIENCE
        while not self.value("Boolean(%s)" % expression):
            if time.monotonic() > deadline:
                raise TimeoutError(expression)
            time.sleep(0.02)

    def choose_file(self, selector, path):
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=[str(path)])

    def press(self, key, code):
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode=code, **(text if kind == "keyDown" else {}))

    def faults(self):
        """Exceptions, messages of the browser as about its security policy, and requests other
        than for the page itself."""
        self.value("1")  # What came before this answer has been read.
        out = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                out.append(json.dumps(params["exceptionDetails"]))
            elif method == "Log.entryAdded":
                out.append(params["entry"]["text"])
            elif method == "Network.requestWillBeSent":
                url = params["request"]["url"]
                if url.split("#")[0] != self.url.split("#")[0]:
                    out.append(url)
        return out

    def screenshot(self, path):
        """The whole page, as PNG."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                           clip={"x": 0, "y": 0, "width": size["width"], "height": size["height"],
                                 "scale": 1})
        with open(path, "wb") as out:
            out.write(base64.b64decode(answer["data"]))
