"""What the house without a controller refuses, by the names and in the words of the core."""

REFUSED = {
    "claim_not_raised": (409, "claim {claim} is not raised any more: it is {state}"),
    "claim_settled": (409, "claim {claim} is settled: it is {state}"),
    "claim_not_validated": (409, "claim {claim} is {state}, not validated"),
    "claim_unknown": (404, "there is no claim {claim}"),
    "right_missing": (403, "{badge} has no right to do this"),
    "same_person": (403, "{badge} has validated the claim: another person signs second"),
    "person_unknown": (401, "there is no person with the badge {badge}"),
    "person_locked": (401, "{badge} is locked after five wrong PINs: two managers give a new one"),
    "pin_wrong": (401, "the PIN is wrong"),
    "second_signature_missing": (409, "claim {claim} waits for its second signature"),
    "slip_open": (409, "claim {claim} has an open slip"),
    "slip_missing": (409, "claim {claim} has no slip"),
    "slip_unknown": (404, "there is no such slip"),
    "slip_void": (409, "the slip is void"),
    "slip_used": (409, "the slip is paid"),
    "source_not_allowed": (409, "the rule does not allow this source"),
    "link_suspended_already": (409, "the link is suspended already"),
    "cards_unchanged": (409, "the hand is known with these cards already"),
}


class Refused(Exception):
    def __init__(self, name, **words):
        self.status, sentence = REFUSED[name]
        super().__init__(name)
        self.body = {"error": name, "message": sentence.format(**words) + "."}
