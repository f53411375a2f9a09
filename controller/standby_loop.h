// StandbyLoop: the main thread of a node that is not the writer, one round after the other, until
// this node becomes the writer or a stop signal comes.
//
// One round:
//   1. Wait for entries, for input, for the stop signal, or until a service is due.
//   2. Follow: apply and commit the entries that came from etcd, or from another node if etcd no
//      longer has them, and report them to on_turn() of every service, so that signs and pages show
//      them.
//   3. Refuse tables and people, with the writer's endpoint.
//   4. Call serve() of every service.
// It returns with `true` when the key `writer` is this node's and every entry has been followed.
//
// Law: it appends no entry.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/auth/authenticator.h"
#include "controller/catch_up.h"
#include "controller/cluster/cluster.h"
#include "controller/cluster_replies.h"
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
    NodeRecord record;  // this node
    std::string key;    // its public key
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
  // nullopt: the stop signal came. Throws Fault.
  [[nodiscard]] std::optional<Won> run(const ShutdownSignal& stop);

 private:
  static constexpr std::chrono::milliseconds wait_max{200};
  // From one commit of followed entries to the next. A sync for each small commit of the writer
  // would keep the disk busy.
  static constexpr std::chrono::milliseconds follow_interval{10};

  // Returns true if the stop signal came.
  [[nodiscard]] bool wait(const ShutdownSignal& stop) const;
  void follow(Cluster::News& news);
  // Those that the journal does not have yet.
  void follow(std::vector<StoredEntry> entries);
  void check_name(const Cluster::News& news);
  void note_writer(const Cluster::News& news);
  void refuse_all();
  void report(const Controller::Turn& turn);
  [[nodiscard]] Moment moment() const;

  Parts parts_;
  std::vector<Service*> services_;
  std::optional<std::chrono::microseconds> writer_gone_at_, namesake_since_;  // boot_time()
  std::chrono::microseconds follow_at_{};                                     // boot_time()
  std::string writer_;  // the last one that was logged
  std::string error_;
  Cluster::News news_;  // the last ones, without entries
  bool is_empty_logged_ = false;
};

}  // namespace linkmeter
