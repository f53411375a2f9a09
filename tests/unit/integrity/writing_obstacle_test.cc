// What a standby finds in its own journal, balances and keys: it must not become the writer then.
#include "controller/writing_obstacle.h"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "controller/auth/pin_key.h"
#include "controller/store/data_folder.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"
#include "tests/support/controller_house.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::writing_obstacle_test {
namespace {

// Another journal, with one altered entry or row.
class AlteredJournal final : public ReadOnlyJournal {
 public:
  explicit AlteredJournal(const Journal& journal) : journal_(journal) {}

  std::optional<EntryNumber> altered_entry;
  std::string altered_row;

  [[nodiscard]] Head head() const override { return journal_.head(); }
  void read(EntryNumber from, const std::function<bool(const StoredEntry&)>& visit) const override {
    journal_.read(from, [&](StoredEntry stored) {
      if (stored.number == altered_entry) stored.bytes.back() ^= 1;
      return visit(stored);
    });
  }
  [[nodiscard]] std::vector<Row> rows() const override { return journal_.rows(); }
  [[nodiscard]] std::optional<std::string> row(std::string_view key) const override {
    auto value = journal_.row(key);
    if (value && key == altered_row) value->back() = static_cast<char>(value->back() ^ 1);
    return value;
  }

 private:
  const Journal& journal_;
};

// A standby whose links are compared in every round.
struct Standby {
  ControllerHouse house;
  AlteredJournal journal{house.journal()};
  ScopedDirectory folder;
  Clock clock{{.not_before = ControllerHouse::now}};
  std::optional<HealthMonitor> health;

  explicit Standby(bool is_proved = true) {
    house.say("C4-01", 1);
    house.controller().set_standby("");
    std::filesystem::create_directories(keys_path(folder.path()));
    start(is_proved);
  }
  void start(bool is_proved) {
    HealthMonitor::Terms terms;
    terms.data = folder.path();
    terms.recount_round = std::chrono::seconds(0);
    terms.is_proved = is_proved;
    health.emplace(house.controller(), journal, clock, terms);
  }
  [[nodiscard]] std::string row_of(LinkIndex link) const {
    Changes one;
    one.links.insert(link);
    return rows_for(house.state(), one).front().key;
  }
};

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a standby compares memory and disk, journals nothing, and keeps its fault") {
  Standby standby;
  WritingObstacle obstacle(*standby.health, [] {});
  const std::size_t links = standby.house.state().floor().links.size();
  for (std::size_t at = 0; at < 2 * links; ++at) CHECK_EQ(obstacle(), "");
  CHECK_FALSE(standby.health->found_difference_at().has_value());
  const Head before = standby.house.head();
  standby.journal.altered_row = standby.row_of(LinkIndex(1));
  std::string fault;
  for (std::size_t at = 0; at < links; ++at) fault = obstacle();
  CHECK(says(fault, "C4: "));
  CHECK(standby.health->found_difference_at().has_value());
  standby.journal.altered_row.clear();
  for (std::size_t at = 0; at < links; ++at) CHECK_EQ(obstacle(), fault);
  CHECK_EQ(standby.health->watch_standby(), fault);
  CHECK((standby.house.head() == before));
  CHECK_EQ(standby.house.state().link(LinkIndex(1)).suspended, "");
}

TEST_CASE("a standby reads the audit of what its start trusted") {
  for (const bool is_altered : {false, true}) {
    CAPTURE(is_altered);
    Standby standby;
    if (is_altered) standby.journal.altered_entry = EntryNumber(2);
    standby.start(/*is_proved=*/false);
    const Head before = standby.house.head();
    std::string fault;
    while (fault.empty() && !standby.health->verified_at()) {
      fault = standby.health->watch_standby();
      std::this_thread::yield();
    }
    CHECK_EQ(says(fault, "the journal failed verification"), is_altered);
    CHECK_EQ(standby.health->verified_at().has_value(), !is_altered);
    CHECK_EQ(standby.health->watch_standby(), fault);
    CHECK((standby.house.head() == before));
  }
}

TEST_CASE("a node with another PIN key waits until the right one is there") {
  Standby standby;
  const std::filesystem::path& data = standby.folder.path();
  WritingObstacle obstacle(*standby.health, [&] {
    static_cast<void>(pin_key(data, standby.house.controller().state()));
  });
  CHECK_EQ(obstacle(), "");
  const std::string right(64, 'a'), wrong(64, 'b');
  write_pin_key(data, wrong);
  // The writer replaces the key, and this node follows that.
  standby.house.controller().set_standby(std::nullopt);
  standby.house.both(ReplaceKey{KeyKind::pin, pin_key_mark(right), "", ""});
  standby.house.controller().set_standby("");
  for (int time = 0; time < 2; ++time) CHECK(says(obstacle(), "is not the key in force"));
  write_pin_key(data, right);
  CHECK_EQ(obstacle(), "");
}

}  // namespace linkmeter::writing_obstacle_test
