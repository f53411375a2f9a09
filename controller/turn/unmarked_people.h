// UnmarkedPeople: people at panels whose agents do not report with which PIN they logged in. Such a
// person counts as logged in with the PIN in force when the table first named the badge: so the
// first change of that PIN ends the session.
//
// Laws: it remembers no more than the last heartbeat of each table named.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "meters/state/state.h"
#include "meters/values/identity.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

// Identifies the PIN of a hash without revealing it: the first 8 bytes of the hash's SHA-256. Never
// 0.
[[nodiscard]] std::uint64_t pin_mark(const std::string& seal);

class UnmarkedPeople {
 public:
  // The people of a table's heartbeat, each with a mark.
  [[nodiscard]] std::vector<PanelPerson> marked(TableIndex table, std::vector<PanelPerson> people,
                                                const State& state);

 private:
  std::map<TableIndex, std::map<Badge, std::uint64_t>> known_;
};

}  // namespace linkmeter
