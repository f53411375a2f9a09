"""The page of the nodes: who is the writer, and what happens when one is lost, in sentences."""

import unittest

from browser import PageTest
from page_check import PageChecks

ELSEWHERE = "http://127.0.0.1:6999"


def node(name, role, lag=0, pages=ELSEWHERE):
    return {"name": name, "role": role, "lag_entries": None if role == "away" else lag,
            "pages": None if role == "away" else pages}


def nodes(own, writer, *all_nodes, lag_s=0.04, answers=True):
    return {"node": own, "writer": writer, "lag_seconds": lag_s, "nodes": list(all_nodes),
            "etcd": {"answers": answers, "members": 3, "healthy": 3 if answers else 1}}


class NodesPage(PageTest, PageChecks):
    def become(self, *what, **more):
        with self.floor.lock:
            self.floor.house.nodes = nodes(*what, **more)
            self.floor.publish_all()

    def begin(self, *what, **more):
        self.become(*what, **more)
        self.browser.size(1440, 900)
        self.open("/nodes")

    def says(self, text, selector="#now"):
        self.browser.wait_for_text(selector, text)

    def test_a_takeover_as_the_standby_shows_it(self):
        self.begin("b", "a", node("a", "writer"), node("b", "standby", 3))
        self.says("Node a is the writer")
        self.says("This page is from node b, which follows: behind by 3 entries, as of 0.0 s ago.")
        self.says("No new entry for 2 s: either nobody plays, or node a is lost.")
        self.says("3 of 3 members answer", "#etcd")
        self.become("b", None, node("a", "away"), node("b", "standby"))
        self.says("There is no writer at this moment")
        self.says("nothing is lost and nothing counts twice")
        self.says("There is no writer: node a has lost the role.", "#seen")
        self.says("Node a does not run.", "#seen")
        self.floor.house.entry += 1
        self.become("b", "b", node("a", "away"), node("b", "writer"))
        self.says("Node b is the writer")
        self.says("No other node runs: if this one is lost now, the floor waits")
        self.browser.wait(lambda: "s after the last entry of node a." in
                          self.browser.text("#seen"))
        self.become("b", "b", node("a", "standby", 7), node("b", "writer"))
        self.says("Node a follows, and would take over.")
        self.says("at most 7 entries", "[data-node=a]")
        self.says("this page", "[data-node=b]")
        for theme in ("dark", "light"):
            self.browser.run("document.documentElement.dataset.theme = arguments[0]", theme)
            self.assert_accessible()

    def test_a_node_that_does_not_answer_is_named_with_the_other_page(self):
        self.begin("a", "a", node("a", "writer"), node("b", "standby"))
        self.says("Node a is the writer")
        self.floor.cut()  # connections stay open, and nothing arrives
        self.says("Node a does not answer")
        self.says("It was the writer. Another node takes over")
        self.assertEqual(ELSEWHERE + "/nodes", self.browser.find("#now a").get_attribute("href"))
        self.says("as last heard", "#dated")
        self.become("a", "b", node("a", "standby"), node("b", "writer"))
        self.floor.mend()
        self.says("Node b is the writer")
        self.says("This page is from node a, which follows")
        self.says("Node b is the writer now", "#seen")

    def test_an_old_event_is_no_news(self):
        self.begin("a", "a", node("a", "writer"), node("b", "standby"))
        self.says("Node a is the writer")
        self.floor.house.nodes_age_s = 5  # its work stands still, and its server goes on
        self.says("Node a does not answer")
        self.browser.wait(lambda: any(f"no news for {age} s" in self.browser.text("#now")
                                      for age in range(5, 20)))
        self.open("/nodes")  # the first event of a stream may be old, too
        self.says("Node a does not answer")
        self.says("as last heard", "#dated")
        self.floor.house.nodes_age_s = 0
        self.says("Node a is the writer")

    def test_a_node_that_has_left_its_cluster_shows_none(self):
        self.begin("a", None, node("a", "standby"), node("b", "away"), answers=False)
        self.says("Node a gets no answer from etcd")
        with self.floor.lock:
            self.floor.house.nodes = None
        self.says("This controller is alone")
        self.assertTrue(self.browser.run("return document.getElementById('known').hidden"))
        self.says("Node a has left its cluster, and goes on alone.", "#seen")

    def test_what_another_node_says_of_its_address_is_no_script(self):
        self.begin("a", "a", node("a", "writer"),
                   node("b", "standby", pages="javascript:alert(1)"), node("c", "standby"))
        self.says("Node b and node c follow, and would take over.")
        self.assertEqual([ELSEWHERE + "/nodes"], self.browser.run(
            "return [...document.querySelectorAll('a')].map((link) => link.href)"))

    def test_without_etcd_nothing_is_committed(self):
        self.begin("b", None, node("b", "standby"), lag_s=None, answers=False)
        self.says("Node b gets no answer from etcd")
        self.says("Nothing is committed until most members of etcd answer again.")

    def test_a_controller_alone_says_so(self):
        self.open("/nodes")
        self.says("This controller is alone")


if __name__ == "__main__":
    unittest.main()
