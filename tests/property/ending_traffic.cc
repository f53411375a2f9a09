// PeopleTraffic: discontinuations of progressives, and transfers from them.

#include <algorithm>
#include <vector>

#include "tests/property/people_traffic.h"

namespace linkmeter {

// Rare, because a discontinued link cannot be used any more. Mostly a link without open claims,
// because other links can hardly ever end.
std::optional<DualControlCommand> PeopleTraffic::ending(const NaiveModel& model) {
  const auto has_claim = [&model](std::size_t place) {
    return std::any_of(model.claims().begin(), model.claims().end(), [place](const auto& claim) {
      return claim.link == place && claim.step != NaiveClaim::Step::paid &&
             claim.step != NaiveClaim::Step::rejected;
    });
  };
  const bool may_stop = dice_.one_in(150);
  const bool may_end = dice_.one_in(8);
  if (!may_stop && !may_end) return std::nullopt;
  std::vector<LinkId> running, stopped, not_now;  // ended already, or with an open claim
  for (std::size_t place = 0; place < model.books().size(); ++place) {
    const NaiveBook& book = model.books()[place];
    if (book.gone || (book.stopped && has_claim(place))) {
      not_now.emplace_back(model.terms()[place].id);
    } else if (!has_claim(place)) {
      (book.stopped ? stopped : running).emplace_back(model.terms()[place].id);
    }
  }
  if (may_stop) {
    const bool is_likely = !running.empty() && dice_.percent(80);
    return StopCollecting{is_likely ? dice_.pick(running) : link(model), note()};
  }
  if (stopped.empty() && not_now.empty() && !dice_.one_in(8)) return std::nullopt;
  LinkId which = link(model);
  if (!not_now.empty() && (stopped.empty() || dice_.one_in(3))) {
    which = dice_.pick(not_now);
  } else if (!stopped.empty() && dice_.percent(90)) {
    which = dice_.pick(stopped);
  }
  if (dice_.one_in(6)) return Discontinue{which, {}, {}, note()};
  const LinkId to = link(model);
  return Discontinue{which, to, level(model, to), note()};
}

// The amount on the meter that is not the house's, and now and then one unit more.
Amount PeopleTraffic::movable(const NaiveModel& model, const LinkId& link, const LevelId& level) {
  for (std::size_t place = 0; place < model.terms().size(); ++place) {
    const NaiveTerms& terms = model.terms()[place];
    if (terms.id != link.text()) continue;
    const int at = terms.level(level.text());
    const NaiveBook& book = model.books()[place];
    const Exact held = at < 0 ? book.reserve.held : book.levels[static_cast<std::size_t>(at)].held;
    const Exact most = held - book.of_house(terms, at) + (dice_.one_in(4) ? 1 : 0);
    return Amount::from_units(static_cast<std::int64_t>(most));
  }
  return Amount::from_units(1);
}

}  // namespace linkmeter
