// A flood of refused messages with one table's key, through a real controller: the table's pace
// limits its entries, and another table plays on.

#include <doctest/doctest.h>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>
#include <zmq.hpp>

#include "proto/codec/wire_codec.h"
#include "proto/host/credentials.h"
#include "tests/support/raw_table.h"
#include "tests/support/real_floor.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::flood_test {
namespace {

const std::filesystem::path programs = std::filesystem::path(LINKMETER_BINARY_DIR) / "bin";
const std::filesystem::path demo_floor =
    std::filesystem::path(LINKMETER_SOURCE_DIR) / "config" / "demo" / "floor.toml";

std::string message_bytes(const std::string& table, std::uint64_t number, TableCommand command) {
  return encode(TableMessage{TableId(table), MessageNumber(number), Digest{},
                             Timestamp::from_microseconds(1), std::move(command)});
}

std::vector<Acknowledgement> answers(RawTable& table, std::size_t count) {
  std::vector<Acknowledgement> all;
  while (all.size() < count) {
    const ToTable reply = table.receive();
    const auto& list = std::get<Acknowledgements>(reply).list;
    all.insert(all.end(), list.begin(), list.end());
  }
  return all;
}

// The demo floor, where C4-01 may play ten rounds an hour.
class PacedFloor {
 public:
  PacedFloor() {
    std::ifstream demo(demo_floor);
    std::string text{std::istreambuf_iterator<char>(demo), {}};
    const std::string table = "id = \"C4-01\"\n";
    text.insert(text.find(table) + table.size(), "pace = 10\n");
    const std::filesystem::path file = directory_.path() / "floor.toml";
    std::ofstream(file) << text;
    const std::vector<std::string> init{"init", "--floor", file.string(), "--data", data()};
    REQUIRE(run_program(programs / "linkmeter", init).code == 0);
    controller_.emplace(RunningController::Start{
        programs / "linkmeter-controller", file, data(), directory_.path() / "log", {}});
  }
  // A peer with the key of that table.
  [[nodiscard]] RawTable peer(const std::string& table) {
    const auto path = directory_.path() / "data" / "credentials" / credentials_file_name(table);
    return RawTable(context_, controller_->endpoint(), read_credentials(path));
  }
  [[nodiscard]] bool is_clean() const {
    return run_program(programs / "linkmeter", {"audit", "--data", data()}).code == 0;
  }

 private:
  [[nodiscard]] std::string data() const { return (directory_.path() / "data").string(); }

  ScopedDirectory directory_;
  zmq::context_t context_;
  std::optional<RunningController> controller_;
};

}  // namespace

TEST_CASE("a flood of refused messages makes as many entries as the pace allows, and no more") {
  PacedFloor floor;
  RawTable hostile = floor.peer("C4-01"), honest = floor.peer("C4-02");
  const auto begin = std::chrono::steady_clock::now();
  constexpr std::uint64_t in_flight = 250, batches = 40;
  std::uint64_t taken = 0;
  std::vector<Acknowledgement> last;
  for (std::uint64_t batch = 1; batch <= batches; ++batch) {
    for (std::uint64_t ahead = 1; ahead <= in_flight; ++ahead) {
      hostile.send(
          message_bytes("C4-01", taken + ahead, CloseRound{RoundId("no such round"), Badge()}));
    }
    LockRound lock;
    lock.round = RoundId("r" + std::to_string(batch));
    lock.wagers = {{Seat(1), WagerId("crazy-4/five-card"), Amount::dollars(5)}};
    honest.send(message_bytes("C4-02", batch, lock));
    last = answers(hostile, in_flight);
    for (const Acknowledgement& one : last) taken += one.entry > EntryNumber() ? 1U : 0U;
    CHECK(answers(honest, 1).front().refusal == Refusal::none);
  }
  // 80 rounds of a shift, 24 refused messages for each; then one every 15 s.
  const std::chrono::duration<double> lasted = std::chrono::steady_clock::now() - begin;
  CHECK(taken >= 1'920);
  CHECK(taken <= 1'921 + static_cast<std::uint64_t>(lasted.count() / 15));
  REQUIRE(last.back().entry == EntryNumber());
  CHECK(last.back().refusal == Refusal::message_out_of_order);
  // The number that was not taken is the next one, whatever the message is.
  hostile.send(message_bytes("C4-01", taken + 1, CloseRound{RoundId("another"), Badge()}));
  const Refusal next = answers(hostile, 1).front().refusal;
  CHECK((next == Refusal::pace_exceeded || next == Refusal::round_unknown));
  CHECK(floor.is_clean());
}

}  // namespace linkmeter::flood_test
