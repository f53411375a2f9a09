"""A test case with a person who is signed in at the accounting pages."""

from console_case import ConsoleTest

BAD, QUIET = "2026-11-21", "2026-11-20"


class AccountsTest(ConsoleTest):
    def setUp(self):
        super().setUp()
        self.accounts = self.floor.house.accounts

    def be_at(self, page, badge="A-1"):
        self.be(badge, path=f"/accounting#{page}")
        here = "return document.querySelector('#page').dataset.page"
        self.browser.wait(lambda: self.browser.run(here) == page, f"{page} does not come")

    def report(self, day=BAD):
        return self.accounts.find(day)["report"]

    def explain_all(self):
        for item in self.report()["items"]:
            item.update(open=False, explained={"note": "found", "by": "A-1", "corrected_by": None,
                                               "at": "2026-11-22T12:00:00.000000Z"})
