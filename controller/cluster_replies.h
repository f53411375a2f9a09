// ClusterReplies: answers what the owner of the data folder asks about the cluster over DIR/control
// (proto/codec/cluster_status.h), and hands the writer's role over on request. No PIN is needed:
// who owns the folder can also stop the controller.
//
// Law: a handover is refused if it would leave the tables without a writer for long: to a node that
// is not enrolled, does not run, or lacks more than handover_lag_max entries.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "controller/cluster/cluster.h"
#include "controller/sockets/control_socket.h"
#include "controller/turn/service.h"
#include "controller/view/json.h"
#include "meters/facts/writer_change.h"
#include "meters/values/enrolment.h"
#include "proto/codec/cluster_status.h"

namespace linkmeter {

// What this node knows of its cluster. `own`: its record, with its present head. `last`: the last
// change of the writer in its journal. `missing_files`: of its own folder.
ClusterStatus cluster_status(const Cluster::News& news, const NodeRecord& own,
                             const Enrolments& enrolments,
                             const std::optional<WriterChanged>& last = {},
                             std::uint64_t missing_files = 0);

// "standby of a, 12 entries behind": the status of a standby, for people.
std::string standby_text(const ClusterStatus& status);

// What pages say of it. Every document has {"node","writer","lag_seconds"}; the page of the nodes
// has in addition {"nodes": [{"name","role","lag_entries","pages"}] of all that are enrolled,
// "etcd": {"answers","members","healthy"}}.
Json cluster_members(const ClusterStatus& status);

inline constexpr std::uint64_t handover_lag_max = 1'000;  // entries

// The answer to the request to hand over to the node `to`: the name and text of a refusal, or "",
// which means that the handover begins now.
HandoverReply handover_reply(const ClusterStatus& status, const std::string& to);

class ClusterReplies final : public Service {
 public:
  using Status = std::function<ClusterStatus()>;
  // Ends this writer, after the answer was sent. May throw.
  using HandOver = std::function<void(const std::string& to)>;

  // A controller that is not a node. `operators` must outlive this.
  explicit ClusterReplies(ControlSocket& operators)
      : ClusterReplies(
            operators, [] { return ClusterStatus(); }, [](const std::string&) {}) {}
  // A node.
  ClusterReplies(ControlSocket& operators, Status status, HandOver hand_over)
      : operators_(operators), status_(std::move(status)), hand_over_(std::move(hand_over)) {}

  // Call it after all other services: a handover may end the process here.
  void serve(Moment now) override;

 private:
  ControlSocket& operators_;
  const Status status_;
  const HandOver hand_over_;
};

}  // namespace linkmeter
