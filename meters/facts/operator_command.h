// OperatorCommand: what takes two persons of two departments (dual control): one proposes it, the
// other confirms it within limits::confirmation_time, for the same words; and what one person may
// do alone.
//
// Reasons are closed lists (M11, M12); the note beside them is for people.
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

// Numbers are in the journal: for ever.
enum class RejectReason : std::uint8_t {
  hand_misread = 1,     // the cards are not the line
  cards_missing = 2,    // no cards to verify the hand by
  wager_not_made = 3,   // the seat had no accepted wager
  round_irregular = 4,  // the round had to be void
  equipment_fault = 5,  // a device said what did not happen
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
  wrong_source = 2,  // it is to be paid from elsewhere
  wrong_person = 3,  // it was made out to somebody else
  other_error = 4,
};
enum class HandReason : std::uint8_t {
  misread_card = 1,  // a card was taken for another one
  wrong_seat = 2,    // these cards lie at another seat
  missed_card = 3,   // a card was left out, or one too many was taken in
  wrong_fold = 4,    // the hand was folded, or was not
  other_error = 5,
};

// ---- by one person ----------------------------------------------------------------------------

// `notified`: of a Bad Beat, who of security or finance was told to bring the money
// (§ 553.20(f)(2)); empty: nobody yet.
struct ValidateClaim {
  ClaimNumber claim;
  Badge notified = {};
  friend bool operator==(const ValidateClaim&, const ValidateClaim&) = default;
};
// M11: back to the meter, as if the line had never been called, where no later claim won it.
struct RejectClaim {
  ClaimNumber claim;
  RejectReason reason = RejectReason::hand_misread;
  std::string note;
  friend bool operator==(const RejectClaim&, const RejectClaim&) = default;
};
// The second signature on a validated claim, where the house's ladder asks for one
// (payout_policy.h).
struct CountersignClaim {
  ClaimNumber claim;
  friend bool operator==(const CountersignClaim&, const CountersignClaim&) = default;
};
// A hand of an open round as it lies there, where the dealer's entry says another one. No cards and
// not folded: nobody has a hand at this seat.
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
// What lay on the dealer's side of an open round, where the dealer's entry says something else.
// What is absent stays as it was entered.
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
// A pot as it lay there; of the table's latest pots (limits::pots_remembered).
struct CorrectPot {
  struct Hand {
    Seat seat;
    std::vector<Card> cards;
    bool folded = false;
    bool not_dealt_in = false;  // nobody was dealt in at this seat
    friend bool operator==(const Hand&, const Hand&) = default;
  };
  TableId table;
  RoundId round;
  std::vector<Hand> hands;  // that were entered wrong; the others stay
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
// Its number is not used again: the slip is kept, and the claim may have another one.
struct VoidSlip {
  SlipNumber slip;
  VoidReason reason = VoidReason::misprint;
  std::string note;
  friend bool operator==(const VoidSlip&, const VoidSlip&) = default;
};
// On the slip that is issued for it, from the source that the slip says.
struct PayClaim {
  ClaimNumber claim;
  PaymentSource source = PaymentSource::hand_pay;
  SlipNumber slip = {};  // 0: none
  friend bool operator==(const PayClaim&, const PayClaim&) = default;
};
// § 553.20(h): "pending adjustment" on the display of a fund of pots, or no more.
struct PostNotice {
  LinkId link;
  bool posted = true;
  friend bool operator==(const PostNotice&, const PostNotice&) = default;
};
// The link takes no more wagers; rounds that are locked go on.
struct SuspendLink {
  LinkId link;
  std::string note;
  friend bool operator==(const SuspendLink&, const SuspendLink&) = default;
};
// The table takes no new round; rounds that are open go on. Two managers unfreeze it.
struct FreezeTable {
  TableId table;
  std::string note;
  friend bool operator==(const FreezeTable&, const FreezeTable&) = default;
};
// A person's own new PIN, as the edge made it.
struct ChangePin {
  std::string pin;
  std::string old_pin = {};  // the one that it replaces, sealed with the key in force
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
// Money or chips that were counted for a gaming day, before a witness who gives his PIN to it. A
// box of pots is counted upon notice to the casino compliance representative; surveillance records
// its count at a closed table (§ 553.20(d), (d)(1)).
struct RecordCount {
  GamingDay day;
  CountKind kind = CountKind::poker_box;
  TableId table;  // none of a fund
  LinkId link;
  Amount amount;
  std::string note;
  Badge witness;
  std::string notice = {};     // who of compliance was told, and when
  std::string recording = {};  // surveillance's name of its record
  friend bool operator==(const RecordCount&, const RecordCount&) = default;
};
// Why a difference of a day's report is not one, or which entry put it right.
struct ExplainVariance {
  GamingDay day;
  std::string item;
  std::string difference;  // that he read: of another one he has said nothing
  std::string note;
  std::optional<EntryNumber> corrected_by;
  friend bool operator==(const ExplainVariance&, const ExplainVariance&) = default;
};
// The first signature under a day's report, and the second.
struct SignDay {
  GamingDay day;
  Digest report{};  // that he read
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
  std::optional<Amount> verified;  // the container's content; nothing: locked boxes, uncounted
  std::string note;
  Badge carried_by;
  Badge accounted_by;
  friend bool operator==(const MoveFund&, const MoveFund&) = default;
};
// § 553.20(h): finance holds a fund's display against what it keeps, in the presence of a
// floorperson or above, who gives his PIN to it.
struct AdjustDisplay {
  LinkId link;
  Amount kept;
  std::optional<Amount> shown;  // what they read there; nothing: whatever it shows now
  std::string note;
  Badge witness;
  friend bool operator==(const AdjustDisplay&, const AdjustDisplay&) = default;
};

// Recovery codes for a new PIN of the manager who is named (recovery.h). Nobody signs in for
// it; the edge hashes the codes.
struct Recover {
  std::vector<Digest> codes;
  std::string pin;  // as the edge made it
  friend bool operator==(const Recover&, const Recover&) = default;
};

// ---- by two persons ---------------------------------------------------------------------------

struct ResumeLink {
  LinkId link;
  // Why the link is suspended: decide() fills it in when it is proposed, and another reason at the
  // confirmation refuses it. Empty: an entry from before it was kept.
  std::string reason = {};
  friend bool operator==(const ResumeLink&, const ResumeLink&) = default;
};
struct UnfreezeTable {
  TableId table;
  friend bool operator==(const UnfreezeTable&, const UnfreezeTable&) = default;
};
// Every link that is suspended takes wagers again, after one cause that suspended many of them.
// decide() makes the list when it is proposed; what stands otherwise when it is confirmed refuses
// it.
struct ResumeLinks {
  struct Suspended {
    LinkId link;
    std::string reason;
    friend bool operator==(const Suspended&, const Suspended&) = default;
  };
  std::vector<Suspended> links = {};
  std::uint32_t others = 0;  // suspended links that the summary has no room for: they stay so
  // Of the links whose reason begins with this; empty: of all.
  std::string cause = {};
  friend bool operator==(const ResumeLinks&, const ResumeLinks&) = default;
};
// M12: `amount` is added to the level's meter, or to the reserve where `level` is "reserve"; it may
// be negative, never below what is there.
struct CorrectMeter {
  LinkId link;
  LevelId level;
  Amount amount;
  CorrectionReason reason = CorrectionReason::count_variance;
  std::string note;
  friend bool operator==(const CorrectMeter&, const CorrectMeter&) = default;
};
// M12: between two meters, nothing lost.
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
// no wager counts on the link from this entry on, and it never does again; what is on its
// meters stays there and can still be won by rounds that are locked, and by pots.
struct StopCollecting {
  LinkId link;
  std::string note;
  friend bool operator==(const StopCollecting&, const StopCollecting&) = default;
};
// § 553.20(i): the link ends (discontinuation.h). What is the house's of its meters goes back to
// the house, everything else to the other meter, nothing lost.
struct Discontinue {
  LinkId link;
  LinkId to;  // "": there is nothing but the house's
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
// Another's new PIN; unlocks him. He changes it before he does anything else.
struct ResetPin {
  Badge badge;
  std::string pin;
  friend bool operator==(const ResetPin&, const ResetPin&) = default;
};
// L8: another configuration, whole. The texts are what is proposed; the edge resolves the floor
// from them and makes the digests, decide() says what changes, and in which configuration.
struct ChangeParameters {
  std::string floor_text;
  std::vector<std::string> catalogue_texts;
  Floor floor = {};
  Digest floor_digest = {};      // of floor_text
  Digest catalogue_digest = {};  // of the digests of catalogue_texts, one after the other
  EntryNumber since = {};        // the configuration that it changes took effect with this entry
  std::vector<std::string> changes = {};  // "C4-MEGA mega rate 9% -> 10%"
  friend bool operator==(const ChangeParameters&, const ChangeParameters&) = default;
};

// L1: from now on this key is that table or viewer; the key it had before is nobody's.
struct Enrol {
  Enrolment enrolment;
  friend bool operator==(const Enrol&, const Enrol&) = default;
};
// Its key is nobody's any more: what comes over its connections is refused from this entry on.
struct Revoke {
  EnrolmentKind kind = EnrolmentKind::table;
  std::string name;
  friend bool operator==(const Revoke&, const Revoke&) = default;
};

// The recovery codes that are valid from now on (recovery.h); older ones are void. A proposal has
// those of the one who proposes; its confirmation adds those of the other.
struct NewRecoveryCodes {
  std::vector<Digest> codes;
  friend bool operator==(const NewRecoveryCodes&, const NewRecoveryCodes&) = default;
};

using DualControlCommand =
    std::variant<ResumeLink, CorrectMeter, TransferMeter, AddPerson, RemovePerson, SetRoles,
                 ResetPin, Enrol, Revoke, ChangeParameters, StopCollecting, Discontinue,
                 AcceptHistory, UnfreezeTable, ConfirmClock, ReplaceKey, ResumeLinks,
                 NewRecoveryCodes>;

struct Propose {
  DualControlCommand act;
  friend bool operator==(const Propose&, const Propose&) = default;
};
// Confirms the proposal of that number; the summary is what the second person read.
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

// Who enrols tables and viewers is an engineer, and a manager confirms it, or the other way round;
// everything else is for managers of two departments.
bool is_enrolment(const DualControlCommand& act);

// Who has to give his PIN beside the one who asks; null: nobody.
const Badge* second_pin_of(const OperatorCommand& act);
// Whose PIN the first of the two persons makes with it; null: nobody's.
const Badge* gives_pin_to(const DualControlCommand& act);

// What both persons read, word for word: "correct C4-MEGA mega by +12.50000000: count_variance,
// till 4". Without PINs. That of a change of parameters has several lines, each for a term, as many
// as limits::summary_length_max holds, how many more there are, and the digests of its texts.
std::string summary(const DualControlCommand& act);
// The links of the list that the summary has room for.
ResumeLinks with_links(std::vector<ResumeLinks::Suspended> suspended, std::string cause = {});
// Has the summary room for every line?
bool states_all_rules(const ChangeParameters& change);

// Proposal: the first half of dual control, waiting for a person of another department.

struct Proposal {
  ProposalNumber number;
  DualControlCommand act;
  Badge by;
  Timestamp at;  // the controller's clock; confirmed within limits::confirmation_us_max or never
  friend bool operator==(const Proposal&, const Proposal&) = default;

  // The last moment at which it can be confirmed.
  [[nodiscard]] Timestamp expires_at() const {
    return within_calendar(at).after(limits::confirmation_us_max);
  }
  // `now`: the controller's clock.
  [[nodiscard]] bool has_expired(Timestamp now) const { return expires_at() < now; }
};

}  // namespace linkmeter
