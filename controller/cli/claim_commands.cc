#include "controller/cli/claim_commands.h"

#include <optional>

#include "controller/cli/commands.h"
#include "controller/cli/pin_entry.h"
#include "meters/claim.h"
#include "meters/edge/command_line.h"
#include "meters/edge/fault.h"

namespace linkmeter::cli {

namespace {

const auto a_source = [] {
  return read_by(parse_payment_source, "one of table_inventory, game_account, hand_pay");
};

CLI::Option* takes_claim(CLI::App* command, ActOptions& options) {
  return command->add_option("claim", options.number, "The claim's number")
      ->required()
      ->transform(a_number(1));
}

CLI::Option* takes_source(CLI::App* command, ActOptions& options) {
  return command
      ->add_option("--source", options.source, "table_inventory, game_account or hand_pay")
      ->check(a_source());
}

// Under `group`: the tool itself, or its command `claim`.
void declare_steps(CLI::App& group, ActOptions& options, const Declaring& declare) {
  CLI::App* validate =
      declare.act(group, "validate", "The cards are the line: the claim may be paid",
                  [](const ActOptions& given) -> Act {
                    return ValidateClaim{ClaimNumber(given.number), Badge(given.notified)};
                  });
  takes_claim(validate, options);
  validate->add_option("--notified", options.notified,
                       "For a Bad Beat: badge of the person in security or finance who was "
                       "notified to bring the money (§ 553.20(f)(2))");
  CLI::App* reject = declare.act(
      group, "reject", "The amount goes back to the meter", [](const ActOptions& given) -> Act {
        return RejectClaim{ClaimNumber(given.number), parse_reject_reason(given.reason).value(),
                           given.note};
      });
  takes_claim(reject, options);
  takes_reason(reject, options.reason, parse_reject_reason,
               "hand_misread, cards_missing, wager_not_made, round_irregular, equipment_fault, "
               "game_protection");
  reject->add_option("--note", options.note, "In your words");
  takes_claim(declare.act(group, "countersign",
                          "The second signature, where the house's ladder asks for one",
                          [](const ActOptions& given) -> Act {
                            return CountersignClaim{ClaimNumber(given.number)};
                          }),
              options);
  CLI::App* pay_on_slip = declare.asking(
      group, "pay", "A validated claim is paid on its slip; without one it is issued first",
      [&options](const Asker& by) {
        const auto source =
            options.source.empty() ? std::nullopt : parse_payment_source(options.source);
        return pay(by, ClaimNumber(options.number), source);
      });
  takes_claim(pay_on_slip, options);
  takes_source(pay_on_slip, options);
}

Act correct_hand(const ActOptions& given) {
  CorrectHand correct;
  correct.table = TableId(given.table);
  correct.round = RoundId(given.round);
  correct.seat = Seat(static_cast<std::uint8_t>(given.seat));
  correct.cards = parse_cards(given.cards).value();
  correct.folded = given.folded;
  if (correct.is_no_hand() && !given.no_hand) {
    throw Fault("no cards: where nobody has a hand, say --no-hand");
  }
  correct.reason = parse_hand_reason(given.reason).value();
  correct.note = given.note;
  return correct;
}

void declare_rounds(CLI::App& app, ActOptions& options, const Declaring& declare) {
  declare.reading(app, "rounds", "Every round that is still open, and the hands that were shown",
                  [&options] { return rounds(options.data, options.json); });
  CLI::App& round = *Declaring::group(app, "round", "Put a hand of an open round right");
  CLI::App* correct =
      declare.act(round, "correct", "A hand as it lies there, where the dealer entered another one",
                  correct_hand);
  correct->add_option("table", options.table, "The table's id")->required();
  correct->add_option("round", options.round, "The round's id")->required();
  correct->add_option("seat", options.seat, "The seat")->required()->transform(a_number(1, 255));
  CLI::Option* cards =
      correct->add_option("--cards", options.cards, "All cards as they lie there, as \"As Ks Qs\"")
          ->check(read_by(parse_cards, "cards, as \"As Ks Qs\""));
  CLI::Option* no_hand = correct->add_flag("--no-hand", options.no_hand,
                                           "Nobody has a hand there; the dealer may show it again");
  takes_one_of(correct, {cards, no_hand});
  correct->add_flag("--folded", options.folded, "The hand is folded")->excludes(no_hand);
  takes_reason(correct, options.reason, parse_hand_reason,
               "misread_card, wrong_seat, missed_card, wrong_fold, other_error");
  correct->add_option("--note", options.note, "In your words");
  correct->footer(
      "The dealer's entry stays; the correction is an entry of its own that names it. The hand is\n"
      "settled anew by the meters of now, and what it was paid at once, with its Envy, is "
      "reversed.\n"
      "Claims of the hand are rejected first. Two hands that were swapped: no hand at one seat,\n"
      "the other one corrected, and the dealer shows the first again.");
}

}  // namespace

void declare_claims(CLI::App& app, ActOptions& options, const Declaring& declare) {
  declare_steps(app, options, declare);
  declare_rounds(app, options, declare);
  declare_steps(*Declaring::group(app, "claim", "Validate, reject, countersign or pay a claim"),
                options, declare);
  CLI::App& slip = *Declaring::group(app, "slip", "Issue, void or show a slip");
  CLI::App* issue = declare.act(
      slip, "issue", "The numbered slip that a validated claim is paid on",
      [](const ActOptions& given) -> Act {
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
      slip, "void", "It is not paid; its number is kept, and the claim may have another",
      [](const ActOptions& given) -> Act {
        return VoidSlip{SlipNumber(given.number), parse_void_reason(given.reason).value(),
                        given.note};
      }));
  takes_reason(annul, options.reason, parse_void_reason,
               "misprint, wrong_source, wrong_person, other_error");
  annul->add_option("--note", options.note, "In your words");
  takes_slip(declare.reading(slip, "show", "One slip", [&options] {
    return show_slip(options.data, SlipNumber(options.number), options.json);
  }));
  declare.reading(app, "slips", "Every slip and its state",
                  [&options] { return slips(options.data, options.json); });
}

}  // namespace linkmeter::cli
