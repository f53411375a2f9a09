#include "proto/codec/journal_codec.h"

#include <doctest/doctest.h>
#include <optional>
#include <string>

#include "meters/rules/laws.h"
#include "proto/codec/state_codec.h"
#include "tests/support/description.h"
#include "tests/support/mixed_floor.h"
#include "tests/support/random_values.h"

namespace linkmeter::journal_codec_test {
namespace {

// Bytes with some of them changed, added or removed.
std::string damaged(std::string bytes, RandomValues& random) {
  for (std::uint64_t damage = 1 + random.below(3); damage > 0 && !bytes.empty(); --damage) {
    const std::size_t at = random.below(bytes.size());
    switch (random.below(3)) {
      case 0: bytes[at] = static_cast<char>(random.below(256)); break;
      case 1: bytes.insert(at, 1, static_cast<char>(random.below(256))); break;
      default: bytes.erase(at, 1);
    }
  }
  return bytes;
}

}  // namespace

TEST_CASE("every fact is read back as written") {
  RandomValues random(11);
  for (std::size_t kind = 0; kind < 5'000; ++kind) {
    const Entry entry = random.entry(kind);
    const std::string bytes = encode(entry);
    const auto decoded = decode_entry(bytes);
    CAPTURE(name(entry.fact));
    REQUIRE(decoded.has_value());
    REQUIRE((*decoded == entry));
    REQUIRE_EQ(encode(*decoded), bytes);
  }
}

TEST_CASE("a real floor with its texts is read back as written") {
  const MixedFloor floor;
  const std::string bytes = encode(floor.opening);
  CHECK_GT(bytes.size(), 10'000);
  CHECK((decode_entry(bytes) == floor.opening));
}

TEST_CASE(
    "a reading records where the amount of a discontinued fund went: a level, a reserve, nowhere") {
  const MixedFloor floor;
  const LinkIndex poker(3);
  for (const std::optional<PoolRef>& place : {std::optional<PoolRef>(),
                                              {PoolRef{poker, Pool::reserve()}},
                                              {PoolRef{poker, Pool::level(LevelIndex(0))}},
                                              {PoolRef{poker, Pool::level(LevelIndex(7))}}}) {
    LinkBalances book = floor.state.link(poker);
    book.ending = {EntryNumber(7), EntryNumber(9), place};
    LinkReading reading{book};
    reading.shown.resize(book.levels.size());
    const Entry entry{EntryNumber(10), {}, std::nullopt, DayEnded{GamingDay(), {}, {reading}}, {}};
    CHECK((decode_entry(encode(entry)) == entry));
  }
}

TEST_CASE("an entry cut off anywhere is rejected, never read in part") {
  RandomValues random(12);
  for (std::size_t kind = 0; kind < 300; ++kind) {
    const std::string bytes = encode(random.entry(kind));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      REQUIRE_FALSE(decode_entry(bytes.substr(0, size)).has_value());
    }
  }
}

TEST_CASE("an entry with an unknown field is rejected, never read in part") {
  RandomValues random(15);
  for (std::size_t kind = 0; kind < 300; ++kind) {
    const std::string bytes = encode(random.entry(kind));
    const std::string unknown("\xe2\x12\x01x", 4);  // field 300 with one byte
    CHECK_FALSE(decode_entry(bytes + unknown).has_value());
    CHECK_FALSE(decode_entry(unknown + bytes).has_value());
  }
}

TEST_CASE("any bytes are rejected or decode to an entry that can be encoded again") {
  RandomValues random(13);
  std::size_t entries = 0;
  for (std::size_t round = 0; round < 20'000; ++round) {
    const std::string bytes = round % 4 == 0 ? random.bytes(random.below(60))
                                             : damaged(encode(random.entry(round)), random);
    const auto decoded = decode_entry(bytes);
    if (!decoded) continue;
    ++entries;
    REQUIRE((decode_entry(encode(*decoded)) == decoded));
  }
  CHECK_GT(entries, 1'000);
}

TEST_CASE("a damaged entry breaks a law, is invalid, or can be applied") {
  MixedFloor floor;
  std::vector<std::pair<State, std::string>> history;
  const auto take = [&](const std::string& table, TableCommand command) {
    State before = floor.state;
    history.emplace_back(std::move(before), encode(floor.take(table, std::move(command))));
  };
  take("C4-01", lock_of("r1", {five_card(1), five_card(2)}));
  take("C4-01", royal_flush_of("r1", 2));
  take("C4-02", lock_of("r1", {five_card(3)}));
  take("C4-02", VoidRound{RoundId("r1"), "misdeal", Badge("D-1")});
  LockRound counted = lock_of("r2", {five_card(1)});
  counted.chips = 3;
  take("C4-02", counted);
  take("C4-02", ResolveCount{RoundId("r2"), {five_card(1)}, Badge("F-1")});
  take("P-01", PlayPot{RoundId("h1"), Amount::dollars(30), {}, false, {}, Badge()});
  RandomValues random(14);
  std::size_t applied = 0;
  for (std::size_t round = 0; round < 30'000; ++round) {
    const auto& [before, bytes] = history[round % history.size()];
    const auto entry = decode_entry(damaged(bytes, random));
    if (!entry || law_violation(*entry) || validate_entry(before, *entry)) continue;
    State after = before;
    after.apply(*entry);  // must not abort
    static_cast<void>(law_violation(after));
    CHECK_FALSE(description(*entry, after.floor()).empty());
    ++applied;
  }
  CHECK_GT(applied, 100);
}

}  // namespace linkmeter::journal_codec_test
