// Asked: what one person asks of the controller, at the control socket or a page, after his PIN was
// looked at; with what the edge has made for it.
#pragma once

#include <optional>
#include <string>

#include "controller/person_request.h"
#include "meters/command.h"

namespace linkmeter {

struct Asked {
  std::string peer;  // another one for every request
  Badge badge;
  bool is_good = true;
  std::optional<Act> act;  // nothing: he signs in and asks no more
  RequestSource source = RequestSource::control;
  const DayFinding* finding = nullptr;  // kept by SimulatedPeople
  std::optional<ShownAmounts> shown = {};

  [[nodiscard]] PersonRequest request() const {
    PersonRequest asked;
    asked.peer = peer;
    asked.badge = badge;
    asked.is_good = is_good;
    asked.act = act;
    asked.signs_in = !act;
    asked.source = source;
    return asked;
  }
};

}  // namespace linkmeter
