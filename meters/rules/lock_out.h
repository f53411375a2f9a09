// Lock-out: what wrong PINs at home (login_throttle.h) do to a person.
//
// The rule. The fifth wrong PIN in a row locks the person, and so does each further one. Two
// managers unlock the person with a new PIN. A manager's lock also ends by itself: after 15
// minutes, and each further lock lasts twice as long, a day at most; a right PIN begins the count
// anew. The last manager of a department who is not locked only waits: a minute, and each time
// twice as long, an hour at most. Whoever may try PINs where a manager is at home can keep that
// manager out of the pages, with a wrong PIN as each lock ends, but not out of the house: at
// DIR/control a right PIN ends a lock that ends by itself.
//
// Laws: the entry of the wrong PIN says how long, so a later rule changes no lock of before; time
// is the recorded time, which never goes back.
#pragma once

#include <optional>

#include "meters/state/state.h"
#include "meters/values/person.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// Until when a wrong PIN at this moment locks the person; nullopt: it does not.
// REQUIRES: the person is not locked now.
[[nodiscard]] std::optional<Timestamp> lock_after_failure(const State& state, const Person& person,
                                                          Timestamp now);

}  // namespace linkmeter
