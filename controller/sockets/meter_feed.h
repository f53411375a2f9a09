// MeterFeed: publishes the meters to everybody who subscribes (ZeroMQ XPUB). A message is one
// frame: the topic "meter/LINK", a zero byte, and a MeterUpdate (proto/wire.proto). The feed is
// lossy by design and never delays an acknowledgement: a slow subscriber misses updates and gets
// the next one. Messages have one frame because ZeroMQ aborts a process that loses a peer in the
// middle of a multipart message. MeterFeed builds the updates between turns; FeedPublisher sends
// them on its own thread.
//
// Laws: only committed state is published, so note() is called after the turn. Every update is the
// complete state of its link, with its entry number (which never goes back) and time. An update
// that is older than its maximum age is stale. Therefore a link is published every second even
// without a change, a changed link at most every 20 ms, a win at once, and to a new subscriber at
// once. ZeroMQ matches topics by prefix: a subscription to "meter/A" also matches meter/AB;
// "meter/A" with the zero byte matches that link alone.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>
#include <zmq.hpp>

#include "controller/sockets/feed_publisher.h"
#include "controller/sockets/zap_authenticator.h"
#include "controller/time/moment.h"
#include "controller/turn/service.h"
#include "controller/turn/table_presence.h"
#include "controller/view/recent_awards.h"
#include "meters/facts/table_command.h"
#include "meters/state/state.h"
#include "meters/values/identity.h"
#include "meters/values/timestamp.h"
#include "proto/codec/feed_codec.h"

namespace linkmeter {

class MeterFeed final : public Service {
 public:
  static constexpr std::chrono::microseconds publish_interval_min{20'000};
  static constexpr std::chrono::microseconds publish_interval_max{1'000'000};
  static constexpr std::chrono::milliseconds maximum_age{3'000};

  // Throws Fault. REQUIRES: state.is_open(). `context`, `admission`, `state` and `presence` must
  // outlive this.
  MeterFeed(zmq::context_t& context, ZapAuthenticator& admission, const std::string& endpoint,
            const State& state, const TablePresence& presence);

  [[nodiscard]] const std::string& endpoint() const { return publisher_.endpoint(); }

  // This controller is a node of a cluster: updates name it.
  void set_node(std::string node) { node_ = std::move(node); }

  // The changes of a turn. Links with a new claim are published now.
  void note(const std::set<LinkIndex>& changed, const std::vector<ClaimNumber>& raised, Moment now);
  // Tables were linked or lost: their links are published as changed.
  void note(const std::vector<TablePresence::Change>& changes);
  void on_turn(const CommittedTurn& done) override {
    note(done.turn.changed, done.turn.raised, done.now);
  }
  void on_tables_changed(const std::vector<TablePresence::Change>& changes,
                         const State& /*state*/) override {
    note(changes);
  }
  // Publishes what is due.
  void serve(Moment now) override;
  [[nodiscard]] std::optional<std::chrono::microseconds> due(
      std::chrono::microseconds /*uptime*/) const override {
    return next_due_;
  }
  // The amounts last published, for a reading.
  [[nodiscard]] const ShownAmounts& shown() const { return shown_; }

 private:
  struct LinkFeed {
    bool changed = false;
    std::chrono::microseconds published = -publish_interval_max;
    [[nodiscard]] std::chrono::microseconds due() const {
      return published + (changed ? publish_interval_min : publish_interval_max);
    }
  };

  void changed(LinkIndex link);
  void publish(LinkIndex link, Moment now);
  [[nodiscard]] MeterUpdate update(LinkIndex link, Moment now) const;

  const State& state_;
  const TablePresence& presence_;
  RecentAwards awards_;
  std::vector<LinkFeed> links_;  // by link index
  FeedPublisher publisher_;
  std::string node_;  // "": not a node
  ShownAmounts shown_;
  std::chrono::microseconds next_due_{};  // over all links
};

}  // namespace linkmeter
