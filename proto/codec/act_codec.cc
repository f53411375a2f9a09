#include "proto/codec/act_codec.h"

#include <utility>

#include "meters/values/limits.h"
#include "proto/acts.pb.h"
#include "proto/codec/day_codec.h"
#include "proto/codec/floor_codec.h"
#include "proto/codec/parts_codec.h"
#include "proto/control.pb.h"

namespace linkmeter::parts {

namespace {

template <class Messages>
bool decode_roles(const Messages& messages, std::set<Role>& roles) {
  for (const std::uint32_t number : messages) {
    const auto role = decode_numbered(number, Role::auditor);
    if (!role) return false;
    roles.insert(*role);
  }
  return true;
}

bool is_amount(std::int64_t units) {
  return units <= limits::lifetime_max.units() && units >= -limits::lifetime_max.units();
}

// ---- by two persons ----------------------------------------------------------------------------

struct EncodeDual {
  acts::DualAct& message;

  void operator()(const ResumeLink& resume) const {
    message.mutable_resume_link()->set_link(resume.link.text());
    message.mutable_resume_link()->set_reason(resume.reason);
  }
  void operator()(const UnfreezeTable& unfreeze) const {
    message.set_unfreeze_table(unfreeze.table.text());
  }
  void operator()(const CorrectMeter& correct) const {
    acts::CorrectMeter& act = *message.mutable_correct_meter();
    act.set_link(correct.link.text());
    act.set_level(correct.level.text());
    act.set_units(correct.amount.units());
    act.set_reason(static_cast<std::uint32_t>(correct.reason));
    act.set_note(correct.note);
  }
  void operator()(const TransferMeter& transfer) const {
    acts::TransferMeter& act = *message.mutable_transfer_meter();
    act.set_from(transfer.from.text());
    act.set_from_level(transfer.from_level.text());
    act.set_to(transfer.to.text());
    act.set_to_level(transfer.to_level.text());
    act.set_units(transfer.amount.units());
    act.set_reason(static_cast<std::uint32_t>(transfer.reason));
    act.set_note(transfer.note);
  }
  void operator()(const StopCollecting& stop) const {
    message.mutable_stop_collecting()->set_link(stop.link.text());
    message.mutable_stop_collecting()->set_note(stop.note);
  }
  void operator()(const Discontinue& end) const {
    acts::Discontinue& act = *message.mutable_discontinue();
    act.set_link(end.link.text());
    act.set_to(end.to.text());
    act.set_to_level(end.to_level.text());
    act.set_note(end.note);
  }
  void operator()(const AddPerson& add) const {
    encode_person(add.person, *message.mutable_add_person());
  }
  void operator()(const RemovePerson& remove) const {
    message.set_remove_person(remove.badge.text());
  }
  void operator()(const SetRoles& set) const {
    acts::SetRoles& act = *message.mutable_set_roles();
    act.set_badge(set.badge.text());
    for (const Role role : set.roles) act.add_roles(static_cast<std::uint32_t>(role));
  }
  void operator()(const ResetPin& reset) const {
    message.mutable_reset_pin()->set_badge(reset.badge.text());
    message.mutable_reset_pin()->set_pin(reset.pin);
  }
  void operator()(const Enrol& enrol) const {
    encode_enrolment(enrol.enrolment, *message.mutable_enrol());
  }
  void operator()(const Revoke& revoke) const {
    encode_enrolment({revoke.kind, revoke.name, ""}, *message.mutable_revoke());
  }
  void operator()(const NewRecoveryCodes& made) const {
    acts::NewRecoveryCodes& act = *message.mutable_new_recovery_codes();
    for (const Digest& code : made.codes) act.add_codes(encode_digest(code));
  }
  void operator()(const AcceptHistory& accept) const {
    acts::AcceptHistory& act = *message.mutable_accept_history();
    act.set_restored(accept.restored.value());
    act.set_ended_with(accept.ended_with.value());
    act.set_hash(encode_digest(accept.hash));
    act.set_restored_at_us(accept.restored_at.microseconds());
    act.set_note(accept.note);
  }
  void operator()(const ConfirmClock& confirm) const {
    acts::ConfirmClock& act = *message.mutable_confirm_clock();
    act.set_doubted(confirm.doubted.value());
    act.set_by_us(confirm.by_us);
    act.set_note(confirm.note);
  }
  void operator()(const ReplaceKey& replace) const {
    acts::ReplaceKey& act = *message.mutable_replace_key();
    act.set_kind(static_cast<std::uint32_t>(replace.kind));
    act.set_key(replace.key);
    act.set_replaces(replace.replaces);
    act.set_signature(replace.signature);
  }
  void operator()(const ResumeLinks& resume) const {
    acts::ResumeLinks& act = *message.mutable_resume_links();
    for (const auto& [link, reason] : resume.links) {
      acts::LinkSuspension& one = *act.add_links();
      one.set_link(link.text());
      one.set_reason(reason);
    }
    act.set_others(resume.others);
    act.set_cause(resume.cause);
  }
  void operator()(const ChangeParameters& change) const {
    acts::ChangeParameters& act = *message.mutable_change_parameters();
    act.set_floor_text(change.floor_text);
    for (const std::string& text : change.catalogue_texts) act.add_catalogue_texts(text);
    encode_floor(change.floor, *act.mutable_floor());
    act.set_floor_digest(encode_digest(change.floor_digest));
    act.set_catalogue_digest(encode_digest(change.catalogue_digest));
    act.set_since(change.since.value());
    for (const std::string& line : change.changes) act.add_changes(line);
  }
};

std::optional<DualControlCommand> decode(const acts::CorrectMeter& message) {
  const auto reason = decode_numbered(message.reason(), CorrectionReason::regulator_order);
  if (!reason || !is_amount(message.units())) return std::nullopt;
  return CorrectMeter{LinkId(message.link()), LevelId(message.level()),
                      Amount::from_units(message.units()), *reason, message.note()};
}

std::optional<DualControlCommand> decode(const acts::TransferMeter& message) {
  const auto reason = decode_numbered(message.reason(), TransferReason::regulator_order);
  if (!reason || !is_amount(message.units())) return std::nullopt;
  return TransferMeter{LinkId(message.from()),
                       LevelId(message.from_level()),
                       LinkId(message.to()),
                       LevelId(message.to_level()),
                       Amount::from_units(message.units()),
                       *reason,
                       message.note()};
}

std::optional<DualControlCommand> decode(const acts::SetRoles& message) {
  SetRoles set{Badge(message.badge()), {}};
  if (!decode_roles(message.roles(), set.roles)) return std::nullopt;
  return set;
}

std::optional<DualControlCommand> decode(const acts::NewRecoveryCodes& message) {
  NewRecoveryCodes made;
  for (const std::string& code : message.codes()) {
    if (!decode_digest(code, made.codes.emplace_back())) return std::nullopt;
  }
  return made;
}

std::optional<DualControlCommand> decode(const acts::AcceptHistory& message) {
  AcceptHistory accept{EntryNumber(message.restored()),
                       EntryNumber(message.ended_with()),
                       {},
                       Timestamp::from_microseconds(message.restored_at_us()),
                       message.note()};
  if (!decode_digest(message.hash(), accept.hash)) return std::nullopt;
  return accept;
}

std::optional<DualControlCommand> decode(const acts::ReplaceKey& message) {
  const auto kind = decode_numbered(message.kind(), KeyKind::journal);
  if (!kind) return std::nullopt;
  return ReplaceKey{*kind, message.key(), message.replaces(), message.signature()};
}

std::optional<DualControlCommand> decode(const acts::ResumeLinks& message) {
  ResumeLinks resume;
  for (const acts::LinkSuspension& one : message.links()) {
    resume.links.push_back({LinkId(one.link()), one.reason()});
  }
  resume.others = message.others();
  resume.cause = message.cause();
  return resume;
}

std::optional<DualControlCommand> decode(const acts::ChangeParameters& message) {
  ChangeParameters change;
  change.floor_text = message.floor_text();
  change.catalogue_texts.assign(message.catalogue_texts().begin(), message.catalogue_texts().end());
  change.since = EntryNumber(message.since());
  change.changes.assign(message.changes().begin(), message.changes().end());
  if (!decode_floor(message.floor(), change.floor) ||
      !decode_digest(message.floor_digest(), change.floor_digest) ||
      !decode_digest(message.catalogue_digest(), change.catalogue_digest)) {
    return std::nullopt;
  }
  return change;
}

// ---- by one person -----------------------------------------------------------------------------

struct EncodeCommand {
  control::Request& message;

  void operator()(const ValidateClaim& validate) const {
    if (validate.notified.empty()) return message.set_validate_claim(validate.claim.value());
    message.mutable_validate_bad_beat()->set_claim(validate.claim.value());
    message.mutable_validate_bad_beat()->set_notified(validate.notified.text());
  }
  void operator()(const RejectClaim& reject) const {
    acts::RejectClaim& act = *message.mutable_reject_claim();
    act.set_claim(reject.claim.value());
    act.set_reason(static_cast<std::uint32_t>(reject.reason));
    act.set_note(reject.note);
  }
  void operator()(const PayClaim& pay) const {
    acts::PayClaim& act = *message.mutable_pay_claim();
    act.set_claim(pay.claim.value());
    act.set_source(static_cast<std::uint32_t>(pay.source) + 1);
    act.set_slip(pay.slip.value());
  }
  void operator()(const CountersignClaim& countersign) const {
    message.set_countersign_claim(countersign.claim.value());
  }
  void operator()(const IssueSlip& issue) const {
    acts::IssueSlip& act = *message.mutable_issue_slip();
    act.set_claim(issue.claim.value());
    act.set_source(static_cast<std::uint32_t>(issue.source) + 1);
  }
  void operator()(const VoidSlip& annul) const {
    acts::VoidSlip& act = *message.mutable_void_slip();
    act.set_slip(annul.slip.value());
    act.set_reason(static_cast<std::uint32_t>(annul.reason));
    act.set_note(annul.note);
  }
  void operator()(const PostNotice& notice) const {
    acts::PostNotice& act = *message.mutable_post_notice();
    act.set_link(notice.link.text());
    act.set_posted(notice.posted);
  }
  void operator()(const CorrectHand& correct) const {
    acts::CorrectHand& act = *message.mutable_correct_hand();
    act.set_table(correct.table.text());
    act.set_round(correct.round.text());
    act.set_seat(correct.seat.value());
    act.set_cards(encode_cards(correct.cards));
    act.set_folded(correct.folded);
    act.set_reason(static_cast<std::uint32_t>(correct.reason));
    act.set_note(correct.note);
  }
  void operator()(const CorrectDealer& correct) const {
    acts::CorrectDealer& act = *message.mutable_correct_dealer();
    act.set_table(correct.table.text());
    act.set_round(correct.round.text());
    if (correct.cards) act.set_cards(encode_cards(*correct.cards));
    if (correct.board) act.set_board(encode_cards(*correct.board));
    if (correct.magic) act.set_magic(correct.magic->index());
    if (correct.lucky) act.set_lucky(correct.lucky->value());
    act.set_reason(static_cast<std::uint32_t>(correct.reason));
    act.set_note(correct.note);
  }
  void operator()(const CorrectPot& correct) const {
    acts::CorrectPot& act = *message.mutable_correct_pot();
    act.set_table(correct.table.text());
    act.set_round(correct.round.text());
    for (const CorrectPot::Hand& hand : correct.hands) {
      acts::PotHand& one = *act.add_hands();
      one.set_seat(hand.seat.value());
      one.set_cards(encode_cards(hand.cards));
      one.set_folded(hand.folded);
      one.set_not_dealt_in(hand.not_dealt_in);
    }
    if (correct.board) act.set_board(encode_cards(*correct.board));
    if (correct.showdown) act.set_showdown(*correct.showdown);
    act.set_reason(static_cast<std::uint32_t>(correct.reason));
    act.set_note(correct.note);
  }
  void operator()(const TakeReading& take) const {
    acts::TakeReading& act = *message.mutable_take_reading();
    for (const TakeReading::Seen& seen : take.seen) {
      acts::SeenAmount& added = *act.add_seen();
      added.set_link(seen.link.text());
      added.set_level(seen.level.text());
      added.set_cents(seen.amount.in_cents());
    }
    act.set_note(take.note);
  }
  void operator()(const RecordCount& record) const {
    acts::RecordCount& act = *message.mutable_record_count();
    act.set_day(static_cast<std::uint32_t>(record.day.number()));
    act.set_kind(static_cast<std::uint32_t>(record.kind));
    act.set_table(record.table.text());
    act.set_link(record.link.text());
    act.set_cents(record.amount.in_cents());
    act.set_note(record.note);
    act.set_witness(record.witness.text());
    act.set_notice(record.notice);
    act.set_recording(record.recording);
  }
  void operator()(const ExplainVariance& explain) const {
    acts::ExplainVariance& act = *message.mutable_explain_variance();
    act.set_day(static_cast<std::uint32_t>(explain.day.number()));
    act.set_item(explain.item);
    act.set_difference(explain.difference);
    act.set_note(explain.note);
    if (explain.corrected_by) act.set_corrected_by(explain.corrected_by->value());
  }
  void operator()(const SignDay& sign) const { encode_report(sign, *message.mutable_sign_day()); }
  void operator()(const CloseDay& close) const {
    encode_report(close, *message.mutable_close_day());
  }
  template <class Signature, class Message>
  static void encode_report(const Signature& signature, Message& act) {
    act.set_day(static_cast<std::uint32_t>(signature.day.number()));
    act.set_report(encode_digest(signature.report));
  }
  void operator()(const MoveFund& move) const {
    acts::MoveFund& act = *message.mutable_move_fund();
    act.set_day(static_cast<std::uint32_t>(move.day.number()));
    act.set_link(move.link.text());
    for (const TableId& table : move.tables) act.add_tables(table.text());
    if (move.verified) act.set_cents(move.verified->in_cents());
    act.set_note(move.note);
    act.set_carried_by(move.carried_by.text());
    act.set_accounted_by(move.accounted_by.text());
  }
  void operator()(const AdjustDisplay& adjust) const {
    acts::AdjustDisplay& act = *message.mutable_adjust_display();
    act.set_link(adjust.link.text());
    act.set_kept_cents(adjust.kept.in_cents());
    if (adjust.shown) act.set_shown_cents(adjust.shown->in_cents());
    act.set_note(adjust.note);
    act.set_witness(adjust.witness.text());
  }
  void operator()(const Recover&) const {
    message.mutable_recover();
  }  // operator_codec adds the codes
  void operator()(const SuspendLink& suspend) const {
    acts::SuspendLink& act = *message.mutable_suspend_link();
    act.set_link(suspend.link.text());
    act.set_note(suspend.note);
  }
  void operator()(const FreezeTable& freeze) const {
    message.mutable_freeze_table()->set_table(freeze.table.text());
    message.mutable_freeze_table()->set_note(freeze.note);
  }
  void operator()(const ChangePin&) const { message.mutable_change_pin(); }
  void operator()(const Propose& propose) const {
    encode_act(propose.act, *message.mutable_propose());
  }
  void operator()(const Confirm& confirm) const {
    acts::Confirm& act = *message.mutable_confirm();
    act.set_proposal(confirm.proposal.value());
    act.set_summary(confirm.summary);
    for (const Digest& code : confirm.codes) act.add_codes(encode_digest(code));
  }
};

std::optional<OperatorCommand> decode(const acts::RejectClaim& message) {
  const auto reason = decode_numbered(message.reason(), RejectReason::game_protection);
  if (!reason) return std::nullopt;
  return RejectClaim{ClaimNumber(message.claim()), *reason, message.note()};
}

std::optional<OperatorCommand> decode(const acts::PayClaim& message) {
  const auto source = decode_source(message.source());
  if (!source) return std::nullopt;
  return PayClaim{ClaimNumber(message.claim()), *source, SlipNumber(message.slip())};
}

std::optional<OperatorCommand> decode(const acts::IssueSlip& message) {
  const auto source = decode_source(message.source());
  if (!source) return std::nullopt;
  return IssueSlip{ClaimNumber(message.claim()), *source};
}

std::optional<OperatorCommand> decode(const acts::VoidSlip& message) {
  const auto reason = decode_numbered(message.reason(), VoidReason::other_error);
  if (!reason) return std::nullopt;
  return VoidSlip{SlipNumber(message.slip()), *reason, message.note()};
}

std::optional<OperatorCommand> decode(const acts::CorrectHand& message) {
  const auto seat = decode_seat(message.seat());
  const auto reason = decode_numbered(message.reason(), HandReason::other_error);
  CorrectHand act;
  if (!seat || !reason || !decode_cards(message.cards(), act.cards)) return std::nullopt;
  act.table = TableId(message.table());
  act.round = RoundId(message.round());
  act.seat = *seat;
  act.folded = message.folded();
  act.reason = *reason;
  act.note = message.note();
  return act;
}

std::optional<OperatorCommand> decode(const acts::CorrectDealer& message) {
  const auto reason = decode_numbered(message.reason(), HandReason::other_error);
  CorrectDealer act;
  if (!reason) return std::nullopt;
  if (message.has_cards() && !decode_cards(message.cards(), act.cards.emplace())) {
    return std::nullopt;
  }
  if (message.has_board() && !decode_cards(message.board(), act.board.emplace())) {
    return std::nullopt;
  }
  if (message.has_magic()) {
    if (message.magic() >= Card::index_count) return std::nullopt;
    act.magic = Card::from_index(static_cast<std::uint8_t>(message.magic()));
  }
  if (message.has_lucky() && !(act.lucky = decode_seat(message.lucky()))) {
    return std::nullopt;
  }
  act.table = TableId(message.table());
  act.round = RoundId(message.round());
  act.reason = *reason;
  act.note = message.note();
  return act;
}

std::optional<OperatorCommand> decode(const acts::CorrectPot& message) {
  const auto reason = decode_numbered(message.reason(), HandReason::other_error);
  CorrectPot act;
  if (!reason) return std::nullopt;
  for (const acts::PotHand& one : message.hands()) {
    const auto seat = decode_seat(one.seat());
    CorrectPot::Hand& hand = act.hands.emplace_back();
    if (!seat || !decode_cards(one.cards(), hand.cards)) return std::nullopt;
    hand.seat = *seat;
    hand.folded = one.folded();
    hand.not_dealt_in = one.not_dealt_in();
  }
  if (message.has_board() && !decode_cards(message.board(), act.board.emplace())) {
    return std::nullopt;
  }
  if (message.has_showdown()) act.showdown = message.showdown();
  act.table = TableId(message.table());
  act.round = RoundId(message.round());
  act.reason = *reason;
  act.note = message.note();
  return act;
}

std::optional<OperatorCommand> decode(const acts::TakeReading& message) {
  TakeReading act;
  for (const acts::SeenAmount& seen : message.seen()) {
    const auto amount = decode_cents(seen.cents());
    if (!amount) return std::nullopt;
    act.seen.push_back({LinkId(seen.link()), LevelId(seen.level()), *amount});
  }
  act.note = message.note();
  return act;
}

std::optional<OperatorCommand> decode(const acts::RecordCount& message) {
  const auto day = decode_day(message.day());
  const auto kind = decode_numbered(message.kind(), CountKind::chips);
  const auto amount = decode_cents(message.cents());
  if (!day || !kind || !amount) return std::nullopt;
  return RecordCount{*day,
                     *kind,
                     TableId(message.table()),
                     LinkId(message.link()),
                     *amount,
                     message.note(),
                     Badge(message.witness()),
                     message.notice(),
                     message.recording()};
}

std::optional<OperatorCommand> decode(const acts::ExplainVariance& message) {
  const auto day = decode_day(message.day());
  if (!day) return std::nullopt;
  ExplainVariance act{*day, message.item(), message.difference(), message.note(), {}};
  if (message.has_corrected_by()) act.corrected_by = EntryNumber(message.corrected_by());
  return act;
}

std::optional<OperatorCommand> decode(const acts::MoveFund& message) {
  const auto day = decode_day(message.day());
  if (!day) return std::nullopt;
  MoveFund act{*day,
               LinkId(message.link()),
               {},
               {},
               message.note(),
               Badge(message.carried_by()),
               Badge(message.accounted_by())};
  for (const std::string& table : message.tables()) act.tables.emplace_back(table);
  if (!message.has_cents()) return act;
  act.verified = decode_cents(message.cents());
  if (!act.verified) return std::nullopt;
  return act;
}

std::optional<OperatorCommand> decode(const acts::AdjustDisplay& message) {
  const auto kept = decode_cents(message.kept_cents());
  if (!kept) return std::nullopt;
  AdjustDisplay act{LinkId(message.link()), *kept, {}, message.note(), Badge(message.witness())};
  if (!message.has_shown_cents()) return act;
  act.shown = decode_cents(message.shown_cents());
  if (!act.shown) return std::nullopt;
  return act;
}

// SignDay or CloseDay.
template <class Signature, class Message>
std::optional<OperatorCommand> decode_report(const Message& message) {
  const auto day = decode_day(message.day());
  Signature act;
  if (!day || !decode_digest(message.report(), act.report)) return std::nullopt;
  act.day = *day;
  return act;
}

std::optional<OperatorCommand> decode(const acts::DualAct& message) {
  std::optional<DualControlCommand> act = decode_act(message);
  if (!act) return std::nullopt;
  // A new person has no failed sign-ins and is not removed, whatever the bytes state.
  if (auto* add = std::get_if<AddPerson>(&*act)) {
    add->person.failures = 0;
    add->person.locked_until = {};
    add->person.removed = false;
    add->person.pin_before.clear();
  }
  // A proposed change consists of its texts. The controller resolves them itself.
  if (auto* change = std::get_if<ChangeParameters>(&*act)) {
    *change = ChangeParameters{std::move(change->floor_text), std::move(change->catalogue_texts)};
  }
  return Propose{std::move(*act)};
}

std::optional<OperatorCommand> decode(const acts::Confirm& message) {
  Confirm act{ProposalNumber(message.proposal()), message.summary(), {}};
  for (const std::string& code : message.codes()) {
    if (!decode_digest(code, act.codes.emplace_back())) return std::nullopt;
  }
  return act;
}

}  // namespace

void encode_person(const Person& person, acts::Person& message) {
  message.set_badge(person.badge.text());
  message.set_name(person.name);
  message.set_department(static_cast<std::uint32_t>(person.department));
  for (const Role role : person.roles) message.add_roles(static_cast<std::uint32_t>(role));
  message.set_pin(person.pin);
  message.set_failures(person.failures);
  message.set_removed(person.removed);
  message.set_pin_is_given(person.pin_is_given);
  message.set_locked_until_us(person.locked_until.microseconds());
  for (const Badge& badge : person.known_to) message.add_known_to(badge.text());
  message.set_pin_before(person.pin_before);
}

std::optional<Person> decode_person(const acts::Person& message) {
  const auto department = decode_numbered(message.department(), Department::oversight);
  if (!department) return std::nullopt;
  Person person;
  person.badge = Badge(message.badge());
  person.name = message.name();
  person.department = *department;
  person.pin = message.pin();
  person.failures = message.failures();
  person.removed = message.removed();
  person.pin_is_given = message.pin_is_given();
  person.locked_until = Timestamp::from_microseconds(message.locked_until_us());
  for (const std::string& badge : message.known_to()) person.known_to.insert(Badge(badge));
  person.pin_before = message.pin_before();
  if (!decode_roles(message.roles(), person.roles)) return std::nullopt;
  return person;
}

void encode_enrolment(const Enrolment& enrolment, acts::Enrolment& message) {
  message.set_kind(static_cast<std::uint32_t>(enrolment.kind));
  message.set_name(enrolment.name);
  message.set_key(enrolment.key);
}

std::optional<Enrolment> decode_enrolment(const acts::Enrolment& message) {
  const auto kind = decode_numbered(message.kind(), EnrolmentKind::viewer);
  if (!kind) return std::nullopt;
  return Enrolment{*kind, message.name(), message.key()};
}

void encode_act(const DualControlCommand& act, acts::DualAct& message) {
  std::visit(EncodeDual{message}, act);
}

std::optional<DualControlCommand> decode_act(const acts::DualAct& message) {
  switch (message.act_case()) {
    case acts::DualAct::kResumeLink:
      return ResumeLink{LinkId(message.resume_link().link()), message.resume_link().reason()};
    case acts::DualAct::kCorrectMeter: return decode(message.correct_meter());
    case acts::DualAct::kTransferMeter: return decode(message.transfer_meter());
    case acts::DualAct::kAddPerson: {
      const auto person = decode_person(message.add_person());
      return person ? std::optional<DualControlCommand>(AddPerson{*person}) : std::nullopt;
    }
    case acts::DualAct::kRemovePerson: return RemovePerson{Badge(message.remove_person())};
    case acts::DualAct::kSetRoles: return decode(message.set_roles());
    case acts::DualAct::kResetPin:
      return ResetPin{Badge(message.reset_pin().badge()), message.reset_pin().pin()};
    case acts::DualAct::kEnrol: {
      auto enrolment = decode_enrolment(message.enrol());
      return enrolment ? std::optional<DualControlCommand>(Enrol{std::move(*enrolment)})
                       : std::nullopt;
    }
    case acts::DualAct::kRevoke: {
      const auto revoked = decode_enrolment(message.revoke());
      return revoked ? std::optional<DualControlCommand>(Revoke{revoked->kind, revoked->name})
                     : std::nullopt;
    }
    case acts::DualAct::kChangeParameters: return decode(message.change_parameters());
    case acts::DualAct::kStopCollecting:
      return StopCollecting{LinkId(message.stop_collecting().link()),
                            message.stop_collecting().note()};
    case acts::DualAct::kDiscontinue: {
      const acts::Discontinue& end = message.discontinue();
      return Discontinue{LinkId(end.link()), LinkId(end.to()), LevelId(end.to_level()), end.note()};
    }
    case acts::DualAct::kAcceptHistory: return decode(message.accept_history());
    case acts::DualAct::kUnfreezeTable: return UnfreezeTable{TableId(message.unfreeze_table())};
    case acts::DualAct::kConfirmClock: {
      const acts::ConfirmClock& confirm = message.confirm_clock();
      return ConfirmClock{EntryNumber(confirm.doubted()), confirm.by_us(), confirm.note()};
    }
    case acts::DualAct::kReplaceKey: return decode(message.replace_key());
    case acts::DualAct::kResumeLinks: return decode(message.resume_links());
    case acts::DualAct::kNewRecoveryCodes: return decode(message.new_recovery_codes());
    case acts::DualAct::ACT_NOT_SET: return std::nullopt;
  }
  return std::nullopt;
}

void encode_act(const OperatorCommand& act, control::Request& message) {
  std::visit(EncodeCommand{message}, act);
}

std::optional<OperatorCommand> decode_act(const control::Request& message) {
  switch (message.act_case()) {
    case control::Request::kValidateClaim:
      return ValidateClaim{ClaimNumber(message.validate_claim())};
    case control::Request::kValidateBadBeat:
      return ValidateClaim{ClaimNumber(message.validate_bad_beat().claim()),
                           Badge(message.validate_bad_beat().notified())};
    case control::Request::kRejectClaim: return decode(message.reject_claim());
    case control::Request::kPayClaim: return decode(message.pay_claim());
    case control::Request::kCountersignClaim:
      return CountersignClaim{ClaimNumber(message.countersign_claim())};
    case control::Request::kIssueSlip: return decode(message.issue_slip());
    case control::Request::kVoidSlip: return decode(message.void_slip());
    case control::Request::kPostNotice:
      return PostNotice{LinkId(message.post_notice().link()), message.post_notice().posted()};
    case control::Request::kCorrectHand: return decode(message.correct_hand());
    case control::Request::kCorrectDealer: return decode(message.correct_dealer());
    case control::Request::kCorrectPot: return decode(message.correct_pot());
    case control::Request::kTakeReading: return decode(message.take_reading());
    case control::Request::kRecordCount: return decode(message.record_count());
    case control::Request::kExplainVariance: return decode(message.explain_variance());
    case control::Request::kSignDay: return decode_report<SignDay>(message.sign_day());
    case control::Request::kCloseDay: return decode_report<CloseDay>(message.close_day());
    case control::Request::kMoveFund: return decode(message.move_fund());
    case control::Request::kAdjustDisplay: return decode(message.adjust_display());
    case control::Request::kSuspendLink:
      return SuspendLink{LinkId(message.suspend_link().link()), message.suspend_link().note()};
    case control::Request::kFreezeTable:
      return FreezeTable{TableId(message.freeze_table().table()), message.freeze_table().note()};
    case control::Request::kChangePin: return ChangePin{};
    case control::Request::kRecover: return Recover{};
    case control::Request::kPropose: return decode(message.propose());
    case control::Request::kConfirm: return decode(message.confirm());
    case control::Request::kStatus:    // not an act: wire_codec.h
    case control::Request::kSnapshot:  // not an act: snapshot_codec.h
    case control::Request::ACT_NOT_SET: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace linkmeter::parts
