// StandbyLoop: the main thread of a node that is not the writer. It repeats one round until this
// node becomes the writer, leaves the cluster, or gets the stop signal.
//
// One round:
//   1. Wait for entries, for input, for the stop signal, or until a service is due.
//   2. Follow: apply and commit the entries that came from etcd, or from another node if etcd no
//      longer has them, and report them to on_turn() of every service, so that signs and pages show
//      them.
//   3. Refuse tables and people, with the writer's endpoint.
//   4. Call serve() of every service.
// It returns when the key `writer` is this node's and every entry has been followed, and when two
// managers have let this node go on alone (cluster_leaving.h).
//
// Law: it appends no entry, but those with which this node leaves the cluster.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/auth/authenticator.h"
#include "controller/catch_up.h"
#include "controller/cluster/cluster.h"
#include "controller/cluster_leaving.h"
#include "controller/cluster_replies.h"
#include "controller/journal_files.h"
#include "controller/sockets/control_socket.h"
#include "controller/sockets/table_socket.h"
#include "controller/store/journal.h"
#include "controller/time/clock.h"
#include "controller/time/moment.h"
#include "controller/turn/controller.h"
#include "controller/turn/service.h"
#include "proto/host/shutdown_signal.h"

namespace linkmeter {

class StandbyLoop {
 public:
  // All must outlive the loop.
  struct Parts {
    Controller& controller;
    const Journal& journal;
    Cluster& cluster;
    Clock& clock;
    TableSocket& tables;
    ControlSocket& operators;
    Authenticator& authenticator;
    CatchUp& catch_up;
    JournalFiles& files;
    NodeRecord record;  // this node
    std::string key;    // its public key
    ClusterLeaving& leaving;
    // Why this node must not become the writer; "": it may. Called in every round.
    std::function<std::string()> obstacle;
    // Called once, when this node has every entry that etcd had at some read of `head`.
    std::function<void()> caught_up;
  };
  // How this node became the writer.
  struct Won {
    EtcdRevision epoch = 0;
    bool is_handover = false;                    // the writer before named this node
    std::chrono::microseconds without_writer{};  // as far as this node saw
  };

  explicit StandbyLoop(Parts parts) : parts_(std::move(parts)) {}

  // `service` must outlive this.
  void add(Service& service) { services_.push_back(&service); }
  // As of the last round.
  [[nodiscard]] ClusterStatus status() const;
  // nullopt: the stop signal came, or this node has left the cluster. Throws Fault.
  [[nodiscard]] std::optional<Won> run(const ShutdownSignal& stop);

 private:
  static constexpr std::chrono::milliseconds wait_max{200};

  // Returns true if the stop signal came.
  [[nodiscard]] bool wait(const ShutdownSignal& stop) const;
  void follow(Cluster::News& news);
  // Those that the journal does not have yet.
  void follow(std::vector<StoredEntry> entries);
  void check_name(const Cluster::News& news);
  void note_writer(const Cluster::News& news);
  void note_progress();
  std::optional<OperatorRequest> take_request();
  void refuse_all();
  void report(const Controller::Turn& turn);
  [[nodiscard]] Moment moment() const;

  Parts parts_;
  std::vector<Service*> services_;
  std::optional<std::chrono::microseconds> writer_gone_at_, namesake_since_;  // boot_time()
  std::string writer_;  // the last one that was logged
  std::string error_;
  std::string obstacle_;
  bool has_caught_up_ = false;
  Cluster::News news_;  // the last ones, without entries
  bool is_empty_logged_ = false;
};

}  // namespace linkmeter
