// ControllerHouse: a controller over a journal in memory, on the floor of MixedFloor, with a fixed
// time. Its disk can be copied and restored. For tests of the controller's answers to tables.
#pragma once

#include <doctest/doctest.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/turn/controller.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"
#include "tests/support/keys.h"
#include "tests/support/memory_journal.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter {

class ControllerHouse {
 public:
  // The contents of the disk at one time.
  struct Copy {
    std::vector<std::string> entries;
    std::vector<Row> rows;
  };
  static constexpr Timestamp now = Timestamp::from_microseconds(9'000'000);

  ControllerHouse() {
    journal_.emplace();
    journal_->commit({encode(floor_.opening)}, rows_for(floor_.state, floor_.state.take_changes()));
    start();
  }
  // Starts the controller from the contents of the disk.
  void start() {
    StateRead read = read_state(journal_->head().entry, journal_->rows());
    REQUIRE_EQ(read.why, "");
    controller_.emplace(*journal_, floor_.file.rules, std::move(*read.state));
  }
  [[nodiscard]] Copy copy() const {
    Copy copy{{}, journal_->rows()};
    journal_->read(EntryNumber(1), [&copy](const StoredEntry& stored) {
      copy.entries.push_back(stored.bytes);
      return true;
    });
    return copy;
  }
  // Restores the disk as files, without the restore command.
  void put_back(const Copy& copy) {
    controller_.reset();
    journal_.emplace();
    journal_->commit(copy.entries, copy.rows);
    start();
  }

  Controller::Turn turn(const std::vector<InboundMessage>& received, Timestamp at = now) {
    return controller_->turn(received, at);
  }
  Controller::Turn turn(const std::string& table, const std::string& bytes) {
    return turn({{table, key_of(table), bytes}});
  }
  // The controller's answer to a table's message: its acknowledgements in one frame.
  Acknowledgements say(const std::string& table, std::uint64_t number, TableCommand command) {
    TableMessage message;
    message.table = TableId(table);
    message.number = MessageNumber(number);
    message.command = std::move(command);
    const auto turn = this->turn(table, encode(message));
    REQUIRE_EQ(turn.replies.size(), 1);
    return std::get<Acknowledgements>(decode_to_table(turn.replies[0].bytes).value());
  }
  // A round of one chip.
  Acknowledgements say(const std::string& table, std::uint64_t number, std::uint8_t seat = 1) {
    return say(table, number, lock_of("r" + std::to_string(number), {five_card(seat)}));
  }
  void ask(const std::string& badge, OperatorCommand act) {
    REQUIRE(
        controller_->turn({}, now, {{"peer", Badge(badge), true, std::move(act)}}).refused.empty());
  }
  void both(const DualControlCommand& act, const std::string& first = "TGM-1",
            const std::string& second = "FM-1") {
    std::visit([&](const auto& one) { ask(first, Propose{one}); }, act);
    ask(second, Confirm{state().last_proposal(), summary(state().proposals().back().act)});
  }

  [[nodiscard]] Head head() const { return journal_->head(); }
  [[nodiscard]] const State& state() const { return controller_->state(); }
  [[nodiscard]] const Journal& journal() const { return *journal_; }
  Controller& controller() { return *controller_; }

 private:
  MixedFloor floor_;
  std::optional<MemoryJournal> journal_;
  std::optional<Controller> controller_;
};

}  // namespace linkmeter
