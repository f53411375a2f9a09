// Input from a disk: entries of the journal, and rows of the state tables with a correct checksum,
// as after deliberate damage. What decodes encodes to the same; an entry that breaks no law and is
// valid after the state before it can be applied, described, exported and reported.
#include <optional>
#include <string>

#include "meters/rules/laws.h"
#include "meters/values/invariant.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"
#include "proto/codec/whole_state.h"
#include "tests/fuzz/fixture.h"
#include "tests/fuzz/target.h"

namespace linkmeter::fuzz {

void judge_journal(std::string_view bytes) {
  const std::optional<Entry> entry = decode_entry(bytes);
  if (!entry) return;
  const std::string written = encode(*entry);
  const auto again = decode_entry(written);
  INVARIANT(again.has_value());
  INVARIANT(*again == *entry);
  INVARIANT(encode(*again) == written);
  const Played& played = Played::once();
  if (law_violation(*entry) || entry->number.value() == 0) return;
  if (entry->number.value() > played.before.size()) return;
  const State& before = played.before[entry->number.value() - 1];
  if (validate_entry(before, *entry)) return;
  State after = before;
  after.apply(*entry);
  static_cast<void>(law_violation(after));
  hold_readers(*entry, after);
}

// KEY, a zero byte, and the contents behind the row's checksum.
void judge_state_row(std::string_view bytes) {
  const std::size_t end = bytes.find('\0');
  if (end == std::string_view::npos) return;
  const std::string key(bytes.substr(0, end));
  const std::string_view content = bytes.substr(end + 1);
  const Row row{key, row_checksum(key, content) + std::string(content)};
  static_cast<void>(read_link_row(row));
  static_cast<void>(read_claim_row(row));
  static_cast<void>(read_configuration_row(row));
  const Played& played = Played::once();
  std::vector<Row> rows = played.rows;
  bool is_there = false;
  for (Row& one : rows) {
    if (one.key != key) continue;
    one = row;
    is_there = true;
  }
  if (!is_there) rows.push_back(row);
  const StateRead read = read_state(played.state.last_entry(), rows);
  INVARIANT(read.state.has_value() == read.why.empty());
  if (!read.state) return;
  const StateRead again = read_state(played.state.last_entry(), rows_of(*read.state));
  INVARIANT(again.state.has_value());
  INVARIANT(*again.state == *read.state);
}

}  // namespace linkmeter::fuzz
