#include "controller/cli/operate/clock.h"

#include <iostream>

#include "controller/cli/shell/command.h"
#include "controller/cli/shell/text_table.h"
#include "controller/integrity/startup.h"
#include "controller/time/clock.h"
#include "controller/view/json.h"
#include "meters/facts/clock_doubt.h"
#include "meters/values/time_text.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

namespace {

int show_clock(const Source& from, bool as_json) {
  const auto journal = open_data(from);
  const ClockStanding clock = current_state(*journal).clock();
  const Timestamp recorded = last_recorded(*journal);
  const Timestamp now = Clock().now();
  if (as_json) {
    Json doubt;
    if (clock.doubt) {
      doubt = Json{{"entry", clock.doubt->entry.value()},
                   {"fault", name(clock.doubt->fact.fault)},
                   {"by_us", clock.doubt->fact.by_us}};
    }
    print_json({{"system", text(now)},
                {"synchronised", Clock::is_synchronised()},
                {"last_recorded", text(recorded)},
                {"books_ahead_us", clock.lead_us},
                {"doubt", doubt}});
    return 0;
  }
  std::cout << "system's clock   " << text(now)
            << (Clock::is_synchronised() ? ", synchronised" : ", not known to be synchronised")
            << "\nlast entry       " << text(recorded) << '\n';
  if (clock.lead_us > 0) {
    std::cout << "books            " << clock_difference_text(clock.lead_us)
              << " of the clock, as two managers have confirmed it\n";
  }
  if (!clock.doubt) {
    std::cout << "the clock is not in doubt\n";
    return 0;
  }
  std::cout << "IN DOUBT since entry " << clock.doubt->entry.value() << " ("
            << name(clock.doubt->fact.fault)
            << "): " << clock_difference_text(clock.doubt->fact.by_us)
            << " of the trusted time\nSet the system's clock right and the links operate again by "
               "themselves, or, if it is right, two managers confirm it: linkmeter clock confirm\n";
  return 0;
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

void declare_clock(CLI::App& app, CommandOptions& options, const CommandBuilder& declare) {
  CLI::App& clock =
      *CommandBuilder::group(app, "clock", "The system clock, and whether it is trusted");
  declare.reading(clock, "show", "Show the clock, the time of the last entry, and any doubt",
                  [&options] { return show_clock(options.from, options.json); });
  CLI::App* confirm =
      declare.asking(clock, "confirm", "Propose that the system clock, which is in doubt, is right",
                     [&options](const OperatorClient& by) { return confirm_clock(by, options); });
  confirm->add_option("--note", options.note, "In your words");
  confirm->footer(
      "Compare it with another clock first. From then on entries have the system time, and every "
      "gaming\n"
      "day that is over by that time ends. That cannot be undone. The manager of the other "
      "department\n"
      "confirms it: linkmeter confirm. If the clock is wrong, set it: then nothing needs to be\n"
      "confirmed.");
}

}  // namespace linkmeter::cli
