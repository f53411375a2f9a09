#include "controller/turn/unmarked_people.h"

#include <utility>

#include "proto/host/sha256.h"

namespace linkmeter {

std::uint64_t pin_mark(const std::string& seal) {
  const Digest digest = sha256(seal);
  std::uint64_t mark = 0;
  for (std::size_t at = 0; at < sizeof mark; ++at) mark = mark << 8U | digest[at];
  return mark == 0 ? 1 : mark;
}

std::vector<PanelPerson> UnmarkedPeople::marked(TableIndex table, std::vector<PanelPerson> people,
                                                const State& state) {
  std::map<Badge, std::uint64_t> known;
  for (PanelPerson& one : people) {
    const Person* person = state.find_person(one.badge);
    if (one.pin_mark != 0 || person == nullptr) continue;
    const auto& before = known_[table];
    const auto found = before.find(one.badge);
    one.pin_mark = found != before.end() ? found->second : pin_mark(person->pin);
    known[one.badge] = one.pin_mark;
  }
  if (known.empty()) {
    known_.erase(table);
  } else {
    known_[table] = std::move(known);
  }
  return people;
}

}  // namespace linkmeter
