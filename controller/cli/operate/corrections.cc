#include <optional>
#include <string_view>

#include "controller/cli/shell/command.h"
#include "meters/values/amount.h"
#include "meters/values/limits.h"

namespace linkmeter::cli {

namespace {

// "12.5", "-12.50", "+0.00000001": less than $10 billion, up or down.
std::optional<Amount> parse_signed_amount(std::string_view text) {
  const auto amount = parse_exact(text);
  const bool is_in_range = amount && *amount<limits::meter_max&& * amount> - limits::meter_max;
  return is_in_range ? amount : std::nullopt;
}

void takes_amount(CLI::App* command, CommandBuilder& declare, const char* says) {
  declare.takes(command, "--amount", &CommandOptions::amount, says)
      ->check(read_by(parse_signed_amount, "an amount of dollars, as 12.50"));
  declare.takes_note(command);
}

void takes_level(CLI::App* command, const char* name, std::string& level, const char* says) {
  command->add_option(name, level, says)->capture_default_str();
}

}  // namespace

void declare_corrections(CLI::App& app, CommandBuilder& declare) {
  CLI::App* correct = declare.proposal(
      app, "correct", "Propose to correct a meter", [](const CommandOptions& given) {
        return CorrectMeter{LinkId(given.link), LevelId(given.level),
                            parse_signed_amount(given.amount).value(),
                            parse_correction_reason(given.reason).value(), given.note};
      });
  declare.takes(correct, "--link", &CommandOptions::link, "The link's id");
  takes_level(correct, "--level", declare.options.level, "Its level, or \"reserve\"");
  takes_amount(correct, declare, "The amount to add, as 12.50; --amount=-12.50 subtracts");
  declare.takes_reason(correct, parse_correction_reason,
                       "count_variance, display_adjustment, equipment_fault, mispaid_award, "
                       "regulator_order");

  CLI::App* transfer =
      declare.proposal(app, "transfer", "Propose to transfer money from one meter to another",
                       [](const CommandOptions& given) {
                         return TransferMeter{LinkId(given.link),
                                              LevelId(given.level),
                                              LinkId(given.to),
                                              LevelId(given.to_level),
                                              parse_signed_amount(given.amount).value(),
                                              parse_transfer_reason(given.reason).value(),
                                              given.note};
                       });
  declare.takes(transfer, "--from", &CommandOptions::link, "The link it comes from");
  takes_level(transfer, "--from-level", declare.options.level, "Its level");
  declare.takes(transfer, "--to", &CommandOptions::to, "The link it goes to");
  takes_level(transfer, "--to-level", declare.options.to_level, "Its level");
  takes_amount(transfer, declare, "The amount, as 12.50");
  declare.takes_reason(transfer, parse_transfer_reason, "discontinued, merged, regulator_order");
}

}  // namespace linkmeter::cli
