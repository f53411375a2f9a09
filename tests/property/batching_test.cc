// Group commit makes no difference: the same messages, cut into turns in any way, give the same
// journal to the last byte, the same rows and the same state.

#include <doctest/doctest.h>
#include <optional>
#include <string>
#include <vector>

#include "controller/turn/controller.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/wire_codec.h"
#include "tests/property/dice.h"
#include "tests/property/floors.h"
#include "tests/property/generator.h"
#include "tests/property/trial.h"
#include "tests/support/keys.h"
#include "tests/support/memory_journal.h"

namespace linkmeter::batching_test {
namespace {

std::vector<InboundMessage> some_messages(const FloorFile& file, std::uint64_t seed,
                                          std::size_t count) {
  FloorTraffic traffic(file.floor, seed);
  const NaiveModel model(file.floor, file.text, trial_staff());
  std::vector<InboundMessage> received;
  while (received.size() < count) {
    const TimedInput heard = traffic.next(model);
    const auto* message = std::get_if<TableMessage>(&heard.said);
    if (message == nullptr) continue;  // people's requests do not come this way
    const std::string table = message->table.text();
    received.push_back({table, key_of(table), encode(*message)});
    if (received.size() % 50 == 0) received.push_back({"R1", key_of("R1"), "no message at all"});
    if (received.size() % 70 == 0)
      received.push_back({"ELSEWHERE", key_of("ELSEWHERE"), received.front().bytes});
    if (received.size() % 30 == 0) {
      received.push_back({table, key_of(table), encode(Hello{message->table})});
    }
  }
  return received;
}

struct Outcome {
  std::vector<StoredEntry> entries;
  std::vector<Row> rows;
  Head head;
  State state;
};

// `cut`: how many messages the next turn takes.
template <class Cut>
Outcome play(const FloorFile& file, const std::vector<InboundMessage>& received, const Cut& cut) {
  MemoryJournal journal;
  State state;
  const Entry first = open_floor(opened(file), trial_moment());
  state.apply(first);
  journal.commit({encode(first)}, rows_for(state, state.take_changes()));
  Controller controller(journal, file.rules, std::move(state));
  for (std::size_t at = 0; at < received.size();) {
    const std::size_t end = std::min(received.size(), at + cut());
    using Place = std::vector<InboundMessage>::difference_type;
    const std::vector<InboundMessage> turn(received.begin() + static_cast<Place>(at),
                                           received.begin() + static_cast<Place>(end));
    static_cast<void>(controller.turn(turn, trial_moment()));
    at = end;
  }
  Outcome outcome{{}, journal.rows(), journal.head(), controller.state()};
  journal.read(EntryNumber(1), [&outcome](const StoredEntry& entry) {
    outcome.entries.push_back(entry);
    return true;
  });
  return outcome;
}

void check_same(const Outcome& left, const Outcome& right) {
  CHECK(left.head == right.head);
  CHECK(left.rows == right.rows);
  CHECK((left.state == right.state));
  REQUIRE(left.entries.size() == right.entries.size());
  for (std::size_t place = 0; place < left.entries.size(); ++place) {
    REQUIRE(left.entries[place].bytes == right.entries[place].bytes);
    REQUIRE(left.entries[place].hash == right.entries[place].hash);
  }
}

TEST_CASE("turns of any size give the same journal, rows and state") {
  for (std::uint64_t seed = 1; seed <= 2 * test_floor_count; ++seed) {
    CAPTURE(seed);
    const FloorFile file = test_floor(seed % test_floor_count);
    const std::vector<InboundMessage> received = some_messages(file, seed, 1'200);
    const Outcome one_by_one = play(file, received, [] { return std::size_t{1}; });
    CHECK(one_by_one.entries.size() > 500);
    check_same(one_by_one, play(file, received, [&] { return received.size(); }));
    Dice dice(seed);
    check_same(one_by_one, play(file, received, [&dice] { return dice.below(40) + 1; }));
    check_same(one_by_one, play(file, received, [&dice] { return dice.below(3) + 1; }));

    // The rows contain the same state, too.
    const StateRead read = read_state(one_by_one.head.entry, one_by_one.rows);
    REQUIRE(read.state.has_value());
    CHECK((*read.state == one_by_one.state));
  }
}

}  // namespace
}  // namespace linkmeter::batching_test
