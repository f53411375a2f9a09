#include <chrono>
#include <iostream>
#include <string>
#include <variant>

#include "controller/cli/shell/command.h"
#include "controller/integrity/startup.h"
#include "controller/time/clock.h"
#include "meters/values/time_text.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

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

int list_proposals(const Source& from, bool as_json) {
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

void declare_proposals(CLI::App& app, CommandBuilder& declare) {
  declare.reading(app, "proposals", "List the proposals that wait for confirmation",
                  [&given = declare.options] { return list_proposals(given.from, given.json); });
  CLI::App* second =
      declare.asking(app, "confirm", "Confirm a proposal of a person of another department",
                     [&given = declare.options](const OperatorClient& by) {
                       return confirm(by, ProposalNumber(given.number));
                     });
  declare.takes_number(second, "proposal", "The proposal's number");
  second->footer(
      "The table games manager and a finance manager confirm each other's proposals. A key of a\n"
      "table or viewer (enroll, revoke) takes an engineer and one of these managers: either one\n"
      "proposes it, and the other confirms. A proposal expires after two minutes.");
}

}  // namespace linkmeter::cli
