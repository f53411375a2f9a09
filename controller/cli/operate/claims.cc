#include "controller/cli/operate/claims.h"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "controller/cli/shell/command.h"
#include "controller/cli/shell/operator_client.h"
#include "controller/cli/shell/pin_entry.h"
#include "controller/cli/shell/text_table.h"
#include "meters/state/claim.h"
#include "proto/host/command_line.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

namespace {

const auto a_source = [] {
  return read_by(parse_payment_source, "one of table_inventory, game_account, hand_pay");
};

CLI::Option* takes_claim(CLI::App* command, CommandOptions& options) {
  return command->add_option("claim", options.number, "The claim's number")
      ->required()
      ->transform(a_number(1));
}

CLI::Option* takes_source(CLI::App* command, CommandOptions& options) {
  return command
      ->add_option("--source", options.source, "table_inventory, game_account or hand_pay")
      ->check(a_source());
}

// `group`: the program itself, or its command `claim`.
void declare_steps(CLI::App& group, CommandOptions& options, const CommandBuilder& declare) {
  CLI::App* validate =
      declare.act(group, "validate", "Confirm that the cards make the line: the claim may be paid",
                  [](const CommandOptions& given) -> OperatorCommand {
                    return ValidateClaim{ClaimNumber(given.number), Badge(given.notified)};
                  });
  takes_claim(validate, options);
  validate->add_option("--notified", options.notified,
                       "For a Bad Beat: the badge of the person in security or finance who was "
                       "notified to bring the money (§ 553.20(f)(2))");
  CLI::App* reject =
      declare.act(group, "reject", "Reject a claim: the amount goes back to the meter",
                  [](const CommandOptions& given) -> OperatorCommand {
                    return RejectClaim{ClaimNumber(given.number),
                                       parse_reject_reason(given.reason).value(), given.note};
                  });
  takes_claim(reject, options);
  takes_reason(reject, options.reason, parse_reject_reason,
               "hand_misread, cards_missing, wager_not_made, round_irregular, equipment_fault, "
               "game_protection");
  reject->add_option("--note", options.note, "In your words");
  takes_claim(
      declare.act(group, "countersign", "Give the second signature, where the house requires one",
                  [](const CommandOptions& given) -> OperatorCommand {
                    return CountersignClaim{ClaimNumber(given.number)};
                  }),
      options);
  CLI::App* pay_on_slip = declare.asking(
      group, "pay", "Pay a validated claim on its slip; issues a slip first if there is none",
      [&options](const OperatorClient& by) {
        const auto source =
            options.source.empty() ? std::nullopt : parse_payment_source(options.source);
        return pay(by, ClaimNumber(options.number), source);
      });
  takes_claim(pay_on_slip, options);
  takes_source(pay_on_slip, options);
}

constexpr unsigned seat_max = 255;
constexpr std::string_view dealers = "dealer";

// "4"; nullopt: it is no seat.
std::optional<Seat> parse_seat(std::string_view text) {
  unsigned seat = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seat);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  if (!is_whole || seat < 1 || seat > seat_max) return std::nullopt;
  return Seat(static_cast<std::uint8_t>(seat));
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

OperatorCommand correct_hand(const CommandOptions& given) {
  if (!given.board.empty() || !given.magic.empty() || given.lucky >= 0) {
    throw Fault("--board, --magic and --lucky are the dealer's: give \"dealer\" as the seat");
  }
  CorrectHand correct;
  correct.table = TableId(given.table);
  correct.round = RoundId(given.round);
  correct.seat = parse_seat(given.place).value();
  correct.cards = parse_cards(given.cards).value();
  correct.folded = given.folded;
  if (correct.is_no_hand() && !given.no_hand) {
    throw Fault("no cards: give --no-hand if the seat has no hand");
  }
  correct.reason = parse_hand_reason(given.reason).value();
  correct.note = given.note;
  return correct;
}

OperatorCommand correct_dealer(const CommandOptions& given) {
  if (given.folded || given.no_hand) throw Fault("the dealer has a hand, and does not fold");
  CorrectDealer correct;
  correct.table = TableId(given.table);
  correct.round = RoundId(given.round);
  if (!given.cards.empty()) correct.cards = parse_cards(given.cards).value();
  if (!given.board.empty()) correct.board = parse_cards(given.board).value();
  if (!given.magic.empty()) correct.magic = parse_card(given.magic).value();
  if (given.lucky >= 0) correct.lucky = Seat(static_cast<std::uint8_t>(given.lucky));
  if (!correct.cards && !correct.board && !correct.magic && !correct.lucky) {
    throw Fault("nothing to correct: give --cards, --board, --magic or --lucky");
  }
  correct.reason = parse_hand_reason(given.reason).value();
  correct.note = given.note;
  return correct;
}

OperatorCommand correct_pot(const CommandOptions& given) {
  CorrectPot correct;
  correct.table = TableId(given.table);
  correct.round = RoundId(given.round);
  for (const std::string& hand : given.hands) {
    correct.hands.push_back(parse_pot_hand(hand).value());
  }
  if (!given.board.empty()) correct.board = parse_cards(given.board).value();
  if (!given.showdown.empty()) correct.showdown = parse_yes_or_no(given.showdown).value();
  if (correct.hands.empty() && !correct.board && !correct.showdown) {
    throw Fault("nothing to correct: give --hand, --board or --showdown");
  }
  correct.reason = parse_hand_reason(given.reason).value();
  correct.note = given.note;
  return correct;
}

void takes_hand_reason(CLI::App* command, CommandOptions& options) {
  takes_reason(command, options.reason, parse_hand_reason,
               "misread_card, wrong_seat, missed_card, wrong_fold, other_error");
  command->add_option("--note", options.note, "In your words");
}

void declare_pots(CLI::App& app, CommandOptions& options, const CommandBuilder& declare) {
  CLI::App& pot = *CommandBuilder::group(app, "pot", "Correct a pot");
  CLI::App* correct =
      declare.act(pot, "correct", "Correct a pot that the dealer entered wrongly", correct_pot);
  correct->add_option("table", options.table, "The table's id")->required();
  correct->add_option("pot", options.round, "The pot's id")->required();
  correct
      ->add_option(
          "--hand", options.hands,
          "A seat and its cards, as \"1 7s Kc\"; \"3 folded\"; \"5 none\" where nobody was "
          "dealt in; may be repeated")
      ->allow_extra_args(false)
      ->check(read_by(parse_pot_hand, "a seat and its cards, as \"1 7s Kc\""));
  correct->add_option("--board", options.board, "All cards of the board")
      ->check(read_by(parse_cards, "cards, as \"As Ks Qs\""));
  correct->add_option("--showdown", options.showdown, "Was there a showdown: yes or no")
      ->check(read_by(parse_yes_or_no, "yes or no"));
  takes_hand_reason(correct, options);
  correct->footer(
      "The dealer's entry stays; the correction is an entry of its own that names it. The pot's\n"
      "contribution stays as it was. The Bad Beat is settled by the current meter; pending claims\n"
      "of the pot are rejected with it. A validated claim prevents the correction. Only the "
      "latest\n"
      "64 pots of a table can be corrected.");
}

void declare_rounds(CLI::App& app, CommandOptions& options, const CommandBuilder& declare) {
  declare.reading(app, "rounds", "List open rounds with their hands, and the latest pots",
                  [&options] { return rounds(options.from, options.json); });
  CLI::App& round = *CommandBuilder::group(app, "round", "Correct a hand of an open round");
  CLI::App* correct =
      declare.act(round, "correct", "Correct a hand that the dealer entered wrongly",
                  [](const CommandOptions& given) {
                    return given.place == dealers ? correct_dealer(given) : correct_hand(given);
                  });
  correct->add_option("table", options.table, "The table's id")->required();
  correct->add_option("round", options.round, "The round's id")->required();
  correct->add_option("seat", options.place, "The seat, or \"dealer\"")
      ->required()
      ->check(read_by(parse_seat_or_dealer, "a seat, or \"dealer\""));
  CLI::Option* cards =
      correct->add_option("--cards", options.cards, "All cards of the hand, as \"As Ks Qs\"")
          ->check(read_by(parse_cards, "cards, as \"As Ks Qs\""));
  CLI::Option* no_hand = correct->add_flag("--no-hand", options.no_hand,
                                           "The seat has no hand; the dealer may show it again");
  CLI::Option* board = correct->add_option("--board", options.board, "The dealer's: the board")
                           ->check(read_by(parse_cards, "cards, as \"As Ks Qs\""));
  CLI::Option* magic =
      correct->add_option("--magic", options.magic, "The dealer's: the Magic Card that was drawn")
          ->check(read_by(parse_card, "a card, as \"7h\""));
  CLI::Option* lucky =
      correct
          ->add_option("--lucky", options.lucky,
                       "The dealer's: the Lucky position that was drawn; 0 is the dealer's own")
          ->transform(a_number(0, seat_max));
  cards->excludes(no_hand);
  takes_some_of(correct, {cards, no_hand, board, magic, lucky});
  correct->add_flag("--folded", options.folded, "The hand is folded")->excludes(no_hand);
  takes_hand_reason(correct, options);
  correct->footer(
      "The dealer's entry stays; the correction is an entry of its own that names it. The hand is\n"
      "settled again by the current meters, and what it was paid at once, with its Envy, is\n"
      "reversed.\n"
      "Pending claims of it are rejected with it; a validated claim prevents the correction.\n"
      "A correction of the dealer's hand settles again every hand that was compared with it.\n"
      "For two swapped hands: give one seat no hand, correct the other, and let the dealer show "
      "the\n"
      "first again.");
}

}  // namespace

void declare_claims(CLI::App& app, CommandOptions& options, const CommandBuilder& declare) {
  declare_steps(app, options, declare);
  declare_rounds(app, options, declare);
  declare_pots(app, options, declare);
  declare_steps(
      *CommandBuilder::group(app, "claim", "Validate, reject, countersign or pay a claim"), options,
      declare);
  CLI::App& slip = *CommandBuilder::group(app, "slip", "Issue, void or show a slip");
  CLI::App* issue = declare.act(
      slip, "issue", "Issue the numbered slip on which a validated claim is paid",
      [](const CommandOptions& given) -> OperatorCommand {
        return IssueSlip{ClaimNumber(given.number), parse_payment_source(given.source).value()};
      });
  takes_claim(issue, options);
  takes_source(issue, options)->required();
  const auto takes_slip = [&options](CLI::App* command) {
    command->add_option("slip", options.number, "The slip's number")
        ->required()
        ->transform(a_number(1));
    return command;
  };
  CLI::App* annul = takes_slip(declare.act(
      slip, "void",
      "Void a slip: it is not paid, its number is not used again, the claim may get another",
      [](const CommandOptions& given) -> OperatorCommand {
        return VoidSlip{SlipNumber(given.number), parse_void_reason(given.reason).value(),
                        given.note};
      }));
  takes_reason(annul, options.reason, parse_void_reason,
               "misprint, wrong_source, wrong_person, other_error");
  annul->add_option("--note", options.note, "In your words");
  takes_slip(declare.reading(slip, "show", "Show one slip", [&options] {
    return show_slip(options.from, SlipNumber(options.number), options.json);
  }));
  declare.reading(app, "slips", "List all slips",
                  [&options] { return slips(options.from, options.json); });
}

// Up to two requests with one PIN: issue the slip, then pay. Each can be refused.
int pay(const OperatorClient& asker, ClaimNumber number, std::optional<PaymentSource> source) {
  require_controller(asker.from);
  const State state = current_state(*open_data(asker.from));
  const Claim* claim = state.find_claim(number);
  const Slip* open = claim == nullptr ? nullptr : state.open_slip(*claim);
  if (open == nullptr && !source) {
    const std::string said = "claim " + std::to_string(number.value());
    if (claim == nullptr) throw Fault("there is no " + said);
    switch (claim->state) {
      case ClaimState::raised:
        throw Fault(said + " is not validated yet: linkmeter claim validate " +
                    std::to_string(number.value()));
      case ClaimState::paid: throw Fault(said + " is paid already");
      case ClaimState::rejected: throw Fault(said + " is rejected");
      case ClaimState::validated: break;
    }
    throw Fault(said + " has no open slip: give --source to issue one");
  }
  const PaymentSource from = source ? *source : open->source;
  ControlRequest request{asker.by, read_pin(asker.by), {}, {}};
  SlipNumber slip = open == nullptr ? SlipNumber() : open->number;
  Json issued_with;  // the entry; null: the slip was issued before
  // No slip is issued if the payment will be refused; then the payment's refusal is reported.
  const Person* person = state.find_person(asker.by);
  const bool is_to_be_issued = open == nullptr && claim != nullptr &&
                               claim->state == ClaimState::validated && person != nullptr &&
                               person->has(Right::pay_claims);
  if (is_to_be_issued) {
    request.act = IssueSlip{number, from};
    const ControlReply issued = answer_to(asker, request);
    if (asker.json && issued.refusal != Refusal::none) print_json(reply_json(issued));
    require_done(issued);
    if (!asker.json) std::cout << "entry " << issued.entry.value() << ": " << issued.text << '\n';
    slip = issued.slip;
    issued_with = issued.entry.value();
  }
  request.act = PayClaim{number, from, slip};
  const ControlReply paid = answer_to(asker, request);
  if (asker.json) {
    Json told = reply_json(paid);
    told["slip"] = slip == SlipNumber() ? Json() : Json(slip.value());
    told["slip_entry"] = std::move(issued_with);
    print_json(told);
  }
  require_done(paid);
  if (!asker.json) std::cout << "entry " << paid.entry.value() << ": " << paid.text << '\n';
  return 0;
}

}  // namespace linkmeter::cli
