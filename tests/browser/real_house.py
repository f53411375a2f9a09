"""A test case with people at a browser, on a real floor with a controller and agents."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "floor"))

from browser import Browser
from floor_process import FREE_PAGES
from people_test import People


class RealHouse(People):
    """One browser for the class, and one floor for each test."""

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        super().setUp()
        self.controller.stop()
        self.controller = self.floor.start_controller(web=FREE_PAGES)
        self.url = self.controller.pages()
        self.browser.fresh()

    def tearDown(self):
        self.assertEqual([], self.browser.complaints())
        self.browser.open("about:blank")

    def sign_in(self, badge, url):
        self.browser.open(url)
        self.browser.write("#sign_in_badge", badge)
        self.browser.write("#sign_in_pin", self.floor.own_pin(badge))
        self.browser.click(".sign_in .main")

    def sign_in_at_the_console(self, badge):
        self.browser.size(1440, 900)
        self.sign_in(badge, self.url + "/floor")

    def says(self, selector, text):
        self.browser.wait_for_text(selector, text)

    def push(self, text):
        self.browser.push(text)
