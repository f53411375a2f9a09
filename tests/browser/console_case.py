"""A test case with a person at the floor console, who signs in, opens claims and finds buttons."""

from browser import PageTest
from page_check import PageChecks

PIN = "8642"


class ConsoleTest(PageTest, PageChecks):
    def be(self, badge, path="/floor"):
        """Opens the page as a person who is already signed in."""
        self.browser.size(1440, 900)
        self.browser.cdp("Network.setCookie", url=self.floor.url, name="linkmeter",
                          value=self.floor.session(badge), httpOnly=True, sameSite="Strict")
        self.open(path)

    def sign_in(self, badge="F-1", pin=PIN, path="/floor"):
        self.browser.size(1440, 900)
        self.open(path)
        self.browser.write("#sign_in_badge", badge)
        self.browser.write("#sign_in_pin", pin)
        self.browser.click(".sign_in .main")

    def open_claim(self, claim, badge="F-1"):
        self.be(badge)
        self.browser.click(f"[data-claim='{claim}']")
        self.browser.find("#claim .claim_amount")

    def button(self, text):
        return self.browser.wait(lambda: next(
            (button for button in self.browser.driver.find_elements("css selector", "button")
             if button.is_displayed() and button.text.startswith(text)), None), f"no button {text}")

    def push(self, text):
        self.browser.push(text)

    def says(self, selector, text):
        self.browser.wait_for_text(selector, text)

    def state(self, claim):
        return self.floor.claim(claim)["state"]
