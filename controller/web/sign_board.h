// SignBoard: the meters and the floor as pages see them: for every link what its sign shows, topic
// "sign/LINK", and for the floor console the whole floor, topic "floor" (JSON; server-sent events).
//
// Laws: only what is committed is shown, so note() is called after the turn. Every text is the
// whole truth about its link, with the entry that it is the state of and its age: one older than
// its maximum age is stale. A link is published anew every second even if nothing happens, a
// changed one at most every 200 ms, a win at once.
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

class SignBoard {
 public:
  static constexpr std::chrono::microseconds publish_interval_min{200'000};
  static constexpr std::chrono::microseconds publish_interval_max{1'000'000};
  static constexpr std::chrono::milliseconds maximum_age{3'000};

  using Publish = std::function<void(const std::string& topic, const std::string& event,
                                     std::string data, std::uint64_t id)>;

  // REQUIRES: state.is_open(). All but the notices must outlive this; `rules` may change.
  SignBoard(const State& state, const FloorRules& rules, const TablePresence& presence,
            Notices notices, Publish publish);

  // What the floor console is told of signs on a line; without it: none.
  void set_line_signs(std::function<Json(Timestamp)> signs) { line_signs_ = std::move(signs); }
  // What a turn changed. Links with a new claim, and the floor, are published now.
  void note(const std::set<LinkIndex>& changed, const std::vector<ClaimNumber>& raised, Moment now);
  // Dealers want a floorperson, or no more.
  void note(const std::map<TableIndex, bool>& calls_floor);
  // Tables came or went.
  void note(const std::vector<TablePresence::Change>& changes);
  // Something else that the floor console shows: a round was blocked.
  void note_floor() { floor_.changed = true; }
  // Publishes what is due.
  void serve(Moment now);
  // How long until serve() has something to publish.
  [[nodiscard]] std::chrono::milliseconds time_until_due(std::chrono::microseconds uptime) const;

  static std::string topic_of(const LinkId& link) { return "sign/" + link.text(); }
  static constexpr const char* floor_topic = "floor";
  [[nodiscard]] Json sign(LinkIndex place, Timestamp as_of) const;
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

  void publish_sign(LinkIndex place, Moment now);
  void publish_floor(Moment now);
  void publish_head(Moment now);
  // Which claims are open, and which were settled last.
  void look_at_claims();
  [[nodiscard]] Json award(const LinkConfig& terms, const Claim* claim, Timestamp as_of) const;
  [[nodiscard]] Json table_json(TableIndex place) const;

  const State& state_;
  const FloorRules& rules_;
  const TablePresence& presence_;
  Notices notices_;
  Publish publish_;
  std::function<Json(Timestamp)> line_signs_;
  RecentAwards awards_;
  std::vector<Publishing> links_;  // by place
  Publishing floor_;
  std::set<TableIndex> calling_;  // tables whose dealers want a floorperson
  std::set<ClaimNumber> open_;
  std::deque<ClaimNumber> settled_;  // the last one first
  std::size_t seen_ = 0;             // claims looked at
};

// Still of: what a sign's update (controller/sockets/README.md) says, as a picture says it.

// The sizes of pictures that are drawn: few, so that what is drawn can be kept.
std::optional<std::pair<int, int>> sign_image_size(const std::string& text);
// Times are of `zone` (local_time.h). REQUIRES: an update as the sign board makes it.
SignImage sign_image_of(const Json& update, const std::string& zone);

}  // namespace linkmeter
