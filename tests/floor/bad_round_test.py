"""Impossible hands, folds, draws and bets: each is refused with its name, and no meter changes."""

import unittest

from bad_input_test import Refusing, close, lock

ROYAL = ["As", "Ks", "Qs", "Js", "Ts"]
NOTHING = ["2c", "4d", "6h", "8s", "Tc"]
DEALER = ["3c", "5d", "7h", "9s", "Jc"]


def show(name, *hands, **more):
    """Hands are (seat, cards) or (seat, cards, folded)."""
    told = [{"seat": hand[0], "cards": hand[1], "folded": hand[2:] == (True,)} for hand in hands]
    return {"event": "show", "round": name, "hands": told, **more}


def bonus(name, on="dealer", seat=2):
    """A Hand Bonus, on the dealer's hand."""
    event = lock(name, seat, "1.00", "crazy-4/five-card-hand-bonus")
    event["wagers"][0]["on"] = on
    return event


class RefusedHands(Refusing):
    def test_two_aces_of_spades_in_one_hand(self):
        cards = ["As", "As", "Qs", "Js", "Ts"]
        self.refused([lock("r1"), show("r1", (2, cards))], "card_already_shown", 1)

    def test_the_ace_of_spades_in_two_hands(self):
        self.refused([lock("r1"), show("r1", (2, ROYAL)), show("r1", (3, ROYAL))],
                     "card_already_shown", 2)

    def test_six_cards_where_five_belong(self):
        self.refused([lock("r1"), show("r1", (2, [*ROYAL, "9s"]))], "wrong_card_count", 1)

    def test_four_cards_where_five_belong(self):
        self.refused([lock("r1"), show("r1", (2, ROYAL[:4]))], "wrong_card_count", 1)

    def test_a_joker_in_crazy_4(self):
        self.refused([lock("r1"), show("r1", (2, [*ROYAL[:4], "Xx"]))], "card_malformed", 1)

    def test_two_jokers_in_pai_gow_poker(self):
        fortune = lock("r1", 2, "5.00", "pai-gow-poker/fortune-bonus")
        dealer = ["Xx", "4c", "4d", "4h", "5c", "6c", "7c"]
        joker = show("r1", (2, [*ROYAL, "Xx", "2c"]), dealer=dealer)
        self.refused([fortune, joker], "card_already_shown", 1, "PG-01",
                     lock("after", 1, "5.00", "pai-gow-poker/fortune-bonus"))

    def test_a_show_before_the_lock(self):
        self.refused([show("r1", (2, ROYAL))], "round_unknown", 0)

    def test_a_seat_shown_twice(self):
        self.refused([lock("r1"), show("r1", (2, ROYAL)), show("r1", (2, NOTHING))],
                     "seat_already_shown", 2)

    def test_a_seat_twice_in_one_show(self):
        self.refused([lock("r1"), show("r1", (2, ROYAL), (2, NOTHING))], "seat_already_shown", 1)

    def test_the_dealer_shown_twice(self):
        twice = [show("r1", dealer=DEALER), show("r1", dealer=NOTHING)]
        self.refused([bonus("r1"), *twice], "dealer_already_shown", 2, "C4-05", bonus("after"))

    def test_a_show_after_the_void(self):
        void = {"event": "void", "round": "r1", "reason": "misdeal"}
        self.refused([lock("r1"), void, show("r1", (2, ROYAL))], "round_closed", 2)

    def test_a_void_of_a_hand_that_is_void(self):
        void = {"event": "void", "round": "r1", "seat": 2, "reason": "exposed card"}
        self.refused([lock("r1"), void, void], "hand_void", 2)

    def test_a_show_of_a_hand_that_is_void(self):
        void = {"event": "void", "round": "r1", "seat": 2, "reason": "exposed card"}
        self.refused([lock("r1"), void, show("r1", (2, ROYAL))], "hand_void", 2)


class RefusedDealers(Refusing):
    """An empty dealer's hand cannot decide wagers on it."""

    def missing(self, table, wager, amount, *hands):
        self.refused([lock("r1", 2, amount, wager), show("r1", *hands, dealer=[])],
                     "dealer_hand_missing", 1, table, lock("after", 1, amount, wager))

    def test_hit_and_run(self):
        self.missing("BJ-01", "blackjack/hit-and-run", "5.00")

    def test_blackjack_bad_beat(self):
        self.missing("BJ-01", "blackjack/bad-beat", "7.00", (2, ["Ks", "Qd"]))

    def test_three_card_prime(self):
        self.missing("TCP-01", "three-card-prime/bad-beat-bonus", "10.00", (2, ["2c", "3c", "4c"]))

    def test_a_hand_bonus_on_the_dealer(self):
        self.refused([bonus("r1"), show("r1", (2, ROYAL), dealer=[])], "dealer_hand_missing", 1,
                     "C4-05", bonus("after"))

    def test_a_dealers_hand_that_no_wager_needs_may_be_empty(self):
        events = [bonus("r1", on="player"), show("r1", (2, NOTHING), dealer=[]), close("r1")]
        self.floor.start_agent(self.controller.endpoint, "C4-05", events).finish(0)


class RefusedFolds(Refusing):
    def test_a_folded_seat_shows_a_winning_hand(self):
        self.refused([lock("r1"), show("r1", (2, [], True)), show("r1", (2, ROYAL))],
                     "seat_already_shown", 2)
        self.assertEqual([], self.floor.claims())

    def test_a_folded_winning_hand_is_paid_nothing(self):
        before = self.floor.link("C4-MEGA")["levels"]
        events = [lock("r1"), show("r1", (2, ROYAL, True)), close("r1")]
        self.floor.start_agent(self.controller.endpoint, "C4-01", events).finish(0)
        self.assertEqual([], self.floor.claims())
        after = self.floor.link("C4-MEGA")["levels"]
        self.assertEqual([level["hits"] for level in before], [level["hits"] for level in after])
        self.assertEqual(["50000.45000000", "5000.35000000", "1250.15000000"],
                         [level["amount"] for level in after])

    def test_a_fold_of_a_seat_without_a_wager(self):
        self.refused([lock("r1"), show("r1", (3, [], True))], "fold_without_wager", 1)


class RefusedBets(Refusing):
    def test_a_wager_on_the_dealers_hand_without_a_hand_bonus(self):
        event = lock("r1")
        event["wagers"][0]["on"] = "dealer"
        self.refused([event], "wager_not_offered", 0)

    def test_a_hand_bonus_where_it_is_not_offered(self):
        self.refused([bonus("r1")], "wager_not_offered", 0)

    def test_two_bets_on_the_dealer_from_one_seat(self):
        twice = bonus("r1")
        twice["wagers"] *= 2
        self.refused([twice], "seat_wagered_twice", 0, "C4-05", bonus("after"))

    def test_both_units_of_one_progressive_from_one_seat(self):
        both = lock("r1", 2, "1.00", "blackjack/hit-and-run")
        both["wagers"] += lock("r1", 2, "5.00", "blackjack/hit-and-run")["wagers"]
        self.refused([both], "seat_wagered_twice", 0, "BJ-01",
                     lock("after", 2, "5.00", "blackjack/hit-and-run"))

    def test_an_electronic_wager_above_the_maximum(self):
        self.refused([lock("r1", 2, "25.01", "blackjack/bad-beat")], "wager_not_a_unit", 0, "BJ-01",
                     lock("after", 2, "25.00", "blackjack/bad-beat"))


class RefusedDraws(Refusing):
    def draws(self, name, accepted, *draws):
        shows = [show("r1", (seat, cards), draw=draw)
                 for draw, (seat, cards) in zip(draws, ((2, NOTHING), (3, DEALER)))]
        self.refused([bonus("r1", on="player"), *shows], name, accepted, "C4-05", bonus("after"))

    def test_a_second_draw_of_another_card(self):
        self.draws("draw_made", 2, {"magic": "7h", "seat": 4}, {"magic": "8h", "seat": 4})

    def test_a_second_draw_of_another_position(self):
        self.draws("draw_made", 2, {"magic": "7h", "seat": 4}, {"magic": "7h", "seat": 0})

    def test_a_second_draw_that_adds_to_another_card(self):
        self.draws("draw_made", 2, {"magic": "7h"}, {"magic": "8h", "seat": 4})

    def test_a_drawn_position_that_does_not_exist(self):
        self.draws("seat_unknown", 1, {"seat": 7})

    def test_a_drawn_position_below_the_dealers(self):
        self.draws("seat_unknown", 1, {"seat": -1})

    def test_a_drawn_joker(self):
        self.draws("card_malformed", 1, {"magic": "Xx"})

    def test_the_same_draw_again_is_no_mistake(self):
        draw = {"magic": "7h", "seat": 0}
        events = [bonus("r1"), show("r1", (2, NOTHING), dealer=DEALER, draw=draw),
                  show("r1", (3, ROYAL), draw=draw), close("r1")]
        self.floor.start_agent(self.controller.endpoint, "C4-05", events).finish(0)
        # The dealer holds the seven of hearts, and his position is drawn: 20 and 5 for 1 on $1.
        awards = [(award["seat"], award["amount"]) for entry in self.floor.entries()
                  for award in entry.get("awards", [])]
        self.assertEqual([(2, "20.00"), (2, "5.00")], awards)


if __name__ == "__main__":
    unittest.main()
