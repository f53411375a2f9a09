// Account lock: the effect of wrong PINs from trusted origins (login_throttle.h) on a person.
//
// The rule. The fifth wrong PIN in a row locks the person, and so does each further one. Two
// managers unlock the person with a new PIN. A manager's lock also ends by itself: after 15
// minutes, and each further lock lasts twice as long, up to a day. A correct PIN resets the count.
// The last unlocked manager of a department is only delayed: by a minute, and twice as long each
// time, up to an hour. An attacker at a manager's trusted origin can keep that manager out of the
// pages by entering a wrong PIN as each lock ends, but not out of the house: at DIR/control a
// correct PIN ends a lock that ends by itself.
//
// Laws: the entry of the wrong PIN records the duration, so a later rule does not change earlier
// locks. Time is the recorded time, which never goes back.
#pragma once

#include <optional>

#include "meters/state/state.h"
#include "meters/values/person.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// The end of the lock that a wrong PIN at this moment causes; nullopt: no lock.
[[nodiscard]] std::optional<Timestamp> lock_after_wrong_pin(const State& state,
                                                            const Person& person, Timestamp now);

}  // namespace linkmeter
