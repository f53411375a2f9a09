#include "controller/audit.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "controller/configuration_text.h"
#include "controller/seal.h"
#include "meters/codec/journal_codec.h"
#include "meters/codec/state_codec.h"
#include "meters/laws.h"
#include "meters/state.h"

namespace linkmeter {
namespace {

constexpr std::uint64_t progress_interval = 10'000;

// Parameters are confirmed by the digests of their texts.
bool has_other_texts(const Entry& entry) {
  const auto* confirmed = std::get_if<ActConfirmed>(&entry.fact);
  const auto* change =
      confirmed == nullptr ? nullptr : std::get_if<ChangeParameters>(&confirmed->act);
  return change != nullptr &&
         (floor_digest(change->floor_text) != change->floor_digest ||
          catalogue_digest(change->catalogue_texts) != change->catalogue_digest);
}

// The chain and the state, one entry after the other.
class Replay {
 public:
  std::optional<BadEntry> add(const StoredEntry& stored) {
    const Head before = chain_.last();
    if (auto bad = chain_.add(stored)) return bad;
    const auto wrong = [&](std::string why) { return BadEntry{stored.number, std::move(why)}; };
    const std::optional<Entry> entry = decode_entry(stored.bytes);
    if (!entry) return wrong("its bytes are not an entry");
    if (entry->number != stored.number) {
      return wrong("it calls itself entry " + std::to_string(entry->number.value()));
    }
    if (auto broken = broken_law(*entry)) return wrong(std::move(*broken));
    if (auto unfit = misfit(state_, *entry)) return wrong(std::move(*unfit));
    if (has_other_texts(*entry)) return wrong("its texts are not those of its summary");
    const auto* checked = std::get_if<SelfChecked>(&entry->fact);
    if (checked != nullptr && checked->head != before.hash) {
      return wrong("it vouches for a journal with another hash");
    }
    state_.apply(*entry);
    for (const LinkPlace link : state_.take_changes().links) {
      if (auto broken = broken_law(state_, link)) return wrong(std::move(*broken));
    }
    return std::nullopt;
  }

  [[nodiscard]] const Chain& chain() const { return chain_; }
  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] State take_state() { return std::move(state_); }

 private:
  Chain chain_;
  State state_;
};

// Which part of two states differs first.
std::string difference(const State& replayed, const State& stored) {
  if (!(replayed.floor() == stored.floor())) return "the floor";
  for (std::size_t at = 0; at < replayed.floor().links.size(); ++at) {
    const LinkPlace place(static_cast<std::uint32_t>(at));
    if (!(replayed.link(place) == stored.link(place))) {
      return "link " + replayed.floor().link(place).id.text();
    }
  }
  for (std::size_t at = 0; at < replayed.floor().tables.size(); ++at) {
    const TablePlace place(static_cast<std::uint32_t>(at));
    if (!(replayed.desk(place) == stored.desk(place))) {
      return "table " + replayed.floor().table(place).id.text();
    }
  }
  if (replayed.claims() != stored.claims()) return "a claim";
  if (replayed.slips() != stored.slips()) return "a slip";
  if (replayed.configuration() != stored.configuration()) return "the parameters' entry";
  if (replayed.people() != stored.people()) return "a person";
  if (replayed.proposals() != stored.proposals() ||
      replayed.last_proposal() != stored.last_proposal()) {
    return "a proposal";
  }
  return "who is enrolled";
}

void compare_state(const State& replayed, const std::vector<Row>& rows, AuditReport& report) {
  const StateRead read = read_state(replayed.last_entry(), rows);
  if (!read.state) {
    report.wrong_state = "the stored state cannot be read: " + read.why;
  } else if (last_entry_seen(*read.state) > replayed.last_entry()) {
    report.bad = BadEntry{replayed.last_entry().next(), "it is missing: the state knows of it"};
  } else if (!(replayed == *read.state)) {
    report.wrong_state =
        "the stored state is not what the entries give: " + difference(replayed, *read.state) +
        " differs";
  } else if (auto broken = broken_law(*read.state)) {
    report.wrong_state = "the state breaks a law of money: " + *broken;
  }
}

}  // namespace

EntryNumber last_entry_seen(const State& state) {
  EntryNumber last;
  for (std::size_t at = 0; at < state.floor().tables.size(); ++at) {
    const Desk& desk = state.desk(TablePlace(static_cast<std::uint32_t>(at)));
    for (const Answer& answer : desk.answers()) last = std::max(last, answer.entry);
    for (const Round& round : desk.rounds()) {
      for (const SeatShown& shown : round.shown) last = std::max(last, shown.entry);
    }
  }
  for (const Claim& claim : state.claims()) last = std::max(last, claim.entry);
  return last;
}

std::string text(const AuditReport& report) {
  if (report.bad) return "the first bad entry is " + text(*report.bad);
  if (!report.wrong_state.empty()) return report.wrong_state;
  return std::to_string(report.entries_checked) + " entries are whole, chained and balanced, and " +
         "give the state; the head is " + hex(report.head.hash);
}

AuditReport audit(const Journal& journal, const std::function<void(std::uint64_t)>& progress) {
  AuditReport report;
  report.head = journal.head();
  const std::vector<Row> rows = journal.rows();  // first: a reader's snapshot ends with read()
  Replay replay;
  journal.read(EntryNumber(1), [&](const StoredEntry& stored) {
    report.bad = replay.add(stored);
    if (report.bad) return false;
    ++report.entries_checked;
    if (progress && report.entries_checked % progress_interval == 0) {
      progress(report.entries_checked);
    }
    return true;
  });
  if (!report.bad) report.bad = replay.chain().finish(report.head);
  if (!report.bad && report.entries_checked == 0) {
    report.bad = BadEntry{EntryNumber(1), "it is missing: no floor was ever opened"};
  }
  if (!report.bad) compare_state(replay.state(), rows, report);
  if (!report.bad) report.state = replay.take_state();
  return report;
}

}  // namespace linkmeter
