// DeviceBench: a LiveDriver between a device and a controller that the test plays. The port is
// bytes in memory, the outbox is a list of commands, and the test sets the time. The table is C4-01
// of small_floor.h: six seats, one $5 progressive.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "table-agent/live_driver.h"
#include "table-agent/round/secure_random.h"
#include "tests/support/small_floor.h"

namespace linkmeter {

class MemoryPort final : public BytePort {
 public:
  bool open(Timestamp) override { return is_open_ = is_plugged; }
  std::optional<std::string> read(Timestamp) override {
    if (!is_open_) return std::nullopt;
    return std::exchange(to_agent, {});
  }
  void write(std::string_view bytes, Timestamp) override { from_agent += bytes; }
  void close(Timestamp) override { is_open_ = false; }
  [[nodiscard]] int descriptor() const override { return -1; }
  [[nodiscard]] std::optional<Timestamp> wakes_at() const override { return std::nullopt; }

  bool is_plugged = true;
  std::string to_agent, from_agent;

 private:
  bool is_open_ = false;
};

inline TableOffers device_table() {
  const auto floor =
      std::get<FloorFile>(parse_floor("floor.toml", floor_text, shipped_catalogue()));
  return TableOffers::at(floor.floor, floor.rules, *floor.floor.find_table(TableId("C4-01")));
}

class DeviceBench {
 public:
  DeviceBench() { start(); }
  // Adds a panel beside the device, or instead of it; also for another table.
  struct Driven {
    PanelInbox* panel = nullptr;
    bool has_device = true;
    std::optional<TableOffers> table = {};
  };
  explicit DeviceBench(const Driven& driven) : driven_(driven) { start(); }

  // Starts the agent; also again, from the contents of the outbox.
  void start() {
    std::vector<StoredMessage> kept;
    for (std::size_t at = answered_; at < submitted.size(); ++at) {
      const MessageNumber number(at + 1);
      kept.push_back(
          {number, encode(TableMessage{TableId("C4-01"), number, {}, {}, submitted[at]})});
    }
    play_.emplace(LiveDriver::Setup{
        driven_.table ? *driven_.table : device_table(), driven_.has_device ? &port : nullptr,
        driven_.panel, place, kept,
        [this] {
          const bool is_house = word_count_++ == 0 && place.empty();
          return is_house ? std::string("f00d0001") : "5e55000" + std::to_string(++session_count_);
        },
        [this](const std::string& line) { told.push_back(line); }});
    if (tells_hands) play_->machine()->on_hands({});
  }

  // One turn of the session.
  void turn() {
    surroundings.now = Timestamp::from_microseconds(now_us);
    surroundings.last_number = MessageNumber(submitted.size());
    play_->update(surroundings);
    while (const std::optional<Step> step = play_->next()) {
      if (const auto* command = std::get_if<TableCommand>(&step->event)) {
        const bool begins = std::holds_alternative<LockRound>(*command);
        if (!has_room || (begins && !surroundings.locked_by.empty())) {
          play_->on_not_submitted();
          break;
        }
        submitted.push_back(*command);
        place = step->position.place;
        play_->on_submitted(MessageNumber(submitted.size()));
      } else {
        place = step->position.place;
      }
    }
    gather();
  }
  // The device sends this text under this number; a turn follows.
  void say(std::uint64_t number, const std::string& text) {
    say_bytes(write_device_line({number, text}));
  }
  void say_bytes(const std::string& bytes) {
    port.to_agent += bytes;
    turn();
  }
  // The controller answers the first message without an answer; a turn follows.
  void answer(Refusal refusal = Refusal::none, std::vector<AwardNotice> awards = {},
              std::optional<std::uint32_t> chips_expected = {}) {
    store_answer(refusal, std::move(awards), chips_expected);
    turn();
  }
  // The same, but the agent ends when the answer is stored, and the next one starts.
  void answer_and_end(Refusal refusal = Refusal::none, std::vector<AwardNotice> awards = {},
                      std::optional<std::uint32_t> chips_expected = {}) {
    store_answer(refusal, std::move(awards), chips_expected);
    start();
  }
  // The controller reports which hands of its open rounds count; a turn follows.
  void on_hands(const std::vector<RoundHands>& rounds) {
    play_->machine()->on_hands(rounds);
    turn();
  }
  // A Welcome reports the table's rounds that were left open; a turn follows.
  void on_left_open(const std::vector<OpenRound>& rounds) {
    play_->machine()->on_left_open(rounds);
    turn();
  }
  // The agent's next line, as it is on the wire but without its newline; "" if there is none. The
  // agent's `alive` lines are skipped.
  std::string line() {
    if (lines_.empty()) return "";
    std::string first = std::move(lines_.front());
    lines_.pop_front();
    return first;
  }
  // The texts of all waiting lines, with their numbers, without their checks.
  std::vector<std::string> heard() {
    std::vector<std::string> texts;
    while (!lines_.empty()) texts.push_back(line().substr(0, std::string::npos));
    for (std::string& text : texts) text.resize(text.size() - 5);
    return texts;
  }
  // The session has begun and betting is open; the device's next line is number 4.
  void open_betting() {
    turn();
    say(0, "hello 1 6 counted 5e55000" + std::to_string(session_count_));
    say(1, "state 0 closed -");
    say(2, "bets open");
    say(3, "state 0 open vf00d0001-000001");
    heard();
  }

  [[nodiscard]] const LiveDriver& play() const { return *play_; }

  MemoryPort port;
  RoundDriver::Surroundings surroundings;
  std::int64_t now_us = 1'000'000;
  bool has_room = true;
  bool tells_hands = true;  // the controller reports hands, from the next start on
  std::string place;
  std::vector<TableCommand> submitted;
  std::vector<std::string> told;

 private:
  void store_answer(Refusal refusal, std::vector<AwardNotice> awards,
                    std::optional<std::uint32_t> chips_expected) {
    Answered answered{MessageNumber(++answered_), EntryNumber(answered_), refusal, {}};
    answered.awards = std::move(awards);
    answered.chips_expected = chips_expected;
    if (const auto position = play_->on_reply({answered})) place = position->place;
  }

  void gather() {
    LineSplitter cutter;
    cutter.add(std::exchange(port.from_agent, {}));
    while (auto line = cutter.next()) {
      if (!line->starts_with("0 alive ")) lines_.push_back(std::move(*line));
    }
  }

  Driven driven_;
  std::optional<LiveDriver> play_;
  std::deque<std::string> lines_;
  std::size_t answered_ = 0;
  int word_count_ = 0, session_count_ = 0;
};

using Lines = std::vector<std::string>;

// Names for tests: the first round, and two wagers that may be placed in it.
inline const std::string first = "vf00d0001-000001";
inline const std::string chip_2 = "2 crazy-4/five-card 500 own";
inline const std::string chip_3 = "3 crazy-4/five-card 500 own";
inline const std::string close_first = R"(event {"event":"close","round":")" + first + "\"}";

// A round of one wager at seat 2, locked and in the outbox; the device's next line is 7.
inline void lock_one(DeviceBench& bench) {
  bench.open_betting();
  bench.say(4, "placed " + chip_2);
  bench.say(5, "bets closed");
  bench.say(6, "count 1");
  bench.heard();
}

// Whether any of the lines ends with this text.
inline bool is_there(const std::string& end, const Lines& lines) {
  return std::any_of(lines.begin(), lines.end(),
                     [&end](const std::string& line) { return line.ends_with(end); });
}

}  // namespace linkmeter
