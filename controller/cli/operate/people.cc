#include <chrono>
#include <iostream>
#include <string>
#include <variant>

#include "controller/cli/shell/command.h"
#include "controller/cli/shell/operator_client.h"
#include "controller/cli/shell/text_table.h"
#include "controller/integrity/startup.h"
#include "controller/time/clock.h"
#include "meters/values/person.h"
#include "meters/values/time_text.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

namespace {

std::string_view standing(const Person& person, Timestamp now) {
  if (person.removed) return "removed";
  return person.is_locked(now) ? "locked" : "active";
}

bool ends_by_itself(const Person& person, Timestamp now) {
  return !person.removed && person.is_locked(now) && person.locked_until != until_new_pin;
}

Json person_json(const Person& person, Timestamp now) {
  Json roles = Json::array();
  for (const Role role : person.roles) roles.push_back(name(role));
  return Json{{"badge", person.badge.text()},
              {"name", person.name},
              {"department", name(person.department)},
              {"roles", std::move(roles)},
              {"state", standing(person, now)},
              {"locked_until",
               ends_by_itself(person, now) ? Json(text(person.locked_until)) : Json(nullptr)},
              {"failures", person.failures},
              {"pin_is_given", person.pin_is_given}};
}

// "locked to 14:05Z", "PIN given", or the state.
std::string state_cell(const Json& person) {
  const Json& until = person.at("locked_until");
  if (!until.is_null()) return "locked to " + until.get<std::string>().substr(11, 5) + "Z";
  const std::string state = person.at("state");
  return state == "active" && person.at("pin_is_given") == true ? "PIN given" : state;
}

std::string roles_cell(const Json& roles) {
  std::string all;
  for (const Json& role : roles) all += (all.empty() ? "" : " ") + role.get<std::string>();
  return all;
}

}  // namespace

int people(const Source& from, bool as_json) {
  const State state = current_state(*open_data(from));
  const Timestamp now = Clock().now();
  Json all = Json::array();
  for (const auto& [badge, person] : state.people()) all.push_back(person_json(person, now));
  print(all, as_json,
        {left("badge"), left("name"), left("department"), left("state", "", state_cell),
         left("roles", "roles", roles_cell)});
  return 0;
}

namespace {

constexpr std::chrono::seconds time_answer_max{2};

// All lines of a change of parameters, if its summary leaves some out.
void print_whole(const DualControlCommand& act) {
  const auto* change = std::get_if<ChangeParameters>(&act);
  if (change == nullptr || states_all_rules(*change)) return;
  std::cout << "all " << change->changes.size() << " lines of it:\n";
  for (const std::string& line : change->changes) std::cout << "    " << line << '\n';
}

// All lines of a change of parameters.
Json changes_of(const DualControlCommand& act) {
  const auto* change = std::get_if<ChangeParameters>(&act);
  return change == nullptr ? Json(nullptr) : Json(change->changes);
}

std::string line(const Proposal& proposal, Timestamp now) {
  return "proposal " + std::to_string(proposal.number.value()) + " by " + proposal.by.text() +
         ", " + (proposal.has_expired(now) ? "expired at " : "until ") +
         text(proposal.expires_at()) + ": " + summary(proposal.act);
}

// What people must do next, so that only the new key is in use.
void print_next_step(KeyKind kind) {
  if (kind == KeyKind::controller) {
    std::cout << "the new key takes effect with the next start of the controller; then carry the "
                 "files of DIR/credentials to other machines\n";
  } else if (kind == KeyKind::pin) {
    std::cout << "each person changes the PIN now: linkmeter person pin --by BADGE; linkmeter keys "
                 "list shows who has not done so\n";
  }
}

}  // namespace

Timestamp controller_time(const Source& from, const Journal& journal, const State& state) {
  try {
    const Timestamp now = ask_status(from, time_answer_max).now;
    if (now != Timestamp()) return now;
  } catch (const Fault&) {
    if (from.is_socket()) throw;
    // It is stopped, does not answer, or this user may not ask it.
  }
  return Clock(clock_terms(journal, state.clock(), state.last_check())).now();
}

int proposals(const Source& from, bool as_json) {
  const auto journal = open_data(from);
  const State state = current_state(*journal);
  const Timestamp now = controller_time(from, *journal, state);
  Json all = Json::array();
  if (!as_json && state.proposals().empty()) std::cout << "no proposal waits\n";
  for (const Proposal& proposal : state.proposals()) {
    if (!as_json) {
      std::cout << line(proposal, now) << '\n';
      print_whole(proposal.act);
      continue;
    }
    all.push_back(Json{{"proposal", proposal.number.value()},
                       {"summary", summary(proposal.act)},
                       {"changes", changes_of(proposal.act)},
                       {"by", proposal.by.text()},
                       {"proposed_at", text(proposal.at)},
                       {"expires_at", text(proposal.expires_at())},
                       {"expired", proposal.has_expired(now)}});
  }
  if (as_json) print_json(all);
  return 0;
}

int confirm(const OperatorClient& asker, ProposalNumber number) {
  require_controller(asker.from);
  const auto journal = open_data(asker.from);
  const State state = current_state(*journal);
  const Proposal* proposal = state.find_proposal(number);
  if (proposal == nullptr) {
    throw Fault("there is no proposal " + std::to_string(number.value()) +
                " that waits for confirmation");
  }
  if (!asker.json) {
    std::cout << line(*proposal, controller_time(asker.from, *journal, state)) << '\n';
    print_whole(proposal->act);
    std::cout << std::flush;
  }
  if (std::holds_alternative<NewRecoveryCodes>(proposal->act)) {
    return confirm_recovery_codes(asker, *proposal);
  }
  const int code = ask(asker, Confirm{number, summary(proposal->act)});
  const auto* replace = std::get_if<ReplaceKey>(&proposal->act);
  if (code == 0 && !asker.json && replace != nullptr) print_next_step(replace->kind);
  return code;
}

}  // namespace linkmeter::cli
