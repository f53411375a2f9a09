#include "controller/cluster_leaving.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "controller/integrity/startup.h"
#include "controller/store/own_node.h"
#include "controller/turn/operator_reply.h"
#include "proto/codec/operator_codec.h"

namespace linkmeter {
namespace {

ControlReply no_leaving(std::string why) {
  ControlReply reply = refusal_reply(Refusal::leave_not_possible);
  reply.text += ": " + std::move(why);
  return reply;
}

}  // namespace

void ClusterLeaving::note_silence(std::chrono::microseconds silence, bool holds_lease) {
  silence_ = silence;
  holds_lease_ = holds_lease;
  if (!is_possible() && proposed_) {
    spdlog::info("etcd answers: this node does not leave the cluster");
    proposed_.reset();
  }
}

bool ClusterLeaving::is_about_leaving(const OperatorRequest& request) const {
  if (request.source != RequestSource::control || !request.act) return false;
  const bool confirms = std::holds_alternative<Confirm>(*request.act);
  return leaves_cluster(request) || (confirms && proposed_);
}

bool ClusterLeaving::take(const OperatorRequest& request, Timestamp now) {
  if (!is_about_leaving(request)) return false;
  const ControlReply reply = answer(request, now);
  if (reply.refusal != Refusal::none) spdlog::warn("not left: {}", reply.text);
  operators_.reply({request.peer, encode(reply)});
  return true;
}

ControlReply ClusterLeaving::answer(const OperatorRequest& request, Timestamp now) {
  if (!is_possible()) {
    if (holds_lease_) return no_leaving("the lease of this node still lives; wait until it ends");
    return no_leaving("it answered " +
                      std::to_string(std::chrono::ceil<std::chrono::seconds>(silence_).count()) +
                      " s ago; wait until it has been silent for " +
                      std::to_string(silence_min_ / std::chrono::seconds(1)) + " s");
  }
  if (wrong_pins_ >= wrong_pins_max) return refusal_reply(Refusal::too_many_requests);
  auto own = read_own_node(data_);
  if (!own) return no_leaving("this controller is no node");
  // Recorded time continues after the last writer's.
  std::vector<Controller::TimedRequest> asked = {{request, std::max(now, last_recorded(journal_))}};
  if (const auto* propose = std::get_if<Propose>(&*request.act)) {
    const auto& leave = std::get<LeaveCluster>(propose->act);
    if (leave != leave_of(*own, journal_)) return no_leaving("its last entry is another one now");
  } else {
    // Both persons decide about the same last entry.
    const auto& proposal = std::get<Propose>(*proposed_->request.act);
    if (std::get<LeaveCluster>(proposal.act) != leave_of(*own, journal_)) {
      proposed_.reset();
      return no_leaving("its last entry is another one now");
    }
    asked.insert(asked.begin(), *proposed_);
  }
  Controller::Leaving leaving = controller_.leave_cluster(asked);
  if (leaving.reply.refusal == Refusal::pin_wrong) ++wrong_pins_;
  if (leaving.has_left) {
    // A start finishes this, too (startup.cc).
    if (!std::exchange(own->has_caught_up, true)) write_own_node(data_, *own);
    spdlog::warn("left: {}", leaving.reply.text);
    left_ = std::move(leaving.turn);
  } else if (leaving.reply.refusal == Refusal::none) {
    leaving.reply.entry = EntryNumber();  // nothing is journaled yet
    spdlog::warn("{} proposes: {}", request.badge.text(), leaving.reply.summary);
    proposed_ = asked.front();
  }
  return std::move(leaving.reply);
}

}  // namespace linkmeter
