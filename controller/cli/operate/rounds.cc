#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "controller/cli/shell/command.h"
#include "controller/view/claim_json.h"
#include "meters/values/number.h"
#include "proto/host/command_line.h"
#include "proto/host/fault.h"

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

int list_rounds(const Source& from, bool as_json) {
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

constexpr std::uint64_t seat_max = 255;
constexpr std::string_view dealers = "dealer";

// "4"; nullopt: it is no seat.
std::optional<Seat> parse_seat(std::string_view text) {
  const auto seat = parse_number(text, seat_max).value_or(0);
  return seat == 0 ? std::nullopt : std::optional(Seat(static_cast<std::uint8_t>(seat)));
}

std::optional<bool> parse_seat_or_dealer(std::string_view text) {
  return text == dealers || parse_seat(text) ? std::optional(true) : std::nullopt;
}

// "1 7s Kc", "3 folded", "3 7s Kc folded", "5 none".
std::optional<CorrectPot::Hand> parse_pot_hand(std::string_view text) {
  CorrectPot::Hand hand;
  const std::size_t after_seat = std::min(text.find(' '), text.size());
  const auto seat = parse_seat(text.substr(0, after_seat));
  if (!seat || after_seat == text.size()) return std::nullopt;
  hand.seat = *seat;
  std::string_view rest = text.substr(after_seat + 1);
  hand.not_dealt_in = rest == "none";
  if (hand.not_dealt_in) return hand;
  constexpr std::string_view folded = "folded";
  hand.folded = rest.ends_with(folded);
  if (hand.folded) rest.remove_suffix(folded.size());
  auto cards = parse_cards(rest);
  if (!cards || (cards->empty() && !hand.folded)) return std::nullopt;
  hand.cards = std::move(*cards);
  return hand;
}

std::optional<bool> parse_yes_or_no(std::string_view text) {
  if (text == "yes") return true;
  return text == "no" ? std::optional(false) : std::nullopt;
}

// What the corrections of a hand, of the dealer's hand and of a pot have in common.
template <class Correction>
Correction correction(const CommandOptions& given) {
  Correction correct;
  correct.table = TableId(given.table);
  correct.round = RoundId(given.round);
  correct.reason = parse_hand_reason(given.reason).value();
  correct.note = given.note;
  return correct;
}

OperatorCommand correct_hand(const CommandOptions& given) {
  if (!given.board.empty() || !given.magic.empty() || given.lucky >= 0) {
    throw Fault("--board, --magic and --lucky are the dealer's: give \"dealer\" as the seat");
  }
  auto correct = correction<CorrectHand>(given);
  correct.seat = parse_seat(given.place).value();
  correct.cards = parse_cards(given.cards).value();
  correct.folded = given.folded;
  if (correct.is_no_hand() && !given.no_hand) {
    throw Fault("no cards: give --no-hand if the seat has no hand");
  }
  return correct;
}

OperatorCommand correct_dealer(const CommandOptions& given) {
  if (given.folded || given.no_hand) throw Fault("the dealer has a hand, and does not fold");
  auto correct = correction<CorrectDealer>(given);
  if (!given.cards.empty()) correct.cards = parse_cards(given.cards).value();
  if (!given.board.empty()) correct.board = parse_cards(given.board).value();
  if (!given.magic.empty()) correct.magic = parse_card(given.magic).value();
  if (given.lucky >= 0) correct.lucky = Seat(static_cast<std::uint8_t>(given.lucky));
  if (!correct.cards && !correct.board && !correct.magic && !correct.lucky) {
    throw Fault("nothing to correct: give --cards, --board, --magic or --lucky");
  }
  return correct;
}

OperatorCommand correct_pot(const CommandOptions& given) {
  auto correct = correction<CorrectPot>(given);
  for (const std::string& hand : given.hands) {
    correct.hands.push_back(parse_pot_hand(hand).value());
  }
  if (!given.board.empty()) correct.board = parse_cards(given.board).value();
  if (!given.showdown.empty()) correct.showdown = parse_yes_or_no(given.showdown).value();
  if (correct.hands.empty() && !correct.board && !correct.showdown) {
    throw Fault("nothing to correct: give --hand, --board or --showdown");
  }
  return correct;
}

// The table and its round or pot, which are named first.
void takes_place(CLI::App* command, CommandBuilder& declare, const char* name, const char* says) {
  declare.takes(command, "table", &CommandOptions::table, "The table's id");
  declare.takes(command, name, &CommandOptions::round, says);
}

void takes_hand_reason(CLI::App* command, CommandBuilder& declare) {
  declare.takes_reason(command, parse_hand_reason,
                       "misread_card, wrong_seat, missed_card, wrong_fold, other_error");
  declare.takes_note(command);
}

CLI::Option* takes_cards(CLI::App* command, const char* name, std::string& cards,
                         const char* says) {
  return command->add_option(name, cards, says)
      ->check(read_by(parse_cards, "cards, as \"As Ks Qs\""));
}

void declare_pots(CLI::App& app, CommandBuilder& declare) {
  CommandOptions& given = declare.options;
  CLI::App& pot = CommandBuilder::group(app, "pot", "Correct a pot");
  CLI::App* correct =
      declare.act(pot, "correct", "Correct a pot that the dealer entered wrongly", correct_pot);
  takes_place(correct, declare, "pot", "The pot's id");
  correct
      ->add_option(
          "--hand", given.hands,
          "A seat and its cards, as \"1 7s Kc\"; \"3 folded\"; \"5 none\" where nobody was "
          "dealt in; may be repeated")
      ->allow_extra_args(false)
      ->check(read_by(parse_pot_hand, "a seat and its cards, as \"1 7s Kc\""));
  takes_cards(correct, "--board", given.board, "All cards of the board");
  correct->add_option("--showdown", given.showdown, "Was there a showdown: yes or no")
      ->check(read_by(parse_yes_or_no, "yes or no"));
  takes_hand_reason(correct, declare);
  correct->footer(
      "The dealer's entry stays; the correction is an entry of its own that names it. The pot's\n"
      "contribution stays as it was. The Bad Beat is settled by the current meter; pending claims\n"
      "of the pot are rejected with it. A validated claim prevents the correction. Only the "
      "latest\n"
      "64 pots of a table can be corrected.");
}

}  // namespace

void declare_rounds(CLI::App& app, CommandBuilder& declare) {
  CommandOptions& given = declare.options;
  declare.reading(app, "rounds", "List open rounds with their hands, and the latest pots",
                  [&given] { return list_rounds(given.from, given.json); });
  CLI::App& round = CommandBuilder::group(app, "round", "Correct a hand of an open round");
  CLI::App* correct =
      declare.act(round, "correct", "Correct a hand that the dealer entered wrongly",
                  [](const CommandOptions& typed) {
                    return typed.place == dealers ? correct_dealer(typed) : correct_hand(typed);
                  });
  takes_place(correct, declare, "round", "The round's id");
  declare.takes(correct, "seat", &CommandOptions::place, "The seat, or \"dealer\"")
      ->check(read_by(parse_seat_or_dealer, "a seat, or \"dealer\""));
  CLI::Option* cards =
      takes_cards(correct, "--cards", given.cards, "All cards of the hand, as \"As Ks Qs\"");
  CLI::Option* no_hand = correct->add_flag("--no-hand", given.no_hand,
                                           "The seat has no hand; the dealer may show it again");
  CLI::Option* board = takes_cards(correct, "--board", given.board, "The dealer's: the board");
  CLI::Option* magic =
      correct->add_option("--magic", given.magic, "The dealer's: the Magic Card that was drawn")
          ->check(read_by(parse_card, "a card, as \"7h\""));
  CLI::Option* lucky =
      correct
          ->add_option("--lucky", given.lucky,
                       "The dealer's: the Lucky position that was drawn; 0 is the dealer's own")
          ->transform(a_number(0, seat_max));
  cards->excludes(no_hand);
  takes_some_of(correct, {cards, no_hand, board, magic, lucky});
  correct->add_flag("--folded", given.folded, "The hand is folded")->excludes(no_hand);
  takes_hand_reason(correct, declare);
  correct->footer(
      "The dealer's entry stays; the correction is an entry of its own that names it. The hand is\n"
      "settled again by the current meters, and what it was paid at once, with its Envy, is\n"
      "reversed.\n"
      "Pending claims of it are rejected with it; a validated claim prevents the correction.\n"
      "A correction of the dealer's hand settles again every hand that was compared with it.\n"
      "For two swapped hands: give one seat no hand, correct the other, and let the dealer show "
      "the\n"
      "first again.");
  declare_pots(app, declare);
}

}  // namespace linkmeter::cli
