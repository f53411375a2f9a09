// Entry: one record of the journal: a fact that has been accepted, with its postings.
//
// Every numbered message of a table becomes exactly one entry, also if it is refused. The entry
// uses up the number, and a repeat is answered from it. An entry holds facts, never rules: what was
// evaluated once is never evaluated again, so a later change of code cannot change history.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "meters/balances/posting.h"
#include "meters/facts/award.h"
#include "meters/facts/clock_doubt.h"
#include "meters/facts/day_facts.h"
#include "meters/facts/fields.h"
#include "meters/facts/hit_reversal.h"
#include "meters/facts/restoration.h"
#include "meters/facts/table_command.h"
#include "meters/facts/writer_change.h"
#include "meters/floor/floor.h"
#include "meters/values/refusal.h"

namespace linkmeter {

// Entry 1: the floor opens with its seeds and the first people. The texts are stored in full, so
// that an auditor can read what was submitted and resolve it again.
struct FloorOpened {
  Floor floor;
  std::string floor_text;                    // the submitted floor file
  std::vector<std::string> catalogue_texts;  // the catalogue files that it was resolved with
  std::vector<Person> people = {};           // the first people, who may add the others
  std::vector<Enrolment> enrolments = {};    // the keys that may connect
  std::string seal_key = {};     // Ed25519, 32 bytes: verifies software manifests; "": none
  std::string journal_key = {};  // public key (DER) for signed heads of the journal; "": none
  std::vector<Digest> recovery_codes = {};  // SHA-256 of each (recovery.h)
  friend bool operator==(const FloorOpened&, const FloorOpened&) = default;

  static constexpr std::string_view fact_name = "floor_opened";
  static auto fields(auto& fact) {
    return std::tuple(field("floor", fact.floor), field("people", fact.people),
                      field("floor_file", fact.floor_text),
                      field<Shown::never>("catalogue_texts", fact.catalogue_texts),
                      field<Shown::never>("enrolments", fact.enrolments),
                      field<Shown::never>("seal_key", fact.seal_key),
                      field<Shown::never>("journal_key", fact.journal_key),
                      field<Shown::never>("recovery_codes", fact.recovery_codes));
  }
};

// A wager as accepted: its link is known.
struct PlacedWager {
  Seat seat;
  LinkIndex link;
  Amount amount;
  bool on_dealer = false;  // Hand Bonus: on the dealer's hand
  friend bool operator==(const PlacedWager&, const PlacedWager&) = default;
};

// The round is locked and counted; its contributions accrued with this entry.
struct RoundLocked {
  RoundId round;
  std::vector<PlacedWager> wagers;
  std::optional<std::uint32_t> chips;
  Badge by;
  friend bool operator==(const RoundLocked&, const RoundLocked&) = default;

  static constexpr std::string_view fact_name = "round_locked";
  static auto fields(auto& fact) {
    return std::tuple(field("round", fact.round), field<Shown::if_set>("by", fact.by),
                      field("wagers", fact.wagers), field<Shown::if_set>("chips", fact.chips));
  }
};

// The dealer's chips differ from the accepted wagers: nothing accrued, the round is blocked.
struct CountMismatched {
  RoundId round;
  std::vector<PlacedWager> wagers;
  std::uint32_t chips = 0;
  std::uint32_t chips_expected = 0;
  Badge by;
  friend bool operator==(const CountMismatched&, const CountMismatched&) = default;

  static constexpr std::string_view fact_name = "count_differed";
  static auto fields(auto& fact) {
    return std::tuple(field("round", fact.round), field<Shown::if_set>("by", fact.by),
                      field("wagers", fact.wagers), field("chips", fact.chips),
                      field("chips_expected", fact.chips_expected));
  }
};

// The corrected list; contributions accrued with this entry.
struct CountResolved {
  RoundId round;
  std::vector<PlacedWager> wagers;
  Badge by;
  friend bool operator==(const CountResolved&, const CountResolved&) = default;

  static constexpr std::string_view fact_name = "count_resolved";
  static auto fields(auto& fact) {
    return std::tuple(field("round", fact.round), field<Shown::if_set>("by", fact.by),
                      field("wagers", fact.wagers));
  }
};

struct HandsShown {
  RoundId round;
  std::vector<ShownHand> hands;
  std::vector<Card> dealer;
  std::vector<Card> board;
  std::vector<JackpotHit> hits;
  std::vector<Award> awards;  // in the order they were settled
  Badge by;
  std::optional<Draw> draw = {};  // made by the table after the lock
  friend bool operator==(const HandsShown&, const HandsShown&) = default;

  static constexpr std::string_view fact_name = "hands_shown";
  static auto fields(auto& fact) {
    return std::tuple(field("round", fact.round), field<Shown::if_set>("by", fact.by),
                      field("hands", fact.hands), field<Shown::if_set>("dealer", fact.dealer),
                      field<Shown::if_set>("board", fact.board),
                      field<Shown::if_set>("draw", fact.draw), field("calls", fact.hits),
                      field("awards", fact.awards));
  }
};

// M11. `restored`: this entry undoes the claim's own jackpot hit, as if the meter had never been
// hit. `hits`: that hit and the deferred hits that are undone with it, or the claim's own hit if
// it is deferred. Neither is set if another seat's share of the hit stands, or if the claim was not
// paid from a meter. Old entries have no `hits` and undo at most the claim's own hit.
struct ClaimRejected {
  ClaimNumber claim;
  RejectReason reason = RejectReason::hand_misread;
  std::string note;
  bool restored = false;
  Badge by;
  HitReversal hits = {};
  std::vector<Award> envy = {};      // due because the hand is valid; paid with this entry
  std::vector<Award> reversed = {};  // Envy that the validation had paid, to be collected
  friend bool operator==(const ClaimRejected&, const ClaimRejected&) = default;

  static constexpr std::string_view fact_name = "claim_rejected";
  static auto fields(auto& fact) {
    return std::tuple(
        field("claim", fact.claim), field("reason", fact.reason), field("note", fact.note),
        field("restored", fact.restored), field("calls", fact.hits), field("by", fact.by),
        field<Shown::if_set>("paid", fact.envy), field<Shown::if_set>("take_back", fact.reversed));
  }
};

// Pending claims that the entry of a void or a correction rejects, and what happens to their
// jackpot hits (M11). The person and the note are those of the entry's own fact.
struct RejectedClaims {
  std::vector<ClaimNumber> claims;
  HitReversal hits;
  friend bool operator==(const RejectedClaims&, const RejectedClaims&) = default;
};

// A person corrects a hand that the dealer entered; the entry that it corrects stays as it is. The
// corrected hand is settled at current meter values. Awards that were paid for the old hand are
// reversed, and its claims are rejected. If the wager compares the hand with the dealer's, the
// wagers of all seats on it are settled again. REQUIRES: no claim that is settled again was
// validated.
struct HandCorrected {
  TableIndex table;
  RoundId round;
  EntryNumber corrects;  // the entry of that hand, or of its last correction
  Seat seat;
  std::vector<Card> old_cards;
  bool old_folded = false;
  std::vector<Card> cards;
  bool folded = false;
  std::vector<JackpotHit> hits;
  std::vector<Award> awards;    // in the order they were settled
  std::vector<Award> reversed;  // of the old hand; none was paid from a meter or has a claim
  HandReason reason = HandReason::misread_card;
  std::string note;
  Badge by;
  RejectedClaims rejected = {};
  friend bool operator==(const HandCorrected&, const HandCorrected&) = default;

  static constexpr std::string_view fact_name = "hand_corrected";
  static auto fields(auto& fact) {
    return std::tuple(
        field("table", fact.table), field("round", fact.round), field<Shown::if_set>("by", fact.by),
        field("corrects", fact.corrects), field("seat", fact.seat),
        field("old_cards", fact.old_cards), field("old_folded", fact.old_folded),
        field("cards", fact.cards), field("folded", fact.folded), field("reason", fact.reason),
        field("note", fact.note), field("calls", fact.hits), field("awards", fact.awards),
        field("reversed", fact.reversed), field("rejected", fact.rejected));
  }

  // The seat has no hand; it may be shown again.
  [[nodiscard]] bool is_no_hand() const { return cards.empty() && !folded; }
};

struct RoundClosed {
  RoundId round;
  Badge by;
  friend bool operator==(const RoundClosed&, const RoundClosed&) = default;

  static constexpr std::string_view fact_name = "round_closed";
  static auto fields(auto& fact) {
    return std::tuple(field("round", fact.round), field<Shown::if_set>("by", fact.by));
  }
};

// All wagers are returned, and what they contributed is withheld (M8). `returned` is empty if
// nothing had accrued. Awards that were paid must be collected, and pending claims are rejected.
struct RoundVoided {
  RoundId round;
  std::string reason;
  std::vector<PlacedWager> returned;
  Badge by;
  std::vector<Award> reversed = {};  // to be collected from the seats; none has a claim
  RejectedClaims rejected = {};
  friend bool operator==(const RoundVoided&, const RoundVoided&) = default;

  static constexpr std::string_view fact_name = "round_voided";
  static auto fields(auto& fact) {
    return std::tuple(field("round", fact.round), field<Shown::if_set>("by", fact.by),
                      field("reason", fact.reason), field("returned", fact.returned),
                      field("take_back", fact.reversed), field("rejected", fact.rejected));
  }
};

// One seat's hand is void (§ 645a.14(d), § 633a.14(i)): its wagers are returned, their
// contributions are withheld (M8), its awards are undone, and the round continues without it.
struct HandVoided {
  RoundId round;
  Seat seat;
  std::string reason;
  std::vector<PlacedWager> returned;
  std::vector<Award> reversed;  // to be collected: of this seat, and Envy for its hand
  RejectedClaims rejected;
  Badge by;
  friend bool operator==(const HandVoided&, const HandVoided&) = default;

  static constexpr std::string_view fact_name = "hand_voided";
  static auto fields(auto& fact) {
    return std::tuple(field("round", fact.round), field<Shown::if_set>("by", fact.by),
                      field("seat", fact.seat), field("reason", fact.reason),
                      field("returned", fact.returned), field("take_back", fact.reversed),
                      field("rejected", fact.rejected));
  }
};

// A person corrects the dealer's side: the dealer's cards, the board, the draw. All awards that
// depend on them are settled again at current meter values. REQUIRES: no claim that is settled
// again was validated.
struct DealerCorrected {
  TableIndex table;
  RoundId round;
  EntryNumber corrects;  // the last entry about it
  std::vector<Card> old_cards;
  std::vector<Card> cards;
  std::vector<Card> old_board;
  std::vector<Card> board;
  std::optional<Draw> old_draw;
  std::optional<Draw> draw;
  std::vector<JackpotHit> hits;
  std::vector<Award> awards;
  std::vector<Award> reversed;
  RejectedClaims rejected;
  HandReason reason = HandReason::misread_card;
  std::string note;
  Badge by;
  friend bool operator==(const DealerCorrected&, const DealerCorrected&) = default;

  static constexpr std::string_view fact_name = "dealer_corrected";
  static auto fields(auto& fact) {
    return std::tuple(field("table", fact.table), field("round", fact.round),
                      field<Shown::if_set>("by", fact.by), field("corrects", fact.corrects),
                      field("old_dealer", fact.old_cards), field("old_board", fact.old_board),
                      field("old_draw", fact.old_draw), field("dealer", fact.cards),
                      field("board", fact.board), field("draw", fact.draw),
                      field("reason", fact.reason), field("note", fact.note),
                      field("calls", fact.hits), field("awards", fact.awards),
                      field("reversed", fact.reversed), field("rejected", fact.rejected));
  }
};

struct PotPlayed {
  RoundId round;
  Amount pot;
  LinkIndex link;
  Amount contribution;  // zero below the minimum pot
  std::vector<Card> board;
  bool showdown = false;
  std::vector<ShownHand> hands;
  std::vector<JackpotHit> hits;
  std::vector<Award> awards;
  Badge by;
  friend bool operator==(const PotPlayed&, const PotPlayed&) = default;

  static constexpr std::string_view fact_name = "pot_played";
  static auto fields(auto& fact) {
    return std::tuple(field("round", fact.round), field<Shown::if_set>("by", fact.by),
                      field("link", fact.link), field("pot", fact.pot),
                      field("contribution", fact.contribution), field("board", fact.board),
                      field("showdown", fact.showdown), field("hands", fact.hands),
                      field("calls", fact.hits), field("awards", fact.awards));
  }
};

// A person corrects a pot. Its contribution stays. The Bad Beat is settled again at the current
// meter value, and the claims of the pot as first entered are rejected. REQUIRES: none of them was
// validated.
struct PotCorrected {
  TableIndex table;
  RoundId round;
  EntryNumber corrects;  // the entry of the pot, or of its last correction
  LinkIndex link;
  Amount pot;
  std::vector<Card> board;
  bool showdown = false;
  std::vector<ShownHand> hands;  // all hands of the pot
  std::vector<Card> old_board;
  bool old_showdown = false;
  std::vector<ShownHand> old_hands;
  std::vector<JackpotHit> hits;
  std::vector<Award> awards;
  RejectedClaims rejected;
  HandReason reason = HandReason::misread_card;
  std::string note;
  Badge by;
  friend bool operator==(const PotCorrected&, const PotCorrected&) = default;

  static constexpr std::string_view fact_name = "pot_corrected";
  static auto fields(auto& fact) {
    return std::tuple(
        field("table", fact.table), field("round", fact.round), field<Shown::if_set>("by", fact.by),
        field("corrects", fact.corrects), field("link", fact.link), field("pot", fact.pot),
        field("old_board", fact.old_board), field("old_showdown", fact.old_showdown),
        field("old_hands", fact.old_hands), field("board", fact.board),
        field("showdown", fact.showdown), field("hands", fact.hands), field("reason", fact.reason),
        field("note", fact.note), field("calls", fact.hits), field("awards", fact.awards),
        field("rejected", fact.rejected));
  }
};

// A table's message was refused. Its number is used up; nothing else changed.
struct MessageRefused {
  Refusal refusal = Refusal::none;
  friend bool operator==(const MessageRefused&, const MessageRefused&) = default;

  static constexpr std::string_view fact_name = "message_refused";
  static auto fields(auto& fact) { return std::tuple(field("refusal", fact.refusal)); }
};

// `posts_notice`: the display of the fund shows "pending adjustment" from this entry on, until
// finance adjusts it (§ 553.20(f)(1), (h)). It is false in entries that are older than this rule.
struct ClaimValidated {
  ClaimNumber claim;
  Badge by;
  bool posts_notice = false;
  Badge notified = {};           // of a Bad Beat: who was notified (§ 553.20(f)(2))
  std::vector<Award> envy = {};  // due for the hand, paid with this entry
  friend bool operator==(const ClaimValidated&, const ClaimValidated&) = default;

  static constexpr std::string_view fact_name = "claim_validated";
  static auto fields(auto& fact) {
    return std::tuple(field("claim", fact.claim), field("by", fact.by),
                      field<Shown::if_set>("pending_adjustment", fact.posts_notice),
                      field<Shown::if_set>("notified", fact.notified),
                      field<Shown::if_set>("paid", fact.envy));
  }
};

struct ClaimPaid {
  ClaimNumber claim;
  PaymentSource source = PaymentSource::hand_pay;
  Badge by;
  SlipNumber slip = {};  // 0: an entry that is older than slips
  friend bool operator==(const ClaimPaid&, const ClaimPaid&) = default;

  static constexpr std::string_view fact_name = "claim_paid";
  static auto fields(auto& fact) {
    return std::tuple(field("claim", fact.claim), field("source", fact.source),
                      field<Shown::or_null>("slip", fact.slip), field("by", fact.by));
  }
};

// The second signature; the claim's state stays "validated".
struct ClaimCountersigned {
  ClaimNumber claim;
  Badge by;
  friend bool operator==(const ClaimCountersigned&, const ClaimCountersigned&) = default;

  static constexpr std::string_view fact_name = "claim_countersigned";
  static auto fields(auto& fact) {
    return std::tuple(field("claim", fact.claim), field("by", fact.by));
  }
};

// Everything that the slip states, and why it is taxable or not.
struct SlipIssued {
  SlipNumber slip;
  ClaimNumber claim;
  PaymentSource source = PaymentSource::hand_pay;
  Amount amount;
  Amount wager;  // 0: it was not won by a wager
  bool taxable = false;
  std::optional<TaxThreshold> threshold;  // that applied; nullopt: none was in force
  Badge by;
  friend bool operator==(const SlipIssued&, const SlipIssued&) = default;

  static constexpr std::string_view fact_name = "slip_issued";
  static auto fields(auto& fact) {
    return std::tuple(field("slip", fact.slip), field("claim", fact.claim),
                      field("source", fact.source), field("amount", fact.amount),
                      field("wager", fact.wager), field("taxable", fact.taxable),
                      field<Shown::or_null>("threshold", fact.threshold), field("by", fact.by));
  }
};

struct SlipVoided {
  SlipNumber slip;
  VoidReason reason = VoidReason::misprint;
  std::string note;
  Badge by;
  friend bool operator==(const SlipVoided&, const SlipVoided&) = default;

  static constexpr std::string_view fact_name = "slip_voided";
  static auto fields(auto& fact) {
    return std::tuple(field("slip", fact.slip), field("reason", fact.reason),
                      field("note", fact.note), field("by", fact.by));
  }
};

// The slip's copy is on disk. From now on a different copy is recognized by its digest.
struct SlipStored {
  SlipNumber slip;
  Digest digest{};  // SHA-256
  friend bool operator==(const SlipStored&, const SlipStored&) = default;

  static constexpr std::string_view fact_name = "slip_stored";
  static auto fields(auto& fact) {
    return std::tuple(field("slip", fact.slip), field("digest", fact.digest));
  }
};

// § 553.20(f)(1), (h): a person posts or clears "pending adjustment". The validation of a Bad Beat
// posts it too, and a display adjustment clears it. A rejection does not change it.
struct NoticePosted {
  LinkIndex link;
  bool posted = true;
  Badge by;
  friend bool operator==(const NoticePosted&, const NoticePosted&) = default;

  static constexpr std::string_view fact_name = "notice_posted";
  static auto fields(auto& fact) {
    return std::tuple(field("link", fact.link), field("posted", fact.posted), field("by", fact.by));
  }
};

// `by` is empty if the system suspended the link (L3).
struct LinkSuspended {
  LinkIndex link;
  std::string note;
  Badge by;
  friend bool operator==(const LinkSuspended&, const LinkSuspended&) = default;

  static constexpr std::string_view fact_name = "link_suspended";
  static auto fields(auto& fact) {
    return std::tuple(field("link", fact.link), field("note", fact.note), field("by", fact.by));
  }
};

// The table takes no new round; open rounds continue. `by` is empty if the system froze it.
struct TableFrozen {
  TableIndex table;
  std::string note;
  Badge by;
  friend bool operator==(const TableFrozen&, const TableFrozen&) = default;

  static constexpr std::string_view fact_name = "table_frozen";
  static auto fields(auto& fact) {
    return std::tuple(field("table", fact.table), field("note", fact.note), field("by", fact.by));
  }
};

struct PinChanged {
  Badge by;
  std::string pin;           // hashed outside the core
  std::string old_pin = {};  // the replaced one, hashed with the key in force; "": not kept
  friend bool operator==(const PinChanged&, const PinChanged&) = default;

  static constexpr std::string_view fact_name = "pin_changed";
  static auto fields(auto& fact) {
    return std::tuple(field("by", fact.by), field<Shown::never>("pin", fact.pin),
                      field<Shown::never>("old_pin", fact.old_pin));
  }
};

struct SignedIn {
  Badge badge;
  friend bool operator==(const SignedIn&, const SignedIn&) = default;

  static constexpr std::string_view fact_name = "signed_in";
  static auto fields(auto& fact) { return std::tuple(field("by", fact.badge)); }
};
struct SignInFailed {
  Badge badge;
  // The person is locked until then. nullopt: this failure did not lock the person, or the entry is
  // older than limited locks.
  std::optional<Timestamp> locked_until = {};
  friend bool operator==(const SignInFailed&, const SignInFailed&) = default;

  static constexpr std::string_view fact_name = "sign_in_failed";
  static auto fields(auto& fact) {
    return std::tuple(field("by", fact.badge),
                      field<Shown::if_set>("locked_until", fact.locked_until));
  }
};

// The first half of dual control: nothing has changed yet.
struct ActProposed {
  ProposalNumber proposal;
  DualControlCommand act;
  Badge by;
  friend bool operator==(const ActProposed&, const ActProposed&) = default;

  static constexpr std::string_view fact_name = "act_proposed";
  static auto fields(auto& fact) {
    return std::tuple(field("proposal", fact.proposal), field("act", fact.act),
                      field("by", fact.by));
  }
};
// The second half: the act takes effect with this entry.
struct ActConfirmed {
  ProposalNumber proposal;
  DualControlCommand act;
  Badge proposed_by;
  Badge by;
  friend bool operator==(const ActConfirmed&, const ActConfirmed&) = default;

  static constexpr std::string_view fact_name = "act_confirmed";
  static auto fields(auto& fact) {
    return std::tuple(field("proposal", fact.proposal), field("act", fact.act),
                      field("proposed_by", fact.proposed_by), field("by", fact.by));
  }
};

// A person's command was refused: nothing changed.
struct CommandRejected {
  std::string act;  // "reject_claim"
  Refusal refusal = Refusal::none;
  Badge by;
  std::string about = {};  // the link or person that is the reason, if there is one: "C4-MEGA"
  friend bool operator==(const CommandRejected&, const CommandRejected&) = default;

  static constexpr std::string_view fact_name = "act_refused";
  static auto fields(auto& fact) {
    return std::tuple(field("act", fact.act), field("refusal", fact.refusal), field("by", fact.by),
                      field<Shown::if_set>("about", fact.about));
  }
};

// The result of the self-check at a start, before the controller serves (L2). If the start verified
// only the end of a long journal, there is a second one when all of it has been read. Passed: no
// failures.
struct SelfChecked {
  struct Failure {
    std::string check;  // "software", "configuration", "journal", "balances"
    std::string words;
    friend bool operator==(const Failure&, const Failure&) = default;
  };
  std::vector<Failure> failures;
  Digest manifest{};                // SHA-256 of the software manifest; zeros: there was none
  EntryNumber verified;             // the journal is verified up to this entry,
  Digest head{};                    // which has this hash
  bool quick = false;               // verified from the last passed check on, not from entry 1
  std::string version;              // of the program
  bool clock_synchronised = false;  // according to the kernel; false: no, or unknown
  friend bool operator==(const SelfChecked&, const SelfChecked&) = default;

  static constexpr std::string_view fact_name = "self_checked";
  static auto fields(auto& fact) {
    return std::tuple(
        field("failures", fact.failures), field<Shown::or_null>("manifest", fact.manifest),
        field("verified", fact.verified), field("head", fact.head), field("quick", fact.quick),
        field("version", fact.version), field("clock_synchronised", fact.clock_synchronised));
  }
};

// The system's clock was set while the controller ran, or is behind the last entry at a start.
// Recorded times are evidence and never go back, so from here on they may be ahead of the clock.
struct ClockChanged {
  std::int64_t by_us = 0;  // microseconds; negative: back
  friend bool operator==(const ClockChanged&, const ClockChanged&) = default;

  static constexpr std::string_view fact_name = "clock_changed";
  static auto fields(auto& fact) { return std::tuple(field("by_us", fact.by_us)); }
};

// The journal's key (house_key.h) has signed the hash of an earlier entry, so that a rewritten
// journal cannot be signed again without the key. The controller signs; the audit verifies.
struct HeadSigned {
  EntryNumber head;
  Digest hash{};          // of that entry
  Digest key{};           // SHA-256 of the public key
  std::string signature;  // of head_text() (journal_signature.h)
  friend bool operator==(const HeadSigned&, const HeadSigned&) = default;

  static constexpr std::string_view fact_name = "head_signed";
  static auto fields(auto& fact) {
    return std::tuple(field("head", fact.head), field("head_hash", fact.hash),
                      field("key", fact.key), field<Shown::as_hex>("signature", fact.signature));
  }
};
// Recovery codes gave a manager a PIN that must be changed, and unlocked the manager. The codes are
// used up. Every link is suspended in the same commit.
struct Recovered {
  Badge badge;
  std::string pin;                   // hashed outside the core
  std::vector<std::uint32_t> codes;  // their places, counted from 1
  friend bool operator==(const Recovered&, const Recovered&) = default;

  static constexpr std::string_view fact_name = "recovered";
  static auto fields(auto& fact) {
    return std::tuple(field("badge", fact.badge), field<Shown::never>("pin", fact.pin),
                      field("codes", fact.codes));
  }
};
// Invalid recovery codes were entered. No codes are checked before `wait_until`.
struct RecoveryFailed {
  Badge badge;
  Timestamp wait_until;
  friend bool operator==(const RecoveryFailed&, const RecoveryFailed&) = default;

  static constexpr std::string_view fact_name = "recovery_failed";
  static auto fields(auto& fact) {
    return std::tuple(field("badge", fact.badge), field("wait_until", fact.wait_until));
  }
};

// Wrong PINs from untrusted origins (login_throttle.h) since the last such entry. They lock nobody.
struct PinsTried {
  struct Tries {
    Badge badge;
    std::uint64_t count = 0;
    friend bool operator==(const Tries&, const Tries&) = default;
  };
  std::vector<Tries> tries;  // by badge
  friend bool operator==(const PinsTried&, const PinsTried&) = default;

  static constexpr std::string_view fact_name = "pins_tried";
  static auto fields(auto& fact) { return std::tuple(field("tries", fact.tries)); }
};

// New kinds are added at the end.
using Fact =
    std::variant<FloorOpened, RoundLocked, CountMismatched, CountResolved, HandsShown, RoundClosed,
                 RoundVoided, PotPlayed, MessageRefused, ClaimValidated, ClaimPaid, ClaimRejected,
                 LinkSuspended, PinChanged, SignedIn, SignInFailed, ActProposed, ActConfirmed,
                 CommandRejected, SelfChecked, ClockChanged, ClaimCountersigned, SlipIssued,
                 SlipVoided, SlipStored, NoticePosted, HandCorrected, DayEnded, ReadingTaken,
                 CountersReported, CountRecorded, VarianceExplained, DaySigned, DayClosed,
                 HistoryRestored, FundMoved, DisplayAdjusted, TableFrozen, ClockDoubted,
                 ClockReturned, HandVoided, DealerCorrected, PotCorrected, HeadSigned, Recovered,
                 RecoveryFailed, PinsTried, WriterChanged>;

// The table's message that the entry answers.
struct Origin {
  TableIndex table;
  MessageNumber number;
  Digest digest{};
  Timestamp sent_at;
  friend bool operator==(const Origin&, const Origin&) = default;
};

struct Entry {
  EntryNumber number;
  Timestamp recorded_at;  // the controller's clock at the turn
  std::optional<Origin> origin;
  Fact fact;
  std::vector<Posting> postings;
  friend bool operator==(const Entry&, const Entry&) = default;
};

// "round_locked": the fact's name in exports, audits and reports.
std::string_view name(const Fact& fact);

}  // namespace linkmeter
