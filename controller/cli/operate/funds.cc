#include <iostream>
#include <optional>
#include <string>

#include "controller/accounting/day/distribution.h"
#include "controller/cli/shell/command.h"
#include "meters/values/amount.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

namespace {

OperatorCommand move_fund(const CommandOptions& given) {
  MoveFund move{given.gaming_day(),      LinkId(given.link),       {}, {}, given.note,
                Badge(given.carried_by), Badge(given.accounted_by)};
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

void declare_move(CLI::App& fund, CommandBuilder& declare) {
  CLI::App* move = declare.act(
      fund, "move", "Record what security carried from tables to the cage: the cashier", move_fund);
  declare.takes_day(move);
  declare.takes(move, "--link", &CommandOptions::link, "The fund's link");
  move->add_option("--table", declare.options.tables,
                   "A table whose box was carried; may be repeated")
      ->required()
      ->allow_extra_args(false);
  CLI::Option* verified =
      move->add_option("--verified", declare.options.verified,
                       "The amount that you counted in the container, as 311.00")
          ->check(is_dollars());
  CLI::Option* uncounted =
      move->add_flag("--uncounted", declare.own<bool>(),
                     "Locked boxes, to be counted here: record each with linkmeter count");
  takes_one_of(move, {verified, uncounted});
  declare.takes(move, "--carried-by", &CommandOptions::carried_by,
                "The badge of the security officer");
  declare.takes(move, "--accounted-by", &CommandOptions::accounted_by,
                "The badge of the floorperson or above who accounts for the boxes");
  declare.takes_note(move, "In your words, such as the number of the container");
  move->footer("A later record with one of these tables replaces this one.");
}

void declare_adjust(CLI::App& fund, CommandBuilder& declare) {
  CLI::App* adjust = declare.act(
      fund, "adjust", "Compare a fund's display with what finance keeps, before a floorperson",
      adjust_display);
  declare.takes(adjust, "link", &CommandOptions::link, "The fund's link");
  declare.takes(adjust, "--kept", &CommandOptions::kept, "What finance keeps of it, as 521.60")
      ->check(is_dollars());
  adjust
      ->add_option("--shown", declare.options.shown,
                   "What you both read on the display; refused if it shows another amount now")
      ->check(is_dollars());
  declare.takes(adjust, "--witness", &CommandOptions::witness,
                "The badge of the floorperson or above; asks for the PIN");
  declare.takes_note(adjust);
  adjust->footer(
      "At least once a gaming day, and at once when a Bad Beat is verified (section 553.20(h)).\n"
      "It clears \"pending adjustment\". The day's report names a difference.");
}

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

void print_distribution(const Json& json) {
  std::cout << plain_cell(json.at("house")) << ", Bad Beat payout of "
            << plain_cell(json.at("link")) << '\n'
            << "table " << plain_cell(json.at("table")) << ", round "
            << plain_cell(json.at("round")) << ", " << plain_cell(json.at("raised_at"))
            << ", entry " << plain_cell(json.at("entry")) << '\n'
            << plain_cell(json.at("line")) << " beaten, board " << cards_of(json.at("board"))
            << ", pot " << money_cell(json.at("pot")) << "\n\n";
  print_shares(json.at("shares"));
  std::cout << "\naward " << money_cell(json.at("award")) << ", shares "
            << money_cell(json.at("sum"));
  const std::string difference = plain_cell(json.at("difference"));
  std::cout << (difference == "0.00" ? "" : ", DIFFERENCE " + difference) << '\n';
  if (json.at("rejected") != "0.00") {
    std::cout << "rejected, back in the fund: " << money_cell(json.at("rejected")) << '\n';
  }
  print_step("pending adjustment posted  ", json.at("notice_posted"));
  print_step("display adjusted           ", json.at("display_adjusted"));
  const Json& adjusted = json.at("display_adjusted");
  if (!adjusted.is_null()) {
    std::cout << "                           shown " << money_cell(adjusted.at("shown"))
              << ", kept " << money_cell(adjusted.at("kept")) << ", before "
              << plain_cell(adjusted.at("witness")) << '\n';
  }
  print_step("pending adjustment cleared ", json.at("notice_cleared"));
}

// Every share of the hit of the claim.
Json shares_of(const Journal& journal, const State& state, ClaimNumber number) {
  const std::string name = "claim " + std::to_string(number.value());
  const Claim* claim = state.find_claim(number);
  if (claim == nullptr) throw Fault("there is no " + name);
  const std::vector<Claim> hit = hit_of(state, *claim);
  if (hit.empty()) throw Fault(name + " is no share of a fund of pots");
  return distribution_json(journal, hit, state.floor());
}

}  // namespace

void declare_funds(CLI::App& app, CommandBuilder& declare) {
  CLI::App& fund =
      CommandBuilder::group(app, "fund", "The day of a fund of pots: cage and display");
  declare_move(fund, declare);
  declare_adjust(fund, declare);
  CLI::App* distribution = declare.reading_folder(
      app, "distribution", "How the payout of a Bad Beat is shared, seat by seat",
      [&given = declare.options] {
        const auto journal = open_data(given.from);
        const Json json = shares_of(*journal, current_state(*journal), ClaimNumber(given.number));
        given.json ? print_json(json) : print_distribution(json);
        return 0;
      });
  declare.takes_number(distribution, "--claim", "The number of one of its claims");
}

}  // namespace linkmeter::cli
