"""Long lists of the accounting pages: claims and acts of people. An incomplete list says so, and
the oldest pending claims are always in it."""

import unittest

from accounting_case import BAD, AccountsTest
from mock_time import TODAY


class Claims(AccountsTest):
    """One claim is pending since the bad day; the others are newer."""

    def raise_later(self, count, state="raised"):
        for _ in range(count):
            self.floor.house.raise_claim(state=state, amount="10.00",
                                         raised_at="2126-01-01T00:00:00.000000Z")

    def test_pending_claims_come_before_settled_ones(self):
        self.accounts.settled_max = 3
        self.raise_later(5, "paid")
        self.be_at("claims")
        self.says(".verdict", "1 claim pending, $7,319.70 in total.")
        self.says("#page", "This list shows the newest 3 of 5 claims.")
        self.says("#page", "Claim 7")
        self.assertEqual(1 + 3, self.browser.run(
            "return document.querySelectorAll('#page tbody tr').length"))

    def test_pending_claims_that_are_not_listed_are_counted(self):
        self.raise_later(2)
        self.accounts.pending_max = 2
        self.be_at("claims")
        self.says(".verdict", "3 claims pending, $7,339.70 in total.")
        self.says("#page", "This list shows the oldest 2 of them.")
        self.assertIn("Claim 7", self.browser.text("#page tbody"))  # the oldest

    def test_no_claim_is_pending_only_if_the_controller_counted_none(self):
        self.accounts.find(BAD)["report"]["claims_pending"] = []
        self.be_at("claims")
        self.says(".verdict", "No claim is pending.")
        self.raise_later(1)
        self.accounts.pending_max = 0
        self.be_at("days")
        self.be_at("claims")
        self.says(".verdict", "1 claim pending, $10.00 in total.")
        self.says("#page", "This list shows the oldest 0 of them.")


class Acts(AccountsTest):
    def rows(self):
        return self.browser.run("return [...document.querySelectorAll('#page tbody tr')]"
                                ".map((row) => row.innerText)")

    def link(self, text):
        return next((link for link in self.browser.driver.find_elements("css selector", "nav a")
                     if link.text.startswith(text)), None)

    def test_a_long_day_is_shown_in_parts(self):
        self.accounts.acts_page = 2
        self.be_at(f"people/{BAD}")
        self.says(".verdict", "Part of the day: 2 acts from the beginning of the day")
        self.says(".verdict", "There are more acts.")
        seen = self.rows()
        while further := self.link("Next"):
            before = self.rows()
            further.click()
            self.browser.wait(lambda: self.rows() not in ([], before))
            seen += self.rows()
        self.says("#page", "There are no more acts.")
        self.assertEqual(5, len(seen))
        for words in ("validated claim 6", "paid claim 6", "proposed: C4-MEGA", "proposal 3",
                      "posted the notice"):
            self.assertEqual(1, sum(words in row for row in seen), words)
        self.link("‹ Beginning of the day").click()
        self.says(".verdict", "There are more acts.")

    def test_a_short_day_is_shown_whole(self):
        self.be_at(f"people/{BAD}")
        self.says("#page", "validated claim 6")
        self.assertNotIn("Part of the day", self.browser.text("#page"))
        self.assertEqual(5, len(self.rows()))

    def test_the_first_gaming_day_is_shown_before_it_ends(self):
        self.accounts.days.clear()
        self.be_at("people")
        self.says("#page", "There are no acts of people on this day.")
        self.assertEqual(str(TODAY), self.browser.run(
            "return document.querySelector('#acts_day').value"))


if __name__ == "__main__":
    unittest.main()
