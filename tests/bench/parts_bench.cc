// linkmeter-parts: measures each part of a turn, in this process and without the network: rounds of
// six wagers at eight tables of one link with three meters (bench_floor.h). Google Benchmark:
// --benchmark_filter=REGEX, --benchmark_repetitions=N.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/store/audit.h"
#include "controller/store/hash_chain.h"
#include "controller/store/lmdb_journal.h"
#include "controller/turn/controller.h"
#include "meters/game/hand.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/wire_codec.h"
#include "tests/bench/bench_floor.h"
#include "tests/property/floors.h"
#include "tests/support/keys.h"
#include "tests/support/memory_journal.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::bench {
namespace {

constexpr std::size_t tables = 8;
constexpr std::uint8_t seats = 6;
constexpr Timestamp now = Timestamp::from_microseconds(1'800'000'000'000'000);

const FloorFile& floor_of(std::size_t count) {
  static const FloorFile eight = floor_from("bench", floor_text(tables));
  static const FloorFile thousand = floor_from("bench", floor_text(1'000));
  return count == tables ? eight : thousand;
}

// Stores nothing: measures a turn without a disk.
class NoDisk final : public Journal {
 public:
  [[nodiscard]] Head head() const override { return head_; }
  void commit(const std::vector<std::string>& entries, const std::vector<Row>& rows) override {
    for (const std::string& bytes : entries) {
      head_.entry = head_.entry.next();
      head_.hash = chain_hash(head_.hash, head_.entry, bytes);
      bytes_ += bytes.size() + head_.hash.size();
    }
    rows_ += rows.size();
  }
  void read(EntryNumber /*from*/,
            const std::function<bool(const StoredEntry&)>& /*visit*/) const override {}
  [[nodiscard]] std::vector<Row> rows() const override { return {}; }
  [[nodiscard]] std::optional<std::string> row(std::string_view /*key*/) const override {
    return std::nullopt;
  }
  [[nodiscard]] Stored stored() const override { return {head_, {}}; }
  [[nodiscard]] JournalSpace room() const override { return {}; }
  void maintain() override {}
  void snapshot_to(const std::filesystem::path& /*folder*/) const override {}
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t row_count() const { return rows_; }

 private:
  Head head_;
  std::uint64_t bytes_ = 0;
  std::uint64_t rows_ = 0;
};

LockRound lock_of(std::uint64_t round, std::uint8_t wagers) {
  LockRound lock{RoundId("r" + std::to_string(round)), {}, wagers, Badge()};
  for (std::uint8_t seat = 1; seat <= wagers; ++seat) {
    lock.wagers.push_back({Seat(seat), WagerId("crazy-4/five-card"), Amount::dollars(5)});
  }
  return lock;
}

// The messages of each table, one after the other: a round locks, a round closes.
class Said {
 public:
  explicit Said(std::size_t count, std::uint8_t wagers) : next_(count, 1), wagers_(wagers) {}

  InboundMessage next(std::size_t table) {
    const std::string name = table_name(table);
    const std::uint64_t number = next_[table]++;
    const std::uint64_t round = (number - 1) / 2;
    TableCommand command = CloseRound{RoundId("r" + std::to_string(round)), Badge()};
    if (number % 2 == 1) command = lock_of(round, wagers_);
    return {name, key_of(name),
            encode(TableMessage{TableId(name), MessageNumber(number), Digest{}, now,
                                std::move(command)})};
  }

 private:
  std::vector<std::uint64_t> next_;
  std::uint8_t wagers_;
};

// A house that has just opened: its journal and its state.
template <class Kept>
State open_house(const FloorFile& file, Kept& journal) {
  const Entry first = open_floor(opened(file), now);
  State state;
  state.apply(first);
  journal.commit({encode(first)}, rows_for(state, state.take_changes()));
  return state;
}

std::vector<InboundMessage> messages(Said& said, std::size_t count, std::size_t of_tables) {
  std::vector<InboundMessage> all;
  for (std::size_t at = 0; at < count; ++at) all.push_back(said.next(at / 2 % of_tables));
  return all;
}

// A controller's turns of this many messages, with the tables that play; disk: a journal on disk.
template <class Turning>
void turn_after_turn(benchmark::State& run, Controller& controller, std::size_t of_tables,
                     Turning after) {
  Said said(of_tables, seats);
  const auto count = static_cast<std::size_t>(run.range(0));
  for (auto _ : run) {
    run.PauseTiming();
    const std::vector<InboundMessage> received = messages(said, count, of_tables);
    run.ResumeTiming();
    const Controller::Turn turn = controller.turn(received, now);
    benchmark::DoNotOptimize(turn.replies.size());
    run.PauseTiming();
    if (!turn.refused.empty()) run.SkipWithError("a message was refused");
    run.ResumeTiming();
  }
  run.SetItemsProcessed(run.iterations() * run.range(0));
  after();
}

void turn_without_disk(benchmark::State& run) {
  const auto of_tables = static_cast<std::size_t>(run.range(1));
  NoDisk journal;
  State state = open_house(floor_of(of_tables), journal);
  Controller controller(journal, floor_of(of_tables).rules, std::move(state));
  const std::uint64_t bytes = journal.bytes(), rows = journal.row_count();
  turn_after_turn(run, controller, of_tables, [&] {
    const auto items = static_cast<double>(run.iterations() * run.range(0));
    run.counters["bytes/message"] = static_cast<double>(journal.bytes() - bytes) / items;
    run.counters["rows/message"] = static_cast<double>(journal.row_count() - rows) / items;
  });
}
BENCHMARK(turn_without_disk)->Args({1, 8})->Args({64, 8})->Args({2'048, 8})->Args({2'048, 1'000});

void turn_on_disk(benchmark::State& run) {
  const ScopedDirectory folder;
  const auto path = folder.path() / "journal";
  LmdbJournal::create(path, std::size_t{16} << 30U);
  const auto journal = LmdbJournal::open(path, std::size_t{16} << 30U);
  State state = open_house(floor_of(tables), *journal);
  Controller controller(*journal, floor_of(tables).rules, std::move(state));
  turn_after_turn(run, controller, tables, [] {});
}
BENCHMARK(turn_on_disk)->Arg(1)->Arg(64)->Arg(2'048)->UseRealTime();

void decode_message(benchmark::State& run) {
  Said said(1, static_cast<std::uint8_t>(run.range(0)));
  const InboundMessage lock = said.next(0);
  for (auto _ : run) benchmark::DoNotOptimize(decode_from_table(lock.bytes));
  run.SetItemsProcessed(run.iterations());
}
BENCHMARK(decode_message)->Arg(1)->Arg(6);

// A house that has played this many rounds, and a few more.
void play(MemoryJournal& journal, std::size_t rounds) {
  State state = open_house(floor_of(tables), journal);
  Controller controller(journal, floor_of(tables).rules, std::move(state));
  Said said(tables, seats);
  for (std::size_t done = 0; done < rounds; done += 1'000) {
    static_cast<void>(controller.turn(messages(said, 2'000, tables), now));
  }
}

std::vector<std::string> entries_of(std::size_t rounds) {
  MemoryJournal journal;
  play(journal, rounds);
  std::vector<std::string> entries;
  journal.read(EntryNumber(1), [&entries](const StoredEntry& stored) {
    entries.push_back(stored.bytes);
    return true;
  });
  return entries;
}

void decode_journaled(benchmark::State& run) {
  const std::vector<std::string> entries = entries_of(1'000);
  std::size_t at = 1;
  for (auto _ : run) {
    benchmark::DoNotOptimize(decode_entry(entries[at]));
    if (++at == entries.size()) at = 1;
  }
  run.SetItemsProcessed(run.iterations());
}
BENCHMARK(decode_journaled);

void encode_entry(benchmark::State& run) {
  std::vector<Entry> entries;
  for (const std::string& bytes : entries_of(1'000)) entries.push_back(*decode_entry(bytes));
  std::size_t at = 1;
  for (auto _ : run) {
    benchmark::DoNotOptimize(encode(entries[at]));
    if (++at == entries.size()) at = 1;
  }
  run.SetItemsProcessed(run.iterations());
}
BENCHMARK(encode_entry);

void seal_entry(benchmark::State& run) {
  const std::string bytes(static_cast<std::size_t>(run.range(0)), 'x');
  Digest hash{};
  for (auto _ : run) hash = chain_hash(hash, EntryNumber(7), bytes);
  benchmark::DoNotOptimize(hash);
  run.SetItemsProcessed(run.iterations());
}
BENCHMARK(seal_entry)->Arg(100)->Arg(250);

// The whole audit: chain, laws, validation, replay, state.
void audit_journal(benchmark::State& run) {
  MemoryJournal journal;
  play(journal, static_cast<std::size_t>(run.range(0)) / 2);
  for (auto _ : run) {
    const AuditReport report = audit(journal, [](std::uint64_t) {});
    if (!report.state || report.bad) run.SkipWithError("the audit is not clean");
  }
  run.SetItemsProcessed(run.iterations() * run.range(0));
}
BENCHMARK(audit_journal)->Arg(100'000)->Unit(benchmark::kMillisecond);

void hand(benchmark::State& run, HandKind kind, std::size_t cards) {
  std::vector<std::vector<Card>> hands;
  std::uint64_t seed = 88'172'645'463'325'252ULL;
  while (hands.size() < 1'024) {
    std::vector<Card> dealt;
    while (dealt.size() < cards) {
      seed ^= seed << 13U, seed ^= seed >> 7U, seed ^= seed << 17U;
      const Card card = Card::from_index(static_cast<std::uint8_t>(seed % 52));
      if (std::find(dealt.begin(), dealt.end(), card) == dealt.end()) dealt.push_back(card);
    }
    hands.push_back(std::move(dealt));
  }
  std::size_t at = 0;
  for (auto _ : run) benchmark::DoNotOptimize(categories(kind, hands[at++ % hands.size()]));
  run.SetItemsProcessed(run.iterations());
}
BENCHMARK_CAPTURE(hand, three_card, HandKind::three_card, 3);
BENCHMARK_CAPTURE(hand, four_card, HandKind::four_card, 5);
BENCHMARK_CAPTURE(hand, five_card, HandKind::five_card, 5);
BENCHMARK_CAPTURE(hand, best_of_seven, HandKind::best_of_seven, 7);
BENCHMARK_CAPTURE(hand, seven_card, HandKind::seven_card, 7);

}  // namespace
}  // namespace linkmeter::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
