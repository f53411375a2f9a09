"""The look of the accounting pages: names, contrast and sizes on screens, and a day on paper."""

import base64
import pathlib
import unittest

from accounting_case import BAD, QUIET, AccountsTest
from browser import SHOTS, Keys
from mock_fund import open_fund


class Appearance(AccountsTest):
    SCREENS = {"wide": (1920, 1080), "desktop": (1440, 900), "tablet": (820, 1180),
               "phone": (390, 844)}

    def shoot(self, name):
        """Takes a screenshot of the whole page."""
        if not SHOTS:
            return
        pathlib.Path(SHOTS).mkdir(parents=True, exist_ok=True)
        taken = self.browser.cdp("Page.captureScreenshot", format="png",
                                  captureBeyondViewport=True)
        pathlib.Path(SHOTS, f"{name}.png").write_bytes(base64.b64decode(taken["data"]))

    def test_days_at_every_size_in_both_modes(self):
        for theme in ("dark", "light"):
            for page, name in ((f"day/{QUIET}", "quiet"), (f"day/{BAD}", "bad"), ("days", "days")):
                self.be_at(page)
                if (self.browser.run("return document.documentElement.dataset.theme") or "dark") \
                        != theme:
                    self.browser.click("#theme")
                for screen, size in self.SCREENS.items():
                    with self.subTest(theme=theme, page=page, screen=screen):
                        self.browser.size(*size)
                        self.assert_accessible()
                        self.shoot(f"accounting_{name}_{theme}_{screen}")
        self.browser.run("localStorage.clear()")

    def test_the_other_pages_are_accessible(self):
        for page in ("variances", "links", "claims", "people", "configuration", "journal/3001",
                     "meters"):
            self.be_at(page)
            for screen in ("desktop", "phone"):
                with self.subTest(page=page, screen=screen):
                    self.browser.size(*self.SCREENS[screen])
                    self.assert_accessible()
                    self.shoot(f"accounting_{page.split('/')[0]}_{screen}")

    def test_dialogs_are_accessible(self):
        for screen in ("desktop", "phone"):
            self.be_at(f"day/{BAD}")
            self.browser.size(*self.SCREENS[screen])
            for selector, name in ((".balance .explained", "explain"), (".item button", "item")):
                self.browser.click(selector)
                self.browser.find("dialog[open] ul, dialog[open] textarea")
                self.assert_accessible()
                self.browser.shot(f"accounting_dialog_{name}_{screen}")
                self.browser.press(Keys.ESCAPE)

    def test_dialogs_of_a_fund_are_accessible(self):
        fund = open_fund(self.floor.house, self.report())
        fund["boxes"][1]["transfer"] = None
        for screen in ("desktop", "phone"):
            self.be_at(f"day/{BAD}", "FM-1")
            self.browser.size(*self.SCREENS[screen])
            self.assert_accessible()
            self.browser.shot(f"accounting_fund_day_{screen}")
            for button, name in (("To the cage", "cage"), ("Adjust the display", "display")):
                self.push(button)
                self.browser.find("dialog[open] #act_link")
                self.assert_accessible()
                self.browser.shot(f"accounting_dialog_{name}_{screen}")
                self.browser.click("#act .main")
                # The message about the missing field is visible, and so is the field.
                self.browser.wait(lambda: self.browser.run("""
                    const act = document.querySelector("#act");
                    const box = (node) => node.getBoundingClientRect();
                    const [error, end] = [".error", ".act_end"].map((one) =>
                        box(act.querySelector(one)));
                    const field = box(document.activeElement);
                    return error.height > 0 && error.bottom <= box(act).bottom
                        && field.bottom <= end.top && field.top >= box(act).top;"""),
                    "an error that is not visible")
                self.assert_accessible()
                self.browser.shot(f"accounting_dialog_{name}_{screen}_missing")
                self.browser.press(Keys.ESCAPE)

    def test_the_printed_sheet_has_few_pages(self):
        for day, name in ((QUIET, "quiet"), (BAD, "bad")):
            for paper, size in (("letter", (8.5, 11)), ("a4", (8.27, 11.69))):
                with self.subTest(day=day, paper=paper):
                    self.be_at(f"day/{day}")
                    printed = self.browser.cdp("Page.printToPDF", paperWidth=size[0],
                                                paperHeight=size[1], printBackground=True)["data"]
                    pdf = base64.b64decode(printed)
                    self.assertLessEqual(pdf.count(b"/Type /Page\n"), 6)
                    if SHOTS:
                        pathlib.Path(SHOTS, f"sheet_{name}_{paper}.pdf").write_bytes(pdf)

    def test_paper_is_black_on_white_with_signature_lines(self):
        self.be_at(f"day/{QUIET}")
        self.browser.cdp("Emulation.setEmulatedMedia", media="print")
        self.addCleanup(self.browser.cdp, "Emulation.setEmulatedMedia", media="")
        self.says("[data-step='sign'] .paper_line", "Signature")
        self.assertIsNone(self.browser.text(".top"))
        self.assertIsNone(self.browser.text("#page .act_form"))
        ink = "const s = getComputedStyle(document.querySelector(arguments[0]));" \
              "return [s.color, s.backgroundColor]"
        self.assertEqual(["rgb(0, 0, 0)", "rgb(255, 255, 255)"], self.browser.run(ink, "body"))
        self.assertEqual("table-header-group", self.browser.run(
            "return getComputedStyle(document.querySelector('.balance thead')).display"))
        self.assertIsNotNone(self.browser.text(".balance .fine"), "paper is exact")


if __name__ == "__main__":
    unittest.main()
