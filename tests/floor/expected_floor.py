"""The expected meters of the demo floor after some events, computed independently of Linkmeter.

Integers of 10^-8 dollar, from the laws of money (M1-M8) and the paytables of the chapters. It does
not evaluate hands: a test that deals a hand names its line.
"""

import collections
import dataclasses
import fractions

UNITS_PER_CENT = 10**6
UNITS_PER_DOLLAR = 10**8

Claim = collections.namedtuple("Claim", "link table round seat line level amount")

# Link: wager, its unit in cents (None: a pot, or a range), seeds and reseeds in dollars, rates in
# ppm with "reserve", its tables, and what each line pays: a level (all of it) or a multiple of the
# wager. No test with this model bets on a link without lines; its rounds count.
Terms = collections.namedtuple(
    "Terms", "wager unit seeds reseeds rates tables pays verified_from", defaults=({}, 0))
TERMS = {
    "RIU-MAIN": Terms(
        "raise-it-up/progressive", 500, {"main": 5000}, {"main": 5000}, {"main": 140_000},
        ["RIU-01"], {"akq_spades": "main", "akq_other": 500, "straight_flush": 70,
                     "three_of_a_kind": 60, "straight": 6}),
    "RIU-ONE": Terms(
        "raise-it-up/progressive", 100, {"main": 1000}, {"main": 1000},
        {"main": 150_000, "reserve": 20_000}, ["RIU-01"]),
    "C4-MEGA": Terms(
        "crazy-4/five-card", 500, {"mega": 50_000, "major": 5_000, "minor": 1_250},
        {"mega": 50_000, "major": 5_000, "minor": 1_250},
        {"mega": 90_000, "major": 70_000, "minor": 30_000}, ["C4-01", "C4-02", "C4-03", "C4-04"],
        {"royal_flush": "mega", "straight_flush": "major", "four_of_a_kind": "minor",
         "full_house": 50, "flush": 40, "straight": 30, "three_of_a_kind": 10}),
    "C4-FOUR": Terms(
        "crazy-4/four-card", 500, {"main": 5000}, {"main": 5000},
        {"main": 250_000, "reserve": 50_000}, ["C4-05", "C4-06"]),
    "C4-BONUS": Terms(
        "crazy-4/five-card-hand-bonus", 100, {"main": 10_000}, {"main": 0},
        {"main": 130_000, "reserve": 80_000}, ["C4-05", "C4-06"]),
    "C4-LONE": Terms(
        "crazy-4/five-card", 100, {"main": 10_000}, {"main": 10_000}, {"main": 210_000},
        ["C4-07"]),
    "C4-LONE-4": Terms(
        "crazy-4/four-card", 100, {"main": 5000}, {"main": 5000}, {"main": 290_000}, ["C4-07"]),
    "BJ-RUN": Terms(
        "blackjack/hit-and-run", 100, {"main": 1000}, {"main": 1000},
        {"main": 120_000, "reserve": 30_000}, ["BJ-01"],
        {"eight_or_more_cards": "main", "seven_cards": 100, "six_cards": 25, "five_cards": 7,
         "blackjack": 4}, 100),
    "BJ-RUN-5": Terms(
        "blackjack/hit-and-run", 500, {"main": 5000}, {"main": 5000},
        {"main": 120_000, "reserve": 30_000}, ["BJ-01"]),
    "BJ-BADBEAT": Terms(
        "blackjack/bad-beat", None, {"main": 5000}, {"main": 5000},
        {"main": 120_000, "reserve": 30_000}, ["BJ-01"]),
    "PG-MAIN": Terms(
        "pai-gow-poker/progressive", 500, {"main": 10_000}, {"main": 5000},
        {"main": 180_000, "reserve": 40_000}, ["PG-01"]),
    "PG-FORTUNE": Terms("pai-gow-poker/fortune-bonus", None, {}, {}, {}, ["PG-01"]),
    "PG-EMPEROR": Terms("pai-gow-poker/emperors-treasure", None, {}, {}, {}, ["PG-01"]),
    "TCP-BEAT": Terms("three-card-prime/bad-beat-bonus", None, {}, {}, {}, ["TCP-01"]),
    "POKER-ROOM": Terms(
        "poker/bad-beat", None, {"main": 500}, {"main": 0}, {"main": 800_000, "reserve": 200_000},
        ["P-01", "P-02", "P-03"]),
}


@dataclasses.dataclass
class Scripted:
    """An event of a script, with its expected result."""
    event: dict
    refusal: str = None  # it must be refused with this name
    # A Bad Beat: (line, {seat: share of the whole as a Fraction}).
    beat: tuple = None


@dataclasses.dataclass
class Pool:
    """A level, or the reserve."""
    amount: int = 0
    withheld: int = 0
    pending: int = 0
    paid: int = 0
    contributed: int = 0
    seeded: int = 0
    hits: int = 0

    def accrue(self, gain):
        repaid = min(gain, self.withheld)
        self.withheld -= repaid
        self.amount += gain - repaid
        self.contributed += gain

    def take_back(self, gain):
        self.withheld += gain
        self.contributed -= gain


class Link:
    def __init__(self, name, terms):
        self.name, self.terms = name, terms
        seeds = {level: seed * UNITS_PER_DOLLAR for level, seed in terms.seeds.items()}
        self.levels = {level: Pool(amount=seed, seeded=seed) for level, seed in seeds.items()}
        self.reserve = Pool()
        self.tables = {table: [0, 0, 0] for table in terms.tables}  # rounds, wagers, cents

    def pools(self):
        for name, rate in self.terms.rates.items():
            yield (self.reserve if name == "reserve" else self.levels[name]), rate

    def count(self, table, wagers_cents, sign):
        counts = self.tables[table]
        counts[0] += sign
        counts[1] += sign * len(wagers_cents)
        counts[2] += sign * sum(wagers_cents)
        for pool, rate in self.pools():
            gain = sum(wagers_cents) * rate
            pool.accrue(gain) if sign > 0 else pool.take_back(gain)

    def change(self, **terms):
        """From now on the link has these terms; its meters are unchanged (L8)."""
        self.terms = self.terms._replace(**terms)

    def win(self, level):
        """100% of a level, in cents (M4)."""
        pool = self.levels[level]
        cents, fraction = divmod(pool.amount, UNITS_PER_CENT)
        reseed = self.terms.reseeds[level] * UNITS_PER_DOLLAR
        pool.amount = reseed + self.reserve.amount + fraction
        pool.seeded += reseed
        self.reserve.amount = 0
        pool.pending += cents * UNITS_PER_CENT
        pool.hits += 1
        return cents


def split(total_cents, parts):
    """Whole cents by largest remainder; ties go to the highest seat. `parts`: {seat: Fraction}."""
    seats = sorted(parts, reverse=True)
    exact = {seat: total_cents * fractions.Fraction(parts[seat]) for seat in seats}
    given = {seat: int(exact[seat]) for seat in seats}
    by_remainder = sorted(seats, key=lambda seat: given[seat] - exact[seat])  # stable
    for seat in by_remainder[:total_cents - sum(given.values())]:
        given[seat] += 1
    return given


def cents_of(text):
    dollars, _, cents = text.partition(".")
    return int(dollars) * 100 + int(cents.ljust(2, "0"))


def dollars(cents):
    return f"{cents // 100}.{cents % 100:02d}"


def exact(units):
    return f"{units // UNITS_PER_DOLLAR}.{units % UNITS_PER_DOLLAR:08d}"


# What each other bettor of $5 gets for the line (§ 669a.12, § 657a.12(e)(5)). A folded hand gives
# it at Raise It Up only.
ENVY_CENTS = {"RIU-MAIN": {"akq_spades": 500_00, "akq_other": 125_00},
              "C4-MEGA": {"royal_flush": 5_000_00, "straight_flush": 1_500_00}}
FOLDED_GIVES_ENVY = {"RIU-MAIN"}


class ExpectedFloor:
    """`line_of(cards)` names the line of a hand, or None."""

    def __init__(self, line_of):
        self.line_of = line_of
        self.links = {name: Link(name, terms) for name, terms in TERMS.items()}
        self.open = {}  # (table, round): {link name: {seat: cents}}
        self.claims = []

    def links_at(self, table):
        return [link for link in self.links.values() if table in link.tables]

    def play(self, table, scripted):
        event = scripted.event
        if scripted.refusal is None:
            getattr(self, "_" + event["event"])(table, event, scripted)

    def _lock(self, table, event, _):
        wagers = {}
        for wager in event["wagers"]:
            cents = cents_of(wager["amount"])
            link = next(link for link in self.links_at(table)
                        if (link.terms.wager, link.terms.unit) == (wager["wager"], cents))
            wagers.setdefault(link.name, {})[wager["seat"]] = cents
        self.open[table, event["round"]] = wagers
        for link in self.links_at(table):
            link.count(table, wagers.get(link.name, {}).values(), 1)

    def _void(self, table, event, _):
        wagers = self.open.pop((table, event["round"]))
        for link in self.links_at(table):
            link.count(table, wagers.get(link.name, {}).values(), -1)

    def _close(self, table, event, _):
        del self.open[table, event["round"]]

    def _show(self, table, event, _):
        wagers = self.open[table, event["round"]]
        if table == "BJ-01":
            self._hit_and_run(table, event, wagers.get("BJ-RUN", {}))
            return
        for hand in sorted(event["hands"], key=lambda hand: -hand["seat"]):
            line = self.line_of(hand["cards"])
            for link in self.links_at(table):
                if hand["seat"] in wagers.get(link.name, {}) and line and not hand["folded"]:
                    bet = wagers[link.name][hand["seat"]]
                    pays = link.terms.pays[line]
                    level = pays if isinstance(pays, str) else None
                    cents = link.win(level) if level else bet * pays
                    self._claim(link, table, event, hand["seat"], line, level, cents)
                else:
                    self._envy(link, table, event, hand, line, wagers.get(link.name, {}))

    def _envy(self, link, table, event, hand, line, bets):
        """For a hand without a claim of its own: each other bettor gets it."""
        cents = ENVY_CENTS.get(link.name, {}).get(line)
        has_right = not hand["folded"] or (hand["seat"] in bets and
                                           link.name in FOLDED_GIVES_ENVY)
        if cents and has_right:
            for seat in sorted(set(bets) - {hand["seat"]}, reverse=True):
                self._claim(link, table, event, seat, line, None, cents)

    def _hit_and_run(self, table, event, bets):
        link = self.links["BJ-RUN"]
        line = self.line_of(event.get("dealer", []))
        if not line or not bets:
            return
        pays = link.terms.pays[line]
        if isinstance(pays, str):
            share = fractions.Fraction(1, len(bets))
            won = split(link.win(pays), {seat: share for seat in bets})
        else:
            won = {seat: bet * pays for seat, bet in bets.items()}
        for seat in sorted(won, reverse=True):
            if isinstance(pays, str) or pays >= link.terms.verified_from:
                level = pays if isinstance(pays, str) else None
                self._claim(link, table, event, seat, line, level, won[seat])

    def _pot(self, table, event, scripted):
        link = self.links["POKER-ROOM"]
        contributes = cents_of(event["pot"]) >= 2000
        link.count(table, [100] if contributes else [], 1)
        if scripted.beat:
            line, parts = scripted.beat
            won = split(link.win("main"), parts)
            for seat in sorted(won, reverse=True):
                self._claim(link, table, event, seat, line, "main", won[seat])

    def _claim(self, link, table, event, seat, line, level, cents):
        self.claims.append(Claim(link.name, table, event["round"], seat, line, level,
                                 dollars(cents)))

    def pay(self, number):
        """Pays the claim of that number, from 1 on."""
        claim = self.claims[number - 1]
        if claim.level:
            pool = self.links[claim.link].levels[claim.level]
            pool.pending -= cents_of(claim.amount) * UNITS_PER_CENT
            pool.paid += cents_of(claim.amount) * UNITS_PER_CENT

    # --- to compare with the programs' output ---

    def meters(self):
        """In the shape of told()."""
        told = {}
        for link in self.links.values():
            levels = {name: (exact(pool.amount), exact(pool.withheld), exact(pool.pending),
                             exact(pool.paid), exact(pool.contributed), exact(pool.seeded),
                             pool.hits)
                      for name, pool in link.levels.items()}
            tables = {table: (rounds, wagers, dollars(handle))
                      for table, (rounds, wagers, handle) in link.tables.items()}
            reserve = (exact(link.reserve.amount), exact(link.reserve.contributed),
                       exact(link.reserve.withheld))
            told[link.name] = {"levels": levels, "tables": tables, "reserve": reserve}
        return told


def told(meters):
    """`linkmeter meters --json`, in the shape of ExpectedFloor.meters()."""
    return {
        link["link"]: {
            "levels": {level["level"]: (level["amount"], level["withheld"], level["pending"],
                                        level["paid"], level["contributed"], level["seeded"],
                                        level["hits"]) for level in link["levels"]},
            "tables": {table["table"]: (table["rounds"], table["wagers"], table["handle"])
                       for table in link["tables"]},
            "reserve": (link["reserve"], link["reserve_contributed"], link["reserve_withheld"]),
        } for link in meters["links"]}


def told_claims(claims):
    """`linkmeter claims --json` as Claims, in order."""
    return [Claim(*(claim[field] for field in Claim._fields)) for claim in claims]
