// Proposal: the first half of dual control, waiting for a person of another department.
#pragma once

#include "meters/act.h"
#include "meters/identity.h"
#include "meters/timestamp.h"

namespace linkmeter {

struct Proposal {
  ProposalNumber number;
  DualAct act;
  Badge by;
  Timestamp at;  // the controller's clock; confirmed within limits::confirmation_us_max or never
  friend bool operator==(const Proposal&, const Proposal&) = default;
};

}  // namespace linkmeter
