#include "proto/codec/act_codec.h"

#include "meters/values/limits.h"
#include "proto/codec/floor_codec.h"
#include "proto/codec/parts_codec.h"
#include "proto/journal.pb.h"

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

struct EncodeAct {
  journal::DualAct& message;

  void operator()(const ResumeLink& resume) const {
    message.mutable_resume_link()->set_link(resume.link.text());
    message.mutable_resume_link()->set_reason(resume.reason);
  }
  void operator()(const UnfreezeTable& unfreeze) const {
    message.set_unfreeze_table(unfreeze.table.text());
  }
  void operator()(const CorrectMeter& correct) const {
    journal::CorrectMeter& act = *message.mutable_correct_meter();
    act.set_link(correct.link.text());
    act.set_level(correct.level.text());
    act.set_units(correct.amount.units());
    act.set_reason(static_cast<std::uint32_t>(correct.reason));
    act.set_note(correct.note);
  }
  void operator()(const TransferMeter& transfer) const {
    journal::TransferMeter& act = *message.mutable_transfer_meter();
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
    journal::Discontinue& act = *message.mutable_discontinue();
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
    journal::SetRoles& act = *message.mutable_set_roles();
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
    journal::NewRecoveryCodes& act = *message.mutable_new_recovery_codes();
    for (const Digest& code : made.codes) act.add_codes(encode_digest(code));
  }
  void operator()(const AcceptHistory& accept) const {
    journal::AcceptHistory& act = *message.mutable_accept_history();
    act.set_restored(accept.restored.value());
    act.set_ended_with(accept.ended_with.value());
    act.set_hash(encode_digest(accept.hash));
    act.set_restored_at_us(accept.restored_at.microseconds());
    act.set_note(accept.note);
  }
  void operator()(const ConfirmClock& confirm) const {
    journal::ConfirmClock& act = *message.mutable_confirm_clock();
    act.set_doubted(confirm.doubted.value());
    act.set_by_us(confirm.by_us);
    act.set_note(confirm.note);
  }
  void operator()(const ReplaceKey& replace) const {
    journal::ReplaceKey& act = *message.mutable_replace_key();
    act.set_kind(static_cast<std::uint32_t>(replace.kind));
    act.set_key(replace.key);
    act.set_replaces(replace.replaces);
    act.set_signature(replace.signature);
  }
  void operator()(const ResumeLinks& resume) const {
    journal::ResumeLinks& act = *message.mutable_resume_links();
    for (const auto& [link, reason] : resume.links) {
      journal::LinkSuspension& one = *act.add_links();
      one.set_link(link.text());
      one.set_reason(reason);
    }
    act.set_others(resume.others);
    act.set_cause(resume.cause);
  }
  void operator()(const ChangeParameters& change) const {
    journal::ChangeParameters& act = *message.mutable_change_parameters();
    act.set_floor_text(change.floor_text);
    for (const std::string& text : change.catalogue_texts) act.add_catalogue_texts(text);
    encode_floor(change.floor, *act.mutable_floor());
    act.set_floor_digest(encode_digest(change.floor_digest));
    act.set_catalogue_digest(encode_digest(change.catalogue_digest));
    act.set_since(change.since.value());
    for (const std::string& line : change.changes) act.add_changes(line);
  }
};

std::optional<DualControlCommand> decode(const journal::CorrectMeter& message) {
  const auto reason = decode_numbered(message.reason(), CorrectionReason::regulator_order);
  if (!reason || !is_amount(message.units())) return std::nullopt;
  return CorrectMeter{LinkId(message.link()), LevelId(message.level()),
                      Amount::from_units(message.units()), *reason, message.note()};
}

std::optional<DualControlCommand> decode(const journal::TransferMeter& message) {
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

std::optional<DualControlCommand> decode(const journal::SetRoles& message) {
  SetRoles set{Badge(message.badge()), {}};
  if (!decode_roles(message.roles(), set.roles)) return std::nullopt;
  return set;
}

std::optional<DualControlCommand> decode(const journal::NewRecoveryCodes& message) {
  NewRecoveryCodes made;
  for (const std::string& code : message.codes()) {
    if (!decode_digest(code, made.codes.emplace_back())) return std::nullopt;
  }
  return made;
}

std::optional<DualControlCommand> decode(const journal::AcceptHistory& message) {
  AcceptHistory accept{EntryNumber(message.restored()),
                       EntryNumber(message.ended_with()),
                       {},
                       Timestamp::from_microseconds(message.restored_at_us()),
                       message.note()};
  if (!decode_digest(message.hash(), accept.hash)) return std::nullopt;
  return accept;
}

std::optional<DualControlCommand> decode(const journal::ReplaceKey& message) {
  const auto kind = decode_numbered(message.kind(), KeyKind::journal);
  if (!kind) return std::nullopt;
  return ReplaceKey{*kind, message.key(), message.replaces(), message.signature()};
}

std::optional<DualControlCommand> decode(const journal::ResumeLinks& message) {
  ResumeLinks resume;
  for (const journal::LinkSuspension& one : message.links()) {
    resume.links.push_back({LinkId(one.link()), one.reason()});
  }
  resume.others = message.others();
  resume.cause = message.cause();
  return resume;
}

std::optional<DualControlCommand> decode(const journal::ChangeParameters& message) {
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

}  // namespace

void encode_person(const Person& person, journal::Person& message) {
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

std::optional<Person> decode_person(const journal::Person& message) {
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

void encode_enrolment(const Enrolment& enrolment, journal::Enrolment& message) {
  message.set_kind(static_cast<std::uint32_t>(enrolment.kind));
  message.set_name(enrolment.name);
  message.set_key(enrolment.key);
}

std::optional<Enrolment> decode_enrolment(const journal::Enrolment& message) {
  const auto kind = decode_numbered(message.kind(), EnrolmentKind::viewer);
  if (!kind) return std::nullopt;
  return Enrolment{*kind, message.name(), message.key()};
}

void encode_act(const DualControlCommand& act, journal::DualAct& message) {
  std::visit(EncodeAct{message}, act);
}

std::optional<DualControlCommand> decode_act(const journal::DualAct& message) {
  switch (message.act_case()) {
    case journal::DualAct::kResumeLink:
      return ResumeLink{LinkId(message.resume_link().link()), message.resume_link().reason()};
    case journal::DualAct::kCorrectMeter: return decode(message.correct_meter());
    case journal::DualAct::kTransferMeter: return decode(message.transfer_meter());
    case journal::DualAct::kAddPerson: {
      const auto person = decode_person(message.add_person());
      return person ? std::optional<DualControlCommand>(AddPerson{*person}) : std::nullopt;
    }
    case journal::DualAct::kRemovePerson: return RemovePerson{Badge(message.remove_person())};
    case journal::DualAct::kSetRoles: return decode(message.set_roles());
    case journal::DualAct::kResetPin:
      return ResetPin{Badge(message.reset_pin().badge()), message.reset_pin().pin()};
    case journal::DualAct::kEnrol: {
      auto enrolment = decode_enrolment(message.enrol());
      return enrolment ? std::optional<DualControlCommand>(Enrol{std::move(*enrolment)})
                       : std::nullopt;
    }
    case journal::DualAct::kRevoke: {
      const auto revoked = decode_enrolment(message.revoke());
      return revoked ? std::optional<DualControlCommand>(Revoke{revoked->kind, revoked->name})
                     : std::nullopt;
    }
    case journal::DualAct::kChangeParameters: return decode(message.change_parameters());
    case journal::DualAct::kStopCollecting:
      return StopCollecting{LinkId(message.stop_collecting().link()),
                            message.stop_collecting().note()};
    case journal::DualAct::kDiscontinue: {
      const journal::Discontinue& end = message.discontinue();
      return Discontinue{LinkId(end.link()), LinkId(end.to()), LevelId(end.to_level()), end.note()};
    }
    case journal::DualAct::kAcceptHistory: return decode(message.accept_history());
    case journal::DualAct::kUnfreezeTable: return UnfreezeTable{TableId(message.unfreeze_table())};
    case journal::DualAct::kConfirmClock: {
      const journal::ConfirmClock& confirm = message.confirm_clock();
      return ConfirmClock{EntryNumber(confirm.doubted()), confirm.by_us(), confirm.note()};
    }
    case journal::DualAct::kReplaceKey: return decode(message.replace_key());
    case journal::DualAct::kResumeLinks: return decode(message.resume_links());
    case journal::DualAct::kNewRecoveryCodes: return decode(message.new_recovery_codes());
    case journal::DualAct::ACT_NOT_SET: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace linkmeter::parts
