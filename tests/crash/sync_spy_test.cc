#include <doctest/doctest.h>
#include <algorithm>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>
#include <zmq.hpp>

#include "proto/codec/wire_codec.h"
#include "proto/host/credentials.h"
#include "tests/crash/sync_log.h"
#include "tests/support/raw_table.h"
#include "tests/support/real_floor.h"
#include "tests/support/scoped_directory.h"

// Promise 1: acknowledged means on disk. A killed process loses nothing that the kernel holds, so
// only the order of system calls can prove it.
namespace linkmeter::sync_spy_test {
namespace {

const std::filesystem::path programs = std::filesystem::path(LINKMETER_BINARY_DIR) / "bin";
const std::filesystem::path demo_floor =
    std::filesystem::path(LINKMETER_SOURCE_DIR) / "config" / "demo" / "floor.toml";

// Locks and closes in turn. The badge is the mark: no other message has it, and the entry contains
// it.
MarkedMessage marked_message(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  const std::string mark = "spy-" + std::string(6 - digits.size(), '0') + digits;
  const RoundId round("r" + std::to_string((number + 1) / 2));
  TableCommand command = CloseRound{round, Badge(mark)};
  if (number % 2 == 1) {
    LockRound lock;
    lock.round = round;
    lock.wagers = {{Seat(3), WagerId("crazy-4/five-card"), Amount::dollars(5)}};
    lock.by = Badge(mark);
    command = lock;
  }
  const TableMessage message{TableId("C4-01"), MessageNumber(number), Digest{},
                             Timestamp::from_microseconds(1), command};
  return {MessageNumber(number), mark, encode(message)};
}

// Sends every message; at most `window` of them are unanswered.
void play(RawTable& table, const std::vector<MarkedMessage>& messages, std::size_t window) {
  std::size_t sent = 0, answered = 0;
  while (answered < messages.size()) {
    while (sent < messages.size() && sent - answered < window) table.send(messages[sent++].bytes);
    const ToTable reply = table.receive();
    REQUIRE(std::get_if<Acknowledgements>(&reply) != nullptr);
    for (const Acknowledgement& one : std::get<Acknowledgements>(reply).list) {
      REQUIRE(one.refusal == Refusal::none);
      ++answered;
    }
  }
}

struct Watched {
  std::vector<MarkedMessage> messages;
  SyncLog log;
};

// What a real controller does with `count` messages under the spy.
Watched watch(std::size_t count, std::size_t window, const std::vector<std::string>& settings) {
  const ScopedDirectory directory;
  const std::filesystem::path data = directory.path() / "data", log = directory.path() / "log";
  REQUIRE(run_program(programs / "linkmeter",
                      {"init", "--floor", demo_floor.string(), "--data", data.string()})
              .code == 0);
  std::vector<std::string> environment{"LD_PRELOAD=" + std::string(LINKMETER_SYNC_SPY),
                                       "LINKMETER_SPY_LOG=" + log.string()};
  environment.insert(environment.end(), settings.begin(), settings.end());
  Watched watched;
  for (std::uint64_t number = 1; number <= count; ++number) {
    watched.messages.push_back(marked_message(number));
  }
  zmq::context_t context;
  {
    RunningController controller({programs / "linkmeter-controller", demo_floor, data,
                                  directory.path() / "said", environment});
    RawTable table(context, controller.endpoint(),
                   read_credentials(data / "credentials" / "C4-01.credentials"));
    table.send(encode(Hello{TableId("C4-01")}));
    const ToTable welcome = table.receive();
    REQUIRE(std::get_if<Welcome>(&welcome) != nullptr);
    play(table, watched.messages, window);
  }
  watched.log = SyncLog::read(log);
  return watched;
}

// A log in the spy's format: a message and its acknowledgement, each after the peer's name.
std::string hex(std::string_view bytes) {
  std::string text;
  for (const char letter : bytes) {
    const auto byte = static_cast<unsigned char>(letter);
    text += "0123456789abcdef"[byte >> 4U];
    text += "0123456789abcdef"[byte & 15U];
  }
  return text;
}

std::string taken(const MarkedMessage& message) {
  return "taken 0x9 00ff\ntaken 0x9 " + hex(message.bytes) + "\n";
}

std::string given(const MarkedMessage& message) {
  const Acknowledgements answer{{{message.number, EntryNumber(2), Refusal::none}}, Head()};
  return "given 0x9 00ff\ngiven 0x9 " + hex(encode(ToTable{answer})) + "\n";
}

}  // namespace

TEST_CASE("between a message and its acknowledgement the journal is synced") {
  for (const std::size_t window : {std::size_t{1}, std::size_t{64}}) {
    CAPTURE(window);
    const Watched watched = watch(400, window, {});
    const std::vector<std::string> complaints = watched.log.complaints(watched.messages);
    CHECK(complaints.empty());
    for (const std::string& complaint : complaints) MESSAGE(complaint);
  }
}

TEST_CASE("the spy reports every message of a journal that does not sync") {
  const Watched watched = watch(100, 1, {"LINKMETER_SPY_NOSYNC=1"});
  const std::vector<std::string> complaints = watched.log.complaints(watched.messages);
  CHECK(complaints.size() == watched.messages.size());
  for (const std::string& complaint : complaints) {
    CHECK(complaint.ends_with("acknowledged before the journal was synced"));
  }
}

TEST_CASE("the judge requires every step in this order") {
  const MarkedMessage message = marked_message(1);
  const std::string come = taken(message), gone = given(message);
  const std::string write = "write spy-000001\nwritten\n", sync = "sync\nsynced\n";
  const std::string head = "write-durable\nwritten\n";
  const auto verdict = [&message](const std::string& text) {
    const auto complaints = SyncLog::parse(text).complaints({message});
    return complaints.empty() ? std::string("good") : complaints.front().substr(11);
  };
  CHECK(verdict(come + write + sync + head + gone) == "good");
  CHECK(verdict(come + gone + write + sync + head) == "acknowledged before it was written");
  CHECK(verdict(write + come + sync + head + gone) == "acknowledged before it was written");
  CHECK(verdict(come + "write spy-000002\nwritten\n" + sync + head + gone) ==
        "acknowledged before it was written");
  CHECK(verdict(come + sync + write + head + gone) == "acknowledged before the journal was synced");
  CHECK(verdict(come + write + gone + sync + head) == "acknowledged before the journal was synced");
  CHECK(verdict(come + write + "sync\n" + gone + "synced\n" + head) ==
        "acknowledged before the journal was synced");
  CHECK(verdict(come + write + "sync\nnot-synced\n" + head + gone) ==
        "acknowledged before the journal was synced");
  CHECK(verdict(come + write + sync + gone + head) == "acknowledged before the commit was durable");
  CHECK(verdict(come + write + head + sync + gone) == "acknowledged before the commit was durable");
  CHECK(verdict(come + write + sync + head) == "never acknowledged");
  CHECK(verdict(come + gone + write + sync + head + gone) == "acknowledged before it was written");
  CHECK(verdict(write + sync + head + gone) == "never received");
}

}  // namespace linkmeter::sync_spy_test
