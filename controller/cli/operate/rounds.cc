#include "controller/cli/shell/command.h"
#include "controller/cli/shell/text_table.h"
#include "controller/view/claim_json.h"

namespace linkmeter::cli {

namespace {

// In the order of the state; the document for programs has the newest first, and more of each.
void print_rounds(const State& state) {
  Json rows = Json::array();
  const auto add = [&](TableIndex table, const std::string& round, const std::string& whose,
                       const std::vector<Card>& cards, EntryNumber entry, const std::string& how) {
    std::string hand;
    for (const Card card : cards) hand += (hand.empty() ? "" : " ") + text(card);
    rows.push_back(Json{{"table", state.floor().table(table).id.text()},
                        {"round", round},
                        {"seat", whose},
                        {"cards", hand},
                        {"entry", entry == EntryNumber() ? Json() : Json(entry.value())},
                        {"state", how}});
  };
  const auto seat_text = [](Seat seat) { return std::to_string(seat.value()); };
  for (std::uint32_t at = 0; at < state.floor().tables.size(); ++at) {
    const TableIndex table(at);
    for (const Round& open : state.session(table).rounds()) {
      const std::string id = open.id.text();
      if (open.shown.empty()) {
        add(table, id, "", {}, {},
            open.blocked ? "blocked: the chip count differs" : "no hand shown");
      }
      for (const SeatShown& shown : open.shown) {
        const Seat seat = shown.hand.seat;
        add(table, id, seat_text(seat), shown.hand.cards, shown.entry,
            open.is_void(seat)  ? "void"
            : shown.hand.folded ? "folded"
                                : "");
      }
      const DealerShown& dealer = open.dealer;
      if (!dealer.cards.empty()) add(table, id, "dealer", dealer.cards, dealer.entry, "");
    }
    for (const PlayedPot& pot : state.session(table).pots()) {
      for (const ShownHand& hand : pot.hands) {
        add(table, pot.id.text(), seat_text(hand.seat), hand.cards, pot.entry,
            hand.folded ? "folded" : "pot");
      }
    }
  }
  print_table(rows, {left("table"), left("round"), left("seat"), left("cards"), right("entry"),
                     left("", "state")});
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
  print_json(all);
  return 0;
}

}  // namespace linkmeter::cli
