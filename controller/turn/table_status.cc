#include "controller/turn/table_status.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "controller/store/journal_reader.h"
#include "controller/turn/ack_details.h"
#include "controller/turn/unmarked_people.h"
#include "controller/view/role_names.h"
#include "proto/codec/journal_codec.h"

namespace linkmeter {

namespace {

EntryNumber latest(const Round& round) {
  EntryNumber entry = std::max(round.dealer.entry, round.changed_by);
  for (const SeatShown& shown : round.shown) entry = std::max(entry, shown.entry);
  return entry;
}

enum class HandDetail : std::uint8_t {
  what_changed,  // awards of all hands and the dealer's hand only if a person changed them
  everything,    // whatever their source
};

RoundHands hands_of(const Round& round, const Floor& floor, HandDetail detail) {
  RoundHands hands{round.id, {}, round.changed_by, {}, {}, {}};
  hands.take_back = award_notices(round.reversed, floor);
  if (detail == HandDetail::everything || round.changed_by != EntryNumber()) {
    hands.awards = award_notices(round.all_awards(), floor);
    hands.dealer = round.dealer.cards;
    hands.board = round.dealer.board;
    hands.draw = round.draw;
  }
  for (const SeatShown& shown : round.shown) {
    HandNotice hand{shown.hand.seat, shown.entry, shown.hand.cards, shown.hand.folded};
    for (const Award& award : shown.awards) hand.awards.push_back(award_notice(award, floor));
    hands.hands.push_back(std::move(hand));
  }
  return hands;
}

std::vector<RoundHands> latest_hands(const State& state, TableIndex table, HandDetail detail) {
  std::vector<std::pair<EntryNumber, const Round*>> rounds;
  for (const Round& round : state.session(table).rounds())
    rounds.emplace_back(latest(round), &round);
  // Rounds are in order of their names: among equals, later names are later.
  std::stable_sort(rounds.begin(), rounds.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  const std::size_t left_out = rounds.size() - std::min(rounds.size(), reported_rounds_max);
  std::vector<RoundHands> hands;
  for (std::size_t at = left_out; at < rounds.size(); ++at) {
    hands.push_back(hands_of(*rounds[at].second, state.floor(), detail));
  }
  return hands;
}

}  // namespace

std::vector<RoundHands> hand_notices(const State& state, TableIndex table) {
  return latest_hands(state, table, HandDetail::what_changed);
}

std::vector<RoundHands> all_hands(const State& state, TableIndex table) {
  return latest_hands(state, table, HandDetail::everything);
}

std::vector<Badge> ended_logins(const std::vector<PanelPerson>& people, const State& state,
                                Timestamp now) {
  std::vector<Badge> ended;
  for (const PanelPerson& one : people) {
    const Person* person = state.find_person(one.badge);
    if (person == nullptr || person->removed || person->is_locked(now) ||
        person->pin_set_by_other || role_names(*person) != one.roles ||
        one.pin_mark != pin_mark(person->pin)) {
      ended.push_back(one.badge);
    }
  }
  return ended;
}

namespace {

// How many of the table's latest messages are searched for the lock of an open round.
constexpr std::uint64_t messages_read_max = 64;

OpenRound told(const Round& round, RoundHands hands, const Floor& floor, const FloorRules& rules) {
  OpenRound open{std::move(hands), {}};
  std::uint32_t chips = 0;
  for (const PlacedWager& wager : round.wagers) {
    open.wagers.push_back(
        {wager.seat, floor.link(wager.link).wager, wager.amount, wager.on_dealer});
    if (rules.link(wager.link).wager.placement == Placement::chip) ++chips;
  }
  if (round.blocked) open.chips_expected = chips;
  open.void_seats = round.voided;
  open.dealer_shown = round.dealer_shown;
  open.draw = round.draw;
  return open;
}

void note_lock(const Entry& entry, std::vector<OpenRound>& rounds) {
  const auto* locked = std::get_if<RoundLocked>(&entry.fact);
  const auto* differed = std::get_if<CountMismatched>(&entry.fact);
  if (locked == nullptr && differed == nullptr) return;
  const RoundId& id = locked != nullptr ? locked->round : differed->round;
  for (OpenRound& round : rounds) {
    if (round.hands.round != id) continue;
    round.locked_at = entry.recorded_at;
    round.chips = locked != nullptr ? locked->chips : differed->chips;
  }
}

void note_locks(const Journal& journal, const TableSession& session,
                std::vector<OpenRound>& rounds) {
  const std::uint64_t last = session.last_number().value();
  const std::uint64_t first = last - std::min(last, messages_read_max);
  for (std::uint64_t number = last; number > first; --number) {
    const Answer* answer = session.find_answer(MessageNumber(number));
    if (answer == nullptr) return;  // older than the dedup window
    if (answer->refusal != Refusal::none) continue;
    const std::optional<Entry> entry = find_entry(journal, answer->entry);
    if (entry) note_lock(*entry, rounds);
  }
}

}  // namespace

std::vector<OpenRound> open_rounds(const Journal& journal, const State& state,
                                   const FloorRules& rules, TableIndex table) {
  const TableSession& session = state.session(table);
  std::vector<OpenRound> rounds;
  if (session.rounds().empty()) return rounds;
  for (RoundHands& hands : all_hands(state, table)) {
    const Round* round = session.find_round(hands.round);
    rounds.push_back(told(*round, std::move(hands), state.floor(), rules));
  }
  note_locks(journal, session, rounds);
  return rounds;
}

}  // namespace linkmeter
