#include "tests/property/naive_people.h"

#include <map>
#include <vector>

#include "tests/property/naive_link.h"

namespace linkmeter {

namespace {

struct NaiveRole {
  std::string name;
  Department department;
};

const std::map<Role, NaiveRole>& naive_roles() {
  static const std::map<Role, NaiveRole> all{
      {Role::dealer, {"dealer", Department::table_games}},
      {Role::floorperson, {"floorperson", Department::table_games}},
      {Role::poker_shift_supervisor, {"poker_shift_supervisor", Department::table_games}},
      {Role::table_games_manager, {"table_games_manager", Department::table_games}},
      {Role::cashier, {"cashier", Department::finance}},
      {Role::accountant, {"accountant", Department::finance}},
      {Role::finance_manager, {"finance_manager", Department::finance}},
      {Role::security_officer, {"security_officer", Department::security}},
      {Role::engineer, {"engineer", Department::systems}},
      {Role::auditor, {"auditor", Department::oversight}}};
  return all;
}

std::string department_name(Department department) {
  switch (department) {
    case Department::table_games: return "table_games";
    case Department::finance: return "finance";
    case Department::security: return "security";
    case Department::systems: return "systems";
    case Department::oversight: return "oversight";
  }
  return "";
}

std::string listed(const std::set<Role>& roles) {
  std::string all;
  for (const Role role : roles) {
    all += (all.empty() ? "" : " ") + naive_roles().at(role).name;
  }
  return all;
}

std::string correction_name(CorrectionReason reason) {
  const std::vector<std::string> names{"count_variance", "display_adjustment", "equipment_fault",
                                       "mispaid_award", "regulator_order"};
  return names.at(static_cast<std::size_t>(reason) - 1);
}

std::string transfer_name(TransferReason reason) {
  const std::vector<std::string> names{"discontinued", "merged", "regulator_order"};
  return names.at(static_cast<std::size_t>(reason) - 1);
}

std::string noted(const std::string& note) { return note.empty() ? "" : ", " + note; }

std::string in_digits(const Digest& digest) {
  std::string text;
  for (const int byte : digest) {
    for (const int half : {byte / 16, byte % 16}) {
      text += static_cast<char>(half < 10 ? '0' + half : 'a' + half - 10);
    }
  }
  return text;
}

std::string kind_name(EnrolmentKind kind) {
  if (kind == EnrolmentKind::node) return "node";
  return kind == EnrolmentKind::viewer ? "viewer" : "table";
}

struct Summary {
  std::string operator()(const ResumeLink& act) const {
    return "resume " + act.link.text() + ": " + act.reason;
  }
  std::string operator()(const ReplaceKey& act) const { return summary(DualControlCommand(act)); }
  // One line for each reason, with its links in the order of the floor.
  std::string operator()(const ResumeLinks& act) const {
    std::vector<std::string> reasons;
    std::map<std::string, std::string> links;
    for (const auto& one : act.links) {
      if (links.find(one.reason) == links.end()) reasons.push_back(one.reason);
      std::string& list = links[one.reason];
      list += (list.empty() ? "" : ", ") + one.link.text();
    }
    std::string text = "resume " + std::to_string(act.links.size()) + " suspended links:";
    for (const std::string& reason : reasons) text += "\n    " + links[reason] + ": " + reason;
    return text;
  }
  std::string operator()(const AcceptHistory& act) const {
    return summary(DualControlCommand(act));
  }
  std::string operator()(const LeaveCluster& act) const { return summary(DualControlCommand(act)); }
  std::string operator()(const UnfreezeTable& act) const { return "unfreeze " + act.table.text(); }
  std::string operator()(const ConfirmClock& act) const { return summary(DualControlCommand(act)); }
  std::string operator()(const NewRecoveryCodes& act) const {
    std::string text = "new recovery codes; the old ones are void";
    for (const Digest& code : act.codes) text += "\n    SHA-256 " + in_digits(code);
    return text;
  }
  std::string operator()(const CorrectMeter& act) const {
    const Exact amount = act.amount.units();
    return "correct " + act.link.text() + " " + act.level.text() + " by " +
           (amount < 0 ? "" : "+") + exact_text(amount) + ": " + correction_name(act.reason) +
           noted(act.note);
  }
  std::string operator()(const TransferMeter& act) const {
    return "transfer " + exact_text(act.amount.units()) + " from " + act.from.text() + " " +
           act.from_level.text() + " to " + act.to.text() + " " + act.to_level.text() + ": " +
           transfer_name(act.reason) + noted(act.note);
  }
  std::string operator()(const StopCollecting& act) const {
    return "stop collecting on " + act.link.text() + noted(act.note);
  }
  std::string operator()(const Discontinue& act) const {
    const std::string where = act.to.text() + " " + act.to_level.text();
    return "discontinue " + act.link.text() + ": " +
           (act.to.text() == "" ? "nothing on it is players'"
                                : "players' money goes to " + where +
                                      " (of a fund of pots all that it displays, reseed "
                                      "included, and its reserve)") +
           noted(act.note);
  }
  std::string operator()(const AddPerson& act) const {
    return "add " + act.person.badge.text() + " " + act.person.name + ", " +
           department_name(act.person.department) + ": " + listed(act.person.roles);
  }
  std::string operator()(const RemovePerson& act) const { return "remove " + act.badge.text(); }
  std::string operator()(const SetRoles& act) const {
    return "roles of " + act.badge.text() + ": " + listed(act.roles);
  }
  std::string operator()(const ResetPin& act) const { return "new PIN for " + act.badge.text(); }
  std::string operator()(const Enrol& act) const {
    return "enrol " + kind_name(act.enrolment.kind) + " " + act.enrolment.name + " with the key " +
           act.enrolment.key;
  }
  std::string operator()(const Revoke& act) const {
    return "revoke " + kind_name(act.kind) + " " + act.name;
  }
  std::string operator()(const ChangeParameters& act) const {
    std::string text = "parameters:";
    for (const std::string& line : act.changes) text += "\n    " + line;  // few, in a trial
    return text + "\n    floor file " + in_digits(act.floor_digest) + "\n    chapters " +
           in_digits(act.catalogue_digest);
  }
};

struct ActName {
  std::string operator()(const ValidateClaim&) const { return "validate_claim"; }
  std::string operator()(const RejectClaim&) const { return "reject_claim"; }
  std::string operator()(const PayClaim&) const { return "pay_claim"; }
  std::string operator()(const SuspendLink&) const { return "suspend_link"; }
  std::string operator()(const ChangePin&) const { return "change_pin"; }
  std::string operator()(const Propose&) const { return "propose"; }
  std::string operator()(const Confirm&) const { return "confirm"; }
  std::string operator()(const CountersignClaim&) const { return "countersign_claim"; }
  std::string operator()(const IssueSlip&) const { return "issue_slip"; }
  std::string operator()(const VoidSlip&) const { return "void_slip"; }
  std::string operator()(const PostNotice&) const { return "post_notice"; }
  std::string operator()(const CorrectHand&) const { return "correct_hand"; }
  std::string operator()(const CorrectDealer&) const { return "correct_dealer"; }
  std::string operator()(const CorrectPot&) const { return "correct_pot"; }
  std::string operator()(const TakeReading&) const { return "take_reading"; }
  std::string operator()(const RecordCount&) const { return "record_count"; }
  std::string operator()(const ExplainVariance&) const { return "explain_variance"; }
  std::string operator()(const SignDay&) const { return "sign_day"; }
  std::string operator()(const CloseDay&) const { return "close_day"; }
  std::string operator()(const MoveFund&) const { return "move_fund"; }
  std::string operator()(const AdjustDisplay&) const { return "adjust_display"; }
  std::string operator()(const FreezeTable&) const { return "freeze_table"; }
  std::string operator()(const Recover&) const { return "recover"; }
};

}  // namespace

NaivePerson NaivePerson::of(const Person& person) {
  NaivePerson made;
  made.name = person.name;
  made.department = person.department;
  made.roles = person.roles;
  made.pin = person.pin;
  made.failures = person.failures;
  made.removed = person.removed;
  made.pin_is_others = person.pin_set_by_other;
  return made;
}

bool may_go_together(Department department, const std::set<Role>& roles) {
  NaivePerson person;
  person.roles = roles;
  for (const Role role : roles) {
    if (naive_roles().at(role).department != department) return false;
  }
  const bool claims = person.is(Role::floorperson) || person.is(Role::poker_shift_supervisor) ||
                      person.is(Role::cashier);
  return !roles.empty() && !(claims && person.is_manager());
}

bool may_be_half(const NaivePerson& person, const DualControlCommand& act) {
  const bool is_keys = std::holds_alternative<Enrol>(act) || std::holds_alternative<Revoke>(act);
  return person.is_manager() || (is_keys && person.is_engineer());
}

std::string naive_summary(const DualControlCommand& act) { return std::visit(Summary{}, act); }

std::string naive_act_name(const OperatorCommand& act) { return std::visit(ActName{}, act); }

}  // namespace linkmeter
