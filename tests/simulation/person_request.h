// PersonRequest: a person's request to the controller, over the operator socket or from a page,
// after the PIN was verified, with the data that the controller adds to it before the turn.
#pragma once

#include <optional>
#include <string>

#include "controller/turn/message.h"
#include "meters/facts/table_command.h"

namespace linkmeter {

struct PersonRequest {
  std::string peer;  // different for every request
  Badge badge;
  bool is_good = true;
  std::optional<OperatorCommand> act;  // nullopt: he only signs in
  RequestSource source = RequestSource::control;
  const DayFinding* finding = nullptr;  // owned by SimulatedPeople
  std::optional<ShownAmounts> shown = {};
  bool is_witnessed = false;  // the witness of the act gives his PIN, too

  // The person whose PIN is given beside the first one; nullptr: nobody.
  [[nodiscard]] const Badge* witness() const {
    return is_witnessed && act ? second_pin_of(*act) : nullptr;
  }
  [[nodiscard]] OperatorRequest request() const {
    OperatorRequest asked;
    asked.peer = peer;
    asked.badge = badge;
    asked.is_good = is_good;
    asked.act = act;
    asked.signs_in = !act;
    asked.source = source;
    if (witness() != nullptr) asked.is_witness_good = true;
    return asked;
  }
};

}  // namespace linkmeter
