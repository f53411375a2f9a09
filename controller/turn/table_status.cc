#include "controller/turn/table_status.h"

#include "controller/view/staff_words.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "controller/turn/ack_details.h"
#include "controller/turn/unmarked_people.h"

namespace linkmeter {

namespace {

EntryNumber latest(const Round& round) {
  EntryNumber entry = std::max(round.dealer.entry, round.changed_by);
  for (const SeatShown& shown : round.shown) entry = std::max(entry, shown.entry);
  return entry;
}

enum class HandDetail : std::uint8_t {
  what_changed,  // awards of all and the dealer's hand only if a person changed them
  everything,
};

std::vector<AwardNotice> told_awards(const std::vector<Award>& awards, const Floor& floor) {
  std::vector<AwardNotice> told;
  for (const Award& award : awards) {
    if (told.size() == reported_awards_max) break;
    told.push_back(award_notice(award, floor));
  }
  return told;
}

RoundHands hands_of(const Round& round, const Floor& floor, HandDetail detail) {
  RoundHands told{round.id, {}, round.changed_by, {}, {}, {}};
  told.take_back = told_awards(round.reversed, floor);
  if (detail == HandDetail::everything || round.changed_by != EntryNumber()) {
    told.awards = told_awards(round.all_awards(), floor);
    told.dealer = round.dealer.cards;
    told.board = round.dealer.board;
    told.draw = round.draw;
  }
  for (const SeatShown& shown : round.shown) {
    HandNotice hand{shown.hand.seat, shown.entry, shown.hand.cards, shown.hand.folded};
    for (const Award& award : shown.awards) hand.awards.push_back(award_notice(award, floor));
    told.hands.push_back(std::move(hand));
  }
  return told;
}

std::vector<RoundHands> latest_hands(const State& state, TableIndex table, HandDetail detail) {
  std::vector<std::pair<EntryNumber, const Round*>> rounds;
  for (const Round& round : state.session(table).rounds())
    rounds.emplace_back(latest(round), &round);
  // Rounds are in order of their names: among equals, later names are later.
  std::stable_sort(rounds.begin(), rounds.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  const std::size_t left_out = rounds.size() - std::min(rounds.size(), reported_rounds_max);
  std::vector<RoundHands> told;
  for (std::size_t at = left_out; at < rounds.size(); ++at) {
    told.push_back(hands_of(*rounds[at].second, state.floor(), detail));
  }
  return told;
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
    if (person == nullptr || person->removed || person->is_locked(now) || person->pin_is_given ||
        role_names(*person) != one.roles || one.pin_mark != pin_mark(person->pin)) {
      ended.push_back(one.badge);
    }
  }
  return ended;
}

}  // namespace linkmeter
