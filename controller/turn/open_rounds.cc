#include "controller/turn/open_rounds.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "controller/store/journal_reader.h"
#include "controller/turn/table_status.h"
#include "proto/codec/journal_codec.h"

namespace linkmeter {

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
