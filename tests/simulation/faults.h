// Faults: which kinds of faults a run has. The seed switches whole kinds off (swarm testing): some
// mistakes only show when nothing else goes wrong at the same time.
#pragma once

#include "tests/property/dice.h"

namespace linkmeter {

struct Faults {
  bool drop = false;
  bool duplicate = false;
  bool delay = false;
  bool reorder = false;  // towards the controller; replies keep their order, as on one connection
  bool lost_connections = false;
  bool partitions = false;  // some tables for a while, both ways or one way
  bool controller_dies_before_commit = false;
  bool controller_dies_after_commit = false;  // before any reply was sent
  bool controller_stops = false;              // between two turns
  bool agent_dies_before_storing = false;
  bool agent_dies_after_storing = false;
  bool agent_dies_sending = false;  // some frames are sent, some are not
  bool power_cuts = false;          // what an outbox did not sync is lost
  bool all_at_once = false;         // the controller and every table, at the same time
  bool slow_disk = false;           // a commit takes up to seconds
  bool failing_disk = false;        // commits fail for a while, then the same disk works again
  bool torn_rows = false;           // a byte of the state tables is changed
  bool hours_pass = false;          // at once: gaming days end
  bool clock_set = false;           // the system's clock is set ahead and back
  bool people = false;              // they make requests, also ones that they may not make
  bool staff_changes = false;       // people join and leave, their roles and PINs change
  bool wrong_pins = false;
  bool answers_to_people_lost = false;  // so they repeat their requests
  bool revoked_keys = false;
  bool old_copy = false;  // of the disk, at the end

  static Faults none() { return {}; }
  static Faults some(Dice& dice) {
    Faults all;
    for (bool Faults::*kind : {&Faults::drop,
                               &Faults::duplicate,
                               &Faults::delay,
                               &Faults::reorder,
                               &Faults::lost_connections,
                               &Faults::controller_dies_before_commit,
                               &Faults::controller_dies_after_commit,
                               &Faults::controller_stops,
                               &Faults::agent_dies_before_storing,
                               &Faults::agent_dies_after_storing,
                               &Faults::agent_dies_sending,
                               &Faults::power_cuts,
                               &Faults::hours_pass,
                               &Faults::partitions,
                               &Faults::slow_disk,
                               &Faults::failing_disk,
                               &Faults::torn_rows,
                               &Faults::clock_set,
                               &Faults::all_at_once,
                               &Faults::people,
                               &Faults::staff_changes,
                               &Faults::wrong_pins,
                               &Faults::answers_to_people_lost,
                               &Faults::revoked_keys,
                               &Faults::old_copy}) {
      all.*kind = dice.one_in(2);
    }
    return all;
  }
};

}  // namespace linkmeter
