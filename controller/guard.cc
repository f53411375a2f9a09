#include "controller/guard.h"

#include <spdlog/spdlog.h>

#include <utility>
#include <vector>

#include "meters/limits.h"

namespace linkmeter {

Guard::Guard(Controller& controller, const LmdbJournal& journal, Clock& clock, Terms terms)
    : controller_(controller),
      journal_(journal),
      clock_(clock),
      terms_(std::move(terms)),
      recount_(terms_.recount_round) {}

std::set<LinkPlace> Guard::serve() {
  std::set<LinkPlace> changed;
  watch_room(changed);
  recount(changed);
  return changed;
}

void Guard::watch_room(std::set<LinkPlace>& changed) {
  const Room room = room_on(terms_.data, journal_.map_bytes_free(), journal_.map_used_fraction());
  const auto reason = shortage(room, terms_.margins);
  if (!reason) return;
  const State& state = controller_.state();
  std::vector<SelfSuspension> suspensions;
  for (std::uint32_t index = 0; index < state.floor().links.size(); ++index) {
    const LinkPlace link(index);
    if (state.link(link).suspended.empty()) suspensions.push_back({link, *reason});
  }
  if (suspensions.empty()) return;
  spdlog::error("suspend links={} reason=\"{}\"", suspensions.size(), *reason);
  changed.merge(controller_.suspend(suspensions, clock_.now()).changed);
}

void Guard::recount(std::set<LinkPlace>& changed) {
  const State& state = controller_.state();
  const auto link = recount_.due(clock_.uptime(), state.floor().links.size());
  if (!link) return;
  auto wrong = mismatch(state, journal_, *link);
  if (!wrong) return;
  spdlog::error("suspend link={} reason=\"{}\"", state.floor().link(*link).id.text(), *wrong);
  difference_at_ = clock_.now();
  changed.merge(controller_.recover(*link, *wrong, *difference_at_, terms_.alive).changed);
}

}  // namespace linkmeter
