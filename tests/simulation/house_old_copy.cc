// House: the end of some runs. An older copy of the disk replaces it: its chain is complete and its
// self-check passes, so only the tables know that there was more. The first
// table that has seen more suspends its own links, a second one every link, and no such table gets
// a Welcome.

#include <algorithm>
#include <optional>

#include "proto/codec/wire_codec.h"
#include "tests/simulation/house.h"
#include "tests/simulation/self_checked.h"

namespace linkmeter {

namespace {

// All links, or those of the named table.
bool is_suspended(const State& state, const Floor& floor, std::optional<TableIndex> table = {}) {
  for (std::uint32_t link = 0; link < floor.links.size(); ++link) {
    if (table && !floor.links[link].has_table(*table)) continue;
    if (state.link(LinkIndex(link)).suspended.empty()) return false;
  }
  return true;
}

// A Hello without the head that the table has seen.
std::string without_witness(const std::string& bytes) {
  const auto decoded = decode_from_table(bytes);
  const auto* hello = decoded ? std::get_if<Hello>(&*decoded) : nullptr;
  if (hello == nullptr) return bytes;
  Hello other = *hello;
  other.witness = {};
  return encode(other);
}

}  // namespace

Finding House::put_back_old_copy() {
  stop_controller();
  disk_.put_back_copy(dice_);
  SelfCheckFound found = self_check(disk_, false);
  if (!found.journal_failure.empty()) return "witness: " + found.journal_failure;
  if (!found.state) return std::nullopt;  // the copy comes from a disk with damaged rows
  const Head copied = disk_.head();
  std::optional<Controller> controller;
  controller.emplace(disk_, file_.rules, std::move(*found.state));
  ++report_.copies;
  std::size_t seen_more = 0;  // tables
  for (const auto& table : tables_) {
    table->die(faults_, now_us_);
    if (judge_.key_changed(table->id())) continue;  // the copy may know the table by another key
    const bool sees_more = table->witness().entry > copied.entry;
    seen_more += sees_more ? 1 : 0;
    std::string hello = table->first_word(now_us_);
    if (plant_ == Plant::witness_not_told) hello = without_witness(hello);
    now_us_ += 1'000;
    const Controller::Turn turn =
        controller->turn({{table->id(), table->key(), hello}},
                         Timestamp::from_microseconds(now_us_ + signs_ahead_us_));
    if (turn.replies.size() != 1) return "witness: a Hello is not answered once";
    const auto reply = decode_to_table(turn.replies.front().bytes);
    const auto* welcome = reply ? std::get_if<Welcome>(&*reply) : nullptr;
    if (welcome == nullptr) return "witness: a Hello is answered with something else";
    const Refusal expected = sees_more ? Refusal::history_differs : Refusal::none;
    if (welcome->refusal != expected) {
      return "witness: " + table->id() + " has seen entry " +
             std::to_string(table->witness().entry.value()) + ", the copy ends with " +
             std::to_string(copied.entry.value()) + ": " + std::string(name(welcome->refusal));
    }
    const auto place = file_.floor.find_table(TableId(table->id()));
    if (sees_more && !is_suspended(controller->state(), file_.floor, place)) {
      return "witness: a table has seen more, and its links are not suspended";
    }
    if (seen_more > 1 && !is_suspended(controller->state(), file_.floor)) {
      return "witness: two tables have seen more, and not every link is suspended";
    }
  }
  return std::nullopt;
}

}  // namespace linkmeter
