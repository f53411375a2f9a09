#include "tests/simulation/simulation_judge.h"

#include <algorithm>

#include "controller/seal.h"
#include "meters/codec/journal_codec.h"
#include "meters/codec/wire_codec.h"
#include "meters/laws.h"
#include "tests/property/floors.h"
#include "tests/property/judge.h"

namespace linkmeter {

namespace {

using Finding = SimulationJudge::Finding;

constexpr std::size_t claims_looked_at = 12;

std::string message_text(const State& state, TablePlace table, MessageNumber number) {
  return state.floor().table(table).id.text() + " message " + std::to_string(number.value());
}

}  // namespace

SimulationJudge::SimulationJudge(const FloorFile& file)
    : model_(file.floor, file.text, trial_staff()),
      said_(file.floor.tables.size()),
      told_(file.floor.tables.size()),
      calendar_(file.timezone, file.gaming_day_start) {}

void SimulationJudge::stored(TablePlace table, const std::string& bytes) {
  said_[table.value()].push_back(bytes);
}

const SimulationJudge::Told* SimulationJudge::told(TablePlace table, MessageNumber number) const {
  const std::vector<Told>& list = told_[table.value()];
  if (number.value() == 0 || number.value() > list.size()) return nullptr;
  return &list[number.value() - 1];
}

Finding SimulationJudge::look(const Journal& journal) {
  if (journal.head().entry < replayed_.last_entry()) return "the journal has lost entries";
  Finding found;
  journal.read(replayed_.last_entry().next(), [&](const StoredEntry& stored) {
    found = take(stored);
    return !found;
  });
  if (found) return found;
  if (journal.head() != Head{replayed_.last_entry(), last_hash_}) {
    return "the journal's head is not its last entry";
  }
  for (std::uint32_t link = 0; link < model_.books().size(); ++link) {
    if (Finding no = broken_law(replayed_, LinkPlace(link))) return no;
  }
  const std::size_t claims = model_.claims().size();
  return difference(model_, replayed_, claims - std::min(claims, claims_looked_at));
}

Finding SimulationJudge::take(const StoredEntry& stored) {
  if (stored.hash != seal(last_hash_, stored.number, stored.bytes)) return "the chain is broken";
  last_hash_ = stored.hash;
  const std::optional<Entry> entry = decode_entry(stored.bytes);
  if (!entry) return "an entry cannot be read";
  if (Finding no = broken_law(*entry)) return no;
  if (Finding no = misfit(replayed_, *entry)) {
    return "entry " + std::to_string(stored.number.value()) + ": " + *no;
  }
  if (stored.number.value() == 1) opened_at_ = entry->recorded_at;
  if (stored.number.value() > 1) {
    if (Finding no = look_at_day(*entry)) return no;
    if (Finding no = take(*entry)) {
      return "entry " + std::to_string(stored.number.value()) + ": " + *no;
    }
  }
  replayed_.apply(*entry);
  static_cast<void>(replayed_.take_changes());
  return std::nullopt;
}

// Each day ends once, none is left out, at the moment that the calendar says; and nothing of a day
// stands before the end of the one before it.
Finding SimulationJudge::look_at_day(const Entry& entry) const {
  const std::vector<DayRecord>& days = replayed_.days();
  const GamingDay running = days.empty() ? calendar_.day_of(opened_at_) : days.back().day.next();
  const auto* ended = std::get_if<DayEnded>(&entry.fact);
  if (ended == nullptr) {
    if (entry.recorded_at < calendar_.end(running)) return std::nullopt;
    return "an entry of another day stands in " + text(running);
  }
  if (ended->day != running) return "another day ended than " + text(running);
  if (ended->ends_at != calendar_.end(running)) return text(running) + " ended at another moment";
  return std::nullopt;
}

Finding SimulationJudge::take_own(const Entry& entry) {
  if (const auto* ended = std::get_if<DayEnded>(&entry.fact)) {
    return difference(model_.hear(DayEnd{ended->day, ended->ends_at, {}}, entry.recorded_at),
                      entry);
  }
  if (const auto* told = std::get_if<CountersTold>(&entry.fact)) {
    ++tellings_;
    const Verdict verdict =
        model_.hear(TableCounters{told->table, told->from, told->up_to, told->told});
    if (Finding no = difference(verdict, entry)) return no;
    if (told->from != MessageNumber(1)) return "a table forgot what it had counted";
    for (std::size_t at = 0; at < told->told.size(); ++at) {
      const LinkCount& own = told->told[at];
      const LinkCount& journaled = told->counted[at];
      if (own == journaled) continue;
      const auto text_of = [](const LinkCount& one) {
        return std::to_string(one.rounds) + " rounds, " + std::to_string(one.wagers) + " wagers, " +
               text_exact(one.handle);
      };
      return replayed_.floor().table(told->table).id.text() + " has counted " + text_of(own) +
             " on " + replayed_.floor().link(own.link).id.text() + " up to message " +
             std::to_string(told->up_to.value()) + ", the journal " + text_of(journaled);
    }
    return std::nullopt;
  }
  return "an entry that no table said";
}

// Exactly once and in order: the entry is the table's next message, word for word.
Finding SimulationJudge::take(const Entry& entry) {
  if (!entry.origin) return take_own(entry);
  const TablePlace table = entry.origin->table;
  const MessageNumber number = entry.origin->number;
  std::vector<Told>& told = told_[table.value()];
  const std::vector<std::string>& said = said_[table.value()];
  if (number.value() != told.size() + 1) return "not the table's next message";
  if (number.value() > said.size()) return "a message that the table never stored";
  const std::string& bytes = said[number.value() - 1];
  const auto decoded = decode_from_table(bytes);
  const auto* message = decoded ? std::get_if<TableMessage>(&*decoded) : nullptr;
  if (message == nullptr) return "what the table stored is no message";
  if (entry.origin->digest != sha256(bytes)) return "other words than the table stored";
  TableMessage heard = *message;
  heard.digest = entry.origin->digest;
  const Verdict verdict = model_.hear(heard);
  if (Finding no = difference(verdict, entry)) return no;
  told.push_back({entry.number, verdict.refusal});
  return std::nullopt;
}

Finding SimulationJudge::turned(const Journal& journal, const State& live,
                                const std::vector<Reply>& replies) {
  std::vector<std::size_t> before;
  for (const std::vector<Told>& told : told_) before.push_back(told.size());
  if (Finding no = look(journal)) return no;
  if (live != replayed_) return "the live state is not what the journal says";
  for (const Reply& reply : replies) {
    if (Finding no = check_reply(journal, before, reply))
      return "reply to " + reply.peer + ": " + *no;
  }
  return std::nullopt;
}

Finding SimulationJudge::check_reply(const Journal& journal, const std::vector<std::size_t>& before,
                                     const Reply& reply) const {
  const std::optional<ToTable> decoded = decode_to_table(reply.bytes);
  const std::optional<TablePlace> table = replayed_.floor().find_table(TableId(reply.peer));
  if (!decoded || !table) return "is no reply to a table";
  if (const auto* welcome = std::get_if<Welcome>(&*decoded)) {
    if (welcome->head != journal.head()) return "welcome with another head";
    // As things stood when the Hello was taken: somewhere within the turn.
    const std::uint64_t last = welcome->last_number.value();
    if (last < before[table->value()] || last > told_[table->value()].size()) {
      return "welcome with another last number";
    }
    return std::nullopt;
  }
  if (std::holds_alternative<HeartbeatAnswer>(*decoded)) return std::nullopt;
  const Acknowledgements& acknowledgements = std::get<Acknowledgements>(*decoded);
  if (acknowledgements.head != journal.head()) return "acknowledgement with another head";
  for (const Acknowledgement& one : acknowledgements.list) {
    if (one.entry.value() == 0) continue;
    const Told* what = told(*table, one.number);
    if (what == nullptr) return "acknowledges what is not on the disk";
    if (what->entry != one.entry || what->refusal != one.refusal) return "answers wrongly";
  }
  return std::nullopt;
}

Finding SimulationJudge::restarted(const Journal& journal, const State& state) {
  if (Finding no = look(journal)) return "at the restart: " + *no;
  if (state != replayed_) return "the state's rows are not what the journal replays to";
  return std::nullopt;
}

Finding SimulationJudge::answered(TablePlace table, const std::vector<Answered>& answers) const {
  for (const Answered& one : answers) {
    const Told* what = told(table, one.number);
    if (what != nullptr && what->entry == one.entry && what->refusal == one.refusal) continue;
    return message_text(replayed_, table, one.number) + " was answered with what is not journaled";
  }
  return std::nullopt;
}

Finding SimulationJudge::finish(const Journal& journal) {
  if (Finding no = look(journal)) return no;
  for (std::uint32_t table = 0; table < said_.size(); ++table) {
    if (said_[table].size() == told_[table].size()) continue;
    return message_text(replayed_, TablePlace(table), MessageNumber(told_[table].size() + 1)) +
           " was never journaled";
  }
  if (Finding no = broken_law(replayed_)) return no;
  return difference(model_, replayed_, 0);
}

}  // namespace linkmeter
