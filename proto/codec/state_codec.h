// State codec: state <-> the rows of the state tables. A row's value starts with a checksum over
// key and content, so a damaged row is found when it is read.
//
// Keys: "floor", "link/L", "desk/T", "answers/T/P", "round/T/ID", "ended/T/P" (P: a part of a ring,
// limits::answers_per_row), "check", "clock", "keys", "writer", "claim/N", "day/N",
// "restoration/N"; numbers are big-endian bytes, so that rows come back in order.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meters/state/state.h"

namespace linkmeter {

struct Row {
  std::string key;
  std::optional<std::string> value;  // nullopt: erase
  friend bool operator==(const Row&, const Row&) = default;
};

// The rows that a commit must write for these changes.
std::vector<Row> rows_for(const State& state, const Changes& changes);

// Builds the state from its rows. If the result is nullopt, `why` describes the error.
struct StateRead {
  std::optional<State> state;
  std::string why;
  // Another release has written the rows. This is no damage: the state is made again from the
  // journal.
  bool is_other_version = false;
};
StateRead read_state(EntryNumber last_entry, const std::vector<Row>& rows);
// One link, from its row alone; nullopt: the row is damaged.
std::optional<LinkBalances> read_link_row(const Row& row);
// One claim, from its row alone; nullopt: the row is damaged.
std::string claim_row_key(ClaimNumber number);
std::optional<Claim> read_claim_row(const Row& row);
// The entry of the configuration in force, from the row "floor" alone; nullopt: the row is damaged.
std::optional<EntryNumber> read_configuration_row(const Row& row);

// State row: the start of every row of the state tables. Their version: proto/host/release.h.

inline constexpr std::size_t row_checksum_size = 8;

// Detects a damaged or misplaced row. The journal's hash chain protects against attackers.
std::string row_checksum(std::string_view key, std::string_view content);

}  // namespace linkmeter
