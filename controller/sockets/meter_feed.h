// Feed: the meters as everybody may see them (ZeroMQ XPUB): messages of one frame, the topic
// "meter/LINK", a zero byte, and a MeterUpdate (proto/wire.proto). Lossy on purpose, and never in
// the way of an acknowledgement: a slow subscriber misses updates and gets the next one. One frame,
// because ZeroMQ ends the process that loses a peer in the middle of a message of several. This
// makes the updates between turns; FeedPublisher sends them, in a thread of its own.
//
// Laws: only what is committed is shown, so note() is called after the turn. Every update is the
// whole truth about its link, with the entry it is the state of (never going back), and the moment;
// one older than its maximum age is stale. So a link is published anew every second even if nothing
// happens, a changed one at most every 20 ms, a win at once, and a new subscriber is told at once.
// ZeroMQ matches topics by their beginning: a subscriber to "meter/A" hears meter/AB too; to
// "meter/A" with the zero byte, that link alone.
#pragma once

#include <chrono>
#include <set>
#include <string>
#include <vector>
#include <zmq.hpp>

#include "controller/sockets/feed_publisher.h"
#include "controller/sockets/zap_authenticator.h"
#include "controller/time/moment.h"
#include "controller/turn/table_presence.h"
#include "controller/view/recent_awards.h"
#include "meters/facts/table_command.h"
#include "meters/state/state.h"
#include "meters/values/identity.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

class Feed {
 public:
  static constexpr std::chrono::microseconds publish_interval_min{20'000};
  static constexpr std::chrono::microseconds publish_interval_max{1'000'000};
  static constexpr std::chrono::milliseconds maximum_age{3'000};

  // Throws Fault. REQUIRES: state.is_open(). `context`, `admission`, `state` and `presence` must
  // outlive this.
  Feed(zmq::context_t& context, Admission& admission, const std::string& endpoint,
       const State& state, const Presence& presence);

  [[nodiscard]] const std::string& endpoint() const { return publisher_.endpoint(); }

  // What a turn changed. Links with a new claim are published now.
  void note(const std::set<LinkIndex>& changed, const std::vector<ClaimNumber>& raised, Moment now);
  // Tables came or went: their links are published as changed ones.
  void note(const std::vector<Presence::Change>& changes);
  // Publishes what is due.
  void serve(Moment now);
  // How long until serve() has something to publish.
  [[nodiscard]] std::chrono::milliseconds time_until_due(std::chrono::microseconds uptime) const;
  // What the signs were told last, for a reading.
  [[nodiscard]] const ShownAmounts& shown() const { return shown_; }

 private:
  struct LinkFeed {
    bool changed = false;
    std::chrono::microseconds published = -publish_interval_max;
    [[nodiscard]] std::chrono::microseconds due() const {
      return published + (changed ? publish_interval_min : publish_interval_max);
    }
  };

  void changed(LinkIndex place);
  void publish(LinkIndex place, Moment now);
  [[nodiscard]] std::string update(LinkIndex place, Timestamp as_of) const;

  const State& state_;
  const Presence& presence_;
  RecentAwards awards_;
  std::vector<LinkFeed> links_;  // by place
  FeedPublisher publisher_;
  ShownAmounts shown_;
  std::chrono::microseconds next_due_{};  // of all links
};

}  // namespace linkmeter
