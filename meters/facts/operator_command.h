// OperatorCommand: the acts of people. An act under dual control takes two persons of two
// departments: one proposes it, and the other confirms the same summary within
// limits::confirmation_us_max. One person does the others alone.
//
// Reasons are closed lists (M11, M12); a note is free text.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "meters/balances/posting.h"
#include "meters/facts/clock_doubt.h"
#include "meters/facts/day_facts.h"
#include "meters/facts/house_key.h"
#include "meters/facts/restoration.h"
#include "meters/facts/writer_change.h"
#include "meters/floor/floor.h"
#include "meters/game/card.h"
#include "meters/game/game_rules.h"
#include "meters/values/amount.h"
#include "meters/values/enrolment.h"
#include "meters/values/identity.h"
#include "meters/values/limits.h"
#include "meters/values/person.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// The journal holds these numbers: they never change.
enum class RejectReason : std::uint8_t {
  hand_misread = 1,     // the cards are not the line
  cards_missing = 2,    // no cards to verify the hand by
  wager_not_made = 3,   // the seat had no accepted wager
  round_irregular = 4,  // the round had to be voided
  equipment_fault = 5,  // a device reported something that did not happen
  game_protection = 6,  // cheating, collusion or past posting
};
enum class CorrectionReason : std::uint8_t {
  count_variance = 1,      // counted money differs (§ 553.20(d))
  display_adjustment = 2,  // the displayed fund is set to the current amount (§ 553.20(h))
  equipment_fault = 3,
  mispaid_award = 4,
  regulator_order = 5,
};
enum class TransferReason : std::uint8_t {
  discontinued = 1,  // the progressive or fund ends by its approved procedure (§ 553.20(i))
  merged = 2,        // two progressives become one
  regulator_order = 3,
};
enum class VoidReason : std::uint8_t {
  misprint = 1,      // paper or printer
  wrong_source = 2,  // it must be paid from another source
  wrong_person = 3,  // it names another person
  other_error = 4,
};
enum class HandReason : std::uint8_t {
  misread_card = 1,  // a card was read as another one
  wrong_seat = 2,    // the cards belong to another seat
  missed_card = 3,   // a card was left out, or one too many was entered
  wrong_fold = 4,    // the hand was folded, or was not folded
  other_error = 5,
};

// ---- by one person ----------------------------------------------------------------------------

// `notified`: of a Bad Beat, who in security or finance was notified to bring the money
// (§ 553.20(f)(2)); empty: nobody yet.
struct ValidateClaim {
  ClaimNumber claim;
  Badge notified = {};
  friend bool operator==(const ValidateClaim&, const ValidateClaim&) = default;
};
// M11: the amount returns to the meter. If all claims of the hit are rejected and no later hit
// stands, the meter is as if it had never been hit (level_hits.h).
struct RejectClaim {
  ClaimNumber claim;
  RejectReason reason = RejectReason::hand_misread;
  std::string note;
  friend bool operator==(const RejectClaim&, const RejectClaim&) = default;
};
// The second signature on a validated claim, if the house requires one (payment_policy.h).
struct CountersignClaim {
  ClaimNumber claim;
  friend bool operator==(const CountersignClaim&, const CountersignClaim&) = default;
};
// Corrects a hand of an open round that the dealer entered wrong. No cards and not folded: the seat
// has no hand.
struct CorrectHand {
  TableId table;
  RoundId round;
  Seat seat;
  std::vector<Card> cards;
  bool folded = false;
  HandReason reason = HandReason::misread_card;
  std::string note;
  friend bool operator==(const CorrectHand&, const CorrectHand&) = default;

  [[nodiscard]] bool is_no_hand() const { return cards.empty() && !folded; }
};
// Corrects the dealer's side of an open round. Absent fields stay as they were entered.
struct CorrectDealer {
  TableId table;
  RoundId round;
  std::optional<std::vector<Card>> cards;
  std::optional<std::vector<Card>> board;
  std::optional<Card> magic;
  std::optional<Seat> lucky;  // 0: the dealer's position
  HandReason reason = HandReason::misread_card;
  std::string note;
  friend bool operator==(const CorrectDealer&, const CorrectDealer&) = default;
};
// Corrects one of the table's latest pots (limits::pots_remembered).
struct CorrectPot {
  struct Hand {
    Seat seat;
    std::vector<Card> cards;
    bool folded = false;
    bool not_dealt_in = false;  // the seat was not dealt in
    friend bool operator==(const Hand&, const Hand&) = default;
  };
  TableId table;
  RoundId round;
  std::vector<Hand> hands;  // hands that were entered wrong; the others stay
  std::optional<std::vector<Card>> board;
  std::optional<bool> showdown;
  HandReason reason = HandReason::misread_card;
  std::string note;
  friend bool operator==(const CorrectPot&, const CorrectPot&) = default;
};
// The numbered document that a validated claim is paid on.
struct IssueSlip {
  ClaimNumber claim;
  PaymentSource source = PaymentSource::hand_pay;
  friend bool operator==(const IssueSlip&, const IssueSlip&) = default;
};
// The slip is kept and its number is not used again. The claim may have another slip.
struct VoidSlip {
  SlipNumber slip;
  VoidReason reason = VoidReason::misprint;
  std::string note;
  friend bool operator==(const VoidSlip&, const VoidSlip&) = default;
};
// Pays the claim on its issued slip, from the source on the slip.
struct PayClaim {
  ClaimNumber claim;
  PaymentSource source = PaymentSource::hand_pay;
  SlipNumber slip = {};  // 0: none
  friend bool operator==(const PayClaim&, const PayClaim&) = default;
};
// § 553.20(h): posts or clears "pending adjustment" on the display of a fund of pots.
struct PostNotice {
  LinkId link;
  bool posted = true;
  friend bool operator==(const PostNotice&, const PostNotice&) = default;
};
// The link takes no more wagers; locked rounds continue.
struct SuspendLink {
  LinkId link;
  std::string note;
  friend bool operator==(const SuspendLink&, const SuspendLink&) = default;
};
// The table takes no new round; open rounds continue. Two managers unfreeze it.
struct FreezeTable {
  TableId table;
  std::string note;
  friend bool operator==(const FreezeTable&, const FreezeTable&) = default;
};
// A person's own new PIN, hashed outside the core.
struct ChangePin {
  std::string pin;
  std::string old_pin = {};  // the replaced one, hashed with the key in force
  friend bool operator==(const ChangePin&, const ChangePin&) = default;
};

// A reading of every meter at this moment, with what the person saw on signs.
struct TakeReading {
  struct Seen {
    LinkId link;
    LevelId level;
    Amount amount;
    friend bool operator==(const Seen&, const Seen&) = default;
  };
  std::vector<Seen> seen;
  std::string note;
  friend bool operator==(const TakeReading&, const TakeReading&) = default;
};
// Money or chips that were counted for a gaming day in the presence of a witness, who confirms the
// count with a PIN. A box of pots is counted upon notice to the casino compliance representative,
// and surveillance records its count at a closed table (§ 553.20(d), (d)(1)).
struct RecordCount {
  GamingDay day;
  CountKind kind = CountKind::poker_box;
  TableId table;  // empty for a fund
  LinkId link;
  Amount amount;
  std::string note;
  Badge witness;
  std::string notice = {};     // who in compliance was notified, and when
  std::string recording = {};  // surveillance's recording
  friend bool operator==(const RecordCount&, const RecordCount&) = default;
};
// Explains a difference in a day's report, or names the entry that corrected it.
struct ExplainVariance {
  GamingDay day;
  std::string item;
  std::string difference;  // the difference that the person read; it holds for no other
  std::string note;
  std::optional<EntryNumber> corrected_by;
  friend bool operator==(const ExplainVariance&, const ExplainVariance&) = default;
};
// The first and the second signature under a day's report.
struct SignDay {
  GamingDay day;
  Digest report{};  // of the report that the person read
  friend bool operator==(const SignDay&, const SignDay&) = default;
};
struct CloseDay {
  GamingDay day;
  Digest report{};
  friend bool operator==(const CloseDay&, const CloseDay&) = default;
};

// § 553.20(d), (e): a cashier took over what security carried from tables of a fund to the cage.
struct MoveFund {
  GamingDay day;
  LinkId link;
  std::vector<TableId> tables;
  std::optional<Amount> verified;  // content of the container; nullopt: uncounted boxes
  std::string note;
  Badge carried_by;
  Badge accounted_by;
  friend bool operator==(const MoveFund&, const MoveFund&) = default;
};
// § 553.20(h): finance compares a fund's display with the amount that it keeps, in the presence of
// a floorperson or above, who confirms it with a PIN.
struct AdjustDisplay {
  LinkId link;
  Amount kept;
  std::optional<Amount> shown;  // as they read it; nullopt: whatever it shows now
  std::string note;
  Badge witness;
  friend bool operator==(const AdjustDisplay&, const AdjustDisplay&) = default;
};

// Recovery codes set a new PIN for a manager (recovery.h). It needs no sign-in. The controller
// hashes the codes.
struct Recover {
  std::vector<Digest> codes;
  std::string pin;  // hashed outside the core
  friend bool operator==(const Recover&, const Recover&) = default;
};

// ---- by two persons ---------------------------------------------------------------------------

struct ResumeLink {
  LinkId link;
  // Why the link is suspended. decide() fills it in for the proposal, and refuses the confirmation
  // if the reason has changed. Empty: an entry that is older than this field.
  std::string reason = {};
  friend bool operator==(const ResumeLink&, const ResumeLink&) = default;
};
struct UnfreezeTable {
  TableId table;
  friend bool operator==(const UnfreezeTable&, const UnfreezeTable&) = default;
};
// Suspended links take wagers again, after one cause that suspended many of them. decide() makes
// the list for the proposal, and refuses the confirmation if the suspensions have changed.
struct ResumeLinks {
  struct Suspended {
    LinkId link;
    std::string reason;
    friend bool operator==(const Suspended&, const Suspended&) = default;
  };
  std::vector<Suspended> links = {};
  std::uint32_t others = 0;  // links that do not fit into the summary: they stay suspended
  // Only links whose reason begins with this; empty: all.
  std::string cause = {};
  friend bool operator==(const ResumeLinks&, const ResumeLinks&) = default;
};
// M12: adds `amount` to the level's meter, or to the reserve if `level` is "reserve". A negative
// amount must not exceed the meter.
struct CorrectMeter {
  LinkId link;
  LevelId level;
  Amount amount;
  CorrectionReason reason = CorrectionReason::count_variance;
  std::string note;
  friend bool operator==(const CorrectMeter&, const CorrectMeter&) = default;
};
// M12: moves an amount between two meters.
struct TransferMeter {
  LinkId from;
  LevelId from_level;
  LinkId to;
  LevelId to_level;
  Amount amount;
  TransferReason reason = TransferReason::discontinued;
  std::string note;
  friend bool operator==(const TransferMeter&, const TransferMeter&) = default;
};
// from this entry on, no wager counts on the link again. Its meters stay and can still be won
// by locked rounds and by pots.
struct StopCollecting {
  LinkId link;
  std::string note;
  friend bool operator==(const StopCollecting&, const StopCollecting&) = default;
};
// § 553.20(i): the link ends (discontinuation.h). The house's own part of its meters returns to the
// house; everything else goes to the other meter.
struct Discontinue {
  LinkId link;
  LinkId to;  // "": everything is the house's
  LevelId to_level;
  std::string note;
  friend bool operator==(const Discontinue&, const Discontinue&) = default;
};
struct AddPerson {
  Person person;
  friend bool operator==(const AddPerson&, const AddPerson&) = default;
};
struct RemovePerson {
  Badge badge;
  friend bool operator==(const RemovePerson&, const RemovePerson&) = default;
};
struct SetRoles {
  Badge badge;
  std::set<Role> roles;
  friend bool operator==(const SetRoles&, const SetRoles&) = default;
};
// A new PIN for another person, who is also unlocked and must change it before any other act.
struct ResetPin {
  Badge badge;
  std::string pin;
  friend bool operator==(const ResetPin&, const ResetPin&) = default;
};
// L8: a complete new configuration. The texts are proposed. The controller resolves the floor from
// them and makes the digests; decide() fills in the changes and the configuration that they change.
struct ChangeParameters {
  std::string floor_text;
  std::vector<std::string> catalogue_texts;
  Floor floor = {};
  Digest floor_digest = {};               // of floor_text
  Digest catalogue_digest = {};           // of the concatenated digests of catalogue_texts
  EntryNumber since = {};                 // the entry of the configuration that it changes
  std::vector<std::string> changes = {};  // "C4-MEGA mega rate 9% -> 10%"
  friend bool operator==(const ChangeParameters&, const ChangeParameters&) = default;
};

// L1: from this entry on, the key belongs to that table or viewer; its previous key is no longer
// valid.
struct Enrol {
  Enrolment enrolment;
  friend bool operator==(const Enrol&, const Enrol&) = default;
};
// The key is no longer valid: messages over its connections are refused from this entry on.
struct Revoke {
  EnrolmentKind kind = EnrolmentKind::table;
  std::string name;
  friend bool operator==(const Revoke&, const Revoke&) = default;
};

// The recovery codes that are valid from now on (recovery.h); older ones are void. A proposal holds
// those of the proposer; the confirmation adds those of the other person.
struct NewRecoveryCodes {
  std::vector<Digest> codes;
  friend bool operator==(const NewRecoveryCodes&, const NewRecoveryCodes&) = default;
};

using DualControlCommand =
    std::variant<ResumeLink, CorrectMeter, TransferMeter, AddPerson, RemovePerson, SetRoles,
                 ResetPin, Enrol, Revoke, ChangeParameters, StopCollecting, Discontinue,
                 AcceptHistory, UnfreezeTable, ConfirmClock, ReplaceKey, ResumeLinks,
                 NewRecoveryCodes, LeaveCluster>;

struct Propose {
  DualControlCommand act;
  friend bool operator==(const Propose&, const Propose&) = default;
};
// Confirms a proposal. The summary is the text that the second person read.
struct Confirm {
  ProposalNumber proposal;
  std::string summary;
  std::vector<Digest> codes = {};  // of NewRecoveryCodes: those that the second person made
  friend bool operator==(const Confirm&, const Confirm&) = default;
};

using OperatorCommand =
    std::variant<ValidateClaim, RejectClaim, PayClaim, SuspendLink, ChangePin, Propose, Confirm,
                 CountersignClaim, IssueSlip, VoidSlip, PostNotice, CorrectHand, TakeReading,
                 RecordCount, ExplainVariance, SignDay, CloseDay, MoveFund, AdjustDisplay,
                 FreezeTable, CorrectDealer, CorrectPot, Recover>;

std::string_view name(RejectReason reason);
std::string_view name(CorrectionReason reason);
std::string_view name(TransferReason reason);
std::string_view name(VoidReason reason);
std::string_view name(HandReason reason);
std::optional<RejectReason> parse_reject_reason(std::string_view text);
std::optional<CorrectionReason> parse_correction_reason(std::string_view text);
std::optional<TransferReason> parse_transfer_reason(std::string_view text);
std::optional<VoidReason> parse_void_reason(std::string_view text);
std::optional<HandReason> parse_hand_reason(std::string_view text);

// Whether the act takes an engineer and a manager: enrolments do. All other acts take managers of
// two departments.
bool is_enrolment(const DualControlCommand& act);

// The second person who must confirm the act with a PIN; nullptr: none.
const Badge* second_pin_of(const OperatorCommand& act);
// The person whose PIN the proposer sets; nullptr: none.
const Badge* gives_pin_to(const DualControlCommand& act);

// The text that both persons read: "correct C4-MEGA mega by +12.50000000: count_variance, till 4".
// It contains no PINs. For a change of parameters it has a line for each changed term, as many as
// fit into limits::summary_length_max, the number of the others, and the digests of the texts.
std::string summary(const DualControlCommand& act);
// The links of the list that fit into the summary.
ResumeLinks with_links(std::vector<ResumeLinks::Suspended> suspended, std::string cause = {});
// Whether every changed term fits into the summary.
bool states_all_rules(const ChangeParameters& change);

// Proposal: the first half of dual control. It waits for a person of another department.

struct Proposal {
  ProposalNumber number;
  DualControlCommand act;
  Badge by;
  Timestamp at;  // the controller's clock
  friend bool operator==(const Proposal&, const Proposal&) = default;

  // The last moment at which it can be confirmed.
  [[nodiscard]] Timestamp expires_at() const {
    return within_calendar(at).after(limits::confirmation_us_max);
  }
  // `now`: the controller's clock.
  [[nodiscard]] bool has_expired(Timestamp now) const { return expires_at() < now; }
};

}  // namespace linkmeter
