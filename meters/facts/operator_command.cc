#include "meters/facts/operator_command.h"

#include <algorithm>
#include <utility>

#include "meters/values/enum_names.h"
#include "meters/values/hex.h"
#include "meters/values/limits.h"

namespace linkmeter {

namespace {

constexpr EnumNames<RejectReason::hand_misread, RejectReason::game_protection> reject_reason_names{
    "hand_misread",    "cards_missing",   "wager_not_made",
    "round_irregular", "equipment_fault", "game_protection"};
constexpr EnumNames<CorrectionReason::count_variance, CorrectionReason::regulator_order>
    correction_reason_names{"count_variance", "display_adjustment", "equipment_fault",
                            "mispaid_award", "regulator_order"};
constexpr EnumNames<TransferReason::discontinued, TransferReason::regulator_order>
    transfer_reason_names{"discontinued", "merged", "regulator_order"};
constexpr EnumNames<VoidReason::misprint, VoidReason::other_error> void_reason_names{
    "misprint", "wrong_source", "wrong_person", "other_error"};
constexpr EnumNames<HandReason::misread_card, HandReason::other_error> hand_reason_names{
    "misread_card", "wrong_seat", "missed_card", "wrong_fold", "other_error"};

std::string with_note(std::string text, const std::string& note) {
  return note.empty() ? text : std::move(text) + ", " + note;
}

std::string roles_text(const std::set<Role>& roles) {
  std::string text;
  for (const Role role : roles) text += (text.empty() ? "" : " ") + std::string(name(role));
  return text;
}

// How many lines fit into a summary.
std::size_t lines_told(const ChangeParameters& change) {
  constexpr std::size_t around = 5;  // the line's end, four spaces
  std::size_t length = 0;
  std::size_t told = 0;
  while (told < change.changes.size()) {
    length += change.changes[told].size() + around;
    if (length > limits::summary_length_max) break;
    ++told;
  }
  return told;
}

// Links with the same reason are grouped: "C4-MEGA, C4-FOUR: the disk is full".
std::string resumed_text(const ResumeLinks& resume) {
  std::vector<std::pair<std::string, std::string>> groups;  // reason, links
  for (const auto& [link, reason] : resume.links) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&reason = reason](const auto& one) { return one.first == reason; });
    if (group == groups.end()) {
      groups.emplace_back(reason, link.text());
    } else {
      group->second += ", " + link.text();
    }
  }
  std::string text = "resume " + std::to_string(resume.links.size()) + " suspended links:";
  for (const auto& [reason, links] : groups) {
    text.append("\n    ").append(links).append(": ").append(reason);
  }
  if (resume.others > 0) {
    text += "\n    " + std::to_string(resume.others) + " other links stay suspended";
  }
  return text;
}

struct Summing {
  std::string operator()(const ResumeLink& resume) const {
    return "resume " + resume.link.text() + (resume.reason.empty() ? "" : ": " + resume.reason);
  }
  std::string operator()(const UnfreezeTable& unfreeze) const {
    return "unfreeze " + unfreeze.table.text();
  }
  std::string operator()(const CorrectMeter& correct) const {
    const bool down = correct.amount < Amount();
    return with_note("correct " + correct.link.text() + " " + correct.level.text() + " by " +
                         (down ? "-" : "+") + text_exact(down ? -correct.amount : correct.amount) +
                         ": " + std::string(name(correct.reason)),
                     correct.note);
  }
  std::string operator()(const TransferMeter& transfer) const {
    return with_note("transfer " + text_exact(transfer.amount) + " from " + transfer.from.text() +
                         " " + transfer.from_level.text() + " to " + transfer.to.text() + " " +
                         transfer.to_level.text() + ": " + std::string(name(transfer.reason)),
                     transfer.note);
  }
  std::string operator()(const StopCollecting& stop) const {
    return with_note("stop collecting on " + stop.link.text(), stop.note);
  }
  std::string operator()(const Discontinue& end) const {
    std::string where = ": nothing on it is players'";
    if (!end.to.empty()) {
      where = ": players' money goes to " + end.to.text() + " " + end.to_level.text() +
              " (of a fund of pots all that it displays, reseed included, and its reserve)";
    }
    return with_note("discontinue " + end.link.text() + where, end.note);
  }
  std::string operator()(const AddPerson& add) const {
    return "add " + add.person.badge.text() + " " + add.person.name + ", " +
           std::string(name(add.person.department)) + ": " + roles_text(add.person.roles);
  }
  std::string operator()(const RemovePerson& remove) const {
    return "remove " + remove.badge.text();
  }
  std::string operator()(const SetRoles& set) const {
    return "roles of " + set.badge.text() + ": " + roles_text(set.roles);
  }
  std::string operator()(const ResetPin& reset) const {
    return "new PIN for " + reset.badge.text();
  }
  std::string operator()(const Enrol& enrol) const {
    return "enrol " + std::string(name(enrol.enrolment.kind)) + " " + enrol.enrolment.name +
           " with the key " + enrol.enrolment.key;
  }
  std::string operator()(const Revoke& revoke) const {
    return "revoke " + std::string(name(revoke.kind)) + " " + revoke.name;
  }
  std::string operator()(const AcceptHistory& accept) const { return linkmeter::summary(accept); }
  std::string operator()(const ConfirmClock& confirm) const { return linkmeter::summary(confirm); }
  std::string operator()(const LeaveCluster& leave) const { return linkmeter::summary(leave); }
  std::string operator()(const ReplaceKey& replace) const { return linkmeter::summary(replace); }
  std::string operator()(const ResumeLinks& resume) const { return resumed_text(resume); }
  std::string operator()(const NewRecoveryCodes& made) const {
    std::string text = "new recovery codes; the old ones are void";
    for (const Digest& code : made.codes) text += "\n    SHA-256 " + hex(code);
    return text;
  }
  std::string operator()(const ChangeParameters& change) const {
    std::string text = "parameters:";
    const std::size_t told = lines_told(change);
    for (std::size_t at = 0; at < told; ++at) text += "\n    " + change.changes[at];
    if (told < change.changes.size()) {
      text += "\n    and " + std::to_string(change.changes.size() - told) +
              " more lines: linkmeter proposals";
    }
    return text + "\n    floor file " + hex(change.floor_digest) + "\n    chapters " +
           hex(change.catalogue_digest);
  }
};

}  // namespace

std::string_view name(RejectReason reason) { return reject_reason_names.of(reason); }
std::string_view name(CorrectionReason reason) { return correction_reason_names.of(reason); }
std::string_view name(TransferReason reason) { return transfer_reason_names.of(reason); }
std::string_view name(VoidReason reason) { return void_reason_names.of(reason); }
std::string_view name(HandReason reason) { return hand_reason_names.of(reason); }

std::optional<RejectReason> parse_reject_reason(std::string_view text) {
  return reject_reason_names.parse(text);
}
std::optional<CorrectionReason> parse_correction_reason(std::string_view text) {
  return correction_reason_names.parse(text);
}
std::optional<TransferReason> parse_transfer_reason(std::string_view text) {
  return transfer_reason_names.parse(text);
}

std::optional<VoidReason> parse_void_reason(std::string_view text) {
  return void_reason_names.parse(text);
}

std::optional<HandReason> parse_hand_reason(std::string_view text) {
  return hand_reason_names.parse(text);
}

const Badge* second_pin_of(const OperatorCommand& act) {
  if (const auto* adjust = std::get_if<AdjustDisplay>(&act)) return &adjust->witness;
  if (const auto* record = std::get_if<RecordCount>(&act)) return &record->witness;
  return nullptr;
}

const Badge* gives_pin_to(const DualControlCommand& act) {
  if (const auto* add = std::get_if<AddPerson>(&act)) return &add->person.badge;
  if (const auto* reset = std::get_if<ResetPin>(&act)) return &reset->badge;
  return nullptr;
}

bool is_enrolment(const DualControlCommand& act) {
  return std::holds_alternative<Enrol>(act) || std::holds_alternative<Revoke>(act);
}

std::string summary(const DualControlCommand& act) { return std::visit(Summing{}, act); }

ResumeLinks with_links(std::vector<ResumeLinks::Suspended> suspended, std::string cause) {
  ResumeLinks resume;
  resume.cause = std::move(cause);
  constexpr std::size_t around = 64;  // the first line, and the last
  std::size_t length = around;
  for (ResumeLinks::Suspended& one : suspended) {
    const bool is_known =
        std::any_of(resume.links.begin(), resume.links.end(),
                    [&one](const auto& other) { return other.reason == one.reason; });
    constexpr std::size_t between = 7;  // the line's end, four spaces, ": "; or ", "
    length += one.link.text().size() + between + (is_known ? 0 : one.reason.size());
    if (length > limits::summary_length_max) {
      ++resume.others;
    } else {
      resume.links.push_back(std::move(one));
    }
  }
  return resume;
}

bool states_all_rules(const ChangeParameters& change) {
  return lines_told(change) == change.changes.size();
}

}  // namespace linkmeter
