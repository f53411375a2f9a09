"""The refusals of a house without a controller, with the names and words of the core."""

REFUSED = {
    "claim_not_raised": (409, "claim {claim} is not raised any more: it is {state}"),
    "claim_settled": (409, "claim {claim} is settled: it is {state}"),
    "claim_not_validated": (409, "claim {claim} is {state}, not validated"),
    "claim_unknown": (404, "there is no claim {claim}"),
    "right_missing": (403, "{badge} has no right to do this"),
    "same_person": (403, "{badge} has signed the claim: another person must do this"),
    "person_unknown": (401, "there is no person with the badge {badge}"),
    "person_locked": (401, "{badge} is locked after five wrong PINs: two managers give a new one"),
    "pin_wrong": (401, "the PIN is wrong"),
    "second_signature_missing": (409, "claim {claim} waits for its second signature"),
    "slip_open": (409, "claim {claim} has an open slip"),
    "slip_missing": (409, "claim {claim} has no slip"),
    "slip_unknown": (404, "there is no such slip"),
    "slip_void": (409, "the slip is void"),
    "slip_used": (409, "the slip is already paid"),
    "source_not_allowed": (409, "the rule does not allow this source"),
    "link_suspended_already": (409, "the link is already suspended"),
    "table_frozen_already": (409, "the table is already frozen"),
    "accounts_refused": (403, "{badge} has no right to the accounts: accountants, finance managers "
                              "and auditors have"),
    "day_unknown": (404, "no gaming day {day} is in this journal"),
    "day_not_over": (409, "the gaming day {day} is not over"),
    "day_closed": (409, "the gaming day {day} is closed: nothing more is said of it"),
    "day_before_open": (409, "days are closed one after the other: {day} is still open"),
    "day_not_signed": (409, "the first signature is missing"),
    "same_hand": (403, "{badge} has signed first: another person closes the day"),
    "report_not_ready": (409, "the day's report is being made"),
    "report_differs": (409, "this is not the day's report any more: read it again"),
    "variance_unexplained": (409, "a difference is not explained"),
    "variance_differs": (409, "the difference has changed; read the report again"),
    "entry_unknown": (404, "there is no such entry"),
    "witness_missing": (409, "a count needs a witness: another person who may witness counts"),
    "count_not_possible": (409, "a box is one table's, and a fund the whole room's"),
    "carrier_missing": (409, "a security officer must carry it to the cage; name the officer"),
    "floorperson_missing": (409, "another person must be present: a floorperson or above"),
    "witness_not_signed": (409, "the PIN of the person who was present is missing or wrong"),
    "display_differs": (409, "the display now shows another amount; read it again"),
    "cards_unchanged": (409, "the correction changes nothing: these cards are already recorded"),
}


class Refused(Exception):
    def __init__(self, name, **words):
        self.status, sentence = REFUSED[name]
        super().__init__(name)
        self.body = {"error": name, "message": sentence.format(**words) + "."}
