#include "controller/cli/operate/funds.h"

#include <iostream>
#include <optional>
#include <string>

#include "controller/accounting/day/distribution.h"
#include "controller/cli/operate/days.h"
#include "controller/cli/shell/command.h"
#include "controller/cli/shell/text_table.h"
#include "controller/view/format.h"
#include "meters/facts/operator_command.h"
#include "meters/values/gaming_day.h"
#include "proto/host/command_line.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

namespace {

OperatorCommand move_fund(const CommandOptions& given) {
  MoveFund move{parse_gaming_day(given.day).value(),
                LinkId(given.link),
                {},
                {},
                given.note,
                Badge(given.carried_by),
                Badge(given.accounted_by)};
  for (const std::string& table : given.tables) move.tables.emplace_back(table);
  if (!given.verified.empty()) move.verified = parse_dollars(given.verified);
  return move;
}

OperatorCommand adjust_display(const CommandOptions& given) {
  AdjustDisplay adjust{
      LinkId(given.link), parse_dollars(given.kept).value(), {}, given.note, Badge(given.witness)};
  if (!given.shown.empty()) adjust.shown = parse_dollars(given.shown);
  return adjust;
}

void declare_move(CLI::App& fund, CommandOptions& options, const CommandBuilder& declare) {
  CLI::App* move = declare.act(
      fund, "move", "What security carried from tables to the cage for a gaming day: the cashier's",
      move_fund);
  takes_day(move, options);
  move->add_option("--link", options.link, "The fund's link")->required();
  move->add_option("--table", options.tables, "A table whose box it is of; may be given again")
      ->required()
      ->allow_extra_args(false);
  CLI::Option* verified =
      move->add_option("--verified", options.verified,
                       "What came: so much, as you counted it in the container, as 311.00")
          ->check(is_dollars());
  CLI::Option* uncounted =
      move->add_flag("--uncounted", options.uncounted,
                     "Or locked boxes, to be counted here: record each with linkmeter count");
  takes_one_of(move, {verified, uncounted});
  move->add_option("--carried-by", options.carried_by, "The badge of the security officer")
      ->required();
  move->add_option("--accounted-by", options.accounted_by,
                   "The badge of the floorperson or above who accounts for the boxes")
      ->required();
  move->add_option("--note", options.note, "In your words, as the number of the container");
  move->footer("Said again with one of its tables, it takes the place of what was said before.");
}

void declare_adjust(CLI::App& fund, CommandOptions& options, const CommandBuilder& declare) {
  CLI::App* adjust = declare.act(
      fund, "adjust", "Hold a fund's display against what finance keeps, before a floorperson",
      adjust_display);
  adjust->add_option("link", options.link, "The fund's link")->required();
  adjust->add_option("--kept", options.kept, "What finance keeps of it, as 521.60")
      ->required()
      ->check(is_dollars());
  adjust
      ->add_option("--shown", options.shown,
                   "What you both read on the display; refused if it shows another amount by now")
      ->check(is_dollars());
  adjust
      ->add_option("--witness", options.witness,
                   "The badge of the floorperson or above; his PIN is asked for")
      ->required();
  adjust->add_option("--note", options.note, "In your words");
  adjust->footer(
      "At least once a gaming day, and at once when a Bad Beat is verified (section 553.20(h)).\n"
      "It takes down \"pending adjustment\". A difference is named by the day's report.");
}

}  // namespace

void declare_fund_acts(CLI::App& app, CommandOptions& options, const CommandBuilder& declare) {
  CLI::App& fund =
      *CommandBuilder::group(app, "fund", "The day of a fund of pots: cage and display");
  declare_move(fund, options, declare);
  declare_adjust(fund, options, declare);
  declare
      .reading_folder(app, "distribution", "How the payout of a Bad Beat is shared, seat by seat",
                      [&options] {
                        return distribution(options.from, ClaimNumber(options.number),
                                            options.json);
                      })
      ->add_option("--claim", options.number, "The number of one of its claims")
      ->required()
      ->transform(a_number(1));
}

namespace {

std::string result_text(const Json& told) {
  if (told.is_null()) return "";
  return told.is_string() ? told.get<std::string>() : told.dump();
}

std::string money_of(const Json& told) {
  const auto text = told.get<std::string>();
  return text.starts_with('-') ? "-$" + grouped(text.substr(1)) : "$" + grouped(text);
}

std::string cards_of(const Json& cards) {
  std::string all;
  for (const Json& card : cards) all += (all.empty() ? "" : " ") + result_text(card);
  return all;
}

// "losing hand, 50%", "table, 25% among 6".
std::string part_of(const Json& share) {
  std::string told = result_text(share.at("for"));
  for (char& letter : told) letter = letter == '_' ? ' ' : letter;
  told += ", " + result_text(share.at("part"));
  const auto among = share.at("among").get<std::size_t>();
  return among < 2 ? told : told + " among " + std::to_string(among);
}

std::string step_of(const Json& at, const Json& by) {
  return at.is_null() ? "" : result_text(at) + " " + result_text(by);
}

void print_shares(const Json& told) {
  Column seat{"seat"}, part{"for", true}, hand{"hand", true}, claim{"claim"}, stands{"state", true},
      verified{"verified", true}, slip{"slip", true}, paid{"paid", true}, amount{"amount"};
  for (const Json& share : told.at("shares")) {
    seat.cells.push_back(result_text(share.at("seat")));
    part.cells.push_back(part_of(share));
    hand.cells.push_back(cards_of(share.at("hand")));
    claim.cells.push_back(result_text(share.at("claim")));
    stands.cells.push_back(result_text(share.at("state")));
    verified.cells.push_back(step_of(share.at("verified_at"), share.at("verified_by")));
    const Json& slips = share.at("slips");
    slip.cells.push_back(slips.empty() ? "" : result_text(slips.back()));
    paid.cells.push_back(step_of(share.at("paid_at"), share.at("paid_by")));
    amount.cells.push_back(money_of(share.at("amount")));
  }
  for (const std::string& line :
       table_lines({seat, part, hand, claim, stands, verified, slip, paid, amount})) {
    std::cout << line << '\n';
  }
}

void print_step(const char* what, const Json& step) {
  std::cout << what
            << (step.is_null() ? std::string("not yet")
                               : result_text(step.at("at")) + " by " + result_text(step.at("by")) +
                                     ", entry " + result_text(step.at("entry")))
            << '\n';
}

void print_distribution(const Json& told) {
  std::cout << result_text(told.at("house")) << ", Bad Beat payout of "
            << result_text(told.at("link")) << '\n'
            << "table " << result_text(told.at("table")) << ", round "
            << result_text(told.at("round")) << ", " << result_text(told.at("raised_at"))
            << ", entry " << result_text(told.at("entry")) << '\n'
            << result_text(told.at("line")) << " beaten, board " << cards_of(told.at("board"))
            << ", pot " << money_of(told.at("pot")) << "\n\n";
  print_shares(told);
  std::cout << "\naward " << money_of(told.at("award")) << ", shares " << money_of(told.at("sum"));
  const std::string difference = result_text(told.at("difference"));
  std::cout << (difference == "0.00" ? "" : ", DIFFERENCE " + difference) << '\n';
  if (told.at("rejected") != "0.00") {
    std::cout << "rejected, back in the fund: " << money_of(told.at("rejected")) << '\n';
  }
  print_step("pending adjustment posted  ", told.at("notice_posted"));
  print_step("display adjusted           ", told.at("display_adjusted"));
  const Json& adjusted = told.at("display_adjusted");
  if (!adjusted.is_null()) {
    std::cout << "                           shown " << money_of(adjusted.at("shown")) << ", kept "
              << money_of(adjusted.at("kept")) << ", before " << result_text(adjusted.at("witness"))
              << '\n';
  }
  print_step("pending adjustment cleared ", told.at("notice_cleared"));
}

}  // namespace

int distribution(const Source& from, ClaimNumber number, bool as_json) {
  const auto journal = open_data(from);
  const State state = current_state(*journal);
  const std::string name = "claim " + std::to_string(number.value());
  const Claim* claim = state.find_claim(number);
  if (claim == nullptr) throw Fault("there is no " + name);
  const std::vector<Claim> hit = hit_of(state, *claim);
  if (hit.empty()) throw Fault(name + " is no share of a fund of pots");
  const Json told = distribution_json(*journal, hit, state.floor());
  if (as_json) {
    std::cout << told.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  } else {
    print_distribution(told);
  }
  return 0;
}

}  // namespace linkmeter::cli
