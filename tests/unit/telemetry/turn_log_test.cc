#include "controller/telemetry/turn_log.h"

#include <doctest/doctest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

namespace linkmeter::turn_log_test {
namespace {

// Collects the log lines while it lives.
class Caught {
 public:
  Caught() {
    spdlog::sink_ptr sink(std::make_unique<spdlog::sinks::ostream_sink_st>(lines_));
    spdlog::set_default_logger(spdlog::logger("test", std::move(sink)).clone("test"));
  }
  Caught(const Caught&) = delete;
  Caught& operator=(const Caught&) = delete;
  ~Caught() { spdlog::set_default_logger(before_); }

  [[nodiscard]] std::string text() const { return lines_.str(); }
  [[nodiscard]] long line_count() const {
    const std::string all = text();
    return std::count(all.begin(), all.end(), '\n');
  }

 private:
  std::ostringstream lines_;
  decltype(spdlog::default_logger()) before_ = spdlog::default_logger();
};

Controller::Turn refused_turn(const std::string& peer) {
  Controller::Turn turn;
  turn.refused.push_back({peer, TableId("C4-01"), MessageNumber(7), Refusal::seat_unknown});
  return turn;
}

}  // namespace

TEST_CASE("a person's act is one line, and a refused one names the person") {
  const Caught caught;
  TurnLog log;
  Controller::Turn turn;
  turn.acted.push_back({Badge("TGM-1"), "suspend_link", EntryNumber(3)});
  turn.refused.push_back(
      {"peer", {}, {}, Refusal::person_unknown, Badge("no\nbody"), "validate_claim"});
  log.note(turn, State(), std::chrono::seconds(1));
  CHECK_EQ(caught.line_count(), 2);
  CHECK_NE(caught.text().find("person badge=TGM-1 act=suspend_link entry=3"), std::string::npos);
  CHECK_NE(
      caught.text().find("refused badge=no\\x0abody act=validate_claim refusal=person_unknown"),
      std::string::npos);
}

TEST_CASE("text from outside cannot forge a line of the log") {
  CHECK(printable("C4-01") == "C4-01");
  CHECK(printable("a b") == "a\\x20b");
  CHECK(printable("x\nwin claim=1\x1b[2J") == "x\\x0awin\\x20claim=1\\x1b[2J");
  CHECK(printable(std::string("\0\xff\\", 3)) == "\\x00\\xff\\x5c");
  CHECK(printable(std::string(1'000, 'a')) == std::string(64, 'a') + "...");
}

TEST_CASE("a refused message is one line with source, table, number and reason") {
  Caught caught;
  TurnLog log;
  log.note(refused_turn("peer"), State(), std::chrono::seconds(1));
  CHECK(caught.line_count() == 1);
  CHECK(caught.text().find("source=peer table=C4-01 number=7 refusal=seat_unknown") !=
        std::string::npos);
}

TEST_CASE("a round blocked by a wrong chip count is one line") {
  Caught caught;
  Controller::Turn turn;
  turn.miscounted.push_back({TableId("C4-01"), RoundId("r7"), 3, 2});
  TurnLog().note(turn, State(), std::chrono::seconds(1));
  CHECK(caught.line_count() == 1);
  CHECK(caught.text().find("blocked table=C4-01 round=r7 chips=3 expected=2") != std::string::npos);
}

TEST_CASE("a flood of refusals is a few lines a second, with the number of suppressed ones") {
  Caught caught;
  TurnLog log;
  for (int number = 0; number < 10'000; ++number) {
    log.note(refused_turn("peer"), State(), std::chrono::milliseconds(1'500));
  }
  const auto shown = static_cast<long>(TurnLog::refusals_per_second_max);
  CHECK(caught.line_count() == shown);
  CHECK(log.hidden_count() == 10'000 - TurnLog::refusals_per_second_max);
  log.note(refused_turn("peer"), State(), std::chrono::milliseconds(2'000));
  CHECK(caught.line_count() == shown + 2);
  CHECK(caught.text().find("9980 more refused messages were suppressed") != std::string::npos);
  CHECK(log.hidden_count() == 0);
}

}  // namespace linkmeter::turn_log_test
