"""The sign in a browser: its amounts are never above the true amounts and never old."""

import time
import unittest

from browser import PageTest
from sign_watch import SLEEP, WATCH

UPDATES = 10_000
MAXIMUM_AGE_S = 3.0
TICK_S = 0.2  # how often a page checks its clock
MEGA = "[data-level=mega]"
FIGURE = MEGA + " .figure"


class SignTest(PageTest):
    def open_sign(self, path="/sign/C4-MEGA"):
        self.browser.before_pages(SLEEP)
        self.browser.before_pages(WATCH)
        self.open(path)
        self.wait_for_amount()

    def wait_for_amount(self, level="mega"):
        """Waits until the sign shows exactly the true amount."""
        self.browser.wait(lambda: self.shown(level) == self.floor.amounts()[level],
                          f"the sign does not show {self.floor.amounts()[level]}")

    def shown(self, level="mega"):
        return self.browser.run("return document.querySelector(arguments[0])?.textContent",
                                f"[data-level={level}] .figure")

    def watch(self):
        return self.browser.run("return window.sign_watch")

    def wait_for_words(self, text, selector="main", **more):
        self.browser.wait_for_text(selector, text, **more)

    def assert_no_lies(self):
        self.assertEqual([], self.watch()["lies"])


class Truth(SignTest):
    def test_never_above_the_true_amount(self):
        self.open_sign()
        before = self.watch()
        for update in range(1, UPDATES + 1):
            self.floor.grow()
            if update % 1000 == 500:
                self.floor.raise_claim(level="mega", line="royal_flush")
            time.sleep(0.0002)
        self.browser.wait(lambda: self.watch()["heard"] - before["heard"] >= UPDATES)
        self.wait_for_amount()
        after = self.watch()
        self.assertEqual([], after["lies"])
        self.assertGreater(after["frames"] - before["frames"], 100)
        self.assertGreater(len(after["seen"]["mega"]), 100)
        drops = sum(b < a for a, b in zip(after["seen"]["mega"], after["seen"]["mega"][1:]))
        # A busy browser may skip some falls, but it shows most of them.
        self.assertIn(drops, range(UPDATES // 2000, UPDATES // 1000 + 1))

    def test_the_watch_detects_a_wrong_amount(self):
        self.open_sign()
        self.browser.run("document.querySelector(arguments[0]).textContent = '$99,999.99'",
                         FIGURE + " .whole")
        self.browser.wait(lambda: self.watch()["lies"], "the watch detects nothing")

    def test_counts_up_smoothly(self):
        self.open_sign()
        self.floor.grow(cents=5000)
        self.wait_for_amount()
        seen = self.watch()["seen"]["mega"]
        self.assertEqual(sorted(seen), seen)
        self.assertGreater(len(seen), 10)
        self.assertLess(max(b - a for a, b in zip(seen, seen[1:])), 2500)
        self.assert_no_lies()

    def test_reduced_motion(self):
        self.browser.prefer(prefers_reduced_motion="reduce")
        self.open_sign()
        before = len(self.watch()["seen"]["mega"])
        self.floor.grow(cents=5000)
        self.wait_for_amount()
        self.assertEqual(before + 1, len(self.watch()["seen"]["mega"]))

    def test_memory_does_not_grow_over_days(self):
        self.open_sign()

        def weigh(updates):
            heard = self.watch()["heard"]
            for update in range(updates):
                self.floor.grow()
                if update % 500 == 499:
                    self.floor.raise_claim()
                    self.floor.change(last_award=None, awards=[])
            self.browser.wait(lambda: self.watch()["heard"] >= heard + updates)
            self.wait_for_amount()
            self.browser.run("window.sign_watch.seen = {}; window.gc()")
            self.browser.cdp("HeapProfiler.collectGarbage")
            counts = self.browser.cdp("Memory.getDOMCounters")
            heap = self.browser.run("return performance.memory.usedJSHeapSize")
            return heap, counts["nodes"], counts["jsEventListeners"]

        weigh(1500)
        heap, nodes, listeners = weigh(500)
        heap_after, nodes_after, listeners_after = weigh(6000)
        self.assertLess(heap_after - heap, 400_000)
        self.assertLessEqual(nodes_after, nodes + 5)
        self.assertLessEqual(listeners_after, listeners)


class Freshness(SignTest):
    def test_a_lost_network_removes_the_amount_within_its_maximum_age(self):
        self.open_sign()
        self.floor.cut()
        cut_at = time.monotonic()
        self.wait_for_words("Amount not available")
        self.assertLess(time.monotonic() - cut_at, MAXIMUM_AGE_S + TICK_S + 0.3)
        self.wait_for_words("connection lost")
        self.assertEqual("", self.shown())
        self.browser.shot("sign_cut")
        # The mega is won while the sign is offline: the old amount must never come back.
        self.browser.run("window.sign_watch.seen = {}")
        self.floor.raise_claim(level="mega", line="royal_flush")
        self.floor.mend()
        self.wait_for_amount()
        self.assertEqual([5_000_000], self.watch()["seen"]["mega"])
        self.assert_no_lies()

    def test_a_restart_of_the_controller(self):
        self.open_sign()
        self.floor.stop()
        self.wait_for_words("Amount not available")
        self.floor.raise_claim(level="mega", line="royal_flush")
        self.floor.start()
        self.wait_for_amount()
        self.assert_no_lies()

    def test_a_delayed_event_counts_its_delay_as_age(self):
        self.open_sign()
        self.floor.cut()
        event = self.floor.event("C4-MEGA")
        time.sleep(2.3)
        for stream in self.floor.streams:
            stream.write(*event)
        late_at = time.monotonic()
        self.wait_for_words("Amount not available")
        self.assertLess(time.monotonic() - late_at, MAXIMUM_AGE_S - 2.3 + TICK_S + 0.3)

    def test_a_machine_that_slept_shows_no_old_amount(self):
        self.open_sign()
        self.floor.cut()
        self.browser.run("window.slept_ms = 3600000")
        began_at = time.monotonic()
        self.wait_for_words("Amount not available")
        self.assertLess(time.monotonic() - began_at, 1.5)
        self.floor.mend()
        self.wait_for_amount()

    def test_a_hidden_page_holds_no_amount(self):
        self.open_sign()
        self.browser.run("be_seen('hidden')")
        self.assertEqual("", self.shown())
        self.browser.run("be_seen('visible')")
        self.wait_for_amount()


class Win(SignTest):
    def test_a_win_is_shown_until_it_is_paid(self):
        self.open_sign()
        won = self.floor.amounts()["major"]
        began_at = time.monotonic()
        claim = self.floor.raise_claim(table="C4-02", seat=5)
        for text in (won, "Straight flush", "Table C4-02", "T-1042", "Seat 5", "Pending"):
            self.wait_for_words(text, ".win")
        self.assertLess(time.monotonic() - began_at, 2.0)
        self.assertIn("new amount", self.browser.text("[data-level=major]"))
        self.wait_for_amount("major")
        self.assertEqual("$5,000.00", self.shown("major"))
        self.browser.shot("sign_win")
        self.floor.settle(claim, "validate", "F-1")
        self.wait_for_words("Verified", ".win")
        self.floor.settle(claim, "countersign", "TGM-1")
        self.floor.settle(claim, "slip", "F-2", source="hand_pay")
        self.floor.settle(claim, "pay", "C-1", slip=1)
        self.wait_for_words("Paid", ".win")  # at least 30 s, paid or not
        self.browser.run("window.slept_ms = 40000")
        self.wait_for_amount()
        self.browser.wait(lambda: self.browser.text(".win") is None, "the win does not go away")
        self.assertIsNone(self.browser.text(".win_line"))

    def test_a_pending_win_keeps_a_line(self):
        self.open_sign()
        self.floor.raise_claim()
        self.wait_for_words("Pending", ".win")
        self.browser.run("window.slept_ms = 40000")
        self.wait_for_words("Straight flush  ·  Table C4-01  ·  T-1041  ·  $7,319.70  ·  Pending",
                            ".win_line")
        self.assertIsNone(self.browser.text(".win"))

    def test_simultaneous_wins_are_shown_in_turn(self):
        self.open_sign()
        with self.floor.lock:
            won = self.floor.amounts()["major"]
            self.floor.raise_claim(table="C4-02", seat=5)
            self.floor.raise_claim(table="C4-02", seat=2, level="minor", line="four_of_a_kind")
        # Both are shown at once: one large, the other in a line.
        self.wait_for_words("Seat 5", ".win", patience_s=2)
        self.assertIn(won, self.browser.text(".win"))
        self.wait_for_words("Four of a kind  ·  Table C4-02  ·  T-1042  ·  $1,424.30  ·  Pending",
                            ".win_lines")
        self.browser.shot("sign_two_wins")
        self.pass_a_turn()
        self.wait_for_words("Seat 2", ".win", patience_s=5)
        self.assertIn("$1,424.30", self.browser.text(".win"))
        self.wait_for_words("Straight flush", ".win_lines")
        self.pass_a_turn()
        self.wait_for_words("Seat 5", ".win", patience_s=8)

    def pass_a_turn(self):
        self.browser.run("window.slept_ms += 6000")

    def test_a_shared_win_shows_the_whole_amount(self):
        self.open_sign("/sign/C4-MEGA")
        seats = [{"seat": 6, "amount": "2439.90"}, {"seat": 4, "amount": "2439.90"},
                 {"seat": 3, "amount": "2439.90"}]
        self.floor.raise_claim(amount="2439.90", seat=6, share={
            "call_amount": "7319.70", "rule": "657a.12", "seats": seats})
        self.wait_for_words("$7,319.70", ".win")
        self.wait_for_words("Seats 3, 4 and 6", ".win")
        self.assertIn("Shared", self.browser.text(".win"))
        self.assertNotIn("$2,439.90", self.browser.text("main"))
        self.browser.shot("sign_shared_win")

    def test_wins_of_several_links_come_to_the_front_in_turn(self):
        self.open_sign("/signs?link=C4-MEGA&link=BJ-RUN&turn=60")
        self.floor.raise_claim()
        self.wait_for_words("Straight flush", ".win")
        self.floor.raise_claim(link="BJ-RUN", table="BJ-01", level="main", line="seven_cards")
        self.wait_for_words("Hit and Run", patience_s=8)
        self.pass_a_turn()
        self.wait_for_words("Crazy 4 Poker", patience_s=8)

    def test_a_fixed_award_is_not_shown_as_a_win(self):
        self.open_sign()
        self.floor.raise_claim(level=None, line="three_of_a_kind")
        time.sleep(0.5)
        self.assertIsNone(self.browser.text(".win"))
        self.assertIsNone(self.browser.text(".win_line"))
        won = self.floor.amounts()["major"]
        self.floor.raise_claim()
        self.floor.raise_claim(level=None, line="three_of_a_kind")
        self.wait_for_words(won, ".win")
        self.assertNotIn("$50.00", self.browser.text(".win"))

    def test_a_rejected_claim(self):
        self.open_sign()
        claim = self.floor.raise_claim()
        self.wait_for_words("Pending", ".win")
        self.floor.settle(claim, "reject", "F-1", reason="hand_misread", note="")
        self.wait_for_words("Not confirmed", ".win_line")
        self.assertIsNone(self.browser.text(".win"))

    def test_a_win_interrupts_the_turns_of_links(self):
        self.open_sign("/signs?link=C4-MEGA&link=BJ-RUN&link=POKER-ROOM&turn=3")
        self.assertIn("Crazy 4 Poker", self.browser.text("main"))
        self.wait_for_words("Hit and Run", patience_s=5)
        self.floor.raise_claim()
        self.wait_for_words("Straight flush", ".win")
        self.assertIn("Crazy 4 Poker", self.browser.text("main"))


class Words(SignTest):
    def test_suspended(self):
        self.open_sign()
        self.floor.suspend(reason="memory <b>differs</b>")
        self.wait_for_words("Suspended: memory <b>differs</b>", ".band")

    def test_tables_out_of_service(self):
        self.open_sign()
        self.floor.lose_table("C4-03")
        self.wait_for_words("C4-03 out of service", ".tables")
        for table in ("C4-01", "C4-02", "C4-04"):
            self.floor.lose_table(table, "never_seen")
        self.wait_for_words("Out of service at every table", ".band")

    def test_pending_adjustment(self):
        self.open_sign()
        self.floor.change(pending_adjustment=True)
        self.wait_for_words("Pending adjustment", ".band")

    def test_a_house_with_nodes_names_the_one_that_shows_the_sign(self):
        self.open_sign()
        self.assertEqual("", self.browser.run("return document.querySelector('.node').innerText"))
        self.floor.change(node="b", writer="a", lag_seconds=0.2)
        self.wait_for_words("Shown by node b", ".node")
        self.floor.change(node=None)
        self.browser.wait(lambda: self.browser.run(
            "return document.querySelector('.node').textContent") == "")

    def test_the_sign_names_the_winning_hand_and_the_wager(self):
        self.open_sign()
        self.assertIn("MEGA", self.browser.text(MEGA))
        self.assertIn("Royal flush", self.browser.text(MEGA))
        self.assertIn("$5 wager", self.browser.text("footer"))
        self.assertIn("Payouts over $1,199.99", self.browser.text("footer"))

    def test_a_fund_of_pots_shows_its_name(self):
        self.open("/sign/POKER-ROOM")
        self.wait_for_words("$23,175.45")
        self.assertIn("Bad Beat", self.browser.text(".level_line"))
        self.assertNotIn("payout", self.browser.text("main"))

    def test_a_link_without_meters(self):
        self.open("/sign/PG-FORTUNE")
        self.wait_for_words("Fixed awards")

    def test_a_link_that_does_not_exist(self):
        self.open("/sign/%3Cb%3ENOWHERE")
        self.wait_for_words("There is no link <b>NOWHERE on this floor")

    def test_a_still_frame_has_a_date_and_does_not_change(self):
        self.open("/sign/C4-MEGA?still=1")
        self.wait_for_words("As of 20")
        before = self.browser.text("main")
        self.floor.grow(cents=5000)
        time.sleep(0.5)
        self.assertEqual(before, self.browser.text("main"))


class Sizes(SignTest):
    # The least share of the screen's height for a figure, to be read from ten metres.
    SCREENS = {"1080p": (1920, 1080, 0.20), "4k": (3840, 2160, 0.20),
               "portrait": (1080, 1920, 0.08), "tablet": (1024, 768, 0.15),
               "tablet_portrait": (768, 1024, 0.08)}

    def test_everything_fits_every_screen(self):
        self.open_sign()
        for win in (False, True):
            if win:
                self.floor.raise_claim()
                self.wait_for_words("Pending", ".win")
            for name, (width, height, least) in self.SCREENS.items():
                with self.subTest(screen=name, win=win):
                    self.browser.size(width, height)
                    self.browser.wait(lambda: self.browser.run(
                        "return innerWidth === arguments[0]", width))
                    time.sleep(0.15)
                    spills = self.browser.run("""
                        const spills = [];
                        for (const figure of document.querySelectorAll(".figure:not([hidden])")) {
                          const box = figure.parentNode.getBoundingClientRect();
                          if (box.width === 0) continue;
                          const ink = figure.firstChild.getBoundingClientRect();
                          if (ink.right > box.right + 2 || ink.width === 0) {
                            spills.push([figure.textContent, ink.right, box.right]);
                          }
                        }
                        if (document.documentElement.scrollWidth > innerWidth) spills.push("wide");
                        return spills;""")
                    self.assertEqual([], spills)
                    figure = ".win .figure" if win else FIGURE
                    size = self.browser.run("""
                        const figure = document.querySelector(arguments[0]);
                        return parseFloat(getComputedStyle(figure).fontSize);""", figure)
                    self.assertGreater(size, least * height * (0.6 if win else 1))
                    self.browser.shot(f"sign_{'win' if win else 'live'}_{name}")


if __name__ == "__main__":
    unittest.main()
