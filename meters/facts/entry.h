// Entry: one line of the journal. A fact that cannot be refused any more, with its postings.
//
// Every numbered message of a table becomes exactly one entry, also when it was refused: so the
// number is used up, and a repeat is answered from what the entry says. An entry holds facts, never
// rules: what was evaluated once is never evaluated again, and a later change of code cannot change
// history.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "meters/balances/posting.h"
#include "meters/facts/award.h"
#include "meters/facts/call_reversal.h"
#include "meters/facts/clock_doubt.h"
#include "meters/facts/day_facts.h"
#include "meters/facts/restoration.h"
#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/values/refusal.h"

namespace linkmeter {

// Entry 1: the floor opens with its seeds and the first people. The texts are kept whole, so that
// an auditor can read what was submitted and resolve it again.
struct FloorOpened {
  Floor floor;
  std::string floor_text;                    // the floor file as it was given
  std::vector<std::string> catalogue_texts;  // the chapters it was resolved against
  std::vector<Person> people = {};           // who may add the others
  std::vector<Enrolment> enrolments = {};    // who may connect
  std::string seal_key = {};  // public key (Ed25519, 32 bytes) of who may seal software; "": none
  std::string journal_key = {};  // public key (DER) of who signs heads of the journal; "": none
  std::vector<Digest> recovery_codes = {};  // SHA-256 of each (recovery.h)
  friend bool operator==(const FloorOpened&, const FloorOpened&) = default;
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
};

// The dealer's chips differ from the accepted wagers: nothing accrued, the round is blocked.
struct CountMismatched {
  RoundId round;
  std::vector<PlacedWager> wagers;
  std::uint32_t chips = 0;
  std::uint32_t chips_expected = 0;
  Badge by;
  friend bool operator==(const CountMismatched&, const CountMismatched&) = default;
};

// The corrected list; contributions accrued with this entry.
struct CountResolved {
  RoundId round;
  std::vector<PlacedWager> wagers;
  Badge by;
  friend bool operator==(const CountResolved&, const CountResolved&) = default;
};

struct HandsShown {
  RoundId round;
  std::vector<ShownHand> hands;
  std::vector<Card> dealer;
  std::vector<Card> board;
  std::vector<JackpotHit> calls;
  std::vector<Award> awards;  // in the order they were settled
  Badge by;
  std::optional<Draw> draw = {};  // made by the table after the lock
  friend bool operator==(const HandsShown&, const HandsShown&) = default;
};

// M11. `restored`: the claim's own call is undone with this entry, as if the line had never been
// called. `calls`: that call, and those that had been deferred until now; or the claim's own call,
// if it is deferred. Neither: another seat's share of the call stands, or the claim is off no
// meter. An old entry has no `calls`, and undoes at most the claim's own call.
struct ClaimRejected {
  ClaimNumber claim;
  RejectReason reason = RejectReason::hand_misread;
  std::string note;
  bool restored = false;
  Badge by;
  CallReversal calls = {};
  std::vector<Award> envy = {};      // owed for the hand, paid with this entry: the hand was good
  std::vector<Award> reversed = {};  // envy that the validation had paid, to be taken back
  friend bool operator==(const ClaimRejected&, const ClaimRejected&) = default;
};

// Pending claims that a void or a correction rejects with its own entry, and what becomes of their
// calls (M11). By whom and with which note, the entry's own fact says.
struct RejectedClaims {
  std::vector<ClaimNumber> claims;
  CallReversal calls;
  friend bool operator==(const RejectedClaims&, const RejectedClaims&) = default;
};

// A dealer's entry put right by a person: what it corrects stays what it was. The new hand is
// settled by the current meters; what was paid at once for the old one is reversed, and its
// claims are rejected with it. Where the hand is weighed against the dealer's, everybody's wager of
// that kind is settled anew. REQUIRES: no claim of what is settled anew was validated.
struct HandCorrected {
  TableIndex table;
  RoundId round;
  EntryNumber corrects;  // the show of that hand, or the correction before this one
  Seat seat;
  std::vector<Card> old_cards;
  bool old_folded = false;
  std::vector<Card> cards;
  bool folded = false;
  std::vector<JackpotHit> calls;
  std::vector<Award> awards;    // in the order they were settled
  std::vector<Award> reversed;  // of the old hand; none of them is off a meter or has a claim
  HandReason reason = HandReason::misread_card;
  std::string note;
  Badge by;
  RejectedClaims rejected = {};
  friend bool operator==(const HandCorrected&, const HandCorrected&) = default;

  // Nobody has a hand at this seat; it may be shown again.
  [[nodiscard]] bool is_no_hand() const { return cards.empty() && !folded; }
};

struct RoundClosed {
  RoundId round;
  Badge by;
  friend bool operator==(const RoundClosed&, const RoundClosed&) = default;
};

// All wagers returned; what had accrued is withheld (M8). `returned` is empty if nothing had
// accrued. Awards that were paid are to be taken back, and pending claims are rejected.
struct RoundVoided {
  RoundId round;
  std::string reason;
  std::vector<PlacedWager> returned;
  Badge by;
  std::vector<Award> reversed = {};  // to be taken back from the seats; none has a claim
  RejectedClaims rejected = {};
  friend bool operator==(const RoundVoided&, const RoundVoided&) = default;
};

// One seat's hand is void (§ 645a.14(d), § 633a.14(i)): its wagers are returned and their
// contributions withheld (M8), what it brought is undone, and the round goes on without it.
struct HandVoided {
  RoundId round;
  Seat seat;
  std::string reason;
  std::vector<PlacedWager> returned;
  std::vector<Award> reversed;  // to be taken back: of this seat, and envy for its hand
  RejectedClaims rejected;
  Badge by;
  friend bool operator==(const HandVoided&, const HandVoided&) = default;
};

// What lay on the dealer's side, put right by a person: the dealer's cards, the board, the draw.
// What they decided is settled again by the current meters.
// REQUIRES: no claim of what is settled anew was validated.
struct DealerCorrected {
  TableIndex table;
  RoundId round;
  EntryNumber corrects;  // the entry that said it last
  std::vector<Card> old_cards;
  std::vector<Card> cards;
  std::vector<Card> old_board;
  std::vector<Card> board;
  std::optional<Draw> old_draw;
  std::optional<Draw> draw;
  std::vector<JackpotHit> calls;
  std::vector<Award> awards;
  std::vector<Award> reversed;
  RejectedClaims rejected;
  HandReason reason = HandReason::misread_card;
  std::string note;
  Badge by;
  friend bool operator==(const DealerCorrected&, const DealerCorrected&) = default;
};

struct PotPlayed {
  RoundId round;
  Amount pot;
  LinkIndex link;
  Amount contribution;  // zero below the minimum pot
  std::vector<Card> board;
  bool showdown = false;
  std::vector<ShownHand> hands;
  std::vector<JackpotHit> calls;
  std::vector<Award> awards;
  Badge by;
  friend bool operator==(const PotPlayed&, const PotPlayed&) = default;
};

// A pot put right by a person. Its contribution stays; the Bad Beat is settled by the current
// meter, and the claims of the pot as it was entered are rejected.
// REQUIRES: none of them was validated.
struct PotCorrected {
  TableIndex table;
  RoundId round;
  EntryNumber corrects;  // the pot, or the correction before this one
  LinkIndex link;
  Amount pot;
  std::vector<Card> board;
  bool showdown = false;
  std::vector<ShownHand> hands;  // all, as they lie there
  std::vector<Card> old_board;
  bool old_showdown = false;
  std::vector<ShownHand> old_hands;
  std::vector<JackpotHit> calls;
  std::vector<Award> awards;
  RejectedClaims rejected;
  HandReason reason = HandReason::misread_card;
  std::string note;
  Badge by;
  friend bool operator==(const PotCorrected&, const PotCorrected&) = default;
};

// A table's message was refused: its number is used up, nothing else changed.
struct MessageRefused {
  Refusal refusal = Refusal::none;
  friend bool operator==(const MessageRefused&, const MessageRefused&) = default;
};

// `posts_notice`: the display of the fund says "pending adjustment" from this entry on, until
// finance adjusts it (§ 553.20(f)(1), (h)). Entries from before there was this rule do not say so.
struct ClaimValidated {
  ClaimNumber claim;
  Badge by;
  bool posts_notice = false;
  Badge notified = {};  // of a Bad Beat: who of security or finance was told (§ 553.20(f)(2))
  std::vector<Award> envy = {};  // owed for the hand, paid with this entry
  friend bool operator==(const ClaimValidated&, const ClaimValidated&) = default;
};

struct ClaimPaid {
  ClaimNumber claim;
  PaymentSource source = PaymentSource::hand_pay;
  Badge by;
  SlipNumber slip = {};  // 0: an old entry, from before there were slips
  friend bool operator==(const ClaimPaid&, const ClaimPaid&) = default;
};

// The second signature; the claim's state stays "validated".
struct ClaimCountersigned {
  ClaimNumber claim;
  Badge by;
  friend bool operator==(const ClaimCountersigned&, const ClaimCountersigned&) = default;
};

// All that the slip says, and why it is taxable or not.
struct SlipIssued {
  SlipNumber slip;
  ClaimNumber claim;
  PaymentSource source = PaymentSource::hand_pay;
  Amount amount;
  Amount wager;  // 0: no wager won it
  bool taxable = false;
  std::optional<TaxThreshold> threshold;  // that it was held against; nothing: none was in force
  Badge by;
  friend bool operator==(const SlipIssued&, const SlipIssued&) = default;
};

struct SlipVoided {
  SlipNumber slip;
  VoidReason reason = VoidReason::misprint;
  std::string note;
  Badge by;
  friend bool operator==(const SlipVoided&, const SlipVoided&) = default;
};

// The slip's copy is on disk; from now on another one can be told from it.
struct SlipStored {
  SlipNumber slip;
  Digest digest{};  // SHA-256
  friend bool operator==(const SlipStored&, const SlipStored&) = default;
};

// § 553.20(f)(1), (h): "pending adjustment" is posted or taken down by hand. The validation of a
// Bad Beat posts it too, and a display adjustment takes it down. A rejection leaves it as it is.
struct NoticePosted {
  LinkIndex link;
  bool posted = true;
  Badge by;
  friend bool operator==(const NoticePosted&, const NoticePosted&) = default;
};

// `by` is empty where the link suspended itself (L3).
struct LinkSuspended {
  LinkIndex link;
  std::string note;
  Badge by;
  friend bool operator==(const LinkSuspended&, const LinkSuspended&) = default;
};

// The table takes no new round; open rounds go on. `by` is empty where the system froze it.
struct TableFrozen {
  TableIndex table;
  std::string note;
  Badge by;
  friend bool operator==(const TableFrozen&, const TableFrozen&) = default;
};

struct PinChanged {
  Badge by;
  std::string pin;           // as the edge made it
  std::string old_pin = {};  // the one that it replaces, sealed anew; "": not kept
  friend bool operator==(const PinChanged&, const PinChanged&) = default;
};

struct SignedIn {
  Badge badge;
  friend bool operator==(const SignedIn&, const SignedIn&) = default;
};
struct SignInFailed {
  Badge badge;
  // The person is locked until then; nothing: not by this failure, or an entry from before locks
  // said how long they last.
  std::optional<Timestamp> locked_until = {};
  friend bool operator==(const SignInFailed&, const SignInFailed&) = default;
};

// The first half of dual control: nothing has changed yet.
struct ActProposed {
  ProposalNumber proposal;
  DualControlCommand act;
  Badge by;
  friend bool operator==(const ActProposed&, const ActProposed&) = default;
};
// The second half: the act is done with this entry.
struct ActConfirmed {
  ProposalNumber proposal;
  DualControlCommand act;
  Badge proposed_by;
  Badge by;
  friend bool operator==(const ActConfirmed&, const ActConfirmed&) = default;
};

// A person asked for what he may not have, or what cannot be: nothing changed.
struct CommandRejected {
  std::string act;  // "reject_claim"
  Refusal refusal = Refusal::none;
  Badge by;
  std::string about = {};  // the link or person that it hangs on, where one does: "C4-MEGA"
  friend bool operator==(const CommandRejected&, const CommandRejected&) = default;
};

// What a controller found of itself before it served anybody, and, where the start believed a part
// of a long journal, once all of it was read behind the start (L2). Passed: no failures.
struct SelfChecked {
  struct Failure {
    std::string check;  // "software", "configuration", "journal", "balances"
    std::string words;
    friend bool operator==(const Failure&, const Failure&) = default;
  };
  std::vector<Failure> failures;
  Digest manifest{};     // SHA-256 of the manifest that it was held against; zeros: there was none
  EntryNumber verified;  // the journal is known up to this entry, the one before this,
  Digest head{};         // which has this hash
  bool quick = false;    // the journal from the last check that passed on, not from entry 1
  std::string version;   // of the program
  bool clock_synchronised = false;  // the kernel said so; false: it did not, or nobody could tell
  friend bool operator==(const SelfChecked&, const SelfChecked&) = default;
};

// The system's clock was set while the controller ran, or is behind the last entry at a start.
// Recorded times are evidence: they never go back, but from here on they may be ahead of the clock.
struct ClockChanged {
  std::int64_t by_us = 0;  // microseconds; negative: back
  friend bool operator==(const ClockChanged&, const ClockChanged&) = default;
};

// The journal's key (house_key.h) has signed the hash of an earlier entry, so that whoever rewrites
// the journal up to there cannot sign it again. The edge signs; audit verifies.
struct HeadSigned {
  EntryNumber head;
  Digest hash{};          // of that entry
  Digest key{};           // SHA-256 of the public key
  std::string signature;  // of head_text() (journal_signature.h)
  friend bool operator==(const HeadSigned&, const HeadSigned&) = default;
};
// Recovery codes gave a manager a PIN that is to be changed, and unlocked the manager. The codes
// are used up. Every link is suspended in the same commit.
struct Recovered {
  Badge badge;
  std::string pin;                   // as the edge made it
  std::vector<std::uint32_t> codes;  // which ones, counted from 1
  friend bool operator==(const Recovered&, const Recovered&) = default;
};
// Recovery codes that are not valid. Until the moment, no other codes are checked.
struct RecoveryFailed {
  Badge badge;
  Timestamp wait_until;
  friend bool operator==(const RecoveryFailed&, const RecoveryFailed&) = default;
};

// Wrong PINs that were tried where the person is not at home (login_throttle.h), since the last
// such entry: they lock nobody.
struct PinsTried {
  struct Tries {
    Badge badge;
    std::uint64_t count = 0;
    friend bool operator==(const Tries&, const Tries&) = default;
  };
  std::vector<Tries> tries;  // by badge
  friend bool operator==(const PinsTried&, const PinsTried&) = default;
};

// New kinds are added at the end.
using Fact = std::variant<
    FloorOpened, RoundLocked, CountMismatched, CountResolved, HandsShown, RoundClosed, RoundVoided,
    PotPlayed, MessageRefused, ClaimValidated, ClaimPaid, ClaimRejected, LinkSuspended, PinChanged,
    SignedIn, SignInFailed, ActProposed, ActConfirmed, CommandRejected, SelfChecked, ClockChanged,
    ClaimCountersigned, SlipIssued, SlipVoided, SlipStored, NoticePosted, HandCorrected, DayEnded,
    ReadingTaken, CountersReported, CountRecorded, VarianceExplained, DaySigned, DayClosed,
    HistoryRestored, FundMoved, DisplayAdjusted, TableFrozen, ClockDoubted, ClockReturned,
    HandVoided, DealerCorrected, PotCorrected, HeadSigned, Recovered, RecoveryFailed, PinsTried>;

// The table's message that an entry answers.
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

// "round_locked": what export, audit and description call the fact.
std::string_view name(const Fact& fact);

}  // namespace linkmeter
