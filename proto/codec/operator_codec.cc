#include "proto/codec/operator_codec.h"

#include <utility>

#include "meters/state/claim.h"
#include "meters/values/limits.h"
#include "proto/codec/act_codec.h"
#include "proto/codec/day_codec.h"
#include "proto/codec/parts_codec.h"
#include "proto/control.pb.h"
#include "proto/journal.pb.h"

namespace linkmeter {

namespace {

struct EncodeAct {
  control::Request& message;

  void operator()(const ValidateClaim& validate) const {
    if (validate.notified.empty()) return message.set_validate_claim(validate.claim.value());
    message.mutable_validate_bad_beat()->set_claim(validate.claim.value());
    message.mutable_validate_bad_beat()->set_notified(validate.notified.text());
  }
  void operator()(const RejectClaim& reject) const {
    control::RejectClaim& act = *message.mutable_reject_claim();
    act.set_claim(reject.claim.value());
    act.set_reason(static_cast<std::uint32_t>(reject.reason));
    act.set_note(reject.note);
  }
  void operator()(const PayClaim& pay) const {
    control::PayClaim& act = *message.mutable_pay_claim();
    act.set_claim(pay.claim.value());
    act.set_source(static_cast<std::uint32_t>(pay.source) + 1);
    act.set_slip(pay.slip.value());
  }
  void operator()(const CountersignClaim& countersign) const {
    message.set_countersign_claim(countersign.claim.value());
  }
  void operator()(const IssueSlip& issue) const {
    control::IssueSlip& act = *message.mutable_issue_slip();
    act.set_claim(issue.claim.value());
    act.set_source(static_cast<std::uint32_t>(issue.source) + 1);
  }
  void operator()(const VoidSlip& annul) const {
    control::VoidSlip& act = *message.mutable_void_slip();
    act.set_slip(annul.slip.value());
    act.set_reason(static_cast<std::uint32_t>(annul.reason));
    act.set_note(annul.note);
  }
  void operator()(const PostNotice& notice) const {
    control::PostNotice& act = *message.mutable_post_notice();
    act.set_link(notice.link.text());
    act.set_posted(notice.posted);
  }
  void operator()(const CorrectHand& correct) const {
    control::CorrectHand& act = *message.mutable_correct_hand();
    act.set_table(correct.table.text());
    act.set_round(correct.round.text());
    act.set_seat(correct.seat.value());
    act.set_cards(parts::encode_cards(correct.cards));
    act.set_folded(correct.folded);
    act.set_reason(static_cast<std::uint32_t>(correct.reason));
    act.set_note(correct.note);
  }
  void operator()(const CorrectDealer& correct) const {
    control::CorrectDealer& act = *message.mutable_correct_dealer();
    act.set_table(correct.table.text());
    act.set_round(correct.round.text());
    if (correct.cards) act.set_cards(parts::encode_cards(*correct.cards));
    if (correct.board) act.set_board(parts::encode_cards(*correct.board));
    if (correct.magic) act.set_magic(correct.magic->index());
    if (correct.lucky) act.set_lucky(correct.lucky->value());
    act.set_reason(static_cast<std::uint32_t>(correct.reason));
    act.set_note(correct.note);
  }
  void operator()(const CorrectPot& correct) const {
    control::CorrectPot& act = *message.mutable_correct_pot();
    act.set_table(correct.table.text());
    act.set_round(correct.round.text());
    for (const CorrectPot::Hand& hand : correct.hands) {
      control::PotHand& one = *act.add_hands();
      one.set_seat(hand.seat.value());
      one.set_cards(parts::encode_cards(hand.cards));
      one.set_folded(hand.folded);
      one.set_not_dealt_in(hand.not_dealt_in);
    }
    if (correct.board) act.set_board(parts::encode_cards(*correct.board));
    if (correct.showdown) act.set_showdown(*correct.showdown);
    act.set_reason(static_cast<std::uint32_t>(correct.reason));
    act.set_note(correct.note);
  }
  void operator()(const TakeReading& take) const {
    control::TakeReading& act = *message.mutable_take_reading();
    for (const TakeReading::Seen& seen : take.seen) {
      control::SeenAmount& added = *act.add_seen();
      added.set_link(seen.link.text());
      added.set_level(seen.level.text());
      added.set_cents(seen.amount.in_cents());
    }
    act.set_note(take.note);
  }
  void operator()(const RecordCount& record) const {
    control::RecordCount& act = *message.mutable_record_count();
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
    control::ExplainVariance& act = *message.mutable_explain_variance();
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
    act.set_report(parts::encode_digest(signature.report));
  }
  void operator()(const MoveFund& move) const {
    control::MoveFund& act = *message.mutable_move_fund();
    act.set_day(static_cast<std::uint32_t>(move.day.number()));
    act.set_link(move.link.text());
    for (const TableId& table : move.tables) act.add_tables(table.text());
    if (move.verified) act.set_cents(move.verified->in_cents());
    act.set_note(move.note);
    act.set_carried_by(move.carried_by.text());
    act.set_accounted_by(move.accounted_by.text());
  }
  void operator()(const AdjustDisplay& adjust) const {
    control::AdjustDisplay& act = *message.mutable_adjust_display();
    act.set_link(adjust.link.text());
    act.set_kept_cents(adjust.kept.in_cents());
    if (adjust.shown) act.set_shown_cents(adjust.shown->in_cents());
    act.set_note(adjust.note);
    act.set_witness(adjust.witness.text());
  }
  void operator()(const Recover&) const { message.mutable_recover(); }  // encode() adds the codes
  void operator()(const SuspendLink& suspend) const {
    control::SuspendLink& act = *message.mutable_suspend_link();
    act.set_link(suspend.link.text());
    act.set_note(suspend.note);
  }
  void operator()(const FreezeTable& freeze) const {
    message.mutable_freeze_table()->set_table(freeze.table.text());
    message.mutable_freeze_table()->set_note(freeze.note);
  }
  void operator()(const ChangePin&) const { message.mutable_change_pin(); }
  void operator()(const Propose& propose) const {
    parts::encode_act(propose.act, *message.mutable_propose());
  }
  void operator()(const Confirm& confirm) const {
    control::Confirm& act = *message.mutable_confirm();
    act.set_proposal(confirm.proposal.value());
    act.set_summary(confirm.summary);
    for (const Digest& code : confirm.codes) act.add_codes(parts::encode_digest(code));
  }
};

std::optional<OperatorCommand> decode_reject(const control::RejectClaim& message) {
  const auto reason = parts::decode_numbered(message.reason(), RejectReason::game_protection);
  if (!reason) return std::nullopt;
  return RejectClaim{ClaimNumber(message.claim()), *reason, message.note()};
}

std::optional<OperatorCommand> decode_pay(const control::PayClaim& message) {
  const auto source = parts::decode_source(message.source());
  if (!source) return std::nullopt;
  return PayClaim{ClaimNumber(message.claim()), *source, SlipNumber(message.slip())};
}

std::optional<OperatorCommand> decode_issue(const control::IssueSlip& message) {
  const auto source = parts::decode_source(message.source());
  if (!source) return std::nullopt;
  return IssueSlip{ClaimNumber(message.claim()), *source};
}

std::optional<OperatorCommand> decode_void(const control::VoidSlip& message) {
  const auto reason = parts::decode_numbered(message.reason(), VoidReason::other_error);
  if (!reason) return std::nullopt;
  return VoidSlip{SlipNumber(message.slip()), *reason, message.note()};
}

std::optional<OperatorCommand> decode_correct(const control::CorrectHand& message) {
  const auto seat = parts::decode_seat(message.seat());
  const auto reason = parts::decode_numbered(message.reason(), HandReason::other_error);
  CorrectHand act;
  if (!seat || !reason || !parts::decode_cards(message.cards(), act.cards)) return std::nullopt;
  act.table = TableId(message.table());
  act.round = RoundId(message.round());
  act.seat = *seat;
  act.folded = message.folded();
  act.reason = *reason;
  act.note = message.note();
  return act;
}

std::optional<OperatorCommand> decode_correct(const control::CorrectDealer& message) {
  const auto reason = parts::decode_numbered(message.reason(), HandReason::other_error);
  CorrectDealer act;
  if (!reason) return std::nullopt;
  if (message.has_cards() && !parts::decode_cards(message.cards(), act.cards.emplace())) {
    return std::nullopt;
  }
  if (message.has_board() && !parts::decode_cards(message.board(), act.board.emplace())) {
    return std::nullopt;
  }
  if (message.has_magic()) {
    if (message.magic() >= Card::index_count) return std::nullopt;
    act.magic = Card::from_index(static_cast<std::uint8_t>(message.magic()));
  }
  if (message.has_lucky() && !(act.lucky = parts::decode_seat(message.lucky()))) {
    return std::nullopt;
  }
  act.table = TableId(message.table());
  act.round = RoundId(message.round());
  act.reason = *reason;
  act.note = message.note();
  return act;
}

std::optional<OperatorCommand> decode_correct(const control::CorrectPot& message) {
  const auto reason = parts::decode_numbered(message.reason(), HandReason::other_error);
  CorrectPot act;
  if (!reason) return std::nullopt;
  for (const control::PotHand& one : message.hands()) {
    const auto seat = parts::decode_seat(one.seat());
    CorrectPot::Hand& hand = act.hands.emplace_back();
    if (!seat || !parts::decode_cards(one.cards(), hand.cards)) return std::nullopt;
    hand.seat = *seat;
    hand.folded = one.folded();
    hand.not_dealt_in = one.not_dealt_in();
  }
  if (message.has_board() && !parts::decode_cards(message.board(), act.board.emplace())) {
    return std::nullopt;
  }
  if (message.has_showdown()) act.showdown = message.showdown();
  act.table = TableId(message.table());
  act.round = RoundId(message.round());
  act.reason = *reason;
  act.note = message.note();
  return act;
}

std::optional<OperatorCommand> decode_reading(const control::TakeReading& message) {
  TakeReading act;
  for (const control::SeenAmount& seen : message.seen()) {
    const auto amount = parts::decode_cents(seen.cents());
    if (!amount) return std::nullopt;
    act.seen.push_back({LinkId(seen.link()), LevelId(seen.level()), *amount});
  }
  act.note = message.note();
  return act;
}

std::optional<OperatorCommand> decode_count(const control::RecordCount& message) {
  const auto day = parts::decode_day(message.day());
  const auto kind = parts::decode_numbered(message.kind(), CountKind::chips);
  const auto amount = parts::decode_cents(message.cents());
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

std::optional<OperatorCommand> decode_explain(const control::ExplainVariance& message) {
  const auto day = parts::decode_day(message.day());
  if (!day) return std::nullopt;
  ExplainVariance act{*day, message.item(), message.difference(), message.note(), {}};
  if (message.has_corrected_by()) act.corrected_by = EntryNumber(message.corrected_by());
  return act;
}

std::optional<OperatorCommand> decode_move(const control::MoveFund& message) {
  const auto day = parts::decode_day(message.day());
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
  act.verified = parts::decode_cents(message.cents());
  if (!act.verified) return std::nullopt;
  return act;
}

std::optional<OperatorCommand> decode_adjust(const control::AdjustDisplay& message) {
  const auto kept = parts::decode_cents(message.kept_cents());
  if (!kept) return std::nullopt;
  AdjustDisplay act{LinkId(message.link()), *kept, {}, message.note(), Badge(message.witness())};
  if (!message.has_shown_cents()) return act;
  act.shown = parts::decode_cents(message.shown_cents());
  if (!act.shown) return std::nullopt;
  return act;
}

// SignDay or CloseDay.
template <class Signature, class Message>
std::optional<OperatorCommand> decode_signature(const Message& message) {
  const auto day = parts::decode_day(message.day());
  Signature act;
  if (!day || !parts::decode_digest(message.report(), act.report)) return std::nullopt;
  act.day = *day;
  return act;
}

std::optional<OperatorCommand> decode_propose(const journal::DualAct& message) {
  std::optional<DualControlCommand> act = parts::decode_act(message);
  if (!act) return std::nullopt;
  // Who is new has failed no sign-in and is not removed, whatever the bytes say.
  if (auto* add = std::get_if<AddPerson>(&*act)) {
    add->person.failures = 0;
    add->person.locked_until = {};
    add->person.removed = false;
    add->person.pin_before.clear();
  }
  // A change is its texts; whoever asks says nothing of what they mean.
  if (auto* change = std::get_if<ChangeParameters>(&*act)) {
    *change = ChangeParameters{std::move(change->floor_text), std::move(change->catalogue_texts)};
  }
  return Propose{std::move(*act)};
}

std::optional<OperatorCommand> decode_confirm(const control::Confirm& message) {
  Confirm act{ProposalNumber(message.proposal()), message.summary(), {}};
  for (const std::string& code : message.codes()) {
    if (!parts::decode_digest(code, act.codes.emplace_back())) return std::nullopt;
  }
  return act;
}

std::optional<OperatorCommand> decode_act(const control::Request& message) {
  switch (message.act_case()) {
    case control::Request::kValidateClaim:
      return ValidateClaim{ClaimNumber(message.validate_claim())};
    case control::Request::kValidateBadBeat:
      return ValidateClaim{ClaimNumber(message.validate_bad_beat().claim()),
                           Badge(message.validate_bad_beat().notified())};
    case control::Request::kRejectClaim: return decode_reject(message.reject_claim());
    case control::Request::kPayClaim: return decode_pay(message.pay_claim());
    case control::Request::kCountersignClaim:
      return CountersignClaim{ClaimNumber(message.countersign_claim())};
    case control::Request::kIssueSlip: return decode_issue(message.issue_slip());
    case control::Request::kVoidSlip: return decode_void(message.void_slip());
    case control::Request::kPostNotice:
      return PostNotice{LinkId(message.post_notice().link()), message.post_notice().posted()};
    case control::Request::kCorrectHand: return decode_correct(message.correct_hand());
    case control::Request::kCorrectDealer: return decode_correct(message.correct_dealer());
    case control::Request::kCorrectPot: return decode_correct(message.correct_pot());
    case control::Request::kTakeReading: return decode_reading(message.take_reading());
    case control::Request::kRecordCount: return decode_count(message.record_count());
    case control::Request::kExplainVariance: return decode_explain(message.explain_variance());
    case control::Request::kSignDay: return decode_signature<SignDay>(message.sign_day());
    case control::Request::kCloseDay: return decode_signature<CloseDay>(message.close_day());
    case control::Request::kMoveFund: return decode_move(message.move_fund());
    case control::Request::kAdjustDisplay: return decode_adjust(message.adjust_display());
    case control::Request::kSuspendLink:
      return SuspendLink{LinkId(message.suspend_link().link()), message.suspend_link().note()};
    case control::Request::kFreezeTable:
      return FreezeTable{TableId(message.freeze_table().table()), message.freeze_table().note()};
    case control::Request::kChangePin: return ChangePin{};
    case control::Request::kRecover: return Recover{};
    case control::Request::kPropose: return decode_propose(message.propose());
    case control::Request::kConfirm: return decode_confirm(message.confirm());
    case control::Request::kStatus:    // nobody's act: status_codec.h
    case control::Request::kSnapshot:  // likewise: snapshot_codec.h
    case control::Request::ACT_NOT_SET: return std::nullopt;
  }
  return std::nullopt;
}

bool is_change(const OperatorCommand& act) {
  const auto* propose = std::get_if<Propose>(&act);
  return propose != nullptr && std::holds_alternative<ChangeParameters>(propose->act);
}

template <class Message>
bool parse(std::string_view bytes, std::size_t size_max, Message& message) {
  return bytes.size() <= size_max &&
         message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace

std::string* new_pin_hash_in(OperatorCommand& act) {
  if (auto* change = std::get_if<ChangePin>(&act)) return &change->pin;
  if (auto* recover = std::get_if<Recover>(&act)) return &recover->pin;
  auto* propose = std::get_if<Propose>(&act);
  if (propose == nullptr) return nullptr;
  if (auto* add = std::get_if<AddPerson>(&propose->act)) return &add->person.pin;
  if (auto* reset = std::get_if<ResetPin>(&propose->act)) return &reset->pin;
  return nullptr;
}

const Badge& new_pin_badge(const OperatorCommand& act, const Badge& by) {
  const auto* propose = std::get_if<Propose>(&act);
  const Badge* given = propose == nullptr ? nullptr : gives_pin_to(propose->act);
  return given == nullptr ? by : *given;
}

std::string encode(const ControlRequest& request) {
  control::Request message;
  message.set_badge(request.badge.text());
  message.set_pin(request.pin);
  message.set_new_pin(request.new_pin);
  message.set_witness_pin(request.witness_pin);
  std::visit(EncodeAct{message}, request.act);
  for (const std::string& code : request.codes) message.mutable_recover()->add_codes(code);
  return message.SerializeAsString();
}

std::string encode(const ControlReply& reply) {
  control::Reply message;
  message.set_refusal(static_cast<std::uint32_t>(reply.refusal));
  message.set_entry(reply.entry.value());
  message.set_proposal(reply.proposal.value());
  message.set_summary(reply.summary);
  message.set_text(reply.text);
  message.set_slip(reply.slip.value());
  return message.SerializeAsString();
}

std::optional<ControlRequest> decode_control_request(std::string_view bytes) {
  control::Request message;
  if (!parse(bytes, limits::control_request_bytes_max, message)) return std::nullopt;
  std::optional<OperatorCommand> act = decode_act(message);
  if (!act) return std::nullopt;
  if (bytes.size() > limits::control_bytes_max && !is_change(*act)) return std::nullopt;
  // Only the edge fills these.
  if (std::string* sealed = new_pin_hash_in(*act)) sealed->clear();
  const auto& codes = message.recover().codes();
  return ControlRequest{Badge(message.badge()), message.pin(),
                        message.new_pin(),      std::move(*act),
                        message.witness_pin(),  {codes.begin(), codes.end()}};
}

std::optional<ControlReply> decode_control_reply(std::string_view bytes) {
  control::Reply message;
  if (!parse(bytes, limits::control_bytes_max, message)) return std::nullopt;
  const auto refusal = parts::decode_integer<std::uint8_t>(message.refusal());
  if (!refusal) return std::nullopt;
  return ControlReply{static_cast<Refusal>(*refusal),
                      EntryNumber(message.entry()),
                      ProposalNumber(message.proposal()),
                      message.summary(),
                      message.text(),
                      SlipNumber(message.slip())};
}

}  // namespace linkmeter
