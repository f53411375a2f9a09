// What one turn of the controller gathers before its commit.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "controller/turn/controller.h"
#include "controller/turn/operator_request.h"
#include "meters/rules/decide_operator.h"

namespace linkmeter {

struct Controller::Work {
  std::vector<std::string> entries;  // encoded, to be appended
  std::vector<std::pair<std::string, Welcome>> welcomes;
  std::map<std::string, HeartbeatAnswer> heartbeats;         // one answer per peer
  std::map<std::string, Acknowledgements> acknowledgements;  // one message per peer
  std::vector<std::pair<const PersonRequest*, ControlReply>> person_replies;
  Turn turn;

  void answer(const PersonRequest& request, const ControlReply& reply, Refusal why) {
    const std::string act = request.act        ? std::string(name(*request.act))
                            : request.signs_in ? "sign_in"
                                               : "";
    person_replies.emplace_back(&request, reply);
    if (why == Refusal::none) {
      turn.acted.push_back(Acted{request.badge, act, reply.entry, request.from});
    } else {
      turn.refused.push_back(Refused{
          std::string(name(request.source)), {}, {}, why, request.badge, act, request.from});
    }
  }
};

}  // namespace linkmeter
