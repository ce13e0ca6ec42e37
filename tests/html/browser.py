"""A headless Chromium that opens one page after another, by the DevTools protocol over pipes."""
import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

TIMEOUT_S = 60
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
# No name is resolved, so that a page which asks for anything else is found out.
OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
           "--no-first-run", "--disable-extensions", "--disable-background-networking",
           "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe")


def find():
    """The path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Failure(Exception):
    """The browser's answer in place of a result."""


class Browser:
    """One process with one page. What a page logs or requests is in `messages`, `requests`."""

    def __init__(self, path):
        self.profile = tempfile.mkdtemp(prefix="sluice-html-")
        self.numbers = 0
        self.pending = b""
        self.messages = []
        self.requests = []
        self.loaded = False
        self._start([path, *OPTIONS, f"--user-data-dir={self.profile}", "about:blank"])
        targets = self.call("Target.getTargets", session=False)["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self.session = self.call("Target.attachToTarget", session=False,
                                 targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def _start(self, words):
        """The browser reads its commands from descriptor 3 and answers on 4."""
        commands_read, self.commands = os.pipe()
        self.answers, answers_write = os.pipe()
        inherited = [fcntl.fcntl(each, fcntl.F_DUPFD, 10) for each in
                     (commands_read, answers_write)]

        def become_three_and_four():
            os.dup2(inherited[0], 3)
            os.dup2(inherited[1], 4)

        # pylint: disable=consider-using-with,subprocess-popen-preexec-fn
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, pass_fds=(3, 4),
                                        env={**os.environ, "TMPDIR": self.profile},
                                        preexec_fn=become_three_and_four)
        for each in (commands_read, answers_write, *inherited):
            os.close(each)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        for _ in range(50):  # its own children may still be writing there
            shutil.rmtree(self.profile, ignore_errors=True)
            if not os.path.exists(self.profile):
                break
            time.sleep(0.1)

    # ---- the protocol ----

    def call(self, method, session=True, **parameters):
        self.numbers += 1
        number = self.numbers
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next_message()
            if answer.get("id") == number:
                if "error" in answer:
                    raise Failure(f"{method}: {answer['error']}")
                return answer["result"]

    def _next_message(self):
        end = time.monotonic() + TIMEOUT_S
        while b"\0" not in self.pending:
            ready, _, _ = select.select([self.answers], [], [], end - time.monotonic())
            got = os.read(self.answers, 1 << 16) if ready else b""
            if not got:
                raise Failure("the browser is silent or gone")
            self.pending += got
        text, self.pending = self.pending.split(b"\0", 1)
        message = json.loads(text)
        self._note(message)
        return message

    def _note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.messages.append(str(details.get("exception", details).get("description", details)))
        elif method == "Runtime.consoleAPICalled":
            self.messages.append(str(parameters["args"]))
        elif method == "Log.entryAdded":
            self.messages.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.messages.append("dialog: " + parameters["message"])
        elif method == "Page.loadEventFired":
            self.loaded = True

    # ---- the actions of a reader ----

    def open(self, path):
        self.messages, self.requests, self.loaded = [], [], False
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        while not self.loaded:
            self._next_message()

    def evaluate(self, script):
        """The value of an expression in the page, which may be a promise."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            raise Failure(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def press(self, key):
        code = {"Enter": 13, "Tab": 9, "Escape": 27, "ArrowUp": 38, "ArrowDown": 40,
                "ArrowLeft": 37, "ArrowRight": 39}[key]
        text = {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key,
                  windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key,
                  windowsVirtualKeyCode=code)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def prefer(self, scheme="light", medium=""):
        self.call("Emulation.setEmulatedMedia", media=medium,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def screenshot(self, path):
        image = self.call("Page.captureScreenshot", format="png")
        pathlib.Path(path).write_bytes(base64.b64decode(image["data"]))
