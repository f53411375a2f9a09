#include "controller/cli/operate/funds.h"

#include <iostream>
#include <optional>
#include <string>

#include "controller/accounting/day/distribution.h"
#include "controller/cli/operate/days.h"
#include "controller/cli/shell/command.h"
#include "controller/cli/shell/text_table.h"
#include "meters/facts/operator_command.h"
#include "meters/values/amount.h"
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
      fund, "move", "Record what security carried from tables to the cage: the cashier", move_fund);
  takes_day(move, options);
  move->add_option("--link", options.link, "The fund's link")->required();
  move->add_option("--table", options.tables, "A table whose box was carried; may be repeated")
      ->required()
      ->allow_extra_args(false);
  CLI::Option* verified =
      move->add_option("--verified", options.verified,
                       "The amount that you counted in the container, as 311.00")
          ->check(is_dollars());
  CLI::Option* uncounted =
      move->add_flag("--uncounted", options.uncounted,
                     "Locked boxes, to be counted here: record each with linkmeter count");
  takes_one_of(move, {verified, uncounted});
  move->add_option("--carried-by", options.carried_by, "The badge of the security officer")
      ->required();
  move->add_option("--accounted-by", options.accounted_by,
                   "The badge of the floorperson or above who accounts for the boxes")
      ->required();
  move->add_option("--note", options.note, "In your words, such as the number of the container");
  move->footer("A later record with one of these tables replaces this one.");
}

void declare_adjust(CLI::App& fund, CommandOptions& options, const CommandBuilder& declare) {
  CLI::App* adjust = declare.act(
      fund, "adjust", "Compare a fund's display with what finance keeps, before a floorperson",
      adjust_display);
  adjust->add_option("link", options.link, "The fund's link")->required();
  adjust->add_option("--kept", options.kept, "What finance keeps of it, as 521.60")
      ->required()
      ->check(is_dollars());
  adjust
      ->add_option("--shown", options.shown,
                   "What you both read on the display; refused if it shows another amount now")
      ->check(is_dollars());
  adjust
      ->add_option("--witness", options.witness,
                   "The badge of the floorperson or above; asks for the PIN")
      ->required();
  adjust->add_option("--note", options.note, "In your words");
  adjust->footer(
      "At least once a gaming day, and at once when a Bad Beat is verified (section 553.20(h)).\n"
      "It clears \"pending adjustment\". The day's report names a difference.");
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

std::string cards_of(const Json& cards) {
  std::string all;
  for (const Json& card : cards) all += (all.empty() ? "" : " ") + plain_cell(card);
  return all;
}

// "losing hand, 50%", "table, 25% among 6".
std::string part_of(const Json& share) {
  std::string told = plain_cell(share.at("for"));
  for (char& letter : told) letter = letter == '_' ? ' ' : letter;
  told += ", " + plain_cell(share.at("part"));
  const auto among = share.at("among").get<std::size_t>();
  return among < 2 ? told : told + " among " + std::to_string(among);
}

std::string step_of(const Json& share, const char* at, const char* by) {
  return share.at(at).is_null() ? "" : plain_cell(share.at(at)) + " " + plain_cell(share.at(by));
}

void print_shares(const Json& shares) {
  const auto verified = [](const Json& share) {
    return step_of(share, "verified_at", "verified_by");
  };
  const auto slip = [](const Json& slips) { return slips.empty() ? "" : plain_cell(slips.back()); };
  const auto paid = [](const Json& share) { return step_of(share, "paid_at", "paid_by"); };
  print_table(shares, {right("seat"), left("for", "", part_of), left("hand", "hand", cards_of),
                       right("claim"), left("state"), left("verified", "", verified),
                       left("slip", "slips", slip), left("paid", "", paid),
                       right("amount", "amount", money_cell)});
}

void print_step(const char* what, const Json& step) {
  std::cout << what
            << (step.is_null() ? std::string("not yet")
                               : plain_cell(step.at("at")) + " by " + plain_cell(step.at("by")) +
                                     ", entry " + plain_cell(step.at("entry")))
            << '\n';
}

void print_distribution(const Json& told) {
  std::cout << plain_cell(told.at("house")) << ", Bad Beat payout of "
            << plain_cell(told.at("link")) << '\n'
            << "table " << plain_cell(told.at("table")) << ", round "
            << plain_cell(told.at("round")) << ", " << plain_cell(told.at("raised_at"))
            << ", entry " << plain_cell(told.at("entry")) << '\n'
            << plain_cell(told.at("line")) << " beaten, board " << cards_of(told.at("board"))
            << ", pot " << money_cell(told.at("pot")) << "\n\n";
  print_shares(told.at("shares"));
  std::cout << "\naward " << money_cell(told.at("award")) << ", shares "
            << money_cell(told.at("sum"));
  const std::string difference = plain_cell(told.at("difference"));
  std::cout << (difference == "0.00" ? "" : ", DIFFERENCE " + difference) << '\n';
  if (told.at("rejected") != "0.00") {
    std::cout << "rejected, back in the fund: " << money_cell(told.at("rejected")) << '\n';
  }
  print_step("pending adjustment posted  ", told.at("notice_posted"));
  print_step("display adjusted           ", told.at("display_adjusted"));
  const Json& adjusted = told.at("display_adjusted");
  if (!adjusted.is_null()) {
    std::cout << "                           shown " << money_cell(adjusted.at("shown"))
              << ", kept " << money_cell(adjusted.at("kept")) << ", before "
              << plain_cell(adjusted.at("witness")) << '\n';
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
    print_json(told);
  } else {
    print_distribution(told);
  }
  return 0;
}

}  // namespace linkmeter::cli
