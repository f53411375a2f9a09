// ClusterLeaving: two managers let this node go on alone, without etcd (LeaveCluster of
// meters/facts/writer_change.h). The standby loop asks it for each request of a person.
//
// Laws: the proposal is kept in memory. It and its confirmation become entries together, or neither
// does: as long as the node has not left, its journal is that of the cluster. A node leaves only if
// etcd has not answered for two leases, and its own lease is over, at the proposal and at the
// confirmation, with the entry and its time that both persons read. An answer of etcd ends the
// proposal. Only the owner of the data folder can ask (DIR/control). After `wrong_pins_max` wrong
// PINs, which nobody can journal, it takes no request until the next start.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

#include "controller/sockets/control_socket.h"
#include "controller/store/journal.h"
#include "controller/turn/controller.h"

namespace linkmeter {

class ClusterLeaving {
 public:
  static constexpr int wrong_pins_max = 5;

  // All must outlive this. `data`: the data folder of a node. `lease`: of the nodes.
  ClusterLeaving(Controller& controller, const Journal& journal, ControlSocket& operators,
                 std::filesystem::path data, std::chrono::seconds lease)
      : controller_(controller),
        journal_(journal),
        operators_(operators),
        data_(std::move(data)),
        silence_min_(2 * lease) {}

  // How long etcd has not answered now, and whether this node's lease may still live. Call it
  // before take(), in every round.
  void note_silence(std::chrono::microseconds silence, bool holds_lease);
  // Whether etcd has been silent for long enough. Without that every request to leave is refused
  // before its PIN matters.
  [[nodiscard]] bool is_possible() const { return silence_ >= silence_min_ && !holds_lease_; }
  // Whether the PIN of this request matters now.
  [[nodiscard]] bool needs_pin(const OperatorRequest& request) const {
    return is_possible() && wrong_pins_ < wrong_pins_max && is_about_leaving(request);
  }
  // Answers the request. False: it is not about leaving.
  [[nodiscard]] bool take(const OperatorRequest& request, Timestamp now);
  // The turn with which this node has left the cluster; nullopt: it has not.
  [[nodiscard]] const std::optional<Controller::Turn>& left() const { return left_; }

 private:
  [[nodiscard]] bool is_about_leaving(const OperatorRequest& request) const;
  [[nodiscard]] ControlReply answer(const OperatorRequest& request, Timestamp now);

  Controller& controller_;
  const Journal& journal_;
  ControlSocket& operators_;
  const std::filesystem::path data_;
  const std::chrono::microseconds silence_min_;
  std::chrono::microseconds silence_{};
  bool holds_lease_ = false;
  std::optional<Controller::TimedRequest> proposed_;
  std::optional<Controller::Turn> left_;
  int wrong_pins_ = 0;
};

}  // namespace linkmeter
