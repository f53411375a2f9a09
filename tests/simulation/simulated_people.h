// SimulatedPeople: the people at the operator socket and the pages, with the traffic of the
// property tests: mostly people with the right, often others, now and then with a wrong PIN. A
// request takes a while to arrive; a person without an answer repeats it.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/property/day_traffic.h"
#include "tests/property/dice.h"
#include "tests/property/naive_model.h"
#include "tests/property/people_traffic.h"
#include "tests/simulation/faults.h"
#include "tests/simulation/person_request.h"

namespace linkmeter {

class SimulatedPeople {
 public:
  explicit SimulatedPeople(Dice dice)
      : people_(dice.fork()), days_(dice.fork()), dice_(dice.fork()) {}

  // A person may start a request. They see the committed state.
  void step(const Faults& faults, const NaiveModel& model, Timestamp now, std::int64_t steady_us);
  // The requests that have arrived by now, in order.
  [[nodiscard]] std::vector<PersonRequest> arrive(std::int64_t steady_us);
  // The controller died, or the answer was lost: some people repeat the request.
  void unanswered(const std::vector<PersonRequest>& asked, std::int64_t steady_us);
  // Drops the requests in transit, and repeats none.
  void go_home() {
    on_the_way_.clear();
    are_home_ = true;
  }
  [[nodiscard]] bool loses_answers() { return dice_.percent(20); }
  // The finding lives as long as this object.
  const DayFinding* keep(DayFinding finding) { return &findings_.emplace_back(std::move(finding)); }
  [[nodiscard]] std::string new_peer() { return "person " + std::to_string(++count_); }

 private:
  [[nodiscard]] std::optional<PersonRequest> think(const Faults& faults, const NaiveModel& model,
                                                   Timestamp now);
  [[nodiscard]] PersonRequest about_keys(const NaiveModel& model);
  void send(PersonRequest asked, std::int64_t at_us);

  PeopleTraffic people_;
  DayTraffic days_;
  Dice dice_;
  std::uint64_t count_ = 0;
  bool are_home_ = false;
  std::deque<DayFinding> findings_;
  std::map<std::pair<std::int64_t, std::uint64_t>, PersonRequest> on_the_way_;  // by arrival
};

}  // namespace linkmeter
