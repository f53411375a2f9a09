#include "table-agent/round/script_driver.h"

#include <string>
#include <vector>

#include "tests/support/memory_outbox.h"

#include <doctest/doctest.h>

namespace linkmeter::script_driver_test {
namespace {

std::string close_line(const std::string& round) {
  return R"({"event":"close","round":")" + round + "\"}";
}

Script script_of(const std::string& text) {
  auto parsed = parse_script("floor.jsonl", text);
  if (const auto* error = std::get_if<ScriptError>(&parsed)) FAIL(error->message);
  return std::move(std::get<Script>(parsed));
}

std::string error_of(const std::string& text) {
  const auto parsed = parse_script("floor.jsonl", text);
  REQUIRE(std::holds_alternative<ScriptError>(parsed));
  return std::get<ScriptError>(parsed).message;
}

// The rest of the script: "r1 r2"; a wait is its milliseconds.
std::string left_to_say(ScriptDriver& play) {
  std::string submitted;
  while (const std::optional<Step> step = play.next()) {
    if (!submitted.empty()) submitted += " ";
    if (const auto* wait = std::get_if<Wait>(&step->event)) {
      submitted += std::to_string(wait->milliseconds);
    } else {
      submitted += std::get<CloseRound>(std::get<TableCommand>(step->event)).round.text();
    }
  }
  return submitted;
}

using Positions = std::vector<Position>;

std::string left_to_say(const std::string& text, const Positions& places) {
  ScriptDriver play(script_of(text), places);
  return left_to_say(play);
}

// The script's position after its first `count` events.
Position place_after(const std::string& text, std::size_t count) {
  ScriptDriver play(script_of(text), {});
  Position position;
  for (std::size_t played = 0; played < count; ++played) {
    const auto step = play.next();
    REQUIRE(step);
    position = step->position;
  }
  return position;
}

// Plays at most `events_max` events of the script at the table with this outbox.
std::string played(Outbox& outbox, const std::string& text, std::size_t events_max = 100) {
  ScriptDriver play(script_of(text), outbox.places(ScriptDriver::prefix));
  std::string submitted;
  for (std::size_t count = 0; count < events_max; ++count) {
    const auto step = play.next();
    if (!step) break;
    const auto& command = std::get<TableCommand>(step->event);
    const std::string round = std::get<CloseRound>(command).round.text();
    outbox.append({{outbox.last_number().next(), round}}, step->position);
    submitted += (submitted.empty() ? "" : " ") + round;
  }
  return submitted;
}

const std::string three =
    close_line("r1") + "\n" + close_line("r2") + "\n" + close_line("r3") + "\n";

}  // namespace

TEST_CASE("a script is played line by line, including its waits") {
  CHECK(left_to_say(three, {}) == "r1 r2 r3");
  CHECK(left_to_say(close_line("r1") + "\n\n  \r\n" + R"({"event":"wait","ms":100})", {}) ==
        "r1 100");
  CHECK(left_to_say("", {}).empty());
}

TEST_CASE("an interrupted script continues after the last event in the outbox") {
  CHECK(left_to_say(three, {place_after(three, 1)}) == "r2 r3");
  CHECK(left_to_say(three, {place_after(three, 2)}) == "r3");
  CHECK(left_to_say(three, {place_after(three, 3)}).empty());

  ScriptDriver over(script_of(three), {place_after(three, 3)});
  CHECK(over.resumed_after() == over.event_count());
}

TEST_CASE("a script that grew at its end continues with the new lines") {
  const Positions places{place_after(three, 3)};
  CHECK(left_to_say(three + close_line("r4") + "\n", places) == "r4");
  // Also if its last line had no newline when it was played, or has trailing blanks now.
  const std::string bare = three.substr(0, three.size() - 1);
  CHECK(left_to_say(three + close_line("r4"), {place_after(bare, 3)}) == "r4");
  CHECK(left_to_say(bare + " \r\n" + close_line("r4"), {place_after(bare, 3)}) == "r4");
  CHECK(left_to_say(bare + " \r\n" + close_line("r4"), {place_after(bare + " \r\n", 3)}) == "r4");
}

TEST_CASE("another script is played from its first line") {
  const Positions places{place_after(three, 2)};
  const std::string other = close_line("x1") + "\n" + close_line("r2") + "\n" + close_line("r3");
  CHECK(left_to_say(other, places) == "x1 r2 r3");
  CHECK(left_to_say(close_line("r1") + "\n", places) == "r1");
  CHECK(left_to_say(three, {{"script/0123456789abcdef", "not a place"}}) == "r1 r2 r3");
}

TEST_CASE("the longest played part of a script counts, whichever file's position it is") {
  const Positions places{place_after(three, 1), place_after(three + close_line("r4"), 2),
                         place_after(close_line("x1"), 1)};
  CHECK(left_to_say(three, places) == "r3");
  CHECK(left_to_say(three, {places.rbegin(), places.rend()}) == "r3");
}

TEST_CASE("every script has its own position") {
  const std::string name = place_after(three, 1).play;
  CHECK(name.size() == ScriptDriver::prefix.size() + 16);
  CHECK(name.starts_with(ScriptDriver::prefix));
  CHECK(name.find_first_not_of("0123456789abcdef", ScriptDriver::prefix.size()) ==
        std::string::npos);
  CHECK(place_after(three, 3).play == name);
  CHECK(place_after(three + close_line("r4"), 1).play != name);
}

TEST_CASE("an earlier script that is played again repeats nothing") {
  const std::string other = close_line("x1") + "\n" + close_line("x2") + "\n";
  MemoryOutbox outbox;
  CHECK(played(outbox, three, 2) == "r1 r2");
  CHECK(played(outbox, other) == "x1 x2");
  CHECK(played(outbox, three) == "r3");
  CHECK(played(outbox, other).empty());
  CHECK(played(outbox, three).empty());
  // It has grown since: only the new part is played.
  CHECK(played(outbox, other + close_line("x3") + "\n") == "x3");
  CHECK(played(outbox, three + close_line("r4") + "\n") == "r4");
  CHECK(played(outbox, other + close_line("x3") + "\n").empty());
}

TEST_CASE(
    "a script that differs from another one after the played part does not use its position") {
  const std::string parted = close_line("r1") + "\n" + close_line("x2") + "\n";
  MemoryOutbox outbox;
  CHECK(played(outbox, three, 1) == "r1");
  CHECK(played(outbox, parted) == "x2");
  CHECK(played(outbox, three) == "r2 r3");
  CHECK(played(outbox, parted).empty());
}

TEST_CASE("the same event on two lines has two positions") {
  const std::string twice = close_line("r1") + "\n" + close_line("r1") + "\n" + close_line("r2");
  CHECK(left_to_say(twice, {place_after(twice, 1)}) == "r1 r2");
  CHECK(left_to_say(twice, {place_after(twice, 2)}) == "r2");
}

TEST_CASE("the whole file is checked before anything is sent; an error names its line") {
  const std::string text = three + "\n{\"event\":\"close\"\n" + close_line("r4");
  CHECK(error_of(text).starts_with("floor.jsonl:5: "));
  CHECK(error_of("{\"event\":\"dance\"}").starts_with("floor.jsonl:1: "));
  CHECK(error_of(three + R"({"event":"close","round":"r4","rounds":1})")
            .starts_with("floor.jsonl:4: "));
}

TEST_CASE("an event that fits no message is an error of its line") {
  std::string wagers;
  for (int count = 0; count < 4'000; ++count) {
    wagers += R"({"seat":1,"wager":"crazy-4/five-card","amount":"5.00"},)";
  }
  wagers.pop_back();
  const std::string lock = R"({"event":"lock","round":"r1","wagers":[)" + wagers + "]}";
  CHECK(error_of(close_line("r0") + "\n" + lock).starts_with("floor.jsonl:2: "));
}

TEST_CASE("a file that cannot be read is an error, an empty one is an empty script") {
  const auto none = read_script("/nonexistent/floor.jsonl");
  REQUIRE(std::holds_alternative<ScriptError>(none));
  CHECK(std::get<ScriptError>(none).message.starts_with("/nonexistent/floor.jsonl"));
  const auto folder = read_script("/tmp");
  CHECK(std::holds_alternative<ScriptError>(folder));
  const auto empty = read_script("/dev/null");
  REQUIRE(std::holds_alternative<Script>(empty));
  CHECK(std::get<Script>(empty).events.empty());
}

TEST_CASE("a run that is killed at any event sends every event once") {
  for (std::size_t killed_after = 0; killed_after <= 3; ++killed_after) {
    MemoryOutbox outbox;
    const std::string before = played(outbox, three, killed_after);
    const std::string after = played(outbox, three);
    CHECK(before + (before.empty() || after.empty() ? "" : " ") + after == "r1 r2 r3");
  }
}

}  // namespace linkmeter::script_driver_test
