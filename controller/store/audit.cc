#include "controller/store/audit.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "controller/store/config_history.h"
#include "controller/store/hash_chain.h"
#include "controller/store/journal_reader.h"
#include "controller/store/journal_signature.h"
#include "controller/store/prefetch_reader.h"
#include "meters/rules/laws.h"
#include "meters/state/state.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"

namespace linkmeter {

std::optional<std::string> entry_violation(const State& state, const Head& before,
                                           const Entry& entry) {
  if (auto broken = law_violation(entry)) return broken;
  if (auto unfit = validate_entry(state, entry)) return unfit;
  if (has_other_texts(entry)) return "its texts are not those of its summary";
  const auto* checked = std::get_if<SelfChecked>(&entry.fact);
  if (checked != nullptr && checked->head != before.hash) {
    return "it records a self-check of a journal with another hash";
  }
  return std::nullopt;
}

namespace {

constexpr std::uint64_t progress_interval = 10'000;

// A day that ended before its last money entry was recorded.
struct LateMoney {
  EntryNumber first;  // of the day
  Timestamp ends_at;
};

// Replays the chain and the state, entry by entry.
class Replay {
 public:
  // `entry`: the decoded bytes; nullopt: they do not decode.
  std::optional<BadEntry> add(const StoredEntry& stored, const std::optional<Entry>& entry) {
    const Head before = chain_.last();
    if (auto bad = chain_.add(stored)) return bad;
    const auto wrong = [&](std::string why) { return BadEntry{stored.number, std::move(why)}; };
    if (!entry) return wrong(why_unreadable(stored.bytes, release_));
    if (entry->number != stored.number) {
      return wrong("its bytes have the number of entry " + std::to_string(entry->number.value()));
    }
    if (auto unfit = entry_violation(state_, before, *entry)) return wrong(std::move(*unfit));
    if (const auto* checked = std::get_if<SelfChecked>(&entry->fact)) release_ = checked->version;
    if (const auto* restored = std::get_if<HistoryRestored>(&entry->fact)) {
      restored_.emplace_back(stored.number, Head{restored->ended_with, restored->hash});
    }
    if (auto bad = note_signature(*entry)) return wrong(std::move(*bad));
    note_late_money(*entry);
    state_.apply(*entry);
    for (const LinkIndex link : state_.changes().links) {
      if (auto broken = law_violation(state_, link)) return wrong(std::move(*broken));
    }
    state_.forget_changes();
    if (late_money_) return wrong("the day ends before its last money entry");
    return std::nullopt;
  }
  // Set if a day ended before its last money entry: first_late_entry() then finds the invalid
  // entry.
  [[nodiscard]] const std::optional<LateMoney>& late_money() const { return late_money_; }

  // The journal heads that restoration entries name.
  [[nodiscard]] const std::vector<std::pair<EntryNumber, Head>>& restored() const {
    return restored_;
  }

  // Heads that entries record as signed.
  [[nodiscard]] const std::vector<std::pair<EntryNumber, Head>>& signed_heads() const {
    return signed_;
  }
  [[nodiscard]] const SignaturesProof& signatures() const { return signatures_; }

  [[nodiscard]] const HashChain& chain() const { return chain_; }
  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] State take_state() { return std::move(state_); }

 private:
  void note_late_money(const Entry& entry) {
    const auto* ended = std::get_if<DayEnded>(&entry.fact);
    if (ended == nullptr || state_.moments().moved_at < ended->ends_at) return;
    const std::vector<DayRecord>& days = state_.days();
    late_money_ =
        LateMoney{days.empty() ? EntryNumber(1) : days.back().ended.next(), ended->ends_at};
  }

  // The error in the entry's data about the journal's key. REQUIRES: the entry is valid in the
  // state.
  std::optional<std::string> note_signature(const Entry& entry) {
    if (const auto* opened = std::get_if<FloorOpened>(&entry.fact)) {
      if (opened->journal_key.empty()) return std::nullopt;
      signatures_.keys.push_back({entry.number, sha256(opened->journal_key), true});
    }
    const auto* confirmed = std::get_if<ActConfirmed>(&entry.fact);
    const auto* replace = confirmed == nullptr ? nullptr : std::get_if<ReplaceKey>(&confirmed->act);
    if (auto bad = signature_violation(state_, entry)) return bad;
    if (replace != nullptr && replace->kind == KeyKind::journal) {
      signatures_.keys.push_back({entry.number, sha256(replace->key), !replace->signature.empty()});
    }
    const auto* signing = std::get_if<HeadSigned>(&entry.fact);
    if (signing == nullptr) return std::nullopt;
    const Head head{signing->head, signing->hash};
    signed_.emplace_back(entry.number, head);
    ++signatures_.count;
    ++signatures_.keys.back().count;
    signatures_.up_to = std::max(signatures_.up_to, head.entry);
    return std::nullopt;
  }

  HashChain chain_;
  State state_;
  std::string release_;  // of the controller that writes the entries: the one of the last start
  std::vector<std::pair<EntryNumber, Head>> signed_;
  SignaturesProof signatures_;
  std::optional<LateMoney> late_money_;
  std::vector<std::pair<EntryNumber, Head>> restored_;
};

// A money entry belongs to the day of its timestamp. Returns the first entry of the day that was
// recorded after the day's end.
std::optional<BadEntry> first_late_entry(const Journal& journal, const LateMoney& late) {
  std::optional<BadEntry> bad;
  journal.read(late.first, [&](const StoredEntry& stored) {
    const std::optional<Entry> entry = decode_entry(stored.bytes);
    if (entry && !entry->postings.empty() && entry->recorded_at >= late.ends_at) {
      bad = BadEntry{stored.number, "it moves money in a gaming day that was over"};
    }
    return !bad;
  });
  return bad;
}

// The head of a restored backup must be in this journal, and so must every head that entries record
// as signed.
std::optional<BadEntry> first_foreign_head(const Journal& journal, const Replay& replay) {
  for (const auto& [number, head] : replay.restored()) {
    if (find_head(journal, head.entry) != head) {
      return BadEntry{number, "it was restored from a journal with another hash"};
    }
  }
  for (const auto& [number, head] : replay.signed_heads()) {
    if (find_head(journal, head.entry) != head) {
      return BadEntry{number, "it signs an entry with another hash"};
    }
  }
  return std::nullopt;
}

EntryNumber last_seen_at(const TableSession& session) {
  EntryNumber last;
  for (const Answer& answer : session.answers()) last = std::max(last, answer.entry);
  for (const PlayedPot& pot : session.pots()) last = std::max(last, pot.entry);
  for (const Round& round : session.rounds()) {
    last = std::max({last, round.dealer.entry, round.changed_by});
    for (const SeatShown& shown : round.shown) last = std::max(last, shown.entry);
  }
  return last;
}

// The first part in which two states differ.
std::string difference(const State& replayed, const State& stored) {
  if (!(replayed.floor() == stored.floor())) return "the floor";
  for (std::size_t at = 0; at < replayed.floor().links.size(); ++at) {
    const LinkIndex place(static_cast<std::uint32_t>(at));
    if (!(replayed.link(place) == stored.link(place))) {
      return "link " + replayed.floor().link(place).id.text();
    }
  }
  for (std::size_t at = 0; at < replayed.floor().tables.size(); ++at) {
    const TableIndex place(static_cast<std::uint32_t>(at));
    if (!(replayed.session(place) == stored.session(place))) {
      return "table " + replayed.floor().table(place).id.text();
    }
  }
  if (replayed.claims() != stored.claims()) return "a claim";
  if (replayed.slips() != stored.slips()) return "a slip";
  if (replayed.days() != stored.days()) return "a gaming day";
  if (replayed.restorations() != stored.restorations()) return "a restoration";
  if (replayed.configuration() != stored.configuration()) return "the parameters' entry";
  if (replayed.last_check() != stored.last_check()) return "the last self-check";
  if (replayed.clock() != stored.clock()) return "the trust in the clock";
  if (replayed.keys() != stored.keys()) return "the keys of the house";
  if (replayed.writer() != stored.writer()) return "the writer";
  if (replayed.moments() != stored.moments())
    return "the times when the floor opened and money last moved";
  if (replayed.people() != stored.people()) return "a person";
  if (replayed.proposals() != stored.proposals() ||
      replayed.last_proposal() != stored.last_proposal()) {
    return "a proposal";
  }
  if (replayed.recovery() != stored.recovery()) return "the recovery codes";
  return "the enrolments";
}

void compare_state(const State& stored, AuditReport& report) {
  const State& replayed = *report.state;
  if (last_entry_in(stored) > replayed.last_entry()) {
    report.bad = BadEntry{replayed.last_entry().next(), "it is missing, but the state includes it"};
  } else if (!(replayed == stored)) {
    report.wrong_state =
        "the stored state is not what the entries give: " + difference(replayed, stored) +
        " differs";
  } else if (auto broken = law_violation(stored)) {
    report.wrong_state = "the state breaks a law of money: " + *broken;
  }
}

}  // namespace

EntryNumber last_entry_in(const State& state) {
  EntryNumber last = std::max(state.configuration(), state.last_check());
  const auto see = [&last](EntryNumber entry) { last = std::max(last, entry); };
  for (std::size_t at = 0; at < state.floor().tables.size(); ++at) {
    see(last_seen_at(state.session(TableIndex(static_cast<std::uint32_t>(at)))));
  }
  for (std::size_t at = 0; at < state.floor().links.size(); ++at) {
    const LinkLifecycle& ending = state.link(LinkIndex(static_cast<std::uint32_t>(at))).ending;
    see(std::max(ending.stopped, ending.ended));
  }
  for (const Claim& claim : state.claims()) see(claim.entry);
  for (const Slip& slip : state.slips()) see(slip.entry);
  for (const DayRecord& day : state.days()) {
    see(std::max({day.ended, day.signed_with, day.closed_with}));
  }
  for (const Restoration& restored : state.restorations()) {
    see(std::max(restored.entry, restored.accepted));
  }
  if (state.clock().doubt) see(state.clock().doubt->entry);
  for (const auto& [kind, key] : state.keys().current) see(key.since);
  see(state.keys().signed_with);
  return last;
}

std::string text(const AuditReport& report) {
  if (report.bad) return "the first bad entry is " + text(*report.bad);
  if (!report.wrong_state.empty()) return report.wrong_state;
  return std::to_string(report.entries_checked) + " entries are whole, chained and balanced, and " +
         "give the state; the head is " + hex(report.head.hash);
}

AuditReport audit_entries(const Journal& journal,
                          const std::function<void(std::uint64_t)>& progress) {
  AuditReport report;
  report.head = journal.head();
  Replay replay;
  read_with_prefetch(journal, EntryNumber(1), [&](const StoredEntry& stored, const auto& entry) {
    report.bad = replay.add(stored, entry);
    if (report.bad) return false;
    ++report.entries_checked;
    if (progress && report.entries_checked % progress_interval == 0) {
      progress(report.entries_checked);
    }
    return true;
  });
  if (replay.late_money()) {
    if (auto late = first_late_entry(journal, *replay.late_money())) {
      report.bad = std::move(late);
      report.entries_checked = report.bad->number.value() - 1;
    }
  }
  if (auto other = report.bad ? std::nullopt : first_foreign_head(journal, replay)) {
    report.bad = std::move(other);
    report.entries_checked = report.bad->number.value() - 1;
  }
  if (!report.bad) report.bad = replay.chain().finish(report.head);
  if (!report.bad && report.entries_checked == 0) {
    report.bad = BadEntry{EntryNumber(1), "it is missing: no floor was ever opened"};
  }
  report.signatures = replay.signatures();
  if (!report.bad) report.state = replay.take_state();
  return report;
}

AuditReport audit(const Journal& journal, const std::function<void(std::uint64_t)>& progress) {
  // first, because a reader's snapshot ends with read()
  const std::vector<Row> rows = journal.rows();
  AuditReport report = audit_entries(journal, progress);
  if (report.state) {
    const StateRead read = read_state(report.state->last_entry(), rows);
    if (read.is_other_version) {
      report.other_version = read.why;
    } else if (read.state) {
      compare_state(*read.state, report);
    } else {
      report.wrong_state = "the stored state cannot be read: " + read.why;
    }
  }
  if (report.bad) report.state.reset();
  return report;
}

AuditReport audit_against(const Journal& journal, const State& stored,
                          const std::function<void(std::uint64_t)>& progress) {
  AuditReport report = audit_entries(journal, progress);
  if (report.state) compare_state(stored, report);
  if (report.bad) report.state.reset();
  return report;
}

}  // namespace linkmeter
