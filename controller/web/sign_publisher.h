// SignPublisher: publishes what pages show, as JSON for server-sent events: for every link what its
// sign shows, topic "sign/LINK"; for the floor console the whole floor, topic "floor"; for the page
// of the nodes, if this controller is one, what it knows of them, topic "nodes".
//
// Laws: it shows only what is committed, so note() is called after the turn. Every update is
// complete, and has the journal entry of its state and its age; one older than its maximum age is
// stale. A link is published again every second even without a change, a changed link at most every
// 200 ms, and a win at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "config/reader/floor_file.h"
#include "controller/signs/sign_image.h"
#include "controller/time/moment.h"
#include "controller/turn/table_presence.h"
#include "controller/view/json.h"
#include "controller/view/recent_awards.h"
#include "meters/floor/floor.h"
#include "meters/state/state.h"
#include "meters/values/identity.h"
#include "proto/http/server.h"

namespace linkmeter {

class SignPublisher {
 public:
  static constexpr std::chrono::microseconds publish_interval_min{200'000};
  static constexpr std::chrono::microseconds publish_interval_max{1'000'000};
  static constexpr std::chrono::milliseconds maximum_age{3'000};

  using Publish = std::function<void(const std::string& topic, const std::string& event,
                                     std::string data, std::uint64_t id)>;

  // REQUIRES: state.is_open(); all arguments except `notices` and `publish` outlive this. `rules`
  // may change.
  SignPublisher(const State& state, const FloorRules& rules, const TablePresence& presence,
                Notices notices, Publish publish);

  // Gives the state of serial signs for the floor console; without it there are none.
  void set_serial_signs(std::function<Json(Timestamp)> signs) { serial_signs_ = std::move(signs); }
  // Gives what documents say of the cluster, as members of an object (cluster_members()); without
  // it nothing.
  void set_cluster(std::function<Json()> cluster) { cluster_ = std::move(cluster); }
  // The links that a turn changed, and the claims that it raised. Publishes links with a new claim,
  // and the floor, at once.
  void note(const std::set<LinkIndex>& changed, const std::vector<ClaimNumber>& raised, Moment now);
  // Whether the dealer of each table requests a floorperson.
  void note(const std::map<TableIndex, bool>& calls_floor);
  // Tables that connected or disconnected.
  void note(const std::vector<TablePresence::Change>& changes);
  // Something else changed that the floor console shows, as a blocked round.
  void note_floor() { floor_.changed = true; }
  // Publishes what is due.
  void serve(Moment now);
  // How long until serve() has something to publish.
  [[nodiscard]] std::chrono::milliseconds time_until_due(std::chrono::microseconds uptime) const;

  static std::string topic_of(const LinkId& link) { return "sign/" + link.text(); }
  static constexpr const char* floor_topic = "floor";
  static constexpr const char* nodes_topic = "nodes";
  [[nodiscard]] Json sign(LinkIndex index, Timestamp as_of) const;
  [[nodiscard]] Json floor(Timestamp as_of) const;

 private:
  [[nodiscard]] Json summary(ClaimNumber number, Timestamp as_of) const;
  struct Publishing {
    bool changed = true;
    std::chrono::microseconds published = -publish_interval_max;
    [[nodiscard]] std::chrono::microseconds due() const {
      return published + (changed ? publish_interval_min : publish_interval_max);
    }
  };

  [[nodiscard]] Json with_cluster(Json document) const;
  void publish_sign(LinkIndex place, Moment now);
  void publish_floor(Moment now);
  void publish_head(Moment now);
  void publish_nodes(Moment now);
  // Updates which claims are open, and which were settled last.
  void update_claims();
  [[nodiscard]] Json award(const LinkConfig& terms, const Claim* claim, Timestamp as_of) const;
  [[nodiscard]] Json table_json(TableIndex place) const;

  const State& state_;
  const FloorRules& rules_;
  const TablePresence& presence_;
  Notices notices_;
  Publish publish_;
  std::function<Json(Timestamp)> serial_signs_;
  std::function<Json()> cluster_;
  RecentAwards awards_;
  std::vector<Publishing> links_;  // by place
  Publishing floor_;
  std::set<TableIndex> calling_;  // tables whose dealers request a floorperson
  std::set<ClaimNumber> open_;
  std::deque<ClaimNumber> settled_;  // latest first
  std::size_t seen_ = 0;             // claims that open_ and settled_ cover
};

// An update (controller/sockets/README.md) as an image.

// Few sizes are allowed, so that drawn images can be kept.
std::optional<std::pair<int, int>> sign_image_size(const std::string& text);
// Times are in `zone` (local_time.h). REQUIRES: an update as SignPublisher::sign() makes it.
SignImage sign_image_of(const Json& update, const std::string& zone);

}  // namespace linkmeter
