#include "tests/simulation/simulation_judge.h"

#include <algorithm>

#include "controller/store/config_history.h"
#include "controller/store/hash_chain.h"
#include "meters/rules/laws.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/wire_codec.h"
#include "tests/property/floors.h"
#include "tests/property/judge.h"

namespace linkmeter {

namespace {

constexpr std::size_t claims_looked_at = 12;
constexpr std::uint64_t idle_looks_between = 16;

std::string message_text(const State& state, TableIndex table, MessageNumber number) {
  return state.floor().table(table).id.text() + " message " + std::to_string(number.value());
}

std::string entry_text(const StoredEntry& stored) {
  return "entry " + std::to_string(stored.number.value()) + ": ";
}

std::string count_text(const LinkCount& one) {
  return std::to_string(one.rounds) + " rounds, " + std::to_string(one.wagers) + " wagers, " +
         text_exact(one.handle);
}

// "model: words" becomes "model: entry 12: words".
Finding at_entry(const StoredEntry& stored, Finding finding) {
  if (!finding) return std::nullopt;
  const std::size_t words = finding->find(": ") + 2;
  return finding->insert(words, entry_text(stored));
}

}  // namespace

SimulationJudge::SimulationJudge(const FloorFile& file, const std::vector<Enrolment>& nodes)
    : model_(file.floor, file.text, trial_staff(), file.catalogue_texts),
      said_(file.floor.tables.size()),
      told_(file.floor.tables.size()),
      calendar_(Calendar(file.timezone, file.gaming_day_start)) {
  for (const Enrolment& node : nodes) model_.enrol(node);
  note_keys();
}

void SimulationJudge::stored(TableIndex table, const std::string& bytes) {
  said_[table.value()].push_back(bytes);
}

const SimulationJudge::Told* SimulationJudge::told(TableIndex table, MessageNumber number) const {
  const std::vector<Told>& list = told_[table.value()];
  if (number.value() == 0 || number.value() > list.size()) return nullptr;
  return &list[number.value() - 1];
}

const std::string* SimulationJudge::key_of_table(const std::string& table) const {
  const auto found = model_.keys().find({EnrolmentKind::table, table});
  return found == model_.keys().end() ? nullptr : &found->second;
}

void SimulationJudge::note_keys() {
  for (const NaiveTable& table : model_.tables()) {
    const std::string* key = key_of_table(table.id);
    const std::string now = key == nullptr ? "" : *key;
    const auto known = keys_.find(table.id);
    if (known != keys_.end() && known->second != now) key_changed_.insert(table.id);
    keys_[table.id] = now;
  }
}

Finding SimulationJudge::look(const Journal& journal) {
  if (journal.head().entry < replayed_.last_entry()) return "chain: the journal has lost entries";
  Finding found;
  journal.read(replayed_.last_entry().next(), [&](const StoredEntry& stored) {
    found = at_entry(stored, take(stored));
    return !found;
  });
  if (found) return found;
  if (journal.head() != Head{replayed_.last_entry(), last_hash_}) {
    return "chain: the journal's head is not its last entry";
  }
  const std::size_t claims = model_.claims().size();
  if (auto no = difference(model_, replayed_, claims - std::min(claims, claims_looked_at))) {
    return said_by("model", no);
  }
  for (std::uint32_t link = 0; link < model_.books().size(); ++link) {
    if (auto no = law_violation(replayed_, LinkIndex(link))) return said_by("law", no);
  }
  return std::nullopt;
}

Finding SimulationJudge::take(const StoredEntry& stored) {
  if (stored.hash != chain_hash(last_hash_, stored.number, stored.bytes)) {
    return "chain: the chain is broken";
  }
  last_hash_ = stored.hash;
  hashes_.push_back(stored.hash);
  const std::optional<Entry> entry = decode_entry(stored.bytes);
  if (!entry) return "chain: it cannot be read";
  if (auto no = law_violation(*entry)) return said_by("law", no);
  if (auto no = validate_entry(replayed_, *entry)) return said_by("law", no);
  if (stored.number.value() == 1) opened_at_ = entry->recorded_at;
  if (stored.number.value() > 1) {
    if (Finding no = clock_.entry(entry->recorded_at, last_recorded_)) return no;
    if (Finding no = said_by("day", look_at_day(*entry))) return no;
    auto own = take_own(*entry);
    if (!own) own = entry->origin ? take_from_table(*entry) : take_from_person(*entry);
    if (*own) return *own;
  }
  last_recorded_ = entry->recorded_at;
  if (!entry->postings.empty()) moved_at_ = entry->recorded_at;
  replayed_.apply(*entry);
  replayed_.forget_changes();
  return std::nullopt;
}

// Each day ends once, none is left out, at the time that the calendar gives. No entry of a day
// comes before the end of the previous day, except entries of a start or a clock change about
// themselves.
Finding SimulationJudge::look_at_day(const Entry& entry) {
  if (!calendar_) return std::nullopt;
  if (std::holds_alternative<SelfChecked>(entry.fact) ||
      std::holds_alternative<ClockChanged>(entry.fact) ||
      std::holds_alternative<ClockDoubted>(entry.fact) ||
      std::holds_alternative<ClockReturned>(entry.fact) ||
      std::holds_alternative<LinkSuspended>(entry.fact)) {
    return std::nullopt;
  }
  const std::vector<DayRecord>& days = replayed_.days();
  const GamingDay running = days.empty() ? calendar_->day_of(opened_at_) : days.back().day.next();
  const auto* ended = std::get_if<DayEnded>(&entry.fact);
  // No day ends while the clock is in doubt.
  if (ended == nullptr && replayed_.clock().doubt) return std::nullopt;
  if (ended == nullptr) {
    if (entry.recorded_at < calendar_->end(running)) return std::nullopt;
    return "an entry of another day stands in " + text(running);
  }
  if (ended->day != running) return "another day ended than " + text(running);
  if (replayed_.clock().doubt) return "a day ended while the clock was in doubt";
  // Money that moved while the clock was in doubt belongs to the day that went on.
  const Timestamp ends = std::max(calendar_->end(running), moved_at_.after(1));
  if (ended->ends_at != std::max(ends, last_day_end_.after(1))) {
    return text(running) + " ended at another moment";
  }
  last_day_end_ = ended->ends_at;
  return std::nullopt;
}

std::optional<Finding> SimulationJudge::take_own(const Entry& entry) {
  if (const auto* ended = std::get_if<DayEnded>(&entry.fact)) {
    const DayEnd end{ended->day, ended->ends_at, shown_};
    return said_by("model", difference(model_.on_reply(end, entry.recorded_at), entry));
  }
  if (const auto* told = std::get_if<CountersReported>(&entry.fact))
    return take_counters(*told, entry);
  if (const auto* set = std::get_if<ClockChanged>(&entry.fact)) {
    model_.pass_over();
    return clock_.changed(set->by_us);
  }
  if (const auto* doubted = std::get_if<ClockDoubted>(&entry.fact)) {
    model_.doubt_clock(entry.number.value(), *doubted);
    return clock_.doubted(doubted->by_us);
  }
  if (const auto* returned = std::get_if<ClockReturned>(&entry.fact)) {
    if (!model_.trust_clock(returned->doubted.value())) {
      return Finding("clock: it has returned, and nobody had doubted it");
    }
    return clock_.returned();
  }
  if (const auto* checked = std::get_if<SelfChecked>(&entry.fact)) {
    return take_self_check(*checked, entry);
  }
  if (std::holds_alternative<WriterChanged>(entry.fact)) {
    model_.pass_over();
    return Finding();
  }
  const auto* suspended = std::get_if<LinkSuspended>(&entry.fact);
  if (suspended == nullptr || !suspended->by.empty()) return std::nullopt;
  if (!is_damaged_) return Finding("link: a link suspended itself, and nothing was wrong");
  if (suspended->note.empty()) return Finding("link: it suspended itself and does not say why");
  if (!model_.on_reply(SelfSuspension{suspended->link, suspended->note, true})) {
    return Finding("link: it was suspended already");
  }
  return Finding();
}

Finding SimulationJudge::take_counters(const CountersReported& told, const Entry& entry) {
  ++tellings_;
  const Verdict verdict =
      model_.on_reply(TableCounters{told.table, told.from, told.up_to, told.reported});
  if (Finding no = difference(verdict, entry)) return said_by("model", no);
  if (told.from != MessageNumber(1)) return "table: it forgot what it had counted";
  for (std::size_t at = 0; at < told.reported.size(); ++at) {
    const LinkCount& own = told.reported[at];
    const LinkCount& journaled = told.counted[at];
    if (own == journaled) continue;
    return "table: " + replayed_.floor().table(told.table).id.text() + " has counted " +
           count_text(own) + " on " + replayed_.floor().link(own.link).id.text() +
           " up to message " + std::to_string(told.up_to.value()) + ", the journal " +
           count_text(journaled);
  }
  return std::nullopt;
}

Finding SimulationJudge::take_self_check(const SelfChecked& checked, const Entry& entry) {
  model_.pass_over();
  const Head before{replayed_.last_entry(), hashes_[hashes_.size() - 2]};
  if (checked.verified.next() != entry.number || checked.head != before.hash) {
    return "start: it checked another journal";
  }
  if (!checked.failures.empty() && !is_damaged_) {
    return "start: a self-check failed, and nothing was wrong: " + checked.failures.front().words;
  }
  is_checked_ = checked.failures.empty();
  return std::nullopt;
}

// Exactly once and in order: the entry is the table's next message, word for word.
Finding SimulationJudge::take_from_table(const Entry& entry) {
  const TableIndex table = entry.origin->table;
  const MessageNumber number = entry.origin->number;
  std::vector<Told>& told = told_[table.value()];
  const std::vector<std::string>& said = said_[table.value()];
  if (number.value() != told.size() + 1) return "once: not the table's next message";
  if (number.value() > said.size()) return "once: a message that the table never stored";
  const std::string& bytes = said[number.value() - 1];
  const auto decoded = decode_from_table(bytes);
  const auto* message = decoded ? std::get_if<TableMessage>(&*decoded) : nullptr;
  if (message == nullptr) return "once: what the table stored is no message";
  if (entry.origin->digest != sha256(bytes)) return "once: other words than the table stored";
  TableMessage heard = *message;
  heard.digest = entry.origin->digest;
  const Verdict verdict = model_.on_reply(heard, entry.recorded_at);
  if (Finding no = difference(verdict, entry)) return said_by("model", no);
  told.push_back({entry.number, verdict.refusal, verdict.awards});
  return std::nullopt;
}

Finding SimulationJudge::idle() const {
  if (!is_checked_) return "start: it serves without a self-check that passed";
  return clock_.finish(replayed_.clock().doubt.has_value());
}

Finding SimulationJudge::turned(const Journal& journal, const State& live) {
  if (!is_checked_) return "start: it serves without a self-check that passed";
  // Without a new entry there is nothing to compare; now and then it is compared all the same.
  if (is_unchanged(journal) && ++idle_looks_ % idle_looks_between != 0)
    return clock_.finish(replayed_.clock().doubt.has_value());
  if (Finding no = look(journal)) return no;
  if (live != replayed_) return "state: the live state is not what the journal says";
  return clock_.finish(replayed_.clock().doubt.has_value());
}

Finding SimulationJudge::turned(const Journal& journal, const State& live,
                                const Controller::Turn& turn) {
  if (unsaid_) return unsaid_;
  if (Finding no = turned(journal, live)) return no;
  turn_strangers_away();
  if (asked_done_ != asked_.size()) return "model: what a person asked is no entry";
  if (Finding no = said_by("reply", check_people(turn))) return no;
  return said_by("reply", check_replies(journal, turn.replies));
}

Finding SimulationJudge::restarted(const Journal& journal) {
  is_checked_ = false;
  welcomed_.clear();
  if (Finding no = look(journal)) return no;
  asked_.clear();
  asked_done_ = 0;
  expected_.clear();
  EntryNumber number;
  Digest hash{};
  Finding found;
  journal.read(EntryNumber(1), [&](const StoredEntry& stored) {
    number = number.next();
    hash = chain_hash(hash, stored.number, stored.bytes);
    if (stored.number == number && hash == hashes_[number.value() - 1]) return true;
    found = "chain: " + entry_text(stored) + "it is not what was written there";
    return false;
  });
  return found;
}

Finding SimulationJudge::serves(const Journal& journal, const State& state) {
  if (Finding no = look(journal)) return no;
  if (!is_checked_) return "start: it serves without a self-check that passed";
  if (state != replayed_) return "state: the state's rows are not what the journal replays to";
  return std::nullopt;
}

Finding SimulationJudge::answered(TableIndex table, const std::vector<Answered>& answers) const {
  for (const Answered& one : answers) {
    const Told* what = told(table, one.number);
    if (what != nullptr && what->entry == one.entry && what->refusal == one.refusal) continue;
    return "reply: " + message_text(replayed_, table, one.number) +
           " was answered with what is not journaled";
  }
  return std::nullopt;
}

Finding SimulationJudge::finish(const Journal& journal) {
  if (Finding no = restarted(journal)) return no;
  for (std::uint32_t table = 0; table < said_.size(); ++table) {
    if (said_[table].size() == told_[table].size()) continue;
    return "end: " +
           message_text(replayed_, TableIndex(table), MessageNumber(told_[table].size() + 1)) +
           " was never journaled";
  }
  if (auto no = law_violation(replayed_)) return said_by("law", no);
  return said_by("model", difference(model_, replayed_, 0));
}

}  // namespace linkmeter
