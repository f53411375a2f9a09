// State codec: state <-> the rows of the state tables. A row's value starts with a checksum over
// key and content, so a damaged row is found when it is read.
//
// Keys: "floor", "link/L", "desk/T", "answers/T/P", "round/T/ID", "ended/T/P" (P: a part of a ring,
// limits::answers_per_row), "check", "clock", "keys", "claim/N", "day/N", "restoration/N"; numbers
// are big-endian bytes, so that rows come back in order.
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

// Builds the state from its rows; `why` says what is wrong with them if the answer is nullopt.
struct StateRead {
  std::optional<State> state;
  std::string why;
  // The rows are whole enough to say that another release has written them: the journal gives the
  // state, and nothing is wrong.
  bool is_other_version = false;
};
StateRead read_state(EntryNumber last_entry, const std::vector<Row>& rows);
// One link, from its row alone; nullopt: the row is damaged.
std::optional<LinkBalances> read_link_row(const Row& row);
// One claim, from its row alone; nullopt: the row is damaged.
std::string claim_row_key(ClaimNumber number);
std::optional<Claim> read_claim_row(const Row& row);
// The entry that the configuration in force took effect with, from the row "floor" alone; nullopt:
// the row is damaged.
std::optional<EntryNumber> read_configuration_row(const Row& row);

// State row: what every row of the state tables begins with. Their version: proto/host/release.h.

inline constexpr std::size_t row_checksum_size = 8;

// Finds a damaged or misplaced row. Against an attacker stands the journal's chain.
std::string row_checksum(std::string_view key, std::string_view content);

}  // namespace linkmeter
