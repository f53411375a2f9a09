#include "controller/cli/operate/funds.h"

#include <optional>
#include <string>

#include "controller/cli/operate/day_acts.h"
#include "controller/cli/shell/command.h"
#include "meters/facts/operator_command.h"
#include "meters/values/gaming_day.h"
#include "proto/host/command_line.h"

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

void declare_move(CLI::App& fund, CommandOptions& options, const Declaring& declare) {
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

void declare_adjust(CLI::App& fund, CommandOptions& options, const Declaring& declare) {
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

void declare_fund_acts(CLI::App& app, CommandOptions& options, const Declaring& declare) {
  CLI::App& fund = *Declaring::group(app, "fund", "The day of a fund of pots: cage and display");
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

}  // namespace linkmeter::cli
