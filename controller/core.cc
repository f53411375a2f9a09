#include "controller/core.h"

#include <utility>

#include "controller/auth/pin_key.h"
#include "controller/store/data_folder.h"
#include "controller/time/calendar.h"

namespace linkmeter {

Core::Core(const Options& chosen, const FloorFile& house, Clock& time, Journal& durable,
           Journal& store, State state)
    : options(chosen),
      floor(house),
      clock(time),
      stored(durable),
      journal(store, [this](auto took) { metrics.note_commit(took); }),
      own(controller_credentials(options.data)),
      operator_key(operator_credentials(options.data).keys.public_key),
      controller(journal, floor.rules, std::move(state), {own.keys.public_key, operator_key}),
      days(controller, journal, Calendar(floor.timezone, floor.gaming_day_start)),
      clock_guard(controller, clock.recorded(), floor.clock_step_max) {
  metrics.set_self_check({clock.now(), true});
}

PinKeys Core::pin_keys() const {
  return {pin_key(options.data, controller.state()), stored_pin_key(options.data)};
}

}  // namespace linkmeter
