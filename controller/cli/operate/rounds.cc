#include <iostream>

#include "controller/cli/shell/command.h"
#include "controller/cli/shell/text_table.h"
#include "controller/view/claim_json.h"

namespace linkmeter::cli {

namespace {

void print_rounds(const State& state) {
  Column table{"table", true}, round{"round", true}, seat{"seat", true}, cards{"cards", true},
      entry{"entry"}, stands{"", true};
  for (std::uint32_t at = 0; at < state.floor().tables.size(); ++at) {
    const auto add = [&](const RoundId& id, const std::string& whose, const std::vector<Card>& held,
                         EntryNumber by, std::string_view how) {
      std::string hand;
      for (const Card card : held) hand += (hand.empty() ? "" : " ") + text(card);
      table.cells.push_back(state.floor().table(TableIndex(at)).id.text());
      round.cells.push_back(id.text());
      seat.cells.push_back(whose);
      cards.cells.push_back(hand);
      entry.cells.push_back(std::to_string(by.value()));
      stands.cells.emplace_back(how);
    };
    const auto seat_text = [](Seat one) { return std::to_string(one.value()); };
    for (const Round& open : state.session(TableIndex(at)).rounds()) {
      if (open.shown.empty()) {
        table.cells.push_back(state.floor().table(TableIndex(at)).id.text());
        round.cells.push_back(open.id.text());
        for (Column* none : {&seat, &cards, &entry}) none->cells.emplace_back();
        stands.cells.emplace_back(open.blocked ? "blocked: the chip count differs"
                                               : "no hand shown");
      }
      for (const SeatShown& shown : open.shown) {
        add(open.id, seat_text(shown.hand.seat), shown.hand.cards, shown.entry,
            open.is_void(shown.hand.seat) ? "void"
            : shown.hand.folded           ? "folded"
                                          : "");
      }
      if (!open.dealer.cards.empty()) {
        add(open.id, "dealer", open.dealer.cards, open.dealer.entry, "");
      }
    }
    for (const PlayedPot& pot : state.session(TableIndex(at)).pots()) {
      for (const ShownHand& hand : pot.hands) {
        add(pot.id, seat_text(hand.seat), hand.cards, pot.entry, hand.folded ? "folded" : "pot");
      }
    }
  }
  for (const std::string& told : table_lines({table, round, seat, cards, entry, stands})) {
    std::cout << told << '\n';
  }
}

}  // namespace

int rounds(const Source& from, bool as_json) {
  const auto journal = open_data(from);
  const State state = current_state(*journal);
  if (!as_json) {
    print_rounds(state);
    return 0;
  }
  Json all = Json::array();
  for (std::uint32_t at = 0; at < state.floor().tables.size(); ++at) {
    all.push_back(
        Json{{"table", state.floor().table(TableIndex(at)).id.text()},
             {"rounds", rounds_json(state, TableIndex(at), limits::rounds_open_per_table_max)},
             {"pots", pots_json(state, TableIndex(at), limits::pots_remembered)}});
  }
  std::cout << all.dump(2) << '\n';
  return 0;
}

}  // namespace linkmeter::cli
