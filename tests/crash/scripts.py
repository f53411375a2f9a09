"""Scripts for the tables of the demo floor, made from a seed: rounds with wins, voids and
refusals, and the expected result of every event."""

import fractions
import random

from expected_floor import Scripted

# Hands without common cards, so that all can be shown in one round; those of NOTHING win nothing.
FIVE_CARD = {
    "royal_flush": "As Ks Qs Js Ts", "straight_flush": "9h 8h 7h 6h 5h",
    "four_of_a_kind": "3c 3d 3h 3s 2c", "full_house": "4c 4d 4h 2d 2h",
    "flush": "Ac Jc 9c 8c 6c", "straight": "9d 8d 7c 6d 5c", "three_of_a_kind": "Qc Qd Qh Td 8s",
}
THREE_CARD = {
    "akq_spades": "As Ks Qs", "akq_other": "Ah Kh Qh", "straight_flush": "7d 6d 5d",
    "three_of_a_kind": "9c 9d 9h", "straight": "Jc Td 9s",
}
DEALER = {
    "eight_or_more_cards": "Ac 2c 2d 2h 3c 3d 2s 4h", "seven_cards": "Ac 2c 2d 2h 3c 3d 4h",
    "six_cards": "2c 2d 3h 3c 4d 5h", "five_cards": "2c 3d 4h 5c 6d", "blackjack": "As Kd",
}
NOTHING = {"five": "Ad Kc Tc 5d 2s", "three": "Kd 8c 4s", "dealer": "Th 9c"}
LINES = {tuple(cards.split()): line
         for hands in (FIVE_CARD, THREE_CARD, DEALER) for line, cards in hands.items()}


def line_of(cards):
    return LINES.get(tuple(cards))


class Table:
    """Events of one table, until there are `messages` of them."""

    def __init__(self, table, seed, messages):
        self.table, self.random = table, random.Random(f"{seed} {table}")
        self.played, self.rounds = [], 0
        play = self.pot if table.startswith("P-") else self.round
        while len(self.played) < messages:
            play()

    def say(self, event, refusal=None, beat=None):
        self.played.append(Scripted(event, refusal, beat))

    def name(self):
        self.rounds += 1
        return f"{self.table}-{self.rounds}"

    def events(self, every, wait_ms):
        """The script, with a pause after every few messages, so that it lasts."""
        for number, scripted in enumerate(self.played):
            yield scripted.event
            if number % every == every - 1:
                yield {"event": "wait", "ms": wait_ms}

    # --- rounds ---

    def wagers(self, seats):
        wager, amount = {"R": ("raise-it-up/progressive", "5.00"),
                         "C": ("crazy-4/five-card", "5.00"),
                         "B": ("blackjack/hit-and-run", "1.00")}[self.table[0]]
        return [{"seat": seat, "wager": wager, "amount": amount} for seat in seats]

    def round(self):
        name, kind = self.name(), self.random.random()
        seats = sorted(self.random.sample(range(1, 7), self.random.randint(0, 6)))
        lock = {"event": "lock", "round": name, "wagers": self.wagers(seats), "chips": len(seats)}
        if kind < 0.05:  # the whole lock is refused; the round's name stays free
            bad = {**lock, "wagers": self.wagers([*seats, 9])}
            self.say(bad, refusal="seat_unknown")
        self.say(lock)
        if kind < 0.10:
            self.say(lock, refusal="round_id_used")
        if kind > 0.90:
            self.say({"event": "void", "round": name, "reason": "misdeal"})
            return
        close = {"event": "close", "round": name}
        if kind > 0.20:
            self.show(name, seats)
        elif self.table == "BJ-01" and seats:  # the hand that decides their wagers was not shown
            self.say(close, refusal="dealer_hand_missing")
            self.show(name, seats)
        self.say(close)
        if kind > 0.85:
            self.say({"event": "void", "round": name, "reason": "late"}, refusal="round_closed")

    def show(self, name, seats):
        show = {"event": "show", "round": name, "hands": []}
        if self.table == "BJ-01":
            line = self.random.choice([*DEALER, None, None, None])
            show["dealer"] = (DEALER[line] if line else NOTHING["dealer"]).split()
            self.say(show)
            return
        hands = THREE_CARD if self.table == "RIU-01" else FIVE_CARD
        none = NOTHING["three" if self.table == "RIU-01" else "five"]
        dealt = self.random.sample([*hands.values(), none], min(len(seats), 4))
        for seat, cards in zip(self.random.sample(seats, len(dealt)), dealt):
            folded = self.random.random() < 0.2
            show["hands"].append({"seat": seat, "cards": cards.split(), "folded": folded})
        self.say(show)

    # --- pots ---

    def pot(self):
        dollars = self.random.randint(1, 60)
        event = {"event": "pot", "round": self.name(), "pot": f"{dollars}.00", "board": [],
                 "showdown": False, "hands": [{"seat": 4, "cards": [], "folded": True},
                                              {"seat": 7, "cards": ["2c", "7d"], "folded": False}]}
        if self.random.random() > 0.05:
            self.say(event)
            return
        # Four nines, beaten by a straight flush; two more players were dealt in.
        event["board"], event["showdown"] = ["9h", "9s", "8h", "7h", "2d"], True
        event["hands"] = [{"seat": 2, "cards": ["9c", "9d"], "folded": False},
                          {"seat": 3, "cards": ["Kc", "Kd"], "folded": True},
                          {"seat": 5, "cards": ["Jh", "Th"], "folded": False},
                          {"seat": 8, "cards": ["Ac", "3d"], "folded": False}]
        self.say(event, beat=("four_of_a_kind", {
            2: fractions.Fraction(1, 2), 5: fractions.Fraction(1, 4),
            3: fractions.Fraction(1, 8), 8: fractions.Fraction(1, 8)}))
