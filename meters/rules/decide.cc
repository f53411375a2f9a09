#include "meters/rules/decide.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "meters/balances/link_balances.h"
#include "meters/rules/account_lock.h"
#include "meters/rules/clock_trust.h"
#include "meters/rules/decide_day.h"
#include "meters/rules/decide_operator.h"
#include "meters/rules/decide_restoration.h"
#include "meters/rules/decide_table.h"
#include "meters/state/pace.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "meters/values/text.h"

namespace linkmeter {

namespace {

bool begins_round(const TableCommand& command) {
  return std::holds_alternative<LockRound>(command) || std::holds_alternative<PlayPot>(command);
}

// One function per kind of command. Days, restorations, the clock and recovery have theirs in other
// files.
struct Deciding {
  const State& state;
  const FloorRules& rules;
  Timestamp now;

  Decision operator()(const TableMessage& message) const;
  Decision operator()(const PersonMessage& message) const;
  Decision operator()(const SignIn& sign_in) const;
  Decision operator()(const RecoveryTry& attempt) const {
    return decide_recovery(state, attempt, now);
  }
  Decision operator()(const PinsTried& counted) const;
  Decision operator()(const SelfSuspension& suspension) const;
  Decision operator()(const SelfFreeze& freeze) const;
  Decision operator()(const SlipCopy& copy) const;
  Decision operator()(const HeadSigned& signing) const;
  Decision operator()(const DayEnd& end) const { return decide_day_end(state, end, now); }
  Decision operator()(const TableCounters& counters) const {
    return decide_counters(state, counters, now);
  }
  Decision operator()(const HistoryRestored& restored) const {
    return decide_restored(state, restored, now);
  }
  Decision operator()(const ClockDoubted& doubted) const { return next_entry(state, doubted, now); }
  Decision operator()(const ClockReturned& returned) const {
    return decide_clock_returned(state, returned, now);
  }
  Decision operator()(const WriterChange& change) const;
};

Decision Deciding::operator()(const TableMessage& message) const {
  const std::optional<TableIndex> table = state.find_table(message.table);
  if (!table) return Refusal::table_unknown;

  // Check for a repeat first: a repeat gets the stored answer.
  const TableSession& session = state.session(*table);
  if (message.number <= session.last_number()) {
    const Answer* known = session.find_answer(message.number);
    if (known == nullptr) return Refusal::message_number_forgotten;
    if (known->digest != message.digest) return Refusal::message_number_reused;
    return *known;
  }
  if (message.number != session.last_number().next()) return Refusal::message_out_of_order;
  if (begins_round(message.command) && exceeds_pace(state.floor().table(*table), session, now)) {
    return Refusal::pace_exceeded;
  }

  Outcome outcome = std::visit(TableDecision(state, rules, *table, now), message.command);
  if (exceeds_message_pace(state.floor().table(*table), session, outcome.fact, now)) {
    return Refusal::pace_exceeded;
  }
  return Entry{state.last_entry().next(), now,
               Origin{*table, message.number, message.digest, within_calendar(message.sent_at)},
               std::move(outcome.fact), std::move(outcome.postings)};
}

Decision Deciding::operator()(const PersonMessage& message) const {
  const Person* person = state.find_person(message.by);
  // Requests of unknown persons must not grow the journal.
  if (person == nullptr || person->removed) return Refusal::person_unknown;
  const auto decided = [&] {
    if (person->is_locked(now)) return refused(Refusal::person_locked);
    // The person who issued this PIN could be the sender.
    if (person->pin_set_by_other && !std::holds_alternative<ChangePin>(message.act)) {
      return refused(Refusal::pin_to_be_changed);
    }
    if (waiting_restoration(state) != nullptr && waits_for_acceptance(message.act)) {
      return refused(Refusal::history_to_be_accepted);
    }
    return std::visit(OperatorDecision(state, rules, *person, now, message), message.act);
  };
  Outcome outcome = decided();
  if (outcome.refusal != Refusal::none) {
    outcome.fact = CommandRejected{std::string(name(message.act)), outcome.refusal, message.by,
                                   std::move(outcome.about)};
  }
  Entry entry = next_entry(state, std::move(outcome.fact), now);
  entry.postings = std::move(outcome.postings);
  return entry;
}

Decision Deciding::operator()(const SignIn& sign_in) const {
  const Person* person = state.find_person(sign_in.badge);
  if (person == nullptr || person->removed) return Refusal::person_unknown;
  Fact fact = SignedIn{sign_in.badge};
  // The owner of the data folder has the sealed PINs and their key, so the lock would not protect
  // against them.
  const bool ends_lock =
      sign_in.is_good && sign_in.is_at_control && person->locked_until != until_new_pin;
  if (person->is_locked(now) && !ends_lock) {
    fact = CommandRejected{"sign_in", Refusal::person_locked, sign_in.badge};
  } else if (!sign_in.is_good) {
    fact = SignInFailed{sign_in.badge, lock_after_wrong_pin(state, *person, now)};
  }
  return next_entry(state, std::move(fact), now);
}

Decision Deciding::operator()(const PinsTried& counted) const {
  PinsTried known;
  for (const PinsTried::Tries& one : counted.tries) {
    if (one.count > 0 && state.find_person(one.badge) != nullptr) known.tries.push_back(one);
  }
  if (known.tries.empty()) return Refusal::person_unknown;
  return next_entry(state, std::move(known), now);
}

Decision Deciding::operator()(const SelfSuspension& suspension) const {
  // The reason may contain a file name or a library's message; keep it well-formed so that it can
  // be read back.
  std::string reason = sanitize_text(suspension.reason, limits::reason_length_max);
  const std::string& before = state.link(suspension.link).suspended;
  if (!before.empty() && !is_held_by_restoration(state, suspension.link) &&
      !is_held_by_clock(state, suspension.link)) {
    if (!suspension.is_always_shown || before.find(reason) != std::string::npos) {
      return Refusal::link_suspended_already;
    }
    // If both do not fit, the earlier reason remains in the journal only.
    const std::string both = before + "; " + reason;
    if (both.size() <= limits::reason_length_max) reason = both;
  }
  return next_entry(state, LinkSuspended{suspension.link, std::move(reason), Badge()}, now);
}

Decision Deciding::operator()(const SelfFreeze& freeze) const {
  if (!state.session(freeze.table).frozen().empty()) return Refusal::table_frozen_already;
  std::string reason = sanitize_text(freeze.reason, limits::reason_length_max);
  return next_entry(state, TableFrozen{freeze.table, std::move(reason), Badge()}, now);
}

Decision Deciding::operator()(const SlipCopy& copy) const {
  const Slip* slip = state.find_slip(copy.slip);
  if (slip == nullptr) return Refusal::slip_unknown;
  if (slip->stored) return Refusal::slip_stored_already;
  return next_entry(state, SlipStored{copy.slip, copy.digest}, now);
}

Decision Deciding::operator()(const HeadSigned& signing) const {
  const bool is_well_formed =
      !signing.signature.empty() && signing.signature.size() <= limits::signature_bytes_max;
  if (state.keys().of(KeyKind::journal).empty() || !is_well_formed) return Refusal::key_malformed;
  if (signing.head > state.last_entry()) return Refusal::entry_unknown;
  // A signature of an earlier head adds no proof.
  if (signing.head <= state.keys().signed_head) return Refusal::key_outdated;
  return next_entry(state, signing, now);
}

Decision Deciding::operator()(const WriterChange& change) const {
  if (!is_well_formed_name(change.node)) return Refusal::name_malformed;
  if (state.enrolments().find(EnrolmentKind::node, change.node) == nullptr) {
    return Refusal::not_enrolled;
  }
  const std::optional<WriterChanged>& last = state.writer();
  const std::int64_t epoch = last ? last->epoch + 1 : 1;
  if (epoch > limits::writer_epoch_max) return Refusal::writer_outdated;
  const auto gap_us = std::clamp<std::int64_t>(change.gap_us, 0, limits::writer_gap_us_max);
  return next_entry(
      state, WriterChanged{change.node, epoch, change.reason, last ? last->node : "", gap_us}, now);
}

}  // namespace

Decision decide(const State& state, const FloorRules& rules, const Command& command,
                Timestamp now) {
  INVARIANT(state.is_open());
  return std::visit(Deciding{state, rules, now}, command);
}

Entry open_floor(FloorOpened opened, Timestamp now) {
  std::vector<Posting> postings;
  for (std::uint32_t index = 0; index < opened.floor.links.size(); ++index) {
    const LinkConfig& terms = opened.floor.links[index];
    LinkTransaction transaction(LinkIndex(index), terms, LinkBalances::opened(terms));
    transaction.seed();
    postings.insert(postings.end(), transaction.postings().begin(), transaction.postings().end());
  }
  return Entry{EntryNumber(1), now, std::nullopt, std::move(opened), std::move(postings)};
}

Answer answer_of(const Entry& entry) {
  INVARIANT(entry.origin.has_value());
  const auto* no = std::get_if<MessageRefused>(&entry.fact);
  return Answer{entry.origin->number, entry.number, no ? no->refusal : Refusal::none,
                entry.origin->digest};
}

}  // namespace linkmeter
