// Faults: which kinds of trouble a run has. The seed switches whole kinds off (a swarm): some
// mistakes only show when nothing else goes wrong at the same time.
#pragma once

#include <cstdint>

#include "tests/property/dice.h"

namespace linkmeter {

struct Faults {
  bool drop = false;
  bool duplicate = false;
  bool delay = false;
  bool reorder = false;  // towards the controller; replies keep their order, as on one connection
  bool lost_connections = false;
  bool controller_dies_before_commit = false;
  bool controller_dies_after_commit = false;  // before anybody was told
  bool controller_stops = false;              // between two turns
  bool agent_dies_before_storing = false;
  bool agent_dies_after_storing = false;
  bool agent_dies_sending = false;  // some frames are out, some are not
  bool power_cuts = false;          // what an outbox did not sync is gone
  bool hours_pass = false;          // at once: gaming days end

  static Faults none() { return {}; }
  static Faults some(Dice& dice) {
    const auto coin = [&dice] { return dice.one_in(2); };
    return {coin(), coin(), coin(), coin(), coin(), coin(), coin(),
            coin(), coin(), coin(), coin(), coin(), coin()};
  }
};

// A mistake on purpose: the simulation must notice each of them.
enum class Plant : std::uint8_t {
  none,
  disk_does_not_sync,          // acknowledges before the commit is on the disk
  rows_forgotten,              // a commit without its state rows
  controller_forgets_answers,  // restarts without the numbers it has answered
  repeats_taken_for_new,       // forgets to recognise a message that came before
  outbox_does_not_sync,        // says what is not stored
  agent_never_resends,
};

}  // namespace linkmeter
