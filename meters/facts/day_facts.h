// Day facts: what becomes an entry about the gaming day: that one ended, with a reading of every
// meter; what people counted and read; what they said about a difference; and their two signatures.
//
// The entries between two DayEnded are a day, by construction: no entry with postings stands in
// another one than that of its moment.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "meters/balances/reading.h"
#include "meters/values/gaming_day.h"
#include "meters/values/identity.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// By itself, at the first moment of the next day; after a night without a controller at its start,
// each missed day with an entry of its own.
struct DayEnded {
  GamingDay day;
  Timestamp ends_at;  // that first moment; the entry may be later
  Reading reading;
  friend bool operator==(const DayEnded&, const DayEnded&) = default;
};

// What a person saw on a sign.
struct SeenAmount {
  LinkIndex link;
  LevelIndex level;
  Amount amount;  // whole cents
  friend bool operator==(const SeenAmount&, const SeenAmount&) = default;
};

// At any moment, by a person.
struct ReadingTaken {
  Reading reading;
  std::vector<SeenAmount> seen;
  std::string note;
  Badge by;
  friend bool operator==(const ReadingTaken&, const ReadingTaken&) = default;
};

// Of one table on one link, since ever.
struct LinkCount {
  LinkIndex link;
  std::uint64_t rounds = 0;
  std::uint64_t wagers = 0;
  Amount handle;
  friend bool operator==(const LinkCount&, const LinkCount&) = default;
};

// What a table has counted for itself, told when the controller had all its messages; and what the
// journal had counted of it at that moment.
struct CountersReported {
  TableIndex table;
  MessageNumber from;   // the agent counts since this message: 1, or where its outbox began anew
  MessageNumber up_to;  // the last message that both have counted
  std::vector<LinkCount> told;     // by the agent
  std::vector<LinkCount> counted;  // by the journal, since message 1
  friend bool operator==(const CountersReported&, const CountersReported&) = default;
};

// Numbers are in the journal: for ever.
enum class CountKind : std::uint8_t {
  poker_box = 1,  // the box of contributions of a poker table (§ 553.20(d))
  fund_kept = 2,  // the fund that finance keeps, against its display
  chips = 3,      // progressive chips taken at a table
};

// Counted by one person before another's eyes.
struct CountRecorded {
  GamingDay day;
  CountKind kind = CountKind::poker_box;
  std::optional<TableIndex> table;  // where it was counted; nothing: it is not one table's
  LinkIndex link;
  Amount amount;  // whole cents
  std::string note;
  Badge witness;  // in old entries without his PIN
  Badge by;
  std::string notice = {};     // who of compliance was told (§ 553.20(d))
  std::string recording = {};  // surveillance's name of its record (§ 553.20(d)(1))
  friend bool operator==(const CountRecorded&, const CountRecorded&) = default;
};

// § 553.20(d), (e): what was in the boxes of a fund of pots, carried to the cage in a locked
// container; or the locked boxes themselves, which are counted there one by one (CountRecorded).
// Said by the cashier who took them over.
struct FundMoved {
  GamingDay day;
  LinkIndex link;
  std::vector<TableIndex> tables;  // whose boxes; each once
  std::optional<Amount> verified;  // what he found in the container; nothing: uncounted boxes
  std::string note;
  Badge carried_by;    // security
  Badge accounted_by;  // a floorperson or above
  Badge by;
  friend bool operator==(const FundMoved&, const FundMoved&) = default;
};

// § 553.20(h): the display of a fund of pots, held against what finance keeps of it; what it shows
// is the meter, which follows the pots by itself, so nothing moves. No adjustment is pending then.
struct DisplayAdjusted {
  LinkIndex link;
  Amount shown;  // its meters in whole cents
  Amount kept;   // by finance
  std::string note;
  Badge witness;  // a floorperson or above, who gave his PIN to it
  Badge by;
  friend bool operator==(const DisplayAdjusted&, const DisplayAdjusted&) = default;
};

// A difference that a day's report names, and why it is none, or how it was put right. Of that
// difference alone: if it changes, it is open again.
struct VarianceExplained {
  GamingDay day;
  std::string item;        // "count/C4-MEGA/C4-01", as the report calls it
  std::string difference;  // as the report said it
  std::string note;
  std::optional<EntryNumber> corrected_by;  // the entry that put it right; nothing: accepted as is
  Badge by;
  friend bool operator==(const VarianceExplained&, const VarianceExplained&) = default;
};

// The first signature under a report, of several the last; the second, with which a day is closed.
struct DaySigned {
  GamingDay day;
  Digest report{};  // SHA-256
  Badge by;
  friend bool operator==(const DaySigned&, const DaySigned&) = default;
};
struct DayClosed {
  GamingDay day;
  Digest report{};
  Badge by;
  friend bool operator==(const DayClosed&, const DayClosed&) = default;
};

std::string_view name(CountKind kind);
std::optional<CountKind> parse_count_kind(std::string_view text);

// What a fact is said of, so that one person does not say too much of one thing.
std::string signed_item(const CountRecorded& count);
std::string signed_item(const FundMoved& moved);
std::string signed_item(const VarianceExplained& explained);

// DayRecord: what the state keeps of a gaming day that has ended: where its entries lie, what
// people said about it since, and who has signed. Its figures are in the journal.

struct DayRecord {
  GamingDay day;
  EntryNumber ended;  // the day's last entry, DayEnded
  Timestamp ends_at;
  std::vector<EntryNumber> facts = {};  // counters told, counts and explanations, in order
  // The first signature, the latest; and what it was put under.
  Badge signed_by = {};
  EntryNumber signed_with = {};  // 0: nobody has signed
  Digest report = {};
  // The second.
  Badge closed_by = {};
  EntryNumber closed_with = {};  // 0: not closed
  // How often a person has said something of one item (signed_item() of day_facts.h).
  std::map<std::pair<Badge, std::string>, std::uint32_t> said = {};
  friend bool operator==(const DayRecord&, const DayRecord&) = default;

  [[nodiscard]] bool is_signed() const { return signed_with != EntryNumber(); }
  [[nodiscard]] bool is_closed() const { return closed_with != EntryNumber(); }
  // Was nothing said about the day since it was signed?
  [[nodiscard]] bool is_as_signed() const {
    return is_signed() && (facts.empty() || facts.back() < signed_with);
  }
};

}  // namespace linkmeter
