// Damage: for every damage to a journal on disk, the audit names the first bad entry, and the
// controller refuses to start.
#include <doctest/doctest.h>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "controller/integrity/self_check.h"
#include "controller/store/audit.h"
#include "controller/store/lmdb_journal.h"
#include "tests/journal/lmdb_store.h"
#include "tests/support/one_table_house.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::damage_test {
namespace {

using Records = LmdbStore::Records;

// The failure that the self-check finds in a journal and its state; "": none.
std::string failure_of(const Journal& journal) {
  const JournalProof proof = prove(journal);
  return failure_text({proof.journal, proof.balances});
}

// A valid journal of a few entries, to be damaged and repaired.
class Store {
 public:
  Store() {
    LmdbJournal::create(path_);
    {
      const auto journal = LmdbJournal::open(path_);
      OneTableHouse floor(*journal);
      floor.lock("r1");
      floor.win("r1");
      floor.close("r1");
      floor.refuse();
      floor.lock("r2");
      floor.close("r2");
    }
    LmdbStore store(path_);
    entries_ = store.records("journal");
    rows_ = store.records("state");
    meta_ = store.records("meta");
    REQUIRE(entries_.size() == 7);
    REQUIRE(meta_.size() == 2);
  }

  [[nodiscard]] const Records& entries() const { return entries_; }
  [[nodiscard]] const Records& rows() const { return rows_; }
  [[nodiscard]] const Records& meta() const { return meta_; }

  void write(const Records& entries, const Records& rows, const Records& meta) {
    LmdbStore store(path_);
    store.replace("journal", entries);
    store.replace("state", rows);
    store.replace("meta", meta);
  }

  // A meta table according to which the journal ends after `count` of its entries.
  [[nodiscard]] Records meta_ending(std::size_t count) const {
    Records meta = meta_;
    REQUIRE(meta[1].first == "head");
    meta[1].second = count == 0
                         ? std::string(40, '\0')
                         : entries_[count - 1].first + entries_[count - 1].second.substr(0, 32);
    return meta;
  }

  [[nodiscard]] AuditReport audited() const { return audit(*LmdbJournal::open_to_read(path_)); }
  // Why the controller does not start; "": it starts.
  [[nodiscard]] std::string start_fault() const {
    try {
      return failure_of(*LmdbJournal::open(path_));
    } catch (const Fault& fault) {
      return fault.what();
    }
  }
  // The result of the self-check alone, without the checks at opening.
  [[nodiscard]] std::string check_failure() const {
    return failure_of(*LmdbJournal::open_to_read(path_));
  }

 private:
  ScopedDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "journal";
  Records entries_, rows_, meta_;
};

// The audit names this entry, and neither the self-check nor the whole start accepts the store.
void check_bad(const Store& store, std::uint64_t number) {
  const AuditReport report = store.audited();
  CHECK_FALSE(report.is_clean());
  REQUIRE(report.bad.has_value());
  CHECK(report.bad->number == EntryNumber(number));
  CHECK(report.entries_checked == number - 1);
  CHECK(text(report).find("entry " + std::to_string(number)) != std::string::npos);
  CHECK(store.check_failure() != "");
  CHECK(store.start_fault() != "");
}

void flip(std::string& bytes, std::size_t at, unsigned int mask) {
  bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ mask);
}

}  // namespace

TEST_CASE("an undamaged journal passes and starts") {
  Store store;
  store.write(store.entries(), store.rows(), store.meta());
  const AuditReport report = store.audited();
  CHECK_MESSAGE(report.is_clean(), text(report));
  CHECK(report.entries_checked == 7);
  CHECK(report.head.entry == EntryNumber(7));
  CHECK(store.start_fault() == "");
}

TEST_CASE("a journal cut after any entry: the first missing one is named") {
  Store store;
  for (std::size_t kept = 0; kept < store.entries().size(); ++kept) {
    CAPTURE(kept);
    Records entries = store.entries();
    entries.resize(kept);
    store.write(entries, store.rows(), store.meta());
    check_bad(store, kept + 1);
  }
}

TEST_CASE("a journal cut together with its head: the state shows what is missing") {
  Store store;
  for (std::size_t kept = 1; kept < store.entries().size(); ++kept) {
    CAPTURE(kept);
    Records entries = store.entries();
    entries.resize(kept);
    store.write(entries, store.rows(), store.meta_ending(kept));
    const AuditReport report = store.audited();
    REQUIRE(report.bad.has_value());
    CHECK(report.bad->number == EntryNumber(kept + 1));
    CHECK(report.entries_checked == kept);
  }
}

TEST_CASE("every flipped byte of every entry and of its hash is found, in that entry") {
  Store store;
  for (std::size_t place = 0; place < store.entries().size(); ++place) {
    for (std::size_t at = 0; at < store.entries()[place].second.size(); ++at) {
      CAPTURE(place);
      CAPTURE(at);
      Records entries = store.entries();
      flip(entries[place].second, at, at % 2 == 0 ? 0x01U : 0x80U);
      store.write(entries, store.rows(), store.meta());
      const AuditReport report = store.audited();
      REQUIRE(report.bad.has_value());
      REQUIRE(report.bad->number == EntryNumber(place + 1));
      REQUIRE(store.check_failure() != "");
    }
  }
}

TEST_CASE("entries shortened, emptied or lengthened are found") {
  Store store;
  for (const std::size_t size : {0U, 1U, 31U, 32U, 33U}) {
    CAPTURE(size);
    Records entries = store.entries();
    entries[3].second.resize(size);
    store.write(entries, store.rows(), store.meta());
    check_bad(store, 4);
  }
  Records entries = store.entries();
  entries[3].second += '\0';
  store.write(entries, store.rows(), store.meta());
  check_bad(store, 4);
}

TEST_CASE("a dropped entry is named") {
  Store store;
  for (std::size_t place = 0; place < store.entries().size(); ++place) {
    CAPTURE(place);
    Records entries = store.entries();
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(place));
    store.write(entries, store.rows(), store.meta());
    check_bad(store, place + 1);
  }
}

TEST_CASE("a dropped entry is named even if the later ones close the gap") {
  Store store;
  Records entries = store.entries();
  for (std::size_t place = 3; place + 1 < entries.size(); ++place) {
    entries[place].second = entries[place + 1].second;
  }
  entries.pop_back();
  store.write(entries, store.rows(), store.meta());
  check_bad(store, 4);
}

TEST_CASE("a doubled entry is named, at the end and in the middle") {
  Store store;
  Records entries = store.entries();
  std::string next = entries.back().first;
  ++next.back();
  entries.emplace_back(next, entries.back().second);
  store.write(entries, store.rows(), store.meta());
  check_bad(store, 8);

  for (std::size_t place = entries.size() - 1; place > 3; --place) {
    entries[place].second = entries[place - 1].second;
  }
  store.write(entries, store.rows(), store.meta());
  check_bad(store, 5);
}

TEST_CASE("two swapped entries: the first of them is named") {
  Store store;
  for (std::size_t place = 0; place + 1 < store.entries().size(); ++place) {
    CAPTURE(place);
    Records entries = store.entries();
    std::swap(entries[place].second, entries[place + 1].second);
    store.write(entries, store.rows(), store.meta());
    check_bad(store, place + 1);
  }
}

TEST_CASE("records that are not entries are found at any place") {
  Store store;
  const std::string value = store.entries()[2].second;
  const auto with = [&](const std::string& key) {
    Records entries = store.entries();
    entries.emplace_back(key, value);
    store.write(entries, store.rows(), store.meta());
  };
  with(std::string(8, '\0'));  // before entry 1
  check_bad(store, 1);
  with(store.entries()[2].first + "x");  // after entry 3
  check_bad(store, 4);
  with(std::string(8, '\xff'));  // far after the end
  check_bad(store, 8);
}

TEST_CASE("a changed entry with a recomputed chain does not give the stored state") {
  Store store;
  Records entries = store.entries();
  const std::string lock = entries[5].second.substr(32);
  std::optional<Entry> entry = decode_entry(lock);
  REQUIRE(entry.has_value());
  std::get<RoundLocked>(entry->fact).wagers.clear();  // as if the wager never happened
  entry->postings.clear();
  entries[5].second = std::string(32, '\0') + encode(*entry);
  Digest previous{};
  for (std::size_t place = 0; place < entries.size(); ++place) {
    const std::string bytes = entries[place].second.substr(32);
    previous = chain_hash(previous, EntryNumber(place + 1), bytes);
    entries[place].second = std::string(previous.begin(), previous.end()) + bytes;
  }
  Records meta = store.meta();
  meta[1].second = entries.back().first + entries.back().second.substr(0, 32);
  store.write(entries, store.rows(), meta);
  const AuditReport report = store.audited();
  CHECK_FALSE(report.bad.has_value());
  CHECK(report.wrong_state.find("LINK") != std::string::npos);
}

TEST_CASE("an entry that breaks a law is named, although its hash is right") {
  Store store;
  Records entries = store.entries();
  std::optional<Entry> entry = decode_entry(entries[6].second.substr(32));
  REQUIRE(entry.has_value());
  const auto sealed_last = [&](const std::string& bytes) {
    const Digest hash = chain_hash(Digest{}, EntryNumber(0), "");
    Digest previous = hash;
    std::copy_n(entries[5].second.begin(), previous.size(),
                reinterpret_cast<char*>(previous.data()));
    const Digest sealed = chain_hash(previous, EntryNumber(7), bytes);
    entries[6].second = std::string(sealed.begin(), sealed.end()) + bytes;
    Records meta = store.meta();
    meta[1].second = entries[6].first + std::string(sealed.begin(), sealed.end());
    store.write(entries, store.rows(), meta);
    return store.audited().bad;
  };
  const auto named = [](const std::optional<BadEntry>& bad) {
    return bad && bad->number == EntryNumber(7);
  };

  CHECK(named(sealed_last("these bytes are not an entry\xff\xff")));
  Entry renumbered = *entry;
  renumbered.number = EntryNumber(9);
  const auto other_number = sealed_last(encode(renumbered));
  CHECK(named(other_number));
  CHECK(other_number.value().why == "its bytes have the number of entry 9");
  Entry unbalanced = *entry;
  unbalanced.postings = {
      {Account::meter, LinkIndex(0), Pool::level(LevelIndex(0)), Amount::cents(1)}};
  CHECK(named(sealed_last(encode(unbalanced))));
  Entry impossible = *entry;
  std::get<RoundClosed>(impossible.fact).round = RoundId("never-opened");
  CHECK(named(sealed_last(encode(impossible))));
  CHECK_FALSE(sealed_last(encode(*entry)).has_value());
}

TEST_CASE("every flipped byte of the head stops the controller's start, and the audit finds it") {
  Store store;
  for (std::size_t at = 0; at < store.meta()[1].second.size(); ++at) {
    CAPTURE(at);
    Records meta = store.meta();
    flip(meta[1].second, at, 0x01U);
    store.write(store.entries(), store.rows(), meta);
    CHECK(store.audited().bad.has_value());
    CHECK(store.check_failure() != "");
    CHECK(store.start_fault() != "");
  }
}

TEST_CASE("every flipped byte of every state row stops the controller's start") {
  Store store;
  for (std::size_t place = 0; place < store.rows().size(); ++place) {
    for (std::size_t at = 0; at < store.rows()[place].second.size(); ++at) {
      CAPTURE(place);
      CAPTURE(at);
      Records rows = store.rows();
      flip(rows[place].second, at, at % 2 == 0 ? 0x01U : 0x80U);
      store.write(store.entries(), rows, store.meta());
      const AuditReport report = store.audited();
      REQUIRE_FALSE(report.bad.has_value());
      REQUIRE(report.wrong_state != "");
      REQUIRE(store.check_failure() != "");
    }
  }
}

TEST_CASE("every dropped state row is found by the audit") {
  Store store;
  for (std::size_t place = 0; place < store.rows().size(); ++place) {
    CAPTURE(store.rows()[place].first);
    Records rows = store.rows();
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(place));
    store.write(store.entries(), rows, store.meta());
    CHECK_FALSE(store.audited().is_clean());
  }
}

TEST_CASE("a controller does not start on an empty journal") {
  const ScopedDirectory directory;
  LmdbJournal::create(directory.path() / "journal");
  const auto journal = LmdbJournal::open(directory.path() / "journal");
  CHECK(failure_of(*journal) != "");
  CHECK(audit(*journal).bad == BadEntry{EntryNumber(1), "it is missing: no floor was ever opened"});
}

}  // namespace linkmeter::damage_test
