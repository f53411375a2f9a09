"""A fund of pots for the pages: its posted rules, its day, acts on it, and the distribution of a
payout."""

import copy

from mock_refusals import Refused

FUND = {"contribution": "1.00", "minimum_pot": "20.00", "qualifying": "full_house",
        "split": {"losing_hand": "50%", "winning_hand": "25%", "table": "25%"},
        "parts": {"main": "80%", "reserve": "20%"}, "reseed": "0.00"}

AT = "2026-11-21T03:14:15.000000Z"


def share(seat, part, among, hand, amount, **more):
    return {"seat": seat, "for": part, "part": {"losing_hand": "50%"}.get(part, "25%"),
            "among": among, "hand": hand, "amount": amount, "claim": 10 - seat, "state": "raised",
            "verified_by": None, "verified_at": None, "source": None, "slips": [],
            "paid_by": None, "paid_at": None, "rejected_by": None, "rejected_at": None, **more}


DISTRIBUTION = {
    "distribution": "linkmeter-distribution 1", "house": "Demo Casino", "link": "POKER-ROOM",
    "table": "P-01", "asset": "T-1046", "round": "h77", "entry": 812, "configuration": 1,
    "raised_at": AT, "pot": "200.00", "board": ["Ac", "Kh", "Kd", "2c", "3c"],
    "line": "full_house", "award": "500.80",
    "shares": [
        share(7, "table", 2, [], "62.60"),
        share(5, "winning_hand", 1, ["Ks", "Kc"], "125.20", state="validated",
              verified_by="PS-1", verified_at=AT),
        share(2, "losing_hand", 1, ["Ah", "Ad"], "250.40", state="paid", verified_by="PS-1",
              verified_at=AT, source="hand_pay", slips=[4], paid_by="C-1", paid_at=AT),
        share(1, "table", 2, [], "62.60")],
    "sum": "500.80", "difference": "0.00", "rejected": "0.00",
    "notice_posted": {"entry": 813, "at": AT, "by": "PS-1"}, "notice_cleared": None,
    "display_adjusted": None}

DAY = {
    "boxes": [
        {"table": "P-01", "pots": 1312, "contributed": "1312.00", "counted": "1312.00",
         "difference": "0.00", "entry": 701, "at": AT, "by": "D-1", "witness": "F-1",
         "transfer": 703},
        {"table": "P-02", "pots": 312, "contributed": "312.00", "counted": "311.00",
         "difference": "-1.00", "entry": 702, "at": AT, "by": "D-1", "witness": "F-1",
         "transfer": 703},
        {"table": "P-03", "pots": 0, "contributed": "0.00", "counted": None, "difference": None,
         "entry": None, "at": None, "by": None, "witness": None, "transfer": None}],
    "transfers": [
        {"entry": 703, "at": AT, "tables": ["P-01", "P-02"], "verified": "1623.00",
         "counted": "1623.00", "difference": "0.00", "stands": True, "carried_by": "S-1",
         "accounted_by": "F-1", "note": "container 7", "by": "C-1"}],
    "displays": [
        {"entry": 690, "at": AT, "shown": "23175.45", "kept": "23175.45", "difference": "0.00",
         "note": "", "witness": "F-1", "by": "A-1"}],
    "bad_beat_verified": None}


def open_fund(house, report):
    """Adds a fund and the people who act on it to a day. Returns the fund."""
    house.people["S-1"] = {"badge": "S-1", "name": "Sol Guard", "roles": ["security_officer"],
                           "rights": ["witness_counts", "carry_funds"], "pin": "8642",
                           "failures": 0}
    for badge, right in (("F-1", "witness_funds"), ("FM-1", "adjust_displays")):
        house.people[badge]["rights"] = [*house.people[badge]["rights"], right]
    link = next(one for one in report["links"] if one["link"] == "POKER-ROOM")
    link["fund"] = copy.deepcopy(DAY)
    return link["fund"]


def do_fund(house, path, person, asked):
    """Does one signed act on a fund. Returns its description."""
    *_, name, act = path.split("/")
    if {"transfer": "count_money", "display": "adjust_displays"}[act] not in person["rights"]:
        raise Refused("right_missing", badge=person["badge"])

    def other(badge, right, refusal):
        found = house.people.get(badge, person)
        if found is person or right not in found["rights"]:
            raise Refused(refusal)
        return found
    if act == "display":
        witness = other(asked["witness"], "witness_funds", "floorperson_missing")
        if asked.get("witness_pin") != witness["pin"]:
            raise Refused("witness_not_signed")
        shown = f"{sum(one['cents'] for one in house.links[name]['levels']) / 100:.2f}"
        if asked["shown"] not in (None, shown):
            raise Refused("display_differs")
        return f"{name} shows {shown}, finance keeps {asked['kept']}"
    told = house.accounts.find(name)
    if told["closed"]:
        raise Refused("day_closed", day=name)
    other(asked["carried_by"], "carry_funds", "carrier_missing")
    other(asked["accounted_by"], "witness_funds", "floorperson_missing")
    fund = next(one for one in told["report"]["links"] if one["link"] == asked["link"])["fund"]
    house.accounts.entry += 1
    for box in fund["boxes"]:
        if box["table"] in asked["tables"]:
            box["transfer"] = house.accounts.entry
    fund["transfers"].append({
        "entry": house.accounts.entry, "at": AT, "counted": "0.00", "difference": None,
        "stands": True, "by": person["badge"],
        **{key: asked[key] for key in ("tables", "verified", "carried_by", "accounted_by",
                                       "note")}})
    return f"what came of {asked['link']} is at the cage"
