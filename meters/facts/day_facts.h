// Day facts: the entries about a gaming day: its end, with a reading of every meter; counts and
// readings of people; explanations of differences; and the two signatures.
//
// The entries between two DayEnded are one gaming day. An entry with postings always belongs to the
// day of its recorded time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "meters/balances/reading.h"
#include "meters/facts/fields.h"
#include "meters/values/gaming_day.h"
#include "meters/values/identity.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// Entered by the system at the first moment of the next day. If the controller was not running, the
// next start enters each missed day.
struct DayEnded {
  GamingDay day;
  Timestamp ends_at;  // the first moment of the next day; the entry may be later
  Reading reading;
  friend bool operator==(const DayEnded&, const DayEnded&) = default;

  static constexpr std::string_view fact_name = "day_ended";
  static auto fields(auto& fact) {
    return std::tuple(field("day", fact.day), field("ends_at", fact.ends_at),
                      field("reading", fact.reading));
  }
};

// What a person saw on a sign.
struct SeenAmount {
  LinkIndex link;
  LevelIndex level;
  Amount amount;  // whole cents
  friend bool operator==(const SeenAmount&, const SeenAmount&) = default;
};

// A person may take a reading at any time.
struct ReadingTaken {
  Reading reading;
  std::vector<SeenAmount> seen;
  std::string note;
  Badge by;
  friend bool operator==(const ReadingTaken&, const ReadingTaken&) = default;

  static constexpr std::string_view fact_name = "reading_taken";
  static auto fields(auto& fact) {
    return std::tuple(field("reading", fact.reading), field("seen", fact.seen),
                      field("note", fact.note), field("by", fact.by));
  }
};

// The counters of one table on one link, since the floor was opened.
struct LinkCount {
  LinkIndex link;
  std::uint64_t rounds = 0;
  std::uint64_t wagers = 0;
  Amount handle;
  friend bool operator==(const LinkCount&, const LinkCount&) = default;
};

// The counters that a table reported when the controller had all its messages, and those of the
// journal at the same moment.
struct CountersReported {
  TableIndex table;
  MessageNumber from;   // the agent's first counted message: 1, or the first of a new outbox
  MessageNumber up_to;  // the last message that both counted
  std::vector<LinkCount> reported;  // the agent's counters
  std::vector<LinkCount> counted;   // the journal's counters, since message 1
  friend bool operator==(const CountersReported&, const CountersReported&) = default;

  static constexpr std::string_view fact_name = "counters_told";
  static auto fields(auto& fact) {
    return std::tuple(field("table", fact.table), field("from_message", fact.from),
                      field("up_to_message", fact.up_to), field("told", fact.reported),
                      field("counted", fact.counted));
  }
};

// The journal holds these numbers: they never change.
enum class CountKind : std::uint8_t {
  poker_box = 1,  // the box of contributions of a poker table (§ 553.20(d))
  fund_kept = 2,  // the fund that finance keeps, compared with its display
  chips = 3,      // progressive chips taken at a table
};

// Counted by one person in the presence of a witness.
struct CountRecorded {
  GamingDay day;
  CountKind kind = CountKind::poker_box;
  std::optional<TableIndex> table;  // nullopt: the count is not of one table
  LinkIndex link;
  Amount amount;  // whole cents
  std::string note;
  Badge witness;  // in old entries without the witness's PIN
  Badge by;
  std::string notice = {};     // who in compliance was notified (§ 553.20(d))
  std::string recording = {};  // surveillance's recording (§ 553.20(d)(1))
  friend bool operator==(const CountRecorded&, const CountRecorded&) = default;

  static constexpr std::string_view fact_name = "count_recorded";
  static auto fields(auto& fact) {
    return std::tuple(field("day", fact.day), field("kind", fact.kind), field("link", fact.link),
                      field<Shown::or_null>("table", fact.table), field("amount", fact.amount),
                      field("note", fact.note), field("witness", fact.witness),
                      field("by", fact.by), field<Shown::if_set>("notice", fact.notice),
                      field<Shown::if_set>("recording", fact.recording));
  }
};

// § 553.20(d), (e): the content of the boxes of a fund of pots was carried to the cage in a locked
// container; or the locked boxes themselves were, and are counted there one by one (CountRecorded).
// The cashier who receives them enters it.
struct FundMoved {
  GamingDay day;
  LinkIndex link;
  std::vector<TableIndex> tables;  // the tables of the boxes; each once
  std::optional<Amount> verified;  // content of the container; nullopt: uncounted boxes
  std::string note;
  Badge carried_by;    // security
  Badge accounted_by;  // a floorperson or above
  Badge by;
  friend bool operator==(const FundMoved&, const FundMoved&) = default;

  static constexpr std::string_view fact_name = "fund_moved";
  static auto fields(auto& fact) {
    return std::tuple(field("day", fact.day), field("link", fact.link),
                      field("tables", fact.tables),
                      field<Shown::or_null>("verified", fact.verified), field("note", fact.note),
                      field("carried_by", fact.carried_by),
                      field("accounted_by", fact.accounted_by), field("by", fact.by));
  }
};

// § 553.20(h): the display of a fund of pots was compared with the amount that finance keeps. The
// display shows the meter, which follows the pots, so no money moves. Afterwards no adjustment is
// pending.
struct DisplayAdjusted {
  LinkIndex link;
  Amount shown;  // the fund's meters in whole cents
  Amount kept;   // by finance
  std::string note;
  Badge witness;  // a floorperson or above, who confirmed it with a PIN
  Badge by;
  friend bool operator==(const DisplayAdjusted&, const DisplayAdjusted&) = default;

  static constexpr std::string_view fact_name = "display_adjusted";
  static auto fields(auto& fact) {
    return std::tuple(field("link", fact.link), field("shown", fact.shown),
                      field("kept", fact.kept), field("note", fact.note),
                      field("witness", fact.witness), field("by", fact.by));
  }
};

// Why a difference in a day's report is acceptable, or how it was corrected. It holds for that
// difference only: if the difference changes, it is open again.
struct VarianceExplained {
  GamingDay day;
  std::string item;        // "count/C4-MEGA/C4-01", as in the report
  std::string difference;  // as in the report
  std::string note;
  std::optional<EntryNumber> corrected_by;  // the correcting entry; nullopt: accepted as is
  Badge by;
  friend bool operator==(const VarianceExplained&, const VarianceExplained&) = default;

  static constexpr std::string_view fact_name = "variance_explained";
  static auto fields(auto& fact) {
    return std::tuple(field("day", fact.day), field("item", fact.item),
                      field("difference", fact.difference), field("note", fact.note),
                      field<Shown::or_null>("corrected_by", fact.corrected_by),
                      field("by", fact.by));
  }
};

// The first signature under a report; if there are several, the last one counts. The second
// signature closes the day.
struct DaySigned {
  GamingDay day;
  Digest report{};  // SHA-256
  Badge by;
  friend bool operator==(const DaySigned&, const DaySigned&) = default;

  static constexpr std::string_view fact_name = "day_signed";
  static auto fields(auto& fact) {
    return std::tuple(field("day", fact.day), field("report", fact.report), field("by", fact.by));
  }
};
struct DayClosed {
  GamingDay day;
  Digest report{};
  Badge by;
  friend bool operator==(const DayClosed&, const DayClosed&) = default;

  static constexpr std::string_view fact_name = "day_closed";
  static auto fields(auto& fact) {
    return std::tuple(field("day", fact.day), field("report", fact.report), field("by", fact.by));
  }
};

std::string_view name(CountKind kind);
std::optional<CountKind> parse_count_kind(std::string_view text);

// The item that a fact is about: the number of facts per person and item is limited.
std::string signed_item(const CountRecorded& count);
std::string signed_item(const FundMoved& moved);
std::string signed_item(const VarianceExplained& explained);

// DayRecord: what the state keeps of a gaming day that has ended: its last entry, the facts that
// people added since, and the signatures. Its figures are in the journal.

struct DayRecord {
  GamingDay day;
  EntryNumber ended;  // the day's last entry, DayEnded
  Timestamp ends_at;
  std::vector<EntryNumber> facts = {};  // counters, counts and explanations, in order
  // The latest first signature, and the report that it names.
  Badge signed_by = {};
  EntryNumber signed_with = {};  // 0: nobody has signed
  Digest report = {};
  // The second signature.
  Badge closed_by = {};
  EntryNumber closed_with = {};  // 0: not closed
  // The number of facts by person and item (signed_item()).
  std::map<std::pair<Badge, std::string>, std::uint32_t> said = {};
  friend bool operator==(const DayRecord&, const DayRecord&) = default;

  [[nodiscard]] bool is_signed() const { return signed_with != EntryNumber(); }
  [[nodiscard]] bool is_closed() const { return closed_with != EntryNumber(); }
  // Whether no fact was added since the day was signed.
  [[nodiscard]] bool is_as_signed() const {
    return is_signed() && (facts.empty() || facts.back() < signed_with);
  }
};

}  // namespace linkmeter
