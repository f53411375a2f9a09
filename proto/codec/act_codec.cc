#include "proto/codec/act_codec.h"

#include <utility>

#include "meters/values/limits.h"
#include "proto/acts.pb.h"
#include "proto/codec/floor_codec.h"
#include "proto/control.pb.h"

namespace linkmeter {

// ---- by two persons ----------------------------------------------------------------------------

namespace {

// Whether an account can move so much.
bool is_movable(Amount amount) {
  return amount <= limits::lifetime_max && amount >= -limits::lifetime_max;
}

}  // namespace

bool serialize(Of<ResumeLink> auto& act, auto& message) {
  return FIELD(act.link, link) && FIELD(act.reason, reason);
}
bool serialize(Of<CorrectMeter> auto& act, auto& message) {
  return FIELD(act.link, link) && FIELD(act.level, level) && FIELD(act.amount, units) &&
         FIELD(act.reason, reason) && FIELD(act.note, note) && is_movable(act.amount);
}
bool serialize(Of<TransferMeter> auto& act, auto& message) {
  return FIELD(act.from, from) && FIELD(act.from_level, from_level) && FIELD(act.to, to) &&
         FIELD(act.to_level, to_level) && FIELD(act.amount, units) && FIELD(act.reason, reason) &&
         FIELD(act.note, note) && is_movable(act.amount);
}
bool serialize(Of<StopCollecting> auto& act, auto& message) {
  return FIELD(act.link, link) && FIELD(act.note, note);
}
bool serialize(Of<Discontinue> auto& act, auto& message) {
  return FIELD(act.link, link) && FIELD(act.to, to) && FIELD(act.to_level, to_level) &&
         FIELD(act.note, note);
}
bool serialize(Of<SetRoles> auto& act, auto& message) {
  return FIELD(act.badge, badge) && FIELD(act.roles, roles);
}
bool serialize(Of<ResetPin> auto& act, auto& message) {
  return FIELD(act.badge, badge) && FIELD(act.pin, pin);
}
// An enrolment without its key.
bool serialize(Of<Revoke> auto& act, auto& message) {
  return FIELD(act.kind, kind) && FIELD(act.name, name);
}
bool serialize(Of<NewRecoveryCodes> auto& act, auto& message) { return FIELD(act.codes, codes); }
bool serialize(Of<AcceptHistory> auto& act, auto& message) {
  return FIELD(act.restored, restored) && FIELD(act.ended_with, ended_with) &&
         FIELD(act.hash, hash) && FIELD(act.restored_at, restored_at_us) && FIELD(act.note, note);
}
bool serialize(Of<ConfirmClock> auto& act, auto& message) {
  return FIELD(act.doubted, doubted) && FIELD(act.by_us, by_us) && FIELD(act.note, note);
}
bool serialize(Of<LeaveCluster> auto& act, auto& message) {
  return FIELD(act.node, node) && FIELD(act.head, head) && FIELD(act.head_at, head_at_us) &&
         FIELD(act.has_caught_up, has_caught_up);
}
bool serialize(Of<ReplaceKey> auto& act, auto& message) {
  return FIELD(act.kind, kind) && FIELD(act.key, key) && FIELD(act.replaces, replaces) &&
         FIELD(act.signature, signature);
}
bool serialize(Of<ResumeLinks::Suspended> auto& one, auto& message) {
  return FIELD(one.link, link) && FIELD(one.reason, reason);
}
bool serialize(Of<ResumeLinks> auto& act, auto& message) {
  return FIELD(act.links, links) && FIELD(act.others, others) && FIELD(act.cause, cause);
}
bool serialize(Of<ChangeParameters> auto& act, auto& message) {
  return FIELD(act.floor_text, floor_text) && FIELD(act.catalogue_texts, catalogue_texts) &&
         FIELD(act.floor, floor) && FIELD(act.floor_digest, floor_digest) &&
         FIELD(act.catalogue_digest, catalogue_digest) && FIELD(act.since, since) &&
         FIELD(act.changes, changes);
}

template <class Value, class Message>
bool serialize_dual(Value& act, Message& message) {
  return parts::one_of(
      message, act, ALTERNATIVE(ResumeLink, resume_link), ALTERNATIVE(CorrectMeter, correct_meter),
      ALTERNATIVE(TransferMeter, transfer_meter), ALTERNATIVE_MEMBER(AddPerson, person, add_person),
      ALTERNATIVE_MEMBER(RemovePerson, badge, remove_person), ALTERNATIVE(SetRoles, set_roles),
      ALTERNATIVE(ResetPin, reset_pin), ALTERNATIVE_MEMBER(Enrol, enrolment, enrol),
      ALTERNATIVE(Revoke, revoke), ALTERNATIVE(ChangeParameters, change_parameters),
      ALTERNATIVE(StopCollecting, stop_collecting), ALTERNATIVE(Discontinue, discontinue),
      ALTERNATIVE(AcceptHistory, accept_history),
      ALTERNATIVE_MEMBER(UnfreezeTable, table, unfreeze_table),
      ALTERNATIVE(ConfirmClock, confirm_clock), ALTERNATIVE(ReplaceKey, replace_key),
      ALTERNATIVE(ResumeLinks, resume_links), ALTERNATIVE(NewRecoveryCodes, new_recovery_codes),
      ALTERNATIVE(LeaveCluster, leave_cluster));
}

bool serialize(const DualControlCommand& act, acts::DualAct& message) {
  return serialize_dual(act, message);
}
bool serialize(DualControlCommand& act, const acts::DualAct& message) {
  return serialize_dual(act, message);
}

// ---- by one person -----------------------------------------------------------------------------

bool serialize(Of<ValidateClaim> auto& act, auto& message) {
  return FIELD(act.claim, claim) && FIELD(act.notified, notified);
}
bool serialize(Of<RejectClaim> auto& act, auto& message) {
  return FIELD(act.claim, claim) && FIELD(act.reason, reason) && FIELD(act.note, note);
}
bool serialize(Of<PayClaim> auto& act, auto& message) {
  return FIELD(act.claim, claim) && FIELD(act.source, source) && FIELD(act.slip, slip);
}
bool serialize(Of<IssueSlip> auto& act, auto& message) {
  return FIELD(act.claim, claim) && FIELD(act.source, source);
}
bool serialize(Of<VoidSlip> auto& act, auto& message) {
  return FIELD(act.slip, slip) && FIELD(act.reason, reason) && FIELD(act.note, note);
}
bool serialize(Of<PostNotice> auto& act, auto& message) {
  return FIELD(act.link, link) && FIELD(act.posted, posted);
}
bool serialize(Of<CorrectHand> auto& act, auto& message) {
  return FIELD(act.table, table) && FIELD(act.round, round) && FIELD(act.seat, seat) &&
         FIELD(act.cards, cards) && FIELD(act.folded, folded) && FIELD(act.reason, reason) &&
         FIELD(act.note, note);
}
bool serialize(Of<CorrectDealer> auto& act, auto& message) {
  return FIELD(act.table, table) && FIELD(act.round, round) && FIELD(act.cards, cards) &&
         FIELD(act.board, board) && FIELD(act.magic, magic) && FIELD(act.lucky, lucky) &&
         FIELD(act.reason, reason) && FIELD(act.note, note);
}
bool serialize(Of<CorrectPot::Hand> auto& hand, auto& message) {
  return FIELD(hand.seat, seat) && FIELD(hand.cards, cards) && FIELD(hand.folded, folded) &&
         FIELD(hand.not_dealt_in, not_dealt_in);
}
bool serialize(Of<CorrectPot> auto& act, auto& message) {
  return FIELD(act.table, table) && FIELD(act.round, round) && FIELD(act.hands, hands) &&
         FIELD(act.board, board) && FIELD(act.showdown, showdown) && FIELD(act.reason, reason) &&
         FIELD(act.note, note);
}
bool serialize(Of<TakeReading::Seen> auto& seen, auto& message) {
  return FIELD(seen.link, link) && FIELD(seen.level, level) && FIELD(seen.amount, cents);
}
bool serialize(Of<TakeReading> auto& act, auto& message) {
  return FIELD(act.seen, seen) && FIELD(act.note, note);
}
bool serialize(Of<RecordCount> auto& act, auto& message) {
  return FIELD(act.day, day) && FIELD(act.kind, kind) && FIELD(act.table, table) &&
         FIELD(act.link, link) && FIELD(act.amount, cents) && FIELD(act.note, note) &&
         FIELD(act.witness, witness) && FIELD(act.notice, notice) &&
         FIELD(act.recording, recording);
}
bool serialize(Of<ExplainVariance> auto& act, auto& message) {
  return FIELD(act.day, day) && FIELD(act.item, item) && FIELD(act.difference, difference) &&
         FIELD(act.note, note) && FIELD(act.corrected_by, corrected_by);
}
bool serialize(Of<SignDay> auto& act, auto& message) {
  return FIELD(act.day, day) && FIELD(act.report, report);
}
bool serialize(Of<CloseDay> auto& act, auto& message) {
  return FIELD(act.day, day) && FIELD(act.report, report);
}
bool serialize(Of<MoveFund> auto& act, auto& message) {
  return FIELD(act.day, day) && FIELD(act.link, link) && FIELD(act.tables, tables) &&
         FIELD(act.verified, cents) && FIELD(act.note, note) && FIELD(act.carried_by, carried_by) &&
         FIELD(act.accounted_by, accounted_by);
}
bool serialize(Of<AdjustDisplay> auto& act, auto& message) {
  return FIELD(act.link, link) && FIELD(act.kept, kept_cents) && FIELD(act.shown, shown_cents) &&
         FIELD(act.note, note) && FIELD(act.witness, witness);
}
bool serialize(Of<SuspendLink> auto& act, auto& message) {
  return FIELD(act.link, link) && FIELD(act.note, note);
}
bool serialize(Of<FreezeTable> auto& act, auto& message) {
  return FIELD(act.table, table) && FIELD(act.note, note);
}
// The request itself holds the PIN and the codes.
bool serialize(Of<ChangePin> auto&, auto&) { return true; }
bool serialize(Of<Recover> auto&, auto&) { return true; }
bool serialize(Of<Confirm> auto& act, auto& message) {
  return FIELD(act.proposal, proposal) && FIELD(act.summary, summary) && FIELD(act.codes, codes);
}

namespace parts {

namespace {

template <class Value, class Message>
bool serialize_act(Value& act, Message& message) {
  return one_of(message, act, ALTERNATIVE(ValidateClaim, validate_bad_beat),
                ALTERNATIVE(RejectClaim, reject_claim), ALTERNATIVE(PayClaim, pay_claim),
                ALTERNATIVE(SuspendLink, suspend_link), ALTERNATIVE(ChangePin, change_pin),
                ALTERNATIVE_MEMBER(Propose, act, propose), ALTERNATIVE(Confirm, confirm),
                ALTERNATIVE_MEMBER(CountersignClaim, claim, countersign_claim),
                ALTERNATIVE(IssueSlip, issue_slip), ALTERNATIVE(VoidSlip, void_slip),
                ALTERNATIVE(PostNotice, post_notice), ALTERNATIVE(CorrectHand, correct_hand),
                ALTERNATIVE(TakeReading, take_reading), ALTERNATIVE(RecordCount, record_count),
                ALTERNATIVE(ExplainVariance, explain_variance), ALTERNATIVE(SignDay, sign_day),
                ALTERNATIVE(CloseDay, close_day), ALTERNATIVE(MoveFund, move_fund),
                ALTERNATIVE(AdjustDisplay, adjust_display), ALTERNATIVE(FreezeTable, freeze_table),
                ALTERNATIVE(CorrectDealer, correct_dealer), ALTERNATIVE(CorrectPot, correct_pot),
                ALTERNATIVE(Recover, recover));
}

// Only what a person may propose.
void clean(DualControlCommand& act) {
  // A new person has no failed sign-ins and is not removed, whatever the bytes state.
  if (auto* add = std::get_if<AddPerson>(&act)) {
    add->person.failures = 0;
    add->person.locked_until = {};
    add->person.removed = false;
    add->person.pin_before.clear();
  }
  // A proposed change consists of its texts. The controller resolves them itself.
  if (auto* change = std::get_if<ChangeParameters>(&act)) {
    *change = ChangeParameters{std::move(change->floor_text), std::move(change->catalogue_texts)};
  }
}

}  // namespace

void encode_act(const OperatorCommand& act, control::Request& message) {
  const auto* validate = std::get_if<ValidateClaim>(&act);
  if (validate != nullptr && validate->notified.empty()) {
    return message.set_validate_claim(validate->claim.value());
  }
  serialize_act(act, message);
}

std::optional<OperatorCommand> decode_act(const control::Request& message) {
  if (message.has_validate_claim()) return ValidateClaim{ClaimNumber(message.validate_claim())};
  OperatorCommand act;
  if (!serialize_act(act, message)) return std::nullopt;
  if (auto* propose = std::get_if<Propose>(&act)) clean(propose->act);
  return act;
}

}  // namespace parts
}  // namespace linkmeter
