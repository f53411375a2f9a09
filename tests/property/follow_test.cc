// A standby that follows the writer's entries, in batches of any size, has the writer's journal to
// the last byte, its rows, its state and its rules.

#include <doctest/doctest.h>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "controller/store/config_history.h"
#include "controller/turn/controller.h"
#include "proto/codec/journal_codec.h"
#include "tests/property/dice.h"
#include "tests/property/floors.h"
#include "tests/property/trial.h"
#include "tests/support/memory_journal.h"

namespace linkmeter::follow_test {
namespace {

// The journal of a writer that commits after every entry.
struct Writer {
  MemoryJournal journal;
  State state;
  FloorRules rules;
  std::vector<Row> rows_of_first;
  bool has_new_parameters = false;

  explicit Writer(const FloorFile& file) : rules(file.rules) {
    take(open_floor(opened(file), trial_moment()));
    rows_of_first = journal.rows();
  }
  void take(const Entry& entry) {
    state.apply(entry);
    journal.commit({encode(entry)}, rows_for(state, state.take_changes()));
  }
  [[nodiscard]] std::vector<StoredEntry> entries(EntryNumber from) const {
    std::vector<StoredEntry> all;
    journal.read(from, [&all](const StoredEntry& one) {
      all.push_back(one);
      return true;
    });
    return all;
  }
};

void play(Writer& writer, const FloorFile& file, std::uint64_t seed, std::size_t messages) {
  const Decide decide = [&writer](const State& state, const FloorRules& rules,
                                  const TimedInput& heard) {
    const Decision decision = core_decides(state, rules, heard);
    if (const auto* entry = std::get_if<Entry>(&decision)) {
      writer.take(*entry);
      if (changes_parameters(*entry)) {
        writer.rules = *heard.proposed;
        writer.has_new_parameters = true;
      }
    }
    return decision;
  };
  const TrialReport report = run_trial(file, seed, messages, decide);
  REQUIRE_MESSAGE(!report.divergence, report.divergence.value_or(""));
}

// What the turns reported.
struct Reported {
  std::set<ClaimNumber> raised;
  std::set<SlipNumber> issued;
  std::set<LinkIndex> changed;
  bool enrolments_changed = false;

  void add(const Controller::Turn& turn) {
    raised.insert(turn.raised.begin(), turn.raised.end());
    issued.insert(turn.issued.begin(), turn.issued.end());
    changed.insert(turn.changed.begin(), turn.changed.end());
    enrolments_changed = enrolments_changed || turn.enrolments_changed;
    CHECK(turn.replies.empty());
    CHECK(turn.person_replies.empty());
  }
  friend bool operator==(const Reported&, const Reported&) = default;
};

// `cut`: how many entries the next turn takes.
Reported follow(const FloorFile& file, const Writer& writer,
                const std::function<std::size_t()>& cut) {
  MemoryJournal journal;
  const std::vector<StoredEntry> all = writer.entries(EntryNumber(1));
  journal.commit({all[0].bytes}, writer.rows_of_first);
  Controller standby(journal, file.rules,
                     read_state(EntryNumber(1), writer.rows_of_first).state.value());
  standby.set_standby("tcp://127.0.0.1:6057");
  Reported reported;
  for (std::size_t at = 1; at < all.size();) {
    const std::size_t end = std::min(all.size(), at + cut());
    using Place = std::vector<StoredEntry>::difference_type;
    reported.add(standby.follow(
        {all.begin() + static_cast<Place>(at), all.begin() + static_cast<Place>(end)}));
    at = end;
  }
  CHECK(journal.head() == writer.journal.head());
  CHECK(journal.rows() == writer.journal.rows());
  CHECK((standby.state() == writer.state));
  CHECK((standby.rules() == writer.rules));
  std::size_t place = 0;
  journal.read(EntryNumber(1), [&](const StoredEntry& one) {
    const StoredEntry& same = all.at(place++);
    REQUIRE(one.bytes == same.bytes);
    REQUIRE(one.hash == same.hash);
    return true;
  });
  CHECK_EQ(place, all.size());
  CHECK_EQ(reported.raised.size(), standby.state().claims().size());
  CHECK_EQ(reported.issued.size(), standby.state().slips().size());
  return reported;
}

}  // namespace

TEST_CASE("a standby has the writer's journal, rows, state and rules, in batches of any size") {
  bool any_parameters = false, any_claims = false;
  for (std::uint64_t seed = 1; seed <= 2 * test_floor_count; ++seed) {
    CAPTURE(seed);
    const FloorFile file = test_floor(seed % test_floor_count);
    Writer writer(file);
    play(writer, file, seed, 1'500);
    CHECK(writer.state.last_entry() > EntryNumber(500));
    const Reported one_by_one = follow(file, writer, [] { return std::size_t{1}; });
    CHECK((one_by_one == follow(file, writer, [] { return std::size_t{1'000'000}; })));
    Dice dice(seed);
    CHECK((one_by_one == follow(file, writer, [&dice] { return dice.below(40) + 1; })));
    CHECK((one_by_one == follow(file, writer, [&dice] { return dice.below(3) + 1; })));
    any_parameters = any_parameters || writer.has_new_parameters;
    any_claims = any_claims || !writer.state.claims().empty();
  }
  CHECK(any_parameters);
  CHECK(any_claims);
}

}  // namespace linkmeter::follow_test
