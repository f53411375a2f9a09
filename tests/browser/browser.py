"""A browser for tests: Debian's headless Chromium, one for each file of tests.

Errors on the console of a page fail the test that opened it: a script that failed, or a violation
of the content security policy.
"""

import base64
import os
import pathlib
import sys
import time
import unittest

try:
    from selenium import webdriver
except ModuleNotFoundError:  # Debian's package with another Python
    sys.path.append("/usr/lib/python3/dist-packages")
    from selenium import webdriver
from selenium.common.exceptions import (ElementClickInterceptedException,
                                        StaleElementReferenceException)
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.keys import Keys  # used by tests

from mock_floor import MockFloor

PATIENCE_S = 10
# The folder for screenshots. Without it none are taken.
SHOTS = os.environ.get("LINKMETER_SHOTS")


class Browser:
    def __init__(self):
        options = webdriver.ChromeOptions()
        # The headless shell needs less work than the full browser. The script in /usr/bin is not
        # used, because it would leave the browser running.
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

    def cdp(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def size(self, width, height, scale=1, is_touched=False):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=is_touched)

    def prefer(self, **features):
        """prefer(prefers_reduced_motion="reduce")"""
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def before_pages(self, script):
        """Runs the script in every page before the page's own scripts."""
        self.scripts.append(self.cdp("Page.addScriptToEvaluateOnNewDocument",
                                      source=script)["identifier"])

    def fresh(self):
        """Makes the browser like new."""
        for script in self.scripts:
            self.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
        self.scripts = []
        self.cdp("Network.clearBrowserCookies")
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
        """The visible text of the element, or None."""
        return self.run("const n = document.querySelector(arguments[0]);"
                        "return n && n.checkVisibility() ? n.innerText : null", selector)

    def find(self, selector):
        nodes = lambda: self.driver.find_elements("css selector", selector)
        return self.wait(lambda: next((node for node in nodes() if node.is_displayed()), None),
                         f"no {selector}")

    def touch(self, nodes, what):
        """Clicks the first visible node as soon as it is enabled, because a click on a disabled
        button does nothing. `nodes` finds the nodes, again for each try."""
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
        """Clicks the button whose text begins so."""
        self.touch(lambda: [button for button in self.driver.find_elements("css selector", "button")
                            if button.text.startswith(text)], f"no button {text} to click")

    def write(self, selector, text):
        def is_written():
            field = self.find(selector)  # found again, because the page may replace it
            field.clear()
            field.send_keys(text)
            return True
        self.wait(is_written)

    def press(self, *keys):
        for key in keys:
            webdriver.ActionChains(self.driver).send_keys(key).perform()

    def wait(self, is_so, what="the condition did not become true", patience_s=PATIENCE_S):
        until = time.monotonic() + patience_s
        while True:
            try:
                found = is_so()
            except (StaleElementReferenceException, ElementClickInterceptedException):
                found = None  # the page replaced it, or a dialog still covers it
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
            time.sleep(0.8)  # until animations are over
            taken = self.cdp("Page.captureScreenshot", format="png")
            pathlib.Path(SHOTS, f"{name}.png").write_bytes(base64.b64decode(taken["data"]))

    def complaints(self):
        """Errors of pages. A connection that ends or is refused is not an error of a page."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] == "SEVERE" and entry["source"] != "network"]


class PageTest(unittest.TestCase):
    """One browser for the file, and one floor for each test."""

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
