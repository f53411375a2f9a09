// Public keys for a test's tables. The core never interprets a key.
#pragma once

#include <string>
#include <vector>

#include "meters/floor/floor.h"
#include "meters/values/enrolment.h"
#include "meters/values/invariant.h"

namespace linkmeter {

// A well-formed key, different for every name.
inline std::string key_of(const std::string& name) {
  constexpr std::size_t key_length = 40;
  INVARIANT(name.size() < key_length);
  return name + "+" + std::string(key_length - 1 - name.size(), '0');
}

inline std::vector<Enrolment> keys_of(const Floor& floor) {
  std::vector<Enrolment> all;
  for (const TableConfig& table : floor.tables) {
    const std::string id = table.id.text();
    all.push_back({EnrolmentKind::table, id, key_of(id)});
  }
  return all;
}

}  // namespace linkmeter
