// Proposal: the first half of dual control, waiting for a person of another department.
#pragma once

#include "meters/facts/operator_command.h"
#include "meters/values/identity.h"
#include "meters/values/limits.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

struct Proposal {
  ProposalNumber number;
  DualControlCommand act;
  Badge by;
  Timestamp at;  // the controller's clock; confirmed within limits::confirmation_us_max or never
  friend bool operator==(const Proposal&, const Proposal&) = default;

  // The last moment at which it can be confirmed.
  [[nodiscard]] Timestamp expires_at() const {
    return within_calendar(at).after(limits::confirmation_us_max);
  }
  // `now`: the controller's clock.
  [[nodiscard]] bool has_expired(Timestamp now) const { return expires_at() < now; }
};

}  // namespace linkmeter
