// MixedFloor: a floor with one or two tables of every game and a link for every wager, its rules,
// and a state that has just opened. For tests that need the real rules, with figures that no other
// test changes.
//
// Its people are the standard staff (staff.h). Tables: RIU-01 0, C4-01 1, C4-02 2, BJ-01 3, P-01 4,
// P-02 5 (on no link), C4-03 6, BJ-02 7, PG-01 8, TCP-01 9. Links: RIU 0, C4 1, RUN 2, POKER 3,
// FOUR 4 and HAND 5 (C4-03), BEAT 6 (BJ-02), PAI 7, FORTUNE 8 and EMPEROR 9 (PG-01), PRIME 10.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "config/reader/floor_file.h"
#include "meters/rules/decide.h"
#include "meters/state/state.h"
#include "tests/support/keys.h"
#include "tests/support/staff.h"

namespace linkmeter {

inline constexpr const char* mixed_floor_text = R"(
[house]
name = "Mixed House"
[[table]]
id = "RIU-01"
game = "raise-it-up"
seats = 6
[[table]]
id = "C4-01"
game = "crazy-4"
seats = 6
[[table]]
id = "C4-02"
game = "crazy-4"
seats = 6
[[table]]
id = "BJ-01"
game = "blackjack"
seats = 7
[[table]]
id = "P-01"
game = "poker"
seats = 9
[[table]]
id = "P-02"
game = "poker"
seats = 9
[[table]]
id = "C4-03"
game = "crazy-4"
seats = 6
[[table]]
id = "BJ-02"
game = "blackjack"
seats = 7
[[table]]
id = "PG-01"
game = "pai-gow-poker"
seats = 6
[[table]]
id = "TCP-01"
game = "three-card-prime"
seats = 6
[[link]]
id = "RIU"
wager = "raise-it-up/progressive"
unit = "5.00"
seed = "5000.00"
rates = { main = "14%", reserve = "2%" }
tables = ["RIU-01"]
[[link]]
id = "C4"
wager = "crazy-4/five-card"
paytable = "C"
unit = "5.00"
tables = ["C4-01", "C4-02"]
[[link]]
id = "RUN"
wager = "blackjack/hit-and-run"
minimum = "1.00"
maximum = "25.00"
seed = "1000.00"
rates = { main = "12%", reserve = "3%" }
tables = ["BJ-01"]
[[link]]
id = "POKER"
wager = "poker/bad-beat"
contribution = { minimum_pot = "20.00", amount = "1.00" }
seed = "500.00"
reseed = "0.00"
rates = { main = "80%", reserve = "20%" }
qualifying = "full_house"
split = { losing_hand = "50%", winning_hand = "25%", table = "25%" }
discontinuation = "Board order 2026-1"
tables = ["P-01"]
[[link]]
id = "FOUR"
wager = "crazy-4/four-card"
paytable = "B"
unit = "5.00"
limit = "25100.00"
tables = ["C4-03"]
[[link]]
id = "HAND"
wager = "crazy-4/five-card-hand-bonus"
unit = "1.00"
magic_card = true
lucky_bonus = true
tables = ["C4-03"]
[[link]]
id = "BEAT"
wager = "blackjack/bad-beat"
minimum = "1.00"
maximum = "25.00"
seed = "5000.00"
any_20 = true
magic_card = true
lucky_bonus = true
rates = { main = "12%", reserve = "3%" }
tables = ["BJ-02"]
[[link]]
id = "PAI"
wager = "pai-gow-poker/progressive"
unit = "5.00"
seed = "10000.00"
payout_limit = "50000.00"
payout_limit_caps_meter = true
rates = { main = "15%" }
tables = ["PG-01"]
[[link]]
id = "FORTUNE"
wager = "pai-gow-poker/fortune-bonus"
paytable = "A"
minimum = "1.00"
maximum = "100.00"
payout_limit = "50000.00"
tables = ["PG-01"]
[[link]]
id = "EMPEROR"
wager = "pai-gow-poker/emperors-treasure"
paytable = "C"
minimum = "1.00"
maximum = "25.00"
tables = ["PG-01"]
[[link]]
id = "PRIME"
wager = "three-card-prime/bad-beat-bonus"
paytable = "A"
minimum = "5.00"
maximum = "500.00"
tables = ["TCP-01"]
)";

inline std::variant<FloorFile, Violations> parse_with_catalogue(const std::string& text) {
  const auto catalogue = std::get<std::vector<CatalogueText>>(
      read_catalogue_texts(LINKMETER_SOURCE_DIR "/config/catalogue"));
  return parse_floor("floor.toml", text, catalogue);
}

struct MixedFloor {
  FloorFile file = std::get<FloorFile>(parse_with_catalogue(mixed_floor_text));
  Entry opening = open_floor(FloorOpened{file.floor, file.text, file.catalogue_texts,
                                         standard_staff(), keys_of(file.floor)},
                             Timestamp::from_microseconds(1'000'000));
  State state = [this] {
    State opened;
    opened.apply(opening);
    return opened;
  }();

  // The command as the table's next message.
  [[nodiscard]] TableMessage message(const std::string& table, TableCommand command) const {
    TableMessage next;
    next.table = TableId(table);
    next.number = state.session(*state.floor().find_table(next.table)).last_number().next();
    next.digest[0] = static_cast<std::uint8_t>(next.number.value());
    next.sent_at = Timestamp::from_microseconds(2'000'000);
    next.command = std::move(command);
    return next;
  }
  // The entry that the core makes of it, without applying it.
  [[nodiscard]] Entry decided(const std::string& table, TableCommand command) const {
    return std::get<Entry>(decide(state, file.rules, message(table, std::move(command)),
                                  Timestamp::from_microseconds(3'000'000)));
  }
  // The entry that the core makes of an act of the standard staff.
  [[nodiscard]] Entry decided(const std::string& badge, OperatorCommand act) const {
    return std::get<Entry>(decide(state, file.rules, PersonMessage{Badge(badge), std::move(act)},
                                  Timestamp::from_microseconds(3'000'000)));
  }
  // none: accepted.
  [[nodiscard]] Refusal refusal(const std::string& table, TableCommand command) const {
    return answer_of(decided(table, std::move(command))).refusal;
  }
  template <class... Asked>
  Entry take(Asked&&... asked) {
    Entry entry = decided(std::forward<Asked>(asked)...);
    state.apply(entry);
    return entry;
  }
};

inline std::vector<Card> cards_of(const std::vector<std::string>& texts) {
  std::vector<Card> cards;
  for (const std::string& text : texts) cards.push_back(parse_card(text).value());
  return cards;
}

inline LockRound lock_of(const std::string& round, const std::vector<AskedWager>& wagers) {
  return LockRound{RoundId(round), wagers, std::nullopt, Badge()};
}

inline AskedWager five_card(std::uint8_t seat) {
  return {Seat(seat), WagerId("crazy-4/five-card"), Amount::dollars(5)};
}

inline ShowHands royal_flush_of(const std::string& round, std::uint8_t seat) {
  ShowHands show;
  show.round = RoundId(round);
  show.hands = {{Seat(seat), cards_of({"As", "Ks", "Qs", "Js", "Ts"}), false, Amount()}};
  return show;
}

}  // namespace linkmeter
