// DayHouse: the house of MixedFloor with a journal in memory and a wall clock. decide() turns the
// messages and acts of its tables and people into entries, day after day, and gaming days end as in
// a controller. For tests of figures that are computed from the journal.
//
// It opens on 2026-11-21 at noon in New York; its days begin at 06:00.
#pragma once

#include <doctest/doctest.h>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "controller/accounting/day/day_report.h"
#include "controller/store/config_history.h"
#include "controller/time/calendar.h"
#include "controller/view/json.h"
#include "meters/rules/decide_day.h"
#include "meters/rules/laws.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"
#include "tests/support/memory_journal.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter {

inline std::vector<Person> accounting_staff() {
  std::vector<Person> staff = standard_staff();
  staff.push_back(person_of("A-1", Department::finance, {Role::accountant}));
  staff.push_back(person_of("S-1", Department::security, {Role::security_officer}));
  return staff;
}

class DayHouse {
 public:
  static constexpr std::int64_t hour_us = 3'600'000'000;

  explicit DayHouse(GamingDay opened = parse_gaming_day("2026-11-21").value()) : day_(opened) {
    now_ = calendar_.begin(day_).after(6 * hour_us);
    commit(open_floor(FloorOpened{file_.floor, file_.text, file_.catalogue_texts,
                                  accounting_staff(), keys_of(file_.floor)},
                      now_));
  }

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const MemoryJournal& journal() const { return journal_; }
  [[nodiscard]] GamingDay today() const { return day_; }
  [[nodiscard]] Timestamp now() const { return now_; }
  [[nodiscard]] Timestamp begins_at() const { return calendar_.begin(day_); }
  void pass(std::int64_t us) { now_ = now_.after(us); }

  // The command as the table's next message, sent now or at `sent_at`.
  EntryNumber take(const std::string& table, TableCommand command,
                   std::optional<Timestamp> sent_at = {}) {
    TableMessage message;
    message.table = TableId(table);
    message.number = state_.session(place_of(table)).last_number().next();
    message.digest[0] = static_cast<std::uint8_t>(message.number.value());
    message.sent_at = sent_at.value_or(now_);
    message.command = std::move(command);
    return commit(decide(state_, file_.rules, message, tick()));
  }
  // A person's act. For an act about a day, the person has the day's current report.
  EntryNumber take(const std::string& badge, OperatorCommand act) {
    const std::optional<FloorFile> proposed = resolve_parameters(act, state_);
    PersonMessage message{Badge(badge), std::move(act)};
    std::optional<DayReport> report;
    if (const auto day = day_of(message.act)) {
      report = report_of(*day);
      message.finding = &report->finding;
    }
    message.shown = &shown_;
    message.is_witnessed = true;
    if (proposed) message.proposed = &proposed->rules;
    const EntryNumber entry = commit(decide(state_, file_.rules, message, tick()));
    if (state_.configuration() == entry && proposed) file_ = *proposed;
    return entry;
  }
  EntryNumber both(const DualControlCommand& act) {
    take("TGM-1", Propose{act});
    const Proposal& proposal = state_.proposals().back();
    return take("FM-1", Confirm{proposal.number, summary(proposal.act)});
  }
  // The table reports its own counts: those of the journal, or spoiled ones.
  EntryNumber tell(const std::string& table, std::uint64_t from = 1,
                   const std::function<void(std::vector<LinkCount>&)>& spoil = {}) {
    const TableIndex place = place_of(table);
    TableCounters counters{place, MessageNumber(from), state_.session(place).last_number(),
                           counts_of(state_, place)};
    if (spoil) spoil(counters.reported);
    return commit(decide(state_, file_.rules, counters, tick()));
  }
  EntryNumber suspend_itself(const std::string& link, const std::string& why) {
    return commit(decide(state_, file_.rules, SelfSuspension{link_of(link), why}, tick()));
  }
  // A fact that an edge creates.
  EntryNumber note(Fact fact) {
    return commit(Entry{state_.last_entry().next(), tick(), std::nullopt, std::move(fact), {}});
  }
  // Sets the amount that the signs last showed. Without a call they have shown nothing.
  void show(const std::string& link, std::size_t level, Amount amount) {
    const LinkIndex place = link_of(link);
    shown_.resize(state_.floor().links.size());
    shown_[place.value()].resize(state_.floor().link(place).levels.size());
    shown_[place.value()][level] = amount;
  }
  // Ends the day; the time is then the beginning of the next day.
  GamingDay end_day() {
    now_ = calendar_.end(day_);
    commit(decide(state_, file_.rules, DayEnd{day_, now_, shown_}, now_));
    return std::exchange(day_, day_.next());
  }
  // Ends the day; then every table that ever played reports its counts.
  GamingDay end_day_told() {
    const GamingDay ended = end_day();
    for (const TableConfig& table : state_.floor().tables) {
      if (state_.session(*state_.floor().find_table(table.id)).last_number() != MessageNumber()) {
        tell(table.id.text());
      }
    }
    return ended;
  }

  [[nodiscard]] TableIndex place_of(const std::string& table) const {
    return state_.floor().find_table(TableId(table)).value();
  }
  [[nodiscard]] LinkIndex link_of(const std::string& link) const {
    return state_.floor().find_link(LinkId(link)).value();
  }
  [[nodiscard]] DayReport report_of(GamingDay day) const {
    return day_report(journal_, state_.days(), day, state_.last_entry());
  }
  [[nodiscard]] Json json_of(GamingDay day) const { return Json::parse(report_of(day).json); }
  // The report of a journal with one forged entry: for faults that decide() never makes.
  [[nodiscard]] DayReport forged(GamingDay day, EntryNumber number,
                                 const std::function<void(Entry&)>& spoil) const {
    MemoryJournal other;
    journal_.read(EntryNumber(1), [&](const StoredEntry& stored) {
      Entry entry = decode_entry(stored.bytes).value();
      if (entry.number == number) spoil(entry);
      other.commit({encode(entry)}, {});
      return true;
    });
    other.commit({}, journal_.rows());
    return day_report(other, state_.days(), day, state_.last_entry());
  }

 private:
  static std::optional<GamingDay> day_of(const OperatorCommand& act) {
    if (const auto* explain = std::get_if<ExplainVariance>(&act)) return explain->day;
    if (const auto* sign = std::get_if<SignDay>(&act)) return sign->day;
    return std::nullopt;
  }
  Timestamp tick() { return now_ = now_.after(1'000'000); }
  EntryNumber commit(const Decision& decision) {
    if (const auto* no = std::get_if<Refusal>(&decision)) {
      REQUIRE_EQ(name(*no), "none");
    }
    return commit(std::get<Entry>(decision));
  }
  EntryNumber commit(const Entry& entry) {
    REQUIRE_EQ(validate_entry(state_, entry).value_or("it fits"), "it fits");
    if (const auto* no = std::get_if<CommandRejected>(&entry.fact)) {
      REQUIRE_EQ(name(no->refusal), "none");
    }
    if (const auto* no = std::get_if<MessageRefused>(&entry.fact)) {
      REQUIRE_EQ(name(no->refusal), "none");
    }
    state_.apply(entry);
    REQUIRE_EQ(law_violation(state_).value_or("lawful"), "lawful");
    journal_.commit({encode(entry)}, rows_for(state_, state_.take_changes()));
    return entry.number;
  }

  FloorFile file_ = std::get<FloorFile>(parse_with_catalogue(mixed_floor_text));
  Calendar calendar_{file_.timezone, file_.gaming_day_start};
  GamingDay day_;
  Timestamp now_;
  ShownAmounts shown_;
  State state_;
  MemoryJournal journal_;
};

// The element of a list with this name under that key. REQUIRES: it exists.
inline const Json& one_of(const Json& list, const std::string& key, const std::string& name) {
  for (const Json& one : list) {
    if (one.at(key) == name) return one;
  }
  FAIL("there is no " << key << " " << name);
  return list;
}
inline const Json& link_in(const Json& report, const std::string& link) {
  return one_of(report.at("links"), "link", link);
}
inline const Json& level_in(const Json& report, const std::string& link, const std::string& level) {
  return one_of(link_in(report, link).at("levels"), "level", level);
}

inline AskedWager wager_on(const std::string& wager, std::uint8_t seat, std::int64_t dollars) {
  return {Seat(seat), WagerId(wager), Amount::dollars(dollars)};
}
inline LockRound raise_it_up(const std::string& round, std::uint8_t seats) {
  LockRound lock = lock_of(round, {});
  for (std::uint8_t seat = 1; seat <= seats; ++seat) {
    lock.wagers.push_back(wager_on("raise-it-up/progressive", seat, 5));
  }
  return lock;
}

}  // namespace linkmeter
