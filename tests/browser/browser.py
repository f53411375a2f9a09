"""A browser for tests: Debian's Chromium, headless, one for each file of tests.

What a page says on its console counts: a script that failed, or something that the content
security policy refused, fails the test that opened the page.
"""

import base64
import os
import pathlib
import sys
import time
import unittest

try:
    from selenium import webdriver
except ModuleNotFoundError:  # Debian's package, and a Python that is not Debian's
    sys.path.append("/usr/lib/python3/dist-packages")
    from selenium import webdriver
from selenium.common.exceptions import (ElementClickInterceptedException,
                                        StaleElementReferenceException)
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.keys import Keys  # for tests

from mock_floor import MockFloor

PATIENCE_S = 10
# Where screenshots go; nowhere if it is not set.
SHOTS = os.environ.get("LINKMETER_SHOTS")


class Browser:
    def __init__(self):
        options = webdriver.ChromeOptions()
        # Without the window's own pages: two thirds of the work. Not by its script in /usr/bin,
        # which would leave it running.
        options.binary_location = "/usr/lib/chromium/chromium-headless-shell"
        for argument in ("--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                         "--disable-dev-shm-usage", "--mute-audio", "--no-first-run",
                         "--js-flags=--expose-gc", "--enable-precise-memory-info",
                         "--disable-background-networking", "--disable-component-update"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_script_timeout(60)
        self.scripts = []
        self.size(1920, 1080)

    def close(self):
        self.driver.quit()

    def tell(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def size(self, width, height, scale=1, is_touched=False):
        self.tell("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=is_touched)

    def prefer(self, **features):
        """prefer(prefers_reduced_motion="reduce")"""
        self.tell("Emulation.setEmulatedMedia", features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def before_pages(self, script):
        """Runs in every page before its own scripts."""
        self.scripts.append(self.tell("Page.addScriptToEvaluateOnNewDocument",
                                      source=script)["identifier"])

    def fresh(self):
        """As if nobody had used this browser."""
        for script in self.scripts:
            self.tell("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
        self.scripts = []
        self.tell("Network.clearBrowserCookies")
        self.prefer()
        self.size(1920, 1080)
        self.driver.get("about:blank")
        self.driver.get_log("browser")

    def open(self, url):
        self.driver.get(url)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def run_later(self, script, *arguments):
        return self.driver.execute_async_script(script, *arguments)

    def text(self, selector="body"):
        """What a person sees there, or None."""
        return self.run("const n = document.querySelector(arguments[0]);"
                        "return n && n.checkVisibility() ? n.innerText : null", selector)

    def find(self, selector):
        nodes = lambda: self.driver.find_elements("css selector", selector)
        return self.wait(lambda: next((node for node in nodes() if node.is_displayed()), None),
                         f"no {selector}")

    def touch(self, nodes, what):
        """Clicks the first of them as soon as a person could: a click on a button that is disabled
        is silently nothing. `nodes` finds them, each time anew."""
        def is_touched():
            node = next((node for node in nodes() if node.is_displayed()), None)
            if node is None or not node.is_enabled():
                return False
            node.click()
            return True
        self.wait(is_touched, what)

    def click(self, selector):
        self.touch(lambda: self.driver.find_elements("css selector", selector),
                   f"no {selector} to click")

    def push(self, text):
        """The button whose words begin so."""
        self.touch(lambda: [button for button in self.driver.find_elements("css selector", "button")
                            if button.text.startswith(text)], f"no button {text} to click")

    def write(self, selector, text):
        def is_written():
            field = self.find(selector)  # anew where the page puts another in its place
            field.clear()
            field.send_keys(text)
            return True
        self.wait(is_written)

    def press(self, *keys):
        for key in keys:
            webdriver.ActionChains(self.driver).send_keys(key).perform()

    def wait(self, is_so, what="what was waited for did not come", patience_s=PATIENCE_S):
        until = time.monotonic() + patience_s
        while True:
            try:
                found = is_so()
            except (StaleElementReferenceException, ElementClickInterceptedException):
                found = None  # the page put another in its place, or a dialog still lies over it
            if found:
                return found
            if time.monotonic() > until:
                raise AssertionError(f"{what}; the page says: {self.text()}")
            time.sleep(0.02)

    def wait_for_text(self, selector, text, patience_s=PATIENCE_S):
        self.wait(lambda: text in (self.text(selector) or ""),
                  f"{selector} does not say {text!r}", patience_s)

    def shot(self, name):
        if SHOTS:
            pathlib.Path(SHOTS).mkdir(parents=True, exist_ok=True)
            time.sleep(0.8)  # until what comes in has come in
            taken = self.tell("Page.captureScreenshot", format="png")
            pathlib.Path(SHOTS, f"{name}.png").write_bytes(base64.b64decode(taken["data"]))

    def complaints(self):
        """What went wrong in pages. A connection that ends or is refused is no fault of theirs."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] == "SEVERE" and entry["source"] != "network"]


class PageTest(unittest.TestCase):
    """One browser for the file, one floor for each test."""

    browser = None

    @classmethod
    def setUpClass(cls):
        if PageTest.browser is None:
            PageTest.browser = Browser()
            unittest.addModuleCleanup(PageTest.browser.close)

    def setUp(self):
        self.browser.fresh()
        self.floor = MockFloor()
        self.addCleanup(self.floor.close)
        self.addCleanup(self.mend)

    def tearDown(self):
        self.assertEqual([], self.browser.complaints())

    def mend(self):
        self.floor.mend()
        self.browser.open("about:blank")

    def open(self, path):
        self.browser.open(self.floor.url + path)
