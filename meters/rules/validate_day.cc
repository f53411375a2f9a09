#include "meters/rules/validate_day.h"

#include <algorithm>

#include "meters/rules/decide_day.h"
#include "meters/values/limits.h"

namespace linkmeter {
namespace {

using ViolationText = std::optional<std::string>;

ViolationText moves_nothing(const Entry& entry) {
  if (entry.origin) return "a day's fact from a table";
  if (!entry.postings.empty()) return "a day's fact moves money";
  return std::nullopt;
}

ViolationText from_nobody(const State& state, const Entry& entry, const Badge& by) {
  if (ViolationText no = moves_nothing(entry)) return no;
  if (state.find_person(by) == nullptr) return "nobody has that badge";
  return std::nullopt;
}

ViolationText misread(const State& state, const Reading& reading) {
  if (reading.size() != state.floor().links.size()) return "a reading of other links";
  for (std::uint32_t at = 0; at < reading.size(); ++at) {
    const LinkReading& link = reading[at];
    if (!(link.book == state.link(LinkIndex(at)))) return "a reading that the books do not say";
    if (link.shown.size() != link.book.levels.size()) return "a reading of other levels";
  }
  return std::nullopt;
}

// Why a fact cannot be added to the day.
ViolationText not_open(const State& state, GamingDay day) {
  const DayRecord* record = state.find_day(day);
  if (record == nullptr) return "the day has not ended";
  if (record->is_closed()) return "the day is closed";
  return std::nullopt;
}

ViolationText no_room(const State& state, GamingDay day) {
  if (ViolationText no = not_open(state, day)) return no;
  if (state.find_day(day)->facts.size() >= limits::day_facts_max) return "too much said of a day";
  return std::nullopt;
}

bool knows(const State& state, LinkIndex link) { return link.value() < state.floor().links.size(); }

}  // namespace

ViolationText day_violation(const State& state, const Entry& entry, const DayEnded& ended) {
  if (ViolationText no = moves_nothing(entry)) return no;
  if (ended.ends_at > entry.recorded_at) return "the day ends before its time";
  if (!state.days().empty()) {
    const DayRecord& last = state.days().back();
    if (ended.day != last.day.next()) return "it is not the next gaming day";
    if (ended.ends_at <= last.ends_at) return "the day ends before it begins";
  }
  return misread(state, ended.reading);
}

ViolationText day_violation(const State& state, const Entry& entry, const ReadingTaken& taken) {
  if (ViolationText no = from_nobody(state, entry, taken.by)) return no;
  for (const SeenAmount& seen : taken.seen) {
    if (!knows(state, seen.link) ||
        seen.level.value() >= state.floor().link(seen.link).levels.size()) {
      return "a sign of an unknown level";
    }
  }
  return misread(state, taken.reading);
}

ViolationText day_violation(const State& state, const Entry& entry,
                            const CountersReported& reported) {
  if (ViolationText no = moves_nothing(entry)) return no;
  if (reported.table.value() >= state.floor().tables.size()) return "an unknown table";
  if (reported.up_to != state.session(reported.table).last_number())
    return "counters of other messages";
  if (reported.from == MessageNumber() || reported.from > reported.up_to.next())
    return "counters of no messages";
  if (reported.counted != counts_of(state, reported.table))
    return "the journal has counted otherwise";
  const auto is_of_one_link = [](const LinkCount& one, const LinkCount& other) {
    return one.link == other.link;
  };
  if (!std::equal(reported.reported.begin(), reported.reported.end(), reported.counted.begin(),
                  reported.counted.end(), is_of_one_link)) {
    return "counters of other links";
  }
  return std::nullopt;
}

ViolationText day_violation(const State& state, const Entry& entry, const CountRecorded& count) {
  if (ViolationText no = from_nobody(state, entry, count.by)) return no;
  if (ViolationText no = no_room(state, count.day)) return no;
  if (!knows(state, count.link)) return "an unknown link";
  if (count.table && !state.floor().link(count.link).has_table(*count.table)) {
    return "a count at a table of other links";
  }
  if (state.find_person(count.witness) == nullptr) return "a count before nobody's eyes";
  if (count.witness == count.by) return "a count before one's own eyes";
  if (!is_countable(count.amount)) return "no amount that was counted";
  return std::nullopt;
}

ViolationText day_violation(const State& state, const Entry& entry,
                            const VarianceExplained& explained) {
  if (ViolationText no = from_nobody(state, entry, explained.by)) return no;
  if (ViolationText no = no_room(state, explained.day)) return no;
  if (explained.item.empty() || explained.note.empty()) return "it explains nothing";
  if (explained.corrected_by && *explained.corrected_by >= entry.number) {
    return "put right by an entry that is to come";
  }
  return std::nullopt;
}

ViolationText day_violation(const State& state, const Entry& entry, const FundMoved& moved) {
  if (ViolationText no = from_nobody(state, entry, moved.by)) return no;
  if (ViolationText no = no_room(state, moved.day)) return no;
  if (!knows(state, moved.link)) return "an unknown link";
  const LinkConfig& terms = state.floor().link(moved.link);
  if (!terms.pot || !may_be_moved(terms, moved.tables)) return "boxes of other tables";
  for (const Badge& badge : {moved.carried_by, moved.accounted_by}) {
    if (state.find_person(badge) == nullptr) return "carried by nobody, or accounted for by nobody";
    if (badge == moved.by) return "carried or accounted for by who took it over";
  }
  if (moved.carried_by == moved.accounted_by) return "carried by who accounts for it";
  if (moved.verified && !is_countable(*moved.verified)) return "no amount that was counted";
  return std::nullopt;
}

ViolationText day_violation(const State& state, const Entry& entry,
                            const DisplayAdjusted& adjusted) {
  if (ViolationText no = from_nobody(state, entry, adjusted.by)) return no;
  if (!knows(state, adjusted.link)) return "an unknown link";
  if (!state.floor().link(adjusted.link).pot) return "a display of no fund of pots";
  if (adjusted.shown != shown_now(state, adjusted.link))
    return "a display that shows another amount";
  if (state.find_person(adjusted.witness) == nullptr) return "a display before nobody's eyes";
  if (adjusted.witness == adjusted.by) return "a display before one's own eyes";
  if (!is_countable(adjusted.kept)) return "no amount that was counted";
  return std::nullopt;
}

ViolationText day_violation(const State& state, const Entry& entry, const DaySigned& first) {
  if (ViolationText no = from_nobody(state, entry, first.by)) return no;
  return not_open(state, first.day);
}

ViolationText day_violation(const State& state, const Entry& entry, const DayClosed& closed) {
  if (ViolationText no = from_nobody(state, entry, closed.by)) return no;
  if (ViolationText no = not_open(state, closed.day)) return no;
  const DayRecord& record = *state.find_day(closed.day);
  if (!record.is_as_signed()) return "it is not signed as it stands";
  if (record.report != closed.report) return "another report than was signed";
  if (record.signed_by == closed.by) return "both signatures are one person's";
  const DayRecord* before = state.find_day(closed.day.previous());
  if (before != nullptr && !before->is_closed()) return "the day before it is open";
  return std::nullopt;
}

}  // namespace linkmeter
