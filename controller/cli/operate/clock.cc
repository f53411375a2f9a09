#include <iostream>

#include "controller/cli/shell/command.h"
#include "controller/integrity/startup.h"
#include "controller/time/clock.h"
#include "meters/facts/clock_doubt.h"
#include "meters/values/time_text.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

namespace {

Json clock_json(const Journal& journal, const State& state) {
  const ClockStanding& clock = state.clock();
  Json doubt;
  if (clock.doubt) {
    doubt = Json{{"entry", clock.doubt->entry.value()},
                 {"fault", name(clock.doubt->fact.fault)},
                 {"by_us", clock.doubt->fact.by_us}};
  }
  return Json{{"system", text(Clock().now())},
              {"synchronised", Clock::is_synchronised()},
              {"last_recorded", text(last_recorded(journal))},
              {"books_ahead_us", clock.lead_us},
              {"doubt", doubt}};
}

void print_clock(const Json& clock) {
  const auto difference = [](const Json& us) {
    return clock_difference_text(us.get<std::int64_t>());
  };
  std::cout << "system's clock   " << plain_cell(clock.at("system"))
            << (clock.at("synchronised") == true ? ", synchronised"
                                                 : ", not known to be synchronised")
            << "\nlast entry       " << plain_cell(clock.at("last_recorded")) << '\n';
  if (clock.at("books_ahead_us") > 0) {
    std::cout << "books            " << difference(clock.at("books_ahead_us"))
              << " of the clock, as two managers have confirmed it\n";
  }
  const Json& doubt = clock.at("doubt");
  if (doubt.is_null()) {
    std::cout << "the clock is not in doubt\n";
    return;
  }
  std::cout << "IN DOUBT since entry " << doubt.at("entry") << " (" << plain_cell(doubt.at("fault"))
            << "): " << difference(doubt.at("by_us"))
            << " of the trusted time\nSet the system's clock right and the links operate again by "
               "themselves, or, if it is right, two managers confirm it: linkmeter clock confirm\n";
}

// Proposes what the journal recorded; it is not typed in.
int confirm_clock(const OperatorClient& asker, const CommandOptions& options) {
  require_controller(asker.from);
  const State state = current_state(*open_data(asker.from));
  const auto& doubt = state.clock().doubt;
  if (!doubt) throw Fault("the system's clock is not in doubt");
  return ask(asker, Propose{ConfirmClock{doubt->entry, doubt->fact.by_us, options.note}});
}

}  // namespace

void declare_clock(CLI::App& app, CommandBuilder& declare) {
  CLI::App& clock =
      CommandBuilder::group(app, "clock", "The system clock, and whether it is trusted");
  declare.showing(clock, "show", "Show the clock, the time of the last entry, and any doubt",
                  clock_json, print_clock);
  CLI::App* confirm = declare.asking(
      clock, "confirm", "Propose that the system clock, which is in doubt, is right",
      [&given = declare.options](const OperatorClient& by) { return confirm_clock(by, given); });
  declare.takes_note(confirm);
  confirm->footer(
      "Compare it with another clock first. From then on entries have the system time, and every "
      "gaming\n"
      "day that is over by that time ends. That cannot be undone. The manager of the other "
      "department\n"
      "confirms it: linkmeter confirm. If the clock is wrong, set it: then nothing needs to be\n"
      "confirmed.");
}

}  // namespace linkmeter::cli
